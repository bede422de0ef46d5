//! Proposes titles of Explore pages and the label of the total in their corner. A title is the only text of a page that
//! names whose trade it shows, and when. With the right title the page opens and its points can be read.

use std::collections::{BTreeMap, BTreeSet};

use super::mending::{Mending, Proof};
use super::trial::Trial;
use crate::atlas::{PlaceId, find_names};
use crate::error::Result;
use crate::extract::document::normalize_label;
use crate::extract::view::View;
use crate::manifest::spec::Over;
use crate::manifest::spec::edit::Edit;
use crate::value::fold::tidy;

/// Maximum length of a title in characters.
const MAX_TITLE: usize = 240;

/// Proposes titles. If a page's queries have renamed fields, it only needs to open: its points cannot be read yet.
pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending, renamed: &[bool]) -> Result<()> {
    if trial.spec().titles.is_empty() {
        return Ok(());
    }
    // Each refused page has its own title.
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut several: Vec<Vec<String>> = Vec::new();
    let open: Vec<bool> = trial.views().iter().map(Option::is_some).collect();
    for (at, view) in trial.unchecked_views().iter().enumerate().filter(|(at, _)| !open[*at]) {
        let mut fitting = Vec::new();
        for template in templates(view, &trial.pages[at].capture.title) {
            let edits = [Edit::add("titles".to_owned(), template.clone())];
            if let Some(points) =
                trial.would_read(&edits, at)?.filter(|points| renamed[at] || !points.is_empty())
            {
                fitting.push((template, points));
            }
        }
        match fitting.len() {
            0 => {}
            1 => found.extend(fitting),
            _ => several.push(fitting.into_iter().map(|(template, _)| template).collect()),
        }
    }
    // Merge equal titles of several pages.
    let mut titles: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (template, points) in found {
        titles.entry(template).or_default().extend(points);
    }
    for (number, (template, points)) in (1..).zip(titles) {
        let edits = vec![Edit::add("titles".to_owned(), template.clone())];
        let old = trial.spec().titles.clone();
        let subject = format!("title.{number}");
        trial.accept(
            Proof::Displayed,
            mending,
            ("title", &subject, old),
            &template,
            edits,
            points.into_iter().collect(),
        )?;
    }
    for either in several {
        trial.leave(mending, "title", "several texts name what the page shows", either);
    }
    trial.reread();
    Ok(())
}

/// The texts that name what the page's address asks for, with slots for names and years. The document's title is the
/// best source; otherwise it is one of the texts on the page.
fn templates(view: &View<'_>, document: &str) -> BTreeSet<String> {
    let own = tidy(document.split(" | ").next().unwrap_or_default());
    if let Some(template) = template(view, &own) {
        return BTreeSet::from([template]);
    }
    let lines = view.page.lines.iter().filter(|line| !line.control && line.text.len() < MAX_TITLE);
    lines.filter_map(|line| template(view, &line.text)).collect()
}

/// Replaces subject, partner, product and latest year of an address in a text by slots. `None` if one is missing.
fn template(view: &View<'_>, text: &str) -> Option<String> {
    let asked = &view.requested;
    if text.contains(['{', '}', '…', '|']) {
        return None;
    }
    let mut out = text.to_owned();
    if let Some(product) = asked.product() {
        let item = view.catalogues().product(&product.to_string())?;
        let name =
            [&item.name, &item.long].into_iter().find(|name| !name.is_empty() && out.contains(*name))?;
        out = out.replacen(name, "{product}", 1);
    }
    let slots = [(asked.subject, "{country}"), (asked.partner, "{partner}")];
    for (place, slot) in slots {
        match place {
            Some(PlaceId::Country(id)) => {
                let (range, _) = find_names(&out).into_iter().find(|(_, named)| *named == id)?;
                out.replace_range(range, slot);
            }
            Some(place) => {
                let names = view.catalogues().names(&place);
                let world = (place == PlaceId::WORLD).then_some("World");
                let mut names = names.into_iter().chain(world);
                let name = names.find(|name| !name.is_empty() && out.contains(*name))?;
                out = out.replacen(name, slot, 1);
            }
            None => {}
        }
    }
    let years =
        [(asked.first, "{start}"), (asked.year, if asked.first.is_some() { "{end}" } else { "{year}" })];
    for (year, slot) in years {
        let Some(year) = year.map(|year| year.to_string()) else { continue };
        out.contains(&year).then_some(())?;
        out = out.replacen(&year, slot, 1);
    }
    // A title must contain the year.
    (out.contains("{year}") || out.contains("{end}")).then_some(out)
}

/// Proposes the label of the figure in the corner: the text that makes it the total of the rows.
pub fn total(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing = trial.missing();
    let total = trial
        .spec()
        .points
        .iter()
        .find(|point| point.find.rows().is_some_and(|rows| rows.over == Some(Over::Total)));
    let total = total.cloned();
    let Some(total) = total.filter(|total| missing.contains_key(&total.id)) else { return Ok(()) };
    // Each text with the number of pages that have it.
    let mut texts: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for view in trial.views().iter().flatten() {
        let mut own = BTreeMap::new();
        let short = view.page.lines.iter().filter(|line| line.text.len() <= 60 && !line.control);
        for line in short.filter(|line| line.text.chars().filter(|c| c.is_alphabetic()).count() > 2) {
            // The figure may be on the same line.
            let label = line.text.split(|c: char| c.is_ascii_digit() || c == '$').next().unwrap_or_default();
            let label = label.trim_end_matches(|c: char| !c.is_alphabetic() && c != ')');
            // A title may be above the figure. A label names no country.
            if label.is_empty() || !find_names(label).is_empty() {
                continue;
            }
            own.entry(normalize_label(label)).or_insert_with(|| label.to_owned());
        }
        for (normalized, label) in own {
            texts.entry(normalized).or_insert((label, 0)).1 += 1;
        }
    }
    // A text that only one page has cannot label the figure on the others.
    let several = trial.asking(&total.id).min(2);
    let texts = texts.into_values().filter(|(_, pages)| *pages >= several).map(|(text, _)| text);
    let fitting = trial.fitting(&total.id, "total_labels", texts);
    let old = trial.spec().total_labels.clone();
    if trial.choose(mending, ("label", &total.id, old), fitting, "several texts are next to its value")? {
        trial.reread();
    }
    Ok(())
}
