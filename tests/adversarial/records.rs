//! The records that answers are generated from: 178 questions as the replica of the site answers them.

use atlas_gt::evaluate::expected::of_row;
use atlas_gt::scoring::answer::Expected;
use atlas_gt::truth::{self, PointProvenance};
use atlas_gt::value::{Absence, AnswerField, Context, Unit};
use serde::Deserialize;

/// A question with its truth.
#[derive(Debug, Clone)]
pub struct Record {
    pub id: String,
    pub question: Option<String>,
    pub rows: Vec<Row>,
    expected: Vec<Expected>,
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

/// A line of the file: a question, its rows as they are stored, and how they were read.
#[derive(Deserialize)]
struct Line {
    id: String,
    question: Option<String>,
    context: Context,
    data: Vec<truth::Row>,
    points: Vec<PointProvenance>,
}

/// All records.
pub fn all() -> Vec<Record> {
    include_str!("records.jsonl")
        .lines()
        .map(|line| Record::of(serde_json::from_str(line).unwrap()))
        .collect()
}

impl Record {
    fn of(line: Line) -> Self {
        let read = |row: &truth::Row| {
            let subject = row.subject();
            let point = line
                .points
                .iter()
                .find(|point| point.data_point == row.data_point && point.subject == subject);
            (Row::of(row, point), of_row(row, point, Some(&line.context)))
        };
        let (rows, expected) = line.data.iter().map(read).unzip();
        Self { id: line.id, question: line.question, rows, expected }
    }

    pub fn expected(&self) -> Vec<Expected> {
        self.expected.clone()
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
