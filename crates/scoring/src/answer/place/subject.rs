//! Rules about a figure's subject: entity, currency, side of trade, base of a share, part of a whole.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::answer::candidate::Place;
use crate::answer::context::is_world;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::{Asked, first_measure, reporter, scope_of, within_phrase};
use crate::answer::statement::said::{Role, Said};
use crate::atlas::CountryId;
use crate::language::lexicon::Tag;
use crate::language::token::{Class, Kind, Token};
use crate::value::{ContextPart, Flow, Unit};

/// Whether the number of ranked entities follows the rank and is the true one: `2nd out of 4 countries`.
pub(crate) fn of_all(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let behind = |by: usize| line.token(figure.token + by);
    let total = asked.number().and_then(|number| number.total);
    let said = behind(2).and_then(Token::number).map(|number| number.number);
    behind(1).is_some_and(Token::counts_among) && total.is_some_and(|total| said == Some(total.into()))
}

/// Why a percentage followed by `of` has another base: an earlier level instead of a change, the country's base instead of the
/// world's, or a base that the question does not name.
fn other_base(asked: &Asked<'_>, line: &Line, token: usize) -> Option<Place> {
    let behind = line.sentence.tokens.get(token + 1..)?;
    if behind.first()?.folded != "of" {
        return None;
    }
    let is_rate = asked.number().is_some_and(|number| number.unit == Unit::Percent);
    if asked.is_change() && is_rate && first_measure(behind).is_some() {
        return Some(Place::other("a share, not the change"));
    }
    if asked.is_change() {
        return behind
            .iter()
            .take(6)
            .take_while(|token| !token.is_mark())
            .any(|token| token.holds("level_word"))
            .then(|| Place::other("a level as a percentage of another"));
    }
    // `8.54 % of its tea` is not a share of exports.
    let is_own_share = asked.one.data_point.starts_with("top_product_share")
        || matches!(asked.one.data_point.as_str(), "product_share" | "sector_share");
    let itself = |token: &Token| match &token.kind {
        Kind::Product(code) => asked.products.contains(*code),
        Kind::Row(rows) => rows.contains(&asked.row),
        _ => false,
    };
    let mut of = behind.iter().take_while(|token| {
        token.number().is_none()
            && !token.role("be")
            && !token.is_mark()
            && (!token.role("verb") || token.role("noun"))
    });
    // `22.44 % of all travel`
    let frames =
        |token: &&Token| token.role("article") || token.folded == "of" || token.folded.starts_with("all");
    // the head of the part's own name: `11.95 % of the vehicles`
    let is_part = |token: &Token| {
        let is_noun = token.class == Some(Class::Noun) || !token.terms.is_empty();
        is_noun && token.tags.is_empty() && asked.knows(&token.folded)
    };
    let head = behind.iter().find(|token| !frames(token));
    let is_swapped = || !asked.of_world() && head.is_some_and(|head| itself(head) || is_part(head));
    if is_own_share && of.any(itself) || is_swapped() {
        return Some(Place::differing(ContextPart::Base, "the base, which is the product itself"));
    }
    // `0.02 % of its exports`, `of Kenya's own exports`
    let own = |token: &Token| {
        matches!(token.folded.as_str(), "its" | "their" | "his" | "our" | "export basket")
            || asked.country.is_some_and(|id| token.kind == Kind::Country(id))
    };
    let base = behind.iter().skip(1).find(|token| token.folded != "the");
    if asked.of_world() && base.is_some_and(own) {
        return Some(Place::differing(ContextPart::Base, "the base, which is not the world's"));
    }
    // `16 % of the cars sold in the world` are not exports.
    let has = |token: &Token, kind: &str| token.tags.iter().any(|tag| tag.0 == kind);
    let sold = within_phrase(behind).any(|token| has(token, "flow") && !has(token, "metric"));
    if asked.of_world() && sold && first_measure(behind).is_none() {
        return Some(Place::differing(ContextPart::Base, "the base, which is not exports"));
    }
    // `3.28 % of South Africa's mineral output`
    let owns = |token: &&Token| {
        token.role("article")
            || matches!(token.kind, Kind::Country(_))
            || token.folded == "s"
            || token.listed("third_person")
    };
    let phrase = behind.iter().skip(1).skip_while(owns).take_while(|token| {
        matches!(token.kind, Kind::Words)
            && !token.role("be")
            && !token.role("relative")
            && !token.role("preposition")
    });
    let head = phrase.last()?;
    let is_free = |token: &Token| {
        token.means()
            || token.role("pronoun")
            || token.role("adjective")
            || !token.terms.is_empty()
            || token.listed("whole_base")
            || asked.knows(&token.folded)
    };
    (!is_free(head) && head.role("noun") && !head.role("verb"))
        .then(|| Place::differing(ContextPart::Base, "the base"))
}

