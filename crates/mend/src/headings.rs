//! Proposes headings of sections, by the values below them.

use std::collections::{BTreeMap, BTreeSet};

use super::mending::{Mending, Proof};
use super::trial::Trial;
use crate::atlas::find_names;
use crate::error::Result;
use crate::extract::document::{Line, Lines, Page};
use crate::extract::is_title;
use crate::extract::kinds::kind::agreement;
use crate::extract::kinds::narrative::prose;
use crate::extract::view::View;
use crate::manifest::spec::edit::Edit;

/// A heading of a page, with the lines below it.
struct Heading {
    /// Its text with slots for country and year.
    template: String,
    lines: Lines,
    /// The sticky bars captured at it.
    bars: Vec<Page>,
}

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let (found, placed, open) = {
        let views = trial.unchecked_views();
        let sections = &trial.spec().sections;
        let is_lacking = |at: usize| {
            let lacks = |view: &View<'_>| view.sections.iter().all(|found| found.section != at);
            !sections[at].headings.is_empty() && views.iter().any(lacks)
        };
        let mut open: Vec<usize> = (0..sections.len()).filter(|&at| is_lacking(at)).collect();
        let mut level = Level::MarkedUp;
        let mut found = on_level(trial, &views, &open, &level);
        open.retain(|at| !found.iter().any(|(own, _)| own == at));
        if !open.is_empty() {
            // Without marked-up headings, use the type size that heads most sections.
            let by_size =
                sizes(&views).into_iter().map(|level| (on_level(trial, &views, &open, &level), level));
            if let Some((more, of_size)) = by_size.max_by_key(|(found, _)| found.len())
                && !more.is_empty()
            {
                found.extend(more);
                level = of_size;
            }
        }
        let placed = by_place(trial, &views, &found, &level);
        open.retain(|at| !found.iter().chain(&placed).any(|(own, _)| own == at));
        (found, placed, open)
    };
    let found = found.into_iter().map(|one| (one, Proof::Displayed));
    let found = found.chain(placed.into_iter().map(|one| (one, Proof::Place)));
    for ((at, template), proof) in found {
        let (edits, slug, old) = {
            let spec = trial.spec();
            let section = &spec.sections[at];
            let mut edits = vec![Edit::add(format!("sections.{}.headings", section.slug), template.clone())];
            // If the old heading also serves as entity or year heading, so does the new one.
            for (key, wordings, slot) in [
                ("entity_headings", &spec.entity_headings, "{country}"),
                ("year_heading", &spec.year_heading, "{year}"),
            ] {
                let same = wordings.iter().any(|one| section.headings.contains(one));
                if same && template.contains(slot) {
                    edits.push(Edit::add(key.to_owned(), template.clone()));
                }
            }
            (edits, section.slug.clone(), section.headings.clone())
        };
        let points = trial.spec().points.iter().filter(|point| point.section == slug);
        let points = points.map(|point| point.id.clone()).collect();
        let subject = format!("section.{slug}");
        trial.accept(proof, mending, ("heading", &subject, old), &template, edits, points)?;
    }
    for at in open {
        let slug = trial.spec().sections[at].slug.clone();
        let why = "no heading has only its values below it";
        trial.leave(mending, &format!("section.{slug}"), why, Vec::new());
    }
    notices(trial, mending)
}

/// What the section headings of a page have in common.
enum Level {
    /// They are marked up as headings.
    MarkedUp,
    /// They have the same type size on every page. Larger sizes come first.
    Size(f32, BTreeSet<String>),
}

/// The type sizes that several texts share on every page.
fn sizes(views: &[View<'_>]) -> Vec<Level> {
    let on_page = |view: &View<'_>| -> BTreeSet<(u32, String)> {
        let lines = view.page.lines.iter().filter(|line| is_title(line));
        lines.map(|line| (line.font.to_bits(), template(&line.text))).collect()
    };
    let mut pages = views.iter().map(on_page);
    let Some(first) = pages.next() else { return Vec::new() };
    let common = pages.fold(first, |common, page| common.intersection(&page).cloned().collect());
    let mut levels: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for (size, text) in common {
        levels.entry(size).or_default().insert(text);
    }
    levels.retain(|_, texts| texts.len() > 1);
    // The bit patterns of positive floats sort like the numbers.
    levels.into_iter().map(|(size, texts)| Level::Size(f32::from_bits(size), texts)).collect()
}

