//! Scoring over a million arbitrary inputs: nothing panics, and what must hold for every input holds. The inputs come from a
//! seeded generator. `ATLAS_GT_ARBITRARY=1000` (per cent) tries ten times as many, `ATLAS_GT_ARBITRARY_SEED` others; a failure names the
//! input.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use atlas_gt::scoring::Verdict;
use atlas_gt::scoring::compare::{JsonOptions, Operand, compare, compare_json, compare_texts};
use atlas_gt::scoring::json::{
    FieldRule, JsonConfig, LineScorer, NoJudge, Numbers, SemanticFallback, Strategy, parse, parse_pair,
    score_line, score_pair,
};
use atlas_gt::scoring::suite::{Registry, read_suite};
use atlas_gt::scoring::text::{Facts, score_text};
use atlas_gt::scoring::tools::{SelectionConfig, check_link, parse_trajectory, tool_selection};
use atlas_gt::value::{Context, Interval, Quantity, Rule, Value, format, parse_as};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rust_decimal::Decimal;

/// SplitMix64: the same sequence for the same seed, for ever.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn text(&mut self, pieces: &[&str], count: Range<usize>) -> String {
        let count = count.start + self.below(count.end - count.start);
        (0..count).map(|_| self.one(pieces)).collect()
    }

    fn decimal(&mut self) -> Decimal {
        let mantissa = (self.next() % 200_000_000) as i64 - 100_000_000;
        Decimal::new(mantissa, self.below(7) as u32) * Decimal::from(10_u64.pow(self.below(10) as u32))
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a whole number"))
}

static TRIED: AtomicU64 = AtomicU64::new(0);

/// Tries so many inputs, each from its own seed, on all cores.
fn tried(what: &str, count: u64, check: impl Fn(&mut Random) + Sync) {
    let (count, seed) =
        (count * setting("ATLAS_GT_ARBITRARY", 100) / 100, setting("ATLAS_GT_ARBITRARY_SEED", 50));
    let start = Instant::now();
    const CHUNK: u64 = 500;
    (0..count.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        let mut random = Random(seed.wrapping_mul(0x1_0000_01B3) ^ chunk.wrapping_mul(0xD134_2543_DE82_EF95));
        for _ in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
            check(&mut random);
        }
    });
    TRIED.fetch_add(count, Ordering::Relaxed);
    println!("{count:>9} {what} in {:.1} s", start.elapsed().as_secs_f64());
}

const JSON_PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u00e9",
    "\\ud800",
    "1",
    "-",
    "0",
    ".5",
    "e",
    "E+",
    "true",
    "false",
    "null",
    " ",
    "\n",
    "\"a\"",
    "\"b\":",
    "é",
    "\u{1f600}",
    "\t",
    "NaN",
    "Infinity",
    "01",
    "\u{feff}",
    "{\"a\":1}",
    "[1,2]",
    "\u{0}",
];

const WORDS: &[&str] = &[
    "Kenya",
    "Turkey",
    "Türkiye",
    "Business",
    "high",
    "started",
    "not yet started",
    "N/A",
    "deficit",
    "2024",
    "2014",
    "exports",
    "imports",
    "declined",
    "rank",
    "116th of 145",
    "positions",
    "percentage points",
    "%",
    "$",
    "€",
    "billion",
    "B",
    "million",
    "K",
    "-",
    "\u{2212}",
    "↓",
    "+",
    ",",
    ";",
    ":",
    "(",
    ")",
    " ",
    " ",
    " ",
    ".",
    "1",
    "22",
    "3.4",
    "0.034",
    "378",
    "1,000",
    "0901",
    "HS92",
    "SITC",
    "goods",
    "services",
    "constant",
    "current",
    "growth",
    "CAGR",
    "é",
    "ß",
    "\u{200b}",
    "\u{a0}",
    "<",
    ">",
    "10 years",
    "null",
];

const MARKDOWN: &[&str] = &[
    "# ",
    "## ",
    "- ",
    "* ",
    "1. ",
    "> ",
    "**",
    "`",
    "```\n",
    "\n",
    "\n\n",
    "[1]",
    "[Source: https://a.b/c]",
    "https://example.com/x",
    "(Kinyua, 2020)",
    "unknown",
    "very large",
    "GDP is $5 billion. ",
    "GDP is $6 billion. ",
    "[a](http://b.c)",
    "|a|b|\n|-|-|\n",
    "<b>",
    "text ",
    "grew 3% ",
    "é",
    "I cannot provide",
    "\\",
    "![",
    "](",
    "#",
    " ",
];

