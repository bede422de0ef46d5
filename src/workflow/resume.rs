//! Chooses what a collection runs: every question, what an earlier run left undone, or what was not
//! checked recently.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::error::Result;
use crate::manifest::{Entry, QuestionId};
use crate::truth::run_log::{self, RunLog, Unfinished};
use crate::truth::{STALE_AFTER_MONTHS, Store, age, checks};

/// Which questions to run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResumeMode {
    /// All of them.
    #[default]
    Everything,
    /// Questions that the last run did not reach or could not answer. None if no run is unfinished.
    Unfinished,
    /// The same, and the given questions that the last run was not about. If no run is unfinished,
    /// the given questions without a record.
    UnfinishedAndNamed,
    /// Questions that the last run could not answer.
    Failed,
}

/// The questions of a resumed run.
#[derive(Debug, Default)]
pub struct ResumePlan {
    /// The questions to answer.
    pub entries: Vec<Entry>,
    /// Questions skipped because the resumed run has answered them. Without such a run, because
    /// they have a record.
    pub answered_before: usize,
    /// Whether there is no unfinished run and no record.
    pub nothing_known: bool,
    /// Questions skipped because they were checked recently.
    pub fresh: usize,
    /// Whether this run resumes an unfinished one.
    pub goes_on: bool,
    /// Questions that the resumed run left, and that are not among the given ones.
    pub unknown: Vec<QuestionId>,
    /// The start of an unfinished run that is not resumed, if any.
    pub abandoned: Option<Timestamp>,
}

