//! Builds rows and their provenance from imported values.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::place::{Placed, Placing};
use super::report::LeafUse;
use super::target::Target;
use super::words::slug;
use crate::atlas::{country_name, lookup};
use crate::evidence::{Agreement, Channel};
use crate::external::keys::{self, Role};
use crate::external::{Figure, FigureContent, Leaf, Use};
use crate::extract::Reading;
use crate::lint::says_nothing;
use crate::manifest::Asked;
use crate::truth::{Imported, PointProvenance, Precise, Row};
use crate::value::{AnswerField, Context, Quantity, Statistic, Unit, Value};
use atlas_gt_scoring::language::stated;

/// The outcome of one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fate {
    pub used: LeafUse,
    /// The record field that holds it.
    pub field: Option<String>,
    /// Why it has no data point.
    pub why: Option<String>,
}

impl Fate {
    const NOTHING: Self = Self { used: LeafUse::Nothing, field: None, why: None };

    fn of(used: LeafUse, row: &Row, why: Option<String>) -> Self {
        Self { used, field: Some(row.field()), why }
    }
}

/// The rows of a record with their provenance, and the outcome of each value.
#[derive(Debug, Clone, Default)]
pub(super) struct Built {
    pub rows: Vec<(Row, PointProvenance)>,
    pub fates: Vec<Fate>,
}

/// Facts shared by all rows of a record.
pub(super) struct Origin<'a> {
    /// The file, relative to the folder.
    pub file: &'a str,
    /// The time of collection.
    pub read_at: Timestamp,
    /// The context of the question, if the manifest has one.
    pub context: &'a Context,
    /// Names reserved for values with a data point.
    pub is_known: &'a dyn Fn(&str) -> bool,
}

/// Builds the rows of a record.
///
/// The first `own` values are the record's. The rest are names beside them that may also be
/// answers.
pub(super) fn build(
    (figures, own): (&[Figure], usize),
    leaves: &[Leaf],
    targets: &[Target],
    placing: &Placing,
    origin: &Origin<'_>,
) -> Built {
    let mut built = Built { fates: vec![Fate::NOTHING; figures.len()], ..Built::default() };
    // rows for values without a data point
    let mut hosts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut placed: Vec<&Placed> = placing.placed.iter().collect();
    placed.sort_by_key(|one| (one.target, number(&one.keys, "rank"), one.figure));
    for one in placed {
        let (figure, target) = (&figures[one.figure], &targets[one.target]);
        let row = row(figure, target, one);
        hosts.entry(figure.row).or_insert(built.rows.len());
        built.fates[one.figure] = Fate::of(LeafUse::Placed, &row, None);
        let point = provenance(figure, &row, reading_of(&one.reading), context(figure, target), origin);
        built.rows.push((row, point));
    }
    let mut alone: Vec<(usize, Row)> = Vec::new();
    for (at, figure) in figures.iter().enumerate().take(own) {
        if built.fates[at] != Fate::NOTHING || figure.content == FigureContent::Nothing {
            continue;
        }
        if let Some(why) = says_nothing(figure) {
            built.fates[at].why = Some(why);
            continue;
        }
        match hosts.get(&figure.row) {
            Some(host) => {
                let row = &mut built.rows[*host].0;
                row.extra.entry(figure.key.clone()).or_insert_with(|| figure.text.clone().into());
                built.fates[at] = Fate::of(LeafUse::Beside, row, placing.reasons.get(&at).cloned());
            }
            None => alone.push((at, own_row(figure, origin))),
        }
    }
    for (at, row) in disambiguated(alone, figures) {
        let figure = &figures[at];
        let why = placing.reasons.get(&at).cloned();
        let why = why.unwrap_or_else(|| "the manifest does not ask for this value".to_owned());
        built.fates[at] = Fate::of(LeafUse::Own, &row, Some(why));
        let point = provenance(figure, &row, figure.quantity(), own_context(figure, origin.context), origin);
        built.rows.push((row, point));
    }
    beside(figures, leaves, &hosts, &mut built.rows);
    built
}

