//! Faults: what can be wrong with a site, by name, as `--fault name` or `--fault name=argument`.

use super::api::Partial;
use super::site::check_fault;
use std::fmt;
use std::str::FromStr;

/// Something that is wrong. How often is the number of API requests it hits; without a number, all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// `slow[=MS]`: API requests take this many milliseconds longer (default 3000).
    Slow(u64),
    /// `too-many[=N]`: the next N API requests get 429 without `Retry-After`.
    TooMany(Option<u32>),
    /// `too-many-retry-after[=N]`: the same with `Retry-After: 1`.
    TooManyRetryAfter(Option<u32>),
    /// `server-error[=N]`: the next N API requests get 500.
    ServerError(Option<u32>),
    /// `reset[=N]`: the connections of the next N API requests are reset before an answer.
    Reset(Option<u32>),
    /// `half-json[=N]`: the bodies of the next N API answers end half way.
    HalfJson(Option<u32>),
    /// `soft-block-page`: every page and API request gets a "too many requests" page with status 200.
    SoftBlockPage,
    /// `wrong-country=M49`: the API answers for this country, whichever was asked for.
    WrongCountry(u32),
    /// `page-disagrees`: requests that pages send get revised figures, other clients get the published ones.
    PageDisagrees,
    /// `page-lacks=FIELD`: requests that pages send for a field of the query type get null and an error for it, other
    /// clients get the data.
    PageLacks(String),
    /// `errors-with-data=FIELD[:largest]`: a field is null wherever it is asked for, or in each list in the row of the largest
    /// trade alone, and the answer has an error for each place beside its data.
    ErrorsWithData(String, bool),
    /// `numbers-as-text`: the numbers of both APIs are texts, and pages read them so.
    NumbersAsText,
    /// `no-numbers`: the figures of both APIs are null, without an error; years stay.
    NoNumbers,
    /// `schema-lacks=API:TYPE.FIELD`: that API has no such field any more, as in `explore:ProductYear.pci`.
    SchemaLacks(String),
    /// `fields-renamed[=SEED]`: fields of values are called otherwise, in both APIs and in what pages ask them for; the
    /// seed (default 1) picks the names.
    FieldsRenamed(u64),
    /// `drift`: all figures are those of a revision of the data.
    Drift,
    /// `moves-on[=N]`: the first N API requests (default 0) are answered from the release that is out, all later
    /// ones from the next.
    MovesOn(u32),
    /// `robots-disallow=PATH`: robots.txt asks programs to leave paths alone that begin so.
    RobotsDisallow(String),
    /// A fault of the front end, as written.
    Page(String),
}

impl Fault {
    /// One of each, as they are written.
    pub const EXAMPLES: [&str; 51] = [
        "slow=250",
        "too-many=3",
        "too-many-retry-after",
        "server-error=2",
        "reset=1",
        "half-json",
        "soft-block-page",
        "wrong-country=231",
        "robots-disallow=/countries/404",
        "page-disagrees",
        "page-lacks=productYear",
        "errors-with-data=exportValue",
        "errors-with-data=exportValue:largest",
        "numbers-as-text",
        "no-numbers",
        "schema-lacks=explore:ProductYear.pci",
        "fields-renamed=2",
        "drift",
        "moves-on=12",
        "label-renamed=diversity-rank",
        "wrong-form=gdp",
        "value-late=gdp",
        "value-flickers=gdp",
        "stray-value=gdp",
        "format-changed=all",
        "values-swapped=gdp,eci-rank",
        "heading-renamed=new-products",
        "section-missing=summary",
        "spinner-forever=summary",
        "drawn-otherwise=0902:$1.93B",
        "other-country=231",
        "lazy",
        "lazy-rest",
        "eager",
        "bar-in-section",
        "cookie-overlay",
        "consent-banner",
        "soft-block",
        "never-starts",
        "script-error",
        "compare-with=792",
        "prefetch",
        "shares-of=all",
        "shares-of=without-other",
        "shares-of=goods",
        "figures-split",
        "columns-reordered",
        "label-renamed=gdp:Income a head",
        "wordings-renamed=2",
        "wording=income-per-head",
        "sections-reordered=2",
    ];

    /// The fault for the front end, when it concerns the front end.
    #[must_use]
    pub fn client(&self) -> Option<String> {
        matches!(self, Self::Page(_) | Self::FieldsRenamed(_) | Self::NumbersAsText).then(|| self.to_string())
    }

    /// What is wrong with the data of an answer, where that is so.
    pub(crate) fn partial(&self) -> Option<Partial> {
        Some(match self {
            Self::ErrorsWithData(field, largest) => {
                Partial::Errors { field: field.clone(), largest: *largest }
            }
            Self::NumbersAsText => Partial::NumbersAsText,
            Self::NoNumbers => Partial::NoNumbers,
            _ => return None,
        })
    }

