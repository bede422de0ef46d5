//! Error messages in the words of graphql-core 2, as clients of the site meet them.

use apollo_compiler::ExecutableDocument;
use apollo_compiler::response::{GraphQLError, JsonMap};
use apollo_compiler::validation::WithErrors;
use regex::Regex;
use serde_json::{Value as Json, json};
use std::sync::LazyLock;

/// Errors of a document that does not parse or does not fit the schema.
pub(super) fn of_validation(invalid: &WithErrors<ExecutableDocument>, query: &str) -> Json {
    let errors: Vec<Json> = invalid
        .errors
        .iter()
        .map(|diagnostic| {
            let compatible = diagnostic.error.unstable_compat_message();
            let GraphQLError { message, locations, .. } = diagnostic.to_json();
            let message = if message.starts_with("syntax error") || message.starts_with("parser error") {
                syntax(&message, locations.first().map(|at| (at.line, at.column)), query)
            } else {
                validation(&compatible.unwrap_or(message))
            };
            json!({ "message": message, "locations": locations })
        })
        .collect();
    Json::Array(errors)
}

fn syntax(message: &str, at: Option<(usize, usize)>, query: &str) -> String {
    let (line, column) = at.unwrap_or((1, 1));
    let text = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let shown = query.lines().nth(line - 1).unwrap_or_default();
    format!("Syntax Error GraphQL ({line}:{column}) {text}\n\n{line}: {shown}\n")
}

/// The compiler words its messages like graphql-js 16; the ones below read otherwise in graphql-core 2.
fn validation(message: &str) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        [
            (r#"^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\.$"#, r#"Unknown argument "$1" on field "$3" of type "$2"."#),
            (r#"^(Field "\w+" argument "\w+" of type "[^"]+" is required), but it was not provided\.$"#, "$1 but not provided."),
            (r#"^Value "([^"]+)" does not exist in "(\w+)" enum\.$"#, "Argument has invalid value $1.\nExpected type \"$2\", found $1."),
            (r"^(\w+) cannot represent value: (.+)$", "Argument has invalid value $2.\nExpected type \"$1\", found $2."),
            (r#"^(Field "\w+" of type "[^"]+" must have a) selection of subfields\. Did you mean .*$"#, "$1 sub selection."),
            (r#"^Field "(\w+)" must not have a selection since type "([^"]+)" has no subfields\.$"#, r#"Field "$1" of type "$2" must not have a sub selection."#),
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

/// An error while a field was resolved.
pub(super) fn of_execution(message: &str) -> String {
    message.strip_prefix("resolver error: ").unwrap_or(message).to_owned()
}

/// Variables that do not fit their types.
pub(super) fn of_variables(message: &str) -> String {
    static WRONG: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^could not coerce variable (\w+): (.+) to type (\S+)$").ok());
    static MISSING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^(?:missing value for|null value for) (?:non-null )?variable '?\$?(\w+)'?(?: of non-null type (\S+))?$").ok()
    });
    if let Some(found) = WRONG.as_ref().and_then(|pattern| pattern.captures(message)) {
        return format!("Variable \"${}\" got invalid value {}.\nExpected type \"{}\", found {}.", &found[1], &found[2], &found[3], &found[2]);
    }
    if let Some(found) = MISSING.as_ref().and_then(|pattern| pattern.captures(message)) {
        return format!("Variable \"${}\" of required type was not provided.", &found[1]);
    }
    message.to_owned()
}

/// The body of an executed request: errors first, as the server writes them, when there are any.
pub(super) fn response(data: Option<JsonMap>, errors: &[GraphQLError]) -> Json {
    let data = serde_json::to_value(data).unwrap_or(Json::Null);
    if errors.is_empty() { json!({ "data": data }) } else { json!({ "errors": errors, "data": data }) }
}
