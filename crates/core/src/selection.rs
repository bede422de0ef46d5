//! The items a command works on. Working on nothing is an error, and so is a filter that matches nothing (decision 37).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::error::{Error, Result};

/// A collection or a count that may be empty.
pub trait Countable {
    /// Whether it is empty or zero.
    fn is_nothing(&self) -> bool;
}

impl<T> Countable for Vec<T> {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Countable for BTreeSet<T> {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl<K, V> Countable for BTreeMap<K, V> {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }
}

impl Countable for usize {
    fn is_nothing(&self) -> bool {
        *self == 0
    }
}

/// Decision 37: a command works on at least one item. `why` says what is missing and what to do.
///
/// # Errors
/// [`Error::Nothing`] if there is none.
pub fn at_least_one<T: Countable>(all: T, why: impl FnOnce() -> String) -> Result<T> {
    if all.is_nothing() { Err(Error::Nothing(why())) } else { Ok(all) }
}

/// The values of a command-line filter, each of which must match something.
#[derive(Debug, Clone)]
pub struct QuestionFilter<'a> {
    flag: &'a str,
    values: Vec<&'a str>,
}

/// Maximum number of names listed in a message.
const MAX_NAMES: usize = 40;

/// Maximum number of question ids listed as examples.
const MAX_IDS: usize = 5;

impl<'a> QuestionFilter<'a> {
    /// The values given to a flag; `None` without any.
    ///
    /// # Errors
    /// The flag was given but is empty.
    pub fn new(flag: &'a str, values: &'a [String]) -> Result<Option<Self>> {
        if values.is_empty() {
            return Ok(None);
        }
        let named: Vec<&str> =
            values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()).collect();
        let values = at_least_one(named, || format!("{flag} is empty"))?;
        Ok(Some(Self { flag, values }))
    }

    /// The items of `known` that match a value, in their order. `known` pairs names with items; `holder` names their
    /// origin, as in "the manifest".
    ///
    /// # Errors
    /// A value matches no item. The message suggests a similar name.
    pub fn choose<T>(
        &self,
        known: impl IntoIterator<Item = (String, T)>,
        holder: &str,
        fits: impl Fn(&str, &str) -> bool,
    ) -> Result<Vec<T>> {
        let known: Vec<(String, T)> = known.into_iter().collect();
        for value in &self.values {
            at_least_one(known.iter().filter(|(name, _)| fits(value, name)).count(), || {
                let names: BTreeSet<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                let names: Vec<&str> = names.into_iter().collect();
                let near = crate::atlas::nearest(value, names.iter().copied());
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let few =
                    (1..=MAX_NAMES).contains(&names.len()).then(|| format!("it has {}", names.join(", ")));
                let hints: Vec<String> = near.into_iter().chain(few).collect();
                let hints = if hints.is_empty() { String::new() } else { format!(" ({})", hints.join(" ")) };
                format!("{} {value}: nothing in {holder} matches{hints}", self.flag)
            })?;
        }
        let is_chosen = |(name, _): &(String, T)| self.values.iter().any(|value| fits(value, name));
        Ok(known.into_iter().filter(is_chosen).map(|(_, one)| one).collect())
    }

    /// The questions selected by ids and id ranges. A range selects the known ids within it.
    ///
    /// # Errors
    /// An id or a range matches no question, or a range is reversed.
    pub fn questions(&self, known: &[String], holder: &str) -> Result<Vec<String>> {
        let mut chosen = Vec::new();
        for value in &self.values {
            let range = range(value);
            if let Some(range) = range.as_ref().filter(|range| range.is_empty()) {
                return Err(Error::Usage(format!(
                    "{} {value}: a range starts with the smaller id: {}-{}",
                    self.flag,
                    range.end(),
                    range.start()
                )));
            }
            let is_in = |id: &str| {
                range.as_ref().is_some_and(|range| id.parse().is_ok_and(|id: u64| range.contains(&id)))
            };
            let fitting: Vec<String> = known.iter().filter(|id| id == value || is_in(id)).cloned().collect();
            chosen.extend(at_least_one(fitting, || {
                let few: Vec<&str> = known.iter().take(MAX_IDS).map(String::as_str).collect();
                let has = match (few.len(), known.len() > MAX_IDS) {
                    (0, _) => "it has none".to_owned(),
                    (_, true) => format!("it has {}, …", few.join(", ")),
                    (_, false) => format!("it has {}", few.join(", ")),
                };
                let one: Option<u64> = value.strip_suffix('-').and_then(|one| one.parse().ok());
                let open = one.map(|one| format!("; a range has two ends: {one}-{}", one.saturating_add(9)));
                let open = open.unwrap_or_default();
                format!("{} {value}: {holder} has no such question ({has}){open}", self.flag)
            })?);
        }
        Ok(chosen)
    }
}

