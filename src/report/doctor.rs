//! What the doctor found, for people.

use crate::workflow::{DoctorReport, Health};

/// A line for each finding, how to mend what is not well, and a verdict that agrees with the exit code.
#[must_use]
pub fn text(report: &DoctorReport, colours: bool) -> String {
    let width = report.findings.iter().map(|finding| finding.check.len()).max().unwrap_or(0);
    let mut text = String::new();
    for finding in &report.findings {
        let (word, colour) = match finding.health {
            Health::Ok => ("ok", 32),
            Health::Warning => ("warning", 33),
            Health::Failed => ("failed", 31),
            Health::Skipped => ("skipped", 2),
        };
        let word = coloured(&format!("{word:7}"), colour, colours);
        text.push_str(&format!("{word}  {:width$}  {}\n", finding.check, finding.found));
        if let Some(mend) = &finding.mend {
            text.push_str(&format!("{:7}  {:width$}  to mend it: {mend}\n", "", ""));
        }
    }
    let (failed, warnings) = (report.count(Health::Failed), report.count(Health::Warning));
    let verdict = match (failed, warnings) {
        (0, 0) => format!("ok: ready to collect from {}", report.site),
        (0, _) => format!("ok: ready to collect from {}, {warnings} warnings", report.site),
        _ => format!(
            "NOT ready to collect from {}: {failed} failed, {warnings} warnings (exit code {})",
            report.site, report.exit_code
        ),
    };
    text.push_str(&coloured(&verdict, if failed == 0 { 32 } else { 31 }, colours));
    text.push('\n');
    text
}

fn coloured(text: &str, code: u8, colours: bool) -> String {
    if colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}
