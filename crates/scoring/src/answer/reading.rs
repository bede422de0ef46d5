//! Reads an answer once, before anything is asked of it: its sentences and its figures.

use super::figures::figure::Figure;
use super::figures::read::figures;
use super::figures::series::alternatives;
use super::line::{Line, lines};
use crate::language::sentence::Sentence;
use crate::language::token::Names;

/// A parsed answer.
pub(crate) struct Answer {
    pub lines: Vec<Line>,
    pub figures: Vec<Figure>,
}

impl Answer {
    /// Reads an answer. `names` are the names of the record's rows.
    pub(crate) fn read(answer: &str, names: &Names, question: Option<&str>) -> Self {
        let mut lines = lines(answer, names);
        if let Some(question) = question {
            alternatives(&Sentence::of(question, names), &mut lines);
        }
        let figures = figures(&lines);
        Self { lines, figures }
    }
}
