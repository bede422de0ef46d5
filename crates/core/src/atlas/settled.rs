//! Whether a page settled where it was sent: every entity that the URL asked for must be in the URL
//! that it ended on, compared by id. The site adds parameters of its own; it may not change ours.

use super::url::{AtlasUrl, Explore, Page};
use crate::value::ContextPart;

impl AtlasUrl {
    /// What the settled URL says otherwise than this one, one sentence each; empty when the page is
    /// the one asked for. Sections of a country are one page, and what this URL leaves open may be
    /// filled in.
    #[must_use]
    pub fn deviations(&self, settled: &Self) -> Vec<String> {
        match (&self.page, &settled.page) {
            (Page::Country { country: asked, .. }, Page::Country { country: got, .. }) => {
                if asked == got {
                    Vec::new()
                } else {
                    vec![format!("asked for country {asked}, settled on country {got}")]
                }
            }
            (Page::Explore(asked), Page::Explore(got)) => {
                explore(asked, got).into_iter().map(|(_, what)| what).collect()
            }
            _ => vec![format!("asked for {}, settled on {}", self.path(), settled.path())],
        }
    }
}

/// Each deviation of an Explore page with the part of the context that it concerns; none where it is another
/// drawing.
pub fn explore(asked: &Explore, got: &Explore) -> Vec<(Option<ContextPart>, String)> {
    let mut found = Vec::new();
    if asked.viz != got.viz {
        found.push((None, format!("asked for {}, settled on {}", asked.viz.path(), got.viz.path())));
    }
    let settled = got.parameters();
    for (name, value) in asked.parameters() {
        if asked.display.iter().any(|(display, _)| display == name) {
            continue;
        }
        let part = part_of(name, asked);
        match settled.iter().find(|(other, _)| *other == name) {
            Some((_, other)) if *other == value => {}
            Some((_, other)) => found.push((part, format!("asked for {name} {value}, settled on {other}"))),
            None => found.push((part, format!("asked for {name} {value}, settled without it"))),
        }
    }
    found
}

/// The part of the context that a parameter states.
fn part_of(parameter: &str, asked: &Explore) -> Option<ContextPart> {
    Some(match parameter {
        "exporter" => ContextPart::Country,
        "importer" if asked.sides().0 == asked.importer => ContextPart::Country,
        "importer" | "view" => ContextPart::Partner,
        "year" | "startYear" | "endYear" => ContextPart::Period,
        "product" | "productLevel" => ContextPart::Product,
        "productClass" => ContextPart::Classification,
        "tradeDirection" => ContextPart::Flow,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deviations(asked: &str, settled: &str) -> Vec<String> {
        let asked = AtlasUrl::parse(asked).unwrap().url;
        asked.deviations(&AtlasUrl::parse_settled(settled).unwrap().url)
    }

    #[test]
    fn decision_15_another_country_is_a_deviation_and_another_section_is_not() {
        assert!(deviations("/countries/404/summary", "http://127.0.0.1:1/countries/404").is_empty());
        assert_eq!(
            deviations("/countries/404", "/countries/792"),
            ["asked for country 404, settled on country 792"]
        );
        assert_eq!(deviations("/countries/404", "/explore/treemap").len(), 1);
    }

    #[test]
    fn the_site_may_add_parameters_and_not_change_them() {
        let asked = "/explore/treemap?exporter=country-404&year=2020&layout=share";
        assert!(
            deviations(asked, "/explore/treemap?year=2020&importer=group-1&exporter=country-404&new=1")
                .is_empty()
        );
        assert_eq!(
            deviations(asked, "/explore/geomap?year=2024"),
            [
                "asked for treemap, settled on geomap",
                "asked for year 2020, settled on 2024",
                "asked for exporter country-404, settled without it"
            ]
        );
    }
}
