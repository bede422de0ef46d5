//! Six-digit products: what a four-digit one splits into. Their real list is not known here; code, count and
//! shares follow from the heading's code, so that all classes with the heading have the same.

use super::line::{Line, Part};
use super::noise::{self, Draws};

/// Ids of goods begin here, those of services at [`FIRST_SERVICE`].
const FIRST: u32 = 5000;
const FIRST_SERVICE: u32 = 11_000;

/// One to six products of every heading; a heading alone stays whole. Shares of a heading sum to 1.
pub(super) fn split(headings: &[Line]) -> Vec<Line> {
    let (mut goods, mut services) = (FIRST, FIRST_SERVICE);
    let mut lines = Vec::new();
    for (parent, heading) in headings.iter().enumerate() {
        let next = if heading.service { &mut services } else { &mut goods };
        let shares = shares(heading);
        let count = shares.len();
        for (nth, share) in shares.into_iter().enumerate() {
            let name = |name: &str| match (count, nth + 1) {
                (1, _) => name.to_owned(),
                (_, last) if last == count => format!("{name}: other"),
                (_, kind) => format!("{name}: kind {kind}"),
            };
            let part = |part: &Part| Part { share: part.share * share, ..*part };
            lines.push(Line {
                id: *next,
                code: code(heading, nth, count),
                short: name(&heading.short),
                long: name(&heading.long),
                parent: Some(parent),
                parts: heading.parts.iter().map(part).collect(),
                ..heading.clone()
            });
            *next += 1;
        }
    }
    lines
}

/// `00` after a heading alone, else `10`, `20` and so on, the last `90`.
fn code(heading: &Line, nth: usize, count: usize) -> String {
    match heading.code.as_str() {
        code if heading.service => code.to_owned(),
        "9999" => "999999".to_owned(),
        "XXXX" => "XXXXXX".to_owned(),
        code if count == 1 => format!("{code}00"),
        code if nth + 1 == count => format!("{code}90"),
        code => format!("{code}{}0", nth + 1),
    }
}

fn shares(heading: &Line) -> Vec<f64> {
    let number: Option<u64> = heading.code.parse().ok().filter(|number| *number != 9999);
    let Some(key) = number.filter(|_| !heading.service) else { return vec![1.0] };
    let count = 1 + (noise::unit("six digits", &[key]) * 6.0) as u64;
    let draws = Draws::of("six digits of", &[key]);
    let weights: Vec<f64> = (0..count).map(|nth| (0.8 * draws.with(nth).bell()).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
