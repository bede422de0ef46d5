//! Pages, the rate limit, the log, and faults.

use super::{Value, ask, client, data, faulty, quick, twin};
use crate::{Skin, TwinOptions, start};
use serde_json::json;

async fn get(url: String) -> (u16, String, Option<String>) {
    let response = client().get(url).send().await.unwrap();
    let location = response.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (response.status().as_u16(), response.text().await.unwrap(), location)
}

const GDP: &str =
    "{countryProfile(location: \"location-404\") { latestGdpPerCapita { quantity } location { code } } }";

#[tokio::test]
async fn pages_are_a_shell_and_assets_are_cached() {
    for skin in [Skin::Hashed, Skin::Mui] {
        let twin = start(TwinOptions { skin, ..quick() }).await.unwrap();
        let at = |path: &str| format!("{}{path}", twin.base_url);
        for path in [
            "/countries/404",
            "/countries/404/export-basket",
            "/countries/438",
            "/explore/treemap?year=2024",
            "/explore/feasibility/table",
        ] {
            let (status, body, _) = get(at(path)).await;
            assert_eq!(status, 200, "{path}");
            assert!(body.contains("Loading"), "{path}");
            assert!(!body.to_lowercase().contains("twin"), "{path}");
        }
        assert_eq!(get(at("/countries")).await.2.as_deref(), Some("/countries/792"));
        for path in ["/nowhere", "/countries/404/a/b", "/assets/none.js", "/log"] {
            assert_eq!(get(at(path)).await.0, 404, "{path}");
        }
        for path in ["/robots.txt", "/llms.txt", "/favicon.ico"] {
            assert_eq!(get(at(path)).await.0, 200, "{path}");
        }
        let shell = get(at("/countries/404")).await.1;
        let script =
            shell.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")).unwrap();
        let response = client().get(at(script)).send().await.unwrap();
        assert!(response.headers()["cache-control"].to_str().unwrap().contains("max-age=31536000"));
        for (name, value) in response.headers() {
            assert!(!format!("{name}{value:?}").to_lowercase().contains("twin"));
        }
        assert!(!response.text().await.unwrap().to_lowercase().contains("twin"));
    }
}

#[tokio::test]
async fn class_names_change_with_the_seed() {
    let shell = |seed| async move {
        let twin = start(TwinOptions { seed, ..quick() }).await.unwrap();
        get(format!("{}/countries/404", twin.base_url)).await.1
    };
    assert_eq!(shell(Some(3)).await, shell(Some(3)).await);
    assert_ne!(shell(None).await, shell(None).await);
}

#[tokio::test]
async fn the_limit_counts_both_endpoints_and_says_when_to_come_back() {
    for retry_after in [false, true] {
        let twin = start(TwinOptions { rate_limit: Some(3), retry_after, ..quick() }).await.unwrap();
        let post = |path: &str| {
            client().post(format!("{}{path}", twin.base_url)).json(&json!({"query": "{ __typename }"})).send()
        };
        let mut statuses = Vec::new();
        for path in [
            "/api/countries/graphql",
            "/api/graphql",
            "/api/countries/graphql",
            "/api/graphql",
            "/api/countries/graphql",
        ] {
            statuses.push(post(path).await.unwrap().status().as_u16());
        }
        assert_eq!(statuses[3..], [429, 429]);
        assert!(statuses[..3].iter().all(|status| *status != 429), "{statuses:?}");
        let wait = post("/api/graphql")
            .await
            .unwrap()
            .headers()
            .get("retry-after")
            .map(|wait| wait.to_str().unwrap().parse::<u64>().unwrap());
        assert_eq!(wait.is_some(), retry_after);
        assert!(wait.is_none_or(|wait| (55..=60).contains(&wait)), "{wait:?}");
        assert_eq!(get(format!("{}/countries/404", twin.base_url)).await.0, 200, "pages are not counted");
    }
}

