//! Rewrites numbers of other locales and styles into the form that the value parser reads: `2.274,50`, `1 234,5`, `1'234`,
//! `3,77,651`, `116 out of 145`, `twenty-four`. An ambiguous number has a second reading.

use std::borrow::Cow;
use std::sync::LazyLock;

use icu_normalizer::ComposingNormalizerBorrowed;
use regex::{Captures, Regex};
use rust_decimal::Decimal;

use super::lexicon;
use crate::compiled_in::pattern;
use crate::value::format::group_digits;

/// A notation of numbers that the value parser does not read, and its rewriting.
struct Writing {
    /// A cheap precondition for the costly pattern.
    needs: Needs,
    pattern: LazyLock<Regex>,
    plain: fn(&Captures<'_>) -> String,
}

enum Needs {
    Nothing,
    Digits,
    /// One of these.
    Words(&'static [&'static str]),
}

/// The words of some lexicon lists, as alternatives of a pattern.
fn any(lists: &[&str]) -> String {
    lists.iter().flat_map(|list| lexicon::list(list)).cloned().collect::<Vec<_>>().join("|")
}

/// The notations, in order: groups and decimals, ranks, scales, number words.
static WRITINGS: [Writing; 18] = [
    // `1.234,5` or `1.234.567`: full stops between groups
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| {
            pattern(
                r"(^|[^\d.,])(\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|[1-9]\d{0,2}\.\d{3},\d+)($|[^\d])",
            )
        }),
        plain: |c| format!("{}{}{}", &c[1], group_digits(&c[2].replace('.', "").replace(',', ".")), &c[3]),
    },
    // `1 234` or `1 234,5`: spaces between groups
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| {
            pattern(r"(^|[^\d.,])([1-9]\d{0,2}(?:[ \u{a0}\u{202f}\u{2009}]\d{3})+)(,\d+|\.\d+)?($|[^\d])")
        }),
        plain: |c| {
            let whole: String = c[2].chars().filter(char::is_ascii_digit).collect();
            let fraction = c.get(3).map_or(String::new(), |f| f.as_str().replace(',', "."));
            format!("{}{}{}", &c[1], group_digits(&format!("{whole}{fraction}")), &c[4])
        },
    },
    // `3,77,651`
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| pattern(r"(^|[^\d.,])(\d{1,2}(?:,\d{2})+,\d{3})($|[^\d,])")),
        plain: |c| format!("{}{}{}", &c[1], group_digits(&c[2].replace(',', "")), &c[3]),
    },
    // `3,38`: a comma before one, two or four and more decimals
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| pattern(r"(^|[^\d.,])(\d{1,4}),(\d{1,2}|\d{4,})($|[^\d.,]|[.,](?:\D|$))")),
        plain: |c| format!("{}{}.{}{}", &c[1], &c[2], &c[3], &c[4]),
    },
    // `1'234'567`
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| pattern(r"(^|[^\d.,])([1-9]\d{0,2}(?:['\u{2019}]\d{3})+)")),
        plain: |c| format!("{}{}", &c[1], group_digits(&c[2].replace(['\'', '\u{2019}'], ""))),
    },
    // `116 out of 145`, `116/145`, `116th out of 145`
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| {
            pattern(
                r"\b(\d{1,3}(?:st|nd|rd|th)?)(?: (?:place|position|rank))? ?(?:out of|/|of the|among the|among) ?(\d{2,3})\b",
            )
        }),
        plain: |c| format!("{} of {}", &c[1], &c[2]),
    },
    // `(57.9) billion`: an accountant's minus
    Writing {
        needs: Needs::Digits,
        pattern: LazyLock::new(|| {
            pattern(r"\((\$?)(\d[\d.,]*)\) ?(trillion|billion|million|thousand|[kKMBT]\b)")
        }),
        plain: |c| format!("-{}{} {}", &c[1], &c[2], &c[3]),
    },
    // `2-digit`: a level of a classification
    Writing {
        needs: Needs::Words(&["digit"]),
        pattern: LazyLock::new(|| pattern(r"\b([1-9])[ -]digit\b")),
        plain: |c| {
            let ones = c[1].parse::<usize>().ok().and_then(|digit| lexicon::list("ones").get(digit - 1));
            format!("{} digit", ones.map_or(&c[1], String::as_str))
        },
    },
    // `a quarter of a billion`
    Writing {
        needs: Needs::Words(&["illion", "housand"]),
        pattern: LazyLock::new(|| {
            pattern(
                r"(?i)\b(three quarters|a quarter|half) (?:of )?an? (trillion|billion|million|thousand)\b",
            )
        }),
        plain: part_of_scale,
    },
    // `0.43 of a percentage point`
    Writing {
        needs: Needs::Words(&["percentage point"]),
        pattern: LazyLock::new(|| pattern(r"(\d) of (?:a|one) percentage point\b")),
        plain: |c| format!("{} percentage points", &c[1]),
    },
    // `three and a half`, `2 and a half`
    Writing {
        needs: Needs::Words(&["and a half", "½"]),
        pattern: LazyLock::new(|| {
            pattern(&format!(r"(?i)\b({}|\d{{1,3}})(?: and a half\b|½)", any(&["ones"])))
        }),
        plain: |c| format!("{}.5", in_digits(&c[1])),
    },
    // `twenty-fifth`, `one hundred and sixteenth`
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            let (tens, ones, teens) = (any(&["tens"]), any(&["ordinal"]), any(&["ordinal_teens"]));
            pattern(&format!(
                r"(?i)\b(?:(?:one|a) (hundred)(?: and)? (?:({tens})[ -])?({ones}|{teens})|({tens})[ -]({ones}))\b"
            ))
        }),
        plain: spelled_place,
    },
    // `fourth of 145`, `Place: second of the four`, and `Third!` as a whole sentence
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            pattern(&format!(
                r"(?i)(^\W*|: |\b(?:is|at|as|comes|ranks|stands) )({})((?:,? | ?[–—-] ?)(?:out )?(?:of|among|in) (?:the |a field of |all )?(?:\d|(?:{})\b)|[.!]\W*$)",
                any(&["ordinal"]),
                any(&["ones"])
            ))
        }),
        plain: |c| match (c[1].to_lowercase().as_str(), c[2].to_lowercase().as_str()) {
            // `It was $164 billion at first.`
            ("at ", "first") => c[0].to_owned(),
            _ => format!("{}{}{}", &c[1], ordinal(&c[2]), &c[3]),
        },
    },
    // `third largest`
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            let later = lexicon::list("ordinal").get(1..).unwrap_or_default().join("|");
            pattern(&format!(r"(?i)\b({later})[ -](largest|biggest|place|rank|position)\b"))
        }),
        plain: |c| format!("{} {}", ordinal(&c[1]), &c[2]),
    },
    // `is third among …`
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            let later = lexicon::list("ordinal").get(1..).unwrap_or_default().join("|");
            pattern(&format!(r"(?i)\b({}) ({later})\b", any(&["stands"])))
        }),
        plain: |c| format!("{} {}", &c[1], ordinal(&c[2])),
    },
    // `2nd of the four`
    Writing {
        needs: Needs::Words(&["of "]),
        pattern: LazyLock::new(|| {
            pattern(&format!(
                r"(?i)\b(\d{{1,3}}(?:st|nd|rd|th)) (?:out )?of (?:the |these |all )*({}|\d{{1,3}})\b",
                any(&["ones"])
            ))
        }),
        plain: |c| format!("{} of {}", &c[1], in_digits(&c[2])),
    },
    // `twenty-four`, `two thousand two hundred and seventy-four`
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            // "$2.27 thousand" and "hundreds" are not number words
            let (first, digit) = (any(&["teens", "tens", "ones"]), any(&["ones"]));
            pattern(&format!(
                r"(?i)\b(?:zero point(?: (?:zero|{digit}))+|(?:{first})(?:(?:[ -]|,? and )(?:{first}|hundred|thousand))*(?: point(?: (?:zero|{digit}))+)?)\b"
            ))
        }),
        plain: |c| spelled(&c[0]).unwrap_or_else(|| c[0].to_owned()),
    },
    // `two dollars`
    Writing {
        needs: Needs::Nothing,
        pattern: LazyLock::new(|| {
            pattern(&format!(r"(?i)\b({}) ((?:us )?dollars?|per ?cent|percentage points?)\b", any(&["ones"])))
        }),
        plain: |c| format!("{} {}", in_digits(&c[1]), &c[2]),
    },
];

