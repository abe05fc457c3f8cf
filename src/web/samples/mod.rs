//! Every page with sample data, rendered without a server: what can be checked on the pages' text
//! itself is checked here in all languages.

mod duties;
mod tests;

use askama::Template;
use ingest::{ElementChange, ElementCounts, ElementRef, FieldChange, Language, ModelDiff};

use crate::catalog::{DocumentId, ModelChanges};

use super::{
    frame::Frame,
    i18n,
    marks::Piece,
    pages::{
        ask::{AnswerPiece, AnswerView, AskPage, Cite, PassageView, RowView, SourceView},
        document::{
            Block, Blocks, ChangesView, DocumentHead, ElementPage, ElementRow, ElementView, EnergyRow,
            EnergyView, Listing, ListingPage, ListingRow, ModelCell, Paging, PassagesPage, PdfPage, PdfView,
            PropertyRow, PropertyTable, ReadingNotes, RecordPage, RecordView, RectView, Reply, TextLine,
        },
        failure::FailurePage,
        holdings::{DoubtfulView, HoldingsPage, ProgressView, RejectedView, RunView},
        login::LoginPage,
        projects::ProjectChoice,
        report::ReportPage,
        search::{Chip, CountedView, HitView, Results, SearchPage},
    },
};

/// Name and HTML of every page.
pub(crate) fn pages(language: Language) -> Vec<(&'static str, String)> {
    let f = |here: &str| frame(language, here);
    vec![
        ("login", login(frame_of(language, "/login", None))),
        ("start", start(f("/"))),
        ("search", search(f("/?q=Aussenwand"))),
        ("search-empty", search_empty(f("/?q=Schwimmbad"))),
        ("ask", ask(f("/ask"), false)),
        ("ask-abstained", ask(f("/ask"), true)),
        ("pdf", pdf(f("/document/12?page=7"))),
        ("record", record(f("/document/31?record=RFI-0042"))),
        ("element", element(f("/document/40?element=x"))),
        ("listing", listing(f("/document/40"))),
        ("passages", passages(f("/document/50"))),
        ("holdings", holdings(f("/ingest"), true)),
        ("holdings-idle", holdings(f("/ingest"), false)),
        ("report", report(f("/report"))),
        ("history", duties::history(f("/history"))),
        ("usage", duties::usage(f("/usage"))),
        ("log", duties::log(f("/log"))),
        ("log-texts", duties::log_texts(f("/log/texts"))),
        ("notice", duties::notice(f("/notice"))),
        ("instruction", duties::instruction(f("/instruction"))),
        ("forms", duties::forms(f("/forms"))),
        ("incident", duties::incident(f("/incident"), false)),
        ("incident-case", duties::incident(f("/incident/case-3f2a91"), true)),
        ("failure", failure(f("/document/999"))),
    ]
}

fn frame(language: Language, here: &str) -> Frame {
    frame_of(language, here, Some("Anna Beispiel"))
}

fn frame_of(language: Language, here: &str, user: Option<&str>) -> Frame {
    Frame {
        language,
        t: i18n::texts(language),
        d: i18n::duties(language),
        nonce: "bm9uY2U".into(),
        form_token: "form-token".into(),
        user: user.map(str::to_owned),
        may_report: user.is_some(),
        may_see_usage: user.is_some(),
        may_see_log: user.is_some(),
        is_administrator: user.is_some(),
        here: here.into(),
        device: "CPU, 2 threads, AVX-512".into(),
        version: "0.1.0",
    }
}

fn plain(text: &str) -> Vec<Piece> {
    vec![Piece { text: text.into(), marked: false }]
}

/// `*` around what is marked.
fn marked(text: &str) -> Vec<Piece> {
    text.split('*').enumerate().map(|(i, t)| Piece { text: t.into(), marked: i % 2 == 1 }).collect()
}

fn projects() -> Vec<ProjectChoice> {
    ["Schulhaus Musterlingen", "Werkhof Beispielen"]
        .into_iter()
        .zip(1..)
        .map(|(name, id): (_, i32)| ProjectChoice { id: id.to_string(), name: name.into(), chosen: id == 1 })
        .collect()
}

