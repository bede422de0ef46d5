//! Places: names, codes and rough sizes of countries, read from `places.psv`.

use super::separated;
use serde::Deserialize;

/// A country or territory.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Place {
    pub m49: u32,
    pub iso3: String,
    pub short: String,
    pub long: String,
    /// `the`, if its name takes it.
    pub the: Option<String>,
    pub continent: String,
    /// Income class. A place without one has no country page.
    pub income: Option<String>,
    pub people: i64,
    /// Rough GDP per capita in dollars. It orders countries without known figures.
    pub wealth: f64,
    /// Rough exports in dollars, for the same purpose.
    pub exports: f64,
    /// Rough ECI, for the same purpose.
    pub eci: f64,
}

impl Place {
    /// Whether it has a country page.
    pub(crate) const fn has_page(&self) -> bool {
        self.income.is_some()
    }
}

/// Reads all places. Errors name the line.
pub(crate) fn read(text: &str) -> Result<Vec<Place>, String> {
    let mut places: Vec<Place> = separated::rows("places.psv", text)?;
    for place in &mut places {
        place.long = separated::long_name(std::mem::take(&mut place.long), &place.short);
        // The file has thousands of people and billions of dollars.
        place.people *= 1000;
        place.exports *= 1e9;
    }
    Ok(places)
}
