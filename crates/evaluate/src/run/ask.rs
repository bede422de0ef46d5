//! The one loop that asks cases, several in parallel. Each answer is stored before it is scored,
//! and again with its score. The caller provides cases, agent and scorer.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, stream};
use rust_decimal::Decimal;

use super::question::Case;
use super::record::{Answer, QuestionRecord, Scored};
use super::run_folder::RunFolder;
use super::settings::RunSettings;
use super::summary::Ending;
use crate::agent::{Agent, AgentError, AgentQuestion, Mode};
use crate::breaker::Breaker;
use crate::error::Result;
use crate::event::{Event, Events};
use crate::judge::Budget;
use crate::manifest::QuestionId;
use crate::scoring::CaseVerdict;
use crate::scoring::cost::Cost;
use atlas_gt_core::clock::Clock;

/// Scores the answers of a run.
pub trait CaseScorer: Sync {
    /// The estimated cost of scoring one answer, in US dollars.
    fn price_usd(&self) -> Decimal {
        Decimal::ZERO
    }

    /// One-time work before the first answer is scored.
    ///
    /// # Errors
    /// The run's folder cannot be read or written.
    fn prepare(&self, _budget: &Budget, _concurrency: usize) -> impl Future<Output = Result<()>> {
        std::future::ready(Ok(()))
    }

    /// Scores the answer to a case; none if it is scored later.
    fn score(&self, record: &QuestionRecord) -> impl Future<Output = Option<Scored>>;
}

/// A scorer for answers that are scored after the run.
#[derive(Debug, Clone, Copy)]
pub struct ScoredLater;

impl CaseScorer for ScoredLater {
    fn score(&self, _: &QuestionRecord) -> impl Future<Output = Option<Scored>> {
        std::future::ready(None)
    }
}

/// The limits of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunLimits {
    /// The pipeline that the agent should use.
    pub mode: Mode,
    /// The number of cases asked in parallel.
    pub concurrency: usize,
    /// The assumed cost of an answer in US dollars, if it states none.
    pub agent_price_usd: Option<Decimal>,
    /// The budget of the run in US dollars.
    pub budget_usd: Option<Decimal>,
    /// Whether the answers are recorded. The run then spends nothing on them, and uses the latency
    /// that they state (decision 21).
    pub is_recorded: bool,
}

impl RunLimits {
    /// The limits of a stored run.
    #[must_use]
    pub fn of(settings: &RunSettings) -> Self {
        let is_recorded = settings.is_of_known_answers();
        Self {
            mode: settings.mode,
            concurrency: settings.concurrency,
            agent_price_usd: settings.agent_price_usd.filter(|_| !is_recorded),
            budget_usd: settings.budget_usd,
            is_recorded,
        }
    }
}

/// A run: its agent, its scorer, and its folder.
#[derive(Debug)]
pub struct Run<'a, A, S> {
    /// The folder.
    pub folder: &'a RunFolder,
    /// The agent.
    pub agent: &'a A,
    /// The scorer.
    pub scorer: &'a S,
    /// The limits.
    pub limits: RunLimits,
    /// The clock.
    pub clock: Clock,
    /// The event sink.
    pub events: &'a Events,
    /// Set when the run is interrupted.
    pub stop: &'a AtomicBool,
}

