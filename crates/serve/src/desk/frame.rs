//! The frame around a page: the menu, the last action and the running job. Requests show their pages in it.

use atlas_gt_core::error::Result;
use atlas_gt_truth::{Store, pending};
use axum::response::{Html, IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;

use super::jobs::{JobElsewhere, ShownJob};
use super::last_action::LastAction;
use super::page::Page;
use super::review;
use super::sources::Sources;
use crate::app::App;
use crate::request_failure::{Failure, broken_off};
use crate::templates::render;

/// An entry of the menu.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MenuEntry {
    pub name: &'static str,
    pub path: &'static str,
    /// Number of items waiting there.
    count: usize,
}

/// The menu with the number of waiting items.
pub(crate) fn menu(sources: &Sources) -> Result<Vec<MenuEntry>> {
    let store = Store::find(&sources.store)?;
    let (waiting, changes) = match &store {
        Some(store) => (review::waiting(store)?.len(), pending::ids(store)?.len()),
        None => (0, 0),
    };
    let pages = [
        ("Inbox", "", 0),
        ("Records", "records", 0),
        ("Review", "review", waiting),
        ("Changes", "changes", changes),
        ("Runs", "runs", 0),
        ("Spot checks", "spot-checks", 0),
        ("Production", "production", 0),
        ("Points", "points", 0),
        ("Configuration", "configuration", 0),
    ];
    Ok(pages.map(|(name, path, count)| MenuEntry { name, path, count }).to_vec())
}

/// The frame around a page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Frame {
    pub menu: Vec<MenuEntry>,
    /// The open page of the menu.
    pub here: String,
    /// Prefix and suffix of every link.
    pub root: String,
    pub end: &'static str,
    /// Whether the page is a file without actions.
    #[serde(rename = "static")]
    pub is_static: bool,
    pub csrf: String,
    pub by: String,
    /// The flags that make a command of the page complete.
    pub flags: String,
    pub last: Option<LastAction>,
    /// The running job.
    pub running: Option<ShownJob>,
    /// The job of another server of the store.
    pub elsewhere: Option<JobElsewhere>,
}

/// Renders a page.
pub(crate) fn html(page: Page, frame: &Frame) -> Result<String, Failure> {
    let mut values = page.values;
    if let (Some(values), Ok(Value::Object(frame))) = (values.as_object_mut(), serde_json::to_value(frame)) {
        values.extend(frame);
    }
    render(page.template, &values)
}

/// Reads files on a blocking thread.
pub(crate) async fn read<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Sources) -> Result<T> + Send + 'static,
) -> Result<T, Failure> {
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || work(&app.sources)).await;
    done.map_err(|_| broken_off())?.map_err(Failure::from)
}

pub(crate) type Answer = Result<Response, Failure>;

/// Reads a page of files, and shows it.
pub(crate) async fn open(
    app: &App,
    here: &str,
    page: impl FnOnce(&Sources) -> Result<Page> + Send + 'static,
) -> Answer {
    show(app, here, read(app, page).await?).await
}

pub(crate) async fn show(app: &App, here: &str, page: Page) -> Answer {
    let menu = read(app, menu).await?;
    let frame = Frame {
        menu,
        here: here.to_owned(),
        root: "/".to_owned(),
        end: "",
        is_static: false,
        csrf: app.guard.csrf.clone(),
        by: app.sources.by.clone(),
        flags: app.sources.joined_flags(),
        last: app.last.lock().await.before(),
        running: app.jobs.list().into_iter().find(|job| job.running),
        elsewhere: app.jobs.elsewhere(),
    };
    Ok(Html(html(page, &frame)?).into_response())
}
