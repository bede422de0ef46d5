//! Sentences that withdraw the whole answer or replace it.

use std::collections::HashSet;

use super::counted::{counts_otherwise, turns_flow};
use super::says_nothing::leaves_out_the_other;
use super::talk;
use super::{asks, labels};
use crate::answer::candidate::Claim;
use crate::answer::context::{differs, differs_alone};
use crate::answer::figures::figure::bound_alone;
use crate::answer::line::Line;
use crate::answer::place::asserted::why_left_out;
use crate::answer::question::asked::Asked;
use crate::answer::refusal;
use crate::answer::statement::said::Said;
use crate::compare::Content;
use crate::language::lexicon;
use crate::language::token::{Class, Kind, Token};
use crate::value::Unit;

/// The line that withdraws or questions the answer. `own` are the lines that hold the answer.
pub(crate) fn takes_back<'a>(asked: &Asked<'_>, lines: &'a [Line], own: &HashSet<usize>) -> Option<&'a Line> {
    let (first, last) = (own.iter().min().copied(), own.iter().max().copied());
    let is_given = !matches!(asked.one.truth.content, Content::Absent(_));
    let does = |(at, line): &(usize, &Line)| {
        let is_own = own.contains(at);
        let is_behind = last.is_none_or(|last| *at > last);
        Some(*at) < first && asks_to_check(line)
            || is_behind && (asks_whether(line) || asks::doubts(asked, line, lines.get(at + 1)))
            || counts_otherwise(asked, line)
            || is_given && lexicon::says("denies_value", &line.passage.text)
            || is_given && !is_own && declines(asked, line)
            || turns_flow(asked, line)
            || !is_own
                && (labels::fails_check(asked, line) || labels::notes_otherwise(asked, lines, own, line))
            || is_behind && BEHIND.iter().any(|rule| rule(asked, line))
            || asked.rows > 1 && corrects(asked, line) && own.iter().any(|own| own < at)
            || replaces(asked, line)
            || compares_with_source(asked, line)
            || is_for_another(asked, line)
            || lexicon::says("substitutes", &line.passage.text)
            || says_there_is_none(asked, line, is_own)
    };
    lines.iter().enumerate().find(does).map(|(_, line)| line)
}

/// Whether a line only declines: `I do not know.`, not `The Atlas has no data for 2025.`, `It has no data on smuggling.`
fn declines(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let drafted = line.headings.iter().flat_map(|head| &head.tokens).any(|token| token.listed("draft"));
    !drafted
        && refusal::declines(line)
        && differs(asked, &Said::of_tokens(tokens)).is_none()
        && !tokens.iter().any(|token| talk::is_strange(asked, token) && !token.listed("declined"))
}