/// The rows of a record written by this program, unchanged: each names its data point. None for
/// other records.
pub(super) fn own_rows(rows: &[Map<String, Json>], figures: &[Figure], origin: &Origin<'_>) -> Option<Built> {
    if rows.is_empty() || !rows.iter().all(|row| row.contains_key("data_point")) {
        return None;
    }
    let read = |row: &Map<String, Json>| serde_json::from_value::<Row>(Json::Object(row.clone())).ok();
    let rows: Vec<Row> = rows.iter().map(read).collect::<Option<_>>()?;
    let fate = |figure: &Figure| Fate::of(LeafUse::Placed, &rows[figure.row], None);
    let fates = figures.iter().map(fate).collect();
    let point = |(at, row): (usize, &Row)| {
        let quantity = match row.value.as_deref().and_then(crate::value::parse) {
            Some(Value::Quantity(quantity)) => Some(quantity),
            _ => None,
        };
        let period = row.year.as_deref().and_then(|text| {
            let (start, end) = text.split_once('-').unwrap_or((text, text));
            Some(crate::value::Period { start: start.trim().parse().ok()?, end: end.trim().parse().ok()? })
        });
        let country = lookup(&row.country).map(|entity| entity.id.to_string());
        let asked = origin.context;
        let context = Context {
            country: country.or(asked.country.clone()),
            period: period.or(asked.period),
            ..asked.clone()
        };
        PointProvenance {
            displayed: row.value.clone(),
            rule: quantity.as_ref().and_then(|quantity| quantity.rule),
            interval: quantity.map(|quantity| quantity.interval),
            agreement: Some(Agreement::Single),
            imported: Some(Imported {
                file: origin.file.to_owned(),
                row: at + 1,
                keys: vec!["value".to_owned()],
            }),
            ..PointProvenance::of_row(row, context, Channel::Imported, origin.read_at)
        }
    };
    let points: Vec<PointProvenance> = rows.iter().enumerate().map(point).collect();
    Some(Built { rows: rows.into_iter().zip(points).collect(), fates })
}

/// Adds leaves that are not values but carry more than the subject: precise values, and words for a
/// sign.
fn beside(
    figures: &[Figure],
    leaves: &[Leaf],
    hosts: &BTreeMap<usize, usize>,
    rows: &mut [(Row, PointProvenance)],
) {
    for leaf in leaves {
        let Some((row, point)) = hosts.get(&leaf.row).map(|host| &mut rows[*host]) else { continue };
        let is_kept = match leaf.used {
            // the provenance of an assigned value holds its precise value, if it agrees
            Use::Precise(of) => {
                let figure = &figures[of];
                let key = point.imported.as_ref().and_then(|imported| imported.keys.first());
                key != Some(&figure.key) || figure.precise().is_none()
            }
            // no other row has the context in nested objects
            Use::About => leaf.key.contains('.') || keys::of_row(&leaf.key) == Role::Subject("direction"),
            Use::Figure(_) | Use::Note => false,
        };
        if is_kept {
            row.extra.entry(leaf.key.clone()).or_insert_with(|| leaf.text.clone().into());
        }
    }
}

fn number(keys: &[(String, String)], name: &str) -> Option<u32> {
    keys.iter().find(|(key, _)| key == name)?.1.parse().ok()
}

const fn reading_of(reading: &Reading) -> Option<&Quantity> {
    match reading {
        Reading::Quantity(quantity) => Some(quantity),
        Reading::Text(_) | Reading::Absent(_) => None,
    }
}

