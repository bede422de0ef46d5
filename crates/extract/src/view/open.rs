//! Opens a capture as the requested page, or explains why it is another one: by its headings,
//! titles, settled address and own queries.

use std::rc::Rc;

use super::{Patterns, Source, View, entity, section, title};
use crate::atlas::{AtlasUrl, SitePage as Kind, lookup};
use crate::capture::Capture;
use crate::document::{Page, normalize_label};
use crate::manifest::spec::Spec;
use crate::observation::FailureKind;
use crate::response::{Exchanges, ResponseBody, bodies};
use crate::value::ContextPart;

/// Why a capture is not the requested page.
pub struct PageRefusal {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The year of the page.
    pub year: Option<i16>,
}

/// The contradictions between a page and its request.
type Contradictions = Vec<(ContextPart, String)>;

/// The parsed markup of a capture, shared by all readings.
#[derive(Debug)]
pub struct Parsed<'a> {
    page: Rc<Page>,
    sticky: Vec<Rc<Page>>,
    states: Vec<Rc<Page>>,
    bodies: Vec<ResponseBody<'a>>,
}

impl<'a> Parsed<'a> {
    /// Parses the responses too, for a capture that is read many times.
    #[must_use]
    pub fn whole(capture: &'a Capture) -> Self {
        Self { bodies: bodies(&capture.exchanges), ..Self::of(capture) }
    }

    /// Parses only the markup.
    pub fn of(capture: &'a Capture) -> Self {
        let parse = |html: &String| Rc::new(Page::parse(html));
        Self {
            page: parse(&capture.html),
            sticky: capture.sticky_headers.iter().map(|header| parse(&header.html)).collect(),
            states: capture.states.iter().map(|state| parse(&state.html)).collect(),
            bodies: Vec::new(),
        }
    }

    /// The page's own queries, with their responses.
    pub fn exchanges<'s>(&'s self, capture: &'s Capture, spec: &Spec) -> Exchanges<'s> {
        Exchanges::read_known(&capture.exchanges, &self.bodies, &spec.renamed)
    }
}

/// Opens a capture, with or without the responses to our own queries.
///
/// # Errors
/// The page is not the requested one.
pub fn open<'a>(
    spec: &'a Spec,
    patterns: &'a Patterns,
    (capture, parsed): (&'a Capture, &'a Parsed<'a>),
    url: &'a AtlasUrl,
    source: Source,
) -> Result<View<'a>, PageRefusal> {
    let mut view = unchecked_view(spec, patterns, (capture, parsed), url, source);
    let contradictions = match &url.page {
        Kind::Country { .. } => of_country(&view, capture),
        Kind::Explore(_) => of_explore(&mut view, capture),
    };
    let refuse = |kind| PageRefusal { kind, year: view.requested.year };
    // a page with response errors may lack its name
    let blame = |kind| refuse(view.is_free_of_errors().err().unwrap_or(kind));
    match contradictions {
        Err(FailureKind::PageNotFound) => Err(refuse(FailureKind::PageNotFound)),
        Err(kind) => Err(blame(kind)),
        Ok(parts) if !parts.is_empty() => Err(blame(FailureKind::OtherContext(parts))),
        Ok(_) => Ok(view),
    }
}

/// Opens a capture with its sections, whatever page it shows.
pub fn unchecked_view<'a>(
    spec: &'a Spec,
    patterns: &'a Patterns,
    (capture, parsed): (&'a Capture, &'a Parsed<'a>),
    url: &'a AtlasUrl,
    source: Source,
) -> View<'a> {
    let mut exchanges = parsed.exchanges(capture, spec);
    if source == Source::PageAndOurs {
        exchanges = Exchanges::read_ours(&capture.own, &spec.renamed).before(exchanges);
    }
    let mut view = View::new(spec, patterns, url, Some(&capture.settled_url), source, exchanges);
    view.page = Rc::clone(&parsed.page);
    if matches!(url.page, Kind::Country { .. }) {
        view.sections = section::find(&view.page, &patterns.headings);
        view.requested.year = year(&view);
    }
    let sticky = capture.sticky_headers.iter().zip(&parsed.sticky).filter_map(|(header, page)| {
        Some((section::of_heading(&patterns.headings, &header.stop)?, Rc::clone(page)))
    });
    view.sticky = sticky.collect();
    let states = capture.states.iter().zip(&parsed.states);
    view.states = states.map(|(state, page)| (state.name.clone(), Rc::clone(page))).collect();
    view
}

