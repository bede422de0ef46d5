//! The kind for country names with shares, under a control that tells whether they are destinations
//! or origins.

use std::cmp::Ordering;
use std::rc::Rc;

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, OF_PARTNERS, answered, observe};
use super::rows::{other_totals, rows_behind, source_of};
use crate::atlas::{CountryId, by_id, lookup};
use crate::cell::unadorned;
use crate::document::{Lines, Page, normalize_label};
use crate::evidence::Agreement;
use crate::form::{Read, number};
use crate::label::normalized_labels;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, PreciseValue, Wanted};
use crate::response::rows::{ResponseRow, RowIndex};
use crate::response::shares::{Divisor, Labelled, Sum, share, sums};
use crate::response::{self, ResponseValue};
use crate::value::{AnswerField, Quantity, Rule, Unit};
use crate::view::{View, section};

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The text of the control above the list.
    captions: Vec<String>,
    /// The rule of the shares.
    rule: Rule,
    /// The number of partners shown.
    count: usize,
}

#[derive(Debug)]
struct Partners {
    captions: Vec<String>,
    rule: Rule,
    count: usize,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    let Params { captions, rule, count } = point.find.params()?;
    Ok(Box::new(Partners { captions: normalized_labels(&captions), rule, count }))
}

impl Kind for Partners {
    fn answers(&self) -> &'static [AnswerField] {
        OF_PARTNERS
    }

    fn describe(&self) -> Description {
        let form = format!("{} names with {:?}", self.count, self.rule);
        Description::of("country names with shares, in order", self.caption(), form)
    }

    fn rule(&self) -> Option<Rule> {
        Some(self.rule)
    }

    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        let mut readings = find(page, lines, &self.captions, self.rule, self.count)?;
        let known_shares = KnownShares::of(view, point);
        if let [first, second] = &readings[..] {
            let right = |found: &[Partner]| {
                known_shares
                    .as_ref()
                    .and_then(|known_shares| known_shares.judge(found))
                    .map_or(0, |(right, _)| right)
            };
            match right(first).cmp(&right(second)) {
                Ordering::Greater => {}
                Ordering::Less => readings.swap(0, 1),
                Ordering::Equal => {
                    let shown = |found: &Vec<Partner>| {
                        let pairs = found.iter().map(|partner| format!("{} {}", partner.name, partner.shown));
                        pairs.collect::<Vec<_>>().join(", ")
                    };
                    return Err(FailureKind::Ambiguous(readings.iter().map(shown).collect()).into());
                }
            }
        }
        let found = readings.swap_remove(0);
        let divisor = known_shares
            .as_ref()
            .and_then(|known_shares| known_shares.judge(&found))
            .map(|(_, divisor)| divisor);
        let observations = found.into_iter().enumerate().map(|(index, partner)| {
            let known =
                known_shares.as_ref().zip(divisor.as_ref()).filter(|(_, divisor)| divisor.known.is_some());
            let behind = known.and_then(|(known_shares, divisor)| known_shares.share(partner.id, divisor));
            let read = Read::Quantity(partner.share);
            let mut one = observe(view, point, &read, Some(self.rule), partner.shown, behind.as_ref());
            if let Some(divisor) = divisor.as_ref().filter(|divisor| divisor.known.is_none()) {
                one.agreement = Agreement::Agrees;
                one.reason = format!("{} is a share of {divisor}", one.value);
            }
            one.keys = vec![("rank".into(), (index + 1).to_string()), ("partner".into(), partner.name)];
            one.context.partner = Some(partner.id.to_string());
            one.locator = format!("section `{}`, under \"{}\"", point.section, self.caption());
            one
        });
        Ok(observations.collect())
    }

    fn answer(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (root, index) = rows_behind(view, point).ok_or(FailureKind::ResponseMissing)?;
        let (total, source) = (index.sum(|_| true), source_of(root, point));
        let of_row = |(at, row): (usize, &ResponseRow<'_>)| {
            let value = share(row.value, total).map(PreciseValue::Number);
            let source = format!("{source} of {}", row.name);
            let behind = ResponseValue { value, source, total: None, year: None };
            let mut one = answered(view, point, Some(self.rule), &behind);
            let id = row.id.parse::<CountryId>().ok();
            let name = id.and_then(by_id).map(|entity| entity.short_name.to_owned());
            one.context.partner = id.map(|id| id.to_string());
            one.keys = vec![
                ("rank".into(), (at + 1).to_string()),
                ("partner".into(), name.unwrap_or_else(|| row.name.to_string())),
            ];
            one
        };
        let first = index.ranked(|_| true).into_iter().take(self.count);
        let first: Vec<_> = first.map(|(_, row)| row).enumerate().map(of_row).collect();
        if first.is_empty() { Err(FailureKind::ResponseMissing.into()) } else { Ok(first) }
    }
}

