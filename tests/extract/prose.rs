//! Sentences in other wordings and markup.

use crate::page::Hand;

fn introduction(text: &str) -> Hand {
    Hand::new(&format!("<p>{text}</p><section><h2>Export Basket in 2024</h2></section>"))
}

#[test]
fn phrases_are_found_across_emphasis_links_and_odd_spaces() {
    let page = introduction(
        "Kenya is a <b>lower\u{2011}middle\u{2011}income</b> country, home to a population of <a>52.4\u{a0}million</a>. Growth \
         averaged <strong>2.6</strong><strong>\u{202f}%</strong> over the past five&nbsp;years, <em>above</em> regional averages.",
    );
    page.says("population", "52.4 million");
    page.says("gdp_per_capita_growth_5y", "2.6%");
    page.says("gdp_growth_vs_region", "above");
    page.says("income_classification", "lower-middle-income");
}

#[test]
fn verbs_carry_the_sign() {
    for (verb, value) in [("grown", "2.3%"), ("declined", "-2.3%")] {
        Hand::basket(&format!(
            "<p>Exports have {verb} by an annual average of 2.3% over the past five years.</p>"
        ))
        .says("export_growth_5y", value);
    }
    Hand::basket("<p>Exports have moved by an annual average of 2.3% over the past five years.</p>")
        .refuses("export_growth_5y");
}

#[test]
fn another_countrys_sentence_is_not_ours() {
    let page = introduction(
        "Kenya is a lower-middle-income country. Uganda, with a population of 50.0 million, is a neighbour.",
    );
    match page.read("population") {
        Err(_) => {}
        Ok(found) => panic!("read {:?}", found[0].value),
    }
}

#[test]
fn a_cue_that_is_not_finished_is_no_value() {
    for text in [
        "Growth averaged % over the past five years, regional averages.",
        "Growth averaged … over the past five years",
        "Growth averaged 2,6 % over the past five years, above regional averages",
        "Growth averaged 2.6 over the past five years, above regional averages",
    ] {
        introduction(text).refuses("gdp_per_capita_growth_5y");
    }
}
