//! What is recorded: who did it ([`Actor`]) and what happened ([`Event`]).
//!
//! An event is split when it is written. The *envelope* holds what the law asks for and what every figure on
//! the report is counted from (kind, time, pseudonym, targets, outcome) and never any text that a person
//! wrote. Everything else is the *payload*, which is encrypted with a key of its own and can be made
//! unreadable without touching the log.

mod kinds;
mod parts;

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

pub use kinds::KINDS;
pub(crate) use kinds::{BUNDLES_TARGET, CHECKPOINT_TARGET, VKEY_TARGET};
pub use parts::{
    AccessKind, AccessStep, AnswerMode, CaseKind, CitationCheck, Finish, IncidentReport, LoginMethod,
    PassageRef, Rating, ReadPurpose, Role, Sampling,
};

/// Who acts: a signed-in person, the local administrator at the command line, or the program itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// User name, `cli:UID` for the command line, or `system`. Stored only encrypted; the envelope carries a
    /// pseudonym made from it.
    pub name: String,
    /// What the person may do; stored in the envelope.
    pub role: Role,
    /// Session identifier, if there is one. The envelope carries a keyed hash of it.
    pub session: Option<String>,
}

impl Actor {
    /// The program itself: scheduled runs, start and stop.
    pub fn system() -> Self {
        Self { name: "system".into(), role: Role::System, session: None }
    }

    /// The local administrator `uid` at the command line.
    pub fn cli(uid: u32) -> Self {
        Self { name: format!("cli:{uid}"), role: Role::Administrator, session: None }
    }

    /// A signed-in person.
    pub fn user(name: impl Into<String>, role: Role, session: Option<String>) -> Self {
        Self { name: name.into(), role, session }
    }

    /// Somebody who has not signed in (a failed sign-in).
    pub fn anonymous() -> Self {
        Self { name: "anonymous".into(), role: Role::Anonymous, session: None }
    }
}

