//! Routes: pages, assets, both APIs, and the faults that affect them.

use super::api::{Answer, Conditions, Endpoint, Partial};
use super::connection::Peer;
use super::data::{Revision, noise};
use super::fault::Fault;
use super::log::LogEntry;
use super::state::{Apis, State};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum size of a request body.
const MAX_BODY: usize = 4 << 20;
const HTML: &str = "text/html; charset=utf-8";

const ROBOTS: &str = "User-agent: *\nAllow: /\n";
const LLMS: &str = "# The Atlas of Economic Complexity\n\n> Trade and growth data for every country, as charts and through an API.\n\n\
    - [Countries](/countries): country profiles\n- [Explore](/explore): visualizations\n- API: POST /api/graphql\n\n\
    Please send a descriptive User-Agent and stay below 120 requests per minute.\n";
const BLOCKED: &str = "<!doctype html><html><head><title>Please wait</title></head><body><h1>Too many requests</h1>\
    <p>We have received too many requests from your network. Please try again in a few minutes.</p></body></html>";
const NOT_FOUND: &str = "<!doctype html><html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>";
const GRAPHIQL: &str = "<!doctype html><html><head><title>GraphiQL</title></head><body><div id=\"graphiql\">Loading...</div></body></html>";

/// A shell icon: one transparent pixel.
const ICON: [u8; 70] = {
    let mut icon = [0; 70];
    icon[2] = 1; // type: icon
    icon[4] = 1; // one image
    icon[6] = 1; // 1 wide
    icon[7] = 1; // 1 high
    icon[10] = 1; // planes
    icon[12] = 32; // bits
    icon[14] = 48; // bytes of the image
    icon[18] = 22; // where it begins
    icon[22] = 40; // bitmap header
    icon[26] = 1;
    icon[30] = 2; // twice the height
    icon[34] = 1;
    icon[36] = 32;
    icon
};

/// The response to a request, with the parts that the log keeps.
struct Reply {
    response: Response,
    answer: Option<Answer>,
}

impl From<Response> for Reply {
    fn from(response: Response) -> Self {
        Self { response, answer: None }
    }
}

fn html(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, [(header::CONTENT_TYPE, HTML)], body.into()).into_response()
}

fn plain(body: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response()
}

fn redirect(to: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to)]).into_response()
}

fn given(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Handles all requests.
pub(super) async fn answer(
    Shared(state): Shared<Arc<State>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
) -> Response {
    let asked = Instant::now();
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let by_page = given(&parts.headers, header::REFERER).is_some_and(|referer| {
        referer
            .split_once("://")
            .is_some_and(|(_, rest)| rest.contains("/countries") || rest.contains("/explore"))
    });
    let reply = if path == "/api/countries/graphql" || path == "/api/graphql" {
        let body = to_bytes(body, MAX_BODY).await.unwrap_or_default();
        api(&state, &peer, &path, &parts, &body, by_page).await
    } else {
        page(&state, &parts.method, &path).into()
    };
    let (operation, fields, variables) = reply.answer.map_or((None, Vec::new(), Value::Null), |answer| {
        (answer.operation, answer.fields, answer.variables)
    });
    state.keep(LogEntry {
        at: asked.duration_since(state.started()),
        method: parts.method.to_string(),
        path: parts.uri.path_and_query().map_or(path, ToString::to_string),
        status: if reply.response.status() == StatusCode::IM_A_TEAPOT {
            0
        } else {
            reply.response.status().as_u16()
        },
        operation,
        fields,
        variables,
        user_agent: given(&parts.headers, header::USER_AGENT),
        by_page,
    });
    reply.response
}

fn page(state: &State, method: &Method, path: &str) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let current = state.current();
    let blocked = current.faults.iter().any(|(fault, _)| *fault == Fault::SoftBlockPage);
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match segments.as_slice() {
        ["robots.txt"] => {
            let closed = current.faults.iter().filter_map(|(fault, _)| match fault {
                Fault::RobotsDisallow(path) => Some(format!("Disallow: {path}\n")),
                _ => None,
            });
            let rules: String = std::iter::once(ROBOTS.to_owned()).chain(closed).collect();
            ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], rules).into_response()
        }
        ["llms.txt"] => plain(LLMS),
        ["favicon.ico"] => ([(header::CONTENT_TYPE, "image/x-icon")], ICON.to_vec()).into_response(),
        ["assets", ..] => current.site.asset(path).map_or_else(
            || html(StatusCode::NOT_FOUND, NOT_FOUND),
            |(kind, bytes)| {
                let cache = "public, max-age=31536000, immutable";
                ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], bytes).into_response()
            },
        ),
        ["countries"] => redirect("/countries/792"),
        ["explore"] => redirect("/explore/treemap?year=2024"),
        _ if blocked => html(StatusCode::OK, BLOCKED),
        [] | ["countries", _] | ["countries", _, _] | ["explore", _] | ["explore", _, "table"] => {
            let shell = current.site.shell();
            let headers = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, "no-cache")];
            (headers, shell).into_response()
        }
        _ => html(StatusCode::NOT_FOUND, NOT_FOUND),
    }
}

