use ingest::{
    Chunk, Document, Element, ElementLink, Fact, FactKind, Kind, Language, Locator, Page, Record, Word,
};

use super::*;
use crate::scope::{AclId, Scope};

struct Fixture {
    catalog: Catalog,
    project: Project,
}

impl Fixture {
    fn new() -> Self {
        let catalog = Catalog::memory().unwrap();
        let project = catalog.ensure_project("Schulhaus").unwrap();
        Fixture { catalog, project }
    }

    fn all(&self) -> Scope {
        self.catalog.all_scope().unwrap()
    }

    fn stage(&self, path: &str, text: &str) -> Staged {
        self.stage_in(&self.project, path, text, None)
    }

    fn stage_in(&self, project: &Project, path: &str, text: &str, parent: Option<DocumentId>) -> Staged {
        self.catalog
            .stage(&NewVersion {
                source: "server",
                path,
                project: project.id,
                acl: project.acl,
                parent,
                version: &format!("{text}-r1"),
                embedder: None,
                sha256: text,
                stamp: FileStamp { size: 3, mtime_ns: 7, ctime_ns: 8, inode: u64::MAX },
                document: &document(text),
                changes: None,
                chunks: &[chunk(0, text), chunk(1, text)],
            })
            .unwrap()
    }

    fn live(&self, path: &str, text: &str) -> Staged {
        let staged = self.stage(path, text);
        self.catalog.commit(&staged).unwrap();
        staged
    }

    fn text_of(&self, id: DocumentId) -> Vec<String> {
        self.catalog.chunks_of(&self.all(), id).unwrap().into_iter().map(|c| c.text).collect()
    }

    fn rows(&self, table: &str) -> i64 {
        let query = format!("SELECT count(*) FROM {table}");
        self.catalog.read(|c| c.query_row(&query, [], |row| row.get(0))).unwrap()
    }
}

fn document(text: &str) -> Document {
    let mut document = Document::new(Kind::Pdf, "Plan");
    document.metadata.insert("author".into(), text.into());
    document.pages = vec![Page {
        number: 1,
        width_pt: 595.0,
        height_pt: 842.0,
        text: text.into(),
        words: vec![Word { text: text.into(), rect: [1.0, 2.0, 3.5, 4.25], block: 0, line: 0 }],
        ..Page::default()
    }];
    document.elements =
        vec![Element { global_id: "0door".into(), name: "T-1.03".into(), ..Element::default() }];
    document.records = vec![Record {
        number: "RFI-0042".into(),
        elements: vec![ElementLink { global_id: "0door".into(), ..ElementLink::default() }],
        ..Record::default()
    }];
    document
}

fn chunk(ordinal: u32, text: &str) -> Chunk {
    Chunk {
        ordinal,
        kind: Kind::Pdf,
        locator: Locator::Pdf { page: 1, boxes: vec![[1.0, 2.0, 3.0, 4.0]] },
        section: vec!["Wände".into()],
        text: text.into(),
        language: Some(Language::De),
    }
}

#[test]
fn a_staged_version_is_seen_only_after_its_commit() {
    let f = Fixture::new();
    let first = f.stage("a.pdf", "alt");
    assert_eq!(f.catalog.document(&f.all(), first.document).unwrap(), None);
    assert_eq!(f.catalog.live_chunks(&f.all(), &first.chunks).unwrap(), []);
    assert_eq!(f.catalog.counts(&f.all()).unwrap().documents, 0);
    assert_eq!(f.catalog.commit(&first).unwrap(), []);
    assert_eq!(f.text_of(first.document), ["alt", "alt"]);

    let second = f.stage("a.pdf", "neu");
    assert_eq!(second.document, first.document);
    assert_eq!(f.text_of(first.document), ["alt", "alt"]);
    assert_eq!(f.catalog.page(&f.all(), first.document, 1).unwrap().unwrap().text, "alt");
    assert_eq!(f.catalog.commit(&second).unwrap(), first.chunks);
    assert_eq!(f.text_of(first.document), ["neu", "neu"]);
    assert_eq!(
        f.catalog.page(&f.all(), first.document, 1).unwrap().unwrap().words[0].rect,
        [1.0, 2.0, 3.5, 4.25]
    );
    assert_eq!(f.catalog.live_chunks(&f.all(), &first.chunks).unwrap(), []);

    f.catalog.purge(&first.chunks).unwrap();
    for (table, rows) in [("generations", 1), ("chunks", 2), ("pages", 1), ("elements", 1), ("records", 1)] {
        assert_eq!(f.rows(table), rows, "{table}");
    }
}

