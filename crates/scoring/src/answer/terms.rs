//! Points that are words: terms of the vocabulary, directions, yes and no, grades, codes, the one of several, phrases, and
//! the absence of a value.

use std::collections::BTreeSet;

use super::absence::absence;
use super::asked::{Asked, stem};
use super::clause;
use super::grade::{grades, is_grade};
use super::phrase::{phrase, says};
use super::place::{self, Place};
use super::polarity::polarity;
use super::said::Said;
use super::score::Answer;
use super::settle::{Candidate, settle, unscored};
use super::text::Line;
use super::{AnswerVerdict, Follows, PointScore};
use crate::compare::Content;
use crate::language::lexicon::{self, Sense, Tag};
use crate::language::sentence::{Kind, Names, Sentence, Token};

/// Judges a point that is a word or the absence of a value.
pub(super) fn judge(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> PointScore {
    let lines = &answer.lines;
    let one = asked.one;
    if let Content::Absent(kind) = &one.truth.content {
        return absence(asked, *kind, answer);
    }
    let Some(text) = asked.text() else { return unscored(one, "the truth could not be read") };
    if matches!(text, "true" | "false") {
        return polarity(asked, text == "true", lines);
    }
    if is_grade(text) {
        return settle(asked, &grades(asked, text, lines), lines);
    }
    let kinds = kinds_of(text);
    if let Some(truth) = direction_of(&kinds) {
        let found = directions(asked, truth, &kinds, lines);
        let speaks = |line: &Line| !line.sentence.question && line.sentence.tokens.iter().any(Token::means);
        if found.is_empty() && lines.iter().any(speaks) {
            return unscored(one, "what the answer says in other words needs a judge");
        }
        return settle(asked, &found, lines);
    }
    if one.follows == Some(Follows::ByAJudge) {
        return option(asked, text, lines);
    }
    if one
        .names
        .iter()
        .any(|name| !asked.question.as_ref().is_some_and(|question| says(&question.text, name)))
    {
        let point = phrase(asked, text, lines);
        // another term of its kind beside it
        let kinds = terms_within(text);
        let others = terms(asked, all, &kinds, text, lines);
        let rival = others.iter().find(|one| {
            let adds = |token: &Token| {
                let is_closed = ["final", "article", "be", "and", "preposition", "verb", "noun", "deictic"];
                matches!(token.kind, Kind::Words)
                    && !says(text, &token.folded)
                    && !asked.knows(&token.folded)
                    && !asked.of_another_row(&token.folded)
                    && !is_closed.iter().any(|role| token.role(role))
                    && !asked.one.names.iter().any(|name| says(name, &token.folded))
            };
            matches!(one.place, Place::Asked | Place::Unplaced(_))
                && point.sentence.as_ref() != lines.get(one.line).map(|line| &line.passage.text)
                && lines.get(one.line).is_some_and(|line| {
                    !says(&line.passage.text, text) || line.sentence.tokens.iter().any(adds)
                })
        });
        return match rival.filter(|_| point.said == AnswerVerdict::Right) {
            Some(rival) => unscored(one, format!("{} stands beside it", rival.value)),
            None => point,
        };
    }
    let found = if kinds.is_empty() { Vec::new() } else { terms(asked, all, &kinds, text, lines) };
    if found.is_empty() {
        return phrase(asked, text, lines);
    }
    settle(asked, &found, lines)
}

/// The terms of the vocabulary that a text is as a whole.
fn kinds_of(text: &str) -> Vec<Tag> {
    let words = lexicon::words(text);
    match lexicon::term(&words) {
        Some((count, senses)) if count == words.len() => senses
            .into_iter()
            .filter_map(|sense| match sense {
                Sense::Term(kind, canonical) => Some((kind, canonical)),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The terms of the vocabulary in a text.
pub(super) fn terms_within(text: &str) -> Vec<Tag> {
    let found = lexicon::terms(&lexicon::words(text)).into_iter();
    let term = found.filter_map(|(_, sense)| match sense {
        Sense::Term(kind, canonical) => Some((kind, canonical)),
        _ => None,
    });
    term.collect()
}

/// What is said at a token, with what stands over its line.
pub(super) fn said_at(line: &Line, at: usize, targets: &[usize]) -> Said {
    let clause = clause::clause_of(&line.clauses, at).unwrap_or(0);
    let mut said = clause::own(line, clause, at, targets);
    // `Its rival exports more, so it runs a surplus`: who it is stands before
    let own = line.clauses.get(clause).map(|clause| clause.tokens.as_slice()).unwrap_or_default();
    let word = |own: &usize| line.token(*own);
    let mut before = own.iter().filter(|own| **own < at).filter_map(word);
    let points = before.any(|token| matches!(token.folded.as_str(), "it" | "they"));
    if let Some(before) = clause.checked_sub(1).filter(|_| points && said.countries.is_empty()) {
        let before = clause::own(line, before, at, &[]);
        said.unknown.extend(before.unknown);
        said.countries.extend(before.countries);
        let open = before.operators.into_iter();
        let open = open.filter(|(kind, _)| !matches!(*kind, "bound" | "comparison" | "negation"));
        said.operators.extend(open);
    }
    let heads = Said::of_heads(line);
    said.operators.extend(heads.operators.iter().cloned());
    said.unknown.extend(heads.unknown.iter().cloned());
    said.inheriting(Some(&heads))
}

pub(super) fn candidate(
    asked: &Asked<'_>,
    line: &Line,
    at: usize,
    token: usize,
    agrees: bool,
    said: &Said,
) -> Candidate {
    let range = line.token(token).map(|token| token.range.clone()).unwrap_or_default();
    let corrected = line.until(token).iter().any(|token| token.operator("correction"));
    let before = line.until(token).iter().rev().find(|token| !token.role("article"));
    // `falls under Agriculture`
    let files = |token: &Token| matches!(token.folded.as_str(), "under" | "within");
    let bound =
        before.filter(|token| token.operator("bound") && !files(token) && !asked.knows(&token.folded));
    // `advises against the Light Touch Approach`
    let against = before.filter(|token| token.folded == "against");
    let place = match bound.or(against) {
        Some(bound) => Place::Operator(format!("\"{}\" is a bound", bound.folded)),
        None => place::place(asked, said, line),
    };
    Candidate {
        place,
        agrees: Some(agrees),
        comparison: None,
        value: line.sentence.shown(&range).to_owned(),
        line: at,
        is_final: said.is_final,
        corrected,
        vague: false,
        bare: said.alone,
    }
}

/// Whether a sentence repeats the question.
pub(super) fn repeats(asked: &Asked<'_>, line: &Line) -> bool {
    line.sentence.question
        && line.sentence.tokens.iter().filter(|token| !token.is_mark()).all(|token| {
            asked.knows(&token.folded)
                || token.role("article")
                || token.role("be")
                || token.role("preposition")
                || token.role("and")
        })
}

/// Terms of the kind that the truth is of.
fn terms(asked: &Asked<'_>, all: &[Asked<'_>], kinds: &[Tag], truth: &str, lines: &[Line]) -> Vec<Candidate> {
    let others: BTreeSet<&str> =
        all.iter().filter(|other| other.row != asked.row).filter_map(Asked::text).collect();
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if repeats(asked, line) {
            continue;
        }
        let found: Vec<(usize, bool)> = line
            .sentence
            .tokens
            .iter()
            .enumerate()
            .filter_map(|(place, token)| {
                let mine = token.terms.iter().filter(|(kind, _)| kinds.iter().any(|(own, _)| own == kind));
                let mine: Vec<&Tag> = mine.collect();
                if mine.is_empty()
                    || (asked.knows(&token.folded) && !says(truth, &token.folded))
                    || others.contains(token.folded.as_str())
                {
                    return None;
                }
                Some((place, mine.iter().any(|term| kinds.contains(term))))
            })
            .collect();
        let targets: Vec<usize> = found.iter().map(|(place, _)| *place).collect();
        for (place, agrees) in found {
            let mut said = said_at(line, place, &targets);
            said.terms.clear();
            // `services, by expanding its market share`: what another row asks for
            let of_others = |value: &str| others.iter().any(|other| other.eq_ignore_ascii_case(value));
            said.tags.retain(|(kind, value)| *kind != "metric" && *value != "growth" && !of_others(value));
            said.unknown.retain(|word| !says(truth, word));
            out.push(candidate(asked, line, at, place, agrees, &said));
        }
    }
    out
}

/// Kinds of the vocabulary whose terms are directions, with the one that is up.
const DIRECTIONS: [(&str, &str); 5] = [
    ("export_direction", "grown"),
    ("sector_direction", "risen"),
    ("rank_direction", "improving"),
    ("trade_balance", "surplus"),
    ("regional_difference", "Above"),
];

fn direction_of(kinds: &[Tag]) -> Option<bool> {
    let (kind, canonical) = kinds.iter().find(|(kind, _)| DIRECTIONS.iter().any(|(own, _)| own == kind))?;
    if *canonical == "InLine" || *canonical == "stagnated" {
        return None;
    }
    DIRECTIONS.iter().find(|(own, _)| own == kind).map(|(_, up)| up == canonical)
}

/// Which way the answer says that something goes.
fn directions(asked: &Asked<'_>, truth: bool, kinds: &[Tag], lines: &[Line]) -> Vec<Candidate> {
    let compares = kinds.iter().any(|(kind, _)| *kind == "regional_difference");
    let balance = kinds.iter().any(|(kind, _)| *kind == "trade_balance");
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if repeats(asked, line) {
            continue;
        }
        let way = |token: &Token| {
            if compares
                && line
                    .sentence
                    .tokens
                    .iter()
                    .any(|next| next.range.start == token.range.end + 1 && next.number().is_some())
            {
                return None;
            }
            if balance && !["surplus", "deficit"].iter().any(|word| token.folded.contains(word)) {
                return None;
            }
            if compares { token.comparative() } else { token.direction() }
        };
        let tokens = line.sentence.tokens.iter().enumerate();
        let found: Vec<(usize, bool)> =
            tokens.filter_map(|(place, token)| Some((place, way(token)?))).collect();
        let targets: Vec<usize> = found.iter().map(|(place, _)| *place).collect();
        // `The averages of the region lay above the growth of Spain`
        let tokens = &line.sentence.tokens;
        let reversed = |place: usize| {
            let (before, behind) = tokens.split_at(place);
            let own = |token: &Token| asked.country.is_some_and(|id| token.kind == Kind::Country(id));
            compares
                && before.iter().any(|token| token.is("part", "regional") || token.folded.contains("region"))
                && !before.iter().any(own)
                && behind.iter().any(own)
        };
        let mut clauses: BTreeSet<usize> = BTreeSet::new();
        for (place, up) in &found {
            let clause = clause::clause_of(&line.clauses, *place).unwrap_or(0);
            // one direction a clause decides, unless they differ
            let same = found
                .iter()
                .filter(|(other, _)| clause::clause_of(&line.clauses, *other) == Some(clause))
                .all(|(_, other)| other == up);
            if same && !clauses.insert(clause) {
                continue;
            }
            let mut said = said_at(line, *place, if same { &[] } else { &targets });
            said.durations.retain(|years| *years != 10);
            said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
            said.tags.retain(|tag| {
                !matches!(
                    *tag,
                    ("modifier", "growth")
                        | ("part", "regional")
                        | ("metric", "trade_balance" | "gdp_per_capita")
                ) || !matches!(tag.0, "modifier" | "part" | "metric")
            });
            let mut one = candidate(asked, line, at, *place, *up == truth, &said);
            let minus = line
                .sentence
                .tokens
                .iter()
                .filter_map(Token::number)
                .any(|number| number.number < rust_decimal::Decimal::ZERO);
            if reversed(*place) && one.place == Place::Asked {
                one.place = Place::Unplaced("it is the region that is compared".to_owned());
            }
            if balance && minus && *up && one.place == Place::Asked {
                one.place = Place::Unplaced("a minus stands at a surplus".to_owned());
            }
            if !same {
                one.place = Place::Unplaced("it says both directions".to_owned());
            }
            out.push(one);
        }
    }
    out
}

/// Which of several that the question names: the subject of a comparison that goes the question's way.
fn option(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let Some(question) = &asked.question else {
        return unscored(one, "which of several it is, the question has to say");
    };
    let way = Token::comparative;
    let Some(asked_way) = question.tokens.iter().find_map(way) else {
        return phrase(asked, truth, lines);
    };
    let names = |token: &Token| {
        matches!(token.kind, Kind::Country(_) | Kind::Product(_))
            || token.terms.iter().any(|(kind, _)| *kind == "sector")
            || token.is("scope", "services")
    };
    let is_option =
        |token: &&Token| names(token) && asked.country.is_none_or(|own| token.kind != Kind::Country(own));
    let same = |a: &Token, b: &Token| match (&a.kind, &b.kind) {
        (Kind::Country(a), Kind::Country(b)) => a == b,
        _ => stem(&a.folded) == stem(&b.folded),
    };
    let read = Sentence::of(truth, &Names::default());
    let Some(truth_token) = read.tokens.iter().find(|token| names(token)) else {
        return phrase(asked, truth, lines);
    };
    let options: Vec<&Token> = question.tokens.iter().filter(is_option).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.sentence.question {
            continue;
        }
        let tokens = &line.sentence.tokens;
        for clause in &line.clauses {
            let is_named = |at: &usize| tokens.get(*at).is_some_and(|token| is_option(&token));
            let named: Vec<usize> = clause.tokens.iter().copied().filter(is_named).collect();
            let Some(first) = named.first() else {
                // `Services were important, but they trail the minerals`
                let it = |at: &usize| {
                    tokens.get(*at).is_some_and(|token| matches!(token.folded.as_str(), "it" | "they"))
                };
                let says = clause.tokens.iter().filter_map(|at| tokens.get(*at)).find_map(way);
                if clause.tokens.iter().any(it) && says.is_some_and(|says| says != asked_way) {
                    let why = "it is said to be the other end".to_owned();
                    found
                        .last_mut()
                        .into_iter()
                        .for_each(|last: &mut Candidate| last.place = Place::Unplaced(why.clone()));
                }
                continue;
            };
            let than = clause
                .tokens
                .iter()
                .copied()
                .find(|at| tokens.get(*at).is_some_and(|token| token.folded == "than"));
            let spoken = clause.tokens.iter().filter_map(|at| tokens.get(*at)).find_map(way);
            // `The Netherlands. Its exports grew faster than Sweden's`: it is the one that was named before
            let earlier = found.last().filter(|last: &&Candidate| last.place == Place::Asked);
            let pivot = than
                .or_else(|| clause.tokens.iter().copied().find(|at| tokens.get(*at).and_then(way).is_some()));
            let subject = clause.tokens.iter().filter(|at| pivot.is_some_and(|pivot| **at < pivot));
            let is_it = pivot.is_some_and(|pivot| *first > pivot)
                && spoken == Some(asked_way)
                && options.len() == 2
                && subject
                    .filter_map(|at| tokens.get(*at))
                    .any(|token| matches!(token.folded.as_str(), "it" | "its" | "they" | "their"));
            if let Some(last) = earlier.filter(|_| is_it && named.len() == 1)
                && let Some(other) = tokens.get(*first)
                && last.agrees == Some(!same(other, truth_token))
            {
                continue;
            }
            // `Uganda bought most`, where the least is asked for: the other end
            let other_end =
                than.is_none() && spoken.is_some_and(|spoken| spoken != asked_way) && named.len() == 1;
            if other_end
                && tokens.get(*first).is_some_and(|token| !same(token, truth_token))
                && options.len() > 2
            {
                continue;
            }
            let (winner, ways) = match (than, spoken) {
                (Some(than), Some(spoken)) => {
                    let before: Vec<usize> = named.iter().copied().filter(|at| *at < than).collect();
                    let behind: Vec<usize> = named.iter().copied().filter(|at| *at > than).collect();
                    // the one that all others are more than is the least
                    match (spoken == asked_way, before.as_slice(), behind.as_slice()) {
                        (true, [one], _) => (*one, true),
                        (false, before, [one])
                            if before.len() + 1 == options.len().max(2) || options.len() == 2 =>
                        {
                            (*one, true)
                        }
                        _ => (*first, false),
                    }
                }
                // `the Netherlands outpaced Sweden`
                (None, Some(spoken)) if matches!(named.as_slice(), [subject, object] if verb_between(tokens, pivot, *subject, *object)) => {
                    (
                        if spoken == asked_way { *first } else { named.last().copied().unwrap_or(*first) },
                        options.len() == 2,
                    )
                }
                (None, Some(spoken)) if named.len() == 1 && spoken == asked_way => (*first, true),
                (None, None) if named.len() == 1 => (*first, true),
                _ => (*first, false),
            };
            let Some(token) = tokens.get(winner) else { continue };
            let mut said = said_at(line, winner, &[winner]);
            said.countries.clear();
            said.products.clear();
            said.tags.retain(|(kind, value)| {
                *kind != "comparative" && !(*kind == "scope" || (*kind == "modifier" && *value == "growth"))
            });
            said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
            let mut made = candidate(asked, line, at, winner, same(token, truth_token), &said);
            if !ways && made.place == Place::Asked {
                made.place = Place::Unplaced("how they compare is a judge's to read".to_owned());
                made.agrees = None;
            }
            found.push(made);
        }
    }
    if found.is_empty() {
        return phrase(asked, truth, lines);
    }
    let point = settle(asked, &found, lines);
    // it is named, though no clause makes it a candidate
    let named = lines.iter().flat_map(|line| &line.sentence.tokens).any(|token| same(token, truth_token));
    match point.said {
        AnswerVerdict::Missing if named => unscored(one, "how they compare is a judge's to read"),
        _ => point,
    }
}

/// Whether a comparative is a verb between its subject and its object, which stands right behind it.
fn verb_between(tokens: &[Token], verb: Option<usize>, subject: usize, object: usize) -> bool {
    let Some(verb) = verb.filter(|verb| (subject..object).contains(verb)) else { return false };
    let behind = tokens.get(verb + 1..object).unwrap_or_default();
    behind.iter().all(|token| token.role("article"))
        && !tokens.get(verb).is_some_and(|verb| verb.role("adjective") || verb.role("preposition"))
}
