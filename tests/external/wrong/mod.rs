//! Mistakes as they occur in folders that scripts and people wrote.

mod asks;
mod looks;
mod numbers;
mod places;

use serde_json::Value;

use super::{Draft, Sequence, World};

pub struct Mistake {
    /// The rules one of which finds it.
    pub codes: &'static [&'static str],
    pub what: &'static str,
    pub make: fn(&World, &mut Sequence) -> Vec<Draft>,
}

type Make = fn(&World, &mut Sequence) -> Vec<Draft>;

const fn mistake(codes: &'static [&'static str], what: &'static str, make: Make) -> Mistake {
    Mistake { codes, what, make }
}

/// Both addresses are this one.
fn at(draft: Draft, address: impl Into<String>) -> Vec<Draft> {
    vec![Draft { address: Some(address.into()), ..draft }]
}

/// One key of the first row is another.
fn with(mut draft: Draft, key: &str, value: impl Into<Value>) -> Vec<Draft> {
    draft.rows[0][key] = value.into();
    vec![draft]
}

fn verified(draft: Draft, verification: Value) -> Vec<Draft> {
    vec![Draft { verification: Some(verification), time: Some("2026-02-20T11:02:13Z".into()), ..draft }]
}

/// A row's amount as it is without rounding.
fn raw(draft: &Draft) -> u64 {
    draft.rows[0]["raw_value"].as_u64().unwrap()
}

/// All of them.
pub fn mistakes() -> impl Iterator<Item = &'static Mistake> {
    [places::MISTAKES, numbers::MISTAKES, looks::MISTAKES, asks::MISTAKES].into_iter().flatten()
}
