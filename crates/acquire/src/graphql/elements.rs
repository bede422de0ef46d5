//! A schema as its clients see it: the elements that introspection lists.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use apollo_compiler::introspection::partial_execute;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use serde_json::Value;

/// The introspection query for everything a client can notice, with types up to seven levels deep.
pub(super) const INTROSPECTION: &str = "query Introspection { __schema { queryType { name } types { kind name \
    fields(includeDeprecated: true) { name type { ...Of } args { name defaultValue type { ...Of } } } \
    inputFields { name type { ...Of } } enumValues(includeDeprecated: true) { name } possibleTypes { name } } } } \
    fragment Of on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
    ofType { kind name ofType { kind name } } } } } } }";

/// Our name for the query type, whatever a server calls it.
const ROOT: &str = "Query";
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// A part of a schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// A type.
    Type(String),
    /// A field of a type.
    Field(String, String),
    /// An argument of a field of a type.
    Argument(String, String, String),
    /// A value of an enum.
    Value(String, String),
    /// A member of a union.
    Member(String, String),
}

impl Element {
    /// The element it belongs to.
    pub(super) fn parent(&self) -> Option<Self> {
        match self {
            Self::Type(_) => None,
            Self::Field(ty, _) | Self::Value(ty, _) | Self::Member(ty, _) => Some(Self::Type(ty.clone())),
            Self::Argument(ty, field, _) => Some(Self::Field(ty.clone(), field.clone())),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(ty) => f.write_str(ty),
            Self::Field(ty, part) | Self::Value(ty, part) | Self::Member(ty, part) => {
                write!(f, "{ty}.{part}")
            }
            Self::Argument(ty, field, argument) => write!(f, "{ty}.{field}({argument})"),
        }
    }
}

/// The properties of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Nature {
    /// The kind of a type, or the type of a field or an argument: `ENUM`, `[Int!]!`.
    pub ty: String,
    /// Whether a query must give this argument.
    pub required: bool,
}

pub(super) type Elements = BTreeMap<Element, Nature>;

/// The elements of a schema.
///
/// # Errors
/// It cannot be introspected.
pub(super) fn of_schema(schema: &Valid<Schema>) -> Result<Elements, String> {
    let document = ExecutableDocument::parse_and_validate(schema, INTROSPECTION, "introspection.graphql")
        .map_err(|invalid| invalid.to_string())?;
    let operation = document.operations.iter().next().ok_or("no operation")?;
    let variables = Valid::assume_valid(JsonMap::default());
    let answer = partial_execute(schema, &HashMap::default(), &document, operation, &variables)
        .map_err(|error| error.message().to_string())?;
    let data = serde_json::to_value(answer.data).map_err(|error| error.to_string())?;
    of_introspection(&data).ok_or_else(|| "no schema".to_owned())
}

/// The elements in an introspection response; `None` if it contains no schema.
pub(super) fn of_introspection(data: &Value) -> Option<Elements> {
    let schema = data.get("__schema")?;
    let root = schema.pointer("/queryType/name").and_then(Value::as_str).unwrap_or(ROOT);
    let mut elements = Elements::new();
    for found in schema.get("types")?.as_array()? {
        let (name, kind) = (name(found)?, found.get("kind")?.as_str()?);
        if BUILT_IN.contains(&name) || name.starts_with("__") {
            continue;
        }
        let ty = if name == root { ROOT } else { name }.to_owned();
        elements.insert(Element::Type(ty.clone()), nature(kind.to_owned()));
        for field in list(found, "fields").chain(list(found, "inputFields")) {
            let (Some(name), Some(of)) = (self::name(field), field.get("type").and_then(reference)) else {
                continue;
            };
            elements.insert(Element::Field(ty.clone(), name.to_owned()), nature(of));
            for argument in list(field, "args") {
                let (Some(given), Some(of)) =
                    (self::name(argument), argument.get("type").and_then(reference))
                else {
                    continue;
                };
                let default = argument.get("defaultValue").is_some_and(|value| !value.is_null());
                let nature = Nature { required: of.ends_with('!') && !default, ty: of };
                elements.insert(Element::Argument(ty.clone(), name.to_owned(), given.to_owned()), nature);
            }
        }
        for value in list(found, "enumValues").filter_map(self::name) {
            elements.insert(Element::Value(ty.clone(), value.to_owned()), Nature::default());
        }
        for member in list(found, "possibleTypes").filter_map(self::name).filter(|_| kind == "UNION") {
            elements.insert(Element::Member(ty.clone(), member.to_owned()), Nature::default());
        }
    }
    elements.contains_key(&Element::Type(ROOT.to_owned())).then_some(elements)
}

fn nature(ty: String) -> Nature {
    Nature { ty, required: false }
}

fn name(of: &Value) -> Option<&str> {
    of.get("name")?.as_str()
}

fn list<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    of.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// A type in GraphQL notation: `[Int!]!`.
fn reference(ty: &Value) -> Option<String> {
    match ty.get("kind")?.as_str()? {
        "NON_NULL" => Some(format!("{}!", reference(ty.get("ofType")?)?)),
        "LIST" => Some(format!("[{}]", reference(ty.get("ofType")?)?)),
        _ => Some(name(ty)?.to_owned()),
    }
}
