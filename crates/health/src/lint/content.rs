//! Rules on the content of value fields.

use super::arithmetic::is_whole;
use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, country, is_money, metric, place, place_of, words};
use crate::atlas::PlaceId;
use crate::external::{Figure, FigureContent};
use crate::scoring::language::lexicon::{list, listed};
use crate::value::Flow;
use crate::value::fold::words_at;
use atlas_gt_core::diagnostic::Severity;

pub(super) static EMPTY: LintRule = LintRule {
    code: "GT017",
    title: "there is no value: empty, an error text, or a placeholder",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "collect the value, or describe a right answer in `expected_behavior`",
    check: Check::Record(empty),
    passing: r#"[{"question": {"text": "Does the Atlas class cars as a green product?"}, "record": {"results": {"data": [{"product": "Cars (8703 HS92)", "value": false}]}}}]"#,
    failing: r#"[{"question": {"text": "What drives the complexity of Brazil?"}, "record": {"results": {"data": [{"metric": "Complexity trend driver"}]}}}]"#,
};

fn empty(subject: &LintSubject<'_>) -> Option<Found> {
    if subject.has_behavior() || subject.is_absent {
        return None;
    }
    if let Some(error) = &subject.record.error {
        return Some(Found::new("error", format!("an error instead of a value: {error}")));
    }
    let figures = &subject.rows.figures;
    let failed = figures.iter().find_map(|figure| Some((figure, says_nothing(figure)?)));
    if let Some((figure, why)) = failed {
        return Some(Found::at(figure, why));
    }
    let is_flag = |figure: &&Figure| matches!(figure.text.as_str(), "true" | "false");
    let first = subject.asked.and_then(|asked| asked.lower.split_whitespace().next());
    let asks_whether = first.is_none_or(|word| listed("asks_whether", word));
    let why = match figures.as_slice() {
        [] if subject.record.rows.is_empty() => ("results.data".to_owned(), "it has no row".to_owned()),
        // a span of years can be the answer
        [] if subject.years_alone() => return None,
        [] => (place(0, ""), "it names a measure but no value".to_owned()),
        [figure] if is_flag(&figure) && !asks_whether => {
            (place_of(figure), format!("`{}` does not answer the question", figure.text))
        }
        figures if figures.iter().all(|figure| figure.content == FigureContent::Nothing) => {
            (place_of(&figures[0]), format!("`{}` is not a value", figures[0].text))
        }
        _ => return None,
    };
    Some(Found::new(why.0, why.1))
}

/// Why a text is not a value.
pub(crate) fn says_nothing(figure: &Figure) -> Option<String> {
    let text = words(figure)?;
    let lower = text.to_lowercase();
    let is_failure = list("failure_text").iter().any(|word| lower.starts_with(word))
        || lower.len() < 200 && list("failure_part").iter().any(|word| lower.contains(word));
    let is_placeholder = list("placeholder")
        .iter()
        .any(|word| lower == *word || lower.len() < 40 && word.len() > 3 && lower.starts_with(word));
    (is_failure || is_placeholder).then(|| format!("`{text}` is not a value"))
}

pub(super) static SCOPE: LintRule = LintRule {
    code: "GT019",
    title: "a partner's share of a total that may include services, and the scope is not stated",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "trade by partner covers goods only: divide by the total of goods, and state `goods` in the row or the question",
    check: Check::Record(scope),
    passing: r#"[{"question": {"text": "What share of the goods that Australia exports goes to Asia in 2024?"}, "record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-36&view=markets", "results": {"data": [{"asia_value": "$34.66 billion", "total_exports": "$376.51 billion", "share": "9.2%"}]}}}]"#,
    failing: r#"[{"question": {"text": "What share of the exports of Australia goes to Asia in 2024?"}, "record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-36&view=markets", "results": {"data": [{"asia_value": "$34.66 billion", "total_exports": "$376.51 billion", "share": "9.2%"}]}}}]"#,
};

