//! The precise value behind a displayed one, from the page's own responses, and whether the two
//! agree.

pub mod catalogues;
mod datum;
mod exchange;
mod failed;
mod request;
mod root;
pub mod rows;
pub mod shares;
pub(crate) mod unread;

pub use datum::{Datum, number, plain};
pub use exchange::{Exchanges, bodies};
pub use failed::ResponseBody;
pub use root::Root;
pub use unread::Lack;
pub(crate) use unread::Lacking;
pub use unread::Unread;

use rust_decimal::Decimal;

use crate::atlas::CountryId;
use crate::manifest::spec::{OtherTotal, Response};
use crate::value::{Quantity, vocabulary};

use crate::evidence::Agreement;
use crate::observation::{Backing, PreciseValue};

/// A value in a response.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseValue {
    /// The value, scaled to the displayed unit; none for null.
    pub value: Option<PreciseValue>,
    /// Its source.
    pub source: String,
    /// For a rank, the number of ranked items, if the response has it.
    pub total: Option<Decimal>,
    /// Its year, if the response or the query names one.
    pub year: Option<i16>,
}

/// The country of a query; none if it names none.
pub(super) fn country_of(root: &Root<'_>) -> Option<CountryId> {
    ["location", "id"].iter().find_map(|arg| root.args.get(*arg)?.parse().ok())
}

/// The root fields for a country with the arguments that a point needs.
pub fn roots<'a, 'e>(
    exchanges: &'a Exchanges<'e>,
    response: &'a Response,
    country: CountryId,
) -> impl Iterator<Item = &'a Root<'e>> {
    fitting(exchanges, response).filter(move |root| country_of(root).is_none_or(|id| id == country))
}

/// The root fields with the arguments that a point needs, for any country.
fn fitting<'a, 'e>(
    exchanges: &'a Exchanges<'e>,
    response: &'a Response,
) -> impl Iterator<Item = &'a Root<'e>> {
    exchanges.iter().filter(move |root| {
        let named = root.field == response.field
            || response.or_field.as_deref().is_some_and(|field| root.field == field);
        let args = response.args.iter().all(|(name, wanted)| {
            let given = root.args.get(name);
            match wanted.strip_suffix('?') {
                Some(wanted) => given.is_none_or(|given| given == wanted),
                // arguments of another field do not apply
                None if root.field != response.field => true,
                None => given == Some(wanted),
            }
        });
        let window = response.window.as_ref().is_none_or(|wanted| {
            let own = response.window_arg.as_ref().and_then(|name| root.args.get(name));
            own.or_else(|| root.args.get("yearRange")) == Some(wanted)
        });
        named && args && window
    })
}

/// Another country for which the page queried this, although not for its own.
pub(super) fn asked_of_another(
    exchanges: &Exchanges<'_>,
    response: &Response,
    country: CountryId,
) -> Option<CountryId> {
    let another = fitting(exchanges, response).find_map(country_of);
    another.filter(|_| roots(exchanges, response, country).next().is_none())
}

/// Another country whose response holds a displayed number.
pub(super) fn held_by_another(
    exchanges: &Exchanges<'_>,
    response: &Response,
    country: CountryId,
    shown: &Quantity,
) -> Option<CountryId> {
    let path = response.path.as_deref()?;
    fitting(exchanges, response).find_map(|root| {
        let another = country_of(root).filter(|id| *id != country)?;
        let holds = behind_of(exchanges, root, response, path)?.agrees_with_number(shown);
        holds.unwrap_or(false).then_some(another)
    })
}

/// The value of a point with a `path`.
pub fn behind(exchanges: &Exchanges<'_>, response: &Response, country: CountryId) -> Option<ResponseValue> {
    let path = response.path.as_deref()?;
    let mut all = roots(exchanges, response, country)
        .filter_map(|root| behind_of(exchanges, root, response, path))
        .peekable();
    let first = all.peek().cloned();
    all.find(|behind| behind.value.is_some()).or(first)
}

