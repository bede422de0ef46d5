//! What extraction hands on: observations, and failures that say what to mend.

use std::collections::BTreeSet;
use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::capture::PointerTarget;
use crate::evidence::{Agreement, Channel};
use crate::manifest::spec::Point;
use crate::response::Lack;
use crate::value::{Absence, AnswerField, Context, ContextPart, Period, Quantity, Rule};

/// One point that a question wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wanted {
    /// The data point.
    pub data_point: String,
    /// The product, for points that are about one.
    pub product: Option<String>,
    /// The trade partner, for points that are about one.
    pub partner: Option<String>,
    /// The year, for points that have a value a year.
    pub year: Option<i16>,
    /// The years, where several are asked for.
    pub years: Option<Period>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// A number.
    Quantity(Quantity),
    /// A word of a vocabulary, in its canonical form, or a name or sentence as it stands.
    Text(String),
    /// There is no value, and the page says why.
    Absent(Absence),
}

/// The value of the page's own response behind a display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backing {
    /// Root field, path and arguments: where it is.
    pub source: String,
    /// The value, scaled to the displayed unit.
    pub precise: String,
}

/// One value as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The data point.
    pub data_point: String,
    /// Its name for people.
    pub metric: String,
    /// What distinguishes this row from the others of a list or table: `rank`, `product`, `partner` …
    pub keys: Vec<(String, String)>,
    /// The text exactly as displayed.
    pub displayed: String,
    /// What it means.
    pub reading: Reading,
    /// The canonical text: what the display rule makes of the number.
    pub value: String,
    /// The display rule.
    pub rule: Option<Rule>,
    /// What the number is about.
    pub context: Context,
    /// How it was read.
    pub channel: Channel,
    /// Where it was found, for a person.
    pub locator: String,
    /// The response behind it.
    pub backing: Option<Backing>,
    /// How the two agree.
    pub agreement: Agreement,
    /// Why, in one sentence.
    pub reason: String,
    /// Why the response is known to differ from what the page shows, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Which fields of its row answer the question; none where that is the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerField>,
}

/// What was found in place of a required point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The data point.
    pub data_point: String,
    /// Extractor and version, `country_profile v1`.
    pub extractor: String,
    /// The section it should be in.
    pub section: String,
    /// What was looked for: label or cue.
    pub label: String,
    /// The form that a value would have.
    pub pattern: String,
    /// Why there is no value.
    pub kind: FailureKind,
    /// The nearest thing that was found.
    pub nearest: Option<String>,
}

/// Why a point could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "detail")]
pub enum FailureKind {
    /// The section's heading is not on the page.
    SectionMissing,
    /// The label or cue is not in the section.
    LabelMissing,
    /// The label is there, and what stands with it is no value of this form.
    WrongForm,
    /// Several different values fit.
    Ambiguous(Vec<String>),
    /// A part of a table or series is there, the rest is not: how much.
    Partial(String),
    /// A sign is needed and nothing carries one.
    SignMissing,
    /// The page, or this part of it, speaks of something else than the question.
    OtherContext(Vec<(ContextPart, String)>),
    /// Two values stand in each other's place.
    Swapped(String),
    /// A drawn value does not agree with the visible text over it.
    LabelDisagrees(String),
    /// The page sent no query that holds it.
    ResponseMissing,
    /// A response does not give what it rests on: an error stands in its place, or no number in a row that is ranked, added up
    /// or counted.
    ResponseUnread(Vec<Lack>),
    /// The page sent no query that holds it, and ours was not answered: why.
    NotAnswered(String),
    /// The site has no such page, though it should.
    PageNotFound,
    /// Two looks did not say the same before the time was up.
    Unsteady,
    /// No section of the page was recognised: title and first words.
    Unrecognised(String),
    /// It is drawn, and no text, response or tooltip gives it: a person reads it on a picture.
    ForAPerson,
}

/// Of the places that a response does not give, so many are said.
const MAX_SAID: usize = 5;