/// `3.78 × 10^11`: a power of ten.
static POWER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\d+(?:\.\d+)?) ?(?:×|x|\*|·|\\times|\\cdot) ?10 ?\^ ?\{?(\d{1,2})\}?"));
/// `3.78 lakh crore`, `2,570 crore`.
static INDIAN_SCALE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\d(?:[\d,]*\d)?(?:\.\d+)?) (lakh crore|crore|lakh)s?\b"));
/// `120 basis points`: hundredths of a percentage point.
static BASIS_POINTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\d+(?:\.\d+)?) ?(?:basis points?|bps?)\b"));
/// Shorthands in or beside a number, with their full forms.
static SHORTHANDS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let shorthands = [
        (r"\bU\.S\. (dollars?)\b", "US $1"),
        (r"(\d) ?pct\b\.?", "$1%"),
        (r"(USD|\$) ?(?:mn|mln|mio|m)\b", "$1 million"),
        (r"(USD|\$) ?(?:bn|bln)\b", "$1 billion"),
        (r"(\d) ?(USD|US\$) (million|billion)\b", "$1 $3 $2"),
        (r"!==?|<>|=/=", "≠"),
        (r"-{1,2}>|(?m:^)[ ]*={1,2}>|[⇒⟶➔➜]", "→"),
        (r"<-{1,2} |[⇐⟵]", "← "),
        (r"(?i)\b(ranked|placed|place|comes|is|the) hundredth\b", "$1 100th"),
        (r"\b(\d)(\d{2}) (?:US )?cents?\b", "$$$1.$2"),
        (r"\b(\d{2}) (?:US )?cents?\b", "$$0.$1"),
        (r"\b(\d) (?:US )?cents?\b", "$$0.0$1"),
        (r"(?i)\b(?:1|one) (?:dollar|euro) in\b", "one in"),
        (r"\b1 in (\d{1,2})\b", "one in $1"),
        (
            r"(\d[\d.,]*(?: (?:trillion|billion|million|thousand))?) (current|constant) ((?:US )?dollars)\b",
            "$1 $3 ($2)",
        ),
        // a formula that is only a number
        (
            r"\$\$(\\?\$)?([-−]?\d(?:[\d.,]*\d)?(?: (?:trillion|billion|million|thousand))?)(?:\\?(%))?\$\$",
            "$1$2$3",
        ),
        (r"\$([-−]?\d(?:[\d.,]*\d)?)(?:\\?(%))?\$", "$1$2"),
        (r"(\d(?:\.\d+)?) (?:out )?of (?:five|5) (diamonds?)\b", "$1 $2"),
        (r"(\d(?:\.\d+)?) (diamonds?) (?:out )?of (?:five|5)\b", "$1 $2"),
        (r"(\d(?:\.\d+)?) (?:out )?of (?:every|each) (?:hundred|100)(?: dollars)?\b", "$1%"),
        (r"(?m)^>([$\d−-])", r"\>$1"),
        (r"(\d[\d.,]*) below zero\b", "-$1"),
        (r" ?\.{4,} ?", ": "),
        (r"\.{3} (\w)", ", $1"),
        (r"[▲△] ?(\$?\d)", "+$1"),
        (r"[▼▽] ?(\$?\d)", "-$1"),
        (r"\ba (?:little|bit|touch|tad) (more|less)\b", "slightly $1"),
        // a dot between parts, where it multiplies no numbers
        (r"([^\s\d]) +[·•] +", "$1; "),
        (r" +[·•] +([^\s\d])", "; $1"),
    ];
    shorthands.into_iter().map(|(shorthand, full)| (pattern(shorthand), full)).collect()
});
/// A web address; its numbers are not values.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"https?://[^\s)\]>]+"));

