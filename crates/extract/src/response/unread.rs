//! What of the responses was looked for and could not be read. Every lookup leaves it here, so that no reading passes over it: a
//! value whose reading left something here is no truth and no absence (decision 13).

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// What could not be read, one sentence each: where it is in the names of the schema, and why.
pub(crate) type Lacking = BTreeSet<String>;

/// Where lookups leave what they could not read. Clones are one and the same.
#[derive(Debug, Clone, Default)]
pub struct Unread(Rc<RefCell<Lacking>>);

impl Unread {
    /// Leaves something.
    pub fn note(&self, what: impl fmt::Display) {
        self.0.borrow_mut().insert(what.to_string());
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
        unread.note("a");
        let (found, lacking) = unread.during(|| {
            unread.clone().note("b");
            7
        });
        assert_eq!((found, lacking), (7, Lacking::from(["b".to_owned()])));
        unread.again(&Lacking::from(["c".to_owned()]));
        assert_eq!(unread.during(|| ()).1, Lacking::new());
        assert_eq!(unread.0.take(), Lacking::from(["a".to_owned(), "c".to_owned()]));
    }
}
