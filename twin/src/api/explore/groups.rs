//! Groups of countries: their figures, and trade with them.

use super::super::arguments::{int, selects, text};
use super::super::value::Value;
use super::{ExploreRoot, class_of, country_id};
use crate::data::country::Country;
use crate::data::group::Group;
use crate::data::group_trade::{self, GroupYear, WORLD};
use apollo_compiler::resolvers::ResolveInfo;

fn group_id(id: u32) -> Value {
    format!("group-{id}").into()
}

/// The periods of growth rates, in years.
const PERIODS: [i32; 4] = [3, 5, 10, 15];

/// The growth fields for these periods, in the order of [`growth`].
const RATES: [[&str; 4]; 5] = [
    ["exportValueCagr3", "exportValueCagr5", "exportValueCagr10", "exportValueCagr15"],
    [
        "exportValueNonOilCagr3",
        "exportValueNonOilCagr5",
        "exportValueNonOilCagr10",
        "exportValueNonOilCagr15",
    ],
    ["gdpCagr3", "gdpCagr5", "gdpCagr10", "gdpCagr15"],
    ["gdpConstCagr3", "gdpConstCagr5", "gdpConstCagr10", "gdpConstCagr15"],
    ["gdppcConstCagr3", "gdppcConstCagr5", "gdppcConstCagr10", "gdppcConstCagr15"],
];

impl ExploreRoot {
    fn group(&self, info: &ResolveInfo<'_>, argument: &str) -> Option<&Group> {
        let id = u32::try_from(int(info, argument)?).ok()?;
        self.world.groups.iter().find(|group| group.id == id)
    }

    fn members<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Country> {
        group.members.iter().filter_map(|m49| self.world.trader(*m49))
    }