fn scope(subject: &LintSubject<'_>) -> Option<Found> {
    let by_partner = subject.explore().is_some_and(|page| {
        page.product.is_none()
            && (page.markets || page.importer.is_some_and(|importer| importer != PlaceId::WORLD))
    });
    let says_scope = |text: &str| {
        let all = ["goods_word", "services_word"].into_iter().flat_map(list);
        all.into_iter().any(|word| words_at(text, word).is_some())
    };
    let is_said = subject.asked.is_some_and(|asked| says_scope(&asked.lower))
        || subject
            .leaves()
            .any(|leaf| says_scope(&leaf.text.to_lowercase()) || says_scope(&leaf.key.replace('_', " ")));
    if !by_partner || is_said {
        return None;
    }
    let of_row = |row: &[Figure]| {
        let share =
            row.iter().find(|figure| figure.measure.is_some_and(|measure| measure.name == "share"))?;
        let total = row.iter().find(|figure| is_money(figure) && is_whole(&figure.key))?;
        Some(Found::at(
            share,
            format!("{} of {} {}: goods, or goods and services?", share.text, total.key, total.text),
        ))
    };
    subject.by_row().find_map(of_row)
}

pub(super) static TOO_FEW: LintRule = LintRule {
    code: "GT026",
    title: "fewer rows than the question asks for",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "collect the others; otherwise answers that name them count as wrong",
    check: Check::Record(too_few),
    passing: r#"[{"question": {"text": "Which two products lead the exports of Kenya?"}, "record": {"results": {"data": [{"rank": 1, "product": "Tea"}, {"rank": 2, "product": "Coffee"}]}}}]"#,
    failing: r#"[{"question": {"text": "Which three products lead the exports of Kenya?"}, "record": {"results": {"data": [{"rank": 1, "product": "Tea"}, {"rank": 2, "product": "Coffee"}]}}}]"#,
};

fn too_few(subject: &LintSubject<'_>) -> Option<Found> {
    let wanted = subject.asked?.count();
    let rows = subject
        .rows
        .figures
        .iter()
        .filter(|figure| !figure.key.contains(['.', '[']))
        .map(|figure| figure.row);
    let mut rows: Vec<usize> = rows.collect();
    rows.dedup();
    match wanted {
        Some(number) if rows.len() > 1 && rows.len() < number => Some(Found::new(
            "results.data",
            format!("the question asks for {number}, the record has {}", rows.len()),
        )),
        _ => None,
    }
}

pub(super) static OTHER_FLOW: LintRule = LintRule {
    code: "GT028",
    title: "the question asks for imports and the record has exports, or the reverse",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "collect the requested side (`tradeDirection=imports`)",
    check: Check::Record(other_flow),
    passing: r#"[{"question": {"text": "Which product did Ethiopia import most of?"}, "record": {"results": {"data": [{"product": "Medicaments", "import_value": "$688.25 million"}]}}}]"#,
    failing: r#"[{"question": {"text": "Which product did Ethiopia import most of?"}, "record": {"results": {"data": [{"product": "Coffee", "export_value": "$688.25 million"}]}}}]"#,
};

fn other_flow(subject: &LintSubject<'_>) -> Option<Found> {
    let flow = subject.asked.and_then(crate::manifest::Asked::flow)?;
    let of = |figure: &&Figure| figure.measure.and_then(|measure| measure.flow);
    let flows: Vec<(&Figure, Flow)> =
        subject.numbers().filter_map(|figure| Some((figure, of(&figure)?))).collect();
    // exports to a country are its imports from the other side, so such questions match either flow
    let is_between = subject
        .rows
        .figures
        .iter()
        .any(|figure| figure.about.partner.is_some() || metric(figure).contains("balance"));
    let partners = subject.rows.figures.iter().any(|figure| {
        figure
            .about
            .country
            .as_deref()
            .and_then(country)
            .is_some_and(|id| !subject.countries_of_page().contains(&id))
    });
    match flows.first() {
        Some((figure, held)) if !is_between && !partners && flows.iter().all(|(_, other)| *other != flow) => {
            let word = |flow| if flow == Flow::Import { "imports" } else { "exports" };
            Some(Found::at(
                figure,
                format!("the question asks for {}, the record has {}", word(flow), word(*held)),
            ))
        }
        _ => None,
    }
}
