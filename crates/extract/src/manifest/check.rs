//! Reads entries from the document's tree and reports everything that is wrong with them, each
//! problem at its place, so that a manifest is mended in one go.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::check_context;
use super::check_derive;
use super::check_question;
use super::check_reading;
use super::details::Details;
use super::entry::{self, Behavior, Entry, EntryFile, ManifestObject, QuestionInfo};
use super::fields::{Fields, word};
use super::method::{Method, PointCatalog};
use super::tree::{Kind, Node};
use crate::atlas::{self, QueryName};
use atlas_gt_core::diagnostic::Diagnostics;
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::question_id::QuestionId;

/// Keys of an entry.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(entry::keys::<EntryFile>);

/// Whether an entry may have this key.
pub(super) fn is_key(name: &str) -> bool {
    KEYS.iter().any(|key| key == name)
}

/// Keys that say how an answer is read: a question without any of them is asked and judged, and never collected.
pub(super) const READ_BY: [&str; 5] = ["extraction_method", "extractor", "data_points", "derive", "planned"];

/// All questions of the document that could be read, those that pages answer and those that none does; what is wrong is
/// in the report.
pub(super) fn questions(
    root: &Node,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> (Vec<Entry>, Vec<Behavior>) {
    let (mut entries, mut behaviors) = (Vec::new(), Vec::new());
    let Some(list) = question_nodes(root, report) else { return (entries, behaviors) };
    let mut first: BTreeMap<QuestionId, Place> = BTreeMap::new();
    if list.is_empty() {
        report
            .error(root.place, "questions", "no question is given, so there is nothing to collect")
            .suggest("add a question, or name another file with --manifest");
    }
    for node in list {
        report.about(None);
        let Kind::Map(map) = &node.kind else {
            report.error(node.place, "", format!("a question is an object, not {}", node.noun()));
            continue;
        };
        let fields = Fields { map, place: node.place };
        let id = question_id(&fields, report);
        report.about(id.as_ref().map(ToString::to_string));
        if let (Some(id), Some((_, at))) = (&id, fields.get("question_id")) {
            match first.get(id) {
                Some(before) => {
                    let line = before.line;
                    report
                        .error(at.place, "question_id", format!("`{id}` is given twice"))
                        .suggest(format!("the first is on line {line}"));
                }
                None => {
                    first.insert(id.clone(), at.place);
                }
            }
        }
        fields.refuse_unknown("", KEYS.as_slice(), report);
        let is_read = READ_BY.iter().any(|name| fields.get(name).is_some());
        if fields.get("expected_behavior").is_some() || !is_read && fields.get("question_text").is_some() {
            behaviors.extend(behavior(&fields, id, report));
        } else {
            entries.extend(read(&fields, id, catalog, report));
        }
    }
    (entries, behaviors)
}

fn question_nodes<'a>(root: &'a Node, report: &mut Diagnostics) -> Option<&'a [Node]> {
    match &root.kind {
        Kind::List(list) => Some(list),
        Kind::Map(map) => {
            let fields = Fields { map, place: root.place };
            fields.refuse_unknown("", &entry::keys::<ManifestObject>(), report);
            match fields.get("questions") {
                Some((_, Node { kind: Kind::List(list), .. })) => Some(list),
                Some((_, node)) => {
                    report.error(node.place, "questions", format!("expected a list, found {}", node.noun()));
                    None
                }
                None => {
                    report.error(root.place, "questions", "the object has no `questions`");
                    None
                }
            }
        }
        _ => {
            let message = format!(
                "a manifest is a list of questions or an object with `questions`, not {}",
                root.noun()
            );
            report.error(root.place, "", message);
            None
        }
    }
}

fn question_id(fields: &Fields<'_>, report: &mut Diagnostics) -> Option<QuestionId> {
    let node = fields.required("question_id", report)?;
    let text = match &node.kind {
        Kind::Integer(number) => number.to_string(),
        Kind::Text(text) => text.clone(),
        _ => {
            let message = format!("expected a text or an integer, found {}", node.noun());
            report.error(node.place, "question_id", message);
            return None;
        }
    };
    match text.parse() {
        Ok(id) => Some(id),
        Err(error) => {
            report.error(node.place, "question_id", format!("{error}"));
            None
        }
    }
}

fn info(fields: &Fields<'_>, report: &mut Diagnostics) -> QuestionInfo {
    let expected_query_type = fields.text("expected_query_type", report);
    if let (Some(name), Some((_, node))) = (&expected_query_type, fields.get("expected_query_type"))
        && atlas::query_type(name).is_none()
    {
        let known: Vec<&str> = atlas::query_types().iter().map(|kind| kind.name).collect();
        report
            .error(node.place, "expected_query_type", format!("unknown query type `{name}`"))
            .did_you_mean(name, &known);
    }
    QuestionInfo {
        question_text: fields.text("question_text", report),
        category: fields.text("category", report),
        difficulty: fields.word("difficulty", report),
        expected_tool: fields.word("expected_tool", report),
        expected_tool_reason: fields.text("expected_tool_reason", report),
        expected_query_type,
    }
}

