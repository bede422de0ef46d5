//! The browser edge against a real Chromium and local pages. At most two browsers work at a time.

mod bench;
mod controls;
mod failures;
mod layouts;
mod marks;
mod markup;
mod pool;
mod recording;
mod sections;
mod snapshots;
mod virtualised;
