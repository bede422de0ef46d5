//! Whose page it is: every part that names a country, and every query the page sent, must speak of the
//! country that was asked for.

use crate::atlas::{AtlasUrl, CountryId, by_id, find_names, lookup};
use crate::capture::Capture;
use crate::value::ContextPart;

use super::exchange::Exchanges;

/// Whose values are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subject {
    /// The country.
    pub country: CountryId,
}

impl Subject {
    /// Whether a value among these words may be the subject's: they name no other country alone, and no
    /// other year alone.
    pub fn allows(&self, words: &str, year: Option<i16>) -> bool {
        let names = find_names(words);
        let foreign = !names.is_empty() && names.iter().all(|(_, id)| *id != self.country);
        let years = years(words);
        let other_year = year.is_some_and(|year| !years.is_empty() && !years.contains(&year));
        !foreign && !other_year
    }

    /// The parts of the capture that speak of another country.
    pub fn contradictions(
        &self,
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
            Some(id) if id == self.country => {}
            Some(id) => say(format!("the page settled at {} ({})", name(id), capture.settled_url)),
            None => say(format!("the page settled at {}", capture.settled_url)),
        }
        for text in named {
            match lookup(text) {
                Some(entity) if entity.id == self.country => {}
                Some(entity) => {
                    say(format!("a heading names {}, not {}", entity.short_name, name(self.country)))
                }
                None => say(format!("a heading names \"{text}\", not {}", name(self.country))),
            }
        }
        for root in exchanges.iter() {
            let asked = match root.field.as_str() {
                "countryProfile"
                | "countryYear"
                | "countryYearRange"
                | "treeMap"
                | "allCountryProductYear"
                | "countryProductLookback"
                | "productSpace"
                | "newProductsCountry"
                | "newProductsComparisonCountries" => root.args.get("location"),
                "countryLookback" => root.args.get("id"),
                _ => None,
            };
            let Some(asked) = asked.and_then(|id| id.parse::<CountryId>().ok()) else { continue };
            if asked != self.country {
                say(format!("the page asked {} for {}", root.field, name(asked)));
            }
            // asked only of what names its country once: the large responses stay unread until a point wants them
            if !matches!(root.field.as_str(), "countryProfile" | "countryYear") {
                continue;
            }
            let answered = root
                .get("location.id")
                .and_then(|id| id.as_str())
                .and_then(|id| id.parse::<CountryId>().ok());
            if let Some(answered) = answered.filter(|answered| *answered != self.country) {
                say(format!("the response to {} is about {}", root.field, name(answered)));
            }
        }
        found
    }
}

/// The name of a country for messages.
pub(super) fn name(id: CountryId) -> String {
    by_id(id).map_or_else(|| id.to_string(), |entity| entity.short_name.to_owned())
}

/// The years that a text prints.
pub(super) fn years(text: &str) -> Vec<i16> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, ',' | '.' | '$'))
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1950..2100).contains(year))
        .collect()
}
