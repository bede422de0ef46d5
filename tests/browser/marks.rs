//! Arrows and diamonds as a person sees them, in whatever way a page draws, turns and paints them.

use atlas_gt::extract::Page;

use crate::bench::see;

const UP: &str = "<path d='M4 12l1.41 1.41L11 7.83V20h2V7.83l5.58 5.59L20 12l-8-8-8 8z'/>";

/// What is read of each piece of markup, all of them on one page.
async fn read(pieces: &[String]) -> Vec<String> {
    let body: String = pieces.iter().enumerate().map(|(at, piece)| format!("<p>{at} {piece}</p>")).collect();
    let html = format!(
        "<style>*{{box-sizing:border-box}} b{{display:inline-block}} svg{{width:14px;height:14px}}
         .five{{display:flex}} .five>*{{width:10px;height:10px;margin:3px;border:1px solid #808080}}
         .five>*{{transform:rotate(45deg)}}
         .after>*{{position:relative}} .after>.on::after,.after>.half::after{{content:'';position:absolute;inset:0}}
         .after>.on::after{{background:#808080}}
         .after>.half::after{{background:linear-gradient(135deg,#808080 50%,transparent 50%)}}
         .down::before{{content:'▲';display:inline-block;transform:scaleY(-1)}}</style>{body}"
    );
    let capture = see(html.as_str()).await;
    let page = Page::parse(&capture.html);
    let text = page.text(0..page.lines.len());
    let starts: Vec<usize> = (0..pieces.len())
        .scan(0, |from, at| {
            let start = *from + text[*from..].find(&format!("{at} "))?;
            *from = start;
            Some(start)
        })
        .chain([text.len()])
        .collect();
    assert_eq!(starts.len(), pieces.len() + 1, "{text}");
    starts
        .windows(2)
        .map(|ends| text[ends[0]..ends[1]].split_once(' ').unwrap().1.trim().to_owned())
        .collect()
}

#[tokio::test]
async fn arrows_point_where_all_that_is_around_them_turns_them() {
    let icon = |style: &str| format!("<svg viewBox='0 0 24 24' style='{style}'>{UP}</svg>x");
    let around = |style: &str, inner: &str| format!("<b style='{style}'>{inner}</b>x");
    let svg = format!("<svg viewBox='0 0 24 24'>{UP}</svg>");
    let cases = [
        (icon(""), "↑x"),
        (icon("transform:rotate(180deg)"), "↓x"),
        (icon("rotate:180deg"), "↓x"),
        (icon("rotate:x 180deg"), "↓x"),
        (icon("rotate:1 0 0 180deg"), "↓x"),
        (icon("rotate:y 180deg"), "↑x"),
        (icon("scale:1 -1"), "↓x"),
        (icon("scale:-1 1"), "↑x"),
        (icon("scale:-1"), "↓x"),
        (icon("transform:rotateX(180deg)"), "↓x"),
        (icon("transform:rotate(180deg) translateZ(.1px)"), "↓x"),
        (icon("transform:rotate(90deg)"), "x"),
        (around("transform:rotate(180deg)", &svg), "↓x"),
        (around("transform:rotate(180deg)", &icon("transform:rotate(180deg)")), "↑x x"),
        (around("transform:rotate(180deg)", "▲"), "↓x"),
        (around("transform:rotate(180deg)", &around("scale:1 -1", "▲")), "↑x x"),
        (around("transform:rotateX(180deg)", "<i>▼</i>"), "↑x"),
        (around("transform:rotate(90deg)", "▲"), "x"),
        (around("transform:rotate(10deg)", "▲"), "↑x"),
        ("<span style='transform:rotate(180deg)'>▲</span>x".to_owned(), "↑x"),
        ("<span class=down>x</span>".to_owned(), "↓x"),
        (around("transform-style:preserve-3d;transform:rotateX(120deg)", "<b style='transform:rotateX(60deg)'>▲</b>"), "↓x"),
        (format!("<svg viewBox='0 0 24 24'><path d='M0 0h24v24H0z' fill='none'/>{UP}</svg>x"), "↑x"),
        (format!("<svg viewBox='0 0 24 24'><g transform='rotate(180 12 12)'>{UP}</g></svg>x"), "↓x"),
        ("<b style='width:9px;height:9px;background:#333;clip-path:polygon(50% 0,100% 100%,0 100%)'></b>x".to_owned(), "↑x"),
        ("<b style='width:9px;height:9px;background:#333;clip-path:polygon(0 0,100% 0,50% 100%)'></b>x".to_owned(), "↓x"),
        ("<b style='width:9px;height:9px;background:#333;clip-path:circle(50%)'></b>x".to_owned(), "x"),
        (
            "<svg viewBox='0 0 24 24'><path d='M7 14l5-5 5 5z'/><path d='M7 10l5 5 5-5z' style='display:none'/></svg>x"
                .to_owned(),
            "↑x",
        ),
        (
            "<svg viewBox='0 0 24 24'><path d='M0 0h1v1z' style='fill:none;scale:1 -1'/><path d='M7 14l5-5 5 5z'/></svg>x"
                .to_owned(),
            "↑x",
        ),
    ];
    let pieces: Vec<String> = cases.iter().map(|(piece, _)| piece.clone()).collect();
    let read = read(&pieces).await;
    for ((piece, wanted), read) in cases.iter().zip(read) {
        assert_eq!(read.replace(' ', ""), wanted.replace(' ', ""), "{piece}");
    }
}

/// Five diamonds, of which two are full, one is half and two are empty.
fn five(full: &str, half: &str, empty: &str) -> String {
    format!("<b class=five>{full}{full}{half}{empty}{empty}</b>")
}

#[tokio::test]
async fn diamonds_are_as_full_as_they_look() {
    let styled = |full: &str, half: &str, empty: &str| {
        let one = |style: &str| format!("<i style='{style}'></i>");
        five(&one(full), &one(half), &one(empty))
    };
    let halved = |one: &str, other: &str| format!("background:linear-gradient(135deg,{one} 50%,{other} 50%)");
    let share = |percent: u32| {
        format!("background:linear-gradient(135deg,#808080 {percent}%,transparent {percent}%)")
    };
    let child = |style: &str| format!("<i><b style='display:block;height:100%;{style}'></b></i>");
    let children = |full: &str, half: &str, empty: &str| five(&child(full), &child(half), &child(empty));
    let pale = |style: &str| format!("border-color:transparent;{style}");
    let grey = "background:#808080";
    let drawn = |fill: &str, inner: &str| {
        format!("<svg viewBox='0 0 14 14'><path d='M7 1L13 7 7 13 1 7z' stroke='#888' {fill}/>{inner}</svg>")
    };
    let cases = [
        styled(grey, &halved("#808080", "transparent"), ""),
        styled(&share(100), &share(50), &share(0)),
        styled(
            &pale("background:#606060"),
            &pale(&halved("#606060", "#d9d9d9")),
            &pale("background:#d9d9d9"),
        ),
        styled(
            "background:#606060",
            &halved("#606060", "transparent"),
            "background:#606060;border:0;opacity:.15",
        ),
        styled("box-shadow:inset 0 0 0 6px #808080", "box-shadow:inset 4px 0 #808080", ""),
        styled("background:oklch(.5 .1 200)", &halved("oklch(.5 .1 200)", "#fff"), "background:#fff"),
        children(grey, &format!("{grey};width:50%"), &format!("{grey};width:0")),
        children(grey, &format!("{grey};width:50%;margin-left:auto"), "background:#fff"),
        format!(
            "<b style='background:#223'>{}</b>",
            styled("background:#fff", &halved("#fff", "transparent"), "border-color:#fff")
        ),
        five("<i class=on></i>", "<i class=half></i>", "<i></i>").replace("class=five", "class='five after'"),
        five(
            &drawn("fill='#888'", ""),
            &drawn("fill='none'", "<path d='M7 1L7 13 1 7z' fill='#888'/>"),
            &drawn("fill='none'", ""),
        )
        .replace(" class=five", ""),
        "◆◆⬖◇◇".to_owned(),
        "<b style='color:#555'>◆◆</b><b style='color:#555'>⬖</b><b style='color:#ccc'>◆◆</b>".to_owned(),
    ];
    for (piece, read) in cases.iter().zip(read(&cases).await) {
        assert_eq!(read, "◆◆⬖◇◇", "{piece}");
    }
}

#[tokio::test]
async fn diamonds_that_cannot_be_told_apart_are_no_rating() {
    let styled = |one: &str, other: &str| {
        let (one, other) = (format!("<i style='{one}'></i>"), format!("<i style='{other}'></i>"));
        format!("<b class=five>{one}{one}{one}{other}{other}</b>")
    };
    let child = |style: &str| {
        format!("<i style='overflow:hidden'><b style='display:block;height:100%;{style}'></b></i>")
    };
    let filled = child("background:#808080");
    let drawn = |fill: &str| {
        format!("<svg viewBox='0 0 14 14'><path d='M7 1L13 7 7 13 1 7z' stroke='#888' {fill}/></svg>")
    };
    let cases = [
        styled("background:url(data:,)", ""),
        styled("background:#808080", "background:#808080;filter:opacity(.1)"),
        styled("background:#808080", "background:#808080;clip-path:inset(0 50% 0 0)"),
        styled("background:#606060", "background:#909090"),
        format!("{}{}", drawn("fill='#888'").repeat(3), drawn("fill='url(#x)'").repeat(2)),
        format!(
            "{}{}",
            drawn("fill='#888'").repeat(3),
            drawn("fill='#888' clip-path='inset(0 50% 0 0)'").repeat(2)
        ),
        styled("", "background:#808080"),
        format!(
            "<b class=five>{filled}{filled}{}{}{}</b>",
            child(""),
            child(""),
            child("background:#808080;transform:scaleX(.5)")
        ),
        format!(
            "<b class=five>{filled}{filled}{filled}{}{}</b>",
            child("background:#808080;width:75%"),
            child("")
        ),
        format!("<b style='background:linear-gradient(#000,#222)'>{}</b>", styled("background:#fff", "")),
        "<b style='color:#555'>◆◆◆</b><b style='color:#888'>◆◆</b>".to_owned(),
        "<b class=five><i></i><i></i><i></i><i></i><i></i></b>".to_owned(),
    ];
    let mut pieces = cases.to_vec();
    // what can be told beside them still is
    pieces.push(styled("background:#808080", ""));
    let read = read(&pieces).await;
    let (last, read) = read.split_last().unwrap();
    assert_eq!(last, "◆◆◆◇◇");
    for (piece, read) in cases.iter().zip(&read[..cases.len() - 1]) {
        assert_eq!(read, "◆?◆?◆?◆?◆?", "{piece}");
    }
    assert_eq!(read[cases.len() - 1], "◇◇◇◇◇", "nothing in any of five, beside others that show something");
}
