//! How much detail a page shows, by its number of questions.

/// How much detail a question shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detail {
    /// Maximum bytes of a text.
    pub text: usize,
    /// Maximum rows of a table or list.
    pub rows: usize,
    /// Whether passed answers show traces and judgements.
    pub of_passed: bool,
}

/// Levels of detail, from everything a person can read to what fits a page of very many questions.
pub(super) const DETAILS: [Detail; 5] = [
    Detail { text: 20_000, rows: 200, of_passed: true },
    Detail { text: 4_000, rows: 50, of_passed: true },
    Detail { text: 1_000, rows: 20, of_passed: true },
    Detail { text: 600, rows: 12, of_passed: false },
    Detail { text: 200, rows: 5, of_passed: false },
];
