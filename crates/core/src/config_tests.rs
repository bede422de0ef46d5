use super::*;

fn with(site: &str, rate: Option<u32>) -> Result<Config> {
    Settings { site: Some(site.into()), rate, ..Settings::default() }.resolve()
}

#[test]
fn only_replicas_on_this_machine_may_be_asked_faster() {
    assert_eq!(with("live", None).unwrap().rate, LIMIT);
    assert!(with("twin", Some(5000)).is_ok() && with("http://[::1]:81", Some(5000)).is_ok());
    for site in ["live", "https://example.org", "http://10.0.0.1"] {
        let error = with(site, Some(121)).unwrap_err();
        assert_eq!(error.exit() as u8, 2, "{site}: {error}");
    }
}

#[test]
fn each_site_has_its_own_store() {
    assert_eq!(with("live", None).unwrap().store, Path::new("ground_truth"));
    assert_eq!(with("twin", None).unwrap().store, Path::new("out/twin"));
    assert_eq!(with("https://atlas.example.org", None).unwrap().store, Path::new("out/atlas.example.org"));
}

#[test]
fn only_addresses_that_are_neither_live_nor_local_are_remembered() {
    let address = |site: &str| site.parse::<SiteChoice>().unwrap().address();
    for site in ["live", "twin", "https://atlas.hks.harvard.edu/", "http://127.0.0.1:81", "http://localhost"]
    {
        assert_eq!(address(site), None, "{site}");
    }
    assert_eq!(address("https://Mirror.example.org:444/").unwrap(), "https://mirror.example.org:444");
    assert!(address("http://atlas.hks.harvard.edu.example.org").is_some());
}

#[test]
fn an_address_of_the_site_stands_for_a_reading_of_the_site_alone() {
    let shown = |origin, page| {
        let ShownPage { text, link } = ShownPage::of(origin, page);
        (text, link.unwrap_or_default())
    };
    let address = "https://atlas.hks.harvard.edu/countries/404";
    for page in ["/countries/404", address] {
        assert_eq!(shown(Some(LIVE), page), (page, address.to_owned()));
        assert_eq!(shown(None, page), ("/countries/404", String::new()));
        let local = "http://127.0.0.1:8080";
        assert_eq!(shown(Some(local), page), ("/countries/404", format!("{local}/countries/404")));
    }
    // an imported record may have any text as its page
    for page in ["", "the Atlas", "javascript:alert(1)", "#q61"] {
        assert_eq!(shown(Some(LIVE), page), (page, String::new()));
    }
    assert_eq!(shown(Some(LIVE), "https://example.org/x").1, "https://example.org/x");
}

#[test]
fn flags_win_and_unknown_keys_are_refused() {
    let file: Settings = toml::from_str("sessions = 4\nrate = 60").unwrap();
    let config = Settings { sessions: Some(1), ..Settings::default() }.or(file).resolve().unwrap();
    assert_eq!((config.sessions, config.rate), (1, 60));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, "rate = 60\nsesions = 4\n").unwrap();
    let error = Settings::load(&path).unwrap_err().to_string();
    assert!(error.contains("a.toml:2:1: unknown field `sesions`"), "{error}");
    // columns count characters
    std::fs::write(&path, "notify = \"é\"  x\n").unwrap();
    let error = Settings::load(&path).unwrap_err().to_string();
    assert!(error.contains("a.toml:1:15: "), "{error}");
}

#[test]
fn every_key_of_a_file_is_listed_with_where_it_comes_from() {
    let unknown = toml::from_str::<Settings>("nope = 1").unwrap_err().to_string();
    let known: Vec<&str> = unknown.split('`').skip(3).step_by(2).collect();
    let file: Settings =
        toml::from_str("judge = \"openai:m\"\nrate = 60\nnotify = \"https://h/secret\"").unwrap();
    assert_eq!(file.values().into_iter().map(|(key, _)| key).collect::<Vec<_>>(), known);
    let flags = Settings { rate: Some(30), store: Some("s".into()), ..Settings::default() };
    let config = flags.clone().or(file.clone()).resolve().unwrap();
    let variable = |name: &str| (name == "ATLAS_GT_STORE").then(|| "s".to_owned());
    let all = sources(&flags, (&file, Path::new("a.toml")), &config, &variable);
    let from = |key: &str| {
        let one = all.iter().find(|one| one.key == key)?;
        Some((one.value.as_str(), one.from.as_str()))
    };
    assert_eq!(from("rate"), Some(("30", "--rate")));
    assert_eq!(from("store"), Some(("s", "ATLAS_GT_STORE")));
    assert_eq!(from("judge"), Some(("openai:m", "a.toml")));
    assert_eq!(from("notify"), Some(("(set)", "a.toml")));
    assert_eq!(from("runs"), Some(("runs", "default")));
    assert_eq!(from("webdriver"), Some(("none", "default")));
    assert_eq!(all.iter().map(|one| one.key).collect::<Vec<_>>(), known);
}

#[test]
fn decision_10_records_are_stale_after_six_months_unless_their_page_has_months_of_its_own() {
    let file: Settings = toml::from_str("stale_months = { country = 4, \"explore/treemap\" = 3 }").unwrap();
    let months = Settings::default().or(file).resolve().unwrap().stale_months;
    let kind = |name: &str| PageKind::try_from(name.to_owned()).ok();
    assert_eq!(months.shown(), "6 by default, 4 for country, 3 for explore/treemap");
    assert_eq!([kind("country"), kind("explore/treemap")].map(|page| months.of(page)), [4, 3]);
    assert_eq!([kind("explore/geomap"), None].map(|page| months.of(page)), [6, 6]);
    for (keys, word) in [("\"explore/tremap\" = 3", "explore/treemap"), ("default = 0", "1 month")] {
        let error = toml::from_str::<Settings>(&format!("stale_months = {{ {keys} }}")).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}
