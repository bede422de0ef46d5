//! How long `lint` takes for a folder of records, and how much memory: a made-up folder, with every form that occurs.
//!
//! `cargo bench --bench lint [-- RECORDS]`, 10,000 unless told. The same at a tenth of the size shows what grows with it.

use std::error::Error;
use std::time::Instant;

use atlas_gt::external::{Folder, ListedQuestions};
use atlas_gt::extract::Extractors;
use atlas_gt::lint::RuleSelection;
use atlas_gt::workflow::{Asking, lint};
use jiff::Timestamp;

#[path = "../tests/external/mod.rs"]
#[expect(dead_code, reason = "what was planted is for tests")]
mod external;

/// The most memory that this process has had, in MiB; zero where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or_default() / 1024
}

fn run(records: usize) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let made = external::write(temporary.path(), records, 1);
    let (before, start) = (peak(), Instant::now());
    let folder = Folder::open(temporary.path())?;
    let asking = Asking::of(ListedQuestions::read(&made.questions)?, &Extractors::built_in()?);
    let report = lint(&folder, &asking, &RuleSelection::default(), Timestamp::now());
    println!(
        "{} records: {:.2} s, {} findings, peak memory {} MiB ({before} before)",
        report.records,
        start.elapsed().as_secs_f64(),
        report.findings.len(),
        peak()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let records = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    run(records / 10)?;
    run(records)
}