/// Rewrites a number before a power of ten with a scale word, digits kept: `3.78 × 10^11` is 378 billion, `257 crore`
/// 2.57 billion.
fn scaled(found: &Captures<'_>) -> String {
    let power = match &found[2] {
        "lakh crore" => 12,
        "crore" => 7,
        "lakh" => 5,
        power => power.parse().unwrap_or(0),
    };
    let scales = [(12, "trillion"), (9, "billion"), (6, "million"), (3, "thousand")];
    // the nearest scale that adds no zeros: they would make the number look more precise
    let moved = |(scale, word): (u32, &str)| {
        (scale.abs_diff(power) <= 2).then(|| Some(format!("{} {word}", shifted(&found[1], scale, power)?)))?
    };
    scales.into_iter().rev().find_map(moved).unwrap_or_else(|| found[0].to_owned())
}

/// A number of 10^`from` in units of 10^`to`, with the same digits. `None` if that needs zeros at its end, and for zero.
fn shifted(number: &str, to: u32, from: u32) -> Option<String> {
    let mut number: Decimal = number.replace(',', "").parse().ok()?;
    if number.is_zero() {
        return None;
    }
    number.set_scale((number.scale() + to).checked_sub(from)?).ok()?;
    Some(number.to_string())
}

/// The web addresses in a text.
pub(crate) fn addresses(text: &str) -> Vec<String> {
    ADDRESS.find_iter(text).map(|found| found.as_str().to_owned()).collect()
}

