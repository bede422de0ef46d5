//! Coverage: which questions have truth, its sources and trust levels, what is missing, and the commands that close
//! each gap (evaluation strategy, phase 0b and section 8.2).

mod gaps;
mod group;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use self::gaps::Gaps;
use self::group::{Covered, Truth};
use crate::atlas::query_types;
use crate::error::{Exit, Result};
use crate::extract::Extractors;
use crate::manifest::{
    Difficulty, Entry, Manifest, ManifestQuestion, PointCatalog, QuestionId, QuestionList, plain_words,
    same_words,
};
use crate::truth::{EXPECTED_BEHAVIOR, Pipeline, Quarantined, Site, Store, Stored, may_score, time_text};
use atlas_gt_core::clock::Clock;

pub use gaps::{CommandFlags, Gap};
pub(crate) use group::CATEGORY_LEAST;
pub use group::CoverageGroup;

/// The coverage of a manifest by a store.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CoverageReport {
    /// The time of the report.
    pub timestamp: String,
    /// The site of the truth.
    pub site: Site,
    /// The store's folder.
    pub store: String,
    /// The manifest's file.
    pub manifest: String,
    /// The targets with the reached values.
    pub targets: Vec<CoverageTarget>,
    /// All questions together.
    pub total: CoverageGroup,
    /// By category, questions without one last.
    pub categories: Vec<CoverageGroup>,
    /// By difficulty.
    pub difficulties: Vec<CoverageGroup>,
    /// By expected query type, all known types.
    pub query_types: Vec<CoverageGroup>,
    /// By source of the question.
    pub sources: Vec<CoverageGroup>,
    /// The share of truth that may score each pipeline (decision 9).
    pub pipelines: Vec<PipelineShare>,
    /// Extractors that no question uses.
    pub unused_extractors: Vec<String>,
    /// Data points that no question uses, by extractor.
    pub unused_points: BTreeMap<String, Vec<String>>,
    /// The gaps, with the commands that close them.
    pub gaps: Vec<Gap>,
    /// Records without a question in the manifest. They count nowhere else.
    pub without_question: Vec<QuestionId>,
    /// Unreadable records. Their questions count as questions without truth.
    pub quarantined: Vec<Quarantined>,
    /// The targets that fail the command when they are not met.
    #[serde(skip)]
    pub gates: Vec<Goal>,
}

/// A target with the reached value.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CoverageTarget {
    /// The target.
    pub name: Goal,
    /// The number reached.
    pub reached: usize,
    /// The total.
    pub of: usize,
    /// The reached share, 0 to 1; 0 if the total is 0.
    pub value: f64,
    /// The required share.
    pub target: f64,
    /// Whether it is met.
    pub met: bool,
}

/// The targets (evaluation strategy, section 8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Questions with truth, among those that a page or a query answers.
    Truth,
    /// Questions whose truth was read in a browser, among those with truth.
    Browser,
    /// Categories with three questions or more.
    Categories,
    /// Query types with a question.
    QueryTypes,
}

impl Goal {
    /// What it counts, as text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Truth => "questions with truth",
            Self::Browser => "truth that is browser-verified",
            Self::Categories => "categories with 3 questions or more",
            Self::QueryTypes => "query types that a question states",
        }
    }

    const fn target(self) -> f64 {
        match self {
            Self::Truth => 0.9,
            Self::Browser => 0.3,
            Self::Categories | Self::QueryTypes => 1.0,
        }
    }

    fn reached(self, reached: usize, of: usize) -> CoverageTarget {
        let (value, target) = (share(reached, of), self.target());
        // the exact share decides, not its rounding
        let met = of > 0 && reached as f64 >= target * of as f64 - 1e-9;
        CoverageTarget { name: self, reached, of, value, target, met }
    }
}

/// The share of truth that may score a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PipelineShare {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// All values.
    pub values: usize,
    /// Values that may score it.
    pub may_score: usize,
    /// Their share, 0 to 1.
    pub share: f64,
    /// The reasons why the others may not, with counts.
    pub refused: BTreeMap<String, usize>,
}

