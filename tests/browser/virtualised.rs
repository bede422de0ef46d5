//! What is in the document only while it is in view: rows of long lists, sections that unmount.

use atlas_gt::acquire::{PageSource, SnapshotOptions};
use atlas_gt::capture::Capture;
use atlas_gt::extract::Page;

use crate::bench::{Bench, still, visible_text};

/// A table of 40 rows of which some more than those in view are mounted; `draw(first, last)` fills `rows`.
fn table(holder: &str, draw: &str, more: &str) -> String {
    format!(
        r"<style>body {{ margin: 0; font: 16px sans-serif }} .row {{ height: 40px; box-sizing: border-box }}</style>
        <h2>Products</h2>{holder}
        <script>
          const text = (i) => `product ${{i}}`;
          const rows = document.getElementById('rows'), box = document.getElementById('box');
          let mounted = '';
          const row = (i, style) => `<div class=row role=row style='${{style}}'>${{text(i)}}</div>`;
          const draw = (first, last) => {{ {draw} }};
          const scroller = box || document.scrollingElement;
          const update = () => {{
            document.title = `at ${{scroller.scrollTop}}`;
            const top = box ? box.scrollTop : scrollY - rows.parentElement.offsetTop;
            const first = Math.max(0, Math.floor(top / 40) - 2);
            const last = Math.min(39, first + Math.ceil((box ? 300 : innerHeight) / 40) + 4);
            if (mounted === (mounted = `${{first}} ${{last}}`)) return;
            draw(first, last);
          }};
          (box || window).addEventListener('scroll', update);
          {more}
          update();
        </script>"
    )
}

const INNER: &str = "<div id=box style='height:300px;overflow-y:auto'>\
    <div style='height:1600px;position:relative'><div id=rows></div></div></div><p>below</p>";

const ABSOLUTE: &str = "let html = ''; for (let i = first; i <= last; i += 1) \
    html += row(i, `position:absolute;left:0;right:0;top:${i * 40}px`); rows.innerHTML = html;";

fn products(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|one| format!("product {one}")).collect();
    names.join(" ")
}

/// Looks until two looks miss nothing, which say the same: a slow machine may give up a list, and says so.
async fn both_looks(bench: &mut Bench, path: &str, options: &SnapshotOptions) -> [Capture; 2] {
    let mut whole: Option<Capture> = None;
    let mut capture = bench.see(path, options).await;
    for _ in 0..LOOKS {
        if Page::parse(&capture.html).parts.is_empty() {
            match whole.take() {
                Some(before) => {
                    assert_eq!(visible_text(&before.html), visible_text(&capture.html), "{path}");
                    return [before, capture];
                }
                None => whole = Some(capture),
            }
        }
        capture =
            bench.session.snapshot(&SnapshotOptions { scroll: false, ..options.clone() }).await.unwrap();
    }
    panic!("{path}: of {LOOKS} looks not two miss nothing; the last: {:?}", visible_text(&capture.html));
}

/// Looks at most.
const LOOKS: usize = 10;

#[tokio::test]
async fn rows_that_are_mounted_while_in_view_are_all_brought_over_in_order() {
    let absolute = table(INNER, ABSOLUTE, "");
    let translated = table(
        INNER,
        "let html = ''; for (let i = first; i <= last; i += 1) html += row(i, ''); rows.innerHTML = html; \
         rows.style.transform = `translateY(${first * 40}px)`;",
        "",
    );
    // the same elements for other rows, and rows that are filled by a request some time after they came
    let recycled = table(
        INNER,
        "while (rows.children.length <= last - first) rows.insertAdjacentHTML('beforeend', '<div class=row></div>'); \
         for (let i = first; i <= last; i += 1) { const one = rows.children[i % rows.children.length]; \
           one.style = `position:absolute;top:${i * 40}px`; one.textContent = text(i); }",
        "",
    );
    let late = table(
        INNER,
        "let html = ''; for (let i = first; i <= last; i += 1) html += `<div class=row \
         style='position:absolute;top:${i * 40}px'></div>`; rows.innerHTML = html; clearTimeout(window.due); \
         window.due = setTimeout(() => fetch('/graphql', { method: 'POST', body: 'rows' }).then(() => { \
           [...rows.children].forEach((one, i) => { one.textContent = text(first + i); }); }), 250);",
        "",
    );
    let spaced = table(
        "<div id=box style='height:300px;overflow-y:auto'><table style='border-spacing:0'><tbody id=rows></tbody></table></div>\
         <p>below</p>",
        "let html = `<tr style='height:${first * 40}px'></tr>`; for (let i = first; i <= last; i += 1) \
         html += `<tr><td style='height:40px;padding:0'>${text(i)}</td></tr>`; \
         rows.innerHTML = html + `<tr style='height:${(39 - last) * 40}px'></tr>`;",
        "",
    );
    let of_page = table(
        "<div style='height:1600px;position:relative'><div id=rows></div></div><p>below</p>",
        ABSOLUTE,
        "",
    );
    let pages = [
        ("/absolute", absolute),
        ("/translated", translated),
        ("/recycled", recycled),
        ("/late", late),
        ("/spaced", spaced),
        ("/page", of_page),
    ];
    let served: Vec<_> = pages.iter().map(|(path, html)| (*path, html.as_str())).collect();
    let mut bench = Bench::lent(&served).await;
    for (path, _) in served {
        let [_, capture] = both_looks(&mut bench, path, &still()).await;
        assert_eq!(visible_text(&capture.html), format!("Products {} below", products(40)), "{path}");
        assert_eq!(Page::parse(&capture.html).parts, [], "{path}");
        assert_eq!(capture.title, "at 0", "{path}: scrolled back");
    }
    bench.finish().await;
}

