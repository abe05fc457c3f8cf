//! The names that the list has for what words say.

use ingest::Kind;

use super::{CLASSES, Compare, Form, Key, Mark, Span, Thing};
use crate::catalog::{DateField, Measure, PersonField};

/// A mark by the name that the list gives it.
pub(super) fn mark(name: &str) -> Option<Mark> {
    let (sort, value) = name.split_once(':').unwrap_or((name, ""));
    let yes = value == "yes";
    Some(match sort {
        "form" => Mark::Form(form(value)?),
        "which" => Mark::Which,
        "thing" => Mark::Thing(thing(value)?),
        "state" => Mark::State(["open", "closed", "void"].into_iter().find(|s| *s == value)?),
        "answered" => Mark::Answered(yes),
        "official" => Mark::Official(yes),
        "overdue" => Mark::Overdue,
        "person" => Mark::Person(match value {
            "next" => PersonField::Next,
            "author" => PersonField::Author,
            _ => PersonField::Assignee,
        }),
        "about" => Mark::About,
        "elements" => Mark::Elements,
        "bearing" => Mark::Bearing(yes),
        "external" => Mark::External(yes),
        "firemark" => Mark::FireWord,
        "fire" => Mark::AnyFire,
        "sound" => Mark::Sound,
        "revision" => Mark::Revision,
        "latest" => Mark::Latest,
        "attr" => Mark::Attr(measure(value)?),
        "cmp" => Mark::Compare(compare(value)?),
        "ormore" => Mark::OrMore(true),
        "orless" => Mark::OrMore(false),
        "by" => Mark::By,
        "key" => Mark::Key(key(value)?),
        "date" => Mark::Date(date(value)?),
        "since" => Mark::Since,
        "until" => Mark::Until,
        "span" => Mark::Span(span(value)?),
        "month" => Mark::Month(value.parse().ok()?),
        "not" => Mark::Not,
        "filler" => Mark::Filler,
        _ => return None,
    })
}

fn form(name: &str) -> Option<Form> {
    Some(match name {
        "count" => Form::Count,
        "list" => Form::List,
        "sum" => Form::Sum,
        "mean" => Form::Mean,
        "max" => Form::Max,
        "min" => Form::Min,
        _ => return None,
    })
}

fn thing(name: &str) -> Option<Thing> {
    Some(match name {
        "record" => Thing::Record,
        "document" => Thing::Document(None),
        "pdf" => Thing::Document(Some(Kind::Pdf)),
        "plan" => Thing::Plan,
        "model" => Thing::Document(Some(Kind::Ifc)),
        "mail" => Thing::Document(Some(Kind::Mail)),
        "sheet" => Thing::Document(Some(Kind::Sheet)),
        "image" => Thing::Document(Some(Kind::Image)),
        "project" => Thing::Project,
        "storey" => Thing::Storey,
        "building" => Thing::Building,
        "material" => Thing::Material,
        "type" => Thing::Type,
        class => Thing::Element(CLASSES.iter().position(|(name, ..)| *name == class)?),
    })
}

fn measure(name: &str) -> Option<Measure> {
    Some(match name {
        "area" => Measure::Area,
        "volume" => Measure::Volume,
        "height" => Measure::Height,
        "width" => Measure::Width,
        "length" => Measure::Length,
        "thickness" => Measure::Thickness,
        "perimeter" => Measure::Perimeter,
        "uvalue" => Measure::UValue,
        _ => return None,
    })
}

fn compare(name: &str) -> Option<Compare> {
    Some(match name {
        "gt" => Compare::Above,
        "lt" => Compare::Below,
        "ge" => Compare::AtLeast,
        "le" => Compare::AtMost,
        "eq" => Compare::Equal,
        "between" => Compare::Between,
        _ => return None,
    })
}

fn key(name: &str) -> Option<Key> {
    Some(match name {
        "state" => Key::State,
        "discipline" => Key::Discipline,
        "priority" => Key::Priority,
        "document" => Key::Document,
        "month" => Key::Month,
        "class" => Key::Class,
        "kind" => Key::Kind,
        _ => return None,
    })
}

fn date(name: &str) -> Option<DateField> {
    Some(match name {
        "created" => DateField::Created,
        "due" => DateField::Due,
        _ => return None,
    })
}

fn span(name: &str) -> Option<Span> {
    Some(match name {
        "this-week" => Span::ThisWeek,
        "last-week" => Span::LastWeek,
        "this-month" => Span::ThisMonth,
        "last-month" => Span::LastMonth,
        "this-year" => Span::ThisYear,
        "last-year" => Span::LastYear,
        _ => return None,
    })
}
