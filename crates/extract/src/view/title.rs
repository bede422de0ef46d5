//! The title of an Explore page, a question: it must name whose trade is asked for, with whom, of what and
//! when, and nobody else. Titles of pairs, imports and single products are not documented, so of any
//! question on the page the names and years in it are read.

use crate::atlas::{CountryId, PlaceId, find_names};
use crate::value::{ContextPart, Flow};

use super::View;
use super::entity::years;
use super::requested::{RequestedView, name};
use crate::document::{Block, Lines, Page, normalize_label};
use crate::response::catalogues::Catalogues;

/// What the titles of a page say otherwise.
///
/// # Errors
/// The page has no title, so that nothing says whose it is; what it begins with is given instead.
pub fn contradictions(view: &View<'_>, document: &str) -> Result<Vec<(ContextPart, String)>, String> {
    let (page, asked, books) = (&view.page, &view.requested, &view.catalogues());
    let patterns = view.patterns;
    let known = |text: &str| patterns.titles.iter().any(|cue| cue.whole(text).is_some());
    // a table has thousands of lines, and a title has a year
    let dated =
        patterns.titles.iter().all(|cue| cue.source.contains("{year}") || cue.source.contains("{end}"));
    let is_title = |text: &str| {
        text.len() < 240
            && (!dated || !years(text).is_empty())
            && (known(text) || (text.ends_with('?') && !years(text.trim_end_matches('?')).is_empty()))
    };
    let own = crate::value::fold::tidy(document.split(" | ").next().unwrap_or_default());
    let broken = broken(page, &known);
    let is_part = |at: usize| broken.iter().any(|(lines, _)| lines.contains(&at));
    let mut titles: Vec<&str> = page
        .lines
        .iter()
        .enumerate()
        .filter(|(at, line)| !line.control && !is_part(*at))
        .map(|(_, line)| line.text.as_str())
        .filter(|text| is_title(text))
        .collect();
    titles.extend(broken.iter().map(|(_, title)| title.as_str()));
    titles.extend(Some(own.as_str()).filter(|text| is_title(text)));
    titles.sort_unstable();
    titles.dedup();
    if titles.is_empty() {
        let begins: String = page.text(0..page.lines.len().min(12)).chars().take(160).collect();
        return Err(format!("\"{document}\": {begins}"));
    }
    let mut found = Vec::new();
    for title in titles {
        of_title(title, asked, books, &mut found);
    }
    Ok(found)
}

/// Titles that run over several lines of one block: none of these lines is a title by itself.
fn broken(page: &Page, known: &dyn Fn(&str) -> bool) -> Vec<(Lines, String)> {
    let all = 0..page.lines.len();
    let blocks = page.inside(&all).filter(|block| (2..=MOST_LINES).contains(&block.lines.len()));
    let of_one = |block: &Block| {
        let lines = page.lines[block.lines.clone()].iter();
        lines.clone().all(|line| !line.control && line.block == page.lines[block.lines.start].block)
    };
    blocks
        .filter(|block| of_one(block))
        .map(|block| (block.lines.clone(), page.text(block.lines.clone())))
        .filter(|(_, text)| text.len() < 240 && known(text))
        .collect()
}

/// A title is not broken into more lines.
const MOST_LINES: usize = 4;

fn of_title(
    title: &str,
    asked: &RequestedView<'_>,
    books: &Catalogues,
    found: &mut Vec<(ContextPart, String)>,
) {
    let mut say = |part, what: String| found.push((part, format!("the title \"{title}\" {what}")));
    let normalized = normalize_label(title);
    let product = of_product(&normalized, asked, books).unwrap_or_else(|what| {
        say(ContextPart::Product, what);
        String::new()
    });
    of_flow(&normalized, asked, &mut say);
    let said = years(title.trim_end_matches('?'));
    if let Some(year) = asked.year
        && !said.is_empty()
        && said.iter().any(|other| *other != year && Some(*other) != asked.first)
    {
        say(ContextPart::Period, format!("is not of {year}"));
    }
    // names are found by their capitals, so in the title as it stands; a product's name may hold the name of a country
    let cased = match product.as_str() {
        "" => title.to_owned(),
        product => cased(title, &normalized.replacen(product, " ", 1)),
    };
    of_places(&normalized, &cased, asked, books, &mut say);
}

