//! What of a schema each query document needs, computed from the parsed document.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use apollo_compiler::ExecutableDocument;
use apollo_compiler::Schema;
use apollo_compiler::ast::{Type, Value};
use apollo_compiler::executable::{Selection, SelectionSet};

use super::document::{Document, documents};

/// What a query document needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Depends {
    /// Fields, as (type, field).
    pub fields: BTreeSet<(String, String)>,
    /// Arguments, as (type, field, argument).
    pub arguments: BTreeSet<(String, String, String)>,
    /// Enum values that stand in the document itself, as (enum, value).
    pub values: BTreeSet<(String, String)>,
    /// Variables, with the enum or other type that they are of: `productClass` is a `ProductClass`.
    pub variables: BTreeMap<String, String>,
    /// All types that are met, variables and answers alike.
    pub types: BTreeSet<String>,
}

impl Depends {
    /// What a parsed document needs.
    #[must_use]
    pub fn of(schema: &Schema, document: &ExecutableDocument) -> Self {
        let mut depends = Self::default();
        for operation in document.operations.iter() {
            for variable in &operation.variables {
                let ty = variable.ty.inner_named_type().to_string();
                depends.types.insert(ty.clone());
                depends.variables.insert(variable.name.to_string(), ty);
            }
            depends.selected(schema, &operation.selection_set);
        }
        for fragment in document.fragments.values() {
            depends.selected(schema, &fragment.selection_set);
        }
        depends
    }

    fn selected(&mut self, schema: &Schema, selected: &SelectionSet) {
        let ty = selected.ty.to_string();
        self.types.insert(ty.clone());
        for selection in &selected.selections {
            match selection {
                Selection::Field(field) if field.name.starts_with("__") => {}
                Selection::Field(field) => {
                    let name = field.name.to_string();
                    self.fields.insert((ty.clone(), name.clone()));
                    self.types.insert(field.ty().inner_named_type().to_string());
                    for argument in &field.arguments {
                        self.arguments.insert((ty.clone(), name.clone(), argument.name.to_string()));
                        let declared =
                            field.definition.arguments.iter().find(|part| part.name == argument.name);
                        if let Some(declared) = declared {
                            self.literal(&declared.ty, &argument.value);
                        }
                    }
                    self.selected(schema, &field.selection_set);
                }
                Selection::InlineFragment(inline) => self.selected(schema, &inline.selection_set),
                Selection::FragmentSpread(_) => {}
            }
        }
        // scalars have an empty selection of their own type, which says nothing
        if selected.selections.is_empty() && schema.get_object(&selected.ty).is_none() {
            self.types.insert(ty);
        }
    }

    fn literal(&mut self, ty: &Type, value: &Value) {
        match value {
            Value::Enum(word) => {
                self.values.insert((ty.inner_named_type().to_string(), word.to_string()));
            }
            Value::List(items) => items.iter().for_each(|item| self.literal(ty, item)),
            _ => {}
        }
    }
}

/// What each query document needs, in the order of [`documents`]. Documents that do not parse are left out; a
/// test makes sure that there are none.
#[must_use]
pub fn depends() -> &'static [(Document, Depends)] {
    static ALL: OnceLock<Vec<(Document, Depends)>> = OnceLock::new();
    ALL.get_or_init(|| {
        documents()
            .iter()
            .filter_map(|document| {
                let (schema, parsed) = (document.api.schema().ok()?, document.parse().ok()?);
                Some((*document, Depends::of(schema, &parsed)))
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acquire::graphql::Api;

    fn of(api: Api, name: &str) -> &'static Depends {
        assert_eq!(depends().len(), documents().len());
        &depends().iter().find(|(document, _)| document.api == api && document.name == name).unwrap().1
    }

    fn field(ty: &str, name: &str) -> (String, String) {
        (ty.to_owned(), name.to_owned())
    }

    #[test]
    fn fields_arguments_words_and_variables_are_found_through_fragments() {
        let tree = of(Api::Country, "TreeMapProducts");
        assert!(tree.fields.contains(&field("Query", "treeMap")));
        assert!(tree.fields.contains(&field("TreeMapProduct", "pci")));
        assert!(tree.fields.contains(&field("Product", "shortName")), "{:?}", tree.fields);
        assert!(!tree.fields.contains(&field("TreeMapLocation", "location")));
        assert!(tree.arguments.contains(&("Query".into(), "treeMap".into(), "facet".into())));
        assert_eq!(tree.values, BTreeSet::from([field("TreeMapType", "CPY_C")]));
        assert_eq!(tree.variables["productClass"], "ProductClass");
        assert!(tree.types.contains("TreeMapDatum"), "{:?}", tree.types);
    }

    #[test]
    fn what_is_known_to_be_broken_is_asked_by_no_document() {
        for (document, depends) in depends() {
            let mut broken = vec![field("ProductYear", "naturalResource")];
            if document.api == Api::Country {
                broken.extend([
                    field("Product", "level"),
                    field("NewProductsCountry", "location"),
                    field("Query", "productYearRange"),
                    field("Query", "allProductYearRange"),
                    field("Query", "allCountryYearRange"),
                    field("Query", "group"),
                    field("Query", "allGroups"),
                    field("Query", "manyCountryProductYear"),
                ]);
            }
            for wanted in broken {
                assert!(!depends.fields.contains(&wanted), "{}: {wanted:?}", document.file);
            }
            assert!(!depends.values.contains(&field("TreeMapType", "CPY_P")), "{}", document.file);
        }
    }
}
