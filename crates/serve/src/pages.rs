//! The pages outside the desk: login, style and script; and the fields of a form.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

use crate::app::{App, Peer};
use crate::guard::COOKIE;
use crate::request_failure::{Failure, body};
use crate::templates::{STYLE, render, values};

/// Maximum size of a form, in bytes.
const MAX_FORM: usize = 64 * 1024;

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

/// `GET /assets/desk.css`.
pub(crate) async fn get_style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

/// `GET /assets/desk.js`.
pub(crate) async fn get_script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../templates/desk.js"))
}
