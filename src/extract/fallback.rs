//! What to ask ourselves where the page's own responses do not hold a value, or where no page is looked at: which queries,
//! with which arguments. What a kind needs and what feeds the view decide.

use std::collections::BTreeSet;

use crate::atlas::{Api, AtlasUrl, CountryId, Page, PlaceId, ProductId};
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
}

impl FallbackQuery {
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
        let mut exchanges = capture.map(|capture| Exchanges::read(&capture.exchanges)).unwrap_or_default();
        let settled_url = capture.map(|capture| capture.settled_url.as_str());
        let view = RequestedView::new(url, settled_url, &exchanges);
        view.set_aside(&mut exchanges);
        let query = |field: &str| {
            let of_world = field.starts_with("product");
            let class = match (&url.page, field) {
                (Page::Explore(_), _) => view.class.or(Some(Classification::Hs92)),
                (_, "treeMap" | "allProductYear") => Some(Classification::Hs92),
                // the one that the pages rank countries by
                (_, "countryYear") => Some(Classification::Sitc),
                _ => None,
            };
            FallbackQuery {
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
            }
        };
        let mut queries = Vec::new();
        for wanted in wanted {
            let Some((point, kind)) = self.find(&wanted.data_point) else { continue };
            let Needs { rows, also, .. } = kind.needs();
            if let (Page::Country { .. }, Some(response)) = (&url.page, &point.response) {
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
        for (point, kind) in self.kinds() {
            let Needs { rows, also, .. } = kind.needs();
            let own = view.fields.iter().filter(|_| rows).map(|field| (*field).to_owned());
            let also = also.into_iter().filter(|field| view.may_ask(field));
            queries.extend(own.chain(also).map(|field| (field, None)));
            if let (Page::Country { .. }, Some(response)) = (&url.page, &point.response) {
                queries.insert((response.field.clone(), response.window.clone()));
                queries.extend(response.or_field.iter().map(|field| (field.clone(), None)));
            }
        }
        queries.len()
    }
}
