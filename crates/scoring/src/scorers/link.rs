//! The web address an agent gives against the page that was expected: equal after normalisation, or each
//! difference named (page kind, entities, parameters, classification).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use url::Url;

use crate::atlas::AtlasUrl;
use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};
use crate::text::{MarkdownDocument, citations, unique_sources};

/// An address taken apart, of the site or of any other.
#[derive(Debug, PartialEq, Eq)]
struct LinkParts {
    /// Host, in lower case without `www.`.
    site: String,
    /// What kind of page: `countries`, `countries/growth-dynamics`, `explore/treemap`.
    page_kind: String,
    /// The entity in the path: `404` in `/countries/404`.
    entity: Option<String>,
    /// Product classification, `hs92` where the site takes it for granted; only on explore pages.
    classification: Option<String>,
    /// The other parameters, in lower case, without those that are empty.
    parameters: BTreeMap<String, String>,
}

/// A part that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkDifference {
    /// `site`, `page_kind`, `entity`, `classification`, or the parameter's name.
    pub part: String,
    /// What was expected; nothing when the part should not be there.
    pub expected: Option<String>,
    /// What was found; nothing when the part is missing.
    pub found: Option<String>,
}

/// Takes an address apart.
///
/// # Errors
/// What is no web address, in words.
fn link_parts(address: &str) -> Result<LinkParts, String> {
    let url =
        Url::parse(address.trim()).map_err(|error| format!("{address:?} is no web address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{address:?} is no web address: its scheme is {}", url.scheme()));
    }
    let url = on_the_site(url);
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let site = format!("{}{port}", host.strip_prefix("www.").unwrap_or(host));
    let segments: Vec<String> =
        url.path().split('/').filter(|segment| !segment.is_empty()).map(str::to_lowercase).collect();
    // The entity is the first segment that is a number; what is left names the kind of page.
    let entity_at = segments.iter().position(|segment| segment.bytes().all(|byte| byte.is_ascii_digit()));
    let entity = entity_at.map(|at| without_padding(&segments[at]));
    let kind: Vec<&str> = segments
        .iter()
        .enumerate()
        .filter(|(at, _)| Some(*at) != entity_at)
        .map(|(_, segment)| segment.as_str())
        .collect();
    let mut parameters: BTreeMap<String, String> = url
        .query_pairs()
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_lowercase()))
        .filter(|(name, value)| !value.is_empty() && !name.starts_with("utm_"))
        .map(|(name, value)| (name, entity_value(&value)))
        .collect();
    let explore = kind.first() == Some(&"explore");
    let classification = parameters
        .remove("productclass")
        .or_else(|| parameters.remove("product_class"))
        .or_else(|| explore.then(|| "hs92".to_owned()));
    Ok(LinkParts { site, page_kind: kind.join("/"), entity, classification, parameters })
}

/// The address in the site's normal form, when the site's grammar knows all of it; else as it is.
fn on_the_site(url: Url) -> Url {
    match AtlasUrl::parse_settled(url.as_str()) {
        Ok(parsed) if parsed.unknown.is_empty() && !parsed.elided => {
            url.join(&parsed.url.path()).unwrap_or(url)
        }
        _ => url,
    }
}

/// `country-404`, `location-404` and `404` are one entity, and so are `004` and `4`.
fn entity_value(value: &str) -> String {
    let bare = ["country-", "location-", "product-", "group-"]
        .iter()
        .find_map(|prefix| value.strip_prefix(prefix))
        .filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()) && !rest.is_empty());
    match bare {
        Some(number) => without_padding(number),
        None => value.to_owned(),
    }
}

fn without_padding(number: &str) -> String {
    let trimmed = number.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }.to_owned()
}