/// Normalises compatible characters (NFKC) and shorthands. Superscript digits are dropped as footnotes, but for powers of ten.
pub(crate) fn normalized(text: &str) -> String {
    // LaTeX's group separator: `2{,}274`.
    let mut text = text.replace("{,}", ",");
    replace(&mut text, &ADDRESS, |_| String::new());
    let mut text = if text.is_ascii() { text } else { plain(&text) };
    replace(&mut text, &POWER, scaled);
    replace(&mut text, &INDIAN_SCALE, scaled);
    replace(&mut text, &BASIS_POINTS, |found| {
        shifted(&found[1], 2, 0)
            .map_or_else(|| found[0].to_owned(), |moved| format!("{moved} percentage points"))
    });
    for (shorthand, full) in SHORTHANDS.iter() {
        if let Cow::Owned(in_full) = shorthand.replace_all(&text, *full) {
            text = in_full;
        }
    }
    text
}

/// Replaces compatible characters by their plain form.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹') {
            out.push(c);
        } else if out.ends_with("10") {
            out.push('^');
            out.push(c);
        }
    }
    ComposingNormalizerBorrowed::new_nfkc().normalize(&out).into_owned()
}

/// Rewrites every number in the form `1,234.5`.
pub(crate) fn plain_numbers(text: &str) -> String {
    let mut out = text.to_owned();
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    for writing in &WRITINGS {
        let may_hold = match writing.needs {
            Needs::Nothing => true,
            Needs::Digits => has_digits,
            Needs::Words(words) => words.iter().any(|word| out.contains(word)),
        };
        if may_hold {
            replace(&mut out, &writing.pattern, writing.plain);
        }
    }
    out
}

/// A number word from one to nine as digits; other text unchanged.
fn in_digits(word: &str) -> String {
    let ones = lexicon::position("ones", &word.to_lowercase());
    ones.map_or_else(|| word.to_owned(), |at| (at + 1).to_string())
}

/// Rewrites `half a billion` as `about 500 million`.
fn part_of_scale(found: &Captures<'_>) -> String {
    let number = match found[1].to_lowercase().as_str() {
        "half" => "500",
        "a quarter" => "250",
        _ => "750",
    };
    let below = match found[2].to_lowercase().as_str() {
        "trillion" => " billion",
        "billion" => " million",
        "million" => " thousand",
        _ => "",
    };
    format!("about {number}{below}")
}

/// An ordinal word as digits: `3rd`.
fn ordinal(word: &str) -> String {
    let place = lexicon::ordinal(&word.to_lowercase()).unwrap_or(0);
    format!("{place}{}", ending(place))
}

fn ending(place: usize) -> &'static str {
    ["st", "nd", "rd"].get(place.wrapping_sub(1)).unwrap_or(&"th")
}

/// `one hundred and twenty-fifth` as `125th`.
fn spelled_place(found: &Captures<'_>) -> String {
    let place = |list: &str, at: usize| {
        found.get(at).and_then(|word| lexicon::position(list, &word.as_str().to_lowercase()))
    };
    let hundreds = 100 * usize::from(found.get(1).is_some());
    let tens = place("tens", 2).or(place("tens", 4)).map_or(0, |at| 20 + 10 * at);
    let ones = place("ordinal", 3).or(place("ordinal", 5)).map(|at| 1 + at);
    let rest = ones.or(place("ordinal_teens", 3).map(|at| 11 + at)).unwrap_or(0);
    format!("{}{}", hundreds + tens + rest, ending(rest))
}