/// Chooses the questions to run. Questions that cannot be collected stay, so that they are
/// reported.
///
/// # Errors
/// The store cannot be read.
pub fn plan_resume(
    store: &Store,
    entries: Vec<Entry>,
    again: ResumeMode,
    max_age: Option<Duration>,
    now: Timestamp,
) -> Result<ResumePlan> {
    let unfinished = RunLog::of_collect(store).unfinished()?.filter(|run| !run.is_complete());
    let mut taken = ResumePlan {
        goes_on: again != ResumeMode::Everything && unfinished.is_some(),
        ..ResumePlan::default()
    };
    let recorded: BTreeSet<QuestionId> = match unfinished {
        Some(_) => BTreeSet::new(),
        // an unreadable record counts as missing; its question fails and is reported
        None if again == ResumeMode::UnfinishedAndNamed => {
            store.records()?.map(|stored| stored.record.question_id).collect()
        }
        None => store.question_ids()?.into_iter().collect(),
    };
    taken.nothing_known = unfinished.is_none() && recorded.is_empty();
    let wanted: Option<BTreeSet<QuestionId>> = match (again, &unfinished) {
        (ResumeMode::Everything, _) => None,
        (ResumeMode::Unfinished, Some(run)) => Some(run.missing().union(&run.failed).cloned().collect()),
        (ResumeMode::UnfinishedAndNamed, Some(run)) => {
            let ids = entries.iter().map(|entry| &entry.question_id);
            let others = ids.filter(|id| !run.questions.contains(id)).cloned();
            Some(run.missing().union(&run.failed).cloned().chain(others).collect())
        }
        (ResumeMode::Failed, Some(run)) => Some(run.failed.clone()),
        (ResumeMode::UnfinishedAndNamed, None) => {
            let ids = entries.iter().map(|entry| &entry.question_id);
            Some(ids.filter(|id| !recorded.contains(id)).cloned().collect())
        }
        (ResumeMode::Unfinished | ResumeMode::Failed, None) => Some(BTreeSet::new()),
    };
    let known: BTreeSet<&QuestionId> = entries.iter().map(|entry| &entry.question_id).collect();
    let unknown = |id: &&QuestionId| !known.contains(id);
    taken.unknown = wanted.iter().flatten().filter(unknown).cloned().collect();
    taken.abandoned = unfinished.as_ref().filter(|_| !taken.goes_on).and_then(|run| run.begun);
    if let Some(run) = unfinished.as_ref().filter(|_| taken.goes_on) {
        let dropped = run_log::drop_orphans(store, run)?;
        tracing::debug!("dropped {dropped} unused evidence files of the interrupted run");
    }
    let answered = |run: &Unfinished, id: &QuestionId| run.answered.contains(id);
    let looks = checks::read(store)?;
    for entry in entries {
        let id = &entry.question_id;
        if !entry.is_collected() {
            taken.entries.push(entry);
            continue;
        }
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(id)) {
            let before = unfinished.as_ref().map_or_else(|| recorded.contains(id), |run| answered(run, id));
            taken.answered_before += usize::from(before);
            continue;
        }
        if let Some(max_age) = max_age
            && let Some(stored) = store.readable(id)
        {
            let looked = age(&stored.record, &looks, STALE_AFTER_MONTHS, now).last_looked;
            let ago = now.duration_since(looked).unsigned_abs();
            if looked <= now && ago <= max_age {
                taken.fresh += 1;
                continue;
            }
        }
        taken.entries.push(entry);
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Extractors;
    use crate::manifest::parse;
    use crate::truth::{Channel, PointProvenance, Provenance, Record, Site, file_reading};
    use crate::value::Context;
    use serde_json::json;
    use std::path::Path;

    fn entries(ids: &[&str]) -> Vec<Entry> {
        let question = |id: &&str| {
            json!({
                "question_id": id,
                "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
                "extraction_method": "dom",
                "extractor": "country_profile",
                "data_points": ["gdp_per_capita"],
            })
        };
        let text = json!({ "questions": ids.iter().map(question).collect::<Vec<_>>() }).to_string();
        parse(Path::new("test.json"), &text, &Extractors::built_in().unwrap()).unwrap().entries
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn taken(store: &Store, again: ResumeMode, max_age: Option<Duration>, now: &str) -> Vec<String> {
        let taken = plan_resume(store, entries(&["1", "2", "3", "4"]), again, max_age, at(now)).unwrap();
        taken.entries.iter().map(|entry| entry.question_id.to_string()).collect()
    }

    /// A record of question 1 as a run at that time would have left it.
    fn write_record(store: &Store, id: &str, time: &str) {
        let record: Record = serde_json::from_value(json!({
            "question_id": id, "execution_timestamp": time, "source": "atlas_country_page",
            "source_method": "browser_country_page", "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
            "site": "twin", "results": { "data": [{
                "data_point": "gdp_per_capita", "metric": "GDP per capita", "country": "Kenya", "value": "$2,274",
                "number": "2274", "unit": "USD", "year": "2024" }] },
        }))
        .unwrap();
        let row = &record.results.data[0];
        let points = vec![PointProvenance::of_row(row, Context::default(), Channel::Dom, at(time))];
        file_reading(store, &record, &Provenance::of_points(&record, points), at(time)).unwrap();
    }

    #[test]
    fn what_an_unfinished_run_left_is_taken_up_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        let now = "2026-11-20T10:30:00Z";
        let ids = |list: &[&str]| list.iter().map(|id| id.parse().unwrap()).collect::<Vec<QuestionId>>();
        RunLog::of_collect(&store).begin(ids(&["1", "2", "3"]), None, at(now)).unwrap();
        RunLog::of_collect(&store).finished(&ids(&["1"])[0], true).unwrap();
        RunLog::of_collect(&store).finished(&ids(&["2"])[0], false).unwrap();
        assert_eq!(taken(&store, ResumeMode::Unfinished, None, now), ["2", "3"], "4 was not asked for");
        assert_eq!(taken(&store, ResumeMode::Failed, None, now), ["2"]);
        assert_eq!(taken(&store, ResumeMode::Everything, None, now).len(), 4);
    }

    #[test]
    fn without_an_unfinished_run_only_named_questions_without_a_record_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        let now = "2026-11-20T10:30:00Z";
        write_record(&store, "1", now);
        assert_eq!(taken(&store, ResumeMode::UnfinishedAndNamed, None, now), ["2", "3", "4"]);
        assert!(taken(&store, ResumeMode::Unfinished, None, now).is_empty());
        assert!(taken(&store, ResumeMode::Failed, None, now).is_empty());
    }

    #[test]
    fn what_has_no_record_was_not_answered_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        let now = "2026-11-20T10:30:00Z";
        let failed =
            || plan_resume(&store, entries(&["1", "2", "3"]), ResumeMode::Failed, None, at(now)).unwrap();
        assert_eq!((failed().nothing_known, failed().answered_before), (true, 0));
        // a run that answered everything leaves records and no journal
        write_record(&store, "1", now);
        assert_eq!((failed().nothing_known, failed().answered_before), (false, 1));
    }

    #[test]
    fn what_was_looked_at_recently_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Site::Twin).unwrap();
        write_record(&store, "1", "2026-10-01T00:00:00Z");
        write_record(&store, "2", "2026-11-10T00:00:00Z");
        write_record(&store, "3", "2026-10-01T00:00:00Z");
        let look = |id: &str, outcome| checks::Check {
            timestamp: at("2026-11-12T00:00:00Z"),
            question_id: id.parse().unwrap(),
            outcome,
            detail: None,
            site_vintage: None,
        };
        checks::append(&store, &look("3", checks::CheckOutcome::Unchanged)).unwrap();
        // a failed visit does not count
        checks::append(&store, &look("1", checks::CheckOutcome::Failed)).unwrap();
        let month = Some(Duration::from_secs(30 * 24 * 3600));
        assert_eq!(taken(&store, ResumeMode::Everything, month, "2026-11-20T00:00:00Z"), ["1", "4"]);
    }
}
