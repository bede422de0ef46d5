//! Whole runs over a site whose responses are partial.