fn replace(text: &mut String, pattern: &LazyLock<Regex>, with: impl Fn(&Captures<'_>) -> String) {
    if pattern.is_match(text) {
        *text = pattern.replace_all(text, |captures: &Captures<'_>| with(captures)).into_owned();
    }
}

/// A number in words as digits. `None` below ten (where "one" may be an article), unless decimals follow.
fn spelled(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let (whole, decimals) = lower.split_once(" point").map_or((lower.as_str(), ""), |(w, d)| (w, d));
    let at = |list: &str, word: &str| lexicon::position(list, word).map(|at| at as u64);
    let (mut total, mut part) = (0_u64, 0_u64);
    for word in whole.split([' ', '-', ',']).filter(|word| !matches!(*word, "" | "and" | "zero")) {
        match word {
            "hundred" => part = part.max(1).checked_mul(100)?,
            "thousand" => {
                total = total.checked_add(part.max(1).checked_mul(1000)?)?;
                part = 0;
            }
            _ => {
                part += at("ones", word)
                    .map(|at| at + 1)
                    .or_else(|| at("teens", word).map(|at| at + 10))
                    .or_else(|| at("tens", word).map(|at| (at + 2) * 10))?;
            }
        }
    }
    let number = total + part;
    let digits: String =
        decimals.split_whitespace().map(|word| at("ones", word).map_or(0, |at| at + 1).to_string()).collect();
    match digits.as_str() {
        "" => (number >= 10).then(|| number.to_string()),
        digits => Some(format!("{number}.{digits}")),
    }
}

/// The second reading of an ambiguous number: `2.274` may mean 2274 (full stops group), `3,383` may mean 3.383 (decimal
/// comma). Rewrites the first occurrence of its digits.
pub(crate) fn other_reading(shown: &str) -> Option<String> {
    let digits: String = shown.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let digits = digits.trim_matches(['.', ',']);
    let three = |part: &str| part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit());
    let other = match (digits.split_once('.'), digits.split_once(',')) {
        (Some((whole, rest)), None) if three(rest) && (1..=3).contains(&whole.len()) && whole != "0" => {
            format!("{whole},{rest}")
        }
        (None, Some((whole, rest))) if three(rest) && (1..=3).contains(&whole.len()) => {
            format!("{whole}.{rest}")
        }
        _ => return None,
    };
    Some(shown.replacen(digits, &other, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_locales() {
        for (given, plain) in [
            ("2.274,50 €", "2,274.50 €"),
            ("1 234,5", "1,234.5"),
            ("1\u{202f}234 567", "1,234,567"),
            ("1'234.5", "1,234.5"),
            ("3,38 %", "3.38 %"),
            ("3,77,651", "377,651"),
            ("1.234.567", "1,234,567"),
            ("in 2024 274 products", "in 2024 274 products"),
            ("$2,274, of", "$2,274, of"),
            ("2,274 and 3.38", "2,274 and 3.38"),
            ("116 out of 145", "116 of 145"),
            ("twenty-four products", "24 products"),
            ("(57.9) billion", "-57.9 billion"),
            ("Two thousand two hundred and seventy-four dollars", "2274 dollars"),
            ("$2.27 thousand", "$2.27 thousand"),
            ("one of the ten largest", "one of the 10 largest"),
            ("three point two eight percent", "3.28 percent"),
            ("zero point five", "0.5"),
            ("2-digit groups", "two digit groups"),
            ("2nd of the four", "2nd of 4"),
            ("half a billion dollars", "about 500 million dollars"),
            ("a quarter of a trillion", "about 250 billion"),
        ] {
            assert_eq!(plain_numbers(given), plain, "{given}");
        }
    }

    #[test]
    fn scales_keep_the_digits() {
        for (given, plain) in [
            ("3.78 × 10^11", "378 billion"),
            ("4 x 10^11", "0.4 trillion"),
            ("257 crore", "2.57 billion"),
            ("25.7 lakh crore", "25.7 trillion"),
            ("2,570 lakh", "257.0 million"),
            ("1.5 lakhs", "0.15 million"),
            ("36 basis points", "0.36 percentage points"),
            ("2.5 bps", "0.025 percentage points"),
        ] {
            assert_eq!(normalized(given), plain, "{given}");
        }
    }

    #[test]
    fn what_can_mean_two_numbers() {
        assert_eq!(other_reading("$2.274").as_deref(), Some("$2,274"));
        assert_eq!(other_reading("3,383%").as_deref(), Some("3.383%"));
        assert_eq!(other_reading("$2.27"), None);
        assert_eq!(other_reading("0.846"), None);
        assert_eq!(other_reading("1,234,567"), None);
    }
}
