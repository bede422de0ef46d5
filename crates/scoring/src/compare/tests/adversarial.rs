//! Pairs that look alike and are not: the same digits of another thing, which must never match quietly, and the same thing in
//! unlike writing, which must.

use super::super::*;
use crate::Cause;
use crate::value::{Base, Basis, Classification, Flow, Per, Period, Scope, Statistic, Tense, parse};

fn verdict(a: &str, b: &str) -> Verdict {
    let (there, back) = (compare_texts(a, b), compare_texts(b, a));
    assert_eq!((there.verdict, there.cause), (back.verdict, back.cause), "{a} / {b}");
    there.verdict
}

fn never_match(pairs: &[(&str, &str)]) {
    let quiet: Vec<_> = pairs.iter().filter(|(a, b)| verdict(a, b).agrees()).collect();
    assert!(quiet.is_empty(), "these match: {quiet:#?}");
}

#[test]
fn the_same_digits_in_another_unit() {
    never_match(&[
        ("$5 billion", "€5 billion"),
        ("$5 billion", "5 billion euros"),
        ("$5 billion", "KSh 5 billion"),
        ("$5 billion", "KES 5 billion"),
        ("$5 billion", "5 billion Kenyan shillings"),
        ("$5 billion", "5 billion Canadian dollars"),
        ("$5 billion", "A$5 billion"),
        ("$5 billion", "R$ 5 billion"),
        ("$5 billion", "₦5 billion"),
        ("$52.4 million", "52.4 million people"),
        ("$52.4 million", "a population of 52.4 million inhabitants"),
        ("$24", "24 new products"),
        ("24%", "24 new products"),
        ("$145", "145 countries"),
        ("$0.77", "ECI of 0.77"),
        ("0.77%", "ECI 0.77"),
        ("3.4%", "3.4 percentage points"),
        ("3.4%", "3.4 pp"),
        ("$3.4", "3.4%"),
        ("22nd", "$22"),
        ("22nd", "22%"),
        ("↑3 positions", "3rd"),
        ("3.4%", "3.4‰"),
    ]);
}

#[test]
fn the_same_digits_in_another_scale_or_under_a_sign() {
    never_match(&[
        ("$2,274", "$2,274 (in thousands)"),
        ("$2,274", "$2,274 in millions"),
        ("5", "5 crore"),
        ("$2,274", "$2,274 local currency"),
        ("$2,274", "2,274 Liberian dollars"),
        ("$2,274", "$2,274 at purchasing power parity"),
        ("$2,274", "¬ $2,274"),
        ("24", "24 or more"),
        ("24", "24 at most"),
        ("24", "20 to 24"),
        ("24", "24 or 25"),
        ("$16.2B", "($16.2B)"),
        ("$2,274", "$2,274, unconfirmed"),
        ("$2,274", "$2,274 except in cities"),
        ("89", "0,89"),
        ("$2,274", "$2'274'000"),
        ("24", "2 x 24"),
        ("24", "24 dozen"),
    ]);
}

#[test]
fn the_same_number_of_another_figure() {
    never_match(&[
        ("GDP $2,274", "GDP per capita $2,274"),
        ("ECI 0.77", "PCI 0.77"),
        ("ECI (2024): 0.77", "COI: 0.77"),
        ("Economic Complexity Index of 0.77", "Complexity Outlook Index of 0.77"),
        ("RCA 1.5", "distance 1.5"),
        ("Kenya's ECI rank is 116th", "Kenya's GDP per capita rank is 116th"),
        ("Kenya's ranking in ECI is 116th of 145", "Kenya's ranking in COI is 116th of 145"),
        ("population of 52.4 million", "GDP of 52.4 million"),
        ("current account deficit of $5 billion", "trade balance deficit of $5 billion"),
        ("share of exports 12.8%", "growth of exports 12.8%"),
        ("market share of 3.4%", "GDP growth of 3.4%"),
        ("exports of $16.2B", "imports of $16.2B"),
        ("Exports $16.2B", "Kenya imported $16.2B"),
    ]);
}

