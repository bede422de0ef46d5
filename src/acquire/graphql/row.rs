//! From the types that the query documents generate to typed rows: one id per country and product, years,
//! and decimals. What cannot be read is noted and left out, never guessed, and spoils nothing around it.

use rust_decimal::Decimal;

use super::answer::{Origin, Problem};
use crate::atlas::{CountryId, PlaceId, ProductId};

/// Where reading stands, and what could not be read.
#[derive(Debug, Default)]
pub struct Notes {
    path: Vec<String>,
    pub(super) problems: Vec<Problem>,
}

impl Notes {
    pub(super) fn problem(&mut self, message: String) {
        self.problems.push(Problem { origin: Origin::Reading, path: self.path.join("."), message });
    }

    pub(super) fn within<R>(&mut self, step: impl ToString, read: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step.to_string());
        let result = read(self);
        self.path.pop();
        result
    }
}

/// A generated value that can be read as a `T`.
pub trait Cell<T> {
    /// The typed value; `None`, noted, when it cannot be read.
    fn cell(self, notes: &mut Notes) -> Option<T>;
}

macro_rules! as_it_is {
    ($($kind:ty),+ $(,)?) => {
        $(impl $crate::acquire::graphql::row::Cell<$kind> for $kind {
            fn cell(self, _: &mut $crate::acquire::graphql::row::Notes) -> Option<$kind> {
                Some(self)
            }
        })+
    };
}
pub(super) use as_it_is;
as_it_is!(String, i64, bool);

macro_rules! id {
    ($($kind:ty),+) => {
        $(impl Cell<$kind> for String {
            fn cell(self, notes: &mut Notes) -> Option<$kind> {
                self.parse().map_err(|error| notes.problem(format!("{error}"))).ok()
            }
        })+
    };
}
id!(CountryId, PlaceId, ProductId);

/// Years.
impl Cell<i16> for i64 {
    fn cell(self, notes: &mut Notes) -> Option<i16> {
        i16::try_from(self).map_err(|_| notes.problem(format!("{self} is no year"))).ok()
    }
}

/// The shortest decimal that reads back as the same binary number is the one that the server wrote.
impl Cell<Decimal> for f64 {
    fn cell(self, notes: &mut Notes) -> Option<Decimal> {
        self.to_string()
            .parse()
            .map_err(|error| notes.problem(format!("{self} is out of range ({error})")))
            .ok()
    }
}

impl<A: Cell<B>, B> Cell<Option<B>> for Option<A> {
    fn cell(self, notes: &mut Notes) -> Option<Option<B>> {
        Some(self.and_then(|value| value.cell(notes)))
    }
}

/// Nulls in a list are nothing to read.
impl<A: Cell<B>, B> Cell<Vec<B>> for Vec<Option<A>> {
    fn cell(self, notes: &mut Notes) -> Option<Vec<B>> {
        let read = |(index, value): (usize, Option<A>)| notes.within(index, |notes| value?.cell(notes));
        Some(self.into_iter().enumerate().filter_map(read).collect())
    }
}

/// A quantity with the year that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dated<T> {
    /// The quantity.
    pub quantity: Option<T>,
    /// Its year.
    pub year: Option<i16>,
}

macro_rules! dated {
    ($($source:path => $kind:ty),+ $(,)?) => {
        $(impl $crate::acquire::graphql::row::Cell<$crate::acquire::graphql::Dated<$kind>> for $source {
            fn cell(self, notes: &mut $crate::acquire::graphql::row::Notes) -> Option<$crate::acquire::graphql::Dated<$kind>> {
                Some($crate::acquire::graphql::Dated {
                    quantity: notes.within("quantity", |notes| self.quantity.cell(notes))?,
                    year: notes.within("year", |notes| self.year.cell(notes))?,
                })
            }
        })+
    };
}
pub(super) use dated;

/// A row type with the generated types that it is read from. Its fields are named as the schema names them.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident from [$($source:path),+ $(,)?] { $($field:ident: $kind:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $(
                #[doc = concat!("`", stringify!($field), "`, as the schema describes it; `None` where the API has none.")]
                pub $field: $kind,
            )+
        }
        $crate::acquire::graphql::row::read_row! { $name [$($source),+] { $($field),+ } }
    };
}
pub(super) use row;

macro_rules! read_row {
    ($name:ident [$($source:path),+] $fields:tt) => {
        $($crate::acquire::graphql::row::read_one! { $name $source, $fields })+
    };
}
pub(super) use read_row;

macro_rules! read_one {
    ($name:ident $source:path, { $($field:ident),+ }) => {
        impl $crate::acquire::graphql::row::Cell<$name> for $source {
            fn cell(self, notes: &mut $crate::acquire::graphql::row::Notes) -> Option<$name> {
                Some($name {
                    $($field: notes.within(stringify!($field), |notes| self.$field.cell(notes))?,)+
                })
            }
        }
    };
}
pub(super) use read_one;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_read_is_noted_with_its_place_and_spoils_nothing_else() {
        let mut notes = Notes::default();
        let ids: Option<Vec<CountryId>> =
            vec![Some("country-404".to_owned()), None, Some("Services Partners".to_owned())].cell(&mut notes);
        assert_eq!(ids.unwrap(), [CountryId::new(404).unwrap()]);
        assert_eq!(notes.problems.len(), 1);
        assert_eq!(notes.problems[0].path, "2");
        assert!(notes.problems[0].message.contains("Services Partners"), "{:?}", notes.problems);
    }

    #[test]
    fn the_three_ways_to_write_a_country_are_one() {
        let mut notes = Notes::default();
        for text in ["404", "country-404", "location-404"] {
            let id: Option<CountryId> = text.to_owned().cell(&mut notes);
            assert_eq!(id, CountryId::new(404));
        }
    }

    proptest! {
        #[test]
        fn decimals_read_as_the_server_wrote_them(whole in 0_u64..90_000_000_000_000, cents in 0_u32..100) {
            let text = format!("{whole}.{cents:02}");
            let number: f64 = serde_json::from_str(&text).unwrap();
            let decimal: Option<Decimal> = number.cell(&mut Notes::default());
            prop_assert_eq!(decimal, Some(text.parse::<Decimal>().unwrap()));
        }
    }
}
