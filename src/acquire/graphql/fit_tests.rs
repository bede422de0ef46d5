use proptest::prelude::*;
use serde_json::json;

use super::*;

const SDL: &str = "type Query { rows: [Row] one: Row! any: [Any] } \
    type Row { id: ID! name: String! year: Int share: Float word: Word on: Boolean inner: Inner list: [Int!] } \
    type Inner { deep: Int! } enum Word { a b } union Any = Row | Inner";
const QUERY: &str = "{ rows { ...Of } any { __typename ... on Row { year } ...In } } \
    fragment Of on Row { id name year share word on inner { deep } list } fragment In on Inner { deep }";

fn fitted(query: &str, mut data: Value) -> (Value, Vec<String>) {
    let schema = Schema::parse_and_validate(SDL, "s").unwrap();
    let document = ExecutableDocument::parse_and_validate(&schema, query, "q").unwrap();
    let mut notes = Notes::default();
    fit(&schema, &document, &mut data, &mut notes);
    (data, notes.problems.iter().map(ToString::to_string).collect())
}

#[test]
fn what_fits_stays_as_it_is() {
    let data = json!({"rows": [{"id": "1", "name": "n", "year": 2024, "share": 1, "word": "new word", "on": true,
        "inner": {"deep": 1}, "list": [1, 2]}, null], "any": [{"__typename": "Inner", "deep": 3}]});
    assert_eq!(fitted(QUERY, data.clone()), (data, vec![]));
}

#[test]
fn numbers_may_be_written_otherwise() {
    let row = json!({"id": 7, "name": "n", "year": 2024.0, "share": 3, "word": null, "on": null, "inner": null, "list": null});
    let (data, problems) = fitted(QUERY, json!({"rows": [row], "any": null}));
    assert_eq!((&data["rows"][0]["id"], &data["rows"][0]["year"]), (&json!("7"), &json!(2024)));
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn a_null_where_none_may_be_takes_its_row_and_no_more() {
    let row = |name: Value| json!({"id": "1", "name": name, "year": 1, "share": null, "word": null, "on": null, "inner": null, "list": null});
    let (data, problems) = fitted(QUERY, json!({"rows": [row(json!("n")), row(Value::Null)], "any": []}));
    assert_eq!(data["rows"], json!([row(json!("n")), null]));
    assert_eq!(problems, ["rows.1.name: null where there always was a value"]);
}

#[test]
fn a_wrong_shape_costs_its_cell() {
    let row = json!({"id": "1", "name": "n", "year": {"quantity": 5, "year": 2024}, "share": "much", "word": 3, "on": "yes",
        "inner": {"deep": 1.5}, "list": [1, "two"]});
    let (data, problems) = fitted(QUERY, json!({"rows": [row], "any": null}));
    assert_eq!(
        data["rows"][0],
        json!({"id": "1", "name": "n", "year": null, "share": null, "word": null, "on": null, "inner": null, "list": null})
    );
    assert_eq!(problems.len(), 6, "{problems:?}");
    assert_eq!(problems[4], "rows.0.inner.deep: 1.5 instead of Int");
}

#[test]
fn members_that_are_not_known_are_left_out() {
    let (data, problems) = fitted(
        QUERY,
        json!({"rows": null, "any": [{"__typename": "Row", "year": 1}, {"__typename": "Group"}, {"year": 2}]}),
    );
    assert_eq!(data["any"], json!([{"__typename": "Row", "year": 1}, null, null]));
    assert_eq!(problems.len(), 2);
}

#[test]
fn a_required_root_that_is_missing_leaves_no_data() {
    let (data, problems) = fitted("{ one { id } }", json!({}));
    assert_eq!(data, Value::Null);
    assert_eq!(problems, ["one: null where there always was a value"]);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
        Just(Value::from("Row")),
    ];
    let key = prop::sample::select(vec![
        "rows",
        "any",
        "__typename",
        "id",
        "name",
        "year",
        "inner",
        "deep",
        "list",
        "word",
    ]);
    leaf.prop_recursive(4, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

proptest! {
    /// Whatever comes, what is left fits: fitting it again changes nothing and finds nothing.
    #[test]
    fn fitting_twice_is_fitting_once(data in any_json()) {
        let (once, _) = fitted(QUERY, data);
        let (twice, problems) = fitted(QUERY, once.clone());
        prop_assert_eq!(once, twice);
        prop_assert_eq!(problems, Vec::<String>::new());
    }
}
