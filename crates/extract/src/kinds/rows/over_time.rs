//! Rows drawn over years on an Explore page: yearly values of the named row or of all, or the
//! largest increases. The total in the corner, the labels at line ends and tooltips confirm or
//! refute the response.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::whole::are_whole;
use super::{Figure, Query, UNCONFIRMED, confirmed, key, no_row};
use crate::kinds::kind::Found;
use crate::manifest::spec::{Over, Take};
use crate::observation::{FailureKind, Miss, Wanted};
use crate::response::rows::{ResponseRow, year_of};
use crate::response::{self, Root, Unread, number, plain};
use crate::tooltip::{self, HOVERS};
use crate::treemap::{Of, TotalLabel};
use crate::value::{Basis, Context, ContextPart, Flow, Period, Quantity, Scope};
use crate::view::requested::plain as plain_place;
use crate::view::{Source, View};

/// Numbers by year.
type Years = BTreeMap<i16, Decimal>;

impl Query<'_, '_> {
    pub(super) fn over_time(&self) -> Found {
        let trade = self.trade()?;
        // other visible figures may confirm the response; missing ones do not affect the wanted
        // value
        let check = || if self.view.source == Source::Ours { Ok(None) } else { self.check(&trade) };
        let checked = confirmed(self.view.beside(check)?, UNCONFIRMED);
        if let Take::Largest(count) = self.spec.take {
            let found = self.changes(&trade, count)?;
            return Ok(found.into_iter().map(|one| self.observed(one, checked.clone())).collect());
        }
        let asked = if self.spec.take == Take::All { None } else { Some(self.asked()?) };
        let constant = self.point.context.basis == Some(Basis::Constant);
        let values = self.values(&trade, asked, (self.spec.over, constant))?;
        let years = years_of(self.view, self.wanted, &trade, &values)?;
        let figure = |year: &i16| {
            let mut context = Context {
                period: Some(Period::year(*year)),
                scope: Some(trade.scope(asked)),
                partner: self.view.requested.partner.as_ref().map(plain_place),
                ..self.context()
            };
            let mut keys = Vec::new();
            match (trade.of, asked) {
                (_, None) => {}
                (Of::Product, Some(asked)) => {
                    context.product = Some(asked.to_owned());
                    keys.push(key("sector", asked));
                }
                (Of::Partner, Some(asked)) => {
                    let row = trade.of_asked(Some(asked)).next().map(|(_, row)| row);
                    context.partner = Some(row.map_or(asked, |row| &row.code).to_owned());
                    keys.push(key("partner", row.map_or(asked, |row| &row.name)));
                }
            }
            keys.extend((years.len() > 1).then(|| key("column", &year.to_string())));
            let (reading, value) = self.number(values[year]);
            let (locator, source) = (format!("the drawing at {year}"), trade.source.clone());
            self.observed(Figure { keys, context, reading, value, locator, source }, checked.clone())
        };
        Ok(years.iter().map(figure).collect())
    }

    fn trade(&self) -> Result<Trade, Miss> {
        let trade = Trade::of_root(self.view, self.drawn()?, self.division(), value_field(self.view));
        trade.filter(|trade| !trade.rows.is_empty()).ok_or_else(|| FailureKind::ResponseMissing.into())
    }

    /// The values by year, over the point's divisor.
    fn values(
        &self,
        trade: &Trade,
        asked: Option<&str>,
        (over, constant): (Option<Over>, bool),
    ) -> Result<Years, Miss> {
        let mut values = trade.sums(asked);
        if values.is_empty() {
            return Err(no_row(asked.unwrap_or("all")));
        }
        let divide = |values: &mut Years, divisors: &Years, times: Decimal| {
            values.retain(|year, value| {
                let divisor = divisors.get(year).filter(|divisor| !divisor.is_zero());
                let result = divisor.and_then(|divisor| value.checked_div(*divisor)?.checked_mul(times));
                *value = result.unwrap_or_default();
                result.is_some()
            });
        };
        if over == Some(Over::WorldShare) {
            let world = self.view.exchanges.named("productYear").max_by_key(|root| root.rows().count());
            let world = world.and_then(|root| Trade::of_root(self.view, root, trade.of, "exportValue"));
            let world = world.ok_or(FailureKind::ResponseMissing)?.sums(asked);
            divide(&mut values, &world, Decimal::ONE_HUNDRED);
        }
        if constant {
            divide(&mut values, &by_year(self.view, "year", "deflator")?, Decimal::ONE);
        }
        if over == Some(Over::PerCapita) {
            divide(&mut values, &by_year(self.view, "countryYear", "population")?, Decimal::ONE);
        }
        Ok(values)
    }

