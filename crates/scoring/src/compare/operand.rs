//! One side of a comparison: its content and context.

use crate::value::{Absence, Context, Value};

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The value or its absence.
    pub content: Content,
    /// The value's context. Parts left empty are not compared.
    pub context: Context,
}

/// A value, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A value.
    Value(Value),
    /// No value, with the known kind of absence.
    Absent(Absence),
    /// The value could not be read, with the reason.
    Unread(String),
}

impl Operand {
    /// A free text without context.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self { content: Content::Value(Value::Text(text.to_owned())), context: Context::default() }
    }

    /// A value in its context.
    #[must_use]
    pub const fn value(value: Value, context: Context) -> Self {
        Self { content: Content::Value(value), context }
    }
}
