//! Pages of several sections: lazy ones, inner scrollers, bars that follow, loaders.

use std::time::{Duration, Instant};

use atlas_gt::acquire::SnapshotOptions;
use scraper::Html;

use crate::bench::{Bench, pick, see, see_with, still, visible_text};

/// Three tall sections that mount when seen, in the window or in an inner scroller, and a bar that follows
/// the section at the top, late and by a throttled handler.
fn sections(inner: bool, bar: &str) -> String {
    let (open, close) = if inner {
        ("<div id=scroller style='height:calc(100vh - 60px);overflow-y:auto'>", "</div>")
    } else {
        ("<div>", "</div>")
    };
    format!(
        r"<style>body {{ margin: 0; font: 16px sans-serif }} section {{ min-height: 1400px }}</style>
        {bar}{open}
        <nav><a href='#'>Export Basket</a></nav>
        <section data-name='Basket'><h2>Export Basket <span>in 2024</span></h2></section>
        <section data-name='Complexity'><h2>Export Complexity in 2024</h2></section>
        <section data-name='Growth'><h2>Growth Dynamics</h2></section>
        {close}
        <script>
          const box = document.getElementById('scroller');
          const sections = [...document.querySelectorAll('section')];
          const seer = new IntersectionObserver((list) => list.forEach((one) => {{
            if (!one.isIntersecting || one.target.dataset.done) return;
            one.target.dataset.done = 1;
            fetch('/graphql', {{ method: 'POST', body: one.target.dataset.name }}).then((r) => r.json()).then((a) => {{
              one.target.insertAdjacentHTML('beforeend', '<p>value of ' + a.data.asked + '</p>');
            }});
          }}));
          sections.forEach((one) => seer.observe(one));
          let due = null;
          (box || window).addEventListener('scroll', () => {{
            due = due || setTimeout(() => {{
              due = null;
              const current = sections.filter((one) => one.getBoundingClientRect().top <= 70).pop();
              document.getElementById('bar').textContent = 'ECI of ' + (current ? current.dataset.name : 'nobody');
            }}, 100);
          }});
        </script>"
    )
}

fn stops() -> SnapshotOptions {
    let stops = ["Export Basket in {}", "Export Complexity", "Growth Dynamics", "Absent"].map(String::from);
    SnapshotOptions { stops: stops.to_vec(), ..still() }
}

/// Every section is seen, and at each heading what the bar says there.
async fn check_sections(pages: &[String]) {
    let paths = ["/a", "/b", "/c"];
    let served: Vec<_> = paths.into_iter().zip(pages.iter().map(String::as_str)).collect();
    let mut bench = Bench::lent(&served).await;
    for (path, html) in served {
        let capture = bench.see(path, &stops()).await;
        let text = visible_text(&capture.html);
        for name in ["Basket", "Complexity", "Growth"] {
            assert!(text.contains(&format!("value of {name}")), "{text}");
        }
        assert_eq!(capture.exchanges.len(), 3);
        let seen: Vec<(String, String)> =
            capture.sticky_headers.iter().map(|one| (one.stop.clone(), visible_text(&one.html))).collect();
        let expected = [
            ("Export Basket in 2024", "ECI of Basket"),
            ("Export Complexity in 2024", "ECI of Complexity"),
            ("Growth Dynamics", "ECI of Growth"),
        ]
        .map(|(stop, bar)| (stop.to_owned(), bar.to_owned()));
        assert_eq!(seen, expected, "{html}");
    }
    bench.finish().await;
}

#[tokio::test]
async fn a_bar_that_stays_in_the_window_is_recorded_at_each_stop() {
    let fixed = "<div id=bar style='position:fixed;top:0;left:0;right:0;height:60px'>start</div>";
    let sticky = "<div id=bar style='position:sticky;top:0;height:60px'>start</div>";
    check_sections(&[sections(false, fixed), sections(false, sticky)]).await;
}

#[tokio::test]
async fn a_bar_beside_or_within_an_inner_scroller_is_recorded_at_each_stop() {
    let outside = "<div id=bar style='height:60px'>start</div>";
    // what it is placed by is not what scrolls, so that it stays
    let within =
        "<div id=bar style='position:absolute;top:0;left:0;width:900px;height:60px'>start</div><nav>";
    check_sections(&[sections(true, outside), sections(true, "").replace("<nav>", within)]).await;
}

#[tokio::test]
async fn a_bar_in_a_holder_without_size_or_sight_is_recorded_at_each_stop() {
    let no_size = "<div style='position:fixed;top:0;left:0;width:0;height:0'>
        <div id=bar style='width:900px;height:60px'>start</div></div>";
    let no_sight = "<div style='position:fixed;top:0;left:0;right:0;height:60px;visibility:hidden'>
        <div id=bar style='visibility:visible'>start</div></div>";
    check_sections(&[sections(false, no_size), sections(false, no_sight)]).await;
}

#[tokio::test]
async fn boxes_are_in_document_coordinates_inside_an_inner_scroller_too() {
    let html = "<style>body{margin:0}</style><div style='height:100vh;overflow:auto'>
      <div style='height:3000px'>top</div><p style='margin:0;height:20px' id=low>low</p></div>";
    let capture = see(html).await;
    let document = Html::parse_document(&capture.html);
    assert_eq!(pick(&document, "#low").attr("data-agt-box"), Some("0,3000,1440,20"));
}

