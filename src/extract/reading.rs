//! Runs an extractor over a capture: page state first, then whose page it is, then point by point.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::atlas::{AtlasUrl, CountryId, Page as Kind, PageKnown, by_id, lookup};
use crate::capture::Capture;
use crate::manifest::spec::{Point, Rows, Span};
use crate::truth::Channel;
use crate::value::{Absence, Context, ContextPart, Period};

use super::compiled::{Extractor, Finder};
use super::entity::Subject;
use super::exchange::Exchanges;
use super::explore;
use super::form::{Read, canonical};
use super::narrative;
use super::observation::{
    Extraction, Failure, FailureKind, Observation, Outcome, PageState, Reading, absent,
};
use super::own;
use super::page::{Lines, Page, loosen};
use super::response::{self, Behind, explain};
use super::section;
use super::stat::{self, Miss};
use super::swap;
use super::table;
use super::{Wanted, cells};

/// Everything that is known of a capture before the first point is looked for.
pub(super) struct Scene<'a> {
    pub extractor: &'a Extractor,
    pub subject: Subject,
    pub page: Page,
    pub sections: Vec<section::Found>,
    /// Bars by the section that they were seen at.
    pub pinned: Vec<(usize, Page)>,
    /// Pages after an interaction, by its name.
    pub states: Vec<(String, Page)>,
    pub exchanges: Exchanges<'a>,
    pub year: Option<i16>,
    /// What was found for each stat, by index of its point: swaps, cards and the points themselves ask for it.
    pub(super) stats: Vec<OnceCell<Result<Vec<stat::Candidate>, Miss>>>,
    /// Rows that were read of responses, by the place of the root field and how its rows were read.
    pub(super) books: RefCell<Vec<(usize, Rows, Rc<cells::Book<'a>>)>>,
}

impl Extractor {
    /// Reads the wanted points from a capture of the page that `url` asks for.
    ///
    /// What the page says otherwise than its address, in where it settled, its titles or its own queries,
    /// is refused with the part named that differs.
    #[must_use]
    pub fn extract(&self, capture: &Capture, url: &AtlasUrl, wanted: &[Wanted]) -> Extraction {
        match &url.page {
            Kind::Country { country, .. } => self.extract_country(capture, *country, wanted),
            Kind::Explore(_) => explore::read(self, capture, url, wanted),
        }
    }

    fn extract_country(&self, capture: &Capture, country: CountryId, wanted: &[Wanted]) -> Extraction {
        let page = Page::parse(&capture.html);
        let sections = section::find(&page, &self.headings);
        if sections.is_empty() && self.says_not_found(&page) {
            return self.not_found(country, wanted);
        }
        let exchanges = Exchanges::read(&capture.exchanges);
        let subject = Subject { country };
        let named = self.named_countries(&page, &sections);
        let mut contradictions = subject.contradictions(capture, &exchanges, &named);
        if named.is_empty() && contradictions.is_empty() {
            // a page that does not say whose it is proves nothing
            contradictions.push((ContextPart::Country, "no heading names the country".to_owned()));
        }
        let year = self.page_year(&page, &sections);
        let refuse = |kind: FailureKind| {
            let all =
                wanted.iter().map(|wanted| (wanted.clone(), Err(self.failure(wanted, kind.clone(), None))));
            Extraction {
                state: PageState::Shown,
                year,
                unconfirmed: false,
                tooltips: Vec::new(),
                points: all.collect(),
            }
        };
        if sections.is_empty() {
            let text: String = page.text(0..page.lines.len().min(12)).chars().take(160).collect();
            return refuse(FailureKind::Unrecognised(format!("\"{}\": {text}", capture.title)));
        }
        if !contradictions.is_empty() {
            return refuse(FailureKind::OtherContext(contradictions));
        }
        let pinned = capture
            .pinned
            .iter()
            .filter_map(|pinned| {
                Some((section::of_heading(&self.headings, &pinned.stop)?, Page::parse(&pinned.html)))
            })
            .collect();
        let states =
            capture.states.iter().map(|state| (state.name.clone(), Page::parse(&state.html))).collect();
        let stats = vec![OnceCell::new(); self.finders.len()];
        let mut scene = Scene {
            extractor: self,
            subject,
            page,
            sections,
            pinned,
            states,
            exchanges,
            year,
            stats,
            books: RefCell::default(),
        };
        let mut extraction = scene.read(wanted);
        if !capture.own.is_empty() {
            scene.exchanges = Exchanges::read(&capture.own).before(scene.exchanges);
            scene.stats.fill(OnceCell::new());
            scene.books.take();
            for (wanted, outcome) in &mut extraction.points {
                if own::lacks(outcome) {
                    *outcome = scene.one_point(wanted);
                    outcome.iter_mut().for_each(|found| own::mark(found));
                }
            }
        }
        self.refuse_undated(&mut extraction);
        extraction
    }

