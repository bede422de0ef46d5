//! Reports problems in a manifest or a suite, with their place and a suggestion.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::error::Exit;
use crate::manifest::{Diagnostic, Severity};
use crate::row;
use crate::scoring::cost::CostEstimate;
use atlas_gt_core::question_id::question_label;

/// The result of a file check.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckReport {
    /// Whether the file can be used.
    pub valid: bool,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of questions or cases; none if the file cannot be used.
    pub questions: Option<usize>,
    /// What asking agent and judge would cost, in US dollars; only for a suite that can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostEstimate>,
    /// The problems.
    pub diagnostics: Vec<Diagnostic>,
    /// The result in one sentence.
    #[serde(skip)]
    pub summary: String,
}

impl CheckReport {
    /// The report of these diagnostics.
    #[must_use]
    pub fn of(diagnostics: Vec<Diagnostic>, questions: Option<usize>, summary: String) -> Self {
        let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error).count();
        let warnings = diagnostics.len() - errors;
        Self { valid: questions.is_some(), errors, warnings, questions, cost: None, diagnostics, summary }
    }
}

impl Report for CheckReport {
    const NAME: &'static str = "check";
    const ITEMS: Option<&'static str> = Some("diagnostics");

    fn exit(&self) -> Exit {
        if self.valid { Exit::Ok } else { Exit::Usage }
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Check");
        let tone = if self.valid { Tone::Good } else { Tone::Bad };
        let counts = format!("{}, {}", count(self.errors, "error"), count(self.warnings, "warning"));
        doc.verdict(tone, format!("{}{counts}", self.summary));
        let cells = |one: &Diagnostic| {
            let tone = if one.severity == Severity::Error { Tone::Bad } else { Tone::Warning };
            let hint = one.suggestion.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            row![
                Text::badge(tone, one.severity.name()),
                one.file_place(),
                one.question.as_ref().map(question_label).unwrap_or_default(),
                one.field.as_str(),
                format!("{}{hint}", one.message)
            ]
        };
        let mut found: Vec<&Diagnostic> = self.diagnostics.iter().collect();
        found.sort_by_key(|one| one.severity != Severity::Error);
        doc.body.rows(&["", "place", "question", "field", "problem"], found.into_iter().map(cells));
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &Diagnostic| {
            let state =
                if one.severity == Severity::Error { CaseVerdict::Fail } else { CaseVerdict::Unscored };
            ReportCase::new(one.file_place(), state, &one.message)
        };
        self.diagnostics.iter().map(case).collect()
    }
}
