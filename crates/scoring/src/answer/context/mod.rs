//! How a stated context differs from the question.

pub(crate) mod contrast;
pub(crate) mod differs;
