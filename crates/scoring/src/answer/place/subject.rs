//! Rules about a figure's subject: entity, currency, side of trade, base of a share, part of a whole.

use std::borrow::Cow;

use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::{Asked, reporter};
use crate::answer::statement::said::Role;
use crate::language::token::{Kind, Token};
use crate::value::{ContextPart, Flow, Unit};

/// Whether the number of ranked entities follows the rank and is the true one: `2nd out of 4 countries`.
pub(crate) fn of_all(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let Some(total) = asked.number().and_then(|number| number.total) else { return false };
    let is_total = |token: &Token| token.number().is_some_and(|number| number.number == total.into());
    // `2nd in that group of four`
    let behind = line.behind(figure.token);
    let among = behind.iter().take_while(|token| token.counts_among() || token.listed("of_a_group")).count();
    // `Among the four (…), Vietnam comes second.`
    let leads = |three: &[Token]| matches!(three, [among, the, count] if among.folded == "among" && the.role("article") && is_total(count));
    among > 0 && behind.get(among).is_some_and(is_total)
        || line.until(figure.token).windows(3).any(leads)
        || line.until(figure.token).windows(2).any(|pair| {
            matches!(pair, [among, count] if matches!(among.folded.as_str(), "among the" | "of the") && is_total(count))
        })
}

/// Whether a figure covers only a part: `the top ten exporters sold …`, `the five largest sold …`.
fn is_of_some(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let most = |token: &Token| token.is("comparative", "more") || token.folded == "leading";
    let count = |token: &Token| token.number().is_some_and(|number| number.unit == Unit::Count);
    let many =
        |token: &Token| (asked.country.is_none() || asked.is_of_the_world()) && token.listed("traders");
    let before = line.until(figure.token);
    // `top 10` is also a decile.
    let top = |token: &Token| token.folded.starts_with("top ") && token.folded.ends_with(char::is_numeric);
    // `… is what the biggest exporter alone sold`
    let tokens = &line.sentence.tokens;
    let alone = tokens.iter().any(|token| token.listed("exclusive"));
    let party = |pair: &[Token]| matches!(pair, [first, second] if most(first) && second.folded.ends_with("er") && second.folded.contains("port"));
    if asked.country.is_none() && alone && tokens.windows(2).any(party) {
        return true;
    }
    before.iter().any(top)
        || before.windows(2).any(|pair| match pair {
            [first, second] => most(first) && count(second) || count(first) && (most(second) || many(second)),
            _ => false,
        })
}

/// Whether a word names the scope that the question asks for.
fn is_scope_asked(asked: &Asked<'_>, token: &Token) -> bool {
    token.tags.iter().any(|tag| tag.0 == "scope" && asked.tags.contains(tag))
}

/// The figure is the remainder: `the remaining 77 % was all other services`.
pub(crate) fn why_rest(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let before = || line.until(figure.token).iter().rev();
    let mut near = before().take_while(|token| token.number().is_none() && !token.mark(';')).take(4);
    // `Goods were 83.41 % and services the remaining 16.59 %.`
    let mut words = before().filter(|token| !token.listed("rest") && !token.role("article"));
    let is_named = words.next().is_some_and(|named| is_scope_asked(asked, named));
    let turns = |token: &Token| {
        token.role("preposition") || token.operator("exception") || token.operator("negation")
    };
    if is_named && !words.next().is_some_and(turns) {
        return None;
    }
    // `…, and 22.44% is what remains`
    let mut behind =
        line.behind(figure.token).iter().take_while(|token| token.number().is_none() && !token.is_mark());
    let remains = behind.any(|token| token.listed("rest") && token.folded.contains(' '));
    (remains || near.any(|token| token.listed("rest"))).then(|| Place::other("the rest, not the value"))
}

/// The figure is in another currency: `₹2,274`.
pub(crate) fn why_currency(_: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::OtherCurrency).then(|| Place::other("the currency"))
}

/// The partner is the subject: `China exports $5 billion`, if the question asks for Kenya's exports to China.
pub(crate) fn why_partner(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    is_of_partner(asked, line).then(|| Place::differing(ContextPart::Flow, "the flow, of the partner"))
}

/// Whether the partner does what the question asks of the country.
pub(crate) fn is_of_partner(asked: &Asked<'_>, line: &Line) -> bool {
    let acts = |tokens: &[Token]| acts(|token| asked.is_partner(token), tokens);
    let mut texts = line.heads.iter().chain(&line.headings).chain([&line.sentence]);
    !asked.is_balance()
        && texts.any(|text| acts(&text.tokens).is_some_and(|flow| asked.context.flow == Some(flow)))
}

