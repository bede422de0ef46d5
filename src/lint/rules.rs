//! All rules, by their codes.

use super::rule::Rule;
use super::{
    address, arithmetic, balance, classification, content, decimals, disagree, entities, growth, recompute,
    rounding, silence, store_wide, time, verification,
};

/// The rule that files which are no records break.
pub static UNREADABLE: &Rule = &content::UNREADABLE;

/// All rules, by their codes.
pub static RULES: &[&Rule] = &[
    &content::UNREADABLE,
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
    &store_wide::WHOLE_MINUTE,
    &verification::NEWER,
    &verification::CIRCULAR,
    &store_wide::NO_METHOD,
    &store_wide::NO_YEAR,
    &content::EMPTY,
    &store_wide::NO_QUESTION,
    &content::SCOPE,
    &balance::SIGN,
    &disagree::DISAGREE,
    &verification::NO_MATCH,
    &verification::OTHER_QUOTE,
    &address::REFUSED,
    &verification::NOT_CORRECTED,
    &content::TOO_FEW,
    &arithmetic::OUT_OF_ORDER,
    &content::OTHER_FLOW,
    &arithmetic::IMPOSSIBLE,
    &silence::UNUSED,
    &decimals::DECIMALS,
];

/// The rule of a code; `GT003` gives the first of those that it stands for.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| super::rule::names(code, rule.code))
}
