//! The figure in the corner of an Explore page, `Total Value $16B`, told from totals of something else that may
//! stand on the page too: another year, another country, the other direction, another classification.

use crate::atlas::{PlaceId, find_names};
use crate::value::{Classification, Flow, Quantity, Rule, find_as, parse_as};

use super::super::compiled::Extractor;
use super::super::entity::years;
use super::super::observation::FailureKind;
use super::super::page::{Page, loosen};
use super::super::section;
use super::super::stat::Miss;
use super::asked::Asked;

/// The figures in the corner, each as displayed and as a number. A page has one.
#[derive(Debug, Clone, Default)]
pub(super) struct Corner {
    shown: Vec<(String, Quantity)>,
    nearest: Option<String>,
}

/// The corner of a page holds a label and a figure and hardly anything else.
const MOST_LINES: usize = 8;

/// What heads a total stands right with it.
const MOST_AROUND: usize = 5;

pub(super) const RULE: Rule = Rule::F3;

/// Words that a label or its figure may stand with and be no other total: `Total Value (USD), 2024`.
const PLAIN: [&str; 6] = ["usd", "us$", "us", "$", "in", "current"];

impl Corner {
    pub fn read(extractor: &Extractor, page: &Page, asked: &Asked<'_>) -> Self {
        let mut corner = Self::default();
        let labels = &extractor.total_labels;
        let lines = page.lines.iter().enumerate().filter(|(_, line)| !line.control && !line.chart);
        for (at, line) in lines.filter(|(_, line)| labels.iter().any(|label| likely(&line.text, label))) {
            let Some(label) = labels.iter().find(|label| line.loose.contains(label.as_str())) else {
                continue;
            };
            let found = match Said::read(&line.text, label) {
                Some(said) if !said.fits(asked) => None,
                Some(Said { figure: Some(figure), .. }) => {
                    Some((figure, page.around(at, 0..page.lines.len()).next()))
                }
                Some(_) => beside(page, at, asked),
                None => None,
            };
            match found {
                Some((figure, block)) if block.is_none_or(|block| is_about(page, block, labels, asked)) => {
                    if !corner.shown.iter().any(|(text, _)| *text == figure.0) {
                        corner.shown.push(figure);
                    }
                }
                _ => corner.nearest = Some(line.text.clone()),
            }
        }
        if corner.nearest.is_none() {
            let label = extractor.spec().total_labels.first().map_or("", String::as_str);
            corner.nearest = section::nearest(page, 0..page.lines.len(), label);
        }
        corner
    }

    /// A figure that no page shows, by what answers say.
    pub fn of(figure: Option<(String, Quantity)>) -> Self {
        Self { shown: figure.into_iter().collect(), nearest: None }
    }

    /// The figure. Where several stand on the page, the only one that `fits` what the page's responses say.
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

    /// Whether a number may be what a figure in the corner rounds.
    pub fn holds(&self, number: rust_decimal::Decimal) -> bool {
        self.shown.iter().any(|(_, shown)| shown.interval.contains(number))
    }
}

/// Whether a word of a text begins as a label does: a table has thousands of lines, and few hold one.
fn likely(text: &str, label: &str) -> bool {
    let Some(first) = label.as_bytes().first() else { return false };
    let own = |byte: &u8| byte.eq_ignore_ascii_case(first);
    text.as_bytes().first().is_some_and(own)
        || text.as_bytes().windows(2).any(|pair| !pair[0].is_ascii_alphanumeric() && own(&pair[1]))
        || !text.is_ascii()
}

/// What a line says besides the label: a figure, a year, and nothing else.
struct Said {
    figure: Option<(String, Quantity)>,
    years: Vec<i16>,
}

impl Said {
    fn read(text: &str, label: &str) -> Option<Self> {
        match text.to_ascii_lowercase().find(label) {
            Some(at) => Self::of(&format!("{} {}", text.get(..at)?, text.get(at + label.len()..)?)),
            // the label is written in other characters than it is compared by
            None => (loosen(text) == label).then_some(Self { figure: None, years: Vec::new() }),
        }
    }

