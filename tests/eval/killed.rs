//! A run of 220 questions, judged through each of the three formats by a judge that errs in every way; killed twice and gone on with,
//! it comes to what a run in one go does.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::provider::{Format, Manner, Provider};
use crate::stage::{self, Stage, reply, told, verdicts};

const RUN: &str = "20261120T103000Z";

/// A judge that never answers from a question on.
async fn provider(stage: &Stage, silent_from: usize) -> Provider {
    let manner = |question: &stage::Staged| {
        let silent = question.id >= silent_from;
        (question.text.clone(), if silent { Manner::Silent } else { question.kind.manner() })
    };
    Provider::start(stage.questions.iter().map(manner), Manner::Grade(1.0)).await
}

fn count(provider: &Provider, stage: &Stage, below: usize) -> BTreeMap<usize, u32> {
    let asked = provider.by_question();
    let of = |question: &stage::Staged| Some((question.id, *asked.get(&question.text)?));
    stage.questions.iter().filter_map(of).filter(|(id, _)| *id < below).collect()
}

/// A run in one go: its verdicts, and how often the judge was asked about each question.
async fn undisturbed() -> (BTreeMap<usize, Value>, BTreeMap<usize, u32>) {
    let stage = stage::of(220);
    let judge = provider(&stage, usize::MAX).await;
    let mut command = stage.command("eval run --answers answers.jsonl --concurrency 8 --judge");
    command.arg(Format::Anthropic.judge()).envs(judge.variables());
    let output = tokio::process::Command::from(command).output().await.unwrap();
    let text = told(&output);
    // exit code and printed verdict are one: the judge failed where it was needed
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(text.contains("exit code 6: the judge failed at 60 questions"), "{text}");
    assert!(text.contains("addresses the judge: 20"), "{text}");
    assert!(text.contains("UNCALIBRATED"), "{text}");
    assert!(text.contains("the rules decide"), "a judge that would pass what is wrong is listed: {text}");
    let found = verdicts(&stage.kept(RUN));
    for question in &stage.questions {
        let (verdict, by) = question.kind.due();
        let record = &found[&question.id];
        assert_eq!((&record[0], &record[1]), (&verdict.into(), &by.into()), "{question:?}: {record}");
    }
    (found, count(&judge, &stage, usize::MAX))
}