fn login(f: Frame) -> String {
    let message = Some(f.t.login_failed.to_owned());
    LoginPage { f, name: "anna".into(), back: "/".into(), message }.render().unwrap()
}

fn search_page(f: Frame, q: &str, results: Option<Results>) -> String {
    let t = f.t;
    let chip = |(label, chosen)| Chip { href: "/?q=x".into(), label, chosen };
    let chips = [
        (t.kind_all, true),
        (t.kind_pdf, false),
        (t.kind_ifc, false),
        (t.kind_rfi, false),
        (t.kind_sheet, false),
        (t.kind_mail, false),
        (t.kind_text, false),
    ];
    SearchPage {
        q: q.into(),
        kind: String::new(),
        projects: projects(),
        chips: chips.into_iter().map(chip).collect(),
        ask_href: "/ask?q=x".into(),
        results,
        figures: vec![
            ("1’284".into(), t.holdings_documents),
            ("18’402".into(), t.holdings_pages),
            ("64’118".into(), t.holdings_elements),
            ("412".into(), t.holdings_records),
        ],
        notices: vec![t.one(t.search_kind_unknown, "dwg")],
        empty_start: None,
        f,
    }
    .render()
    .unwrap()
}

fn start(f: Frame) -> String {
    search_page(f, "", None)
}

fn search(f: Frame) -> String {
    let t = f.t;
    let hit = |kind, kind_label, place: &str, title: &str, section: &str, text: &str| HitView {
        href: "/document/12?page=7".into(),
        title: title.into(),
        kind,
        kind_label,
        project: "Schulhaus Musterlingen".into(),
        place: place.into(),
        section: section.into(),
        snippet: marked(text),
        folded: Vec::new(),
    };
    let page = |n: u32| t.one(t.place_page, n);
    let hits = vec![
        hit(
            "pdf",
            t.kind_pdf,
            &page(7),
            "Energienachweis SIA 380/1, Neubau Schulhaus",
            "4 Gebäudehülle › 4.2 Opake Bauteile",
            "Die *Aussenwand* AW1 erreicht mit 22 cm Mineralwolle einen *U-Wert* von 0.17 W/(m²·K) und hält den Einzelgrenzwert ein. Für die *Aussenwand* gegen Erdreich gilt …",
        ),
        hit(
            "ifc",
            t.kind_ifc,
            "Wand AW1-03 · 1. OG",
            "Modell Architektur, Stand Bauprojekt",
            "",
            "Pset_WallCommon: IsExternal true, ThermalTransmittance 0.17 W/(m²·K); *Aussenwand* hinterlüftet, Holz auf Backstein",
        ),
        hit(
            "rfi",
            t.kind_rfi,
            "RFI-0042",
            "RFI-Register Schulhaus Musterlingen <2026>",
            "",
            "Welcher *U-Wert* gilt für die *Aussenwand* der Turnhalle, nachdem die Dämmstärke auf 20 cm reduziert wurde?",
        ),
        hit(
            "mail",
            t.kind_mail,
            t.place_mail_body,
            "AW: Dämmstärke Fassade Nord",
            "",
            "… bestätigen wir, dass die *Aussenwand* Nord unverändert mit 22 cm ausgeführt wird. & Freundliche Grüsse",
        ),
    ];
    let cells = |all: [&str; 3]| all.map(str::to_owned).to_vec();
    let row = |all| RowView { href: "/document/40?element=x".into(), cells: cells(all) };
    let results = Results {
        counted: Some(CountedView {
            lines: vec!["Wände: 12".into()],
            understood: vec!["Wände".into(), "Haus A".into()],
            columns: cells(["Name", "Typ", "Geschoss"]),
            rows: vec![row(["AW-01 Nord", "AW-01 Holzelement", "Erdgeschoss"])],
            more: true,
        }),
        hits,
        first: 1,
        count: t.one(t.hits_many, 38),
        range: t.three(t.hits_range, 1, 20, 38),
        elapsed_ms: 42,
        previous: None,
        next: Some("/?q=x&page=2".into()),
        empty_title: "",
        empty_text: "",
    };
    search_page(f, "Aussenwand U-Wert", Some(results))
}

