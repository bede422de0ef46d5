//! A figure or word beside its label, in the section itself or in the sticky header that was seen at it, and which of
//! several is meant.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, Needs, agreement, observe};
use crate::association::{self, MAX_CARD, figure_of_a_year};
use crate::cue::Cue;
use crate::document::{Lines, Page, normalize_label};
use crate::form::{Form, Read};
use crate::label::Label;
use crate::label::normalized_labels;
use crate::manifest::spec::{Point, Span, Spec};
use crate::observation::{FailureKind, IN_STICKY_HEADER, Miss, Wanted};
use crate::value::Rule;
use crate::view::View;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The label in every wording that was seen.
    labels: Vec<String>,
    /// Form of the value.
    rule: Option<Rule>,
    /// Vocabulary of the value, for words.
    vocabulary: Option<String>,
    /// Text around the number: `{value} (RCA>1)`.
    form: Option<String>,
    /// Words that must stand with the value inside the card; `{a|b}` for either wording.
    #[serde(default)]
    with: Vec<String>,
    /// Words that must not.
    #[serde(default)]
    without: Vec<String>,
}

#[derive(Debug)]
struct Stat(Label);

fn labels(params: &Params) -> Vec<String> {
    params.labels.iter().map(|label| normalize_label(&label.replace("{year}", ""))).collect()
}

/// The wordings of `{a|b}`; a text without braces is one.
fn either(text: &str) -> Vec<String> {
    let slot = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    slot.unwrap_or(text).split('|').map(normalize_label).collect()
}

/// The kind for a point of a spec.
pub fn build(point: &Point, spec: &Spec) -> Built {
    let params: Params = point.find.params()?;
    let own = labels(&params);
    let in_section = spec
        .points
        .iter()
        .filter(|other| other.section == point.section && other.find.kind == point.find.kind);
    let others = in_section.filter_map(|other| other.find.params::<Params>().ok());
    let others = others.flat_map(|other| labels(&other)).filter(|label| !own.contains(label)).collect();
    let form = match (params.rule, params.vocabulary, &params.form) {
        (Some(rule), None, Some(worded)) => {
            Form::Worded { cue: Cue::new(worded, Some(rule))?, rule, unit: point.unit }
        }
        (Some(rule), None, None) => Form::Rule { rule, unit: point.unit },
        (None, Some(kind), _) => Form::Vocabulary(kind),
        _ => return Err("a stat has either a `rule` or a `vocabulary`".to_owned().into()),
    };
    Ok(Box::new(Stat(Label {
        labels: own,
        others,
        form,
        with: params.with.iter().map(|word| either(word)).collect(),
        without: normalized_labels(&params.without),
    })))
}

impl Kind for Stat {
    fn needs(&self) -> Needs {
        Needs { sticky_header: true, ..Needs::default() }
    }

    fn describe(&self) -> Description {
        let label = self.0.labels.first().cloned().unwrap_or_default();
        Description::of(
            "a value beside its label, inside the same card or bar",
            label,
            self.0.form.describe(),
        )
    }

    fn label(&self) -> Option<&Label> {
        Some(&self.0)
    }

