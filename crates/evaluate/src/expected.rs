//! The expected data points of an answer, from the rows and provenance of a record.

use crate::atlas;
use crate::manifest::{AcceptedAnswer, within};
use crate::scoring::answer::{AnswerScore, AnswerVerdict, Expected, Follows, score};
use crate::scoring::compare::{Content, Operand};
use crate::truth::{Agreement, PointProvenance, Provenance, Record, Row, Stored};
use crate::value::{Context, Period, Quantity, Rule, Unit, Value, parse, parse_as};

/// Scores an answer against a stored record, and returns the expected points. Provenance counts
/// only if it belongs to this record. `asked` is the context stated by the question.
#[must_use]
pub(crate) fn against_stored(
    stored: &Stored,
    asked: Option<&Context>,
    question: Option<&str>,
    answer: &str,
) -> (Vec<Expected>, AnswerScore) {
    let expected = expected(&stored.record, stored.provenance.as_ref(), asked);
    let mut scored = against(&expected, question, answer);
    for (at, row) in stored.record.results.data.iter().enumerate() {
        for AcceptedAnswer { value, reason } in accepted(row) {
            if scored.points.get(at).is_none_or(|point| point.said == AnswerVerdict::Right) {
                break;
            }
            let number = match parse(&value) {
                Some(Value::Quantity(quantity)) => Some(quantity.number),
                _ => None,
            };
            let other = Row { value: Some(value.clone()), number, ..row.clone() };
            let point = stored.provenance.as_ref().and_then(|provenance| provenance.of(row));
            let mut rest = expected.clone();
            rest[at] = of_row(&other, point, asked);
            let mut again = against(&rest, question, answer);
            if again.points.get(at).is_some_and(|point| point.said == AnswerVerdict::Right) {
                let mut point = again.points.swap_remove(at);
                point.reason = format!("{value} is accepted: {reason}");
                scored.points[at] = point;
            }
        }
    }
    (expected, scored)
}

/// Values that a row lists as equally right.
fn accepted(row: &Row) -> Vec<AcceptedAnswer> {
    let listed = row.extra.get("accepted").cloned();
    listed.and_then(|listed| serde_json::from_value(listed).ok()).unwrap_or_default()
}

/// Scores an answer against expected points. A point whose true value cannot be read is unscored.
pub fn against(expected: &[Expected], question: Option<&str>, answer: &str) -> AnswerScore {
    let mut scored = score(expected, question, answer);
    for (point, expected) in scored.points.iter_mut().zip(expected) {
        if let Content::Unread(why) = &expected.truth.content {
            point.said = AnswerVerdict::Unscored;
            point.reason = format!("the truth cannot be read: {why}");
        }
    }
    scored
}

/// The expected data points of a record, one per row, in order. `asked` is the context stated by
/// the question; it fills gaps in the provenance.
#[must_use]
pub fn expected(record: &Record, provenance: Option<&Provenance>, asked: Option<&Context>) -> Vec<Expected> {
    record
        .results
        .data
        .iter()
        .map(|row| of_row(row, provenance.and_then(|provenance| provenance.of(row)), asked))
        .collect()
}

/// One expected data point.
#[must_use]
pub fn of_row(row: &Row, point: Option<&PointProvenance>, asked: Option<&Context>) -> Expected {
    let context = context(row, point, asked);
    let text = |key: &str| row.extra.get(key).and_then(|value| value.as_str().map(str::to_owned));
    let mut names: Vec<String> = ["product", "partner", "sector", "sectors", "name", "row"]
        .iter()
        .filter_map(|key| text(key))
        .collect();
    names.dedup();
    let number = |key: &str| {
        row.extra
            .get(key)
            .and_then(|value| value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok())))
    };
    let behind = point.and_then(|point| point.precise.as_ref().zip(point.agreement)).zip(row.unit);
    let behind = |wanted: Agreement| {
        let ((precise, _), unit) = behind.filter(|((_, agreement), _)| *agreement == wanted)?;
        let value = Value::Quantity(Quantity::exact(precise.number, unit));
        Some(Operand::value(value, context.clone()))
    };
    let (precise, other_definition) = (behind(Agreement::Agrees), behind(Agreement::PageDisagrees));
    Expected {
        field: row.field(),
        data_point: row.data_point.clone(),
        metric: row.metric.clone(),
        truth: Operand { content: tolerant(content(row, point), text("tolerance").as_deref()), context },
        precise,
        other_definition,
        names,
        share: text("share").and_then(|text| share(&text)),
        code: text("code"),
        answers: row.answered_by().to_vec(),
        rank: number("rank"),
        column: text("column"),
        follows: point.filter(|point| point.follows()).map(|point| follows(row, point)),
    }
}

