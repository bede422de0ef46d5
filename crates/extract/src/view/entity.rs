//! Checks whose page it is: address, headings and country queries must be about the requested
//! country.

use crate::atlas::{AtlasUrl, CountryId, by_id, find_names, lookup};
use crate::capture::Capture;
use crate::value::ContextPart;

use crate::response::{self, Exchanges};

/// The subject of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    /// The country; none for a country group.
    pub country: Option<CountryId>,
}

impl Subject {
    /// Whether a value with these words may belong to the subject: they name no other country
    /// alone, and no other year alone.
    pub fn allows(&self, words: &str, year: Option<i16>) -> bool {
        let names = find_names(words);
        let foreign = !names.is_empty() && names.iter().all(|(_, id)| Some(*id) != self.country);
        let years = years(words);
        let other_year = year.is_some_and(|year| !years.is_empty() && !years.contains(&year));
        !foreign && !other_year
    }
}

/// The statements of a country page about another country.
pub(crate) fn of_another(
    country: CountryId,
    capture: &Capture,
    exchanges: &Exchanges<'_>,
    named: &[String],
) -> Vec<(ContextPart, String)> {
    let mut found = Vec::new();
    let mut say = |what: String| {
        let entry = (ContextPart::Country, what);
        if !found.contains(&entry) {
            found.push(entry);
        }
    };
    match AtlasUrl::parse_settled(&capture.settled_url).ok().and_then(|parsed| parsed.url.country()) {
        Some(id) if id == country => {}
        Some(id) => say(format!("the page settled at {} ({})", name(id), capture.settled_url)),
        None => say(format!("the page settled at {}", capture.settled_url)),
    }
    for text in named {
        match lookup(text) {
            Some(entity) if entity.id == country => {}
            Some(entity) => say(format!("a heading names {}, not {}", entity.short_name, name(country))),
            None => say(format!("a heading names \"{text}\", not {}", name(country))),
        }
    }
    // Queries about other countries, for comparison or prefetching, do not affect what is
    // displayed.
    // Only queries that state their country once are checked; large responses stay unparsed until a
    // point needs them.
    let profiles = ["countryProfile", "countryYear"].into_iter().flat_map(|field| exchanges.named(field));
    for root in profiles.filter(|root| response::country_of(root).is_none_or(|id| id == country)) {
        let id = root.get("location.id").and_then(|id| id.as_str()).and_then(|id| id.parse().ok());
        if let Some(answered) = id.filter(|answered| *answered != country) {
            say(format!("the response to {} is about {}", root.field, name(answered)));
        }
    }
    found
}

/// The name of a country, for messages.
pub fn name(id: CountryId) -> String {
    by_id(id).map_or_else(|| id.to_string(), |entity| entity.short_name.to_owned())
}

/// The years in a text.
pub fn years(text: &str) -> Vec<i16> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, ',' | '.' | '$'))
        .map(|word| word.trim_end_matches([',', '.']))
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1950..2100).contains(year))
        .collect()
}
