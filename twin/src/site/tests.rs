//! The assembled bundle: nothing of the sources' names, every style replaced, faults checked.

use super::*;
use crate::Fault;
use crate::fault::{KEYS, SLUGS};

fn assets(site: &TwinSite) -> (String, String) {
    let shell = site.shell();
    let path = |from: &str, end: char| {
        let start = shell.find(from).expect("asset in shell");
        shell[start..].split(end).next().expect("path").to_owned()
    };
    let script = site.asset(&path("/assets/index-", '"')).expect("style or script");
    let all = shell
        .match_indices("/assets/")
        .map(|(at, _)| shell[at..].split('"').next().expect("path").to_owned());
    let bodies: Vec<String> =
        all.map(|asset| String::from_utf8(site.asset(&asset).expect("served").1).expect("text")).collect();
    assert_eq!(bodies.len(), 2, "one style sheet and one script");
    assert!(script.0.contains("css"));
    (bodies[0].clone(), bodies[1].clone())
}

#[test]
fn shell_holds_nothing_but_a_loading_text() {
    for skin in [Skin::Hashed, Skin::Mui, Skin::Tiles] {
        let shell = TwinSite::new(skin, 7, &[]).shell();
        assert!(shell.contains("Loading…") && !shell.contains("{{"));
        assert!(!shell.contains("Export"));
    }
}

#[test]
fn every_style_name_is_replaced() {
    for skin in [Skin::Hashed, Skin::Mui, Skin::Tiles] {
        let (css, _) = assets(&TwinSite::new(skin, 7, &[]));
        let left: Vec<&str> = css_names(&css)
            .map(|(_, name)| name)
            .filter(|name| ["StatCard", "Narrative"].contains(name))
            .collect();
        assert!(left.is_empty(), "{skin}: {left:?}");
    }
}

#[test]
fn every_style_used_by_a_script_has_a_rule() {
    for (css, skin_scripts) in [(HASHED_CSS, &HASHED[..]), (MUI_CSS, &MUI), (TILES_CSS, &TILES)] {
        let css = format!("{BASE_CSS}{css}");
        let with_rule: BTreeSet<String> = style_names(&css, &[]);
        let scripts: Vec<&str> =
            CORE.iter().chain([&SHARED]).chain(skin_scripts).chain(&PAGES).copied().collect();
        let without: Vec<String> = style_names("", &scripts).difference(&with_rule).cloned().collect();
        assert!(without.is_empty(), "no rule for {without:?}");
    }
}

#[test]
fn classes_differ_between_seeds_and_names() {
    let names = style_names(&format!("{BASE_CSS}{HASHED_CSS}{TILES_CSS}"), &CORE);
    for skin in [Skin::Hashed, Skin::Mui, Skin::Tiles] {
        let selectors =
            |seed| names.iter().map(|name| Class::of(skin, seed, name).selector).collect::<BTreeSet<_>>();
        let (one, other) = (selectors(1), selectors(2));
        assert_eq!(one.len(), names.len(), "two names share a class");
        assert!(one.is_disjoint(&other), "two seeds share a class");
    }
}

#[test]
fn the_bundle_does_not_say_what_it_is() {
    for skin in [Skin::Hashed, Skin::Mui, Skin::Tiles] {
        let site = TwinSite::new(skin, 7, &["label-renamed=gdp".to_owned()]);
        let (css, script) = assets(&site);
        for text in [site.shell(), css, script] {
            let lower = text.to_lowercase();
            assert!(!lower.contains("twin") && !lower.contains("replica"));
            assert!(!text.contains("data-testid"));
        }
    }
}

/// The scripts' sources without comments.
fn code() -> String {
    let scripts = CORE.iter().chain([&SHARED]).chain(&HASHED).chain(&MUI).chain(&PAGES);
    let comment = regex::Regex::new(r"(?m)^\s*(?://|/\*|\*).*$").expect("pattern");
    comment.replace_all(&scripts.copied().collect::<Vec<_>>().join("\n"), "").into_owned()
}

#[test]
fn every_text_is_used_and_every_used_one_is_there() {
    let code = code();
    let keys: BTreeSet<String> = Dictionary::of_site().entries().map(|(key, _)| key).collect();
    let quoted = regex::Regex::new(r"['`]([a-z]+)\.([a-z0-9-]*)(\$\{)?").expect("pattern");
    let groups: BTreeSet<&str> = keys.iter().filter_map(|key| key.split('.').next()).collect();
    let mut used = BTreeSet::new();
    for found in quoted.captures_iter(&code).filter(|found| groups.contains(&found[1])) {
        let start = format!("{}.{}", &found[1], &found[2]);
        if found.get(3).is_some() {
            used.extend(keys.iter().filter(|key| key.starts_with(&start)).cloned());
        } else {
            assert!(keys.contains(&start), "no text {start}");
            used.insert(start);
        }
    }
    let unused: Vec<_> = keys.difference(&used).collect();
    assert!(unused.is_empty(), "{unused:?}");
    for slug in SLUGS.split_whitespace() {
        assert!(keys.contains(&format!("heading.{slug}")) && keys.contains(&format!("nav.{slug}")), "{slug}");
    }
    for key in KEYS.split_whitespace().filter(|key| !key.starts_with("partner-")) {
        assert!(keys.contains(&format!("label.{key}")), "{key}");
    }
}

#[test]
fn no_text_of_the_dictionary_stands_in_a_script() {
    let code = code().to_lowercase();
    // Texts of one word are also names in the code.
    let several = |text: &str| text.contains(' ') && !text.contains(['{', '*']);
    let entries = Dictionary::of_site().entries();
    let left: BTreeSet<String> = entries
        .map(|(_, wordings)| wordings[0].to_lowercase())
        .filter(|text| several(text) && code.contains(&format!("'{text}'")))
        .collect();
    // The values of two controls, which no page shows.
    assert_eq!(left.into_iter().collect::<Vec<_>>(), ["country trade", "entry year", "world trade"]);
}

#[test]
fn faults_travel_encoded() {
    let (_, script) = assets(&TwinSite::new(Skin::Hashed, 1, &["label-renamed=gdp".to_owned()]));
    let encoded = STANDARD.encode("[\"label-renamed=gdp\"]");
    assert!(script.contains(&format!("const RELEASE = '{encoded}';")));
}

#[test]
fn faults_are_checked() {
    for good in [
        "label-renamed=gdp",
        "label-renamed=gdp:Income a head",
        "values-swapped=gdp,eci-rank",
        "format-changed=all",
        "section-missing=paths",
        "other-country=276",
        "lazy",
        "lazy-rest",
        "wrong-form=gdp:$2,27",
        "compare-with=792",
        "prefetch",
        "shares-of=goods",
        "figures-split",
        "columns-reordered",
        "wordings-renamed",
        "wordings-renamed=3",
        "wording=income-per-head",
        "sections-reordered=2",
    ] {
        assert_eq!(good.parse(), Ok(Fault::Page(good.to_owned())), "{good}");
    }
    for bad in [
        "label-renamed",
        "label-renamed=gpd",
        "values-swapped=gdp",
        "section-missing=intro",
        "other-country=kenya",
        "lazy=yes",
        "compare-with",
        "prefetch=792",
        "shares-of=services",
        "what",
    ] {
        assert!(bad.parse::<Fault>().is_err(), "{bad}");
    }
}

#[test]
fn skins_are_read_as_written() {
    for skin in [Skin::Hashed, Skin::Mui, Skin::Tiles] {
        assert_eq!(skin.to_string().parse(), Ok(skin));
    }
    assert!("emotion".parse::<Skin>().is_err());
}