#[test]
fn a_stale_generation_cannot_commit() {
    let f = Fixture::new();
    f.live("a.pdf", "alt");
    let late = f.stage("a.pdf", "spät");
    let early = f.stage("a.pdf", "früh");
    f.catalog.commit(&early).unwrap();
    assert!(matches!(f.catalog.commit(&late), Err(CatalogError::Stale { .. })));
    assert_eq!(f.text_of(early.document), ["früh", "früh"]);
    assert!(matches!(f.catalog.commit(&early), Err(CatalogError::Stale { .. })), "committed twice");
}

#[test]
fn a_removed_document_is_not_raised_from_the_dead() {
    let f = Fixture::new();
    let live = f.live("a.pdf", "alt");
    let late = f.stage("a.pdf", "spät");
    let removed = f.catalog.remove(live.document).unwrap();
    assert_eq!(removed[0].chunks, [live.chunks.clone(), late.chunks.clone()].concat());
    assert_eq!(removed[0].version, "alt-r1");
    assert!(matches!(f.catalog.commit(&late), Err(CatalogError::Stale { .. })));
    assert_eq!(f.catalog.document(&f.all(), live.document).unwrap(), None);

    let again = f.live("a.pdf", "neu");
    assert_ne!(again.document, live.document, "an id is never used twice");
    f.catalog.purge(&removed[0].chunks).unwrap();
    assert_eq!((f.rows("documents"), f.rows("generations"), f.rows("chunks")), (1, 1, 2));
    assert_eq!(f.text_of(again.document), ["neu", "neu"]);
}

#[test]
fn one_stale_generation_stops_the_whole_commit() {
    let f = Fixture::new();
    let (a, b) = (f.stage("a.pdf", "a"), f.stage("b.pdf", "b"));
    f.catalog.abandon(&b).unwrap();
    assert!(f.catalog.commit_all(&[a.clone(), b], &[]).is_err());
    assert_eq!(f.catalog.document(&f.all(), a.document).unwrap(), None);
}

#[test]
fn what_a_crash_leaves_is_found_and_cleaned() {
    let f = Fixture::new();
    let live = f.live("a.pdf", "alt");
    let new = f.live("a.pdf", "neu"); // committed, the old one not purged
    let staged = f.stage("b.pdf", "b"); // never committed
    let mail = f.stage("m.eml", "mail");
    let inside = f.stage_in(&f.project, "m.eml/x.pdf", "x", Some(mail.document));

    let unfinished = f.catalog.unfinished().unwrap();
    let generations: Vec<i64> = unfinished.iter().map(|u| u.generation).collect();
    assert_eq!(generations, [live.generation, staged.generation, mail.generation, inside.generation]);
    assert_eq!(unfinished[0].chunks, live.chunks);
    let chunks: Vec<ChunkId> = unfinished.into_iter().flat_map(|u| u.chunks).collect();
    f.catalog.purge(&chunks).unwrap();
    assert_eq!(f.catalog.unfinished().unwrap(), []);
    assert_eq!((f.rows("documents"), f.rows("generations"), f.rows("chunks")), (1, 1, 2));
    assert_eq!(f.text_of(new.document), ["neu", "neu"]);
}

#[test]
fn purging_never_takes_live_chunks() {
    let f = Fixture::new();
    let live = f.live("a.pdf", "alt");
    f.catalog.purge(&live.chunks).unwrap();
    assert_eq!(f.text_of(live.document), ["alt", "alt"]);
}

