//! Profiles of countries, their look-backs, and the world's figures.

use super::super::value::Value;
use super::{CountryRoot, years};
use crate::data::country::Country;
use crate::data::noise;
use apollo_compiler::resolvers::ResolveInfo;

impl CountryRoot {
    pub(super) fn profile(&self, country: &Country) -> Value {
        let fields = [
            self.size_fields(country),
            self.trade_fields(country),
            new_product_fields(country),
            self.complexity_fields(country),
            self.structure_fields(country),
        ];
        Value::object("CountryProfile", fields.concat())
    }

    /// People, product and income, each of its year.
    fn size_fields(&self, country: &Country) -> Vec<(&'static str, Value)> {
        let world = &self.world;
        let year = world.year;
        let int_year = |value: i64| Value::for_year("IntForYear", Value::int(value), year);
        let float_year = |value: f64| Value::for_year("FloatForYear", value.into(), year);
        let gdp = country.gdp_per_capita as f64 * country.population as f64;
        let gdp_ppp = country.gdp_per_capita_ppp as f64 * country.population as f64;
        let ppp_year = country.known.gdp_per_capita_ppp_year.unwrap_or(year);
        let ppp = Value::int(country.gdp_per_capita_ppp);
        let ppp_rank = country.gdp_per_capita_ppp_rank.min(world.globals.ppp_ranked);
        vec![
            ("location", self.objects.place(country.place.m49)),
            ("latestPopulation", int_year(country.population)),
            ("latestGdp", float_year(gdp)),
            ("latestGdpRank", int_year(country.gdp_rank as i64)),
            ("latestGdpPpp", float_year(gdp_ppp)),
            ("latestGdpPppRank", int_year(country.gdp_ppp_rank as i64)),
            ("latestGdpPerCapita", int_year(country.gdp_per_capita)),
            ("latestGdpPerCapitaRank", int_year(country.gdp_per_capita_rank as i64)),
            ("latestGdpPerCapitaPpp", Value::for_year("IntForNotRequiredYear", ppp, ppp_year)),
            ("latestGdpPerCapitaPppRank", int_year(ppp_rank as i64)),
            ("incomeClassification", country.place.income.as_deref().into()),
        ]
    }

    fn trade_fields(&self, country: &Country) -> Vec<(&'static str, Value)> {
        let share = self.natural_share(country);
        let imported = noise::between("natural imports", &[country.key()], 0.1, 0.3);
        let natural = |share: f64, value: f64| (value * share).round() as i64;
        let (sold, bought) = (natural(share, country.exports), natural(imported, country.imports));
        let account = country.current_account.into();
        vec![
            ("exportValue", country.exports.into()),
            ("importValue", country.imports.into()),
            ("exportValueRank", Value::int(country.exports_rank as i64)),
            ("exportValueNatResources", Value::int(sold)),
            ("importValueNatResources", Value::int(bought)),
            ("netExportValueNatResources", Value::int(sold - bought)),
            ("exportValueNonOil", Value::int((country.exports * (1.0 - share * 0.8)).round() as i64)),
            ("currentAccount", Value::for_year("FloatForNotRequiredYear", account, self.world.year)),
        ]
    }

    fn complexity_fields(&self, country: &Country) -> Vec<(&'static str, Value)> {
        let total = self.world.globals.eci_ranked;
        vec![
            ("latestEci", country.eci.into()),
            ("latestEciRank", Value::int(country.eci_rank as i64)),
            ("eciNatResourcesGdpControlled", country.eci_controlled.into()),
            ("latestCoi", country.coi.into()),
            ("latestCoiRank", Value::int(country.coi_rank as i64)),
            ("coiClassification", country.opportunities(total).into()),
            ("growthProjection", country.projection.into()),
            ("growthProjectionRank", Value::int(country.projection_rank as i64)),
            ("growthProjectionClassification", country.speed.as_str().into()),
            ("growthProjectionRelativeToIncome", country.against_income.as_str().into()),
            ("growthProjectionPercentileClassification", country.percentile(total).into()),
        ]
    }

    /// What the country makes, and what it is advised to.
    fn structure_fields(&self, country: &Country) -> Vec<(&'static str, Value)> {
        let peers = country.known.peers.iter().map(|m49| self.objects.place(*m49)).collect();
        let (main, step) = (&country.main_sector, &country.transformation);
        vec![
            ("comparisonLocations", Value::List(peers)),
            ("diversity", Value::int(country.diversity as i64)),
            ("diversityRank", Value::int(country.diversity_rank as i64)),
            ("diversificationGrade", country.grade(self.world.tenth_best_count()).into()),
            ("marketShareMainSector", self.any_product(&main.key)),
            ("marketShareMainSectorDirection", main.direction.as_str().into()),
            ("marketShareMainSectorPositiveGrowth", main.positive.into()),
            ("structuralTransformationStep", step.step.as_str().into()),
            ("structuralTransformationSector", self.any_product(&step.sector)),
            ("structuralTransformationDirection", step.direction.as_str().into()),
            ("policyRecommendation", country.policy.as_str().into()),
        ]
    }

    /// The part of exports that natural resources make up.
    fn natural_share(&self, country: &Country) -> f64 {
        let products = &self.world.catalogue.products;
        self.world.economy(country).map_or(0.0, |economy| {
            let sold = economy.basket.export.iter().zip(products).filter(|(_, product)| product.natural);
            sold.map(|(value, _)| value).sum::<f64>() / country.exports
        })
    }