    /// The rows with the largest increase from the first to the last year.
    fn changes(&self, trade: &Trade, count: usize) -> Result<Vec<Figure>, Miss> {
        let years = || trade.rows.iter().map(|(year, _)| *year);
        let (Some(first), Some(last)) = (years().min(), years().max()) else {
            return Err(FailureKind::ResponseMissing.into());
        };
        let held = Period { start: first, end: last };
        let shown = shown_years(self.view).filter(|shown| *shown != held);
        if let Some(asked) = shown {
            return Err(FailureKind::Partial(format!("the response is about {held}, not {asked}")).into());
        }
        let mut changes: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
        for (year, row) in trade.rows.iter().filter(|(_, row)| !row.name.is_empty()) {
            let change = changes.entry((&row.code, &row.name)).or_default();
            if *year == last {
                *change += trade.number(*year, row);
            } else if *year == first {
                *change -= trade.number(*year, row);
            }
        }
        let mut changes: Vec<_> = changes.into_iter().filter(|(_, change)| *change > Decimal::ZERO).collect();
        if changes.is_empty() {
            let nearest = format!("the response has no row that grew from {first} to {last}");
            return Err(Miss::near(FailureKind::ResponseMissing, nearest));
        }
        changes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let one = |(rank, ((code, name), change)): (usize, ((&str, &str), Decimal))| {
            let (reading, value) = self.number(change);
            Figure {
                keys: vec![key("rank", &(rank + 1).to_string()), key("product", name), key("code", code)],
                context: Context {
                    period: Some(held),
                    scope: Some(trade.scope(None)),
                    product: Some(code.to_owned()),
                    ..self.context()
                },
                reading,
                value,
                locator: format!("the drawing from {first} to {last}"),
                source: format!("{} of {last} less that of {first}", trade.source),
            }
        };
        Ok(changes.into_iter().take(count).enumerate().map(one).collect())
    }

    /// The visible confirmation of the response, as text; none if there is none.
    fn check(&self, trade: &Trade) -> Result<Option<String>, Miss> {
        let sums = trade.sums(None);
        let last = self.view.requested.year.or_else(|| sums.keys().last().copied());
        let corner = last.filter(|_| !self.view.spec.total_labels.is_empty());
        let corner = corner.map(|last| by_corner(self.view, last, sums.get(&last).copied())).transpose()?;
        let mut reasons: Vec<String> = corner.flatten().into_iter().collect();
        // tooltips show what the page draws first: current prices, or world shares
        let is_drawn = self.point.context.basis != Some(Basis::Constant);
        let over = self.spec.over.filter(|over| *over == Over::WorldShare);
        let values = |name: &str| self.values(trade, Some(name), (over, false)).ok();
        let (names, rule) = (trade.names(), self.rule_or_count());
        if let Some(last) = last {
            let value = |name: &str| values(name)?.get(&last).copied();
            let confirmed = tooltip::end_labels(&self.view.page, &names, rule, value)?;
            if confirmed > 0 && is_drawn {
                reasons.push(format!("{confirmed} labels at the ends of lines agree"));
            }
        }
        for (state, page) in self.view.states.iter().filter(|(name, _)| HOVERS.contains(&name.as_str())) {
            let value = |name: &str, year: i16| values(name)?.get(&year).copied();
            let confirmed = tooltip::series(page, &names, rule, value)?;
            if let Some(text) = confirmed.filter(|_| is_drawn || !reasons.is_empty()) {
                reasons.push(format!("the tooltip at {state} shows {text}"));
            }
        }
        Ok((!reasons.is_empty()).then(|| reasons.join("; ")))
    }
}

/// Whether the total in the corner is that of the last year, of the country or of the summed rows.
fn by_corner(view: &View<'_>, last: i16, sum: Option<Decimal>) -> Result<Option<String>, Miss> {
    let of_country = by_year(view, "countryYear", value_field(view)).ok();
    let of_country = of_country.and_then(|all| all.get(&last).copied());
    let candidates: Vec<Decimal> = of_country.into_iter().chain(sum).collect();
    let label = TotalLabel::read(view);
    let fits = |shown: &Quantity| candidates.iter().any(|one| shown.interval.contains(*one));
    match label.get(fits) {
        Ok((text, shown)) if fits(shown) => Ok(Some(format!("the corner shows {text}"))),
        Ok((text, _)) => {
            let all: Vec<String> = candidates.iter().map(|one| one.normalize().to_string()).collect();
            let what = format!("the corner shows {text}, the response of {last} {}", all.join(" or "));
            Err(FailureKind::LabelDisagrees(what).into())
        }
        Err(miss) if matches!(miss.kind, FailureKind::Ambiguous(_)) => Err(miss),
        Err(_) => Ok(None),
    }
}

/// The years covered by the page's address.
fn shown_years(view: &View<'_>) -> Option<Period> {
    let (start, end) = view.requested.first.zip(view.requested.year)?;
    Some(Period { start, end })
}

