//! The first page: pending work, most urgent first, each item with its page or command.

use std::collections::{BTreeMap, BTreeSet};

use crate::templates::values;
use atlas_gt_core::command_line::file_flag;
use atlas_gt_core::error::Result;
use atlas_gt_core::question_id::{QuestionId, question_label};
use atlas_gt_core::tone::Tone;
use atlas_gt_core::words::{count, plural, spaced};
use atlas_gt_evaluate::run::trend::trend;
use atlas_gt_evaluate::run::{CaseKind, CaseVerdict, RunFolder, history, list, summary_of};
use atlas_gt_health::stale::stale;
use atlas_gt_scoring::stats::TargetOutcome;
use atlas_gt_truth::Store;
use atlas_gt_truth::checks::{self, Check, CheckOutcome};
use atlas_gt_truth::run_log::RunLog;
use jiff::Timestamp;
use serde::Serialize;

use super::actions::SITES;
use super::page::{Page, shown, times};
use super::sources::Sources;
use super::{changes, review, spot_checks};
use crate::failures::FailureReport;
use crate::metrics::Metrics;

/// An item of pending work, or the good news that there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct InboxItem {
    /// The title.
    pub title: &'static str,
    /// `bad`, `warning`, `good` or `plain`.
    #[schemars(with = "String")]
    pub tone: Tone,
    /// The number.
    pub count: usize,
    /// The details, in a few lines.
    pub lines: Vec<String>,
    /// The page of the desk, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command that shows or does the same.
    pub command: String,
}

pub(crate) fn page(
    sources: &Sources,
    production: Option<(&Metrics, &FailureReport)>,
    now: Timestamp,
) -> Result<Page> {
    let items = items(sources, production, now)?;
    let (waiting, quiet): (Vec<InboxItem>, Vec<InboxItem>) =
        items.into_iter().partition(|item| item.count > 0 || item.tone != Tone::Good);
    Ok(Page {
        template: "inbox.html",
        values: values! { waiting, quiet, sites => SITES.to_vec(), agent_site => sources.agent_site },
    })
}

/// Pending work, most urgent first, and then the good news.
///
/// # Errors
/// The store, a run or a report of a spot check cannot be read.
pub fn inbox(sources: &Sources, now: Timestamp) -> Result<Vec<InboxItem>> {
    items(sources, None, now)
}

fn items(
    sources: &Sources,
    production: Option<(&Metrics, &FailureReport)>,
    now: Timestamp,
) -> Result<Vec<InboxItem>> {
    let mut items = match sources.store()? {
        Some(store) => of_store(sources, &store, now)?,
        None => {
            let lines = vec![format!("{} has no records yet", sources.store.display())];
            let none = item("No store", Tone::Warning, 0, lines, None, "collect");
            vec![InboxItem { tone: Tone::Warning, ..none }]
        }
    };
    items.extend(last_check(sources)?);
    match last_run(sources) {
        Ok(found) => items.extend(found),
        Err(error) => items.push(unreadable(vec![error.to_string()])),
    }
    // a damaged last run is named once
    let unfinished = unfinished_runs(sources)?;
    let is_named = |one: &InboxItem| items.iter().any(|item| item.lines == one.lines && item.count > 0);
    let unfinished: Vec<InboxItem> = unfinished.into_iter().filter(|one| !is_named(one)).collect();
    items.extend(unfinished);
    items.extend(production.into_iter().flat_map(|(metrics, failures)| of_production(metrics, failures)));
    for item in &mut items {
        item.command = sources.command(&item.command);
    }
    items.sort_by_key(|item| match (item.count, item.tone) {
        (_, Tone::Bad) => 0,
        (_, Tone::Warning) => 1,
        (_, Tone::Good) => 3,
        _ => 2,
    });
    Ok(items)
}

/// The pending work of a store, and its age.
fn of_store(sources: &Sources, store: &Store, now: Timestamp) -> Result<Vec<InboxItem>> {
    let checks = checks::read(store)?.checks;
    let waiting = review::waiting(store)?;
    let values = first(&waiting, |one| format!("{}: {}", question_label(&one.question_id), one.summary()));
    let old = stale(store, &sources.stale_months, now)?.stale;
    let stale = first(&old, |one| format!("{}: {}", question_label(&one.question_id), one.why));
    let changed = waiting_changes(store)?;
    store.try_all()?;
    let bad = store.quarantined();
    let unread = first(&bad, ToString::to_string);
    Ok(vec![
        item("Values to review", Tone::Warning, waiting.len(), values, Some("review"), "review"),
        changed,
        unfinished("Unfinished collection", RunLog::of_collect(store), "collect --resume"),
        unfinished("Unfinished refresh", RunLog::of_refresh(store), "refresh --resume"),
        broken_pages(&checks),
        item("Stale truth", Tone::Warning, old.len(), stale, None, "refresh --stale"),
        item("Files that cannot be read", Tone::Bad, bad.len(), unread, None, "verify"),
        last_visit(store, &checks, now)?,
    ])
}

