use std::sync::{Arc, Mutex, OnceLock};

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::{AuthError, SessionLimits, password, throttle::Throttle};
use crate::{
    audit::{Actor, Audit, Event},
    catalog::{Catalog, GroupRow, ProjectId, UserRole, UserRow},
    scope::Scope,
};

/// Most characters of a user's or group's name.
pub(super) const MAX_NAME_CHARS: usize = 64;

/// Accounts and sessions. Clones share everything. Its functions block: they hash and write.
#[derive(Clone)]
pub struct Users {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) catalog: Catalog,
    pub(super) audit: Audit,
    pub(super) limits: SessionLimits,
    pub(super) throttle: Throttle,
    /// One hash at a time: bounds memory to that of one hash, whatever comes in.
    pub(super) hashing: Mutex<()>,
    /// Compared against where there is no such account, so that this takes as long.
    pub(super) decoy: OnceLock<String>,
}

impl Users {
    /// Accounts of a catalog, changes recorded in `audit`, with the usual limits of sessions.
    pub fn new(catalog: Catalog, audit: Audit) -> Self {
        Users::with_limits(catalog, audit, SessionLimits::default())
    }

    /// Accounts of a catalog with these limits of sessions.
    pub fn with_limits(catalog: Catalog, audit: Audit, limits: SessionLimits) -> Self {
        let (throttle, hashing) = (Throttle::default(), Mutex::new(()));
        let inner = Inner { catalog, audit, limits, throttle, hashing, decoy: OnceLock::new() };
        Users { inner: Arc::new(inner) }
    }

    /// Makes an account. `role` is `reader`, `lead`, `auditor`, `custodian` or `admin`; groups that do not exist are made.
    ///
    /// # Errors
    /// The name is taken or malformed, the role unknown, the password too short, or the log or the
    /// catalog failed.
    pub fn create(
        &self,
        by: &Actor,
        name: &str,
        password: &str,
        role: &str,
        groups: &[String],
    ) -> Result<UserRow, AuthError> {
        let name = checked_name(name)?;
        let role = UserRole::parse(role).ok_or_else(|| AuthError::UnknownRole { role: role.to_owned() })?;
        for group in groups {
            checked_name(group)?;
        }
        let hash = password::hash(password)?;
        let key = name_key(name);
        let taken = || AuthError::NameTaken { name: name.to_owned() };
        if self.inner.catalog.user_by_key(&key)?.is_some() {
            return Err(taken());
        }
        self.record_change(by, name, None, Some(&state(role, groups, false)))?;
        let now = Timestamp::now().to_string();
        self.inner.catalog.add_user(name, &key, &hash, role, groups, &now)?.ok_or_else(taken)?;
        self.known(name)
    }