#[test]
fn the_same_number_of_another_context() {
    never_match(&[
        ("Exports $5B (2024)", "Exports $5B (2023)"),
        ("from 2012 to 2022 exports grew 5%", "from 2012 to 2024 exports grew 5%"),
        ("2012-2022: 5%", "2012-2024: 5%"),
        (
            "exports grew 3.8% annually over the past five years",
            "exports grew 3.8% annually over the past ten years",
        ),
        ("grew 3.8% a year over 5 years", "grew 3.8% a year over the past decade"),
        ("↑3 positions over 5 years", "↑3 positions over 10 years"),
        ("Goods exports $5B", "Goods and services exports $5B"),
        ("Goods exports $5B", "Services exports $5B"),
        ("exports of goods: $5B", "exports of goods and services: $5B"),
        ("GDP at constant prices $5B", "GDP at current prices $5B"),
        ("GDP (constant 2017 dollars) $5B", "GDP (current dollars) $5B"),
        ("real GDP growth of 3.4%", "nominal GDP growth of 3.4%"),
        ("Cars (8703 HS12) $872 billion", "Cars (8703 HS92) $872 billion"),
        ("ECI (HS92) -0.27", "ECI (SITC) -0.27"),
        ("total growth of 75.1%", "annual growth of 75.1%"),
        ("exports grew by a cumulative 75.1%", "exports grew 75.1% annually"),
        ("GDP is projected to grow 3.4% annually", "GDP grew 3.4% annually"),
        ("exports of $5 billion", "exports grew by $5 billion"),
        ("total exports: $5 billion", "an increase of $5 billion in exports"),
        ("$5 billion", "exports declined by $5 billion"),
        ("exports from Kenya to Uganda were $5B", "exports from Uganda to Kenya were $5B"),
        ("Kenya to Uganda $5B", "Uganda to Kenya $5B"),
        ("deficit of $5 billion", "surplus of $5 billion"),
        ("GDP rose 2.3%", "GDP fell 2.3%"),
        ("Kenya $5B, Uganda $6B", "Kenya $6B, Uganda $5B"),
        ("Kenya's exports were $5B", "Uganda's exports were $5B"),
        ("Niger $5B", "Nigeria $5B"),
        ("Guinea $5B", "Guinea-Bissau $5B"),
        ("Congo $5B", "Democratic Republic of the Congo $5B"),
        ("South Korea $5B", "North Korea $5B"),
        ("116th of 145", "116th of 133"),
    ]);
}

#[test]
fn the_cause_is_named() {
    for (a, b, cause) in [
        ("Exports $5B (2024)", "Exports $5B (2023)", Cause::OtherYear),
        ("from 2012 to 2022 exports grew 5%", "from 2012 to 2024 exports grew 5%", Cause::OtherYear),
        ("Cars (8703 HS12) $872 billion", "Cars (8703 HS92) $872 billion", Cause::OtherClassification),
        ("Goods exports $5B", "Goods and services exports $6.1B", Cause::Scope),
        ("GDP at constant prices $5B", "GDP at current prices $5.2B", Cause::RealAgainstNominal),
        ("real GDP growth of 3.4%", "nominal GDP growth of 9.1%", Cause::RealAgainstNominal),
        ("exports of $5 billion", "exports grew by $5 billion", Cause::LevelAgainstChange),
        ("a share of 12.8%", "a growth of 12.8%", Cause::LevelAgainstChange),
        ("total growth of 75.1%", "annual growth of 6.4%", Cause::TotalAgainstCagr),
        ("GDP rose 2.3%", "GDP fell 2.3%", Cause::Sign),
        ("deficit of $5.02 billion", "surplus of $5.02 billion", Cause::Sign),
        ("$8.04 billion", "$16.1 billion", Cause::FactorTwo),
        ("$8.04 billion", "$4.02 billion", Cause::FactorTwo),
        ("$8.04 billion", "$8.04 million", Cause::FactorThousand),
        ("$8.04 billion", "$8,040", Cause::FactorThousand),
        ("$2,274", "$2.27 million", Cause::FactorThousand),
        ("12.8%", "0.128", Cause::PercentAgainstFraction),
        ("0.00034", "0.034%", Cause::PercentAgainstFraction),
        ("Kenya to Uganda $5B", "Uganda to Kenya $5B", Cause::SwappedEntities),
        ("Kenya $5.1B", "Uganda $5.1B", Cause::SwappedEntities),
        ("42nd of 145", "↓3 positions", Cause::LevelAgainstChange),
    ] {
        let found = compare_texts(a, b);
        assert_eq!(found.cause, Some(cause), "{a} / {b}: {found:?}");
        assert!(!found.verdict.agrees(), "{a} / {b}: {found:?}");
    }
}

