//! Why a request fails: a status with what to do about it; and the limits of a request's body.

use std::time::Duration;

use atlas_gt_core::error::Error;
use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Timeout for a request body.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Why a request failed, with what to do about it.
#[derive(Debug, Clone)]
pub(crate) struct Failure(pub StatusCode, pub String);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.0, Json(json!({ "error": self.1 }))).into_response();
        // Lets the server show a browser an error page.
        response.extensions_mut().insert(self.clone());
        if matches!(self.0, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Nothing(_) | Error::NoStore { .. } => StatusCode::NOT_FOUND,
            Error::Usage(_) | Error::Syntax { .. } | Error::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

/// The failure of a background task.
pub(crate) fn broken_off() -> Failure {
    Failure(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the page could not be created: see the server's log".to_owned(),
    )
}

/// Reads a body within limits of size and time.
pub(crate) async fn body(body: Body, most: usize) -> Result<Bytes, Failure> {
    let too_long = || {
        Failure(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the body is longer than {most} bytes: send less at once"),
        )
    };
    match tokio::time::timeout(BODY_TIME, to_bytes(body, most)).await {
        Err(_) => {
            Err(Failure(StatusCode::REQUEST_TIMEOUT, "the body did not arrive within 10 seconds".to_owned()))
        }
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(one) = cause {
                if one.to_string().contains("length limit exceeded") {
                    return Err(too_long());
                }
                cause = one.source();
            }
            Err(Failure(StatusCode::BAD_REQUEST, "the body is incomplete".to_owned()))
        }
    }
}
