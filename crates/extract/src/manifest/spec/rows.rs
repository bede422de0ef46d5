//! What is read of the rows of a response, as data: which rows, what of them, and what visible confirms it.

use rust_decimal::Decimal;
use serde::Deserialize;
use toml::Value;

use crate::value::Rule;

/// `find = { rows = { of = "product", take = 5, rule = "F1" } }`: the five largest products of a drawing.
///
/// The rows are those of the page's drawing; of a country's page those of the point's `response`; with `own` those of a query
/// of our own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsSpec {
    /// What a row stands for.
    pub of: Option<RowOf>,
    /// The query whose rows hold the value, where it is not the one that is drawn.
    pub query: Option<String>,
    /// The query is one of our own: no page shows the value.
    #[serde(default)]
    pub own: bool,
    /// The field of the value, or `sector`, the sector of a product; without one what was traded.
    pub field: Option<String>,
    /// The field that is taken off it.
    pub less: Option<String>,
    /// The field that ends a span of years.
    pub until: Option<String>,
    /// Path of what names a row of a `response`: a product's code, a sector's name, a country's id.
    pub key: Option<String>,
    /// Path of the year of such a row, where there are rows of several; a question names one, or all are read.
    pub year: Option<String>,
    /// Form of a number in the record.
    pub rule: Option<Rule>,
    /// Factor from the raw number to the unit.
    pub scale: Option<Decimal>,
    /// Decimals of the number, where the rule leaves them open.
    pub decimals: Option<u32>,
    /// What the rows have to be.
    #[serde(default)]
    pub select: Vec<Select>,
    /// Which of them.
    #[serde(default)]
    pub take: Take,
    /// What the largest have most of, where it is not the value.
    pub order: Option<FieldOf>,
    /// What is made of them.
    pub over: Option<Over>,
    /// The classification that a code is converted into: `HS2012`.
    pub into: Option<String>,
    /// It is of all countries together, not of the country of the page.
    #[serde(default)]
    pub of_world: bool,
    /// What visible confirms the value, beside the labels over a drawing.
    #[serde(default)]
    pub confirm: Vec<Confirm>,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowOf {
    /// A product: `context.product` of a question.
    Product,
    /// A trade partner, or a seller of one product: `context.partner`.
    Partner,
    /// A sector by its name or a chapter by its two digits, with all its products: `context.product`.
    Sector,
    /// A country, whichever page draws it: `context.partner`; its own without one.
    Country,
}

impl RowOf {
    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Partner => "partner",
            Self::Sector => "sector",
            Self::Country => "country",
        }
    }
}

/// What a row has to be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// A product of this sector.
    pub sector: Option<String>,
    /// Of this group of countries, by its name: its number is the site's own.
    pub group: Option<String>,
    /// What has this field …
    pub field: Option<String>,
    /// … in the rows of another query …
    pub query: Option<String>,
    /// … and at least so much in it, …
    pub least: Option<Decimal>,
    /// … or this word.
    pub is: Option<String>,
    /// What such rows are called together.
    pub called: Option<String>,
}

/// Which of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "Value")]
pub enum Take {
    /// What the question names.
    #[default]
    Asked,
    /// The so many largest.
    Largest(usize),
    /// All.
    All,
    /// The largest above zero and the one furthest below it.
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
            _ => Err("`take` is `asked`, `all`, `ends` or how many of the largest"),
        }
    }
}

/// A field of the rows of a query.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldOf {
    /// The query; the one that is drawn without it.
    pub query: Option<String>,
    /// The field.
    pub field: String,
}

/// What is made of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// They are added up.
    Sum,
    /// Their part of all that are drawn, in per cent.
    Share,
    /// How many there are, or how many things the field of one lists.
    Count,
    /// The figure in the corner, which rounds what they add up to.
    Total,
    /// By how much each grew from the first to the last year; the one that grew most comes first.
    Change,
    /// Over the same of the whole world, in per cent.
    WorldShare,
    /// Over the country's population.
    PerCapita,
    /// The places that the field of the one row lists.
    List,
    /// The code that a product has in another classification.
    Code,
}

/// What visible confirms a value.
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
    /// The group of countries that the rows are of.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.select.iter().find_map(|one| one.group.as_deref())
    }

    /// Whether it is one figure of everything that a page shows.
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

    /// The form of the labels over the drawing, where it is another than that of the value.
    #[must_use]
    pub fn label(&self) -> Option<Rule> {
        self.confirm.iter().find_map(|one| match one {
            Confirm::Label(rule) => Some(*rule),
            _ => None,
        })
    }
}
