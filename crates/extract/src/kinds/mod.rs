//! The kinds of data points, one file per kind. A kind declares its needs, and reads its value.
//! [`KINDS`] is the only list of them: a new kind is one file and one line there.

mod cell;
mod drawn;
pub mod kind;
pub mod narrative;
mod opportunities;
mod opportunity;
mod partners;
mod rows;
mod screenshot;
pub mod stat;
mod table;
mod table_cell;

use self::kind::Built;
use crate::atlas::did_you_mean;
use crate::manifest::Diagnostic;
use crate::manifest::spec::{Point, Spec};

/// Builds a kind from a point's parameters. `spec` serves points that refer to others.
type Build = fn(&Point, &Spec) -> Built;

/// All kinds, by their names in specs.
const KINDS: [(&str, Build); 10] = [
    ("stat", stat::build),
    ("narrative", narrative::build),
    ("partners", partners::build),
    ("table", table::build),
    ("cell", cell::build),
    ("rows", rows::build),
    ("drawn", drawn::build),
    ("opportunities", opportunities::build),
    ("opportunity", opportunity::build),
    ("screenshot", screenshot::build),
];

/// Builds the kind of a point.
///
/// # Errors
/// The kind does not exist, its parameters are invalid, or it cannot read the spec's pages.
pub fn build(point: &Point, spec: &Spec) -> Built {
    let name = point.find.kind.as_str();
    let Some((name, build)) = KINDS.into_iter().find(|(known, _)| *known == name) else {
        let known = KINDS.map(|(name, _)| name);
        let what = format!("there is no kind `{name}`{}", did_you_mean(name, &known));
        return Err(Diagnostic::of("find", what));
    };
    let kind = build(point, spec).map_err(|problem| problem.below(&format!("find.{name}")))?;
    if let Some(other) = point.answers.iter().find(|field| !kind.answers().contains(field)) {
        let known: Vec<String> = kind.answers().iter().map(|field| format!("`{field}`")).collect();
        let what = format!("rows of `{name}` do not answer with `{other}`, only with {}", known.join(", "));
        return Err(Diagnostic::of("answers", what));
    }
    let pages = kind.needs().pages;
    if pages.is_empty() || pages.contains(&spec.page) {
        return Ok(kind);
    }
    let pages: Vec<String> = pages.iter().map(|page| format!("`{page}`")).collect();
    let what = format!("`{name}` reads pages of {}, not of `{}`", pages.join(" and "), spec.page);
    Err(Diagnostic::of("find", what))
}
