//! Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

use serde::Serialize;

use crate::lint::{Finding, RULES, Rule, Severity};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A SARIF file of one run.
#[derive(Debug, Serialize)]
pub struct Sarif<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Debug, Serialize)]
struct Run<'a> {
    tool: Tool,
    results: Vec<SarifResult<'a>>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message<'static>,
    help: Message<'static>,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message<'a>,
    locations: [Location<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    logical_locations: Vec<LogicalLocation<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    fully_qualified_name: &'a str,
}

/// Findings as one run.
#[must_use]
pub fn sarif(findings: &[Finding]) -> Sarif<'_> {
    let driver = Driver {
        name: "atlas-gt",
        version: env!("CARGO_PKG_VERSION"),
        rules: RULES.iter().copied().map(descriptor).collect(),
    };
    let run = Run { tool: Tool { driver }, results: findings.iter().map(result).collect() };
    Sarif { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

const fn descriptor(rule: &Rule) -> Descriptor {
    Descriptor {
        id: rule.code,
        short_description: Message { text: rule.title },
        help: Message { text: rule.help },
        default_configuration: Configuration { level: level(rule.severity) },
    }
}

fn result(finding: &Finding) -> SarifResult<'_> {
    let key = (!finding.key.is_empty()).then_some(finding.key.as_str());
    let location = Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(&finding.file) },
        },
        logical_locations: key.into_iter().map(|key| LogicalLocation { fully_qualified_name: key }).collect(),
    };
    SarifResult {
        rule_id: finding.code,
        rule_index: RULES.iter().position(|rule| rule.code == finding.code).unwrap_or_default(),
        level: level(finding.severity),
        message: Message { text: &finding.message },
        locations: [location],
    }
}

const fn level(severity: Severity) -> &'static str {
    severity.name()
}

/// A path as a URI: of the whole where the path is whole, else relative to where the command runs.
fn uri(path: &std::path::Path) -> String {
    if let Ok(url) = url::Url::from_file_path(path) {
        return url.to_string();
    }
    let text = path.to_string_lossy().replace('\\', "/");
    text.trim_start_matches("./")
        .replace('%', "%25")
        .replace(' ', "%20")
        .replace('#', "%23")
        .replace('?', "%3F")
}
