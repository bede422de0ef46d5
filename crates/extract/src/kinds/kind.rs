//! The trait of all data point kinds: what they need, how they read, and their description. Also
//! builds their observations.

use std::fmt;
use std::ops::Range;

use rust_decimal::Decimal;

use crate::atlas::{PageKind, Viz};
use crate::cue::Cue;
use crate::evidence::{Agreement, Channel};
use crate::form::{Form, Read, canonical};
use crate::label::Label;
use crate::manifest::spec::Point;
use crate::manifest::{Diagnostic, Method};
use crate::observation::{FailureKind, Miss, Observation, PreciseValue, Reading, Tooltip, Wanted};
use crate::response::{ResponseValue, explain};
use crate::table::TableForm;
use crate::value::{Absence, AnswerField, Context, Quantity, Rule, Unit, format, vocabulary};
use crate::view::View;

/// The result of reading a point.
pub type Found = Result<Vec<Observation>, Miss>;

/// A kind built from a point's parameters, or the problem with them.
pub type Built = Result<Box<dyn Kind>, Box<Diagnostic>>;

/// How one kind of point is read.
pub trait Kind: fmt::Debug + Send + Sync {
    /// Its method in the manifest. The default is the displayed value.
    fn method(&self) -> Method {
        Method::Dom
    }

    /// Its needs beside the page itself.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// The description of a point.
    fn describe(&self) -> Description;

    /// Reads a point from a page.
    ///
    /// # Errors
    /// The value is missing, or has another form.
    fn read(&self, view: &View<'_>, point: &Point, wanted: &Wanted) -> Found;

    /// Reads a point from responses to our own queries, without a page.
    ///
    /// # Errors
    /// No response holds it.
    fn answer(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let behind = view.behind(point).ok_or(FailureKind::ResponseMissing)?;
        Ok(vec![answered(view, point, self.rule(), &behind)])
    }

    /// The row fields that may answer a question.
    fn answers(&self) -> &'static [AnswerField] {
        &[AnswerField::Value, AnswerField::Direction]
    }

    /// Its label, if it is a figure or word beside one.
    fn label(&self) -> Option<&Label> {
        None
    }

    /// The display rule of its number.
    fn rule(&self) -> Option<Rule> {
        None
    }

    /// The values that a person can read in the drawing if no response holds them; empty if it is
    /// not drawn.
    fn for_person(&self, _view: &View<'_>, _point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        Vec::new()
    }

    /// Where a text states the value that the response rounds to. Empty for kinds other than prose.
    fn said(&self, _point: &Point, _text: &str, _behind: &ResponseValue) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// The text around which its picture is cropped; the whole section if there is none.
    fn around(&self) -> Option<&Cue> {
        None
    }

    /// Whether nothing visible has confirmed the response yet, so that another snapshot may help.
    fn is_unconfirmed(&self, _view: &View<'_>) -> bool {
        false
    }

    /// Whether the responses behind its value are known and checked. Any other displayed value may
    /// depend on all responses.
    fn is_backed(&self, point: &Point) -> bool {
        point.response.is_some()
    }

    /// The tooltips that could confirm its value.
    fn tooltips(&self, _view: &View<'_>, _wanted: &Wanted) -> Vec<Tooltip> {
        Vec::new()
    }
}

/// A value for a person to read, with what is already known of it.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The keys that distinguish its row: `rank`, `product`.
    pub keys: Vec<(String, String)>,
    /// The key for a name that the person also reads; none for a single value.
    pub named: Option<&'static str>,
    /// Its form.
    pub form: Form,
    /// Its context.
    pub context: Context,
}

impl Slot {
    /// The slot of a single value.
    pub fn of(form: Form, context: Context) -> Self {
        Self { keys: Vec::new(), named: None, form, context }
    }

    /// The slots of a list, largest first. The person reads a name with each value.
    pub fn ranked(count: usize, named: &'static str, form: &Form, context: &Context) -> Vec<Self> {
        let one = |rank: usize| Self {
            keys: vec![("rank".to_owned(), rank.to_string())],
            named: Some(named),
            ..Self::of(form.clone(), context.clone())
        };
        (1..=count).map(one).collect()
    }
}

/// The needs of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The kinds of pages that it reads; empty means any.
    pub pages: &'static [PageKind],
    /// Whether a question must name a product.
    pub product: bool,
    /// Whether a question must name a trade partner.
    pub partner: bool,
    /// Whether it has one value per year, so that a question may name a year.
    pub year: bool,
    /// Whether the section's sticky header may show it.
    pub sticky_header: bool,
    /// Whether a picture is kept for a person, because its page is a single drawing.
    pub picture: bool,
    /// Whether the rows of the drawing hold it.
    pub rows: bool,
    /// Further queries that hold it.
    pub also: Vec<String>,
    /// Whether no page shows it, so that our own query replaces the page visit.
    pub own: bool,
    /// The classification that a code is converted to.
    pub target: Option<String>,
}

/// The answer fields for rows of products.
pub(crate) const OF_PRODUCTS: &[AnswerField] =
    &[AnswerField::Value, AnswerField::Share, AnswerField::Name, AnswerField::Code, AnswerField::Rank];
/// The answer fields for rows of trade partners.
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

/// The description of a kind, for messages and docs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The kind of value.
    pub summary: &'static str,
    /// The label or cue of this point.
    pub label: String,
    /// The form of its value.
    pub form: String,
}

impl Description {
    /// A description.
    pub fn of(summary: &'static str, label: impl Into<String>, form: impl Into<String>) -> Self {
        Self { summary, label: label.into(), form: form.into() }
    }

    /// The description of a table, or of a part of one.
    pub fn of_table(form: &TableForm) -> Self {
        let title = form.titles.first().map_or("", |cue| cue.source.as_str());
        let columns = form.columns.iter().map(|column| column.id.as_str()).collect::<Vec<_>>();
        Self::of("a table with headers, by `<table>` or not", title, columns.join(" | "))
    }
}

/// An observation of displayed text, with its response.
pub fn observe(
    view: &View<'_>,
    point: &Point,
    read: &Read,
    rule: Option<Rule>,
    shown: String,
    behind: Option<&ResponseValue>,
) -> Observation {
    if let Some(behind) = behind.filter(|behind| behind.value.is_none()) {
        // a page may display something for a null: no count, a surplus
        view.exchanges
            .unread()
            .note(behind.source.as_str(), format!("it has no value, but the page shows \"{shown}\""));
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

/// Whether a reading is the rounded response value; none if there is nothing to compare.
pub fn agreement(point: &Point, read: &Read, behind: Option<&ResponseValue>) -> Option<bool> {
    match read {
        Read::Quantity(quantity) => behind?.agrees_with_number(quantity),
        Read::Word(word) => behind?.agrees_with_word(point.vocabulary.as_deref(), word),
    }
}

/// An observation from a response alone.
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

/// A number as a rule displays it, or with all digits without a rule.
pub fn printed(number: Decimal, rule: Option<Rule>) -> String {
    let text = rule.and_then(|rule| format(number, rule));
    text.unwrap_or_else(|| number.normalize().to_string())
}
