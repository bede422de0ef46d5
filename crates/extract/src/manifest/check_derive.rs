//! Checks how an answer is derived from several values: the inputs, each as its own question, and the steps.

use super::check_context;
use super::check_reading;
use super::details::Details;
use super::entry::{Derive, DeriveFile, Entry, InputFile, QuestionInfo, StepFile};
use super::method::PointCatalog;
use atlas_gt_core::diagnostic::Diagnostics;
use atlas_gt_core::document::{Located, OptionalField as _};
use atlas_gt_core::value::derive::Step;

/// How the answer to a question is derived from several values; `None` if a part is missing or wrong.
pub(super) fn derive(
    stated: &Located<DeriveFile>,
    question: &Entry,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Derive> {
    let file = stated.value.as_ref()?;
    // in the order of the file
    let mut named: Vec<(&String, &Located<InputFile>)> = file.inputs.iter().collect();
    named.sort_by_key(|(_, stated)| stated.at.place);
    let inputs: Vec<Option<Entry>> =
        named.iter().map(|(name, stated)| input(name, stated, question, catalog, report)).collect();
    let list = file.steps.value.as_ref()?;
    let mut known: Vec<String> = named.iter().map(|(name, _)| (*name).clone()).collect();
    let mut steps: Vec<Step> = Vec::new();
    for stated in list {
        let made = step(stated, &known, report);
        known.extend(made.iter().map(|step| step.name.clone()));
        steps.extend(made);
    }
    if !steps.iter().any(|step| step.metric.is_some()) {
        report
            .error(&file.steps.at, "no step has a `metric`, so nothing answers the question")
            .suggest("give the last step a `metric`: the result's display name");
    }
    let is_used = |name: &String| steps.iter().any(|step| step.of.contains(name));
    let all_read = steps.len() == list.len();
    for (name, stated) in named.into_iter().filter(|(name, _)| all_read && !is_used(name)) {
        report.warning(&stated.at, format!("no step uses `{name}`"));
    }
    Some(Derive { inputs: inputs.into_iter().collect::<Option<_>>()?, steps })
}

/// One input, as its own entry.
fn input(
    name: &str,
    Located { at, value }: &Located<InputFile>,
    question: &Entry,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Entry> {
    let file = value.as_ref()?;
    let question_id = match format!("{}.{name}", question.question_id).parse() {
        Ok(id) => id,
        Err(error) => {
            report.error(at, format!("an input's name must be a valid id: {error}"));
            return None;
        }
    };
    let mut cut_short = None;
    let url = match &file.atlas_url {
        Some(url) => check_reading::url(url, &mut cut_short, report)?,
        None => question.url.clone(),
    };
    if let Some(why) = cut_short {
        report.error(at, why);
    }
    let method = match &file.extraction_method {
        Some(method) => method.value?,
        None => question.method,
    };
    let is_planned = question.planned.is_some();
    let extractor = check_reading::extractor(&file.extractor, Some(url.kind()), is_planned, catalog, report)?;
    let read_by = (!is_planned).then_some(extractor.as_str());
    let named = std::slice::from_ref(&file.data_point);
    let data_points = check_reading::data_points(named, (read_by, catalog), Some(method), report);
    let mut context = check_context::context(&file.context, report)?;
    check_context::against_url(&file.context, &url, &mut context, report);
    let label = file.label.value().cloned().unwrap_or_else(|| name.replace('_', " "));
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
        place: at.place,
        ..question.clone()
    })
}

fn step(
    Located { at, value }: &Located<StepFile>,
    known: &[String],
    report: &mut Diagnostics,
) -> Option<Step> {
    let file = value.as_ref()?;
    let name = file.name.value.clone()?;
    if known.contains(&name) {
        report.error(at, format!("an input or an earlier step is already called `{name}`"));
    }
    let operation = file.operation.value?;
    let mut of = Vec::new();
    for Located { at, value } in file.of.value.as_ref()? {
        let Some(name) = value else { continue };
        if !known.contains(name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            report.error(at, format!("there is no input `{name}`")).did_you_mean(name, &known);
        }
        of.push(name.clone());
    }
    let (least, most) = operation.takes();
    if !(least..=most).contains(&of.len()) {
        let takes = if least == most { least.to_string() } else { format!("{least} or more") };
        let what = format!("the operation takes {takes} of them, not {}", of.len());
        report.error(&file.of.at, what);
    }
    Some(Step {
        name,
        operation,
        of,
        metric: file.metric.value().cloned(),
        label: file.label.value().cloned(),
        rule: file.rule.value().copied(),
    })
}
