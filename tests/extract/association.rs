//! The same cards in many layouts, with values missing and with other figures beside them: the right value or none.

use std::fmt::Write;

use crate::page::Hand;

/// Cards of the export basket, each as its point, its label and its value.
const CARDS: [[&str; 3]; 3] = [
    ["total_exports", "Total Exports", "USD $16.2B"],
    ["current_account", "Current Account", "USD -$57.9B"],
    ["exporter_rank", "Exporter Rank", "71st of 145"],
];

/// A layout: from labels and values to markup.
type Layout = fn(&[(&str, &str)]) -> String;

fn each(cards: &[(&str, &str)], card: impl Fn(&str, &str) -> String) -> String {
    cards.iter().map(|(label, value)| card(label, value)).collect()
}

fn block(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p data-agt-font=30>{text}</p>") }
}

/// A row of boxes; a missing text leaves its box out.
fn row<'a>(top: usize, texts: impl Iterator<Item = &'a str>) -> String {
    let mut html = format!("<div data-agt-box=\"0,{top},900,20\">");
    for (at, text) in texts.enumerate().filter(|(_, text)| !text.is_empty()) {
        let left = at * 300;
        write!(html, "<span data-agt-d=b data-agt-box=\"{left},{top},120,20\">{text}</span>").unwrap();
    }
    html + "</div>"
}

fn labels<'a>(cards: &'a [(&str, &str)]) -> impl Iterator<Item = &'a str> {
    cards.iter().map(|(label, _)| *label)
}

fn values<'a>(cards: &'a [(&str, &str)]) -> impl Iterator<Item = &'a str> {
    cards.iter().map(|(_, value)| *value)
}

fn joined(parts: Vec<String>, separator: &str) -> String {
    format!("<p>{}</p>", parts.join(separator))
}

/// The layouts by name.
const LAYOUTS: [(&str, Layout); 15] = [
    ("value below", |cards| each(cards, |label, value| format!("<div><p>{label}</p>{}</div>", block(value)))),
    ("value above", |cards| each(cards, |label, value| format!("<div>{}<p>{label}</p></div>", block(value)))),
    ("labels lead in one block", |cards| {
        each(cards, |label, value| format!("<p>{label}</p>{}", block(value)))
    }),
    ("values lead in one block", |cards| {
        each(cards, |label, value| format!("{}<p>{label}</p>", block(value)))
    }),
    ("a line each", |cards| each(cards, |label, value| format!("<p>{label}: {value}</p>"))),
    ("a line each, value first", |cards| each(cards, |label, value| format!("<p>{value} {label}</p>"))),
    ("one line", |cards| {
        joined(cards.iter().map(|(label, value)| format!("{label} {value}")).collect(), " ")
    }),
    ("one line with dots", |cards| {
        joined(cards.iter().map(|(label, value)| format!("{label} {value}")).collect(), " · ")
    }),
    ("one line with bars", |cards| {
        joined(cards.iter().map(|(label, value)| format!("{label} | {value}")).collect(), " | ")
    }),
    ("one line, values first", |cards| {
        joined(cards.iter().map(|(label, value)| format!("{value} {label}")).collect(), " · ")
    }),
    ("pieces", |cards| {
        each(cards, |label, value| {
            let pieces: String = value.split(' ').map(block).collect();
            format!("<div><p>{label}</p><div>{pieces}</div></div>")
        })
    }),
    ("label row over value row", |cards| row(0, labels(cards)) + &row(30, values(cards))),
    ("value row over label row", |cards| row(0, values(cards)) + &row(30, labels(cards))),
    ("rows of a table", |cards| {
        format!("<table>{}</table>", each(cards, |label, value| format!("<tr><th>{label}<td>{value}")))
    }),
    ("definition list", |cards| {
        format!("<dl>{}</dl>", each(cards, |label, value| format!("<dt>{label}</dt><dd>{value}</dd>")))
    }),
];

const THEIRS: [(&str, &str); 3] =
    [("Total Exports", "USD $3.41B"), ("Current Account", "USD -$2.22B"), ("Exporter Rank", "99th of 145")];

