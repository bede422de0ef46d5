//! Every judge mode in one table: what it needs, what it asks of an answer, on which scale, and what passes. The prompt's list of
//! criteria, the schema of a reply, how it is read and what is checked in it follow from a row.

use super::form::{ASSERTS, DECLINES, SAME, Scale};
use super::request::JudgeMode;
use crate::scoring::rubric::{BINARY_PASS, MAX, PASS};
use crate::scoring::scorers::{GROUNDING, PointScale, REASONING};

/// A row of the table.
pub(super) struct ModeRow {
    /// The mode.
    pub mode: JudgeMode,
    /// The prompt that is built in.
    pub template: &'static str,
    /// What it cannot judge without.
    pub needs: Needs,
    /// What points are given for.
    pub criteria: Criteria,
    /// The score from 0 to 1 that passes where nothing else is asked for.
    pub passing: f64,
    /// Whether an answer can be partly right.
    pub has_partial: bool,
}

/// What a mode cannot judge without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing but question and answer.
    Nothing,
    /// A truth.
    Truth,
    /// Evidence, or a trace.
    Evidence,
}

/// What points are given for, and on which scale.
pub(super) enum Criteria {
    /// The dimensions of the request's rubric, each from 1 to 5.
    Rubric,
    /// The dimensions of the binary rubric, each yes or no, and what kind of failure it is.
    YesNo,
    /// Points for each of several criteria.
    Points(&'static PointScale),
    /// One score.
    One(One),
}

/// One score with what the judge says beside it.
pub(super) struct One {
    /// The name of the reply's schema.
    pub form: &'static str,
    /// The description of the reason, for the judge.
    pub reason: &'static str,
    /// Yes-or-no properties, each with its description for the judge.
    pub flags: &'static [(&'static str, &'static str)],
    /// The range.
    pub scale: Scale,
    /// The description for the judge.
    pub help: &'static str,
    /// Whether the judge says the verdict, too.
    pub says_verdict: bool,
}

const WHY: &str = "One to three sentences: what speaks for the score.";
const OF_FIVE: &str = "From 1 to 5.";

/// How alike two texts are.
const ALIKE: One = One {
    form: "similarity",
    reason: "One or two sentences: what is alike and what is not.",
    flags: &[(SAME, "Whether both texts say the same.")],
    scale: Scale { least: 0.0, most: 1.0, of_facts: true },
    help: "From 0, nothing in common, to 1, the same.",
    says_verdict: false,
};

/// 3.5 of 5 and 7 of 10 points are 0.7; the thresholds of similarity are those of the metrics plan.
pub(super) const MODES: [ModeRow; 8] = [
    ModeRow {
        mode: JudgeMode::GroundTruth,
        template: include_str!("../../../../prompts/ground_truth.md"),
        needs: Needs::Truth,
        criteria: Criteria::Rubric,
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Binary,
        template: include_str!("../../../../prompts/binary.md"),
        needs: Needs::Truth,
        criteria: Criteria::YesNo,
        passing: BINARY_PASS,
        has_partial: false,
    },
    ModeRow {
        mode: JudgeMode::Refusal,
        template: include_str!("../../../../prompts/refusal.md"),
        needs: Needs::Nothing,
        criteria: Criteria::One(One {
            form: "refusal",
            reason: WHY,
            flags: &[
                (DECLINES, "Whether the answer declines, or says that there are no such data."),
                (ASSERTS, "Whether the answer states what was asked for as if it knew it."),
            ],
            // what is wrong with a question is what a good refusal says
            scale: Scale { least: 1.0, most: MAX, of_facts: false },
            help: OF_FIVE,
            says_verdict: true,
        }),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Plausibility,
        template: include_str!("../../../../prompts/plausibility.md"),
        needs: Needs::Nothing,
        criteria: Criteria::One(One {
            form: "plausibility",
            reason: WHY,
            flags: &[],
            scale: Scale { least: 1.0, most: MAX, of_facts: true },
            help: OF_FIVE,
            says_verdict: true,
        }),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Reasoning,
        template: include_str!("../../../../prompts/reasoning.md"),
        needs: Needs::Nothing,
        criteria: Criteria::Points(&REASONING),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Grounding,
        template: include_str!("../../../../prompts/grounding.md"),
        needs: Needs::Evidence,
        criteria: Criteria::Points(&GROUNDING),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Fuzzy,
        template: include_str!("../../../../prompts/fuzzy.md"),
        needs: Needs::Truth,
        criteria: Criteria::One(ALIKE),
        passing: 0.85,
        has_partial: false,
    },
    ModeRow {
        mode: JudgeMode::Semantic,
        template: include_str!("../../../../prompts/semantic.md"),
        needs: Needs::Truth,
        criteria: Criteria::One(ALIKE),
        passing: 0.80,
        has_partial: false,
    },
];

impl JudgeMode {
    /// Its row.
    pub(super) const fn row(self) -> &'static ModeRow {
        &MODES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_stands_in_its_place() {
        assert!(MODES.iter().map(|row| row.mode).eq(JudgeMode::ALL.iter().copied()));
    }
}
