//! Whether a value may score an answer of a pipeline (evaluation strategy 3, key rules; decision 9). Truth from the
//! same source as the answer proves nothing.

use serde::{Deserialize, Serialize};

use super::provenance::PointProvenance;
use super::record::Record;
use atlas_gt_core::evidence::{Agreement, Channel};
use atlas_gt_core::pipeline::Pipeline;
use atlas_gt_core::source::SourceMethod;

/// What a value can prove about an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "use", content = "reason")]
pub enum Independence {
    /// Whether the answer is right.
    Correctness,
    /// Only whether two pipelines agree.
    ConsistencyOnly(String),
    /// Only whether the answer has the expected form.
    StructureOnly(String),
    /// Nothing.
    Refused(String),
}

impl Independence {
    /// Whether the value may decide that an answer is right or wrong.
    #[must_use]
    pub const fn scores(&self) -> bool {
        matches!(self, Self::Correctness)
    }

    /// Why it may not.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Correctness => None,
            Self::ConsistencyOnly(why) | Self::StructureOnly(why) | Self::Refused(why) => Some(why),
        }
    }
}

/// Whether a value of a record may score an answer of a pipeline. `point` is the value's provenance, if known.
#[must_use]
pub fn may_score(record: &Record, point: Option<&PointProvenance>, pipeline: Pipeline) -> Independence {
    match record.source_method {
        SourceMethod::SqlCrossCheck => {
            return Independence::ConsistencyOnly(
                "the value comes from the SQL pipeline: it shows whether pipelines agree, not who is right"
                    .into(),
            );
        }
        SourceMethod::LlmGenerated => {
            return Independence::StructureOnly(
                "the value was written by a language model: it scores the form of an answer, not its content"
                    .into(),
            );
        }
        _ => {}
    }
    if point.is_some_and(|point| point.agreement == Some(Agreement::NotDisplayed)) {
        return Independence::Refused("no displayed text shows the value, and no one has reviewed it".into());
    }
    if !pipeline.may_be_graphql() {
        return Independence::Correctness;
    }
    let about = match pipeline {
        Pipeline::Unknown => "no trace rules out that the answer came from GraphQL",
        _ => "the answer comes from GraphQL",
    };
    let refused = |why: &str| Independence::Refused(format!("{why}, and {about}"));
    let Some(point) = point else {
        return match record.source_method {
            SourceMethod::GraphqlApi => refused("the value answers a GraphQL query of our own"),
            SourceMethod::BrowserExplorePage => refused(
                "it is unknown whether the value was displayed or only in a response that no displayed text confirms",
            ),
            _ => Independence::Correctness,
        };
    };
    match (point.channel, point.agreement) {
        (Channel::Imported, _) if record.source_method == SourceMethod::GraphqlApi => {
            refused("the value was imported as the answer to a GraphQL query")
        }
        (Channel::Api, _) => refused("the value answers a GraphQL query of our own"),
        (Channel::PageResponse, Some(Agreement::Agrees)) => Independence::Correctness,
        (Channel::PageResponse, _) => {
            refused("the value is unverified: it comes from a response that no displayed text confirms")
        }
        _ => Independence::Correctness,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn of(method: SourceMethod, how: Option<(Channel, Agreement)>) -> Vec<bool> {
        let mut record = samples::record("61", vec![samples::row("gdp_per_capita", "$2,274", 2274)]);
        record.source_method = method;
        let point = how.map(|(channel, agreement)| {
            let mut point = samples::provenance(&record, channel, None).points.remove(0);
            point.agreement = Some(agreement);
            point
        });
        let scores = |pipeline: &Pipeline| {
            let verdict = may_score(&record, point.as_ref(), *pipeline);
            assert_eq!(verdict.scores(), verdict.reason().is_none());
            verdict.scores()
        };
        Pipeline::ALL.iter().map(scores).collect()
    }

    #[test]
    fn decision_9_truth_never_scores_where_it_comes_from() {
        use Agreement::{Agrees, PageDisagrees, Single, Unverified};
        use SourceMethod::{BrowserCountryPage, BrowserExplorePage, GraphqlApi, LlmGenerated, SqlCrossCheck};
        let all = [true; 5];
        // graphql, sql, mixed, none, unknown
        let not_graphql = [false, true, false, true, false];
        for agreement in [Agrees, PageDisagrees, Single] {
            assert_eq!(of(BrowserCountryPage, Some((Channel::Dom, agreement))), all);
            assert_eq!(of(BrowserCountryPage, Some((Channel::Narrative, agreement))), all);
        }
        assert_eq!(of(BrowserExplorePage, Some((Channel::PageResponse, Agrees))), all);
        for agreement in [PageDisagrees, Single, Unverified] {
            assert_eq!(of(BrowserExplorePage, Some((Channel::PageResponse, agreement))), not_graphql);
        }
        // decision 23: a value that was not displayed scores nothing until a person accepts it
        assert_eq!(of(GraphqlApi, Some((Channel::PageResponse, Agreement::NotDisplayed))), [false; 5]);
        assert_eq!(of(BrowserCountryPage, Some((Channel::Person, Agrees))), all);
        assert_eq!(of(GraphqlApi, Some((Channel::Api, Agrees))), not_graphql);
        assert_eq!(of(GraphqlApi, Some((Channel::Imported, Single))), not_graphql);
        assert_eq!(of(BrowserExplorePage, Some((Channel::Imported, Single))), all);
        assert_eq!(of(SqlCrossCheck, Some((Channel::Imported, Single))), [false; 5]);
        assert_eq!(of(GraphqlApi, None), not_graphql);
        assert_eq!(of(BrowserExplorePage, None), not_graphql);
        assert_eq!(of(BrowserCountryPage, None), all);
        assert_eq!(of(SqlCrossCheck, None), [false; 5]);
        assert_eq!(of(LlmGenerated, None), [false; 5]);
    }

    #[test]
    fn decision_9_a_refusal_says_why() {
        let mut record = samples::record("61", Vec::new());
        record.source_method = SourceMethod::GraphqlApi;
        let verdict = may_score(&record, None, Pipeline::Unknown);
        assert_eq!(
            verdict.reason(),
            Some(
                "the value answers a GraphQL query of our own, and no trace rules out that the answer came from GraphQL"
            )
        );
        record.source_method = SourceMethod::SqlCrossCheck;
        assert!(matches!(may_score(&record, None, Pipeline::Sql), Independence::ConsistencyOnly(_)));
    }
}
