//! Reads sentences about the answer itself and how it was made. Any word that is not known to be harmless may retract the answer.

use super::says_nothing::{
    any_projection, is_definition, leaves_another_alone, says_nothing, tells_of_other_sources,
};
use crate::answer::candidate;
use crate::answer::context::{differs, differs_alone};
use crate::answer::line::Line;
use crate::answer::place::change::restates_growth;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::lexicon::{Tag, listed};
use crate::language::token::{Class, Kind, Token};
use crate::value::{Scope, Statistic, Unit};

/// Why such a sentence may retract the answer: `The entry was imputed.` `tokens` are the line without its contrasts.
pub(crate) fn doubt(asked: &Asked<'_>, line: &Line, tokens: &[&Token]) -> Option<String> {
    let includes_oil = includes_oil(asked, line, tokens, 0);
    if includes_oil.is_some() {
        return includes_oil;
    }
    if holds_figure(line, tokens) {
        return doubt_of_part(asked, line, tokens, false);
    }
    let words = || tokens.iter().copied().filter(|token| !token.is_mark());
    // `The Atlas puts it down to a lack of diversification of exports.`: that is another row.
    let is_other = |term: &Tag| term.0 != "sector" && !asked.terms.iter().any(|own| own.0 == term.0);
    let is_of_another = |token: &&Token| {
        let is_known = asked.knows(&token.folded);
        token.terms.iter().any(|term| term.0 == "policy" || is_known && is_other(term))
    };
    let of_another = asked.rows > 1 && tokens.iter().any(is_of_another);
    if of_another
        || says_nothing(asked, tokens)
        || leaves_another_alone(asked, tokens)
        || words().count() < 2
        || line.passage.text.trim_end().ends_with(':')
        || has_own_topic(asked, tokens)
        || !refers(asked, line, tokens)
    {
        return None;
    }
    // `That is the number of new products that it added to its exports.`
    let names_own = tokens.iter().any(|token| {
        token.tags.iter().any(|tag| tag.0 == "metric" && tag.1 != "trade" && asked.tags.contains(tag))
    });
    let describes = |token: &Token| {
        names_own && token.tags.iter().any(|tag| *tag == ("metric", "trade") || *tag == ("flow", "export"))
    };
    let deed = deed(tokens);
    // `…, and a lower place number means faster expected growth`
    let parts = tokens.split(|token| token.separates()).filter(|part| !is_definition(part));
    parts
        .flatten()
        .copied()
        .filter(|token| !describes(token))
        .filter(|token| deed.is_none_or(|deed| deed.range != token.range))
        .find(|token| says_another(asked, token))
        .map(|token| unclear(line, token))
}

/// Whether a remark refers to the answer, its making or its context: `Refineries on an island distil it.` does not.
fn refers(asked: &Asked<'_>, line: &Line, tokens: &[&Token]) -> bool {
    let is_sentence =
        tokens.iter().any(|token| token.states()) && line.passage.text.trim_end().ends_with('.');
    let about = |(at, token): (usize, &&Token)| {
        is_meta(token) && (at == 0 || !token.listed("third_person"))
            || at == 0 && token.folded.starts_with("what")
            || token.holds("site_noun")
            || token.number().is_some()
            || token.tagged("operator")
            || differs_alone(asked, token) && !token.tags.iter().any(|tag| asked.siblings.contains(tag))
    };
    !is_sentence || tokens.iter().enumerate().any(about)
}

/// Why a line may include the oil that the question leaves out: `Oil is included here.`, `3.2 % a year, oil included`. `from` is
/// the first token that counts.
fn includes_oil(asked: &Asked<'_>, line: &Line, tokens: &[&Token], from: usize) -> Option<String> {
    let leaves_out = |token: &&Token| {
        token.is("modifier", "non_oil") || token.operator("exception") || token.operator("negation")
    };
    let is_oil = |token: &Token| token.folded.split(' ').any(|word| word == "oil");
    let (at, oil) = tokens.iter().enumerate().skip(from).find(|(_, token)| is_oil(token))?;
    let is_left_out = tokens.iter().take(at + 1).any(leaves_out);
    (asked.has("modifier", "non_oil") && !is_left_out).then(|| unclear(line, oil))
}

