//! Gates, budgets, comparisons, trends: what is printed and the exit code say the same.

use serde_json::Value;

use crate::provider::{Format, Manner, Provider};
use crate::stage::{self, Kind, Stage, told};

fn summary(stage: &Stage, run: &str) -> Value {
    let path = stage.path("runs").join(run).join("summary.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Answers to some of the questions: those of these kinds.
fn answers(stage: &Stage, name: &str, change: impl Fn(&stage::Staged) -> Option<String>) {
    let lines: Vec<String> = stage.questions.iter().filter_map(change).collect();
    std::fs::write(stage.path(name), lines.join("\n")).unwrap();
}

fn only(kinds: &[Kind]) -> impl Fn(&stage::Staged) -> Option<String> {
    move |question| kinds.contains(&question.kind).then(|| stage::reply(question).to_string())
}

#[test]
fn a_gate_counts_what_nothing_decided_as_not_passed() {
    let stage = stage::of(44);
    // four right, four wrong
    answers(&stage, "decided.jsonl", only(&[Kind::Right, Kind::Wrong]));
    for (least, exit, word) in [("0.5", 0, "the gate passed"), ("0.51", 3, "the gate failed: 50.0 %")] {
        let (code, text) = stage.eval(&format!("run --answers decided.jsonl --min-pass-rate {least}"));
        assert_eq!(code, exit, "{text}");
        assert!(text.contains(&format!("exit code {exit}: {word}")), "{text}");
        assert!(text.contains("8 of 8 questions: 4 pass, 0 partial, 4 fail"), "{text}");
    }
    // and four that only a judge could decide: the rate stays, the gate does not pass
    answers(&stage, "open.jsonl", only(&[Kind::Right, Kind::Wrong, Kind::HedgedJudgedRight]));
    let (code, text) = stage.eval("run --answers open.jsonl --min-pass-rate 0.5");
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("pass rate 50.0 % (4 of 8") && text.contains("4 of 12 passed"), "{text}");
    // a report of it says the same again, in every form
    for format in ["table", "json", "md", "junit"] {
        let (code, text) = stage.eval(&format!("report latest --format {format}"));
        assert_eq!(code, 3, "{text}");
        let printed = text.contains("exit code 3: the gate failed") || text.contains("\"exit_code\": 3");
        assert!(printed, "{format}: {text}");
        let text = text.replace('\\', "");
        assert!(text.contains("graphql_latency_p95_ms") && text.contains("sql_latency_p95_ms"), "{text}");
    }
    let (code, text) = stage.eval("list");
    assert_eq!((code, text.matches("complete").count()), (0, 3), "{text}");
}

#[test]
fn a_balanced_draw_over_recorded_answers_draws_from_the_answered_questions() {
    let stage = stage::of(44);
    // four of 44: a draw from all would miss them
    answers(&stage, "right.jsonl", only(&[Kind::Right]));
    for seed in 1..4 {
        let (code, text) = stage.eval(&format!("run --answers right.jsonl --balanced 3 --seed {seed}"));
        assert!(code == 0 && text.contains("3 of 3 questions: 3 pass"), "{text}");
    }
}

#[test]
fn decision_17_an_agent_that_gives_no_answer_fails() {
    let stage = stage::of(22);
    answers(&stage, "some.jsonl", |question| {
        (question.id <= 11 && question.kind == Kind::Right).then(|| stage::reply(question).to_string())
    });
    let (code, text) = stage.eval("run --answers some.jsonl --questions 1,11");
    assert_eq!(code, 6, "{text}");
    assert!(text.contains("exit code 6: the agent gave no answer to 1 question"), "{text}");
    assert!(text.contains("pass rate 50.0 % (1 of 2"), "{text}");
    // what failed is asked again
    let (_, text) = stage.eval("run --answers some.jsonl --failed-in latest");
    assert!(text.contains("no question to ask"), "no recorded answer is left for it: {text}");
}

#[test]
fn decision_28_a_truth_that_cannot_be_read_costs_its_own_question_alone() {
    let stage = stage::of(22);
    std::fs::write(stage.path("store/22/results.json"), "{ \"question_id\": ").unwrap();
    answers(&stage, "right.jsonl", only(&[Kind::Right]));
    let (code, text) = stage.eval("run --answers right.jsonl");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("Q22 is skipped") && text.contains("1 of 1 question: 1 pass"), "{text}");
}

