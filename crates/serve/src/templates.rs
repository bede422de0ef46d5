//! Renders pages from templates, which escape all text.

use std::sync::LazyLock;

use axum::http::StatusCode;
use minijinja::{Environment, UndefinedBehavior};
use serde_json::Value;

use crate::request_failure::Failure;

/// The style of the desk: the base style sheet, shared with reports, and the desk's own.
pub(crate) const STYLE: &str =
    concat!(include_str!("../templates/base.css"), include_str!("../templates/desk.css"));

/// Serializable values for a template: `values! { name, other => expression }`.
macro_rules! values {
    ($($key:ident $(=> $value:expr)?),* $(,)?) => {{
        let mut all = serde_json::Map::new();
        $(all.insert(stringify!($key).to_owned(), $crate::templates::values!(@one $key $(, $value)?));)*
        serde_json::Value::Object(all)
    }};
    (@one $key:ident) => { serde_json::to_value(&$key).unwrap_or_default() };
    (@one $key:ident, $value:expr) => { serde_json::to_value(&$value).unwrap_or_default() };
}
pub(crate) use values;

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../templates/", $name)))),+]
    };
}

const TEMPLATES: [(&str, &str); 20] = templates![
    "base.html",
    "changes.html",
    "comparison.html",
    "configuration.html",
    "failure.html",
    "inbox.html",
    "job.html",
    "jobs.html",
    "login.html",
    "place.html",
    "points.html",
    "production.html",
    "promotion.html",
    "record.html",
    "records.html",
    "review.html",
    "reviews.html",
    "run.html",
    "runs.html",
    "spot_checks.html",
];

static ENVIRONMENT: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    // An undefined name is a mistake in a template, not an empty text.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    Ok(environment)
});

/// Renders a template.
///
/// # Errors
/// The template has a mistake.
pub(crate) fn render(name: &str, values: &Value) -> Result<String, Failure> {
    let made = ENVIRONMENT.as_ref().map_err(ToString::to_string).and_then(|environment| {
        environment
            .get_template(name)
            .and_then(|template| template.render(minijinja::value::Serde(values)))
            .map_err(|error| error.to_string())
    });
    made.map_err(|error| {
        tracing::error!("{name}: {error}");
        Failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the page could not be created: see the server's log".to_owned(),
        )
    })
}
