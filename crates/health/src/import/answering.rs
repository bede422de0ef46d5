//! Which values of a record answer its question. An answer must give only these imported values;
//! the rest of a row is support (decision 31).

use serde_json::Value as Json;

use super::report::LeafUse;
use super::rows::Built;
use super::words::words;
use crate::atlas::lookup;
use crate::external::keys::year_of;
use crate::external::{Figure, FigureContent};
use crate::manifest::Asked;
use crate::scoring::language::{Stated, stated};
use crate::truth::{Row, SUPPORT};
use crate::value::{AnswerField, Statistic};

/// Marks the rows that the question does not ask for. If the manifest names data points, exactly
/// these are asked for. Otherwise the question's words decide.
pub(super) fn mark_support(built: &mut Built, figures: &[Figure], question: Option<&str>, has_points: bool) {
    let fields: Vec<(usize, String)> = built
        .fates
        .iter()
        .enumerate()
        .filter(|(_, fate)| fate.used == LeafUse::Own)
        .filter_map(|(at, fate)| Some((at, fate.field.clone()?)))
        .collect();
    let asked = question.filter(|_| !has_points).map(|text| Asked::new(text, None, false));
    let answering = match &asked {
        Some(asked) => answering(asked, figures, &fields),
        None if has_points => Vec::new(),
        None => return,
    };
    for (at, field) in &fields {
        let row = built.rows.iter_mut().map(|(row, _)| row).find(|row| row.field() == *field);
        let Some(row) = row else { continue };
        if !answering.contains(at) {
            row.extra.insert(SUPPORT.to_owned(), Json::Bool(true));
        } else if let Some(asked) = &asked {
            answer_by_name(asked, row);
        }
    }
}

/// Marks the name as the answer if the question asks for a product or a country.
fn answer_by_name(asked: &Asked, row: &mut Row) {
    let is_named = ["product", "partner", "sector", "name"].iter().any(|key| row.text(key).is_some());
    if is_named && asked.says("asks_name") {
        row.answers = vec![AnswerField::Name];
        if asked.says("asks_value_too") {
            row.answers.push(AnswerField::Value);
        }
    }
}

/// The indices of the values that the question asks for.
fn answering(asked: &Asked, figures: &[Figure], fields: &[(usize, String)]) -> Vec<usize> {
    let said = stated(&asked.text);
    let wanted = wanted(asked, &said);
    let mut left: Vec<usize> = fields.iter().map(|(at, _)| *at).collect();
    left.retain(|at| figures[*at].content != FigureContent::Nothing);
    if let [_] = left[..] {
        return left;
    }
    // a row may also hold the operands of a change
    let results: Vec<usize> = left.iter().copied().filter(|at| !is_operand(&figures[*at])).collect();
    if let ([_], true) = (&results[..], asked.asks_change()) {
        return results;
    }
    left.retain(|at| fits(&figures[*at], asked, &said, wanted));
    // without a word for share, growth or rank, the question means the amount
    if wanted.is_none() && left.iter().any(|at| is_level(&figures[*at])) {
        left.retain(|at| is_level(&figures[*at]));
    }
    if wanted.is_some() && left.iter().any(|at| statistic(&figures[*at]).is_some()) {
        left.retain(|at| statistic(&figures[*at]).is_some());
    }
    let closeness = |at: &usize| {
        let figure = &figures[*at];
        let own = words(&format!(
            "{} {}",
            figure.key.replace('_', " "),
            figure.about.metric.as_deref().unwrap_or_default()
        ));
        let known = words(&asked.text);
        own.intersection(&known).count() * 2 + usize::from(figure.name == "value")
    };
    let closest = left.iter().map(closeness).max().unwrap_or_default();
    left.retain(|at| closeness(at) == closest);
    let mut rows: Vec<usize> = left.iter().map(|at| figures[*at].row).collect();
    rows.dedup();
    let is_column =
        rows.len() == left.len() && left.iter().all(|at| figures[*at].key == figures[left[0]].key);
    match left.len() {
        0 | 1 => left,
        _ if is_column && asks_many(asked) => left,
        _ => Vec::new(),
    }
}

/// Whether the question asks for more than one value.
fn asks_many(asked: &Asked) -> bool {
    asked.count().is_some() || asked.asks_who() || asked.says("asks_many") || asked.countries.len() > 1
}

/// The statistic that the question asks for; none for an amount.
fn wanted(asked: &Asked, said: &Stated) -> Option<Statistic> {
    if asked.asks_yearly_growth() {
        return Some(Statistic::Cagr);
    }
    if asked.asks_total_growth() {
        return Some(Statistic::TotalGrowth);
    }
    if asked.says("asks_rank") {
        return Some(Statistic::Rank);
    }
    if asked.says("asks_share") {
        return Some(Statistic::Share);
    }
    said.statistic.filter(|statistic| *statistic != Statistic::Level)
}

fn statistic(figure: &Figure) -> Option<Statistic> {
    let by_key = figure.measure.and_then(|measure| measure.statistic);
    by_key
        .or_else(|| stated(figure.about.metric.as_deref()?).statistic)
        .filter(|one| *one != Statistic::Level)
}

fn is_level(figure: &Figure) -> bool {
    statistic(figure).is_none() && !is_operand(figure)
}

fn is_operand(figure: &Figure) -> bool {
    let of_one_end = figure.about.period.and_then(|period| year_of(&figure.key, period)).is_some();
    of_one_end || figure.measure.is_some_and(|measure| measure.name == "operand")
}

/// Whether a value agrees with everything that the question states.
fn fits(figure: &Figure, asked: &Asked, said: &Stated, wanted: Option<Statistic>) -> bool {
    let about = &figure.about;
    let own =
        stated(&format!("{}, {}", figure.key.replace('_', " "), about.metric.as_deref().unwrap_or_default()));
    let flow = figure.measure.and_then(|measure| measure.flow).or(own.flow);
    let is_of_flow = flow.is_none() || said.flow.is_none() || flow == said.flow;
    let is_growth =
        |one: Statistic| matches!(one, Statistic::TotalGrowth | Statistic::Change | Statistic::Cagr);
    let of_figure = statistic(figure);
    let counts = match (of_figure, wanted) {
        (Some(own), Some(wanted)) => {
            own == wanted || is_growth(own) && is_growth(wanted) && wanted != Statistic::Cagr
        }
        _ => true,
    };
    let measures =
        said.measures.is_empty() || own.measures.is_empty() || !said.measures.is_disjoint(&own.measures);
    let years = match about.period {
        Some(period) if period.start == period.end && !asked.years.is_empty() => {
            asked.years.contains(&period.start)
        }
        _ => true,
    };
    // a series covers the years between the two that are asked for
    let in_span = || match (asked.years.as_slice(), about.period) {
        ([start, .., end], Some(period)) => asks_many(asked) && period.start >= *start && period.end <= *end,
        _ => false,
    };
    let country = about.country.as_deref().and_then(lookup);
    let is_of_country = asked.countries.is_empty()
        || asked.asks_who()
        || country.is_none_or(|entity| asked.countries.contains(&entity.id));
    let is_amount_of_growth = is_operand(figure) && wanted.is_some();
    is_of_flow && counts && measures && (years || in_span()) && is_of_country && !is_amount_of_growth
}
