//! The suggestions that graphql-core 2 appends to the error for an unknown field.

use apollo_compiler::Schema;
use apollo_compiler::schema::ExtendedType;

/// Maximum number of suggestions.
const MAX_NAMED: usize = 5;

/// The end of the message for an unknown field; `None` without suggestions.
pub(super) fn for_field(schema: &Schema, ty: &str, field: &str) -> Option<String> {
    match schema.types.get(ty)? {
        ExtendedType::Union(union) => {
            let members = union.members.iter().map(|member| member.name.as_str());
            let members = members.filter(|member| schema.type_field(member, field).is_ok());
            let named = quoted(&members.collect::<Vec<_>>())?;
            Some(format!(" Did you mean to use an inline fragment on {named}?"))
        }
        ExtendedType::Object(object) => {
            let mut near: Vec<(usize, &str)> = object
                .fields
                .keys()
                .map(|name| (distance(field, name), name.as_str()))
                .filter(|(distance, name)| 2 * distance <= field.len().max(name.len()).max(2))
                .collect();
            near.sort_by_key(|(distance, _)| *distance);
            let named = quoted(&near.into_iter().map(|(_, name)| name).collect::<Vec<_>>())?;
            Some(format!(" Did you mean {named}?"))
        }
        _ => None,
    }
}

/// A list such as `"a", "b" or "c"`.
fn quoted(names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("\"{name}\"")).collect();
    let (last, others) = names.split_last()?;
    Some(if others.is_empty() { last.clone() } else { format!("{} or {last}", others.join(", ")) })
}

/// The Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_levenshtein() {
        for (one, other, expected) in [
            ("", "", 0),
            ("eci", "", 3),
            ("kitten", "sitting", 3),
            ("eciRank", "eciRank", 0),
            ("pci", "eci", 1),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn near_fields_are_named_nearest_first_and_types_of_a_union_that_have_the_field() {
        let sdl = "type Query { a: Row, b: Either } union Either = Row | Other type Other { rank: Int } \
            type Row { rank: Int, ranks: Int, rankOf: Int, bank: Int, tanks: Int, ranked: Int, name: String }";
        let schema = Schema::parse_and_validate(sdl, "schema.graphql").unwrap();
        let ends = |ty, field| for_field(&schema, ty, field);
        assert_eq!(
            ends("Row", "rankx").as_deref(),
            Some(" Did you mean \"rank\", \"ranks\", \"rankOf\", \"bank\" or \"tanks\"?")
        );
        assert_eq!(ends("Other", "rnk").as_deref(), Some(" Did you mean \"rank\"?"));
        assert_eq!(ends("Row", "somethingElse"), None);
        assert_eq!(
            ends("Either", "rank").as_deref(),
            Some(" Did you mean to use an inline fragment on \"Row\" or \"Other\"?")
        );
        assert_eq!(ends("Either", "nothing"), None);
    }
}
