//! A value of a file with its location.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use crate::diagnostic::{At, Diagnostics, Place};

/// The type name by which a [`Document`](super::Document) recognises a `Located` and adds its location.
pub(super) const LOCATED: &str = "atlas_gt::Located";

/// A value of a file. Empty texts are errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Located<T> {
    /// Its location.
    pub at: At,
    /// The value; `None` if it is invalid, which has been reported.
    pub value: Option<T>,
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { at: At::default(), value: Some(value) }
    }
}

/// An optional value of a file. Null counts as missing.
pub trait OptionalField<T> {
    /// The value; `None` if it is missing or invalid.
    fn value(&self) -> Option<&T>;

    /// Its location.
    fn at(&self) -> Option<&At>;

    /// The value of a required field. If it is missing, an error is reported.
    fn required(&self, object: &At, name: &str, report: &mut Diagnostics) -> Option<&Located<T>>;
}

impl<T> OptionalField<T> for Option<Located<T>> {
    fn value(&self) -> Option<&T> {
        self.as_ref()?.value.as_ref()
    }

    fn at(&self) -> Option<&At> {
        self.as_ref().map(|stated| &stated.at)
    }

    fn required(&self, object: &At, name: &str, report: &mut Diagnostics) -> Option<&Located<T>> {
        if self.is_none() {
            report.error(&object.key(object.place, name), format!("`{name}` is missing"));
        }
        self.as_ref()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LOCATED, LocatedVisitor(PhantomData))
    }
}

struct LocatedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for LocatedVisitor<T> {
    type Value = Located<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Located<T>, A::Error> {
        let line = parts.next_element()?.unwrap_or_default();
        let column = parts.next_element()?.unwrap_or_default();
        let field = parts.next_element()?.unwrap_or_default();
        Ok(Located { at: At { place: Place { line, column }, field }, value: parts.next_element()? })
    }
}

/// The schema is that of the value.
impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
