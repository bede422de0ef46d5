//! The report of a command that does one thing.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Doc, Invocation, Report};
use crate::error::Exit;

/// What a command did, and to what.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ActionReport {
    /// What was done, in words.
    pub done: String,
    /// To and with what: `run`, `question_id`, `file`.
    pub with: BTreeMap<&'static str, String>,
    /// What to do next, with the command.
    #[serde(skip)]
    pub next: Vec<(&'static str, String)>,
    /// The exit code, if it is not 0.
    #[serde(skip)]
    pub exit: Option<Exit>,
}

impl ActionReport {
    /// The report of an action.
    pub fn new<const N: usize>(done: String, with: [(&'static str, String); N]) -> Self {
        Self { done, with: with.into(), ..Self::default() }
    }
}

impl Report for ActionReport {
    const NAME: &'static str = "action";

    fn exit(&self) -> Exit {
        self.exit.unwrap_or(Exit::Ok)
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Done");
        doc.sum(self.done.as_str());
        self.next.iter().for_each(|(what, command)| doc.next(what, command));
        doc
    }
}