impl Partners {
    fn caption(&self) -> &str {
        self.captions.first().map_or("", String::as_str)
    }
}

/// The shares in the response.
struct KnownShares<'a> {
    index: Rc<RowIndex<'a>>,
    sums: Vec<Sum>,
    source: String,
}

impl<'a> KnownShares<'a> {
    fn of(view: &View<'a>, point: &Point) -> Option<Self> {
        let spec = point.response.as_ref()?;
        let root = response::roots(&view.exchanges, spec, view.country()?).next()?;
        let rows = spec.rows.as_ref()?;
        let index = view.rows_of(root, rows);
        let sums = sums(&index, other_totals(view, rows));
        Some(Self { index, sums, source: source_of(root, point) })
    }

    fn row(&self, id: CountryId) -> Option<(usize, &ResponseRow<'a>)> {
        let rows = self.index.rows.iter().enumerate();
        rows.into_iter().find(|(_, row)| row.id.parse::<CountryId>().is_ok_and(|row| row == id))
    }

    fn share(&self, id: CountryId, divisor: &Divisor) -> Option<ResponseValue> {
        let (_, row) = self.row(id)?;
        let value = divisor.share(row.value).map(PreciseValue::Number);
        Some(ResponseValue {
            value,
            source: format!("{} of {}", self.source, row.name),
            total: None,
            year: None,
        })
    }

    /// How many displayed shares are right, and their divisor.
    fn judge(&self, found: &[Partner]) -> Option<(usize, Divisor)> {
        let label = |partner: &Partner| match self.row(partner.id) {
            Some((at, row)) => (at, row.value, partner.share.interval),
            None => (usize::MAX, None, partner.share.interval),
        };
        let labels: Vec<_> = found.iter().map(label).collect();
        let divisor = Divisor::solve(&labels, &self.sums)?;
        let is_right =
            |(_, value, shown): &&Labelled| divisor.share(*value).is_some_and(|share| shown.contains(share));
        let right = labels.iter().filter(is_right).count();
        Some((right, divisor))
    }
}

/// A partner with its share.
#[derive(Debug, Clone, PartialEq)]
struct Partner {
    /// The displayed name.
    pub name: String,
    /// The country.
    pub id: CountryId,
    /// The displayed share.
    pub shown: String,
    /// The share.
    pub share: Quantity,
}

/// A name, a share, or both on one line.
enum Token {
    Name(String, CountryId),
    Share(String, Quantity),
    Both(Partner),
}

/// The partners in displayed order; two readings if either a name or a share may come first.
type Readings = Vec<Vec<Partner>>;

