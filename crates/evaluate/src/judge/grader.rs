//! Judges an answer: cache, prompt, judge, check of the reply, one repair, and cost.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rust_decimal::Decimal;
use serde::Serialize;

use super::addressed::findings;
use super::cache::{self, Entry, JudgeCache};
use super::check::{Checked, Problem, check};
use super::modes::Needs;
use super::repeat::{Repeated, reduce};
use super::{Judge, JudgeError, JudgeRequest, Judgement, ModelId, Prompts, Repair, TokenUsage, UnscoredKind};
use crate::breaker::{Breaker, MAX_FAILURES};
use crate::evidence::Hash;
use crate::scoring::Score;
use crate::scoring::cost::Cost;
use crate::scoring::prices::ModelPrice;

/// Counts of the work and money so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct JudgeCounters {
    /// Judged answers, including cached ones.
    pub judged: u64,
    /// Judged answers from the cache.
    pub cached: u64,
    /// Judged answers whose first reply was unusable.
    pub repaired: u64,
    /// Answers without a score.
    pub unscored: u64,
    /// Requests to the judge.
    pub asked: u64,
    /// Tokens of this run.
    pub usage: TokenUsage,
    /// The known cost in US dollars.
    pub dollars: Decimal,
    /// Judgements with unknown price.
    pub unpriced: u64,
}

/// Judges answers with one model.
#[derive(Debug)]
pub struct Grader<J> {
    judge: J,
    prompts: Prompts,
    cache: JudgeCache,
    price: Option<ModelPrice>,
    counters: Mutex<JudgeCounters>,
    breaker: Breaker,
}

/// The cost of a judgement.
#[derive(Debug, Clone, Copy, Default)]
struct Attempt {
    usage: TokenUsage,
    repaired: bool,
    cached: bool,
}

impl<J: Judge> Grader<J> {
    /// A grader without cache and price.
    #[must_use]
    pub fn new(judge: J, prompts: Prompts) -> Self {
        let (cache, counters, breaker) = (JudgeCache::none(), Mutex::default(), Breaker::default());
        Self { judge, prompts, cache, price: None, counters, breaker }
    }

    /// The grader with a cache.
    #[must_use]
    pub fn with_cache(self, cache: JudgeCache) -> Self {
        Self { cache, ..self }
    }

    /// The grader with the model's price; `None` means unknown.
    #[must_use]
    pub fn with_price(self, price: Option<ModelPrice>) -> Self {
        Self { price, ..self }
    }

    /// The judge model.
    pub fn model(&self) -> &ModelId {
        self.judge.id()
    }

    /// The prompts.
    pub const fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// The counts so far.
    pub fn counters(&self) -> JudgeCounters {
        *self.counting()
    }

    fn counting(&self) -> MutexGuard<'_, JudgeCounters> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges an answer once, using the cache. `repeat` starts at 0.
    pub async fn judge(&self, request: &JudgeRequest, repeat: u32) -> Judgement {
        self.judged_with(&self.cache, request, repeat).await
    }

    /// Judges an answer without the cache, for anchors: a cached reply says nothing about the
    /// judge.
    pub(crate) async fn judge_anew(&self, request: &JudgeRequest) -> Judgement {
        self.judged_with(&JudgeCache::none(), request, 0).await
    }

    /// Judges an answer several times and takes the majority.
    pub(crate) async fn judge_repeatedly(&self, request: &JudgeRequest, times: NonZeroU32) -> Repeated {
        let mut runs = Vec::new();
        for repeat in 0..times.get() {
            runs.push(self.judge(request, repeat).await);
        }
        reduce(runs, request.passing())
    }

    async fn judged_with(&self, cache: &JudgeCache, request: &JudgeRequest, repeat: u32) -> Judgement {
        let found = findings(&request.answer);
        let rendered = lacking(request).map_or(Ok(()), Err).and_then(|()| {
            let hash = self.prompts.hash(request.mode).map_err(|error| error.to_string())?.clone();
            let prompt = self.prompts.render(request, None).map_err(|error| error.to_string())?;
            Ok((hash, prompt))
        });
        let (template, prompt) = match rendered {
            Ok(rendered) => rendered,
            Err(why) => {
                let problem = Problem { kind: UnscoredKind::Incomplete, what: why };
                return self.judgement(Err(problem), found, Attempt::default(), Hash::of(b""));
            }
        };
        let key = cache::key(self.judge.id(), &template, &prompt, request, repeat);
        if let Some(entry) = cache.get(&key)
            && let Ok(checked) = check(request, &entry.reply)
        {
            let attempt = Attempt { usage: entry.usage, repaired: entry.repaired, cached: true };
            return self.judgement(Ok(checked), found, attempt, template);
        }
        if let Some(last) = self.breaker.refusal() {
            let what = format!(
                "the judge was not asked: it failed {MAX_FAILURES} times in a row (last: {last}); once it works again, \
                 run `eval rescore`"
            );
            let problem = Problem { kind: UnscoredKind::NotAsked, what };
            return self.judgement(Err(problem), found, Attempt::default(), template);
        }
        let (result, attempt) = self.attempt(request, prompt).await;
        match &result {
            Err(problem) if problem.kind.is_of_the_judge() => self.breaker.failed(&problem.what),
            _ => self.breaker.succeeded(),
        }
        let result = result.map(|(checked, reply)| {
            let (model, Attempt { usage, repaired, .. }) = (self.judge.id().clone(), attempt);
            cache.put(&Entry::new(key, model, template.clone(), reply, usage, repaired));
            checked
        });
        self.judgement(result, found, attempt, template)
    }

