//! Writes JUnit XML: one suite per report.

use std::fmt::Display;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::{Doc, Invocation};
use crate::error::{Error, Exit, Result};
use crate::scoring::CaseVerdict;
use atlas_gt_core::question_id::question_label;

/// A test case.
#[derive(Debug, Clone, Serialize)]
pub struct ReportCase {
    /// Its name.
    #[serde(rename = "case")]
    pub name: String,
    /// Its result.
    pub verdict: CaseVerdict,
    /// The reason.
    #[serde(rename = "reason")]
    pub message: String,
}

impl ReportCase {
    /// A test case.
    pub fn new(name: impl ToString, verdict: CaseVerdict, message: impl ToString) -> Self {
        Self { name: name.to_string(), verdict, message: message.to_string() }
    }

    /// A question as a test case.
    pub fn of_question(id: impl Display, verdict: CaseVerdict, message: impl ToString) -> Self {
        Self::new(question_label(id), verdict, message)
    }

    /// What ended with an exit code as a test case.
    pub fn of_exit(name: impl ToString, exit: Exit, message: impl ToString) -> Self {
        let verdict = match exit {
            Exit::Ok => CaseVerdict::Pass,
            Exit::Differences => CaseVerdict::Fail,
            _ => CaseVerdict::Error,
        };
        Self::new(name, verdict, message)
    }

    /// The command itself as a test case.
    pub(super) fn of_command(name: &str, exit: Exit, doc: &Doc) -> Self {
        let summary: Vec<&str> = doc.summary.iter().map(|text| text.text.as_str()).collect();
        Self::of_exit(name, exit, summary.join("\n"))
    }
}

/// A suite with its cases.
#[derive(Debug, Clone)]
pub struct JunitSuite {
    /// Its name.
    name: String,
    /// Its properties.
    properties: Vec<(&'static str, String)>,
    /// Its cases.
    cases: Vec<ReportCase>,
}

impl JunitSuite {
    /// The suite of a report. Its exit code has a case: if no other one fails for it, the report itself does.
    pub fn of<R: super::Report>(report: &R, invocation: &Invocation) -> Self {
        let (name, properties, cases) = (report.suite(), report.properties(), report.cases());
        let mut suite = Self { name, properties, cases };
        if suite.cases.is_empty() || !suite.has(report.exit()) {
            suite.cases.push(ReportCase::of_command(R::NAME, report.exit(), &report.doc(invocation)));
        }
        suite
    }

    /// Adds a case for an exit code that no case shows.
    #[must_use]
    pub fn with_exit(mut self, exit: Exit, reason: &str) -> Self {
        if !self.has(exit) {
            self.cases.push(ReportCase::of_exit(format!("exit code {}", exit as u8), exit, reason));
        }
        self
    }

    /// Whether a case shows this exit code.
    fn has(&self, exit: Exit) -> bool {
        let any = |verdicts: &[CaseVerdict]| self.cases.iter().any(|case| verdicts.contains(&case.verdict));
        match exit {
            Exit::Ok => true,
            Exit::Differences => any(&[CaseVerdict::Partial, CaseVerdict::Fail, CaseVerdict::Error]),
            _ => any(&[CaseVerdict::Error]),
        }
    }

    /// The suite as XML.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn to_xml(&self) -> Result<String> {
        let mut suite = TestSuite::new(xml_text(&self.name));
        let properties: Vec<(&str, String)> =
            self.properties.iter().map(|(name, value)| (*name, xml_text(value))).collect();
        suite.add_properties(properties.iter().map(|(name, value)| (*name, value.as_str())));
        suite.add_test_cases(self.cases.iter().map(|case| self.test_case(case)));
        let mut report = Report::new("atlas-gt");
        report.add_test_suite(suite);
        report.to_string().map_err(|error| Error::Usage(error.to_string()))
    }

    fn test_case(&self, case: &ReportCase) -> TestCase {
        let mut status = match case.verdict {
            CaseVerdict::Pass => TestCaseStatus::success(),
            CaseVerdict::Partial | CaseVerdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
            CaseVerdict::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
            CaseVerdict::Unscored => TestCaseStatus::skipped(),
        };
        if case.verdict != CaseVerdict::Pass {
            status.set_message(xml_text(&case.message));
        }
        let mut test_case = TestCase::new(xml_text(&case.name), status);
        test_case.set_classname(xml_text(&self.name));
        test_case
    }
}

/// A text without the characters that XML 1.0 forbids (section 2.2, `Char`). They are replaced, so
/// that nothing disappears silently.
fn xml_text(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(name: &str, properties: &[(&'static str, String)], cases: &[ReportCase]) -> Result<String> {
        let suite =
            JunitSuite { name: name.to_owned(), properties: properties.to_vec(), cases: cases.to_vec() };
        suite.to_xml()
    }

    #[test]
    fn an_exit_code_has_a_case() {
        let cases = vec![ReportCase::new("a", CaseVerdict::Fail, "")];
        let suite = JunitSuite { name: "s".to_owned(), properties: Vec::new(), cases };
        assert_eq!(suite.clone().with_exit(Exit::Differences, "").cases.len(), 1);
        let written = suite.with_exit(Exit::Usage, "why").to_xml().unwrap();
        assert!(written.contains("classname=\"s\"") && written.contains("errors=\"1\""), "{written}");
        assert!(written.contains("name=\"exit code 2\"") && written.contains("why"), "{written}");
    }

    #[test]
    fn junit_counts_and_escapes() {
        let cases = [
            ReportCase::new("a<b", CaseVerdict::Pass, ""),
            ReportCase::new("a<b", CaseVerdict::Fail, "\"x\"\n\u{1}"),
        ];
        let report = write("s & t", &[], &cases).unwrap();
        assert!(report.contains("testsuite name=\"s &amp; t\" tests=\"2\""), "{report}");
        assert!(report.contains("failures=\"1\""), "{report}");
        assert!(report.contains("&quot;x&quot;") && !report.contains('\u{1}'), "{report}");
    }

    #[test]
    fn junit_holds_nothing_that_xml_forbids() {
        let odd: String = (0..=0x10ffff)
            .step_by(0x7f)
            .chain(0..0x300)
            .chain(0xfff0..=0xffff)
            .filter_map(char::from_u32)
            .collect();
        let cases: Vec<ReportCase> =
            CaseVerdict::ALL.iter().map(|verdict| ReportCase::new(&odd, *verdict, &odd)).collect();
        let report = write(&odd, &[("verdict", odd.clone())], &cases).unwrap();
        // XML 1.0, section 2.2
        let is_char = |c: char| matches!(u32::from(c), 0x9 | 0xa | 0xd | 0x20..=0xd7ff | 0xe000..=0xfffd | 0x1_0000..=0x10_ffff);
        assert_eq!(report.chars().find(|c| !is_char(*c)), None);
        assert_eq!(report.matches("<testcase ").count(), 5);
    }
}
