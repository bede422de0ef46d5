//! Scores an answer against the expected data points: reads it once, then finds and settles each deciding field (decisions 26
//! and 30).

use std::collections::BTreeSet;

use super::candidate::{Candidate, Found, Place};
use super::contradicted::link::links_elsewhere;
use super::contradicted::trend;
use super::figures::figure::Figure;
use super::line::Line;
use super::names::list;
use super::place::derived::other_sum_of_shares;
use super::point::{AnswerScore, AnswerVerdict, Expected, PointScore, missing, unscored};
use super::question::asked::Asked;
use super::question::record::{Record, row_names};
use super::reading::Answer;
use super::settle::settle;
use super::values::candidates;
use super::words::terms;
use crate::compare::{Content, LONGEST_TEXT, Operand};
use crate::language::answer_words::Topic;
use crate::value::{AnswerField, Context, Interval, Quantity, Statistic, Unit, Value};

/// Scores an answer to a question against the expected data points.
///
/// Takes time linear in the length of the answer times the number of data points. An answer beyond [`LONGEST_TEXT`] is unscored.
#[must_use]
pub fn score(expected: &[Expected], question: Option<&str>, text: &str) -> AnswerScore {
    if text.len() > LONGEST_TEXT {
        let reason =
            format!("the answer has {} bytes and is not read: the limit is {LONGEST_TEXT}", text.len());
        let points = expected.iter().map(|one| unscored(one, reason.clone())).collect();
        return AnswerScore { points, extra: Vec::new(), countries: Vec::new() };
    }
    let answer = Answer::read(text, &row_names(expected, text), question);
    let needs = |field: AnswerField| expected.iter().any(|one| one.answers.contains(&field));
    let with = |statistic, truth: fn(&Expected) -> Option<Quantity>| -> Vec<Expected> {
        expected.iter().map(|one| replaced(one, truth(one), statistic)).collect()
    };
    let has_shares = needs(AnswerField::Share) || expected.iter().any(|one| one.share.is_some());
    let shares = if has_shares { with(Statistic::Share, |one| one.share.clone()) } else { Vec::new() };
    let ranks = if needs(AnswerField::Rank) { with(Statistic::Rank, rank) } else { Vec::new() };
    let asked = |rows| Record::of(rows, question).asked();
    let record = Requests { values: asked(expected), shares: asked(&shares), ranks: asked(&ranks) };
    let points: Vec<PointScore> = (0..expected.len()).filter_map(|row| record.judge(row, &answer)).collect();
    AnswerScore { extra: answer.figures_beside(&points), countries: answer.countries(), points }
}

/// What the rows ask for, by the words that answer them: their values, and shares and ranks beside them.
#[must_use]
pub fn topics(expected: &[Expected], question: Option<&str>) -> BTreeSet<Topic> {
    let values = Record::of(expected, question).asked();
    let beside = values.iter().flat_map(Asked::fields).filter_map(|field| match field {
        AnswerField::Share => Some(Topic::Percent),
        AnswerField::Rank => Some(Topic::Rank),
        _ => None,
    });
    values.iter().map(Asked::topic).chain(beside).collect()
}

/// What the question asks of every row, by the field that an answer may give.
struct Requests<'a> {
    values: Vec<Asked<'a>>,
    /// The rows with their share as the truth.
    shares: Vec<Asked<'a>>,
    /// The rows with their rank as the truth.
    ranks: Vec<Asked<'a>>,
}

