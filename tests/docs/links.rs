//! No link of a page leads nowhere, and no page is left out of the book.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::pages::{PROJECT, Page, book};

/// Every file of the repository of that ending below a folder.
fn files(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, into);
        } else if path.extension().is_some_and(|own| own == ending) {
            into.push(path);
        }
    }
}

fn wrong_links(page: &Page) -> Vec<String> {
    let mut wrong = Vec::new();
    for target in page.links() {
        if target.starts_with("http") {
            continue;
        }
        let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
        let path = match file {
            "" => page.path.clone(),
            file => page.path.parent().unwrap().join(file),
        };
        if !path.is_file() {
            wrong.push(format!("{}: {target} is not there", page.name()));
        } else if !heading.is_empty() && !Page::read(path).anchors().iter().any(|anchor| anchor == heading) {
            wrong.push(format!("{}: {target} names no heading", page.name()));
        }
    }
    wrong
}

#[test]
fn what_is_linked_is_there() {
    let project = Path::new(PROJECT);
    let mut paths = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| project.join(name)).to_vec();
    for folder in ["docs", "crates", "twin", "python"] {
        files(&project.join(folder), "md", &mut paths);
    }
    assert!(paths.len() > 40, "{paths:?}");
    let wrong: Vec<String> = paths.into_iter().flat_map(|path| wrong_links(&Page::read(path))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let folder = Path::new(PROJECT).join("docs");
    let text =
        "[a](SUMMARY.md) [b](none.md) [c](#no-such) [d](SUMMARY.md#summary)\n\n# No, such\n".to_owned();
    let wrong = wrong_links(&Page { path: folder.join("x.md"), text });
    assert_eq!(wrong.len(), 2, "{wrong:?}");
}

/// A page of the book is served as a file among the others: what lies outside of `docs/` is not there.
#[test]
fn the_book_holds_every_page_and_links_only_to_what_it_holds() {
    let docs = Path::new(PROJECT).join("docs");
    let pages = book();
    let listed: BTreeSet<&Path> = pages.iter().map(|page| page.path.as_path()).collect();
    let mut paths = Vec::new();
    files(&docs, "md", &mut paths);
    let present = paths.iter().map(PathBuf::as_path).filter(|path| !path.ends_with("SUMMARY.md"));
    assert_eq!(listed, present.collect());
    for page in &pages {
        let depth = page.path.strip_prefix(&docs).unwrap().components().count() - 1;
        let outside = page.links().into_iter().find(|link| link.matches("../").count() > depth);
        assert_eq!(outside, None, "{}", page.name());
    }
}
