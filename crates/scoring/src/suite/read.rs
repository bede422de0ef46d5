//! Reading a suite: YAML with every problem at its line, defaults resolved, configurations merged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_gt_core::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use serde_json::Value;
use serde_saphyr::{Location, Spanned};

use super::case::{Suite, SuiteCase};
use super::file::{CaseFile, CommandConfig, SuiteFile};
use super::scorer::Registry;
use crate::atlas::nearest;
use crate::json::Numbers;
use crate::text::Facts;
use crate::tools::DataTools;

/// Least score where neither suite nor case says: where "Good" begins.
pub(crate) const DEFAULT_MIN_SCORE: f64 = 0.7;

/// The programs that a suite uses as scorers, by scorer name; so that they can be registered before it is checked.
/// Empty when the suite cannot be read; [`read_suite`] then says why.
#[must_use]
pub fn commands_of(text: &str) -> BTreeMap<String, CommandConfig> {
    let Ok(file) = serde_saphyr::from_str::<SuiteFile>(text) else { return BTreeMap::new() };
    let of_cases = file.cases.iter().flat_map(|case| &case.scorer_config);
    file.scorer_config
        .iter()
        .chain(of_cases)
        .filter(|(_, config)| config.value.get("command").is_some())
        .filter_map(|(name, config)| Some((name.clone(), serde_json::from_value(config.value.clone()).ok()?)))
        .collect()
}

/// Reads one case, as it stands in a suite; name and input may be missing. Its scorers are those of `names` that find in it what
/// they need.
///
/// # Errors
/// The first thing that is wrong.
pub fn read_case(
    path: &Path,
    text: &str,
    registry: &Registry,
    names: &[&str],
    min_score: f64,
) -> Result<SuiteCase, Box<Diagnostic>> {
    let mut report = Diagnostics::new(path, text);
    let file: CaseFile = match serde_saphyr::from_str(text) {
        Ok(file) => file,
        Err(error) => return Err(Box::new(unreadable(&mut report, &error).clone())),
    };
    let spanned = |text: &str| Spanned::new(text.to_owned(), Location::UNKNOWN, Location::UNKNOWN);
    let unnamed = file.name.value.is_empty();
    let file = CaseFile {
        name: if unnamed { spanned("case") } else { file.name },
        scorers: Some(names.iter().map(|name| spanned(name)).collect()),
        ..file
    };
    let mut check = Check { registry, report };
    let defaults = Defaults {
        scorers: &[],
        config: &BTreeMap::new(),
        min_score,
        numbers: Numbers::default(),
        data_tools: &DataTools::default(),
    };
    let mut case = check.case(file, &defaults);
    let (problems, _) = check.report.finish();
    if let Some(error) = problems.into_iter().find(|problem| problem.severity == Severity::Error) {
        return Err(Box::new(error));
    }
    let scorers = std::mem::take(&mut case.scorers);
    let finds = |name: &str| registry.get(name).is_some_and(|scorer| scorer.lacks(&case).is_none());
    case.scorers = scorers.into_iter().filter(|(name, _)| finds(name)).collect();
    Ok(case)
}

/// Reads and checks a suite; warnings come beside it.
///
/// # Errors
/// All problems in order of their place, warnings included, when at least one is an error.
pub fn read_suite(
    path: &Path,
    text: &str,
    registry: &Registry,
) -> Result<(Suite, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut report = Diagnostics::new(path, text);
    let file: SuiteFile = match serde_saphyr::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            unreadable(&mut report, &error);
            return Err(report.finish().0);
        }
    };
    let mut check = Check { registry, report };
    let suite = check.suite(file);
    let (problems, is_wrong) = check.report.finish();
    if is_wrong { Err(problems) } else { Ok((suite, problems)) }
}

fn unreadable<'r>(report: &'r mut Diagnostics, error: &serde_saphyr::Error) -> &'r mut Diagnostic {
    let place = error.location().map(place_of).unwrap_or_default();
    report.error(place, "", error.without_snippet().to_string())
}

