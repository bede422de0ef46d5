//! Proposes cues for prose: the words around a value that two pages have in common.

use std::collections::BTreeSet;
use std::ops::Range;

use super::mending::Mending;
use super::trial::Trial;
use crate::atlas::find_names;
use crate::error::Result;
use crate::extract::kinds::narrative::prose;
use crate::extract::view::View;
use crate::manifest::spec::{Point, Spec};

/// Minimum number of words around a value, counting the one that carries its sign.
const MIN_WORDS: usize = 3;

/// Maximum number of words on each side of a value.
const MAX_WORDS: usize = 5;

pub fn propose(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing: Vec<String> = trial.missing().into_keys().collect();
    for id in missing {
        let Some(point) = trial.spec().point(&id).cloned() else { continue };
        if point.find.kind != "narrative" {
            continue;
        }
        let key = format!("points.{id}.find.narrative.cues");
        let mut fitting = trial.fitting(&id, &key, candidates(trial, &point));
        // Of several cues for one phrase, keep the shortest.
        let all: Vec<String> = fitting.iter().map(|(cue, _)| cue.clone()).collect();
        fitting.retain(|(cue, _)| !all.iter().any(|other| other != cue && cue.contains(other.as_str())));
        let old = point.find.texts("cues");
        trial.choose(mending, ("cue", &id, old), fitting, "its value occurs in several phrases")?;
    }
    Ok(())
}

/// The single words that cues of the spec accept as values.
fn value_words(spec: &Spec) -> BTreeSet<String> {
    let cues = spec.points.iter().flat_map(|point| point.find.texts("cues"));
    let slots = cues.flat_map(|cue| {
        let slots = cue.split("{value:").skip(1).filter_map(|rest| rest.split('}').next());
        slots
            .flat_map(|words| words.split('|').map(str::to_lowercase).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    });
    slots.filter(|word| !word.contains(' ')).collect()
}

/// The possible cues: words that two pages have in common around the value of a point.
fn candidates(trial: &Trial<'_>, point: &Point) -> Vec<String> {
    let Some(kind) = trial.extractor.kind(&point.id) else { return Vec::new() };
    let views = trial.views();
    let said = |view: &View<'_>| -> Option<(String, Vec<Range<usize>>)> {
        let behind = view.behind(point).filter(|behind| behind.value.is_some())?;
        let (page, lines) = view.region(point).ok()?;
        let text = prose(page, lines);
        let places = kind.said(point, &text, &behind);
        Some((text, places))
    };
    let pages: Vec<(String, Vec<Range<usize>>)> = views.iter().flatten().filter_map(said).collect();
    let old = point.find.texts("cues");
    let slot = |name: &str| {
        old.iter().find_map(|cue| {
            let at = cue.find(name)?;
            let end = at + cue[at..].find('}')? + 1;
            Some(cue[at..end].to_owned())
        })
    };
    let mut choices: Vec<String> = Vec::new();
    for words in old.iter().filter_map(|cue| cue.split("{value:").nth(1)?.split('}').next()) {
        choices.extend(
            words
                .split('|')
                .filter(|word| !choices.iter().any(|one| one == word))
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        );
    }
    let value =
        if choices.is_empty() { slot("{value") } else { Some(format!("{{value:{}}}", choices.join("|"))) };
    let Some(value) = value else { return Vec::new() };
    let spoken = value_words(trial.spec());
    let sign = slot("{sign:");
    let mut cues: Vec<String> = Vec::new();
    for (index, (one, places)) in pages.iter().enumerate() {
        for (other, others) in &pages[index + 1..] {
            for own in places {
                for their in others {
                    let cue = common((one, own), (other, their), (&value, sign.as_deref()), &spoken);
                    cues.extend(cue.filter(|cue| !cues.contains(cue)));
                }
            }
        }
    }
    cues
}

