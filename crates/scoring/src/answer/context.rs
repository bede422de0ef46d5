//! Finds the part of a stated context that differs from the question: country, partner, period, product, measure, flow, scope.
//! A contrast to something else (`It is measured, not forecast.`) does not count.

use super::difference::Difference;
use super::point::Follows;
use super::question::asked::Asked;
use super::statement::said::{Role, Said, Side};
use crate::atlas::{self, CountryId};
use crate::language::lexicon;
use crate::language::token::{MEANING, Token};
use crate::value::{AnswerField, Basis, ContextPart, Flow, Period, Unit};

/// Checks one part of the context. Returns the answer's part if it differs.
type Part = fn(&Asked<'_>, &Said) -> Option<Difference>;

/// The checks in order: entity, time and subject; base and end of comparison; any other lexicon tag.
const PARTS: [Part; 15] = [
    country,
    flow,
    per_person,
    trade_balance,
    trade_of_both,
    average,
    price_basis,
    period,
    duration,
    product,
    sector,
    measure,
    base,
    end_of_comparison,
    meaning,
];

/// The first part of the context that differs from the question.
pub(crate) fn differs(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    PARTS.iter().find_map(|part| part(asked, said))
}

/// A country that does not have this role in the question.
fn country(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let named: Vec<CountryId> = said.countries.iter().map(|(id, _)| *id).collect();
    // `the ratio of the GDP of Kenya to that of Ethiopia`: the order matters.
    if asked.one.follows == Some(Follows::ByAJudge) && named == asked.sequence {
        return None;
    }
    // The group among which something is ranked: `compared with Morocco, Tunisia and Jordan`
    let is_rank = asked.number().is_some_and(|number| number.total.is_some());
    let is_once = |id: &CountryId| named.iter().filter(|other| *other == id).count() == 1;
    let in_group = |(id, role): &(CountryId, Role)| {
        let is_other = is_rank && asked.country != Some(*id) && asked.country == named.first().copied();
        (*role == Role::Group || is_other) && is_once(id)
    };
    let is_named = |id: &CountryId| said.countries.iter().any(|one| one.0 == *id && in_group(one));
    let is_whole = asked.places.iter().all(|id| asked.country == Some(*id) || is_named(id));
    let is_asked = |id: &CountryId, role: &Role| {
        in_group(&(*id, *role)) && is_whole && asked.places.contains(id) || fits_role(asked, said, *id, *role)
    };
    let (other, _) = said.countries.iter().find(|(id, role)| !is_asked(id, role))?;
    let name = atlas::by_id(*other).map_or("another", |entity| entity.short_name);
    Some(Difference::of(ContextPart::Country, format!("the country, {name}")))
}

/// Whether a country fits the role that the answer gives it.
fn fits_role(asked: &Asked<'_>, said: &Said, id: CountryId, role: Role) -> bool {
    let (own, partner) = (asked.country == Some(id), asked.partner == Some(id));
    let is_named = asked.places.contains(&id);
    match role {
        Role::Subject if asked.partner.is_some() => own || is_named && !partner,
        Role::Partner if asked.partner.is_some() => {
            // `imports into Brazil`
            let into = said.sides.contains(&(id, Side::To)) && asked.context.flow == Some(Flow::Import);
            partner || is_named && !own || own && into
        }
        _ => own || partner || is_named && (asked.country.is_none() || asked.siblings_share_places()),
    }
}

/// The opposite flow, implied by the partner's side.
fn flow(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    other_flow(asked, said).map(|flow| Difference::of(ContextPart::Flow, format!("the flow, {flow}")))
}

/// A total instead of an amount per person.
fn per_person(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let is_wanted = match &asked.one.column {
        Some(column) if asked.rows > 1 => column.contains("capita") || column.contains("person"),
        _ => asked.has("modifier", "per_person") || asked.one.data_point.contains("per_capita"),
    };
    let says_person = said.tags.iter().any(|(_, value)| {
        matches!(*value, "per_person" | "gdp_per_capita") || value.ends_with("_per_person")
    });
    let says_whole = || said.words.iter().any(|word| lexicon::listed("whole_stem", word));
    (is_wanted && !says_person && (said.tagged("metric") || says_whole()))
        .then(|| Difference::of(ContextPart::Base, "the base, which is not a person"))
}

/// The trade balance instead of a flow or the current account.
fn trade_balance(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let asks_flow = !asked.is_balance() && asked.context.flow.is_some() && !said.tagged("flow");
    let asks_account =
        asked.one.data_point.contains("current_account") && !said.has("metric", "current_account");
    let says_balance = said.has("metric", "trade_balance")
        || asks_flow && said.words.iter().any(|word| lexicon::listed_stem("balance_noun", word));
    (says_balance && (asks_flow || asks_account)).then(|| "the measure, trade balance".into())
}

/// The trade in both directions instead of a flow: `Brazil–China trade`, `Trade of Brazil with China`.
fn trade_of_both(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let names = |id: Option<CountryId>| id.is_some_and(|id| said.countries.iter().any(|one| one.0 == id));
    let asks_flow = asked.number().is_some() && asked.context.flow.is_some() && !asked.is_balance();
    let has_way = said.tagged("flow") || !said.sides.is_empty();
    let is_trade = said.words.iter().any(|word| *word == lexicon::stem("trade"));
    (asks_flow && is_trade && !has_way && names(asked.country) && names(asked.partner))
        .then(|| "the measure, trade in both directions".into())
}

/// An average of several values instead of a level.
fn average(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let is_level = asked.number().is_some_and(|number| {
        matches!(
            number.unit,
            Unit::Usd | Unit::Count | Unit::Persons | Unit::Percent | Unit::Rank | Unit::Index
        ) && !asked.is_change()
    });
    // An index has a meaning: `it means that …`
    let is_index = asked.number().is_some_and(|number| number.unit == Unit::Index);
    let says_average = said.words.iter().any(|word| word == "averag" || word == "mean" && !is_index);
    (is_level && says_average && !asked.knows("average"))
        .then(|| Difference::of(ContextPart::Statistic, "the statistic, an average"))
}

/// A nominal value instead of one at purchasing power parity.
fn price_basis(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    (asked.has("modifier", "ppp") && said.has("basis", "current") && !said.has("modifier", "ppp"))
        .then(|| "the modifier, nominal".into())
}

/// A period other than the requested one and its ends.
fn period(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let own = asked.context.period;
    // `lower in 2021 than in 2015`
    let ends = own.map(|own| [Period::year(own.start), Period::year(own.end)]);
    let ends = ends.filter(|ends| ends.iter().all(|end| said.periods.contains(end)));
    // `exported in 2019, in dollars of 2024`: the year of the prices
    let of_prices = |period: &Period| {
        asked.context.basis == Some(Basis::Constant)
            && asked.periods.contains(period)
            && own.is_some_and(|own| said.periods.contains(&own))
    };
    // `in the 15 years to 2024`
    let ends_span = |period: &Period| {
        own.is_some_and(|own| {
            let years = years(own);
            *period == Period::year(own.end) && years > 0 && said.durations.contains(&years)
        })
    };
    let is_other = |period: &&Period| {
        !ends.is_some_and(|ends| ends.contains(period))
            && !of_prices(period)
            && !ends_span(period)
            && !same_period(asked, **period)
    };
    let of_other_prices = |period: &&Period| {
        asked.context.basis != Some(Basis::Constant)
            || !asked.periods.contains(*period) && own != Some(**period)
            // `in dollars of 2019`, if the question asks for those of 2024
            || own == Some(**period) && asked.periods.len() > 1
    };
    let other = said.periods.iter().find(is_other).or_else(|| said.prices.iter().find(of_other_prices));
    other.map(|period| Difference::of(ContextPart::Period, format!("the period, {period}")))
}

/// The number of years between the ends of a period.
fn years(period: Period) -> u32 {
    (i32::from(period.end) - i32::from(period.start)).unsigned_abs()
}

/// A duration that differs from the requested period; for a level, any duration if the question mentions no years.
fn duration(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let own = asked.context.period.map_or(0, years);
    // `It hardly moved in ten years.`, if the question names both ends
    let ends = || asked.periods.iter().flat_map(|period| [period.start, period.end]);
    let span = || ends().max().zip(ends().min()).map(|(end, start)| years(Period { start, end }));
    let is_other = |years: &&u32| match own {
        0 => !asked.knows("year") && span() != Some(**years),
        own => **years != own,
    };
    said.durations
        .iter()
        .find(is_other)
        .map(|years| Difference::of(ContextPart::Period, format!("the period, {years} years")))
}

/// A product outside the question.
fn product(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let is_own = |code: &String| {
        asked.context.product.as_deref() == Some(code)
            || asked.products.contains(code)
            || asked.has("scope", "services") && code == "travel" && asked.knows("travel")
    };
    let other = said
        .products
        .iter()
        .find(|code| !is_own(code))
        .map(|code| Difference::of(ContextPart::Product, format!("the product, {code}")));
    // `This is Brazil's total exports.`, where cars are asked for
    let is_named = !said.products.is_empty() || !said.rows.is_empty() || !said.terms.is_empty();
    let says_whole = said.words.iter().any(|word| word == "total") && said.has("metric", "trade");
    let is_amount =
        asked.one.names.is_empty() && asked.number().is_some_and(|number| number.unit == Unit::Usd);
    let is_whole =
        is_amount && asked.context.product.is_some() && !asked.knows("total") && !is_named && says_whole;
    other.or_else(|| is_whole.then(|| Difference::of(ContextPart::Product, "the product, all of them")))
}

/// Another sector: `minerals and metals` instead of minerals.
fn sector(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let asks_one = asked.terms.iter().any(|term| term.0 == "sector");
    let is_other = |term: &&(&str, &str)| term.0 == "sector" && !asked.terms.contains(*term);
    // `24 new products, in agriculture only`
    let alone = || said.words.iter().any(|word| lexicon::listed("exclusive", word));
    // `its largest buyers in textiles`
    let of_partners = || asked.products.is_empty() && asked.one.names.iter().all(|name| is_place(name));
    let names = !asked.one.names.is_empty();
    // `24 new products in chemicals`, `German machinery sold to the United States`
    let is_whole = asked.number().is_some() && asked.products.is_empty() && asked.rows == 1;
    let is_count = asked.number().is_some_and(|number| number.unit == Unit::Count);
    // `World exports of electronics`, if the question asks for those of integrated circuits
    let is_wider = asked.number().is_some()
        && asked.context.product.is_some()
        && asked.rows == 1
        && said.products.is_empty()
        && said.rows.is_empty();
    let is_named = |(_, term): &&(&str, &str)| {
        // services and goods are scopes of a whole
        asks_one
            || is_wider && *term != "Services"
            || is_whole && (is_count || *term != "Services")
            || alone()
            || names && of_partners()
    };
    let (_, other) = said.terms.iter().find(is_other).filter(is_named)?;
    Some(Difference::of(ContextPart::Product, format!("the product, {other}")))
}

fn is_place(name: &str) -> bool {
    crate::atlas::lookup(name).is_some()
}

/// Other measures than the data point's own.
fn measure(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let measure = lexicon::measure(&asked.one.data_point).filter(|measure| measure.family != "trade")?;
    let mut own = std::iter::once(&measure.family).chain(&measure.also).chain(&measure.needs);
    // `Per head, Turkey's GDP was $15,882`
    let is_per_head = measure.family == "gdp_per_capita"
        && said.has("modifier", "per_person")
        && said.has("metric", "total_gdp");
    (said.tagged("metric") && !is_per_head && !own.any(|name| said.has("metric", name)))
        .then(|| format!("the measure, which is not {}", measure.family.replace('_', " ")).into())
}

/// Another base of a share: the world's trade instead of the country's, or the reverse.
fn base(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let says_world = said.words.iter().any(|word| is_world(word));
    let names_world = says_world || said.has("metric", "world_trade");
    // `7 % of new products are exports`: base and part are swapped.
    // `0.04 %, as a part of everything that India sold`
    let is_trade = said.has("metric", "trade") || said.words.iter().any(|word| word == "everything");
    let of_own = asked.of_world() && is_trade && !said.has("metric", "market_share");
    // `Brazil's trade in cars` is not the world's
    let own = |(id, role): &(CountryId, Role)| *role == Role::Subject && asked.country == Some(*id);
    let of_country = asked.is_of_the_world() && said.countries.iter().any(own);
    if (of_own || of_country) && !names_world {
        return Some(Difference::of(ContextPart::Base, "the base, which is not the world's"));
    }
    let data_point = &asked.one.data_point;
    let is_own_share = data_point.starts_with("top_product_share") || data_point == "product_share";
    let is_part =
        asked.number().is_some_and(|number| matches!(number.unit, Unit::Percent | Unit::PercentagePoints));
    let is_share = is_part && (asked.base().is_some() || asked.knows("share"));
    let knows_world = ["world", "global"].iter().any(|word| asked.knows(word));
    // `the world's top service`
    let is_own_name = |own: CountryId| {
        asked.one.names.iter().any(|name| atlas::lookup(name).is_some_and(|one| one.id == own))
    };
    let is_name =
        !asked.one.names.is_empty() && asked.flow().is_some() && !said.has("metric", "market_share");
    let is_of_all = is_name
        && asked.fields().iter().all(|field| *field == AnswerField::Name)
        && asked
            .country
            .is_some_and(|own| !is_own_name(own) && said.countries.iter().all(|(id, _)| *id != own));
    (says_world && !knows_world && (is_own_share || is_share && !asked.of_world() || is_of_all))
        .then(|| Difference::of(ContextPart::Base, "the base, which is the world's"))
}

/// The opposite end of the comparison: least instead of most, or the reverse.
fn end_of_comparison(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let turns = |end: &str, other: &str| said.has("comparative", other) && !said.has("comparative", end);
    let is_other = match asked.ends {
        (true, false) => turns("more", "less") || turns("most", "least"),
        (false, true) => turns("less", "more") || turns("least", "most"),
        _ => false,
    };
    is_other.then(|| "the end of the comparison".into())
}

/// A lexicon phrase that does not fit the data point.
fn meaning(asked: &Asked<'_>, said: &Said) -> Option<Difference> {
    let is_other = |tag: &&(&'static str, &'static str)| matters(tag.0) && !asked.allows(**tag);
    let (kind, value) = said.tags.iter().find(is_other)?;
    Some(different(kind, &value.replace('_', " ")))
}

/// Whether a token alone states a different context.
pub(crate) fn differs_alone(asked: &Asked<'_>, token: &Token) -> bool {
    differs(asked, &Said::of_tokens(std::slice::from_ref(token))).is_some()
}

pub(crate) fn is_world(word: &str) -> bool {
    lexicon::listed("world_stem", word)
}

fn matters(kind: &str) -> bool {
    MEANING.contains(&kind) && kind != "direction"
}

fn different(kind: &str, value: &str) -> Difference {
    let of = |part, name: &str| Difference::of(part, format!("{name}, {value}"));
    match kind {
        "metric" | "thing" => format!("the measure, {value}").into(),
        "part" => of(ContextPart::Base, "the base, part, rate or money"),
        "group" => of(ContextPart::Group, "the group"),
        "flow" => of(ContextPart::Flow, "the flow"),
        "scope" => of(ContextPart::Scope, "the scope"),
        "basis" => of(ContextPart::Basis, "the price basis"),
        "classification" => of(ContextPart::Classification, "the classification"),
        "level" => Difference { cause: None, ..of(ContextPart::Product, "the level of detail") },
        "statistic" => of(ContextPart::Statistic, "the statistic"),
        _ if value == "per person" => of(ContextPart::Per, "the modifier"),
        _ => format!("the modifier, {value}").into(),
    }
}

/// Whether a stated period fits the requested one: equal, a single year at either end of the period, or a longer period that
/// the question names.
pub(crate) fn same_period(asked: &Asked<'_>, said: Period) -> bool {
    let single = |period: Period| period.start == period.end;
    // Without a recorded year any year of the question fits, or any if it names none, except for dollar amounts.
    let Some(own) = asked.context.period else {
        let is_named = asked.periods.is_empty()
            || asked.periods.iter().any(|own| *own == said || own.end == said.end && single(said));
        return is_named
            && said.start != Period::OPEN_START
            && asked.number().is_none_or(|number| number.unit != Unit::Usd);
    };
    // `by 2024`, `since 2009`
    if said.start == Period::OPEN_START || said.end == Period::OPEN_END {
        return own.start != own.end && (said.end == own.end || said.start == own.start);
    }
    own == said
        || (single(said)
            && !single(own)
            && (said.end == own.end || said.start == own.start)
            && (!asked.is_change() || asked.number().is_some_and(|number| number.unit == Unit::Percent)))
        || (single(own) && asked.periods.contains(&said) && !single(said))
}

/// The opposite flow, implied by the partner's side if no word names a flow. Goods going to the partner are exports.
fn other_flow(asked: &Asked<'_>, said: &Said) -> Option<&'static str> {
    // `ASEAN's exports to Australia` are not Australia's.
    let is_own = asked.partner.is_none()
        && asked.tags.iter().any(|tag| tag.0 == "group")
        && said.tags.iter().any(|tag| tag.0 == "flow" && asked.tags.contains(tag));
    // `The world buys $5 from Brazil.`
    let is_from_own = asked.partner.is_none() && said.has("flow", "import");
    // `Exports of crude petroleum to Nigeria`
    let is_to_own = asked.partner.is_none()
        && said.sides.iter().any(|(id, side)| asked.country == Some(*id) && *side == Side::To);
    if is_to_own && asked.context.flow == Some(Flow::Export) && !asked.is_balance() {
        return Some("import");
    }
    let stands = |country: Option<CountryId>, wanted: Side| {
        country.is_some_and(|country| said.sides.contains(&(country, wanted)))
    };
    // `China → Brazil, exports of goods`
    let (from, to) = match asked.context.flow {
        Some(Flow::Import) => (asked.partner, asked.country),
        _ => (asked.country, asked.partner),
    };
    if !asked.is_balance() && stands(from, Side::To) && stands(to, Side::From) {
        return Some(if asked.context.flow == Some(Flow::Import) { "export" } else { "import" });
    }
    if asked.is_balance() || said.tagged("flow") && !is_own && !is_from_own {
        return None;
    }
    match asked.context.flow? {
        Flow::Import if stands(asked.partner, Side::To) || stands(asked.country, Side::From) => {
            Some("export")
        }
        Flow::Export if stands(asked.partner, Side::From) || stands(asked.country, Side::To) => {
            Some("import")
        }
        _ => None,
    }
}