/// The wanted years, all of which must be present.
fn years_of(view: &View<'_>, wanted: &Wanted, trade: &Trade, values: &Years) -> Result<Vec<i16>, Miss> {
    match wanted.year {
        Some(year) if values.contains_key(&year) => Ok(vec![year]),
        Some(year) => {
            let what = format!("the page's response has no value for {year}");
            Err(FailureKind::OtherContext(vec![(ContextPart::Period, what)]).into())
        }
        None => {
            let asked = wanted.years.or_else(|| shown_years(view));
            let is_asked = |year: &i16| asked.is_none_or(|all| (all.start..=all.end).contains(year));
            let found = values.keys().copied().filter(is_asked).collect();
            are_whole(asked, trade.rows.iter().map(|(year, _)| *year), &found)?;
            Ok(found.into_iter().collect())
        }
    }
}

fn value_field(view: &View<'_>) -> &'static str {
    if view.requested.flow == Flow::Import { "importValue" } else { "exportValue" }
}

/// Trade by year, of products or with partners.
struct Trade {
    of: Of,
    rows: Vec<(i16, ResponseRow<'static>)>,
    /// Query and field, for reporting rows without a number.
    column: String,
    unread: Unread,
    source: String,
    both: bool,
}

impl Trade {
    fn of_root(view: &View<'_>, root: &Root<'_>, of: Of, field: &str) -> Option<Self> {
        let id = root.keys(of.id())?;
        let (year, value) = (root.keys("year")?, root.keys(field)?);
        let read = |row| {
            let (id, year) = (root.at(row, &id).and_then(plain), year_of(root, row, &year)?);
            let Some(id) = id.filter(|id| !view.catalogues().is_nameless(id)) else {
                root.lacks("*", "a row has no id");
                return None;
            };
            let item =
                if of == Of::Partner { view.catalogues().place(&id) } else { view.catalogues().product(&id) };
            let mut row = ResponseRow::of_item(id, item.cloned(), root.at(row, &value).and_then(number));
            // a sector is its own top level
            if row.sector.is_empty() {
                row.sector = row.name.clone();
            }
            Some((year, row))
        };
        let rows = root.rows().filter_map(read).collect();
        let both = root.args.get("servicesClass").is_some_and(|class| class == "unilateral");
        let column = format!("{}.*.{field}", root.field);
        let (source, unread) = (response::source(root, field), root.unread().clone());
        Some(Self { of, rows, column, unread, source, both })
    }

    /// The rows of one sector, product or partner, or all rows.
    fn of_asked(&self, asked: Option<&str>) -> impl Iterator<Item = &(i16, ResponseRow<'static>)> {
        let is = move |row: &ResponseRow<'_>, asked: &str| match self.of {
            Of::Product => row.is_of(asked),
            Of::Partner => row.code == asked || row.name.eq_ignore_ascii_case(asked),
        };
        self.rows.iter().filter(move |(_, row)| asked.is_none_or(|asked| is(row, asked)))
    }

    /// Sums by year, of one sector, product or partner, or of all rows.
    fn sums(&self, asked: Option<&str>) -> Years {
        let mut sums = Years::new();
        for (year, row) in self.of_asked(asked) {
            let sum = sums.entry(*year).or_insert(Decimal::ZERO);
            *sum = sum.saturating_add(self.number(*year, row));
        }
        sums
    }

    /// A row's value for summing or comparing, which must be a number.
    fn number(&self, year: i16, row: &ResponseRow<'_>) -> Decimal {
        row.value.unwrap_or_else(|| {
            let name = if row.name.is_empty() { &row.code } else { &row.name };
            self.unread.note(self.column.as_str(), format!("it is not a number for {name} in {year}"));
            Decimal::ZERO
        })
    }

    fn scope(&self, asked: Option<&str>) -> Scope {
        let trades_services = || self.rows.iter().any(|(_, row)| row.service && row.drawn().is_some());
        match asked {
            Some(_) if self.of == Of::Product && self.of_asked(asked).all(|(_, row)| row.service) => {
                Scope::Services
            }
            None if self.both || trades_services() => Scope::GoodsAndServices,
            _ => Scope::Goods,
        }
    }

    /// The names in tooltips: sectors, products, partners.
    fn names(&self) -> Vec<&str> {
        let names = self.rows.iter().flat_map(|(_, row)| [row.sector.as_ref(), row.name.as_ref()]);
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// A field of a query's rows, by year.
fn by_year(view: &View<'_>, query: &str, field: &str) -> Result<Years, Miss> {
    let read = |root: &Root<'_>| {
        let (year, value) = (root.keys("year")?, root.keys(field)?);
        let one = |row| {
            let (year, value) = (year_of(root, row, &year)?, root.at(row, &value).and_then(number));
            if value.is_none() {
                root.lacks(&format!("*.{field}"), &format!("it is not a number for {year}"));
            }
            Some((year, value?))
        };
        Some(root.rows().filter_map(one).collect::<Years>())
    };
    let found = view.exchanges.named(query).filter_map(read).max_by_key(BTreeMap::len);
    found.ok_or_else(|| {
        Miss::near(
            FailureKind::ResponseMissing,
            format!("no query of the page requests {field} from {query}"),
        )
    })
}
