//! Actions at the desk: a form becomes a command of this program, and the next page shows its result.

use std::collections::BTreeMap;
use std::time::Duration;

use atlas_gt_core::command_line::quoted;
use atlas_gt_core::error::Exit;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use jiff::Timestamp;

use super::actions::{self, Action};
use super::changes;
use super::frame::{Answer, open, read};
use super::jobs::Order;
use super::last_action::{LastAction, Undo};
use super::strategies::{self, Tried};
use crate::app::App;
use crate::database::{Database, on_both};
use crate::pages::form;
use crate::request_failure::Failure;

/// Timeout of a command that the browser waits for.
const PATIENCE: Duration = Duration::from_secs(120);

/// Maximum number of characters shown of a command's output.
const MAX_SHOWN: usize = 4000;

/// Maximum number of characters read of a command's output.
const MAX_OUTPUT: usize = 1_000_000;

/// The undo of a completed action, if it has one.
async fn undo_of(app: &App, action: &str, fields: &BTreeMap<String, String>, done: &Done) -> Option<Undo> {
    let (action, key) = match action {
        "review-accept" | "review-reject" => ("review-undo", "id"),
        "failure-review" => ("failure-undo", "failure"),
        "change-accept" | "change-reject" => {
            let said = done.said.clone();
            let run = read(app, move |sources| changes::run_of(sources, &said)).await.ok()??;
            return Some(Undo { action: "change-undo", key: "run", value: run });
        }
        _ => return None,
    };
    Some(Undo { action, key, value: fields.get(key)?.clone() })
}

/// The page to open next: a page of this server, otherwise the inbox.
fn next_page(fields: &BTreeMap<String, String>) -> String {
    let next = fields.get("next").map(String::as_str).unwrap_or_default();
    let is_own = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
    if is_own { next.to_owned() } else { "/".to_owned() }
}

/// Adds the number of the action to a page's address.
fn after(next: &str, number: u64) -> String {
    let (page, place) =
        next.split_once('#').map_or((next, String::new()), |(page, place)| (page, format!("#{place}")));
    let sign = if page.contains('?') { '&' } else { '?' };
    format!("{page}{sign}done={number}{place}")
}

/// `POST /do/{action}`.
pub(crate) async fn act(State(app): State<App>, Path(name): Path<String>, sent: Body) -> Answer {
    let fields = form(&app, sent).await?;
    let by = fields
        .get("by")
        .map(|by| by.trim())
        .filter(|by| !by.is_empty())
        .unwrap_or(&app.sources.by)
        .to_owned();
    let next = next_page(&fields);
    let text = |key: &str| fields.get(key).cloned().unwrap_or_default();
    let done = match name.as_str() {
        "job-stop" => {
            let number = text("job").parse().unwrap_or(0);
            let process =
                app.jobs.process(number).map_or_else(|| "none".to_owned(), |process| process.to_string());
            let stopped = app.jobs.stop(number);
            Done::of(
                format!("kill -INT {process}"),
                if stopped {
                    Ok("it stops after the current step".to_owned())
                } else {
                    Err("it is not running".to_owned())
                },
            )
        }
        "strategy-set" | "strategy-remove" | "strategy-import" => {
            change_strategies(&app, name.clone(), text("field"), text("strategy"), text("text")).await
        }
        "strategy-try" => return try_pair(&app, &text("truth"), &text("answer")).await,
        _ => {
            let made = actions::action(&app.sources, &app.options.database, &name, &fields);
            match made.map_err(|why| Failure(StatusCode::UNPROCESSABLE_ENTITY, why))? {
                Action::Now(order) => command(&app, &order).await,
                Action::Job(order) => {
                    let started = app.jobs.start(&order, &app.sources.program, by.clone());
                    if let Ok(number) = started {
                        write_audit(&app.database, &by, &order.command(), 0).await;
                        return Ok(Redirect::to(&format!("/jobs/{number}")).into_response());
                    }
                    Done::of(order.command(), started.map(|_| String::new()))
                }
            }
        }
    };
    write_audit(&app.database, &by, &done.command, done.exit).await;
    // The action may have reviewed a failure.
    app.week.forget();
    let failed = done.exit != 0;
    let undo = if failed { None } else { undo_of(&app, &name, &fields, &done).await };
    let said = done.said.chars().take(MAX_SHOWN).collect();
    let last = LastAction { command: done.command, by, failed, said, undo };
    let number = app.last.lock().await.keep(last);
    Ok(Redirect::to(&after(&next, number)).into_response())
}

