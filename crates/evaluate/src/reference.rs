//! Finds the truth of a question: the store's record, matched by text, or the question's own
//! reference.

use std::sync::OnceLock;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::manifest::{ManifestQuestion, QuestionId, Reference, ReferenceValue, same_words};
use crate::truth::{
    Channel, EXPECTED_BEHAVIOR, PointProvenance, Provenance, Record, Results, Row, Site, SourceMethod, Store,
    Stored,
};
use crate::value::{Context, Unit, Value, parse};

/// The questions in a store, by text. Their numbers may come from another list (decision 34).
#[derive(Debug)]
pub struct StoredQuestions<'s> {
    store: &'s Store,
    ids: OnceLock<Vec<(String, QuestionId)>>,
    expected: OnceLock<Vec<Expectation>>,
}

/// The imported expectation for a question without a value.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Expectation {
    question_text: Option<String>,
    expected_behavior: Option<String>,
    reference: Option<Reference>,
}

impl<'s> StoredQuestions<'s> {
    /// The questions of a store.
    #[must_use]
    pub const fn new(store: &'s Store) -> Self {
        Self { store, ids: OnceLock::new(), expected: OnceLock::new() }
    }

    /// The record of a question: by number if the record has the same question, else by text. A
    /// record without a question text is matched by its contents.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn record_of(&self, asked: &ManifestQuestion<'_>) -> Result<Option<Stored>> {
        let stored = self.store.load(asked.id)?;
        if stored.as_ref().is_some_and(|stored| asked.is_of(stored.question(), || stored.about())) {
            return Ok(stored);
        }
        let Some(text) = asked.text() else { return Ok(None) };
        let ids = self.ids.get_or_init(|| {
            let records = self.store.records().into_iter().flatten();
            records
                .filter_map(|stored| Some((stored.question()?.to_owned(), stored.record.question_id)))
                .collect()
        });
        let known = ids.iter().find(|(own, _)| same_words(own, text));
        known.map_or(Ok(None), |(_, id)| self.store.load(id))
    }

    /// Rejects questions whose number belongs to another question in the store.
    ///
    /// # Errors
    /// The first such question.
    pub fn check<'q>(&self, asked: impl IntoIterator<Item = ManifestQuestion<'q>>) -> Result<()> {
        for asked in asked {
            let id = asked.id;
            // an unreadable record is quarantined when it is used
            let Ok(Some(stored)) = self.store.load(id) else { continue };
            let own = stored.question();
            if !asked.is_of(own, || stored.about()) {
                let text = asked.text().unwrap_or_default();
                let store = self.store.dir().display();
                let own = own.map_or_else(
                    || format!("a record {id} without a question text, about “{}”", stored.about().0),
                    |own| format!("another question {id}, “{own}”"),
                );
                return Err(Error::Usage(format!(
                    "{store} has {own}, but the manifest asks “{text}”: choose another store, or renumber the question"
                )));
            }
        }
        Ok(())
    }

    /// The imported expectation for a question: a behavior, or quotes.
    #[must_use]
    pub(crate) fn expectation(&self, text: &str) -> Option<String> {
        let all = self.expected.get_or_init(|| {
            #[derive(Deserialize)]
            struct File {
                questions: Vec<Expectation>,
            }
            let is_kept = self.store.beside(EXPECTED_BEHAVIOR).is_ok_and(|kept| kept);
            let file =
                is_kept.then(|| std::fs::read_to_string(self.store.dir().join(EXPECTED_BEHAVIOR)).ok());
            let read = file.flatten().and_then(|text| serde_json::from_str::<File>(&text).ok());
            read.map(|file| file.questions).unwrap_or_default()
        });
        let is_of =
            |one: &&Expectation| one.question_text.as_deref().is_some_and(|own| same_words(own, text));
        let one = all.iter().find(is_of)?;
        one.expected_behavior.clone().or_else(|| one.reference.as_ref()?.behavior())
    }
}

