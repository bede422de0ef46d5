//! The progress of a job, from the events of its run.

use std::collections::BTreeSet;

use atlas_gt_core::words::count;
use serde::{Deserialize, Serialize};

/// The events that matter for progress.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
enum ProgressEvent {
    RunStarted {
        visits: usize,
        questions: usize,
    },
    VisitFinished {
        page: String,
    },
    VisitFailed {
        page: String,
    },
    QuestionFinished {},
    RunFinished {
        interrupted: bool,
    },
    #[serde(other)]
    Other,
}

/// Counts pages, or questions if no page is visited.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress {
    pages: usize,
    questions: usize,
    /// A page that is read again counts once.
    read: BTreeSet<String>,
    failed: BTreeSet<String>,
    answered: usize,
    ended: Option<&'static str>,
}

/// Progress as pages show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ShownProgress {
    pub done: usize,
    pub all: usize,
    pub text: String,
}

impl Progress {
    /// Processes an event line. Other lines are ignored.
    pub fn add_line(&mut self, line: &str) {
        match serde_json::from_str(line) {
            Ok(ProgressEvent::RunStarted { visits, questions }) => {
                *self = Self { pages: visits, questions, ..Self::default() };
            }
            Ok(ProgressEvent::VisitFinished { page }) => {
                self.failed.remove(&page);
                self.read.insert(page);
            }
            Ok(ProgressEvent::VisitFailed { page }) => drop(self.failed.insert(page)),
            Ok(ProgressEvent::QuestionFinished {}) => self.answered += 1,
            Ok(ProgressEvent::RunFinished { interrupted }) => {
                self.ended = Some(if interrupted { ", stopped" } else { ", complete" });
            }
            Ok(ProgressEvent::Other) | Err(_) => {}
        }
    }

    /// `None` before a run has started.
    pub fn shown(&self) -> Option<ShownProgress> {
        let (done, all, what) = match self.pages {
            0 => (self.answered, self.questions, "question"),
            pages => (self.read.union(&self.failed).count(), pages, "page"),
        };
        let failed = match self.failed.len() {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let text = format!("{done} of {}{failed}{}", count(all, what), self.ended.unwrap_or_default());
        (all > 0).then_some(ShownProgress { done: done.min(all), all, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_once_and_questions_where_no_page_is_visited() {
        let mut progress = Progress::default();
        assert_eq!(progress.shown(), None);
        let mut text = |line: &str| {
            progress.add_line(line);
            progress.shown().unwrap().text
        };
        assert_eq!(
            text(r#"{"at":"x","event":"run_started","site":"s","visits":2,"questions":9}"#),
            "0 of 2 pages"
        );
        assert_eq!(
            text(r#"{"event":"visit_failed","page":"a","cause":"c","requests":1}"#),
            "1 of 2 pages, 1 failed"
        );
        assert_eq!(text(r#"{"event":"visit_finished","page":"a","took_ms":1}"#), "1 of 2 pages");
        assert_eq!(text(r#"{"event":"held_back","page":"a","wait_ms":1,"asked":true}"#), "1 of 2 pages");
        assert_eq!(text("no event"), "1 of 2 pages");
        assert_eq!(
            text(r#"{"event":"run_finished","took_ms":1,"requests":2,"interrupted":true}"#),
            "1 of 2 pages, stopped"
        );
        assert_eq!(text(r#"{"event":"run_started","site":"s","visits":0,"questions":1}"#), "0 of 1 question");
        assert_eq!(
            text(r#"{"event":"question_finished","question_id":"61","outcome":"pass"}"#),
            "1 of 1 question"
        );
    }
}