/// The sections whose values are below exactly one heading of a level, each with its heading.
fn on_level(trial: &Trial<'_>, views: &[View<'_>], open: &[usize], level: &Level) -> Vec<(usize, String)> {
    let headings: Vec<Vec<Heading>> =
        views.iter().zip(trial.pages).map(|(view, page)| of_page(view, page.capture, level)).collect();
    let sections = &trial.spec().sections;
    let known: BTreeSet<&str> =
        views.iter().flat_map(|view| &view.sections).map(|found| found.heading.as_str()).collect();
    let mut templates: BTreeSet<&str> = headings.iter().flatten().map(|one| one.template.as_str()).collect();
    templates.retain(|template| !known.contains(template));
    // The number of a section's values below a heading, page by page.
    let on_pages = |at: usize, template: &str| -> Vec<usize> {
        let on_page = |(headings, view): (&Vec<Heading>, &View<'_>)| {
            let heading = headings.iter().find(|one| one.template == template);
            heading.map_or(0, |heading| values(trial, view, at, heading))
        };
        headings.iter().zip(views).map(on_page).collect()
    };
    let mut scores: Vec<Score<'_>> = Vec::new();
    for &at in open {
        for &template in &templates {
            let counts = on_pages(at, template);
            // A section that every country has must have values on every page.
            let is_everywhere = !counts.contains(&0) || !sections[at].unavailable.is_empty();
            if is_everywhere && counts.iter().any(|count| *count > 0) {
                scores.push(Score { values: counts.iter().sum(), section: at, template });
            }
        }
    }
    let mut found = Vec::new();
    // The clearest match first: its heading is then taken.
    while let Some(&Score { section, template, .. }) = sure(&scores) {
        found.push((section, template.to_owned()));
        scores.retain(|one| one.section != section && one.template != template);
    }
    found
}

/// Headings of sections with too few values, by position: either as many headings lie between two known sections as
/// sections, or the page's link to the section has nearly the same text.
fn by_place(
    trial: &Trial<'_>,
    views: &[View<'_>],
    found: &[(usize, String)],
    level: &Level,
) -> Vec<(usize, String)> {
    let pages: Vec<Vec<Heading>> =
        views.iter().zip(trial.pages).map(|(view, page)| of_page(view, page.capture, level)).collect();
    // The headings of every page, if they have the same order everywhere.
    let order = |headings: &Vec<Heading>| -> Vec<String> {
        headings.iter().map(|heading| heading.template.clone()).collect()
    };
    let Some(first) = pages.first().map(order) else { return Vec::new() };
    if pages.iter().any(|page| order(page) != first) {
        return Vec::new();
    }
    let sections = &trial.spec().sections;
    let known = |template: &str| -> Option<usize> {
        let of_spec = views.iter().flat_map(|view| &view.sections);
        let of_spec = of_spec.filter(|one| super::headings::template(&one.heading) == template);
        let found = found.iter().find(|(_, own)| own == template).map(|(at, _)| *at);
        found.or_else(|| of_spec.map(|one| one.section).next())
    };
    let headings: Vec<(String, Option<usize>)> =
        first.into_iter().map(|template| (template.clone(), known(&template))).collect();
    let taken: BTreeSet<usize> = headings.iter().filter_map(|(_, at)| *at).collect();
    let mut placed: Vec<(usize, String)> = Vec::new();
    for at in (0..sections.len()).filter(|at| !taken.contains(at) && !sections[*at].headings.is_empty()) {
        let free = || headings.iter().filter(|(_, at)| at.is_none()).map(|(template, _)| template);
        let links = links(trial, &sections[at].slug);
        let fits = |template: &&String| links.iter().any(|link| is_nearly(template, link));
        let mut fitting = free().filter(fits);
        if let (Some(one), None) = (fitting.next(), fitting.next()) {
            placed.push((at, one.clone()));
        }
    }
    // A heading that matches two links belongs to neither.
    let twice = |text: &str| placed.iter().filter(|(_, own)| own == text).count() > 1;
    let mut placed: Vec<(usize, String)> = placed.iter().filter(|(_, text)| !twice(text)).cloned().collect();
    let of = |(template, at): &(String, Option<usize>)| {
        at.or_else(|| placed.iter().find(|(_, own)| own == template).map(|(at, _)| *at))
    };
    let known: Vec<Option<usize>> = headings.iter().map(of).collect();
    let headed = |at: &usize| !sections[*at].headings.is_empty();
    let mut between: Vec<(usize, String)> = Vec::new();
    let anchors: Vec<usize> = (0..known.len()).filter(|&place| known[place].is_some()).collect();
    for pair in anchors.windows(2) {
        let (Some(before), Some(after)) = (known[pair[0]], known[pair[1]]) else { continue };
        let own: Vec<usize> = (before + 1..after).filter(headed).collect();
        let places: Vec<usize> = (pair[0] + 1..pair[1]).collect();
        if before < after && own.len() == places.len() && own.iter().all(|at| !known.contains(&Some(*at))) {
            between.extend(own.into_iter().zip(places.into_iter().map(|place| headings[place].0.clone())));
        }
    }
    placed.extend(between);
    placed
}

/// The texts of the page's links to a section, with slots for countries and years.
fn links(trial: &Trial<'_>, slug: &str) -> BTreeSet<String> {
    let Ok(selector) = scraper::Selector::parse("a[href]") else { return BTreeSet::new() };
    let of_page = |page: &super::mending::MendPage<'_>| -> Vec<String> {
        let html = scraper::Html::parse_document(&page.capture.html);
        let own = format!("{}/{slug}", page.url.document().path());
        let is_own = |link: &scraper::ElementRef<'_>| {
            link.value()
                .attr("href")
                .is_some_and(|href| href.split(['?', '#']).next().is_some_and(|path| path.ends_with(&own)))
        };
        let text = |link: scraper::ElementRef<'_>| {
            let text = link.text().collect::<Vec<_>>().join(" ");
            template(&text.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        html.select(&selector).filter(is_own).map(text).collect()
    };
    trial.pages.iter().flat_map(of_page).collect()
}

