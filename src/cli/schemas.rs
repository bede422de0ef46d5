//! The JSON Schemas of what the scoring commands print, kept in `manifests/`; `UPDATE_SCHEMA=1` writes them.

use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};

use super::score_answers::{AnswerLine, AnswersReport};
use super::score_values::Compared;
use crate::evaluate::AnswerDetails;
use crate::scoring::Score;
use crate::scoring::components::ComponentReport;
use crate::scoring::json::{PairScore, Summary};
use crate::scoring::suite::{CaseResult, Diagnostic, SuiteFile, SuiteResult};
use crate::scoring::text::TextDetails;
use crate::workflow::evaluate::compare::EvalComparison;
use crate::workflow::evaluate::trend::Trend;
use crate::workflow::evaluate::{QuestionRecord, RunSummary};

/// The schema of what is printed: what may be left out is not required.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[test]
fn the_schemas_of_all_outputs_are_current() {
    let schemas: [(&str, Schema); 16] = [
        ("suite", schema_for!(SuiteFile)),
        ("score_values", printed::<Compared>()),
        ("score_json", printed::<PairScore<'_>>()),
        ("score_json_summary", printed::<Summary>()),
        ("score_text", printed::<Score<TextDetails>>()),
        ("score_answer", printed::<Score<AnswerDetails>>()),
        ("score_answers", printed::<AnswersReport>()),
        ("score_answers_line", printed::<AnswerLine>()),
        ("suite_case", printed::<CaseResult>()),
        ("suite_run", printed::<SuiteResult>()),
        ("suite_check", printed::<Vec<Diagnostic>>()),
        ("component_run", printed::<Vec<ComponentReport>>()),
        ("eval_question", printed::<QuestionRecord>()),
        ("eval_summary", printed::<RunSummary>()),
        ("eval_compare", printed::<EvalComparison>()),
        ("eval_trend", printed::<Trend>()),
    ];
    for (name, schema) in schemas {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("manifests/{name}.schema.json"));
        let text = format!("{:#}\n", schema.to_value());
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "manifests/{name}.schema.json is old: run the test with UPDATE_SCHEMA=1");
    }
}