    fn rule(&self) -> Option<Rule> {
        match self.0.form {
            Form::Rule { rule, .. } | Form::Worded { rule, .. } => Some(rule),
            Form::Vocabulary(_) => None,
        }
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let swaps = view.shared("", || view.beside(|| swaps(view)));
        if let Some(what) = swaps.0.get(&point.id) {
            return Err(FailureKind::Swapped(what.clone()).into());
        }
        let candidates = candidates(view, point, &self.0);
        let candidates = candidates.as_ref().as_ref().map_err(Clone::clone)?;
        let behind = view.behind(point);
        let agrees = |candidate: &Candidate| agreement(point, &candidate.read, behind.as_ref());
        // several figures may stand in one card; the one that the response rounds to is the figure meant
        let backed = candidates.iter().position(|candidate| agrees(candidate) == Some(true));
        let meant = backed.unwrap_or(0);
        // where nothing tells them apart, the nearest is no better than the next
        if backed.is_none() && candidates.iter().any(|candidate| candidate.read != candidates[0].read) {
            let values = candidates.iter().map(|candidate| candidate.shown.clone()).collect();
            return Err(FailureKind::Ambiguous(values).into());
        }
        let candidate = candidates[meant].clone();
        if agrees(&candidate) == Some(false) && !is_known_to_differ(point) {
            if view.beside(|| card_is_unread(view, point, &self.0)) {
                // what the response contradicts is not believed in a card of which something else cannot be read
                return Err(Miss::near(FailureKind::WrongForm, candidate.shown));
            }
            // nor where the same card holds the value that the response rounds to
            let (page, lines) = view.region(point)?;
            let agrees = |read: &Read| agreement(point, read, behind.as_ref()) == Some(true);
            if !candidate.locator.ends_with(IN_STICKY_HEADER)
                && let Some(rival) = rival(page, &lines, &candidate.lines, &self.0.form, agrees)
            {
                return Err(FailureKind::Ambiguous(vec![candidate.shown, rival]).into());
            }
        }
        let mut one = observe(view, point, &candidate.read, self.rule(), candidate.shown, behind.as_ref());
        one.locator = format!("section `{}`, {}", point.section, candidate.locator);
        Ok(vec![one])
    }
}

/// Points that stand in another's place, with what is in place of what.
struct Swaps(BTreeMap<String, String>);

/// All figures of the spec that are found by a label.
fn labelled<'v>(view: &'v View<'_>) -> impl Iterator<Item = (&'v Point, &'v Label)> {
    let points = view.spec.points.iter().zip(&view.patterns.labels);
    points.filter_map(|(point, label)| Some((point, label.as_ref()?)))
}

/// Two values in each other's place: each is what the other's response rounds to.
fn swaps(view: &View<'_>) -> Swaps {
    let odd = labelled(view).filter_map(|(point, label)| {
        let behind = view.behind(point).filter(|_| !is_known_to_differ(point))?;
        let candidates = candidates(view, point, label);
        let read = candidates.as_ref().as_ref().ok()?.first()?.read.clone();
        (agreement(point, &read, Some(&behind)) == Some(false)).then_some((point, read, behind))
    });
    let odd: Vec<_> = odd.collect();
    let mut swaps = BTreeMap::new();
    for (point, read, behind) in &odd {
        for (other, other_read, other_behind) in odd.iter().filter(|(other, ..)| other.id != point.id) {
            let crossed = agreement(point, read, Some(other_behind)) == Some(true)
                && agreement(other, other_read, Some(behind)) == Some(true);
            if crossed {
                let what = format!("{} shows the value of {}", point.metric, other.metric);
                swaps.insert(point.id.clone(), what);
            }
        }
    }
    Swaps(swaps)
}

/// Whether another value of the same card has its label and cannot be read.
fn card_is_unread(view: &View<'_>, point: &Point, own: &Label) -> bool {
    labelled(view)
        .filter(|(other, _)| other.id != point.id && other.section == point.section)
        .filter(|(_, label)| label.labels == own.labels)
        .any(|(other, label)| {
            let found = candidates(view, other, label);
            found.as_ref().as_ref().is_err_and(|miss| miss.kind == FailureKind::WrongForm)
        })
}

fn is_known_to_differ(point: &Point) -> bool {
    point.response.as_ref().is_some_and(|response| response.known_difference.is_some())
}

/// A text that fits the wanted form, and belongs to the label.
#[derive(Debug, Clone)]
struct Candidate {
    /// Its lines.
    lines: Lines,
    /// The text as displayed.
    shown: String,
    /// What it means.
    read: Read,
    /// Where it was found, for a person.
    locator: String,
}

