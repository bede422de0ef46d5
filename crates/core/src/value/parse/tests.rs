//! Reading of displayed text: every form seen on the site, boundaries, and what must not be read.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::super::{Interval, Quantity, Rule, Unit, Value, format, format_decimals, format_rank};
use super::{find_all, find_as, parse, parse_as};

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn quantity(text: &str) -> Quantity {
    match parse(text) {
        Some(Value::Quantity(quantity)) => quantity,
        other => panic!("{text}: {other:?}"),
    }
}

fn range(low: &str, high: &str) -> Interval {
    Interval::closed(dec(low), dec(high))
}

#[test]
fn free_form_reads_number_unit_and_scale() {
    for (text, number, unit) in [
        ("USD -$13.1B", "-13100000000", Unit::Usd),
        ("-$13.1B", "-13100000000", Unit::Usd),
        ("\u{2212}$13.1B", "-13100000000", Unit::Usd),
        ("\u{2013}$13.1B", "-13100000000", Unit::Usd),
        ("$-57.89 billion", "-57890000000", Unit::Usd),
        ("$\u{a0}1.97\u{202f}trillion", "1970000000000", Unit::Usd),
        ("US$ 5 million", "5000000", Unit::Usd),
        ("5 million USD", "5000000", Unit::Usd),
        ("$10k", "10000", Unit::Usd),
        ("$947K", "947000", Unit::Usd),
        ("$16B", "16000000000", Unit::Usd),
        ("$2,274", "2274", Unit::Usd),
        ("$0", "0", Unit::Usd),
        ("€5 million", "5000000", Unit::OtherCurrency),
        ("R$ 5 million", "5000000", Unit::OtherCurrency),
        ("5 million A$", "5000000", Unit::OtherCurrency),
        ("2,274 CA$", "2274", Unit::OtherCurrency),
        ("2,274 ¢", "2274", Unit::OtherCurrency),
        ("2,274 US$", "2274", Unit::Usd),
        ("3.38\u{a0}%", "3.38", Unit::Percent),
        ("3.383%", "3.383", Unit::Percent),
        ("-2.3 percent", "-2.3", Unit::Percent),
        ("0.3 percentage points", "0.3", Unit::PercentagePoints),
        ("116th of 145", "116", Unit::Rank),
        ("116TH OF 145", "116", Unit::Rank),
        ("56th", "56", Unit::Rank),
        ("#3", "3", Unit::Rank),
        ("↑3 positions over 10 years", "3", Unit::Positions),
        ("↓7 over 15 years", "-7", Unit::Positions),
        ("▼ 7", "-7", Unit::Positions),
        ("⬆\u{fe0f}3", "3", Unit::Positions),
        ("▴13.1%", "13.1", Unit::Percent),
        ("↓3.4%", "-3.4", Unit::Percent),
        ("\u{2212}0.48", "-0.48", Unit::Index),
        ("+0.1243", "0.1243", Unit::Index),
        ("0.893", "0.893", Unit::Index),
        ("52.4 million", "52400000", Unit::Count),
        ("1,234,567", "1234567", Unit::Count),
        ("226", "226", Unit::Count),
        ("6.426446581881023e-07", "0.0000006426446581881023", Unit::Index),
    ] {
        let read = quantity(text);
        assert_eq!((read.number, read.unit), (dec(number), unit), "{text}");
        assert!(read.interval.contains(read.number), "{text}");
    }
    assert_eq!(quantity("116th of 145").total, Some(145));
}

#[test]
fn what_is_no_number_is_text() {
    for text in [
        "Kenya",
        "B",
        "A+",
        "0902",
        "0902 HS92",
        "1,2",
        "1.2.3",
        "HS92",
        "5-year",
        "3D",
        "$",
        "%",
        "1 2",
        "169 (RCA>1)",
    ] {
        assert_eq!(parse(text), Some(Value::Text(text.to_owned())), "{text}");
    }
    assert_eq!(parse(" \u{a0}\u{200b}"), None);
}

