//! Judging one answer: the cache, the prompt, the judge, its reply checked, one repair, and what it cost.

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rust_decimal::Decimal;
use serde::Serialize;

use super::addressed::findings;
use super::cache::{self, Entry, JudgeCache};
use super::check::{Checked, Problem, check};
use super::repeat::{Repeated, reduce};
use super::{
    Judge, JudgeError, JudgeMode, JudgeRequest, Judged, Judgement, ModelId, Prompts, Repair, Unscored,
    UnscoredKind, Usage,
};
use crate::breaker::{Breaker, MAX_FAILURES};
use crate::evidence::Hash;
use crate::scoring::cost::Cost;
use crate::scoring::prices::ModelPrice;

/// What was done and spent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct JudgeCounters {
    /// Answers that were judged, those from the cache too.
    pub judged: u64,
    /// Those of them that came from the cache.
    pub cached: u64,
    /// Those of them whose first reply could not be used.
    pub repaired: u64,
    /// Answers that have no score.
    pub unscored: u64,
    /// Times that the judge was asked.
    pub asked: u64,
    /// Tokens of this run.
    pub usage: Usage,
    /// What they cost in US dollars, as far as the price is known.
    pub dollars: Decimal,
    /// Judgements of unknown price.
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

/// What came of asking, before it is put into a judgement.
struct Attempted {
    result: Result<(Checked, String), Problem>,
    usage: Usage,
    repaired: bool,
}

impl<J: Judge> Grader<J> {
    /// A grader with a judge and its prompts, without a cache and without a price.
    #[must_use]
    pub fn new(judge: J, prompts: Prompts) -> Self {
        let (cache, counters, breaker) = (JudgeCache::none(), Mutex::default(), Breaker::default());
        Self { judge, prompts, cache, price: None, counters, breaker }
    }

    /// The same with a cache.
    #[must_use]
    pub fn with_cache(self, cache: JudgeCache) -> Self {
        Self { cache, ..self }
    }

    /// The same with the price of the model; none is an unknown price.
    #[must_use]
    pub fn with_price(self, price: Option<ModelPrice>) -> Self {
        Self { price, ..self }
    }

    /// The model that judges.
    pub fn model(&self) -> &ModelId {
        self.judge.id()
    }

    /// What a report should say of how the model is asked.
    pub fn notes(&self) -> Vec<String> {
        self.judge.notes()
    }

    /// The prompts.
    pub const fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// The judge itself.
    pub const fn inner(&self) -> &J {
        &self.judge
    }

    /// What was done and spent so far.
    pub fn counters(&self) -> JudgeCounters {
        *self.counting()
    }

    fn counting(&self) -> MutexGuard<'_, JudgeCounters> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges an answer once, from the cache where it was judged before. `repeat` counts from 0.
    pub async fn judge(&self, request: &JudgeRequest, repeat: u32) -> Judgement {
        self.judged_with(&self.cache, request, repeat).await
    }

    /// Judges an answer anew, whatever is cached: the anchor set shows nothing of a judge that is not asked.
    pub(crate) async fn judge_anew(&self, request: &JudgeRequest) -> Judgement {
        self.judged_with(&JudgeCache::none(), request, 0).await
    }