/// Why a part of a sentence with figures may retract the answer. In the value's own sentence, only parts after the value count:
/// `3.28 %, measured against all that the country bought`, `$132B, although I would add that it excludes tourism`.
pub(crate) fn doubt_of_part(asked: &Asked<'_>, line: &Line, tokens: &[&Token], own: bool) -> Option<String> {
    let first = tokens.iter().position(|token| token.number().is_some())?;
    // `1.7 % a year; like any projection, it is uncertain`
    let any = if asked.is_projection() { any_projection(tokens) } else { None };
    let tokens = tokens.get(..any.unwrap_or(tokens.len()))?;
    let behind = tokens.get(first..)?;
    if own && let Some(why) = includes_oil(asked, line, tokens, first) {
        return Some(why);
    }
    // `Strictly speaking that is goods only; with services it is $425 billion.`
    let behind_only = own && !tokens.iter().take(first).any(|token| token.mark(';'));
    let from = if behind_only { behind } else { tokens };
    let mut parts = from.split(|token| token.separates()).skip(usize::from(behind_only)).filter(|part| {
        let tells = adds(part) || tells_of_value(part, own) && !has_own_topic(asked, part);
        // `PPP figures are considerably higher`
        let is_other = part.first().is_some_and(|first| differs_alone(asked, first))
            && part
                .iter()
                .rev()
                .find(|token| !token.is_mark())
                .is_some_and(|last| last.tagged("comparative"));
        let is_other = is_other || tells_of_other_sources(part);
        tells && !is_other && !holds_figure(line, part) && !part.iter().any(|token| token.operator("free"))
    });
    let part_of_it = || own.then(|| part_of_it(asked, behind)).flatten();
    let is_single = asked.rows == 1;
    let labelled = || {
        is_single
            .then(|| from.split(|token| token.separates()).find_map(|part| labelled(asked, part)))
            .flatten()
    };
    let fragment = || (own && is_single).then(|| differing_fragment(asked, line, behind)).flatten();
    let tail = || own.then(|| narrowing_tail(asked, line, behind)).flatten();
    let lone = || own.then(|| lone_operator(asked, behind)).flatten();
    part_of_it()
        .or_else(lone)
        .or_else(|| own.then(|| included(asked, behind)).flatten())
        .or_else(|| parts.find_map(|part| part.iter().copied().find(|token| says_another(asked, token))))
        .or_else(tail)
        .or_else(labelled)
        .or_else(fragment)
        .map(|token| unclear(line, token))
}

/// An operator that is a part of its own behind the value: `15.98 %, at first`, `0.1 % (at best)`, but not `3 places, upwards`.
fn lone_operator<'a>(asked: &Asked<'_>, behind: &[&'a Token]) -> Option<&'a Token> {
    const KINDS: [&str; 10] = [
        "bound_behind",
        "withdrawn",
        "hedge",
        "negation",
        "condition",
        "past",
        "stale",
        "wrong",
        "exception",
        "future",
    ];
    let counts = |token: &Token| {
        let is_direction = asked.is_change() && token.operator("bound_behind");
        let is_no = token.is("polarity", "no") && token.listed("denies");
        (is_no || KINDS.iter().any(|kind| token.operator(kind)))
            && !asked.knows(&token.folded)
            && !is_direction
    };
    let mut parts = behind.split(|token| token.separates()).skip(1);
    parts.find_map(|part| {
        let mut words = part.iter().filter(|token| !token.is_mark());
        let one = words.next().filter(|one| counts(one))?;
        words.next().is_none().then_some(*one)
    })
}

/// The other context that a part labels as such: `the chapter open at the time was 84, machinery`, `Destination: Argentina`.
fn labelled<'a>(asked: &Asked<'_>, part: &[&'a Token]) -> Option<&'a Token> {
    let is_label = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| part.get(at));
        part.get(at).is_some_and(|token| token.listed("context_label"))
            && before.is_none_or(|before| before.role("article") || before.role("lead"))
    };
    let label = (0..part.len()).find(|at| is_label(*at))?;
    let behind = part.get(label + 1..)?;
    let is = |token: &&Token| token.mark(':') || token.mark('=') || token.role("be") && token.folded != "s";
    let is_at = behind.iter().take(6).position(is)?;
    let is_code = part.get(label).is_some_and(|token| token.listed("before_product_code"));
    let is_other = |token: &&&Token| {
        is_code && token.number().is_some() && !asked.products.contains(&token.folded)
            || differs_alone(asked, token)
    };
    behind.iter().skip(is_at + 1).take(4).find(is_other).copied()
}

