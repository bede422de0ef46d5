//! The grammar of the site's page URLs. Parses full URLs and bare paths, explains errors, and prints one normal form.

use std::fmt;

use strum::VariantArray;

use super::ids::{CountryId, IdError, PlaceId, ProductId};
use super::sections::Section;
use super::suggest::did_you_mean;
use crate::value::{Classification, Flow};

/// The host of the site.
pub(crate) const HOST: &str = "atlas.hks.harvard.edu";

/// A page of the site.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AtlasUrl {
    /// The page, with everything its URL states.
    pub page: SitePage,
}

/// A kind of page with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SitePage {
    /// `/countries/{id}/{slug}`.
    Country {
        /// The country.
        country: CountryId,
        /// The section its slug points to.
        section: Section,
    },
    /// `/explore/{viz}?…`.
    Explore(Explore),
}

/// A visualisation of the Explore pages.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, strum::IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Viz {
    /// Trade composition.
    #[default]
    Treemap,
    /// Trade map.
    Geomap,
    /// Trade over time.
    Overtime,
    /// Global share.
    Marketshare,
    /// Product space.
    Productspace,
    /// Growth opportunity, graph view.
    Feasibility,
    /// Growth opportunity, table view.
    #[strum(serialize = "feasibility/table")]
    FeasibilityTable,
}

/// A kind of page. Each extractor is written for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(try_from = "String")]
pub enum PageKind {
    /// A country page with all its sections.
    Country,
    /// A visualisation of the Explore pages.
    Explore(Viz),
}

impl PageKind {
    /// All kinds of page.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Country).chain(Viz::ALL.iter().copied().map(Self::Explore))
    }
}

/// Prints the path of its pages: `country`, `explore/treemap`.
impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Country => f.write_str("country"),
            Self::Explore(viz) => write!(f, "explore/{}", viz.path()),
        }
    }
}

impl TryFrom<String> for PageKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::all().find(|kind| kind.to_string() == text).ok_or_else(|| {
            let known: Vec<String> = Self::all().map(|kind| kind.to_string()).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            format!("`{text}` is not a kind of page{}", did_you_mean(&text, &known))
        })
    }
}

/// An Explore page. `None` leaves the choice to the site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Explore {
    /// The visualisation.
    pub viz: Viz,
    /// The year of a one-year view.
    pub year: Option<i16>,
    /// First year of a time series.
    pub start_year: Option<i16>,
    /// Last year of a time series.
    pub end_year: Option<i16>,
    /// The exporting place.
    pub exporter: Option<PlaceId>,
    /// The importing place.
    pub importer: Option<PlaceId>,
    /// The product shown, if only one.
    pub product: Option<ProductId>,
    /// Digits of the product codes: 2, 4 or 6.
    pub product_level: Option<u8>,
    /// The classification.
    pub product_class: Option<Classification>,
    /// Whether it shows locations instead of products (`view=markets`).
    pub markets: bool,
    /// Exports or imports (`tradeDirection`).
    pub flow: Option<Flow>,
    /// Parameters that only change the appearance, sorted by name.
    pub display: Vec<(String, String)>,
}

/// A parsed URL with warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedUrl {
    /// The page.
    pub url: AtlasUrl,
    /// Whether the query was shortened with `...`, as in documents. Such a page cannot be visited.
    pub elided: bool,
    /// Unknown parameters (only from [`AtlasUrl::parse_settled`]).
    pub unknown: Vec<String>,
}

