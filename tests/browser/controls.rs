//! Dropdowns, toggles and layers over the page, worked by real clicks.

use atlas_gt::acquire::{PageInteraction, SnapshotOptions};

use crate::bench::{Bench, see, see_with, still, visible_text};

fn interaction(open: &str, choose: &str) -> SnapshotOptions {
    let one = PageInteraction { name: "net".into(), within: None, open: open.into(), choose: choose.into() };
    SnapshotOptions { interactions: vec![one], ..still() }
}

/// Text of the one state and of the page as it was first seen.
fn texts(capture: &atlas_gt::capture::Capture) -> (String, String) {
    assert_eq!(capture.states.len(), 1, "{:?}", capture.notes);
    assert_eq!(capture.states[0].name, "net");
    (visible_text(&capture.html), visible_text(&capture.states[0].html))
}

#[tokio::test]
async fn a_native_select_is_chosen_recorded_and_chosen_back() {
    let html = "<label for=s>Trade Flow</label><select id=s><option>Gross<option>Net</select><p id=v>$16.2B</p>
      <script>window.log = []; s.onchange = (event) => { log.push(s.value + event.isTrusted);
      setTimeout(() => { v.textContent = s.value === 'Net' ? '$3.1B' : '$16.2B'; document.title = log.join(); }, 100); };</script>";
    for open in ["Trade Flow", "Gross"] {
        let mut bench = Bench::lent(&[("/", html)]).await;
        let capture = bench.see("/", &interaction(open, "Net")).await;
        let (before, after) = texts(&capture);
        assert_eq!(before, "Trade Flow Gross $16.2B");
        assert_eq!(after, "Trade Flow Net $3.1B");
        assert_eq!(capture.notes, Vec::<String>::new());
        bench.finish().await;
    }
}

const DROPDOWN: &str = r#"<h2>Net trade</h2><button id=b>Gross</button><p id=v>$16.2B</p><p>Net worth</p>
  <script>
    b.onclick = () => {
      const list = document.createElement('ul');
      list.style.cssText = 'position:absolute;top:90px;background:white';
      list.innerHTML = '<li>Gross</li><li>Net</li>';
      list.onclick = (event) => {
        if (!event.isTrusted) return;
        b.textContent = event.target.textContent;
        list.remove();
        fetch('/graphql', { method: 'POST', body: b.textContent }).then((r) => r.json()).then((a) => {
          v.textContent = a.data.asked === 'Net' ? '$3.1B' : '$16.2B';
        });
      };
      document.body.append(list);
    };
  </script>"#;

#[tokio::test]
async fn a_custom_dropdown_is_worked_with_real_clicks() {
    let capture = see_with(DROPDOWN, &interaction("Gross", "Net")).await;
    let (before, after) = texts(&capture);
    assert_eq!(before, "Net trade Gross $16.2B Net worth");
    assert_eq!(after, "Net trade Net $3.1B Net worth");
    assert_eq!(capture.notes, Vec::<String>::new());
    let asked: Vec<&str> = capture.exchanges.iter().map(|one| one.request.as_str()).collect();
    assert_eq!(asked, ["Net", "Gross"], "there and back");
}

#[tokio::test]
async fn a_toggle_is_worked_and_put_back() {
    let html = "<div><button>Exports</button><button>Imports</button></div><p id=v>exports 16</p>
      <script>document.querySelectorAll('button').forEach((one) => { one.onclick = () => {
        v.textContent = one.textContent === 'Imports' ? 'imports 20' : 'exports 16'; }; });</script>";
    let capture = see_with(html, &interaction("Exports", "Imports")).await;
    let (before, after) = texts(&capture);
    assert_eq!(before, "Exports Imports exports 16");
    assert_eq!(after, "Exports Imports imports 20");
    assert_eq!(capture.notes, Vec::<String>::new());
}

