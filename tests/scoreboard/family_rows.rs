//! The rows of the records as sentences of the families need them.

use atlas_gt::truth::{self, PointProvenance};
use atlas_gt::value::{Absence, AnswerField, Context, Unit};

use crate::records::Question;

/// A question with its truth.
#[derive(Debug, Clone)]
pub struct Record {
    pub question: Option<String>,
    pub rows: Vec<Row>,
}

/// One value of a record.
#[derive(Debug, Clone)]
pub struct Row {
    pub data_point: String,
    pub metric: String,
    pub country: String,
    /// What answers the question: the value, else the share or the code.
    pub value: Option<String>,
    pub absence: Option<Absence>,
    pub unit: Option<Unit>,
    pub year: Option<String>,
    pub rank: Option<String>,
    pub product: Option<String>,
    pub partner: Option<String>,
    pub sector: Option<String>,
    pub name: Option<String>,
    pub row: Option<String>,
    pub column: Option<String>,
    pub answers: Vec<AnswerField>,
    pub context: Context,
}

impl Record {
    pub fn of(question: &Question) -> Self {
        let stored = &question.stored;
        let provenance = stored.provenance.as_ref();
        let read = |row| Row::of(row, provenance.and_then(|provenance| provenance.of(row)));
        Self { question: question.text.clone(), rows: stored.record.results.data.iter().map(read).collect() }
    }
}

impl Row {
    fn of(row: &truth::Row, point: Option<&PointProvenance>) -> Self {
        let answers = row.answers.clone();
        let value = if answers.contains(&AnswerField::Share) {
            row.text("share")
        } else if answers.contains(&AnswerField::Code) {
            row.text("code")
        } else {
            row.value.clone()
        };
        Self {
            data_point: row.data_point.clone(),
            metric: row.metric.clone(),
            country: row.country.clone(),
            value,
            absence: row.absence,
            unit: row.unit,
            year: row.year.clone(),
            rank: row.text("rank"),
            product: row.text("product"),
            partner: row.text("partner"),
            sector: row.text("sector"),
            name: row.text("name"),
            row: row.text("row"),
            column: row.text("column"),
            answers,
            context: point.map(|point| point.context.clone()).unwrap_or_default(),
        }
    }

    /// Of what a row of a list is, by name.
    pub fn subject(&self) -> Option<&str> {
        [&self.product, &self.partner, &self.sector, &self.name, &self.row]
            .into_iter()
            .find_map(Option::as_deref)
    }
}
