//! Groups of countries: their figures, and trade with them.

use super::super::arguments::{int, text};
use super::super::value::Value;
use super::{ExploreRoot, country_id, since};
use crate::data::bilateral;
use crate::data::country::Country;
use crate::data::group::Group;
use crate::data::noise;
use crate::data::yearly::EciOf;
use apollo_compiler::resolvers::ResolveInfo;

const WORLD: u32 = 1;

fn group_id(id: u32) -> Value {
    format!("group-{id}").into()
}

impl ExploreRoot {
    fn group(&self, info: &ResolveInfo<'_>, argument: &str) -> Option<&Group> {
        let id = u32::try_from(int(info, argument)?).ok()?;
        self.world.groups.iter().find(|group| group.id == id)
    }

    fn members<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Country> {
        group.members.iter().filter_map(|m49| self.world.trader(*m49))
    }

    pub(super) fn location_group(&self, info: &ResolveInfo<'_>) -> Value {
        let kind = text(info, "groupType");
        let groups = self.world.groups.iter().filter(|group| kind.is_none_or(|kind| kind == group.kind));
        Value::List(groups.map(|group| self.group_object(group)).collect())
    }

    fn group_object(&self, group: &Group) -> Value {
        let exports = self.goods(group);
        let gdp: f64 = self
            .members(group)
            .map(|country| country.gdp_per_capita as f64 * country.population as f64)
            .sum();
        let count = group.members.len().max(1) as f64;
        let rate = |what: &str, known: Option<f64>| {
            Value::from(known.unwrap_or_else(|| noise::between(what, &[u64::from(group.id)], 0.01, 0.07)))
        };
        let mut fields = vec![
            ("groupId", group_id(group.id)),
            ("groupName", group.name.as_str().into()),
            ("groupType", group.kind.as_str().into()),
            ("members", Value::List(group.members.iter().map(|m49| country_id(*m49)).collect())),
            ("gdpMean", (gdp / count).into()),
            ("gdpSum", gdp.into()),
            ("exportValueMean", (exports / count).into()),
            ("exportValueSum", exports.into()),
            ("exportValueCagr5", rate("exportValueCagr5", group.growth_5)),
        ];
        for name in [
            "exportValueCagr3",
            "exportValueCagr10",
            "exportValueCagr15",
            "exportValueNonOilCagr3",
            "exportValueNonOilCagr5",
            "exportValueNonOilCagr10",
            "exportValueNonOilCagr15",
            "gdpCagr3",
            "gdpCagr5",
            "gdpCagr10",
            "gdpCagr15",
            "gdpConstCagr3",
            "gdpConstCagr5",
            "gdpConstCagr10",
            "gdpConstCagr15",
            "gdppcConstCagr3",
            "gdppcConstCagr5",
            "gdppcConstCagr10",
            "gdppcConstCagr15",
        ] {
            fields.push((name, rate(name, None)));
        }
        Value::object("LocationGroup", fields)
    }

    /// Goods exports of a group in the newest year.
    fn goods(&self, group: &Group) -> f64 {
        group.exports.unwrap_or_else(|| self.members(group).map(|country| country.goods).sum())
    }