#[tokio::test]
async fn the_control_of_a_section_is_found_by_the_label_in_front_of_it() {
    // The same dropdown twice; its choices are in the page all the time, hidden. The page fades by a timer.
    let section = |name: &str| {
        format!(
            "<section><h2>{name} in 2024</h2><div><div>Trade Flow</div><div class=b style='cursor:pointer'>
             <span style='display:block'>Gross</span><span>▾</span></div><ul style='display:none'><li>Gross</li>
             <li>Net</li></ul></div><p>{name} Gross</p></section>"
        )
    };
    let script = "<script>document.querySelectorAll('section').forEach((one) => {
      const [list, shown, value] = ['ul', 'span', 'p'].map((tag) => one.querySelector(tag));
      one.querySelector('.b').onclick = () => { list.style.display = 'block'; };
      list.onclick = (event) => {
        shown.textContent = event.target.textContent;
        list.style.display = 'none';
        const name = one.querySelector('h2').textContent.split(' ')[0];
        setTimeout(() => { value.textContent = name + ' ' + shown.textContent; }, 350);
      }; });</script>";
    let html = format!("{}{}{script}", section("Basket"), section("Complexity"));
    let mut bench = Bench::lent(&[("/", &html)]).await;
    let mut options = interaction("Trade Flow", "Net");
    options.interactions[0].within = Some("Complexity in {}".into());
    let capture = bench.see("/", &options).await;
    let (before, after) = texts(&capture);
    assert!(before.contains("Basket Gross") && before.ends_with("Complexity Gross"), "{before}");
    assert!(after.contains("Basket Gross") && after.ends_with("Complexity Net"), "{after}");
    assert_eq!(capture.notes, Vec::<String>::new());
    options.interactions[0].within = Some("Absent {}".into());
    let capture = bench.see("/", &options).await;
    assert!(capture.states.is_empty() && capture.notes[0].contains("Absent"), "{:?}", capture.notes);
    bench.finish().await;
}

#[tokio::test]
async fn a_control_that_is_missing_is_a_note() {
    let mut bench = Bench::lent(&[("/", DROPDOWN)]).await;
    let missing = bench.see("/", &interaction("Currency", "Euro")).await;
    assert!(missing.states.is_empty());
    assert!(missing.notes.iter().any(|note| note.contains("Currency")), "{:?}", missing.notes);
    let missing = bench.see("/", &interaction("Gross", "Balance")).await;
    assert!(missing.states.is_empty());
    assert!(missing.notes.iter().any(|note| note.contains("Balance")), "{:?}", missing.notes);
    bench.finish().await;
}

#[tokio::test]
async fn layers_over_the_page_are_left_by_the_least_consenting_way() {
    let html = r#"<h1>Kenya</h1><p id=log></p>
      <div class=bar style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#eee">We use cookies
        <button>Accept all</button><button>Reject all</button></div>
      <div class=tour style="position:fixed;inset:0;background:rgba(0,0,0,.5)"><div>Learn to read the product space
        <button>Next</button><button>Skip the tutorial</button></div></div>
      <p>Sector chips <button class=chip>×</button></p>
      <script>document.querySelectorAll('button').forEach((one) => { one.onclick = () => {
        log.textContent += '[' + one.textContent + ']'; one.closest('.bar,.tour,.chip').remove(); }; });</script>"#;
    let capture = see(html).await;
    let text = visible_text(&capture.html);
    assert!(
        text.contains("[Skip the tutorial]") && text.contains("[Reject all]"),
        "{text} {:?}",
        capture.notes
    );
    assert!(!text.contains("[Accept all]") && text.contains("Sector chips ×"), "{text}");
    assert_eq!(capture.notes.iter().filter(|note| note.contains("dismissed")).count(), 2);
}

#[tokio::test]
async fn an_application_in_one_fixed_element_is_no_layer() {
    let html = r#"<div style="position:fixed;inset:0;overflow:auto"><h1>Kenya</h1><button onclick="this.remove()">×</button>
      <p>Exports were $16.2B.</p></div>"#;
    let capture = see(html).await;
    assert_eq!(visible_text(&capture.html), "Kenya × Exports were $16.2B.");
    assert_eq!(capture.notes, Vec::<String>::new());
}
