//! Pairs the items of two lists so that as many pairs as possible are equal.

/// The maximum number of candidate pairs. Larger lists are paired in order only.
const MAX_PAIRS: usize = 250_000;

/// Pairs `n` items with `m` so that as many pairs as possible are equal (augmenting paths). Returns the partner of each of
/// the `n`.
pub(crate) fn pair(n: usize, m: usize, mut same: impl FnMut(usize, usize) -> bool) -> Vec<Option<usize>> {
    if n.saturating_mul(m) > MAX_PAIRS {
        return (0..n).map(|i| (i < m && same(i, i)).then_some(i)).collect();
    }
    let edges: Vec<Vec<usize>> = (0..n)
        .map(|i| {
            // Try the same position first, so that equal items stay in place.
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

/// Finds a partner for `start`, reassigning others along an augmenting path. Breadth first, without recursion.
fn augment(start: usize, edges: &[Vec<usize>], owner: &mut [Option<usize>]) {
    let mut reached_from: Vec<Option<usize>> = vec![None; owner.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(i) = queue.pop_front() {
        for &j in edges.get(i).into_iter().flatten() {
            let Some(slot) = reached_from.get_mut(j).filter(|slot| slot.is_none()) else { continue };
            *slot = Some(i);
            match owner.get(j).copied().flatten() {
                Some(next) => queue.push_back(next),
                None => return shift(j, start, &reached_from, owner),
            }
        }
    }
}

/// Walks the found path back and assigns the new partners.
fn shift(end: usize, start: usize, reached_from: &[Option<usize>], owner: &mut [Option<usize>]) {
    let mut at = end;
    while let Some(i) = reached_from.get(at).copied().flatten() {
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
