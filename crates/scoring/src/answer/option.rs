//! Points that ask which of several: the subject of a comparison that goes the question's way.

use super::asked::{Asked, stem};
use super::phrase::phrase;
use super::place::Place;
use super::settle::{Candidate, settle, unscored};
use super::terms::{candidate, said_at};
use super::text::Line;
use super::{AnswerVerdict, PointScore};
use crate::language::sentence::{Kind, Names, Sentence, Token};

/// Which of several that the question names.
pub(super) fn option(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> PointScore {
    let Some(question) = &asked.question else {
        return unscored(asked.one, "which of several it is, the question has to say");
    };
    let Some(choice) = Choice::of(asked, question, truth) else { return phrase(asked, truth, lines) };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.sentence.question) {
        line.clauses.iter().for_each(|clause| choice.read(at, line, &clause.tokens, &mut found));
    }
    if found.is_empty() {
        return phrase(asked, truth, lines);
    }
    let point = settle(asked, &found, lines);
    // it is named, though no clause makes it a candidate
    let mut tokens = lines.iter().flat_map(|line| &line.sentence.tokens);
    match point.said {
        AnswerVerdict::Missing if tokens.any(|token| choice.is_truth(token)) => {
            unscored(asked.one, "how they compare is a judge's to read")
        }
        _ => point,
    }
}

/// Whether a token names what can be compared.
fn names(token: &Token) -> bool {
    matches!(token.kind, Kind::Country(_) | Kind::Product(_))
        || token.terms.iter().any(|(kind, _)| *kind == "sector")
        || token.is("scope", "services")
}

/// What the question lets choose.
struct Choice<'a> {
    asked: &'a Asked<'a>,
    /// Which end it asks for: more or less.
    way: bool,
    truth: Token,
    /// How many it names.
    options: usize,
}

/// A clause as a comparison of what it names.
struct Compared<'a> {
    tokens: &'a [Token],
    own: &'a [usize],
    /// The options that it names.
    named: Vec<usize>,
    than: Option<usize>,
    /// The comparative.
    verb: Option<usize>,
    /// Which end that says.
    way: Option<bool>,
}

impl<'a> Choice<'a> {
    fn of(asked: &'a Asked<'a>, question: &Sentence, truth: &str) -> Option<Self> {
        let way = question.tokens.iter().find_map(Token::comparative)?;
        let truth = Sentence::of(truth, &Names::default()).tokens.into_iter().find(names)?;
        let choice = Self { asked, way, truth, options: 0 };
        let options = question.tokens.iter().filter(|token| choice.is_option(token)).count();
        Some(Self { options, ..choice })
    }

    fn is_option(&self, token: &Token) -> bool {
        names(token) && self.asked.country.is_none_or(|own| token.kind != Kind::Country(own))
    }

    fn is_truth(&self, token: &Token) -> bool {
        match (&token.kind, &self.truth.kind) {
            (Kind::Country(a), Kind::Country(b)) => a == b,
            _ => stem(&token.folded) == stem(&self.truth.folded),
        }
    }

    /// Takes what a clause says. `found` holds what the clauses before say.
    fn read(&self, at: usize, line: &Line, own: &[usize], found: &mut Vec<Candidate>) {
        let clause = self.compared(&line.sentence.tokens, own);
        let Some(first) = clause.named.first() else {
            if let Some(last) = found.last_mut().filter(|_| self.turns_round(&clause)) {
                last.place = Place::Unplaced("it is said to be the other end".to_owned());
            }
            return;
        };
        if self.says_again(&clause, found.last()) || self.is_other_end(&clause) {
            return;
        }
        let (winner, is_plain) = self.winner(&clause).unwrap_or((*first, false));
        let Some(token) = line.token(winner) else { return };
        let mut said = said_at(line, winner, &[winner]);
        said.countries.clear();
        said.products.clear();
        said.tags.retain(|tag| !matches!(tag.0, "comparative" | "scope") && *tag != ("modifier", "growth"));
        said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
        let mut one = candidate(self.asked, line, at, winner, self.is_truth(token), &said);
        if !is_plain && one.place == Place::Asked {
            one.place = Place::Unplaced("how they compare is a judge's to read".to_owned());
            one.agrees = None;
        }
        found.push(one);
    }

