//! Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

use serde_json::{Value as Json, json};

use crate::lint::{Finding, RULES, Rule};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Findings as one run.
#[must_use]
pub fn sarif(findings: &[Finding]) -> Json {
    let rules: Vec<Json> = RULES.iter().map(|rule| descriptor(rule)).collect();
    let driver = json!({ "name": "atlas-gt", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let results: Vec<Json> = findings.iter().map(result).collect();
    let run = json!({ "tool": { "driver": driver }, "results": results });
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

fn descriptor(rule: &Rule) -> Json {
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.title },
        "help": { "text": rule.help },
        "defaultConfiguration": { "level": rule.severity.name() },
    })
}

fn result(finding: &Finding) -> Json {
    let key = Some(&finding.key).filter(|key| !key.is_empty());
    let keys: Vec<Json> = key.map(|key| json!({ "fullyQualifiedName": key })).into_iter().collect();
    json!({
        "ruleId": finding.code,
        "ruleIndex": RULES.iter().position(|rule| rule.code == finding.code),
        "level": finding.severity.name(),
        "message": { "text": finding.message },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": uri(&finding.file) } },
            "logicalLocations": keys,
        }],
    })
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
