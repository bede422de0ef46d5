//! The report on live schemas, compared with those our queries were written for.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::acquire::graphql::{Api, ApiError, Difference, Effect, SchemaChange, SchemaReport};
use crate::error::{Error, Exit};
use crate::row;

/// The results for both APIs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ApiReport {
    /// The site.
    pub site: String,
    /// The result for each API.
    pub apis: Vec<Compared>,
}

/// The result for one API.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Compared {
    /// Its schema was compared.
    Compared(SchemaReport),
    /// The API could not be queried.
    Failed {
        /// The API.
        api: Api,
        /// The error.
        error: String,
        /// The exit code.
        #[serde(skip)]
        exit: Exit,
    },
}

impl Compared {
    /// The result of an API.
    #[must_use]
    pub fn of(api: Api, result: Result<SchemaReport, ApiError>) -> Self {
        match result {
            Ok(report) => Self::Compared(report),
            Err(error) => Self::Failed { api, error: error.to_string(), exit: Error::from(error).exit() },
        }
    }

    fn exit(&self) -> Exit {
        match self {
            Self::Compared(report) => report.exit(),
            Self::Failed { exit, .. } => *exit,
        }
    }

    fn words(&self) -> (Api, String) {
        match self {
            Self::Compared(report) => {
                let age =
                    if report.cached { format!(", fetched {}", report.fetched_at) } else { String::new() };
                let differences = count(report.differences.len(), "difference");
                let words = format!(
                    "{}{age}: {differences}, {} of {} usable",
                    report.url,
                    report.usable,
                    plural(report.documents, "query", "queries")
                );
                (report.api, words)
            }
            // the error starts with the API's name too
            Self::Failed { api, error, .. } => {
                let error = error.strip_prefix(&format!("{api} API, ")).unwrap_or(error);
                (*api, error.to_owned())
            }
        }
    }
}

impl Report for ApiReport {
    const NAME: &'static str = "api_introspect";
    const ITEMS: Option<&'static str> = Some("apis");

    fn exit(&self) -> Exit {
        Exit::worst_of(self.apis.iter().map(Compared::exit))
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Schemas of the APIs");
        for one in &self.apis {
            let tone = if one.exit() == Exit::Ok { Tone::Good } else { Tone::Bad };
            let (api, words) = one.words();
            doc.verdict(tone, format!("{api} API: {words}"));
        }
        for one in &self.apis {
            let Compared::Compared(report) = one else { continue };
            doc.body.section(format!("{} API", report.api), |body| {
                let head = ["element", "difference", "effect", "used by"];
                body.rows(&head, report.differences.iter().map(cells));
                if !report.disabled.is_empty() {
                    body.line(format!("not sent until this is fixed: {}", report.disabled.join(", ")));
                }
            });
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &Compared| {
            let (api, words) = one.words();
            ReportCase::of_exit(format!("{api} API"), one.exit(), words)
        };
        self.apis.iter().map(case).collect()
    }
}

fn cells(difference: &Difference) -> Vec<Text> {
    let change = match &difference.change {
        SchemaChange::Missing => "missing".to_owned(),
        SchemaChange::New => "new".to_owned(),
        SchemaChange::Type { expected, found } => format!("{found} instead of {expected}"),
    };
    let effect = match difference.effect {
        Effect::None => "none",
        Effect::Word => "questions with this word are not sent",
        Effect::Query => "queries are not sent",
    };
    row![Text::code(&difference.element), change, effect, difference.operations.join(", ")]
}
