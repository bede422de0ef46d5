//! Reads how an answer follows from several values: the inputs, each checked as a question of its own, and the steps.

use std::sync::LazyLock;

use super::check_context;
use super::check_reading;
use super::details::Details;
use super::entry::{self, Derive, DeriveFile, Entry, InputFile, QuestionInfo, StepFile};
use super::fields::{Fields, text, word};
use super::method::{Method, PointCatalog};
use super::tree::{Kind, Node};
use crate::value::derive::Operation;
use atlas_gt_core::diagnostic::Diagnostics;
use atlas_gt_core::value::derive::Step;

static KEYS: LazyLock<Vec<String>> = LazyLock::new(entry::keys::<DeriveFile>);
static INPUT_KEYS: LazyLock<Vec<String>> = LazyLock::new(entry::keys::<InputFile>);
static STEP_KEYS: LazyLock<Vec<String>> = LazyLock::new(entry::keys::<StepFile>);

/// How the answer to a question follows from several values; `None` when a part of it is missing or wrong.
pub(super) fn derive(
    node: &Node,
    question: &Entry,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Derive> {
    let fields = object(node, "derive", &KEYS, report)?;
    let named = fields.required("inputs", report)?;
    let Kind::Map(map) = &named.kind else {
        let what = format!("expected an object of inputs by name, found {}", named.noun());
        report.error(named.place, "derive.inputs", what);
        return None;
    };
    let inputs: Vec<Option<Entry>> =
        map.iter().map(|(key, node)| input(&key.name, node, question, catalog, report)).collect();
    let listed = fields.required("steps", report)?;
    let Kind::List(list) = &listed.kind else {
        report.error(listed.place, "derive.steps", format!("expected a list, found {}", listed.noun()));
        return None;
    };
    let mut known: Vec<String> = map.iter().map(|(key, _)| key.name.clone()).collect();
    let mut steps: Vec<Step> = Vec::new();
    for (at, node) in list.iter().enumerate() {
        let made = step(node, &format!("derive.steps[{at}]"), &known, report);
        known.extend(made.iter().map(|step| step.name.clone()));
        steps.extend(made);
    }
    if !steps.iter().any(|step| step.metric.is_some()) {
        report
            .error(listed.place, "derive.steps", "no step has a `metric`, so nothing answers the question")
            .suggest("give the last step a `metric`, the result's name for a person");
    }
    let is_used = |name: &String| steps.iter().any(|step| step.of.contains(name));
    let all_read = steps.len() == list.len();
    for (key, _) in map.iter().filter(|(key, _)| all_read && !is_used(&key.name)) {
        report.warning(key.place, "derive.inputs", format!("no step is made of `{}`", key.name));
    }
    Some(Derive { inputs: inputs.into_iter().collect::<Option<_>>()?, steps })
}

fn object<'a>(node: &'a Node, field: &str, known: &[String], report: &mut Diagnostics) -> Option<Fields<'a>> {
    let Kind::Map(map) = &node.kind else {
        report.error(node.place, field, format!("expected an object, found {}", node.noun()));
        return None;
    };
    let fields = Fields { map, place: node.place };
    fields.refuse_unknown(&format!("{field}."), known, report);
    Some(fields)
}

/// One input, as an entry of its own.
fn input(
    name: &str,
    node: &Node,
    question: &Entry,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Entry> {
    let field = format!("derive.inputs.{name}");
    let fields = object(node, &field, &INPUT_KEYS, report)?;
    let question_id = match format!("{}.{name}", question.question_id).parse() {
        Ok(id) => id,
        Err(error) => {
            report.error(node.place, &field, format!("an input is named as ids are: {error}"));
            return None;
        }
    };
    let mut cut_short = None;
    let url = match fields.get("atlas_url") {
        Some(_) => check_reading::url(&fields, &mut cut_short, report)?,
        None => question.url.clone(),
    };
    if let Some(why) = cut_short {
        report.error(node.place, &field, why);
    }
    let method: Method = match fields.get("extraction_method") {
        Some((_, node)) => word(node, "extraction_method", report)?,
        None => question.method,
    };
    let extractor = check_reading::extractor(&fields, question.planned.is_some(), catalog, report)?;
    let point = fields.required("data_point", report)?;
    if question.planned.is_none() {
        check_reading::fits_page(&fields, &extractor, url.kind(), catalog, report);
    }
    let read_by = question.planned.is_none().then_some(extractor.as_str());
    let named = [("data_point".to_owned(), point)];
    let data_points = check_reading::data_points(&named, (read_by, catalog), Some(method), report);
    let mut context = check_reading::context_of(&fields, report)?;
    check_context::against_url(&fields, &url, &mut context, report);
    let label = fields.text("label", report).unwrap_or_else(|| name.replace('_', " "));
    Some(Entry {
        question_id,
        url,
        method,
        extractor,
        data_points,
        context,
        info: QuestionInfo { question_text: None, ..question.info.clone() },
        details: Details::default(),
        derive: None,
        input_of: Some((question.question_id.clone(), label)),
        place: node.place,
        ..question.clone()
    })
}

fn step(node: &Node, field: &str, known: &[String], report: &mut Diagnostics) -> Option<Step> {
    let fields = object(node, field, &STEP_KEYS, report)?;
    let name = fields.required("name", report).and_then(|node| text(node, "name", report))?;
    if known.iter().any(|one| one == name) {
        report.error(node.place, field, format!("`{name}` names an input or an earlier step already"));
    }
    let operation: Operation =
        fields.required("operation", report).and_then(|node| word(node, "operation", report))?;
    let listed = fields.required("of", report)?;
    let Kind::List(list) = &listed.kind else {
        report.error(
            listed.place,
            &format!("{field}.of"),
            format!("expected a list, found {}", listed.noun()),
        );
        return None;
    };
    let mut of = Vec::new();
    for (at, node) in list.iter().enumerate() {
        let field = format!("{field}.of[{at}]");
        let Some(name) = text(node, &field, report) else { continue };
        if !known.iter().any(|one| one == name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            report
                .error(node.place, &field, format!("there is no input `{name}`"))
                .did_you_mean(name, &known);
        }
        of.push(name.to_owned());
    }
    let (least, most) = operation.takes();
    if !(least..=most).contains(&of.len()) {
        let takes = if least == most { least.to_string() } else { format!("{least} or more") };
        report.error(
            listed.place,
            &format!("{field}.of"),
            format!("{} values are named, the operation takes {takes}", of.len()),
        );
    }
    Some(Step {
        name: name.to_owned(),
        operation,
        of,
        metric: fields.text("metric", report),
        label: fields.text("label", report),
        rule: fields.word("rule", report),
    })
}
