//! The results of extraction: observations, and failures that tell what to fix.

use std::collections::BTreeSet;
use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::capture::PointerTarget;
use crate::evidence::{Agreement, Channel};
use crate::manifest::spec::Point;
use crate::response::unread::Lack;
use crate::value::{Absence, AnswerField, Context, ContextPart, Period, Quantity, Rule};

/// A point that a question wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wanted {
    /// The data point.
    pub data_point: String,
    /// The product, if the point needs one.
    pub product: Option<String>,
    /// The trade partner, if the point needs one.
    pub partner: Option<String>,
    /// The year, if the point has yearly values.
    pub year: Option<i16>,
    /// The years, if several are wanted.
    pub years: Option<Period>,
}

/// A value that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// A number.
    Quantity(Quantity),
    /// A vocabulary word in canonical form, or a name or sentence as displayed.
    Text(String),
    /// There is no value, for a known reason.
    Absent(Absence),
}

/// The value in the page's own response behind a displayed one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backing {
    /// Its source: root field, path and arguments.
    pub source: String,
    /// The value, scaled to the displayed unit.
    pub precise: String,
}

/// A value that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The data point.
    pub data_point: String,
    /// The display name.
    pub metric: String,
    /// The keys that distinguish its row in a list or table: `rank`, `product`, `partner` …
    pub keys: Vec<(String, String)>,
    /// The exact displayed text.
    pub displayed: String,
    /// The reading.
    pub reading: Reading,
    /// The canonical text of the display rule.
    pub value: String,
    /// The display rule.
    pub rule: Option<Rule>,
    /// The context.
    pub context: Context,
    /// The channel.
    pub channel: Channel,
    /// Where it was found, as text for people.
    pub locator: String,
    /// The response behind it.
    pub backing: Option<Backing>,
    /// Whether display and response agree.
    pub agreement: Agreement,
    /// The reason, in one sentence.
    pub reason: String,
    /// Why the response is known to differ from the page, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// The row fields that answer the question; empty for the value itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<AnswerField>,
}

/// A required point that was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The data point.
    pub data_point: String,
    /// Extractor and version, `country_profile v1`.
    pub extractor: String,
    /// The expected section.
    pub section: String,
    /// The label or cue.
    pub label: String,
    /// The expected form.
    pub pattern: String,
    /// The reason.
    pub kind: FailureKind,
    /// The nearest text found.
    pub nearest: Option<String>,
}

/// Why a point was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "detail")]
pub enum FailureKind {
    /// The section's heading is not on the page.
    SectionMissing,
    /// The label or cue is not in the section.
    LabelMissing,
    /// The label is there, but no value of its form.
    WrongForm,
    /// Several different values match.
    Ambiguous(Vec<String>),
    /// Only part of a table or series is there, with the extent.
    Partial(String),
    /// A sign is required but missing.
    SignMissing,
    /// The page, or this part of it, has another context than the question.
    OtherContext(Vec<(ContextPart, String)>),
    /// Two values are in each other's place.
    Swapped(String),
    /// A drawn value contradicts the visible text over it.
    LabelDisagrees(String),
    /// No query of the page holds it.
    ResponseMissing,
    /// A response that the value depends on has an error, or lacks a number needed for a ranking,
    /// sum or count.
    ResponseUnread(Vec<Lack>),
    /// No query of the page holds it, and our own query was not answered.
    NotAnswered(String),
    /// The site has no such page, although it should.
    PageNotFound,
    /// Two snapshots disagreed until the time was up.
    Unsteady,
    /// No section was recognized: title and first words of the page.
    Unrecognised(String),
    /// It is drawn, and no text, response or tooltip gives it, so a person reads it on a picture.
    ForAPerson,
}

/// The maximum number of response problems in a message.
const MAX_SAID: usize = 5;

impl FailureKind {
    /// Whether the failure is about the displayed text: it is missing or has another form.
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
            Self::WrongForm => f.write_str("there is no value of this form"),
            Self::Ambiguous(values) => write!(f, "several values match: {}", values.join(" · ")),
            Self::SignMissing => f.write_str("no arrow or word carries the sign"),
            Self::OtherContext(parts) => {
                f.write_str("the page has another context: ")?;
                for (index, (part, what)) in parts.iter().enumerate() {
                    let comma = if index > 0 { "; " } else { "" };
                    write!(f, "{comma}{}: {what}", format!("{part:?}").to_lowercase())?;
                }
                Ok(())
            }
            Self::Partial(what) => write!(f, "only part of it is there: {what}"),
            Self::Swapped(what) => write!(f, "two values are swapped: {what}"),
            Self::LabelDisagrees(what) => {
                write!(f, "the drawing shows another value than the response: {what}")
            }
            Self::ResponseMissing => f.write_str("no query of the page holds it"),
            Self::ResponseUnread(what) => {
                // list each place once, however many rows need it
                let mut places: Vec<&[Lack]> = what.chunk_by(|a, b| a.place == b.place).collect();
                let more = places.split_off(places.len().min(MAX_SAID)).len();
                let say = |place: &&[Lack]| match place.len() {
                    1 => place[0].to_string(),
                    count => format!("{}, and {} more like it", place[0], count - 1),
                };
                let said = places.iter().map(say).collect::<Vec<_>>().join("; ");
                write!(f, "a response lacks what the value depends on: {said}")?;
                if more > 0 { write!(f, "; and {more} more") } else { Ok(()) }
            }
            Self::NotAnswered(why) => {
                write!(f, "no query of the page holds it, and our own was not answered: {why}")
            }
            Self::Unsteady => f.write_str("it was still changing at the time limit"),
            Self::Unrecognised(what) => write!(f, "this is not the page: {what}"),
            Self::PageNotFound => f.write_str("the site reports that the page does not exist"),
            Self::ForAPerson => f.write_str("it is drawn without text: a person must read it on the picture"),
        }
    }
}

