//! Typed questions to the APIs in place of a page's own queries: which ones hold what the points of a page need.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::acquire::graphql::country::{
    AllProductYear, CountryLookback, CountryProfile, CountryYear, GlobalDatum, LookBackYearRange,
    NewProductsCountry, TreeMapPartners, TreeMapProducts,
};
use crate::acquire::graphql::{ApiError, Ask, Client, Level, Reply};
use crate::atlas::CountryId;
use crate::capture::Exchange;
use crate::manifest::spec::Point;
use crate::value::Classification;

/// A reply to a question of our own, kept as one to a page would be.
pub(super) fn exchange<A: Ask>(client: &Client, reply: &Reply) -> Exchange {
    Exchange {
        url: format!("{}{}", client.base().as_str().trim_end_matches('/'), A::API.path()),
        request: reply.request.clone(),
        status: reply.status,
        response: String::from_utf8_lossy(&reply.body).into_owned(),
    }
}

/// Asks one question and keeps its exchange.
pub(super) async fn one<A: Ask>(
    client: &Client,
    question: A,
    kept: &mut Vec<Exchange>,
) -> Result<(), ApiError> {
    let answer = client.ask(&question).await?;
    kept.push(exchange::<A>(client, &answer.reply));
    Ok(())
}

/// The windows of look-back questions by how specs name them.
const WINDOWS: [(&str, LookBackYearRange); 4] = [
    ("ThreeYears", LookBackYearRange::ThreeYears),
    ("FiveYears", LookBackYearRange::FiveYears),
    ("TenYears", LookBackYearRange::TenYears),
    ("FifteenYears", LookBackYearRange::FifteenYears),
];

/// What these points of a country's page need. Figures are of `year`; of the newest one, which the profile tells, where
/// none is given.
pub(super) async fn of_country<'p>(
    client: &Client,
    points: impl Iterator<Item = &'p Point>,
    country: CountryId,
    year: Option<i16>,
) -> Result<Vec<Exchange>, ApiError> {
    let mut kept = Vec::new();
    let mut needs: BTreeSet<(&str, &str)> = BTreeSet::new();
    for response in points.filter_map(|point| point.response.as_ref()) {
        let detail = response.window.as_ref().or_else(|| response.args.get("facet"));
        needs.insert((&response.field, detail.map_or("", String::as_str)));
        needs.extend(response.or_field.iter().map(|field| (field.as_str(), "")));
    }
    if year.is_none() {
        one(client, CountryProfile { country }, &mut kept).await?;
    }
    let profiled = year.is_none();
    let year = year.unwrap_or_else(|| newest_year(&kept));
    for (field, detail) in needs {
        match (field, detail) {
            ("countryProfile", _) if !profiled => {
                one(client, CountryProfile { country }, &mut kept).await?;
            }
            ("countryLookback", window) => {
                if let Some((_, range)) = WINDOWS.iter().find(|(name, _)| *name == window) {
                    let question = CountryLookback { country, range: range.clone(), class: None };
                    one(client, question, &mut kept).await?;
                }
            }
            ("treeMap", "CCY_C") => one(client, TreeMapPartners { country, year: None }, &mut kept).await?,
            ("treeMap", _) => {
                let class = Some(Classification::Hs92);
                let question = TreeMapProducts { country, class, level: Level::FourDigit, year: Some(year) };
                one(client, question, &mut kept).await?;
            }
            ("countryYear", _) => {
                let eci_class = Some(Classification::Sitc);
                one(client, CountryYear { country, year, eci_class, coi_class: None }, &mut kept).await?;
            }
            ("newProductsCountry", _) => one(client, NewProductsCountry { country, year }, &mut kept).await?,
            ("allProductYear", _) => {
                let question = AllProductYear { class: Classification::Hs92, level: Level::FourDigit, year };
                one(client, question, &mut kept).await?;
            }
            ("globalDatum", _) => one(client, GlobalDatum { range: None, class: None }, &mut kept).await?,
            _ => {}
        }
    }
    Ok(kept)
}

/// The year of the newest figures, as the profile says it.
fn newest_year(kept: &[Exchange]) -> i16 {
    let year = kept.first().and_then(|exchange| {
        let answer: Json = serde_json::from_str(&exchange.response).ok()?;
        let profile = answer.get("data")?.as_object()?.values().next()?;
        i16::try_from(profile.get("latestGdpPerCapita")?.get("year")?.as_i64()?).ok()
    });
    year.unwrap_or(2024)
}
