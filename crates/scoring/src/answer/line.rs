//! Splits an answer into sentences with their clauses and heads.

use std::ops::Range;

use crate::language::block::passages;
use crate::language::passage::Passage;
use crate::language::sentence::{Clause, Sentence};
use crate::language::token::{Kind, Names, Token};
use crate::language::{lexicon, numerals};

/// A sentence of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub sentence: Sentence,
    pub clauses: Vec<Clause>,
    /// The row head, column head, caption and label of the sentence.
    pub heads: Vec<Sentence>,
    /// The headings above.
    pub headings: Vec<Sentence>,
    pub passage: Passage,
    /// The contrasts in it, as ranges of tokens.
    pub contrasts: Vec<Range<usize>>,
}

impl Line {
    pub(crate) fn token(&self, at: usize) -> Option<&Token> {
        self.sentence.tokens.get(at)
    }

    /// The token `by` positions before `at`.
    pub(crate) fn before(&self, at: usize, by: usize) -> Option<&Token> {
        self.token(at.checked_sub(by)?)
    }

    /// The tokens before `at`.
    pub(crate) fn until(&self, at: usize) -> &[Token] {
        self.sentence.tokens.get(..at).unwrap_or_default()
    }

    /// The tokens after `at`.
    pub(crate) fn behind(&self, at: usize) -> &[Token] {
        self.sentence.tokens.get(at + 1..).unwrap_or_default()
    }

    /// The clause that contains a token.
    pub(crate) fn clause_of(&self, at: usize) -> Option<usize> {
        self.clauses.iter().position(|clause| clause.tokens.contains(&at))
    }

    /// The tokens of the clause that contains a token.
    pub(crate) fn clause(&self, at: usize) -> &[usize] {
        let clause = self.clause_of(at).and_then(|at| self.clauses.get(at));
        clause.map_or(&[], |clause| &clause.tokens)
    }

    /// Its first characters, for reasons.
    pub(crate) fn start(&self, length: usize) -> String {
        self.passage.text.chars().take(length).collect()
    }

    /// Whether its label marks it as a draft: `Draft: 4.23 %`.
    pub(crate) fn is_draft(&self) -> bool {
        let label = self.sentence.tokens.iter().take_while(|token| !token.mark(':'));
        let heads = self.heads.iter().flat_map(|head| &head.tokens);
        label.chain(heads).any(|token| token.listed("draft"))
    }

    /// Whether it begins like an offer: `Let me know if …`, `(Totals from the Atlas; I can also give you …)`
    pub(crate) fn begins_offer(&self) -> bool {
        let tokens = &self.sentence.tokens;
        let spoken = |tokens: &[Token]| {
            let words = tokens.iter().filter(|token| token.kind == Kind::Words).take(5);
            words.flat_map(|token| [" ", token.folded.as_str()]).collect::<String>() + " "
        };
        let start = spoken(tokens);
        let halves = tokens.iter().position(|token| token.mark(';'));
        let behind = spoken(halves.and_then(|at| tokens.get(at + 1..)).unwrap_or_default());
        // `I can't tell it from Uganda's`, `I can only see Uganda's number`
        let begins = |text: &str, offer: &str| {
            let rest = text.strip_prefix(&format!(" {offer} "));
            rest.is_some_and(|rest| !["t ", "not ", "only "].iter().any(|word| rest.starts_with(word)))
        };
        lexicon::list("offer").iter().any(|offer| begins(&start, offer) || begins(&behind, offer))
    }

    /// Whether it only offers something: `Happy to show you its neighbours, if that helps!`
    pub(crate) fn offers(&self) -> bool {
        let tokens = &self.sentence.tokens;
        // `I'd be happy to …`
        let is_glad = |at: usize| tokens.get(at + 1).is_some_and(|next| next.listed("willing"));
        let asserts = |(at, token): (usize, &Token)| {
            token.operator("negation")
                || token.holds("genuine")
                || token.role("be") && token.folded != "s" && !is_glad(at)
        };
        // `if you open the page, you will see another`
        let foretells = |pair: &[Token]| matches!(pair, [you, will] if you.folded == "you" && matches!(will.folded.as_str(), "will" | "ll"));
        self.begins_offer() && !tokens.iter().enumerate().any(asserts) && !tokens.windows(2).any(foretells)
    }
}

