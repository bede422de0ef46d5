//! Trade of groups: the sum of their members' trade. On the live site a group's exports are goods only. The size of the
//! European Union's shows that trade between members counts.

use super::World;
use super::bilateral;
use super::country::Country;
use super::flows::{Flows, GOODS_OF_IMPORTS};
use super::group::Group;
use super::kept::cached;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The group of all places.
pub(crate) const WORLD: u32 = 1;

/// Goods trade of a country with the members of a group in the newest year. A country does not trade with itself.
pub(crate) fn of_country(world: &World, country: &Country, group: &Group) -> Result<Flows, String> {
    let mut sums = Flows::none(world.catalogue.products.len());
    for partner in group.members.iter().filter(|m49| **m49 != country.place.m49) {
        sums.add(&pair(world, country, *partner)?, 1.0);
    }
    Ok(sums)
}

/// Goods trade of a group's members with a country by year, as the members report it. Each member's trade follows its
/// own course over the years.
pub(crate) fn of_group(
    world: &World,
    group: &Group,
    partner: &Country,
    years: RangeInclusive<i32>,
) -> Result<Vec<(i32, Arc<Flows>)>, String> {
    let sums = |years: RangeInclusive<i32>| -> Result<Vec<(i32, Flows)>, String> {
        let mut sums: Vec<(i32, Flows)> =
            years.map(|year| (year, Flows::none(world.catalogue.products.len()))).collect();
        for member in group.members.iter().filter(|m49| **m49 != partner.place.m49) {
            let Some(member) = world.trader(*member) else { continue };
            let flows = pair(world, member, partner.place.m49)?;
            sums.iter_mut().for_each(|(year, sum)| sum.add(&flows, world.scale(member, *year)));
        }
        Ok(sums)
    };
    if years == (world.year..=world.year) {
        let newest = || Ok(sums(years)?.remove(0).1);
        return Ok(vec![(world.year, cached(&world.group_trade, (group.id, partner.place.m49), newest)?)]);
    }
    Ok(sums(years)?.into_iter().map(|(year, flows)| (year, Arc::new(flows))).collect())
}

fn pair(world: &World, country: &Country, partner: u32) -> Result<Flows, String> {
    Ok(Flows {
        export: bilateral::exports(world, country, partner)?,
        import: bilateral::imports(world, country, partner)?,
    })
}

/// A group's figures in one year.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GroupYear {
    pub population: f64,
    pub gdp: f64,
    pub gdp_ppp: f64,
    /// Goods only, including trade between members, as on the site.
    pub export: f64,
    pub non_oil: f64,
    pub import: f64,
}

/// Sums over the members of a group in a year.
pub(crate) fn in_year(world: &World, group: &Group, year: i32) -> Result<GroupYear, String> {
    let totals = world.totals(year)?;
    let mut sums = GroupYear::default();
    for (at, country) in world.traders().enumerate() {
        if !group.members.contains(&country.place.m49) {
            continue;
        }
        let of = world.in_year(country, year, super::yearly::EciOf::Hs92);
        sums.population += of.population as f64;
        sums.gdp += of.gdp;
        sums.gdp_ppp += of.gdp_ppp;
        sums.import += of.imports * GOODS_OF_IMPORTS;
        sums.export += totals.goods[at];
        sums.non_oil += totals.non_oil[at];
    }
    let known = known_part(world, group, year)?;
    Ok(GroupYear { export: (sums.export * known).round(), non_oil: (sums.non_oil * known).round(), ..sums })
}

/// Scales generated exports to a group's known exports, which members' values do not add up to. The scale fits the
/// newest year and the growth over five years.
fn known_part(world: &World, group: &Group, year: i32) -> Result<f64, String> {
    let (Some(exports), Some(growth)) = (group.exports, group.growth_5) else { return Ok(1.0) };
    let members = |year: i32| -> Result<f64, String> {
        let totals = world.totals(year)?;
        let inside = world.traders().zip(&totals.goods);
        Ok(inside
            .filter(|(country, _)| group.members.contains(&country.place.m49))
            .map(|(_, goods)| goods)
            .sum())
    };
    let newest = exports / members(world.year)?;
    if year == world.year {
        return Ok(newest);
    }
    let before = exports * (1.0 + growth).powi(-5) / members(world.year - 5)?;
    let part = f64::from(world.year - year).min(5.0) / 5.0;
    Ok(newest * (before / newest).powf(part))
}
