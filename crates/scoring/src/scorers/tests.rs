//! Tool selection and trajectories as documented (scorers; evaluation strategy 2 and 6; decisions 7 and 8).

use proptest::prelude::*;
use serde_json::json;

use super::link::link_differences;
use super::route_checks::check_trace;
use super::*;
use crate::tools::{
    CallSpec, DataTools, ExpectedTool, MatchMode, MatchSpec, Mode, ToolCall, ToolName, Trajectory,
    TrajectoryVerdict, judge_trajectory, match_rate, parse_trajectory,
};
use crate::{CaseVerdict, Score};

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn select(
    tools: Option<&[&str]>,
    sequence: Option<&[&str]>,
    called: &[&str],
    config: SelectionConfig,
) -> Option<f64> {
    tool_selection(tools.map(owned).as_deref(), sequence.map(owned).as_deref(), called, config).value
}

fn close(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() < 1e-12)
}

const PLAIN: SelectionConfig = SelectionConfig { strict_order: false, penalize_extra: 0.0 };

/// Calls without arguments, by name.
fn calls_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Trajectory {
    Trajectory { calls: names.into_iter().map(ToolCall::named).collect(), ..Trajectory::default() }
}

#[test]
fn scorers_tool_selection_score_calculation() {
    assert!(close(select(Some(&["web_search"]), None, &["web_search"], PLAIN), 1.0));
    assert!(close(select(Some(&["web_search"]), None, &["web_search", "other"], PLAIN), 0.5));
    assert!(close(select(Some(&["a", "b"]), None, &["c"], PLAIN), 0.0));
    let sequence = ["web_search", "format_response"];
    assert!(close(select(None, Some(&sequence), &sequence, PLAIN), 1.0));
    assert!(close(select(None, Some(&sequence), &["format_response", "web_search"], PLAIN), 0.5));
    assert!(close(select(None, Some(&sequence), &["web_search", "x", "format_response"], PLAIN), 2.0 / 3.0));
    // The sequence's tools are expected too.
    assert!(close(select(Some(&["web_search"]), Some(&sequence), &sequence, PLAIN), 1.0));
    assert!(close(select(Some(&["web_search"]), Some(&sequence), &["web_search"], PLAIN), 0.5));
}

#[test]
fn scorers_points_of_reasoning_and_grounding() {
    assert_eq!(
        REASONING.criteria,
        [
            ("logical_coherence", 3.0),
            ("information_usage", 3.0),
            ("problem_decomposition", 2.0),
            ("completeness", 2.0)
        ]
    );
    // two more for expected content, without a judge
    assert_eq!(GROUNDING.criteria, [("factual_accuracy", 4.0), ("evidence_support", 4.0)]);
    let most = |scale: &PointScale| scale.criteria.iter().map(|(_, most)| most).sum::<f64>();
    assert_eq!((most(&REASONING), most(&GROUNDING)), (10.0, 8.0));
}

#[test]
fn decision_7_tool_selection() {
    // The mean of the parts that the case defines.
    assert!(close(select(Some(&["a", "b"]), Some(&["a", "b"]), &["b", "a"], PLAIN), 0.75));
    let strict = SelectionConfig { strict_order: true, ..PLAIN };
    assert!(close(select(None, Some(&["a", "b"]), &["a", "b", "c"], strict), 0.0));
    assert!(close(select(None, Some(&["a", "b"]), &["a", "b"], strict), 1.0));
    assert!(close(select(Some(&["a", "b"]), None, &["b", "a"], strict), 0.5), "their order is the sequence");
    assert_eq!(select(None, None, &["a"], PLAIN), None, "neither given: unscored");
    assert!(close(select(Some(&[]), None, &[], PLAIN), 1.0), "both sets empty: 1");
    assert!(close(select(Some(&[]), None, &["a"], PLAIN), 0.0));
    let penalty = SelectionConfig { penalize_extra: 0.1, ..PLAIN };
    assert!(close(select(Some(&["a"]), None, &["a", "x"], penalty), 0.4));
    assert!(close(select(Some(&["a"]), None, &["a", "x", "y", "x"], penalty), 1.0 / 3.0 - 0.2));
}

