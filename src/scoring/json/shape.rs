//! The keys of the last truth. The lines of a batch mostly have the same keys in the same order, so the next key is
//! guessed and compared in one go; keys that were seen to be unique need not be checked again.

use super::document::hash;

/// Keys in order, with an index.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// The keys in their quotes, with their colons: `"a":"b":`.
    text: String,
    /// Where each ends in `text`; it begins where the one before ends.
    ends: Vec<usize>,
    /// Open addressing: the upper half of a slot is the upper half of the hash, the lower one the position plus one;
    /// 0 is free.
    slots: Vec<u64>,
}

/// So many looks per key are too many: the keys were made to collide.
const MOST_LOOKS: usize = 16;

impl Shape {
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The key in its quotes, with its colon.
    #[inline]
    pub fn pattern(&self, at: usize) -> &[u8] {
        &self.text.as_bytes()[self.start(at)..self.ends[at]]
    }

    /// The key in its quotes.
    pub fn quoted(&self, at: usize) -> &[u8] {
        &self.text.as_bytes()[self.start(at)..self.ends[at] - 1]
    }

    /// The key.
    pub fn key(&self, at: usize) -> &str {
        &self.text[self.start(at) + 1..self.ends[at] - 2]
    }

    /// The first of the keys from `at` on, of a few, that the text begins with.
    #[inline]
    pub fn near(&self, at: usize, text: &[u8]) -> Option<usize> {
        let last = self.len().min(at + 3);
        (at..last).find(|at| text.starts_with(self.pattern(*at)))
    }

    /// Forgets the keys from `at` on.
    pub fn truncate(&mut self, at: usize) {
        self.text.truncate(self.start(at));
        self.ends.truncate(at);
    }

    /// Adds a key.
    pub fn push(&mut self, key: &str) {
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
        self.ends.push(self.text.len());
    }

    /// Builds the index. `false` when a key stands twice, or too many of them collide: then the shape is of no use.
    pub fn index(&mut self) -> bool {
        let size = (self.len() * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, 0);
        let mut looks = 0;
        for position in 0..self.len() {
            let key = self.key(position);
            let hash = hash(key);
            let mut at = hash as usize & (size - 1);
            while self.slots[at] != 0 {
                looks += 1;
                let other = (self.slots[at] as u32 - 1) as usize;
                if looks > MOST_LOOKS * self.len()
                    || self.slots[at] >> 32 == hash >> 32 && self.key(other) == key
                {
                    return false;
                }
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = (hash >> 32) << 32 | (position as u64 + 1);
        }
        true
    }

    /// Where a key stands.
    pub fn find(&self, key: &str) -> Option<usize> {
        if self.len() == 0 {
            return None;
        }
        let hash = hash(key);
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at] != 0 {
            let position = (self.slots[at] as u32 - 1) as usize;
            if self.slots[at] >> 32 == hash >> 32 && self.key(position) == key {
                return Some(position);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        None
    }
}
