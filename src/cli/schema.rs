//! `atlas-gt schema`: prints the JSON Schemas of command output and files. They are generated from
//! types and stored in `docs/schemas/`; `UPDATE_SCHEMA=1 cargo test --lib schema` rewrites them.

use atlas_gt_serve::SiteWritten;
use atlas_gt_serve::failures::FailureReport;
use atlas_gt_serve::import::TraceImport;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use super::print::{print, print_alone};
use crate::agent::ExecutionTrace;
use crate::error::{Error, Exit, Result};
use crate::evaluate::AnswerDetails;
use crate::judge::HumanLabel;
use crate::manifest;
use crate::report::suite::SuiteRun;
use crate::report::{self, Doc, Format, Invocation, Report, SCHEMA_VERSION, Versioned, pretty};
use crate::row;
use crate::scoring::Score;
use crate::scoring::json::PairScore;
use crate::scoring::suite::{CaseResult, suite_schema};
use crate::truth::changelog::ChangelogEntry;
use crate::truth::checks::Check;
use crate::truth::history::History;
use crate::truth::judged::Judged;
use crate::truth::pending::Pending;
use crate::truth::review::Review;
use crate::truth::run_log::RunStep;
use crate::truth::{Provenance, Record, StoreMarker};
use crate::workflow::coverage::CoverageReport;
use crate::workflow::evaluate::calibrate::{CalibrationNote, CalibrationReport};
use crate::workflow::evaluate::compare::EvalComparison;
use crate::workflow::evaluate::history::HistoryLine;
use crate::workflow::evaluate::trend::Trend;
use crate::workflow::evaluate::{KeptAnchors, QuestionRecord, RunSettings, RunSummary};
use crate::workflow::refresh::{self, Refreshed};
use crate::workflow::spot_check::SpotReport;
use crate::workflow::stale::StaleReport;
use crate::workflow::survey::Survey;
use crate::workflow::{CollectReport, DoctorReport, LintReport, Plan, StoreVerification};

