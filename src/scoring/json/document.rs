//! A JSON document that borrows from its text: numbers stay as printed, so nothing is lost before
//! the comparison, and strings without escapes are not copied.

use std::borrow::Cow;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as printed: `1`, `1.50`, `-2e7`. Never NaN or an infinity, which JSON does not have.
    Number(Cow<'a, str>),
    /// A string, unescaped.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Json<'a>>),
    /// An object; its keys are unique.
    Object(Box<Object<'a>>),
}

/// A key with its value.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// The key, unescaped.
    pub key: Cow<'a, str>,
    /// The value.
    pub value: Json<'a>,
    /// Byte offset of the key in the text, to name its line in an error.
    pub at: u32,
}

/// An object: entries in document order, with an index by hash once there are more than a few.
#[derive(Debug, Clone, Default)]
pub struct Object<'a> {
    entries: Vec<Entry<'a>>,
    index: Index,
}

/// Where a key stands.
#[derive(Debug, Clone, Default)]
enum Index {
    /// A small object is searched in order.
    #[default]
    Search,
    /// Open addressing: the upper half of a slot is the upper half of the hash, the lower one the position plus one;
    /// 0 is free.
    Table(Box<[u64]>),
    /// `(hash, position)` in order, for keys that were made to collide.
    Sorted(Box<[(u64, u32)]>),
}

/// Up to this many keys a plain search is faster than an index.
const SMALL: usize = 8;

/// A table that needs more looks than this per key is given up for a sorted index.
const MOST_LOOKS: usize = 16;

impl Index {
    /// The index of these entries, or the position of the first one whose key stands earlier already.
    fn of(entries: &[Entry<'_>]) -> Result<Self, usize> {
        if entries.len() <= SMALL {
            let earlier = |at: usize| entries[..at].iter().any(|entry| entry.key == entries[at].key);
            return (1..entries.len()).find(|at| earlier(*at)).map_or(Ok(Self::Search), Err);
        }
        Self::table(entries).unwrap_or_else(|| Self::sorted(entries))
    }

    /// `None` when too many keys collide.
    fn table(entries: &[Entry<'_>]) -> Option<Result<Self, usize>> {
        let size = (entries.len() * 2).next_power_of_two();
        let mut slots = vec![0_u64; size].into_boxed_slice();
        let mut looks = 0;
        for (position, entry) in entries.iter().enumerate() {
            let hash = hash(&entry.key);
            let mut at = hash as usize & (size - 1);
            while slots[at] != 0 {
                looks += 1;
                let other = (slots[at] as u32 - 1) as usize;
                if slots[at] >> 32 == hash >> 32 && entries[other].key == entry.key {
                    return Some(Err(position));
                }
                if looks > MOST_LOOKS * entries.len() {
                    return None;
                }
                at = (at + 1) & (size - 1);
            }
            slots[at] = (hash >> 32) << 32 | (position as u64 + 1);
        }
        Some(Ok(Self::Table(slots)))
    }

    fn sorted(entries: &[Entry<'_>]) -> Result<Self, usize> {
        let mut index: Vec<(u64, u32)> =
            entries.iter().zip(0_u32..).map(|(entry, position)| (hash(&entry.key), position)).collect();
        let key = |position: u32| &*entries[position as usize].key;
        // Equal hashes are ordered by key, so that many collisions cost no more than a sort.
        index.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| key(a.1).cmp(key(b.1))).then_with(|| a.1.cmp(&b.1))
        });
        let duplicate = index
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if a.0 == b.0 && key(a.1) == key(b.1) => Some(b.1),
                _ => None,
            })
            .min();
        match duplicate {
            Some(position) => Err(position as usize),
            None => Ok(Self::Sorted(index.into_boxed_slice())),
        }
    }

    fn find(&self, entries: &[Entry<'_>], wanted: &str) -> Option<usize> {
        match self {
            Self::Search => entries.iter().position(|entry| entry.key == wanted),
            Self::Table(slots) => {
                let hash = hash(wanted);
                let mut at = hash as usize & (slots.len() - 1);
                while slots[at] != 0 {
                    let position = (slots[at] as u32 - 1) as usize;
                    if slots[at] >> 32 == hash >> 32 && entries[position].key == wanted {
                        return Some(position);
                    }
                    at = (at + 1) & (slots.len() - 1);
                }
                None
            }
            Self::Sorted(index) => {
                let hash = hash(wanted);
                let order = |(other, position): &(u64, u32)| {
                    other.cmp(&hash).then_with(|| (*entries[*position as usize].key).cmp(wanted))
                };
                index.binary_search_by(order).ok().map(|at| index[at].1 as usize)
            }
        }
    }
}

