//! Survey: opens one page of each kind and reports what the extractor specs find on it. It creates
//! no records. The captures are kept in a bundle, from which everything can be extracted again
//! without the site.

mod bundle;
mod pages;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

pub use bundle::{Bundle, BundlePage};
pub use pages::{SurveyPage, pages};
pub use report::{PointStatus, Share, Survey, SurveyedPage, SurveyedPoint};

use super::job::Job;
use super::visit::{Loaded, PageResult, VisitRun, load, peak_memory};
use super::{OwnApi, SchemaCheck, filing};
use crate::acquire::{Browser, host_with_port};
use crate::error::Result;
use crate::event::Events;
use crate::evidence::Agreement;
use crate::extract::{Extractor, FailureKind, Observation, Reading, Wanted};
use crate::manifest::Visit;
use crate::truth::Store;

/// Surveys pages. The job's store is the bundle. Our own queries only check the schemas; the job
/// sends none, so that pages are surveyed as they are.
///
/// # Errors
/// The bundle cannot be written. An unreadable page is reported, not an error.
pub async fn survey<B: Browser>(
    browser: &B,
    job: &Arc<Job>,
    api: Option<&OwnApi>,
    pages: &[SurveyPage],
    events: &Events,
    stop: &AtomicBool,
) -> Result<Survey> {
    let run = VisitRun::of(job, events, None);
    let now = job.clock.now();
    let visits: Vec<Visit> =
        pages.iter().enumerate().map(|(at, page)| page.visit(at, &job.extractors)).collect::<Result<_>>()?;
    let planned_requests = planned(job, api, &visits);
    run.begin(false, visits.len(), 0)?;
    let mut survey = Survey {
        site: job.base.to_string(),
        bundle: job.store.dir().to_owned(),
        at: now.to_string(),
        planned_requests,
        ..Survey::default()
    };
    if let Some(api) = api {
        survey.schemas = api.check_schemas(&job.extractors, now, events).await;
        survey.requests = api.client.requests();
    }
    survey.requests += u64::from(job.options.robots.requests());
    let fits = |check: &SchemaCheck| check.differences.is_empty() && check.failure.is_none();
    let schemas_fit = api.is_some() && survey.schemas.iter().all(fits);
    let asked: BTreeMap<String, SurveyPage> =
        visits.iter().map(|visit| visit.url.path()).zip(pages.iter().cloned()).collect();
    let found = Arc::new(Mutex::new(survey));
    let filing = {
        let found = Arc::clone(&found);
        move |run: &VisitRun, visit: &Visit, loaded: Option<Loaded>| {
            let mut survey = found.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(loaded) = loaded else {
                survey.interrupted = true;
                return Ok(None);
            };
            let surveyed = surveyed(&run.job, &asked[&visit.url.path()], visit, loaded, schemas_fit)?;
            survey.requests += u64::from(surveyed.requests);
            survey.pages.push(surveyed.clone());
            bundle::save(&run.job.store, &survey)?;
            Ok(Some(surveyed))
        }
    };
    let read = async |visit: &Visit| Ok(load(browser, job, visit, events, stop).await);
    let in_order = run.visit_all(visits, stop, read, filing).await?;
    let mut survey = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
    survey.pages = in_order.into_iter().flatten().collect();
    survey.points = share(&survey.pages);
    survey.took_ms = run.took_ms();
    survey.peak_memory_mb = peak_memory();
    bundle::save(&job.store, &survey)?;
    run.finish(survey.took_ms, survey.requests, survey.interrupted)?;
    Ok(survey)
}

/// The expected requests of the pages, plus our own.
#[must_use]
pub fn planned(job: &Job, api: Option<&OwnApi>, visits: &[Visit]) -> u32 {
    let own = u32::from(api.is_some()) * 2 + job.options.robots.requests().min(1);
    job.estimates.of_pages(visits, &job.extractors, job.sessions).0 + own
}

/// The outcome of a page.
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
        ..SurveyedPage::default()
    };
    let Ok(read) = read else { return Ok(surveyed) };
    keep(&job.store, &mut surveyed, visit, &read, schemas_fit)?;
    let not_found = |(_, extraction): &(Arc<Extractor>, _)| says_not_found(extraction);
    surveyed.absent = page.absent && read.readings.iter().all(not_found);
    Ok(surveyed)
}

