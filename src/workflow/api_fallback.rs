//! API fallback: our own queries beside those that pages send. They check the live schemas before
//! the first page, and fetch drawn values that the page's own responses lack (decisions 9, 11, 20).

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::acquire::graphql::{ApiError, ApiQuestion, Client, Effect, QueryDocument, SchemaCache};
use crate::atlas::{Api, AtlasUrl, ChangedField, SitePage};
use crate::capture::{Capture, Exchange};
use crate::event::{Event, Events};
use crate::extract::{Exchanges, Extraction, Extractor, Extractors, FailureKind, FallbackQuery, Wanted};
use crate::value::Period;

/// The client and the schema cache for our own queries.
#[derive(Debug, Clone)]
pub struct OwnApi {
    /// The client. It shares the request budget of the visits.
    pub client: Client,
    /// Live schemas fetched within the last day.
    pub schemas: SchemaCache,
}

/// How a live schema differs from the one our queries were written for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SchemaCheck {
    /// The API.
    pub api: Api,
    /// Differences that affect one of our queries.
    pub differences: Vec<String>,
    /// The number of differences that affect none.
    pub harmless: usize,
    /// Queries that are not sent because of a difference.
    pub disabled: Vec<String>,
    /// Fields that only one of the two schemas has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<ChangedField>,
    /// Why the schemas could not be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl OwnApi {
    /// Compares both live schemas and disables every query that depends on a difference. Fields
    /// that the specs know by a new name are queried under that name. An unreachable API stops
    /// nothing.
    pub(super) async fn check_schemas(
        &self,
        extractors: &Extractors,
        now: Timestamp,
        events: &Events,
    ) -> Vec<SchemaCheck> {
        let mut checks = Vec::new();
        for &api in Api::ALL {
            let names = extractors.new_names(api);
            let check = match self.client.check_schema_with(api, &names, &self.schemas, now).await {
                Ok(report) => {
                    let (harmless, breaking): (Vec<_>, Vec<_>) =
                        report.differences.iter().partition(|difference| difference.effect == Effect::None);
                    SchemaCheck {
                        api,
                        differences: breaking.into_iter().map(|one| one.element.clone()).collect(),
                        harmless: harmless.len(),
                        disabled: report.disabled,
                        fields: report.fields,
                        failure: None,
                    }
                }
                Err(error) => SchemaCheck {
                    api,
                    differences: Vec::new(),
                    harmless: 0,
                    disabled: Vec::new(),
                    fields: Vec::new(),
                    failure: Some(error.to_string()),
                },
            };
            events.emit(&Event::SchemaCompared {
                api: api.to_string(),
                differences: check.differences.clone(),
                disabled: check.disabled.clone(),
                failure: check.failure.clone(),
            });
            checks.push(check);
        }
        checks
    }

    /// Queries the wanted drawn values that the page's own responses lack, then extracts these
    /// points again.
    pub(super) async fn complete(
        &self,
        extractor: &Extractor,
        url: &AtlasUrl,
        drawn: &BTreeSet<Wanted>,
        capture: &mut Capture,
        extraction: &mut Extraction,
    ) {
        let points = extraction.points.iter().filter(|(wanted, _)| drawn.contains(wanted));
        let open: Vec<Wanted> = points
            .filter(|(_, outcome)| outcome.as_ref().is_err_and(|failure| failure.may_ask_ourselves()))
            .map(|(wanted, _)| wanted.clone())
            .collect();
        let mut unanswered = Vec::new();
        // without the page's year the query would return a value of another context
        let year = extraction.year;
        for wanted in open.iter().filter(|_| year.is_some()) {
            for query in extractor.fallback(url, Some(capture), std::slice::from_ref(wanted)) {
                match ask(&self.client, &FallbackQuery { year, ..query }).await {
                    Ok(Some(exchange)) if !capture.own.contains(&exchange) => {
                        capture.own.push(exchange);
                    }
                    Ok(_) => {}
                    Err(error) => unanswered.push((wanted.clone(), error.to_string())),
                }
            }
        }
        if !capture.own.is_empty() {
            let again = extractor.extract(capture, url, &open);
            for (wanted, outcome) in again.points {
                extraction.replace(&wanted, outcome);
            }
        }
        for (wanted, why) in unanswered {
            extraction.explain(&wanted, FailureKind::NotAnswered(why));
        }
    }
}

