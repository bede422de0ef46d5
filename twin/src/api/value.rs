//! The values that resolvers return: plain trees, in which single fields can be errors.

use super::schema::original;
use crate::data::noise;
use apollo_compiler::resolvers::{FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::JsonValue;
use std::sync::Arc;

/// A value of a field.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Leaf(JsonValue),
    Object(Arc<Object>),
    List(Vec<Value>),
    /// The field is null, with this error message.
    Error(String),
}

/// An object of a GraphQL type with its fields.
#[derive(Debug)]
pub(crate) struct Object {
    pub type_name: &'static str,
    pub fields: Vec<(&'static str, Value)>,
}

impl Value {
    pub(crate) const NULL: Self = Self::Leaf(JsonValue::Null);

    /// A list of rows in no meaningful order.
    pub(crate) fn unordered(rows: Vec<Self>) -> Self {
        let mut rows: Vec<(u64, Self)> =
            rows.into_iter().enumerate().map(|(at, row)| (noise::bits("row", &[at as u64]), row)).collect();
        rows.sort_by_key(|(key, _)| *key);
        Self::List(rows.into_iter().map(|(_, row)| row).collect())
    }

    pub(crate) fn object(type_name: &'static str, fields: Vec<(&'static str, Self)>) -> Self {
        Self::Object(Arc::new(Object { type_name, fields }))
    }

    /// A GraphQL Int. Beyond 32 bits it is the error that the Python server sends.
    pub(crate) fn int(value: impl TryInto<i64>) -> Self {
        let Ok(value) = value.try_into() else { return Self::NULL };
        if i32::try_from(value).is_ok() {
            Self::Leaf(value.into())
        } else {
            Self::Error(format!("Int cannot represent non 32-bit signed integer value: {value}"))
        }
    }

    /// An object `{quantity year}` of this type.
    pub(crate) fn for_year(type_name: &'static str, quantity: Self, year: i32) -> Self {
        Self::object(type_name, vec![("quantity", quantity), ("year", Self::int(year))])
    }

    fn resolved(&self) -> Result<ResolvedValue<'_>, FieldError> {
        Ok(match self {
            Self::Leaf(leaf) => ResolvedValue::Leaf(leaf.clone()),
            Self::Object(object) => ResolvedValue::Object(Box::new(Shared(object))),
            Self::List(items) => ResolvedValue::List(Box::new(items.iter().map(Self::resolved))),
            Self::Error(message) => return Err(FieldError { message: message.clone() }),
        })
    }

    /// Like [`Value::resolved`], for a value created for this request.
    pub(crate) fn into_resolved<'a>(self) -> Result<ResolvedValue<'a>, FieldError> {
        Ok(match self {
            Self::Leaf(leaf) => ResolvedValue::Leaf(leaf),
            Self::Object(object) => ResolvedValue::Object(Box::new(Owned(object))),
            Self::List(items) => ResolvedValue::List(Box::new(items.into_iter().map(Self::into_resolved))),
            Self::Error(message) => return Err(FieldError { message }),
        })
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Leaf(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Leaf(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Leaf(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Leaf(value.into())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::NULL, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

struct Owned(Arc<Object>);
struct Shared<'a>(&'a Arc<Object>);

fn field<'a>(object: &'a Object, info: &ResolveInfo<'_>) -> Result<ResolvedValue<'a>, FieldError> {
    object
        .fields
        .iter()
        .find(|(name, _)| *name == original(info.field_definition()))
        .map_or_else(|| Ok(ResolvedValue::null()), |(_, value)| value.resolved())
}

impl ObjectValue for Owned {
    fn type_name(&self) -> &str {
        self.0.type_name
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        field(&self.0, info)
    }
}

impl ObjectValue for Shared<'_> {
    fn type_name(&self) -> &str {
        self.0.type_name
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        field(self.0, info)
    }
}
