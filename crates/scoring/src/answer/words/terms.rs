//! Reads data points that are words: chooses the reader for each kind of truth, and reads vocabulary terms.

use std::collections::BTreeSet;

use super::absence::absence;
use super::direction::{Directions, direction_of, turned};
use super::grade::{Codes, Grades, is_grade};
use super::mention::{Mark, Words, candidates, repeats};
use super::option::option;
use super::phrase::{in_other_words, phrase, says};
use super::polarity::polarity;
use crate::answer::candidate::{Candidate, Claim, Found, Place};
use crate::answer::line::Line;
use crate::answer::point::{AnswerVerdict, Follows, PointScore, unscored};
use crate::answer::question::asked::Asked;
use crate::answer::reading::Answer;
use crate::answer::statement::said::Said;
use crate::compare::Content;
use crate::language::lexicon::{self, Sense, Tag};
use crate::language::token::{Kind, Token};

/// Reads a point that is a word or the absence of a value.
pub(crate) fn find(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> Found {
    let lines = &answer.lines;
    let one = asked.one;
    if let Content::Absent(kind) = &one.truth.content {
        return absence(asked, *kind, answer);
    }
    let Some(text) = asked.text() else {
        return Found::from(unscored(one, "the truth could not be read"));
    };
    if matches!(text, "true" | "false") {
        return polarity(asked, text == "true", lines);
    }
    if is_grade(text) {
        return Found::Candidates(candidates(asked, &Grades { asked, truth: text }, lines));
    }
    let kinds = kinds_of(text);
    if let Some(truth) = direction_of(&kinds) {
        let found = candidates(asked, &Directions::of(asked, truth, &kinds), lines);
        let speaks = |line: &Line| !line.sentence.question && line.sentence.tokens.iter().any(Token::means);
        return match found.is_empty() && lines.iter().any(speaks) {
            true => Found::from(in_other_words(asked, lines)),
            false => Found::Candidates(found),
        };
    }
    let by_a_judge = one.follows == Some(Follows::ByAJudge);
    let in_question = |name: &String| asked.question.as_ref().is_some_and(|asks| says(&asks.text, name));
    let has_subject = !by_a_judge && one.names.iter().any(|name| !in_question(name));
    let found = match &asked.question {
        None if by_a_judge => {
            return Found::from(unscored(one, "without the question, the options are unknown"));
        }
        Some(question) if by_a_judge => option(asked, question, text, lines),
        _ if has_subject => None,
        _ => Some(candidates(asked, &Terms::of(asked, all, &kinds, text), lines))
            .filter(|found| !found.is_empty())
            .map(|found| match found.iter().any(says_which) {
                true => Found::Candidates(found),
                false => said_beside(phrase(asked, text, lines)).unwrap_or(Found::Candidates(found)),
            }),
    };
    match found.unwrap_or_else(|| phrase(asked, text, lines)) {
        Found::Claim(claim) if has_subject => {
            let rival = rival_term(asked, all, text, lines, &claim.verdict);
            let open = |rival: Candidate| unscored(one, format!("the answer also gives {}", rival.value));
            Found::from(Claim { verdict: rival.map_or_else(|| claim.verdict.clone(), open), ..*claim })
        }
        found => found,
    }
}

/// Whether a candidate says which term it is, and not only which it is not: `It isn't described as completed.`
fn says_which(one: &Candidate) -> bool {
    one.agrees == Some(true) || !matches!(one.place, Place::Operator(_) | Place::OtherContext(_))
}

/// The true words beside terms that the answer rules out.
fn said_beside(found: Found) -> Option<Found> {
    match found {
        Found::Claim(claim) if claim.verdict.said == AnswerVerdict::Right => Some(Found::Claim(claim)),
        _ => None,
    }
}

/// A rival term of the same kind as one in the phrase.
fn rival_term(
    asked: &Asked<'_>,
    all: &[Asked<'_>],
    text: &str,
    lines: &[Line],
    point: &PointScore,
) -> Option<Candidate> {
    const CLOSED: [&str; 8] = ["final", "article", "be", "and", "preposition", "verb", "noun", "deictic"];
    let adds = |token: &Token| {
        matches!(token.kind, Kind::Words)
            && !says(text, &token.folded)
            && !asked.knows(&token.folded)
            && !asked.of_another_row(&token.folded)
            && !CLOSED.iter().any(|role| token.role(role))
            && !asked.one.names.iter().any(|name| says(name, &token.folded))
    };
    // A line that contains only the phrase repeats it.
    let is_other = |line: &Line| {
        point.sentence.as_ref() != Some(&line.passage.text)
            && (!says(&line.passage.text, text) || line.sentence.tokens.iter().any(adds))
    };
    let terms = lexicon::terms_within(text);
    candidates(asked, &Terms::of(asked, all, &terms, text), lines).into_iter().find(|one| {
        matches!(one.place, Place::Asked | Place::Unplaced(_)) && lines.get(one.line).is_some_and(is_other)
    })
}

/// The vocabulary terms that match the whole text.
fn kinds_of(text: &str) -> Vec<Tag> {
    let words = lexicon::words(text);
    let whole = lexicon::term(&words).filter(|(count, _)| *count == words.len());
    whole.into_iter().flat_map(|(_, senses)| senses).copied().filter_map(Sense::term).collect()
}

/// The direction that a text states as a whole, if it is one; `true` for up.
pub(crate) fn direction(text: &str) -> Option<bool> {
    direction_of(&kinds_of(text))
}

/// Whether a text is a term of a kind: `above` of `regional_difference`.
pub(crate) fn is_of_kind(text: &str, kind: &str) -> bool {
    kinds_of(text).iter().any(|(own, _)| *own == kind)
}

/// The codes that the answer gives. `None` if the record has none.
pub(crate) fn codes(asked: &Asked<'_>, answer: &Answer) -> Option<Found> {
    Some(Found::Candidates(candidates(asked, &Codes::of(asked)?, &answer.lines)))
}

/// The terms of the truth's kind that an answer may give.
struct Terms<'a> {
    asked: &'a Asked<'a>,
    kinds: &'a [Tag],
    truth: &'a str,
    /// The terms of the record's other rows.
    others: BTreeSet<&'a str>,
}

impl<'a> Terms<'a> {
    fn of(asked: &'a Asked<'a>, all: &'a [Asked<'a>], kinds: &'a [Tag], truth: &'a str) -> Self {
        let others = all.iter().filter(|other| other.row != asked.row).filter_map(Asked::text).collect();
        Self { asked, kinds, truth, others }
    }

    /// The word of trade that makes it another measure: `the sector with its largest exports`, if the question asks for a share of
    /// the world market; `its imports are more complex`.
    fn of_trade<'t>(&self, tokens: &'t [Token]) -> Option<&'t Token> {
        let of_world = |token: &Token| {
            token.is("metric", "market_share")
                || token.is("metric", "world_trade")
                || token.holds("share_noun")
        };
        let is_other = |token: &&Token| match self.asked.has("metric", "market_share") {
            true => token.tagged("flow") && !tokens.iter().any(of_world),
            false => {
                token.is("flow", "import")
                    && !self.asked.has("metric", "trade")
                    && !self.asked.has("flow", "import")
            }
        };
        tokens.iter().find(|token| is_other(token) && !self.asked.knows(&token.folded))
    }

    /// Whether a token is such a term, and whether it is the truth.
    fn of_kind(&self, token: &Token) -> Option<bool> {
        let is_own = |(kind, _): &&Tag| self.kinds.iter().any(|(own, _)| own == kind);
        let mut mine = token.terms.iter().filter(is_own).peekable();
        mine.peek()?;
        let is_asked = self.asked.knows(&token.folded) && !says(self.truth, &token.folded);
        (!is_asked && !self.others.contains(token.folded.as_str()))
            .then(|| mine.any(|term| self.kinds.contains(term)))
    }
}

