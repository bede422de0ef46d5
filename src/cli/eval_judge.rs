//! The judge model and its settings: flags of every command that uses a judge.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::input;
use crate::judge::{
    ApiKey, ClientOptions, DEFAULT_TIMEOUT_SECONDS, Grader, HttpJudge, JudgeCache, JudgeMode, ModelId,
    Prompts,
};
use crate::scoring::prices::{ModelPrice, PriceList};
use crate::scoring::rubric::Rubric;
use crate::workflow::evaluate::JudgeChoice;

/// Flags that choose the judge. The heading also applies to every later flag, so flatten these flags last.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Judge")]
pub(super) struct JudgeArgs {
    /// The model that judges answers no rule decides: openai:MODEL, anthropic:MODEL, gemini:MODEL, or
    /// http://host/v1#MODEL [default: none]
    #[arg(long, value_name = "MODEL", env = "ATLAS_GT_JUDGE")]
    judge: Option<String>,
    /// Folder of your own prompts (ground_truth.md, refusal.md, …) instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    prompts: Option<PathBuf>,
    /// The dimensions to judge: five including the data source, the older four, or the older four
    /// with yes or no
    #[arg(long, value_enum, default_value_t = RubricName::Five)]
    rubric: RubricName,
    /// Seconds to wait for a judge's reply, retries included; after three failures in a row the judge is not asked
    /// again
    #[arg(long = "judge-timeout", value_name = "SECONDS", env = "ATLAS_GT_JUDGE_TIMEOUT",
        default_value_t = DEFAULT_TIMEOUT_SECONDS, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub timeout: u64,
    /// How often to ask the judge about each answer; the majority decides
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroU32,
}

/// The rubric flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RubricName {
    /// Five dimensions
    Five,
    /// The older four
    Four,
    /// The older four with yes or no each, plus a failure kind. It passes if three pass, including
    /// factual correctness and data accuracy
    Binary,
}

impl JudgeArgs {
    /// The chosen judge, from the flag or the configuration; none if neither names one.
    pub fn choice(&self, config: &Config) -> Result<Option<JudgeChoice>> {
        let Some(model) = self.judge.as_ref().or(config.judge.as_ref()) else {
            if self.prompts.is_some() {
                let why = "--prompts: name the judge too, with --judge or `judge` in atlas-gt.toml";
                return Err(Error::Usage(why.to_owned()));
            }
            return Ok(None);
        };
        let prompts = prompts(self.prompts.as_ref())?;
        Ok(Some(JudgeChoice {
            model: model.clone(),
            prompts: self.prompts.clone(),
            prompts_hash: hash(&prompts)?,
            rubric: match self.rubric {
                RubricName::Five => Rubric::FiveDimensions,
                RubricName::Four => Rubric::FourDimensions,
                RubricName::Binary => Rubric::Binary,
            },
            repeat: self.repeat.get(),
        }))
    }
}

/// The price file named by the configuration, or `prices.toml` in the current folder, or the
/// built-in list.
pub(super) fn prices(config: &Config) -> Result<PriceList> {
    let in_folder = || Some(Path::new("prices.toml")).filter(|path| path.exists());
    match config.prices.as_deref().or_else(in_folder) {
        Some(path) => PriceList::parse(path, &input::text(path)?),
        None => PriceList::built_in(),
    }
}

/// The price of a judge's model; none if the list lacks it.
pub(super) fn price(choice: &JudgeChoice, prices: &PriceList) -> Result<Option<ModelPrice>> {
    let id = ModelId::parse(&choice.model, &|name| std::env::var(name).ok())?;
    Ok(prices.of(id.provider, &id.model).cloned())
}

/// The grader for a chosen judge, with the user's cache and the model's price. `timeout` is in
/// seconds per reply.
pub(super) fn grader(choice: &JudgeChoice, prices: &PriceList, timeout: u64) -> Result<Grader<HttpJudge>> {
    let variables = |name: &str| std::env::var(name).ok();
    let id = ModelId::parse(&choice.model, &variables)?;
    let key = ApiKey::of(&id, &variables)?;
    let price = price(choice, prices)?;
    let options = ClientOptions { timeout: Duration::from_secs(timeout), ..ClientOptions::default() };
    let judge = HttpJudge::new(id, key, options)?;
    let prompts = prompts(choice.prompts.as_ref())?;
    let now = hash(&prompts)?;
    if now != choice.prompts_hash {
        return Err(Error::Usage(format!(
            "the prompts have changed since the run started (hash {} then, {now} now): restore them, or judge again with \
             `eval rescore`",
            choice.prompts_hash
        )));
    }
    Ok(Grader::new(judge, prompts).with_cache(JudgeCache::of_user()).with_price(price))
}

fn prompts(folder: Option<&PathBuf>) -> Result<Prompts> {
    folder.map_or_else(Prompts::built_in, |folder| Prompts::load(folder))
}

/// A hash over the templates of all modes.
fn hash(prompts: &Prompts) -> Result<String> {
    let mut all = String::new();
    for &mode in JudgeMode::ALL {
        all.push_str(prompts.hash(mode)?.as_str());
    }
    Ok(Hash::of(all.as_bytes()).as_str()[..16].to_owned())
}