/// Whether two wordings share most of their words.
fn is_nearly(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (one, other) = (words(one), words(other));
    let common = one.intersection(&other).count();
    common * 3 >= one.len().max(other.len()) * 2
}

/// The number of a section's values below a heading.
#[derive(Clone, Copy)]
struct Score<'t> {
    values: usize,
    section: usize,
    template: &'t str,
}

/// The clearest match: a heading with more values of a section than any other heading, and with more values of it than
/// of any other section. A tie with another section is fine if this is the section's only heading and the other has
/// more.
fn sure<'s, 't>(scores: &'s [Score<'t>]) -> Option<&'s Score<'t>> {
    let of_section = |section: usize| scores.iter().filter(move |one| one.section == section);
    let is_best = |one: &Score<'_>| {
        of_section(one.section).all(|other| other.template == one.template || other.values < one.values)
    };
    let is_only = |section: usize| of_section(section).count() == 1;
    let is_sure = |one: &&Score<'_>| {
        let others =
            scores.iter().filter(|other| other.template == one.template && other.section != one.section);
        let yields = |other: &Score<'_>| {
            other.values < one.values || (is_only(one.section) && !is_only(other.section))
        };
        is_best(one) && others.clone().all(yields)
    };
    scores.iter().filter(is_sure).max_by_key(|one| one.values)
}

/// Proposes notices: the only sentence below a heading on the page of a country without that section.
fn notices(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let views = trial.views();
    for at in (0..trial.spec().sections.len()).filter(|&at| !trial.spec().sections[at].unavailable.is_empty())
    {
        for view in views.iter().flatten() {
            let Some(own) = view.sections.iter().find(|one| one.section == at) else { continue };
            let known = &view.patterns.unavailable[at];
            let shown =
                view.page.lines[own.lines.clone()].iter().filter(|line| !line.control && !line.heading);
            // Unknown sections may follow and repeat the same sentence.
            let mut texts: Vec<&Line> = shown.collect();
            texts.dedup_by(|a, b| a.text == b.text);
            if let [one] = texts.as_slice()
                && !known.iter().any(|notice| one.normalized.contains(notice.as_str()))
                && !found.contains(&(at, one.text.clone()))
            {
                found.push((at, one.text.clone()));
            }
        }
        if found.iter().filter(|(own, _)| *own == at).count() > 1 {
            found.retain(|(own, _)| *own != at);
        }
    }
    drop(views);
    for (at, text) in found {
        let section = &trial.spec().sections[at];
        let (slug, old) = (section.slug.clone(), section.unavailable.clone());
        let edits = vec![Edit::add(format!("sections.{slug}.unavailable"), text.clone())];
        let subject = format!("section.{slug}.unavailable");
        trial.accept(Proof::Displayed, mending, ("notice", &subject, old), &text, edits, Vec::new())?;
    }
    Ok(())
}

