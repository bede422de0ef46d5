//! The page's own GraphQL requests and responses. Fields are found by schema name, not by alias.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::datum::{Datum, number};
use super::failed::{PageResponse, ResponseBody, ResponseError};
use super::request::roots;
use super::unread::{Lack, Lacking, Unread};
use crate::capture::Exchange;
use crate::manifest::spec::Renamed;
use apollo_compiler::Node;
use apollo_compiler::ast::{Field, FragmentDefinition, Selection};

/// All root fields of all responses of a capture.
#[derive(Debug, Default)]
pub struct Exchanges<'a> {
    roots: Vec<Root<'a>>,
    unread: Unread,
}

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

/// Parses all responses, for a capture that is read many times.
#[must_use]
pub fn bodies(exchanges: &[Exchange]) -> Vec<ResponseBody<'_>> {
    exchanges.iter().map(|exchange| ResponseBody::read(&exchange.response)).collect()
}

impl<'a> Exchanges<'a> {
    /// Reads the requests. Non-GraphQL requests are skipped. Renamed fields are found by their
    /// known names.
    #[must_use]
    pub fn read(exchanges: &'a [Exchange], renamed: &[Renamed]) -> Self {
        Self::read_known(exchanges, &[], renamed)
    }

    /// Reads the responses to our own queries.
    #[must_use]
    pub fn read_ours(answers: &'a [Exchange], renamed: &[Renamed]) -> Self {
        let mut ours = Self::read(answers, renamed);
        ours.roots.iter_mut().for_each(|root| root.is_ours = true);
        ours
    }