/// A rule for lines after the answer.
type Rule = fn(&Asked<'_>, &Line) -> bool;

const BEHIND: [Rule; 9] = [
    dismisses,
    bounds,
    exceeds,
    corrects,
    reckons_on,
    denies_question,
    puts_another,
    does_another_instead,
    includes_left_out,
];

/// Whether a line before the answer asks for a check: `Could someone verify whether this holds?`
fn asks_to_check(line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let points = |token: &Token| matches!(token.folded.as_str(), "this" | "these" | "the following");
    line.sentence.question
        && tokens.iter().any(points)
        && tokens.iter().any(|token| token.folded.split(' ').any(|word| lexicon::listed("checks", word)))
}

/// Whether a line asks whether the answer is right: `Is that right?`, `Isn't it?`, `Correct?`
fn asks_whether(line: &Line) -> bool {
    let words = || line.sentence.tokens.iter().filter(|token| !token.is_mark());
    let doubts = |token: &Token| token.listed("checks") || token.operator("negation");
    let asks = |token: &Token| {
        doubts(token) || ["be", "pronoun", "deictic", "relative"].iter().any(|role| token.role(role))
    };
    line.sentence.question && words().count() <= 4 && words().any(doubts) && words().all(asks)
}

/// Whether a line after the answer only states a bound: `Or more.`
fn bounds(_: &Asked<'_>, line: &Line) -> bool {
    let is_label = line.passage.cell || line.passage.text.contains(':');
    !is_label && bound_alone(line.sentence.tokens.iter().filter(|token| !token.is_mark())).is_some()
}

/// Whether a line after the answer says that there is more or less of it: `The page shows less.`, `The new edition has a higher
/// number.`
fn exceeds(asked: &Asked<'_>, line: &Line) -> bool {
    let words: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.is_mark()).collect();
    // `more complex`, `less complex` are said of the country
    let is_more = |token: &Token| {
        token.tagged("comparative")
            && !token.is("comparative", "most")
            && !["more ", "less "].iter().any(|word| token.folded.starts_with(word))
    };
    // `PPP figures are much higher.`
    let is_other = words.first().is_some_and(|first| differs_alone(asked, first));
    let ends = match words.as_slice() {
        [.., more, value] if value.listed("value_noun") => is_more(more),
        [.., more] => is_more(more),
        [] => false,
    };
    // `a third of what the Atlas gives`
    let is_share = |token: &Token| {
        token.number().is_some_and(|number| number.unit == Unit::Percent)
            && !token.folded.contains(|c: char| c.is_ascii_digit())
    };
    let names = |token: &&Token| {
        token.is_name() || matches!(token.kind, Kind::Period(_) | Kind::Number(_)) && !is_share(token)
    };
    let denies = |token: &&Token| token.operator("negation");
    // `It is higher than the real value.`
    let than = words.iter().position(|token| token.folded.ends_with("than"));
    let is_real = |token: &&Token| token.holds("genuine") || token.holds("site_noun");
    let is_than_real = than.is_some_and(|at| words.iter().skip(at).any(is_real));
    // `That is half of what the Atlas shows.`
    let is_multiple =
        words.iter().any(|token| token.listed("multiple") || token.is("part", "quarter") || is_share(token))
            && words.iter().any(is_real)
            && words.iter().any(|token| token.is_it() || token.is_demonstrative());
    // `It might differ from the Atlas.`
    let differs = words.iter().position(|token| token.listed("may_differ"));
    let is_off = differs.is_some_and(|at| words.iter().skip(at).any(|token| token.holds("site_noun")));
    let ends = ends || is_than_real || is_multiple || is_off;
    ends && !line.sentence.question
        && !line.passage.cell
        && !is_other
        && words.len() > 1
        && !words.iter().any(|token| names(token) || denies(token))
        && !line.offers()
        && !talk::has_own_topic(asked, &words)
}

/// Whether a few words after the answer reject it: `Nope.`, `Not really.`, `Psych!`, `Well, no.`
fn dismisses(asked: &Asked<'_>, line: &Line) -> bool {
    // `B: No, it isn't.`
    let tokens = &line.sentence.tokens;
    let is_speaker = tokens.get(1).is_some_and(|mark| mark.mark(':'))
        && line.token(0).is_some_and(|one| one.folded.chars().count() == 1);
    let said = tokens.iter().skip(usize::from(is_speaker));
    let words: Vec<&Token> = said.filter(|token| !token.is_mark()).collect();
    let is_only_no = !words.is_empty() && words.iter().all(|token| token.is("polarity", "no"));
    let ends = line.passage.text.trim_end().ends_with(['.', '!']) && !line.passage.item;
    let denies = |token: &Token| {
        token.operator("negation") || token.operator("condition") || token.is("polarity", "no")
    };
    let is_strange = |token: &Token| talk::is_strange(asked, token);
    let rejects = match words.as_slice() {
        [word] if word.listed("no_fact") => return true,
        [word] => word.operator("negation") || is_strange(word),
        words => {
            let says_nothing = |token: &Token| {
                let roles = ["adverb", "article", "lead", "preposition", "pronoun"];
                roles.iter().any(|role| token.role(role))
                    || token.operator("correction")
                    || token.unknown() && matches!(token.class, Some(Class::Adverb | Class::Function))
            };
            words.len() <= 4
                && words.iter().all(|token| denies(token) || says_nothing(token))
                && words.iter().any(|token| denies(token))
        }
    };
    is_only_no || ends && rejects
}

