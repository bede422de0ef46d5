//! Determines the divisor of drawn shares. No document states it, but each label allows an interval
//! of totals. A total shared by three or more labels is accepted, whether or not it is a known sum.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::rows::RowIndex;
use crate::value::{Interval, Rule, format};

/// A possible divisor of shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// What it sums up.
    pub name: Cow<'static, str>,
    /// The sum.
    pub total: Decimal,
}

/// The known sums, likeliest first: all cells, the cells without what the page may exclude, totals
/// from other responses, goods only.
pub fn sums(index: &RowIndex<'_>, others: impl IntoIterator<Item = Sum>) -> Vec<Sum> {
    let own = |name: &'static str, total| Sum { name: Cow::Borrowed(name), total };
    let mut sums: Vec<Sum> = Vec::new();
    let all = [
        own("all cells", index.sum(|_| true)),
        own("all cells but those of sector \"Other\"", index.sum(|row| !row.dropped)),
    ];
    let goods = own("goods alone", index.sum(|row| !row.service));
    for sum in all.into_iter().chain(others).chain([goods]) {
        if sum.total > Decimal::ZERO && sums.iter().all(|known| known.total != sum.total) {
            sums.push(sum);
        }
    }
    sums
}

/// The divisor of shares: a known sum, or any total that the labels allow.
#[derive(Debug, Clone, PartialEq)]
pub struct Divisor {
    low: Decimal,
    high: Decimal,
    /// The name of the known sum.
    pub known: Option<Cow<'static, str>>,
}

/// A labelled share: the index of its row, the row's value, and the interval of the displayed
/// share.
pub type Labelled = (usize, Option<Decimal>, Interval);

/// The minimum number of labels for a divisor, because two often agree by chance.
const MIN_LABELS: usize = 3;

impl Divisor {
    /// The divisor of some labels: the known sum with which all are right. Else the total that they
    /// share, else the known sum with which most are right.
    pub(crate) fn solve(labels: &[Labelled], sums: &[Sum]) -> Option<Self> {
        let right = |sum: &&Sum| {
            let fits = |label: &&Labelled| share(label.1, sum.total).is_some_and(|it| label.2.contains(it));
            labels.iter().filter(fits).count()
        };
        // of equally good sums, take the first
        let best = sums.iter().rev().max_by_key(right)?;
        if right(&best) < labels.len()
            && let Some((low, high)) = common(labels)
        {
            return Some(Self { low, high, known: None });
        }
        Some(Self { low: best.total, high: best.total, known: Some(best.name.clone()) })
    }

    /// The share of a value in percent. If the divisor is an interval, uses its middle.
    pub fn share(&self, value: Option<Decimal>) -> Option<Decimal> {
        share(value, self.low.checked_add(self.high)?.checked_div(Decimal::TWO)?)
    }

    /// The displayed share of a value; none if the divisor is not known well enough.
    pub fn text(&self, value: Option<Decimal>, rule: Rule) -> Option<String> {
        let of = |total| format(share(value, total)?, rule);
        of(self.low).filter(|text| of(self.high).as_ref() == Some(text))
    }
}

/// The name of the divisor, for people.
impl std::fmt::Display for Divisor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let round = |total: Decimal| total.round().normalize();
        match &self.known {
            Some(name) => f.write_str(name),
            None => {
                let (low, high) = (round(self.low), round(self.high));
                write!(
                    f,
                    "a total between {low} and {high}, which all labels share and which is no known sum"
                )
            }
        }
    }
}

/// The share of a total in percent. A row without a cell has none.
pub fn share(value: Option<Decimal>, total: Decimal) -> Option<Decimal> {
    value.filter(|value| *value > Decimal::ZERO)?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(total)
}

/// The totals that all labels allow.
fn common(labels: &[Labelled]) -> Option<(Decimal, Decimal)> {
    let rows: BTreeSet<usize> = labels.iter().map(|label| label.0).collect();
    let mut common: (Decimal, Option<Decimal>) = (Decimal::ZERO, None);
    for (_, value, shown) in labels {
        common.0 = common.0.max(share(*value, shown.high).filter(|least| *least > Decimal::ZERO)?);
        // a share displayed as zero allows any larger total
        let most = share(*value, shown.low).filter(|_| shown.low > Decimal::ZERO);
        common.1 = [common.1, most].into_iter().flatten().min();
    }
    let (low, high) = (common.0, common.1?);
    (rows.len() >= MIN_LABELS && low < high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::parse_as;

    fn labels(shown: &[(i64, &str)]) -> Vec<Labelled> {
        let label = |(at, (value, text)): (usize, &(i64, &str))| {
            (at, Some(Decimal::from(*value)), parse_as(text, Rule::F6).unwrap().interval)
        };
        shown.iter().enumerate().map(label).collect()
    }

    fn known(total: i64) -> [Sum; 1] {
        [Sum { name: "all cells".into(), total: total.into() }]
    }

    #[test]
    fn decision_24_three_labels_that_share_a_total_stand_by_themselves() {
        // a fifth more than the cells add up to
        let shown = [(5_000, "41.67%"), (3_000, "25.00%"), (2_000, "16.67%")];
        let divisor = Divisor::solve(&labels(&shown), &known(10_000)).unwrap();
        assert_eq!(divisor.known, None);
        assert_eq!(divisor.text(Some(600.into()), Rule::F6).as_deref(), Some("5.00%"));
        let said = divisor.to_string();
        assert!(said.starts_with("a total between 11998 and 12000"), "{said}");
        // a known sum that fits is named
        let divisor = Divisor::solve(&labels(&shown), &known(12_000)).unwrap();
        assert_eq!(divisor.known.as_deref(), Some("all cells"));
    }

    #[test]
    fn decision_24_two_labels_or_the_same_twice_solve_nothing() {
        let two = labels(&[(5_000, "41.67%"), (3_000, "25.00%")]);
        assert!(Divisor::solve(&two, &known(10_000)).unwrap().known.is_some());
        let twice = [two.clone(), two].concat();
        assert!(Divisor::solve(&twice, &known(10_000)).unwrap().known.is_some());
    }

    #[test]
    fn decision_24_labels_that_no_total_fits_are_held_against_the_best_known_sum() {
        let wrong = labels(&[(5_000, "50.00%"), (3_000, "30.00%"), (2_000, "26.00%")]);
        let divisor = Divisor::solve(&wrong, &known(10_000)).unwrap();
        assert_eq!(
            (divisor.known.as_deref(), divisor.share(Some(2_000.into()))),
            (Some("all cells"), Some(20.into()))
        );
        // a label of what has no value fits none
        let mut null = labels(&[(5_000, "41.67%"), (3_000, "25.00%"), (2_000, "16.67%")]);
        null[2].1 = None;
        assert!(Divisor::solve(&null, &known(10_000)).unwrap().known.is_some());
    }
}
