//! Which lines of a page belong to which section, by the headings a person reads.

use super::cue::Cue;
use super::page::{Lines, Page, loosen};

/// The compiled headings of one section.
#[derive(Debug, Clone)]
pub(super) struct Headings {
    /// Anchor of the section.
    pub slug: String,
    /// In every wording.
    pub cues: Vec<Cue>,
}

/// Where a section was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Index into the headings.
    pub section: usize,
    /// Its lines, heading included.
    pub lines: Lines,
    /// The heading as read.
    pub heading: String,
}

/// Finds the sections. The first wording that is there counts; of several places the one marked up as
/// heading, else in the largest type, else the first, and never a link or button.
pub(super) fn find(page: &Page, sections: &[Headings]) -> Vec<Found> {
    let folded: Vec<String> =
        page.lines.iter().map(|line| line.text.trim_end_matches(':').to_owned()).collect();
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let mut introduction = None;
    for (index, section) in sections.iter().enumerate() {
        if section.cues.is_empty() {
            introduction = Some(index);
            continue;
        }
        let place = section.cues.iter().find_map(|cue| {
            let mut lines: Vec<usize> = (0..page.lines.len())
                .filter(|&at| {
                    let line = &page.lines[at];
                    !line.control && !line.chart && line.text.len() < 120 && cue.whole(&folded[at]).is_some()
                })
                .collect();
            lines.sort_by(|&a, &b| {
                let (a_line, b_line) = (&page.lines[a], &page.lines[b]);
                b_line.heading.cmp(&a_line.heading).then(b_line.font.total_cmp(&a_line.font)).then(a.cmp(&b))
            });
            lines.first().copied()
        });
        starts.extend(place.map(|at| (at, index)));
    }
    starts.sort_unstable();
    let mut found: Vec<Found> = Vec::with_capacity(starts.len() + 1);
    if let (Some(section), Some(&(first, _))) = (introduction, starts.first()) {
        found.push(Found { section, lines: 0..first, heading: String::new() });
    }
    for (position, &(at, section)) in starts.iter().enumerate() {
        let end = starts.get(position + 1).map_or(page.lines.len(), |&(next, _)| next);
        found.push(Found { section, lines: at..end, heading: page.lines[at].text.clone() });
    }
    found
}

/// The section that a heading text opens.
pub(super) fn of_heading(sections: &[Headings], heading: &str) -> Option<usize> {
    let heading = crate::value::fold::tidy(heading);
    sections
        .iter()
        .position(|section| section.cues.iter().any(|cue| cue.whole(heading.trim_end_matches(':')).is_some()))
}

/// The line most like a wanted text, for messages.
pub(super) fn nearest(page: &Page, lines: Lines, wanted: &str) -> Option<String> {
    let wanted = loosen(wanted);
    page.lines[lines]
        .iter()
        .filter(|line| line.text.len() < 100 && !line.control)
        .map(|line| (strsim::jaro_winkler(&line.loose, &wanted), &line.text))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, text)| text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(slug: &str, wordings: &[&str]) -> Headings {
        Headings {
            slug: slug.into(),
            cues: wordings.iter().map(|cue| Cue::new(cue, None).unwrap()).collect(),
        }
    }

    #[test]
    fn sections_run_from_heading_to_heading_and_links_are_no_headings() {
        let page = Page::parse(
            "<nav><a>Export Basket in 2024</a></nav><h1>Kenya</h1><p>intro</p><h2>Export Basket in 2024</h2><p>a</p>\
             <div data-agt-font=30>Kenya in Summary</div><p>b</p>",
        );
        let sections = [
            headings("introduction", &[]),
            headings("export-basket", &["Export Basket in {year}"]),
            headings("summary", &["{country} in Summary"]),
            headings("paths", &["{country}'s Product Space"]),
        ];
        let found: Vec<_> = find(&page, &sections)
            .into_iter()
            .map(|found| (sections[found.section].slug.clone(), page.text(found.lines)))
            .collect();
        assert_eq!(
            found,
            [
                ("introduction".to_owned(), "Export Basket in 2024 Kenya intro".to_owned()),
                ("export-basket".to_owned(), "Export Basket in 2024 a".to_owned()),
                ("summary".to_owned(), "Kenya in Summary b".to_owned()),
            ]
        );
        assert_eq!(nearest(&page, 0..6, "Kenya in Sumary").as_deref(), Some("Kenya in Summary"));
    }
}
