//! Schemas changed by faults: without some fields, or with renamed ones. A renamed field keeps its old name, under
//! which its data are stored, in a directive that introspection does not show.

use crate::field_names;
use apollo_compiler::ast::{Argument, Directive, FieldDefinition, Value};
use apollo_compiler::schema::{ExtendedType, ObjectType};
use apollo_compiler::validation::Valid;
use apollo_compiler::{Name, Node, Schema, name};
use std::collections::BTreeMap;

/// Name in faults, path and schema of both APIs.
const APIS: [(&str, &str, &str); 2] = [
    ("country", "/api/countries/graphql", include_str!("../../../graphql/country.graphql")),
    ("explore", "/api/graphql", include_str!("../../../graphql/explore.graphql")),
];

const RENAMED: Name = name!("renamed");
const FROM: Name = name!("from");

/// Paths and schemas of the APIs without the `lacking` fields (`explore:ProductYear.pci`), and with the names for seed
/// `renamed`.
pub(crate) fn changed_schemas(
    lacking: &[&str],
    renamed: Option<u64>,
) -> Result<Vec<(&'static str, Valid<Schema>)>, String> {
    let gone = lacking.iter().map(|element| parsed(element)).collect::<Result<Vec<_>, _>>()?;
    let mut changed = Vec::new();
    for (api, path, sdl) in APIS {
        let here: Vec<_> = gone.iter().filter(|(of, ..)| *of == api).collect();
        if here.is_empty() && renamed.is_none() {
            continue;
        }
        let mut schema = Schema::parse(sdl, "schema.graphql").map_err(|error| error.to_string())?;
        for (_, ty, field) in here {
            let object = schema.types.get_mut(*ty).and_then(object_of);
            object.and_then(|object| object.fields.shift_remove(*field)).ok_or_else(|| wrong(ty))?;
        }
        let mut schema = schema.validate().map_err(|error| error.to_string())?.into_inner();
        if let Some(seed) = renamed {
            rename(&mut schema, &field_names::of(api, seed))?;
        }
        changed.push((path, Valid::assume_valid(schema)));
    }
    Ok(changed)
}

fn wrong(element: &str) -> String {
    format!("schema-lacks needs a field as in explore:ProductYear.pci, not \"{element}\"")
}

/// Splits `explore:ProductYear.pci` into API, type and field.
fn parsed(element: &str) -> Result<(&str, &str, &str), String> {
    let (api, field) = element.split_once(':').ok_or_else(|| wrong(element))?;
    let (ty, field) = field.split_once('.').ok_or_else(|| wrong(element))?;
    let known = APIS.iter().any(|(name, ..)| *name == api);
    known.then_some((api, ty, field)).ok_or_else(|| wrong(element))
}

fn object_of(ty: &mut ExtendedType) -> Option<&mut ObjectType> {
    if let ExtendedType::Object(object) = ty { Some(object.make_mut()) } else { None }
}

/// Renames the fields of all types except the query type.
fn rename(schema: &mut Schema, names: &BTreeMap<&str, &'static str>) -> Result<(), String> {
    let query = schema.schema_definition.query.as_ref().map(|query| query.name.clone());
    let objects = schema.types.iter_mut().filter(|(name, _)| query.as_ref() != Some(name));
    for object in objects.filter_map(|(_, ty)| object_of(ty)) {
        for (name, mut field) in std::mem::take(&mut object.fields) {
            let Some(other) = names.get(name.as_str()) else {
                object.fields.insert(name, field);
                continue;
            };
            let other = Name::new(other).map_err(|error| error.to_string())?;
            let definition = field.make_mut();
            definition.name = other.clone();
            let from = Argument { name: FROM, value: Node::new(Value::String(name.to_string())) };
            definition.directives.push(Node::new(Directive { name: RENAMED, arguments: vec![from.into()] }));
            object.fields.insert(other, field);
        }
    }
    Ok(())
}

/// The name of a field in the data.
pub(super) fn original(field: &FieldDefinition) -> &str {
    let directive = field.directives.get(&RENAMED);
    let from = directive.and_then(|directive| directive.specified_argument_by_name(&FROM));
    from.and_then(|from| from.as_str()).unwrap_or(&field.name)
}
