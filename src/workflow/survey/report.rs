//! What a survey reports: every page, with the outcome of each of its points.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::Exit;
use crate::evidence::Hash;
use crate::extract::{Shape, Wanted};
use crate::picture::Area;
use crate::workflow::SchemaCheck;

/// What a survey came to.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Survey {
    /// The address that was read.
    pub site: String,
    /// The folder of its captures.
    pub bundle: PathBuf,
    /// When it began.
    pub at: String,
    /// Every page, in the order of `manifests/survey.toml`.
    pub pages: Vec<SurveyedPage>,
    /// How the live schemas compare with ours.
    #[serde(default)]
    pub schemas: Vec<SchemaCheck>,
    /// Points that some page showed, of all that pages are to show.
    pub points: Share,
    /// Requests that reached the site, our own included.
    pub requests: u64,
    /// Requests that the plan expected.
    pub planned_requests: u32,
    /// Milliseconds from start to end.
    pub took_ms: u64,
    /// Whether it was ended before it was done.
    pub interrupted: bool,
    /// Largest memory of this process without its browsers, in MB, where the system says.
    pub peak_memory_mb: Option<u64>,
}

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Share {
    /// The part.
    pub found: usize,
    /// The whole.
    pub all: usize,
}

/// A page as it was found.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SurveyedPage {
    /// What it is called.
    pub name: String,
    /// Its address.
    pub path: String,
    /// Why it could not be read, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Whether the site is to have no such page, and has none.
    pub absent: bool,
    /// What showed that the page had settled.
    pub settled: String,
    /// Milliseconds from opening to the last look.
    pub took_ms: u64,
    /// Looks at the page.
    pub looks: u32,
    /// Requests that reached the site.
    pub requests: u32,
    /// Other hosts that the page asked, or would have.
    pub third_parties: BTreeMap<String, u32>,
    /// Uncaught errors of the page, and what the snapshot notes: layers that were dismissed, controls that did not work.
    pub notes: Vec<String>,
    /// Its sections, and headings that no spec knows, by extractor.
    pub shapes: BTreeMap<String, Shape>,
    /// What controls and tooltips revealed.
    pub states: Vec<String>,
    /// Every point that it may show.
    pub points: Vec<SurveyedPoint>,
    /// The capture in the bundle.
    pub capture: Option<Hash>,
    /// The picture in the bundle.
    pub picture: Option<Hash>,
}

/// A point as it was found on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SurveyedPoint {
    /// The extractor.
    pub extractor: String,
    /// The point.
    pub point: String,
    /// The product that it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// The partner that it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// The year that it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// The outcome.
    pub status: PointStatus,
    /// The value, or why there is none.
    pub text: String,
    /// The part of the picture that should show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
}

/// The outcome of a point.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PointStatus {
    /// It was read, and its response agrees or is not known.
    Found,
    /// The page says that it has no such value, or says nothing where that means the same.
    Absent,
    /// The page does not ask for it; a query of our own would.
    OwnQuery,
    /// It was read, and no response holds what is behind it, though its spec names one.
    Unconfirmed,
    /// No response of the page holds it, and nothing else shows it.
    ResponseMissing,
    /// A response has an error, or no number, where it rests on it.
    ResponseUnread,
    /// It was read, or its drawing, and the response contradicts it.
    PageDisagrees,
    /// Its label is there, and no value of its form.
    OtherForm,
    /// Its label, cue or section is not there.
    Missing,
    /// It is drawn for a person to read.
    ForAPerson,
    /// The page shows something else than the point is about, as another division of the same trade.
    OtherView,
}

impl PointStatus {
    /// Whether the point would be collected.
    #[must_use]
    pub const fn is_collected(self) -> bool {
        matches!(self, Self::Found | Self::Absent | Self::OwnQuery | Self::Unconfirmed)
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::OwnQuery => "by a query of our own",
            Self::Unconfirmed => "unconfirmed, response path missing",
            Self::ResponseMissing => "response path missing",
            Self::ResponseUnread => "response not readable",
            Self::PageDisagrees => "page disagrees",
            Self::OtherForm => "other form",
            Self::Missing => "missing",
            Self::ForAPerson => "for a person",
            Self::OtherView => "of another view",
        }
    }
}

impl SurveyedPoint {
    /// The point as an extractor is asked for it.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        Wanted {
            data_point: self.point.clone(),
            product: self.product.clone(),
            partner: self.partner.clone(),
            year: self.year,
            years: None,
        }
    }
}

impl Survey {
    /// Whether some page shows a point.
    #[must_use]
    pub fn is_collected(&self, extractor: &str, point: &str) -> bool {
        let points = self.pages.iter().flat_map(|page| &page.points);
        let own = |one: &&SurveyedPoint| one.extractor == extractor && one.point == point;
        points.filter(own).any(|one| one.status.is_collected())
    }

    /// Whether a point needs a look: not where this page is not asked for it and another shows it.
    #[must_use]
    pub fn is_remarkable(&self, point: &SurveyedPoint) -> bool {
        match point.status {
            PointStatus::OtherView | PointStatus::ForAPerson => false,
            PointStatus::Unconfirmed => true,
            PointStatus::ResponseMissing => !self.is_collected(&point.extractor, &point.point),
            status => !status.is_collected(),
        }
    }

    /// The exit code that this leads to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let unread = |page: &SurveyedPage| page.failure.is_some();
        let differs =
            self.schemas.iter().any(|check| !check.differences.is_empty() || check.failure.is_some());
        let mut points = self.pages.iter().filter(|page| !page.absent).flat_map(|page| &page.points);
        if self.interrupted {
            Exit::Interrupted
        } else if self.pages.iter().any(unread) {
            Exit::Site
        } else if points.any(|point| self.is_remarkable(point)) {
            Exit::Extraction
        } else if differs {
            Exit::Differences
        } else {
            Exit::Ok
        }
    }
}
