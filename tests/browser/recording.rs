//! What is recorded of a page's own requests, errors and traffic.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use atlas_gt::acquire::{PageSource, SnapshotOptions};

use crate::bench::{Bench, see_with, still, visible_text};

const FETCHING: &str = r#"
<h1>Kenya</h1><p id=out>…</p><p id=native></p>
<script>
  document.getElementById('native').textContent = String(fetch).includes('native') && fetch.name === 'fetch';
  const ask = (body) => fetch('/graphql', { method: 'POST', body }).then((r) => r.json());
  ask('{"query":"first"}')
    .then((a) => fetch(new Request('/graphql?q=2', { method: 'POST', body: 'second' })).then((r) => r.json()))
    .then((b) => {
      const xhr = new XMLHttpRequest();
      xhr.responseType = 'json';
      xhr.open('POST', '/graphql');
      xhr.onload = () => { document.getElementById('out').textContent = 'exports ' + xhr.response.data.exports; };
      xhr.send('third');
    });
  fetch('/other').then((r) => r.text());
</script>"#;

#[tokio::test]
async fn the_page_s_own_graphql_exchanges_are_recorded_in_order() {
    let mut bench = Bench::lent(&[("/", FETCHING), ("/other", "not graphql")]).await;
    let capture = bench.see("/", &still()).await;
    let asked: Vec<&str> = capture.exchanges.iter().map(|one| one.request.as_str()).collect();
    assert_eq!(asked, [r#"{"query":"first"}"#, "second", "third"]);
    for exchange in &capture.exchanges {
        assert_eq!(exchange.status, 200);
        assert!(exchange.url.starts_with(&bench.site.at("/graphql")));
        let response: serde_json::Value = serde_json::from_str(&exchange.response).unwrap();
        assert_eq!(response["data"]["exports"], 378);
        assert_eq!(response["data"]["asked"], exchange.request.as_str());
    }
    // The page got its answers too, and sees native functions.
    assert_eq!(visible_text(&capture.html), "Kenya exports 378 true");
    assert_eq!(capture.notes, Vec::<String>::new());
    bench.finish().await;
}

#[tokio::test]
async fn failed_and_unfinished_requests_are_told_and_errors_kept() {
    let html = r"<h1>page</h1><script>
      fetch('/graphql-hangs', { method: 'POST', body: 'never' });
      fetch('http://127.0.0.1:1/graphql', { method: 'POST', body: 'refused' });
      fetch('/status/429?graphql', { method: 'POST', body: 'limited' });
      setTimeout(() => { throw new Error('a slip of the page'); }, 0);
    </script>";
    let options = SnapshotOptions { max_wait: Duration::from_millis(900), ..still() };
    let capture = see_with(html, &options).await;
    let statuses: Vec<_> = capture.exchanges.iter().map(|one| (one.request.as_str(), one.status)).collect();
    assert_eq!(statuses, [("never", 0), ("refused", 0), ("limited", 429)]);
    assert!(capture.notes.iter().any(|note| note.contains("no complete response")), "{:?}", capture.notes);
    assert!(capture.notes.iter().any(|note| note.contains("HTTP status 429")), "{:?}", capture.notes);
    assert!(capture.notes.iter().any(|note| note.contains("still running")), "{:?}", capture.notes);
    assert!(capture.errors.iter().any(|error| error.contains("a slip of the page")), "{:?}", capture.errors);
    // The page does not handle the refusal, and still learns of it.
    assert!(capture.errors.iter().any(|error| error.contains("unhandled rejection")), "{:?}", capture.errors);
}

#[tokio::test]
async fn requests_are_counted_as_the_server_counts_them() {
    let html = r"<h1>page</h1><script src=/asset.js></script><script>
      fetch('/graphql', { method: 'POST', body: 'x' });
      fetch('/missing');
    </script>";
    let mut bench = Bench::start(&[("/", html)]).await;
    let navigation = bench.session.open(&bench.site.at("/")).await.unwrap();
    let capture = bench.session.snapshot(&still()).await.unwrap();
    let paths = bench.site.seen.paths.lock().unwrap().clone();
    assert_eq!(capture.requests as usize, bench.site.seen.requests.load(Ordering::SeqCst), "{paths:?}");
    assert!(navigation.requests >= 2 && navigation.requests <= capture.requests);
    assert_eq!(capture.requested_url, bench.site.at("/"));
    assert_eq!(capture.status, 200);
    bench.finish().await;
}

/// Waits until as much is told as the server has seen.
async fn told_as_seen(bench: &mut Bench, before: usize) {
    let started = Instant::now();
    loop {
        let hosts = bench.session.traffic().hosts;
        let seen = bench.site.seen.requests.load(Ordering::SeqCst) - before;
        if hosts.values().sum::<u32>() as usize == seen {
            return;
        }
        let paths = bench.site.seen.paths.lock().unwrap().clone();
        assert!(started.elapsed() < Duration::from_secs(20), "{seen} were seen: {paths:?}; told: {hosts:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn what_the_page_itself_cannot_tell_is_counted_too() {
    // hops of a redirect, a worker, a frame of another origin and one of none
    let html = r"<h1>page</h1><script>
      const { origin, port } = location;
      fetch('/loop').catch(() => {});
      new Worker(URL.createObjectURL(new Blob([`fetch('${origin}/from-worker')`])));
      const frame = (attributes) => document.body.append(Object.assign(document.createElement('iframe'), attributes));
      frame({ src: `http://localhost:${port}/foreign` });
      const inner = `<script>fetch('${origin}/from-sandbox', { mode: 'no-cors' })</` + 'script>';
      frame({ sandbox: 'allow-scripts', srcdoc: inner });
    </script>";
    let foreign =
        "<script>fetch(`http://127.0.0.1:${location.port}/from-foreign`, { mode: 'no-cors' })</script>";
    let mut bench = Bench::start(&[("/", html), ("/foreign", foreign)]).await;
    let capture = bench.see("/", &still()).await;
    let all = ["/foreign", "/from-foreign", "/from-worker", "/from-sandbox"];
    let started = Instant::now();
    loop {
        let paths = bench.site.seen.paths.lock().unwrap().clone();
        if all.iter().all(|path| paths.iter().any(|seen| seen == path)) {
            assert!(paths.iter().filter(|path| *path == "/loop").count() > 10, "{paths:?}");
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{paths:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    told_as_seen(&mut bench, 0).await;
    assert!(capture.requests > 10, "the hops are in the capture: {}", capture.requests);
    // a page that fails has asked too, and one that cannot be reached has not
    let before = bench.site.seen.requests.load(Ordering::SeqCst);
    assert!(bench.session.open(&bench.site.at("/status/500")).await.is_err());
    told_as_seen(&mut bench, before).await;
    assert!(bench.site.seen.requests.load(Ordering::SeqCst) > before);
    assert!(bench.session.open("http://127.0.0.1:1/").await.is_err());
    assert_eq!(bench.session.traffic().hosts.get("127.0.0.1:1"), None);
    bench.finish().await;
}

#[tokio::test]
async fn the_user_agent_names_the_tool_and_other_hosts_are_blocked() {
    let html = r"<h1>page</h1><p id=out>…</p><script src=http://tracker.example/t.js></script>
      <script nomodule src=/legacy.js></script><script type=text/template src=/never.html></script><script>
      fetch('http://third-party.example/graphql').then(
        () => { out.textContent = 'reached'; }, () => { out.textContent = 'blocked'; });
    </script>";
    let mut bench =
        Bench::with(&[("/", html)], |options| options.contact = Some("team@example.org".into())).await;
    let capture = bench.see("/", &still()).await;
    assert_eq!(visible_text(&capture.html), "page blocked");
    // Scripts that are blocked or not for this browser hold nothing up.
    assert!(capture.notes.iter().all(|note| !note.contains("script")), "{:?}", capture.notes);
    let agents = bench.site.seen.agents.lock().unwrap().clone();
    assert!(agents[0].contains("Chrome/") && agents[0].ends_with("(+team@example.org)"), "{agents:?}");
    assert!(agents[0].contains(" atlas-gt/"), "{agents:?}");
    let blocked = bench.session.open("http://third-party.example/").await.unwrap_err().to_string();
    assert!(blocked.contains("ERR_NAME_NOT_RESOLVED"), "{blocked}");
    bench.finish().await;
}