/// Another context in a part without a verb behind the value: `…, first point 2016, last point 2022`.
fn differing_fragment<'a>(asked: &Asked<'_>, line: &Line, behind: &[&'a Token]) -> Option<&'a Token> {
    let compares = |token: &&Token| {
        ["comparison", "free", "negation", "exception"].iter().any(|kind| token.operator(kind))
            || token.tagged("comparative")
            || token.tagged("direction")
    };
    if behind.iter().any(compares) {
        return None;
    }
    let is_fragment = |part: &&[&'a Token]| {
        let tells = |token: &&Token| token.states() || token.folded == "with";
        !part.iter().any(tells) && !holds_figure(line, part)
    };
    let mut parts = behind.split(|token| token.separates()).skip(1).filter(is_fragment);
    let is_other = |token: &&&Token| match token.kind {
        Kind::Period(period) => !asked.periods.contains(&period) && differs_alone(asked, token),
        _ => token.is_name() && !asked.knows(&token.folded) && differs_alone(asked, token),
    };
    parts.find_map(|part| part.iter().find(is_other).copied())
}

/// Whether a part adds context to the value: `11.95 % – but as a share of imports`, `…, which counts transport and nothing else`.
fn adds(part: &[&Token]) -> bool {
    let [first, next, ..] = part else { return false };
    // `…, counting the first three quarters only`
    let narrows = first.folded.ends_with("ing") && part.iter().any(|token| token.listed("exclusive"));
    narrows
        || match first.folded.as_str() {
            "as" => next.role("article") || !part.iter().any(|token| token.states()),
            "which" => next.listed("refers"),
            "being" | "where" => true,
            _ => false,
        }
}

/// Whether a part is about the value: it says how the value was made, or the value is its subject.
fn tells_of_value(part: &[&Token], own: bool) -> bool {
    // A value is singular: `…, i.e. they tripled` is about exports.
    let is_one = |token: &Token| {
        let first = token.folded.split(' ').next().unwrap_or_default();
        (is_meta(token) || listed("person", first)) && !matches!(first, "they" | "their" | "them")
    };
    let mut nouns = part.iter().filter(|token| !token.role("adverb") && !token.role("and"));
    let mut subject = part.iter().take_while(|token| !token.states());
    part.first().is_some_and(|first| first.listed("made_so"))
        || if own {
            subject.any(|token| is_one(token) || token.holds("site_noun"))
        } else {
            nouns
                .next()
                .is_some_and(|first| is_one(first) && (first.role("deictic") || first.role("pronoun")))
        }
}

/// The word that gives the value another meaning in a sentence that points back at where it was read, and has another figure: `The
/// column was in euros, and after conversion it comes out close to $38,000.`
pub(crate) fn points_elsewhere(asked: &Asked<'_>, line: &Line, tokens: &[&Token]) -> Option<String> {
    let mut pointing = Pointing::default();
    let parts = tokens.split(|token| token.separates() || token.mark(':'));
    let mut pointed = parts.filter(|part| pointing.take(asked, part) && !holds_figure(line, part));
    pointed.find_map(|part| {
        let said: Vec<Token> = part.iter().map(|token| (*token).clone()).collect();
        let word = part.iter().copied().find(|token| says_another(asked, token));
        let differs = || differs(asked, &Said::of_tokens(&said)).and(part.last().copied());
        word.or_else(differs).map(|word| unclear(line, word))
    })
}

/// Follows the subjects of a sentence's parts: whether they point back at where the value was read.
#[derive(Default)]
struct Pointing {
    /// Whether the last subject points.
    points: bool,
    /// Whether a subject without its verb points: `That row, I see now, is headed "Tanzania"`.
    open: bool,
}

impl Pointing {
    /// Takes the next part, and returns whether its subject points: `that sentence describes the ten years behind us`.
    fn take(&mut self, asked: &Asked<'_>, part: &[&Token]) -> bool {
        // `On closer reading that sentence …`
        let verb = part.iter().position(|token| token.states() && !token.folded.ends_with("ing"));
        let subject = part.get(..verb.unwrap_or(part.len())).unwrap_or_default();
        let is_source = |token: &Token| {
            ["value_noun", "meta_noun", "points_to_value"].iter().any(|list| token.holds(list))
        };
        let names = |pair: &[&Token]| {
            matches!(pair, [the, noun]
                if (the.is_demonstrative() || the.folded == "the") && is_source(noun))
        };
        let named = subject.windows(2).position(names);
        // `that sentence describes …`: the tagger may miss the verb
        let says_more = verb.is_some() || named.is_some_and(|at| part.len() > at + 2);
        let is_other =
            named.is_some_and(|at| subject.iter().skip(at).any(|token| differs_alone(asked, token)));
        let points = named.is_some() && !is_other;
        if verb == Some(0) {
            self.points |= std::mem::take(&mut self.open);
        } else if says_more {
            self.points = points;
        } else {
            self.open |= points;
        }
        says_more && self.points
    }
}

/// The word that splits the value by scope, if the question asks for one scope: `$7 trillion, of which services are a fifth`.
fn part_of_it<'a>(asked: &Asked<'_>, behind: &[&'a Token]) -> Option<&'a Token> {
    let of_it = |pair: &[&Token]| matches!(pair, [of, it] if of.folded == "of" && it.listed("points_at"));
    let is_one = matches!(asked.context.scope, Some(Scope::Goods | Scope::Services));
    let is_other = |token: &&&Token| token.tags.iter().any(|tag| tag.0 == "scope" && !asked.allows(*tag));
    behind.iter().find(is_other).filter(|_| is_one && behind.windows(2).any(of_it)).copied()
}

/// What is counted beside what was asked for: `$45 billion, tea and cocoa included`.
fn included<'a>(asked: &Asked<'_>, behind: &[&'a Token]) -> Option<&'a Token> {
    let is_included = |part: &&[&Token]| {
        let words: Vec<&&Token> = part.iter().filter(|token| !token.is_mark()).collect();
        let phrase =
            |words: &[&&Token]| words.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
        (1..=2)
            .filter_map(|count| words.get(words.len().checked_sub(count)?..))
            .any(|end| listed("includes", &phrase(end)))
    };
    let parts = behind.split(|token| token.separates()).skip(1).filter(is_included);
    let names = |token: &&&Token| {
        token.is_name() || token.tags.iter().any(|tag| matches!(tag.0, "flow" | "scope" | "metric"))
    };
    parts.flatten().find(|token| names(token) && differs_alone(asked, token)).copied()
}

/// The unknown word after the value that may narrow it: `…, counting from the bottom of the list`.
fn narrowing_tail<'a>(asked: &Asked<'_>, line: &Line, behind: &[&'a Token]) -> Option<&'a Token> {
    let is_thing = |token: &&&Token| {
        matches!(token.class, Some(Class::Noun | Class::Adjective)) && is_strange(asked, token)
    };
    let tails = behind.split(|token| token.separates()).skip(1);
    // `…, the year its borders reopened`
    let is_of_year = |part: &[&Token]| {
        part.iter().find(|token| !token.role("article")).is_some_and(|first| first.is_of_year())
    };
    let mut tails =
        tails.filter(|part| !holds_figure(line, part) && !has_own_topic(asked, part) && !is_of_year(part));
    // `…, averaged over three years`
    let made = |part: &[&'a Token]| {
        let first = *part.iter().find(|token| !token.is_manner())?;
        let is_made = first.folded.ends_with("ed") && !first.listed("puts_in_order");
        (is_made && is_strange(asked, first)).then_some(first)
    };
    tails.find_map(|part| made(part).or_else(|| part.iter().find(is_thing).copied()))
}

/// Whether a phrase puts a value on its side of the average, that of an index being zero.
fn weighs(asked: &Asked<'_>, token: &Token) -> bool {
    let below = match token.folded.as_str() {
        "below average" | "below the average" => true,
        "above average" | "above the average" => false,
        _ => return false,
    };
    let index = asked.number().filter(|number| number.unit == Unit::Index && !asked.has("metric", "rca"));
    match index {
        Some(index) => index.number.is_sign_negative() == below,
        None => !token.folded.contains(" the "),
    }
}

/// Whether a word may change the answer: it is unclear or states another context.
fn says_another(asked: &Asked<'_>, token: &Token) -> bool {
    // `a product of below-average complexity`
    let weighs = weighs(asked, token);
    // `The figure is an annual average rate.`
    let averages = asked.context.statistic == Some(Statistic::Cagr) && token.folded == "average";
    !token.is_mark()
        && !weighs
        && !averages
        && (is_strange(asked, token) || !token.is_harmless() && differs_alone(asked, token))
}

fn unclear(line: &Line, token: &Token) -> String {
    format!("\"{}\": {}", line.start(80), candidate::unclear(&token.folded))
}

/// Whether the tokens contain a number in digits that is not a code (`chapter 87`).
pub(crate) fn holds_figure(line: &Line, tokens: &[&Token]) -> bool {
    let before = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at));
    tokens.iter().enumerate().any(|(at, token)| {
        token.number().is_some()
            && line.sentence.shown(&token.range).contains(|c: char| c.is_ascii_digit())
            && !before(at).is_some_and(|before| before.announces_code() || before.listed("numbered"))
            // `twenty years earlier`
            && !tokens.get(at + 1).is_some_and(|next| next.folded.starts_with("years ") || next.folded == "years")
    })
}

/// The verb of the speaker's action on the site, which is harmless: `I scanned the page of the Atlas.`, `Opened the page.`
fn deed<'a>(tokens: &[&'a Token]) -> Option<&'a Token> {
    let speaker = tokens.iter().position(|token| matches!(token.folded.as_str(), "i" | "we"));
    let begins =
        tokens.first().is_some_and(|first| first.folded.ends_with("ed") && !first.operator("withdrawn"));
    let at = speaker.map(|at| at + 1).or(begins.then_some(0))?;
    let rest = tokens.get(at + 1..)?;
    let site = rest.iter().any(|token| token.holds("site_noun"));
    tokens.get(at).copied().filter(|_| site && !rest.iter().any(|token| is_meta(token)))
}

