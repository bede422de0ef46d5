//! Reads the context that a clause gives its figure or name, segment by segment and token by token.

use std::ops::Range;

use super::said::{Role, Said, leaves_out, partial};
use super::segment::{self, Segment};
use crate::answer::line::Line;
use crate::language::token::{Class, Kind, Token};

/// The context that a clause states on its own, as if the filler came last.
pub(crate) fn of_clause(line: &Line, clause: usize) -> Said {
    own(line, clause, usize::MAX / 2, &[])
}

/// The context that its clause gives the filler at `target`. `targets` are all fillers of the clause.
pub(crate) fn own(line: &Line, clause: usize, target: usize, targets: &[usize]) -> Said {
    let all = &line.sentence.tokens;
    let tokens = scope(line, clause);
    let mut said = Said::default();
    // `everything but Business`
    let excepted = partial(all, target).into_iter().chain(leaves_out(line, target));
    said.operators.extend(excepted.map(|word| ("exception", word)));
    said.operators.extend(intended(line, &tokens).map(|verb| ("hedge", verb)));
    let contrasts = line.contrasts.iter().filter(|range| !range.contains(&target)).cloned();
    let contrasts: Vec<Range<usize>> = contrasts.collect();
    let own = contrasts.iter().filter(|range| tokens.iter().any(|at| range.contains(at)));
    said.contrasts = own.filter_map(|range| all.get(range.clone()).map(Said::of_tokens)).collect();
    let others = segment::others(all, target).unwrap_or(usize::MAX);
    let mut reading = Reading { line, target, targets, contrasts, others, said };
    let (mut compared, mut behind_aside) = (false, false);
    for segment in &segment::segments(line, &tokens) {
        let segment = Segment { line, tokens: segment, target };
        if segment.weighs() || segment.denies_before() {
            continue;
        }
        let compares = reading.take(&segment, compared && behind_aside);
        // `far below that of, say, Spain`
        behind_aside = segment.is_aside();
        if !behind_aside {
            compared = compares;
        }
    }
    let mut said = reading.said;
    // `services earned Spain $132 billion in exports`: earnings are exports here.
    if said.words.iter().any(|word| word == "earn") && said.tagged("flow") {
        said.tags.retain(|tag| *tag != ("thing", "other_activity"));
    }
    label(line, &tokens, target, &mut said);
    said
}

/// The verb that makes a trade an intention: `agreed to export`, but not `managed to export`.
fn intended(line: &Line, tokens: &[usize]) -> Option<String> {
    let is_verb = |token: &Token| token.is_verb() || token.class == Some(Class::Verb);
    let intends = |at: usize| {
        let (verb, to) = (line.before(at, 2)?, line.before(at, 1)?);
        let is_one = to.folded == "to" && is_verb(verb) && !verb.role("be") && !verb.listed("achieves");
        is_one.then(|| format!("{} to", verb.folded))
    };
    let trades = |at: &&usize| line.token(**at).is_some_and(|token| token.listed("trades"));
    tokens.iter().filter(trades).find_map(|at| intends(*at))
}

/// The tokens of a clause, including those of its brackets that contain no figure.
fn scope(line: &Line, clause: usize) -> Vec<usize> {
    let Some(own) = line.clauses.get(clause) else { return Vec::new() };
    let mut tokens = own.tokens.clone();
    for other in line.clauses.iter().filter(|other| other.parent == Some(clause)) {
        // `PCI (8703, cars)`: a code is not a figure.
        let is_figure = |token: &Token| token.number().is_some() && !token.is_code();
        if !other.tokens.iter().any(|at| line.token(*at).is_some_and(is_figure)) {
            tokens.extend(&other.tokens);
        }
    }
    // `($93 billion) [negative]`
    if let (Some(_), Some(last)) = (own.parent, own.tokens.last()) {
        let behind = line.behind(*last);
        let is_bracket = behind.first().is_some_and(|first| first.mark('['));
        let length = behind.iter().position(|token| token.mark(']')).filter(|_| is_bracket);
        tokens.extend((1..length.unwrap_or(0)).map(|at| last + 1 + at));
    }
    tokens.sort_unstable();
    tokens
}

