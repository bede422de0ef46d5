//! Writes the desk's pages as files without actions, to publish, mail or compare.

use std::collections::BTreeSet;
use std::path::Path;

use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_evaluate::run::list;
use jiff::Timestamp;

use crate::desk::frame::{Frame, html, menu};
use crate::desk::page::Page;
use crate::desk::sources::Sources;
use crate::desk::{changes, inbox, production, records, review, runs, spot_checks};
use crate::failures::FailureReport;
use crate::metrics::Metrics;
use crate::request_failure::Failure;

/// The number of files written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct SiteWritten {
    /// Number of pages.
    pub pages: usize,
    /// Number of pictures.
    pub pictures: usize,
}

/// Writes all pages into a folder, with the pictures they show.
///
/// # Errors
/// The store or a run cannot be read, or a file cannot be written.
pub fn write_site(
    sources: &Sources,
    production: Option<(&Metrics, &FailureReport)>,
    out: &Path,
    now: Timestamp,
) -> Result<SiteWritten> {
    let mut pages: Vec<(String, Page)> = vec![
        ("index".to_owned(), inbox::page(sources, production, now)?),
        ("records".to_owned(), records::page(sources, "")?),
        ("review".to_owned(), review::page(sources)?),
        ("changes".to_owned(), changes::page(sources)?),
        ("runs".to_owned(), runs::page(sources)?),
        ("spot-checks".to_owned(), spot_checks::page(sources)?),
    ];
    if let Some((metrics, failures)) = production {
        pages.push(("production".to_owned(), production::page(sources, metrics, failures)?));
    }
    let store = sources.store()?;
    if let Some(store) = &store {
        for id in store.question_ids()? {
            // The first page lists unreadable records.
            if let Ok(page) = records::one(sources, id.as_str()) {
                pages.push((format!("records/{id}"), page));
            }
        }
        for one in review::waiting(store)? {
            pages.push((
                format!("review/{}", one.question_id),
                review::one(sources, one.question_id.as_str())?,
            ));
        }
    }
    for run in list(&sources.runs)? {
        pages.push((format!("runs/{run}"), runs::one(sources, &run, "", "")?));
    }
    let mut menu = menu(sources)?;
    menu.retain(|entry| {
        !["configuration", "points"].contains(&entry.path)
            && (production.is_some() || entry.path != "production")
    });
    let mut written = SiteWritten::default();
    let mut pictures = BTreeSet::new();
    for (name, page) in pages {
        let frame = Frame {
            menu: menu.clone(),
            here: name.split('/').next().filter(|name| *name != "index").unwrap_or_default().to_owned(),
            root: if name.contains('/') { "../" } else { "" }.to_owned(),
            end: ".html",
            is_static: true,
            csrf: String::new(),
            by: String::new(),
            flags: sources.joined_flags(),
            last: None,
            running: None,
            elsewhere: None,
        };
        let text = html(page, &frame).map_err(|Failure(_, why)| Error::Usage(why))?;
        pictures.extend(shown_pictures(&text));
        save(&out.join(format!("{name}.html")), text.as_bytes())?;
        written.pages += 1;
    }
    if let Some(store) = &store {
        for hash in pictures {
            let Ok(png) = store.picture(&hash) else { continue };
            save(&out.join(format!("pictures/{hash}.png")), &png)?;
            written.pictures += 1;
        }
    }
    save(&out.join("assets/desk.css"), crate::templates::STYLE.as_bytes())?;
    Ok(written)
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(Error::named(folder))?;
    std::fs::write(path, bytes).map_err(Error::named(path))
}

/// The hashes of the pictures on a page.
fn shown_pictures(text: &str) -> impl Iterator<Item = Hash> {
    text.split("pictures/").skip(1).filter_map(|rest| rest.get(..64)?.parse().ok())
}
