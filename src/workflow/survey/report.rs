//! The report of a survey: every page, with the result of each of its points.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Exit;
use crate::evidence::Hash;
use crate::extract::{Shape, Wanted};
use crate::picture::Area;
use crate::workflow::SchemaCheck;

/// The result of a survey.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Survey {
    /// The address of the site.
    pub site: String,
    /// The folder of its captures.
    pub bundle: PathBuf,
    /// The start time.
    pub at: String,
    /// Every page, in the order of `manifests/survey.toml`.
    pub pages: Vec<SurveyedPage>,
    /// How the live schemas differ from ours.
    #[serde(default)]
    pub schemas: Vec<SchemaCheck>,
    /// Points found on some page, out of all points that pages should show.
    pub points: Share,
    /// Requests that reached the site, including our own.
    pub requests: u64,
    /// Requests that the plan expected.
    pub planned_requests: u32,
    /// Duration in milliseconds.
    pub took_ms: u64,
    /// Whether the survey was interrupted.
    pub interrupted: bool,
    /// Peak memory of this process without its browsers, in MB, if the system reports it.
    pub peak_memory_mb: Option<u64>,
}

/// A share of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The part.
    pub found: usize,
    /// The whole.
    pub all: usize,
}

/// A surveyed page.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct SurveyedPage {
    /// Its name.
    pub name: String,
    /// Its address.
    pub path: String,
    /// Why it could not be read, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Whether the site should have no such page, and has none.
    pub absent: bool,
    /// How the page settled.
    pub settled: String,
    /// Milliseconds from opening to the last snapshot.
    pub took_ms: u64,
    /// The number of snapshots.
    pub looks: u32,
    /// Requests that reached the site.
    pub requests: u32,
    /// Requests of the page to other hosts, including blocked ones.
    pub third_parties: BTreeMap<String, u32>,
    /// Uncaught page errors, and snapshot notes: dismissed layers and broken controls.
    pub notes: Vec<String>,
    /// Its sections, and headings that no spec knows, by extractor.
    pub shapes: BTreeMap<String, Shape>,
    /// States revealed by controls and tooltips.
    pub states: Vec<String>,
    /// Every point that it may show.
    pub points: Vec<SurveyedPoint>,
    /// The hash of the capture in the bundle.
    pub capture: Option<Hash>,
    /// The hash of the picture in the bundle.
    pub picture: Option<Hash>,
}

/// A point on a surveyed page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurveyedPoint {
    /// The extractor.
    pub extractor: String,
    /// The point.
    pub point: String,
    /// The requested product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// The requested partner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// The requested year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// The result.
    pub status: PointStatus,
    /// The value, or why there is none.
    pub text: String,
    /// The picture area that should show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
}

/// The result of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointStatus {
    /// The point was read. Its response agrees or is unknown.
    Found,
    /// The page states that it has no such value, or its silence means the same.
    Absent,
    /// The page does not query it; our own query would.
    OwnQuery,
    /// The point was read, but no response holds its precise value, although its spec names one.
    Unconfirmed,
    /// The page does not show it, and no response holds it.
    ResponseMissing,
    /// The response that it depends on has an error or lacks the number.
    ResponseUnread,
    /// The response contradicts the value or the drawing.
    PageDisagrees,
    /// The label is on the page, but no value of its form.
    OtherForm,
    /// The label, cue or section is not on the page.
    Missing,
    /// It is drawn, so only a person can read it.
    ForAPerson,
    /// The page shows another view than the point needs, such as another breakdown of the same
    /// trade.
    OtherView,
}

impl PointStatus {
    /// Whether a run would collect the point.
    #[must_use]
    pub const fn is_collected(self) -> bool {
        matches!(self, Self::Found | Self::Absent | Self::OwnQuery | Self::Unconfirmed)
    }

    /// The status as text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::OwnQuery => "by our own query",
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
    /// The point in the form that an extractor takes.
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
    /// Whether some page shows the point.
    #[must_use]
    pub fn is_collected(&self, extractor: &str, point: &str) -> bool {
        let points = self.pages.iter().flat_map(|page| &page.points);
        let own = |one: &&SurveyedPoint| one.extractor == extractor && one.point == point;
        points.filter(own).any(|one| one.status.is_collected())
    }

    /// Whether the point needs attention. It does not if this page does not query it and another
    /// page shows it.
    #[must_use]
    pub fn is_remarkable(&self, point: &SurveyedPoint) -> bool {
        match point.status {
            PointStatus::OtherView | PointStatus::ForAPerson => false,
            PointStatus::Unconfirmed => true,
            PointStatus::ResponseMissing => !self.is_collected(&point.extractor, &point.point),
            status => !status.is_collected(),
        }
    }

    /// The exit code.
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
