//! Proposals of `mend` for people.

use std::fmt::Write as _;
use std::path::Path;

use super::words::count;
use crate::mend::Proposal;
use crate::workflow::mend::Mended;

/// Wordings that are listed of those that would all do.
const MANY: usize = 6;

/// All that is proposed, all that is not, and what comes next.
#[must_use]
pub fn text(mended: &Mended, bundle: Option<&Path>, dir: Option<&Path>) -> String {
    let mut text = String::new();
    for one in &mended.unique {
        text.push_str(&proposal(one));
    }
    for one in &mended.open {
        let _ = writeln!(text, "{}/{}: nothing is proposed: {}", one.extractor, one.subject, one.why);
        for either in one.either.iter().take(MANY) {
            let is_id = mended.unproven.iter().any(|unproven| unproven.id == *either);
            let _ = if is_id {
                writeln!(text, "    not proven: --accept {either}")
            } else {
                writeln!(text, "    either \"{either}\"")
            };
        }
        if one.either.len() > MANY {
            let _ = writeln!(text, "    and {} more", one.either.len() - MANY);
        }
    }
    let points: usize = mended.unique.iter().map(|one| one.points.len()).sum();
    let _ = writeln!(
        text,
        "{} for {}; {} left as they are ({})",
        count(mended.unique.len(), "proposal"),
        count(points, "point"),
        mended.open.len(),
        mended.bundle.display()
    );
    for file in &mended.written {
        let _ = writeln!(text, "wrote {}", file.display());
    }
    let bundle = bundle.map(|bundle| format!(" {}", bundle.display())).unwrap_or_default();
    let specs = dir.map_or_else(
        || " --extractors out/specs".to_owned(),
        |dir| format!(" --extractors {}", dir.display()),
    );
    if !mended.written.is_empty() {
        let _ = writeln!(text, "next: atlas-gt collect{specs}");
    } else if !mended.unique.is_empty() {
        let _ = writeln!(text, "next: atlas-gt mend{bundle} --accept-unique{specs}");
    }
    text
}

/// A proposal: what is called otherwise, how it was called, and what is read with it.
#[must_use]
pub fn proposal(one: &Proposal) -> String {
    let mut text = format!("{} ({}; {})\n", one.id, one.kind, one.proof.words());
    for old in &one.old {
        let _ = writeln!(text, "  - {old}");
    }
    let _ = writeln!(text, "  + {}", one.new);
    for edit in one.edits.iter().filter(|edit| edit.wording() != one.new) {
        let _ = writeln!(text, "  + {} = {}", edit.subject(), edit.wording());
    }
    // what a page says that it has not stands in no response
    for read in one.reads.iter().filter(|read| !read.response.is_empty()) {
        let _ = writeln!(
            text,
            "    {}, {}: \"{}\"; the response says {}",
            read.page, read.point, read.displayed, read.response
        );
    }
    text
}
