//! Assigns each value of a record to its data point. A value that matches none, or several equally
//! well, is not assigned, with the reason.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::fit::{Claim, closeness, contradiction, other_meaning, reading};
use super::subject::{Background, Item, beside_item, item, named_product};
use super::target::{Column, Of, Shape, Target};
use super::words::{slug, words};
use crate::atlas::lookup;
use crate::external::{Figure, FigureContent, keys};
use crate::extract::Reading;

/// A value with its data point.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// The index of the value.
    pub figure: usize,
    /// The index of the data point.
    pub target: usize,
    /// The value in the form of the point.
    pub reading: Reading,
    /// The keys that distinguish its row from others of the point.
    pub keys: Vec<(String, String)>,
}

/// The assignments of a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Placing {
    /// The assigned values.
    pub placed: Vec<Placed>,
    /// The reasons why other values are not assigned, by index.
    pub reasons: BTreeMap<usize, String>,
}

/// Assigns the values of a record to the data points of its question.
pub(super) fn place(figures: &[Figure], targets: &[Target], background: &Background) -> Placing {
    let claims: Vec<Claim<'_>> = figures.iter().map(Claim::of).collect();
    let mut placing = Placing::default();
    if let Some(absent) = absent(figures, targets) {
        placing.placed = absent;
        return placing;
    }
    singles(&claims, targets, background, &mut placing);
    for (at, target) in targets.iter().enumerate() {
        match &target.shape {
            Shape::One => {}
            Shape::List(of, count) => {
                list(&claims, (at, target), (*of, *count), background, &mut placing);
            }
            Shape::Table(columns) => table(&claims, (at, target), columns, background, &mut placing),
        }
    }
    for placed in &placing.placed {
        placing.reasons.remove(&placed.figure);
    }
    placing
}

/// A record that only states an absence states it for every data point.
fn absent(figures: &[Figure], targets: &[Target]) -> Option<Vec<Placed>> {
    let [figure] = figures else { return None };
    let absence = keys::absence(&figure.key).filter(|_| figure.text == "false")?;
    let one = |target| Placed { figure: 0, target, reading: Reading::Absent(absence), keys: Vec::new() };
    Some((0..targets.len()).map(one).collect())
}

/// How close a value is to a data point, and its form there; or why it does not match.
type Fit = Result<(usize, Reading), String>;

fn fit(claim: &Claim<'_>, target: &Target, background: &Background) -> Fit {
    let form = (target.unit, target.vocabulary.as_deref(), target.answers.as_slice());
    let reading = reading(claim.figure, form)?;
    if let Some(why) = contradiction(claim, target, background) {
        return Err(why);
    }
    let close = closeness(claim, target);
    let close = close.ok_or_else(|| format!("its name does not suggest `{}`", target.data_point))?;
    Ok((close, reading))
}

