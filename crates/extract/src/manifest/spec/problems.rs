//! Finds invalid references in a spec: to its own sections, interactions and tables, and to response fields in the
//! schema of its pages' API.

use super::{Interaction, OtherTotal, Point, Response, Spec};
use crate::atlas::Api;
use crate::manifest::Diagnostic;

impl Spec {
    /// Its references that have no target.
    pub(crate) fn invalid_references(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (index, renamed) in self.renamed.iter().enumerate() {
            let key = |key: &str| format!("renamed[{index}].{key}");
            if let Some(field) = at(&key("field"), Api::of(self.page).query(&renamed.field), &mut found) {
                at(&key("path"), field.value(&renamed.path), &mut found);
            }
        }
        for (index, point) in self.points.iter().enumerate() {
            let of_point = in_point(self, index, point);
            found.extend(of_point.into_iter().map(|one| self.of_point(index, Box::new(one))));
        }
        found
    }
}

/// A conflict between two specs. A visit that several specs read may have only one control per name.
pub(super) fn between(before: &Spec, spec: &Spec) -> Option<Box<Diagnostic>> {
    let file = before.file.0.display();
    if before.name == spec.name {
        let what = format!("an extractor is also called `{}` in {file}", spec.name);
        return Some(Diagnostic::of("name", what));
    }
    if before.page != spec.page {
        return None;
    }
    let other = |one: &Interaction| before.interactions.iter().any(|it| it.name == one.name && it != one);
    let index = spec.interactions.iter().position(other)?;
    let what = format!("another control has this name in {file}, which also reads {} pages", spec.page);
    Some(Diagnostic::of(format!("interactions[{index}].name"), what))
}

/// The invalid references of a point.
fn in_point(spec: &Spec, index: usize, point: &Point) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut fail = |key: &str, what: String| found.push(*Diagnostic::of(key, what));
    if spec.points[..index].iter().any(|other| other.id == point.id) {
        fail("id", "defined twice".into());
    }
    if !spec.sections.iter().any(|section| section.slug == point.section) {
        fail("section", format!("no section `{}` in this spec", point.section));
    }
    if let Some(state) = &point.state
        && !spec.interactions.iter().any(|interaction| interaction.name == *state)
    {
        fail("state", format!("no interaction `{state}` in this spec"));
    }
    if let Some(response) = &point.response {
        let of_response = in_response(Api::of(spec.page), response);
        found.extend(of_response.into_iter().map(|one| *Box::new(one).below("response")));
    }
    found
}

/// What is found. Otherwise adds the problem with its key.
fn at<T>(key: &str, result: Result<T, String>, found: &mut Vec<Diagnostic>) -> Option<T> {
    result.map_err(|what| found.push(*Diagnostic::of(key, what))).ok()
}

/// The invalid parts of a response. A field without its query, and a window without its argument, are not checked.
fn in_response(api: Api, response: &Response) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(scale) = &response.scale
        && scale.parse::<rust_decimal::Decimal>().is_err()
    {
        at::<()>("scale", Err(format!("scale `{scale}` is not a number")), &mut found);
    }
    let root = at("field", api.query(&response.field), &mut found);
    let other = response.or_field.as_deref().and_then(|field| at("or_field", api.query(field), &mut found));
    let rows = response.rows.as_ref();
    let paths = [
        ("path", response.path.as_ref()),
        ("year", response.year.as_ref()),
        ("over", response.over.as_ref()),
        ("minus", response.minus.as_ref()),
        ("rows.name", rows.map(|rows| &rows.name)),
        ("rows.alias", rows.and_then(|rows| rows.alias.as_ref())),
        ("rows.key", rows.map(|rows| &rows.key)),
        ("rows.value", rows.map(|rows| &rows.value)),
        ("rows.group", rows.and_then(|rows| rows.group.as_ref())),
    ];
    for (key, path) in paths {
        let Some(path) = path else { continue };
        let mut roots = root.iter().chain(&other);
        at(key, roots.try_for_each(|root| root.value(path).map(drop)), &mut found);
    }
    if let Some(root) = &root {
        for (name, word) in &response.args {
            at("args", root.takes(name, Some(word.trim_end_matches('?'))), &mut found);
        }
        if let Some(name) = &response.year_arg {
            at("year_arg", root.takes(name, None), &mut found);
        }
        let window_arg = response.window_arg.as_deref();
        let is_known =
            window_arg.is_none_or(|name| at("window_arg", root.takes(name, None), &mut found).is_some());
        if let Some(window) = response.window.as_ref().filter(|_| is_known) {
            at("window", root.takes(window_arg.unwrap_or("yearRange"), Some(window)), &mut found);
        }
    }
    let mut total = |key: &str, total: &OtherTotal| {
        if let Some(field) = at(&format!("{key}.field"), api.query(&total.field), &mut found) {
            at(&format!("{key}.path"), field.value(&total.path), &mut found);
        }
    };
    if let Some(one) = &response.total {
        total("total", one);
    }
    for (index, one) in rows.into_iter().flat_map(|rows| &rows.or_totals).enumerate() {
        total(&format!("rows.or_totals[{index}]"), one);
    }
    found
}
