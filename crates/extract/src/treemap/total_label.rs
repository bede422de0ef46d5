//! The total in the corner of an Explore page, `Total Value $16B`. Distinguishes it from other
//! totals on the page: of another year, country, direction or classification.

use crate::association;
use crate::atlas::{PlaceId, find_names};
use crate::form::{Form, Read};
use crate::value::{Classification, Flow, Quantity, Rule};

use crate::document::Page;
use crate::observation::{FailureKind, Miss};
use crate::view::View;
use crate::view::entity::years;
use crate::view::requested::RequestedView;
use crate::view::section;

/// The totals in the corner, as text and as number. A page has one.
#[derive(Debug, Clone, Default)]
pub struct TotalLabel {
    shown: Vec<(String, Quantity)>,
    nearest: Option<String>,
}

/// The maximum lines of a corner: a label, a figure and hardly anything else.
const MAX_LINES: usize = 8;

/// The maximum lines around a total that may be its heading.
const MAX_HEADING_LINES: usize = 5;

pub(crate) const RULE: Rule = Rule::F3;

/// Words beside a label or figure that do not make it another total: `Total Value (USD), 2024`.
const PLAIN: [&str; 6] = ["usd", "us$", "us", "$", "in", "current"];

impl TotalLabel {
    pub fn read(view: &View<'_>) -> Self {
        let (page, asked) = (&view.page, &view.requested);
        let mut total = Self::default();
        let labels = &view.patterns.total_labels;
        let form = Form::Rule { rule: RULE, unit: None };
        let allows = |words: &str| !speaks_of_another(words, asked);
        let wanted = association::Wanted::of(labels, &form, &allows);
        let found = association::find(page, &(0..page.lines.len()), &wanted).unwrap_or_else(|miss| {
            total.nearest = miss.nearest;
            Vec::new()
        });
        for one in &found {
            let label = &page.lines[one.label].text;
            let Read::Quantity(quantity) = &one.read else { continue };
            let alone = found.iter().all(|other| other.label != one.label || other.read == one.read);
            let mut blocks = page
                .around(one.label, 0..page.lines.len())
                .take_while(|block| page.blocks[*block].lines.len() <= MAX_LINES);
            let around = blocks.find(|block| page.blocks[*block].lines.contains(&one.lines.start));
            let flat = one.lines.contains(&one.label);
            if alone
                && (flat || around.is_some())
                && page.lines[one.lines.clone()].iter().all(|line| is_plain(&line.text, &one.shown, labels))
                && around.is_none_or(|block| is_about(page, block, labels, asked))
            {
                if !total.shown.iter().any(|(text, _)| *text == one.shown) {
                    total.shown.push((one.shown.clone(), quantity.clone()));
                }
            } else {
                total.nearest = Some(label.clone());
            }
        }
        if total.nearest.is_none() {
            let label = view.spec.total_labels.first().map_or("", String::as_str);
            total.nearest = section::nearest(page, 0..page.lines.len(), label);
        }
        total
    }

    /// A total without a page, from responses.
    pub fn of(figure: Option<(String, Quantity)>) -> Self {
        Self { shown: figure.into_iter().collect(), nearest: None }
    }

    /// The total. If there are several on the page, the only one that `fits` the responses.
    pub fn get(&self, fits: impl Fn(&Quantity) -> bool) -> Result<&(String, Quantity), Miss> {
        if let [one] = self.shown.as_slice() {
            return Ok(one);
        }
        let mut fitting = self.shown.iter().filter(|(_, shown)| fits(shown));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Ok(one),
            _ if self.shown.is_empty() => {
                Err(Miss { kind: FailureKind::LabelMissing, nearest: self.nearest.clone() })
            }
            _ => {
                let texts = self.shown.iter().map(|(text, _)| text.clone()).collect();
                Err(Miss { kind: FailureKind::Ambiguous(texts), nearest: None })
            }
        }
    }

    /// Whether there is no total.
    pub fn is_missing(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether a total in the corner may be a rounded number.
    pub fn holds(&self, number: rust_decimal::Decimal) -> bool {
        self.shown.iter().any(|(_, shown)| shown.interval.contains(number))
    }
}

/// Whether a line has only a figure, its label, and plain words: `Total Value (USD): $16B, 2024`.
fn is_plain(text: &str, shown: &str, labels: &[String]) -> bool {
    let mut rest = text.to_lowercase().replace(&shown.to_lowercase(), " ");
    for label in labels {
        rest = rest.replace(label.as_str(), " ");
    }
    let plain = |word: &str| word.is_empty() || PLAIN.contains(&word) || !years(word).is_empty();
    rest.split(|c: char| c.is_whitespace() || "():,;·•|–—-".contains(c)).all(plain)
}

/// Whether a figure's block and its few surrounding lines match the request. A heading `2023`,
/// `Compare with Ethiopia` or `HS 2012` makes it another total.
fn is_about(page: &Page, block: usize, labels: &[String], asked: &RequestedView<'_>) -> bool {
    let mut around = Some(block);
    while let Some(block) = around {
        let lines = page.blocks[block].lines.clone();
        let is_label =
            |at: &usize| labels.iter().any(|label| page.lines[*at].normalized.contains(label.as_str()));
        // text around two totals is a heading for at most one of them
        if lines.len() > MAX_HEADING_LINES || lines.clone().filter(is_label).count() > 1 {
            return true;
        }
        let said: Vec<&str> =
            page.lines[lines].iter().filter(|line| !line.control).map(|line| line.text.as_str()).collect();
        if speaks_of_another(&said.join(" \n "), asked) {
            return false;
        }
        let parent = page.blocks[block].parent;
        around = (parent != block).then_some(parent);
    }
    true
}

fn speaks_of_another(text: &str, asked: &RequestedView<'_>) -> bool {
    let mut lower = text.to_lowercase();
    let mut classes = Vec::new();
    for (class, names) in CLASSES {
        for name in names.iter().filter(|name| !name.is_empty()) {
            if lower.contains(name) {
                // a year in a name is not the year of anything
                lower = lower.replace(name, " ");
                classes.push(class);
            }
        }
    }
    let said = years(&lower);
    let another_year = asked.year.is_some_and(|year| !said.is_empty() && !said.contains(&year));
    let another_class = asked.class.is_some_and(|class| !classes.is_empty() && !classes.contains(&class));
    let sides = [asked.subject, asked.partner].map(|place| place.and_then(PlaceId::country));
    let named = find_names(text);
    let another_place = !named.is_empty() && !named.iter().any(|(_, id)| sides.contains(&Some(*id)));
    let trade = |stem: &str| {
        // the country of the trade does not tell its direction
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.starts_with(stem) && !word[stem.len()..].starts_with("er"))
    };
    let (own, other) = match asked.flow {
        Flow::Import => ("import", "export"),
        _ => ("export", "import"),
    };
    let another_way = asked.shows_flow() && trade(other) && !trade(own);
    another_year || another_class || another_place || another_way
}

/// How pages write the classifications.
const CLASSES: [(Classification, [&str; 2]); 4] = [
    (Classification::Hs92, ["hs92", "hs 1992"]),
    (Classification::Hs12, ["hs12", "hs 2012"]),
    (Classification::Hs22, ["hs22", "hs 2022"]),
    (Classification::Sitc, ["sitc", ""]),
];
