//! The kinds of absence, which are never merged: a value that a page does not show is not the same as one that could
//! not be read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// The page exists and shows other values, but not this one (small treemap cell, product without PCI).
    NotShownHere,
    /// The page says that the value is not available for this country (frontier countries).
    NotAvailableForCountry,
    /// The site has no such page (unsupported country).
    PageNotFound,
    /// The API returns null for a year before the series starts.
    NullBeforeFirstYear,
    /// The value should exist but could not be read. Never a truth, never a mismatch.
    ExtractionFailed,
}
