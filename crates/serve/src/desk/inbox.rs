//! The first page: what waits for a person, most urgent first, each with where to go or what to type.

use std::collections::{BTreeMap, BTreeSet};

use crate::pages::values;
use atlas_gt_core::error::Result;
use atlas_gt_core::words::{count, name, spaced};
use atlas_gt_evaluate::run::trend::trend;
use atlas_gt_evaluate::run::{CaseVerdict, RunFolder, history, list};
use atlas_gt_health::stale::stale;
use atlas_gt_truth::checks::{self, Check};
use jiff::Timestamp;
use serde::Serialize;

use super::actions::SITES;
use super::{Page, Sources, changes, review, shown, spot_checks, times};
use crate::failures::FailureReport;
use crate::metrics::{Metrics, TargetState};

/// Something that waits, or the good news that nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct InboxItem {
    /// What waits.
    pub title: &'static str,
    /// `bad`, `warning`, `good` or `plain`.
    pub tone: &'static str,
    /// How much of it.
    pub count: usize,
    /// What it is, in a few lines.
    pub lines: Vec<String>,
    /// The page of the desk, where there is one.
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
        items.into_iter().partition(|item| item.count > 0 || item.tone != "good");
    Ok(Page {
        template: "inbox.html",
        values: values! { waiting, quiet, sites => SITES.to_vec(), agent_site => sources.agent_site },
    })
}

/// What waits, the most urgent first, and then the good news.
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
    let mut items = Vec::new();
    if let Some(store) = sources.store()? {
        let waiting = review::waiting(&store)?;
        let lines =
            waiting.iter().take(5).map(|one| format!("Q{}: {}", one.question_id, one.summary())).collect();
        items.push(item(
            "Values that wait for a person",
            "warning",
            waiting.len(),
            lines,
            Some("review"),
            "review",
        ));

        let changed = changes::waiting(&store)?;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for change in &changed {
            *kinds.entry(change.kind.clone()).or_default() += 1;
        }
        let questions: BTreeSet<&str> = changed.iter().map(|change| change.id.as_str()).collect();
        let mut lines: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
        if !lines.is_empty() {
            lines.insert(0, format!("in {}", count(questions.len(), "question")));
        }
        items.push(item(
            "Changes that wait",
            "warning",
            changed.len(),
            lines,
            Some("changes"),
            "refresh --commit",
        ));

        let looks = checks::read(&store)?.checks;
        let broken = broken(&looks);
        let line = |look: &&Check| {
            format!(
                "Q{} ({}): {}",
                look.question_id,
                name(&look.outcome),
                look.detail.as_deref().unwrap_or("no reason given")
            )
        };
        let lines = broken.iter().take(5).map(line).collect();
        items.push(item(
            "Pages that could not be read at the last look",
            "bad",
            broken.len(),
            lines,
            Some("points"),
            "mend",
        ));

        let old = stale(&store, &sources.stale_months, now)?;
        let lines =
            old.stale.iter().take(5).map(|one| format!("Q{}: {}", one.question_id, one.why)).collect();
        items.push(item("Stale truth", "warning", old.stale.len(), lines, None, "refresh --stale"));

        let bad = store.quarantined();
        let lines = bad.iter().take(5).map(ToString::to_string).collect();
        items.push(item("Files that cannot be read", "bad", bad.len(), lines, None, "verify"));

        let records = store.question_ids()?;
        let records = records.iter().filter_map(|id| store.readable(id));
        let collected = records.map(|stored| stored.record.execution_timestamp);
        let last = looks.iter().map(|look| look.timestamp).chain(collected).max();
        let line = last.map_or_else(
            || "nobody has looked yet".to_owned(),
            |at| format!("{} ago ({})", age(at, now), shown(at)),
        );
        items.push(InboxItem {
            tone: "plain",
            ..item("The last look at the site", "plain", 0, vec![line], None, "stale")
        });
    } else {
        let lines = vec![format!("{} holds no records yet", sources.store.display())];
        items.push(InboxItem { tone: "warning", ..item("No store", "warning", 0, lines, None, "collect") });
    }
    items.extend(last_check(sources)?);
    items.extend(last_run(sources)?);
    if let Some((metrics, failures)) = production {
        let waiting: Vec<_> = failures.waiting().collect();
        let line = |failure: &&&crate::failures::FailureGroup| {
            format!(
                "{}: {} ({})",
                times(failure.count),
                failure.question,
                failure.error.as_deref().unwrap_or("slow")
            )
        };
        let lines = waiting.iter().take(5).map(|failure| line(&failure)).collect();
        items.push(item(
            "Failures in production, seven days",
            "bad",
            waiting.len(),
            lines,
            Some("production"),
            "failures",
        ));
        let missed: Vec<_> =
            metrics.targets.iter().filter(|target| target.state == TargetState::Missed).collect();
        let lines = missed.iter().map(|target| format!("{}: {}", target.name, target.target)).collect();
        items.push(item(
            "Targets missed in production",
            "bad",
            missed.len(),
            lines,
            Some("production"),
            "failures",
        ));
    }
    items.sort_by_key(|item| match (item.count, item.tone) {
        (_, "bad") => 0,
        (_, "warning") => 1,
        (_, "good") => 3,
        _ => 2,
    });
    Ok(items)
}

