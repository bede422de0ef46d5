//! Scorer `value`: the answer's value at displayed precision.

use crate::answer::{AnswerVerdict, Expected, score};
use crate::compare::{Operand, compare_texts};
use crate::language::sentence::Sentence;
use crate::language::stated;
use crate::language::token::{Kind, Names};
use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};
use crate::value::{Context, Value, parse};

/// Compares the answer with `expected_value`. Prose is read as an answer to the case's question, everything else by the
/// comparator.
pub(super) fn value(case: &SuiteCase, output: &AgentOutput) -> Score {
    let (truth, said) = (case.expected_value.as_deref().unwrap_or_default(), output.text.trim());
    let quantity = |text: &str| parse(text).filter(|value| matches!(value, Value::Quantity(_)));
    // a year is no figure
    let is_year = truth.parse().is_ok_and(|year: u16| (1900..=2100).contains(&year));
    match quantity(truth) {
        Some(value) if !is_year && output.object.is_none() && quantity(said).is_none() => {
            read(case, value, said)
        }
        _ => compare_texts(truth, said).into(),
    }
}

/// The context that a question states.
fn context(question: &str) -> Context {
    let said = stated(question);
    let sentence = Sentence::of(question, &Names::default());
    let kinds = || sentence.tokens.iter().map(|token| &token.kind);
    Context {
        country: only(kinds().filter_map(|kind| match kind {
            Kind::Country(id) => Some(id.code().to_string()),
            _ => None,
        })),
        product: only(kinds().filter_map(|kind| match kind {
            Kind::Product(code) => Some((*code).to_owned()),
            _ => None,
        })),
        period: only(kinds().filter_map(|kind| match kind {
            Kind::Period(period) => Some(*period),
            _ => None,
        })),
        flow: said.flow,
        scope: said.scope,
        basis: said.basis,
        statistic: said.statistic,
        classification: said.classification,
        ..Context::default()
    }
}

/// The only value, if there is one.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Scores prose, in the context that the question states.
fn read(case: &SuiteCase, value: Value, said: &str) -> Score {
    let question = case.input.query.as_str();
    let expected = Expected {
        field: "value".to_owned(),
        data_point: String::new(),
        metric: String::new(),
        truth: Operand::value(value, context(question)),
        precise: None,
        other_definition: None,
        names: Vec::new(),
        share: None,
        code: None,
        answers: Vec::new(),
        rank: None,
        column: None,
        follows: None,
    };
    let points = score(&[expected], Some(question), said).points;
    let Some(point) = points.into_iter().next() else { return Score::unscored("the case has no value") };
    let score = match point.said {
        AnswerVerdict::Right => Score::scored(1.0, point.reason),
        AnswerVerdict::Wrong | AnswerVerdict::Missing => Score::scored(0.0, point.reason),
        AnswerVerdict::Unscored => Score::unscored(point.reason),
    };
    score.by("comparator")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::InputFile;

    fn score_of(question: &str, truth: &str, said: &str) -> Option<f64> {
        let input = InputFile { query: question.to_owned(), ..InputFile::default() };
        let case = SuiteCase { input, expected_value: Some(truth.to_owned()), ..SuiteCase::default() };
        value(&case, &AgentOutput { text: said.to_owned(), ..AgentOutput::default() }).value
    }

    #[test]
    fn prose_is_read_as_an_answer_to_the_question() {
        const EXPORTS: (&str, &str) = ("What did Kenya export in 2024?", "$15.5 billion");
        const INCOME: (&str, &str) = ("What is the GDP per capita of Kenya in 2024?", "$2,274");
        for (asked, said, due) in [
            (EXPORTS, "In 2024, Kenya exported $15.5 billion, up from $14.0 billion in 2023.", Some(1.0)),
            (EXPORTS, "15.5 billion dollars", Some(1.0)),
            (EXPORTS, "In 2024, Kenya exported $15.1 billion.", Some(0.0)),
            (EXPORTS, "In 2019, Kenya exported $15.5 billion.", None),
            (INCOME, "Kenya's GDP per capita was $2,274 in 2024.", Some(1.0)),
            (INCOME, "$2,274", Some(1.0)),
            (INCOME, "It is $2,410, not $2,274.", Some(0.0)),
        ] {
            assert_eq!(score_of(asked.0, asked.1, said), due, "{said}");
        }
        // a year is compared as it stands
        assert_eq!(score_of("When does the series begin?", "1995", "1995"), Some(1.0));
        assert_eq!(
            score_of("How many products does it export?", "169", "It exports 169 products."),
            Some(1.0)
        );
    }
}