/// One thing that happened. Identifiers are those of the catalog; times are milliseconds where the name says
/// so; hashes are lower-case hexadecimal SHA-256.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The server began to work.
    ServerStart {
        /// Program version.
        version: String,
        /// Device that computes, as shown to readers.
        device: String,
        /// Addresses it listens on.
        listen: Vec<String>,
    },
    /// The server ended in an orderly way.
    ServerStop,
    /// A person signed in.
    Login {
        /// How they proved who they are.
        method: LoginMethod,
        /// Address of their machine.
        ip: Option<IpAddr>,
    },
    /// A sign-in was refused.
    LoginFailed {
        /// The name that was typed. It may be a password, so only a keyed hash of it is stored.
        attempted: String,
        /// Why it was refused, as a short code such as `wrong_password`.
        reason: String,
        /// Address of the machine.
        ip: Option<IpAddr>,
    },
    /// A person signed out, or the session was ended for them.
    Logout,
    /// A question was asked. Recorded before anything is searched.
    Question {
        /// Identifier that retrieval, answer and feedback refer to.
        id: String,
        /// The question as typed.
        text: String,
        /// Language code, such as `de`.
        language: String,
        /// Project the question is limited to.
        project: Option<String>,
        /// Further limits, as shown to the reader.
        filter: Option<String>,
    },
    /// Passages were looked up for a question.
    Retrieval {
        /// The question's identifier.
        question: String,
        /// SHA-256 of the embedding model's file, if vectors were used.
        embedder_sha256: Option<String>,
        /// SHA-256 of the file of the model that judged the hits, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reranker_sha256: Option<String>,
        /// Passages asked for.
        k: u32,
        /// Passages handed on, best first.
        passages: Vec<PassageRef>,
        /// Passages withheld because the reader may not see them.
        dropped_by_acl: u32,
    },
    /// An answer was given, or deliberately not given.
    Answer {
        /// The question's identifier.
        question: String,
        /// How the answer was made.
        mode: AnswerMode,
        /// Name of the language model, if one was used.
        model: Option<String>,
        /// SHA-256 of the model's file, its tokenizer included.
        model_sha256: Option<String>,
        /// How the model's numbers are rounded, such as `Q4_1`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quantisation: Option<String>,
        /// SHA-256 of the source that prompts are made by, if a model was used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        template_sha256: Option<String>,
        /// How the answer is marked for programs: `page_metadata`, and in files `signed_metadata`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marking: Option<String>,
        /// Device that computed it.
        device: String,
        /// Sampling settings, if a model was used.
        sampling: Option<Sampling>,
        /// Tokens read.
        prompt_tokens: u32,
        /// Tokens written.
        completion_tokens: u32,
        /// Why the text ended.
        finish: Finish,
        /// The answer as shown.
        text: String,
        /// Each citation with the result of its check.
        citations: Vec<CitationCheck>,
        /// True if nothing relevant was found and the fixed text was shown.
        abstained: bool,
        /// Time to the first visible text, milliseconds.
        first_token_ms: Option<u64>,
        /// Time to the end, milliseconds.
        elapsed_ms: u64,
    },
    /// A search without an answer.
    Search {
        /// The words as typed.
        text: String,
        /// Language code of the page.
        language: String,
        /// Project the search is limited to.
        project: Option<String>,
        /// Further limits, as shown to the reader.
        filter: Option<String>,
        /// Hits shown.
        hits: u32,
        /// Time inside the server, milliseconds.
        elapsed_ms: u64,
    },
    /// A document was opened.
    DocumentAccess {
        /// The document.
        document: String,
        /// Page, counted from 1, where one was asked for.
        page: Option<u32>,
        /// What left the server.
        how: AccessKind,
    },
    /// A run over the sources ended.
    IngestRun {
        /// Identifier of the run.
        run: String,
        /// Source, if the run was limited to one.
        source: Option<String>,
        /// New documents.
        added: u64,
        /// Documents with new bytes.
        modified: u64,
        /// Documents found at another path.
        moved: u64,
        /// Documents that are gone.
        deleted: u64,
        /// Documents as before.
        unchanged: u64,
        /// Files that could not be read.
        rejected: u64,
        /// Time taken, milliseconds.
        elapsed_ms: u64,
    },
    /// One version of a document became searchable.
    Ingest {
        /// The document.
        document: String,
        /// SHA-256 of its bytes.
        version: String,
        /// Reader and its version.
        reader: String,
        /// Chunks made of it.
        chunks: u64,
    },
    /// Something about a stored document was changed.
    Change {
        /// The document.
        document: String,
        /// What was changed, as a short code such as `moved` or `disputed`.
        what: String,
        /// Value before.
        before: Option<String>,
        /// Value after.
        after: Option<String>,
    },
    /// A document was removed with all that was derived from it.
    Delete {
        /// The document.
        document: String,
        /// Chunks removed from the text index.
        chunks: u64,
        /// Vectors removed.
        vectors: u64,
        /// Rendered pages removed from the cache.
        pages: u64,
        /// Who approved it, where approval is asked for.
        approver: Option<String>,
    },
    /// Data left the appliance by a person's wish.
    Export {
        /// What was exported, as a short code such as `report` or `hits_csv`.
        what: String,
        /// SHA-256 of the file.
        sha256: String,
        /// Rows or pages in it.
        rows: u64,
        /// To whom it goes.
        recipient: Option<String>,
        /// Country it goes to, ISO 3166 code.
        country: Option<String>,
    },
    /// Rights, groups or users were changed.
    PermissionChange {
        /// Whom or what it concerns.
        subject: String,
        /// SHA-256 of the state before.
        before_sha256: Option<String>,
        /// SHA-256 of the state after.
        after_sha256: Option<String>,
        /// Who approved it, where approval is asked for.
        approver: Option<String>,
    },
    /// The configuration in force was changed. Later envelopes carry the new hash.
    ConfigChange {
        /// SHA-256 of the configuration before.
        before_sha256: Option<String>,
        /// SHA-256 of the configuration after.
        after_sha256: String,
        /// Names of the keys that differ (never their values).
        keys: Vec<String>,
    },
    /// A model was added, replaced or removed.
    ModelChange {
        /// Name in the model register.
        model: String,
        /// SHA-256 of the file before.
        before_sha256: Option<String>,
        /// SHA-256 of the file after.
        after_sha256: Option<String>,
        /// Who approved it, where approval is asked for.
        approver: Option<String>,
    },
    /// Somebody read the log.
    LogRead {
        /// What was read, for example a period or a query.
        range: String,
        /// Why.
        reason: String,
    },
    /// A reader judged an answer.
    Feedback {
        /// The question's identifier.
        question: String,
        /// The judgement.
        rating: Rating,
        /// What would have been right.
        correction: Option<String>,
        /// True if the reader takes responsibility for the answer.
        sign_off: bool,
        /// Who checked the answer, where that is somebody else than the reader.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verifier: Option<String>,
    },
    /// Connections out of the appliance were refused; with a count of 0, that they are counted from now on.
    EgressBlocked {
        /// SHA-256 of the program that tried.
        executable_sha256: Option<String>,
        /// Address, port and protocol, such as `192.0.2.1:443/tcp`.
        destination: String,
        /// The layer that refused it.
        layer: String,
        /// How many attempts this event stands for.
        count: u64,
    },
    /// A request of a data subject, an incident or a maintenance access, opened or closed.
    Case {
        /// Identifier of the case.
        id: String,
        /// What sort of case it is.
        case: CaseKind,
        /// Date by which it is due, `YYYY-MM-DD`.
        due: Option<String>,
        /// Result, present when the case is closed.
        result: Option<String>,
        /// Days from opening to closing, present when the case is closed.
        days: Option<u32>,
    },
    /// Keys were destroyed on purpose; the payloads they opened stay unreadable.
    KeyShred {
        /// What was destroyed: `seq:N` for one event, `kek:ID` for a person's month, `content:A-B` for all events
        /// of the class `content` from A to B.
        keys: Vec<String>,
        /// The legal basis or reason.
        basis: String,
    },
    /// A person, documents, records or elements were erased from everything but the log, and the files of the data
    /// folder were searched afterwards.
    Erasure {
        /// Identifier of the erasure in the list of erasures.
        id: String,
        /// The legal basis or reason.
        basis: String,
        /// True where a restored backup made it necessary to do it again.
        again: bool,
        /// Documents removed whole.
        documents: u64,
        /// Passages removed or changed.
        passages: u64,
        /// Records and elements removed.
        items: u64,
        /// Other rows of the catalog that were changed.
        rows: u64,
        /// Files of the data folder that were searched, byte by byte.
        files: u64,
        /// Their size.
        bytes: u64,
        /// Texts that were searched for, besides the names.
        strings: u64,
        /// Files in which a name or one of the texts was still found.
        found: u64,
    },
    /// The log was verified.
    Verify {
        /// True if nothing was found.
        ok: bool,
        /// Events looked at.
        size: u64,
        /// Problems found.
        problems: u64,
    },
    /// The log was about to be signed. Names the checkpoint before, so that the loss of any but the newest
    /// shows. Written by the log itself.
    Checkpoint {
        /// Size of the log at the checkpoint before, if there was one.
        previous: Option<u64>,
    },
    /// The log is signed with another key from here on. Written by the log itself, signed by the key before.
    KeyRotation {
        /// The public key that signed so far.
        previous_vkey: String,
        /// The public key that signs what follows.
        next_vkey: String,
        /// Size of the log at the checkpoint before, if there was one.
        checkpoint: Option<u64>,
        /// Why.
        reason: String,
    },
    /// Old events were removed for good: their envelopes and payloads, not their hashes. Written by the log
    /// itself before it removes them.
    Prune {
        /// All bundles of 256 events that have been removed so far, as first and last number.
        bundles: Vec<(u64, u64)>,
        /// Events removed by this run.
        events: u64,
        /// The rule.
        reason: String,
    },
    /// A witness outside of the appliance countersigned a checkpoint.
    Witness {
        /// The witness's public key.
        vkey: String,
        /// Size of the log that was countersigned.
        size: u64,
        /// When, by the witness's clock, seconds since 1970.
        time: u64,
    },
    /// A time-stamping authority confirmed when a checkpoint existed (RFC 3161).
    Timestamp {
        /// Size of the log that was stamped.
        size: u64,
        /// The authority, as its certificate names it.
        authority: String,
        /// The time it states, RFC 3339.
        time: String,
        /// SHA-256 of the response.
        sha256: String,
    },
    /// It was tried from inside of the processes whether anything gets out.
    EgressTest {
        /// Attempts that were refused, as they should be.
        refused: u64,
        /// All attempts.
        attempts: u64,
        /// Attempts outside of the sandbox that went through, as they should.
        controls: u64,
        /// The kernel it ran on.
        kernel: String,
        /// Layers that were active.
        layers: Vec<String>,
    },
    /// Erasure and retention are suspended for a matter, or no longer.
    Hold {
        /// Identifier of the hold.
        id: String,
        /// Why, or why no longer.
        reason: String,
        /// True while it is in force.
        on: bool,
    },
    /// A use was refused because its purpose is excluded.
    UseRefused {
        /// The purpose that was stated.
        purpose: String,
        /// The rule that excludes it.
        rule: String,
    },
    /// A person confirmed that they have read a notice or an instruction.
    Acknowledgement {
        /// Which text, as a short code with its version.
        text: String,
    },
    /// An auditor asked to read texts in the log, somebody else agreed or did not, or the reading was ended.
    PayloadAccess {
        /// Identifier of the access.
        id: String,
        /// What was done.
        step: AccessStep,
        /// Days that it covers, as `FROM..TO`.
        range: String,
        /// Why, or why not.
        purpose: String,
        /// Until when texts may be read, RFC 3339; with an agreement.
        until: Option<String>,
    },
    /// Texts in the log were made readable for somebody. Written before they are.
    PayloadRead {
        /// The access that allows it; none for a person's own texts.
        access: Option<String>,
        /// Why.
        purpose: ReadPurpose,
        /// What was read, for example a period.
        range: String,
        /// Events whose texts were asked for.
        events: u64,
    },
    /// What is known of an incident was written down (FADP 24, DPO 15).
    IncidentReport {
        /// Identifier of the case.
        id: String,
        /// What is known of it.
        report: IncidentReport,
    },
    /// Something may be missing: a write did not finish or events were refused. Written by the log itself.
    Gap {
        /// What happened.
        reason: String,
        /// Events that callers were refused.
        refused: u64,
        /// Bytes of an unfinished write that were set aside.
        bytes: u64,
    },
    /// The clock went backwards. Written by the log itself.
    ClockJump {
        /// Time of the event before, UTC.
        before: String,
        /// Time now, UTC.
        now: String,
    },
}
