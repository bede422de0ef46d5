//! Scores an answer against the expected data points: reads it once, places every candidate, and settles each deciding field
//! (decisions 26 and 30).

use super::figures::figure::Figure;
use super::names::list;
use super::question::asked::Asked;
use super::question::record::{Record, row_names};
use super::reading::Answer;
use super::settle::settle;
use super::values::candidates;
use super::verdict::{missing, unscored};
use super::words::terms;
use crate::answer::candidate::{Candidate, Place};
use crate::answer::expected::Expected;
use crate::answer::verdict::{AnswerScore, AnswerVerdict, Extra, PointScore};
use crate::compare::{Content, LONGEST_TEXT, Operand};
use crate::language::token::Kind;
use crate::value::{AnswerField, Context, Interval, Quantity, Statistic, Unit, Value};

/// Scores an answer to a question against the expected data points.
///
/// Takes time linear in the length of the answer times the number of data points. An answer beyond [`LONGEST_TEXT`] is unscored.
#[must_use]
pub fn score(expected: &[Expected], question: Option<&str>, answer: &str) -> AnswerScore {
    if answer.len() > LONGEST_TEXT {
        let reason =
            format!("the answer has {} bytes and is not read: the limit is {LONGEST_TEXT}", answer.len());
        let points = expected.iter().map(|one| unscored(one, reason.clone())).collect();
        return AnswerScore { points, extra: Vec::new(), countries: Vec::new() };
    }
    let names = row_names(expected, answer);
    let answer = Answer::read(answer, &names, question);
    let asked = Record::of(expected, question).asked();
    let points: Vec<PointScore> = asked
        .iter()
        .map(|one| {
            if answer.lines.is_empty() {
                return missing(one.one, "the answer is empty");
            }
            judge(expected, one, &asked, question, &answer)
        })
        .collect();
    let used = |figure: &Figure| {
        let shown = figure.shown(&answer.lines);
        points.iter().any(|point| point.value.as_deref() == Some(shown))
    };
    let extra = answer
        .figures
        .iter()
        .filter(|figure| figure.counted.is_none() && !used(figure))
        .map(|figure| Extra {
            value: figure.shown(&answer.lines).to_owned(),
            sentence: answer.lines.get(figure.line).map(|line| line.passage.text.clone()).unwrap_or_default(),
        })
        .collect();
    let mut countries: Vec<String> = Vec::new();
    for token in answer.lines.iter().flat_map(|line| &line.sentence.tokens) {
        if let Kind::Country(id) = token.kind {
            let code = id.code().to_string();
            if !countries.contains(&code) {
                countries.push(code);
            }
        }
    }
    AnswerScore { points, extra, countries }
}

