//! The known figures of countries from `golden/*.toml`, all optional. Those that `tests/golden.rs` and
//! `tests/explore.rs` assert were read from the site; the others only complete the picture.

use super::vintage;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Sector and direction of the largest market share.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MainSector {
    pub key: String,
    pub direction: String,
    pub positive: bool,
}

/// A step of structural transformation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transformation {
    pub step: String,
    pub sector: String,
    pub direction: String,
}

/// Known figures: dollars, fractions, ranks. Rank changes are negative when the country moved up. A number at the end
/// of a name is the period in years.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facts {
    pub m49: u32,
    pub population: Option<i64>,
    pub gdp_per_capita: Option<i64>,
    pub gdp_per_capita_ppp: Option<i64>,
    /// The year of `gdp_per_capita_ppp`, if not the newest year.
    pub gdp_per_capita_ppp_year: Option<i32>,
    pub gdp_per_capita_rank: Option<usize>,
    pub exports: Option<f64>,
    pub exports_rank: Option<usize>,
    /// The goods in `exports`.
    pub goods: Option<f64>,
    /// The goods of the sector Other.
    pub other: Option<f64>,
    pub imports: Option<f64>,
    pub current_account: Option<f64>,
    pub eci: Option<f64>,
    pub eci_rank: Option<usize>,
    pub eci_hs92: Option<f64>,
    pub eci_sitc: Option<f64>,
    pub eci_rank_change_10: Option<i64>,
    pub coi: Option<f64>,
    pub coi_rank: Option<usize>,
    pub projection: Option<f64>,
    pub projection_rank: Option<usize>,
    pub speed: Option<String>,
    pub against_income: Option<String>,
    /// Number of products with RCA of at least 1.
    pub diversity: Option<usize>,
    /// The number of these in the product space.
    pub in_space: Option<usize>,
    pub diversity_rank: Option<usize>,
    pub diversity_rank_change_15: Option<i64>,
    pub diversity_change_10: Option<i64>,
    pub new_count: Option<usize>,
    pub new_per_capita: Option<i64>,
    pub new_value: Option<f64>,
    pub policy: Option<String>,
    #[serde(default)]
    pub peers: Vec<u32>,
    pub growth_per_capita_5: Option<f64>,
    pub regional_5: Option<String>,
    pub export_growth_5: Option<f64>,
    pub non_oil_growth_5: Option<f64>,
    pub pattern_5: Option<String>,
    #[serde(default)]
    pub contributors_5: Vec<String>,
    pub main_sector: Option<MainSector>,
    pub transformation: Option<Transformation>,
    /// Nearby two-digit groups, best first.
    #[serde(default)]
    pub near: Vec<String>,
    #[serde(default)]
    pub exports_by_year: BTreeMap<String, f64>,
    #[serde(default)]
    pub eci_hs92_by_year: BTreeMap<String, f64>,
    /// Export value by product code.
    #[serde(default)]
    pub export: BTreeMap<String, f64>,
    /// Import value by product code.
    #[serde(default)]
    pub import: BTreeMap<String, f64>,
    /// Goods exports by partner (M49).
    #[serde(default)]
    pub destination: BTreeMap<String, f64>,
    /// Goods exports by partner (M49) and product code.
    #[serde(default)]
    pub bilateral: BTreeMap<String, BTreeMap<String, f64>>,
    /// Goods imports by partner (M49).
    #[serde(default)]
    pub origin: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Others {
    country: Vec<toml::Table>,
}

/// A state of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Revision {
    /// As first published.
    Published,
    /// Revised: some figures change visibly, some below the displayed precision; ranks stay.
    Revised,
    /// The next release, `vintages/2027.toml`.
    Next,
}

impl Facts {
    fn revised(mut self) -> Self {
        const EXPORTS: f64 = 1.0061;
        let scale = |value: &mut Option<f64>, by: f64| *value = value.map(|value| value * by);
        let scale_int =
            |value: &mut Option<i64>, by: f64| *value = value.map(|value| (value as f64 * by).round() as i64);
        scale_int(&mut self.gdp_per_capita, 1.013);
        scale_int(&mut self.gdp_per_capita_ppp, 1.013);
        scale_int(&mut self.population, 1.0002);
        for value in [&mut self.exports, &mut self.goods, &mut self.other] {
            scale(value, EXPORTS);
        }
        scale(&mut self.imports, 0.9987);
        self.projection = self.projection.map(|value| value + 0.0009);
        for table in [&mut self.export, &mut self.destination] {
            table.values_mut().for_each(|value| *value *= EXPORTS);
        }
        self
    }
}

/// Reads all known figures. Errors name the file.
pub(crate) fn read(revision: Revision) -> Result<Vec<Facts>, String> {
    const FILES: [(&str, &str); 8] = [
        ("404", include_str!("golden/404.toml")),
        ("724", include_str!("golden/724.toml")),
        ("76", include_str!("golden/76.toml")),
        ("276", include_str!("golden/276.toml")),
        ("356", include_str!("golden/356.toml")),
        ("840", include_str!("golden/840.toml")),
        ("792", include_str!("golden/792.toml")),
        ("231", include_str!("golden/231.toml")),
    ];
    let mut all: Vec<(&str, toml::Table)> = Vec::new();
    for (name, text) in FILES {
        all.push((name, text.parse().map_err(|error| format!("golden/{name}.toml: {error}"))?));
    }
    let others: Others = toml::from_str(include_str!("golden/others.toml"))
        .map_err(|error| format!("golden/others.toml: {error}"))?;
    all.extend(others.country.into_iter().map(|table| ("others", table)));
    if revision == Revision::Next {
        vintage::next()?.amend(all.iter_mut().map(|(_, table)| table))?;
    }
    let facts = all.into_iter().map(|(name, table)| {
        table.try_into::<Facts>().map_err(|error| format!("golden/{name}.toml: {error}"))
    });
    let facts = facts.collect::<Result<Vec<_>, _>>()?;
    Ok(match revision {
        Revision::Published | Revision::Next => facts,
        Revision::Revised => facts.into_iter().map(Facts::revised).collect(),
    })
}
