//! The kind for a phrase in prose: a cue locates it, and the words around it tell its subject.

use std::ops::Range;

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, agreement, observe};
use crate::atlas::lookup;
use crate::cue::{Cue, Hit};
use crate::document::{Lines, Page};
use crate::evidence::Channel;
use crate::form::{Form, Read, number};
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, Wanted};
use crate::response::ResponseValue;
use crate::value::{Rule, Unit, find_as, vocabulary};
use crate::view::View;
use crate::view::entity::Subject;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The cue patterns, best first.
    cues: Vec<String>,
    /// The rule of a number.
    rule: Option<Rule>,
    /// The vocabulary of a word, if the cue does not list the words.
    vocabulary: Option<String>,
}

#[derive(Debug)]
struct Narrative {
    cues: Vec<Cue>,
    rule: Option<Rule>,
    unit: Option<Unit>,
    vocabulary: Option<String>,
}

/// The kind for a point of a spec.
pub fn build(point: &Point, _spec: &Spec) -> Built {
    let Params { cues, rule, vocabulary } = point.find.params()?;
    let cues = cues.iter().map(|cue| Cue::new(cue, rule)).collect::<Result<_, _>>()?;
    Ok(Box::new(Narrative { cues, rule, unit: point.unit, vocabulary }))
}

impl Kind for Narrative {
    fn method(&self) -> Method {
        Method::Narrative
    }

    fn describe(&self) -> Description {
        let cue = self.cues.first().map_or("", |cue| cue.source.as_str());
        let form = match (self.rule, &self.vocabulary) {
            (Some(rule), _) => format!("{rule:?}"),
            (None, Some(kind)) => Form::Vocabulary(kind.clone()).describe(),
            (None, None) => "words".to_owned(),
        };
        Description::of("a phrase in prose", cue, form)
    }

    fn rule(&self) -> Option<Rule> {
        self.rule
    }

    fn said(&self, point: &Point, text: &str, behind: &ResponseValue) -> Vec<Range<usize>> {
        let agrees = |read: &Read| agreement(point, read, Some(behind)) == Some(true);
        if let Some(rule) = self.rule {
            let signed = self.cues.iter().any(|cue| cue.source.contains("{sign:"));
            let is_said = |shown: &str| match number(shown, rule, self.unit) {
                Some(Read::Quantity(one)) => {
                    agrees(&Read::Quantity(one.clone())) || (signed && agrees(&Read::Quantity(one.negated())))
                }
                _ => false,
            };
            let ranges = find_as(text, rule).into_iter().map(|(range, _)| range);
            return ranges.filter(|range| text.get(range.clone()).is_some_and(is_said)).collect();
        }
        let lower = text.to_ascii_lowercase();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let choices = self.cues.iter().flat_map(Cue::choices).map(|choice| choice.to_ascii_lowercase());
        let mut found: Vec<Range<usize>> = choices
            .filter(|choice| agrees(&Read::Word(choice.clone())))
            .flat_map(|choice| {
                let places = lower.match_indices(&choice).map(|(at, found)| at..at + found.len());
                places.collect::<Vec<_>>()
            })
            .filter(|range| {
                !is_word(lower[..range.start].chars().next_back())
                    && !is_word(lower[range.end..].chars().next())
            })
            .collect();
        found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        found.dedup_by(|later, earlier| later.start < earlier.end);
        found
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let phrase = find(page, lines, self, &view.subject)?;
        let behind = view.behind(point);
        let mut one = observe(view, point, &phrase.read, self.rule, phrase.shown, behind.as_ref());
        one.channel = Channel::Narrative;
        one.keys = phrase.slots;
        one.locator = format!("section `{}`, {}", point.section, phrase.locator);
        Ok(vec![one])
    }
}

/// A phrase in a text.
#[derive(Debug, Clone, PartialEq)]
struct Phrase {
    /// The displayed words of the cue.
    pub shown: String,
    /// The reading.
    pub read: Read,
    /// Further slots of the cue.
    pub slots: Vec<(String, String)>,
    /// The cue, as text for people.
    pub locator: String,
}

