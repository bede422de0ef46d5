//! One side of a comparison: what stands there, and what it is a value of.

use crate::value::{Absence, Context, Value};

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// What stands there.
    pub content: Content,
    /// What it is a value of; parts left out are not compared.
    pub context: Context,
}

/// What stands where a value was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A value.
    Value(Value),
    /// No value, and the kind of absence is known.
    Absent(Absence),
    /// It could not be read; the reason.
    Unread(String),
}

impl Operand {
    /// A free text without context, as a person or an agent gives it.
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
