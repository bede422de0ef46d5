//! Compares country, partner and product of an imported value with a data point, by ids and codes.

use super::target::{Of, Target};
use super::words::words;
use crate::atlas::{
    AtlasUrl, CountryId, Explore, PlaceId, SitePage, by_id, country_name, find_names, lookup,
};
use crate::external::{About, Figure, ListedQuestion};
use crate::manifest::Entry;
use crate::scoring::language::stated;
use crate::value::{Classification, Context, Flow, vocabulary};

/// Context from a record's question and address, shared by its values.
#[derive(Debug, Clone, Default)]
pub(super) struct Background {
    /// The product classification, for rows that name none.
    pub classification: Option<Classification>,
    /// Whether the question asks for a sector, so that a sector beside a value is an answer itself.
    pub asks_for_sector: bool,
}

impl Background {
    pub fn of(question: Option<&ListedQuestion>, address: Option<&str>, targets: &[Target]) -> Self {
        let of_question = question.and_then(|question| stated(&question.text).classification);
        let of_address = address.and_then(explore).map(|explore| explore.classification());
        let asks_for_sector = targets.iter().any(|target| target.vocabulary.as_deref() == Some("sector"));
        Self { classification: of_question.or(of_address), asks_for_sector }
    }
}

fn explore(address: &str) -> Option<Explore> {
    match AtlasUrl::parse(address).ok()?.url.page {
        SitePage::Explore(explore) => Some(explore),
        SitePage::Country { .. } => None,
    }
}

/// Why a record's question or address differs from the manifest's question with the same id.
pub(super) fn other_question(
    entry: &Entry,
    question: Option<&ListedQuestion>,
    address: Option<&str>,
) -> Option<String> {
    let by_question = question.and_then(|question| asks_otherwise(entry, &question.text));
    by_question.or_else(|| address.and_then(|address| shows_otherwise(entry, address)))
}

/// A country, year or trade direction that the question names and the manifest's question does not.
fn asks_otherwise(entry: &Entry, text: &str) -> Option<String> {
    let own = entry.info.question_text.as_deref()?;
    if words(own) == words(text) {
        return None;
    }
    let names = |other: &str| {
        format!("the question names {other}, but question {} of the manifest does not", entry.question_id)
    };
    let countries = |text: &str| find_names(text).into_iter().map(|(_, id)| id).collect::<Vec<_>>();
    let context = |part: &Option<String>| part.as_deref().and_then(|id| id.parse::<CountryId>().ok());
    let mut known = countries(own);
    known.extend(
        entry
            .readings()
            .iter()
            .flat_map(|one| [&one.context.country, &one.context.partner])
            .filter_map(context),
    );
    known.extend([&entry.context.country, &entry.context.partner].into_iter().filter_map(context));
    if let Some(other) = countries(text).into_iter().find(|id| !known.contains(id)) {
        return Some(names(by_id(other).map_or("another country", |entity| entity.short_name)));
    }
    let mut years = years(own);
    years.extend(entry.context.period.into_iter().flat_map(|period| [period.start, period.end]));
    if let Some(other) = self::years(text).into_iter().find(|year| !years.contains(year)) {
        return Some(names(&other.to_string()));
    }
    let (said, asked) = (stated(text), stated(own));
    let flows = said.flow.zip(asked.flow.or(entry.context.flow));
    flows.filter(|(said, asked)| said != asked).map(|_| {
        format!(
            "the question asks for the opposite direction of trade from question {} of the manifest",
            entry.question_id
        )
    })
}

/// The years in a text, except those of a classification such as `HS 2012`.
fn years(text: &str) -> Vec<i16> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_of_classification =
        |at: usize| at > 0 && words.get(at - 1).is_some_and(|word| word.eq_ignore_ascii_case("hs"));
    let year = |word: &str| word.parse().ok().filter(|year| (1900..=2100).contains(year));
    words
        .iter()
        .enumerate()
        .filter(|(at, _)| !is_of_classification(*at))
        .filter_map(|(_, word)| year(word))
        .collect()
}

