//! How values are read from the rows of a response, as data: which rows, which value, which visible text confirms it.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use strum::VariantArray;
use toml::Value;

use crate::value::Rule;

/// `find = { rows = { of = "product", take = 5, rule = "F1" } }`: the five largest products of a drawing.
///
/// The rows are those of the page's drawing; on a country page, those of the point's `response`; with `own`, those of
/// our own query.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsSpec {
    /// What a row stands for.
    pub of: Option<RowOf>,
    /// The query whose rows hold the value, if it is not the drawn one.
    pub query: Option<String>,
    /// Whether the query is our own, because no page shows the value.
    #[serde(default)]
    pub own: bool,
    /// The field of the value, or `sector` for the sector of a product [default: the traded amount].
    pub field: Option<String>,
    /// A field to subtract.
    pub less: Option<String>,
    /// The field that ends a span of years.
    pub until: Option<String>,
    /// Path of a row's name in a `response`: a product's code, a sector's name, a country's id.
    pub key: Option<String>,
    /// Path of such a row's year, if the rows have several. A question names one, or all are read.
    pub year: Option<String>,
    /// Form of a number in the record.
    pub rule: Option<Rule>,
    /// Factor from the raw number to the unit.
    pub scale: Option<Decimal>,
    /// Decimals of the number, if the rule leaves them open.
    pub decimals: Option<u32>,
    /// Conditions on the rows.
    #[serde(default)]
    pub select: Vec<Select>,
    /// Which of the rows.
    #[serde(default)]
    pub take: Take,
    /// The field to order by, if it is not the value.
    pub order: Option<FieldOf>,
    /// How the rows become one value.
    pub over: Option<Over>,
    /// The classification that a code is converted into: `HS2012`.
    pub into: Option<String>,
    /// Whether it covers all countries instead of the page's country.
    #[serde(default)]
    pub of_world: bool,
    /// What else on the page must confirm the value, beside the labels over a drawing.
    #[serde(default)]
    pub confirm: Vec<Confirm>,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum RowOf {
    /// A product: `context.product` of a question.
    Product,
    /// A trade partner, or an exporter of a product: `context.partner`.
    Partner,
    /// A sector by name or a chapter by its two digits, with all its products: `context.product`.
    Sector,
    /// A country, on any page: `context.partner`, or else the page's own country.
    Country,
}

atlas_gt_core::names!(RowOf);

/// A condition on a row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The product belongs to this sector.
    pub sector: Option<String>,
    /// The country belongs to this group, by name, because the number is the site's own.
    pub group: Option<String>,
    /// It has this field …
    pub field: Option<String>,
    /// … in the rows of another query …
    pub query: Option<String>,
    /// … with at least this value, …
    pub least: Option<Decimal>,
    /// … or this word.
    pub is: Option<String>,
    /// The common name of such rows.
    pub called: Option<String>,
}

/// Which of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "Value")]
pub enum Take {
    /// The rows that the question names.
    #[default]
    Asked,
    /// The N largest.
    Largest(usize),
    /// All rows.
    All,
    /// The largest positive and the largest negative row.
    Ends,
}

impl TryFrom<Value> for Take {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let count = value.as_integer().and_then(|count| usize::try_from(count).ok());
        match (count, value.as_str()) {
            (Some(count), _) if count > 0 => Ok(Self::Largest(count)),
            (_, Some("asked")) => Ok(Self::Asked),
            (_, Some("all")) => Ok(Self::All),
            (_, Some("ends")) => Ok(Self::Ends),
            _ => Err("`take` must be `asked`, `all`, `ends` or a number of rows"),
        }
    }
}

/// A field of the rows of a query.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldOf {
    /// The query [default: the drawn one].
    pub query: Option<String>,
    /// The field.
    pub field: String,
}

/// How rows become one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Their sum.
    Sum,
    /// Their share of all drawn rows, in per cent.
    Share,
    /// Their number, or the number of entries in the field of one row.
    Count,
    /// The figure in the corner, which is their rounded sum.
    Total,
    /// The growth of each from the first to the last year, largest first.
    Change,
    /// Their share of the world's value, in per cent.
    WorldShare,
    /// Their value per inhabitant of the country.
    PerCapita,
    /// The places listed in the field of the only row.
    List,
    /// The product's code in another classification.
    Code,
}

/// The visible text that confirms a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirm {
    /// The figure in the corner.
    Corner,
    /// Labels over the drawing, in this form.
    Label(Rule),
    /// The figure with one of these labels in the tooltip of the product's cell.
    Tooltip(Vec<String>),
}

impl RowsSpec {
    /// The country group of the rows.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.select.iter().find_map(|one| one.group.as_deref())
    }

    /// Whether it is one figure about the whole page.
    #[must_use]
    pub fn is_total(&self) -> bool {
        self.over == Some(Over::Total) || (self.take == Take::All && self.over == Some(Over::Sum))
    }

    /// The labels of the figure in the tooltip of a product's cell.
    #[must_use]
    pub fn tooltip(&self) -> &[String] {
        let labels = self.confirm.iter().find_map(|one| match one {
            Confirm::Tooltip(labels) => Some(labels.as_slice()),
            _ => None,
        });
        labels.unwrap_or_default()
    }

    /// The form of the labels over the drawing, if it differs from that of the value.
    #[must_use]
    pub fn label(&self) -> Option<Rule> {
        self.confirm.iter().find_map(|one| match one {
            Confirm::Label(rule) => Some(*rule),
            _ => None,
        })
    }
}
