//! What the address of an Explore page asks for, and what the settled address and the page's own queries
//! say otherwise.

use crate::atlas::{AtlasUrl, CountryId, Explore, Page, PlaceId, Viz, by_id, classification, settled};
use crate::manifest::spec::{Point, Span};
use crate::value::{Classification, ContextPart, Flow, Period};

use super::super::exchange::{Exchanges, Root};

/// What is asked for. What the address leaves open is taken from the page's queries, where they agree.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub explore: &'a Explore,
    /// Whose trade.
    pub subject: Option<PlaceId>,
    /// With whom; none for the whole world.
    pub partner: Option<PlaceId>,
    pub flow: Flow,
    pub year: Option<i16>,
    pub class: Option<Classification>,
    /// The root fields that may hold the rows of the drawing, the likeliest first.
    pub fields: &'static [&'static str],
}

/// Queries whose rows are trade or indices of a year.
const TRADE: [&str; 10] = [
    "countryProductYear",
    "countryCountryYear",
    "countryCountryProductYear",
    "countryGroupProductYear",
    "groupCountryProductYear",
    "groupGroupProductYear",
    "groupYear",
    "productYear",
    "countryYear",
    "countryYearThresholds",
];

impl<'a> Asked<'a> {
    pub fn new(explore: &'a Explore, exchanges: &Exchanges<'_>) -> Self {
        let (subject, partner) = explore.sides();
        let fields = fields(explore, subject, partner);
        let roots = || exchanges.iter().filter(|root| fields.contains(&root.field.as_str()));
        let year = explore.year.or_else(|| {
            roots().find_map(|root| years(root).and_then(|(first, last)| (first == last).then_some(first)))
        });
        let class = explore
            .product_class
            .or(explore.product.map(|product| product.classification))
            .or_else(|| roots().find_map(class_of));
        let flow = explore.flow.unwrap_or(Flow::Export);
        Self { explore, subject, partner, flow, year, class, fields }
    }

    pub fn is_treemap(&self) -> bool {
        self.explore.viz == Viz::Treemap
    }

    pub fn country(&self) -> Option<CountryId> {
        self.subject.and_then(PlaceId::country)
    }

    /// The years that a point speaks of.
    pub fn period(&self, point: &Point) -> Option<Period> {
        let year = self.year?;
        Some(match point.period {
            Span::Year => Period::year(year),
            Span::Lookback(years) => Period { start: year - years, end: year },
            Span::Projection(years) => Period { start: year, end: year + years },
        })
    }

    /// The partner as a context states it.
    pub fn partner_text(&self) -> String {
        self.partner.map_or_else(|| PlaceId::WORLD.to_string(), |place| plain(&place))
    }

    /// What the settled address says otherwise, and what the site had to choose by itself.
    pub fn address(&self, settled_url: &str) -> Vec<(Option<ContextPart>, String)> {
        let Some(settled) = AtlasUrl::parse_settled(settled_url).ok().map(|parsed| parsed.url) else {
            return vec![(None, format!("the page settled at {settled_url}"))];
        };
        let Page::Explore(got) = &settled.page else {
            return vec![(None, format!("the page settled at {settled_url}"))];
        };
        let mut found = settled::explore(self.explore, got);
        let sellers_of_one = self.explore.markets && self.explore.product.is_some();
        if self.subject.is_none() && !sellers_of_one {
            let chosen = got.sides().0.map_or_else(|| "nothing".to_owned(), |place| name(&place));
            let what = format!("the address names no exporter, the site chose {chosen}");
            found.push((Some(ContextPart::Country), what));
        }
        if self.explore.product.is_none() && got.product.is_some() {
            found.push((
                Some(ContextPart::Product),
                format!("the page settled on one product: {settled_url}"),
            ));
        }
        let asked_for_partner = self.explore.sides().1.is_some();
        if let Some(other) = got.sides().1.filter(|_| !asked_for_partner) {
            found.push((
                Some(ContextPart::Partner),
                format!("the page settled on trade with {}", name(&other)),
            ));
        }
        if self.explore.markets != got.markets && !self.explore.markets {
            found
                .push((Some(ContextPart::Partner), "the page settled on locations, not products".to_owned()));
        }
        if got.flow.unwrap_or(Flow::Export) != self.flow && self.explore.flow.is_none() {
            found.push((Some(ContextPart::Flow), "the page settled on imports".to_owned()));
        }
        found
    }

    /// What the page's own queries ask otherwise.
    pub fn queries(&self, exchanges: &Exchanges<'_>) -> Vec<(ContextPart, String)> {
        let mut found = Vec::new();
        for root in exchanges.iter().filter(|root| TRADE.contains(&root.field.as_str())) {
            self.query(root, &mut found);
        }
        found
    }