    /// Judges an answer so many times and takes the majority.
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
                return self.unscored(problem, found, Usage::default(), Hash::of(b""));
            }
        };
        let key = cache::key(self.judge.id(), &template, &prompt, request, repeat);
        if let Some(entry) = cache.get(&key)
            && let Ok(checked) = check(request, &entry.reply)
        {
            self.counting().cached += 1;
            return self.scored(checked, found, entry.usage, entry.repaired, template, true);
        }
        if let Some(last) = self.breaker.refusal() {
            let what = format!(
                "the judge was not asked any more: it failed {MAX_FAILURES} times in a row (at last: {last}); when it works again, \
                 `atlas-gt eval rescore` judges what is left"
            );
            let problem = Problem { kind: UnscoredKind::NotAsked, what };
            return self.unscored(problem, found, Usage::default(), template);
        }
        let Attempted { result, usage, repaired } = self.attempt(request, prompt).await;
        match &result {
            Err(problem) if problem.kind.is_of_the_judge() => self.breaker.failed(&problem.what),
            _ => self.breaker.succeeded(),
        }
        match result {
            Ok((checked, reply)) => {
                cache.put(&Entry::new(
                    key,
                    self.judge.id().clone(),
                    template.clone(),
                    reply,
                    usage,
                    repaired,
                ));
                self.scored(checked, found, usage, repaired, template, false)
            }
            Err(problem) => self.unscored(problem, found, usage, template),
        }
    }

    /// Asks, and asks a second time with what was wrong where the reply could not be used.
    async fn attempt(&self, request: &JudgeRequest, mut prompt: super::Prompt) -> Attempted {
        let mut usage = Usage::default();
        let mut repaired = false;
        loop {
            self.counting().asked += 1;
            let problem = match self.judge.ask(&prompt).await {
                Ok(reply) => {
                    usage = usage.plus(reply.usage);
                    match check(request, &reply.text) {
                        Ok(checked) => {
                            return Attempted { result: Ok((checked, reply.text)), usage, repaired };
                        }
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
                Err(error) => {
                    let problem = Problem { kind: kind_of(&error), what: error.to_string() };
                    if problem.kind != UnscoredKind::Malformed {
                        return Attempted { result: Err(problem), usage, repaired };
                    }
                    problem
                }
            };
            if repaired {
                return Attempted { result: Err(problem), usage, repaired };
            }
            tracing::info!("the judge's reply cannot be used: {}; asking once more", problem.what);
            repaired = true;
        }
    }

    fn price(&self, usage: Usage) -> Cost {
        if usage == Usage::default() {
            return Cost::Dollars(Decimal::ZERO);
        }
        self.price.as_ref().map_or(Cost::Unknown, |price| {
            price.cost(usage.input_tokens, usage.output_tokens).map_or(Cost::Unknown, Cost::Dollars)
        })
    }

    /// Counts tokens and money of this run.
    fn spend(&self, usage: Usage) -> Cost {
        let cost = self.price(usage);
        let mut counters = self.counting();
        counters.usage = counters.usage.plus(usage);
        match cost {
            Cost::Dollars(dollars) => counters.dollars = counters.dollars.saturating_add(dollars),
            _ => counters.unpriced += 1,
        }
        cost
    }

    fn scored(
        &self,
        checked: Checked,
        findings: Vec<String>,
        usage: Usage,
        repaired: bool,
        prompt: Hash,
        cached: bool,
    ) -> Judgement {
        let cost = if cached { Cost::Dollars(Decimal::ZERO) } else { self.spend(usage) };
        let mut counters = self.counting();
        counters.judged += 1;
        counters.repaired += u64::from(repaired && !cached);
        let Checked { score, verdict, dimensions, reasons } = checked;
        let model = self.judge.id().clone();
        Judgement::Judged(Judged {
            score,
            verdict,
            dimensions,
            reasons,
            findings,
            usage,
            cost,
            cached,
            repaired,
            prompt,
            model,
        })
    }

    fn unscored(&self, problem: Problem, findings: Vec<String>, usage: Usage, prompt: Hash) -> Judgement {
        let cost = self.spend(usage);
        self.counting().unscored += 1;
        let Problem { kind, what } = problem;
        Judgement::Unscored(Unscored {
            kind,
            why: what,
            findings,
            usage,
            cost,
            prompt,
            model: self.judge.id().clone(),
        })
    }
}

/// What a request lacks for its mode.
fn lacking(request: &JudgeRequest) -> Option<String> {
    let needs_truth = matches!(request.mode, JudgeMode::GroundTruth | JudgeMode::Fuzzy | JudgeMode::Semantic);
    if needs_truth && request.truth.as_ref().is_none_or(|truth| truth.trim().is_empty()) {
        return Some(format!("{} needs a truth and there is none", request.mode.name()));
    }
    if request.mode == JudgeMode::Grounding && request.evidence.is_empty() && request.trace.is_none() {
        return Some("grounding needs evidence or a trace and there is none".to_owned());
    }
    None
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
