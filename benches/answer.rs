//! How fast answers in prose are scored: 10,000 answers of 200 words against four expected data points, on one core and
//! on two, and whether twice the words take twice the time.
//!
//! `cargo bench --bench answer [-- ANSWERS]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use atlas_gt::scoring::answer::{AnswerVerdict, Expected, score};
use atlas_gt::scoring::compare::Operand;
use atlas_gt::value::{Context, Period, Statistic, Unit, Value, parse};
use rayon::prelude::*;

/// Sentences as agents write them; together they use every part of the scoring.
const SENTENCES: [&str; 16] = [
    "According to the Atlas of Economic Complexity, Kenya's GDP per capita was $2,274 in 2024.",
    "In 2019 it was about $1,970, and in 2010 roughly $1,040.",
    "Measured at purchasing power parity, the figure is $7,159.",
    "Kenya ranks 116th of 145 countries in GDP per capita.",
    "The population is 52.4 million, compared with 123 million in Ethiopia.",
    "Exports of goods and services came to $13.3 billion, of which goods alone were $7.9 billion.",
    "| Year | Exports | Imports |\n|---|---|---|\n| 2022 | $12.1B | $21.0B |\n| 2023 | $12.6B | $20.4B |\n",
    "1. Tea: $1.4 billion\n2. Coffee: $320 million\n3. Cut flowers: $705 million\n",
    "Exports have not fallen by 3 %, although some sources say so; they may be higher.",
    "Using HS 1992, crude petroleum plays no part, while under SITC the picture is the same.",
    "Uganda, which joined the community in 2000, exported $6.3 billion of goods.",
    "Das BIP pro Kopf beträgt 2.274,00 US-Dollar; la población es de 52,4 millones.",
    "Growth is projected at between 3 and 4 % a year until 2034.",
    "The country is a lower-middle-income economy and has gained 13 positions in the ECI ranking.",
    "See <https://atlas.hks.harvard.edu/countries/404> for the whole picture.",
    "It is not $2,350 but $2,274, and the rank is number 116.",
];

/// A generator with a fixed sequence, so that every run sees the same answers.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

fn answers(count: usize, words: usize) -> Vec<String> {
    let mut random = Sequence(7);
    (0..count)
        .map(|_| {
            let mut answer = String::new();
            let mut length = 0;
            while length < words {
                let sentence = SENTENCES[random.below(SENTENCES.len())];
                length += sentence.split_whitespace().count();
                answer.push_str(sentence);
                answer.push_str(if sentence.ends_with('\n') || random.below(4) == 0 { "\n\n" } else { " " });
            }
            answer
        })
        .collect()
}

fn expected() -> Vec<Expected> {
    let point = |data_point: &str, metric: &str, value: &str, unit: Unit, statistic: Statistic| {
        let context = Context {
            country: Some("404".to_owned()),
            period: Some(Period::year(2024)),
            statistic: Some(statistic),
            ..Context::default()
        };
        let value = match parse(value) {
            Some(Value::Quantity(quantity)) => Value::Quantity(quantity.with_unit(unit)),
            other => other.unwrap_or(Value::Text(String::new())),
        };
        Expected {
            field: data_point.to_owned(),
            data_point: data_point.to_owned(),
            metric: metric.to_owned(),
            truth: Operand::value(value, context),
            precise: None,
            names: Vec::new(),
            share: None,
            other_definition: None,
            code: None,
            answers: Vec::new(),
            rank: None,
            column: None,
            follows: None,
        }
    };
    vec![
        point("gdp_per_capita", "GDP per capita", "$2,274", Unit::Usd, Statistic::Level),
        point("gdp_per_capita_ppp", "GDP per capita, PPP", "$7,159", Unit::Usd, Statistic::Level),
        point("gdp_per_capita_rank", "GDP per capita rank", "116th of 145", Unit::Rank, Statistic::Rank),
        point("population", "Population", "52.4 million", Unit::Persons, Statistic::Level),
    ]
}

fn timed(threads: usize, answers: &[String], expected: &[Expected]) -> (Duration, usize) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let started = Instant::now();
    let right = pool.install(|| {
        answers
            .par_iter()
            .map(|answer| black_box(score(expected, None, answer)))
            .map(|scored| scored.points.iter().filter(|point| point.said == AnswerVerdict::Right).count())
            .sum()
    });
    (started.elapsed(), right)
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let expected = expected();
    let (short, long) = (answers(count, 200), answers(count, 400));
    let words = short.iter().map(|answer| answer.split_whitespace().count()).sum::<usize>() / count.max(1);
    // the first call reads the word lists
    black_box(score(&expected, None, "Kenya"));
    println!("{count} answers of {words} words, {} data points each", expected.len());
    for threads in [1, 2] {
        let (time, right) = timed(threads, &short, &expected);
        println!("{threads} threads: {:.2} s, {right} data points right", time.as_secs_f64());
    }
    let (single, _) = timed(2, &short, &expected);
    let (double, _) = timed(2, &long, &expected);
    println!("twice the words: {:.2} times the time", double.as_secs_f64() / single.as_secs_f64());
}
