//! The metrics plan section by section, decisions 4 to 6, Python parity, and input that is not as it should be.

use super::exact::exactly_equal;
use super::*;

fn object(text: &str) -> Object<'_> {
    parse_object(text.as_bytes()).unwrap()
}

fn scored<'a>(truth: &'a str, answer: &'a str, config: &JsonConfig) -> JsonDetails<'a> {
    score(object(truth), object(answer), config, &Similarities::new()).metadata
}

fn with_strategies(text: &str) -> JsonConfig {
    JsonConfig { strategies: parse_strategies(text.as_bytes()).unwrap(), ..JsonConfig::default() }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

const GT: &str = r#"{"name": "John Smith", "email": "john@example.com",
    "bio": "Senior engineer with 10 years of experience...", "internal_id": null, "status": "active"}"#;
const AIO: &str = r#"{"name": "John Smyth", "email": "john@example.com",
    "bio": "Experienced senior engineer, 10+ years...", "internal_id": "abc123", "extra_field": "surprise"}"#;

#[test]
fn metrics_plan_walkthrough_example() {
    let config = with_strategies(r#"{ "name": "FUZZY", "bio": "SEMANTIC" }"#);
    let given = [("name".to_owned(), 0.92), ("bio".to_owned(), 0.88)].into();
    let result = score(object(GT), object(AIO), &config, &given).metadata;

    assert_eq!(result.buckets.gt_non_null, ["name", "email", "bio", "status"]);
    assert_eq!(result.buckets.both_non_null, ["name", "email", "bio"]);
    assert_eq!(result.buckets.aio_missing_or_null, ["status"]);
    assert_eq!(result.buckets.extra_keys, ["extra_field"]);
    assert_eq!(result.buckets.gt_null_aio_has_value, ["internal_id"]);
    assert_eq!(result.counts.total_distinct, 6);
    assert!(close(result.measures.completeness, 0.75));
    assert!(close(result.measures.hallucination, 2.0 / 6.0));
    assert_eq!(result.measures.accuracy, Some(1.0));
    assert!(close(result.measures.rqs.unwrap(), 0.7375));
    assert!(result.fields.iter().all(|field| field.score == Some(1.0)));
    assert_eq!(result.fields[0].similarity, Some(0.92));
    assert_eq!(result.fields[0].threshold, Some(0.85));
    assert_eq!(result.fields[0].backend, "given");
    assert_eq!(result.fields[1].strategy, Strategy::Exact);
    assert_eq!(result.fields[1].kind, Some(JsonKind::Email));
    assert_eq!(result.fields[2].threshold, Some(0.80));
}

#[test]
fn metrics_plan_phase_0_edge_cases() {
    let cases = [
        (r#"{"k": null}"#, "{}", Counts { total_distinct: 1, ..Counts::default() }),
        (r#"{"k": null}"#, r#"{"k": " "}"#, Counts { total_distinct: 1, ..Counts::default() }),
        (
            r#"{"k": ""}"#,
            r#"{"k": 0}"#,
            Counts { total_distinct: 1, gt_null_aio_has_value: 1, ..Counts::default() },
        ),
        ("{}", r#"{"k": 1}"#, Counts { total_distinct: 1, extra_keys: 1, ..Counts::default() }),
        // A key that only the answer has is extra even when the answer leaves it null.
        ("{}", r#"{"k": null}"#, Counts { total_distinct: 1, extra_keys: 1, ..Counts::default() }),
        (
            r#"{"k": 1}"#,
            "{}",
            Counts { total_distinct: 1, gt_non_null: 1, aio_missing_or_null: 1, ..Counts::default() },
        ),
        (
            r#"{"k": 1}"#,
            r#"{"k": null}"#,
            Counts { total_distinct: 1, gt_non_null: 1, aio_missing_or_null: 1, ..Counts::default() },
        ),
        (
            r#"{"k": 1}"#,
            r#"{"k": 1}"#,
            Counts { total_distinct: 1, gt_non_null: 1, both_non_null: 1, matched: 1, ..Counts::default() },
        ),
    ];
    for (truth, answer, expected) in cases {
        assert_eq!(scored(truth, answer, &JsonConfig::default()).counts, expected, "{truth} {answer}");
    }
}

#[test]
fn metrics_plan_phase_1_completeness() {
    let truth: Vec<String> = (0..50).map(|n| format!("\"f{n}\": {n}")).collect();
    let truth = format!("{{{}}}", truth.join(","));
    let answer = truth.replace("\"f7\": 7", "\"f7\": null");
    assert!(close(scored(&truth, &answer, &JsonConfig::default()).measures.completeness, 0.98));
    let nothing = scored(r#"{"a": null}"#, r#"{"a": 1}"#, &JsonConfig::default());
    assert!(close(nothing.measures.completeness, 1.0));
}

#[test]
fn metrics_plan_phase_2_hallucination() {
    let none = scored("{}", "{}", &JsonConfig::default());
    assert!(close(none.measures.hallucination, 0.0));
    let some =
        scored(r#"{"a": 1, "b": null, "c": null}"#, r#"{"a": 1, "b": 2, "d": 3}"#, &JsonConfig::default());
    assert!(close(some.measures.hallucination, 2.0 / 4.0));
}

#[test]
fn metrics_plan_phase_3_strategy_resolution() {
    let config = with_strategies(r#"{"s": "IGNORE", "n": "FUZZY"}"#);
    let truth = r#"{"n": 1, "b": true, "d": "2024-01-31", "e": "a@b.cd", "l": [1], "o": {"x": 1}, "t": "text", "s": "x"}"#;
    let result = scored(truth, truth, &config);
    let strategies: Vec<(&str, Strategy, &str)> =
        result.fields.iter().map(|field| (&*field.field, field.strategy, field.strategy_from)).collect();
    assert_eq!(
        strategies,
        [
            ("n", Strategy::Fuzzy, "config"),
            ("b", Strategy::Exact, "auto"),
            ("d", Strategy::Exact, "auto"),
            ("e", Strategy::Exact, "auto"),
            ("l", Strategy::Exact, "auto"),
            ("o", Strategy::Exact, "auto"),
            ("t", Strategy::Semantic, "auto"),
            ("s", Strategy::Ignore, "config"),
        ]
    );
    assert_eq!((result.counts.matched, result.counts.ignored), (7, 1));
}

#[test]
fn metrics_plan_phase_3_formula() {
    let config = with_strategies(r#"{"c": "IGNORE"}"#);
    let result = scored(r#"{"a": 1, "b": 2, "c": 3}"#, r#"{"a": 1, "b": 3, "c": 4}"#, &config);
    assert_eq!(result.measures.accuracy, Some(0.5));
    let nothing = scored(r#"{"c": 3}"#, r#"{"c": 4}"#, &config);
    assert_eq!(nothing.measures.accuracy, Some(1.0));
}

#[test]
fn metrics_plan_phase_4_rqs_is_clamped() {
    let weights = Weights { accuracy: 0.0, completeness: 0.0, hallucination: 1.0, safety: 0.0 };
    let config = JsonConfig { weights, ..JsonConfig::default() };
    assert_eq!(scored("{}", r#"{"x": 1}"#, &config).measures.rqs, Some(0.0));
    let weights = Weights { accuracy: 1.0, completeness: 1.0, hallucination: 0.0, safety: 1.0 };
    let config = JsonConfig { weights, ..JsonConfig::default() };
    assert_eq!(scored("{}", "{}", &config).measures.rqs, Some(1.0));
}

#[test]
fn metrics_plan_field_strategy_config_file() {
    let text = r#"{
  "customer_name": "FUZZY",
  "address_line_1": "SEMANTIC",
  "phone_number": "EXACT",
  "internal_notes": "IGNORE",
  "description": "SEMANTIC"
}"#;
    let rules = parse_strategies(text.as_bytes()).unwrap();
    assert_eq!(rules.len(), 5);
    assert_eq!(rules["customer_name"].strategy, Strategy::Fuzzy);
    assert_eq!(rules["internal_notes"].strategy, Strategy::Ignore);

    for (bad, line, part) in [
        ("{\n  \"a\": \"SIMILAR\"}", 2, "\"SIMILAR\" is not a strategy: use one of EXACT"),
        ("{\"a\": 3}", 1, "the name of a strategy"),
        ("{\"a\": {\"strategy\": \"EXACT\",\n\"relative\": 1}}", 2, "EXACT has no option"),
        ("{\"a\": {\"strategy\": \"NUMERIC\", \"relative\": -1}}", 1, "0 or more"),
        ("{\"a\": {\"strategy\": \"FUZZY\", \"threshold\": 85}}", 1, "from 0 to 1"),
        ("{\"a\": \"EXACT\",\n\"a\": \"FUZZY\"}", 2, "twice"),
        ("[]", 1, "expected a JSON object"),
    ] {
        let error = parse_strategies(bad.as_bytes()).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn decision_4_rqs_of_max() {
    let perfect = scored(r#"{"a": 1}"#, r#"{"a": 1}"#, &JsonConfig::default()).measures;
    assert!(close(perfect.rqs.unwrap(), 0.85) && close(perfect.rqs_max, 0.85));
    assert!(close(perfect.rqs_of_max.unwrap(), 1.0));
    assert!(!perfect.safety_judged && close(perfect.safety_score, 1.0));
    let judged = JsonConfig { safety: Some(0.5), ..JsonConfig::default() };
    let judged = scored(r#"{"a": 1}"#, r#"{"a": 1}"#, &judged).measures;
    assert!(judged.safety_judged && close(judged.rqs.unwrap(), 0.775));
}

#[test]
fn decision_4_keys_are_top_level_unless_nested() {
    let (truth, answer) = (r#"{"a": {"b": 1, "c": 2}}"#, r#"{"a": {"b": 1, "c": 3}}"#);
    assert_eq!(scored(truth, answer, &JsonConfig::default()).measures.accuracy, Some(0.0));
    let line = format!(r#"{{"truth": {truth}, "answer": {answer}}}"#);
    let nested = JsonConfig { nested: true, ..JsonConfig::default() };
    let pair = score_line(line.as_bytes(), &nested, &Similarities::new(), true).unwrap().score.metadata;
    assert_eq!(pair.measures.accuracy, Some(0.5));
    assert_eq!(pair.fields[1].field, "a.c");
}

#[test]
fn decision_5_exact_as_python_prints_it() {
    let exact = |truth: &str, answer: &str| {
        let (truth, answer) = (parse(truth.as_bytes()).unwrap(), parse(answer.as_bytes()).unwrap());
        let equal = exactly_equal(&truth, &answer);
        let lowered = exact_text(&truth).to_lowercase() == exact_text(&answer).to_lowercase();
        assert_eq!(equal, lowered, "the short cuts agree with the definition");
        equal
    };
    assert!(exact("1", r#""1""#));
    assert!(exact("true", r#""TRUE""#));
    assert!(!exact("1", "1.0"));
    assert!(exact("1.50", "1.5"));
    assert!(!exact("2274", r#""$2,274""#));
    assert!(exact(r#""É""#, r#""é""#));
    assert!(exact(r#"{"a": 1, "b": [true]}"#, r#"{"b": [true], "a": 1}"#));
    assert!(exact(r#"{"a": 1}"#, r#""{\"A\": 1}""#));
    assert!(!exact("12345678901234567890123", "12345678901234567890124"));
}

#[test]
fn decision_5_display_and_numeric_are_added() {
    let config = with_strategies(
        r#"{"a": {"strategy": "NUMERIC", "relative": 0.01}, "b": {"strategy": "NUMERIC", "absolute": 2}, "c": "DISPLAY"}"#,
    );
    let result = scored(
        r#"{"a": 100, "b": "1,000", "c": "$2,274"}"#,
        r#"{"a": 101, "b": 1003, "c": "$2,274"}"#,
        &config,
    );
    let scores: Vec<Option<f64>> = result.fields.iter().map(|field| field.score).collect();
    assert_eq!(scores, [Some(1.0), Some(0.0), Some(1.0)]);
    assert!(result.fields[1].reason.contains("the difference is 3"), "{}", result.fields[1].reason);
    assert_eq!(result.fields[2].backend, "comparator");

    let display = JsonConfig { numbers: Numbers::Display, ..JsonConfig::default() };
    let result = scored(
        r#"{"a": 5, "b": "$2,274", "c": "text"}"#,
        r#"{"a": 5, "b": "$2,274", "c": "text"}"#,
        &display,
    );
    let strategies: Vec<Strategy> = result.fields.iter().map(|field| field.strategy).collect();
    assert_eq!(strategies, [Strategy::Display, Strategy::Display, Strategy::Semantic]);
}

#[test]
fn decision_6_without_a_judge() {
    let config = with_strategies(r#"{"f": "FUZZY"}"#);
    let (truth, answer) = (
        r#"{"f": "John Smith", "s": "grew fast", "t": " A  b"}"#,
        r#"{"f": "John Smyth", "s": "fast it grew", "t": "a B"}"#,
    );
    let result = scored(truth, answer, &config);
    let outcomes: Vec<(FieldOutcome, &str)> =
        result.fields.iter().map(|field| (field.outcome, field.backend)).collect();
    assert_eq!(
        outcomes,
        [
            (FieldOutcome::Match, "levenshtein"),
            (FieldOutcome::Unscored, "none"),
            (FieldOutcome::Match, "normalised")
        ]
    );
    assert_eq!(result.measures.accuracy, Some(1.0), "unscored leaves numerator and denominator");
    assert_eq!(result.counts.unscored, 1);

    let mut summary = Summary::default();
    summary.add(&result);
    assert!(!summary.passes(0.0), "unscored cannot pass a gate");

    let lexical = JsonConfig { semantic: SemanticFallback::Lexical, ..config };
    let result = scored(truth, answer, &lexical);
    assert_eq!(result.fields[1].outcome, FieldOutcome::Match);
    assert!(result.fields[1].provisional);

    let alone = scored(r#"{"s": "a"}"#, r#"{"s": "b"}"#, &JsonConfig::default());
    assert_eq!((alone.measures.accuracy, alone.measures.rqs), (None, None), "nothing judged is not perfect");
}

#[test]
fn batch_lines_name_what_is_wrong() {
    for (line, part) in [
        (r#"{"truth": {}}"#, "`answer` is missing"),
        (r#"{"truth": {}, "answer": 3}"#, "must not be a number"),
        (r#"{"truth": {}, "gt": {}, "answer": {}}"#, "a second time"),
        (r#"{"truth": {}, "answers": {}}"#, "unknown key \"answers\""),
        (r#"{"truth": {}, "answer": {}, "similarities": {"a": 7}}"#, "expected 0 to 1"),
        (r#"{"truth": {}, "answer": {"a": NaN}}"#, "expected value"),
        ("[]", "expected an object"),
    ] {
        let error =
            score_line(line.as_bytes(), &JsonConfig::default(), &Similarities::new(), true).unwrap_err();
        assert!(error.message.contains(part), "{line}: {error}");
    }
}

#[test]
fn bad_input_is_named_with_its_place() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    for (text, line, column, part) in [
        (b"" as &[u8], 1, 1, "EOF while parsing a value"),
        (b"{\"a\": 1,\n \"a\": 2}", 2, 7, "twice"),
        (b"{\"a\": NaN}", 1, 7, "expected value"),
        (b"[-Infinity]", 1, 3, "invalid number"),
        (b"{\"a\": \"\xff\"}", 1, 8, "invalid UTF-8"),
        (deep.as_bytes(), 1, 129, "nested deeper than 128"),
        (b"{\"a\": 01}", 1, 8, "invalid number"),
        (b"{\"a\": 1} x", 1, 10, "trailing characters"),
        (b"\"\\ud800\"", 1, 8, "hex escape"),
        (b"\"abc", 1, 5, "EOF while parsing a string"),
        (b"\"a\nb\"", 1, 3, "control character"),
        (b"{'a': 1}", 1, 2, "key must be a string"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn long_strings_are_scored() {
    let long = "x".repeat(100 << 20);
    let line = format!(r#"{{"truth": {{"f": "{long}"}}, "answer": {{"f": "{long}y"}}}}"#);
    drop(long);
    let config = with_strategies(r#"{"f": "EXACT"}"#);
    let pair = score_line(line.as_bytes(), &config, &Similarities::new(), true).unwrap();
    assert_eq!(pair.score.metadata.counts.mismatched, 1);
}

#[test]
fn values_as_a_real_python_prints_them() {
    // (document, `str(json.loads(document))`, but `json.dumps(…, sort_keys=True)` for lists and objects), computed by
    // Python 3.11.
    #[rustfmt::skip]
    const GOLDEN: [(&str, &str); 42] = [
        ("1", "1"),
        ("-0", "0"),
        ("0", "0"),
        ("1.0", "1.0"),
        ("-0.0", "-0.0"),
        ("1.50", "1.5"),
        ("1e16", "1e+16"),
        ("1e15", "1000000000000000.0"),
        ("1E+16", "1e+16"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("1e-7", "1e-07"),
        ("1.5e300", "1.5e+300"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        // which Python makes infinite
        ("1e400", "1e+400"),
        ("-1e400", "-1e+400"),
        ("0.1", "0.1"),
        ("100000000000000000000.0", "1e+20"),
        ("9007199254740993", "9007199254740993"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("2.5e-5", "2.5e-05"),
        ("123456.789e3", "123456789.0"),
        ("true", "True"),
        ("false", "False"),
        ("null", "None"),
        ("\"x\"", "x"),
        ("\"it's\"", "it's"),
        ("[]", "[]"),
        ("{}", "{}"),
        ("[1, 1.0, true, null, \"a\"]", "[1, 1.0, true, null, \"a\"]"),
        ("[\"it's\"]", "[\"it's\"]"),
        ("[\"say \\\"hi\\\"\"]", "[\"say \\\"hi\\\"\"]"),
        ("[\"both ' and \\\"\"]", "[\"both ' and \\\"\"]"),
        ("[\"tab\\t nl\\n cr\\r bs\\\\ nul\\u0000 del\\u007f\"]", "[\"tab\\t nl\\n cr\\r bs\\\\ nul\\u0000 del\\u007f\"]"),
        ("[\"\u{e9} \u{fc} \u{65e5}\u{672c} \\u00a0 \\u200b \\ud83d\\ude00 \\ue000 \\u2028\"]", "[\"\\u00e9 \\u00fc \\u65e5\\u672c \\u00a0 \\u200b \\ud83d\\ude00 \\ue000 \\u2028\"]"),
        ("[\"\\ud83e\\udee8 \\u0378 \\udb40\\udc01\"]", "[\"\\ud83e\\udee8 \\u0378 \\udb40\\udc01\"]"),
        ("{\"b\": 1, \"a\": {\"d\": [1e16], \"c\": \"\u{e9}\"}, \"A\": \"\\u007f\\b\\f/\"}", "{\"A\": \"\\u007f\\b\\f/\", \"a\": {\"c\": \"\\u00e9\", \"d\": [1e+16]}, \"b\": 1}"),
        ("{\"\\ud83d\\ude00\": 1, \"\\uffff\": 2}", "{\"\\uffff\": 2, \"\\ud83d\\ude00\": 1}"),
        ("[1e400]", "[1e+400]"),
        ("[[],{},[{}]]", "[[], {}, [{}]]"),
    ];
    for (document, exact) in GOLDEN {
        let value = parse(document.as_bytes()).unwrap();
        assert_eq!(exact_text(&value), exact, "{document}");
    }
}

#[test]
fn numbers_that_no_float_holds_are_compared_exactly() {
    let equal = |a: &str, b: &str| {
        let (a, b) = (parse(a.as_bytes()).unwrap(), parse(b.as_bytes()).unwrap());
        exactly_equal(&a, &b)
    };
    let huge = format!("1e{}", "9".repeat(40));
    for (a, b, due) in [
        ("1e309", "2e400", false),
        ("-1e309", "1e309", false),
        ("1e309", "1e310", false),
        ("1e309", "10e308", true),
        ("1.20e309", "12E+308", true),
        ("0.00012e400", "1.2e396", true),
        ("1e-400", "2e-400", false),
        ("1e-400", "0.0", false),
        ("1e-400", "10e-401", true),
        ("0e400", "0.0", true),
        (&huge, "1e309", false),
        (&huge, &format!("2e{}", "9".repeat(40)), false),
        ("[1e309]", "[2e400]", false),
        (r#"{"a": 1e309}"#, r#"{"a": 10e308}"#, true),
    ] {
        assert_eq!((equal(a, b), equal(b, a)), (due, due), "{a} {b}");
    }
    let numeric = |answer: &str| {
        let strategies = parse_strategies(br#"{"a": "NUMERIC"}"#).unwrap();
        let config = JsonConfig { strategies, ..JsonConfig::default() };
        scored(r#"{"a": 1e309}"#, answer, &config).counts.matched
    };
    assert_eq!((numeric(r#"{"a": 10e308}"#), numeric(r#"{"a": 2e400}"#)), (1, 0));
    let displayed = |answer: &str| {
        let config = JsonConfig { numbers: Numbers::Display, ..JsonConfig::default() };
        scored(r#"{"a": 1e309}"#, answer, &config).counts.matched
    };
    assert_eq!((displayed(r#"{"a": 1e309}"#), displayed(r#"{"a": 2e400}"#)), (1, 0));
}

#[test]
fn decision_37_an_answer_that_gives_nothing_of_the_truth_is_worth_nothing() {
    let ignore = parse_strategies(br#"{"note": "IGNORE"}"#).unwrap();
    let config = JsonConfig { strategies: ignore, ..JsonConfig::default() };
    let safe = JsonConfig { weights: Weights { safety: 0.9, ..Weights::default() }, ..config.clone() };
    for config in [&config, &safe] {
        for answer in ["{}", r#"{"a": null}"#, r#"{"a": " "}"#, r#"{"b": 1}"#, r#"{"note": "x"}"#] {
            let measures = scored(r#"{"a": 1, "note": "x"}"#, answer, config).measures;
            assert_eq!(
                (measures.rqs, measures.accuracy, measures.rqs_of_max),
                (Some(0.0), Some(0.0), Some(0.0)),
                "{answer}"
            );
        }
    }
    // nothing is expected, or what is expected is left out
    for (truth, answer) in [("{}", "{}"), (r#"{"a": null}"#, "{}"), (r#"{"note": "x"}"#, "{}")] {
        assert_eq!(scored(truth, answer, &config).measures.accuracy, Some(1.0), "{truth}");
    }
}
