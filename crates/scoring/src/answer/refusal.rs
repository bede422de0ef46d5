//! Judges answers to questions that have no answer. A plain refusal is right, giving a value is wrong, and everything else needs a
//! judge.

use super::figures::figure::Figure;
use super::line::Line;
use super::reading::Answer;
use crate::compare::LONGEST_TEXT;
use crate::language::lexicon::{self, listed};
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Names, Token};
use crate::value::{Period, Unit};

/// Whether an answer declines an unanswerable question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `true` if it declines and gives no value, `false` if it gives one; `None` if rules cannot decide.
    pub shown: Option<bool>,
    /// The reason in one sentence.
    pub reason: String,
}

/// Judges whether an answer declines an unanswerable question.
///
/// It declines if each clause refuses, says that the data lack it, or offers something else. It does not decline if it gives a
/// figure for the question's year and country, or names a country or product without declining.
#[must_use]
pub fn refusal(question: &str, answer: &str) -> Refusal {
    let open = |reason: &str| Refusal { shown: None, reason: reason.to_owned() };
    if answer.len() > LONGEST_TEXT || answer.contains("```") {
        return open("it is too long or contains code: rules do not read it");
    }
    let Answer { lines, figures, .. } = Answer::read(answer, &Names::default(), None);
    let asked = Sentence::of(question, &Names::default());
    let asks_value = lexicon::words(question).iter().any(|word| lexicon::listed("asks_value", &word.folded));
    if let Some(figure) = figures.iter().find(|figure| asks_value && is_value(figure, &asked)) {
        let reason = format!("it gives \"{}\", but the question has no answer", figure.shown(&lines));
        return Refusal { shown: Some(false), reason };
    }
    let clauses: Vec<(&Line, Vec<&Token>)> = lines.iter().flat_map(clauses).collect();
    let mut said: Vec<Act> = clauses.iter().map(|(line, tokens)| act(line, tokens)).collect();
    // `I could look up Russia, Kazakhstan or Ukraine`: the offer continues.
    for at in 1..clauses.len() {
        let (Some((before, _)), Some((line, tokens))) = (clauses.get(at - 1), clauses.get(at)) else {
            continue;
        };
        let names = tokens.first().is_some_and(|first| is_name(first));
        let goes_on = std::ptr::eq(*before, *line) && names && !tokens.iter().any(|token| token.is_verb());
        if goes_on && said.get(at - 1) == Some(&Act::Offers) && said.get(at) == Some(&Act::Says) {
            said.get_mut(at).into_iter().for_each(|act| *act = Act::Offers);
        }
    }
    let declines = said.iter().any(|act| matches!(act, Act::Declines | Act::Lacks));
    let named =
        clauses.iter().zip(&said).filter(|(_, act)| **act != Act::Offers).find_map(|((line, tokens), _)| {
            let token = tokens.iter().find(|token| is_name(token) && !names(&asked, token))?;
            let denied = tokens.iter().any(|token| token.operator("negation"));
            Some((line.sentence.shown(&token.range).to_owned(), denied))
        });
    match named {
        Some((name, false)) if !declines && asks_value => {
            return Refusal { shown: Some(false), reason: format!("it names {name} and does not decline") };
        }
        Some((name, _)) => return open(&format!("it names {name}")),
        None => {}
    }
    let counts = |figure: &&Figure| figure.digits || figure.quantity.unit != Unit::Count;
    if let Some(figure) = figures.iter().find(counts) {
        return open(&format!("it gives \"{}\" of another year or place", figure.shown(&lines)));
    }
    match said.iter().position(|act| *act == Act::Says) {
        _ if !declines => open("it does not plainly decline"),
        Some(_) => open("it declines, but says more than that"),
        None => Refusal { shown: Some(true), reason: "it declines and gives no value".to_owned() },
    }
}

/// What a clause does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// It declines.
    Declines,
    /// It says that the data lack it.
    Lacks,
    /// It offers something, asks, is polite, or describes the data.
    Offers,
    /// It makes another statement.
    Says,
}

/// Whether a line declines and says nothing else.
pub(super) fn declines(line: &Line) -> bool {
    let clauses = clauses(line);
    !clauses.is_empty() && clauses.iter().all(|(line, tokens)| act(line, tokens) == Act::Declines)
}

