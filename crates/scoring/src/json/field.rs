//! Scores one field that both sides fill, and explains the outcome.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::Json;
use super::exact::{exact_text, exactly_equal};
use super::kind::JsonKind;
use super::strategy::{FieldRule, JsonConfig, SemanticFallback, Strategy, Tolerance};
use crate::compare::compare_texts;
use crate::similarity::{Similarity, equal_normalised, spelling, words};
use crate::verdict::{Comparison, Verdict};

/// Externally computed similarities, from 0 to 1, by field.
pub type Similarities = BTreeMap<String, f64>;

/// How a field of a JSON answer counts in the score. For the strategy DISPLAY it follows from the comparator's more detailed
/// verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldOutcome {
    /// Score 1.
    Match,
    /// Score 0.
    Mismatch,
    /// IGNORE: in neither numerator nor denominator.
    Ignored,
    /// The field could not be judged: in neither numerator nor denominator, and no gate passes with it.
    Unscored,
}

/// A scored field, before its reason is written.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    /// The type of the truth's value.
    pub kind: Option<JsonKind>,
    /// The applied rule.
    pub rule: FieldRule,
    /// Whether the rule comes from the configuration.
    pub configured: bool,
    /// The outcome.
    pub outcome: FieldOutcome,
    /// The similarity, for FUZZY and SEMANTIC.
    pub similarity: Option<Similarity>,
    /// The comparator's result, for DISPLAY.
    pub comparison: Option<Comparison>,
}

/// A field in the breakdown.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FieldScore<'a> {
    /// The field's name or path.
    pub field: Cow<'a, str>,
    /// The type of the truth's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<JsonKind>,
    /// The strategy.
    pub strategy: Strategy,
    /// Where the strategy comes from: `config` or `auto`.
    pub strategy_from: &'static str,
    /// The outcome.
    pub outcome: FieldOutcome,
    /// 1 or 0; absent when ignored or unscored.
    pub score: Option<f64>,
    /// The similarity, for FUZZY and SEMANTIC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The similarity threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The backend that judged: `python-str`, `comparator`, `tolerance`, `normalised`, `levenshtein`, `words`, `given`.
    pub backend: &'static str,
    /// Whether a judge may still change the outcome.
    pub provisional: bool,
    /// The reason in one sentence.
    pub reason: String,
    /// The comparator's result, for DISPLAY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// Scores a field whose two values are not null.
pub(super) fn judge_field(
    field: &str,
    truth: &Json<'_>,
    answer: &Json<'_>,
    config: &JsonConfig,
    given: &Similarities,
) -> Judged {
    let kind = JsonKind::of(truth);
    let (rule, configured) = config.resolve(field, truth, kind);
    let mut judged =
        Judged { kind, rule, configured, outcome: FieldOutcome::Ignored, similarity: None, comparison: None };
    let decided = |equal: bool| if equal { FieldOutcome::Match } else { FieldOutcome::Mismatch };
    judged.outcome = match rule.strategy {
        Strategy::Ignore => FieldOutcome::Ignored,
        Strategy::Exact => decided(exactly_equal(truth, answer)),
        Strategy::Numeric => {
            decided(within(truth, answer, rule.tolerance.unwrap_or(config.tolerance)).unwrap_or(false))
        }
        Strategy::Display => {
            let comparison = compare_texts(&exact_text(truth), &exact_text(answer));
            let outcome = match comparison.verdict {
                Verdict::Match | Verdict::ExpectedAbsence => FieldOutcome::Match,
                Verdict::ExtractionFailed | Verdict::Unscored => FieldOutcome::Unscored,
                _ => FieldOutcome::Mismatch,
            };
            judged.comparison = Some(comparison);
            outcome
        }
        Strategy::Fuzzy | Strategy::Semantic => {
            judged.similarity = similarity(rule.strategy, truth, answer, config, given.get(field).copied());
            match &judged.similarity {
                None => FieldOutcome::Unscored,
                Some(similarity) => decided(similarity.score >= threshold(rule, config)),
            }
        }
    };
    judged
}

/// The similarity of two values: the given one, else one computed here.
fn similarity(
    strategy: Strategy,
    truth: &Json<'_>,
    answer: &Json<'_>,
    config: &JsonConfig,
    given: Option<f64>,
) -> Option<Similarity> {
    if let Some(score) = given {
        return Some(Similarity { score, backend: "given", provisional: false });
    }
    let (truth, answer) = (exact_text(truth), exact_text(answer));
    if equal_normalised(&truth, &answer) {
        return Some(Similarity { score: 1.0, backend: "normalised", provisional: false });
    }
    match (strategy, config.semantic) {
        (Strategy::Fuzzy, _) => Some(spelling(&truth, &answer)),
        (_, SemanticFallback::Lexical) => Some(words(&truth, &answer)),
        (_, SemanticFallback::Unscored) => None,
    }
}

fn threshold(rule: FieldRule, config: &JsonConfig) -> f64 {
    rule.threshold.unwrap_or(if rule.strategy == Strategy::Fuzzy {
        config.fuzzy_threshold
    } else {
        config.semantic_threshold
    })
}

