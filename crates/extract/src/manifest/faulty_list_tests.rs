//! Lists and manifests with faults, and questions that no data point answers.

use std::path::Path;

use super::super::list::QuestionList;
use super::super::propose::propose;
use super::parse;
use super::tests::{good, specs};

#[test]
fn what_is_no_json_or_no_table_is_said_first_and_alone() {
    for (name, text, said) in [
        (
            "a.json",
            "{\"questions\": [{\"id\": 1,\n  \"question_text\": }]}",
            "a.json:2:20: is not JSON: expected value",
        ),
        ("a.csv", "id,asked\nq1,How?\n", "a.csv:1:1: the header row lacks a column"),
        ("a.csv", "id,text\n", "a.csv:1:1: holds no question: there is no row below the header"),
        ("a.csv", "id,text\nq1,\"open\nq2,x\n", "a.csv:2:4: this quote is never closed"),
        (
            "a.yaml",
            "- question_id: 1\n  question_text: How?\n  question_id: 2\n",
            "a.yaml:3:3: is neither JSON nor YAML: the key `question_id` stands twice",
        ),
    ] {
        let found = parse(Path::new(name), text, specs()).unwrap_err();
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert!(found[0].to_string().starts_with(said), "{text}: {}", found[0]);
    }
}

#[test]
fn questions_in_the_same_words_are_named_with_both_ids() {
    let text = r#"[{"question_id": 1, "question_text": "How?", "expected_behavior": "Declines."},
                   {"question_id": 2, "question_text": "how", "expected_behavior": "Declines."}]"#;
    let found: Vec<String> = good(text).warnings.iter().map(ToString::to_string).collect();
    assert!(found.len() == 1 && found[0].contains("questions `1` and `2` ask the same"), "{found:?}");
    let list = good("id,text,dificulty\na,Who?,easy\nb,Who?,easy\n");
    let found: Vec<&str> = list.warnings.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        found,
        ["`dificulty` is not read; did you mean `difficulty`?", "questions `a` and `b` ask the same"]
    );
}

/// The question asks for something of what is read, or in other units, years and places: its words say more than the data point.
#[test]
fn nothing_is_proposed_where_a_word_of_the_question_is_left_over() {
    let asked = [
        ("What is the total value of exports of tea of Kenya?", "tea"),
        ("What are the total exports of Kenya in metric tons?", "metric`, `tons"),
        ("What are the exports of Kenya's biggest company?", "biggest`, `company"),
        ("How many people live in the capital of Peru?", "capital"),
        ("How many people live in Lagos in Nigeria?", "Lagos"),
        ("How many people in Peru live below the poverty line?", "poverty`, `line"),
        ("What is the median age of the population of Peru?", "median`, `age"),
        ("What is the density of the population of Peru?", "density"),
        ("What is the life expectancy of the population of Kenya?", "life`, `expectancy"),
        ("What was the GDP per capita of Kenya twenty years ago?", "twenty`, `years`, `ago"),
        ("What is the GDP per capita of Kenya in ten years?", "ten`, `years"),
        ("What is the GDP per capita of Kenya in euros?", "euros"),
        ("What is the average GDP per capita of Kenya over five years?", "average`, `five`, `years"),
        ("What is the GDP per capita of Nairobi in Kenya?", "Nairobi"),
        ("Does Kenya run a trade surplus with its neighbours?", "neighbours"),
    ];
    for (text, left) in asked {
        let list = QuestionList::read(&serde_json::json!([{ "id": 1, "text": text }]).to_string()).unwrap();
        let made = propose(&list, specs());
        let lacks = &serde_json::from_str::<serde_json::Value>(&made.text).unwrap()["questions"][0]["lacks"];
        let lacks = lacks.as_str().unwrap_or_else(|| panic!("{text}: {}", made.text));
        assert!(lacks.contains(&format!("does not cover `{left}`")), "{text}: {lacks}");
    }
    for text in [
        "How high is Kenya's GDP per capita?",
        "What is the Kenyan GDP per capita in US dollars?",
        "What is the GDP per capita of Kenya at purchasing power parity?",
        "Does Kenya run a trade surplus or a trade deficit?",
        "What is the total value of the goods and services that Kenya exports?",
        "How many people live in Kenya today?",
    ] {
        let address = "/countries/404";
        let list = serde_json::json!([{ "id": 1, "text": text, "url": address }]).to_string();
        let made = propose(&QuestionList::read(&list).unwrap(), specs());
        assert_eq!(made.proposed, 1, "{text}: {}", made.text);
    }
}
