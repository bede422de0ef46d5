//! Proposes labels of figures and the words beside them. Every short text of a section is tried as a label, and the
//! association decides which one a figure belongs to.

use std::collections::{BTreeMap, BTreeSet};

use super::mending::{Mending, Proof};
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

/// Maximum length of a label in characters.
const MAX_LABEL: usize = 60;

/// The points of a section with the same labels: the figures of one card.
struct Card {
    section: String,
    labels: Vec<String>,
    points: Vec<Point>,
}

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing = trial.missing();
    let mut cards: BTreeMap<(String, Vec<String>), Vec<Point>> = BTreeMap::new();
    for point in trial.spec().points.iter().filter(|point| point.find.kind == "stat") {
        let key = (point.section.clone(), point.find.texts("labels"));
        cards.entry(key).or_default().push(point.clone());
    }
    for ((section, labels), points) in cards {
        if points.iter().any(|point| missing.contains_key(&point.id)) {
            Card { section, labels, points }.propose(trial, mending)?;
        }
    }
    Ok(())
}

/// The texts beside the value of each point.
type Owners<'a> = BTreeMap<&'a str, Vec<String>>;

impl Card {
    fn propose(&self, trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
        let owners: Owners<'_> = self
            .points
            .iter()
            .map(|point| (point.id.as_str(), owners(trial, &self.section, point)))
            .collect();
        let label = self.label(trial, mending, &owners);
        let given = match &label {
            Some(label) => self.of_one_label(trial, mending, &owners, label)?,
            None => Vec::new(),
        };
        for point in self.points.iter().filter(|point| !given.contains(&point.id)) {
            let own = owners[point.id.as_str()].iter().filter(|one| Some(*one) != label.as_ref());
            let fitting = own_labels(trial, point, own);
            if fitting.len() < 2 || mending.open.iter().all(|one| one.subject != point.id) {
                let subject = ("label", point.id.as_str(), self.labels.clone());
                trial.choose(mending, subject, fitting, "several texts are next to its value")?;
            }
        }
        Ok(())
    }

    /// The label of the headline figure. The other figures have words beside them, or labels of their own.
    fn label(&self, trial: &Trial<'_>, mending: &mut Mending, owners: &Owners<'_>) -> Option<String> {
        let is_head =
            |point: &&Point| point.find.texts("with").is_empty() && !owners[point.id.as_str()].is_empty();
        let head = self.points.iter().find(is_head)?;
        match owners[head.id.as_str()].as_slice() {
            [one] => Some(one.clone()),
            several => {
                trial.leave(mending, &head.id, "several texts are next to its value", several.to_vec());
                None
            }
        }
    }

    /// Gives the card one label, and each figure the new words beside it. Returns the points that can be read with
    /// them.
    fn of_one_label(
        &self,
        trial: &mut Trial<'_>,
        mending: &mut Mending,
        owners: &Owners<'_>,
        label: &str,
    ) -> Result<Vec<String>> {
        let mut edits: Vec<Edit> = Vec::new();
        for point in &self.points {
            edits.push(Edit::add(key(point, "labels"), label.to_owned()));
            let remarks: Vec<&String> =
                owners[point.id.as_str()].iter().filter(|one| *one != label).collect();
            let [remark] = remarks.as_slice() else { continue };
            for word in point.find.texts("with") {
                if normalize_label(remark) == normalize_label(&word) {
                    continue;
                }
                edits.push(Edit::replace(key(point, "with"), word.clone(), either(&word, remark)));
                for other in self.points.iter().filter(|other| other.find.texts("without").contains(&word)) {
                    edits.push(Edit::add(key(other, "without"), (*remark).clone()));
                }
            }
        }
        let all: Vec<String> = self.points.iter().map(|point| point.id.clone()).collect();
        let tried = trial.with(&edits, &all)?;
        let given: Vec<String> = all.into_iter().filter(|id| tried.gives(id)).collect();
        let Some(subject) = given.first() else { return Ok(given) };
        edits.retain(|edit| given.iter().any(|id| edit.at.starts_with(&format!("points.{id}."))));
        if !trial.with(&edits, &given).is_ok_and(|tried| given.iter().all(|id| tried.gives(id))) {
            return Ok(Vec::new());
        }
        trial.accept(
            Proof::Displayed,
            mending,
            ("label", subject, self.labels.clone()),
            label,
            edits,
            given.clone(),
        )?;
        Ok(given)
    }
}

fn key(point: &Point, key: &str) -> String {
    format!("points.{}.find.stat.{key}", point.id)
}

/// Accepts the old word beside a figure or the new one.
fn either(word: &str, now: &str) -> String {
    format!("{{{}|{now}}}", word.trim_matches(['{', '}']))
}

/// The texts that restore a point as its own label.
fn own_labels<'a>(
    trial: &Trial<'_>,
    point: &Point,
    texts: impl Iterator<Item = &'a String>,
) -> Vec<(String, Vec<Edit>)> {
    let mut fitting = Vec::new();
    for text in texts {
        let mut edits = vec![Edit::add(key(point, "labels"), text.clone())];
        if !trial.would_give(&edits, &point.id) {
            // The words that must be beside it may have changed too.
            let with = point.find.texts("with").into_iter();
            edits.extend(
                with.map(|word| Edit::replace(key(point, "with"), word.clone(), either(&word, text))),
            );
            if !trial.would_give(&edits, &point.id) {
                continue;
            }
        }
        fitting.push((text.clone(), edits));
    }
    fitting
}

/// The texts of a section that own the value of a point, on two pages or on all pages that have it.
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

/// The short texts in a point's region, by their normalized form.
fn texts(view: &View<'_>, point: &Point, forms: &[&Form]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut add = |page: &Page, lines: std::ops::Range<usize>| {
        let lines = page.lines[lines].iter().filter(|line| !line.control && !line.chart);
        for line in lines {
            // A list number or the text after a colon is not part of a label.
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

/// Whether a text may be a label: short, without figures, and not a country.
fn is_label(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_figure = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit())
            && word.trim_matches(|c: char| !c.is_ascii_digit()).len() != 4
    };
    text.len() <= MAX_LABEL
        && letters >= 3
        && !text.starts_with('(')
        && !text.contains(['$', '%'])
        && !text.split(' ').any(is_figure)
        && lookup(text).is_none()
}