impl Requests<'_> {
    /// Judges one data point by its deciding fields. The worst of them decides.
    fn judge(&self, row: usize, answer: &Answer) -> Option<PointScore> {
        let asked = self.values.get(row)?;
        if answer.lines.is_empty() {
            return Some(missing(asked.one, "the answer is empty"));
        }
        let worst = |point: &PointScore| match point.said {
            AnswerVerdict::Wrong => 0,
            AnswerVerdict::Missing => 1,
            AnswerVerdict::Unscored => 2,
            AnswerVerdict::Right => 3,
        };
        let points = asked.fields().iter().filter_map(|field| self.by(*field, row, answer));
        let point =
            points.min_by_key(worst).unwrap_or_else(|| missing(asked.one, "the point has no deciding field"));
        if point.said != AnswerVerdict::Right {
            return Some(point);
        }
        if let Some(value) = self.other_support(row, answer) {
            let why = format!("it comes with a value that is not the row's: {value}");
            return Some(unscored(asked.one, why));
        }
        if let Some(other) = other_sum_of_shares(&self.shares, &answer.figures) {
            let why = format!(
                "{} is called the sum of the rows' shares, which is another number",
                other.shown(&answer.lines)
            );
            return Some(unscored(asked.one, why));
        }
        let elsewhere = || links_elsewhere(asked, &answer.addresses);
        let doubt = elsewhere().or_else(|| trend(&self.values, &answer.lines));
        if let Some(why) = doubt {
            return Some(unscored(asked.one, why));
        }
        let is_listed = !asked.fields().contains(&AnswerField::Name);
        let other = is_listed.then(|| list::other_list(asked, &self.values, answer)).flatten();
        Some(other.map_or(point, |why| unscored(asked.one, why)))
    }

    /// The verdict on one field of a row.
    fn by(&self, field: AnswerField, row: usize, answer: &Answer) -> Option<PointScore> {
        let all = match field {
            AnswerField::Share => &self.shares,
            AnswerField::Rank => &self.ranks,
            _ => &self.values,
        };
        let asked = all.get(row)?;
        let found = find(field, asked, all, answer);
        let found = found.unwrap_or_else(|| {
            Found::from(unscored(asked.one, format!("the record has no {field} to compare with")))
        });
        Some(settle(asked, found, &answer.lines))
    }

    /// A supporting value in the answer that contradicts the record.
    fn other_support(&self, row: usize, answer: &Answer) -> Option<String> {
        let asked = self.values.get(row)?;
        let fields = asked.fields();
        // A bare number beside a name may be a rank or a count.
        let unit = asked.number().filter(|_| !fields.contains(&AnswerField::Value)).map(|number| number.unit);
        // `with Uganda, 804 million shillings`
        let is_other_money = |figure: &&Figure| figure.quantity.unit == Unit::OtherCurrency;
        if unit == Some(Unit::Usd)
            && let Some(other) = answer.figures.iter().find(is_other_money)
        {
            return Some(other.shown(&answer.lines).to_owned());
        }
        let valued: Vec<Figure> =
            answer.figures.iter().filter(|figure| Some(figure.quantity.unit) == unit).cloned().collect();
        let share = self
            .shares
            .get(row)
            .filter(|one| !fields.contains(&AnswerField::Share) && one.number().is_some());
        let value = unit.map(|_| (asked, &self.values, &valued));
        let share = share.map(|share| (share, &self.shares, &answer.figures));
        value.into_iter().chain(share).find_map(|(asked, all, figures)| {
            contradicted(candidates(asked, all, figures, &answer.lines), &answer.lines)
        })
    }
}

/// Finds a field of a row. `None` if the record has none.
fn find(field: AnswerField, asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> Option<Found> {
    let names = &asked.one.names;
    match (field, &asked.one.truth.content) {
        (AnswerField::Value | AnswerField::Share | AnswerField::Rank, Content::Value(Value::Quantity(_))) => {
            Some(Found::Candidates(candidates(asked, all, &answer.figures, &answer.lines)))
        }
        (AnswerField::Value, Content::Value(Value::Text(text))) if names.contains(text) => {
            Some(list::find(asked, all, answer))
        }
        (AnswerField::Value, _) => Some(terms::find(asked, all, answer)),
        (AnswerField::Name, _) => (!names.is_empty()).then(|| list::find_in_column(asked, all, answer)),
        (AnswerField::Code, _) => terms::codes(asked, answer),
        (AnswerField::Share | AnswerField::Rank | AnswerField::Direction, _) => None,
    }
}

/// The value that candidates give instead of the truth: as asked, or in a cell of another context (`| Product | Change on the year
/// before |`).
fn contradicted(found: Vec<Candidate>, lines: &[Line]) -> Option<String> {
    let (mut placed, elsewhere): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|one| one.place == Place::Asked);
    let agrees = placed.iter().any(|one| one.agrees != Some(false));
    let is_cell = |at: usize| lines.get(at).is_some_and(|line| line.passage.cell);
    let is_other = |one: &Candidate| {
        one.agrees == Some(true) && matches!(one.place, Place::OtherContext(_)) && is_cell(one.line)
    };
    let of_another = elsewhere.into_iter().find(is_other);
    placed.pop().or(of_another).map(|one| one.value).filter(|_| !agrees)
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
