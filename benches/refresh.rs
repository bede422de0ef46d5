//! What refresh and history cost: 100,000 records compared with as many readings, the history of one question and the
//! whole of a changelog of a million lines. Run with `cargo bench --bench refresh`.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use atlas_gt::truth::changelog::{self, ChangelogEntry};
use atlas_gt::truth::checks::Checks;
use atlas_gt::truth::{
    CommitRun, Hash, Import, Provenance, Record, Site, Store, WriteOutcome, changes, file_imports, history,
    kinds, seal,
};

const RECORDS: u32 = 100_000;
const LINES: u32 = 1_000_000;
/// Of so many records one has changed.
const ONE_IN: u32 = 50;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let started = Instant::now();
    write(&Store::open(folder.path(), Site::Live)?)?;
    println!("{RECORDS} records written in {:.1} s", started.elapsed().as_secs_f64());
    compare(&Store::read(folder.path())?)?;
    write_changelog(folder.path())?;
    // the changelog was written past the store
    fs::write(folder.path().join("site.json"), "{\"site\":\"live\"}\n")?;
    seal(folder.path(), &[])?;
    read_changelog(&Store::read(folder.path())?)?;
    Ok(())
}

/// A record as it was read, and as it would be read again when `moved`.
fn record(number: u32, moved: bool) -> Outcome<Record> {
    let value = 1000 + number % 9000 + u32::from(moved) * 7;
    let text = format!(
        r#"{{"question_id":"{number}","execution_timestamp":"2026-11-20T10:30:00Z","source":"atlas_country_page",
        "source_method":"browser_country_page","atlas_url":"https://atlas.hks.harvard.edu/countries/404","site":"live",
        "results":{{"data":[{{"data_point":"gdp_per_capita","metric":"GDP per capita","country":"Kenya","value":"${value}",
        "number":"{value}","unit":"USD","year":"2024"}}]}}}}"#
    );
    Ok(Record::from_text(&text)?)
}

fn provenance(number: u32) -> Outcome<Provenance> {
    let value = 1000 + number % 9000;
    let evidence = Hash::of(&number.to_le_bytes());
    let text = format!(
        r#"{{"question_id":"{number}","site":"live","points":[{{"data_point":"gdp_per_capita","displayed":"${value}",
        "rule":"F5","interval":{{"low":"{}.50","high":"{value}.50","low_closed":true,"high_closed":true}},
        "precise":{{"number":"{value}","from":"countryProfile(location: location-404).latestGdpPerCapita.quantity"}},
        "context":{{"country":"404","period":{{"start":2024,"end":2024}},"statistic":"level"}},"channel":"dom",
        "locator":"section `introduction`, label \"GDP per Capita\"","agreement":"agrees",
        "agreement_reason":"{value} in the response is displayed as ${value}","evidence":"{evidence}",
        "settled_url":"https://atlas.hks.harvard.edu/countries/404","extractor":"country_profile v1","tool_version":"0.1.0",
        "read_at":"2026-11-20T10:30:00Z"}}]}}"#,
        value - 1
    );
    Ok(serde_json::from_str(&text)?)
}

fn write(store: &Store) -> Outcome<()> {
    let run = CommitRun { id: "bench".to_owned(), now: "2026-11-20T10:30:00Z".parse()?, by: None };
    for first in (0..RECORDS).step_by(1000) {
        let import = |number| {
            let (record, provenance) = (record(number, false)?, provenance(number)?);
            Ok((Import { record, provenance, look: None, archived: Vec::new() }, WriteOutcome::Written))
        };
        let batch = (first..first + 1000).map(import).collect::<Outcome<Vec<_>>>()?;
        let batch: Vec<_> = batch.iter().map(|(import, outcome)| (import, outcome)).collect();
        file_imports(store, &batch, &Checks::default(), &run)?;
    }
    Ok(())
}

/// What a refresh does with every reading: load the record, compare row by row, tell the kind of what differs.
fn compare(store: &Store) -> Outcome<()> {
    let started = Instant::now();
    let mut found = 0;
    for (number, id) in store.question_ids()?.into_iter().enumerate() {
        let number: u32 = id.as_str().parse().unwrap_or(u32::try_from(number)?);
        let read = record(number, number.is_multiple_of(ONE_IN))?;
        let how = provenance(number)?;
        let stored = store.load(&id)?.ok_or("a record is missing")?;
        let differing = changes(&stored.record.results.data, &read.results.data);
        found += kinds(&differing, stored.provenance.as_ref(), Some(&how)).len();
    }
    let took = started.elapsed().as_secs_f64();
    assert_eq!(found, (RECORDS / ONE_IN) as usize);
    println!(
        "{RECORDS} records loaded and compared, {found} changed: {took:.2} s (aim: < 10), memory at most {} MB (aim: < 500)",
        peak_memory()
    );
    Ok(())
}

fn write_changelog(folder: &Path) -> Outcome<()> {
    let mut out = BufWriter::new(fs::File::create(folder.join("changelog.jsonl"))?);
    let mut line = String::new();
    for number in 0..LINES {
        line.clear();
        let (question, old) = (number % RECORDS, 1000 + number % 9000);
        let hash = Hash::of(&number.to_le_bytes());
        let side = |value: u32| {
            format!(
                r#"{{"source":"browser_country_page","read_at":"2026-11-20T10:30:00Z","channel":"dom","evidence":"{hash}","row":{{"data_point":"gdp_per_capita","metric":"GDP per capita","country":"Kenya","value":"${value}","number":"{value}","unit":"USD","year":"2024"}}}}"#
            )
        };
        write!(
            line,
            r#"{{"timestamp":"2026-11-20T10:30:00Z","question_id":{question},"field":"gdp_per_capita","old":{old},"new":{},"source":"browser_country_page","run":"20261120T103000Z-1","kind":"revision","context":{{"country":"404","period":{{"start":2024,"end":2024}},"statistic":"level"}},"before":{},"after":{}}}"#,
            old + 7,
            side(old),
            side(old + 7)
        )?;
        // what is measured is what the program writes
        if number == 0 {
            let entry: ChangelogEntry = serde_json::from_str(&line)?;
            assert_eq!(serde_json::to_string(&entry)?, line);
        }
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

fn read_changelog(store: &Store) -> Outcome<()> {
    let size = fs::metadata(store.dir().join("changelog.jsonl"))?.len() / 1_000_000;
    for _ in 0..3 {
        let started = Instant::now();
        let log = changelog::lines(store, None)?;
        let took = started.elapsed().as_secs_f64();
        assert_eq!((log.len(), store.quarantined().len()), (LINES as usize, 0));
        println!("changelog of {LINES} lines ({size} MB) read: {took:.2} s (aim: < 3)");
        drop(log);
        let started = Instant::now();
        let told = history::of(store, &"61".parse()?, &|_| true)?;
        let took = started.elapsed().as_secs_f64();
        assert_eq!(told.lives.len(), (LINES / RECORDS) as usize + 1);
        println!("history of one question in it, {} values: {took:.2} s (aim: < 2)", told.lives.len());
    }
    Ok(())
}

/// The high-water mark of this process's resident memory, in MB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or_default() / 1024
}