fn place_of(location: Location) -> Place {
    Place { line: location.line() as usize, column: location.column() as usize }
}

struct Check<'r> {
    registry: &'r Registry,
    report: Diagnostics,
}

impl Check<'_> {
    fn warning(&mut self, place: Location, message: String) {
        self.report.warning(place_of(place), "", message);
    }

    fn error(&mut self, place: Location, message: String) {
        self.report.error(place_of(place), "", message);
    }

    fn suite(&mut self, file: SuiteFile) -> Suite {
        if file.name.value.trim().is_empty() {
            self.error(file.name.referenced, "the suite has no name".to_owned());
        }
        if file.cases.is_empty() {
            self.error(file.name.referenced, "the suite has no cases".to_owned());
        }
        let min_score = self.min_score(file.default_min_score.as_ref()).unwrap_or(DEFAULT_MIN_SCORE);
        for scorer in &file.default_scorers {
            self.known(scorer);
        }
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        let mut cases = Vec::new();
        for case in file.cases {
            if let Some(line) = names.insert(case.name.value.clone(), case.name.referenced.line()) {
                let message = format!("the case {:?} stands in line {line} already", case.name.value);
                self.error(case.name.referenced, message);
            }
            let defaults = Defaults {
                scorers: &file.default_scorers,
                config: &file.scorer_config,
                min_score,
                numbers: file.numbers,
                data_tools: &file.data_tools,
            };
            if case.input.query.trim().is_empty() {
                self.error(case.name.referenced, format!("the case {:?} has no `input`", case.name.value));
            }
            let case = self.case(case, &defaults);
            used.extend(case.scorers.iter().map(|(name, _)| name.clone()));
            cases.push(case);
        }
        for (name, config) in &file.scorer_config {
            if !used.contains(name) {
                self.warning(config.referenced, format!("no case uses the scorer {name:?}"));
            }
        }
        Suite { name: file.name.value, description: file.description, cases }
    }

    fn case(&mut self, file: CaseFile, defaults: &Defaults<'_>) -> SuiteCase {
        let place = file.name.referenced;
        if file.name.value.trim().is_empty() {
            self.error(place, "the case has no name".to_owned());
        }
        let scorers = self.scorers(&file, defaults);
        self.texts(&file);
        let case = SuiteCase {
            min_score: self.min_score(file.min_score.as_ref()).unwrap_or(defaults.min_score),
            name: file.name.value,
            input: file.input,
            cluster: file.cluster,
            expected_tools: file.expected_tools,
            expected_tool_sequence: file.expected_tool_sequence,
            expected_tool: file.expected_tool,
            expected_calls: file.expected_calls,
            expected_output_contains: file.expected_output_contains,
            expected_value: file.expected_value,
            expected_output: file.expected_output,
            expected_facts: file.expected_facts,
            expected_url: file.expected_url,
            scorers,
            numbers: defaults.numbers,
            data_tools: file.data_tools.unwrap_or_else(|| defaults.data_tools.clone()),
            mode: file.mode,
        };
        self.expectations(&case, place);
        case
    }

    /// The scorers of a case, its own or the suite's, each once with the configuration of both.
    fn scorers(&mut self, file: &CaseFile, defaults: &Defaults<'_>) -> Vec<(String, Value)> {
        let name = &file.name.value;
        for scorer in file.scorers.iter().flatten() {
            self.known(scorer);
        }
        let scorers = file.scorers.as_deref().unwrap_or(defaults.scorers);
        if scorers.is_empty() {
            let is_own = file.scorers.is_some();
            let mend = if is_own { "`scorers` is empty" } else { "give `scorers` or `default_scorers`" };
            self.error(file.name.referenced, format!("the case {name:?} has no scorers: {mend}"));
        }
        for (name, config) in &file.scorer_config {
            if !scorers.iter().any(|scorer| scorer.value == *name) {
                self.warning(config.referenced, format!("the case does not use the scorer {name:?}"));
            }
        }
        let mut seen = BTreeSet::new();
        let mut resolved = Vec::new();
        for scorer in scorers {
            if !seen.insert(&scorer.value) {
                self.error(scorer.referenced, format!("the scorer {:?} is listed twice", scorer.value));
                continue;
            }
            let of_case = file.scorer_config.get(&scorer.value);
            let of_suite = defaults.config.get(&scorer.value);
            let config = merged(of_suite.map(|config| &config.value), of_case.map(|config| &config.value));
            let checked = self.registry.get(&scorer.value).map(|known| known.check(&config));
            if let Some(Err(message)) = checked {
                let place = of_case.or(of_suite).map_or(scorer.referenced, |config| config.referenced);
                self.error(place, format!("configuration of {:?}: {message}", scorer.value));
            }
            resolved.push((scorer.value.clone(), config));
        }
        resolved
    }

    /// What a case expects in words must hold some.
    fn texts(&mut self, file: &CaseFile) {
        let (place, name) = (file.name.referenced, &file.name.value);
        if file.expected_output_contains.iter().any(|phrase| phrase.trim().is_empty()) {
            let message = "holds an empty phrase, which every answer contains";
            self.error(place, format!("`expected_output_contains` of the case {name:?} {message}"));
        }
        if file.expected_value.as_ref().is_some_and(|value| value.trim().is_empty()) {
            self.error(place, format!("`expected_value` of the case {name:?} is empty"));
        }
        if let Some(Err(message)) = file.expected_facts.as_ref().map(Facts::check) {
            self.error(place, format!("`expected_facts` of the case {name:?}: {message}"));
        }
    }

    /// A scorer without what it compares with will be unscored: better said before the run.
    fn expectations(&mut self, case: &SuiteCase, place: Location) {
        for (name, _) in &case.scorers {
            let lacking = self.registry.get(name).and_then(|scorer| scorer.lacks(case));
            if let Some(lacking) = lacking {
                let message =
                    format!("{name} will be unscored in the case {:?}: it needs {lacking}", case.name);
                self.warning(place, message);
            }
        }
    }

    fn known(&mut self, scorer: &Spanned<String>) {
        if self.registry.get(&scorer.value).is_some() {
            return;
        }
        let names: Vec<&str> = self.registry.iter().map(|known| known.name()).collect();
        let advice = match nearest(&scorer.value, names.iter().copied()) {
            Some(name) => format!("did you mean {name:?}?"),
            None => format!(
                "known are {}; one of your own needs `command` in `scorer_config`, or to be registered",
                names.join(", ")
            ),
        };
        let message = format!("unknown scorer {:?}", scorer.value);
        self.report.error(place_of(scorer.referenced), "", message).suggest(advice);
    }

    fn min_score(&mut self, given: Option<&Spanned<f64>>) -> Option<f64> {
        let given = given?;
        if !(0.0..=1.0).contains(&given.value) {
            self.error(
                given.referenced,
                format!("a least score of {} is out of range: expected 0 to 1", given.value),
            );
        }
        Some(given.value)
    }
}

/// What a case takes from the suite.
struct Defaults<'f> {
    scorers: &'f [Spanned<String>],
    config: &'f BTreeMap<String, Spanned<Value>>,
    min_score: f64,
    numbers: Numbers,
    data_tools: &'f DataTools,
}

/// The case's configuration over the suite's, key by key (decision 7).
fn merged(suite: Option<&Value>, case: Option<&Value>) -> Value {
    match (suite, case) {
        (Some(Value::Object(suite)), Some(Value::Object(case))) => {
            let mut merged = suite.clone();
            merged.extend(case.iter().map(|(key, value)| (key.clone(), value.clone())));
            Value::Object(merged)
        }
        (suite, case) => case.or(suite).cloned().unwrap_or(Value::Null),
    }
}
