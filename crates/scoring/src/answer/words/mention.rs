//! Words of an answer as candidates: each kind of reader marks words, and here they get the context of their place in the sentence.

use crate::answer::candidate::{Candidate, Place};
use crate::answer::line::Line;
use crate::answer::place::asserted::place;
use crate::answer::place::slots::{why_followed, why_preceded};
use crate::answer::question::asked::Asked;
use crate::answer::statement::clause;
use crate::answer::statement::said::Said;
use crate::language::token::{Class, Kind, Token};

/// A word of a line that may be the value.
pub(crate) struct Mark {
    pub token: usize,
    /// Whether it is the true value.
    pub agrees: bool,
    /// The words of the clause with a context of their own.
    pub targets: Vec<usize>,
    /// Its place, if its form decides that.
    pub place: Option<Place>,
    /// The value, if that is more than the word.
    pub value: Option<String>,
}

/// A kind of value that a word states.
pub(crate) trait Words {
    /// The words of a line that may be such a value.
    fn marks(&self, line: &Line) -> Vec<Mark>;

    /// Removes from a word's context what does not change the value.
    fn trim(&self, line: &Line, mark: &Mark, said: &mut Said);

    /// Why a word in the context of the question is still not the value.
    fn otherwise(&self, _line: &Line, _mark: &Mark, _said: &Said) -> Option<Place> {
        None
    }
}

/// The candidates among the words of an answer.
pub(crate) fn candidates(asked: &Asked<'_>, words: &impl Words, lines: &[Line]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for mark in words.marks(line) {
            let mut said = said_at(line, mark.token, &mark.targets);
            words.trim(line, &mark, &mut said);
            let one = candidate(asked, line, at, mark.token, mark.agrees, &said);
            let place = match &mark.place {
                Some(place) => place.clone(),
                None if one.place == Place::Asked => {
                    words.otherwise(line, &mark, &said).unwrap_or(Place::Asked)
                }
                None => one.place,
            };
            out.push(Candidate { place, value: mark.value.unwrap_or(one.value), ..one });
        }
    }
    out
}

/// The context at a token, including the heads above its line.
pub(crate) fn said_at(line: &Line, at: usize, targets: &[usize]) -> Said {
    let clause = line.clause_of(at).unwrap_or(0);
    let mut said = clause::own(line, clause, at, targets);
    // `Its rival exports more, so it runs a surplus`: the previous clause names the subject.
    let own = line.clauses.get(clause).map(|clause| clause.tokens.as_slice()).unwrap_or_default();
    let word = |own: &usize| line.token(*own);
    let mut before = own.iter().filter(|own| **own < at).filter_map(word);
    let points = before.any(Token::is_it);
    if let Some(before) = clause.checked_sub(1).filter(|_| points && said.countries.is_empty()) {
        let before = clause::own(line, before, at, &[]);
        said.unknown.extend(before.unknown);
        said.countries.extend(before.countries);
        let open = before.operators.into_iter();
        let open = open.filter(|(kind, _)| !matches!(*kind, "bound" | "comparison" | "negation"));
        said.operators.extend(open);
    }
    // `Services, but only among imports`
    if let Some(next) = line.clauses.get(clause + 1).filter(|next| continues(line, &next.tokens, at)) {
        next.tokens.iter().for_each(|at| said.take(line, *at, true));
    }
    let heads = Said::of_heads(line);
    said.operators.extend(heads.operators.iter().cloned());
    said.unknown.extend(heads.unknown.iter().cloned());
    said.inheriting(Some(&heads))
}

/// Whether a clause after a term makes no statement of its own.
fn continues(line: &Line, clause: &[usize], at: usize) -> bool {
    let states = |token: &Token| {
        token.is_verb()
            || token.number().is_some()
            || token.is_name()
            || !token.terms.is_empty()
            || token.class == Some(Class::Verb)
    };
    let tokens = || clause.iter().filter_map(|own| line.token(*own));
    clause.iter().all(|own| *own > at)
        && tokens().any(|token| token.listed("exclusive") || matches!(token.kind, Kind::Period(_)))
        && !tokens().any(states)
}

