//! Extractor specs: what a kind of page shows and how a person finds it, as data.
//! Wording that changes on the site is mended in `manifests/extractors/*.toml`, not in code.

mod load;

pub use load::{Specs, parse};

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Method;
use crate::value::{Context, Rule, Unit};

/// One extractor: the points of one kind of page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The extractor's name, as manifests use it.
    pub name: String,
    /// Raised with every change of wording; stored with every value.
    pub version: u32,
    /// The kind of page it reads.
    pub page: String,
    /// Headings that name the country of the page.
    #[serde(default)]
    pub entity_headings: Vec<String>,
    /// The heading that carries the data year.
    #[serde(default)]
    pub year_heading: Option<String>,
    /// How the site says that there is no such page.
    #[serde(default)]
    pub not_found: NotFound,
    /// The sections in page order.
    pub sections: Vec<Section>,
    /// The titles of an Explore page, in every wording that is known.
    #[serde(default)]
    pub titles: Vec<String>,
    /// The label of the figure in the corner of an Explore page.
    #[serde(default)]
    pub total_labels: Vec<String>,
    /// What has to be operated to see everything.
    #[serde(default)]
    pub interactions: Vec<Interaction>,
    /// The data points.
    pub points: Vec<Point>,
}

/// The texts of a not-found page; all of them must be there.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotFound {
    /// The texts.
    pub texts: Vec<String>,
}

/// A section of the page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its anchor in the URL, `introduction` for the first.
    pub slug: String,
    /// Its heading, in every wording that was seen. Empty for the part before the first heading.
    pub headings: Vec<String>,
    /// How the page says that the section is not available for this country.
    #[serde(default)]
    pub unavailable: Vec<String>,
}

/// A control that has to be operated before a point is visible.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interaction {
    /// Name that points refer to in `state`.
    pub name: String,
    /// Heading of the section that the control is in.
    #[serde(default)]
    pub within: Option<String>,
    /// Visible text of the control.
    pub open: String,
    /// Visible text of the choice.
    pub choose: String,
}

/// One data point.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Name in manifests and records.
    pub id: String,
    /// Name for people.
    pub metric: String,
    /// Slug of its section.
    pub section: String,
    /// Interaction after which it is visible.
    #[serde(default)]
    pub state: Option<String>,
    /// How it is found.
    pub find: Find,
    /// Unit of its number.
    #[serde(default)]
    pub unit: Option<Unit>,
    /// Vocabulary of its words.
    #[serde(default)]
    pub vocabulary: Option<String>,
    /// Which years it speaks of.
    #[serde(default)]
    pub period: Span,
    /// What else is known of its context.
    #[serde(default)]
    pub context: Context,
    /// The field of the page's own responses behind it.
    #[serde(default)]
    pub response: Option<Response>,
}

/// Which years a point speaks of, relative to the data year of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Span {
    /// The data year itself.
    #[default]
    Year,
    /// The years up to the data year.
    Lookback(i16),
    /// The years from the data year on.
    Projection(i16),
}

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

/// The field of the page's own responses behind a point.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// Root field of the query.
    pub field: String,
    /// Another root field that may hold it.
    #[serde(default)]
    pub or_field: Option<String>,
    /// Arguments that the query must have had.
    #[serde(default)]
    pub args: BTreeMap<String, String>,
    /// Path of the value below the root field.
    #[serde(default)]
    pub path: Option<String>,
    /// Path of the year below the root field.
    #[serde(default)]
    pub year: Option<String>,
    /// Argument that holds the year.
    #[serde(default)]
    pub year_arg: Option<String>,
    /// Factor from the raw number to the displayed unit; `-1` turns a sign convention.
    #[serde(default)]
    pub scale: Option<String>,
    /// Path of a divisor.
    #[serde(default)]
    pub over: Option<String>,
    /// Path of a subtrahend.
    #[serde(default)]
    pub minus: Option<String>,
    /// Words for the sign of the result.
    #[serde(default)]
    pub signs: Option<Signs>,
    /// Look-back window that the query must have asked for.
    #[serde(default)]
    pub window: Option<String>,
    /// The argument that sets the window for this field alone.
    #[serde(default)]
    pub window_arg: Option<String>,
    /// Why the response is known to differ from the display.
    #[serde(default)]
    pub honest: Option<String>,
    /// For lists: where name, key and value of a row are.
    #[serde(default)]
    pub rows: Option<Rows>,
}

/// Words for the sign of a number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signs {
    /// Above zero.
    pub positive: String,
    /// Below zero.
    pub negative: String,
}

/// Where the parts of a row are, below the row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// Path of the name as displayed.
    pub name: String,
    /// Path of another name that may be displayed.
    #[serde(default)]
    pub alias: Option<String>,
    /// Path of the code or id.
    pub key: String,
    /// Path of the value.
    pub value: String,
    /// Path of the group that a row belongs to.
    #[serde(default)]
    pub group: Option<String>,
    /// Groups and keys that the page may leave out of the sum that shares divide by.
    #[serde(default)]
    pub may_leave_out: Vec<String>,
    /// Other sums that shares may divide by.
    #[serde(default)]
    pub or_totals: Vec<OtherTotal>,
}

/// A sum that shares may divide by.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherTotal {
    /// Root field.
    pub field: String,
    /// Path below it.
    pub path: String,
}

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let years = |part: &str| {
            part.parse::<i16>().map_err(|_| format!("`{text}` is not `year`, `lookback N` or `projection N`"))
        };
        match text.split_once(' ') {
            None if text == "year" => Ok(Self::Year),
            Some(("lookback", n)) => Ok(Self::Lookback(years(n)?)),
            Some(("projection", n)) => Ok(Self::Projection(years(n)?)),
            _ => Err(format!("`{text}` is not `year`, `lookback N` or `projection N`")),
        }
    }
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

impl Spec {
    /// The point of this name.
    #[must_use]
    pub fn point(&self, id: &str) -> Option<&Point> {
        self.points.iter().find(|point| point.id == id)
    }

    /// Heading texts to scroll to, so that bars which follow the scroll show their section.
    #[must_use]
    pub fn stops(&self) -> Vec<String> {
        self.sections.iter().flat_map(|section| section.headings.iter().cloned()).collect()
    }
}
