//! The report of stale records.

use super::words::count;
use super::{Doc, Invocation, Report, Text, Tone};
use crate::error::Exit;
use crate::row;
use crate::workflow::stale::{StaleRecord, StaleReport};

impl Report for StaleReport {
    const NAME: &'static str = "stale";
    const ITEMS: Option<&'static str> = Some("stale");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Stale records");
        let tone = if self.stale.is_empty() { Tone::Good } else { Tone::Warning };
        doc.verdict(
            tone,
            format!(
                "{}, {} stale (the site's data release when last read: {})",
                count(self.records, "record"),
                self.stale.len(),
                self.newest_release.as_deref().unwrap_or("unknown")
            ),
        );
        let cells = |one: &StaleRecord| {
            row![
                Text::from(&one.question_id).linked(one.page_link.as_deref()),
                invocation.question(one.question_id.as_str()),
                one.page.clone(),
                one.last_looked.chars().take(10).collect::<String>(),
                count(u64::try_from(one.age_days).unwrap_or_default(), "day"),
                one.release.as_deref().unwrap_or("unknown"),
                &one.why,
            ]
        };
        let head = ["question", "asked", "page", "last checked", ">age", "release", "why"];
        doc.body.rows(&head, self.stale.iter().map(cells));
        if !self.stale.is_empty() {
            doc.next("check them again", invocation.command("refresh --stale"));
        }
        doc
    }
}
