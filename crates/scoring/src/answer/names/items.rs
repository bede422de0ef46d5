//! Reads the named items of an answer's list, known or unknown, in order.

use std::collections::HashSet;

use super::naming::Naming;
use super::strangers::{asserts_stranger, is_fragment, is_stranger};
use crate::answer::line::Line;
use crate::answer::place::asserted::Place;
use crate::answer::question::asked::Asked;
use crate::answer::statement::clause;
use crate::answer::statement::over::is_final;
use crate::answer::statement::said::Said;
use crate::atlas::{self, CountryId};
use crate::language::sentence::{Kind, Token};
use crate::value::{Quantity, Unit};

/// What an item names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    Row(usize),
    /// Something outside the record.
    Other(String),
}

/// An item of a list, in the answer's order.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub which: Which,
    pub line: usize,
    pub place: Place,
    /// Whether it ranks after another item: `followed by`, `ahead of`.
    pub behind: bool,
    /// Its number in an ordered list.
    pub number: Option<u64>,
    /// The share or value after it.
    pub value: Option<Quantity>,
}

impl Item {
    /// Whether it is a row of the record.
    pub(crate) fn is_row(&self) -> bool {
        matches!(self.which, Which::Row(_))
    }
}

/// The names to look for: places or products.
pub(crate) struct Space<'a> {
    pub rows: Vec<&'a Asked<'a>>,
    pub places: Vec<(CountryId, usize)>,
}

