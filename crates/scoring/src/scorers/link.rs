//! Scorer `link`: compares the agent's web address with the expected page. Names every difference after normalisation (page
//! kind, entities, parameters, classification).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use url::Url;

use crate::atlas::AtlasUrl;
use crate::score::Score;
use crate::suite::{AgentOutput, SuiteCase};
use crate::text::{MarkdownDocument, citations, unique_sources, web_address};

/// The parts of an address, on the Atlas site or elsewhere.
#[derive(Debug, PartialEq, Eq)]
struct LinkParts {
    /// The host, in lower case without `www.`.
    site: String,
    /// The kind of page: `countries`, `countries/growth-dynamics`, `explore/treemap`.
    page_kind: String,
    /// The entity in the path: `404` in `/countries/404`.
    entity: Option<String>,
    /// The product classification; only on explore pages, where it defaults to `hs92`.
    classification: Option<String>,
    /// The other non-empty parameters, in lower case.
    parameters: BTreeMap<String, String>,
}

/// A difference in one part of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkDifference {
    /// `site`, `page_kind`, `entity`, `classification`, or the parameter's name.
    pub part: String,
    /// The expected value; absent if the part should be absent.
    pub expected: Option<String>,
    /// The value found; absent if the part is missing.
    pub found: Option<String>,
}

/// Splits an address into its parts.
///
/// # Errors
/// The text is not a web address.
fn link_parts(address: &str) -> Result<LinkParts, String> {
    let url = settled(web_address(address)?);
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let site = format!("{}{port}", host.strip_prefix("www.").unwrap_or(host));
    let segments: Vec<String> =
        url.path().split('/').filter(|segment| !segment.is_empty()).map(str::to_lowercase).collect();
    // The entity is the first numeric segment; the other segments name the kind of page.
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

/// The address in the site's normal form if the site's grammar covers all of it; else unchanged.
fn settled(url: Url) -> Url {
    match AtlasUrl::parse_settled(url.as_str()) {
        Ok(parsed) if parsed.unknown.is_empty() && !parsed.elided => {
            url.join(&parsed.url.path()).unwrap_or(url)
        }
        _ => url,
    }
}

/// Normalises an entity: `country-404`, `location-404` and `404` are equal, and so are `004` and `4`.
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

/// Compares an agent's address with the expected page, part by part. Addresses of the same page have no differences.
///
/// # Errors
/// One of the texts is not a web address.
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
            (Some(expected), Some(found)) => write!(f, "{} is {found}, expected {expected}", self.part),
            (Some(expected), None) => write!(f, "{} is missing, expected {expected}", self.part),
            (None, Some(found)) => write!(f, "{} is {found}, but was not expected", self.part),
            (None, None) => f.write_str(&self.part),
        }
    }
}

/// The dimensions of a link's score: it is present, and its page kind, entity and parameters are right.
const DIMENSIONS: [&str; 4] = ["present", "page_kind", "entity", "parameters"];

/// Parameters that name the entity of a page.
const ENTITIES: [&str; 8] =
    ["entity", "exporter", "importer", "product", "country", "location", "partner", "group"];

impl LinkDifference {
    /// The dimension of this difference.
    fn dimension(&self) -> &'static str {
        match self.part.as_str() {
            "site" | "page_kind" => "page_kind",
            part if ENTITIES.contains(&part) => "entity",
            _ => "parameters",
        }
    }
}

/// Which dimensions hold. Without an address, none does; on another site or page kind, only `present` does.
fn dimensions(given: Option<&Result<Vec<LinkDifference>, String>>) -> [(&'static str, bool); 4] {
    let differs = |dimension: &str| match given {
        None | Some(Err(_)) => dimension != "present" || given.is_none(),
        Some(Ok(differences)) => {
            differences.iter().any(|one| ["page_kind", dimension].contains(&one.dimension()))
        }
    };
    DIMENSIONS.map(|dimension| (dimension, !differs(dimension) || dimension == "present" && given.is_some()))
}

/// Scores the given addresses, or else those in the text, against `expected_url`. The nearest of several counts.
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
    let holding = dimensions(nearest.map(|(_, found)| found));
    let dimensions: serde_json::Map<String, serde_json::Value> =
        holding.iter().map(|(name, holds)| ((*name).to_owned(), (*holds).into())).collect();
    let describe = |found: &Result<Vec<LinkDifference>, String>| match found {
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
                json!({ "address": address, "differences": differences, "reason": describe(found) })
            });
            let details: Vec<_> = details.collect();
            let reason = match details.len() {
                1 => format!("{address}: {}", describe(found)),
                several => format!(
                    "none of {several} addresses is the expected page; the nearest is {address}: {}",
                    describe(found)
                ),
            };
            Score::scored(0.0, reason).with("addresses", details)
        }
    };
    score.with("dimensions", dimensions)
}
