//! The annotations of captured markup, and screenshots.

use atlas_gt::acquire::{PageSource, ScreenshotArea, SnapshotOptions, VisitError};
use scraper::Html;
use serde_json::Value as Json;

use crate::bench::{Bench, pick, see, still, visible_text};

#[tokio::test]
async fn what_a_person_cannot_see_is_marked() {
    let html = r#"<style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>
      <p>shown</p><p style="display:none">none</p><p style="visibility:hidden">hidden <b style="visibility:visible">again</b></p>
      <div style="opacity:0"><p>clear</p></div><div style="height:0;overflow:hidden">folded</div>
      <span class=sr>spoken</span><div style="position:absolute;left:-9999px">far</div>
      <details><summary>more</summary><p>closed</p></details>
      <div style="display:contents">contents</div><div style="height:0">spills</div>
      <div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">a long name that is cut</div>
      <select><option>Gross<option selected>Net</select><input value="42"><noscript>noscript</noscript>
      <script>document.title = 'titled'</script>"#;
    let capture = see(html).await;
    assert_eq!(visible_text(&capture.html), "shown again more contents spills a long name that is cut Net");
    let document = Html::parse_document(&capture.html);
    assert_eq!(pick(&document, "select").attr("data-agt-value"), Some("Net"));
    assert_eq!(pick(&document, "input").attr("data-agt-value"), Some("42"));
    assert_eq!(capture.title, "titled");
    assert!(!capture.html.contains("<script"));
}

#[tokio::test]
async fn display_font_box_and_added_text_are_annotated() {
    let html = r#"<style>body{margin:0} .up::before{content:"↑"} .year::after{content:" (" attr(data-year) ")"}
      .off::before{content:"never";display:none}</style>
      <div id=plain style="font-size:24px;height:30px;width:200px">text</div>
      <div id=inline style="display:inline-block">x</div><span id=block style="display:block">y</span>
      <span id=up class=up>3 positions</span><span id=year class="year off" data-year=2024>GDP</span>
      <p id=para>one<div>two</div></p><div id=host></div>
      <iframe srcdoc="<p>framed</p>"></iframe>
      <span id=forged data-agt-d=n data-agt-box="1,1,1,1">honest</span>
      <script>
        host.attachShadow({ mode: 'open' }).innerHTML = '<b>shadow <slot></slot></b>';
        host.textContent = 'light';
        const nested = document.createElement('p');
        nested.id = 'nested';
        nested.appendChild(document.createElement('div')).textContent = 'inside';
        document.body.append(nested);
      </script>"#;
    let capture = see(html).await;
    let document = Html::parse_document(&capture.html);
    let plain = pick(&document, "#plain");
    assert_eq!(plain.attr("data-agt-d"), None);
    assert_eq!(plain.attr("data-agt-font"), Some("24"));
    assert_eq!(plain.attr("data-agt-box"), Some("0,0,200,30"));
    assert_eq!(pick(&document, "#inline").attr("data-agt-d"), Some("i"));
    assert_eq!(pick(&document, "#block").attr("data-agt-d"), Some("b"));
    assert_eq!(pick(&document, "#up").attr("data-agt-before"), Some("↑"));
    assert_eq!(pick(&document, "#year").attr("data-agt-after"), Some(" (2024)"));
    assert_eq!(pick(&document, "#year").attr("data-agt-before"), None);
    assert_eq!(pick(&document, "#nested").attr("data-agt-tag"), Some("p"));
    assert_eq!(pick(&document, "#nested > div").inner_html(), "inside");
    assert_eq!(pick(&document, "#host b").text().collect::<String>(), "shadow light");
    assert_eq!(pick(&document, "[data-agt-tag=iframe] p").inner_html(), "framed");
    let forged = pick(&document, "#forged");
    assert_eq!(forged.attr("data-agt-d"), None);
    assert_ne!(forged.attr("data-agt-box"), Some("1,1,1,1"));
}

