//! Tests changes of a spec on captured pages.

pub use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use super::mending::{MendPage, Mending, Proof, Proposal, ReadAgain, Unmended};
use super::stored::beside_it;
use crate::atlas::Api;
use crate::error::Result;
use crate::evidence::Agreement;
use crate::extract::document::normalize_label;
use crate::extract::extractor::Extractor;
use crate::extract::observation::{Extraction, FailureKind, Outcome, Reading, Wanted};
use crate::extract::response::Exchanges;
use crate::extract::view::open::{Parsed, open, unchecked_view};
use crate::extract::view::{Source, View};
use crate::manifest::spec::edit::{Edit, edited};
use crate::manifest::spec::{Renamed, Spec, parse};

/// The requested paths by root field.
type AskedPaths = BTreeMap<String, BTreeSet<String>>;

/// The effect of a change on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialEffect {
    /// No change, or no page shows the value.
    None,
    /// Some page now shows its response's value, and no page contradicts it.
    Confirms,
    /// Some page now contradicts its response, or the response cannot be read.
    Contradicts,
}

/// A spec with the changes so far, and the values read with it.
pub struct Trial<'a> {
    path: PathBuf,
    text: String,
    pub pages: &'a [MendPage<'a>],
    parsed: Rc<[Parsed<'a>]>,
    /// The paths that the queries of each page request, by root field.
    pub asked: Rc<[AskedPaths]>,
    pub extractor: Extractor,
    pub readings: Vec<Extraction>,
}

