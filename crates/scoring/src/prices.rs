//! Prices of models per million tokens, and prices per question for runs without token counts (evaluation strategy,
//! section 7; decision 21).

use std::path::Path;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize};

use super::cost::{Cost, CostEstimate, Prices, RunPlan, estimate};
use super::scorers::Provider;
use crate::error::{Error, Result};

const BUILT_IN: &str = include_str!("../../../prices.toml");

/// The price of a model, in US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// The provider that runs the model.
    pub provider: Provider,
    /// The model's name. A dated version of the model has the same price.
    pub model: String,
    /// Price of input tokens.
    #[serde(deserialize_with = "dollars")]
    pub input: Decimal,
    /// Price of output tokens.
    #[serde(deserialize_with = "dollars")]
    pub output: Decimal,
}

/// All prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceList {
    /// Price of an agent's answer and of a judge's verdict when tokens are not counted.
    pub per_question: Prices,
    /// Price of a question in a component evaluation.
    pub per_component_question: Option<Decimal>,
    models: Vec<ModelPrice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    per_question: PerQuestion,
    #[serde(default)]
    model: Vec<ModelPrice>,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct PerQuestion {
    #[serde(deserialize_with = "some_dollars")]
    agent: Option<Decimal>,
    #[serde(deserialize_with = "some_dollars")]
    judge: Option<Decimal>,
    #[serde(deserialize_with = "some_dollars")]
    component: Option<Decimal>,
}

fn dollars<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Decimal, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let price = Cost::read(&value).map_err(serde::de::Error::custom)?;
    price.dollars().ok_or_else(|| serde::de::Error::custom("a price is a number of dollars"))
}

fn some_dollars<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Decimal>, D::Error> {
    dollars(deserializer).map(Some)
}

impl ModelPrice {
    /// The cost of these tokens; `None` when the amount overflows.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> Option<Decimal> {
        let part = |tokens: u64, price: Decimal| {
            Decimal::from(tokens).checked_mul(price)?.checked_div(Decimal::from(1_000_000))
        };
        Some(part(input_tokens, self.input)?.checked_add(part(output_tokens, self.output)?)?.normalize())
    }
}

impl PriceList {
    /// The prices compiled into the program.
    ///
    /// # Errors
    /// The built-in file does not parse; a test rules that out.
    pub fn built_in() -> Result<Self> {
        Self::parse(Path::new("prices.toml"), BUILT_IN)
    }

    /// Parses a price file. Prices per question that the file omits take their defaults.
    ///
    /// # Errors
    /// The text is not a valid price list; with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let file: File = toml::from_str(text).map_err(|error: toml::de::Error| {
            Error::syntax_at(path, text, error.span().map_or(0, |span| span.start), error.message())
        })?;
        for (index, one) in file.model.iter().enumerate() {
            if file.model[..index]
                .iter()
                .any(|other| (other.provider, &other.model) == (one.provider, &one.model))
            {
                let message = format!("the price of {}:{} is listed twice", one.provider.name(), one.model);
                return Err(Error::syntax(path, (0, 0), message));
            }
        }
        let default = Prices::default();
        let PerQuestion { agent, judge, component } = file.per_question;
        Ok(Self {
            per_question: Prices { agent: agent.or(default.agent), judge: judge.or(default.judge) },
            per_component_question: component,
            models: file.model,
        })
    }

    /// The price of a model, if known. `gpt-5-mini-2025-08-07` counts as `gpt-5-mini`; `gpt-5-mini-pro` does not.
    #[must_use]
    pub fn of(&self, provider: Provider, model: &str) -> Option<&ModelPrice> {
        let dated = |rest: &str| {
            rest == "-latest"
                || rest.strip_prefix(['-', '@']).is_some_and(|date| {
                    date.chars().filter(char::is_ascii_digit).count() == 8
                        && date.chars().all(|c| c.is_ascii_digit() || c == '-')
                })
        };
        self.models.iter().find(|price| {
            price.provider == provider
                && model.strip_prefix(price.model.as_str()).is_some_and(|rest| rest.is_empty() || dated(rest))
        })
    }
}

