//! Reads an answer once, before anything is asked of it: its sentences and its figures.

use super::figures::figure::Figure;
use super::figures::read::figures;
use super::figures::series::alternatives;
use super::line::{Line, lines};
use super::verdict::{Extra, PointScore};
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Names};

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
    /// The figures that no point uses.
    pub(crate) fn figures_beside(&self, points: &[PointScore]) -> Vec<Extra> {
        let is_used = |shown: &str| points.iter().any(|point| point.value.as_deref() == Some(shown));
        let own = self.figures.iter().filter(|figure| figure.counted.is_none());
        own.filter(|figure| !is_used(figure.shown(&self.lines)))
            .map(|figure| Extra {
                value: figure.shown(&self.lines).to_owned(),
                sentence: self
                    .lines
                    .get(figure.line)
                    .map(|line| line.passage.text.clone())
                    .unwrap_or_default(),
            })
            .collect()
    }

    /// The distinct countries that it names, by M49 code, in order.
    pub(crate) fn countries(&self) -> Vec<String> {
        let mut countries: Vec<String> = Vec::new();
        for token in self.lines.iter().flat_map(|line| &line.sentence.tokens) {
            if let Kind::Country(id) = token.kind {
                let code = id.code().to_string();
                if !countries.contains(&code) {
                    countries.push(code);
                }
            }
        }
        countries
    }
}
