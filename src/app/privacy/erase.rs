//! Erasing a person, documents, records or elements: first what would go, then for good, and again after a restore.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{App, AppError, names_in, scan};
use crate::audit::{Actor, Event, Forgotten, ListFilter, sha256_hex};
use crate::catalog::{DocumentFilter, DocumentRow};
use crate::erasure::{Choice, Erasure, Erasures, Names};
use crate::jobs::{Erased as ErasedDocument, JobError, Progress};

/// What a person wants erased.
#[derive(Debug, Clone)]
pub struct Wish<'a> {
    /// Names that are taken out of every text.
    pub names: &'a Names,
    /// Login of the person's account.
    pub user: Option<&'a str>,
    /// Documents that go whole, as `SOURCE/PATH`.
    pub documents: &'a [String],
    /// Records and elements that go, as `SOURCE/PATH#NUMBER`.
    pub items: &'a [String],
    /// Why.
    pub basis: &'a str,
}

/// What an erasure would take.
#[derive(Debug, Clone, Serialize)]
pub struct Plan {
    /// Stands for exactly this plan; has to be said to carry it out.
    pub confirm: String,
    /// What the log would forget.
    pub log: Forgotten,
    /// True if the account would be removed.
    pub account: bool,
    /// Documents that would go or change.
    pub documents: Vec<ErasedDocument>,
    /// Documents whose path names the person and which would stay: they are to be erased whole, or renamed.
    pub named_by_path: Vec<String>,
    /// Documents in which only the family name, or a part of it, stands; they stay as they are.
    pub possible: Vec<String>,
}

/// What became of an erasure.
#[derive(Debug, Serialize)]
pub struct Erased {
    /// Its identifier in the list of erasures.
    pub id: String,
    /// In the log.
    pub log: Forgotten,
    /// True if the account was removed.
    pub account_removed: bool,
    /// Documents that went or were changed.
    pub documents: Vec<ErasedDocument>,
    /// Documents that still name the person.
    pub documents_left: Vec<String>,
    /// The search through the files of the data folder.
    pub proof: scan::Proof,
}