/// A question that is read on no page.
fn behavior(fields: &Fields<'_>, id: Option<QuestionId>, report: &mut Diagnostics) -> Option<Behavior> {
    let expected_behavior = fields.text("expected_behavior", report);
    let is_named = fields.get("expected_behavior").is_some();
    for name in READ_BY.into_iter().chain(["atlas_url", "context"]) {
        if let (Some((key, _)), true) = (fields.get(name), is_named) {
            let what = format!("`{name}` says where an answer is read, and `expected_behavior` that none is");
            report.error(key.place, name, what).suggest("leave one of the two out");
        }
    }
    let (info, details) = (info(fields, report), Details::read(fields, report));
    if !is_named && details.lacks.is_none() && details.reference.is_none() {
        report
            .warning(
                fields.place,
                "",
                "nothing says where its answer is read: it is asked and judged, never collected",
            )
            .suggest(
                "name `extraction_method`, `extractor` and `data_points`, or say in `lacks` what is missing",
            );
    }
    Some(Behavior {
        question_id: id?,
        info,
        expected_behavior: if is_named { Some(expected_behavior?) } else { None },
        source: fields.text("source", report),
        atlas_url: fields.text("atlas_url", report).filter(|_| !is_named),
        context: check_reading::context_of(fields, report)?,
        details,
    })
}

/// One entry; `None` when a part that it cannot be without is missing or wrong.
fn read(
    fields: &Fields<'_>,
    id: Option<QuestionId>,
    catalog: &dyn PointCatalog,
    report: &mut Diagnostics,
) -> Option<Entry> {
    let mut planned = fields.text("planned", report);
    let url = check_reading::url(fields, &mut planned, report);
    let method: Option<Method> =
        fields.required("extraction_method", report).and_then(|node| word(node, "extraction_method", report));
    let derived = fields.get("derive").map(|(_, node)| node);
    let (extractor, points) = if derived.is_some() {
        for name in ["extractor", "data_points"] {
            if let Some((key, _)) = fields.get(name) {
                let what = format!("`derive` names what is read, so `{name}` has no place beside it");
                report.error(key.place, name, what).suggest("leave it out");
            }
        }
        (Some("derive".to_owned()), Some(Vec::new()))
    } else {
        let extractor = check_reading::extractor(fields, planned.is_some(), catalog, report);
        if let (Some(url), Some(name), None) = (&url, &extractor, &planned) {
            check_reading::fits_page(fields, name, url.kind(), catalog, report);
        }
        let node = fields.required("data_points", report);
        let named = node.and_then(|node| check_reading::listed(node, report));
        let catalog = (extractor.as_deref().filter(|_| planned.is_none()), catalog);
        let points = named.map(|named| check_reading::data_points(&named, catalog, method, report));
        (extractor, points)
    };
    let api_queries = api_queries(fields, report);
    let (info, details) = (info(fields, report), Details::read(fields, report));
    let visit = fields.flag("visit", true, report);
    let suspect = fields.text("suspect", report);
    let mut context = check_reading::context_of(fields, report);
    if let (Some(url), Some(context), None) = (&url, &mut context, derived) {
        check_context::against_url(fields, url, context, report);
    }
    if let (Some(url), Some(context), Some(text)) = (&url, &context, &info.question_text) {
        check_context::question_names(fields, text, url, context, report);
    }
    if let (Some(url), Some(context), Some(extractor), Some(points)) = (&url, &context, &extractor, &points) {
        let yearly = points.iter().filter(|point| catalog.is_yearly(extractor, point));
        check_context::names_years(fields, url, context, yearly, report);
    }
    let entry = Entry {
        question_id: id?,
        url: url?,
        method: method?,
        extractor: extractor?,
        data_points: points?,
        api_queries,
        info,
        source: fields.text("source", report),
        context: context?,
        visit,
        suspect,
        planned,
        derive: None,
        input_of: None,
        details,
        place: fields.place,
    };
    let entry = match derived {
        None => entry,
        Some(node) => {
            let derive = check_derive::derive(node, &entry, catalog, report)?;
            let results = derive.steps.iter().filter(|step| step.metric.is_some());
            let data_points = results.map(|step| step.name.clone()).collect();
            Entry { data_points, derive: Some(derive), ..entry }
        }
    };
    check_question::holds_what_it_asks(fields, &entry, catalog, report);
    Some(entry)
}

fn api_queries(fields: &Fields<'_>, report: &mut Diagnostics) -> Vec<String> {
    let Some(name) = fields.text("api_query", report) else { return Vec::new() };
    let place = fields.get("api_query").map_or(fields.place, |(_, node)| node.place);
    match atlas::query_name(&name) {
        QueryName::Real => vec![name],
        QueryName::Documented { real } => {
            report
                .warning(place, "api_query", format!("neither API has a query `{name}`"))
                .suggest(format!("`{}` is used for it", real.join("`, `")));
            real.iter().map(|&name| name.to_owned()).collect()
        }
        QueryName::Unknown { nearest } => {
            let found = report.error(place, "api_query", format!("neither API has a query `{name}`"));
            if let Some(near) = nearest {
                found.suggest(format!("did you mean `{near}`?"));
            }
            Vec::new()
        }
    }
}
