//! The seal of a JSON file: its last key holds the hash of everything above. It shows that the file is exactly as this
//! program wrote it. It is not a signature: anyone who changes a file can reseal it.

use std::path::Path;

use atlas_gt_core::command_line::store_command;
use atlas_gt_core::evidence::Hash;

/// The text before the hash.
const KEY: &str = ",\n  \"seal\": \"";
/// The text after it.
const END: &str = "\"\n}\n";

/// The state of a file's seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seal {
    /// The file is unchanged.
    Intact,
    /// It has no seal: an older version or another program wrote it.
    Missing,
    /// It was changed since it was written.
    Broken,
}

/// The command that seals the files of a store.
pub(super) fn seal_command(store: &Path) -> String {
    store_command("verify --seal", store)
}

/// Seals the text of a JSON object as [`pretty`](atlas_gt_core::json::pretty) writes it.
pub(super) fn sealed(text: &str) -> String {
    let above = text.strip_suffix("\n}\n").unwrap_or(text);
    format!("{above}{KEY}{}{END}", Hash::of(above.as_bytes()))
}

/// The state of a text's seal.
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
    use super::*;
    use atlas_gt_core::json::pretty;

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