    pub(super) fn all_profiles(&self) -> Value {
        let tenth = self.world.tenth_best_count();
        let row = |country: &Country| {
            Value::object(
                "AllCountryProfile",
                vec![
                    ("location", self.objects.place(country.place.m49)),
                    ("diversificationGrade", country.grade(tenth).into()),
                    ("eciNatResourcesGdpControlled", country.eci_controlled.into()),
                    ("policyRecommendation", country.policy.as_str().into()),
                ],
            )
        };
        Value::List(self.world.countries.iter().map(row).collect())
    }

    pub(super) fn lookback(&self, country: &Country, info: &ResolveInfo<'_>) -> Value {
        // What is known holds for one period; other periods are scaled, with a deviation of their own.
        let rate = |own: &str, known: f64, period: i32| {
            years(info, own).map(|years| match years {
                years if years == period => known,
                years => known + 0.006 * noise::bell(own, &[country.key(), years.unsigned_abs().into()]),
            })
        };
        let change = |own: &str, known: i64, period: i32| {
            years(info, own).map_or(Value::NULL, |years| {
                Value::int((known as f64 * f64::from(years) / f64::from(period)).round() as i64)
            })
        };
        let when = |own: &str, value: Value| if years(info, own).is_some() { value } else { Value::NULL };
        let contributors = if country.known.contributors_5.is_empty() {
            self.largest_groups(country)
        } else {
            Value::List(country.known.contributors_5.iter().map(|code| self.any_product(code)).collect())
        };
        let eci_change = years(info, "eciChangeYearRange")
            .map(|years| -0.02 * country.eci_rank_change_10 as f64 * f64::from(years) / 10.0);
        let gdp = rate("gdpChangeCagrYearRange", country.growth_per_capita_5 + 0.012, 5);
        let compound = years(info, "gdpChangeCagrYearRange")
            .zip(gdp)
            .map(|(years, rate)| (1.0 + rate).powi(years) - 1.0);
        Value::object(
            "CountryLookback",
            vec![
                ("id", format!("location-{}", country.place.m49).into()),
                ("eciRankChange", change("eciRankChangeYearRange", country.eci_rank_change_10, 10)),
                (
                    "exportValueConstGrowthCagr",
                    rate("exportValueConstGrowthCagrYearRange", country.export_growth_5, 5).into(),
                ),
                (
                    "exportValueGrowthNonOilConstCagr",
                    rate("exportValueGrowthNonOilConstCagrYearRange", country.non_oil_growth_5, 5).into(),
                ),
                (
                    "largestContributingExportProduct",
                    when("largestContributingExportProductYearRange", contributors),
                ),
                ("eciChange", eci_change.into()),
                (
                    "diversityRankChange",
                    change("diversityRankChangeYearRange", country.diversity_rank_change_15, 15),
                ),
                ("diversityChange", change("diversityChangeYearRange", country.diversity_change_10, 10)),
                (
                    "gdpPcConstantCagrRegionalDifference",
                    when("gdpPcConstantCagrRegionalDifferenceYearRange", country.regional_5.as_str().into()),
                ),
                (
                    "exportValueGrowthClassification",
                    when("exportValueGrowthYearRange", country.pattern_5.as_str().into()),
                ),
                ("gdpChangeConstantCagr", gdp.into()),
                (
                    "gdpPerCapitaChangeConstantCagr",
                    rate("gdpChangeCagrYearRange", country.growth_per_capita_5, 5).into(),
                ),
                ("gdpGrowthConstant", compound.into()),
            ],
        )
    }

    pub(super) fn global_datum(&self, info: &ResolveInfo<'_>) -> Value {
        let globals = &self.world.globals;
        let ranked = || Value::int(globals.eci_ranked as i64);
        let rate = |own: &str, value: f64| years(info, own).map_or(Value::NULL, |_| value.into());
        Value::object(
            "GlobalDatum",
            vec![
                ("gdpChangeConstCagr", rate("gdpChangeConstCagrYearRange", globals.gdp_growth)),
                (
                    "exportValueConstChangeCagr",
                    rate("exportValueConstChangeCagrYearRange", globals.export_growth),
                ),
                (
                    "exportValueNonOilConstChangeCagr",
                    rate("exportValueNonOilConstChangeCagrYearRange", globals.non_oil_export_growth),
                ),
                ("globalExportValue", globals.export_value.into()),
                ("latestEciRankTotal", ranked()),
                ("latestCoiRankTotal", ranked()),
                ("latestExporterRankTotal", ranked()),
                ("latestGdpRankTotal", ranked()),
                ("latestGdpPppPerCapitaRankTotal", Value::int(globals.ppp_ranked as i64)),
                ("latestDiversityRankTotal", ranked()),
            ],
        )
    }
}

fn new_product_fields(country: &Country) -> Vec<(&'static str, Value)> {
    let income_growth = if country.new_per_capita >= 5 { "LargeEnough" } else { "TooSmall" };
    let enough = if country.new_count >= 13 { "Sufficient" } else { "TooFew" };
    let prediction = match country.against_income.as_str() {
        "More" | "ModeratelyMore" => "More",
        "Same" => "Same",
        _ => "Less",
    };
    vec![
        ("newProductExportValue", country.new_value.into()),
        ("newProductExportValuePerCapita", Value::int(country.new_per_capita)),
        ("newProductsIncomeGrowthComments", income_growth.into()),
        ("newProductsComments", enough.into()),
        ("newProductsComplexityStatusGrowthPrediction", prediction.into()),
    ]
}
