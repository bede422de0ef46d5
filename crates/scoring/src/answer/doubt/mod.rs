//! What an answer says about its own statements: it withdraws them, doubts them, or gives them another context.

mod after;
mod asks;
mod counted;
mod labels;
pub(crate) mod note;
mod note_sentence;
pub(crate) mod other_word;
pub(crate) mod own_line;
pub(crate) mod remark;
mod retraction;
pub(crate) mod says_nothing;
pub(crate) mod talk;
pub(crate) mod unconnected;
