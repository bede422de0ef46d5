//! Reference lists: countries, products, years, thresholds, conversions.

use super::super::arguments::{int, text};
use super::super::value::Value;
use super::{ExploreRoot, class_of, country_id, since};
use crate::data::World;
use crate::data::class::Class;
use apollo_compiler::resolvers::ResolveInfo;

impl ExploreRoot {
    pub(super) fn location_country(&self) -> Value {
        let row = |place: &crate::data::place::Place| {
            let income = match place.income.as_deref() {
                Some("High") => "high".into(),
                Some("UpperMiddle") => "upper_middle".into(),
                Some("LowerMiddle") => "lower_middle".into(),
                Some("Low") => Value::from("low"),
                _ => Value::NULL,
            };
            Value::object(
                "LocationCountry",
                vec![
                    ("countryId", country_id(place.m49)),
                    ("locationLevel", "country".into()),
                    ("iso3Code", place.iso3.as_str().into()),
                    ("nameEn", place.long.as_str().into()),
                    ("nameShortEn", place.short.as_str().into()),
                    ("nameAbbrEn", place.short.as_str().into()),
                    ("thePrefix", place.the.into()),
                    ("isTrusted", place.has_page().into()),
                    ("formerCountry", false.into()),
                    ("incomelevelEnum", income),
                    ("reportedServ", true.into()),
                    ("reportedServRecent", place.has_page().into()),
                    ("countryProject", false.into()),
                    ("rankingsOverride", false.into()),
                    ("cpOverride", false.into()),
                    ("inRankings", place.has_page().into()),
                    ("inCp", place.has_page().into()),
                    ("inMv", true.into()),
                ],
            )
        };
        Value::List(self.world.places.iter().map(row).collect())
    }

    pub(super) fn products(&self, info: &ResolveInfo<'_>, class: Class) -> Result<Value, String> {
        let services = text(info, "servicesClass") == Some("unilateral");
        let levels: Vec<i32> = int(info, "productLevel").map_or_else(|| vec![1, 2, 4], |level| vec![level]);
        let mut rows = Vec::new();
        for level in levels {
            match level {
                1 => rows.extend(self.sector_objects(class, services)),
                2 => rows.extend(self.group_objects(class, services).into_iter().flatten()),
                4 => rows.extend(self.heading_objects(class, services)?),
                _ => {}
            }
        }
        Ok(Value::unordered(rows))
    }

    fn sector(&self, class: Class, at: usize) -> Value {
        let sector = &self.world.catalogue.sectors[at];
        let service = sector.key == "services";
        let code = if service { sector.key.clone() } else { (at + 1).to_string() };
        let names = (at as u32 + 1, code.as_str(), sector.name.as_str(), sector.long.as_str());
        Value::object("Product", fields(class, names, 1, service))
    }

    fn sector_objects(&self, class: Class, services: bool) -> Vec<Value> {
        let sectors = self.world.catalogue.sectors.iter().enumerate();
        sectors
            .filter(|(_, sector)| services || sector.key != "services")
            .map(|(at, _)| self.sector(class, at))
            .collect()
    }

    fn group_objects(&self, class: Class, services: bool) -> Vec<Option<Value>> {
        let groups = self.world.catalogue.groups.iter();
        groups
            .map(|group| {
                (services || !group.service).then(|| {
                    let names = (group.id, group.code.as_str(), group.short.as_str(), group.long.as_str());
                    let mut own = fields(class, names, 2, group.service);
                    own.push(("parent", self.sector(class, group.sector)));
                    own.push(("topParent", self.sector(class, group.sector)));
                    Value::object("Product", own)
                })
            })
            .collect()
    }

    fn heading_objects(&self, class: Class, services: bool) -> Result<Vec<Value>, String> {
        const SCALE: f64 = 1000.0;
        let table = self.table(class)?;
        let groups = self.group_objects(class, true);
        let sectors = self.sector_objects(class, true);
        let products = self.world.catalogue.products.iter().enumerate();
        let row = |(at, product): (usize, &crate::data::catalogue::Product)| {
            if product.service && !services {
                return None;
            }
            let names =
                (table.ids[at]?, product.code.as_str(), product.short.as_str(), product.long.as_str());
            let mut own = fields(class, names, 4, product.service);
            let place = |value: fn((f64, f64)) -> f64| {
                product.at.map_or(Value::NULL, |at| Value::int((value(at) * SCALE).round() as i64))
            };
            own.extend([
                ("parent", product.group.and_then(|group| groups[group].clone()).unwrap_or(Value::NULL)),
                ("topParent", sectors[product.sector].clone()),
                ("clusterId", product.at.map_or(Value::NULL, |_| Value::int(product.sector as i64 % 8 + 1))),
                ("productSpaceX", place(|(x, _)| x)),
                ("productSpaceY", place(|(_, y)| y)),
                ("isShown", (product.code != "XXXX").into()),
                ("globalExportThreshold", true.into()),
                ("showFeasibility", (!product.service && product.sector != 9).into()),
                ("naturalResource", product.natural.into()),
                (
                    "greenProduct",
                    matches!(product.code.as_str(), "8541" | "8507" | "8406" | "8410" | "2844").into(),
                ),
            ]);
            Some(Value::object("Product", own))
        };
        Ok(products.filter_map(row).collect())
    }