/// The base of a share: the first measure after `of`, if `of` follows the number.
fn base(line: &Line, token: usize) -> Option<BTreeSet<Tag>> {
    let behind = line.sentence.tokens.get(token + 1..)?;
    if behind.first().is_none_or(|token| token.folded != "of") {
        return None;
    }
    first_measure(behind)
}

/// The base of a share named before a number: `its share of the exports was 19 %`, `the share of services in the exports`.
fn base_before(line: &Line, token: usize) -> Option<&[Token]> {
    let before = line.sentence.tokens.get(..token)?;
    // `out of every hundred dollars that Spain earned from selling goods`
    let hundred = |pair: &[Token]| {
        matches!(pair, [every, count] if matches!(every.folded.as_str(), "every" | "each" | "of every" | "out of every")
            && matches!(count.folded.as_str(), "hundred" | "100"))
    };
    if let Some(at) = before.windows(2).position(hundred) {
        let base = before.get(at + 2..)?.split(|token| token.mark(',')).next();
        return base.filter(|base| first_measure(base).is_some() || scope_of(base).is_some());
    }
    let at = before.iter().rposition(|token| token.holds("share_noun"))?;
    // A label omits what the question states.
    let rest = before.get(at + 1..).filter(|rest| !rest.iter().any(|token| token.mark(':')))?;
    let verb = rest.iter().position(|token| token.role("be") && token.folded != "s").unwrap_or(rest.len());
    let phrase = rest.get(..verb)?;
    let within = phrase.iter().position(|token| matches!(token.folded.as_str(), "in" | "within"));
    let base = within.and_then(|at| phrase.get(at..)).filter(|base| first_measure(base).is_some());
    base.or(Some(phrase)).filter(|base| first_measure(base).is_some())
}

/// Whether a figure is one flow instead of the balance: `exports of $164 billion`.
fn is_one_side(figure: &Figure, said: &Said, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let is_flow = |token: &Token| token.tagged("flow");
    let balances = |token: &Token| {
        token.is("part", "net")
            || token.folded.starts_with("exceed")
            || token.folded.contains("balance")
            || ["direction", "comparative"].iter().any(|kind| token.tagged(kind))
    };
    let before = tokens.get(..figure.token).unwrap_or_default().iter().rev();
    let mut before = before.skip_while(|token| {
        token.role("be") || token.operator("about") || token.role("article") || token.folded == "of"
    });
    let beside = before.next().is_some_and(|token| is_flow(token) && !balances(token))
        && !before.next().is_some_and(balances);
    let has_flow = said.tagged("flow");
    let mut own = line.clause(figure.token).iter().filter_map(|at| line.token(*at));
    beside || has_flow && !said.labelled && !own.any(balances)
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

/// The figure is the remainder: `the remaining 77 % was all other services`.
pub(crate) fn why_rest(_: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let before = line.until(figure.token).iter().rev();
    let mut near = before.take_while(|token| token.number().is_none() && !token.mark(';')).take(4);
    // `…, and 22.44% is what remains`
    let mut behind =
        line.behind(figure.token).iter().take_while(|token| token.number().is_none() && !token.is_mark());
    let remains = behind.any(|token| token.listed("rest") && token.folded.contains(' '));
    (remains || near.any(|token| token.listed("rest"))).then(|| Place::other("the rest, not the value"))
}

/// The share has another base: `8.54 % of its tea` is not a share of exports.
pub(crate) fn why_other_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::Percent).then(|| other_base(asked, line, figure.token)).flatten()
}

