//! The schemas of the site's two GraphQL APIs: resolves field paths from a query's root, and suggests similar names for
//! unknown ones.

use std::sync::OnceLock;

use apollo_compiler::Schema;
use apollo_compiler::ast::{FieldDefinition, OperationType};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::suggest::did_you_mean;
use super::url::PageKind;

/// One of the two APIs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// The documented API, behind the Explore pages.
    Explore,
    /// The undocumented API, behind the country pages.
    Country,
}

crate::words!(Api);

impl Api {
    /// The API that pages of this kind use.
    #[must_use]
    pub const fn of(page: PageKind) -> Self {
        match page {
            PageKind::Country => Self::Country,
            PageKind::Explore(_) => Self::Explore,
        }
    }

    /// The path for requests.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Explore => "/api/graphql",
            Self::Country => "/api/countries/graphql",
        }
    }

    /// The text of the schema the query documents were written for.
    #[must_use]
    pub const fn sdl(self) -> &'static str {
        match self {
            Self::Explore => include_str!("../../../../graphql/explore.graphql"),
            Self::Country => include_str!("../../../../graphql/country.graphql"),
        }
    }

    /// The parsed schema.
    ///
    /// # Errors
    /// The schema is invalid. A test ensures that it is valid.
    pub fn schema(self) -> Result<&'static Valid<Schema>, String> {
        static EXPLORE: OnceLock<Result<Valid<Schema>, String>> = OnceLock::new();
        static COUNTRY: OnceLock<Result<Valid<Schema>, String>> = OnceLock::new();
        let place = match self {
            Self::Explore => &EXPLORE,
            Self::Country => &COUNTRY,
        };
        place
            .get_or_init(|| {
                let file = format!("{}.graphql", self.name());
                Schema::parse_and_validate(self.sdl(), file).map_err(|invalid| invalid.to_string())
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    /// The root field with this name.
    ///
    /// # Errors
    /// The API has no such field. The message suggests a similar one.
    pub fn query(self, name: &str) -> Result<SchemaField, String> {
        let queries = self.queries()?;
        queries.iter().find(|query| query.name() == name).cloned().ok_or_else(|| {
            let known: Vec<&str> = queries.iter().map(SchemaField::name).collect();
            format!("the {self} API has no query `{name}`{}", did_you_mean(name, &known))
        })
    }

    /// Checks that the rows of some query have a field. The view decides which query is sent.
    ///
    /// # Errors
    /// No rows have it. The message suggests a similar field.
    pub fn row_field(self, field: &str) -> Result<(), String> {
        let rows: Vec<SchemaField> = self.queries()?.into_iter().filter(SchemaField::is_list).collect();
        if rows.iter().any(|rows| rows.value(field).is_ok()) {
            return Ok(());
        }
        let known: Vec<&str> = rows.iter().flat_map(SchemaField::fields).collect();
        let near = Some(did_you_mean(field, &known)).filter(|hint| hint.contains("did you mean"));
        Err(format!("no rows of the {self} API have a field `{field}`{}", near.unwrap_or_default()))
    }

    /// All root fields.
    ///
    /// # Errors
    /// See [`Api::schema`].
    pub fn queries(self) -> Result<Vec<SchemaField>, String> {
        let schema = self.schema()?;
        let root = schema.root_operation(OperationType::Query).map_or("Query", |root| root.as_str());
        let field = |definition| SchemaField { schema, definitions: vec![definition] };
        Ok(fields(schema, root).into_iter().map(field).collect())
    }
}

/// A field that only the expected or only the live schema has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ChangedField {
    /// The type it belongs to.
    #[serde(rename = "type")]
    pub owner: String,
    /// Its name.
    pub field: String,
    /// The type of its value: `Float`, `[Int!]!`.
    pub of: String,
    /// Whether only the live schema has it.
    pub is_new: bool,
}

/// A field of a schema. Below a union, several types may define it.
#[derive(Debug, Clone)]
pub struct SchemaField {
    schema: &'static Schema,
    definitions: Vec<&'static FieldDefinition>,
}