/// Whether a sentence is harmless talk: `Cheers, and good luck with your project.`
pub(crate) fn is_talk(asked: &Asked<'_>, line: &Line) -> bool {
    let words = || line.sentence.tokens.iter().filter(|token| !token.is_mark());
    words().filter(|token| token.is_harmless()).count() > 1
        && words().all(|token| matches!(token.kind, Kind::Words) && !is_strange(asked, token))
}

/// Whether a token is a topic of trade instead of the answer.
fn is_topic(asked: &Asked<'_>, token: &Token) -> bool {
    let kinds = ["metric", "thing", "flow", "scope", "group", "direction"];
    !is_meta(token)
        && (token.is_name()
            || token.tags.iter().any(|(kind, _)| kinds.contains(kind))
            || !token.terms.is_empty()
            || token.kind == Kind::Words
                && token.tags.iter().all(|tag| tag.0 != "role" || tag.1 == "noun")
                && token.folded.len() > 3
                && asked.knows(&token.folded))
}

/// Whether a token refers to the answer, its author or its reader.
fn is_meta(token: &Token) -> bool {
    token.role("deictic")
        || token.role("pronoun") && token.folded != "there" && token.folded != "one"
        || token.listed("person")
        || token.holds("value_noun")
        || token.holds("meta_noun")
}

