//! Charts over years: values on their axes and names in their legends are text of the page, and are neither values of a
//! series nor the total in the corner. Labels at the ends of lines are held against the response.

use atlas_gt::atlas::AtlasUrl;
use atlas_gt::capture::{Capture, Exchange};
use atlas_gt::extract::{Extractor, FailureKind, Observation, Wanted};
use atlas_gt::manifest::spec::Specs;
use atlas_gt::truth::Agreement;
use serde_json::{Value as Json, json};

const YEARS: &str = "startYear=2023&endYear=2024&exporter=country-404";
const AXIS: &str = "<text>0%</text><text>0.1%</text><text>0.2%</text><text>2023</text><text>2024</text>\
                    <text>Share of World Market by Sector</text>";

/// Exports of Kenya by sector, in millions: Services 3000 and 4000, Textiles 500 and 600; of the world a thousand times as much.
fn exchanges() -> Vec<Exchange> {
    let rows = |times: u64| -> Json {
        let row = |(id, year, millions): (u32, u32, u64)| json!({ "productId": format!("product-HS92-{id}"), "year": year, "exportValue": millions * 1_000_000 * times });
        [(10, 2023, 3000), (10, 2024, 4000), (1, 2023, 500), (1, 2024, 600)].map(row).to_vec().into()
    };
    let product = |(id, name, kind): (u32, &str, &str)| json!({ "productId": format!("product-HS92-{id}"), "code": id.to_string(), "nameShortEn": name, "productType": kind });
    let catalogue: Json =
        [(10, "Services", "Service"), (1, "Textiles", "Goods")].map(product).to_vec().into();
    let years =
        "productClass: HS92, productLevel: 1, servicesClass: unilateral, yearMin: 2023, yearMax: 2024";
    let answered = |query: String, data: Json| Exchange {
        url: "http://127.0.0.1/api/graphql".into(),
        request: json!({ "query": query, "variables": {} }).to_string(),
        status: 200,
        response: json!({ "data": data }).to_string(),
    };
    vec![
        answered(
            "{ productHs92(productLevel: 1) { productId code nameShortEn productType } }".to_owned(),
            json!({ "productHs92": catalogue }),
        ),
        answered(
            format!("{{ countryProductYear(countryId: 404, {years}) {{ productId year exportValue }} }}"),
            json!({ "countryProductYear": rows(1) }),
        ),
        answered(
            format!("{{ productYear({years}) {{ productId year exportValue }} }}"),
            json!({ "productYear": rows(1000) }),
        ),
    ]
}

/// What is read of a point of a view whose page has this body.
fn read(view: &str, point: &str, title: &str, body: &str) -> Result<Vec<Observation>, FailureKind> {
    let specs = Specs::built_in().unwrap();
    let extractor = Extractor::new(specs.get(view).unwrap().clone()).unwrap();
    let address = format!("http://127.0.0.1/explore/{view}?{YEARS}");
    let capture = Capture {
        requested_url: address.clone(),
        settled_url: address,
        status: 200,
        title: "The Atlas".into(),
        html: format!("<html><body><h1>{title}</h1>{body}</body></html>"),
        sticky_headers: Vec::new(),
        states: Vec::new(),
        exchanges: exchanges(),
        errors: Vec::new(),
        notes: Vec::new(),
        requests: 1,
        files: 0,
        own: Vec::new(),
        taken_at: "2026-11-20T10:30:00Z".into(),
    };
    let url = AtlasUrl::parse(&format!("https://atlas.hks.harvard.edu/explore/{view}?{YEARS}")).unwrap().url;
    let product = Some("Services".to_owned());
    let wanted = Wanted { data_point: point.into(), product, year: Some(2024), ..Wanted::default() };
    let extraction = extractor.extract(&capture, &url, std::slice::from_ref(&wanted));
    extraction.outcome(&wanted).unwrap().clone().map_err(|failure| failure.kind)
}

fn share(body: &str) -> Result<Vec<Observation>, FailureKind> {
    read("marketshare", "sector_market_share", "Kenya's global market share, 2023 – 2024", body)
}

fn exports(point: &str, body: &str) -> Result<Vec<Observation>, FailureKind> {
    read("overtime", point, "What did Kenya export, 2023 – 2024?", body)
}

#[test]
fn labels_at_the_ends_of_lines_confirm_the_response_or_refuse_it() {
    let found =
        share(&format!("<svg>{AXIS}<text>Services 0.1%</text><text>Textiles 0.1%</text></svg>")).unwrap();
    assert_eq!((found[0].value.as_str(), found[0].agreement), ("0.1%", Agreement::Agrees));
    assert_eq!(found[0].reason, "2 labels at the ends of lines agree");
    // the same response is behind the value of another line
    for label in ["Services 0.11%", "Textiles 0.11%", "0.11% Textiles", "Textiles: 0.11%"] {
        match share(&format!("<svg>{AXIS}<text>{label}</text></svg>")) {
            Err(FailureKind::LabelDisagrees(what)) => {
                assert!(what.contains(&format!("the label at the end of a line shows {label}")), "{what}");
            }
            other => panic!("{label}: {other:?}"),
        }
    }
}

#[test]
fn an_axis_and_a_legend_neither_confirm_nor_contradict_a_series() {
    let legend = "<div><p>Services</p><p>Textiles</p></div>";
    for body in [
        format!("<svg>{AXIS}</svg>{legend}"),
        // the highest value of an axis stands next to a name, in either order
        format!("{legend}<svg><text>0.2%</text>{AXIS}</svg>"),
        format!("<svg>{AXIS}<text>0.2%</text><text>Services</text><text>0.2%</text></svg>"),
    ] {
        let found = share(&body).unwrap();
        assert_eq!((found[0].value.as_str(), found[0].agreement), ("0.1%", Agreement::Unverified), "{body}");
    }
}

#[test]
fn a_value_of_an_axis_is_not_the_total_in_the_corner() {
    let axis = "<svg><text>$1B</text><text>$2B</text><text>$5B</text></svg>";
    let one = "<svg><text>$5B</text></svg>";
    for body in [
        format!("<div><p>Total Value</p></div>{axis}"),
        format!("<div><p>Total Value</p>{axis}</div>"),
        format!("<div><p>Total Value</p>{one}</div>"),
        format!("<div>{one}<p>Total Value</p></div>"),
    ] {
        assert!(exports("total_value", &body).is_err(), "{body}");
        let found = exports("sector_export", &body).unwrap_or_else(|kind| panic!("{body}: {kind}"));
        assert_eq!(
            (found[0].value.as_str(), found[0].agreement),
            ("$4.00B", Agreement::Unverified),
            "{body}"
        );
    }
    let corner = |value: &str| format!("<div><p>Total Value</p><p>{value} (2024)</p></div>{axis}");
    let found = exports("sector_export", &corner("$4.6B")).unwrap();
    assert_eq!((found[0].value.as_str(), found[0].agreement), ("$4.00B", Agreement::Agrees));
    assert!(matches!(exports("sector_export", &corner("$5B")), Err(FailureKind::LabelDisagrees(_))));
}
