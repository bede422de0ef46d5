//! Values as a page shows them: a number is an interval of numbers that round to the same text,
//! and it means nothing without its context.

mod absence;
mod context;
mod quantity;
mod rule;

pub use absence::Absence;
pub use context::{Basis, Classification, Context, ContextPart, Flow, Period, Scope, Statistic};
pub use quantity::{Interval, Quantity, Unit, Value};
pub use rule::Rule;
