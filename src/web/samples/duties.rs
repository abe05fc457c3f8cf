//! The pages on duties.

use askama::Template;
use ingest::Language;

use crate::audit::{Form, Lang, Values, form_blocks};
use crate::web::{
    frame::Frame,
    i18n,
    pages::{
        forms::{FormView, FormsPage},
        history::{AskedView, HistoryPage},
        incident::{CaseView, FieldView, IncidentPage},
        instruction::InstructionPage,
        log::{AccessView, EventView, LogPage, TextView, TextsPage},
        notice::NoticePage,
        usage::{UsagePage, UsageView},
    },
};

pub(super) fn history(f: Frame) -> String {
    let asked = AskedView {
        at: "30.11.2026 10:40".into(),
        what: f.d.history_question,
        text: "Welcher U-Wert gilt für die Aussenwand <Haus B>?".into(),
        project: "Schulhaus Musterlingen".into(),
        answer: Some("Der U-Wert der Aussenwand beträgt 0.17 W/m²K [1].".into()),
        judged: vec![f.d.history_wrong, f.d.history_signed],
        correction: "Seit der Revision C sind es 0.15.".into(),
    };
    let search = AskedView {
        at: "30.11.2026 10:38".into(),
        what: f.d.history_search,
        text: "T-1.03".into(),
        ..AskedView::default()
    };
    HistoryPage {
        kept: f.t.one(f.d.history_kept, 90),
        unreadable: Some(f.t.one(f.d.history_unreadable, 1)),
        asked: vec![asked, search],
        is_asked: false,
        deletions: vec![
            f.t.two(f.d.history_delete_open, "case-3f2a91", "30.12.2026"),
            f.t.two(f.d.history_delete_closed, "case-17ab02", "unlesbar gemacht"),
        ],
        f,
    }
    .render()
    .unwrap()
}

pub(super) fn usage(f: Frame) -> String {
    let numbers = ["7", "1’204", "3’318", "611", "88", "12"].map(str::to_owned).to_vec();
    UsagePage {
        intro: f.t.one(f.d.usage_intro, 5),
        is_last: false,
        period: "01.10.2026 – 31.12.2026".into(),
        too_few: f.t.one(f.d.usage_too_few, 5),
        projects: vec![
            UsageView { name: "Schulhaus Musterlingen".into(), numbers: Some(numbers) },
            UsageView { name: "Werkhof Beispielen".into(), numbers: None },
        ],
        f,
    }
    .render()
    .unwrap()
}

fn event() -> EventView {
    EventView {
        seq: "1’204".into(),
        time: "30.11.2026 10:40".into(),
        kind: "question".into(),
        outcome: "ok".into(),
        role: "reader".into(),
        person: "5c0f9a1b".into(),
    }
}

pub(super) fn log(f: Frame) -> String {
    let access = |id: &str, state: String| AccessView {
        id: id.into(),
        auditor: "Rita Revisorin".into(),
        range: "2026-10-01..2026-11-30".into(),
        purpose: "Auskunftsbegehren case-3f2a91".into(),
        state,
        ..AccessView::default()
    };
    let pending =
        AccessView { decidable: true, endable: true, ..access("access-01", f.d.log_pending.to_owned()) };
    let open = AccessView {
        endable: true,
        href: Some("/log/texts?access=access-02".into()),
        ..access("access-02", f.t.one(f.d.log_open, "30.11.2026 18:40"))
    };
    LogPage {
        problem: Some(f.d.log_problem_same),
        is_auditor: true,
        accesses: vec![pending, open],
        from: "2026-11-30".into(),
        to: "2026-11-30".into(),
        kinds: vec![("question", true), ("answer", false)],
        shown: f.t.two(f.d.log_shown, 1, 1),
        events: vec![event()],
        f,
    }
    .render()
    .unwrap()
}

pub(super) fn log_texts(f: Frame) -> String {
    let read = TextView {
        event: event(),
        actor: Some("Anna Beispiel".into()),
        fields: vec![("text".into(), "Welcher U-Wert gilt?".into()), ("language".into(), "de".into())],
    };
    let gone = TextView { event: event(), ..TextView::default() };
    let shown = f.t.two(f.d.log_shown, 2, 2);
    TextsPage { access: "access-02".into(), shown, events: vec![read, gone], f }.render().unwrap()
}

fn lang(f: &Frame) -> Lang {
    match f.language {
        Language::De => Lang::De,
        Language::Fr => Lang::Fr,
        Language::It => Lang::It,
        Language::En => Lang::En,
    }
}

pub(super) fn notice(f: Frame) -> String {
    let mut values = Values::default();
    values.set("firm", "Muster Architekten AG");
    let text = |form| form_blocks(form, lang(&f), &values);
    let texts = vec![text(Form::NoticeStaff), text(Form::NoticeAi)];
    NoticePage { texts, f }.render().unwrap()
}

pub(super) fn instruction(f: Frame) -> String {
    let blocks = form_blocks(Form::Instruction, lang(&f), &Values::default());
    InstructionPage { blocks, done: None, f }.render().unwrap()
}

pub(super) fn forms(f: Frame) -> String {
    let form = |form: Form, state: String, is_stale| {
        let (title, basis) = form.head(lang(&f));
        FormView { name: form.code(), title, basis, state, is_stale }
    };
    FormsPage {
        forms: vec![
            form(Form::Record, f.t.one(f.d.forms_current, "30.11.2026"), false),
            form(Form::Regulations, f.t.one(f.d.forms_stale, "30.09.2026"), true),
            form(Form::Dpia, f.d.forms_never.to_owned(), false),
        ],
        triggers: vec!["source hr: «hr»".into()],
        languages: Language::ALL.map(|l| (l.as_str(), i18n::native_name(l), l == f.language)).to_vec(),
        f,
    }
    .render()
    .unwrap()
}

pub(super) fn incident(f: Frame, is_case: bool) -> String {
    let case = |is_open: bool| CaseView {
        id: "case-3f2a91".into(),
        subject: "Laptop im Zug liegen gelassen".into(),
        when: f.t.one(if is_open { f.d.incident_opened } else { f.d.incident_closed }, "30.11.2026"),
        timer: if is_open { f.t.one(f.d.incident_timer, 51) } else { String::new() },
        missing: is_open.then(|| f.t.one(f.d.incident_missing, "c, e")),
        is_open,
        result: if is_open { String::new() } else { "gefunden, verschlüsselt".into() },
    };
    let field = |name, label, required| FieldView { name, label, value: String::new(), required };
    IncidentPage {
        sent: (!is_case).then(|| f.t.one(f.d.incident_sent, "case-3f2a91")),
        fields: vec![field("nature", f.d.incident_a, true), field("measures", f.d.incident_f, false)],
        noticed: "2026-11-30T10:40".into(),
        high_risk: true,
        case: is_case.then(|| case(true)),
        is_editable: true,
        cases: if is_case { Vec::new() } else { vec![case(true), case(false)] },
        sees_cases: !is_case,
        f,
    }
    .render()
    .unwrap()
}
