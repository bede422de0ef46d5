//! Pairs things of two lists so that as many as possible are the same.

/// Most pairs that are tried when a list is matched in any order; beyond it what is left is paired in order.
const MOST_PAIRS: usize = 250_000;

/// Pairs `n` things with `m` so that as many as possible are the same (augmenting paths). Gives for each
/// of the `n` its partner.
pub(crate) fn pair(n: usize, m: usize, mut same: impl FnMut(usize, usize) -> bool) -> Vec<Option<usize>> {
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
