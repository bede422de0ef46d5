//! Many pairs: JSONL read in blocks and scored on all cores in bounded memory, or two folders matched by name.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;

use super::score_output::{
    Format, JunitCase, JunitState, junit, line, pretty, print, print_bytes, read, syntax, table,
};
use crate::error::{Error, Exit, Result};
use crate::report::tell;
use crate::scoring::json::{
    Counts, GivenSimilarities, JsonConfig, JsonError, Measures, Object, PairScore, Summary, each_line,
    flatten, parse_object, parse_pair, score, score_line, score_pair,
};
use crate::scoring::stats::{MeanEstimate, Running};

/// Bytes read at a time. Three such blocks are in memory: one read, one waiting, one scored.
const BLOCK: usize = 4 << 20;

/// Parts of a block that cores take in turn.
const PARTS: usize = 32;

/// How a batch is scored and printed.
pub(super) struct Batch<'a> {
    pub config: &'a JsonConfig,
    pub judge: &'a GivenSimilarities,
    pub min_score: Option<f64>,
    pub threads: Option<usize>,
    pub format: Format,
}

/// A line's counts and measures, and for JUnit what it calls itself.
type Scored = (Counts, Measures, Option<String>);

/// A part of a block, scored.
struct Part {
    /// How many lines it has, blank ones included.
    lines: u64,
    /// Its lines with their numbers in it.
    scored: Vec<(u64, Result<Scored, JsonError>)>,
    /// What is printed of them.
    text: Vec<u8>,
}

/// A batch's end: the summary and what has no partner.
#[derive(Debug, Default, Serialize)]
struct Report {
    #[serde(flatten)]
    summary: Summary,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmatched_truth: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmatched_answer: Vec<String>,
}

