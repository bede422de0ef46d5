//! The report of a spot check, in the documented format (evaluation strategy 4.3) plus causes and
//! intervals.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::agent::{ExecutionTrace, Mode, Reply};
use crate::error::Exit;
use crate::evaluate::RefusedScore;
use crate::evaluate::checked::CheckedAnswer;
use crate::evaluate::run::{CaseSource, RunFolder, RunSettings};
use crate::evaluate::three_way::SpotCheckCause;
use crate::manifest::{Entry, QuestionId};
use crate::scoring::CaseVerdict;
use crate::scoring::stats::{Bounds, Proportion, wilson};
use crate::truth::{Quarantined, Site, time_text};
use crate::workflow::recorder::Picture;
use crate::workflow::refresh::Expiry;
use atlas_gt_core::question_id::integer_or_text;
use atlas_gt_core::sample::Drawn;
use atlas_gt_core::words::count;

/// The result of a spot check.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct SpotReport {
    /// The run that keeps the answers, below `runs/`.
    pub run: String,
    /// The start time, in whole seconds.
    pub timestamp: String,
    /// Questions with a result: matches and mismatches.
    pub questions_checked: usize,
    /// Questions on which agent, page and record agree.
    pub matches: usize,
    /// Questions on which they disagree.
    pub mismatches: usize,
    /// The number of chosen questions.
    pub questions_chosen: usize,
    /// Questions that the agent did not answer. They count as agent failures, not as mismatches.
    pub agent_failed: usize,
    /// Questions whose page failed.
    pub page_unreadable: usize,
    /// Undecided questions, including refused scores.
    pub unscored: usize,
    /// The number of questions by cause.
    pub causes: BTreeMap<SpotCheckCause, usize>,
    /// The share of matches among the checked questions, with a 95 % interval (Wilson).
    pub match_rate: Option<Proportion>,
    /// The share of right answers among all questions asked. A missing answer counts as not right
    /// (decision 17).
    pub pass_rate: Option<Proportion>,
    /// What a sample of this size can and cannot show.
    pub sample: SampleNote,
    /// The site.
    pub site: Site,
    /// Its address.
    pub address: String,
    /// The agent's name.
    pub agent: String,
    /// The pipeline that the agent should use.
    pub mode: Mode,
    /// The seed of the draw; null if the questions were named.
    pub seed: Option<u64>,
    /// Refused scores, with the reason.
    pub refused: Vec<RefusedQuestion>,
    /// Questions whose page differs from the record. Their changes wait for `refresh --commit`.
    pub pending: Vec<QuestionId>,
    /// Pending readings that were dropped, because the site shows another release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expired: Vec<Expiry>,
    /// Unreadable files of the store. Their questions cannot be chosen.
    pub quarantined: Vec<Quarantined>,
    /// The checked questions, in the order of the manifest.
    pub details: Vec<CheckedQuestion>,
    /// The folder of the run.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Page visits.
    #[serde(skip)]
    pub pages: usize,
    /// Requests that reached the site.
    #[serde(skip)]
    pub requests: u64,
    /// Whether the site refused or could not be reached for some page.
    #[serde(skip)]
    pub pages_failed_of_site: bool,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Why some questions were not checked; none if all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<String>,
    /// Duration in milliseconds.
    pub took_ms: u64,
    /// The exit code.
    pub exit_code: u8,
}

/// A refused score of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RefusedQuestion {
    /// The question.
    pub question_id: QuestionId,
    /// The data point, and the reason.
    #[serde(flatten)]
    pub score: RefusedScore,
}

/// What a sample of this size can and cannot show.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleNote {
    /// Questions in the sample.
    pub n: usize,
    /// The number of questions that it was drawn from.
    pub of: usize,
    /// 95 % interval of the mismatch rate.
    pub mismatch_interval: Option<Bounds>,
    /// The mismatch rate that such a sample shows at least once with 95 % probability.
    pub seen_once_from: Option<f64>,
    /// The same as a sentence.
    pub says: String,
}

/// One checked question.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckedQuestion {
    /// The id as evaluation strategy 4.3 writes it: an integer if it is one. Elsewhere in the report, ids are text.
    #[serde(serialize_with = "integer_or_text")]
    #[schemars(schema_with = "atlas_gt_core::question_id::integer_or_text_schema")]
    pub question_id: QuestionId,
    /// The question text.
    pub question_text: String,
    /// The agent's answer; null if it gave none.
    pub agent_answer: Option<String>,
    /// The page's value in one line; null if the page could not be read.
    pub browser_data: Option<String>,
    /// Whether answer and page match; null if undecided.
    #[serde(rename = "match")]
    pub is_match: Option<bool>,
    /// The discrepancy.
    pub discrepancy: Option<String>,
    /// The page.
    pub atlas_url: String,
    /// Why it was chosen.
    pub drawn: Drawn,
    /// Whether the page differs from the record, so that a change is pending.
    pub pending_change: bool,
    /// Links in the agent's answer.
    pub links: Vec<String>,
    /// The request id in the agent's logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The agent's execution trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<ExecutionTrace>,
    /// Further notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The verdict with cause, points and entities.
    #[serde(flatten)]
    pub verdict: CheckedAnswer,
    /// A picture of the page.
    #[serde(skip)]
    pub picture: Option<Picture>,
}