/// The country buys: `the goods that Kenya brought in`, but not `Kenya brought in $8 billion`.
pub(crate) fn why_brought_in(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_bought = |four: &[Token]| {
        matches!(four, [who, brought, into, next]
            if matches!(who.kind, Kind::Country(id) if asked.country == Some(id))
                && matches!(brought.folded.as_str(), "brought" | "brings" | "bring")
                && into.folded == "in"
                && next.number().is_none())
    };
    let is_export = asked.context.flow == Some(Flow::Export);
    (is_export && line.sentence.tokens.windows(4).any(is_bought))
        .then(|| Place::differing(ContextPart::Flow, "the flow, import"))
}

/// Another country is the subject: `France, number two on the list, is down for $164 billion`.
pub(crate) fn why_other_subject(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let until = line.until(figure.token);
    let (subject, rest) = until.split_first()?;
    let Kind::Country(id) = subject.kind else { return None };
    let is_other = asked.is_other_country(id) && !asked.places.contains(&id);
    let is_set_apart = rest.iter().any(|token| {
        token.operator("comparison")
            || token.operator("negation")
            || token.role("and")
            || token.tagged("flow")
    });
    let acts = rest.iter().any(|token| token.role("be") && token.folded != "s" || token.role("verb"));
    let follows = rest.first().is_some_and(|next| next.mark(',') || next.role("be") && next.folded != "s");
    (is_other && acts && follows && !is_set_apart && !asked.is_balance() && asked.rows == 1)
        .then(|| Place::differing(ContextPart::Country, format!("the country, {}", subject.folded)))
}

/// The country receives the goods: `Brazil was sold goods for $93 billion`, if the question asks for its exports.
pub(crate) fn why_served(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let receiver = match asked.context.flow? {
        Flow::Export => asked.country,
        Flow::Import => asked.partner,
    };
    let is_served = |three: &[Token]| {
        matches!(three, [who, be, verb]
            if matches!(who.kind, Kind::Country(id) if receiver == Some(id)) && be.role("be") && verb.listed("served"))
    };
    line.sentence
        .tokens
        .windows(3)
        .any(is_served)
        .then(|| Place::differing(ContextPart::Flow, "the flow, of what it receives"))
}

/// The figure is another country's: `just above it, at 100th of 145, is Chad`.
pub(crate) fn why_is_another(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter().filter(|token| !token.is_mark());
    let is = behind.next().is_some_and(|be| be.role("be") && be.folded != "s");
    let other = behind.next().filter(|_| is)?;
    let is_other = matches!(other.kind, Kind::Country(id) if asked.is_other_country(id));
    is_other.then(|| Place::differing(ContextPart::Country, format!("the country, {}", other.folded)))
}

/// Another country than the one asked about reports the figure: `as China reports them`.
pub(crate) fn why_reporter(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let who = asked.reporter.or(asked.country)?;
    // `as reported by its partner`
    let by_party = |three: &[&Token]| {
        matches!(three, [reports, by, party]
            if reports.listed("of_reporter") && matches!(by.folded.as_str(), "by" | "of") && party.listed("entity_noun"))
    };
    let tokens: Vec<&Token> =
        line.sentence.tokens.iter().filter(|token| !token.role("article") && token.folded != "its").collect();
    let of_party = |three: &[&Token]| matches!(three, [party, s, books] if party.listed("entity_noun") && s.folded == "s" && books.listed("of_reporter"));
    if tokens.windows(3).any(|three| by_party(three) || of_party(three)) {
        return Some(Place::other("the reporter"));
    }
    reporter(&line.sentence.tokens).is_some_and(|said| who != said).then(|| Place::other("the reporter"))
}

/// The trade of both directions or of both countries: `exports between Kenya and Uganda`, `exports from Kenya and Uganda`.
pub(crate) fn why_between(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let asked_name = |token: &Token| {
        matches!(token.kind, Kind::Country(_)) && asked.is_named(token)
            || token.tagged("group") && token.tags.iter().any(|tag| asked.tags.contains(tag))
    };
    let of_both = |four: &[&Token]| {
        matches!(four, [between, a, and, b]
            if matches!(between.folded.as_str(), "between" | "from" | "of" | "by")
                && asked_name(a) && and.folded == "and" && asked_name(b))
    };
    let tokens: Vec<&Token> = line.sentence.tokens.iter().filter(|token| !token.role("article")).collect();
    let is_one_way = asked.context.flow.is_some() && !asked.is_balance() && asked.one.follows.is_none();
    (is_one_way && tokens.windows(4).any(of_both)).then(|| Place::other("the trade of both"))
}