#[test]
fn a_mail_goes_with_what_it_carried() {
    let f = Fixture::new();
    let mail = f.live("m.eml", "mail");
    let inside = f.stage_in(&f.project, "m.eml/plan.pdf", "plan", Some(mail.document));
    f.catalog.commit(&inside).unwrap();
    let children = f.catalog.children(&f.all(), mail.document).unwrap();
    assert_eq!((children[0].id, children[0].parent), (inside.document, Some(mail.document)));
    assert!(!f.catalog.file_states("server").unwrap().contains_key("m.eml/plan.pdf"));

    f.catalog.move_document(mail.document, "archiv/ä.eml", FileStamp::default()).unwrap();
    assert!(f.catalog.document_by_path(&f.all(), "server", "archiv/ä.eml/plan.pdf").unwrap().is_some());

    let removed = f.catalog.remove(mail.document).unwrap();
    let documents: Vec<DocumentId> = removed.iter().map(|r| r.document).collect();
    assert_eq!(documents, [mail.document, inside.document]);
    let chunks: Vec<ChunkId> = removed.into_iter().flat_map(|r| r.chunks).collect();
    f.catalog.purge(&chunks).unwrap();
    assert_eq!(f.rows("documents"), 0);
}

#[test]
fn a_move_keeps_id_and_version() {
    let f = Fixture::new();
    let live = f.live("alt/a.pdf", "text");
    let stamp = FileStamp { size: 3, mtime_ns: 7, ctime_ns: 99, inode: 5 };
    f.catalog.move_document(live.document, "neu/b.pdf", stamp).unwrap();
    let row = f.catalog.document_by_path(&f.all(), "server", "neu/b.pdf").unwrap().unwrap();
    assert_eq!((row.id, row.generation), (live.document, live.generation));
    assert_eq!(f.catalog.file_states("server").unwrap()["neu/b.pdf"].stamp, stamp);
    assert_eq!(f.catalog.live_chunks(&f.all(), &live.chunks).unwrap()[0].path, "neu/b.pdf");
}

#[test]
fn nothing_outside_the_scope_is_told() {
    let f = Fixture::new();
    let other = f.catalog.ensure_project("Spital").unwrap();
    let mine = f.live("a.pdf", "mein");
    let foreign = f.stage_in(&other, "b.pdf", "fremd", None);
    f.catalog.commit(&foreign).unwrap();
    let c = &f.catalog;

    for scope in [Scope::none(), Scope::of([f.project.acl]), Scope::of([AclId(999)])] {
        assert_eq!(c.document(&scope, foreign.document).unwrap(), None);
        assert_eq!(c.document_by_path(&scope, "server", "b.pdf").unwrap(), None);
        assert_eq!(c.document_facts(&scope, foreign.document).unwrap(), None);
        assert_eq!(c.live_chunks(&scope, &foreign.chunks).unwrap(), []);
        assert_eq!(c.chunks_of(&scope, foreign.document).unwrap(), []);
        assert_eq!(c.page(&scope, foreign.document, 1).unwrap(), None);
        assert_eq!(c.element(&scope, foreign.document, "0door").unwrap(), None);
        assert_eq!(c.elements(&scope, foreign.document, 0, 10).unwrap(), (vec![], 0));
        assert_eq!(c.records(&scope, foreign.document).unwrap(), []);
        assert_eq!(c.spatial(&scope, foreign.document).unwrap(), []);
        assert!(c.find_element(&scope, "0door").unwrap().iter().all(|(id, _)| *id == mine.document));
        assert!(c.records_naming(&scope, "0door").unwrap().iter().all(|(id, _)| *id == mine.document));
        let (rows, total) = c.documents(&scope, &DocumentFilter { limit: 9, ..Default::default() }).unwrap();
        assert!(rows.len() as u64 == total && rows.iter().all(|row| row.id == mine.document));
        let seen = u64::from(scope.contains(f.project.acl));
        let counts = c.counts(&scope).unwrap();
        assert_eq!((counts.documents, counts.chunks, counts.records), (seen, 2 * seen, seen));
        assert_eq!(c.projects(&scope).unwrap().len() as u64, seen);
    }
    assert_eq!(c.records_naming(&f.all(), "0door").unwrap().len(), 2);
    assert_eq!(c.counts(&f.all()).unwrap().by_kind[&Kind::Pdf], 2);
}

