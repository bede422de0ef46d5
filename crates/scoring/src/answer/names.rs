//! Points that are names: a list is the sequence of all its items, known or not; a single name is a list of one.

use super::asked::Asked;
use super::items::{Item, Space, Which, items, name, rank};
use super::note;
use super::place::Place;
use super::score::Answer;
use super::settle::{missing, unscored};
use super::{AnswerVerdict, PointScore};
use crate::language::sentence::Kind;

/// Judges a row by its name, and lists it with the names that are of no row.
pub(super) fn judge(asked: &Asked<'_>, all: &[Asked<'_>], answer: &Answer) -> PointScore {
    let space = Space::of(asked, all);
    let items = items(asked, &space, &answer.lines);
    let placed =
        |item: &Item| item.place.of(name(&item.which, &space), Some(item.which == Which::Row(asked.row)));
    // the other rows are listed at their own points
    let own = |item: &&Item| matches!(item.which, Which::Other(_)) || item.which == Which::Row(asked.row);
    let candidates = items.iter().filter(own).map(placed).collect();
    PointScore { candidates, ..verdict(asked, &space, &items, answer) }
}

fn verdict(asked: &Asked<'_>, space: &Space<'_>, items: &[Item], answer: &Answer) -> PointScore {
    let one = asked.one;
    let shown = |item: &Item| answer.lines.get(item.line).map(|line| line.passage.text.clone());
    let found = items.iter().find(|item| item.which == Which::Row(asked.row));
    let open = |why: String| PointScore { sentence: found.and_then(shown), ..unscored(one, why) };
    if items.is_empty() && gives_code(asked, answer) {
        return open("it gives its code and not its name".to_owned());
    }
    if items.is_empty() {
        return missing(one, "the answer does not name it");
    }
    // an item that stands under an operator or in another context is none of the list
    let mut list: Vec<&Item> = Vec::new();
    for item in items {
        let counts = matches!(item.place, Place::Asked | Place::Unplaced(_));
        // said twice in one line, once of something that nobody knows
        if let Place::Unplaced(_) = item.place
            && let Some(known) =
                list.iter_mut().find(|known| known.which == item.which && known.line == item.line)
        {
            *known = item;
        }
        if counts && !list.iter().any(|known| known.which == item.which) {
            list.push(item);
        }
    }
    let placed = |item: &Item| item.place == Place::Asked;
    let Some(mine) = list.iter().position(|item| item.which == Which::Row(asked.row)) else {
        if let Some(found) = found {
            let why = match &found.place {
                Place::Operator(why) | Place::Unplaced(why) | Place::OtherContext(why) => why.clone(),
                _ => "it stands elsewhere".to_owned(),
            };
            return open(format!("it is named, and not as what is asked for: {why}"));
        }
        let others = list.iter().any(|item| matches!(item.which, Which::Other(_)));
        return match list.first() {
            Some(first) if others && space.rows.len() == 1 && placed(first) && list.len() == 1 => {
                PointScore {
                    said: AnswerVerdict::Wrong,
                    sentence: shown(first),
                    reason: format!("the answer names {}", name(&first.which, space)),
                    ..missing(one, "")
                }
            }
            _ if gives_code(asked, answer) => open("it gives its code and not its name".to_owned()),
            Some(_) if others => open("the answer names something else".to_owned()),
            _ => missing(one, "the answer does not name it"),
        };
    };
    let Some(item) = list.get(mine) else { return missing(one, "") };
    if let Place::Unplaced(why) = &item.place {
        return open(why.clone());
    }
    let own = items.iter().filter(|item| matches!(item.which, Which::Row(_))).map(|item| item.line).collect();
    if let Some(doubt) = note::doubt(asked, &answer.lines, &own, None) {
        return open(doubt);
    }
    // `Correction: Business does not belong here.`
    let denied = items.iter().find(|other| {
        other.which == item.which && other.line > item.line && matches!(other.place, Place::Operator(_))
    });
    if let Some(Item { place: Place::Operator(why), .. }) = denied {
        return open(format!("it is named and taken back: {why}"));
    }
    let right = || PointScore {
        said: AnswerVerdict::Right,
        sentence: shown(item),
        value: one.names.first().cloned(),
        reason: format!("the answer names {}", name(&item.which, space)),
        ..missing(one, "")
    };
    if let Some(place) = other_place(asked, answer) {
        return open(format!("its row says place {place}"));
    }
    let strangers = list.iter().find(|item| matches!(item.which, Which::Other(_)) && !item.behind);
    let is_ranked = one.rank.is_some();
    if !is_ranked || space.rows.len() == 1 {
        let before = list.get(..mine).unwrap_or_default();
        return match strangers {
            Some(stranger) => open(format!("it names {} too", name(&stranger.which, space))),
            None if item.behind => open("it stands behind another that it follows".to_owned()),
            None if is_ranked && !before.is_empty() => open(format!(
                "it names {} first",
                before.first().map_or(String::new(), |item| name(&item.which, space))
            )),
            None if is_ranked && item.number.is_some_and(|number| number != 1) => {
                open("it stands at another place of the list".to_owned())
            }
            None => right(),
        };
    }
    let grows = |pair: &[&Item]| match pair {
        [Item { value: Some(a), .. }, Item { value: Some(b), .. }] => {
            a.unit == b.unit && b.interval.low > a.interval.high
        }
        _ => false,
    };
    let valued: Vec<&Item> = list.iter().copied().filter(|item| item.value.is_some()).collect();
    if !asked.ends.1 && valued.windows(2).any(grows) {
        return open("the values of the list do not fall".to_owned());
    }
    // who is asked for three is right with the first three
    let last = list
        .iter()
        .rposition(|item| matches!(item.which, Which::Row(_)))
        .and_then(|at| list.get(at))
        .map_or(0, |item| item.line);
    let listed = |at: usize| {
        answer
            .lines
            .get(at)
            .is_some_and(|line| line.passage.item || line.passage.cell || line.passage.place.is_some())
    };
    let goes_on = list
        .iter()
        .filter(|item| matches!(item.which, Which::Other(_)))
        .all(|item| item.line == last || (listed(item.line) && listed(last)));
    let complete = goes_on
        && list.iter().take(space.rows.len()).filter(|item| matches!(item.which, Which::Row(_))).count()
            == space.rows.len();
    if let Some(stranger) =
        list.iter().find(|item| matches!(item.which, Which::Other(_))).filter(|_| !complete)
    {
        return open(format!("the list holds {}", name(&stranger.which, space)));
    }
    // the rows that are given stand in the order of the truth
    let list: Vec<&Item> = list.into_iter().filter(|item| matches!(item.which, Which::Row(_))).collect();
    let ranks: Vec<Option<u64>> = list.iter().map(|item| rank(&item.which, space)).collect();
    // a column of ranks says the order, whatever the order of the rows
    let by_column = !ranks_said(asked, answer).is_empty();
    let ascends = answer.lines.iter().any(|line| line.sentence.tokens.iter().any(|token| token.mark('<')));
    let sorted =
        by_column || ranks.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if (a < b) != ascends));
    let numbered = list.iter().all(|item| item.number.is_none() || item.number == rank(&item.which, space));
    if sorted && numbered { right() } else { open("the list stands in another order".to_owned()) }
}

