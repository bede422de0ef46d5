//! Scores one answer against the record of its question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::expected::against_stored;
use crate::manifest::QuestionId;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, Extra, PointScore, Refusal, refusal};
use crate::truth::{Pipeline, Site, Stored, may_score};
use crate::value::Context;

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

/// Scores an answer: the share of right data points, or unscored if one is undecided or refused.
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
    let AnswerDetails { right, wrong, missing, unscored, .. } = details;
    let all = right + wrong + missing;
    let decided = all > 0 && unscored == 0 && details.refused.is_empty();
    let refused = details.refused.len();
    let reason = match all + unscored + refused {
        0 => "no value of this record answers the question".to_owned(),
        _ => {
            format!("{right} right, {wrong} wrong, {missing} missing, {unscored} unscored, {refused} refused")
        }
    };
    Score::new(decided.then(|| right as f64 / all as f64), reason, details).by("comparator")
}
