//! What stands on the sheet: sections of rows, before anything is placed.

use jiff::tz::TimeZone;

use super::format::{day, fill, iso_day, moment, number, percent, plural};
use super::words::{Words, words};
use crate::report::{CatalogFacts, Figures, Lang, ModelFact};

/// A row: a label, a value, and the query behind it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) label: String,
    pub(super) value: String,
    /// Queries that recount the figure.
    pub(super) queries: &'static str,
    /// Most lines that it may take.
    pub(super) lines: usize,
    /// True for a figure (set to the right), false for text.
    pub(super) figure: bool,
}

/// A numbered section.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub(super) number: u8,
    pub(super) title: &'static str,
    pub(super) rows: Vec<Row>,
}

/// Models that have room on the page.
const MODELS_SHOWN: usize = 2;

/// Everything that is needed to say something on the sheet.
pub(super) struct Context<'a> {
    pub(super) figures: &'a Figures,
    pub(super) facts: &'a CatalogFacts,
    pub(super) lang: Lang,
    pub(super) words: &'static Words,
    pub(super) zone: TimeZone,
}

impl<'a> Context<'a> {
    pub(super) fn new(figures: &'a Figures, facts: &'a CatalogFacts, lang: Lang) -> Self {
        let named = facts.time_zone.as_deref().and_then(|name| TimeZone::get(name).ok());
        let zone = named.or_else(|| TimeZone::try_system().ok()).unwrap_or(TimeZone::UTC);
        Self { figures, facts, lang, words: words(lang), zone }
    }

    /// Period, first and last day.
    pub(super) fn period(&self) -> String {
        // The end is exclusive: the last day is the one before it.
        let (from, to) = (self.figures.from, self.last_moment());
        let (from, to) = (day(from, &self.zone, self.lang), day(to, &self.zone, self.lang));
        if from == to { from } else { format!("{from} – {to}") }
    }

    fn last_moment(&self) -> jiff::Timestamp {
        self.figures.to.checked_sub(jiff::SignedDuration::from_micros(1)).unwrap_or(self.figures.to)
    }

    /// The period as `audit list` takes it.
    pub(super) fn period_options(&self) -> String {
        let date = |t: jiff::Timestamp| t.to_zoned_datetime(self.zone.clone()).date();
        format!("--from {} --to {}", date(self.figures.from), date(self.last_moment()))
    }

    /// Identifier of the sheet: follows from period, time and root.
    pub(super) fn report_id(&self) -> String {
        let f = self.figures;
        let text = format!("{}\n{}\n{}\n{}", f.from, f.to, f.counted_at, f.integrity.root);
        let mut id = hex::encode_upper(crate::log::sha256(text.as_bytes()));
        id.truncate(12);
        id
    }

    pub(super) fn moment(&self) -> String {
        moment(self.figures.counted_at, &self.zone, self.lang)
    }

    fn text(&self, label: &str, value: Option<&str>, lines: usize) -> Row {
        let value = value.map(str::trim).filter(|v| !v.is_empty()).unwrap_or(self.words.not_stated);
        Row { label: label.into(), value: value.into(), queries: "", lines, figure: false }
    }

    fn list(&self, label: &str, values: &[String], lines: usize) -> Row {
        self.text(label, Some(&values.join(", ")), lines)
    }

    /// A list where an empty one means that there are none.
    fn stated(&self, label: &str, values: Option<&[String]>, lines: usize) -> Row {
        match values {
            Some([]) => self.text(label, Some(self.words.none), lines),
            Some(values) => self.list(label, values, lines),
            None => self.text(label, None, lines),
        }
    }

    fn figure(&self, label: &str, value: String, queries: &'static str) -> Row {
        Row { label: label.into(), value, queries, lines: 1, figure: true }
    }

    fn n(&self, n: u64) -> String {
        number(n, self.lang)
    }

    /// A number with its word.
    pub(super) fn counted(&self, n: u64, one: &str, many: &str) -> String {
        fill(plural(n, self.lang, one, many), &[&self.n(n)])
    }

    fn measured(&self, n: Option<u64>) -> String {
        n.map_or_else(|| self.words.not_measured.into(), |n| self.n(n))
    }

    fn count(&self, label: &str, query: &'static str) -> Row {
        self.figure(label, self.measured(self.figures.count(query)), query)
    }

    /// Numerator of denominator, with per cent.
    fn share(&self, label: &str, part: &str, whole: &str, queries: &'static str) -> Row {
        let value = match (self.figures.count(part), self.figures.count(whole)) {
            (Some(a), Some(b)) => {
                let of = fill(self.words.of, &[&self.n(a), &self.n(b)]);
                percent(a, b, self.lang).map_or(of.clone(), |p| format!("{of} ({p})"))
            }
            _ => self.words.not_measured.into(),
        };
        self.figure(label, value, queries)
    }

