//! Countries and areas of the M49 list: names, codes, country page, frontier flag. They can be looked up by any of
//! their names and found in running text. The list is `value/countries.tsv`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::ids::CountryId;
use crate::value::fold::{fold, fold_char};

/// Whether the site has a page for a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageKnown {
    /// A page has been read.
    Yes,
    /// The site answered that it has no page.
    No,
    /// Never checked.
    Unknown,
}

/// A country or area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its M49 code.
    pub id: CountryId,
    /// ISO 3166 alpha-3 code (`XKX` for Kosovo, retired codes for former countries).
    pub iso3: &'static str,
    /// The name in common use: `Tanzania`.
    pub short_name: &'static str,
    /// The formal name, or the short one if there is no other.
    pub long_name: &'static str,
    /// Other names and spellings.
    pub aliases: Vec<&'static str>,
    /// Whether the site has a country page for it.
    pub page: PageKnown,
    /// Whether it is one of the sixteen countries that the site places at the technological frontier. Their pages show
    /// no growth opportunities.
    pub is_frontier: bool,
    /// Whether it no longer exists, such as the Soviet Union.
    pub is_former: bool,
}

impl Entity {
    /// All names: short, long, others.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.short_name, self.long_name].into_iter().chain(self.aliases.iter().copied())
    }
}

/// All countries and areas, sorted by M49 code.
#[must_use]
pub fn all() -> &'static [Entity] {
    &INDEX.entities
}

/// The country or area with that code.
#[must_use]
pub fn by_id(id: CountryId) -> Option<&'static Entity> {
    let entities = all();
    entities.binary_search_by_key(&id, |entity| entity.id).ok().and_then(|at| entities.get(at))
}

/// Finds a country or area by any of its names or spellings, its alpha-3 code, or the site's `Kenya (KEN)`. Case,
/// diacritics and punctuation do not matter.
#[must_use]
pub fn lookup(name: &str) -> Option<&'static Entity> {
    let key = key(name);
    let short = key.strip_prefix("the ").unwrap_or(&key);
    INDEX.by_name.get(key.as_str()).or_else(|| INDEX.by_name.get(short)).copied().and_then(by_id)
}

/// The short name of the country with this M49 code, as contexts use it: `404` is Kenya.
#[must_use]
pub fn country_name(code: &str) -> Option<&'static str> {
    code.parse().ok().and_then(by_id).map(|entity| entity.short_name)
}

/// The countries that share a short name, if it is one of several: `Congo`.
#[must_use]
pub fn namesakes(name: &str) -> Vec<&'static Entity> {
    let shared = SHARED_NAMES.iter().find(|(known, _)| *known == key(name));
    let names = shared.into_iter().flat_map(|(_, countries)| countries);
    names.filter_map(|country| lookup(country)).collect()
}

/// Finds country names in running text, in order, each with its byte range.
///
/// Matches whole words, the longest name first: `Guinea-Bissau` is not `Guinea`, and `Nigeria` does not contain
/// `Niger`. A name that is also a common word (`turkey`) needs a capital, an abbreviation (`US`) all capitals. Alpha-3
/// codes do not count. Neither do `US$`, `New Jersey` or `Northern Ireland`.
#[must_use]
pub fn find_names(text: &str) -> Vec<(Range<usize>, CountryId)> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let name = INDEX.in_text.get(&word.folded).and_then(|names| {
            names.iter().find(|name| words.get(at..).is_some_and(|rest| name.begins(rest, text)))
        });
        if let (Some(name), Some(last)) = (name, name.and_then(|name| words.get(at + name.words.len() - 1))) {
            if let Some(id) = name.id {
                found.push((word.range.start..last.range.end, id));
            }
            at += name.words.len();
        } else {
            at += 1;
        }
    }
    found
}

/// The capitals a name needs in running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Any,
    /// Also a common word: needs a capital.
    Capital,
    /// An abbreviation: needs all capitals.
    AllCaps,
}

/// A name as a sequence of words.
#[derive(Debug)]
struct Name {
    words: Vec<String>,
    /// Punctuation that the text must have before each word, such as the comma of `Congo, Rep.`.
    gaps: Vec<String>,
    case: Case,
    /// `None` for a phrase that contains a country's name but means something else.
    id: Option<CountryId>,
}

impl Name {
    fn new(name: &str, id: Option<CountryId>) -> Self {
        let found = words(name);
        let letters: Vec<char> = name.chars().filter(|c| c.is_alphabetic()).collect();
        let case = if letters.len() <= 5 && letters.iter().all(|c| c.is_uppercase()) {
            Case::AllCaps
        } else if COMMON_WORDS.contains(&fold(name).as_str()) {
            Case::Capital
        } else {
            Case::Any
        };
        let gaps = found.iter().map(|word| word.gap.clone()).collect();
        Self { words: found.into_iter().map(|word| word.folded).collect(), gaps, case, id }
    }

    /// Whether the text continues with this name.
    fn begins(&self, rest: &[Word], text: &str) -> bool {
        let Some(here) = rest.get(..self.words.len()) else { return false };
        let same = here.iter().zip(&self.words).all(|(word, name)| word.folded == *name)
            && here.iter().zip(&self.gaps).skip(1).all(|(word, gap)| word.gap == *gap);
        same && here.iter().all(|word| {
            let written = text.get(word.range.clone()).unwrap_or_default();
            match self.case {
                Case::Any => true,
                Case::Capital => written.starts_with(char::is_uppercase),
                Case::AllCaps => written.chars().all(char::is_uppercase),
            }
        }) && !(self.case == Case::AllCaps && is_currency(here, text))
    }
}

