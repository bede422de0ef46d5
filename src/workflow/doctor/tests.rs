//! The doctor's findings on what can be arranged without a browser: store, fonts, papers, a site that is away.

use url::Url;

use super::*;
use crate::acquire::Rate;
use crate::acquire::browser::BrowserOptions;
use crate::config::Settings;
use crate::extract::Extractors;
use crate::manifest::{self, Diagnostic, Manifest};

fn config(site: &str) -> Config {
    let named = Some(PathBuf::from("/nonexistent/program"));
    Settings {
        site: Some(site.to_owned()),
        chromium: named.clone(),
        chromedriver: named,
        ..Settings::default()
    }
    .resolve()
    .unwrap()
}

fn manifest_of(text: &'static str) -> impl Fn(&Extractors) -> Result<Manifest, Vec<Diagnostic>> + Sync {
    move |specs| manifest::parse(Path::new("m.json"), text, specs)
}

async fn examined(config: &Config, base: &str, manifest: &'static str) -> DoctorReport {
    let base: Url = base.parse().unwrap();
    let mut browser = BrowserOptions::new(base.clone());
    browser.chromium.clone_from(&config.chromium);
    browser.chromedriver.clone_from(&config.chromedriver);
    let read = manifest_of(manifest);
    let rate = Arc::new(Rate::new(config.rate));
    examine(&DoctorContext { config, base, site: Site::Twin, manifest: &read, browser, rate }).await
}

fn finding<'a>(report: &'a DoctorReport, check: &str) -> &'a DoctorFinding {
    report.findings.iter().find(|finding| finding.check == check).unwrap()
}

const MANIFEST: &str = include_str!("../../../manifests/atlas.json");

#[tokio::test]
async fn a_named_browser_that_is_missing_is_2_and_the_site_is_asked_without_one() {
    let twin = atlas_gt_twin::start(atlas_gt_twin::TwinOptions::default()).await.unwrap();
    let config = config(&twin.base_url);
    let report = examined(&config, &twin.base_url, MANIFEST).await;
    twin.shutdown().await;
    for check in ["chromium", "chromedriver"] {
        let found = finding(&report, check);
        assert_eq!(found.health, Health::Failed);
        assert!(found.mend.as_ref().unwrap().contains("apt-get install chromium"), "{found:?}");
    }
    for check in ["extractors", "site page", "country API", "Explore API"] {
        assert_eq!(finding(&report, check).health, Health::Ok, "{report:?}");
    }
    assert_eq!(finding(&report, "browser start").health, Health::Skipped);
    assert_eq!(report.exit_code, 2);
}

#[tokio::test]
async fn an_api_figure_of_another_type_is_an_error_and_a_missing_one_is_not() {
    for (fault, health, told) in [
        ("numbers-as-text", Health::Failed, "`latestEciRankTotal` in the response cannot be read"),
        ("no-numbers", Health::Ok, "no world figures"),
    ] {
        let faults = vec![fault.parse().unwrap()];
        let options = atlas_gt_twin::TwinOptions { faults, ..atlas_gt_twin::TwinOptions::default() };
        let twin = atlas_gt_twin::start(options).await.unwrap();
        let config = config(&twin.base_url);
        let report = examined(&config, &twin.base_url, MANIFEST).await;
        twin.shutdown().await;
        let found = finding(&report, "country API");
        assert!(found.health == health && found.found.contains(told), "{fault}: {found:?}");
        assert_eq!(finding(&report, "Explore API").health, Health::Ok, "{fault}: {report:?}");
    }
}

#[tokio::test]
async fn a_grid_that_is_not_there_is_named_and_no_program_is_looked_for() {
    let twin = atlas_gt_twin::start(atlas_gt_twin::TwinOptions::default()).await.unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let config = config(&twin.base_url);
    let base: Url = twin.base_url.parse().unwrap();
    let mut browser = BrowserOptions::new(base.clone());
    browser.webdriver = Some(format!("http://127.0.0.1:{port}").parse().unwrap());
    let read = manifest_of(MANIFEST);
    let rate = Arc::new(Rate::new(config.rate));
    let report =
        examine(&DoctorContext { config: &config, base, site: Site::Twin, manifest: &read, browser, rate })
            .await;
    twin.shutdown().await;
    let grid = finding(&report, "Selenium Grid");
    assert_eq!(grid.health, Health::Failed);
    assert!(grid.found.contains("no Selenium Grid answers at"), "{grid:?}");
    assert!(report.findings.iter().all(|finding| finding.check != "chromium"));
    assert_eq!((finding(&report, "site page").health, report.exit_code), (Health::Ok, 1));
}

