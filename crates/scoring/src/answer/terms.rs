//! Points that are words: terms of the vocabulary, directions, yes and no, grades, codes, the one of several, phrases, and
//! the absence of a value.

use std::collections::BTreeSet;

use super::asked::{Asked, stem};
use super::note;
use super::phrase::{absence, phrase, says};
use super::place::{self, Place};
use super::said::{self, Said};
use super::score::Answer;
use super::settle::{Candidate, missing, settle, unscored};
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
        return settle(asked, &directions(asked, truth, &kinds, lines), lines);
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
fn terms_within(text: &str) -> Vec<Tag> {
    let found = lexicon::terms(&lexicon::words(text)).into_iter();
    let term = found.filter_map(|(_, sense)| match sense {
        Sense::Term(kind, canonical) => Some((kind, canonical)),
        _ => None,
    });
    term.collect()
}

/// What is said at a token, with what stands over its line.
fn said_at(line: &Line, at: usize, targets: &[usize]) -> Said {
    let clause = said::clause_of(&line.clauses, at).unwrap_or(0);
    let mut said = said::own(line, clause, at, targets);
    let mut heads = Said::default();
    line.heads.iter().for_each(|head| heads.take_head(head, true));
    line.headings.iter().for_each(|head| heads.take_head(head, false));
    said.operators.extend(heads.operators.iter().cloned());
    said.unknown.extend(heads.unknown.iter().cloned());
    said.inherit(&heads);
    said
}

fn candidate(
    asked: &Asked<'_>,
    line: &Line,
    at: usize,
    token: usize,
    agrees: bool,
    said: &Said,
) -> Candidate {
    let range = line.sentence.tokens.get(token).map(|token| token.range.clone()).unwrap_or_default();
    let corrected = line
        .sentence
        .tokens
        .get(..token)
        .unwrap_or_default()
        .iter()
        .any(|token| token.operator("correction"));
    let before = line
        .sentence
        .tokens
        .get(..token)
        .unwrap_or_default()
        .iter()
        .rev()
        .find(|token| !token.role("article"));
    let bound = before.filter(|token| token.operator("bound") && !asked.knows(&token.folded));
    let place = match bound {
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
    }
}

