//! Reads a suite from YAML: reports every problem with its line, resolves defaults and merges configurations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use atlas_gt_core::diagnostic::{At, Diagnostic, Diagnostics, Severity};
use atlas_gt_core::document::{self, Located, OptionalField as _};
use serde_json::Value;

use super::case::{ConfiguredScorer, Suite, SuiteCase};
use super::file::{CaseFile, CommandConfig, SuiteFile};
use super::scorer::Registry;
use crate::atlas::nearest;
use crate::json::Numbers;
use crate::text::{Facts, web_address};
use crate::tools::DataTools;

/// The minimum score if neither suite nor case sets one: the lower edge of "Good".
pub(crate) const DEFAULT_MIN_SCORE: f64 = 0.7;

/// The external programs that a suite uses as scorers, by scorer name, so that they can be registered before the check.
/// Empty when the suite cannot be read; [`read_suite`] then reports why.
#[must_use]
pub fn commands_of(text: &str) -> BTreeMap<String, CommandConfig> {
    let file = document::read::<SuiteFile>(text, &mut Diagnostics::new(Path::new(""), "")).value;
    let Some(file) = file else { return BTreeMap::new() };
    let cases = file.cases.value.iter().flatten().filter_map(|case| case.value.as_ref());
    let configs = file.scorer_config.iter().chain(cases.flat_map(|case| &case.scorer_config));
    configs
        .filter_map(|(name, config)| Some((name, config.value.as_ref()?)))
        .filter(|(_, config)| config.get("command").is_some())
        .filter_map(|(name, config)| Some((name.clone(), serde_json::from_value(config.clone()).ok()?)))
        .collect()
}

/// Reads one case in the format of a suite; name and input are optional. The case gets those scorers of `names` whose
/// inputs it provides.
///
/// # Errors
/// The first problem.
pub fn read_case(
    path: &Path,
    text: &str,
    registry: &Registry,
    names: &[&str],
    min_score: f64,
) -> Result<SuiteCase, Box<Diagnostic>> {
    let mut report = Diagnostics::new(path, text);
    let Located { at, value } = document::read::<CaseFile>(text, &mut report);
    let mut check = Check { registry, report };
    let defaults = Defaults {
        scorers: &[],
        config: &BTreeMap::new(),
        min_score,
        numbers: Numbers::default(),
        data_tools: &DataTools::default(),
    };
    let case = value.map(|file| {
        let name = file.name.or_else(|| Some("case".to_owned().into()));
        let scorers = Some(names.iter().map(|name| (*name).to_owned().into()).collect());
        check.case(CaseFile { name, scorers, ..file }, &at, &defaults)
    });
    let (problems, _) = check.report.finish();
    if let Some(error) = problems.into_iter().find(|problem| problem.severity == Severity::Error) {
        return Err(Box::new(error));
    }
    let mut case = case.unwrap_or_default();
    let scorers = std::mem::take(&mut case.scorers);
    let finds = |name: &str| registry.get(name).is_some_and(|scorer| scorer.lacks(&case).is_none());
    case.scorers = scorers.into_iter().filter(|scorer| finds(&scorer.name)).collect();
    Ok(case)
}

/// Reads and checks a suite; returns it with its warnings.
///
/// # Errors
/// At least one problem is an error: all problems by line, warnings included.
pub fn read_suite(
    path: &Path,
    text: &str,
    registry: &Registry,
) -> Result<(Suite, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut report = Diagnostics::new(path, text);
    let file = document::read(text, &mut report).value;
    let mut check = Check { registry, report };
    let suite = file.map(|file| check.suite(file));
    match (suite, check.report.finish()) {
        (Some(suite), (problems, false)) => Ok((suite, problems)),
        (_, (problems, _)) => Err(problems),
    }
}

struct Check<'r> {
    registry: &'r Registry,
    report: Diagnostics,
}

