//! The items of an answer's list: what they name in the record, and names outside it – lines, items and list parts that name
//! something unknown.

use crate::answer::candidate::Place;
use crate::answer::doubt::talk;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::atlas::{self, CountryId};
use crate::language::token::{Kind, Token};
use crate::value::Quantity;

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
                row.or_else(|| (!is_asked_about(asked, *id)).then(|| Which::Other(token.folded.clone())))
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

/// Whether the question is about a country that is not the answer.
fn is_asked_about(asked: &Asked<'_>, id: CountryId) -> bool {
    asked.places.contains(&id)
        || asked.country == Some(id)
            && asked.one.names.iter().all(|name| atlas::lookup(name).map(|one| one.id) != Some(id))
}

/// Whether a line is a fragment: a name, a heading, or a label with its value.
pub(crate) fn is_fragment(line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let words = tokens.iter().filter(|token| !token.is_mark()).count();
    let last = tokens.len().saturating_sub(1);
    let verb = tokens.iter().enumerate().any(|(at, token)| {
        (token.role("be") && token.folded != "s")
            || token.role("lead")
            || token.operator("wrong")
            || token.operator("question")
            || (token.role("verb") && !token.role("noun") && at < last)
    });
    // `This reflects …`
    let speaks = tokens.first().is_some_and(|first| first.role("pronoun") || first.role("deictic"))
        && tokens.get(1).is_some_and(Token::unknown);
    !verb
        && !speaks
        && words <= 14
        && !line.sentence.question
        && !line.passage.text.trim_end().ends_with([':', '!'])
}

/// Whether a list item names something other than the candidates.
pub(crate) fn is_stranger(line: &Line, asked: &Asked<'_>) -> bool {
    let tokens = &line.sentence.tokens;
    let label = tokens.iter().position(|token| token.mark(':')).filter(|at| {
        line.passage.keyed
            || tokens
                .get(..*at)
                .is_some_and(|label| label.iter().all(|token| !token.unknown() && token.kind == Kind::Words))
    });
    let head = tokens.get(label.map_or(0, |at| at + 1)..).unwrap_or_default().iter().take_while(|token| {
        !matches!(token.kind, Kind::Mark(':' | '–' | '—' | ','))
            && token.number().is_none()
            && token.depth == 0
    });
    let words: Vec<&Token> = head.filter(|token| !token.is_mark()).collect();
    let group = |token: &Token| token.tagged("group");
    // `let me know if you need more`
    let is_talk = tokens.iter().any(|token| token.operator("free")) || talk::is_talk(asked, line);
    !is_talk
        && words.iter().any(|token| {
            let is_named = group(token) || token.is_name();
            (is_named
                || token.unknown()
                    && token.folded.contains(|c: char| !c.is_ascii_digit())
                    && !asked.of_another_row(&token.folded))
                && !asked.knows(&token.folded)
                && !(matches!(token.kind, Kind::Country(_)) && asked.is_named(token))
        })
}

/// Unknown names between the known names of a list.
pub(crate) fn strangers(
    line: &Line,
    clause: usize,
    targets: &[usize],
    asked: &Asked<'_>,
) -> Vec<(usize, Which)> {
    let Some(own) = line.clauses.get(clause) else { return Vec::new() };
    if targets.is_empty() || line.sentence.question {
        return Vec::new();
    }
    let tokens = &line.sentence.tokens;
    let mut segments: Vec<Vec<usize>> = vec![Vec::new()];
    for at in &own.tokens {
        let Some(token) = tokens.get(*at) else { continue };
        if token.mark(',') || token.mark(';') || token.folded == "and" {
            segments.push(Vec::new());
        } else if let Some(last) = segments.last_mut() {
            last.push(*at);
        }
    }
    let has_name = |segment: &Vec<usize>| segment.iter().any(|at| targets.contains(at));
    let mut out = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let beside = at.checked_sub(1).and_then(|at| segments.get(at)).is_some_and(has_name)
            || segments.get(at + 1).is_some_and(has_name);
        let words: Vec<&Token> =
            segment.iter().filter_map(|at| tokens.get(*at)).filter(|token| !token.is_mark()).collect();
        let verb = words.iter().any(|token| {
            token.role("be") || token.role("verb") || token.role("preposition") || token.role("relative")
        });
        let unknown = words.iter().find(|token| {
            token.unknown()
                && !asked.knows(&token.folded)
                && !token.folded.ends_with("ly")
                && !token.folded.ends_with("ing")
        });
        if let (true, false, false, Some(unknown), Some(first)) =
            (beside, has_name(segment), verb, unknown, segment.first())
        {
            out.push((*first, Which::Other(unknown.folded.clone())));
        }
    }
    out
}