/// Whether a sentence repeats the question.
fn repeats(asked: &Asked<'_>, line: &Line) -> bool {
    line.sentence.question
        && line.sentence.tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark(_))).all(|token| {
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
            said.tags.retain(|(kind, value)| *kind != "metric" && *value != "growth");
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
            let kind = if compares { "comparative" } else { "direction" };
            let (up, down) = if compares { ("more", "less") } else { ("up", "down") };
            if balance && !["surplus", "deficit"].iter().any(|word| token.folded.contains(word)) {
                return None;
            }
            (token.is(kind, up) || token.is(kind, down)).then(|| token.is(kind, up))
        };
        let found: Vec<(usize, bool)> = line
            .sentence
            .tokens
            .iter()
            .enumerate()
            .filter_map(|(place, token)| Some((place, way(token)?)))
            .collect();
        let targets: Vec<usize> = found.iter().map(|(place, _)| *place).collect();
        let mut clauses: BTreeSet<usize> = BTreeSet::new();
        for (place, up) in &found {
            let clause = said::clause_of(&line.clauses, *place).unwrap_or(0);
            // one direction a clause decides, unless they differ
            let same = found
                .iter()
                .filter(|(other, _)| said::clause_of(&line.clauses, *other) == Some(clause))
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

/// Yes or no, by the word and by whether the question's statement is denied.
fn polarity(asked: &Asked<'_>, truth: bool, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let mut said: Vec<(bool, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // `Whether a product is green | false`: what a cell asks, another answers
        let asks =
            line.passage.cell && line.sentence.tokens.first().is_some_and(|first| first.folded == "whether");
        if line.sentence.question || asks {
            if asks || repeats(asked, line) {
                continue;
            }
            return unscored(one, "the answer asks");
        }
        let tokens: Vec<&Token> = line
            .sentence
            .tokens
            .iter()
            .filter(|token| !matches!(token.kind, Kind::Mark(_)) && !token.role("final"))
            .collect();
        let Some(first) = tokens.first() else { continue };
        let lead = match () {
            () if first.is("polarity", "yes")
                && matches!(
                    first.folded.as_str(),
                    "yes" | "true" | "yep" | "yeah" | "affirmative" | "correct"
                ) =>
            {
                Some(true)
            }
            () if tokens.last().is_some_and(|last| last.folded == "false") => Some(false),
            () if tokens.last().is_some_and(|last| last.folded == "true") => Some(true),
            () if first.is("polarity", "no") && matches!(first.folded.as_str(), "no" | "false" | "nope") => {
                Some(false)
            }
            () => None,
        };
        if let Some(lead) = lead {
            said.push((lead, at));
        }
        let content = |token: &&&Token| {
            token.folded.len() > 2
                && !token.role("article")
                && !token.role("be")
                && !token.role("preposition")
                && asked.knows(&token.folded)
        };
        let mut whole = Said::default();
        whole.take_head(&line.sentence, true);
        let rest = tokens.get(usize::from(lead.is_some())..).unwrap_or_default();
        if tokens.last().is_some_and(|last| matches!(last.folded.as_str(), "false" | "true")) {
            if let Some(word) = whole.unknown.iter().find(|word| !asked.knows(word)) {
                return unscored(one, format!("nobody knows what \"{word}\" says of it"));
            }
            continue;
        }
        let hedges =
            ["hedge", "condition", "wrong", "stale", "past", "future", "exception", "elsewhere", "withdrawn"];
        if let Some((_, word)) = whole
            .operators
            .iter()
            .find(|(kind, word)| hedges.contains(kind) && !asked.knows(word) && word != "false")
        {
            return unscored(one, format!("\"{word}\" keeps it open"));
        }
        if rest.iter().filter(content).count() < 2 {
            if !rest.is_empty() && said.is_empty() {
                continue;
            }
            continue;
        }
        let negated = rest.iter().any(|token| token.operator("negation"));
        // `It is not: the Atlas does not …` says it twice and not the contrary
        let denials = line.sentence.tokens.split(|token| token.mark(':') || token.mark(';'));
        let mut denials = denials.map(|part| part.iter().filter(|token| token.operator("negation")).count());
        if denials.any(|count| count > 1) {
            return unscored(one, "it is denied twice");
        }
        if let Some(part) = place::differs(asked, &whole) {
            return unscored(one, format!("it is said of another context: {part}"));
        }
        if let Some(word) = whole.unknown.iter().find(|word| !asked.knows(word) && !word.ends_with("ly")) {
            return unscored(one, format!("nobody knows what \"{word}\" says of it"));
        }
        said.push((!negated, at));
    }
    let Some((polarity, at)) = said.first().copied() else {
        return unscored(one, "the answer says neither yes nor no");
    };
    if said.iter().any(|(other, _)| *other != polarity) {
        return unscored(one, "the answer says both yes and no");
    }
    let own = said.iter().map(|(_, own)| *own).collect();
    if let Some(doubt) = note::doubt(asked, lines, &own, None) {
        return unscored(one, doubt);
    }
    PointScore {
        said: if polarity == truth { AnswerVerdict::Right } else { AnswerVerdict::Wrong },
        sentence: lines.get(at).map(|line| line.passage.text.clone()),
        value: Some(if polarity { "yes" } else { "no" }.to_owned()),
        reason: format!("the answer says {}", if polarity { "yes" } else { "no" }),
        ..missing(one, "")
    }
}

fn is_grade(text: &str) -> bool {
    matches!(text, "A+" | "A" | "B" | "C" | "D" | "D-")
}

/// Grades: a capital letter, with its sign.
fn grades(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let text = &line.sentence.text;
        let tokens = &line.sentence.tokens;
        let words = tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark(_))).count();
        let spoken = tokens.iter().any(|token| token.folded.starts_with("grade"))
            || line.heads.iter().flat_map(|head| &head.tokens).any(|token| token.folded.contains("grade"));
        for (place, token) in tokens.iter().enumerate() {
            let shown = line.sentence.shown(&token.range);
            if !matches!(shown, "A" | "B" | "C" | "D") {
                continue;
            }
            let after = text.get(token.range.end..).unwrap_or_default();
            let sign = match after.chars().next() {
                Some('+') => "+",
                Some('-' | '−' | '–') if !after.chars().nth(1).is_some_and(char::is_alphanumeric) => "-",
                _ => "",
            };
            let article =
                shown == "A" && sign.is_empty() && after.trim_start().starts_with(char::is_lowercase);
            if article || after.starts_with(':') {
                continue;
            }
            let grade = format!("{shown}{sign}");
            let mut said = said_at(line, place, &[place]);
            said.operators.retain(|(_, word)| word != "a");
            said.tags.retain(|(kind, value)| *kind != "metric" && *value != "growth");
            let mut one = candidate(asked, line, at, place, grade == truth, &said);
            one.value.clone_from(&grade);
            let verb = tokens.iter().any(|token| token.role("verb") || token.role("be"));
            if one.place == Place::Asked
                && !spoken
                && words > 2
                && !(verb
                    && said.unknown.is_empty()
                    && tokens.get(place + 1).is_none_or(|next| matches!(next.kind, Kind::Mark(_))))
            {
                one.place = Place::Unplaced("it does not say that it is a grade".to_owned());
            }
            if one.place == Place::Asked
                && place
                    .checked_sub(1)
                    .and_then(|at| tokens.get(at))
                    .is_some_and(|token| token.operator("about"))
            {
                one.place = Place::Operator("\"about\" doubts it".to_owned());
            }
            out.push(one);
        }
    }
    out
}

