//! Reads a JSON or YAML file into the structs that say what it may hold, and reports everything that is wrong with it at once, each
//! problem at its place: a key that is not known, a value that is no such value. What the structs state as [`Located`] keeps its place
//! for what is checked later, and is left empty where it is wrong.

mod located;
mod reader;
mod tree;

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned};

use crate::diagnostic::{At, Diagnostics};
pub use located::{Located, OptionalField};
use reader::Reader;
use tree::{Kind, Node};

/// What a text states, as far as it could be read; the rest is in the report.
pub fn read<T: DeserializeOwned>(text: &str, report: &mut Diagnostics) -> Located<T> {
    Document::parse(text, report)
        .map(|document| document.read(report))
        .unwrap_or(Located { at: At::default(), value: None })
}

/// A document that is JSON or YAML.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    root: Node,
}

impl<'t> Document<'t> {
    /// Reads a text; JSON is read as the YAML that it is. What is neither is an error in the report.
    pub fn parse(text: &'t str, report: &mut Diagnostics) -> Option<Self> {
        let root = Node::parse(text).map_err(|(place, message)| report.error(&place.into(), message));
        Some(Self { text, root: root.ok()? })
    }

    /// Whether it is a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(self.root.kind, Kind::List(_))
    }

    /// What it states, as far as it could be read; the rest is in the report.
    pub fn read<'de, T: Deserialize<'de>>(&'de self, report: &mut Diagnostics) -> Located<T> {
        let problems = Vec::new().into();
        // in JSON a number is no text
        let is_json = self.text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']);
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