/// The questions that the last run of a command failed on or did not reach.
fn unfinished(title: &'static str, log: RunLog<'_>, command: &str) -> InboxItem {
    let run = match log.unfinished() {
        Ok(run) => run.unwrap_or_default(),
        Err(error) => return item(title, Tone::Bad, 1, vec![error.to_string()], None, "verify"),
    };
    let (failed, missing) = (&run.failed, run.missing());
    let named = |ids: &BTreeSet<QuestionId>, what: &str| {
        let all: Vec<&str> = ids.iter().take(10).map(QuestionId::as_str).collect();
        let more = if ids.len() > all.len() { " …" } else { "" };
        (!ids.is_empty())
            .then(|| format!("{} {what}: {}{more}", count(ids.len(), "question"), all.join(", ")))
    };
    let begun = run.begun.filter(|_| !run.is_complete()).map(|at| format!("started {}", shown(at)));
    let lines = [begun, named(failed, "failed"), named(&missing, "not reached")];
    let command = format!("{command}{}", file_flag("manifest", run.manifest.as_deref()));
    item(
        title,
        Tone::Bad,
        failed.len() + missing.len(),
        lines.into_iter().flatten().collect(),
        None,
        &command,
    )
}

/// The first five entries of a list as text, and the number of the rest.
fn first<T>(list: &[T], words: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = list.iter().take(5).map(words).collect();
    if list.len() > lines.len() {
        lines.push(format!("and {} more", list.len() - lines.len()));
    }
    lines
}

fn waiting_changes(store: &Store) -> Result<InboxItem> {
    let changed = changes::waiting(store)?;
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for change in &changed {
        *kinds.entry(change.kind.to_string()).or_default() += 1;
    }
    let questions: BTreeSet<&str> = changed.iter().map(|change| change.id.as_str()).collect();
    let mut lines: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    if !lines.is_empty() {
        lines.insert(0, format!("in {}", count(questions.len(), "question")));
    }
    Ok(item("Pending changes", Tone::Warning, changed.len(), lines, Some("changes"), "refresh --commit"))
}

/// The questions whose last check failed.
fn broken_pages(checks: &[Check]) -> InboxItem {
    let last: BTreeMap<_, &Check> = checks.iter().map(|check| (&check.question_id, check)).collect();
    let broken: Vec<&Check> =
        last.into_values().filter(|check| check.outcome == CheckOutcome::Failed).collect();
    let lines = first(&broken, |check| {
        let why = check.detail.as_deref().unwrap_or("no reason given");
        format!("{}: {why}", question_label(&check.question_id))
    });
    let title = "Pages that could not be read at the last visit";
    item(title, Tone::Bad, broken.len(), lines, Some("points"), "mend")
}

fn last_visit(store: &Store, checks: &[Check], now: Timestamp) -> Result<InboxItem> {
    let ids = store.question_ids()?;
    let records = ids.iter().filter_map(|id| store.readable(id));
    let collected = records.map(|stored| stored.record.execution_timestamp);
    let last = checks.iter().map(|check| check.timestamp).chain(collected).max();
    let line = last
        .map_or_else(|| "not visited yet".to_owned(), |at| format!("{} ago ({})", age(at, now), shown(at)));
    let visit = item("Last visit to the site", Tone::Plain, 0, vec![line], None, "stale");
    Ok(InboxItem { tone: Tone::Plain, ..visit })
}

fn of_production(metrics: &Metrics, failures: &FailureReport) -> [InboxItem; 2] {
    let waiting: Vec<_> = failures.waiting().collect();
    let of_failure = first(&waiting, |one| {
        format!("{}: {} ({})", times(one.count), one.question, one.error.as_deref().unwrap_or("slow"))
    });
    let missed: Vec<_> =
        metrics.targets.iter().filter(|target| target.state == TargetOutcome::Missed).collect();
    let of_target = missed.iter().map(|target| format!("{}: {}", target.name, target.target)).collect();
    [
        ("Failures in production, seven days", waiting.len(), of_failure),
        ("Targets missed in production", missed.len(), of_target),
    ]
    .map(|(title, count, lines)| item(title, Tone::Bad, count, lines, Some("production"), "failures"))
}

/// An item that is good news if its count is 0.
fn item(
    title: &'static str,
    tone: Tone,
    count: usize,
    lines: Vec<String>,
    path: Option<&str>,
    command: &str,
) -> InboxItem {
    let tone = if count == 0 { Tone::Good } else { tone };
    InboxItem { title, tone, count, lines, path: path.map(str::to_owned), command: command.to_owned() }
}

fn last_check(sources: &Sources) -> Result<Option<InboxItem>> {
    let Some(report) = spot_checks::all(sources)?.into_iter().next() else { return Ok(None) };
    let wrong = report.mismatches;
    let checked = count(report.questions_checked, "question");
    let mismatches = plural(wrong, "mismatch", "mismatches");
    let mut lines = vec![format!("{checked} checked at {}, {mismatches}", report.timestamp)];
    lines.extend(report.causes.iter().map(|(cause, count)| format!("{}: {count}", spaced(cause))));
    let title = "Mismatches in the last spot check";
    let command =
        if report.run.is_empty() { "eval list".to_owned() } else { format!("eval report {}", report.run) };
    Ok(Some(item(title, Tone::Bad, wrong, lines, Some("spot-checks"), &command)))
}

