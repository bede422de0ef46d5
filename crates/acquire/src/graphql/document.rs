//! The query documents under `graphql/queries`, and the schema elements each one needs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use apollo_compiler::ast::{Type, Value};
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::{ExecutableDocument, Name};

use super::elements::Element;
use crate::atlas::Api;

/// A query document with one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryDocument {
    /// The API it queries.
    pub api: Api,
    /// Name of the operation.
    pub name: &'static str,
    /// Path of the file, from the project's root.
    pub file: &'static str,
    /// The document.
    pub text: &'static str,
    /// The schema elements it needs.
    pub(super) needs: Needs,
}

/// New names of renamed fields, by type and old name.
pub(super) type Renamed = BTreeMap<(String, String), String>;

/// The schema elements that a document needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Everything it mentions, and all types of its variables and answers.
    pub elements: BTreeSet<Element>,
    /// Types of its variables by name: `productClass` is a `ProductClass`, `year` an `Int!`.
    pub variables: BTreeMap<String, String>,
}

macro_rules! documents {
    ($($api:ident $name:ident $path:literal),+ $(,)?) => {
        /// API, name, file and text of every document, in the order of [`documents`].
        const TEXTS: &[(Api, &str, &str, &str)] = &[$((
            Api::$api,
            stringify!($name),
            concat!("graphql/queries/", $path, ".graphql"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../graphql/queries/", $path, ".graphql")),
        ),)+];
    };
}
documents! {
    Explore ConversionPath "explore/conversion_path",
    Explore CountryCountryProductYear "explore/country_country_product_year",
    Explore CountryCountryYear "explore/country_country_year",
    Explore CountryGroupProductYear "explore/country_group_product_year",
    Explore CountryProductYear "explore/country_product_year",
    Explore CountryYear "explore/country_year",
    Explore CountryYearThresholds "explore/country_year_thresholds",
    Explore DataAvailability "explore/data_availability",
    Explore DataFlags "explore/data_flags",
    Explore GroupCountryProductYear "explore/group_country_product_year",
    Explore GroupYear "explore/group_year",
    Explore LocationCountry "explore/location_country",
    Explore LocationGroup "explore/location_group",
    Explore Metadata "explore/metadata",
    Explore ProductHs12 "explore/product_hs12",
    Explore ProductHs22 "explore/product_hs22",
    Explore ProductHs92 "explore/product_hs92",
    Explore ProductProduct "explore/product_product",
    Explore ProductSitc "explore/product_sitc",
    Explore ProductYear "explore/product_year",
    Explore Year "explore/year",
    Country AllProductYear "country/all_product_year",
    Country CountryLookback "country/country_lookback",
    Country CountryProfile "country/country_profile",
    Country CountryYear "country/country_year",
    Country GlobalDatum "country/global_datum",
    Country NewProductsCountry "country/new_products_country",
    Country TreeMapPartners "country/tree_map_partners",
    Country TreeMapProducts "country/tree_map_products",
}

/// All query documents, by API and name. A document that does not match its schema is left out; a test ensures that
/// there is none.
#[must_use]
pub fn documents() -> &'static [QueryDocument] {
    static ALL: OnceLock<Vec<QueryDocument>> = OnceLock::new();
    ALL.get_or_init(|| {
        let document = |&(api, name, file, text): &(Api, &'static str, &'static str, &'static str)| {
            let parsed = ExecutableDocument::parse_and_validate(api.schema().ok()?, text, file).ok()?;
            Some(QueryDocument { api, name, file, text, needs: Needs::of(&parsed) })
        };
        TEXTS.iter().filter_map(document).collect()
    })
}

impl QueryDocument {
    /// The document of an operation.
    #[must_use]
    pub fn named(api: Api, name: &str) -> Option<&'static Self> {
        documents().iter().find(|document| document.api == api && document.name == name)
    }

    /// The text, with renamed fields requested by their new name and aliased to the old one, so that the answer keeps
    /// its shape. A text without renamed fields is returned unchanged.
    pub(super) fn text_with(&self, renamed: &Renamed) -> String {
        let is_named = |(owner, field): &(String, String)| {
            self.needs.elements.contains(&Element::Field(owner.clone(), field.clone()))
        };
        let parsed = self
            .api
            .schema()
            .ok()
            .filter(|_| renamed.keys().any(is_named))
            .and_then(|schema| ExecutableDocument::parse_and_validate(schema, self.text, self.file).ok());
        let Some(parsed) = parsed else { return self.text.to_owned() };
        let mut document = parsed.into_inner();
        for operation in document.operations.named.values_mut() {
            rename(&mut operation.make_mut().selection_set, renamed);
        }
        for fragment in document.fragments.values_mut() {
            rename(&mut fragment.make_mut().selection_set, renamed);
        }
        document.to_string()
    }
}

fn rename(set: &mut SelectionSet, renamed: &Renamed) {
    let owner = set.ty.to_string();
    for selection in &mut set.selections {
        match selection {
            Selection::Field(field) => {
                let field = field.make_mut();
                let now = renamed.get(&(owner.clone(), field.name.to_string()));
                if let Some(now) = now.and_then(|now| Name::new(now).ok()) {
                    let known = std::mem::replace(&mut field.name, now);
                    field.alias.get_or_insert(known);
                }
                rename(&mut field.selection_set, renamed);
            }
            Selection::InlineFragment(inline) => rename(&mut inline.make_mut().selection_set, renamed),
            Selection::FragmentSpread(_) => {}
        }
    }
}

