//! The product lists of a class.

use super::super::arguments::{int, text};
use super::super::value::Value;
use super::{ExploreRoot, product_id};
use crate::data::catalogue::Product;
use crate::data::class::Class;
use crate::data::line::Line;
use crate::data::listing::Listing;
use apollo_compiler::resolvers::ResolveInfo;

/// Goods for the energy transition, by heading.
const GREEN: [&str; 5] = ["8541", "8507", "8406", "8410", "2844"];

impl ExploreRoot {
    pub(super) fn products(&self, info: &ResolveInfo<'_>, class: Class) -> Result<Value, String> {
        let services = text(info, "servicesClass") == Some("unilateral");
        let levels: Vec<i32> = int(info, "productLevel").map_or_else(|| vec![1, 2, 4], |level| vec![level]);
        let listing = self.listing(class)?;
        let sectors: Vec<Value> =
            listing.sectors.iter().map(|line| self.product(listing, line, 1, &[], &[])).collect();
        let list = |level: i32, parents: &[Value]| -> Vec<Value> {
            listing
                .level(level)
                .iter()
                .map(|line| self.product(listing, line, level, parents, &sectors))
                .collect()
        };
        let mut rows = Vec::new();
        for level in levels {
            let made = match level {
                1 => sectors.clone(),
                2 => list(2, &sectors),
                4 => list(4, &list(2, &sectors)),
                6 => list(6, &list(4, &list(2, &sectors))),
                _ => Vec::new(),
            };
            let lines = listing.level(level).iter();
            rows.extend(
                lines.zip(made).filter(|(line, _)| services || !line.service).map(|(_, value)| value),
            );
        }
        Ok(Value::unordered(rows))
    }

    fn product(
        &self,
        listing: &Listing,
        line: &Line,
        level: i32,
        parents: &[Value],
        sectors: &[Value],
    ) -> Value {
        let mut own = vec![
            ("productId", product_id(listing.class, line)),
            ("productLevel", Value::int(level)),
            ("code", line.code.as_str().into()),
            ("productType", (if line.service { "service" } else { "good" }).into()),
            ("nameEn", line.long.as_str().into()),
            ("nameShortEn", line.short.as_str().into()),
            ("naturalResource", self.mostly(line, |product| product.natural).into()),
            ("greenProduct", self.mostly(line, |product| GREEN.contains(&product.code.as_str())).into()),
        ];
        if level > 1 {
            own.push(("parent", line.parent.map_or(Value::NULL, |parent| parents[parent].clone())));
            own.push(("topParent", sectors[line.sector].clone()));
        }
        if level == 4 {
            own.extend(self.in_space(line));
        }
        Value::object("Product", own)
    }

    /// Whether goods of a kind make up more than half of the world trade in a product.
    fn mostly(&self, line: &Line, kind: impl Fn(&Product) -> bool) -> bool {
        let products = &self.world.catalogue.products;
        let (mut of_kind, mut all) = (0.0, 0.0);
        for part in &line.parts {
            let product = &products[part.at];
            all += product.world * part.share;
            of_kind += if kind(product) { product.world * part.share } else { 0.0 };
        }
        of_kind > all / 2.0
    }

    /// The position of a product in the product space: the mean of its goods.
    fn in_space(&self, line: &Line) -> [(&'static str, Value); 6] {
        const SCALE: f64 = 1000.0;
        let products = &self.world.catalogue.products;
        let placed: Vec<((f64, f64), f64)> =
            line.parts.iter().filter_map(|part| Some((products[part.at].at?, part.share))).collect();
        let all: f64 = placed.iter().map(|(_, share)| share).sum();
        let place = |value: fn((f64, f64)) -> f64| {
            if placed.is_empty() {
                return Value::NULL;
            }
            let sum: f64 = placed.iter().map(|(at, share)| value(*at) * share).sum();
            Value::int((sum / all * SCALE).round() as i64)
        };
        let cluster = if placed.is_empty() { Value::NULL } else { Value::int(line.sector as i64 % 8 + 1) };
        let other = self.world.catalogue.sectors[line.sector].key == "other";
        [
            ("clusterId", cluster),
            ("productSpaceX", place(|(x, _)| x)),
            ("productSpaceY", place(|(_, y)| y)),
            ("isShown", (line.code != "XXXX" && line.code != "ZZZZ").into()),
            ("globalExportThreshold", true.into()),
            ("showFeasibility", (!line.service && !other).into()),
        ]
    }
}
