//! Compares what a question's words ask for with its data points: the measure, the flow and scope of trade, the
//! classification, the years, the number of rows.

use std::collections::BTreeSet;

use super::asked::Asked;
use super::entry::Entry;
use super::method::PointCatalog;
use super::question::ManifestQuestion;
use super::spec::Point;
use crate::atlas::{Explore, PlaceId, SitePage, Viz};
use crate::value::{Classification, Context, ContextPart, Flow, Scope, Statistic};
use atlas_gt_core::diagnostic::{At, Diagnostics};
use atlas_gt_scoring::language::stated;

/// One data point of a question.
struct Read<'a> {
    point: &'a Point,
    entry: &'a Entry,
}

/// Reports where the words of a question ask for something else than its data points give.
pub(super) fn holds_what_it_asks(
    question_text: Option<&At>,
    entry: &Entry,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) {
    let mut all: Vec<Read<'_>> = Vec::new();
    for entry in entry.readings() {
        let points = entry.data_points.iter().filter_map(|name| catalog.point(&entry.extractor, name));
        all.extend(points.map(|point| Read { point, entry }));
    }
    let Some(at) = question_text.filter(|_| !all.is_empty()) else { return };
    let asked = Asked::from(ManifestQuestion::from(entry));
    let checks = [
        measures(&asked, entry, &all),
        trade(&asked, &all),
        classes(&asked, &all),
        years(&asked, entry, &all),
        statistics(&asked, entry, &all),
        rows(&asked, &all),
    ];
    for (what, mend) in checks.into_iter().flatten() {
        report.warning(at, what).suggest(mend);
    }
}

/// The lexicon's measure for exports and imports.
const TRADE: &str = "trade";

/// The measures that a text names. World trade and market shares count as trade.
fn named_in(text: &str) -> BTreeSet<&'static str> {
    let plain = |name| if matches!(name, "world_trade" | "market_share") { TRADE } else { name };
    stated(text).measures.into_iter().map(plain).collect()
}

