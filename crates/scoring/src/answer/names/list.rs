//! Reads data points that are names. A list is the sequence of all its items, known or unknown; a single name is a list of one.

use super::item::{Item, Space, Which, name, rank};
use super::items::{OTHER_RANKS, items};
use crate::answer::candidate::{Claim, Found, Place};
use crate::answer::line::Line;
use crate::answer::point::{AnswerVerdict, Placed, PointScore, missing, unscored};
use crate::answer::question::asked::Asked;
use crate::answer::reading::Answer;
use crate::language::lexicon;
use crate::language::token::Kind;
use crate::value::Quantity;

/// Reads a row by its name. The candidates are its own mentions and names outside the record.
pub(crate) fn find(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> Found {
    let space = Space::of(asked, all);
    let items = items(asked, &space, &answer.lines);
    let placed =
        |item: &Item| item.place.of(name(&item.which, &space), Some(item.which == Which::Row(asked.row)));
    // Other rows are candidates of their own data points.
    let own = |item: &&Item| !item.is_row() || item.which == Which::Row(asked.row);
    let candidates: Vec<Placed> = items.iter().filter(own).map(placed).collect();
    let list = List { asked, space: &space, items: &items, given: given(&items), answer };
    match list.found() {
        Found::Claim(claim) => Found::from(Claim {
            verdict: PointScore { candidates: candidates.clone(), ..claim.verdict },
            doubted: PointScore { candidates, ..claim.doubted },
            ..*claim
        }),
        Found::Verdict(point) => Found::from(PointScore { candidates, ..*point }),
        found => found,
    }
}

/// Reads a row by its name, in its own column of a table if it has one.
pub(crate) fn find_in_column(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> Found {
    match find(asked, all, answer) {
        Found::Claim(claim) => {
            let verdict = in_column(asked, all, answer, claim.verdict.clone());
            Found::from(Claim { verdict, ..*claim })
        }
        found => found,
    }
}

/// Checks that the row is named for its own column: the nearest column name before it, or else after it.
fn in_column(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer, named: PointScore) -> PointScore {
    let Some(column) = asked.one.column.as_deref().filter(|_| named.said == AnswerVerdict::Right) else {
        return named;
    };
    let line = answer.lines.iter().find(|line| Some(&line.passage.text) == named.sentence.as_ref());
    let heads = line.into_iter().flat_map(|line| &line.heads).map(|head| head.text.as_str());
    let text = heads.chain(named.sentence.as_deref()).collect::<Vec<_>>().join(" ").to_lowercase();
    let at = asked.one.names.iter().find_map(|name| text.rfind(&name.to_lowercase())).unwrap_or(text.len());
    let (before, behind) = text.split_at(at);
    let columns = all.iter().filter_map(|one| one.one.column.as_deref());
    let nearest = columns
        .clone()
        .filter_map(|one| Some((before.rfind(one)?, one)))
        .max()
        .or_else(|| columns.filter_map(|one| Some((behind.find(one)?, one))).min());
    if nearest.is_some_and(|(_, one)| one == column) {
        return named;
    }
    let candidates = named.candidates;
    PointScore { candidates, ..unscored(asked.one, format!("it is not named for the column {column}")) }
}

/// Why a list of ranked values is not the expected one: it contains a name outside the record or numbers its rows differently.
pub(crate) fn other_list(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> Option<String> {
    let space = Space::of(asked, all);
    if asked.one.rank.is_none() || asked.one.names.is_empty() || space.rows.len() < 2 {
        return None;
    }
    let items = items(asked, &space, &answer.lines);
    let list = List { asked, space: &space, items: &items, given: given(&items), answer };
    let numbered = |item: &&&Item| item.number.is_some() && item.number != rank(&item.which, &space);
    let is_keyed = |at: usize| answer.lines.get(at).is_some_and(|line| line.passage.keyed);
    let is_stranger = |item: &&&Item| !item.is_row() && (item.value.is_some() || is_keyed(item.line));
    let stranger = || list.given.iter().find(is_stranger);
    if let Some(stranger) = stranger().filter(|_| !list.goes_on()) {
        return Some(format!("the list contains \"{}\"", list.name(stranger)));
    }
    let other = list.given.iter().filter(|item| item.is_row()).find(numbered)?;
    Some(format!("the list has {} at another position", list.name(other)))
}

/// The distinct items that the answer gives, or may give, as the requested ones. Items that are not asserted or belong to another
/// context are not part of the list.
fn given(items: &[Item]) -> Vec<&Item> {
    let mut given: Vec<&Item> = Vec::new();
    for item in items {
        let is_placed = matches!(item.place, Place::Asked | Place::Unplaced(_));
        // The name occurs twice in one line, once in an unclear context.
        if let Place::Unplaced(_) = item.place
            && let Some(known) =
                given.iter_mut().find(|known| known.which == item.which && known.line == item.line)
        {
            *known = item;
        }
        if is_placed && !given.iter().any(|known| known.which == item.which) {
            given.push(item);
        }
    }
    given
}

/// The names of an answer as a list, for one of its rows.
struct List<'a> {
    asked: &'a Asked<'a>,
    space: &'a Space<'a>,
    /// All named items.
    items: &'a [Item],
    /// The items that the answer gives.
    given: Vec<&'a Item>,
    answer: &'a Answer,
}

impl List<'_> {
    fn found(&self) -> Found {
        let own = self.given.iter().enumerate().find(|(_, item)| self.is_own(item));
        let Some((at, item)) = own else { return Found::from(self.not_given()) };
        if let Place::Unplaced(why) = &item.place {
            return Found::from(self.open(why.clone()));
        }
        let is_sequence = self.asked.one.rank.is_some() && self.space.rows.len() > 1;
        let why =
            self.why_taken_back(item).or_else(|| self.why_ranked_otherwise()).or_else(|| match is_sequence {
                true => self.why_other_sequence(),
                false => self.why_not_alone(at, item),
            });
        let why = why.or_else(|| self.why_other_value(item));
        let verdict = match why {
            Some(why) => self.open(why),
            None => PointScore {
                said: AnswerVerdict::Right,
                sentence: self.sentence(item),
                value: self.asked.one.names.first().cloned(),
                reason: format!("the answer names {}", self.name(item)),
                ..missing(self.asked.one, "")
            },
        };
        let lines = self.items.iter().filter(|item| item.is_row()).map(|item| item.line).collect();
        let doubted = self.open(String::new());
        Found::from(Claim::of(verdict, doubted, lines))
    }

    fn is_own(&self, item: &Item) -> bool {
        item.which == Which::Row(self.asked.row)
    }

    fn name(&self, item: &Item) -> String {
        name(&item.which, self.space)
    }

    fn sentence(&self, item: &Item) -> Option<String> {
        self.answer.lines.get(item.line).map(|line| line.passage.text.clone())
    }

    fn open(&self, why: String) -> PointScore {
        let named = self.items.iter().find(|item| self.is_own(item));
        PointScore { sentence: named.and_then(|item| self.sentence(item)), ..unscored(self.asked.one, why) }
    }

    /// The verdict if the row is not given: it is named in another role, or another name replaces it.
    fn not_given(&self) -> PointScore {
        if let Some(named) = self.items.iter().find(|item| self.is_own(item)) {
            let why = named.place.why().unwrap_or("it belongs elsewhere");
            return self.open(format!("it is named, but not as the answer: {why}"));
        }
        let names_other = self.given.iter().any(|item| !item.is_row());
        match self.given.as_slice() {
            [other] if names_other && self.space.rows.len() == 1 && other.place == Place::Asked => {
                PointScore {
                    said: AnswerVerdict::Wrong,
                    sentence: self.sentence(other),
                    reason: format!("the answer names {}", self.name(other)),
                    ..missing(self.asked.one, "")
                }
            }
            _ if gives_code(self.asked, self.answer) => {
                self.open("it gives its code, not its name".to_owned())
            }
            _ if names_other => self.open("the answer names something else".to_owned()),
            _ => missing(self.asked.one, "the answer does not name it"),
        }
    }

    /// Why a later mention retracts the row or ranks it otherwise: `Correction: Business does not belong here.`, `Summary: cars are
    /// the largest, with Business in second place`
    fn why_taken_back(&self, item: &Item) -> Option<String> {
        let mut behind =
            self.items.iter().filter(|other| other.which == item.which && other.line > item.line);
        behind.find_map(|other| match &other.place {
            Place::Operator(operator) => Some(format!("it is named and retracted: {}", operator.why)),
            Place::Unplaced(why) if why == OTHER_RANKS => Some(format!("it is named again: {why}")),
            Place::Asked => {
                let place = other.number.filter(|place| self.asked.one.rank.is_some_and(|own| own != *place));
                place.map(|place| format!("it is named again at position {place}"))
            }
            _ => None,
        })
    }

    /// Why a column's row comes with another amount: `the largest surplus is with Uganda, $900M`. A deficit may stand without its sign.
    fn why_other_value(&self, item: &Item) -> Option<String> {
        self.asked.one.column.as_ref()?;
        let (truth, said) = self.asked.number().zip(item.value.as_ref())?;
        let is_other = said.unit == truth.unit
            && !said.interval.overlaps(&truth.interval)
            && !said.negated().interval.overlaps(&truth.interval);
        is_other.then(|| "it comes with a value that is not the row's".to_owned())
    }

    /// Why a column of ranks gives it another rank.
    fn why_ranked_otherwise(&self) -> Option<String> {
        other_place(self.asked, self.answer).map(|place| format!("its row gives rank {place}"))
    }

    /// Why a single row is not given alone. An unranked row must be the only name; the first of a ranking must come first.
    fn why_not_alone(&self, at: usize, item: &Item) -> Option<String> {
        let is_ranked = self.asked.one.rank.is_some();
        // `Canada – $12.4B`, with `India – $6B` on the next line
        let is_lower = |other: &Item| {
            let pair = item.value.as_ref().zip(other.value.as_ref());
            is_ranked
                && !self.asked.ends.1
                && other.line > item.line
                && pair.is_some_and(|(own, other)| {
                    own.unit == other.unit && other.interval.high < own.interval.low
                })
        };
        let is_rival = |item: &&&Item| !item.is_row() && !item.behind && !is_lower(item);
        if let Some(stranger) = self.given.iter().find(is_rival) {
            return Some(format!("it also names \"{}\"", self.name(stranger)));
        }
        if item.behind {
            return Some("it ranks after another name".to_owned());
        }
        if let Some(first) = self.given.first().filter(|_| is_ranked && at > 0) {
            return Some(format!("it names {} first", self.name(first)));
        }
        let is_elsewhere = is_ranked && item.number.is_some_and(|number| number != 1);
        is_elsewhere.then(|| "it is at another position of the list".to_owned())
    }

    /// Why a ranking is wrong. It must contain exactly the true rows, in order.
    fn why_other_sequence(&self) -> Option<String> {
        let tokens = self.answer.lines.iter().flat_map(|line| &line.sentence.tokens);
        if let Some(word) = tokens.into_iter().find(|token| token.listed("unordered")) {
            return Some(format!("\"{}\" leaves the order open", word.folded));
        }
        if self.values_rise() {
            return Some("the values of the list do not decrease".to_owned());
        }
        if let Some(stranger) = self.given.iter().find(|item| !item.is_row()).filter(|_| !self.goes_on()) {
            return Some(format!("the list contains \"{}\"", self.name(stranger)));
        }
        (!self.is_in_order()).then(|| "the list is in another order".to_owned())
    }

    fn values_rise(&self) -> bool {
        let rises = |pair: &[&Quantity]| matches!(pair, [a, b] if a.unit == b.unit && b.interval.low > a.interval.high);
        let values: Vec<&Quantity> = self.given.iter().filter_map(|item| item.value.as_ref()).collect();
        !self.asked.ends.1 && values.windows(2).any(rises)
    }

    /// Whether the list begins with all rows and then continues. If three are requested, the first three count.
    fn goes_on(&self) -> bool {
        let is_listed = |at: usize| {
            let passage = self.answer.lines.get(at).map(|line| &line.passage);
            passage.is_some_and(|passage| passage.item || passage.cell || passage.place.is_some())
        };
        let last = self.given.iter().rfind(|item| item.is_row()).map_or(0, |item| item.line);
        // `…, with Diamonds level with the first`
        let ties = |item: &Item| {
            self.answer.lines.get(item.line).is_some_and(|line| lexicon::says("ties", &line.passage.text))
        };
        let belongs = |item: &Item| {
            (item.line == last && item.behind || item.line != last && is_listed(item.line) && is_listed(last))
                && !ties(item)
        };
        let count = self.space.rows.len();
        self.given.iter().filter(|item| !item.is_row()).all(|item| belongs(item))
            && self.given.iter().take(count).filter(|item| item.is_row()).count() == count
    }

    /// Whether the given rows are in the true order, by their stated ranks if there are any.
    fn is_in_order(&self) -> bool {
        let rows: Vec<&&Item> = self.given.iter().filter(|item| item.is_row()).collect();
        let ranks: Vec<Option<u64>> = rows.iter().map(|item| rank(&item.which, self.space)).collect();
        // A column of ranks gives the order, whatever the order of the rows.
        let by_column = !ranks_said(self.asked, self.answer).is_empty();
        let ascends = self.answer.lines.iter().any(ascends);
        let follows = |pair: &[Option<u64>]| matches!(pair, [Some(a), Some(b)] if (a < b) != ascends);
        (by_column || ranks.windows(2).all(follows))
            && rows.iter().zip(&ranks).all(|(item, rank)| item.number.is_none() || item.number == *rank)
    }
}

/// Whether a line says that a list is ascending: `from the smallest`, `A < B`.
fn ascends(line: &Line) -> bool {
    let heads = line.heads.iter().map(|head| head.text.as_str());
    line.sentence.tokens.iter().any(|token| token.mark('<'))
        || heads.chain([line.passage.text.as_str()]).any(|text| lexicon::says("ascending", text))
}

/// The different rank that a column of ranks gives the row: `| Cars | 4 |`.
fn other_place(asked: &Asked<'_>, answer: &Answer) -> Option<u64> {
    let own = asked.one.rank?;
    let places = ranks_said(asked, answer);
    places.into_iter().find(|place| *place != own)
}

/// The ranks that columns of ranks give the row.
fn ranks_said(asked: &Asked<'_>, answer: &Answer) -> Vec<u64> {
    let is_rank = |head: &String| lexicon::listed("rank_head", &head.trim().to_lowercase());
    let cells = answer.lines.iter().filter(|line| line.passage.cell && !line.passage.keyed);
    let cells = cells.filter(|line| line.passage.under.iter().rev().nth(1).is_some_and(is_rank));
    let own = cells.filter(|line| {
        let row = line.heads.last().into_iter().flat_map(|head| &head.tokens);
        row.into_iter().any(|token| matches!(&token.kind, Kind::Row(rows) if rows.contains(&asked.row)))
    });
    own.filter_map(|line| line.sentence.text.trim().trim_end_matches('.').parse().ok()).collect()
}

/// Whether the answer contains the code of the row's product.
fn gives_code(asked: &Asked<'_>, answer: &Answer) -> bool {
    let mut tokens = answer.lines.iter().flat_map(|line| &line.sentence.tokens);
    asked.one.code.as_ref().is_some_and(|code| tokens.any(|token| token.folded == *code))
}