fn search_empty(f: Frame) -> String {
    let t = f.t;
    let results = Results {
        first: 1,
        empty_title: t.empty_found_title,
        empty_text: t.empty_found_text,
        ..Results::default()
    };
    search_page(f, "Schwimmbad", Some(results))
}

fn ask(f: Frame, abstained: bool) -> String {
    let t = f.t;
    let cite = |n, verified| AnswerPiece {
        text: String::new(),
        cite: Some(Cite { n, title: "Energienachweis".into(), verified }),
        doubt: false,
    };
    let text = |text: &str| AnswerPiece { text: text.into(), cite: None, doubt: false };
    let source = |n, place: &str, title: &str, quote: &str, verified| SourceView {
        n,
        href: "/document/12?page=7".into(),
        title: title.into(),
        place: place.into(),
        quote: quote.into(),
        verified,
    };
    let other = PassageView {
        href: "/document/12?page=9".into(),
        title: "Baubeschrieb nach BKP".into(),
        kind: "pdf",
        kind_label: t.kind_pdf,
        place: t.one(t.place_page, 9),
        text: marked(
            "221.1 Fassadenbekleidung: vertikale Holzschalung in Lärche, hinterlüftet, auf Lattung.",
        ),
    };
    let answer = if abstained {
        AnswerView {
            marking: "none",
            notice: t.notice_none,
            language: f.language.as_str(),
            paragraphs: vec![vec![text(t.empty_found_text)]],
            others: vec![other],
            by: t.one(t.answer_without_model, "CPU"),
            timing: t.two(t.answer_timing, 61, 61),
            ..AnswerView::default()
        }
    } else {
        AnswerView {
            id: "5f0c2a7e91d04b3688aa10f2c3d4e5f6".into(),
            marking: "model",
            notice: t.notice_model,
            language: "de",
            paragraphs: vec![vec![
                text("Für die Aussenwand AW1 gilt ein U-Wert von 0.17 W/(m²·K)"),
                cite(1, true),
                text(". Die Dämmung bleibt bei 22 cm Mineralwolle"),
                cite(2, false),
                text("."),
            ]],
            standing: Some("Wie viele Türen hat das 2. OG?".into()),
            understood: vec!["Türen".into(), "2. Obergeschoss".into()],
            columns: vec!["Name".into(), "Feuerwiderstand".into()],
            rows: vec![
                RowView {
                    href: "/document/40?element=x".into(),
                    cells: vec!["T-2.10".into(), "EI60".into()],
                },
                RowView { href: String::new(), cells: vec!["T-2.11".into(), "EI30".into()] },
            ],
            unverified: vec!["Die Dämmung bleibt bei 22 cm Mineralwolle.".into()],
            sources: vec![
                source(
                    1,
                    &t.one(t.place_page, 7),
                    "Energienachweis SIA 380/1, Neubau Schulhaus",
                    "Die Aussenwand AW1 erreicht mit 22 cm Mineralwolle einen U-Wert von 0.17 W/(m²·K).",
                    true,
                ),
                source(
                    2,
                    "RFI-0042",
                    "RFI-Register Schulhaus Musterlingen",
                    "Die Dämmstärke wird auf 20 cm reduziert.",
                    false,
                ),
            ],
            others: vec![other],
            by: t.two(t.answer_by, "SmolLM2 135M", "CPU, 2 threads"),
            timing: t.two(t.answer_timing, "1’240", "4’810"),
        }
    };
    AskPage {
        question: t.ask_placeholder.into(),
        before: String::new(),
        projects: projects(),
        answer: Some(answer),
        empty: None,
        instruction: Some(f.d.instruction_wanted),
        f,
    }
    .render()
    .unwrap()
}

