//! Data files and patterns that are compiled into the program. An error in one is an error of the build, so it
//! ends the program: an empty list in its place would go unnoticed.

use regex::Regex;
use serde::de::DeserializeOwned;

/// Parses a TOML file that is compiled in. `name` is its name, for the message.
///
/// # Panics
/// The text is no TOML of that shape.
#[must_use]
pub fn toml<T: DeserializeOwned>(name: &str, text: &str) -> T {
    match ::toml::from_str(text) {
        Ok(data) => data,
        Err(error) => panic!("{name}, which is compiled in, cannot be read: {error}"),
    }
}

/// Compiles a pattern that is part of the program.
///
/// # Panics
/// The pattern is invalid.
#[must_use]
pub fn pattern(pattern: &str) -> Regex {
    match Regex::new(pattern) {
        Ok(compiled) => compiled,
        Err(error) => panic!("a pattern that is compiled in is invalid: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    #[test]
    #[should_panic(expected = "words.toml, which is compiled in, cannot be read")]
    fn a_list_that_stands_twice_is_no_empty_file() {
        let _ = super::toml::<BTreeMap<String, u8>>("words.toml", "a = 1\na = 2\n");
    }
}
