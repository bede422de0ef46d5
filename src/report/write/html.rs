//! HTML: one page without anything from outside, by auto-escaped templates. Its policy is a second lock behind the escaping: whatever
//! slipped through could neither run nor load.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};
use sha2::{Digest, Sha256};

use super::super::doc::Doc;
use crate::error::{Error, Result};

/// The base sheet, which the desk shares, and what only a report has.
const STYLE: &str =
    concat!(include_str!("../../../crates/serve/templates/base.css"), include_str!("../templates/page.css"));
const SCRIPT: &str = include_str!("../templates/filter.js");

/// What says that a page is of this program.
const GENERATOR: &str = "<meta name=\"generator\" content=\"atlas-gt\">";

static TEMPLATES: LazyLock<std::result::Result<Environment<'static>, minijinja::Error>> =
    LazyLock::new(|| {
        let mut environment = Environment::new();
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        environment.add_template("page.html", include_str!("../templates/page.html"))?;
        environment.add_template("body.html", include_str!("../templates/body.html"))?;
        Ok(environment)
    });

/// The page of a report.
pub(super) fn write(doc: &Doc) -> Result<String> {
    let broken = |error: &minijinja::Error| Error::Usage(format!("the template of pages: {error:#}"));
    let environment = TEMPLATES.as_ref().map_err(broken)?;
    // the policy admits this very script by its hash, and no other
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let page = environment.get_template("page.html").map_err(|error| broken(&error))?;
    let doc = minijinja::Value::from(minijinja::value::Serde(doc));
    page.render(context! { doc, style => STYLE, script => SCRIPT, hash }).map_err(|error| broken(&error))
}

/// Whether bytes are a page of this program with a title that begins so.
pub fn is_page(bytes: &[u8], title: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains(GENERATOR) && text.contains(&format!("<title>{title}"))
}
