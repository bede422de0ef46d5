//! Navigations that fail, each told apart from the others, and pages that misbehave.

use std::time::{Duration, Instant};

use atlas_gt::acquire::{PageSource, VisitError};
use nix::sys::signal::Signal;

use crate::bench::{Bench, see, still, visible_text};

#[tokio::test]
async fn http_errors_redirect_loops_and_refused_connections_are_told_apart() {
    let mut bench = Bench::lent(&[("/", "<h1>fine</h1>")]).await;
    let mut open = async |url: String| bench.session.open(&url).await;
    let site = |path: &str| bench.site.at(path);
    let status = |status| VisitError::HttpStatus { status, retry_after: None };
    for code in [404, 429, 500, 503] {
        assert_eq!(open(site(&format!("/status/{code}"))).await.unwrap_err(), status(code));
        assert_eq!(open(site(&format!("/empty/{code}"))).await.unwrap_err(), status(code));
    }
    assert_eq!(open(site("/loop")).await.unwrap_err(), VisitError::TooManyRedirects(site("/loop")));
    assert!(open(site("/")).await.is_ok(), "a failure leaves the session usable");
    // Nothing listens on a port that was just given back.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refused = open(format!("http://{free}/")).await.unwrap_err();
    assert!(
        matches!(&refused, VisitError::SiteUnreachable { reason, .. } if reason == "ERR_CONNECTION_REFUSED"),
        "{refused:?}"
    );
    // plain HTTP where TLS is spoken to, and a connection that is cut without an answer
    let tls = open(site("/").replace("http://", "https://")).await.unwrap_err();
    assert!(matches!(&tls, VisitError::SiteUnreachable { reason, .. } if reason.contains("SSL")), "{tls:?}");
    let cut = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = cut.local_addr().unwrap();
    std::thread::spawn(move || cut.incoming().flatten().for_each(drop));
    let reset = open(format!("http://{address}/")).await.unwrap_err();
    assert!(
        matches!(&reset, VisitError::SiteUnreachable { reason, .. }
            if reason.starts_with("ERR_") && reason != "ERR_CONNECTION_REFUSED"),
        "{reset:?}"
    );
    let nothing = open(site("/empty/204")).await.unwrap_err();
    assert!(matches!(nothing, VisitError::SiteUnreachable { .. }), "{nothing:?}");
    bench.finish().await;
}

#[tokio::test]
async fn a_page_that_hangs_before_headers_times_out_and_leaves_nothing_to_read() {
    let mut bench =
        Bench::with(&[("/", "<h1>old</h1>")], |options| options.page_load = Duration::from_secs(1)).await;
    bench.session.open(&bench.site.at("/")).await.unwrap();
    let hung = bench.session.open(&bench.site.at("/hang")).await.unwrap_err();
    assert_eq!(hung, VisitError::Timeout(bench.site.at("/hang")));
    assert!(hung.is_transient() && !hung.needs_new_session());
    // The tab still shows the old page, which must not be taken for the new one.
    assert_eq!(bench.session.snapshot(&still()).await.unwrap_err(), VisitError::NothingOpen);
    let capture = bench.see("/", &still()).await;
    assert_eq!(visible_text(&capture.html), "old");
    bench.finish().await;
}

#[tokio::test]
async fn alerts_are_dismissed() {
    let html =
        "<h1>here</h1><script>setTimeout(() => { document.body.append(' said ' + confirm('sure?')); }, 50);
      addEventListener('load', () => alert('loud'));</script>";
    let capture = see(html).await;
    assert_eq!(visible_text(&capture.html), "here said false");
}

#[tokio::test]
async fn an_anchor_of_the_open_page_is_a_page_of_its_own() {
    let html = "<h1>here</h1><script>fetch('/graphql', { method: 'POST', body: location.hash })</script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    bench.see("/", &still()).await;
    let capture = bench.see("/#export-basket", &still()).await;
    let asked: Vec<&str> = capture.exchanges.iter().map(|one| one.request.as_str()).collect();
    assert_eq!(asked, ["#export-basket"]);
    assert_eq!(capture.settled_url, bench.site.at("/#export-basket"));
    bench.finish().await;
}

