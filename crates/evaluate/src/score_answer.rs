//! One answer against the stored truth of its question, as one score.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::expected::against_stored;
use crate::manifest::QuestionId;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, Extra, PointScore, Refusal, refusal};
use crate::truth::{Pipeline, Site, Stored, may_score};
use crate::value::Context;

/// A score that was refused: the truth comes from where the answer comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RefusedScore {
    /// The data point's field.
    pub field: String,
    /// Why.
    pub reason: String,
}

/// What the score of an answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerDetails {
    /// The question.
    pub question_id: QuestionId,
    /// The site that the truth was read from.
    pub site: Site,
    /// The pipeline that the answer came from.
    pub pipeline: Pipeline,
    /// Data points with the true value.
    pub right: usize,
    /// Data points with another.
    pub wrong: usize,
    /// Data points that it does not give.
    pub missing: usize,
    /// Data points that cannot be decided.
    pub unscored: usize,
    /// Every data point that may be scored.
    pub points: Vec<PointScore>,
    /// The truths of these points, for a person.
    #[serde(skip)]
    pub truths: Vec<String>,
    /// Points that this truth must not score.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedScore>,
    /// What else it states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<Extra>,
}

impl AnswerDetails {
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

/// Scores an answer to a question that should be declined: 1 where it plainly declines, 0 where it gives a value, else unscored.
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

/// Scores an answer: the share of the data points that are right; unscored where one cannot be decided or must not be scored.
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
    // what the question does not ask for has its place in the answer, and decides nothing (decision 31)
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
    let AnswerDetails { right, wrong, missing, unscored, .. } = details;
    let all = right + wrong + missing;
    let decided = all > 0 && unscored == 0 && details.refused.is_empty();
    let reason = format!(
        "{right} right, {wrong} wrong, {missing} missing, {unscored} unscored, {} refused",
        details.refused.len()
    );
    Score::new(decided.then(|| right as f64 / all as f64), reason, details).by("comparator")
}