/// A problem, and how to fix it.
type Odd = (String, &'static str);

/// Every value must have a measure that the question names, and every measure that it names must have a value.
fn measures(asked: &Asked, entry: &Entry, all: &[Read<'_>]) -> Vec<Odd> {
    let named = named_in(&asked.text);
    let results = entry.derive.iter().flat_map(|derive| &derive.steps);
    let results = results.filter_map(|step| Some((step.name.as_str(), step.metric.as_deref()?)));
    let mut held: Vec<(&str, BTreeSet<&str>)> =
        results.map(|(name, metric)| (name, named_in(metric))).collect();
    if held.is_empty() {
        held = all.iter().map(|one| (one.point.id.as_str(), named_in(&one.point.metric))).collect();
    }
    let plain = |measures: &BTreeSet<&str>| {
        measures.iter().map(|name| name.replace('_', " ")).collect::<Vec<_>>().join(", ")
    };
    let mut odd = Vec::new();
    for (name, measures) in &held {
        if !named.is_empty() && !measures.is_empty() && named.is_disjoint(measures) {
            let what =
                format!("the question asks for {}, but `{name}` is {}", plain(&named), plain(measures));
            odd.push((what, "remove the data point, or ask for it"));
        }
    }
    if held.iter().all(|(_, measures)| !measures.is_empty()) {
        // most measures are about trade
        let lacking: BTreeSet<&str> = named
            .iter()
            .copied()
            .filter(|name| *name != TRADE && !held.iter().any(|(_, measures)| measures.contains(name)))
            .collect();
        if !lacking.is_empty() {
            let what = format!("the question asks for {}, but no data point gives it", plain(&lacking));
            odd.push((what, "add the data point, or remove the words"));
        }
    }
    odd
}

/// Statistics, with the lexicon list of words that ask for them.
const STATISTICS: [(&str, &str, &[Statistic]); 3] = [
    ("a share", "asks_part", &[Statistic::Share]),
    ("a rank", "asks_place", &[Statistic::Rank, Statistic::RankChange]),
    ("growth per year", "asks_projection", &[Statistic::Cagr, Statistic::Projection]),
];

/// The data points must give a share, a rank or growth per year exactly if the question asks for it.
fn statistics(asked: &Asked, entry: &Entry, all: &[Read<'_>]) -> Vec<Odd> {
    let says = |metric: &str, words: &str| Asked::new(metric, None, false).says(words);
    let is_of = |words: &str, of: &[Statistic]| match &entry.derive {
        Some(derive) => derive.steps.iter().any(|step| {
            let metric = step.metric.as_deref();
            metric.is_some_and(|metric| says(metric, words))
                || metric.and(step.operation.statistic()).is_some_and(|own| of.contains(&own))
        }),
        None => all.iter().any(|Read { point, entry }| {
            let own = point.context.statistic.or(entry.context.statistic);
            own.is_some_and(|own| of.contains(&own)) || says(&point.metric, words)
        }),
    };
    let mut odd = Vec::new();
    for (name, words, of) in STATISTICS {
        let yearly = of.contains(&Statistic::Cagr) && asked.asks_yearly_growth();
        match (yearly || asked.says(words), is_of(words, of)) {
            (true, false) => odd.push((
                format!("the question asks for {name}, but no data point gives it"),
                "add such a data point, or remove the words",
            )),
            (false, true) => odd.push((
                format!("a data point gives {name}, but the question does not ask for it"),
                "ask for it, or name another data point",
            )),
            _ => {}
        }
    }
    odd
}

/// The flow and the scope of trade.
fn trade(asked: &Asked, all: &[Read<'_>]) -> Vec<Odd> {
    let mut odd = Vec::new();
    for one in all {
        let other = asked.flow().zip(one.flow()).filter(|(asked, read)| asked != read);
        if let Some((asked, read)) = other {
            let part = |flow| Context { flow: Some(flow), ..Context::default() }.part(ContextPart::Flow);
            let what = format!(
                "the question asks for {}s, but `{}` is about {}s",
                part(asked),
                one.point.id,
                part(read)
            );
            odd.push((what, "change the page to the requested flow"));
        }
        let Some(scope) = one.scope().filter(|_| one.flow().is_some() && !one.is_of_products(asked)) else {
            continue;
        };
        let told = asked.scope();
        if told.map_or(scope != Scope::GoodsAndServices, |told| told != scope) {
            let part = |scope| Context { scope: Some(scope), ..Context::default() }.part(ContextPart::Scope);
            let asks = told.map_or_else(|| "all trade".to_owned(), part);
            let alone = if scope == Scope::GoodsAndServices { "" } else { " alone" };
            let what =
                format!("the question asks for {asks}, but `{}` covers {}{alone}", one.point.id, part(scope));
            odd.push((what, "state in the question what the value covers: goods, services, or both"));
        }
    }
    odd
}

/// The classification of products. The question must name one that a page does not show by default.
fn classes(asked: &Asked, all: &[Read<'_>]) -> Vec<Odd> {
    let class = |one: &Read<'_>| match &one.entry.url.page {
        SitePage::Explore(page) => Some(page.classification()),
        SitePage::Country { .. } => one.point.context.classification.or(one.entry.context.classification),
    };
    let held: Vec<Classification> = all.iter().filter_map(class).collect();
    let names = |classes: &[Classification]| {
        let mut names: Vec<&str> = classes.iter().map(|class| class.name()).collect();
        names.dedup();
        names.join(", ")
    };
    let is_told = |class: &Classification| asked.classes.contains(class);
    let shown =
        || all.iter().filter(|one| matches!(one.entry.url.page, SitePage::Explore(_))).filter_map(class);
    if !asked.classes.is_empty() && !held.is_empty() && !held.iter().any(is_told) {
        let what = format!(
            "the question asks for {}, but the data point uses {}",
            names(&asked.classes),
            names(&held)
        );
        return vec![(what, "change the page to the requested classification")];
    }
    match shown().find(|class| *class != Classification::Hs92 && !is_told(class)) {
        Some(class) => {
            let what = format!("the data point uses {}, but the question does not say so", names(&[class]));
            vec![(what, "name the classification in the question, such as `(HS 2012)`")]
        }
        None => Vec::new(),
    }
}

/// The years. Requested years must be read, and a question must name the year of its context.
fn years(asked: &Asked, entry: &Entry, all: &[Read<'_>]) -> Vec<Odd> {
    let mut odd = Vec::new();
    let mut spans: Vec<(i16, i16)> =
        std::iter::once(entry).chain(entry.readings()).flat_map(years_of).collect();
    let around = |one: &Read<'_>| {
        let period = one.point.period.around(one.explore()?.year?);
        Some((period.start, period.end))
    };
    spans.extend(all.iter().filter_map(around));
    let is_read = |year: &&i16| spans.iter().any(|(start, end)| (start..=end).contains(year));
    let lacking: Vec<String> =
        asked.years.iter().filter(|year| !is_read(year)).map(ToString::to_string).collect();
    if !spans.is_empty() && !lacking.is_empty() {
        let what =
            format!("the question asks for {}, which neither page nor context names", lacking.join(", "));
        odd.push((what, "name the year in `context.period` or in the address"));
    }
    if let (Some(period), true) = (entry.context.period, asked.years.is_empty()) {
        let what = format!("the context names {period}, but the question names no year");
        odd.push((what, "name the year in the question, or remove it from the context"));
    }
    odd
}

/// The years that an entry names, in its context and its address.
fn years_of(entry: &Entry) -> Vec<(i16, i16)> {
    let mut spans: Vec<(i16, i16)> =
        entry.context.period.iter().map(|period| (period.start, period.end)).collect();
    if let SitePage::Explore(page) = &entry.url.page {
        spans.extend(page.year.map(|year| (year, year)));
        spans.extend(page.start_year.zip(page.end_year));
    }
    spans
}

/// The number of rows.
fn rows(asked: &Asked, all: &[Read<'_>]) -> Vec<Odd> {
    let Some(wanted) = asked.count() else { return Vec::new() };
    let counts = all.iter().filter_map(|one| Some((one, one.point.find.count()?)));
    let other = counts.filter(|(_, count)| *count != wanted);
    let odd = |(one, count): (&Read<'_>, usize)| {
        let what = format!("the question asks for {wanted} rows, but `{}` has {count}", one.point.id);
        (what, "use a data point with as many rows")
    };
    other.map(odd).collect()
}

impl Read<'_> {
    fn explore(&self) -> Option<&Explore> {
        match &self.entry.url.page {
            SitePage::Explore(page) => Some(page),
            SitePage::Country { .. } => None,
        }
    }

    /// Exports or imports, from the point, or else from the question or its page.
    fn flow(&self) -> Option<Flow> {
        let of_page = || self.explore()?.flow;
        self.point.context.flow.or(self.entry.context.flow).or_else(of_page)
    }

    /// Goods, services or both, from the point, or else from the context. Trade with a partner covers goods only.
    fn scope(&self) -> Option<Scope> {
        let of_page = || {
            let page = self.explore()?;
            let of_goods = matches!(page.viz, Viz::Geomap | Viz::Productspace) || page.markets;
            let partner = page.importer.is_some_and(|partner| partner != PlaceId::WORLD);
            (of_goods || partner).then_some(Scope::Goods)
        };
        self.point.context.scope.or(self.entry.context.scope).or_else(of_page)
    }

    /// Whether it is about products, which imply their own scope.
    fn is_of_products(&self, asked: &Asked) -> bool {
        self.entry.context.product.is_some()
            || self.explore().is_some_and(|page| page.product.is_some())
            || asked.says("products_word")
    }
}

#[cfg(test)]
#[path = "check_question_tests.rs"]
mod tests;
