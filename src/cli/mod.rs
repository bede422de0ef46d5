//! The command line. There is one file per subcommand. Each turns arguments into a library call, a
//! print and an exit code.

mod agent_choice;
mod annotate;
mod api;
mod changelog;
mod choice;
mod collect;
mod completions;
mod component;
mod component_agent;
mod coverage;
mod doctor;
mod eval;
mod eval_calibrate;
mod eval_compare;
mod eval_cost;
mod eval_export;
mod eval_judge;
mod eval_label;
mod eval_output;
mod eval_run;
mod export;
mod failures;
mod failures_promote;
mod flags;
mod gc;
mod history;
mod import;
mod known_failures;
mod lint;
mod manifest;
mod mend;
mod notify;
mod plan;
mod print;
#[cfg(all(test, feature = "twin"))]
mod reference;
mod refresh;
mod review;
mod review_steps;
mod running;
mod schema;
mod score;
mod score_answer;
mod score_answers;
mod score_batch;
mod score_files;
mod score_json;
mod score_text;
mod score_tools;
mod score_values;
mod selected;
mod serve;
mod settings;
mod show;
mod site;
mod site_pages;
mod spot_check;
mod stale;
mod suite;
mod suite_file;
mod survey;
mod traces;
#[cfg_attr(not(feature = "twin"), path = "no_twin.rs")]
mod twin;
mod verify;
mod visiting;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::error::{Error, Exit, Result};
use crate::report::{ErrorReport, Format, Invocation, NO_FINDINGS};
use settings::Shared;

/// Collect ground truth from the Atlas of Economic Complexity, keep it with its evidence, and score answers against it.
#[derive(Debug, Parser)]
#[command(name = "atlas-gt", version, max_term_width = 110, after_help = exit_codes())]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// All exit codes with their meanings, as the end of the help.
fn exit_codes() -> String {
    let all: Vec<String> =
        Exit::ALL.iter().map(|code| format!("{} {}", *code as u8, code.meaning())).collect();
    format!("Exit codes: {}", all.join(" · "))
}

/// The commands by purpose, in the order of help.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Collect the truth", &["plan", "collect", "refresh", "stale", "import"]),
    (
        "Inspect and export",
        &[
            "status",
            "show",
            "list",
            "review",
            "history",
            "changelog",
            "verify",
            "export",
            "gc",
            "serve",
            "site",
        ],
    ),
    ("Check", &["coverage", "annotate", "lint", "manifest"]),
    ("Keep up with the site", &["doctor", "survey", "mend", "api", "twin"]),
    ("Score and evaluate", &["score", "suite", "component", "spot-check", "eval"]),
    ("Watch production", &["traces", "failures"]),
    ("This program", &["schema", "completions", "help"]),
];

/// The command line, with help that groups the commands.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    let mut list = String::new();
    for (title, names) in GROUPS {
        list += &format!("\n{title}:\n");
        for found in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = found.get_about().map(ToString::to_string).unwrap_or_default();
            let about = about.split([':', ';']).next().unwrap_or_default();
            list += &format!("  {:<12} {about}\n", found.get_name());
        }
    }
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n{{options}}{{after-help}}"
    );
    taking_negative_numbers(Cli::command().help_template(template))
}

/// `--min-pass-rate -1` is a value out of range, not an unknown flag.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let negative = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    command.mut_args(negative).mut_subcommands(taking_negative_numbers)
}