#[test]
fn an_answer_to_a_question_that_only_the_store_has_is_listed_in_the_report_of_the_run() {
    let stage = stage::of(22);
    let path = stage.path("manifest.json");
    let mut manifest: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    manifest["questions"].as_array_mut().unwrap().retain(|one| one["question_id"] != 22);
    std::fs::write(&path, manifest.to_string()).unwrap();
    answers(&stage, "right.jsonl", only(&[Kind::Right]));
    let (code, text) = stage.eval("run --answers right.jsonl");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("1 answer not scored, because the manifest lacks the question"), "{text}");
    let output = stage.command("eval report latest --format json").output().unwrap();
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["answered_not_in_manifest"], serde_json::json!(["22"]), "{}", told(&output));
}

#[test]
fn decision_18_truth_of_another_site_scores_no_agent() {
    let stage = stage::of(4);
    let (code, text) = stage.eval("run --answers answers.jsonl --agent-site twin");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("never scores answers about the twin site"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_judge_that_hangs_is_given_up_and_the_rest_is_unscored_by_name() {
    let stage = stage::of(44);
    answers(&stage, "open.jsonl", only(&[Kind::HedgedJudgedRight, Kind::HedgedJudgedPartial]));
    let judge = Provider::start([], Manner::Silent).await;
    let mut command = stage.command(
        "eval run --answers open.jsonl --judge openai:test-model --judge-timeout 1 --concurrency 3 --format json",
    );
    let began = std::time::Instant::now();
    let output = command.envs(judge.variables()).output().unwrap();
    let took = began.elapsed();
    assert_eq!(output.status.code(), Some(6), "{}", told(&output));
    // the anchor set and eight questions, at a second each where nobody stops
    assert!(took.as_secs() < 8, "{took:?}");
    // three in a row, and what was under way beside them
    assert!((3..=5).contains(&judge.asked().len()), "{}", judge.asked().len());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["counts"]["unscored"], 8, "{summary}");
    let (_, text) = stage.eval("report latest --format junit");
    assert_eq!(text.matches("the judge was not asked: it failed 3 times in a row").count(), 8, "{text}");
}

#[test]
fn an_agent_that_is_away_is_asked_three_times_and_the_rest_is_left_for_resume() {
    let stage = stage::of(22);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (code, text) = stage.eval(&format!("run --concurrency 1 --agent http://{free}"));
    assert_eq!(code, 6, "{text}");
    assert!(
        text.contains("PARTIAL RUN: the agent could not be reached several times in a row; 19 of 22"),
        "{text}"
    );
    let (code, again) = stage.eval("report latest");
    assert_eq!(code, 6, "{again}");
    assert!(again.contains("the agent could not be reached 3 times in a row"), "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_stops_before_the_next_question_and_a_larger_one_goes_on() {
    let stage = stage::of(22);
    let command = "eval run --concurrency 1 --budget-usd 0.61 --agent-command";
    let script = "sh -c 'echo {\\\"answer\\\":\\\"I cannot provide that.\\\"}'";
    let run = |args: String, extra: Option<String>| {
        let mut command = stage.command(&args);
        command.args(extra);
        command.output().unwrap()
    };
    let output = run(command.to_owned(), Some(script.to_owned()));
    let text = told(&output);
    // $0.12 an answer: five of them fit
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("PARTIAL RUN: the budget is spent; 17 of 22 questions are missing"), "{text}");
    assert!(text.contains("exit code 3: the budget stopped the run"), "{text}");
    assert!(text.contains("--budget-usd 2.64"), "{text}");
    assert!(text.contains("refusal instead of answer: 5"), "{text}");
    let output = run("eval resume latest --budget-usd 2.64".to_owned(), None);
    let text = told(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(summary(&stage, "20261120T103000Z")["cost"]["total_usd"], "2.64");
    // the model's price is unknown, which matters to a budget alone (decision 21)
    let judge = Provider::start([], Manner::Grade(1.0)).await;
    let mut judged =
        stage.command("eval run --answers answers.jsonl --budget-usd 1 --judge openai:test-model");
    let text = told(&judged.envs(judge.variables()).output().unwrap());
    assert!(text.contains("the price of openai:test-model is unknown"), "{text}");
}

#[test]
fn status_lists_each_run_that_has_cases_left_and_a_rescored_one_has_none() {
    let stage = stage::of(22);
    let ask = |budget: &str| {
        let command = format!("eval run --concurrency 1 --budget-usd {budget} --agent-command");
        let mut command = stage.command(&command);
        command.arg("sh -c 'echo {\\\"answer\\\":\\\"I cannot provide that.\\\"}'");
        assert_eq!(command.output().unwrap().status.code(), Some(3));
    };
    let status = || told(&stage.command("status --format json").output().unwrap());
    ask("0.61");
    let resume = "atlas-gt eval resume 20261120T103000Z --budget-usd 2.64";
    assert!(status().contains(resume), "{}", status());

    let (code, text) = stage.eval("rescore latest");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "the rescored run is not complete";
    assert!(words.contains(&format!("PARTIAL RUN: {why}; 17 of 22 questions are missing")), "{text}");
    assert!(code == 3 && words.contains(&format!("exit code 3: {why}")), "{code} {text}");
    assert!(!words.contains("eval resume"), "it asks nobody: {text}");
    assert_eq!(status().matches("eval resume").count(), 1, "{}", status());
    // what it lacks, the first run has to ask
    let (code, text) = stage.eval("resume latest");
    let first =
        format!("`{resume} --runs runs` first, then `atlas-gt eval rescore 20261120T103000Z --runs runs`");
    assert!(code == 3 && text.contains(&first), "{code} {text}");

    // nothing is spent: the price of the agent says what the run will cost
    ask("0");
    let second = "atlas-gt eval resume 20261120T103000Z-3 --budget-usd 2.64";
    assert!(status().contains(resume) && status().contains(second), "{}", status());

    // a damaged run hides no other
    std::fs::write(stage.path("runs/20261120T103000Z/run.json"), "{").unwrap();
    let text = status();
    assert!(text.contains("Runs that cannot be read") && text.contains(second), "{text}");
}

#[test]
fn an_answer_to_a_question_that_nobody_knows_is_named_left_out_and_counted() {
    let stage = stage::of(22);
    answers(&stage, "answers.jsonl", only(&[Kind::Right]));
    let unknown = "{\"question_id\": 9999, \"answer\": \"$1\"}\n";
    let known = std::fs::read_to_string(stage.path("answers.jsonl")).unwrap();
    std::fs::write(stage.path("answers.jsonl"), format!("{known}\n{unknown}")).unwrap();
    let told = "1 of 3 answers belongs to an unknown question";
    let why = format!("{told}: answers.jsonl:3: question 9999 is neither in the manifest nor in the store");
    for command in ["run --answers answers.jsonl", "report latest"] {
        let (code, text) = stage.eval(command);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code, 2, "{command}: {text}");
        assert!(text.contains(&why) && text.contains(&format!("exit code 2: {told}")), "{command}: {text}");
        assert!(text.contains("2 of 2 questions: 2 pass"), "{command}: {text}");
    }
    // a question of the manifest without truth is named as well, although it is not unknown
    let right = stage.questions.iter().find(|question| question.kind == Kind::Right).unwrap();
    std::fs::remove_dir_all(stage.path("store").join(right.id.to_string())).unwrap();
    std::fs::write(stage.path("answers.jsonl"), known).unwrap();
    let (code, text) = stage.eval("run --answers answers.jsonl");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = format!("1 of 2 answers is not scored, because its question has no truth: {}", right.id);
    assert!(code == 0 && text.contains(&told), "{code} {text}");
    let listed = text.split_once("1 answer not scored, because the question has no truth").unwrap().1;
    assert!(listed.contains(&format!(" Q{} ", right.id)), "{text}");
    // where none is known there is no run
    std::fs::write(stage.path("answers.jsonl"), unknown).unwrap();
    let (code, text) = stage.eval("run --answers answers.jsonl");
    assert!(code == 2 && text.contains("answers.jsonl:1:1: question 9999 is neither"), "{text}");
    assert_eq!(std::fs::read_dir(stage.path("runs")).unwrap().count(), 3, "two runs, and the history");
}

#[test]
fn a_complete_run_is_reported_whatever_became_of_its_answers() {
    let stage = stage::of(22);
    answers(&stage, "answers.jsonl", only(&[Kind::Right]));
    let (code, text) = stage.eval("run --answers answers.jsonl");
    assert!(code == 0 && text.contains("2 of 2 questions: 2 pass"), "{code} {text}");
    answers(&stage, "answers.jsonl", only(&[Kind::Wrong]));
    let (code, text) = stage.eval("resume latest");
    assert!(code == 0 && text.contains("2 of 2 questions: 2 pass"), "{code} {text}");
    // with a question left, the run would mix two sets of answers
    std::fs::remove_file(stage.path("runs/20261120T103000Z/questions/22.json")).unwrap();
    let (code, text) = stage.eval("resume latest");
    let due = "answers.jsonl has changed since run 20261120T103000Z started";
    assert!(code == 2 && text.contains(due), "{code} {text}");
}

#[test]
fn evaluation_strategy_8_a_comparison_names_what_is_broken_and_a_trend_shows_it() {
    let stage = stage::of(44);
    answers(&stage, "first.jsonl", only(&[Kind::Right, Kind::Wrong]));
    answers(&stage, "second.jsonl", |question| {
        let mut reply = stage::reply(question);
        match question.kind {
            Kind::Right if question.id == 22 => reply["answer"] = format!("{}: $1.", question.country).into(),
            Kind::Wrong => {
                let right = format!("{}'s GDP per capita is {}.", question.country, question.dollars);
                reply["answer"] = right.into();
            }
            Kind::Right => {}
            _ => return None,
        }
        Some(reply.to_string())
    });
    stage.eval("run --answers first.jsonl");
    let (code, text) = stage.eval("trend --format md");
    let alone = "20261120T103000Z: not compared, because there is no earlier run over recorded answers";
    assert!(code == 0 && text.contains(alone), "{text}");
    stage.eval("run --answers second.jsonl");
    let (first, second) = ("20261120T103000Z", "20261120T103000Z-2");
    let (code, text) = stage.eval(&format!("compare {first} {second}"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("broken 1, fixed 4"), "{text}");
    assert!(text.contains("exit code 0: 1 broken, which fails only with --fail-on regressions"), "{text}");
    for format in ["table", "json", "md", "junit"] {
        let (code, text) =
            stage.eval(&format!("compare {first} {second} --fail-on regressions --format {format}"));
        assert_eq!(code, 3, "{text}");
        assert!(text.contains("22"), "{text}");
        let printed = text.contains("exit code 3: 1 question broken") || text.contains("\"exit_code\": 3");
        assert!(printed, "{format}: {text}");
    }
    for (pair, due) in [
        (
            format!("{second} {first}"),
            format!("{first} is older than {second}, so broken and fixed are swapped"),
        ),
        (format!("{second} latest"), format!("{second} is compared with itself, so nothing can differ")),
    ] {
        let (code, text) = stage.eval(&format!("compare {pair}"));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 0 && text.contains(&due), "{code} {text}");
    }
    // truth that changes between two runs is no regression of the agent's
    let changed = &stage.questions[10];
    stage.truth("11", &changed.country, "https://atlas.hks.harvard.edu/countries/8", "$1,999", 1_999);
    stage.eval("run --answers first.jsonl");
    let (code, text) = stage.eval(&format!("compare {first} latest --fail-on regressions"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("pass → fail"), "{text}");
    let (code, text) = stage.eval("trend --last 20 --format md");
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("# Trend of 3 runs") && !text.contains("2026-02-26"),
        "nobody else's baseline: {text}"
    );
    // pass rate, average score, duration, rates by category, regressions
    for due in [
        "| passed |",
        "| score of 5 |",
        "| took |",
        "## Pass rates by category",
        "20261120T103000Z-2: 22 (of 8 questions, against 20261120T103000Z)",
        "20261120T103000Z-3: 1, 11, 12, 23, 34 (of 8 questions, against 20261120T103000Z-2)",
    ] {
        assert!(text.contains(due), "{due}: {text}");
    }
    // a list with the same number for another question crosses nothing; a line of an older version says nothing of its questions
    let file = stage.path("runs/history.jsonl");
    let lines: Vec<Value> = std::fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let question = lines[1]["asked"]["11"].clone();
    assert_eq!(question, stage.questions[10].text.as_str());
    for (asked, due) in [
        (
            Value::from("Who leads Spain?"),
            "20261120T103000Z-3: 1, 12, 23, 34 (of 7 questions, against 20261120T103000Z-2); skipped, different question",
        ),
        (
            Value::Null,
            "20261120T103000Z-3: 1, 11, 12, 23, 34 (of 8 questions, against 20261120T103000Z-2); compared by number, ",
        ),
    ] {
        let mut changed = lines.clone();
        changed[1]["asked"]["11"] = asked.clone();
        if asked.is_null() {
            changed[1].as_object_mut().unwrap().remove("asked");
        }
        let text: String = changed.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&file, text).unwrap();
        let (code, text) = stage.eval("trend");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 0 && text.contains(due), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evaluation_strategy_11_a_judge_is_calibrated_on_labels_and_its_drift_is_told_apart() {
    let stage = stage::of(22);
    let labels = |right: usize| -> String {
        let line = |at: usize| {
            let label = if at < right { "pass" } else { "fail" };
            format!(
                "{{\"id\": \"{at}\", \"question\": \"label {label}\", \"answer\": \"It is $2.\", \"truth\": \"$2\", \"label\": \"{label}\"}}\n"
            )
        };
        (0..24).map(line).collect()
    };
    std::fs::write(stage.path("labels.jsonl"), labels(12)).unwrap();
    let by_label = |level: f64| {
        [("label pass".to_owned(), Manner::Grade(level)), ("label fail".to_owned(), Manner::Grade(0.0))]
    };
    let eval = async |judge: &Provider, args: &str| {
        let mut command = stage.command(&format!("eval {args} --judge {}", Format::OpenAi.judge()));
        command.envs(judge.variables());
        let output = tokio::process::Command::from(command).output().await.unwrap();
        (output.status.code().unwrap(), told(&output))
    };
    let judge = Provider::start(by_label(1.0), Manner::Grade(1.0)).await;
    let (code, text) = eval(&judge, "run --answers answers.jsonl").await;
    assert!(
        code == 0 && text.contains("UNCALIBRATED") && text.contains("no earlier run of this judge"),
        "{text}"
    );
    let (code, text) = eval(&judge, "calibrate labels.jsonl").await;
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("kappa 1.00") && text.contains("0.00 points apart") && text.contains("calibrated"),
        "{text}"
    );
    let (code, text) = eval(&judge, "run --answers answers.jsonl").await;
    assert!(code == 0 && text.contains("calibrated on 24 labels") && text.contains("no drift"), "{text}");
    // fewer than 20 labels, or labels that say nothing
    std::fs::write(stage.path("labels.jsonl"), labels(12).lines().take(19).collect::<Vec<_>>().join("\n"))
        .unwrap();
    let (code, text) = eval(&judge, "calibrate labels.jsonl").await;
    assert!(code == 3 && text.contains("UNCALIBRATED: 19 labels are fewer than 20"), "{text}");
}
