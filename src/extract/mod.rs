//! From a capture to observations. Pure: no I/O, no clock, no async.
