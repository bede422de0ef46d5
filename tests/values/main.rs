//! What a response does not give is no truth and no absence. The pages of every kind of data point are read from captures; every
//! field of every response that they rest on is taken away, with an error beside the data, and everything is read again: it
//! says the same, or it fails and names the field. A story of each command over a site with such responses is beside it, and
//! what both renderings say.

#[path = "../captures/mod.rs"]
mod captures;
mod content;
mod pages;
mod partial;
#[expect(dead_code, reason = "another program packs them")]
#[path = "../records/mod.rs"]
mod records;
mod renderings;
#[path = "../stage/mod.rs"]
mod stage;
mod story;
