//! What is stated keeps its place; what is wrong is reported at once, each at its own.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::*;
use crate::diagnostic::{Diagnostic, Place};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<Located<String>>,
    count: Option<Located<u8>>,
    is_new: Option<Located<bool>>,
    colour: Option<Located<Colour>>,
    parts: Option<Located<Vec<Located<String>>>>,
    inner: Option<Located<Inner>>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
}

#[derive(Debug, Deserialize)]
struct Inner {
    key: Located<String>,
    rest: Option<BTreeMap<String, serde_json::Value>>,
}

fn read(text: &str) -> (Located<File>, Vec<String>) {
    let mut report = Diagnostics::new(Path::new("f"), text);
    let file = super::read(text, &mut report);
    (file, report.finish().0.iter().map(ToString::to_string).collect())
}

#[test]
fn what_is_stated_keeps_its_place_and_its_field() {
    let (file, found) = read(
        "{\n  \"parts\": [\"a\",\n    \"07\"],\n  \"inner\": {\"key\": \"k\", \"rest\": {\"x\": [1, null]}}, \"name\": null}",
    );
    assert!(found.is_empty(), "{found:?}");
    let file = file.value.unwrap();
    assert_eq!(file.name, None, "null counts as left out");
    let parts = file.parts.unwrap().value.unwrap();
    assert_eq!(parts[1].value.as_deref(), Some("07"));
    assert_eq!(parts[1].at, At { place: Place { line: 3, column: 5 }, field: "parts[1]".to_owned() });
    let inner = file.inner.unwrap().value.unwrap();
    assert_eq!((inner.key.at.field.as_str(), inner.key.at.place.line), ("inner.key", 4));
    assert_eq!(inner.rest.unwrap()["x"], serde_json::json!([1, null]));
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let (file, found) = read(
        "{\"name\": 7,\n\"count\": 300,\n\"is_new\": \"no\",\n\"colour\": \"gren\",\n\"parts\": [\"a\", [], \" \"],\n\"inner\": {\"kye\": 1},\n\"nmae\": {}}",
    );
    assert_eq!(
        found,
        [
            "f:1:10: name: expected a text in quotes, found a number",
            "f:2:10: count: invalid value: integer `300`, expected u8",
            "f:3:11: is_new: expected true or false, found a text",
            "f:4:11: colour: `gren` is not known here (did you mean `green`?)",
            "f:5:16: parts[1]: expected a text, found a list",
            "f:5:20: parts[2]: the text is empty",
            "f:6:10: inner: `key` is missing",
            "f:6:11: inner.kye: unknown key `kye` (did you mean `key`?)",
            "f:7:1: nmae: unknown key `nmae` (did you mean `name`?)",
        ]
    );
    let file = file.value.unwrap();
    assert_eq!((file.colour.value(), file.colour.at().unwrap().place.line), (None, 4));
    assert_eq!(file.parts.value().unwrap()[0].value.as_deref(), Some("a"), "the rest is read");
    assert!(file.count.value().is_none() && file.is_new.value().is_none() && file.inner.value().is_none());
}

#[test]
fn a_document_of_another_kind_is_told_so() {
    let (file, found) = read("[1]");
    assert_eq!(
        (file.value.is_none(), found),
        (true, vec!["f:1:1: expected an object, found a list".to_owned()])
    );
}

#[test]
fn a_plain_scalar_of_yaml_is_a_text_where_one_is_expected() {
    let (file, found) = read("name: &code 0902\nparts: [1.50, yes, true, *code]\ncolour: red\ncount: 7\n");
    assert!(found.is_empty(), "{found:?}");
    let file = file.value.unwrap();
    assert_eq!(file.name.value().unwrap(), "0902");
    let parts: Vec<_> =
        file.parts.value().unwrap().iter().map(|part| part.value.as_deref().unwrap()).collect();
    assert_eq!(parts, ["1.50", "yes", "true", "0902"]);
    assert_eq!((file.colour.value(), file.count.value()), (Some(&Colour::Red), Some(&7)));
}

#[test]
fn yaml_in_flow_style_is_no_json_unless_the_file_is_named_so() {
    let text = "{name: 0902, parts: [1.50, yes]}";
    let (file, found) = read(text);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(file.value.unwrap().name.value().unwrap(), "0902");
    let mut report = Diagnostics::new(Path::new("f.json"), text);
    super::read::<File>(text, &mut report);
    let (found, _) = report.finish();
    assert_eq!(found[0].to_string(), "f.json:1:8: name: expected a text in quotes, found a number");
}

#[test]
fn json_is_read_as_json_is_written() {
    let mut report = Diagnostics::new(Path::new("f"), "");
    let list: Located<Vec<Located<serde_json::Value>>> =
        super::read("\u{feff}[\n\t\"\\ud83d\\ude00 \\/ \\u00fc: #\",\r\n\t-2]", &mut report);
    let list = list.value.unwrap();
    assert_eq!(list[0].value, Some("\u{1f600} / ü: #".into()));
    assert_eq!((&list[1].value, list[1].at.place), (&Some((-2).into()), Place { line: 3, column: 2 }));
}

#[test]
fn syntax_errors_have_a_place_and_one_line() {
    for (text, line, words) in
        [("[\n  {\"a\": 1,\n", 2, "unclosed"), ("{\"a\": 1,\n \"a\": 2}", 2, "stands twice")]
    {
        let mut report = Diagnostics::new(Path::new("f"), text);
        assert!(Document::parse(text, &mut report).is_none());
        let (found, _) = report.finish();
        let [Diagnostic { place, message, .. }] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(place.line, line, "{message}");
        assert!(!message.is_empty() && !message.contains('\n') && message.contains(words), "{message}");
    }
}