    pub(super) fn location_group(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let kind = text(info, "groupType");
        // Every Explore page lists the groups, but growth needs the baskets of many years.
        let rates = selects(info, |field| field.contains("Cagr"));
        let groups = self.world.groups.iter().filter(|group| kind.is_none_or(|kind| kind == group.kind));
        let rows = groups.map(|group| self.group_object(group, rates)).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::List(rows))
    }

    fn group_object(&self, group: &Group, rates: bool) -> Result<Value, String> {
        let exports = group.exports.unwrap_or_else(|| self.members(group).map(|country| country.goods).sum());
        let gdp: f64 = self
            .members(group)
            .map(|country| country.gdp_per_capita as f64 * country.population as f64)
            .sum();
        let count = group.members.len().max(1) as f64;
        let mut fields = vec![
            ("groupId", group_id(group.id)),
            ("groupName", group.name.as_str().into()),
            ("groupType", group.kind.as_str().into()),
            ("members", Value::List(group.members.iter().map(|m49| country_id(*m49)).collect())),
            ("gdpMean", (gdp / count).into()),
            ("gdpSum", gdp.into()),
            ("exportValueMean", (exports / count).into()),
            ("exportValueSum", exports.into()),
        ];
        if rates {
            let newest = group_trade::in_year(&self.world, group, self.world.year)?;
            for (nth, period) in PERIODS.into_iter().enumerate() {
                let then = group_trade::in_year(&self.world, group, self.world.year - period)?;
                let level = self.world.deflator(self.world.year - period);
                let rates =
                    growth(&newest, &then, level).map(|ratio| ratio.powf(1.0 / f64::from(period)) - 1.0);
                fields.extend(RATES.iter().zip(rates).map(|(names, rate)| (names[nth], rate.into())));
            }
        }
        Ok(Value::object("LocationGroup", fields))
    }

    pub(super) fn group_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let kind = text(info, "groupType");
        let only = int(info, "groupId").map(u32::try_from);
        let mut rows = Vec::new();
        for group in &self.world.groups {
            if kind.is_some_and(|kind| kind != group.kind) || only.is_some_and(|id| id != Ok(group.id)) {
                continue;
            }
            for year in self.years(info, class_of(info).since()) {
                let of = group_trade::in_year(&self.world, group, year)?;
                rows.push(Value::object(
                    "GroupYear",
                    vec![
                        ("groupId", group_id(group.id)),
                        ("groupType", group.kind.as_str().into()),
                        ("year", Value::int(year)),
                        ("population", of.population.into()),
                        ("gdp", of.gdp.into()),
                        ("gdpPpp", of.gdp_ppp.into()),
                        ("exportValue", of.export.into()),
                        ("importValue", of.import.into()),
                    ],
                ));
            }
        }
        Ok(Value::List(rows))
    }

    /// Trade of countries with a group: the sums of their rows with its members. With the world it is all their trade,
    /// including services, as in their rows by product.
    pub(super) fn country_group_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let Some(group) = self.group(info, "partnerGroupId") else { return Ok(Value::List(Vec::new())) };
        let mut rows = Vec::new();
        for country in self.traders(info) {
            let pairs = match group.id {
                WORLD => None,
                _ => Some(group_trade::of_country(&self.world, country, group)?),
            };
            let lines = match pairs {
                Some(_) => wanted.goods(),
                None => wanted.lines().into_iter().map(|(_, line)| line).collect(),
            };
            for year in self.years(info, wanted.listing.class.since()) {
                let scale = self.world.scale(country, year);
                let export = self.world.exports_by_product(country, year)?;
                let import = &self.world.economy(country)?.basket.import;
                for line in &lines {
                    let (export, import) = match &pairs {
                        Some(flows) => {
                            (line.plain_sum(&flows.export) * scale, line.plain_sum(&flows.import) * scale)
                        }
                        None => (line.sum(&export), line.sum(import) * scale),
                    };
                    let mut own = vec![
                        ("countryId", country_id(country.place.m49)),
                        ("partnerGroupId", group_id(group.id)),
                        ("locationLevel", "country".into()),
                        ("partnerLevel", "group".into()),
                    ];
                    own.extend(wanted.trade(line, year, export, import));
                    rows.push(Value::object("CountryGroupProductYear", own));
                }
            }
        }
        Ok(Value::unordered(rows))
    }

    /// Trade of groups with countries: the sums of their members' rows. The world's imports from a country are the
    /// country's exports, and vice versa.
    pub(super) fn group_country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let Some(group) = self.group(info, "groupId") else { return Ok(Value::List(Vec::new())) };
        let partners: Vec<&Country> = match int(info, "partnerCountryId") {
            Some(_) => self.trader(info, "partnerCountryId").into_iter().collect(),
            None => self.world.traders().collect(),
        };
        let years = self.years(info, wanted.listing.class.since());
        let mut rows = Vec::new();
        for partner in partners {
            let mut row = |line: &_, year: i32, export: f64, import: f64| {
                let mut own = vec![
                    ("groupId", group_id(group.id)),
                    ("partnerCountryId", country_id(partner.place.m49)),
                    ("locationLevel", "group".into()),
                    ("partnerLevel", "country".into()),
                ];
                own.extend(wanted.trade(line, year, export, import));
                rows.push(Value::object("GroupCountryProductYear", own));
            };
            if group.id == WORLD {
                let import = &self.world.economy(partner)?.basket.import;
                for year in years.clone() {
                    let export = self.world.exports_by_product(partner, year)?;
                    let scale = self.world.scale(partner, year);
                    for (_, line) in wanted.lines() {
                        row(line, year, line.sum(import) * scale, line.sum(&export));
                    }
                }
                continue;
            }
            for (year, flows) in group_trade::of_group(&self.world, group, partner, years.clone())? {
                for line in wanted.goods() {
                    row(line, year, line.plain_sum(&flows.export), line.plain_sum(&flows.import));
                }
            }
        }
        Ok(Value::unordered(rows))
    }
}

/// The ratios between two years, in the order of [`RATES`]. `level` is the earlier year's price level, relative to the
/// newest.
fn growth(now: &GroupYear, then: &GroupYear, level: f64) -> [f64; 5] {
    let gdp = now.gdp / then.gdp;
    let real = gdp * level;
    let people = now.population / then.population;
    [now.export / then.export, now.non_oil / then.non_oil, gdp, real, real / people]
}
