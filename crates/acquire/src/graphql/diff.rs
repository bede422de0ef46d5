//! Compares a live schema with the one the query documents were written for, and determines what each difference
//! breaks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Needs, QueryDocument, documents};
use super::elements::{Element, Elements};
use crate::atlas::{Api, ChangedField};

/// How an element differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchemaChange {
    /// Missing from the live schema.
    Missing,
    /// Only in the live schema.
    New,
    /// It has another type.
    Type {
        /// Type in the schema under `graphql/`.
        expected: String,
        /// Type in the live schema.
        found: String,
    },
}

/// What a difference breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing: the element is unused, or answers can still be read.
    None,
    /// Questions that send this enum value.
    Word,
    /// The queries that use the element.
    Query,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The API.
    pub api: Api,
    /// `Type`, `Type.field`, `Type.field(argument)` or `Enum.value`.
    pub element: String,
    /// How it differs.
    pub change: SchemaChange,
    /// What it breaks.
    pub effect: Effect,
    /// Operations whose documents use it.
    pub operations: Vec<String>,
    /// The files of those documents.
    pub documents: Vec<String>,
}

/// All differences, sorted by element. The parts of an element that is missing, new or of another kind are not listed.
pub(super) fn diff(api: Api, ours: &Elements, live: &Elements) -> Vec<Difference> {
    let mut found = Vec::new();
    let in_both = |element: &Element| {
        let both = |parent: Element| match (ours.get(&parent), live.get(&parent)) {
            (Some(our), Some(their)) => !matches!(parent, Element::Type(_)) || our.ty == their.ty,
            _ => false,
        };
        element.parent().is_none_or(both)
    };
    for (element, our) in ours.iter().filter(|(element, _)| in_both(element)) {
        match live.get(element) {
            None => found.push(missing(api, element)),
            Some(their) if our.ty != their.ty => {
                let change = SchemaChange::Type { expected: our.ty.clone(), found: their.ty.clone() };
                let harmless = match element {
                    Element::Field(..) => is_readable_as(&our.ty, &their.ty),
                    // A value that is never null also fits where null is allowed.
                    Element::Argument(..) => our.ty.trim_end_matches('!') == their.ty,
                    _ => false,
                };
                let effect = if harmless { Effect::None } else { Effect::Query };
                // A query without the argument breaks only when the argument becomes required.
                let uses = |needs: &Needs| {
                    let of = element.parent().filter(|_| their.required);
                    needs.elements.contains(element)
                        || of.is_some_and(|field| needs.elements.contains(&field))
                };
                found.push(difference(api, element, change, effect, uses));
            }
            Some(_) => {}
        }
    }
    for (element, their) in live.iter().filter(|(element, _)| !ours.contains_key(element) && in_both(element))
    {
        let of = element.parent().filter(|_| their.required);
        let uses = |needs: &Needs| of.as_ref().is_some_and(|field| needs.elements.contains(field));
        found.push(difference(api, element, SchemaChange::New, Effect::Query, uses));
    }
    found.sort_by(|a, b| a.element.cmp(&b.element));
    found
}

/// Fields that only one of the schemas has, of types that both have.
pub(super) fn changed_fields(ours: &Elements, live: &Elements) -> Vec<ChangedField> {
    let only = |one: &Elements, other: &Elements, is_new: bool| -> Vec<ChangedField> {
        let changed = one.iter().filter_map(|(element, nature)| match element {
            Element::Field(owner, field)
                if !other.contains_key(element) && other.contains_key(&Element::Type(owner.clone())) =>
            {
                let (owner, field, of) = (owner.clone(), field.clone(), nature.ty.clone());
                Some(ChangedField { owner, field, of, is_new })
            }
            _ => None,
        });
        changed.collect()
    };
    let mut changed = only(ours, live, false);
    changed.extend(only(live, ours, true));
    changed
}

fn missing(api: Api, element: &Element) -> Difference {
    let named = |needs: &Needs| needs.elements.contains(element);
    match element {
        Element::Value(ty, _)
            if !documents().iter().any(|document| document.api == api && named(&document.needs)) =>
        {
            let sent = |needs: &Needs| needs.variables.keys().any(|name| needs.type_of(name) == Some(ty));
            difference(api, element, SchemaChange::Missing, Effect::Word, sent)
        }
        Element::Member(union, member) => {
            let [union, member] = [union, member].map(|ty| Element::Type(ty.clone()));
            let both = |needs: &Needs| needs.elements.contains(&union) && needs.elements.contains(&member);
            difference(api, element, SchemaChange::Missing, Effect::Query, both)
        }
        _ => difference(api, element, SchemaChange::Missing, Effect::Query, named),
    }
}

/// A difference. It has no effect unless a document uses the element.
fn difference(
    api: Api,
    element: &Element,
    change: SchemaChange,
    effect: Effect,
    uses: impl Fn(&Needs) -> bool,
) -> Difference {
    let users: Vec<&QueryDocument> =
        documents().iter().filter(|document| document.api == api && uses(&document.needs)).collect();
    Difference {
        api,
        element: element.to_string(),
        change,
        effect: if users.is_empty() { Effect::None } else { effect },
        operations: users.iter().map(|document| document.name.to_owned()).collect(),
        documents: users.iter().map(|document| document.file.to_owned()).collect(),
    }
}

/// Whether answers of type `found` can be read as `expected`: null is accepted everywhere, an integer is a number, an
/// id is a string.
fn is_readable_as(expected: &str, found: &str) -> bool {
    let plain = |ty: &str| ty.replace(['!', '[', ']'], "");
    let depth = |ty: &str| ty.matches('[').count();
    let (inner, found_inner) = (plain(expected), plain(found));
    depth(expected) == depth(found)
        && (inner == found_inner
            || matches!(
                (inner.as_str(), found_inner.as_str()),
                ("Float", "Int") | ("ID", "String" | "Int") | ("String", "ID")
            ))
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
