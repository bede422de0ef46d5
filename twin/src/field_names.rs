//! The field names under the fault `fields-renamed`, in schemas, data and pages of both APIs.

use super::data::noise;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Alternative names by field.
type Names = BTreeMap<String, Vec<String>>;

/// `field_names.toml`, read once.
static NAMES: LazyLock<BTreeMap<String, Names>> =
    LazyLock::new(|| toml::from_str(include_str!("field_names.toml")).unwrap_or_default());

/// The new names of an API's fields (`country`, `explore`), by old name.
pub(crate) fn of(api: &str, seed: u64) -> BTreeMap<&'static str, &'static str> {
    let names = NAMES.get(api).into_iter().flatten();
    names
        .filter_map(|(field, others)| {
            let drawn = noise::bits(field, &[seed]) % others.len().max(1) as u64;
            Some((field.as_str(), others.get(drawn as usize)?.as_str()))
        })
        .collect()
}

/// The new names of both APIs under a page's faults; empty without the fault.
pub(crate) fn for_pages(faults: &[String]) -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
    let seed = faults.iter().find_map(|fault| fault.strip_prefix("fields-renamed=")?.parse().ok());
    ["country", "explore"]
        .into_iter()
        .map(|api| (api, seed.map(|seed| of(api, seed)).unwrap_or_default()))
        .collect()
}

/// The numeric fields of both APIs.
pub(crate) fn numbers() -> &'static BTreeSet<String> {
    static NUMBERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let sdl =
            [include_str!("../../graphql/country.graphql"), include_str!("../../graphql/explore.graphql")];
        let of_number = Regex::new(r"(\w+): (?:Int|Float)\b").ok();
        let fields = of_number.iter().flat_map(|field| sdl.iter().flat_map(|sdl| field.captures_iter(sdl)));
        fields.map(|field| field[1].to_owned()).collect()
    });
    &NUMBERS
}
