//! What a number or term of an answer is said of, and how it is meant.

use std::ops::Range;

use super::assign::Attachment;
use super::sentence::Number;
use crate::atlas::CountryId;
use crate::value::{Basis, Classification, Flow, Period, Scope, Statistic};

/// A product that a number is said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProductRef {
    /// An expected row.
    Row(usize),
    /// A product of the vocabulary, by code.
    Code(&'static str),
}

/// What a statement is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct StatementContext {
    pub country: Option<(CountryId, Attachment)>,
    pub partner: Option<CountryId>,
    pub year: Option<(Period, Attachment)>,
    pub classification: Option<(Classification, Attachment)>,
    pub scope: Option<Scope>,
    pub flow: Option<Flow>,
    pub basis: Option<Basis>,
    pub thing: Option<ProductRef>,
}

/// How a statement is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stance {
    pub denied: bool,
    pub hedged: bool,
    /// It is the value before a change, or one that another source gives.
    pub beside: bool,
    /// What is said is compared with it: "higher than Kenya's $2,274".
    pub compared: bool,
}

/// A bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    More,
    Less,
}

/// A number in an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mention {
    /// Index of the sentence.
    pub passage: usize,
    pub number: Number,
    /// The upper end, when it is a range.
    pub upper: Option<Number>,
    pub metrics: Vec<&'static str>,
    pub modifiers: Vec<&'static str>,
    pub about: StatementContext,
    pub stance: Stance,
    pub approximate: bool,
    pub bound: Option<Bound>,
    /// The verb beside it: `true` for up.
    pub direction: Option<bool>,
    /// "by" stands before it.
    pub by: bool,
    /// "to" stands before it.
    pub to: bool,
    pub statistic: Option<Statistic>,
    /// Words about rank stand before it.
    pub ranked: bool,
    /// A plain noun follows the bare number.
    pub counts: bool,
}

impl Mention {
    /// Where it stands in its sentence.
    pub(super) fn place(&self) -> Range<usize> {
        self.number.range.start..self.upper.as_ref().map_or(self.number.range.end, |upper| upper.range.end)
    }
}