    fn compared<'c>(&self, tokens: &'c [Token], own: &'c [usize]) -> Compared<'c> {
        let first =
            |fits: &dyn Fn(&Token) -> bool| own.iter().copied().find(|at| tokens.get(*at).is_some_and(fits));
        let named = |at: &&usize| tokens.get(**at).is_some_and(|token| self.is_option(token));
        let verb = first(&|token| token.comparative().is_some());
        Compared {
            tokens,
            own,
            named: own.iter().filter(named).copied().collect(),
            than: first(&|token| token.folded == "than"),
            verb,
            way: verb.and_then(|at| tokens.get(at)?.comparative()),
        }
    }

    /// `Services were important, but they trail the minerals`
    fn turns_round(&self, clause: &Compared<'_>) -> bool {
        let mut words = clause.own.iter().filter_map(|at| clause.tokens.get(*at));
        clause.way.is_some_and(|way| way != self.way) && words.any(Token::is_it)
    }

    /// `The Netherlands. Its exports grew faster than Sweden's`: it is the one that was named before.
    fn says_again(&self, clause: &Compared<'_>, last: Option<&Candidate>) -> bool {
        let [other] = clause.named.as_slice() else { return false };
        let Some(pivot) = clause.than.or(clause.verb).filter(|pivot| other > pivot) else { return false };
        let subject = clause.own.iter().filter(|at| **at < pivot).filter_map(|at| clause.tokens.get(*at));
        let mut words = subject.map(|token| token.folded.as_str());
        let is_other = |one: &Candidate| {
            one.place == Place::Asked
                && clause.tokens.get(*other).is_some_and(|other| one.agrees == Some(!self.is_truth(other)))
        };
        clause.way == Some(self.way)
            && self.options == 2
            && words.any(|word| matches!(word, "it" | "its" | "they" | "their"))
            && last.is_some_and(is_other)
    }

    /// `Uganda bought most`, where the least is asked for of several.
    fn is_other_end(&self, clause: &Compared<'_>) -> bool {
        let [one] = clause.named.as_slice() else { return false };
        clause.than.is_none()
            && clause.way.is_some_and(|way| way != self.way)
            && clause.tokens.get(*one).is_some_and(|token| !self.is_truth(token))
            && self.options > 2
    }

    /// The option that comes out at the asked end, and whether that is plain.
    fn winner(&self, clause: &Compared<'_>) -> Option<(usize, bool)> {
        let is_asked_way = clause.way.map(|way| way == self.way);
        match (clause.than, is_asked_way, clause.named.as_slice()) {
            (Some(than), Some(is_own), named) => {
                let (before, behind) = named.split_at(named.partition_point(|at| *at < than));
                match (is_own, before, behind) {
                    (true, [one], _) => Some((*one, true)),
                    // the one that all others are more than is the least
                    (false, others, [one])
                        if self.options == 2 || others.len() + 1 == self.options.max(2) =>
                    {
                        Some((*one, true))
                    }
                    _ => None,
                }
            }
            // `the Netherlands outpaced Sweden`
            (None, Some(is_own), [subject, object]) if clause.has_verb_between(*subject, *object) => {
                Some((if is_own { *subject } else { *object }, self.options == 2))
            }
            (None, None | Some(true), [one]) => Some((*one, true)),
            _ => None,
        }
    }
}

impl Compared<'_> {
    /// Whether the comparative is a verb between its subject and its object, which stands right behind it.
    fn has_verb_between(&self, subject: usize, object: usize) -> bool {
        let Some(at) = self.verb.filter(|verb| (subject..object).contains(verb)) else { return false };
        let behind = self.tokens.get(at + 1..object).unwrap_or_default();
        let qualifies = |token: &Token| token.role("adjective") || token.role("preposition");
        behind.iter().all(|token| token.role("article")) && !self.tokens.get(at).is_some_and(qualifies)
    }
}
