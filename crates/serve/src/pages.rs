//! Renders pages from templates, which escape all text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use minijinja::{Environment, UndefinedBehavior};
use serde_json::Value;

use crate::api::{Failure, body};
use crate::guard::COOKIE;
use crate::server::{App, Peer};

/// Maximum size of a form, in bytes.
const MAX_FORM: usize = 64 * 1024;

/// Serializable values for a template: `values! { name, other => expression }`.
macro_rules! values {
    ($($key:ident $(=> $value:expr)?),* $(,)?) => {{
        let mut all = serde_json::Map::new();
        $(all.insert(stringify!($key).to_owned(), $crate::pages::values!(@one $key $(, $value)?));)*
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

/// Parses the fields of a form of this server.
pub(crate) async fn form(app: &App, sent: Body) -> Result<BTreeMap<String, String>, Failure> {
    let bytes = body(sent, MAX_FORM).await?;
    let fields: BTreeMap<String, String> = url::form_urlencoded::parse(&bytes).into_owned().collect();
    let checked = app.guard.check_form(fields.get("csrf").map(String::as_str));
    checked.map_err(|refusal| Failure(refusal.status, refusal.why.to_owned()))?;
    Ok(fields)
}

/// `GET /login`.
pub(crate) async fn get_login(State(app): State<App>) -> Result<Html<String>, Failure> {
    login(&app, None).map(Html)
}

fn login(app: &App, wrong: Option<&str>) -> Result<String, Failure> {
    let menu: [u8; 0] = [];
    let values = values! {
        csrf => app.guard.csrf, wrong, static => false, root => "/", end => "", here => "login", menu => menu, last => None::<u8>, running => None::<u8>, elsewhere => None::<u8>,
    };
    render("login.html", &values)
}

/// `POST /login`: stores the right token in a cookie that scripts cannot read and other sites cannot send.
pub(crate) async fn post_login(
    State(app): State<App>,
    Extension(Peer(peer)): Extension<Peer>,
    sent: Body,
) -> Result<Response, Failure> {
    let fields = form(&app, sent).await?;
    let token = fields.get("token").map(|token| token.trim()).unwrap_or_default();
    if let Err(refusal) = app.guard.check_token(peer, Some(token)) {
        return Ok((refusal.status, Html(login(&app, Some(refusal.why))?)).into_response());
    }
    let mut response = Redirect::to("/").into_response();
    // Generated tokens are hexadecimal. A configured one may contain characters that are invalid in a cookie.
    if let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"))
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The style of the desk: the base style sheet, shared with reports, and the desk's own.
pub(crate) const STYLE: &str =
    concat!(include_str!("../templates/base.css"), include_str!("../templates/desk.css"));

/// `GET /assets/desk.css`.
pub(crate) async fn get_style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

/// `GET /assets/desk.js`.
pub(crate) async fn get_script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../templates/desk.js"))
}
