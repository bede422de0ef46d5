//! Cards, bars and boxes in other renderings.

use atlas_gt::extract::FailureKind;
use atlas_gt::truth::Agreement;

use crate::page::Hand;

const GDP: [(&str, &str); 3] =
    [("gdp_per_capita", "$2,274"), ("gdp_per_capita_ppp", "$7,159"), ("gdp_per_capita_rank", "116th of 145")];

fn introduction(html: &str) -> Hand {
    Hand::new(&format!("{html}<section><h2>Export Basket in 2024</h2><p>goods</p></section>"))
}

#[track_caller]
fn all_of_gdp(html: &str) {
    let page = introduction(html);
    for (point, value) in GDP {
        page.says(point, value);
    }
}

#[test]
fn the_value_stands_before_its_label() {
    all_of_gdp(
        "<div><div><div data-agt-font=40>$2,274</div><div data-agt-font=14>GDP per capita (2024)</div>\
         <div data-agt-font=12>$7,159 PPP</div><div data-agt-font=12>116th of 145</div></div>\
         <div><div data-agt-font=40>87th of 145</div><div data-agt-font=14>ECI Ranking</div></div></div>",
    );
}

#[test]
fn ppp_and_rank_lines_stand_in_other_orders() {
    all_of_gdp(
        "<div><p>GDP per capita</p><p>116th of 145</p><p data-agt-font=12>PPP: $7,159</p><p data-agt-font=30>$2,274</p></div>",
    );
    all_of_gdp(
        "<div><p>116th of 145 countries</p><p>GDP PER CAPITA</p><p data-agt-font=30>$2,274</p><div>Purchasing power (PPP)<br>$7,159</div></div>",
    );
    all_of_gdp(
        "<div><p>GDP per capita, 2024</p><p data-agt-font=30>$2,274</p><div><span>PPP</span> <b>$7,159</b> · <span>116th of 145</span></div></div>",
    );
}

#[test]
fn a_definition_list_holds_them_all() {
    let page = introduction(
        "<dl><dt>GDP per capita</dt><dd>$2,274</dd><dd>$7,159 (PPP)</dd><dd>116th of 145</dd>\
         <dt>ECI Ranking</dt><dd>87th of 145</dd><dt>Growth Projection to 2034</dt><dd>3.38%</dd><dd>39th of 145</dd></dl>",
    );
    for (point, value) in GDP {
        page.says(point, value);
    }
    page.says("eci_rank", "87th of 145");
    page.says("growth_projection", "3.38%");
    page.says("growth_projection_rank", "39th of 145");
}

#[test]
fn label_and_value_are_split_over_spans_with_odd_spaces_and_minus() {
    let page = Hand::basket(
        "<div><div><span>Current</span> <span>Account</span><sup>i</sup></div>\
         <div><span>USD\u{a0}</span><span>\u{2212}</span><span>$</span><span>57</span><span>.</span><span>9</span><span>B</span></div></div>\
         <div><div>Total\u{a0}Exports</div><div>USD\u{202f}$16.2\u{2009}B</div></div>",
    );
    page.says("total_exports", "USD $16.2B");
    page.says("current_account", "USD -$57.9B");
    let page = introduction("<div><div>Growth\u{a0}Projection to 2034</div><div>3.38\u{202f}%</div></div>");
    page.says("growth_projection", "3.38%");
}

#[test]
fn a_minus_that_is_lost_is_not_made_up() {
    // a sign that stands alone in a box of its own belongs to the value
    let page = Hand::basket(
        "<div><div>Current Account</div><div><div>USD</div><div>\u{2212}</div><div>$57.9B</div></div></div>",
    );
    match page.read("current_account") {
        Ok(found) => assert_eq!(found[0].value, "USD -$57.9B"),
        Err(kind) => assert!(matches!(kind, FailureKind::WrongForm | FailureKind::Ambiguous(_)), "{kind}"),
    }
}

