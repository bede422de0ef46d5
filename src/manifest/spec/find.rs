//! The ways in which a point is found on a page, and what each needs to know.

use serde::Deserialize;

use super::super::Method;
use crate::value::{Rule, Unit};

/// How a point is found.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Find {
    /// A value beside its label.
    Stat(Stat),
    /// A phrase in prose.
    Narrative(Narrative),
    /// Country names with shares, in order.
    Partners(Partners),
    /// A table with headers, by `<table>` or not.
    Table(Table),
    /// The own country's cell of a table.
    Cell(Cell),
    /// Cells of a treemap: the response, checked against the visible labels.
    Cells(Cells),
    /// Drawn on a canvas: the response, checked against a visible text if there is one.
    Drawn(Drawn),
    /// The figure in the corner of an Explore page.
    Total(Total),
    /// All cells of an Explore treemap together: the response, checked against the figure in the corner.
    Sum(Sum),
    /// The largest cells of an Explore treemap: the response, checked against the visible labels.
    Ranked(Ranked),
    /// One cell of an Explore treemap, or another figure of its product.
    One(One),
    /// The first products of the table of opportunities.
    Opportunities(Opportunities),
    /// A cell of the table of opportunities: of the product that the question names, else of the first row.
    Opportunity(Opportunity),
}

/// What the cells of an Explore treemap stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// Products.
    Product,
    /// Trade partners, or the sellers of one product.
    Partner,
}

/// The figure in the corner of an Explore page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Total {
    /// Its form.
    pub rule: Rule,
}

/// All cells of an Explore treemap together.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// Form of the value in the record.
    pub rule: Rule,
}

/// The largest cells of an Explore treemap.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranked {
    /// What the cells stand for.
    pub of: Of,
    /// How many of them.
    pub count: usize,
    /// Form of the value in the record and of the labels.
    pub rule: Rule,
}

/// One cell of an Explore treemap.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct One {
    /// What the cells stand for.
    pub of: Of,
    /// Form of the value in the record.
    pub rule: Rule,
    /// Its part of all cells that are shown, in per cent.
    #[serde(default)]
    pub share: bool,
    /// Another field of the row than the traded value.
    #[serde(default)]
    pub field: Option<String>,
    /// Another query whose rows hold that field.
    #[serde(default)]
    pub from: Option<String>,
    /// Factor from the raw number to the displayed unit.
    #[serde(default)]
    pub scale: Option<rust_decimal::Decimal>,
    /// Decimals that the page prints, where the rule leaves them open.
    #[serde(default)]
    pub decimals: Option<u32>,
    /// Labels of the figure in the tooltip of the product's cell, which confirms it.
    #[serde(default)]
    pub tooltip: Vec<String>,
}

/// The first products of the table of opportunities.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opportunities {
    /// Id of the point that describes the table.
    pub table: String,
    /// How many.
    pub count: usize,
}

/// A cell of the table of opportunities.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opportunity {
    /// Id of the point that describes the table.
    pub table: String,
    /// Id of the column.
    pub column: String,
}

/// A value beside its label.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stat {
    /// The label in every wording that was seen.
    pub labels: Vec<String>,
    /// Form of the value.
    #[serde(default)]
    pub rule: Option<Rule>,
    /// Vocabulary of the value, for words.
    #[serde(default)]
    pub vocabulary: Option<String>,
    /// Text around the number: `{value} (RCA>1)`.
    #[serde(default)]
    pub form: Option<String>,
    /// Words that must stand with the value inside the card.
    #[serde(default)]
    pub with: Vec<String>,
    /// Words that must not.
    #[serde(default)]
    pub without: Vec<String>,
    /// Words of the sentence that the number belongs to.
    #[serde(default)]
    pub near: Vec<String>,
}

/// A phrase in prose.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Narrative {
    /// Cue patterns, the best first.
    pub cues: Vec<String>,
    /// Form of the value, for numbers.
    #[serde(default)]
    pub rule: Option<Rule>,
    /// Vocabulary of the value, for words that the cue does not list.
    #[serde(default)]
    pub vocabulary: Option<String>,
    /// Whether the number itself prints a minus.
    #[serde(default)]
    pub signed: bool,
}

/// Country names with shares.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partners {
    /// Text of the control that says what is listed.
    pub captions: Vec<String>,
    /// Form of the share.
    pub rule: Rule,
    /// How many are shown.
    pub count: usize,
}

/// A table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its title.
    pub titles: Vec<String>,
    /// Its columns from left to right.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name in the record.
    pub id: String,
    /// Header in every wording that was seen.
    pub headers: Vec<String>,
    /// Form of its numbers.
    #[serde(default)]
    pub rule: Option<Rule>,
    /// Unit of its numbers.
    #[serde(default)]
    pub unit: Option<Unit>,
    /// What its text names: `country` or `product`.
    #[serde(default)]
    pub text: Option<String>,
    /// Five diamonds, each empty, half or full.
    #[serde(default)]
    pub rating: bool,
    /// The sign stands in an arrow beside the number and must be there.
    #[serde(default)]
    pub signed: bool,
    /// The field of the page's own response by product that is displayed (Explore).
    #[serde(default)]
    pub field: Option<String>,
    /// Factor from the raw number of that field to the displayed unit.
    #[serde(default)]
    pub scale: Option<rust_decimal::Decimal>,
    /// Why that field may differ from the display.
    #[serde(default)]
    pub honest: Option<String>,
}

/// The own country's cell of a table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Id of the point that describes the table.
    pub table: String,
    /// Id of the column.
    pub column: String,
}

/// Cells of a treemap.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// How many of the largest; absent: the one product that the question names.
    #[serde(default)]
    pub count: Option<usize>,
    /// Form of the visible label: a share (`F6`) or a value.
    pub label: Rule,
    /// Form of the value in the record.
    pub rule: Rule,
}

/// A figure that is drawn only.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Texts before the figure where a rendering shows it as text.
    pub labels: Vec<String>,
    /// Form of the figure.
    pub rule: Rule,
}

impl Find {
    /// How it reads, in the words of the manifest.
    #[must_use]
    pub const fn method(&self) -> Method {
        match self {
            Self::Stat(_)
            | Self::Partners(_)
            | Self::Table(_)
            | Self::Cell(_)
            | Self::Total(_)
            | Self::Opportunities(_)
            | Self::Opportunity(_) => Method::Dom,
            Self::Narrative(_) => Method::Narrative,
            Self::Cells(_) | Self::Drawn(_) | Self::Sum(_) | Self::Ranked(_) | Self::One(_) => {
                Method::ApiPreferred
            }
        }
    }
}

impl Find {
    /// Whether a question has to name the product that it is about.
    #[must_use]
    pub const fn is_about_one_product(&self) -> bool {
        matches!(
            self,
            Self::Cells(Cells { count: None, .. })
                | Self::One(One { of: Of::Product, .. })
                | Self::Opportunity(_)
        )
    }

    /// Whether a question has to name the trade partner that it is about.
    #[must_use]
    pub const fn is_about_one_partner(&self) -> bool {
        matches!(self, Self::One(One { of: Of::Partner, .. }))
    }
}