/// What the address shows and the manifest's question does not ask for.
fn shows_otherwise(entry: &Entry, address: &str) -> Option<String> {
    let parsed = AtlasUrl::parse(address).ok()?.url;
    let differs = |own: Option<String>, asked: Option<&String>| {
        own.zip(asked.cloned()).filter(|(own, asked)| own != asked)
    };
    let context = &entry.context;
    let country = parsed.country().map(|id| id.to_string());
    if let Some((own, asked)) = differs(country, context.country.as_ref()) {
        return Some(format!("the address shows {}, the question asks for {}", name(&own), name(&asked)));
    }
    let SitePage::Explore(shown) = parsed.page else { return None };
    let partner = shown.importer.and_then(PlaceId::country).map(|id| id.to_string());
    if let Some((own, asked)) = differs(partner, context.partner.as_ref()) {
        return Some(format!(
            "the address shows trade with {}, the question asks for trade with {}",
            name(&own),
            name(&asked)
        ));
    }
    if let (SitePage::Explore(asked), Some(own)) = (&entry.url.page, shown.product)
        && let Some(product) = asked.product.filter(|product| *product != own)
    {
        return Some(format!("the address shows {own}, the question asks for {product}"));
    }
    let years = shown.start_year.zip(shown.end_year);
    if let (Some(asked), Some(year)) = (context.period, shown.year)
        && (year < asked.start || year > asked.end)
        && !years.is_some_and(|(start, end)| start <= asked.start && asked.end <= end)
    {
        return Some(format!("the address shows {year}, the question asks for {asked}"));
    }
    None
}

/// The name of a country code, or the code itself if it is unknown.
fn name(id: &str) -> String {
    country_name(id).unwrap_or(id).to_owned()
}

/// The country and partner of a row. With an exporter and an importer, the country is the one whose
/// trade is meant.
pub(super) fn sides<'a>(about: &'a About, context: &Context) -> (Option<&'a str>, Option<&'a str>) {
    let (seller, buyer) = (about.exporter.as_deref(), about.importer.as_deref());
    let (country, partner) = match (context.flow, seller, buyer) {
        (_, None, None) => (about.country.as_deref(), about.partner.as_deref()),
        (Some(Flow::Import), seller, buyer) => (buyer, seller),
        (_, seller, buyer) => (seller, buyer),
    };
    let other = |own: Option<&'a str>, other: Option<&'a str>| other.filter(|other| Some(*other) != own);
    let beside = about.country.as_deref().filter(|_| seller.is_none());
    (country.or(other(partner, beside)), partner)
}

/// Why a row has another country than the one asked for.
pub(super) fn country(about: &About, target: &Target) -> Option<String> {
    let (own, _) = sides(about, &target.context);
    let of_key = about.of.as_deref().and_then(lookup);
    let known = [target.context.country.as_deref(), target.context.partner.as_deref()];
    if let Some(entity) = of_key
        && target.context.country.is_some()
        && !known.contains(&Some(entity.id.to_string().as_str()))
    {
        return Some(format!("its country is {}", entity.short_name));
    }
    is_other_place(own?, target.context.country.as_deref(), target, "country")
}

/// Why a row has another partner than the one asked for.
pub(super) fn partner(about: &About, target: &Target) -> Option<String> {
    let (_, own) = sides(about, &target.context);
    is_other_place(own?, target.context.partner.as_deref(), target, "partner")
}

fn is_other_place(own: &str, asked: Option<&str>, target: &Target, what: &str) -> Option<String> {
    let Some(entity) = lookup(own) else { return Some(format!("`{own}` is not a country")) };
    let is_labelled = target.label.as_deref().and_then(lookup).is_some_and(|label| label.id == entity.id);
    match asked {
        Some(asked) if entity.id.to_string() == asked => None,
        Some(asked) => Some(format!("it is about {}, the point about {}", entity.short_name, name(asked))),
        None if is_labelled => None,
        None => Some(format!("it is about {}, but the point has no {what}", entity.short_name)),
    }
}

/// The name and code of a product, service or sector in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Product {
    pub name: Option<String>,
    pub code: Option<String>,
}

/// The product named by a row.
///
/// # Errors
/// Its name is an unknown internal id of the site.
pub(super) fn named_product(about: &About) -> Result<Option<Product>, String> {
    let of_key = about.of.as_deref().filter(|of| is_internal(of));
    let name = about.product.as_deref().or(about.sector.as_deref()).or(of_key);
    let known = |name: &str| {
        let kinds = ["service", "product_name"];
        kinds.iter().find_map(|kind| vocabulary::canonical(kind, name)).map(str::to_owned)
    };
    if let Some(id) = name.filter(|name| is_internal(name)) {
        let code = vocabulary::canonical("service", id);
        let code = code.ok_or_else(|| format!("`{id}` is an internal id of the site, not a code or name"))?;
        return Ok(Some(Product { name: Some(code.to_owned()), code: Some(code.to_owned()) }));
    }
    if name.is_none() && about.code.is_none() {
        return Ok(None);
    }
    let code = about.code.clone().or_else(|| name.and_then(known));
    Ok(Some(Product { name: name.map(str::to_owned), code }))
}

fn is_internal(name: &str) -> bool {
    name.starts_with("product-")
}

