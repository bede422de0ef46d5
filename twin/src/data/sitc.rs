//! The Standard International Trade Classification, Revision 2: its divisions and headings, and the goods of HS 1992 in
//! each. Headings with their own name have the goods listed in `sitc.psv`; the other goods of a division are spread
//! over its other headings in order.

use super::catalogue::Catalogue;
use super::line::{Line, Part, line};
use super::separated;
use std::collections::HashMap;

/// A two-digit division in the file.
struct Division<'a> {
    code: &'a str,
    headings: Vec<String>,
    /// Codes of HS 1992: chapters, headings, ranges of headings.
    holds: &'a str,
    short: &'a str,
    long: &'a str,
}

/// Reads divisions and headings, with services last. Errors name the line.
pub(super) fn read(catalogue: &Catalogue) -> Result<(Vec<Line>, Vec<Line>), String> {
    let rows: Vec<Vec<String>> = separated::rows("sitc.psv", include_str!("sitc.psv"))?;
    let mut divisions = Vec::new();
    let mut named = HashMap::new();
    for row in &rows {
        match row.as_slice() {
            [code, headings, holds, short, long] => divisions.push(Division {
                code,
                headings: numbers(code, headings).ok_or_else(|| format!("sitc.psv: {code}"))?,
                holds,
                short,
                long: if long.is_empty() { short } else { long },
            }),
            [code, holds, name] => _ = named.insert(code.as_str(), (holds.as_str(), name.as_str())),
            other => return Err(format!("sitc.psv: {}", other.join("|"))),
        }
    }
    let parts = parts(catalogue, &divisions, &named)?;
    let (mut groups, mut headings) = (Vec::new(), Vec::new());
    for division in &divisions {
        let group = groups.len();
        let first = headings.len();
        for code in &division.headings {
            let parts = parts.get(code.as_str()).cloned().unwrap_or_default();
            let name = |of: &str, rest: &str| match named.get(code.as_str()) {
                Some((_, name)) => (*name).to_owned(),
                None => format!("{of}, {rest} ({code})"),
            };
            headings.push(Line {
                id: 650 + headings.len() as u32,
                short: name(division.short, "other"),
                long: name(division.long, "not elsewhere specified"),
                code: code.clone(),
                sector: sector(catalogue, &parts),
                parent: Some(group),
                service: false,
                parts,
            });
        }
        let all: Vec<Part> = headings[first..].iter().flat_map(|heading| heading.parts.clone()).collect();
        groups.push(Line {
            id: 100 + group as u32,
            code: division.code.to_owned(),
            short: division.short.to_owned(),
            long: division.long.to_owned(),
            sector: sector(catalogue, &all),
            parent: Some(sector(catalogue, &all)),
            service: false,
            parts: Vec::new(),
        });
    }
    for (at, service) in catalogue.products.iter().enumerate().filter(|(_, product)| product.service) {
        let whole = vec![Part { at, share: 1.0, factor: 1.0 }];
        let parent = Some(groups.len());
        if let Some(group) = service.group.map(|group| &catalogue.groups[group]) {
            groups.push(Line { parent: Some(group.sector), ..line(group, group.id, Vec::new()) });
        }
        headings.push(Line { parent, ..line(service, service.id, whole) });
    }
    Ok((groups, headings))
}

fn numbers(division: &str, ranges: &str) -> Option<Vec<String>> {
    if division == "ZZ" {
        return Some(vec!["ZZZZ".to_owned()]);
    }
    separated::codes(division, ranges)
}

/// The goods of HS 1992 by heading. The shares of each good sum to 1.
fn parts(
    catalogue: &Catalogue,
    divisions: &[Division<'_>],
    named: &HashMap<&str, (&str, &str)>,
) -> Result<HashMap<String, Vec<Part>>, String> {
    let mut parts: HashMap<String, Vec<Part>> = HashMap::new();
    let mut loose: HashMap<&str, Vec<usize>> = HashMap::new();
    for at in 0..catalogue.goods() {
        let code = catalogue.products[at].code.as_str();
        let mut holders: Vec<&str> =
            named.iter().filter(|(_, (holds, _))| exact(holds, code)).map(|(heading, _)| *heading).collect();
        holders.sort_unstable();
        let share = 1.0 / holders.len() as f64;
        for heading in &holders {
            parts.entry((*heading).to_owned()).or_default().push(Part { at, share, factor: 1.0 });
        }
        if holders.is_empty() {
            let division = divisions
                .iter()
                .find(|division| exact(division.holds, code))
                .or_else(|| divisions.iter().find(|division| chapter(division.holds, code)))
                .ok_or_else(|| format!("sitc.psv: no division holds {code}"))?;
            loose.entry(division.code).or_default().push(at);
        }
    }
    for division in divisions {
        let goods = loose.get(division.code).map_or(&[][..], Vec::as_slice);
        let open: Vec<&String> =
            division.headings.iter().filter(|code| !named.contains_key(code.as_str())).collect();
        // If all headings of a division are named, they also get its remaining goods.
        let open = if open.is_empty() { division.headings.iter().collect() } else { open };
        spread(goods, &open, &mut parts);
    }
    Ok(parts)
}

/// Spreads goods over headings: both are laid side by side on the same length, and each heading gets the overlapping
/// parts.
fn spread(goods: &[usize], headings: &[&String], parts: &mut HashMap<String, Vec<Part>>) {
    let (n, m) = (goods.len() as f64, headings.len() as f64);
    for (i, heading) in headings.iter().enumerate() {
        let (from, to) = (i as f64 / m, (i + 1) as f64 / m);
        for (j, at) in goods.iter().enumerate() {
            let beside = to.min((j + 1) as f64 / n) - from.max(j as f64 / n);
            if beside > 1e-9 {
                let part = Part { at: *at, share: beside * n, factor: 1.0 };
                parts.entry((*heading).clone()).or_default().push(part);
            }
        }
    }
}

/// Whether `holds` includes a heading, directly or in a range.
fn exact(holds: &str, code: &str) -> bool {
    holds.split(',').any(|held| match held.split_once('-') {
        Some((first, last)) => first <= code && code <= last,
        None => held == code,
    })
}

/// Whether `holds` includes a heading's chapter.
fn chapter(holds: &str, code: &str) -> bool {
    holds.split(',').any(|held| held.len() == 2 && code.starts_with(held))
}

/// The sector with most of the goods' world trade.
fn sector(catalogue: &Catalogue, parts: &[Part]) -> usize {
    let mut sums = vec![0.0; catalogue.sectors.len()];
    for part in parts {
        let product = &catalogue.products[part.at];
        sums[product.sector] += product.world * part.share;
    }
    let other = catalogue.sectors.iter().position(|sector| sector.key == "other").unwrap_or_default();
    let largest = (0..sums.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b]).then(b.cmp(a)));
    largest.filter(|at| sums[*at] > 0.0).unwrap_or(other)
}
