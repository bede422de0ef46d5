//! Checks the spec of rows against their source. A key without meaning there is rejected, with the
//! valid keys.

use super::super::kind::{FEASIBILITY, FEASIBILITY_TABLE, GEOMAP, PRODUCTSPACE, TREEMAP};
use crate::atlas::{Api, PageKind, Viz};
use crate::manifest::Diagnostic;
use crate::manifest::spec::{Find, Over, Point, RowsSpec, Select, Spec};

/// The source of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An Explore page's drawing of one year.
    Drawing,
    /// An Explore page's drawing over years.
    OverTime,
    /// A labelled treemap on a country page: `response.rows`.
    Labelled,
    /// Marks without text on a country page: rows of `response`, each with its `key`.
    Field,
    /// Our own queries.
    Own,
}

use Source::{Drawing, Field, Labelled, OverTime, Own};

const OVERTIME: PageKind = PageKind::Explore(Viz::Overtime);
const MARKETSHARE: PageKind = PageKind::Explore(Viz::Marketshare);
const COUNTRY: PageKind = PageKind::Country;

/// A valid combination of keys (`-` for none) with required keys, and the pages that show it.
type Shape = (Source, [&'static str; 4], &'static [PageKind]);

/// `of`, `take`, `over`, and the required keys.
#[rustfmt::skip]
const SHAPES: [Shape; 12] = [
    (Drawing, ["product partner", "asked", "- share", "rule"], &[TREEMAP, GEOMAP, FEASIBILITY]),
    (Drawing, ["sector", "asked", "sum share", "rule"], &[TREEMAP]),
    (Drawing, ["product partner", "largest", "-", "rule"], &[TREEMAP]),
    (Drawing, ["partner", "ends", "-", "field less rule"], &[TREEMAP]),
    (Drawing, ["- product", "all", "sum", "rule"], &[TREEMAP]),
    (Drawing, ["product", "all", "share", "select rule"], &[TREEMAP]),
    (Drawing, ["product", "all", "count", "select"], &[PRODUCTSPACE]),
    (Drawing, ["-", "asked", "total", "rule"], &[TREEMAP, FEASIBILITY_TABLE, FEASIBILITY, GEOMAP, PRODUCTSPACE, OVERTIME]),
    (OverTime, ["sector partner", "asked all", "sum world_share per_capita", "rule"], &[OVERTIME, MARKETSHARE]),
    (OverTime, ["product partner", "largest", "change", "rule"], &[OVERTIME, MARKETSHARE]),
    (Labelled, ["product", "asked largest", "-", "rule confirm"], &[COUNTRY]),
    (Field, ["product sector country", "asked", "- count", "key field"], &[COUNTRY]),
];

/// The combinations for our own queries, for any page.
const OWN: [Shape; 3] = [
    (Own, ["- product partner", "asked", "- sum list", "query field"], &[]),
    (Own, ["- product partner", "asked", "count code", "query"], &[]),
    (Own, ["partner", "largest", "-", "query field"], &[]),
];

impl Source {
    /// The source of a point's rows.
    pub const fn of(spec: &Spec, rows: &RowsSpec) -> Self {
        match spec.page {
            _ if rows.own => Own,
            PageKind::Country if rows.key.is_some() => Field,
            PageKind::Country => Labelled,
            OVERTIME | MARKETSHARE if !matches!(rows.over, Some(Over::Total)) => OverTime,
            PageKind::Explore(_) => Drawing,
        }
    }

    /// The name of a source, and the keys that it understands.
    const fn said(self) -> (&'static str, &'static str) {
        match self {
            Drawing => {
                ("a drawing", "of select take order over query field less rule scale decimals confirm")
            }
            OverTime => ("a drawing over time", "of take over rule"),
            Labelled => ("a treemap of a country's page", "of take rule confirm"),
            Field => ("a response of a country's page", "of key field year over rule scale"),
            Own => (
                "our own query",
                "own query of select take over field until rule scale decimals into of_world",
            ),
        }
    }

    /// The pages that show these rows, or the problem with the combination.
    fn pages(self, find: &Find) -> Result<&'static [PageKind], Box<Diagnostic>> {
        let (name, _) = self.said();
        let word = |key: &str, none: &str| find.text(key).unwrap_or_else(|| none.to_owned());
        let taken = if find.count().is_some() { "largest" } else { "asked" };
        let said = [word("of", "-"), word("take", taken), word("over", "-")];
        let own = || SHAPES.iter().chain(&OWN).filter(|(source, ..)| *source == self);
        let fits = |shape: &&&Shape| {
            said.iter().zip(shape.1).all(|(word, may)| may.split(' ').any(|one| one == word))
        };
        let Some((_, [.., needed], pages)) = own().find(|shape| fits(&shape)) else {
            let either = |words: &str| words.replace(' ', "|").replace("largest", "N");
            let may = own().map(|(_, [of, take, over, _], _)| {
                format!("`of` {}, `take` {}, `over` {}", either(of), either(take), either(over))
            });
            let may = may.collect::<Vec<_>>().join("; or ");
            let key = ["over", "take", "of"].into_iter().find(|key| find.has(key));
            return Err(Diagnostic::of(
                key.unwrap_or_default(),
                format!("valid combinations for rows of {name} (- for none): {may}"),
            ));
        };
        match needed
            .split(' ')
            .find(|key| !(find.has(key) || *key == "rule" && word("field", "") == "sector"))
        {
            Some(key) => Err(format!("these rows of {name} need `{key}`").into()),
            None => Ok(pages),
        }
    }
}