impl Check<'_> {
    fn suite(&mut self, file: SuiteFile) -> Suite {
        let min_score = self.min_score(&file.default_min_score).unwrap_or(DEFAULT_MIN_SCORE);
        for scorer in &file.default_scorers {
            self.known(scorer, &[&file.scorer_config]);
        }
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut cases = Vec::new();
        let stated = file.cases.value.unwrap_or_default();
        if stated.is_empty() {
            self.report.error(&file.cases.at, "the suite has no cases");
        }
        for Located { at, value } in stated {
            let Some(case) = value else { continue };
            let name = case.name.required(&at, "name", &mut self.report);
            if let Some(Located { at, value: Some(name) }) = name
                && let Some(line) = names.insert(name.clone(), at.place.line)
            {
                self.report.error(at, format!("the case {name:?} is already defined in line {line}"));
            }
            let defaults = Defaults {
                scorers: &file.default_scorers,
                config: &file.scorer_config,
                min_score,
                numbers: file.numbers,
                data_tools: &file.data_tools,
            };
            let input = case.input.required(&at, "input", &mut self.report);
            if let Some(Located { at, .. }) =
                input.filter(|input| input.value.as_ref().is_some_and(|one| one.query.trim().is_empty()))
            {
                self.report.error(at, "`query` is empty");
            }
            let case = self.case(case, &at, &defaults);
            used.extend(case.scorers.iter().map(|scorer| scorer.name.clone()));
            cases.push(case);
        }
        for (name, config) in &file.scorer_config {
            if !used.contains(name) {
                self.report.warning(&config.at, format!("no case uses the scorer {name:?}"));
            }
        }
        Suite { name: file.name.value.unwrap_or_default(), description: file.description, cases }
    }

    fn case(&mut self, file: CaseFile, at: &At, defaults: &Defaults<'_>) -> SuiteCase {
        let name = file.name.value().cloned().unwrap_or_default();
        let scorers = self.scorers(&file, &name, at, defaults);
        if file.expected_output_contains.iter().any(|phrase| phrase.trim().is_empty()) {
            let message = "contains an empty phrase, which matches every answer";
            self.report.error(at, format!("`expected_output_contains` of the case {name:?} {message}"));
        }
        if file.expected_value.as_ref().is_some_and(|value| value.trim().is_empty()) {
            self.report.error(at, format!("`expected_value` of the case {name:?} is empty"));
        }
        if let Some(Err(message)) = file.expected_url.as_deref().map(web_address) {
            self.report.error(at, format!("`expected_url` of the case {name:?}: {message}"));
        }
        if file.tools().any(|tool| tool.trim().is_empty()) {
            self.report.error(at, format!("a tool of the case {name:?} has an empty name"));
        }
        if let Some(Err(message)) = file.expected_facts.as_ref().map(Facts::check) {
            self.report.error(at, format!("`expected_facts` of the case {name:?}: {message}"));
        }
        let case = SuiteCase {
            min_score: self.min_score(&file.min_score).unwrap_or(defaults.min_score),
            name,
            input: file.input.and_then(|input| input.value).unwrap_or_default(),
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
        // A scorer without its input stays unscored: warn before the run.
        for ConfiguredScorer { name, .. } in &case.scorers {
            let lacking = self.registry.get(name).and_then(|scorer| scorer.lacks(&case));
            if let Some(lacking) = lacking {
                let message =
                    format!("{name} will be unscored in the case {:?}: it needs {lacking}", case.name);
                self.report.warning(at, message);
            }
        }
        case
    }

    /// The distinct scorers of a case with their configuration.
    fn scorers(
        &mut self,
        file: &CaseFile,
        case: &str,
        at: &At,
        defaults: &Defaults<'_>,
    ) -> Vec<ConfiguredScorer> {
        for scorer in file.scorers.iter().flatten() {
            self.known(scorer, &[&file.scorer_config, defaults.config]);
        }
        let scorers = file.scorers.as_deref().unwrap_or(defaults.scorers);
        if scorers.is_empty() {
            let advice = match file.scorers {
                Some(_) => "`scorers` is empty",
                None => "give `scorers` or `default_scorers`",
            };
            self.report.error(at, format!("the case {case:?} has no scorers: {advice}"));
        }
        for (name, config) in &file.scorer_config {
            if !scorers.iter().any(|scorer| scorer.value.as_ref() == Some(name)) {
                self.report.warning(&config.at, format!("the case does not use the scorer {name:?}"));
            }
        }
        let mut resolved: Vec<ConfiguredScorer> = Vec::new();
        for Located { at, value } in scorers {
            let Some(name) = value else { continue };
            if resolved.iter().any(|before| before.name == *name) {
                self.report.error(at, format!("the scorer {name:?} is listed twice"));
                continue;
            }
            let (of_case, of_suite) = (file.scorer_config.get(name), defaults.config.get(name));
            let config = merged(of_suite, of_case);
            if let Some(Err(message)) = self.registry.get(name).map(|known| known.check(&config)) {
                let at = of_case.or(of_suite).map_or(at, |config| &config.at);
                self.report.error(at, format!("configuration of {name:?}: {message}"));
            }
            resolved.push(ConfiguredScorer { name: name.clone(), config });
        }
        resolved
    }

    fn known(&mut self, Located { at, value }: &Located<String>, configs: &[&Configs]) {
        let Some(name) = value.as_ref().filter(|name| self.registry.get(name).is_none()) else { return };
        let config = configs.iter().find_map(|configs| configs.get(name)?.value.as_ref());
        if config.is_some_and(|config| config.get("command").is_some()) {
            self.report
                .error(at, format!("the scorer {name:?} cannot be run"))
                .suggest("its `command` must be a list, the program and its arguments: [python3, score.py]");
            return;
        }
        let names: Vec<&str> = self.registry.iter().map(|known| known.name()).collect();
        let advice = match nearest(name, names.iter().copied()) {
            Some(name) => format!("did you mean {name:?}?"),
            None => format!(
                "known scorers are {}; your own needs `command` in `scorer_config`, or must be registered",
                names.join(", ")
            ),
        };
        self.report.error(at, format!("unknown scorer {name:?}")).suggest(advice);
    }

    fn min_score(&mut self, given: &Option<Located<f64>>) -> Option<f64> {
        let Some(Located { at, value: Some(score) }) = given else { return None };
        if !(0.0..=1.0).contains(score) {
            self.report.error(at, format!("a minimum score of {score} is out of range: expected 0 to 1"));
        }
        Some(*score)
    }
}

/// Configurations by scorer.
type Configs = BTreeMap<String, Located<Value>>;

/// The suite's settings that a case inherits.
struct Defaults<'f> {
    scorers: &'f [Located<String>],
    config: &'f Configs,
    min_score: f64,
    numbers: Numbers,
    data_tools: &'f DataTools,
}

/// Merges the case's configuration over the suite's, key by key (decision 7).
fn merged(suite: Option<&Located<Value>>, case: Option<&Located<Value>>) -> Value {
    let [suite, case] = [suite, case].map(|config| config?.value.as_ref());
    match (suite, case) {
        (Some(Value::Object(suite)), Some(Value::Object(case))) => {
            let mut merged = suite.clone();
            merged.extend(case.iter().map(|(key, value)| (key.clone(), value.clone())));
            Value::Object(merged)
        }
        (suite, case) => case.or(suite).cloned().unwrap_or(Value::Null),
    }
}
