//! The dictionary of texts: complete, used, and free of every wording that the extractors know once it is renamed.

use super::*;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;

/// The keys of a spec that hold wordings.
const WORDINGS: &str = "headings entity_headings year_heading unavailable labels captions titles headers total_labels \
    tooltip tooltip_more within open choose with";

/// Cues without words of their own: the value alone is what they know it by, and values are not renamed.
const CUES_WITHOUT_WORDS: [&str; 4] = [
    // any number of people in the introduction
    "{value}",
    // the income group
    "{value:high-income|upper-middle-income|lower-middle-income|low-income}",
    // surplus or deficit; here the word before them goes
    "{value:trade surplus|trade deficit}",
    // the sentence that describes an approach is itself the value
    "{value=Ample space to diversify…|Limited opportunities…|Few nearby opportunities…|Having exploited virtually all…}",
];

/// A value that holds a wording: what drives growth is read as these words, which stay.
const VALUE: &str = "expanding its global market share";

/// Names and what stands around them: other wordings may name a country otherwise, or not at all.
const NAMES: &str = "name Name names Names country countrys exporter Exporter Exporters a";

/// What the specs in `manifests/extractors` know texts and prose by.
fn known() -> (BTreeSet<String>, BTreeSet<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manifests/extractors");
    let (mut wordings, mut cues) = (BTreeSet::new(), BTreeSet::new());
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        collect("", &toml::from_str::<toml::Value>(&text).unwrap(), &mut wordings, &mut cues);
    }
    assert!(wordings.len() > 80 && cues.len() > 25, "{} wordings, {} cues", wordings.len(), cues.len());
    (wordings, cues)
}

fn collect(key: &str, value: &toml::Value, wordings: &mut BTreeSet<String>, cues: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            table.iter().for_each(|(key, value)| collect(key, value, wordings, cues))
        }
        toml::Value::Array(items) => items.iter().for_each(|item| collect(key, item, wordings, cues)),
        toml::Value::String(text) if key == "cues" => drop(cues.insert(text.clone())),
        toml::Value::String(text) if WORDINGS.split(' ').any(|each| each == key) => {
            wordings.insert(text.clone());
        }
        _ => {}
    }
}

/// Lower case, one kind of dash and apostrophe, a mark for each slot.
fn plain(text: &str) -> String {
    let slots = Regex::new(r"\{[^}]*\}").unwrap();
    let text = slots.replace_all(text, "¤").to_lowercase();
    text.replace('–', "-").replace('’', "'").replace('*', "")
}

/// Words of a wording without its slots.
fn words(wording: &str) -> String {
    let text = plain(wording).replace(['¤', ':'], " ").replace("'s ", " ").replace("' ", " ");
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_owned()
}

/// Whether a text can be read by a wording: it is that text, or holds its words when they are several.
fn holds(text: &str, wording: &str) -> bool {
    let (text, words) = (plain(text), words(wording));
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare == words || (words.contains(' ') && text.contains(&words))
}

/// A pattern for the prose that a cue reads; `None` when it has no words.
fn pattern(cue: &str) -> Option<Regex> {
    let part = Regex::new(r"\{([^}]*)\}|…|[^{…]+").unwrap();
    let mut out = String::from("(?i)");
    let mut has_words = false;
    for found in part.captures_iter(cue) {
        match found.get(1).map(|slot| slot.as_str()) {
            Some(slot) if slot.contains('|') && !slot.contains([':', '=']) => {
                has_words = true;
                let either: Vec<String> = slot.split('|').map(regex::escape).collect();
                out.push_str(&format!("(?:{})", either.join("|")));
            }
            // one of the values that are named, or the slot that they fill
            Some(slot) if slot.contains([':', '|']) => {
                let values = slot.split_once([':', '=']).map_or(slot, |(_, values)| values);
                let mut either: Vec<String> = values
                    .split('|')
                    .map(|value| regex::escape(value.split('=').next().unwrap_or_default()))
                    .collect();
                if either.len() > 1 {
                    either.push("¤".to_owned());
                }
                out.push_str(&format!("(?:{})", either.join("|")));
            }
            Some(_) => out.push_str(".{1,80}?"),
            None if &found[0] == "…" => out.push_str(".{0,60}?"),
            None => {
                has_words |= found[0].chars().any(char::is_alphabetic);
                out.push_str(&regex::escape(&found[0]));
            }
        }
    }
    has_words.then(|| Regex::new(&out).unwrap())
}

