//! What the page's own responses lack of a drawn value, as a question that we may ask ourselves.

use crate::atlas::{AtlasUrl, CountryId, Page as Kind, PlaceId, ProductId};
use crate::capture::Capture;
use crate::manifest::spec::Find;
use crate::value::Classification;

use super::super::Wanted;
use super::super::compiled::Extractor;
use super::super::exchange::Exchanges;
use super::asked::Asked;

/// The rows of a query that would hold a value. They are of the year, class and places that the page is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// The field of the Explore API.
    pub field: &'static str,
    /// Whose trade; none where `field` is about the world.
    pub subject: Option<PlaceId>,
    /// With whom; none for all.
    pub partner: Option<PlaceId>,
    /// The one product that the page is about.
    pub product: Option<ProductId>,
    /// Digits of the products.
    pub level: u8,
    /// Their classification.
    pub class: Classification,
    /// The year.
    pub year: i16,
}

/// Fields that a point may name as its source.
const SOURCES: [&str; 1] = ["productYear"];

impl Extractor {
    /// What the responses of an Explore page lack of a drawn value. Nothing for other pages, for values that the page
    /// displays as text, and where the page itself leaves open what it is about.
    #[must_use]
    pub fn lacking(&self, capture: &Capture, url: &AtlasUrl, wanted: &Wanted) -> Vec<Lacking> {
        let Kind::Explore(explore) = &url.page else { return Vec::new() };
        let Some(point) = self.spec().point(&wanted.data_point) else { return Vec::new() };
        let exchanges = Exchanges::read(&capture.exchanges);
        let asked = Asked::new(explore, &exchanges);
        let (Some(year), Some(&rows)) = (asked.year, asked.fields.first()) else { return Vec::new() };
        let from = match &point.find {
            Find::Sum(_) | Find::Ranked(_) => None,
            Find::One(one) => one.from.as_deref(),
            _ => return Vec::new(),
        };
        let from = from.and_then(|from| SOURCES.into_iter().find(|known| *known == from));
        let holds = |field: &str| exchanges.named(field).any(|root| root.rows().next().is_some());
        let drawn = asked.fields.iter().any(|field| holds(field));
        let mut fields: Vec<&'static str> = Some(rows).filter(|_| !drawn).into_iter().collect();
        fields.extend(from.filter(|from| !holds(from) && !fields.contains(from)));
        let question = |field| Lacking {
            field,
            subject: asked.subject,
            partner: asked.partner,
            product: explore.product.filter(|_| explore.markets),
            level: explore.product_level.unwrap_or(4),
            class: asked.class.unwrap_or(Classification::Hs92),
            year,
        };
        fields.into_iter().map(question).collect()
    }
}

impl Lacking {
    /// The country whose trade it is.
    #[must_use]
    pub fn country(&self) -> Option<CountryId> {
        self.subject.and_then(PlaceId::country)
    }

    /// The group whose trade it is; the world where nobody is named.
    #[must_use]
    pub const fn group(&self) -> Option<u32> {
        match self.subject {
            Some(PlaceId::Group(group)) => Some(group),
            Some(PlaceId::Country(_)) => None,
            None => Some(1),
        }
    }
}
