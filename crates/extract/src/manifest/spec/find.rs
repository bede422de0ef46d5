//! How a point is found: the name of a kind, and its parameters. The kind itself parses them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{RowsSpec, old};

/// `find = { stat = { labels = ["GDP per capita"], rule = "F5" } }`
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Table")]
pub struct Find {
    /// The kind: `stat`.
    pub kind: String,
    params: Value,
}

impl TryFrom<Table> for Find {
    type Error = String;

    fn try_from(table: Table) -> Result<Self, String> {
        let mut entries = table.into_iter();
        match (entries.next(), entries.next()) {
            (Some((kind, params)), None) => Ok(match old::as_rows(&kind, &params) {
                Some(params) => Self { kind: "rows".to_owned(), params },
                None => Self { kind, params },
            }),
            _ => Err("`find` names one kind with its parameters: `find = { stat = { … } }`".to_owned()),
        }
    }
}

impl Find {
    /// A text parameter.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.params.get(name)?.as_str().map(str::to_owned)
    }

    /// Whether a parameter is given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.params.get(name).is_some()
    }

    /// The number of rows, if it takes the N largest.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        let count = self.params.get("take").or_else(|| self.params.get("count"))?;
        usize::try_from(count.as_integer()?).ok()
    }

    /// The parameters of `rows`, if it is of that kind.
    #[must_use]
    pub fn rows(&self) -> Option<RowsSpec> {
        if self.kind == "rows" { self.params().ok() } else { None }
    }

    /// A parameter with a list of tables.
    #[must_use]
    pub fn items(&self, name: &str) -> Vec<SpecItem> {
        let list = self.params.get(name).and_then(Value::as_array).into_iter().flatten();
        list.map(|item| SpecItem(item.clone())).collect()
    }

    /// A parameter with a list of texts.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<String> {
        let list = self.params.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    }

    /// The parameters, parsed for the kind.
    ///
    /// # Errors
    /// A parameter is unknown, missing or of the wrong type.
    pub fn params<T: DeserializeOwned>(&self) -> Result<T, String> {
        self.params.clone().try_into().map_err(|error: toml::de::Error| error.message().to_owned())
    }
}

/// One table of a list.
#[derive(Debug, Clone)]
pub struct SpecItem(Value);

impl SpecItem {
    /// A text in it.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().map(str::to_owned)
    }
}
