//! Survey: one page of each kind is opened, and what the extractor specs find on it is reported. Nothing of it is truth. The
//! captures are kept in a bundle from which everything can be read again without the site.

mod bundle;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

pub use bundle::{Bundle, BundlePage};
pub use pages::{SurveyPage, pages};

use super::collect::{self, Loaded, peak_memory};
use super::job::Job;
use super::visit::PageResult;
use super::{OwnApi, SchemaCheck, filing};
use crate::acquire::{Browser, host_with_port};
use crate::error::{Exit, Result};
use crate::event::{Event, Events};
use crate::evidence::{Agreement, Hash};
use crate::extract::{Extractor, FailureKind, Observation, Reading, Shape, Wanted};
use crate::manifest::Visit;
use crate::picture::Area;

/// What a survey came to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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
    #[serde(skip_deserializing)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The part.
    pub found: usize,
    /// The whole.
    pub all: usize,
}

/// A page as it was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// What came of it.
    pub status: PointStatus,
    /// The value, or why there is none.
    pub text: String,
    /// The part of the picture that should show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
}

/// What came of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointStatus {
    /// It was read, and its response agrees or is not known.
    Found,
    /// The page says that it has no such value, or says nothing where that means the same.
    Absent,
    /// The page does not ask for it; a query of our own would.
    OwnQuery,
    /// It was read, and no response holds what is behind it, though its spec names one.
    ResponseMissing,
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
        matches!(self, Self::Found | Self::Absent | Self::OwnQuery)
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Absent => "absent",
            Self::OwnQuery => "by a query of our own",
            Self::ResponseMissing => "response path missing",
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
        }
    }
}

/// Surveys pages. The store of the job is the bundle. Our own queries ask for the schemas alone, and the job sends none: pages
/// are seen as they are.
///
/// # Errors
/// The bundle cannot be written. A page that cannot be read is no error but a report.
pub async fn survey<B: Browser>(
    browser: &B,
    job: &Job,
    api: Option<&OwnApi>,
    pages: &[SurveyPage],
    events: &Events,
    stop: &AtomicBool,
) -> Result<Survey> {
    let started = std::time::Instant::now();
    let now = job.clock.now();
    let visits: Vec<Visit> =
        pages.iter().enumerate().map(|(at, page)| page.visit(at, &job.extractors)).collect::<Result<_>>()?;
    let planned_requests = planned(job, api, &visits);
    events.emit(&Event::RunStarted { site: job.base.to_string(), visits: visits.len(), questions: 0 });
    let mut survey = Survey {
        site: job.base.to_string(),
        bundle: job.store.dir().to_owned(),
        at: now.to_string(),
        planned_requests,
        ..Survey::default()
    };
    if let Some(api) = api {
        survey.schemas = api.check_schemas(now, events).await;
        survey.requests = api.client.requests();
    }
    survey.requests += u64::from(job.options.robots.asked());
    let fits = |check: &SchemaCheck| check.differences.is_empty() && check.failure.is_none();
    let schemas_fit = api.is_some() && survey.schemas.iter().all(fits);
    for (page, visit) in pages.iter().zip(&visits) {
        if stop.load(Ordering::Acquire) {
            survey.interrupted = true;
            break;
        }
        let loaded = collect::load(browser, job, visit, events, stop).await;
        let surveyed = surveyed(job, page, visit, loaded, schemas_fit)?;
        survey.requests += u64::from(surveyed.requests);
        survey.pages.push(surveyed);
        bundle::save(&job.store, &survey)?;
    }
    survey.points = share(&survey.pages);
    survey.took_ms = collect::millis(started.elapsed());
    survey.peak_memory_mb = peak_memory();
    bundle::save(&job.store, &survey)?;
    let (took_ms, requests, interrupted) = (survey.took_ms, survey.requests, survey.interrupted);
    events.emit(&Event::RunFinished { took_ms, requests, interrupted });
    Ok(survey)
}

