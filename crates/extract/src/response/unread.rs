//! What of the responses was looked for and could not be read. Every lookup leaves it here, so that no reading passes over it: a
//! value whose reading left something here is no truth and no absence (decision 13).

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// One thing that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lack {
    /// Where it is, in the names of the schema: `treeMap.*.exportValue`.
    pub place: String,
    /// Why.
    pub why: String,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

/// What could not be read.
pub(crate) type Lacking = BTreeSet<Lack>;

/// Where lookups leave what they could not read. Clones are one and the same.
#[derive(Debug, Clone, Default)]
pub struct Unread(Rc<RefCell<Lacking>>);

impl Unread {
    /// Leaves something.
    pub fn note(&self, place: impl Into<String>, why: impl Into<String>) {
        self.leave(Lack { place: place.into(), why: why.into() });
    }

    /// Leaves something.
    pub(crate) fn leave(&self, lack: Lack) {
        self.0.borrow_mut().insert(lack);
    }

    /// What is left while something is read; what was left before stays.
    pub fn during<T>(&self, read: impl FnOnce() -> T) -> (T, Lacking) {
        let before = self.0.take();
        let found = read();
        (found, self.0.replace(before))
    }

    /// Leaves again what a reading left whose result is used once more.
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
