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
        // how many values of a section stand below a heading, on all pages
        let score = |at: usize, template: &str| -> usize {
            let below = headings.iter().zip(&views);
            let on_page = |(headings, view): (&Vec<Heading>, &View<'_>)| {
                let heading = headings.iter().find(|one| one.template == template);
                heading.map_or(0, |heading| values(trial, view, at, heading))
            };
            below.map(on_page).sum()
        };
        let mut scores: Vec<(usize, usize, &str)> = Vec::new();
        for &at in &open {
            scores.extend(templates.iter().map(|template| (score(at, template), at, *template)));
        }
        // the surest first: what it takes is no candidate of another any more
        loop {
            scores.retain(|(score, ..)| *score > 0);
            let sure = scores.iter().filter(|(score, at, template)| {
                let rival = |(other, section, heading): &&(usize, usize, &str)| {
                    ((section == at) != (heading == template)) && other >= score
                };
                !scores.iter().any(|other| rival(&other))
            });
            let Some(&(_, at, template)) = sure.max_by_key(|(score, ..)| *score) else { break };
            found.push((at, template.to_owned()));
            scores.retain(|(_, section, heading)| *section != at && *heading != template);
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
    Ok(())
}

/// The headings of a page. What stands below one ends at the next in type as large.
fn of_page(view: &View<'_>, capture: &crate::capture::Capture) -> Vec<Heading> {
    let page = &view.page;
    let is_heading = |line: &Line| line.heading && !line.control;
    let all: Vec<usize> = (0..page.lines.len()).filter(|&at| is_heading(&page.lines[at])).collect();
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
    all.iter().map(one).filter(|heading| heading.template != "{country}").collect()
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
