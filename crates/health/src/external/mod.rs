//! Records of other tools: a folder of results and a file of questions, read as they are. Nothing
//! is dropped. An unknown value keeps its own name. An unreadable file is quarantined with path,
//! key and reason, and the rest is read.

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