#[test]
fn chunks_keep_the_order_asked_for() {
    let f = Fixture::new();
    let (a, b) = (f.live("a.pdf", "a"), f.live("b.pdf", "b"));
    let asked = [b.chunks[1], a.chunks[0], ChunkId(4711), b.chunks[0]];
    let got: Vec<ChunkId> = f.catalog.live_chunks(&f.all(), &asked).unwrap().iter().map(|c| c.id).collect();
    assert_eq!(got, [b.chunks[1], a.chunks[0], b.chunks[0]]);
    let row = &f.catalog.live_chunks(&f.all(), &asked).unwrap()[0];
    assert_eq!(row.locator, Locator::Pdf { page: 1, boxes: vec![[1.0, 2.0, 3.0, 4.0]] });
    assert_eq!((row.language, row.section.as_slice()), (Some(Language::De), &["Wände".to_owned()][..]));
    assert_eq!(f.catalog.live_chunk_ids().unwrap().len(), 4);
}

#[test]
fn documents_are_listed_in_parts_and_by_text() {
    let f = Fixture::new();
    for path in ["c_1.pdf", "a%.pdf", "b.pdf"] {
        f.live(path, "x");
    }
    let list = |text: Option<&str>, offset, limit| {
        let filter =
            DocumentFilter { text: text.map(str::to_owned), offset, limit, ..DocumentFilter::default() };
        let (rows, total) = f.catalog.documents(&f.all(), &filter).unwrap();
        (rows.into_iter().map(|r| r.path).collect::<Vec<_>>(), total)
    };
    assert_eq!(list(None, 1, 1), (vec!["b.pdf".into()], 3));
    assert_eq!(list(Some("%"), 0, 9), (vec!["a%.pdf".into()], 1));
    assert_eq!(list(Some("_"), 0, 9), (vec!["c_1.pdf".into()], 1));
    assert_eq!(list(Some("PLAN"), 0, 9).1, 3, "the title counts too");
    let none = DocumentFilter { kind: Some(Kind::Ifc), limit: 9, ..DocumentFilter::default() };
    assert_eq!(f.catalog.documents(&f.all(), &none).unwrap().1, 0);
}

#[test]
fn a_rejection_is_forgotten_with_the_first_good_reading() {
    let f = Fixture::new();
    let stamp = FileStamp { size: 1, mtime_ns: 2, ctime_ns: 3, inode: 4 };
    let rejection = Rejection {
        stamp,
        reader: "r1".into(),
        code: "damaged".into(),
        reason: "the file is damaged".into(),
        attempts: 1,
    };
    assert_eq!(f.catalog.reject("server", "a.pdf", &rejection).unwrap(), 1);
    f.catalog.reject("server", "b.pdf", &rejection).unwrap();
    assert_eq!(f.catalog.rejections("server").unwrap()["a.pdf"], rejection);
    f.live("a.pdf", "jetzt gut");
    assert_eq!(f.catalog.rejections("server").unwrap().into_keys().collect::<Vec<_>>(), ["b.pdf"]);
    f.catalog.forget_rejections("server", &["b.pdf".into()]).unwrap();
    assert!(f.catalog.rejections("server").unwrap().is_empty());
}