impl FailureKind {
    /// Whether it is about what the page displays: nothing where it should be, or something of another form.
    pub(super) const fn is_of_display(&self) -> bool {
        matches!(
            self,
            Self::SectionMissing
                | Self::LabelMissing
                | Self::WrongForm
                | Self::Ambiguous(_)
                | Self::Partial(_)
                | Self::SignMissing
                | Self::LabelDisagrees(_)
        )
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SectionMissing => f.write_str("the section's heading is not on the page"),
            Self::LabelMissing => f.write_str("the label or cue is not in the section"),
            Self::WrongForm => f.write_str("what stands there has not the form of a value"),
            Self::Ambiguous(values) => write!(f, "several values fit: {}", values.join(" · ")),
            Self::SignMissing => f.write_str("no arrow or word carries the sign"),
            Self::OtherContext(parts) => {
                f.write_str("the page speaks of something else: ")?;
                for (index, (part, what)) in parts.iter().enumerate() {
                    let comma = if index > 0 { "; " } else { "" };
                    write!(f, "{comma}{}: {what}", format!("{part:?}").to_lowercase())?;
                }
                Ok(())
            }
            Self::Partial(what) => write!(f, "only a part of it is there: {what}"),
            Self::Swapped(what) => write!(f, "two values are swapped: {what}"),
            Self::LabelDisagrees(what) => {
                write!(f, "the drawing shows another value than the response: {what}")
            }
            Self::ResponseMissing => f.write_str("the page sent no query that holds it"),
            Self::ResponseUnread(what) => {
                // each place once, however many rows it is wanted in
                let mut places: Vec<&[Lack]> = what.chunk_by(|a, b| a.place == b.place).collect();
                let more = places.split_off(places.len().min(MAX_SAID)).len();
                let say = |place: &&[Lack]| match place.len() {
                    1 => place[0].to_string(),
                    count => format!("{}, and {} more like it", place[0], count - 1),
                };
                let said = places.iter().map(say).collect::<Vec<_>>().join("; ");
                write!(f, "a response does not give what it rests on: {said}")?;
                if more > 0 { write!(f, "; and {more} more") } else { Ok(()) }
            }
            Self::NotAnswered(why) => {
                write!(f, "the page sent no query that holds it, and our own was not answered: {why}")
            }
            Self::Unsteady => f.write_str("it was still changing when the time was up"),
            Self::Unrecognised(what) => write!(f, "this is not the page: {what}"),
            Self::PageNotFound => f.write_str("the site says that there is no such page"),
            Self::ForAPerson => {
                f.write_str("it is drawn without a text: a person has to read it on the picture")
            }
        }
    }
}

impl Failure {
    /// Whether a query of our own may answer in the page's place: the page draws the value and got nothing that
    /// holds it. A page that speaks of something else, or whose labels contradict it, is never answered for.
    #[must_use]
    pub const fn may_ask_ourselves(&self) -> bool {
        matches!(self.kind, FailureKind::ResponseMissing | FailureKind::ResponseUnread(_))
    }

    /// Whether it failed for this error of a response.
    #[must_use]
    pub(crate) fn is_for(&self, error: &Lack) -> bool {
        matches!(&self.kind, FailureKind::ResponseUnread(what) if what.contains(error))
    }

    /// Whether looking longer or again at the page finds no more.
    #[must_use]
    pub const fn is_for_a_person(&self) -> bool {
        matches!(self.kind, FailureKind::ForAPerson)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} ({}, section `{}`, label \"{}\", form {}",
            self.data_point, self.kind, self.extractor, self.section, self.label, self.pattern
        )?;
        match &self.nearest {
            Some(nearest) => write!(f, "; nearest found: \"{nearest}\")"),
            None if self.is_for_a_person() => f.write_str(")"),
            None => f.write_str("; nothing like it found)"),
        }
    }
}

/// What a page as a whole turned out to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageState {
    /// The page that was asked for.
    Shown,
    /// The site says that there is no such page.
    NotFound,
}

/// What one capture gave for one point: its values, or why there are none.
pub type Outcome = Result<Vec<Observation>, Box<Failure>>;

/// A tooltip that would confirm a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tooltip {
    /// Name of the state in which the capture keeps it.
    pub name: String,
    /// What it opens over.
    pub over: PointerTarget,
}

/// Everything that one capture gave for one set of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction {
    /// What the page is.
    pub state: PageState,
    /// The data year of the page.
    pub year: Option<i16>,
    /// A drawing has no label yet that could confirm its response; another look may show one.
    pub unconfirmed: bool,
    /// What could be opened on the page to confirm more.
    pub tooltips: Vec<Tooltip>,
    /// Each point that was wanted, in the order asked for.
    pub points: Vec<(Wanted, Outcome)>,
    /// Fields of the responses that were looked for and that the page's queries do not ask for: root field and path.
    pub missed: BTreeSet<(String, String)>,
    /// Errors of the responses that nothing of this rests on.
    pub idle_errors: BTreeSet<Lack>,
}

