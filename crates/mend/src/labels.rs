//! Labels of figures and words beside them: every short text of a section is taken for a label, and the association says
//! which of them the wanted figure belongs to.

use std::collections::{BTreeMap, BTreeSet};

use super::Mending;
use super::trial::Trial;
use crate::atlas::lookup;
use crate::error::Result;
use crate::extract::document::{Page, normalize_label};
use crate::extract::form::Form;
use crate::extract::kinds::stat;
use crate::extract::label::Label;
use crate::extract::view::{View, section};
use crate::manifest::spec::Point;
use crate::manifest::spec::edit::Edit;

/// Characters of a label at most.
const LONGEST: usize = 60;

/// Points of one section that are found by the same labels: the figures of one card.
struct Card {
    points: Vec<Point>,
}

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing = trial.missing();
    let mut cards: BTreeMap<(String, Vec<String>), Card> = BTreeMap::new();
    for point in trial.spec().points.iter().filter(|point| point.find.kind == "stat") {
        let key = (point.section.clone(), point.find.texts("labels"));
        cards.entry(key).or_insert_with(|| Card { points: Vec::new() }).points.push(point.clone());
    }
    for ((section, old), card) in cards {
        if card.points.iter().all(|point| !missing.contains_key(&point.id)) {
            continue;
        }
        of_card(trial, mending, (&section, old), &card)?;
    }
    Ok(())
}

fn of_card(
    trial: &mut Trial<'_>,
    mending: &mut Mending,
    (section, old): (&str, Vec<String>),
    card: &Card,
) -> Result<()> {
    let owners: BTreeMap<&str, Vec<String>> =
        card.points.iter().map(|point| (point.id.as_str(), owners(trial, section, point))).collect();
    let key = |point: &Point, key: &str| format!("points.{}.find.stat.{key}", point.id);
    // the headline has the label; the others stand with it by their words, or have one of their own
    let head = card
        .points
        .iter()
        .find(|point| point.find.texts("with").is_empty() && !owners[point.id.as_str()].is_empty());
    let mut edits: Vec<Edit> = Vec::new();
    let mut label = None;
    if let Some(head) = head {
        match owners[head.id.as_str()].as_slice() {
            [one] => label = Some(one.clone()),
            several => {
                trial.leave(mending, &head.id, "several texts stand with its value", several.to_vec());
            }
        }
    }
    let mut given: Vec<String> = Vec::new();
    if let Some(label) = &label {
        for point in &card.points {
            edits.push(Edit::add(key(point, "labels"), label.clone()));
            for word in point.find.texts("with") {
                let remarks: Vec<&String> =
                    owners[point.id.as_str()].iter().filter(|one| *one != label).collect();
                let is_new = |remark: &String| normalize_label(remark) != normalize_label(&word);
                if let [remark] = remarks.as_slice()
                    && is_new(remark)
                {
                    let either = format!("{{{}|{remark}}}", word.trim_matches(['{', '}']));
                    edits.push(Edit::replace(key(point, "with"), word.clone(), either));
                    for other in
                        card.points.iter().filter(|other| other.find.texts("without").contains(&word))
                    {
                        edits.push(Edit::add(key(other, "without"), (*remark).clone()));
                    }
                }
            }
        }
        let all: Vec<String> = card.points.iter().map(|point| point.id.clone()).collect();
        let tried = trial.with(&edits, &all)?;
        given = card.points.iter().map(|point| point.id.clone()).filter(|id| tried.gives(id)).collect();
        if !given.is_empty() {
            edits.retain(|edit| given.iter().any(|id| edit.at.starts_with(&format!("points.{id}."))));
            if trial.with(&edits, &given).is_ok_and(|tried| given.iter().all(|id| tried.gives(id))) {
                let subject = given[0].clone();
                trial.accept(mending, ("label", &subject, old.clone()), label, edits, given.clone())?;
            } else {
                given.clear();
            }
        }
    }
    // what the label of the card does not give has one of its own
    for point in card.points.iter().filter(|point| !given.contains(&point.id)) {
        let own: Vec<&String> =
            owners[point.id.as_str()].iter().filter(|one| Some(*one) != label.as_ref()).collect();
        let mut fitting: Vec<(String, Vec<Edit>)> = Vec::new();
        for text in own {
            let mut edits = vec![Edit::add(key(point, "labels"), text.clone())];
            if trial.would_give(&edits, &point.id) {
                fitting.push((text.clone(), edits));
                continue;
            }
            // the words that must stand with it may have changed too
            for word in point.find.texts("with") {
                let either = format!("{{{}|{text}}}", word.trim_matches(['{', '}']));
                edits.push(Edit::replace(key(point, "with"), word, either));
            }
            if trial.would_give(&edits, &point.id) {
                fitting.push((text.clone(), edits));
            }
        }
        match fitting.len() {
            0 => {}
            1 => {
                let (text, edits) = fitting.remove(0);
                trial.accept(
                    mending,
                    ("label", &point.id, old.clone()),
                    &text,
                    edits,
                    vec![point.id.clone()],
                )?;
            }
            _ if mending.open.iter().any(|one| one.subject == point.id) => {}
            _ => {
                let either = fitting.into_iter().map(|(text, _)| text).collect();
                trial.leave(mending, &point.id, "several texts stand with its value", either);
            }
        }
    }
    Ok(())
}