#[test]
fn the_same_thing_in_unlike_writing() {
    for (a, b) in [
        ("16218559749.40", "USD 16.2 billion"),
        ("$16,218,559,749", "$16.2B"),
        ("16.2 billion US dollars", "$16.2B"),
        ("US$ 16.2 bn", "$16.2B"),
        ("-$13.1B", "USD -$13.1B"),
        ("3.38 per cent", "3.38%"),
        ("3.383", "3.38%"),
        ("52,428,290", "52.4 million people"),
        ("116th of 145", "rank 116 of 145"),
        ("ECI of 0.77", "Economic Complexity Index: 0.77"),
        ("0.7654", "ECI 0.77"),
        ("GDP per capita of $2,274", "GDP per capita: $2,274 (2024)"),
        ("exports fell 2.3% annually over the past five years", "-2.3%"),
        ("Kenya's total exports in 2024: $16.2B", "In 2024 Kenya exported $16.2 billion"),
        ("Türkiye $5.1B", "Turkey $5.1 billion"),
        ("Côte d'Ivoire $5.1B", "Ivory Coast $5.1B"),
        ("USA $5.1B", "United States of America $5.1B"),
        ("exports from Kenya to Uganda $5.1B", "Kenya exported $5.1B to Uganda"),
        ("24 new products", "24"),
        ("improved 3 positions over 10 years", "↑3 positions over the past decade"),
        ("current account deficit of $5.1 billion", "current account: -$5.1 billion"),
        ("$999.6 million", "$1.00 billion"),
        ("$949.5M", "$950M"),
        ("99.96%", "100.0%"),
        ("0.004%", "0.00%"),
    ] {
        assert_eq!(verdict(a, b), Verdict::Match, "{a} / {b}: {:?}", compare_texts(a, b));
    }
}

#[test]
fn a_context_against_what_a_text_says() {
    let in_2024 =
        Context { period: Some(Period::year(2024)), flow: Some(Flow::Export), ..Context::default() };
    let truth = Operand { context: in_2024, ..Operand::text("$16.2B") };
    for (text, cause) in [("$16.2B in 2023", Some(Cause::OtherYear)), ("imports of $16.2B in 2024", None)] {
        for found in [compare(&truth, &Operand::text(text)), compare(&Operand::text(text), &truth)] {
            assert_eq!((found.verdict, found.cause), (Verdict::NotComparable, cause), "{text}");
        }
    }
    assert_eq!(compare(&truth, &Operand::text("exports of $16.2B in 2024")).verdict, Verdict::Match);
    let hs12 = Context { classification: Some(Classification::Hs12), ..Context::default() };
    let truth = Operand { context: hs12, ..Operand::text("-0.27") };
    assert_eq!(compare(&truth, &Operand::text("ECI (HS92) -0.27")).cause, Some(Cause::OtherClassification));
}

#[test]
fn a_sought_value_is_not_found_in_another_year_flow_or_change() {
    let context =
        Context { period: Some(Period::year(2024)), flow: Some(Flow::Export), ..Context::default() };
    let truth = Operand { context, ..Operand::text("$5.1 billion") };
    for text in [
        "In 2023 exports were $5.1 billion, and in 2024 they were $6.4 billion.",
        "Exports were $5.1 billion in 2023 and $6.4 billion in 2024.",
        "Imports were $5.1 billion; exports were $6.4 billion.",
        "Exports grew by $5.1 billion to $22.7 billion.",
        "Exports came to €5.1 billion, or $5.6 billion.",
        "Exports came to $5.1 million.",
    ] {
        let found = find_in_text(&truth, text);
        assert!(!found.verdict.agrees(), "{text}: {found:?}");
    }
    for text in [
        "In 2023 exports were $4.9 billion, and in 2024 they were $5.1 billion.",
        "Exports were $4.9 billion in 2023 and $5.1 billion in 2024.",
        "Imports were $6.4 billion; exports were $5.1 billion.",
        "Kenya's exports reached $5.08 billion.",
    ] {
        let found = find_in_text(&truth, text);
        assert_eq!(found.verdict, Verdict::Match, "{text}: {found:?}");
    }
}

