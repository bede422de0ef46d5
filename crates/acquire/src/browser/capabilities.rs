//! The requested capabilities of a browser: fixed conditions, the same for every page and machine.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::BrowserOptions;
use super::grid::BROWSER_NAME;
use super::net_log::net_log;

/// The window, in CSS pixels; fixed so that layouts and screenshots can be compared.
pub(super) const WINDOW: (u32, u32) = (1440, 1000);

/// The capabilities to request. `local` holds the program and the profile of a browser on this machine.
pub(super) fn capabilities(
    options: &BrowserOptions,
    local: Option<(&Path, &Path)>,
    as_root: bool,
) -> serde_json::Map<String, Json> {
    let (width, height) = WINDOW;
    let mut args: Vec<String> = [
        "--headless=new",
        "--disable-gpu",
        // The treemaps draw by WebGL; without software GL their canvas stays blank and has no labels.
        "--enable-unsafe-swiftshader",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-breakpad",
        "--disable-crash-reporter",
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--mute-audio",
        // The address bar's local pages: invisible here, and slower to load than the rest of the browser.
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
        // The browser's language decides how numbers are formatted.
        "--lang=en-US",
        "--force-device-scale-factor=1",
        // Keeps widths equal whether or not an element scrolls.
        "--hide-scrollbars",
    ]
    .map(String::from)
    .to_vec();
    if as_root {
        args.push("--no-sandbox".into());
    }
    args.push(format!("--window-size={width},{height}"));
    args.push(format!("--host-resolver-rules={}", options.resolver_rules()));
    let mut chrome = json!({});
    if let Some((program, profile)) = local {
        // Chromium exits when its pipe to the driver closes.
        args.push("--remote-debugging-pipe".into());
        args.push(format!("--user-data-dir={}", profile.display()));
        args.push(format!("--log-net-log={}", net_log(profile).display()));
        chrome["binary"] = json!(program);
    }
    chrome["args"] = json!(args);
    let all = [
        ("browserName", json!(BROWSER_NAME)),
        ("unhandledPromptBehavior", json!("dismiss")),
        ("goog:chromeOptions", chrome),
    ];
    all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
