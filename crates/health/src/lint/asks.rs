//! Rules that compare question and record: the measure, the classification behind nulls, and
//! whether the record answers a neighbouring question.

use std::collections::BTreeSet;

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, is_money, metric};
use crate::atlas::by_id;
use crate::external::{Figure, FigureContent};
use crate::manifest::Asked;
use crate::scoring::language::lexicon::{list, listed};
use crate::scoring::language::stated;
use crate::value::fold::words_at;
use crate::value::{Classification, Statistic, Unit};
use atlas_gt_core::diagnostic::Severity;

pub(super) static OTHER_MEASURE: LintRule = LintRule {
    code: "GT032",
    title: "the record has another measure than the question asks for: a total instead of a share, growth instead of an amount, a number instead of names",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "collect what the question asks for; keep the other value beside it if it helps",
    check: Check::Record(other_measure),
    passing: r#"[{"question": {"text": "What share of the exports of Chile goes to China?"}, "record": {"atlas_url": "/countries/152", "results": {"data": [{"partner": "China", "share": "38.4%"}]}}}]"#,
    failing: r#"[{"question": {"text": "What share of the exports of Chile goes to China?"}, "record": {"atlas_url": "/countries/152", "results": {"data": [{"partner": "China", "export_value": "$36.4 billion"}]}}}]"#,
};

fn other_measure(subject: &LintSubject<'_>) -> Option<Found> {
    let asked = subject.asked?;
    let numbers: Vec<&Figure> = subject.numbers().collect();
    let first = *numbers.first()?;
    if subject.has_behavior()
        || subject.rows.figures.iter().any(|figure| figure.content == FigureContent::Nothing)
    {
        return None;
    }
    let apart = asks_part(asked, &numbers)
        .or_else(|| asks_growth(subject, asked, &numbers))
        .or_else(|| asks_other(asked, subject));
    let (what, held) = apart?;
    Some(Found::at(first, format!("the question asks for {what}, the record has {held}: {}", first.text)))
}

type Mismatch = (&'static str, String);

fn is_percent(figure: &Figure) -> bool {
    let is_share = figure.measure.is_some_and(|measure| measure.statistic == Some(Statistic::Share));
    figure.quantity().is_some_and(|quantity| quantity.unit == Unit::Percent) || is_share
}

/// The record has money where the question asks for a share, or the reverse.
fn asks_part(asked: &Asked, numbers: &[&Figure]) -> Option<Mismatch> {
    let asks_share = asked.says("asks_share_of");
    let asks_money = asked.says("asks_amount") && !asked.says("asks_no_amount");
    if asks_share
        && numbers.iter().all(|figure| is_money(figure) && !is_percent(figure))
        && numbers.len() == 1
    {
        return Some(("a share", "an amount".to_owned()));
    }
    if asks_money && numbers.iter().all(|figure| is_percent(figure)) {
        return Some(("an amount", "a percentage".to_owned()));
    }
    None
}

/// The record has the amount of one year where the question asks for growth.
fn asks_growth(subject: &LintSubject<'_>, asked: &Asked, numbers: &[&Figure]) -> Option<Mismatch> {
    let asks = asked.asks_total_growth() || asked.asks_yearly_growth();
    let is_change = |figure: &&Figure| {
        let by_key = figure.measure.and_then(|measure| measure.statistic);
        is_percent(figure)
            || matches!(
                by_key,
                Some(Statistic::TotalGrowth | Statistic::Cagr | Statistic::Change | Statistic::RankChange)
            )
            || list("names_change").iter().any(|word| metric(figure).contains(word))
    };
    let is_alone = numbers.len() == 1 && subject.years().len() < 2;
    (asks && is_alone && numbers.iter().all(|figure| is_money(figure)) && !numbers.iter().any(is_change))
        .then(|| ("growth", "one amount".to_owned()))
}

/// The question asks for a known measure, and every value has another.
fn asks_other(asked: &Asked, subject: &LintSubject<'_>) -> Option<Mismatch> {
    let wanted = stated(&asked.text).measures;
    let mut held: BTreeSet<&str> = BTreeSet::new();
    for figure in &subject.rows.figures {
        let own = stated(figure.about.metric.as_deref().unwrap_or_default()).measures;
        let of_key = stated(&figure.key.replace('_', " ")).measures;
        // a value without a stated measure may have any
        if own.is_empty() && of_key.is_empty() {
            return None;
        }
        held.extend(own);
        held.extend(of_key);
    }
    // most measures are about trade, so these words distinguish nothing
    let general = ["trade", "world_trade", "market_share"];
    let is_general =
        |names: &BTreeSet<&str>| names.is_empty() || names.iter().any(|name| general.contains(name));
    if is_general(&wanted) || is_general(&held) || !wanted.is_disjoint(&held) {
        return None;
    }
    let names =
        |all: &BTreeSet<&str>| all.iter().map(|name| name.replace('_', " ")).collect::<Vec<_>>().join(", ");
    Some(("another measure", names(&held)))
}

pub(super) static NULLS: LintRule = LintRule {
    code: "GT033",
    title: "nulls before or inside a series: it was read in a classification that starts later",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "read the series in a classification that covers the years (HS 1992 starts in 1995, HS 2012 in 2012), and state which one",
    check: Check::Record(nulls),
    passing: r#"[{"question": {"text": "How did the ECI of Ghana evolve from 2010 to 2013?"}, "record": {"atlas_url": "/countries/288", "results": {"data": [{"year": "2010", "eci": "-0.9"}, {"year": "2011", "eci": "-0.8"}, {"year": "2012", "eci": "-0.7"}, {"year": "2013", "eci": null}]}}}]"#,
    failing: r#"[{"question": {"text": "How did the ECI of Ghana evolve from 2010 to 2013?"}, "record": {"atlas_url": "/countries/288", "results": {"data": [{"year": "2010", "eci": null}, {"year": "2011", "eci": null}, {"year": "2012", "eci": "-0.7"}, {"year": "2013", "eci": "-0.6"}]}}}]"#,
};

fn nulls(subject: &LintSubject<'_>) -> Option<Found> {
    let mut keys: Vec<&str> = subject.rows.figures.iter().map(|figure| figure.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let later = [Classification::Hs12, Classification::Hs22];
    if subject.asked.is_some_and(|asked| asked.classes.iter().any(|class| later.contains(class))) {
        return None;
    }
    keys.into_iter().find_map(|key| {
        let mut series: Vec<(i16, &Figure)> = subject
            .rows
            .figures
            .iter()
            .filter(|figure| figure.key == key)
            .filter_map(|figure| {
                Some((figure.about.period.filter(|period| period.start == period.end)?.start, figure))
            })
            .collect();
        series.sort_by_key(|(year, _)| *year);
        if series.windows(2).any(|two| two[0].0 == two[1].0) {
            return None;
        }
        let is_null = |(_, figure): &(i16, &Figure)| figure.content == FigureContent::Nothing;
        let last = series.iter().rposition(|one| !is_null(one))?;
        let (year, null) = series[..last].iter().find(|one| is_null(one))?;
        let from = series[..=last].iter().find(|one| one.0 > *year && !is_null(one))?.0;
        Some(Found::at(null, format!("no value for {year}, but values from {from} on")))
    })
}

pub(super) static NEIGHBOUR: LintRule = LintRule {
    code: "GT034",
    title: "the record answers a neighbouring question",
    severity: Severity::Error,
    requirement: requirement::CHECKED,
    help: "ids were shifted: move the record to the question that it answers, and collect the right one",
    check: Check::Record(neighbour),
    passing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "country": "Kenya", "value": "$2,274"}]}}}, {"question": {"text": "What is the population of Kenya?"}, "record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "Population", "country": "Kenya", "value": "52.4 million"}]}}}]"#,
    failing: r#"[{"question": {"text": "What is the GDP per capita of Kenya?"}, "record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "country": "Kenya", "value": "$2,274"}]}}}, {"question": {"text": "Which products does Spain export most?"}, "record": {"atlas_url": "/countries/404", "results": {"data": [{"metric": "GDP per capita", "country": "Kenya", "value": "$2,274"}]}}}]"#,
};