/// The figure is in another currency: `₹2,274`.
pub(crate) fn why_currency(_: &Asked<'_>, figure: &Figure, _: &Line) -> Option<Place> {
    (figure.quantity.unit == Unit::OtherCurrency).then(|| Place::other("the currency"))
}

/// The partner is the subject: `China exports $5 billion`, if the question asks for Kenya's exports to China.
pub(crate) fn why_partner(asked: &Asked<'_>, _: &Figure, line: &Line) -> Option<Place> {
    let is_own = || acts(asked.partner, line).is_some_and(|flow| asked.context.flow == Some(flow));
    (!asked.is_balance() && is_own()).then(|| Place::differing(ContextPart::Flow, "the flow, of the partner"))
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
    let asked_name = |token: &Token| match token.kind {
        Kind::Country(id) => asked.country == Some(id) || asked.partner == Some(id),
        _ => token.tagged("group") && token.tags.iter().any(|tag| asked.tags.contains(tag)),
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
    (asked.is_of_the_world() && acts(asked.country, line).is_some())
        .then(|| Place::differing(ContextPart::Base, "the base, which is not the world's"))
}

/// The figure is one flow, not the balance: `exports of $164 billion`.
pub(crate) fn why_one_side(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let own = figure.by_itself.as_ref().unwrap_or(&figure.said);
    (asked.is_balance() && exceeds(asked, figure, line).is_none() && is_one_side(figure, own, line))
        .then(|| Place::other("one side of the balance"))
}

/// The sentence says nothing of a balance: `Singapore's trade came to $185B`.
pub(crate) fn why_not_balanced(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let heads = line.heads.iter().chain(&line.headings).flat_map(|head| &head.tokens);
    let balances = |token: &Token| {
        token.is("part", "net")
            || token.is("metric", "trade_balance")
            || token.is("metric", "current_account")
            || token.folded.contains("balance")
            || token.folded.starts_with("exceed")
            || token.tagged("direction")
            || token.tagged("comparative")
            || token.operator("comparison")
            || token.folded.starts_with("more")
            || token.folded.starts_with("less")
            || token.holds("states_balance")
    };
    let says = line.sentence.tokens.iter().chain(heads).any(balances);
    let trades = line.sentence.tokens.iter().any(|token| token.tagged("flow") || token.folded == "trade");
    (asked.is_balance() && trades && !says && !figure.quantity.number.is_sign_negative())
        .then(|| Place::other("the trade, not its balance"))
}

/// The figure is a balance, not one flow: `Germany's surplus was $164 billion`.
pub(crate) fn why_balance(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_balance = |token: &Token| token.listed("balance_noun") && !asked.knows(&token.folded);
    let names_it =
        line.until(figure.token).iter().chain(line.behind(figure.token).iter().take(3)).any(is_balance);
    (names_it && !asked.is_balance() && figure.quantity.unit == Unit::Usd)
        .then(|| Place::other("the measure, the balance"))
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

/// The share has another base: `20 % of its imports`, if the question asks for a share of exports.
pub(crate) fn why_base(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let (own, said) = (asked.base()?, base(line, figure.token)?);
    let of_world =
        own.contains(&("metric", "world_trade")) && figure.said.words.iter().any(|word| is_world(word));
    (own.is_disjoint(&said) && !of_world).then(|| Place::differing(ContextPart::Base, "the base"))
}

/// The base has another scope: a share of services is not a share of all exports.
pub(crate) fn why_base_scope(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_share = figure.quantity.unit == Unit::Percent;
    if !is_share && figure.quantity.unit != Unit::PercentagePoints {
        return None;
    }
    let behind = line.behind(figure.token);
    let before = base_before(line, figure.token).filter(|_| is_share);
    let of_scope =
        is_share && behind.first().is_some_and(|token| token.folded == "of") && scope_of(behind).is_some();
    let has_base = base(line, figure.token).is_some() || of_scope;
    let scope = scope_of(before.filter(|_| !has_base).unwrap_or(behind));
    let is_narrower = matches!(scope, Some("goods" | "services"));
    ((has_base || before.is_some() && !asked.is_change())
        && scope != asked.base_scope()
        && (asked.base_scope().is_some() || is_narrower))
        .then(|| Place::differing(ContextPart::Base, "the base, of another scope"))
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

/// The figure is a part of a balance: `$164 billion of the deficit`.
pub(crate) fn why_of_balance(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut behind = line.behind(figure.token).iter();
    let of = behind.next().is_some_and(|token| token.folded == "of");
    let balance = |token: &Token| token.terms.iter().any(|term| term.0 == "trade_balance");
    (of && !asked.is_balance() && behind.take_while(|token| !token.is_mark()).take(3).any(balance))
        .then(|| Place::other("a part of the balance"))
}

/// The figure covers only a part: `the top ten exporters sold $5 billion`.
pub(crate) fn why_some(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    (asked.rows == 1 && figure.quantity.unit == Unit::Usd && is_of_some(asked, figure, line))
        .then(|| Place::other("a part of all"))
}

/// Converts a balance stated from the partner's side, whose sign is reversed: `The United States ran a deficit with Germany`.
pub(crate) fn turned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, partner) = (asked.country?, asked.partner?);
    let is_turned = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (with, Role::Partner)] if *subject == partner && *with == own
    );
    // `The US has a surplus`
    let acts = |pair: &[Token]| matches!(pair, [who, does] if who.kind == Kind::Country(partner) && does.role("verb") && !does.tagged("flow"));
    let is_turned = is_turned
        || line.sentence.tokens.windows(2).any(acts)
            && figure.said.countries.first().is_some_and(|(subject, _)| *subject == partner)
            && figure.said.countries.iter().skip(1).all(|(with, _)| *with == own);
    (asked.is_balance() && is_turned).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure
    })
}

