//! Every cause, on errors that were really made with this site's numbers.

use rust_decimal::Decimal;

use super::super::*;
use crate::Cause;
use crate::value::{
    Basis, Classification, ContextPart, Period, Quantity, Rule, Scope, Statistic, Unit, parse_as,
};

fn in_context(text: &str, change: impl FnOnce(&mut Context)) -> Operand {
    let mut operand = Operand::text(text);
    change(&mut operand.context);
    operand
}

fn caused(truth: &Operand, other: &Operand) -> (Verdict, Option<Cause>) {
    let there = compare(truth, other);
    let back = compare(other, truth);
    assert_eq!((there.verdict, there.cause), (back.verdict, back.cause), "{there:?} {back:?}");
    (there.verdict, there.cause)
}

#[test]
fn causes_from_contexts_name_the_part_and_both_values() {
    let hs12 = in_context("$818.32 billion", |c| c.classification = Some(Classification::Hs12));
    let hs92 = in_context("$767B", |c| c.classification = Some(Classification::Hs92));
    assert_eq!(caused(&hs12, &hs92), (Verdict::NotComparable, Some(Cause::OtherClassification)));
    let comparison = compare(&hs12, &hs92);
    assert_eq!(comparison.differing, [ContextPart::Classification]);
    assert!(comparison.reason.contains("HS12 against HS92"), "{}", comparison.reason);
    assert!(comparison.reason.contains("$818.32 billion") && comparison.reason.contains("$767B"));

    type Change = fn(&mut Context);
    let cases: [(Change, Change, Cause); 8] = [
        (|c| c.period = Some(Period::year(2024)), |c| c.period = Some(Period::year(2023)), Cause::OtherYear),
        (|c| c.scope = Some(Scope::Goods), |c| c.scope = Some(Scope::GoodsAndServices), Cause::Scope),
        (|c| c.basis = Some(Basis::Current), |c| c.basis = Some(Basis::Constant), Cause::RealAgainstNominal),
        (
            |c| c.statistic = Some(Statistic::Level),
            |c| c.statistic = Some(Statistic::Cagr),
            Cause::LevelAgainstChange,
        ),
        (
            |c| c.statistic = Some(Statistic::Rank),
            |c| c.statistic = Some(Statistic::RankChange),
            Cause::LevelAgainstChange,
        ),
        (
            |c| c.statistic = Some(Statistic::TotalGrowth),
            |c| c.statistic = Some(Statistic::Cagr),
            Cause::TotalAgainstCagr,
        ),
        (|c| c.country = Some("404".into()), |c| c.country = Some("76".into()), Cause::SwappedEntities),
        (|c| c.product = Some("2709".into()), |c| c.product = Some("2710".into()), Cause::SwappedEntities),
    ];
    for (left, right, cause) in cases {
        // The numbers are equal: right numbers of another context must not match.
        let found = caused(&in_context("$8.2B", left), &in_context("$8.2B", right));
        assert_eq!(found, (Verdict::NotComparable, Some(cause)));
    }
}

#[test]
fn a_context_that_one_side_leaves_out_does_not_differ() {
    let stated = in_context("$16B", |c| c.scope = Some(Scope::GoodsAndServices));
    assert_eq!(compare(&stated, &Operand::text("$16.2B")).verdict, Verdict::Match);
}

