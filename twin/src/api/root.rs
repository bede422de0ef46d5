//! What both APIs answer for their query type.

use super::value::Value;
use apollo_compiler::resolvers::ResolveInfo;

/// Resolves the fields of the query type.
pub(super) trait Root: Send + Sync {
    /// The value of a field of the query type, or the message it fails with.
    fn field(&self, info: &ResolveInfo<'_>) -> Result<Value, String>;

    /// The same, answering for one country whichever is asked for.
    fn standing_in(&self, m49: u32) -> Box<dyn Root>;
}