#[test]
fn intervals_follow_the_rule() {
    for (text, rule, low, high) in [
        ("$38.0B", Rule::F1, "37950000000", "38050000000"),
        ("$1.00B", Rule::F1, "999500000", "1005000000"),
        ("$1B", Rule::F1, "999500000", "1005000000"),
        ("USD -$13.1B", Rule::F2, "-13150000000", "-13050000000"),
        ("$16B", Rule::F3, "15500000000", "16500000000"),
        ("$2T", Rule::F3, "1950000000000", "2050000000000"),
        ("$10B", Rule::F3, "9950000000", "10500000000"),
        ("$378B", Rule::F3, "377500000000", "378500000000"),
        ("$378 billion", Rule::F4, "377500000000", "378500000000"),
        ("USD $3.91 trillion", Rule::F4, "3905000000000", "3915000000000"),
        ("$2,274", Rule::F5, "2273.5", "2274.5"),
        ("3.38%", Rule::F6, "3.375", "3.385"),
        ("<0.01%", Rule::F6, "0", "0.01"),
        ("2.6%", Rule::F7, "2.55", "2.65"),
        ("2%", Rule::F8, "1.5", "2.5"),
        ("10.7%", Rule::F9, "10.695", "10.705"),
        ("116th of 145", Rule::F10, "116", "116"),
        ("↓7 over 15 years", Rule::F11, "-7", "-7"),
        ("-0.48", Rule::F12, "-0.4805", "-0.4795"),
        ("1.47", Rule::F12, "1.465", "1.475"),
        ("-2.200", Rule::F12, "-2.2005", "-2.1995"),
        ("0.77", Rule::F13, "0.765", "0.775"),
        ("52.4 million", Rule::F14, "52350000", "52450000"),
        ("37.65", Rule::F15, "37.645", "37.655"),
        ("0.781", Rule::F15, "0.7805", "0.7815"),
        ("24", Rule::Integer, "24", "24"),
        ("19%", Rule::Growth, "18.95", "19.05"),
    ] {
        let read = parse_as(text, rule).unwrap();
        assert_eq!(read.interval, range(low, high), "{text} by {rule:?}");
        assert_eq!(read.rule, Some(rule));
    }
    // Rule unknown: half a unit of the last printed digit.
    assert_eq!(quantity("$2T").interval, range("1500000000000", "2500000000000"));
    assert_eq!(quantity("$57.89 billion").interval, range("57885000000", "57895000000"));
}

#[test]
fn strict_reading_refuses_other_forms() {
    for (text, rule) in [
        ("$16.2B", Rule::F3),
        ("$38.0B", Rule::F3),
        ("$16B", Rule::F1),
        ("$1.391B", Rule::F1),
        ("$16.2 B", Rule::F1),
        ("USD $16.2B", Rule::F1),
        ("$16.2B", Rule::F2),
        ("$378B", Rule::F4),
        ("$378 billions and more", Rule::F4),
        ("$2274", Rule::F5),
        ("$16.2B", Rule::F5),
        ("3.4%", Rule::F6),
        ("3.38%", Rule::F7),
        ("2.0%", Rule::F8),
        ("10.70%", Rule::F9),
        ("116", Rule::F10),
        ("3 positions", Rule::F11),
        ("0.7", Rule::F13),
        ("52,444,000", Rule::F14),
        ("↑24", Rule::Integer),
        ("24%", Rule::Integer),
        ("24th", Rule::Integer),
        ("0902", Rule::Integer),
        ("", Rule::Integer),
    ] {
        let error = parse_as(text, rule).unwrap_err();
        assert!(error.to_string().contains(error.expected), "{error}");
    }
}