/// Stores the capture and the picture of a page, and returns the result of its points.
fn keep(
    store: &Store,
    surveyed: &mut SurveyedPage,
    visit: &Visit,
    read: &PageResult,
    schemas_fit: bool,
) -> Result<()> {
    surveyed.looks = read.looks;
    surveyed.settled = read.settled().to_owned();
    let idle =
        read.idle_errors().into_iter().map(|error| format!("error without effect on a value: {error}"));
    surveyed.notes = read.capture.errors.iter().chain(&read.capture.notes).cloned().chain(idle).collect();
    surveyed.states = read.capture.states.iter().map(|state| state.name.clone()).collect();
    let evidence = serde_json::to_vec(&read.capture).map_err(std::io::Error::other);
    let evidence = evidence.map_err(crate::error::Error::file(store.dir()))?;
    surveyed.capture = Some(store.put_evidence(&evidence)?);
    surveyed.picture = read.screenshot.as_deref().map(|png| store.put_picture(png)).transpose()?;
    for (extractor, _) in &read.readings {
        if let Some(shape) = extractor.shape(&read.capture, &visit.url) {
            surveyed.shapes.insert(extractor.spec().name.clone(), shape);
        }
        surveyed.points.extend(points(extractor, visit, read, schemas_fit));
    }
    Ok(())
}

/// Stores the incomplete pages of a run for `mend`, in the format of a survey. Replaces the pages
/// of an earlier run.
///
/// # Errors
/// The folder cannot be written.
pub(in crate::workflow) fn of_broken(job: &Job, dir: &Path, pages: &[(Visit, PageResult)]) -> Result<Bundle> {
    if dir.exists() {
        std::fs::remove_dir_all(dir).map_err(crate::error::Error::file(dir))?;
    }
    {
        let store = Store::open_at(dir, job.store.site(), job.store.address().map(str::to_owned))?;
        let mut survey = Survey {
            site: job.base.to_string(),
            bundle: dir.to_owned(),
            at: job.clock.now().to_string(),
            ..Survey::default()
        };
        for (visit, read) in pages {
            let path = visit.url.path();
            let mut page = SurveyedPage {
                name: path.clone(),
                path,
                settled: read.settled().to_owned(),
                ..SurveyedPage::default()
            };
            keep(&store, &mut page, visit, read, false)?;
            survey.pages.push(page);
        }
        survey.points = share(&survey.pages);
        bundle::save(&store, &survey)?;
    }
    Bundle::read(dir)
}

fn says_not_found(extraction: &crate::extract::Extraction) -> bool {
    extraction.points.iter().all(|(_, outcome)| match outcome {
        Ok(found) => found.iter().all(|one| matches!(one.reading, Reading::Absent(_))),
        Err(failure) => failure.kind == FailureKind::PageNotFound,
    })
}

/// The result of each point that an extractor was asked for.
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

/// Up to five of the values.
fn shown(found: &[Observation]) -> String {
    const MAX_SHOWN: usize = 5;
    let one = |one: &Observation| match (&one.reading, one.keys.last()) {
        (Reading::Absent(absence), _) => format!("{absence:?}"),
        (_, Some((_, name))) => format!("{name} {}", one.value),
        (_, None) => one.value.clone(),
    };
    let mut all: Vec<String> = found.iter().take(MAX_SHOWN).map(one).collect();
    if found.len() > MAX_SHOWN {
        all.push(format!("and {} more", found.len() - MAX_SHOWN));
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
        PointStatus::Unconfirmed
    } else {
        PointStatus::Found
    }
}

const fn failed(kind: &FailureKind) -> PointStatus {
    match kind {
        FailureKind::WrongForm | FailureKind::Partial(_) | FailureKind::SignMissing => PointStatus::OtherForm,
        FailureKind::LabelDisagrees(_) | FailureKind::Swapped(_) => PointStatus::PageDisagrees,
        FailureKind::ResponseMissing | FailureKind::NotAnswered(_) => PointStatus::ResponseMissing,
        FailureKind::ResponseUnread(_) => PointStatus::ResponseUnread,
        FailureKind::OtherContext(_) => PointStatus::OtherView,
        FailureKind::ForAPerson => PointStatus::ForAPerson,
        _ => PointStatus::Missing,
    }
}

/// The share of points that some page showed, out of all points asked for.
fn share(pages: &[SurveyedPage]) -> Share {
    let is_read = |point: &&SurveyedPoint| point.status != PointStatus::ForAPerson;
    let points = || pages.iter().filter(|page| !page.absent).flat_map(|page| &page.points).filter(is_read);
    let name = |point: &SurveyedPoint| (point.extractor.clone(), point.point.clone());
    let all: BTreeSet<_> = points().map(name).collect();
    let found: BTreeSet<_> = points().filter(|point| point.status.is_collected()).map(name).collect();
    Share { found: found.len(), all: all.len() }
}
