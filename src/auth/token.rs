//! Session tokens and the form tokens that are bound to them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// A secret of 256 random bits, as its holder presents it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one.
    pub fn random() -> Token {
        Token(URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))
    }

    /// The token that a cookie carries; `None` where it cannot be one.
    pub fn parse(text: &str) -> Option<Token> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Token(text.to_owned()))
    }

    /// As it goes into the cookie.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the catalog keeps of it.
    pub(super) fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The token that forms of a session carry. It follows from the session's secret and does not give
/// it away, so that a page's source is worth nothing without the cookie.
pub fn form_token(token: &Token) -> String {
    let mut hash = Sha256::new();
    hash.update(b"dossier form token v1\0");
    hash.update(token.as_str().as_bytes());
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_256_bits_and_never_repeat() {
        let a = Token::random();
        assert_eq!(a.as_str().len(), 43);
        assert_ne!(a, Token::random());
        assert_eq!(Token::parse(a.as_str()), Some(a.clone()));
        assert_eq!(Token::parse("short"), None);
        assert_eq!(Token::parse(&"!".repeat(43)), None);
        assert!(!format!("{a:?}").contains(a.as_str()));
    }

    #[test]
    fn a_form_token_belongs_to_one_session() {
        let (a, b) = (Token::random(), Token::random());
        assert_eq!(form_token(&a), form_token(&a));
        assert_ne!(form_token(&a), form_token(&b));
        assert!(!form_token(&a).contains(a.as_str()));
    }
}