impl Words for Terms<'_> {
    fn otherwise(&self, line: &Line, mark: &Mark, _: &Said) -> Option<Place> {
        // `a stronger approach than the Light Touch Approach`
        let mut before = line.until(mark.token).iter().rev().filter(|token| !token.role("article"));
        let than =
            before.next().filter(|word| word.folded == "than" && !is_surpassed_by_none(line, mark.token));
        let tokens = &line.sentence.tokens;
        let other = || turned(self.asked, tokens).or_else(|| self.of_trade(tokens));
        than.or_else(other).map(|word| Place::unclear(&word.folded))
    }

    fn marks(&self, line: &Line) -> Vec<Mark> {
        if repeats(self.asked, line) {
            return Vec::new();
        }
        let tokens = line.sentence.tokens.iter().enumerate();
        let found: Vec<(usize, bool)> =
            tokens.filter_map(|(at, token)| Some((at, self.of_kind(token)?))).collect();
        let targets: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        let mark =
            |(token, agrees)| Mark { token, agrees, targets: targets.clone(), place: None, value: None };
        found.into_iter().map(mark).collect()
    }

    fn trim(&self, line: &Line, mark: &Mark, said: &mut Said) {
        said.terms.clear();
        said.tags.retain(|tag| !is_of_figure(line, *tag));
        // `services, by expanding its market share`: part of another row's answer.
        let of_others = |value: &str| self.others.iter().any(|other| other.eq_ignore_ascii_case(value));
        let of_trade = |value: &str| lexicon::listed("of_trade", value);
        said.tags.retain(|(kind, value)| {
            let is_of_others = of_others(value) || self.asked.siblings.contains(&(*kind, *value));
            !(*kind == "metric" && of_trade(value)) && *value != "growth" && !is_of_others
        });
        said.unknown.retain(|word| !says(self.truth, word));
        if is_surpassed_by_none(line, mark.token) {
            said.operators.retain(|(kind, _)| !matches!(*kind, "negation" | "comparison" | "bound"));
        }
    }
}

/// Whether a measure is that of a figure beside the term: `a high-income country, with a GDP per capita of $35,151`.
fn is_of_figure(line: &Line, tag: Tag) -> bool {
    let gives = |(at, token): (usize, &Token)| {
        let mut behind =
            line.behind(at).iter().filter(|token| !token.role("article") && !token.operator("about"));
        let of = behind.next();
        token.tags.contains(&tag)
            && of.is_some_and(|of| of.folded == "of" || of.mark(':'))
            && behind.next().is_some_and(|value| value.number().is_some())
    };
    tag.0 == "metric" && line.sentence.tokens.iter().enumerate().any(gives)
}

/// `No other sector has a larger share than Vegetables`: what stands behind `than` is the first.
fn is_surpassed_by_none(line: &Line, at: usize) -> bool {
    let denies = line.token(0).is_some_and(|first| matches!(first.folded.as_str(), "no" | "no other"));
    let compares = line.until(at).iter().any(|token| token.is("comparative", "more"));
    denies && compares && line.before(at, 1).is_some_and(|before| before.folded == "than")
}
