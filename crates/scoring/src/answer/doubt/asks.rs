//! Questions and offers behind the value that doubt it: `Could that be Uganda's number?`, `Let me know if you want the actual value.`

use crate::answer::context::differs_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};

/// Whether a line behind the value doubts it by a question, an offer or a plan to look it up. `next` is the line behind it.
pub(super) fn doubts(asked: &Asked<'_>, line: &Line, next: Option<&Line>) -> bool {
    asks_of_it(line, next)
        || offers_right_one(asked, line)
        || lexicon::says("looks_again", &line.passage.text)
}

/// Whether a line asks whether the value is so: `But is it?`, `Does the page really say that?`, but not `Does that help you?` or a
/// question that the answer answers: `Is it high? Yes.`
fn asks_of_it(line: &Line, next: Option<&Line>) -> bool {
    let is_affirmed = next.and_then(|next| next.token(0)).is_some_and(|first| first.is("polarity", "yes"));
    let words: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.is_mark()).collect();
    let lead = words
        .iter()
        .take_while(|token| token.folded == "but" || token.role("and") || token.role("lead"))
        .count();
    let [verb, rest @ ..] = words.get(lead..).unwrap_or_default() else { return false };
    let asks = verb.role("be")
        || verb.listed("begins_question")
        || verb.operator("negation")
        || verb.listed("modal");
    let subject = rest.iter().find(|token| !token.role("article") && !token.operator("negation"));
    let is_it = subject.is_some_and(|token| {
        token.is_it() || token.is_demonstrative() || token.holds("site_noun") || token.holds("value_noun")
    });
    let is_to_reader = |token: &&Token| {
        token.folded.split(' ').any(|word| {
            lexicon::listed("person", word)
                || matches!(word, "you" | "help" | "helps")
                || lexicon::listed("weighs", word)
        })
    };
    // `Would you trust a number I dreamt last night?`
    let is_trust =
        words.iter().any(|token| token.folded.split(' ').any(|word| lexicon::listed("trusts", word)));
    line.sentence.question && asks && (is_it && !is_affirmed && !words.iter().any(is_to_reader) || is_trust)
}

/// Whether a line offers the right value of what was asked for: `Would you like the real one?`, but not `… the actual figures for
/// Uganda`.
fn offers_right_one(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let is_place = |next: &Token| matches!(next.folded.as_str(), "away" | "now" | "here");
    let is_right =
        |(at, token): (usize, &Token)| token.holds("genuine") && !tokens.get(at + 1).is_some_and(is_place);
    let names = |token: &Token| {
        (token.is_name() || matches!(token.kind, Kind::Period(_))) && differs_alone(asked, token)
    };
    // `Shall I look up the one for Kenya?`, `Should I now check the Atlas?`
    let own = |token: &Token| asked.country.is_some_and(|own| token.kind == Kind::Country(own));
    let is_asked = |three: &[Token]| {
        matches!(three, [one, of, who]
            if (one.folded == "one" || one.ends_in("value_noun"))
                && matches!(of.folded.as_str(), "for" | "of" | "from")
                && own(who))
    };
    let looks = tokens.iter().any(|token| token.listed("looks_up"))
        && tokens.iter().any(|token| token.holds("site_noun"))
        && !tokens.iter().any(Token::unknown);
    let offers = line.begins_offer()
        && (tokens.iter().enumerate().any(is_right) || tokens.windows(3).any(is_asked) || looks);
    offers && !tokens.iter().any(names)
}