    /// Two counts beside each other.
    fn pair(&self, label: &str, first: &str, second: &str, queries: &'static str) -> Row {
        let (a, b) = (self.figures.count(first), self.figures.count(second));
        let value = match (a, b) {
            (None, None) => self.words.not_measured.into(),
            _ => format!("{} / {}", self.measured(a), self.measured(b)),
        };
        self.figure(label, value, queries)
    }

    /// Section 1, set across the head of the page.
    pub(super) fn head(&self) -> Section {
        let (w, f) = (self.words, self.facts);
        let rows = vec![
            self.text(w.firm, f.firm.as_deref(), 3),
            self.text(w.controller, f.controller.as_deref(), 1),
            self.text(w.contact, f.contact.as_deref(), 2),
            self.text(w.period, Some(&self.period()), 1),
            self.text(w.system, Some(&f.system), 1),
            self.text(w.counted, Some(&self.moment()), 1),
        ];
        Section { number: 1, title: w.s1, rows }
    }

    /// Sections 2 to 5: the left column.
    pub(super) fn left(&self) -> Vec<Section> {
        vec![self.purpose(), self.data(), self.models(), self.usage()]
    }

    /// Sections 6 to 9: the right column.
    pub(super) fn right(&self) -> Vec<Section> {
        vec![self.access(), self.network(), self.rights(), self.integrity()]
    }

    fn purpose(&self) -> Section {
        let (w, f) = (self.words, self.facts);
        let class = f.classification_reason.as_deref().map(|reason| fill(w.annex_iii_value, &[reason]));
        let date = f.reviewed_on.as_deref().map(|d| iso_day(d, self.lang));
        let reviewed: Vec<String> = f.reviewer.iter().cloned().chain(date).collect();
        let rows = vec![
            self.text(w.purpose, f.purpose.as_deref(), 4),
            self.text(w.role, Some(w.role_value), 2),
            self.text(w.annex_iii, class.as_deref(), 5),
            self.list(w.excluded, &f.excluded_uses, 4),
            self.list(w.reviewed, &reviewed, 1),
        ];
        Section { number: 2, title: w.s2, rows }
    }

    fn data(&self) -> Section {
        let (w, f) = (self.words, self.facts);
        let stock = match (f.documents, f.projects) {
            (Some(d), Some(p)) => {
                let documents = self.counted(d, w.documents_one, w.documents_many);
                let pattern = plural(p, self.lang, w.in_projects_one, w.in_projects_many);
                Some(fill(pattern, &[&documents, &self.n(p)]))
            }
            _ => None,
        };
        let rows = vec![
            self.list(w.categories, &f.data_categories, 3),
            self.list(w.persons, &f.person_categories, 2),
            self.text(w.place, f.storage_place.as_deref(), 2),
            self.list(w.recipients, &f.recipients, 2),
            self.stated(w.abroad, f.abroad.as_deref(), 2),
            self.text(w.retention, f.retention.as_deref(), 3),
            self.text(w.stock, stock.as_deref(), 1),
            self.count(w.ingested, "D1"),
            self.count(w.removed, "D2"),
        ];
        Section { number: 3, title: w.s3, rows }
    }

    fn models(&self) -> Section {
        let (w, models) = (self.words, &self.facts.models);
        let mut rows: Vec<Row> = models.iter().take(MODELS_SHOWN).map(|m| self.model(m)).collect();
        if models.is_empty() {
            rows.push(self.text(w.s4, Some(w.no_models), 2));
        } else if models.len() > MODELS_SHOWN {
            let more = (models.len() - MODELS_SHOWN) as u64;
            let more = self.counted(more, w.more_models_one, w.more_models_many);
            rows.push(self.text(w.s4, Some(&more), 1));
        }
        rows.push(self.count(w.model_changes, "M1"));
        Section { number: 4, title: w.s4, rows }
    }

    /// Models that found no room, in words.
    pub(super) fn hidden_models(&self) -> impl Iterator<Item = Row> {
        self.facts.models.iter().skip(MODELS_SHOWN).map(|m| self.model(m))
    }