    /// How many API requests the fault hits in all; `None` is all of them.
    pub(crate) const fn times(&self) -> Option<u32> {
        match self {
            Self::TooMany(times)
            | Self::TooManyRetryAfter(times)
            | Self::ServerError(times)
            | Self::Reset(times)
            | Self::HalfJson(times) => *times,
            _ => None,
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, argument) =
            text.split_once('=').map_or((text, None), |(name, argument)| (name, Some(argument)));
        let argument = Argument { fault: name, text: argument };
        match name {
            "slow" => argument.number_or(3000, "milliseconds").map(Self::Slow),
            "too-many" => argument.times().map(Self::TooMany),
            "too-many-retry-after" => argument.times().map(Self::TooManyRetryAfter),
            "server-error" => argument.times().map(Self::ServerError),
            "reset" => argument.times().map(Self::Reset),
            "half-json" => argument.times().map(Self::HalfJson),
            "soft-block-page" => argument.none(Self::SoftBlockPage),
            "wrong-country" => {
                argument.needed("an M49 code", "231", |m49| m49.parse().ok()).map(Self::WrongCountry)
            }
            "page-lacks" => argument
                .needed("a field", "productYear", |field| (!field.is_empty()).then(|| field.to_owned()))
                .map(Self::PageLacks),
            "errors-with-data" => argument
                .needed("a field", "exportValue, or exportValue:largest", field_with_errors)
                .map(|(field, largest)| Self::ErrorsWithData(field, largest)),
            "numbers-as-text" => argument.none(Self::NumbersAsText),
            "no-numbers" => argument.none(Self::NoNumbers),
            "schema-lacks" => {
                let element = argument.text.unwrap_or_default();
                super::api::changed_schemas(&[element], None).map(|_| Self::SchemaLacks(element.to_owned()))
            }
            "fields-renamed" => argument.number_or(1, "a seed, a number").map(Self::FieldsRenamed),
            "page-disagrees" => argument.none(Self::PageDisagrees),
            "drift" => argument.none(Self::Drift),
            "robots-disallow" => argument
                .needed("a path", "/countries/404", |path| path.starts_with('/').then(|| path.to_owned()))
                .map(Self::RobotsDisallow),
            "moves-on" => argument.times().map(|times| Self::MovesOn(times.unwrap_or(0))),
            _ => check_fault(text).map(|()| Self::Page(text.to_owned())),
        }
    }
}

/// What is written behind a fault's name.
#[derive(Clone, Copy)]
struct Argument<'a> {
    fault: &'a str,
    text: Option<&'a str>,
}

impl Argument<'_> {
    fn none(self, fault: Fault) -> Result<Fault, String> {
        self.text.map_or(Ok(fault), |_| Err(format!("fault {} takes no argument", self.fault)))
    }

    /// How many requests it hits.
    fn times(self) -> Result<Option<u32>, String> {
        let number = |text: &str| text.parse().map_err(|_| self.no("a number of requests", text));
        self.text.map(number).transpose()
    }

    fn number_or(self, default: u64, takes: &str) -> Result<u64, String> {
        self.text.map_or(Ok(default), |text| text.parse().map_err(|_| self.no(takes, text)))
    }

    fn no(self, takes: &str, text: &str) -> String {
        format!("fault {} takes {takes}, not \"{text}\"", self.fault)
    }

    fn needed<T>(self, needs: &str, example: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let fault = self.fault;
        self.text.and_then(read).ok_or_else(|| format!("fault {fault} needs {needs}: {fault}={example}"))
    }
}

/// A field, and whether only the row of the largest trade is meant.
fn field_with_errors(text: &str) -> Option<(String, bool)> {
    let (field, largest) = text.strip_suffix(":largest").map_or((text, false), |field| (field, true));
    let is_name = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (field.to_owned(), largest))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Slow(wait) => return write!(f, "slow={wait}"),
            Self::MovesOn(after) => return write!(f, "moves-on={after}"),
            Self::WrongCountry(m49) => return write!(f, "wrong-country={m49}"),
            Self::PageLacks(field) => return write!(f, "page-lacks={field}"),
            Self::FieldsRenamed(seed) => return write!(f, "fields-renamed={seed}"),
            Self::ErrorsWithData(field, largest) => {
                return write!(f, "errors-with-data={field}{}", if *largest { ":largest" } else { "" });
            }
            Self::SchemaLacks(element) => return write!(f, "schema-lacks={element}"),
            Self::RobotsDisallow(path) => return write!(f, "robots-disallow={path}"),
            Self::Page(text) => return f.write_str(text),
            Self::TooMany(_) => "too-many",
            Self::TooManyRetryAfter(_) => "too-many-retry-after",
            Self::ServerError(_) => "server-error",
            Self::Reset(_) => "reset",
            Self::HalfJson(_) => "half-json",
            Self::SoftBlockPage => "soft-block-page",
            Self::PageDisagrees => "page-disagrees",
            Self::Drift => "drift",
            Self::NumbersAsText => "numbers-as-text",
            Self::NoNumbers => "no-numbers",
        };
        match self.times() {
            Some(times) => write!(f, "{name}={times}"),
            None => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_written_as_they_are_read() {
        for text in Fault::EXAMPLES.into_iter().chain(["too-many", "server-error=2", "moves-on=0"]) {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_not_a_fault_is_refused() {
        for text in [
            "",
            "slow=soon",
            "server-error=-1",
            "drift=2",
            "wrong-country",
            "page-lacks",
            "errors-with-data",
            "errors-with-data=",
            "errors-with-data=a:all",
            "numbers-as-text=1",
            "schema-lacks=explore:ProductYear.nothing",
            "schema-lacks=ProductYear.pci",
            "robots-disallow",
            "label-renamed=nothing",
            "fields-renamed=all",
            "wordings-renamed=all",
            "wordings-renamed=",
            "wording=nothing",
            "sections-reordered=-1",
            "no-such",
        ] {
            assert!(text.parse::<Fault>().is_err(), "{text}");
        }
    }
}
