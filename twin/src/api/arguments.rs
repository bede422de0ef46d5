//! Reads a field's arguments, and ids with their prefixes.

use super::schema::original;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::resolvers::ResolveInfo;

/// A text, enum or id argument.
pub(super) fn text<'a>(info: &'a ResolveInfo<'_>, name: &str) -> Option<&'a str> {
    info.arguments().get(name).and_then(|value| value.as_str())
}

/// An integer argument.
pub(super) fn int(info: &ResolveInfo<'_>, name: &str) -> Option<i32> {
    info.arguments().get(name).and_then(|value| value.as_i64()).and_then(|value| i32::try_from(value).ok())
}

/// Whether the query selects a matching field inside this one. Expensive values are computed only then.
pub(super) fn selects(info: &ResolveInfo<'_>, wanted: impl Fn(&str) -> bool) -> bool {
    info.field_selections().iter().any(|field| holds(&field.selection_set, info.document(), &wanted))
}

fn holds(set: &SelectionSet, document: &ExecutableDocument, wanted: &impl Fn(&str) -> bool) -> bool {
    set.selections.iter().any(|selection| match selection {
        Selection::Field(field) => wanted(original(&field.definition)),
        Selection::InlineFragment(inline) => holds(&inline.selection_set, document, wanted),
        Selection::FragmentSpread(spread) => {
            spread.fragment_def(document).is_some_and(|found| holds(&found.selection_set, document, wanted))
        }
    })
}

/// The number of a prefixed id: 404 of `location-404`.
pub(super) fn id(text: &str, prefix: &str) -> Option<u32> {
    let digits = text.strip_prefix(prefix)?.strip_prefix('-')?;
    (digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn ids_need_their_prefix() {
        assert_eq!(id("location-404", "location"), Some(404));
        assert_eq!(id("404", "location"), None);
        assert_eq!(id("country-404", "location"), None);
        assert_eq!(id("location-+4", "location"), None);
        assert_eq!(id("location-", "location"), None);
    }
}
