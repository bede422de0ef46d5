//! The visible values of a drawing over time: a tooltip shows a year and one or more named values.
//! The end of a line has a label with its name and the value of the last year.

use rust_decimal::Decimal;

use super::association;
use super::document::{Page, normalize_label};
use super::form::{Form, Read, tight};
use super::observation::{FailureKind, Miss};
use super::view::entity::years;
use crate::value::{Quantity, Rule, find_as};

/// The states of a page with the pointer over the drawing.
pub(crate) const HOVERS: [&str; 2] = ["hover 1", "hover 2"];

/// Where to place the pointer over a drawing, in percent of its width and height from the upper left
/// corner. The two places differ from page to page. They are in different halves, away from the
/// ends, and low, where the first areas of a stack are.
pub fn places(seed: u32) -> [(u8, u8); 2] {
    let of = |from: u8, part: u32| from + u8::try_from(part % 26).unwrap_or(0);
    [(of(20, seed), 86), (of(55, seed / 26), 86)]
}

/// Compares a tooltip with the values by name and year. Returns the confirmed text; none if the
/// tooltip has no value for a known name and year.
///
/// # Errors
/// The tooltip shows another value.
pub fn series(
    page: &Page,
    names: &[&str],
    rule: Rule,
    value: impl Fn(&str, i16) -> Option<Decimal>,
) -> Result<Option<String>, Miss> {
    let text = page.text(0..page.lines.len());
    let said = years(&text);
    let [year] = said.as_slice() else { return Ok(None) };
    let lines: Vec<String> = page.lines.iter().map(|line| line.normalized.clone()).collect();
    let is_named = |name: &&&str| {
        let name = normalize_label(name);
        lines.iter().any(|line| *line == name || line.starts_with(&format!("{name} ")))
    };
    let named: Vec<&str> = names.iter().filter(is_named).copied().collect();
    let figures: Vec<Quantity> = find_as(&text, rule).into_iter().map(|(_, figure)| figure).collect();
    let mut shown = Vec::new();
    match (named.as_slice(), figures.as_slice()) {
        ([name], [figure]) => shown.push((*name, figure.clone())),
        _ => shown.extend(
            named.iter().filter_map(|name| Some((*name, figure(page, &[normalize_label(name)], rule)?.1))),
        ),
    }
    let mut confirmed = None;
    for (name, quantity) in shown {
        let text = format!("{} for {name} in {year}", quantity.number.normalize());
        if confirms("tooltip", &text, &quantity, value(name, *year))? {
            confirmed.get_or_insert(text);
        }
    }
    Ok(confirmed)
}

/// Compares labels at line ends with the values of the last year, and returns how many are
/// confirmed. A label is a line with exactly a name and one figure. A figure without a name (of an
/// axis) or a name without a figure (of a legend) is not a label, even if they are adjacent.
///
/// # Errors
/// A label shows another value.
pub(crate) fn end_labels(
    page: &Page,
    names: &[&str],
    rule: Rule,
    value: impl Fn(&str) -> Option<Decimal>,
) -> Result<usize, Miss> {
    let form = Form::Rule { rule, unit: None };
    let mut confirmed = 0;
    for line in &page.lines {
        let text = tight(&line.text);
        let Some((shown, Read::Quantity(quantity))) = form.within(&text) else { continue };
        let beside = bare_name(&text.replacen(&shown, " ", 1));
        let name = names.iter().find(|name| !beside.is_empty() && bare_name(name) == beside);
        if let Some(name) = name
            && confirms("label at the end of a line", &line.text, &quantity, value(name))?
        {
            confirmed += 1;
        }
    }
    Ok(confirmed)
}