    /// Takes back the values that would be kept without their year: the page says it in a heading, and where that
    /// is not read another year's page looks the same.
    fn refuse_undated(&self, extraction: &mut Extraction) {
        if self.year.is_none() || extraction.year.is_some() {
            return;
        }
        let wording = self.spec.year_heading.as_deref().unwrap_or_default();
        for (wanted, outcome) in &mut extraction.points {
            let undated = |found: &[Observation]| found.iter().any(|one| one.context.period.is_none());
            if outcome.as_ref().is_ok_and(|found| undated(found)) {
                let what = format!("no heading says it as `{wording}` does");
                let kind = FailureKind::OtherContext(vec![(ContextPart::Period, what)]);
                *outcome = Err(self.failure(wanted, kind, None));
            }
        }
    }

    fn says_not_found(&self, page: &Page) -> bool {
        let text = loosen(&page.text(0..page.lines.len()));
        !self.not_found.is_empty() && self.not_found.iter().all(|needle| text.contains(needle.as_str()))
    }

    fn not_found(&self, country: CountryId, wanted: &[Wanted]) -> Extraction {
        let known = by_id(country).map_or(PageKnown::Unknown, |entity| entity.page);
        let read = |wanted: &Wanted| {
            let Some(point) = self.spec.point(&wanted.data_point).filter(|_| known != PageKnown::Yes) else {
                return Err(self.failure(wanted, FailureKind::PageNotFound, None));
            };
            let context = Context { country: Some(country.to_string()), ..Context::default() };
            let texts = self.spec.not_found.texts.join(" … ");
            Ok(vec![absent(point, context, Absence::PageNotFound, texts, "the page as a whole".to_owned())])
        };
        let points = wanted.iter().map(|wanted| (wanted.clone(), read(wanted))).collect();
        Extraction {
            state: PageState::NotFound,
            year: None,
            unconfirmed: false,
            tooltips: Vec::new(),
            points,
        }
    }

    /// The country names in the headings that carry one.
    fn named_countries(&self, page: &Page, sections: &[section::Found]) -> Vec<String> {
        let headings = sections.iter().map(|found| found.heading.as_str());
        let marked =
            page.lines.iter().filter(|line| line.heading && !line.control).map(|line| line.text.as_str());
        let mut named: Vec<String> = headings
            .chain(marked)
            .filter_map(|heading| {
                let hit = self.entity.iter().find_map(|cue| cue.whole(heading.trim_end_matches(':')))?;
                hit.slots.get("country").cloned()
            })
            .collect();
        // the page's own title: a top heading that is a country's name and nothing else
        let title = page
            .lines
            .iter()
            .take(sections.first().map_or(0, |found| found.lines.end))
            .filter(|line| line.heading && !line.control && lookup(&line.text).is_some());
        named.extend(title.map(|line| line.text.clone()).take(1));
        named.sort();
        named.dedup();
        named
    }

    fn page_year(&self, page: &Page, sections: &[section::Found]) -> Option<i16> {
        let cue = self.year.as_ref()?;
        sections
            .iter()
            .map(|found| found.heading.as_str())
            .chain(page.lines.iter().filter(|line| line.heading).map(|line| line.text.as_str()))
            .find_map(|heading| cue.whole(heading.trim_end_matches(':'))?.slots.get("year")?.parse().ok())
    }

