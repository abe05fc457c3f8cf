//! Values as text, and the properties and quantities that hold them.

use super::step::{Record, StepModel, Value};
use super::text::tidy;
use super::units::Units;
use crate::model::{Property, Quantity};

/// Members of a list that are read.
const MEMBERS: usize = 1_000;
/// Nesting of lists within a value.
const DEEPEST: u32 = 4;

/// A number with nine digits that count, without the noise of binary fractions.
pub(super) fn real(value: f64) -> String {
    let rounded = format!("{value:.8e}").parse().unwrap_or(value);
    if rounded == 0.0 {
        return "0".into();
    }
    if (1e-5..1e15).contains(&f64::abs(rounded)) { rounded.to_string() } else { format!("{rounded:e}") }
}

/// Text of a value; lists are joined by commas. A reference has none.
pub(super) fn text<'a>(model: &StepModel<'a>, value: Value<'a>) -> String {
    nested(model, value, 0)
}

fn nested<'a>(model: &StepModel<'a>, value: Value<'a>, depth: u32) -> String {
    let value = value.bare();
    if let Some(literal) = value.literal() {
        return tidy(model.decoded(literal));
    }
    match value.name() {
        Some("T") => return "true".into(),
        Some("F") => return "false".into(),
        Some("U") => return "unknown".into(),
        Some(name) => return name.into(),
        None => {}
    }
    if let Some(number) = value.number() {
        let whole = value.0.iter().all(|b| b.is_ascii_digit() || *b == b'-');
        return if whole { String::from_utf8_lossy(value.0).into_owned() } else { real(number) };
    }
    match value.items() {
        Some(items) if depth < DEEPEST => {
            let texts = items.take(MEMBERS).map(|item| nested(model, item, depth + 1));
            texts.filter(|t| !t.is_empty()).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Symbol of a value's unit: the record's own, else the model's for the value's type.
fn unit<'a>(model: &StepModel<'a>, units: &mut Units<'a>, own: Option<u32>, value: Value<'a>) -> String {
    if let Some(id) = own {
        return units.of_record(model, id).to_string();
    }
    let typed = match value.items() {
        Some(mut items) => items.next().and_then(Value::typed),
        None => value.typed(),
    };
    typed.map(|(measure, _)| units.of_measure(measure).to_string()).unwrap_or_default()
}

/// The property that a record of any simple property class holds; `None` for one without a value.
pub(super) fn property<'a>(
    model: &StepModel<'a>,
    units: &mut Units<'a>,
    record: &Record<'a>,
) -> Option<Property> {
    let plain = |name: &str| record.get(name).map(|value| (value, text(model, value)));
    let mut own = record.reference("Unit");
    let (value, shown) = match record.class() {
        "IfcPropertySingleValue" => plain("NominalValue")?,
        "IfcPropertyEnumeratedValue" => plain("EnumerationValues")?,
        "IfcPropertyListValue" => plain("ListValues")?,
        "IfcPropertyBoundedValue" => bounded(model, record)?,
        "IfcPropertyTableValue" => {
            own = record.reference("DefinedUnit");
            table(model, record)?
        }
        _ => return None,
    };
    if shown.is_empty() {
        return None;
    }
    Some(Property { unit: unit(model, units, own, value), value: shown })
}

fn bounded<'a>(model: &StepModel<'a>, record: &Record<'a>) -> Option<(Value<'a>, String)> {
    let (lower, upper) = (record.get("LowerBoundValue"), record.get("UpperBoundValue"));
    let shown = match (lower, upper) {
        (Some(l), Some(u)) => format!("{} – {}", text(model, l), text(model, u)),
        (Some(l), None) => format!("≥ {}", text(model, l)),
        (None, Some(u)) => format!("≤ {}", text(model, u)),
        (None, None) => text(model, record.get("SetPointValue")?),
    };
    Some((lower.or(upper).or_else(|| record.get("SetPointValue"))?, shown))
}

fn table<'a>(model: &StepModel<'a>, record: &Record<'a>) -> Option<(Value<'a>, String)> {
    let (keys, values) = (record.get("DefiningValues")?, record.get("DefinedValues")?);
    let pairs = keys.items()?.zip(values.items()?).take(MEMBERS);
    let pairs: Vec<String> = pairs.map(|(k, v)| format!("{}: {}", text(model, k), text(model, v))).collect();
    Some((values, pairs.join(", ")))
}

/// The quantity that a record of any simple quantity class holds.
pub(super) fn quantity<'a>(
    model: &StepModel<'a>,
    units: &mut Units<'a>,
    record: &Record<'a>,
) -> Option<Quantity> {
    let (attribute, measure) = match record.class() {
        "IfcQuantityLength" => ("LengthValue", "IFCLENGTHMEASURE"),
        "IfcQuantityArea" => ("AreaValue", "IFCAREAMEASURE"),
        "IfcQuantityVolume" => ("VolumeValue", "IFCVOLUMEMEASURE"),
        "IfcQuantityWeight" => ("WeightValue", "IFCMASSMEASURE"),
        "IfcQuantityTime" => ("TimeValue", "IFCTIMEMEASURE"),
        "IfcQuantityCount" => ("CountValue", ""),
        "IfcQuantityNumber" => ("NumberValue", ""),
        _ => return None,
    };
    let value = record.number(attribute)?;
    let unit = match record.reference("Unit") {
        Some(id) => units.of_record(model, id),
        None => units.of_measure(measure),
    };
    Some(Quantity { value, unit: unit.to_string() })
}

#[cfg(test)]
mod tests {
    use super::real;

    #[test]
    fn numbers_are_short_and_keep_what_counts() {
        let cases = [
            (0.17, "0.17"),
            (1.1 + 2.2, "3.3"),
            (0.000_012_345_678, "0.000012345678"),
            (1_234_567.12, "1234567.12"),
            (-2.5e-9, "-2.5e-9"),
            (0.0, "0"),
        ];
        for (value, expected) in cases {
            assert_eq!(real(value), expected);
        }
    }
}
