//! What is known of renamed fields of an API, whichever spec it was found with.

use std::collections::BTreeMap;

use super::stored::{Stored, TypeField, last, type_field};
use crate::atlas::{Api, ChangedField};
use crate::capture::{Capture, Exchange};
use crate::extract::response::Exchanges;
use crate::manifest::spec::Spec;

/// The new names of fields, and what may prove them.
#[derive(Debug, Clone, Default)]
pub struct Renames {
    /// By their old names: a field has one new name in an API, and a new name stands for one field.
    names: BTreeMap<String, String>,
    /// By root field and path.
    paths: BTreeMap<(String, String), String>,
    /// By type and old name.
    fields: BTreeMap<TypeField, String>,
    /// The fields that only one of the schemas has, where the site's was read.
    changed: Option<Vec<ChangedField>>,
    stored: Stored,
}

impl Renames {
    /// With what the site's schema has otherwise than ours.
    #[must_use]
    pub fn with_schema(changed: Option<Vec<ChangedField>>) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Takes over what a spec says already.
    pub fn learn_spec(&mut self, spec: &Spec) {
        let api = Api::of(spec.page);
        for renamed in &spec.renamed {
            self.learn(api, &renamed.field, &renamed.path, &renamed.now);
        }
    }

    /// Holds pages beside stored pages of the same API, whose queries had the names that we know.
    pub fn compare(&mut self, api: Api, pages: &[&Capture], stored: impl IntoIterator<Item = Vec<Exchange>>) {
        let now: Vec<Exchanges<'_>> =
            pages.iter().map(|page| Exchanges::read(&page.exchanges, &[])).collect();
        for exchanges in stored {
            let before = Exchanges::read(&exchanges, &[]);
            for now in &now {
                self.stored.compare(api, now, &before);
            }
        }
    }

    /// Keeps what was proven.
    pub(super) fn learn(&mut self, api: Api, field: &str, path: &str, now: &str) {
        self.names.insert(last(path).to_owned(), now.to_owned());
        self.paths.insert((field.to_owned(), path.to_owned()), now.to_owned());
        self.fields.insert(type_field(&owners(api, field, path), path), now.to_owned());
    }

    /// How many fields are known.
    pub(super) fn count(&self) -> usize {
        self.paths.len()
    }

    /// The new name by the old one.
    pub(super) fn name(&self, old: &str) -> Option<&String> {
        self.names.get(old)
    }

    /// Old and new names.
    pub(super) fn names(&self) -> impl Iterator<Item = (&String, &String)> {
        self.names.iter()
    }

    /// Whether the schema of the site allows that a field is called otherwise by now: a type has lost it and gained a
    /// field of the same type of value. What is not known allows everything.
    pub(super) fn allows(&self, api: Api, field: &str, path: &str, now: &str) -> bool {
        let Some(changed) = &self.changed else { return true };
        let plain = |of: &str| of.replace('!', "");
        owners(api, field, path).iter().any(|(owner, of)| {
            let has = |name: &str, is_new: bool| {
                let same = |one: &&ChangedField| {
                    one.owner == *owner
                        && one.field == name
                        && one.is_new == is_new
                        && plain(&one.of) == plain(of)
                };
                changed.iter().any(|one| same(&one))
            };
            has(last(path), false) && has(now, true)
        })
    }

    /// What a field is called for which it was proven on another kind of page: by the same query, or by another one that
    /// returns the same type, which the schema of the site has to say.
    pub(super) fn of_type(&self, api: Api, field: &str, path: &str) -> Option<&str> {
        if let Some(now) = self.paths.get(&(field.to_owned(), path.to_owned())) {
            return Some(now);
        }
        self.changed.as_ref()?;
        self.fields.get(&type_field(&owners(api, field, path), path)).map(String::as_str)
    }

    /// Whether the schema of the site was read.
    pub(super) const fn has_schema(&self) -> bool {
        self.changed.is_some()
    }

    /// What a field is called by the values that were stored of it.
    pub(super) fn by_stored_values(&self, api: Api, field: &str, path: &str) -> Option<&str> {
        self.stored.proven(&type_field(&owners(api, field, path), path))
    }
}

fn owners(api: Api, field: &str, path: &str) -> Vec<(String, String)> {
    api.query(field).map(|field| field.owners(path)).unwrap_or_default()
}
