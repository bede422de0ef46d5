//! Compares the context of an entry with its URL and the question's words.

use super::entry::{ContextFile, IdFile, PeriodFile, SpanFile};
use crate::atlas::{self, AtlasUrl, CountryId, PlaceId, SitePage};
use crate::value::{Context, Period};
use atlas_gt_core::diagnostic::{At, Diagnostics};
use atlas_gt_core::document::{Located, OptionalField as _};

/// The readable parts of the context; `None` if it is not an object.
pub(super) fn context(stated: &Option<Located<ContextFile>>, report: &mut Diagnostics) -> Option<Context> {
    let Some(Located { value, .. }) = stated else { return Some(Context::default()) };
    let file = value.as_ref()?;
    Some(Context {
        country: country(&file.country, report).map(|id| id.to_string()),
        partner: partner(&file.partner, report),
        product: file.product.value().cloned(),
        classification: file.classification.value().copied(),
        period: period(&file.period, report),
        flow: file.flow.value().copied(),
        scope: file.scope.value().copied(),
        basis: file.basis.value().copied(),
        statistic: file.statistic.value().copied(),
        ..Context::default()
    })
}

/// Checks that every country in the address exists.
pub(super) fn countries_exist(url: &AtlasUrl, at: &At, report: &mut Diagnostics) {
    for unknown in url.countries().into_iter().filter(|id| atlas::by_id(*id).is_none()) {
        report.error(at, format!("no country has the M49 code {unknown}"));
    }
}

/// If the URL states a country, the context must have the same one. A context without a country gets it from the URL.
pub(super) fn against_url(
    stated: &Option<Located<ContextFile>>,
    url: &AtlasUrl,
    context: &mut Context,
    report: &mut Diagnostics,
) {
    let Some(of_url) = url.country() else { return };
    let of_context = context.country.as_deref().and_then(|text| text.parse::<CountryId>().ok());
    let at = stated.value().and_then(|file| file.country.at());
    match of_context.zip(at) {
        None => context.country = Some(of_url.to_string()),
        Some((id, at)) if id != of_url => {
            let what = format!("{} is not the country of the URL, {}", called(id), called(of_url));
            report.error(at, what).suggest("use the same country in both");
        }
        Some(_) => {}
    }
}

/// A country named in the question should be in its context or URL.
pub(super) fn question_names(
    question: &Option<Located<String>>,
    url: &AtlasUrl,
    context: &Context,
    report: &mut Diagnostics,
) {
    let Some(Located { at, value: Some(text) }) = question else { return };
    let named = atlas::find_names(text);
    let known = [context.country.as_deref(), context.partner.as_deref()];
    let known: Vec<CountryId> = known.into_iter().flatten().filter_map(|text| text.parse().ok()).collect();
    if named.is_empty() || known.is_empty() || named.iter().any(|(_, id)| known.contains(id)) {
        return;
    }
    let names: Vec<String> = named.into_iter().map(|(_, id)| called(id)).collect();
    report
        .warning(at, format!("the question names {}, but its page is {}", names.join(", "), url.path()))
        .suggest("is it the right page?");
}

/// A question for yearly values must state the years. Otherwise a missing year would go unnoticed.
pub(super) fn names_years<'a>(
    period: &At,
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
    for point in yearly {
        let message =
            format!("`{point}` has one value per year, but neither address nor context names the years");
        report
            .warning(period, message)
            .suggest("name them in `context.period`, so that a missing year is noticed");
    }
}

fn called(id: CountryId) -> String {
    match atlas::by_id(id) {
        Some(entity) => format!("{} ({id})", entity.short_name),
        None => id.to_string(),
    }
}

fn country(stated: &Option<Located<IdFile>>, report: &mut Diagnostics) -> Option<CountryId> {
    let Some(Located { at, value: Some(id) }) = stated else { return None };
    let text = id.to_string();
    match text.parse::<CountryId>() {
        Ok(id) if atlas::by_id(id).is_some() => Some(id),
        Ok(id) => {
            report.error(at, format!("no country has the M49 code {id}"));
            None
        }
        Err(error) => {
            let found = report.error(at, error.to_string());
            if let Some(entity) = atlas::lookup(&text) {
                found.suggest(format!("{} is `{}`", entity.short_name, entity.id));
            }
            None
        }
    }
}

/// A country as its plain code, a group as the site writes it.
fn partner(stated: &Option<Located<IdFile>>, report: &mut Diagnostics) -> Option<String> {
    if let Ok(place @ PlaceId::Group(_)) = stated.value()?.to_string().parse() {
        return Some(place.to_string());
    }
    country(stated, report).map(|id| id.to_string())
}

fn period(stated: &Option<Located<PeriodFile>>, report: &mut Diagnostics) -> Option<Period> {
    let Some(Located { at, value: Some(period) }) = stated else { return None };
    let mut year = |at: &At, year: i16| {
        let is_year = (1900..=2100).contains(&year);
        if !is_year {
            report.error(at, format!("expected a year from 1900 to 2100, found {year}"));
        }
        is_year.then_some(year)
    };
    let (start, end) = match period {
        PeriodFile::Year(one) => year(at, *one).map(|year| (year, year))?,
        PeriodFile::Span(SpanFile { start, end }) => {
            let [start, end] = [start, end].map(|one| year(&one.at, one.value?));
            start.zip(end)?
        }
    };
    if start > end {
        report.error(at, format!("the period begins in {start} and ends in {end}"));
        return None;
    }
    Some(Period { start, end })
}
