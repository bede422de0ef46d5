//! The seal of a JSON file: the hash of everything above it, as the last key of the file. It shows that a file
//! is as this program wrote it, to the byte. It is no signature: whoever changes a file can seal it again.

use atlas_gt_core::evidence::Hash;

/// The text before the hash.
const KEY: &str = ",\n  \"seal\": \"";
/// The text after it.
const END: &str = "\"\n}\n";

/// What the seal of a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seal {
    /// The file is as it was written.
    Intact,
    /// It has no seal: an older version wrote it, or another program.
    Missing,
    /// It was changed since it was written.
    Broken,
}

/// The text of a JSON object as [`pretty`](super::files::pretty) writes it, with its seal.
pub(super) fn sealed(text: &str) -> String {
    let above = text.strip_suffix("\n}\n").unwrap_or(text);
    format!("{above}{KEY}{}{END}", Hash::of(above.as_bytes()))
}

/// What the seal of a text says.
pub(super) fn seal_of(text: &str) -> Seal {
    match text.rsplit_once(KEY) {
        None => Seal::Missing,
        Some((above, rest)) => {
            let hash = Hash::of(above.as_bytes());
            if rest.strip_suffix(END) == Some(hash.as_str()) { Seal::Intact } else { Seal::Broken }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::pretty;
    use super::*;

    #[test]
    fn a_seal_is_the_last_key_and_every_changed_byte_breaks_it() {
        let plain = pretty(&serde_json::json!({ "a": 1, "b": { "seal": "not this one" } })).unwrap();
        let text = sealed(&plain);
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read.as_object().unwrap().keys().next_back().unwrap(), "seal");
        assert_eq!((seal_of(&text), seal_of(&plain)), (Seal::Intact, Seal::Missing));
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert_ne!(seal_of(&changed), Seal::Intact, "byte {at}");
            }
            let mut cut = text.clone();
            cut.remove(at);
            assert_ne!(seal_of(&cut), Seal::Intact, "without byte {at}");
        }
        assert_ne!(seal_of(&format!("{text}\n")), Seal::Intact);
    }
}
