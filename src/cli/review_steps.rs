//! The review queue in a terminal: shows each value with its picture until all are decided or the
//! person quits.

use std::io::BufRead;
use std::path::Path;
use std::process::{Command, Stdio};

use jiff::Timestamp;

use super::print::{complain, print, print_with, quarantined};
use super::settings;
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::report::Format;
use crate::report::review::{ReviewOutcome as Judgement, ReviewedQuestion};
use crate::truth::{CommitRun, Person, Store};
use crate::words::count;
use crate::workflow::review::{self, PersonVerdict, Waiting};

/// The store and the person of a review session.
pub(super) struct Desk<'a> {
    pub config: &'a Config,
    pub by: String,
    pub now: Timestamp,
}

/// What a person enters at an item: a review, a change, a proposal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Accept(Option<String>),
    Reject(String),
    Edit(String),
    Picture,
    Skip,
    Quit,
}

const CHOICES: &str = "a VALUE accept what the picture shows · a accept the response's value · r REASON reject · s skip · q quit";

/// Asks until a line is one of the choices, each named by its first letter. The end of input quits.
pub(super) fn ask(input: &mut dyn BufRead, choices: &str, what: &str) -> Result<Choice> {
    loop {
        print(&format!("{choices}\n{what} > "));
        let mut line = String::new();
        let read = input.read_line(&mut line).map_err(|error| Error::Usage(error.to_string()))?;
        if read == 0 {
            return Ok(Choice::Quit);
        }
        let offered = |line: &str| choices.split(" · ").any(|one| line.trim().starts_with(&one[..1]));
        if let Some(choice) = choice(&line).filter(|_| offered(&line)) {
            return Ok(choice);
        }
    }
}

fn choice(line: &str) -> Option<Choice> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "a" | "accept" => Some(Choice::Accept(Some(rest.to_owned()).filter(|rest| !rest.is_empty()))),
        "r" | "reject" => Some(Choice::Reject(rest.to_owned())),
        "e" | "edit" if !rest.is_empty() => Some(Choice::Edit(rest.to_owned())),
        "c" | "crop" if rest.is_empty() => Some(Choice::Picture),
        "s" | "skip" if rest.is_empty() => Some(Choice::Skip),
        "q" | "quit" if rest.is_empty() => Some(Choice::Quit),
        _ => None,
    }
}

/// Steps through the queue. `open` opens a picture and returns whether it could.
pub(super) fn run(desk: &Desk<'_>, input: &mut dyn BufRead, open: &dyn Fn(&Path) -> bool) -> Result<Exit> {
    let store = Store::read(&desk.config.store)?;
    let all = review::waiting(&store)?;
    if all.is_empty() {
        print("nothing to review\n");
    }
    for (number, one) in all.iter().enumerate() {
        print(&format!("\n{} of {}\n", number + 1, count(all.len(), "question")));
        if !question(desk, one, input, open)? {
            break;
        }
    }
    Ok(quarantined(&store.quarantined()))
}

/// Steps through the values of a question. Returns whether to continue with the next question.
fn question(
    desk: &Desk<'_>,
    one: &Waiting,
    input: &mut dyn BufRead,
    open: &dyn Fn(&Path) -> bool,
) -> Result<bool> {
    let id = one.review.question_id.as_str();
    let store = Store::read(&desk.config.store)?;
    let invocation = settings::invocation_of_store(desk.config);
    print_with(Format::Table, &invocation, &ReviewedQuestion { one, store: &store })?;
    for missing in one.review.missing.iter().filter(|missing| missing.accepted.is_none()) {
        let picture =
            missing.crop.as_ref().or(one.review.picture.as_ref()).map(|hash| store.picture_path(hash));
        if let Some(picture) = picture.filter(|picture| !open(picture)) {
            print(&format!("picture: {}\n", picture.display()));
        }
        loop {
            let person =
                |why: &str| Person { by: desk.by.clone(), at: desk.now, why: why.to_owned(), crop: None };
            let judged = match ask(input, CHOICES, &missing.field)? {
                Choice::Quit => return Ok(false),
                Choice::Skip | Choice::Edit(_) | Choice::Picture => break,
                Choice::Accept(value) => {
                    let person = person("accepted in review");
                    let verdict =
                        PersonVerdict { value: value.as_deref(), field: Some(&missing.field), person };
                    let run = CommitRun { id: "review".to_owned(), now: desk.now, by: Some(desk.by.clone()) };
                    let store = Store::open_as_found(&desk.config.store)?;
                    review::accept(&store, id, &verdict, &run).map(|judged| Judgement::accepted(id, &judged))
                }
                Choice::Reject(why) => {
                    let rejected =
                        review::reject(&Store::open_as_found(&desk.config.store)?, id, person(&why));
                    if rejected.is_ok() {
                        print_with(Format::Table, &invocation, &Judgement::rejected(id))?;
                        return Ok(true);
                    }
                    rejected.map(|()| Judgement::rejected(id))
                }
            };
            match judged {
                Ok(judged) => {
                    print_with(Format::Table, &invocation, &judged)?;
                    break;
                }
                // an invalid value is asked for again
                Err(error @ Error::Usage(_)) => complain(&error),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(true)
}

/// Opens a picture in the system's viewer, if there is a display and a viewer.
pub(super) fn open(picture: &Path) -> bool {
    let is_mac = cfg!(target_os = "macos");
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !is_mac && !has_screen {
        return false;
    }
    let mut command = Command::new(if is_mac { "open" } else { "xdg-open" });
    command.arg(picture).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_to_be_done() {
        let accept = |value: &str| Some(Choice::Accept(Some(value.to_owned())));
        assert_eq!(choice("a -0.48\n"), accept("-0.48"));
        assert_eq!(choice(" accept  116th of 145 "), accept("116th of 145"));
        assert_eq!(choice("a"), Some(Choice::Accept(None)));
        assert_eq!(choice("r of another year"), Some(Choice::Reject("of another year".to_owned())));
        assert_eq!((choice("s"), choice("quit")), (Some(Choice::Skip), Some(Choice::Quit)));
        assert_eq!((choice(""), choice("-0.48"), choice("s 3")), (None, None, None));
        // what is not offered is asked for again
        let lines = &mut "r no\ns\n".as_bytes();
        assert_eq!(ask(lines, "a accept · s skip", "x").unwrap(), Choice::Skip);
    }
}
