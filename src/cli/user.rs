use std::io::{BufRead, IsTerminal};

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// Who may sign in.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// List users
    List,
    /// Make a user; without a password on stdin a random one is made and printed once
    Add {
        /// Name to sign in with
        name: String,
        /// reader, lead (sees how much his projects are used), auditor, custodian (agrees to an auditor's reading of
        /// texts in the log) or admin
        #[arg(long, default_value = "reader")]
        role: String,
        /// Groups, separated by commas
        #[arg(long, value_delimiter = ',')]
        groups: Vec<String>,
        /// Read the password from the first line of stdin
        #[arg(long)]
        password_stdin: bool,
        #[arg(skip)]
        password: Option<String>,
    },
    /// Give a user a new password
    Password {
        /// User
        name: String,
        /// Read the password from the first line of stdin
        #[arg(long)]
        password_stdin: bool,
        #[arg(skip)]
        password: Option<String>,
    },
    /// Give a user another role and end his sessions
    Role {
        /// User
        name: String,
        /// reader, lead, auditor, custodian or admin
        role: String,
    },
    /// Put a user into a group
    Join {
        /// User
        name: String,
        /// Group
        group: String,
    },
    /// Take a user out of a group
    Leave {
        /// User
        name: String,
        /// Group
        group: String,
    },
    /// Remove a user and end his sessions
    Remove {
        /// User
        name: String,
    },
}

impl Args {
    pub(super) fn ask_password(mut self) -> Result<Self, Failure> {
        if let Args::Add { password_stdin: true, password, .. }
        | Args::Password { password_stdin: true, password, .. } = &mut self
        {
            *password = Some(password_from_stdin()?);
        }
        Ok(self)
    }
}

/// The first line of stdin.
pub(super) fn password_from_stdin() -> Result<String, Failure> {
    if std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "--password-stdin expects the password on a pipe, not typed on the screen",
        ));
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::List => {
            let users = app.users.list()?;
            if out.wants_json() {
                out.value(&serde_json::json!({ "users": users }))?;
            } else {
                for user in &users {
                    out.line(format!("{}  {}  {}", user.name, user.role, user.groups.join(", ")));
                }
            }
        }
        Args::Add { name, role, groups, password, .. } => {
            let chosen = Chosen::new(password);
            app.users.create(actor, &name, &chosen.password, &role, &groups)?;
            chosen.show(&name, out)?;
        }
        Args::Password { name, password, .. } => {
            let chosen = Chosen::new(password);
            app.users.set_password(actor, &name, &chosen.password)?;
            chosen.show(&name, out)?;
        }
        Args::Role { name, role } => {
            app.users.set_role(actor, &name, &role)?;
            out.done()?;
        }
        Args::Join { name, group } => {
            app.users.join(actor, &name, &group)?;
            out.done()?;
        }
        Args::Leave { name, group } => {
            app.users.leave(actor, &name, &group)?;
            out.done()?;
        }
        Args::Remove { name } => {
            app.users.remove(actor, &name)?;
            out.done()?;
        }
    }
    Ok(Exit::Done)
}

/// The given password, or a random one.
pub(super) struct Chosen {
    pub(super) password: String,
    random: bool,
}

impl Chosen {
    pub(super) fn new(given: Option<String>) -> Self {
        let random = given.is_none();
        Chosen { password: given.unwrap_or_else(crate::auth::random_password), random }
    }

    /// Shows a random password, this once. Only for a password that is in force: call it last.
    pub(super) fn show(&self, name: &str, out: &Output) -> Result<(), Failure> {
        if !self.random {
            return out.done();
        }
        if out.wants_json() {
            return out.value(&serde_json::json!({ "user": name, "password": self.password }));
        }
        out.line(format!("Password of {name}, shown this once: {}", self.password));
        Ok(())
    }
}
