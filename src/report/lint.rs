//! What lint found: a table by record, and the rules themselves for people.

use std::fmt::Write as _;

use crate::lint::{Finding, RULES, Rule, Severity};
use crate::workflow::LintReport;

use super::words::{count, first_ids, painted};

/// The findings, grouped by record, and their sum.
#[must_use]
pub fn render_table(report: &LintReport, colours: bool) -> String {
    let mut text = String::new();
    let mut before: Option<&[_]> = None;
    for finding in &report.findings {
        if before != Some(finding.questions.as_slice()) {
            let ids: Vec<&str> = finding.questions.iter().map(|id| id.as_str()).collect();
            let _ = writeln!(text, "{}  {}", heading(&ids), finding.file.display());
            before = Some(&finding.questions);
        }
        let _ =
            writeln!(text, "  {} {}: {}", word(finding.severity, colours), place(finding), finding.message);
        let _ = writeln!(text, "      {}", finding.help);
    }
    let _ = writeln!(
        text,
        "{}: {}, {}, {}, {} silenced",
        count(report.records, "record"),
        count(report.errors, "error"),
        count(report.warnings, "warning"),
        count(report.notes, "note"),
        report.silenced
    );
    text
}

fn heading(ids: &[&str]) -> String {
    if ids.is_empty() { "questions".to_owned() } else { first_ids(ids) }
}

fn word(severity: Severity, colours: bool) -> String {
    let colour = match severity {
        Severity::Error => 31,
        Severity::Warning => 33,
        Severity::Note => 36,
    };
    if colours { painted(severity.name(), colour) } else { severity.name().to_owned() }
}

fn place(finding: &Finding) -> String {
    match finding.key.as_str() {
        "" => finding.code.to_owned(),
        key => format!("{} {key}", finding.code),
    }
}

/// A rule for a person: what it looks for, what to do, and its examples.
#[must_use]
pub fn explain(rule: &Rule) -> String {
    format!(
        "{} {}: {}\n\n  {}\n\n  asked for by section {} of the evaluation strategy\n\n  passes: {}\n\n  fails: {}\n",
        rule.code,
        rule.severity.name(),
        rule.title,
        rule.help,
        rule.section,
        rule.passing,
        rule.failing
    )
}

/// The rules as a page of documentation.
#[must_use]
pub fn rules_page() -> String {
    let mut text = String::from(
        "# Rules of lint\n\nGenerated from the program (`UPDATE_DOCS=1 cargo test --lib reference`); a test keeps it up to date. How lint is used:
[health](health.md). `atlas-gt lint --explain GT005` prints a rule with its examples, which are its tests.

| rule | severity | what is wrong | what to do |\n|---|---|---|---|\n",
    );
    for rule in RULES {
        let _ =
            writeln!(text, "| {} | {} | {} | {} |", rule.code, rule.severity.name(), rule.title, rule.help);
    }
    text.push_str("\n## Examples\n");
    for rule in RULES {
        let _ = write!(
            text,
            "\n{}\n\n```text\npasses  {}\nfails   {}\n```\n",
            rule.code, rule.passing, rule.failing
        );
    }
    text
}
