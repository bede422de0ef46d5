//! Checks that a page settled on the requested view: the final URL must keep every entity of the requested one,
//! compared by id. The site may add parameters but not change ours.

use super::url::Explore;
use crate::value::ContextPart;

/// The deviations of an Explore page, each with the affected part of the context (`None` for another visualisation).
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

/// The part of the context that a parameter sets.
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
    use crate::atlas::{AtlasUrl, SitePage};

    fn deviations(asked: &str, settled: &str) -> Vec<String> {
        let page = |page: SitePage| match page {
            SitePage::Explore(explore) => explore,
            SitePage::Country { .. } => panic!("no Explore page"),
        };
        let asked = page(AtlasUrl::parse(asked).unwrap().url.page);
        let settled = page(AtlasUrl::parse_settled(settled).unwrap().url.page);
        explore(&asked, &settled).into_iter().map(|(_, what)| what).collect()
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
