//! Generates a manifest from a list of questions. It proposes page, extractor, data point and context if exactly one
//! reading fits the words of the question and its address. All other questions stay without a page and say what they
//! lack.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::asked::Asked;
use super::check;
use super::entry::Difficulty;
use super::left_over::left_over;
use super::list::{ListedQuestion, QuestionList, filled};
use super::method::PointCatalog;
use super::spec::Point;
use crate::atlas::{self, AtlasUrl, Entity, PageKind, SitePage};
use crate::value::fold::words_at;
use crate::value::{AnswerField, Statistic, Unit};
use atlas_gt_core::diagnostic::Diagnostics;
use atlas_gt_core::document::Document;
use atlas_gt_core::json::pretty;
use atlas_gt_core::pipeline::ExpectedTool;
use atlas_gt_scoring::language::lexicon::{list, listed};
use atlas_gt_scoring::language::stated;

/// A manifest generated from a list.
#[derive(Debug, Clone)]
pub struct Proposed {
    /// The manifest's text: JSON with a final line break.
    pub text: String,
    /// Questions whose page, extractor and data points were proposed.
    pub proposed: usize,
    /// Questions that expect a behavior.
    pub behaviors: usize,
    /// Questions with their own reference.
    pub references: usize,
    /// Questions that are only asked, counted by what they lack.
    pub lacking: Vec<(String, usize)>,
}

/// Generates a manifest from a list.
#[must_use]
pub fn propose(list: &QuestionList, catalog: &dyn PointCatalog) -> Proposed {
    let mut made =
        Proposed { text: String::new(), proposed: 0, behaviors: 0, references: 0, lacking: Vec::new() };
    let mut questions = Vec::new();
    for question in &list.questions {
        let mut entry = entry(question);
        made.references += usize::from(question.details.reference.is_some());
        if question.behavior.is_some() {
            made.behaviors += 1;
        } else {
            match reading(question, &entry, catalog) {
                Ok(read) => {
                    made.proposed += 1;
                    entry = read;
                }
                Err(lacks) => {
                    let kind = lacks.split(": ").next().unwrap_or(&lacks).to_owned();
                    match made.lacking.iter_mut().find(|(known, _)| *known == kind) {
                        Some((_, count)) => *count += 1,
                        None => made.lacking.push((kind, 1)),
                    }
                    if let Json::Object(entry) = &mut entry {
                        entry
                            .extend(question.address.clone().map(|url| ("atlas_url".to_owned(), url.into())));
                        entry.insert("lacks".to_owned(), lacks.into());
                        let context = filled(context(&Asked::new(&question.text, None, false), None));
                        if !context.is_empty() {
                            entry.insert("context".to_owned(), Json::Object(context));
                        }
                    }
                }
            }
        }
        questions.push(Json::Object(filled(entry)));
    }
    made.lacking.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let file = json!({ "description": "Generated from a list of questions", "questions": questions });
    made.text = pretty(&file).unwrap_or_default();
    made
}

/// The page proposed for a question that names none.
#[must_use]
pub fn proposed_page(question: &ListedQuestion, catalog: &dyn PointCatalog) -> Option<String> {
    if question.address.is_some() || question.behavior.is_some() {
        return None;
    }
    let read = reading(question, &entry(question), catalog).ok()?;
    read.get("atlas_url")?.as_str().map(str::to_owned)
}

/// A listed question in manifest format. Unknown words become tags.
fn entry(question: &ListedQuestion) -> Json {
    let mut tags = question.details.tags.clone();
    let mut known = |name: &str, word: &Option<String>, is_known: &dyn Fn(&str) -> bool| {
        let word = word.as_ref()?.to_lowercase();
        if is_known(&word) {
            return Some(word);
        }
        tags.push(format!("{name}:{word}"));
        None
    };
    let is_word = |word: &str| Difficulty::ALL.iter().any(|one| one.name() == word);
    let difficulty = known("difficulty", &question.difficulty, &is_word);
    let is_tool = |word: &str| serde_json::from_value::<ExpectedTool>(word.into()).is_ok();
    let tool = known("expected_tool", &question.expected_tool, &is_tool);
    let is_type = |word: &str| atlas::query_type(word).is_some();
    let query_type = known("expected_query_type", &question.expected_query_type, &is_type);
    let mut entry = json!({
        "question_id": question.id.to_json(),
        "question_text": question.text,
        "category": question.category,
        "difficulty": difficulty,
        "source": question.source,
        "expected_tool": tool,
        "expected_query_type": query_type,
        "expected_behavior": question.behavior,
    });
    let details = super::Details { tags, ..question.details.clone() };
    if let (Json::Object(entry), Ok(Json::Object(details))) = (&mut entry, serde_json::to_value(details)) {
        entry.extend(details);
    }
    entry
}