/// The parts in which a country page is about another country.
///
/// # Errors
/// The site reports that the page does not exist, or no section is recognized.
fn of_country(view: &View<'_>, capture: &Capture) -> Result<Contradictions, FailureKind> {
    let page = &view.page;
    if view.sections.is_empty() && says_not_found(view) {
        return Err(FailureKind::PageNotFound);
    }
    if view.sections.is_empty() {
        let text: String = page.text(0..page.lines.len().min(12)).chars().take(160).collect();
        return Err(FailureKind::Unrecognised(format!("\"{}\": {text}", capture.title)));
    }
    let Some(country) = view.country() else { return Ok(Vec::new()) };
    let named = named_countries(view);
    let mut contradictions = entity::of_another(country, capture, &view.exchanges, &named);
    if named.is_empty() && contradictions.is_empty() {
        // a page that does not name its country proves nothing
        contradictions.push((ContextPart::Country, "no heading names the country".to_owned()));
    }
    Ok(contradictions)
}

fn says_not_found(view: &View<'_>) -> bool {
    let text = normalize_label(&view.page.text(0..view.page.lines.len()));
    let texts = &view.patterns.not_found;
    !texts.is_empty() && texts.iter().all(|needle| text.contains(needle.as_str()))
}

/// The country names in headings that have one.
fn named_countries(view: &View<'_>) -> Vec<String> {
    let lines = &view.page.lines;
    let marked = lines.iter().filter(|line| line.heading && !line.control).map(|line| line.text.as_str());
    let mut named: Vec<String> = headings(view)
        .chain(marked)
        .filter_map(|heading| {
            let cues = &view.patterns.entity;
            let hit = cues.iter().find_map(|cue| cue.whole(heading.trim_end_matches(':')))?;
            hit.slots.get("country").cloned()
        })
        .collect();
    // the page title: a top heading that is exactly a country name
    let title = lines
        .iter()
        .take(view.sections.first().map_or(0, |found| found.lines.end))
        .filter(|line| line.heading && !line.control && lookup(&line.text).is_some());
    named.extend(title.map(|line| line.text.clone()).take(1));
    named.sort();
    named.dedup();
    named
}

/// The data year of the page, from a heading.
fn year(view: &View<'_>) -> Option<i16> {
    let cues = &view.patterns.year;
    let hit = |heading: &str| cues.iter().find_map(|cue| cue.whole(heading.trim_end_matches(':')));
    let marked = view.page.lines.iter().filter(|line| line.heading).map(|line| line.text.as_str());
    headings(view).chain(marked).find_map(|heading| hit(heading)?.slots.get("year")?.parse().ok())
}

fn headings<'v>(view: &'v View<'_>) -> impl Iterator<Item = &'v str> {
    view.sections.iter().map(|found| found.heading.as_str())
}

/// The contradictions between an Explore page and its address: its settled address, queries and
/// titles.
///
/// # Errors
/// It is not such a page, or nothing tells whose it is.
fn of_explore(view: &mut View<'_>, capture: &Capture) -> Result<Contradictions, FailureKind> {
    let requested = &view.requested;
    let mut found = requested.address(&capture.settled_url);
    if found.iter().any(|(part, _)| part.is_none()) {
        let what = found.into_iter().map(|(_, what)| what).collect::<Vec<_>>().join("; ");
        return Err(FailureKind::Unrecognised(what));
    }
    let other = requested.set_aside(&mut view.exchanges);
    found.extend(other.into_iter().map(|(part, what)| (Some(part), what)));
    match title::contradictions(view, &capture.title) {
        Ok(said) => found.extend(said.into_iter().map(|(part, what)| (Some(part), what))),
        Err(nearest) if found.is_empty() => return Err(FailureKind::Unrecognised(nearest)),
        Err(_) => {}
    }
    let mut parts: Contradictions = Vec::new();
    for (part, what) in found {
        let entry = (part.unwrap_or(ContextPart::Country), what);
        if !parts.contains(&entry) {
            parts.push(entry);
        }
    }
    Ok(parts)
}