/// Whether a line after the answer continues the calculation: `Add ten per cent.`
fn reckons_on(_: &Asked<'_>, line: &Line) -> bool {
    let mut tokens = line.sentence.tokens.iter().filter(|token| !token.operator("about"));
    tokens.next().is_some_and(|first| first.listed("reckons_on"))
        && tokens.next().is_some_and(|next| {
            next.number().is_some()
                || next.listed("object_pronoun")
                || next.tagged("scope")
                || next.listed("teens")
        })
}

/// Whether a line announces a correction: `Correction: third place goes to Cut flowers.`
fn corrects(_: &Asked<'_>, line: &Line) -> bool {
    let mut tokens = line.sentence.tokens.iter();
    tokens.next().is_some_and(|first| first.operator("correction") && first.folded.starts_with("correct"))
        && tokens.next().is_some_and(|next| next.mark(':'))
}

/// Whether a line says that this is not what was asked for: `… not the period that you asked for.`
fn denies_question(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens: Vec<&Token> = line.sentence.tokens.iter().collect();
    // `It does not include services, as you asked.`
    if leaves_out_the_other(asked, &tokens) {
        return false;
    }
    // `The question is about 2024, the answer is not.`
    let says = |word: &str| tokens.iter().any(|token| token.folded.split(' ').any(|own| own == word));
    let last = tokens.iter().rev().find(|token| !token.is_mark());
    if says("question") && says("answer") && last.is_some_and(|last| last.operator("negation")) {
        return true;
    }
    let denied = line.sentence.tokens.iter().skip_while(|token| !token.operator("negation"));
    let asks = |token: &Token| {
        !token.folded.starts_with("as ")
            && token.folded.split(' ').any(|word| word == "asked" || word == "wanted")
    };
    !line.sentence.question && denied.into_iter().any(asks)
}

/// Whether a line after the answer begins with a correction: `My mistake, the partner was Germany.`
fn puts_another(_: &Asked<'_>, line: &Line) -> bool {
    // `No wait, …`, `No, sorry, …`
    let first = line.sentence.tokens.iter().find(|token| token.folded != "no" && !token.is_mark());
    !line.sentence.question
        && !line.passage.cell
        && first.is_some_and(|first| first.operator("correction") && first.listed("puts_another"))
}

/// The correction behind the line that gives the value, unless it only repeats it: `No wait, the code is 87.`, but not `Wait, let me
/// recheck the sign: the change is -0.06.`
pub(crate) fn replaced_after<'a>(asked: &Asked<'_>, lines: &'a [Line], claim: &Claim) -> Option<&'a Line> {
    let unsigned = |text: &str| text.trim_start_matches(['-', '−', '+']).to_owned();
    let given = claim.verdict.value.as_deref().map(unsigned);
    let repeats = |line: &Line| {
        let mut figures = line.sentence.tokens.iter().filter(|token| token.number().is_some());
        figures.any(|token| Some(unsigned(line.sentence.shown(&token.range))) == given)
    };
    let mut behind = lines.iter().skip(claim.given_at.map_or(lines.len(), |at| at + 1));
    behind.find(|line| puts_another(asked, line) && !repeats(line))
}

/// Whether a line replaces the requested subject: `I looked up trucks instead of cars.`
fn replaces(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let is_own = |token: &Token| match &token.kind {
        Kind::Country(id) => asked.country == Some(*id) || asked.partner == Some(*id),
        Kind::Product(code) => asked.context.product.as_deref() == Some(code),
        Kind::Row(rows) => rows.contains(&asked.row),
        Kind::Period(period) => asked.context.period == Some(*period),
        _ => false,
    };
    let object = |at: usize| line.behind(at).iter().find(|token| !token.role("article"));
    let mut places = tokens.iter().enumerate().filter(|(_, token)| token.folded == "instead of");
    asked.number().is_some() && places.any(|(at, _)| object(at).is_some_and(is_own))
}