#[test]
fn attempts_count_as_long_as_file_and_reader_are_the_same() {
    let f = Fixture::new();
    let stamp = FileStamp { size: 1, mtime_ns: 2, ctime_ns: 3, inode: 4 };
    let first = Rejection {
        stamp,
        reader: "r1".into(),
        code: "timed-out".into(),
        reason: "it took too long".into(),
        attempts: 1,
    };
    let reject = |rejection: &Rejection| f.catalog.reject("server", "a.pdf", rejection).unwrap();
    assert_eq!((reject(&first), reject(&first), reject(&first)), (1, 2, 3));
    assert_eq!(f.catalog.rejections("server").unwrap()["a.pdf"].attempts, 3);
    assert_eq!(reject(&Rejection { reader: "r2".into(), ..first.clone() }), 1);
    let touched = FileStamp { mtime_ns: 9, ..stamp };
    assert_eq!(reject(&Rejection { stamp: touched, ..first }), 1);
}

#[test]
fn a_run_that_was_cut_off_is_marked_by_the_next() {
    let f = Fixture::new();
    let first = f.catalog.start_run("cli:1000").unwrap();
    let second = f.catalog.start_run("system").unwrap();
    let file = RejectedFile {
        source: "server".into(),
        path: "a.pdf".into(),
        code: "password".into(),
        reason: "the file is protected".into(),
    };
    f.catalog.run_rejected(second, std::slice::from_ref(&file)).unwrap();
    f.catalog.finish_run(second, RunState::Done, &serde_json::json!({"added": 3})).unwrap();
    let runs = f.catalog.last_runs(5).unwrap();
    assert_eq!((runs[0].id, runs[0].state, runs[0].rejected), (second, RunState::Done, 1));
    assert_eq!(runs[0].summary.as_ref().unwrap()["added"], 3);
    assert_eq!((runs[1].id, runs[1].state), (first, RunState::Interrupted));
    assert_eq!(f.catalog.rejected(second).unwrap(), [file]);
}

#[test]
fn models_are_registered_once_per_hash() {
    let f = Fixture::new();
    let model = ModelRow {
        sha256: "ab".into(),
        path: "/models/ab.gguf".into(),
        role: ModelRole::Answer,
        name: "Small".into(),
        architecture: "llama".into(),
        quantisation: "Q4_1".into(),
        licence: Some("Apache-2.0".into()),
        languages: vec!["en".into()],
        file_bytes: 98_362_432,
        revision: Some("v0.2".into()),
        card: Some("https://models.example/small".into()),
        training: None,
        added_at: String::new(),
    };
    f.catalog.add_model(&model).unwrap();
    f.catalog.add_model(&ModelRow { licence: None, ..model.clone() }).unwrap();
    let models = f.catalog.models().unwrap();
    assert_eq!((models.len(), models[0].licence.as_deref()), (1, None));
    assert_eq!(models[0].languages, ["en"]);
    assert_eq!((&models[0].revision, &models[0].card), (&model.revision, &model.card));
    assert!(f.catalog.remove_model("ab").unwrap() && !f.catalog.remove_model("ab").unwrap());
}

#[test]
fn a_newer_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    drop(Catalog::open(&path).unwrap());
    drop(Catalog::open(&path).unwrap());
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 999).unwrap();
    drop(raw);
    let refused = Catalog::open(&path).err().unwrap();
    assert!(matches!(refused, CatalogError::TooNew { found: 999, .. }), "{refused}");
}

#[test]
fn an_older_schema_is_copied_and_then_brought_up_with_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch(include_str!("migrations/001_documents.sql")).unwrap();
    raw.execute_batch("INSERT INTO acls (id, name) VALUES (7, 'Schulhaus')").unwrap();
    raw.execute_batch("INSERT INTO projects (name, acl) VALUES ('Schulhaus', 7); PRAGMA user_version = 1")
        .unwrap();
    drop(raw);
    let catalog = Catalog::open(&path).unwrap();
    assert_eq!(catalog.projects(&Scope::of([AclId(7)])).unwrap()[0].name, "Schulhaus");
    let copy = folder.path().join(format!("catalog.db.before-schema-{}", super::migrate::newest()));
    let version: i64 = rusqlite::Connection::open(copy)
        .unwrap()
        .query_row("SELECT user_version FROM pragma_user_version JOIN projects", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, 1, "the copy is as it was");
}

