//! Writes HTML: one self-contained page from auto-escaped templates. The content security policy is
//! a second barrier: anything that escaped the escaping could neither run nor load.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};
use sha2::{Digest, Sha256};

use super::super::doc::Doc;
use crate::error::{Error, Result};

/// The base style sheet, shared with the desk, plus the styles of reports.
const STYLE: &str =
    concat!(include_str!("../../../crates/serve/templates/base.css"), include_str!("../templates/page.css"));
const SCRIPT: &str = include_str!("../templates/filter.js");

/// Marks a page as written by this program.
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
    // the policy allows only this script, by its hash
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let page = environment.get_template("page.html").map_err(|error| broken(&error))?;
    let doc = minijinja::Value::from(minijinja::value::Serde(doc));
    page.render(context! { doc, style => STYLE, script => SCRIPT, hash }).map_err(|error| broken(&error))
}

/// Whether bytes are a page of this program whose title begins with `title`.
pub fn is_page(bytes: &[u8], title: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains(GENERATOR) && text.contains(&format!("<title>{title}"))
}