impl<'a> Space<'a> {
    pub(crate) fn of(asked: &Asked<'_>, all: &'a [Asked<'a>]) -> Self {
        let rows: Vec<&Asked<'_>> =
            all.iter().filter(|other| other.one.data_point == asked.one.data_point).collect();
        let id = |name: &String| atlas::lookup(name).map(|entity| entity.id);
        let places =
            rows.iter().flat_map(|row| row.one.names.iter().filter_map(id).map(|id| (id, row.row))).collect();
        Self { rows, places }
    }

    /// What a token names among the candidates.
    pub(crate) fn names(&self, token: &Token, asked: &Asked<'_>) -> Option<Which> {
        match &token.kind {
            Kind::Country(id) if !self.places.is_empty() => {
                let row = self.places.iter().find(|(own, _)| own == id).map(|(_, row)| Which::Row(*row));
                let subject = asked.places.contains(id)
                    || asked.country == Some(*id)
                        && asked
                            .one
                            .names
                            .iter()
                            .all(|name| atlas::lookup(name).map(|one| one.id) != Some(*id));
                row.or_else(|| (!subject).then(|| Which::Other(token.folded.clone())))
            }
            _ if !self.places.is_empty() => None,
            Kind::Row(rows) => rows
                .iter()
                .find(|row| self.rows.iter().any(|own| own.row == **row))
                .map(|row| Which::Row(*row)),
            Kind::Product(code) => {
                let row = self.rows.iter().find(|row| {
                    row.one.code.as_deref() == Some(code) || row.context.product.as_deref() == Some(code)
                });
                match row {
                    Some(row) => Some(Which::Row(row.row)),
                    None if asked
                        .question
                        .as_ref()
                        .is_some_and(|question| question.tokens.iter().any(|own| own.kind == token.kind)) =>
                    {
                        None
                    }
                    None => Some(Which::Other(token.folded.clone())),
                }
            }
            Kind::Words => {
                let named = token.terms.iter().any(|(kind, _)| matches!(*kind, "sector" | "service"));
                let scope = token.tagged("scope");
                (named && !scope && !asked.knows(&token.folded)).then(|| Which::Other(token.folded.clone()))
            }
            _ => None,
        }
    }
}

pub(crate) fn rank(which: &Which, space: &Space<'_>) -> Option<u64> {
    match which {
        Which::Row(row) => space.rows.iter().find(|own| own.row == *row).and_then(|own| own.one.rank),
        Which::Other(_) => None,
    }
}

pub(crate) fn name(which: &Which, space: &Space<'_>) -> String {
    match which {
        Which::Row(row) => space
            .rows
            .iter()
            .find(|own| own.row == *row)
            .and_then(|own| own.one.names.first().cloned())
            .unwrap_or_default(),
        Which::Other(name) => name.clone(),
    }
}

/// The table columns that contain names of candidates.
pub(crate) fn columns(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> HashSet<(usize, usize)> {
    let holds = |line: &&Line| {
        let mut tokens = line.sentence.tokens.iter().enumerate();
        tokens.any(|(at, token)| space.names(token, asked).is_some() && !is_subject(line, at, asked))
    };
    lines.iter().filter(holds).filter_map(|line| line.passage.column).collect()
}

/// All items of the answer, in order.
pub(crate) fn items(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> Vec<Item> {
    let columns = columns(asked, space, lines);
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let tokens = line.sentence.tokens.iter().enumerate();
        let named: Vec<(usize, Which)> =
            tokens.filter_map(|(at, token)| Some((at, space.names(token, asked)?))).collect();
        let number = line.passage.place.filter(|_| line.passage.item);
        let stranger = |name: String| Item {
            which: Which::Other(name),
            line: at,
            place: Place::Asked,
            behind: false,
            number,
            value: None,
        };
        let start = || line.passage.text.chars().take(40).collect();
        if named.is_empty() && !space.places.is_empty() {
            out.extend(only_country(line).map(stranger));
        }
        if named.is_empty() && !line.passage.cell && asserts_stranger(line, asked) {
            out.push(stranger(start()));
            continue;
        }
        let named: Vec<(usize, Which)> =
            named.into_iter().filter(|(at, _)| !is_subject(line, *at, asked)).collect();
        let lists = || is_listed(line, &columns) || !line.passage.keyed && is_fragment(line);
        if named.is_empty() && lists() && is_stranger(line, asked) {
            out.push(stranger(start()));
            continue;
        }
        out.extend(Naming::of(asked, space, line, at, &named).items());
    }
    out
}

/// The only country of a plain statement, even if the question names it too: `The value is Italy.`
fn only_country(line: &Line) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let is_plain = |token: &Token| {
        matches!(token.kind, Kind::Mark(_) | Kind::Country(_)) || !token.means() && token.tagged("role")
    };
    let mut countries = tokens.iter().filter(|token| matches!(token.kind, Kind::Country(_)));
    let country = countries.next().filter(|_| countries.next().is_none())?;
    let asserts = !line.passage.cell
        && !line.sentence.question
        && tokens.iter().any(|token| token.role("be"))
        && tokens.iter().all(is_plain);
    asserts.then(|| country.folded.clone())
}

/// Whether a line is a list item: by its marker, in a column of names, or under `Answer`.
fn is_listed(line: &Line, columns: &HashSet<(usize, usize)>) -> bool {
    let in_column = |(table, column)| {
        columns.contains(&(table, column)) || !columns.iter().any(|(other, _)| *other == table)
    };
    line.passage.item
        || line.passage.column.is_some_and(in_column)
        || line.passage.cell && line.heads.iter().any(is_final)
}

/// Whether the question asks for the first of a ranking.
pub(crate) fn own_place(asked: &Asked<'_>) -> bool {
    asked.one.rank == Some(1) || asked.ends.0 || asked.ends.1
}

/// Whether a token states a later rank than the first.
pub(crate) fn later(token: &Token) -> bool {
    // `on a second look` is not a rank.
    !token.operator("correction") && token.holds("later_place")
        || token
            .number()
            .is_some_and(|number| number.unit == Unit::Rank && number.number > rust_decimal::Decimal::ONE)
}

/// The context of a name: its clause without the other names.
pub(crate) fn whole(line: &Line, clause: usize, target: usize, targets: &[usize]) -> Said {
    let mut said = clause::own(line, clause, target, targets);
    // The words before the first and after the last name of a list apply to all of them.
    if targets.len() > 1 {
        for other in [targets.first(), targets.last()].into_iter().flatten().filter(|other| **other != target)
        {
            let shared = clause::own(line, clause, *other, targets);
            for tag in shared.tags {
                if !said.tags.contains(&tag) {
                    said.tags.push(tag);
                }
            }
            said.operators.extend(shared.operators);
            said.periods.extend(shared.periods);
            said.unknown.extend(shared.unknown);
        }
    }
    said
}

/// Whether a name is the question's subject instead of an answer: `Turkiye's top destinations`.
pub(crate) fn is_subject(line: &Line, at: usize, asked: &Asked<'_>) -> bool {
    let Some(token) = line.token(at) else { return false };
    let Kind::Country(id) = token.kind else { return false };
    let named = asked.places.contains(&id)
        || asked.country == Some(id)
            && asked.one.names.iter().all(|name| atlas::lookup(name).map(|one| one.id) != Some(id));
    let after = line.sentence.text.get(token.range.end..).unwrap_or_default();
    named && (after.starts_with("'s") || after.starts_with("’s") || asked.country == Some(id))
}
