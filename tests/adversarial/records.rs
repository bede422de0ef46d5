//! The records that answers are generated from: 178 questions as the replica of the site answers them.

use atlas_gt::atlas;
use atlas_gt::scoring::answer::Expected;
use atlas_gt::scoring::compare::{Content, Operand};
use atlas_gt::value::{Absence, Context, Quantity, Rule, Unit, Value, parse, parse_as};
use rust_decimal::Decimal;
use serde::Deserialize;

/// A question with its truth.
#[derive(Debug, Clone, Deserialize)]
pub struct Record {
    pub id: String,
    pub question: Option<String>,
    pub rows: Vec<Row>,
}

/// One value of a record.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    pub data_point: String,
    pub metric: String,
    pub country: String,
    pub value: Option<String>,
    pub absence: Option<Absence>,
    pub unit: Option<Unit>,
    pub number: Option<Decimal>,
    pub year: Option<String>,
    pub rank: Option<String>,
    pub share: Option<String>,
    pub product: Option<String>,
    pub partner: Option<String>,
    pub sector: Option<String>,
    pub name: Option<String>,
    pub row: Option<String>,
    pub column: Option<String>,
    pub rule: Option<Rule>,
    pub agreement: Option<String>,
    pub precise: Option<Decimal>,
    pub context: Context,
}

/// All records.
pub fn all() -> Vec<Record> {
    include_str!("records.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Record {
    pub fn expected(&self) -> Vec<Expected> {
        self.rows.iter().map(Row::expected).collect()
    }
}

impl Row {
    /// Of what a row of a list is, by name.
    pub fn subject(&self) -> Option<&str> {
        [&self.product, &self.partner, &self.sector, &self.name, &self.row]
            .into_iter()
            .find_map(Option::as_deref)
    }

    fn expected(&self) -> Expected {
        let mut context = self.context.clone();
        let id = |name: &str| atlas::lookup(name).map(|entity| entity.id.code().to_string());
        context.country = context.country.or_else(|| id(&self.country));
        context.partner = context.partner.or_else(|| id(self.partner.as_deref()?));
        let content = match (&self.value, self.unit, self.absence) {
            (_, _, Some(absence)) => Content::Absent(absence),
            (Some(text), Some(unit), None) => {
                let by_rule = self.rule.and_then(|rule| parse_as(text, rule).ok());
                let quantity = by_rule.or_else(|| match parse(text) {
                    Some(Value::Quantity(quantity)) => Some(quantity),
                    _ => None,
                });
                let quantity = quantity.or_else(|| self.number.map(|number| Quantity::exact(number, unit)));
                Content::Value(Value::Quantity(quantity.unwrap().with_unit(unit)))
            }
            (text, _, _) => Content::Value(Value::Text(text.clone().unwrap())),
        };
        let precise = self.precise.zip(self.unit).filter(|_| self.agreement.as_deref() == Some("agrees"));
        let precise = precise.map(|(number, unit)| {
            Operand::value(Value::Quantity(Quantity::exact(number, unit)), context.clone())
        });
        let names = [&self.product, &self.partner, &self.sector, &self.name, &self.row];
        let subject = self.subject().map(|subject| format!("[{subject}]")).unwrap_or_default();
        Expected {
            field: format!("{}{subject}", self.data_point),
            data_point: self.data_point.clone(),
            metric: self.metric.clone(),
            truth: Operand { content, context },
            precise,
            names: names.into_iter().flatten().cloned().collect(),
            share: self.share.as_deref().and_then(|share| parse_as(share, Rule::F6).ok()),
            rank: self.rank.as_ref().and_then(|rank| rank.parse().ok()),
            column: self.column.clone(),
        }
    }
}