/// A value of a field, and whether an answer may hold it otherwise spelt.
fn json_value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 9 } else { 12 }) {
        0 => "null".to_owned(),
        1 => random.one(&["true", "false"]).to_owned(),
        2 => random.below(1_000_000).to_string(),
        3 => random.decimal().to_string(),
        4 => random
            .one(&[
                "1e5",
                "-0",
                "0.10",
                "1E-7",
                "12345678901234567890",
                "-0.0",
                "1.5e300",
                "100.0",
                "0.00001",
            ])
            .to_owned(),
        5 => random
            .one(&[
                "\"\"",
                "\" \"",
                "\"2024-01-31\"",
                "\"a@b.co\"",
                "\"Kenya\"",
                "\"KENYA\"",
                "\"\\u004benya\"",
                "\"\\n\"",
                "\"0.5\"",
            ])
            .to_owned(),
        6 => serde_json::Value::from(random.text(WORDS, 0..8)).to_string(),
        7 => serde_json::Value::from(random.text(WORDS, 10..40)).to_string(),
        8 => format!("\"{}\"", random.one(&["a\u{7f}b", "it's", "a/b", "Côte d’Ivoire", "e\u{301}"])),
        9 | 10 => {
            let items: Vec<String> = (0..random.below(4)).map(|_| json_value(random, depth - 1)).collect();
            format!("[{}]", items.join(random.one(&[",", ", "])))
        }
        _ => json_object(random, depth - 1, 4),
    }
}

fn json_object(random: &mut Random, depth: usize, most: usize) -> String {
    let keys = [
        "a",
        "b",
        "key with spaces",
        "é",
        "field_07",
        "a.b",
        "k\\\"q",
        "name",
        "c",
        "d",
        "longer_key_of_a_field",
    ];
    let from = random.below(keys.len());
    let twice = random.below(40) == 0;
    let fields: Vec<String> = (0..random.below(most + 1))
        .map(|at| {
            let key = if twice { keys[from] } else { keys[(from + at) % keys.len()] };
            format!("\"{key}\":{}{}", random.one(&["", "", " "]), json_value(random, depth))
        })
        .collect();
    format!("{{{}}}", fields.join(random.one(&[",", ", "])))
}

/// A line of a batch whose answer is mostly the truth with fields changed, left out, added or moved.
fn pair_line(random: &mut Random) -> String {
    let truth = json_object(random, 2, 9);
    let answer = match random.below(6) {
        0 => json_object(random, 2, 9),
        1 => truth.clone(),
        _ => match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&truth) {
            Err(_) => truth.clone(),
            Ok(fields) => {
                let mut written: Vec<String> = Vec::new();
                for (key, value) in fields {
                    let key = serde_json::Value::from(key);
                    match random.below(12) {
                        0 => {}
                        1 => written.push(format!("{key}: {}", json_value(random, 1))),
                        2 => written.insert(0, format!("{key}:{value}")),
                        3 => written.push(format!("{key}:{value},\"x{}\":1", random.below(3))),
                        _ => written.push(format!("{key}:{value}")),
                    }
                }
                format!("{{{}}}", written.join(","))
            }
        },
    };
    let id = random.one(&["\"id\":7,", "\"id\": \"p\", ", "", "", "\"id\":\"\\u0041\","]);
    match random.below(30) {
        0 => format!("{{\"answer\":{answer},{id}\"truth\":{truth}}}"),
        1 => format!("{{\"truth\":{truth},\"answer\":{answer},\"similarities\":{{\"a\":0.5}}}}"),
        2 => format!("{{{id}\"truth\":{truth},\"answer\":{answer}"),
        3 => random.text(JSON_PIECES, 0..20),
        _ => format!("{{{id}\"truth\": {truth},\"answer\":{answer}}}"),
    }
}

fn configurations() -> Vec<JsonConfig> {
    let rule = |strategy| FieldRule { strategy, threshold: None, tolerance: None };
    let fields = [
        ("a", Strategy::Fuzzy),
        ("b", Strategy::Semantic),
        ("é", Strategy::Ignore),
        ("name", Strategy::Numeric),
        ("c", Strategy::Display),
        ("d", Strategy::Exact),
    ];
    let configured = JsonConfig {
        fields: fields.into_iter().map(|(field, strategy)| (field.to_owned(), rule(strategy))).collect(),
        semantic: SemanticFallback::Lexical,
        ..JsonConfig::default()
    };
    vec![
        JsonConfig::default(),
        JsonConfig { numbers: Numbers::Display, ..JsonConfig::default() },
        JsonConfig { nested: true, ..JsonConfig::default() },
        configured,
    ]
}