impl CheckedQuestion {
    pub(super) fn new(
        entry: &Entry,
        settings: &RunSettings,
        mut verdict: CheckedAnswer,
        reply: Option<&Reply>,
        pending_change: bool,
        picture: Option<Picture>,
    ) -> Self {
        Self {
            question_id: entry.question_id.clone(),
            question_text: entry.info.question_text.clone().unwrap_or_default(),
            agent_answer: reply.map(|reply| reply.answer.clone()),
            browser_data: verdict.browser_data.take(),
            is_match: verdict.cause.is_match(),
            discrepancy: verdict.discrepancy.take(),
            atlas_url: entry.url.to_string(),
            drawn: settings.source.drawn(&entry.question_id).unwrap_or(Drawn::Named),
            pending_change,
            links: reply.map(|reply| reply.links.clone()).unwrap_or_default(),
            request_id: reply.and_then(|reply| reply.request_id.clone()),
            trace: reply.and_then(|reply| reply.trace.clone()),
            notes: reply.map(|reply| reply.notes.clone()).unwrap_or_default(),
            verdict,
            picture,
        }
    }
}

impl SpotReport {
    pub(super) fn new(folder: &RunFolder, settings: &RunSettings, address: &str) -> Self {
        let candidates = match &settings.source {
            CaseSource::SpotCheck { candidates, .. } => *candidates,
            _ => settings.planned.len(),
        };
        Self {
            run: folder.name().to_owned(),
            folder: folder.path().to_owned(),
            timestamp: time_text(settings.started),
            sample: SampleNote { of: candidates, ..SampleNote::default() },
            site: settings.site,
            address: address.to_owned(),
            agent: settings.agent_name.clone(),
            mode: settings.mode,
            seed: settings.seed,
            questions_chosen: settings.planned.len(),
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, question: CheckedQuestion) {
        let cause = question.verdict.cause;
        *self.causes.entry(cause).or_default() += 1;
        *match (cause.is_match(), cause) {
            (Some(true), _) => &mut self.matches,
            (Some(false), _) => &mut self.mismatches,
            (None, SpotCheckCause::AgentFailed) => &mut self.agent_failed,
            (None, SpotCheckCause::PageUnreadable) => &mut self.page_unreadable,
            (None, _) => &mut self.unscored,
        } += 1;
        if question.pending_change {
            self.pending.push(question.question_id.clone());
        }
        let refused = |score: &RefusedScore| RefusedQuestion {
            question_id: question.question_id.clone(),
            score: score.clone(),
        };
        self.refused.extend(question.verdict.refused.iter().map(refused));
        self.details.push(question);
    }

    pub(super) fn finish(&mut self, took: Duration) {
        self.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.questions_checked = self.matches + self.mismatches;
        self.match_rate = wilson(self.matches as u64, self.questions_checked as u64);
        let verdicts = self.details.iter().map(|question| question.verdict.cause.verdict());
        self.pass_rate = CaseVerdict::pass_rate(&CaseVerdict::counts(verdicts));
        self.sample = note(self.mismatches, self.questions_checked, self.sample.of);
        self.exit_code = self.exit() as u8;
    }

    /// Whether questions are left although nothing stopped the check.
    fn has_not_ended(&self) -> bool {
        self.partial.is_some()
            && self.agent_failed == 0
            && !self.pages_failed_of_site
            && self.quarantined.is_empty()
    }

    /// The exit code (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            // a question whose record is gone, not one that agent, site or record explain
            (self.has_not_ended(), Exit::Interrupted),
            (!self.quarantined.is_empty(), Exit::Usage),
            (self.pages_failed_of_site, Exit::Site),
            (self.agent_failed > 0, Exit::Agent),
            (self.page_unreadable > 0, Exit::Extraction),
            (self.mismatches > 0 || !self.pending.is_empty(), Exit::Differences),
        ];
        Exit::worst_of(codes.into_iter().filter_map(|(holds, code)| holds.then_some(code)))
    }
}

/// What the sample shows. Among n draws a rate p shows at least once with probability 1 - (1 -
/// p)^n, so with 95 % from p = 1 - 0.05^(1/n) upwards.
fn note(mismatches: usize, n: usize, of: usize) -> SampleNote {
    let interval = wilson(mismatches as u64, n as u64).map(|rate| rate.interval);
    let seen = (n > 0).then(|| 1.0 - 0.05_f64.powf(1.0 / n as f64));
    let says = match (interval, seen) {
        (Some(interval), Some(seen)) => {
            let per_cent = |share: f64| format!("{:.0} %", share * 100.0);
            let mut text = format!(
                "mismatches: {mismatches} of {}; the rate over all {of} questions lies between {} and {} (95 %).",
                count(n, "question"),
                per_cent(interval.low),
                per_cent(interval.high)
            );
            text.push_str(&format!(
                " The sample catches (95 %) a fault that affects {} of all questions. Rarer faults may be missed.",
                per_cent(seen)
            ));
            if interval.high - interval.low > 0.2 {
                text.push_str(
                    " A sample of this size finds gross faults, but cannot compare two versions of an agent.",
                );
            }
            text
        }
        _ => "no question could be checked, so the rate is unknown.".to_owned(),
    };
    SampleNote { n, of, mismatch_interval: interval, seen_once_from: seen, says }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_says_what_it_can_show() {
        let of = note(0, 17, 170);
        assert!((of.seen_once_from.unwrap() - 0.1616).abs() < 1e-3, "{of:?}");
        assert!(of.says.contains("0 of 17") && of.says.contains("16 %"), "{}", of.says);
        assert!(note(0, 0, 10).says.contains("no question could be checked"));
    }
}