#[test]
fn numbers_in_a_text_are_taken_whole() {
    let text = "Kenya earned $2,274 and $16.2B in 2024, 116th of 145, ↑3 positions over 10 years; 24 products (RCA>1), 3.4% (3705 HS)";
    let texts = |rule| find_as(text, rule).into_iter().map(|(at, _)| &text[at]).collect::<Vec<_>>();
    assert_eq!(texts(Rule::F5), ["$2,274"]);
    assert_eq!(texts(Rule::F1), ["$16.2B"]);
    assert_eq!(texts(Rule::F3), Vec::<&str>::new());
    assert_eq!(texts(Rule::F7), ["3.4%"]);
    assert_eq!(texts(Rule::F10), ["116th of 145"]);
    assert_eq!(texts(Rule::F11), ["↑3 positions over 10 years"]);
    assert_eq!(texts(Rule::Integer), ["2024", "24", "1", "3705"]);
    let spaced = "Exports\u{a0}grew \u{2212}3.38\u{202f}%\u{a0}.";
    let found = find_as(spaced, Rule::F6);
    assert_eq!(&spaced[found[0].0.clone()], "\u{2212}3.38\u{202f}%");
    assert_eq!(find_as("worsening 13 positions in the ECI ranking", Rule::Integer).len(), 1);
    assert_eq!(find_as("2009 \u{2013} 2024", Rule::Integer).len(), 2);
    assert_eq!(find_as("2009-2024", Rule::Integer)[1].1.number, dec("2024"));
    for word in ["product-HS92-726", "HS12", "1,234,5678", "v1.2.3", "5-year", "12x"] {
        assert!(find_all(word).is_empty(), "{word}");
    }
}

#[test]
fn formats_as_the_site_does() {
    for (x, rule, text) in [
        ("1393000000", Rule::F1, "$1.39B"),
        ("38049999999", Rule::F1, "$38.0B"),
        ("999600000", Rule::F1, "$1.00B"),
        ("50359788", Rule::F1, "$50.4M"),
        ("-13096000000", Rule::F2, "USD -$13.1B"),
        ("9769246843", Rule::F3, "$9.8B"),
        ("377651747244.83", Rule::F3, "$378B"),
        ("1973872419461.20", Rule::F3, "$2T"),
        ("999600000", Rule::F3, "$1B"),
        ("377651747244.83", Rule::F4, "$378 billion"),
        ("1973872419461.20", Rule::F4, "$1.97 trillion"),
        ("35151", Rule::F5, "$35,151"),
        ("3.383", Rule::F6, "3.38%"),
        ("5.9", Rule::F6, "5.90%"),
        ("1.664", Rule::F7, "1.7%"),
        ("6.8", Rule::F8, "7%"),
        ("10.7", Rule::F9, "10.7%"),
        ("-7", Rule::F11, "↓7"),
        ("3", Rule::F11, "↑3"),
        ("-0.4801", Rule::F12, "-0.48"),
        ("0.82296", Rule::F13, "0.82"),
        ("52444000", Rule::F14, "52.4 million"),
        ("340110988", Rule::F14, "340 million"),
        ("37.654", Rule::F15, "37.65"),
        ("1248", Rule::Integer, "1,248"),
        ("13.1", Rule::Growth, "13.1%"),
        ("19.01", Rule::Growth, "19%"),
    ] {
        assert_eq!(format(dec(x), rule).as_deref(), Some(text), "{x} by {rule:?}");
    }
    assert_eq!(format(dec("5.5"), Rule::Integer), None);
    assert_eq!(format(dec("0.4"), Rule::F1), None);
    let ranks: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 22, 101, 111, 116].map(|n| format_rank(n, 145)).into();
    assert_eq!(
        ranks.iter().map(|r| r.split(' ').next().unwrap()).collect::<Vec<_>>(),
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "22nd", "101st", "111th", "116th"]
    );
}

/// Raw values of the site's APIs and what its pages printed for them (year 2024, read in February and March 2026).
#[test]
fn real_values_print_as_they_were_seen() {
    for (raw, rule, seen) in [
        ("377651747244.83", Rule::F4, "$378 billion"),
        ("367679021629.48", Rule::F4, "$368 billion"),
        ("1794697816510.28", Rule::F4, "$1.79 trillion"),
        ("16218559749.40", Rule::F2, "USD $16.2B"),
        ("16218559749.40", Rule::F3, "$16B"),
        ("209145463552.85", Rule::F1, "$209B"),
        ("106656535197.29684", Rule::F1, "$107B"),
        ("59296787109", Rule::F1, "$59.3B"),
        ("260465008", Rule::F1, "$260M"),
        ("607925370", Rule::F1, "$608M"),
        ("19431840737", Rule::F1, "$19.4B"),
        ("93331183606", Rule::F3, "$93B"),
        ("69928916828", Rule::F3, "$70B"),
        ("232668727288", Rule::F3, "$233B"),
        ("15722595", Rule::F3, "$16M"),
        ("52444000", Rule::F14, "52.4 million"),
        ("49078000", Rule::F14, "49.1 million"),
        ("3.383", Rule::F6, "3.38%"),
        ("1.311", Rule::F6, "1.31%"),
        ("3.395", Rule::F7, "3.4%"),
        ("1.606", Rule::F8, "2%"),
    ] {
        assert_eq!(format(dec(raw), rule).as_deref(), Some(seen), "{raw}");
        assert!(parse_as(seen, rule).unwrap().interval.contains(dec(raw)), "{raw} in {seen}");
    }
    assert_eq!(format_decimals(dec("-2.2002"), 3), "-2.200");
    assert_eq!(format_decimals(dec("-0.0001"), 3), "0.000");
}

