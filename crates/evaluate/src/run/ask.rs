//! The one loop that asks: a case at a time in so many places, each answer kept before it is scored and again when it is. Where the cases
//! come from, who answers and who scores are the caller's.

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
use crate::agent::{Agent, AgentQuestion, Mode};
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
    /// What scoring one answer may cost in US dollars.
    fn price_usd(&self) -> Decimal {
        Decimal::ZERO
    }

    /// What has to be done once, before the first answer is scored.
    ///
    /// # Errors
    /// The run's folder cannot be read or written.
    fn prepare(&self, _budget: &Budget, _concurrency: usize) -> impl Future<Output = Result<()>> {
        std::future::ready(Ok(()))
    }

    /// Scores the answer of a case; nothing where it is scored later, by what is not known yet.
    fn score(&self, record: &QuestionRecord) -> impl Future<Output = Option<Scored>>;
}

/// The scorer of answers that are scored later.
#[derive(Debug, Clone, Copy)]
pub struct ScoredLater;

impl CaseScorer for ScoredLater {
    fn score(&self, _: &QuestionRecord) -> impl Future<Output = Option<Scored>> {
        std::future::ready(None)
    }
}

/// How cases are asked.
#[derive(Debug, Clone, Copy)]
pub struct RunLimits {
    /// The pipeline to ask for.
    pub mode: Mode,
    /// Cases at a time.
    pub concurrency: usize,
    /// What an answer is assumed to cost in US dollars where it does not say.
    pub agent_price_usd: Option<Decimal>,
    /// What the run may cost in US dollars.
    pub budget_usd: Option<Decimal>,
    /// Whether the answers are there already: the run spends nothing on them, and their latency is the one that they state (decision 21).
    pub is_recorded: bool,
}

impl RunLimits {
    /// Those of answers that were recorded, scored one after another.
    #[must_use]
    pub const fn recorded() -> Self {
        let (mode, concurrency) = (Mode::Auto, 1);
        Self { mode, concurrency, agent_price_usd: None, budget_usd: None, is_recorded: true }
    }

    /// Those of a run that is kept.
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

/// Who is asked, who scores the answers, and where both are kept.
#[derive(Debug)]
pub struct Run<'a, A, S> {
    /// Where it is kept; a run without a folder is kept nowhere.
    pub folder: Option<&'a RunFolder>,
    /// Who is asked.
    pub agent: &'a A,
    /// Who scores.
    pub scorer: &'a S,
    /// How cases are asked.
    pub limits: RunLimits,
    /// What time it is.
    pub clock: Clock,
    /// What happens.
    pub events: &'a Events,
    /// Whether the run is stopped from outside.
    pub stop: &'a AtomicBool,
}

impl<A: Agent, S: CaseScorer> Run<'_, A, S> {
    /// Asks and scores what `kept` does not hold already. What was asked comes back in the order of the cases. A run that is stopped,
    /// whose budget has no room for another case, or whose agent is away, ends with what it has.
    ///
    /// # Errors
    /// The run's folder cannot be read or written. An agent or judge that fails is no error but a result.
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
        };
        Ok((asked.into_iter().map(|(_, record)| record).collect(), ending))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// One case: asked unless its answer is there, scored, kept.
    async fn one(
        &self,
        case: Case,
        known: Option<QuestionRecord>,
        budget: &Budget,
        breaker: &Breaker,
    ) -> Result<Option<QuestionRecord>> {
        let asks = known.is_none();
        // an agent that is away answers nothing: what is left is for `eval resume`
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
                // an answer is paid for: it is kept before anybody scores it
                self.keep(&record)?;
                record
            }
        };
        record.scored = self.scorer.score(&record).await;
        if record.is_ended() {
            self.keep(&record)?;
        }
        let paid = if asks { self.paid(&record) } else { Some(Decimal::ZERO) };
        room.settle(paid.zip(record.judge_cost()).map_or(Cost::Unknown, |(a, b)| Cost::Dollars(a + b)));
        self.report(&record);
        Ok(Some(record))
    }

    /// What the run spent on an answer in US dollars; nothing when that is not known.
    fn paid(&self, record: &QuestionRecord) -> Option<Decimal> {
        if self.limits.is_recorded { Some(Decimal::ZERO) } else { record.answer.cost_usd }
    }

    /// Asks the agent. What fails in passing is asked again by the agent's own client; a wrong answer never is.
    async fn answer(&self, case: &Case, breaker: &Breaker) -> Answer {
        let asked = AgentQuestion {
            question_id: case.question.question_id.clone(),
            question: case.question.text.clone(),
            mode: self.limits.mode,
        };
        let asked_at = self.clock.now();
        let started = Instant::now();
        let reply = self.agent.ask(&asked).await;
        let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        // an answer that fails is a result (decision 17), an agent that cannot be reached gives none
        match &reply {
            Err(error) if error.is_transport() => breaker.failed(&error.to_string()),
            _ => breaker.succeeded(),
        }
        let stated = reply.as_ref().ok().and_then(|reply| Some(reply.trace.as_ref()?.total_duration_ms));
        let stated = stated.filter(|stated| *stated > 0);
        // what the agent says itself comes before any price list (decision 36)
        let own = reply.as_ref().ok().and_then(|reply| reply.trace.as_ref()?.cost_usd);
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
        }
    }

    fn keep(&self, record: &QuestionRecord) -> Result<()> {
        self.folder.map_or(Ok(()), |folder| folder.save(record))
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