fn last_run(sources: &Sources) -> Result<Option<InboxItem>> {
    let (runs, _) = history::read(&sources.runs.join("history.jsonl"))?;
    let names = list(&sources.runs)?;
    // spot checks have their own item
    let at = |name: &String| {
        runs.iter().position(|run| run.run == *name && run.kind() != Some(CaseKind::SpotCheck))
    };
    let last = names.iter().rev().find_map(|name| Some((name, at(name)?)));
    let Some((name, at)) = last else { return Ok(None) };
    let run = &runs[at];
    let trend = run.kind().and_then(|kind| trend(&runs[..=at], kind, run.suite.as_deref(), 1));
    let last = trend.and_then(|trend| trend.runs.into_iter().next()).filter(|last| last.run.run == *name);
    let regressed = last.map(|last| last.regressions).unwrap_or_default();
    let mut lines = vec![format!(
        "{}, {}: {}",
        run.agent_model,
        shown(run.timestamp),
        run.pass_rate
            .map_or_else(|| "no pass rate".to_owned(), |rate| format!("{:.0} % passed", rate * 100.0))
    )];
    if !regressed.is_empty() {
        lines.push(format!("passed before, but not now: {}", regressed.join(", ")));
    }
    let folder = RunFolder::open(&sources.runs, name)?;
    let records = folder.questions(&folder.settings()?.planned)?;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let scored = records.iter().filter_map(|record| record.scored.as_ref());
    for one in scored.filter(|scored| scored.verdict == CaseVerdict::Unscored) {
        *reasons.entry(one.reason.chars().take(120).collect()).or_default() += 1;
    }
    lines.extend(reasons.iter().take(3).map(|(why, count)| format!("{count} unscored: {why}")));
    let path = format!("runs/{name}");
    let title = "Regressions in the last evaluation run";
    Ok(Some(item(title, Tone::Bad, regressed.len(), lines, Some(&path), "eval trend")))
}

/// How many of the last runs are searched.
const LAST_RUNS: usize = 20;

const UNFINISHED_RUN: &str = "Unfinished cases of a run";

/// The runs with unfinished cases since the last complete run of their kind and suite.
fn unfinished_runs(sources: &Sources) -> Result<Vec<InboxItem>> {
    let (mut items, mut faults) = (Vec::new(), Vec::new());
    let mut complete: BTreeSet<(CaseKind, Option<String>)> = BTreeSet::new();
    for name in list(&sources.runs)?.iter().rev().take(LAST_RUNS) {
        match unfinished_run(sources, name, &mut complete) {
            Ok(found) => items.extend(found),
            Err(error) => faults.push(error.to_string()),
        }
    }
    if items.is_empty() {
        items.push(item(UNFINISHED_RUN, Tone::Warning, 0, Vec::new(), None, "eval list"));
    }
    if !faults.is_empty() {
        items.push(unreadable(faults));
    }
    Ok(items)
}

fn unfinished_run(
    sources: &Sources,
    name: &str,
    complete: &mut BTreeSet<(CaseKind, Option<String>)>,
) -> Result<Option<InboxItem>> {
    let folder = RunFolder::open(&sources.runs, name)?;
    let settings = folder.settings()?;
    let kind = (settings.source.kind(), settings.source.suite().map(str::to_owned));
    if complete.contains(&kind) {
        return Ok(None);
    }
    let (summary, _) = summary_of(&folder, &settings, None)?;
    let Some(resume) = summary.resume() else {
        // a rescored run asks nothing, so an older one may still have cases left
        if settings.rescore_of.is_none() {
            complete.insert(kind);
        }
        return Ok(None);
    };
    let (tone, why, command) = match folder.is_under_way() {
        true => (Tone::Plain, "it is running".to_owned(), format!("eval report {name}")),
        false => (Tone::Warning, summary.partial.clone().unwrap_or_default(), resume),
    };
    let ended: u64 = summary.counts.values().sum();
    let left = summary.planned.saturating_sub(ended + summary.unasked);
    let left = usize::try_from(left).unwrap_or(usize::MAX);
    let path = format!("runs/{name}");
    Ok(Some(item(UNFINISHED_RUN, tone, left, vec![format!("{name}: {why}")], Some(&path), &command)))
}

fn unreadable(faults: Vec<String>) -> InboxItem {
    item("Runs that cannot be read", Tone::Bad, faults.len(), faults, None, "eval list")
}

/// The age, in the largest suitable unit.
fn age(at: Timestamp, now: Timestamp) -> String {
    let hours = now.duration_since(at).as_hours().max(0);
    match hours {
        0 => "less than an hour".to_owned(),
        1..48 => count(hours.unsigned_abs(), "hour"),
        _ => format!("{} days", hours / 24),
    }
}