impl<'a> Trial<'a> {
    pub fn new(spec: &Spec, pages: &'a [MendPage<'a>]) -> Result<Self> {
        let (path, text) = spec.file();
        let extractor = Extractor::new(spec.clone())?;
        let mut trial = Self {
            path: path.to_owned(),
            text: text.to_owned(),
            pages,
            parsed: pages.iter().map(|page| Parsed::whole(page.capture)).collect(),
            asked: pages.iter().map(asked).collect(),
            extractor,
            readings: Vec::new(),
        };
        trial.reread();
        Ok(trial)
    }

    /// Whether the edits restore a point.
    pub(crate) fn would_give(&self, edits: &[Edit], point: &str) -> bool {
        let point = [point.to_owned()];
        self.with(edits, &point).is_ok_and(|tried| tried.gives(&point[0]))
    }

    /// The points that one page gives with the edits; `None` if the page is still refused.
    pub(crate) fn would_read(&self, edits: &[Edit], at: usize) -> Result<Option<Vec<String>>> {
        let extractor = Extractor::new(parse(&self.path, &edited(&self.text, edits)?)?)?;
        let (page, parsed) = (&self.pages[at], &self.parsed[at]);
        let reading = extractor.extract_parsed((page.capture, parsed), page.url, &page.wanted);
        let is_refused = |outcome: &Outcome| {
            let refused = |kind: &FailureKind| {
                matches!(kind, FailureKind::Unrecognised(_) | FailureKind::OtherContext(_))
            };
            outcome.as_ref().is_err_and(|failure| refused(&failure.kind))
        };
        if reading.points.iter().all(|(_, outcome)| is_refused(outcome)) {
            return Ok(None);
        }
        let read = reading.points.into_iter().filter(|(_, outcome)| outcome.is_ok());
        Ok(Some(read.map(|(wanted, _)| wanted.data_point).collect()))
    }

    /// The effect on a point when fields get new names, on the pages that request them.
    pub fn effect(&self, renamed: &[Renamed], point: &str) -> TrialEffect {
        let extractor = self.extractor.with_renamed(renamed.to_vec());
        let asks = |asked: &AskedPaths, renamed: &Renamed| {
            let now = beside_it(&renamed.path, &renamed.now);
            asked.get(&renamed.field).is_some_and(|paths| paths.contains(&now))
        };
        let mut effect = TrialEffect::None;
        for (at, asked) in self.asked.iter().enumerate() {
            let before = outcome(&self.readings[at], point);
            if before.is_none() || !renamed.iter().any(|renamed| asks(asked, renamed)) {
                continue;
            }
            let reading = self.read_page(&extractor, at, Some(&[point.to_owned()]));
            match outcome(&reading, point) {
                now if now == before => {}
                Some(now) if agrees(now) && !disagrees(now) => effect = TrialEffect::Confirms,
                Some(Err(failure)) if matches!(failure.kind, FailureKind::OtherContext(_)) => {}
                Some(now) if now.is_err() || disagrees(now) => return TrialEffect::Contradicts,
                // Nothing visible confirms or contradicts it.
                _ => {}
            }
        }
        effect
    }

    /// This trial with more edits. Only `points`, all of one section, are read.
    pub fn with(&self, edits: &[Edit], points: &[String]) -> Result<Self> {
        let text = edited(&self.text, edits)?;
        let mut spec = parse(&self.path, &text)?;
        if let Some(section) = points.first().and_then(|first| Some(spec.point(first)?.section.clone())) {
            spec.points.retain(|point| point.section == section);
        }
        let extractor = Extractor::new(spec)?;
        let readings = self.read(&extractor, Some(points));
        let (parsed, asked) = (Rc::clone(&self.parsed), Rc::clone(&self.asked));
        Ok(Self { path: self.path.clone(), text, pages: self.pages, parsed, asked, extractor, readings })
    }

    /// Reads all pages again.
    pub(crate) fn reread(&mut self) {
        self.readings = self.read(&self.extractor, None);
    }

    /// Reads the pages that request some of these fields again.
    pub(crate) fn reread_asking(&mut self, fields: &BTreeMap<String, BTreeSet<String>>) {
        for at in 0..self.pages.len() {
            if fields.keys().any(|field| self.asked[at].contains_key(field)) {
                self.readings[at] = self.read_page(&self.extractor, at, None);
            }
        }
    }

    /// Reads all pages, or only some points of them.
    fn read(&self, extractor: &Extractor, points: Option<&[String]>) -> Vec<Extraction> {
        (0..self.pages.len()).map(|at| self.read_page(extractor, at, points)).collect()
    }

    /// Reads one page, unless none of the points is wanted from it.
    fn read_page(&self, extractor: &Extractor, at: usize, points: Option<&[String]>) -> Extraction {
        let page = &self.pages[at];
        let is_asked = |wanted: &&Wanted| points.is_none_or(|points| points.contains(&wanted.data_point));
        let wanted: Vec<Wanted> = page.wanted.iter().filter(is_asked).cloned().collect();
        if wanted.is_empty() {
            return Extraction::of(Vec::new());
        }
        extractor.extract_parsed((page.capture, &self.parsed[at]), page.url, &wanted)
    }

    /// The API that the pages query.
    pub fn api(&self) -> Api {
        Api::of(self.spec().page)
    }

    pub fn spec(&self) -> &Spec {
        self.extractor.spec()
    }

    /// Points that some page should give but does not, with the reason.
    pub fn missing(&self) -> BTreeMap<String, FailureKind> {
        self.failures(|kind| {
            matches!(
                kind,
                FailureKind::SectionMissing
                    | FailureKind::LabelMissing
                    | FailureKind::WrongForm
                    | FailureKind::Ambiguous(_)
                    | FailureKind::SignMissing
                    | FailureKind::Unrecognised(_)
            )
        })
    }

    /// Points whose response lacks what they depend on. No wording can mend them.
    pub fn unread(&self) -> BTreeMap<String, FailureKind> {
        self.failures(|kind| matches!(kind, FailureKind::ResponseUnread(_)))
    }

    fn failures(&self, is: impl Fn(&FailureKind) -> bool) -> BTreeMap<String, FailureKind> {
        let failures = self.readings.iter().flat_map(Extraction::failures);
        let failures = failures.filter(|failure| is(&failure.kind));
        failures.map(|failure| (failure.data_point.clone(), failure.kind.clone())).collect()
    }

    /// Points that a response should confirm but does not on some page, whether or not they are displayed.
    pub fn unconfirmed(&self) -> BTreeSet<String> {
        let all = self.readings.iter().flat_map(|reading| &reading.points);
        let is_alone = |point: &str, outcome: &Outcome| match outcome {
            Ok(found) => {
                let response = self.spec().point(point).and_then(|point| point.response.as_ref());
                let is_said = response.is_none_or(|response| response.known_difference.is_none());
                is_said
                    && found.iter().any(|one| one.agreement == Agreement::Single && is_value(&one.reading))
            }
            Err(failure) => {
                matches!(failure.kind, FailureKind::ResponseMissing | FailureKind::NotAnswered(_))
            }
        };
        let alone = all.filter(|(wanted, outcome)| is_alone(&wanted.data_point, outcome));
        alone.map(|(wanted, _)| wanted.data_point.clone()).collect()
    }

    /// The number of pages a point is wanted from.
    pub fn asking(&self, point: &str) -> usize {
        self.readings.iter().filter(|reading| outcome(reading, point).is_some()).count()
    }

    /// Whether all pages that a point is wanted from give it.
    pub fn is_read(&self, point: &str) -> bool {
        self.readings.iter().filter_map(|reading| outcome(reading, point)).all(Result::is_ok)
    }

    /// The scalar paths of the schema that reading a point needs and the pages do not request.
    pub fn missed(&self, point: &str) -> BTreeSet<(String, String)> {
        let is_open =
            |at: &usize| outcome(&self.readings[*at], point).is_some_and(|outcome| !agrees(outcome));
        let open = (0..self.pages.len()).filter(is_open);
        let readings = open.map(|at| self.read_page(&self.extractor, at, Some(&[point.to_owned()])));
        readings.flat_map(|reading| reading.missed).filter(|path| self.is_value(path)).collect()
    }

    /// The missing paths of all points.
    pub(crate) fn all_missed(&self) -> BTreeSet<(String, String)> {
        let missed = self.readings.iter().flat_map(|reading| &reading.missed);
        missed.filter(|path| self.is_value(path)).cloned().collect()
    }

    fn is_value(&self, (field, path): &(String, String)) -> bool {
        self.api().query(field).is_ok_and(|field| field.value(path).is_ok())
    }

    /// Whether the response of some page has the value of a point.
    pub fn has_value(&self, point: &str) -> bool {
        self.pages.iter().any(|page| {
            let wanted = page.wanted.iter().filter(|wanted| wanted.data_point == point).cloned();
            let wanted: Vec<_> = wanted.collect();
            let answer = self.extractor.answer(&page.capture.exchanges, page.url, &wanted);
            answer.points.iter().any(|(_, outcome)| outcome.is_ok())
        })
    }

    /// The pages as the current spec opens them; `None` for a refused one.
    pub fn views<'s>(&'s self) -> Vec<Option<View<'s>>> {
        let open = |(page, parsed): (&'s MendPage<'a>, &'s Parsed<'a>)| {
            let (spec, patterns) = (self.extractor.spec(), self.extractor.patterns());
            open(spec, patterns, (page.capture, parsed), page.url, Source::Page).ok()
        };
        self.pages.iter().zip(&*self.parsed).map(open).collect()
    }

    /// The pages, recognised or not.
    pub fn unchecked_views<'s>(&'s self) -> Vec<View<'s>> {
        let look = |(page, parsed): (&'s MendPage<'a>, &'s Parsed<'a>)| {
            let (spec, patterns) = (self.extractor.spec(), self.extractor.patterns());
            unchecked_view(spec, patterns, (page.capture, parsed), page.url, Source::Page)
        };
        self.pages.iter().zip(&*self.parsed).map(look).collect()
    }

    /// Views of the pages' responses alone.
    pub fn answers<'s>(&'s self) -> Vec<View<'s>> {
        let (spec, patterns) = (self.extractor.spec(), self.extractor.patterns());
        let answers = |(page, parsed): (&'s MendPage<'a>, &'s Parsed<'a>)| {
            let exchanges = parsed.exchanges(page.capture, spec);
            View::new(spec, patterns, page.url, None, Source::Ours, exchanges)
        };
        self.pages.iter().zip(&*self.parsed).map(answers).collect()
    }

    /// Whether a point is read and confirmed by its response on two pages (or all, if fewer), and never contradicted.
    pub fn gives(&self, point: &str) -> bool {
        gives(&self.readings, point)
    }

    /// The values read for some points, page by page.
    pub fn reads(&self, points: &[String]) -> Vec<ReadAgain> {
        let mut all = Vec::new();
        for (page, reading) in self.pages.iter().zip(&self.readings) {
            for point in points {
                let found = outcome(reading, point).and_then(|outcome| outcome.as_ref().ok());
                for one in found.into_iter().flatten().take(3) {
                    let behind = one.backing.as_ref().map(|backing| backing.precise.clone());
                    all.push(ReadAgain {
                        page: page.name.to_owned(),
                        point: point.clone(),
                        displayed: one.displayed.clone(),
                        response: behind.unwrap_or_default(),
                    });
                }
            }
        }
        all
    }

    /// Applies edits and returns whether they changed anything.
    pub fn take(&mut self, edits: &[Edit]) -> Result<bool> {
        let text = edited(&self.text, edits)?;
        if text == self.text {
            // The edits were already applied.
            return Ok(false);
        }
        self.extractor = Extractor::new(parse(&self.path, &text)?)?;
        self.text = text;
        Ok(true)
    }

    /// Accepts edits as a proposal. Edits that make the spec invalid are left for manual review.
    pub(crate) fn accept(
        &mut self,
        proof: Proof,
        mending: &mut Mending,
        subject: (&str, &str, Vec<String>),
        new: &str,
        edits: Vec<Edit>,
        points: Vec<String>,
    ) -> Result<()> {
        match self.take(&edits) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            // For example, braces have a meaning in specs.
            Err(_) => {
                self.leave(
                    mending,
                    subject.1,
                    "its wording cannot be expressed in a spec",
                    vec![new.to_owned()],
                );
                return Ok(());
            }
        }
        let again = self.read(&self.extractor, Some(&points));
        for (again, reading) in again.into_iter().zip(&mut self.readings) {
            for (wanted, outcome) in again.points {
                reading.replace(&wanted, outcome);
            }
        }
        mending.unique.push(self.proposal(subject, new, proof, edits, points));
        Ok(())
    }

    /// A proposal with the current values of its points.
    pub fn proposal(
        &self,
        (kind, subject, old): (&str, &str, Vec<String>),
        new: &str,
        proof: Proof,
        edits: Vec<Edit>,
        points: Vec<String>,
    ) -> Proposal {
        let name = self.spec().name.clone();
        Proposal {
            id: format!("{name}/{subject}"),
            extractor: name,
            kind: kind.to_owned(),
            proof,
            old,
            new: new.to_owned(),
            edits,
            reads: self.reads(&points),
            points,
        }
    }

    /// The wordings that restore a point when added to `key`, each with its edit.
    pub fn fitting(
        &self,
        point: &str,
        key: &str,
        wordings: impl IntoIterator<Item = String>,
    ) -> Vec<(String, Vec<Edit>)> {
        let change = |wording: String| (wording.clone(), vec![Edit::add(key.to_owned(), wording)]);
        wordings.into_iter().map(change).filter(|(_, edits)| self.would_give(edits, point)).collect()
    }

    /// Accepts the only wording that restores a point and returns whether there was one. Several are left for manual
    /// review.
    pub fn choose(
        &mut self,
        mending: &mut Mending,
        (kind, point, old): (&str, &str, Vec<String>),
        mut fitting: Vec<(String, Vec<Edit>)>,
        why: &str,
    ) -> Result<bool> {
        if fitting.len() > 1 {
            self.leave(mending, point, why, fitting.into_iter().map(|(wording, _)| wording).collect());
            return Ok(false);
        }
        let Some((wording, edits)) = fitting.pop() else { return Ok(false) };
        self.accept(Proof::Displayed, mending, (kind, point, old), &wording, edits, vec![point.to_owned()])?;
        Ok(true)
    }

    /// Leaves something for manual review.
    pub fn leave(&self, mending: &mut Mending, subject: &str, why: &str, either: Vec<String>) {
        let extractor = self.spec().name.clone();
        mending.open.push(Unmended { extractor, subject: subject.to_owned(), why: why.to_owned(), either });
    }
}

