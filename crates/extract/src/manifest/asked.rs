//! What a question asks for, according to its words.

use super::question::ManifestQuestion;
use crate::atlas::{self, CountryId};
use crate::value::fold::words_at;
use crate::value::vocabulary::{self, Term};
use crate::value::{Classification, Flow, Scope};
use atlas_gt_scoring::language::lexicon::{list, listed};
use atlas_gt_scoring::language::{number_in_words, says_yearly, stated};

/// A question, with what its words state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub text: String,
    /// The text in lower case.
    pub lower: String,
    /// The page that answers it.
    pub address: Option<String>,
    /// The page proposed for it, if it names none.
    pub proposed: Option<String>,
    /// Whether it expects a behavior instead of a value from a page.
    pub has_behavior: bool,
    /// The countries that it names.
    pub countries: Vec<CountryId>,
    /// The years that it names, in order.
    pub years: Vec<i16>,
    /// The classifications that it names.
    pub classes: Vec<Classification>,
    /// Known products that it names, by code.
    pub products: Vec<&'static str>,
}

impl Asked {
    /// Reads a question.
    #[must_use]
    pub fn new(text: &str, address: Option<&str>, has_behavior: bool) -> Self {
        let mut countries: Vec<CountryId> = atlas::find_names(text).into_iter().map(|(_, id)| id).collect();
        countries.dedup();
        let terms: Vec<Term> = vocabulary::terms_in(text).into_iter().flatten().collect();
        let of = |kind| terms.iter().filter(move |term| term.kind == kind);
        Self {
            text: text.to_owned(),
            lower: text.to_lowercase(),
            address: address.map(str::to_owned),
            proposed: None,
            has_behavior,
            countries,
            years: years(text),
            classes: of("classification").filter_map(|term| term.canonical.parse().ok()).collect(),
            products: of("product_name").map(|term| term.canonical).collect(),
        }
    }

    /// Whether it contains a phrase from a lexicon list, as whole words.
    #[must_use]
    pub fn says(&self, name: &str) -> bool {
        list(name).iter().any(|phrase| words_at(&self.lower, phrase).is_some())
    }

    /// Whether it contains an entry of a lexicon list, even inside a word.
    fn holds(&self, name: &str) -> bool {
        list(name).iter().any(|part| self.lower.contains(part))
    }

    /// The flow that it asks about, if it names only one.
    #[must_use]
    pub fn flow(&self) -> Option<Flow> {
        let (exports, imports) = (self.lower.contains("export"), self.lower.contains("import"));
        match (exports, imports && !self.lower.contains("important")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    }

    /// Goods, services or both, if stated. Products beside services are goods.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        let goods = self.says("goods_word");
        let services = self.says("services_word");
        match (goods, services, self.says("products_word")) {
            (true, true, _) | (false, true, true) => Some(Scope::GoodsAndServices),
            (true, false, _) => Some(Scope::Goods),
            (false, true, false) => Some(Scope::Services),
            (false, false, _) => None,
        }
    }

    /// How many rows it asks for, if more than one: `which three`, `the five largest`.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        let words = plain_words(&self.text);
        let words: Vec<&str> = words.split(' ').collect();
        words.iter().enumerate().find_map(|(at, word)| {
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
            let is_top = before == Some("top");
            let is_named = matches!(before, Some("which" | "what")) || words.get(at + 1) == Some(&"largest");
            let asks = is_top || is_named;
            let in_words = number_in_words(word).filter(|_| asks).map(usize::from);
            let number = in_words.or_else(|| word.parse().ok().filter(|_| is_top))?;
            (2..=10).contains(&number).then_some(number)
        })
    }

    /// How many years back it asks, if stated: `over the past 20 years`, `in the last decade`.
    #[must_use]
    pub fn span(&self) -> Option<i16> {
        let words: Vec<&str> =
            self.lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        words.iter().enumerate().find_map(|(at, word)| {
            let before = |back: usize| at.checked_sub(back).and_then(|place| words.get(place)).copied();
            let number = |word: &str| word.parse().ok().or_else(|| number_in_words(word).map(i16::from));
            let is_past = |back| before(back).is_some_and(|word| listed("span_start", word));
            match *word {
                "years" => {
                    number(before(1)?).filter(|years| (2..=60).contains(years) && (is_past(2) || is_past(3)))
                }
                "decade" => is_past(1).then_some(10),
                "decades" => {
                    number(before(1)?).filter(|_| is_past(2) || is_past(3)).map(|decades: i16| decades * 10)
                }
                _ => None,
            }
        })
    }

    /// Whether it asks for growth per year.
    #[must_use]
    pub fn asks_yearly_growth(&self) -> bool {
        says_yearly(&self.text) && self.holds("asks_rate")
    }

    /// Whether it asks for growth over the whole period.
    #[must_use]
    pub fn asks_total_growth(&self) -> bool {
        !self.asks_yearly_growth() && self.holds("asks_whole_change") && self.holds("asks_growth")
    }

    /// Whether it asks for a change, in any measure.
    #[must_use]
    pub fn asks_change(&self) -> bool {
        self.holds("asks_movement")
    }

    /// Whether it asks for others than those it names.
    #[must_use]
    pub fn asks_who(&self) -> bool {
        self.says("asks_who")
    }
}

