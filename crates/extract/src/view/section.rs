//! Finds the lines of each section of a page by its headings.

use crate::cue::Cue;
use crate::document::{Lines, Page, normalize_label};

/// The compiled headings of a section.
#[derive(Debug, Clone)]
pub struct Headings {
    /// The section's anchor.
    pub slug: String,
    /// The heading, in every wording.
    pub cues: Vec<Cue>,
}

/// A section on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSection {
    /// The index of its headings.
    pub section: usize,
    /// Its lines, including the heading.
    pub lines: Lines,
    /// The heading text.
    pub heading: String,
}

/// The maximum lines of a heading.
const MAX_HEADING_LINES: usize = 3;

/// The lines and small blocks that may be headings, with their text. A heading may have several
/// lines.
fn places(page: &Page) -> Vec<(Lines, String)> {
    let may_be = |lines: &Lines| {
        let lines = &page.lines[lines.clone()];
        lines.iter().all(|line| !line.control && !line.chart)
            && lines.iter().map(|line| line.text.len() + 1).sum::<usize>() <= 120
    };
    let single = (0..page.lines.len()).map(|at| at..at + 1);
    let blocks = page.blocks.iter().map(|block| block.lines.clone());
    let mut tall: Vec<Lines> =
        blocks.filter(|lines| (2..=MAX_HEADING_LINES).contains(&lines.len())).collect();
    tall.dedup();
    let text = |lines: Lines| (lines.clone(), page.text(lines).trim_end_matches(':').to_owned());
    single.chain(tall).filter(may_be).map(text).collect()
}

/// Finds the sections. The first wording on the page wins. Of several places, a single line beats
/// several, then marked-up headings, then the largest type, then the first. Links and buttons are
/// never headings.
pub fn find(page: &Page, sections: &[Headings]) -> Vec<FoundSection> {
    let places = places(page);
    let mut starts: Vec<(usize, usize, &Lines)> = Vec::new();
    let mut introduction = None;
    for (index, section) in sections.iter().enumerate() {
        if section.cues.is_empty() {
            introduction = Some(index);
            continue;
        }
        let place = section.cues.iter().find_map(|cue| {
            let mut fitting: Vec<&Lines> =
                places.iter().filter(|(_, text)| cue.whole(text).is_some()).map(|(lines, _)| lines).collect();
            fitting.sort_by(|a, b| {
                let (a_line, b_line) = (&page.lines[a.start], &page.lines[b.start]);
                let more = (a.len() > 1).cmp(&(b.len() > 1));
                let marked = b_line.heading.cmp(&a_line.heading);
                more.then(marked).then(b_line.font.total_cmp(&a_line.font)).then(a.start.cmp(&b.start))
            });
            fitting.first().copied()
        });
        starts.extend(place.map(|lines| (lines.start, index, lines)));
    }
    starts.sort_unstable_by_key(|&(at, index, _)| (at, index));
    let mut found: Vec<FoundSection> = Vec::with_capacity(starts.len() + 1);
    if let (Some(section), Some(&(first, ..))) = (introduction, starts.first()) {
        found.push(FoundSection { section, lines: 0..first, heading: String::new() });
    }
    for (position, &(at, section, own)) in starts.iter().enumerate() {
        let end = starts.get(position + 1).map_or(page.lines.len(), |&(next, ..)| next);
        found.push(FoundSection { section, lines: at..end, heading: page.text(own.clone()) });
    }
    found
}

/// The section that a heading opens.
pub fn of_heading(sections: &[Headings], heading: &str) -> Option<usize> {
    let heading = crate::value::fold::tidy(heading);
    sections
        .iter()
        .position(|section| section.cues.iter().any(|cue| cue.whole(heading.trim_end_matches(':')).is_some()))
}

/// The line most similar to a text, for messages.
pub fn nearest(page: &Page, lines: Lines, wanted: &str) -> Option<String> {
    let wanted = normalize_label(wanted);
    page.lines[lines]
        .iter()
        .filter(|line| line.text.len() < 100 && !line.control)
        .map(|line| (strsim::jaro_winkler(&line.normalized, &wanted), &line.text))
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

    #[test]
    fn the_lines_of_one_heading_are_one_heading() {
        let page = Page::parse(
            "<h1>Kenya</h1><h2>Export Basket<span data-agt-d=b>in 2024</span></h2><p>a</p>\
             <nav><a>Export Basket</a><a>in 2024</a></nav>",
        );
        let sections = [
            headings("introduction", &[]),
            headings("export-basket", &["Export Basket in {year}", "Export Basket"]),
        ];
        let found = find(&page, &sections);
        assert_eq!((found[1].heading.as_str(), found[1].lines.clone()), ("Export Basket in 2024", 1..5));
    }
}