impl<A: Agent, S: CaseScorer> Run<'_, A, S> {
    /// Asks and scores the cases that are not in `kept`, and returns them in order. Returns early
    /// if the run is stopped, the budget is used up, or the agent is unavailable.
    ///
    /// # Errors
    /// The run's folder cannot be read or written. A failing agent or judge is a result, not an
    /// error.
    pub async fn ask(
        &self,
        cases: Vec<Case>,
        kept: Vec<QuestionRecord>,
    ) -> Result<(Vec<QuestionRecord>, Ending)> {
        let (budget, breaker) = (Budget::new(self.limits.budget_usd)?, Breaker::default());
        let spent =
            kept.iter().map(|one| self.paid(one).unwrap_or_default() + one.judge_cost().unwrap_or_default());
        budget.spent_before(spent.sum());
        let concurrency = self.limits.concurrency.max(1);
        if !self.is_stopped() {
            self.scorer.prepare(&budget, concurrency).await?;
        }
        let mut kept: BTreeMap<QuestionId, QuestionRecord> =
            kept.into_iter().map(|one| (one.question.question_id.clone(), one)).collect();
        let known = cases.into_iter().map(|case| (kept.remove(&case.question.question_id), case)).enumerate();
        let mut asked: Vec<(usize, QuestionRecord)> = Vec::new();
        let mut asking = stream::iter(known)
            .map(|(at, (known, case))| {
                let one = self.one(case, known, &budget, &breaker);
                async move { (at, one.await) }
            })
            .buffer_unordered(concurrency);
        let mut failed = None;
        while let Some((at, record)) = asking.next().await {
            match record {
                Ok(record) => asked.extend(record.map(|record| (at, record))),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        drop(asking);
        if let Some(error) = failed {
            return Err(error);
        }
        asked.sort_by_key(|(at, _)| *at);
        let ending = Ending {
            ended: self.clock.now(),
            interrupted: self.is_stopped(),
            out_of_budget: budget.stopped().is_some(),
            agent_away: breaker.refusal().is_some(),
            check_exit: None,
        };
        Ok((asked.into_iter().map(|(_, record)| record).collect(), ending))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Handles a case: asks it unless it has an answer, scores it, and stores it.
    async fn one(
        &self,
        case: Case,
        known: Option<QuestionRecord>,
        budget: &Budget,
        breaker: &Breaker,
    ) -> Result<Option<QuestionRecord>> {
        let asks = known.is_none();
        // without an agent the remaining cases are left for `eval resume`
        if known.as_ref().is_some_and(QuestionRecord::is_ended)
            || self.is_stopped()
            || (asks && breaker.refusal().is_some())
        {
            return Ok(known);
        }
        let agent_price = self.limits.agent_price_usd.filter(|_| asks).unwrap_or_default();
        let Some(room) = budget.set_aside(agent_price + self.scorer.price_usd()) else { return Ok(known) };
        let mut record = match known {
            Some(known) => known,
            None => {
                let answer = self.answer(&case, breaker).await;
                let record = QuestionRecord::new(case, answer);
                // the answer was paid for, so store it before scoring
                self.folder.save(&record)?;
                record
            }
        };
        record.scored = self.scorer.score(&record).await;
        if record.is_ended() {
            self.folder.save(&record)?;
        }
        let paid = if asks { self.paid(&record) } else { Some(Decimal::ZERO) };
        room.settle(paid.zip(record.judge_cost()).map_or(Cost::Unknown, |(a, b)| Cost::Dollars(a + b)));
        self.report(&record);
        Ok(Some(record))
    }

    /// The money that the run spent on an answer, in US dollars; none if unknown.
    fn paid(&self, record: &QuestionRecord) -> Option<Decimal> {
        if self.limits.is_recorded { Some(Decimal::ZERO) } else { record.answer.cost_usd }
    }

    /// Asks the agent. Its client retries transient failures; a wrong answer is never retried.
    async fn answer(&self, case: &Case, breaker: &Breaker) -> Answer {
        let question = &case.question;
        let mut asked =
            AgentQuestion::new(question.question_id.clone(), question.text.clone(), self.limits.mode);
        if let Some(checks) = &case.checks {
            asked.context.clone_from(&checks.input.context);
            if checks.mode != Mode::Auto {
                asked.mode = checks.mode;
            }
        }
        let asked_at = self.clock.now();
        let started = Instant::now();
        let reply = self.agent.ask(&asked).await;
        let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // a failed answer is a result (decision 17), an unreachable agent is not
        match &reply {
            Err(error) if error.is_transport() => breaker.failed(&error.to_string()),
            _ => breaker.succeeded(),
        }
        let stated = reply.as_ref().ok().and_then(|reply| Some(reply.trace.as_ref()?.total_duration_ms));
        let stated = stated.filter(|stated| *stated > 0);
        // a cost stated by the agent takes precedence over the price list (decision 36)
        let own = reply.as_ref().ok().and_then(|reply| reply.trace.as_ref()?.cost_usd);
        let unreachable = reply.as_ref().is_err_and(AgentError::is_transport);
        let (reply, error) = match reply {
            Ok(reply) => (Some(reply), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Answer {
            asked_at,
            latency_ms: if self.limits.is_recorded { stated } else { Some(took) },
            cost_usd: own.or(self.limits.agent_price_usd),
            reply,
            error,
            unreachable,
        }
    }

    fn report(&self, record: &QuestionRecord) {
        let (outcome, notes) = match (&record.scored, &record.answer.reply) {
            (Some(scored), _) if scored.verdict == CaseVerdict::Pass => ("pass", Vec::new()),
            (Some(scored), _) => (scored.verdict.name(), vec![scored.reason.clone()]),
            (None, Some(reply)) => ("answered", reply.notes.clone()),
            (None, None) => ("agent_failed", record.answer.error.iter().cloned().collect()),
        };
        let question_id = record.question.question_id.to_string();
        self.events.emit(&Event::QuestionFinished { question_id, outcome: outcome.to_owned(), notes });
    }
}