    /// The failure of a value that was seen in one look only.
    #[must_use]
    pub fn unsteady(&self, wanted: &Wanted, seen: String) -> Box<Failure> {
        self.failure(wanted, FailureKind::Unsteady, Some(seen))
    }

    /// A failure of a point, with everything that is needed to mend the spec.
    pub(super) fn failure(
        &self,
        wanted: &Wanted,
        kind: FailureKind,
        nearest: Option<String>,
    ) -> Box<Failure> {
        let index = self.spec.points.iter().position(|point| point.id == wanted.data_point);
        let (section, label, pattern) = index.map_or_else(Default::default, |index| {
            let (label, pattern) = self.finders[index].describe();
            (self.spec.points[index].section.clone(), label, pattern)
        });
        Box::new(Failure {
            data_point: wanted.data_point.clone(),
            extractor: self.label(),
            section,
            label,
            pattern,
            kind,
            nearest,
        })
    }
}

impl Scene<'_> {
    fn read(&self, wanted: &[Wanted]) -> Extraction {
        let swaps = swap::find(self);
        let read = |wanted: &Wanted| match self.index(wanted).and_then(|index| swaps.get(&index)) {
            Some(what) => Err(self.extractor.failure(wanted, FailureKind::Swapped(what.clone()), None)),
            None => self.one_point(wanted),
        };
        let points = wanted.iter().map(|wanted| (wanted.clone(), read(wanted))).collect();
        Extraction {
            state: PageState::Shown,
            year: self.year,
            unconfirmed: false,
            tooltips: Vec::new(),
            points,
        }
    }

    /// Where the spec has a point.
    fn index(&self, wanted: &Wanted) -> Option<usize> {
        self.extractor.spec.points.iter().position(|point| point.id == wanted.data_point)
    }

    fn one_point(&self, wanted: &Wanted) -> Outcome {
        let miss = || Miss { kind: FailureKind::LabelMissing, nearest: None };
        let found = self.index(wanted).ok_or_else(miss).and_then(|index| self.point(index, wanted));
        found.map_err(|miss| self.extractor.failure(wanted, miss.kind, miss.nearest))
    }

    /// The page that a point is on, and its lines there.
    pub(super) fn region(&self, point: &Point) -> Result<(&Page, Lines), Miss> {
        let missing = |nearest| Miss { kind: FailureKind::SectionMissing, nearest };
        let section = self.extractor.headings.iter().position(|section| section.slug == point.section);
        let section = section.ok_or_else(|| missing(None))?;
        if let Some(state) = &point.state {
            let page = self.states.iter().find(|(name, _)| name == state).map(|(_, page)| page);
            let page = page.ok_or_else(|| missing(Some(format!("the page was not seen after `{state}`"))))?;
            let found = section::find(page, &self.extractor.headings);
            let lines = found.into_iter().find(|found| found.section == section).map(|found| found.lines);
            return lines.map(|lines| (page, lines)).ok_or_else(|| missing(None));
        }
        let found = self.sections.iter().find(|found| found.section == section);
        found.map(|found| (&self.page, found.lines.clone())).ok_or_else(|| {
            let heading = self.extractor.spec.sections[section].headings.first().cloned().unwrap_or_default();
            missing(section::nearest(&self.page, 0..self.page.lines.len(), &heading))
        })
    }

    fn point(&self, index: usize, wanted: &Wanted) -> Result<Vec<Observation>, Miss> {
        let point = &self.extractor.spec.points[index];
        let (page, lines) = self.region(point)?;
        let section = self.extractor.headings.iter().position(|section| section.slug == point.section);
        let notices = section.map(|section| &self.extractor.unavailable[section]);
        if let Some(notice) = notices
            .into_iter()
            .flatten()
            .find(|notice| page.lines[lines.clone()].iter().any(|line| line.loose.contains(notice.as_str())))
        {
            let locator = format!("section `{}`", point.section);
            let context = self.context(point, None, None);
            return Ok(vec![absent(
                point,
                context,
                Absence::NotAvailableForCountry,
                notice.clone(),
                locator,
            )]);
        }
        match &self.extractor.finders[index] {
            Finder::Stat { .. } => self.stat(index).map(|observation| vec![observation]),
            Finder::Narrative { cues, rule, vocabulary } => {
                let wanted = narrative::Wanted {
                    cues,
                    rule: *rule,
                    unit: point.unit,
                    vocabulary: vocabulary.as_deref(),
                    subject: &self.subject,
                };
                let phrase = narrative::find(page, lines, &wanted)?;
                let behind = self.behind(point);
                let mut observation = self.observe(
                    point,
                    &phrase.read,
                    *rule,
                    phrase.shown,
                    Channel::Narrative,
                    behind.as_ref(),
                );
                observation.keys = phrase.slots;
                observation.locator = format!("section `{}`, {}", point.section, phrase.locator);
                Ok(vec![observation])
            }
            Finder::Partners { captions, rule, count } => {
                self.partners(point, page, lines, captions, *rule, *count)
            }
            Finder::Table(form) => self.table(point, &table::read(page, lines, form)?.whole()?, form),
            Finder::Cell { table, column } => self.cell(point, page, lines, *table, *column),
            Finder::Cells { count, label, rule } => self.cells(
                point,
                page,
                lines,
                &cells::Wanted {
                    count: *count,
                    label: *label,
                    rule: *rule,
                    product: wanted.product.as_deref(),
                },
            ),
            Finder::Drawn { labels, rule } => self.drawn(point, page, lines, labels, *rule),
            Finder::Explored => Err(Miss { kind: FailureKind::LabelMissing, nearest: None }),
        }
    }

    /// The value of the page's own responses behind a point.
    pub(super) fn behind(&self, point: &Point) -> Option<Behind> {
        response::behind(&self.exchanges, point.response.as_ref()?, self.subject.country)
    }

    /// The context of a value: what the spec says, the country, the years, and the year of the response.
    pub(super) fn context(
        &self,
        point: &Point,
        behind: Option<&Behind>,
        years: Option<(i16, i16)>,
    ) -> Context {
        let year = behind.and_then(|behind| behind.year).or(self.year);
        let period = match (point.period, years) {
            (_, Some((start, end))) => Some(Period { start, end }),
            (Span::Year, None) => year.map(Period::year),
            (Span::Lookback(years), None) => year.map(|year| Period { start: year - years, end: year }),
            (Span::Projection(years), None) => year.map(|year| Period { start: year, end: year + years }),
        };
        Context { country: Some(self.subject.country.to_string()), period, ..point.context.clone() }
    }

    pub(super) fn observe(
        &self,
        point: &Point,
        read: &Read,
        rule: Option<crate::value::Rule>,
        shown: String,
        channel: Channel,
        behind: Option<&Behind>,
    ) -> Observation {
        let (reading, value) = match read {
            Read::Quantity(quantity) => {
                let value = rule.map_or_else(|| shown.clone(), |rule| canonical(quantity, rule, &shown));
                (Reading::Quantity(quantity.clone()), value)
            }
            Read::Word(word) => (Reading::Text(word.clone()), word.clone()),
        };
        let honest = point.response.as_ref().and_then(|response| response.honest.as_deref());
        let (agreement, reason) = explain(agreement(point, read, behind), &value, behind, honest);
        Observation {
            data_point: point.id.clone(),
            metric: point.metric.clone(),
            keys: Vec::new(),
            displayed: shown,
            reading,
            value,
            rule,
            context: self.context(point, behind, None),
            channel,
            locator: String::new(),
            backing: behind.and_then(Behind::backing),
            agreement,
            reason,
            known: honest.map(str::to_owned),
        }
    }
}

/// Whether a reading is what the response rounds to; none when there is nothing to compare.
pub(super) fn agreement(point: &Point, read: &Read, behind: Option<&Behind>) -> Option<bool> {
    match read {
        Read::Quantity(quantity) => behind?.agrees_with_number(quantity),
        Read::Word(word) => behind?.agrees_with_word(point.vocabulary.as_deref(), word),
    }
}