impl CoverageReport {
    /// The exit code: 2 if a record cannot be read, 3 if one of the gates is not met.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let missed = self.targets.iter().any(|target| !target.met && self.gates.contains(&target.name));
        let gate = if missed { Exit::Differences } else { Exit::Ok };
        gate.worst(Quarantined::exit(&self.quarantined))
    }
}

/// The texts of questions with an imported behavior or quotes.
fn expected(store: &Store) -> Result<BTreeSet<String>> {
    if !store.beside(EXPECTED_BEHAVIOR)? {
        return Ok(BTreeSet::new());
    }
    let path = store.dir().join(EXPECTED_BEHAVIOR);
    let text = crate::input::text(&path)?;
    let list = QuestionList::read(&text).map_err(|fault| fault.of(&path))?;
    Ok(list.questions.iter().map(|question| plain_words(&question.text)).collect())
}

/// The coverage of the manifest by the store. The flags are added to the commands of the report.
///
/// # Errors
/// The store cannot be read. Unreadable records are part of the report.
pub fn coverage(
    store: &Store,
    manifest: &Manifest,
    extractors: &Extractors,
    flags: &CommandFlags,
    clock: Clock,
) -> Result<CoverageReport> {
    let records: Vec<Stored> = store.records()?.collect();
    let (questions, used) = covered(manifest, &records, &expected(store)?);
    let (known, without_question): (Vec<&Stored>, Vec<&Stored>) =
        records.iter().partition(|stored| used.contains(&stored.record.question_id));

    let total = groups(&questions, |_| Some("all"), []).remove(0);
    let categories = groups(&questions, |asked| asked.info.category.as_deref(), []);
    let types = query_types().iter().map(|kind| kind.name);
    let query_types = groups(&questions, |asked| asked.info.expected_query_type.as_deref(), types);
    let named: Vec<&CoverageGroup> = categories.iter().filter(|group| group.name.is_some()).collect();
    let enough = named.iter().filter(|group| group.questions >= CATEGORY_LEAST).count();
    let types: Vec<&CoverageGroup> = query_types.iter().filter(|group| group.name.is_some()).collect();
    let asked = types.iter().filter(|group| group.questions > 0).count();
    let targets = vec![
        Goal::Truth.reached(total.with_truth, total.expecting_truth()),
        Goal::Browser.reached(total.browser, total.with_truth),
        Goal::Categories.reached(enough, named.len()),
        Goal::QueryTypes.reached(asked, types.len()),
    ];
    let is_met = |goal: Goal| targets.iter().any(|target| target.name == goal && target.met);
    let mut gaps = Gaps::new(flags, manifest);
    gaps.of_truth(&questions, store, extractors, is_met(Goal::Browser))?;
    gaps.of_groups(&named, &types);
    gaps.of_annotations(&questions);
    let (unused_extractors, unused_points) = unused(manifest, extractors);
    Ok(CoverageReport {
        timestamp: time_text(clock.now()),
        site: store.site(),
        store: store.dir().display().to_string(),
        manifest: manifest.path.display().to_string(),
        targets,
        difficulties: groups(
            &questions,
            |asked| asked.info.difficulty.map(Difficulty::name),
            Difficulty::ALL.iter().map(|difficulty| difficulty.name()),
        ),
        sources: groups(&questions, |asked| asked.source, []),
        pipelines: Pipeline::ALL.iter().map(|pipeline| of_pipeline(*pipeline, &known)).collect(),
        gaps: gaps.found(),
        total,
        categories,
        query_types,
        unused_extractors,
        unused_points,
        without_question: without_question.iter().map(|stored| stored.record.question_id.clone()).collect(),
        quarantined: store.quarantined(),
        gates: Vec::new(),
    })
}

