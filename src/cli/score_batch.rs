//! Batch scoring: reads a source in blocks and scores it on all cores in bounded memory. JSON pairs
//! come from one file, or from two folders matched by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::print::{print, print_alone, print_bytes};
use super::score_files::{lines, syntax};
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::score::Batched;
use crate::report::{CaseVerdict, Format, Items, ReportCase, line, print_status};
use crate::scoring::Score;
use crate::scoring::json::{
    Buckets, JsonConfig, JsonDetails, JsonError, PairScore, Similarities, Summary, parse_object, score,
    score_line,
};
use crate::selection::at_least_one;
use crate::words::count;

/// Bytes of input per block.
const BLOCK: usize = 2 << 20;
/// The estimated size of a scored pair relative to its input.
const PRINTED_RATIO: usize = 4;

/// How to score and print a batch.
pub(super) struct Batch<'a> {
    pub config: &'a JsonConfig,
    pub given: &'a Similarities,
    pub min_score: Option<f64>,
    pub threads: Option<usize>,
    pub format: Format,
}

/// The part of a batch scored so far.
#[derive(Default)]
struct Progress {
    summary: Summary,
    cases: Vec<ReportCase>,
}

/// Scores the items of a source in parallel.
pub(super) trait BlockScorer: Sync {
    /// The type of an item.
    type Item: Send + Sync;
    /// The result for an item.
    type Scored<'a>: Send;

    /// Its size in bytes.
    fn size(item: &Self::Item) -> usize;

    /// Scores an item.
    fn score<'a>(&self, item: &'a Self::Item) -> Self::Scored<'a>;
}

/// Scores a source in parallel, on all cores or the given number of threads, with one block in
/// memory at a time. Passes the results to `take` in order.
///
/// # Errors
/// The source cannot be read, or `take` failed.
pub(super) fn in_blocks<S: BlockScorer>(
    scorer: &S,
    mut items: impl Iterator<Item = Result<S::Item>>,
    threads: Option<usize>,
    mut take: impl for<'a> FnMut(&'a S::Item, S::Scored<'a>) -> Result<()>,
) -> Result<()> {
    let threads = threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Usage(format!("--threads {threads}: {error}")))?;
    loop {
        let (mut block, mut bytes) = (Vec::new(), 0);
        while bytes < BLOCK
            && let Some(item) = items.next()
        {
            let item = item?;
            bytes += S::size(&item);
            block.push(item);
        }
        if block.is_empty() {
            return Ok(());
        }
        let scored: Vec<_> = pool.install(|| block.par_iter().map(|item| scorer.score(item)).collect());
        for (item, scored) in block.iter().zip(scored) {
            take(item, scored)?;
        }
    }
}

impl BlockScorer for Batch<'_> {
    type Item = (usize, Vec<u8>);
    type Scored<'a> = std::result::Result<(PairScore<'a>, Vec<u8>), JsonError>;

    fn size((_, text): &Self::Item) -> usize {
        text.len()
    }

    fn score<'a>(&self, (_, text): &'a Self::Item) -> Self::Scored<'a> {
        self.line(text)
    }
}

