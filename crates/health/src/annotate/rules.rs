//! The annotation rules. Category and source decide the tool; the origin of the first data point
//! decides the query type (evaluation strategy, phase 0).

use crate::atlas::{AtlasUrl, SitePage, Viz};
use crate::extract::Extractors;
use crate::manifest::{Entry, ExpectedTool};

/// The category whose questions a person always checks.
pub(super) const EDGE_CASES: &str = "edge_cases";

/// A category or source, its tool, and the reason.
type ToolRule = (&'static str, ExpectedTool, &'static str);

/// The tool by category. Categories precede sources.
const CATEGORIES: [ToolRule; 5] = [
    ("out_of_scope", ExpectedTool::Refusal, "the Atlas has no data on this, so it is declined"),
    ("data_boundaries", ExpectedTool::Refusal, "this lies outside the data, so it is declined"),
    (EDGE_CASES, ExpectedTool::Refusal, "an edge case is declined unless a person finds an answer"),
    ("gql_cross_tool", ExpectedTool::Both, "the question spans both tools"),
    ("gql_link_verification", ExpectedTool::Either, "only the link counts, whichever tool finds it"),
];

/// The tool by source of the question.
const SOURCES: [ToolRule; 2] = [
    ("atlas_country_page", ExpectedTool::GraphqlOnly, "country pages get their data from GraphQL"),
    ("atlas_explore_page", ExpectedTool::GraphqlOnly, "Explore pages get their data from GraphQL"),
];

/// The query type of values that no page shows, by query.
const OWN_QUERIES: [(&str, &str); 14] = [
    ("countryYear", "country_year"),
    ("countryYearThresholds", "country_year"),
    ("dataFlags", "country_year"),
    ("groupYear", "explore_group"),
    ("locationGroup", "explore_group"),
    ("productHs92", "product_info"),
    ("productYear", "product_info"),
    ("countryProductYear", "product_info"),
    ("conversionPath", "product_info"),
    ("countryCountryYear", "explore_bilateral"),
    ("countryCountryProductYear", "explore_bilateral"),
    ("productProduct", "product_space"),
    ("dataAvailability", "explore_data_availability"),
    ("globalDatum", "global_datum"),
];

/// Any section, or any query.
const ANY: &str = "*";

/// The query type of values on a country page, by section and query. The first match wins.
const COUNTRY_PAGE: [(&str, &str, &str); 12] = [
    ("new-products", ANY, "new_products"),
    ("growth-opportunities", ANY, "growth_opportunities"),
    ("product-table", ANY, "product_table"),
    ("export-basket", "treeMap", "treemap_products"),
    ("export-complexity", "treeMap", "product_info"),
    ("market-share", "treeMap", "marketshare"),
    (ANY, "newProductsCountry", "new_products"),
    (ANY, "productSpace", "product_space"),
    (ANY, "globalDatum", "global_datum"),
    (ANY, "countryYear", "country_year"),
    (ANY, "countryLookback", "country_lookback"),
    (ANY, ANY, "country_profile"),
];

/// The tool for a category and source, none if no rule matches. Also returns the rule's name and
/// the reason.
pub(super) fn tool(category: Option<&str>, source: Option<&str>) -> (Option<ExpectedTool>, String, String) {
    let parts = [("category", category, CATEGORIES.as_slice()), ("source", source, SOURCES.as_slice())];
    for (part, value, rules) in parts {
        if let Some((value, tool, why)) = rules.iter().find(|(known, ..)| value == Some(*known)) {
            return (Some(*tool), format!("{part} {value}"), (*why).to_owned());
        }
    }
    let why = match source {
        Some(source) => format!("no rule for the source {source}"),
        None => "it states no source, and no rule covers its category".to_owned(),
    };
    (None, "none".to_owned(), why)
}

/// The query type of a question with data, taken from its first value, with the reason.
pub(super) fn query_type(entry: &Entry, extractors: &Extractors) -> (Option<&'static str>, String) {
    match of_first_value(entry, extractors) {
        Some((name, what)) => (Some(name), format!("{what} has the type {name}")),
        None => (None, "no rule for its data".to_owned()),
    }
}

fn of_first_value(entry: &Entry, extractors: &Extractors) -> Option<(&'static str, String)> {
    let read = entry.readings().first()?;
    let extractor = extractors.get(&read.extractor)?;
    let point = extractor.spec().point(read.data_points.first()?)?;
    let field = point.api_field().unwrap_or_default();
    let query = field.split('.').next().unwrap_or_default();
    let kind = point.find.kind.as_str();
    if extractor.is_own(&point.id) {
        let (_, name) = OWN_QUERIES.iter().find(|(known, _)| *known == query)?;
        return Some((name, format!("the query {query} (shown on no page)")));
    }
    match &read.url.page {
        SitePage::Country { .. } if kind == "partners" => {
            Some(("treemap_partners", "a list of trade partners".to_owned()))
        }
        SitePage::Country { .. } => {
            let fits = |known: &str, value: &str| known == ANY || known == value;
            let (_, _, name) = COUNTRY_PAGE
                .iter()
                .find(|(section, behind, _)| fits(section, &point.section) && fits(behind, query))?;
            Some((name, format!("section {} of a country page", point.section)))
        }
        SitePage::Explore(_) => {
            let is_total = point.find.rows().is_some_and(|rows| rows.is_total());
            Some((of_explore(&read.url, is_total)?, format!("the view {}", read.url.kind())))
        }
    }
}

/// The query type of an Explore page, by its view. `is_total` is true if the question asks for one
/// sum.
fn of_explore(url: &AtlasUrl, is_total: bool) -> Option<&'static str> {
    let SitePage::Explore(explore) = &url.page else { return None };
    let (subject, partner) = explore.sides();
    let is_group = [subject, partner].into_iter().flatten().any(|place| place.country().is_none());
    Some(match explore.viz {
        Viz::Treemap if partner.is_some() && is_group => "explore_group",
        Viz::Treemap if partner.is_some() && is_total => "explore_bilateral",
        Viz::Treemap if partner.is_some() => "treemap_bilateral",
        Viz::Treemap if explore.product.is_some() && is_total => "product_info",
        Viz::Treemap if explore.markets => "treemap_partners",
        Viz::Treemap => "treemap_products",
        Viz::Geomap => "treemap_partners",
        Viz::Overtime if explore.markets => "overtime_partners",
        Viz::Overtime => "overtime_products",
        Viz::Marketshare => "marketshare",
        Viz::Productspace => "product_space",
        Viz::Feasibility => "feasibility",
        Viz::FeasibilityTable => "feasibility_table",
    })
}
