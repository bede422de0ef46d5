//! Reference lists: countries, years, data coverage, and data age.

use super::super::arguments::int;
use super::super::value::Value;
use super::{ExploreRoot, country_id};
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
                    ("thePrefix", place.the.is_some().into()),
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
        Value::List(Class::ALL.iter().copied().map(row).collect())
    }

    pub(super) fn metadata(&self) -> Value {
        let fields =
            vec![("serverName", "rhea".into()), ("ingestionDate", self.world.ingested.as_str().into())];
        Value::object("Metadata", fields)
    }
}
