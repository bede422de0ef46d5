//! Two snapshots of one page: how far apart they are, what the second brings, and where the first stops on its way down.

use std::time::{Duration, Instant};

use atlas_gt::acquire::{PageSource, SnapshotOptions};

use crate::bench::{Bench, still, visible_text};

fn apart(millis: u64) -> SnapshotOptions {
    SnapshotOptions { apart: Duration::from_millis(millis), ..still() }
}

#[tokio::test]
async fn a_second_look_keeps_its_distance_and_the_same_page_reads_the_same() {
    let mut bench = Bench::lent(&[("/", "<h1>page</h1><p>$377 billion</p>")]).await;
    let first = bench.see("/", &still()).await;
    let started = Instant::now();
    let second = bench.session.snapshot(&apart(900)).await.unwrap();
    // the first was written down a moment before it was brought over
    assert!(started.elapsed() >= Duration::from_millis(700), "{:?}", started.elapsed());
    assert_eq!(second.html, first.html);
    assert!(visible_text(&second.html).contains("$377 billion"));
    // another page at the same address is no second look
    let started = Instant::now();
    let again = bench.see("/", &apart(20_000)).await;
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    assert_eq!(again.html, first.html);
    bench.finish().await;
}

#[tokio::test]
async fn a_page_that_changes_between_two_looks_is_not_taken_for_the_same() {
    let html = r"<h1>page</h1><p id=out>provisional</p><script>
      addEventListener('load', () => setTimeout(() => { out.textContent = 'final'; }, 2500));
    </script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let first = bench.see("/", &still()).await;
    let second = bench.session.snapshot(&apart(3000)).await.unwrap();
    assert_eq!(visible_text(&first.html), "page provisional");
    assert_eq!(visible_text(&second.html), "page final");
    bench.finish().await;
}

#[tokio::test]
async fn large_responses_come_over_whole_once_and_later_ones_after_them() {
    let html = r"<h1>page</h1><script>
      const ask = (word, times) => fetch('/graphql', { method: 'POST', body: word.repeat(times) });
      ask('São Tomé · ', 40000); ask('Türkiye ', 30000);
      addEventListener('load', () => setTimeout(() => ask('later', 1), 2500));
    </script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let first = bench.see("/", &still()).await;
    let asked = |word: &str, times: usize| word.repeat(times);
    let whole = [asked("São Tomé · ", 40_000), asked("Türkiye ", 30_000)];
    let requests: Vec<&str> = first.exchanges.iter().map(|one| one.request.as_str()).collect();
    assert_eq!(requests, whole.iter().map(String::as_str).collect::<Vec<_>>());
    for exchange in &first.exchanges {
        assert!(exchange.response.contains(&exchange.request), "{} characters", exchange.response.len());
    }
    let second = bench.session.snapshot(&apart(3000)).await.unwrap();
    assert_eq!(second.exchanges[..2], first.exchanges[..]);
    assert_eq!(second.exchanges[2].request, "later");
    assert_eq!(second.exchanges.len(), 3);
    bench.finish().await;
}

#[tokio::test]
async fn a_bar_that_repeats_the_headings_is_no_place_to_stop_at() {
    // the bar bears the heading of the section below it; a section in the middle pushes the rest down as it mounts
    let html = r"<style>body { margin: 0 } section { min-height: 1500px } header { position: sticky; top: 0; height: 50px }</style>
      <header><h2 id=bar>Summary</h2></header>
      <section><h2>Export Basket</h2></section>
      <section id=late><h2>Export Complexity</h2></section>
      <section><h2>Growth Dynamics</h2></section>
      <script>
        const late = document.getElementById('late');
        new IntersectionObserver((seen, observer) => {
          if (!seen.some((one) => one.isIntersecting)) return;
          observer.disconnect();
          setTimeout(() => late.insertAdjacentHTML('beforebegin', '<p style=height:700px>mounted</p>'), 50);
        }).observe(late);
        addEventListener('scroll', () => {
          const passed = [...document.querySelectorAll('section h2')].filter((one) => one.getBoundingClientRect().top <= 60);
          bar.textContent = (passed.pop() || { textContent: 'Summary' }).textContent;
        });
      </script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let stops = ["Export Basket", "Export Complexity", "Growth Dynamics"].map(String::from);
    let options = SnapshotOptions { stops: stops.to_vec(), ..still() };
    let first = bench.see("/", &options).await;
    let bars = |capture: &atlas_gt::capture::Capture| -> Vec<(String, String)> {
        capture.sticky_headers.iter().map(|one| (one.stop.clone(), visible_text(&one.html))).collect()
    };
    let expected: Vec<(String, String)> = stops.iter().map(|stop| (stop.clone(), stop.clone())).collect();
    assert_eq!(bars(&first), expected);
    let second = bench.session.snapshot(&SnapshotOptions { scroll: false, ..options }).await.unwrap();
    assert_eq!(bars(&second), expected);
    bench.finish().await;
}
