//! The place of a point's value in the page's own responses.

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
    /// Required arguments of the query.
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
    /// Factor from the raw number to the displayed unit; `-1` reverses the sign.
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
    /// Required look-back window of the query.
    #[serde(default)]
    pub window: Option<String>,
    /// The argument that sets the window for this field alone.
    #[serde(default)]
    pub window_arg: Option<String>,
    /// Why the response is known to differ from the display.
    #[serde(default)]
    pub known_difference: Option<String>,
    /// For ranks: the number of ranked countries.
    #[serde(default)]
    pub total: Option<OtherTotal>,
    /// For lists: name, key and value of a row.
    #[serde(default)]
    pub rows: Option<Rows>,
}

/// A response field with another name on the site than in the specs' schema.
///
/// `{ field = "countryProfile", path = "exportValue", now = "valueOfExports" }`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renamed {
    /// Root field of the query.
    pub field: String,
    /// Path below it, in the schema's names.
    pub path: String,
    /// The current name of the path's last part.
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

/// The paths of a row's parts, below the row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// Path of the name as displayed.
    pub name: String,
    /// Path of an alternative name that may be displayed.
    #[serde(default)]
    pub alias: Option<String>,
    /// Path of the code or id.
    pub key: String,
    /// Path of the value.
    pub value: String,
    /// Path of the group that a row belongs to.
    #[serde(default)]
    pub group: Option<String>,
    /// Groups and keys that the page may exclude from the divisor of shares.
    #[serde(default)]
    pub may_leave_out: Vec<String>,
    /// Alternative divisors of shares.
    #[serde(default)]
    pub or_totals: Vec<OtherTotal>,
}

/// A number below another root field: a divisor of shares, or the number of ranked countries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherTotal {
    /// Root field.
    pub field: String,
    /// Path below it.
    pub path: String,
}