impl App {
    /// What an erasure would take; changes nothing.
    ///
    /// # Errors
    /// [`AppError::Held`] where a hold covers it, [`AppError::NoDocument`] where a chosen one is not known; else when
    /// the log or the catalog cannot be read.
    pub async fn plan_erasure(
        &self,
        wish: &Wish<'_>,
        progress: impl Fn(Progress) + Send + Sync,
    ) -> Result<Plan, AppError> {
        self.check_holds(wish.user)?;
        let list = Erasures::open(&self.config.data)?;
        let choice = self.choice(wish)?;
        let draft = list.drafted(&choice, "");
        let documents = self.jobs.would_erase(&list.rules_of([&draft]), progress).await?;
        let found = self.find_person(wish.names, wish.user)?;
        let whole: BTreeSet<String> = documents.iter().filter(|d| d.whole).map(path_of).collect();
        let is_left = |d: &&super::FoundDocument| !whole.contains(&format!("{}/{}", d.source, d.path));
        let named = |d: &super::FoundDocument| d.places.iter().any(|p| p.r#where == "path" && p.certain);
        let path = |d: &super::FoundDocument| format!("{}/{}", d.source, d.path);
        let left: Vec<_> = found.documents.iter().filter(is_left).collect();
        let possible = left.iter().filter(|d| d.places.iter().all(|p| !p.certain));
        let possible = possible.map(|d| path(d)).collect();
        let named_by_path = left.iter().filter(|d| named(d)).map(|d| path(d)).collect();
        let naming: Vec<u64> = found.named_in.iter().map(|e| e.envelope.seq).collect();
        let pid = draft.pseudonym.as_deref();
        let mut plan = Plan {
            confirm: String::new(),
            log: self.audit.would_forget(pid, &naming)?,
            account: found.account.is_some(),
            documents,
            named_by_path,
            possible,
        };
        // The plan itself asks for no event, and events of others may come meanwhile: the code is about the documents.
        let about =
            serde_json::to_vec(&(&plan.documents, &plan.named_by_path, plan.account)).unwrap_or_default();
        let wished = format!("{choice:?}");
        plan.confirm = sha256_hex(&[wished.as_bytes(), &about].concat()).chars().take(6).collect();
        Ok(plan)
    }

    /// Erases for good what [`App::plan_erasure`] showed, and searches the data folder's files for what should be gone.
    ///
    /// # Errors
    /// [`AppError::OtherPlan`] where `confirm` stands for another plan than there is now; as for planning; when the
    /// log, the catalog or the index cannot be written, or a run is under way. An erasure that was cut off is carried
    /// out again at the next start.
    pub async fn erase(
        &self,
        actor: &Actor,
        wish: &Wish<'_>,
        confirm: &str,
        progress: impl Fn(Progress) + Send + Sync + Clone,
    ) -> Result<Erased, AppError> {
        let plan = self.plan_erasure(wish, progress.clone()).await?;
        if plan.confirm != confirm {
            return Err(AppError::OtherPlan(confirm.to_owned()));
        }
        if self.jobs.is_running() {
            return Err(JobError::Busy.into());
        }
        let choice = self.choice(wish)?;
        let strings = self.strings_of(&choice)?;
        let mut list = Erasures::open(&self.config.data)?;
        let erasure = list.drafted(&choice, &jiff::Timestamp::now().to_string());
        list.add(erasure.clone())?;
        if plan.account
            && let Some((login, _)) = &choice.account
        {
            self.users.remove(actor, login)?;
        }
        // After the account: the event of its removal names it.
        let found = self.find_person(wish.names, wish.user)?;
        let naming: Vec<u64> = found.named_in.iter().map(|e| e.envelope.seq).collect();
        let log = self.audit.forget(actor, erasure.pseudonym.as_deref(), &naming, wish.basis)?;
        // One that was cut off before is carried out along with it.
        let documents = self.jobs.erase(actor, &list.rules_of(list.pending()), progress).await?;
        list.carried_out()?;
        let found = self.find_person(wish.names, None)?;
        let certain = found.documents.iter().filter(|d| d.places.iter().any(|p| p.certain));
        let documents_left = certain.map(|d| format!("{}/{}", d.source, d.path)).collect();
        let strings = self.gone_everywhere(strings)?;
        let proof = scan::files(&self.config.data, wish.names, &strings)?;
        self.audit.record(actor, event(&erasure.id, wish.basis, false, &documents, &proof))?;
        Ok(Erased { id: erasure.id, log, account_removed: plan.account, documents, documents_left, proof })
    }

    /// Carries out erasures that this data folder does not bear out, because a backup was restored or the last attempt
    /// was cut off.
    ///
    /// # Errors
    /// As for [`App::erase`].
    pub(in crate::app) async fn erase_again(&self) -> Result<(), AppError> {
        let mut list = Erasures::open(&self.config.data)?;
        let pending: Vec<Erasure> = list.pending().into_iter().cloned().collect();
        if pending.is_empty() {
            return Ok(());
        }
        tracing::warn!(
            erasures = pending.len(),
            "a restored backup holds what was erased; it is erased again"
        );
        let actor = Actor::system();
        let rules = list.rules_of(&pending);
        let basis = "erased again after a restore";
        for user in self.users.list()?.iter().filter(|user| rules.covers_account(&user.name)) {
            self.users.remove(&actor, &user.name)?;
        }
        let all = self.audit.list(&ListFilter::default())?;
        let naming: Vec<u64> =
            all.iter().filter(|e| names_in(&e.content, &rules.names)).map(|e| e.envelope.seq).collect();
        self.audit.forget(&actor, None, &naming, basis)?;
        for pid in pending.iter().filter_map(|one| one.pseudonym.as_deref()) {
            self.audit.forget(&actor, Some(pid), &[], basis)?;
        }
        let documents = self.jobs.erase(&actor, &rules, |_| {}).await?;
        list.carried_out()?;
        let proof = scan::files(&self.config.data, &rules.names, &[])?;
        for one in &pending {
            self.audit.record(&actor, event(&one.id, basis, true, &documents, &proof))?;
        }
        Ok(())
    }

    fn check_holds(&self, user: Option<&str>) -> Result<(), AppError> {
        // The texts of others that name the person stand under holds of those others, too.
        let account = user.map(|u| self.users.find(u)).transpose()?.flatten();
        let login = account.as_ref().map(|a| a.name.as_str()).or(user);
        match self.audit.book()?.covering(login) {
            Some(hold) => Err(AppError::Held(hold.id.clone(), hold.reason.clone())),
            None => Ok(()),
        }
    }

    /// The wish with everything looked up.
    fn choice(&self, wish: &Wish<'_>) -> Result<Choice, AppError> {
        let account = wish.user.map(|u| self.users.find(u)).transpose()?.flatten();
        let login = account.map(|a| a.name).or_else(|| wish.user.map(str::to_owned));
        let account = login.map(|login| Ok::<_, AppError>((login.clone(), self.audit.pseudonym(&login)?)));
        let mut choice =
            Choice { names: wish.names.clone(), account: account.transpose()?, ..Choice::default() };
        if wish.documents.is_empty() && wish.items.is_empty() {
            return Ok(choice);
        }
        let rows = self.all_documents()?;
        let find = |wanted: &str| {
            let found = rows.iter().find(|row| format!("{}/{}", row.source, row.path) == wanted);
            found.ok_or_else(|| AppError::NoDocument(wanted.to_owned()))
        };
        for wanted in wish.documents {
            let row = find(wanted)?;
            choice.documents.push((row.source.clone(), row.path.clone(), row.sha256.clone()));
            // Copies of it have the same bytes; those inside it go with it and do not come back elsewhere.
            let mut inside = vec![row.id];
            while let Some(parent) = inside.pop() {
                for child in rows.iter().filter(|child| child.parent == Some(parent)) {
                    choice.documents.push((child.source.clone(), child.path.clone(), child.sha256.clone()));
                    inside.push(child.id);
                }
            }
        }
        for wanted in wish.items {
            let (document, item) =
                wanted.rsplit_once('#').ok_or_else(|| AppError::NoDocument(wanted.clone()))?;
            let row = find(document)?;
            choice.items.push((row.source.clone(), row.path.clone(), item.to_owned()));
        }
        Ok(choice)
    }

    fn all_documents(&self) -> Result<Vec<DocumentRow>, AppError> {
        let scope = self.catalog.all_scope()?;
        let mut all = Vec::new();
        loop {
            let filter =
                DocumentFilter { offset: all.len() as u64, limit: 1000, ..DocumentFilter::default() };
            let (rows, _) = self.catalog.documents(&scope, &filter)?;
            if rows.is_empty() {
                return Ok(all);
            }
            all.extend(rows);
        }
    }

    /// Texts of what goes whole that nothing else can be taken for: by them the proof is made.
    fn strings_of(&self, choice: &Choice) -> Result<BTreeSet<String>, AppError> {
        let scope = self.catalog.all_scope()?;
        let chosen: BTreeSet<(&str, &str)> =
            choice.documents.iter().map(|(s, p, _)| (s.as_str(), p.as_str())).collect();
        let mut strings = BTreeSet::new();
        for row in self.all_documents()? {
            let whole = chosen.contains(&(row.source.as_str(), row.path.as_str()));
            let items: Vec<&str> = choice
                .items
                .iter()
                .filter(|(s, p, _)| *s == row.source && *p == row.path)
                .map(|(_, _, item)| item.as_str())
                .collect();
            if !whole && items.is_empty() {
                continue;
            }
            for chunk in self.catalog.chunks_of(&scope, row.id)? {
                let is_item = match &chunk.locator {
                    ingest::Locator::Rfi { record } => items.contains(&record.as_str()),
                    ingest::Locator::Ifc { global_id } => items.contains(&global_id.as_str()),
                    _ => false,
                };
                if whole || is_item {
                    scan::pick(&chunk.text, &mut strings);
                }
            }
        }
        Ok(strings)
    }

    /// Those of the strings that no document has any more: another may have said the same.
    fn gone_everywhere(&self, mut strings: BTreeSet<String>) -> Result<Vec<String>, AppError> {
        let scope = self.catalog.all_scope()?;
        let ids: Vec<_> = self.catalog.live_chunk_ids()?.into_iter().collect();
        for some in ids.chunks(super::PASSAGES) {
            if strings.is_empty() {
                break;
            }
            for chunk in self.catalog.live_chunks(&scope, some)? {
                strings.retain(|string| !chunk.text.contains(string.as_str()));
            }
        }
        Ok(strings.into_iter().collect())
    }
}

fn path_of(document: &ErasedDocument) -> String {
    format!("{}/{}", document.source, document.path)
}

fn event(id: &str, basis: &str, again: bool, documents: &[ErasedDocument], proof: &scan::Proof) -> Event {
    Event::Erasure {
        id: id.to_owned(),
        basis: basis.to_owned(),
        again,
        documents: documents.iter().filter(|d| d.whole).count() as u64,
        passages: documents.iter().map(|d| d.passages).sum(),
        items: documents.iter().map(|d| d.items).sum(),
        rows: documents.iter().map(|d| d.rows).sum(),
        files: proof.files,
        bytes: proof.bytes,
        strings: proof.strings,
        found: proof.found.len() as u64,
    }
}