fn behind_of(
    exchanges: &Exchanges<'_>,
    root: &Root<'_>,
    response: &Response,
    path: &str,
) -> Option<ResponseValue> {
    let raw = root.get(path)?;
    let year = response
        .year
        .as_deref()
        .and_then(|path| root.get(path).and_then(Datum::as_i64))
        .or_else(|| response.year_arg.as_deref().and_then(|arg| root.args.get(arg)?.parse().ok()))
        .and_then(|year| i16::try_from(year).ok());
    let total = response.total.as_ref().and_then(|total| ranked(exchanges, total));
    Some(ResponseValue { value: scaled(root, raw, response), source: source(root, path), total, year })
}

/// The number of ranked items.
fn ranked(exchanges: &Exchanges<'_>, total: &OtherTotal) -> Option<Decimal> {
    exchanges.named(&total.field).find_map(|root| number(root.get(&total.path)?))
}

/// The field, arguments and path, as text for people.
pub fn source(root: &Root<'_>, path: &str) -> String {
    let args: Vec<String> = root.args.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    format!("{}{args}.{path}", root.field)
}

fn scaled(root: &Root<'_>, raw: &Datum<'_>, response: &Response) -> Option<PreciseValue> {
    let Some(mut value) = number(raw) else {
        return plain(raw).filter(|_| !matches!(raw, Datum::Number(_))).map(PreciseValue::Word);
    };
    if let Some(path) = &response.minus {
        value = value.checked_sub(number(root.get(path)?)?)?;
    }
    if let Some(path) = &response.over {
        value = value.checked_div(number(root.get(path)?)?)?;
    }
    if let Some(scale) = &response.scale {
        value = value.checked_mul(scale.parse().ok()?)?;
    }
    Some(match &response.signs {
        Some(signs) if value > Decimal::ZERO => PreciseValue::Word(signs.positive.clone()),
        Some(signs) if value < Decimal::ZERO => PreciseValue::Word(signs.negative.clone()),
        Some(_) => return None,
        None => PreciseValue::Number(value),
    })
}

impl ResponseValue {
    /// The value in the form of the provenance.
    pub fn backing(&self) -> Option<Backing> {
        Some(Backing { source: self.source.clone(), precise: self.value.as_ref()?.to_string() })
    }

    /// Whether a displayed number is this value rounded. A rank must also have the same total.
    pub fn agrees_with_number(&self, shown: &Quantity) -> Option<bool> {
        let totals = shown.total.map(Decimal::from).zip(self.total);
        match self.value.as_ref()? {
            PreciseValue::Number(number) => {
                Some(shown.interval.contains(*number) && totals.is_none_or(|(shown, given)| shown == given))
            }
            PreciseValue::Word(_) => None,
        }
    }

    /// Whether a displayed word means the same as this value.
    pub fn agrees_with_word(&self, kind: Option<&str>, shown: &str) -> Option<bool> {
        match self.value.as_ref()? {
            PreciseValue::Word(word) => Some(vocabulary::same_words_of(kind, word, shown).is_some()),
            PreciseValue::Number(_) => None,
        }
    }
}

/// Explains an agreement in one sentence.
pub fn explain(
    agrees: Option<bool>,
    value: &str,
    behind: Option<&ResponseValue>,
    honest: Option<&str>,
) -> (Agreement, String) {
    let precise = behind.and_then(|behind| behind.value.as_ref());
    match (agrees, precise) {
        (Some(true), Some(precise)) => {
            (Agreement::Agrees, format!("{precise} in the response is displayed as {value}"))
        }
        (Some(false), Some(precise)) => {
            let why = honest.map(|why| format!(": {why}")).unwrap_or_default();
            let total = behind.and_then(|behind| behind.total).map(|total| format!(" of {total}"));
            let total = total.unwrap_or_default();
            (
                Agreement::PageDisagrees,
                format!("the page shows {value}, its response says {precise}{total}{why}"),
            )
        }
        _ => (Agreement::Single, "no response of the page holds this value".to_owned()),
    }
}
