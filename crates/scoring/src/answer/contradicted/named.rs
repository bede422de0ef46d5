//! Remarks that rule a name or a term out: `Services and Vehicles. Vehicles declined.`, `Yes. The box is not ticked.`

use super::Beside;
use crate::answer::words::grade::is_grade;
use crate::language::lexicon::{listed, says, stem, terms_within};
use crate::language::token::Token;

/// Whether a sentence about what grew most or holds most gives it the other direction: `Vehicles declined.`, `Its share is the
/// smallest.`
pub(super) fn goes_down(beside: &Beside<'_>) -> bool {
    let asked = beside.asked;
    let Some(truth) = asked.text().filter(|_| asks_most(beside) && is_remark(beside)) else { return false };
    let truth = truth.to_lowercase();
    let is_name = |word: &str| word.len() > 3 && truth.split(' ').any(|own| stem(own) == stem(word));
    let first = beside.words().next();
    let goes_down = |token: &Token| {
        (token.direction() == Some(false) || token.is("comparative", "least")) && !asked.knows(&token.folded)
    };
    (points(beside) || first.is_some_and(|first| is_name(&first.folded)))
        && !beside.denies()
        && (beside.tokens().iter().any(goes_down) || says("holds_back", &beside.line.passage.text))
}

/// Whether a sentence rejects the value: `The page advises against it.`
pub(super) fn is_rejected(beside: &Beside<'_>) -> bool {
    beside.asked.text().is_some() && is_remark(beside) && says("rejects_it", &beside.line.passage.text)
}

/// Whether a sentence compares the complexity with the income, or tells the stage, in words of another term: `More complex than
/// expected. It falls short of its income.`
pub(super) fn is_another_term(beside: &Beside<'_>) -> bool {
    let about = points(beside) && is_remark(beside) && !beside.denies();
    let Some(truth) = beside.asked.text().filter(|_| about) else { return false };
    let says = |list: &str| says(list, &beside.line.passage.text);
    let compares = |more: bool| beside.tokens().iter().any(|token| token.comparative() == Some(more));
    terms_within(truth).iter().any(|term| match *term {
        ("complexity_for_income", "Same") => compares(true) || compares(false),
        ("complexity_for_income", "More" | "ModeratelyMore") => compares(false) || says("is_equal"),
        ("complexity_for_income", _) => compares(true) || says("is_equal"),
        ("structural_transformation", "NotStarted") => says("is_under_way"),
        ("structural_transformation", "Completed") => says("is_unfinished"),
        _ => false,
    })
}

/// Whether the question asks for one that grew most or is the largest.
fn asks_most(beside: &Beside<'_>) -> bool {
    let question = beside.asked.question.iter().flat_map(|question| &question.tokens);
    let is_most = |token: &Token| {
        token.is("modifier", "growth")
            || token.direction() == Some(true)
            || token.is("comparative", "most")
            || token.folded.split(' ').any(|word| word == "high")
    };
    question.into_iter().any(is_most)
}

/// Whether a sentence puts a grade at an end of the scale that it is not at: `B. It is the lowest grade.`
pub(super) fn is_at_end(beside: &Beside<'_>) -> bool {
    let Some(truth) = beside.asked.text().filter(|text| is_grade(text) && is_remark(beside)) else {
        return false;
    };
    let words: Vec<&Token> = beside.tokens().iter().filter(|token| !token.is_mark()).collect();
    let is_end = |three: &[&Token]| {
        let [be, the, end] = three else { return false };
        let ends = (end.is("comparative", "most"), end.is("comparative", "least"));
        be.role("be") && the.folded == "the" && (ends.0 && truth != "A+" || ends.1 && truth != "D-")
    };
    points(beside) && !beside.denies() && words.windows(3).any(is_end)
}

/// Whether a sentence denies a yes: `The box is not ticked.`, `Or rather no.`
pub(super) fn denies_yes(beside: &Beside<'_>) -> bool {
    let last = beside.words().next_back();
    let is_no = |token: &Token| token.is("polarity", "no");
    let is_flag = last.is_some_and(|last| listed("denied_flag", &last.folded));
    beside.asked.text() == Some("true")
        && is_remark(beside)
        && beside.tokens().iter().any(|token| is_no(token) || is_flag && token.operator("negation"))
}

/// Whether it is another sentence.
fn is_remark(beside: &Beside<'_>) -> bool {
    !beside.own
}

/// Whether a sentence begins with a word for the value or the country.
fn points(beside: &Beside<'_>) -> bool {
    let first = beside.tokens().iter().find(|token| !token.is_mark());
    first.is_some_and(|first| {
        first.is_it() || matches!(first.folded.as_str(), "its" | "their" | "both" | "these" | "these two")
    })
}
