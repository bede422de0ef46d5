//! Reads data points that ask which of several options: the winner of a comparison.

use super::mention::{candidate, said_at};
use crate::answer::candidate::{Candidate, Found, Place};
use crate::answer::line::Line;
use crate::answer::names::rank::later;
use crate::answer::point::unscored;
use crate::answer::question::asked::Asked;
use crate::language::lexicon::stem;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Names, Token};

/// Reads which of the question's options the answer names. `None` if it names none in a clause of its own.
pub(crate) fn option(asked: &Asked<'_>, question: &Sentence, truth: &str, lines: &[Line]) -> Option<Found> {
    let choice = Choice::of(asked, question, truth)?;
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.sentence.question) {
        line.clauses.iter().for_each(|clause| choice.read(at, line, &clause.tokens, &mut found));
    }
    if found.is_empty() {
        return None;
    }
    // It is named, although no clause makes it a candidate.
    let mut tokens = lines.iter().flat_map(|line| &line.sentence.tokens);
    let is_named = tokens.any(|token| choice.is_truth(token));
    let open = || unscored(asked.one, "only a judge can decide how they compare");
    Some(if is_named { Found::Or(found, Box::new(open())) } else { Found::Candidates(found) })
}

/// Whether a token names something that can be compared.
fn names(token: &Token) -> bool {
    matches!(token.kind, Kind::Country(_) | Kind::Product(_))
        || token.terms.iter().any(|(kind, _)| *kind == "sector")
        || token.is("scope", "services")
}

/// The choice that the question offers.
struct Choice<'a> {
    asked: &'a Asked<'a>,
    /// The requested end: `true` for more, `false` for less.
    end: bool,
    truth: Token,
    /// The number of options.
    options: usize,
}

/// A clause as a comparison of the options it names.
struct Compared<'a> {
    tokens: &'a [Token],
    own: &'a [usize],
    /// The named options.
    named: Vec<usize>,
    than: Option<usize>,
    /// The comparative.
    verb: Option<usize>,
    /// The end that the comparative states.
    end: Option<bool>,
}

