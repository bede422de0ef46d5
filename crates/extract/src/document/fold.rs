//! Normalized labels: what looks the same to a person, or differs by a note mark only, becomes the same text.

use crate::value::fold::tidy;

/// Tidies, lower-cases and drops what a label may carry: a colon, note marks, an
/// info sign, a bracketed remark's spaces.
#[must_use]
pub fn normalize_label(text: &str) -> String {
    let mut normalized = tidy(text);
    // most texts are ASCII, and there are thousands of them
    if normalized.is_ascii() {
        normalized.make_ascii_lowercase();
    } else {
        normalized = normalized.to_lowercase();
    }
    if !normalized.is_ascii() || normalized.contains('*') {
        normalized.retain(|c| {
            !matches!(c, '*' | '†' | '‡' | 'ⓘ' | 'ℹ' | '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '①'..='⑳' | '❶'..='❿')
        });
    }
    let counted = normalized.trim_start();
    let number = counted.strip_prefix('(').unwrap_or(counted);
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    // "1. Your Strategic Approach" and "(1) …" are counted, "3.38%" is not
    let uncounted = match (digits, number.get(digits..)) {
        (1..=2, Some(rest)) => rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ')),
        _ => None,
    };
    let trimmed =
        uncounted.unwrap_or(&normalized).trim_matches(|c: char| c.is_whitespace() || c == ':' || c == '?');
    // one space at a time is all that is left by now, but where a mark was taken out
    if trimmed.contains("  ") {
        return trimmed.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    trimmed.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_marks_and_case() {
        assert_eq!(normalize_label("GDP per Capita* :"), "gdp per capita");
        assert_eq!(normalize_label("(1) Your Strategic Approach"), "your strategic approach");
        assert_eq!(normalize_label("Diversity Rank ①"), "diversity rank");
        assert_eq!(normalize_label("3.38%"), "3.38%");
        assert_eq!(normalize_label("New Export Products, 2009 – 2024"), "new export products, 2009 - 2024");
    }
}