/// Why a row has another product than the one asked for.
pub(super) fn product(figure: &Figure, target: &Target, background: &Background) -> Option<String> {
    let about = &figure.about;
    let is_answer = target.context.product.is_none()
        && (figure.name == "name" || (background.asks_for_sector && about.product.is_none()));
    let own = match named_product(about) {
        Ok(Some(own)) => own,
        Ok(None) => return None,
        Err(_) if is_answer => return None,
        Err(why) => return Some(why),
    };
    let shown = || own.name.clone().or_else(|| own.code.clone()).unwrap_or_default();
    let Some(asked) = target.context.product.as_deref() else {
        let is_labelled =
            || target.label.as_deref().is_some_and(|label| vocabulary::same_words(label, &shown()).is_some());
        let is_free = is_answer || target.names_its_product || is_labelled();
        return (!is_free).then(|| format!("it is only about `{}`", shown()));
    };
    let is_same = |one: &str| one.eq_ignore_ascii_case(asked) || vocabulary::same_words(one, asked).is_some();
    if let Some(code) = &own.code {
        return (!is_same(code))
            .then(|| format!("it is about `{}` ({code}), the point about `{asked}`", shown()));
    }
    let name = own.name.as_deref().unwrap_or_default();
    let is_asked = words(name).iter().all(|word| target.asked.contains(word));
    (!is_same(name) && !is_asked)
        .then(|| format!("`{name}` cannot be compared with the point's `{asked}`: it has no code"))
}

/// A country or product that the measure's name states and the question does not.
pub(super) fn named_in_metric(metric: &str, target: &Target) -> Option<String> {
    let context = &target.context;
    let of_question: Vec<CountryId> = find_names(&target.question).into_iter().map(|(_, id)| id).collect();
    let is_known = |id: &CountryId| {
        let own = Some(id.to_string());
        of_question.contains(id) || own == context.country || own == context.partner
    };
    let countries = find_names(metric).into_iter().map(|(_, id)| id);
    if let Some(other) = countries.filter(|id| !is_known(id)).find(|_| context.country.is_some()) {
        return Some(format!("its name mentions {}", name(&other.to_string())));
    }
    let asked = context.product.as_deref();
    let is_sector = |asked: &str| vocabulary::canonical("sector", asked).is_some();
    let terms = |text: &str| {
        let found = vocabulary::terms_in(text).into_iter().flatten();
        let is_product = |kind: &str| matches!(kind, "product_name" | "service");
        let counts = |kind: &str| is_product(kind) || (kind == "sector" && asked.is_some_and(is_sector));
        found.filter(|term| counts(term.kind)).map(|term| term.canonical).collect::<Vec<_>>()
    };
    let is_same = |term: &str| asked.is_some_and(|asked| vocabulary::same_words(term, asked).is_some());
    let of_question = terms(&target.question);
    let mut own = terms(metric).into_iter();
    own.find(|term| !of_question.contains(term) && !is_same(term))
        .map(|term| format!("its name mentions `{term}`"))
}

/// A list item in a row: the key of its name, the name, and its code.
pub(super) struct Item {
    pub key: &'static str,
    pub name: String,
    pub code: Option<String>,
}

/// The list item named by a row.
///
/// # Errors
/// Why the item is unknown.
pub(super) fn item(about: &About, of: Of, target: &Target) -> Result<Option<Item>, String> {
    if of == Of::Products {
        let Some(Product { name, code }) = named_product(about)? else { return Ok(None) };
        let name = name.or_else(|| code.clone()).unwrap_or_default();
        return Ok(Some(Item { key: "product", name, code }));
    }
    let (country, partner) = sides(about, &target.context);
    let named = partner.or(country).or(about.group.as_deref());
    let Some(named) = named else { return Ok(None) };
    let entity = lookup(named).ok_or_else(|| format!("`{named}` is not a country"))?;
    let is_own = target.context.country.as_deref() == Some(entity.id.to_string().as_str());
    if is_own && partner.is_none() {
        return Ok(None);
    }
    // in a list of a product's exporters no item is the page's country
    let key = if target.context.country.is_some() && of == Of::Partners { "partner" } else { "name" };
    Ok(Some(Item { key, name: named.to_owned(), code: None }))
}

/// Why the other parts of a list row contradict the question.
pub(super) fn beside_item(
    about: &About,
    of: Of,
    target: &Target,
    background: &Background,
    figure: &Figure,
) -> Option<String> {
    if of == Of::Products {
        return country(about, target).or_else(|| partner(about, target));
    }
    let (country, partner) = sides(about, &target.context);
    let own = country.filter(|_| partner.is_some() && target.context.country.is_some());
    own.and_then(|own| is_other_place(own, target.context.country.as_deref(), target, "country"))
        .or_else(|| product(figure, target, background))
}
