//! Faults: what can be wrong with a site, by name, as `--fault name` or `--fault name=argument`.

use super::api::Partial;
use super::site::Dictionary;
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
    /// All faults as they are written, some with several arguments.
    pub fn examples() -> impl Iterator<Item = &'static str> {
        RULES.iter().flat_map(|(examples, _)| examples.iter().copied())
    }

    /// The fault for the front end, when it concerns the front end.
    #[must_use]
    pub fn client(&self) -> Option<String> {
        match self {
            Self::Page(text) => Some(text.clone()),
            Self::FieldsRenamed(seed) => Some(format!("fields-renamed={seed}")),
            Self::NumbersAsText => Some("numbers-as-text".to_owned()),
            _ => None,
        }
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

/// Reads the argument of a fault.
type Rule = fn(Argument<'_>) -> Result<Fault, String>;

/// All faults: examples, of which each begins with the name, and how the argument is read. Those of the front end are
/// described in `web/README.md`.
static RULES: &[(&[&str], Rule)] = &[
    (&["slow=250"], |given| given.number_or(3000, "milliseconds").map(Fault::Slow)),
    (&["too-many=3"], |given| given.times().map(Fault::TooMany)),
    (&["too-many-retry-after"], |given| given.times().map(Fault::TooManyRetryAfter)),
    (&["server-error=2"], |given| given.times().map(Fault::ServerError)),
    (&["reset=1"], |given| given.times().map(Fault::Reset)),
    (&["half-json"], |given| given.times().map(Fault::HalfJson)),
    (&["soft-block-page"], |given| given.none(Fault::SoftBlockPage)),
    (&["wrong-country=231"], |given| {
        given.needed("an M49 code", "231", |m49| m49.parse().ok()).map(Fault::WrongCountry)
    }),
    (&["robots-disallow=/countries/404"], |given| {
        let path = |path: &str| path.starts_with('/').then(|| path.to_owned());
        given.needed("a path", "/countries/404", path).map(Fault::RobotsDisallow)
    }),
    (&["page-disagrees"], |given| given.none(Fault::PageDisagrees)),
    (&["page-lacks=productYear"], |given| {
        let field = |field: &str| (!field.is_empty()).then(|| field.to_owned());
        given.needed("a field", "productYear", field).map(Fault::PageLacks)
    }),
    (&["errors-with-data=exportValue", "errors-with-data=exportValue:largest"], |given| {
        given
            .needed("a field", "exportValue, or exportValue:largest", field_with_errors)
            .map(|(field, largest)| Fault::ErrorsWithData(field, largest))
    }),
    (&["numbers-as-text"], |given| given.none(Fault::NumbersAsText)),
    (&["no-numbers"], |given| given.none(Fault::NoNumbers)),
    (&["schema-lacks=explore:ProductYear.pci"], |given| {
        let element = given.text_or_empty();
        super::api::changed_schemas(&[element], None).map(|_| Fault::SchemaLacks(element.to_owned()))
    }),
    (&["fields-renamed=2"], |given| given.number_or(1, "a seed, a number").map(Fault::FieldsRenamed)),
    (&["drift"], |given| given.none(Fault::Drift)),
    (&["moves-on=12"], |given| given.times().map(|times| Fault::MovesOn(times.unwrap_or(0)))),
    (&["label-renamed=diversity-rank", "label-renamed=gdp:Income a head"], value_key),
    (&["wrong-form=gdp"], value_key),
    (&["value-late=gdp"], value_key),
    (&["value-flickers=gdp"], value_key),
    (&["stray-value=gdp"], value_key),
    (&["format-changed=all"], |given| match given.text_or_empty() {
        "all" => Ok(given.page()),
        key => given.one_of(key, KEYS, "value key or \"all\""),
    }),
    (&["values-swapped=gdp,eci-rank"], |given| {
        let keys = given.text_or_empty().split_once(',');
        let (one, other) = keys.ok_or("values-swapped needs two value keys with a comma between them")?;
        given.one_of(one, KEYS, "value key").and_then(|_| given.one_of(other, KEYS, "value key"))
    }),
    (&["heading-renamed=new-products"], |given| given.one_of(given.key(), SLUGS, "section")),
    (&["section-missing=summary"], |given| given.one_of(given.text_or_empty(), SLUGS, "section")),
    (&["spinner-forever=summary"], |given| match given.text_or_empty() {
        view if VIEWS.split(' ').any(|known| known == view) => Ok(given.page()),
        section => given.one_of(section, SLUGS, "section"),
    }),
    // Explore only: a product code for its cell's label, `total` for the figure in the corner, `pci` for the complexity
    // in tooltips, `hover` for values of chart tooltips, `end` for labels at line ends, or `class` for the classification
    (&["drawn-otherwise=0902:$1.93B"], |given| match given.text_or_empty().split_once(':') {
        Some((_, text)) if !text.is_empty() => Ok(given.page()),
        _ => Err(
            "drawn-otherwise needs a product code, total, pci, hover, end or class, and a text: 0902:$1.93B"
                .to_owned(),
        ),
    }),
    (&["other-country=231"], country),
    (&["lazy"], setting),
    (&["lazy-rest"], setting),
    (&["eager"], setting),
    (&["bar-in-section"], setting),
    (&["cookie-overlay"], setting),
    (&["consent-banner"], setting),
    (&["soft-block"], setting),
    (&["never-starts"], setting),
    (&["script-error"], setting),
    (&["compare-with=792"], country),
    (&["prefetch"], setting),
    // The sum that shares of a treemap are divided by.
    (&["shares-of=all", "shares-of=without-other", "shares-of=goods"], |given| {
        given.one_of(given.text_or_empty(), "all without-other goods", "sum")
    }),
    (&["figures-split"], setting),
    (&["columns-reordered"], setting),
    (&["wordings-renamed=2"], seed),
    (&["wording=income-per-head"], |given| {
        given.one_of(given.text_or_empty(), &Dictionary::of_site().renderings(), "rendering")
    }),
    (&["sections-reordered=2"], seed),
];

pub(crate) const SLUGS: &str = "introduction export-basket export-complexity growth-dynamics market-share new-products product-space \
    paths strategic-approach growth-opportunities product-table summary";

/// Visualisations of the Explore pages.
const VIEWS: &str = "treemap geomap overtime marketshare productspace feasibility feasibility/table";

pub(crate) const KEYS: &str = "gdp gdp-ppp gdp-rank eci-rank growth-projection growth-projection-rank total-exports exporter-rank \
    current-account partner-1 partner-2 partner-3 eci-rank-bar eci-rank-change market-share-sector \
    global-share grade diversity-rank diversity-rank-change new-proportion rca-count coi-rank approach \
    summary-eci-change summary-new-count summary-projection summary-approach";

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (fault, argument) =
            text.split_once('=').map_or((text, None), |(name, argument)| (name, Some(argument)));
        let is_named = |example: &str| example.split('=').next() == Some(fault);
        let found = RULES.iter().find(|(examples, _)| is_named(examples[0]));
        let (_, read) =
            found.ok_or_else(|| format!("unknown fault \"{fault}\"; `atlas-gt twin --help` lists them"))?;
        read(Argument { whole: text, fault, text: argument })
    }
}

