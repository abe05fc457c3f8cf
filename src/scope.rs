//! What a reader may see, as a set of access-list ids.
//!
//! Every chunk, document, element and record carries the id of the access list it stands under. A
//! [`Scope`] names the lists that one reader is on. It is passed down to both search engines and to
//! the catalog, so that nothing outside it is ever read, counted or suggested.

use serde::{Deserialize, Serialize};

/// An access list: who is on it may see what carries its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AclId(pub i64);

/// The access lists that a reader is on. Empty means: sees nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    ids: Vec<AclId>,
}

impl Scope {
    /// The scope of somebody who may see nothing.
    pub fn none() -> Self {
        Scope::default()
    }

    /// A scope over these lists, in any order.
    pub fn of(ids: impl IntoIterator<Item = AclId>) -> Self {
        let mut ids: Vec<AclId> = ids.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        Scope { ids }
    }

    /// Whether what stands under `acl` may be seen.
    pub fn contains(&self, acl: AclId) -> bool {
        self.ids.binary_search(&acl).is_ok()
    }

    /// The lists, ascending.
    pub fn ids(&self) -> &[AclId] {
        &self.ids
    }

    /// True where nothing may be seen.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_sees_anything_by_default() {
        assert!(Scope::none().is_empty());
        assert!(!Scope::none().contains(AclId(0)));
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let a = Scope::of([AclId(7), AclId(2), AclId(7)]);
        assert_eq!(a, Scope::of([AclId(2), AclId(7)]));
        assert!(a.contains(AclId(7)) && !a.contains(AclId(3)));
    }
}
