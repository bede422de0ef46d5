//! The parameters of a table in a spec, and their compiled form.

use serde::Deserialize;

use crate::atlas::Api;
use crate::cell::CellKind;
use crate::cue::Cue;
use crate::label::normalized_labels;
use crate::manifest::Diagnostic;
use crate::manifest::spec::Spec;
use crate::value::{Rule, Unit};

/// The parameters of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// The titles, in every wording.
    titles: Vec<String>,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
}

/// The parameters of a point that is a cell of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellSpec {
    /// Id of the point that describes the table.
    pub table: String,
    /// Id of the column.
    pub column: String,
}

/// A column of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The id in the record.
    pub id: String,
    /// The header, in every known wording.
    headers: Vec<String>,
    /// The rule of its numbers.
    rule: Option<Rule>,
    /// The unit of its numbers.
    unit: Option<Unit>,
    /// What its text names: `country` or `product`.
    text: Option<String>,
    /// Whether it shows five diamonds, each empty, half or full.
    #[serde(default)]
    rating: bool,
    /// Whether the sign is an arrow beside the number, and required.
    #[serde(default)]
    signed: bool,
    /// The field by product in the page's own response that is displayed (Explore).
    pub field: Option<String>,
    /// The factor from that field to the displayed unit.
    pub scale: Option<rust_decimal::Decimal>,
    /// Why that field may differ from the display.
    pub known_difference: Option<String>,
}

impl TableSpec {
    /// Checks that the API has the fields of the columns.
    ///
    /// # Errors
    /// The API lacks a field. The error names the column.
    pub fn check(&self, api: Api) -> Result<(), Box<Diagnostic>> {
        self.columns.iter().enumerate().try_for_each(|(index, column)| {
            let field = column.field.as_deref().map_or(Ok(()), |field| api.row_field(field));
            field.map_err(|what| Diagnostic::of(format!("columns[{index}].field"), what))
        })
    }

    /// The compiled form.
    pub fn form(&self) -> Result<TableForm, String> {
        Ok(TableForm {
            titles: self.titles.iter().map(|title| Cue::new(title, None)).collect::<Result<_, _>>()?,
            columns: self.columns.iter().map(Column::form).collect::<Result<_, _>>()?,
        })
    }

    /// The parameters of the table described by the point with this id.
    pub fn of(spec: &Spec, id: &str) -> Result<Self, String> {
        let point = spec.point(id).filter(|point| point.find.kind == "table");
        point.ok_or_else(|| format!("no table `{id}`"))?.find.params()
    }

    /// The index of a column in a table.
    pub fn column(&self, table: &str, id: &str) -> Result<usize, String> {
        let at = self.columns.iter().position(|column| column.id == id);
        at.ok_or_else(|| format!("no table `{table}` with a column `{id}`"))
    }
}

impl Column {
    fn form(&self) -> Result<ColumnForm, String> {
        let kind = match (self.rating, self.rule, self.text.as_deref()) {
            (true, _, _) => CellKind::Rating,
            (_, Some(rule), _) if self.signed => CellKind::Arrowed(rule),
            (_, Some(rule), _) => CellKind::Number(rule),
            (_, _, Some("country")) => CellKind::Country,
            (_, _, Some("product")) => CellKind::Product,
            _ => {
                let what = "no `rule`, no `rating`, and `text` is not country or product";
                return Err(format!("column `{}`: {what}", self.id));
            }
        };
        Ok(ColumnForm {
            id: self.id.clone(),
            headers: normalized_labels(&self.headers),
            kind,
            unit: self.unit,
        })
    }
}

/// The compiled table of a spec.
#[derive(Debug, Clone)]
pub struct TableForm {
    /// Its titles.
    pub titles: Vec<Cue>,
    /// Its columns.
    pub columns: Vec<ColumnForm>,
}

/// The compiled column of a spec.
#[derive(Debug, Clone)]
pub struct ColumnForm {
    /// The id in the record.
    pub id: String,
    /// The normalized headers.
    pub headers: Vec<String>,
    /// The type of its cells.
    pub kind: CellKind,
    /// The unit of its numbers.
    pub unit: Option<Unit>,
}
