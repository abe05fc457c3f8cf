//! Commands that a person gives as himself: by his password, not by the right to open the data folder.

use serde::{Deserialize, Serialize};

use super::{Failure, user};
use crate::app::App;
use crate::audit::Actor;
use crate::auth::Session;

/// Whose command it is.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct InPerson {
    /// Whose command it is; the password is read from the first line of stdin
    #[arg(long = "as", value_name = "USER")]
    name: String,
    #[arg(skip)]
    password: String,
}

impl InPerson {
    /// Reads the password, where the command was given.
    pub(super) fn ask_password(&mut self) -> Result<(), Failure> {
        self.password = user::password_from_stdin()?;
        Ok(())
    }

    /// Signs in and out again.
    pub(super) fn session(&self, app: &App) -> Result<Session, Failure> {
        Ok(app.users.in_person(&self.name, &self.password)?)
    }

    /// Who acts.
    pub(super) fn actor(&self, app: &App) -> Result<Actor, Failure> {
        Ok(self.session(app)?.actor())
    }
}
