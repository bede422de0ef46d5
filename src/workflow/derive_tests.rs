//! Answers that follow from other answers.

use serde_json::json;

use super::*;
use crate::extract::Extractors;
use crate::manifest::load;

/// An input of question 20: what is displayed, and the number behind it where a response of the page holds it.
fn read(input: &Entry, shown: &str, number: u64, low: u64, high: u64, precise: Option<u64>) -> Reading {
    let flow = if input.question_id.to_string().ends_with("imports") { "import" } else { "export" };
    let at = "2026-11-20T10:30:00Z".parse().unwrap();
    let point: PointProvenance = serde_json::from_value(json!({
        "data_point": "total_value", "displayed": shown, "rule": "F3", "channel": "dom", "read_at": at,
        "interval": { "low": low.to_string(), "high": high.to_string(), "low_closed": true, "high_closed": true },
        "precise": precise.map(|number| json!({ "number": number.to_string(), "from": "countryYear" })),
        "agreement": if precise.is_some() { "agrees" } else { "single" },
        "context": { "country": "702", "period": { "start": 2024, "end": 2024 }, "flow": flow, "scope": "goods_and_services" },
    }))
    .unwrap();
    let row = Row {
        data_point: "total_value".into(),
        value: Some(shown.into()),
        number: Some(number.into()),
        unit: Some(Unit::Usd),
        ..Row::default()
    };
    let points = vec![point];
    let record = filing::record(input, vec![row], &points, Site::Twin, at);
    let how = Provenance::of_points(&record, points);
    Ok((record, how))
}

/// The inputs of a question of the manifest, each a number of the country that the place names.
fn derivation(question: &Entry, countries: &[&str], absent: Option<usize>) -> Derivation {
    let input = |(at, (input, country)): (usize, (&Entry, &&str))| {
        let number = Decimal::from(at + 1);
        let (row, point) = (
            json!({ "data_point": "coi", "metric": "", "country": "", "number": number, "unit": "index" }),
            json!({ "data_point": "coi", "channel": "page_response", "read_at": "2026-11-20T10:30:00Z",
                "context": { "country": country } }),
        );
        let mut row: Row = serde_json::from_value(row).unwrap();
        row.absence = (absent == Some(at)).then_some(Absence::NotShownHere);
        let (name, atlas_url) = (input.question_id.clone(), input.url.to_string());
        let point = serde_json::from_value(point).unwrap();
        Input { name, label: String::new(), atlas_url, row, point }
    };
    let inputs = question.readings().iter().zip(countries).enumerate().map(input).collect();
    Derivation { inputs, steps: question.derive.as_ref().unwrap().steps.clone() }
}

#[test]
fn a_result_is_about_the_country_that_the_question_asks_for_whichever_page_its_inputs_are_of() {
    let question = of_manifest("37");
    let now = "2026-11-20T10:30:00Z".parse().unwrap();
    let country = |countries: &[&str], absent| {
        let made = values(&derivation(&question, countries, absent), &question.context, now)?;
        let (row, point) = &made[0];
        Ok::<_, String>((row.country.clone(), point.context.country.clone().unwrap_or_default()))
    };
    let egypt = Ok(("Egypt".to_owned(), "818".to_owned()));
    assert_eq!(country(&["818", "504", "788", "400"], None), egypt);
    // nor is what is absent about whichever input was read first
    assert_eq!(country(&["818", "504", "788", "400"], Some(2)), egypt);
    let refused = country(&["404", "504", "788", "400"], None).unwrap_err();
    assert_eq!(refused, "place_by_outlook: the question asks for 818, the result is for 404");
}

/// What an input may be: displayed with two digits, and where `precise` says so with the number behind it. What it is
/// about is what its address and its context say.
fn rounded(at: usize, input: &Entry, precise: bool) -> Input {
    let explore = match &input.url.page {
        SitePage::Explore(page) => Some(page),
        SitePage::Country { .. } => None,
    };
    let partner = input.context.partner.clone();
    let of_all_countries = explore.is_none() && partner.is_some();
    let flow = if explore.is_some_and(|page| page.flow == Some(crate::value::Flow::Import)) {
        crate::value::Flow::Import
    } else {
        crate::value::Flow::Export
    };
    let context = Context {
        // a row of a drawing of all countries is of the country that it names
        country: if of_all_countries { partner.clone() } else { input.context.country.clone() },
        partner: partner.filter(|_| !of_all_countries),
        period: input
            .context
            .period
            .or_else(|| explore.and_then(|page| page.year.or(page.end_year)).map(crate::value::Period::year)),
        flow: Some(flow),
        scope: Some(input.context.scope.unwrap_or(Scope::GoodsAndServices)),
        ..input.context.clone()
    };
    let displayed = Decimal::from(20 + 4 * at);
    let interval = Interval::around(displayed, Decimal::ONE);
    let point = json!({
        "data_point": input.data_points[0], "channel": "page_response", "read_at": "2026-11-20T10:30:00Z",
        "interval": interval, "context": context, "agreement": if precise { "agrees" } else { "single" },
        "precise": precise.then(|| json!({ "number": displayed + Decimal::new(25, 2), "from": "a response" })),
    });
    let row = Row {
        data_point: input.data_points[0].clone(),
        value: Some(displayed.to_string()),
        number: Some(displayed),
        unit: Some(Unit::Index),
        ..Row::default()
    };
    Input {
        name: input.question_id.clone(),
        label: input.input_of.as_ref().map(|(_, label)| label.clone()).unwrap_or_default(),
        atlas_url: input.url.to_string(),
        row,
        point: serde_json::from_value(point).unwrap(),
    }
}

