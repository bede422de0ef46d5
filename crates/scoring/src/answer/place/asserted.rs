//! Decides the place of a statement: the requested value, another row, another context, not asserted, or unclear.

use crate::answer::candidate::Place;
use crate::answer::context::{differs, differs_alone};
use crate::answer::contrast::is_set_off;
use crate::answer::line::Line;
use crate::answer::names::rank::later;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::token::{Kind, Token};
use crate::value::{AnswerField, ContextPart, Unit};
use rust_decimal::Decimal;

/// The place of a statement with this context, by the first check that applies: it is not asserted, it belongs to something else,
/// or its meaning is unclear.
pub(crate) fn place(asked: &Asked<'_>, said: &Said, line: &Line) -> Place {
    let said = &*said.with_contrasts(|contrast| is_set_off(asked, contrast));
    let is_other_row = !said.rows.is_empty() && !said.rows.contains(&asked.row);
    why_asks(line)
        .or_else(|| is_other_row.then_some(Place::OtherSlot))
        .or_else(|| differs(asked, said).map(Place::OtherContext))
        .or_else(|| why_left_out(asked, said))
        .or_else(|| why_oil(asked, said))
        .or_else(|| why_former(said))
        .or_else(|| why_other_position(asked, line))
        .or_else(|| {
            (begins_past(line) || ends_past(line) || of_words(asked) && holds_past(line))
                .then(|| Place::differing(ContextPart::Tense, "the time before"))
        })
        .or_else(|| why_minute(asked, line))
        .or_else(|| why_against(asked, line))
        .or_else(|| why_cleft(asked, line))
        .or_else(|| why_not_asserted(asked, said))
        .unwrap_or(Place::Asked)
}

/// The sentence ends in what denies the name or term: `… is what the Atlas advises against`, but not `weighed against`.
fn why_against(asked: &Asked<'_>, line: &Line) -> Option<Place> {
    let mut words = line.sentence.tokens.iter().rev().filter(|token| !token.is_mark());
    let last = words.next()?;
    let is_set = words.next().is_some_and(Token::is_participle);
    (of_words(asked) && last.folded == "against" && !is_set).then(|| Place::denied(&last.folded))
}

/// The sentence is a question or supposition: `Is Kenya's …`, `Were it …`.
fn why_asks(line: &Line) -> Option<Place> {
    if line.sentence.question {
        return Some(Place::under("a question asserts nothing"));
    }
    let first = line.token(0)?;
    let inverts =
        first.role("be") && !matches!(first.folded.as_str(), "s" | "being") || first.listed("inverts");
    let goes_on = line.token(1).is_some_and(|next| next.number().is_none());
    (inverts && goes_on && !line.passage.cell)
        .then(|| Place::under("a question or a supposition asserts nothing"))
}

/// The answer includes what the question excludes: `with` instead of `without comparative advantage`.
pub(crate) fn why_left_out(asked: &Asked<'_>, said: &Said) -> Option<Place> {
    let question = asked.question.as_ref().map_or(&[][..], |question| &question.tokens);
    let pairs =
        question.windows(2).filter(|pair| pair.first().is_some_and(|token| token.operator("exception")));
    let mut left_out = pairs.filter_map(|pair| pair.last()).flat_map(|token| &token.tags);
    (!excepts(said) && left_out.any(|tag| tag.0 == "metric" && said.tags.contains(tag)))
        .then(|| Place::unplaced("it does not exclude what the question excludes"))
}

fn excepts(said: &Said) -> bool {
    said.operators.iter().any(|(kind, _)| matches!(*kind, "exception" | "negation"))
}

/// The answer includes oil, but the question asks for exports without oil: `counting oil as well`.
fn why_oil(asked: &Asked<'_>, said: &Said) -> Option<Place> {
    let non_oil = ("modifier", "non_oil");
    let says_oil = said.words.iter().any(|word| word == "oil") && !said.tags.contains(&non_oil);
    (asked.tags.contains(&non_oil) && says_oil && !excepts(said)).then(|| Place::other("the modifier, oil"))
}

/// The answer does not say what it refers to: `the former is $5`.
fn why_former(said: &Said) -> Option<Place> {
    let names = |(kind, word): &&(&str, String)| matches!(*kind, "former" | "latter") && word.contains(*kind);
    let (_, word) = said.operators.iter().find(names)?;
    Some(Place::unplaced(format!("it does not say what \"{word}\" refers to")))
}