/// A name in comparable form, without the punctuation before its figure: colons, dashes,
/// parentheses.
fn bare_name(text: &str) -> String {
    normalize_label(text.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Whether a displayed number is the rounded response value; false if the response has none.
fn confirms(what: &str, text: &str, shown: &Quantity, given: Option<Decimal>) -> Result<bool, Miss> {
    let Some(given) = given else { return Ok(false) };
    if shown.interval.contains(given) {
        return Ok(true);
    }
    let what = format!("the {what} shows {text}, the response gives {}", given.normalize());
    Err(FailureKind::LabelDisagrees(what).into())
}

/// The figure of a label. In a flat list of names and figures, it is on the next line.
pub(super) fn figure(page: &Page, labels: &[String], rule: Rule) -> Option<(String, Quantity)> {
    let form = Form::Rule { rule, unit: None };
    let wanted = association::Wanted::of(labels, &form, &|_| true);
    let found = association::find(page, &(0..page.lines.len()), &wanted).ok()?;
    let meant = match found.as_slice() {
        [one] => one,
        several => several.iter().find(|one| one.lines.start == one.label + 1)?,
    };
    match &meant.read {
        Read::Quantity(quantity) => Some((meant.shown.clone(), quantity.clone())),
        Read::Word(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["Agriculture", "Services", "Textiles"];

    /// What a tooltip confirms of values in billions: Services 93.7 and Textiles 12 in 2017.
    fn held(html: &str, rule: Rule) -> Result<Option<String>, Miss> {
        let value = |name: &str, year: i16| {
            let billions = match (name, year) {
                ("Services", 2017) => Decimal::new(937, 1),
                ("Textiles", 2017) => Decimal::from(12),
                _ => return None,
            };
            Some(if rule == Rule::F1 { billions * Decimal::from(1_000_000_000) } else { billions })
        };
        series(&Page::parse(html), &NAMES, rule, value)
    }

    #[test]
    fn a_tooltip_of_one_area_confirms_or_refutes_its_value_of_its_year() {
        let area = |value: &str, year: &str| {
            format!(
                "<div><div>Services</div><div>Year</div><div>{year}</div><div>Export Value</div><div>{value}</div></div>"
            )
        };
        assert!(held(&area("$93.7B", "2017"), Rule::F1).unwrap().unwrap().contains("for Services in 2017"));
        let refuted = held(&area("$39.7B", "2017"), Rule::F1).unwrap_err();
        assert!(matches!(refuted.kind, FailureKind::LabelDisagrees(_)), "{refuted:?}");
        // of a year that the response has nothing of, and of none
        assert_eq!(held(&area("$93.7B", "2016"), Rule::F1).unwrap(), None);
        assert_eq!(held(&area("$93.7B", "now"), Rule::F1).unwrap(), None);
    }

    #[test]
    fn a_tooltip_of_all_lines_is_held_against_each_of_them() {
        let rows = |textiles: &str| {
            format!(
                "<div><p>Year: 2017</p><p><span>Services</span> <b>93.7%</b></p><p><span>Textiles</span> <b>{textiles}</b></p></div>"
            )
        };
        assert!(held(&rows("12%"), Rule::F9).unwrap().is_some());
        assert!(held(&rows("21%"), Rule::F9).is_err());
    }

    #[test]
    fn labels_at_the_ends_of_lines_are_held_against_the_last_year() {
        let ends = |html: &str| {
            let value = |name: &str| (name == "Services").then(|| Decimal::new(937, 1));
            end_labels(&Page::parse(html), &NAMES, Rule::F9, value)
        };
        assert_eq!(ends("<svg><text>Services 93.7%</text><text>Textiles 12%</text></svg>").unwrap(), 1);
        let refuted =
            ends("<svg><text><tspan>Services</tspan> <tspan>9.37%</tspan></text></svg>").unwrap_err();
        assert!(matches!(refuted.kind, FailureKind::LabelDisagrees(_)), "{refuted:?}");
        // an axis has figures without names, a legend names without figures, and a sentence is neither
        let others = "<svg><text>0%</text><text>50%</text></svg><p>Services</p><p>Textiles</p><p>Services grew 9.37%</p>";
        assert_eq!(ends(others).unwrap(), 0);
        // also where an axis stands next to a name, or a year goes with the figure
        let beside =
            "<svg><text>Services</text><text>50%</text><text>2024</text></svg><p>Services 2009: 9.37%</p>";
        assert_eq!(ends(beside).unwrap(), 0);
    }

    #[test]
    fn a_label_has_its_figure_on_either_side_and_marks_between() {
        let ends = |label: &str, rule: Rule| {
            let held = |name: &str| (name == "Services").then(|| Decimal::new(937, 1));
            let held = |name: &str| {
                held(name)
                    .map(|value| if rule == Rule::F1 { value * Decimal::from(1_000_000_000) } else { value })
            };
            end_labels(&Page::parse(&format!("<svg><text>{label}</text></svg>")), &NAMES, rule, held)
        };
        let spelled = [
            "Services {}",
            "Services: {}",
            "Services ({})",
            "Services – {}",
            "Services\u{a0}· {}",
            "{} Services",
            "SERVICES {}*",
        ];
        for label in spelled {
            let shown = |figure: &str| label.replace("{}", figure);
            assert_eq!(ends(&shown("93.7\u{202f}%"), Rule::F9).unwrap(), 1, "{label}");
            assert!(ends(&shown("3.7\u{202f}%"), Rule::F9).is_err(), "{label}");
            assert_eq!(ends(&shown("$93.7 B"), Rule::F1).unwrap(), 1, "{label}");
            assert!(ends(&shown("$3.70B"), Rule::F1).is_err(), "{label}");
        }
    }

    #[test]
    fn the_pointer_rests_at_two_places_apart_and_away_from_the_ends() {
        for seed in [0, 1, 25, 26, 4_000_000_000, u32::MAX] {
            let [(first, _), (second, _)] = places(seed);
            assert!((20..46).contains(&first) && (55..81).contains(&second), "{seed}: {first} {second}");
        }
        assert_ne!(places(3), places(300));
    }

    fn read(html: &str) -> Option<String> {
        figure(&Page::parse(html), &["pci".to_owned()], Rule::F12).map(|(text, _)| text)
    }

    #[test]
    fn the_figure_beside_its_label_is_found_in_any_arrangement() {
        assert_eq!(read("<div>PCI: -2.200</div>").as_deref(), Some("-2.200"));
        assert_eq!(
            read("<div><div><b data-agt-d=b>-2.200</b><span data-agt-d=b>PCI</span></div></div>").as_deref(),
            Some("-2.200")
        );
        let grid = "<div><div>RCA:</div><div>15.05</div><div>Distance:</div><div>0.781</div><div>PCI:</div><div>-2.200</div></div>";
        assert_eq!(read(grid).as_deref(), Some("-2.200"));
        let rows = "<div><p><b>15.05</b> <span>RCA</span></p><p><b>−2.200</b> <span>PCI</span></p></div>";
        assert_eq!(read(rows).as_deref(), Some("-2.200"));
        assert_eq!(read("<div><div>PCI:</div><div>N/A</div></div>"), None);
        assert_eq!(read("<div><div>Share:</div><div>8.54</div></div>"), None);
    }
}
