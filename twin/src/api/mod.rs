//! The two GraphQL endpoints. Their schemas drive execution, and answers have the shape and wording of the site's
//! Python server (graphql-core 2).

mod arguments;
mod country;
mod explore;
mod messages;
mod partial;
mod root;
mod schema;
mod suggestions;
mod value;

use super::data::World;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::Schema;
use apollo_compiler::resolvers::{Execution, FieldError, ObjectValue, ResolveInfo, ResolvedValue};
use apollo_compiler::response::{ExecutionResponse, JsonMap};
use apollo_compiler::validation::Valid;
pub(crate) use partial::Partial;
use root::Root;
pub(crate) use schema::changed_schemas;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// One endpoint.
pub(crate) struct Endpoint {
    schema: Valid<Schema>,
    root: Box<dyn Root>,
}

/// A posted request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    query: Option<String>,
    variables: Option<Json>,
    operation_name: Option<String>,
}

/// An endpoint's answer, and the parts that the log keeps.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub body: Json,
    pub operation: Option<String>,
    pub fields: Vec<String>,
    pub variables: Json,
}

/// The conditions of an answer, from faults in force.
#[derive(Default)]
pub(crate) struct Conditions<'a> {
    /// Answer for this country (M49 code), whatever was requested.
    pub stand_in: Option<u32>,
    /// Use this schema instead of the endpoint's own.
    pub schema: Option<&'a Valid<Schema>>,
    /// Damage to the data.
    pub partial: &'a [Partial],
}

impl Endpoint {
    /// The API behind the country pages.
    pub(crate) fn country(world: Arc<World>) -> Result<Self, String> {
        Self::new(
            include_str!("../../../graphql/country.graphql"),
            Box::new(country::CountryRoot::new(world)),
        )
    }

    /// The API behind the Explore pages.
    pub(crate) fn explore(world: Arc<World>) -> Result<Self, String> {
        let root = explore::ExploreRoot::new(world)?;
        Self::new(include_str!("../../../graphql/explore.graphql"), Box::new(root))
    }

    fn new(sdl: &str, root: Box<dyn Root>) -> Result<Self, String> {
        let schema = Schema::parse_and_validate(sdl, "schema.graphql").map_err(|error| error.to_string())?;
        Ok(Self { schema, root })
    }

    /// Answers the body of a POST request.
    pub(crate) fn answer(&self, body: &[u8], conditions: &Conditions<'_>) -> Answer {
        let Ok(request) = serde_json::from_slice::<Request>(body) else {
            return Answer::refused("POST body sent invalid JSON.");
        };
        let Some(query) = request.query.filter(|query| !query.trim().is_empty()) else {
            return Answer::refused("Must provide query string.");
        };
        let variables =
            request.variables.filter(|variables| !variables.is_null()).unwrap_or_else(|| json!({}));
        let variables = match variables {
            Json::String(text) => serde_json::from_str(&text).unwrap_or(Json::Null),
            other => other,
        };
        if !variables.is_object() {
            return Answer::refused("Variables are invalid JSON.");
        }
        let other = conditions.stand_in.map(|m49| self.root.standing_in(m49));
        let root = other.as_deref().unwrap_or(self.root.as_ref());
        let schema = conditions.schema.unwrap_or(&self.schema);
        let name = request.operation_name.as_deref();
        let mut answer = execute(schema, root, (&query, &variables, name), conditions.partial);
        answer.variables = variables;
        answer
    }
}

fn execute(
    schema: &Valid<Schema>,
    root: &dyn Root,
    (query, variables, name): (&str, &Json, Option<&str>),
    partial: &[Partial],
) -> Answer {
    let document = match ExecutableDocument::parse_and_validate(schema, query, "query.graphql") {
        Ok(document) => document,
        Err(invalid) => return Answer::invalid(messages::of_validation(schema, &invalid, query)),
    };
    let Ok(operation) = document.operations.get(name.filter(|name| !name.is_empty())) else {
        return Answer::refused(&name.filter(|name| !name.is_empty()).map_or_else(
            || "Must provide operation name if query contains multiple operations.".to_owned(),
            |name| format!("Unknown operation named \"{name}\"."),
        ));
    };
    let fields = operation.root_fields(&document).map(|field| field.name.to_string()).collect();
    let operation_name = operation.name.as_ref().map(ToString::to_string);
    let raw: JsonMap = serde_json::from_value(variables.clone()).unwrap_or_default();
    let run = Execution::new(schema, &document)
        .operation(operation)
        .enable_schema_introspection(true)
        .raw_variable_values(&raw)
        .execute_sync(&Query(root));
    let (status, body) = match run {
        Ok(ExecutionResponse { data, mut errors }) => {
            for error in &mut errors {
                error.message = messages::of_execution(&error.message);
            }
            let mut body = messages::response(data, &errors);
            for partial in partial {
                let more = partial::spoil(&document, &operation.selection_set, &mut body["data"], partial);
                messages::add_errors(&mut body, more);
            }
            (200, body)
        }
        Err(error) => {
            let mut error = error.to_graphql_error(&document.sources);
            error.message = messages::of_variables(&error.message, operation);
            (400, json!({ "errors": [error] }))
        }
    };
    Answer { status, body, operation: operation_name, fields, variables: Json::Null }
}

impl Answer {
    fn refused(message: &str) -> Self {
        Self::invalid(json!([{ "message": message }]))
    }

    fn invalid(errors: Json) -> Self {
        let body = json!({ "errors": errors });
        Self { status: 400, body, operation: None, fields: Vec::new(), variables: Json::Null }
    }
}

struct Query<'a>(&'a dyn Root);

impl ObjectValue for Query<'_> {
    fn type_name(&self) -> &str {
        "Query"
    }

    fn resolve_field<'a>(&'a self, info: &'a ResolveInfo<'a>) -> Result<ResolvedValue<'a>, FieldError> {
        self.0.field(info).map_err(|message| FieldError { message })?.into_resolved()
    }
}
