//! Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

use std::path::{Component, Path};

use serde_json::{Value as Json, json};

use super::ErrorReport;
use crate::lint::{Finding, LintRule, RULES};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The findings as one run.
#[must_use]
pub fn sarif(findings: &[Finding]) -> Json {
    let rules: Vec<Json> = RULES.iter().map(|rule| descriptor(rule)).collect();
    let results: Vec<Json> = findings.iter().map(result).collect();
    log(&json!({ "tool": tool(rules), "results": results }))
}

/// A run that ended with an error: its results are unknown, which is not the same as none.
#[must_use]
pub fn failed(error: &ErrorReport) -> Json {
    let notification = json!({ "level": "error", "message": { "text": error.error } });
    let invocation = json!({
        "executionSuccessful": false,
        "exitCode": error.exit_code,
        "toolExecutionNotifications": [notification],
    });
    log(&json!({ "tool": tool(Vec::new()), "invocations": [invocation] }))
}

fn tool(rules: Vec<Json>) -> Json {
    json!({ "driver": { "name": "atlas-gt", "version": env!("CARGO_PKG_VERSION"), "rules": rules } })
}

fn log(run: &Json) -> Json {
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

fn descriptor(rule: &LintRule) -> Json {
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

/// A path as a URI. A relative path becomes a relative reference (RFC 3986, section 4.2). A colon
/// is encoded, because before the first slash it would end a scheme.
fn uri(path: &Path) -> String {
    let segments = path.components().filter(|part| !matches!(part, Component::CurDir | Component::RootDir));
    let segments: Vec<String> = segments.map(|part| encoded(part.as_os_str().as_encoded_bytes())).collect();
    let scheme = if path.is_absolute() { "file:///" } else { "" };
    format!("{scheme}{}", segments.join("/"))
}

/// Percent-encodes a path segment, except unreserved characters and harmless delimiters.
fn encoded(segment: &[u8]) -> String {
    let mut text = String::with_capacity(segment.len());
    for byte in segment {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => text.push(char::from(*byte)),
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b','
            | b';' | b'=' | b'@' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_path_is_a_valid_reference_and_comes_back(path in "[a-z:%#?& \\\\é世.'\"<>|\\[\\]/\u{1}]{1,20}") {
            let path = Path::new(&path);
            let base = url::Url::parse("file:///base/").unwrap();
            let written = uri(path);
            let is_plain = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
            prop_assert!(written.chars().all(is_plain), "{written}");
            let read = base.join(&written).unwrap();
            prop_assert_eq!(read.scheme(), "file");
            // dots that lead out of the folder are resolved by the reader of the reference alone
            if path.components().all(|part| matches!(part, Component::Normal(_) | Component::RootDir)) {
                prop_assert_eq!(read.to_file_path().unwrap(), Path::new("/base").join(path), "{}", written);
            }
        }
    }

    #[test]
    fn a_colon_is_no_scheme() {
        assert_eq!(uri(Path::new("c:data/61/results.json")), "c%3Adata/61/results.json");
        assert_eq!(uri(Path::new("./a b/x#y.json")), "a%20b/x%23y.json");
    }
}
