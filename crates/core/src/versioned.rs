//! The version of the schemas of documents and files.

use schemars::JsonSchema;
use serde::Serialize;

/// The version of all schemas. It rises when a key is removed or changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// A document or a line with its schema version. Its schema has the description of the data.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(description = "")]
pub struct Versioned<T> {
    /// The schema version.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    #[serde(flatten)]
    data: T,
}

impl<T> Versioned<T> {
    /// Adds the version to data.
    pub const fn of(data: T) -> Self {
        Self { schema_version: SCHEMA_VERSION, data }
    }
}
