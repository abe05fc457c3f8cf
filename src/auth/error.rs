use crate::{audit::AuditError, catalog::CatalogError};

/// Why somebody was not let in, or an account could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// Name or password is wrong, or the account is closed; which of them is not told.
    #[error("the name or the password is not right")]
    Refused,
    /// Too many failed attempts for this name or from this address.
    #[error("too many failed attempts; try again in {seconds} s")]
    Throttled {
        /// Seconds to wait.
        seconds: u64,
    },
    /// The name is empty, too long or has control characters.
    #[error("a user or group name has 1 to 64 characters and no control characters")]
    BadName,
    /// The password is too short or too long.
    #[error(
        "a password has {} to {} characters",
        super::password::MIN_PASSWORD_CHARS,
        super::password::MAX_PASSWORD_CHARS
    )]
    BadPassword,
    /// An account of this name exists.
    #[error("there is already a user named {name}")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// No such role.
    #[error("there is no role {role}; roles are reader, lead, auditor, custodian and admin")]
    UnknownRole {
        /// What was asked for.
        role: String,
    },
    /// No such account.
    #[error("there is no user named {name}; `dossier user list` shows them")]
    UnknownUser {
        /// The name.
        name: String,
    },
    /// The password could not be hashed.
    #[error("the password could not be hashed: {detail}")]
    Hash {
        /// What the library says.
        detail: String,
    },
    /// The log could not be written, so nothing was done.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The catalog could not be read or written.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}
