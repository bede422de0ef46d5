//! Every field of every response, taken away with an error and without; numbers as texts, no numbers, zeros.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use atlas_gt::capture::Exchange;
use atlas_gt::extract::Parsed;
use serde_json::{Value as Json, json};

use crate::pages::{Page, PointId, Read, Source, pages};

/// Keys to a value of a response; `*` is any row of a list.
type Place = Vec<String>;

/// The places below some data: every field, object and row.
fn places(of: &Json, path: &mut Place, all: &mut BTreeSet<Place>) {
    match of {
        Json::Object(members) => {
            for (name, value) in members {
                path.push(name.clone());
                all.insert(path.clone());
                places(value, path, all);
                path.pop();
            }
        }
        Json::Array(items) => {
            path.push("*".to_owned());
            for item in items {
                all.insert(path.clone());
                places(item, path, all);
            }
            path.pop();
        }
        _ => {}
    }
}

fn trade(row: &Json) -> f64 {
    ["exportValue", "importValue"].iter().find_map(|name| row.get(name)?.as_f64()).unwrap_or_default()
}

/// Nulls what stands at a place, in all rows or in that of the largest trade, and says where that was.
fn take(of: &mut Json, place: &[String], only_largest: bool, at: &mut Vec<Json>, taken: &mut Vec<Json>) {
    let Some((step, below)) = place.split_first() else {
        if !of.is_null() {
            *of = Json::Null;
            taken.push(Json::Array(at.clone()));
        }
        return;
    };
    match of {
        Json::Array(items) => {
            let largest =
                (0..items.len()).rev().max_by(|a, b| trade(&items[*a]).total_cmp(&trade(&items[*b])));
            for (index, item) in items.iter_mut().enumerate() {
                if !only_largest || Some(index) == largest {
                    at.push(json!(index));
                    take(item, below, only_largest, at, taken);
                    at.pop();
                }
            }
        }
        Json::Object(members) => {
            if let Some(value) = members.get_mut(step) {
                at.push(json!(step));
                take(value, below, only_largest, at, taken);
                at.pop();
            }
        }
        _ => {}
    }
}

/// A response without what stands at a place, and with an error for it; none where it has nothing there.
fn without(body: &Json, place: &[String], only_largest: bool) -> Option<String> {
    let mut body = body.clone();
    let mut taken = Vec::new();
    take(&mut body["data"], place, only_largest, &mut Vec::new(), &mut taken);
    if taken.is_empty() {
        return None;
    }
    let errors = taken.into_iter().map(|path| json!({ "message": "no data behind it", "path": path }));
    body["errors"] = errors.collect();
    Some(body.to_string())
}

/// Puts something in the place of every number that is no year and no level.
fn replace_numbers(of: &mut Json, by: &dyn Fn(&str) -> Json) {
    match of {
        Json::Array(items) => items.iter_mut().for_each(|item| replace_numbers(item, by)),
        Json::Object(members) => {
            let figures =
                members.iter_mut().filter(|(name, _)| !matches!(name.as_str(), "year" | "productLevel"));
            figures.for_each(|(_, value)| replace_numbers(value, by));
        }
        Json::Number(number) => *of = by(&number.to_string()),
        _ => {}
    }
}

fn replaced(exchanges: &[Exchange], by: &dyn Fn(&str) -> Json) -> Vec<Exchange> {
    let one = |exchange: &Exchange| {
        let mut exchange = exchange.clone();
        if let Ok(mut body) = serde_json::from_str::<Json>(&exchange.response) {
            replace_numbers(&mut body["data"], by);
            exchange.response = body.to_string();
        }
        exchange
    };
    exchanges.iter().map(one).collect()
}

/// What came of all readings of changed responses.
#[derive(Debug, Default)]
struct Tally {
    /// Changes of responses.
    mutations: usize,
    /// Points that were read with a change.
    readings: usize,
    /// Values that are those of the whole responses.
    same: usize,
    /// Refusals.
    refused: usize,
    /// Refusals for an error, all of which name the field.
    named: usize,
    /// Points that some change made unreadable.
    points: BTreeSet<PointId>,
    /// Values that are not, and refusals that do not name the field.
    wrong: Vec<String>,
}

