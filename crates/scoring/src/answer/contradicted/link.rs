//! Addresses that an answer cites: `https://atlas.hks.harvard.edu/countries/uganda`, `…?exporter=country-76&startYear=2012`.

use std::sync::LazyLock;

use regex::Regex;

use crate::answer::question::asked::Asked;
use crate::atlas::{self, CountryId};
use crate::compiled_in::pattern;

static PART: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:countries/([a-z][a-z-]*)|(?:country=|country-|exporter=)([a-z][a-z-]*|\d+))|year=(\d{4})",
    )
});

/// Why the addresses of an answer are about another country or year, if none is about the question's.
pub(crate) fn links_elsewhere(asked: &Asked<'_>, addresses: &[String]) -> Option<String> {
    let parts = || addresses.iter().flat_map(|address| PART.captures_iter(address));
    let place = |name: &str| -> Option<CountryId> {
        name.parse().ok().or_else(|| Some(atlas::lookup(&name.replace('-', " "))?.id))
    };
    let places: Vec<CountryId> =
        parts().filter_map(|part| place(part.get(1).or(part.get(2))?.as_str())).collect();
    let years: Vec<i16> = parts().filter_map(|part| part.get(3)?.as_str().parse().ok()).collect();
    let is_own = |id: &CountryId| {
        asked.country == Some(*id) || asked.partner == Some(*id) || asked.places.contains(id)
    };
    let other = asked.country.and(places.first()).filter(|_| !places.iter().any(is_own));
    let period = asked.context.period.filter(|own| own.start == own.end && !asked.is_change());
    let low_high = years.iter().min().zip(years.iter().max());
    let is_of_other_year =
        period.zip(low_high).is_some_and(|(own, (low, high))| own.start < *low || own.end > *high);
    if other.is_some() {
        return Some("it cites a page of another country".to_owned());
    }
    is_of_other_year.then(|| "it cites a page of another year".to_owned())
}
