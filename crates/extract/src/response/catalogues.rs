//! The page's own catalogues: which product or place an id names.

use std::collections::{HashMap, HashSet};

use crate::atlas::{CountryId, PlaceId};

use crate::response::{Exchanges, Root, plain};

/// A product or place in a catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueItem {
    /// The code: the displayed code of a product, or the M49 code of a country.
    pub code: String,
    /// The displayed name.
    pub name: String,
    /// The full name.
    pub long: String,
    /// Whether it is a service.
    pub service: bool,
    /// The sector of a product.
    pub sector: String,
    /// Whether it has a place in the product space, if the catalogue tells.
    pub in_space: Option<bool>,
}

impl CatalogueItem {
    fn is(&self, wanted: &str) -> bool {
        [&self.code, &self.name, &self.long].iter().any(|own| own.eq_ignore_ascii_case(wanted))
    }
}

/// All catalogues of a capture, by id as in the responses.
#[derive(Debug, Default)]
pub struct Catalogues {
    products: HashMap<String, CatalogueItem>,
    places: HashMap<String, CatalogueItem>,
    /// Ids in a catalogue without name or code.
    nameless: HashSet<String>,
}

const PRODUCTS: [&str; 4] = ["productHs92", "productHs12", "productHs22", "productSitc"];

impl Catalogues {
    /// Reads the products and places in responses.
    pub fn read(exchanges: &Exchanges<'_>) -> Self {
        let mut books = Self::default();
        for root in exchanges.iter() {
            match root.field.as_str() {
                field if PRODUCTS.contains(&field) => books.add(root, "productId", products(root)),
                "locationCountry" => {
                    books.add(root, "countryId", places(root, "countryId", "nameShortEn", "nameEn"));
                }
                "locationGroup" => {
                    books.add(root, "groupId", places(root, "groupId", "groupName", "groupName"));
                }
                _ => {}
            }
        }
        books
    }

    fn add(&mut self, root: &Root<'_>, key: &str, entries: Entries) {
        for (id, item) in entries {
            match (id, item) {
                (Some(id), Some(item)) if PRODUCTS.contains(&root.field.as_str()) => {
                    self.products.insert(id, item);
                }
                (Some(id), Some(item)) => _ = self.places.insert(id, item),
                (Some(id), None) => _ = self.nameless.insert(id),
                (None, _) => root.lacks(&format!("*.{key}"), "a row has no id"),
            }
        }
    }

    /// Whether a catalogue has this id, but no name or code for it.
    pub(crate) fn is_nameless(&self, id: &str) -> bool {
        self.nameless.contains(id) && !self.products.contains_key(id) && !self.places.contains_key(id)
    }

    /// The product with an id.
    pub fn product(&self, id: &str) -> Option<&CatalogueItem> {
        self.products.get(id)
    }

    /// The country or group with an id.
    pub fn place(&self, id: &str) -> Option<&CatalogueItem> {
        self.places.get(id)
    }

    /// Whether a product is a good that may be in the product space, and so may have its measures.
    /// Services and products outside the space, such as unspecified goods, have none.
    pub(crate) fn may_be_in_space(&self, id: &str) -> bool {
        self.product(id).is_some_and(|item| !item.service && item.in_space != Some(false))
    }

    /// The product with a code or name.
    pub(crate) fn product_called(&self, wanted: &str) -> Option<&CatalogueItem> {
        self.products.values().find(|item| item.is(wanted))
    }

    /// The place with a code or name.
    pub(crate) fn place_called(&self, wanted: &str) -> Option<&CatalogueItem> {
        self.places.values().find(|item| item.is(wanted))
    }

    /// The id of a country group, by name.
    pub fn group(&self, name: &str) -> Option<&str> {
        let mut groups = self.places.iter().filter(|(id, _)| id.starts_with("group-"));
        groups.find(|(_, item)| item.name.eq_ignore_ascii_case(name)).map(|(id, _)| id.as_str())
    }

    /// The short and long name of a place.
    pub fn names(&self, place: &PlaceId) -> Vec<&str> {
        let item = self.places.get(&place.to_string());
        item.into_iter().flat_map(|item| [item.name.as_str(), item.long.as_str()]).collect()
    }
}

/// The entries of a catalogue: an id with its item, if present.
type Entries = Vec<(Option<String>, Option<CatalogueItem>)>;

fn products(root: &Root<'_>) -> Entries {
    let keys = |name: &str| root.keys(name);
    let (Some(id), Some(code)) = (keys("productId"), keys("code")) else { return Vec::new() };
    let (short, long, kind) = (keys("nameShortEn"), keys("nameEn"), keys("productType"));
    let (sector, across) = (keys("topParent.nameShortEn"), keys("productSpaceX"));
    let of_row = |row| {
        let text = |keys: &Option<Vec<String>>| root.at(row, keys.as_deref()?).and_then(plain);
        let (long_name, code) = (text(&long), root.at(row, &code).and_then(plain));
        let name = text(&short).or_else(|| long_name.clone());
        let item = code.zip(name).map(|(code, name)| CatalogueItem {
            code,
            name,
            long: long_name.unwrap_or_default(),
            service: text(&kind).is_some_and(|kind| kind.to_lowercase().starts_with("service")),
            sector: text(&sector).unwrap_or_default(),
            in_space: across.as_ref().map(|_| text(&across).is_some()),
        });
        (root.at(row, &id).and_then(plain), item)
    };
    root.rows().map(of_row).collect()
}

fn places(root: &Root<'_>, id: &str, short: &str, long: &str) -> Entries {
    let Some(id) = root.keys(id) else { return Vec::new() };
    let (short, long) = (root.keys(short), root.keys(long));
    let of_row = |row| {
        let text = |keys: &Option<Vec<String>>| root.at(row, keys.as_deref()?).and_then(plain);
        let id = root.at(row, &id).and_then(plain);
        let code =
            id.as_ref().map(|id| id.parse::<CountryId>().map_or_else(|_| id.clone(), |id| id.to_string()));
        let long = text(&long);
        let name = text(&short).or_else(|| long.clone());
        let item = code.zip(name).map(|(code, name)| CatalogueItem {
            code,
            name,
            long: long.unwrap_or_default(),
            service: false,
            sector: String::new(),
            in_space: None,
        });
        (id, item)
    };
    root.rows().map(of_row).collect()
}