impl<'a> Object<'a> {
    /// An object of these entries.
    ///
    /// # Errors
    /// The first entry whose key stands earlier already.
    pub fn from_entries(mut entries: Vec<Entry<'a>>) -> Result<Self, Box<Entry<'a>>> {
        match Index::of(&entries) {
            Ok(index) => Ok(Self { entries, index }),
            Err(position) => Err(Box::new(entries.swap_remove(position))),
        }
    }

    /// The entries in document order.
    #[must_use]
    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The entries, given away.
    #[must_use]
    pub fn into_entries(self) -> Vec<Entry<'a>> {
        self.entries
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.position(key).map(|position| &self.entries[position])
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The position of a key. `hint` is looked at first: answers mostly keep the order of the truth.
    #[must_use]
    pub fn position_near(&self, key: &str, hint: usize) -> Option<usize> {
        if self.entries.get(hint).is_some_and(|entry| entry.key == key) {
            return Some(hint);
        }
        self.position(key)
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.index.find(&self.entries, key)
    }
}

/// Objects are equal when they hold the same entries, in whatever order.
impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.entries.iter().enumerate().all(|(position, entry)| {
                other
                    .position_near(&entry.key, position)
                    .is_some_and(|found| other.entries[found].value == entry.value)
            })
    }
}

impl<'a> Json<'a> {
    /// The object, when it is one.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The list, when it is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The string, when it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number as a float, when it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// What it is, with an article, for messages.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// A multiplicative hash over words of eight bytes: good enough to spread keys, and cheap.
pub(super) fn hash(key: &str) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = key.len() as u64;
    let mut chunks = key.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = (state.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let mut word = [0; 8];
    word[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    state = (state.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(keys: &[String]) -> Result<Object<'_>, Box<Entry<'_>>> {
        Object::from_entries(
            keys.iter()
                .zip(0..)
                .map(|(key, at)| Entry {
                    key: Cow::Borrowed(key),
                    value: Json::String(Cow::Borrowed(key)),
                    at,
                })
                .collect(),
        )
    }

    #[test]
    fn finds_every_key_and_no_other_in_small_and_large_objects() {
        for size in [0, 1, SMALL, SMALL + 1, 500] {
            let keys: Vec<String> = (0..size).map(|n| format!("field_{n}_of_many")).collect();
            let object = object(&keys).unwrap();
            for (position, key) in keys.iter().enumerate() {
                assert_eq!(object.get(key), Some(&Json::String(Cow::Borrowed(key))));
                assert_eq!(object.position_near(key, position + 1), Some(position));
            }
            assert_eq!(object.get("field_"), None);
        }
    }

    #[test]
    fn the_sorted_index_finds_what_the_table_finds() {
        let keys: Vec<String> = (0..60).map(|n| format!("k{n}")).collect();
        let object = object(&keys).unwrap();
        let sorted = Index::sorted(&object.entries).unwrap();
        for key in keys.iter().map(String::as_str).chain(["", "k", "k60"]) {
            assert_eq!(sorted.find(&object.entries, key), object.index.find(&object.entries, key), "{key}");
        }
        let twice: Vec<String> = keys.iter().chain(["k3", "k1"].map(str::to_owned).iter()).cloned().collect();
        let entries: Vec<Entry<'_>> =
            twice.iter().map(|key| Entry { key: Cow::Borrowed(key), value: Json::Null, at: 0 }).collect();
        assert_eq!(Index::sorted(&entries).unwrap_err(), 60);
        assert_eq!(Index::of(&entries).unwrap_err(), 60);
    }

    #[test]
    fn names_the_second_of_two_equal_keys() {
        for size in [2, 40] {
            let mut keys: Vec<String> = (0..size).map(|n| format!("k{n}")).collect();
            keys.push("k1".into());
            assert_eq!(object(&keys).unwrap_err().at, size);
        }
    }
}
