//! The pattern language for headings, labels and cues in extractor specs, compiled to regular
//! expressions.
//!
//! `{country}` `{year}` `{start}` `{end}` match what they name, `{a|b}` either wording, and `…` a
//! few words of the same sentence. `{value}` is the wanted value: a number of the point's rule, one
//! of `{value:a|b}`, a sentence that starts as in `{value=a…|b…}`, or free text up to the next
//! part. `{sign:grown=+|declined=-}` is a word that gives the sign. Any other `{name}` is captured
//! under its name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{Captures, Regex, RegexBuilder};

use crate::value::Rule;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Cue {
    regex: Expression,
    /// The pattern anchored to a whole text.
    all: Expression,
    /// The source pattern, for messages.
    pub source: String,
    /// The words before `{value}`, to report the text in a value's place.
    lead: Option<Expression>,
    negative: Vec<String>,
    choices: Vec<String>,
}

/// A regular expression whose syntax is checked at once, and which is compiled when it is first used: most commands
/// need the specs, but few of the hundreds of expressions in them.
#[derive(Debug, Clone)]
struct Expression {
    text: String,
    /// `None` inside for an expression whose program is too large: it matches nothing.
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    fn new(text: String) -> Result<Self, String> {
        regex_syntax::ast::parse::Parser::new().parse(&text).map_err(|error| error.to_string())?;
        Ok(Self { text, compiled: OnceLock::new() })
    }

    fn get(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.text).case_insensitive(true).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

/// A match of a cue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The start as byte offset.
    pub start: usize,
    /// The end as byte offset.
    pub end: usize,
    /// The text of `{value}`. For `{value:a|b}`, in the spec's spelling.
    pub value: String,
    /// Whether a `{sign:…}` word means minus.
    pub negative: Option<bool>,
    /// Other slots: `country`, `year`, `start`, `end` and named ones.
    pub slots: BTreeMap<String, String>,
}

impl Cue {
    /// Compiles a cue.
    ///
    /// # Errors
    /// A brace that does not close, or a slot that makes no valid expression.
    pub fn new(source: &str, rule: Option<Rule>) -> Result<Self, String> {
        let mut pattern = String::new();
        let mut lead = None;
        let mut negative = Vec::new();
        let mut choices = Vec::new();
        let mut rest = source;
        while let Some(open) = rest.find(['{', '…']) {
            pattern.push_str(&literal(&rest[..open]));
            if rest[open..].starts_with('…') {
                pattern.push_str(GAP);
                rest = &rest[open + '…'.len_utf8()..];
                continue;
            }
            let close =
                rest[open..].find('}').ok_or_else(|| format!("`{source}`: a brace does not close"))?;
            let slot = &rest[open + 1..open + close];
            rest = &rest[open + close + 1..];
            if slot.starts_with("value") && !pattern.is_empty() && !source.contains('…') {
                lead = Some(pattern.clone());
            }
            pattern.push_str(&expand(slot, rule, rest, &mut negative));
            if let Some(words) = slot.strip_prefix("value:") {
                choices.extend(words.split('|').map(str::to_owned));
            }
        }
        pattern.push_str(&literal(rest));
        let build =
            |pattern: String| Expression::new(pattern).map_err(|error| format!("`{source}`: {error}"));
        let edge = if source.starts_with(|c: char| c.is_alphanumeric()) { r"\b" } else { "" };
        Ok(Self {
            regex: build(format!("{edge}{pattern}"))?,
            all: build(format!("^(?:{pattern})$"))?,
            source: source.to_owned(),
            lead: lead.map(|lead| build(format!(r"{edge}{lead}(?P<value>\S+(?: \S+)?)"))).transpose()?,
            negative,
            choices,
        })
    }