#[test]
fn every_text_can_be_called_otherwise_with_the_same_values() {
    let slot = Regex::new(r"\{([\w-]+)").unwrap();
    let values = |text: &str| -> BTreeSet<String> {
        let all = slot.captures_iter(text).map(|found| found[1].to_owned());
        all.filter(|name| !NAMES.split(' ').any(|each| each == name)).collect()
    };
    let dictionary = Dictionary::of_site();
    assert!(dictionary.entries().count() > 200);
    for (key, wordings) in dictionary.entries() {
        assert!(wordings.len() > 2, "{key} has {} wordings", wordings.len());
        assert_eq!(wordings.iter().collect::<BTreeSet<_>>().len(), wordings.len(), "{key}");
        for other in &wordings[1..] {
            assert_eq!(values(other), values(&wordings[0]), "{key}: {other}");
        }
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_sites_own_texts_are_what_the_extractors_know() {
    let (wordings, cues) = known();
    let texts = Dictionary::of_site().texts(&[]);
    let found = wordings.iter().filter(|known| texts.values().any(|text| holds(text, known))).count();
    assert!(found * 10 > wordings.len() * 6, "{found} of {} wordings", wordings.len());
    let patterns: Vec<Regex> = cues.iter().filter_map(|cue| pattern(cue)).collect();
    let read = patterns.iter().filter(|cue| texts.values().any(|text| cue.is_match(&plain(text)))).count();
    assert!(read * 10 > patterns.len() * 6, "{read} of {} cues", patterns.len());
}

#[test]
#[ignore = "slow: make test-deep"]
fn no_other_wording_is_one_that_the_extractors_know() {
    let (wordings, cues) = known();
    let mut without_words: BTreeSet<&str> = CUES_WITHOUT_WORDS.into();
    let patterns: Vec<(&String, Regex)> = cues
        .iter()
        .filter_map(|cue| {
            let pattern = pattern(cue).map(|pattern| (cue, pattern));
            assert!(pattern.is_some() || without_words.remove(cue.as_str()), "a cue without words: {cue}");
            pattern
        })
        .collect();
    assert!(without_words.is_empty(), "no spec has {without_words:?} any more");
    for (key, texts) in Dictionary::of_site().entries() {
        for text in &texts[1..] {
            for known in &wordings {
                assert!(!holds(&text.replace(VALUE, ""), known), "{key}: \"{text}\" holds \"{known}\"");
            }
            for (cue, pattern) in &patterns {
                assert!(!pattern.is_match(&plain(text)), "{key}: \"{text}\" is read by \"{cue}\"");
            }
        }
    }
}

#[test]
fn the_seed_picks_the_wordings() {
    let texts = |fault: &str| Dictionary::of_site().texts(&[fault.to_owned()]);
    let (first, second) = (texts("wordings-renamed"), texts("wordings-renamed=2"));
    assert_eq!(first, texts("wordings-renamed=1"));
    let other = first.iter().filter(|(key, text)| second[*key] != **text).count();
    assert!(other * 2 > first.len(), "{other} of {}", first.len());
    let own = Dictionary::of_site().texts(&[]);
    for renamed in [&first, &second] {
        let kept: Vec<_> = renamed.iter().filter(|(key, text)| own[*key] == **text).collect();
        assert!(kept.is_empty(), "{kept:?}");
    }
}

#[test]
fn a_rendering_differs_in_one_thing() {
    let own = Dictionary::of_site().texts(&[]);
    let texts = Dictionary::of_site().texts(&["wording=income-per-head".to_owned()]);
    assert_eq!(texts["label.gdp"], "Income per head (GDP)");
    let changed: Vec<&str> =
        own.iter().filter(|(key, text)| texts[*key] != **text).map(|(key, _)| key.as_str()).collect();
    assert_eq!(changed, ["frame.peer-gdp", "label.gdp", "prose.standing"]);
    assert!(texts["prose.standing"].contains("inhabitants have an income per head (GDP) of {gdp}"));
    assert!(texts["prose.standing"].contains("Income per head (GDP) growth has"));
    assert!(texts.values().all(|text| !text.to_lowercase().contains("gdp per capita")));
}

#[test]
fn single_texts_are_renamed_as_they_are_told() {
    let faults = [
        "label-renamed=gdp",
        "label-renamed=grade:Mark",
        "heading-renamed=paths",
        "heading-renamed=summary:End",
    ];
    let texts = Dictionary::of_site().texts(&faults.map(str::to_owned));
    assert_eq!(texts["label.gdp"], "Capita per GDP (est.)");
    assert_eq!((texts["label.grade"].as_str(), texts["heading.summary"].as_str()), ("Mark", "End"));
    assert_eq!(texts["heading.paths"], "{countrys} Overview");
    assert_eq!(texts["nav.summary"], "Country Summary");
}
