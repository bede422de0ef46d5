//! Identifiers of countries, groups and products. The site and its two APIs each have their own notation (`404`,
//! `country-404`, `location-404`; `product-HS92-727`, `product-HS-727`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::Classification;

/// An invalid identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct IdError {
    /// The given text.
    pub text: String,
    /// What a valid identifier looks like, with an example.
    pub expected: &'static str,
}

impl IdError {
    fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

/// The M49 code of a country or area, 1 to 999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CountryId(u16);

impl CountryId {
    const EXPECTED: &'static str =
        "an M49 country code (write `404`, `country-404` or `location-404`, from 1 to 999)";

    /// The country with this M49 code; `None` outside 1 to 999.
    #[must_use]
    pub const fn new(code: u16) -> Option<Self> {
        if code >= 1 && code <= 999 { Some(Self(code)) } else { None }
    }

    /// The code as a number: 76.
    #[must_use]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The notation of the country pages' API: `location-76`.
    #[must_use]
    pub fn location(self) -> String {
        format!("location-{}", self.0)
    }
}

impl FromStr for CountryId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let digits = text.strip_prefix("country-").or_else(|| text.strip_prefix("location-")).unwrap_or(text);
        number(digits, 3)
            .and_then(|code| u16::try_from(code).ok())
            .and_then(Self::new)
            .ok_or_else(|| IdError::new(text, Self::EXPECTED))
    }
}

/// Prints the plain code without padding: `76`.
impl fmt::Display for CountryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Serialize for CountryId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CountryId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u16),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(code) => {
                Self::new(code).ok_or_else(|| IdError::new(&code.to_string(), Self::EXPECTED))
            }
            Form::Text(text) => text.parse(),
        }
        .map_err(serde::de::Error::custom)
    }
}

/// A country, or a group of countries such as the world (`group-1`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlaceId {
    /// A country.
    Country(CountryId),
    /// A group, by the site's number.
    Group(u32),
}

impl PlaceId {
    /// The group of all countries.
    pub const WORLD: Self = Self::Group(1);

    /// The country, if it is one.
    #[must_use]
    pub const fn country(self) -> Option<CountryId> {
        match self {
            Self::Country(id) => Some(id),
            Self::Group(_) => None,
        }
    }
}

impl FromStr for PlaceId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let place = if let Some(digits) = text.strip_prefix("group-") {
            number(digits, 9).filter(|id| *id > 0).map(Self::Group)
        } else if text.starts_with("country-") {
            text.parse().ok().map(Self::Country)
        } else {
            None
        };
        place.ok_or_else(|| IdError::new(text, "a place (write `country-404` or `group-1`)"))
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Country(id) => write!(f, "country-{id}"),
            Self::Group(id) => write!(f, "group-{id}"),
        }
    }
}

/// A product by its internal number, which differs from its code: HS92 `0902` is 727.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProductId {
    /// The classification that the number belongs to.
    pub classification: Classification,
    /// The internal number.
    pub number: u32,
}

impl FromStr for ProductId {
    type Err = IdError;

    /// Parses `product-HS92-727`. The country pages' API writes HS92 as `product-HS-727`.
    fn from_str(text: &str) -> Result<Self, IdError> {
        text.strip_prefix("product-")
            .and_then(|rest| rest.split_once('-'))
            .and_then(|(class, digits)| {
                let classification =
                    if class == "HS" { Some(Classification::Hs92) } else { class.parse().ok() };
                Some(Self { classification: classification?, number: number(digits, 9)? })
            })
            .ok_or_else(|| IdError::new(text, "a product id (write `product-HS92-727`)"))
    }
}

impl fmt::Display for ProductId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "product-{}-{}", self.classification, self.number)
    }
}

/// Parses up to `most` ASCII digits: `+4`, ` 4` and `٤` are not numbers of the site.
fn number(digits: &str, most: usize) -> Option<u32> {
    let plain = !digits.is_empty() && digits.len() <= most && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_every_way_of_writing_a_country() {
        for text in ["76", "076", "country-76", "location-76", "country-076"] {
            assert_eq!(text.parse::<CountryId>().map(CountryId::code), Ok(76), "{text}");
        }
        for text in ["", "0", "000", "1000", "+76", " 76", "-76", "group-76", "country-", "7a", "٧٦"] {
            assert!(text.parse::<CountryId>().is_err(), "{text}");
        }
    }

    #[test]
    fn error_says_what_to_write() {
        let error = "Kenya".parse::<CountryId>().unwrap_err().to_string();
        assert!(error.contains("`Kenya`") && error.contains("`country-404`"), "{error}");
    }

    #[test]
    fn reads_countries_from_json_numbers_and_texts() {
        let ids: Vec<CountryId> = serde_json::from_str(r#"[404, "076", "location-724"]"#).unwrap();
        assert_eq!(serde_json::to_string(&ids).unwrap(), r#"["404","76","724"]"#);
        assert!(serde_json::from_str::<CountryId>("0").is_err());
    }

    #[test]
    fn a_bare_number_is_not_a_place() {
        assert!("404".parse::<PlaceId>().is_err());
        assert!("location-404".parse::<PlaceId>().is_err());
        assert_eq!("group-1".parse(), Ok(PlaceId::WORLD));
    }

    #[test]
    fn products_keep_their_classification() {
        let tea: ProductId = "product-HS-727".parse().unwrap();
        assert_eq!(tea.to_string(), "product-HS92-727");
        assert!("product-HS96-727".parse::<ProductId>().is_err());
        assert!("product-727".parse::<ProductId>().is_err());
    }

    proptest! {
        #[test]
        fn country_forms_round_trip(code in 1u16..=999) {
            let id = CountryId::new(code).unwrap();
            for text in [id.to_string(), format!("{:03}", id.code()), id.location(), format!("country-{id}")] {
                prop_assert_eq!(text.parse(), Ok(id));
            }
        }

        #[test]
        fn place_and_product_forms_round_trip(n in 1u32..999_999_999, class in 0usize..4) {
            let place = PlaceId::Group(n);
            prop_assert_eq!(place.to_string().parse(), Ok(place));
            let name = ["HS92", "HS12", "HS22", "SITC"][class];
            let product = ProductId { classification: name.parse().unwrap(), number: n };
            prop_assert_eq!(product.to_string().parse(), Ok(product));
        }

        #[test]
        fn any_text_is_refused_or_reads_back(text in "\\PC{0,16}") {
            if let Ok(id) = text.parse::<CountryId>() {
                prop_assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
    }
}
