//! The ground truth of one question on disk: `results.json`, the seed's object with keys in a fixed order, one value a
//! line.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::files::whole_seconds;
use super::row::Row;
use crate::config::{LIVE, ShownPage, SiteChoice};
use crate::error::Result;
use atlas_gt_core::json::pretty;
use atlas_gt_core::pipeline::ExpectedTool;
use atlas_gt_core::question_id::QuestionId;
pub use atlas_gt_core::source::SourceMethod;

/// The site a record was read from.
#[derive(Serialize, Deserialize, JsonSchema, VariantArray)]
#[serde(rename_all = "lowercase")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// The Atlas.
    #[default]
    Live,
    /// The local replica. Its records are never the truth about the Atlas.
    Twin,
    /// Another address that serves the site's pages. Its records are the truth only about that address.
    Mirror,
}

atlas_gt_core::words!(Site);

impl Site {
    /// The site of records read from `choice`. Anything served from this machine is a replica.
    #[must_use]
    pub fn of(choice: &SiteChoice) -> Self {
        match choice {
            _ if choice.is_local() => Self::Twin,
            _ if choice.address().is_some() => Self::Mirror,
            _ => Self::Live,
        }
    }

    /// A page of this site, as shown. Only a page of the live site has a link.
    #[must_use]
    pub fn page(self, page: &str) -> ShownPage<'_> {
        ShownPage::of((self == Self::Live).then_some(LIVE), page)
    }
}

/// The ground truth of one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The question.
    pub question_id: QuestionId,
    /// When the current values were first read, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub execution_timestamp: Timestamp,
    /// The origin of the question: `atlas_country_page`.
    pub source: String,
    /// The source of the values: the weakest of them.
    pub source_method: SourceMethod,
    /// The page that shows the answer.
    #[serde(default)]
    pub atlas_url: String,
    /// The site that was read. The seed's records lack it; they are of the Atlas.
    #[serde(default)]
    pub site: Site,
    /// The tool the agent should use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_tool: Option<ExpectedTool>,
    /// The kind of query the agent should send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_query_type: Option<String>,
    /// The values.
    pub results: Results,
}

/// The values of a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Results {
    /// One row per value.
    pub data: Vec<Row>,
}

impl Record {
    /// Its page, as shown.
    #[must_use]
    pub fn page(&self) -> ShownPage<'_> {
        self.site.page(&self.atlas_url)
    }

    /// The text of the file: keys in order, one value a line, and a final line break.
    ///
    /// # Errors
    /// A value cannot be written as JSON.
    pub fn to_text(&self) -> Result<String> {
        pretty(self)
    }

    /// Parses the text of the file.
    ///
    /// # Errors
    /// It is not a record.
    pub fn from_text(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;
    use crate::value::Unit;

    #[test]
    fn only_a_reading_of_the_live_site_links_to_it() {
        let address = "https://atlas.hks.harvard.edu/countries/404";
        for (site, text, link) in [
            (Site::Live, address, Some(address.to_owned())),
            (Site::Twin, "/countries/404", None),
            (Site::Mirror, "/countries/404", None),
        ] {
            assert_eq!(Record { site, ..record() }.page(), ShownPage { text, link });
        }
    }

    fn record() -> Record {
        Record {
            question_id: "61".parse().unwrap(),
            execution_timestamp: "2026-11-20T10:30:00.75Z".parse().unwrap(),
            source: "atlas_country_page".into(),
            source_method: SourceMethod::BrowserCountryPage,
            atlas_url: "https://atlas.hks.harvard.edu/countries/404".into(),
            site: Site::Live,
            expected_tool: Some(ExpectedTool::GraphqlOnly),
            expected_query_type: Some("country_profile".into()),
            results: Results {
                data: vec![Row {
                    data_point: "gdp_per_capita".into(),
                    metric: "GDP per capita".into(),
                    country: "Kenya".into(),
                    value: Some("$2,274".into()),
                    number: Some(Decimal::from(2274)),
                    unit: Some(Unit::Usd),
                    year: Some("2024".into()),
                    ..Row::default()
                }],
            },
        }
    }

    #[test]
    fn has_the_published_form_to_the_byte() {
        let expected = r#"{
  "question_id": "61",
  "execution_timestamp": "2026-11-20T10:30:00Z",
  "source": "atlas_country_page",
  "source_method": "browser_country_page",
  "atlas_url": "https://atlas.hks.harvard.edu/countries/404",
  "site": "live",
  "expected_tool": "graphql_only",
  "expected_query_type": "country_profile",
  "results": {
    "data": [
      {
        "data_point": "gdp_per_capita",
        "metric": "GDP per capita",
        "country": "Kenya",
        "value": "$2,274",
        "number": "2274",
        "unit": "USD",
        "year": "2024"
      }
    ]
  }
}
"#;
        let text = record().to_text().unwrap();
        assert_eq!(text, expected);
        assert_eq!(Record::from_text(&text).unwrap().to_text().unwrap(), expected);
    }

    #[test]
    fn reads_a_record_of_the_seed() {
        let text = r#"{"question_id": 247, "execution_timestamp": "2026-03-15T10:30:00Z",
            "source": "graphql_eval", "source_method": "browser_explore_page",
            "atlas_url": "https://atlas.hks.harvard.edu/explore/treemap?...", "expected_tool": "graphql_only",
            "expected_query_type": "treemap_products",
            "results": {"data": [{"product": "Travel & tourism", "value": 3496641908.95, "share": "21.6%"}]}}"#;
        let record = Record::from_text(text).unwrap();
        assert_eq!(record.question_id.as_str(), "247");
        assert_eq!(record.site, Site::Live);
        let row = &record.results.data[0];
        assert_eq!(row.value.as_deref(), Some("3496641908.95"));
        assert_eq!(row.extra["share"], "21.6%");
        assert_eq!(row.subject().as_deref(), Some("Travel & tourism"));
    }

    #[test]
    fn decision_18_a_record_is_of_the_atlas_only_when_it_was_read_there() {
        let of = |site: &str| Site::of(&site.parse().unwrap());
        for (site, is) in [
            ("live", Site::Live),
            ("https://atlas.hks.harvard.edu/", Site::Live),
            ("twin", Site::Twin),
            ("http://127.0.0.1:81", Site::Twin),
            ("https://mirror.example.org", Site::Mirror),
            ("http://atlas.hks.harvard.edu.example.org", Site::Mirror),
        ] {
            assert_eq!(of(site), is, "{site}");
        }
        assert_eq!(serde_json::to_string(&Site::Mirror).unwrap(), "\"mirror\"");
    }
}
