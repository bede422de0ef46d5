//! How fast JSON scoring is: pairs of 50 fields, against parsing alone with serde_json, on one core and on all.
//!
//! `cargo bench --bench score [-- PAIRS | hostile] [--json FILE] [--write FILE]`. `bench/score_peers.py` runs it with its peers.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use atlas_gt::scoring::json::{JsonConfig, Similarities, Summary, score_line};
use atlas_gt::scoring::suite::parse_answer;
use atlas_gt::scoring::text::{Facts, score_text};
use atlas_gt::scoring::tools::{MatchSpec, parse_trajectory};
use atlas_gt::scoring::{compare, scorers};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// A generator with a fixed sequence, so that every run and every peer sees the same pairs.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// One field in both documents: a number, money, a date, an e-mail, a name, a text, a flag, a list, a null. One answer
/// in eight is wrong, missing, null, or was not asked for.
fn field(position: usize, random: &mut Sequence, truth: &mut String, answer: &mut String) {
    let number = random.below(1_000_000);
    let other = if random.below(8) == 0 { number + 1 } else { number };
    let value = |number: u64| match position % 10 {
        0 => format!("{number}"),
        1 => format!("{}.{:02}", number, number % 100),
        2 => format!("\"${}.{} billion\"", number % 900, number % 10),
        3 => format!("\"20{:02}-{:02}-{:02}\"", number % 25, 1 + number % 12, 1 + number % 28),
        4 => format!("\"person{number}@example.com\""),
        5 => format!("\"Country {number}\""),
        6 => format!(
            "\"The exports of country {number} grew over ten years, driven by goods and by services.\""
        ),
        7 => if number.is_multiple_of(2) { "true" } else { "false" }.to_owned(),
        8 => format!("[{number}, \"a\", {}]", number % 7),
        _ => "null".to_owned(),
    };
    let comma = |text: &String| if text.ends_with('{') { "" } else { "," };
    // Writing into a `String` cannot fail.
    let _ = write!(truth, "{}\"field_{position:02}\":{}", comma(truth), value(number));
    match random.below(24) {
        0 => {}
        1 => {
            let _ = write!(answer, "{}\"field_{position:02}\":null", comma(answer));
        }
        2 => {
            let _ = write!(answer, "{}\"extra_{position:02}\":{}", comma(answer), value(number));
        }
        _ => {
            let _ = write!(answer, "{}\"field_{position:02}\":{}", comma(answer), value(other));
        }
    }
}

fn pairs(count: usize) -> Vec<u8> {
    let mut random = Sequence(50);
    let mut out = String::new();
    for id in 0..count {
        let (mut truth, mut answer) = (String::from("{"), String::from("{"));
        for position in 0..50 {
            field(position, &mut random, &mut truth, &mut answer);
        }
        let _ = writeln!(out, "{{\"id\":\"{id}\",\"truth\":{truth}}},\"answer\":{answer}}}}}");
    }
    out.into_bytes()
}