impl Needs {
    fn of(document: &ExecutableDocument) -> Self {
        let mut needs = Self::default();
        for operation in document.operations.iter() {
            for variable in &operation.variables {
                needs.elements.insert(Element::Type(variable.ty.inner_named_type().to_string()));
                needs.variables.insert(variable.name.to_string(), variable.ty.to_string());
            }
            needs.selected(&operation.selection_set);
        }
        for fragment in document.fragments.values() {
            needs.selected(&fragment.selection_set);
        }
        needs
    }

    fn selected(&mut self, selected: &SelectionSet) {
        let ty = selected.ty.to_string();
        self.elements.insert(Element::Type(ty.clone()));
        for selection in &selected.selections {
            match selection {
                Selection::Field(field) if field.name.starts_with("__") => {}
                Selection::Field(field) => {
                    let name = field.name.to_string();
                    self.elements.insert(Element::Field(ty.clone(), name.clone()));
                    self.elements.insert(Element::Type(field.ty().inner_named_type().to_string()));
                    for argument in &field.arguments {
                        let given = argument.name.to_string();
                        self.elements.insert(Element::Argument(ty.clone(), name.clone(), given));
                        let declared = &field.definition.arguments;
                        if let Some(declared) = declared.iter().find(|part| part.name == argument.name) {
                            self.literal(&declared.ty, &argument.value);
                        }
                    }
                    self.selected(&field.selection_set);
                }
                Selection::InlineFragment(inline) => self.selected(&inline.selection_set),
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    fn literal(&mut self, ty: &Type, value: &Value) {
        match value {
            Value::Enum(word) => {
                self.elements.insert(Element::Value(ty.inner_named_type().to_string(), word.to_string()));
            }
            Value::List(items) => items.iter().for_each(|item| self.literal(ty, item)),
            _ => {}
        }
    }

    /// The named type of a variable.
    pub(super) fn type_of(&self, variable: &str) -> Option<&str> {
        self.variables.get(variable).map(|ty| ty.trim_matches(['[', ']', '!']))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn field(ty: &str, name: &str) -> Element {
        Element::Field(ty.to_owned(), name.to_owned())
    }

    #[test]
    fn every_document_fits_its_schema_and_every_file_is_a_document() {
        for (api, name, file, text) in TEXTS {
            let parsed = ExecutableDocument::parse_and_validate(api.schema().unwrap(), *text, *file)
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            let names: Vec<_> = parsed.operations.iter().map(|operation| operation.name.clone()).collect();
            assert_eq!((names.len(), names[0].as_ref().unwrap().as_str()), (1, *name), "{file}");
        }
        assert_eq!(documents().len(), TEXTS.len());
        assert!(documents().is_sorted_by_key(|document| (document.api, document.name)));
        let mut files = BTreeSet::new();
        for &api in Api::ALL {
            let folder = Path::new("graphql/queries").join(api.name());
            for entry in
                std::fs::read_dir(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(&folder))
                    .unwrap()
            {
                files.insert(folder.join(entry.unwrap().file_name()).to_str().unwrap().to_owned());
            }
        }
        assert_eq!(files, documents().iter().map(|document| document.file.to_owned()).collect());
    }

    #[test]
    fn fields_arguments_words_and_variables_are_found_through_fragments() {
        let tree = &QueryDocument::named(Api::Country, "TreeMapProducts").unwrap().needs;
        let [query, facet] = ["Query", "facet"].map(str::to_owned);
        for needed in [
            field("Query", "treeMap"),
            field("TreeMapProduct", "pci"),
            field("Product", "shortName"),
            Element::Argument(query, "treeMap".to_owned(), facet),
            Element::Value("TreeMapType".to_owned(), "CPY_C".to_owned()),
            Element::Type("TreeMapDatum".to_owned()),
        ] {
            assert!(tree.elements.contains(&needed), "{needed}");
        }
        assert!(!tree.elements.contains(&field("TreeMapLocation", "location")));
        let values = tree.elements.iter().filter(|element| matches!(element, Element::Value(..)));
        assert_eq!(values.count(), 1);
        assert_eq!(tree.type_of("productClass"), Some("ProductClass"));
    }

    #[test]
    fn what_is_known_to_be_broken_is_asked_by_no_document() {
        for document in documents() {
            let mut broken = vec![field("ProductYear", "naturalResource")];
            if document.api == Api::Country {
                broken.push(field("Product", "level"));
                broken.push(field("NewProductsCountry", "location"));
                broken.push(Element::Value("TreeMapType".to_owned(), "CPY_P".to_owned()));
                broken.extend(
                    [
                        "productYearRange",
                        "allProductYearRange",
                        "allCountryYearRange",
                        "group",
                        "allGroups",
                        "manyCountryProductYear",
                    ]
                    .map(|root| field("Query", root)),
                );
            }
            for wanted in broken {
                assert!(!document.needs.elements.contains(&wanted), "{}: {wanted}", document.file);
            }
        }
    }
}