/// Reads the partners in displayed order.
///
/// # Errors
/// The caption is missing, or there are not exactly `count` pairs of country and share.
fn find(page: &Page, region: Lines, captions: &[String], rule: Rule, count: usize) -> Result<Readings, Miss> {
    let caption = region.clone().find(|&at| {
        let normalized = normalize_label(&page.lines[at].text.replace(['↑', '↓'], ""));
        normalized.len() < 60 && captions.iter().any(|caption| normalized.contains(caption.as_str()))
    });
    let Some(caption) = caption else {
        let wanted = captions.first().map_or("", String::as_str);
        return Err(Miss {
            kind: FailureKind::LabelMissing,
            nearest: section::nearest(page, region, wanted),
        });
    };
    // the smallest block around the caption with all pairs; other charts of the section are outside
    let mut best: Readings = vec![Vec::new()];
    for block in page.around(caption, region.clone()) {
        let found = pairs(page, page.blocks[block].lines.clone(), rule);
        if found[0].len() >= count {
            best = found;
            break;
        }
        if found[0].len() > best[0].len() {
            best = found;
        }
    }
    if best[0].len() < count {
        let found = pairs(page, region, rule);
        if found[0].len() > best[0].len() {
            best = found;
        }
    }
    if best[0].len() == count {
        return Ok(best);
    }
    let best = best.swap_remove(0);
    let seen: Vec<String> =
        best.iter().map(|partner| format!("{} {}", partner.name, partner.shown)).collect();
    let kind = if best.len() > count { FailureKind::Ambiguous(seen.clone()) } else { FailureKind::WrongForm };
    Err(Miss {
        kind,
        nearest: Some(if seen.is_empty() { page.lines[caption].text.clone() } else { seen.join(" · ") }),
    })
}

/// The pairs of a name and a share: from blocks with only these two, or else from neighbours.
/// Neighbours are read name first or share first, whichever gives more pairs. A tie gives two
/// readings, in order of the first name or share.
fn pairs(page: &Page, lines: Lines, rule: Rule) -> Readings {
    let tokens = tokens(page, lines.clone(), rule);
    let (forward, backward) = (neighbours(&tokens, true), neighbours(&tokens, false));
    let boxed = in_blocks(page, &lines, &tokens);
    if boxed.len() >= forward.len().max(backward.len()) {
        return vec![boxed];
    }
    match forward.len().cmp(&backward.len()) {
        Ordering::Greater => vec![forward],
        Ordering::Less => vec![backward],
        Ordering::Equal if matches!(tokens[0].1, Token::Share(..)) => vec![backward, forward],
        Ordering::Equal => vec![forward, backward],
    }
}

fn tokens(page: &Page, lines: Lines, rule: Rule) -> Vec<(usize, Token)> {
    let share = |text: &str| match number(text, rule, Some(Unit::Percent)) {
        Some(Read::Quantity(quantity)) => Some(quantity),
        _ => None,
    };
    let both = |name: &str, shown: &str| {
        let name = name.trim_end_matches([':', ' ', '-', ',']);
        let (id, share) = (lookup(name)?.id, share(shown)?);
        Some(Token::Both(Partner { name: unadorned(name), id, shown: shown.to_owned(), share }))
    };
    let read = |text: &str| {
        if let Some(quantity) = share(text) {
            return Some(Token::Share(text.to_owned(), quantity));
        }
        if let Some(entity) = lookup(text) {
            return Some(Token::Name(unadorned(text), entity.id));
        }
        if !text.contains('%') {
            return None;
        }
        let mut parts = text.match_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
        parts.find_map(|(first, second)| both(first, second).or_else(|| both(second, first)))
    };
    lines
        .map(|at| (at, &page.lines[at]))
        .filter(|(_, line)| !line.chart && line.text.len() <= 80)
        .filter_map(|(at, line)| {
            let counted = || read(uncounted(&line.text)?);
            Some((at, read(&line.text).or_else(counted)?))
        })
        .collect()
}

/// The text after a list number: `1 Uganda`, `#1 Uganda`, `1. Uganda`.
fn uncounted(text: &str) -> Option<&str> {
    let (position, rest) = text.split_once(' ')?;
    let digits = position.trim_start_matches('#').trim_end_matches(['.', ')', ':']);
    (matches!(digits.len(), 1..=2) && digits.bytes().all(|b| b.is_ascii_digit())).then_some(rest)
}

