//! Groups are what their members are: figures and trade agree with the members' own rows.

use super::{explore, rows, same, sum, twin};
use serde_json::Value;
use std::fmt::Write;

fn members(groups: &Value, id: &str) -> Vec<u32> {
    let group = rows(groups, "locationGroup").iter().find(|row| row["groupId"] == id).unwrap();
    let number = |member: &Value| member.as_str().unwrap().rsplit('-').next().unwrap().parse().unwrap();
    group["members"].as_array().unwrap().iter().map(number).collect()
}

fn value(rows: &[Value], product: &Value, field: &str) -> f64 {
    rows.iter().find(|row| row["productId"] == *product).map_or(0.0, |row| row[field].as_f64().unwrap())
}

#[tokio::test]
async fn exports_of_a_group_are_its_members_goods_of_the_year() {
    let twin = twin().await;
    let groups = explore(&twin, "{ locationGroup { groupId members } }").await;
    for (id, year) in [(2, 2024), (2, 2013), (6, 2019), (1, 2024)] {
        let inside = members(&groups, &format!("group-{id}"));
        let found = explore(
            &twin,
            &format!(
                "{{ groupYear(groupId: {id}, yearMin: {year}, yearMax: {year}) {{ exportValue gdp population }} \
                countryProductYear(productLevel: 1, yearMin: {year}, yearMax: {year}) {{ countryId exportValue }} \
                countryYear(yearMin: {year}, yearMax: {year}) {{ countryId gdp population }} }}"
            ),
        )
        .await;
        let inside =
            |row: &&Value| inside.iter().any(|member| row["countryId"] == format!("country-{member}"));
        let group = &found["groupYear"][0];
        let goods = sum(rows(&found, "countryProductYear").iter().filter(inside), "exportValue");
        assert!(same(group["exportValue"].as_f64().unwrap(), goods), "{id} {year}: {group} {goods}");
        for field in ["gdp", "population"] {
            let own = sum(rows(&found, "countryYear").iter().filter(inside), field);
            assert!(same(group[field].as_f64().unwrap(), own), "{id} {year} {field}");
        }
    }
}

#[tokio::test]
async fn growth_of_a_group_is_that_of_its_years() {
    let twin = twin().await;
    let found = explore(
        &twin,
        "{ locationGroup { groupId exportValueSum gdpSum exportValueCagr3 exportValueCagr5 exportValueCagr15 \
        exportValueNonOilCagr5 gdpCagr10 gdpConstCagr10 gdppcConstCagr10 } \
        groupYear(yearMin: 2009) { groupId year exportValue gdp population } year(yearMin: 2009) { year deflator } }",
    )
    .await;
    for group in rows(&found, "locationGroup") {
        let of = |year: i32, field: &str| {
            let row = rows(&found, "groupYear")
                .iter()
                .find(|row| row["groupId"] == group["groupId"] && row["year"] == year)
                .unwrap();
            row[field].as_f64().unwrap()
        };
        let deflator = |year: i32| {
            rows(&found, "year").iter().find(|row| row["year"] == year).unwrap()["deflator"].as_f64().unwrap()
        };
        let rate = |field: &str, years: i32| {
            (of(2024, field) / of(2024 - years, field)).powf(1.0 / f64::from(years)) - 1.0
        };
        let is = |name: &str, rate: f64| {
            let found = group[name].as_f64().unwrap();
            assert!((found - rate).abs() < 1e-6, "{group} {name}: {found} {rate}");
        };
        for years in [3, 5, 15] {
            is(&format!("exportValueCagr{years}"), rate("exportValue", years));
        }
        let prices = deflator(2014).powf(0.1);
        is("gdpCagr10", rate("gdp", 10));
        is("gdpConstCagr10", (1.0 + rate("gdp", 10)) * prices - 1.0);
        is("gdppcConstCagr10", (1.0 + rate("gdp", 10)) * prices / (1.0 + rate("population", 10)) - 1.0);
        assert!(same(group["exportValueSum"].as_f64().unwrap(), of(2024, "exportValue")), "{group}");
        assert!(same(group["gdpSum"].as_f64().unwrap(), of(2024, "gdp")), "{group}");
        assert!(group["exportValueNonOilCagr5"].as_f64().unwrap().abs() < 0.3, "{group}");
    }
}

#[tokio::test]
#[ignore = "slow: make test-deep"]
async fn what_a_group_trades_is_what_its_members_trade() {
    let twin = twin().await;
    let groups = explore(&twin, "{ locationGroup { groupId members } }").await;
    let inside = members(&groups, "group-947");
    for (class, year) in [("HS92", 2024), ("HS12", 2016), ("SITC", 2024)] {
        let rest = format!("productLevel: 4, productClass: {class}, yearMin: {year}, yearMax: {year}");
        let mut query = format!(
            "{{ group: groupCountryProductYear(groupId: 947, partnerCountryId: 840, {rest}) {{ productId exportValue importValue }} \
            country: countryGroupProductYear(countryId: 840, partnerGroupId: 947, {rest}) {{ productId exportValue importValue }}"
        );
        for member in &inside {
            for (name, seller, buyer) in [("of", *member, 840), ("to", 840, *member)] {
                write!(query, " {name}{member}: countryCountryProductYear(countryId: {seller}, partnerCountryId: {buyer}, {rest}) {{ productId exportValue importValue }}").unwrap();
            }
        }
        let found = explore(&twin, &(query + " }")).await;
        for (group, name) in [("group", "of"), ("country", "to")] {
            let own = rows(&found, group);
            assert!(own.len() > 700 && sum(own, "exportValue") > 0.0, "{class} {group}: {}", own.len());
            for row in own.iter().step_by(7) {
                for field in ["exportValue", "importValue"] {
                    let each = inside.iter().map(|member| {
                        value(rows(&found, &format!("{name}{member}")), &row["productId"], field)
                    });
                    let sum: f64 = each.sum();
                    assert!(same(row[field].as_f64().unwrap(), sum), "{class} {group} {field}: {row} {sum}");
                }
            }
        }
    }
}

#[tokio::test]
async fn trade_with_the_world_is_all_trade() {
    let twin = twin().await;
    for (class, year) in [("HS92", 2024), ("HS12", 2016)] {
        let rest = format!(
            "productLevel: 2, productClass: {class}, servicesClass: unilateral, yearMin: {year}, yearMax: {year}"
        );
        let found = explore(
            &twin,
            &format!(
                "{{ own: countryProductYear(countryId: 76, {rest}) {{ productId exportValue importValue }} \
                to: countryGroupProductYear(countryId: 76, partnerGroupId: 1, {rest}) {{ productId exportValue importValue }} \
                of: groupCountryProductYear(groupId: 1, partnerCountryId: 76, {rest}) {{ productId exportValue importValue }} }}"
            ),
        )
        .await;
        for row in rows(&found, "own") {
            let [export, import] = ["exportValue", "importValue"].map(|field| row[field].as_f64().unwrap());
            let of = |list: &str, field: &str| value(rows(&found, list), &row["productId"], field);
            assert!(same(of("to", "exportValue"), export) && same(of("to", "importValue"), import), "{row}");
            assert!(same(of("of", "importValue"), export) && same(of("of", "exportValue"), import), "{row}");
        }
    }
}
