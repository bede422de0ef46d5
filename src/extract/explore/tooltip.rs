//! What opens over a cell when it is pointed at: a figure in it confirms or refutes the response.

use rust_decimal::Decimal;

use crate::manifest::spec::One;
use crate::truth::Agreement;
use crate::value::{Quantity, Rule, parse_as};

use super::super::Wanted;
use super::super::observation::{FailureKind, Observation, Tooltip};
use super::super::page::{Page, loosen};
use super::super::stat::Miss;
use super::Scene;
use super::books::Item;

/// The name under which a capture keeps the tooltip of a product's cell.
fn state_of(code: &str) -> String {
    format!("cell {code}")
}

impl Scene<'_> {
    /// The tooltips that would confirm a wanted value: of cells that have a visible label to point at.
    pub(super) fn tooltips(&self, wanted: &[Wanted]) -> Vec<Tooltip> {
        let Some(cells) = &self.cells else { return Vec::new() };
        let spec = self.extractor.spec();
        let mut found: Vec<Tooltip> = wanted
            .iter()
            .filter(|wanted| {
                let find = spec.point(&wanted.data_point).map(|point| &point.find);
                matches!(find, Some(crate::manifest::spec::Find::One(one)) if !one.tooltip.is_empty())
            })
            .filter_map(|wanted| cells.find(wanted.product.as_deref()?))
            .filter(|(_, cell)| self.labels.agreeing.contains_key(&cell.id))
            .map(|(_, cell)| Tooltip { name: state_of(&cell.item.code), cell: cell.item.name.clone() })
            .collect();
        found.sort();
        found.dedup();
        found
    }

    /// Holds a value against the tooltip of its product's cell, where that was opened.
    pub(super) fn hold_against_tooltip(
        &self,
        one: &One,
        item: &Item,
        value: Decimal,
        observation: &mut Observation,
    ) -> Result<(), Miss> {
        let state = state_of(&item.code);
        let Some((_, page)) = self.states.iter().find(|(name, _)| *name == state) else { return Ok(()) };
        let name = loosen(&item.name);
        let about = |line: &super::super::page::Line| {
            line.loose.contains(&name) || line.text.split_whitespace().any(|word| word == item.code)
        };
        if !page.lines.iter().any(about) {
            let what = format!("the tooltip over the cell of {} does not name it", item.name);
            return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: first_words(page) });
        }
        let labels: Vec<String> = one.tooltip.iter().map(|label| loosen(label)).collect();
        let Some((text, shown)) = figure(page, &labels, one.rule) else {
            observation.reason =
                format!("{}; its tooltip shows no {}", observation.reason, one.tooltip.join(" or "));
            return Ok(());
        };
        if !shown.interval.contains(value) {
            let what = format!("the tooltip of {} shows {text}, the response gives {value}", item.name);
            return Err(Miss { kind: FailureKind::LabelDisagrees(what), nearest: None });
        }
        observation.reason = format!("the tooltip shows {text}");
        observation.displayed = text;
        observation.agreement = Agreement::Agrees;
        Ok(())
    }
}

fn first_words(page: &Page) -> Option<String> {
    (!page.lines.is_empty()).then(|| page.text(0..page.lines.len()).chars().take(160).collect())
}

/// The figure beside a label: on its line, or the only one in the smallest block around both.
fn figure(page: &Page, labels: &[String], rule: Rule) -> Option<(String, Quantity)> {
    let parse = |text: &str| parse_as(text, rule).ok().map(|shown| (text.to_owned(), shown));
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| !line.control) {
        let loose = &line.loose;
        for label in labels {
            if loose == label {
                let found = page.around(at, 0..page.lines.len()).find_map(|block| {
                    let lines = page.blocks[block].lines.clone();
                    let mut figures = lines
                        .filter(|&other| other != at && !page.lines[other].control)
                        .filter_map(|other| parse(&page.lines[other].text));
                    let first = figures.next()?;
                    // where several stand together nothing tells which is meant, but the next line may
                    Some(match figures.next() {
                        None => Some(first),
                        Some(_) => page.lines.get(at + 1).and_then(|next| parse(&next.text)),
                    })
                });
                if let Some(found) = found {
                    return found;
                }
            }
            let words: Vec<&str> = line.text.split_whitespace().collect();
            let ends = [words.first(), words.last()];
            if loose.split(' ').any(|word| word.trim_end_matches(':') == label)
                && let Some(found) = ends.into_iter().flatten().find_map(|word| parse(word))
            {
                return Some(found);
            }
        }
    }
    None
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
