//! Error messages in the wording of graphql-core 2, as the real site sends them.

use super::suggestions;
use apollo_compiler::executable::Operation;
use apollo_compiler::response::{GraphQLError, JsonMap, JsonValue};
use apollo_compiler::validation::WithErrors;
use apollo_compiler::{ExecutableDocument, Schema};
use regex::Regex;
use serde_json::{Value as Json, json};
use std::sync::LazyLock;

/// The errors of a document that does not parse or does not match the schema.
pub(super) fn of_validation(schema: &Schema, invalid: &WithErrors<ExecutableDocument>, query: &str) -> Json {
    let mut errors: Vec<(String, Json)> = invalid
        .errors
        .iter()
        .map(|diagnostic| {
            let compatible = diagnostic.error.unstable_compat_message();
            let GraphQLError { message, locations, .. } = diagnostic.to_json();
            let at = locations.first().map(|at| (at.line, at.column));
            let message = if message.starts_with("syntax error") || message.starts_with("parser error") {
                syntax(&message, at, query)
            } else {
                let message = validation(&compatible.unwrap_or(message));
                complete(message, schema, &invalid.partial, argument_before(at, query))
            };
            (message, json!(locations))
        })
        .collect();
    // A syntax error is reported alone, and prevents validation.
    if let Some(at) = errors.iter().position(|(message, _)| message.starts_with("Syntax Error")) {
        errors = vec![errors.swap_remove(at)];
    }
    // The compiler also reports a missing selection if all selected fields are unknown. graphql-core does not.
    if errors.iter().any(|(message, _)| message.starts_with("Cannot query field")) {
        errors.retain(|(message, _)| !message.ends_with("must have a sub selection."));
    }
    errors
        .into_iter()
        .map(|(message, locations)| json!({ "message": message, "locations": locations }))
        .collect()
}

/// Adds what the compiler's message lacks: argument, field type, operation name.
fn complete(
    message: String,
    schema: &Schema,
    document: &ExecutableDocument,
    argument: Option<String>,
) -> String {
    static FIELD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^Field "(\w+)" of type "(\w+)" must have a sub selection\.$"#).ok());
    static UNKNOWN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^Cannot query field "(\w+)" on type "(\w+)"\.$"#).ok());
    if let Some(found) = FIELD.as_ref().and_then(|pattern| pattern.captures(&message))
        && let Ok(field) = schema.type_field(&found[2], &found[1])
    {
        return format!("Field \"{}\" of type \"{}\" must have a sub selection.", &found[1], field.ty);
    }
    if let Some(found) = UNKNOWN.as_ref().and_then(|pattern| pattern.captures(&message)) {
        return suggestions::for_field(schema, &found[2], &found[1])
            .map_or(message.clone(), |end| message.clone() + &end);
    }
    let name = document.operations.iter().next().and_then(|operation| operation.name.clone());
    if let (Some(name), Some(start)) = (&name, message.strip_suffix(" is never used.")) {
        return format!("{start} is never used in operation \"{name}\".");
    }
    if let (Some(name), Some(start)) = (&name, message.strip_suffix(" is not defined.")) {
        return format!("{start} is not defined by operation \"{name}\".");
    }
    message.replace("{argument}", &argument.unwrap_or_default())
}

fn syntax(message: &str, at: Option<(usize, usize)>, query: &str) -> String {
    let (line, column) = at.unwrap_or((1, 1));
    let text = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let shown = query.lines().nth(line - 1).unwrap_or_default();
    format!("Syntax Error GraphQL ({line}:{column}) {text}\n\n{line}: {shown}\n")
}

/// The name of the argument whose value is at this position of the query.
fn argument_before(at: Option<(usize, usize)>, query: &str) -> Option<String> {
    let (line, column) = at?;
    let text = query.lines().nth(line - 1)?;
    let before: String = text.chars().take(column - 1).collect();
    let name = before.trim_end().strip_suffix(':')?.trim_end();
    let start = name.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    Some(name[start..].to_owned())
}

