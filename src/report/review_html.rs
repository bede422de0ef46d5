//! The review queue as one page without scripts and without anything from outside: every value with the part of the page
//! that shows it, and the commands that judge it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::html::{document, escape, picture};
use super::review::{commands, facts};
use super::words::count;
use crate::evidence::Hash;
use crate::manifest::QuestionId;
use crate::truth::review::Missing;
use crate::workflow::review::{Pictures, Waiting};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1d2733;\
background:#fff}h1{font-size:1.5rem}article{border:1px solid #d5dbe3;border-radius:6px;margin:1rem 0;overflow:hidden}\
header{background:#f3f5f8;padding:.4rem .8rem;display:flex;gap:.8rem;flex-wrap:wrap;align-items:baseline;\
overflow-wrap:anywhere}header .by{margin-left:auto;color:#55606e}section{padding:.6rem .8rem;border-top:1px solid #d5dbe3}\
h2{font-size:1.1rem;margin:0 0 .3rem}dl{margin:.3rem 0;font-size:.88rem;display:grid;\
grid-template-columns:max-content 1fr;gap:.1rem .8rem}dt{color:#55606e}dd{margin:0;overflow-wrap:anywhere}\
img{max-width:100%;margin-top:.4rem;border:1px solid #d5dbe3}pre{background:#f3f5f8;border-radius:4px;padding:.5rem .7rem;\
margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}summary{cursor:pointer;color:#55606e}\
.none{color:#8a94a1;font-style:italic}";

/// The page. `store` is the folder that the commands name.
#[must_use]
pub fn page(all: &[Waiting], pictures: &Pictures, store: &Path) -> String {
    let values = all.iter().map(|one| one.review.missing.len()).sum::<usize>();
    let mut body = format!(
        "<h1>Review</h1><p>{} of {} wait for a person. A value of the response is taken over by <code>accept</code> without \
         VALUE; what the picture shows is given as VALUE.</p>",
        count(values, "value"),
        count(all.len(), "question"),
    );
    if all.is_empty() {
        body = "<h1>Review</h1><p class=\"none\">Nothing waits for a person.</p>".to_owned();
    }
    let mut shown = BTreeMap::new();
    all.iter().for_each(|one| body.push_str(&article(one, pictures, store, &mut shown)));
    document("Review", STYLE, &body)
}

/// A question. `shown` says which whole pages are on the page already, and at which question.
fn article<'a>(
    one: &'a Waiting,
    pictures: &Pictures,
    store: &Path,
    shown: &mut BTreeMap<&'a Hash, &'a QuestionId>,
) -> String {
    let review = &one.review;
    let mut text = format!(
        "<article id=\"q{0}\"><header><b>Q{0}</b><span>{1}</span><span class=\"by\">seen {2}</span></header>",
        escape(review.question_id.as_str()),
        escape(&review.record.atlas_url),
        escape(&review.seen_at.strftime("%Y-%m-%d %H:%M UTC").to_string()),
    );
    for (at, missing) in review.missing.iter().enumerate() {
        let _ = write!(text, "<section><h2>{}</h2><dl>", escape(&missing.field));
        for (name, value) in facts(one, at) {
            let _ = write!(text, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
        }
        text.push_str("</dl>");
        match missing.crop.as_ref().and_then(|hash| pictures.get(hash)) {
            Some(png) => text.push_str(&picture("the part of the page that shows it", png)),
            None => text.push_str("<p class=\"none\">no part of the picture is known to show it</p>"),
        }
        if !missing.seen.is_empty() {
            let _ = write!(
                text,
                "<details><summary>what the page says there</summary><p>{}</p></details>",
                escape(&missing.seen)
            );
        }
        text.push_str("</section>");
    }
    let _ = write!(text, "<section><pre>{}</pre>", escape(&commands(one, store).join("\n")));
    let whole = review.picture.as_ref().filter(|whole| {
        let is_shown = |missing: &Missing| missing.crop.as_ref() == Some(*whole);
        !review.missing.iter().any(is_shown)
    });
    if let Some((hash, png)) = whole.and_then(|hash| Some((hash, pictures.get(hash)?))) {
        // megabytes each, and several questions may be about one page
        let _ = match shown.get(hash) {
            Some(id) => {
                let id = escape(id.as_str());
                write!(text, "<p><a href=\"#q{id}\">the whole page is at Q{id}</a></p>")
            }
            None => write!(
                text,
                "<details><summary>the whole page</summary>{}</details>",
                picture("the whole page", png)
            ),
        };
        shown.entry(hash).or_insert(&review.question_id);
    }
    text.push_str("</section></article>");
    text
}
