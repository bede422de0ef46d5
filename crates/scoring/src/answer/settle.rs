//! Settles what was found for a data point into one verdict. Doubts about the answer as a whole count here and nowhere else.

use super::candidate::{Candidate, Claim, Found, NotAsserted, OperatorKind, Place};
use super::contradicted::contradiction;
use super::difference::Difference;
use super::doubt::note::doubt;
use super::doubt::other_word;
use super::doubt::own_line;
use super::doubt::remark::{announced_otherwise, antecedent};
use super::doubt::unconnected;
use super::line::Line;
use super::point::{AnswerVerdict, PointScore, missing, unscored};
use super::question::asked::Asked;
use super::specific::without_outdone;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{ContextPart, Quantity, Unit};
use crate::{Comparison, Verdict};

/// Settles what a reader found into one verdict.
pub(crate) fn settle(asked: &Asked<'_>, found: Found, lines: &[Line]) -> PointScore {
    let claim = match found {
        Found::Verdict(verdict) => Err(verdict),
        Found::Claim(claim) => Ok(claim),
        Found::Candidates(candidates) => by_places(asked, &candidates, lines),
        Found::Or(candidates, otherwise) => {
            let is_missing = |point: &PointScore| point.said == AnswerVerdict::Missing;
            by_places(asked, &candidates, lines)
                .map_err(|point| if is_missing(&point) { otherwise } else { point })
        }
    };
    match claim {
        Err(verdict) => *verdict,
        Ok(claim) => match why_not(asked, lines, &claim) {
            Some(reason) => PointScore { reason, ..claim.doubted },
            None => claim.verdict,
        },
    }
}

/// Why a claim may not hold: it answers nothing, the answer doubts it, or another sentence contradicts it.
fn why_not(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    unconnected::doubt(asked, lines, claim)
        .or_else(|| doubt(asked, lines, claim))
        .or_else(|| contradiction(asked, lines, claim))
        .or_else(|| other_word::doubt(asked, lines, claim))
}

/// What the candidates claim by their places.
///
/// # Errors
/// They claim nothing, with the verdict.
fn by_places(
    asked: &Asked<'_>,
    candidates: &[Candidate],
    lines: &[Line],
) -> Result<Box<Claim>, Box<PointScore>> {
    let table = Table { asked, candidates, lines };
    let fillers: Vec<&Candidate> =
        candidates.iter().filter(|one| one.place == Place::Asked && !one.vague).collect();
    let fillers = without_outdone(asked, lines, fillers);
    let finals = finals(&fillers);
    match (table.rival(&fillers), finals.first()) {
        (Some((rival, why)), _) => Err(Box::new(table.open(rival, format!("{}: {why}", rival.value)))),
        (None, Some(filler)) => table.of_fillers(filler, finals),
        (None, None) => Err(Box::new(table.listed(table.without_filler()))),
    }
}

/// The fillers that count: all from the first correction on, or from the first final one if the others disagree.
fn finals<'a>(fillers: &'a [&'a Candidate]) -> &'a [&'a Candidate] {
    let from = |at: Option<usize>| at.and_then(|at| fillers.get(at..));
    let agrees = fillers.first().and_then(|one| one.agrees);
    let agree =
        fillers.iter().any(|one| one.agrees == Some(true)) || fillers.iter().all(|one| one.agrees == agrees);
    from(fillers.iter().position(|one| one.corrected))
        .or_else(|| from(fillers.iter().position(|one| one.is_final && !agree)))
        .unwrap_or(fillers)
}

/// All candidates with their context.
struct Table<'a> {
    asked: &'a Asked<'a>,
    candidates: &'a [Candidate],
    lines: &'a [Line],
}