    /// Like [`Exchanges::read`], with some bodies already parsed, in the same order.
    #[must_use]
    pub(crate) fn read_known(
        exchanges: &'a [Exchange],
        bodies: &'a [ResponseBody<'a>],
        renamed: &[Renamed],
    ) -> Self {
        let (renamed, unread): (Rc<[Renamed]>, _) = (renamed.into(), Unread::default());
        let bodies = bodies.iter().map(Some).chain(std::iter::repeat(None));
        let roots =
            exchanges.iter().zip(bodies).filter_map(|(one, body)| roots(one, body, &renamed, &unread));
        let mut all = Self { roots: roots.flatten().collect(), unread };
        all.leave_out_repeated();
        all
    }

    /// Drops failed responses that a later one repeats successfully.
    fn leave_out_repeated(&mut self) {
        let is_better = |one: &Root<'_>, other: &Root<'_>| {
            other.field == one.field
                && other.args == one.args
                && other.errors().is_empty()
                && one.asked().is_subset(&other.asked())
        };
        let is_kept =
            |one: &Root<'_>| one.errors().is_empty() || !self.roots.iter().any(|other| is_better(one, other));
        let kept: Vec<bool> = self.roots.iter().map(is_kept).collect();
        let mut kept = kept.into_iter();
        self.roots.retain(|_| kept.next().unwrap_or(true));
    }

    /// The problems found by lookups so far.
    pub const fn unread(&self) -> &Unread {
        &self.unread
    }

    /// The errors of the root fields that `keep` selects, with schema names:
    /// `treeMap.*.exportValue: no`.
    pub fn errors(&self, keep: impl Fn(&Root<'a>) -> bool) -> Lacking {
        self.roots.iter().filter(|root| keep(root)).flat_map(Root::errors).collect()
    }

    /// The fields that were looked up but not requested by the queries, by root field and path.
    #[must_use]
    pub fn missed(&self) -> BTreeSet<(String, String)> {
        let of_root = |root: &Root<'_>| {
            let paths = root.missed.borrow().clone();
            paths.into_iter().map(|path| (root.field.clone(), path)).collect::<Vec<_>>()
        };
        self.roots.iter().flat_map(of_root).collect()
    }

    /// These responses, followed by others. If both hold a field, these take precedence. Failed
    /// responses of the others are dropped if these hold the field.
    #[must_use]
    pub fn before(mut self, mut others: Self) -> Self {
        others.roots.retain(|root| root.errors().is_empty() || self.named(&root.field).next().is_none());
        others.roots.iter_mut().for_each(|root| root.unread = self.unread.clone());
        self.roots.extend(others.roots);
        self
    }

    /// Drops root fields.
    pub fn retain(&mut self, keep: impl FnMut(&Root<'a>) -> bool) {
        self.roots.retain(keep);
    }

    /// All root fields, in the order sent.
    pub fn iter(&self) -> impl Iterator<Item = &Root<'a>> {
        self.roots.iter()
    }

    /// The root fields with this name.
    pub fn named<'s>(&'s self, field: &'s str) -> impl Iterator<Item = &'s Root<'a>> {
        self.roots.iter().filter(move |root| root.field == field)
    }
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

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    fn exchange(request: &Json, response: &Json) -> Exchange {
        Exchange {
            url: "http://site/api/countries/graphql".into(),
            request: request.to_string(),
            status: 200,
            response: response.to_string(),
        }
    }

    #[test]
    fn fields_are_found_through_aliases_variables_and_fragments() {
        let request = serde_json::json!({
            "operationName": "Q",
            "variables": {"id": "location-404"},
            "query": "fragment F on CountryProfile { gdp: latestGdpPerCapita { n: quantity } } \
                      query Q($id: ID!, $r: LookBackYearRange = FiveYears) { data: countryProfile(location: $id) { ...F } \
                      l: countryLookback(id: $id, yearRange: $r) { eciRankChange } }",
        });
        let response = serde_json::json!({
            "data": {"data": {"gdp": {"n": 2274}}, "l": null},
            "errors": [{"message": "no", "path": ["l"]}],
        });
        let sent = [exchange(&request, &response)];
        let exchanges = Exchanges::read(&sent, &[]);
        let profile = exchanges.named("countryProfile").next().unwrap();
        assert_eq!(profile.args["location"], "location-404");
        assert_eq!(profile.get("latestGdpPerCapita.quantity").and_then(number), Some(2274.into()));
        assert_eq!(profile.get("latestGdpPerCapita.year"), None, "not asked for");
        assert!(profile.errors().is_empty());
        let lookback = exchanges.named("countryLookback").next().unwrap();
        assert_eq!(lookback.args["yearRange"], "FiveYears");
        assert_eq!(
            lookback.errors().iter().map(Lack::to_string).collect::<Vec<_>>(),
            ["countryLookback: no"]
        );
    }

    #[test]
    fn a_renamed_field_is_found_by_its_old_name_and_one_that_is_not_there_is_named() {
        let request = serde_json::json!({
            "query": "fragment F on P { code pciNow } \
                      { treeMap(facet: CPY_C) { product { ...F } worth } countryProfile(location: \"l\") { worth } }",
        });
        let response = serde_json::json!({
            "data": {"treeMap": [{"product": {"code": "0902", "pciNow": 1}, "worth": 7}], "countryProfile": {"worth": 8}},
        });
        let sent = [exchange(&request, &response)];
        let now = |field: &str, path: &str, now: &str| Renamed {
            field: field.into(),
            path: path.into(),
            now: now.into(),
        };
        let renamed = [now("treeMap", "exportValue", "worth"), now("treeMap", "product.pci", "pciNow")];
        let exchanges = Exchanges::read(&sent, &renamed);
        let cells = exchanges.named("treeMap").next().unwrap();
        assert_eq!(cells.keys("exportValue").unwrap(), ["worth"]);
        assert_eq!(cells.keys("product.pci").unwrap(), ["product", "pciNow"]);
        assert_eq!(
            cells.asked().into_iter().collect::<Vec<_>>(),
            ["product.code", "product.pciNow", "worth"]
        );
        let profile = exchanges.named("countryProfile").next().unwrap();
        assert!(profile.get("exportValue").is_none(), "that of another root field");
        let missed = ("countryProfile".to_owned(), "exportValue".to_owned());
        assert_eq!(exchanges.missed().into_iter().collect::<Vec<_>>(), [missed]);
    }

    #[test]
    fn half_a_response_holds_nothing() {
        let request =
            serde_json::json!({"query": "{ countryProfile(location: \"location-404\") { exportValue } }"});
        let mut cut =
            exchange(&request, &serde_json::json!({"data": {"countryProfile": {"exportValue": 1}}}));
        cut.response.truncate(30);
        let cut = [cut];
        let exchanges = Exchanges::read(&cut, &[]);
        let root = exchanges.named("countryProfile").next().unwrap();
        assert!(root.data().is_null() && root.get("exportValue").is_none());
    }
}