/// Print the JSON Schema of a command's output or of a file, or list all schemas
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt schema\n  atlas-gt schema collect\n  atlas-gt schema results > results.schema.json"
)]
pub(super) struct SchemaArgs {
    /// Name of the schema, as listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// A schema: name, what it describes, and its generator.
type Named = (&'static str, &'static str, fn() -> Schema);

/// The schema of a command's `--format json` output.
const fn printed<R: Report>(command: &'static str) -> Named {
    (R::NAME, command, generated::<Versioned<R>>)
}

/// The schema of written data: optional keys are not required.
fn generated<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// A line of a store log.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "its schema is all that is wanted of it")]
enum LogLine<T> {
    /// An entry.
    Entry(T),
    /// The last line: the number of lines before it, and a hash over them.
    Tally {
        lines: u64,
        #[schemars(default)]
        hash: Option<String>,
    },
}

/// All schemas, of commands first, then of files.
const SCHEMAS: [Named; 72] = [
    printed::<report::ActionReport>(
        "eval label, eval export, failures review, failures undo, failures promote",
    ),
    printed::<report::AnnotateReport>("annotate"),
    printed::<report::ApiReport>("api introspect"),
    printed::<report::ChangelogReport>("changelog"),
    printed::<report::CheckReport>("manifest check, suite check"),
    printed::<CollectReport>("collect"),
    printed::<report::suite::ComponentCheck>("component check"),
    printed::<report::suite::Components>("component run"),
    printed::<CoverageReport>("coverage, and coverage_report.json"),
    printed::<DoctorReport>("doctor"),
    printed::<CalibrationReport>("eval calibrate"),
    printed::<EvalComparison>("eval compare"),
    printed::<report::eval::Costs>("eval cost"),
    printed::<report::eval::Runs>("eval list"),
    printed::<report::eval::EvalReport<'_>>("eval run, resume, rescore, report"),
    printed::<Trend>("eval trend"),
    printed::<report::ErrorReport>("every command that fails before it has a report"),
    printed::<report::export::Exported<'_>>("export"),
    printed::<report::store::Garbage<'_>>("gc"),
    printed::<History>("history"),
    printed::<report::import::RecordImport>("import"),
    printed::<LintReport>("lint"),
    printed::<report::lint::Explained>("lint --explain"),
    printed::<report::mend::Proposals<'_>>("mend"),
    printed::<Plan>("plan"),
    printed::<Refreshed>("refresh"),
    printed::<refresh::Committed>("refresh --commit"),
    printed::<refresh::Discarded>("refresh --discard"),
    printed::<refresh::Undone>("refresh --undo"),
    printed::<report::review::Queue>("review list"),
    printed::<report::review::ReviewedQuestion<'_>>("review show"),
    printed::<report::review::ReviewOutcome>("review accept, review reject"),
    printed::<Listed>("schema"),
    printed::<Score<AnswerDetails>>("score answer"),
    printed::<report::score::AnswersReport>("score answers"),
    printed::<PairScore<'_>>("score json"),
    printed::<report::score::Batched>("score json --batch"),
    printed::<report::score::ScoredText>("score text"),
    printed::<super::score_values::Compared>("score values"),
    printed::<super::score_values::Pairs>("score values --jsonl"),
    printed::<SpotReport>("spot-check, and spot_check_report.json"),
    printed::<StaleReport>("stale"),
    printed::<CaseResult>("score tools, and a line of suite run --format jsonl"),
    printed::<SuiteRun>("suite run"),
    printed::<report::survey::Surveyed<'_>>("survey"),
    printed::<StoreVerification>("verify"),
    printed::<report::show::ShowReport>("show"),
    printed::<report::show::ListReport>("list"),
    printed::<report::show::StatusReport>("status"),
    printed::<TraceImport>("traces import"),
    printed::<report::TwinChanges>("twin --changes"),
    printed::<FailureReport>("failures"),
    printed::<report::serve::Promotion>("failures promote --propose"),
    printed::<SiteWritten>("site"),
    ("results", "results.json of a record, and history --at", generated::<Record>),
    ("provenance", "provenance.json of a record", generated::<Provenance>),
    ("checks_line", "a line of checks.jsonl", generated::<LogLine<Versioned<Check>>>),
    ("changelog_line", "a line of changelog.jsonl", generated::<LogLine<ChangelogEntry>>),
    ("store_site", "site.json of a store", generated::<StoreMarker>),
    ("store_pending", "pending/ID.json of a store", generated::<Pending>),
    ("store_review", "review/ID.json of a store", generated::<Review>),
    ("store_judged", "judged/ID.json of a store", generated::<Judged>),
    ("store_run_line", "a line of .run.jsonl and .refresh.jsonl of a store", generated::<LogLine<RunStep>>),
    ("survey_file", "survey.json of a survey", generated::<Versioned<Survey>>),
    ("events_line", "a line of --events", generated::<Versioned<report::events::EventLine<'_>>>),
    ("run_settings", "run.json of an evaluation run", generated::<Versioned<RunSettings>>),
    ("run_question", "questions/ID.json of an evaluation run", generated::<Versioned<QuestionRecord>>),
    ("run_anchors", "anchors.json of an evaluation run", generated::<Versioned<KeptAnchors>>),
    ("run_summary", "summary.json of an evaluation run", generated::<Versioned<RunSummary>>),
    ("run_history_line", "a line of history.jsonl of evaluation runs", generated::<HistoryLine>),
    ("run_labels_line", "a line of labels.jsonl of evaluation runs", generated::<HumanLabel>),
    ("run_calibration", "calibration/*.json of evaluation runs", generated::<Versioned<CalibrationNote>>),
];

/// Schemas of input files. `manifests/` holds those of suite and manifest.
const INPUTS: [Named; 3] = [
    ("trace", "the trace of an agent's answer, in the plain format", || schema_for!(ExecutionTrace)),
    ("suite", "a suite of cases", suite_schema),
    ("manifest", "a manifest", manifest::schema),
];

/// The list of schemas.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    schemas: Vec<Item>,
}

/// A schema in the list.
#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    name: &'static str,
    of: &'static str,
}