proptest! {
    #[test]
    fn never_panics(text in "\\PC{0,40}") {
        let _ = parse(&text);
        for &rule in Rule::ALL {
            let _ = parse_as(&text, rule);
            for (at, _) in find_as(&text, rule) {
                prop_assert!(text.get(at).is_some());
            }
        }
    }

    #[test]
    fn never_panics_on_numberlike_text(text in "[-+−$€USD 0-9.,%kKMBTe<#()↑↓▲ofthndillons\u{a0}]{0,24}") {
        let _ = parse(&text);
        for (at, quantity) in find_all(&text) {
            prop_assert!(text.get(at).is_some());
            prop_assert!(quantity.interval.low <= quantity.interval.high);
        }
    }

    #[test]
    fn what_is_printed_stands_for_what_was_printed(mantissa in -999_999_999i64..=999_999_999, scale in 0u32..=9, power in 0u32..=12, rule in proptest::sample::select(Rule::ALL.to_vec())) {
        let x = Decimal::new(mantissa, scale) * Decimal::from(10u64.pow(power));
        if let Some(text) = format(x, rule) {
            let read = parse_as(&text, rule);
            prop_assert!(read.is_ok(), "{} by {:?}: {:?}", text, rule, read);
            let read = read.unwrap();
            prop_assert!(read.interval.contains(x), "{} as {}: {:?}", x, text, read.interval);
            // Printing the number read gives the same text again.
            prop_assert_eq!(format(read.number, rule), Some(text));
        }
    }

    #[test]
    // The letters spell no scale and no currency (`try`, `tzs`), which would belong to the number.
    fn a_printed_number_is_found_whole_in_a_text(
        mantissa in -999_999_999i64..=999_999_999,
        scale in 0u32..=6,
        rule in proptest::sample::select(Rule::ALL.to_vec()),
        before in "[g-z]{0,8}[ \u{a0}(:;]",
        after in "[ \u{202f}).;,!][q-x]{3,8}",
    ) {
        if let Some(printed) = format(Decimal::new(mantissa, scale), rule) {
            let text = format!("{before}{printed}{after}");
            let found = find_as(&text, rule);
            prop_assert_eq!(found.len(), 1, "{}", text);
            prop_assert_eq!(&text[found[0].0.clone()], printed);
        }
    }

    #[test]
    fn places_are_in_order_and_do_not_overlap(text in "[-+−$€USD 0-9.,%kKMBTe<#()↑↓▲ofth\u{a0}]{0,40}") {
        let ends: Vec<_> = find_all(&text).into_iter().map(|(at, _)| at).collect();
        prop_assert!(ends.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn ranks_are_read_as_printed(position in 1u32..500, total in 1u32..500) {
        let read = parse_as(&format_rank(position, total), Rule::F10).unwrap();
        prop_assert_eq!((read.number, read.total), (Decimal::from(position), Some(total)));
    }

    #[test]
    fn more_digits_never_widen(mantissa in 1i64..=999_999_999, scale in 0u32..=6) {
        let x = Decimal::new(mantissa, scale);
        let width = |rule| parse_as(&format(x, rule).unwrap(), rule).map(|q| q.interval.high - q.interval.low).unwrap();
        prop_assert!(width(Rule::F6) <= width(Rule::F7) && width(Rule::F7) <= width(Rule::F8));
    }
}
