use std::{
    net::IpAddr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use ingest::Language;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::{AuthError, Token, password, throttle::Throttle, token::form_token};
use crate::{
    audit::{Actor, Audit, Event, LoginMethod, Role},
    catalog::{Catalog, GroupRow, ProjectId, UserRole, UserRow},
    scope::Scope,
};

/// Most characters of a user's or group's name.
const MAX_NAME_CHARS: usize = 64;
/// A session's use is written down at most this often, seconds.
const TOUCH_EVERY: i64 = 60;

/// How long sessions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// Ends a session that was not used for this long.
    pub idle: Duration,
    /// Ends every session after this long.
    pub absolute: Duration,
}

impl Default for SessionLimits {
    /// Two hours idle, twelve hours in all.
    fn default() -> Self {
        SessionLimits { idle: Duration::from_secs(2 * 3600), absolute: Duration::from_secs(12 * 3600) }
    }
}

/// A live session: who asks and what they may see now.
#[derive(Debug, Clone)]
pub struct Session {
    /// The account.
    pub user: UserRow,
    /// What it may see.
    pub scope: Scope,
    /// What forms of this session carry.
    pub form_token: String,
    /// Names the session in the log; worth nothing as a token.
    pub id: String,
}

impl Session {
    /// Who acts, for the log.
    pub fn actor(&self) -> Actor {
        Actor::user(self.user.name.clone(), role(self.user.role), Some(self.id.clone()))
    }

    /// True for those who run the appliance.
    pub fn is_administrator(&self) -> bool {
        self.user.role == UserRole::Administrator
    }

    /// True for those who may make reports.
    pub fn may_report(&self) -> bool {
        matches!(self.user.role, UserRole::Auditor | UserRole::Administrator)
    }
}

/// What a successful sign-in gives.
#[derive(Debug)]
pub struct SignedIn {
    /// For the cookie.
    pub token: Token,
    /// The account.
    pub user: UserRow,
}

/// Accounts and sessions. Clones share everything. Its functions block: they hash and write.
#[derive(Clone)]
pub struct Users {
    inner: Arc<Inner>,
}

struct Inner {
    catalog: Catalog,
    audit: Audit,
    limits: SessionLimits,
    throttle: Throttle,
    /// One hash at a time: bounds memory to that of one hash, whatever comes in.
    hashing: Mutex<()>,
    /// Compared against where there is no such account, so that this takes as long.
    decoy: OnceLock<String>,
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

    // ---- sessions

    /// Checks name and password and starts a session. Recorded either way.
    ///
    /// # Errors
    /// [`AuthError::Refused`], [`AuthError::Throttled`], or the log or the catalog failed.
    pub fn sign_in(&self, name: &str, password: &str, from: Option<IpAddr>) -> Result<SignedIn, AuthError> {
        self.sign_in_at(name, password, from, Timestamp::now().as_second())
    }

    pub(super) fn sign_in_at(
        &self,
        name: &str,
        password: &str,
        from: Option<IpAddr>,
        now: i64,
    ) -> Result<SignedIn, AuthError> {
        let key = name_key(name);
        if let Err(seconds) = self.inner.throttle.attempt(&key, from, now) {
            self.record_refusal(name, "throttled", from)?;
            return Err(AuthError::Throttled { seconds });
        }
        let found = self.inner.catalog.user_by_key(&key)?;
        let decoy = self.decoy()?;
        let hash = found.as_ref().map_or(decoy, |(_, hash)| hash.as_str());
        let matches = {
            let _one = self.inner.hashing.lock().unwrap_or_else(PoisonError::into_inner);
            password::matches(password, hash)
        };
        let (user, reason) = match found {
            None => (None, "unknown_name"),
            Some(_) if !matches => (None, "wrong_password"),
            Some((user, _)) if user.disabled => (None, "closed_account"),
            Some((user, _)) => (Some(user), ""),
        };
        let Some(user) = user else {
            self.record_refusal(name, reason, from)?;
            return Err(AuthError::Refused);
        };
        let token = Token::random();
        let actor = Actor::user(user.name.clone(), role(user.role), Some(session_id(&token)));
        self.inner.audit.record(&actor, Event::Login { method: LoginMethod::Password, ip: from })?;
        let oldest = now - seconds(self.inner.limits.absolute);
        self.inner.catalog.add_session(&token.sha256(), user.id, now, oldest)?;
        self.inner.throttle.succeeded(&key, from);
        Ok(SignedIn { token, user })
    }

