//! The command line: one file a subcommand, each turning arguments into a library call, a print and an
//! exit code.

mod agent_choice;
mod annotate;
mod api;
mod changelog;
mod choice;
mod collect;
mod completions;
mod component;
mod component_output;
mod coverage;
mod doctor;
mod eval;
mod eval_calibrate;
mod eval_compare;
mod eval_cost;
mod eval_judge;
mod eval_output;
mod eval_run;
mod export;
mod failures;
mod failures_promote;
mod gc;
mod history;
mod import;
mod lint;
mod manifest;
mod mend;
mod overwrite;
mod plan;
mod print;
#[cfg(all(test, feature = "twin"))]
mod reference;
mod refresh;
mod review;
mod review_steps;
mod running;
#[cfg(test)]
mod schemas;
mod score;
mod score_answer;
mod score_answers;
mod score_batch;
mod score_json;
mod score_output;
mod score_text;
mod score_tools;
mod score_values;
mod serve;
mod settings;
mod site;
mod site_pages;
mod spot_check;
mod stale;
mod suite;
mod suite_compare;
mod survey;
mod traces;
#[cfg_attr(not(feature = "twin"), path = "no_twin.rs")]
mod twin;
mod verify;
mod visiting;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use print::complain;
use settings::Shared;

/// Ground truth from the Atlas of Economic Complexity: collect it with a real browser, keep it with its
/// evidence, compare with it.
#[derive(Debug, Parser)]
#[command(name = "atlas-gt", version, max_term_width = 110, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done · 1 unexpected · 2 usage, configuration, manifest · 3 differences or a failed gate · \
4 something could not be extracted · 5 site unreachable or refusing · 6 agent or judge failed · 130 interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    Api(api::Args),
    Collect(collect::Args),
    Refresh(refresh::Args),
    Review(review::Args),
    History(history::Args),
    Changelog(changelog::Args),
    Import(import::Args),
    Export(export::Args),
    Verify(verify::Args),
    Stale(stale::Args),
    Coverage(coverage::Args),
    Annotate(annotate::Args),
    Lint(lint::Args),
    Survey(survey::Args),
    Mend(mend::Args),
    Manifest(manifest::Args),
    Plan(plan::Args),
    Score(score::ScoreArgs),
    SpotCheck(spot_check::Args),
    Eval(eval::Args),
    Suite(suite::SuiteArgs),
    Component(component::ComponentArgs),
    Serve(serve::Args),
    Traces(traces::Args),
    Failures(failures::Args),
    Site(site_pages::Args),
    #[cfg(feature = "twin")]
    Twin(twin::Args),
    Doctor(doctor::Args),
    Gc(gc::Args),
    Completions(completions::Args),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    // the first TLS client would panic without a provider; a second installation is no harm
    drop(rustls::crypto::ring::default_provider().install_default());
    let cli = Cli::parse();
    settings::log(&cli.shared);
    let result = match cli.command {
        Command::Api(args) => api::run(cli.shared, args),
        Command::Collect(args) => collect::run(cli.shared, args),
        Command::Refresh(args) => refresh::run(cli.shared, args),
        Command::Review(args) => review::run(cli.shared, args),
        Command::History(args) => history::run(cli.shared, args),
        Command::Changelog(args) => changelog::run(cli.shared, args),
        Command::Import(args) => import::run(cli.shared, args),
        Command::Export(args) => export::run(cli.shared, args),
        Command::Verify(args) => verify::run(cli.shared, args),
        Command::Stale(args) => stale::run(cli.shared, args),
        Command::Coverage(args) => coverage::run(cli.shared, args),
        Command::Annotate(args) => annotate::run(cli.shared, args),
        Command::Lint(args) => lint::run(cli.shared, args),
        Command::Survey(args) => survey::run(cli.shared, args),
        Command::Mend(args) => mend::run(cli.shared, args),
        Command::Manifest(args) => manifest::run(cli.shared, args),
        Command::Plan(args) => plan::run(cli.shared, args),
        Command::Score(args) => score::run(&cli.shared, args),
        Command::SpotCheck(args) => spot_check::run(cli.shared, args),
        Command::Eval(args) => eval::run(cli.shared, args),
        Command::Suite(args) => suite::run(args),
        Command::Component(args) => component::run(args),
        Command::Serve(args) => serve::run(&cli.shared, args),
        Command::Traces(args) => traces::run(&cli.shared, args),
        Command::Failures(args) => failures::run(&cli.shared, args),
        Command::Site(args) => site_pages::run(&cli.shared, &args),
        #[cfg(feature = "twin")]
        Command::Twin(args) => twin::run(args),
        Command::Doctor(args) => doctor::run(cli.shared, args),
        Command::Gc(args) => gc::run(cli.shared, args),
        Command::Completions(args) => Ok(completions::run(&args, Cli::command())),
    };
    let exit = result.unwrap_or_else(|error| {
        complain(&error);
        error.exit()
    });
    exit.worst(print::lost()).into()
}
