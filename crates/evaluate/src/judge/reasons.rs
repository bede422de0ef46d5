//! Detects reasons that contradict their points: the reason calls the answer wrong beside full
//! points, or finds no fault beside the fewest. It looks for plain phrases that nothing in the
//! sentence reverses. Missing a contradiction costs less than rejecting a sound verdict.

use crate::scoring::language::lexicon::{list, listed};
use crate::value::fold::words_at;

/// Whether a reason calls the answer wrong.
pub(super) fn calls_wrong(reason: &str) -> bool {
    states(reason, "calls_wrong")
}

/// Whether a reason finds no fault.
pub(super) fn finds_no_fault(reason: &str) -> bool {
    // a restriction in another sentence restricts the whole reason
    let lower = reason.to_lowercase();
    states(reason, "finds_no_fault")
        && !words(&lower).any(|word| listed("restricts", word))
        && !calls_wrong(reason)
}

fn states(reason: &str, phrases: &str) -> bool {
    let lower = reason.to_lowercase();
    lower.split(['.', ';', '!', '?', '\n']).any(|sentence| {
        list(phrases).iter().any(|phrase| {
            let Some(at) = words_at(sentence, phrase) else { return false };
            let rest = format!("{} {}", &sentence[..at], &sentence[at + phrase.len()..]);
            let denied = rest.contains("n't") || rest.contains("n\u{2019}t");
            !denied && !words(&rest).any(|word| listed("reverses", word))
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