/// Compares the address that an agent gave with the expected page, part by part. Nothing differs where both lead to the same
/// page.
///
/// # Errors
/// What is no web address, in words.
pub(crate) fn link_differences(expected: &str, given: &str) -> Result<Vec<LinkDifference>, String> {
    let (expected, found) = (link_parts(expected)?, link_parts(given)?);
    let mut differences = Vec::new();
    let mut compare = |part: &str, expected: Option<&String>, found: Option<&String>| {
        if expected != found {
            differences.push(LinkDifference {
                part: part.to_owned(),
                expected: expected.cloned(),
                found: found.cloned(),
            });
        }
    };
    compare("site", Some(&expected.site), Some(&found.site));
    compare("page_kind", Some(&expected.page_kind), Some(&found.page_kind));
    compare("entity", expected.entity.as_ref(), found.entity.as_ref());
    compare("classification", expected.classification.as_ref(), found.classification.as_ref());
    for name in expected.parameters.keys() {
        compare(name, expected.parameters.get(name), found.parameters.get(name));
    }
    for (name, value) in &found.parameters {
        if !expected.parameters.contains_key(name) {
            compare(name, None, Some(value));
        }
    }
    Ok(differences)
}

impl std::fmt::Display for LinkDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) => write!(f, "{} is {found} and not {expected}", self.part),
            (Some(expected), None) => write!(f, "{} is missing, expected {expected}", self.part),
            (None, Some(found)) => write!(f, "{} is {found} and was not expected", self.part),
            (None, None) => f.write_str(&self.part),
        }
    }
}

/// What a link is judged by: there is one, it leads to the right kind of page, to the right entity, with the right parameters.
const DIMENSIONS: [&str; 4] = ["present", "page_kind", "entity", "parameters"];

/// Parameters that say what a page of the site is about.
const ENTITIES: [&str; 8] =
    ["entity", "exporter", "importer", "product", "country", "location", "partner", "group"];

impl LinkDifference {
    /// The dimension that it belongs to.
    fn dimension(&self) -> &'static str {
        match self.part.as_str() {
            "site" | "page_kind" => "page_kind",
            part if ENTITIES.contains(&part) => "entity",
            _ => "parameters",
        }
    }
}

/// Each dimension and whether it holds: of no address none does, and of another site or kind of page nothing but that there is one.
fn dimensions(given: Option<&Result<Vec<LinkDifference>, String>>) -> [(&'static str, bool); 4] {
    let differs = |dimension: &str| match given {
        None | Some(Err(_)) => dimension != "present" || given.is_none(),
        Some(Ok(differences)) => {
            differences.iter().any(|one| ["page_kind", dimension].contains(&one.dimension()))
        }
    };
    DIMENSIONS.map(|dimension| (dimension, !differs(dimension) || dimension == "present" && given.is_some()))
}

/// The address that was given against `expected_url`; without one the addresses in the text. Of several the nearest counts.
pub(super) fn link(case: &SuiteCase, output: &AgentOutput) -> Score {
    let expected = case.expected_url.as_deref().unwrap_or_default();
    let mut given = output.links.clone();
    if given.is_empty() {
        given = unique_sources(&citations(&MarkdownDocument::parse(&output.text)));
    }
    let judged: Vec<_> = given.iter().map(|address| (address, link_differences(expected, address))).collect();
    let held = |found: &Result<_, _>| dimensions(Some(found)).iter().filter(|(_, holds)| *holds).count();
    let least = |found: &Result<Vec<LinkDifference>, String>| found.as_ref().map_or(usize::MAX, Vec::len);
    let nearest = judged.iter().min_by_key(|(_, found)| (std::cmp::Reverse(held(found)), least(found)));
    let of = dimensions(nearest.map(|(_, found)| found));
    let dimensions: serde_json::Map<String, serde_json::Value> =
        of.iter().map(|(name, holds)| ((*name).to_owned(), (*holds).into())).collect();
    let words = |found: &Result<Vec<LinkDifference>, String>| match found {
        Ok(differences) => differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        Err(error) => error.clone(),
    };
    let score = match nearest {
        None => Score::scored(0.0, "the answer gives no address"),
        Some((address, Ok(differences))) if differences.is_empty() => {
            Score::scored(1.0, format!("{address} is the expected page"))
        }
        Some((address, found)) => {
            let details = judged.iter().map(|(address, found)| {
                let differences = found.as_ref().map(Vec::as_slice).unwrap_or_default();
                json!({ "address": address, "differences": differences, "reason": words(found) })
            });
            let details: Vec<_> = details.collect();
            let reason = match details.len() {
                1 => format!("{address}: {}", words(found)),
                several => format!(
                    "none of {several} addresses is the expected page; the nearest is {address}: {}",
                    words(found)
                ),
            };
            Score::scored(0.0, reason).with("addresses", details)
        }
    };
    score.with("dimensions", dimensions)
}
