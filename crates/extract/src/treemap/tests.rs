//! Explore pages in small: what is read, and every way in which a page can be another than the one asked for.

use serde_json::{Value as Json, json};

use crate::atlas::AtlasUrl;
use crate::capture::Capture;
use crate::capture::Exchange;
use crate::evidence::Agreement;
use crate::manifest::spec::Specs;
use crate::value::{ContextPart, Scope};
use crate::{Extraction, Extractor, FailureKind, Observation, Wanted};

/// A page to be put together, right at first.
pub(super) struct Stage {
    asked: &'static str,
    settled: &'static str,
    title: &'static str,
    args: Json,
    tea: &'static str,
    corner: &'static str,
}

const ASKED: &str = "/explore/treemap?year=2024&exporter=country-404";

impl Stage {
    pub(super) fn new() -> Self {
        Self {
            asked: ASKED,
            settled: "http://site/explore/treemap?year=2024&exporter=country-404&importer=group-1",
            title: "What did Kenya export in 2024?",
            args: json!({ "countryId": 404, "productLevel": 4, "productClass": "HS92", "servicesClass": "unilateral", "yearMin": 2024, "yearMax": 2024 }),
            tea: "$1.39B",
            corner: "$4.9B",
        }
    }

    fn read(&self, points: &[(&str, Option<&str>)]) -> Extraction {
        let spec = Specs::built_in().unwrap().get("treemap_verify").unwrap().clone();
        let extractor = Extractor::new(spec).unwrap();
        let wanted: Vec<Wanted> = points
            .iter()
            .map(|(point, product)| Wanted {
                data_point: (*point).to_owned(),
                product: product.map(str::to_owned),
                ..Wanted::default()
            })
            .collect();
        extractor.extract(&self.capture(), &AtlasUrl::parse(self.asked).unwrap().url, &wanted)
    }

    pub(super) fn capture(&self) -> Capture {
        let rows = json!([
            { "productId": "product-HS92-727", "year": 2024, "exportValue": 1_385_010_482, "importValue": 1, "exportRca": 446.017 },
            { "productId": "product-HS92-4001", "year": 2024, "exportValue": 3_496_641_909_u64, "importValue": 2, "exportRca": null },
            { "productId": "product-HS92-726", "year": 2024, "exportValue": 0, "importValue": 3, "exportRca": 0.0 },
        ]);
        let catalogue = json!([
            { "productId": "product-HS92-727", "code": "0902", "nameShortEn": "Tea", "nameEn": "Tea", "productType": "good" },
            { "productId": "product-HS92-726", "code": "0901", "nameShortEn": "Coffee", "nameEn": "Coffee", "productType": "good" },
            { "productId": "product-HS92-4001", "code": "travel", "nameShortEn": "Travel & tourism", "nameEn": "Travel", "productType": "service" },
        ]);
        let query = |field: &str, selection: &str| {
            format!(
                "query Q($countryId: Int, $productLevel: Int, $productClass: ProductClass, $servicesClass: ServicesClass, $yearMin: Int, $yearMax: Int) {{ data: {field}(countryId: $countryId, productLevel: $productLevel, productClass: $productClass, servicesClass: $servicesClass, yearMin: $yearMin, yearMax: $yearMax) {{ {selection} }} }}"
            )
        };
        let exchange = |query: String, args: &Json, data: Json| Exchange {
            url: "http://site/api/graphql".into(),
            request: json!({ "query": query, "variables": args }).to_string(),
            status: 200,
            response: json!({ "data": { "data": data } }).to_string(),
        };
        let names =
            "{ data: productHs92(productLevel: 4) { productId code nameShortEn nameEn productType } }";
        let cell = |name: &str, value: &str| {
            format!("<div><span data-agt-d=b>{name}</span><span data-agt-d=b>{value}</span></div>")
        };
        Capture {
            requested_url: format!("http://site{}", self.asked),
            settled_url: self.settled.into(),
            status: 200,
            title: format!("{} | The Atlas", self.title),
            html: format!(
                "<p>{}</p><div><b data-agt-d=b>{}</b><i data-agt-d=b>Total Value</i></div><section>{}{}</section>",
                self.title,
                self.corner,
                cell("Travel &amp; tourism", "$3.50B"),
                cell("Tea", self.tea)
            ),
            sticky_headers: Vec::new(),
            states: Vec::new(),
            exchanges: vec![
                exchange(names.to_owned(), &json!({}), catalogue),
                exchange(
                    query("countryProductYear", "productId year exportValue importValue exportRca"),
                    &self.args,
                    rows,
                ),
            ],
            errors: Vec::new(),
            notes: Vec::new(),
            requests: 3,
            files: 0,
            own: vec![],
            taken_at: String::new(),
        }
    }

