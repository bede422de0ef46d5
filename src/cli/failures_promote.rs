//! `failures promote`: turns a production failure into an evaluation question, collects its truth and asks it again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use atlas_gt_serve::failures::{FailureClass, FailureReview, likeness};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::eval_output::Runs;
use super::flags::Who;
use super::known_failures::{keep_review, known};
use super::print::{print_alone, print_with};
use super::settings::{self, Shared};
use super::traces::Place;
use crate::atomic_file::write_atomic;
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::evaluate::run::{CaseVerdict, RunFolder};
use crate::input;
use crate::manifest::{self, QuestionId, QuestionList, Severity, propose, same_words};
use crate::report::serve::{Promotion, SimilarQuestion};
use crate::report::{ActionReport, Format, pretty, print_status};
use crate::truth::{Site, Store};
use crate::workflow::{self, Extractors};
use atlas_gt_core::command_line::{self, command, flag, typed};

/// The category of promoted questions.
const CATEGORY: &str = "production_failure";

#[derive(Debug, clap::Args)]
pub(super) struct FailuresPromoteArgs {
    /// The failure's id, as listed
    failure: String,
    /// Manifest that gets the question; created if it does not exist
    #[arg(long, value_name = "FILE")]
    manifest: PathBuf,
    /// Question whose page, data points and context to copy [default: those that `manifest from` proposes for the question's words]
    #[arg(long, value_name = "ID")]
    like: Option<String>,
    /// Its page, if different
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// A part of its context that differs: `country=404`; repeatable
    #[arg(long, value_name = "PART=VALUE", requires = "like")]
    context: Vec<String>,
    /// Its id [default: the next free number]
    #[arg(long, value_name = "ID")]
    id: Option<QuestionId>,
    /// Why it becomes a question
    #[arg(long, value_name = "TEXT", default_value = "promoted")]
    reason: String,
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    runs: Runs,
    /// Write nothing: print the proposed page and data points, and the most similar questions
    #[arg(long)]
    propose: bool,
    #[command(flatten)]
    place: Place,
    /// Flags of `eval run` that name the agent; the question is then collected and asked at once
    #[arg(last = true, value_name = "EVAL FLAGS")]
    eval: Vec<String>,
}

pub(super) async fn run(shared: &Shared, args: &FailuresPromoteArgs, now: Timestamp) -> Result<Exit> {
    command_line::reason(&args.reason)?;
    let config = args.place.resolve(shared)?;
    let failure = known(&config, &args.failure, now).await?;
    let specs = settings::resolve(shared, Settings::default())?;
    let extractors = workflow::extractors(&specs)?;
    let mut manifest = read(&args.manifest)?;
    let questions = manifest.get_mut("questions").and_then(Value::as_array_mut);
    let questions = questions
        .ok_or_else(|| Error::Usage(format!("{}: `questions` is missing", args.manifest.display())))?;
    let asked = questions.iter().find(|one| same_words(text_of(one), &failure.question)).map(id_of);
    // page and data points may be copied from any known question
    let built_in: Value = serde_json::from_str(&settings::manifest_text(&config)?)
        .map_err(|error| Error::Usage(error.to_string()))?;
    let others = built_in.get("questions").and_then(Value::as_array).into_iter().flatten();
    let known: Vec<Value> = questions.iter().chain(others).cloned().collect();
    if args.propose {
        let promotion = promotion(args, failure.question, asked, &known, &extractors);
        let invocation = settings::invocation(&config).also(&args.place.flags());
        return print_with(shared.format, &invocation, &promotion);
    }
    let id = match asked {
        Some(id) => {
            let is_other = args.id.as_ref().is_some_and(|named| named.as_str() != id);
            if is_other || args.like.is_some() || args.url.is_some() || !args.context.is_empty() {
                return Err(Error::Usage(format!(
                    "question {id} of {} asks this already: change its entry there, or leave out --id, --like, --url and --context",
                    args.manifest.display()
                )));
            }
            print_status(format_args!("question {id} asks this already"));
            id
        }
        None => {
            // a store holds the questions of several manifests
            let store = Store::find(&config.store)?;
            let stored = store.map(|store| store.question_ids()).transpose()?.unwrap_or_default();
            let stored = stored.iter().map(ToString::to_string);
            let taken: BTreeSet<String> = known.iter().map(id_of).chain(stored).collect();
            let entry = entry(args, (&known, questions, &taken), &failure.question, &extractors)?;
            let id = id_of(&entry);
            questions.push(entry);
            write(&args.manifest, &manifest, &extractors)?;
            id
        }
    };
    let review = FailureReview {
        class: FailureClass::EvalCandidate,
        by: args.who.name(),
        at: now,
        reason: args.reason.clone(),
        question_id: Some(id.clone()),
    };
    keep_review(&config, &args.failure, &review).await?;
    let file = args.manifest.display().to_string();
    if args.eval.is_empty() {
        let done = format!("{}: question {id} in {file}", args.failure);
        let invocation = settings::invocation(&config);
        let flags = format!("{}{}", flag("manifest", &file), flag("questions", &id));
        let about = workflow::agent_site(Site::of(&config.site));
        let next = vec![
            ("collect its truth", invocation.command(&format!("collect{flags}"))),
            (
                "ask it (name the agent with --agent or --agent-command)",
                invocation.command(&format!("eval run{flags}{about}")),
            ),
        ];
        let with = [("failure", args.failure.clone()), ("question_id", id), ("file", file)];
        return print_alone(shared.format, &ActionReport { next, ..ActionReport::new(done, with) });
    }
    collect_and_ask(shared, &config, args, (&file, &id))
}

