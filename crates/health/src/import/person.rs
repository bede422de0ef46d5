//! Imports verifications: what a person saw on the page, when, and whether it matched. Such a
//! reading counts as browser truth and may score any pipeline (decision 35).

use jiff::Timestamp;

use crate::atlas::AtlasUrl;
use crate::atlas::PageKind;
use crate::external::{MatchWord, Verification};
use crate::truth::{Agreement, Channel, Person, PointProvenance, Row, SourceMethod};
use crate::value::{Quantity, Value, parse};

/// The row key for the record's value, if the person saw another.
const KNOWN_DIFFERENCE: &str = "known_difference";

/// Applies a verification to the rows that the question asks for. Returns whether it is a reading
/// of the page.
pub(super) fn read(seen: &Verification, rows: &mut [(Row, PointProvenance)], read_at: Timestamp) -> bool {
    let Some(shown) = seen.shown.as_deref() else { return false };
    let at = seen.time.as_ref().and_then(|time| time.at).unwrap_or(read_at);
    let why = seen.notes.clone().unwrap_or_else(|| "compared with the page".to_owned());
    let person = Person { by: "verification".to_owned(), at, why, crop: None };
    let mut asked: Vec<&mut (Row, PointProvenance)> =
        rows.iter_mut().filter(|(row, _)| !row.is_support()).collect();
    let is_number = asked.iter().any(|(row, _)| row.number.is_some());
    if asked.is_empty()
        || is_number && quantity(shown).is_none() && !shown.contains(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    match (seen.matches, &mut asked[..]) {
        (Some(MatchWord::Yes), rows) => {
            rows.iter_mut().for_each(|(_, point)| by_hand(point, &person, read_at))
        }
        // the displayed value is the truth, and the record's value becomes a known difference
        (Some(MatchWord::No), [(row, point)]) => {
            let Some(displayed) = displayed(row, shown) else { return false };
            let old = row.value.replace(shown.to_owned());
            row.extra.insert(KNOWN_DIFFERENCE.to_owned(), old.into());
            row.number = displayed.as_ref().map(|quantity| quantity.number.normalize());
            row.unit = row.unit.filter(|_| displayed.is_some());
            point.displayed = row.value.clone();
            point.rule = displayed.as_ref().and_then(|quantity| quantity.rule);
            point.interval = displayed.map(|quantity| quantity.interval);
            point.precise = None;
            by_hand(point, &person, read_at);
        }
        _ => return false,
    }
    true
}

/// Marks a value as read by a person on the page.
fn by_hand(point: &mut PointProvenance, person: &Person, read_at: Timestamp) {
    point.channel = Channel::Person;
    point.person = Some(person.clone());
    point.read_at = person.at.max(read_at);
    if point.precise.is_none() {
        point.agreement = Some(Agreement::Single);
        point.agreement_reason = Some("a person read it on the page".to_owned());
    }
}

/// The displayed value that replaces a row's value: a number for a number, words for words.
fn displayed(row: &Row, shown: &str) -> Option<Option<Quantity>> {
    match (row.number, quantity(shown)) {
        (Some(_), Some(quantity)) => Some(Some(match row.unit {
            Some(unit) => quantity.with_unit(unit),
            None => quantity,
        })),
        (None, None) => Some(None),
        _ => None,
    }
}

fn quantity(text: &str) -> Option<Quantity> {
    match parse(text)? {
        Value::Quantity(quantity) => Some(quantity),
        Value::Text(_) => None,
    }
}

/// The source method for a page at this address; none if it is not a page.
pub(super) fn method(address: &str) -> Option<SourceMethod> {
    let url = AtlasUrl::parse(address).ok()?.url;
    Some(match url.kind() {
        PageKind::Country => SourceMethod::BrowserCountryPage,
        _ => SourceMethod::BrowserExplorePage,
    })
}
