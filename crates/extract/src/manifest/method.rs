//! How data points are read, and which methods allow which.

use super::spec::Point;
use crate::atlas::PageKind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// How a data point is read, in the classes of the list of data points.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Text of a card, bar or table.
    Dom,
    /// A statement in prose.
    Narrative,
    /// Drawn: the value behind the drawing, verified by label or tooltip.
    ApiPreferred,
    /// Drawn without text: a picture for a person.
    Screenshot,
}

atlas_gt_core::words!(Method);

impl Method {
    /// Whether an entry of this method may name a point that is read by `point`. `dom` allows prose, which is
    /// also text of the page. `screenshot`, the fallback for everything drawn, allows `api_preferred`.
    #[must_use]
    pub const fn admits(self, point: Self) -> bool {
        matches!(
            (self, point),
            (Self::Dom, Self::Dom | Self::Narrative)
                | (Self::Narrative, Self::Narrative)
                | (Self::ApiPreferred, Self::ApiPreferred)
                | (Self::Screenshot, Self::ApiPreferred | Self::Screenshot)
        )
    }
}

/// The extractors and their data points, for the check of a manifest.
pub trait PointCatalog {
    /// The kind of page that the extractor reads; `None` for an unknown extractor.
    fn page(&self, extractor: &str) -> Option<PageKind>;

    /// Names of all extractors.
    fn extractors(&self) -> Vec<&str>;

    /// Ids of the data points that the extractor reads; empty for an unknown extractor.
    fn points(&self, extractor: &str) -> Vec<&str>;

    /// How the extractor reads the data point; `None` if it does not.
    fn method(&self, extractor: &str, point: &str) -> Option<Method>;

    /// The data point, as its spec describes it; `None` if the extractor has none of this name.
    fn point(&self, extractor: &str, point: &str) -> Option<&Point>;

    /// Whether a page of the extractor shows one value per year of the data point.
    fn is_yearly(&self, extractor: &str, point: &str) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_19_dom_admits_narrative_points() {
        assert!(Method::Dom.admits(Method::Narrative));
        assert!(!Method::Narrative.admits(Method::Dom));
        assert!(!Method::Dom.admits(Method::ApiPreferred));
        assert!(!Method::ApiPreferred.admits(Method::Dom));
        assert!(Method::Screenshot.admits(Method::ApiPreferred));
        for &method in Method::ALL {
            assert!(method.admits(method));
            assert_eq!(serde_json::to_value(method).unwrap(), method.name());
        }
    }
}
