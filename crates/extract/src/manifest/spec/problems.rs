//! Finds invalid references in a spec: to its own sections, interactions and tables, and to response fields in the
//! schema of its pages' API.

use super::{Interaction, Point, Response, Spec};
use crate::atlas::Api;
use crate::error::Result;
use crate::manifest::Diagnostic;

/// Checks the references of a spec.
///
/// # Errors
/// A reference has no target.
pub(super) fn check(spec: &Spec) -> Result<()> {
    for (index, renamed) in spec.renamed.iter().enumerate() {
        let wrong =
            |key: &str, what: String| spec.error(&Diagnostic::of(format!("renamed[{index}].{key}"), what));
        let field = Api::of(spec.page).query(&renamed.field).map_err(|what| wrong("field", what))?;
        field.value(&renamed.path).map_err(|what| wrong("path", what))?;
    }
    let of_point = |(index, point)| of_point(spec, index, point).map_err(|what| spec.error_of(index, what));
    spec.points.iter().enumerate().try_for_each(of_point)
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

fn of_point(spec: &Spec, index: usize, point: &Point) -> Result<(), Box<Diagnostic>> {
    let fail = |key: &str, what: String| Err(Diagnostic::of(key, what));
    if spec.points[..index].iter().any(|other| other.id == point.id) {
        return fail("id", "defined twice".into());
    }
    if !spec.sections.iter().any(|section| section.slug == point.section) {
        return fail("section", format!("no section `{}` in this spec", point.section));
    }
    if let Some(state) = &point.state
        && !spec.interactions.iter().any(|interaction| interaction.name == *state)
    {
        return fail("state", format!("no interaction `{state}` in this spec"));
    }
    let api = Api::of(spec.page);
    let response = point.response.as_ref();
    response.map_or(Ok(()), |response| in_response(api, response).map_err(|what| what.below("response")))
}

/// Adds the key to a problem.
fn at<T>(key: &str, found: Result<T, String>) -> Result<T, Box<Diagnostic>> {
    found.map_err(|message| Diagnostic::of(key, message))
}

fn in_response(api: Api, response: &Response) -> Result<(), Box<Diagnostic>> {
    if let Some(scale) = &response.scale
        && scale.parse::<rust_decimal::Decimal>().is_err()
    {
        return at("scale", Err(format!("scale `{scale}` is not a number")));
    }
    let root = at("field", api.query(&response.field))?;
    let other = response.or_field.as_deref().map(|field| at("or_field", api.query(field))).transpose()?;
    let value = |key: &str, path: Option<&String>| {
        let Some(path) = path else { return Ok(()) };
        std::iter::once(&root).chain(&other).try_for_each(|root| at(key, root.value(path).map(drop)))
    };
    value("path", response.path.as_ref())?;
    value("year", response.year.as_ref())?;
    value("over", response.over.as_ref())?;
    value("minus", response.minus.as_ref())?;
    for (name, word) in &response.args {
        at("args", root.takes(name, Some(word.trim_end_matches('?'))))?;
    }
    if let Some(name) = &response.year_arg {
        at("year_arg", root.takes(name, None))?;
    }
    if let Some(name) = &response.window_arg {
        at("window_arg", root.takes(name, None))?;
    }
    if let Some(window) = &response.window {
        let name = response.window_arg.as_deref().unwrap_or("yearRange");
        at("window", root.takes(name, Some(window)))?;
    }
    if let Some(total) = &response.total {
        let field = at("total.field", api.query(&total.field))?;
        at("total.path", field.value(&total.path))?;
    }
    let Some(rows) = &response.rows else { return Ok(()) };
    value("rows.name", Some(&rows.name))?;
    value("rows.alias", rows.alias.as_ref())?;
    value("rows.key", Some(&rows.key))?;
    value("rows.value", Some(&rows.value))?;
    value("rows.group", rows.group.as_ref())?;
    for (index, total) in rows.or_totals.iter().enumerate() {
        let field = at(&format!("rows.or_totals[{index}].field"), api.query(&total.field))?;
        at(&format!("rows.or_totals[{index}].path"), field.value(&total.path))?;
    }
    Ok(())
}
