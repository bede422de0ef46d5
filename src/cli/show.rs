//! `atlas-gt show`, `list` and `status`: show one question, all questions, and pending work.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;

use super::flags::Overwrite;
use super::manifest;
use super::print::{print_of_store, print_report, quarantined};
use super::serve::Shown;
use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::manifest::{ManifestQuestion, QuestionId};
use crate::report::output;
use crate::report::show::{ListReport, ListedRecord, ShowReport, ShownValue, StatusReport, parts};
use crate::selection::at_least_one;
use crate::truth::{Store, pending, review, time_text};
use crate::workflow::{self, Clock};

/// Show a question's truth: every value, how precisely and when it was read, and what proves it
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt show 61\n  atlas-gt show 61 --picture 61.png --evidence 61.json\n  atlas-gt show 61 --format json"
)]
pub(super) struct ShowArgs {
    /// The question
    question: QuestionId,
    /// Write the picture kept with the record to this file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Write the capture of the page that proves it, as JSON
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// List the questions that have a record
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt list\n  atlas-gt list --where Kenya --where gdp_per_capita\n  atlas-gt list --where 'change waits'"
)]
pub(super) struct ListArgs {
    /// Only records with this text: in the question, country, data points, value or state; can be
    /// repeated
    #[arg(long = "where", value_name = "TEXT")]
    texts: Vec<String>,
}

/// List pending work: readings, changes, unfinished runs, stale records, unreadable files, the last
/// spot check and run; exit code 3 if there is any
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  atlas-gt status\n  atlas-gt status --store ground_truth --format json")]
pub(super) struct StatusArgs {
    #[command(flatten)]
    shown: Shown,
}

pub(super) fn show(shared: &Shared, args: &ShowArgs) -> Result<Exit> {
    let config = settings::resolve(shared, Settings::default())?;
    let store = Store::read(&config.store)?;
    let id = &args.question;
    let stored = store.load(id)?.ok_or_else(|| no_record(&config, id))?;
    let provenance = stored.provenance.as_ref();
    let value = |row: &crate::truth::Row| {
        let point = provenance.and_then(|all| all.of(row));
        ShownValue {
            field: row.field(),
            label: row.label(),
            rank: row.text("rank"),
            share: row.text("share"),
            value: row.shown(),
            interval: point.and_then(|point| point.interval),
            precise: point.and_then(|point| Some(point.precise.as_ref()?.number.normalize().to_string())),
            context: point.map(|point| parts(&point.context)).unwrap_or_default(),
            channel: point.map(|point| point.channel),
            agreement: point.and_then(|point| point.agreement),
            reason: point.and_then(|point| point.agreement_reason.clone()),
            read_at: point.and_then(|point| known_time(point.read_at)),
            evidence: point.and_then(|point| point.evidence.clone()),
            screenshot: point.and_then(|point| point.screenshot.clone()),
        }
    };
    let values: Vec<ShownValue> = stored.record.results.data.iter().map(value).collect();
    args.overwrite.check_named(args.picture.as_deref(), output::PICTURE)?;
    args.overwrite.check_named(args.evidence.as_deref(), output::CAPTURE)?;
    let mut missing = Vec::new();
    if let Some(path) = &args.picture {
        match values.iter().find_map(|value| value.screenshot.as_ref()) {
            Some(hash) => output::write(path, &store.picture(hash)?)?,
            None => missing.push("picture"),
        }
    }
    if let Some(path) = &args.evidence {
        match values.iter().find_map(|value| value.evidence.as_ref()) {
            Some(hash) => output::write(path, &store.evidence(hash)?)?,
            None => missing.push("capture"),
        }
    }
    // the files that exist are written before the missing ones are reported
    if !missing.is_empty() {
        return Err(Error::Nothing(format!("question {id} has no {}", missing.join(" and no "))));
    }
    let record = &stored.record;
    let (page, site) = (record.atlas_url.clone(), record.site);
    let report = ShowReport { question_id: id.to_string(), page, site, values };
    Ok(print_of_store(shared, &config, &report)?.worst(quarantined(&store.quarantined())))
}

/// The error for a question without a record. It names the command that creates one, if a page answers the question.
fn no_record(config: &Config, id: &QuestionId) -> Error {
    let (store, invocation) = (config.store.display(), settings::invocation(config));
    let manifest = settings::manifest_of(config);
    let is_read = manifest.is_some_and(|all| all.entries.iter().any(|entry| entry.question_id == *id));
    let next = match is_read {
        true => format!("`{}` creates one", invocation.with_manifest(&format!("collect --questions {id}"))),
        false => format!("`{}` shows the questions that have one", invocation.command("list")),
    };
    Error::Nothing(format!("{store} has no record of question {id}; {next}"))
}

/// A time as text. None for an imported record without one, which counts as never read.
fn known_time(at: Timestamp) -> Option<String> {
    (at > Timestamp::UNIX_EPOCH).then(|| time_text(at))
}

pub(super) fn list(shared: &Shared, args: &ListArgs) -> Result<Exit> {
    let config = settings::resolve(shared, Settings::default())?;
    let store = Store::read(&config.store)?;
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    let asked: BTreeMap<&QuestionId, ManifestQuestion<'_>> =
        manifest.questions().map(|one| (one.id, one)).collect();
    let (waiting, reviews) = (pending::ids(&store)?, review::ids(&store)?);
    let ids = at_least_one(store.question_ids()?, || {
        let collect = store.command("collect") + settings::invocation(&config).manifest();
        format!("{} has no record; create records with `{collect}`", store.dir().display())
    })?;
    let mut questions = Vec::new();
    for id in &ids {
        let Some(stored) = store.readable(id) else { continue };
        let rows = &stored.record.results.data;
        let mut points: Vec<String> = rows.iter().map(|row| row.data_point.clone()).collect();
        points.dedup();
        let state = match (waiting.contains(id), reviews.contains(id)) {
            (true, _) => "change waits",
            (_, true) => "reading waits",
            _ => "stored",
        };
        let of_number =
            asked.get(id).filter(|one| one.is_of(None, || stored.about())).and_then(|one| one.text());
        let one = ListedRecord {
            question_id: id.to_string(),
            question: stored.question().or(of_number).unwrap_or_default().to_owned(),
            country: rows.first().map(|row| row.country.clone()).unwrap_or_default(),
            points,
            value: rows.first().map(crate::truth::Row::shown).unwrap_or_default(),
            read_at: known_time(stored.record.execution_timestamp)
                .map(|at| at.chars().take(10).collect())
                .unwrap_or_default(),
            state,
            page_link: stored.record.page().link,
        };
        let text = format!(
            "{} {} {} {} {} {state}",
            one.question_id,
            one.question,
            one.country,
            one.points.join(" "),
            one.value
        );
        let text = text.to_lowercase();
        if args.texts.iter().all(|wanted| text.contains(&wanted.to_lowercase())) {
            questions.push(one);
        }
    }
    let questions =
        at_least_one(questions, || format!("--where {}: no record matches", args.texts.join(" --where ")))?;
    let report = ListReport { questions, records: ids.len() };
    Ok(print_of_store(shared, &config, &report)?.worst(quarantined(&store.quarantined())))
}

pub(super) fn status(shared: &Shared, args: &StatusArgs) -> Result<Exit> {
    let config = settings::resolve(shared, Settings::default())?;
    Store::read(&config.store)?;
    let sources = args.shown.sources(shared, &config, String::new())?;
    let items = atlas_gt_serve::inbox(&sources, Clock::from_environment()?.now())?;
    Ok(print_report(shared, &config, &StatusReport { items })?.worst(quarantined(&sources.quarantined()?)))
}
