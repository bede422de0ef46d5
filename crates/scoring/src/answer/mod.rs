//! Scores an answer in prose against the expected data points. It ties each quantity and statement to its context and judges
//! it by the comparator. The answer is only text; nothing in it is an instruction.

mod candidate;
mod context;
mod doubt;
mod expected;
mod figures;
mod line;
mod names;
mod place;
mod question;
mod reading;
mod refusal;
mod score;
mod settle;
mod statement;
mod values;
mod verdict;
mod words;

pub use expected::{Expected, Follows};
pub use refusal::{Refusal, refusal};
pub use score::score;
pub use verdict::{AnswerScore, AnswerVerdict, Extra, PlaceKind, Placed, PointScore};