#[test]
fn evaluation_strategy_2_and_6_trajectory_verdict_and_decision_8() {
    use ExpectedTool::{Both, Either, GraphqlOnly, GraphqlPreferred, Refusal, SqlOnly, SqlPreferred};
    use TrajectoryVerdict::{Acceptable, Fail, Pass};
    let graphql: &[&str] = &["docs_tool", "atlas_graphql"];
    let sql: &[&str] = &["query_tool"];
    let both: &[&str] = &["atlas_graphql", "query_tool"];
    let docs: &[&str] = &["docs_tool"];
    let none: &[&str] = &[];
    for (expected, verdicts) in [
        (GraphqlOnly, [Pass, Fail, Fail, Fail, Fail]),
        (SqlOnly, [Fail, Pass, Fail, Fail, Fail]),
        (GraphqlPreferred, [Pass, Acceptable, Pass, Fail, Fail]),
        (SqlPreferred, [Acceptable, Pass, Pass, Fail, Fail]),
        (Either, [Pass, Pass, Pass, Fail, Fail]),
        (Refusal, [Fail, Fail, Fail, Pass, Pass]),
        (Both, [Fail, Fail, Pass, Fail, Fail]),
    ] {
        for (calls, verdict) in [graphql, sql, both, docs, none].into_iter().zip(verdicts) {
            let trajectory = calls_of(calls.iter().copied());
            let judged = judge_trajectory(expected, &trajectory, &DataTools::default());
            assert_eq!(judged.metadata.route, verdict, "{expected:?} {calls:?}: {:?}", judged.reasons);
        }
    }
    assert_eq!(serde_json::from_str::<ExpectedTool>("\"any\"").unwrap(), Either);
    let rate = match_rate([Pass, Pass, Acceptable, Fail]);
    assert_eq!((rate.rate, rate.strict_rate), (Some(0.75), Some(0.5)));
    assert_eq!(match_rate([]).rate, None);
}

#[test]
fn decision_8_data_tools_are_configurable() {
    let tools = DataTools { graphql: owned(&["g"]), sql: owned(&["s"]) };
    let verdict = judge_trajectory(ExpectedTool::GraphqlOnly, &calls_of(["g"]), &tools).metadata.route;
    assert_eq!(verdict, TrajectoryVerdict::Pass);
}

fn spec(value: serde_json::Value) -> MatchSpec {
    serde_json::from_value(value).unwrap()
}

fn right<M>(score: &Score<M>) -> bool {
    score.reaches(1.0) == Some(true)
}

fn calls(value: serde_json::Value) -> Vec<ToolCall> {
    parse_trajectory(&value).unwrap().calls
}

#[test]
fn calls_match_in_four_modes() {
    let expected = |mode: &str| spec(json!({"mode": mode, "calls": [{"tool": "a"}, {"tool": "b"}]}));
    for (made, passes) in [
        (json!(["a", "b"]), [true, true, true, true]),
        (json!(["b", "a"]), [false, true, true, true]),
        (json!(["a"]), [false, false, true, false]),
        (json!(["a", "b", "c"]), [false, false, false, true]),
        (json!(["a", "c"]), [false, false, false, false]),
        // nothing is done of what is expected
        (json!([]), [false, false, false, false]),
    ] {
        for (mode, passed) in ["strict", "unordered", "subset", "superset"].into_iter().zip(passes) {
            let report = match_calls(&expected(mode), &calls(made.clone()));
            assert_eq!(right(&report), passed, "{mode} {made}: {:?}", report.reasons);
        }
    }
}

#[test]
fn arguments_exact_ignored_subset_and_by_field() {
    let made = calls(json!([{"name": "q", "args": {"country": 404, "year": 2024, "limit": 5}}]));
    let expected = |arguments: serde_json::Value, compare: serde_json::Value| {
        match_calls(
            &spec(json!({"calls": [{"tool": "q", "arguments": arguments}], "arguments": compare})),
            &made,
        )
    };
    assert!(!right(&expected(json!({"country": 404}), json!("exact"))));
    assert!(right(&expected(json!({"country": 404}), json!("subset"))));
    assert!(right(&expected(json!({}), json!("ignored"))));
    assert!(right(&expected(json!({"country": 404, "limit": 9}), json!({"fields": ["country"]}))));
    let wrong = expected(json!({"country": 840}), json!("subset"));
    assert!(wrong.reason().contains("argument \"country\" is 404, expected 840"), "{:?}", wrong.reasons);
    let per_tool = spec(json!({"calls": [{"tool": "q"}], "per_tool": {"q": "ignored"}}));
    assert!(right(&match_calls(&per_tool, &made)));
}

