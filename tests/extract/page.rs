//! A capture written by hand, and what extraction makes of it.

use atlas_gt::atlas::{AtlasUrl, CountryId, Section, by_id};
use atlas_gt::capture::{Capture, Exchange, Pinned};
use atlas_gt::extract::{Extractor, FailureKind, Observation, Wanted};
use atlas_gt::manifest::spec::Specs;

/// A page of Kenya: what stands before the first section, and the sections by heading.
pub struct Hand {
    body: String,
    pinned: Vec<Pinned>,
    exchanges: Vec<Exchange>,
    country: u32,
}

impl Hand {
    pub fn new(body: &str) -> Self {
        let body = format!(
            "<html><head><title>The Atlas</title></head><body><h1>Kenya</h1>{body}\
             <section><h2>Kenya in Summary</h2><p>the end</p></section></body></html>"
        );
        Self { body, pinned: Vec::new(), exchanges: Vec::new(), country: 404 }
    }

    /// A section with the export basket's heading, which carries the data year.
    pub fn basket(body: &str) -> Self {
        Self::new(&format!("<section><h2>Export Basket in 2024</h2>{body}</section>"))
    }

    pub fn bar(mut self, stop: &str, html: &str) -> Self {
        self.pinned.push(Pinned { stop: stop.into(), html: html.into() });
        self
    }

    /// A query that the page sent, with what it was answered.
    pub fn answered(self, field: &str, argument: &str, json: &str) -> Self {
        let query = format!("{{ {field}({argument}: \"location-404\") {{ x }} }}");
        self.asked(&query, &format!("{{\"{field}\":{json}}}"))
    }

    /// The query as sent, and the data of its answer.
    pub fn asked(mut self, query: &str, data: &str) -> Self {
        self.exchanges.push(Exchange {
            url: "http://127.0.0.1/api/countries/graphql".into(),
            request: serde_json::json!({ "query": query, "variables": {} }).to_string(),
            status: 200,
            response: format!("{{\"data\":{data}}}"),
        });
        self
    }

    pub fn read(&self, point: &str) -> Result<Vec<Observation>, FailureKind> {
        let specs = Specs::built_in().unwrap();
        let extractor = Extractor::new(specs.get("country_profile").unwrap().clone()).unwrap();
        let address = format!("http://127.0.0.1/countries/{}", self.country);
        let capture = Capture {
            requested_url: address.clone(),
            settled_url: address,
            status: 200,
            title: "The Atlas".into(),
            html: self.body.clone(),
            pinned: self.pinned.clone(),
            states: Vec::new(),
            exchanges: self.exchanges.clone(),
            errors: Vec::new(),
            notes: Vec::new(),
            requests: 1,
            files: 0,
            own: vec![],
            taken_at: "2026-11-20T10:30:00Z".into(),
        };
        let country: CountryId = "404".parse().unwrap();
        assert!(by_id(country).is_some());
        let wanted = Wanted { data_point: point.into(), product: None, partner: None };
        let url = AtlasUrl::of_country(country, Section::Introduction);
        let extraction = extractor.extract(&capture, &url, std::slice::from_ref(&wanted));
        extraction.outcome(&wanted).unwrap().clone().map_err(|failure| failure.kind)
    }

    /// The one value of a point, in its canonical text.
    #[track_caller]
    pub fn says(&self, point: &str, value: &str) {
        match self.read(point) {
            Ok(found) => {
                let values: Vec<&str> = found.iter().map(|one| one.value.as_str()).collect();
                assert_eq!(values, [value], "{point}");
            }
            Err(kind) => panic!("{point}: {kind}"),
        }
    }

    /// No value is read.
    #[track_caller]
    pub fn refuses(&self, point: &str) -> FailureKind {
        match self.read(point) {
            Ok(found) => {
                panic!("{point} was read as {:?}", found.iter().map(|one| &one.value).collect::<Vec<_>>())
            }
            Err(kind) => kind,
        }
    }
}