/// The clauses of a sentence with their tokens, without marks.
fn clauses(line: &Line) -> Vec<(&Line, Vec<&Token>)> {
    let tokens = &line.sentence.tokens;
    let words = |at: &usize| tokens.get(*at).filter(|token| !token.is_mark());
    let of = |clause: &crate::language::sentence::Clause| clause.tokens.iter().filter_map(words).collect();
    line.clauses
        .iter()
        .map(of)
        .filter(|tokens: &Vec<&Token>| !tokens.is_empty())
        .map(|tokens| (line, tokens))
        .collect()
}

fn act(line: &Line, tokens: &[&Token]) -> Act {
    let text = tokens.iter().skip_while(|token| matches!(token.folded.as_str(), "but" | "and" | "so"));
    let text: String = text.flat_map(|token| [" ", token.folded.as_str()]).collect::<String>() + " ";
    let has = |list: &str| lexicon::says(list, &text);
    let begins =
        |list: &str| lexicon::list(list).iter().any(|phrase| text.starts_with(&format!(" {phrase} ")));
    let quotes = line.sentence.text.contains(['"', '“', '«']);
    // `outside my scope` is not an exception.
    let excepts =
        tokens.iter().any(|token| token.operator("exception") && !token.folded.starts_with("outside"));
    let unwilling = lexicon::list("unwilling").iter().any(|start| {
        let after = text.split_once(&format!(" {start} ")).map(|(_, after)| after);
        after.is_some_and(|after| {
            lexicon::list("declined").iter().any(|verb| after.starts_with(&format!("{verb} ")))
                || lexicon::listed("declined_alone", after.trim())
        })
    });
    // `Although it was dissolved in 1991, it exported mostly oil.`
    let concedes = tokens.first().is_some_and(|first| first.listed("concession"));
    let plain = !quotes && !excepts && !concedes;
    if plain && (unwilling || has("data_none") || has("out_of_scope")) {
        Act::Declines
    } else if plain && has("data_noun") && has("data_lacks") {
        Act::Lacks
    } else if line.sentence.question
        || begins("offer")
        || has("of_data") && !quotes && !tokens.iter().any(|token| token.operator("hedge"))
        || is_speaker(tokens)
        // `that concerns income`
        || matches!(tokens, [first, next, ..] if first.role("deictic") && next.listed("refers"))
        || tokens.iter().all(|token| says_nothing(token))
    {
        Act::Offers
    } else {
        Act::Says
    }
}

/// Whether a token is an empty phrase: `Thank you for the question`, `**Answer**`.
fn says_nothing(token: &Token) -> bool {
    let words = token.folded.split(' ').all(|word| listed("polite", word) || listed("talk", word));
    words || token.role("final") || token.role("article") || token.role("preposition")
}

/// Whether the speaker describes their work without an opinion: `I deal with trade only`.
fn is_speaker(tokens: &[&Token]) -> bool {
    let opinion =
        |token: &&Token| token.operator("hedge") || token.operator("question") || token.operator("condition");
    let first =
        tokens.iter().find(|token| !token.role("and") && !token.role("clause") && !token.role("adverb"));
    first.is_some_and(|first| matches!(first.folded.as_str(), "i" | "my" | "we" | "our"))
        && !tokens.iter().any(|token| opinion(token) || token.operator("negation"))
        && tokens.iter().any(|token| token.listed("speaker_does"))
}

/// Whether a figure answers the question: not for another year or country, not a count, not denied or conditional.
fn is_value(figure: &Figure, asked: &Sentence) -> bool {
    let period = |token: &Token| match token.kind {
        Kind::Period(period) => Some(period),
        _ => None,
    };
    let years: Vec<Period> = asked.tokens.iter().filter_map(period).collect();
    let of_year =
        figure.said.periods.is_empty() || figure.said.periods.iter().any(|said| years.contains(said));
    let of_place = figure
        .said
        .countries
        .iter()
        .all(|(id, _)| asked.tokens.iter().any(|token| token.kind == Kind::Country(*id)));
    let open = |operator: &str| figure.said.operators.iter().any(|(kind, _)| *kind == operator);
    of_year
        && of_place
        && figure.counted.is_none()
        && !open("negation")
        && !open("condition")
        && !open("question")
}

fn is_name(token: &Token) -> bool {
    matches!(token.kind, Kind::Country(_) | Kind::Product(_))
}

/// Whether the question contains the token.
fn names(asked: &Sentence, token: &Token) -> bool {
    asked.tokens.iter().any(|own| own.kind == token.kind || own.folded == token.folded)
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