#[tokio::test]
async fn the_log_tells_what_was_asked() {
    let twin = twin().await;
    let body = json!({"operationName": "P", "query": "query P($l: ID!) { countryProfile(location: $l) { diversity } globalDatum { globalExportValue } }", "variables": {"l": "location-404"}});
    let request = client()
        .post(format!("{}/api/countries/graphql", twin.base_url))
        .header("user-agent", "probe/1")
        .header("referer", format!("{}/countries/404", twin.base_url));
    request.json(&body).send().await.unwrap();
    get(format!("{}/countries/404?x=1", twin.base_url)).await;
    let log = twin.log();
    assert_eq!(log.len(), 2);
    assert_eq!(
        (log[0].method.as_str(), log[0].path.as_str(), log[0].status),
        ("POST", "/api/countries/graphql", 200)
    );
    assert_eq!(
        (log[0].operation.as_deref(), log[0].fields.join(" ").as_str()),
        (Some("P"), "countryProfile globalDatum")
    );
    assert_eq!(
        (&log[0].variables, log[0].user_agent.as_deref(), log[0].by_page),
        (&json!({"l": "location-404"}), Some("probe/1"), true)
    );
    assert_eq!((log[1].path.as_str(), log[1].is_api(), log[1].by_page), ("/countries/404?x=1", false, false));
}

#[tokio::test]
async fn storms_pass() {
    let twin = faulty(&["server-error=2", "too-many-retry-after=1", "too-many=1"]).await;
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let response = super::post(&twin, &json!({"query": GDP})).await;
        statuses.push((response.status().as_u16(), response.headers().contains_key("retry-after")));
    }
    assert_eq!(statuses, [(500, false), (500, false), (429, true), (429, false), (200, false)]);
}