impl<'a> Choice<'a> {
    fn of(asked: &'a Asked<'a>, question: &Sentence, truth: &str) -> Option<Self> {
        let end = question.tokens.iter().find_map(Token::comparative)?;
        let truth = Sentence::of(truth, &Names::default()).tokens.into_iter().find(names)?;
        let choice = Self { asked, end, truth, options: 0 };
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

    /// Reads a clause. `found` holds the candidates of earlier clauses.
    fn read(&self, at: usize, line: &Line, own: &[usize], found: &mut Vec<Candidate>) {
        // `Services, not minerals.`
        let is_kept = |at: &usize| !line.contrasts.iter().any(|range| range.contains(at));
        let own: Vec<usize> = own.iter().copied().filter(is_kept).collect();
        let clause = self.compared(&line.sentence.tokens, &own);
        let Some(first) = clause.named.first() else { return };
        if self.says_again(&clause, found.last()) || self.is_other_end(&clause) {
            return;
        }
        let (winner, is_plain) = self.winner(&clause).unwrap_or((*first, false));
        let Some(token) = line.token(winner) else { return };
        let mut said = said_at(line, winner, &[winner]);
        said.countries.clear();
        said.products.clear();
        // `Netherlands, measured from 1995 to 2005`
        let periods = line.sentence.tokens.iter().filter_map(|token| match token.kind {
            Kind::Period(period) => Some(period),
            _ => None,
        });
        said.periods.extend(periods);
        said.tags.retain(|tag| !matches!(tag.0, "comparative" | "scope") && *tag != ("modifier", "growth"));
        said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
        let mut one = candidate(self.asked, line, at, winner, self.is_truth(token), &said);
        let is_plain = is_plain && self.why_not_plain(&clause).is_none();
        // `The Netherlands. Sweden grew by half a point more.`
        let is_rival = matches!(one.place, Place::OtherContext(_))
            && one.agrees == Some(false)
            && clause.end.is_none_or(|end| end == self.end);
        if is_rival && said.periods.is_empty() && said.countries.is_empty() {
            one.place = Place::Unplaced("another option may be put first".to_owned());
        }
        if !is_plain && one.place == Place::Asked {
            one.place = Place::Unplaced("only a judge can decide how they compare".to_owned());
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
            end: verb.and_then(|at| tokens.get(at)?.comparative()),
        }
    }

    /// The word that makes a clause more or less than a comparison of the options: `shrank faster`, `faster than Norway`, `came
    /// second`, `more often`, `exported more` if growth is asked for.
    fn why_not_plain<'c>(&self, clause: &Compared<'c>) -> Option<&'c Token> {
        let asked = self.asked;
        let words = || clause.own.iter().filter_map(|at| clause.tokens.get(*at));
        let question = asked.question.iter().flat_map(|question| &question.tokens);
        let is_option = |token: &Token| {
            self.is_option(token)
                && question
                    .clone()
                    .any(|own| own.kind == token.kind && (token.is_name() || own.folded == token.folded))
                || self.is_truth(token)
                || names(token) && asked.knows(&token.folded)
        };
        let other =
            words().find(|token| self.is_option(token) && !is_option(token) && !token.listed("other_option"));
        let is_than = |at: &usize| clause.tokens.get(*at).is_some_and(|token| token.folded.ends_with("than"));
        let than = clause.own.iter().copied().find(is_than);
        let behind = || clause.own.iter().filter(|at| than.is_some_and(|than| **at > than));
        let compares =
            |token: &Token| is_option(token) || token.holds("other_option") || token.number().is_some();
        let alone = than
            .and_then(|than| clause.tokens.get(than))
            .filter(|_| !behind().filter_map(|at| clause.tokens.get(*at)).any(compares));
        let is_growth = |token: &Token| token.is("modifier", "growth") || token.direction().is_some();
        let grows = question.clone().any(is_growth);
        let is_less = |token: &&Token| {
            grows
                && token.direction() == Some(false)
                && token.comparative().is_none()
                && !asked.knows(&token.folded)
        };
        let is_level = |token: &&Token| {
            grows
                && token.listed("of_level")
                && words().any(|token| token.tagged("flow"))
                && !words().any(is_growth)
        };
        let is_place =
            |token: &&Token| later(token) && token.folded != "next" && (token.folded != "last" || self.end);
        let narrows = |token: &&Token| {
            (token.folded == "often" || token.is("part", "quarter")) && !asked.knows(&token.folded)
        };
        let found = |fits: &dyn Fn(&&Token) -> bool| words().find(fits);
        other
            .or(alone)
            .or_else(|| found(&is_less))
            .or_else(|| found(&is_level))
            .or_else(|| found(&is_place))
            .or_else(|| found(&narrows))
    }

    /// Whether the clause repeats the earlier option: `The Netherlands. Its exports grew faster than Sweden's`.
    fn says_again(&self, clause: &Compared<'_>, last: Option<&Candidate>) -> bool {
        let [other] = clause.named.as_slice() else { return false };
        let Some(pivot) = clause.than.or(clause.verb).filter(|pivot| other > pivot) else { return false };
        let subject = clause.own.iter().filter(|at| **at < pivot).filter_map(|at| clause.tokens.get(*at));
        let mut words = subject.map(|token| token.folded.as_str());
        let is_other = |one: &Candidate| {
            one.place == Place::Asked
                && clause.tokens.get(*other).is_some_and(|other| one.agrees == Some(!self.is_truth(other)))
        };
        clause.end == Some(self.end)
            && self.options == 2
            && words.any(|word| matches!(word, "it" | "its" | "they" | "their"))
            && last.is_some_and(is_other)
    }

    /// Whether the clause names the opposite end: `Uganda bought most`, if the question asks for the least of several.
    fn is_other_end(&self, clause: &Compared<'_>) -> bool {
        let [one] = clause.named.as_slice() else { return false };
        clause.than.is_none()
            && clause.end.is_some_and(|end| end != self.end)
            && clause.tokens.get(*one).is_some_and(|token| !self.is_truth(token))
    }

    /// The option at the requested end, and whether that is certain.
    fn winner(&self, clause: &Compared<'_>) -> Option<(usize, bool)> {
        let is_asked_end = clause.end.map(|end| end == self.end);
        match (clause.than, is_asked_end, clause.named.as_slice()) {
            (Some(than), Some(is_own), named) => {
                let (before, behind) = named.split_at(named.partition_point(|at| *at < than));
                match (is_own, before, behind) {
                    (true, [one], _) => Some((*one, true)),
                    // The option that all others exceed is the least.
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
    /// Whether the comparative is a verb between its subject and a directly following object.
    fn has_verb_between(&self, subject: usize, object: usize) -> bool {
        let Some(at) = self.verb.filter(|verb| (subject..object).contains(verb)) else { return false };
        let behind = self.tokens.get(at + 1..object).unwrap_or_default();
        let qualifies = |token: &Token| token.role("adjective") || token.role("preposition");
        behind.iter().all(|token| token.role("article")) && !self.tokens.get(at).is_some_and(qualifies)
    }
}
