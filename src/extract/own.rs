//! What the responses of a page lack, read from answers to queries of our own (decisions 9, 11, 20): taken only where
//! the page itself sent nothing that holds a drawn value, and marked as not independent of the API.

use crate::truth::{Agreement, Channel};

use super::observation::{Observation, Outcome};

/// Whether a query of our own may answer for what was not found.
pub(super) fn lacks(outcome: &Outcome) -> bool {
    outcome.as_ref().is_err_and(|failure| failure.may_ask_ourselves())
}

/// Says of values that they come from us and not from the page.
pub(super) fn mark(found: &mut [Observation]) {
    for one in found {
        one.channel = Channel::Api;
        one.agreement = Agreement::NotIndependent;
        one.reason = format!("answered to a query of our own, not to one of the page; {}", one.reason);
    }
}
