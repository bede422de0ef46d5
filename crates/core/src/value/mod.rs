//! Values as a page shows them. A displayed number is the interval of all numbers that round to its text, and it has a
//! meaning only in its context.

mod absence;
mod answer_field;
mod context;
pub mod derive;
pub mod fold;
pub mod format;
pub mod parse;
mod quantity;
mod rule;
mod unit;
pub mod vocabulary;

pub use absence::Absence;
pub use answer_field::AnswerField;
pub use context::{
    Base, Basis, Classification, Context, ContextPart, Flow, Per, Period, Scope, Statistic, Tense,
};
pub use format::{format, format_decimals, format_rank};
pub use parse::{ParseError, expected, find_all, find_as, parse, parse_as};
pub use quantity::{Interval, Quantity, Value};
pub use rule::Rule;
pub use unit::Unit;
pub use vocabulary::COUNTRIES;
