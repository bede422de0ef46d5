//! Values that are found in longer texts, words of a known kind.

use super::super::*;
use crate::Cause;
#[test]
fn a_true_value_is_found_in_a_longer_answer() {
    let answer = "In 2024 Kenya's GDP per capita was $2,274 (PPP: $7,159), 116th of 145; exports were $16.2 billion, of which \
                  Germany took 1.5% and Uganda 5.6%. Exports declined by 2.3% a year.";
    for truth in ["$2,274", "$7,159", "116th of 145", "$16.22 billion", "Uganda 5.55%", "-2.3%", "Kenya"] {
        let found = find_in_text(&Operand::text(truth), answer);
        assert_eq!(found.verdict, Verdict::Match, "{truth}: {found:?}");
    }
    for truth in ["$2,275", "115th of 145", "2.3%", "Germany 5.6%", "$16.3 billion", "Brazil"] {
        let found = find_in_text(&Operand::text(truth), answer);
        assert_ne!(found.verdict, Verdict::Match, "{truth}: {found:?}");
    }
    let words = "The country has not yet started the process; sectors with high potential are Iron ores and Coffee, its grade is B.";
    for (truth, said) in [
        ("not yet started", true),
        ("Coffee, Iron ores", true),
        ("Coffee and Tea", false),
        ("B", true),
        ("A+", false),
        ("completed", false),
    ] {
        let found = find_in_text(&Operand::text(truth), words);
        assert_eq!(found.verdict == Verdict::Match, said, "{truth}: {found:?}");
    }
    let near = find_in_text(&Operand::text("$16.22 million"), answer);
    assert_eq!((near.verdict, near.cause), (Verdict::Mismatch, Some(Cause::FactorThousand)), "{near:?}");
}

#[test]
fn words_of_a_known_kind_are_kept_apart() {
    let verdict = |kind, a, b| compare_words(kind, a, b).verdict;
    assert_eq!(verdict("coi_classification", "high", "many"), Verdict::Match);
    assert_eq!(
        verdict("coi_classification", "high", "knowhow affords many opportunities to diversify"),
        Verdict::Match
    );
    assert_eq!(verdict("income_classification", "high", "many"), Verdict::Mismatch);
    assert_eq!(verdict("income_classification", "High", "Spain is a high-income country"), Verdict::Match);
    assert_eq!(verdict("income_classification", "High", "an upper-middle-income country"), Verdict::Mismatch);
    assert_eq!(verdict("no_such_kind", "high", "many"), Verdict::Match);
}