/// Requests that the pages are expected to make, our own included.
#[must_use]
pub fn planned(job: &Job, api: Option<&OwnApi>, visits: &[Visit]) -> u32 {
    let own = u32::from(api.is_some()) * 2 + job.options.robots.asked().min(1);
    job.estimates.of_pages(visits, &job.extractors, job.sessions).0 + own
}

/// What came of a page.
fn surveyed(
    job: &Job,
    page: &SurveyPage,
    visit: &Visit,
    loaded: Loaded,
    schemas_fit: bool,
) -> Result<SurveyedPage> {
    let Loaded { report, page: read } = loaded;
    let site = host_with_port(&job.base);
    let mut surveyed = SurveyedPage {
        name: page.name.clone(),
        path: visit.url.path(),
        failure: report.failure.clone(),
        absent: false,
        settled: "it could not be read".to_owned(),
        took_ms: report.took_ms,
        looks: report.looks,
        requests: report.requests,
        third_parties: report.hosts.into_iter().filter(|(host, _)| *host != site).collect(),
        notes: Vec::new(),
        shapes: BTreeMap::new(),
        states: Vec::new(),
        points: Vec::new(),
        capture: None,
        picture: None,
    };
    let Ok(read) = read else { return Ok(surveyed) };
    surveyed.looks = read.looks;
    surveyed.settled = read.settled().to_owned();
    surveyed.notes = read.capture.errors.iter().chain(&read.capture.notes).cloned().collect();
    surveyed.states = read.capture.states.iter().map(|state| state.name.clone()).collect();
    let evidence = serde_json::to_vec(&read.capture).map_err(std::io::Error::other);
    let evidence = evidence.map_err(crate::error::Error::file(job.store.dir()))?;
    surveyed.capture = Some(job.store.put_evidence(&evidence)?);
    surveyed.picture = read.screenshot.as_deref().map(|png| job.store.put_picture(png)).transpose()?;
    for (extractor, _) in &read.readings {
        if let Some(shape) = extractor.shape(&read.capture, &visit.url) {
            surveyed.shapes.insert(extractor.spec().name.clone(), shape);
        }
        surveyed.points.extend(points(extractor, visit, &read, schemas_fit));
    }
    let not_found = |(_, extraction): &(Arc<Extractor>, _)| says_not_found(extraction);
    surveyed.absent = page.absent && read.readings.iter().all(not_found);
    Ok(surveyed)
}

fn says_not_found(extraction: &crate::extract::Extraction) -> bool {
    extraction.points.iter().all(|(_, outcome)| match outcome {
        Ok(found) => found.iter().all(|one| matches!(one.reading, Reading::Absent(_))),
        Err(failure) => failure.kind == FailureKind::PageNotFound,
    })
}

/// What came of the points that an extractor was asked for.
fn points(extractor: &Extractor, visit: &Visit, read: &PageResult, schemas_fit: bool) -> Vec<SurveyedPoint> {
    let name = &extractor.spec().name;
    let entries = visit.entries.iter().filter(|entry| entry.extractor == *name);
    let wanted: Vec<Wanted> = entries.flat_map(|entry| filing::wanted(entry, extractor)).collect();
    let places = extractor.for_person(&read.capture, &visit.url, &wanted);
    let extraction = read.readings.iter().find(|(own, _)| own.spec().name == *name).map(|(_, all)| all);
    let one = |(wanted, place): (Wanted, Option<crate::extract::ForPerson>)| {
        let (status, text) = match extraction?.outcome(&wanted)? {
            Ok(found) => (status(extractor, &wanted, found), shown(found)),
            Err(failure) => {
                let near = failure.nearest.as_ref().map(|near| format!("; nearest found: \"{near}\""));
                (failed(&failure.kind), format!("{}{}", failure.kind, near.unwrap_or_default()))
            }
        };
        let is_asked = status == PointStatus::ResponseMissing
            && schemas_fit
            && !extractor.fallback(&visit.url, Some(&read.capture), std::slice::from_ref(&wanted)).is_empty();
        let status = if is_asked { PointStatus::OwnQuery } else { status };
        Some(SurveyedPoint {
            extractor: name.clone(),
            point: wanted.data_point,
            product: wanted.product,
            partner: wanted.partner,
            year: wanted.year,
            status,
            text,
            area: place.and_then(|place| place.area),
        })
    };
    wanted.into_iter().zip(places).filter_map(one).collect()
}