fn energy(f: &Frame) -> EnergyView {
    let t = f.t;
    let cell = |value: &str, differs| ModelCell {
        value: value.into(),
        title: "Haus A: AW-01 Aussenwand".into(),
        href: "/document/40?element=x".into(),
        differs,
    };
    let row = |name: &str, value: &str, models: Vec<ModelCell>| ElementRow {
        name: name.into(),
        value: value.into(),
        limit: "0.17".into(),
        place: t.one(t.place_page, 2),
        href: "/document/12?page=2".into(),
        differs: models.iter().any(|m| m.differs),
        models,
    };
    EnergyView {
        summary: t.two(t.energy_summary_differs, 4, 1),
        open: true,
        rows: vec![EnergyRow {
            name: t.fact_area,
            subject: "Haus A".into(),
            value: "2’268 m²".into(),
            place: t.one(t.place_page, 1),
            href: "/document/12?page=1".into(),
        }],
        elements: vec![
            row("AW-01 Aussenwand", "0.15", vec![cell("0.15 (11 ×)", false), cell("0.19", true)]),
            row("DA-01 Flachdach", "0.10", vec![]),
        ],
        note: Some(t.energy_no_model),
    }
}

fn head(f: &Frame, kind: &'static str, kind_label: &'static str, title: &str) -> DocumentHead {
    DocumentHead {
        href: "/document/12".into(),
        title: title.into(),
        kind,
        kind_label,
        project: "Schulhaus Musterlingen".into(),
        facts: vec![
            (f.t.document_path.into(), "plans: 06 Energie/2026-03_Energienachweis.pdf".into()),
            (f.t.document_size.into(), "2.4 MB".into()),
        ],
        notice: None,
        downloadable: true,
        original: "/document/12/original".into(),
        attachments: vec![("/document/13".into(), "Beilage.pdf".into())],
        back: "/?q=Aussenwand".into(),
        energy: Some(energy(f)),
        changes: None,
        reading: Some(ReadingNotes {
            summary: f.t.one(f.t.reading_in_part, 1),
            notes: vec!["3 records cannot be read and were left out".into()],
            more: f.t.one(f.t.changes_more, 7),
        }),
    }
}

fn pdf(f: Frame) -> String {
    let mut d = head(&f, "pdf", f.t.kind_pdf, "Energienachweis SIA 380/1, Neubau Schulhaus");
    d.notice = Some(f.t.one(f.t.document_changed, "29.11.2026 02:14"));
    let p = PdfView {
        number: 7,
        count: 24,
        previous: Some("/document/12?page=6".into()),
        next: Some("/document/12?page=8".into()),
        image: "/document/12/page/7".into(),
        width: "595.3".into(),
        height: "841.9".into(),
        passage: vec![RectView::around([70.0, 200.0, 520.0, 240.0])],
        words: vec![
            RectView::around([72.0, 203.0, 130.0, 214.0]),
            RectView::around([300.0, 203.0, 345.0, 214.0]),
        ],
        quote: marked(
            "Die *Aussenwand* AW1 erreicht mit 22 cm Mineralwolle einen *U-Wert* von 0.17 W/(m²·K).",
        ),
        text: marked(
            "4.2 Opake Bauteile\nDie *Aussenwand* AW1 erreicht mit 22 cm Mineralwolle einen *U-Wert* von\n0.17 W/(m²·K).\n\nBauteil   U-Wert   Grenzwert\nAW1       0.17     0.17\nDA1       0.14     0.17",
        ),
        lines: TextLine::of(&ingest::Page {
            words: vec![ingest::Word {
                text: "Aussenwand".into(),
                rect: [72.0, 203.0, 130.0, 214.0],
                block: 0,
                line: 0,
            }],
            ..ingest::Page::default()
        }),
        ocr: None,
        doubtful: vec![("/document/12?page=9".into(), 9)],
        query: "Aussenwand U-Wert".into(),
        marked: f.t.one(f.t.page_marks_many, 2),
    };
    PdfPage { f, d, p }.render().unwrap()
}

