/// What is measured of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Floor, side or face area, m².
    Area,
    /// Volume, m³.
    Volume,
    /// Height, m.
    Height,
    /// Width, m.
    Width,
    /// Length, m.
    Length,
    /// Thickness, m.
    Thickness,
    /// Perimeter, m.
    Perimeter,
    /// Thermal transmittance, W/(m²·K).
    UValue,
}

/// Units of length with their metres.
const LENGTHS: &[(&str, f64)] =
    &[("m", 1.0), ("mm", 0.001), ("cm", 0.01), ("dm", 0.1), ("km", 1000.0), ("ft", 0.3048), ("in", 0.0254)];
const AREAS: &[(&str, f64)] =
    &[("m2", 1.0), ("mm2", 1e-6), ("cm2", 1e-4), ("dm2", 0.01), ("ft2", 0.092_903_04), ("in2", 0.000_645_16)];
const VOLUMES: &[(&str, f64)] =
    &[("m3", 1.0), ("mm3", 1e-9), ("cm3", 1e-6), ("dm3", 0.001), ("l", 0.001), ("ft3", 0.028_316_846_592)];
const TRANSMITTANCES: &[(&str, f64)] = &[("W/(m2.K)", 1.0), ("W/m2K", 1.0), ("W/(m2K)", 1.0), ("", 1.0)];

impl Measure {
    /// Every measure.
    pub const ALL: [Measure; 8] = [
        Measure::Area,
        Measure::Volume,
        Measure::Height,
        Measure::Width,
        Measure::Length,
        Measure::Thickness,
        Measure::Perimeter,
        Measure::UValue,
    ];

    /// Its unit as people write it.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::Area => "m²",
            Measure::Volume => "m³",
            Measure::UValue => "W/(m²·K)",
            _ => "m",
        }
    }

    /// Where models state it, the first that is there counts: net before gross, the element's own before the
    /// overall dimensions.
    fn places(self) -> &'static [&'static str] {
        match self {
            Measure::Area => &[
                "quantities.NetFloorArea",
                "quantities.NetSideArea",
                "quantities.NetArea",
                "quantities.Area",
                "quantities.GrossFloorArea",
                "quantities.GrossSideArea",
                "quantities.GrossArea",
            ],
            Measure::Volume => &["quantities.NetVolume", "quantities.Volume", "quantities.GrossVolume"],
            Measure::Height => &[
                "quantities.Height",
                "quantities.FinishCeilingHeight",
                "dimensions.OverallHeight",
                "quantities.GrossHeight",
            ],
            Measure::Width => &["quantities.Width", "dimensions.OverallWidth"],
            Measure::Length => &["quantities.Length", "quantities.NetLength", "quantities.GrossLength"],
            Measure::Thickness => &["quantities.Thickness", "quantities.Width", "quantities.Depth"],
            Measure::Perimeter => {
                &["quantities.NetPerimeter", "quantities.Perimeter", "quantities.GrossPerimeter"]
            }
            Measure::UValue => &["compliance.ThermalTransmittance"],
        }
    }

    fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Measure::Area => AREAS,
            Measure::Volume => VOLUMES,
            Measure::UValue => TRANSMITTANCES,
            _ => LENGTHS,
        }
    }

    /// An SQL expression for its value in SI units; NULL where none is stated or its unit is not known.
    pub(super) fn sql(self) -> String {
        let places: Vec<String> = self.places().iter().map(|p| self.converted(p)).collect();
        format!("coalesce({}, NULL)", places.join(", "))
    }

    /// An SQL expression for the name under which the model states it.
    pub(super) fn source_sql(self) -> String {
        let named = |p: &&str| {
            let name = p.split('.').next_back().unwrap_or_default();
            format!("WHEN {} IS NOT NULL THEN '{name}'", self.converted(p))
        };
        let cases: Vec<String> = self.places().iter().map(named).collect();
        format!("CASE {} END", cases.join(" "))
    }

    fn converted(self, place: &str) -> String {
        let unit = |(unit, factor): &(&str, f64)| format!("WHEN '{unit}' THEN {factor:e}");
        let units: Vec<String> = self.units().iter().map(unit).collect();
        format!(
            "CAST(json_extract(e.body, '$.{place}.value') AS REAL) \
             * CASE json_extract(e.body, '$.{place}.unit') {} END",
            units.join(" ")
        )
    }
}

/// Bounds of a measure in SI units; both ends belong to it unless they are `open`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Range {
    /// Lower bound.
    pub from: Option<f64>,
    /// Upper bound.
    pub to: Option<f64>,
    /// The bounds themselves do not count: `larger than`, `smaller than`.
    pub open: bool,
}

impl Range {
    /// Whether a number lies within the bounds.
    pub fn holds(&self, value: f64) -> bool {
        let slack = value.abs() * 1e-9 + 1e-12;
        let above = self.from.is_none_or(|x| if self.open { value > x + slack } else { value >= x - slack });
        let below = self.to.is_none_or(|x| if self.open { value < x - slack } else { value <= x + slack });
        above && below
    }

    /// An SQL condition on an expression. Models hold numbers that went through binary fractions: a difference of a
    /// thousand-millionth is none.
    pub(super) fn sql(&self, expression: &str) -> String {
        let slack = |x: f64| x.abs() * 1e-9 + 1e-12;
        let lower = self.from.map(|x| match self.open {
            true => format!("{expression} > {:e}", x + slack(x)),
            false => format!("{expression} >= {:e}", x - slack(x)),
        });
        let upper = self.to.map(|x| match self.open {
            true => format!("{expression} < {:e}", x - slack(x)),
            false => format!("{expression} <= {:e}", x + slack(x)),
        });
        let both: Vec<String> = lower.into_iter().chain(upper).collect();
        if both.is_empty() { format!("{expression} IS NOT NULL") } else { both.join(" AND ") }
    }
}