/// The texts of a section that own the value of a point, on two pages or on all that hold it.
fn owners(trial: &Trial<'_>, section: &str, point: &Point) -> Vec<String> {
    let Some(kind) = trial.extractor.kind(&point.id) else { return Vec::new() };
    let Some(Label { form, .. }) = kind.label() else { return Vec::new() };
    let forms: Vec<&Form> = trial
        .extractor
        .kinds()
        .filter(|(other, _)| other.section == section)
        .filter_map(|(_, kind)| Some(&kind.label()?.form))
        .collect();
    let views = trial.views();
    let valued: Vec<&View<'_>> = views
        .iter()
        .flatten()
        .filter(|view| view.behind(point).is_some_and(|behind| behind.value.is_some()))
        .collect();
    let on_pages: Vec<BTreeMap<String, String>> =
        valued.iter().map(|view| texts(view, point, &forms)).collect();
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for text in on_pages.iter().flat_map(BTreeMap::keys) {
        *counts.entry(text).or_default() += 1;
    }
    let enough = on_pages.len().min(2);
    let common: BTreeSet<String> =
        counts.into_iter().filter(|(_, count)| *count >= enough).map(|(text, _)| text.clone()).collect();
    let is_owner = |text: &&String| {
        let mut others = common.clone();
        others.remove(*text);
        let label = Label {
            labels: vec![(*text).clone()],
            others,
            form: form.clone(),
            with: Vec::new(),
            without: Vec::new(),
        };
        let with_text = on_pages.iter().zip(&valued).filter(|(texts, _)| texts.contains_key(*text));
        let owned = with_text.clone().filter(|(_, view)| stat::owns(view, point, &label)).count();
        owned >= enough && owned == with_text.count()
    };
    let wording = |text: &String| on_pages.iter().find_map(|texts| texts.get(text)).cloned();
    common.iter().filter(is_owner).filter_map(wording).collect()
}

/// The short texts where a point may stand, as they are compared and as they are written.
fn texts(view: &View<'_>, point: &Point, forms: &[&Form]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut add = |page: &Page, lines: std::ops::Range<usize>| {
        let lines = page.lines[lines].iter().filter(|line| !line.control && !line.chart);
        for line in lines {
            // the number of a list is no part of a label, nor is what stands behind a colon
            let text = line.text.trim_start_matches(|c: char| c.is_ascii_digit());
            let text = text.strip_prefix(". ").filter(|_| text != line.text).unwrap_or(&line.text);
            let text = text.split_once(": ").map_or(text, |(text, _)| text).trim();
            let heads = section::of_heading(&view.patterns.headings, text).is_some();
            if !heads && is_label(text) && !forms.iter().any(|form| form.whole(text).is_some()) {
                found.insert(normalize_label(text), text.to_owned());
            }
        }
    };
    if let Ok((page, lines)) = view.region(point) {
        add(page, lines);
    }
    let section = view.patterns.section(&point.section);
    for (_, bar) in view.sticky.iter().filter(|(at, _)| Some(*at) == section) {
        add(bar, 0..bar.lines.len());
    }
    found
}

/// Whether a text may be a label: short words without a figure, of no country.
fn is_label(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_figure = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit())
            && word.trim_matches(|c: char| !c.is_ascii_digit()).len() != 4
    };
    text.len() <= LONGEST
        && letters >= 3
        && !text.starts_with('(')
        && !text.contains(['$', '%'])
        && !text.split(' ').any(is_figure)
        && lookup(text).is_none()
}
