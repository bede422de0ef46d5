//! What stands over a drawing over time where the pointer rests: a year, and a value or several by name.

use rust_decimal::Decimal;

use super::association;
use super::document::{Page, normalize_label};
use super::form::{Form, Read};
use super::observation::{FailureKind, Miss};
use super::view::entity::years;
use crate::value::{Quantity, Rule, find_as};

/// Where the pointer rests: the state's name, and the place over the drawing from its upper left corner, as parts of its
/// width and height. Low, where the first areas of a stack lie, and away from both ends.
pub const HOVERS: [(&str, (u8, u8)); 2] = [("hover 1", (38, 86)), ("hover 2", (71, 86))];

/// Holds a tooltip against the values by name and year. Gives what it shows where that is confirmed, and nothing where it
/// shows no value of a name and year that are known.
///
/// # Errors
/// It shows another value.
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
        _ => shown.extend(named.iter().filter_map(|name| Some((*name, figure_of(page, name, rule)?)))),
    }
    let mut confirmed = None;
    for (name, quantity) in shown {
        let Some(given) = value(name, *year) else { continue };
        let text = format!("{} for {name} in {year}", quantity.number.normalize());
        if !quantity.interval.contains(given) {
            let what = format!("the tooltip shows {text}, the response gives {}", given.normalize());
            return Err(FailureKind::LabelDisagrees(what).into());
        }
        confirmed.get_or_insert(text);
    }
    Ok(confirmed)
}

/// The figure beside a name.
fn figure_of(page: &Page, name: &str, rule: Rule) -> Option<Quantity> {
    let form = Form::Rule { rule, unit: None };
    let others = std::collections::BTreeSet::new();
    let labels = [normalize_label(name)];
    let wanted = association::Wanted {
        labels: &labels,
        others: &others,
        form: &form,
        with: &[],
        without: &[],
        allows: &|_| true,
    };
    let found = association::find(page, &(0..page.lines.len()), &wanted).ok()?;
    match found.as_slice() {
        [one] => match &one.read {
            Read::Quantity(quantity) => Some(quantity.clone()),
            Read::Word(_) => None,
        },
        _ => None,
    }
}
