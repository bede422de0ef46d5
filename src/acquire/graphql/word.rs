//! Words of the APIs' enums that questions use. A word that is not known is kept as it is.

/// An enum whose values are written as the API writes them, with room for any other.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
            /// A word that the schema does not have.
            Other(String),
        }

        impl $name {
            /// The words of the schema.
            pub const WORDS: &[&str] = &[$($text),+];

            /// The word as the API writes it.
            #[must_use]
            pub const fn word(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text.as_str(),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                Ok(match text.as_str() {
                    $($text => Self::$variant,)+
                    _ => Self::Other(text),
                })
            }
        }
    };
}
pub(super) use words;
