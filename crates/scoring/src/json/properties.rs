//! Properties of JSON scoring over arbitrary input: reading agrees with serde_json, nothing panics, measures stay in range.

use proptest::prelude::*;

use super::exact::exactly_equal;
use super::exact::python_float;
use super::{Json, JsonConfig, Object, Similarities, exact_text, parse, parse_object, score, score_line};
use crate::similarity::{equal_normalised, spelling, words};

fn object(text: &str) -> Object<'_> {
    parse_object(text.as_bytes()).unwrap()
}

/// Arbitrary JSON values of moderate size.
fn arbitrary_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        "\\PC{0,12}".prop_map(serde_json::Value::from),
        "[ \\t\\n]{0,3}".prop_map(serde_json::Value::from),
        "(Kenya|kenya|2024-01-31|a@b\\.co|\\$2,274|3\\.38%|1,000)".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            prop::collection::vec(("[a-e]{1,2}", inner), 0..5)
                .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn arbitrary_object() -> impl Strategy<Value = String> {
    prop::collection::vec(("[a-l]", arbitrary_json()), 0..14)
        .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect()).to_string())
}

fn same(ours: &Json<'_>, theirs: &serde_json::Value) -> bool {
    use serde_json::Value;
    match (ours, theirs) {
        (Json::Null, Value::Null) => true,
        (Json::Bool(a), Value::Bool(b)) => a == b,
        (Json::String(a), Value::String(b)) => a == b,
        (Json::Number(_), Value::Number(b)) => ours.as_f64() == b.as_f64(),
        (Json::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(&**key).is_some_and(|b| same(a, b)))
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn reads_what_serde_json_writes(value in arbitrary_json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let ours = parse(text.as_bytes()).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(same(&ours, &value), "{text}");
        }
    }

    #[test]
    fn accepts_no_more_and_no_less_than_serde_json(text in r#"[\[\]{}:,"\\ \ntrufalsn0-9eE.+u-]{0,24}|\PC{0,16}"#) {
        let ours = parse(text.as_bytes());
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert!(same(ours, theirs), "{text}"),
            // What serde_json keeps the last of, and what it cannot hold.
            (Err(error), Ok(_)) => prop_assert!(error.message.contains("twice"), "{text}: {error}"),
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("out of range"), "{text}: {error}"),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = parse(&bytes) {
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }

    #[test]
    fn an_object_scores_fully_against_itself(text in arbitrary_object(), nested in any::<bool>()) {
        let config = JsonConfig { nested, ..JsonConfig::default() };
        let line = format!(r#"{{"truth": {text}, "answer": {text}}}"#);
        let counts = score_line(line.as_bytes(), &config, &Similarities::new(), true).unwrap().score.metadata.counts;
        prop_assert_eq!(counts.matched, counts.both_non_null);
        let measures = counts.measures(counts.aio_missing_or_null, config.weights, None);
        prop_assert_eq!(measures.rqs_of_max, Some(1.0));
    }

    #[test]
    fn buckets_partition_the_keys_and_measures_stay_in_range(truth in arbitrary_object(), answer in arbitrary_object()) {
        let (truth, answer) = (object(&truth), object(&answer));
        let config = JsonConfig::default();
        let result = score(truth.clone(), answer.clone(), &config, &Similarities::new()).metadata;
        let counts = result.counts;
        let union: std::collections::BTreeSet<&str> =
            truth.keys().chain(answer.keys()).map(|key| &**key).collect();
        prop_assert_eq!(counts.total_distinct, union.len() as u64);
        prop_assert_eq!(counts.gt_non_null, counts.both_non_null + counts.aio_missing_or_null);
        prop_assert_eq!(counts.both_non_null, counts.matched + counts.mismatched + counts.ignored + counts.unscored);
        let measures = result.measures;
        for share in [Some(measures.completeness), Some(measures.hallucination), measures.accuracy, measures.rqs, measures.rqs_of_max]
            .into_iter()
            .flatten()
        {
            prop_assert!((0.0..=1.0).contains(&share));
        }
        // What is compared does not depend on who is called the truth.
        let back = score(answer, truth, &config, &Similarities::new()).metadata.counts;
        prop_assert_eq!(back.total_distinct, counts.total_distinct);
        prop_assert_eq!(back.both_non_null, counts.both_non_null);
    }

    #[test]
    fn exact_is_reflexive_symmetric_and_as_defined(a in arbitrary_json(), b in arbitrary_json()) {
        let (a, b) = (a.to_string(), b.to_string());
        let (a, b) = (parse(a.as_bytes()).unwrap(), parse(b.as_bytes()).unwrap());
        prop_assert!(exactly_equal(&a, &a));
        prop_assert_eq!(exactly_equal(&a, &b), exactly_equal(&b, &a));
        prop_assert_eq!(exactly_equal(&a, &b), exact_text(&a).to_lowercase() == exact_text(&b).to_lowercase());
    }

    #[test]
    fn similarities_are_shares_and_symmetric(a in "\\PC{0,40}", b in "\\PC{0,40}") {
        for measure in [spelling, words] {
            let score = measure(&a, &b).score;
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert!((score - measure(&b, &a).score).abs() < 1e-12);
        }
        prop_assert!(equal_normalised(&a, &a));
        prop_assert_eq!(equal_normalised(&a, &b), equal_normalised(&b, &a));
    }

    #[test]
    fn python_floats_read_back(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        if float.is_finite() {
            prop_assert_eq!(python_float(float).parse::<f64>().unwrap().to_bits(), bits);
        }
    }
}
