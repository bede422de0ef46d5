//! Numbers as other locales write them, brought into the form that the parser of values reads: `2.274,50`, `1 234,5`,
//! `1'234`, `3,77,651`, `116 out of 145`, `twenty-four`. Where a writing can mean two numbers, both are kept.

use std::borrow::Cow;
use std::sync::LazyLock;

use icu_normalizer::ComposingNormalizerBorrowed;
use regex::{Captures, Regex};

use super::lexicon;

/// `1.234,5` or `1.234.567`: full stops between groups.
static DOTTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(^|[^\d.,])(\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|[1-9]\d{0,2}\.\d{3},\d+)($|[^\d])",
    )
    .ok()
});
/// `1 234` or `1 234,5`: spaces between groups.
static SPACED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(^|[^\d.,])([1-9]\d{0,2}(?:[ \u{a0}\u{202f}\u{2009}]\d{3})+)(,\d+|\.\d+)?($|[^\d])").ok()
});
/// `3,38`: a comma before one, two or four and more decimals.
static COMMA: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(^|[^\d.,])(\d{1,4}),(\d{1,2}|\d{4,})($|[^\d.,]|[.,](?:\D|$))").ok());
/// `1'234'567`.
static QUOTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(^|[^\d.,])([1-9]\d{0,2}(?:['\u{2019}]\d{3})+)").ok());
/// `3,77,651`.
static INDIAN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(^|[^\d.,])(\d{1,2}(?:,\d{2})+,\d{3})($|[^\d,])").ok());
/// `116 out of 145`, `116/145`, `116th out of 145`.
static OUT_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(\d{1,3}(?:st|nd|rd|th)?)(?: (?:place|position|rank))? ?(?:out of|/|of the|among the|among) ?(\d{2,3})\b").ok()
});
/// `2nd of the four`.
static PLACE_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let ones = lexicon::list("ones").join("|");
    Regex::new(&format!(
        r"(?i)\b(\d{{1,3}}(?:st|nd|rd|th)) (?:out )?of (?:the |these |all )*({ones}|\d{{1,3}})\b"
    ))
    .ok()
});
/// `3.78 × 10^11`: a power of ten.
static POWER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(\d+(?:\.\d+)?) ?(?:×|x|\*|·|\\times|\\cdot) ?10 ?\^ ?\{?(\d{1,2})\}?").ok()
});
/// `2-digit`: a level of a classification.
static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b([1-9])[ -]digit\b").ok());
/// `a quarter of a billion`.
static OF_SCALE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(three quarters|a quarter|half) (?:of )?an? (trillion|billion|million|thousand)\b")
        .ok()
});
/// `(57.9) billion`: what accountants write for minus.
static BRACKETED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\((\$?)(\d[\d.,]*)\) ?(trillion|billion|million|thousand|[kKMBT]\b)").ok());
/// `0.43 of a percentage point`.
static OF_A_POINT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(\d) of (?:a|one) percentage point\b").ok());
/// `fourth of 145`, and `Third!` for a whole sentence.
static PLACED_OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let ordinals = lexicon::list("ordinal").join("|");
    Regex::new(&format!(r"(?i)(^\W*|\b(?:is|at|as|comes|ranks|stands) )({ordinals})(,? (?:out )?(?:of|among|in) (?:the |a field of |all )?\d|[.!]\W*$)")).ok()
});
/// `three and a half`, `2 and a half`.
static AND_A_HALF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let ones = lexicon::list("ones").join("|");
    Regex::new(&format!(r"(?i)\b({ones}|\d{{1,3}})(?: and a half\b|½)")).ok()
});
/// `twenty-four`, `two thousand two hundred and seventy-four`.
static SPELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = |lists: &[&str]| {
        lists.iter().flat_map(|list| lexicon::list(list)).cloned().collect::<Vec<_>>().join("|")
    };
    let first = format!("(?:{})", all(&["teens", "tens", "ones"]));
    // "$2.27 thousand" and "hundreds" are no numbers in words
    let word = format!("(?:{}|hundred|thousand)", all(&["teens", "tens", "ones"]));
    let digit = format!("(?:zero|{})", all(&["ones"]));
    Regex::new(&format!(
        r"(?i)\b(?:zero point(?: {digit})+|{first}(?:(?:[ -]|,? and ){word})*(?: point(?: {digit})+)?)\b"
    ))
    .ok()
});
/// `twenty-fifth`, `one hundred and sixteenth`.
static SPELLED_PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let all = |list: &str| lexicon::list(list).join("|");
    let (tens, ones, teens) = (all("tens"), all("ordinal"), all("ordinal_teens"));
    Regex::new(&format!(
        r"(?i)\b(?:(?:one|a) (hundred)(?: and)? (?:({tens})[ -])?({ones}|{teens})|({tens})[ -]({ones}))\b"
    ))
    .ok()
});
/// `two dollars`.
static SPELLED_UNIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let ones = lexicon::list("ones").join("|");
    Regex::new(&format!(r"(?i)\b({ones}) ((?:us )?dollars?|per ?cent|percentage points?)\b")).ok()
});
/// Writings of a number or of what stands at it, each with the one that is read.
static WRITINGS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let writings = [
        (r"\bU\.S\. (dollars?)\b", "US $1"),
        (r"(\d) ?pct\b\.?", "$1%"),
        (r"!=", "≠"),
        (
            r"(\d[\d.,]*(?: (?:trillion|billion|million|thousand))?) (current|constant) ((?:US )?dollars)\b",
            "$1 $3 ($2)",
        ),
        // a formula of a number alone
        (r"\$([-−]?\d[\d.,]*)(?:\\?(%))?\$", "$1$2"),
        (r"(\d(?:\.\d+)?) (?:out )?of (?:five|5) (diamonds?)\b", "$1 $2"),
        (r"(\d[\d.,]*) below zero\b", "-$1"),
        (r" ?\.{4,} ?", ": "),
        (r"[▲△] ?(\$?\d)", "+$1"),
        (r"[▼▽] ?(\$?\d)", "-$1"),
        (r"\ba (?:little|bit|touch|tad) (more|less)\b", "slightly $1"),
    ];
    writings.into_iter().filter_map(|(writing, read)| Some((Regex::new(writing).ok()?, read))).collect()
});
/// An address, whose numbers say nothing.
static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"https?://[^\s)\]>]+").ok());
/// `third largest`.
static PLACED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)[ -](largest|biggest|place|rank|position)\b").ok()
});
/// `is third among …`.
static STANDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(is|was|ranks|ranked|comes|came|stands|places|placed) (second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b").ok()
});
/// A number times a power of ten in the scale that keeps its digits: `3.78 × 10^11` is 378 billion.
fn scaled(found: &Captures<'_>) -> String {
    let whole = found.get(0).map_or("", |whole| whole.as_str());
    let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
    let Ok(power) = part(2).parse::<usize>() else { return whole.to_owned() };
    let decimals = part(1).split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let scales = [(12, "trillion"), (9, "billion"), (6, "million"), (3, "thousand")];
    let fits = |(scale, _): &&(usize, &str)| power >= *scale && power - scale <= 2;
    let Some((scale, word)) = scales.iter().find(fits) else { return whole.to_owned() };
    let shift = power - scale;
    let digits: String = part(1).chars().filter(|c| *c != '.').collect();
    let point = digits.len() - decimals + shift;
    let padded = format!("{digits:0<point$}");
    let (before, after) = padded.split_at(point);
    if after.is_empty() { format!("{before} {word}") } else { format!("{before}.{after} {word}") }
}

