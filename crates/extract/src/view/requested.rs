//! What a page's address requests, and how the settled address and the queries of an Explore page
//! contradict it.

use crate::atlas::{AtlasUrl, CountryId, Explore, PlaceId, ProductId, SitePage, Viz, by_id, settled};
use crate::value::{Classification, ContextPart, Flow, Period};

use crate::response::{Exchanges, Root};

/// The requested view. Parts that the address leaves open come from the page's queries, if they
/// agree.
#[derive(Debug, Clone)]
pub struct RequestedView<'a> {
    /// The address of an Explore page.
    explore: Option<&'a Explore>,
    /// The subject of the trade.
    pub subject: Option<PlaceId>,
    /// The partner; none for the whole world.
    pub partner: Option<PlaceId>,
    /// The flow: exports or imports.
    pub flow: Flow,
    /// The year; the last one of a drawing over time.
    pub year: Option<i16>,
    /// The first year of a drawing over time.
    pub first: Option<i16>,
    /// The classification of the products.
    pub class: Option<Classification>,
    /// The root fields that may hold the drawing's rows, likeliest first.
    pub fields: &'static [&'static str],
}

/// Queries whose rows are trade or indices by year.
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

impl<'a> RequestedView<'a> {
    /// The view requested by an address, completed from the settled address and the responses.
    pub fn new(url: &'a AtlasUrl, settled_url: Option<&str>, exchanges: &Exchanges<'_>) -> Self {
        let explore = match &url.page {
            SitePage::Explore(explore) => explore,
            SitePage::Country { country, .. } => {
                return Self {
                    explore: None,
                    subject: Some(PlaceId::Country(*country)),
                    partner: None,
                    flow: Flow::Export,
                    year: None,
                    first: None,
                    class: None,
                    fields: &[],
                };
            }
        };
        let (subject, partner) = explore.sides();
        let fields = fields(explore, subject, partner);
        let settled = settled_url.and_then(|url| AtlasUrl::parse_settled(url).ok());
        let settled = settled.as_ref().and_then(|parsed| match &parsed.url.page {
            SitePage::Explore(got) => Some(got),
            SitePage::Country { .. } => None,
        });
        let roots = || exchanges.iter().filter(|root| fields.contains(&root.field.as_str()));
        let one_year = |root: &Root<'_>| years(root).filter(|(first, last)| first == last);
        let is_over_time = over_time(explore.viz);
        let (first, year) = if is_over_time {
            let asked = || agreed(roots().filter_map(years));
            let first = explore
                .start_year
                .or_else(|| settled?.start_year)
                .or_else(|| asked().map(|(first, _)| first));
            let last =
                explore.end_year.or_else(|| settled?.end_year).or_else(|| asked().map(|(_, last)| last));
            (first, last)
        } else {
            let year = explore.year.or_else(|| settled?.year);
            (None, year.or_else(|| agreed(roots().filter_map(one_year).map(|(year, _)| year))))
        };
        let class = explore
            .product_class
            .or(explore.product.map(|product| product.classification))
            .or_else(|| settled?.product_class)
            .or_else(|| agreed(roots().filter_map(class_of)));
        let flow = explore.flow.unwrap_or(Flow::Export);
        Self { explore: Some(explore), subject, partner, flow, year, first, class, fields }
    }

    /// Whether title and total state exports or imports.
    pub(crate) fn shows_flow(&self) -> bool {
        let viz = self.explore.map(|explore| explore.viz);
        matches!(viz, Some(Viz::Treemap | Viz::Geomap | Viz::Overtime))
    }

    /// Whether it covers goods only, because services are not in the product space.
    pub(crate) fn is_of_goods(&self) -> bool {
        self.explore.is_some_and(|explore| explore.viz == Viz::Productspace)
    }

    /// Whether it draws growth opportunities.
    pub(crate) fn is_of_opportunities(&self) -> bool {
        self.explore.is_some_and(|explore| explore.viz == Viz::Feasibility)
    }

    /// Whether it is a country's trade with itself, which does not exist.
    pub(crate) fn is_with_itself(&self) -> bool {
        self.subject.is_some() && self.subject == self.partner
    }

    /// Whether it is a treemap.
    pub fn is_treemap(&self) -> bool {
        self.explore.is_some_and(|explore| explore.viz == Viz::Treemap)
    }

    /// Whether its cells are places rather than products.
    pub fn markets(&self) -> bool {
        self.explore.is_some_and(divided_by_place)
    }