/// Sets, removes or imports comparison strategies.
async fn change_strategies(
    app: &App,
    action: String,
    field: String,
    strategy: String,
    pasted: String,
) -> Done {
    let result = read(app, move |sources| {
        match action.as_str() {
            "strategy-set" => strategies::set(&sources.strategies, &field, &strategy)?,
            "strategy-remove" => strategies::remove(&sources.strategies, &field)?,
            _ => strategies::import(&sources.strategies, &pasted)?,
        }
        strategies::export(&sources.strategies)
    });
    let file = app.sources.strategies.display().to_string();
    match result.await {
        Ok(now) => {
            Done::of(format!("printf '%s' {} > {}", quoted(&now), quoted(&file)), Ok(format!("saved {file}")))
        }
        Err(failure) => Done::of(format!("edit {}", quoted(&file)), Err(failure.1)),
    }
}

/// The result of an action.
pub(crate) struct Done {
    command: String,
    exit: i32,
    pub said: String,
}

impl Done {
    fn of(command: String, result: Result<String, String>) -> Self {
        let exit = if result.is_ok() { 0 } else { Exit::Usage as i32 };
        let (Ok(said) | Err(said)) = result;
        Self { command, exit, said }
    }
}

/// Runs a command and waits for it.
pub(crate) async fn command(app: &App, order: &Order) -> Done {
    let mut process = order.process(&app.sources.program);
    let output = tokio::time::timeout(PATIENCE, process.kill_on_drop(true).output()).await;
    let (exit, said) = match output {
        Err(_) => (-1, "it took longer than two minutes and was stopped".to_owned()),
        Ok(Err(error)) => (-1, format!("it could not be started: {error}")),
        Ok(Ok(output)) => {
            let text = [output.stdout, output.stderr].concat();
            let text: String = String::from_utf8_lossy(&text).chars().take(MAX_OUTPUT).collect();
            (output.status.code().unwrap_or(-1), text.trim().to_owned())
        }
    };
    Done { command: order.command(), exit, said }
}

/// Scores a pair of truth and answer with the strategies, and shows every score with its reason.
async fn try_pair(app: &App, truth: &str, answer: &str) -> Answer {
    let broken = |error: std::io::Error| Failure(StatusCode::INTERNAL_SERVER_ERROR, error.to_string());
    let folder = tempfile::tempdir().map_err(broken)?;
    std::fs::write(folder.path().join("truth.json"), truth).map_err(broken)?;
    std::fs::write(folder.path().join("answer.json"), answer).map_err(broken)?;
    let scored = |folder: &std::path::Path| {
        let file = |name: &str| folder.join(name).display().to_string();
        let words = ["score", "json", "--truth", &file("truth.json"), "--answer", &file("answer.json")];
        let mut arguments = words.map(str::to_owned).to_vec();
        if app.sources.strategies.is_file() {
            arguments.push(format!("--strategies={}", app.sources.strategies.display()));
        }
        Order { arguments, environment: Vec::new() }
    };
    let done = command(app, &scored(folder.path())).await;
    let tried = Tried {
        truth: truth.to_owned(),
        answer: answer.to_owned(),
        command: scored(std::path::Path::new("")).command(),
        // The temporary folder would only confuse.
        result: done.said.replace(&format!("{}/", folder.path().display()), ""),
    };
    open(app, "configuration", move |sources| strategies::page(sources, &tried)).await
}

/// Adds a row to the audit log: a write at the desk, with its author and result. A failure is only logged, because the
/// action is already done.
async fn write_audit(database: &Database, who: &str, action: &str, status: i32) {
    const INSERT: &str = "INSERT INTO audit (at, who, action, status) VALUES ($1, $2, $3, $4)";
    let at = Timestamp::now().as_millisecond();
    let clean = |text: &str| text.replace('\0', "\u{fffd}");
    let (who, action) = (clean(who), clean(action));
    let written = on_both!(database, pool => {
        sqlx::query(INSERT).bind(at).bind(&who).bind(&action).bind(status).execute(pool).await.map(|_| ())
    });
    if let Err(error) = written {
        tracing::error!("an audit line was not written ({error}): {who}: {action}: {status}");
    }
}
