//! The fields of a component's answer, and how their values are compared.

use serde_json::{Map, Value};

use super::Component;
use crate::atlas::{CountryId, PlaceId, ProductId, lookup};
use crate::value::fold::fold;

/// How values of a field are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or code, ignoring case.
    Word,
    /// A country, by any of its names.
    Country,
    /// A whole number, or a string that holds one.
    Number,
    /// `section`, `twoDigit`, `fourDigit`, `sixDigit`, or the digits: 1, 2, 4, 6.
    Level,
    /// A country or group: `404`, `country-404`, `location-404`, `group-1`.
    PlaceId,
    /// A product: `726`, `product-HS92-726`.
    ProductId,
    /// `exports`, `import`, `exporter`.
    Direction,
}

/// A field of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The component.
    pub component: Component,
    /// The field's name in answers; cases prefix it with `expected_`.
    pub name: &'a str,
    pub(super) kind: Kind,
    /// Whether it is scored only if the answer has it.
    pub(super) is_optional: bool,
}

const fn field(component: Component, name: &str, kind: Kind) -> Field<'_> {
    Field { component, name, kind, is_optional: false }
}

/// All known fields, in report order. A case may state others: their values are compared as words.
pub const FIELDS: [Field<'static>; 23] = [
    field(Component::Classification, "query_type", Kind::Word),
    field(Component::Classification, "api_target", Kind::Word),
    Field { is_optional: true, ..field(Component::Classification, "country", Kind::Country) },
    Field { is_optional: true, ..field(Component::Classification, "product", Kind::Word) },
    field(Component::Extraction, "country", Kind::Country),
    field(Component::Extraction, "country_code", Kind::Word),
    field(Component::Extraction, "partner_country", Kind::Country),
    field(Component::Extraction, "partner_country_code", Kind::Word),
    field(Component::Extraction, "product", Kind::Word),
    field(Component::Extraction, "product_code", Kind::Word),
    field(Component::Extraction, "year", Kind::Number),
    field(Component::Extraction, "min_year", Kind::Number),
    field(Component::Extraction, "max_year", Kind::Number),
    field(Component::Extraction, "product_level", Kind::Level),
    field(Component::Extraction, "product_class", Kind::Word),
    field(Component::Extraction, "lookback_years", Kind::Number),
    field(Component::Extraction, "group_type", Kind::Word),
    field(Component::Extraction, "group_name", Kind::Word),
    field(Component::Extraction, "partner_group", Kind::Word),
    field(Component::Extraction, "trade_direction", Kind::Direction),
    field(Component::Extraction, "services_class", Kind::Word),
    field(Component::IdResolution, "country_id", Kind::PlaceId),
    field(Component::IdResolution, "product_id", Kind::ProductId),
];

impl Component {
    /// The known fields of this component.
    pub(super) fn fields<'a>(self) -> impl Iterator<Item = Field<'a>> {
        let all: [Field<'a>; _] = FIELDS;
        all.into_iter().filter(move |field| field.component == self)
    }

    /// The fields that a case states: first the known ones, then others. A field known only to another component is compared
    /// as that component does.
    pub(super) fn stated<'a>(self, expected: &'a Map<String, Value>) -> impl Iterator<Item = Field<'a>> {
        let known = self.fields().filter(|field| expected.contains_key(field.name));
        let others =
            expected.keys().filter(move |name| self.fields().all(|field| field.name != name.as_str()));
        known.chain(others.map(move |name| {
            let kind = FIELDS.iter().find(|field| field.name == name).map_or(Kind::Word, |field| field.kind);
            field(self, name, kind)
        }))
    }
}

impl Field<'_> {
    /// The answer's value for this field. A rejected question has the type `reject`, whichever key states it.
    pub(super) fn answered(&self, answer: &Map<String, Value>) -> Value {
        let is_rejected = answer.get("is_rejected") == Some(&Value::Bool(true));
        if self.name == "query_type" && is_rejected {
            return Value::from("reject");
        }
        let said = answer.get(self.name).or_else(|| answer.get(&format!("{}_name", self.name)));
        said.cloned().unwrap_or(Value::Null)
    }

    /// Whether the answer is right. A list holds alternatives; null expects no value.
    pub(super) fn is_right(&self, expected: &Value, answered: &Value) -> bool {
        match expected {
            Value::Array(valid) => valid.iter().any(|valid| self.is_right(valid, answered)),
            Value::Null => match answered {
                Value::String(text) => text.trim().is_empty(),
                other => other.is_null(),
            },
            expected => {
                let (Some(expected), Some(answered)) = (text(expected), text(answered)) else { return false };
                let same = fold(&expected) == fold(&answered);
                let (expected, answered) = (expected.as_str(), answered.as_str());
                match self.kind {
                    Kind::Word => same,
                    Kind::Country => {
                        same || both(lookup(expected), lookup(answered), |one, other| one.id == other.id)
                    }
                    Kind::Number => both(number(expected), number(answered), |one, other| one == other),
                    Kind::Level => both(level(expected), level(answered), |one, other| one == other),
                    Kind::Direction => {
                        both(direction(expected), direction(answered), |one, other| one == other)
                    }
                    Kind::PlaceId => both(place(expected), place(answered), |one, other| one == other),
                    Kind::ProductId => both(product(expected), product(answered), |one, other| one == other),
                }
            }
        }
    }

    /// Whether the field can have this value.
    pub(super) fn admits(&self, value: &Value) -> bool {
        match (value, text(value)) {
            (Value::Array(valid), _) => {
                !valid.is_empty() && valid.iter().all(|one| !one.is_null() && self.admits(one))
            }
            (Value::Null, _) => true,
            (_, None) => false,
            (_, Some(text)) => match self.kind {
                Kind::Word => true,
                Kind::Country => lookup(&text).is_some(),
                Kind::Number => number(&text).is_some(),
                Kind::Level => level(&text).is_some(),
                Kind::Direction => direction(&text).is_some(),
                Kind::PlaceId => place(&text).is_some(),
                Kind::ProductId => product(&text).is_some(),
            },
        }
    }
}

fn both<T>(one: Option<T>, other: Option<T>, same: impl Fn(&T, &T) -> bool) -> bool {
    one.zip(other).is_some_and(|(one, other)| same(&one, &other))
}

/// A non-empty string, number or boolean as text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(holds) => Some(holds.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn level(text: &str) -> Option<u8> {
    Some(match fold(text).as_str() {
        "1" | "section" => 1,
        "2" | "twodigit" => 2,
        "4" | "fourdigit" => 4,
        "6" | "sixdigit" => 6,
        _ => return None,
    })
}

/// The direction that a text begins with.
fn direction(text: &str) -> Option<&'static str> {
    let text = fold(text);
    ["export", "import"].into_iter().find(|word| text.starts_with(word))
}

fn place(text: &str) -> Option<PlaceId> {
    text.parse::<CountryId>().ok().map(PlaceId::Country).or_else(|| text.parse().ok())
}

/// The internal number of a product.
fn product(text: &str) -> Option<u32> {
    text.parse().ok().or_else(|| text.parse::<ProductId>().ok().map(|id| id.number))
}