/// Checks that a query, or some query of an API, has a field.
fn has_field(api: Api, query: Option<&str>, field: Option<&String>) -> Result<(), String> {
    let Some(field) = field.filter(|field| *field != "sector") else { return Ok(()) };
    query.map_or_else(|| api.row_field(field), |query| api.query(query)?.value(field).map(drop))
}

/// The pages that show these rows; empty means any.
///
/// # Errors
/// A key has no meaning for these rows, a key is missing, or the API lacks the query or field.
pub(super) fn check(
    point: &Point,
    spec: &Spec,
    rows: &RowsSpec,
    source: Source,
) -> Result<&'static [PageKind], Box<Diagnostic>> {
    let find = &point.find;
    let (name, keys) = source.said();
    let all = [Drawing, Field, Own].into_iter().flat_map(|source| source.said().1.split(' '));
    if let Some(other) = all.into_iter().find(|key| find.has(key) && !keys.split(' ').any(|own| own == *key))
    {
        let what =
            format!("`{other}` has no meaning for rows of {name}; they take {}", keys.replace(' ', ", "));
        return Err(Diagnostic::of(other, what));
    }
    let pages = source.pages(find)?;
    if !pages.is_empty() && !pages.contains(&spec.page) {
        let pages: Vec<String> = pages.iter().map(|page| format!("`{page}`")).collect();
        return Err(format!("these rows are on pages of {}, not of `{}`", pages.join(", "), spec.page).into());
    }
    let at = |key: &str, found: Result<(), String>| found.map_err(|what| Diagnostic::of(key, what));
    let api = Api::of(spec.page);
    let response = point.response.as_ref();
    match source {
        Labelled if response.is_none_or(|response| response.rows.is_none()) => {
            return Err("cells are read from `response.rows`; marks have a `key`".to_owned().into());
        }
        Labelled if rows.label().is_none() => {
            let what = "add `confirm = [{ label = … }]` with the form of the cell labels";
            return Err(Diagnostic::of("confirm", what));
        }
        Field => {
            let query = response.ok_or_else(|| "marks are read from the rows of `response`".to_owned())?;
            let value = |path: &Option<String>| has_field(api, Some(&query.field), path.as_ref());
            at("key", value(&rows.key))?;
            at("field", if rows.over.is_some() { Ok(()) } else { value(&rows.field) })?;
            at("year", value(&rows.year))?;
            return Ok(pages);
        }
        _ => {}
    }
    let query = rows.query.as_deref();
    at("query", query.map_or(Ok(()), |query| api.query(query).map(drop)))?;
    for (name, field) in [("field", &rows.field), ("less", &rows.less), ("until", &rows.until)] {
        at(name, has_field(api, query, field.as_ref()))?;
    }
    if let Some(order) = &rows.order {
        at("order.field", has_field(api, order.query.as_deref(), Some(&order.field)))?;
    }
    for (index, one) in rows.select.iter().enumerate() {
        at(&format!("select[{index}]"), selected(source, one).map_err(str::to_owned))?;
        let of = one.query.as_deref().or(query.filter(|_| source == Own));
        at(&format!("select[{index}].field"), has_field(api, of, one.field.as_ref()))?;
    }
    Ok(pages)
}

/// Whether a condition is valid: on a sector, a group, or a field.
fn selected(source: Source, one: &Select) -> Result<(), &'static str> {
    let Select { sector, group, field, query, least, is, called: _ } = one;
    let given =
        [sector.is_some(), group.is_some(), field.is_some(), query.is_some(), least.is_some(), is.is_some()];
    match (source, given) {
        (Drawing, [true, false, false, false, false, false]) => Ok(()),
        (Drawing, [false, false, true, _, least, is]) if least != is => Ok(()),
        (Drawing, _) => {
            Err("rows of a drawing are selected by a `sector`, or by a `field` with `least` or `is`")
        }
        (_, [false, true, false, false, false, false] | [false, false, true, false, false, true]) => Ok(()),
        _ => Err("rows of our own query are selected by a `group` of countries, or by a `field` with `is`"),
    }
}