/// The row of a data point.
fn row(figure: &Figure, target: &Target, placed: &Placed) -> Row {
    let context = &target.context;
    let of_page = context.country.as_deref().and_then(country_name);
    let key = |name: &str| placed.keys.iter().find(|(key, _)| key == name).map(|(_, text)| text.as_str());
    let named = key("row").or_else(|| key("name").filter(|_| target.group.is_none())).and_then(lookup);
    let country = named.map(|entity| entity.short_name).or(of_page).unwrap_or_default().to_owned();
    let extra = placed.keys.iter().map(|(key, text)| (key.clone(), Json::String(text.clone()))).collect();
    let (value, number, unit, absence) = match &placed.reading {
        Reading::Quantity(quantity) => {
            (Some(figure.text.clone()), Some(quantity.number.normalize()), Some(quantity.unit), None)
        }
        Reading::Text(text) => {
            // a product's code may be the answer
            let code = key("code").filter(|_| figure.name == "name" && target.answers == [AnswerField::Code]);
            (Some(code.map_or_else(|| text.clone(), str::to_owned)), None, None, None)
        }
        Reading::Absent(absence) => (None, None, None, Some(*absence)),
    };
    Row {
        data_point: target.data_point.clone(),
        metric: target.metric.clone(),
        country,
        extra,
        value,
        absence,
        number,
        unit,
        year: period(figure, target).map(|period| period.to_string()),
        answers: target.answers.clone(),
    }
}

/// The period of an assigned value. A point that looks back has the question's period.
fn period(figure: &Figure, target: &Target) -> Option<crate::value::Period> {
    if target.looks_back { target.context.period } else { figure.about.period.or(target.context.period) }
}

fn context(figure: &Figure, target: &Target) -> Context {
    let classification = target.context.classification.or(figure.about.classification);
    Context { period: period(figure, target), classification, ..target.context.clone() }
}

/// The row of a value without a data point, under its own name and with the other tool's words.
fn own_row(figure: &Figure, origin: &Origin<'_>) -> Row {
    let about = &figure.about;
    let first = figure.key.split(['.', '[']).next().unwrap_or(&figure.key);
    let metric = about.metric.clone();
    let name = match &metric {
        Some(metric) if figure.name == "value" || figure.name == "name" => slug(metric),
        _ => slug(first),
    };
    let name = if name.is_empty() { "value".to_owned() } else { name };
    let data_point = if (origin.is_known)(&name) { format!("{name}_imported") } else { name };
    let mut extra: Map<String, Json> = Map::new();
    let mut put = |key: &str, text: Option<String>| {
        if let Some(text) = text {
            extra.insert(key.to_owned(), text.into());
        }
    };
    put("rank", about.rank.map(|rank| rank.to_string()));
    put("product", about.product.clone());
    put("code", about.code.clone());
    put("partner", about.partner.clone());
    put("sector", about.sector.clone());
    put("name", about.group.clone().or_else(|| about.of.clone().filter(|_| figure.key.contains('.'))));
    put("status", about.direction.clone());
    let quantity = figure.quantity();
    let of_question = || origin.context.country.as_deref().and_then(country_name);
    let country = about.country.clone().or_else(|| of_question().map(str::to_owned));
    Row {
        data_point,
        metric: metric.unwrap_or_else(|| figure.key.replace('_', " ")),
        country: country.unwrap_or_default(),
        extra,
        value: Some(figure.text.clone()),
        absence: None,
        number: quantity.map(|quantity| quantity.number.normalize()),
        unit: quantity.map(|quantity| quantity.unit),
        year: about.period.map(|period| period.to_string()),
        answers: vec![AnswerField::Value],
    }
}

