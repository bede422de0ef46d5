//! Where an answer is read: the page, the extractor, the data points and the context of a question or of one input of it.

use super::check_context;
use super::fields::{Fields, text};
use super::method::{Method, PointCatalog};
use super::tree::{Kind, Node};
use crate::atlas::{AtlasUrl, PageKind};
use crate::value::Context;
use atlas_gt_core::diagnostic::Diagnostics;

pub(super) fn context_of(fields: &Fields<'_>, report: &mut Diagnostics) -> Option<Context> {
    match fields.get("context") {
        Some((_, node)) => check_context::context(node, report),
        None => Some(Context::default()),
    }
}

pub(super) fn url(
    fields: &Fields<'_>,
    planned: &mut Option<String>,
    report: &mut Diagnostics,
) -> Option<AtlasUrl> {
    let node = fields.required("atlas_url", report)?;
    let text = text(node, "atlas_url", report)?;
    match AtlasUrl::parse(text) {
        Ok(parsed) => {
            if parsed.elided {
                report
                    .warning(
                        node.place,
                        "atlas_url",
                        "the query is cut short with `...`, so the page cannot be visited",
                    )
                    .suggest("write the query out; until then the question counts as planned");
                planned.get_or_insert_with(|| "its URL is cut short".to_owned());
            }
            Some(parsed.url)
        }
        Err(error) => {
            report.error(node.place, "atlas_url", error.to_string());
            None
        }
    }
}

pub(super) fn extractor(
    fields: &Fields<'_>,
    planned: bool,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<String> {
    let node = fields.required("extractor", report)?;
    let name = text(node, "extractor", report)?;
    let known = catalog.extractors();
    if !known.contains(&name) && !planned {
        report
            .error(node.place, "extractor", format!("unknown extractor `{name}`"))
            .did_you_mean(name, &known);
        return None;
    }
    Some(name.to_owned())
}

/// An extractor reads pages of one kind; the entry's page must be of it.
pub(super) fn fits_page(
    fields: &Fields<'_>,
    extractor: &str,
    page: PageKind,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) {
    let Some(reads) = catalog.page(extractor).filter(|reads| *reads != page) else {
        return;
    };
    let place = fields.get("extractor").map_or(fields.place, |(_, node)| node.place);
    let mut fitting = catalog.extractors();
    fitting.retain(|name| catalog.page(name) == Some(page));
    let message = format!("`{extractor}` reads pages of kind `{reads}`, and `atlas_url` is of kind `{page}`");
    let found = report.error(place, "extractor", message);
    match fitting.as_slice() {
        [] => found.suggest("no extractor reads such a page; until one does, say why in `planned`"),
        names => found.suggest(format!("`{}` reads it", names.join("` or `"))),
    }
}

/// The nodes of a list, each with its field.
pub(super) fn listed<'a>(node: &'a Node, report: &mut Diagnostics) -> Option<Vec<(String, &'a Node)>> {
    let Kind::List(list) = &node.kind else {
        report.error(node.place, "data_points", format!("expected a list, found {}", node.noun()));
        return None;
    };
    if list.is_empty() {
        report.error(node.place, "data_points", "no data point is named");
    }
    Some(list.iter().enumerate().map(|(at, node)| (format!("data_points[{at}]"), node)).collect())
}

/// Data points that an extractor reads, each once.
pub(super) fn data_points(
    named: &[(String, &Node)],
    (extractor, catalog): (Option<&str>, &dyn PointCatalog),
    method: Option<Method>,
    report: &mut Diagnostics,
) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    for (field, node) in named {
        let Some(point) = text(node, field, report) else { continue };
        if points.iter().any(|before| before == point) {
            report.warning(node.place, field, format!("`{point}` is named twice"));
            continue;
        }
        points.push(point.to_owned());
        let Some(extractor) = extractor else { continue };
        match (catalog.method(extractor, point), method) {
            (None, _) => report
                .error(node.place, field, format!("extractor `{extractor}` has no data point `{point}`"))
                .did_you_mean(point, &catalog.points(extractor)),
            (Some(read_by), Some(method)) if !method.admits(read_by) => report
                .error(
                    node.place,
                    field,
                    format!("`{point}` is read by `{read_by}`, which method `{method}` does not admit"),
                )
                .suggest(format!("set `extraction_method` to `{read_by}`, or leave the point out")),
            _ => {}
        }
    }
    points
}