    fn query(&self, root: &Root<'_>, found: &mut Vec<(ContextPart, String)>) {
        let field = root.field.as_str();
        let holds_the_rows = self.fields.contains(&field);
        let mut say = |part, what: String| found.push((part, format!("the page asked {field} {what}")));
        let place = |arg: &str, group: &str| {
            let country = root.args.get(arg).and_then(|id| id.parse().ok()).map(PlaceId::Country);
            country.or_else(|| root.args.get(group)?.parse().ok().map(PlaceId::Group))
        };
        let whole_world = |place: Option<PlaceId>| place.is_none() || place == Some(PlaceId::WORLD);
        let subject = place("countryId", "groupId");
        if field != "productYear"
            && subject != self.subject
            && !(whole_world(subject) && whole_world(self.subject))
        {
            let what =
                subject.map_or_else(|| "of no country".to_owned(), |place| format!("for {}", name(&place)));
            say(ContextPart::Country, what);
        }
        let partner = place("partnerCountryId", "partnerGroupId").filter(|place| *place != PlaceId::WORLD);
        if partner != self.partner && (partner.is_some() || holds_the_rows) {
            let what = partner
                .map_or_else(|| "without a partner".to_owned(), |place| format!("with {}", name(&place)));
            say(ContextPart::Partner, what);
        }
        if let (Some(year), Some((first, last))) = (self.year, years(root))
            && !(first..=last).contains(&year)
        {
            say(ContextPart::Period, format!("for {}", Period { start: first, end: last }));
        }
        if let (Some(class), Some(asked)) = (self.class, class_of(root))
            && class != asked
            // totals of a country are the same in every class
            && field != "countryYear"
        {
            say(ContextPart::Classification, format!("in {}", crate::atlas::classification_name(asked)));
        }
        if let Some(product) = self.explore.product.filter(|_| holds_the_rows && self.explore.markets) {
            let asked = root.args.get("productId").and_then(|id| id.parse::<u32>().ok());
            if asked != Some(product.number) {
                let what =
                    asked.map_or_else(|| "for all products".to_owned(), |id| format!("for product {id}"));
                say(ContextPart::Product, what);
            }
        }
        if let Some(level) = root.args.get("productLevel").filter(|_| holds_the_rows && !self.explore.markets)
        {
            let wanted = self.explore.product_level.unwrap_or(4).to_string();
            if *level != wanted {
                say(ContextPart::Product, format!("by {level} digits, not {wanted}"));
            }
        }
    }
}

/// First and last year of a query.
pub(super) fn years(root: &Root<'_>) -> Option<(i16, i16)> {
    let year = |name: &str| root.args.get(name).and_then(|year| year.parse::<i16>().ok());
    match (year("yearMin"), year("yearMax")) {
        (Some(first), Some(last)) => Some((first, last)),
        _ => None,
    }
}

fn class_of(root: &Root<'_>) -> Option<Classification> {
    classification(root.args.get("productClass")?)
}

/// Which queries feed a view.
fn fields(explore: &Explore, subject: Option<PlaceId>, partner: Option<PlaceId>) -> &'static [&'static str] {
    if explore.viz == Viz::FeasibilityTable {
        return &["countryProductYear"];
    }
    match (explore.markets, subject, partner, explore.product) {
        (true, Some(PlaceId::Country(_)), _, None) => &["countryCountryYear"],
        (true, Some(PlaceId::Country(_)), _, Some(_)) => &["countryCountryProductYear"],
        (true, _, _, _) => &["groupCountryProductYear"],
        (false, Some(PlaceId::Country(_)), None, _) => &["countryProductYear"],
        (false, Some(PlaceId::Country(_)), Some(PlaceId::Country(_)), _) => &["countryCountryProductYear"],
        (false, Some(PlaceId::Country(_)), Some(PlaceId::Group(_)), _) => &["countryGroupProductYear"],
        (false, Some(PlaceId::WORLD), None, _) => &["productYear", "groupCountryProductYear"],
        (false, _, _, _) => &["groupCountryProductYear"],
    }
}

/// A place for messages.
pub(super) fn name(place: &PlaceId) -> String {
    match *place {
        PlaceId::Country(id) => {
            by_id(id).map_or_else(|| id.to_string(), |entity| entity.short_name.to_owned())
        }
        PlaceId::WORLD => "the world".to_owned(),
        PlaceId::Group(_) => place.to_string(),
    }
}

/// A place as contexts state it: a country by its plain code.
pub(super) fn plain(place: &PlaceId) -> String {
    place.country().map_or_else(|| place.to_string(), |id| id.to_string())
}