/// Queries everything that is wanted of a page without visiting it. Country figures are for the
/// newest year, which the country profile names.
pub(super) async fn answers(
    client: &Client,
    url: &AtlasUrl,
    wanted: &[(&Extractor, Vec<Wanted>)],
) -> Result<Vec<Exchange>, ApiError> {
    let mut kept = Vec::new();
    let mut newest = None;
    if let SitePage::Country { country, .. } = url.page {
        kept.push(client.query(Api::Country, "CountryProfile", &ApiQuestion::about(country)).await?);
        newest = Some(newest_year(&kept)?);
    }
    let queries = wanted.iter().flat_map(|(extractor, wanted)| extractor.fallback(url, None, wanted));
    let queries: BTreeSet<_> = queries.filter(|query| query.field != "countryProfile").collect();
    for query in queries {
        let year = query.year.or(newest);
        kept.extend(ask(client, &FallbackQuery { year, ..query }).await?);
    }
    Ok(kept)
}

/// The year of the newest figures, as stated by the country profile.
fn newest_year(exchanges: &[Exchange]) -> Result<i16, ApiError> {
    let exchanges = Exchanges::read_ours(exchanges, &[]);
    let read =
        || exchanges.named("countryProfile").find_map(|root| root.get("latestGdpPerCapita.year")?.as_i64());
    let (year, unread) = exchanges.unread().during(read);
    let year = year.and_then(|year| i16::try_from(year).ok());
    year.ok_or_else(|| {
        let unknown = "countryProfile: the response does not name the newest year";
        if unread.is_empty() {
            return ApiError::Question(unknown.into());
        }
        let errors = unread.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let operation = "CountryProfile".to_owned();
        ApiError::Failed { api: Api::Country, operation, message: format!("{unknown}: {errors}") }
    })
}

/// Sends a query through the document that selects its field. Returns nothing if no document does.
async fn ask(client: &Client, query: &FallbackQuery) -> Result<Option<Exchange>, ApiError> {
    let partners = query.facet.as_deref() == Some("CCY_C");
    let document = match query.field.as_str() {
        "treeMap" if partners => "TreeMapPartners".to_owned(),
        "treeMap" => "TreeMapProducts".to_owned(),
        field => field[..1].to_uppercase() + &field[1..],
    };
    let Some(document) = QueryDocument::named(query.api, &document) else { return Ok(None) };
    if query.field.starts_with("country") && query.country().is_none() {
        return Err(ApiError::Question(format!("{}: no country is named", query.field)));
    }
    let question = ApiQuestion {
        subject: query.subject,
        partner: query.partner,
        product: query.product,
        class: query.class,
        level: Some(query.level),
        services: query.services,
        // the site shows partners for the newest year
        years: query.year.filter(|_| !partners).map(Period::year),
        window: query.window.clone(),
        code: query.code.clone(),
        target: query.target.clone(),
    };
    client.query(query.api, document.name, &question).await.map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_year_is_guessed_where_the_profile_names_none() {
        let profile = |year: &str| {
            Exchange {
            url: "http://site/api/countries/graphql".into(),
            request: r#"{"query":"{ countryProfile(location: \"location-404\") { latestGdpPerCapita { year } } }"}"#.into(),
            status: 200,
            response: format!(r#"{{"data":{{"countryProfile":{{"latestGdpPerCapita":{year}}}}}}}"#),
        }
        };
        assert_eq!(newest_year(&[profile(r#"{"year":2023}"#)]).unwrap(), 2023);
        for unknown in [profile("null"), profile(r#"{"year":null}"#)] {
            let error = newest_year(&[unknown]).unwrap_err().to_string();
            assert!(error.contains("does not name the newest year"), "{error}");
        }
        let mut partial = profile(r#"{"year":null}"#);
        let errors = r#","errors":[{"message":"no data behind it","path":["countryProfile","latestGdpPerCapita","year"]}]}"#;
        partial.response = format!("{}{errors}", &partial.response[..partial.response.len() - 1]);
        let error = newest_year(&[partial]).unwrap_err();
        assert!(matches!(error, ApiError::Failed { .. }), "{error:?}");
        let said = error.to_string();
        assert!(said.contains("countryProfile.latestGdpPerCapita.year: no data behind it"), "{said}");
    }
}
