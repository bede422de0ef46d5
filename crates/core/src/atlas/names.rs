//! The GraphQL queries of the two APIs, and the real queries behind names that only documents use.

/// The kind of a query name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryName {
    /// A query that exists.
    Real,
    /// A name that only documents use.
    Documented {
        /// The queries that hold its data, the main one first.
        real: &'static [&'static str],
    },
    /// Any other name.
    Unknown {
        /// The most similar existing name.
        nearest: Option<&'static str>,
    },
}

/// Documented names and the real queries behind them.
const DOCUMENTED: [(&str, &[&str]); 6] = [
    ("treemapProducts", &["treeMap"]),
    ("treemapExporterProducts", &["countryProductYear"]),
    ("treemapExporterPartners", &["countryCountryYear"]),
    ("productFeasibilityExporter", &["countryProductYear", "productYear", "countryYearThresholds"]),
    ("marketshareExporterProducts", &["countryProductYear", "productYear"]),
    ("newProducts", &["newProductsCountry", "newProductsComparisonCountries"]),
];

/// All queries of both APIs.
const REAL: [&str; 50] = [
    "countryProfile",
    "allCountryProfiles",
    "countryYear",
    "allCountryYear",
    "countryYearRange",
    "allCountryYearRange",
    "countryLookback",
    "globalDatum",
    "treeMap",
    "allCountryProductYear",
    "countryProductLookback",
    "productSpace",
    "newProductsCountry",
    "newProductsComparisonCountries",
    "product",
    "allProducts",
    "productYear",
    "allProductYear",
    "productYearRange",
    "allProductYearRange",
    "location",
    "allLocations",
    "group",
    "allGroups",
    "manyCountryProductYear",
    "countryProductYear",
    "countryCountryYear",
    "countryCountryProductYear",
    "locationCountry",
    "locationGroup",
    "productHs92",
    "productHs12",
    "productHs22",
    "productSitc",
    "dataAvailability",
    "metadata",
    "countryYearThresholds",
    "groupYear",
    "countryGroupProductYear",
    "groupCountryProductYear",
    "groupGroupProductYear",
    "countryCountryProductYearGrouped",
    "productProduct",
    "conversionPath",
    "dataFlags",
    "downloadsTable",
    "year",
    "conversionSources",
    "conversionWeights",
    "banner",
];

/// Classifies a query name.
#[must_use]
pub fn query_name(name: &str) -> QueryName {
    if REAL.contains(&name) {
        return QueryName::Real;
    }
    match DOCUMENTED.iter().find(|(documented, _)| *documented == name) {
        Some((_, real)) => QueryName::Documented { real },
        None => QueryName::Unknown { nearest: super::nearest(name, REAL) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decision_19_documented_names_map_to_queries_that_exist() {
        for (documented, real) in DOCUMENTED {
            assert!(!REAL.contains(&documented), "{documented}");
            assert!(!real.is_empty() && real.iter().all(|name| REAL.contains(name)), "{documented}");
            assert_eq!(query_name(documented), QueryName::Documented { real });
        }
    }

    #[test]
    fn the_apis_have_25_and_27_queries_two_of_them_by_the_same_name() {
        let distinct: std::collections::BTreeSet<_> = REAL.into_iter().collect();
        assert_eq!(distinct.len(), 25 + 27 - 2);
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        assert_eq!(query_name("treeMap"), QueryName::Real);
        assert_eq!(query_name("countryProfil"), QueryName::Unknown { nearest: Some("countryProfile") });
        assert_eq!(query_name("zzz"), QueryName::Unknown { nearest: None });
    }
}
