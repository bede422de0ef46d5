//! A store that a test fills itself: records that a page showed, readings of it that differ by now, and values that wait for a person.

use std::path::Path;

use atlas_gt::capture::Capture;
use atlas_gt::truth::review::{self, Review, ReviewState};
use atlas_gt::truth::{
    Channel, PointProvenance, Provenance, Record, Results, Row, Site, SourceMethod, Store, file_reading,
    pending,
};
use atlas_gt::value::Context;
use serde_json::{Value, json};

pub fn row(point: &str, value: &str) -> Row {
    let number = value.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok();
    Row {
        data_point: point.to_owned(),
        metric: point.replace('_', " "),
        country: "Kenya".to_owned(),
        value: Some(value.to_owned()),
        number,
        ..Row::default()
    }
}

/// What a page shows, with its capture in the store; `at` is an hour of the day.
pub fn reading(store: &Store, id: &str, rows: &[Row], at: u8) -> (Record, Provenance) {
    let at = format!("2026-11-20T{at:02}:00:00Z").parse().unwrap();
    let url = "https://atlas.hks.harvard.edu/countries/404".to_owned();
    let texts = rows.iter().zip(0..).map(|(row, line)| {
        let place = |top: u32, text: &str| {
            format!("<p data-agt-box=\"300,{top},400,24\">{}</p>", text.replace('<', "&lt;"))
        };
        let value = row.value.as_deref().unwrap_or_default();
        place(200 + line * 60, &row.metric) + &place(224 + line * 60, value)
    });
    let html = format!("<html><body>{}</body></html>", texts.collect::<String>());
    let capture = Capture { html, ..Capture::of_address(url.clone(), String::new()) };
    let evidence = store.put_evidence(&serde_json::to_vec(&capture).unwrap()).unwrap();
    let record = Record {
        question_id: id.parse().unwrap(),
        execution_timestamp: at,
        source: "atlas_country_page".to_owned(),
        source_method: SourceMethod::BrowserCountryPage,
        atlas_url: url,
        site: store.site(),
        expected_tool: None,
        expected_query_type: None,
        results: Results { data: rows.to_vec() },
    };
    let point = |row: &Row| PointProvenance {
        displayed: row.value.clone(),
        locator: Some(format!("section `overview`, below \"{}\"", row.metric)),
        evidence: Some(evidence.clone()),
        ..PointProvenance::of_row(row, Context::default(), Channel::Dom, at)
    };
    let provenance = Provenance {
        question_id: record.question_id.clone(),
        question: None,
        site: record.site,
        record: None,
        points: rows.iter().map(point).collect(),
        derivation: None,
    };
    (record, provenance)
}

/// Files what a page shows.
pub fn file(store: &Store, id: &str, rows: &[Row], at: u8) {
    let (record, provenance) = reading(store, id, rows, at);
    file_reading(store, &record, &provenance, record.execution_timestamp).unwrap();
}

/// Puts a value under review, with a picture; `said` is all that is said of it.
pub fn put_under_review(store: &Store, id: &str, row: Row, said: &str) {
    let picture = store.put_picture(include_bytes!("../../docs/pictures/twin.png")).unwrap();
    let (record, mut provenance) = reading(store, id, &[row], 8);
    provenance.points[0].channel = Channel::Person;
    let missing = json!({ "field": record.results.data[0].field(), "response_value": said, "source": said, "looked_for": said,
                          "label": said, "seen": said, "suggestion": { "text": said, "confidence": 9.0 },
                          "area": { "x": 1, "y": 1, "width": 20, "height": 20 } });
    let waiting = Review {
        question_id: record.question_id.clone(),
        input_of: None,
        review: ReviewState::Needed,
        rejected: None,
        taken_back: Vec::new(),
        seen_at: record.execution_timestamp,
        missing: vec![serde_json::from_value(missing).unwrap()],
        base: None,
        capture: provenance.points[0].evidence.clone().unwrap(),
        picture: Some(picture),
        record,
        provenance,
    };
    review::save(store, &waiting).unwrap();
}

/// Four questions of whose values five differ: three are revised, one is gone, one is new.
pub fn with_changes(folder: &Path) {
    let store = Store::open(folder, Site::Twin).unwrap();
    let (gdp, people) = (|value| row("gdp_per_capita", value), |value| row("population", value));
    file(&store, "61", &[gdp("$2,274"), people("52")], 8);
    file(&store, "62", &[gdp("$1,100")], 8);
    file(&store, "63", &[gdp("$900"), people("9")], 8);
    file(&store, "64", &[gdp("$700")], 8);
    file(&store, "61", &[gdp("$2,350"), people("53")], 9);
    file(&store, "62", &[gdp("$1,200")], 9);
    file(&store, "63", &[gdp("$900")], 9);
    file(&store, "64", &[gdp("$700"), people("7")], 9);
}

/// What the files of a store say: the values of each question, and the readings that wait with theirs.
pub fn state(folder: &Path) -> Vec<String> {
    let values = |path: &Path, at: &str| {
        let text = std::fs::read_to_string(path).ok()?;
        let found: Value = serde_json::from_str(&text).unwrap();
        let rows = found.pointer(at).unwrap().as_array().unwrap();
        Some(rows.iter().map(|row| row["value"].as_str().unwrap()).collect::<Vec<_>>().join(" "))
    };
    let store = Store::read(folder).unwrap();
    assert_eq!(store.quarantined(), []);
    let of = |id: &str| {
        let record = values(&folder.join(id).join("results.json"), "/results/data").unwrap();
        let waits = values(&folder.join(format!("pending/{id}.json")), "/record/results/data");
        let waits = waits.filter(|_| pending::load(&store, &id.parse().unwrap()).unwrap().is_some());
        format!("{record} | {}", waits.unwrap_or_default())
    };
    ["61", "62", "63", "64"].map(of).to_vec()
}
