//! The reference that a question carries itself, as a record: scored as any other, by the same comparator.

use jiff::Timestamp;
use serde_json::{Value as Json, json};

use crate::evidence::Hash;
use crate::manifest::{QuestionId, Reference, ReferenceValue};
use crate::truth::{Channel, PointProvenance, Provenance, Record, Results, Row, Site, SourceMethod, Stored};
use crate::value::{Context, Unit, Value, parse};

/// The truth that a reference is; nothing where it has no values. `context` is what the question states.
#[must_use]
pub fn of_reference(id: &QuestionId, context: &Context, reference: &Reference, site: Site) -> Option<Stored> {
    if reference.values.is_empty() {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    for value in &reference.values {
        let mut row = row(value, context);
        // two values of one name are two things
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
    let provenance =
        Provenance { question_id: id.clone(), site, record: Some(hash.clone()), points, derivation: None };
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
