//! The flags that select questions of the manifest, of `collect` and `plan`.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::manifest::{Entry, Manifest};
use crate::selection::{QuestionFilter, at_least_one};
use atlas_gt_core::command_line::flag;

/// The selected questions of a manifest; without a flag, all of them.
#[derive(Debug, clap::Args)]
pub(super) struct Selected {
    /// Only these questions: ids and ranges, `61,64,100-112`
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = "Selection")]
    questions: Vec<String>,
    /// Only questions of these extractors
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Selection")]
    extractor: Vec<String>,
}

impl Selected {
    /// The flags as they were given, for the next command: ` --questions 61,64`.
    pub(super) fn flags(&self) -> String {
        let given = [("questions", &self.questions), ("extractor", &self.extractor)];
        let given = given.iter().filter(|(_, values)| !values.is_empty());
        given.map(|(name, values)| flag(name, values.join(","))).collect()
    }

    /// Whether questions are named.
    pub(super) fn names_questions(&self) -> bool {
        !self.questions.is_empty()
    }

    /// Leaves only the selected questions in a manifest. At least one of them must have a page, else `why` is the error.
    pub(super) fn narrow(&self, manifest: &mut Manifest, why: impl FnOnce() -> String) -> Result<()> {
        let path = manifest.path.display().to_string();
        let (entries, behaviors) = (&mut manifest.entries, &mut manifest.behaviors);
        let extractors_of = |entry: &Entry| -> BTreeSet<String> {
            let read = entry.readings().iter().map(|read| read.extractor.clone());
            read.chain([entry.extractor.clone()]).collect()
        };
        let extractors: BTreeSet<String> = entries.iter().flat_map(extractors_of).collect();
        if let Some(named) = QuestionFilter::new("--questions", &self.questions)? {
            let without_page = behaviors.iter().map(|one| one.question_id.to_string());
            let known: Vec<String> =
                entries.iter().map(|entry| entry.question_id.to_string()).chain(without_page).collect();
            let chosen = named.questions(&known, "the manifest")?;
            entries.retain(|entry| chosen.contains(&entry.question_id.to_string()));
            behaviors.retain(|one| chosen.contains(&one.question_id.to_string()));
        }
        if let Some(named) = QuestionFilter::new("--extractor", &self.extractor)? {
            let known = extractors.into_iter().map(|name| (name.clone(), name));
            let chosen = named.choose(known, &path, |value, name| value == name)?;
            entries.retain(|entry| extractors_of(entry).iter().any(|name| chosen.contains(name)));
            behaviors.clear();
            at_least_one(entries.len(), || {
                format!("{path}: no selected question is read by {}", chosen.join(" or "))
            })?;
        }
        at_least_one(manifest.collected().count(), || format!("{path}: {}", why())).map(drop)
    }
}