/// Finds the phrase. The first matching cue decides. Several matches must agree.
///
/// # Errors
/// No cue matches, the text has another form, or two matches disagree.
fn find(page: &Page, region: Lines, wanted: &Narrative, subject: &Subject) -> Result<Phrase, Miss> {
    let text = prose(page, region.clone());
    let mut wrong = None;
    for cue in &wanted.cues {
        let mut phrases: Vec<Phrase> = Vec::new();
        for hit in cue.hits(&text) {
            if !is_about(subject, &text, &hit) {
                continue;
            }
            match read(&hit, wanted) {
                Some(read) => {
                    let shown = text.get(hit.start..hit.end).unwrap_or_default().to_owned();
                    if !phrases.iter().any(|phrase| phrase.read == read) {
                        let slots = hit
                            .slots
                            .iter()
                            .filter(|(name, _)| {
                                !matches!(name.as_str(), "country" | "year" | "start" | "end")
                            })
                            .map(|(name, value)| (name.clone(), value.clone()))
                            .collect();
                        phrases.push(Phrase {
                            shown,
                            read,
                            slots,
                            locator: format!("cue \"{}\"", cue.source),
                        });
                    }
                }
                None => wrong = wrong.or(Some(hit.value.clone())),
            }
        }
        match phrases.len() {
            0 => wrong = wrong.or_else(|| cue.instead(&text)),
            1 => return phrases.pop().ok_or(FailureKind::LabelMissing.into()),
            _ => {
                let values = phrases.into_iter().map(|phrase| phrase.shown).collect();
                return Err(FailureKind::Ambiguous(values).into());
            }
        }
    }
    if wrong.is_some() {
        return Err(Miss::near(FailureKind::WrongForm, wrong));
    }
    let cue = wanted.cues.first().map_or("", |cue| cue.source.as_str());
    Err(Miss::near(FailureKind::LabelMissing, nearest_sentence(&text, cue)))
}

/// The running text of a section, without charts and controls.
pub fn prose(page: &Page, region: Lines) -> String {
    let mut text = String::new();
    for line in page.lines[region].iter().filter(|line| !line.chart && !line.control) {
        text.push_str(&line.text);
        text.push(' ');
    }
    text
}

fn read(hit: &Hit, wanted: &Narrative) -> Option<Read> {
    let Some(rule) = wanted.rule else {
        return match &wanted.vocabulary {
            Some(kind) => term_at_start(kind, &hit.value).map(Read::Word),
            None => {
                let text = hit.value.trim_end_matches(['.', ',', ' ']).to_owned();
                (!text.is_empty()).then_some(Read::Word(text))
            }
        };
    };
    let read = number(hit.value.trim_end_matches([',', '.', ';']), rule, wanted.unit)?;
    match (read, hit.negative) {
        (Read::Quantity(quantity), Some(negative)) => {
            // a minus and a verb of decline would be a double negative
            if quantity.number.is_sign_negative() && !quantity.number.is_zero() {
                return None;
            }
            Some(Read::Quantity(if negative { quantity.negated() } else { quantity }))
        }
        (read, _) => Some(read),
    }
}

/// The longest term at the start of a text.
fn term_at_start(kind: &str, text: &str) -> Option<String> {
    let ends = text.char_indices().filter(|(_, c)| matches!(c, ' ' | ',' | '.')).map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.chain([text.len()]).collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let words = text.get(..end)?.trim_matches([' ', ',', '.']);
        let words = words.strip_prefix("the ").unwrap_or(words);
        vocabulary::canonical(kind, words).map(|_| words.to_owned())
    })
}

/// Whether the sentence around a match is about the subject: it names no other country, or also
/// names the subject.
fn is_about(subject: &Subject, text: &str, hit: &Hit) -> bool {
    if let Some(country) = hit.slots.get("country") {
        return lookup(country).is_none_or(|entity| Some(entity.id) == subject.country);
    }
    let start = text[..hit.start].rfind(". ").map_or(0, |at| at + 2);
    let end = text[hit.end..].find(". ").map_or(text.len(), |at| hit.end + at);
    subject.allows(&text[start..end], None)
}

/// The sentence most similar to a cue, for messages.
fn nearest_sentence(text: &str, cue: &str) -> Option<String> {
    let words: Vec<&str> =
        cue.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 4 && *word != "value").collect();
    text.split(". ")
        .map(|sentence| (words.iter().filter(|word| sentence.contains(**word)).count(), sentence))
        .filter(|(shared, _)| *shared > 0)
        .max_by_key(|(shared, _)| *shared)
        .map(|(_, sentence)| sentence.trim().chars().take(160).collect())
}