/// Judges one data point by its deciding fields. The worst of them decides.
fn judge(
    expected: &[Expected],
    asked: &Asked<'_>,
    all: &[Asked<'_>],
    question: Option<&str>,
    answer: &Answer,
) -> PointScore {
    let worst = |point: &PointScore| match point.said {
        AnswerVerdict::Wrong => 0,
        AnswerVerdict::Missing => 1,
        AnswerVerdict::Unscored => 2,
        AnswerVerdict::Right => 3,
    };
    let points = asked.fields().iter().map(|field| by(*field, expected, asked, all, question, answer));
    let point =
        points.min_by_key(worst).unwrap_or_else(|| missing(asked.one, "the point has no deciding field"));
    if point.said != AnswerVerdict::Right {
        return point;
    }
    if let Some(value) = other_support(expected, asked, all, question, answer) {
        return unscored(asked.one, format!("it comes with a value that is not the row's: {value}"));
    }
    let is_listed = !asked.fields().contains(&AnswerField::Name);
    match is_listed.then(|| list::other_list(asked, all, answer)).flatten() {
        Some(why) => unscored(asked.one, why),
        None => point,
    }
}

/// A supporting value in the answer that contradicts the record.
fn other_support(
    expected: &[Expected],
    asked: &Asked<'_>,
    all: &[Asked<'_>],
    question: Option<&str>,
    answer: &Answer,
) -> Option<String> {
    let fields = asked.fields();
    let contradicted = |found: Vec<Candidate>| {
        let (mut placed, elsewhere): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| one.place == Place::Asked);
        let agrees = placed.iter().any(|one| one.agrees != Some(false));
        // The row's value in another context: `| Product | Change on the year before |`.
        let is_cell = |at: usize| answer.lines.get(at).is_some_and(|line| line.passage.cell);
        let is_other = |one: &&Candidate| {
            one.agrees == Some(true) && matches!(one.place, Place::OtherContext(_)) && is_cell(one.line)
        };
        let of_another = elsewhere.iter().find(is_other).map(|one| one.value.clone());
        placed.pop().map(|one| one.value).or(of_another).filter(|_| !agrees)
    };
    let value = !fields.contains(&AnswerField::Value) && asked.number().is_some();
    // A bare number beside a name may be a rank or a count.
    let unit = asked.number().map(|number| number.unit);
    let valued: Vec<Figure> =
        answer.figures.iter().filter(|figure| Some(figure.quantity.unit) == unit).cloned().collect();
    if value && let Some(other) = contradicted(candidates(asked, all, &valued, &answer.lines)) {
        return Some(other);
    }
    if fields.contains(&AnswerField::Share) || asked.one.share.is_none() {
        return None;
    }
    let shares: Vec<Expected> =
        expected.iter().map(|one| replaced(one, one.share.clone(), Statistic::Share)).collect();
    let all = Record::of(&shares, question).asked();
    contradicted(candidates(all.get(asked.row)?, &all, &answer.figures, &answer.lines))
}

/// Checks that the row is named for its own column: the nearest column name before it, or else after it.
fn in_column(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer, named: PointScore) -> PointScore {
    let Some(column) = asked.one.column.as_deref().filter(|_| named.said == AnswerVerdict::Right) else {
        return named;
    };
    let line = answer.lines.iter().find(|line| Some(&line.passage.text) == named.sentence.as_ref());
    let heads = line.into_iter().flat_map(|line| &line.heads).map(|head| head.text.as_str());
    let text = heads.chain(named.sentence.as_deref()).collect::<Vec<_>>().join(" ").to_lowercase();
    let at = asked.one.names.iter().find_map(|name| text.rfind(&name.to_lowercase())).unwrap_or(text.len());
    let (before, behind) = text.split_at(at);
    let columns = all.iter().filter_map(|one| one.one.column.as_deref());
    let nearest = columns
        .clone()
        .filter_map(|one| Some((before.rfind(one)?, one)))
        .max()
        .or_else(|| columns.filter_map(|one| Some((behind.find(one)?, one))).min());
    if nearest.is_some_and(|(_, one)| one == column) {
        return named;
    }
    let candidates = named.candidates;
    PointScore { candidates, ..unscored(asked.one, format!("it is not named for the column {column}")) }
}

fn by(
    field: AnswerField,
    expected: &[Expected],
    asked: &Asked<'_>,
    all: &[Asked<'_>],
    question: Option<&str>,
    answer: &Answer,
) -> PointScore {
    let one = asked.one;
    let unread = || unscored(one, format!("the record has no {field} to compare with"));
    let instead = |truth: fn(&Expected) -> Option<Quantity>, statistic: Statistic| -> Option<PointScore> {
        truth(one)?;
        let expected: Vec<Expected> =
            expected.iter().map(|one| replaced(one, truth(one), statistic)).collect();
        let all = Record::of(&expected, question).asked();
        let asked = all.get(asked.row)?;
        Some(settle(asked, &candidates(asked, &all, &answer.figures, &answer.lines), &answer.lines))
    };
    match field {
        AnswerField::Value => match &one.truth.content {
            Content::Value(Value::Quantity(_)) => {
                settle(asked, &candidates(asked, all, &answer.figures, &answer.lines), &answer.lines)
            }
            Content::Value(Value::Text(text)) if one.names.iter().any(|name| name == text) => {
                list::judge(asked, all, answer)
            }
            _ => terms::judge(asked, all, answer),
        },
        AnswerField::Share => instead(|one| one.share.clone(), Statistic::Share).unwrap_or_else(unread),
        AnswerField::Rank => instead(rank, Statistic::Rank).unwrap_or_else(unread),
        AnswerField::Name if one.names.is_empty() => unread(),
        AnswerField::Name => in_column(asked, all, answer, list::judge(asked, all, answer)),
        AnswerField::Code => super::words::grade::code(asked, answer).unwrap_or_else(unread),
        AnswerField::Direction => unread(),
    }
}

/// The data point with another field of its row as the truth.
fn replaced(one: &Expected, truth: Option<Quantity>, statistic: Statistic) -> Expected {
    let content = truth.map_or_else(
        || Content::Unread("the row has none".to_owned()),
        |quantity| Content::Value(Value::Quantity(quantity)),
    );
    let context = Context { basis: None, statistic: Some(statistic), ..one.truth.context.clone() };
    Expected {
        truth: Operand { content, context },
        precise: None,
        other_definition: None,
        data_point: if statistic == Statistic::Share {
            "product_share".to_owned()
        } else {
            one.data_point.clone()
        },
        ..one.clone()
    }
}

fn rank(one: &Expected) -> Option<Quantity> {
    let number = one.rank?.into();
    Some(Quantity { number, interval: Interval::point(number), unit: Unit::Rank, rule: None, total: None })
}