#[test]
fn a_million_arbitrary_inputs() {
    // JSON is read or refused, never worse; what is refused is named with its place.
    tried("documents", 700_000, |random| {
        let text = random.text(JSON_PIECES, 0..24);
        if let Err(error) = parse(text.as_bytes()) {
            assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty(), "{text:?}");
        }
        let mut bytes = text.into_bytes();
        if let Some(at) = bytes.len().checked_sub(1) {
            let at = random.below(at + 1);
            bytes[at] = random.below(256) as u8;
            let _ = parse(&bytes);
        }
    });

    // Numbers: an exact one agrees with each print of it, both ways round, and with every coarser print.
    const RULES: [Rule; 12] = [
        Rule::F1,
        Rule::F3,
        Rule::F4,
        Rule::F5,
        Rule::F6,
        Rule::F7,
        Rule::F8,
        Rule::F9,
        Rule::F13,
        Rule::F15,
        Rule::Integer,
        Rule::Growth,
    ];
    let side = |quantity: Quantity| Operand::value(Value::Quantity(quantity), Context::default());
    tried("prints of numbers", 250_000, |random| {
        let (x, y) = (random.decimal(), random.decimal());
        let rule = RULES[random.below(RULES.len())];
        let (Some(printed), Some(other)) = (format(x, rule), format(y, rule)) else { return };
        let read =
            |text: &str| parse_as(text, rule).unwrap_or_else(|error| panic!("{text}: {error}")).interval;
        let (i, j) = (read(&printed), read(&other));
        assert!(i.contains(x) && i.meets(&i) && i.encloses(&i), "{x} as {printed}");
        assert_eq!(i.meets(&j), j.meets(&i), "{printed} / {other}");
        assert_eq!(i.gap(&j), j.gap(&i), "{printed} / {other}");
        assert!(!i.meets(&j) || i.gap(&j).is_zero(), "{printed} / {other}");
        assert!(printed != other || i == j, "{printed} / {other}");
    });
    tried("numbers compared", 5_000, |random| {
        let (x, y) = (random.decimal(), random.decimal());
        let rule = RULES[random.below(RULES.len())];
        let Some(printed) = format(x, rule) else { return };
        let shown = parse_as(&printed, rule).unwrap_or_else(|error| panic!("{x} as {printed}: {error}"));
        let (exact, other) = (Quantity::exact(x, shown.unit), Quantity::exact(y, shown.unit));
        assert_eq!(
            compare(&side(exact.clone()), &side(shown.clone())).verdict,
            Verdict::Match,
            "{x} as {printed}"
        );
        let (there, back) = (
            compare(&side(other.clone()), &side(shown.clone())),
            compare(&side(shown.clone()), &side(other)),
        );
        assert_eq!(
            (there.verdict, there.cause, there.difference),
            (back.verdict, back.cause, back.difference),
            "{y} / {printed}"
        );
        assert_eq!(there.verdict == Verdict::Match, shown.interval.contains(y), "{y} / {printed}");
        // A coarser reading of the same thing: all that agrees with the finer one agrees with it.
        let wider = shown.interval.high.saturating_sub(shown.interval.low);
        let blunt = Interval::closed(
            shown.interval.low.saturating_sub(wider),
            shown.interval.high.saturating_add(wider),
        );
        let blunt = Quantity { interval: blunt, ..shown };
        assert_eq!(compare(&side(exact), &side(blunt)).verdict, Verdict::Match, "{x} as {printed}, coarser");
    });

    // Lines of a batch: one pass says what the reader of whole documents says, to the byte.
    let configurations = configurations();
    tried("lines", 10_000, |random| {
        // The comparator, for DISPLAY, takes its time.
        let config =
            &configurations[if random.below(10) == 0 { random.below(4) } else { 2 * random.below(2) }];
        let mut scorer = LineScorer::new(config, &NoJudge);
        // The second line is read with what the first one taught.
        for line in [pair_line(random), pair_line(random)] {
            let counts = score_line(line.as_bytes(), config, &NoJudge);
            assert_eq!(scorer.counts(line.as_bytes()), counts, "{line}");
            let mut written = Vec::new();
            let scored = scorer.breakdown(line.as_bytes(), &mut written);
            match parse_pair(line.as_bytes()).map(|pair| score_pair(pair, config, &NoJudge)) {
                Err(error) => assert_eq!(scored, Err(error), "{line}"),
                Ok(pair) => {
                    let whole = serde_json::to_string(&pair).unwrap();
                    assert_eq!(String::from_utf8(written).unwrap().trim_end(), whole, "{line}");
                    assert_eq!(scored, Ok((pair.score.counts, pair.score.measures)), "{line}");
                    let shares = [
                        pair.score.measures.accuracy,
                        pair.score.measures.rqs,
                        Some(pair.score.measures.completeness),
                    ];
                    assert!(shares.into_iter().flatten().all(|share| (0.0..=1.0).contains(&share)), "{line}");
                }
            }
        }
    });

    // Free texts: reflexive, the same from either side, always with a reason.
    tried("texts", 2_000, |random| {
        let (a, b) = (random.text(WORDS, 0..9), random.text(WORDS, 0..9));
        assert!(compare_texts(&a, &a).verdict.agrees(), "{a:?}: {:?}", compare_texts(&a, &a));
        let (there, back) = (compare_texts(&a, &b), compare_texts(&b, &a));
        assert_eq!((there.verdict, there.cause), (back.verdict, back.cause), "{a:?} / {b:?}");
        assert!(!there.reason.is_empty(), "{a:?} / {b:?}");
    });

    // Trees: reflexive, the same from either side.
    tried("trees", 300, |random| {
        let (a, b) = (json_value(random, 2), json_value(random, 2));
        let (Ok(a), Ok(b)) = (serde_json::from_str(&a), serde_json::from_str(&b)) else { return };
        let options = JsonOptions::default();
        assert!(compare_json(&a, &a, &options).verdict.agrees(), "{a}");
        assert_eq!(
            compare_json(&a, &b, &options).verdict,
            compare_json(&b, &a, &options).verdict,
            "{a} / {b}"
        );
    });

    // Tools: a share, 1 for the expected calls themselves.
    tried("tools", 40_000, |random| {
        let names = ["atlas_graphql", "query_tool", "web_search", "docs"];
        let some = |random: &mut Random| -> Vec<String> {
            (0..random.below(5)).map(|_| random.one(&names).to_owned()).collect()
        };
        let (expected, called) = (some(random), some(random));
        let config = SelectionConfig {
            strict_order: random.below(2) == 0,
            penalize_extra: random.below(11) as f64 / 10.0,
        };
        let score = |called: &[String]| {
            let called: Vec<&str> = called.iter().map(String::as_str).collect();
            tool_selection(Some(&expected), Some(&expected), &called, config).score.unwrap()
        };
        assert!((0.0..=1.0).contains(&score(&called)), "{expected:?} {called:?}");
        assert!((score(&expected) - 1.0).abs() < 1e-12, "{expected:?}");
        if let Ok(value) = serde_json::from_str(&json_value(random, 2)) {
            let _ = parse_trajectory(&value);
        }
        let address = random.text(
            &[
                "https://",
                "atlas.hks.harvard.edu",
                "/explore/treemap",
                "?",
                "year=2024",
                "&",
                "%zz",
                "é",
                "/404",
                "#",
            ],
            0..7,
        );
        let _ = check_link("https://atlas.hks.harvard.edu/countries/404", &address);
    });

    // Reports: points within what is attainable.
    let facts: Facts = serde_json::from_str(
        r#"{"facts": ["GDP is $5 billion", "Kenya"], "required_sections": ["Trade"], "queries": [{"relevant_sources": ["https://example.com/x"]}]}"#,
    )
    .unwrap();
    tried("reports", 500, |random| {
        let report = random.text(MARKDOWN, 0..30);
        let scored = score_text(&report, &facts);
        assert!(scored.points <= scored.attainable, "{report:?}");
    });

    // Suites: read, or refused with reasons.
    let registry = Registry::builtin();
    tried("suites", 3_000, |random| {
        let pieces = [
            "name: s\n",
            "cases:\n",
            "  - name: c\n",
            "    input: {query: q}\n",
            "    scorers: [tool_selection]\n",
            "&a ",
            "*a",
            "- ",
            ": ",
            "[",
            "]",
            "{",
            "}",
            "\n",
            "  ",
            "é",
            "\t",
            "!!binary x",
            "min_score: 2\n",
        ];
        let text = random.text(&pieces, 0..14);
        if let Err(problems) = read_suite(&text, &registry) {
            assert!(problems.iter().any(|problem| !problem.message.is_empty()), "{text:?}");
        }
    });

    let tried = TRIED.load(Ordering::Relaxed);
    println!("{tried} inputs tried");
    assert!(tried >= 1_000_000 || setting("ATLAS_GT_ARBITRARY", 100) < 100, "only {tried}");
}
