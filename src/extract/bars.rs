//! Bars that follow the reader down the page: at which headings a look has to stop to see them.

use std::collections::BTreeSet;

use super::Wanted;
use super::compiled::Extractor;
use super::observation::Extraction;
use crate::manifest::spec::Find;

/// What the locator of a value says that was read in a bar.
pub(super) const IN_THE_BAR: &str = " in the bar";

impl Extractor {
    /// The sections, by anchor, whose bar a look has to see. At the first look all of which a figure is wanted;
    /// once everything was found, those alone whose figure was read in the bar.
    #[must_use]
    pub fn bars(&self, wanted: &[Wanted], before: Option<&Extraction>) -> BTreeSet<&str> {
        let whole = before.filter(|extraction| extraction.points.iter().all(|(_, outcome)| outcome.is_ok()));
        let is_read_there = |wanted: &Wanted| {
            let outcome = whole.map(|extraction| extraction.outcome(wanted));
            let Some(Some(Ok(observations))) = outcome else { return true };
            observations.iter().any(|one| one.locator.ends_with(IN_THE_BAR))
        };
        wanted
            .iter()
            .filter(|wanted| is_read_there(wanted))
            .filter_map(|wanted| self.spec.point(&wanted.data_point))
            .filter(|point| matches!(point.find, Find::Stat(_)))
            .map(|point| point.section.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::observation::absent;
    use super::super::observation::{FailureKind, PageState};
    use super::*;
    use crate::manifest::spec::Specs;
    use crate::value::{Absence, Context};

    #[test]
    fn bars_that_gave_no_value_are_not_seen_again_unless_something_is_missing() {
        let spec = Specs::built_in().unwrap().get("country_profile").unwrap().clone();
        let extractor = Extractor::new(spec).unwrap();
        let about = Context::default();
        let wanted = ["gdp_per_capita", "eci_rank_complexity", "total_exports", "strategic_approach"]
            .map(|id| Wanted::about(&extractor, id, &about));
        // prose is never read in a bar
        let all = BTreeSet::from(["introduction", "export-complexity", "export-basket"]);
        assert_eq!(extractor.bars(&wanted, None), all);

        let read = |wanted: &Wanted, locator: &str| {
            let point = extractor.spec.point(&wanted.data_point).unwrap();
            let found =
                absent(point, about.clone(), Absence::NotShownHere, String::new(), locator.to_owned());
            (wanted.clone(), Ok(vec![found]))
        };
        let mut extraction = Extraction {
            state: PageState::Shown,
            year: Some(2024),
            unconfirmed: false,
            tooltips: Vec::new(),
            points: vec![
                read(&wanted[0], "section `introduction`, label \"GDP per capita\""),
                read(&wanted[1], "section `export-complexity`, label \"ECI Ranking\" in the bar"),
                read(&wanted[2], "section `export-basket`, label \"Total Exports\""),
                read(&wanted[3], "section `strategic-approach`, cue"),
            ],
        };
        assert_eq!(extractor.bars(&wanted, Some(&extraction)), BTreeSet::from(["export-complexity"]));

        let failure = extractor.failure(&wanted[0], FailureKind::LabelMissing, None);
        extraction.points[0].1 = Err(failure);
        assert_eq!(extractor.bars(&wanted, Some(&extraction)), all);
    }
}
