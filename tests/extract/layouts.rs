//! Labels and values in rows, in one line, and with badges and chips beside them.

use atlas_gt::extract::FailureKind;

use crate::page::Hand;

/// An introduction, before the first section.
fn introduction(html: &str) -> Hand {
    Hand::new(&format!("{html}<section><h2>Export Basket in 2024</h2><p>goods</p></section>"))
}

/// A row of boxes, each as its left edge, its width and its text.
fn row(top: i32, cells: &[(i32, i32, &str)]) -> String {
    let cell = |(left, width, text): &(i32, i32, &str)| {
        format!("<span data-agt-d=b data-agt-box=\"{left},{top},{width},20\">{text}</span>")
    };
    format!("<div data-agt-box=\"0,{top},900,20\">{}</div>", cells.iter().map(cell).collect::<String>())
}

fn rows(rows: &[&str]) -> String {
    format!("<div data-agt-box=\"0,0,900,200\">{}</div>", rows.concat())
}

#[test]
fn labels_in_one_row_have_their_values_in_the_next() {
    let labels = row(
        0,
        &[(0, 120, "GDP per capita"), (300, 90, "ECI ranking"), (600, 200, "Growth projection to 2034")],
    );
    let values = row(30, &[(0, 60, "$2,274"), (300, 100, "87th of 145"), (600, 50, "3.38%")]);
    let more = row(60, &[(0, 90, "$7,159 PPP"), (600, 90, "39th of 145")]);
    let page = introduction(&rows(&[&labels, &values, &more]));
    page.says("gdp_per_capita", "$2,274");
    page.says("gdp_per_capita_ppp", "$7,159");
    page.says("eci_rank", "87th of 145");
    page.says("growth_projection", "3.38%");
    page.says("growth_projection_rank", "39th of 145");
    page.refuses("gdp_per_capita_rank");
}

#[test]
fn a_value_is_never_taken_from_the_next_column() {
    let labels =
        row(0, &[(0, 120, "Total Exports"), (300, 120, "Current Account"), (600, 120, "Exporter Rank")]);
    let values = row(30, &[(0, 90, "USD $16.2B"), (300, 30, "---"), (600, 90, "71st of 145")]);
    let grid =
        format!("{labels}{values}").replace("<div data-agt-box=\"0,0,900,20\">", "").replace("</div>", "");
    for html in [rows(&[&labels, &values]), format!("<div data-agt-box=\"0,0,900,60\">{grid}</div>")] {
        let page = Hand::basket(&html);
        page.says("total_exports", "USD $16.2B");
        page.says("exporter_rank", "71st of 145");
        page.refuses("current_account");
    }
    // a value below two labels is neither's
    let between = row(30, &[(60, 300, "USD $16.2B"), (600, 90, "71st of 145")]);
    let page = Hand::basket(&rows(&[&labels, &between]));
    page.refuses("total_exports");
    page.refuses("current_account");
    page.says("exporter_rank", "71st of 145");
    // and values above and below their labels are nobody's
    let page = Hand::basket(&rows(&[&values.replace(",30,", ",-30,"), &labels, &values]));
    page.refuses("total_exports");
}

#[test]
fn a_table_of_peers_with_our_labels_is_theirs() {
    let labels = row(0, &[(0, 90, "Compared with"), (300, 120, "GDP per capita"), (600, 90, "ECI ranking")]);
    let uganda = row(30, &[(0, 90, "Uganda"), (300, 60, "$1,002"), (600, 90, "129th of 145")]);
    let kenya = row(60, &[(0, 90, "Kenya"), (300, 60, "$2,274"), (600, 90, "87th of 145")]);
    introduction(&rows(&[&labels, &uganda])).refuses("gdp_per_capita");
    introduction(&rows(&[&labels, &uganda])).refuses("eci_rank");
    introduction(&rows(&[&labels, &uganda, &kenya])).says("eci_rank", "87th of 145");
}

#[test]
fn a_row_of_another_year_is_not_this_years() {
    let labels = row(0, &[(0, 60, "Year"), (300, 120, "GDP per capita"), (600, 90, "ECI ranking")]);
    let old = row(30, &[(0, 60, "2014"), (300, 60, "$1,301"), (600, 90, "91st of 145")]);
    introduction(&rows(&[&labels, &old])).refuses("gdp_per_capita");
}

