//! Which row of the record a figure belongs to, if several may claim it.

use super::derived::{derived, is_other_sum};
use super::figure::place_of;
use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::atlas::CountryId;
use crate::language::lexicon::{self, stem};
use crate::value::Unit;

/// The place of a figure that several rows of the record may claim.
pub(crate) fn place_among(
    asked: &Asked<'_>,
    siblings: &[&Asked<'_>],
    figure: &Figure,
    written: &Figure,
    line: &Line,
) -> Place {
    let at = place_of(asked, figure, line);
    let derived = || derived(asked, siblings, figure).map(Place::other);
    match at {
        Place::Asked => {}
        Place::Unplaced(_) => return derived().unwrap_or(at),
        Place::OtherContext(_) if is_other_sum(asked, siblings, figure) => {
            return Place::unplaced("it is called the sum of the rows, which is another number");
        }
        _ => return at,
    }
    let rivals: Vec<&&Asked<'_>> = siblings.iter().filter(|other| claims(other, written, line)).collect();
    if rivals.is_empty() || distinguishes(asked, &rivals, written, line) {
        return at;
    }
    if rivals.iter().any(|other| distinguishes(other, &[&asked], written, line)) {
        return Place::OtherSlot;
    }
    derived().unwrap_or_else(|| Place::unplaced("it does not say which data point it is"))
}

/// Whether a figure is that of another row with the same value: `$8.73 billion in 2010, … and $8.73 billion in 2014`.
pub(crate) fn is_of_sibling(
    asked: &Asked<'_>,
    siblings: &[&Asked<'_>],
    figure: &Figure,
    line: &Line,
) -> bool {
    siblings.iter().any(|other| other.number() == asked.number() && claims(other, figure, line))
}

/// Whether a figure can be the value of a row.
fn claims(row: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    fits(row, figure) && place_of(row, figure, line) == Place::Asked
}

/// Whether a figure's context or its position in a list identifies this row and excludes the others.
fn distinguishes(asked: &Asked<'_>, others: &[&&Asked<'_>], figure: &Figure, line: &Line) -> bool {
    others.iter().all(|other| {
        by_context(asked, other, &figure.said)
            || by_measure(asked, other, &figure.said)
            || by_label(asked, other, &figure.said)
            || by_order(asked, other, figure, line)
    })
}

/// By the row's name, or by a part of the context in which the two rows differ.
fn by_context(asked: &Asked<'_>, other: &Asked<'_>, said: &Said) -> bool {
    let names = |of: fn(&Asked<'_>) -> Option<CountryId>| {
        of(other) != of(asked) && said.countries.iter().any(|(id, _)| of(asked) == Some(*id))
    };
    let product = &asked.context.product;
    said.rows.contains(&asked.row) && !said.rows.contains(&other.row)
        || other.context.period != asked.context.period && !said.periods.is_empty()
        || names(|row| row.country)
        || names(|row| row.partner)
        || other.context.product != *product
            && said.products.iter().any(|code| product.as_ref() == Some(code))
}

/// By tags that only this row has. The plain name of a measure excludes a narrowed one.
fn by_measure(asked: &Asked<'_>, other: &Asked<'_>, said: &Said) -> bool {
    let (mine, theirs) = (asked.siblings_of(other), other.siblings_of(asked));
    let is_plain = said.tagged("metric")
        && !theirs.is_empty()
        && !said.tags.iter().any(|tag| theirs.contains(tag))
        && mine.iter().all(|tag| said.tags.contains(tag));
    is_plain || said.tags.iter().any(|tag| asked.tags.contains(tag) && mine.contains(tag))
}

/// By words of the label, or by the column's name.
fn by_label(asked: &Asked<'_>, other: &Asked<'_>, said: &Said) -> bool {
    let hits = |own: &Asked<'_>, other: &Asked<'_>| {
        said.words.iter().any(|word| own.label.contains(word) && !other.label.contains(word))
    };
    let in_column = |asked: &Asked<'_>| {
        let column = asked.one.column.as_ref();
        column.is_some_and(|column| column.split('_').all(|word| said.words.contains(&stem(word))))
    };
    hits(asked, other) && !hits(other, asked)
        || other.one.column != asked.one.column && in_column(asked) && !in_column(other)
}

/// By the position in a list, or by the number of ranked entities.
fn by_order(asked: &Asked<'_>, other: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let total = |asked: &Asked<'_>| asked.number().and_then(|number| number.total);
    let own = asked.one.rank;
    own.is_some() && line.passage.place == own && other.one.rank != own
        || figure.quantity.total.is_some()
            && total(asked) == figure.quantity.total
            && total(other) != total(asked)
}

/// Whether a figure's unit can be that of the requested value.
pub(crate) fn fits(asked: &Asked<'_>, figure: &Figure) -> bool {
    let Some(truth) = asked.number() else { return false };
    let unit = figure.quantity.unit;
    let digits = figure.digits;
    let counted = figure.counted.as_deref();
    let places = counted.is_some_and(|noun| lexicon::listed("places", noun));
    let bare = matches!(unit, Unit::Count | Unit::Index)
        && !places
        && counted.is_none_or(|noun| {
            lexicon::listed("in_dollars", noun) || noun.starts_with("international dollar")
        });
    match truth.unit {
        Unit::Rank => {
            unit == Unit::Rank
                || (unit == Unit::Count
                    && digits
                    && counted.is_none()
                    && (figure.ranked || figure.said.alone))
        }
        Unit::Positions => {
            unit == Unit::Positions
                || (unit == Unit::Count
                    && (places || (counted.is_none() && !matches!(figure.joint, Some("from" | "to")))))
        }
        Unit::Usd => {
            matches!(unit, Unit::Usd | Unit::OtherCurrency)
                || bare && (digits || figure.quantity.number.is_zero())
        }
        Unit::Percent | Unit::PercentagePoints => {
            matches!(unit, Unit::Percent | Unit::PercentagePoints)
                || (bare && (figure.said.alone || asked.one.column.is_some()))
                // `it's 0.14 points up`
                || figure.noun.as_deref().is_some_and(|noun| lexicon::listed("points", noun))
        }
        Unit::Persons => matches!(unit, Unit::Persons | Unit::Count | Unit::Index) && !places,
        Unit::Count => {
            matches!(unit, Unit::Count | Unit::Persons)
                && !places
                && counted.is_none_or(|noun| asked.knows(noun) || !lexicon::listed("other_count", noun))
        }
        Unit::Index if unit == Unit::Rank => {
            figure.noun.as_deref().is_some_and(|noun| noun.starts_with("diamond"))
        }
        Unit::Index => {
            matches!(unit, Unit::Index | Unit::Count)
                && !places
                && counted.is_none_or(|noun| {
                    asked.knows(noun)
                        || noun.starts_with("diamond")
                        || !["countries", "products", "years", "product"].contains(&noun)
                })
        }
        _ => true,
    }
}
