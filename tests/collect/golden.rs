//! Stored values against what is known of the real pages: readings of February and March 2026, typed in by hand.
//! The truth that was known and the text that was seen on the page are told apart; both must hold.

use std::collections::BTreeMap;

use atlas_gt::scoring::Verdict;
use atlas_gt::scoring::compare::compare_texts;
use atlas_gt::truth::{Agreement, Provenance, Record, Row, Store};
use atlas_gt::value::Absence;
use atlas_gt_twin::Skin;

use crate::bench::{Plan, SKINS, questions, record, records, replica, run, shared};
use crate::whole::whole;

/// Question, data point, the known truth, and the text as the page shows it (empty: not recorded).
const KNOWN: &[(&str, &str, &str, &str)] = &[
    // Kenya
    ("61", "gdp_per_capita", "$2,274", "$2,274"),
    ("62", "gdp_per_capita_ppp", "$7,159", "$7,159"),
    ("63", "gdp_per_capita_rank", "116th of 145", "116th of 145"),
    ("64", "income_classification", "LowerMiddle", "lower-middle-income"),
    ("65", "population", "52,444,000", "52.4 million"),
    ("66", "growth_projection", "3.4%", "3.38%"),
    ("67", "growth_projection_rank", "39th of 145", "39th of 145"),
    ("107", "diversification_grade", "B", "B"),
    ("108", "diversity_rank", "38th of 145", "38th of 145"),
    ("109", "new_products_count", "24", "24"),
    ("110", "new_products_per_capita", "$5", "$5"),
    ("111", "new_products_value", "$260.47 million", "$260M"),
    ("112", "new_export_proportion", "1.6%", "2%"),
    ("121", "rca_products", "169", "169"),
    ("122", "coi_rank", "8th of 145", "8th of 145"),
    ("123", "strategic_approach", "LightTouch", "Light Touch Approach"),
    ("127", "growth_opportunities_strategy", "Light Touch Approach", "Light Touch Approach"),
    ("139", "gdp_per_capita_growth_5y", "2.6%", "2.6%"),
    ("140", "gdp_growth_vs_region", "above", "above"),
    ("141", "complexity_vs_income", "slightly more complex than expected", ""),
    ("142", "growth_projection_speed", "moderately", "moderately"),
    ("142", "growth_projection_percentile", "top half", "top half"),
    ("166", "strategic_approach", "Light Touch Approach", ""),
    ("168", "high_potential_sectors", "Paper and paperboard and Articles of iron or steel", ""),
    // Spain
    ("68", "gdp_per_capita", "$35,151", "$35,151"),
    ("69", "gdp_per_capita_ppp", "$54,674", "$54,674"),
    ("70", "gdp_per_capita_rank", "25th of 145", "25th of 145"),
    ("71", "income_classification", "High", "high-income"),
    ("72", "population", "49,078,000", "49.1 million"),
    ("73", "growth_projection", "1.3%", "1.31%"),
    ("74", "growth_projection_rank", "119th of 145", "119th of 145"),
    ("97", "chart_eci", "0.77", "0.77"),
    ("98", "product_export", "$106.66 billion", "$107B"),
    ("143", "gdp_per_capita_growth_5y", "0.9%", "0.9%"),
    ("144", "gdp_growth_vs_region", "above", "above"),
    ("145", "complexity_vs_income", "as complex as expected", ""),
    ("146", "growth_projection_speed", "slowly", "slowly"),
    ("146", "growth_projection_percentile", "bottom half", "bottom half"),
    ("155", "export_growth_pattern", "troubling", "troubling"),
    ("156", "market_share_growth_sector", "Services", "Services"),
    ("162", "market_share_growth_sector", "Services", "Services"),
    ("162", "structural_transformation", "completed", "completed"),
    // Brazil
    ("75", "total_exports", "$377.65 billion", "USD $378B"),
    ("76", "exporter_rank", "22nd of 145", "22nd of 145"),
    ("77", "current_account", "$-57.89 billion", "USD -$57.9B"),
    ("78", "total_imports", "$367.68 billion", "$368 billion"),
    ("79", "trade_balance", "trade surplus", "trade surplus"),
    ("101", "eci_rank", "56th of 145", "56th of 145"),
    ("102", "eci_rank_complexity", "56th of 145", "56th of 145"),
    ("136", "summary_new_products", "5", "5"),
    ("137", "summary_growth_projection", "1.7%", "1.7%"),
    ("138", "summary_strategic_approach", "LightTouch", "Light Touch Approach"),
    ("147", "eci_rank_change_decade", "worsened 13 positions", ""),
    ("151", "export_growth_5y", "3.8%", "3.8%"),
    ("152", "non_oil_export_growth_5y", "3.2%", "3.2%"),
    // Germany: the text prints no sign, the verb carries it
    ("80", "total_exports", "$1.97 trillion", "USD $1.97T"),
    ("81", "exporter_rank", "3rd of 145", "3rd of 145"),
    ("82", "current_account", "$263.79 billion", "USD $264B"),
    ("83", "total_imports", "$1.79 trillion", "$1.79 trillion"),
    ("84", "trade_balance", "trade surplus", "trade surplus"),
    ("153", "export_growth_5y", "-2.3%", "-2.3%"),
    ("154", "non_oil_export_growth_5y", "-2.4%", "-2.4%"),
    // India
    ("85", "top_product_share", "$209.15 billion", "$209B"),
    ("99", "chart_eci", "0.63", "0.63"),
    ("128", "growth_opportunities_strategy", "LightTouch", "Light Touch Approach"),
    ("157", "export_growth_pattern", "static", "static"),
    ("158", "market_share_growth_sector", "Services", "Services"),
    ("163", "market_share_growth_sector", "Services", "Services"),
    ("163", "structural_transformation", "not yet started", "not yet started"),
    // United States of America
    ("89", "top_product_share", "$403.30 billion", "$403B"),
    // Turkiye
    ("94", "market_share_sector", "Services", "Services"),
    ("104", "eci_rank", "42nd of 145", "42nd of 145"),
    ("105", "eci_rank_complexity", "42nd of 145", "42nd of 145"),
    ("124", "rca_products", "339", "339"),
    ("125", "coi_rank", "3rd of 145", "3rd of 145"),
    ("126", "strategic_approach", "Light Touch Approach", ""),
    ("133", "summary_new_products", "30", "30"),
    ("134", "summary_growth_projection", "3.4%", "3.4%"),
    ("135", "summary_strategic_approach", "LightTouch", "Light Touch Approach"),
    ("149", "eci_rank_change_decade", "improved 3 positions", ""),
    ("159", "structural_transformation", "started", "started"),
    ("160", "export_growth_mechanism", "expanding global market share", ""),
    ("160", "market_share_growth_sector", "Services", "Services"),
    // Ethiopia
    ("96", "market_share_sector", "Agriculture", ""),
    ("114", "diversification_grade", "B", "B"),
    ("115", "diversity_rank", "100th of 145", "100th of 145"),
    ("116", "new_products_count", "21", "21"),
    ("117", "new_products_per_capita", "$2", "$2"),
    ("118", "new_products_value", "$181.47 million", "$181M"),
    ("119", "new_export_proportion", "6.8%", "7%"),
    ("161", "structural_transformation", "not yet started", "not yet started"),
];

