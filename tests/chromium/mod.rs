//! A real Chromium with its driver, for tests of pages.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::Url;

/// ChromeDriver and its browser, until it is dropped.
pub struct Browser {
    driver: Child,
    pub client: Client,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    pub async fn start(profile: &Path) -> Self {
        let of = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
        let mut driver = Command::new(of("ATLAS_GT_CHROMEDRIVER", "chromedriver"))
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(driver.stdout.take().unwrap());
        let mut lines = output.lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        // what it prints later has a reader too
        std::thread::spawn(move || lines.for_each(drop));
        let mut options = json!({
            // pipes, as the driver's end is the browser's then
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                     format!("--user-data-dir={}", profile.display())],
        });
        if let Ok(chromium) = std::env::var("ATLAS_GT_CHROMIUM") {
            options["binary"] = chromium.into();
        }
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let Value::Object(capabilities) = wanted else { unreachable!() };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let client = builder.connect(&format!("http://127.0.0.1:{}", port.unwrap())).await.unwrap();
        Self { driver, client }
    }

    pub async fn js(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    pub async fn log(&self, kind: &str) -> Vec<Value> {
        let command = OfChromeDriver("se/log", json!({ "type": kind }));
        serde_json::from_value(self.client.issue_cmd(command).await.unwrap()).unwrap()
    }

    /// As on a screen of this size, in CSS pixels.
    pub async fn screen(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.emulate("setDeviceMetricsOverride", size).await;
    }

    pub async fn emulate(&self, what: &str, params: Value) {
        let body = json!({ "cmd": format!("Emulation.{what}"), "params": params });
        self.client.issue_cmd(OfChromeDriver("goog/cdp/execute", body)).await.unwrap();
    }
}

/// A command that only ChromeDriver knows.
#[derive(Debug)]
struct OfChromeDriver(&'static str, Value);

impl WebDriverCompatibleCommand for OfChromeDriver {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}
