//! A capture written by hand, and what extraction makes of it.

use std::sync::LazyLock;

use atlas_gt::atlas::{AtlasUrl, CountryId, Section, by_id};
use atlas_gt::capture::{Capture, Exchange, StickyHeader};
use atlas_gt::extract::{Extractor, FailureKind, Observation, Wanted};
use atlas_gt::manifest::spec::Specs;

static EXTRACTOR: LazyLock<Extractor> = LazyLock::new(|| {
    let specs = Specs::built_in().unwrap();
    Extractor::new(specs.get("country_profile").unwrap().clone()).unwrap()
});

/// A page of Kenya: what stands before the first section, and the sections by heading.
pub struct Hand {
    body: String,
    pinned: Vec<StickyHeader>,
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
        self.pinned.push(StickyHeader { stop: stop.into(), html: html.into() });
        self
    }

    /// A query that the page sent, with what it was answered.
    pub fn answered(self, field: &str, argument: &str, json: &str) -> Self {
        let query = format!("{{ {field}({argument}: \"location-404\") {{ x }} }}");
        self.asked(&query, &format!("{{\"{field}\":{json}}}"))
    }

    /// The GDP per capita of a country, as the page asked for it.
    pub fn profile(self, country: u32, gdp: u32) -> Self {
        self.asked(
            &format!(
                "{{ countryProfile(location: \"location-{country}\") {{ location {{ id }} latestGdpPerCapita {{ quantity year }} }} }}"
            ),
            &format!(
                r#"{{"countryProfile":{{"location":{{"id":"location-{country}"}},"latestGdpPerCapita":{{"quantity":{gdp},"year":2024}}}}}}"#
            ),
        )
    }

    /// Exports of products of a country by name, as its treemap is fed.
    pub fn treemap(self, country: u32, cells: &[(&str, u64)]) -> Self {
        let rows: Vec<_> = cells
            .iter()
            .enumerate()
            .map(|(at, (name, value))| {
                serde_json::json!({
                    "product": { "shortName": name, "code": format!("{:04}", 100 + at), "topLevelParent": { "shortName": "Any" } },
                    "exportValue": value,
                })
            })
            .collect();
        self.asked(
            &format!(
                "{{ treeMap(facet: CPY_C, location: \"location-{country}\", productLevel: fourDigit) {{ ... on TreeMapProduct \
                 {{ product {{ shortName code topLevelParent {{ shortName }} }} exportValue }} }} }}"
            ),
            &serde_json::json!({ "treeMap": rows }).to_string(),
        )
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
        self.read_all(&[point]).remove(0)
    }

    /// The same page of another country.
    pub fn of(mut self, country: u32, name: &str) -> Self {
        self.body = self.body.replace("Kenya", name);
        self.country = country;
        self
    }

    pub fn capture(&self) -> Capture {
        let address = format!("http://127.0.0.1/countries/{}", self.country);
        Capture {
            requested_url: address.clone(),
            settled_url: address,
            status: 200,
            title: "The Atlas".into(),
            html: self.body.clone(),
            sticky_headers: self.pinned.clone(),
            states: Vec::new(),
            exchanges: self.exchanges.clone(),
            errors: Vec::new(),
            notes: Vec::new(),
            requests: 1,
            files: 0,
            own: vec![],
            taken_at: "2026-11-20T10:30:00Z".into(),
        }
    }

    pub fn read_all(&self, points: &[&str]) -> Vec<Result<Vec<Observation>, FailureKind>> {
        let extractor = &*EXTRACTOR;
        let capture = self.capture();
        let country: CountryId = "404".parse().unwrap();
        assert!(by_id(country).is_some());
        let wanted = |point: &&str| Wanted { data_point: (*point).into(), ..Wanted::default() };
        let wanted: Vec<Wanted> = points.iter().map(wanted).collect();
        let url = AtlasUrl::of_country(country, Section::Introduction);
        let extraction = extractor.extract(&capture, &url, &wanted);
        let outcome = |wanted: &Wanted| extraction.outcome(wanted).unwrap().clone();
        wanted.iter().map(|wanted| outcome(wanted).map_err(|failure| failure.kind)).collect()
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