/// Why a URL is invalid, and what would be valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// Not a URL.
    #[error("`{0}` is not a URL (write `https://atlas.hks.harvard.edu/countries/404` or `/countries/404`)")]
    Syntax(String),
    /// A scheme other than http or https.
    #[error("`{0}:` is not a scheme of the site (write `https:`)")]
    Scheme(String),
    /// The host of another site.
    #[error("host `{0}` is not the Atlas (write `{HOST}`, or omit the host)")]
    Host(String),
    /// The site's host before 2024.
    #[error("host `{0}` is the old Atlas, which has other ids: find the page on `{HOST}`")]
    OldHost(String),
    /// An unknown path.
    #[error("no page at `{path}`{hint}")]
    Path {
        /// The given path.
        path: String,
        /// ` (did you mean …?)`, or what would be valid.
        hint: String,
    },
    /// An invalid identifier.
    #[error("{place}: {source}")]
    Id {
        /// Its place in the URL.
        place: String,
        /// Why it is invalid.
        source: IdError,
    },
    /// An unknown parameter.
    #[error("unknown parameter `{name}`{hint}")]
    Parameter {
        /// The parameter's name.
        name: String,
        /// ` (did you mean …?)`, or the known parameters.
        hint: String,
    },
    /// A repeated parameter.
    #[error("parameter `{0}` is given twice")]
    Twice(String),
    /// A value that the parameter does not accept.
    #[error("parameter `{name}` does not take `{value}` (it takes {takes})")]
    Value {
        /// The parameter's name.
        name: String,
        /// The given value.
        value: String,
        /// The values it accepts.
        takes: &'static str,
    },
}

const PARAMETERS: [&str; 10] = [
    "year",
    "startYear",
    "endYear",
    "exporter",
    "importer",
    "product",
    "productLevel",
    "productClass",
    "view",
    "tradeDirection",
];

/// Parameters of public links that only change the appearance.
const DISPLAY_PARAMETERS: [&str; 5] = ["locationLevel", "layout", "ordering", "colorBy", "rcaThreshold"];

impl Viz {
    /// All visualisations, in the order of the site's sidebar.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The path after `/explore/`.
    #[must_use]
    pub fn path(self) -> &'static str {
        self.into()
    }
}

impl Explore {
    /// The classification shown: the one named, else the product's, else the site's default, HS 1992.
    #[must_use]
    pub fn classification(&self) -> Classification {
        let of_product = || self.product.map(|product| product.classification);
        self.product_class.or_else(of_product).unwrap_or(Classification::Hs92)
    }

    /// A visualisation without parameters.
    #[must_use]
    pub fn new(viz: Viz) -> Self {
        Self { viz, ..Self::default() }
    }

    /// The place whose trade is shown, and its partner. `exporter` names the place even for imports; `importer` names
    /// it only if imports alone are requested. The world as partner counts as none.
    #[must_use]
    pub fn sides(&self) -> (Option<PlaceId>, Option<PlaceId>) {
        let partner = |place: Option<PlaceId>| place.filter(|place| *place != PlaceId::WORLD);
        match (self.flow, self.exporter, self.importer) {
            (Some(Flow::Import), None | Some(PlaceId::WORLD), Some(importer)) => (Some(importer), None),
            (_, exporter, importer) => (exporter, partner(importer)),
        }
    }

