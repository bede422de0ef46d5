//! Whether a record belongs to a question. The number alone does not tell (decision 34).

use super::asked::{Asked, others, same_question};
use super::question::ManifestQuestion;
use crate::value::vocabulary;
use atlas_gt_scoring::language::{other_measure, stated};

impl ManifestQuestion<'_> {
    /// Whether a record belongs to this question: by the text of the question that it was collected for, or else by its
    /// contents. `held` returns the subjects of its values, as words and codes, and the names of their data points.
    #[must_use]
    pub fn is_of(&self, own: Option<&str>, held: impl FnOnce() -> (String, Vec<String>)) -> bool {
        if let (Some(own), Some(text)) = (own, self.text()) {
            return same_question(text, own);
        }
        let (words, points) = held();
        let read = self.entry.map(|entry| &entry.data_points);
        let of_points = read.map(|read| read.iter().any(|point| points.contains(point)));
        of_points != Some(false)
            && self.text().is_none_or(|text| {
                is_about(text, &words) && (of_points.is_some() || is_of_measure(text, &words, &points))
            })
    }
}

/// Whether values are about the countries, products and years that a question names. A part that either side does
/// not name decides nothing.
fn is_about(text: &str, held: &str) -> bool {
    let [question, record] = [text, held].map(|text| Asked::new(text, None, false));
    let has_code = |code: &&str| held.split_whitespace().any(|word| word == *code);
    let countries = common(&question.countries, &record.countries)
        .map(|(shared, is_part)| shared && (is_part || question.asks_who()));
    let products = match common(&question.products, &record.products) {
        _ if question.products.iter().any(has_code) => Some(true),
        found => found.map(|(shared, _)| shared),
    };
    let [asked, known] = [text, held].map(groups);
    let groups = common(&asked, &known).map(|(shared, _)| shared);
    let years = common(&question.years, &record.years).map(|(shared, _)| shared);
    [countries, groups, products, years].iter().all(|found| *found != Some(false))
}

/// The groups of countries that a text names.
fn groups(text: &str) -> Vec<&'static str> {
    let terms = vocabulary::terms_in(text).into_iter().flatten().filter(|term| term.kind == "group");
    terms.map(|term| term.canonical).collect()
}

/// Whether values have the measure that a question asks for, as both sides name it.
fn is_of_measure(text: &str, held: &str, points: &[String]) -> bool {
    let (said, known) = (stated(text), stated(held));
    let shares = said.measures.iter().any(|measure| known.measures.contains(measure));
    shares
        && others(text) == others(held)
        && !points.iter().any(|point| other_measure(point, &said).is_some())
}

/// Whether two lists overlap, and whether one contains the other; none if one is empty.
fn common<T: PartialEq>(one: &[T], other: &[T]) -> Option<(bool, bool)> {
    let within = |one: &[T], other: &[T]| one.iter().filter(|item| other.contains(item)).count();
    let (first, second) = (within(one, other), within(other, one));
    (!one.is_empty() && !other.is_empty()).then_some((first > 0, first == one.len() || second == other.len()))
}
