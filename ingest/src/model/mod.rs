//! What a file becomes: a [`Document`] of pages, elements, records and parts, and its [`Chunk`]s.
//!
//! These types travel from the worker process to the rest of the product as JSON, so every one of
//! them is plain data. Boxes are in points (1/72 inch), origin at the top left of the crop box after
//! rotation; pages count from 1; dates are ISO 8601 strings.

mod chunk;
mod document;
mod element;
mod element_diff;
mod fact;
mod joined;
mod locator;
mod named;
mod page;
mod record;
mod register;

pub use chunk::{Chunk, Language};
pub use document::{
    Attachment, Bookmark, CellNote, Document, Kind, OCR_LANGUAGES, Rest, Section, Sheet, Warning,
};
pub use element::{Classification, Element, Group, History, Property, Quantity, SpatialNode};
pub use element_diff::{
    DiffLimits, ElementChange, ElementCounts, ElementRef, FieldChange, ModelComparison, ModelDiff,
    diff_elements,
};
pub use fact::{Fact, FactKind};
pub use joined::JoinedTable;
pub use locator::{Locator, TextUnit};
pub use named::Named;
pub use page::{Annotation, Field, Heading, Page, Rect, Span, Table, Word};
pub use record::{Answer, ElementLink, Party, Record, Viewpoint};
pub use register::{Column, RecordCounts, Register, RejectedRecord};