impl Batch<'_> {
    /// A file of pairs, one a line.
    pub fn lines(&self, path: &Path) -> Result<Exit> {
        let mut file = File::open(path).map_err(Error::named(path))?;
        let threads = self.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Error::Usage(format!("--threads {threads}: {error}")))?;
        let (sender, blocks) = sync_channel(1);
        let (give_back, spare) = channel();
        let read_on = move || {
            let mut rest = Vec::new();
            loop {
                let block = next_block(&mut file, &mut rest, spare.try_recv().unwrap_or_default());
                let last = !matches!(&block, Ok(block) if !block.is_empty());
                if sender.send(block).is_err() || last {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(read_on);
            self.blocks(path, &blocks, &give_back, &pool)
        })
    }

    fn blocks(
        &self,
        path: &Path,
        blocks: &Receiver<std::io::Result<Vec<u8>>>,
        spare: &Sender<Vec<u8>>,
        pool: &rayon::ThreadPool,
    ) -> Result<Exit> {
        let mut report = Report::default();
        let mut cases = Vec::new();
        let mut before = 0;
        for block in blocks {
            let block = block.map_err(Error::file(path))?;
            let parts: Vec<Part> =
                pool.install(|| cut(&block).into_par_iter().map(|part| self.part(part)).collect());
            // The reader may be gone, having seen the end.
            let _ = spare.send(block);
            for Part { lines, scored, text } in parts {
                for (number, scored) in scored {
                    self.take(path, before + number, scored, &mut report.summary, &mut cases);
                }
                before += lines;
                print_bytes(&text)?;
            }
        }
        self.finish(report, &cases, &path.display().to_string())
    }

    fn part(&self, part: &[u8]) -> Part {
        let (mut text, mut scored) = (Vec::new(), Vec::new());
        let lines = each_line(part, |number, line| {
            let result = match self.format {
                Format::Table | Format::Json => score_line(line, self.config, self.judge)
                    .map(|counts| (counts, counts.measures(self.config.weights, self.config.safety), None)),
                Format::Jsonl | Format::Junit => parse_pair(line).map(|pair| {
                    let scored = score_pair(pair, self.config, self.judge);
                    if self.format == Format::Jsonl {
                        // Writing into memory cannot fail, nor can these types.
                        let _ = serde_json::to_writer(&mut text, &scored);
                        text.push(b'\n');
                    }
                    (scored.score.counts, scored.score.measures, scored.id)
                }),
            };
            scored.push((number, result));
        });
        Part { lines, scored, text }
    }

    /// Adds a line to the summary, in order.
    fn take(
        &self,
        path: &Path,
        number: u64,
        scored: Result<Scored, JsonError>,
        summary: &mut Summary,
        cases: &mut Vec<JunitCase>,
    ) {
        match scored {
            Err(error) => {
                let error = JsonError { line: usize::try_from(number).unwrap_or(usize::MAX), ..error };
                let error = syntax(path, &error);
                tell(format_args!("error: {error}"));
                summary.errors += 1;
                if self.format == Format::Junit {
                    cases.push(JunitCase {
                        name: format!("line {number}"),
                        state: JunitState::Error,
                        message: error.to_string(),
                    });
                }
            }
            Ok((counts, measures, id)) => {
                summary.add(&counts, &measures);
                if self.format == Format::Junit {
                    let name = id.unwrap_or_else(|| format!("line {number}"));
                    cases.push(self.case(&name, &counts, &measures));
                }
            }
        }
    }

    fn pair(
        &self,
        name: &str,
        pair: &PairScore,
        summary: &mut Summary,
        cases: &mut Vec<JunitCase>,
    ) -> Result<()> {
        let (counts, measures) = (&pair.score.counts, &pair.score.measures);
        summary.add(counts, measures);
        match self.format {
            Format::Jsonl => print(&line(pair)?)?,
            Format::Junit => cases.push(self.case(name, counts, measures)),
            Format::Table | Format::Json => {}
        }
        Ok(())
    }

    /// A pair passes when it reaches the bar, or, without one, when nothing in it is wrong.
    fn case(&self, name: &str, counts: &Counts, measures: &Measures) -> JunitCase {
        let good = match (self.min_score, measures.rqs) {
            (Some(bar), Some(rqs)) => rqs >= bar,
            _ => {
                counts.mismatched
                    + counts.aio_missing_or_null
                    + counts.extra_keys
                    + counts.gt_null_aio_has_value
                    == 0
            }
        };
        let state = match (good, counts.unscored) {
            (true, 0) => JunitState::Passed,
            (true, _) => JunitState::Skipped,
            (false, _) => JunitState::Failed,
        };
        let message = format!(
            "{} wrong, {} missing, {} made up, {} unscored",
            counts.mismatched,
            counts.aio_missing_or_null,
            counts.extra_keys + counts.gt_null_aio_has_value,
            counts.unscored
        );
        JunitCase { name: name.to_owned(), state, message }
    }

    /// Two folders of JSON files, matched by name.
    pub fn folders(&self, truth: &Path, answer: &Path) -> Result<Exit> {
        let (truths, mut answers) = (json_files(truth)?, json_files(answer)?);
        let mut report = Report::default();
        let mut cases = Vec::new();
        for (name, truth) in truths {
            let Some(answer) = answers.remove(&name) else {
                report.unmatched_truth.push(name);
                continue;
            };
            match self.files(&truth, &answer) {
                Ok(score) => {
                    let pair = PairScore { id: Some(name.clone()), score };
                    self.pair(&name, &pair, &mut report.summary, &mut cases)?;
                }
                Err(error) => {
                    tell(format_args!("error: {error}"));
                    report.summary.errors += 1;
                    cases.push(JunitCase { name, state: JunitState::Error, message: error.to_string() });
                }
            }
        }
        report.unmatched_answer = answers.into_keys().collect();
        self.finish(report, &cases, &truth.display().to_string())
    }

    fn files(&self, truth: &Path, answer: &Path) -> Result<crate::scoring::json::JsonScore> {
        let (truth_text, answer_text) = (read(truth)?, read(answer)?);
        let (truth, answer) =
            (object(truth, &truth_text, self.config)?, object(answer, &answer_text, self.config)?);
        Ok(score(&truth, &answer, self.config, self.judge))
    }

    fn finish(&self, report: Report, cases: &[JunitCase], name: &str) -> Result<Exit> {
        match self.format {
            Format::Json => print(&pretty(&report)?)?,
            Format::Jsonl => print(&line(&serde_json::json!({ "summary": report }))?)?,
            Format::Junit => print(&junit(name, cases)?)?,
            Format::Table => print(&for_people(&report))?,
        }
        if report.summary.errors > 0 {
            return Ok(Exit::Usage);
        }
        let matched = report.unmatched_truth.is_empty();
        let passes = self.min_score.is_none_or(|bar| matched && report.summary.passes(bar));
        Ok(if passes { Exit::Ok } else { Exit::Differences })
    }
}

