//! Whether a document fits its schema.

use serde_json::Value;

use crate::root;

/// Holds a document against the schema that is kept of it.
pub fn fits(name: &str, document: &Value) -> Result<(), String> {
    let path = root().join(format!("docs/schemas/{name}.schema.json"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let schema: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("schema.json", schema).map_err(|error| error.to_string())?;
    let compiled = compiler.compile("schema.json", &mut schemas).map_err(|error| error.to_string())?;
    // a schema that lets anything pass says nothing
    if schemas.validate(&Value::from("x"), compiled).is_ok() {
        return Err(format!("{name} lets anything pass"));
    }
    schemas.validate(document, compiled).map_err(|error| format!("{name}: {error}"))
}