#[derive(Debug, Subcommand)]
enum Command {
    Api(api::ApiArgs),
    Collect(collect::CollectArgs),
    Refresh(refresh::RefreshArgs),
    Review(review::ReviewArgs),
    Show(show::ShowArgs),
    List(show::ListArgs),
    Status(show::StatusArgs),
    History(history::HistoryArgs),
    Changelog(changelog::ChangelogArgs),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Verify(verify::VerifyArgs),
    Stale(stale::StaleArgs),
    Coverage(coverage::CoverageArgs),
    Annotate(annotate::AnnotateArgs),
    Lint(lint::LintArgs),
    Survey(survey::SurveyArgs),
    Mend(mend::MendArgs),
    Manifest(manifest::ManifestArgs),
    Plan(plan::PlanArgs),
    Score(score::ScoreArgs),
    SpotCheck(spot_check::SpotCheckArgs),
    Eval(eval::EvalArgs),
    Suite(suite::SuiteArgs),
    Component(component::ComponentArgs),
    Serve(serve::ServeArgs),
    Traces(traces::TracesArgs),
    Failures(failures::FailuresArgs),
    Site(site_pages::SiteArgs),
    #[cfg(feature = "twin")]
    Twin(twin::TwinArgs),
    Doctor(doctor::DoctorArgs),
    Gc(gc::GcArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    // without a provider the first TLS client would panic; a second installation is harmless
    drop(rustls::crypto::ring::default_provider().install_default());
    let parsed = command()
        .try_get_matches()
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, command_name(&matches))));
    let exit = match parsed {
        Ok((cli, name)) => {
            settings::log(&cli.shared);
            let shared = cli.shared.clone();
            run(cli).unwrap_or_else(|error| {
                print::print_error(&shared, name, &error);
                error.exit()
            })
        }
        Err(error) => refuse(error),
    };
    print::print_suite(exit);
    exit.worst(print::lost()).into()
}

/// Prints help, or why the arguments are invalid.
fn refuse(error: clap::Error) -> Exit {
    let error = naming_the_variable(error);
    // best effort: the exit code says the same
    drop(error.print());
    if !error.use_stderr() {
        return Exit::Ok;
    }
    let lenient = command().ignore_errors(true).try_get_matches();
    let name = lenient.map_or_else(|_| "atlas-gt".to_owned(), |matches| command_name(&matches));
    let text = error.render().to_string();
    let message = text.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
    let error = Error::Usage(message.to_owned());
    let report = ErrorReport::new(name, &error, Vec::new(), &Invocation::default());
    print::print_error_report(named_format(), &report);
    Exit::Usage
}

/// The format that invalid arguments name. They are searched, because clap stops at the first invalid one.
fn named_format() -> Format {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let after_flag = words.windows(2).find(|pair| pair[0] == "--format").map(|pair| pair[1].as_str());
    let name = after_flag.or_else(|| words.iter().find_map(|word| word.strip_prefix("--format=")));
    name.and_then(|name| Format::from_str(name, false).ok()).unwrap_or_default()
}

/// The words that name the command: `eval run`; the program's name if there are none.
fn command_name(matches: &clap::ArgMatches) -> String {
    let levels = std::iter::successors(Some(matches), |level| Some(level.subcommand()?.1));
    let words: Vec<&str> = levels.filter_map(|level| level.subcommand_name()).collect();
    if words.is_empty() { "atlas-gt".to_owned() } else { words.join(" ") }
}