/// What a promotion would write, and the questions that it could be like.
fn promotion(
    args: &FailuresPromoteArgs,
    question: String,
    asked_as: Option<String>,
    known: &[Value],
    extractors: &Extractors,
) -> Promotion {
    let proposed = proposed(args, &question, extractors);
    Promotion {
        failure: args.failure.clone(),
        similar: similar(known, &question),
        question,
        asked_as,
        lacks: proposed.as_ref().err().cloned(),
        proposed: proposed.ok(),
        manifest: args.manifest.clone(),
    }
}

/// Collects the truth of the question and asks the agent.
fn collect_and_ask(
    shared: &Shared,
    config: &Config,
    args: &FailuresPromoteArgs,
    (file, id): (&str, &str),
) -> Result<Exit> {
    let runs = args.runs.folder(shared)?;
    let (format, shared) = (shared.format, settings::arguments(shared, config));
    let collect =
        [&["collect", "--manifest", file, "--questions", id].map(str::to_owned)[..], &shared].concat();
    let status = child(&collect, format)?;
    if !status.success() {
        return Err(Error::Usage(format!(
            "question {id} could not be collected: `{}`",
            command(&typed(&collect), "")
        )));
    }
    let folder = runs.display().to_string();
    let ask = ["eval", "run", "--manifest", file, "--questions", id, "--runs", &folder].map(str::to_owned);
    child(&[&ask[..], &shared, &args.eval].concat(), format)?;
    outcome(format, &runs, id)
}

fn text_of(entry: &Value) -> &str {
    entry.get("question_text").and_then(Value::as_str).unwrap_or_default()
}