/// The values, up to five of them.
fn shown(found: &[Observation]) -> String {
    const MANY: usize = 5;
    let one = |one: &Observation| match (&one.reading, one.keys.last()) {
        (Reading::Absent(absence), _) => format!("{absence:?}"),
        (_, Some((_, name))) => format!("{name} {}", one.value),
        (_, None) => one.value.clone(),
    };
    let mut all: Vec<String> = found.iter().take(MANY).map(one).collect();
    if found.len() > MANY {
        all.push(format!("and {} more", found.len() - MANY));
    }
    all.join(", ")
}

fn status(extractor: &Extractor, wanted: &Wanted, found: &[Observation]) -> PointStatus {
    let is = |agreement: Agreement| found.iter().any(|one| one.agreement == agreement && one.known.is_none());
    let names_response =
        extractor.spec().point(&wanted.data_point).is_some_and(|point| point.response.is_some());
    if found.iter().all(|one| matches!(one.reading, Reading::Absent(_))) {
        PointStatus::Absent
    } else if is(Agreement::PageDisagrees) {
        PointStatus::PageDisagrees
    } else if names_response && is(Agreement::Single) {
        PointStatus::ResponseMissing
    } else {
        PointStatus::Found
    }
}

const fn failed(kind: &FailureKind) -> PointStatus {
    match kind {
        FailureKind::WrongForm | FailureKind::Partial(_) | FailureKind::SignMissing => PointStatus::OtherForm,
        FailureKind::LabelDisagrees(_) | FailureKind::Swapped(_) => PointStatus::PageDisagrees,
        FailureKind::ResponseMissing | FailureKind::NotAnswered(_) => PointStatus::ResponseMissing,
        FailureKind::OtherContext(_) => PointStatus::OtherView,
        FailureKind::ForAPerson => PointStatus::ForAPerson,
        _ => PointStatus::Missing,
    }
}

/// The points that some page showed, of all that were asked for anywhere.
fn share(pages: &[SurveyedPage]) -> Share {
    let is_read = |point: &&SurveyedPoint| point.status != PointStatus::ForAPerson;
    let points = || pages.iter().filter(|page| !page.absent).flat_map(|page| &page.points).filter(is_read);
    let name = |point: &SurveyedPoint| (point.extractor.clone(), point.point.clone());
    let all: BTreeSet<_> = points().map(name).collect();
    let found: BTreeSet<_> = points().filter(|point| point.status.is_collected()).map(name).collect();
    Share { found: found.len(), all: all.len() }
}

impl Survey {
    /// Whether some page shows a point.
    #[must_use]
    pub fn is_collected(&self, extractor: &str, point: &str) -> bool {
        let points = self.pages.iter().flat_map(|page| &page.points);
        let own = |one: &&SurveyedPoint| one.extractor == extractor && one.point == point;
        points.filter(own).any(|one| one.status.is_collected())
    }

    /// The exit code that this leads to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let unread = |page: &SurveyedPage| page.failure.is_some();
        let differs =
            self.schemas.iter().any(|check| !check.differences.is_empty() || check.failure.is_some());
        if self.interrupted {
            Exit::Interrupted
        } else if self.pages.iter().any(unread) {
            Exit::Site
        } else if self.points.found < self.points.all {
            Exit::Extraction
        } else if differs {
            Exit::Differences
        } else {
            Exit::Ok
        }
    }
}