/// Whether a line compares the value with what the source says: `$2,274, more than the Atlas has`, `unlike in the Atlas`.
fn compares_with_source(asked: &Asked<'_>, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let leads = |token: &&&Token| {
        ["article", "adverb", "preposition"].iter().any(|role| token.role(role))
            || token.folded == "what"
            || token.listed("value_noun") && !token.listed("reckoned")
    };
    let names = |token: &&Token| token.number().is_some() || differs_alone(asked, token);
    let ends_in_more = |at: usize| {
        let last = line.behind(at).iter().rev().find(|token| !token.is_mark());
        last.is_some_and(|last| last.tagged("comparative"))
    };
    let is_source = |at: usize, places: bool| {
        // `For comparison, the Atlas has less.`
        let is_apart = line.token(at + 1).is_some_and(Token::is_mark);
        let object = line.behind(at).iter().skip(usize::from(is_apart)).take_while(|token| !token.is_mark());
        let object: Vec<&Token> = object.collect();
        let mut said = object.iter().skip_while(leads);
        let (head, next) = (said.next(), said.next());
        let is_true = |head: &Token| {
            head.holds("genuine")
                && (head.holds("value_noun") || next.is_some_and(|next| next.holds("value_noun")))
        };
        // `checked against the page`, `next to the chart`
        let is_place = places && !object.iter().any(|token| token.folded == "what");
        head.is_some_and(|head| head.holds("site_noun") && !is_place || is_true(head))
            && (!is_apart || ends_in_more(at))
            && !object.iter().any(names)
    };
    let compares = |(at, token): (usize, &Token)| {
        let opens = token.operator("comparison")
            || token.folded.ends_with("than")
            || token.listed("sets_against")
            || token.listed("concession") && ends_in_more(at);
        opens && is_source(at, matches!(token.folded.as_str(), "next to" | "against"))
    };
    tokens.iter().enumerate().any(compares)
}

/// Whether a line denies that there is a value although the answer gives one: `The Atlas gives no value for Kenya in 2024.`
fn says_there_is_none(asked: &Asked<'_>, line: &Line, is_own: bool) -> bool {
    let mut parts = line.sentence.tokens.split(|token| token.mark(';'));
    let below_one = asked.number().is_some_and(|truth| truth.number < rust_decimal::Decimal::ONE);
    let says = |tokens: &[Token]| {
        // `Japan has no comparative advantage there`, at an RCA below one
        let tells_of_it = below_one && tokens.iter().any(|token| token.folded.ends_with("advantage"));
        let holds_value = is_own && tokens.iter().any(|token| token.number().is_some());
        !holds_value
            && !tells_of_it
            && tokens.iter().any(|token| token.is("absence", "value"))
            && tokens.iter().any(|token| token.folded.len() > 3 && asked.knows(&token.folded))
            && differs(asked, &Said::of_tokens(tokens)).is_none()
    };
    let is_given = asked.number().is_some_and(|truth| !truth.number.is_zero());
    is_given && !line.sentence.question && parts.any(says)
}

/// Whether the speaker did something else: `Please note that I looked up its rank instead.`
fn does_another_instead(_: &Asked<'_>, line: &Line) -> bool {
    let mut words = line.sentence.tokens.iter().rev().filter(|token| !token.is_mark());
    words.next().is_some_and(|last| last.folded == "instead")
        && words.any(|token| token.folded.split(' ').any(|word| matches!(word, "i" | "we")))
}

/// Whether a line after the answer counts what the question excludes: `What this counts: the products with comparative advantage.`
fn includes_left_out(asked: &Asked<'_>, line: &Line) -> bool {
    let said = Said::of_tokens(&line.sentence.tokens);
    !line.offers() && said.operators.is_empty() && why_left_out(asked, &said).is_some()
}

/// Whether a line says that a list is another country's: `This list is for South Korea.`
fn is_for_another(asked: &Asked<'_>, line: &Line) -> bool {
    let words: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.is_mark()).collect();
    asked.rows > 1
        && matches!(words.as_slice(), [this, list, is, of, who]
            if this.is_demonstrative()
                && list.role("noun")
                && is.role("be")
                && of.role("preposition")
                && matches!(who.kind, Kind::Country(id) if asked.is_other_country(id)))
}
