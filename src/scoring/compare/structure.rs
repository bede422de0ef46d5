//! Verdicts on the parts of a list, a table or an object, and their sum.

use crate::scoring::{Cause, Comparison, Verdict};

/// One part that was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in the truth: `data[country=Kenya].value`, `[2]`; empty for the whole.
    pub path: String,
    /// What its comparison came to.
    pub comparison: Comparison,
}

/// The comparison of a list, a table or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// The sum: `match` when every part agrees, `partial` when some do, else what the parts have in common.
    pub verdict: Verdict,
    /// How many parts agree.
    pub agreeing: usize,
    /// Every part, in the order of the truth; what only the other side has comes last.
    pub parts: Vec<Part>,
}

impl Structure {
    /// Sums the parts.
    ///
    /// All agree: `match` (`expected_absence` when that is all there is). Some agree: `partial`. None agrees: the
    /// common verdict, else `mismatch`, where parts that could not be read or compared do not count against the rest. Two
    /// empty structures match.
    #[must_use]
    pub fn of(parts: Vec<Part>) -> Self {
        let agreeing = parts.iter().filter(|part| part.comparison.verdict.agrees()).count();
        let all =
            |verdict| !parts.is_empty() && parts.iter().all(|part: &Part| part.comparison.verdict == verdict);
        let verdict = if all(Verdict::ExpectedAbsence) {
            Verdict::ExpectedAbsence
        } else if agreeing == parts.len() {
            Verdict::Match
        } else if agreeing > 0 || parts.iter().any(|part| part.comparison.verdict == Verdict::Partial) {
            Verdict::Partial
        } else {
            // The worst that can be said for certain.
            let said =
                [Verdict::Mismatch, Verdict::NotDisplayed, Verdict::NotComparable, Verdict::ExtractionFailed];
            said.into_iter()
                .find(|&verdict| parts.iter().any(|part| part.comparison.verdict == verdict))
                .unwrap_or(Verdict::Mismatch)
        };
        Self { verdict, agreeing, parts }
    }

    /// The parts that do not agree.
    pub fn differences(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| !part.comparison.verdict.agrees())
    }

    /// One comparison for the whole: the sum, how many parts agree, the first differences, and the cause when all
    /// differences share one.
    #[must_use]
    pub fn summary(&self) -> Comparison {
        if let [only] = self.parts.as_slice() {
            return only.comparison.clone();
        }
        let mut told: Vec<String> = self
            .differences()
            .take(3)
            .map(|part| format!("{}: {}", part.path, part.comparison.reason))
            .collect();
        let left = self.parts.len() - self.agreeing;
        if left > told.len() {
            told.push(format!("and {} more", left - told.len()));
        }
        let counted = format!("{} of {} parts agree", self.agreeing, self.parts.len());
        let reason = if told.is_empty() { counted } else { format!("{counted}; {}", told.join("; ")) };
        let mut causes: Vec<Option<Cause>> = self.differences().map(|part| part.comparison.cause).collect();
        causes.dedup();
        let cause = if let [only] = causes.as_slice() { *only } else { None };
        let difference = self.differences().filter_map(|part| part.comparison.difference).max();
        Comparison { cause, difference, ..Comparison::new(self.verdict, reason) }
    }
}

/// The part that stands on one side only.
pub(super) fn one_sided(path: String, shown: &str, truth: bool) -> Part {
    let side = if truth { "truth" } else { "other side" };
    Part {
        path,
        comparison: Comparison::new(Verdict::NotDisplayed, format!("{shown} stands on the {side} only")),
    }
}

/// Most pairs that are tried when a list is matched in any order; beyond it what is left is paired in order.
const MOST_PAIRS: usize = 250_000;

/// Pairs `n` things with `m` so that as many as possible are the same (augmenting paths). Gives for each
/// of the `n` its partner.
pub(super) fn pair(n: usize, m: usize, mut same: impl FnMut(usize, usize) -> bool) -> Vec<Option<usize>> {
    if n.saturating_mul(m) > MOST_PAIRS {
        return (0..n).map(|i| (i < m && same(i, i)).then_some(i)).collect();
    }
    let edges: Vec<Vec<usize>> = (0..n)
        .map(|i| {
            // The same place first, so that equal things stay where they are.
            let mut order: Vec<usize> = (0..m).collect();
            order.sort_by_key(|&j| j.abs_diff(i));
            order.into_iter().filter(|&j| same(i, j)).collect()
        })
        .collect();
    let mut owner: Vec<Option<usize>> = vec![None; m];
    for i in 0..n {
        augment(i, &edges, &mut owner);
    }
    let mut partner = vec![None; n];
    for (j, i) in owner.into_iter().enumerate() {
        if let Some(slot) = i.and_then(|i| partner.get_mut(i)) {
            *slot = Some(j);
        }
    }
    partner
}

/// Finds a partner for `start`, moving others along a path of free choices; breadth first, no recursion.
fn augment(start: usize, edges: &[Vec<usize>], owner: &mut [Option<usize>]) {
    let mut came: Vec<Option<usize>> = vec![None; owner.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(i) = queue.pop_front() {
        for &j in edges.get(i).into_iter().flatten() {
            let Some(slot) = came.get_mut(j).filter(|slot| slot.is_none()) else { continue };
            *slot = Some(i);
            match owner.get(j).copied().flatten() {
                Some(next) => queue.push_back(next),
                None => return shift(j, start, &came, owner),
            }
        }
    }
}

/// Walks a found path back, giving each its new partner.
fn shift(end: usize, start: usize, came: &[Option<usize>], owner: &mut [Option<usize>]) {
    let mut at = end;
    while let Some(i) = came.get(at).copied().flatten() {
        let before = owner.iter().position(|o| *o == Some(i));
        if let Some(slot) = owner.get_mut(at) {
            *slot = Some(i);
        }
        match before {
            Some(before) if i != start => at = before,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_as_many_as_possible() {
        // 0 fits 0 and 1, 1 fits 0 only: greedy would leave 1 alone.
        let fits = [(0, 0), (0, 1), (1, 0), (2, 2)];
        assert_eq!(pair(3, 3, |i, j| fits.contains(&(i, j))), [Some(1), Some(0), Some(2)]);
        assert_eq!(pair(2, 1, |_, _| true), [Some(0), None]);
        assert_eq!(pair(0, 3, |_, _| true), Vec::<Option<usize>>::new());
    }

    #[test]
    fn sums_say_what_is_certain() {
        let part = |verdict| Part { path: "a".into(), comparison: Comparison::new(verdict, "why") };
        let sum = |verdicts: &[Verdict]| Structure::of(verdicts.iter().map(|&v| part(v)).collect()).verdict;
        assert_eq!(sum(&[]), Verdict::Match);
        assert_eq!(sum(&[Verdict::Match, Verdict::ExpectedAbsence]), Verdict::Match);
        assert_eq!(sum(&[Verdict::ExpectedAbsence]), Verdict::ExpectedAbsence);
        assert_eq!(sum(&[Verdict::Match, Verdict::Mismatch]), Verdict::Partial);
        assert_eq!(sum(&[Verdict::NotComparable, Verdict::Mismatch]), Verdict::Mismatch);
        assert_eq!(sum(&[Verdict::NotComparable, Verdict::NotComparable]), Verdict::NotComparable);
        assert_eq!(sum(&[Verdict::ExtractionFailed]), Verdict::ExtractionFailed);
    }
}