/// The faults that hit this API request. Counts them down.
fn hits(state: &State) -> Vec<Fault> {
    let mut current = state.current();
    let mut hits = Vec::new();
    // Of the counted faults only the first one left hits, so that "500 twice, then 429 once" is possible.
    let mut counted = false;
    for (fault, left) in &mut current.faults {
        match left {
            None => hits.push(fault.clone()),
            Some(0) => {}
            Some(left) if !counted => {
                *left -= 1;
                counted = true;
                hits.push(fault.clone());
            }
            Some(_) => {}
        }
    }
    hits
}

fn too_many(wait: Option<u64>) -> Response {
    let mut response = (StatusCode::TOO_MANY_REQUESTS, "Too Many Requests").into_response();
    if let Some(wait) = wait {
        response.headers_mut().insert(header::RETRY_AFTER, wait.into());
    }
    response
}

async fn api(
    state: &Arc<State>,
    peer: &Peer,
    path: &str,
    parts: &axum::http::request::Parts,
    body: &Bytes,
    by_page: bool,
) -> Reply {
    if let Err(wait) = state.limit().pass(peer.address.ip(), Instant::now()) {
        return too_many(state.retry_after.then(|| wait.as_secs() + 1)).into();
    }
    let hits = hits(state);
    wait(state, &hits).await;
    let hit = |fault: fn(&Fault) -> bool| hits.iter().any(fault);
    if hit(|fault| matches!(fault, Fault::SoftBlockPage)) {
        return html(StatusCode::OK, BLOCKED).into();
    }
    if hit(|fault| matches!(fault, Fault::Reset(_))) {
        peer.reset();
        return StatusCode::IM_A_TEAPOT.into_response().into();
    }
    if hit(|fault| matches!(fault, Fault::TooMany(_))) {
        return too_many(None).into();
    }
    if hit(|fault| matches!(fault, Fault::TooManyRetryAfter(_))) {
        return too_many(Some(1)).into();
    }
    if hit(|fault| matches!(fault, Fault::ServerError(_))) {
        return html(StatusCode::INTERNAL_SERVER_ERROR, "<h1>Server Error (500)</h1>").into();
    }
    let revised = hit(|fault| matches!(fault, Fault::Drift))
        || (by_page && hit(|fault| matches!(fault, Fault::PageDisagrees)));
    let stand_in = hits.iter().find_map(|fault| match fault {
        Fault::WrongCountry(m49) => Some(*m49),
        _ => None,
    });
    let revision = if revised { Revision::Revised } else { state.release(&hits) };
    let Some(endpoint) = Apis::over(revision).ok().and_then(|apis| apis.at(path)) else {
        return html(StatusCode::NOT_FOUND, NOT_FOUND).into();
    };
    let schema = state.current().schemas.iter().find(|(of, _)| *of == path).map(|(_, schema)| schema.clone());
    let partial: Vec<Partial> = hits.iter().filter_map(Fault::partial).collect();
    let conditions = Conditions { stand_in, schema: schema.as_deref(), partial: &partial };
    let mut reply = graphql(endpoint, parts, body, &conditions);
    let lacking = hits.iter().find_map(|fault| match fault {
        Fault::PageLacks(field) if by_page => Some(field),
        _ => None,
    });
    if let (Some(field), Some(answer)) = (lacking, &mut reply.answer)
        && answer.fields.contains(field)
    {
        let keys: Vec<String> =
            answer.body["data"].as_object().into_iter().flat_map(|data| data.keys().cloned()).collect();
        let errors = keys
            .iter()
            .map(|key| json!({ "message": "'NoneType' object has no attribute 'group'", "path": [key] }));
        let data: serde_json::Map<String, Value> =
            keys.iter().map(|key| (key.clone(), Value::Null)).collect();
        answer.body = json!({ "errors": errors.collect::<Vec<_>>(), "data": data });
        let kind = [(header::CONTENT_TYPE, "application/json")];
        reply.response = (kind, answer.body.to_string()).into_response();
    }
    if hit(|fault| matches!(fault, Fault::HalfJson(_)))
        && let Some(answer) = &reply.answer
    {
        let text = answer.body.to_string();
        let half: String = text.chars().take(text.chars().count() / 2).collect();
        reply.response = ([(header::CONTENT_TYPE, "application/json")], half).into_response();
    }
    reply
}

