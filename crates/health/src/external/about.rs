//! The context of a row's values, in the row's own words.

use crate::value::{Classification, Period, vocabulary};

/// The context of a value, from its row and the objects around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The metric: `GDP per capita`.
    pub metric: Option<String>,
    /// The country, or one partner in a list of partners.
    pub country: Option<String>,
    /// The partner.
    pub partner: Option<String>,
    /// The exporter, if the row names one. Also set in `country`.
    pub exporter: Option<String>,
    /// The importer, if the row names one. Also set in `partner`.
    pub importer: Option<String>,
    /// The product's name, without its code.
    pub product: Option<String>,
    /// The product's code.
    pub code: Option<String>,
    /// The classification of the code.
    pub classification: Option<Classification>,
    /// The sector, or another product group.
    pub sector: Option<String>,
    /// A country group, or the value of `name`.
    pub group: Option<String>,
    /// The rank.
    pub rank: Option<u32>,
    /// Year or period.
    pub period: Option<Period>,
    /// The unit or scale of bare numbers, as it is written: `EUR`, `billion USD`.
    pub unit: Option<String>,
    /// A word for the value's sign or direction: `deficit`, `worsened`.
    pub direction: Option<String>,
    /// The name in the key or in an enclosing object: `korea`, `product-HS92-401`.
    pub of: Option<String>,
}

impl About {
    /// Sets a part from a key of the row.
    pub(super) fn set(&mut self, subject: &str, text: &str) {
        let owned = || Some(text.to_owned());
        match subject {
            "metric" => self.metric = owned(),
            "country" => self.country = owned(),
            "partner" => self.partner = owned(),
            "exporter" => {
                self.exporter = owned();
                self.country = owned().or(self.country.take());
            }
            "importer" => {
                self.importer = owned();
                self.partner = owned().or(self.partner.take());
            }
            "product" => {
                let (name, code, classification) = product_text(text);
                self.product = Some(name);
                self.code = code.or(self.code.take());
                self.classification = classification.or(self.classification);
            }
            "code" => self.code = owned(),
            "classification" => self.classification = classification(text).or(self.classification),
            "sector" => self.sector = owned(),
            "group" => self.group = owned(),
            "rank" => self.rank = text.parse().ok(),
            "year" | "period" => self.period = period(text).or(self.period),
            "start" => {
                if let Some(start) = year(text) {
                    self.period = Some(Period { start, end: self.period.map_or(start, |period| period.end) });
                }
            }
            "end" => {
                if let Some(end) = year(text) {
                    self.period = Some(Period { start: self.period.map_or(end, |period| period.start), end });
                }
            }
            "unit" => self.unit = owned(),
            "direction" => self.direction = owned(),
            _ => {}
        }
    }
}

/// A product name with its optional code and classification: `Coffee (0901 HS12)`.
#[must_use]
pub(crate) fn product_text(text: &str) -> (String, Option<String>, Option<Classification>) {
    let whole = || (text.trim().to_owned(), None, None);
    let Some((name, inside)) = text.trim().strip_suffix(')').and_then(|text| text.rsplit_once('(')) else {
        return whole();
    };
    let (code, class) = inside.trim().split_once(' ').unwrap_or((inside.trim(), ""));
    let is_code = !code.is_empty()
        && code.chars().all(char::is_alphanumeric)
        && (code.starts_with(|c: char| c.is_ascii_digit()) || !class.is_empty());
    let known = classification(class);
    if !is_code || (!class.is_empty() && known.is_none()) {
        return whole();
    }
    (name.trim().to_owned(), Some(code.to_owned()), known)
}

fn classification(text: &str) -> Option<Classification> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let name = vocabulary::canonical("classification", text).unwrap_or(&bare);
    name.parse().ok()
}

/// A year, or a period such as `2012-2022`.
fn period(text: &str) -> Option<Period> {
    if let Some(year) = year(text) {
        return Some(Period::year(year));
    }
    let (start, end) = text.split_once(['-', '–', '—'])?;
    Some(Period { start: year(start.trim())?, end: year(end.trim())? })
}

/// A year, even in decimal form: `2024.0`.
pub(super) fn year(text: &str) -> Option<i16> {
    let text = text.strip_suffix(".0").unwrap_or(text);
    (text.len() == 4).then(|| text.parse().ok()).flatten().filter(|year| (1900..=2100).contains(year))
}
