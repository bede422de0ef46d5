//! Extractor specs: what a kind of page shows and how a person finds it, as data.
//! Wording changes on the site are fixed in `manifests/extractors/*.toml`, not in code.

pub mod edit;
mod find;
mod load;
mod old;
mod problems;
mod response;
mod rows;

pub use find::{Find, SpecItem};
pub use load::{Specs, parse};
pub use response::{OtherTotal, Renamed, Response, Rows, Signs};
pub use rows::{Confirm, FieldOf, Over, RowOf, RowsSpec, Select, Take};

use serde::Deserialize;

use crate::atlas::PageKind;
use crate::value::{AnswerField, Context, Period, Unit};

/// One extractor: the points of one kind of page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The extractor's name, as manifests use it.
    pub name: String,
    /// Its version, raised with every change and stored with every value.
    pub version: u32,
    /// The kind of page it reads.
    pub page: PageKind,
    /// Headings that name the country of the page.
    #[serde(default)]
    pub entity_headings: Vec<String>,
    /// The heading with the data year, in every known wording.
    #[serde(default, deserialize_with = "one_or_many")]
    pub year_heading: Vec<String>,
    /// How the site says that there is no such page.
    #[serde(default)]
    pub not_found: NotFound,
    /// The sections in page order.
    pub sections: Vec<SpecSection>,
    /// The titles of an Explore page, in every known wording.
    #[serde(default)]
    pub titles: Vec<String>,
    /// The label of the figure in the corner of an Explore page.
    #[serde(default)]
    pub total_labels: Vec<String>,
    /// Controls that show more of a tooltip, in every known wording.
    #[serde(default)]
    pub tooltip_more: Vec<String>,
    /// The controls that must be operated.
    #[serde(default)]
    pub interactions: Vec<Interaction>,
    /// The data points.
    pub points: Vec<Point>,
    /// Response fields, such as `countryProfile.importValueNatResources`, or root fields that nothing on the page uses.
    /// An error there is harmless.
    #[serde(default)]
    pub harmless_errors: Vec<String>,
    /// Response fields that the site has renamed.
    #[serde(default)]
    pub renamed: Vec<Renamed>,
    /// The recorded changes by version.
    #[serde(default)]
    pub history: Vec<edit::Past>,
    /// Old notations that still work: file, line, column, and what to write.
    #[serde(skip)]
    pub hints: Vec<String>,
    /// The file and its text, for messages.
    #[serde(skip)]
    file: std::sync::Arc<(std::path::PathBuf, String)>,
}

/// A text, or a list of texts.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

/// The texts of a not-found page. All of them must be present.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotFound {
    /// The texts.
    pub texts: Vec<String>,
}

/// A section of the page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecSection {
    /// Its anchor in the URL; `introduction` for the first.
    pub slug: String,
    /// Its heading, in every known wording. Empty for the part before the first heading.
    pub headings: Vec<String>,
    /// How the page says that the section is not available for this country.
    #[serde(default)]
    pub unavailable: Vec<String>,
}

/// A control that must be operated before a point is visible.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interaction {
    /// The name that points use in `state`.
    pub name: String,
    /// Heading of the control's section.
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
    /// Display name.
    pub metric: String,
    /// Slug of its section.
    pub section: String,
    /// The interaction that makes it visible.
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
    /// The years that it covers.
    #[serde(default)]
    pub period: Span,
    /// Further parts of its context.
    #[serde(default)]
    pub context: Context,
    /// The field of the page's own responses behind it.
    #[serde(default)]
    pub response: Option<Response>,
    /// The fields of its rows that answer a question.
    pub answers: Vec<AnswerField>,
}

/// The years that a point covers, relative to the page's data year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Span {
    /// The data year itself.
    #[default]
    Year,
    /// The years up to the data year.
    Lookback(i16),
    /// The years from the data year onwards.
    Projection(i16),
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

impl Span {
    /// The years that it covers, given the data year.
    #[must_use]
    pub const fn around(self, year: i16) -> Period {
        match self {
            Self::Year => Period::year(year),
            Self::Lookback(years) => Period { start: year - years, end: year },
            Self::Projection(years) => Period { start: year, end: year + years },
        }
    }
}

impl Point {
    /// The API field behind it, for display: `countryProfile.latestEciRank`.
    #[must_use]
    pub fn api_field(&self) -> Option<String> {
        let text = |key: &str| self.find.text(key);
        if let Some(response) = &self.response {
            let rows = response.rows.as_ref().map(|rows| rows.value.clone());
            let path = response.path.clone().or(rows).or_else(|| text("field"));
            return Some(
                path.map_or_else(|| response.field.clone(), |path| format!("{}.{path}", response.field)),
            );
        }
        match (text("query"), text("field").filter(|field| field != "sector")) {
            (Some(query), Some(field)) => Some(format!("{query}.{field}")),
            (query, field) => query.or(field),
        }
    }
}

impl Spec {
    /// The file and its text.
    #[must_use]
    pub fn file(&self) -> (&std::path::Path, &str) {
        (&self.file.0, &self.file.1)
    }

    /// The point of this name.
    #[must_use]
    pub fn point(&self, id: &str) -> Option<&Point> {
        self.points.iter().find(|point| point.id == id)
    }
}
