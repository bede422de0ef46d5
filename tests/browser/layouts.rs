//! What stands where and whether it shows: masks, cards that turn, figures in pieces, badges and chips.

use atlas_gt::extract::Page;
use scraper::Html;

use crate::bench::{pick, see, visible_text};

#[tokio::test]
async fn what_a_mask_leaves_nothing_of_is_marked() {
    let html = r#"<style>div{position:relative;width:400px;height:40px} i{display:inline-block;width:16px;height:16px}</style>
      <div style="mask-image:linear-gradient(transparent,transparent)">nothing 1</div>
      <div style="-webkit-mask-image:linear-gradient(rgba(0,0,0,.02),transparent)">nothing 2</div>
      <div style="mask:url(#none)">picture 1</div>
      <div style="mask-image:url('data:image/svg+xml,<svg/>')"><p>picture 2</p></div>
      <div style="-webkit-mask-box-image:linear-gradient(transparent,transparent)">border 1</div>
      <div style="mask-image:linear-gradient(to right,transparent 60%,black 60%)">left 1</div>
      <div style="mask-image:linear-gradient(to right,black 60%,transparent 60%)">left seen</div>
      <div style="mask-image:linear-gradient(black,black);mask-size:1px 1px;mask-repeat:no-repeat">small 1</div>
      <div style="mask-image:radial-gradient(transparent 10%,black)">round 1</div>
      <div style="mask-image:radial-gradient(rgba(0,0,0,.5),black)">round seen</div>
      <div style="mask-image:none">plain</div>
      <div style="mask-image:linear-gradient(to bottom,black 90%,transparent)">fading</div>
      <div style="mask-image:linear-gradient(to right,transparent,black 4px,black calc(100% - 4px),transparent)"><p style="margin-left:9px">sides</p></div>
      <div style="overflow:auto;mask-image:linear-gradient(to bottom,black 90%,transparent)"><p>first</p><p>second</p><p>third</p></div>
      <div style="overflow:auto;mask-image:linear-gradient(to right,transparent 60%,black 60%)"><p>one 1</p><p>two 1</p><p>three 1</p></div>
      <p id=icon><i style="mask:url(#none);background:#333"></i>with an icon</p>
      <svg width=90 height=20><mask id=none></mask><g mask="url(#none)"><text y=15>drawn 1</text></g></svg>"#;
    let capture = see(html).await;
    assert_eq!(
        visible_text(&capture.html),
        "left seen round seen plain fading sides first second third with an icon"
    );
}

#[tokio::test]
async fn a_card_is_turned_by_any_property_that_turns() {
    let html = r#"<style>.at{position:relative;height:30px;transform-style:preserve-3d}
        .at>*{position:absolute;inset:0;backface-visibility:hidden;background:#fff}</style>
      <div class=at><div>front</div><div style="rotate:y 180deg">back 1</div></div>
      <div class=at style="rotate:y 180deg"><div>back 2</div><div style="rotate:0 1 0 180deg">turned</div></div>
      <div class=at style="rotate:x 180deg"><div>back 3</div><div style="transform:rotateX(180deg)">both</div></div>
      <div class=at><div style="rotate:180deg">upside</div><div style="transform:rotateY(180deg)">back 4</div></div>"#;
    let capture = see(html).await;
    assert_eq!(visible_text(&capture.html), "front turned both upside");
}

fn lines(html: &str) -> Vec<String> {
    Page::parse(html).lines.into_iter().map(|line| line.text).collect()
}

#[tokio::test]
async fn the_pieces_of_one_figure_are_one_line_and_a_clear_gap_parts_two() {
    let html = r#"<style>div{display:flex;font:20px/1.5 Arial}</style>
      <div><span>$</span><span>2,274</span></div>
      <div style="gap:5px"><b>87th</b><small style="font-size:20px">of 145</small></div>
      <div><span>1</span><span>2</span><span>,</span><span>3</span><span>4</span><span>5</span><span>6</span></div>
      <div style="gap:40px"><span>16</span><span>2.5%</span></div>
      <div><span style="flex:1">$5</span><span style="flex:1">28</span></div>
      <div style="flex-direction:column"><span>7</span><span>8</span></div>
      <div style="display:block">about <span style="display:inline-flex"><b>$</b><b>378</b></span> in all</div>
      <div><span>GDP</span><span>$9</span></div>"#;
    let capture = see(html).await;
    let expected = [
        "$2,274",
        "87th of 145",
        "12,3456",
        "16",
        "2.5%",
        "$5",
        "28",
        "7",
        "8",
        "about $378 in all",
        "GDP",
        "$9",
    ];
    assert_eq!(lines(&capture.html), expected);
}

#[tokio::test]
async fn badges_at_labels_and_chips_are_told_by_their_look() {
    let html = r#"<style>.badge{background:#ddd;border-radius:9px;padding:0 5px;margin-left:6px;font-size:.7em}</style>
      <p id=badge>Diversity Rank <span class=badge>3</span></p>
      <p id=raised>Diversity Rank<span style="font-size:.6em;vertical-align:super">3</span></p>
      <p id=flex style="display:flex">Diversity Rank<span class=badge>3</span></p>
      <p id=plain>Diversity Rank <span>3</span></p>
      <p id=value>Added <span class=badge>3</span> products</p>
      <p id=chip>28 <span class=badge>New</span></p>
      <p id=alone><span class=badge>New</span></p>"#;
    let capture = see(html).await;
    let document = Html::parse_document(&capture.html);
    let looks = |id: &str| pick(&document, &format!("#{id} span")).attr("data-agt-chip").map(str::to_owned);
    let found = ["badge", "raised", "flex", "plain", "value", "chip", "alone"].map(looks);
    let found = found.iter().map(Option::as_deref).collect::<Vec<_>>();
    let (note, chip) = (Some("note"), Some("chip"));
    assert_eq!(found, [note, note, note, None, chip, chip, None]);
}