    /// Whether products with this many digits may be behind the drawing. A drawing over time shows
    /// sectors, summed from any level.
    fn may_be_of_level(&self, level: &str) -> bool {
        let sectors =
            self.explore.is_some_and(|explore| over_time(explore.viz) && explore.product_level.is_none());
        sectors || self.markets() || level == self.level().to_string()
    }

    /// The only product of the view.
    pub fn product(&self) -> Option<ProductId> {
        self.explore?.product.filter(|_| self.markets())
    }

    /// A number that is fixed for a page and differs between pages.
    pub fn seed(&self) -> u32 {
        let text = self.explore.map(|explore| format!("{explore:?}")).unwrap_or_default();
        text.bytes().fold(2_166_136_261, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
    }

    /// The number of digits of its product codes.
    pub fn level(&self) -> u8 {
        self.explore.and_then(|explore| explore.product_level).unwrap_or(4)
    }

    /// Whether the page requests data beside its rows: a country's totals, or world figures of
    /// products.
    pub(crate) fn may_ask(&self, field: &str) -> bool {
        let of_country = matches!(self.subject, Some(PlaceId::Country(_)) | None);
        !self.markets() && (field != "countryYear" || of_country)
    }

    /// Whether such data is displayed. A country's totals cover all its partners.
    pub(crate) fn may_show(&self, field: &str) -> bool {
        field != "countryYear" || (self.may_ask(field) && self.partner.is_none())
    }

    /// The catalogue of its products.
    pub(crate) fn product_catalogue(&self) -> &'static str {
        match self.class.unwrap_or(Classification::Hs92) {
            Classification::Hs92 => "productHs92",
            Classification::Hs12 => "productHs12",
            Classification::Hs22 => "productHs22",
            Classification::Sitc => "productSitc",
        }
    }

    /// The catalogues for its rows.
    pub fn catalogues(&self) -> Vec<&'static str> {
        let products = self.product_catalogue();
        let by_product = !self.markets() || self.product().is_some();
        let places = self.markets().then_some("locationCountry");
        places.into_iter().chain(by_product.then_some(products)).collect()
    }

    /// The country of the trade; none for a group.
    pub fn country(&self) -> Option<CountryId> {
        self.subject.and_then(PlaceId::country)
    }

    /// The country group of the trade, in context notation.
    pub fn group(&self) -> Option<String> {
        let is_group = |place: &PlaceId| place.country().is_none() && *place != PlaceId::WORLD;
        self.subject.filter(is_group).map(|place| plain(&place))
    }

    /// The partner, in context notation.
    pub(crate) fn partner_text(&self) -> String {
        self.partner.map_or_else(|| PlaceId::WORLD.to_string(), |place| plain(&place))
    }

    /// How the settled address differs, and what the site chose by default.
    pub fn address(&self, settled_url: &str) -> Vec<(Option<ContextPart>, String)> {
        let Some(settled) = AtlasUrl::parse_settled(settled_url).ok().map(|parsed| parsed.url) else {
            return vec![(None, format!("the page settled at {settled_url}"))];
        };
        let (SitePage::Explore(got), Some(explore)) = (&settled.page, self.explore) else {
            return vec![(None, format!("the page settled at {settled_url}"))];
        };
        let mut found = settled::explore(explore, got);
        let sellers_of_one = self.product().is_some();
        if self.subject.is_none() && !sellers_of_one {
            let chosen = got.sides().0.map_or_else(|| "nothing".to_owned(), |place| name(&place));
            let what = format!("the address names no exporter, and the site chose {chosen}");
            found.push((Some(ContextPart::Country), what));
        }
        if explore.product.is_none() && got.product.is_some() {
            found.push((
                Some(ContextPart::Product),
                format!("the page settled on one product: {settled_url}"),
            ));
        }
        if let Some(other) = got.sides().1.filter(|_| self.partner.is_none()) {
            found.push((
                Some(ContextPart::Partner),
                format!("the page settled on trade with {}", name(&other)),
            ));
        }
        if got.markets && !explore.markets {
            found
                .push((Some(ContextPart::Partner), "the page settled on locations, not products".to_owned()));
        }
        if got.flow.unwrap_or(Flow::Export) != self.flow && explore.flow.is_none() {
            found.push((Some(ContextPart::Flow), "the page settled on imports".to_owned()));
        }
        found
    }

    /// Removes the queries about other subjects: pages prefetch and compare, so these neither
    /// confirm nor refute what is displayed. If no other query can be behind the drawing, reports
    /// the difference.
    pub fn set_aside(&self, exchanges: &mut Exchanges<'_>) -> Vec<(ContextPart, String)> {
        let mut behind = Vec::new();
        let drawn = || exchanges.iter().filter(|root| self.holds_rows(root));
        if self.year.is_none()
            && agreed(drawn().filter_map(years)).is_none()
            && drawn().any(|root| years(root).is_some())
        {
            return vec![(
                ContextPart::Period,
                "the page queried several years, but its address names none".to_owned(),
            )];
        }
        if self.class.is_none() && drawn().any(|root| class_of(root).is_some()) {
            return vec![(
                ContextPart::Classification,
                "the page queried several classifications, but its address names none".to_owned(),
            )];
        }
        exchanges.retain(|root| {
            let mut found = Vec::new();
            if TRADE.contains(&root.field.as_str()) {
                self.query(root, &mut found);
            }
            let keep = found.is_empty();
            if self.holds_rows(root) {
                behind.extend(found);
            }
            keep
        });
        if exchanges.iter().any(|root| self.holds_rows(root)) { Vec::new() } else { behind }
    }

    /// Whether a field may hold the drawing's rows.
    fn holds_rows(&self, root: &Root<'_>) -> bool {
        self.fields.contains(&root.field.as_str())
    }

    fn query(&self, root: &Root<'_>, found: &mut Vec<(ContextPart, String)>) {
        let field = root.field.as_str();
        let holds_the_rows = self.holds_rows(root);
        let mut say = |part, what: String| found.push((part, format!("the page queried {field} {what}")));
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
            && !((first..=last).contains(&year) && self.first.is_none_or(|from| first <= from))
        {
            say(ContextPart::Period, format!("for {}", Period { start: first, end: last }));
        }
        if let (Some(class), Some(asked)) = (self.class, class_of(root))
            && class != asked
            // a country's totals are the same in every classification
            && field != "countryYear"
        {
            say(ContextPart::Classification, format!("in {}", asked.name()));
        }
        if let Some(product) = self.product().filter(|_| holds_the_rows) {
            let asked = root.args.get("productId").and_then(|id| id.parse::<u32>().ok());
            if asked != Some(product.number) {
                let what =
                    asked.map_or_else(|| "for all products".to_owned(), |id| format!("for product {id}"));
                say(ContextPart::Product, what);
            }
        }
        let level = root.args.get("productLevel").filter(|_| holds_the_rows);
        if let Some(level) = level.filter(|level| !self.may_be_of_level(level)) {
            say(ContextPart::Product, format!("by {level} digits, not {}", self.level()));
        }
    }
}