/// The flow of which a country is the subject: `China bought`, `China's imports`, `China by itself exports`.
fn acts(country: Option<CountryId>, line: &Line) -> Option<Flow> {
    let country = country?;
    let tokens = &line.sentence.tokens;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let says_nothing =
            |next: &&Token| matches!(next.folded.as_str(), "s" | "by" | "itself") || next.role("adverb");
        let mut behind = tokens.get(at + 1..)?.iter().skip_while(says_nothing);
        let next = behind.next().filter(|_| token.kind == Kind::Country(country))?;
        // In `American buyers` the country is not the subject.
        if next.listed("party") {
            return None;
        }
        match (next.is("flow", "export"), next.is("flow", "import")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    })
}

/// Converts the partner's imports to the country's exports and vice versa: `China bought Brazilian goods worth $93 billion`.
pub(crate) fn mirrored(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, partner, flow) = (asked.country?, asked.partner?, asked.context.flow?);
    let is_mirrored = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (other, _)] if *subject == partner && *other == own
    );
    let opposes = acts(asked.partner, line).is_some_and(|acts| acts != flow);
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

/// The direction of a balance stated by comparing its sides: `exported $5 billion more than it imported`.
pub(crate) fn exceeds(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<bool> {
    let tokens = &line.sentence.tokens;
    let more = tokens.get(figure.token + 1).filter(|_| asked.is_balance())?;
    let mut flows = tokens.iter().flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "flow");
    let (first, second) = (flows.next()?.1, flows.next()?.1);
    let more = match more.folded.split(' ').next()? {
        "more" => true,
        "less" | "fewer" => false,
        _ => return None,
    };
    (first != second).then(|| (first == "export") == more)
}
