//! The kinds of data points, one file a kind. A kind says how it reads, what it needs of a visit, and reads. [`KINDS`] is the
//! only place that knows them all: a new kind is its file and one line there.

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
use crate::manifest::spec::{PathStep, Point, Problem, Spec};

/// Makes a kind of a point's parameters. The spec is there for points that refer to others.
type Build = fn(&Point, &Spec) -> Built;

/// All kinds, by the name that specs use.
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

/// Makes the kind of a point.
///
/// # Errors
/// There is no such kind, its parameters are wrong, or it cannot read the pages of this spec.
pub fn build(point: &Point, spec: &Spec) -> Built {
    let name = point.find.kind.as_str();
    let Some((name, build)) = KINDS.into_iter().find(|(known, _)| *known == name) else {
        let known = KINDS.map(|(name, _)| name);
        let what = format!("there is no kind `{name}`{}", did_you_mean(name, &known));
        return Err(Problem::at(&[PathStep::Key("find")], what));
    };
    let kind =
        build(point, spec).map_err(|problem| problem.below(&[PathStep::Key("find"), PathStep::Key(name)]))?;
    if let Some(other) = point.answers.iter().find(|field| !kind.answers().contains(field)) {
        let known: Vec<String> = kind.answers().iter().map(|field| format!("`{field}`")).collect();
        let what = format!("rows of `{name}` do not answer with `{other}`, only with {}", known.join(", "));
        return Err(Problem::at(&[PathStep::Key("answers")], what));
    }
    let pages = kind.needs().pages;
    if pages.is_empty() || pages.contains(&spec.page) {
        return Ok(kind);
    }
    let pages: Vec<String> = pages.iter().map(|page| format!("`{page}`")).collect();
    let what = format!("`{name}` reads pages of {}, not of `{}`", pages.join(" and "), spec.page);
    Err(Problem::at(&[PathStep::Key("find")], what))
}
