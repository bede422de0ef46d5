//! What a spot check came to, in the documented form (evaluation strategy 4.3) with causes and intervals beside.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::Order;
use crate::agent::{ExecutionTrace, Mode, Reply};
use crate::error::Exit;
use crate::evaluate::RefusedScore;
use crate::evaluate::checked::CheckedAnswer;
use crate::evaluate::three_way::SpotCheckCause;
use crate::manifest::Entry;
use crate::scoring::CaseVerdict;
use crate::scoring::stats::{Bounds, Proportion, wilson};
use crate::truth::{Quarantined, Site, time_text};
use crate::workflow::job::Job;
use atlas_gt_core::sample::Drawn;

/// What a spot check came to.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct SpotReport {
    /// When it began; whole seconds.
    pub timestamp: String,
    /// Questions about which something can be said: matches and mismatches.
    pub questions_checked: usize,
    /// Questions on which agent, page and truth agree.
    pub matches: usize,
    /// Questions on which they do not.
    pub mismatches: usize,
    /// Questions that were chosen.
    pub questions_chosen: usize,
    /// Questions to which the agent gave no answer. They count as failures of the agent, not as mismatches.
    pub agent_failed: usize,
    /// Questions whose page could not be read.
    pub page_unreadable: usize,
    /// Questions that cannot be decided, refused scores included.
    pub unscored: usize,
    /// Questions by cause.
    pub causes: BTreeMap<SpotCheckCause, usize>,
    /// Matches among the questions checked, with its 95 % interval (Wilson).
    pub match_rate: Option<Proportion>,
    /// Right answers among all that were asked: an answer that never came is no right one (decision 17).
    pub pass_rate: Option<Proportion>,
    /// What a sample of this size can and cannot show.
    pub sample: SampleNote,
    /// The site.
    pub site: Site,
    /// Its address.
    pub address: String,
    /// The agent.
    pub agent: String,
    /// The pipeline that it was asked to use.
    pub mode: Mode,
    /// The seed of the draw; null where the questions were named.
    pub seed: Option<u64>,
    /// Scores that were refused, with the reason.
    pub refused: Vec<(String, RefusedScore)>,
    /// Questions whose page differs from the stored truth: the changes wait for `refresh --commit`.
    pub pending: Vec<Value>,
    /// What of the store cannot be read: these questions cannot be chosen.
    pub quarantined: Vec<Quarantined>,
    /// Every question, in the order of the manifest.
    pub details: Vec<CheckedQuestion>,
    /// Pages that were visited.
    #[serde(skip)]
    pub pages: usize,
    /// Requests that reached the site.
    #[serde(skip)]
    pub requests: u64,
    /// Whether the site itself refused or could not be reached for some page.
    #[serde(skip)]
    pub pages_failed_of_site: bool,
    /// Whether the run was stopped from outside.
    pub interrupted: bool,
    /// Milliseconds from start to end.
    pub took_ms: u64,
    /// The exit code that this report leads to.
    pub exit_code: u8,
}

/// What a sample of this size can and cannot show.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SampleNote {
    /// Questions in the sample.
    pub n: usize,
    /// Questions that it was drawn from.
    pub of: usize,
    /// 95 % interval of the rate of mismatches.
    pub mismatch_interval: Option<Bounds>,
    /// The rate of mismatches that would show at least once in such a sample with 95 % probability.
    pub seen_once_from: Option<f64>,
    /// In words.
    pub says: String,
}

/// One checked question.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CheckedQuestion {
    /// The question: an integer when it is one.
    pub question_id: Value,
    /// What was asked.
    pub question_text: String,
    /// What the agent answered; null when it gave no answer.
    pub agent_answer: Option<String>,
    /// What the page says, in one line; null when it could not be read.
    pub browser_data: Option<String>,
    /// Whether they match; null when nothing can be said.
    #[serde(rename = "match")]
    pub is_match: Option<bool>,
    /// What is wrong.
    pub discrepancy: Option<String>,
    /// The page.
    pub atlas_url: String,
    /// Why it was chosen.
    pub drawn: Drawn,
    /// Whether the page differs from the stored truth, so that a change waits.
    pub pending_change: bool,
    /// Links that the agent gave.
    pub links: Vec<String>,
    /// The id under which the agent's logs know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How the agent came to its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<ExecutionTrace>,
    /// What else happened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Cause, points, entities.
    #[serde(flatten)]
    pub verdict: CheckedAnswer,
    /// A picture of what the page showed, as PNG.
    #[serde(skip)]
    pub picture: Option<Picture>,
}

/// A picture as PNG.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture(pub Vec<u8>);

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture of {} bytes", self.0.len())
    }
}

