//! Labels and cells that doubt the value: `Correct: no`, `| Note | unverified guess |`, `| Page opened | Uganda |`.

use std::collections::HashSet;

use super::talk;
use crate::answer::context::differs_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::Token;

/// Whether a label says that the value fails a check: `Right country: no`, `matches the page: no`, `| Verified | no |`.
pub(super) fn fails_check(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let (label, said): (Vec<&Token>, &[Token]) = match tokens.iter().position(|token| token.mark(':')) {
        Some(at) => (line.until(at).iter().collect(), line.behind(at)),
        None if line.passage.cell => (line.heads.iter().flat_map(|head| &head.tokens).collect(), tokens),
        None => return false,
    };
    let checks = |token: &&Token| {
        token.holds("checks")
            || token.holds("genuine")
            || token.holds("site_noun")
            || token.holds("checked_label")
    };
    let denies = |token: &Token| token.is("polarity", "no") || token.operator("negation");
    !matches!(asked.text(), Some("true" | "false"))
        && label.iter().any(checks)
        && label.len() <= 5
        && said.iter().filter(|token| !token.is_mark()).count() <= 3
        && said.iter().any(denies)
}

/// Whether a cell beside the value doubts it: a note, unit, scope or page in its row, or the row of a check.
pub(super) fn notes_otherwise(asked: &Asked<'_>, lines: &[Line], own: &HashSet<usize>, line: &Line) -> bool {
    let table = |line: &Line| line.passage.column.map(|(table, _)| table);
    // `Kenya, $2,274`: the cells before it in its row
    let row = |line: &Line| line.heads.last().map(|head| format!("{}, {}", head.text, line.passage.text));
    let is_same = |own: &Line| {
        let (own, other) = (row(own).unwrap_or_default(), row(line).unwrap_or_default());
        own.starts_with(&other) || other.starts_with(&own)
    };
    let beside = own
        .iter()
        .filter_map(|at| lines.get(*at))
        .any(|own| own.passage.cell && table(own) == table(line) && is_same(own));
    let notes = |token: &Token| token.holds("note_head") || token.holds("site_noun");
    let head = |at: usize| line.heads.iter().rev().nth(at).is_some_and(|head| head.tokens.iter().any(notes));
    let tokens = &line.sentence.tokens;
    line.passage.cell
        && asked.rows == 1
        && (beside && head(1) || head(0))
        && !tokens.iter().any(|token| token.number().is_some())
        && tokens.iter().any(|token| is_otherwise(asked, token))
}

/// Whether a word of a note is not known to be harmless.
fn is_otherwise(asked: &Asked<'_>, token: &Token) -> bool {
    // `| Unit | US$ billion |`
    let scales = ["in_billions", "in_millions", "in_trillions", "in_dollars", "in_percent"];
    if scales.iter().any(|list| token.holds(list)) {
        return false;
    }
    let kinds = ["negation", "hedge", "condition", "exception", "wrong", "stale"];
    let denies = kinds.iter().any(|kind| token.operator(kind)) && !asked.knows(&token.folded);
    denies
        || token.listed("in_thousands")
        || token.is("polarity", "no")
        || token.listed("no_fact")
        || talk::is_strange(asked, token)
        || differs_alone(asked, token)
}