#[test]
fn causes_from_the_numbers() {
    for (truth, other, cause) in [
        ("-2.3%", "2.3%", Cause::Sign),
        ("$-57.89 billion", "$57.9 billion", Cause::Sign),
        ("worsened 13 positions", "improved 13 positions", Cause::Sign),
        ("16.2B", "$16.2M", Cause::FactorThousand),
        ("$260.47 million", "$260B", Cause::FactorThousand),
        ("$50.36 million", "$50.4k", Cause::FactorThousand),
        ("0.03383", "3.38%", Cause::PercentAgainstFraction),
        ("0.12819057822355417", "12.8%", Cause::PercentAgainstFraction),
        ("$16.2B", "$32.4B", Cause::FactorTwo),
        ("226", "452", Cause::FactorTwo),
        ("-3.4%", "-0.69%", Cause::TotalAgainstCagr),
        ("$16.2B", "3.38%", Cause::LevelAgainstChange),
        ("3.4%", "3.4 percentage points", Cause::LevelAgainstChange),
        ("42nd of 145", "↑3 positions over 10 years", Cause::LevelAgainstChange),
        ("Germany 7.99%", "United Kingdom 5.90%", Cause::SwappedEntities),
        ("Goods $223B", "Services $34.0B", Cause::Scope),
        ("Exports $5B (2024)", "Exports $4.2B (2023)", Cause::OtherYear),
        ("Cars (8703 HS12) $871.82 billion", "Cars (8703 HS92) $873B", Cause::OtherClassification),
        ("Brazil", "Germany", Cause::SwappedEntities),
        ("$377.65 billion", "$378 billion", Cause::Rounding),
    ] {
        let (_, found) = caused(&Operand::text(truth), &Operand::text(other));
        assert_eq!(found, Some(cause), "{truth} {other}: {:?}", compare_texts(truth, other));
    }
}

#[test]
fn a_known_period_tells_total_growth_from_its_annual_rate() {
    let period = |c: &mut Context| c.period = Some(Period { start: 2015, end: 2024 });
    // Brazil: exports grew by 75.1 % from 2015 to 2024; (1.751)^(1/9) - 1 = 6.42 %.
    let found = caused(&in_context("75.1%", period), &in_context("6.42%", period));
    assert_eq!(found, (Verdict::Mismatch, Some(Cause::TotalAgainstCagr)));
    let other = caused(&in_context("75.1%", period), &in_context("9.1%", period));
    assert_eq!(other, (Verdict::Mismatch, None));
}

#[test]
fn nothing_is_claimed_where_numbers_say_nothing() {
    // 75.1 % is 6.42 % a year over nine years, which is no look-back range of the site.
    for (truth, other) in [
        ("443", "339"),
        ("226", "169"),
        ("$818.32 billion", "$767B"),
        ("0.82", "0.77"),
        ("22nd", "23rd"),
        ("2nd of 145", "4th of 145"),
        ("75.1%", "6.42%"),
    ] {
        assert_eq!(
            caused(&Operand::text(truth), &Operand::text(other)),
            (Verdict::Mismatch, None),
            "{truth} {other}"
        );
    }
}

#[test]
fn the_smallest_difference_is_between_the_intervals() {
    let difference = |a, b| compare_texts(a, b).difference;
    assert_eq!(difference("226", "169"), Some(Decimal::from(57)));
    assert_eq!(difference("$1.39B", "$1.41B"), Some(Decimal::from(10_000_000)));
    assert_eq!(difference("3.4%", "3.38%"), Some(Decimal::ZERO));
    assert_eq!(difference("$5", "5%"), None);
}

#[test]
fn an_exact_number_agrees_with_what_it_prints_as_and_nothing_else() {
    let raw = |text: &str, unit| {
        Operand::value(Value::Quantity(Quantity::exact(text.parse().unwrap(), unit)), Context::default())
    };
    let page =
        |text, rule| Operand::value(Value::Quantity(parse_as(text, rule).unwrap()), Context::default());
    let exports = raw("1973872419461.20", Unit::Usd);
    assert_eq!(compare(&exports, &page("$2T", Rule::F3)).verdict, Verdict::Match);
    assert_eq!(
        compare(&exports, &page("$1.97 trillion", Rule::F4)).reason,
        "$1,973,872,419,461.2 rounds to $1.97 trillion"
    );
    // By its rule `$2T` is `$2.0T`.
    assert_eq!(compare(&raw("1940000000000", Unit::Usd), &page("$2T", Rule::F3)).verdict, Verdict::Mismatch);
    // A number on a tie agrees with both neighbours.
    let tie = raw("3.385", Unit::Percent);
    assert_eq!(compare(&tie, &page("3.38%", Rule::F6)).verdict, Verdict::Match);
    assert_eq!(compare(&tie, &page("3.39%", Rule::F6)).verdict, Verdict::Match);
    // Kenya's travel share over the exports total is not the share of the shown cells.
    let share =
        Decimal::from(3_496_641_909i64) / "16218559749.40".parse::<Decimal>().unwrap() * Decimal::ONE_HUNDRED;
    let share = Operand::value(Value::Quantity(Quantity::exact(share, Unit::Percent)), Context::default());
    assert_eq!(compare(&share, &page("21.57%", Rule::F6)).verdict, Verdict::Mismatch);
    assert_eq!(compare(&share, &page("21.56%", Rule::F6)).verdict, Verdict::Match);
    let projection = Value::Quantity(Quantity::exact("3.383".parse().unwrap(), Unit::Percent));
    assert_eq!(
        compare(&Operand::value(projection, Context::default()), &page("3.38%", Rule::F6)).reason,
        "3.383% rounds to 3.38%"
    );
    // Kinds of unit are kept apart even where the numbers are equal.
    assert_eq!(compare(&raw("5", Unit::Persons), &raw("5", Unit::Rank)).verdict, Verdict::Mismatch);
}

