//! The known renames of an API's fields, from all specs.

use std::collections::BTreeMap;

use super::stored::{Stored, TypeField, last, type_field};
use crate::atlas::{Api, ChangedField};
use crate::capture::{Capture, Exchange};
use crate::extract::response::Exchanges;
use crate::manifest::spec::Spec;

/// The new names of fields, and the means to prove them.
#[derive(Debug, Clone, Default)]
pub struct Renames {
    /// By old name. In an API, a field has one new name and a new name belongs to one field.
    names: BTreeMap<String, String>,
    /// By root field and path.
    paths: BTreeMap<(String, String), String>,
    /// By type and old name.
    fields: BTreeMap<TypeField, String>,
    /// The fields that only one of the schemas has. `None` if the site's schema was not read.
    changed: Option<Vec<ChangedField>>,
    stored: Stored,
}

impl Renames {
    /// With the differences between the site's schema and ours.
    #[must_use]
    pub fn with_schema(changed: Option<Vec<ChangedField>>) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Adds the renames in a spec.
    pub fn learn_spec(&mut self, spec: &Spec) {
        let api = Api::of(spec.page);
        for renamed in &spec.renamed {
            self.learn(api, &renamed.field, &renamed.path, &renamed.now);
        }
    }

    /// Compares pages with stored pages of the same API, whose queries used the known names.
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

    /// Records a proven rename.
    pub(super) fn learn(&mut self, api: Api, field: &str, path: &str, now: &str) {
        self.names.insert(last(path).to_owned(), now.to_owned());
        self.paths.insert((field.to_owned(), path.to_owned()), now.to_owned());
        self.fields.insert(type_field(&owners(api, field, path), path), now.to_owned());
    }

    /// The number of known renames.
    pub(super) fn count(&self) -> usize {
        self.paths.len()
    }

    /// The new name of a field.
    pub(super) fn name(&self, old: &str) -> Option<&String> {
        self.names.get(old)
    }

    /// All old and new names.
    pub(super) fn names(&self) -> impl Iterator<Item = (&String, &String)> {
        self.names.iter()
    }

    /// Whether the site's schema allows a rename: a type has lost the old field and gained the new one with the same
    /// value type. An unknown schema allows everything.
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

    /// The new name of a field as proven on another kind of page: for the same query, or, if the site's schema is
    /// known, for one of the same type.
    pub(super) fn of_type(&self, api: Api, field: &str, path: &str) -> Option<&str> {
        if let Some(now) = self.paths.get(&(field.to_owned(), path.to_owned())) {
            return Some(now);
        }
        self.changed.as_ref()?;
        self.fields.get(&type_field(&owners(api, field, path), path)).map(String::as_str)
    }

    /// Whether the site's schema was read.
    pub(super) const fn has_schema(&self) -> bool {
        self.changed.is_some()
    }

    /// The new name of a field as proven by its stored values.
    pub(super) fn by_stored_values(&self, api: Api, field: &str, path: &str) -> Option<&str> {
        self.stored.proven(&type_field(&owners(api, field, path), path))
    }
}

fn owners(api: Api, field: &str, path: &str) -> Vec<(String, String)> {
    api.query(field).map(|field| field.owners(path)).unwrap_or_default()
}
