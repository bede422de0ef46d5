//! The keys and values of an object in a manifest, with a diagnostic at the place of what does not fit.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::entry;
use super::tree::{Key, Kind, Node};
use atlas_gt_core::diagnostic::Diagnostics;
use atlas_gt_core::diagnostic::Place;

/// The keys and values of one object.
pub(super) struct Fields<'a> {
    pub(super) map: &'a [(Key, Node)],
    pub(super) place: Place,
}

impl<'a> Fields<'a> {
    pub(super) fn get(&self, name: &str) -> Option<(&'a Key, &'a Node)> {
        self.map.iter().find(|(key, _)| key.name == name).map(|(key, node)| (key, node))
    }

    pub(super) fn required(&self, name: &str, report: &mut Diagnostics) -> Option<&'a Node> {
        let found = self.get(name);
        if found.is_none() {
            report.error(self.place, name, format!("`{name}` is missing"));
        }
        found.map(|(_, node)| node)
    }

    /// An optional text that says something; null counts as left out.
    pub(super) fn text(&self, name: &str, report: &mut Diagnostics) -> Option<String> {
        let (_, node) = self.get(name)?;
        if matches!(node.kind, Kind::Null) {
            return None;
        }
        text(node, name, report).map(str::to_owned)
    }

    /// An optional word of a fixed set; null counts as left out.
    pub(super) fn word<T: DeserializeOwned + JsonSchema>(
        &self,
        name: &str,
        report: &mut Diagnostics,
    ) -> Option<T> {
        let (_, node) = self.get(name)?;
        if matches!(node.kind, Kind::Null) { None } else { word(node, name, report) }
    }

    pub(super) fn flag(&self, name: &str, default: bool, report: &mut Diagnostics) -> bool {
        match self.get(name) {
            None => default,
            Some((_, Node { kind: Kind::Bool(value), .. })) => *value,
            Some((_, node)) => {
                report.error(node.place, name, format!("expected true or false, found {}", node.noun()));
                default
            }
        }
    }

    pub(super) fn refuse_unknown(&self, prefix: &str, known: &[impl AsRef<str>], report: &mut Diagnostics) {
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        for (key, _) in self.map.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
            let field = format!("{prefix}{}", key.name);
            report
                .error(key.place, &field, format!("unknown key `{}`", key.name))
                .did_you_mean(&key.name, &known);
        }
    }
}

pub(super) fn text<'a>(node: &'a Node, field: &str, report: &mut Diagnostics) -> Option<&'a str> {
    match &node.kind {
        Kind::Text(text) if text.trim().is_empty() => {
            report.error(node.place, field, "the text is empty");
            None
        }
        Kind::Text(text) => Some(text),
        _ => {
            report.error(node.place, field, format!("expected a text, found {}", node.noun()));
            None
        }
    }
}

/// One of a fixed set of words.
pub(super) fn word<T: DeserializeOwned + JsonSchema>(
    node: &Node,
    field: &str,
    report: &mut Diagnostics,
) -> Option<T> {
    let text = text(node, field, report)?;
    let word = serde_json::from_value(Json::from(text)).ok();
    if word.is_none() {
        let known = entry::words::<T>();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        report.error(node.place, field, format!("`{text}` is not known here")).did_you_mean(text, &known);
    }
    word
}
