//! Tests of the comparator: pairs as on the pages, causes from real errors, longer texts, laws that hold for all values.

mod adversarial;
mod causes;
mod pairs;
mod properties;
mod texts;
