//! What every PDF of this crate has in common: PDF/A-2b, tagged, A4.

use std::num::NonZeroU16;

use jiff::Timestamp;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::metadata::DateTime;
use krilla::page::PageSettings;
use krilla::tagging::{Node, Tag, TagGroup, TagKind};
use krilla::{Document, SerializeSettings};

use super::SheetError;

/// A4, points.
pub(crate) const PAGE: (f32, f32) = (595.28, 841.89);

/// A document without pages.
pub(crate) fn document() -> Result<Document, SheetError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_B)
        .finish()
        .map_err(|e| SheetError::Pdf(format!("{e:?}")))?;
    let settings = SerializeSettings { configuration, enable_tagging: true, ..SerializeSettings::default() };
    Ok(Document::new_with(settings))
}

/// An upright A4 page.
pub(crate) fn a4() -> Result<PageSettings, SheetError> {
    PageSettings::from_wh(PAGE.0, PAGE.1).ok_or_else(|| SheetError::Pdf("page size".into()))
}

/// A moment for the metadata, in UTC.
pub(crate) fn moment(at: Timestamp) -> DateTime {
    let t = at.to_zoned_datetime(jiff::tz::TimeZone::UTC);
    let small = |n: i8| u8::try_from(n).unwrap_or_default();
    DateTime::new(u16::try_from(t.year()).unwrap_or_default())
        .month(small(t.month()))
        .day(small(t.day()))
        .hour(small(t.hour()))
        .minute(small(t.minute()))
        .second(small(t.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

/// A heading of the tag tree.
pub(crate) fn heading(level: u16, title: &str, children: Vec<Node>) -> Node {
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    group(Tag::Hn(level, Some(title.to_owned())), children)
}

/// A node of the tag tree.
pub(crate) fn group(tag: impl Into<TagKind>, children: Vec<Node>) -> Node {
    TagGroup::with_children(tag, children).into()
}
