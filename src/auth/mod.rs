//! Who is asking: accounts, passwords, sessions, and the [`Scope`](crate::scope::Scope) that follows
//! from a person's groups.
//!
//! Passwords are kept as argon2id hashes. A session is a random 256-bit token; the catalog holds its
//! SHA-256 only. What a person may see is read anew for every request, so that a change of rights
//! works at once. Nothing here knows of HTTP.
//!
//! This module never says whether a name exists: an unknown name costs the same work and gives the
//! same refusal as a wrong password.

mod error;
mod password;
mod sessions;
mod throttle;
mod token;
mod users;

#[cfg(test)]
mod tests;

pub use crate::catalog::{GroupRow, UserRole, UserRow};
pub use error::AuthError;
pub use password::{MIN_PASSWORD_CHARS, random_password};
pub use sessions::{Session, SessionLimits, SignedIn};
pub use token::{Token, form_token};
pub use users::Users;
