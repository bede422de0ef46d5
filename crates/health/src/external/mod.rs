//! Records that other tools wrote: a folder of results and a file of questions, read as they are. Nothing is dropped: what is
//! not understood is kept under its own name, and what cannot be read is quarantined with file, key and reason while the rest
//! goes on.

mod about;
mod figure;
mod folder;
pub mod keys;
mod quarantined;
mod questions;
mod record;

pub use crate::manifest::ListedQuestion;
pub use about::About;
pub use figure::{Figure, FigureContent, FigureRows, Leaf, Raw, Use, figures};
pub use folder::Folder;
pub use quarantined::QuarantinedFile;
pub use questions::ListedQuestions;
pub use record::{ForeignRecord, MatchWord, Moment, Verification};
