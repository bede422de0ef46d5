//! Arbitrary inputs: pieces that mean something, put together without sense, from a seed.

use std::ops::Range;

use rust_decimal::Decimal;

/// SplitMix64: the same sequence for the same seed, for ever.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    pub fn text(&mut self, pieces: &[&str], count: Range<usize>) -> String {
        let count = count.start + self.below(count.end - count.start);
        (0..count).map(|_| self.one(pieces)).collect()
    }

    pub fn decimal(&mut self) -> Decimal {
        let mantissa = (self.next() % 200_000_000) as i64 - 100_000_000;
        Decimal::new(mantissa, self.below(7) as u32) * Decimal::from(10_u64.pow(self.below(10) as u32))
    }
}

pub const JSON_PIECES: &[&str] = &[
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

pub const WORDS: &[&str] = &[
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

pub const MARKDOWN: &[&str] = &[
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
pub fn json_value(random: &mut Random, depth: usize) -> String {
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

pub fn json_object(random: &mut Random, depth: usize, most: usize) -> String {
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
pub fn pair_line(random: &mut Random) -> String {
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