/// Parses a range: `100-112`.
fn range(text: &str) -> Option<RangeInclusive<u64>> {
    let (from, to) = text.split_once('-')?;
    Some(from.trim().parse().ok()?..=to.trim().parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Exit;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|one| (*one).to_owned()).collect()
    }

    #[test]
    fn decision_37_nothing_is_an_error_of_usage() {
        assert_eq!(at_least_one(vec![1], || unreachable!()).unwrap(), [1]);
        let error = at_least_one(Vec::<u8>::new(), || "the store holds no record".to_owned()).unwrap_err();
        assert_eq!((error.exit(), error.to_string().as_str()), (Exit::Usage, "the store holds no record"));
        for bad in
            [at_least_one(0, String::new).is_err(), at_least_one(BTreeSet::<u8>::new(), String::new).is_err()]
        {
            assert!(bad);
        }
    }

    #[test]
    fn every_value_of_a_filter_fits_something() {
        assert!(QuestionFilter::new("--page", &[]).unwrap().is_none());
        for blank in [texts(&[""]), texts(&[" ", ""])] {
            let error = QuestionFilter::new("--page", &blank).unwrap_err();
            assert_eq!((error.exit(), error.to_string().as_str()), (Exit::Usage, "--page is empty"));
        }
        let known = || [("treemap".to_owned(), 1), ("geomap".to_owned(), 2), ("treemap".to_owned(), 3)];
        let choose = |values: &[&str]| {
            let values = texts(values);
            QuestionFilter::new("--page", &values).unwrap().unwrap().choose(
                known(),
                "the store",
                |value, name| value == name,
            )
        };
        assert_eq!(choose(&["treemap"]).unwrap(), [1, 3]);
        assert_eq!(choose(&["geomap", " treemap "]).unwrap(), [1, 2, 3]);
        let error = choose(&["geomap", "tremap"]).unwrap_err().to_string();
        assert_eq!(
            error,
            "--page tremap: nothing in the store matches (did you mean `treemap`? it has geomap, treemap)"
        );
    }

    #[test]
    fn questions_are_named_by_ids_and_ranges() {
        let known = texts(&["1", "2", "7", "x-1"]);
        let named = |values: &[&str]| {
            let values = texts(values);
            QuestionFilter::new("--questions", &values).unwrap().unwrap().questions(&known, "the store")
        };
        assert_eq!(named(&["7", "1-3"]).unwrap(), ["7", "1", "2"]);
        assert_eq!(named(&["x-1"]).unwrap(), ["x-1"]);
        for (values, part) in [
            (&["9"][..], "no such question (it has 1, 2, 7, x-1)"),
            (&["1", "8-9"], "--questions 8-9: the store has no such question"),
            (&["3-1"], "a range starts with the smaller id: 1-3"),
            (&["3-"], "a range has two ends: 3-12"),
        ] {
            let error = named(values).unwrap_err();
            assert!(error.to_string().contains(part) && error.exit() == Exit::Usage, "{error}");
        }
    }
}
