//! One verdict of all candidates for a data point: the table of settlement.

use std::collections::HashSet;

use super::asked::Asked;
use super::note;
use super::place::Place;
use super::text::Line;
use super::{AnswerVerdict, Expected, PlaceKind, Placed, PointScore};
use crate::value::ContextPart;
use crate::{Cause, Comparison, Verdict};

/// A point that the answer does not give.
pub(super) fn missing(one: &Expected, why: &str) -> PointScore {
    PointScore {
        field: one.field.clone(),
        said: AnswerVerdict::Missing,
        value: None,
        sentence: None,
        comparison: None,
        reason: why.to_owned(),
        candidates: Vec::new(),
    }
}

/// A point that cannot be decided.
pub(super) fn unscored(one: &Expected, why: impl Into<String>) -> PointScore {
    PointScore { said: AnswerVerdict::Unscored, ..missing(one, &why.into()) }
}

/// A candidate with its place and what it comes to against the truth.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub place: Place,
    /// It is the truth, it is another value, or it is too coarse to say.
    pub agrees: Option<bool>,
    pub comparison: Option<Comparison>,
    pub value: String,
    pub line: usize,
    pub is_final: bool,
    pub corrected: bool,
    /// A bound that the truth keeps, or a share in words: it can stand beside the truth and fills nothing.
    pub vague: bool,
    /// All that it is of, the question says.
    pub bare: bool,
}

impl Candidate {
    fn placed(&self) -> Placed {
        self.place.of(self.value.clone(), self.agrees)
    }
}

impl Place {
    /// A value that stands here, as it is printed.
    pub(super) fn of(&self, value: String, agrees: Option<bool>) -> Placed {
        let (place, why) = match self {
            Place::Asked => (PlaceKind::Asked, None),
            Place::OtherSlot => (PlaceKind::OtherSlot, None),
            Place::OtherContext(why) => (PlaceKind::OtherContext, Some(why)),
            Place::Operator(why) => (PlaceKind::Operator, Some(why)),
            Place::Unplaced(why) => (PlaceKind::Unplaced, Some(why)),
        };
        Placed { value, place, why: why.cloned(), agrees }
    }
}

/// One verdict of all candidates, which it lists.
pub(super) fn settle(asked: &Asked<'_>, candidates: &[Candidate], lines: &[Line]) -> PointScore {
    let placed = candidates.iter().map(Candidate::placed).collect();
    PointScore { candidates: placed, ..verdict(asked, candidates, lines) }
}