#[tokio::test]
async fn what_a_style_sheet_adds_is_found_wherever_its_rule_stands() {
    let readable = r#"<style>
        *, ::before, ::after { box-sizing: border-box }
        @media (min-width: 1px) { @supports (display: block) { .media::before { content: "m" } } }
        .child > ::after { content: "c" }
        .first::before, .second:not(.third)::before { content: "l" }
        .x\:before::before { content: "e" } .old:after { content: "o" }
      </style>
      <i id=media class=media>1</i><div class=child><i id=child>2</i></div><i id=first class=first>3</i>
      <i id=second class=second>4</i><i id=escaped class="x:before">5</i><i id=old class=old>6</i>
      <i id=adopted class=adopted>7</i><i id=inserted class=inserted>8</i><div id=host><i id=light>9</i></div>
      <script>
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('.adopted::before { content: "a" }');
        document.adoptedStyleSheets = [sheet];
        document.styleSheets[0].insertRule('.inserted::before { content: "i" }');
        host.attachShadow({ mode: 'open' }).innerHTML = '<style>::slotted(i)::before { content: "s" }</style><slot></slot>';
      </script>"#;
    let nested = "<style>.outer { &::before { content: 'n' } }</style><i id=outer class=outer>1</i>";
    let imported =
        "<style>@import 'data:text/css,.far::before{content:\"f\"}';</style><i id=far class=far>1</i>";
    let scoped = "<style>@scope (div) { :scope::before { content: 's' } }</style><div id=scoped>1</div>";
    let conditional = "<style>.when::before { @media (min-width: 1px) { content: 'w' } }</style><i id=when class=when>1</i>";
    let pages = [
        ("/", readable),
        ("/nested", nested),
        ("/imported", imported),
        ("/scoped", scoped),
        ("/conditional", conditional),
    ];
    let mut bench = Bench::lent(&pages).await;
    let added = [
        ("/", vec![("media", "m"), ("first", "l"), ("second", "l"), ("escaped", "e")]),
        ("/", vec![("adopted", "a"), ("inserted", "i"), ("light", "s")]),
        ("/nested", vec![("outer", "n")]),
        ("/imported", vec![("far", "f")]),
        ("/scoped", vec![("scoped", "s")]),
        ("/conditional", vec![("when", "w")]),
    ];
    for (path, added) in added {
        let capture = bench.see(path, &still()).await;
        let document = Html::parse_document(&capture.html);
        for (id, text) in added {
            assert_eq!(pick(&document, &format!("#{id}")).attr("data-agt-before"), Some(text), "{id}");
        }
        if path == "/" {
            assert_eq!(pick(&document, "#child").attr("data-agt-after"), Some("c"));
            assert_eq!(pick(&document, "#old").attr("data-agt-after"), Some("o"));
            assert_eq!(pick(&document, "#media").attr("data-agt-after"), None);
        }
    }
    bench.finish().await;
}

#[tokio::test]
async fn marks_without_text_carry_their_look() {
    let html = r#"<style>.d span{display:inline-block;width:10px;height:10px;rotate:45deg;border:2px solid #888}
      .tri{width:0;height:0;border:5px solid transparent;border-bottom:8px solid green}</style>
      <div class=d><span id=full style="background:#888"></span><span id=none></span>
      <span id=half style="background:linear-gradient(90deg,#888 50%,transparent 50%)"></span></div>
      <div id=tri class=tri></div>
      <svg id=arrow width=12 height=12 style="transform:rotate(180deg)"><path id=path d="M0 12L6 0L12 12Z" fill="red"/></svg>
      <svg id=chart width=400 height=300><path id=line d="M0 0L5 5" stroke="blue"/></svg>"#;
    let capture = see(html).await;
    let document = Html::parse_document(&capture.html);
    let mark = |selector: &str| -> Json {
        serde_json::from_str(pick(&document, selector).attr("data-agt-mark").expect(selector)).unwrap()
    };
    assert_eq!(mark("#full")["bg"], "rgb(136, 136, 136)");
    assert_eq!(mark("#none")["bg"], "rgba(0, 0, 0, 0)");
    assert_eq!(mark("#none")["bd"], "2px solid rgb(136, 136, 136)");
    assert_eq!(mark("#none")["tf"], "matrix(0.707107, 0.707107, -0.707107, 0.707107, 0, 0)");
    assert_eq!(mark("#none")["size"], serde_json::json!([14, 14]));
    assert!(mark("#half")["bgi"].as_str().unwrap().starts_with("linear-gradient"));
    assert!(mark("#tri")["bd"].as_str().unwrap().contains("8px solid rgb(0, 128, 0)"));
    assert_eq!(mark("#arrow")["tf"], "matrix(-1, 0, 0, -1, 0, 0)");
    assert_eq!(mark("#path")["fill"], "rgb(255, 0, 0)");
    assert!(pick(&document, "#line").attr("data-agt-mark").is_none(), "a chart's lines are no marks");
    // each is written once, and where it stands is its number
    let numbers: Vec<_> = document
        .select(&scraper::Selector::parse("[data-agt-marks]").unwrap())
        .map(|marks| marks.attr("data-agt-marks").unwrap())
        .collect();
    assert_eq!(numbers, ["0 1", "2", "3", "4"]);
    let marks = scraper::Selector::parse("[data-agt-mark]").unwrap();
    assert_eq!(document.select(&marks).count(), 6, "five marks and the path of an arrow");
    assert_eq!(visible_text(&capture.html), "");
}

#[tokio::test]
async fn a_large_page_is_brought_over_whole_and_can_be_replayed() {
    let html = "<div id=all></div><script>all.innerHTML = Array.from({ length: 1250 }, (_, i) =>
      `<div class=row><span>Row ${i}</span><b>$${i}M</b><i></i></div>`).join('')</script>";
    let mut bench = Bench::lent(&[("/", html)]).await;
    bench.session.open(&bench.site.at("/")).await.unwrap();
    let options = SnapshotOptions { scroll: false, ..still() };
    bench.session.snapshot(&options).await.unwrap();
    let capture = bench.session.snapshot(&options).await.unwrap();
    assert!((0..1250).all(|row| capture.html.contains(&format!("Row {row}<"))));
    let replayed: atlas_gt::capture::Capture =
        serde_json::from_str(&serde_json::to_string(&capture).unwrap()).unwrap();
    assert_eq!(replayed, capture);
    bench.finish().await;
}

