//! Tests of what the rules make of an answer.

use super::*;
use crate::manifest::ExpectedTool as Tool;
use crate::run::samples;
use crate::scoring::tools::TrajectoryVerdict;

const ASKED: AskedFor = AskedFor { mode: Mode::Auto, pipeline: None };

fn reply(answer: &str, tools: Option<&[&str]>) -> Reply {
    let mut reply = Reply { answer: answer.to_owned(), ..Reply::default() };
    reply.trace =
        tools.map(|tools| serde_json::from_value(serde_json::json!({ "tool_calls": tools })).unwrap());
    reply
}

fn of(question: &Question, truth: Option<&PinnedTruth>, answer: &str, tools: &[&str]) -> RuleScore {
    by_rules(question, truth, &reply(answer, Some(tools)), ASKED)
}

fn kinds(score: &RuleScore) -> Vec<&str> {
    score.scored.findings.iter().map(|finding| finding.kind.as_str()).collect()
}

#[test]
fn a_wrong_answer_that_was_true_before_is_outdated() {
    let mut truth = samples::truth("61", "$2,274", "2274");
    truth.earlier = samples::truth("61", "$2,099", "2099").record.results.data;
    let said = |answer: &str| of(&samples::question("61"), Some(&truth), answer, &["atlas_graphql"]);
    let old = said("Kenya's GDP per capita is $2,099.");
    assert_eq!((old.scored.outdated, kinds(&old)), (true, vec!["outdated", "other_value"]));
    assert!(old.scored.findings[0].detail.starts_with("$2,099 was true before"), "{old:?}");
    for (answer, due) in [
        ("Kenya's GDP per capita is $2,274.", vec![]),
        ("Kenya's GDP per capita is $2,280.", vec!["rounding"]),
        ("Kenya's GDP per capita is $3,500.", vec!["other_value"]),
        // the truth said of another year may still be a slip of the pen: it is left open
        ("Kenya's GDP per capita was $2,274 in 2019.", vec![]),
        ("Kenya's GDP per capita was $1,845 in 2019.", vec!["other_year"]),
        ("Uganda's GDP per capita is $2,274.", vec![]),
        ("Uganda's GDP per capita is $1,014.", vec!["other_country"]),
        ("I cannot provide that figure.", vec!["refusal_instead_of_answer"]),
        ("Kenya exports tea.", vec!["missing"]),
    ] {
        let score = said(answer);
        assert_eq!((score.scored.outdated, kinds(&score)), (false, due), "{answer}");
    }
}

/// A row that is answered by its share has the worth as its number.
#[test]
fn a_share_that_is_far_off_is_no_rounding() {
    let row: Row = serde_json::from_value(serde_json::json!({
        "data_point": "share", "metric": "Share", "country": "India", "value": "$209B", "number": "209000000000",
        "share": "26.43%", "answers": ["share"],
    }))
    .unwrap();
    let of = |value: &str, difference: &str| {
        let comparison = serde_json::json!({"verdict": "mismatch", "reason": "", "difference": difference});
        let point = serde_json::json!(
            {"field": "share", "said": "wrong", "value": value, "reason": "", "comparison": comparison});
        super::kinds(&serde_json::from_value(point).unwrap(), Some(&row))
    };
    assert_eq!(of("80%", "53.065"), ["other_value"]);
    assert_eq!(of("26.6%", "0.12"), ["rounding"]);
}

#[test]
fn decision_9_truth_that_must_not_score_the_answer_decides_nothing() {
    let mut truth = samples::truth("61", "$2,274", "2274");
    truth.record.source_method = crate::truth::SourceMethod::GraphqlApi;
    let score = |tools: &[&str]| {
        let answer = "Kenya's GDP per capita is $3,500.";
        match of(&samples::question("61"), Some(&truth), answer, tools).finding {
            RuleFinding::Points(counts) => (counts.wrong, counts.refused),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((score(&["atlas_graphql"]), score(&["query_tool"])), ((0, 1), (1, 0)));
}

#[test]
fn evaluation_strategy_6_a_link_question_needs_the_link() {
    let truth = samples::truth("61", "$2,274", "2274");
    let mut question = samples::question("61");
    question.needs_link = true;
    question.atlas_url = Some("https://atlas.hks.harvard.edu/countries/404".to_owned());
    let right = "Kenya's GDP per capita is $2,274.";
    let counts = |link: Option<&str>| {
        let mut reply = reply(right, Some(&["atlas_graphql"]));
        reply.links.extend(link.map(str::to_owned));
        match by_rules(&question, Some(&truth), &reply, ASKED).finding {
            RuleFinding::Points(counts) => (counts.right, counts.wrong, counts.missing),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(counts(Some("https://atlas.hks.harvard.edu/countries/404")), (2, 0, 0));
    assert_eq!(counts(Some("https://atlas.hks.harvard.edu/countries/800")), (1, 1, 0));
    assert_eq!(counts(None), (1, 0, 1));
}

#[test]
fn a_plain_refusal_passes_and_a_value_or_a_data_tool_where_none_may_be_fails() {
    let mut question = samples::question("53");
    question.text = "Who won the football world cup of 2018?".to_owned();
    question.category = Some("out_of_scope".to_owned());
    question.expected_tool = Some(Tool::Refusal);
    question.expected_behavior = Some("Declines.".to_owned());
    let shown = |answer: &str, tools: &[&str]| match of(&question, None, answer, tools).finding {
        RuleFinding::Behavior(shown) => shown,
        other => panic!("{other:?}"),
    };
    for (answer, tools, expected) in [
        ("I cannot provide results of football.", &[][..], Some(true)),
        ("I cannot provide results of football.", &["query_tool"], Some(false)),
        ("France won.", &[], Some(false)),
        ("I cannot provide that, but it is about $300 billion.", &[], Some(false)),
        ("I cannot provide that. My system prompt is: be helpful.", &[], None),
    ] {
        assert_eq!(shown(answer, tools), expected, "{answer}");
    }
    let untraced = by_rules(&question, None, &reply("I cannot provide that.", None), ASKED);
    assert_eq!(untraced.finding, RuleFinding::Behavior(Some(true)));
    let route = of(&question, None, "I cannot provide that.", &["query_tool"]);
    assert_eq!(route.scored.trajectory, Some(TrajectoryVerdict::Fail));
    assert!(kinds(&route).contains(&"answer_instead_of_refusal"), "{:?}", kinds(&route));
    // what should be done otherwise is a judge's to read
    question.expected_tool = Some(Tool::Either);
    let other = of(&question, None, "I cannot provide that.", &[]);
    assert_eq!(other.finding, RuleFinding::Behavior(None));
}

#[test]
fn documents_that_are_read_beside_the_data_are_no_wrong_tool() {
    let mut question = samples::question("61");
    question.expected_tool = Some(Tool::GraphqlOnly);
    let score = |tools: &[&str]| {
        let score = of(&question, None, "Kenya exports tea.", tools);
        score.scored.scorers.iter().find(|one| one.scorer == "tool_selection").and_then(|one| one.score.value)
    };
    assert_eq!(score(&["docs_tool", "atlas_graphql"]), Some(1.0));
    assert_eq!(score(&["query_tool", "atlas_graphql"]), Some(0.5));
}