    /// Parts that a refusal names, with all its words.
    fn refusal(&self) -> (Vec<ContextPart>, String) {
        let extraction = self.read(&[("top_products", None)]);
        let failure = extraction.points[0].1.as_ref().unwrap_err();
        match &failure.kind {
            FailureKind::OtherContext(parts) => {
                let mut named: Vec<ContextPart> = parts.iter().map(|(part, _)| *part).collect();
                named.dedup();
                (named, failure.to_string())
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn rows_of_one_product_with_several_partners_are_one_cell() {
    let stage = Stage::new();
    let mut capture = stage.capture();
    let mut body: Json = serde_json::from_str(&capture.exchanges[1].response).unwrap();
    let rows = body["data"]["data"].as_array_mut().unwrap();
    let mut other = rows[0].clone();
    rows[0]["exportValue"] = json!(1_000_000_000);
    other["exportValue"] = json!(385_010_482);
    rows.push(other);
    capture.exchanges[1].response = body.to_string();
    let spec = Specs::built_in().unwrap().get("treemap_verify").unwrap().clone();
    let extractor = Extractor::new(spec).unwrap();
    let wanted = Wanted {
        data_point: "product_export".to_owned(),
        product: Some("0902".to_owned()),
        ..Wanted::default()
    };
    let url = AtlasUrl::parse(stage.asked).unwrap().url;
    let read = extractor.extract(&capture, &url, std::slice::from_ref(&wanted));
    let found = read.outcome(&wanted).unwrap().as_ref().unwrap();
    assert_eq!((found.len(), found[0].value.as_str()), (1, "$1.39B"));
    assert_eq!(found[0].agreement, Agreement::Agrees);
}

#[test]
fn cells_are_read_from_the_response_and_confirmed_by_labels() {
    let extraction = Stage::new().read(&[
        ("total_value", None),
        ("top_products", None),
        ("product_export", Some("0902")),
        ("product_share", Some("tea")),
        ("product_rca", Some("0902")),
        ("product_export", Some("0901")),
    ]);
    assert!(extraction.is_complete(), "{:#?}", extraction.failures().collect::<Vec<_>>());
    let values: Vec<_> = extraction.observations().map(|one| one.value.as_str()).collect();
    assert_eq!(values, ["$4.9B", "$3.50B", "$1.39B", "$1.39B", "28.37%", "446.02", "N/A"]);
    let all: Vec<_> = extraction.observations().collect();
    assert!(all[..6].iter().all(|one| one.agreement == Agreement::Agrees), "{all:#?}");
    assert_eq!(all[1].context.scope, Some(Scope::GoodsAndServices));
    assert_eq!(all[0].context.partner.as_deref(), Some("group-1"));
    assert_eq!(all[2].keys[2], ("code".to_owned(), "0902".to_owned()));
}

#[test]
fn a_label_that_says_otherwise_fails_every_drawn_point() {
    let stage = Stage { tea: "$1.93B", ..Stage::new() };
    let extraction = stage.read(&[("product_export", Some("travel")), ("total_value", None)]);
    let failure = extraction.points[0].1.as_ref().unwrap_err();
    assert!(
        matches!(&failure.kind, FailureKind::LabelDisagrees(what) if what.contains("Tea is labelled $1.93B"))
    );
    // what the corner shows is text of the page, and stays the truth
    assert!(extraction.points[1].1.is_ok());
}

#[test]
fn decision_11_a_corner_that_says_otherwise_is_kept_and_marked() {
    let extraction = Stage { corner: "$5.8B", ..Stage::new() }.read(&[("total_value", None)]);
    let one = extraction.observations().next().unwrap();
    assert_eq!((one.value.as_str(), one.agreement), ("$5.8B", Agreement::PageDisagrees));
}

/// Reads one point of a page whose markup is given.
fn read_html(html: &str, point: &str) -> Result<Observation, String> {
    let mut capture = Stage::new().capture();
    capture.html = html.to_owned();
    let spec = Specs::built_in().unwrap().get("treemap_verify").unwrap().clone();
    let wanted = Wanted { data_point: point.into(), ..Wanted::default() };
    let url = AtlasUrl::parse(ASKED).unwrap().url;
    let extraction = Extractor::new(spec).unwrap().extract(&capture, &url, std::slice::from_ref(&wanted));
    match &extraction.points[0].1 {
        Ok(found) => Ok(found[0].clone()),
        Err(failure) => Err(failure.to_string()),
    }
}

const TITLE: &str = "<h1>What did Kenya export in 2024?</h1>";

#[test]
fn a_total_of_something_else_is_not_the_one_in_the_corner() {
    let corner = "<div><p>$4.9B</p><p>Total Value</p></div>";
    for aside in [
        "<div><h2>2023</h2><p>Total Value</p><p>$4.4B</p></div>",
        "<div><h2>Compare with Ethiopia</h2><p>$1.5B</p><p>Total Value</p></div>",
        "<div><h2>HS 2012</h2><p>Total Value $3.9B</p></div>",
        "<div><p>Total Value of imports</p><p>$6.8B</p></div>",
        "<div><p>World: Total Value $24T</p></div>",
        "<div><p>$4.4B (2023)</p><p>Total Value</p></div>",
        // what nothing tells apart, the page's own response does
        "<div><h2>Goods alone</h2><p>Total Value</p><p>$1.4B</p></div>",
    ] {
        let one = read_html(&format!("{aside}{TITLE}{corner}"), "total_value").unwrap();
        assert_eq!((one.value.as_str(), one.agreement), ("$4.9B", Agreement::Agrees), "{aside}");
    }
    // alone, none of them is the total of the page
    for other in ["<div><h2>2023</h2><p>Total Value</p><p>$4.4B</p></div>", "<p>World: Total Value $24T</p>"]
    {
        let refusal = read_html(&format!("{other}{TITLE}"), "total_value").unwrap_err();
        assert!(refusal.contains("the label or cue is not in the section"), "{refusal}");
    }
    // two that nothing tells apart are refused
    let two = "<div><p>Total Value</p><p>$3B</p></div><div><p>Total Value</p><p>$7B</p></div>";
    let refusal = read_html(&format!("{TITLE}{two}"), "total_value").unwrap_err();
    assert!(refusal.contains("several values match: $3B · $7B"), "{refusal}");
}

#[test]
fn a_total_is_read_with_its_year_its_unit_and_without_a_space() {
    for corner in [
        "<div><p>$4.9B (2024)</p><p>Total Value</p></div>",
        "<div><small>TOTAL VALUE</small><b>$4.9B</b></div>",
        "<p>Total Value (USD): $4.9B</p>",
        "<p>Total Value in 2024</p><p>$4.9B</p>",
        "<div><p>Total Value, 2024</p><p>$4.9B</p><p>HS 2012 · HS 1992</p></div>",
    ] {
        let one = read_html(&format!("{TITLE}<div>{corner}</div>"), "total_value").unwrap();
        assert_eq!(one.value, "$4.9B", "{corner}");
    }
}

#[test]
fn a_title_in_several_lines_is_one_title() {
    let corner = "<div><p>$4.9B</p><p>Total Value</p></div>";
    let title = "<h1>What did Kenya<br>export in 2024?</h1>";
    assert_eq!(read_html(&format!("{title}{corner}"), "total_value").unwrap().value, "$4.9B");
    let other = "<h1>What did Uganda<br>export in 2024?</h1>";
    assert!(read_html(&format!("{other}{corner}"), "total_value").unwrap_err().contains("Uganda"));
}

/// The values of one point of a page, or why there are none.
pub(super) fn values_of(
    capture: &Capture,
    asked: &str,
    extractor: &str,
    point: &str,
    product: Option<&str>,
) -> Result<Vec<String>, String> {
    let spec = Specs::built_in().unwrap().get(extractor).unwrap().clone();
    let wanted =
        Wanted { data_point: point.into(), product: product.map(str::to_owned), ..Wanted::default() };
    let url = AtlasUrl::parse(asked).unwrap().url;
    let extraction = Extractor::new(spec).unwrap().extract(capture, &url, std::slice::from_ref(&wanted));
    match &extraction.points[0].1 {
        Ok(found) => Ok(found.iter().map(|one| one.value.clone()).collect()),
        Err(failure) => Err(failure.to_string()),
    }
}

/// Who sold coffee: what the world sells to a country and what it buys from it stand in one row.
fn sellers(html: &str) -> Result<Vec<String>, String> {
    let mut capture = Stage::new().capture();
    let exchange = |query: &str, args: Json, data: Json| Exchange {
        url: "http://site/api/graphql".into(),
        request: json!({ "query": query, "variables": args }).to_string(),
        status: 200,
        response: json!({ "data": { "data": data } }).to_string(),
    };
    let rows = json!([
        { "partnerCountryId": "country-76", "year": 2024, "exportValue": 20_000_000, "importValue": 10_500_000_000_u64 },
        { "partnerCountryId": "country-156", "year": 2024, "exportValue": 6_990_000_000_u64, "importValue": 400_000_000 },
    ]);
    let places = json!([
        { "countryId": "country-76", "nameShortEn": "Brazil", "nameEn": "Brazil" },
        { "countryId": "country-156", "nameShortEn": "China", "nameEn": "China" },
    ]);
    let query = "query G($groupId: Int!, $productId: Int, $productLevel: Int, $productClass: ProductClass, $yearMin: Int, $yearMax: Int) { data: groupCountryProductYear(groupId: $groupId, productId: $productId, productLevel: $productLevel, productClass: $productClass, yearMin: $yearMin, yearMax: $yearMax) { partnerCountryId year exportValue importValue } }";
    let args = json!({ "groupId": 1, "productId": 726, "productLevel": 4, "productClass": "HS92", "yearMin": 2024, "yearMax": 2024 });
    capture.exchanges.truncate(1);
    capture.exchanges.push(exchange(
        "{ data: locationCountry { countryId nameShortEn nameEn } }",
        json!({}),
        places,
    ));
    capture.exchanges.push(exchange(query, args, rows));
    let asked = "/explore/treemap?year=2024&view=markets&product=product-HS92-726";
    capture.settled_url = format!("http://site{asked}");
    capture.title = "The Atlas".to_owned();
    capture.html = format!("<h1>Who exported Coffee in 2024?</h1>{html}");
    values_of(&capture, asked, "treemap_verify", "top_partners", Some("0901"))
}

#[test]
fn sellers_and_buyers_are_told_apart_by_labels_or_by_the_total_or_not_at_all() {
    let sold = ["$10.5B", "$400M"];
    assert_eq!(sellers("<div><p>Brazil</p><p>$10.5B</p></div>").unwrap(), sold);
    assert_eq!(sellers("<div><p>Total Value</p><p>$11B</p></div>").unwrap(), sold);
    for html in ["", "<div><p>Total Value</p><p>$3B</p></div>"] {
        let refusal = sellers(html).unwrap_err();
        assert!(refusal.contains("several values match: China first by"), "{refusal}");
    }
}

#[test]
fn without_any_label_another_look_is_due() {
    let mut capture = Stage::new().capture();
    capture.html = "<p>What did Kenya export in 2024?</p>".to_owned();
    let extractor =
        Extractor::new(Specs::built_in().unwrap().get("treemap_verify").unwrap().clone()).unwrap();
    let wanted = Wanted { data_point: "top_product".into(), ..Wanted::default() };
    let url = AtlasUrl::parse(ASKED).unwrap().url;
    let extraction = extractor.extract(&capture, &url, std::slice::from_ref(&wanted));
    assert!(extraction.unconfirmed);
    assert_eq!(extraction.observations().next().unwrap().agreement, Agreement::Unverified);
}

#[test]
fn an_exporter_of_the_sites_own_choice_is_refused() {
    let stage = Stage { asked: "/explore/treemap?year=2024", ..Stage::new() };
    let (parts, words) = stage.refusal();
    assert_eq!(parts, [ContextPart::Country]);
    assert!(words.contains("the address names no exporter, and the site chose Kenya"), "{words}");
}

#[test]
fn a_missing_partner_is_refused() {
    let asked = "/explore/treemap?year=2024&exporter=country-404&importer=country-840";
    let (parts, words) = Stage { asked, ..Stage::new() }.refusal();
    assert_eq!(parts, [ContextPart::Partner]);
    assert!(words.contains("asked for importer country-840, settled on group-1"), "{words}");
    let with = "http://site/explore/treemap?year=2024&exporter=country-404&importer=country-840";
    let (parts, words) = Stage {
        asked,
        settled: with,
        title: "What did Kenya export to the United States in 2024?",
        ..Stage::new()
    }
    .read(&[("bilateral_total", None)])
    .points[0]
        .1
        .as_ref()
        .map_err(|failure| (failure.kind.clone(), failure.to_string()))
        .map_or_else(|(kind, words)| (kind, words), |_| panic!("no response of the pair is there"));
    assert_eq!(parts, FailureKind::ResponseMissing, "{words}");
    let missing = Stage::new().read(&[("product_pci", Some("0902"))]);
    assert!(missing.failures().next().is_some_and(crate::Failure::may_ask_ourselves));
}

#[test]
fn another_class_year_country_or_flow_is_refused_by_its_part() {
    let mut other =
        Stage { asked: "/explore/treemap?year=2024&exporter=country-404&productClass=HS12", ..Stage::new() };
    other.settled = "http://site/explore/treemap?year=2024&exporter=country-404&productClass=HS12";
    let (parts, words) = other.refusal();
    assert_eq!(parts, [ContextPart::Classification]);
    assert!(words.contains("the page queried countryProductYear in HS92"), "{words}");

    let mut other = Stage::new();
    other.args["yearMin"] = json!(2023);
    other.args["yearMax"] = json!(2023);
    assert_eq!(other.refusal().0, [ContextPart::Period]);

    let mut other = Stage::new();
    other.args["countryId"] = json!(231);
    let (parts, words) = other.refusal();
    assert_eq!(parts, [ContextPart::Country]);
    assert!(words.contains("for Ethiopia"), "{words}");

    for (title, part) in [
        ("What did Ethiopia export in 2024?", ContextPart::Country),
        ("What did Kenya export to Uganda in 2024?", ContextPart::Partner),
        ("What did Kenya import in 2024?", ContextPart::Flow),
        ("What did Kenya export in 2023?", ContextPart::Period),
        ("Where did Kenya export All Products to in 2024?", ContextPart::Partner),
    ] {
        assert_eq!(Stage { title, ..Stage::new() }.refusal().0, [part], "{title}");
    }
    // a title in words that nobody has seen yet, naming the right country and year
    let stage = Stage { title: "Kenya: which goods and services were exported in 2024?", ..Stage::new() };
    assert!(stage.read(&[("top_products", None)]).is_complete());
    // a page that says of nobody what it shows proves nothing
    let silent = Stage { title: "Loading", ..Stage::new() }.read(&[("top_products", None)]);
    let failure = silent.failures().next().unwrap();
    assert!(matches!(failure.kind, FailureKind::Unrecognised(_)), "{failure}");
}

/// The page with another query of the same field before or behind its own.
fn beside_its_own(stage: &Stage, first: bool, args: &[(&str, i64)]) -> Result<Vec<String>, String> {
    let mut other = Stage::new();
    for (arg, value) in args {
        other.args[*arg] = json!(value);
    }
    let mut foreign = other.capture().exchanges.remove(1);
    // as many rows, of other values
    let own = foreign.response.clone();
    foreign.response = own.replace("1385010482", "9385010482").replace("3496641909", "7");
    assert_ne!(foreign.response, own);
    let mut capture = stage.capture();
    capture.exchanges.insert(if first { 1 } else { 2 }, foreign);
    values_of(&capture, stage.asked, "treemap_verify", "top_products", None)
}

#[test]
fn what_a_page_asks_of_other_years_and_countries_is_neither_evidence_nor_an_objection() {
    let own = ["$3.50B", "$1.39B"];
    let others: [&[(&str, i64)]; 4] = [
        &[("yearMin", 2023), ("yearMax", 2023)],
        &[("countryId", 231)],
        &[("countryId", 231), ("yearMin", 2023), ("yearMax", 2023)],
        &[("productLevel", 6)],
    ];
    for args in others {
        for first in [true, false] {
            assert_eq!(beside_its_own(&Stage::new(), first, args).unwrap(), own, "{args:?}");
        }
    }
    // which year is shown is known from where the page settled, else by nothing
    let asked = "/explore/treemap?exporter=country-404";
    let settled = Stage { asked, ..Stage::new() };
    assert_eq!(beside_its_own(&settled, true, others[0]).unwrap(), own);
    let open = Stage { asked, settled: "http://site/explore/treemap?exporter=country-404", ..Stage::new() };
    let refusal = beside_its_own(&open, true, others[0]).unwrap_err();
    assert!(refusal.contains("the page queried several years"), "{refusal}");
}

#[test]
fn imports_are_not_read_as_exports() {
    let asked = "/explore/treemap?year=2024&exporter=country-404&tradeDirection=imports";
    let settled = "http://site/explore/treemap?year=2024&exporter=country-404&tradeDirection=imports";
    let stage = Stage { asked, settled, title: "What did Kenya import in 2024?", ..Stage::new() };
    let failure = stage.read(&[("product_export", Some("0902"))]);
    let failure = failure.failures().next().unwrap();
    assert!(
        matches!(&failure.kind, FailureKind::OtherContext(parts) if parts[0].0 == ContextPart::Flow),
        "{failure}"
    );
}

#[test]
fn a_map_is_never_read_as_a_treemap() {
    // a capture of the same country, year and rows: nothing but the kind of page tells them apart
    let (asked, settled) = (
        "/explore/geomap?year=2024&exporter=country-404",
        "http://site/explore/geomap?year=2024&exporter=country-404",
    );
    let stage = Stage { asked, settled, ..Stage::new() };
    for point in ["total_value", "top_products", "product_export"] {
        let said = values_of(&stage.capture(), asked, "treemap_verify", point, Some("0902")).unwrap_err();
        assert!(said.contains("`treemap_verify` reads explore/treemap pages, not explore/geomap"), "{said}");
    }
    let country = values_of(&stage.capture(), "/countries/404", "treemap_verify", "total_value", None);
    assert!(country.unwrap_err().contains("not country"));
}