#[test]
fn the_ends_of_a_sparkline_are_no_headline() {
    let page = introduction(
        "<div><p>GDP per capita</p><p data-agt-font=30>$2,274</p><p data-agt-font=12>$7,159 PPP</p><p data-agt-font=12>116th of 145</p>\
         <svg><text>$1,155</text><text>2012</text><text>$2,274</text><text>2024</text></svg></div>",
    );
    for (point, value) in GDP {
        page.says(point, value);
    }
    // the same as text of the document, small and with years beside them
    let page = introduction(
        "<div><p>GDP per capita</p><p data-agt-font=30>$2,274</p><p data-agt-font=12>$7,159 PPP</p><p data-agt-font=12>116th of 145</p>\
         <div><span data-agt-font=10>2012</span> <span data-agt-font=10>$1,155</span></div>\
         <div><span data-agt-font=10>2019</span> <span data-agt-font=10>$1,999</span></div></div>",
    );
    for (point, value) in GDP {
        page.says(point, value);
    }
}

#[test]
fn a_comparison_box_beside_ours_is_of_another_country() {
    let page = introduction(
        "<div><div>GDP per capita</div><div data-agt-font=30>$2,274</div><div>$7,159 PPP</div><div>116th of 145</div>\
         <div><div>Uganda</div><div>$1,002</div><div>129th of 145</div></div></div>",
    );
    page.says("gdp_per_capita", "$2,274");
    page.says("gdp_per_capita_rank", "116th of 145");
    // theirs alone is nothing of ours
    let page = introduction(
        "<div><div>GDP per capita</div><div><div>Uganda</div><div data-agt-font=30>$1,002</div><div>129th of 145</div></div></div>",
    );
    page.refuses("gdp_per_capita");
    page.refuses("gdp_per_capita_rank");
}

#[test]
fn peers_with_the_same_label_are_of_their_own_country() {
    let peers = "<div><div><b data-agt-d=b>Uganda</b><p><span>GDP per capita</span> <span>$1,002</span></p></div>\
        <div><b data-agt-d=b>Tanzania</b><div><div>GDP per capita</div><div>$1,220</div></div></div></div>";
    let ours = "<div><div>GDP per capita</div><div data-agt-font=30>$2,274</div></div>";
    introduction(&format!("<div>{ours}{peers}</div>")).says("gdp_per_capita", "$2,274");
    introduction(&format!("<div>{peers}{ours}</div>")).says("gdp_per_capita", "$2,274");
    introduction(peers).refuses("gdp_per_capita");
    introduction("<div><div><b data-agt-d=b>Uganda</b><div><div>GDP per capita</div><div>$1,002</div></div></div></div>")
        .refuses("gdp_per_capita");
}

#[test]
fn two_figures_that_nothing_tells_apart_are_refused() {
    let page = introduction(
        "<div><div>GDP per capita</div><div data-agt-font=30>$2,274</div><div data-agt-font=30>$2,301</div></div>",
    );
    assert!(matches!(page.refuses("gdp_per_capita"), FailureKind::Ambiguous(values) if values.len() == 2));
    // a response that agrees with neither does not choose either
    let answer = r#"{"latestGdpPerCapita":{"quantity":1999,"year":2024}}"#;
    let page = page.answered("countryProfile", "location", answer);
    assert!(matches!(page.refuses("gdp_per_capita"), FailureKind::Ambiguous(_)));
}

#[test]
fn a_bar_outside_the_scroller_belongs_to_its_stop() {
    let bar = |total: &str, rank: &str| {
        format!(
            "<header><div><span data-agt-d=b>Total Exports</span><span data-agt-d=b>{total}</span></div>\
             <div><span data-agt-d=b>Exporter Rank</span><span data-agt-d=b>{rank}</span></div></header>"
        )
    };
    let page = Hand::basket("<p>goods</p>").bar("Export Basket in 2024", &bar("USD $16.2B", "89th of 145"));
    page.says("total_exports", "USD $16.2B");
    page.says("exporter_rank", "89th of 145");
    // seen at another stop it says nothing about this section
    let page = Hand::basket("<p>goods</p>").bar("Kenya in Summary", &bar("USD $16.2B", "89th of 145"));
    page.refuses("total_exports");
}

#[test]
fn placeholders_and_half_loaded_values_are_refused() {
    for shown in ["---", "…", "$", "Loading…", "n/a", "2,274", "$2,27", "$2.274,00", "$2 274,5", "(2024)"]
    {
        introduction(&format!("<div><div>GDP per capita</div><div data-agt-font=30>{shown}</div></div>"))
            .refuses("gdp_per_capita");
    }
    for shown in ["116", "116th", "116 of 145", "of 145", "116th of", "116th of 1", "116th of 14"] {
        introduction(&format!("<div><div>ECI Ranking</div><div data-agt-font=30>{shown}</div></div>"))
            .refuses("eci_rank");
    }
}