/// The entry of a question that exactly one data point answers.
///
/// # Errors
/// What it lacks.
fn reading(question: &ListedQuestion, entry: &Json, catalog: &dyn PointCatalog) -> Result<Json, String> {
    let asked = Asked::new(&question.text, question.address.as_deref(), false);
    let (url, of_url) = page(question, &asked)?;
    if let Some(why) = names_more(&asked, &url) {
        return Err(format!("a page that shows it alone: {why}"));
    }
    let mut fitting: Vec<(&str, &Point)> = Vec::new();
    for extractor in catalog.extractors() {
        if catalog.page(extractor) != Some(url.kind()) {
            continue;
        }
        let points = catalog.points(extractor).into_iter().filter_map(|id| catalog.point(extractor, id));
        fitting.extend(points.filter(|point| says_the_same(&asked, point)).map(|point| (extractor, point)));
    }
    let mut left = Vec::new();
    fitting.retain(|named| {
        let words = left_over(&asked, *named, &url);
        let is_all = words.is_empty();
        left.extend((!is_all).then_some((words, named.1)));
        is_all
    });
    let candidates = fitting.into_iter().filter_map(|(extractor, point)| {
        let mut candidate = entry.clone();
        let map = candidate.as_object_mut()?;
        map.insert("atlas_url".to_owned(), url.to_string().into());
        map.insert("extraction_method".to_owned(), catalog.method(extractor, &point.id)?.name().into());
        map.insert("extractor".to_owned(), extractor.into());
        map.insert("data_points".to_owned(), json!([point.id]));
        let context = filled(context(&asked, Some(&url)));
        if !context.is_empty() {
            map.insert("context".to_owned(), Json::Object(context));
        }
        let why = format!("{of_url}, and only its data point `{}` fits", point.id);
        map.insert("proposed".to_owned(), why.into());
        nothing_is_odd(&candidate, catalog).then_some((point.section.as_str(), candidate))
    });
    let mut candidates: Vec<(&str, Json)> = candidates.collect();
    // a section named by the address takes precedence
    if let SitePage::Country { section, .. } = &url.page
        && candidates.iter().any(|(of, _)| *of == section.slug())
    {
        candidates.retain(|(of, _)| *of == section.slug());
    }
    match candidates.len() {
        1 => Ok(candidates.remove(0).1),
        0 => Err(match left.iter().min_by_key(|(words, _)| words.len()) {
            Some((words, point)) => {
                format!("a data point: `{}` does not cover `{}`", point.id, words.join("`, `"))
            }
            None => "a data point: none of its page fits".to_owned(),
        }),
        many => Err(format!("a choice: {many} data points of its page fit the question")),
    }
}

/// The page of a question: its address, or else the profile of the only country that it names.
fn page(question: &ListedQuestion, asked: &Asked) -> Result<(AtlasUrl, String), String> {
    if let Some(address) = &question.address {
        return match AtlasUrl::parse(address) {
            Ok(parsed) if parsed.elided => Err("a page: its address is truncated".to_owned()),
            Ok(parsed) => Ok((parsed.url, "the question names the page".to_owned())),
            Err(error) => Err(format!("a page: {error}")),
        };
    }
    if let Some((name, countries)) = shared_name(asked) {
        let names: Vec<&str> = countries.iter().map(|country| country.short_name).collect();
        return Err(format!(
            "a choice of country (`{name}` is {}): name it in full, or add an `atlas_url`",
            names.join(" or ")
        ));
    }
    match asked.countries.as_slice() {
        [country] if asked.years.is_empty() => {
            let url = AtlasUrl::parse(&format!("/countries/{country}")).map_err(|error| error.to_string())?;
            let name = atlas::by_id(*country).map_or("its country", |entity| entity.short_name);
            Ok((url.url, format!("the question names only {name} and no year, like its profile")))
        }
        [_] => Err("a page: it names a year and no `atlas_url`".to_owned()),
        [] => Err("a page: it names no country and no `atlas_url`".to_owned()),
        _ => Err("a page: it names several countries and no `atlas_url`".to_owned()),
    }
}

/// A name in a question that several countries share, with these countries.
fn shared_name(asked: &Asked) -> Option<(&str, Vec<&'static Entity>)> {
    let names = atlas::find_names(&asked.text).into_iter().filter_map(|(range, _)| asked.text.get(range));
    names.map(|name| (name, atlas::namesakes(name))).find(|(_, countries)| !countries.is_empty())
}

/// What the question names that its page does not: a product, a second country.
fn names_more(asked: &Asked, url: &AtlasUrl) -> Option<String> {
    let (countries, has_product) = match &url.page {
        SitePage::Country { country, .. } => (vec![*country], false),
        SitePage::Explore(page) => {
            let sides = [page.exporter, page.importer].into_iter().flatten();
            (sides.filter_map(atlas::PlaceId::country).collect(), page.product.is_some())
        }
    };
    if let Some(other) = asked.countries.iter().find(|id| !countries.contains(id)) {
        return Some(format!(
            "it also names {}",
            atlas::by_id(*other).map_or("a country", |entity| entity.short_name)
        ));
    }
    (!asked.products.is_empty() && !has_product).then(|| "it names a product".to_owned())
}