#[tokio::test]
async fn rows_that_load_at_the_end_of_a_list_are_loaded() {
    let html = "<div id=box style='height:200px;overflow-y:auto'><div id=rows></div></div><script>
      let count = 0;
      const add = () => { for (const end = count + 10; count < end; count += 1)
        rows.insertAdjacentHTML('beforeend', `<div style='height:40px'>product ${count}</div>`); };
      let asked = false;
      box.addEventListener('scroll', () => {
        if (asked || count >= 40 || box.scrollTop + 200 < box.scrollHeight - 5) return;
        asked = true;
        fetch('/graphql', { method: 'POST', body: 'more' }).then(() => { asked = false; add(); });
      });
      add();
    </script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let [_, capture] = both_looks(&mut bench, "/", &still()).await;
    assert_eq!(visible_text(&capture.html), products(40));
    bench.finish().await;
}

#[tokio::test]
async fn what_does_not_come_whole_is_marked_as_a_part() {
    // a row that is never there, one that is never filled, one that says something else each time; a table that says
    // how many it has
    let gap = table(INNER, &ABSOLUTE.replace("html += row", "if (i !== 21) html += row"), "");
    let empty = "html += (i === 21 ? (n, style) => `<div class=row style='${style}'></div>` : row)(i,";
    let empty = table(INNER, &ABSOLUTE.replace("html += row(i,", empty), "");
    let unsteady =
        table(INNER, &ABSOLUTE.replace("html += row(i,", "html += row(i === 20 ? first + 100 : i,"), "");
    let counted =
        "<div role=grid aria-rowcount=41><div role=row>Product</div><div role=row>Tea</div></div>".to_owned();
    let pages = [("/gap", gap), ("/empty", empty), ("/unsteady", unsteady), ("/counted", counted)];
    let served: Vec<_> = pages.iter().map(|(path, html)| (*path, html.as_str())).collect();
    let mut bench = Bench::lent(&served).await;
    for (path, _) in served {
        let capture = bench.see(path, &still()).await;
        let parts = Page::parse(&capture.html).parts;
        assert_eq!(parts.len(), 1, "{path}: {parts:?}");
        if path == "/counted" {
            assert_eq!(parts[0].why, "2 of 41 rows");
        }
    }
    bench.finish().await;
}

#[tokio::test]
async fn a_section_that_unmounts_out_of_view_is_brought_over_as_it_was_seen() {
    let html = r"<style>body { margin: 0 } section { height: 1500px }</style>
      <div id=bar style='position:sticky;top:0;height:50px'>start</div>
      <section data-name=Basket></section><section data-name=Complexity></section><section data-name=Growth></section>
      <script>
        const sections = [...document.querySelectorAll('section')];
        const seer = new IntersectionObserver((all) => all.forEach(({ target, isIntersecting }) => {
          target.innerHTML = isIntersecting ? `<h2>${target.dataset.name}</h2><p>value of ${target.dataset.name}</p>` : '';
        }));
        sections.forEach((one) => seer.observe(one));
        addEventListener('scroll', () => {
          const current = sections.filter((one) => one.getBoundingClientRect().top <= 60).pop();
          document.getElementById('bar').textContent = current ? `ECI of ${current.dataset.name}` : 'start';
        });
      </script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    let stops = ["Basket", "Complexity", "Growth"].map(String::from).to_vec();
    let options = SnapshotOptions { stops, ..still() };
    let looks = both_looks(&mut bench, "/", &options).await;
    let sections = ["Basket", "Complexity", "Growth"].map(|name| format!("{name} value of {name}")).join(" ");
    for capture in looks {
        assert_eq!(visible_text(&capture.html), format!("ECI of Basket {sections}"));
        let bars: Vec<String> = capture.sticky_headers.iter().map(|one| visible_text(&one.html)).collect();
        assert_eq!(bars, ["ECI of Basket", "ECI of Complexity", "ECI of Growth"]);
    }
    bench.finish().await;
}