#[test]
fn absences_are_never_merged() {
    let absent = |kind| Operand { content: Content::Absent(kind), context: Context::default() };
    let kinds = [
        Absence::NotShownHere,
        Absence::NotAvailableForCountry,
        Absence::PageNotFound,
        Absence::NullBeforeFirstYear,
    ];
    for a in kinds {
        for b in kinds {
            let expected = if a == b { Verdict::ExpectedAbsence } else { Verdict::Mismatch };
            assert_eq!(compare(&absent(a), &absent(b)).verdict, expected, "{a:?} {b:?}");
        }
        let zero = compare(&absent(a), &Operand::text("$0"));
        let expected = if a == Absence::NotShownHere { Verdict::NotDisplayed } else { Verdict::Mismatch };
        assert_eq!(zero.verdict, expected, "{a:?} is not zero");
        assert_eq!(
            compare(&absent(a), &absent(Absence::ExtractionFailed)).verdict,
            Verdict::ExtractionFailed
        );
    }
    let unread = Operand { content: Content::Unread("label not found".into()), context: Context::default() };
    let failed = compare(&Operand::text("$2,274"), &unread);
    assert_eq!(failed.verdict, Verdict::ExtractionFailed);
    assert!(failed.reason.contains("label not found"));
    // The wording of the pages.
    assert_eq!(
        compare(&absent(Absence::PageNotFound), &Operand::text("Uh-oh. The page could not be found")).verdict,
        Verdict::ExpectedAbsence
    );
    let message = Operand::text("Visualization not available for highest complexity countries");
    assert_eq!(compare(&absent(Absence::NotAvailableForCountry), &message).verdict, Verdict::ExpectedAbsence);
    assert_eq!(compare(&Operand::text("$2,274"), &message).verdict, Verdict::Mismatch);
}

#[test]
fn decision_11_two_rounded_readings_agree_when_their_intervals_intersect() {
    let contained = compare_texts("$377.65 billion", "$378B");
    assert_eq!((contained.verdict, contained.cause), (Verdict::Match, Some(Cause::Rounding)));
    assert_eq!(contained.reason, "$377.65 billion rounds to $378B (contained)");
    let overlapping = compare_texts("$85.65 billion", "$85.7B");
    assert_eq!(overlapping.verdict, Verdict::Match);
    assert!(overlapping.reason.ends_with("(overlapping)"), "{}", overlapping.reason);
    // Two texts that only touch at a tie are neighbours, not the same number.
    assert_eq!(compare_texts("$16B", "$17B").verdict, Verdict::Mismatch);
    // Honest disagreements of the site stay disagreements.
    assert_eq!(compare_texts("226", "169 (RCA>1)").verdict, Verdict::Mismatch);
    assert_eq!(compare_texts("0.8230", "ECI (2024): 0.77").verdict, Verdict::Mismatch);
}

#[test]
fn decision_13_what_could_not_be_read_is_no_mismatch() {
    let unread = Operand { content: Content::Unread("timed out".into()), context: Context::default() };
    for side in [Operand::text("$2,274"), Operand::text("N/A"), unread.clone()] {
        assert_eq!(caused(&side, &unread), (Verdict::ExtractionFailed, None));
    }
}