/// Errors of responses that nothing which was read of them failed for.
#[must_use]
pub fn idle_errors<'e>(extractions: impl Iterator<Item = &'e Extraction> + Clone) -> BTreeSet<String> {
    let idle = extractions.clone().flat_map(|extraction| &extraction.idle_errors);
    let is_blamed = |error: &&Lack| {
        extractions.clone().flat_map(Extraction::failures).any(|failure| failure.is_for(error))
    };
    idle.filter(|error| !is_blamed(error)).map(Lack::to_string).collect()
}

impl Extraction {
    /// Of points without a page.
    #[must_use]
    pub const fn of(points: Vec<(Wanted, Outcome)>) -> Self {
        Self::shown(None, points)
    }

    /// What was read of a page that is there.
    pub(super) const fn shown(year: Option<i16>, points: Vec<(Wanted, Outcome)>) -> Self {
        Self {
            state: PageState::Shown,
            year,
            unconfirmed: false,
            tooltips: Vec::new(),
            points,
            missed: BTreeSet::new(),
            idle_errors: BTreeSet::new(),
        }
    }

    /// Whether every point has a value or an absence of its kind.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.points.iter().all(|(_, outcome)| outcome.is_ok())
    }

    /// Whether another look at the page would find no more: every point is read, or is one that a person reads.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.failures().all(Failure::is_for_a_person)
    }

    /// What could not be read.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.points.iter().filter_map(|(_, outcome)| outcome.as_ref().err().map(Box::as_ref))
    }

    /// Puts another outcome in the place of a point's.
    pub fn replace(&mut self, wanted: &Wanted, outcome: Outcome) {
        if let Some((_, own)) = self.points.iter_mut().find(|(point, _)| point == wanted) {
            *own = outcome;
        }
    }

    /// Gives another reason for a failure.
    pub fn explain(&mut self, wanted: &Wanted, kind: FailureKind) {
        let own = self.points.iter_mut().find(|(point, _)| point == wanted);
        if let Some((_, Err(failure))) = own {
            failure.kind = kind;
        }
    }

    /// What was read.
    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.points.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).flatten()
    }

    /// What came of one point.
    #[must_use]
    pub fn outcome(&self, wanted: &Wanted) -> Option<&Outcome> {
        self.points.iter().find(|(point, _)| point == wanted).map(|(_, outcome)| outcome)
    }
}

/// A raw number behind a display, scaled to the displayed unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreciseValue {
    /// A number.
    Number(Decimal),
    /// An enum value or name.
    Word(String),
}

impl fmt::Display for PreciseValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{}", number.normalize()),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Why a kind read nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Miss {
    /// What went wrong.
    pub kind: FailureKind,
    /// The nearest thing found.
    pub nearest: Option<String>,
}

impl Miss {
    /// A miss, with the nearest thing that was found.
    pub fn near(kind: FailureKind, nearest: impl Into<Option<String>>) -> Self {
        Self { kind, nearest: nearest.into() }
    }
}

impl From<FailureKind> for Miss {
    fn from(kind: FailureKind) -> Self {
        Self { kind, nearest: None }
    }
}

/// What a locator says of a value that was read in a section's sticky header.
pub(super) const IN_STICKY_HEADER: &str = " in the bar";

impl Observation {
    /// Of the page's text, without keys and with nothing behind it.
    pub(super) fn of(point: &Point, context: Context, reading: Reading, value: String) -> Self {
        Self {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys: Vec::new(),
            displayed: String::new(),
            reading,
            value,
            rule: None,
            context,
            channel: Channel::Dom,
            locator: String::new(),
            backing: None,
            agreement: Agreement::Single,
            reason: String::new(),
            known: None,
            answers: point.answers.clone(),
        }
    }

    /// That there is no value, and why.
    pub(super) fn absent(
        point: &Point,
        context: Context,
        absence: Absence,
        shown: String,
        locator: String,
    ) -> Self {
        Self {
            displayed: shown,
            locator,
            reason: "the page says that there is no value".to_owned(),
            ..Self::of(point, context, Reading::Absent(absence), "N/A".to_owned())
        }
    }

    /// Whether it was read of what the page displays, not of a response.
    pub(super) const fn is_displayed(&self) -> bool {
        matches!(
            self.channel,
            Channel::Dom | Channel::Narrative | Channel::Table | Channel::Label | Channel::Tooltip
        )
    }

    /// Whether it says that there is no value.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.reading, Reading::Absent(_))
    }

    /// Whether it was read in a section's sticky header.
    pub(super) fn is_in_sticky_header(&self) -> bool {
        self.locator.ends_with(IN_STICKY_HEADER)
    }
}
