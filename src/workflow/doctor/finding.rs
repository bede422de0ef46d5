//! What the doctor checks, and its finding on each check.

use std::sync::Arc;

use serde::Serialize;
use url::Url;

use crate::acquire::Rate;
use crate::acquire::browser::BrowserOptions;
use crate::config::Config;
use crate::error::{Error, Exit};
use crate::extract::Extractors;
use crate::manifest::{Diagnostic, Manifest};
use crate::truth::{Quarantined, Site};

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// The check passed.
    Ok,
    /// A run works but may be impaired.
    Warning,
    /// A collection would fail.
    Failed,
    /// Not checked, because an earlier check failed.
    Skipped,
}

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DoctorFinding {
    /// The name of the check.
    pub check: &'static str,
    /// The result.
    pub health: Health,
    /// What was found.
    pub found: String,
    /// Unreadable files of the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<Quarantined>,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
    /// The exit code if the check failed.
    #[serde(skip)]
    pub exit: Exit,
}

/// What the doctor checks.
pub struct DoctorContext<'a> {
    /// The settings.
    pub config: &'a Config,
    /// The address of the site.
    pub base: Url,
    /// The site that records are attributed to.
    pub site: Site,
    /// Loads the manifest that a run would use.
    pub manifest: &'a (dyn Fn(&Extractors) -> Result<Manifest, Vec<Diagnostic>> + Sync),
    /// How browsers are started.
    pub browser: BrowserOptions,
    /// The request budget.
    pub rate: Arc<Rate>,
}

impl DoctorFinding {
    pub(super) fn ok(check: &'static str, found: impl Into<String>) -> Self {
        let (mend, quarantined, exit) = (None, Vec::new(), Exit::Ok);
        Self { check, health: Health::Ok, found: found.into(), quarantined, mend, exit }
    }

    pub(super) fn warning(check: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { health: Health::Warning, mend: Some(mend.into()), ..Self::ok(check, found) }
    }

    pub(super) fn failed(
        check: &'static str,
        found: impl Into<String>,
        mend: impl Into<String>,
        exit: Exit,
    ) -> Self {
        Self { health: Health::Failed, exit, ..Self::warning(check, found, mend) }
    }

    pub(super) fn error(check: &'static str, error: &Error, mend: impl Into<String>) -> Self {
        Self::failed(check, error.to_string(), mend, error.exit())
    }

    pub(super) fn skipped(check: &'static str, why: &str) -> Self {
        Self { health: Health::Skipped, ..Self::ok(check, why) }
    }
}
