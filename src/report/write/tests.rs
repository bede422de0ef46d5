//! A report in every format.

use schemars::JsonSchema;
use serde::Serialize;

use super::*;
use crate::error::Exit;
use crate::report::{Table, Text, Tone};
use crate::row;

/// Text that a site, an agent or a store may contain.
const HOSTILE: &str = "</pre></script><script>document.title='x'</script><img src=x onerror=\"y()\">|[a](javascript:b)\u{202e}\u{0}\u{1b}[31m";

#[derive(Serialize, JsonSchema)]
struct Sample {
    rows: Vec<String>,
}

impl Report for Sample {
    const NAME: &'static str = "sample";
    const ITEMS: Option<&'static str> = Some("rows");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new(HOSTILE);
        doc.sum(Text::toned(Tone::Bad, HOSTILE));
        let rows =
            || self.rows.iter().map(|text| row![text, Text::code(text), Text::badge(Tone::Good, text)]);
        doc.body.table(Table::new(&["a", ">b", "c"]).rows(rows()));
        doc.body.note(row![HOSTILE, Text::from(HOSTILE).to("https://example.org/\"><script>")]);
        doc.body.facts([(HOSTILE, HOSTILE)]);
        doc.body.code(HOSTILE);
        doc.body.folded(HOSTILE, |body| body.list(&self.rows));
        doc.body.sides(|body| body.section(HOSTILE, |body| body.picture(HOSTILE, &[1, 2])));
        let card = crate::report::Card { id: HOSTILE.into(), head: row![HOSTILE], ..Default::default() };
        doc.body.cards(Table::new(&["a", "b", "c"]).rows(rows()), vec![card]);
        doc.next(HOSTILE, invocation.command("x"));
        doc
    }

    fn exit(&self) -> Exit {
        Exit::Differences
    }
}

fn written(format: Format, width: usize) -> Result<String> {
    let report = Sample { rows: vec![HOSTILE.into(), "word ".repeat(60)] };
    write(&report, format, &Invocation::default(), Terminal { width, wraps: true, colours: false })
}

#[test]
fn hostile_text_is_inert_in_every_format() {
    for format in [Format::Table, Format::Md, Format::Html, Format::Junit] {
        let text = written(format, 80).unwrap();
        assert!(text.contains("document.title"), "{format:?} has lost the text");
        assert!(!text.contains(['\u{202e}', '\u{0}', '\u{1b}']), "{format:?}: {text}");
    }
    let page = written(Format::Html, 80).unwrap();
    assert!(
        !page.contains("<script") && !page.contains("<img src=x") && page.contains("script&gt;"),
        "{page}"
    );
    assert_eq!(page.matches("<img ").count(), 1, "its own picture");
    assert!(!page.contains("href=\"https://example.org/\"><"), "{page}");
    let markdown = written(Format::Md, 80).unwrap();
    // code is shown as it is
    for line in markdown.lines().filter(|line| !line.starts_with("</pre>")) {
        let outside_of_code: String = line.split('`').step_by(2).collect();
        assert!(!outside_of_code.contains("</") && !outside_of_code.contains("[a](javascript"), "{line}");
    }
}

#[test]
fn a_table_is_as_wide_as_the_terminal() {
    for width in [60, 100] {
        let text = written(Format::Table, width).unwrap();
        let (is_rule, is_next) =
            (|line: &&str| line.contains('─'), |line: &&str| line.contains("atlas-gt x"));
        assert!(
            text.lines().filter(is_rule).count() > 2 && text.lines().filter(is_next).count() == 1,
            "{text}"
        );
        let has_a_gap = |line: &&str| line.trim_start().contains(' ');
        for line in text.lines().filter(has_a_gap).filter(|line| !is_next(line) && !line.contains("script>"))
        {
            assert!(line.chars().count() <= width, "{line}");
        }
    }
}

#[test]
fn a_heading_is_a_link_where_a_format_has_links() {
    let mut doc = Doc::new("sample");
    let title = Text::from("Q61").linked(Some("https://example.org/61"));
    doc.body.section(title, |body| body.line("text"));
    let page = html::write(&doc).unwrap().replace("&#x2f;", "/");
    assert!(page.contains("<h2><a href=\"https://example.org/61\">Q61</a></h2>"), "{page}");
    let markdown = markdown::write(&doc);
    assert!(markdown.contains("## [Q61](<https://example.org/61>)\n"), "{markdown}");
    let text = terminal::write(&doc, Terminal::PLAIN);
    assert!(text.contains("Q61\n") && !text.contains("example.org"), "{text}");
}

fn table(head: &[&str], rows: &[&[&str]], width: usize) -> String {
    let mut doc = Doc::new("sample");
    doc.body.table(
        Table::new(head).rows(rows.iter().map(|row| row.iter().map(|cell| Text::from(*cell)).collect())),
    );
    terminal::write(&doc, Terminal { width, wraps: true, colours: false })
}

#[test]
fn words_and_shares_are_whole_where_the_columns_have_room() {
    let (share, words) = ("100.0 %", "word ".repeat(60));
    let text = table(&["category", ">share", "note"], &[&["export_complexity", share, &words]], 60);
    assert!(text.contains("export_complexity  100.0 %  word"), "{text}");
}

#[test]
fn empty_columns_are_left_out() {
    let text = table(&["name", "nothing"], &[&["Kenya", ""], &["Spain", " "]], 60);
    assert!(!text.contains("nothing") && text.contains("Kenya"), "{text}");
}

#[test]
fn a_word_without_an_end_is_cut() {
    let text = table(&["name"], &[&["x".repeat(20_000).as_str()]], 60);
    assert!(text.contains('…') && text.len() < 4_000, "{} bytes", text.len());
}

#[test]
fn json_lines_are_the_items_and_then_the_rest() {
    let text = written(Format::Jsonl, 80).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2], serde_json::json!({ "summary": { "schema_version": SCHEMA_VERSION } }));
    let whole: serde_json::Value = serde_json::from_str(&written(Format::Json, 80).unwrap()).unwrap();
    assert_eq!((&whole["schema_version"], &whole["rows"][0]), (&1.into(), &HOSTILE.into()));
    let mut items = Items::new(Format::Json, "rows");
    let mut streamed = String::new();
    for row in [HOSTILE, "b"] {
        streamed.push_str(&items.item(&row).unwrap());
    }
    streamed.push_str(&items.end(&serde_json::json!({ "n": 2 })).unwrap());
    let streamed: serde_json::Value = serde_json::from_str(&streamed).unwrap();
    assert_eq!((&streamed["rows"][0], &streamed["summary"]["n"]), (&HOSTILE.into(), &2.into()));
    let empty = Items::new(Format::Json, "rows").end(&serde_json::json!({})).unwrap();
    assert!(
        serde_json::from_str::<serde_json::Value>(&empty).unwrap()["rows"].as_array().unwrap().is_empty()
    );
}

#[test]
fn a_report_without_cases_is_one_and_one_without_findings_is_no_sarif() {
    let text = written(Format::Junit, 80).unwrap();
    assert!(text.contains("testcase name=\"sample\"") && text.contains("failures=\"1\""), "{text}");
    assert!(written(Format::Sarif, 80).unwrap_err().to_string().contains("--format sarif"));
}
