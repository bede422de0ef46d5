//! The names of enum variants, from their serde attributes alone, so that files, reports and the command line agree.

use serde::Serialize;
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};
use serde_json::Value;

/// Adds `ALL`, `name`, `Display` and `FromStr` to enums without fields. The names come from serde's `rename_all`,
/// `rename` and `alias`, the list from strum.
#[macro_export]
macro_rules! words {
    ($($named:ty),+ $(,)?) => {
        $crate::names!($($named),+);
        $(
            impl ::std::fmt::Display for $named {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.pad(self.name())
                }
            }

            impl ::std::str::FromStr for $named {
                type Err = String;

                fn from_str(word: &str) -> ::std::result::Result<Self, String> {
                    $crate::words::read(word, Self::ALL.iter().map(|one| one.name()))
                }
            }
        )+
    };
}

/// Like [`words!`](crate::words!), for enums that are not parsed, or have their own `Display` and `FromStr`.
#[macro_export]
macro_rules! names {
    ($($named:ty),+ $(,)?) => {$(
        impl $named {
            /// All variants, in order.
            pub const ALL: &'static [Self] = <Self as ::strum::VariantArray>::VARIANTS;

            /// The name in files, results and on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                $crate::words::name(&self)
            }

            /// The name with spaces for underscores.
            #[must_use]
            pub fn words(self) -> String {
                $crate::words::spaced(self.name())
            }
        }
    )+};
}

/// The kind of a JSON value, for "expected a text, found …".
#[must_use]
pub const fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The name that serde writes for a variant without fields.
#[must_use]
pub fn name(variant: &impl Serialize) -> &'static str {
    serde_variant::to_variant_name(variant).unwrap_or_default()
}

/// Parses a variant from its name.
///
/// # Errors
/// The name is unknown. The message lists the known ones.
pub fn read<'de, T: Deserialize<'de>>(
    word: &'de str,
    words: impl Iterator<Item = &'static str>,
) -> Result<T, String> {
    let text: StrDeserializer<'de, WordError> = word.into_deserializer();
    T::deserialize(text).map_err(|_| format!("`{word}` is none of {}", words.collect::<Vec<_>>().join(", ")))
}

/// A name with spaces for underscores: `too_few_to_tell` becomes `too few to tell`.
#[must_use]
pub fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

/// A number with its noun: `1 page`, `2 pages`.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    plural(number, noun, &format!("{noun}s"))
}

/// A number with a singular or plural phrase: `1 change waits`, `2 changes wait`.
pub fn plural(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A share in per cent: `12.5 %`.
#[must_use]
pub fn per_cent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{ExpectedTool, Pipeline};
    use crate::value::Classification;

    #[test]
    fn one_attribute_gives_every_form_of_a_word() {
        for class in Classification::ALL {
            assert_eq!(class.name().parse(), Ok(*class));
            assert_eq!(serde_json::to_value(class).unwrap(), class.to_string());
        }
        assert_eq!(Classification::Sitc.name(), "SITC");
        assert_eq!(Pipeline::ALL.len(), 5);
        assert_eq!(format!("[{:>8}]", Pipeline::Sql), "[     sql]");
    }

    #[test]
    fn aliases_are_read_and_a_wrong_word_is_answered_with_the_right_ones() {
        assert_eq!("any".parse(), Ok(ExpectedTool::Either));
        let wrong = "SQL".parse::<Pipeline>().unwrap_err();
        assert_eq!(wrong, "`SQL` is none of graphql, sql, mixed, none, unknown");
    }
}
