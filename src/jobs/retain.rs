//! The log's rules of retention, applied every night.

use super::{JobError, blocking, run::Run};
use crate::{
    audit::{Retained, Retention},
    config::RetentionConfig,
};

/// The configured periods as the log takes them.
pub fn retention(config: &RetentionConfig) -> Retention {
    Retention {
        content_days: config.content_days,
        trail_days: config.trail_days,
        case_days: config.case_days,
    }
}

impl Run<'_> {
    /// Makes old texts in the log unreadable and removes old events.
    pub(super) async fn retain(&self) -> Result<Retained, JobError> {
        let (audit, actor) = (self.jobs.audit.clone(), self.actor.clone());
        let rules = retention(&self.jobs.config.retention);
        Ok(blocking(move || audit.retain(&actor, rules)).await??)
    }
}
