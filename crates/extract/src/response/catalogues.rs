//! The page's own catalogues: which product or place an id stands for, and what it is called.

use std::collections::HashMap;

use crate::atlas::{CountryId, PlaceId};

use crate::response::{Exchanges, Root, plain};

/// A product or place of a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Code as printed for a product, M49 code for a country.
    pub code: String,
    /// Name as drawn.
    pub name: String,
    /// Its full name.
    pub long: String,
    /// Whether it is a service.
    pub service: bool,
    /// The sector of a product.
    pub sector: String,
    /// Whether it has a place in the product space, where the catalogue says so.
    pub in_space: Option<bool>,
}

impl Item {
    fn is(&self, wanted: &str) -> bool {
        [&self.code, &self.name, &self.long].iter().any(|own| own.eq_ignore_ascii_case(wanted))
    }
}

/// All catalogues of a capture, by id as the responses write it.
#[derive(Debug, Default)]
pub struct Catalogues {
    products: HashMap<String, Item>,
    places: HashMap<String, Item>,
}

const PRODUCTS: [&str; 4] = ["productHs92", "productHs12", "productHs22", "productSitc"];

impl Catalogues {
    /// The products and places that responses list.
    pub fn read(exchanges: &Exchanges<'_>) -> Self {
        let mut books = Self::default();
        for root in exchanges.iter() {
            match root.field.as_str() {
                field if PRODUCTS.contains(&field) => books.products.extend(products(root)),
                "locationCountry" => books.places.extend(places(root, "countryId", "nameShortEn", "nameEn")),
                "locationGroup" => books.places.extend(places(root, "groupId", "groupName", "groupName")),
                _ => {}
            }
        }
        books
    }

    /// The product of an id.
    pub fn product(&self, id: &str) -> Option<&Item> {
        self.products.get(id)
    }

    /// The country or group of an id.
    pub fn place(&self, id: &str) -> Option<&Item> {
        self.places.get(id)
    }

    /// A product by its code or name.
    pub fn product_called(&self, wanted: &str) -> Option<&Item> {
        self.products.values().find(|item| item.is(wanted))
    }

    /// A place by its code or name.
    pub fn place_called(&self, wanted: &str) -> Option<&Item> {
        self.places.values().find(|item| item.is(wanted))
    }

    /// The id of a group of countries, by its name.
    pub fn group(&self, name: &str) -> Option<&str> {
        let mut groups = self.places.iter().filter(|(id, _)| id.starts_with("group-"));
        groups.find(|(_, item)| item.name.eq_ignore_ascii_case(name)).map(|(id, _)| id.as_str())
    }

    /// The names of a place: short and long.
    pub fn names(&self, place: &PlaceId) -> Vec<&str> {
        let item = self.places.get(&place.to_string());
        item.into_iter().flat_map(|item| [item.name.as_str(), item.long.as_str()]).collect()
    }
}

fn products(root: &Root<'_>) -> Vec<(String, Item)> {
    let keys = |name: &str| root.keys(name);
    let (Some(id), Some(code)) = (keys("productId"), keys("code")) else { return Vec::new() };
    let (short, long, kind) = (keys("nameShortEn"), keys("nameEn"), keys("productType"));
    let (sector, across) = (keys("topParent.nameShortEn"), keys("productSpaceX"));
    root.rows()
        .filter_map(|row| {
            let text = |keys: &Option<Vec<String>>| Root::at(row, keys.as_deref()?).and_then(plain);
            let long_name = text(&long);
            let item = Item {
                code: Root::at(row, &code).and_then(plain)?,
                name: text(&short).or_else(|| long_name.clone())?,
                long: long_name.unwrap_or_default(),
                service: text(&kind).is_some_and(|kind| kind.to_lowercase().starts_with("service")),
                sector: text(&sector).unwrap_or_default(),
                in_space: across.as_ref().map(|_| text(&across).is_some()),
            };
            Some((Root::at(row, &id).and_then(plain)?, item))
        })
        .collect()
}

fn places(root: &Root<'_>, id: &str, short: &str, long: &str) -> Vec<(String, Item)> {
    let Some(id) = root.keys(id) else { return Vec::new() };
    let (short, long) = (root.keys(short), root.keys(long));
    root.rows()
        .filter_map(|row| {
            let text = |keys: &Option<Vec<String>>| Root::at(row, keys.as_deref()?).and_then(plain);
            let id = Root::at(row, &id).and_then(plain)?;
            let code = id.parse::<CountryId>().map_or_else(|_| id.clone(), |id| id.to_string());
            let long = text(&long);
            let item = Item {
                code,
                name: text(&short).or_else(|| long.clone())?,
                long: long.unwrap_or_default(),
                service: false,
                sector: String::new(),
                in_space: None,
            };
            Some((id, item))
        })
        .collect()
}
