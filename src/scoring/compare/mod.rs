//! The one comparator. Everything that compares two values goes through here.