/// The truth in a reference; none if it has no values. `context` is what the question states.
#[must_use]
pub fn of_reference(id: &QuestionId, context: &Context, reference: &Reference, site: Site) -> Option<Stored> {
    if reference.values.is_empty() {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    for value in &reference.values {
        let mut row = row(value, context);
        // values with the same name are different values
        let twins = rows.iter().filter(|known| known.metric == row.metric).count();
        if twins > 0 {
            row.data_point = format!("{}_{}", row.data_point, twins + 1);
        }
        rows.push(row);
    }
    let is_of_api = |value: &ReferenceValue| {
        let source = value.source.as_deref().unwrap_or_default().to_lowercase();
        ["api", "graphql"].iter().any(|word| source.contains(word))
    };
    let point =
        |row: &Row| PointProvenance::of_row(row, context.clone(), Channel::Person, Timestamp::UNIX_EPOCH);
    let points = rows.iter().map(point).collect();
    let record = Record {
        question_id: id.clone(),
        execution_timestamp: Timestamp::UNIX_EPOCH,
        source: "reference".to_owned(),
        source_method: match reference.values.iter().any(is_of_api) {
            true => SourceMethod::GraphqlApi,
            false => SourceMethod::BrowserCountryPage,
        },
        atlas_url: String::new(),
        site,
        expected_tool: None,
        expected_query_type: None,
        results: Results { data: rows },
    };
    let hash = Hash::of(json!(reference).to_string().as_bytes());
    let provenance = Provenance { record: Some(hash.clone()), ..Provenance::of_points(&record, points) };
    Some(Stored { record, provenance: Some(provenance), hash })
}

fn row(value: &ReferenceValue, context: &Context) -> Row {
    let metric = value.metric.clone().unwrap_or_else(|| "Answer".to_owned());
    let word = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let country = value.country.clone().or_else(|| {
        let id = context.country.as_deref()?.parse().ok()?;
        Some(crate::atlas::by_id(id)?.short_name.to_owned())
    });
    let quantity = match parse(&value.value) {
        Some(Value::Quantity(quantity)) => Some(quantity),
        _ => None,
    };
    let unit = value.unit.or_else(|| Some(quantity.as_ref()?.unit));
    let mut row = Row {
        data_point: metric.chars().map(word).collect(),
        metric,
        country: country.unwrap_or_default(),
        value: Some(value.value.clone()),
        number: quantity.as_ref().map(|quantity| quantity.number),
        unit: unit.filter(|_| quantity.is_some()).or(Some(Unit::Count).filter(|_| quantity.is_some())),
        year: value.year.clone().or_else(|| Some(context.period?.to_string())),
        ..Row::default()
    };
    let tolerance = value.tolerance.clone().map(Json::from);
    let accepted = (!value.accepted.is_empty()).then(|| json!(value.accepted));
    row.extra.extend(tolerance.map(|tolerance| ("tolerance".to_owned(), tolerance)));
    row.extra.extend(accepted.map(|accepted| ("accepted".to_owned(), accepted)));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::answer::AnswerVerdict;
    use crate::{expected::against_stored, truth::Pipeline};

    fn said(reference: Json, question: &str, answer: &str) -> Vec<AnswerVerdict> {
        let reference: Reference = serde_json::from_value(reference).unwrap();
        let context = Context { country: Some("404".to_owned()), ..Context::default() };
        let stored = of_reference(&"7".parse().unwrap(), &context, &reference, Site::Live).unwrap();
        let scored = crate::score_answer(
            &stored,
            Site::Live,
            Some(&context),
            Some(question),
            Pipeline::Graphql,
            answer,
        );
        assert!(scored.metadata.refused.is_empty(), "a person's value scores every pipeline");
        let (_, found) = against_stored(&stored, Some(&context), Some(question), answer);
        found.points.iter().map(|point| point.said).collect()
    }

    #[test]
    fn decision_35_accepted_alternatives_are_right_too_and_say_why() {
        use AnswerVerdict::{Right, Wrong};
        let reference = json!({"values": [{"metric": "Number of export partners", "value": 169,
            "accepted": [{"value": 226, "reason": "the API counts territories"}]}]});
        let question = "How many export partners does Kenya have?";
        let of =
            |number: &str| said(reference.clone(), question, &format!("Kenya has {number} export partners."));
        assert_eq!(of("169"), [Right]);
        assert_eq!(of("226"), [Right]);
        assert_eq!(of("180"), [Wrong]);
    }

    #[test]
    fn a_tolerance_widens_what_a_value_stands_for() {
        use AnswerVerdict::{Right, Wrong};
        let reference =
            json!({"values": [{"metric": "GDP per capita", "value": "$2,274", "tolerance": "2%"}]});
        let of = |number: &str| {
            said(
                reference.clone(),
                "What is the GDP per capita of Kenya?",
                &format!("Kenya's GDP per capita is {number}."),
            )
        };
        assert_eq!(of("$2,250"), [Right]);
        assert_eq!(of("$2,400"), [Wrong]);
    }
}
