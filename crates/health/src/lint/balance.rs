//! Rules on balances: exports, imports, their difference, and words for its sign.

use rust_decimal::Decimal;

use super::computed::{agrees, operand, result, shown};
use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, exact, interval, is_money, metric, words};
use crate::external::Figure;
use crate::scoring::language::lexicon::{list, listed};
use crate::value::derive::Operation;
use crate::value::{Flow, Unit, vocabulary};
use atlas_gt_core::diagnostic::Severity;

/// The exports and imports of a row with the same subject.
fn flows(row: &[Figure]) -> Option<(&Figure, &Figure)> {
    let of = |flow| {
        let mut found = row.iter().filter(|figure| {
            is_money(figure)
                && !figure.key.contains(['.', '['])
                && figure.measure.is_some_and(|measure| measure.flow == Some(flow))
        });
        found.next().filter(|_| found.next().is_none())
    };
    let (exports, imports) = (of(Flow::Export)?, of(Flow::Import)?);
    (exports.about.of == imports.about.of).then_some((exports, imports))
}

fn is_balance(figure: &Figure) -> bool {
    let last = figure.key.rsplit('.').next().unwrap_or_default();
    last == "balance" || last == "trade_balance" || last == "value" && metric(figure).contains("balance")
}

/// A balance that differs from exports minus imports.
pub(super) fn differs(row: &[Figure]) -> Option<Found> {
    let (exports, imports) = flows(row)?;
    let claimed = row.iter().find(|figure| is_balance(figure) && figure.quantity().is_some())?;
    let result =
        result(Operation::Balance, operand(exports, None, Unit::Usd)?, operand(imports, None, Unit::Usd)?)?;
    let claim = interval(claimed)?;
    // a word for the sign is checked by another rule
    let is_unsigned = claimed.about.direction.is_some();
    let either = if is_unsigned { vec![claim, claim.negated()] } else { vec![claim] };
    (!agrees(&either, &result)).then(|| {
        let message = format!(
            "{} is not {} minus {}, which is {}",
            claimed.text,
            exports.text,
            imports.text,
            shown(&result)
        );
        Found::at(claimed, message)
    })
}

pub(super) static SIGN: LintRule = LintRule {
    code: "GT020",
    title: "a sign contradicts the word beside it",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "check on the page which of the two is right",
    check: Check::Rows(sign),
    passing: r#"[{"record": {"results": {"data": [{"metric": "Current account balance", "value": "$-57.89 billion", "raw_value": -57890000000.0, "status": "deficit"}]}}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"metric": "Current account balance", "value": "$-57.89 billion", "raw_value": -57890000000.0, "status": "surplus"}]}}}]"#,
};

fn sign(subject: &LintSubject<'_>) -> Vec<Found> {
    subject.by_row().filter_map(sign_of_row).collect()
}

fn sign_of_row(row: &[Figure]) -> Option<Found> {
    let difference = flows(row).and_then(|(exports, imports)| exact(exports)?.checked_sub(exact(imports)?));
    // `value: trade surplus` beside exports and imports
    let word =
        row.iter().find_map(|figure| Some((figure, is_up(words(figure)?)?)).filter(|_| is_balance(figure)));
    if let (Some((figure, up)), Some(difference)) = (word, difference)
        && !difference.is_zero()
        && up != difference.is_sign_positive()
    {
        return Some(Found::at(
            figure,
            format!("{} beside exports minus imports of {}", figure.text, difference.normalize()),
        ));
    }
    row.iter().find_map(|figure| {
        let direction = figure.about.direction.as_deref()?;
        let up = is_up(direction)?;
        let number = signed(figure, difference)?;
        (!number.is_zero() && up != number.is_sign_positive())
            .then(|| Found::at(figure, format!("{} is called {direction}", figure.text)))
    })
}

/// The signed number of a balance or change. A text without a sign leaves it to the word.
fn signed(figure: &Figure, difference: Option<Decimal>) -> Option<Decimal> {
    let quantity = figure.quantity()?;
    let last = figure.key.rsplit('.').next().unwrap_or_default();
    let measure = figure.measure.map_or("", |measure| measure.name.as_str());
    let metric = metric(figure);
    let moves = list("names_signed").iter().any(|word| metric.contains(word));
    let is_moving = matches!(measure, "balance" | "growth" | "growth_percent" | "change" | "cagr")
        || last == "value" && moves;
    if !is_moving || matches!(quantity.unit, Unit::Rank | Unit::Positions) || metric.contains("rank") {
        return None;
    }
    let is_written = figure.text.contains(['-', '+', '−']) || figure.text.parse::<Decimal>().is_ok();
    let raw = figure.raw.as_ref().map(|raw| raw.number);
    raw.or(difference.filter(|_| is_balance(figure))).or_else(|| Some(quantity.number).filter(|_| is_written))
}

/// Whether a word means more (true) or less (false).
fn is_up(word: &str) -> Option<bool> {
    let in_kind = |kind, up: &str, down: &str| match vocabulary::canonical(kind, word)? {
        known if known == up => Some(true),
        known if known == down => Some(false),
        _ => None,
    };
    in_kind("trade_balance", "surplus", "deficit")
        .or_else(|| in_kind("export_direction", "grown", "declined"))
        .or_else(|| {
            let word = word.to_lowercase();
            let is_more = listed("means_more", &word);
            (is_more || listed("means_less", &word)).then_some(is_more)
        })
}
