//! Reads the context of an entry and holds it against the URL and the question's own words.

use std::sync::LazyLock;

use super::entry::{self, ContextFile};
use super::fields::{Fields, text, word};
use super::tree::{Kind, Node};
use crate::atlas::{self, AtlasUrl, CountryId, PlaceId, SitePage};
use crate::value::{Context, Period};
use atlas_gt_core::diagnostic::Diagnostics;

/// Keys of a context.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(entry::keys::<ContextFile>);

/// The context, as far as it could be read; `None` when it is no object.
pub(super) fn context(node: &Node, report: &mut Diagnostics) -> Option<Context> {
    let map = match &node.kind {
        Kind::Map(map) => map,
        Kind::Null => return Some(Context::default()),
        _ => {
            report.error(node.place, "context", format!("expected an object, found {}", node.noun()));
            return None;
        }
    };
    let fields = Fields { map, place: node.place };
    fields.refuse_unknown("context.", KEYS.as_slice(), report);
    let mut context = Context::default();
    for (key, node) in map.iter().filter(|(_, node)| !matches!(node.kind, Kind::Null)) {
        let field = format!("context.{}", key.name);
        match key.name.as_str() {
            "country" => context.country = country(node, &field, report).map(|id| id.to_string()),
            "partner" => context.partner = partner(node, &field, report),
            "product" => context.product = text(node, &field, report).map(str::to_owned),
            "classification" => {
                context.classification = word(node, &field, report);
            }
            "period" => context.period = period(node, &field, report),
            "flow" => context.flow = word(node, &field, report),
            "scope" => context.scope = word(node, &field, report),
            "basis" => context.basis = word(node, &field, report),
            "statistic" => context.statistic = word(node, &field, report),
            _ => {}
        }
    }
    Some(context)
}

/// The context's country must be the URL's where the URL states one; it is taken from there when the
/// context is silent.
pub(super) fn against_url(
    fields: &Fields<'_>,
    url: &AtlasUrl,
    context: &mut Context,
    report: &mut Diagnostics,
) {
    let Some(of_url) = url.country() else { return };
    let stated = context.country.as_deref().and_then(|text| text.parse::<CountryId>().ok());
    match stated {
        None => context.country = Some(of_url.to_string()),
        Some(stated) if stated != of_url => {
            let place = match fields.get("context") {
                Some((_, node)) => match &node.kind {
                    Kind::Map(map) => {
                        Fields { map, place: node.place }.get("country").map_or(node.place, |(_, n)| n.place)
                    }
                    _ => node.place,
                },
                None => fields.place,
            };
            report
                .error(
                    place,
                    "context.country",
                    format!("{} is not the country of the URL, {}", called(stated), called(of_url)),
                )
                .suggest("put the same country in both");
        }
        Some(_) => {}
    }
}

/// A country named in the question should be in its context or URL.
pub(super) fn question_names(
    fields: &Fields<'_>,
    question: &str,
    url: &AtlasUrl,
    context: &Context,
    report: &mut Diagnostics,
) {
    let named = atlas::find_names(question);
    let known = [context.country.as_deref(), context.partner.as_deref()];
    let known: Vec<CountryId> = known.into_iter().flatten().filter_map(|text| text.parse().ok()).collect();
    if named.is_empty() || known.is_empty() || named.iter().any(|(_, id)| known.contains(id)) {
        return;
    }
    let place = fields.get("question_text").map_or(fields.place, |(_, node)| node.place);
    let names: Vec<String> = named.into_iter().map(|(_, id)| called(id)).collect();
    report
        .warning(
            place,
            "question_text",
            format!("the question names {}, its page {}", names.join(", "), url.path()),
        )
        .suggest("is it the right page?");
}

/// A question for a value a year says which years, or whether one is missing is not known.
pub(super) fn names_years<'a>(
    fields: &Fields<'_>,
    url: &AtlasUrl,
    context: &Context,
    yearly: impl Iterator<Item = &'a String>,
    report: &mut Diagnostics,
) {
    let of_url =
        matches!(&url.page, SitePage::Explore(page) if page.start_year.is_some() && page.end_year.is_some());
    if context.period.is_some() || of_url {
        return;
    }
    let place = fields.get("data_points").map_or(fields.place, |(_, node)| node.place);
    for point in yearly {
        let message =
            format!("`{point}` has a value a year, and neither address nor context names the years");
        report
            .warning(place, "context.period", message)
            .suggest("name them in `context.period`: then it is known when one is missing");
    }
}

fn called(id: CountryId) -> String {
    match atlas::by_id(id) {
        Some(entity) => format!("{} ({id})", entity.short_name),
        None => id.to_string(),
    }
}

fn id_text(node: &Node, field: &str, report: &mut Diagnostics) -> Option<String> {
    match &node.kind {
        Kind::Integer(number) => Some(number.to_string()),
        _ => text(node, field, report).map(str::to_owned),
    }
}

fn country(node: &Node, field: &str, report: &mut Diagnostics) -> Option<CountryId> {
    let text = id_text(node, field, report)?;
    let id = text.parse::<CountryId>();
    match id {
        Ok(id) if atlas::by_id(id).is_some() => Some(id),
        Ok(id) => {
            report.error(node.place, field, format!("no country has the M49 code {id}"));
            None
        }
        Err(error) => {
            let found = report.error(node.place, field, error.to_string());
            if let Some(entity) = atlas::lookup(&text) {
                found.suggest(format!("{} is `{}`", entity.short_name, entity.id));
            }
            None
        }
    }
}

/// A country by its plain code, a group as the site writes it.
fn partner(node: &Node, field: &str, report: &mut Diagnostics) -> Option<String> {
    if let Kind::Text(text) = &node.kind
        && let Ok(place @ PlaceId::Group(_)) = text.parse()
    {
        return Some(place.to_string());
    }
    country(node, field, report).map(|id| id.to_string())
}

fn period(node: &Node, field: &str, report: &mut Diagnostics) -> Option<Period> {
    let map = match &node.kind {
        Kind::Integer(_) => return year(node, field, report).map(Period::year),
        Kind::Map(map) => map,
        _ => {
            report
                .error(node.place, field, format!("expected a year, found {}", node.noun()))
                .suggest("write 2024 or {\"start\": 2019, \"end\": 2024}");
            return None;
        }
    };
    let fields = Fields { map, place: node.place };
    fields.refuse_unknown(&format!("{field}."), &["start", "end"], report);
    let start = fields.required("start", report).and_then(|node| year(node, field, report))?;
    let end = fields.required("end", report).and_then(|node| year(node, field, report))?;
    if start > end {
        report.error(node.place, field, format!("the period begins in {start} and ends in {end}"));
        return None;
    }
    Some(Period { start, end })
}

fn year(node: &Node, field: &str, report: &mut Diagnostics) -> Option<i16> {
    let year = match node.kind {
        Kind::Integer(number) => i16::try_from(number).ok().filter(|year| (1900..=2100).contains(year)),
        _ => None,
    };
    if year.is_none() {
        report.error(node.place, field, "expected a year from 1900 to 2100").suggest("write 2024");
    }
    year
}
