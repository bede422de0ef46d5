//! Settings of every command, and their origins.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueEnum};
use tracing_subscriber::EnvFilter;

use crate::atlas;
use crate::config::{self, Config, Setting, Settings};
use crate::error::{Error, Result};
use crate::evaluate::StoredQuestions;
use crate::input;
use crate::manifest::{Manifest, ManifestQuestion, PointCatalog, QuestionId};
use crate::report::{Format, Invocation, QuestionTexts, print_status};
use crate::truth::Store;
use crate::workflow;

/// Flags of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global")]
pub(super) struct Shared {
    /// Output format
    #[arg(long, global = true, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Folder of the records [default: ground_truth for the live site, out/twin for the twin]
    #[arg(long, global = true, value_name = "DIR", env = "ATLAS_GT_STORE")]
    pub store: Option<PathBuf>,
    /// Configuration file [default: atlas-gt.toml, if it exists]
    #[arg(long, global = true, value_name = "FILE", env = "ATLAS_GT_CONFIG")]
    pub config: Option<PathBuf>,
    /// Which site to read: `live`, `twin`, or an address that serves the site's pages [default: live]
    #[arg(long, global = true, value_name = "SITE", env = "ATLAS_GT_SITE")]
    pub site: Option<String>,
    /// Folder of extractor specs (*.toml) to use instead of the built-in ones
    #[arg(long, global = true, value_name = "DIR", env = "ATLAS_GT_EXTRACTORS")]
    pub extractors: Option<PathBuf>,
    /// Log level on stderr [default: RUST_LOG, else warn]
    #[arg(
        long,
        global = true,
        value_enum,
        ignore_case = true,
        value_name = "LEVEL",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub log: Option<LogLevel>,
    /// Format of the log lines
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text, hide_short_help = true)]
    pub log_format: LogFormat,
}

/// The log level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogLevel {
    /// Nothing
    Off,
    /// Failures
    Error,
    /// Warnings
    Warn,
    /// Progress
    Info,
    /// Details
    Debug,
    /// Everything
    Trace,
}

/// Format of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// One line per message
    Text,
    /// One JSON object per line
    Json,
}

/// Starts logging to stderr. The flag takes precedence over the environment.
pub(super) fn log(shared: &Shared) {
    let ours = |level: LogLevel| {
        let name = level.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        EnvFilter::new(format!("atlas_gt={name}"))
    };
    let filter = match (shared.log, std::env::var("RUST_LOG")) {
        (Some(level), _) => ours(level),
        (None, Ok(text)) => EnvFilter::try_new(&text).unwrap_or_else(|error| {
            print_status(format_args!("warning: RUST_LOG={text} is ignored: {error}"));
            ours(LogLevel::Warn)
        }),
        (None, Err(_)) => ours(LogLevel::Warn),
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // which would be printed to stderr too, and panic there
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .with_writer(std::io::stderr);
    match shared.log_format {
        LogFormat::Text => drop(builder.with_target(false).try_init()),
        LogFormat::Json => drop(builder.json().try_init()),
    }
}

/// The configuration file and its path, if there is one.
fn file(shared: &Shared) -> Result<(Settings, PathBuf)> {
    let path = shared.config.clone().unwrap_or_else(|| PathBuf::from(config::FILE));
    let is_there = shared.config.is_some() || path.exists();
    Ok((if is_there { Settings::load(&path)? } else { Settings::default() }, path))
}

/// The settings from the flags of every command.
fn common(shared: &Shared) -> Settings {
    let (store, site) = (shared.store.clone(), shared.site.clone());
    Settings { store, site, extractors: shared.extractors.clone(), ..Settings::default() }
}

/// The origin of each setting.
pub(super) fn sources(shared: &Shared, flags: Settings, config: &Config) -> Result<Vec<Setting>> {
    let (file, path) = file(shared)?;
    let cli = super::Cli::command();
    // a key whose flag takes no variable has none
    let variable = |name: &str| {
        let flag = name.strip_prefix("ATLAS_GT_")?.to_lowercase().replace('_', "-");
        std::env::var(super::variable_of_flag(&cli, &format!("--{flag}"))?).ok()
    };
    Ok(config::sources(&flags.or(common(shared)), (&file, &path), config, &variable))
}

/// The arguments by which another command finds the same site, store and configuration.
pub(super) fn arguments(shared: &Shared, config: &Config) -> Vec<String> {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let named = [
        ("store", Some(config.store.display().to_string())),
        ("config", path(&shared.config)),
        ("site", shared.site.clone()),
        ("extractors", path(&shared.extractors)),
    ];
    named.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?))).collect()
}

