//! Classifications, groups and the owner history of objects, each record read once.

use std::collections::HashMap;

use super::relations::Relations;
use super::step::StepModel;
use crate::model::{Classification, Group, History};
use crate::text::label;

/// Steps from a code up to its system, and from a group to the groups that it is in.
const DEEPEST: usize = 8;

/// Groups of one object.
const GROUPS: usize = 100;

/// Reads associations and remembers them.
#[derive(Default)]
pub(super) struct Associations {
    classifications: HashMap<u32, Option<Classification>>,
    groups: HashMap<u32, Option<Group>>,
    histories: HashMap<u32, History>,
}

impl Associations {
    /// A classification reference with its system.
    pub(super) fn classification(&mut self, model: &StepModel<'_>, id: u32) -> Option<Classification> {
        self.classifications.entry(id).or_insert_with(|| classification(model, id)).clone()
    }

    /// The groups of an object, and the groups that those are in.
    pub(super) fn groups(&mut self, model: &StepModel<'_>, relations: &Relations, id: u32) -> Vec<Group> {
        let mut ids: Vec<u32> = relations.groups(id).iter().copied().take(GROUPS).collect();
        let mut at = 0;
        while let Some(next) = ids.get(at).copied().filter(|_| at < DEEPEST * DEEPEST) {
            for above in relations.groups(next) {
                if !ids.contains(above) && ids.len() < GROUPS {
                    ids.push(*above);
                }
            }
            at += 1;
        }
        ids.iter().filter_map(|id| self.group(model, *id)).collect()
    }

    fn group(&mut self, model: &StepModel<'_>, id: u32) -> Option<Group> {
        let read = || {
            let record = model.record(id)?;
            let long = record.text("LongName");
            let name = [record.text("Name"), long].into_iter().filter(|t| !t.is_empty());
            let mut name: Vec<String> = name.collect();
            name.dedup();
            let global_id = record.text("GlobalId");
            Some(Group {
                class: record.class().to_string(),
                name: label(&name.join(" ")),
                global_id: label(&global_id),
            })
        };
        self.groups.entry(id).or_insert_with(read).clone()
    }

    /// An owner history.
    pub(super) fn history(&mut self, model: &StepModel<'_>, id: u32) -> History {
        self.histories.entry(id).or_insert_with(|| history(model, id).unwrap_or_default()).clone()
    }
}

fn classification(model: &StepModel<'_>, id: u32) -> Option<Classification> {
    let record = model.record(id)?;
    if record.class() == "IfcClassification" {
        return Some(Classification { system: label(&record.text("Name")), ..Classification::default() });
    }
    let first =
        |names: [&str; 2]| names.iter().map(|n| record.text(n)).find(|t| !t.is_empty()).unwrap_or_default();
    let mut out = Classification {
        code: label(&first(["Identification", "ItemReference"])),
        name: label(&record.text("Name")),
        ..Default::default()
    };
    let mut source = record.reference("ReferencedSource");
    for _ in 0..DEEPEST {
        let Some(above) = source.and_then(|s| model.record(s)) else { break };
        if above.class() == "IfcClassification" {
            out.system = label(&above.text("Name"));
            break;
        }
        source = above.reference("ReferencedSource");
    }
    (!out.code.is_empty() || !out.name.is_empty()).then_some(out)
}

fn history(model: &StepModel<'_>, id: u32) -> Option<History> {
    let record = model.record(id)?;
    let follow = |from: Option<u32>| from.and_then(|id| model.record(id));
    let user = follow(record.reference("OwningUser"));
    let mut owner = Vec::new();
    if let Some(person) = user.as_ref().and_then(|u| follow(u.reference("ThePerson"))) {
        let names = [person.text("GivenName"), person.text("FamilyName")];
        owner.push(names.into_iter().filter(|n| !n.is_empty()).collect::<Vec<_>>().join(" "));
    }
    owner.extend(user.and_then(|u| follow(u.reference("TheOrganization"))).map(|o| o.text("Name")));
    owner.retain(|part| !part.is_empty());
    let application = follow(record.reference("OwningApplication"));
    let application = application.map(|a| {
        let (name, version) = (a.text("ApplicationFullName"), a.text("Version"));
        if name.contains(&version) { name } else { format!("{name} {version}").trim().to_string() }
    });
    let time = |name: &str| record.number(name).and_then(utc).unwrap_or_default();
    Some(History {
        owner: label(&owner.join(", ")),
        application: label(&application.unwrap_or_default()),
        created: time("CreationDate"),
        modified: time("LastModifiedDate"),
    })
}

/// Seconds since 1970 as ISO 8601; zero stands for "not known" in most programs' files.
pub(super) fn utc(seconds: f64) -> Option<String> {
    const LAST: f64 = 253_402_300_799.0; // 9999-12-31T23:59:59Z
    if !(1.0..=LAST).contains(&seconds) {
        return None;
    }
    let seconds = seconds as u64;
    let (mut day, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    Some(format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1))
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn seconds_are_dates() {
        // `date -u -d @SECONDS +%FT%TZ`
        let cases = [
            (1_143_659_950.0, "2006-03-29T19:19:10Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (4_107_542_399.0, "2100-02-28T23:59:59Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (1_767_225_599.0, "2025-12-31T23:59:59Z"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(utc(seconds).as_deref(), Some(expected));
        }
        assert_eq!((utc(0.0), utc(f64::NAN), utc(1e30)), (None, None, None));
    }
}
