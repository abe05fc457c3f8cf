use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values by name, in the order of the names. Copies share their contents until one is changed: a large
/// model has a million values under a few hundred names, and thousands of elements with the sets of one type.
#[derive(Clone, PartialEq)]
pub struct Named<T>(Arc<Vec<(Arc<str>, T)>>);

impl<T> Named<T> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.place(name).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// True where the name has a value.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// The names, in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True where there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

impl<T: Clone> Named<T> {
    /// Sets the value of a name; what it had before is gone.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: T) {
        let name = name.into();
        let place = self.place(&name);
        let entries = Arc::make_mut(&mut self.0);
        match place {
            Ok(at) => {
                if let Some(entry) = entries.get_mut(at) {
                    entry.1 = value;
                }
            }
            Err(at) => entries.insert(at.min(entries.len()), (name, value)),
        }
    }

    /// Sets every value of `other`, except those in place already.
    pub fn fill(&mut self, other: &Named<T>) {
        if self.is_empty() {
            self.0 = Arc::clone(&other.0);
        } else if !other.is_empty() {
            // Of two with one name the last counts: the own one.
            let both = other.0.iter().chain(self.0.iter()).cloned();
            *self = both.collect();
        }
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(Arc::new(Vec::new()))
    }
}

impl<T: fmt::Debug> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T> Index<&str> for Named<T> {
    type Output = T;

    /// # Panics
    /// Where the name has no value.
    fn index(&self, name: &str) -> &T {
        match self.get(name) {
            Some(value) => value,
            None => panic!("nothing is named {name:?}"),
        }
    }
}

impl<N: Into<Arc<str>>, T> FromIterator<(N, T)> for Named<T> {
    /// Of values with one name the last counts.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        let mut entries: Vec<(Arc<str>, T)> = entries.into_iter().map(|(n, v)| (n.into(), v)).collect();
        entries.reverse();
        entries.sort_by(|a, b| a.0.cmp(&b.0)); // stable: the last of a name now comes first
        entries.dedup_by(|later, kept| later.0 == kept.0);
        entries.shrink_to_fit();
        Named(Arc::new(entries))
    }
}

impl<'a, T> IntoIterator for &'a Named<T> {
    type Item = (&'a str, &'a T);
    type IntoIter =
        std::iter::Map<std::slice::Iter<'a, (Arc<str>, T)>, fn(&'a (Arc<str>, T)) -> (&'a str, &'a T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut entries: Vec<(String, T)> = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(entries.into_iter().collect())
            }
        }
        deserializer.deserialize_map(Entries(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_the_last_value_counts() {
        let mut named: Named<u32> = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
        assert_eq!(named.iter().collect::<Vec<_>>(), [("a", &2), ("b", &3)]);
        named.insert("c", 4);
        named.insert("a", 5);
        assert_eq!((named["a"], named.get("c"), named.get("d")), (5, Some(&4), None));
    }

    #[test]
    fn a_copy_changes_alone_and_filling_keeps_what_is_there() {
        let shared: Named<u32> = [("a", 1), ("b", 2)].into_iter().collect();
        let mut own: Named<u32> = std::iter::once(("b", 9)).collect();
        own.fill(&shared);
        assert_eq!(own.iter().collect::<Vec<_>>(), [("a", &1), ("b", &9)]);
        let mut copy = shared.clone();
        copy.insert("a", 7);
        assert_eq!((shared["a"], copy["a"]), (1, 7));
    }

    #[test]
    fn json_is_a_plain_object() {
        let named: Named<u32> = [("b", 1), ("a", 2)].into_iter().collect();
        let json = serde_json::to_string(&named).unwrap();
        assert_eq!(json, r#"{"a":2,"b":1}"#);
        assert_eq!(serde_json::from_str::<Named<u32>>(r#"{"b":1,"a":2}"#).unwrap(), named);
    }
}