/// The cue that matches around both values. `None` if they share too few words, or no word carries the sign.
fn common(
    one: (&str, &Range<usize>),
    other: (&str, &Range<usize>),
    (value, sign): (&str, Option<&str>),
    spoken: &BTreeSet<String>,
) -> Option<String> {
    let around = |(text, range): (&str, &Range<usize>)| {
        let start = text[..range.start].rfind(". ").map_or(0, |at| at + 2);
        let end = text[range.end..].find(". ").map_or(text.len(), |at| range.end + at);
        (text[start..range.start].to_owned(), text[range.end..end].to_owned())
    };
    let ((left, right), (their_left, their_right)) = (around(one), around(other));
    let signs: Vec<&str> = sign
        .and_then(|sign| sign.strip_prefix("{sign:")?.strip_suffix('}'))
        .map(|words| words.split('|').filter_map(|word| Some(word.rsplit_once('=')?.0)).collect())
        .unwrap_or_default();
    let merge =
        |own: Vec<&str>, their: Vec<&str>| -> Vec<String> { merged(&own, &their, (&signs, sign), spoken) };
    let reversed = |text: &str| -> Vec<String> { text.split(' ').rev().map(str::to_owned).collect() };
    let (own, their) = (reversed(&left), reversed(&their_left));
    let mut before =
        merge(own.iter().map(String::as_str).collect(), their.iter().map(String::as_str).collect());
    before.reverse();
    let after = merge(right.split(' ').collect(), their_right.split(' ').collect());
    let all = || before.iter().chain(&after);
    let is_signed = all().any(|word| word.contains("{sign:"));
    let is_word = |word: &&String| !word.starts_with('{') && word.contains(char::is_alphabetic);
    if all().filter(is_word).count() + usize::from(is_signed) < MIN_WORDS || is_signed != sign.is_some() {
        return None;
    }
    let cue = format!("{}{value}{}", before.join(" "), after.join(" "));
    Some(cue.trim().to_owned())
}

/// The common start of two lists of words. The first and last piece may be empty, if there is a space next to the
/// value.
fn merged(
    own: &[&str],
    their: &[&str],
    (signs, sign): (&[&str], Option<&str>),
    spoken: &BTreeSet<String>,
) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let bare = |word: &str| word.trim_matches([',', '.', ';', ':', '(', ')', '!']).to_owned();
    let is_sign = |word: &str| signs.iter().any(|sign| sign.eq_ignore_ascii_case(&bare(word)));
    let is_open = |word: &str| word.contains(|c: char| c.is_ascii_digit() || matches!(c, '$' | '%'));
    let is_name = |word: &str| find_names(&bare(word)).iter().any(|(range, _)| range.start == 0);
    // A value word differs on another country's page.
    let is_value = |word: &str| spoken.contains(&bare(word).to_lowercase());
    let mut at = 0;
    while at < own.len().min(their.len()) && out.len() <= MAX_WORDS {
        let (a, b) = (own[at], their[at]);
        if is_sign(a) && is_sign(b) {
            out.push(a.replacen(&bare(a), sign.unwrap_or_default(), 1));
        } else if is_name(a) && is_name(b) {
            out.push(a.replacen(&bare(a), "{country}", 1));
        } else if is_open(a) || is_open(b) || is_value(a) || is_value(b) {
            break;
        } else if a == b {
            out.push(a.to_owned());
        } else if !a.is_empty()
            && !b.is_empty()
            && own.get(at + 1).is_some_and(|next| their.get(at + 1) == Some(next) && !is_open(next))
        {
            let tail = |word: &str| word[bare(word).len().min(word.len())..].to_owned();
            if tail(a) != tail(b) {
                break;
            }
            let mut words = [bare(a), bare(b)];
            words.sort();
            out.push(format!("{{{}}}{}", words.join("|"), tail(a)));
        } else {
            break;
        }
        at += 1;
    }
    // A slot at the end carries no information.
    while out.last().is_some_and(|word| word.starts_with('{') && !word.starts_with("{sign:")) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cue(one: &str, other: &str, values: (&str, &str), sign: Option<&str>) -> Option<String> {
        let range = |text: &str, value: &str| {
            let at = text.find(value).unwrap();
            at..at + value.len()
        };
        common(
            (one, &range(one, values.0)),
            (other, &range(other, values.1)),
            ("{value}", sign),
            &BTreeSet::new(),
        )
    }

    #[test]
    fn words_in_common_are_the_cue_and_others_are_slots() {
        let found = cue(
            "They moved, improving by 3 places among all economies. More.",
            "They moved, worsening by 1 place among all economies. More.",
            ("3", "1"),
            Some("{sign:improving=+|worsening=-}"),
        );
        let expected =
            "They moved, {sign:improving=+|worsening=-} by {value} {place|places} among all economies";
        assert_eq!(found.as_deref(), Some(expected));
        let found = cue(
            "The 52.4 million who live there produce $2,274 each",
            "The 48.8 million who live there produce $35,297 each",
            ("52.4 million", "48.8 million"),
            None,
        );
        assert_eq!(found.as_deref(), Some("The {value} who live there produce"));
    }

    #[test]
    fn a_figure_without_words_or_sign_gives_none() {
        assert_eq!(cue("in Kenya 3.1% of 2024", "in Spain 2.4% of 2024", ("3.1%", "2.4%"), None), None);
        let sign = Some("{sign:grown=+|declined=-}");
        assert_eq!(
            cue("sales moved at 3.1% a year", "sales moved at 2.4% a year", ("3.1%", "2.4%"), sign),
            None
        );
    }
}
