//! Annotations for people: how many by which rule, and what a person has to decide.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::words::{count, plural, table, word};
use crate::manifest::QuestionId;
use crate::workflow::annotate::{Annotation, Annotations, Because, ClassificationSet};

/// The annotations in the terminal: what was decided by which rule, then what a person is to look at.
#[must_use]
pub fn text(annotations: &Annotations) -> String {
    let mut text = String::new();
    let mut rules = table(&["rule", "tool", "questions"]);
    for ((rule, tool), number) in by_rule(annotations) {
        rules.add_row([rule, &tool, &number.to_string()]);
    }
    let _ = writeln!(text, "{rules}");
    let listed: Vec<(&Annotation, Because)> = annotations.for_review().collect();
    if !listed.is_empty() {
        let mut table = table(&["question", "look at it because", "by the rules", "the manifest says"]);
        for (annotation, because) in &listed {
            let says = annotation.manifest.as_ref();
            let manifest: Vec<String> = [
                says.and_then(|says| says.expected_tool).and_then(|tool| word(&tool)),
                says.and_then(|says| says.expected_query_type.clone()),
                says.and_then(|says| says.expected_tool_reason.as_ref()).map(|why| format!("({why})")),
            ]
            .into_iter()
            .flatten()
            .collect();
            let tool = annotation.expected_tool.as_ref().and_then(word);
            let kind = annotation.expected_query_type.as_deref().unwrap_or("no query type");
            table.add_row([
                annotation.question_id.to_string(),
                words(*because).to_owned(),
                format!("{}, {kind}", tool.as_deref().unwrap_or("no tool")),
                manifest.join(" "),
            ]);
        }
        let _ = writeln!(text, "{table}");
    }
    let of = |because: Because| listed.iter().filter(|(_, one)| *one == because).count();
    let _ = writeln!(
        text,
        "{}, {} by a person; {} to look at: {} without a rule, {}, {} where the manifest differs, {} drawn of the rest",
        count(annotations.ruled.len() + annotations.decided.len(), "annotation"),
        annotations.decided.len(),
        listed.len(),
        of(Because::NoRule),
        plural(of(Because::EdgeCase), "edge case", "edge cases"),
        of(Because::ManifestDiffers),
        of(Because::Sample),
    );
    text
}

/// The same for machines.
#[must_use]
pub fn json(annotations: &Annotations, set: Option<&ClassificationSet>) -> Json {
    let rules: Vec<Json> = by_rule(annotations)
        .into_iter()
        .map(|((rule, tool), questions)| json!({ "rule": rule, "tool": tool, "questions": questions }))
        .collect();
    let decided: Vec<Json> = annotations.decided.keys().map(QuestionId::to_json).collect();
    let for_review: Vec<&Annotation> = annotations.for_review().map(|(annotation, _)| annotation).collect();
    json!({ "rules": rules, "decided": decided, "for_review": for_review, "classification_set": set })
}

/// What a classification set holds, and what it has too few of.
#[must_use]
pub fn set_text(set: &ClassificationSet) -> String {
    let mut text = format!("classification set: {}", count(set.cases.len(), "question"));
    let few: Vec<String> =
        set.missing.iter().map(|(name, (has, wanted))| format!("{name} {has} of {wanted}")).collect();
    if !few.is_empty() {
        let _ = write!(text, "; the manifest has too few of {}", few.join(", "));
    }
    text + "\n"
}

fn by_rule(annotations: &Annotations) -> BTreeMap<(&str, String), usize> {
    let mut found = BTreeMap::new();
    for annotation in annotations.ruled.values() {
        let tool = annotation.expected_tool.as_ref().and_then(word);
        *found.entry((annotation.rule.as_str(), tool.unwrap_or_else(|| "none".to_owned()))).or_default() += 1;
    }
    found
}

const fn words(because: Because) -> &'static str {
    match because {
        Because::NoRule => "no rule fits",
        Because::EdgeCase => "edge case",
        Because::ManifestDiffers => "the manifest differs",
        Because::Sample => "sample",
    }
}