/// Width and height from a PNG's header.
fn png_size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn screenshots_show_the_window_the_page_or_a_part() {
    let html = "<style>body{margin:0}</style><div style='height:2500px'>tall</div>";
    let mut bench = Bench::start(&[("/", html)]).await;
    assert_eq!(bench.session.screenshot(ScreenshotArea::Viewport).await, Err(VisitError::NothingOpen));
    bench.session.open(&bench.site.at("/")).await.unwrap();
    let mut size = async |area| png_size(&bench.session.screenshot(area).await.unwrap());
    assert_eq!(size(ScreenshotArea::Viewport).await, (1440, 1000));
    assert_eq!(size(ScreenshotArea::FullPage).await, (1440, 2500));
    assert_eq!(size(ScreenshotArea::Box { x: 10.0, y: 1800.0, width: 120.0, height: 80.0 }).await, (120, 80));
    bench.finish().await;
}

#[tokio::test]
async fn what_stands_behind_or_outside_of_what_is_seen_is_marked() {
    let html = r#"<style>.at{position:relative;height:30px;margin:4px} .at>*{position:absolute;inset:0;background:#fff}
        .show{overflow:hidden;width:200px;height:24px} .show>div{display:flex;width:400px} .show div div{width:200px;height:24px}</style>
      <div class=show><div style="transform:translateX(-200px)"><div>slide 1</div><div>slide two</div></div></div>
      <div class=show><div style="display:block;transform:translateY(-24px)"><div>tall 1</div><div>tall two</div></div></div>
      <div id=moved class=show><div style="display:block"><div>moved 1</div><div>moved two</div></div></div>
      <div style="overflow:hidden;height:20px"><p style="position:absolute;margin:40px 0 0">out of the flow</p></div>
      <div style="overflow:auto;height:20px"><p>scrolls</p><p>far down</p></div>
      <div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"><b>a name</b> <span>that is cut</span></div>
      <div class=at style="transform-style:preserve-3d"><div style="backface-visibility:hidden;transform:rotateY(180deg)">back 1</div>
        <div style="backface-visibility:hidden">front</div></div>
      <div class=at style="transform-style:preserve-3d;transform:rotateY(180deg)"><div style="backface-visibility:hidden">turned 1</div>
        <div style="backface-visibility:hidden;transform:rotateY(180deg)">turned two</div></div>
      <div class=at><div>under 1</div><div style="z-index:1">over</div></div>
      <div class=at><div style="z-index:2">upper</div><div style="z-index:1">lower 1</div></div>
      <div class=at><div>seen</div><div style="background:none">through</div></div>
      <p style="color:transparent">clear 1</p>
      <p style="color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text">gradient</p>
      <p style="text-indent:-9999px">indent 1</p><p style="opacity:.001">faint 1</p><p style="opacity:.5">pale</p>
      <p style="filter:opacity(0)">filter 1</p><p style="clip-path:circle(0)">path 1</p><p style="clip-path:inset(0 0 100% 0)">inset 1</p>
      <p style="clip-path:polygon(0 0,0 0,0 0)">polygon 1</p><p style="clip-path:inset(0 0 10% 0)">part</p>
      <script>moved.scrollTop = 24</script>"#;
    let capture = see(html).await;
    assert_eq!(
        visible_text(&capture.html),
        "slide two tall two moved two out of the flow scrolls far down a name that is cut front turned two over upper \
         seen through gradient pale part"
    );
}

#[tokio::test]
async fn a_visible_gap_in_a_line_is_marked() {
    let html = r#"<style>#chip span{margin-left:8px;padding:1px 6px;background:#e2e8f0}</style>
      <p id=chip>28<span>3</span></p><p id=raised>28<span style="font-size:.6em;vertical-align:super">1</span></p>
      <p id=whole><span>$</span><span>16</span><span style="font-size:.6em">2</span><span style="margin-left:5px">B</span></p>
      <p id=ordinal>38<span style="font-size:.6em;vertical-align:super">th</span> <b>of</b> 145</p>
      <p id=words><b>USD</b><span style="margin-left:4px">$5</span></p>
      <div id=blocks style="display:flex"><span>1</span><span style="margin-left:9px">2</span></div>"#;
    let capture = see(html).await;
    let document = Html::parse_document(&capture.html);
    let gaps = |id: &str| pick(&document, &format!("#{id}")).inner_html().matches("data-agt-gap").count();
    let found = ["chip", "raised", "whole", "ordinal", "words", "blocks"].map(gaps);
    assert_eq!(found, [1, 1, 0, 0, 1, 0]);
}