/// The table of settlement.
fn verdict(asked: &Asked<'_>, candidates: &[Candidate], lines: &[Line]) -> PointScore {
    let one = asked.one;
    let point = |candidate: &Candidate, said, reason: String| PointScore {
        said,
        value: Some(candidate.value.clone()),
        sentence: lines.get(candidate.line).map(|line| line.passage.text.clone()),
        comparison: candidate.comparison.clone(),
        reason,
        ..missing(one, "")
    };
    let open = |candidate: &Candidate, reason: String| PointScore {
        comparison: None,
        ..point(candidate, AnswerVerdict::Unscored, reason)
    };
    let fillers: Vec<&Candidate> =
        candidates.iter().filter(|one| one.place == Place::Asked && !one.vague).collect();
    // a rival that nobody can place leaves everything open, unless it says the same as the truth
    // `$3,274? No, it is …`
    let answered_no = |at: usize| {
        lines.get(at).is_some_and(|line| line.sentence.question)
            && lines
                .get(at + 1)
                .and_then(|line| line.sentence.tokens.first())
                .is_some_and(|first| first.is("polarity", "no"))
    };
    // `{"draft": "4.23 %", "final_answer": "7.30 %"}`
    let drafted = |one: &Candidate| {
        matches!(one.place, Place::Unplaced(_))
            && !one.is_final
            && fillers.iter().any(|filler| filler.is_final && filler.line > one.line)
            && lines.get(one.line).is_some_and(|line| line.is_draft())
    };
    let rival = candidates
        .iter()
        .filter(|one| !one.vague && !answered_no(one.line) && !drafted(one))
        .find_map(|one| match &one.place {
            Place::Unplaced(why) if one.agrees != Some(true) => Some((one, format!("{}: {why}", one.value))),
            Place::Operator(why)
                if one.agrees == Some(false) && !why.contains("denies") && !why.contains("gives it up") =>
            {
                Some((one, format!("{}: {why}", one.value)))
            }
            _ => None,
        });
    // a correction that gives another value of something else may still mean the truth
    let retracts = candidates.iter().find(|one| {
        one.corrected && one.agrees == Some(false) && matches!(one.place, Place::OtherContext(_))
    });
    let corrected = fillers.iter().position(|one| one.corrected);
    let finals: Vec<&Candidate> = match corrected {
        Some(first) => fillers.get(first..).unwrap_or_default().to_vec(),
        None if fillers.iter().any(|one| one.is_final) => {
            let first = fillers.iter().position(|one| one.is_final).unwrap_or(0);
            let later = fillers.get(first..).unwrap_or_default();
            let agree = fillers.iter().any(|one| one.agrees == Some(true))
                || fillers.iter().all(|one| one.agrees == fillers.first().and_then(|one| one.agrees));
            if agree { fillers.clone() } else { later.to_vec() }
        }
        None => fillers.clone(),
    };
    if let Some(filler) = finals.first() {
        if let Some((rival, why)) = rival {
            return open(rival, why);
        }
        if let Some(other) = retracts.filter(|_| !filler.corrected) {
            return open(other, format!("{} stands behind a correction", other.value));
        }
        // `… in 2019 it is 16.59 %. Final answer: 16.59 %`
        let told = |at: usize| {
            lines.get(at).is_some_and(|line| {
                let passage = &line.passage;
                !passage.cell
                    && !passage.item
                    && !passage.keyed
                    && line.sentence.tokens.iter().any(|token| token.role("verb") || token.role("be"))
            })
        };
        let elsewhere = candidates.iter().find(|one| {
            one.agrees == Some(true) && matches!(one.place, Place::OtherContext(_)) && told(one.line)
        });
        // `The ratio is 1.68, meaning that B has 1.68 times what A has`
        let is_beside = |one: &Candidate| {
            finals.iter().any(|filler| filler.line == one.line && filler.agrees == Some(true))
        };
        if let Some(Candidate { place: Place::OtherContext(part), value, .. }) =
            elsewhere.filter(|other| finals.iter().all(|one| one.bare) || is_beside(other))
        {
            return open(filler, format!("{value} is said of another context: {part}"));
        }
        let corrected = filler.corrected.then_some(filler.line);
        let own: HashSet<usize> = candidates.iter().map(|one| one.line).collect();
        let is_wrong = finals.iter().all(|one| one.agrees == Some(false));
        let doubt = if is_wrong { note::told } else { note::doubt };
        if let Some(doubt) = doubt(asked, lines, &own, corrected) {
            return open(filler, doubt);
        }
        let right = finals.iter().filter(|one| one.agrees == Some(true)).count();
        let wrong = finals.iter().find(|one| one.agrees == Some(false));
        return match (right, wrong) {
            (0, None) => open(filler, format!("{} is too coarse to say", filler.value)),
            (0, Some(wrong)) => {
                let reason = wrong
                    .comparison
                    .as_ref()
                    .map_or_else(|| "another value".to_owned(), |one| one.reason.clone());
                let undecided = finals.iter().find(|one| one.agrees.is_none());
                match undecided {
                    Some(undecided) => open(undecided, format!("{} is too coarse to say", undecided.value)),
                    None => point(wrong, AnswerVerdict::Wrong, reason),
                }
            }
            (_, Some(wrong)) => open(wrong, format!("the answer says both the truth and {}", wrong.value)),
            (_, None) => {
                let right = finals.iter().find(|one| one.agrees == Some(true)).unwrap_or(filler);
                let denied = candidates
                    .iter()
                    .find(|one| one.agrees == Some(true) && matches!(one.place, Place::Operator(_)));
                if let Some(denied) = denied {
                    let Place::Operator(why) = &denied.place else {
                        return point(right, AnswerVerdict::Right, String::new());
                    };
                    return open(denied, format!("the truth stands under an operator too: {why}"));
                }
                let reason = right.comparison.as_ref().map_or_else(String::new, |one| one.reason.clone());
                point(right, AnswerVerdict::Right, reason)
            }
        };
    }
    if let Some((rival, why)) = rival {
        return open(rival, why);
    }
    let other = |wanted: fn(&Place) -> bool| {
        candidates.iter().find(|one| wanted(&one.place) && one.agrees == Some(true))
    };
    if let Some(truth) = other(|place| matches!(place, Place::Operator(_))) {
        let Place::Operator(why) = &truth.place else { return missing(one, "") };
        return if why.contains("denies") {
            point(truth, AnswerVerdict::Wrong, format!("{}: {why}", truth.value))
        } else {
            open(truth, format!("{}: {why}", truth.value))
        };
    }
    if let Some(vague) = candidates.iter().find(|one| one.vague) {
        return open(vague, format!("{} is too coarse to say", vague.value));
    }
    if let Some(truth) = other(|place| matches!(place, Place::Unplaced(_))) {
        let Place::Unplaced(why) = &truth.place else { return missing(one, "") };
        return open(truth, format!("{}: {why}", truth.value));
    }
    if let Some(truth) = other(|place| matches!(place, Place::OtherContext(_))) {
        let Place::OtherContext(part) = &truth.place else { return missing(one, "") };
        let reason = format!("{} is said of another context: {part}", truth.value);
        let comparison = of_other_context(part, reason.clone());
        return PointScore { comparison: Some(comparison), ..open(truth, reason) };
    }
    let elsewhere = candidates.iter().find_map(|candidate| match &candidate.place {
        Place::OtherContext(part) => Some((candidate, part)),
        _ => None,
    });
    if let Some((candidate, part)) = elsewhere {
        let reason =
            format!("the answer does not give it; {} is of another context: {part}", candidate.value);
        let comparison = of_other_context(part, reason.clone());
        return PointScore {
            comparison: Some(comparison),
            ..point(candidate, AnswerVerdict::Missing, reason)
        };
    }
    let points = lines.iter().flat_map(|line| &line.sentence.tokens);
    let mut points = points.filter(|token| token.operator("former") || token.operator("latter"));
    match points.next() {
        Some(token) => unscored(one, format!("it does not say what \"{}\" is", token.folded)),
        None => missing(one, "the answer does not give it"),
    }
}