#[test]
fn a_figure_of_another_convention_lends_its_word_to_no_other() {
    introduction(
        "<div><div>GDP per capita</div><div data-agt-font=30>2.274 $</div><div data-agt-font=12>PPP 7.159 $</div>\
         <div data-agt-font=12>$1,307</div></div>",
    )
    .refuses("gdp_per_capita_ppp");
}

#[test]
fn the_signs_of_rank_changes_come_from_what_is_drawn() {
    let complexity = |mark: &str| {
        Hand::new(&format!(
            "<section><h2>Export Basket in 2024</h2></section><section><h2>Export Complexity in 2024</h2>\
             <div><div>ECI Ranking</div><div>87th of 145</div></div>\
             <div><div>Rank Change</div><div>{mark} over 10 years</div></div></section>"
        ))
    };
    let path = |d: &str| {
        format!(
            "<svg data-agt-mark='{{\"w\":12,\"h\":12}}'><path data-agt-mark='{{\"w\":9,\"h\":8,\"tf\":\"none\"}}' d=\"{d}\"/></svg>3 positions"
        )
    };
    let borders = |top: &str, bottom: &str| {
        let clear = "5px solid rgba(0, 0, 0, 0)";
        format!("{{\"w\":10,\"h\":8,\"bd\":\"{top} / {clear} / {bottom} / {clear}\"}}")
    };
    let ink = "8px solid rgb(200, 90, 20)";
    let (up, down) = (borders("0", ink), borders(ink, "0"));
    for (mark, value) in [
        ("↑3 positions".to_owned(), "↑3"),
        ("▼ 3 positions".to_owned(), "↓3"),
        (path("M7 14l5-5 5 5z"), "↑3"),
        (path("M7 10l5 5 5-5z"), "↓3"),
        (format!("<i data-agt-mark='{up}'></i>3 positions"), "↑3"),
        (format!("<i data-agt-mark='{down}'></i>3 positions"), "↓3"),
        (format!("<span data-agt-mark-before='{up}'>3 positions</span>"), "↑3"),
        (format!("<span data-agt-mark-before='{down}'>3 positions</span>"), "↓3"),
        ("<span data-agt-before='↓'>3 positions</span>".to_owned(), "↓3"),
    ] {
        let page = complexity(&mark);
        let found = page.read("eci_rank_change_10y").unwrap_or_else(|kind| panic!("{mark}: {kind}"));
        let number = match &found[0].reading {
            atlas_gt::extract::Reading::Quantity(quantity) => quantity.number.to_string(),
            other => panic!("{mark}: {other:?}"),
        };
        assert_eq!(number, value.replace('↑', "").replace('↓', "-"), "{mark}");
    }
    // without anything that carries the sign there is no value
    complexity("3 positions").refuses("eci_rank_change_10y");
    complexity(&path("M0 0h10v10h-10z")).refuses("eci_rank_change_10y");
}

const PROFILE: &str = r#"{ countryProfile(location: "location-404") { exportValueRank } }"#;