    pub(super) fn group_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let kind = text(info, "groupType");
        let only = int(info, "groupId").map(u32::try_from);
        let mut rows = Vec::new();
        for group in &self.world.groups {
            if kind.is_some_and(|kind| kind != group.kind) || only.is_some_and(|id| id != Ok(group.id)) {
                continue;
            }
            let growth = group.growth_5.unwrap_or(0.04);
            for year in self.years(info, since(super::class_of(info))) {
                let mut sums = [0.0; 4];
                for country in self.members(group) {
                    let of = self.world.in_year(country, year, EciOf::Hs92);
                    let figures = [of.population as f64, of.gdp, of.gdp_ppp, of.imports * 0.82];
                    sums.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
                }
                rows.push(Value::object(
                    "GroupYear",
                    vec![
                        ("groupId", group_id(group.id)),
                        ("groupType", group.kind.as_str().into()),
                        ("year", Value::int(year)),
                        ("population", sums[0].into()),
                        ("gdp", sums[1].into()),
                        ("gdpPpp", sums[2].into()),
                        (
                            "exportValue",
                            (self.goods(group) * (1.0 + growth).powi(year - self.world.year)).into(),
                        ),
                        ("importValue", sums[3].into()),
                    ],
                ));
            }
        }
        Ok(Value::List(rows))
    }

    pub(super) fn country_group_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let (Some(country), Some(group)) =
            (self.trader(info, "countryId"), self.group(info, "partnerGroupId"))
        else {
            return Ok(Value::List(Vec::new()));
        };
        let mut export = vec![0.0; self.world.catalogue.products.len()];
        let mut import = export.clone();
        let economy = self.world.economy(country)?;
        if group.id == WORLD {
            export.clone_from(&economy.basket.export);
            import.clone_from(&economy.basket.import);
        } else {
            for partner in group.members.iter().filter(|m49| **m49 != country.place.m49) {
                let pairs = [
                    (&mut export, bilateral::exports(&self.world, country, *partner)?),
                    (&mut import, bilateral::imports(&self.world, country, *partner)?),
                ];
                for (sums, values) in pairs {
                    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                }
            }
        }
        let mut rows = Vec::new();
        for year in self.years(info, since(wanted.class)) {
            let scale = self.world.exports_in(country, year) / country.exports;
            for bin in self.bins(&wanted) {
                rows.push(Value::object(
                    "CountryGroupProductYear",
                    vec![
                        ("countryId", country_id(country.place.m49)),
                        ("partnerGroupId", group_id(group.id)),
                        ("locationLevel", "country".into()),
                        ("partnerLevel", "group".into()),
                        ("productId", self.product_id(&wanted, bin.id)),
                        ("productLevel", Value::int(wanted.level)),
                        ("year", Value::int(year)),
                        ("exportValue", (bin.sum(wanted.table, &export) * scale).into()),
                        ("importValue", (bin.sum(wanted.table, &import) * scale).into()),
                    ],
                ));
            }
        }
        Ok(Value::unordered(rows))
    }

    /// What a group trades with countries. For the world, what it imports from a country is what the country exports.
    pub(super) fn group_country_product_year(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let wanted = self.wanted(info)?;
        let Some(group) = self.group(info, "groupId") else { return Ok(Value::List(Vec::new())) };
        let partners: Vec<&Country> = match int(info, "partnerCountryId") {
            Some(_) => self.trader(info, "partnerCountryId").into_iter().collect(),
            None => self.world.traders().collect(),
        };
        let bins = self.bins(&wanted);
        let mut rows = Vec::new();
        for year in self.years(info, since(wanted.class)) {
            for partner in &partners {
                let values = self.group_imports(group, partner, year, &bins)?;
                let sold = self.world.economy(partner)?;
                for (bin, import) in bins.iter().zip(values) {
                    let scale = self.world.exports_in(partner, year) / partner.exports;
                    rows.push(Value::object(
                        "GroupCountryProductYear",
                        vec![
                            ("groupId", group_id(group.id)),
                            ("partnerCountryId", country_id(partner.place.m49)),
                            ("locationLevel", "group".into()),
                            ("partnerLevel", "country".into()),
                            ("productId", self.product_id(&wanted, bin.id)),
                            ("productLevel", Value::int(wanted.level)),
                            ("year", Value::int(year)),
                            ("exportValue", (bin.sum(wanted.table, &sold.basket.import) * scale).into()),
                            ("importValue", (import * wanted.table.factors[bin.members[0]]).into()),
                        ],
                    ));
                }
            }
        }
        Ok(Value::unordered(rows))
    }

    fn group_imports(
        &self,
        group: &Group,
        partner: &Country,
        year: i32,
        bins: &[super::trade::Bin],
    ) -> Result<Vec<f64>, String> {
        if group.id != WORLD {
            let mut sums = vec![0.0; bins.len()];
            for buyer in self.members(group).filter(|buyer| buyer.place.m49 != partner.place.m49) {
                let values = bilateral::imports(&self.world, buyer, partner.place.m49)?;
                let scale = self.world.exports_in(partner, year) / partner.exports;
                for (sum, bin) in sums.iter_mut().zip(bins) {
                    *sum += bin.members.iter().map(|at| values[*at]).sum::<f64>() * scale;
                }
            }
            return Ok(sums);
        }
        bins.iter()
            .map(|bin| {
                let mut sum = 0.0;
                for at in &bin.members {
                    sum += self.share_of_world(partner, *at, year)?;
                }
                Ok(sum)
            })
            .collect()
    }

    /// A country's exports of a product, such that all countries' sum to the world's: known values stand.
    fn share_of_world(&self, country: &Country, product: usize, year: i32) -> Result<f64, String> {
        let code = &self.world.catalogue.products[product].code;
        let (mut known, mut drawn) = (0.0, 0.0);
        for other in self.world.traders() {
            let value = self.world.exports_by_product(other, year)?[product];
            if other.known.export.contains_key(code) { known += value } else { drawn += value }
        }
        let own = self.world.exports_by_product(country, year)?[product];
        let rest = self.world.world_exports(product, year) - known;
        Ok(if country.known.export.contains_key(code) || drawn <= 0.0 {
            own
        } else {
            (own * rest.max(0.0) / drawn).round()
        })
    }
}
