//! Where on earth a model stands.

use super::step::{Record, StepModel};
use super::values::real;
use crate::model::{Element, SpatialNode};

/// Facts for the document's metadata: `crs`, `easting`, `northing`, `height`, `rotation`, `latitude`,
/// `longitude`. Lengths in the unit of the map, angles in degrees.
pub(super) fn facts(model: &StepModel<'_>, spatial: &[SpatialNode]) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let records: Vec<Record<'_>> = model.georeference.iter().filter_map(|id| model.record(*id)).collect();
    let of_class = |prefix: &str| records.iter().find(|r| r.class().starts_with(prefix));
    let crs = of_class("IfcProjectedCRS").or_else(|| of_class("IfcGeographicCRS"));
    if let Some(crs) = crs {
        out.push(("crs", crs.text("Name")));
    }
    let conversion = of_class("IfcMapConversion").or_else(|| of_class("IfcRigidOperation"));
    if let Some(conversion) = conversion {
        let number = |names: [&str; 2]| names.iter().find_map(|n| conversion.number(n));
        shift(&mut out, number(["Eastings", "FirstCoordinate"]), number(["Northings", "SecondCoordinate"]));
        out.extend(number(["OrthogonalHeight", "Height"]).map(|h| ("height", real(h))));
        let axis = (conversion.number("XAxisAbscissa"), conversion.number("XAxisOrdinate"));
        out.extend(rotation(axis));
    } else {
        of_property_sets(spatial, &mut out);
    }
    of_site(model, &mut out);
    out.retain(|(_, value)| !value.is_empty());
    out
}

fn shift(out: &mut Vec<(&'static str, String)>, easting: Option<f64>, northing: Option<f64>) {
    out.extend(easting.map(|e| ("easting", real(e))));
    out.extend(northing.map(|n| ("northing", real(n))));
}

/// Degrees from the map's east to the model's x axis, against the clock.
fn rotation(axis: (Option<f64>, Option<f64>)) -> Option<(&'static str, String)> {
    let (Some(x), Some(y)) = axis else { return None };
    Some(("rotation", real(y.atan2(x).to_degrees())))
}

/// IFC2x3 has no records for it; programs write these sets at the site or the project instead.
fn of_property_sets(spatial: &[SpatialNode], out: &mut Vec<(&'static str, String)>) {
    for (name, values) in spatial.iter().flat_map(|node| &node.properties) {
        let get = |property: &str| values.get(property).map(|p| p.value.clone()).unwrap_or_default();
        let number = |property: &str| get(property).parse::<f64>().ok();
        match name.to_ascii_lowercase().as_str() {
            "epset_projectedcrs" if !out.iter().any(|(key, _)| *key == "crs") => {
                out.push(("crs", get("Name")))
            }
            "epset_mapconversion" if !out.iter().any(|(key, _)| *key == "easting") => {
                shift(out, number("Eastings"), number("Northings"));
                out.extend(number("OrthogonalHeight").map(|h| ("height", real(h))));
                out.extend(rotation((number("XAxisAbscissa"), number("XAxisOrdinate"))));
            }
            _ => {}
        }
    }
}

/// Latitude and longitude of the first site that has them: degrees, minutes, seconds, millionths.
fn of_site(model: &StepModel<'_>, out: &mut Vec<(&'static str, String)>) {
    let angle = |record: &Record<'_>, name: &str| {
        let parts: Vec<f64> = record.get(name)?.items()?.filter_map(|v| v.number()).collect();
        if !(2..=4).contains(&parts.len()) {
            return None;
        }
        let steps = [1.0, 60.0, 3_600.0, 3_600_000_000.0];
        let sum: f64 = parts.iter().zip(steps).map(|(part, step)| part / step).sum();
        Some(real((sum * 1e7).round() / 1e7))
    };
    for id in &model.spatial {
        let Some(record) = model.record(*id).filter(|r| r.class() == "IfcSite") else { continue };
        if let (Some(latitude), Some(longitude)) =
            (angle(&record, "RefLatitude"), angle(&record, "RefLongitude"))
        {
            out.push(("latitude", latitude));
            out.push(("longitude", longitude));
            return;
        }
    }
}

/// Who made the model with what, where most elements agree: the owner history of the first that has one.
pub(super) fn history(elements: &[Element]) -> Vec<(&'static str, String)> {
    let Some(first) = elements.iter().map(|e| &e.history).find(|h| !h.owner.is_empty()) else {
        return Vec::new();
    };
    let last = elements.iter().map(|e| e.history.modified.as_str().max(e.history.created.as_str())).max();
    vec![("owner", first.owner.clone()), ("last_change", last.unwrap_or_default().to_string())]
}
