//! `--notify`: notifies a webhook of the outcome of an unattended command.

use serde_json::json;
use url::Url;

use super::print::{runtime, take_summary, want_summary};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::report::print_status;
use atlas_gt_core::http::post;

/// The webhook.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Notify {
    /// Notify this webhook (Slack format) of the outcome, unless the exit code is 0
    #[arg(long, value_name = "URL", env = "ATLAS_GT_NOTIFY", hide_env_values = true)]
    notify: Option<String>,
}

/// The maximum number of lines in a message.
const MAX_LINES: usize = 8;

/// Runs a command and notifies the webhook of its outcome. A failed notification is only a warning.
///
/// # Errors
/// Those of the command. An invalid webhook address is an error before the command runs.
pub(super) fn run_and_notify(
    command: &str,
    shared: &Shared,
    to: &Notify,
    run: impl FnOnce() -> Result<Exit>,
) -> Result<Exit> {
    let flags = Settings { notify: to.notify.clone(), ..Settings::default() };
    // CI systems set the variable of a missing secret to the empty string
    let address = settings::resolve(shared, flags)?.notify.clone().filter(|address| !address.is_empty());
    let Some(address) = address else { return run() };
    let url = Url::parse(&address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or_else(|| Error::Usage("--notify: this is not an http address".to_owned()))?;
    want_summary();
    let result = run();
    let exit = result.as_ref().map_or_else(Error::exit, |exit| *exit);
    let lines = match &result {
        Ok(_) => take_summary(),
        Err(error) => vec![error.to_string()],
    };
    if exit != Exit::Ok
        && let Err(why) =
            runtime()?.block_on(post(&url, &[], &json!({ "text": text(command, exit, &lines) })))
    {
        // the address is secret, its host is not
        let host = url.host_str().unwrap_or_default();
        print_status(format_args!("warning: --notify: {host} was not notified: {why}"));
    }
    result
}

/// The message in Slack's format: `{"text": "…"}`.
fn text(command: &str, exit: Exit, lines: &[String]) -> String {
    let mut text = format!("atlas-gt {command}: exit code {}, {}", exit as u8, exit.meaning());
    for line in lines.iter().take(MAX_LINES) {
        text.push('\n');
        text.push_str(line);
    }
    text
}
