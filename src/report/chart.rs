//! Charts as inline SVG. Lengths are shares of the width, colours are classes of the page's style, and what a chart shows is said in
//! its label, for those who do not see it.

use std::fmt::Write as _;

use super::html::escape;

/// A value with its interval on a scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gauge<'a> {
    /// Both ends of the scale.
    pub scale: (f64, f64),
    /// The value.
    pub value: f64,
    /// Both ends of its interval.
    pub interval: Option<(f64, f64)>,
    /// What is asked for.
    pub limit: Option<f64>,
    /// What it is compared with.
    pub baseline: Option<f64>,
    /// In words.
    pub label: &'a str,
}

/// A length as a share of the width.
fn share(part: f64) -> String {
    // a number of a trace may be anything
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let rounded = (part * 1000.0).round() / 10.0;
    format!("{rounded}%")
}

/// The value as a mark, its interval as a band, what is asked for as a dashed line, the baseline as a dot.
pub(super) fn gauge(gauge: Gauge<'_>) -> String {
    let (low, high) = gauge.scale;
    let at = |value: f64| if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let mut svg = open("gauge", gauge.label);
    svg.push_str("<rect class=\"track\" y=\"6\" width=\"100%\" height=\"6\" rx=\"3\"/>");
    if let Some((from, to)) = gauge.interval {
        let (x, width) = (share(at(from)), share(at(to) - at(from)));
        let _ =
            write!(svg, "<rect class=\"band\" x=\"{x}\" y=\"4\" width=\"{width}\" height=\"10\" rx=\"3\"/>");
    }
    if let Some(limit) = gauge.limit {
        let x = share(at(limit));
        let _ = write!(svg, "<line class=\"limit\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"18\"/>");
    }
    if let Some(baseline) = gauge.baseline {
        let _ = write!(svg, "<circle class=\"base\" cx=\"{}\" cy=\"9\" r=\"4\"/>", share(at(baseline)));
    }
    let x = share(at(gauge.value));
    let _ = write!(svg, "<line class=\"mark\" x1=\"{x}\" x2=\"{x}\" y1=\"2\" y2=\"16\"/></svg>");
    svg
}

/// Parts of a whole beside each other: class, count.
pub(super) fn stack(parts: &[(&str, u64)], label: &str) -> String {
    let all: u64 = parts.iter().map(|(_, count)| count).sum();
    let mut svg = open("stack", label);
    let mut before = 0;
    for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let (x, width) = (share(before as f64 / all as f64), share(*count as f64 / all as f64));
        let _ = write!(svg, "<rect class=\"{class}\" x=\"{x}\" width=\"{width}\" height=\"14\"/>");
        before += count;
    }
    svg + "</svg>"
}

/// A bar that begins at a share of the width and ends at another.
pub(super) fn bar(from: f64, to: f64) -> String {
    format!(
        "<svg class=\"bar\" aria-hidden=\"true\"><rect x=\"{}\" width=\"{}\" height=\"10\"/></svg>",
        share(from),
        // what takes no time is seen all the same
        share((to - from).max(0.005))
    )
}

fn open(class: &str, label: &str) -> String {
    format!("<svg class=\"{class}\" role=\"img\" aria-label=\"{}\">", escape(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_where_the_scale_has_them_and_never_beyond_its_ends() {
        let svg = gauge(Gauge {
            scale: (1.0, 5.0),
            value: 3.0,
            interval: Some((2.0, 9.0)),
            limit: Some(3.5),
            baseline: Some(f64::NAN),
            label: "3 of \"5\"",
        });
        for due in [
            "aria-label=\"3 of &quot;5&quot;\"",
            "x=\"25%\" y=\"4\" width=\"75%\"",
            "x1=\"62.5%\"",
            "x1=\"50%\"",
        ] {
            assert!(svg.contains(due), "{due}: {svg}");
        }
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn parts_of_a_stack_follow_each_other() {
        let svg = stack(&[("pass", 3), ("partial", 0), ("fail", 1)], "");
        assert!(svg.contains("class=\"pass\" x=\"0%\" width=\"75%\""), "{svg}");
        assert!(svg.contains("class=\"fail\" x=\"75%\" width=\"25%\"") && !svg.contains("partial"), "{svg}");
        assert!(!stack(&[("pass", 0)], "").contains("rect"));
        assert!(bar(0.2, 0.2).contains("x=\"20%\" width=\"0.5%\""));
    }
}
