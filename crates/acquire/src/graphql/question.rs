//! The question of an API query, converted to the variables of its document.

use serde_json::{Map, Value};

use super::document::QueryDocument;
use super::error::ApiError;
use crate::atlas::Api;
use crate::atlas::{CountryId, PlaceId, ProductId};
use crate::value::{Classification, Period};

/// A question. Each document uses the parts its variables name; missing parts stay open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApiQuestion {
    /// The country or group; `None` for all countries.
    pub subject: Option<PlaceId>,
    /// The partner; `None` for all.
    pub partner: Option<PlaceId>,
    /// One product of `class`, or all.
    pub product: Option<ProductId>,
    /// The classification of products, or the one the ECI is based on.
    pub class: Option<Classification>,
    /// Digits of the products: 1 for sectors, 2, 4, or 6.
    pub level: Option<u8>,
    /// Whether to include services.
    pub services: bool,
    /// The years; `None` for the API's default.
    pub years: Option<Period>,
    /// The period of changes, as the country pages' API names it: `FiveYears`.
    pub window: Option<String>,
    /// The code of a product to convert from `class`.
    pub code: Option<String>,
    /// The classification to convert it to: `HS2012`.
    pub target: Option<String>,
}

impl ApiQuestion {
    /// A question about one country.
    #[must_use]
    pub fn about(country: CountryId) -> Self {
        Self { subject: Some(PlaceId::Country(country)), ..Self::default() }
    }

    /// The variables of a document.
    ///
    /// # Errors
    /// The question lacks a part that the document needs, or the API does not have such a part.
    pub(super) fn variables(&self, document: &QueryDocument) -> Result<Value, ApiError> {
        let mut variables = Map::new();
        for (name, ty) in &document.needs.variables {
            match self.variable(document.api, name)? {
                Some(value) => drop(variables.insert(name.clone(), value)),
                None if ty.ends_with('!') => {
                    return Err(ApiError::Question(format!("{}: {name} is missing", document.name)));
                }
                None => {}
            }
        }
        Ok(Value::Object(variables))
    }

    fn variable(&self, api: Api, name: &str) -> Result<Option<Value>, ApiError> {
        let refused = |message: String| Err(ApiError::Question(message));
        let year = |of: fn(Period) -> i16| Ok(self.years.map(|years| of(years).into()));
        let country = |place: Option<PlaceId>| place.and_then(PlaceId::country);
        let group = |place: Option<PlaceId>| match place {
            Some(PlaceId::Group(group)) => Some(group.into()),
            _ => None,
        };
        match name {
            "countryId" => Ok(country(self.subject).map(|country| country.code().into())),
            "location" | "id" => Ok(country(self.subject).map(|country| country.location().into())),
            "partnerCountryId" => Ok(country(self.partner).map(|country| country.code().into())),
            "groupId" => Ok(group(self.subject)),
            "partnerGroupId" => Ok(group(self.partner)),
            "productId" => match (self.product, self.class) {
                (Some(product), Some(class)) if product.classification != class => refused(format!(
                    "{product} is not a product of {}: numbers differ between classifications",
                    class.name()
                )),
                (product, _) => Ok(product.map(|product| product.number.into())),
            },
            "productClass" | "eciProductClass" => match (api, self.class) {
                (Api::Country, Some(Classification::Hs92)) => Ok(Some("HS".into())),
                (Api::Country, Some(class @ (Classification::Hs12 | Classification::Hs22))) => {
                    refused(format!("the country pages' API has HS92 and SITC, not {}", class.name()))
                }
                (_, class) => Ok(class.map(|class| class.name().into())),
            },
            "productLevel" => match (api, self.level) {
                (Api::Explore, level) => Ok(level.map(Into::into)),
                (Api::Country, None) => Ok(None),
                (Api::Country, Some(1)) => Ok(Some("section".into())),
                (Api::Country, Some(2)) => Ok(Some("twoDigit".into())),
                (Api::Country, Some(4)) => Ok(Some("fourDigit".into())),
                (Api::Country, Some(digits)) => {
                    refused(format!("the country pages' API has no products of {digits} digits"))
                }
            },
            "servicesClass" => Ok(self.services.then(|| "unilateral".into())),
            "year" | "yearMax" => year(|years| years.end),
            "yearMin" => year(|years| years.start),
            "sourceCode" => Ok(self.code.clone().map(Into::into)),
            "targetClassification" => Ok(self.target.clone().map(Into::into)),
            "sourceClassification" => Ok(self.class.map(|class| edition(class).into())),
            "yearRange" => Ok(self.window.clone().map(Into::into)),
            // The site chooses it.
            "coiProductClass" => Ok(None),
            _ => refused(format!("no question has a `{name}`")),
        }
    }
}

