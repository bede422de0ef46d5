//! What to ask ourselves where the page's own responses do not hold a value, or where no page is looked at: which queries,
//! with which arguments. What a kind needs and what feeds the view decide.

use std::collections::BTreeSet;

use crate::atlas::{Api, AtlasUrl, CountryId, PlaceId, ProductId, SitePage};
use crate::capture::Capture;
use crate::value::Classification;

use super::extractor::Extractor;
use super::kinds::kind::Needs;
use super::observation::Wanted;
use super::response::Exchanges;
use super::view::requested::RequestedView;

/// A query whose answer would hold a value. It is about the places, year and classification that the page is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FallbackQuery {
    /// The API that has it.
    pub api: Api,
    /// The root field.
    pub field: String,
    /// The look-back window that it is about.
    pub window: Option<String>,
    /// What its rows stand for, where it has several kinds of them.
    pub facet: Option<String>,
    /// Whose trade; none for the world.
    pub subject: Option<PlaceId>,
    /// With whom; none for all.
    pub partner: Option<PlaceId>,
    /// The one product that the page is about.
    pub product: Option<ProductId>,
    /// The classification of products, or that of the ECI.
    pub class: Option<Classification>,
    /// Digits of the products.
    pub level: u8,
    /// Whether services are asked for too.
    pub services: bool,
    /// The year.
    pub year: Option<i16>,
    /// The code that is converted.
    pub code: Option<String>,
    /// The classification that it is converted into.
    pub target: Option<String>,
}

impl FallbackQuery {
    /// The query of a field for what a page is about.
    fn of_view(field: &str, url: &AtlasUrl, view: &RequestedView<'_>) -> Self {
        let of_world = field.starts_with("product");
        let class = match (&url.page, field) {
            (SitePage::Explore(_), _) => view.class.or(Some(Classification::Hs92)),
            (_, "treeMap" | "allProductYear") => Some(Classification::Hs92),
            // the one that the pages rank countries by
            (_, "countryYear") => Some(Classification::Sitc),
            _ => None,
        };
        Self {
            api: Api::of(url.kind()),
            field: field.to_owned(),
            window: None,
            facet: None,
            subject: view.subject.or(field.starts_with("group").then_some(PlaceId::WORLD)),
            partner: view.partner.filter(|_| !view.markets()),
            product: view.product().filter(|_| !of_world),
            class,
            level: view.level(),
            services: of_world || field == "countryProductYear",
            year: view.year,
            code: None,
            target: None,
        }
    }

    /// The country whose trade it is.
    #[must_use]
    pub fn country(&self) -> Option<CountryId> {
        self.subject.and_then(PlaceId::country)
    }
}

impl Extractor {
    /// The queries that would hold what is wanted of a page and is in none of its own responses.
    #[must_use]
    pub fn fallback(
        &self,
        url: &AtlasUrl,
        capture: Option<&Capture>,
        wanted: &[Wanted],
    ) -> Vec<FallbackQuery> {
        let mut exchanges = capture
            .map(|capture| Exchanges::read(&capture.exchanges, &self.spec().renamed))
            .unwrap_or_default();
        let settled_url = capture.map(|capture| capture.settled_url.as_str());
        let view = RequestedView::new(url, settled_url, &exchanges);
        view.set_aside(&mut exchanges);
        // what is partial is asked again
        exchanges.retain(|root| root.errors().is_empty());
        let query = |field: &str| FallbackQuery::of_view(field, url, &view);
        let mut queries = Vec::new();
        for wanted in wanted {
            let Some((point, kind)) = self.find(&wanted.data_point) else { continue };
            let Needs { rows, also, own, target, .. } = kind.needs();
            if own {
                let names = wanted.product.as_ref().map(|_| view.product_catalogue());
                let fields = also.iter().map(String::as_str).chain(names);
                queries.extend(fields.map(|field| FallbackQuery {
                    subject: view.subject,
                    year: wanted.year.or(view.year),
                    code: wanted.product.clone().filter(|_| target.is_some()),
                    target: target.clone(),
                    ..query(field)
                }));
                continue;
            }
            if let (SitePage::Country { .. }, Some(response)) = (&url.page, &point.response) {
                let facet = response.args.get("facet").cloned();
                queries.push(FallbackQuery {
                    window: response.window.clone(),
                    facet,
                    ..query(&response.field)
                });
                queries.extend(response.or_field.iter().map(|field| query(field)));
            }
            let holds = |field: &&str| exchanges.named(field).any(|root| root.rows().next().is_some());
            let drawn = view.fields.iter().any(holds);
            let own = view.fields.first().copied().filter(|_| rows && !drawn);
            let names = view.catalogues().into_iter().filter(|_| rows);
            let also = also.iter().map(String::as_str).filter(|field| view.may_show(field));
            let fields = own.into_iter().chain(also.chain(names).filter(|field| !holds(field)));
            queries.extend(fields.map(query));
        }
        queries.sort();
        queries.dedup();
        queries
    }

