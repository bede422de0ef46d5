//! The last actions of the desk, for the pages that follow them.

use std::collections::VecDeque;

use serde::Serialize;

/// The last action, shown at the top of the next page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LastAction {
    pub command: String,
    pub by: String,
    pub failed: bool,
    pub said: String,
    /// The action that undoes it.
    pub undo: Option<Undo>,
}

/// An action that undoes another one.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Undo {
    pub action: &'static str,
    pub key: &'static str,
    pub value: String,
}

/// The last actions by number. The page after an action requests it by number, so that no one sees another person's
/// action.
#[derive(Debug, Default)]
pub(crate) struct LastActions {
    number: u64,
    list: VecDeque<(u64, LastAction)>,
}

/// Maximum number of actions to remember.
const MAX_LAST: usize = 50;

impl LastActions {
    pub fn keep(&mut self, last: LastAction) -> u64 {
        self.number += 1;
        self.list.push_back((self.number, last));
        if self.list.len() > MAX_LAST {
            self.list.pop_front();
        }
        self.number
    }

    /// The action before the current request.
    pub fn before(&self) -> Option<LastAction> {
        let number = AFTER.try_with(|number| *number).ok().flatten()?;
        self.of(number)
    }

    fn of(&self, number: u64) -> Option<LastAction> {
        self.list.iter().find(|(known, _)| *known == number).map(|(_, last)| last.clone())
    }
}

tokio::task_local! {
    /// The number of the action before the current request.
    static AFTER: Option<u64>;
}

/// Answers a request that may follow an action.
pub(crate) async fn after_action<T>(query: Option<&str>, answer: impl Future<Output = T>) -> T {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let number = pairs.into_iter().find(|(key, _)| key == "done").and_then(|(_, value)| value.parse().ok());
    AFTER.scope(number, answer).await
}