#[test]
fn a_rank_is_one_of_as_many_as_the_response_says() {
    let page = |shown: &str| {
        Hand::basket(&format!("<div><p>Exporter Rank</p><p>{shown}</p></div>"))
            .asked(PROFILE, r#"{"countryProfile":{"exportValueRank":71}}"#)
            .asked(
                "{ globalDatum { latestExporterRankTotal } }",
                r#"{"globalDatum":{"latestExporterRankTotal":145}}"#,
            )
            .read("exporter_rank")
            .unwrap()
            .remove(0)
    };
    assert_eq!(page("71st of 145").agreement, Agreement::Agrees);
    assert_eq!(page("71st of 145<sup>1</sup>").agreement, Agreement::Agrees);
    let wrong = page("71st of 1451");
    assert_eq!(wrong.agreement, Agreement::PageDisagrees);
    assert_eq!(wrong.reason, "the page shows 71st of 1451, its response says 71 of 145");
}

#[test]
fn a_figure_with_a_number_beside_it_is_not_one_number() {
    let page = |rank: &str| Hand::basket(&format!("<div><p>Exporter Rank</p><p>{rank}</p></div>"));
    let refused = |rank: &str| page(rank).read("exporter_rank").is_err();
    let gap = "<i data-agt-gap=\"\"></i>";
    assert!(refused(&format!("38th of 145<span>{gap}3</span>")));
    match page(&format!("38th of 145<span>{gap}2024</span>")).read("exporter_rank") {
        Ok(found) => assert_eq!(found[0].value, "38th of 145"),
        Err(kind) => panic!("{kind}"),
    }
}

#[test]
fn a_value_that_the_response_contradicts_is_not_believed_beside_one_that_it_does_not() {
    let page = Hand::basket(
        "<div><div><div><p>Exporter Rank</p><p>15th of 145</p></div><p>71st of 145</p></div></div>",
    )
    .asked(PROFILE, r#"{"countryProfile":{"exportValueRank":71}}"#);
    assert!(matches!(page.refuses("exporter_rank"), FailureKind::Ambiguous(_)));
}

#[test]
fn a_label_with_something_else_is_not_answered_by_a_bar_that_the_response_contradicts() {
    let page = |told: &str| {
        Hand::basket("<div><p>Exporter Rank</p><p>71 145</p></div>")
            .bar("Export Basket in 2024", "<div><div>Exporter Rank</div><div>5th of 145</div></div>")
            .asked(PROFILE, &format!("{{\"countryProfile\":{{\"exportValueRank\":{told}}}}}"))
    };
    page("71").refuses("exporter_rank");
    page("5").says("exporter_rank", "5th of 145");
}

#[test]
fn a_page_whose_year_is_not_read_gives_nothing() {
    let page = |heading: &str| {
        Hand::new(&format!(
            "<section><h2>{heading}</h2><div><p>Total Exports</p><p>USD $16.2B</p></div></section>"
        ))
    };
    page("Export Basket<span data-agt-d=b>in 2024</span>").says("total_exports", "USD $16.2B");
    let refused = page("Export Basket").refuses("total_exports");
    assert!(matches!(&refused, FailureKind::OtherContext(parts) if parts.len() == 1), "{refused}");
}

/// The summary's first card, with what the response says of new products.
fn summary(card: &str, count: u32) -> Hand {
    Hand::new(&format!(
        "<section><h2>Export Basket in 2024</h2></section><section><h2>Kenya in Summary</h2><div>{card}</div>\
         <div><h3>Future Dynamics</h3><p>3.4%</p><p>expected per year over the next 10 years</p></div></section>"
    ))
    .asked(
        r#"{ newProductsCountry(location: "location-404") { newProductCount } }"#,
        &format!(r#"{{"newProductsCountry":{{"newProductCount":{count}}}}}"#),
    )
}

#[test]
fn the_count_of_new_products_is_read_however_its_card_is_put_together() {
    let title = "<h3>Economic Structure</h3>";
    let rank = "<div><p>↑3</p><p>positions in the ECI ranking over the past decade</p></div>";
    for (count, entry) in [
        (24, "<div><p>24</p><p>new products</p></div>"),
        (24, "<p>24</p><p>new products</p><p>over the last 15 years</p>"),
        (24, "<div><p>24</p><p>new products</p><p>over the last 15 years</p></div>"),
        (24, "<div><div><p>24</p></div><div><p>new products</p><p>over the last 15 years</p></div></div>"),
        (24, "<p>24 new products</p><p>over the last 15 years</p>"),
        (169, "<div><div><p>1</p><p>69</p></div><p>new products</p></div>"),
        (169, "<div><p>1</p><p>69</p><p>new products</p><p>over the last 15 years</p></div>"),
        (169, "<div><div><p>1</p></div><div><p>69</p></div><div><p>new products</p></div></div>"),
        (1069, "<div><p>1,</p><p>069</p><p>new products added</p></div>"),
    ] {
        let value = if count > 999 { "1,069".to_owned() } else { count.to_string() };
        for card in [
            format!("{title}{rank}{entry}"),
            format!("{title}{entry}{rank}"),
            format!("{rank}{entry}{title}"),
        ] {
            match summary(&card, count).read("summary_new_products") {
                Ok(found) => assert_eq!(found[0].value.replace(',', ""), value.replace(',', ""), "{card}"),
                Err(kind) => panic!("{card}: {kind}"),
            }
            // pieces that no response puts together may be two figures
            if count == 169 {
                summary(&card, 24).refuses("summary_new_products");
            }
        }
    }
}
