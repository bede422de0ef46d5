//! Progress on stderr: bars on a terminal, plain lines otherwise.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::words;
use crate::event::Event;
use atlas_gt_core::question_id::question_label;

/// Shows the events of a run on stderr.
#[derive(Debug)]
pub struct Progress {
    /// A bar, on a terminal.
    bar: Option<ProgressBar>,
    count: Mutex<Count>,
}

#[derive(Debug, Default)]
struct Count {
    pages: usize,
    /// Questions of a run that visits no page; its progress is counted in them.
    questions: Option<usize>,
    /// Questions that ended.
    ended: usize,
    /// Pages that were read or given up. A page that is read again counts once.
    done: BTreeSet<String>,
    /// Why pages could not be read, each reported once.
    causes: BTreeSet<String>,
}

impl Progress {
    /// Begins to show progress.
    #[must_use]
    pub fn start() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
            bar.set_style(style("{bar:24} {pos}/{len} pages  {elapsed}, {eta} left  {msg}"));
            bar
        });
        Self { bar, count: Mutex::new(Count::default()) }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => super::print_status(text),
        }
    }

    /// Shows one event.
    pub fn show(&self, event: &Event) {
        let mut count = self.count.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            Event::RunStarted { visits, questions, .. } => self.begin(&mut count, *visits, *questions),
            Event::SchemaCompared { api, differences, disabled, failure } => {
                if let Some(failure) = failure {
                    self.line(&format!(
                        "warning: the schema of the {api} API could not be compared: {failure}"
                    ));
                } else if !differences.is_empty() {
                    self.line(&format!(
                        "warning: the live schema of the {api} API differs in {}; not sent until this is fixed: {}",
                        differences.join(", "),
                        disabled.join(", ")
                    ));
                }
            }
            Event::VisitStarted { page, .. } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(page.clone());
                }
            }
            Event::VisitRetried { page, cause, wait_ms, .. } => {
                self.line(&format!("  {page}: {cause}; again in {:.1} s", words::seconds(*wait_ms)));
            }
            Event::HeldBack { wait_ms, asked, .. } => {
                let why = if *asked { "as the site asks" } else { "the site is busy" };
                self.line(&format!("  no request for {:.1} s: {why}", words::seconds(*wait_ms)));
            }
            Event::VisitFinished { page, took_ms, looks, requests, .. } => {
                let again = self.count_page(&mut count, page);
                // a change counts once a second load of the page confirms it
                let again = if again { " again" } else { "" };
                self.line(&format!(
                    "  [{}/{}] {page}{again}  {:.1} s, {}, {}",
                    count.done.len(),
                    count.pages,
                    words::seconds(*took_ms),
                    words::count(*looks, "snapshot"),
                    words::count(*requests, "request")
                ));
            }
            Event::VisitFailed { page, cause, .. } => {
                count.done.insert(page.clone());
                let is_new = count.causes.insert(words::without_page(cause, page));
                count.causes.insert(cause.clone());
                let cause = if is_new { cause.as_str() } else { "for the same reason" };
                self.line(&format!("  [{}/{}] {page}  FAILED: {cause}", count.done.len(), count.pages));
            }
            Event::QuestionFinished { question_id, outcome, notes } => match count.questions {
                Some(all) => self.count_question(&mut count, all, (question_id, outcome, notes)),
                None if outcome == "failed" || outcome == "differs" => {
                    // the page was reported already
                    let question = question_label(question_id);
                    for note in notes.iter().filter(|note| !count.causes.contains(*note)) {
                        self.line(&format!("    {question} {outcome}: {note}"));
                    }
                }
                None => {}
            },
            Event::RunFinished { .. } => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
        }
    }

    /// A run that visits no page is counted in questions.
    fn begin(&self, count: &mut Count, visits: usize, questions: usize) {
        let of_questions = words::count(questions, "question");
        let (all, line) = if visits == 0 {
            count.questions = Some(questions);
            (questions, of_questions)
        } else {
            count.pages = visits;
            (visits, format!("{of_questions} on {}", words::count(visits, "page")))
        };
        let Some(bar) = &self.bar else { return self.line(&line) };
        if visits == 0 {
            bar.set_style(style("{bar:24} {pos}/{len} questions  {elapsed}, {eta} left"));
        }
        bar.set_length(all as u64);
    }

    /// Counts a page that was read; whether it was read before.
    fn count_page(&self, count: &mut Count, page: &str) -> bool {
        let again = !count.done.insert(page.to_owned());
        if let Some(bar) = self.bar.as_ref().filter(|_| !again) {
            bar.inc(1);
        }
        again
    }

    fn count_question(&self, count: &mut Count, all: usize, (id, outcome, notes): (&str, &str, &[String])) {
        count.ended += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        let why = notes.first().map_or_else(String::new, |note| format!(": {note}"));
        self.line(&format!("  [{}/{all}] {} {outcome}{why}", count.ended, question_label(id)));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
