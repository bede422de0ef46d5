//! Laws of the comparator: the verdict does not depend on the side, everything agrees with itself, and a
//! coarser print of the same number still agrees.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::super::*;
use crate::value::{Quantity, Rule, Unit, format, parse_as};

const RULES: [Rule; 14] = [
    Rule::F1,
    Rule::F2,
    Rule::F3,
    Rule::F4,
    Rule::F5,
    Rule::F6,
    Rule::F7,
    Rule::F8,
    Rule::F9,
    Rule::F12,
    Rule::F13,
    Rule::F15,
    Rule::Integer,
    Rule::Growth,
];

fn number() -> impl Strategy<Value = Decimal> {
    (-99_999_999i64..=99_999_999, 0u32..=6, 0u32..=9)
        .prop_map(|(mantissa, scale, power)| Decimal::new(mantissa, scale) * Decimal::from(10u64.pow(power)))
}

fn text() -> impl Strategy<Value = String> {
    let words = [
        "Germany",
        "Turkey",
        "Business",
        "Tea",
        "high",
        "started",
        "not yet started",
        "N/A",
        "deficit",
        "above",
        "2024",
        "declined",
    ];
    let word = proptest::sample::select(words.to_vec()).prop_map(str::to_owned);
    let shown = (number(), proptest::sample::select(RULES.to_vec()))
        .prop_map(|(x, rule)| format(x, rule).unwrap_or_else(|| "A+".to_owned()));
    proptest::collection::vec(prop_oneof![word, shown, "[a-zA-Z(),;:%$ .-]{0,6}"], 0..5)
        .prop_map(|parts| parts.join(" "))
}

proptest! {
    #[test]
    fn symmetric(a in text(), b in text()) {
        let (there, back) = (compare_texts(&a, &b), compare_texts(&b, &a));
        prop_assert_eq!(there.verdict, back.verdict, "{} / {}: {} | {}", a, b, there.reason, back.reason);
        prop_assert_eq!(there.difference, back.difference);
        prop_assert_eq!(there.cause, back.cause);
    }

    #[test]
    fn reflexive(a in text()) {
        let same = compare_texts(&a, &a);
        prop_assert!(same.verdict.agrees(), "{}: {:?}", a, same);
    }

    #[test]
    fn never_panics_and_always_has_a_reason(a in "\\PC{0,40}", b in "\\PC{0,40}") {
        prop_assert!(!compare_texts(&a, &b).reason.is_empty());
    }

    #[test]
    fn a_number_agrees_with_every_print_of_it(x in number(), rule in proptest::sample::select(RULES.to_vec())) {
        if let Some(printed) = format(x, rule) {
            let quantity = parse_as(&printed, rule).unwrap();
            let exact = Operand::value(Value::Quantity(Quantity::exact(x, quantity.unit)), Context::default());
            let shown = Operand::value(Value::Quantity(quantity), Context::default());
            prop_assert_eq!(compare(&exact, &shown).verdict, Verdict::Match, "{} as {}", x, printed);
        }
    }

    #[test]
    fn coarser_prints_of_one_number_agree(x in number()) {
        // Monotony in precision: two prints of one number agree, whatever their rules.
        for group in [[Rule::F6, Rule::F7, Rule::F8], [Rule::F1, Rule::F3, Rule::F5]] {
            let prints: Vec<_> = group.iter().filter_map(|&rule| format(x, rule).map(|text| parse_as(&text, rule).unwrap())).collect();
            for a in &prints {
                for b in &prints {
                    let side = |q: &Quantity| Operand::value(Value::Quantity(q.clone()), Context::default());
                    // Decimals of a tie may round apart; only the interior is promised.
                    if a.interval.low.max(b.interval.low) < a.interval.high.min(b.interval.high) {
                        prop_assert_eq!(compare(&side(a), &side(b)).verdict, Verdict::Match);
                    }
                }
            }
        }
    }

    #[test]
    fn what_agrees_when_sharp_agrees_when_blunt(x in number(), y in number()) {
        // An exact number that agrees with a fine print agrees with every coarser print that encloses it.
        let exact = Operand::value(Value::Quantity(Quantity::exact(x, Unit::Percent)), Context::default());
        let (Some(fine), Some(coarse)) = (format(y, Rule::F6), format(y, Rule::F8)) else { return Ok(()) };
        let (fine, coarse) = (parse_as(&fine, Rule::F6).unwrap(), parse_as(&coarse, Rule::F8).unwrap());
        let agrees = |q: &Quantity| compare(&exact, &Operand::value(Value::Quantity(q.clone()), Context::default())).verdict == Verdict::Match;
        if coarse.interval.encloses(&fine.interval) && agrees(&fine) {
            prop_assert!(agrees(&coarse));
        }
    }
}