    /// None where other words stand there: `Total Value of imports`, `World: Total Value $24T`.
    fn of(text: &str) -> Option<Self> {
        let mut hits = find_as(text, RULE).into_iter();
        let (figure, rest) = match (hits.next(), hits.next()) {
            (None, _) => (None, text.to_owned()),
            (Some((range, shown)), None) => {
                let rest = format!("{} {}", text.get(..range.start)?, text.get(range.end..)?);
                (Some((text.get(range)?.to_owned(), shown)), rest)
            }
            _ => return None,
        };
        let said = Self { figure, years: years(&rest) };
        let plain = |word: &str| {
            PLAIN.contains(&word.to_ascii_lowercase().as_str())
                || word.parse::<i16>().is_ok_and(|year| said.years.contains(&year))
        };
        let mut words = rest.split(|c: char| c.is_whitespace() || "():,;·•|–—-".contains(c));
        words.all(|word| word.is_empty() || plain(word)).then_some(said)
    }

    fn fits(&self, asked: &Asked<'_>) -> bool {
        self.years.iter().all(|year| asked.year.is_none_or(|asked| asked == *year))
    }
}

type Figure = (String, Quantity);

/// The one figure in the smallest block around a label that holds one, and that block.
fn beside(page: &Page, at: usize, asked: &Asked<'_>) -> Option<(Figure, Option<usize>)> {
    for block in page.around(at, 0..page.lines.len()) {
        let lines = page.blocks[block].lines.clone();
        if lines.len() > MOST_LINES {
            return None;
        }
        let mut figures =
            lines.filter(|&other| other != at && !page.lines[other].control).filter_map(|other| {
                let text = &page.lines[other].text;
                if let Ok(shown) = parse_as(text, RULE) {
                    return Some((Some((text.clone(), shown)), true));
                }
                // `$16B (2024)`
                let said = Said::of(text).filter(|said| said.figure.is_some())?;
                let fits = said.fits(asked);
                Some((said.figure, fits))
            });
        match (figures.next(), figures.next()) {
            (Some((figure, true)), None) => return figure.map(|figure| (figure, Some(block))),
            (Some(_), _) => return None,
            _ => {}
        }
    }
    None
}

/// Whether the block of a figure, and what little stands around it, speaks of nothing but what is asked for: a
/// heading `2023`, `Compare with Ethiopia` or `HS 2012` makes it a total of something else.
fn is_about(page: &Page, block: usize, labels: &[String], asked: &Asked<'_>) -> bool {
    let mut around = Some(block);
    while let Some(block) = around {
        let lines = page.blocks[block].lines.clone();
        let is_label = |at: &usize| labels.iter().any(|label| page.lines[*at].loose.contains(label.as_str()));
        // what stands around two totals heads one of them at most
        if lines.len() > MOST_AROUND || lines.clone().filter(is_label).count() > 1 {
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

fn speaks_of_another(text: &str, asked: &Asked<'_>) -> bool {
    let mut lower = text.to_lowercase();
    let mut classes = Vec::new();
    for (class, names) in CLASSES {
        for name in names.iter().filter(|name| !name.is_empty()) {
            if lower.contains(name) {
                // its year is not one that anything is of
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
        // whose trade it is says nothing about its direction
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.starts_with(stem) && !word[stem.len()..].starts_with("er"))
    };
    let (own, other) = match asked.flow {
        Flow::Import => ("import", "export"),
        _ => ("export", "import"),
    };
    let another_way = asked.is_treemap() && trade(other) && !trade(own);
    another_year || another_class || another_place || another_way
}

/// How pages write the classifications.
const CLASSES: [(Classification, [&str; 2]); 4] = [
    (Classification::Hs92, ["hs92", "hs 1992"]),
    (Classification::Hs12, ["hs12", "hs 2012"]),
    (Classification::Hs22, ["hs22", "hs 2022"]),
    (Classification::Sitc, ["sitc", ""]),
];
