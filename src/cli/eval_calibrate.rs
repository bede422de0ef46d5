//! `eval calibrate`: compares the judge with human labels.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::eval_judge::{JudgeArgs, grader, prices};
use super::eval_output::Runs;
use super::flags::{EventsTo, Overwrite};
use super::print::{print_alone, runtime};
use super::running::with_progress;
use super::settings::{self, Shared};
use crate::error::{Error, Exit, Result};
use crate::event::Events;
use crate::input;
use crate::judge::HumanLabel;
use crate::workflow::Clock;
use crate::workflow::evaluate::calibrate::{calibrate, keep};

/// Compare the judge with human labels, twice; later reports show the agreement
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval calibrate labels.jsonl --judge openai:gpt-5-mini\n\nExit code 3: the agreement is too low · 6: the judge left every label unscored"
)]
pub(super) struct CalibrateArgs {
    /// The labels, one JSON object per line: {"id", "question", "answer", "truth", "label": "pass"|"partial"|"fail",
    /// "dimensions"?, "mode"?, "trace"?}
    labels: PathBuf,
    /// Labels to judge at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrency: u16,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    events: EventsTo,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub(super) fn run(shared: &Shared, args: &CalibrateArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.runs.settings())?;
    let labels = HumanLabel::read(&args.labels, &input::text(&args.labels)?)?;
    let choice = args.judge.choice(&config)?.ok_or_else(|| {
        Error::Usage("name the judge to calibrate, for example --judge openai:MODEL".to_owned())
    })?;
    let grader = grader(&choice, &prices(&config)?, args.judge.timeout)?;
    let at = Clock::from_environment()?.now();
    let file = args.events.open(args.overwrite)?;
    let in_hand = (file, "the current labels; judgements are cached, the same command continues");
    let judged = async |events: &Events, stop: &AtomicBool| {
        calibrate(&grader, &choice, &labels, args.concurrency.into(), (events, stop), at).await
    };
    let report = runtime()?.block_on(with_progress(in_hand, std::future::ready(()), judged))?;
    keep(&config.runs, &report)?;
    print_alone(shared.format, &report)
}