#[test]
fn contexts_that_differ_in_any_part_never_match() {
    let base = Context {
        country: Some("404".into()),
        partner: Some("800".into()),
        product: Some("0902".into()),
        classification: Some(Classification::Hs92),
        period: Some(Period::year(2024)),
        flow: Some(Flow::Export),
        scope: Some(Scope::Goods),
        basis: Some(Basis::Current),
        statistic: Some(Statistic::Level),
        base: Some(Base::OwnTrade),
        per: Some(Per::Person),
        tense: Some(Tense::Observed),
        group: Some("asean".into()),
        position: Some(1),
    };
    type Change = fn(&mut Context);
    let changes: [(Change, Option<Cause>); 14] = [
        (|c| c.base = Some(Base::WorldTrade), None),
        (|c| c.per = Some(Per::Year), None),
        (|c| c.tense = Some(Tense::Projected), None),
        (|c| c.group = Some("eu".into()), Some(Cause::SwappedEntities)),
        (|c| c.position = Some(2), None),
        (|c| c.country = Some("800".into()), Some(Cause::SwappedEntities)),
        (|c| c.partner = Some("404".into()), Some(Cause::SwappedEntities)),
        (|c| c.product = Some("0901".into()), Some(Cause::SwappedEntities)),
        (|c| c.classification = Some(Classification::Hs12), Some(Cause::OtherClassification)),
        (|c| c.period = Some(Period::year(2023)), Some(Cause::OtherYear)),
        (|c| c.flow = Some(Flow::Import), None),
        (|c| c.scope = Some(Scope::GoodsAndServices), Some(Cause::Scope)),
        (|c| c.basis = Some(Basis::Constant), Some(Cause::RealAgainstNominal)),
        (|c| c.statistic = Some(Statistic::Cagr), Some(Cause::LevelAgainstChange)),
    ];
    for (change, cause) in changes {
        let mut other = base.clone();
        change(&mut other);
        for text in ["$5.1B", "Kenya", "N/A"] {
            let value = parse(text).unwrap();
            let (a, b) = (Operand::value(value.clone(), base.clone()), Operand::value(value, other.clone()));
            let found = compare(&a, &b);
            assert_eq!((found.verdict, found.cause), (Verdict::NotComparable, cause), "{text} {other:?}");
        }
    }
    let mut projected = base.clone();
    (projected.statistic, projected.period) = (Some(Statistic::Projection), None);
    let cagr = Context { statistic: Some(Statistic::Cagr), ..projected.clone() };
    let side = |context| Operand { context, ..Operand::text("3.4%") };
    let found = compare(&side(projected), &side(cagr));
    assert_eq!(
        (found.verdict, found.cause),
        (Verdict::NotComparable, None),
        "a projection is no growth of the past"
    );
}

#[test]
fn decision_27_what_asks_doubts_denies_or_bounds_matches_nothing() {
    for (truth, text) in [
        ("$5 billion", "not $5 billion"),
        ("$5 billion", "more than $5 billion"),
        ("$5 billion", "at least $5 billion"),
        ("$2,274", "I do not know whether it is $2,274"),
        ("$2,274", "Is it $2,274?"),
        ("$2,274", "if it were $2,274"),
        ("$2,274", "far from $2,274"),
        ("Kenya", "not Kenya"),
        ("-5%", "did not decline by 5%"),
        ("116th of 145", "perhaps 116th of 145"),
    ] {
        let verdict = compare_texts(truth, text).verdict;
        assert!(!verdict.agrees(), "{truth} / {text}: {verdict:?}");
        assert_eq!(verdict, compare_texts(text, truth).verdict, "{truth} / {text}");
    }
    // part of what is said on both sides
    for text in ["not yet started", "Commodities not specified", "slightly less complex than expected"] {
        assert!(compare_texts(text, text).verdict.agrees(), "{text}");
    }
}
