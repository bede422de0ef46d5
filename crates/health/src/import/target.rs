//! The data points of a manifest question, as targets for imported values.

use std::collections::{BTreeMap, BTreeSet};

use super::words::words;
use crate::atlas::SitePage;
use crate::extract::{Extractor, Extractors};
use crate::manifest::spec::{Over, Point, RowOf, Span};
use crate::manifest::{Entry, Step};
use crate::value::derive::{DIRECTIONS, Operation};
use crate::value::{AnswerField, Context, Period, Statistic, Unit};

/// A data point that a question asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Target {
    /// The data point.
    pub data_point: String,
    /// The display name.
    pub metric: String,
    /// Its label among other results of the question.
    pub label: Option<String>,
    /// The unit; none for words.
    pub unit: Option<Unit>,
    /// The vocabulary of its words.
    pub vocabulary: Option<String>,
    /// The context of its value.
    pub context: Context,
    /// Whether its period ends in its year and starts earlier.
    pub looks_back: bool,
    /// The country group.
    pub group: Option<String>,
    /// Whether it has one value or several.
    pub shape: Shape,
    /// The row fields that answer.
    pub answers: Vec<AnswerField>,
    /// The operation that derives its value.
    pub operation: Option<Operation>,
    /// Whether the page, not the question, names its product.
    pub names_its_product: bool,
    /// The key under which its only row names its subject.
    pub key: Option<&'static str>,
    /// The words in its name and context.
    pub words: BTreeSet<String>,
    /// The words of the question.
    pub asked: BTreeSet<String>,
    /// The question with its title. A value may repeat names from both.
    pub question: String,
}

/// The shape of a data point.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// One value.
    #[default]
    One,
    /// One value per list item, optionally only for the first few.
    List(Of, Option<usize>),
    /// One value per row and column of a table.
    Table(Vec<Column>),
}

/// The kind of list items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Products.
    Products,
    /// Trading partners, or countries that trade a product.
    Partners,
    /// Countries that are themselves the answer.
    Places,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// Its id in records.
    pub id: String,
    /// The unit of its numbers; none for names and ratings.
    pub unit: Option<Unit>,
}

/// The data points of a question.
pub(super) fn targets(entry: &Entry, extractors: &Extractors) -> Vec<Target> {
    let mut targets: Vec<Target> = match &entry.derive {
        Some(derive) => of_steps(entry, &derive.inputs, &derive.steps, extractors),
        None => {
            let points = entry.data_points.iter();
            points.filter_map(|point| of_point(entry, point, extractors)).collect()
        }
    };
    let asked = entry.info.question_text.as_deref().map(words).unwrap_or_default();
    for target in &mut targets {
        target.words = own_words(target);
        target.asked.clone_from(&asked);
        let label = target.label.as_deref().unwrap_or_default();
        target.question =
            [entry.info.question_text.as_deref().unwrap_or_default(), &target.metric, label].join("; ");
    }
    targets
}

fn of_point(entry: &Entry, data_point: &str, extractors: &Extractors) -> Option<Target> {
    let extractor = extractors.get(&entry.extractor)?;
    let point = extractor.spec().point(data_point)?;
    let context = Context {
        statistic: point.context.statistic.or_else(|| statistic(entry, point)),
        flow: point.context.flow.or(entry.context.flow),
        basis: point.context.basis.or(entry.context.basis),
        base: point.context.base.or(entry.context.base),
        per: point.context.per.or(entry.context.per),
        tense: point.context.tense.or(entry.context.tense),
        scope: point.context.scope.or(entry.context.scope),
        classification: entry.context.classification.or(point.context.classification),
        period: period(entry),
        ..entry.context.clone()
    };
    let needs = extractor.kind(data_point).map(crate::extract::Kind::needs).unwrap_or_default();
    let shape = shape(extractor, point);
    let of_products = kind_answers(extractor, data_point).contains(&AnswerField::Code);
    let group = point.find.rows().and_then(|rows| rows.group().map(str::to_owned));
    let key = match (&shape, &context.product, &group) {
        (_, _, Some(_)) => Some("name"),
        (Shape::One, Some(_), None)
            if needs.product && !needs.own && !of_products_by_code(extractor, point) =>
        {
            Some("sector")
        }
        _ => None,
    };
    Some(Target {
        data_point: point.id.clone(),
        metric: point.metric.clone(),
        unit: point.unit,
        vocabulary: point.vocabulary.clone(),
        looks_back: point.period != Span::Year,
        names_its_product: of_products && context.product.is_none() && shape == Shape::One,
        answers: point.answers.clone(),
        context,
        group,
        shape,
        key,
        ..Target::default()
    })
}