/// An agent that writes down what it is asked, and answers from files.
fn agent(stage: &Stage) -> String {
    std::fs::create_dir(stage.path("answers")).unwrap();
    for question in &stage.questions {
        let file = stage.path("answers").join(format!("{}.json", question.id));
        std::fs::write(file, reply(question).to_string()).unwrap();
    }
    let script = "#!/bin/sh\nread -r line\nid=${line#*\\\"question_id\\\":\\\"}\nid=${id%%\\\"*}\necho \"$id\" >> asked.log\nread -r answer < answers/$id.json || true\nprintf '%s' \"$answer\"\n";
    let path = stage.path("agent.sh");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// Questions that ended.
fn ended(stage: &Stage) -> usize {
    stage.kept(RUN).values().filter(|record| record.get("scored").is_some()).count()
}

/// Whether so many questions ended, and four answers more are there, and with the judge.
fn is_held_up(stage: &Stage, done: usize) -> bool {
    let files = std::fs::read_dir(stage.path("runs").join(RUN).join("questions"));
    files.is_ok_and(|files| files.count() >= done + 4)
        && ended(stage) >= done
        && stage.kept(RUN).len() >= done + 4
}

/// A run through a format in three parts, killed between them.
async fn killed_twice(format: Format) -> (BTreeMap<usize, Value>, BTreeMap<usize, u32>) {
    let stage = stage::of(220);
    let program = agent(&stage);
    let mut asked: BTreeMap<usize, u32> = BTreeMap::new();
    for (step, silent_from) in [81, 151, usize::MAX].into_iter().enumerate() {
        let judge = provider(&stage, silent_from).await;
        let mut command = if step == 0 {
            let mut command = stage.command("eval run --concurrency 4 --judge");
            command.args([format.judge(), "--agent-command", &program]);
            command
        } else {
            stage.command("eval resume latest")
        };
        command.envs(judge.variables()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        if silent_from == usize::MAX {
            let status = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
            assert_eq!(status.code(), Some(6));
        } else {
            let started = Instant::now();
            while !is_held_up(&stage, silent_from - 1) {
                assert!(started.elapsed() < Duration::from_secs(240), "{} ended", ended(&stage));
                assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            // SIGKILL
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(ended(&stage), silent_from - 1);
        }
        for (id, times) in count(&judge, &stage, silent_from) {
            *asked.entry(id).or_default() += times;
        }
    }
    let log = std::fs::read_to_string(stage.path("asked.log")).unwrap();
    let mut ids: Vec<usize> = log.lines().map(|line| line.parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=220).collect::<Vec<_>>(), "each question is asked once");
    let lines = std::fs::read_to_string(stage.path("runs/history.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 1, "only the run that ended is in the history");
    (verdicts(&stage.kept(RUN)), asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "slow: make test-deep"]
async fn killed_twice_and_resumed_asks_and_judges_nothing_twice_in_every_format() {
    // side by side
    let runs = Format::ALL.map(|format| (format, tokio::spawn(killed_twice(format))));
    let (due, due_asked) = undisturbed().await;
    assert_eq!(runs.len(), 3);
    for (format, run) in runs {
        let (found, asked) = run.await.unwrap();
        assert_eq!(found, due, "{format:?}");
        assert_eq!(asked, due_asked, "{format:?}: the judge was asked otherwise than in one go");
    }
}

#[test]
fn ctrl_c_ends_with_what_is_in_hand_and_says_how_to_go_on() {
    let stage = stage::of(12);
    // answers four questions, then waits for leave
    let script = "#!/bin/sh\nread -r line\nid=${line#*\\\"question_id\\\":\\\"}\nid=${id%%\\\"*}\nif [ \"$id\" -gt 4 ]; then : > in_hand.$id; until [ -e go ]; do sleep 0.02; done; fi\nprintf '{\"answer\":\"I cannot provide that.\"}'\n";
    let path = stage.path("agent.sh");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command =
        stage.command("eval run --concurrency 2 --events events.jsonl --agent-command ./agent.sh");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("[4/12]")));
    let started = Instant::now();
    while !(stage.path("in_hand.5").exists() && stage.path("in_hand.6").exists()) {
        assert!(started.elapsed() < Duration::from_secs(60), "two questions are asked at a time");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let stopping = lines.find(|line| line.contains("stopping after the current answers")).unwrap();
    let resume = format!("`atlas-gt eval resume {RUN} --runs runs`");
    assert!(stopping.contains(&resume), "{stopping}");
    std::fs::write(stage.path("go"), "").unwrap();
    let rest: Vec<String> = lines.collect();
    let output = child.wait_with_output().unwrap();
    let text = told(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("PARTIAL RUN: it was interrupted; 6 of 12 questions are missing"), "{text}");
    assert!(text.contains("exit code 130: interrupted"), "{text}");
    assert!(text.contains(&format!("atlas-gt eval resume {RUN}")), "{text}{rest:?}");
    let events = std::fs::read_to_string(stage.path("events.jsonl")).unwrap();
    assert_eq!(events.matches("question_finished").count(), 6, "{events}");
    assert_eq!(ended(&stage), 6);
    let (code, text) = stage.eval("resume latest");
    assert_eq!((code, ended(&stage)), (0, 12), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_ends_a_calibration_which_keeps_nothing_and_goes_on_from_the_cache() {
    let stage = stage::of(1);
    let label = |at: usize| {
        format!(
            "{{\"id\": \"{at}\", \"question\": \"q{at}\", \"answer\": \"It is $2.\", \"truth\": \"$2\", \"label\": \"pass\"}}\n"
        )
    };
    std::fs::write(stage.path("labels.jsonl"), (0..8).map(label).collect::<String>()).unwrap();
    let slow = Manner::Slow(Duration::from_millis(200), Box::new(Manner::Grade(1.0)));
    let judge = Provider::start([], slow).await;
    let calibrate = || {
        let line = "eval calibrate labels.jsonl --concurrency 1 --events events.jsonl --judge";
        let mut command = stage.command(&format!("{line} {}", Format::OpenAi.judge()));
        command.envs(judge.variables()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut child = calibrate();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("[1/8] Q0 pass")));
    let pid = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("stopping after the current labels")), "{rest:?}");
    assert!(!stage.path("runs/calibration").exists(), "half a calibration says nothing");
    let events = std::fs::read_to_string(stage.path("events.jsonl")).unwrap();
    assert!(events.contains("\"interrupted\":true"), "{events}");
    let before = judge.asked().len();
    assert!((2..16).contains(&before), "{before}");
    let output = calibrate().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "eight labels are too few: {}", told(&output));
    assert_eq!(judge.asked().len(), 16, "what was judged is cached");
    assert!(stage.path("runs/calibration").exists());
}
