//! The report of `mend`: for each proposal the old and new wording, the values read with it, and
//! the picture of the page part.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Body, Card, Doc, Invocation, Report, Table, Text, Tone, quoted};
use crate::error::Exit;
use crate::mend::{Proposal, ReadAgain, Unmended};
use crate::row;
use crate::workflow::mend::Mended;
use atlas_gt_core::command_line::flag;

/// Maximum number of listed alternatives.
const MAX_ALTERNATIVES: usize = 6;

/// Proposals, with the names that next steps need.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Proposals<'a> {
    /// The proposals.
    #[serde(flatten)]
    pub mended: &'a Mended,
    /// The survey named by the command.
    #[serde(skip)]
    pub bundle: Option<&'a Path>,
    /// The spec folder, if there is one.
    #[serde(skip)]
    pub specs: Option<&'a Path>,
    /// Pictures by proposal id.
    #[serde(skip)]
    pub crops: BTreeMap<String, Vec<u8>>,
}

impl Report for Proposals<'_> {
    const NAME: &'static str = "mend";
    const ITEMS: Option<&'static str> = Some("unique");

    fn exit(&self) -> Exit {
        self.mended.exit()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mended = self.mended;
        let mut doc = Doc::new("Proposals");
        let points: usize = mended.unique.iter().map(|one| one.points.len()).sum();
        doc.sum(format!(
            "{} for {}; {} unresolved ({})",
            count(mended.unique.len(), "proposal"),
            count(points, "point"),
            mended.open.len(),
            mended.bundle.display()
        ));
        doc.body.list(mended.rounds.iter().zip(1..).map(|(round, at)| format!("round {at}: {round}")));
        doc.body.list(mended.written.iter().map(|file| format!("wrote {}", file.display())));
        let head = ["proposal", "was", "is", "reads"];
        let cards = mended.unique.iter().map(|one| self.card(one)).collect();
        doc.body.cards(Table::new(&head).rows(mended.unique.iter().map(cells)), cards);
        doc.body.section("Unresolved", |body| {
            let cells = |one: &Unmended| self.unmended(one);
            body.rows(&["point", "reason", "alternatives"], mended.open.iter().map(cells));
        });
        let bundle = self.bundle.map(|dir| format!(" {}", quoted(&dir.display().to_string())));
        let specs = match self.specs {
            _ if invocation.flags().contains(" --extractors ") => String::new(),
            Some(dir) => flag("extractors", dir.display()),
            None => flag("extractors", "out/specs"),
        };
        if !mended.written.is_empty() {
            doc.next("collect with them", invocation.command("collect") + &specs);
        } else if !mended.unique.is_empty() {
            let what = format!("mend{} --accept-unique", bundle.unwrap_or_default());
            doc.next("accept all proven proposals", invocation.command(&what) + &specs);
        }
        doc
    }
}

impl Proposals<'_> {
    fn card(&self, one: &Proposal) -> Card {
        let blocks = Body::of(|body| {
            body.list(one.old.iter().map(|old| Text::toned(Tone::Bad, format!("− {old}"))));
            body.list(new_wordings(one).into_iter().map(|new| Text::toned(Tone::Good, format!("+ {new}"))));
            let cells =
                |read: &ReadAgain| row![&read.page, Text::code(&read.point), &read.displayed, &read.response];
            body.rows(&["page", "point", "displayed", "the response says"], reads(one).map(cells));
            if let Some(png) = self.crops.get(&one.id) {
                body.picture(format!("the place of {}", one.id), png);
            }
        });
        let head = row![Text::code(&one.id), Text::muted(format!(" {}; {}", one.kind, one.proof.words()))];
        Card { head, blocks, ..Card::default() }
    }

    fn unmended(&self, one: &Unmended) -> Vec<Text> {
        let either = |either: &String| {
            let is_id = self.mended.unproven.iter().any(|unproven| unproven.id == *either);
            if is_id { format!("not proven: --accept {either}") } else { format!("\"{either}\"") }
        };
        let either = first(one.either.iter().map(either).collect());
        row![Text::code(format!("{}/{}", one.extractor, one.subject)), &one.why, either]
    }
}

fn cells(one: &Proposal) -> Vec<Text> {
    let read = |read: &ReadAgain| {
        format!("{}, {}: \"{}\"; the response says {}", read.page, read.point, read.displayed, read.response)
    };
    row![
        format!("{}\n{}; {}", one.id, one.kind, one.proof.words()),
        one.old.join("\n"),
        new_wordings(one).join("\n"),
        first(reads(one).map(read).collect())
    ]
}

/// The first of many, with the number of the rest.
fn first(mut all: Vec<String>) -> String {
    let more = all.len().saturating_sub(MAX_ALTERNATIVES);
    all.truncate(MAX_ALTERNATIVES);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all.join("\n")
}

/// The new wordings of a proposal.
fn new_wordings(one: &Proposal) -> Vec<String> {
    let edits = one.edits.iter().filter(|edit| edit.wording() != one.new);
    let edits = edits.map(|edit| format!("{} = {}", edit.subject(), edit.wording()));
    std::iter::once(one.new.clone()).chain(edits).collect()
}

/// The values read with it, without known absences: no response holds those.
fn reads(one: &Proposal) -> impl Iterator<Item = &ReadAgain> {
    one.reads.iter().filter(|read| !read.response.is_empty())
}

/// A proposal as text, for a choice in a terminal.
#[must_use]
pub fn proposal(one: &Proposal) -> String {
    let mut lines = vec![format!("{} ({}; {})", one.id, one.kind, one.proof.words())];
    lines.extend(one.old.iter().map(|old| format!("  - {old}")));
    lines.extend(new_wordings(one).iter().map(|new| format!("  + {new}")));
    lines.extend(reads(one).map(|read| {
        format!(
            "    {}, {}: \"{}\"; the response says {}",
            read.page, read.point, read.displayed, read.response
        )
    }));
    super::inert::inert(&(lines.join("\n") + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Format, Terminal, write};

    #[test]
    fn what_a_page_says_is_text_and_nothing_else() {
        let proposal = Proposal {
            id: "x/a".into(),
            extractor: "x".into(),
            kind: "label".into(),
            proof: crate::mend::Proof::Displayed,
            old: vec!["A".into()],
            new: "<script>alert(1)</script>".into(),
            edits: Vec::new(),
            points: vec!["a".into()],
            reads: vec![ReadAgain {
                page: "Kenya".into(),
                point: "a".into(),
                displayed: "$2 & more".into(),
                response: "2".into(),
            }],
        };
        let mended = Mended { unique: vec![proposal], ..Mended::default() };
        let crops = BTreeMap::from([("x/a".to_owned(), vec![1, 2, 3])]);
        let report = Proposals { mended: &mended, bundle: None, specs: None, crops };
        let page = write(&report, Format::Html, &Invocation::default(), Terminal::PLAIN).unwrap();
        assert!(
            !page.contains("<script>") && page.contains("$2 &amp; more") && page.contains("data:image/png"),
            "{page}"
        );
        assert!(page.contains("1 proposal for 1 point"));
    }
}
