//! The tooltip of a cell: its figure confirms or refutes the response.

use rust_decimal::Decimal;

use crate::document::{Page, normalize_label};
use crate::evidence::Agreement;
use crate::observation::{FailureKind, Miss, Observation};
use crate::response::rows::ResponseRow;
use crate::tooltip::figure;
use crate::value::Rule;
use crate::view::View;

/// The state name of a product cell's tooltip in a capture.
pub(crate) fn state_of(code: &str) -> String {
    format!("cell {code}")
}

/// Compares a value with the tooltip of its product's cell, if that was opened.
///
/// # Errors
/// The tooltip is for another product, or shows another value.
pub(crate) fn hold_against(
    view: &View<'_>,
    tooltip: &[String],
    rule: Rule,
    row: &ResponseRow<'_>,
    value: Decimal,
    observation: &mut Observation,
) -> Result<(), Miss> {
    let state = state_of(&row.code);
    let Some((_, page)) = view.states.iter().find(|(name, _)| *name == state) else { return Ok(()) };
    let name = normalize_label(&row.name);
    let about = |line: &crate::document::Line| {
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