fn asked(page: &MendPage<'_>) -> AskedPaths {
    let mut asked = AskedPaths::new();
    for root in Exchanges::read(&page.capture.exchanges, &[]).iter() {
        asked.entry(root.field.clone()).or_default().extend(root.asked());
    }
    asked
}

fn gives(readings: &[Extraction], point: &str) -> bool {
    let outcomes = || readings.iter().filter_map(|reading| outcome(reading, point));
    let agreed = outcomes().filter(|outcome| agrees(outcome)).count();
    let asked = outcomes().count();
    let is_contradicting = |outcome: &&Outcome| match outcome {
        Ok(_) => disagrees(outcome),
        Err(failure) => !matches!(
            failure.kind,
            FailureKind::LabelMissing
                | FailureKind::SectionMissing
                | FailureKind::OtherContext(_)
                | FailureKind::ResponseUnread(_)
        ),
    };
    agreed >= asked.clamp(1, 2) && !outcomes().any(|outcome| is_contradicting(&outcome))
}

fn outcome<'r>(reading: &'r Extraction, point: &str) -> Option<&'r Outcome> {
    reading.points.iter().find(|(wanted, _)| wanted.data_point == point).map(|(_, outcome)| outcome)
}

/// Whether a value was read and its response contradicts it.
fn disagrees(outcome: &Outcome) -> bool {
    outcome.as_ref().is_ok_and(|found| found.iter().any(|one| one.agreement == Agreement::PageDisagrees))
}

