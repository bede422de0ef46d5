//! Where in the page's own responses the value behind a point stands.

use std::collections::BTreeMap;

use serde::Deserialize;

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
    pub known_difference: Option<String>,
    /// For ranks: where the number of those that are ranked is.
    #[serde(default)]
    pub total: Option<OtherTotal>,
    /// For lists: where name, key and value of a row are.
    #[serde(default)]
    pub rows: Option<Rows>,
}

/// A field of the responses that the site calls otherwise than the schema that the specs are written for.
///
/// `{ field = "countryProfile", path = "exportValue", now = "valueOfExports" }`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// Root field of the query.
    pub field: String,
    /// Path below it, in the names of the schema.
    pub path: String,
    /// What the last name of the path is now.
    pub now: String,
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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

/// A number that stands below another root field: a sum that shares may divide by, how many are ranked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherTotal {
    /// Root field.
    pub field: String,
    /// Path below it.
    pub path: String,
}
