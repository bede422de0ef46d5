//! The parts of a context that differ from what is asked for: country, partner, period, product, measure, flow, scope.

use super::asked::Asked;
use super::said::{Role, Said, Side};
use super::side::other_flow;
use super::text::Line;
use crate::atlas::CountryId;
use crate::language::lexicon::{self, Tag};
use crate::language::sentence::{MEANING, Token};
use crate::value::{Flow, Period, Scope, Statistic, Unit};

/// The part of the context that differs from what is asked for.
pub(super) fn differs(asked: &Asked<'_>, said: &Said) -> Option<String> {
    let named: Vec<CountryId> = said.countries.iter().map(|(id, _)| *id).collect();
    // `the ratio of the GDP of Kenya to that of Ethiopia`: which of them comes first
    let in_order = asked.one.follows == Some(super::Follows::ByAJudge) && named == asked.sequence;
    let group: Vec<CountryId> =
        said.countries.iter().filter(|(_, role)| *role == Role::Group).map(|(id, _)| *id).collect();
    let whole = asked.places.iter().all(|id| asked.country == Some(*id) || group.contains(id));
    for (id, role) in &said.countries {
        if in_order || *role == Role::Group && whole && asked.places.contains(id) {
            continue;
        }
        let (own, partner) = (asked.country == Some(*id), asked.partner == Some(*id));
        let named = asked.places.contains(id);
        let fits = match role {
            Role::Subject if asked.partner.is_some() => own || (named && !partner),
            Role::Partner if asked.partner.is_some() => {
                // `imports into Brazil`
                let into = said.sides.contains(&(*id, Side::To)) && asked.context.flow == Some(Flow::Import);
                partner || (named && !own) || own && into
            }
            _ => {
                own || partner
                    || (named && asked.country.is_none())
                    || (named && asked.siblings_share_places())
            }
        };
        if !fits {
            let name = crate::atlas::by_id(*id).map_or("another", |entity| entity.short_name);
            return Some(format!("the country, {name}"));
        }
    }
    // `the second opportunity`, where the first is asked for
    let ordinal = |word: &str| lexicon::listed("ordinal", word);
    if asked.asks_place
        && let Some(other) = said.words.iter().find(|word| ordinal(word) && !asked.knows(word))
    {
        return Some(format!("the place in the order, {other}"));
    }
    if let Some(flow) = other_flow(asked, said) {
        return Some(format!("the flow, {flow}"));
    }
    let measured = said.tagged("metric");
    let per_person = said
        .tags
        .iter()
        .any(|tag| tag.1 == "per_person" || tag.1.ends_with("_per_person") || tag.1 == "gdp_per_capita");
    let wants_person = match &asked.one.column {
        Some(column) if asked.rows > 1 => column.contains("capita") || column.contains("person"),
        _ => asked.has("modifier", "per_person") || asked.one.data_point.contains("per_capita"),
    };
    if wants_person
        && !per_person
        && (measured
            || said
                .words
                .iter()
                .any(|word| matches!(word.as_str(), "total" | "together" | "altogether" | "totall")))
    {
        return Some("the base, which is not a person".to_owned());
    }
    let balanced = said.tags.contains(&("metric", "trade_balance"));
    if balanced && !asked.is_balance() && asked.context.flow.is_some() && !said.tagged("flow") {
        return Some("the measure, trade balance".to_owned());
    }
    // the average of several is none of them
    let is_level = asked.number().is_some_and(|number| {
        matches!(number.unit, Unit::Usd | Unit::Count | Unit::Persons | Unit::Percent) && !asked.is_change()
    });
    if is_level && !asked.knows("average") && said.words.iter().any(|word| word == "averag" || word == "mean")
    {
        return Some("the statistic, an average".to_owned());
    }
    // the trade balance is no current account
    let balance = |value: &str| said.tags.iter().any(|tag| tag.0 == "metric" && tag.1 == value);
    if balance("trade_balance")
        && !balance("current_account")
        && asked.one.data_point.contains("current_account")
    {
        return Some("the measure, trade balance".to_owned());
    }
    if asked.has("modifier", "ppp")
        && said.tags.iter().any(|tag| tag.0 == "basis" && tag.1 == "current")
        && !said.tags.contains(&("modifier", "ppp"))
    {
        return Some("what narrows it, nominal".to_owned());
    }
    // `lower in 2021 than in 2015`
    let ends = asked.context.period.map(|own| [Period::year(own.start), Period::year(own.end)]);
    let ends = ends.filter(|ends| ends.iter().all(|end| said.periods.contains(end)));
    for period in said.periods.iter().filter(|period| !ends.is_some_and(|ends| ends.contains(period))) {
        // `exported in 2019, in dollars of 2024`: the year of the prices
        let of_prices = asked.context.basis == Some(crate::value::Basis::Constant)
            && asked.periods.contains(period)
            && asked.context.period.is_some_and(|own| said.periods.contains(&own));
        // `in the 15 years to 2024`
        let ends = asked.context.period.is_some_and(|own| {
            let years = (i32::from(own.end) - i32::from(own.start)).unsigned_abs();
            *period == Period::year(own.end) && years > 0 && said.durations.contains(&years)
        });
        if !of_prices && !ends && !same_period(asked, *period) {
            return Some(format!("the period, {period}"));
        }
    }
    for years in &said.durations {
        let own = asked
            .context
            .period
            .map(|period| (i32::from(period.end) - i32::from(period.start)).unsigned_abs());
        let level = own.is_none_or(|own| own == 0);
        if (level && !asked.knows("year")) || own.is_some_and(|own| own != 0 && own != *years) {
            return Some(format!("the period, {years} years"));
        }
    }
    for code in &said.products {
        let own = asked.context.product.as_deref() == Some(code)
            || asked.products.contains(code)
            || asked.has("scope", "services") && code == "travel" && asked.knows("travel");
        if !own {
            return Some(format!("the product, {code}"));
        }
    }
    // `minerals and metals`, where minerals are asked for
    let is_sector = |term: &&Tag| term.0 == "sector";
    if asked.terms.iter().any(|term| is_sector(&term))
        && let Some((_, other)) = said.terms.iter().filter(is_sector).find(|term| !asked.terms.contains(term))
    {
        return Some(format!("the product, {other}"));
    }
    let says = |value: &str| said.tags.iter().any(|tag| tag.0 == "metric" && tag.1 == value);
    if let Some(measure) = lexicon::measure(&asked.one.data_point).filter(|measure| measure.family != "trade")
    {
        let mut own = std::iter::once(&measure.family).chain(&measure.also).chain(&measure.needs);
        if said.tags.iter().any(|tag| tag.0 == "metric") && !own.any(|name| says(name)) && !asked.is_balance()
        {
            return Some(format!("the measure, which is not {}", measure.family.replace('_', " ")));
        }
    }
    // `7 % of new products are exports`: the base and the part changed places
    let world = said.words.iter().any(|word| is_world(word));
    if asked.of_world() && says("trade") && !says("world_trade") && !says("market_share") && !world {
        return Some("the base, which is not the world's".to_owned());
    }
    // `Brazil's trade in cars` is not the world's
    let own = |(id, role): &(CountryId, Role)| *role == Role::Subject && asked.country == Some(*id);
    if asked.is_of_the_world() && said.countries.iter().any(own) && !world && !says("world_trade") {
        return Some("the base, which is not the world's".to_owned());
    }
    let is_own_share =
        asked.one.data_point.starts_with("top_product_share") || asked.one.data_point == "product_share";
    let is_share = asked.context.statistic == Some(Statistic::Share) && asked.base().is_some();
    let knows_world = ["world", "global"].iter().any(|word| asked.knows(word));
    if (is_own_share || is_share && !asked.of_world()) && world && !knows_world {
        return Some("the base, which is the world's".to_owned());
    }
    let ends = (said.tags.contains(&("comparative", "more")), said.tags.contains(&("comparative", "less")));
    let last = |end: &'static str| said.tags.contains(&("comparative", end));
    if asked.ends == (true, false) && (ends == (false, true) || last("least") && !last("most"))
        || asked.ends == (false, true) && (ends == (true, false) || last("most") && !last("least"))
    {
        return Some("the end of the comparison".to_owned());
    }
    said.tags
        .iter()
        .find(|tag| matters(tag.0) && !asked.allows(**tag))
        .map(|(kind, value)| format!("{}, {}", word(kind), value.replace('_', " ")))
}

