//! Tests of questions whose answer follows from others, and of those that no page answers.

use super::tests::{SEED, good, problems, read, specs};
use super::*;
use crate::manifest::{ExpectedTool, visits};

/// An entry whose answer follows from others.
fn derived(inputs: &str, steps: &str) -> String {
    format!(
        r#"[
{{"question_id": 25, "atlas_url": "/explore/overtime?exporter=country-724&startYear=2016&endYear=2021",
"extraction_method": "api_preferred", "derive": {{
"inputs": {inputs},
"steps": {steps}
}} }}]"#
    )
}

const INPUTS: &str = r#"{"first": {"extractor": "overtime", "data_point": "export_of_year", "context": {"period": 2016}}, "last": {"extractor": "overtime", "data_point": "export_of_year", "context": {"period": 2021}}}"#;

#[test]
fn an_answer_that_follows_from_others_has_their_readings_in_place_of_its_own() {
    let steps = r#"[{"name": "change", "operation": "change", "of": ["first", "last"], "metric": "Change"}]"#;
    let manifest = good(&derived(INPUTS, steps));
    let entry = &manifest.entries[0];
    assert_eq!(entry.data_points, ["change"]);
    let read: Vec<_> = entry.readings().iter().map(|read| read.question_id.to_string()).collect();
    assert_eq!(read, ["25.first", "25.last"]);
    assert!(entry.readings().iter().all(|read| *read.question() == entry.question_id));
    // both years stand on one page
    let visits = visits(&manifest.entries);
    assert_eq!((visits.len(), visits[0].entries.len()), (1, 2));
}

