//! The interface of both APIs' query types.

use super::value::Value;
use apollo_compiler::resolvers::ResolveInfo;

/// Resolves the fields of the query type.
pub(super) trait Root: Send + Sync {
    /// The value of a field of the query type, or an error message.
    fn field(&self, info: &ResolveInfo<'_>) -> Result<Value, String>;

    /// A copy that answers for one country, whatever was requested.
    fn standing_in(&self, m49: u32) -> Box<dyn Root>;
}
