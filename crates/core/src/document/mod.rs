//! Reads JSON and YAML files into structs, and reports all errors at once with their locations: unknown keys and
//! invalid values. A [`Located`] value keeps its location for later checks, and is empty if it is invalid.

mod located;
mod reader;
mod tree;

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, IgnoredAny};

use crate::diagnostic::{At, Diagnostics};
pub use located::{Located, OptionalField};
use reader::Reader;
pub use tree::yaml_fault;
use tree::{Kind, Node};

/// Reads a text into a struct, as far as possible. Errors go to the report.
pub fn read<T: DeserializeOwned>(text: &str, report: &mut Diagnostics) -> Located<T> {
    Document::parse(text, report)
        .map(|document| document.read(report))
        .unwrap_or(Located { at: At::default(), value: None })
}

/// A JSON or YAML document.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    root: Node,
}

impl<'t> Document<'t> {
    /// Parses a text. JSON is parsed as YAML. A syntax error goes to the report.
    pub fn parse(text: &'t str, report: &mut Diagnostics) -> Option<Self> {
        let root = Node::parse(text).map_err(|(place, message)| report.error(&place.into(), message));
        Some(Self { text, root: root.ok()? })
    }

    /// Whether the root is a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(self.root.kind, Kind::List(_))
    }

    /// What the root is if it is neither a list nor an object: `null`, `a text`.
    #[must_use]
    pub fn scalar(&self) -> Option<&'static str> {
        matches!(self.root.kind, Kind::Scalar(_)).then(|| self.root.noun())
    }

    /// Reads the document into a struct, as far as possible. Errors go to the report.
    pub fn read<'de, T: Deserialize<'de>>(&'de self, report: &mut Diagnostics) -> Located<T> {
        let problems = Vec::new().into();
        // in JSON, a number is not a text; YAML in flow style looks like JSON, and is none
        let is_json = report.names_json()
            || serde_json::from_str::<IgnoredAny>(self.text.trim_start_matches('\u{feff}')).is_ok();
        let at = At { place: self.root.place, field: String::new() };
        let text = Some(self.text).filter(|_| !is_json);
        let value = Reader { node: &self.root, at: at.clone(), text, problems: &problems }.read(PhantomData);
        for problem in problems.into_inner() {
            problem.put(report);
        }
        Located { at, value }
    }
}

#[cfg(test)]
mod tests;
