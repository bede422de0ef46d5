//! Reads an answer once, before anything is asked of it: its sentences and its figures.

use super::figures::figure::Figure;
use super::figures::read::figures;
use super::line::{Line, lines};
use super::point::{Extra, PointScore};
use crate::language::numerals::addresses;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Names, Token};

/// A parsed answer.
pub(crate) struct Answer {
    pub lines: Vec<Line>,
    pub figures: Vec<Figure>,
    /// The web addresses in it.
    pub addresses: Vec<String>,
}

impl Answer {
    /// Reads an answer. `names` are the names of the record's rows.
    pub(crate) fn read(answer: &str, names: &Names, question: Option<&str>) -> Self {
        let addresses = addresses(answer);
        let mut lines = lines(answer, names);
        if let Some(question) = question {
            alternatives(&Sentence::of(question, names), &mut lines);
        }
        let figures = figures(&lines);
        Self { lines, figures, addresses }
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

/// Replaces `the former` and `the latter` by the question's two options, unless the answer names them first: `Do minerals or
/// services …? The latter.`
fn alternatives(question: &Sentence, lines: &mut [Line]) {
    let is_name = |token: &&Token| {
        token.is_name()
            || !token.terms.is_empty()
            || ["scope", "direction"].iter().any(|kind| token.tagged(kind))
    };
    let mut ors = (0..question.tokens.len())
        .filter(|at| question.tokens.get(*at).is_some_and(|token| token.folded == "or"));
    let (Some(or), None) = (ors.next(), ors.next()) else { return };
    let (before, behind) = question.tokens.split_at(or);
    let (Some(first), Some(second)) = (before.iter().rev().find(is_name), behind.iter().find(is_name)) else {
        return;
    };
    for line in lines {
        for token in &mut line.sentence.tokens {
            if token.kind == first.kind && token.folded == first.folded || token.folded == second.folded {
                return;
            }
            let named = match token.folded.as_str() {
                "the former" | "former" => first,
                "the latter" | "latter" => second,
                _ => continue,
            };
            *token = Token { range: token.range.clone(), depth: token.depth, ..named.clone() };
        }
    }
}
