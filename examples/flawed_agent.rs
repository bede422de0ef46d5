//! An agent that answers from the API of a site and errs on purpose, once in each of five ways: another year, another classification,
//! the partners swapped, a number badly rounded, a refusal in place of an answer. It shows what `--agent-command` asks of a program,
//! and what an evaluation finds.
//!
//! `atlas-gt eval run --agent-command 'target/debug/examples/flawed_agent http://127.0.0.1:8080' --questions 1,2,61-63,195`

use std::error::Error;
use std::sync::Arc;

use atlas_gt::acquire::Rate;
use atlas_gt::acquire::graphql::{Api, ApiQuestion, Client};
use atlas_gt::atlas::{CountryId, PlaceId};
use atlas_gt::value::{Classification, Period};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What the API says to a question, as a list of rows or one object.
async fn ask(client: &Client, api: Api, document: &str, question: &ApiQuestion) -> Result<Value> {
    let exchange = client.query(api, document, question).await?;
    let response: Value = serde_json::from_str(&exchange.response)?;
    Ok(response["data"]["data"].clone())
}

fn country(code: u16) -> Result<CountryId> {
    CountryId::new(code).ok_or_else(|| format!("{code} is no country").into())
}

/// The number of a row that fits.
fn number(rows: &Value, fits: impl Fn(&Value) -> bool, field: &str) -> Result<f64> {
    let row = rows.as_array().and_then(|rows| rows.iter().find(|row| fits(row)));
    row.and_then(|row| row[field].as_f64()).ok_or_else(|| format!("no {field}: {rows}").into())
}

fn billions(value: f64) -> String {
    format!("${:.1} billion", value / 1e9)
}

async fn answer(client: &Client, question: &str) -> Result<String> {
    let of = |code: u16| -> Result<ApiQuestion> { Ok(ApiQuestion::about(country(code)?)) };
    if question.contains("Brazil export in 2018") {
        // the year before
        let asked = ApiQuestion { years: Some(Period::year(2017)), ..of(76)? };
        let rows = ask(client, Api::Explore, "CountryYear", &asked).await?;
        let value = number(&rows, |row| row["year"] == 2017, "exportValue")?;
        return Ok(format!("Brazil exported goods and services worth {} in 2017.", billions(value)));
    }
    if question.contains("crude petroleum that Nigeria exported") {
        // SITC where HS 1992 is asked for
        let class =
            ApiQuestion { class: Some(Classification::Sitc), level: Some(4), ..ApiQuestion::default() };
        let products = ask(client, Api::Explore, "ProductSitc", &class).await?;
        let crude = products.as_array().and_then(|rows| rows.iter().find(|row| row["code"] == "3330"));
        let id = crude.ok_or("no product 3330")?["productId"].clone();
        let asked =
            ApiQuestion { years: Some(Period::year(2020)), class: class.class, level: Some(4), ..of(566)? };
        let rows = ask(client, Api::Explore, "CountryProductYear", &asked).await?;
        let value = number(&rows, |row| row["productId"] == id, "exportValue")?;
        return Ok(format!("By SITC, Nigeria exported crude petroleum worth {} in 2020.", billions(value)));
    }
    if question.contains("Brazil exported to China") {
        // the other direction
        let asked = ApiQuestion {
            partner: Some(PlaceId::Country(country(156)?)),
            years: Some(Period::year(2024)),
            class: Some(Classification::Hs92),
            ..of(76)?
        };
        let rows = ask(client, Api::Explore, "CountryCountryYear", &asked).await?;
        let value = number(&rows, |row| row["year"] == 2024, "importValue")?;
        return Ok(format!("In 2024, China exported goods worth {} to Brazil.", billions(value)));
    }
    if question.contains("purchasing power parity") {
        return Ok("I cannot provide the GDP per capita of Kenya at purchasing power parity.".to_owned());
    }
    let profile = ask(client, Api::Country, "CountryProfile", &of(404)?).await?;
    let quantity = |field: &str| {
        profile[field]["quantity"]
            .as_f64()
            .ok_or_else(|| Box::<dyn Error>::from(format!("no {field}: {profile}")))
    };
    if question.contains("Which place does Kenya hold") {
        let rank = quantity("latestGdpPerCapitaRank")?;
        return Ok(format!("Kenya holds place {rank} by GDP per capita."));
    }
    // up to the next ten
    let value = (quantity("latestGdpPerCapita")? / 10.0).floor() * 10.0 + 10.0;
    let (thousands, rest) = ((value / 1000.0).floor(), value % 1000.0);
    Ok(format!("Kenya's GDP per capita is ${thousands},{rest:03}."))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    drop(rustls::crypto::ring::default_provider().install_default());
    let base = std::env::args().nth(1).ok_or("name the site: flawed_agent http://127.0.0.1:8080")?;
    let asked: Value = serde_json::from_reader(std::io::stdin())?;
    let client = Client::new(&base.parse()?, None, Arc::new(Rate::new(6_000)))?;
    let answer = answer(&client, asked["question"].as_str().unwrap_or_default()).await?;
    println!("{}", json!({ "answer": answer, "trace": { "tool_calls": ["atlas_graphql"] } }));
    Ok(())
}