/// What else the section shows.
fn surroundings(cards: &str, layout: Layout) -> Vec<(&'static str, String)> {
    let peer = format!("<div><b data-agt-d=b>Uganda</b>{}</div>", layout(&THEIRS));
    let bare = "<div><b data-agt-d=b>Uganda</b><p>USD $3.41B</p><p>99th of 145</p></div>";
    let axis = "<svg><text>USD $10B</text><text>USD $20B</text><text>5th of 9</text></svg>";
    let years = "<div><p data-agt-font=10>2012 USD $1.15B</p><p data-agt-font=10>2013 USD $1.99B</p></div>";
    let prose =
        "<p>In 2024, Kenya exported goods and services worth $16.2 billion, and imported more than that.</p>";
    let ours = format!("<div>{cards}</div>");
    vec![
        ("alone", ours.clone()),
        ("with prose", format!("{prose}{ours}{prose}")),
        ("before a peer", format!("<div>{ours}{peer}</div>")),
        ("after a peer", format!("<div>{peer}{ours}</div>")),
        ("before a peer's figures", format!("<div>{ours}{bare}</div>")),
        ("with a chart", format!("<div>{cards}{axis}</div>")),
        ("with the ends of a chart", format!("<div>{cards}{years}</div>")),
        ("with a scale", format!("<div>{cards}<p data-agt-font=10>5th of 9</p></div>")),
    ]
}

#[test]
fn a_value_is_read_right_or_not_at_all_in_every_layout() {
    let mut unread = Vec::new();
    for (name, layout) in LAYOUTS {
        for missing in 0..27 {
            let states = [missing % 3, missing / 3 % 3, missing / 9];
            let shown: Vec<(&str, &str)> = CARDS
                .iter()
                .zip(states)
                .map(|([_, label, value], state)| (*label, ["---", "", value][2 - state]))
                .collect();
            for (beside, html) in surroundings(&layout(&shown), layout) {
                if beside == "with a scale" && !html.contains("data-agt-font=30") {
                    // a scale is known by its size alone
                    continue;
                }
                let page = Hand::basket(&html);
                let read = page.read_all(&CARDS.map(|[point, ..]| point));
                for (outcome, (label, value)) in read.into_iter().zip(&shown) {
                    let case = format!("{name}, {beside}, {shown:?}: {label}");
                    match outcome {
                        Ok(found) => assert_eq!(found[0].value, *value, "{case}\n{html}"),
                        Err(kind) if missing == 0 => unread.push(format!("{case}: {kind}")),
                        Err(_) => {}
                    }
                }
            }
        }
    }
    // a page that shows everything and nothing of anybody else is read in every layout
    let alone: Vec<&String> = unread.iter().filter(|case| case.contains(", alone,")).collect();
    assert!(alone.is_empty(), "{alone:#?}");
    assert!(unread.len() < 40, "{unread:#?}");
}

#[test]
fn countries_that_head_columns_have_what_stands_below_them() {
    let cell = |left: usize, top: usize, text: &str| {
        format!("<span data-agt-d=b data-agt-box=\"{left},{top},90,20\">{text}</span>")
    };
    let page = |heads: [&str; 2], values: [&str; 2], boxes: bool| {
        let line = |top: usize, texts: [&str; 3]| {
            let cells = texts.iter().enumerate().filter(|(_, text)| !text.is_empty());
            let cells: String = cells.map(|(at, text)| cell(at * 100, top, text)).collect();
            format!("<div data-agt-box=\"0,{top},400,20\">{cells}</div>")
        };
        let html = line(0, ["", heads[0], heads[1]]) + &line(30, ["Total Exports", values[0], values[1]]);
        let html = format!("<div data-agt-box=\"0,0,400,60\">{html}</div>");
        Hand::basket(&if boxes { html } else { html.replace("data-agt-box", "data-box") })
    };
    let (ours, theirs) = ("USD $16.2B", "USD $3.41B");
    page(["Kenya", "Uganda"], [ours, theirs], true).says("total_exports", ours);
    page(["Uganda", "Kenya"], [theirs, ours], true).says("total_exports", ours);
    for boxes in [true, false] {
        for missing in ["", "---"] {
            page(["Kenya", "Uganda"], [missing, theirs], boxes).refuses("total_exports");
            page(["Uganda", "Kenya"], [theirs, missing], boxes).refuses("total_exports");
        }
    }
}

#[test]
fn a_country_named_before_a_figure_in_the_same_block_owns_it() {
    let page =
        |lines: &[&str]| Hand::basket(&lines.iter().map(|line| format!("<p>{line}</p>")).collect::<String>());
    page(&["Total Exports", "Uganda", "USD $3.41B"]).refuses("total_exports");
    page(&["Total Exports", "USD $3.41B", "Uganda"]).refuses("total_exports");
    page(&["Total Exports", "USD $16.2B", "Uganda", "USD $3.41B"]).says("total_exports", "USD $16.2B");
    page(&["Total Exports", "Kenya", "USD $16.2B", "Uganda", "USD $3.41B"])
        .says("total_exports", "USD $16.2B");
    page(&["Total Exports", "---", "Uganda", "USD $3.41B"]).refuses("total_exports");
}
