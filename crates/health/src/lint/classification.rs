//! Rules on classifications in the question, the rows and the address.

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::LintSubject;
use crate::value::Classification;
use atlas_gt_core::diagnostic::Severity;

pub(super) static ASKED: LintRule = LintRule {
    code: "GT003a",
    title: "question, rows and address name different classifications",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "collect the value in the requested classification; their figures differ",
    check: Check::Record(asked),
    passing: r#"[{"question": {"text": "Which product did Kenya export most of in 2024 (HS 2012)?"}, "record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404&productClass=HS12", "results": {"data": [{"rank": 1, "product": "Tea (0902 HS12)", "export_value": "$1.4B"}]}}}]"#,
    failing: r#"[{"question": {"text": "Which product did Kenya export most of in 2024 (HS 1992)?"}, "record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404&productClass=HS12", "results": {"data": [{"rank": 1, "product": "Tea (0902 HS12)", "export_value": "$1.4B"}]}}}]"#,
};

fn asked(subject: &LintSubject<'_>) -> Option<Found> {
    let rows = subject.classes();
    let (class, key) = rows.first()?;
    let says = |classes: &[Classification]| {
        !classes.is_empty() && !classes.iter().any(|asked| rows.iter().any(|(class, _)| class == asked))
    };
    if let Some(question) = subject.asked.filter(|asked| says(&asked.classes)) {
        let names = names(&question.classes);
        return Some(Found::new(key, format!("the question names {names}, the rows {}", class.name())));
    }
    // an address without a classification shows HS92
    let of_page =
        subject.explore().and_then(|page| page.product.map(|id| id.classification).or(page.product_class));
    match of_page {
        Some(page) if says(&[page]) => {
            let (page, rows) = (page.name(), class.name());
            Some(Found::new(key, format!("the address names {page}, the rows {rows}")))
        }
        _ => None,
    }
}

pub(super) static IMPLIED: LintRule = LintRule {
    code: "GT003b",
    title: "rows name another classification than the address shows",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "add `productClass=…` to the address, or collect the value that the page shows",
    check: Check::Record(implied),
    passing: r#"[{"record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404", "results": {"data": [{"product": "Tea (0902 HS92)", "value": "$1.4B"}]}}}]"#,
    failing: r#"[{"record": {"atlas_url": "/explore/treemap?year=2024&exporter=country-404", "results": {"data": [{"product": "Tea (0902 HS12)", "value": "$1.4B"}]}}}]"#,
};

fn implied(subject: &LintSubject<'_>) -> Option<Found> {
    let page = subject.explore().filter(|page| page.product.is_none() && page.product_class.is_none())?;
    let (rows, shown) = (subject.classes(), page.classification());
    match rows.first() {
        Some((class, key)) if rows.iter().all(|(class, _)| *class != shown) => {
            let class = class.name();
            Some(Found::new(
                key,
                format!("the rows name {class}, but an address without a classification shows HS92"),
            ))
        }
        _ => None,
    }
}

fn names(classes: &[Classification]) -> String {
    let names: Vec<&str> = classes.iter().map(|class| class.name()).collect();
    names.join(" and ")
}