/// The place that a column of ranks gives a row, where it is another: `| Cars | 4 |`.
fn other_place(asked: &Asked<'_>, answer: &Answer) -> Option<u64> {
    let own = asked.one.rank?;
    let places = ranks_said(asked, answer);
    places.into_iter().find(|place| *place != own)
}

/// The places that columns of ranks give a row.
fn ranks_said(asked: &Asked<'_>, answer: &Answer) -> Vec<u64> {
    let is_rank =
        |head: &String| matches!(head.trim().to_lowercase().as_str(), "rank" | "place" | "position" | "#");
    let cells = answer.lines.iter().filter(|line| line.passage.cell && !line.passage.keyed);
    let cells = cells.filter(|line| line.passage.under.iter().rev().nth(1).is_some_and(is_rank));
    let own = cells.filter(|line| {
        let row = line.heads.last().into_iter().flat_map(|head| &head.tokens);
        row.into_iter().any(|token| matches!(&token.kind, Kind::Row(rows) if rows.contains(&asked.row)))
    });
    own.filter_map(|line| line.sentence.text.trim().trim_end_matches('.').parse().ok()).collect()
}

/// Whether the answer holds the code of the row's product.
fn gives_code(asked: &Asked<'_>, answer: &Answer) -> bool {
    let mut tokens = answer.lines.iter().flat_map(|line| &line.sentence.tokens);
    asked.one.code.as_ref().is_some_and(|code| tokens.any(|token| token.folded == *code))
}
