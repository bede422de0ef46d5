//! Tests of the agent of recorded answers.

use serde_json::Value;

use super::*;
use crate::agent::Mode;
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;

fn read(text: &str) -> Result<RecordedAgent> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.jsonl");
    std::fs::write(&path, text).unwrap();
    RecordedAgent::read(&path)
}

fn complaint(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[tokio::test]
async fn a_trace_may_have_any_format_and_gives_its_links() {
    let line = r#"{"question_id": 61, "answer": "$2,274", "trace": {"messages": [{"role": "assistant", "content": "",
        "tool_calls": [{"name": "atlas_graphql", "args": {}, "id": "1"}]}], "graphql_atlas_links": [{"url": "https://a"}]}}"#;
    let asked = AgentQuestion::new("61".parse().unwrap(), "q", Mode::Auto);
    let reply = read(&line.replace('\n', " ")).unwrap().ask(&asked).await.unwrap();
    let trace = reply.trace.unwrap();
    assert_eq!((trace.question_id.as_str(), trace.tool_calls), ("61", vec!["atlas_graphql".to_owned()]));
    assert_eq!(reply.links, ["https://a"]);
}

#[test]
fn a_failed_result_in_a_folder_of_results_is_none_that_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let result = |id: &str, text: &str| {
        std::fs::create_dir_all(folder.path().join(id)).unwrap();
        std::fs::write(folder.path().join(id).join("result.json"), text).unwrap();
    };
    result("61", r#"{"answer": "$2,274"}"#);
    result("62", r#"{"error": "boom"}"#);
    let agent = RecordedAgent::read(folder.path()).unwrap();
    let failed: Vec<bool> = agent.others.iter().map(|(_, kept)| kept.reply.is_err()).collect();
    assert_eq!(failed, [false, true]);
    result("63", r#"{"foo": 1}"#);
    let error = RecordedAgent::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("63/result.json") && error.contains("answer"), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_file_and_line() {
    let good = "{\"question_id\": 61, \"answer\": \"$2,274\"}\n";
    let key = good.replacen('{', "{\"answer\": \"other\", ", 1);
    for (text, place) in [(format!("{key}\n"), "jsonl:1:"), (format!("{good}{key}"), "jsonl:2:")] {
        let ambiguous = complaint(&text);
        assert!(
            ambiguous.contains(place) && ambiguous.contains("the key \"answer\" occurs twice"),
            "{ambiguous}"
        );
    }
    let twice = complaint(&format!("{good}\n{good}"));
    assert!(twice.contains("answers.jsonl:3:1") && twice.contains("already answered in line 1"), "{twice}");
    let no = complaint(&format!("{good}{{\"question_id\": 62}}\n"));
    assert!(no.contains("answers.jsonl:2:") && no.contains("answer"), "{no}");
    let all = complaint(&format!("{{\"question_id\": 62}}\n{good}oops\n{good}{{\"answer\": \"$5\"}}\n"));
    let lines: Vec<&str> = all.lines().collect();
    for (line, part) in [
        ("answers.jsonl:1:1: ", "`answer` is missing"),
        ("answers.jsonl:3:1: ", "not an answer: "),
        ("answers.jsonl:4:1: ", "question 61 was already answered in line 2"),
        ("answers.jsonl:5:1: ", "`question_id` is missing"),
    ] {
        let is_named = |one: &&&str| one.contains(&format!("{line}{part}"));
        assert_eq!(lines.iter().filter(is_named).count(), 1, "{line}{part}: {all}");
    }
    let many = complaint(&"{\"question_id\": 62}\n".repeat(23));
    assert_eq!(many.matches("is missing").count(), 20, "{many}");
    assert!(many.ends_with("\n  and 3 more answers"), "{many}");
    assert!(complaint("\n").contains("no answer"));
    let steps =
        complaint(&format!("{good}{}", r#"{"question_id": 62, "answer": "a", "trace": {"steps": []}}"#));
    assert!(steps.contains("answers.jsonl:2:") && steps.contains("`steps`"), "{steps}");
    let known = |id: &str, text: &str| {
        KnownQuestions::from(BTreeMap::from([(id.parse::<QuestionId>().unwrap(), Some(text.to_owned()))]))
    };
    let unknown = read(good).unwrap().fit(&known("7", "What?")).unwrap_err().to_string();
    assert!(unknown.contains("answers.jsonl:1:1") && unknown.contains("61"), "{unknown}");
    assert!(read(good).unwrap().fit(&known("61", "What?")).unwrap().is_empty());

    // an unknown question is skipped and named, and so is the second of two answers to one question
    let more = format!(
        "{good}{}\n{}\n",
        r#"{"question_id": 62, "answer": "$3"}"#,
        r#"{"question_id": 7, "question_text": "what", "answer": "$4"}"#
    );
    let mut recorded = read(&more).unwrap();
    let unknown = recorded.fit(&known("61", "What?")).unwrap();
    assert_eq!(recorded.question_ids().map(QuestionId::as_str).collect::<Vec<_>>(), ["61"]);
    let told = unknown.to_string();
    assert!(told.starts_with("2 of 3 answers belong to unknown questions: "), "{told}");
    assert!(told.contains("answers.jsonl:2: question 62 is neither"), "{told}");
    assert!(told.contains("question 61 is also answered in ") && told.contains("answers.jsonl:3"), "{told}");
}

#[test]
fn decision_34_answers_are_matched_by_the_text_of_their_question_and_never_by_its_number() {
    let known = |list: &[(&str, &str)]| {
        let one = |(id, text): &(&str, &str)| (id.parse::<QuestionId>().unwrap(), Some((*text).to_owned()));
        KnownQuestions::from(list.iter().map(one).collect::<BTreeMap<QuestionId, Option<String>>>())
    };
    let line = "{\"question_id\": 61, \"question_text\": \"How rich is Kenya?\", \"answer\": \"$2,274\"}";
    for line in [line, &line.replace("question_text", "question")] {
        let mut other = read(line).unwrap();
        other.fit(&known(&[("61", "Who sells tea?"), ("7", "How rich is Kenya")])).unwrap();
        assert_eq!(other.question_ids().map(QuestionId::as_str).collect::<Vec<_>>(), ["7"]);
    }
    let refused = read(line).unwrap().fit(&known(&[("61", "Who sells tea?")])).unwrap_err().to_string();
    assert!(refused.contains("Who sells tea?") && refused.contains("How rich is Kenya?"), "{refused}");
}

#[test]
fn a_json_list_holds_answers_and_an_error_names_the_line_in_it() {
    let list = "[\n  {\"question_id\": 61, \"answer\": \"$2,274\"},\n  {\n    \"question\": \"Who sells tea?\",\n    \"answer\": \"$6\"\n  }\n]\n";
    let mut listed = read(list).unwrap();
    let known = [("61", "How rich is Kenya?"), ("7", "Who sells tea")];
    let known =
        BTreeMap::from(known.map(|(id, text)| (id.parse::<QuestionId>().unwrap(), Some(text.to_owned()))));
    assert!(listed.fit(&known.into()).unwrap().is_empty());
    assert_eq!(listed.question_ids().map(QuestionId::as_str).collect::<Vec<_>>(), ["7", "61"]);
    let wrong = complaint(&list.replace("$6\"", "$6\", \"answer\": 5"));
    assert!(wrong.contains("answers.jsonl:5:") && wrong.contains("occurs twice"), "{wrong}");
    let wrong = complaint(&list.replace("\"answer\": \"$6\"", "\"links\": []"));
    assert!(wrong.contains("answers.jsonl:3:3: `answer` is missing"), "{wrong}");
    // a column counts from the start of the line, in characters
    let wrong = complaint(
        r#"[{"question_id": 61, "answer": "é"}, {"question_id": 62, "answer": "a", "answer": "b"}]"#,
    );
    let alone = complaint(r#"{"question_id": 62, "answer": "a", "answer": "b"}"#);
    let column = |told: &str| -> usize {
        let (_, place) = told.split_once("answers.jsonl:1:").unwrap();
        place.split_once(':').unwrap().0.parse().unwrap()
    };
    assert_eq!(column(&wrong), 37 + column(&alone), "{wrong}");
}

#[test]
fn a_broken_document_over_several_lines_is_one_error_at_its_place() {
    let list = "[\n  {\n    \"question_id\": 61,\n    \"answer\": \"é\"\n  },\n  {\n    \"question_id\": 62,\n    \"answer\": \"b\",\n  }\n]\n";
    let one = "{\n  \"question_id\": 61,\n  \"answer\": \"a\",\n  \"sql\": [\n    1,";
    let latin = list.replace('é', "?").into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == b'?' { 0xe9 } else { byte }).collect();
    let commas = list.replace("},", "},,").replace("\"b\",", "\"b\"");
    for (text, place) in [
        (list.as_bytes(), ":9:"),
        (commas.as_bytes(), ":5:"),
        (list.get(..40).unwrap().as_bytes(), ":4:"),
        (one.as_bytes(), ":5:"),
        (latin.as_slice(), ":4:16: invalid UTF-8"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        std::fs::write(&path, text).unwrap();
        let told = RecordedAgent::read(&path).unwrap_err().to_string();
        assert!(told.contains(&format!("result.json{place}")), "{place}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    // the lines of a file of lines are still named one by one
    let lines = complaint("{oops\n{\"question_id\": 62}\n");
    assert!(lines.contains("answers.jsonl:1:2: ") && lines.contains("answers.jsonl:2:1: "), "{lines}");
}

#[test]
fn standard_input_is_no_run() {
    assert!(!RecordedAgent::is_run(Path::new("-")));
}

#[tokio::test]
async fn a_csv_file_has_answers_too() {
    let read = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        std::fs::write(&path, text).unwrap();
        RecordedAgent::read(&path)
    };
    let complaint = |text: &str| read(text).unwrap_err().to_string();
    let text = "question_id,answer,links,duration_s,error\r\n61,\"$2,274, in 2024\",\"[\"\"https://a\"\"]\",3,\r\n62,,,3,timed out\r\n";
    let recorded = read(text).unwrap();
    let ask = |id: &str| {
        let asked = AgentQuestion::new(id.parse().unwrap(), "q", Mode::Auto);
        let recorded = &recorded;
        async move { recorded.ask(&asked).await }
    };
    let reply = ask("61").await.unwrap();
    assert_eq!((reply.answer.as_str(), reply.links), ("$2,274, in 2024", vec!["https://a".to_owned()]));
    assert!(ask("62").await.unwrap_err().to_string().contains("timed out"));
    let mut other = read("question_id,question,answer\n62,How rich is Kenya?,\"$2,274\"\n").unwrap();
    let kenya =
        BTreeMap::from([("61".parse::<QuestionId>().unwrap(), Some("How rich is Kenya?".to_owned()))]);
    other.fit(&kenya.into()).unwrap();
    assert_eq!(other.question_ids().map(QuestionId::as_str).collect::<Vec<_>>(), ["61"]);
    let lacks = complaint("id,answer\n61,$2\n");
    assert!(lacks.contains("answers.csv:1:1") && lacks.contains("lacks the field `question_id`"), "{lacks}");
    let more = complaint("question_id,answer\n61,$2,274\n");
    assert!(more.contains("answers.csv:2:1") && more.contains("quote fields that contain a comma"), "{more}");
}

#[test]
fn a_result_without_an_id_is_matched_by_its_text_or_its_folder_and_what_is_skipped_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    for (id, result) in [
        ("1", r#"{"question_text": "How rich is Kenya?", "answer": "$2,274"}"#),
        ("62", "{\n  \"answer\": \"$7,159\"\n}\n"),
        ("63", r#"{"question_id": 63, "answer": "$3"}"#),
        ("again", r#"{"question_id": 63, "answer": "$4"}"#),
        ("q9", r#"{"answer": "$5"}"#),
        ("tea", r#"{"question": "Who sells tea?", "answer": "$6"}"#),
    ] {
        std::fs::create_dir(folder.path().join(id)).unwrap();
        std::fs::write(folder.path().join(id).join("result.json"), result).unwrap();
    }
    // it repeats a result
    let summary = r#"{"results": [{"question": "How rich is Kenya?", "answer": "$2,274"},
        {"question": "Who sells tea?", "answer": "$6"}]}"#;
    // not an answer
    std::fs::create_dir(folder.path().join("overview")).unwrap();
    std::fs::write(folder.path().join("overview/result.json"), r#"{"passed": 3}"#).unwrap();
    std::fs::write(folder.path().join("summary.json"), summary).unwrap();
    let known = [("1", "Who sells coffee?"), ("61", "How rich is Kenya?"), ("62", "a"), ("63", "b")];
    let known =
        BTreeMap::from(known.map(|(id, text)| (id.parse::<QuestionId>().unwrap(), Some(text.to_owned()))));
    let mut recorded = RecordedAgent::read(folder.path()).unwrap();
    let told = recorded.fit(&known.into()).unwrap().to_string();
    let fitted: Vec<_> = recorded.question_ids().map(QuestionId::as_str).collect();
    assert_eq!(fitted, ["61", "62", "63"]);
    for part in [
        "3 of 6 answers belong to unknown questions: ",
        "again/result.json:1: question 63 is also answered in ",
        "q9/result.json:1: question q9 is neither in the manifest nor in the store",
        "tea/result.json:1: question tea is neither in the manifest nor in the store",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let nothing = complaint(r#"{"answer": "$5"}"#);
    assert!(nothing.contains("answers.jsonl:1:1: `question_id` is missing"), "{nothing}");
}

#[tokio::test]
async fn a_folder_of_results_and_a_summary_are_answers_with_their_traces() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("runs/20260301T100000");
    std::fs::create_dir_all(run.join("61")).unwrap();
    std::fs::create_dir_all(folder.path().join("runs/20260201T100000/61")).unwrap();
    let result = serde_json::json!({
        "question_id": 61, "question_text": "How rich is Kenya?", "category": "c", "difficulty": "easy", "agent_mode": "auto",
        "answer": [{"type": "text", "text": "It is $2,274."}], "sql": "SELECT 1", "duration_s": 12.5, "status": "success", "error": null,
        "timestamp": "2026-03-01T10:00:00+00:00Z", "tools_used": ["atlas_graphql", "query_tool"],
        "tool_call_counts": {"atlas_graphql": 2, "query_tool": 1},
        "tool_call_details": [
            {"index": 2, "tool_name": "atlas_graphql", "arguments": {}, "result_content": "Only one query can be executed at a time", "pipeline_metadata": {}},
            {"index": 1, "tool_name": "query_tool", "arguments": {"q": "x"}, "result_content": "1 row", "pipeline_metadata": {"success": true}},
            {"index": 0, "tool_name": "atlas_graphql", "arguments": "{\"q\": \"x\"}", "result_content": "rejected", "pipeline_metadata": {"is_rejected": true}}],
        "token_usage": {"by_pipeline": {}, "total": {"input_tokens": 900, "output_tokens": 70, "total_tokens": 970, "call_count": 4}},
        "cost": {"by_pipeline": {}, "total_cost_usd": 0.0031},
        "step_timing": [{"node": "agent", "tool_pipeline": null, "wall_time_ms": 800.2, "llm_time_ms": 790.0, "io_time_ms": 0},
            {"node": "agent", "tool_pipeline": null, "wall_time_ms": 200, "llm_time_ms": 190.0, "io_time_ms": 0}],
        "step_timing_summary": {}, "graphql_classification": {"query_type": "reject", "is_rejected": true},
        "graphql_entity_extraction": {"country": "Kenya"}, "graphql_resolved_params": {"country_id": 404},
        "graphql_atlas_links": [{"url": "https://a"}], "graphql_api_target": "explore",
        "graphql_call_history": [], "sql_call_history": [], "reasoning_traces": []
    });
    let mut silent = result.clone();
    (silent["question_id"], silent["answer"], silent["error"]) = (62.into(), Value::Null, "timed out".into());
    std::fs::write(run.join("61/result.json"), result.to_string()).unwrap();
    let summary = serde_json::json!({"agent_model": "m", "questions_run": 2, "results": [result, silent]});
    std::fs::write(run.join("summary.json"), summary.to_string()).unwrap();
    let asked = |id: &str| AgentQuestion::new(id.parse().unwrap(), "q", Mode::Auto);
    for path in [folder.path().join("runs"), run.clone(), run.join("summary.json")] {
        let agent = RecordedAgent::read(&path).unwrap();
        let reply = agent.ask(&asked("61")).await.unwrap();
        assert_eq!(
            (reply.answer.as_str(), reply.links.as_slice()),
            ("It is $2,274.", ["https://a".to_owned()].as_slice())
        );
        let trace = reply.trace.unwrap();
        assert_eq!(trace.tool_calls, ["atlas_graphql", "query_tool"], "what never ran is no call");
        assert_eq!(trace.pipeline(&DataTools::default()), Pipeline::Sql);
        assert_eq!(
            (trace.cost_usd.unwrap().to_string(), trace.total_duration_ms),
            ("0.0031".to_owned(), 12_500)
        );
        assert_eq!(trace.usage.unwrap().input_tokens, 900);
        assert_eq!(trace.node_traces.iter().map(|node| node.duration_ms).collect::<Vec<_>>(), [800, 200]);
        assert_eq!(
            (trace.pipeline_sql.as_deref(), trace.graphql_classification.unwrap()["api_target"].as_str()),
            (Some("SELECT 1"), Some("explore"))
        );
        assert!(trace.unknown_keys.is_empty(), "{:?}", trace.unknown_keys);
        let failed = agent.ask(&asked("62")).await.unwrap_err();
        assert_eq!(failed, AgentError::Reported("timed out".to_owned()));
    }
}