    /// Every match of the cue in a text.
    pub fn hits<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Hit> + 'a {
        self.regex
            .get()
            .into_iter()
            .flat_map(|regex| regex.captures_iter(text).map(|captures| self.hit(regex, &captures)))
    }

    /// Whether a text contains the cue.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.regex.get().is_some_and(|regex| regex.is_match(text))
    }

    /// The match of the cue with a whole text.
    #[must_use]
    pub fn whole(&self, text: &str) -> Option<Hit> {
        let regex = self.all.get()?;
        regex.captures(text).map(|captures| self.hit(regex, &captures))
    }

    /// The text in place of the value, if the words before it match.
    #[must_use]
    pub fn instead(&self, text: &str) -> Option<String> {
        self.lead.as_ref()?.get()?.captures(text)?.name("value").map(|found| found.as_str().to_owned())
    }

    /// The words of `{value:a|b}`.
    #[must_use]
    pub fn choices(&self) -> &[String] {
        &self.choices
    }

    fn hit(&self, regex: &Regex, captures: &Captures<'_>) -> Hit {
        let text = |name: &str| captures.name(name).map(|found| found.as_str().trim().to_owned());
        let slots = regex
            .capture_names()
            .flatten()
            .filter(|name| !matches!(*name, "value" | "sign"))
            .filter_map(|name| Some((name.to_owned(), text(name)?)))
            .collect();
        let (start, end) = captures.get(0).map_or((0, 0), |all| (all.start(), all.end()));
        Hit {
            start,
            end,
            value: text("value")
                .map(|value| {
                    let dash = value.replace(['–', '—'], "-");
                    let choice = self.choices.iter().find(|choice| choice.eq_ignore_ascii_case(&dash));
                    choice.cloned().unwrap_or(value)
                })
                .unwrap_or_default(),
            negative: text("sign").map(|word| self.negative.contains(&word.to_lowercase())),
            slots,
        }
    }
}

/// A few words of the same sentence: no period except in decimals, no amount, no percentage.
const GAP: &str = r"(?:[^.$%]|\.\d){0,80}?";

fn literal(text: &str) -> String {
    regex::escape(text).replace(r"\-", "[-–—]")
}

fn expand(slot: &str, rule: Option<Rule>, rest: &str, negative: &mut Vec<String>) -> String {
    let either = |words: &str| words.split('|').map(literal).collect::<Vec<_>>().join("|");
    if let Some(words) = slot.strip_prefix("value:") {
        return format!("(?P<value>{})", either(words));
    }
    if let Some(starts) = slot.strip_prefix("value=") {
        let starts: Vec<_> = starts.split('|').map(|start| literal(start.trim_end_matches('…'))).collect();
        return format!(r"(?P<value>(?:{})(?:[^.]|\.\d)*)", starts.join("|"));
    }
    if let Some(words) = slot.strip_prefix("sign:") {
        let words: Vec<_> = words.split('|').filter_map(|word| word.rsplit_once('=')).collect();
        negative.extend(words.iter().filter(|(_, sign)| *sign == "-").map(|(word, _)| word.to_lowercase()));
        return format!(
            "(?P<sign>{})",
            words.iter().map(|(word, _)| literal(word)).collect::<Vec<_>>().join("|")
        );
    }
    match slot {
        "value" => match rule {
            Some(rule) => format!("(?P<value>{})", shape(rule)),
            None => free("value", rest),
        },
        "year" | "start" | "end" => format!(r"(?P<{slot}>(?:19|20)\d\d)"),
        "country" => r"(?P<country>\p{L}[^.,;:]{1,60}?)".to_owned(),
        words if words.contains('|') => format!("(?:{})", either(words)),
        name => free(name, rest),
    }
}

/// Free text up to the next words of the cue, or to the end of the sentence.
fn free(name: &str, rest: &str) -> String {
    if rest.is_empty() {
        format!(r"(?P<{name}>(?:[^.;]|\.\d)+)")
    } else {
        format!(r"(?P<{name}>(?:[^.;]|\.\d)+?)")
    }
}

