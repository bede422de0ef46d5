//! Charts as data: lengths are shares of the width, and a template draws them as SVG. The label
//! describes the chart for readers who cannot see it.

use serde::Serialize;

use super::inert::inert;

/// A chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Chart {
    /// A value as a mark, with its interval as a band and the target as a dashed line.
    Gauge {
        /// The position of the value.
        mark: String,
        /// The start and length of its interval.
        band: Option<(String, String)>,
        /// The position of the target.
        limit: Option<String>,
        /// The text alternative.
        label: String,
    },
    /// Parts of a whole, side by side: class, start, length.
    Stack {
        /// The parts.
        parts: Vec<(&'static str, String, String)>,
        /// The text alternative.
        label: String,
    },
    /// A bar with a start.
    Bar {
        /// Its start.
        from: String,
        /// Its length.
        length: String,
    },
}

/// A value with its interval on a scale.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gauge {
    /// Both ends of the scale.
    pub scale: (f64, f64),
    /// The value.
    pub value: f64,
    /// The bounds of its interval.
    pub interval: Option<(f64, f64)>,
    /// The target.
    pub limit: Option<f64>,
}

/// A length as a share of the width.
fn share(part: f64) -> String {
    // a trace may contain any number, even NaN
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let rounded = (part * 1000.0).round() / 10.0;
    format!("{rounded}%")
}

impl Gauge {
    /// The chart with a text alternative.
    pub fn chart(self, label: String) -> Chart {
        let (low, high) = self.scale;
        let at = |value: f64| if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        Chart::Gauge {
            mark: share(at(self.value)),
            band: self.interval.map(|(from, to)| (share(at(from)), share(at(to) - at(from)))),
            limit: self.limit.map(|limit| share(at(limit))),
            label: inert(&label),
        }
    }
}

impl Chart {
    /// Parts of a whole, side by side: class, count.
    pub(super) fn stack(parts: &[(&'static str, u64)], label: String) -> Self {
        let all: u64 = parts.iter().map(|(_, count)| count).sum();
        let mut before = 0;
        let mut found = Vec::new();
        for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
            found.push((*class, share(before as f64 / all as f64), share(*count as f64 / all as f64)));
            before += count;
        }
        Self::Stack { parts: found, label: inert(&label) }
    }

    /// A bar between two shares of the width. A zero-length bar stays visible.
    pub(super) fn bar(from: f64, to: f64) -> Self {
        Self::Bar { from: share(from), length: share((to - from).max(0.005)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_where_the_scale_has_them_and_never_beyond_its_ends() {
        let gauge = Gauge { scale: (1.0, 5.0), value: 3.0, interval: Some((2.0, 9.0)), limit: Some(3.5) };
        let text = |share: &str| share.to_owned();
        let due = Chart::Gauge {
            mark: text("50%"),
            band: Some((text("25%"), text("75%"))),
            limit: Some(text("62.5%")),
            label: text("3 of 5"),
        };
        assert_eq!(gauge.chart(text("3 of 5")), due);
    }

    #[test]
    fn parts_of_a_stack_follow_each_other() {
        let text = |share: &str| share.to_owned();
        let Chart::Stack { parts, .. } =
            Chart::stack(&[("pass", 3), ("partial", 0), ("fail", 1)], String::new())
        else {
            panic!("no stack")
        };
        assert_eq!(parts, [("pass", text("0%"), text("75%")), ("fail", text("75%"), text("25%"))]);
        assert_eq!(Chart::bar(0.2, 0.2), Chart::Bar { from: text("20%"), length: text("0.5%") });
    }
}
