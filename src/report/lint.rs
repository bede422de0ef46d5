//! The report of lint: findings by record, worst first, and the list of rules.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, first_ids};
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::error::Exit;
use crate::lint::{Finding, LintRule, Severity};
use crate::manifest::QuestionId;
use crate::row;
use crate::workflow::LintReport;

impl Report for LintReport {
    const NAME: &'static str = "lint";
    const ITEMS: Option<&'static str> = Some("findings");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Lint");
        let tone = if self.errors > 0 { Tone::Bad } else { Tone::Good };
        doc.verdict(
            tone,
            format!(
                "{}: {}, {}, {}, {} silenced",
                count(self.records, "record"),
                count(self.errors, "error"),
                count(self.warnings, "warning"),
                count(self.notes, "note"),
                self.silenced
            ),
        );
        let mut records: Vec<&[Finding]> = self
            .findings
            .chunk_by(|one, next| (&one.questions, &one.file) == (&next.questions, &next.file))
            .collect();
        records
            .sort_by_key(|findings| std::cmp::Reverse(findings.iter().map(|finding| finding.severity).max()));
        for findings in records {
            let Some(first) = findings.first() else { continue };
            let ids: Vec<&str> = first.questions.iter().map(QuestionId::as_str).collect();
            let asked = match ids.as_slice() {
                [one] => format!("  {}", invocation.question(one).text),
                _ => String::new(),
            };
            let link = match first.questions.as_slice() {
                [one] => self.page_links.get(one).map(String::as_str),
                _ => None,
            };
            let title = if ids.is_empty() { "questions".to_owned() } else { first_ids(&ids) };
            let title = Text::from(format!("{title}{asked}  {}", first.file.display())).linked(link);
            doc.body.section(title, |body| {
                body.rows(&["severity", "rule", "at", "problem"], findings.iter().map(cells));
            });
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |(id, errors): (&QuestionId, Vec<String>)| {
            let verdict = CaseVerdict::from_pass(Some(errors.is_empty()));
            ReportCase::of_question(id, verdict, errors.join("\n"))
        };
        self.errors_by_question().map(case).collect()
    }

    fn findings(&self) -> Option<&[Finding]> {
        Some(&self.findings)
    }
}

fn cells(finding: &Finding) -> Vec<Text> {
    let tone = match finding.severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Warning,
        Severity::Note => Tone::Muted,
    };
    row![
        Text::badge(tone, finding.severity.name()),
        finding.code,
        Text::code(&finding.key),
        format!("{}\n{}", finding.message, finding.help)
    ]
}

/// The description of rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The rules.
    pub rules: Vec<LintRule>,
}

impl Report for Explained {
    const NAME: &'static str = "lint_rules";
    const ITEMS: Option<&'static str> = Some("rules");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Rules of lint");
        for rule in &self.rules {
            doc.body.section(format!("{} {}: {}", rule.code, rule.severity.name(), rule.title), |body| {
                body.line(rule.help);
                body.line(format!("requirement: {}", rule.requirement));
                body.code(format!("passes: {}", rule.passing));
                body.code(format!("fails: {}", rule.failing));
            });
        }
        doc
    }
}