/// The headings of a page. The lines below one end at the next heading of at least the same size.
fn of_page(view: &View<'_>, capture: &crate::capture::Capture, level: &Level) -> Vec<Heading> {
    let page = &view.page;
    let is_heading = |line: &Line| match level {
        Level::MarkedUp => line.heading && !line.control,
        Level::Size(size, texts) => {
            line.font.to_bits() == size.to_bits() && is_title(line) && texts.contains(&template(&line.text))
        }
    };
    let all: Vec<usize> = (0..page.lines.len()).filter(|&at| is_heading(&page.lines[at])).collect();
    // Section headings have the largest size that several headings share. Smaller ones belong to a section.
    let font = |at: usize| page.lines[at].font;
    let shared = all.iter().filter(|&&at| all.iter().any(|&other| other != at && font(other) == font(at)));
    let level = shared.map(|&at| font(at)).fold(0.0, f32::max);
    let one = |&at: &usize| {
        let line = &page.lines[at];
        let next = all.iter().find(|&&other| other > at && page.lines[other].font >= line.font);
        let bars = capture.sticky_headers.iter().filter(|bar| bar.stop == line.text);
        Heading {
            template: template(&line.text),
            lines: at..next.copied().unwrap_or(page.lines.len()),
            bars: bars.map(|bar| Page::parse(&bar.html)).collect(),
        }
    };
    let of_section = all.iter().filter(|&&at| font(at) >= level);
    of_section.map(one).filter(|heading| heading.template != "{country}").collect()
}

/// Replaces country names and years in a text by slots.
pub fn template(text: &str) -> String {
    let mut out = text.to_owned();
    let mut names: Vec<_> = find_names(text).into_iter().map(|(range, _)| range).collect();
    names.sort_by_key(|range| std::cmp::Reverse(range.start));
    for range in names {
        out.replace_range(range, "{country}");
    }
    let is_year = |word: &str| {
        word.len() == 4
            && word.bytes().all(|b| b.is_ascii_digit())
            && (word.starts_with("19") || word.starts_with("20"))
    };
    let words: Vec<&str> = out.split(' ').map(|word| word.trim_matches([',', '(', ')', ':', '?'])).collect();
    let years: Vec<String> = words.into_iter().filter(|word| is_year(word)).map(str::to_owned).collect();
    match years.as_slice() {
        [year] => out.replacen(year.as_str(), "{year}", 1),
        [start, end] => out.replacen(start.as_str(), "{start}", 1).replacen(end.as_str(), "{end}", 1),
        _ => out,
    }
}

/// How many points of a section have their value below a heading.
fn values(trial: &Trial<'_>, view: &View<'_>, section: usize, heading: &Heading) -> usize {
    let slug = &trial.spec().sections[section].slug;
    let of_section = trial.extractor.kinds().filter(|(point, _)| point.section == *slug);
    let stands = |page: &Page,
                  lines: Lines,
                  point: &crate::manifest::spec::Point,
                  kind: &dyn crate::extract::Kind| {
        let Some(behind) = view.behind(point).filter(|behind| behind.value.is_some()) else { return false };
        if let Some(label) = kind.label() {
            let shown = page.lines[lines].iter().filter(|line| !line.control && !line.chart);
            return shown.filter(|line| line.text.len() <= 60).any(|line| {
                let read = label.form.whole(&line.text).or_else(|| Some(label.form.within(&line.text)?.1));
                read.is_some_and(|read| agreement(point, &read, Some(&behind)) == Some(true))
            });
        }
        !kind.said(point, &prose(page, lines), &behind).is_empty()
    };
    of_section
        .filter(|(point, kind)| {
            stands(&view.page, heading.lines.clone(), point, *kind)
                || heading.bars.iter().any(|bar| stands(bar, 0..bar.lines.len(), point, *kind))
        })
        .count()
}