/// The comparison with a value of another context, by the name of the part that differs.
fn of_other_context(part: &str, reason: String) -> Comparison {
    let parts = [
        ("the period", ContextPart::Period, Some(Cause::OtherYear)),
        ("the country", ContextPart::Country, Some(Cause::SwappedEntities)),
        ("the partner", ContextPart::Partner, Some(Cause::SwappedEntities)),
        ("the product", ContextPart::Product, Some(Cause::SwappedEntities)),
        ("the classification", ContextPart::Classification, Some(Cause::OtherClassification)),
        ("the flow", ContextPart::Flow, None),
        ("the scope", ContextPart::Scope, Some(Cause::Scope)),
        ("the price basis", ContextPart::Basis, Some(Cause::RealAgainstNominal)),
        ("the change", ContextPart::Statistic, Some(Cause::LevelAgainstChange)),
        ("the level", ContextPart::Statistic, Some(Cause::LevelAgainstChange)),
        ("the statistic", ContextPart::Statistic, None),
        ("the base", ContextPart::Base, None),
        ("what narrows it, per_person", ContextPart::Per, None),
        ("the time", ContextPart::Tense, None),
        ("the group", ContextPart::Group, Some(Cause::SwappedEntities)),
    ];
    let found = parts.into_iter().find(|(name, ..)| part.starts_with(name));
    Comparison {
        cause: found.and_then(|(_, _, cause)| cause),
        differing: found.map(|(_, part, _)| part).into_iter().collect(),
        ..Comparison::new(Verdict::NotComparable, reason)
    }
}
