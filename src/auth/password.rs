//! Password hashing: argon2id, 19 MiB, two passes, one lane (the first choice of the OWASP guidance).

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use unicode_normalization::UnicodeNormalization;

use super::AuthError;

/// Fewest characters of a password. Length is asked for, no mixture of character classes.
pub const MIN_PASSWORD_CHARS: usize = 10;
/// Most characters of a password: bounds the work of hashing.
pub(super) const MAX_PASSWORD_CHARS: usize = 256;

/// A new hash as PHC string, with a random salt.
pub(super) fn hash(password: &str) -> Result<String, AuthError> {
    let chars = password.chars().count();
    if !(MIN_PASSWORD_CHARS..=MAX_PASSWORD_CHARS).contains(&chars) {
        return Err(AuthError::BadPassword);
    }
    hash_any(password)
}

/// A password to be shown once: four groups of four characters that cannot be mistaken for each other,
/// 78 random bits.
pub fn random_password() -> String {
    const LETTERS: &[u8; 30] = b"abcdefghjkmnpqrstvwxyz23456789";
    let mut password = String::with_capacity(19);
    for group in 0..4 {
        if group > 0 {
            password.push('-');
        }
        for _ in 0..4 {
            password.push(char::from(LETTERS[rand::random_range(0..LETTERS.len())]));
        }
    }
    password
}

/// Hashes a password whatever its length.
pub(super) fn hash_any(password: &str) -> Result<String, AuthError> {
    Argon2::default()
        .hash_password(normal(password).as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| AuthError::Hash { detail: error.to_string() })
}

/// Whether `password` gives `hash`. Always does the full work for a well-formed hash.
pub(super) fn matches(password: &str, hash: &str) -> bool {
    let cut: String = normal(password).chars().take(MAX_PASSWORD_CHARS + 1).collect();
    PasswordHash::new(hash)
        .is_ok_and(|parsed| Argon2::default().verify_password(cut.as_bytes(), &parsed).is_ok())
}

/// The same password typed on another keyboard may arrive decomposed.
fn normal(password: &str) -> String {
    password.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_argon2id_and_matches_its_password_only() {
        let hash = hash("Ziegel-Kalk-Holz").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(matches("Ziegel-Kalk-Holz", &hash));
        assert!(!matches("Ziegel-Kalk-Hols", &hash));
        assert!(!matches("Ziegel-Kalk-Holz", "no hash"));
    }

    /// Made with argon2-cffi (the reference implementation in C): 16 MiB, two passes, salt `dossier-salt`.
    const FOREIGN: &str =
        "$argon2id$v=19$m=16384,t=2,p=1$ZG9zc2llci1zYWx0$kxsg1k7ShocQH1xlb+6e/07KT/osRsWPNBnQGtfF8i0";

    #[test]
    fn hashes_of_other_programs_are_understood() {
        assert!(matches("Grundriss 1:50", FOREIGN));
        assert!(!matches("Grundriss 1:500", FOREIGN));
    }

    #[test]
    fn composed_and_decomposed_umlauts_are_the_same_password() {
        let hash = hash("Dämmstärke 22 cm").unwrap();
        assert!(matches("Da\u{308}mmsta\u{308}rke 22 cm", &hash));
    }

    #[test]
    fn random_passwords_are_accepted_and_differ() {
        let password = random_password();
        assert_eq!(password.len(), 19);
        assert!(hash(&password).is_ok());
        assert_ne!(password, random_password());
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(matches!(hash("neunneunn"), Err(AuthError::BadPassword)));
        assert!(matches!(hash(&"x".repeat(257)), Err(AuthError::BadPassword)));
    }
}