/// A kind of run, with question counts from the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunType {
    /// The name of this kind of run.
    pub name: String,
    /// The questions and how they are scored.
    pub plan: RunPlan,
    /// Whether the run evaluates a component instead of the agent.
    pub component: bool,
}

/// A row of the cost table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CostRow {
    /// The kind of run.
    pub name: String,
    /// Number of questions.
    pub questions: u64,
    /// The estimated cost.
    pub cost: CostEstimate,
}

/// The table "Cost Per Run Type" of section 7, computed from the data instead of the document's totals (decision 21).
#[must_use]
pub fn cost_table(runs: &[RunType], prices: &PriceList) -> Vec<CostRow> {
    let row = |run: &RunType| {
        let agent = if run.component { prices.per_component_question } else { prices.per_question.agent };
        let cost = estimate(run.plan, Prices { agent, ..prices.per_question });
        CostRow { name: run.name.clone(), questions: run.plan.questions, cost }
    };
    runs.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn evaluation_strategy_7_cost_per_run_type_from_counts() {
        let prices = PriceList::built_in().unwrap();
        let run = |name: &str, questions, judged, component| RunType {
            name: name.to_owned(),
            plan: RunPlan { questions, recorded: false, judged },
            component,
        };
        let recorded = RunType {
            plan: RunPlan { questions: 246, recorded: true, judged: 0 },
            ..run("trajectory, recorded", 246, 0, false)
        };
        let runs = [
            run("smoke", 5, 5, false),
            run("classification", 60, 0, true),
            run("extraction", 30, 0, true),
            run("ID resolution", 40, 0, true),
            run("trajectory", 246, 0, false),
            recorded,
            run("full", 246, 246, false),
            run("full and new", 290, 290, false),
        ];
        let totals: Vec<Decimal> =
            cost_table(&runs, &prices).into_iter().map(|row| row.cost.total.unwrap()).collect();
        let expected = ["0.66", "0.36", "0.18", "0.24", "29.52", "0", "32.472", "38.28"].map(dollars);
        assert_eq!(totals, expected);
    }

    #[test]
    fn decision_21_prices_come_from_a_file_and_tokens_are_priced_exactly() {
        let prices = PriceList::built_in().unwrap();
        assert_eq!(prices.per_question, Prices::default());
        let mini = prices.of(Provider::OpenAi, "gpt-5-mini-2025-08-07").unwrap();
        assert_eq!(mini.model, "gpt-5-mini");
        assert_eq!(mini.cost(1_000_000, 1_000_000), Some(mini.input + mini.output));
        assert!(prices.of(Provider::OpenAi, "gpt-5-mini-pro").is_none());
        assert!(prices.of(Provider::Compatible, "gpt-5-mini").is_none());
        let text = "[[model]]\nprovider = \"openai\"\nmodel = \"m\"\ninput = \"0.25\"\noutput = 2\n";
        let own = PriceList::parse(Path::new("p.toml"), text).unwrap();
        assert_eq!(own.of(Provider::OpenAi, "m").unwrap().cost(1_234, 56), Some(dollars("0.0004205")));
        for (bad, line) in [
            ("[per_question]\nagent = \"-1\"\n", 2),
            ("[[model]]\nprovider = \"acme\"\n", 2),
            ("[per_question]\n\nagents = 1\n", 3),
        ] {
            let error = PriceList::parse(Path::new("p.toml"), bad).unwrap_err().to_string();
            assert!(error.starts_with(&format!("p.toml:{line}:")), "{error}");
        }
        let twice = PriceList::parse(Path::new("p.toml"), &text.repeat(2)).unwrap_err();
        assert!(twice.to_string().contains("listed twice"), "{twice}");
    }
}