/// What is said without what is set off from it as of something else: `It is measured, not forecast.`
pub(super) fn meant(asked: &Asked<'_>, line: &Line) -> Vec<Token> {
    let tokens = &line.sentence.tokens;
    let off: Vec<_> = line
        .contrasts
        .iter()
        .filter(|range| {
            let phrase = tokens.get((*range).clone()).unwrap_or_default();
            is_set_off(asked, &Said::of_tokens(phrase))
        })
        .collect();
    let stays = |at: &usize| !off.iter().any(|range| range.contains(at));
    let kept = tokens.iter().enumerate().filter(|(at, _)| stays(at));
    kept.map(|(_, token)| token.clone()).collect()
}

/// Whether what is set off is of something else than is asked for: `not in total`, `not percentage points`, `not minerals`. A
/// scope that is left out of both narrows what is said.
pub(super) fn is_set_off(asked: &Asked<'_>, contrast: &Said) -> bool {
    let asks_both = !matches!(asked.context.scope, Some(Scope::Goods | Scope::Services));
    let unit = |word: &String| {
        lexicon::list("unit_word").iter().any(|unit| super::asked::stem(unit) == *word)
            || lexicon::listed("set_off_frame", word)
    };
    if contrast.words.iter().all(unit) && contrast.unknown.is_empty() {
        return true;
    }
    // `rather than a figure per person`, where that is asked for
    let per_person = contrast.tags.iter().any(|tag| tag.1 == "per_person" || tag.1 == "gdp_per_capita");
    if per_person && asked.has("metric", "gdp_per_capita") {
        return false;
    }
    let other_row = !contrast.rows.is_empty() && !contrast.rows.contains(&asked.row);
    let truth = asked.text().unwrap_or_default();
    let names = asked.one.names.iter().map(String::as_str).chain([truth]);
    let own_names: Vec<CountryId> = names.filter_map(crate::atlas::lookup).map(|entity| entity.id).collect();
    let other_name = !own_names.is_empty()
        && !contrast.countries.is_empty()
        && contrast.countries.iter().all(|(id, _)| !own_names.contains(id));
    // `B – not D-`
    let is_letter = |word: &String| word.chars().count() == 1;
    let letter = truth.chars().next().map(|c| c.to_ascii_lowercase().to_string()).unwrap_or_default();
    if truth.len() <= 2 && contrast.words.iter().any(is_letter) && !contrast.words.contains(&letter) {
        return true;
    }
    let own = super::terms::terms_within(truth);
    let other_term = contrast.terms.iter().any(|term| own.iter().any(|own| own.0 == term.0))
        && !contrast.terms.iter().any(|term| own.contains(term));
    other_row
        || other_name
        || other_term
        || differs(asked, contrast).is_some_and(|part| !(asks_both && part.starts_with("the scope")))
}