/// A text with full-width and other compatible characters in their plain form (NFKC). Raised digits are spans of
/// footnotes, but for those behind a ten, which are its power.
pub(crate) fn normalized(text: &str) -> String {
    // a group separator of LaTeX: `2{,}274`
    let mut text = text.replace("{,}", ",");
    replace(&mut text, &ADDRESS, |_| String::new());
    let mut text = if text.is_ascii() { text } else { plain(&text) };
    replace(&mut text, &POWER, scaled);
    for (writing, read) in WRITINGS.iter() {
        if let Cow::Owned(as_read) = writing.replace_all(&text, *read) {
            text = as_read;
        }
    }
    text
}

/// Compatible characters in their plain form.
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

/// The text with every number in the form `1,234.5`.
pub(crate) fn plain_numbers(text: &str) -> String {
    let mut out = text.to_owned();
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    if digits {
        let groups = |number: &str| group(&number.replace('.', "").replace(',', "."));
        replace(&mut out, &DOTTED, |c| format!("{}{}{}", &c[1], groups(&c[2]), &c[3]));
        replace(&mut out, &SPACED, |c| {
            let whole: String = c[2].chars().filter(char::is_ascii_digit).collect();
            let fraction = c.get(3).map_or(String::new(), |f| f.as_str().replace(',', "."));
            format!("{}{}{}", &c[1], group(&format!("{whole}{fraction}")), &c[4])
        });
        replace(&mut out, &INDIAN, |c| format!("{}{}{}", &c[1], group(&c[2].replace(',', "")), &c[3]));
        replace(&mut out, &COMMA, |c| format!("{}{}.{}{}", &c[1], &c[2], &c[3], &c[4]));
        replace(&mut out, &QUOTED, |c| format!("{}{}", &c[1], group(&c[2].replace(['\'', '\u{2019}'], ""))));
        replace(&mut out, &OUT_OF, |c| format!("{} of {}", &c[1], &c[2]));
        replace(&mut out, &BRACKETED, |c| format!("-{}{} {}", &c[1], &c[2], &c[3]));
    }
    if out.contains("digit") {
        replace(&mut out, &DIGITS, |c| {
            let ones = c[1].parse::<usize>().ok().and_then(|digit| lexicon::list("ones").get(digit - 1));
            format!("{} digit", ones.map_or(&c[1], String::as_str))
        });
    }
    if out.contains("illion") || out.contains("housand") {
        replace(&mut out, &OF_SCALE, |c| {
            let (number, scale) = match c[1].to_lowercase().as_str() {
                "half" => ("500", &c[2]),
                "a quarter" => ("250", &c[2]),
                _ => ("750", &c[2]),
            };
            let below = match scale.to_lowercase().as_str() {
                "trillion" => " billion",
                "billion" => " million",
                "million" => " thousand",
                _ => "",
            };
            format!("about {number}{below}")
        });
    }
    if out.contains("percentage point") {
        replace(&mut out, &OF_A_POINT, |c| format!("{} percentage points", &c[1]));
    }
    if out.contains("and a half") || out.contains('½') {
        replace(&mut out, &AND_A_HALF, |c| {
            let whole = lexicon::position("ones", &c[1].to_lowercase()).map(|at| (at + 1).to_string());
            format!("{}.5", whole.as_deref().unwrap_or(&c[1]))
        });
    }
    let ordinal = |word: &str| {
        let word = word.to_lowercase();
        let place = lexicon::position("ordinal", &word).unwrap_or_default() + 1;
        let suffix = ["th", "st", "nd", "rd"].get(place).unwrap_or(&"th");
        format!("{place}{suffix}")
    };
    replace(&mut out, &SPELLED_PLACE, |c| {
        let place = |list: &str, at: usize| {
            c.get(at).and_then(|word| lexicon::position(list, &word.as_str().to_lowercase()))
        };
        let hundreds = 100 * usize::from(c.get(1).is_some());
        let tens = place("tens", 2).or(place("tens", 4)).map_or(0, |at| 20 + 10 * at);
        let ones = place("ordinal", 3).or(place("ordinal", 5)).map(|at| 1 + at);
        let rest = ones.or(place("ordinal_teens", 3).map(|at| 11 + at)).unwrap_or(0);
        let end = ["st", "nd", "rd"].get(rest.wrapping_sub(1)).unwrap_or(&"th");
        format!("{}{end}", hundreds + tens + rest)
    });
    // a whole sentence of one word, or a place of so many
    if digits || out.len() < 12 {
        replace(&mut out, &PLACED_OF, |c| format!("{}{}{}", &c[1], ordinal(&c[2]), &c[3]));
    }
    replace(&mut out, &PLACED, |c| format!("{} {}", ordinal(&c[1]), &c[2]));
    replace(&mut out, &STANDS, |c| format!("{} {}", &c[1], ordinal(&c[2])));
    if out.contains("of ") {
        replace(&mut out, &PLACE_OF, |c| {
            let total = lexicon::position("ones", &c[2].to_lowercase()).map(|at| (at + 1).to_string());
            format!("{} of {}", &c[1], total.as_deref().unwrap_or(&c[2]))
        });
    }
    replace(&mut out, &SPELLED, |c| spelled(&c[0]).unwrap_or_else(|| c[0].to_owned()));
    replace(&mut out, &SPELLED_UNIT, |c| {
        let ones = lexicon::position("ones", &c[1].to_lowercase()).map_or(0, |at| at + 1);
        format!("{ones} {}", &c[2])
    });
    out
}

fn replace(text: &mut String, pattern: &LazyLock<Option<Regex>>, with: impl Fn(&Captures<'_>) -> String) {
    if let Some(pattern) = pattern.as_ref()
        && pattern.is_match(text)
    {
        *text = pattern.replace_all(text, |captures: &Captures<'_>| with(captures)).into_owned();
    }
}

/// A number in words, in digits. Not below ten, where a word is as often an article, unless decimals follow.
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

/// Commas between the thousands of `1234.5`.
fn group(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').map_or((number, ""), |(w, f)| (w, f));
    let mut out = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// The other number that a text can stand for: `2.274` is 2274 where full stops group, `3,383` is 3.383 where commas
/// are decimal. The first occurrence of such digits is rewritten.
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
    fn what_can_mean_two_numbers() {
        assert_eq!(other_reading("$2.274").as_deref(), Some("$2,274"));
        assert_eq!(other_reading("3,383%").as_deref(), Some("3.383%"));
        assert_eq!(other_reading("$2.27"), None);
        assert_eq!(other_reading("0.846"), None);
        assert_eq!(other_reading("1,234,567"), None);
    }
}
