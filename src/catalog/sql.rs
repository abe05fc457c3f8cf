//! Small helpers between Rust values and columns.

use rusqlite::{Row, types::Type};
use serde::{Serialize, de::DeserializeOwned};

use crate::scope::Scope;

/// The condition that a document `d` lies in the scope given as parameter `?1`.
pub(super) const IN_SCOPE: &str = "d.acl IN (SELECT value FROM json_each(?1))";

/// A scope as the JSON array that [`IN_SCOPE`] expects. The empty scope matches nothing.
pub(super) fn scope(scope: &Scope) -> String {
    ids(scope.ids().iter().map(|acl| acl.0))
}

/// Numbers as a JSON array for `json_each`.
pub(super) fn ids(ids: impl IntoIterator<Item = i64>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    format!("[{}]", ids.join(","))
}

/// A value as JSON text.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

/// A JSON column.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|e| unreadable(row, column, e))
}

/// A column of a closed set of words.
pub(super) fn word<T>(row: &Row<'_>, column: &str, parse: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| unreadable(row, column, format!("`{text}` is not known")))
}

/// A column of counts or sizes; the schema holds no negative ones.
pub(super) fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|n| u64::try_from(n).unwrap_or(0))
}

/// As [`count`], for what is counted in 32 bits.
pub(super) fn count32(row: &Row<'_>, column: &str) -> rusqlite::Result<u32> {
    row.get::<_, i64>(column).map(|n| u32::try_from(n).unwrap_or(0))
}

/// An unsigned number as SQLite keeps it; beyond 63 bits it is cut to the largest.
pub(super) fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The error for a column whose content this program did not write.
pub(super) fn unreadable(
    row: &Row<'_>,
    column: &str,
    cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or(0);
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, cause.into())
}

/// A LIKE pattern for "holds this text", with the text's own wildcards made plain.
pub(super) fn containing(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{plain}%")
}

/// Now, as the catalog writes moments: RFC 3339 in UTC, whole milliseconds.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Millisecond).unwrap_or(now).to_string()
}
