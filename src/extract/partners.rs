//! Country names with shares, under a control that says whether they are destinations or origins.

use crate::atlas::{CountryId, lookup};
use crate::value::{Quantity, Rule, Unit};

use super::form::{Read, number};
use super::observation::FailureKind;
use super::page::{Lines, Page, loosen};
use super::stat::Miss;

/// One partner with its share.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Partner {
    /// The name as displayed.
    pub name: String,
    /// The country.
    pub id: CountryId,
    /// The share as displayed.
    pub shown: String,
    /// The share.
    pub share: Quantity,
}

enum Token {
    Name(String, CountryId),
    Share(String, Quantity),
}

/// Reads the partners in the order shown.
///
/// # Errors
/// The caption is not there, or there are not exactly `count` pairs of a country and a share.
pub(super) fn find(
    page: &Page,
    region: Lines,
    captions: &[String],
    rule: Rule,
    count: usize,
) -> Result<Vec<Partner>, Miss> {
    let caption = region.clone().find(|&at| {
        let loose = loosen(&page.lines[at].text.replace(['↑', '↓'], ""));
        loose.len() < 60 && captions.iter().any(|caption| loose.contains(caption.as_str()))
    });
    let Some(caption) = caption else {
        let wanted = captions.first().map_or("", String::as_str);
        return Err(Miss {
            kind: FailureKind::LabelMissing,
            nearest: super::section::nearest(page, region, wanted),
        });
    };
    // the smallest block around the caption that holds the pairs; charts of the same section stay outside
    let mut best: Vec<Partner> = Vec::new();
    for block in page.around(caption, region.clone()) {
        let found = pairs(page, page.blocks[block].lines.clone(), rule);
        if found.len() >= count {
            best = found;
            break;
        }
        if found.len() > best.len() {
            best = found;
        }
    }
    if best.len() < count {
        let found = pairs(page, region, rule);
        if found.len() > best.len() {
            best = found;
        }
    }
    if best.len() == count {
        return Ok(best);
    }
    let seen: Vec<String> =
        best.iter().map(|partner| format!("{} {}", partner.name, partner.shown)).collect();
    let kind = if best.len() > count { FailureKind::Ambiguous(seen.clone()) } else { FailureKind::WrongForm };
    Err(Miss {
        kind,
        nearest: Some(if seen.is_empty() { page.lines[caption].text.clone() } else { seen.join(" · ") }),
    })
}

/// Pairs of neighbours, name first or share first, whichever the first pair has.
fn pairs(page: &Page, lines: Lines, rule: Rule) -> Vec<Partner> {
    let mut tokens: Vec<(usize, Token)> = Vec::new();
    for at in lines {
        let line = &page.lines[at];
        if line.chart || line.text.len() > 80 {
            continue;
        }
        let share = |text: &str| match number(text, rule, Some(Unit::Percent)) {
            Some(Read::Quantity(quantity)) => Some(quantity),
            _ => None,
        };
        if let Some(quantity) = share(&line.text) {
            tokens.push((at, Token::Share(line.text.clone(), quantity)));
        } else if let Some(entity) = lookup(&line.text) {
            tokens.push((at, Token::Name(line.text.clone(), entity.id)));
        } else if let Some((name, rest)) = line.text.rsplit_once(' ')
            && let (Some(entity), Some(quantity)) = (lookup(name.trim_end_matches(':')), share(rest))
        {
            tokens.push((at, Token::Name(name.trim_end_matches(':').to_owned(), entity.id)));
            tokens.push((at, Token::Share(rest.to_owned(), quantity)));
        }
    }
    let near = |a: usize, b: usize| b - a <= 2;
    let read = |names_first: bool| {
        let mut found = Vec::new();
        let mut at = 0;
        while at + 1 < tokens.len() {
            let ((first_line, first), (second_line, second)) = (&tokens[at], &tokens[at + 1]);
            let pair = match (first, second) {
                (Token::Name(name, id), Token::Share(shown, share)) if names_first => {
                    Some((name, id, shown, share))
                }
                (Token::Share(shown, share), Token::Name(name, id)) if !names_first => {
                    Some((name, id, shown, share))
                }
                _ => None,
            };
            if let Some((name, id, shown, share)) = pair.filter(|_| near(*first_line, *second_line)) {
                found.push(Partner {
                    name: name.clone(),
                    id: *id,
                    shown: shown.clone(),
                    share: share.clone(),
                });
                at += 2;
            } else {
                at += 1;
            }
        }
        found
    };
    let (forward, backward) = (read(true), read(false));
    if forward.len() >= backward.len() { forward } else { backward }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(html: &str) -> Result<Vec<String>, Miss> {
        let page = Page::parse(html);
        let lines = 0..page.lines.len();
        let found = find(&page, lines, &["export destination".to_owned()], Rule::F6, 3)?;
        Ok(found.into_iter().map(|partner| format!("{} {}", partner.id, partner.shown)).collect())
    }

    #[test]
    fn names_and_shares_pair_in_any_order() {
        let expected = ["276 7.99%", "826 5.90%", "840 5.66%"];
        let after = "<div>Where to? <select data-agt-value='export destination'></select></div><p>Germany</p><p>7.99%</p><p>United Kingdom</p><p>5.90%</p><p>United States of America</p><p>5.66%</p>";
        let before = "<div>export destination</div><p>7.99%</p><p>Germany</p><p>5.90%</p><p>United Kingdom</p><p>5.66%</p><p>United States of America</p>";
        let inline = "<div>export destination</div><p>Germany 7.99%</p><p>United Kingdom 5.90%</p><p>United States of America 5.66%</p>";
        for html in [after, before, inline] {
            assert_eq!(names(html).unwrap(), expected, "{html}");
        }
    }

    #[test]
    fn two_of_three_are_not_enough() {
        let html = "<div>export destination</div><p>Germany</p><p>7.99%</p><p>United Kingdom</p><p>n/a</p><p>Tea</p><p>5.66%</p>";
        let miss = names(html).unwrap_err();
        assert_eq!(miss.kind, FailureKind::WrongForm);
        assert_eq!(miss.nearest.as_deref(), Some("Germany 7.99%"));
    }
}