#[test]
fn every_result_of_the_manifest_is_as_precise_as_its_inputs() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let entries = load(&manifest, &Extractors::built_in().unwrap()).unwrap().entries;
    let now = "2026-11-20T10:30:00Z".parse().unwrap();
    let mut numbers = 0;
    for question in entries.iter().filter(|entry| entry.derive.is_some()) {
        let made = |precise: &dyn Fn(usize) -> bool| {
            let inputs = question.readings().iter().enumerate();
            let inputs = inputs.map(|(at, input)| rounded(at, input, precise(at))).collect();
            let steps = question.derive.as_ref().unwrap().steps.clone();
            let id = &question.question_id;
            match values(&Derivation { inputs, steps }, &question.context, now) {
                Ok(made) => Some(made),
                Err(why) => {
                    assert!(why.contains("undecided_at_displayed_precision"), "{id}: {why}");
                    None
                }
            }
        };
        let width = |point: &PointProvenance| point.interval.map(|interval| interval.high - interval.low);
        let known = made(&|_| true).expect("precise numbers decide");
        let (Some(first), Some(none)) = (made(&|at| at == 0), made(&|_| false)) else { continue };
        for (((row, point), (_, one)), (_, rough)) in known.iter().zip(&first).zip(&none) {
            let id = format!("{}: {}", question.question_id, row.data_point);
            assert_eq!(
                (one.precise.is_some(), rough.precise.is_some()),
                (one.interval.is_some_and(|one| one.is_point()), false),
                "{id}"
            );
            let Some(number) = row.number.filter(|_| point.interval.is_some()) else { continue };
            numbers += 1;
            assert_eq!(point.interval, Some(Interval::point(number)), "{id}");
            assert_eq!(
                point.precise.as_ref().map(|precise| precise.number.round_dp(10).normalize()),
                Some(number),
                "{id}"
            );
            // one number that is known narrows what follows from it
            assert!(width(one) <= width(rough) && width(point) <= width(one), "{id}");
            assert!(rough.interval.unwrap().contains(number), "{id}");
        }
    }
    assert!(numbers > 25, "{numbers}");
}

fn of_manifest(id: &str) -> Entry {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let entries = load(&manifest, &Extractors::built_in().unwrap()).unwrap().entries;
    entries.into_iter().find(|entry| entry.question_id.to_string() == id).unwrap()
}

#[test]
fn an_input_that_was_read_without_its_precise_value_does_not_stand_in_for_one_with_it() {
    let question = &of_manifest("20");
    let inputs = question.readings();
    let now = "2026-11-20T10:30:00Z".parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Site::Twin).unwrap();
    let both = |precise: bool| {
        let behind = |number: u64| precise.then_some(number);
        let (low, high) = (1_050_000_000_000, 1_150_000_000_000);
        vec![
            read(&inputs[0], "$1.1T", 1_100_000_000_000, low, high, behind(1_115_799_999_939)),
            read(
                &inputs[1],
                "$931B",
                931_000_000_000,
                930_500_000_000,
                931_500_000_000,
                behind(930_833_465_328),
            ),
        ]
    };
    let file = |readings: Vec<Reading>| {
        // as a run does: each input as it is known already, where it says the same
        let known = inputs.iter().zip(readings).map(|(input, reading)| {
            let (record, provenance) = reading.unwrap();
            let same = known(&store, input, &record.results.data, &provenance.points).unwrap();
            Ok(same.unwrap_or((record, provenance)))
        });
        let made = self::reading(question, known.collect(), Site::Twin, now);
        let shown = made.as_ref().unwrap().0.results.data[0].shown();
        (shown, filing::file(&store, question, made, Vec::new(), now).unwrap().outcome)
    };
    // the middle of 118.5 to 219.5 billion: all that is known while no response holds what is behind it
    assert_eq!(file(both(false)), ("$169B".to_owned(), filing::QuestionOutcome::Collected));
    // the precise difference, which waits beside the record as any other value does
    assert_eq!(file(both(true)), ("$185B".to_owned(), filing::QuestionOutcome::Differs));
    // and a look that knows less changes nothing of it
    assert_eq!(file(both(false)).0, "$185B");
}