#[tokio::test]
async fn a_site_that_is_away_is_5_and_a_wrong_manifest_is_2() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let base = format!("http://127.0.0.1:{port}");
    let config = config(&base);
    let report = examined(&config, &base, "{ \"entries\": 7 }").await;
    for check in ["site page", "country API", "Explore API"] {
        let found = finding(&report, check);
        assert_eq!((found.health, found.exit), (Health::Failed, Exit::Site), "{found:?}");
        assert!(found.mend.as_ref().unwrap().contains("atlas-gt twin"), "{found:?}");
    }
    let found = finding(&report, "manifest");
    assert_eq!((found.health, found.exit), (Health::Failed, Exit::Usage), "{found:?}");
    // both together: the worst wins
    assert_eq!(report.exit(), Exit::Usage);
}

#[test]
fn a_store_is_looked_at_without_being_made() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("new/store");
    let found = store(&dir, Site::Twin, None);
    assert_eq!(found.health, Health::Ok);
    assert!(found.found.contains("will be created"), "{found:?}");
    assert!(!folder.path().join("new").exists());

    let held = Store::open(&dir, Site::Twin).unwrap();
    assert_eq!(store(&dir, Site::Twin, None).health, Health::Warning, "it is locked");
    drop(held);
    assert_eq!(store(&dir, Site::Twin, None).health, Health::Ok);
    let found = store(&dir, Site::Live, None);
    assert_eq!((found.health, found.exit), (Health::Failed, Exit::Unexpected));
    assert!(found.found.contains("twin") && found.mend.unwrap().contains("--store"));

    let mirror = |name: &str| Some(format!("https://{name}.example.org"));
    let dir = folder.path().join("mirror");
    assert!(
        store(&dir, Site::Mirror, mirror("a"))
            .found
            .ends_with("created for the site at https://a.example.org")
    );
    drop(Store::open_at(&dir, Site::Mirror, mirror("a")).unwrap());
    assert_eq!(store(&dir, Site::Mirror, mirror("a")).health, Health::Ok);
    for (site, address) in [(Site::Mirror, mirror("b")), (Site::Live, None)] {
        let found = store(&dir, site, address.clone());
        let refused = Store::open_at(&dir, site, address).unwrap_err();
        assert_eq!((found.health, found.exit), (Health::Failed, refused.exit()));
        assert_eq!(found.found, refused.to_string(), "as a collection says it");
    }

    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(store(&file.join("below"), Site::Twin, None).found.contains("is not a folder"));
    assert!(store(Path::new("/proc/atlas-gt"), Site::Twin, None).found.contains("cannot be written"));
}

#[test]
fn an_empty_folder_is_a_store_of_either_site() {
    let folder = tempfile::tempdir().unwrap();
    for site in [Site::Live, Site::Twin] {
        assert_eq!(store(folder.path(), site, None).health, Health::Ok, "{site}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn missing_fonts_are_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let found = fonts(&[folder.path().to_owned()]);
    assert_eq!((found.health, found.exit), (Health::Warning, Exit::Ok));
    assert!(found.mend.unwrap().contains("fonts-liberation"));
    std::fs::create_dir_all(folder.path().join("truetype/x")).unwrap();
    std::fs::write(folder.path().join("truetype/x/Some.TTF"), "").unwrap();
    assert_eq!(fonts(&[folder.path().to_owned()]).health, Health::Ok);
}

#[test]
fn the_verdict_agrees_with_the_exit_code() {
    let of = |findings: Vec<DoctorFinding>| {
        let mut report = DoctorReport { site: "twin".into(), findings, settings: Vec::new(), exit_code: 0 };
        report.exit_code = report.exit() as u8;
        let (format, terminal) = (crate::report::Format::Table, crate::report::Terminal::PLAIN);
        let text = crate::report::write(&report, format, &crate::report::Invocation::default(), terminal);
        (report.exit_code, text.unwrap())
    };
    let (code, text) =
        of(vec![DoctorFinding::ok("a", "b"), DoctorFinding::warning("fonts", "none", "get some")]);
    assert!(code == 0 && text.starts_with("ok: ready to collect from twin, 1 warning\n"), "{text}");
    let away = DoctorFinding::failed("site page", "away", "wait", Exit::Site);
    let (code, text) = of(vec![away]);
    assert!(code == 5 && text.contains("fix: wait") && text.contains("NOT ready"), "{text}");
}
