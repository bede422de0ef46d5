//! The rules by which a question is annotated: which tool should answer it, by its category and source, and which type of
//! query, by what its data point is read from (evaluation strategy, phase 0).

use crate::atlas::{AtlasUrl, SitePage, Viz};
use crate::extract::Extractors;
use crate::manifest::{Entry, ExpectedTool};

/// The category whose questions are each judged by a person, whatever the rule says.
pub(super) const EDGE_CASES: &str = "edge_cases";

/// A value of a part of a question, the tool that follows, and why.
type ToolRule = (&'static str, ExpectedTool, &'static str);

/// The tool by category; these come before the source.
const CATEGORIES: [ToolRule; 5] = [
    ("out_of_scope", ExpectedTool::Refusal, "what the Atlas has no data on is declined"),
    ("data_boundaries", ExpectedTool::Refusal, "what lies outside of the data is declined"),
    (EDGE_CASES, ExpectedTool::Refusal, "an edge case is declined unless a person finds an answer"),
    ("gql_cross_tool", ExpectedTool::Both, "questions across tools need both"),
    ("gql_link_verification", ExpectedTool::Either, "the link is what counts, whatever tool finds it"),
];

/// The tool by where the question comes from.
const SOURCES: [ToolRule; 2] = [
    ("atlas_country_page", ExpectedTool::GraphqlOnly, "what country pages show comes from GraphQL"),
    ("atlas_explore_page", ExpectedTool::GraphqlOnly, "what Explore pages show comes from GraphQL"),
];

/// The query type of what no page shows, by the query that holds it.
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

/// The query type of what a country page shows, by section and by the query behind it, the first that fits.
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

/// The tool of a question of this category and source; none where no rule fits. The rule's name and why come with it.
pub(super) fn tool(category: Option<&str>, source: Option<&str>) -> (Option<ExpectedTool>, String, String) {
    let parts = [("category", category, CATEGORIES.as_slice()), ("source", source, SOURCES.as_slice())];
    for (part, value, rules) in parts {
        if let Some((value, tool, why)) = rules.iter().find(|(known, ..)| value == Some(*known)) {
            return (Some(*tool), format!("{part} {value}"), (*why).to_owned());
        }
    }
    let source = source.unwrap_or("that is not said");
    (None, "none".to_owned(), format!("no rule for the source {source}"))
}

/// The query type of a question that a page or a query answers, that of the first value that is read for it, and why.
pub(super) fn query_type(entry: &Entry, extractors: &Extractors) -> (Option<&'static str>, String) {
    match of_first_value(entry, extractors) {
        Some((name, what)) => (Some(name), format!("{what} is of {name}")),
        None => (None, "no rule for what is read".to_owned()),
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
        return Some((name, format!("the query {query}, which no page shows,")));
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

/// The query type of an Explore page, by what it draws; `is_total` where one sum is asked for.
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
