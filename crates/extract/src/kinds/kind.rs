//! What every kind of data point is: how it reads, what it needs, what it says of itself; and the values that kinds make.

use std::fmt;
use std::ops::Range;

use rust_decimal::Decimal;

use crate::atlas::{PageKind, Viz};
use crate::cue::Cue;
use crate::evidence::{Agreement, Channel};
use crate::form::{Form, Read, canonical};
use crate::label::Label;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Problem};
use crate::observation::{FailureKind, Miss, Observation, PreciseValue, Reading, Tooltip, Wanted};
use crate::response::{ResponseValue, explain};
use crate::table::TableForm;
use crate::value::{Absence, AnswerField, Context, Quantity, Rule, Unit, format, vocabulary};
use crate::view::View;

/// What a kind reads of a page.
pub type Found = Result<Vec<Observation>, Miss>;

/// A kind made of a point's parameters, or what is wrong with them.
pub type Built = Result<Box<dyn Kind>, Problem>;

/// How one point is found.
pub trait Kind: fmt::Debug + Send + Sync {
    /// How it reads, as the manifest words it: from what the page shows, if it does not say otherwise.
    fn method(&self) -> Method {
        Method::Dom
    }

    /// What it needs of a page, a question and the APIs, beside the page itself.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Label and form of its value.
    fn describe(&self) -> Description;

    /// Reads a page.
    ///
    /// # Errors
    /// It is not there, or not in its form.
    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found;

    /// Reads answers to our own queries, without any page.
    ///
    /// # Errors
    /// No answer holds it.
    fn answer(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let behind = view.behind(point).ok_or(FailureKind::ResponseMissing)?;
        Ok(vec![answered(view, point, self.rule(), &behind)])
    }

    /// The fields of its rows that may answer a question.
    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value, AnswerField::Direction]
    }

    /// What it is found by, where it is a figure or word beside a label.
    fn label(&self) -> Option<&Label> {
        None
    }

    /// The rule that a page prints its number by.
    fn rule(&self) -> Option<Rule> {
        None
    }

    /// The values that a person can find in the drawing when no response gives them; none where it is not drawn.
    fn for_person(&self, _view: &View<'_>, _point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        Vec::new()
    }

    /// Where a text says the value that the response behind it rounds to; none of what is not read from prose.
    fn said(&self, _point: &Point, _text: &str, _behind: &ResponseValue) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// The text that such a picture is cut around; all of its section where there is none.
    fn around(&self) -> Option<&Cue> {
        None
    }

    /// Whether nothing visible has confirmed the page's response yet; another look may show what does.
    fn is_unconfirmed(&self, _view: &View<'_>) -> bool {
        false
    }

    /// Whether it is known which responses its value rests on, and they are looked up when it is read. What else a page displays
    /// may rest on any of its responses.
    fn is_backed(&self, point: &Point) -> bool {
        point.response.is_some()
    }

    /// What could be opened on the page to confirm its value.
    fn tooltips(&self, _view: &View<'_>, _wanted: &Wanted) -> Vec<Tooltip> {
        Vec::new()
    }
}

/// The place of a value that a person is to read: what is known of it before.
#[derive(Debug, Clone)]
pub struct Slot {
    /// What distinguishes its row from others: `rank`, `product`.
    pub keys: Vec<(String, String)>,
    /// The key of the name that the person reads beside the value; none where the value stands alone.
    pub named: Option<&'static str>,
    /// Its form.
    pub form: Form,
    /// What it is about.
    pub context: Context,
}

impl Slot {
    /// That of a value that stands alone.
    pub fn of(form: Form, context: Context) -> Self {
        Self { keys: Vec::new(), named: None, form, context }
    }

    /// Those of a list, the largest first: the person reads a name with each value.
    pub fn ranked(count: usize, named: &'static str, form: &Form, context: &Context) -> Vec<Self> {
        let one = |rank: usize| Self {
            keys: vec![("rank".to_owned(), rank.to_string())],
            named: Some(named),
            ..Self::of(form.clone(), context.clone())
        };
        (1..=count).map(one).collect()
    }
}

/// What a kind needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Kinds of page that it can read; any where none is named.
    pub pages: &'static [PageKind],
    /// A question has to name the product that it is about.
    pub product: bool,
    /// A question has to name the trade partner that it is about.
    pub partner: bool,
    /// It has a value a year, and a question may name one.
    pub year: bool,
    /// The sticky header of its section may show it.
    pub sticky_header: bool,
    /// A picture of it is kept for a person: its page is one drawing.
    pub picture: bool,
    /// The rows of the drawing hold it.
    pub rows: bool,
    /// Queries that hold it beside.
    pub also: Vec<String>,
    /// No page shows it: queries of our own are asked, and no page is opened for it.
    pub own: bool,
    /// The classification that a code is converted into.
    pub target: Option<String>,
}

