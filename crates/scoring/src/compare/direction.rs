//! Sign, unit and kind that words around a number give it: `declined by 2.3%`, `worsening 13 positions`.

use crate::language::lexicon;
use crate::value::fold::{key, plain};
use crate::value::{Quantity, Unit};

/// Whether an amount is that of a change: `grew by $5 billion`, `an increase of $5 billion`.
pub(super) fn is_change(before: &str, quantity: &Quantity) -> bool {
    if !matches!(quantity.unit, Unit::Usd | Unit::Persons | Unit::Count) {
        return false;
    }
    let before = key(before);
    let mut words = before.split(' ').rev();
    match words.next() {
        Some("by") => words.take(4).any(is_direction),
        Some("of") => words.next().is_some_and(|word| lexicon::listed("change", word)),
        _ => false,
    }
}

/// Sign and unit that stand outside the number: "declined by 2.3%", "worsening 13 positions", "deficit of $5B".
pub(super) fn outer_sign(
    quantity: &Quantity,
    shown: String,
    before: &str,
    after: &str,
) -> (Quantity, String) {
    let behind = key(after);
    let mut quantity = quantity.clone();
    let mut shown = shown;
    let first_behind = behind.split(' ').next().unwrap_or_default();
    if quantity.unit == Unit::Count && lexicon::listed("places", first_behind) {
        quantity = quantity.with_unit(Unit::Positions);
        shown = format!("{shown} {first_behind}");
    }
    if quantity.unit == Unit::Count && lexicon::listed("persons", first_behind) {
        quantity = quantity.with_unit(Unit::Persons);
    }
    let verb = key(before).split(' ').next_back().unwrap_or_default().to_owned();
    if quantity.unit == Unit::Count && lexicon::listed("moves_in_rank", verb.as_str()) {
        quantity = quantity.with_unit(Unit::Positions);
    }
    let signed = quantity.number.is_sign_negative() || matches!(quantity.unit, Unit::Rank);
    let moving =
        matches!(quantity.unit, Unit::Percent | Unit::Positions | Unit::PercentagePoints | Unit::Usd);
    if signed || !moving {
        return (quantity, shown);
    }
    // The clause of the number only: up to the nearest comma or semicolon.
    let clause = key(before.rsplit([';', ',', '\n', '|']).next().unwrap_or_default());
    let tail = key(after.split([';', ',', '\n', '|', '.']).next().unwrap_or_default());
    let says = |way: &str, text: &str| text.split(' ').rfind(|word| directs(word, way)).map(str::to_owned);
    let down_before = says("down", &clause);
    // An arrow behind the number, which belongs to no other number.
    let arrow = after.chars().filter_map(plain).find(|c| *c != ' ');
    if arrow == Some('↓') {
        return (quantity.negated(), format!("{shown} ↓"));
    }
    let direction = down_before.or_else(|| {
        if says("up", &clause).is_some() {
            None
        } else {
            says("down", tail.split(" in ").next().unwrap_or_default())
        }
    });
    match direction {
        Some(word) => {
            let shown = format!("{word} {shown}");
            (quantity.negated(), shown)
        }
        None => (quantity, shown),
    }
}

/// Whether a word only gives a direction.
pub(super) fn is_direction(word: &str) -> bool {
    directs(word, "down") || directs(word, "up")
}

fn directs(word: &str, way: &str) -> bool {
    let tags = lexicon::tags(&lexicon::words(word));
    tags.is_some_and(|(_, tags)| tags.iter().any(|(kind, value)| *kind == "direction" && *value == way))
}
