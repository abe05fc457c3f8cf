//! Values and units as text.

use ifc_lite_core::{AttributeValue, ProjectUnits, resolve_unit_by_ref};

use super::model::{Record, StepModel, tidy};
use crate::model::{Property, Quantity};
use crate::text::number;

/// Plain-text symbol: `m2`, `W/(m2.K)`.
pub(super) fn symbol(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '²' => out.push('2'),
            '³' => out.push('3'),
            '·' | '⋅' => out.push('.'),
            '⁻' => out.push('-'),
            '¹' => out.push('1'),
            c => out.push(c),
        }
    }
    out
}

/// Text of a value; lists are joined by commas.
pub(super) fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::String(s) => tidy(s),
        AttributeValue::Integer(i) => i.to_string(),
        AttributeValue::Float(f) if f.is_finite() => number(*f),
        AttributeValue::Enum(e) => match e.as_str() {
            "T" => "true".into(),
            "F" => "false".into(),
            "U" => "unknown".into(),
            other => other.to_string(),
        },
        AttributeValue::Typed { value, .. } => text(value),
        AttributeValue::List(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        _ => String::new(),
    }
}

/// The unit of a typed value, unless the record names one of its own.
fn unit(model: &mut StepModel<'_>, units: &ProjectUnits, own: Option<u32>, value: &AttributeValue) -> String {
    if let Some((_, resolved, _)) = own.and_then(|id| resolve_unit_by_ref(model.decoder(), id)) {
        return symbol(&resolved.symbol);
    }
    let typed = match value {
        AttributeValue::List(items) => items.first(),
        other => Some(other),
    };
    match typed {
        Some(AttributeValue::Typed { name, .. }) => {
            units.unit_for_measure(name).map(|u| symbol(&u.symbol)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The property that a record of any property class holds; `None` for one without a value.
pub(super) fn property(model: &mut StepModel<'_>, units: &ProjectUnits, record: &Record) -> Option<Property> {
    let own = record.reference("Unit");
    let (value, shown) = match record.class() {
        "IfcPropertySingleValue" => {
            let value = record.get("NominalValue")?;
            (value, text(value))
        }
        "IfcPropertyEnumeratedValue" => {
            let value = record.get("EnumerationValues")?;
            (value, text(value))
        }
        "IfcPropertyListValue" => {
            let value = record.get("ListValues")?;
            (value, text(value))
        }
        "IfcPropertyBoundedValue" => {
            let (lower, upper) = (record.get("LowerBoundValue"), record.get("UpperBoundValue"));
            let shown = match (lower, upper) {
                (Some(l), Some(u)) => format!("{} – {}", text(l), text(u)),
                (Some(l), None) => format!("≥ {}", text(l)),
                (None, Some(u)) => format!("≤ {}", text(u)),
                (None, None) => text(record.get("SetPointValue")?),
            };
            (lower.or(upper).or_else(|| record.get("SetPointValue"))?, shown)
        }
        "IfcPropertyTableValue" => {
            let (keys, values) = (record.get("DefiningValues")?.as_list()?, record.get("DefinedValues")?);
            let pairs: Vec<String> = keys
                .iter()
                .zip(values.as_list()?)
                .map(|(k, v)| format!("{}: {}", text(k), text(v)))
                .collect();
            (values, pairs.join(", "))
        }
        _ => return None,
    };
    if shown.is_empty() {
        return None;
    }
    let unit = unit(model, units, own, value);
    Some(Property { value: shown, unit })
}

/// The quantity that a record of any simple quantity class holds.
pub(super) fn quantity(model: &mut StepModel<'_>, units: &ProjectUnits, record: &Record) -> Option<Quantity> {
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
    let own = record.reference("Unit").and_then(|id| resolve_unit_by_ref(model.decoder(), id));
    let unit = match own {
        Some((_, resolved, _)) => symbol(&resolved.symbol),
        None => units.unit_for_measure(measure).map(|u| symbol(&u.symbol)).unwrap_or_default(),
    };
    Some(Quantity { value, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_plain() {
        assert_eq!(symbol("W/(m²·K)"), "W/(m2.K)");
        assert_eq!(symbol("m³"), "m3");
    }
}
