//! What is wrong or odd in a manifest or a suite: where, and what would be right.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Case, Doc, Invocation, Report, State, Table, Text, Tone};
use crate::error::Exit;
use crate::row;

/// What a check of a file found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckReport {
    /// Whether it can be used.
    pub valid: bool,
    /// How many errors there are.
    pub errors: usize,
    /// How many warnings there are.
    pub warnings: usize,
    /// Its questions or cases; nothing where it cannot be used.
    pub questions: Option<usize>,
    /// What was found.
    pub diagnostics: Vec<Checked>,
    /// What the file comes to, in words.
    #[serde(skip)]
    pub summary: String,
}

/// Something that is wrong or odd.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The question, where it is about one.
    pub question: Option<String>,
    /// The field.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub suggestion: Option<String>,
}

impl CheckReport {
    /// The report of these diagnostics.
    #[must_use]
    pub fn of(diagnostics: Vec<Checked>, questions: Option<usize>, summary: String) -> Self {
        let errors = diagnostics.iter().filter(|one| one.severity == "error").count();
        let warnings = diagnostics.len() - errors;
        Self { valid: questions.is_some(), errors, warnings, questions, diagnostics, summary }
    }
}

impl Checked {
    fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
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
        doc.sum(Text::toned(tone, format!("{}{counts}", self.summary)));
        let cells = |one: &Checked| {
            let tone = if one.severity == "error" { Tone::Bad } else { Tone::Warning };
            let hint = one.suggestion.as_ref().map(|hint| format!("\n{hint}")).unwrap_or_default();
            row![
                Text::badge(tone, one.severity),
                one.place(),
                one.question.as_ref().map(|id| format!("Q{id}")).unwrap_or_default(),
                one.field.clone().unwrap_or_default(),
                format!("{}{hint}", one.message)
            ]
        };
        let mut found: Vec<&Checked> = self.diagnostics.iter().collect();
        found.sort_by_key(|one| one.severity != "error");
        let head = ["", "place", "question", "field", "what is wrong"];
        doc.body.table(Table::new(&head).rows(found.into_iter().map(cells)));
        doc
    }

    fn cases(&self) -> Vec<Case> {
        let case = |one: &Checked| {
            let state = if one.severity == "error" { State::Failed } else { State::Skipped };
            Case::new(one.place(), state, &one.message)
        };
        self.diagnostics.iter().map(case).collect()
    }
}