type Candidates = Result<Vec<Candidate>, Miss>;

/// Whether a figure that the response rounds to belongs to a label, by whatever labels and words a point is found else.
pub fn owns(view: &View<'_>, point: &Point, label: &Label) -> bool {
    let behind = view.behind(point);
    let agrees = |one: &Candidate| agreement(point, &one.read, behind.as_ref()) == Some(true);
    find(view, point, label).is_ok_and(|found| found.iter().any(agrees))
}

/// The candidates of a stat, in the section itself or in the sticky header that was seen at it.
fn candidates(view: &View<'_>, point: &Point, label: &Label) -> Rc<Candidates> {
    view.shared(&point.id, || find(view, point, label))
}

fn find(view: &View<'_>, point: &Point, label: &Label) -> Candidates {
    let Label { labels, others, form, with, without } = label;
    let (page, lines) = view.region(point)?;
    let behind = view.behind(point);
    let year = match point.period {
        Span::Year => behind.as_ref().and_then(|behind| behind.year).or(view.requested.year),
        _ => None,
    };
    let allows = |words: &str| view.subject.allows(words, year);
    let wanted = association::Wanted { labels, others, form, with, without, allows: &allows };
    let own = beside_label(page, &lines, &wanted);
    let Err(mut miss) = own else { return own };
    let unread = (miss.kind == FailureKind::WrongForm).then(|| miss.clone());
    let section = view.patterns.section(&point.section);
    for (_, header) in view.sticky.iter().filter(|(at, _)| Some(*at) == section) {
        match beside_label(header, &(0..header.lines.len()), &wanted) {
            Ok(mut found) => {
                // what the response contradicts does not stand in for what cannot be read beside the label
                let wrong = |one: &Candidate| agreement(point, &one.read, behind.as_ref()) == Some(false);
                if let Some(unread) = unread.filter(|_| !is_known_to_differ(point) && found.iter().all(wrong))
                {
                    return Err(unread);
                }
                for candidate in &mut found {
                    candidate.locator.push_str(IN_STICKY_HEADER);
                }
                return Ok(found);
            }
            Err(other) if other.kind == FailureKind::WrongForm => return Err(other),
            // a label that the header prints otherwise is nearer than anything in the section
            Err(other) if other.nearest.is_some() => miss = other,
            Err(_) => {}
        }
    }
    Err(miss)
}

fn beside_label(page: &Page, region: &Lines, wanted: &association::Wanted<'_>) -> Candidates {
    let candidate = |one: association::Candidate| Candidate {
        locator: format!("label \"{}\"", page.lines[one.label].text),
        lines: one.lines,
        shown: one.shown,
        read: one.read,
    };
    Ok(association::find(page, region, wanted)?.into_iter().map(candidate).collect())
}

/// Another value of the form in the card around a value, for which `agrees` holds. What is set smaller, as the ends of a
/// small chart are, is no rival of a headline.
fn rival(
    page: &Page,
    region: &Lines,
    own: &Lines,
    form: &Form,
    agrees: impl Fn(&Read) -> bool,
) -> Option<String> {
    let blocks = page.around(own.start, region.clone()).map(|block| page.blocks[block].lines.clone());
    let card = blocks.take_while(|lines| lines.len() <= MAX_CARD).last()?;
    let size = page.lines[own.clone()].iter().map(|line| line.font).fold(0.0, f32::max);
    card.filter(|at| !own.contains(at)).map(|at| &page.lines[at]).find_map(|line| {
        let whole = || form.whole(&line.text).map(|read| (line.text.clone(), read));
        let within = || (line.text.len() <= 60).then(|| form.within(&line.text)).flatten();
        let (shown, read) = whole().or_else(within)?;
        let equal = line.font >= size * 0.75 && !line.chart && !line.control && !figure_of_a_year(&line.text);
        (equal && agrees(&read)).then_some(shown)
    })
}