/// Splits an answer into sentences, in order.
pub(crate) fn lines(answer: &str, names: &Names) -> Vec<Line> {
    passages(&numerals::normalized(answer))
        .into_iter()
        .map(|passage| {
            let split = passage.under.len().saturating_sub(passage.close);
            let read = |texts: &[String]| -> Vec<Sentence> {
                texts.iter().map(|text| Sentence::of(text, names)).collect()
            };
            let (headings, heads) = passage.under.split_at(split);
            let (headings, heads) = (read(headings), read(heads));
            let mut sentence = Sentence::of(&passage.text, names);
            let label = if is_bare(&passage, &sentence) { label(&passage, &heads, &headings) } else { None };
            if let Some(label) = label {
                sentence = Sentence::of(&format!("{}: {}", label.text, passage.text), names);
            }
            let contrasts = contrasts(&sentence.tokens);
            Line { clauses: sentence.clauses(), sentence, heads, headings, passage, contrasts }
        })
        .collect()
}

/// Whether a sentence only gives names and numbers.
fn is_bare(passage: &Passage, sentence: &Sentence) -> bool {
    let tokens = &sentence.tokens;
    let is_value = |token: &Token| token.kind != Kind::Words || !token.terms.is_empty();
    let is_one = |token: &Token| token.is_name() || token.number().is_some();
    let says = |token: &Token| is_one(token) || !passage.item && !token.is_mark();
    tokens.iter().all(is_value) && tokens.iter().any(says)
}

/// What stands above a bare sentence and is its label: `## Exports of Kenya` over `$8.73B`. The key of a field, a sentence and
/// what counts the items are none.
fn label<'a>(passage: &Passage, heads: &'a [Sentence], headings: &'a [Sentence]) -> Option<&'a Sentence> {
    // The head of the row stands behind that of the column.
    let heads = match heads {
        [heads @ .., row] if passage.cell && row.tokens.is_empty() => heads,
        _ if passage.cell || passage.keyed => return None,
        heads => heads,
    };
    // `Based on the Atlas:`
    let is_sentence = |token: &Token| token.role("be") && token.folded != "s" || token.role("lead");
    let counts = |token: &Token| token.listed("ordinal") || token.number().is_some();
    let is_phrase = |head: &&Sentence| {
        head.text.contains(' ')
            && !head.tokens.iter().any(|token| is_sentence(token) || passage.item && counts(token))
    };
    heads.last().or_else(|| headings.last()).filter(is_phrase)
}

/// The contrasts in a sentence: `$2,274, not in total`, `a level rather than a change`, `neither a floor nor a ceiling`.
pub(crate) fn contrasts(tokens: &[Token]) -> Vec<Range<usize>> {
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | ';' | ':' | '(' | ')' | '–' | '—' | '.'))
            || token.folded == "but"
    };
    let opens = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let word = tokens.get(at).map_or("", |token| token.folded.as_str());
        let country = tokens.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Country(_)));
        // `…; this is not a projection`
        let part =
            tokens.get(..at).unwrap_or_default().iter().rev().take(40).take_while(|token| !ends(token));
        let of_this = before.is_some_and(|before| before.role("be"))
            && part.clone().all(|token| token.number().is_none());
        // `4.9 per cent (not percentage points)`
        let opened = before.zip(tokens.get(at)).is_some_and(|(before, own)| before.depth < own.depth);
        lexicon::listed("sets_off", word)
            || (opened || before.is_some_and(|before| ends(before) || before.role("and")))
                && (matches!(word, "not" | "neither") || word == "without" && country)
            || matches!(word, "not" | "no") && of_this
            // `0.68, so Japan has no comparative advantage`
            || matches!(word, "no" | "has no")
                && tokens.iter().skip(at + 1).take(2).any(|token| token.is("metric", "rca"))
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    for at in (1..tokens.len()).filter(|at| opens(*at)) {
        let phrase = tokens.get(at + 1..).unwrap_or_default();
        let phrase = phrase.get(..phrase.len().min(40)).unwrap_or_default();
        let depth = tokens.get(at).map_or(0, |token| token.depth);
        let length =
            phrase.iter().position(|token| ends(token) || token.depth < depth).unwrap_or(phrase.len());
        let phrase = phrase.get(..length).unwrap_or_default();
        let says = |token: &Token| {
            token.role("be") || token.role("verb") && !token.role("noun") || token.number().is_some()
        };
        if !phrase.is_empty() && !phrase.iter().any(says) && out.last().is_none_or(|last| last.end <= at) {
            out.push(at..at + 1 + length);
        }
    }
    out
}