/// Another position than that of the question: `the second opportunity` instead of the first.
fn why_other_position(asked: &Asked<'_>, line: &Line) -> Option<Place> {
    let is_position =
        |token: &Token| token.listed("ordinal") || token.operator("former") || token.operator("latter");
    let question = asked.question.as_ref().filter(|_| asked.rows == 1)?;
    let own: Vec<&Token> = question.tokens.iter().filter(|token| is_position(token)).collect();
    let is_own = |token: &Token| own.iter().any(|own| own.folded.ends_with(&token.folded));
    let is_other = |token: &&Token| is_position(token) && !is_own(token);
    // `ICT came second among its exports`
    let is_first = asked.one.rank == Some(1) && !asked.one.names.is_empty();
    let is_lower = |token: &&Token| {
        let rank = token.number().filter(|number| number.unit == Unit::Rank);
        is_first && rank.is_some_and(|rank| rank.number > Decimal::ONE)
    };
    // `Canada; second place went to someone far behind`
    let of_names = |part: &&[Token]| part.iter().any(Token::is_name);
    let mut named = line.sentence.tokens.split(|token| token.mark(';')).filter(of_names).flatten();
    let mut tokens = line.sentence.tokens.iter();
    let asks_most = question.tokens.iter().any(|token| token.is("comparative", "most"));
    // `its second largest share`
    let second = |pair: &[Token]| matches!(pair, [second, largest] if later(second) && largest.is("comparative", "most"));
    let pairs = line.sentence.tokens.windows(2).filter(|_| asks_most && own.is_empty());
    let second = pairs.filter(|pair| second(pair)).find_map(<[Token]>::first);
    let other =
        named.find(is_lower).or_else(|| tokens.find(is_other).filter(|_| !own.is_empty())).or(second)?;
    Some(Place::differing(ContextPart::Position, format!("the position, {}", other.folded)))
}

/// An operator or an unknown word applies. A statement about another time or source is placed there in any case.
fn why_not_asserted(asked: &Asked<'_>, said: &Said) -> Option<Place> {
    let under = operator(asked, said);
    if matches!(under, Some(Place::OtherContext(_))) {
        return under;
    }
    let is_unknown = |word: &&String| !asked.knows(word) && !asked.products.contains(*word);
    let unknown = said.unknown.iter().find(is_unknown);
    unknown.map(|word| Place::unclear(word)).or(under)
}

/// The operator that keeps it from being an assertion.
pub(crate) fn operator(asked: &Asked<'_>, said: &Said) -> Option<Place> {
    let elsewhere = |kind: &str| matches!(kind, "past" | "future" | "elsewhere");
    // Another time or source takes precedence over doubts.
    let (first, then): (Vec<_>, Vec<_>) = said.operators.iter().partition(|(kind, _)| elsewhere(kind));
    for (kind, word) in first.into_iter().chain(then) {
        let exempt = asked.knows(word) && !matches!(*kind, "negation" | "wrong");
        let place = match *kind {
            // `Cars lie far from its exports.`
            "negation" if word.starts_with("far from") && asked.has("metric", "distance") => None,
            "negation" => Some(Place::denied(word)),
            "set_off" => Some(Place::under(format!("\"{word}\" may not apply to it"))),
            "hedge" if word == "should" && asked.is_projection() => None,
            "hedge" if !exempt => Some(Place::under(format!("\"{word}\" expresses doubt"))),
            "condition" => Some(Place::under(format!("\"{word}\" makes it conditional"))),
            "question" if !exempt => Some(Place::under(format!("\"{word}\" makes it a question"))),
            "wrong" | "stale" | "other" if !exempt => Some(Place::under(format!("\"{word}\" retracts it"))),
            "exception" if word == "times" && asked.knows("ratio") => None,
            "exception" if !exempt => Some(Place::under(format!("\"{word}\" excludes something"))),
            "withdrawn" => Some(Place::withdrawn(word)),
            "past" | "future" if !(exempt || *kind == "future" && asked.is_projection()) => {
                Some(Place::differing(ContextPart::Tense, format!("the time, \"{word}\"")))
            }
            "elsewhere" if !exempt => Some(Place::other(format!("the source, \"{word}\""))),
            _ => None,
        };
        if place.is_some() {
            return place;
        }
    }
    None
}

/// Whether a sentence or one of its heads begins with such a past time.
pub(crate) fn begins_past(line: &Line) -> bool {
    let heads = line.heads.iter().map(|head| &head.tokens);
    std::iter::once(&line.sentence.tokens).chain(heads).any(|tokens| {
        let mut words = tokens.iter().filter(|token| !token.role("article"));
        words.next().zip(words.next()).is_some_and(|(first, second)| is_past(first, second))
    })
}