    /// The account of this name, whatever the case.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn find(&self, name: &str) -> Result<Option<UserRow>, AuthError> {
        Ok(self.inner.catalog.user_by_key(&name_key(name))?.map(|(user, _)| user))
    }

    fn known(&self, name: &str) -> Result<UserRow, AuthError> {
        self.find(name)?.ok_or_else(|| AuthError::UnknownUser { name: name.to_owned() })
    }

    /// Every account, by name.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn list(&self) -> Result<Vec<UserRow>, AuthError> {
        Ok(self.inner.catalog.users()?)
    }

    /// Sets a password and ends all sessions of the account.
    ///
    /// # Errors
    /// Unknown name, password too short, or the log or the catalog failed.
    pub fn set_password(&self, by: &Actor, name: &str, password: &str) -> Result<(), AuthError> {
        let user = self.known(name)?;
        let hash = password::hash(password)?;
        self.record_change(by, &user.name, Some("password"), Some("new password"))?;
        Ok(self.inner.catalog.set_user_password(user.id, &hash)?)
    }

    /// Gives an account another role and ends all its sessions.
    ///
    /// # Errors
    /// Unknown name or role, or the log or the catalog failed.
    pub fn set_role(&self, by: &Actor, name: &str, role: &str) -> Result<(), AuthError> {
        let role = UserRole::parse(role).ok_or_else(|| AuthError::UnknownRole { role: role.to_owned() })?;
        let user = self.known(name)?;
        let before = state(user.role, &user.groups, user.disabled);
        self.record_change(by, &user.name, Some(&before), Some(&state(role, &user.groups, user.disabled)))?;
        Ok(self.inner.catalog.set_user_role(user.id, role)?)
    }

    /// Replaces the groups of an account.
    ///
    /// # Errors
    /// Unknown or malformed name, or the log or the catalog failed.
    pub fn set_groups(&self, by: &Actor, name: &str, groups: &[String]) -> Result<(), AuthError> {
        for group in groups {
            checked_name(group)?;
        }
        let user = self.known(name)?;
        let before = state(user.role, &user.groups, user.disabled);
        self.record_change(by, &user.name, Some(&before), Some(&state(user.role, groups, user.disabled)))?;
        Ok(self.inner.catalog.set_user_groups(user.id, groups)?)
    }

    /// Puts an account into a group; the group is made where there is none.
    ///
    /// # Errors
    /// Unknown or malformed name, or the log or the catalog failed.
    pub fn join(&self, by: &Actor, name: &str, group: &str) -> Result<(), AuthError> {
        let mut groups = self.known(name)?.groups;
        if !groups.iter().any(|g| g == group) {
            groups.push(group.to_owned());
        }
        self.set_groups(by, name, &groups)
    }

    /// Takes an account out of a group.
    ///
    /// # Errors
    /// Unknown name, or the log or the catalog failed.
    pub fn leave(&self, by: &Actor, name: &str, group: &str) -> Result<(), AuthError> {
        let mut groups = self.known(name)?.groups;
        groups.retain(|g| g != group);
        self.set_groups(by, name, &groups)
    }

    /// Removes an account and ends its sessions. The log keeps what it did.
    ///
    /// # Errors
    /// Unknown name, or the log or the catalog failed.
    pub fn remove(&self, by: &Actor, name: &str) -> Result<(), AuthError> {
        let user = self.known(name)?;
        self.record_change(by, &user.name, Some(&state(user.role, &user.groups, user.disabled)), None)?;
        Ok(self.inner.catalog.remove_user(user.id)?)
    }

    /// Closes an account and ends its sessions, or opens it again.
    ///
    /// # Errors
    /// Unknown name, or the log or the catalog failed.
    pub fn set_disabled(&self, by: &Actor, name: &str, disabled: bool) -> Result<(), AuthError> {
        let user = self.known(name)?;
        let before = state(user.role, &user.groups, user.disabled);
        self.record_change(by, &user.name, Some(&before), Some(&state(user.role, &user.groups, disabled)))?;
        Ok(self.inner.catalog.set_user_disabled(user.id, disabled)?)
    }

    /// Remembers, in the log and for the account, that its owner has read a version of the instruction.
    ///
    /// # Errors
    /// The log or the catalog failed.
    pub fn acknowledge(&self, by: &Actor, user: &UserRow, version: &str) -> Result<(), AuthError> {
        self.inner.audit.record(by, Event::Acknowledgement { text: version.to_owned() })?;
        Ok(self.inner.catalog.set_user_acknowledged(user.id, version)?)
    }

    /// What an account may see now.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn scope_of(&self, user: &UserRow) -> Result<Scope, AuthError> {
        Ok(if user.disabled { Scope::none() } else { self.inner.catalog.user_scope(user)? })
    }

    /// Every group, by name.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn groups(&self) -> Result<Vec<GroupRow>, AuthError> {
        Ok(self.inner.catalog.groups()?)
    }

    /// Lets a group see a project; the group is made where there is none.
    ///
    /// # Errors
    /// Malformed name, or the log or the catalog failed.
    pub fn grant(&self, by: &Actor, project: ProjectId, group: &str) -> Result<(), AuthError> {
        self.set_grant(by, project, group, true)
    }

    /// Takes a project away from a group.
    ///
    /// # Errors
    /// Malformed name, or the log or the catalog failed.
    pub fn revoke(&self, by: &Actor, project: ProjectId, group: &str) -> Result<(), AuthError> {
        self.set_grant(by, project, group, false)
    }

    fn set_grant(&self, by: &Actor, project: ProjectId, group: &str, granted: bool) -> Result<(), AuthError> {
        let group = checked_name(group)?;
        let (with, without) = (format!("sees project {project}"), format!("does not see project {project}"));
        let (before, after) = if granted { (&without, &with) } else { (&with, &without) };
        self.record_change(by, &format!("group {group}"), Some(before), Some(after))?;
        Ok(self.inner.catalog.set_grant(group, project, granted)?)
    }

    fn record_change(
        &self,
        by: &Actor,
        subject: &str,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Result<(), AuthError> {
        let hash = |text: &str| hex::encode(Sha256::digest(text.as_bytes()));
        let event = Event::PermissionChange {
            subject: subject.to_owned(),
            before_sha256: before.map(hash),
            after_sha256: after.map(hash),
            approver: None,
        };
        self.inner.audit.record(by, event)?;
        Ok(())
    }
}

/// What an account may do, as one line that can be hashed.
fn state(role: UserRole, groups: &[String], disabled: bool) -> String {
    let mut sorted = groups.to_vec();
    sorted.sort();
    format!("role {} groups {sorted:?} disabled {disabled}", role.as_str())
}

/// A name as it is compared: composed, lower case, single spaces.
pub(super) fn name_key(name: &str) -> String {
    let folded: String = name.nfkc().take(4 * MAX_NAME_CHARS).flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn checked_name(name: &str) -> Result<&str, AuthError> {
    let name = name.trim();
    let chars = name.chars().count();
    if chars == 0 || chars > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(AuthError::BadName);
    }
    Ok(name)
}
