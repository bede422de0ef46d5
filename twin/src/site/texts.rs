//! The texts of the pages by key, and how faults change them.

use crate::data::noise;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// `web/texts.toml`, read once.
static DICTIONARY: LazyLock<Dictionary> =
    LazyLock::new(|| toml::from_str(include_str!("../web/texts.toml")).unwrap_or_default());

/// All texts with alternative wordings, by group and name.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Dictionary {
    /// Renderings that differ in one respect, as pairs of search and replacement texts.
    rendering: BTreeMap<String, Vec<(String, String)>>,
    #[serde(flatten)]
    groups: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

impl Dictionary {
    /// The dictionary of the site.
    pub(crate) fn of_site() -> &'static Self {
        &DICTIONARY
    }

    /// The names of the renderings.
    pub(crate) fn renderings(&self) -> String {
        self.rendering.keys().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Key and wordings of every text. The first wording is the site's own.
    pub(super) fn entries(&self) -> impl Iterator<Item = (String, &[String])> {
        self.groups.iter().flat_map(|(group, texts)| {
            texts.iter().map(move |(name, wordings)| (format!("{group}.{name}"), wordings.as_slice()))
        })
    }

    /// The text of every key under these faults.
    pub(super) fn texts(&self, faults: &[String]) -> BTreeMap<String, String> {
        let seed = arguments(faults, "wordings-renamed").next().map(|seed| seed.parse().unwrap_or(1));
        let mut texts: BTreeMap<String, String> = self
            .entries()
            .map(|(key, wordings)| {
                let renamed = seed.and_then(|seed| chosen(wordings, &key, seed));
                (key, renamed.or_else(|| wordings.first()).cloned().unwrap_or_default())
            })
            .collect();
        for name in arguments(faults, "wording") {
            for (from, to) in self.rendering.get(name).into_iter().flatten() {
                texts.values_mut().for_each(|text| *text = replaced(text, from, to));
            }
        }
        rename(&mut texts, faults, "label-renamed", "label", |text| {
            format!("{} (est.)", text.split(' ').rev().collect::<Vec<_>>().join(" "))
        });
        rename(&mut texts, faults, "heading-renamed", "heading", |text| {
            format!("{} Overview", text.split(' ').next().unwrap_or_default())
        });
        texts
    }
}

/// The arguments of the faults with this name, `""` for one without.
fn arguments<'a>(faults: &'a [String], name: &'a str) -> impl Iterator<Item = &'a str> {
    faults.iter().filter_map(move |fault| {
        let (named, argument) = fault.split_once('=').unwrap_or((fault, ""));
        (named == name).then_some(argument)
    })
}

/// An alternative wording; the first one is the site's own. A section's heading and its link have the same name in two
/// groups and get the same wording.
fn chosen<'a>(wordings: &'a [String], key: &str, seed: u64) -> Option<&'a String> {
    let others = wordings.get(1..).filter(|others| !others.is_empty())?;
    let name = key.split_once('.').map_or(key, |(_, name)| name);
    others.get((noise::bits(name, &[seed]) % others.len() as u64) as usize)
}

/// Replaces a phrase, ignoring case.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let (lower, from) = (text.to_ascii_lowercase(), from.to_ascii_lowercase());
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, found) in lower.match_indices(&from) {
        out.push_str(&text[done..at]);
        out.push_str(to);
        done = at + found.len();
    }
    out + &text[done..]
}

/// Renames single texts: `KEY:TEXT`, or `KEY` alone to apply `otherwise`.
fn rename(
    texts: &mut BTreeMap<String, String>,
    faults: &[String],
    fault: &str,
    group: &str,
    otherwise: fn(&str) -> String,
) {
    // The first fault for a key wins, so it is applied last.
    for argument in arguments(faults, fault).collect::<Vec<_>>().into_iter().rev() {
        let (name, given) = argument.split_once(':').unwrap_or((argument, ""));
        if let Some(text) = texts.get_mut(&format!("{group}.{name}")) {
            *text = if given.is_empty() { otherwise(text) } else { given.to_owned() };
        }
    }
}

#[cfg(test)]
mod tests;