/// The best of five runs: what disturbs a run only makes it slower.
fn best(mut run: impl FnMut()) -> Duration {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn score_all(lines: &[&[u8]], pool: &rayon::ThreadPool) -> Result<Summary, Box<dyn Error>> {
    let (config, given) = (JsonConfig::default(), Similarities::new());
    let mut summary = Summary::default();
    for block in lines.chunks(1_000) {
        let scored: Vec<_> =
            pool.install(|| block.par_iter().map(|line| score_line(line, &config, &given, false)).collect());
        for pair in scored {
            summary.add(&pair?.score.metadata);
        }
    }
    Ok(summary)
}

/// A megabyte of what is tiresome to read, for every command.
fn hostile() -> Result<Vec<(String, Duration)>, Box<dyn Error>> {
    const SIZE: usize = 1 << 20;
    let full = |piece: &str| piece.repeat(SIZE / piece.len() + 1);
    let facts: Facts = serde_json::from_value(serde_json::json!({
        "facts": ["GDP is $5 billion", "Kenya grew 3% in 2024"], "required_sections": ["Trade"],
        "queries": [{ "relevant_sources": ["https://example.com/x"] }]
    }))?;
    let mut times = Vec::new();
    let mut time = |name: String, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        times.push((name, start.elapsed()));
    };
    let pieces = [
        "7 ",
        "7",
        "GDP is $5 billion. ",
        "unknown ",
        "unspecified x ",
        "[",
        "**",
        "> ",
        "(A ",
        "(A, ",
        "|a",
        "|a|b|\n|-|-|\n",
        "http://((",
        "https://a.b/c ",
        "[Source: ",
        "Source: x\n",
        "A, A. ",
        "- ",
        "`",
        "\n\n",
        "<b",
        "not ",
        "é",
        "a",
    ];
    for piece in pieces {
        let text = full(piece);
        time(format!("text {piece:?}"), &mut || drop(black_box(score_text(&text, &facts))));
    }
    for piece in ["7 ", "$5 billion ", "Kenya ", "not ", "(", "1,", "é"] {
        let text = full(piece);
        time(format!("values {piece:?}"), &mut || {
            drop(black_box(compare::compare_texts("$5 billion", &text)))
        });
    }
    let keys = |reversed: bool| {
        let mut keys: Vec<String> = (0..SIZE / 16).map(|n| format!("\"key{n:06}\":1")).collect();
        if reversed {
            keys.reverse();
        }
        format!("{{{}}}", keys.join(","))
    };
    let nested = format!("{{\"a\":{}{}{}}}", "[".repeat(126), full("1,") + "1", "]".repeat(126));
    let words = format!("{{\"a\":\"{}\"}}", full("word "));
    let bad = format!("{{\"a\":{}", full("["));
    let pairs = [
        (keys(false), keys(true)),
        (nested.clone(), nested),
        (words.clone(), words.to_uppercase()),
        (bad.clone(), bad),
    ];
    let config = JsonConfig::default();
    for (number, (truth, answer)) in pairs.iter().enumerate() {
        let line = format!("{{\"truth\":{truth},\"answer\":{answer}}}");
        time(format!("json {number}"), &mut || {
            drop(black_box(score_line(line.as_bytes(), &config, &Similarities::new(), true)));
        });
    }
    let calls: Vec<_> =
        (0..SIZE / 32).map(|n| serde_json::json!({ "name": "a", "args": { "x": n } })).collect();
    let made = parse_trajectory(&calls.into())?.calls;
    let expected = vec![serde_json::json!({ "tool": "a", "arguments": { "x": -1 } }); 20];
    for mode in ["strict", "unordered", "superset"] {
        let spec: MatchSpec =
            serde_json::from_value(serde_json::json!({ "mode": mode, "calls": expected, "max_repeats": 2 }))?;
        time(format!("tool calls, {mode}"), &mut || drop(black_box(scorers::match_calls(&spec, &made))));
    }
    let text = full("see https://atlas.hks.harvard.edu/countries/404?x=1 ");
    let answer = serde_json::json!({ "case": "c", "output": text });
    time("reading an answer".to_owned(), &mut || drop(black_box(parse_answer(&answer))));
    Ok(times)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let after = |flag: &str| {
        arguments.iter().position(|argument| argument == flag).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let count = arguments.first().and_then(|first| first.parse().ok()).unwrap_or(100_000);
    if arguments.first().is_some_and(|first| first == "hostile") {
        let mut times = hostile()?;
        times.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        for (name, time) in &times {
            println!("{:8.1} ms  {name}", time.as_secs_f64() * 1e3);
        }
        return Ok(());
    }
    let text = pairs(count);
    if let Some(path) = after("--write") {
        std::fs::write(path, &text)?;
        return Ok(());
    }
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();

    let mut failed = None;
    let parse = best(|| {
        for line in &lines {
            match serde_json::from_slice::<serde_json::Value>(line) {
                Ok(value) => drop(black_box(value)),
                Err(error) => failed = Some(error),
            }
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (single, double) = (pool(1)?, pool(2)?);
    let summary = score_all(&lines, &single)?;
    let one = best(|| drop(black_box(score_all(&lines, &single))));
    let two = best(|| drop(black_box(score_all(&lines, &double))));
    let report = serde_json::json!({
        "pairs": lines.len(),
        "bytes": text.len(),
        "serde_json_parse_s": parse.as_secs_f64(),
        "score_one_core_s": one.as_secs_f64(),
        "score_two_cores_s": two.as_secs_f64(),
        "times_parse_only": one.as_secs_f64() / parse.as_secs_f64(),
        "speed_up_on_two_cores": one.as_secs_f64() / two.as_secs_f64(),
        "matched": summary.counts.matched,
        "mismatched": summary.counts.mismatched,
        "unscored": summary.counts.unscored,
        "mean_completeness": summary.completeness.mean(),
        "mean_hallucination": summary.hallucination.mean(),
        "mean_accuracy": summary.accuracy.mean(),
        "mean_rqs": summary.rqs.mean(),
    });
    println!("{report:#}");
    if let Some(path) = after("--json") {
        std::fs::write(path, report.to_string())?;
    }
    Ok(())
}