pub(crate) fn has_own_topic(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    // `It leaves out tourism.`
    let ends = |token: &&Token| token.states() || token.operator("exception") || token.folded == "had been";
    let verb = tokens.iter().position(ends).unwrap_or(tokens.len());
    let subject = tokens.get(..verb).unwrap_or_default();
    // `…, so crude by itself is less than that sum`
    let points = |pair: &[&Token]| matches!(pair, [that, noun] if that.is_demonstrative() && noun.listed("value_noun"));
    // `One partner is missing from the count.`
    let from_it =
        |pair: &[&Token]| matches!(pair, [the, noun] if the.folded == "the" && noun.listed("value_noun"));
    if tokens.windows(2).any(points)
        || tokens.get(verb..).is_some_and(|rest| rest.windows(2).any(from_it))
        || tokens.iter().any(|token| token.role("deictic") && token.folded.contains(' '))
    {
        return false;
    }
    // `its largest goods exports`: a possessive pronoun does not count.
    let weak = |token: &Token| token.listed("third_person");
    // `The rest is mostly stones.`
    subject.iter().any(|token| is_topic(asked, token) || token.listed("rest"))
        && !subject.iter().any(|token| is_meta(token) && !weak(token))
}

/// Whether a word in a remark is not known to be harmless.
pub(crate) fn is_strange(asked: &Asked<'_>, token: &Token) -> bool {
    let operators = ["past", "future", "stale", "exception", "elsewhere", "withdrawn"];
    let turns = token.listed("turns")
        || operators.iter().any(|operator| token.operator(operator))
        || token.operator("hedge") && !token.listed("modal");
    if turns && !asked.knows(&token.folded) {
        return true;
    }
    if let Some(fits) = restates_growth(asked, token) {
        return !fits;
    }
    let is_open = token.kind == Kind::Words
        && token.unknown()
        && !token.is_manner()
        && !matches!(token.class, Some(Class::Adverb | Class::Function));
    is_open && !token.is_harmless() && !asked.knows(&token.folded)
}
