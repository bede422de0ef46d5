//! The page's own GraphQL requests and responses. Fields are found by schema name, not by alias.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::failed::ResponseBody;
use super::request::roots;
use super::root::Root;
use super::unread::{Lacking, Unread};
use crate::capture::Exchange;
use crate::manifest::spec::Renamed;

/// All root fields of all responses of a capture.
#[derive(Debug, Default)]
pub struct Exchanges<'a> {
    roots: Vec<Root<'a>>,
    unread: Unread,
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

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::super::datum::number;
    use super::super::unread::Lack;
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