impl CheckedQuestion {
    pub(super) fn new(
        entry: &Entry,
        order: &Order,
        mut verdict: CheckedAnswer,
        reply: Option<&Reply>,
        pending_change: bool,
        picture: Option<Vec<u8>>,
    ) -> Self {
        Self {
            question_id: entry.question_id.to_json(),
            question_text: entry.info.question_text.clone().unwrap_or_default(),
            agent_answer: reply.map(|reply| reply.answer.clone()),
            browser_data: verdict.browser_data.take(),
            is_match: verdict.is_match,
            discrepancy: verdict.discrepancy.take(),
            atlas_url: entry.url.to_string(),
            drawn: order.drawn.get(&entry.question_id).copied().unwrap_or(Drawn::Named),
            pending_change,
            links: reply.map(|reply| reply.links.clone()).unwrap_or_default(),
            request_id: reply.and_then(|reply| reply.request_id.clone()),
            trace: reply.and_then(|reply| reply.trace.clone()),
            notes: reply.map(|reply| reply.notes.clone()).unwrap_or_default(),
            verdict,
            picture: picture.map(Picture),
        }
    }
}

impl SpotReport {
    pub(super) fn new(job: &Job, order: &Order, agent: String, now: Timestamp) -> Self {
        Self {
            timestamp: time_text(now),
            questions_checked: 0,
            matches: 0,
            mismatches: 0,
            questions_chosen: 0,
            agent_failed: 0,
            page_unreadable: 0,
            unscored: 0,
            causes: BTreeMap::new(),
            match_rate: None,
            pass_rate: None,
            sample: SampleNote { of: order.candidates, ..SampleNote::default() },
            site: job.store.site(),
            address: job.base.to_string(),
            agent,
            mode: order.mode,
            seed: order.seed,
            refused: Vec::new(),
            pending: Vec::new(),
            quarantined: Vec::new(),
            details: Vec::new(),
            pages: 0,
            requests: 0,
            pages_failed_of_site: false,
            interrupted: false,
            took_ms: 0,
            exit_code: 0,
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
        let id = match &question.question_id {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.refused.extend(question.verdict.refused.iter().map(|refused| (id.clone(), refused.clone())));
        self.details.push(question);
    }

    pub(super) fn finish(&mut self, took: Duration) {
        self.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.questions_chosen = self.details.len();
        self.questions_checked = self.matches + self.mismatches;
        self.match_rate = wilson(self.matches as u64, self.questions_checked as u64);
        let verdicts = self.details.iter().map(|question| question.verdict.cause.verdict());
        self.pass_rate = CaseVerdict::pass_rate(&CaseVerdict::counts(verdicts));
        self.sample = note(self.mismatches, self.questions_checked, self.sample.of);
        self.exit_code = self.exit() as u8;
    }

    /// The exit code that this report leads to (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        let codes = [
            (self.interrupted, Exit::Interrupted),
            (!self.quarantined.is_empty(), Exit::Usage),
            (self.pages_failed_of_site, Exit::Site),
            (self.agent_failed > 0, Exit::Agent),
            (self.page_unreadable > 0, Exit::Extraction),
            (self.mismatches > 0 || !self.pending.is_empty(), Exit::Differences),
        ];
        codes.into_iter().filter(|(holds, _)| *holds).fold(Exit::Ok, |worst, (_, code)| worst.worst(code))
    }
}

/// What the sample shows. A rate p shows at least once among n draws with probability 1 - (1 - p)^n, so with 95 % from
/// p = 1 - 0.05^(1/n) on.
fn note(mismatches: usize, n: usize, of: usize) -> SampleNote {
    let interval = wilson(mismatches as u64, n as u64).map(|rate| rate.interval);
    let seen = (n > 0).then(|| 1.0 - 0.05_f64.powf(1.0 / n as f64));
    let says = match (interval, seen) {
        (Some(interval), Some(seen)) => {
            let per_cent = |share: f64| format!("{:.0} %", share * 100.0);
            let mut text = format!(
                "{mismatches} of {n} questions mismatch; the rate over all {of} questions lies between {} and {} (95 %).",
                per_cent(interval.low),
                per_cent(interval.high)
            );
            text.push_str(&format!(
                " A fault in {} of the questions or more would have shown at least once with 95 % probability, one in fewer may have been missed.",
                per_cent(seen)
            ));
            if interval.high - interval.low > 0.2 {
                text.push_str(" A sample of this size finds gross faults; it cannot tell two versions of an agent apart.");
            }
            text
        }
        _ => "nothing could be checked, so nothing is known of the rate.".to_owned(),
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
        assert!(note(0, 0, 10).says.contains("nothing could be checked"));
    }
}
