//! The words of the sentence that gives the value: each must be one that right answers to such questions have used.

use crate::answer::candidate::{Claim, unclear};
use crate::answer::line::Line;
use crate::answer::place::change::has_amount;
use crate::answer::point::Expected;
use crate::answer::question::asked::Asked;
use crate::answer::question::record::row_names;
use crate::answer::reading::Answer;
use crate::language::answer_words::is_word;
use crate::language::token::{Class, Kind, Token};

/// Why a sentence that gives the true value may say something else of it: no right answer has used one of its words.
pub(crate) fn doubt(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    claim.given(lines).find_map(|line| other_word(asked, line)).map(unclear)
}

/// The first such word. `After we archived the page, …` tells of the search, and an adverb of its manner.
fn other_word<'a>(asked: &Asked<'_>, line: &'a Line) -> Option<&'a str> {
    let topic = asked.topic();
    let is_free = |at: usize, token: &Token| {
        has_amount(line, at)
            || token.kind != Kind::Words
            || token.is_manner()
            || token.role("adverb")
            || token.role("lead")
            || token.class == Some(Class::Adverb)
            || token.operator("about")
            || token.listed("in_percent")
            || asked.gives(&token.folded)
    };
    let clauses =
        line.clauses.iter().map(|clause| clause.tokens.iter().filter_map(|at| Some((*at, line.token(*at)?))));
    let asserting = clauses.filter(|tokens| !tokens.clone().any(|(_, token)| token.listed("person")));
    let words = asserting.flatten().filter(|(at, token)| !is_free(*at, token)).flat_map(|(at, token)| {
        let is_modifier = modifies(&line.sentence.tokens, at);
        token.folded.split(' ').map(move |word| (word, is_modifier))
    });
    words
        .filter(|(word, _)| is_word(word))
        .find(|(word, is_modifier)| {
            !asked.knows(word) && !asked.of_another_row(word) && !topic.uses(word, *is_modifier)
        })
        .map(|(word, _)| word)
}

/// The words of an answer to a question, and whether each stands where it may make another of a measure or a product. The list of
/// words that right answers have used is made of them.
#[must_use]
pub fn words(expected: &[Expected], question: Option<&str>, text: &str) -> Vec<(String, bool)> {
    let answer = Answer::read(text, &row_names(expected, text), question);
    // `Shall I list the groups that shrank as well?`
    let stated = answer.lines.iter().filter(|line| !line.sentence.question);
    let sentences = stated.flat_map(|line| line.heads.iter().chain(&line.headings).chain([&line.sentence]));
    let words = sentences.flat_map(|sentence| {
        let said = sentence.tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Words);
        said.flat_map(|(at, token)| {
            let is_modifier = modifies(&sentence.tokens, at);
            token.folded.split(' ').map(move |word| (word.to_owned(), is_modifier))
        })
    });
    words.filter(|(word, _)| is_word(word)).collect()
}

/// Whether an unknown word stands before a measure or a product, and so may make another of it: `bunker imports`, `roasted coffee`.
fn modifies(tokens: &[Token], at: usize) -> bool {
    let is_noun = |token: &Token| {
        let is_thing = matches!(token.class, None | Some(Class::Noun | Class::Adjective));
        token.unknown() && !token.is_manner() && (is_thing || token.is_participle())
    };
    let mut next = tokens.iter().skip(at).skip_while(|token| is_noun(token));
    tokens.get(at).is_some_and(is_noun)
        && next.next().is_some_and(|head| {
            matches!(head.kind, Kind::Product(_)) || head.means() || !head.terms.is_empty()
        })
}
