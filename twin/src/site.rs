//! The front end of the local site: assembles the bundle from `web/` and serves it.
//!
//! It fills in generated class names, asset names and the release constant. Nothing else differs between two starts.

use std::collections::BTreeSet;

use super::field_names;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
pub(crate) use texts::Dictionary;

/// The markup of the pages: three structures that show the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase", parse_err_fn = unknown_skin, parse_err_ty = String)]
pub enum Skin {
    /// Divs and spans with `File__Name-sc-<hash> <hash>` classes. Labels precede values.
    Hashed,
    /// `Mui*` classes next to `css-<hash>`. Values are split over several elements, and sections mount when near.
    Mui,
    /// No heading or table elements. Labels follow their values, and each part of a figure has its own element.
    Tiles,
}

fn unknown_skin(text: &str) -> String {
    format!("unknown skin \"{text}\": use hashed, mui or tiles")
}

const SHELL: &str = include_str!("web/shell.html");
const BASE_CSS: &str = include_str!("web/skins/base.css");
const HASHED_CSS: &str = include_str!("web/skins/hashed.css");
const MUI_CSS: &str = include_str!("web/skins/mui.css");
const TILES_CSS: &str = concat!(include_str!("web/skins/mui.css"), include_str!("web/skins/tiles.css"));

/// Sources that precede the skin, in order.
const CORE: [&str; 14] = [
    include_str!("web/core/dom.js"),
    include_str!("web/core/tuning.js"),
    include_str!("web/core/texts.js"),
    include_str!("web/core/format.js"),
    include_str!("web/core/api.js"),
    include_str!("web/core/queries.js"),
    include_str!("web/core/context.js"),
    include_str!("web/core/figures.js"),
    include_str!("web/canvas/surface.js"),
    include_str!("web/canvas/treemap.js"),
    include_str!("web/canvas/scatter.js"),
    include_str!("web/canvas/lines.js"),
    include_str!("web/canvas/network.js"),
    include_str!("web/svg/charts.js"),
];
const SHARED: &str = include_str!("web/skins/shared.js");
const HASHED: [&str; 4] = [
    include_str!("web/skins/hashed.js"),
    include_str!("web/skins/hashed_sections.js"),
    include_str!("web/skins/hashed_frame.js"),
    include_str!("web/skins/hashed_explorer.js"),
];
const MUI: [&str; 4] = [
    include_str!("web/skins/mui.js"),
    include_str!("web/skins/mui_sections.js"),
    include_str!("web/skins/mui_frame.js"),
    include_str!("web/skins/mui_explorer.js"),
];

const TILES: [&str; 5] = [MUI[0], MUI[1], MUI[2], MUI[3], include_str!("web/skins/tiles.js")];

/// Sources that follow the skin, in order.
const PAGES: [&str; 15] = [
    include_str!("web/sections/introduction.js"),
    include_str!("web/sections/basket.js"),
    include_str!("web/sections/dynamics.js"),
    include_str!("web/sections/market_share.js"),
    include_str!("web/sections/new_products.js"),
    include_str!("web/sections/spaces.js"),
    include_str!("web/sections/strategy.js"),
    include_str!("web/sections/summary.js"),
    include_str!("web/explore/state.js"),
    include_str!("web/explore/data.js"),
    include_str!("web/explore/page.js"),
    include_str!("web/explore/composition.js"),
    include_str!("web/explore/series.js"),
    include_str!("web/explore/opportunity.js"),
    include_str!("web/app.js"),
];

/// The assembled front end.
#[derive(Debug, Clone)]
pub struct TwinSite {
    shell: String,
    script: (String, Vec<u8>),
    style: (String, Vec<u8>),
}

impl TwinSite {
    /// Assembles the front end. `faults` are listed in `web/README.md`; an unknown one has no effect.
    #[must_use]
    pub fn new(skin: Skin, seed: u64, faults: &[String]) -> Self {
        let (style_sources, skin_scripts): (&str, &[&str]) = match skin {
            Skin::Hashed => (HASHED_CSS, &HASHED),
            Skin::Mui => (MUI_CSS, &MUI),
            Skin::Tiles => (TILES_CSS, &TILES),
        };
        let scripts: Vec<&str> =
            CORE.iter().chain([&SHARED]).chain(skin_scripts).chain(PAGES.iter()).copied().collect();
        let css = format!("{BASE_CSS}\n{style_sources}");
        let names = style_names(&css, &scripts);
        let classes: Vec<(String, Class)> = names
            .into_iter()
            .map(|name| {
                let class = Class::of(skin, seed, &name);
                (name, class)
            })
            .collect();
        let release = if faults.is_empty() {
            String::new()
        } else {
            STANDARD.encode(serde_json::json!(faults).to_string())
        };
        let table: serde_json::Map<String, serde_json::Value> =
            classes.iter().map(|(name, class)| (name.clone(), class.attribute.clone().into())).collect();
        let mut script = format!(
            "(() => {{\n'use strict';\nconst SKIN = '{skin}';\nconst CLASSES = {};\nconst TEXTS = {};\n\
             const FIELDS = {};\nconst NUMBERS = {};\nconst RELEASE = '{release}';\n",
            serde_json::Value::Object(table),
            serde_json::json!(Dictionary::of_site().texts(faults)),
            serde_json::json!(field_names::for_pages(faults)),
            serde_json::json!(field_names::numbers()),
        );
        for source in &scripts {
            script.push_str(source);
            script.push('\n');
        }
        script.push_str("})();\n");
        let style = with_classes(&css, &classes);
        let script_path = format!("/assets/index-{}.js", letters(mix(seed, "script"), 8));
        let style_path = format!("/assets/index-{}.css", letters(mix(seed, "style"), 8));
        Self {
            shell: SHELL.replace("{{css}}", &style_path).replace("{{js}}", &script_path),
            script: (script_path, script.into_bytes()),
            style: (style_path, style.into_bytes()),
        }
    }

