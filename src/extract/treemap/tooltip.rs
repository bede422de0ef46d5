//! What opens over a cell when it is pointed at: a figure in it confirms or refutes the response.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use crate::evidence::Agreement;
use crate::extract::association;
use crate::extract::form::{Form, Read};
use crate::value::{Quantity, Rule};

use crate::extract::document::{Page, normalize_label};
use crate::extract::observation::{FailureKind, Miss, Observation};
use crate::extract::response::rows::Row;
use crate::extract::view::View;

/// The name under which a capture keeps the tooltip of a product's cell.
pub fn state_of(code: &str) -> String {
    format!("cell {code}")
}

/// Holds a value against the tooltip of its product's cell, where that was opened.
///
/// # Errors
/// The tooltip is of another product, or shows another value.
pub fn hold_against(
    view: &View<'_>,
    tooltip: &[String],
    rule: Rule,
    row: &Row<'_>,
    value: Decimal,
    observation: &mut Observation,
) -> Result<(), Miss> {
    let state = state_of(&row.code);
    let Some((_, page)) = view.states.iter().find(|(name, _)| *name == state) else { return Ok(()) };
    let name = normalize_label(&row.name);
    let about = |line: &crate::extract::document::Line| {
        line.normalized.contains(&name) || line.text.split_whitespace().any(|word| word == row.code)
    };
    if !page.lines.iter().any(about) {
        let what = format!("the tooltip over the cell of {} does not name it", row.name);
        return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: first_words(page) });
    }
    if tooltip.is_empty() {
        return Ok(());
    }
    let labels: Vec<String> = tooltip.iter().map(|label| normalize_label(label)).collect();
    let Some((text, shown)) = figure(page, &labels, rule) else {
        observation.reason = format!("{}; its tooltip shows no {}", observation.reason, tooltip.join(" or "));
        return Ok(());
    };
    if !shown.interval.contains(value) {
        let what = format!("the tooltip of {} shows {text}, the response gives {value}", row.name);
        return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: None });
    }
    observation.reason = format!("the tooltip shows {text}");
    observation.displayed = text;
    observation.agreement = Agreement::Agrees;
    Ok(())
}

fn first_words(page: &Page) -> Option<String> {
    (!page.lines.is_empty()).then(|| page.text(0..page.lines.len()).chars().take(160).collect())
}

/// The figure that belongs to a label; in a flat list of names and figures, the line behind it.
fn figure(page: &Page, labels: &[String], rule: Rule) -> Option<(String, Quantity)> {
    let form = Form::Rule { rule, unit: None };
    let others = BTreeSet::new();
    let wanted = association::Wanted {
        labels,
        others: &others,
        form: &form,
        with: &[],
        without: &[],
        allows: &|_| true,
    };
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
