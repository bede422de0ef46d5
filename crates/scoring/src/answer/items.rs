//! The items of a list of names, known or not, in the order of the answer.

use std::collections::HashSet;

use super::asked::Asked;
use super::clause;
use super::over::is_final;
use super::place::{self, Place};
use super::said::Said;
use super::strangers::{asserts_stranger, is_fragment, is_stranger, stranger_of_its_own, strangers};
use super::text::Line;
use crate::atlas::{self, CountryId};
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};
use crate::value::{Quantity, Scope, Unit};

/// What an item of a list is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Which {
    Row(usize),
    /// Something that is no row of the record.
    Other(String),
}

/// An item of a list, in the answer's order.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub which: Which,
    pub line: usize,
    pub place: Place,
    /// It stands behind another, which it follows: `followed by`, `ahead of`.
    pub behind: bool,
    /// Its number in an ordered list.
    pub number: Option<u64>,
    /// The share or value that stands behind it.
    pub value: Option<Quantity>,
}

/// The names that decide: those of places or those of things.
pub(super) struct Space<'a> {
    pub rows: Vec<&'a Asked<'a>>,
    pub places: Vec<(CountryId, usize)>,
}

impl<'a> Space<'a> {
    pub(super) fn of(asked: &Asked<'_>, all: &'a [Asked<'a>]) -> Self {
        let rows: Vec<&Asked<'_>> =
            all.iter().filter(|other| other.one.data_point == asked.one.data_point).collect();
        let id = |name: &String| atlas::lookup(name).map(|entity| entity.id);
        let places =
            rows.iter().flat_map(|row| row.one.names.iter().filter_map(id).map(|id| (id, row.row))).collect();
        Self { rows, places }
    }

    /// What a token names among the candidates.
    fn names(&self, token: &Token, asked: &Asked<'_>) -> Option<Which> {
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

/// The flow that the word before a list of countries says: `the goods came from Kenya ($5B), Uganda and Sudan`.
fn flow_of_names(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<&'static str> {
    let between = |at: usize, token: &Token| {
        named.iter().any(|(name, _)| *name == at)
            || token.number().is_some()
            || token.role("article")
            || token.role("and")
            || token.mark(',')
    };
    let before = tokens.get(..at)?.iter().enumerate().rev().find(|(at, token)| !between(*at, token))?;
    match before.1.folded.as_str() {
        "from" => Some("import"),
        "to" | "into" => Some("export"),
        _ => None,
    }
}

/// The number that stands behind a name and before the next one.
pub(super) fn behind_name(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<Quantity> {
    let next = named.iter().map(|(at, _)| *at).find(|next| *next > at).unwrap_or(tokens.len());
    tokens.get(at + 1..next)?.iter().find_map(|token| {
        // a code beside a name is no value
        token.number().filter(|number| !matches!(number.unit, Unit::Count | Unit::Index)).cloned()
    })
}

pub(super) fn rank(which: &Which, space: &Space<'_>) -> Option<u64> {
    match which {
        Which::Row(row) => space.rows.iter().find(|own| own.row == *row).and_then(|own| own.one.rank),
        Which::Other(_) => None,
    }
}

pub(super) fn name(which: &Which, space: &Space<'_>) -> String {
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

/// The columns of tables that hold names of candidates.
pub(super) fn columns(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> HashSet<(usize, usize)> {
    let holds = |line: &&Line| {
        let mut tokens = line.sentence.tokens.iter().enumerate();
        tokens.any(|(at, token)| space.names(token, asked).is_some() && !is_subject(line, at, asked))
    };
    lines.iter().filter(holds).filter_map(|line| line.passage.column).collect()
}

/// All items of the answer, in order.
pub(super) fn items(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> Vec<Item> {
    let mut out = Vec::new();
    let columns = columns(asked, space, lines);
    for (at, line) in lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        let number = line.passage.place.filter(|_| line.passage.item);
        let named: Vec<(usize, Which)> = tokens
            .iter()
            .enumerate()
            .filter_map(|(at, token)| Some((at, space.names(token, asked)?)))
            .collect();
        // `The value is Italy.` names it, though the question names it too
        let countries = || tokens.iter().filter(|token| matches!(token.kind, Kind::Country(_)));
        let plain = |token: &Token| {
            matches!(token.kind, Kind::Mark(_) | Kind::Country(_)) || (!token.means() && token.tagged("role"))
        };
        let bare =
            named.is_empty() && !space.places.is_empty() && !line.passage.cell && !line.sentence.question;
        if bare
            && countries().count() == 1
            && tokens.iter().any(|token| token.role("be"))
            && tokens.iter().all(plain)
        {
            let which = Which::Other(countries().map(|token| token.folded.clone()).collect());
            out.push(Item { which, line: at, place: Place::Asked, behind: false, number, value: None });
        }
        if named.is_empty() && !line.passage.cell && asserts_stranger(line, asked) {
            let which = Which::Other(line.passage.text.chars().take(40).collect());
            out.push(Item { which, line: at, place: Place::Asked, behind: false, number, value: None });
            continue;
        }
        let named: Vec<(usize, Which)> =
            named.into_iter().filter(|(at, _)| !is_subject(line, *at, asked)).collect();
        let listed = line.passage.item
            || line.passage.column.is_some_and(|(table, column)| {
                columns.contains(&(table, column)) || !columns.iter().any(|(other, _)| *other == table)
            })
            || line.passage.cell && line.heads.iter().any(is_final);
        if named.is_empty()
            && (listed || !line.passage.keyed && is_fragment(line))
            && is_stranger(line, asked)
        {
            let which = Which::Other(line.passage.text.chars().take(40).collect());
            out.push(Item { which, line: at, place: Place::Asked, behind: false, number, value: None });
            continue;
        }
        // `A, B and C, after diamonds`
        let after_stranger = (0..tokens.len()).any(|at| {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            let object = rest.iter().find(|token| !token.role("article") && !token.role("adjective"));
            tokens.get(at).is_some_and(|token| token.folded == "after")
                && object.is_some_and(|token| match space.names(token, asked) {
                    Some(Which::Other(_)) => true,
                    Some(Which::Row(_)) => false,
                    None => token.unknown() && !token.folded.ends_with("ing"),
                })
        });
        let mut behind = false;
        let mut heads = Said::default();
        line.heads.iter().for_each(|head| heads.take_head(&head.tokens, true));
        line.headings.iter().for_each(|head| heads.take_head(&head.tokens, false));
        for clause in 0..line.clauses.len() {
            let Some(own) = line.clauses.get(clause) else { continue };
            let own_tokens = &own.tokens;
            let targets: Vec<usize> =
                named.iter().map(|(at, _)| *at).filter(|at| own.tokens.contains(at)).collect();
            behind |=
                own.opener.and_then(|at| tokens.get(at)).is_some_and(|token| token.folded == "followed by");
            // `Unspecified services come next`
            let comes_later = own_tokens
                .iter()
                .filter_map(|at| tokens.get(*at))
                .any(|token| later(token) || token.folded.starts_with("follows"));
            // `No country exported more than Brazil`: it is the first
            let none = tokens
                .first()
                .is_some_and(|first| matches!(first.folded.as_str(), "no" | "nobody" | "no one"));
            let end = if asked.ends.1 { "less" } else { "more" };
            let none = none && tokens.iter().any(|token| token.is("comparative", end));
            let mut items: Vec<(usize, Item)> = Vec::new();
            for target in &targets {
                let Some((_, which)) = named.iter().find(|(at, _)| at == target) else { continue };
                if line.sentence.question {
                    continue;
                }
                let mut said = whole(line, clause, *target, &targets);
                // `Business (a service, code "ict")`
                let is_service = matches!(which, Which::Row(row) if space.rows.iter().any(|own| own.row == *row
                    && own.one.code.as_ref().is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_alphabetic()))));
                if is_service && asked.context.scope != Some(Scope::Goods) {
                    said.tags.retain(|tag| *tag != ("scope", "services"));
                }
                if line.passage.item || line.passage.cell || number.is_some() {
                    // what stands before the name makes it another thing; what stands behind it tells of it
                    let head = tokens.get(..*target).unwrap_or_default().iter().rev();
                    let head: Vec<&str> = head
                        .take_while(|token| matches!(token.kind, Kind::Words))
                        .map(|token| token.folded.as_str())
                        .collect();
                    let tail = tokens.get(*target + 1..).unwrap_or_default().iter();
                    let tail = tail.take_while(|token| {
                        matches!(token.kind, Kind::Words)
                            && !token.role("preposition")
                            && !token.role("verb")
                            && !token.role("be")
                    });
                    let tail: Vec<&str> = tail.map(|token| token.folded.as_str()).collect();
                    said.unknown
                        .retain(|word| head.contains(&word.as_str()) || tail.contains(&word.as_str()));
                }
                let than = target
                    .checked_sub(1)
                    .and_then(|at| tokens.get(at))
                    .is_some_and(|token| token.folded == "than");
                if none && than {
                    said.operators.retain(|(kind, _)| !matches!(*kind, "negation" | "comparison"));
                }
                said.operators.extend(heads.operators.iter().cloned());
                said.unknown.extend(heads.unknown.iter().cloned());
                if said.countries.is_empty() && space.places.is_empty() {
                    said.countries.clone_from(&heads.countries);
                }
                let own = said.tags.iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
                said.tags.extend(heads.tags.iter().filter(|tag| !own.contains(&tag.0)).copied());
                said.periods.extend(heads.periods.iter().copied());
                if let Some(flow) = flow_of_names(tokens, *target, &named)
                    && !space.places.is_empty()
                    && !said.tags.iter().any(|(kind, _)| *kind == "flow")
                {
                    said.tags.push(("flow", flow));
                }
                // `Germany bought most`: what a partner imports is what the country exports
                let acts = tokens
                    .get(*target + 1)
                    .and_then(|next| next.tags.iter().find(|(kind, _)| *kind == "flow"));
                if let Some(flow) = acts.filter(|flow| {
                    asked.country.is_some_and(|own| {
                        tokens.get(*target).is_some_and(|token| token.kind != Kind::Country(own))
                    }) && !space.places.is_empty()
                        && !asked.allows(**flow)
                }) {
                    said.tags.retain(|tag| tag != flow);
                }
                said.rows.clear();
                if !space.places.is_empty() {
                    said.countries.retain(|(id, _)| {
                        !space.places.iter().any(|(own, _)| own == id) || asked.country == Some(*id)
                    });
                } else {
                    said.products.clear();
                }
                let compared = tokens
                    .get(..*target)
                    .unwrap_or_default()
                    .iter()
                    .rev()
                    .take_while(|token| !token.is_mark())
                    .any(|token| token.operator("comparison"))
                    && !(none && than);
                let place = match place::place(asked, &said, line) {
                    Place::OtherSlot => Place::Asked,
                    at => at,
                };
                let ordinal = |token: &Token| {
                    ["first", "second", "third", "fourth", "last"].contains(&token.folded.as_str())
                        || token.number().is_some_and(|number| number.unit == Unit::Rank)
                };
                let said_place =
                    place_behind(tokens, *target, &named).or_else(|| place_before(tokens, *target));
                // `Ahead is A, B is second and C third`: each place has its name
                let places = named.iter().filter(|(at, _)| {
                    place_behind(tokens, *at, &named).or_else(|| place_before(tokens, *at)).is_some()
                });
                let all_placed = places.count() == tokens.iter().filter(|token| ordinal(token)).count();
                let place = match place {
                    Place::Asked if from_other_side(asked, tokens, *target) => {
                        Place::Unplaced("trade with it goes the other way".to_owned())
                    }
                    Place::Asked if after_stranger => {
                        Place::Unplaced("it stands after something else".to_owned())
                    }
                    Place::Asked
                        if space.rows.len() > 1
                            && !line.passage.cell
                            && said_place.is_none()
                            && tokens.iter().any(ordinal)
                            && !all_placed =>
                    {
                        Place::Unplaced("places are said in words".to_owned())
                    }
                    // `while Canada came second`
                    Place::Asked
                        if space.rows.len() == 1
                            && own_place(asked)
                            && own_tokens.iter().any(|at| {
                                tokens
                                    .get(*at)
                                    .is_some_and(|token| later(token) && !asked.knows(&token.folded))
                            }) =>
                    {
                        Place::Unplaced("it stands at another place of the ranking".to_owned())
                    }
                    at => at,
                };
                items.push((
                    *target,
                    Item {
                        which: which.clone(),
                        line: at,
                        place,
                        behind: behind || compared || matches!(which, Which::Other(_)) && comes_later,
                        number: number.or(said_place),
                        value: behind_name(tokens, *target, &named),
                    },
                ));
            }
            let beside = strangers(line, clause, &targets, asked);
            let alone = || stranger_of_its_own(line, clause, &named, asked);
            items.extend(beside.into_iter().chain(alone()).map(|(token, which)| {
                (token, Item { which, line: at, place: Place::Asked, behind, number, value: None })
            }));
            items.sort_by_key(|(token, _)| *token);
            out.extend(items.into_iter().map(|(_, item)| item));
        }
    }
    out
}

/// The place that is said right behind a name: `Germany comes first`, `the UK second`.
fn place_behind(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<u64> {
    let next = named.iter().map(|(at, _)| *at).find(|next| *next > at).unwrap_or(tokens.len());
    let mut behind = tokens.get(at + 1..next)?.iter().skip_while(|token| {
        token.depth > tokens.get(at).map_or(0, |name| name.depth)
            || token.role("be")
            || token.role("article")
            || token.role("verb") && !token.role("noun")
    });
    let place = lexicon::position("ordinal", &behind.next()?.folded)?;
    u64::try_from(place + 1).ok()
}

/// The place that is said right before a name: `in third place, refined petroleum`.
fn place_before(tokens: &[Token], at: usize) -> Option<u64> {
    let mut before = tokens.get(..at)?.iter().rev().skip_while(|token| {
        token.mark(',')
            || token.role("article")
            || matches!(token.folded.as_str(), "place" | "position" | "is" | "comes" | "was" | "came")
    });
    let word = before.next()?;
    let rank = word
        .number()
        .filter(|number| number.unit == Unit::Rank)
        .and_then(|number| u64::try_from(number.number).ok());
    let place = lexicon::position("ordinal", &word.folded).and_then(|place| u64::try_from(place + 1).ok());
    let led =
        before.next().is_none_or(|token| token.role("preposition") || token.role("and") || token.is_mark());
    place.or(rank).filter(|_| led)
}

/// Whether a partner is said to stand on the other side of the trade that is asked for: exports that come from it.
fn from_other_side(asked: &Asked<'_>, tokens: &[Token], target: usize) -> bool {
    let other = match (asked.has("flow", "export"), asked.has("flow", "import")) {
        (true, false) => "from",
        (false, true) => "to",
        _ => return false,
    };
    let country = tokens.get(target).is_some_and(|token| matches!(token.kind, Kind::Country(_)));
    country && target.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| token.folded == other)
}

/// Whether the first of a ranking is asked for.
pub(super) fn own_place(asked: &Asked<'_>) -> bool {
    asked.one.rank == Some(1) || asked.ends.0 || asked.ends.1
}

/// Whether a token says another place than the first.
pub(super) fn later(token: &Token) -> bool {
    let places = ["second", "third", "fourth", "fifth", "last", "next"];
    // `on a second look` is no place
    !token.operator("correction") && token.folded.split(' ').any(|word| places.contains(&word))
        || token
            .number()
            .is_some_and(|number| number.unit == Unit::Rank && number.number > rust_decimal::Decimal::ONE)
}

/// What a name is said of: its clause without the other names of it.
pub(super) fn whole(line: &Line, clause: usize, target: usize, targets: &[usize]) -> Said {
    let mut said = clause::own(line, clause, target, targets);
    // what stands before the first name of a list is said of all of them, and what stands behind the last
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

/// Whether a name is the one that is asked about and not one that answers: `Turkiye's top destinations`.
pub(super) fn is_subject(line: &Line, at: usize, asked: &Asked<'_>) -> bool {
    let Some(token) = line.sentence.tokens.get(at) else { return false };
    let Kind::Country(id) = token.kind else { return false };
    let named = asked.places.contains(&id)
        || asked.country == Some(id)
            && asked.one.names.iter().all(|name| atlas::lookup(name).map(|one| one.id) != Some(id));
    let after = line.sentence.text.get(token.range.end..).unwrap_or_default();
    named && (after.starts_with("'s") || after.starts_with("’s") || asked.country == Some(id))
}