fn record(f: Frame) -> String {
    let t = f.t;
    let d = head(&f, "rfi", t.kind_rfi, "RFI-Register Schulhaus Musterlingen");
    let r = RecordView {
        number: "RFI-0042".into(),
        revision: "B".into(),
        subject: "Dämmstärke Aussenwand Turnhalle".into(),
        status: "Offen".into(),
        state: "open".into(),
        facts: vec![
            (t.rfi_author, "Beispiel Bauphysik AG".into()),
            (t.rfi_assignee, "Muster Architektur".into()),
            (t.rfi_created, "12.03.2026".into()),
            (t.rfi_due, "26.03.2026".into()),
        ],
        question: marked("Welcher *U-Wert* gilt für die *Aussenwand* der Turnhalle?"),
        answers: vec![Reply {
            author: "Muster Architektur".into(),
            date: "20.03.2026".into(),
            official: true,
            text: plain("Es bleibt bei 0.17 W/(m²·K). Siehe Plan 2101-B."),
        }],
        elements: Vec::new(),
        references: vec![("/?q=2101-B".into(), "2101-B".into())],
        fields: vec![("Bemerkung".into(), "keine".into())],
        ..RecordView::default()
    };
    RecordPage { f, d, r }.render().unwrap()
}

fn element(f: Frame) -> String {
    let t = f.t;
    let d = head(&f, "ifc", t.kind_ifc, "Modell Architektur, Stand Bauprojekt");
    let row = |name: &str, value: &str, unit: &str, marked| PropertyRow {
        name: name.into(),
        value: value.into(),
        unit: unit.into(),
        marked,
    };
    let table = |title: &str, rows| PropertyTable { title: title.into(), rows, numbered: false };
    let e = ElementView {
        title: "T-1.03".into(),
        class_words: i18n::class_name("IfcDoor", f.language).into(),
        path: ["Schulhaus Musterlingen", "Haus A", "1. OG"].map(String::from).to_vec(),
        facts: vec![
            (t.ifc_class, "IfcDoor".into()),
            (t.ifc_type, "Rahmentür 90 × 210".into()),
            (t.ifc_storey, "1. OG".into()),
            ("GlobalId", "2O2Fr$t4X7Zf8NOew3FLOH".into()),
        ],
        tables: vec![
            table(
                t.ifc_dimensions,
                vec![row("OverallHeight", "2.1", "m", false), row("OverallWidth", "0.9", "m", false)],
            ),
            table(t.ifc_materials, vec![row("1", "Lärche 0.04 m", "", false)]),
            table(
                "Pset_DoorCommon",
                vec![
                    row("FireRating", "EI30", "", true),
                    row("IsExternal", "false", "", false),
                    row("ThermalTransmittance", "1.3", "W/(m²·K)", false),
                ],
            ),
        ],
        links: vec![(
            t.ifc_host,
            vec![("/document/31?element=1kTvXnbbzCWw8lcMd1dR4o".into(), "IW-103".into())],
        )],
        records: vec![("/document/31?record=RFI-0007".into(), "RFI-0007 · Schwelle T-1.03".into())],
    };
    ElementPage { f, d, e }.render().unwrap()
}

/// One element of each sort.
fn model_changes(f: &Frame) -> ChangesView {
    let element = |id: &str, name: &str| ElementRef {
        global_id: id.into(),
        class: "IfcDoor".into(),
        name: name.into(),
        storey: "1. OG".into(),
    };
    let field = |field: &str, before: &str, after: &str| FieldChange {
        field: field.into(),
        before: before.into(),
        after: after.into(),
    };
    let diff = ModelDiff {
        counts: ElementCounts { added: 3, removed: 1, changed: 1, unchanged: 1229 },
        added: vec![element("1hqIFTRjfV6AWq_bMtnZwI", "T-1.04")],
        removed: vec![element("0eA6m4fELI9QBIhP3wiLAp", "T-1.09")],
        changed: vec![ElementChange {
            element: element("3Ep4r0uuX5ywPYOUG2H2A4", "T-1.03"),
            fields: vec![field("Pset_DoorCommon.FireRating", "", "EI30"), field("storey", "EG", "1. OG")],
            more: 2,
        }],
    };
    let changes = ModelChanges { since: "2026-11-12T01:10:00Z".into(), diff };
    ChangesView::new(f, &changes, DocumentId(40))
}

