//! Reads remarks about the value: what narrows it, and context that replaces the question's.

use std::collections::HashSet;

use crate::answer::context::{differs_alone, same_period};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::atlas;
use crate::language::lexicon::Tag;
use crate::language::token::{Kind, Token};
use crate::value::Period;

/// The word that narrows the value: `Only the goods part is counted there.`
pub(crate) fn narrowing<'t>(asked: &Asked<'_>, words: &'t [Token]) -> Option<&'t Token> {
    let narrows = |tag: &Tag| matches!(tag.0, "scope" | "part" | "group") && !asked.allows(*tag);
    let only = words.iter().find(|token| token.listed("exclusive"));
    let sector = |term: &Tag| term.0 == "sector" && !asked.terms.contains(term);
    // The sector `Other` is also a plain word.
    let narrower = |token: &Token| {
        token.tags.iter().any(narrows) || token.folded != "other" && token.terms.iter().any(sector)
    };
    only.filter(|_| words.iter().any(narrower))
}

/// Another context that a line before a bare value states: `I take the question to be about 2016. $2,274`. Lines with figures and
/// the rows of a list state their own.
pub(crate) fn announced_otherwise(asked: &Asked<'_>, before: &[Line]) -> Option<String> {
    let is_remark = |line: &&Line| {
        let passage = &line.passage;
        let has_figure = line.sentence.tokens.iter().any(|token| token.number().is_some());
        !(has_figure || passage.cell || passage.item || passage.keyed)
    };
    let tokens = before.iter().filter(is_remark).flat_map(|line| uncompared(&line.sentence.tokens));
    let is_other = |token: &&Token| match token.kind {
        Kind::Country(_) | Kind::Product(_) => differs_alone(asked, token),
        Kind::Period(_) => !asked.is_change() && differs_alone(asked, token),
        _ => false,
    };
    let other = tokens.into_iter().find(is_other).filter(|_| asked.rows == 1)?;
    Some(format!("a line before it is about \"{}\"", other.folded))
}

/// A remark that states another context, if no sentence states the question's: `169. That is what Tanzania exports.`, `Services.
/// In 2014 they held more.`, `| Year | 2021 |`.
pub(crate) fn filled_otherwise(asked: &Asked<'_>, lines: &[Line], own: &HashSet<usize>) -> Option<String> {
    let remarks = Remarks::of(asked, lines, own);
    remarks
        .of_another_country()
        .or_else(|| remarks.of_another_period())
        .or_else(|| remarks.of_another(&["flow"]))
        .or_else(|| remarks.of_another(&["metric", "thing"]))
}

/// The sentences about the value, without objects of comparison.
struct Remarks<'a> {
    asked: &'a Asked<'a>,
    remarks: Vec<(&'a Line, &'a [Token])>,
    /// All tokens of the answer.
    everything: Vec<&'a Token>,
}

impl<'a> Remarks<'a> {
    fn of(asked: &'a Asked<'a>, lines: &'a [Line], own: &HashSet<usize>) -> Self {
        let is_remark = |(at, line): &(usize, &Line)| {
            let first = line.sentence.tokens.iter().find(|token| token.kind == Kind::Words);
            let points = first.is_some_and(|first| first.listed("begins_remark"));
            let offers = line.sentence.tokens.iter().any(|token| token.operator("free"));
            // `Driver: a lack of diversification of exports` describes another row.
            let is_labelled = asked.rows > 1 && line.passage.keyed;
            !line.sentence.question && (!own.contains(at) || points) && !offers && !is_labelled
        };
        let remarks = lines.iter().enumerate().filter(is_remark);
        let sentences =
            lines.iter().flat_map(|line| line.heads.iter().chain(&line.headings).chain([&line.sentence]));
        Self {
            asked,
            remarks: remarks.map(|(_, line)| (line, uncompared(&line.sentence.tokens))).collect(),
            everything: sentences.flat_map(|sentence| &sentence.tokens).collect(),
        }
    }

    /// A different part of the context in a remark, if no token states the requested part. `cells`: whether table cells count.
    fn otherwise(
        &self,
        same: impl Fn(&Token) -> bool,
        other: impl Fn(&Token) -> bool,
        cells: bool,
    ) -> Option<String> {
        let counted = self.remarks.iter().filter(|(line, _)| cells || !line.passage.cell);
        let found = counted.flat_map(|(_, tokens)| *tokens).find(|token| other(token))?;
        (!self.everything.iter().any(|token| same(token)))
            .then(|| format!("it is about \"{}\", not about the question's subject", found.folded))
    }

    fn of_another_country(&self) -> Option<String> {
        let asked = self.asked;
        let answers_a_place = asked.one.names.iter().any(|name| atlas::lookup(name).is_some());
        let own = asked.country.filter(|_| !answers_a_place)?;
        let is_other = |token: &Token| {
            matches!(token.kind, Kind::Country(id)
                if id != own && asked.partner != Some(id) && !asked.places.contains(&id))
        };
        self.otherwise(|token| token.kind == Kind::Country(own), is_other, true)
    }

    fn of_another_period(&self) -> Option<String> {
        let asked = self.asked;
        let own = asked.context.period;
        if own.is_none() && asked.periods.is_empty() {
            return None;
        }
        let fits = |period: Period| {
            same_period(asked, period)
                || asked.periods.contains(&period)
                || own.is_some_and(|own| own.start <= period.start && period.end <= own.end)
        };
        let says = |token: &Token, fitting: bool| matches!(token.kind, Kind::Period(period) if fits(period) == fitting);
        self.otherwise(|token| says(token, true), |token| says(token, false), true)
    }

    fn of_another(&self, kinds: &[&str]) -> Option<String> {
        let asked = self.asked;
        let tags = |token: &Token| -> Vec<Tag> {
            token.tags.iter().filter(|(kind, _)| kinds.contains(kind)).copied().collect()
        };
        let is_other = |token: &Token| {
            let tags = tags(token);
            let is_allowed = |tag: &Tag| asked.allows(*tag) || asked.siblings.contains(tag);
            token.terms.is_empty()
                && !tags.is_empty()
                && !tags.iter().any(is_allowed)
                && !asked.knows(&token.folded)
        };
        self.otherwise(|token| tags(token).iter().any(|tag| asked.allows(*tag)), is_other, false)
    }
}

/// A sentence up to the object of its comparison.
fn uncompared(tokens: &[Token]) -> &[Token] {
    let ends = |token: &Token| {
        token.operator("comparison")
            || token.folded.ends_with("than")
            || token.mark(';')
            || token.role("clause")
            || matches!(token.folded.as_str(), "given" | "given that")
    };
    let end = tokens.iter().position(ends).unwrap_or(tokens.len());
    tokens.get(..end).unwrap_or_default()
}
