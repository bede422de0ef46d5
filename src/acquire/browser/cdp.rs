//! Commands of the browser's own protocol (CDP), sent through ChromeDriver.

use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value as Json, json};
use url::Url;

/// A CDP command.
#[derive(Debug)]
pub(super) struct Cdp {
    pub method: &'static str,
    pub params: Json,
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, url::ParseError> {
        base_url.join(&format!("session/{}/goog/cdp/execute", session_id.unwrap_or_default()))
    }

    fn method_and_body(&self, _request_url: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.method, "params": self.params });
        (http::Method::POST, Some(body.to_string()))
    }
}
