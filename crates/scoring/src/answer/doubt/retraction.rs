//! Sentences behind a value that take it back or give it to something else, without a word that says so: commands, another name,
//! another number, the opposite direction.

use crate::answer::context::differs_alone;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Class, Kind, Token};

/// The word with which a sentence takes the value back, if it does.
pub(crate) fn of_value<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    order(tokens)
        .or_else(|| turn(asked, tokens))
        .or_else(|| replacement(asked, tokens))
        .or_else(|| spelling(asked, tokens))
}

/// The start of a sentence, if it has no verb and stands alone: `Nepal's slice of the cake; …`, `Imports, to be exact`, `Per
/// quarter, though`.
pub(crate) fn opening(tokens: &[Token]) -> Option<&[Token]> {
    let ends = |token: &Token| {
        token.mark(';')
            || token.role("clause")
            || token.role("relative")
            || matches!(token.folded.as_str(), "as" | "to")
    };
    let comma =
        |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.mark(','));
    // `Argentina's tally, squeezed into Brazil's box`
    let describes = |at: usize| comma(at) && tokens.get(at).is_some_and(|token| token.folded.ends_with("ed"));
    let such = |at: usize| {
        at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.folded == "such")
    };
    let end = (1..tokens.len()).find(|at| tokens.get(*at).is_some_and(ends) && !such(*at) || describes(*at));
    let end = end.unwrap_or(tokens.len());
    let opening = tokens.get(..end)?;
    let first = opening.iter().find(|token| !token.is_mark())?;
    let words = opening.iter().filter(|token| !token.is_mark()).count();
    let compares =
        |token: &Token| token.operator("comparison") || token.operator("free") || token.tagged("comparative");
    let says = |token: &Token| {
        let acts = token.tagged("direction") || token.tagged("thing") || token.operator("exception");
        token.folded != "s" && (token.role("be") || token.states())
            || acts
            || token.mark(':')
            || token.mark('→')
    };
    let is_alone = (1..=8).contains(&words)
        && !first.is_it()
        && !first.role("lead")
        && !first.is_demonstrative()
        && !opening.iter().any(|token| says(token) || compares(token) || token.number().is_some());
    is_alone.then_some(opening)
}

/// The word at the start, or in a short sentence, that turns a change round: `Fell, I should say.`, `With hindsight, shrunk.`
fn turn<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let change = asked.number().filter(|_| asked.is_change())?.number;
    let words = || tokens.iter().filter(|token| !token.is_mark() && !token.role("article"));
    if tokens.iter().any(|token| token.operator("negation")) {
        return None;
    }
    let is_short = words().count() <= 4;
    let word = words().take(if is_short { 4 } else { 2 }).find(|token| token.direction().is_some())?;
    (!change.is_zero() && word.direction() == Some(change.is_sign_negative())).then_some(word)
}

/// Another name that takes the value over in a word: `Chile's did.`, `Morocco is, I mean.`, `Nauru, beg your pardon.`, or what
/// the speaker read instead: `Ships were what I had on the screen.`
fn replacement<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let start = tokens.iter().position(|token| !token.role("article"))?;
    let first = tokens.get(start)?;
    let mut rest = tokens.get(start + 1..)?;
    if let [s, behind @ ..] = rest
        && s.folded == "s"
    {
        rest = behind;
    }
    let ends = |token: Option<&Token>| token.is_none_or(Token::is_mark);
    let speaks = |token: &Token| {
        token.listed("speaker") || token.class == Some(Class::Verb) && !token.folded.ends_with("ed")
    };
    let is_other = first.is_name() && differs_alone(asked, first);
    let takes_over = match rest {
        [verb, next @ ..] if verb.role("be") || verb.listed("stands_for_verb") => ends(next.first()),
        [comma, next, ..] => comma.mark(',') && speaks(next),
        _ => false,
    };
    let is_read = |pair: &[Token]| matches!(pair, [what, i] if what.folded == "what" && i.listed("speaker"));
    let is_what = rest.first().is_some_and(|be| be.role("be")) && rest.windows(2).any(is_read);
    (is_other && takes_over || is_what).then_some(first)
}

