//! How a stated context differs from the question's.

use std::fmt;

use crate::Cause;
use crate::value::ContextPart;

/// The first part of a stated context that differs from the question's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// `None` for what is no part of a recorded context: the measure, the reporter, the currency.
    pub part: Option<ContextPart>,
    /// Why the comparison fails.
    pub cause: Option<Cause>,
    /// For the report: `the period, 2010`.
    pub text: String,
}

impl Difference {
    pub(crate) fn of(part: ContextPart, text: impl Into<String>) -> Self {
        Self { part: Some(part), cause: Cause::of_part(part), text: text.into() }
    }

    /// A level instead of a change, or the reverse.
    pub(crate) fn level_or_change(text: impl Into<String>) -> Self {
        Self { cause: Some(Cause::LevelAgainstChange), ..Self::of(ContextPart::Statistic, text) }
    }

    /// Why a statement is not about what the question asks for.
    pub(crate) fn reason(&self) -> String {
        format!("it belongs to another context: {self}")
    }

    pub(crate) fn is_of(&self, part: ContextPart) -> bool {
        self.part == Some(part)
    }
}

impl From<&str> for Difference {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Difference {
    fn from(text: String) -> Self {
        Self { part: None, cause: None, text }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
