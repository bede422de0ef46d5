//! Facts about the Atlas of Economic Complexity: identifiers, countries, sections, page URLs, query types and queries. Nothing
//! here visits the site.

mod entities;
mod ids;
mod names;
mod query_types;
mod schema;
mod sections;
pub mod settled;
mod suggest;
mod url;

pub use entities::{Entity, PageKnown, all, by_id, country_name, find_names, lookup, namesakes};
pub use ids::{CountryId, IdError, PlaceId, ProductId};
pub use names::{QueryName, query_name};
pub use query_types::{QueryType, add_query_types, query_type, query_types};
pub use schema::{Api, ChangedField, SchemaField};
pub use sections::Section;
pub use suggest::{did_you_mean, nearest};
pub use url::{AtlasUrl, Explore, PageKind, ParsedUrl, SitePage, UrlError, Viz};
