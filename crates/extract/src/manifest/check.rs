//! Converts the file to entries. Reports all problems with their places, so that a manifest can be fixed in one go.

use std::collections::BTreeMap;

use super::asked::plain_words;
use super::check_context;
use super::check_derive;
use super::check_question;
use super::check_reading;
use super::details::Details;
use super::entry::{Behavior, Entry, EntryFile, ManifestFile, QuestionInfo};
use super::method::PointCatalog;
use crate::atlas::{self, AtlasUrl, QueryName};
use atlas_gt_core::diagnostic::{At, Diagnostics};
use atlas_gt_core::document::{Document, Located, OptionalField as _};
use atlas_gt_core::question_id::QuestionId;

/// All readable questions of the document: those that pages answer, and the others. Problems go to the report.
pub(super) fn questions(
    document: &Document<'_>,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> (Vec<Entry>, Vec<Behavior>) {
    let (mut entries, mut behaviors) = (Vec::new(), Vec::new());
    let Some(Located { at, value: Some(list) }) = ManifestFile::questions(document, report) else {
        return (entries, behaviors);
    };
    if list.is_empty() {
        report
            .error(&at, "no question is given, so there is nothing to collect")
            .suggest("add a question, or name another file with --manifest");
    }
    let mut first: BTreeMap<QuestionId, &At> = BTreeMap::new();
    let mut texts: BTreeMap<String, QuestionId> = BTreeMap::new();
    for Located { at, value } in &list {
        let id = value.as_ref().and_then(|file| question_id(at, file, &mut first, report));
        if let Some(file) = value {
            if let Some(id) = &id {
                asked_once(id, file, &mut texts, report);
            }
            let is_asked = file.question_text.is_some() && file.read_by().next().is_none();
            if file.expected_behavior.is_some() || is_asked {
                behaviors.extend(behavior(at, file, id.clone(), report));
            } else {
                entries.extend(read(at, file, id.clone(), catalog, report));
            }
        }
        report.about(&at.field, id.as_ref().map(QuestionId::as_str));
    }
    (entries, behaviors)
}

/// The id, which no earlier question may have.
fn question_id<'f>(
    question: &At,
    file: &'f EntryFile,
    first: &mut BTreeMap<QuestionId, &'f At>,
    report: &mut Diagnostics,
) -> Option<QuestionId> {
    let Located { at, value } = file.question_id.required(question, "question_id", report)?;
    let id: QuestionId = match value.as_ref()?.to_string().parse() {
        Ok(id) => id,
        Err(error) => {
            report.error(at, format!("{error}"));
            return None;
        }
    };
    if let Some(before) = first.get(&id) {
        let line = before.place.line;
        report.error(at, format!("`{id}` is given twice")).suggest(format!("the first is on line {line}"));
    } else {
        first.insert(id.clone(), at);
    }
    Some(id)
}

/// Warns about two questions with the same words.
fn asked_once(
    id: &QuestionId,
    file: &EntryFile,
    texts: &mut BTreeMap<String, QuestionId>,
    report: &mut Diagnostics,
) {
    let Some(Located { at, value: Some(text) }) = &file.question_text else { return };
    if let Some(other) = texts.insert(plain_words(text), id.clone()).filter(|other| other != id) {
        report.warning(at, format!("questions `{other}` and `{id}` ask the same"));
    }
}

fn info(file: &EntryFile, report: &mut Diagnostics) -> QuestionInfo {
    if let Some(Located { at, value: Some(name) }) = &file.expected_query_type
        && atlas::query_type(name).is_none()
    {
        let known: Vec<&str> = atlas::query_types().iter().map(|kind| kind.name).collect();
        report.error(at, format!("unknown query type `{name}`")).did_you_mean(name, &known);
    }
    QuestionInfo {
        question_text: file.question_text.value().cloned(),
        category: file.category.value().cloned(),
        difficulty: file.difficulty.value().copied(),
        expected_tool: file.expected_tool.value().copied(),
        expected_tool_reason: file.expected_tool_reason.value().cloned(),
        expected_query_type: file.expected_query_type.value().cloned(),
    }
}

