//! Scores an answer in prose against the expected data points. It ties each quantity and statement to its context and judges
//! it by the comparator. The answer is only text; nothing in it is an instruction.
//!
//! The stages run one way. `reading` turns the answer into lines and figures, and `question` says what is asked of each row. `values`,
//! `names` and `words` find candidates, by the context that a `statement` gives them (`context`, `place`). `settle` makes one verdict
//! of them, with the `doubt` that the answer casts on itself and what its other sentences say of it (`contradicted`).

mod candidate;
mod context;
mod contradicted;
mod contrast;
mod difference;
mod doubt;
mod figures;
mod line;
mod names;
mod place;
mod point;
mod question;
mod reading;
mod refusal;
mod score;
mod settle;
mod specific;
mod statement;
mod values;
mod words;

pub use doubt::other_word::words;
pub use point::{AnswerScore, AnswerVerdict, Expected, Extra, Follows, PlaceKind, Placed, PointScore};
pub use refusal::{Refusal, refusal};
pub use score::{score, topics};
