//! Rules on addresses: whether it is a page, whether it can show what is asked for, and whether
//! question and record agree.

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::LintSubject;
use crate::atlas::{AtlasUrl, Explore, SitePage, UrlError, Viz, by_id};
use crate::truth::Strength;
use crate::value::Flow;
use atlas_gt_core::diagnostic::Severity;

/// The key of the record's address.
pub(super) const KEY: &str = "atlas_url";

pub(super) static NO_PAGE: LintRule = LintRule {
    code: "GT001",
    title: "the address is not a page of the Atlas",
    severity: Severity::Error,
    requirement: requirement::PAGE,
    help: "name the page that shows the value (`https://atlas.hks.harvard.edu/countries/404`); an API shows nothing to a person",
    check: Check::Record(no_page),
    passing: r#"[{"record": {"atlas_url": "https://atlas.hks.harvard.edu/countries/404", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "https://atlas.hks.harvard.edu/api/graphql", "results": {"data": [{"metric": "GDP per capita", "value": "$2,274"}]}}}]"#,
};

fn no_page(subject: &LintSubject<'_>) -> Option<Found> {
    if subject.has_behavior() {
        return None;
    }
    let message = match &subject.page {
        None if subject.rows.figures.is_empty() || subject.proposed().is_some() => return None,
        None => "neither the record nor the question names a page".to_owned(),
        Some(Ok(parsed)) if parsed.elided => {
            format!("{} is truncated and cannot be visited", subject.address().unwrap_or_default())
        }
        Some(Err(
            error @ (UrlError::Syntax(_)
            | UrlError::Scheme(_)
            | UrlError::Host(_)
            | UrlError::OldHost(_)
            | UrlError::Path { .. }),
        )) => error.to_string(),
        Some(_) => return None,
    };
    Some(Found::new(KEY, message))
}

pub(super) static PROPOSED: LintRule = LintRule {
    code: "GT036",
    title: "neither the record nor the question names a page, and one is only proposed",
    severity: Severity::Warning,
    requirement: requirement::PAGE,
    help: "open the page; if it shows the value, write it into the record or the question as `atlas_url`",
    check: Check::Record(only_proposed),
    passing: r#"[{"question": {"text": "How many people live in Peru?", "atlas_url": "/countries/604"}, "record": {"results": {"data": [{"metric": "Population", "value": "34.2 million"}]}}}]"#,
    failing: r#"[{"question": {"text": "How many people live in Peru?", "proposed": "/countries/604"}, "record": {"results": {"data": [{"metric": "Population", "value": "34.2 million"}]}}}]"#,
};

fn only_proposed(subject: &LintSubject<'_>) -> Option<Found> {
    if subject.has_behavior() || subject.rows.figures.is_empty() {
        return None;
    }
    let page = subject.proposed()?;
    Some(Found::new(KEY, format!("no page is stated; the question's words propose {page}")))
}

pub(super) static REFUSED: LintRule = LintRule {
    code: "GT024",
    title: "`manifest check` rejects the address",
    severity: Severity::Error,
    requirement: requirement::PAGE,
    help: "correct the parameter; the site ignores unknown parameters and shows something else",
    check: Check::Record(refused),
    passing: r#"[{"record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404&productClass=HS12", "results": {"data": [{"value": "$1.2B"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404&productClassification=HS12", "results": {"data": [{"value": "$1.2B"}]}}}]"#,
};

fn refused(subject: &LintSubject<'_>) -> Option<Found> {
    let message = match &subject.page {
        Some(Err(
            error @ (UrlError::Id { .. }
            | UrlError::Parameter { .. }
            | UrlError::Twice(_)
            | UrlError::Value { .. }),
        )) => error.to_string(),
        Some(Ok(_)) => {
            let unknown = subject.countries_of_page().into_iter().find(|id| by_id(*id).is_none());
            format!("no country has the M49 code {}", unknown?)
        }
        _ => return None,
    };
    Some(Found::new(KEY, message))
}

pub(super) static GENERIC: LintRule = LintRule {
    code: "GT002",
    title: "the address names no country, group or product, so the site shows a default one",
    severity: Severity::Error,
    requirement: requirement::PAGE,
    help: "name it in the address: `exporter=country-404`, `exporter=group-1` for the world, `product=product-HS92-726&view=markets`",
    check: Check::Record(generic),
    passing: r#"[{"question": {"text": "How large were the exports of the European Union in 2024?"}, "record": {"atlas_url": "/explore/treemap?year=2024&exporter=group-3", "results": {"data": [{"group": "European Union", "value": "$6.08 trillion", "year": "2024"}]}}}]"#,
    failing: r#"[{"question": {"text": "How large were the exports of the European Union in 2024?"}, "record": {"atlas_url": "/explore/treemap?year=2024", "results": {"data": [{"group": "European Union", "value": "$6.08 trillion", "year": "2024"}]}}}]"#,
};