/// The name of the product that is asked for, as the title has it; empty where none is.
///
/// # Errors
/// The title does not name it.
fn of_product(title: &str, asked: &RequestedView<'_>, books: &Catalogues) -> Result<String, String> {
    let Some(product) = asked.product() else { return Ok(String::new()) };
    let item = books.product(&product.to_string());
    let names = item.into_iter().flat_map(|item| [normalize_label(&item.name), normalize_label(&item.long)]);
    names.filter(|name| !name.is_empty()).find(|name| title.contains(name.as_str())).ok_or_else(|| {
        format!("does not name {}", item.map_or_else(|| product.to_string(), |item| item.name.clone()))
    })
}

/// Exports or imports, products or locations.
fn of_flow(title: &str, asked: &RequestedView<'_>, say: &mut dyn FnMut(ContextPart, String)) {
    if !asked.shows_flow() {
        return;
    }
    let verb = |stem: &str| title.split(' ').any(|word| word.starts_with(stem));
    let (own, other) = match asked.flow {
        Flow::Import => ("import", "export"),
        Flow::Export => ("export", "import"),
    };
    if verb(other) && !verb(own) {
        say(ContextPart::Flow, format!("is about {other}s"));
    }
    match (asked.markets(), title.starts_with("what did"), title.starts_with("where did")) {
        (true, true, _) => say(ContextPart::Partner, "is about products, not locations".to_owned()),
        (false, _, true) => say(ContextPart::Partner, "is about locations, not products".to_owned()),
        _ => {}
    }
}

/// Whose trade, and with whom; nobody else. `cased` is the title as it stands, without its product.
fn of_places(
    title: &str,
    cased: &str,
    asked: &RequestedView<'_>,
    books: &Catalogues,
    say: &mut dyn FnMut(ContextPart, String),
) {
    let named: Vec<CountryId> = find_names(cased).into_iter().map(|(_, id)| id).collect();
    let names = |place: &PlaceId| match *place {
        PlaceId::Country(id) => named.contains(&id),
        PlaceId::WORLD => title.split(' ').any(|word| word == "world"),
        PlaceId::Group(_) => {
            books.names(place).iter().any(|name| !name.is_empty() && title.contains(&normalize_label(name)))
        }
    };
    let allowed = |id: &CountryId| {
        [asked.subject, asked.partner].iter().flatten().any(|place| place.country() == Some(*id))
            // the name of a group may hold that of a country
            || [asked.subject, asked.partner].iter().flatten().any(|place| matches!(place, PlaceId::Group(_)) && names(place))
    };
    let foreign: Vec<String> =
        named.iter().filter(|id| !allowed(id)).map(|id| name(&PlaceId::Country(*id))).collect();
    let lacks = |place: Option<PlaceId>| place.filter(|place| !names(place)).map(|place| name(&place));
    let (subject, partner) = (lacks(asked.subject), lacks(asked.partner));
    if let Some(subject) = &subject {
        let instead = if foreign.is_empty() { String::new() } else { format!(" but {}", foreign.join(", ")) };
        say(ContextPart::Country, format!("does not name {subject}{instead}"));
    }
    if let Some(partner) = &partner {
        say(ContextPart::Partner, format!("does not name {partner}"));
    }
    if subject.is_none() && !foreign.is_empty() {
        let part = if asked.subject.is_none() { ContextPart::Country } else { ContextPart::Partner };
        say(part, format!("names {}", foreign.join(", ")));
    }
}

/// The title in its own case, without the words that were taken out of its normalized form.
fn cased(title: &str, rest: &str) -> String {
    let kept: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    let mut next = kept.iter();
    let mut wanted = next.next();
    let mut words = Vec::new();
    for word in title.split_whitespace() {
        if wanted.is_some_and(|wanted| {
            normalize_label(word) == *wanted || normalize_label(word).contains(wanted.as_str())
        }) {
            words.push(word);
            wanted = next.next();
        }
    }
    words.join(" ")
}
