//! Which project and access list the files of a source belong to.

use globset::GlobSet;

use super::{JobError, Run, scan};
use crate::{
    catalog::{FileState, ProjectId},
    config::SourceConfig,
    scope::AclId,
};

/// Where a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rights {
    pub(super) project: ProjectId,
    pub(super) acl: AclId,
}

impl Rights {
    pub(super) fn of(state: &FileState) -> Self {
        Rights { project: state.project, acl: state.acl }
    }
}

/// The rights of each file of a source, by its path.
#[derive(Debug, Clone)]
pub(super) struct RightsByPath {
    rules: Vec<(GlobSet, Rights)>,
    rest: Rights,
}

impl RightsByPath {
    /// The first rule that names the path, else what holds for the source.
    pub(super) fn at(&self, path: &str) -> Rights {
        self.rules.iter().find(|(globs, _)| globs.is_match(path)).map_or(self.rest, |(_, rights)| *rights)
    }
}

impl Run<'_> {
    /// The rights that a source's configuration gives. Projects and access lists are made where they do
    /// not exist, except by a dry run.
    pub(super) fn rights(&self, source: &SourceConfig, dry_run: bool) -> Result<RightsByPath, JobError> {
        let rest = self.one(&source.project, source.acl.as_deref(), dry_run)?;
        let mut rules = Vec::new();
        for rule in &source.rules {
            let globs = scan::globs(&rule.paths)
                .map_err(|error| JobError::Glob { source_name: source.name.clone(), error })?;
            rules.push((globs, self.one(&rule.project, rule.acl.as_deref(), dry_run)?));
        }
        Ok(RightsByPath { rules, rest })
    }

    fn one(&self, project: &str, acl: Option<&str>, dry_run: bool) -> Result<Rights, JobError> {
        let catalog = &self.jobs.catalog;
        let nobody = Rights { project: ProjectId(0), acl: AclId(0) };
        let project = match dry_run {
            false => catalog.ensure_project(project)?,
            true => match catalog.find_project(project)? {
                Some(project) => project,
                None => return Ok(nobody),
            },
        };
        let acl = match acl {
            None => project.acl,
            Some(name) if dry_run => catalog.find_acl(name)?.unwrap_or(nobody.acl),
            Some(name) => catalog.ensure_acl(name)?,
        };
        Ok(Rights { project: project.id, acl })
    }
}

#[cfg(test)]
impl From<(i64, i64)> for RightsByPath {
    fn from((project, acl): (i64, i64)) -> Self {
        RightsByPath { rules: Vec::new(), rest: Rights { project: ProjectId(project), acl: AclId(acl) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_names_a_path_holds() {
        let rights = |n| Rights { project: ProjectId(n), acl: AclId(n) };
        let globs = |glob: &str| scan::globs(&[glob.to_owned()]).unwrap();
        let by_path = RightsByPath {
            rules: vec![(globs("4210-*/Kosten/**"), rights(2)), (globs("4210-*/**"), rights(3))],
            rest: rights(1),
        };
        for (path, n) in [
            ("4210-Werkhof/Kosten/kv.xlsx", 2),
            ("4210-werkhof/kosten/KV.xlsx", 2),
            ("4210-Werkhof/plan.pdf", 3),
            ("4211-Anbau/plan.pdf", 1),
            ("plan.pdf", 1),
        ] {
            assert_eq!(by_path.at(path), rights(n), "{path}");
        }
    }
}