impl Failure {
    /// Whether our own query may replace the page: the page draws the value but got no response for
    /// it. Never if the page has another context, or its labels contradict the value.
    #[must_use]
    pub const fn may_ask_ourselves(&self) -> bool {
        matches!(self.kind, FailureKind::ResponseMissing | FailureKind::ResponseUnread(_))
    }

    /// Whether it failed because of this response error.
    #[must_use]
    pub(crate) fn is_for(&self, error: &Lack) -> bool {
        matches!(&self.kind, FailureKind::ResponseUnread(what) if what.contains(error))
    }

    /// Whether another snapshot would not help, because a person must read the value.
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

/// The kind of page that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageState {
    /// The requested page.
    Shown,
    /// The site reports that the page does not exist.
    NotFound,
}

/// The result for a point: its observations, or the failure.
pub type Outcome = Result<Vec<Observation>, Box<Failure>>;

/// A tooltip that would confirm a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tooltip {
    /// The name of its state in the capture.
    pub name: String,
    /// The place to point at.
    pub over: PointerTarget,
}

/// The result of extracting a set of points from a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction {
    /// The kind of page.
    pub state: PageState,
    /// The data year of the page.
    pub year: Option<i16>,
    /// Whether a drawing still lacks a label that could confirm its response, so that another
    /// snapshot may help.
    pub unconfirmed: bool,
    /// The tooltips that could confirm more values.
    pub tooltips: Vec<Tooltip>,
    /// The wanted points with their results, in the requested order.
    pub points: Vec<(Wanted, Outcome)>,
    /// Response fields that were needed but that the page's queries do not request: root field and
    /// path.
    pub missed: BTreeSet<(String, String)>,
    /// Response errors that affect no point.
    pub idle_errors: BTreeSet<Lack>,
}

/// Response errors that made no extracted point fail.
#[must_use]
pub fn idle_errors<'e>(extractions: impl Iterator<Item = &'e Extraction> + Clone) -> BTreeSet<String> {
    let idle = extractions.clone().flat_map(|extraction| &extraction.idle_errors);
    let is_blamed = |error: &&Lack| {
        extractions.clone().flat_map(Extraction::failures).any(|failure| failure.is_for(error))
    };
    idle.filter(|error| !is_blamed(error)).map(Lack::to_string).collect()
}

impl Extraction {
    /// An extraction without a page.
    #[must_use]
    pub const fn of(points: Vec<(Wanted, Outcome)>) -> Self {
        Self::shown(None, points)
    }

    /// The extraction of an existing page.
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

    /// Whether every point has a value or an absence.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.points.iter().all(|(_, outcome)| outcome.is_ok())
    }

    /// Whether another snapshot would find nothing more: every point was read, or a person must
    /// read it.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.failures().all(Failure::is_for_a_person)
    }

    /// The failures.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.points.iter().filter_map(|(_, outcome)| outcome.as_ref().err().map(Box::as_ref))
    }

    /// Replaces the result of a point.
    pub fn replace(&mut self, wanted: &Wanted, outcome: Outcome) {
        if let Some((_, own)) = self.points.iter_mut().find(|(point, _)| point == wanted) {
            *own = outcome;
        }
    }

    /// Replaces the reason of a failure.
    pub fn explain(&mut self, wanted: &Wanted, kind: FailureKind) {
        let own = self.points.iter_mut().find(|(point, _)| point == wanted);
        if let Some((_, Err(failure))) = own {
            failure.kind = kind;
        }
    }

    /// The observations.
    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.points.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()).flatten()
    }

    /// The result of a point.
    #[must_use]
    pub fn outcome(&self, wanted: &Wanted) -> Option<&Outcome> {
        self.points.iter().find(|(point, _)| point == wanted).map(|(_, outcome)| outcome)
    }
}

/// The precise value behind a display, scaled to the displayed unit.
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
    /// The reason.
    pub kind: FailureKind,
    /// The nearest text found.
    pub nearest: Option<String>,
}

impl Miss {
    /// A miss with the nearest text found.
    pub fn near(kind: FailureKind, nearest: impl Into<Option<String>>) -> Self {
        Self { kind, nearest: nearest.into() }
    }
}

impl From<FailureKind> for Miss {
    fn from(kind: FailureKind) -> Self {
        Self { kind, nearest: None }
    }
}

/// The locator suffix of a value from a sticky header.
pub(super) const IN_STICKY_HEADER: &str = " in the bar";

/// Whether a locator is that of a value in a sticky header.
#[must_use]
pub fn is_in_sticky_header(locator: &str) -> bool {
    locator.ends_with(IN_STICKY_HEADER)
}

impl Observation {
    /// An observation of displayed text, without keys and response.
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

    /// An absent value, with the reason.
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

    /// Whether it comes from displayed content rather than from a response.
    pub(super) const fn is_displayed(&self) -> bool {
        matches!(
            self.channel,
            Channel::Dom | Channel::Narrative | Channel::Table | Channel::Label | Channel::Tooltip
        )
    }

    /// Whether it is an absence.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.reading, Reading::Absent(_))
    }

    /// Whether it was read in a sticky header.
    pub(super) fn is_in_sticky_header(&self) -> bool {
        is_in_sticky_header(&self.locator)
    }
}
