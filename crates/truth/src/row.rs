//! One value of a record, a row of `results.json`: its fields, its names, how it is shown, and its form on disk.

use rust_decimal::Decimal;
use serde::de::{Deserializer, Error as _};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::{Absence, AnswerField, Unit};
use atlas_gt_core::words;

/// One value. A list has one row per item, a table one per cell group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// The data point: `gdp_per_capita`.
    pub data_point: String,
    /// Its display name: `GDP per capita`.
    pub metric: String,
    /// The country's name.
    pub country: String,
    /// Other keys of the row, in their own order: `rank`, `product`, `code`, `partner`.
    pub extra: Map<String, Value>,
    /// The displayed text.
    pub value: Option<String>,
    /// Why there is no value.
    pub absence: Option<Absence>,
    /// The number of the text, in full units.
    pub number: Option<Decimal>,
    /// What it counts.
    pub unit: Option<Unit>,
    /// The year or period: `2024`, `2019-2024`.
    pub year: Option<String>,
    /// The fields that answer the question. Rows of other tools and of older versions may have none; see
    /// [`Row::answered_by`].
    pub answers: Vec<AnswerField>,
}

/// The key that marks a supporting row, which the question does not ask for.
pub const SUPPORT: &str = "support";

/// Extra keys that identify a row's subject, most specific first.
const SUBJECTS: [&str; 7] = ["code", "product", "partner", "sector", "name", "row", "rank"];

impl Row {
    /// The fields that answer the question: those it lists, else its value, else its name.
    #[must_use]
    pub fn answered_by(&self) -> &[AnswerField] {
        let has_value = self.value.is_some() || self.number.is_some() || self.absence.is_some();
        match self.answers.as_slice() {
            [] if has_value || self.subject().is_none() => &[AnswerField::Value],
            [] => &[AnswerField::Name],
            stated => stated,
        }
    }

    /// Whether the question does not ask for this row: an operand, another year. An answer may omit it.
    #[must_use]
    pub fn is_support(&self) -> bool {
        self.extra.get(SUPPORT) == Some(&Value::Bool(true))
    }

    /// What distinguishes this row from others of its list: code, product, partner, name or rank, plus the column in a
    /// table. `None` for a single value.
    #[must_use]
    pub fn subject(&self) -> Option<String> {
        let subject = SUBJECTS.iter().find_map(|key| self.text(key));
        match (subject, self.text("column")) {
            (Some(subject), Some(column)) => Some(format!("{subject}.{column}")),
            (subject, column) => subject.or(column),
        }
    }

    /// The value of one of its extra keys: `rank`, `product`.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        match self.extra.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        }
    }

    /// The row's name within its record: `gdp_per_capita`, `top_products[ict]`.
    #[must_use]
    pub fn field(&self) -> String {
        match self.subject() {
            Some(subject) => format!("{}[{subject}]", self.data_point),
            None => self.data_point.clone(),
        }
    }

    /// Its name for a reader, which tells it from other rows of its data point.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        ["product", "partner", "name", "row"].iter().find_map(|key| self.text(key))
    }

    /// Its metric and subject: `Largest exports, Travel & tourism`.
    #[must_use]
    pub fn label(&self) -> String {
        let metric =
            if self.metric.is_empty() { self.data_point.replace('_', " ") } else { self.metric.clone() };
        let column = self.text("column").map(|column| column.replace('_', " "));
        [Some(metric), self.name(), column].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The value as displayed, or why there is none.
    #[must_use]
    pub fn shown(&self) -> String {
        match (&self.value, self.absence) {
            (Some(value), _) => value.clone(),
            (None, Some(absence)) => words::spaced(words::name(&absence)),
            (None, None) => self.number.map_or_else(String::new, |number| number.to_string()),
        }
    }

    /// The fields that answer the question: `$2,274`, `Business 26.43%`; its value if no other field does.
    #[must_use]
    pub fn answer(&self) -> String {
        let asked = self.answered_by();
        let part = |field: &AnswerField| match field {
            AnswerField::Value => Some(self.shown()),
            AnswerField::Direction => None,
            AnswerField::Name => self.name().or_else(|| self.text("sector")),
            AnswerField::Share | AnswerField::Code | AnswerField::Rank => self.text(field.name()),
        };
        // the name first, as a person says it
        let (names, others): (Vec<_>, Vec<_>) = asked.iter().partition(|field| **field == AnswerField::Name);
        let parts: Vec<String> = names.into_iter().chain(others).filter_map(part).collect();
        if parts.is_empty() { self.shown() } else { parts.join(" ") }
    }

    /// Whether the value should exist but could not be read.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.absence == Some(Absence::ExtractionFailed)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("data_point", &self.data_point)?;
        map.serialize_entry("metric", &self.metric)?;
        map.serialize_entry("country", &self.country)?;
        for (key, value) in self.extra.iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())) {
            map.serialize_entry(key, value)?;
        }
        if let Some(value) = &self.value {
            map.serialize_entry("value", value)?;
        }
        if let Some(absence) = &self.absence {
            map.serialize_entry("absence", absence)?;
        }
        if let Some(number) = &self.number {
            map.serialize_entry("number", &number.to_string())?;
        }
        if let Some(unit) = &self.unit {
            map.serialize_entry("unit", unit)?;
        }
        if let Some(year) = &self.year {
            map.serialize_entry("year", year)?;
        }
        if !self.answers.is_empty() {
            map.serialize_entry("answers", &self.answers)?;
        }
        map.end()
    }
}