/// The statistic that a question states, unless it cannot apply to the point's unit.
fn statistic(entry: &Entry, point: &Point) -> Option<Statistic> {
    let stated = entry.context.statistic?;
    let fits = match stated {
        Statistic::Share | Statistic::TotalGrowth | Statistic::Cagr => point.unit == Some(Unit::Percent),
        Statistic::Rank => point.unit == Some(Unit::Rank),
        _ => true,
    };
    fits.then_some(stated)
}

/// The year that a question states, or else its page's year.
fn period(entry: &Entry) -> Option<Period> {
    let of_page = || match &entry.url.page {
        SitePage::Explore(explore) => explore.year.map(Period::year),
        SitePage::Country { .. } => None,
    };
    entry.context.period.or_else(of_page)
}

fn kind_answers(extractor: &Extractor, data_point: &str) -> &'static [AnswerField] {
    extractor.kind(data_point).map(crate::extract::Kind::answers).unwrap_or_default()
}

/// Whether a product's value is stored under name and code, like a list row.
fn of_products_by_code(extractor: &Extractor, point: &Point) -> bool {
    let answers = kind_answers(extractor, &point.id);
    answers.contains(&AnswerField::Code) && answers.contains(&AnswerField::Rank)
}

/// The shape of a point, from the parameters of its kind.
fn shape(extractor: &Extractor, point: &Point) -> Shape {
    let columns = point.find.items("columns");
    if !columns.is_empty() {
        let column = |item: &crate::manifest::spec::SpecItem| {
            let unit = item.text("unit").and_then(|unit| serde_json::from_value(unit.into()).ok());
            Some(Column { id: item.text("id")?, unit })
        };
        return Shape::Table(columns.iter().filter_map(column).collect());
    }
    let (count, rows) = (point.find.count(), point.find.rows().unwrap_or_default());
    let lists_places = rows.over == Some(Over::List);
    if count.is_none() && !lists_places {
        return Shape::One;
    }
    let answers = kind_answers(extractor, &point.id);
    let of = match rows.of {
        Some(RowOf::Partner) => Of::Partners,
        _ if lists_places => Of::Places,
        _ if answers.contains(&AnswerField::Code) => Of::Products,
        _ => Of::Partners,
    };
    Shape::List(of, count)
}

/// The targets of a question whose answer is derived.
fn of_steps(entry: &Entry, inputs: &[Entry], steps: &[Step], extractors: &Extractors) -> Vec<Target> {
    let mut units: BTreeMap<&str, Option<Unit>> = BTreeMap::new();
    let mut known: BTreeMap<&str, Target> = BTreeMap::new();
    for input in inputs {
        let name = input.question_id.as_str().rsplit('.').next().unwrap_or_default();
        let target = input.data_points.first().and_then(|point| of_point(input, point, extractors));
        let Some(target) = target else { continue };
        units.insert(name, target.unit);
        known.insert(name, target);
    }
    let mut targets = Vec::new();
    for step in steps {
        let first = step.of.first().map(String::as_str).unwrap_or_default();
        let unit = step.operation.unit(units.get(first).copied().flatten());
        units.insert(&step.name, unit);
        let Some(metric) = step.metric.clone() else { continue };
        let input = known.get(first);
        let (context, looks_back) = match (step.operation, input) {
            (Operation::Value, Some(input)) => (input.context.clone(), input.looks_back),
            _ => {
                let context = Context {
                    statistic: step.operation.statistic(),
                    period: period(entry),
                    ..entry.context.clone()
                };
                (context, false)
            }
        };
        let vocabulary = match step.operation {
            Operation::Direction => Some(DIRECTIONS.to_owned()),
            Operation::Value => input.and_then(|input| input.vocabulary.clone()),
            _ => None,
        };
        targets.push(Target {
            data_point: step.name.clone(),
            metric,
            label: step.label.clone(),
            unit,
            vocabulary,
            context,
            looks_back,
            operation: Some(step.operation),
            ..Target::default()
        });
    }
    targets
}

/// The words in its name and subject.
fn own_words(target: &Target) -> BTreeSet<String> {
    let mut all = words(&target.data_point);
    all.extend(words(&target.metric));
    all.extend(target.label.as_deref().map(words).unwrap_or_default());
    let parts = [crate::value::ContextPart::Flow, crate::value::ContextPart::Statistic];
    all.extend(parts.iter().flat_map(|part| words(&target.context.part(*part))));
    all
}