/// A question that is not read from a page.
fn behavior(
    question: &At,
    file: &EntryFile,
    id: Option<QuestionId>,
    report: &mut Diagnostics,
) -> Option<Behavior> {
    let (info, details) = (info(file, report), Details::from(file));
    let is_named = file.expected_behavior.is_some();
    if is_named {
        let of_page = [("atlas_url", file.atlas_url.at()), ("context", file.context.at())];
        let of_page = of_page.into_iter().filter_map(|(name, at)| Some((name, at?)));
        for (name, at) in file.read_by().chain(of_page) {
            let what =
                format!("`{name}` says where an answer is read, but `expected_behavior` that there is none");
            report.error(at, what).suggest("remove one of the two");
        }
    } else if details.lacks.is_none() && details.reference.is_none() {
        report
            .warning(
                question,
                "nothing says where its answer is read: it is asked and judged, but never collected",
            )
            .suggest(
                "name `extraction_method`, `extractor` and `data_points`, or state in `lacks` what is missing",
            );
    }
    Some(Behavior {
        question_id: id?,
        info,
        expected_behavior: if is_named { Some(file.expected_behavior.value()?.clone()) } else { None },
        source: file.source.value().cloned(),
        atlas_url: file.atlas_url.value().filter(|_| !is_named).cloned(),
        context: check_context::context(&file.context, report)?,
        details,
    })
}

/// One entry; `None` if a required part is missing or wrong.
fn read(
    question: &At,
    file: &EntryFile,
    id: Option<QuestionId>,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Entry> {
    let mut planned = file.planned.value().cloned();
    let url = file.atlas_url.required(question, "atlas_url", report);
    let url = url.and_then(|url| check_reading::url(url, &mut planned, report));
    if let (Some(url), Some(at)) = (&url, file.atlas_url.at()) {
        check_context::countries_exist(url, at, report);
    }
    let method = file.extraction_method.required(question, "extraction_method", report);
    let method = method.and_then(|method| method.value);
    let (extractor, points) = match &file.derive {
        Some(_) => (Some("derive".to_owned()), Some(derived(file, report))),
        None => {
            let extractor = file.extractor.required(question, "extractor", report);
            let page = url.as_ref().map(AtlasUrl::kind);
            let extractor = extractor
                .and_then(|name| check_reading::extractor(name, page, planned.is_some(), catalog, report));
            let points = file.data_points.required(question, "data_points", report);
            let read_by = extractor.as_deref().filter(|_| planned.is_none());
            let points =
                points.and_then(|named| check_reading::listed(named, (read_by, catalog), method, report));
            (extractor, points)
        }
    };
    let api_queries = api_queries(file, report);
    let info = info(file, report);
    let mut context = check_context::context(&file.context, report);
    if let (Some(url), Some(context), None) = (&url, &mut context, &file.derive) {
        check_context::against_url(&file.context, url, context, report);
    }
    if let (Some(url), Some(context)) = (&url, &context) {
        check_context::question_names(&file.question_text, url, context, report);
        if let (Some(extractor), Some(points), Some(at)) = (&extractor, &points, file.data_points.at()) {
            let yearly = points.iter().filter(|point| catalog.is_yearly(extractor, point));
            let at = question.key(at.place, "context.period");
            check_context::names_years(&at, url, context, yearly, report);
        }
    }
    let mut entry = Entry {
        question_id: id?,
        url: url?,
        method: method?,
        extractor: extractor?,
        data_points: points?,
        api_queries,
        info,
        source: file.source.value().cloned(),
        context: context?,
        visit: file.visit.value().copied().unwrap_or(true),
        suspect: file.suspect.value().cloned(),
        planned,
        derive: None,
        input_of: None,
        details: Details::from(file),
        place: question.place,
    };
    if let Some(stated) = &file.derive {
        let derive = check_derive::derive(stated, &entry, catalog, report)?;
        let results = derive.steps.iter().filter(|step| step.metric.is_some());
        entry.data_points = results.map(|step| step.name.clone()).collect();
        entry.derive = Some(derive);
    }
    check_question::holds_what_it_asks(file.question_text.at(), &entry, catalog, report);
    Some(entry)
}

/// The data points of a derived answer: it has none of its own.
fn derived(file: &EntryFile, report: &mut Diagnostics) -> Vec<String> {
    for (name, at) in [("extractor", file.extractor.at()), ("data_points", file.data_points.at())] {
        if let Some(at) = at {
            let what = format!("`derive` replaces `{name}`");
            report.error(at, what).suggest("remove it");
        }
    }
    Vec::new()
}

fn api_queries(file: &EntryFile, report: &mut Diagnostics) -> Vec<String> {
    let Some(Located { at, value: Some(name) }) = &file.api_query else { return Vec::new() };
    match atlas::query_name(name) {
        QueryName::Real => vec![name.clone()],
        QueryName::Documented { real } => {
            report
                .warning(at, format!("neither API has a query `{name}`"))
                .suggest(format!("`{}` is used instead", real.join("`, `")));
            real.iter().map(|&name| name.to_owned()).collect()
        }
        QueryName::Unknown { nearest } => {
            let found = report.error(at, format!("neither API has a query `{name}`"));
            if let Some(near) = nearest {
                found.suggest(format!("did you mean `{near}`?"));
            }
            Vec::new()
        }
    }
}
