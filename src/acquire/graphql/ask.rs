//! What a question is, and the parts that questions share.

use graphql_client::GraphQLQuery;

use super::document::Api;
use super::error::ApiError;
use super::row::Cell;
use crate::atlas::{ProductId, classification_name};
use crate::value::{Classification, Period};

/// A typed question to one of the APIs. The modules [`explore`](super::explore) and
/// [`country`](super::country) have them all.
pub trait Ask: Sync {
    /// What is answered.
    type Answer;
    /// The generated types of the query document.
    type Query: GraphQLQuery;
    /// The generated type of the answered field.
    type Root: Cell<Option<Self::Answer>>;
    /// The API that is asked.
    const API: Api;
    /// Name of the operation.
    const NAME: &'static str;
    /// Text of the query document.
    const TEXT: &'static str;

    /// The variables to send.
    ///
    /// # Errors
    /// The parts of the question contradict each other, or the API cannot answer it.
    fn variables(&self) -> Result<<Self::Query as GraphQLQuery>::Variables, ApiError>;

    /// The answered field.
    fn root(data: <Self::Query as GraphQLQuery>::ResponseData) -> Self::Root;
}

/// How finely products are told apart, by digits of their code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Eleven sectors.
    Section,
    /// Two digits.
    TwoDigit,
    /// Four digits.
    FourDigit,
    /// Six digits; the country pages' API has none.
    SixDigit,
}

impl Level {
    /// As the Explore API counts them: 1, 2, 4, 6.
    #[must_use]
    pub const fn digits(self) -> i64 {
        match self {
            Self::Section => 1,
            Self::TwoDigit => 2,
            Self::FourDigit => 4,
            Self::SixDigit => 6,
        }
    }
}

/// The product's number, where its classification is the one that is asked about.
pub(super) fn number(product: Option<ProductId>, class: Classification) -> Result<Option<i64>, ApiError> {
    match product {
        Some(product) if product.classification != class => Err(ApiError::Question(format!(
            "{product} is not a product of {}: numbers differ between classifications",
            classification_name(class)
        ))),
        product => Ok(product.map(|product| i64::from(product.number))),
    }
}

/// First and last year.
pub(super) fn years(period: Option<Period>) -> (Option<i64>, Option<i64>) {
    (period.map(|period| period.start.into()), period.map(|period| period.end.into()))
}

/// A question: its parts, the rows it is answered with, and its variables.
macro_rules! ask {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$doc:meta])* $field:ident: $kind:ty),* $(,)? } -> $answer:ty,
        $api:ident $module:ident: $root:ty,
        |$this:ident| $variables:expr
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name { $($(#[$doc])* pub $field: $kind,)* }

        impl $crate::acquire::graphql::Ask for $name {
            type Answer = $answer;
            type Query = queries::$name;
            type Root = Option<$root>;
            const API: $crate::acquire::graphql::Api = $crate::acquire::graphql::Api::$api;
            const NAME: &'static str = queries::$module::OPERATION_NAME;
            const TEXT: &'static str = queries::$module::QUERY;

            fn variables(&self) -> Result<queries::$module::Variables, $crate::acquire::graphql::ApiError> {
                let $this = self;
                $variables
            }

            fn root(data: queries::$module::ResponseData) -> Self::Root {
                data.data
            }
        }
    };
}
pub(super) use ask;