/// Whether a value was read and its response confirms it.
fn agrees(outcome: &Outcome) -> bool {
    outcome.as_ref().is_ok_and(|found| {
        found.iter().any(|one| one.agreement == Agreement::Agrees && is_value(&one.reading))
    })
}

const fn is_value(reading: &Reading) -> bool {
    !matches!(reading, Reading::Absent(_))
}

/// Proposes captions of lists and texts beside drawn figures. Every short text of the section is tried.
pub fn captions(trial: &mut Trial<'_>, mending: &mut Mending) -> Result<()> {
    let missing: Vec<String> = trial.missing().into_keys().collect();
    for point in missing {
        let Some(spec) = trial.spec().point(&point).cloned() else { continue };
        let kind = spec.find.kind.as_str();
        if !matches!(kind, "partners" | "drawn") || spec.state.is_some() || !trial.has_value(&point) {
            continue;
        }
        let Some(key) = wording_key(trial.spec(), &point) else { continue };
        let mut pages: BTreeMap<String, usize> = BTreeMap::new();
        for view in trial.views().iter().flatten() {
            let Ok((page, lines)) = view.region(&spec) else { continue };
            let short = page.lines[lines].iter().filter(|line| line.text.len() <= 60 && !line.heading);
            let has_words = short.filter(|line| line.text.chars().filter(|c| c.is_alphabetic()).count() > 2);
            let texts: BTreeSet<String> = has_words.map(|line| normalize_label(&line.text)).collect();
            for text in texts {
                *pages.entry(text).or_default() += 1;
            }
        }
        // A text that only one country's page has is not a caption.
        let several = trial.pages.len().min(2);
        let texts = pages.into_iter().filter(|(_, count)| *count >= several).map(|(text, _)| text);
        let fitting = trial.fitting(&point, &format!("points.{point}.find.{kind}.{key}"), texts);
        let old = spec.find.texts(key);
        trial.choose(mending, ("caption", &point, old), fitting, "several texts are next to it")?;
    }
    Ok(())
}

/// The spec key for another wording of a point; `None` if the point is not found by wording.
fn wording_key(spec: &Spec, point: &str) -> Option<&'static str> {
    match spec.point(point)?.find.kind.as_str() {
        "stat" | "drawn" => Some("labels"),
        "narrative" => Some("cues"),
        "partners" => Some("captions"),
        _ => None,
    }
}