/// Reads on until a block ends with a whole line; what is left over begins the next one. Empty at the end. The block is
/// put into `spare`.
fn next_block(file: &mut File, rest: &mut Vec<u8>, spare: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut block = spare;
    block.clear();
    block.append(rest);
    let mut searched = 0;
    loop {
        let start = block.len();
        block.reserve(BLOCK);
        let count = file.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
        if count == 0 {
            return Ok(block);
        }
        if let Some(newline) = memchr::memrchr(b'\n', &block[searched..]) {
            rest.extend_from_slice(&block[searched + newline + 1..]);
            block.truncate(searched + newline + 1);
            return Ok(block);
        }
        searched = start + count;
    }
}

/// Cuts a block into parts of whole lines.
fn cut(block: &[u8]) -> Vec<&[u8]> {
    let target = block.len() / PARTS + 1;
    let mut parts = Vec::with_capacity(PARTS);
    let mut rest = block;
    while !rest.is_empty() {
        let from = target.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[from - 1..]).map_or(rest.len(), |at| from + at);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Reads an object for scoring, flattened when the configuration says so.
pub(super) fn object<'a>(path: &Path, text: &'a [u8], config: &JsonConfig) -> Result<Object<'a>> {
    let object = parse_object(text).map_err(|error| syntax(path, &error))?;
    Ok(if config.nested { flatten(object) } else { object })
}

/// The folders of truths and answers in a folder.
pub(super) fn sides_of(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    let find = |names: &[&str]| {
        names.iter().map(|name| folder.join(name)).find(|path| path.is_dir()).ok_or_else(|| {
            Error::Usage(format!("{} holds no folder `{}`", folder.display(), names.join("` or `")))
        })
    };
    Ok((find(&["truth", "gt", "ground_truth"])?, find(&["answer", "answers", "aio"])?))
}

/// The JSON files of a folder by name.
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

fn for_people(report: &Report) -> String {
    let summary = &report.summary;
    let row = |name: &str, running: &Running| {
        let Some(MeanEstimate { n, mean, standard_error, interval, .. }) = running.estimate() else {
            return vec![name.to_owned(), "0".to_owned(), "-".to_owned(), "-".to_owned(), "-".to_owned()];
        };
        let error = standard_error.map_or_else(|| "-".to_owned(), |error| format!("{error:.4}"));
        let interval = interval
            .map_or_else(|| "-".to_owned(), |bounds| format!("{:.4} to {:.4}", bounds.low, bounds.high));
        vec![name.to_owned(), n.to_string(), format!("{mean:.4}"), error, interval]
    };
    let rows = vec![
        row("completeness", &summary.completeness),
        row("hallucination", &summary.hallucination),
        row("accuracy", &summary.accuracy),
        row("RQS", &summary.rqs),
        row("RQS of attainable", &summary.rqs_of_max),
    ];
    let mut text = table(&["measure", "pairs", "mean", "standard error", "95 % interval"], rows);
    let counts = &summary.counts;
    text.push_str(&format!(
        "{} pairs, {} errors; fields: {} right, {} wrong, {} missing, {} made up, {} ignored, {} unscored\n",
        summary.pairs,
        summary.errors,
        counts.matched,
        counts.mismatched,
        counts.aio_missing_or_null,
        counts.extra_keys + counts.gt_null_aio_has_value,
        counts.ignored,
        counts.unscored
    ));
    for (what, names) in [
        ("truths without answer", &report.unmatched_truth),
        ("answers without truth", &report.unmatched_answer),
    ] {
        if !names.is_empty() {
            text.push_str(&format!("{what}: {}\n", names.join(", ")));
        }
    }
    text
}