#[test]
fn readers_see_one_state_while_a_writer_works_and_a_reopened_file_has_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    let catalog = Catalog::open(&path).unwrap();
    let project = catalog.ensure_project("Schulhaus").unwrap();
    let f = Fixture { catalog, project };
    let live = f.live("a.pdf", "0");
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for n in 1..40 {
                let staged = f.stage("a.pdf", &n.to_string());
                let old = f.catalog.commit(&staged).unwrap();
                f.catalog.purge(&old).unwrap();
            }
        });
        for _ in 0..3 {
            threads.spawn(|| {
                for _ in 0..200 {
                    let texts = f.text_of(live.document);
                    assert_eq!(texts.len(), 2);
                    assert_eq!(texts[0], texts[1], "two versions mixed");
                }
            });
        }
    });
    drop(f);
    let catalog = Catalog::open(&path).unwrap();
    let scope = catalog.all_scope().unwrap();
    assert_eq!(catalog.chunks_of(&scope, live.document).unwrap()[0].text, "39");
}

/// Every query that runs per document, chunk or search must find its rows through an index.
#[test]
fn no_common_query_scans_a_large_table() {
    let f = Fixture::new();
    for query in [
        "SELECT 1 FROM json_each('[1]') q JOIN chunks c ON c.id = q.value JOIN documents d ON d.live = c.generation",
        "SELECT 1 FROM documents d JOIN pages g ON g.generation = d.live WHERE d.id = 1 AND g.number = 1",
        "SELECT 1 FROM elements e JOIN documents d ON d.live = e.generation WHERE e.global_id = 'x'",
        "SELECT 1 FROM record_elements n JOIN documents d ON d.live = n.generation WHERE n.global_id = 'x'",
        "SELECT 1 FROM documents WHERE source = 'a' AND path = 'b' AND removed = 0",
        "SELECT 1 FROM documents d WHERE d.source = 'a' AND d.removed = 0 AND d.parent IS NULL",
        "SELECT 1 FROM generations WHERE state = 'live' AND logged = 0",
        "SELECT 1 FROM generations WHERE state = 'replaced'",
        "SELECT 1 FROM documents WHERE live IS NULL",
        "DELETE FROM generations WHERE id = 1",
    ] {
        let plan: Vec<String> = f
            .catalog
            .read(|c| {
                c.prepare(&format!("EXPLAIN QUERY PLAN {query}"))?
                    .query_map([], |row| row.get("detail"))?
                    .collect()
            })
            .unwrap();
        let scans = |line: &&String| line.starts_with("SCAN") && !line.contains("VIRTUAL TABLE");
        assert_eq!(plan.iter().find(scans), None, "{query}");
    }
}

#[test]
fn what_the_audit_log_may_lack_is_listed_until_noted() {
    let f = Fixture::new();
    let (a, b) = (f.live("a.pdf", "a"), f.live("b.pdf", "b"));
    let lacking = |f: &Fixture| f.catalog.unlogged().unwrap().iter().map(|u| u.document).collect::<Vec<_>>();
    assert_eq!(lacking(&f), [a.document, b.document]);
    f.catalog.set_logged(&[a.document]).unwrap();
    assert_eq!(lacking(&f), [b.document]);
    f.live("a.pdf", "neu");
    assert_eq!(lacking(&f), [b.document, a.document], "a new version is not yet logged");
    f.catalog.remove(b.document).unwrap();
    assert!(f.catalog.unfinished().unwrap().iter().any(|u| u.document == b.document && u.removed));
}

#[test]
fn documents_with_other_vectors_are_found() {
    let f = Fixture::new();
    let a = f.live("a.pdf", "a");
    assert_eq!(f.catalog.embedded_otherwise("e5").unwrap(), [a.document]);
    f.catalog.set_embedder(a.document, Some("e5")).unwrap();
    assert_eq!(f.catalog.embedded_otherwise("e5").unwrap(), []);
    assert_eq!(f.catalog.embedded_otherwise("other").unwrap(), [a.document]);
}

