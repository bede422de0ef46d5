//! `eval export`: exports a run as OpenTelemetry spans with its scores, to a file or a collector.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use url::Url;

use super::eval_output::Runs;
use super::flags::Overwrite;
use super::print::{print_alone, runtime};
use super::settings::Shared;
use crate::error::{Error, Exit, Result};
use crate::evaluate::run::spans;
use crate::report::{ActionReport, output, print_status};
use crate::words::count;
use crate::workflow::evaluate::RunFolder;
use atlas_gt_core::http::post;

/// Export a run as OpenTelemetry spans (OTLP/JSON): a trace per question, its scores as evaluation events
///
/// The same run gives the same trace ids. `traces import` reads the file, and so does a collector's file receiver.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval export latest --otlp run.jsonl\n  atlas-gt eval export latest --endpoint http://localhost:4318\n  OTEL_EXPORTER_OTLP_HEADERS='Authorization=Basic …' atlas-gt eval export latest --endpoint https://cloud.langfuse.com/api/public/otel\n\nExit code 5: the endpoint cannot be reached, or refuses spans"
)]
#[command(group = clap::ArgGroup::new("where").required(true).multiple(true))]
pub(super) struct ExportArgs {
    /// The run: its name, its folder, or `latest`
    run: String,
    /// Write one line per question to this file
    #[arg(long, value_name = "FILE", group = "where")]
    otlp: Option<PathBuf>,
    /// Send the spans to this collector; the path is /v1/traces unless the address already ends
    /// with it
    #[arg(long, value_name = "URL", group = "where")]
    endpoint: Option<String>,
    /// Request headers: `name=value` pairs, comma-separated
    #[arg(long, value_name = "HEADERS", env = "OTEL_EXPORTER_OTLP_HEADERS", hide_env_values = true)]
    headers: Option<String>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    runs: Runs,
}

/// Questions per request.
const BATCH: usize = 50;

pub(super) fn run(shared: &Shared, args: &ExportArgs) -> Result<Exit> {
    let folder = RunFolder::open(&args.runs.folder(shared)?, &args.run)?;
    let settings = folder.settings()?;
    let endpoint = args.endpoint.as_deref().map(traces_of).transpose()?;
    let headers = headers(args.headers.as_deref().unwrap_or_default())?;
    let all: Vec<Value> =
        folder.questions(&settings.planned)?.iter().map(|record| spans(&settings, record)).collect();
    if all.is_empty() {
        return Err(Error::Nothing(format!("run {} has no answer yet", folder.name())));
    }
    let mut done = format!("{} of run {}", count(all.len(), "trace"), folder.name());
    let mut with = BTreeMap::from([("run", folder.name().to_owned())]);
    if let Some(path) = &args.otlp {
        args.overwrite.check(path, output::SPANS)?;
        let lines: Vec<String> = all.iter().map(|request| format!("{request}\n")).collect();
        output::write(path, lines.concat().as_bytes())?;
        done += &format!(", written to {}", path.display());
        with.insert("file", path.display().to_string());
    }
    if let Some(url) = endpoint {
        // a written file is named even if sending fails
        runtime()?.block_on(send(&url, &headers, &all)).inspect_err(|_| print_status(&done))?;
        let host = url.host_str().unwrap_or_default();
        done += &format!(", sent to {host}");
        with.insert("host", host.to_owned());
    }
    print_alone(shared.format, &ActionReport { done, with, ..ActionReport::default() })
}

/// Sends batched requests of several questions each.
async fn send(url: &Url, headers: &[(String, String)], all: &[Value]) -> Result<()> {
    let host = url.host_str().unwrap_or_default();
    for batch in all.chunks(BATCH) {
        let parts = batch.iter().filter_map(|request| request["resourceSpans"].as_array()).flatten();
        let request = json!({ "resourceSpans": parts.collect::<Vec<_>>() });
        let said = post(url, headers, &request).await;
        let said = said.map_err(|why| Error::Server(format!("{host} did not accept the spans: {why}")))?;
        let said: Value = serde_json::from_str(&said).unwrap_or_default();
        let partial = &said["partialSuccess"];
        let rejected = &partial["rejectedSpans"];
        let rejected = rejected.as_u64().or_else(|| rejected.as_str()?.parse().ok()).unwrap_or_default();
        if rejected > 0 {
            let why = partial["errorMessage"].as_str().unwrap_or("no reason given");
            return Err(Error::Server(format!("{host} refused {}: {why}", count(rejected as usize, "span"))));
        }
    }
    Ok(())
}

/// The address at which a collector accepts traces.
fn traces_of(endpoint: &str) -> Result<Url> {
    let wrong =
        || Error::Usage(format!("--endpoint {endpoint}: give an address such as http://localhost:4318"));
    let mut url = Url::parse(endpoint).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    if let Some(url) = &mut url
        && !url.path().ends_with("/v1/traces")
    {
        url.set_path(&format!("{}/v1/traces", url.path().trim_end_matches('/')));
    }
    url.ok_or_else(wrong)
}

/// Parses `name=value,name=value`, the format of OpenTelemetry exporters.
fn headers(text: &str) -> Result<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let value = value.replace("%20", " ");
        Some((name.trim().to_owned(), value.trim().to_owned())).filter(|(name, _)| !name.is_empty())
    };
    let pairs = text.split(',').filter(|one| !one.trim().is_empty());
    let read: Option<Vec<_>> = pairs.map(pair).collect();
    read.ok_or_else(|| {
        Error::Usage("OTEL_EXPORTER_OTLP_HEADERS: expected name=value pairs, comma-separated".to_owned())
    })
}
