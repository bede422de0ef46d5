//! What a row states, in the words of a sentence.

use super::records::Row;

/// What a sentence about one row is filled with.
#[derive(Clone)]
pub struct Fact {
    pub country: String,
    pub partner: Option<String>,
    pub product: Option<String>,
    pub year: String,
    pub value: String,
    pub flow: &'static str,
    pub metric: String,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Plain,
    Trade,
    WorldTrade,
    OfProduct,
    Place,
    Words,
}

const NOUNS: [(&str, &str); 31] = [
    ("gdp_per_capita", "GDP per capita"),
    ("gdp_per_capita_ppp", "GDP per capita at purchasing power parity"),
    ("gdp_per_capita_rank", "GDP per capita rank"),
    ("population", "population"),
    ("growth_projection", "projected annual growth"),
    ("growth_projection_rank", "rank by projected growth"),
    ("summary_growth_projection", "projected annual growth"),
    ("current_account", "current account balance"),
    ("exporter_rank", "rank among exporters"),
    ("eci_rank", "Economic Complexity Index rank"),
    ("eci_rank_complexity", "Economic Complexity Index rank"),
    ("chart_eci", "Economic Complexity Index"),
    ("coi_rank", "Complexity Outlook Index rank"),
    ("diversity_rank", "diversity rank"),
    ("diversification_grade", "diversification grade"),
    ("income_classification", "income classification"),
    ("new_products_count", "number of new products"),
    ("summary_new_products", "number of new products"),
    ("new_products_value", "value of new products"),
    ("new_products_per_capita", "income per capita from new products"),
    ("new_export_proportion", "share of new products in exports"),
    ("rca_products", "number of products with RCA > 1"),
    ("product_pci", "Product Complexity Index"),
    ("product_rca", "RCA"),
    ("product_distance", "distance"),
    ("product_opportunity_gain", "opportunity gain"),
    ("strategic_approach", "strategic approach"),
    ("summary_strategic_approach", "strategic approach"),
    ("growth_opportunities_strategy", "strategic approach"),
    ("trade_balance", "trade balance"),
    ("market_share_sector", "sector with the largest market share"),
];

impl Fact {
    pub fn of(row: &Row) -> Option<Self> {
        let value = row.value.clone()?;
        let flow = if row.context.flow.is_some_and(|flow| format!("{flow:?}") == "Import") {
            "import"
        } else {
            "export"
        };
        let noun =
            NOUNS.iter().find(|(point, _)| *point == row.data_point).map(|(_, noun)| (*noun).to_owned());
        let world = row.country.is_empty();
        let kind = match row.data_point.as_str() {
            "total_value"
            | "total_exports"
            | "total_imports"
            | "bilateral_total"
            | "bilateral_import_total"
            | "product_export"
            | "product_import"
                if world =>
            {
                Kind::WorldTrade
            }
            "total_value"
            | "total_exports"
            | "total_imports"
            | "bilateral_total"
            | "bilateral_import_total"
            | "product_export"
            | "product_import" => Kind::Trade,
            "product_pci" | "product_rca" | "product_distance" | "product_opportunity_gain" => {
                Kind::OfProduct
            }
            point if point.ends_with("_rank") || point == "eci_rank_complexity" => Kind::Place,
            _ if row.unit.is_none() => Kind::Words,
            _ => Kind::Plain,
        };
        let metric = noun.or_else(|| matches!(kind, Kind::Trade | Kind::WorldTrade).then(String::new))?;
        let name = |id: &str| {
            let id: atlas_gt::atlas::CountryId = id.parse().ok()?;
            atlas_gt::atlas::by_id(id).map(|entity| entity.short_name.to_owned())
        };
        let product = row.product.clone().or_else(|| thing(row));
        Some(Self {
            country: row.country.clone(),
            partner: row.context.partner.as_deref().and_then(name),
            product,
            year: row.year.clone()?,
            value,
            flow,
            metric,
            kind,
        })
    }

    /// What the value is of, without it: the question restated.
    pub fn about(&self) -> String {
        let year = if self.year.contains('-') { String::new() } else { format!(" in {}", self.year) };
        match (self.kind, &self.product, &self.partner) {
            (Kind::WorldTrade, Some(product), _) => format!("the world's exports of {product}{year}"),
            (Kind::Trade, Some(product), Some(partner)) => {
                format!("{}'s {}s of {product} {} {partner}{year}", self.country, self.flow, self.side())
            }
            (Kind::Trade, Some(product), None) => {
                format!("{}'s {}s of {product}{year}", self.country, self.flow)
            }
            (Kind::Trade, None, Some(partner)) => {
                format!("{}'s total {}s of goods {} {partner}{year}", self.country, self.flow, self.side())
            }
            (Kind::Trade, None, None) => {
                format!("{}'s total {}s of goods and services{year}", self.country, self.flow)
            }
            (Kind::OfProduct, Some(product), _) if self.country.is_empty() => {
                format!("the {} of {product}{year}", self.metric)
            }
            (Kind::OfProduct, Some(product), _) => {
                format!("{}'s {} in {product}{year}", self.country, self.metric)
            }
            _ => format!("{}'s {}{year}", self.country, self.metric),
        }
    }

    pub fn side(&self) -> &'static str {
        if self.flow == "import" { "from" } else { "to" }
    }

    /// Sentences that say it, without a full stop.
    pub fn sentences(&self) -> Vec<String> {
        let about = self.about();
        let value = &self.value;
        let (plural, verb) = match self.kind {
            Kind::Trade | Kind::WorldTrade => ("were", "amounted to"),
            _ => ("is", "stands at"),
        };
        let mut all =
            vec![format!("{} {plural} {value}", upper(&about)), format!("{} {verb} {value}", upper(&about))];
        if self.kind == Kind::Trade && !self.year.contains('-') {
            let object = match (&self.product, &self.partner) {
                (Some(product), Some(partner)) => format!("{product} {} {partner}", self.side()),
                (Some(product), None) => product.clone(),
                (None, Some(partner)) => format!("goods {} {partner}", self.side()),
                (None, None) => "goods and services".to_owned(),
            };
            all.push(format!("{} {}ed {value} of {object} in {}", self.country, self.flow, self.year));
            all.push(format!("In {}, {} {}ed {object} worth {value}", self.year, self.country, self.flow));
        }
        if self.kind == Kind::WorldTrade {
            let product = self.product.clone().unwrap_or_default();
            all.push(format!("The world exported {value} of {product} in {}", self.year));
            all.push(format!("Global exports of {product} totalled {value} in {}", self.year));
        }
        if self.kind == Kind::Plain || self.kind == Kind::OfProduct {
            all.push(format!("According to the Atlas of Economic Complexity, {about} is {value}"));
        }
        all
    }
}

/// The product that a row is about where the record does not name it.
pub fn thing(row: &Row) -> Option<String> {
    let code = row.context.product.as_deref()?;
    [("8703", "cars"), ("8542", "electronic integrated circuits"), ("0901", "coffee"), ("2601", "iron ores")]
        .into_iter()
        .find(|(known, _)| *known == code)
        .map(|(_, name)| name.to_owned())
}

pub fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