    fn model(&self, m: &ModelFact) -> Row {
        let licence = if m.licence.is_empty() { self.words.no_licence } else { &m.licence };
        let sha: String = m.sha256.chars().take(16).collect();
        let parts = [m.id.as_str(), &m.quantisation, licence, &format!("SHA-256\u{a0}{sha}")];
        let parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
        let task = match m.task.as_str() {
            "answer" => self.words.task_answer,
            "embed" => self.words.task_embed,
            other => other,
        };
        self.text(task, Some(&parts.join(" · ")), 3)
    }

    fn usage(&self) -> Section {
        let w = self.words;
        // Fewer than five persons would be recognisable.
        let users = match self.figures.users {
            Some(1..=4) => w.below.into(),
            n => self.measured(n),
        };
        let rows = vec![
            self.figure(w.users, users, "U8"),
            self.count(w.questions, "U1"),
            self.count(w.searches, "U7"),
            self.share(w.verified, "U3", "U2", "U3/U2"),
            self.share(w.abstained, "U4", "U2", "U4/U2"),
            self.share(w.signed_off, "U5", "U2", "U5/U2"),
            self.share(w.negative, "U6", "U9", "U6/U9"),
        ];
        Section { number: 5, title: w.s5, rows }
    }

    fn access(&self) -> Section {
        let w = self.words;
        let rows = vec![
            self.count(w.logins, "A6"),
            self.count(w.failed_logins, "A1"),
            self.count(w.opened, "A5"),
            self.count(w.permissions, "A2"),
            self.count(w.exports, "A3"),
            self.count(w.log_reads, "A4"),
        ];
        Section { number: 6, title: w.s6, rows }
    }

    fn network(&self) -> Section {
        let (w, f) = (self.words, self.facts);
        let egress = f.egress_test.as_ref().map(|t| {
            let (refused, all) = (self.n(t.refused), self.n(t.attempts));
            let layers = if t.layers.is_empty() { w.none.to_owned() } else { t.layers.join(", ") };
            let pattern = plural(t.attempts, self.lang, w.egress_value_one, w.egress_value_many);
            fill(pattern, &[&iso_day(&t.date, self.lang), &refused, &all, &t.kernel, &layers])
        });
        let rows = vec![
            self.count(w.blocked, "N1"),
            self.text(w.egress, Some(egress.as_deref().unwrap_or(w.not_measured)), 3),
            self.stated(w.flows, f.permitted_flows.as_deref(), 2),
        ];
        Section { number: 7, title: w.s7, rows }
    }

    fn rights(&self) -> Section {
        let (w, f) = (self.words, self.facts);
        let closed = match (self.figures.count("R2"), self.figures.request_days) {
            (None, _) => w.not_measured.into(),
            (Some(n), Some(days)) => format!("{} / {days}", self.n(n)),
            (Some(n), None) => self.n(n),
        };
        let dpia = f.dpia_on.as_deref().map(|d| iso_day(d, self.lang));
        let rows = vec![
            self.count(w.requests, "R1"),
            self.figure(w.closed, closed, "R2"),
            self.figure(w.overdue, self.measured(f.overdue_requests), ""),
            self.pair(w.erasures, "R3", "R6", "R3 R6"),
            self.pair(w.incidents, "R4", "R5", "R4 R5"),
            self.figure(w.dpia, dpia.unwrap_or_else(|| w.not_stated.into()), ""),
        ];
        Section { number: 8, title: w.s8, rows }
    }

    fn integrity(&self) -> Section {
        let (w, i) = (self.words, &self.figures.integrity);
        let now = self.moment();
        let check = match i.problems {
            0 => fill(w.check_good, &[&now]),
            n => {
                let pattern = plural(n, self.lang, w.check_bad_one, w.check_bad_many);
                fill(pattern, &[&now, &self.n(n)])
            }
        };
        let date = |d: &Option<String>| d.as_deref().map_or(w.absent.to_owned(), |d| iso_day(d, self.lang));
        // The root in groups of eight, so that it can be compared by eye.
        let groups: Vec<&str> =
            (0..i.root.len()).step_by(8).filter_map(|at| i.root.get(at..at + 8)).collect();
        let size = plural(i.checkpoints, self.lang, w.size_value_one, w.size_value_many);
        let rows = vec![
            self.text(w.size, Some(&fill(size, &[&self.n(i.size), &self.n(i.checkpoints)])), 2),
            self.text(w.root, Some(&groups.join(" ")), 4),
            self.text(w.check, Some(&check), 2),
            Row { queries: "P1", ..self.text(w.gaps, Some(&self.n(i.gaps)), 1) },
            self.text(w.witness, Some(&date(&self.facts.last_witness)), 1),
            self.text(w.timestamp, Some(&date(&self.facts.last_timestamp)), 1),
        ];
        Section { number: 9, title: w.s9, rows }
    }
}
