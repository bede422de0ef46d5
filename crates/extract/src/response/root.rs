//! A root field of a request with its part of the response: values by paths of schema names, whatever the query's aliases.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::datum::{Datum, ResponseError, number};
use super::failed::PageResponse;
use super::unread::{Lack, Lacking, Unread};
use crate::manifest::spec::Renamed;
use apollo_compiler::Node;
use apollo_compiler::ast::{Field, FragmentDefinition, Selection};

/// A root field of a request, with its part of the response.
#[derive(Debug)]
pub struct Root<'a> {
    /// The name in the schema.
    pub field: String,
    /// The arguments as plain text, with variables resolved.
    pub args: BTreeMap<String, String>,
    pub(super) response: Rc<PageResponse<'a>>,
    pub(super) key: String,
    pub(super) selection: Vec<Selection>,
    pub(super) fragments: Rc<BTreeMap<String, Node<FragmentDefinition>>>,
    pub(super) renamed: Rc<[Renamed]>,
    /// Whether the query is our own. Its response uses the known names of renamed fields.
    pub(super) is_ours: bool,
    /// Paths that were looked up but not requested by the query.
    pub(super) missed: RefCell<BTreeSet<String>>,
    pub(super) unread: Unread,
}

impl<'a> Root<'a> {
    /// The data; null if the server sent none, or the response was cut off.
    #[must_use]
    pub fn data(&self) -> &Datum<'a> {
        let data = &self.response.body().data;
        self.looked_at(if data.is_null() { data } else { data.get(&self.key).unwrap_or(Datum::NULL) })
    }

    /// The errors of this field, with schema names.
    #[must_use]
    pub fn errors(&self) -> Lacking {
        if !self.response.may_fail() {
            return Lacking::new();
        }
        let failed = self.response.body().failed.iter();
        let own = failed.filter(|failed| failed.path.first().is_none_or(|first| *first == self.key));
        own.map(|failed| self.error(failed)).collect()
    }

    /// The value at a path of schema names, `latestGdp.quantity`, regardless of aliases.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Datum<'a>> {
        self.at(self.data(), &self.keys(path)?)
    }

    /// The rows of a list, without nulls.
    pub fn rows(&self) -> impl Iterator<Item = &Datum<'a>> {
        self.data().items().iter().filter(|row| {
            if row.is_null() && !matches!(row, Datum::Failed(_)) {
                self.lacks("*", "a row is null");
            }
            !self.looked_at(row).is_null()
        })
    }

    /// Where lookups report problems.
    pub(crate) const fn unread(&self) -> &Unread {
        &self.unread
    }

    /// Reports why a path below this field cannot be read.
    pub fn lacks(&self, path: &str, why: &str) {
        self.unread.note(format!("{}.{path}", self.field), why);
    }

    /// Whether it has any number besides years and levels. If it has none, a null means an empty
    /// response, not an absence.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        fn any(of: &Datum<'_>) -> bool {
            match of {
                Datum::List(items) => items.iter().any(any),
                Datum::Object(members) => members
                    .iter()
                    .any(|(name, value)| !matches!(name.as_ref(), "year" | "productLevel") && any(value)),
                value => number(value).is_some(),
            }
        }
        any(self.data())
    }

    /// Looks at a value, and reports its error if it has one.
    fn looked_at<'s, 'd>(&self, data: &'s Datum<'d>) -> &'s Datum<'d> {
        if let Datum::Failed(failed) = data {
            self.unread.leave(self.error(failed));
        }
        data
    }

    /// Looks at a value with all its parts, and reports their errors.
    fn looked_at_all<'s, 'd>(&self, data: &'s Datum<'d>) -> &'s Datum<'d> {
        match data {
            Datum::List(items) => items.iter().for_each(|item| _ = self.looked_at_all(item)),
            Datum::Object(members) => members.iter().for_each(|(_, value)| _ = self.looked_at_all(value)),
            _ => {}
        }
        self.looked_at(data)
    }

    /// An error with schema names: `treeMap.*.exportValue: no`.
    fn error(&self, failed: &ResponseError) -> Lack {
        let mut selection = self.selection.as_slice();
        let mut path = self.field.clone();
        for step in failed.path.iter().skip(1) {
            path.push('.');
            if step.bytes().all(|byte| byte.is_ascii_digit()) {
                path.push('*');
                continue;
            }
            let field = self.answered_by(selection, step);
            path.push_str(field.map_or(step.as_str(), |field| field.name.as_str()));
            selection = field.map(|field| field.selection_set.as_slice()).unwrap_or_default();
        }
        Lack { place: path, why: failed.message.to_string() }
    }

    /// The response keys for a path of schema names; none if the query does not request it.
    #[must_use]
    pub fn keys(&self, path: &str) -> Option<Vec<String>> {
        let mut selection = self.selection.as_slice();
        let mut keys = Vec::new();
        let mut end = 0;
        for name in path.split('.') {
            end += name.len();
            let below = &path[..end];
            let is_now = |renamed: &&Renamed| renamed.field == self.field && renamed.path == below;
            let mut others = self.renamed.iter().filter(is_now).map(|renamed| renamed.now.as_str());
            let field =
                self.select(selection, name).or_else(|| others.find_map(|name| self.select(selection, name)));
            let Some(field) = field else {
                self.missed.borrow_mut().insert(below.to_owned());
                return None;
            };
            keys.push(field.response_name().to_string());
            selection = &field.selection_set;
            end += 1;
        }
        Some(keys)
    }

    /// The requested scalar paths, with the query's names.
    #[must_use]
    pub fn asked(&self) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        self.asked_below(&self.selection, "", &mut paths);
        paths
    }

    fn asked_below(&self, selection: &[Selection], above: &str, paths: &mut BTreeSet<String>) {
        for selection in selection {
            match selection {
                Selection::Field(field) if field.selection_set.is_empty() => {
                    paths.insert(format!("{above}{}", field.name));
                }
                Selection::Field(field) => {
                    self.asked_below(&field.selection_set, &format!("{above}{}.", field.name), paths);
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = self.fragments.get(spread.fragment_name.as_str());
                    let fields = fragment.map(|fragment| fragment.selection_set.as_slice());
                    self.asked_below(fields.unwrap_or_default(), above, paths);
                }
                Selection::InlineFragment(fragment) => {
                    self.asked_below(&fragment.selection_set, above, paths);
                }
            }
        }
    }

    /// The value at some keys below a row; none if it has an error. Every lookup in a response goes
    /// through here, and reports errors in the value or its parts as [unread](Exchanges::unread).
    #[must_use]
    pub fn at<'s, 'd>(&self, data: &'s Datum<'d>, keys: &[String]) -> Option<&'s Datum<'d>> {
        let below = |data: &'s Datum<'d>, key: &String| match data {
            Datum::Failed(_) => Some(data),
            data => data.get(key),
        };
        let found = keys.iter().try_fold(data, below).map(|found| self.looked_at_all(found));
        found.filter(|found| !matches!(found, Datum::Failed(_)))
    }

    fn select<'s>(&'s self, selection: &'s [Selection], name: &str) -> Option<&'s Node<Field>> {
        self.find(selection, &|field| field.name == name || self.is_ours && *field.response_name() == name)
    }

    /// The field with this response key.
    fn answered_by<'s>(&'s self, selection: &'s [Selection], key: &str) -> Option<&'s Node<Field>> {
        self.find(selection, &|field| field.response_name() == key)
    }

    fn find<'s>(
        &'s self,
        selection: &'s [Selection],
        is: &dyn Fn(&Node<Field>) -> bool,
    ) -> Option<&'s Node<Field>> {
        selection.iter().find_map(|selection| match selection {
            Selection::Field(field) => is(field).then_some(field),
            Selection::FragmentSpread(spread) => {
                let fragment = self.fragments.get(spread.fragment_name.as_str())?;
                self.find(&fragment.selection_set, is)
            }
            Selection::InlineFragment(fragment) => self.find(&fragment.selection_set, is),
        })
    }
}
