//! All rules, by their codes.

use std::str::FromStr;

use super::finding::stands_for;
use super::rule::{Check, LintRule, requirement};
use super::{
    address, arithmetic, asks, balance, classification, content, contradiction, entities, growth, recompute,
    rounding, store_wide, time, verification,
};
use atlas_gt_core::diagnostic::Severity;

/// The rule for unreadable files.
pub(crate) static UNREADABLE: LintRule = LintRule {
    code: "GT000",
    title: "the file cannot be read as a record",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "mend or remove the file as the finding says; the other files are checked all the same",
    check: Check::Elsewhere,
    passing: r#"[{"record": {"question_id": "61", "results": {"data": [{"value": "$2,274"}]}}}]"#,
    failing: r#"[{"record": {"question_id": "61", "results": {"data": "$2,274"}}}]"#,
};

/// The rule for invalid silences.
pub(crate) static UNUSED: LintRule = LintRule {
    code: "GT030",
    title: "a silence has no reason, or silences nothing",
    severity: Severity::Warning,
    requirement: requirement::TRUTH,
    help: "write the reason (`{\"GT003b\": \"…\"}`), or remove a silence that is no longer needed",
    check: Check::Elsewhere,
    passing: "lint.json: {\"GT003b\": \"the value was compared with the page of HS 2012 by hand\"}, where GT003b finds something",
    failing: "lint.json: {\"GT003b\": \"\"}",
};

/// All rules, by their codes.
pub static RULES: &[&LintRule] = &[
    &UNREADABLE,
    &address::NO_PAGE,
    &address::GENERIC,
    &classification::ASKED,
    &classification::IMPLIED,
    &address::OTHER_PAGE,
    &entities::INTERNAL_ID,
    &arithmetic::COUNTED_TWICE,
    &recompute::DIFFERS,
    &rounding::ROUNDED_AWAY,
    &rounding::NOT_ROUNDED,
    &entities::OTHER_ENTITY,
    &time::OTHER_YEAR,
    &growth::OTHER_GROWTH,
    &time::NO_TIME,
    &time::IN_THE_FUTURE,
    &store_wide::WHOLE_MINUTE,
    &verification::NEWER,
    &verification::CIRCULAR,
    &store_wide::NO_METHOD,
    &store_wide::NO_YEAR,
    &content::EMPTY,
    &store_wide::NO_QUESTION,
    &content::SCOPE,
    &balance::SIGN,
    &store_wide::DISAGREE,
    &verification::NO_MATCH,
    &verification::OTHER_QUOTE,
    &address::REFUSED,
    &verification::NOT_CORRECTED,
    &content::TOO_FEW,
    &arithmetic::OUT_OF_ORDER,
    &content::OTHER_FLOW,
    &arithmetic::IMPOSSIBLE,
    &UNUSED,
    &store_wide::DECIMALS,
    &asks::OTHER_MEASURE,
    &asks::NULLS,
    &asks::NEIGHBOUR,
    &contradiction::TWO_VALUES,
    &address::PROPOSED,
];

/// The rule with a code. `GT003` gives the first of `GT003a`, `GT003b` and `GT003c`.
#[must_use]
pub fn rule(code: &str) -> Option<&'static LintRule> {
    RULES.iter().copied().find(|rule| stands_for(code, rule.code))
}

/// A selection of rules by code: `GT003` means `GT003a`, `GT003b` and `GT003c`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSelection(Vec<String>);

impl RuleSelection {
    /// Whether a rule is selected. An empty selection means all rules.
    #[must_use]
    pub fn has(&self, code: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|named| stands_for(named, code))
    }
}

impl FromStr for RuleSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let codes: Vec<String> = text.split(',').map(|code| code.trim().to_owned()).collect();
        match codes.iter().find(|code| rule(code).is_none()) {
            Some(code) => Err(format!(
                "`{code}` is not a rule: docs/reference/lint.md lists the rules (write GT003 or GT003a,GT005)"
            )),
            None => Ok(Self(codes)),
        }
    }
}