/// The partner is only named beside a total: `Kenya exported $901M, with Uganda as the largest customer`.
pub(crate) fn why_named_beside(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let partner = asked.partner?;
    let is_partner = |token: &Token| token.kind == Kind::Country(partner);
    let heads = line.heads.iter().chain(&line.headings).flat_map(|head| &head.tokens);
    if line.until(figure.token).iter().chain(heads).any(is_partner) {
        return None;
    }
    let behind = line.behind(figure.token);
    let mark = behind.iter().position(|token| token.is_mark())?;
    let (near, later) = behind.split_at(mark);
    let at = later.iter().position(is_partner).filter(|_| !near.iter().any(is_partner))?;
    let around = later.get(at.saturating_sub(6)..later.len().min(at + 6))?;
    let is_one = |pair: &[Token]| matches!(pair, [picks, party] if (picks.listed("picks_out") || picks.is("comparative", "most")) && party.listed("entity_noun"));
    (around.windows(2).any(is_one) || around.iter().any(|token| token.folded == "included"))
        .then(|| Place::unplaced("it names the partner only beside it"))
}

/// A country is the subject: `Kenya itself exports $2 billion of it`, if the question asks for world exports.
pub(crate) fn why_country(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_own = |token: &Token| asked.country.is_some_and(|own| token.kind == Kind::Country(own));
    (asked.is_of_the_world() && acts(is_own, &line.sentence.tokens).is_some())
        .then(|| Place::differing(ContextPart::Base, "the base, which is not the world's"))
}

/// The group is on the other side of its trade: `exports of goods to Asia`, if the question asks for those of Asia.
pub(crate) fn why_group(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let (group, own) = sells(&asked.question.as_ref()?.tokens)?;
    let (said, other) = sells(&line.sentence.tokens)?;
    let is_same = said.tags.iter().any(|tag| tag.0 == "group" && group.tags.contains(tag));
    (is_same && own != other).then(|| Place::unplaced("its trade may go in the opposite direction"))
}

/// The first group of a sentence, and whether it sells: `exports of goods of Asia`, `Asia's exports`, `from Asia`. It does not in
/// `to Asia`, `imports of Asia` and in trade `within Asia`.
fn sells(tokens: &[Token]) -> Option<(&Token, bool)> {
    let at = tokens.iter().position(|token| token.tagged("group") && !token.is("group", "world"))?;
    let group = tokens.get(at)?;
    let exports = |token: &Token| token.tagged("flow").then(|| token.is("flow", "export"));
    let [before, behind] = [tokens.get(..at)?, tokens.get(at + 1..)?];
    if let [s, owned @ ..] = behind
        && s.folded == "s"
    {
        // `Asia's goods exports`
        let is_goods = owned.first()?.tagged("scope");
        let flow = owned.iter().find(|token| !token.tagged("scope")).and_then(exports);
        return flow.or(is_goods.then_some(true)).map(|sells| (group, sells));
    }
    let mut near = before.iter().rev().filter(|token| !token.role("article"));
    let trades =
        || before.iter().rev().take_while(|token| !token.separates()).any(|token| token.tagged("flow"));
    let sells = match near.next()?.folded.as_str() {
        "to" | "into" | "within" | "inside" if trades() => false,
        "from" if trades() => true,
        "of" => near.find(|token| !token.tagged("scope") && token.folded != "of").and_then(exports)?,
        _ => return None,
    };
    Some((group, sells))
}

/// The figure counts something else or a loss: `169 countries`, if the question asks for products.
pub(crate) fn why_counted(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    asked.number().filter(|number| number.unit == Unit::Count)?;
    if figure.direction == Some(false) && !asked.ends.1 {
        return Some(Place::unplaced("it counts losses"));
    }
    // `5 in every 100 products`
    let behind = line.behind(figure.token);
    let is_ratio = |pair: &[Token]| matches!(pair, [every, token] if matches!(every.folded.as_str(), "every" | "of every" | "out of every" | "in every") && token.number().is_some());
    if behind.windows(2).take(3).any(is_ratio) {
        return Some(Place::other("a ratio, not a count"));
    }
    let noun = figure.noun.as_ref().filter(|noun| !asked.knows(noun))?;
    let is_any = crate::language::lexicon::listed("counts_any", noun);
    (!is_any).then(|| Place::other(format!("what is counted, {noun}")))
}

/// The product's code is another: `vehicles (chapter 84)`.
pub(crate) fn why_code(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let own = asked.context.product.as_deref()?;
    let is_other = |(at, token): (usize, &Token)| {
        let announced = line.before(at, 1).is_some_and(|before| before.listed("before_product_code"));
        let is_code = matches!(token.folded.len(), 2 | 4) && token.folded.bytes().all(|c| c.is_ascii_digit());
        announced && is_code && token.folded != own && !asked.products.contains(&token.folded)
    };
    let codes = line.sentence.tokens.iter().enumerate().any(is_other);
    (codes && asked.rows == 1).then(|| Place::differing(ContextPart::Product, "the product's code"))
}

