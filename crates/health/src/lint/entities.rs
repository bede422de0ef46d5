//! Rules on countries, partners and products: ids instead of names, and subjects that the question
//! does not name.

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, country, place, place_of};
use crate::atlas::{CountryId, PlaceId, ProductId, by_id};
use crate::external::Figure;
use crate::manifest::Asked;
use crate::value::vocabulary;
use atlas_gt_core::diagnostic::Severity;

pub(super) static INTERNAL_ID: LintRule = LintRule {
    code: "GT004",
    title: "an internal id or a pseudo-partner is used as a name",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "use the name on the page; omit `Services Partners` from partner lists",
    check: Check::Record(internal_id),
    passing: r#"[{"record": {"results": {"data": [{"rank": 1, "sector": "Mineral fuels", "export_value": "$116.11 billion"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"rank": 1, "sector": "product-HS12-126", "export_value": "$116.11 billion"}]}}}]"#,
};

fn internal_id(subject: &LintSubject<'_>) -> Option<Found> {
    let mut places = subject.leaves().filter_map(|leaf| {
        let id = std::iter::once(leaf.text.as_str())
            .chain(leaf.key.split(['.', '[']))
            .find(|text| is_internal(text))?;
        Some((place(leaf.row, &leaf.key), id))
    });
    let (key, id) = places.next()?;
    let more = match places.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let what = if id.starts_with(char::is_uppercase) { "not a partner" } else { "an internal id" };
    Some(Found::new(key, format!("`{id}` is {what}{more}")))
}

fn is_internal(text: &str) -> bool {
    text.eq_ignore_ascii_case("services partners")
        || text.parse::<ProductId>().is_ok()
        || text.parse::<PlaceId>().is_ok()
        || text.starts_with("location-") && text.parse::<CountryId>().is_ok()
        || text.strip_prefix("product-HS-").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

pub(super) static OTHER_ENTITY: LintRule = LintRule {
    code: "GT009",
    title: "record and question are about different countries or products",
    severity: Severity::Error,
    requirement: requirement::CHECKED,
    help: "check whether the record belongs to another question (shifted ids), or was collected for other subjects",
    check: Check::Record(other_entity),
    passing: r#"[{"question": {"text": "What is the ECI rank of Vietnam among China and Laos?"}, "record": {"atlas_url": "/countries/704", "results": {"data": [{"country": "Vietnam", "eci_rank": 45}, {"country": "China", "eci_rank": 16}, {"country": "Laos", "eci_rank": 99}]}}}]"#,
    failing: r#"[{"question": {"text": "What is the ECI rank of Vietnam among China and Laos?"}, "record": {"atlas_url": "/countries/704", "results": {"data": [{"country": "Vietnam", "eci_rank": 45}, {"country": "Thailand", "eci_rank": 34}, {"country": "Malaysia", "eci_rank": 32}]}}}]"#,
};

fn other_entity(subject: &LintSubject<'_>) -> Option<Found> {
    let asked = subject.asked?;
    country_of_page(subject, asked)
        .or_else(|| countries_of_rows(subject, asked))
        .or_else(|| product_of_rows(subject, asked))
        .or_else(|| group_of_rows(subject, asked))
}

/// The rows name a country group that the question does not, and none that it does.
fn group_of_rows(subject: &LintSubject<'_>, asked: &Asked) -> Option<Found> {
    let known = |text: &str| vocabulary::canonical("group", text);
    let groups = |text: &str| -> Vec<&'static str> {
        let terms = vocabulary::terms_in(text).into_iter().flatten();
        terms
            .filter(|term| term.kind == "group" && term.canonical != "World")
            .map(|term| term.canonical)
            .collect()
    };
    let named = groups(&asked.text);
    if named.is_empty() || asked.asks_who() && named.len() > 1 {
        return None;
    }
    let of_figure = |figure: &Figure| {
        let about = &figure.about;
        let texts =
            [about.group.as_deref(), about.country.as_deref(), about.partner.as_deref(), about.of.as_deref()];
        let mut own: Vec<&'static str> = texts.into_iter().flatten().filter_map(known).collect();
        own.extend(groups(about.metric.as_deref().unwrap_or_default()));
        own
    };
    let held: Vec<(&Figure, &'static str)> = subject
        .rows
        .figures
        .iter()
        .flat_map(|figure| of_figure(figure).into_iter().map(move |group| (figure, group)))
        .collect();
    let (figure, other) = held.first().filter(|_| !held.iter().any(|(_, group)| named.contains(group)))?;
    Some(Found::at(figure, format!("the question is about {}, the row about {other}", named.join(", "))))
}

/// The page is about a country, but the question names others.
fn country_of_page(subject: &LintSubject<'_>, asked: &Asked) -> Option<Found> {
    let page = subject.countries_of_page();
    if page.is_empty() || asked.countries.is_empty() || page.iter().any(|id| asked.countries.contains(id)) {
        return None;
    }
    let message =
        format!("the question is about {}, the page about {}", names(&asked.countries), names(&page));
    Some(Found::new(super::address::KEY, message))
}

/// The rows name a country that the question does not, instead of one that it does.
fn countries_of_rows(subject: &LintSubject<'_>, asked: &Asked) -> Option<Found> {
    let mut named: Vec<(CountryId, String)> = Vec::new();
    for figure in &subject.rows.figures {
        for text in [&figure.about.country, &figure.about.partner].into_iter().flatten() {
            if let Some(id) = country(text).filter(|id| !named.iter().any(|(known, _)| known == id)) {
                named.push((id, place_of(figure)));
            }
        }
    }
    let page = subject.countries_of_page();
    let is_known = |id: &CountryId| asked.countries.contains(id) || page.contains(id);
    let (other, key) = named.iter().find(|(id, _)| !is_known(id))?;
    let is_missing = |id: &&CountryId| !page.contains(id) && !named.iter().any(|(named, _)| named == *id);
    let missing: Vec<CountryId> = asked.countries.iter().filter(is_missing).copied().collect();
    let is_alone = named.len() == 1 && !asked.countries.is_empty() && !asked.asks_who();
    let message = match missing.as_slice() {
        [] if is_alone => {
            format!("the row is about {}, the question about {}", name(*other), names(&asked.countries))
        }
        [] => return None,
        missing => format!("the question names {}, the rows {} instead", names(missing), name(*other)),
    };
    Some(Found::new(key, message))
}

/// The only product in the rows is a known one that the question does not name.
fn product_of_rows(subject: &LintSubject<'_>, asked: &Asked) -> Option<Found> {
    if asked.products.is_empty() || asked.asks_who() || asked.says("asks_first") {
        return None;
    }
    let product = |text: &str| vocabulary::canonical("product_name", text);
    let figure = subject.rows.figures.iter().find(|figure| figure.about.product.is_some())?;
    let is_ranked = subject.rows.figures.iter().any(|figure| figure.about.rank.is_some());
    let name = figure.about.product.as_deref()?;
    let is_asked = product(name).is_none_or(|code| asked.products.contains(&code));
    let message = || format!("the row is about {name}, which the question does not name");
    (!is_asked && !is_ranked).then(|| Found::at(figure, message()))
}

fn name(id: CountryId) -> String {
    by_id(id).map_or_else(|| id.to_string(), |entity| entity.short_name.to_owned())
}

fn names(ids: &[CountryId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| name(*id)).collect();
    names.join(", ")
}