pub(crate) fn candidate(
    asked: &Asked<'_>,
    line: &Line,
    at: usize,
    token: usize,
    agrees: bool,
    said: &Said,
) -> Candidate {
    let range = line.token(token).map(|token| token.range.clone()).unwrap_or_default();
    let corrected = line.until(token).iter().any(|token| token.operator("correction"));
    let mut words = line.until(token).iter().rev().filter(|token| !token.role("article"));
    let (before, verb) = (words.next(), words.next());
    // `falls under Agriculture`, but not `the one directly under Agriculture`
    let is_filed = verb.is_none_or(|verb| !verb.role("adverb") && !verb.role("noun"));
    let files = |token: &Token| is_filed && matches!(token.folded.as_str(), "under" | "within");
    // `a grade of at least B`, `≥ B`
    let bounds =
        |token: &Token| token.operator("bound") || matches!(token.kind, Kind::Mark('≥' | '≤' | '<' | '>'));
    let bound = before.filter(|token| bounds(token) && !files(token) && !asked.knows(&token.folded));
    // `Most of Spain's customers are high-income`
    let clause = line.clause(token).iter().take_while(|own| **own < token);
    let is_party = |token: &&Token| token.listed("party") && !asked.knows(&token.folded);
    let party = clause.filter_map(|own| line.token(*own)).find(is_party);
    // `advises against the Light Touch Approach`, also in a heading: `What the Atlas advises against:`
    let is_against = |token: &&Token| token.folded == "against";
    let mut ends = line.heads.iter().filter_map(|head| head.tokens.iter().rfind(|token| !token.is_mark()));
    let against = before.filter(is_against).or_else(|| ends.find(is_against));
    // `have a larger share than Services`
    let denies = line.token(0).is_some_and(|first| first.folded.starts_with("no"));
    let asks_most = asked
        .question
        .iter()
        .flat_map(|question| &question.tokens)
        .any(|token| token.is("comparative", "most"));
    let than = before.filter(|token| token.folded == "than" && asks_most && !denies);
    let than = than.or_else(|| why_relative(line, token)).or_else(|| why_driven(line, token));
    // `nearly got a B`, `was almost recommended`
    let mut near = line.until(token).iter().rev().take(3).chain(line.behind(token).iter().take(2));
    let about = near.find(|token| token.operator("about") && token.listed("falls_short"));
    // `The Atlas dropped the Light Touch Approach`
    let states = |token: &Token| {
        token.role("be") || token.role("noun") || token.listed("states_name") || asked.knows(&token.folded)
    };
    let is_verb =
        |token: &&Token| token.role("verb") || token.tagged("direction") && token.folded.ends_with("ed");
    let of_verb = |own: &Token, verb: &&Token| {
        own.direction().is_none() && own.depth == verb.depth && is_verb(verb) && !states(verb)
    };
    let dropped = before.filter(|verb| line.token(token).is_some_and(|own| of_verb(own, verb)));
    // `Kenya is close to complete`
    let unclear = || {
        line.token(token).filter(|own| own.direction().is_none())?;
        let knows = |word: &str| asked.knows(word);
        let word =
            why_preceded(line.until(token), &knows).or_else(|| why_followed(line.behind(token), &knows))?;
        Some(Place::unclear(&word.folded))
    };
    let place = match (bound.or(against).or(than).or(dropped).or(party), about) {
        (Some(word), _) => {
            let shown = line.sentence.shown(&word.range);
            Place::under(format!("\"{shown}\" keeps it from being the answer"))
        }
        (None, Some(about)) => Place::under(format!("\"{}\" expresses doubt", about.folded)),
        (None, None) => match place(asked, said, line) {
            Place::Asked => unclear().unwrap_or(Place::Asked),
            other => other,
        },
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
        repeats: false,
        bare: said.alone,
    }
}

/// The verb of a relative clause whose object is the term: `the sector that follows Services`.
fn why_relative(line: &Line, at: usize) -> Option<&Token> {
    let mut before = line.until(at).iter().rev().filter(|token| !token.role("article") && !token.is_manner());
    let (verb, that, noun) = (before.next()?, before.next()?, before.next()?);
    let is_head =
        noun.kind == Kind::Words && !noun.role("be") && !noun.role("preposition") && !noun.is_verb();
    let is_that = that.folded == "that" || that.folded == "which";
    let is_verb = !verb.role("be") && !verb.role("preposition") && !verb.listed("contains_name");
    (is_that && is_head && is_verb && verb.kind == Kind::Words).then_some(verb)
}

/// The participle that makes the term the effect: `Services were driven by the growth`.
fn why_driven(line: &Line, at: usize) -> Option<&Token> {
    let mut behind = line.behind(at).iter().skip_while(|token| {
        token.role("be")
            || token.role("adverb")
            || token.is_manner()
            || matches!(token.folded.as_str(), "has been" | "have been")
    });
    let (verb, by) = (behind.next()?, behind.next());
    let is_by = by.is_some_and(|by| by.folded == "by") && verb.listed("driven");
    (is_by || verb.folded.ends_with(" by") && verb.folded.split(' ').any(|word| word == "driven"))
        .then_some(verb)
}

/// Whether a sentence repeats the question.
pub(crate) fn repeats(asked: &Asked<'_>, line: &Line) -> bool {
    line.sentence.question
        && line.sentence.tokens.iter().filter(|token| !token.is_mark()).all(|token| {
            asked.knows(&token.folded)
                || token.folded == "question"
                || token.role("article")
                || token.role("be")
                || token.role("preposition")
                || token.role("and")
        })
}
