//! Finds invalid references in a spec: to its own sections, interactions and tables, and to response fields in the
//! schema of its pages' API.

use super::{Interaction, Point, Response, Spec};
use crate::atlas::Api;

/// A problem in a spec, with its path of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path of keys.
    pub at: Vec<PathStep>,
    /// The problem.
    pub message: String,
}

impl Problem {
    /// A problem at a path of keys.
    #[must_use]
    pub fn at(at: &[PathStep], message: String) -> Self {
        Self { at: at.to_vec(), message }
    }

    /// The same as a problem of a point of the spec.
    #[must_use]
    pub fn of_point(self, index: usize, point: &Point) -> Self {
        let Self { at, message } = self.below(&[PathStep::Key("points"), PathStep::Index(index)]);
        Self { at, message: format!("point `{}`: {message}", point.id) }
    }

    /// The same problem, with outer keys prepended.
    #[must_use]
    pub fn below(self, at: &[PathStep]) -> Self {
        Self { at: [at, &self.at].concat(), ..self }
    }
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self { at: Vec::new(), message }
    }
}

/// One step into a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep {
    /// A key of a table.
    Key(&'static str),
    /// An item of a list.
    Index(usize),
}

/// The first problem of a spec.
pub(super) fn first(spec: &Spec) -> Option<Problem> {
    let renamed = spec.renamed.iter().enumerate().find_map(|(index, renamed)| {
        let below = |key| vec![PathStep::Key("renamed"), PathStep::Index(index), PathStep::Key(key)];
        let field = match Api::of(spec.page).query(&renamed.field) {
            Ok(field) => field,
            Err(message) => return Some(Problem { at: below("field"), message }),
        };
        field.value(&renamed.path).err().map(|message| Problem { at: below("path"), message })
    });
    if renamed.is_some() {
        return renamed;
    }
    spec.points.iter().enumerate().find_map(|(index, point)| {
        of_point(spec, index, point).err().map(|problem| problem.of_point(index, point))
    })
}

/// A conflict between two specs. A visit that several specs read may have only one control per name.
pub(super) fn between(before: &Spec, spec: &Spec) -> Option<Problem> {
    let file = before.file.0.display();
    if before.name == spec.name {
        let what = format!("an extractor is also called `{}` in {file}", spec.name);
        return Some(Problem::at(&[PathStep::Key("name")], what));
    }
    if before.page != spec.page {
        return None;
    }
    let other = |one: &Interaction| before.interactions.iter().any(|it| it.name == one.name && it != one);
    let index = spec.interactions.iter().position(other)?;
    let what = format!("another control has this name in {file}, which also reads {} pages", spec.page);
    let at = [PathStep::Key("interactions"), PathStep::Index(index), PathStep::Key("name")];
    Some(Problem::at(&at, what))
}

fn of_point(spec: &Spec, index: usize, point: &Point) -> Result<(), Problem> {
    let fail = |key: &'static str, what: String| Err(Problem::at(&[PathStep::Key(key)], what));
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
    point.response.as_ref().map_or(Ok(()), |response| {
        in_response(api, response).map_err(|problem| problem.below(&[PathStep::Key("response")]))
    })
}

/// Adds the key to a problem.
fn at<T>(keys: &[&'static str], found: Result<T, String>) -> Result<T, Problem> {
    found.map_err(|message| Problem { at: keys.iter().copied().map(PathStep::Key).collect(), message })
}

fn in_response(api: Api, response: &Response) -> Result<(), Problem> {
    if let Some(scale) = &response.scale
        && scale.parse::<rust_decimal::Decimal>().is_err()
    {
        return at(&["scale"], Err(format!("scale `{scale}` is not a number")));
    }
    let root = at(&["field"], api.query(&response.field))?;
    let other = response.or_field.as_deref().map(|field| at(&["or_field"], api.query(field))).transpose()?;
    let value = |keys: &[&'static str], path: Option<&String>| {
        let Some(path) = path else { return Ok(()) };
        std::iter::once(&root).chain(&other).try_for_each(|root| at(keys, root.value(path).map(drop)))
    };
    value(&["path"], response.path.as_ref())?;
    value(&["year"], response.year.as_ref())?;
    value(&["over"], response.over.as_ref())?;
    value(&["minus"], response.minus.as_ref())?;
    for (name, word) in &response.args {
        at(&["args"], root.takes(name, Some(word.trim_end_matches('?'))))?;
    }
    if let Some(name) = &response.year_arg {
        at(&["year_arg"], root.takes(name, None))?;
    }
    if let Some(name) = &response.window_arg {
        at(&["window_arg"], root.takes(name, None))?;
    }
    if let Some(window) = &response.window {
        let name = response.window_arg.as_deref().unwrap_or("yearRange");
        at(&["window"], root.takes(name, Some(window)))?;
    }
    if let Some(total) = &response.total {
        let field = at(&["total", "field"], api.query(&total.field))?;
        at(&["total", "path"], field.value(&total.path))?;
    }
    let Some(rows) = &response.rows else { return Ok(()) };
    value(&["rows", "name"], Some(&rows.name))?;
    value(&["rows", "alias"], rows.alias.as_ref())?;
    value(&["rows", "key"], Some(&rows.key))?;
    value(&["rows", "value"], Some(&rows.value))?;
    value(&["rows", "group"], rows.group.as_ref())?;
    for (index, total) in rows.or_totals.iter().enumerate() {
        let below = |problem: Problem| {
            problem.below(&[PathStep::Key("rows"), PathStep::Key("or_totals"), PathStep::Index(index)])
        };
        let field = at(&["field"], api.query(&total.field)).map_err(below)?;
        at(&["path"], field.value(&total.path)).map_err(below)?;
    }
    Ok(())
}