/// A share, as displayed by the site or written by another tool.
fn share(text: &str) -> Option<Quantity> {
    let free = || match parse(text)? {
        Value::Quantity(quantity) if quantity.unit == Unit::Percent => Some(quantity),
        _ => None,
    };
    parse_as(text, Rule::F6).ok().or_else(free)
}

/// How a derived value may be expressed in a text.
fn follows(row: &Row, point: &PointProvenance) -> Follows {
    let locator = point.locator.as_deref().unwrap_or_default();
    let is_relative = locator.starts_with("difference") || locator.starts_with("ratio");
    let is_place = row.unit == Some(Unit::Rank) && locator.starts_with("rank");
    if row.number.is_none() || is_relative || is_place { Follows::ByAJudge } else { Follows::ByNumber }
}

fn content(row: &Row, point: Option<&PointProvenance>) -> Content {
    if let Some(absence) = row.absence {
        return Content::Absent(absence);
    }
    let unit = row.unit;
    let displayed = row.value.as_deref();
    // the displayed value is the truth: a number with its rounding interval
    let shown = displayed.and_then(|text| {
        let by_rule = point.and_then(|point| point.rule).and_then(|rule| parse_as(text, rule).ok());
        by_rule.or_else(|| match parse(text) {
            Some(Value::Quantity(quantity)) if unit.is_some() => Some(quantity),
            _ => None,
        })
    });
    // a derived value is as precise as its inputs
    let follows = point.filter(|point| point.follows()).and_then(|point| point.interval);
    if let (Some(interval), Some(number)) = (follows, row.number) {
        let quantity = Quantity { interval, ..Quantity::exact(number, unit.unwrap_or(Unit::Count)) };
        return Content::Value(Value::Quantity(quantity));
    }
    match (shown, row.number, displayed) {
        (Some(quantity), _, _) => Content::Value(Value::Quantity(with_unit(quantity, unit))),
        (None, Some(number), _) => {
            Content::Value(Value::Quantity(Quantity::exact(number, unit.unwrap_or(Unit::Count))))
        }
        (None, None, Some(text)) => Content::Value(Value::Text(text.to_owned())),
        (None, None, None) => Content::Unread("the record has no value".to_owned()),
    }
}

/// A number with the row's tolerance.
fn tolerant(content: Content, tolerance: Option<&str>) -> Content {
    match (content, tolerance) {
        (Content::Value(Value::Quantity(quantity)), Some(tolerance)) => {
            Content::Value(Value::Quantity(within(quantity, tolerance)))
        }
        (content, _) => content,
    }
}

fn with_unit(quantity: Quantity, unit: Option<Unit>) -> Quantity {
    match unit {
        Some(unit) => quantity.with_unit(unit),
        None => quantity,
    }
}

/// The context from the provenance, completed from row and question.
fn context(row: &Row, point: Option<&PointProvenance>, asked: Option<&Context>) -> Context {
    let own = point.map(|point| point.context.clone()).unwrap_or_default();
    let asked = asked.cloned().unwrap_or_default();
    let country = || atlas::lookup(&row.country).map(|entity| entity.id.code().to_string());
    let partner = || {
        let name = row.extra.get("partner")?.as_str()?;
        atlas::lookup(name).map(|entity| entity.id.code().to_string())
    };
    Context {
        country: own.country.or_else(country).or(asked.country),
        partner: own.partner.or_else(partner).or(asked.partner),
        product: own.product.or(asked.product),
        classification: own.classification.or(asked.classification),
        period: own.period.or_else(|| period(row.year.as_deref()?)).or(asked.period),
        flow: own.flow.or(asked.flow),
        scope: own.scope.or(asked.scope),
        basis: own.basis.or(asked.basis),
        statistic: own.statistic.or(asked.statistic),
        base: own.base.or(asked.base),
        per: own.per.or(asked.per),
        tense: own.tense.or(asked.tense),
        group: own.group.or(asked.group),
        position: own.position.or(asked.position),
    }
}