/// The part of a number's spelling that a remark is about: `The minus was a greasy thumb on the keyboard.`, but not `The minus
/// means a deficit.`
fn spelling<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    asked.number()?;
    let explains = |token: &Token| token.listed("defines") || token.listed("refers");
    let subject = tokens.get(..tokens.iter().position(|token| token.states())?)?;
    let is_digit = |pair: &[Token]| matches!(pair, [the, part] if (the.folded == "the" || the.number().is_some()) && part.listed("digits"));
    let part = subject.windows(2).find(|pair| is_digit(pair))?.last();
    part.filter(|_| !tokens.iter().any(explains))
}

/// The word with which the speaker or the reader is to do something to the value.
fn order(tokens: &[Token]) -> Option<&Token> {
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_mark()).collect();
    let comma = tokens.iter().position(|token| token.mark(',')).unwrap_or(tokens.len());
    let behind: Vec<&Token> = tokens.iter().skip(comma).filter(|token| !token.is_mark()).collect();
    // `Whatever you do, keep it out of the report.`
    let opens = words.first().is_some_and(|first| first.folded.starts_with("whatever"));
    advice(&words).or_else(|| command(&words)).or_else(|| command(&behind).filter(|_| opens))
}

/// The word with which the speaker would do something to the value: `I'd set that aside.`, `I would let go of that one.`
fn advice<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let said = |token: &Token, list: &str| token.folded.split(' ').any(|word| lexicon::listed(list, word));
    let speaker = words.iter().take(3).position(|token| said(token, "speaker"))?;
    let (first, behind) = words.get(speaker..)?.split_first()?;
    let would = |token: &&Token| said(token, "modal") || token.folded.split(' ').any(|word| word == "d");
    let modal = [*first].into_iter().chain(behind.first().copied()).find(would)?;
    // `I would be glad to compare that with …`
    let is_offer = behind.iter().any(|token| token.listed("willing") || token.folded == "if");
    (!is_offer && behind.iter().any(|token| is_object(token))).then_some(modal)
}

/// Whether a token stands for the value as an object: `set that aside`.
fn is_object(token: &Token) -> bool {
    token.listed("object_pronoun") || token.folded.ends_with(" one")
}

/// The verb of a command to do something to the value: `Let that one go.`, `You may drop it again.`
fn command<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let opens = |token: &&&Token| {
        token.listed("begins_command")
            || token.listed("modal")
            || token.tagged("comparative")
            || ["lead", "adverb", "and", "clause"].iter().any(|role| token.role(role))
    };
    let verb = words.iter().take_while(opens).count();
    let [verb, object, behind @ ..] = words.get(verb..)? else { return None };
    let other = ["preposition", "article", "pronoun", "deictic", "be", "relative", "final"];
    let is_verb = verb.kind == Kind::Words
        && !verb.folded.contains(' ')
        && !matches!(verb.class, Some(Class::Adverb | Class::Function | Class::Adjective))
        && !other.iter().any(|role| verb.role(role))
        && !verb.is_name()
        && (!verb.listed("asks_reader") || verb.folded == "keep");
    // `Notice that the year matters.`
    let ends = |next: &&Token| {
        next.role("preposition") || next.role("adverb") || next.unknown() || next.folded == "one"
    };
    let joins = object.folded == "that" && behind.first().is_some_and(|next| !ends(next));
    // `Make the T an M.`, `Move both ends back by a decade.`
    let is_base = !["ed", "ing", "s"].iter().any(|end| verb.folded.ends_with(end));
    // `Growth: these exports …`
    let is_next = object.range.start <= verb.range.end + 1;
    let is_thing = is_base
        && !verb.operator("negation")
        && !verb.listed("asks_of_thing")
        && object.folded != "an"
        && (object.role("article") || matches!(object.folded.as_str(), "both" | "all" | "your"));
    (is_verb && is_next && (is_object(object) && !joins || is_thing)).then_some(*verb)
}