/// What is written behind a fault's name.
#[derive(Clone, Copy)]
struct Argument<'a> {
    whole: &'a str,
    fault: &'a str,
    text: Option<&'a str>,
}

impl<'a> Argument<'a> {
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

    fn text_or_empty(self) -> &'a str {
        self.text.unwrap_or_default()
    }

    /// What stands before a colon.
    fn key(self) -> &'a str {
        self.text_or_empty().split(':').next().unwrap_or_default()
    }

    /// A fault of the front end, as written.
    fn page(self) -> Fault {
        Fault::Page(self.whole.to_owned())
    }

    fn page_if(self, fits: bool, problem: impl FnOnce() -> String) -> Result<Fault, String> {
        if fits { Ok(self.page()) } else { Err(problem()) }
    }

    /// A fault of the front end with a word of a list.
    fn one_of(self, word: &str, list: &str, what: &str) -> Result<Fault, String> {
        let is_known = list.split(' ').any(|known| known == word);
        self.page_if(is_known, || format!("{} needs a {what}, not \"{word}\": one of {list}", self.fault))
    }
}

fn value_key(given: Argument<'_>) -> Result<Fault, String> {
    given.one_of(given.key(), KEYS, "value key")
}

fn country(given: Argument<'_>) -> Result<Fault, String> {
    let (fault, text) = (given.fault, given.text_or_empty());
    let is_code = text.parse::<u16>().is_ok();
    given.page_if(is_code, || format!("{fault} needs a numeric country code, not \"{text}\""))
}

/// A seed selects other texts, or another order of everything side by side.
fn seed(given: Argument<'_>) -> Result<Fault, String> {
    let is_seed = given.text.is_none_or(|text| text.parse::<u64>().is_ok());
    let (fault, text) = (given.fault, given.text_or_empty());
    given.page_if(is_seed, || format!("{fault} takes a seed, a number, not \"{text}\""))
}

fn setting(given: Argument<'_>) -> Result<Fault, String> {
    let is_bare = given.text_or_empty().is_empty();
    given.page_if(is_bare, || format!("{} takes no argument", given.fault))
}

/// A field, and whether only the row of the largest trade is meant.
fn field_with_errors(text: &str) -> Option<(String, bool)> {
    let (field, largest) = text.strip_suffix(":largest").map_or((text, false), |field| (field, true));
    let is_name = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (field.to_owned(), largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_faults_of_one_name() {
        for (examples, _) in RULES {
            let name = |example: &str| example.split('=').next().unwrap().to_owned();
            assert!(examples.iter().all(|example| name(example) == name(examples[0])), "{examples:?}");
        }
        for text in Fault::examples().chain(["too-many", "server-error=2", "moves-on=0"]) {
            assert!(text.parse::<Fault>().is_ok(), "{text}");
        }
    }

    #[test]
    fn pages_are_told_their_faults_as_written() {
        for text in ["label-renamed=gdp:Income a head", "lazy", "fields-renamed=2", "numbers-as-text"] {
            assert_eq!(text.parse::<Fault>().unwrap().client().as_deref(), Some(text));
        }
        assert_eq!("fields-renamed".parse::<Fault>().unwrap().client().unwrap(), "fields-renamed=1");
        assert_eq!("slow".parse(), Ok(Fault::Slow(3000)));
        assert_eq!("slow".parse::<Fault>().unwrap().client(), None);
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