#[tokio::test]
async fn a_crashed_tab_a_killed_browser_and_a_killed_driver_are_told_apart() {
    let mut bench = Bench::start(&[("/", "<h1>fine</h1>")]).await;
    let crashed = bench.session.open("chrome://crash").await.unwrap_err();
    assert_eq!(crashed, VisitError::TabCrashed);
    assert!(!bench.session.is_usable());
    bench.finish().await;

    let mut bench = Bench::start(&[("/", "<h1>fine</h1>")]).await;
    kill(bench.session.browser_pid().unwrap());
    let lost = bench.session.open(&bench.site.at("/")).await.unwrap_err();
    assert!(matches!(lost, VisitError::SessionLost(_)), "{lost:?}");
    bench.finish().await;

    let mut bench = Bench::start(&[("/", "<h1>fine</h1>")]).await;
    kill(bench.session.driver_pid().unwrap());
    let lost = bench.session.open(&bench.site.at("/")).await.unwrap_err();
    assert!(matches!(lost, VisitError::DriverLost(_)), "{lost:?}");
    assert!(lost.needs_new_session());
    bench.finish().await;
}

#[tokio::test]
async fn a_browser_ends_with_its_killed_driver() {
    let html =
        "<h1>busy</h1><script>addEventListener('load', () => setTimeout(() => { for (;;); }, 50))</script>";
    let mut bench = Bench::start(&[("/", "<h1>fine</h1>"), ("/busy", html)]).await;
    bench.session.open(&bench.site.at("/")).await.unwrap();
    // a page that does not yield ends with the rest
    let busy = bench.site.at("/busy");
    let _ = tokio::time::timeout(Duration::from_secs(1), bench.session.open(&busy)).await;
    let browsers = || {
        let mut living = crate::bench::living_in(&bench.home);
        living.retain(|command| command.contains("chrom"));
        living
    };
    assert!(browsers().len() > 3, "{:?}", browsers());
    kill(bench.session.driver_pid().unwrap());
    let killed = Instant::now();
    while !browsers().is_empty() {
        assert!(killed.elapsed() < Duration::from_secs(10), "left behind: {:#?}", browsers());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    bench.finish().await;
}

#[tokio::test]
async fn a_page_that_never_yields_is_killed_by_the_watchdog() {
    let html =
        "<h1>busy</h1><script>addEventListener('load', () => setTimeout(() => { for (;;); }, 50))</script>";
    let mut bench = Bench::with(&[("/", html)], |options| {
        options.page_load = Duration::from_secs(2);
        options.script = Duration::from_secs(2);
        options.grace = Duration::from_secs(1);
    })
    .await;
    let started = Instant::now();
    let error = match bench.session.open(&bench.site.at("/")).await {
        Ok(_) => bench.session.snapshot(&still()).await.unwrap_err(),
        Err(error) => error,
    };
    assert!(matches!(error, VisitError::Stuck { .. } | VisitError::Timeout(_)), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    bench.finish().await;
}

#[tokio::test]
async fn a_start_has_its_own_time_however_little_a_script_or_a_page_may_take() {
    let bench = Bench::with(&[], |options| {
        let least = Duration::from_millis(1);
        (options.script, options.page_load, options.grace) = (least, least, least);
    })
    .await;
    assert!(bench.session.is_usable());
    bench.finish().await;
}

#[tokio::test]
async fn dropping_without_closing_leaves_nothing_behind() {
    let bench = Bench::start(&[]).await;
    let home = bench.home.clone();
    assert!(!crate::bench::living_in(&home).is_empty());
    drop(bench);
    crate::bench::assert_gone(&home);
}

pub fn kill(pid: u32) {
    signal(pid, Signal::SIGKILL);
}

pub fn signal(pid: u32, signal: Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid.try_into().unwrap()), signal).unwrap();
}