/// Distinguishes rows with the same name: by country, then by year, then by position.
fn disambiguated(mut rows: Vec<(usize, Row)>, figures: &[Figure]) -> Vec<(usize, Row)> {
    let country = |_: &Figure, row: &Row| Some(row.country.clone()).filter(|country| !country.is_empty());
    let year = |_: &Figure, row: &Row| row.year.clone();
    let key = |figure: &Figure, _: &Row| Some(figure.key.clone());
    let place = |figure: &Figure, _: &Row| Some(format!("{} {}", figure.key, figure.row + 1));
    type Part<'a> = (&'a str, &'a dyn Fn(&Figure, &Row) -> Option<String>);
    let parts: [Part<'_>; 4] = [("row", &country), ("column", &year), ("column", &key), ("column", &place)];
    for (name, part) in parts {
        let mut fields: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, (_, row)) in rows.iter().enumerate() {
            fields.entry(row.field()).or_default().push(number);
        }
        for same in fields.values().filter(|same| same.len() > 1) {
            let of = |(at, row): &(usize, Row)| part(&figures[*at], row);
            let parts: Vec<Option<String>> = same.iter().map(|number| of(&rows[*number])).collect();
            let differs = parts.iter().any(|part| *part != parts[0]);
            for (number, part) in same.iter().zip(parts).filter(|_| differs) {
                rows[*number].1.extra.extend(part.map(|part| (name.to_owned(), part.into())));
            }
        }
    }
    rows
}

/// The context of a value without a data point, from its row.
fn own_context(figure: &Figure, asked: &Context) -> Context {
    let about = &figure.about;
    let id = |name: &Option<String>| name.as_deref().and_then(lookup).map(|entity| entity.id.to_string());
    let measure = figure.measure;
    let said = about.metric.as_deref().map(stated).unwrap_or_default();
    Context {
        country: id(&about.country).or_else(|| asked.country.clone().filter(|_| about.country.is_none())),
        partner: id(&about.partner),
        product: about.code.clone(),
        classification: about.classification,
        period: about.period,
        flow: measure.and_then(|measure| measure.flow).or(said.flow),
        statistic: measure
            .and_then(|measure| measure.statistic)
            .or(said.statistic)
            .or_else(|| growth(figure)),
        ..Context::default()
    }
}

/// The growth statistic of a percentage, if its metric mentions growth or change.
fn growth(figure: &Figure) -> Option<Statistic> {
    let said = Asked::new(figure.about.metric.as_deref()?, None, false);
    let is_change = figure.quantity()?.unit == Unit::Percent && said.asks_change();
    is_change.then(|| if said.asks_yearly_growth() { Statistic::Cagr } else { Statistic::TotalGrowth })
}

/// The provenance of an imported value.
fn provenance(
    figure: &Figure,
    row: &Row,
    quantity: Option<&Quantity>,
    context: Context,
    origin: &Origin<'_>,
) -> PointProvenance {
    // a number in API format was displayed nowhere
    let is_number = quantity.is_some_and(|quantity| quantity.rule.is_none() && quantity.interval.is_point());
    let precise = figure.precise().filter(|_| quantity.is_some());
    let raw = figure.raw.as_ref().filter(|_| precise.is_some());
    let of_raw = precise.zip(raw).map(|(number, raw)| Precise {
        number: number.normalize(),
        from: format!("{} of the imported record", raw.key),
    });
    let (agreement, reason) = match &of_raw {
        Some(precise) => (Agreement::Agrees, format!("{} is displayed as {}", precise.number, figure.text)),
        None => (Agreement::Single, "imported: nothing beside it was read".to_owned()),
    };
    let metric = figure.about.metric.as_ref().map(|metric| format!("metric \"{metric}\", "));
    let keys = std::iter::once(figure.key.clone()).chain(raw.map(|raw| raw.key.clone())).collect();
    let is_shown =
        matches!(figure.content, FigureContent::Value(Value::Quantity(_) | Value::Text(_))) && !is_number;
    PointProvenance {
        displayed: Some(figure.text.clone()).filter(|_| is_shown && row.absence.is_none()),
        rule: quantity.and_then(|quantity| quantity.rule),
        interval: quantity.map(|quantity| quantity.interval),
        precise: of_raw,
        locator: Some(format!("{}key `{}`", metric.unwrap_or_default(), figure.key)),
        agreement: Some(agreement),
        agreement_reason: Some(reason),
        imported: Some(Imported { file: origin.file.to_owned(), row: figure.row + 1, keys }),
        ..PointProvenance::of_row(row, context, Channel::Imported, origin.read_at)
    }
}