/// The edition of a classification that the site uses, as conversions name it.
const fn edition(class: Classification) -> &'static str {
    match class {
        Classification::Hs92 => "HS1992",
        Classification::Hs12 => "HS2012",
        Classification::Hs22 => "HS2022",
        Classification::Sitc => "SITC1976",
    }
}

#[cfg(test)]
mod tests {
    use apollo_compiler::request::coerce_variable_values;
    use apollo_compiler::{ExecutableDocument, validation::Valid};

    use super::*;
    use crate::graphql::documents;

    fn kenya() -> ApiQuestion {
        ApiQuestion {
            level: Some(4),
            years: Some(Period::year(2024)),
            ..ApiQuestion::about(CountryId::new(404).unwrap())
        }
    }

    /// All of a question's parts, spelled as the documents' schemas spell them.
    #[test]
    fn every_variable_of_every_document_is_filled_with_what_its_schema_takes() {
        for class in [Classification::Hs92, Classification::Sitc] {
            for window in ["ThreeYears", "FiveYears", "TenYears", "FifteenYears"] {
                for document in documents() {
                    let group = PlaceId::Group(1);
                    let question = ApiQuestion {
                        subject: if document.name.starts_with("Group") {
                            Some(group)
                        } else {
                            kenya().subject
                        },
                        partner: document.name.contains("Group").then_some(group),
                        class: Some(class),
                        services: true,
                        window: Some(window.to_owned()),
                        code: Some("0901".to_owned()),
                        target: Some("HS2012".to_owned()),
                        ..kenya()
                    };
                    let variables = question.variables(document).unwrap();
                    let schema = document.api.schema().unwrap();
                    let parsed: Valid<ExecutableDocument> =
                        ExecutableDocument::parse_and_validate(schema, document.text, document.file).unwrap();
                    let operation = parsed.operations.iter().next().unwrap();
                    let raw = serde_json::from_value(variables.clone()).unwrap();
                    let coerced = coerce_variable_values(schema, operation, &raw);
                    assert!(coerced.is_ok(), "{}: {variables}: {:?}", document.file, coerced.err());
                }
            }
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let asked = |api, name: &str, question: ApiQuestion| {
            question.variables(QueryDocument::named(api, name).unwrap()).unwrap_err().to_string()
        };
        let product = Some("product-HS92-726".parse().unwrap());
        let mixed = ApiQuestion { class: Some(Classification::Hs12), product, ..kenya() };
        assert!(asked(Api::Explore, "CountryProductYear", mixed).contains("product-HS92-726 is not"));
        let hs12 = ApiQuestion { class: Some(Classification::Hs12), ..kenya() };
        assert!(asked(Api::Country, "AllProductYear", hs12).contains("not HS12"));
        let six = ApiQuestion { class: Some(Classification::Hs92), level: Some(6), ..kenya() };
        assert!(asked(Api::Country, "TreeMapProducts", six).contains("6 digits"));
        let nobody = ApiQuestion { subject: None, ..kenya() };
        assert!(asked(Api::Country, "CountryProfile", nobody.clone()).contains("location is missing"));
        assert!(asked(Api::Explore, "GroupCountryProductYear", nobody).contains("groupId is missing"));
    }
}