/// How much better a record must match another question to be reported.
const MIN_MARGIN: i32 = 3;

fn neighbour(subject: &LintSubject<'_>) -> Option<Found> {
    let own = fit(subject, subject.asked?);
    if subject.rows.figures.is_empty() || !own.is_contradicted {
        return None;
    }
    let beside = subject.beside.iter().flatten().map(|(id, asked)| (id, asked, fit(subject, asked)));
    let is_clear =
        |other: &Fit| !other.is_contradicted && other.points >= (own.points + MIN_MARGIN).max(MIN_MARGIN);
    let (id, asked, _) = beside.filter(|(_, _, fit)| is_clear(fit)).max_by_key(|(_, _, fit)| fit.points)?;
    Some(Found::new("question_id", format!("it matches question {id} (“{}”) instead of its own", asked.text)))
}

/// How well a record matches a question.
struct Fit {
    points: i32,
    /// Both name countries, measures or years, but none in common.
    is_contradicted: bool,
}

/// Scores how well a record matches a question, by countries, groups, products, measures and years
/// in both.
fn fit(subject: &LintSubject<'_>, asked: &Asked) -> Fit {
    let rows = &subject.rows.figures;
    let (mut points, mut is_contradicted) = (0, false);
    let mut agree = |is_one: bool| {
        points += if is_one { 2 } else { -2 };
        is_contradicted |= !is_one;
    };
    let mut countries = subject.countries_of_page();
    let named = rows.iter().flat_map(|figure| [&figure.about.country, &figure.about.partner]).flatten();
    countries.extend(named.filter_map(|name| super::subject::country(name)));
    if !countries.is_empty() && !asked.countries.is_empty() {
        agree(countries.iter().any(|id| asked.countries.contains(id)));
    }
    let own: BTreeSet<&str> = rows.iter().flat_map(|figure| stated(&metric(figure)).measures).collect();
    let wanted = stated(&asked.text).measures;
    if !own.is_empty() && !wanted.is_empty() {
        agree(!own.is_disjoint(&wanted));
    }
    let years = subject.years();
    if !years.is_empty() && !asked.years.is_empty() {
        agree(years.iter().any(|year| asked.years.contains(year)));
    }
    let mut words: Vec<String> = rows.iter().flat_map(names).collect();
    words.sort_unstable();
    words.dedup();
    let said = words.iter().filter(|word| words_at(&asked.lower, word).is_some()).count();
    Fit { points: points + i32::try_from(said.min(3)).unwrap_or_default(), is_contradicted }
}

/// The words that describe a value: metric, product, sector and group, but no country.
fn names(figure: &Figure) -> Vec<String> {
    let about = &figure.about;
    let texts =
        [about.metric.as_deref(), about.product.as_deref(), about.sector.as_deref(), about.group.as_deref()];
    let words = texts.into_iter().flatten().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let is_country = |word: &&str| super::subject::country(word).and_then(by_id).is_some();
    words
        .filter(|word| word.len() > 3 && !is_country(word))
        .map(str::to_lowercase)
        .filter(|word| !listed("plain_description", word))
        .collect()
}