/// The schema of a serialised [`Row`]. Its extra keys depend on the data point.
impl schemars::JsonSchema for Row {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "One value. A list has one row per item, a table one per cell group.",
            "type": "object",
            "properties": {
                "data_point": { "type": "string" },
                "metric": { "type": "string" },
                "country": { "type": "string" },
                "value": { "description": "The displayed text.", "type": "string" },
                "absence": generator.subschema_for::<Absence>(),
                "number": { "description": "An exact decimal.", "type": "string", "pattern": r"^-?\d+(\.\d+)?$" },
                "unit": generator.subschema_for::<Unit>(),
                "year": { "type": "string" },
                "answers": generator.subschema_for::<Vec<AnswerField>>(),
            },
            "required": ["data_point", "metric", "country"],
        })
    }
}

const OWN_KEYS: [&str; 9] =
    ["data_point", "metric", "country", "value", "absence", "number", "unit", "year", "answers"];

/// Also reads rows of the seed, which have JSON numbers and lack some keys.
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        let answers = map.shift_remove("answers").filter(|answers| !answers.is_null());
        let answers = answers.map(serde_json::from_value).transpose();
        let answers = answers.map_err(|error| D::Error::custom(format!("answers: {error}")))?;
        let mut text = |key: &str| match map.shift_remove(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text),
            Some(other) => Some(other.to_string()),
        };
        let wrong = |key: &str, text: &str| D::Error::custom(format!("`{text}` is not a valid `{key}`"));
        let number = match text("number") {
            Some(text) => Some(decimal(&text).ok_or_else(|| wrong("number", &text))?),
            None => None,
        };
        let unit = match text("unit") {
            Some(text) => {
                Some(serde_json::from_value(Value::String(text.clone())).map_err(|_| wrong("unit", &text))?)
            }
            None => None,
        };
        let absence = match text("absence") {
            Some(text) => Some(
                serde_json::from_value(Value::String(text.clone())).map_err(|_| wrong("absence", &text))?,
            ),
            None => None,
        };
        Ok(Self {
            data_point: text("data_point").unwrap_or_default(),
            metric: text("metric").unwrap_or_default(),
            country: text("country").unwrap_or_default(),
            value: text("value"),
            absence,
            number,
            unit,
            year: text("year"),
            answers: answers.unwrap_or_default(),
            extra: map,
        })
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text)).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_row_shows_what_answers_its_question() {
        let row: Row = serde_json::from_value(serde_json::json!({
            "data_point": "top_product_share", "product": "Business", "code": "ict", "share": "26.43%",
            "value": "$209B", "answers": ["share", "name"],
        }))
        .unwrap();
        assert_eq!(row.answer(), "Business 26.43%");
        assert_eq!(Row { answers: vec![AnswerField::Value], ..row.clone() }.answer(), "$209B");
        assert_eq!(Row { answers: vec![AnswerField::Direction], ..row }.answer(), "$209B");
    }

    #[test]
    fn a_row_says_which_of_its_fields_answer_after_all_its_other_keys() {
        let text = r#"{"data_point":"top_products","metric":"","country":"India","product":"Business","share":"26.43%","year":"2024","answers":["name","share"]}"#;
        let row: Row = serde_json::from_str(text).unwrap();
        assert_eq!(row.answers, [AnswerField::Name, AnswerField::Share]);
        assert_eq!(serde_json::to_string(&row).unwrap(), text);
        let wrong = serde_json::from_str::<Row>(&text.replace("\"share\"]", "\"shares\"]")).unwrap_err();
        assert!(wrong.to_string().contains("answers: unknown variant `shares`"), "{wrong}");
        let none: Row = serde_json::from_str(r#"{"data_point":"a","answers":null}"#).unwrap();
        assert_eq!(none.answers, []);
    }

    #[test]
    fn rows_of_lists_keep_their_own_keys_in_their_order() {
        let mut row = Row {
            data_point: "gdp_per_capita".into(),
            value: Some("$2,274".into()),
            number: Some(Decimal::from(2274)),
            ..Row::default()
        };
        row.extra.insert("rank".into(), 1.into());
        row.extra.insert("product".into(), "Business".into());
        row.extra.insert("code".into(), "ict".into());
        assert_eq!(row.field(), "gdp_per_capita[ict]");
        let text = serde_json::to_string(&row).unwrap();
        let keys: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        assert!(text.find("\"rank\"") < text.find("\"product\""), "{keys:?}");
        assert!(text.find("\"code\"") < text.find("\"value\""), "{keys:?}");
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
    }

    #[test]
    fn absences_are_written_by_kind() {
        let row = Row { absence: Some(Absence::NotAvailableForCountry), ..Row::default() };
        assert_eq!(row.shown(), "not available for country");
        let text = serde_json::to_string(&row).unwrap();
        assert!(text.contains(r#""absence":"not_available_for_country""#), "{text}");
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        assert!(serde_json::from_str::<Row>(r#"{"absence": "gone"}"#).is_err());
        assert!(serde_json::from_str::<Row>(r#"{"number": "many"}"#).is_err());
    }

    proptest! {
        #[test]
        fn numbers_are_exact(mantissa in any::<i64>(), scale in 0u32..12) {
            let row = Row { number: Some(Decimal::new(mantissa, scale)), ..Row::default() };
            let text = serde_json::to_string(&row).unwrap();
            let back: Row = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(back.number.map(|n| n.to_string()), row.number.map(|n| n.to_string()));
        }
    }
}