    fn decoy(&self) -> Result<&str, AuthError> {
        if let Some(decoy) = self.inner.decoy.get() {
            return Ok(decoy);
        }
        let decoy = password::hash_any(Token::random().as_str())?;
        Ok(self.inner.decoy.get_or_init(|| decoy))
    }

    fn record_refusal(&self, name: &str, reason: &str, ip: Option<IpAddr>) -> Result<(), AuthError> {
        let attempted: String = name.chars().take(MAX_NAME_CHARS).collect();
        let event = Event::LoginFailed { attempted, reason: reason.to_owned(), ip };
        self.inner.audit.record(&Actor::anonymous(), event)?;
        Ok(())
    }

    /// The live session of a token, with the rights that hold now.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn session(&self, token: &Token) -> Result<Option<Session>, AuthError> {
        self.session_at(token, Timestamp::now().as_second())
    }

    pub(super) fn session_at(&self, token: &Token, now: i64) -> Result<Option<Session>, AuthError> {
        let hash = token.sha256();
        let Some(row) = self.inner.catalog.find_session(&hash)? else { return Ok(None) };
        let limits = self.inner.limits;
        if now - row.created_at >= seconds(limits.absolute) || now - row.seen_at >= seconds(limits.idle) {
            self.inner.catalog.end_session(&hash)?;
            return Ok(None);
        }
        if now - row.seen_at >= TOUCH_EVERY {
            self.inner.catalog.touch_session(&hash, now)?;
        }
        let (form_token, id) = (form_token(token), session_id(token));
        Ok(Some(Session { user: row.user, scope: row.scope, form_token, id }))
    }

    /// Ends a session and records it.
    ///
    /// # Errors
    /// The log or the catalog cannot be written. The session is ended even if the log fails.
    pub fn sign_out(&self, token: &Token, session: &Session) -> Result<(), AuthError> {
        self.inner.catalog.end_session(&token.sha256())?;
        self.inner.audit.record(&session.actor(), Event::Logout)?;
        Ok(())
    }

    /// How long a session lasts at most.
    pub fn limits(&self) -> SessionLimits {
        self.inner.limits
    }

    // ---- accounts

    /// Makes an account. `role` is `reader`, `auditor` or `admin`; groups that do not exist are made.
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

    /// Remembers the language that the owner of an account chose.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn set_language(&self, user: &UserRow, language: Language) -> Result<(), AuthError> {
        Ok(self.inner.catalog.set_user_language(user.id, language)?)
    }

    /// What an account may see now.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn scope_of(&self, user: &UserRow) -> Result<Scope, AuthError> {
        Ok(if user.disabled { Scope::none() } else { self.inner.catalog.user_scope(user)? })
    }

    // ---- groups

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

/// The role under which an account acts in the log.
fn role(role: UserRole) -> Role {
    match role {
        UserRole::Reader => Role::Reader,
        UserRole::Auditor => Role::Auditor,
        UserRole::Administrator => Role::Administrator,
    }
}

/// What an account may do, as one line that can be hashed.
fn state(role: UserRole, groups: &[String], disabled: bool) -> String {
    let mut sorted = groups.to_vec();
    sorted.sort();
    format!("role {} groups {sorted:?} disabled {disabled}", role.as_str())
}

fn session_id(token: &Token) -> String {
    hex::encode(&token.sha256()[..8])
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

/// A name as it is compared: composed, lower case, single spaces.
fn name_key(name: &str) -> String {
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
