//! Checks where an answer is read: the page, the extractor and the data points of a question or an input.

use super::method::{Method, PointCatalog};
use crate::atlas::{AtlasUrl, PageKind};
use atlas_gt_core::diagnostic::{At, Diagnostics};
use atlas_gt_core::document::Located;

pub(super) fn url(
    Located { at, value }: &Located<String>,
    planned: &mut Option<String>,
    report: &mut Diagnostics,
) -> Option<AtlasUrl> {
    match AtlasUrl::parse(value.as_ref()?) {
        Ok(parsed) => {
            if parsed.elided {
                report
                    .warning(at, "the query is truncated with `...`, so the page cannot be visited")
                    .suggest("write the full query; until then the question counts as planned");
                planned.get_or_insert_with(|| "its URL is truncated".to_owned());
            }
            Some(parsed.url)
        }
        Err(error) => {
            report.error(at, error.to_string());
            None
        }
    }
}

/// The extractor, which must exist and read pages of this kind, unless it is planned.
pub(super) fn extractor(
    Located { at, value }: &Located<String>,
    page: Option<PageKind>,
    planned: bool,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<String> {
    let name = value.as_ref()?;
    let known = catalog.extractors();
    if planned {
        return Some(name.clone());
    }
    if !known.contains(&name.as_str()) {
        report.error(at, format!("unknown extractor `{name}`")).did_you_mean(name, &known);
        return None;
    }
    if let Some(page) = page {
        fits_page(at, name, page, catalog, report);
    }
    Some(name.clone())
}

/// Checks that the entry's page has the kind that its extractor reads.
fn fits_page(at: &At, extractor: &str, page: PageKind, catalog: &dyn PointCatalog, report: &mut Diagnostics) {
    let Some(reads) = catalog.page(extractor).filter(|reads| *reads != page) else {
        return;
    };
    let mut fitting = catalog.extractors();
    fitting.retain(|name| catalog.page(name) == Some(page));
    let message = format!("`{extractor}` reads pages of kind `{reads}`, but `atlas_url` is of kind `{page}`");
    let found = report.error(at, message);
    match fitting.as_slice() {
        [] => found.suggest("no extractor reads such a page; until one does, say why in `planned`"),
        names => found.suggest(format!("`{}` reads it", names.join("` or `"))),
    }
}

/// The data points of a question, at least one.
pub(super) fn listed(
    Located { at, value }: &Located<Vec<Located<String>>>,
    catalog: (Option<&str>, &dyn PointCatalog),
    method: Option<Method>,
    report: &mut Diagnostics,
) -> Option<Vec<String>> {
    let named = value.as_ref()?;
    if named.is_empty() {
        report.error(at, "no data point is named");
    }
    Some(data_points(named, catalog, method, report))
}

/// Data points that an extractor reads, without duplicates.
pub(super) fn data_points(
    named: &[Located<String>],
    (extractor, catalog): (Option<&str>, &dyn PointCatalog),
    method: Option<Method>,
    report: &mut Diagnostics,
) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    for Located { at, value } in named {
        let Some(point) = value else { continue };
        if points.contains(point) {
            report.warning(at, format!("`{point}` is listed twice"));
            continue;
        }
        points.push(point.clone());
        let Some(extractor) = extractor else { continue };
        match (catalog.method(extractor, point), method) {
            (None, _) => report
                .error(at, format!("extractor `{extractor}` has no data point `{point}`"))
                .did_you_mean(point, &catalog.points(extractor)),
            (Some(read_by), Some(method)) if !method.admits(read_by) => report
                .error(at, format!("`{point}` is read by `{read_by}`, which `{method}` does not allow"))
                .suggest(format!("set `extraction_method` to `{read_by}`, or remove the data point")),
            _ => {}
        }
    }
    points
}
