//! Queries of our own, beside those that the pages send: the live schemas before the first page, and what a page draws
//! without having sent anything that holds it (decisions 9, 11, 20).

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;

use super::questions;
use super::visit::Seen;
use crate::acquire::graphql::explore::{
    CountryCountryProductYear, CountryCountryYear, CountryGroupProductYear, CountryProductYear,
    GroupCountryProductYear, ProductYear,
};
use crate::acquire::graphql::{Api, ApiError, Ask, Client, Effect, Level, SchemaCache};
use crate::atlas::{AtlasUrl, Page, PlaceId};
use crate::capture::Exchange;
use crate::event::{Event, Events};
use crate::extract::{Extractor, FailureKind, Lacking, Wanted};
use crate::value::Period;

/// What queries of our own are sent with.
#[derive(Debug, Clone)]
pub struct OwnApi {
    /// The client; it shares the budget of the visits.
    pub client: Client,
    /// The live schemas that were asked for in the last day.
    pub schemas: SchemaCache,
}

/// How a live schema compares with the one that our queries were written for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaCheck {
    /// The API.
    pub api: Api,
    /// What differs and is used by a query of ours.
    pub differences: Vec<String>,
    /// What differs and is not.
    pub harmless: usize,
    /// The queries that are not sent because of it.
    pub disabled: Vec<String>,
    /// Why nothing could be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl OwnApi {
    /// Compares both live schemas. From then on a query that depends on a difference is not sent, any other is. That
    /// an API cannot be asked stops nothing.
    pub(super) async fn check_schemas(&self, now: Timestamp, events: &Events) -> Vec<SchemaCheck> {
        let mut checks = Vec::new();
        for api in Api::ALL {
            let check = match self.client.check_schema(api, &self.schemas, now).await {
                Ok(report) => {
                    let (harmless, breaking): (Vec<_>, Vec<_>) =
                        report.differences.iter().partition(|difference| difference.effect == Effect::None);
                    SchemaCheck {
                        api,
                        differences: breaking.into_iter().map(|one| one.element.clone()).collect(),
                        harmless: harmless.len(),
                        disabled: report.disabled,
                        failure: None,
                    }
                }
                Err(error) => SchemaCheck {
                    api,
                    differences: Vec::new(),
                    harmless: 0,
                    disabled: Vec::new(),
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

    /// Asks for what the page's own responses lack of the drawn values that are wanted, and reads these again.
    pub(super) async fn complete(
        &self,
        extractor: &Extractor,
        url: &AtlasUrl,
        drawn: &BTreeSet<Wanted>,
        seen: &mut Seen,
    ) {
        let open: Vec<Wanted> = seen
            .extraction
            .points
            .iter()
            .filter(|(wanted, outcome)| {
                drawn.contains(wanted) && outcome.as_ref().is_err_and(|failure| failure.may_ask_ourselves())
            })
            .map(|(wanted, _)| wanted.clone())
            .collect();
        let mut unanswered = Vec::new();
        let mut answers: Vec<Exchange> = Vec::new();
        for wanted in &open {
            match &url.page {
                Page::Country { country, .. } => {
                    // of the year that the page names, or the figure would be of another context
                    let Some(year) = seen.extraction.year else { continue };
                    let point = extractor.spec().point(&wanted.data_point).into_iter();
                    match questions::of_country(&self.client, point, *country, Some(year)).await {
                        Ok(exchanges) => answers.extend(exchanges),
                        Err(error) => unanswered.push((wanted.clone(), error.to_string())),
                    }
                }
                Page::Explore(_) => {
                    for lacking in extractor.lacking(&seen.capture, url, wanted) {
                        match self.ask(&lacking).await {
                            Ok(exchange) => answers.push(exchange),
                            Err(error) => unanswered.push((wanted.clone(), error.to_string())),
                        }
                    }
                }
            }
        }
        for exchange in answers {
            if !seen.capture.own.contains(&exchange) {
                seen.capture.own.push(exchange);
            }
        }
        if !seen.capture.own.is_empty() {
            let again = extractor.extract(&seen.capture, url, &open);
            for (wanted, outcome) in again.points {
                seen.extraction.replace(&wanted, outcome);
            }
        }
        for (wanted, why) in unanswered {
            seen.extraction.explain(&wanted, FailureKind::NotAnswered(why));
        }
    }

    async fn send<A: Ask>(&self, question: A) -> Result<Exchange, ApiError> {
        let answer = self.client.ask(&question).await?;
        Ok(questions::exchange::<A>(&self.client, &answer.reply))
    }

    async fn ask(&self, lacking: &Lacking) -> Result<Exchange, ApiError> {
        let Lacking { class, product, .. } = *lacking;
        let level = match lacking.level {
            1 => Level::Section,
            2 => Level::TwoDigit,
            6 => Level::SixDigit,
            _ => Level::FourDigit,
        };
        let years = Some(Period::year(lacking.year));
        let country = lacking.country();
        let partner = lacking.partner.and_then(PlaceId::country);
        let nobody = |what: &str| Err(ApiError::Question(format!("{}: no {what} is named", lacking.field)));
        match lacking.field {
            "countryProductYear" if country.is_some() => {
                self.send(CountryProductYear { level, class, services: true, country, product, years }).await
            }
            "productYear" => {
                self.send(ProductYear { level, class, services: true, product: None, years }).await
            }
            "countryCountryYear" if country.is_some() => {
                let question = CountryCountryYear { class, services: false, country, partner: None, years };
                self.send(question).await
            }
            "countryCountryProductYear" if country.is_some() => {
                let services = false;
                let question =
                    CountryCountryProductYear { country, partner, level, class, services, product, years };
                self.send(question).await
            }
            "countryGroupProductYear" => {
                let Some(PlaceId::Group(partner_group)) = lacking.partner else { return nobody("group") };
                let services = false;
                let question = CountryGroupProductYear {
                    partner_group,
                    level,
                    class,
                    services,
                    product,
                    country,
                    years,
                };
                self.send(question).await
            }
            "groupCountryProductYear" => {
                let Some(group) = lacking.group() else { return nobody("group") };
                let services = false;
                let question =
                    GroupCountryProductYear { group, level, class, services, product, partner, years };
                self.send(question).await
            }
            _ => nobody("country"),
        }
    }
}
