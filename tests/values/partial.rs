//! Every field of every response, taken away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use atlas_gt::capture::Exchange;
use serde_json::{Value as Json, json};

use crate::pages::{Page, Read, pages};

/// What is done to a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Null wherever it stands, with an error for each place.
    Everywhere,
    /// Null in the row of the largest trade, with an error.
    Largest,
    /// Null in that row, and no error.
    Silent,
}

/// The places below some data, lists as `*`: every field, object and row.
fn places(of: &Json, path: &mut Vec<String>, all: &mut BTreeSet<Vec<String>>) {
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

/// Nulls what stands at a place, and says where that was.
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

/// A response without a field; none where it has none there.
fn without(body: &Json, place: &[String], change: Change) -> Option<String> {
    let mut body = body.clone();
    let mut taken = Vec::new();
    take(&mut body["data"], place, change != Change::Everywhere, &mut Vec::new(), &mut taken);
    if taken.is_empty() {
        return None;
    }
    if change != Change::Silent {
        let errors = taken.into_iter().map(|path| json!({ "message": "no data behind it", "path": path }));
        body["errors"] = errors.collect();
    }
    Some(body.to_string())
}

/// What is read otherwise than of the whole page: values that are wrong, and refusals that do not name the field.
fn wrong(whole: &BTreeMap<String, Read>, now: &BTreeMap<String, Read>, field: Option<&str>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (point, before) in whole {
        match (before, &now[point]) {
            (Ok(before), Ok(now)) if before == now => {}
            (_, Ok(now)) => wrong.push(format!("{point}: {now:?} in place of {before:?}")),
            (Ok(_), Err(why)) => {
                if let Some(field) = field.filter(|field| !why.contains(field)) {
                    wrong.push(format!("{point}: {field} is not named: {why}"));
                }
            }
            (Err(_), Err(_)) => {}
        }
    }
    wrong
}

/// A page with one response in place of another.
fn with(exchanges: &[Exchange], at: usize, response: String) -> Vec<Exchange> {
    let mut exchanges = exchanges.to_vec();
    exchanges[at].response = response;
    exchanges
}

/// Reads pages on as many threads as there are processors; gives what all of them say.
fn on_all(read: impl Fn(&Page) -> Vec<String> + Sync) -> Vec<String> {
    let (pages, next) = (pages(), AtomicUsize::new(0));
    let work = || {
        let mut said = Vec::new();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            said.extend(read(page).into_iter().map(|what| format!("{}: {what}", page.name)));
        }
        said
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// The page with each of its responses changed in each of the ways; how often it was read, and what was wrong then.
fn each_field(page: &Page) -> (usize, Vec<String>) {
    let (exchanges, own) = (&page.capture.exchanges, &page.capture.own);
    let whole = page.read(exchanges, own);
    let answers = page.answers(exchanges);
    let (mut reads, mut said) = (0, Vec::new());
    let all = exchanges.iter().map(|one| (false, one)).chain(own.iter().map(|one| (true, one)));
    for (index, (is_own, exchange)) in all.enumerate() {
        let at = if is_own { index - exchanges.len() } else { index };
        let Ok(body) = serde_json::from_str::<Json>(&exchange.response) else { continue };
        let mut fields = BTreeSet::new();
        places(&body["data"], &mut Vec::new(), &mut fields);
        let mut is_used = |place: &[String], change: Change| {
            let response = without(&body, place, change)?;
            reads += 1;
            let field = place.iter().rev().find(|step| *step != "*").map(String::as_str).unwrap_or_default();
            let name = (change != Change::Silent && place.len() > 1).then_some(field);
            let now = if is_own {
                page.read(exchanges, &with(own, at, response))
            } else {
                let changed = with(exchanges, at, response);
                let now = page.answers(&changed);
                said.extend(
                    wrong(&answers, &now, None)
                        .into_iter()
                        .map(|what| format!("{place:?} {change:?} {what}")),
                );
                page.read(&changed, own)
            };
            let found = match change {
                // of one row alone null may be the truth
                Change::Silent => Vec::new(),
                _ => wrong(&whole, &now, name),
            };
            said.extend(found.into_iter().map(|what| format!("{place:?} {change:?} {what}")));
            Some(whole.iter().any(|(point, before)| before.is_ok() && now[point].is_err()))
        };
        // a response that nothing rests on has no field that anything rests on
        let roots: BTreeSet<&String> = fields.iter().map(|place| &place[0]).collect();
        let used: BTreeSet<String> = roots
            .into_iter()
            .filter(|root| is_used(&[(*root).clone()], Change::Everywhere) == Some(true))
            .cloned()
            .collect();
        for place in fields.iter().filter(|place| place.len() > 1 && used.contains(&place[0])) {
            is_used(place, Change::Everywhere);
            if place.contains(&"*".to_owned()) {
                is_used(place, Change::Largest);
            }
        }
    }
    (reads, said)
}

#[test]
fn decision_13_no_value_rests_on_what_a_response_has_an_error_for() {
    let reads = AtomicUsize::new(0);
    let wrong = on_all(|page| {
        let (count, said) = each_field(page);
        reads.fetch_add(count, Ordering::Relaxed);
        said
    });
    let (reads, count) = (reads.into_inner(), wrong.len());
    assert!(wrong.is_empty(), "{count} of {reads} readings: {:#?}", &wrong[..count.min(40)]);
    assert!(reads > 1000, "{reads}");
}