/// Whether a data point is what the question asks for: the same measures and statistic, and a list if one is requested.
fn says_the_same(asked: &Asked, point: &Point) -> bool {
    let (own, question) = (stated(&point.metric), stated(&asked.text));
    let statistic = point.context.statistic.or(own.statistic);
    let wanted = asked_statistic(asked, question.statistic);
    let is_plain = |statistic: Option<Statistic>| statistic.is_none_or(|one| one == Statistic::Level);
    let is_list = !point.answers.contains(&AnswerField::Value)
        && point.answers.iter().any(|field| matches!(field, AnswerField::Name | AnswerField::Code))
        || point.find.count().is_some();
    let asks_list = asked.count().is_some() || asked.says("asks_list");
    // a point with a vocabulary seldom names a measure
    (!own.measures.is_empty() || point.vocabulary.is_some())
        && own.measures == question.measures
        && own.modifiers == question.modifiers
        && (statistic == wanted || is_plain(statistic) && is_plain(wanted))
        && (own.flow.is_none() || own.flow == question.flow)
        && (is_list == asks_list || point.vocabulary.is_some())
        && asked.scope().is_none_or(|scope| point.context.scope.or(own.scope) == Some(scope))
        && asked.says("code_word") == Asked::new(&point.metric, None, false).says("code_word")
        && !asked.says("asks_sum")
        && counts_what_is_asked(asked, point)
        && moves_as_asked(asked, point, statistic)
        && names_every_word(asked, &point.metric)
}

/// The requested statistic: a rank, projected growth, or what the words state.
fn asked_statistic(asked: &Asked, stated: Option<Statistic>) -> Option<Statistic> {
    match (asked.says("asks_place"), asked.says("asks_projection"), asked.says("asks_move")) {
        (true, true, _) | (true, _, false) => Some(Statistic::Rank),
        (false, true, _) => Some(Statistic::Projection),
        _ => stated,
    }
}

/// `how many` asks for a number of things, `how much` for money.
fn counts_what_is_asked(asked: &Asked, point: &Point) -> bool {
    let is_number = matches!(point.unit, None | Some(Unit::Count | Unit::Persons | Unit::Positions));
    let is_amount = matches!(point.unit, None | Some(Unit::Usd));
    (!asked.lower.contains("how many") || is_number)
        && (!asked.lower.contains("how much") && !asked.says("asks_worth") || is_amount)
}

/// A question about a change needs a change. A question about its driver needs a point whose name says so.
fn moves_as_asked(asked: &Asked, point: &Point, statistic: Option<Statistic>) -> bool {
    let own = Asked::new(&point.metric, None, false);
    let is_move = statistic.is_some_and(|one| {
        matches!(one, Statistic::Change | Statistic::TotalGrowth | Statistic::Cagr | Statistic::RankChange)
    });
    (!asked.says("asks_move") || is_move || own.says("asks_move"))
        && asked.says("asks_driver") == own.says("asks_driver")
}

/// Whether the question contains every word of a data point's name, in any form.
fn names_every_word(asked: &Asked, metric: &str) -> bool {
    const STEM: usize = 5;
    let stem = |word: &str| word.chars().take(STEM).collect::<String>();
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
        words.map(str::to_lowercase).collect()
    };
    let known: Vec<String> = words(&asked.text).iter().map(|word| stem(word)).collect();
    // a measure of several words is compared as a whole
    let measures = stated(metric).measures;
    let is_read =
        |word: &str| measures.iter().any(|measure| words(measure).iter().any(|one| stem(one) == word));
    let is_short = |word: &str| {
        let mut full = list("spelled_out").iter().filter_map(|one| one.split_once(' '));
        full.any(|(short, full)| words_at(&asked.lower, short).is_some() && words_at(full, word).is_some())
    };
    let is_place = |word: &str| listed("asks_place", word) && asked.says("asks_place");
    words(metric).iter().all(|word| {
        let start = stem(word);
        known.contains(&start)
            || is_read(&start)
            || is_short(word)
            || is_place(word)
            || listed("implied_word", word)
    })
}

/// The parts of a question's context that its words state and its address does not.
fn context(asked: &Asked, url: Option<&AtlasUrl>) -> Json {
    let country = match (url, asked.countries.as_slice()) {
        (None, [country]) if shared_name(asked).is_none() => Some(country.to_string()),
        _ => None,
    };
    let is_dated = url.is_some_and(|url| url.kind() != PageKind::Country);
    let years = (asked.years.iter().min(), asked.years.iter().max());
    let period = match years {
        (Some(start), Some(end)) if !is_dated => Some(json!({ "start": start, "end": end })),
        _ => None,
    };
    let flow = asked.flow().filter(|_| url.is_none());
    json!({ "country": country, "period": period, "flow": flow })
}

/// Whether `manifest check` finds no errors and no warnings in an entry.
fn nothing_is_odd(entry: &Json, catalog: &dyn PointCatalog) -> bool {
    let text = Json::Array(vec![Json::Object(filled(entry.clone()))]).to_string();
    let mut report = Diagnostics::new(Path::new(""), "");
    let Some(document) = Document::parse(&text, &mut report) else { return false };
    let (entries, _) = check::questions(&document, catalog, &mut report);
    entries.len() == 1 && report.finish().0.is_empty()
}