/// Assigns data points with one value each.
fn singles(claims: &[Claim<'_>], targets: &[Target], background: &Background, placing: &mut Placing) {
    let ones: Vec<(usize, &Target)> =
        targets.iter().enumerate().filter(|(_, target)| target.shape == Shape::One).collect();
    // for each value the closest points
    let mut wanted: BTreeMap<usize, Vec<(usize, usize, Reading)>> = BTreeMap::new();
    for (at, claim) in claims.iter().enumerate() {
        let mut fits: Vec<(usize, usize, Reading)> = Vec::new();
        let mut why = None;
        for (number, target) in &ones {
            match fit(claim, target, background) {
                Ok((close, reading)) => fits.push((close, *number, reading)),
                Err(reason) => why = Some(why.unwrap_or(format!("{}: {reason}", target.data_point))),
            }
        }
        // a vocabulary word is not free text
        let is_word = |target: usize| targets[target].vocabulary.is_some();
        if fits.iter().any(|(_, target, _)| is_word(*target)) {
            fits.retain(|(_, target, _)| is_word(*target));
        }
        let closest = fits.iter().map(|(close, ..)| *close).max().unwrap_or_default();
        fits.retain(|(close, ..)| *close == closest);
        match &fits[..] {
            [] => drop(why.map(|why| placing.reasons.insert(at, why))),
            [(_, target, reading)] => {
                wanted.entry(*target).or_default().push((closest, at, reading.clone()));
            }
            several => {
                let names: Vec<&str> =
                    several.iter().map(|(_, target, _)| targets[*target].data_point.as_str()).collect();
                placing
                    .reasons
                    .insert(at, format!("it matches several points equally: {}", names.join(", ")));
            }
        }
    }
    for (target, mut values) in wanted {
        let closest = values.iter().map(|(close, ..)| *close).max().unwrap_or_default();
        let name = &targets[target].data_point;
        for (_, at, _) in values.iter().filter(|(close, ..)| *close < closest) {
            placing.reasons.insert(*at, format!("{name}: another value matches better"));
        }
        values.retain(|(close, ..)| *close == closest);
        // the API's word beside the page's word says the same
        if values.len() > 1 {
            values.retain(|(_, at, _)| keys::displayed_key(&claims[*at].figure.key).is_none());
        }
        match &values[..] {
            [(_, figure, reading)] => {
                let keys = own_keys(claims[*figure].figure, &targets[target]);
                placing.placed.push(Placed { figure: *figure, target, reading: reading.clone(), keys });
            }
            several => {
                let all: Vec<&str> =
                    several.iter().map(|(_, at, _)| claims[*at].figure.text.as_str()).collect();
                let why = format!("{name}: several values match equally: {}", all.join(", "));
                placing.reasons.extend(several.iter().map(|(_, at, _)| (*at, why.clone())));
            }
        }
    }
}

/// The subject that a point's only row names beside its value.
fn own_keys(figure: &Figure, target: &Target) -> Vec<(String, String)> {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    if let Some(key) = target.key {
        let of = target.group.as_deref().or(target.context.product.as_deref());
        return of.map(|of| pair(key, of)).into_iter().collect();
    }
    if let Some(label) = &target.label {
        return vec![pair("name", label)];
    }
    if target.operation.is_some() || target.vocabulary.is_some() {
        return Vec::new();
    }
    let Ok(Some(product)) = named_product(&figure.about) else { return Vec::new() };
    let code = product.code.or_else(|| target.context.product.clone());
    let is_total = target.context.product.is_some() && !target.words.contains("product");
    if is_total {
        return Vec::new();
    }
    product
        .name
        .iter()
        .map(|name| pair("product", name))
        .chain(code.iter().map(|code| pair("code", code)))
        .collect()
}

/// A list item with its value in a row.
struct Entry {
    figure: usize,
    item: Item,
    reading: Reading,
    rank: Option<u32>,
    share: Option<String>,
}

/// Assigns a list point with one value per item. Either all rows of the list match, or none is
/// assigned.
fn list(
    claims: &[Claim<'_>],
    (at, target): (usize, &Target),
    (of, count): (Of, Option<usize>),
    background: &Background,
    placing: &mut Placing,
) {
    let mut by_row: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, claim) in claims.iter().enumerate() {
        // places are the values of one row, under one key
        let row = if of == Of::Places { number } else { claim.figure.row };
        by_row.entry(row).or_default().push(number);
    }
    let mut entries = Vec::new();
    let mut refused: Option<String> = None;
    let mut reasons: Vec<(usize, String)> = Vec::new();
    for numbers in by_row.values() {
        match row(claims, numbers, (target, of), background) {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => {}
            Err((is_item, why)) => {
                if is_item {
                    refused.get_or_insert_with(|| why.clone());
                }
                reasons
                    .extend(numbers.iter().map(|number| (*number, format!("{}: {why}", target.data_point))));
            }
        }
    }
    let refused = refused.or_else(|| order(&mut entries, count));
    if let Some(why) = refused {
        let why = format!("{}: a list is assigned as a whole, but in one row {why}", target.data_point);
        reasons.extend(entries.iter().map(|entry| (entry.figure, why.clone())));
        entries.clear();
    }
    for (number, why) in reasons {
        placing.reasons.entry(number).or_insert(why);
    }
    for entry in entries {
        if let Some((most, rank)) = count.zip(entry.rank)
            && usize::try_from(rank).is_ok_and(|rank| rank > most)
        {
            let why = format!(
                "{}: it is number {rank} of the list, but the point has only the first {most}",
                target.data_point
            );
            placing.reasons.insert(entry.figure, why);
            continue;
        }
        let mut keys: Vec<(String, String)> = Vec::new();
        keys.extend(
            entry.rank.filter(|_| of != Of::Places).map(|rank| ("rank".to_owned(), rank.to_string())),
        );
        keys.push((entry.item.key.to_owned(), entry.item.name));
        keys.extend(entry.item.code.map(|code| ("code".to_owned(), code)));
        keys.extend(entry.share.map(|share| ("share".to_owned(), share)));
        placing.placed.push(Placed { figure: entry.figure, target: at, reading: entry.reading, keys });
    }
}

/// The item and value of a row; none if the row names no item. The error tells why it does not
/// match, and whether it names an item.
fn row(
    claims: &[Claim<'_>],
    numbers: &[usize],
    (target, of): (&Target, Of),
    background: &Background,
) -> Result<Option<Entry>, (bool, String)> {
    let mut best: Option<(usize, usize, Reading)> = None;
    let mut why: Option<(bool, String)> = None;
    let mut is_open = false;
    for number in numbers {
        match list_fit(&claims[*number], (target, of), background) {
            Ok(Some((close, reading))) => match &best {
                Some((known, ..)) if *known > close => {}
                Some((known, ..)) if *known == close => is_open = true,
                _ => {
                    is_open = false;
                    best = Some((close, *number, reading));
                }
            },
            Ok(None) => {}
            Err(reason) => why = Some(why.filter(|(is_item, _)| *is_item).unwrap_or(reason)),
        }
    }
    let Some((_, number, reading)) = best else { return why.map_or(Ok(None), Err) };
    if is_open {
        return Err((true, "several values match equally".to_owned()));
    }
    let claim = &claims[number];
    let about = &claim.figure.about;
    let item = match of {
        Of::Places => Ok(Some(Item {
            key: "name",
            name: claim.figure.text.clone(),
            code: lookup(&claim.figure.text).map(|entity| entity.id.to_string()),
        })),
        _ => item(about, of, target),
    };
    let Ok(Some(item)) = item else { return Ok(None) };
    let share = numbers.iter().filter(|other| **other != number).find_map(|other| {
        let figure = claims[*other].figure;
        (of == Of::Products || target.unit == Some(crate::value::Unit::Usd))
            .then(|| figure.text.clone())
            .filter(|text| figure.key == "share" && text.contains('%'))
    });
    Ok(Some(Entry { figure: number, item, reading, rank: about.rank, share }))
}

/// How a value of a row matches a list; none if the row names no item.
fn list_fit(
    claim: &Claim<'_>,
    (target, of): (&Target, Of),
    background: &Background,
) -> Result<Option<(usize, Reading)>, (bool, String)> {
    let figure = claim.figure;
    let alone = |why: String| (false, why);
    if of == Of::Places {
        if figure.measure.is_some() || lookup(&figure.text).is_none() {
            return Err(alone(format!("`{}` is not a country", figure.text)));
        }
        return match contradiction(claim, target, background) {
            Some(why) => Err(alone(why)),
            None => Ok(Some((1, Reading::Text(figure.text.clone())))),
        };
    }
    match item(&figure.about, of, target) {
        Ok(None) => return Ok(None),
        Ok(Some(_)) => {}
        Err(why) => return Err((true, why)),
    }
    let in_item = |why: String| (true, why);
    if let Some(why) = beside_item(&figure.about, of, target, background, figure) {
        return Err(in_item(why));
    }
    // a bare item answers if the list has no values
    let form = (target.unit, target.vocabulary.as_deref(), target.answers.as_slice());
    let reading = reading(figure, form)
        .map_err(|why| (figure.content != FigureContent::Nothing && figure.name == "name", why))?;
    if let Some(why) = other_meaning(claim, target, background) {
        let is_of_years = figure.about.period.is_some();
        return Err((is_of_years, why));
    }
    Ok(Some((closeness(claim, target).unwrap_or_default(), reading)))
}

/// Sorts the items by rank, or by value if none has a rank. Returns why they are not a list.
fn order(entries: &mut [Entry], count: Option<usize>) -> Option<String> {
    let number = |entry: &Entry| match &entry.reading {
        Reading::Quantity(quantity) => Some(quantity.number),
        _ => None,
    };
    if count.is_some() && entries.iter().all(|entry| entry.rank.is_none()) {
        let mut numbers: Vec<Decimal> = entries.iter().filter_map(number).collect();
        if numbers.len() < entries.len() && entries.len() > 1 {
            return Some("the order is unknown".to_owned());
        }
        numbers.sort_by(|a, b| b.cmp(a));
        numbers.dedup();
        if numbers.len() == entries.len() {
            for entry in entries.iter_mut() {
                let place = number(entry).and_then(|own| numbers.iter().position(|other| *other == own));
                entry.rank = place.and_then(|place| u32::try_from(place + 1).ok());
            }
        } else if entries.len() > 1 {
            return Some("two are equally large, so the order is unknown".to_owned());
        }
    }
    entries.sort_by_key(|entry| entry.rank);
    for (one, other) in entries.iter().zip(entries.iter().skip(1)) {
        if one.rank.is_some() && one.rank == other.rank {
            return Some(format!("two have the rank {}", one.rank.unwrap_or_default()));
        }
    }
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.item.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|two| two[0] == two[1]).map(|two| format!("`{}` is listed twice", two[0]))
}

/// Assigns a table point with one value per row and column.
fn table(
    claims: &[Claim<'_>],
    (at, target): (usize, &Target),
    columns: &[Column],
    background: &Background,
    placing: &mut Placing,
) {
    for (number, claim) in claims.iter().enumerate() {
        let figure = claim.figure;
        let row = match named_product(&figure.about) {
            Ok(Some(product)) => product.name,
            _ => figure.about.country.clone(),
        };
        let (Some(row), Some(column)) = (row, column(claim.figure, columns)) else { continue };
        let fits = reading(figure, (column.unit, None, &[]))
            .and_then(|reading| other_meaning(claim, target, background).map_or(Ok(reading), Err));
        match fits {
            Ok(reading) => {
                let keys = vec![("row".to_owned(), row), ("column".to_owned(), column.id.clone())];
                placing.placed.push(Placed { figure: number, target: at, reading, keys });
            }
            Err(why) => {
                placing.reasons.entry(number).or_insert_with(|| format!("{}: {why}", target.data_point));
            }
        }
    }
}

/// The column named by a key.
fn column<'c>(figure: &Figure, columns: &'c [Column]) -> Option<&'c Column> {
    let own = slug(&figure.key);
    let by_words = || {
        let mut same = columns.iter().filter(|column| words(&column.id) == words(&figure.key));
        same.next().filter(|_| same.next().is_none())
    };
    columns.iter().find(|column| column.id == own).or_else(by_words)
}
