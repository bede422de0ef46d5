//! Conversion of codes between classifications, revision by revision.

use super::super::arguments::text;
use super::super::value::Value;
use super::ExploreRoot;
use crate::data::class::Class;
use crate::data::listing::Listing;
use apollo_compiler::resolvers::ResolveInfo;
use std::collections::BTreeSet;

/// All classifications, in conversion order.
const CHAIN: [&str; 10] = [
    "SITC1962", "SITC1976", "SITC1988", "HS1992", "HS1997", "HS2002", "HS2007", "HS2012", "HS2017", "HS2022",
];
/// The steps at which codes change: from SITC to the Harmonized System, and where headings of 1992 were dropped.
const TO_HS: usize = 2;
const DROPPED: usize = 6;

impl ExploreRoot {
    pub(super) fn conversion_path(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        self.walk(info, "sourceCode", "sourceClassification", "targetClassification", false)
    }

    /// The same path, from the target back to its sources.
    pub(super) fn conversion_sources(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        self.walk(info, "targetCode", "targetClassification", "sourceClassification", true)
    }

    /// The steps between two classifications in path order. A step without codes changes none.
    fn walk(
        &self,
        info: &ResolveInfo<'_>,
        code: &str,
        from: &str,
        to: &str,
        back: bool,
    ) -> Result<Value, String> {
        let place = |name: &str| CHAIN.iter().position(|other| Some(*other) == text(info, name));
        let (Some(from), Some(to)) = (place(from), place(to)) else { return Ok(Value::List(Vec::new())) };
        let mut codes = BTreeSet::from([text(info, code).unwrap_or_default().to_owned()]);
        let mut steps = Vec::new();
        let mut at = from;
        while at != to {
            let next = if to > at { at + 1 } else { at - 1 };
            let mut pairs = Vec::new();
            let mut reached = BTreeSet::new();
            for code in &codes {
                let found = self.step(code, at, next)?;
                let changed = !found.is_empty() && found != [code.clone()];
                if changed {
                    pairs.push((code.clone(), found.clone()));
                    reached.extend(found);
                } else {
                    reached.insert(code.clone());
                }
            }
            steps.push(if back { step_back(at, next, &pairs) } else { step_on(at, next, &pairs) });
            codes = reached;
            at = next;
        }
        if back {
            steps.reverse();
        }
        Ok(Value::List(steps))
    }

    /// What a four-digit code becomes; empty if it is unchanged or unknown.
    fn step(&self, code: &str, from: usize, to: usize) -> Result<Vec<String>, String> {
        let products = &self.world.catalogue.products;
        let goods = |listing: &Listing, code: &str| -> Vec<usize> {
            let line = listing.headings.iter().find(|line| line.code == code && !line.service);
            line.map_or_else(Vec::new, |line| line.parts.iter().map(|part| part.at).collect())
        };
        let (sitc, hs92, hs12) =
            (self.listing(Class::Sitc)?, self.listing(Class::Hs92)?, self.listing(Class::Hs12)?);
        Ok(match (from, to) {
            (TO_HS, at) if at > TO_HS => {
                goods(sitc, code).into_iter().map(|at| products[at].code.clone()).collect()
            }
            (at, TO_HS) if at > TO_HS => match goods(hs92, code).first() {
                Some(own) => {
                    let holds =
                        sitc.headings.iter().filter(|line| line.parts.iter().any(|part| part.at == *own));
                    holds.map(|line| line.code.clone()).collect()
                }
                None => Vec::new(),
            },
            (DROPPED, at) if at > DROPPED => match goods(hs92, code).first() {
                Some(own) if goods(hs12, code).is_empty() => successor(hs92, hs12, *own),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        })
    }
}

/// The successor of a dropped heading: the nearest remaining one of its chapter, and the earlier one of two equally
/// near.
fn successor(hs92: &Listing, hs12: &Listing, dropped: usize) -> Vec<String> {
    let group = hs92.headings[dropped].parent;
    let stayed = hs12.headings.iter().filter(|line| line.parent == group);
    let nearest = stayed.min_by_key(|line| line.parts[0].at.abs_diff(dropped));
    nearest.map(|line| line.code.clone()).into_iter().collect()
}

fn step_on(from: usize, to: usize, pairs: &[(String, Vec<String>)]) -> Value {
    let codes = pairs.iter().map(|(source, targets)| (source.clone(), targets.clone())).collect();
    step_object(CHAIN[from], CHAIN[to], codes)
}

/// A step computed from its target: every source with its target.
fn step_back(target: usize, source: usize, pairs: &[(String, Vec<String>)]) -> Value {
    let turned = pairs.iter().flat_map(|(target, sources)| {
        sources.iter().map(move |source| (source.clone(), vec![target.clone()]))
    });
    step_object(CHAIN[source], CHAIN[target], turned.collect())
}

fn step_object(from: &'static str, to: &'static str, codes: Vec<(String, Vec<String>)>) -> Value {
    let codes = codes.into_iter().map(|(source, targets)| {
        Value::object("ConversionCodes", vec![("sourceCode", source.into()), ("targetCodes", targets.into())])
    });
    Value::object(
        "ConversionClassifications",
        vec![
            ("fromClassification", from.into()),
            ("toClassification", to.into()),
            ("codes", Value::List(codes.collect())),
        ],
    )
}