async fn wait(state: &State, hits: &[Fault]) {
    let slow: u64 = hits.iter().map(|fault| if let Fault::Slow(wait) = fault { *wait } else { 0 }).sum();
    let span = state.latency.max.saturating_sub(state.latency.min);
    let nth = u64::try_from(state.started().elapsed().as_nanos()).unwrap_or(0);
    let drawn = span.mul_f64(noise::unit("latency", &[state.seed, nth]));
    tokio::time::sleep(state.latency.min + drawn + Duration::from_millis(slow)).await;
}

fn graphql(
    endpoint: &Endpoint,
    parts: &axum::http::request::Parts,
    body: &Bytes,
    conditions: &Conditions<'_>,
) -> Reply {
    let answered = |answer: Answer| {
        let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
        let json = (status, [(header::CONTENT_TYPE, "application/json")], answer.body.to_string());
        Reply { response: json.into_response(), answer: Some(answer) }
    };
    match parts.method {
        Method::POST => {
            let kind = given(&parts.headers, header::CONTENT_TYPE).unwrap_or_default();
            match kind.split(';').next().map(str::trim) {
                Some("application/json") => answered(endpoint.answer(body, conditions)),
                Some("application/graphql") => {
                    let body = json!({ "query": String::from_utf8_lossy(body) }).to_string();
                    answered(endpoint.answer(body.as_bytes(), conditions))
                }
                // Other content types are ignored.
                _ => answered(endpoint.answer(b"{}", conditions)),
            }
        }
        Method::GET => {
            let query: serde_json::Map<String, Value> =
                url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes())
                    .map(|(name, value)| (name.into_owned(), Value::from(value.into_owned())))
                    .collect();
            let browser =
                given(&parts.headers, header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
            if browser && !query.contains_key("raw") {
                return html(StatusCode::OK, GRAPHIQL).into();
            }
            answered(endpoint.answer(Value::Object(query).to_string().as_bytes(), conditions))
        }
        _ => {
            let body = json!({ "errors": [{ "message": "GraphQL only supports GET and POST requests." }] });
            let headers = [(header::CONTENT_TYPE, "application/json"), (header::ALLOW, "GET, POST")];
            (StatusCode::METHOD_NOT_ALLOWED, headers, body.to_string()).into_response().into()
        }
    }
}