/// Rows of lists and tables: question, what the row is about, the known truth, the text as shown.
const LISTED: &[(&str, &str, &str, &str)] = &[
    ("86", "ict", "$209.15 billion", "$209B"),
    ("86", "unspecified", "$85.65 billion", "$85.7B"),
    ("86", "2710", "$59.30 billion", "$59.3B"),
    ("90", "ict", "$403.30 billion", "$403B"),
    ("90", "financial", "$222.68 billion", "$223B"),
    ("90", "travel", "$213.78 billion", "$214B"),
    ("93", "Germany", "8.0%", "7.99%"),
    ("93", "United Kingdom", "5.9%", "5.90%"),
    ("93", "United States of America", "5.7%", "5.66%"),
    ("95", "United States of America", "14.6%", "14.60%"),
    ("95", "China", "12.2%", "12.23%"),
    ("95", "Saudi Arabia", "11.8%", "11.78%"),
    ("113", "Kenya.new_products", "24", "24"),
    ("113", "Kenya.usd_per_capita", "$5", "$5"),
    ("113", "Kenya.usd_total", "$260.47 million", "$260M"),
    ("113", "Uganda.new_products", "28", "28"),
    ("113", "Uganda.usd_per_capita", "$5", "$5"),
    ("113", "Uganda.usd_total", "$210.90 million", "$211M"),
    ("113", "Tanzania.new_products", "17", "17"),
    ("113", "Tanzania.usd_per_capita", "$7", "$7"),
    ("113", "Tanzania.usd_total", "$468.11 million", "$468M"),
    ("113", "Ethiopia.new_products", "21", "21"),
    ("113", "Ethiopia.usd_per_capita", "$2", "$2"),
    ("113", "Ethiopia.usd_total", "$181.47 million", "$181M"),
    ("120", "Sudan.new_products", "7", "7"),
    ("120", "Sudan.usd_per_capita", "$4", "$4"),
    ("120", "Sudan.usd_total", "$183.89 million", "$184M"),
];

async fn healthy() -> BTreeMap<String, Record> {
    records(&whole(Skin::Hashed).await.store).into_iter().map(|(id, text)| (id, record(&text))).collect()
}