#[test]
fn attachments_that_a_mail_no_longer_has_go_with_its_commit() {
    let f = Fixture::new();
    let mail = f.live("m.eml", "mail");
    let inside = f.stage_in(&f.project, "m.eml/plan.pdf", "plan", Some(mail.document));
    f.catalog.commit(&inside).unwrap();
    assert_eq!(f.catalog.child_counts("server").unwrap()[&mail.document], 1);
    let without = f.stage("m.eml", "ohne");
    let replaced = f.catalog.commit_all(&[without], &[inside.document]).unwrap();
    assert_eq!(replaced.chunks, mail.chunks);
    assert_eq!(
        (replaced.removed[0].document, &replaced.removed[0].chunks),
        (inside.document, &inside.chunks)
    );
    assert_eq!(f.catalog.children(&f.all(), mail.document).unwrap(), []);
}

fn u_value(element: &str, label: &str, value: &str, place: Locator) -> Fact {
    Fact {
        kind: FactKind::UValue,
        subject: String::new(),
        element: element.into(),
        label: label.into(),
        value: value.into(),
        unit: "W/(m2.K)".into(),
        count: 1,
        place,
        cell: String::new(),
    }
}

/// A live document without chunks.
pub(super) fn live_document(
    catalog: &Catalog,
    project: &Project,
    path: &str,
    document: &Document,
) -> DocumentId {
    let staged = catalog
        .stage(&NewVersion {
            source: "server",
            path,
            project: project.id,
            acl: project.acl,
            parent: None,
            version: "x-r1",
            embedder: None,
            sha256: path,
            stamp: FileStamp::default(),
            document,
            changes: None,
            chunks: &[],
        })
        .unwrap();
    catalog.commit(&staged).unwrap();
    staged.document
}

fn live_facts(f: &Fixture, project: &Project, path: &str, kind: Kind, facts: Vec<Fact>) -> DocumentId {
    let document = Document { facts, ..Document::new(kind, path) };
    live_document(&f.catalog, project, path, &document)
}

#[test]
fn facts_are_seen_with_their_document_only_and_lie_beside_the_models_of_their_project() {
    let f = Fixture::new();
    let other = f.catalog.ensure_project("Nachbar").unwrap();
    let page = |page| Locator::Pdf { page, boxes: vec![[1.0, 2.0, 3.0, 4.0]] };
    let element = |id: &str| Locator::Ifc { global_id: id.into() };
    let proof = live_facts(
        &f,
        &f.project,
        "nachweis.pdf",
        Kind::Pdf,
        vec![u_value("AW-01", "Aussenwand", "0.15", page(2)), u_value("", "Dach flach", "0.10", page(3))],
    );
    let model = live_facts(
        &f,
        &f.project,
        "a.ifc",
        Kind::Ifc,
        vec![
            u_value("AW 01", "AW 01 Wand", "0.17", element("w")),
            u_value("", "dach flach", "0.1", element("d")),
            u_value("FE-01", "Fenster", "0.9", element("f")),
        ],
    );
    live_facts(&f, &other, "b.ifc", Kind::Ifc, vec![u_value("AW-01", "Wand", "0.99", element("x"))]);

    let all = f.all();
    let facts = f.catalog.facts(&all, proof).unwrap();
    assert_eq!(
        facts,
        [u_value("AW-01", "Aussenwand", "0.15", page(2)), u_value("", "Dach flach", "0.10", page(3))]
    );
    let beside = f.catalog.model_u_values(&all, proof).unwrap();
    let seen: Vec<(DocumentId, &str)> = beside.iter().map(|m| (m.document, m.fact.value.as_str())).collect();
    assert_eq!(seen, [(model, "0.17"), (model, "0.1")], "the other project's model is not looked at");

    for scope in [Scope::none(), Scope::of([other.acl])] {
        assert_eq!(f.catalog.facts(&scope, proof).unwrap(), []);
        assert_eq!(f.catalog.model_u_values(&scope, proof).unwrap(), []);
    }
    f.catalog.remove(proof).unwrap();
    assert_eq!(f.catalog.facts(&all, proof).unwrap(), []);
}