impl Batch<'_> {
    /// Scores a file with one pair per line.
    pub fn lines(&self, path: &Path) -> Result<Exit> {
        let mut progress = Progress::default();
        in_blocks(self, lines(path)?, self.threads, |(number, _), scored| {
            let name = format!("line {number}");
            match scored {
                Ok((pair, text)) => self.take(&name, &pair, &text, &mut progress)?,
                Err(error) => {
                    let error = syntax(path, &JsonError { line: *number, ..error });
                    self.fail(name, &error, &mut progress);
                }
            }
            Ok(())
        })?;
        self.finish(progress, &path.display().to_string())
    }

    /// A scored line, with its printed form.
    fn line<'a>(&self, text: &'a [u8]) -> std::result::Result<(PairScore<'a>, Vec<u8>), JsonError> {
        let mut pair = score_line(text, self.config, self.given, self.format == Format::Jsonl)?;
        let mut printed = Vec::new();
        if self.format == Format::Jsonl {
            printed.reserve(PRINTED_RATIO * text.len());
            // Writing to memory cannot fail, and neither can these types.
            let _ = serde_json::to_writer(&mut printed, &pair);
            printed.push(b'\n');
            // free what is already printed before the block is done
            let details = &mut pair.score.metadata;
            (details.buckets, details.fields) = (Buckets::default(), Vec::new());
        }
        Ok((pair, printed))
    }

    /// Adds a pair to the totals.
    fn take(&self, name: &str, pair: &PairScore<'_>, text: &[u8], progress: &mut Progress) -> Result<()> {
        let details = &pair.score.metadata;
        progress.summary.add(details);
        if self.format == Format::Junit {
            progress.cases.push(self.case(pair.id.as_deref().unwrap_or(name), details));
        }
        print_bytes(text);
        Ok(())
    }

    fn fail(&self, name: String, error: &Error, progress: &mut Progress) {
        print_status(format_args!("error: {error}"));
        progress.summary.errors += 1;
        progress.cases.push(ReportCase::new(name, CaseVerdict::Error, error));
    }

    /// A pair passes if it reaches the minimum score, or without a minimum, if nothing in it is
    /// wrong.
    fn case(&self, name: &str, details: &JsonDetails<'_>) -> ReportCase {
        let JsonDetails { measures, counts, .. } = details;
        let made_up = counts.extra_keys + counts.gt_null_aio_has_value;
        let good = match (self.min_score, measures.rqs) {
            (Some(bar), Some(rqs)) => rqs >= bar,
            _ => counts.mismatched + counts.aio_missing_or_null + made_up == 0,
        };
        let passed = if good && counts.unscored > 0 { None } else { Some(good) };
        let message = format!(
            "{} wrong, {} missing, {made_up} made up, {} unscored",
            counts.mismatched, counts.aio_missing_or_null, counts.unscored
        );
        ReportCase::new(name, CaseVerdict::from_pass(passed), message)
    }

    /// Scores two folders of JSON files, matched by name.
    pub fn folders(&self, truth: &Path, answer: &Path) -> Result<Exit> {
        let (truths, mut answers) = (json_files(truth)?, json_files(answer)?);
        let mut progress = Progress::default();
        for (name, truth) in truths {
            let Some(answer) = answers.remove(&name) else {
                progress.summary.unmatched_truth.push(name);
                continue;
            };
            let sides = match Sides::read(&truth, &answer) {
                Ok(sides) => sides,
                Err(error) => {
                    self.fail(name, &error, &mut progress);
                    continue;
                }
            };
            match sides.score(self.config, self.given) {
                Ok(score) => {
                    let pair = PairScore { id: Some(name.clone()), score };
                    let text = if self.format == Format::Jsonl { line(&pair)? } else { String::new() };
                    self.take(&name, &pair, text.as_bytes(), &mut progress)?;
                }
                Err(error) => self.fail(name, &error, &mut progress),
            }
        }
        progress.summary.unmatched_answer = answers.into_keys().collect();
        self.finish(progress, &truth.display().to_string())
    }

    fn finish(&self, Progress { summary, cases }: Progress, name: &str) -> Result<Exit> {
        let (truths, answers) = (summary.unmatched_truth.len(), summary.unmatched_answer.len());
        at_least_one(usize::try_from(summary.pairs + summary.errors).unwrap_or(usize::MAX), || {
            match truths + answers {
                0 => format!("{name} has no pair to score"),
                _ => {
                    let (truths, answers) = (count(truths, "truth"), count(answers, "answer"));
                    format!("{name}: no answer has the name of a truth ({truths}, {answers})")
                }
            }
        })?;
        let batched = Batched { summary, cases };
        match self.format {
            Format::Jsonl => print(&Items::new(self.format, "pairs").end(&batched)?),
            _ => drop(print_alone(self.format, &batched)?),
        }
        let summary = &batched.summary;
        if summary.errors > 0 {
            return Ok(Exit::Usage);
        }
        let passes = self.min_score.is_none_or(|bar| summary.passes(bar));
        Ok(if passes { Exit::Ok } else { Exit::Differences })
    }
}

/// Two files with one object each.
pub(super) struct Sides<'p>([(&'p Path, Vec<u8>); 2]);

impl<'p> Sides<'p> {
    pub fn read(truth: &'p Path, answer: &'p Path) -> Result<Self> {
        Ok(Self([(truth, input::bytes(truth)?), (answer, input::bytes(answer)?)]))
    }

    /// Scores the answer object against the truth object.
    pub fn score(&self, config: &JsonConfig, given: &Similarities) -> Result<Score<JsonDetails<'_>>> {
        let [truth, answer] =
            self.0.each_ref().map(|(path, text)| parse_object(text).map_err(|error| syntax(path, &error)));
        Ok(score(truth?, answer?, config, given))
    }
}

/// The truth and answer folders inside a folder.
pub(super) fn sides_of(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let find = |names: &[&str]| {
        names.iter().map(|name| folder.join(name)).find(|path| path.is_dir()).ok_or_else(|| {
            Error::Usage(format!("{} has no folder `{}`", folder.display(), names.join("` or `")))
        })
    };
    Ok((find(&["truth", "gt", "ground_truth"])?, find(&["answer", "answers", "aio"])?))
}

/// The JSON files in a folder, by name.
fn json_files(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(Error::named(folder))? {
        let path = entry.map_err(Error::file(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, path);
        }
    }
    Ok(files)
}
