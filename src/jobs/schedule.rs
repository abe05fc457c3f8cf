//! When the next run is due: cron patterns in local time, over summer time and back.

use std::{cmp::Ordering, str::FromStr};

use croner::{
    CivilDate, CivilDateTime, CivilTime, Cron, CronDateTime, Resolution, Weekday, errors::CronError,
};
use jiff::{SignedDuration, ZonedDateTime, civil::DateTime, tz::AmbiguousOffset};

/// The first moment after `now` that the pattern names; `None` where it never comes or is no pattern.
/// A time that the clock leaves out in spring is made up for right after; one that it shows twice in
/// autumn counts once.
pub(super) fn next(pattern: &str, now: &ZonedDateTime) -> Option<ZonedDateTime> {
    let cron = Cron::from_str(pattern).ok()?;
    cron.find_next_occurrence(&Local(now.clone()), false).ok().map(|found| found.0)
}

/// A moment in its time zone, as croner wants to see it.
#[derive(Clone)]
struct Local(ZonedDateTime);

impl CronDateTime for Local {
    fn to_civil(&self) -> CivilDateTime {
        let t = self.0.datetime();
        let part = |n: i8| u32::from(n.unsigned_abs());
        CivilDateTime::new(
            CivilDate::from_parts_unchecked(i32::from(t.year()), part(t.month()), part(t.day())),
            CivilTime::from_parts_unchecked(part(t.hour()), part(t.minute()), part(t.second())),
        )
    }

    fn civil_weekday(&self) -> Weekday {
        Weekday::from_days_from_sunday(u32::from(self.0.weekday().to_sunday_zero_offset().unsigned_abs()))
    }

    fn resolve_civil(&self, civil: CivilDateTime) -> Result<Resolution<Self>, CronError> {
        let part = |n: u32| i8::try_from(n).map_err(|_| CronError::InvalidTime);
        let time = DateTime::new(
            i16::try_from(civil.year()).map_err(|_| CronError::InvalidDate)?,
            part(civil.month())?,
            part(civil.day())?,
            part(civil.hour())?,
            part(civil.minute())?,
            part(civil.second())?,
            0,
        )
        .map_err(|_| CronError::InvalidDate)?;
        let ambiguous = self.0.time_zone().to_ambiguous_zoned_datetime(time);
        let moment =
            |zoned: Result<ZonedDateTime, jiff::Error>| zoned.map(Local).map_err(|_| CronError::InvalidTime);
        Ok(match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { .. } => Resolution::Single(moment(ambiguous.unambiguous())?),
            AmbiguousOffset::Fold { .. } => {
                Resolution::Ambiguous(moment(ambiguous.clone().earlier())?, moment(ambiguous.later())?)
            }
            AmbiguousOffset::Gap { .. } => Resolution::Gap,
        })
    }

    fn checked_add_seconds(&self, seconds: i64) -> Option<Self> {
        self.0.checked_add(SignedDuration::from_secs(seconds)).ok().map(Local)
    }

    fn cmp_instant(&self, other: &Self) -> Ordering {
        self.0.timestamp().cmp(&other.0.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// Swiss time as a rule, so that the test needs no time zone files.
    fn swiss(time: &str) -> ZonedDateTime {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        time.parse::<DateTime>().unwrap().to_zoned_datetime(zone).unwrap()
    }

    fn after(pattern: &str, now: &str) -> String {
        next(pattern, &swiss(now)).unwrap().strftime("%Y-%m-%d %H:%M %z").to_string()
    }

    #[test]
    fn the_next_night_is_found() {
        assert_eq!(after("30 1 * * *", "2026-11-30T10:40"), "2026-12-01 01:30 +0100");
        assert_eq!(after("30 1 * * *", "2026-12-01T01:29"), "2026-12-01 01:30 +0100");
        assert_eq!(after("30 1 * * *", "2026-12-01T01:30"), "2026-12-02 01:30 +0100");
        // 2026-11-30 is a Monday.
        assert_eq!(after("0 22 * * 6", "2026-11-30T10:40"), "2026-12-05 22:00 +0100");
        assert_eq!(after("0 22 1 1 *", "2026-11-30T10:40"), "2027-01-01 22:00 +0100");
    }

    #[test]
    fn summer_time_loses_no_run_and_doubles_none() {
        // 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
        assert_eq!(after("30 2 * * *", "2026-03-28T12:00"), "2026-03-29 03:00 +0200");
        assert_eq!(after("30 2 * * *", "2026-10-24T12:00"), "2026-10-25 02:30 +0200");
        let first = next("30 2 * * *", &swiss("2026-10-24T12:00")).unwrap();
        let second = next("30 2 * * *", &first).unwrap();
        assert_eq!(second.strftime("%Y-%m-%d %H:%M").to_string(), "2026-10-26 02:30");
    }

    #[test]
    fn no_pattern_is_no_time() {
        assert_eq!(next("every night", &swiss("2026-11-30T10:40")), None);
        assert_eq!(next("0 0 31 2 *", &swiss("2026-11-30T10:40")), None);
    }
}
