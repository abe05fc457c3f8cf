use std::{net::IpAddr, sync::PoisonError, time::Duration};

use jiff::Timestamp;

use super::{
    AuthError, Token, Users, password,
    token::form_token,
    users::{MAX_NAME_CHARS, name_key},
};
use crate::{
    audit::{Actor, Event, LoginMethod, Role},
    catalog::{UserRole, UserRow},
    scope::Scope,
};

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

    /// True for those who see how much their projects are used.
    pub fn may_see_usage(&self) -> bool {
        matches!(self.user.role, UserRole::Lead | UserRole::Auditor | UserRole::Administrator)
    }

    /// True for those who look into the log, or decide who may.
    pub fn may_see_log(&self) -> bool {
        matches!(self.user.role, UserRole::Auditor | UserRole::Custodian)
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

impl Users {
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

    /// Acts as the person whose password it is, for one command: signs in and out again.
    ///
    /// # Errors
    /// As [`Users::sign_in`].
    pub fn in_person(&self, name: &str, password: &str) -> Result<Session, AuthError> {
        let signed_in = self.sign_in(name, password, None)?;
        let session = self.session(&signed_in.token)?.ok_or(AuthError::Refused)?;
        self.sign_out(&signed_in.token, &session)?;
        Ok(session)
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
}

/// The role under which an account acts in the log.
fn role(role: UserRole) -> Role {
    match role {
        UserRole::Reader => Role::Reader,
        UserRole::Lead => Role::ProjectLead,
        UserRole::Auditor => Role::Auditor,
        UserRole::Custodian => Role::KeyCustodian,
        UserRole::Administrator => Role::Administrator,
    }
}

fn session_id(token: &Token) -> String {
    hex::encode(&token.sha256()[..8])
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}