/// Sets whether a label marks the filler as the answer (`So the answer is …`), and whether the clause contains nothing else.
fn label(line: &Line, tokens: &[usize], target: usize, said: &mut Said) {
    let part = |at: &usize| line.token(*at);
    let joins = |token: &Token| {
        !token.role("final")
            && (token.role("clause") || token.role("and") || token.role("adverb") || token.mark(','))
    };
    let leads = tokens.iter().take_while(|at| part(at).is_some_and(joins)).count();
    let is_answer = tokens.get(leads).and_then(part).is_some_and(|token| token.role("final"));
    let tokens = tokens.get(if is_answer { leads } else { 0 }..).unwrap_or_default();
    let says_answer =
        |token: &Token| token.role("final") && (token.folded.contains("answer") || token.folded == "boxed");
    let frames = |token: &Token| token.role("final") || token.role("article") || token.role("be");
    let colon = tokens.iter().position(|at| part(at).is_none_or(|token| token.mark(':')));
    let begins = tokens.first().and_then(part).is_some_and(says_answer);
    if let Some(end) = colon.or(begins.then_some(1)) {
        let mut label = tokens.iter().take(end).filter_map(part);
        let behind = tokens.get(end).filter(|at| **at <= target);
        said.labelled = behind.and_then(part).is_some_and(|token| token.mark(':'));
        said.is_final = end > 0 && label.all(frames) && behind.is_some();
    }
    let mut words = tokens.iter().filter(|at| **at != target).filter_map(part);
    said.alone = words.all(|token| token.is_mark() || frames(token));
}

/// The reading of a clause for one filler.
struct Reading<'a> {
    line: &'a Line,
    target: usize,
    targets: &'a [usize],
    contrasts: Vec<Range<usize>>,
    /// The token from which on the sentence is about others.
    others: usize,
    said: Said,
}