fn neighbours(tokens: &[(usize, Token)], names_first: bool) -> Vec<Partner> {
    let near = |a: usize, b: usize| b - a <= 2;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((line, token)) = tokens.get(at) {
        at += 1;
        let pair = match (token, tokens.get(at).filter(|(next, _)| near(*line, *next)).map(|(_, next)| next))
        {
            (Token::Both(partner), _) => {
                found.push(partner.clone());
                continue;
            }
            (Token::Name(name, id), Some(Token::Share(shown, share))) if names_first => {
                (name, id, shown, share)
            }
            (Token::Share(shown, share), Some(Token::Name(name, id))) if !names_first => {
                (name, id, shown, share)
            }
            _ => continue,
        };
        found.push(partner(pair));
        at += 1;
    }
    found
}

fn partner((name, id, shown, share): (&String, &CountryId, &String, &Quantity)) -> Partner {
    Partner { name: name.clone(), id: *id, shown: shown.clone(), share: share.clone() }
}

/// Names whose smallest larger block has one share and nothing else.
fn in_blocks(page: &Page, lines: &Lines, tokens: &[(usize, Token)]) -> Vec<Partner> {
    let own = |(at, token): &(usize, Token)| match token {
        Token::Both(partner) => Some(partner.clone()),
        Token::Share(..) => None,
        Token::Name(name, id) => {
            let within = |block: usize| {
                let block = &page.blocks[block].lines;
                tokens
                    .iter()
                    .filter(|(line, _)| block.contains(line))
                    .map(|(_, token)| token)
                    .collect::<Vec<_>>()
            };
            let held = page.around(*at, lines.clone()).map(within).find(|held| held.len() > 1)?;
            match held[..] {
                [Token::Name(..), Token::Share(shown, share)]
                | [Token::Share(shown, share), Token::Name(..)] => Some(partner((name, id, shown, share))),
                _ => None,
            }
        }
    };
    tokens.iter().filter_map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(html: &str) -> Result<Vec<String>, Miss> {
        let page = Page::parse(html);
        let lines = 0..page.lines.len();
        let found = find(&page, lines, &["export destination".to_owned()], Rule::F6, 3)?;
        Ok(found.into_iter().flatten().map(|partner| format!("{} {}", partner.id, partner.shown)).collect())
    }

    #[test]
    fn names_and_shares_pair_in_any_order() {
        let expected = ["276 7.99%", "826 5.90%", "840 5.66%"];
        let after = "<div>Where to? <select data-agt-value='export destination'></select></div><p>Germany</p><p>7.99%</p><p>United Kingdom</p><p>5.90%</p><p>United States of America</p><p>5.66%</p>";
        let before = "<div>export destination</div><p>7.99%</p><p>Germany</p><p>5.90%</p><p>United Kingdom</p><p>5.66%</p><p>United States of America</p>";
        let inline = "<div>export destination</div><p>Germany 7.99%</p><p>United Kingdom 5.90%</p><p>United States of America 5.66%</p>";
        let counted = "<div>export destination</div><p>1 Germany 7.99%</p><p>#2 🇬🇧 United Kingdom 5.90%</p><p>3. United States of America 5.66%</p>";
        let share_in_front = "<div>export destination</div><p>7.99% Germany</p><p>5.90% 🇬🇧 United Kingdom</p><p>5.66% United States of America</p>";
        let flag = "<div>export destination</div><div><p>25.55%</p></div><div><p>🇩🇪 Germany</p><p>7.99%</p></div><div><p>United Kingdom</p><p>5.90%</p></div><div><p>United States of America</p><p>5.66%</p></div>";
        for html in [after, before, inline, counted, share_in_front, flag] {
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

    #[test]
    fn where_either_may_come_first_there_are_two_readings() {
        let html = "<div>export destination</div><p>7.99%</p><p>Germany</p><p>5.90%</p><p>United Kingdom</p><p>5.66%</p>\
                    <p>United States of America</p><p>80.45%</p><p>All other countries</p>";
        let expected = [["276 7.99%", "826 5.90%", "840 5.66%"], ["276 5.90%", "826 5.66%", "840 80.45%"]];
        assert_eq!(names(html).unwrap(), expected.concat());
    }
}