impl From<ManifestQuestion<'_>> for Asked {
    fn from(question: ManifestQuestion<'_>) -> Self {
        let (text, address) = (question.text().unwrap_or_default(), question.address());
        Self::new(text, address.as_deref(), question.expects_behavior())
    }
}

/// Whether two texts ask the same thing: in the same words, or about the same subject and measure (decision 34).
#[must_use]
pub fn same_question(a: &str, b: &str) -> bool {
    if same_words(a, b) {
        return true;
    }
    let [one, other] = [a, b].map(|text| Asked::new(text, None, false));
    let [said, told] = [a, b].map(stated);
    let sorted = |asked: &Asked| {
        let mut ids = asked.countries.clone();
        ids.sort_unstable();
        (ids, asked.years.clone(), asked.classes.clone(), asked.products.clone(), asked.count())
    };
    !said.measures.is_empty()
        && !one.countries.is_empty()
        && sorted(&one) == sorted(&other)
        && said == told
        && one.asks_who() == other.asks_who()
        && (one.asks_yearly_growth(), one.asks_total_growth())
            == (other.asks_yearly_growth(), other.asks_total_growth())
        && others(a) == others(b)
}

/// Words that change what a question asks but name no measure. Two equal questions have the same ones.
pub(super) fn others(text: &str) -> Vec<&'static str> {
    let lower = text.to_lowercase();
    list("alters_question").iter().filter(|word| lower.contains(*word)).map(String::as_str).collect()
}

/// Whether two texts have the same words, whatever separates them.
#[must_use]
pub fn same_words(a: &str, b: &str) -> bool {
    plain_words(a) == plain_words(b)
}

/// The words of a text in lower case, with one space between them.
#[must_use]
pub fn plain_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The years that a text asks about, without those of a classification (`HS 2012`) and the start of an open span
/// (`since 2009`).
fn years(text: &str) -> Vec<i16> {
    let mut found = Vec::new();
    let (mut before, mut earlier) = ("", "");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let year = (word.len() == 4)
            .then(|| word.parse::<i16>().ok())
            .flatten()
            .filter(|year| (1950..=2050).contains(year));
        let is_other = listed("before_other_year", &before.to_ascii_lowercase());
        // `in dollars of 2024` states a price basis
        let is_price = before.eq_ignore_ascii_case("of") && listed("price_word", earlier);
        found.extend(year.filter(|_| !is_other && !is_price));
        (earlier, before) = (before, word);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_says_years_classifications_countries_and_products() {
        let asked = Asked::new(
            "How much coffee did Turkey export to the US from 2012 to 2024 (HS 2012)?",
            None,
            false,
        );
        assert_eq!((asked.years, asked.classes), (vec![2012, 2024], vec![Classification::Hs12]));
        assert_eq!(asked.countries.len(), 2);
        assert_eq!(asked.products, ["0901"]);
        let span = |text| Asked::new(text, None, false).span();
        assert_eq!(span("How did it change over the past 20 years?"), Some(20));
        assert_eq!(
            (span("in the last decade"), span("over the last two decades"), span("since 1990")),
            (Some(10), Some(20), None)
        );
        let years = |text| Asked::new(text, None, false).years;
        assert!(years("How many new products since 2009?").is_empty());
        assert_eq!(years("How much did it export in 2019, in dollars of 2024?"), [2019]);
    }

    #[test]
    fn decision_34_a_question_is_the_same_by_what_it_asks_for() {
        for (a, b, same) in [
            ("What is the GDP per capita of Kenya?", "How high is Kenya's GDP per capita?", true),
            ("What is the GDP per capita of Kenya?", "What is the GDP per capita of Uganda?", false),
            ("What is the GDP per capita of Kenya?", "What is the GDP per capita rank of Kenya?", false),
            ("What did Kenya export in 2020?", "What did Kenya export in 2021?", false),
            ("Who wrote this?", "who wrote  this", true),
            ("Who wrote this?", "Why is that?", false),
        ] {
            assert_eq!(same_question(a, b), same, "{a} / {b}");
        }
    }

    #[test]
    fn a_question_says_which_growth_and_which_flow() {
        let asked = |text| Asked::new(text, None, false);
        assert!(asked("How fast did exports grow a year?").asks_yearly_growth());
        assert!(asked("By how much did the exports change from 2015 to 2024?").asks_total_growth());
        assert!(!asked("How did the share change?").asks_total_growth());
        assert_eq!(asked("Which products did it import?").flow(), Some(Flow::Import));
        assert_eq!(asked("exports and imports").flow(), None);
    }
}
