//! The pages of a survey, from `manifests/survey.toml`.

use serde::Deserialize;

use crate::atlas::AtlasUrl;
use crate::error::{Error, Result};
use crate::extract::{Extractor, Extractors};
use crate::manifest::{Details, Entry, Method, Place, QuestionId, QuestionInfo, Visit};
use crate::selection::QuestionFilter;
use crate::value::{Context, Period};

const PAGES: &str = include_str!("../../../manifests/survey.toml");

/// A page of the survey.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurveyPage {
    /// Its name.
    pub name: String,
    /// Its kind, as named by `--pages`.
    pub kind: String,
    /// Its address.
    pub path: String,
    /// The product to query.
    product: Option<String>,
    /// The trade partner to query.
    partner: Option<String>,
    /// The year to query, for points with one value per year.
    year: Option<i16>,
    /// Points with another product.
    #[serde(default)]
    ask: Vec<Ask>,
    /// The only points to query. Empty means every point that the page may show.
    #[serde(default)]
    only: Vec<String>,
    /// Whether the site should have no such page.
    #[serde(default)]
    pub absent: bool,
}

/// Points of a page that have another product than the rest.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    points: Vec<String>,
    product: String,
}

#[derive(Deserialize)]
struct File {
    pages: Vec<SurveyPage>,
}

/// The pages of the given kinds; all pages if none is given.
///
/// # Errors
/// There is no page of a given kind.
pub fn pages(kinds: &[String]) -> Result<Vec<SurveyPage>> {
    let file: File = toml::from_str(PAGES).map_err(|error| Error::Usage(error.to_string()))?;
    let Some(named) = QuestionFilter::new("--pages", kinds)? else { return Ok(file.pages) };
    let known = file.pages.into_iter().map(|page| (page.kind.clone(), page));
    named.choose(known, "the survey", |value, kind| value == kind)
}

impl SurveyPage {
    /// The page visit that reads every spec's points for this kind of page.
    ///
    /// # Errors
    /// The path is not a valid address.
    pub fn visit(&self, at: usize, extractors: &Extractors) -> Result<Visit> {
        let url = AtlasUrl::parse(&self.path).map_err(|error| Error::Usage(error.to_string()))?.url;
        let context = Context {
            country: url.country().map(|id| id.to_string()),
            product: self.product.clone(),
            partner: self.partner.clone(),
            period: self.year.map(Period::year),
            ..Context::default()
        };
        let of_kind = extractors.iter().filter(|extractor| extractor.spec().page == url.kind());
        let mut entries = Vec::new();
        for extractor in of_kind {
            let points = extractor.on_page(&context).into_iter().map(|wanted| wanted.data_point);
            let points = points.filter(|point| self.only.is_empty() || self.only.contains(point));
            let is_other = |point: &String| self.ask.iter().any(|ask| ask.points.contains(point));
            let (other, own): (Vec<String>, Vec<String>) = points.partition(is_other);
            let asked = self.ask.iter().map(|ask| {
                let points = other.iter().filter(|point| ask.points.contains(point)).cloned().collect();
                (points, Context { product: Some(ask.product.clone()), ..context.clone() })
            });
            let all = std::iter::once((own, context.clone())).chain(asked);
            for (number, asked) in all.filter(|(points, _)| !points.is_empty()).enumerate() {
                entries.push(entry(&format!("survey-{at}.{number}"), &url, extractor, asked)?);
            }
        }
        Ok(Visit { url, entries })
    }
}

/// An entry for a page, as a question would define it.
fn entry(
    id: &str,
    url: &AtlasUrl,
    extractor: &Extractor,
    (data_points, context): (Vec<String>, Context),
) -> Result<Entry> {
    let question_id: QuestionId = id.parse()?;
    Ok(Entry {
        question_id,
        url: url.clone(),
        method: Method::ApiPreferred,
        extractor: extractor.spec().name.clone(),
        data_points,
        api_queries: Vec::new(),
        info: QuestionInfo::default(),
        source: None,
        context,
        visit: true,
        suspect: None,
        planned: None,
        derive: None,
        input_of: None,
        details: Details::default(),
        place: Place { line: 1, column: 1 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_page_that_a_spec_reads_is_surveyed() {
        let extractors = Extractors::built_in().unwrap();
        let all = pages(&[]).unwrap();
        let kinds: Vec<_> = all.iter().map(|page| page.visit(0, &extractors).unwrap().url.kind()).collect();
        for extractor in extractors.iter() {
            assert!(kinds.contains(&extractor.spec().page), "{}", extractor.spec().name);
        }
        let error = pages(&["tremap".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("--pages tremap") && error.contains("did you mean `treemap`?"), "{error}");
    }
}