    /// Asks the judge. If the reply is unusable, asks once more and names the problem.
    async fn attempt(
        &self,
        request: &JudgeRequest,
        mut prompt: super::Prompt,
    ) -> (Result<(Checked, String), Problem>, Attempt) {
        let mut attempt = Attempt::default();
        loop {
            self.counting().asked += 1;
            let problem = match self.judge.ask(&prompt).await {
                Ok(reply) => {
                    attempt.usage = attempt.usage.plus(reply.usage);
                    match check(request, &reply.text) {
                        Ok(checked) => return (Ok((checked, reply.text)), attempt),
                        Err(problem) => {
                            let again = format!(
                                "Your reply cannot be used: {}. Judge again, and reply with JSON of the same schema and nothing \
                                 else.",
                                problem.what
                            );
                            prompt.repair = Some(Repair { reply: reply.text, problem: again });
                            problem
                        }
                    }
                }
                Err(error) => Problem { kind: kind_of(&error), what: error.to_string() },
            };
            let may_be_mended = matches!(problem.kind, UnscoredKind::Malformed | UnscoredKind::Contradictory);
            if attempt.repaired || !may_be_mended {
                return (Err(problem), attempt);
            }
            tracing::info!("the judge's reply is unusable: {}; asking once more", problem.what);
            attempt.repaired = true;
        }
    }

    fn price(&self, usage: TokenUsage) -> Cost {
        if usage == TokenUsage::default() {
            return Cost::Dollars(Decimal::ZERO);
        }
        self.price.as_ref().map_or(Cost::Unknown, |price| {
            price.cost(usage.input_tokens, usage.output_tokens).map_or(Cost::Unknown, Cost::Dollars)
        })
    }

    /// Counts tokens and money.
    fn spend(&self, usage: TokenUsage) -> Cost {
        let cost = self.price(usage);
        let mut counters = self.counting();
        counters.usage = counters.usage.plus(usage);
        match cost {
            Cost::Dollars(dollars) => counters.dollars = counters.dollars.saturating_add(dollars),
            _ => counters.unpriced += 1,
        }
        cost
    }

    /// Converts an attempt into a judgement, and counts it.
    fn judgement(
        &self,
        result: Result<Checked, Problem>,
        findings: Vec<String>,
        attempt: Attempt,
        prompt: Hash,
    ) -> Judgement {
        let Attempt { usage, repaired, cached } = attempt;
        let cost = if cached { Cost::Dollars(Decimal::ZERO) } else { self.spend(usage) };
        let mut counters = self.counting();
        let model = self.judge.id().clone();
        let (score, verdict, failure, dimensions, reasons, faults) = match result {
            Ok(Checked { score, verdict, dimensions, reasons, faults }) => {
                counters.judged += 1;
                counters.cached += u64::from(cached);
                counters.repaired += u64::from(repaired && !cached);
                (score, Some(verdict), None, dimensions, reasons, faults)
            }
            Err(Problem { kind, what }) => {
                counters.unscored += 1;
                let score = Score::unscored(what).by("judge");
                (score, None, Some(kind), BTreeMap::new(), BTreeMap::new(), Vec::new())
            }
        };
        Judgement {
            score,
            verdict,
            failure,
            dimensions,
            reasons,
            faults,
            findings,
            usage,
            cost,
            cached,
            repaired,
            prompt,
            model,
        }
    }
}

/// What a request lacks for its mode.
pub(super) fn lacking(request: &JudgeRequest) -> Option<String> {
    let is_blank = request.truth.as_ref().is_none_or(|truth| truth.trim().is_empty());
    let has_none = request.evidence.is_empty() && request.trace.is_none();
    let name = request.mode.name();
    match request.mode.row().needs {
        Needs::Truth if is_blank => Some(format!("{name} needs a truth, but there is none")),
        Needs::Evidence if has_none => Some(format!("{name} needs evidence or a trace, but there is none")),
        _ => None,
    }
}

const fn kind_of(error: &JudgeError) -> UnscoredKind {
    match error {
        JudgeError::RateLimited { .. } => UnscoredKind::RateLimited,
        JudgeError::Refused(_) => UnscoredKind::Refused,
        JudgeError::Malformed(_) => UnscoredKind::Malformed,
        JudgeError::Timeout(_) => UnscoredKind::Timeout,
        JudgeError::Transport(_) => UnscoredKind::Transport,
        JudgeError::Status { .. } => UnscoredKind::Status,
    }
}

#[cfg(test)]
#[path = "grader_tests.rs"]
mod tests;
