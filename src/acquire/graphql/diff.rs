//! Where a live schema differs from the one that the query documents were written for, and what each
//! difference breaks.

use serde::{Deserialize, Serialize};

use super::depends::{Depends, depends};
use super::document::Api;
use super::shape::{FieldShape, Shape, TypeShape};

/// What kind of difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The live schema does not have it.
    Missing,
    /// Only the live schema has it.
    New,
    /// It is of another type.
    Type {
        /// In `graphql/`.
        expected: String,
        /// In the live schema.
        found: String,
    },
}

/// What a difference breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing: it is not used, or the answers can still be read.
    None,
    /// Questions that send this word.
    Word,
    /// The queries that use it.
    Query,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The API.
    pub api: Api,
    /// `Type`, `Type.field`, `Type.field(argument)` or `Enum.value`.
    pub element: String,
    /// How it differs.
    pub change: Change,
    /// What it breaks.
    pub effect: Effect,
    /// Operations whose documents use it.
    pub operations: Vec<String>,
    /// The files of these documents.
    pub documents: Vec<String>,
}

/// All differences, by element.
pub(super) fn diff(api: Api, ours: &Shape, live: &Shape) -> Vec<Difference> {
    let mut found = Found { api, list: Vec::new() };
    for (name, expected) in &ours.types {
        match live.types.get(name) {
            None => found
                .add(name.clone(), Change::Missing, Effect::Query, |depends| depends.types.contains(name)),
            Some(there) if there.kind != expected.kind => {
                let change = Change::Type { expected: expected.kind.clone(), found: there.kind.clone() };
                found.add(name.clone(), change, Effect::Query, |depends| depends.types.contains(name));
            }
            Some(there) => found.types(name, expected, there),
        }
    }
    for name in live.types.keys().filter(|name| !ours.types.contains_key(*name)) {
        found.add(name.clone(), Change::New, Effect::None, |_| false);
    }
    found.list.sort_by(|a, b| a.element.cmp(&b.element));
    found.list
}

struct Found {
    api: Api,
    list: Vec<Difference>,
}

impl Found {
    /// Notes a difference; without a document that uses it, it has no effect.
    fn add(&mut self, element: String, change: Change, effect: Effect, uses: impl Fn(&Depends) -> bool) {
        let users: Vec<_> =
            depends().iter().filter(|(document, needs)| document.api == self.api && uses(needs)).collect();
        self.list.push(Difference {
            api: self.api,
            element,
            change,
            effect: if users.is_empty() { Effect::None } else { effect },
            operations: users.iter().map(|(document, _)| document.name.to_owned()).collect(),
            documents: users.iter().map(|(document, _)| document.file.to_owned()).collect(),
        });
    }

    fn types(&mut self, name: &str, ours: &TypeShape, live: &TypeShape) {
        for (field, expected) in &ours.fields {
            let uses = |depends: &Depends| depends.fields.contains(&(name.to_owned(), field.clone()));
            let element = format!("{name}.{field}");
            match live.fields.get(field) {
                None => self.add(element, Change::Missing, Effect::Query, uses),
                Some(there) => {
                    if there.ty != expected.ty {
                        let effect =
                            if readable(&expected.ty, &there.ty) { Effect::None } else { Effect::Query };
                        let change = Change::Type { expected: expected.ty.clone(), found: there.ty.clone() };
                        self.add(element, change, effect, uses);
                    }
                    self.arguments(name, field, expected, there);
                }
            }
        }
        for field in live.fields.keys().filter(|field| !ours.fields.contains_key(*field)) {
            self.add(format!("{name}.{field}"), Change::New, Effect::None, |_| false);
        }
        for value in ours.values.difference(&live.values) {
            let literal = (name.to_owned(), value.clone());
            let stands = |depends: &Depends| depends.values.contains(&literal);
            let sent = |depends: &Depends| depends.variables.values().any(|ty| ty == name);
            let fixed = depends().iter().any(|(document, needs)| document.api == self.api && stands(needs));
            let element = format!("{name}.{value}");
            if fixed {
                self.add(element, Change::Missing, Effect::Query, stands);
            } else {
                self.add(element, Change::Missing, Effect::Word, sent);
            }
        }
        for value in live.values.difference(&ours.values) {
            self.add(format!("{name}.{value}"), Change::New, Effect::None, |_| false);
        }
        for member in ours.members.difference(&live.members) {
            let uses = |depends: &Depends| depends.types.contains(name) && depends.types.contains(member);
            self.add(format!("{name}.{member}"), Change::Missing, Effect::Query, uses);
        }
        for member in live.members.difference(&ours.members) {
            self.add(format!("{name}.{member}"), Change::New, Effect::None, |_| false);
        }
    }

    fn arguments(&mut self, ty: &str, field: &str, ours: &FieldShape, live: &FieldShape) {
        for (argument, expected) in &ours.arguments {
            let used = (ty.to_owned(), field.to_owned(), argument.clone());
            let element = format!("{ty}.{field}({argument})");
            match live.arguments.get(argument) {
                None => {
                    self.add(element, Change::Missing, Effect::Query, |needs| needs.arguments.contains(&used))
                }
                Some(there) if there.ty != expected.ty => {
                    let change = Change::Type { expected: expected.ty.clone(), found: there.ty.clone() };
                    // what is given without null may be given where null is allowed too
                    let looser = expected.ty.trim_end_matches('!') == there.ty;
                    // nobody who leaves it out is asked for it, unless it is now required
                    let field = (ty.to_owned(), field.to_owned());
                    let uses = |needs: &Depends| {
                        needs.arguments.contains(&used) || (there.required && needs.fields.contains(&field))
                    };
                    self.add(element, change, if looser { Effect::None } else { Effect::Query }, uses);
                }
                Some(_) => {}
            }
        }
        for (argument, there) in &live.arguments {
            if !ours.arguments.contains_key(argument) {
                let field = (ty.to_owned(), field.to_owned());
                let effect = if there.required { Effect::Query } else { Effect::None };
                let uses = |needs: &Depends| there.required && needs.fields.contains(&field);
                self.add(format!("{}.{}({argument})", field.0, field.1), Change::New, effect, uses);
            }
        }
    }
}

/// Whether answers of type `found` can be read as `expected`: nulls are tolerated everywhere, a whole number is
/// a number, an id is a text.
fn readable(expected: &str, found: &str) -> bool {
    let plain = |ty: &str| ty.replace('!', "");
    let (expected, found) = (plain(expected), plain(found));
    let inner = |ty: &str| ty.trim_matches(['[', ']']).to_owned();
    let depth = |ty: &str| ty.matches('[').count();
    depth(&expected) == depth(&found)
        && (inner(&expected) == inner(&found)
            || matches!(
                (inner(&expected).as_str(), inner(&found).as_str()),
                ("Float", "Int") | ("ID", "String" | "Int") | ("String", "ID")
            ))
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
