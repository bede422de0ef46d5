//! The side of its average that words give an index: `-2.200. It is a complex product.`, `0.68, so it has a comparative advantage.`

use rust_decimal::Decimal;

use super::{Beside, compares, differs_alone};
use crate::answer::doubt::says_nothing::is_definition;
use crate::language::lexicon;
use crate::language::token::Token;
use crate::value::Unit;

/// Below this, an index of complexity is too near its average for `complex` or `simple` to contradict it.
const NEAR: Decimal = Decimal::from_parts(3, 0, 0, false, 1);

/// Whether a sentence puts an index of complexity on the other side of zero, or a revealed comparative advantage on the other side of
/// one.
pub(super) fn is_on_other_side(beside: &Beside<'_>) -> bool {
    let asked = beside.asked;
    let is_level = !asked.is_change() && asked.one.follows.is_none();
    let Some(truth) = asked.number().filter(|number| is_level && number.unit == Unit::Index) else {
        return false;
    };
    let words: Vec<&Token> = beside.tokens().iter().filter(|token| !token.is_mark()).collect();
    let is_another = |token: &Token| token.is_name() && differs_alone(asked, token);
    let denies = |token: &Token| token.operator("negation") || token.operator("exception");
    if words.iter().any(|token| denies(token))
        || beside.line.sentence.question
        || is_definition(&words)
        || words.iter().any(|token| is_another(token))
    {
        return false;
    }
    let (said, is_above) = if asked.has("metric", "rca") {
        (of_advantage(&words), truth.number >= Decimal::ONE)
    } else if (asked.has("metric", "pci") || asked.has("metric", "eci")) && truth.number.abs() >= NEAR {
        (of_complexity(&words), truth.number.is_sign_positive())
    } else {
        return false;
    };
    !said.is_empty() && said.iter().all(|side| *side != is_above)
}

/// Whether phrases put a product or an economy above the average: `is a simple product`, `is among the most complex ones`.
fn of_complexity(words: &[&Token]) -> Vec<bool> {
    let side = |at: usize, word: &Token| {
        let has = |list: &str| word.folded.split(' ').any(|part| lexicon::listed(list, part));
        let is_high = has("complex");
        let before = words.get(..at)?;
        let turns = before.last().is_some_and(|last| compares(last) == Some(false))
            || word.folded.starts_with("less ")
            || word.folded.starts_with("least ");
        // `is among the most complex`, but not `The more complex a product is, the higher is its index.`
        let be = before.iter().rev().take(6).position(|token| token.role("be") || token.is_it())?;
        let between = before.get(before.len() - be..)?;
        let is_said = between.iter().all(|token| {
            token.role("article")
                || token.role("adverb")
                || token.is_manner()
                || compares(token).is_some()
                || token.listed("one_among")
        });
        ((is_high || has("simple")) && is_said).then_some(is_high != turns)
    };
    words.iter().enumerate().filter_map(|(at, word)| side(at, word)).collect()
}

/// Whether phrases put a revealed comparative advantage above one: `has a comparative advantage`, `exports more than its share`.
fn of_advantage(words: &[&Token]) -> Vec<bool> {
    let has = |at: usize, word: &Token| {
        let mut before = words.get(..at)?.iter().rev().skip_while(|token| {
            token.role("article") || token.role("adjective") || token.listed("kind_of_advantage")
        });
        let is_owned = before.next().is_some_and(|verb| verb.listed("owns"));
        // `has a revealed comparative advantage of 0.68`
        let behind = words.get(at + 1);
        let is_measured =
            behind.is_some_and(|next| next.folded == "of" || next.role("be") || next.number().is_some());
        (is_owned && !is_measured && word.is("metric", "rca") && word.folded.ends_with("advantage"))
            .then_some(true)
    };
    let more_than_its = |at: usize, word: &Token| {
        let than = words.get(at + 1..)?;
        let holds_share =
            |token: &&Token| token.folded.split(' ').any(|part| lexicon::listed("expected_share", part));
        let is_share =
            than.iter().any(|token| token.folded.ends_with("than")) && than.iter().any(holds_share);
        compares(word).filter(|_| is_share)
    };
    let than_one = |at: usize, word: &Token| {
        let one = words.get(at + 1)?;
        let is_one = matches!(one.folded.as_str(), "one" | "1" | "1 0" | "unity" | "parity");
        compares(word).filter(|_| is_one)
    };
    let said = |(at, word): (usize, &&Token)| {
        let specialises = || word.listed("specialises").then_some(true);
        has(at, word).or_else(|| more_than_its(at, word)).or_else(|| than_one(at, word)).or_else(specialises)
    };
    words.iter().enumerate().filter_map(said).collect()
}