#[test]
fn what_is_wrong_with_an_answer_that_follows_from_others_is_said_at_its_place() {
    let step = |of: &str, operation: &str| {
        format!(r#"[{{"name": "change", "operation": "{operation}", "of": {of}, "metric": "Change"}}]"#)
    };
    let both = r#"["first", "last"]"#;
    for (inputs, steps, place, words) in [
        (INPUTS.to_owned(), step(r#"["frist", "last"]"#, "change"), "5:60", "there is no input `frist`"),
        (INPUTS.to_owned(), step(both, "chnage"), "5:43", "`chnage` is not known here"),
        (INPUTS.to_owned(), step(r#"["first"]"#, "change"), "5:59", "the operation takes 2 of them, not 1"),
        (
            INPUTS.to_owned(),
            step(both, "change").replace(r#", "metric": "Change""#, ""),
            "5:10",
            "no step has a `metric`",
        ),
        (
            INPUTS.replacen("export_of_year", "export_of_yaer", 1),
            step(both, "change"),
            "4:61",
            "no data point `export_of_yaer`",
        ),
        (
            INPUTS.replacen("overtime", "country_profile", 1),
            step(both, "change"),
            "4:35",
            "`country_profile` reads pages of kind `country`",
        ),
        (INPUTS.replacen("period", "perid", 1), step(both, "change"), "4:91", "unknown key `perid`"),
    ] {
        let found = read(&derived(&inputs, &steps)).unwrap_err();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        let said = found.iter().find(|one| one.contains(words));
        let said = said.unwrap_or_else(|| panic!("{words}: {found:#?}"));
        assert!(said.starts_with(&format!("questions.json:{place}: question 25: ")), "{place}: {said}");
    }
}

#[test]
fn a_question_without_a_page_says_what_a_right_answer_does_and_nothing_of_a_page() {
    let text = r#"[{"question_id": 48, "question_text": "How much in 2035?", "expected_behavior": "Says that the data end before.", "expected_tool": "refusal"}]"#;
    let manifest = good(text);
    assert!(manifest.entries.is_empty());
    assert_eq!(manifest.behaviors[0].expected_behavior.as_deref().unwrap(), "Says that the data end before.");
    let both = text.replace(r#""expected_tool""#, r#""extractor": "overtime", "expected_tool""#);
    let found = read(&both).unwrap_err();
    assert!(found[0].to_string().contains("`extractor` says where an answer is read"), "{}", found[0]);
}

#[test]
fn a_list_of_questions_is_told_by_what_it_holds() {
    let list = |text: &str| good(text);
    let json = list(
        r#"{"categories": [{"id": "cp", "name": "Country pages", "description": "d"}], "questions": [
            {"id": 61, "category_id": "cp", "difficulty": "easy", "text": "What is the GDP per capita of Kenya?",
             "source": "atlas_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
             "tags": ["a", "b"], "persona": "analyst", "expected_classification": "HS92", "expected_api_target": "country_pages"},
            {"id": 62, "category_id": "cp", "text": "What do firms in Kenya think of trade?", "source_paper": "P (2020)"},
            {"id": 63, "text": "Write a poem.", "expected_behavior": "refuse_off_topic"},
            {"id": 64}
        ]}"#,
    );
    let read_as = json.read_as.unwrap();
    assert_eq!(
        read_as,
        "a list of 3 questions in 1 category (JSON), 1 left out: 1 with a proposed page, 2 without one"
    );
    let entry = &json.entries[0];
    assert_eq!(
        (entry.extractor.as_str(), entry.data_points.as_slice()),
        ("country_profile", &["gdp_per_capita".to_owned()][..])
    );
    assert_eq!(entry.details.category_name.as_deref(), Some("Country pages"));
    assert_eq!((entry.details.tags.len(), entry.details.persona.as_deref()), (2, Some("analyst")));
    assert!(entry.details.proposed.as_deref().unwrap().contains("only its data point `gdp_per_capita` fits"));
    let [asked, behavior] = json.behaviors.as_slice() else { panic!("{:?}", json.behaviors) };
    assert!(asked.expected_behavior.is_none() && asked.details.lacks.is_some(), "{asked:?}");
    assert_eq!(asked.context.country.as_deref(), Some("404"));
    assert_eq!(behavior.info.expected_tool, Some(ExpectedTool::Refusal));
    assert!(json.warnings[0].message.contains("has no `text`"), "{:?}", json.warnings);
    let lines = list(
        "{\"id\": 1, \"text\": \"What is the GDP per capita of Kenya?\"}\n{\"id\": 2, \"text\": \"And of Spain?\"}\n",
    );
    assert!(lines.read_as.unwrap().contains("(JSON lines)"));
    let csv = list("ID;Question;Tags\n7;\"What is the GDP per capita; of Kenya?\";a,b\n;Who?;\n");
    assert!(csv.read_as.unwrap().contains("(CSV)"));
    let ids: Vec<&str> = csv.behaviors.iter().map(|one| one.question_id.as_str()).collect();
    assert!(csv.entries.len() == 1 && ids[0].starts_with("q-"), "{ids:?}");
    // a manifest is none, and its unknown keys are still errors
    assert_eq!(good(SEED).read_as, None);
    assert!(problems(&[("text", r#""What?""#)])[0].contains("unknown key `text`"));
}

#[test]
fn a_question_without_a_page_may_carry_a_reference() {
    let manifest = good(
        r#"[{"question_id": 1, "question_text": "How many export partners has Kenya?", "reference": {"values":
            [{"metric": "Export partners", "value": 169, "tolerance": "1%", "accepted": [{"value": 226, "reason": "the API counts territories"}]}]}},
           {"question_id": 2, "question_text": "Why?", "reference": {"quotes": [{"text": "Because.", "source": "P"}]}},
           {"question_id": 3, "question_text": "How?"}]"#,
    );
    let [values, quotes, bare] = manifest.behaviors.as_slice() else { panic!("{:?}", manifest.behaviors) };
    let reference = values.details.reference.as_ref().unwrap();
    assert_eq!(
        (reference.values[0].value.as_str(), reference.values[0].accepted[0].value.as_str()),
        ("169", "226")
    );
    assert_eq!(
        (values.expected(), quotes.expected().unwrap().as_str()),
        (None, "Agrees with “Because.” (P)")
    );
    assert_eq!(bare.expected(), None);
    assert_eq!(manifest.warnings.len(), 1, "only the third lacks everything: {:?}", manifest.warnings);
    let wrong =
        read(r#"[{"question_id": 1, "question_text": "How many?", "reference": {"value": 1}}]"#).unwrap_err();
    assert!(wrong[0].to_string().contains("unknown key `value` (did you mean `values`?)"), "{wrong:?}");
}

/// What is proposed for the questions of this repository, of which somebody chose page and data points: nothing else is proposed.
#[test]
fn proposals_for_known_questions_are_those_that_a_person_chose() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../manifests/atlas.json")).unwrap();
    let manifest = good(&text);
    let mut list = QuestionList::read(&text).unwrap();
    for (question, entry) in list.questions.iter_mut().filter_map(|question| {
        let entry = manifest.entries.iter().find(|entry| entry.question_id == question.id)?;
        Some((question, entry))
    }) {
        question.address = Some(entry.url.to_string());
    }
    let made = good(&propose(&list, specs()).text);
    let (mut right, mut other) = (0, Vec::new());
    for proposed in &made.entries {
        let known = manifest.entries.iter().find(|entry| entry.question_id == proposed.question_id);
        match known {
            Some(known) if known.data_points == proposed.data_points => right += 1,
            Some(known) => other.push((
                known.info.question_text.clone(),
                known.data_points.clone(),
                proposed.data_points.clone(),
            )),
            None => {
                other.push((proposed.info.question_text.clone(), Vec::new(), proposed.data_points.clone()))
            }
        }
    }
    assert!(right >= 30, "{right}");
    assert!(other.len() * 10 <= right, "{other:#?}");
}

#[test]
fn points_of_ranks_projections_and_classes_are_proposed_and_a_shared_name_is_not_decided() {
    let of = |text: &str| {
        let list = QuestionList::read(&serde_json::json!([{ "text": text }]).to_string()).unwrap();
        let made: serde_json::Value = serde_json::from_str(&propose(&list, specs()).text).unwrap();
        made["questions"][0].clone()
    };
    let wrong: Vec<String> = [
        ("What is Kenya's diversity rank?", "diversity_rank"),
        ("What is Kenya's growth projection?", "summary_growth_projection"),
        ("What is the growth projection for Kenya?", "summary_growth_projection"),
        ("What is Kenya's income classification?", "income_classification"),
        ("What is the COI rank of Kenya?", "coi_rank"),
        ("What is Kenya's rank in the Complexity Outlook Index?", "coi_rank"),
        ("What is Kenya's GDP per capita rank?", "gdp_per_capita_rank"),
        ("What is Kenya's GDP per capita?", "gdp_per_capita"),
    ]
    .iter()
    .filter_map(|(text, point)| {
        let one = of(text);
        (one["data_points"] != serde_json::json!([point])).then(|| format!("{text} {one}"))
    })
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let congo = of("What is the GDP per capita of Congo?");
    let lacks = congo["lacks"].as_str().unwrap();
    assert!(
        lacks.contains("`Congo` is Republic of the Congo or Democratic Republic of the Congo")
            && congo["context"].is_null()
            && congo["data_points"].is_null(),
        "{congo}"
    );
    assert_eq!(of("What is the population of DR Congo?")["data_points"], serde_json::json!(["population"]));
}
