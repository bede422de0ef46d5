//! The shape of a schema, as far as a client can see it: from its text, or from what introspection answers.

use std::collections::{BTreeMap, BTreeSet};

use apollo_compiler::Schema;
use apollo_compiler::ast::{FieldDefinition, InputValueDefinition};
use apollo_compiler::schema::ExtendedType;
use serde_json::Value;

/// The name that the query type goes by here, whatever a server calls it.
const ROOT: &str = "Query";

/// Types by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub types: BTreeMap<String, TypeShape>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TypeShape {
    /// `OBJECT`, `ENUM`, `UNION`, `SCALAR`, `INTERFACE`, `INPUT_OBJECT`.
    pub kind: String,
    pub fields: BTreeMap<String, FieldShape>,
    pub values: BTreeSet<String>,
    pub members: BTreeSet<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FieldShape {
    pub ty: String,
    pub arguments: BTreeMap<String, ArgumentShape>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArgumentShape {
    pub ty: String,
    /// Whether a query without it is invalid.
    pub required: bool,
}

fn arguments<T: AsRef<InputValueDefinition>>(list: &[T]) -> BTreeMap<String, ArgumentShape> {
    list.iter()
        .map(|argument| {
            let argument = argument.as_ref();
            let shape = ArgumentShape { ty: argument.ty.to_string(), required: argument.is_required() };
            (argument.name.to_string(), shape)
        })
        .collect()
}

fn field(definition: &FieldDefinition) -> (String, FieldShape) {
    let shape = FieldShape { ty: definition.ty.to_string(), arguments: arguments(&definition.arguments) };
    (definition.name.to_string(), shape)
}

impl Shape {
    /// The shape of a parsed schema.
    pub(super) fn of_schema(schema: &Schema) -> Self {
        let root = schema.schema_definition.query.as_ref().map_or(ROOT, |name| name.name.as_str());
        let mut types = BTreeMap::new();
        for (name, definition) in &schema.types {
            if definition.is_built_in() {
                continue;
            }
            let mut shape = TypeShape::default();
            match definition {
                ExtendedType::Scalar(_) => shape.kind = "SCALAR".into(),
                ExtendedType::Object(object) => {
                    shape.kind = "OBJECT".into();
                    shape.fields = object.fields.values().map(|definition| field(definition)).collect();
                }
                ExtendedType::Interface(interface) => {
                    shape.kind = "INTERFACE".into();
                    shape.fields = interface.fields.values().map(|definition| field(definition)).collect();
                }
                ExtendedType::Union(union) => {
                    shape.kind = "UNION".into();
                    shape.members = union.members.iter().map(|member| member.name.to_string()).collect();
                }
                ExtendedType::Enum(words) => {
                    shape.kind = "ENUM".into();
                    shape.values = words.values.keys().map(ToString::to_string).collect();
                }
                ExtendedType::InputObject(input) => {
                    shape.kind = "INPUT_OBJECT".into();
                    shape.fields = input
                        .fields
                        .values()
                        .map(|part| {
                            let ty = part.ty.to_string();
                            (part.name.to_string(), FieldShape { ty, ..FieldShape::default() })
                        })
                        .collect();
                }
            }
            let name = if name == root { ROOT } else { name.as_str() };
            types.insert(name.to_owned(), shape);
        }
        Self { types }
    }

    /// The shape that introspection answers; `None` when the answer holds no schema.
    pub(super) fn of_introspection(data: &Value) -> Option<Self> {
        let schema = data.get("__schema")?;
        let root = schema.pointer("/queryType/name").and_then(Value::as_str).unwrap_or(ROOT);
        let mut types = BTreeMap::new();
        for found in schema.get("types")?.as_array()? {
            let name = found.get("name")?.as_str()?;
            let built_in =
                ["Int", "Float", "String", "Boolean", "ID"].contains(&name) || name.starts_with("__");
            if built_in {
                continue;
            }
            let shape = TypeShape {
                kind: found.get("kind")?.as_str()?.to_owned(),
                fields: list(found, "fields")
                    .chain(list(found, "inputFields"))
                    .filter_map(|field| {
                        let shape =
                            FieldShape { ty: reference(field.get("type")?)?, arguments: introspected(field) };
                        Some((field.get("name")?.as_str()?.to_owned(), shape))
                    })
                    .collect(),
                values: names(found, "enumValues"),
                members: if found.get("kind")? == "UNION" {
                    names(found, "possibleTypes")
                } else {
                    BTreeSet::new()
                },
            };
            types.insert(if name == root { ROOT } else { name }.to_owned(), shape);
        }
        types.contains_key(ROOT).then_some(Self { types })
    }
}

fn list<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    of.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn names(of: &Value, key: &str) -> BTreeSet<String> {
    list(of, key).filter_map(|item| Some(item.get("name")?.as_str()?.to_owned())).collect()
}

fn introspected(field: &Value) -> BTreeMap<String, ArgumentShape> {
    list(field, "args")
        .filter_map(|argument| {
            let ty = reference(argument.get("type")?)?;
            let default = argument.get("defaultValue").is_some_and(|value| !value.is_null());
            let shape = ArgumentShape { required: ty.ends_with('!') && !default, ty };
            Some((argument.get("name")?.as_str()?.to_owned(), shape))
        })
        .collect()
}

/// A type as its text: `[Int!]!`.
fn reference(ty: &Value) -> Option<String> {
    match ty.get("kind")?.as_str()? {
        "NON_NULL" => Some(format!("{}!", reference(ty.get("ofType")?)?)),
        "LIST" => Some(format!("[{}]", reference(ty.get("ofType")?)?)),
        _ => Some(ty.get("name")?.as_str()?.to_owned()),
    }
}
