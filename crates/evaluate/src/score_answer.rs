//! Scores one answer against the record of its question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::expected::against_stored;
use crate::manifest::QuestionId;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, Extra, PointScore, Refusal, refusal};
use crate::truth::{Pipeline, Site, Stored, may_score};
use crate::value::Context;
use crate::verdict::{PointCounts, RuleFinding, decide};

/// A refused score: truth and answer come from the same source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RefusedScore {
    /// The data point's field.
    pub field: String,
    /// The reason.
    pub reason: String,
}

/// The details of an answer's score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerDetails {
    /// The question.
    pub question_id: QuestionId,
    /// The site of the record.
    pub site: Site,
    /// The pipeline of the answer.
    pub pipeline: Pipeline,
    /// Data points with the true value.
    pub right: usize,
    /// Data points with another value.
    pub wrong: usize,
    /// Data points that the answer does not give.
    pub missing: usize,
    /// Data points that cannot be decided.
    pub unscored: usize,
    /// The data points that may be scored.
    pub points: Vec<PointScore>,
    /// The true values of these points, as text.
    #[serde(skip)]
    pub truths: Vec<String>,
    /// Points that this record must not score.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedScore>,
    /// Other values in the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<Extra>,
}

impl AnswerDetails {
    /// The data points by result.
    #[must_use]
    pub fn counts(&self) -> PointCounts {
        let Self { right, wrong, missing, unscored, .. } = *self;
        PointCounts { right, wrong, missing, unscored, refused: self.refused.len() }
    }

    fn none(id: &QuestionId, site: Site, pipeline: Pipeline) -> Self {
        Self {
            question_id: id.clone(),
            site,
            pipeline,
            right: 0,
            wrong: 0,
            missing: 0,
            unscored: 0,
            points: Vec::new(),
            truths: Vec::new(),
            refused: Vec::new(),
            extra: Vec::new(),
        }
    }
}

/// Scores an answer to a question to decline: 1 if it plainly declines, 0 if it gives a value, else
/// unscored.
#[must_use]
pub fn score_refusal(
    id: &QuestionId,
    site: Site,
    pipeline: Pipeline,
    question: &str,
    answer: &str,
) -> Score<AnswerDetails> {
    let Refusal { shown, reason } = refusal(question, answer);
    let value = shown.map(|shown| if shown { 1.0 } else { 0.0 });
    Score::new(value, reason, AnswerDetails::none(id, site, pipeline))
}

/// Scores an answer: the share of right data points, or no share if one is undecided or refused. The
/// verdict is that of [`decide`]: one wrong point fails the answer.
/// `asked` and `question` are the context and the text of the question.
#[must_use]
pub fn score_answer(
    stored: &Stored,
    site: Site,
    asked: Option<&Context>,
    question: Option<&str>,
    pipeline: Pipeline,
    answer: &str,
) -> Score<AnswerDetails> {
    let (_, found) = against_stored(stored, asked, question, answer);
    let provenance = stored.provenance.as_ref();
    let id = &stored.record.question_id;
    let mut details = AnswerDetails { extra: found.extra, ..AnswerDetails::none(id, site, pipeline) };
    // support values are allowed in the answer, and decide nothing (decision 31)
    let points = stored.record.results.data.iter().zip(found.points);
    for (row, point) in points.filter(|(row, _)| !row.is_support()) {
        let independent = may_score(&stored.record, provenance.and_then(|p| p.of(row)), pipeline);
        if let Some(reason) = independent.reason() {
            details.refused.push(RefusedScore { field: point.field, reason: reason.to_owned() });
            continue;
        }
        *match point.said {
            AnswerVerdict::Right => &mut details.right,
            AnswerVerdict::Wrong => &mut details.wrong,
            AnswerVerdict::Missing => &mut details.missing,
            AnswerVerdict::Unscored => &mut details.unscored,
        } += 1;
        details.truths.push(row.shown());
        details.points.push(point);
    }
    let counts = details.counts();
    let reason = match counts == PointCounts::default() {
        true => "no value of this record answers the question".to_owned(),
        false => counts.to_string(),
    };
    let verdict = decide(RuleFinding::Points(counts), None).verdict.of_score();
    Score { verdict, ..Score::new(counts.share(), reason, details).by("comparator") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::of_reference;
    use crate::scoring::{CaseVerdict, Verdict};

    #[test]
    fn one_wrong_value_fails_an_answer_as_in_a_run_and_a_missing_one_leaves_it_partial() {
        let reference = serde_json::json!({"values": [
            {"metric": "GDP per capita", "value": "$2,274"},
            {"metric": "Number of export partners", "value": 169},
        ]});
        let context = Context { country: Some("404".to_owned()), ..Context::default() };
        let id: QuestionId = "7".parse().unwrap();
        let reference = serde_json::from_value(reference).unwrap();
        let stored = of_reference(&id, &context, &reference, Site::Live).unwrap();
        let question = "What is Kenya's GDP per capita, and how many export partners does it have?";
        let gdp = "Kenya's GDP per capita is $2,274.";
        for (answer, share, verdict) in [
            (format!("{gdp} Kenya has 169 export partners."), Some(1.0), CaseVerdict::Pass),
            (format!("{gdp} Kenya has 180 export partners."), Some(0.5), CaseVerdict::Fail),
            (gdp.to_owned(), Some(0.5), CaseVerdict::Partial),
            ("I do not have this information.".to_owned(), Some(0.0), CaseVerdict::Fail),
        ] {
            let pipeline = Pipeline::Graphql;
            let scored = score_answer(&stored, Site::Live, Some(&context), Some(question), pipeline, &answer);
            let found = (scored.value, CaseVerdict::from(scored.verdict));
            assert_eq!(found, (share, verdict), "{answer}: {:?}", scored.metadata.points);
            assert!(verdict != CaseVerdict::Fail || scored.verdict == Verdict::Mismatch);
        }
    }
}