impl Tally {
    /// Counts what is read with a change. `field` is what each refusal has to name.
    fn count(
        &mut self,
        what: &str,
        whole: &BTreeMap<PointId, Read>,
        now: &BTreeMap<PointId, Read>,
        field: Option<&str>,
    ) {
        self.mutations += 1;
        for (point, now) in now {
            self.readings += 1;
            match now {
                Ok(_) if whole[point] == *now => self.same += 1,
                Ok(rows) => {
                    self.wrong.push(format!("{what}: {point:?}: {rows:?} in place of {:?}", whole[point]));
                }
                Err(why) => {
                    self.refused += 1;
                    self.points.insert(point.clone());
                    let Some(field) = field else { continue };
                    if why.contains(field) {
                        self.named += 1;
                    } else {
                        self.wrong.push(format!("{what}: {point:?}: {field} is not named: {why}"));
                    }
                }
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.mutations += other.mutations;
        self.readings += other.readings;
        self.same += other.same;
        self.refused += other.refused;
        self.named += other.named;
        self.points.extend(other.points);
        self.wrong.extend(other.wrong);
    }
}

/// A response of a page: whether it answers our own query, its place, and what it holds.
type Held = (bool, usize, Json);

/// The page's responses and ours, some of them in other words.
fn with(page: &Page, others: &[(&Held, String)]) -> (Vec<Exchange>, Vec<Exchange>) {
    let (mut exchanges, mut own) = (page.capture.exchanges.clone(), page.capture.own.clone());
    for ((is_own, at, _), response) in others {
        let list = if *is_own { &mut own } else { &mut exchanges };
        list[*at].response.clone_from(response);
    }
    (exchanges, own)
}

/// Takes away every root field, then every place below those that something rests on, everywhere and in the largest row.
///
/// Of the places below only one of `every` is taken.
fn each_field(page: &Page, every: usize) -> Tally {
    let (exchanges, own) = (&page.capture.exchanges, &page.capture.own);
    let parsed = Parsed::of(&page.capture);
    let whole = page.read(&parsed, (exchanges, own), None);
    let held = |is_own: bool, of: &[Exchange]| -> Vec<Held> {
        let parsed =
            |(at, one): (usize, &Exchange)| Some((is_own, at, serde_json::from_str(&one.response).ok()?));
        of.iter().enumerate().filter_map(parsed).collect()
    };
    let held: Vec<Held> = [held(false, exchanges), held(true, own)].concat();
    let mut tally = Tally::default();
    // what rests on each root field
    let mut resting: BTreeMap<String, BTreeSet<PointId>> = BTreeMap::new();
    let mut all: BTreeMap<Place, Vec<&Held>> = BTreeMap::new();
    for one in &held {
        let mut fields = BTreeSet::new();
        places(&one.2["data"], &mut Vec::new(), &mut fields);
        fields.into_iter().for_each(|place| all.entry(place).or_default().push(one));
    }
    // in their order a root field is before what is below it
    for (nth, (place, at)) in all.iter().enumerate() {
        let is_root = place.len() == 1;
        if !is_root && !nth.is_multiple_of(every) {
            continue;
        }
        let points = resting.get(&place[0]).cloned();
        if !is_root && points.as_ref().is_none_or(BTreeSet::is_empty) {
            continue;
        }
        let name = place.iter().rev().find(|step| *step != "*").unwrap();
        // a root field has another name in our queries
        let name = (place.iter().filter(|step| *step != "*").count() > 1).then_some(name.as_str());
        for only_largest in [false, true] {
            if only_largest && !place.contains(&"*".to_owned()) {
                continue;
            }
            let changed = at.iter().filter_map(|one| Some((*one, without(&one.2, place, only_largest)?)));
            let changed: Vec<_> = changed.collect();
            if changed.is_empty() {
                continue;
            }
            let (exchanges, own) = with(page, &changed);
            let now = page.read(&parsed, (&exchanges, &own), points.as_ref());
            if is_root {
                let refused = now.iter().filter(|(_, read)| read.is_err()).map(|(point, _)| point.clone());
                resting.insert(place[0].clone(), refused.collect());
            }
            let rows = if only_largest { " of the largest row" } else { "" };
            tally.count(&format!("{} {place:?}{rows}", page.name), &whole, &now, name);
        }
    }
    tally
}

/// Whether what is read is that there is no value.
fn is_absence(read: &Read) -> bool {
    matches!(read, Ok(rows) if rows.iter().all(|row| row.starts_with("[] N/A Absent")))
}

/// Numbers as texts, no numbers, zeros.
fn numbers(page: &Page) -> [Tally; 3] {
    let parsed = Parsed::of(&page.capture);
    let whole = page.read(&parsed, (&page.capture.exchanges, &page.capture.own), None);
    let read = |by: &dyn Fn(&str) -> Json| {
        page.read(&parsed, (&replaced(&page.capture.exchanges, by), &replaced(&page.capture.own, by)), None)
    };
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    let [texts, none, zeros] = &mut tallies;
    texts.count(&format!("{} numbers as texts", page.name), &whole, &read(&|number| json!(number)), None);
    let mut now = read(&|_| Json::Null);
    // without a page and without an error a null says that there is none: a refresh looks again, and leaves it to a person
    now.retain(|(_, of, _), read| *of != Source::Answers || !is_absence(read));
    none.count(&format!("{} no numbers", page.name), &whole, &now, None);
    // of zeros no order can be made
    let mut now = read(&|_| json!(0));
    now.retain(|point, _| {
        whole[point].as_ref().is_ok_and(|rows| rows.iter().any(|row| row.contains("(\"rank\"")))
    });
    zeros.count(&format!("{} zeros", page.name), &whole, &now, None);
    tallies
}

/// Reads pages on as many threads as there are processors.
fn on_all(pages: &[Page], read: impl Fn(&Page) -> Tally + Sync) -> Tally {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let tally = read(page);
                    all.lock().unwrap().add(tally);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

/// Every place of every response with `EVERY=1`.
#[test]
#[ignore = "slow: make test-deep"]
fn decision_13_no_value_rests_on_what_a_response_does_not_give() {
    let every = std::env::var("EVERY").ok().and_then(|every| every.parse().ok());
    no_value_is_wrong(every.unwrap_or(97));
}

/// Takes away every root field, and one of `every` places below them.
fn no_value_is_wrong(every: usize) {
    let pages = pages();
    let fields = on_all(&pages, |page| each_field(page, every));
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    for page in &pages {
        for (all, one) in tallies.iter_mut().zip(numbers(page)) {
            all.add(one);
        }
    }
    let [texts, none, zeros] = tallies;
    println!(
        "{} pages; errors: {} changes, {} readings of {} points, {} as before, {} refused, {} of them by the name of the field; \
         texts: {} of {} as before; no numbers: {} of {} refused; zeros: {} of {} rankings refused",
        pages.len(),
        fields.mutations,
        fields.readings,
        fields.points.len(),
        fields.same,
        fields.refused,
        fields.named,
        texts.same,
        texts.readings,
        none.refused,
        none.readings,
        zeros.refused,
        zeros.readings
    );
    let wrong: Vec<&String> = [&fields, &texts, &none, &zeros].iter().flat_map(|one| &one.wrong).collect();
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert_eq!(texts.refused, 0, "{:?}", texts.points);
    assert!(fields.mutations > 50 && fields.points.len() > 50 && fields.named > 20, "too few");
    assert!(none.refused > 20 && zeros.refused > 5, "{none:?} {zeros:?}");
    for of in [Source::Page, Source::Own, Source::Answers] {
        assert!(fields.points.iter().any(|(_, source, _)| *source == of), "{of:?}");
    }
}