    /// Sets a parameter; `false` if the name is unknown.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, UrlError> {
        let wrong = |takes| UrlError::Value { name: name.to_owned(), value: value.to_owned(), takes };
        let id = |source| UrlError::Id { place: format!("parameter `{name}`"), source };
        let year = || {
            let year = value.parse().ok().filter(|year| (1962..=2100).contains(year) && value.len() == 4);
            year.ok_or_else(|| wrong("a year from 1962 on, `2024`")).map(Some)
        };
        match name {
            "year" => self.year = year()?,
            "startYear" => self.start_year = year()?,
            "endYear" => self.end_year = year()?,
            "exporter" => self.exporter = Some(value.parse().map_err(id)?),
            "importer" => self.importer = Some(value.parse().map_err(id)?),
            "product" => self.product = Some(value.parse().map_err(id)?),
            "productLevel" => {
                let level = match value {
                    "2" => 2,
                    "4" => 4,
                    "6" => 6,
                    _ => return Err(wrong("2, 4 or 6")),
                };
                self.product_level = Some(level);
            }
            "productClass" => {
                self.product_class = Some(value.parse().map_err(|_| wrong("HS92, HS12, HS22 or SITC"))?);
            }
            "view" if value == "markets" => self.markets = true,
            "view" => return Err(wrong("`markets`, or is left out for products")),
            "tradeDirection" => {
                self.flow = Some(match value {
                    "exports" => Flow::Export,
                    "imports" => Flow::Import,
                    _ => return Err(wrong("`exports` or `imports`")),
                });
            }
            _ if DISPLAY_PARAMETERS.contains(&name) => {
                self.display.push((name.to_owned(), value.to_owned()));
                self.display.sort();
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The parameters in the order of the normal form.
    pub(super) fn parameters(&self) -> Vec<(&str, String)> {
        let mut list = Vec::new();
        let mut put = |name, value: Option<String>| list.extend(value.map(|value| (name, value)));
        put("year", self.year.map(|year| year.to_string()));
        put("startYear", self.start_year.map(|year| year.to_string()));
        put("endYear", self.end_year.map(|year| year.to_string()));
        put("exporter", self.exporter.map(|place| place.to_string()));
        put("importer", self.importer.map(|place| place.to_string()));
        put("product", self.product.map(|product| product.to_string()));
        put("productLevel", self.product_level.map(|level| level.to_string()));
        put("productClass", self.product_class.map(|class| class.name().to_owned()));
        put("view", self.markets.then(|| "markets".to_owned()));
        let direction = |flow| if flow == Flow::Import { "imports" } else { "exports" };
        put("tradeDirection", self.flow.map(|flow| direction(flow).to_owned()));
        list.extend(self.display.iter().map(|(name, value)| (name.as_str(), value.clone())));
        list
    }
}

impl AtlasUrl {
    /// A section of a country page.
    #[must_use]
    pub const fn of_country(country: CountryId, section: Section) -> Self {
        Self { page: SitePage::Country { country, section } }
    }

    /// Parses a full URL of the site or a bare path.
    ///
    /// # Errors
    /// The host, page, slug, parameter or parameter value is not one of the site's.
    pub fn parse(text: &str) -> Result<ParsedUrl, UrlError> {
        let url = absolute(text)?;
        match url.host_str().unwrap_or_default() {
            host if host.eq_ignore_ascii_case(HOST) => {}
            host @ "atlas.cid.harvard.edu" => return Err(UrlError::OldHost(host.to_owned())),
            host => return Err(UrlError::Host(host.to_owned())),
        }
        let parsed = read(&url)?;
        match parsed.unknown.first() {
            Some(name) => Err(unknown_parameter(&parsed.url.page, name)),
            None => Ok(parsed),
        }
    }

    /// Parses the URL a page settled on, wherever the site is served from. Unknown parameters are listed, not rejected.
    ///
    /// # Errors
    /// See [`AtlasUrl::parse`], except for host and parameter names.
    pub fn parse_settled(text: &str) -> Result<ParsedUrl, UrlError> {
        read(&absolute(text)?)
    }

    /// The kind of page.
    #[must_use]
    pub const fn kind(&self) -> PageKind {
        match &self.page {
            SitePage::Country { .. } => PageKind::Country,
            SitePage::Explore(explore) => PageKind::Explore(explore.viz),
        }
    }

    /// The countries in the address.
    #[must_use]
    pub fn countries(&self) -> Vec<CountryId> {
        match &self.page {
            SitePage::Country { country, .. } => vec![*country],
            SitePage::Explore(explore) => [explore.exporter, explore.importer]
                .into_iter()
                .flatten()
                .filter_map(PlaceId::country)
                .collect(),
        }
    }

    /// The page's country, or the one whose trade is shown.
    #[must_use]
    pub fn country(&self) -> Option<CountryId> {
        match &self.page {
            SitePage::Country { country, .. } => Some(*country),
            SitePage::Explore(explore) => {
                let (subject, partner) = explore.sides();
                subject.and_then(PlaceId::country).or_else(|| match subject {
                    Some(PlaceId::WORLD) | None => partner.and_then(PlaceId::country),
                    Some(_) => None,
                })
            }
        }
    }

    /// Path and query in the normal form: `/countries/404/export-basket`.
    #[must_use]
    pub fn path(&self) -> String {
        match &self.page {
            SitePage::Country { country, section: Section::Introduction } => format!("/countries/{country}"),
            SitePage::Country { country, section } => format!("/countries/{country}/{}", section.slug()),
            SitePage::Explore(explore) => {
                let mut query = url::form_urlencoded::Serializer::new(String::new());
                query.extend_pairs(explore.parameters());
                let query = query.finish();
                let mark = if query.is_empty() { "" } else { "?" };
                format!("/explore/{}{mark}{query}", explore.viz.path())
            }
        }
    }

    /// The document to load. All twelve sections of a country share one.
    #[must_use]
    pub fn document(&self) -> Self {
        match self.page {
            SitePage::Country { country, .. } => Self::of_country(country, Section::Introduction),
            SitePage::Explore(_) => self.clone(),
        }
    }
}

/// Prints the full URL on the site, in the normal form.
impl fmt::Display for AtlasUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "https://{HOST}{}", self.path())
    }
}