    pub(super) fn year(&self, info: &ResolveInfo<'_>) -> Value {
        let first = int(info, "yearMin").unwrap_or(1962).max(1962);
        let last = int(info, "yearMax").unwrap_or(self.world.year).min(self.world.year);
        let row = |year: i32| {
            Value::object(
                "Year",
                vec![("year", Value::int(year)), ("deflator", self.world.deflator(year).into())],
            )
        };
        Value::List((first..=last).map(row).collect())
    }

    pub(super) fn data_availability(&self) -> Value {
        let row = |class: Class| {
            Value::object(
                "DataAvailability",
                vec![
                    ("productClassification", class.name().into()),
                    ("yearMin", Value::int(class.since())),
                    ("yearMax", Value::int(self.world.year)),
                ],
            )
        };
        Value::List(Class::ALL.into_iter().map(row).collect())
    }

    pub(super) fn metadata(&self) -> Value {
        let fields =
            vec![("serverName", "rhea".into()), ("ingestionDate", self.world.ingested.as_str().into())];
        Value::object("Metadata", fields)
    }

    pub(super) fn thresholds(&self, info: &ResolveInfo<'_>) -> Result<Value, String> {
        let mut rows = Vec::new();
        for country in self.traders(info) {
            let complexity = &self.world.economy(country)?.complexity;
            for year in self.years(info, since(class_of(info))) {
                for (variable, values) in [
                    ("normalized_cog", &complexity.normalized_gain),
                    ("normalized_distance", &complexity.normalized_distance),
                    ("normalized_pci", &complexity.normalized_pci),
                    ("distance", &complexity.distance),
                ] {
                    let mut sorted: Vec<f64> = values.iter().flatten().copied().collect();
                    sorted.sort_by(f64::total_cmp);
                    let mut own = vec![
                        ("countryId", country_id(country.place.m49)),
                        ("year", Value::int(year)),
                        ("variable", variable.into()),
                    ];
                    own.extend(summary(&sorted));
                    rows.push(Value::object("CountryYearThresholds", own));
                }
            }
        }
        Ok(Value::List(rows))
    }

    pub(super) fn conversion(&self, info: &ResolveInfo<'_>) -> Value {
        let classification = |name: &str| text(info, name).unwrap_or_default().to_owned();
        // An empty list of codes at a step says that the code is unchanged.
        Value::List(vec![Value::object(
            "ConversionClassifications",
            vec![
                ("fromClassification", classification("sourceClassification").into()),
                ("toClassification", classification("targetClassification").into()),
                ("codes", Value::List(Vec::new())),
            ],
        )])
    }

    pub(super) fn data_flags(&self, info: &ResolveInfo<'_>) -> Value {
        let row = |country: &crate::data::country::Country| {
            let page = country.place.has_page();
            Value::object(
                "DataFlags",
                vec![
                    ("countryId", country_id(country.place.m49)),
                    ("formerCountry", false.into()),
                    ("year", true.into()),
                    ("minPopulation", (country.population > 1_000_000).into()),
                    ("population", Value::int(country.population)),
                    ("minAvgExport", (country.exports > 1e9).into()),
                    ("avgExport3", (World::FIRST_YEAR < self.world.year).then_some(country.exports).into()),
                    ("rankingsEligible", page.into()),
                    ("countryProfilesEligible", page.into()),
                    ("inRankings", page.into()),
                    ("inCp", page.into()),
                    ("inMv", true.into()),
                ],
            )
        };
        Value::List(self.traders(info).into_iter().map(row).collect())
    }
}

fn fields(
    class: Class,
    (id, code, short, long): (u32, &str, &str, &str),
    level: i32,
    service: bool,
) -> Vec<(&'static str, Value)> {
    vec![
        ("productId", format!("product-{}-{id}", class.name()).into()),
        ("productLevel", Value::int(level)),
        ("code", code.into()),
        ("productType", (if service { "service" } else { "good" }).into()),
        ("nameEn", long.into()),
        ("nameShortEn", short.into()),
    ]
}

fn summary(sorted: &[f64]) -> Vec<(&'static str, Value)> {
    const PARTS: [(&str, f64); 14] = [
        ("min", 0.0),
        ("percentile10", 0.1),
        ("percentile20", 0.2),
        ("percentile25", 0.25),
        ("percentile30", 0.3),
        ("percentile40", 0.4),
        ("percentile50", 0.5),
        ("median", 0.5),
        ("percentile60", 0.6),
        ("percentile70", 0.7),
        ("percentile75", 0.75),
        ("percentile80", 0.8),
        ("percentile90", 0.9),
        ("max", 1.0),
    ];
    let count = sorted.len().max(1) as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let deviation = (sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    let at = |part: f64| sorted.get(((sorted.len().max(1) - 1) as f64 * part).round() as usize).copied();
    let mut own: Vec<(&'static str, Value)> =
        PARTS.iter().map(|(name, part)| (*name, at(*part).into())).collect();
    own.push(("mean", mean.into()));
    own.push(("std", deviation.into()));
    own
}
