//! Headings: a section is where the values of its points stand.

use std::collections::BTreeSet;

use super::Mending;
use super::trial::Trial;
use crate::atlas::find_names;
use crate::error::Result;
use crate::extract::document::{Line, Lines, Page};
use crate::extract::kinds::kind::agreement;
use crate::extract::kinds::narrative::prose;
use crate::extract::view::View;
use crate::manifest::spec::edit::Edit;

/// A heading of a page, with what stands below it.
struct Heading {
    /// Its text with country and year as slots.
    template: String,
    lines: Lines,
    /// The bar that was seen at it.
    bars: Vec<Page>,
}

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut open: Vec<usize>;
    {
        let views = trial.looks();
        let headings: Vec<Vec<Heading>> =
            views.iter().zip(trial.pages).map(|(view, page)| of_page(view, page.capture)).collect();
        let sections = &trial.spec().sections;
        let is_lacking = |at: usize| {
            let lacks = |view: &View<'_>| view.sections.iter().all(|found| found.section != at);
            !sections[at].headings.is_empty() && views.iter().any(lacks)
        };
        let known: BTreeSet<&str> =
            views.iter().flat_map(|view| &view.sections).map(|found| found.heading.as_str()).collect();
        let mut templates: BTreeSet<&str> =
            headings.iter().flatten().map(|one| one.template.as_str()).collect();
        templates.retain(|template| !known.contains(template));
        open = (0..sections.len()).filter(|&at| is_lacking(at)).collect();
        // how many values of a section stand below a heading, page by page
        let on_pages = |at: usize, template: &str| -> Vec<usize> {
            let on_page = |(headings, view): (&Vec<Heading>, &View<'_>)| {
                let heading = headings.iter().find(|one| one.template == template);
                heading.map_or(0, |heading| values(trial, view, at, heading))
            };
            headings.iter().zip(&views).map(on_page).collect()
        };
        let mut scores: Vec<Score<'_>> = Vec::new();
        for &at in &open {
            for &template in &templates {
                let counts = on_pages(at, template);
                // a section that every country has shows its values on every page
                let is_everywhere = !counts.contains(&0) || !sections[at].unavailable.is_empty();
                if is_everywhere && counts.iter().any(|count| *count > 0) {
                    scores.push(Score { values: counts.iter().sum(), section: at, template });
                }
            }
        }
        // the surest first: what it takes is no candidate of another any more
        while let Some(&Score { section, template, .. }) = sure(&scores) {
            found.push((section, template.to_owned()));
            scores.retain(|one| one.section != section && one.template != template);
        }
        open.retain(|at| !found.iter().any(|(own, _)| own == at));
    }
    for (at, template) in found {
        let (edits, slug, old) = {
            let spec = trial.spec();
            let section = &spec.sections[at];
            let mut edits = vec![Edit::add(format!("sections.{}.headings", section.slug), template.clone())];
            // what else is told by this heading is told by its new wording too
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
        trial.accept(mending, ("heading", &format!("section.{slug}"), old), &template, edits, points)?;
    }
    for at in open {
        let slug = trial.spec().sections[at].slug.clone();
        let why = "no heading stands alone over its values";
        trial.leave(mending, &format!("section.{slug}"), why, Vec::new());
    }
    notices(trial, mending)
}

/// How many values of a section stand below a heading.
#[derive(Clone, Copy)]
struct Score<'t> {
    values: usize,
    section: usize,
    template: &'t str,
}

/// A heading that has more values of a section than any other, and more of it than of any other section, unless that one
/// has another heading and this one has none.
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

/// The sentence that stands alone under a heading on a page whose country has no such section.
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
            // sections that are not known yet may follow, and say the same
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
        trial.accept(mending, ("notice", &subject, old), &text, edits, Vec::new())?;
    }
    Ok(())
}

/// The headings of a page. What stands below one ends at the next in type as large.
fn of_page(view: &View<'_>, capture: &crate::capture::Capture) -> Vec<Heading> {
    let page = &view.page;
    let is_heading = |line: &Line| line.heading && !line.control;
    let all: Vec<usize> = (0..page.lines.len()).filter(|&at| is_heading(&page.lines[at])).collect();
    // sections have the largest type that several headings share; what is set smaller is a part of one
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

/// A text with the names of countries and the years in it as slots.
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
