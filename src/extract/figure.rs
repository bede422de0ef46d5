//! A figure beside its label, in the section itself or in the bar that was seen at it, and which of several is meant.

use super::bars::IN_THE_BAR;
use super::compiled::Finder;
use super::form::{Form, Read};
use super::observation::{FailureKind, Observation};
use super::reading::{Scene, agreement};
use super::stat::{self, Miss};
use crate::manifest::spec::Span;
use crate::truth::Channel;

impl Scene<'_> {
    /// The candidates of a stat, in the section itself or in the bar that was seen at it.
    pub(super) fn candidates(&self, index: usize) -> Result<&[stat::Candidate], &Miss> {
        let found = self.stats[index].get_or_init(|| self.find_candidates(index));
        found.as_ref().map(Vec::as_slice)
    }

    fn find_candidates(&self, index: usize) -> Result<Vec<stat::Candidate>, Miss> {
        let point = &self.extractor.spec.points[index];
        let Finder::Stat { labels, others, form, with, without } = &self.extractor.finders[index] else {
            return Err(Miss { kind: FailureKind::LabelMissing, nearest: None });
        };
        let (page, lines) = self.region(point)?;
        let year = match point.period {
            Span::Year => self.behind(point).and_then(|behind| behind.year).or(self.year),
            _ => None,
        };
        let wanted = stat::Wanted { labels, others, form, with, without, subject: &self.subject, year };
        let own = stat::find(page, lines, &wanted);
        let Err(mut miss) = own else { return own };
        let unread = (miss.kind == FailureKind::WrongForm).then(|| miss.clone());
        let behind = self.behind(point);
        let honest = point.response.as_ref().is_some_and(|response| response.honest.is_some());
        let section = self.extractor.headings.iter().position(|section| section.slug == point.section);
        for (_, bar) in self.pinned.iter().filter(|(at, _)| Some(*at) == section) {
            match stat::find(bar, 0..bar.lines.len(), &wanted) {
                Ok(mut found) => {
                    // what the response contradicts does not stand in for what cannot be read beside the label
                    let wrong =
                        |one: &stat::Candidate| agreement(point, &one.read, behind.as_ref()) == Some(false);
                    if let Some(unread) = unread.filter(|_| !honest && found.iter().all(wrong)) {
                        return Err(unread);
                    }
                    for candidate in &mut found {
                        candidate.locator.push_str(IN_THE_BAR);
                    }
                    return Ok(found);
                }
                Err(other) if other.kind == FailureKind::WrongForm => return Err(other),
                // a label that the bar prints otherwise is nearer than anything in the section
                Err(other) if other.nearest.is_some() => miss = other,
                Err(_) => {}
            }
        }
        Err(miss)
    }

    pub(super) fn stat(&self, index: usize) -> Result<Observation, Miss> {
        let point = &self.extractor.spec.points[index];
        let Finder::Stat { form, .. } = &self.extractor.finders[index] else {
            return Err(Miss { kind: FailureKind::LabelMissing, nearest: None });
        };
        let candidates = self.candidates(index).map_err(Clone::clone)?;
        let behind = self.behind(point);
        let agrees = |candidate: &stat::Candidate| agreement(point, &candidate.read, behind.as_ref());
        // several figures may stand in one card; the one that the response rounds to is the figure meant
        let backed = candidates.iter().position(|candidate| agrees(candidate) == Some(true));
        let meant = backed.unwrap_or(0);
        // where nothing tells them apart, the nearest is no better than the next
        if backed.is_none() && candidates.iter().any(|candidate| candidate.read != candidates[0].read) {
            let values = candidates.iter().map(|candidate| candidate.shown.clone()).collect();
            return Err(Miss { kind: FailureKind::Ambiguous(values), nearest: None });
        }
        let candidate = candidates[meant].clone();
        let honest = point.response.as_ref().is_some_and(|response| response.honest.is_some());
        if agrees(&candidate) == Some(false) && !honest {
            if self.card_is_unread(index) {
                // what the response contradicts is not believed in a card of which something else cannot be read
                return Err(Miss { kind: FailureKind::WrongForm, nearest: Some(candidate.shown) });
            }
            // nor where the same card holds the value that the response rounds to
            let (page, lines) = self.region(point)?;
            let agrees = |read: &Read| agreement(point, read, behind.as_ref()) == Some(true);
            if !candidate.locator.ends_with(IN_THE_BAR)
                && let Some(rival) = stat::rival(page, &lines, &candidate.lines, form, agrees)
            {
                return Err(Miss {
                    kind: FailureKind::Ambiguous(vec![candidate.shown, rival]),
                    nearest: None,
                });
            }
        }
        let rule = match form {
            Form::Rule { rule, .. } | Form::Worded { rule, .. } => Some(*rule),
            Form::Vocabulary(_) => None,
        };
        let mut observation =
            self.observe(point, &candidate.read, rule, candidate.shown, Channel::Dom, behind.as_ref());
        observation.locator = format!("section `{}`, {}", point.section, candidate.locator);
        Ok(observation)
    }

    /// Whether another value of the same card has its label and cannot be read.
    fn card_is_unread(&self, index: usize) -> bool {
        let labels = |index: usize| match &self.extractor.finders[index] {
            Finder::Stat { labels, .. } => Some(labels),
            _ => None,
        };
        let points = &self.extractor.spec.points;
        (0..points.len())
            .filter(|&other| other != index && points[other].section == points[index].section)
            .filter(|&other| labels(other) == labels(index))
            .any(|other| self.candidates(other).is_err_and(|miss| miss.kind == FailureKind::WrongForm))
    }
}