/// Rewords the compiler's messages, which follow graphql-js 16, where graphql-core 2 differs.
fn validation(message: &str) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        [
            (
                r#"^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\.$"#,
                r#"Unknown argument "$1" on field "$3" of type "$2"."#,
            ),
            (
                r#"^(Field "\w+" argument "\w+" of type "[^"]+" is required), but it was not provided\.$"#,
                "$1 but not provided.",
            ),
            (
                r#"^Value "([^"]+)" does not exist in "(\w+)" enum\.$"#,
                "Argument \"{argument}\" has invalid value $1.\nExpected type \"$2\", found $1.",
            ),
            (
                r"^(\w+) cannot represent value: (.+)$",
                "Argument \"{argument}\" has invalid value $2.\nExpected type \"$1\", found $2.",
            ),
            (
                r#"^(Field "\w+" of type "[^"]+" must have a) selection of subfields\. Did you mean .*$"#,
                "$1 sub selection.",
            ),
            (
                r#"^Field "(\w+)" must not have a selection since type "([^"]+)" has no subfields\.$"#,
                r#"Field "$1" of type "$2" must not have a sub selection."#,
            ),
        ]
        .into_iter()
        .filter_map(|(pattern, words)| Some((Regex::new(pattern).ok()?, words)))
        .collect()
    });
    RULES
        .iter()
        .find(|(pattern, _)| pattern.is_match(message))
        .map_or_else(|| message.to_owned(), |(pattern, words)| pattern.replace(message, *words).into_owned())
}

/// The error of a failed resolver.
pub(super) fn of_execution(message: &str) -> String {
    message.strip_prefix("resolver error: ").unwrap_or(message).to_owned()
}

/// The error of a variable that does not match its type.
pub(super) fn of_variables(message: &str, operation: &Operation) -> String {
    static WRONG: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^could not coerce variable (\w+): (.+) to type (\S+)$").ok());
    static MISSING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^(?:missing value for non-null variable '(\w+)'|null value for variable (\w+) of .*)$")
            .ok()
    });
    if let Some(found) = WRONG.as_ref().and_then(|pattern| pattern.captures(message)) {
        let (name, value, kind) = (&found[1], &found[2], &found[3]);
        return format!(
            "Variable \"${name}\" got invalid value {value}.\nExpected type \"{kind}\", found {value}."
        );
    }
    if let Some(found) = MISSING.as_ref().and_then(|pattern| pattern.captures(message)) {
        let name = found.get(1).or_else(|| found.get(2)).map_or("", |name| name.as_str());
        let kind = operation
            .variables
            .iter()
            .find(|variable| variable.name == name)
            .map(|variable| variable.ty.to_string());
        return format!(
            "Variable \"${name}\" of required type \"{}\" was not provided.",
            kind.unwrap_or_default()
        );
    }
    message.to_owned()
}

/// The body of a response. Errors come first, as on the real server.
pub(super) fn response(data: Option<JsonMap>, errors: &[GraphQLError]) -> Json {
    let mut body = serde_json::Map::new();
    if !errors.is_empty() {
        body.insert("errors".to_owned(), json!(errors));
    }
    body.insert("data".to_owned(), data.map_or(Json::Null, object));
    Json::Object(body)
}

/// Appends errors to a response with data.
pub(super) fn add_errors(body: &mut Json, more: Vec<Json>) {
    if more.is_empty() {
        return;
    }
    match &mut body["errors"] {
        Json::Array(errors) => errors.extend(more),
        none => *none = Json::Array(more),
    }
}

fn object(members: JsonMap) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.as_str().to_owned(), plain(value))).collect())
}

/// Converts a value to plain JSON. Done by hand, because a response has some hundred thousand parts.
fn plain(value: JsonValue) -> Json {
    match value {
        JsonValue::Null => Json::Null,
        JsonValue::Bool(flag) => Json::Bool(flag),
        JsonValue::Number(number) => Json::Number(number),
        JsonValue::String(text) => Json::String(text.as_str().to_owned()),
        JsonValue::Array(items) => Json::Array(items.into_iter().map(plain).collect()),
        JsonValue::Object(members) => object(members),
    }
}
