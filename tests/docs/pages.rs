//! The pages of the book, as the tests see them: prose, blocks, links and headings.

use std::path::{Path, PathBuf};

pub const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

/// A fenced block, with the paragraph above it.
pub struct Block {
    pub above: String,
    pub language: String,
    pub text: String,
}

impl Block {
    /// Commands, or with `console` a session: commands behind `$`, each with what it prints.
    pub fn is_commands(&self) -> bool {
        ["sh", "console"].contains(&self.language.as_str())
    }
}

impl Page {
    pub fn read(path: PathBuf) -> Self {
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text }
    }

    /// Its path below the project's folder.
    pub fn name(&self) -> &str {
        self.path.strip_prefix(PROJECT).unwrap().to_str().unwrap()
    }

    /// What a person wrote: what stands above the mark of a generated part.
    pub fn written(&self) -> &str {
        self.text.split("<!-- generated").next().unwrap()
    }

    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut above = String::new();
        let mut ended = false;
        let mut lines = self.written().lines();
        while let Some(line) = lines.next() {
            let Some(language) = line.trim_start().strip_prefix("```") else {
                if line.trim().is_empty() || line.starts_with("<!--") {
                    ended = true;
                } else {
                    if std::mem::take(&mut ended) {
                        above.clear();
                    }
                    above = format!("{above} {}", line.trim());
                }
                continue;
            };
            let indent = line.len() - line.trim_start().len();
            let text: Vec<&str> = lines
                .by_ref()
                .take_while(|line| line.trim_start() != "```")
                .map(|line| line.get(indent..).unwrap_or_default())
                .collect();
            blocks.push(Block {
                above: std::mem::take(&mut above),
                language: language.into(),
                text: text.join("\n"),
            });
        }
        blocks
    }

    /// The lines outside of fenced blocks.
    pub fn prose(text: &str) -> impl Iterator<Item = &str> {
        let mut fenced = false;
        text.lines().filter(move |line| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fenced && !fence
        })
    }

    /// The anchors of its headings, as mdBook and code hosts make them.
    pub fn anchors(&self) -> Vec<String> {
        let headings = Self::prose(&self.text).filter_map(|line| {
            line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))
        });
        headings
            .map(|heading| {
                heading
                    .to_lowercase()
                    .chars()
                    .filter(|&letter| letter.is_alphanumeric() || "-_ ".contains(letter))
                    .map(|letter| if letter == ' ' { '-' } else { letter })
                    .collect()
            })
            .collect()
    }

    /// What its links and pictures point to.
    pub fn links(&self) -> Vec<String> {
        let prose: Vec<&str> = Self::prose(&self.text).collect();
        let prose = prose.join("\n");
        prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
    }
}

/// The pages that `SUMMARY.md` lists, in its order.
pub fn book() -> Vec<Page> {
    let docs = Path::new(PROJECT).join("docs");
    let summary = Page::read(docs.join("SUMMARY.md"));
    summary.links().into_iter().map(|link| Page::read(docs.join(link))).collect()
}