#[test]
fn a_bar_in_one_line_gives_each_label_its_own() {
    let page = introduction(
        "<p>GDP per Capita $2,274 (2024) · Population 56.4M · ECI Ranking 87th of 145 · Growth Projection to 2034: 3.38%</p>",
    );
    page.says("gdp_per_capita", "$2,274");
    page.says("eci_rank", "87th of 145");
    page.says("growth_projection", "3.38%");
    page.refuses("gdp_per_capita_rank");
    page.refuses("gdp_per_capita_ppp");
    let page = introduction("<p>GDP per Capita $2,274 (2024) · Population 56.4M · ECI rank 87th of 145</p>");
    page.says("gdp_per_capita", "$2,274");
    page.refuses("gdp_per_capita_rank");
    let page = introduction("<p>$2,274 GDP per capita | 87th of 145 ECI Ranking</p>");
    page.says("gdp_per_capita", "$2,274");
    page.says("eci_rank", "87th of 145");
    page.refuses("gdp_per_capita_rank");
    let page = Hand::basket("<p>Total Exports USD $16.2B Current Account USD -$57.9B</p>");
    page.says("total_exports", "USD $16.2B");
    page.says("current_account", "USD -$57.9B");
}

#[test]
fn a_bar_whose_order_cannot_be_told_is_refused() {
    let page = Hand::basket("<p>USD $11.1B Total Exports USD $16.2B Current Account USD -$57.9B</p>");
    page.refuses("total_exports");
    page.refuses("current_account");
    Hand::basket("<p>Total Exports USD $16.2B Current Account</p>").refuses("current_account");
}

#[test]
fn values_in_front_of_labels_in_one_block_stay_with_them() {
    let page = Hand::basket(
        "<div><p>USD $16.2B</p><p>Total Exports</p><p>USD -$57.9B</p><p>Current Account</p></div>",
    );
    page.says("total_exports", "USD $16.2B");
    page.says("current_account", "USD -$57.9B");
}

#[test]
fn the_line_of_another_label_is_no_line_of_this_card() {
    let page = introduction("<div><p>GDP per capita</p><p>$2,274</p><p>ECI Ranking: 87th of 145</p></div>");
    page.says("gdp_per_capita", "$2,274");
    page.says("eci_rank", "87th of 145");
    page.refuses("gdp_per_capita_rank");
}

#[test]
fn a_badge_at_a_label_is_not_its_value() {
    let section = |label: &str| {
        Hand::new(&format!(
            "<section><h2>Export Basket in 2024</h2></section><section><h2>Diversification into New Products</h2>\
             <div><p>{label}</p><p>5th of 145</p></div></section>"
        ))
    };
    for label in [
        "Diversity Rank ①",
        "Diversity Rank<sup>3</sup>",
        "Diversity Rank<span data-agt-chip=note><i data-agt-gap=\"\"></i>3</span>",
        "Diversity Rank 3",
    ] {
        section(label).says("diversity_rank", "5th of 145");
    }
}

const HEAD: &str = "<table><tr><th>Country<th>New Products<th>USD Per Capita<th>USD (Total Value)";

fn peers(rows: &str) -> Hand {
    Hand::new(&format!(
        "<section><h2>Export Basket in 2024</h2></section><section><h2>Diversification into New Products</h2>\
         <h3>New Export Products, 2009 - 2024</h3>{HEAD}{rows}</table></section>"
    ))
}

#[test]
fn a_chip_that_says_nothing_of_a_figure_is_left_out_and_any_other_refused() {
    let page = |chip: &str| {
        peers(&format!("<tr><td>Kenya<td>24 <span data-agt-chip=chip>{chip}</span><td>$5<td>$260M"))
    };
    page("New").says("new_products_count", "24");
    page("HS92").says("new_products_count", "24");
    let block = "<tr><td><b data-agt-d=b data-agt-chip=chip>New</b>Kenya\
                 <td>24<b data-agt-d=b data-agt-chip=chip>New</b><td>$5<td>$260M";
    peers(block).says("new_products_count", "24");
    peers(block).says("new_products_value", "$260M");
    for other in ["3", "k", "million", "2019", "down"] {
        assert_eq!(page(other).refuses("new_products_peers"), FailureKind::WrongForm, "{other}");
    }
}
