//! Detects reasons that contradict their points: the reason calls the answer wrong beside full
//! points, or finds no fault beside the fewest. It looks for plain phrases that nothing in the
//! sentence reverses. Missing a contradiction costs less than rejecting a sound verdict.

use crate::value::fold::words_at;

/// Phrases that call the answer wrong.
const WRONG: &[&str] = &[
    "is wrong",
    "are wrong",
    "was wrong",
    "wrong figure",
    "wrong value",
    "wrong year",
    "wrong country",
    "wrong answer",
    "is incorrect",
    "are incorrect",
    "incorrectly",
    "incorrect figure",
    "incorrect value",
    "incorrect answer",
    "is inaccurate",
    "are inaccurate",
    "is false",
    "are false",
    "is fabricated",
    "are fabricated",
    "contradicts the truth",
    "contradicts the ground truth",
    "does not match the truth",
    "does not match the ground truth",
    "does not agree with the truth",
    "does not answer the question",
    "completely misses",
];

/// Phrases that find no fault.
const RIGHT: &[&str] = &[
    "fully correct",
    "completely correct",
    "entirely correct",
    "perfectly correct",
    "exactly matches",
    "matches the truth exactly",
    "matches exactly",
    "all figures are correct",
    "all facts are correct",
    "no errors",
    "without error",
    "nothing is wrong",
    "flawless",
];

/// Words that reverse a sentence, or make it hypothetical.
const TURNS: &[&str] = &[
    "not", "no", "nothing", "none", "never", "neither", "nor", "without", "nowhere", "hardly", "cannot",
    "would", "could", "if", "unless", "but", "however", "although", "though", "except", "apart", "only",
    "rather",
];

/// Whether a reason calls the answer wrong.
pub(super) fn calls_wrong(reason: &str) -> bool {
    states(reason, WRONG)
}

/// Whether a reason finds no fault.
pub(super) fn finds_no_fault(reason: &str) -> bool {
    // a restriction in another sentence restricts the whole reason
    let taken_back = ["but", "however", "although", "except", "unfortunately"];
    let lower = reason.to_lowercase();
    states(reason, RIGHT) && !words(&lower).any(|word| taken_back.contains(&word)) && !calls_wrong(reason)
}

fn states(reason: &str, phrases: &[&str]) -> bool {
    let lower = reason.to_lowercase();
    lower.split(['.', ';', '!', '?', '\n']).any(|sentence| {
        phrases.iter().any(|phrase| {
            let Some(at) = words_at(sentence, phrase) else { return false };
            let rest = format!("{} {}", &sentence[..at], &sentence[at + phrase.len()..]);
            let denied = rest.contains("n't") || rest.contains("n\u{2019}t");
            !denied && !words(&rest).any(|word| TURNS.contains(&word))
        })
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_are_seen_and_turned_ones_are_not() {
        for wrong in [
            "The export value is wrong.",
            "It names Tanzania. The year is incorrect; the truth says 2024.",
            "The answer incorrectly gives $3 billion.",
            "This does not match the truth.",
        ] {
            assert!(calls_wrong(wrong) && !finds_no_fault(wrong), "{wrong}");
        }
        for fine in [
            "No figure is wrong.",
            "Nothing in it is incorrect.",
            "It isn't the case that the value is wrong.",
            "If the year were 2023 it would be wrong, and the answer is wrong only then.",
            "The wrongful reading is avoided.",
            "The answer corrects a false premise of the question.",
        ] {
            assert!(!calls_wrong(fine), "{fine}");
        }
        for right in ["The answer is fully correct.", "Every figure exactly matches.", "There are no errors."]
        {
            assert!(finds_no_fault(right) && !calls_wrong(right), "{right}");
        }
        for not in ["It is not fully correct.", "The facts are fully correct. However, the source is unfit."]
        {
            assert!(!finds_no_fault(not), "{not}");
        }
    }
}