impl Report for Listed {
    const NAME: &'static str = "schema";
    const ITEMS: Option<&'static str> = Some("schemas");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("JSON Schemas");
        let cells = |one: &Item| row![one.name, one.of];
        doc.body.rows(&["name", "of"], self.schemas.iter().map(cells));
        doc
    }
}

pub(super) fn run(format: Format, args: &SchemaArgs) -> Result<Exit> {
    let Some(name) = &args.name else {
        let schemas = SCHEMAS.iter().chain(&INPUTS).map(|(name, of, _)| Item { name, of }).collect();
        return print_alone(format, &Listed { schemas });
    };
    print(&text(name)?);
    Ok(Exit::Ok)
}

/// A schema as text.
fn text(name: &str) -> Result<String> {
    let named = |all: &[Named]| all.iter().find(|(known, ..)| *known == name).map(|(.., schema)| schema());
    if let Some(schema) = named(&INPUTS) {
        return pretty(&schema);
    }
    let mut schema = named(&SCHEMAS)
        .ok_or_else(|| Error::Usage(format!("there is no schema `{name}`: `atlas-gt schema` lists them")))?;
    schema.insert("title".to_owned(), name.into());
    schema.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
    pretty(&schema)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    /// Files of the seed, whose ids are integers where they can be.
    const OF_THE_SEED: [&str; 2] = ["changelog_line", "spot_check"];

    #[test]
    fn the_schemas_are_current_and_no_other_file_is_among_them() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
        let mut names = BTreeSet::new();
        for (name, ..) in SCHEMAS {
            let path = folder.join(format!("{name}.schema.json"));
            let text = text(name).unwrap();
            if std::env::var_os("UPDATE_SCHEMA").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                kept == text,
                "docs/schemas/{name}.schema.json is old: run the test with UPDATE_SCHEMA=1"
            );
            assert!(names.insert(format!("{name}.schema.json")), "{name} is there twice");
        }
        let found = std::fs::read_dir(&folder).unwrap();
        let found: BTreeSet<String> =
            found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(found, names);
    }

    #[test]
    fn the_schema_of_a_trace_names_its_keys_and_requires_none() {
        let trace: Value = serde_json::from_str(&text("trace").unwrap()).unwrap();
        for key in ["question_id", "tool_calls", "calls", "node_traces", "pipeline_sql", "usage"] {
            assert!(trace["properties"][key].is_object(), "{key}: {trace:#}");
        }
        assert!(
            trace["required"].is_null() && trace["$defs"]["NodeTrace"]["required"].is_null(),
            "{trace:#}"
        );
    }

    /// Every key of a schema with what it may be.
    fn keys(schema: &Value, found: &mut Vec<(String, Value)>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            found.extend(properties.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        match schema {
            Value::Object(all) => all.values().for_each(|value| keys(value, found)),
            Value::Array(all) => all.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }

    #[test]
    fn an_id_is_a_text_and_a_document_is_an_object_with_a_version() {
        for (name, of, schema) in SCHEMAS {
            let schema = schema().to_value();
            let is_object = schema["type"] == "object" || schema.get("properties").is_some();
            assert!(is_object || schema.get("anyOf").is_some(), "{name} of {of} is no object: {schema:#}");
            let mut found = Vec::new();
            keys(&schema, &mut found);
            for (_, value) in found.iter().filter(|(key, _)| key == "question_id") {
                let is_text = value["type"] == "string"
                    || value["type"] == serde_json::json!(["string", "null"])
                    || !value["anyOf"].is_null();
                let is_reference = value["$ref"] == "#/$defs/QuestionId";
                assert!(is_text || is_reference || OF_THE_SEED.contains(&name), "{name}: {value}");
            }
        }
    }
}