    /// How many queries a page asks for what the kinds of this extractor need, without the catalogues that every page
    /// asks for.
    pub(super) fn queries(&self, url: &AtlasUrl) -> usize {
        let view = RequestedView::new(url, None, &Exchanges::default());
        let mut queries = BTreeSet::new();
        for (point, kind) in self.kinds().filter(|(_, kind)| !kind.needs().own) {
            let Needs { rows, also, .. } = kind.needs();
            let own = view.fields.first().filter(|_| rows).map(|field| (*field).to_owned());
            let also = also.into_iter().filter(|field| view.may_ask(field));
            queries.extend(own.into_iter().chain(also).map(|field| (field, None)));
            if let (SitePage::Country { .. }, Some(response)) = (&url.page, &point.response) {
                queries.insert((response.field.clone(), response.window.clone()));
                queries.extend(response.or_field.iter().map(|field| (field.clone(), None)));
            }
        }
        queries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractors;
    use crate::value::Context;

    /// The queries for a point of a page that nobody has opened, in a line each.
    fn queries(extractor: &str, point: &str, path: &str) -> Vec<String> {
        let extractors = Extractors::built_in().unwrap();
        let extractor = extractors.get(extractor).unwrap();
        let wanted = extractor.wanted(point, &Context::default());
        let line = |query: FallbackQuery| {
            let place = |place: Option<PlaceId>| place.map_or_else(|| "-".to_owned(), |id| id.to_string());
            let class = query.class.map_or("-", Classification::name);
            format!("{} {} {} {class}", query.field, place(query.subject), place(query.partner))
        };
        extractor
            .fallback(&AtlasUrl::parse(path).unwrap().url, None, &[wanted])
            .into_iter()
            .map(line)
            .collect()
    }

    #[test]
    fn what_feeds_a_view_and_what_the_kind_needs_beside_are_asked() {
        let treemap = "/explore/treemap?year=2024&exporter=country-404";
        for (extractor, point, path, expected) in [
            ("country_profile", "gdp_per_capita", "/countries/404", vec!["countryProfile country-404 - -"]),
            ("country_profile", "chart_eci", "/countries/404", vec!["countryYear country-404 - SITC"]),
            (
                "treemap_verify",
                "product_pci",
                treemap,
                vec![
                    "countryProductYear country-404 - HS92",
                    "productHs92 country-404 - HS92",
                    "productYear country-404 - HS92",
                ],
            ),
            (
                "treemap_verify",
                "bilateral_total",
                "/explore/treemap?year=2024&exporter=country-404&importer=country-840",
                vec![
                    "countryCountryProductYear country-404 country-840 HS92",
                    "productHs92 country-404 country-840 HS92",
                ],
            ),
            (
                "treemap_verify",
                "top_partners",
                "/explore/treemap?year=2024&view=markets&product=product-HS12-726",
                vec![
                    "groupCountryProductYear group-1 - HS12",
                    "locationCountry - - HS12",
                    "productHs12 - - HS12",
                ],
            ),
            (
                "feasibility_table",
                "opportunity_total",
                "/explore/feasibility/table?year=2024&exporter=country-404",
                vec![
                    "countryProductYear country-404 - HS92",
                    "countryYear country-404 - HS92",
                    "productHs92 country-404 - HS92",
                ],
            ),
        ] {
            assert_eq!(queries(extractor, point, path), expected, "{point} of {path}");
        }
    }
}