/// An invalid value that comes from an environment variable is named after it, not after the flag that nobody wrote.
fn naming_the_variable(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else { return error };
    let long = flag.split([' ', '=']).next().unwrap_or_default().to_owned();
    if std::env::args().any(|word| word == long || word.starts_with(&format!("{long}="))) {
        return error;
    }
    if let Some(variable) = variable_of_flag(&Cli::command(), &long) {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    error
}

/// The environment variable that is set for a flag.
fn variable_of_flag(command: &clap::Command, flag: &str) -> Option<String> {
    let is_it = |arg: &&clap::Arg| arg.get_long().is_some_and(|long| flag == format!("--{long}"));
    let of_arg = |arg: &clap::Arg| Some(arg.get_env()?.to_str()?.to_owned());
    let mut own = command.get_arguments().filter(is_it).filter_map(of_arg);
    let own = own.find(|name| std::env::var_os(name).is_some());
    own.or_else(|| command.get_subcommands().find_map(|below| variable_of_flag(below, flag)))
}

fn run(cli: Cli) -> Result<Exit> {
    // fail before any work is done
    if cli.shared.format == Format::Sarif && !matches!(cli.command, Command::Lint(_)) {
        return Err(Error::Usage(NO_FINDINGS.to_owned()));
    }
    match cli.command {
        Command::Api(args) => api::run(cli.shared, args),
        Command::Collect(args) => collect::run(cli.shared, args),
        Command::Refresh(args) => refresh::run(cli.shared, args),
        Command::Review(args) => review::run(cli.shared, args),
        Command::Show(args) => show::show(&cli.shared, &args),
        Command::List(args) => show::list(&cli.shared, &args),
        Command::Status(args) => show::status(&cli.shared, &args),
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
        Command::Suite(args) => suite::run(&cli.shared, args),
        Command::Component(args) => component::run(&cli.shared, args),
        Command::Serve(args) => serve::run(&cli.shared, args),
        Command::Traces(args) => traces::run(&cli.shared, args),
        Command::Failures(args) => failures::run(&cli.shared, args),
        Command::Site(args) => site_pages::run(&cli.shared, &args),
        #[cfg(feature = "twin")]
        Command::Twin(args) => twin::run(cli.shared.format, args),
        Command::Doctor(args) => doctor::run(cli.shared, args),
        Command::Gc(args) => gc::run(cli.shared, args),
        Command::Schema(args) => schema::run(cli.shared.format, &args),
        Command::Completions(args) => Ok(completions::run(&args, Cli::command())),
        Command::Man(args) => completions::write_man(&args, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut command = Cli::command();
        command.build();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut known: Vec<&str> = shown.map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn a_flag_is_refused_beside_what_excludes_the_flag_that_it_requires() {
        let parsed = |line: &str| {
            Cli::try_parse_from(std::iter::once("atlas-gt").chain(line.split(' ')))
                .map_err(|error| error.kind())
        };
        for (line, refused) in [
            ("eval run --balanced 30 --seed 7", None),
            ("eval run --smoke --seed 7", Some(ErrorKind::ArgumentConflict)),
            ("eval run --questions 61 --seed 7", Some(ErrorKind::ArgumentConflict)),
            ("eval run --seed 7", Some(ErrorKind::MissingRequiredArgument)),
            ("refresh --commit --force --reason x", None),
            ("refresh --review --force --reason x", None),
            ("refresh --discard --force --reason x", Some(ErrorKind::ArgumentConflict)),
            ("refresh --discard --reason x", Some(ErrorKind::ArgumentConflict)),
            ("refresh --undo --force --reason x", Some(ErrorKind::ArgumentConflict)),
            ("refresh --force --reason x", Some(ErrorKind::MissingRequiredArgument)),
        ] {
            assert_eq!(parsed(line).err(), refused, "{line}");
        }
    }

    /// A heading applies to every flag that is defined after it.
    #[test]
    fn the_headings_of_agent_and_judge_hold_flags_of_agent_and_judge_only() {
        fn check(command: &clap::Command) -> usize {
            let headed = command.get_arguments().filter_map(|arg| Some((arg.get_help_heading()?, arg)));
            let mut checked = 0;
            for (heading, arg) in headed {
                let own: &[&str] = match heading {
                    "Agent" => &["answers", "mode", "pipeline"],
                    "Judge" => &["prompts", "rubric", "repeat"],
                    _ => continue,
                };
                let long = arg.get_long().unwrap_or_default();
                let is_own = own.contains(&long) || long.starts_with(&heading.to_lowercase());
                assert!(is_own, "{}: --{long} stands under {heading}", command.get_name());
                checked += 1;
            }
            checked + command.get_subcommands().map(check).sum::<usize>()
        }
        let mut cli = Cli::command();
        cli.build();
        assert!(check(&cli) > 20, "the headings have other names");
    }
}
