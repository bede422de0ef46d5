//! Collects lookups in responses that failed. Every lookup reports here, so that no reading can
//! ignore it. A value with a failed lookup is neither a truth nor an absence (decision 13).

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// A failed lookup.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lack {
    /// The path in schema names: `treeMap.*.exportValue`.
    pub place: String,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

/// Failed lookups.
pub(crate) type Lacking = BTreeSet<Lack>;

/// Collects failed lookups. Clones share the same list.
#[derive(Debug, Clone, Default)]
pub struct Unread(Rc<RefCell<Lacking>>);

impl Unread {
    /// Reports a failed lookup.
    pub fn note(&self, place: impl Into<String>, why: impl Into<String>) {
        self.leave(Lack { place: place.into(), why: why.into() });
    }

    /// Adds a failed lookup.
    pub(crate) fn leave(&self, lack: Lack) {
        self.0.borrow_mut().insert(lack);
    }

    /// Runs `read`, and returns the failed lookups during it. Earlier ones are kept.
    pub fn during<T>(&self, read: impl FnOnce() -> T) -> (T, Lacking) {
        let before = self.0.take();
        let found = read();
        (found, self.0.replace(before))
    }

    /// Reports the failed lookups of a cached reading again.
    pub fn again(&self, lacking: &Lacking) {
        self.0.borrow_mut().extend(lacking.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_meanwhile_is_told_apart_from_what_was_left_before() {
        let unread = Unread::default();
        let at = |place: &str| Lacking::from([Lack { place: place.to_owned(), why: "no".to_owned() }]);
        unread.note("a", "no");
        let (found, lacking) = unread.during(|| {
            unread.clone().note("b", "no");
            7
        });
        assert_eq!((found, lacking), (7, at("b")));
        unread.again(&at("c"));
        assert_eq!(unread.during(|| ()).1, Lacking::new());
        assert_eq!(unread.0.take(), at("a").union(&at("c")).cloned().collect());
    }
}