    /// The HTML of every page: a loading text, one style sheet and one script.
    #[must_use]
    pub fn shell(&self) -> String {
        self.shell.clone()
    }

    /// Content type and body of an asset by absolute path; `None` if there is no such asset.
    #[must_use]
    pub fn asset(&self, path: &str) -> Option<(&'static str, Vec<u8>)> {
        if path == self.script.0 {
            Some(("text/javascript; charset=utf-8", self.script.1.clone()))
        } else if path == self.style.0 {
            Some(("text/css; charset=utf-8", self.style.1.clone()))
        } else {
            None
        }
    }
}

/// A generated class: its text in the `class` attribute, and its selector in the style sheet.
#[derive(Debug, Clone)]
struct Class {
    attribute: String,
    selector: String,
}

impl Class {
    fn of(skin: Skin, seed: u64, name: &str) -> Self {
        let hash = mix(seed, name);
        match skin {
            Skin::Mui => {
                let selector = format!("css-{}", digits_and_letters(hash, 6));
                Self { attribute: selector.clone(), selector }
            }
            Skin::Tiles => {
                let selector = format!("_{}", digits_and_letters(hash, 8));
                Self { attribute: selector.clone(), selector }
            }
            Skin::Hashed => {
                const FILES: &str = "styled Styled Utils Grid Layout Index Block Base";
                const PARTS: &str =
                    "Root Container Content Inner Wrapper Row Cell Text Title Value Label Box";
                let pick = |list: &'static str, shift: u32| {
                    let count = list.split(' ').count();
                    list.split(' ').nth((hash >> shift) as usize % count).unwrap_or_default()
                };
                let selector = letters(hash, 6);
                let attribute = format!(
                    "{}__{}-sc-{}-{} {selector}",
                    pick(FILES, 40),
                    pick(PARTS, 48),
                    digits_and_letters(hash.rotate_left(17), 7),
                    hash % 20
                );
                Self { attribute, selector }
            }
        }
    }
}

/// Hashes a name with a seed (FNV-1a, then a finaliser that spreads short names).
fn mix(seed: u64, name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 29)
}

fn digest(mut hash: u64, length: usize, alphabet: &[u8]) -> String {
    let mut out = String::with_capacity(length);
    for _ in 0..length {
        out.push(char::from(alphabet[(hash % alphabet.len() as u64) as usize]));
        hash /= alphabet.len() as u64;
    }
    out
}

fn letters(hash: u64, length: usize) -> String {
    digest(hash, length, b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

fn digits_and_letters(hash: u64, length: usize) -> String {
    digest(hash, length, b"0123456789abcdefghijklmnopqrstuvwxyz")
}

/// The names of all styles: `.Name` in the style sheet, `c('Name Other')` in the scripts.
fn style_names(css: &str, scripts: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, name) in css_names(css) {
        names.insert(name.to_owned());
    }
    for source in scripts {
        for call in source.split("c('").skip(1) {
            let argument = call.split('\'').next().unwrap_or_default();
            names.extend(argument.split(' ').filter(|name| is_style_name(name)).map(str::to_owned));
        }
    }
    names
}

fn is_style_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Offset (of the dot) and name of every `.Name` in a style sheet.
fn css_names(css: &str) -> impl Iterator<Item = (usize, &str)> {
    css.match_indices('.').filter_map(|(at, _)| {
        let rest = &css[at + 1..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let name = &rest[..end];
        is_style_name(name).then_some((at, name))
    })
}

/// The style sheet with generated classes instead of names.
fn with_classes(css: &str, classes: &[(String, Class)]) -> String {
    let mut out = String::with_capacity(css.len() * 2);
    let mut done = 0;
    for (at, name) in css_names(css) {
        let Ok(index) = classes.binary_search_by(|(known, _)| known.as_str().cmp(name)) else { continue };
        out.push_str(&css[done..=at]);
        out.push_str(&classes[index].1.selector);
        done = at + 1 + name.len();
    }
    out.push_str(&css[done..]);
    out
}

mod texts;

#[cfg(test)]
mod tests;