/// Who runs the program, as decisions name them: the account's name in the environment.
pub(super) fn user() -> String {
    let named = |key: &&str| std::env::var(key).ok().filter(|name| !name.is_empty());
    ["USER", "LOGNAME", "USERNAME"].iter().find_map(named).unwrap_or_else(|| "unknown".to_owned())
}

/// Merges the settings: flags, then environment, then file, then defaults.
pub(super) fn resolve(shared: &Shared, flags: Settings) -> Result<Config> {
    let config = flags.or(common(shared)).or(file(shared)?.0).resolve()?;
    if let Some(path) = &config.query_types {
        let due = "not a query type: expected a name, the API and its purpose, tab-separated";
        let wrong = |line| Error::syntax(path, (line, 1), due);
        atlas::add_query_types(&input::text(path)?).map_err(wrong)?;
    }
    Ok(config)
}

/// The context for reports. Question texts come from the manifest, if it can be read.
pub(super) fn invocation(config: &Config) -> Invocation {
    let settings = config.clone();
    Invocation::of(config, move || questions(&settings).unwrap_or_default())
}

/// Like [`invocation`], for reports on records. The store may number other questions than the
/// manifest.
pub(super) fn invocation_of_store(config: &Config) -> Invocation {
    let settings = config.clone();
    Invocation::of(config, move || {
        let mut texts = questions(&settings).unwrap_or_default();
        let Ok(Some(store)) = Store::find(&settings.store) else { return texts };
        let manifest = manifest_of(&settings);
        let is_other =
            store.manifest().is_none() || store.manifest() != manifest.as_ref().map(Manifest::content);
        let asked: BTreeMap<&QuestionId, ManifestQuestion<'_>> =
            manifest.iter().flat_map(Manifest::questions).map(|one| (one.id, one)).collect();
        // if the manifest is the same, only records without a question in it need their own text
        let own = store.question_ids().unwrap_or_default().into_iter();
        for id in own.filter(|id| is_other || !asked.contains_key(id)) {
            let Some(stored) = store.readable(&id) else { continue };
            let is_of = |one: &ManifestQuestion<'_>| one.is_of(None, || stored.about());
            match stored.question() {
                Some(own) => drop(texts.insert(id.to_string(), own.to_owned())),
                None if asked.get(&id).is_some_and(is_of) => {}
                None => drop(texts.remove(id.as_str())),
            }
        }
        texts
    })
}

/// Notes that records are matched by question text, if the store has other questions under the manifest's numbers.
/// A manifest that grew by a question is another one, but numbers the rest as before.
pub(super) fn note_other_numbers(store: &Store, manifest: &Manifest) {
    let is_other = store.manifest().is_some_and(|filled| filled != manifest.content());
    if is_other && StoredQuestions::new(store).check(manifest.questions()).is_err() {
        print_status(format_args!(
            "{} was filled from another list of questions with the same numbers: its records are matched by question text",
            store.dir().display()
        ));
    }
}

/// The manifest, if it can be read.
pub(super) fn manifest_of(config: &Config) -> Option<Manifest> {
    let extractors = workflow::extractors(config).ok()?;
    load(config.manifest.as_deref(), &extractors).ok()
}

fn questions(config: &Config) -> Option<QuestionTexts> {
    let manifest = manifest_of(config)?;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let texts = manifest.questions().map(|question| (question.id.to_string(), text(question.text())));
    Some(texts.collect())
}

/// The built-in manifest.
const BUILT_IN: &str = "manifests/atlas.json";
const BUILT_IN_TEXT: &str = include_str!("../../manifests/atlas.json");

/// The text of the manifest that [`load`] reads.
pub(super) fn manifest_text(config: &Config) -> Result<String> {
    let path = config.manifest.as_deref().unwrap_or(Path::new(BUILT_IN));
    match path == Path::new(BUILT_IN) && !path.exists() {
        true => Ok(BUILT_IN_TEXT.to_owned()),
        false => crate::input::text(path),
    }
}

/// The manifest at a path, or the one in the current folder, or the built-in one.
pub(super) fn load(
    path: Option<&Path>,
    specs: &dyn PointCatalog,
) -> std::result::Result<Manifest, Vec<crate::manifest::Diagnostic>> {
    // the name of the built-in manifest stands for it where there is no such file
    let path = path.unwrap_or(Path::new(BUILT_IN));
    match path == Path::new(BUILT_IN) && !path.exists() {
        true => crate::manifest::parse(path, BUILT_IN_TEXT, specs),
        false => crate::manifest::load(path, specs),
    }
}