/// The approximate shape of a displayed number, to find it in prose. Its exact form is checked
/// later.
const fn shape(rule: Rule) -> &'static str {
    match rule {
        Rule::F1 | Rule::F2 | Rule::F3 | Rule::F4 | Rule::F5 => {
            r"(?:USD ?)?[-–]?\$ ?[-–]?\d[\d.,]*(?:\d| ?(?:k|M|B|T|thousand|million|billion|trillion)\b)?"
        }
        Rule::F6 | Rule::F7 | Rule::F8 | Rule::F9 | Rule::Growth => r"[-–+]?\d[\d.,]* ?%",
        Rule::F10 => r"\d+(?:st|nd|rd|th) of \d+",
        Rule::F11 => r"[↑↓] ?\d+",
        Rule::F14 => r"\d[\d.,]* ?(?:thousand|million|billion)",
        Rule::F12 | Rule::F13 | Rule::F15 => r"[-–]?\d+\.\d+",
        Rule::Integer => r"\d[\d,]*",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(cue: &str, rule: Option<Rule>, text: &str) -> Option<Hit> {
        Cue::new(cue, rule).unwrap().hits(text).next()
    }

    #[test]
    fn numbers_words_and_signs_are_taken_from_prose() {
        let cue =
            "Exports have {sign:grown=+|declined=-} by an annual average of {value} over the past five years";
        let text = "In short: exports have declined by an annual average of 2.3% over the past five years.";
        let found = hit(cue, Some(Rule::F7), text).unwrap();
        assert_eq!((found.value.as_str(), found.negative), ("2.3%", Some(true)));
        let cue = "has {value:not yet started} the traditional process";
        assert_eq!(
            hit(cue, None, "Kenya has not yet started the traditional process of").unwrap().value,
            "not yet started"
        );
    }

    #[test]
    fn a_gap_stays_in_the_sentence_and_skips_no_amount() {
        let cue = "{imports|imported}…{value}";
        let text =
            "Exports of $378 billion exceed imports, which totalled $367.68 billion. More imports cost.";
        assert_eq!(hit(cue, Some(Rule::F4), text).unwrap().value, "$367.68 billion");
        assert_eq!(hit(cue, Some(Rule::F4), "imports. It sold $3 billion"), None);
        assert_eq!(
            hit("{value}…imports", Some(Rule::F4), "$378 billion against $5 billion in imports")
                .unwrap()
                .value,
            "$5 billion"
        );
    }

    #[test]
    fn a_value_of_a_wrong_form_is_named() {
        let cue = Cue::new("averaged {value} over the past five years", Some(Rule::F7)).unwrap();
        let text = "growth averaged n/a% over the past five years";
        assert_eq!(cue.hits(text).count(), 0);
        assert_eq!(cue.instead(text).as_deref(), Some("n/a% over"));
    }

    #[test]
    fn headings_are_matched_whole() {
        let cue = Cue::new("{country}'s Product Space", None).unwrap();
        assert_eq!(cue.whole("Kenya's Product Space").unwrap().slots["country"], "Kenya");
        assert_eq!(cue.whole("What is Kenya's Product Space like"), None);
        let cue = Cue::new("To sum up: {country}", None).unwrap();
        assert_eq!(cue.whole("To sum up: Kenya").unwrap().slots["country"], "Kenya");
        let cue = Cue::new("Export Basket in {year}", None).unwrap();
        assert_eq!(cue.whole("EXPORT BASKET IN 2024").unwrap().slots["year"], "2024");
    }

    #[test]
    fn sentences_are_taken_whole() {
        let cue = "{value=Ample space to diversify…|Limited opportunities…}";
        let text = "Light Touch Approach Ample space to diversify calls for 2.5 steps. Next.";
        assert_eq!(hit(cue, None, text).unwrap().value, "Ample space to diversify calls for 2.5 steps");
    }
}
