//! Scoring over a million arbitrary inputs: nothing panics, and what must hold for every input holds. The inputs come from a
//! seeded generator. `ATLAS_GT_ARBITRARY=1000` (per cent) tries ten times as many, `ATLAS_GT_ARBITRARY_SEED` others; a failure names the
//! input.

mod inputs;

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
use inputs::{JSON_PIECES, MARKDOWN, Random, WORDS, json_value, pair_line};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

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