/// A row says what is known, by the comparator and to the letter.
fn assert_says(row: &Row, known: &str, shown: &str, about: &str) {
    let value = row.value.as_deref().unwrap_or_default();
    if !shown.is_empty() {
        assert_eq!(value, shown, "{about}");
    }
    // a change of rank is stored as a signed number, and known in words
    let said = match row.unit {
        Some(atlas_gt::value::Unit::Positions) => {
            let number = row.number.unwrap();
            let word = if number.is_sign_negative() { "worsened" } else { "improved" };
            format!("{word} {} positions", number.abs())
        }
        _ => value.to_owned(),
    };
    let comparison = compare_texts(known, &said);
    assert_eq!(comparison.verdict, Verdict::Match, "{about}: {known} against {said}: {}", comparison.reason);
}

#[test]
fn values_are_those_that_are_known_of_the_real_pages() {
    run(async {
        let records = healthy().await;
        for (id, point, known, shown) in KNOWN {
            let about = format!("question {id}, {point}");
            let rows = &records[*id].results.data;
            let row = rows.iter().find(|row| row.data_point == *point).unwrap_or_else(|| panic!("{about}"));
            assert_says(row, known, shown, &about);
        }
    });
}

#[test]
fn lists_and_tables_hold_every_known_row() {
    run(async {
        let records = healthy().await;
        for (id, subject, known, shown) in LISTED {
            let about = format!("question {id}, {subject}");
            let rows = &records[*id].results.data;
            let row = rows.iter().find(|row| row.subject().as_deref() == Some(subject));
            assert_says(row.unwrap_or_else(|| panic!("{about}: {rows:?}")), known, shown, &about);
        }
        // and no further partners or products
        for id in ["86", "90", "93", "95"] {
            assert_eq!(records[id].results.data.len(), 3, "question {id}");
        }
        let ranks: Vec<_> = records["93"].results.data.iter().map(|row| row.extra["rank"].clone()).collect();
        assert_eq!(ranks, ["1", "2", "3"]);
        assert_eq!(records["86"].results.data[0].extra["share"], "26.43%");
    });
}

#[test]
fn what_has_no_value_says_why() {
    run(async {
        let records = healthy().await;
        for (id, kind) in [
            ("103", Absence::NotShownHere),
            ("106", Absence::NotShownHere),
            ("129", Absence::NotAvailableForCountry),
            ("130", Absence::NotAvailableForCountry),
            ("131", Absence::NotAvailableForCountry),
            ("132", Absence::NotAvailableForCountry),
        ] {
            for row in &records[id].results.data {
                assert_eq!((row.absence, &row.value, row.number), (Some(kind), &None, None), "question {id}");
            }
            assert!(!records[id].results.data.is_empty());
        }
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_country_without_a_page_is_an_absence_of_its_kind() {
    run(async {
        let browsers = shared();
        for skin in SKINS {
            let twin = replica(skin, &[]).await;
            let entries = questions(&[
                ("gdp", "438", &["gdp_per_capita"], None),
                ("exports", "438/export-basket", &["total_exports", "exporter_rank"], None),
            ]);
            let run = Plan::new(&twin.base_url, entries).run(browsers.pool().await).await;
            assert_eq!((run.report.exit_code, run.report.totals.absent), (0, 2), "{:#?}", run.report);
            for text in run.records().values() {
                let rows = record(text).results.data;
                assert!(rows.iter().all(|row| row.absence == Some(Absence::PageNotFound)), "{text}");
            }
        }
    });
}

#[test]
fn what_the_page_displays_differs_honestly_from_the_response_and_says_so() {
    run(async {
        let store = Store::read(&whole(Skin::Hashed).await.store).unwrap();
        let provenance = |id: &str| -> Provenance {
            store.load(&id.parse().unwrap()).unwrap().unwrap().provenance.unwrap()
        };
        // products with RCA > 1: the page leaves some out
        for (id, precise) in [("121", "226"), ("124", "443")] {
            let point = &provenance(id).points[0];
            assert_eq!(point.agreement, Some(Agreement::PageDisagrees), "question {id}");
            assert_eq!(point.precise.as_ref().unwrap().number.to_string(), precise);
            assert!(point.agreement_reason.as_ref().unwrap().contains("leaves out"), "{point:?}");
        }
        // the chart's ECI is of another classification than the profile's
        let point = &provenance("97").points[0];
        // drawn on a canvas: the page's own response, which decision 9 calls unverified until something visible agrees
        assert!(matches!(point.agreement, Some(Agreement::Agrees | Agreement::Unverified)), "{point:?}");
        assert!(point.precise.as_ref().unwrap().from.contains("SITC"), "{point:?}");
        // everything else that could be compared agrees
        for id in store.question_ids().unwrap() {
            for point in provenance(id.as_str()).points {
                let honest = point.data_point == "rca_products";
                assert_eq!(
                    point.agreement == Some(Agreement::PageDisagrees),
                    honest,
                    "question {id}: {} {:?}",
                    point.data_point,
                    point.agreement_reason
                );
            }
        }
    });
}