fn period(text: &str) -> Option<Period> {
    match text.split_once('-') {
        Some((start, end)) => {
            Some(Period { start: start.trim().parse().ok()?, end: end.trim().parse().ok()? })
        }
        None => text.trim().parse().ok().map(Period::year),
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;
    use crate::value::{AnswerField, Statistic};

    fn row(value: &str, number: i64, unit: Unit) -> Row {
        Row {
            data_point: "gdp_per_capita".into(),
            metric: "GDP per capita".into(),
            country: "Kenya".into(),
            value: Some(value.into()),
            number: Some(Decimal::from(number)),
            unit: Some(unit),
            year: Some("2024".into()),
            ..Row::default()
        }
    }

    #[test]
    fn a_row_of_the_seed_without_provenance_is_scored_too() {
        let expected = [of_row(&row("$2,274", 2274, Unit::Usd), None, None)];
        assert_eq!(expected[0].truth.context.country.as_deref(), Some("404"));
        let said = |answer: &str| score(&expected, None, answer).points[0].said;
        assert_eq!(said("Kenya's GDP per capita is $2,274."), AnswerVerdict::Right);
        assert_eq!(said("Kenya's GDP per capita was $2,274 in 2019."), AnswerVerdict::Unscored);
        assert_eq!(said("Kenya's GDP per capita is $2,350."), AnswerVerdict::Wrong);
    }

    #[test]
    fn decision_28_a_truth_that_cannot_be_read_is_unscored_and_never_missing() {
        let empty = Row { value: None, number: None, unit: None, ..row("", 0, Unit::Usd) };
        let expected = [of_row(&empty, None, None), of_row(&row("$2,274", 2274, Unit::Usd), None, None)];
        for answer in ["Kenya exports tea.", "Kenya's GDP per capita is $2,274.", ""] {
            let point = against(&expected, None, answer).points.remove(0);
            assert_eq!(point.said, AnswerVerdict::Unscored, "{answer}: {point:?}");
            assert!(point.reason.contains("has no value"), "{point:?}");
        }
    }

    /// A row of a list that is decided by some of its fields.
    fn listed(product: &str, code: &str, share: &str, value: &str, answers: &[AnswerField]) -> Row {
        let extra = [("rank", "1"), ("product", product), ("code", code), ("share", share)];
        let extra = extra.map(|(key, text)| (key.to_owned(), text.into())).into_iter().collect();
        Row {
            data_point: "top_product".into(),
            metric: "Exports".into(),
            extra,
            answers: answers.to_vec(),
            ..row(value, 209, Unit::Usd)
        }
    }

    #[test]
    fn decision_26_the_fields_that_the_record_names_decide() {
        use AnswerField::{Code, Direction, Name, Rank, Share, Value};
        use AnswerVerdict::{Missing, Right, Unscored, Wrong};
        let whole = "Business leads with $209B, which is 26.43% of exports.";
        for (answers, answer, due) in [
            (&[Name, Share][..], whole, Right),
            (&[Name, Share], "Business leads with 26.4%.", Right),
            (&[Name, Share], "Business leads with $209B.", Missing),
            (&[Name, Share], "Business leads with 12.64%.", Wrong),
            (&[Name], "Business leads.", Right),
            (&[Name], "Business leads with $403B.", Unscored),
            (&[Name], "Cars lead with $209B.", Wrong),
            (&[Share], "Its share is 26.43%.", Right),
            (&[Share], "Business exports were $209B.", Missing),
            (&[Code], "The code is ict.", Right),
            (&[Code], "The code is 8517.", Wrong),
            (&[Code], whole, Missing),
            (&[Rank], "Business ranks 1st.", Right),
            (&[Rank], "Business ranks 2nd.", Wrong),
            (&[Value], "Business exports were $209B.", Right),
            (&[Value], "Business leads with 26.43%.", Missing),
            (&[Direction], whole, Unscored),
        ] {
            let expected = [of_row(&listed("Business", "ict", "26.43%", "$209B", answers), None, None)];
            let point = score(&expected, None, answer).points.remove(0);
            assert_eq!(point.said, due, "{answers:?}: {answer}: {}", point.reason);
        }
        // a field that the record does not have decides nothing
        let mut bare = listed("Business", "ict", "26.43%", "$209B", &[Share]);
        bare.extra.shift_remove("share");
        let point = score(&[of_row(&bare, None, None)], None, whole).points.remove(0);
        assert_eq!(
            (point.said, point.reason.as_str()),
            (Unscored, "the record has no share to compare with")
        );
    }

    #[test]
    fn signed_and_worded_values_keep_their_form() {
        let mut change = row("-13", -13, Unit::Positions);
        change.data_point = "eci_rank_change_decade".into();
        let Content::Value(Value::Quantity(quantity)) = of_row(&change, None, None).truth.content else {
            panic!("no number")
        };
        assert_eq!((quantity.number, quantity.unit), (Decimal::from(-13), Unit::Positions));
        let words = Row { value: Some("lower-middle-income".into()), unit: None, number: None, ..change };
        assert!(matches!(of_row(&words, None, None).truth.content, Content::Value(Value::Text(_))));
    }

    /// A result that follows from several values, made by an operation.
    fn result(
        value: &str,
        number: Option<&str>,
        unit: Unit,
        statistic: Option<Statistic>,
        operation: &str,
    ) -> Expected {
        let row = Row {
            data_point: "result".into(),
            metric: "Change of exports".into(),
            country: "Spain".into(),
            value: Some(value.into()),
            number: number.map(|number| number.parse().unwrap()),
            unit: number.map(|_| unit),
            year: Some("2016-2021".into()),
            ..Row::default()
        };
        let context = Context {
            country: Some("724".into()),
            period: Some(Period { start: 2016, end: 2021 }),
            flow: Some(crate::value::Flow::Export),
            statistic,
            ..Context::default()
        };
        let point: PointProvenance = serde_json::from_value(serde_json::json!({
            "data_point": "result",
            "context": context,
            "channel": "page_response",
            "locator": format!("{operation} of first, last"),
            "read_at": "2026-11-20T10:30:00Z",
        }))
        .unwrap();
        of_row(&row, Some(&point), None)
    }

    #[test]
    fn what_follows_from_others_is_right_only_where_the_text_says_what_was_made_of_them() {
        use AnswerVerdict::{Right, Unscored, Wrong};
        let change = result("$221B", Some("220569132891"), Unit::Usd, Some(Statistic::Change), "change");
        let rate = result("7.22%", Some("7.2226877"), Unit::Percent, Some(Statistic::Cagr), "cagr");
        let which = result("Netherlands", None, Unit::Usd, None, "largest");
        let difference =
            result("$1.13B", Some("1131091778"), Unit::Usd, Some(Statistic::Level), "difference");
        let place = result("2nd of 4", Some("2"), Unit::Rank, Some(Statistic::Rank), "rank");
        for (truth, answer, verdict) in [
            (&change, "Spain's exports grew by about $221 billion from 2016 to 2021.", Right),
            (&change, "Spain's exports fell by $221 billion from 2016 to 2021.", Wrong),
            (&change, "Spain's exports grew by $300 billion from 2016 to 2021.", Wrong),
            (&change, "Spain's exports were $221 billion.", Unscored),
            (&change, "Spain exported $221 billion in 2021.", Unscored),
            (&rate, "Spain's exports grew by 7.2% a year from 2016 to 2021.", Right),
            (&rate, "Spain's exports grew by 7.2% from 2016 to 2021.", Unscored),
            (&rate, "7.2% of Spain's exports are services.", Unscored),
            (&which, "The Netherlands grew faster than Sweden.", Unscored),
            (&which, "Sweden grew faster than the Netherlands.", Unscored),
            (&difference, "Spain exported tea worth $1.13 billion.", Unscored),
            (&place, "Spain is 2nd.", Unscored),
        ] {
            let said = against(std::slice::from_ref(truth), None, answer).points.remove(0);
            assert_eq!(said.said, verdict, "{answer}: {said:?}");
        }
    }
}