#[test]
fn forbidden_tools_alternatives_and_repeats() {
    let forbidden = spec(json!({"mode": "superset", "forbidden": ["query_tool"]}));
    let report = match_calls(&forbidden, &calls(json!(["atlas_graphql", "query_tool"])));
    assert_eq!((report.value, &*report.metadata.forbidden), (Some(0.0), &["query_tool".to_owned()][..]));

    // The first call fits both expectations; it must be left to the one that nothing else fits.
    let alternatives = spec(json!({"mode": "unordered", "calls": [{"tool": ["a", "b"]}, {"tool": "a"}]}));
    assert!(right(&match_calls(&alternatives, &calls(json!(["a", "b"])))));

    let repeats = spec(json!({"mode": "superset", "max_repeats": 2}));
    let same = json!({"name": "q", "args": {"x": 1}});
    assert!(right(&match_calls(&repeats, &calls(json!([same, same])))));
    assert!(!right(&match_calls(&repeats, &calls(json!([same, same, same])))));
    assert!(right(&match_calls(&repeats, &calls(json!([same, same, {"name": "q", "args": {"x": 2}}])))));
}

#[test]
fn trajectories_in_the_shapes_that_agents_record() {
    let shapes = json!({"tool_calls": [
        "a",
        {"name": "a", "arguments": {"x": 1}},
        {"tool": "a", "input": {"x": 1}},
        {"type": "function", "function": {"name": "a", "arguments": "{\"x\": 1}"}},
        {"tool_name": "a", "error": "timeout"},
    ]});
    let made = calls(shapes);
    assert!(made.iter().all(|call| call.name == "a"));
    assert_eq!(
        made.iter().filter(|call| call.arguments == json!({"x": 1}).as_object().cloned().unwrap()).count(),
        3
    );
    assert_eq!(made[4].failed, Some(true));
    for (bad, part) in [
        (json!([{"arguments": {}}]), "tool call 1: it has no `name`"),
        (json!([{"name": " "}]), "tool call 1: it has no `name`"),
        (json!(["a", 3]), "tool call 2"),
        (json!([{"name": "a", "arguments": "{"}]), "not a JSON object"),
        (json!("a"), "expected a list"),
    ] {
        let error = parse_trajectory(&bad).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

fn outcomes(mode: Mode, events: &[ToolCall]) -> Vec<CaseVerdict> {
    check_trace(mode, events, &DataTools::default()).into_iter().map(|check| check.outcome).collect()
}

fn event(tool: &str, failed: bool, budget: Option<i64>) -> ToolCall {
    ToolCall { failed: Some(failed), budget, ..ToolCall::named(tool) }
}

#[test]
fn evaluation_strategy_2_budget_exhaustion() {
    use CaseVerdict::{Fail, Pass, Unscored};
    let check = |events: &[ToolCall]| outcomes(Mode::Auto, events)[0];
    assert_eq!(check(&[event("atlas_graphql", false, Some(6)), event("query_tool", false, Some(5))]), Pass);
    assert_eq!(check(&[event("atlas_graphql", false, Some(5))]), Fail);
    assert_eq!(check(&[event("atlas_graphql", false, Some(6))]), Unscored);
    assert_eq!(check(&[event("docs_tool", false, Some(2))]), Unscored);
}

#[test]
fn evaluation_strategy_2_circuit_breaker() {
    use CaseVerdict::{Fail, Pass, Unscored};
    let failing = |count: usize| vec![event("atlas_graphql", true, None); count];
    let check = |events: &[ToolCall]| outcomes(Mode::Auto, events)[1];
    assert_eq!(check(&failing(4)), Unscored);
    let mut fallback = failing(5);
    fallback.push(event("query_tool", false, None));
    assert_eq!(check(&fallback), Pass);
    assert_eq!(check(&failing(6)), Fail);
    let mut recovered = failing(4);
    recovered.push(event("atlas_graphql", false, None));
    recovered.extend(failing(4));
    assert_eq!(check(&recovered), Unscored);
    let mut half_open = failing(5);
    half_open.push(ToolCall { breaker_reset: true, ..event("atlas_graphql", false, None) });
    assert_eq!(check(&half_open), Pass);
}

#[test]
fn evaluation_strategy_2_sql_only_mode() {
    use CaseVerdict::{Fail, Pass, Unscored};
    let check = |mode, tool| outcomes(mode, &[event(tool, false, None)])[2];
    assert_eq!(check(Mode::SqlOnly, "query_tool"), Pass);
    assert_eq!(check(Mode::SqlOnly, "atlas_graphql"), Fail);
    assert_eq!(check(Mode::Auto, "atlas_graphql"), Unscored);
}

#[test]
fn a_link_is_judged_in_four_dimensions() {
    let case = SuiteCase {
        expected_url: Some(
            "https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404&year=2024".to_owned(),
        ),
        ..SuiteCase::default()
    };
    let judged = |links: &[&str]| {
        let output = AgentOutput {
            links: links.iter().map(|link| (*link).to_owned()).collect(),
            ..AgentOutput::default()
        };
        let score = super::link::link(&case, &output);
        let holds = |name: &str| score.metadata["dimensions"][name].as_bool().unwrap();
        (score.value, ["present", "page_kind", "entity", "parameters"].map(holds))
    };
    let page = |rest: &str| format!("https://atlas.hks.harvard.edu/explore/{rest}");
    let (right, year) =
        (page("treemap?exporter=country-404&year=2024"), page("treemap?exporter=country-404&year=2019"));
    let (country, kind) =
        (page("treemap?exporter=country-800&year=2024"), page("overtime?exporter=country-404"));
    assert_eq!(judged(&[]), (Some(0.0), [false; 4]));
    assert_eq!(judged(&[&right]), (Some(1.0), [true; 4]));
    assert_eq!(judged(&[&year]), (Some(0.0), [true, true, true, false]));
    assert_eq!(judged(&[&country]), (Some(0.0), [true, true, false, true]));
    assert_eq!(judged(&[&kind]), (Some(0.0), [true, false, false, false]));
    assert_eq!(judged(&["ask me"]), (Some(0.0), [true, false, false, false]));
    assert_eq!(judged(&[&kind, &year]), (Some(0.0), [true, true, true, false]), "the nearest counts");
}

#[test]
fn evaluation_strategy_6_link_verification() {
    let page =
        "https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404&year=2024&productClass=HS92";
    for same in [
        page,
        "http://ATLAS.hks.harvard.edu/explore/treemap/?year=2024&exporter=country-404",
        "https://atlas.hks.harvard.edu/explore/treemap?productClass=HS92&exporter=404&year=2024&importer=#x",
    ] {
        assert_eq!(link_differences(page, same).unwrap(), [], "{same}");
    }
    for (other, part) in [
        ("https://atlas.hks.harvard.edu/explore/overtime?exporter=country-404&year=2024", "page_kind"),
        ("https://atlas.hks.harvard.edu/explore/treemap?exporter=country-800&year=2024", "exporter"),
        ("https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404&year=2023", "year"),
        ("https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404", "year"),
        (
            "https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404&year=2024&productClass=SITC",
            "classification",
        ),
        ("https://example.com/explore/treemap?exporter=country-404&year=2024", "site"),
        (
            "https://atlas.hks.harvard.edu/explore/treemap?exporter=country-404&year=2024&importer=country-800",
            "importer",
        ),
    ] {
        let differences = link_differences(page, other).unwrap();
        let parts: Vec<&str> = differences.iter().map(|difference| &*difference.part).collect();
        assert_eq!(parts, [part], "{other}");
    }
    let country = link_differences(
        "https://atlas.hks.harvard.edu/countries/404",
        "https://atlas.hks.harvard.edu/countries/800",
    )
    .unwrap();
    assert_eq!(country[0].part, "entity");
    assert!(link_differences(page, "not an address").is_err());
    assert!(link_differences(page, "ftp://atlas.hks.harvard.edu/").is_err());
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-d]", 0..7)
}

proptest! {
    #[test]
    fn selection_is_a_share_and_right_for_itself(tools in names(), called in names(), strict in any::<bool>(), p in 0.0..1.0_f64) {
        let config = SelectionConfig { strict_order: strict, penalize_extra: p };
        let made: Vec<&str> = called.iter().map(String::as_str).collect();
        let score = tool_selection(Some(&tools), Some(&tools), &made, config).value.unwrap();
        prop_assert!((0.0..=1.0).contains(&score));
        let own: Vec<&str> = tools.iter().map(String::as_str).collect();
        prop_assert_eq!(tool_selection(Some(&tools), Some(&tools), &own, config).value, Some(1.0));
    }

    #[test]
    fn modes_are_ordered_by_strictness(expected in names(), called in names()) {
        let passed = |mode| {
            let calls = expected.iter().map(|name| CallSpec { tool: ToolName::One(name.clone()), arguments: Default::default(), compare: None }).collect();
            let spec = MatchSpec { mode, calls, ..MatchSpec::default() };
            right(&match_calls(&spec, &calls_of(called.iter().map(String::as_str)).calls))
        };
        let (strict, unordered) = (passed(MatchMode::Strict), passed(MatchMode::Unordered));
        prop_assert_eq!(strict, expected == called);
        prop_assert!(!strict || unordered);
        prop_assert_eq!(unordered, passed(MatchMode::Subset) && passed(MatchMode::Superset));
    }
}