#[tokio::test]
async fn a_reset_is_no_answer_at_all() {
    let twin = faulty(&["reset=1"]).await;
    let send = || {
        client().post(format!("{}/api/countries/graphql", twin.base_url)).json(&json!({"query": GDP})).send()
    };
    assert!(send().await.is_err());
    assert_eq!(twin.log()[0].status, 0);
    assert_eq!(send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn half_an_answer_is_not_json() {
    let twin = faulty(&["half-json=1"]).await;
    let response = super::post(&twin, &json!({"query": GDP})).await;
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    assert!(text.starts_with("{\"data\"") && serde_json::from_str::<Value>(&text).is_err(), "{text}");
}

#[tokio::test]
async fn a_soft_block_is_a_page_with_status_200() {
    let twin = faulty(&["soft-block-page"]).await;
    let (status, body, _) = get(format!("{}/countries/404", twin.base_url)).await;
    assert_eq!(status, 200);
    assert!(body.contains("Too many requests"));
    let response = super::post(&twin, &json!({"query": GDP})).await;
    assert_eq!(
        (response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()),
        (200, "text/html; charset=utf-8")
    );
}

#[tokio::test]
async fn a_wrong_country_answers_in_anothers_name() {
    let twin = faulty(&["wrong-country=231"]).await;
    assert_eq!(data(&twin, GDP).await["countryProfile"]["location"]["code"], "ETH");
}

#[tokio::test]
async fn drift_moves_figures_and_can_begin_later() {
    let twin = twin().await;
    let gdp = || async {
        data(&twin, GDP).await["countryProfile"]["latestGdpPerCapita"]["quantity"].as_i64().unwrap()
    };
    assert_eq!(gdp().await, 2274);
    twin.set_faults(vec!["drift".parse().unwrap()]);
    assert_eq!(gdp().await, 2304);
    twin.set_faults(Vec::new());
    assert_eq!(gdp().await, 2274);
}

#[tokio::test]
async fn pages_can_be_given_other_figures_than_other_clients() {
    let twin = faulty(&["page-disagrees"]).await;
    assert_eq!(data(&twin, GDP).await["countryProfile"]["latestGdpPerCapita"]["quantity"], 2274);
    let request = client()
        .post(format!("{}/api/countries/graphql", twin.base_url))
        .header("referer", format!("{}/countries/404", twin.base_url));
    let found: Value = request.json(&json!({"query": GDP})).send().await.unwrap().json().await.unwrap();
    assert_eq!(found["data"]["countryProfile"]["latestGdpPerCapita"]["quantity"], 2304);
}

#[tokio::test]
async fn errors_stand_beside_the_data_and_name_each_place() {
    let query = "{ t: treeMap(facet: CPY_C, location: \"location-404\") { ... on TreeMapProduct \
                 { v: exportValue product { code } } } p: countryProfile(location: \"location-404\") { exportValue } }";
    let whole = data(&twin().await, query).await;
    let at = |body: &Value| -> Vec<Value> {
        let errors = body["errors"].as_array().unwrap().iter();
        errors.map(|error| error["path"].clone()).collect()
    };
    let twin = faulty(&["errors-with-data=exportValue"]).await;
    let (status, body) = ask(&twin, query).await;
    let rows = whole["t"].as_array().unwrap();
    assert_eq!((status, at(&body).len()), (200, rows.len() + 1));
    assert_eq!(
        (&at(&body)[0], &at(&body)[rows.len()]),
        (&json!(["t", 0, "v"]), &json!(["p", "exportValue"]))
    );
    assert_eq!(
        (&body["data"]["t"][0]["v"], &body["data"]["p"]),
        (&Value::Null, &json!({"exportValue": null}))
    );
    assert_eq!(body["data"]["t"][0]["product"], rows[0]["product"]);

    // the row that is the first of a ranking
    twin.set_faults(vec!["errors-with-data=exportValue:largest".parse().unwrap()]);
    let (_, body) = ask(&twin, query).await;
    let value = |row: &Value| row["v"].as_f64().unwrap();
    let largest = (0..rows.len()).max_by(|a, b| value(&rows[*a]).total_cmp(&value(&rows[*b]))).unwrap();
    assert_eq!(at(&body), [json!(["t", largest, "v"]), json!(["p", "exportValue"])]);
    assert_eq!(body["data"]["t"][largest]["v"], Value::Null);

    // what must not be null makes what it is in null
    let ids = "{ allLocations { id longName } }";
    twin.set_faults(vec!["errors-with-data=longName:largest".parse().unwrap()]);
    let (_, body) = ask(&twin, ids).await;
    assert_eq!(at(&body), [json!(["allLocations", 0, "longName"])]);
    assert_eq!(body["data"]["allLocations"][0], Value::Null);
    assert!(body["data"]["allLocations"][1].is_object());
}

#[tokio::test]
async fn numbers_can_be_texts_or_missing() {
    let query = "{ countryProfile(location: \"location-404\") { latestGdpPerCapita { quantity year } exportValue diversificationGrade } }";
    let whole = data(&twin().await, query).await["countryProfile"].take();
    let twin = faulty(&["numbers-as-text"]).await;
    let texts = data(&twin, query).await["countryProfile"].take();
    assert_eq!(texts["exportValue"], whole["exportValue"].to_string());
    assert_eq!(texts["latestGdpPerCapita"], json!({"quantity": "2274", "year": "2024"}));
    assert_eq!(texts["diversificationGrade"], whole["diversificationGrade"]);
    twin.set_faults(vec!["no-numbers".parse().unwrap()]);
    let none = data(&twin, query).await["countryProfile"].take();
    assert_eq!(none["latestGdpPerCapita"], json!({"quantity": null, "year": 2024}));
    assert_eq!(
        (&none["exportValue"], &none["diversificationGrade"]),
        (&Value::Null, &whole["diversificationGrade"])
    );
}

#[tokio::test]
async fn a_slow_answer_takes_its_time() {
    let twin = faulty(&["slow=120"]).await;
    let begun = std::time::Instant::now();
    ask(&twin, GDP).await;
    assert!(begun.elapsed() >= std::time::Duration::from_millis(120));
}