/// An item that is good news when nothing waits.
fn item(
    title: &'static str,
    tone: &'static str,
    count: usize,
    lines: Vec<String>,
    path: Option<&str>,
    command: &str,
) -> InboxItem {
    let tone = if count == 0 { "good" } else { tone };
    InboxItem {
        title,
        tone,
        count,
        lines,
        path: path.map(str::to_owned),
        command: format!("atlas-gt {command}"),
    }
}

/// The last look at each question, where it did not succeed.
fn broken(looks: &[Check]) -> Vec<&Check> {
    let mut last = BTreeMap::new();
    for look in looks {
        last.insert(&look.question_id, look);
    }
    last.into_values().filter(|look| !look.outcome.is_good()).collect()
}

fn last_check(sources: &Sources) -> Result<Option<InboxItem>> {
    let Some(report) = spot_checks::all(sources)?.into_iter().next() else { return Ok(None) };
    let wrong = report.mismatches;
    let mut lines =
        vec![format!("{} checked at {}, {wrong} differ", report.questions_checked, report.timestamp)];
    lines.extend(report.causes.iter().map(|(cause, count)| format!("{}: {count}", spaced(cause))));
    Ok(Some(item(
        "Mismatches in the last spot check",
        "bad",
        wrong,
        lines,
        Some("spot-checks"),
        "spot-check",
    )))
}

fn last_run(sources: &Sources) -> Result<Option<InboxItem>> {
    let Some(name) = list(&sources.runs)?.pop() else { return Ok(None) };
    let (runs, _) = history::read(&sources.runs.join("history.jsonl"))?;
    let Some(at) = runs.iter().position(|run| run.run == name) else { return Ok(None) };
    let run = &runs[at];
    let trend = trend(&runs[..=at], &run.source, 1);
    let last = trend.and_then(|trend| trend.runs.into_iter().next()).filter(|last| last.run.run == name);
    let regressed = last.map(|last| last.regressions).unwrap_or_default();
    let mut lines = vec![format!(
        "{} of {}: {}",
        run.agent_model,
        shown(run.timestamp),
        run.pass_rate
            .map_or_else(|| "no pass rate".to_owned(), |rate| format!("{:.0} % passed", rate * 100.0))
    )];
    if !regressed.is_empty() {
        lines.push(format!("passed before and not now: {}", regressed.join(", ")));
    }
    let folder = RunFolder::open(&sources.runs, &name)?;
    let records = folder.questions(&folder.settings()?.planned)?;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let scored = records.iter().filter_map(|record| record.scored.as_ref());
    for one in scored.filter(|scored| scored.verdict == CaseVerdict::Unscored) {
        *reasons.entry(one.reason.chars().take(120).collect()).or_default() += 1;
    }
    lines.extend(reasons.iter().take(3).map(|(why, count)| format!("{count} unscored: {why}")));
    let path = format!("runs/{name}");
    Ok(Some(item(
        "Regressions in the last evaluation run",
        "bad",
        regressed.len(),
        lines,
        Some(&path),
        "eval trend",
    )))
}

/// How long ago, in the largest unit that fits.
fn age(at: Timestamp, now: Timestamp) -> String {
    let hours = now.duration_since(at).as_hours().max(0);
    match hours {
        0 => "less than an hour".to_owned(),
        1..48 => format!("{hours} hours"),
        _ => format!("{} days", hours / 24),
    }
}
