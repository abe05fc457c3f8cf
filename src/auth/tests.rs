use std::time::Duration;

use super::{AuthError, SessionLimits, Token, Users};
use crate::{
    audit::{Actor, Audit},
    catalog::Catalog,
    scope::Scope,
};

const PASSWORD: &str = "Lehm und Stroh 4";

fn users() -> (Users, Catalog, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let audit = Audit::open(folder.path(), "test").unwrap();
    let catalog = Catalog::memory().unwrap();
    let limits = SessionLimits { idle: Duration::from_secs(600), absolute: Duration::from_secs(3600) };
    (Users::with_limits(catalog.clone(), audit, limits), catalog, folder)
}

fn reader(users: &Users, name: &str, groups: &[&str]) {
    let groups: Vec<String> = groups.iter().map(|g| (*g).to_owned()).collect();
    users.create(&Actor::cli(0), name, PASSWORD, "reader", &groups).unwrap();
}

#[test]
fn a_session_lives_until_it_is_idle_old_or_ended() {
    let (users, _catalog, _folder) = users();
    reader(&users, "Anna Beispiel", &[]);
    let start = 1_000_000;
    let token = users.sign_in_at("anna beispiel", PASSWORD, None, start).unwrap().token;
    for minute in [0, 9, 18, 27, 36, 45, 54] {
        assert!(users.session_at(&token, start + 60 * minute).unwrap().is_some(), "minute {minute}");
    }
    assert!(users.session_at(&token, start + 3600).unwrap().is_none(), "an hour is the end");

    let idle = users.sign_in_at("ANNA  beispiel", PASSWORD, None, start).unwrap().token;
    assert!(users.session_at(&idle, start + 600).unwrap().is_none());
    assert!(users.session_at(&idle, start + 1).unwrap().is_none(), "an ended session stays ended");

    let left = users.sign_in_at("Anna Beispiel", PASSWORD, None, start).unwrap().token;
    let session = users.session_at(&left, start).unwrap().unwrap();
    users.sign_out(&left, &session).unwrap();
    assert!(users.session_at(&left, start).unwrap().is_none());
    assert!(users.session_at(&Token::random(), start).unwrap().is_none());
}

#[test]
fn wrong_unknown_and_closed_look_the_same() {
    let (users, _catalog, _folder) = users();
    reader(&users, "anna", &[]);
    reader(&users, "beat", &[]);
    users.set_disabled(&Actor::cli(0), "beat", true).unwrap();
    for (name, password) in [("anna", "wrong password"), ("nobody", PASSWORD), ("beat", PASSWORD), ("", "")] {
        let refused = users.sign_in_at(name, password, None, 0);
        assert!(matches!(refused, Err(AuthError::Refused)), "{name}");
    }
}

#[test]
fn guessing_is_slowed_and_the_right_password_too() {
    let (users, _catalog, _folder) = users();
    reader(&users, "anna", &[]);
    for _ in 0..5 {
        assert!(matches!(users.sign_in_at("anna", "guess guess", None, 0), Err(AuthError::Refused)));
    }
    assert!(matches!(users.sign_in_at("anna", PASSWORD, None, 0), Err(AuthError::Throttled { seconds: 2 })));
    assert!(users.sign_in_at("anna", PASSWORD, None, 2).is_ok());
}

#[test]
fn a_group_gives_the_scope_and_a_change_works_at_once() {
    let (users, catalog, _folder) = users();
    let open = catalog.ensure_project("Schulhaus Musterlingen").unwrap();
    let other = catalog.ensure_project("Werkhof Beispielen").unwrap();
    reader(&users, "anna", &["planning"]);
    let token = users.sign_in_at("anna", PASSWORD, None, 0).unwrap().token;
    let scope = || users.session_at(&token, 0).unwrap().unwrap().scope;
    assert_eq!(scope(), Scope::none(), "a new project is nobody's");

    users.grant(&Actor::cli(0), open.id, "planning").unwrap();
    users.grant(&Actor::cli(0), open.id, "planning").unwrap();
    assert_eq!(scope(), Scope::of([open.acl]));
    users.leave(&Actor::cli(0), "anna", "planning").unwrap();
    assert_eq!(scope(), Scope::none());
    users.join(&Actor::cli(0), "anna", "planning").unwrap();
    assert_eq!(scope(), Scope::of([open.acl]));
    users.revoke(&Actor::cli(0), open.id, "planning").unwrap();
    assert_eq!(scope(), Scope::none());

    let boss = users.create(&Actor::cli(0), "boss", PASSWORD, "admin", &[]).unwrap();
    assert_eq!(users.scope_of(&boss).unwrap(), Scope::of([open.acl, other.acl]));
}

#[test]
fn a_new_password_or_a_closed_account_ends_sessions() {
    let (users, _catalog, _folder) = users();
    reader(&users, "anna", &[]);
    let first = users.sign_in_at("anna", PASSWORD, None, 0).unwrap().token;
    users.set_password(&Actor::cli(0), "anna", "Ein anderes Wort").unwrap();
    assert!(users.session_at(&first, 0).unwrap().is_none());
    assert!(users.sign_in_at("anna", PASSWORD, None, 0).is_err());
    let second = users.sign_in_at("anna", "Ein anderes Wort", None, 0).unwrap().token;
    users.set_disabled(&Actor::cli(0), "anna", true).unwrap();
    assert!(users.session_at(&second, 0).unwrap().is_none());
    reader(&users, "beat", &["planning"]);
    let third = users.sign_in_at("beat", PASSWORD, None, 0).unwrap().token;
    users.remove(&Actor::cli(0), "beat").unwrap();
    assert!(users.session_at(&third, 0).unwrap().is_none());
    assert_eq!(users.find("beat").unwrap(), None);
}

#[test]
fn names_are_checked_and_unique_whatever_the_case() {
    let (users, _catalog, _folder) = users();
    reader(&users, "Zoë Muster", &[]);
    let again = |name: &str| users.create(&Actor::cli(0), name, PASSWORD, "reader", &[]);
    assert!(matches!(again("zoe\u{308} MUSTER"), Err(AuthError::NameTaken { .. })));
    assert!(matches!(again("  "), Err(AuthError::BadName)));
    assert!(matches!(again("a\nb"), Err(AuthError::BadName)));
    assert!(matches!(again(&"x".repeat(65)), Err(AuthError::BadName)));
    assert!(matches!(users.join(&Actor::cli(0), "nobody", "x"), Err(AuthError::UnknownUser { .. })));
    let role = users.create(&Actor::cli(0), "beat", PASSWORD, "king", &[]);
    assert!(matches!(role, Err(AuthError::UnknownRole { .. })));
}

#[test]
fn another_role_holds_at_once_and_is_recorded() {
    let (users, _catalog, _folder) = users();
    reader(&users, "Anna Beispiel", &["planung"]);
    let token = users.sign_in_at("anna beispiel", PASSWORD, None, 1_000_000).unwrap().token;
    users.set_role(&Actor::cli(0), "anna beispiel", "custodian").unwrap();
    assert!(users.session_at(&token, 1_000_001).unwrap().is_none(), "sessions of the role before end");
    let anna = users.find("Anna Beispiel").unwrap().unwrap();
    assert_eq!((anna.role.as_str(), anna.groups), ("custodian", vec!["planung".to_owned()]));
    let wrong = users.set_role(&Actor::cli(0), "anna beispiel", "boss");
    assert!(matches!(wrong, Err(AuthError::UnknownRole { .. })));
}