fn id_of(entry: &Value) -> String {
    match entry.get("question_id") {
        Some(Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => String::new(),
    }
}

/// A manifest as JSON; an empty one if the file does not exist.
fn read(path: &Path) -> Result<Value> {
    if !path.exists() {
        return Ok(json!({ "description": "Questions from production failures", "questions": [] }));
    }
    serde_json::from_str(&input::text(path)?).map_err(|error| {
        let message = format!("the manifest is not JSON: {}", input::json_fault(&error));
        Error::syntax(path, input::json_place(&error), message)
    })
}

/// The entry that `manifest from` would write for the question.
///
/// # Errors
/// What the question lacks for a proposal.
fn proposed(
    args: &FailuresPromoteArgs,
    question: &str,
    extractors: &Extractors,
) -> std::result::Result<Value, String> {
    let listed = json!([{ "text": question, "url": args.url }]).to_string();
    let made = propose(&QuestionList::read(&listed)?, extractors);
    let made: Value = serde_json::from_str(&made.text).map_err(|error| error.to_string())?;
    let entry = made.get("questions").and_then(|all| all.get(0)).cloned().unwrap_or_default();
    match entry.get("lacks").and_then(Value::as_str) {
        Some(lacks) => Err(lacks.to_owned()),
        None => Ok(entry),
    }
}

/// The three questions with the most words in common.
fn similar(known: &[Value], question: &str) -> Vec<SimilarQuestion> {
    let readable = known.iter().filter(|one| one.get("data_points").is_some());
    let mut similar: Vec<(f64, &Value)> =
        readable.map(|one| (likeness(text_of(one), question), one)).collect();
    similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let one = |(_, one): &(f64, &Value)| SimilarQuestion {
        question_id: id_of(one),
        question: text_of(one).to_owned(),
        page: one.get("atlas_url").and_then(Value::as_str).map(str::to_owned),
    };
    similar.iter().take(3).map(one).collect()
}

/// The entry of the question, copied from another one or proposed, with its own text and the stated differences.
fn entry(
    args: &FailuresPromoteArgs,
    (known, questions, taken): (&[Value], &[Value], &BTreeSet<String>),
    question: &str,
    extractors: &Extractors,
) -> Result<Value> {
    let found = match &args.like {
        Some(like) => known
            .iter()
            .find(|one| id_of(one) == *like)
            .cloned()
            .ok_or_else(|| Error::Nothing(format!("--like {like}: there is no such question")))?,
        None => proposed(args, question, extractors).map_err(|lacks| {
            let named = similar(known, question);
            let named: Vec<String> =
                named.iter().map(|one| format!("\n  {}: {}", one.question_id, one.question)).collect();
            Error::Usage(format!(
                "no page is proposed, because the question lacks {lacks}; use --like to name a question whose page and data \
                 points answer it; the most similar are{}",
                named.concat()
            ))
        })?,
    };
    let mut entry = found.as_object().cloned().unwrap_or_default();
    let next = 1 + taken.iter().filter_map(|id| id.parse::<u64>().ok()).max().unwrap_or(0);
    let id = args.id.as_ref().map_or_else(|| next.to_string(), ToString::to_string);
    // a named id may belong to a record, but not to another question
    if questions.iter().any(|one| id_of(one) == id) {
        return Err(Error::Usage(format!("--id {id}: the manifest already has this question")));
    }
    entry.insert("question_id".to_owned(), id.parse::<u64>().map_or(Value::from(id), Value::from));
    entry.insert("question_text".to_owned(), question.into());
    entry.insert("category".to_owned(), CATEGORY.into());
    if let Some(url) = &args.url {
        entry.insert("atlas_url".to_owned(), url.as_str().into());
    }
    for pair in &args.context {
        let (part, value) = pair
            .split_once('=')
            .ok_or_else(|| Error::Usage(format!("--context {pair}: write PART=VALUE")))?;
        let context = entry.entry("context").or_insert_with(|| Map::new().into());
        let number = value.parse::<i64>().ok().filter(|_| part == "period");
        if let Some(context) = context.as_object_mut() {
            context.insert(part.to_owned(), number.map_or_else(|| value.into(), Value::from));
        }
    }
    Ok(Value::Object(entry))
}

/// Writes the manifest, unless the new entry makes it invalid.
fn write(path: &Path, manifest: &Value, extractors: &Extractors) -> Result<()> {
    let text = pretty(manifest)?;
    match manifest::parse(path, &text, extractors) {
        Ok(_) => write_atomic(path, text.as_bytes()),
        Err(found) => {
            // line numbers would be wrong: the file was not written
            for one in found.iter().filter(|found| found.severity == Severity::Error) {
                let field = if one.field.is_empty() { "" } else { &format!("`{}`: ", one.field) };
                print_status(format_args!("error: the new question: {field}{}", one.message));
            }
            Err(Error::Usage(
                "the question does not fit its page: nothing was written; see --url and --context".to_owned(),
            ))
        }
    }
}

/// Runs a command of this program and prints its command line. Unless the format is text, its output goes to stderr, so
/// that stdout has only our own report.
fn child(arguments: &[String], format: Format) -> Result<ExitStatus> {
    print_status(format_args!("$ {}", command(&typed(arguments), "")));
    let program = std::env::current_exe().map_err(Error::file("atlas-gt"))?;
    let mut child = Command::new(&program);
    if format != Format::Table {
        child.stdout(std::io::stderr());
    }
    child.args(arguments).status().map_err(Error::file(program))
}

/// Reports whether the last run reproduced the failure.
fn outcome(format: Format, runs: &Path, id: &str) -> Result<Exit> {
    let run = RunFolder::open(runs, "latest")?;
    let records = run.questions(&run.settings()?.planned)?;
    let scored = records
        .iter()
        .find(|record| record.question.question_id.as_str() == id)
        .and_then(|record| record.scored.as_ref());
    let scored =
        scored.ok_or_else(|| Error::Nothing(format!("run {} did not ask question {id}", run.name())))?;
    let (word, exit) = match scored.verdict {
        CaseVerdict::Pass => ("not reproduced", Exit::Differences),
        CaseVerdict::Unscored => ("undecided", Exit::Differences),
        _ => ("reproduced", Exit::Ok),
    };
    let verdict = scored.verdict.name();
    let done = format!("question {id}: {word} in run {} ({verdict}): {}", run.name(), scored.reason);
    let with =
        [("question_id", id.to_owned()), ("run", run.name().to_owned()), ("verdict", verdict.to_owned())];
    print_alone(format, &ActionReport { exit: Some(exit), ..ActionReport::new(done, with) })
}