/// Whether a token by itself says another part of the context than what is asked for.
pub(super) fn differs_alone(asked: &Asked<'_>, token: &Token) -> bool {
    differs(asked, &Said::of_tokens(std::slice::from_ref(token))).is_some()
}

pub(super) fn is_world(word: &str) -> bool {
    matches!(word, "world" | "global" | "worldwid" | "globally")
}

fn matters(kind: &str) -> bool {
    MEANING.contains(&kind) && kind != "direction"
}

fn word(kind: &str) -> &'static str {
    match kind {
        "metric" | "thing" => "the measure",
        "part" => "the base, part, rate or money",
        "group" => "the group",
        "flow" => "the flow",
        "scope" => "the scope",
        "basis" => "the price basis",
        "classification" => "the classification",
        "level" => "the level of detail",
        "statistic" => "the statistic",
        _ => "what narrows it",
    }
}

/// A single year at either end of a period, or a period that ends in the year, says nothing else, unless the point is a
/// level of that year.
pub(super) fn same_period(asked: &Asked<'_>, said: Period) -> bool {
    // what no record says the year of may be of any year; of an amount it matters
    let Some(own) = asked.context.period else {
        return said.start != i16::MIN && asked.number().is_none_or(|number| number.unit != Unit::Usd);
    };
    // `by 2024`, `since 2009`
    if said.start == i16::MIN || said.end == i16::MAX {
        return own.start != own.end && (said.end == own.end || said.start == own.start);
    }
    let single = |period: Period| period.start == period.end;
    own == said
        || (single(said)
            && !single(own)
            && (said.end == own.end || said.start == own.start)
            && (!asked.is_change() || asked.number().is_some_and(|number| number.unit == Unit::Percent)))
        || (single(own) && asked.periods.contains(&said) && !single(said))
}