fn absolute(text: &str) -> Result<url::Url, UrlError> {
    let syntax = || UrlError::Syntax(text.to_owned());
    let url = if text.starts_with('/') && !text.starts_with("//") {
        url::Url::parse(&format!("https://{HOST}{text}")).map_err(|_| syntax())?
    } else {
        url::Url::parse(text).map_err(|_| syntax())?
    };
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(UrlError::Scheme(scheme.to_owned())),
    }
}

fn read(url: &url::Url) -> Result<ParsedUrl, UrlError> {
    let path = url.path();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let no_page = |hint: String| UrlError::Path { path: path.to_owned(), hint };
    let mut parsed = match parts.as_slice() {
        ["countries"] => return Err(no_page(" (add a country: `/countries/404`)".to_owned())),
        ["countries", id] => country(id, "")?,
        ["countries", id, slug] => country(id, slug)?,
        ["explore", viz @ ..] if !viz.is_empty() => {
            let wanted = viz.join("/");
            let found = Viz::ALL.iter().copied().find(|viz| viz.path() == wanted);
            let viz = found.ok_or_else(|| {
                no_page(did_you_mean(&wanted, &Viz::ALL.iter().map(|viz| viz.path()).collect::<Vec<_>>()))
            })?;
            ParsedUrl {
                url: AtlasUrl { page: SitePage::Explore(Explore::new(viz)) },
                elided: false,
                unknown: Vec::new(),
            }
        }
        ["explore"] => return Err(no_page(" (add a visualisation: `/explore/treemap?…`)".to_owned())),
        [first, ..] => return Err(no_page(did_you_mean(first, &["countries", "explore"]))),
        [] => return Err(no_page(" (write `/countries/404` or `/explore/treemap?…`)".to_owned())),
    };
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in url.query_pairs() {
        if name == "..." || name == "…" {
            parsed.elided = true;
            continue;
        }
        if seen.contains(&name.to_string()) {
            return Err(UrlError::Twice(name.into_owned()));
        }
        seen.push(name.to_string());
        let taken = match &mut parsed.url.page {
            SitePage::Explore(explore) => explore.set(&name, &value)?,
            SitePage::Country { .. } => false,
        };
        if !taken {
            parsed.unknown.push(name.into_owned());
        }
    }
    Ok(parsed)
}

fn country(id: &str, slug: &str) -> Result<ParsedUrl, UrlError> {
    let place = || "country of the path".to_owned();
    let country = id.parse::<CountryId>().map_err(|source| UrlError::Id { place: place(), source })?;
    let section = Section::from_slug(slug).ok_or_else(|| UrlError::Path {
        path: format!("/countries/{id}/{slug}"),
        hint: did_you_mean(slug, &Section::ALL.iter().map(|section| section.slug()).collect::<Vec<_>>()),
    })?;
    Ok(ParsedUrl { url: AtlasUrl::of_country(country, section), elided: false, unknown: Vec::new() })
}

fn unknown_parameter(page: &SitePage, name: &str) -> UrlError {
    let hint = match page {
        SitePage::Country { .. } => " (country pages take no parameters)".to_owned(),
        SitePage::Explore(_) => {
            let known = PARAMETERS.into_iter().chain(DISPLAY_PARAMETERS);
            did_you_mean(name, &known.collect::<Vec<_>>())
        }
    };
    UrlError::Parameter { name: name.to_owned(), hint }
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