/// Whether the answer's number is within the tolerance; `None` if one side is not a finite number.
fn within(truth: &Json<'_>, answer: &Json<'_>, tolerance: Tolerance) -> Option<bool> {
    if matches!((truth, answer), (Json::Number(_), Json::Number(_))) && exactly_equal(truth, answer) {
        return Some(true);
    }
    let (truth, answer) = (plain_number(truth)?, plain_number(answer)?);
    let allowed = tolerance.absolute.max(tolerance.relative * truth.abs());
    Some((truth - answer).abs() <= allowed || truth.total_cmp(&answer).is_eq())
}

/// A finite number, or a string that holds one (thousands commas allowed).
fn plain_number(value: &Json<'_>) -> Option<f64> {
    let number: f64 = match value {
        Json::Number(text) => text.parse().ok()?,
        Json::String(text) => {
            let text = text.trim();
            if !text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(&byte)) {
                return None;
            }
            text.replace(',', "").parse().ok()?
        }
        _ => return None,
    };
    number.is_finite().then_some(number)
}

impl Judged {
    /// Writes the field's entry in the breakdown.
    #[must_use]
    pub(super) fn explain<'a>(
        self,
        field: &Cow<'a, str>,
        truth: &Json<'_>,
        answer: &Json<'_>,
        config: &JsonConfig,
    ) -> FieldScore<'a> {
        let strategy = self.rule.strategy;
        let threshold =
            matches!(strategy, Strategy::Fuzzy | Strategy::Semantic).then(|| threshold(self.rule, config));
        let reason = match (strategy, self.outcome) {
            (Strategy::Ignore, _) => "its strategy excludes it from accuracy".to_owned(),
            (Strategy::Exact, FieldOutcome::Match) => sentence("equal apart from case: ", truth, None),
            (Strategy::Exact, _) => sentence("expected ", truth, Some((", found ", answer))),
            (Strategy::Numeric, outcome) => {
                let Tolerance { relative, absolute } = self.rule.tolerance.unwrap_or(config.tolerance);
                match (plain_number(truth), plain_number(answer)) {
                    (Some(a), Some(b)) => format!(
                        "{b} is {} {relative} relative or {absolute} absolute of {a}: the difference is {}",
                        if outcome == FieldOutcome::Match { "within" } else { "not within" },
                        (a - b).abs()
                    ),
                    _ if outcome == FieldOutcome::Match => sentence("equal to ", truth, None),
                    (None, _) => sentence("the truth is not a finite number: ", truth, None),
                    (_, None) => sentence("the answer is not a finite number: ", answer, None),
                }
            }
            (Strategy::Display, _) => {
                self.comparison.as_ref().map_or_else(String::new, |comparison| comparison.reason.clone())
            }
            (Strategy::Fuzzy | Strategy::Semantic, outcome) => {
                match (&self.similarity, threshold) {
                    (Some(similarity), Some(threshold)) => {
                        let sign = if outcome == FieldOutcome::Match { "≥" } else { "<" };
                        let (score, backend) = (similarity.score, similarity.backend);
                        let start = format!("similarity {score:.2} {sign} {threshold:.2} ({backend}): ");
                        sentence(&start, truth, Some((" against ", answer)))
                    }
                    _ => "no judge is configured and the texts differ: give similarities, or use --semantic lexical for a \
                    provisional score"
                        .to_owned(),
                }
            }
        };
        let backend = match (strategy, &self.similarity) {
            (_, Some(similarity)) => similarity.backend,
            (Strategy::Exact, _) => "python-str",
            (Strategy::Display, _) => "comparator",
            (Strategy::Numeric, _) => "tolerance",
            _ => "none",
        };
        FieldScore {
            field: field.clone(),
            kind: self.kind,
            strategy,
            strategy_from: if self.configured { "config" } else { "auto" },
            outcome: self.outcome,
            score: match self.outcome {
                FieldOutcome::Match => Some(1.0),
                FieldOutcome::Mismatch => Some(0.0),
                FieldOutcome::Ignored | FieldOutcome::Unscored => None,
            },
            similarity: self.similarity.as_ref().map(|similarity| similarity.score),
            threshold,
            backend,
            provisional: self.similarity.is_some_and(|similarity| similarity.provisional),
            reason,
            comparison: self.comparison,
        }
    }
}

/// A sentence that ends with one quoted value, or with two and a connecting phrase.
fn sentence(start: &str, value: &Json<'_>, second: Option<(&str, &Json<'_>)>) -> String {
    let (value, second) = (exact_text(value), second.map(|(words, value)| (words, exact_text(value))));
    let length = second.as_ref().map_or(0, |(words, value)| words.len() + value.len());
    let mut out = String::with_capacity(start.len() + value.len() + length + 8);
    out.push_str(start);
    quote(&mut out, &value);
    if let Some((words, value)) = second {
        out.push_str(words);
        quote(&mut out, &value);
    }
    out
}

/// Appends a quoted text, cut after 80 characters.
fn quote(out: &mut String, text: &str) {
    let end = if text.len() > 80 { text.char_indices().nth(80).map(|(end, _)| end) } else { None };
    let shown = &text[..end.unwrap_or(text.len())];
    // Fast path: nothing to escape.
    if shown.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        out.push('"');
        out.push_str(shown);
        out.push('"');
    } else {
        // Writing into a `String` cannot fail.
        let _ = write!(out, "{shown:?}");
    }
    out.push_str(if end.is_some() { "…" } else { "" });
}
