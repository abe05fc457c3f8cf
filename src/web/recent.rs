//! Answers that were just given, so that the reader who got one can judge it and take it along as a file.
//!
//! They lie in memory only, the newest few hundred, and are gone when the server ends.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::answer::Answer;

/// Answers that are kept.
const KEPT: usize = 300;

/// A question and its answer.
#[derive(Debug, Clone)]
pub(super) struct Recent {
    /// The account that asked.
    pub(super) user: i64,
    /// The question as typed.
    pub(super) question: String,
    /// The answer, without the passages that it does not cite.
    pub(super) answer: Arc<Answer>,
}

/// The newest answers; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct RecentAnswers(Arc<Mutex<VecDeque<Recent>>>);

impl RecentAnswers {
    /// Keeps an answer.
    pub(super) fn keep(&self, user: i64, question: &str, answer: &Answer) {
        let mut answer = answer.clone();
        answer.passages.clear();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Recent { user, question: question.to_owned(), answer: Arc::new(answer) });
        while kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// The answer of this identifier, where this account asked for it.
    pub(super) fn find(&self, user: i64, id: &str) -> Option<Recent> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().find(|recent| recent.user == user && recent.answer.id == id).cloned()
    }
}
