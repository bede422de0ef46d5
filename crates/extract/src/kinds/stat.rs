//! The kind for a figure or word beside its label, in the section or in its sticky header. Also
//! decides which of several figures is meant.

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
    /// The label, in every known wording.
    labels: Vec<String>,
    /// The rule of a number.
    rule: Option<Rule>,
    /// The vocabulary of a word.
    vocabulary: Option<String>,
    /// The text around the number: `{value} (RCA>1)`.
    form: Option<String>,
    /// Words that must accompany the value inside the card; `{a|b}` for either wording.
    #[serde(default)]
    with: Vec<String>,
    /// Words that must not accompany it.
    #[serde(default)]
    without: Vec<String>,
}

#[derive(Debug)]
struct Stat(Label);

fn labels(params: &Params) -> Vec<String> {
    params.labels.iter().map(|label| normalize_label(&label.replace("{year}", ""))).collect()
}

/// The wordings of `{a|b}`. A text without braces is one wording.
fn either(text: &str) -> Vec<String> {
    let slot = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    slot.unwrap_or(text).split('|').map(normalize_label).collect()
}

/// Builds the kind for a point.
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
            Form::Worded { cue: Cue::new(worded, Some(rule))?.into(), rule, unit: point.unit }
        }
        (Some(rule), None, None) => Form::Rule { rule, unit: point.unit },
        (None, Some(kind), _) => Form::Vocabulary(kind),
        _ => return Err("a stat needs either a `rule` or a `vocabulary`".to_owned().into()),
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
        // of several figures in a card, the one that the response rounds to is meant
        let backed = candidates.iter().position(|candidate| agrees(candidate) == Some(true));
        let meant = backed.unwrap_or(0);
        // different candidates without a matching response are ambiguous
        if backed.is_none() && candidates.iter().any(|candidate| candidate.read != candidates[0].read) {
            let values = candidates.iter().map(|candidate| candidate.shown.clone()).collect();
            return Err(FailureKind::Ambiguous(values).into());
        }
        let candidate = candidates[meant].clone();
        if agrees(&candidate) == Some(false) && !is_known_to_differ(point) {
            if view.beside(|| card_is_unread(view, point, &self.0)) {
                // a contradicted figure is rejected if the card has an unreadable value
                return Err(Miss::near(FailureKind::WrongForm, candidate.shown));
            }
            // it is also rejected if the card has the value that the response rounds to
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

/// Points shown in each other's place, with a description.
struct Swaps(BTreeMap<String, String>);

/// All points of the spec with a label.
fn labelled<'v>(view: &'v View<'_>) -> impl Iterator<Item = (&'v Point, &'v Label)> {
    let points = view.spec.points.iter().zip(&view.patterns.labels);
    points.filter_map(|(point, label)| Some((point, label.as_ref()?)))
}

/// Finds values shown in each other's place: each is the rounded response of the other.
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

/// Whether another label of the same card has an unreadable value.
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

/// A text of the wanted form that belongs to the label.
#[derive(Debug, Clone)]
struct Candidate {
    /// Its lines.
    lines: Lines,
    /// The text as displayed.
    shown: String,
    /// The reading.
    read: Read,
    /// Where it was found, as text for people.
    locator: String,
}

type Candidates = Result<Vec<Candidate>, Miss>;

/// Whether a figure that the response rounds to belongs to a label, regardless of the point's own
/// labels and words.
pub fn owns(view: &View<'_>, point: &Point, label: &Label) -> bool {
    let behind = view.behind(point);
    let agrees = |one: &Candidate| agreement(point, &one.read, behind.as_ref()) == Some(true);
    find(view, point, label).is_ok_and(|found| found.iter().any(agrees))
}

/// The candidates of a stat, in the section or in its sticky header.
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
                // a contradicted figure in the header does not replace an unreadable one in the
                // section
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
            // a label with another value in the header is nearer than anything in the section
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

/// Another value of the form in the card, for which `agrees` holds. Smaller figures, such as the
/// ends of a small chart, do not compete with a headline.
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