/// The questions with their truth, and the records that hold it.
fn covered<'a>(
    manifest: &'a Manifest,
    records: &'a [Stored],
    expected: &BTreeSet<String>,
) -> (Vec<Covered<'a>>, BTreeSet<&'a QuestionId>) {
    let by_id: BTreeMap<&QuestionId, &Stored> =
        records.iter().map(|stored| (&stored.record.question_id, stored)).collect();
    let mut used: BTreeSet<&QuestionId> = BTreeSet::new();
    let covered = manifest.questions().map(|asked| {
        // match by question text if the record has it, or else by content, never by another list's number
        let is_it = |stored: &&&Stored| asked.is_of(stored.question(), || stored.about());
        let by_text = || {
            let text = asked.text()?;
            by_id.values().find(|stored| stored.question().is_some_and(|own| same_words(own, text)))
        };
        let stored = by_id.get(asked.id).filter(is_it).or_else(by_text).filter(|_| !asked.expects_behavior());
        let of_store = || asked.text().is_some_and(|text| expected.contains(&plain_words(text)));
        let is_expected = asked.expects_behavior() || stored.is_none() && of_store();
        used.extend(stored.map(|stored| &stored.record.question_id));
        Covered { asked, is_expected, truth: stored.map(|stored| Truth::of(stored)) }
    });
    (covered.collect(), used)
}

/// Groups the questions by a property: known names first, in their order, then others in theirs, then questions without
/// one.
fn groups<'a>(
    questions: &[Covered<'a>],
    of: impl Fn(&ManifestQuestion<'a>) -> Option<&'a str>,
    known: impl IntoIterator<Item = &'a str>,
) -> Vec<CoverageGroup> {
    let named = |name: &str| CoverageGroup { name: Some(name.to_owned()), ..CoverageGroup::default() };
    let mut found: Vec<CoverageGroup> = known.into_iter().map(named).collect();
    let others: BTreeSet<&str> = questions.iter().filter_map(|one| of(&one.asked)).collect();
    for name in others {
        if found.iter().all(|group| group.name.as_deref() != Some(name)) {
            found.push(named(name));
        }
    }
    if questions.iter().any(|one| of(&one.asked).is_none()) {
        found.push(CoverageGroup::default());
    }
    for question in questions {
        let group = found.iter_mut().find(|group| group.name.as_deref() == of(&question.asked));
        group.into_iter().for_each(|group| group.add(question));
    }
    found
}

fn of_pipeline(pipeline: Pipeline, records: &[&Stored]) -> PipelineShare {
    let mut found = PipelineShare { pipeline, values: 0, may_score: 0, share: 0.0, refused: BTreeMap::new() };
    for stored in records {
        let provenance = stored.provenance.as_ref();
        for row in &stored.record.results.data {
            found.values += 1;
            let point = provenance.and_then(|provenance| provenance.of(row));
            match may_score(&stored.record, point, pipeline).reason() {
                None => found.may_score += 1,
                Some(why) => *found.refused.entry(why.to_owned()).or_default() += 1,
            }
        }
    }
    found.share = share(found.may_score, found.values);
    found
}

/// Extractors and data points that no question uses, not even as an input.
fn unused(manifest: &Manifest, extractors: &Extractors) -> (Vec<String>, BTreeMap<String, Vec<String>>) {
    let readings = manifest.entries.iter().flat_map(Entry::readings);
    let used: BTreeSet<(&str, &str)> = readings
        .flat_map(|read| read.data_points.iter().map(|point| (read.extractor.as_str(), point.as_str())))
        .collect();
    let (mut whole, mut points) = (Vec::new(), BTreeMap::new());
    for name in extractors.names() {
        let all = extractors.points(name);
        let left: Vec<String> =
            all.iter().filter(|point| !used.contains(&(name, **point))).map(ToString::to_string).collect();
        if left.len() == all.len() {
            whole.push(name.to_owned());
        }
        if !left.is_empty() {
            points.insert(name.to_owned(), left);
        }
    }
    (whole, points)
}

/// A share, to four digits.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64 * 1e4).round() / 1e4 }
}