/// Whether the name is part of a currency: `US$ 5 billion`.
fn is_currency(here: &[Word], text: &str) -> bool {
    here.last()
        .and_then(|word| text.get(word.range.end..))
        .is_some_and(|after| after.trim_start_matches('.').trim_start().starts_with('$'))
}

/// Country names that are also common English words.
const COMMON_WORDS: [&str; 9] =
    ["turkey", "china", "chad", "jersey", "guinea", "jordan", "lao", "emirates", "polish"];

/// Short names of several countries, with the names of these.
const SHARED_NAMES: [(&str, [&str; 2]); 1] =
    [("congo", ["Republic of the Congo", "Democratic Republic of the Congo"])];

/// Phrases that contain a country's name but mean something else.
const NOT_A_COUNTRY: [&str; 29] = [
    "Central America",
    "Central American",
    "Latin American",
    "North American",
    "South American",
    "Indian Ocean",
    "Latin America",
    "North America",
    "South America",
    "New Jersey",
    "New Mexico",
    "Northern Ireland",
    "Inner Mongolia",
    "Gulf of Guinea",
    "Gulf of Mexico",
    "Gulf of Oman",
    "South China Sea",
    "East China Sea",
    "Lake Chad",
    "Lake Malawi",
    "Jordan River",
    "Guinea fowl",
    "Guinea pig",
    "China clay",
    "US dollar",
    "US dollars",
    "U.S. dollar",
    "U.S. dollars",
    "Brazil nuts",
];

/// One word of a text.
struct Word {
    /// Its byte range in the text.
    range: Range<usize>,
    folded: String,
    /// Punctuation before the word that separates more than a space does.
    gap: String,
}

/// Splits a text into words; `&` counts as `and`.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut gap, mut open) = (String::new(), false);
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let folded = fold_char(c);
        if c == '&' {
            words.push(Word { range: at..end, folded: "and".to_owned(), gap: std::mem::take(&mut gap) });
            open = false;
        } else if c.is_alphanumeric() || (open && folded.is_empty()) {
            match words.last_mut().filter(|_| open) {
                Some(word) => {
                    word.folded.push_str(&folded);
                    word.range.end = end;
                }
                None => words.push(Word { range: at..end, folded, gap: std::mem::take(&mut gap) }),
            }
            open = true;
        } else {
            open = false;
            let abbreviated = words.last().is_some_and(|word| word.folded.len() <= 3);
            let soft = c.is_whitespace() || folded == "-" || folded == "'" || (c == '.' && abbreviated);
            if !soft {
                gap.push(c);
            }
        }
    }
    words
}

/// The lookup key of a name. Case, diacritics and punctuation do not matter.
fn key(name: &str) -> String {
    let words: Vec<String> = words(name).into_iter().map(|word| word.folded).collect();
    words.join(" ")
}

struct Index {
    entities: Vec<Entity>,
    by_name: HashMap<String, CountryId>,
    /// Names by their first word, longest first.
    in_text: HashMap<String, Vec<Name>>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut entities: Vec<Entity> = crate::value::COUNTRIES.lines().filter_map(entity).collect();
    entities.sort_by_key(|entity| entity.id);
    let mut by_name = HashMap::new();
    let mut in_text: HashMap<String, Vec<Name>> = HashMap::new();
    let mut add = |name: Name| {
        if let Some(first) = name.words.first() {
            in_text.entry(first.clone()).or_default().push(name);
        }
    };
    for entity in &entities {
        for name in entity.names() {
            by_name.insert(key(name), entity.id);
            add(Name::new(name, Some(entity.id)));
        }
        by_name.insert(key(entity.iso3), entity.id);
        for name in [entity.short_name, entity.long_name] {
            by_name.insert(key(&format!("{name} ({})", entity.iso3)), entity.id);
        }
    }
    for phrase in NOT_A_COUNTRY {
        add(Name::new(phrase, None));
    }
    for names in in_text.values_mut() {
        names.sort_by_key(|name| std::cmp::Reverse(name.words.len()));
    }
    Index { entities, by_name, in_text }
});

/// Parses a line of the list; `None` for its heading.
fn entity(line: &'static str) -> Option<Entity> {
    let mut fields = line.split('\t');
    let id = fields.next()?.parse().ok()?;
    let (iso3, short_name, long_name) = (fields.next()?, fields.next()?, fields.next()?);
    let aliases = fields.next()?.split('|').filter(|name| !name.is_empty()).collect();
    let page = match fields.next()? {
        "yes" => PageKnown::Yes,
        "no" => PageKnown::No,
        _ => PageKnown::Unknown,
    };
    let marks = fields.next()?;
    Some(Entity {
        id,
        iso3,
        short_name,
        long_name: if long_name.is_empty() { short_name } else { long_name },
        aliases,
        page,
        is_frontier: marks.contains("frontier"),
        is_former: marks.contains("former"),
    })
}

#[cfg(test)]
#[path = "entities_tests.rs"]
mod tests;