impl Reading<'_> {
    fn part(&self, at: usize) -> Option<&Token> {
        self.line.token(at)
    }

    /// Takes the context that a segment gives the filler. `compared` means that the tokens belong to a comparison and not to the
    /// filler. Returns its state at the end of the segment.
    fn take(&mut self, segment: &Segment<'_>, mut compared: bool) -> bool {
        let line = self.line;
        let (closed, leads, classes) = (segment.is_closed(), segment.leads(), segment.classes());
        let is_own = segment.states();
        let first = segment.first();
        let introduces = segment.introduces();
        let is_source = first.is_some_and(|first| {
            first.role("lead") || first.listed("tells_source") || first.folded.starts_with("per the")
        });
        for (place, at) in segment.tokens.iter().enumerate() {
            let Some(token) = line.token(*at) else { continue };
            if self.contrasts.iter().any(|range| range.contains(at)) {
                continue;
            }
            if *at == self.target || self.targets.contains(at) {
                compared = false;
                continue;
            }
            if self.is_of_another(*at, token) {
                continue;
            }
            compared |= *at > self.target && (token.operator("comparison") || relates(segment, token));
            // `0.36 points lower in 2021 than in 2015`: both years bound the change.
            let of_change = self.part(self.target + 1).is_some_and(|next| next.tagged("comparative"));
            if let (Kind::Period(period), true) = (&token.kind, compared && of_change) {
                self.said.periods.push(*period);
            }
            if compared || self.is_aside(segment, *at, token) {
                continue;
            }
            if classes {
                let operators = token.tags.iter().filter(|tag| tag.0 == "operator" && tag.1 != "bound");
                self.said.operators.extend(operators.map(|tag| (tag.1, token.folded.clone())));
                continue;
            }
            // `per the country page of Uganda`
            if let (Kind::Country(id), true, false) = (&token.kind, is_source, closed) {
                self.said.countries.push((*id, Role::Either));
            }
            // `Happy to confirm: …`, `No caveats here: …`
            let is_polite = introduces && token.is_harmless();
            let denies_polite = introduces
                && token.operator("negation")
                && self.part(*at + 1).is_some_and(Token::is_harmless);
            if denies_polite || token.unknown() && (leads || is_own || segment.is_free(place) || is_polite) {
                continue;
            }
            // `Looking at the Economic Complexity Index, …`
            let measures = |tag: &&(&str, &str)| tag.0 == "metric" && tag.1 != "trade";
            if is_source && !closed && token.kind == Kind::Words {
                self.said.tags.extend(token.tags.iter().filter(measures));
            }
            // `Cumulated over the years 2019 to 2024, …`: a leading time always counts.
            let leads_time = segment.is_before()
                && matches!(token.kind, Kind::Period(_) | Kind::Duration(_))
                && !first.is_some_and(|first| first.role("pronoun"));
            self.said.take(line, *at, leads_time || closed && *at < self.others);
        }
        compared
    }

    /// Whether a token belongs to another filler of the clause.
    fn is_of_another(&self, at: usize, token: &Token) -> bool {
        // `52.4 million people`: the counted noun of another number.
        let before = at.checked_sub(1);
        let counted = before.is_some_and(|before| before != self.target && self.targets.contains(&before));
        // `in the first ten months`, `Services and Electronics, jointly`: applies to all fillers, even if another is nearer.
        let is_of_all = token.is("part", "quarter") || token.is("part", "joint");
        counted && token.is("metric", "population")
            || !is_of_all && self.owner(at).is_some_and(|owner| owner != self.target)
    }

    /// The filler that a token belongs to; `None` for all fillers.
    fn owner(&self, at: usize) -> Option<usize> {
        let targets = self.targets;
        if targets.len() < 2 {
            return None;
        }
        let next = targets.iter().position(|target| *target > at);
        // `7.30 %, give or take a factor of two`
        let loosens = |token: &Token| matches!(token.folded.as_str(), "give or take" | "plus or minus");
        let before = next.and_then(|next| next.checked_sub(1)).filter(|_| self.part(at).is_some_and(loosens));
        if let Some(before) = before {
            return targets.get(before).copied();
        }
        match next {
            Some(0) => self.first_denied(at),
            None => targets.last().copied(),
            Some(next) => self.nearer(*targets.get(next - 1)?, at, *targets.get(next)?),
        }
    }

    /// The first filler, if a denial before a colon belongs to it: `Neither 13 nor 36: the number is 21`.
    fn first_denied(&self, at: usize) -> Option<usize> {
        let first = *self.targets.first()?;
        let tokens = self.line.sentence.tokens.iter().enumerate().skip(first);
        let colon = tokens.into_iter().find(|(_, token)| token.mark(':'))?.0;
        let denies = self.part(at).is_some_and(|token| token.operator("negation"));
        (denies && self.targets.iter().any(|target| *target > colon)).then_some(first)
    }

    /// The filler that a token between two fillers belongs to.
    fn nearer(&self, before: usize, at: usize, next: usize) -> Option<usize> {
        let all = &self.line.sentence.tokens;
        let tokens = all.get(before + 1..=at)?;
        // `Brazil wasn't the largest in 2021, ahead of Vietnam`: a predicate belongs to its subject.
        // `Services do not drive it, vehicles do.`
        let is_verb = |first: &Token| {
            first.role("be") && first.folded != "s"
                || first.folded.ends_with(" t")
                || matches!(first.folded.as_str(), "do" | "does" | "did")
        };
        let predicate = tokens.first().is_some_and(is_verb);
        let ends = |token: &Token| token.is_mark() || token.role("and") || token.operator("comparison");
        if predicate && !tokens.iter().any(ends) {
            return Some(before);
        }
        // The words before the next filler's verb are its subject.
        let verb = |token: &Token| token.is_verb() || token.mark(':');
        let behind = all.get(at + 1..next).unwrap_or_default();
        if behind.iter().any(verb) && !tokens.iter().any(verb) {
            return None;
        }
        let tight = |token: &Token| {
            token.role("preposition") && token.folded != "to"
                || token.role("article")
                || token.means()
                || token.role("noun")
                || matches!(token.kind, Kind::Period(_) | Kind::Country(_))
        };
        Some(if tokens.iter().all(tight) { before } else { next })
    }

    /// Whether a token only rates the value, introduces it or reports the speaker's actions.
    fn is_aside(&self, segment: &Segment<'_>, at: usize, token: &Token) -> bool {
        let holds = segment.holds();
        // `…, i.e. they are below average`
        let mut before = segment.tokens.iter().filter(|own| **own < at).filter_map(|at| self.part(*at));
        let weighed = at > self.target
            && !holds
            && token.is("part", "regional")
            && is_side(token)
            && before.any(|token| token.role("be"));
        // `you asked how much Spain exports: …` introduces the answer.
        let rest = self.line.sentence.tokens.get(at..self.target).unwrap_or_default();
        let asks_about = token.folded.starts_with("you ask")
            && self.part(at + 1).is_some_and(|next| !next.is_mark())
            && rest.iter().any(|token| token.mark(':'));
        // The speaker's actions on the page are not a measure.
        let speaker = self.line.before(at, 1);
        let acts = speaker.is_some_and(|before| matches!(before.folded.as_str(), "i" | "we"));
        let does = token.is("thing", "other_activity") || token.tagged("flow");
        weighed || asks_about || acts && !holds && does
    }
}

/// Whether a token compares the value with a reference: `…, which is above the regional average`.
fn relates(segment: &Segment<'_>, token: &Token) -> bool {
    is_side(token) && segment.first().is_some_and(|first| matches!(first.folded.as_str(), "is" | "was"))
}

fn is_side(token: &Token) -> bool {
    ["above", "below"].iter().any(|word| token.folded.starts_with(word))
}