/// The common value, if all are equal.
fn agreed<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|one| one == first).then_some(first)
}

/// The first and last year of a query.
pub fn years(root: &Root<'_>) -> Option<(i16, i16)> {
    let year = |name: &str| root.args.get(name).and_then(|year| year.parse::<i16>().ok());
    match (year("yearMin"), year("yearMax")) {
        (Some(first), Some(last)) => Some((first, last)),
        _ => None,
    }
}

fn class_of(root: &Root<'_>) -> Option<Classification> {
    root.args.get("productClass")?.parse().ok()
}

/// Whether a view shows a series of years.
const fn over_time(viz: Viz) -> bool {
    matches!(viz, Viz::Overtime | Viz::Marketshare)
}

/// Whether a view is divided by place, like a map.
fn divided_by_place(explore: &Explore) -> bool {
    explore.markets || explore.viz == Viz::Geomap
}

/// The queries that feed a view.
fn fields(explore: &Explore, subject: Option<PlaceId>, partner: Option<PlaceId>) -> &'static [&'static str] {
    if matches!(explore.viz, Viz::FeasibilityTable | Viz::Feasibility | Viz::Productspace | Viz::Marketshare)
    {
        return &["countryProductYear"];
    }
    match (divided_by_place(explore), subject, partner, explore.product) {
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

/// The name of a place, for messages.
pub fn name(place: &PlaceId) -> String {
    match *place {
        PlaceId::Country(id) => {
            by_id(id).map_or_else(|| id.to_string(), |entity| entity.short_name.to_owned())
        }
        PlaceId::WORLD => "the world".to_owned(),
        PlaceId::Group(_) => place.to_string(),
    }
}

/// A place in context notation: a country by its plain code.
pub fn plain(place: &PlaceId) -> String {
    place.country().map_or_else(|| place.to_string(), |id| id.to_string())
}
