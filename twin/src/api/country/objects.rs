//! Objects shared by many answers: products of all levels, and places.

use super::super::value::{Object, Value};
use crate::data::World;
use crate::data::catalogue::Product;
use crate::data::place::Place;
use std::collections::HashMap;
use std::sync::Arc;

/// Products and places, created once.
pub(super) struct Objects {
    pub sections: Vec<Value>,
    pub groups: Vec<Value>,
    pub products: Vec<Value>,
    places: HashMap<u32, Value>,
}

/// The real server cannot serialise the level of a product.
fn level_error(level: &str) -> Value {
    Value::Error(format!("Expected a value of type \"ProductLevel\" but received: {level}"))
}

fn fields(
    prefix: &str,
    (id, code, short, long): (u32, &str, &str, &str),
    level: &str,
    parents: (Value, Value),
    service: bool,
) -> Vec<(&'static str, Value)> {
    vec![
        ("id", format!("product-{prefix}-{id}").into()),
        ("code", code.into()),
        ("level", level_error(level)),
        ("parent", parents.0),
        ("topLevelParent", parents.1),
        ("longName", long.into()),
        ("shortName", short.into()),
        ("productType", (if service { "Service" } else { "Goods" }).into()),
    ]
}

impl Objects {
    pub(super) fn new(world: &World) -> Self {
        let catalogue = &world.catalogue;
        let sections: Vec<Value> = catalogue
            .sectors
            .iter()
            .enumerate()
            .map(|(at, sector)| {
                let service = sector.key == "services";
                let code = if service { sector.key.clone() } else { at.to_string() };
                let names = (at as u32 + 1, code.as_str(), sector.name.as_str(), sector.long.as_str());
                // A sector is its own top. To end the tree, that top has none.
                let top = Value::object(
                    "Product",
                    flagged(
                        fields("HS", names, "section", (Value::NULL, Value::NULL), service),
                        false,
                        false,
                    ),
                );
                Value::object(
                    "Product",
                    flagged(fields("HS", names, "section", (Value::NULL, top), service), false, false),
                )
            })
            .collect();
        let make = |product: &Product, level: &str, parent: Value| {
            let names = (product.id, product.code.as_str(), product.short.as_str(), product.long.as_str());
            let parents = (parent, sections[product.sector].clone());
            let never = product.code == "XXXX" || product.code == "9999";
            let hidden = level == "fourDigit" && (product.at.is_none() || never);
            Value::object(
                "Product",
                flagged(fields("HS", names, level, parents, product.service), never, hidden),
            )
        };
        let groups: Vec<Value> = catalogue
            .groups
            .iter()
            .map(|group| make(group, "twoDigit", sections[group.sector].clone()))
            .collect();
        let products = catalogue
            .products
            .iter()
            .map(|product| {
                let parent = product.group.map_or(Value::NULL, |group| groups[group].clone());
                make(product, "fourDigit", parent)
            })
            .collect();
        let places = world.places.iter().map(|place| (place.m49, location(place))).collect();
        Self { sections, groups, products, places }
    }

    /// The place with this M49 code.
    pub(super) fn place(&self, m49: u32) -> Value {
        self.places.get(&m49).cloned().unwrap_or(Value::NULL)
    }
}

fn flagged(
    mut fields: Vec<(&'static str, Value)>,
    never_show: bool,
    hide_feasibility: bool,
) -> Vec<(&'static str, Value)> {
    fields.push(("neverShow", never_show.into()));
    fields.push(("hideFeasibility", hide_feasibility.into()));
    fields
}

fn location(place: &Place) -> Value {
    let name = place.continent.as_str();
    let region = Value::Object(Arc::new(Object {
        type_name: "Location",
        fields: vec![
            ("id", format!("location-{}", name.to_lowercase()).into()),
            ("code", name.into()),
            ("level", "region".into()),
            ("longName", name.into()),
            ("shortName", name.into()),
        ],
    }));
    let page = place.has_page();
    Value::object(
        "Location",
        vec![
            ("id", format!("location-{}", place.m49).into()),
            ("code", place.iso3.as_str().into()),
            ("level", "country".into()),
            ("parent", region.clone()),
            ("topLevelParent", region),
            ("longName", place.long.as_str().into()),
            ("shortName", place.short.as_str().into()),
            ("nameAbbr", place.short.as_str().into()),
            ("thePrefix", place.the.is_some().into()),
            ("isInCountryPages", page.into()),
            ("isFormerCountry", false.into()),
            ("isInComplexityRankings", page.into()),
            ("isDataTrustworthy", page.into()),
            ("hasReportedServicesLastYear", page.into()),
            ("hasReportedServicesInAnyYear", page.into()),
        ],
    )
}
