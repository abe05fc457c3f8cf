//! Chunks as rows of the vector table, and filters and hits the other way.

use std::sync::Arc;

use arrow_array::types::Float32Type;
use arrow_array::{FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::index::IndexChunk;
use crate::index::lexical::Filter;

pub(super) fn schema(dim: usize) -> SchemaRef {
    let item = Arc::new(Field::new("item", DataType::Float32, true));
    let width = i32::try_from(dim).unwrap_or(i32::MAX);
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("document", DataType::Int64, false),
        Field::new("acl", DataType::Int64, false),
        Field::new("project", DataType::Int64, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("vector", DataType::FixedSizeList(item, width), false),
    ]))
}

pub(super) fn width_of(schema: &Schema) -> Option<usize> {
    match schema.field_with_name("vector").ok()?.data_type() {
        DataType::FixedSizeList(_, width) => usize::try_from(*width).ok(),
        _ => None,
    }
}

pub(super) fn batch(rows: &[IndexChunk], dim: usize) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let numbers = |f: fn(&IndexChunk) -> i64| Arc::new(Int64Array::from_iter_values(rows.iter().map(f)));
    let vectors = rows.iter().map(|r| Some(r.vector.iter().map(|x| Some(*x)).collect::<Vec<_>>()));
    let width = i32::try_from(dim).unwrap_or(i32::MAX);
    RecordBatch::try_new(
        schema(dim),
        vec![
            numbers(|r| r.id.0),
            numbers(|r| r.document.0),
            numbers(|r| r.acl.0),
            numbers(|r| r.project.0),
            Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.kind.as_str()))),
            Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(vectors, width)),
        ],
    )
}

pub(super) fn condition(filter: &Filter) -> String {
    let mut parts = vec![in_list("acl", &filter.acls)];
    parts.extend(filter.kind.map(|k| format!("kind = '{}'", k.as_str())));
    parts.extend(filter.project.map(|p| format!("project = {p}")));
    parts.join(" AND ")
}

pub(super) fn in_list(column: &str, ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    format!("{column} IN ({})", ids.join(", "))
}

pub(super) fn column<'a, T: 'static>(batch: &'a RecordBatch, name: &str) -> Option<&'a T> {
    batch.column_by_name(name)?.as_any().downcast_ref::<T>()
}

/// Ids and cosine similarities of a search's rows.
pub(super) fn hits(batch: &RecordBatch) -> Vec<(i64, f32)> {
    let (Some(ids), Some(far)) =
        (column::<Int64Array>(batch, "id"), column::<Float32Array>(batch, "_distance"))
    else {
        return Vec::new();
    };
    ids.iter().zip(far.iter()).filter_map(|(id, d)| Some((id?, 1.0 - d?))).collect()
}