/// A code: where the answer is hardly more than it, or speaks of codes.
pub(super) fn code(asked: &Asked<'_>, answer: &Answer) -> Option<PointScore> {
    let truth = asked.one.code.as_deref()?.to_lowercase();
    let product = asked.context.product.clone().map(|code| code.to_lowercase());
    let is_code = |token: &Token| {
        token.folded.len() >= 4 && token.folded.bytes().all(|byte| byte.is_ascii_digit())
            || token.folded == truth
            || ["ict", "travel", "transport", "financial", "unspecified"].contains(&token.folded.as_str())
    };
    let mut found = Vec::new();
    for (at, line) in answer.lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        let spoken = tokens.iter().chain(line.heads.iter().flat_map(|head| &head.tokens)).any(|token| {
            token.folded.split(' ').any(|word| word.starts_with("code") || word.starts_with("hs"))
        });
        let words = tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark(_))).count();
        for (place, token) in tokens.iter().enumerate().filter(|(_, token)| is_code(token)) {
            if matches!(token.kind, Kind::Period(_)) {
                continue;
            }
            if !spoken && words > 3 {
                // it may be a code, though nothing says so
                if token.number().is_some() && !asked.knows(&token.folded) && token.folded != truth {
                    let one = candidate(asked, line, at, place, false, &Said::default());
                    let why = "it does not say that it is a code".to_owned();
                    found.push(Candidate { place: Place::Unplaced(why), ..one });
                }
                continue;
            }
            let mut said = said_at(line, place, &[place]);
            said.rows.clear();
            let agrees = token.folded == truth || (product.as_ref() == Some(&token.folded));
            found.push(candidate(asked, line, at, place, agrees, &said));
        }
    }
    Some(settle(asked, &found, &answer.lines))
}

/// Which of several that the question names: the subject of a comparison that goes the question's way.
fn option(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let Some(question) = &asked.question else {
        return unscored(one, "which of several it is, the question has to say");
    };
    let way = |token: &Token| {
        (token.is("comparative", "more") || token.is("comparative", "less"))
            .then(|| token.is("comparative", "more"))
    };
    let Some(asked_way) = question.tokens.iter().find_map(way) else {
        return phrase(asked, truth, lines);
    };
    let names = |token: &Token| {
        matches!(token.kind, Kind::Country(_) | Kind::Product(_))
            || token.terms.iter().any(|(kind, _)| *kind == "sector")
            || token.is("scope", "services")
    };
    let same = |a: &Token, b: &Token| match (&a.kind, &b.kind) {
        (Kind::Country(a), Kind::Country(b)) => a == b,
        _ => stem(&a.folded) == stem(&b.folded),
    };
    let read = Sentence::of(truth, &Names::default());
    let Some(truth_token) = read.tokens.iter().find(|token| names(token)) else {
        return phrase(asked, truth, lines);
    };
    let options: Vec<&Token> = question
        .tokens
        .iter()
        .filter(|token| names(token) && asked.country.is_none_or(|own| token.kind != Kind::Country(own)))
        .collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.sentence.question {
            continue;
        }
        let tokens = &line.sentence.tokens;
        for clause in &line.clauses {
            let named: Vec<usize> = clause
                .tokens
                .iter()
                .copied()
                .filter(|at| {
                    tokens.get(*at).is_some_and(|token| {
                        names(token) && asked.country.is_none_or(|own| token.kind != Kind::Country(own))
                    })
                })
                .collect();
            let Some(first) = named.first() else { continue };
            let than = clause
                .tokens
                .iter()
                .copied()
                .find(|at| tokens.get(*at).is_some_and(|token| token.folded == "than"));
            let spoken = clause.tokens.iter().filter_map(|at| tokens.get(*at)).find_map(way);
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
            }
            found.push(made);
        }
    }
    if found.is_empty() {
        return phrase(asked, truth, lines);
    }
    settle(asked, &found, lines)
}