fn listing(f: Frame) -> String {
    let t = f.t;
    let mut d = head(&f, "ifc", t.kind_ifc, "Modell Architektur, Stand Bauprojekt");
    d.changes = Some(model_changes(&f));
    let row = |name: &str| ListingRow {
        href: "/document/40?element=x".into(),
        cells: [name, "Tür", "Rahmentür 90 × 210", "1. OG"].map(String::from).to_vec(),
    };
    let l = Listing {
        title: t.ifc_elements,
        range: t.three(t.list_range, 1, 50, "1’234"),
        columns: vec![t.ifc_name, t.ifc_class, t.ifc_type, t.ifc_storey],
        rows: ["T-1.01", "T-1.02", "T-1.03"].map(row).into_iter().collect(),
        paging: Paging { previous: None, next: Some("/document/40?from=50".into()) },
    };
    ListingPage { f, d, l }.render().unwrap()
}

fn passages(f: Frame) -> String {
    let t = f.t;
    let d = head(&f, "sheet", t.kind_sheet, "Raumprogramm");
    let block = |n: u32, cited| Block {
        place: t.two(t.place_row, "Räume", n),
        text: marked("Raum: *Klassenzimmer* 1.12\nFläche: 72.5 m²\nBodenbelag: Linoleum"),
        cited,
    };
    let l = Blocks {
        range: t.three(t.list_range, 1, 3, 3),
        thread: Vec::new(),
        blocks: vec![block(2, false), block(3, true), block(4, false)],
        paging: Paging::default(),
    };
    PassagesPage { f, d, l }.render().unwrap()
}

fn holdings(f: Frame, running: bool) -> String {
    let t = f.t;
    let progress = ProgressView {
        done: 412,
        total: 1284,
        text: [t.three(t.run_progress, 412, "1’284", 2), t.two(t.run_passages, "1’120", "5’310")].join(" · "),
        remaining: t.one(t.run_remaining_min, 4),
        is_paused: false,
        path: t.one(t.run_path, "plans/06 Energie/2026-03_Energienachweis.pdf"),
    };
    let run = RunView {
        link: "/ingest/runs/12".into(),
        begin: "30.11.2026 02:00".into(),
        end: "30.11.2026 02:14".into(),
        by: "system".into(),
        numbers: ["3", "1", "0", "2", "1’198", "1"].map(String::from).to_vec(),
    };
    HoldingsPage {
        figures: vec![("1’284".into(), t.holdings_documents), ("412".into(), t.holdings_records)],
        progress: running.then_some(progress),
        started: false,
        next_run: t.one(t.run_next, "01.12.2026 02:00"),
        runs: vec![run],
        rejected: vec![RejectedView {
            path: "plans: 99 Alt/Vertrag.pdf".into(),
            short: t.reject_password,
            reason: "the file is protected by a password".into(),
        }],
        rejected_paging: Paging::default(),
        doubtful: vec![DoubtfulView {
            href: "/document/14?page=3".into(),
            title: "Aktennotiz Baustelle".into(),
            page: "3".into(),
            confidence: "61 %".into(),
        }],
        doubtful_text: t.one(t.doubtful_text, 75),
        doubtful_paging: Paging::default(),
        f,
    }
    .render()
    .unwrap()
}

fn report(f: Frame) -> String {
    let languages = Language::ALL.map(|l| (l.as_str(), i18n::native_name(l), l == f.language)).to_vec();
    ReportPage { from: "2026-10-01".into(), to: "2026-11-30".into(), languages, message: None, f }
        .render()
        .unwrap()
}

fn failure(f: Frame) -> String {
    let (heading, text) = (f.t.error_not_found, f.t.error_not_found_text);
    FailurePage { f, status: 404, heading, text, request: "8f3a12c07be4d951".into() }.render().unwrap()
}