fn generic(subject: &LintSubject<'_>) -> Option<Found> {
    let explore = subject.explore()?;
    // the opportunity table shows the same world trade in a product for every country
    let is_same_for_all = explore.viz == Viz::FeasibilityTable;
    let names_nothing = explore.exporter.is_none() && explore.importer.is_none() && explore.product.is_none();
    // the provenance of our own query states its subject
    let is_own_query = subject.is_own()
        && subject.record.source_method().is_some_and(|method| method.strength() < Strength::PageResponse);
    let is_elided = matches!(&subject.page, Some(Ok(parsed)) if parsed.elided);
    if !names_nothing
        || is_own_query
        || is_same_for_all
        || is_elided
        || subject.rows.figures.is_empty() && !subject.years_alone()
    {
        return None;
    }
    let about = subject.rows.figures.first().map(|figure| &figure.about);
    let of = about.and_then(|about| {
        [&about.group, &about.product, &about.country, &about.sector].into_iter().flatten().next()
    });
    let of = of.map_or_else(String::new, |of| format!(", not {of}"));
    let address = subject.address().unwrap_or_default();
    Some(Found::new(KEY, format!("{address} shows the site's default country{of}")))
}

pub(super) static OTHER_PAGE: LintRule = LintRule {
    code: "GT003c",
    title: "the record's address and the question's show different things",
    severity: Severity::Error,
    requirement: requirement::PAGE,
    help: "find out which of the two shows the value, and use that address in both",
    check: Check::Record(other_page),
    passing: r#"[{"question": {"text": "What does Kenya export?", "atlas_url": "/countries/404/export-basket"}, "record": {"atlas_url": "/countries/404", "results": {"data": [{"value": "$16.2B"}]}}}]"#,
    failing: r#"[{"question": {"text": "What does Kenya export?", "atlas_url": "/countries/404/export-basket"}, "record": {"atlas_url": "/countries/800/export-basket", "results": {"data": [{"value": "$16.2B"}]}}}]"#,
};

fn other_page(subject: &LintSubject<'_>) -> Option<Found> {
    let asked = subject.asked.and_then(|asked| asked.address.as_deref());
    let own = AtlasUrl::parse(subject.record.address.as_deref()?).ok()?;
    let asked = AtlasUrl::parse(asked?).ok()?;
    let apart = match (&own.url.page, &asked.url.page) {
        _ if own.elided || asked.elided => None,
        (SitePage::Country { country: a, .. }, SitePage::Country { country: b, .. }) => {
            differ("country", Some(a), Some(b))
        }
        (SitePage::Explore(a), SitePage::Explore(b)) => of_explore(a, b),
        _ => Some(format!("the kind of page ({} and {})", own.url.kind(), asked.url.kind())),
    };
    apart.map(|apart| Found::new(KEY, format!("record and question differ in {apart}")))
}

/// The first part in which two Explore pages differ, among the parts that both state.
fn of_explore(a: &Explore, b: &Explore) -> Option<String> {
    let flow = |page: &Explore| page.flow.unwrap_or(Flow::Export);
    differ("exporter", a.exporter.as_ref(), b.exporter.as_ref())
        .or_else(|| differ("importer", a.importer.as_ref(), b.importer.as_ref()))
        .or_else(|| differ("classification", Some(&a.classification()), Some(&b.classification())))
        .or_else(|| differ("product", a.product.as_ref(), b.product.as_ref()))
        .or_else(|| differ("year", a.year.as_ref(), b.year.as_ref()))
        .or_else(|| differ("first year", a.start_year.as_ref(), b.start_year.as_ref()))
        .or_else(|| differ("last year", a.end_year.as_ref(), b.end_year.as_ref()))
        .or_else(|| {
            let word = |flow| if flow == Flow::Import { "imports" } else { "exports" }.to_owned();
            differ("flow", Some(&word(flow(a))), Some(&word(flow(b))))
        })
}

fn differ<T: PartialEq + std::fmt::Display>(
    part: &str,
    own: Option<&T>,
    asked: Option<&T>,
) -> Option<String> {
    let (own, asked) = (own?, asked?);
    (own != asked).then(|| format!("{part} ({own} and {asked})"))
}
