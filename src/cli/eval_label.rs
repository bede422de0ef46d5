//! `eval label`: records the right verdict for an answer of a run.

use clap::Args;

use super::eval_output::Runs;
use super::flags::Who;
use super::print::print_alone;
use super::settings::Shared;
use crate::error::{Error, Exit, Result};
use crate::evaluate::run::CaseVerdict;
use crate::evaluate::run::labels::keep_label;
use crate::report::{ActionReport, quoted};
use crate::workflow::Clock;
use atlas_gt_core::command_line::runs_command;

/// Record what the verdict on an answer should be, for `eval calibrate`
///
/// The run keeps its own verdict. The label is appended to labels.jsonl in the runs folder. A later
/// label replaces and names an earlier one.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval label latest 61 fail\n  atlas-gt eval label 20261120T103000Z 61 pass --by 'J. Doe'\n  atlas-gt eval calibrate runs/labels.jsonl --judge openai:gpt-5-mini"
)]
pub(super) struct LabelArgs {
    /// The run: its name, its folder, or `latest`
    run: String,
    /// The question
    id: String,
    /// What the verdict should be
    #[arg(value_parser = ["pass", "partial", "fail"])]
    label: String,
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    runs: Runs,
}

pub(super) fn run(shared: &Shared, args: &LabelArgs) -> Result<Exit> {
    let said: CaseVerdict = serde_json::from_value(args.label.as_str().into())
        .map_err(|error| Error::Usage(format!("{}: {error}", args.label)))?;
    let at = Clock::from_environment()?.now();
    let runs = args.runs.folder(shared)?;
    let kept = keep_label(&runs, (&args.run, &args.id), said, (&args.who.name(), at))?;
    let own = kept.verdict.map_or("no verdict", CaseVerdict::name);
    let path = kept.path.display();
    let label = kept.label.name();
    let done = format!("question {}: {label} (the run says {own}), saved in {path}", args.id);
    let with = [("question_id", args.id.clone()), ("label", label.into()), ("file", path.to_string())];
    let calibrate = runs_command(&format!("eval calibrate {}", quoted(&path.to_string())), &runs);
    let next = vec![("compare the judge (name it with --judge)", calibrate)];
    print_alone(shared.format, &ActionReport { next, ..ActionReport::new(done, with) })
}
