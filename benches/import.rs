//! What an import costs: 10,000 records of another tool into an empty store, once more into the full one, and the memory that
//! it takes beside that of 1,000. Run with `cargo bench --bench import`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use atlas_gt::external::{Folder, ListedQuestions};
use atlas_gt::extract::Extractors;
use atlas_gt::manifest;
use atlas_gt::truth::{CommitRun, Site, SourceMethod, Store};
use atlas_gt::workflow::import::{ImportOrder, import};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let extractors = Extractors::built_in()?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("manifests/atlas.json");
    let known = manifest::load(&path, &extractors).map_err(|found| format!("{found:?}"))?;
    for records in [1_000_usize, 10_000] {
        let folder = tempfile::tempdir()?;
        write(folder.path(), records, &known)?;
        // the same questions again and again, each under an id of its own
        let mut all = known.clone();
        all.entries = (0..records)
            .filter_map(|number| {
                let mut entry = known.entries.get(number % known.entries.len())?.clone();
                entry.question_id = format!("r{number}").parse().ok()?;
                Some(entry)
            })
            .collect();
        let store = folder.path().join("store");
        for what in ["into an empty store", "once more"] {
            let started = Instant::now();
            let opened = Store::open(&store, Site::Live)?;
            let order = ImportOrder {
                folder: &Folder::open(&folder.path().join("results"))?,
                questions: &ListedQuestions::read(&folder.path().join("questions.json"))?,
                manifest: &all,
                extractors: &extractors,
                site: Site::Live,
                assumed: SourceMethod::GraphqlApi,
                dry_run: false,
                run: CommitRun { id: "bench".to_owned(), now: "2026-11-20T10:30:00Z".parse()?, by: None },
            };
            let report = import(&order, Some(&opened), &mut |_| Ok(()))?;
            println!(
                "{records} records {what}: {:.2} s, {} with a data point, {} MB at most",
                started.elapsed().as_secs_f64(),
                report.placed,
                peak().unwrap_or_default() / 1024
            );
        }
    }
    Ok(())
}

/// Records of five values each, one of which answers the question of the manifest, and their questions.
fn write(folder: &Path, records: usize, known: &manifest::Manifest) -> Outcome<()> {
    let mut questions = String::from("[");
    for number in 0..records {
        let Some(entry) = known.entries.get(number % known.entries.len()) else { continue };
        let asked = entry.info.question_text.as_deref().unwrap_or_default();
        let comma = if number > 0 { "," } else { "" };
        write!(questions, "{comma}{{\"id\":\"r{number}\",\"text\":{}}}", serde_json::to_string(asked)?)?;
        let metric = entry.data_points.first().map_or("share", String::as_str).replace('_', " ");
        // the answer alone, and a list of what the question does not ask for
        let mut rows =
            format!("{{\"metric\":\"{metric}\",\"value\":\"${number}\",\"raw_value\":{number}.25}}");
        for row in 1..5 {
            let value = number % 900 + row;
            write!(
                rows,
                ",{{\"metric\":\"{metric}\",\"rank\":{row},\"product\":\"Product {row} ({:04} HS12)\",\"export_value\":\
                 \"${value}.10 million\",\"raw_export_value\":{value}100001.5,\"share\":\"{row}.4%\",\"year\":\"2024\"}}",
                1001 + row
            )?;
        }
        let dir = folder.join("results").join(format!("r{number}")).join("ground_truth");
        fs::create_dir_all(&dir)?;
        let record = format!(
            "{{\"question_id\":\"r{number}\",\"execution_timestamp\":\"2026-02-28T10:00:00Z\",\"source_method\":\"graphql_api\",\
             \"results\":{{\"data\":[{rows}]}}}}"
        );
        fs::write(dir.join("results.json"), record)?;
    }
    questions.push(']');
    fs::write(folder.join("questions.json"), questions)?;
    Ok(())
}

/// The most memory that this process had so far, in kilobytes.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