/// What a row of a product may answer with.
pub(crate) const OF_PRODUCTS: &[AnswerField] =
    &[AnswerField::Value, AnswerField::Share, AnswerField::Name, AnswerField::Code, AnswerField::Rank];
/// What a row of a trade partner may answer with.
pub(crate) const OF_PARTNERS: &[AnswerField] = &[AnswerField::Value, AnswerField::Name, AnswerField::Rank];

/// A treemap of the Explore pages.
pub(crate) const TREEMAP: PageKind = PageKind::Explore(Viz::Treemap);
/// The map of the Explore pages.
pub(crate) const GEOMAP: PageKind = PageKind::Explore(Viz::Geomap);
/// The product space of the Explore pages.
pub(crate) const PRODUCTSPACE: PageKind = PageKind::Explore(Viz::Productspace);
/// The graph of growth opportunities.
pub(crate) const FEASIBILITY: PageKind = PageKind::Explore(Viz::Feasibility);
/// The table of growth opportunities.
pub(crate) const FEASIBILITY_TABLE: PageKind = PageKind::Explore(Viz::FeasibilityTable);

/// A kind in words: for messages and for the docs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// What it reads.
    pub summary: &'static str,
    /// The label or cue of this point.
    pub label: String,
    /// The form of its value.
    pub form: String,
}

impl Description {
    /// One of these words.
    pub fn of(summary: &'static str, label: impl Into<String>, form: impl Into<String>) -> Self {
        Self { summary, label: label.into(), form: form.into() }
    }

    /// A table, or a part of one.
    pub fn of_table(form: &TableForm) -> Self {
        let title = form.titles.first().map_or("", |cue| cue.source.as_str());
        let columns = form.columns.iter().map(|column| column.id.as_str()).collect::<Vec<_>>();
        Self::of("a table with headers, by `<table>` or not", title, columns.join(" | "))
    }
}

/// A value of the page's text, with the response behind it.
pub fn observe(
    view: &View<'_>,
    point: &Point,
    read: &Read,
    rule: Option<Rule>,
    shown: String,
    behind: Option<&ResponseValue>,
) -> Observation {
    if let Some(behind) = behind.filter(|behind| behind.value.is_none()) {
        // a page makes something of a null: no count, a surplus
        view.exchanges
            .unread()
            .note(behind.source.as_str(), format!("it holds no value, and the page shows \"{shown}\""));
    }
    let (reading, value) = match read {
        Read::Quantity(quantity) => {
            let value = rule.map_or_else(|| shown.clone(), |rule| canonical(quantity, rule, &shown));
            (Reading::Quantity(quantity.clone()), value)
        }
        Read::Word(word) => (Reading::Text(word.clone()), word.clone()),
    };
    let known = point.response.as_ref().and_then(|response| response.known_difference.as_deref());
    let (agreement, reason) = explain(agreement(point, read, behind), &value, behind, known);
    let context = view.context(point, behind.and_then(|behind| behind.year));
    Observation {
        displayed: shown,
        rule,
        backing: behind.and_then(ResponseValue::backing),
        agreement,
        reason,
        known: known.map(str::to_owned),
        ..Observation::of(point, context, reading, value)
    }
}

/// Whether a reading is what the response rounds to; none when there is nothing to compare.
pub fn agreement(point: &Point, read: &Read, behind: Option<&ResponseValue>) -> Option<bool> {
    match read {
        Read::Quantity(quantity) => behind?.agrees_with_number(quantity),
        Read::Word(word) => behind?.agrees_with_word(point.vocabulary.as_deref(), word),
    }
}

/// A value as an answer alone gives it.
pub fn answered(view: &View<'_>, point: &Point, rule: Option<Rule>, behind: &ResponseValue) -> Observation {
    let (reading, value) = match &behind.value {
        Some(PreciseValue::Number(number)) => {
            let quantity = Quantity { rule, ..Quantity::exact(*number, point.unit.unwrap_or(Unit::Index)) };
            (Reading::Quantity(quantity), printed(*number, rule))
        }
        Some(PreciseValue::Word(word)) => {
            let kind = point.vocabulary.as_deref();
            let word = kind.and_then(|kind| vocabulary::canonical(kind, word)).unwrap_or(word);
            (Reading::Text(word.to_owned()), word.to_owned())
        }
        None => (Reading::Absent(Absence::NotShownHere), "N/A".to_owned()),
    };
    Observation {
        rule,
        channel: Channel::Api,
        locator: behind.source.clone(),
        backing: behind.backing(),
        agreement: Agreement::Unverified,
        ..Observation::of(point, view.context(point, behind.year), reading, value)
    }
}

/// A number as a rule prints it; with all its digits where it has none.
pub fn printed(number: Decimal, rule: Option<Rule>) -> String {
    let text = rule.and_then(|rule| format(number, rule));
    text.unwrap_or_else(|| number.normalize().to_string())
}