impl Table<'_> {
    fn point(&self, candidate: &Candidate, said: AnswerVerdict, reason: String) -> PointScore {
        self.listed(PointScore {
            said,
            value: Some(candidate.value.clone()),
            sentence: self.lines.get(candidate.line).map(|line| line.passage.text.clone()),
            comparison: candidate.comparison.clone(),
            reason,
            ..missing(self.asked.one, "")
        })
    }

    /// A verdict that lists all candidates.
    fn listed(&self, point: PointScore) -> PointScore {
        PointScore { candidates: self.candidates.iter().map(Candidate::placed).collect(), ..point }
    }

    fn open(&self, candidate: &Candidate, reason: String) -> PointScore {
        PointScore { comparison: None, ..self.point(candidate, AnswerVerdict::Unscored, reason) }
    }

    fn coarse(&self, candidate: &Candidate) -> PointScore {
        self.open(candidate, format!("{} is too coarse to decide", candidate.value))
    }

    /// The candidate that leaves the verdict open: its place is unclear, or it is another value that is not asserted.
    fn rival(&self, fillers: &[&Candidate]) -> Option<(&Candidate, &str)> {
        let is_rival =
            |one: &&Candidate| !one.vague && !self.is_answered_no(one.line) && !self.is_drafted(one, fillers);
        self.candidates.iter().filter(is_rival).find_map(|one| match &one.place {
            Place::Unplaced(why) if one.agrees != Some(true) => Some((one, why.as_str())),
            Place::Operator(operator)
                if one.agrees == Some(false) && operator.kind == OperatorKind::Other =>
            {
                Some((one, operator.why.as_str()))
            }
            _ => None,
        })
    }

    /// Whether a question is answered with no: `$3,274? No, it is …`.
    fn is_answered_no(&self, at: usize) -> bool {
        let next = self.lines.get(at + 1).and_then(|line| line.token(0));
        self.lines.get(at).is_some_and(|line| line.sentence.question)
            && next.is_some_and(|first| first.is("polarity", "no"))
    }

    /// Whether a candidate is a draft before the final answer: `{"draft": "4.23 %", "final_answer": "7.30 %"}`.
    fn is_drafted(&self, one: &Candidate, fillers: &[&Candidate]) -> bool {
        matches!(one.place, Place::Unplaced(_))
            && !one.is_final
            && fillers.iter().any(|filler| filler.is_final && filler.line > one.line)
            && self.lines.get(one.line).is_some_and(Line::is_draft)
    }

    /// What the fillers claim, unless another candidate retracts them.
    fn of_fillers(&self, filler: &Candidate, finals: &[&Candidate]) -> Result<Box<Claim>, Box<PointScore>> {
        // A correction to another value in another context may still be about this data point.
        let retracts = self.candidates.iter().find(|one| {
            let differs = one.agrees == Some(false) || filler.agrees == Some(false);
            one.corrected && differs && matches!(one.place, Place::OtherContext(_))
        });
        if let Some(other) = retracts.filter(|_| !filler.corrected) {
            return Err(Box::new(self.open(other, format!("{} follows a correction", other.value))));
        }
        if let Some(now) = self.replaced_by_now(filler) {
            return Err(Box::new(self.open(now, format!("{} may have replaced it", now.value))));
        }
        if let Some((value, part)) = self.stated_elsewhere(finals) {
            return Err(Box::new(self.open(filler, format!("{value} belongs to another context: {part}"))));
        }
        let before = self.lines.get(..filler.line).unwrap_or_default();
        if let Some(why) = announced_otherwise(self.asked, before).filter(|_| self.is_bare(finals)) {
            return Err(Box::new(self.open(filler, why)));
        }
        if let Some(why) = finals.iter().find_map(|one| antecedent(self.asked, self.lines, one.line)) {
            return Err(Box::new(self.open(filler, why)));
        }
        let lines =
            finals.iter().filter(|one| one.agrees == Some(true)).filter_map(|one| self.lines.get(one.line));
        if let Some(why) = lines.into_iter().find_map(|line| own_line::doubt(self.asked, line)) {
            return Err(Box::new(self.open(filler, why)));
        }
        let find = |agrees: Option<bool>| finals.iter().find(|one| one.agrees == agrees);
        let verdict = match (find(Some(true)), find(Some(false)), find(None)) {
            (Some(_), Some(wrong), _) => {
                self.open(wrong, format!("the answer gives both the truth and \"{}\"", wrong.value))
            }
            (Some(right), None, _) => self.right(right),
            (None, _, Some(coarse)) => self.coarse(coarse),
            (None, Some(wrong), None) => {
                let reason = wrong.comparison.as_ref().map(|one| one.reason.clone());
                self.point(wrong, AnswerVerdict::Wrong, reason.unwrap_or_else(|| "another value".to_owned()))
            }
            (None, None, None) => self.coarse(filler),
        };
        Ok(Box::new(Claim {
            verdict,
            doubted: self.open(filler, String::new()),
            lines: self.candidates.iter().map(|one| one.line).collect(),
            given_at: finals.iter().filter(|one| one.agrees == Some(true)).map(|one| one.line).max(),
            corrected: filler.corrected.then_some(filler.line),
            is_wrong: finals.iter().all(|one| one.agrees == Some(false)),
        }))
    }

    /// The other word that holds today: `It had the Light Touch Approach; this year it has the Technological Frontier Approach`.
    fn replaced_by_now(&self, filler: &Candidate) -> Option<&Candidate> {
        let is_now =
            |token: &Token| matches!(token.folded.as_str(), "now" | "this year" | "today" | "currently");
        let line = self.lines.get(filler.line).filter(|_| self.asked.number().is_none())?;
        let mut later = line.sentence.tokens.split(|token| token.mark(';')).skip(1).flatten();
        let is_other = |one: &&Candidate| one.line == filler.line && one.agrees == Some(false);
        self.candidates.iter().find(is_other).filter(|_| later.any(is_now))
    }

    /// Whether the fillers state no context, nor do heads above them.
    fn is_bare(&self, fillers: &[&Candidate]) -> bool {
        let names = |token: &Token| token.is_name() || matches!(token.kind, Kind::Period(_));
        let stands_alone = |line: &Line| {
            line.heads.is_empty() && !line.passage.cell && !line.sentence.tokens.iter().any(names)
        };
        fillers.iter().all(|one| one.bare && self.lines.get(one.line).is_some_and(stands_alone))
    }

    /// The true value stated for another context: `… in 2019 it is 16.59 %. Final answer: 16.59 %`, `The ratio is 1.68, meaning that
    /// B has 1.68 times what A has`.
    fn stated_elsewhere(&self, finals: &[&Candidate]) -> Option<(&str, &Difference)> {
        let is_sentence = |line: &Line| {
            let passage = &line.passage;
            let states = |token: &Token| token.role("verb") || token.role("be") || token.tagged("flow");
            !(passage.cell || passage.item || passage.keyed) && line.sentence.tokens.iter().any(states)
        };
        let found = self.candidates.iter().find_map(|one| match &one.place {
            Place::OtherContext(part)
                if one.agrees == Some(true)
                    && !one.repeats
                    && self.lines.get(one.line).is_some_and(is_sentence) =>
            {
                Some((one, part))
            }
            _ => None,
        });
        let (one, part) = found?;
        let is_beside = |filler: &&Candidate| filler.line == one.line && filler.agrees == Some(true);
        // `Brazil's is 15.42. Colombia beats that, with 15.42 being its own.`
        let is_one = self.asked.rows == 1 && self.asked.number().is_some();
        let is_given =
            || is_one && !part.is_of(ContextPart::Base) && finals.iter().any(|one| one.agrees == Some(true));
        (finals.iter().all(|one| one.bare) || finals.iter().any(is_beside) || is_given())
            .then_some((one.value.as_str(), part))
    }

    /// Right, unless the true value is also stated without being asserted.
    fn right(&self, right: &Candidate) -> PointScore {
        let denied = self.candidates.iter().find_map(|one| match &one.place {
            Place::Operator(operator) if one.agrees == Some(true) => Some((one, &operator.why)),
            _ => None,
        });
        if let Some((denied, why)) = denied {
            return self.open(denied, format!("the answer also gives the truth without asserting it: {why}"));
        }
        let reason = right.comparison.as_ref().map_or_else(String::new, |one| one.reason.clone());
        self.point(right, AnswerVerdict::Right, reason)
    }

    /// The verdict if no candidate is given as the requested value: by the true value (not asserted, unplaced or of another
    /// context), else by any value of another context.
    fn without_filler(&self) -> PointScore {
        let truths = || self.candidates.iter().filter(|one| one.agrees == Some(true));
        let under = truths().find_map(|one| match &one.place {
            Place::Operator(NotAsserted { kind, why }) => {
                Some((one, format!("{}: {why}", one.value), *kind == OperatorKind::PlainlyDenied))
            }
            _ => None,
        });
        match under {
            Some((truth, reason, true)) => return self.point(truth, AnswerVerdict::Wrong, reason),
            Some((truth, reason, false)) => return self.open(truth, reason),
            None => {}
        }
        if let Some(vague) = self.candidates.iter().find(|one| one.vague) {
            return self.coarse(vague);
        }
        let unplaced = truths().find_map(|one| match &one.place {
            Place::Unplaced(why) => Some((one, why)),
            _ => None,
        });
        if let Some((truth, why)) = unplaced {
            return self.open(truth, format!("{}: {why}", truth.value));
        }
        let of_another = |one: &'_ Candidate| match &one.place {
            Place::OtherContext(part) => Some(part.clone()),
            _ => None,
        };
        if let Some((truth, part)) = truths().find_map(|one| Some((one, of_another(one)?))) {
            let reason = format!("{} belongs to another context: {part}", truth.value);
            let comparison = of_other_context(&part, reason.clone());
            return PointScore { comparison: Some(comparison), ..self.open(truth, reason) };
        }
        if let Some((one, part)) = self.candidates.iter().find_map(|one| Some((one, of_another(one)?))) {
            let reason =
                format!("the answer does not give it; {} belongs to another context: {part}", one.value);
            let comparison = of_other_context(&part, reason.clone());
            return PointScore {
                comparison: Some(comparison),
                ..self.point(one, AnswerVerdict::Missing, reason)
            };
        }
        let mut tokens = self.lines.iter().flat_map(|line| &line.sentence.tokens);
        match tokens.find(|token| token.operator("former") || token.operator("latter")) {
            Some(token) => {
                unscored(self.asked.one, format!("it does not say what \"{}\" refers to", token.folded))
            }
            None if self.holds_rank() => {
                unscored(self.asked.one, "it does not say which ranking the place is in")
            }
            None => missing(self.asked.one, "the answer does not give it"),
        }
    }

    /// Whether the true rank stands somewhere without being read as one: `Second, out of Egypt, Morocco and Jordan.`
    fn holds_rank(&self) -> bool {
        let Some(truth) = self.asked.number().filter(|truth| truth.unit == Unit::Rank) else { return false };
        let in_words = |word: &str| lexicon::ordinal(word).is_some_and(|place| truth.number == place.into());
        let in_digits = |number: &Quantity| number.unit == Unit::Rank && number.number == truth.number;
        let is_rank =
            |token: &Token| token.number().is_some_and(in_digits) || token.folded.split(' ').any(in_words);
        self.lines.iter().flat_map(|line| &line.sentence.tokens).any(is_rank)
    }
}

/// The comparison with a value of another context.
fn of_other_context(difference: &Difference, reason: String) -> Comparison {
    Comparison {
        cause: difference.cause,
        differing: difference.part.into_iter().collect(),
        ..Comparison::new(Verdict::NotComparable, reason)
    }
}