/// The figure covers only a part: `the top ten exporters sold $5 billion`.
pub(crate) fn why_some(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (asked.rows == 1 && figure.quantity.unit == Unit::Usd && is_of_some(asked, figure, line))
        .then(|| Place::other("a part of all"))
}

/// The flow of which a party is the subject: `China bought`, `China's imports`, `China–Brazil imports`, `China by itself exports`,
/// `bought by China`, `imports of China`.
fn acts(is_party: impl Fn(&Token) -> bool, tokens: &[Token]) -> Option<Flow> {
    let says_nothing =
        |next: &&Token| matches!(next.folded.as_str(), "s" | "by" | "itself") || next.role("adverb");
    let active = |at: usize| {
        let mut behind = tokens.get(at + 1..).unwrap_or_default();
        // `ASEAN as a whole bought`
        if let [of, article, whole, rest @ ..] = behind
            && of.folded == "as"
            && article.role("article")
            && whole.folded == "whole"
        {
            behind = rest;
        }
        // `US–Germany exports`
        let is_pair =
            |token: Option<&Token>| token.is_some_and(|token| matches!(token.kind, Kind::Country(_)));
        let mark = usize::from(behind.first().is_some_and(|next| next.mark('-') || next.mark('–')));
        if is_pair(behind.get(mark)) {
            behind = &behind[mark + 1..];
        } else if is_pair(tokens.get(..at)?.iter().rev().find(|token| !token.mark('-') && !token.mark('–')))
        {
            return None;
        }
        let next = behind.iter().find(|next| !says_nothing(next))?;
        // In `American buyers` the country is not the subject.
        flow_of(next).filter(|_| !next.listed("party"))
    };
    let passive = |at: usize| {
        let mut before = tokens.get(..at)?.iter().rev().filter(|token| !token.role("article"));
        let ends = tokens.get(at + 1).is_none_or(|next| !next.means() && next.folded != "s");
        before.next().filter(|own| own.folded == "by" || own.folded == "of" && ends)?;
        flow_of(before.next()?)
    };
    let mut parties = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(&is_party));
    parties.find_map(|at| active(at).or_else(|| passive(at)))
}

/// The flow that a token names, if it names one.
fn flow_of(token: &Token) -> Option<Flow> {
    match (token.is("flow", "export"), token.is("flow", "import")) {
        (true, false) => Some(Flow::Export),
        (false, true) => Some(Flow::Import),
        _ => None,
    }
}

/// Converts the partner's imports to the country's exports and vice versa: `China bought Brazilian goods worth $93 billion`.
pub(crate) fn mirrored(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, flow) = (asked.country?, asked.context.flow?);
    let is_mirrored = match (figure.said.countries.as_slice(), asked.partner) {
        ([(subject, Role::Subject | Role::Either), (other, _)], Some(partner)) => {
            *subject == partner && *other == own
        }
        // a group is no country
        ([(country, _)], None) => *country == own,
        _ => false,
    };
    let opposes =
        acts(|token| asked.is_partner(token), &line.sentence.tokens).is_some_and(|acts| acts != flow);
    (!asked.is_balance() && is_mirrored && opposes).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure.said.sides.clear();
        figure.said.tags.retain(|(kind, _)| *kind != "flow");
        figure
    })
}

/// Removes the opposite flow if another country is its subject: `China supplies 23 % of Kenya's imports`.
pub(crate) fn supplied<'a>(asked: &Asked<'_>, figure: &'a Figure, line: &Line) -> Cow<'a, Figure> {
    let Some(flow) = asked.context.flow.or(asked.flow()) else { return Cow::Borrowed(figure) };
    let (own, other) = match flow {
        Flow::Export => ("export", "import"),
        Flow::Import => ("import", "export"),
    };
    let says = |value| figure.said.has("flow", value);
    let tokens = &line.sentence.tokens;
    let mut pairs = tokens.windows(2);
    let acts = pairs.any(|pair| {
        matches!(pair, [who, does]
        if matches!(who.kind, Kind::Country(id) if asked.country != Some(id)) && does.is("flow", other))
    });
    if !(says(own) && says(other) && acts) {
        return Cow::Borrowed(figure);
    }
    let mut figure = figure.clone();
    figure.said.tags.retain(|tag| *tag != ("flow", other));
    Cow::Owned(figure)
}