/// Whether a sentence holds such a past time: `Its grade was B before the revision.`, `It once got a B.`
fn holds_past(line: &Line) -> bool {
    // `its past strategy`
    let of_past =
        |pair: &[Token]| matches!(pair, [past, noun] if past.folded == "past" && noun.listed("states_term"));
    if line.sentence.tokens.windows(2).any(of_past) {
        return true;
    }
    let at = line.sentence.tokens.iter().position(|token| token.folded == "once");
    if at.and_then(|at| line.before(at, 1)).is_some_and(|before| !before.is_mark() && !before.role("and")) {
        return true;
    }
    let words: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.role("article")).collect();
    words.windows(2).any(|pair| matches!(pair, [before, then] if is_past(before, then) && !then.is_name()))
}

/// Whether a sentence says until when it held, without a year: `… until the last revision`.
fn ends_past(line: &Line) -> bool {
    let ends = |pair: &[&Token]| matches!(pair, [until, then] if matches!(until.folded.as_str(), "until" | "till") && !matches!(then.kind, Kind::Period(_) | Kind::Number(_)));
    // `… before it was moved up`
    let was = |three: &[&Token]| matches!(three, [before, it, was] if before.folded == "before" && it.role("pronoun") && was.role("be"));
    let tokens: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.role("article")).collect();
    tokens.windows(2).any(ends) || tokens.windows(3).any(was)
}

/// Whether a name, a code or words answer the question.
fn of_words(asked: &Asked<'_>) -> bool {
    let of_name = |field: &AnswerField| matches!(field, AnswerField::Name | AnswerField::Code);
    asked.number().is_none() || asked.fields().iter().all(of_name)
}

/// It makes a name or term small instead of choosing it: `drove hardly any of the growth`, `holds a tiny share`.
fn why_minute(asked: &Asked<'_>, line: &Line) -> Option<Place> {
    let chooses = of_words(asked);
    let tokens = &line.sentence.tokens;
    let is_share = |pair: &[Token]| {
        matches!(pair, [small, share] if small.listed("minute")
            && (share.holds("share_noun") || share.tagged("metric") || share.tagged("flow")))
    };
    let is_small = |pair: &[Token]| matches!(pair, [be, small] if be.role("be") && small.listed("minute"));
    let pairs = || tokens.windows(2).filter(|pair| is_share(pair) || is_small(pair));
    let word = tokens.iter().find(|token| token.listed("nearly_none"));
    let word = word.or_else(|| pairs().flatten().find(|token| token.listed("minute")));
    word.filter(|word| chooses && !line.passage.cell && !asked.knows(&word.folded))
        .map(|word| Place::unclear(&word.folded))
}

/// A cleft is about something else, or does not assert: `It was Brazil's exports to China that were worth …`, `It is Chad where it
/// has not started`, `It is a fairy tale that …`.
fn why_cleft(asked: &Asked<'_>, line: &Line) -> Option<Place> {
    let mut parts = line.sentence.tokens.split(|token| token.mark(';'));
    parts.find_map(|part| cleft(asked, part))
}

fn cleft(asked: &Asked<'_>, part: &[Token]) -> Option<Place> {
    let mut tokens = part.iter().skip_while(|token| token.role("lead") || token.is_mark()).peekable();
    tokens.next_if(|token| token.is_it()).and(tokens.next_if(|token| token.role("be")))?;
    let rest: Vec<&Token> = tokens.collect();
    let phrase = rest.get(..rest.iter().position(|token| token.role("relative"))?)?;
    let leaves_open = |token: &&Token| token.number().is_some() || token.operator("negation");
    let names = |token: &&Token| {
        token.means()
            || token.is_name()
            || matches!(token.kind, Kind::Period(_))
            || token.folded.len() > 3 && asked.knows(&token.folded)
    };
    let is_that = rest.get(phrase.len()).is_some_and(|token| token.folded == "that");
    let asserts = |token: &&&Token| {
        token.is_mark() || token.role("article") || token.role("adverb") || token.listed("asserts_that")
    };
    if is_that
        && !phrase.iter().any(|token| names(token) || leaves_open(token))
        && let Some(word) = phrase.iter().find(|token| !asserts(token))
    {
        return Some(Place::unclear(&word.folded));
    }
    let is_about =
        |token: &&&Token| token.tagged("flow") || matches!(token.kind, Kind::Country(_) | Kind::Period(_));
    let other = phrase.iter().filter(is_about).find(|token| differs_alone(asked, token))?;
    (!phrase.iter().any(leaves_open)).then(|| Place::other(format!("\"{}\"", other.folded)))
}

/// Whether two tokens name a past time without a year: `before the recession`.
pub(crate) fn is_past(before: &Token, then: &Token) -> bool {
    matches!(before.folded.as_str(), "before" | "prior to")
        && !matches!(then.kind, Kind::Period(_) | Kind::Number(_))
        && !then.role("pronoun")
        && !then.folded.ends_with("ing")
}