#[tokio::test]
async fn a_loader_that_never_ends_is_waited_for_but_not_for_ever() {
    let html = "<style>@keyframes turn { to { rotate: 360deg } } #l { width: 20px; height: 20px;
      animation: turn 1s linear infinite }</style><h1>here</h1><div id=l></div><div style='height:3000px'></div>";
    let started = Instant::now();
    let options = SnapshotOptions { max_wait: Duration::from_millis(700), ..still() };
    let capture = see_with(html, &options).await;
    assert!(started.elapsed() >= Duration::from_millis(700));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert!(capture.notes.iter().any(|note| note.contains("loader")), "{:?}", capture.notes);
    assert!(visible_text(&capture.html).contains("here"));
}

#[tokio::test]
async fn what_never_ends_in_one_section_leaves_the_sections_below_their_time() {
    let html = "<style>@keyframes turn { to { rotate: 360deg } } i { display: block; width: 20px; height: 20px;
      animation: turn 1s linear infinite } section { height: 1500px }</style><h1>Kenya</h1><div style='height:1500px'></div>
      <section id=a>first</section><section id=b>second</section><section id=c>third</section>
      <script>
      const seen = new IntersectionObserver((all) => all.filter((one) => one.isIntersecting).forEach(({ target }) => {
        seen.unobserve(target);
        target.innerHTML = '<i></i>';
        if (target.id !== 'a') setTimeout(() => { target.innerHTML = `value of ${target.id}`; }, 500);
      }));
      document.querySelectorAll('section').forEach((one) => seen.observe(one));
      </script>";
    let options = SnapshotOptions { scroll: true, max_wait: Duration::from_secs(5), ..still() };
    let capture = see_with(html, &options).await;
    let text = visible_text(&capture.html);
    assert!(text.contains("value of b") && text.contains("value of c"), "{text}");
    assert_eq!(capture.notes, ["a loader is still spinning"]);
}

/// On a busy machine frames come late. This page delays them itself, and shows what stays in the window for one.
#[tokio::test]
async fn a_position_is_left_only_once_it_was_drawn() {
    let html = "<style>body { margin: 0 } section { height: 1400px }</style>
      <h1>Kenya</h1><section id=a></section><section id=b></section><section id=c></section>
      <script>
      const drawn = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (go) => setTimeout(() => drawn(go), 300);
      addEventListener('scroll', () => {
        const at = scrollY;
        requestAnimationFrame(() => document.querySelectorAll('section').forEach((one) => {
          const box = one.getBoundingClientRect();
          if (scrollY === at && box.top < innerHeight && box.bottom > 0) one.textContent = `value of ${one.id}`;
        }));
      });
      </script>";
    let text = visible_text(&see(html).await.html);
    for id in ["a", "b", "c"] {
        assert!(text.contains(&format!("value of {id}")), "{text}");
    }
}

#[tokio::test]
async fn a_loader_that_ends_delays_the_look_until_the_value_is_there() {
    let html = "<style>@keyframes turn { to { rotate: 360deg } } #l { width: 20px; height: 20px;
      animation: turn 1s linear infinite }</style><h1>GDP per capita</h1><div id=l></div>
      <script>setTimeout(() => { l.outerHTML = '<b>$2,274</b>'; }, 500)</script>";
    let capture = see(html).await;
    assert_eq!(visible_text(&capture.html), "GDP per capita $2,274");
    assert_eq!(capture.notes, Vec::<String>::new());
}

#[tokio::test]
async fn expected_text_is_waited_for_and_missed_text_is_noted() {
    let html = "<h1>Kenya</h1><script>setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<h2>Export Basket in 2024</h2>'); }, 400)</script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let expect = |text: &str| SnapshotOptions {
        expect: vec![text.to_owned()],
        max_wait: Duration::from_millis(1500),
        ..still()
    };
    let capture = bench.see("/", &expect("Export Basket in {}")).await;
    assert!(visible_text(&capture.html).contains("Export Basket in 2024"));
    assert_eq!(capture.notes, Vec::<String>::new());
    let capture = bench.see("/", &expect("Treemap")).await;
    assert!(capture.notes.iter().any(|note| note.contains("Treemap")), "{:?}", capture.notes);
    bench.finish().await;
}

/// A heading in two lines, in a shell whose scroller is fixed itself.
#[tokio::test]
async fn headings_in_two_lines_and_in_a_fixed_scroller_are_stopped_at() {
    let html = "<style>body{margin:0} section{height:1400px}</style>
      <div id=bar style='position:fixed;top:0;left:0;right:0;height:60px'>bar</div>
      <div id=scroller style='position:fixed;top:60px;left:0;right:0;bottom:0;overflow-y:auto'>
      <section><h2>Export Basket<span style='display:block'>in 2024</span></h2></section>
      <section><h2>Export Complexity in 2024</h2></section></div>";
    let capture = see_with(html, &stops()).await;
    let stops: Vec<&str> = capture.sticky_headers.iter().map(|pinned| pinned.stop.as_str()).collect();
    assert_eq!(stops, ["Export Basket in 2024", "Export Complexity in 2024"]);
}
