//! The report of the doctor.

use super::words::count;
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::config::Setting;
use crate::error::Exit;
use crate::row;
use crate::workflow::{DoctorFinding, DoctorReport, Health};

impl Report for DoctorReport {
    const NAME: &'static str = "doctor";
    const ITEMS: Option<&'static str> = Some("findings");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let (failed, warnings) = (self.count(Health::Failed), self.count(Health::Warning));
        let site = &self.site;
        let verdict = match (failed, warnings) {
            (0, 0) => format!("ok: ready to collect from {site}"),
            (0, _) => format!("ok: ready to collect from {site}, {}", count(warnings, "warning")),
            _ => format!(
                "NOT ready to collect from {site}: {failed} failed, {} (exit code {})",
                count(warnings, "warning"),
                self.exit_code
            ),
        };
        let mut doc = Doc::new("Doctor");
        doc.verdict(if failed == 0 { Tone::Good } else { Tone::Bad }, verdict);
        let cells = |finding: &DoctorFinding| {
            let (word, tone) = match finding.health {
                Health::Ok => ("ok", Tone::Good),
                Health::Warning => ("warning", Tone::Warning),
                Health::Failed => ("failed", Tone::Bad),
                Health::Skipped => ("skipped", Tone::Muted),
            };
            let mend = finding.mend.as_ref().map(|mend| format!("\nfix: {mend}")).unwrap_or_default();
            row![Text::badge(tone, word), finding.check, format!("{}{mend}", finding.found)]
        };
        let mut findings: Vec<&DoctorFinding> = self.findings.iter().collect();
        findings.sort_by_key(|finding| match finding.health {
            Health::Failed => 0,
            Health::Warning => 1,
            Health::Ok | Health::Skipped => 2,
        });
        doc.body.rows(&["", "check", "found"], findings.into_iter().map(cells));
        doc.body.section("Settings", |body| {
            let cells = |one: &Setting| row![Text::code(one.key), &one.value, &one.from];
            body.rows(&["setting", "value", "from"], self.settings.iter().map(cells));
        });
        if failed == 0 {
            doc.next("collect", invocation.command("collect"));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |finding: &DoctorFinding| {
            let state = match finding.health {
                Health::Ok | Health::Warning => CaseVerdict::Pass,
                Health::Failed => CaseVerdict::Fail,
                Health::Skipped => CaseVerdict::Unscored,
            };
            ReportCase::new(finding.check, state, &finding.found)
        };
        self.findings.iter().map(case).collect()
    }
}