impl SchemaField {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.definitions.first().map_or("", |definition| definition.name.as_str())
    }

    /// The types of its value, without list and non-null markers.
    fn types(&self) -> Vec<&'static str> {
        self.definitions.iter().map(|definition| definition.ty.inner_named_type().as_str()).collect()
    }

    /// Whether its value is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.definitions.iter().any(|definition| definition.ty.is_list())
    }

    /// The fields of its value; empty for a scalar.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static str> {
        let types = self.types();
        types
            .iter()
            .flat_map(|name| fields(self.schema, name))
            .map(|definition| definition.name.as_str())
            .collect()
    }

    /// The scalar at a path of field names: `latestGdpPerCapita.quantity`.
    ///
    /// # Errors
    /// A name in the path does not exist, or the path ends at an object. The message lists what exists.
    pub fn value(&self, path: &str) -> Result<Self, String> {
        let mut at = self.clone();
        for name in path.split('.') {
            let types = at.types();
            let all = types.iter().flat_map(|name| fields(self.schema, name));
            let definitions: Vec<_> = all.filter(|definition| definition.name == name).collect();
            if definitions.is_empty() {
                let known = did_you_mean(name, &at.fields());
                return Err(format!("`{}` has no field `{name}`{known}", types.join(" | ")));
            }
            at.definitions = definitions;
        }
        match at.fields() {
            fields if fields.is_empty() => Ok(at),
            fields => Err(format!(
                "`{path}` is an object, not a value; name one of its fields: {}",
                fields.join(", ")
            )),
        }
    }

    /// The types that define the last name of a path below this field, each with the type of its value.
    #[must_use]
    pub fn owners(&self, path: &str) -> Vec<(String, String)> {
        let (above, last) = path.rsplit_once('.').map_or((None, path), |(above, last)| (Some(above), last));
        let mut types = self.types();
        for name in above.into_iter().flat_map(|above| above.split('.')) {
            let all = types.iter().flat_map(|owner| fields(self.schema, owner));
            let named = all.filter(|definition| definition.name == name);
            types = named.map(|definition| definition.ty.inner_named_type().as_str()).collect();
        }
        let members = types.into_iter().flat_map(|name| match self.schema.types.get(name) {
            Some(ExtendedType::Union(union)) => {
                union.members.iter().map(|member| member.to_string()).collect()
            }
            _ => vec![name.to_owned()],
        });
        members
            .filter_map(|owner| {
                let of = fields(self.schema, &owner).into_iter().find(|one| one.name == last)?;
                Some((owner, of.ty.to_string()))
            })
            .collect()
    }

    /// Checks that the field takes this argument and, if given, this value.
    ///
    /// # Errors
    /// It does not. The message says what it takes.
    pub fn takes(&self, argument: &str, value: Option<&str>) -> Result<(), String> {
        let given = || self.definitions.iter().flat_map(|definition| &definition.arguments);
        let Some(declared) = given().find(|declared| declared.name == argument) else {
            let known: Vec<&str> = given().map(|declared| declared.name.as_str()).collect();
            return Err(format!(
                "`{}` takes no argument `{argument}`{}",
                self.name(),
                did_you_mean(argument, &known)
            ));
        };
        let Some((value, words)) = value.zip(self.schema.get_enum(declared.ty.inner_named_type())) else {
            return Ok(());
        };
        let known: Vec<&str> = words.values.keys().map(|word| word.as_str()).collect();
        if known.contains(&value) {
            return Ok(());
        }
        Err(format!("`{}` is not a {}{}", value, words.name, did_you_mean(value, &known)))
    }
}

/// The fields of a type. A union has the fields of all its members.
fn fields(schema: &'static Schema, name: &str) -> Vec<&'static FieldDefinition> {
    match schema.types.get(name) {
        Some(ExtendedType::Object(object)) => object.fields.values().map(|field| &***field).collect(),
        Some(ExtendedType::Interface(interface)) => {
            interface.fields.values().map(|field| &***field).collect()
        }
        Some(ExtendedType::Union(union)) => {
            union.members.iter().flat_map(|member| fields(schema, member)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_through_objects_lists_and_unions() {
        let profile = Api::Country.query("countryProfile").unwrap();
        assert!(profile.value("latestGdpPerCapita.quantity").is_ok() && !profile.is_list());
        let cells = Api::Country.query("treeMap").unwrap();
        assert!(cells.is_list() && cells.value("product.topLevelParent.shortName").is_ok());
        assert!(cells.value("location.id").is_ok(), "the other member of the union");
        let owners = |path: &str| cells.owners(path).into_iter().map(|(owner, _)| owner).collect::<Vec<_>>();
        assert_eq!(owners("exportValue"), ["TreeMapProduct", "TreeMapLocation"]);
        assert_eq!(owners("product.topLevelParent.shortName").len(), 1);
    }

    #[test]
    fn what_is_not_there_is_answered_with_what_is() {
        let profile = Api::Country.query("countryProfile").unwrap();
        for (error, parts) in [
            (
                Api::Country.query("countryProfil").err(),
                &["country API", "did you mean `countryProfile`"][..],
            ),
            (Api::Explore.query("countryProfile").err(), &["the explore API has no query `countryProfile`"]),
            (
                profile.value("latestGdpPerCapit.quantity").err(),
                &["`CountryProfile` has no field `latestGdpPerCapit`", "did you mean `latestGdpPerCapita`"],
            ),
            (profile.value("latestGdpPerCapita").err(), &["is an object", "quantity, year"]),
            (profile.value("exportValue.quantity").err(), &["`Float` has no field `quantity`"]),
            (profile.takes("locaton", None).err(), &["takes no argument", "did you mean `location`"]),
        ] {
            let error = error.unwrap();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
        let lookback = Api::Country.query("countryLookback").unwrap();
        assert_eq!(lookback.takes("yearRange", Some("FiveYears")), Ok(()));
        let error = lookback.takes("yearRange", Some("FivYears")).unwrap_err();
        assert!(error.contains("did you mean `FiveYears`"), "{error}");
        assert_eq!(Api::Country.query("countryYear").unwrap().takes("year", Some("x")), Ok(()), "no word");
    }
}
