//! Normalized labels: texts that look the same, or differ only in a note mark, become equal.

use crate::value::fold::tidy;

/// Normalizes a label: trims and lower-cases it, and removes a colon, note marks and info signs.
/// Also removes spaces inside parentheses.
#[must_use]
pub fn normalize_label(text: &str) -> String {
    let mut normalized = tidy(text);
    // fast path: most of the thousands of texts are ASCII
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
    // "1. Your Strategic Approach" and "(1) …" have a list number, "3.38%" does not
    let uncounted = match (digits, number.get(digits..)) {
        (1..=2, Some(rest)) => rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ')),
        _ => None,
    };
    let trimmed =
        uncounted.unwrap_or(&normalized).trim_matches(|c: char| c.is_whitespace() || c == ':' || c == '?');
    // double spaces remain only where a mark was removed
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
