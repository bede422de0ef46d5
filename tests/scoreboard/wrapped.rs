//! Right answers in harmless wrapping: talk around them, other forms of the same number, other contexts beside them.

use atlas_gt::value::Unit;

use crate::figures::Label::Right;
use crate::generated::{Bases, Change, Draw, Made, Maker, Single};
use crate::records::{self, Question};
use crate::wording::verbatim;

/// Right answers of every kind.
pub fn made() -> Vec<Made> {
    let bases = Bases::new();
    let mut maker = Maker { bases: &bases, draw: Draw::seeded(), made: Vec::new() };
    talk(&mut maker);
    numbers(&mut maker);
    beside(&mut maker);
    lists(&mut maker);
    maker.made
}

fn any(_: &Single) -> bool {
    true
}

/// Greetings, offers, sources, labels, headings.
fn talk(maker: &mut Maker<'_>) {
    maker.templates(
        "talk before it",
        Right,
        5,
        any,
        &[
            "Sure! {s}",
            "Great question! {s}",
            "Here is what I found:\n\n{s}",
            "I looked this up on the Atlas of Economic Complexity. {s}",
            "Thanks for your patience. {s}",
            "Let me check… Done. {s}",
            "Good news: the Atlas has this figure. {s}",
            "According to the Atlas of Economic Complexity, {t}.",
            "Based on the data that I retrieved, {t}.",
            "From what the page displays, {t}.",
            "To answer your question: {t}.",
            "The tool returned one row. {s}",
        ],
    );
    maker.templates(
        "talk behind it",
        Right,
        5,
        any,
        &[
            "{s} Shall I compare this with another country?",
            "{s}\n\nWould you like a chart?",
            "{s} Let me know if you need anything else!",
            "{s}\n\n*Source: Atlas of Economic Complexity, Harvard Growth Lab.*",
            "{s} This reflects strong demand.",
            "{s} Happy to dig deeper.",
            "{s}\n\n[Atlas](https://atlas.hks.harvard.edu/countries/404)",
            "{s} Hope that helps 🙂",
            "{s} The data come from UN Comtrade and are cleaned by the Growth Lab.",
            "{s}\n\n**Confidence:** high",
            "{s} I can also look at other years.",
            "{s} It is quite a remarkable figure.",
        ],
    );
    maker.templates(
        "a label",
        Right,
        6,
        any,
        &[
            "**Short answer:** {v}\n\n{s}",
            "TL;DR: {s}",
            "In short: {s}",
            "**Answer:** {v}",
            "Answer: {v}",
            "The answer is {v}.",
            "Result: **{v}**",
            "✅ {s}",
            "### Result\n\n{s}",
            "> {s}",
            "Final answer: {v}",
            "{s}\n\nFinal answer: {v}",
            "{q}\n\n{s}",
            "Q: {q}\nA: {v}",
            "{\"answer\": \"{v}\"}",
            "- {s}",
            "1. I opened the page.\n2. I read the figure.\n\n{s}",
            "Step 1: open the page. Step 2: read the figure.\n\n**{v}**",
        ],
    );
}

/// The same number otherwise written.
fn numbers(maker: &mut Maker<'_>) {
    let dollars = |single: &Single| -> Option<(String, &'static str)> {
        let number = single.value.strip_prefix('$').filter(|_| single.unit == Some(Unit::Usd))?;
        [("B", "billion"), ("M", "million"), ("T", "trillion")]
            .into_iter()
            .find_map(|(sign, word)| Some((number.strip_suffix(sign)?.to_owned(), word)))
    };
    let money = |form: &'static str| {
        move |single: &Single| {
            let (number, scale) = dollars(single)?;
            Some(single.value_as(|_| form.replace("{n}", &number).replace("{s}", scale)))
        }
    };
    let forms: Vec<_> = [
        "${n} {s}",
        "US${n} {s}",
        "USD {n} {s}",
        "{n} {s} US dollars",
        "{n} {s} dollars",
        "**${n} {s}**",
        "\\${n} {s}",
        "about ${n} {s}",
        "roughly ${n} {s}",
        "exactly ${n} {s}",
    ]
    .map(money)
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("an amount in other words", Right, 9, &changes);
    let percent = |form: &'static str| {
        move |single: &Single| {
            let number = single.value.strip_suffix('%').filter(|_| single.unit == Some(Unit::Percent))?;
            Some(single.value_as(|_| form.replace("{n}", number)))
        }
    };
    let forms: Vec<_> =
        ["{n} percent", "{n} per cent", "{n} %", "**{n}%**", "about {n}%", "`{n}%`", "{n}\\%"]
            .map(percent)
            .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("a percentage in other words", Right, 9, &changes);
    let rank = |form: &'static str| {
        move |single: &Single| {
            let (place, total) =
                single.value.split_once(" of ").filter(|_| single.unit == Some(Unit::Rank))?;
            let number: String = place.chars().filter(char::is_ascii_digit).collect();
            let text = form.replace("{p}", place).replace("{n}", &number).replace("{t}", total);
            Some(text.replace("{c}", &single.country))
        }
    };
    let forms: Vec<_> = [
        "{c} ranks {p}.",
        "{c} is {p} out of {t} countries.",
        "{p}",
        "#{n}",
        "No. {n} of {t}",
        "Rank {n} (of {t}).",
        "{c} comes in {p} among {t} countries.",
        "{n}/{t}",
        "It holds place {n} of {t}.",
    ]
    .map(rank)
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("a place in other words", Right, 7, &changes);
}

/// Other contexts and corrected slips beside it.
fn beside(maker: &mut Maker<'_>) {
    let measured =
        |single: &Single| single.is_level() && !single.value.contains('-') && single.unit != Some(Unit::Rank);
    maker.templates(
        "another context beside it",
        Right,
        9,
        measured,
        &[
            "{s} In 1999 it was {w}.",
            "{s} For comparison, {o} stands at {w}.",
            "{s} (1999: {w})",
            "In 1999 the figure was {w}. {s}",
            "While {o} shows {w}, for {c} it is {v}.",
            "| Country | {m} |\n|---|---|\n| {c} | {v} |\n| {o} | {w} |",
        ],
    );
    maker.templates(
        "a slip put right",
        Right,
        9,
        measured,
        &[
            "At first I got {w}. After checking again, the correct value is {v}.",
            "{w}? No, it is {v}.",
            "It is not {w} but {v}.",
            "~~{w}~~ {v}",
            "I first read {w}, which was the wrong row. The right figure is {v}.",
            "Correction: it is {v}, not {w}.",
            "Some sources say {w}. The Atlas says {v}.",
        ],
    );
}

/// Lists and several points with talk around them.
fn lists(maker: &mut Maker<'_>) {
    let wrappers = [
        "Here you go:\n\n{}",
        "{}\n\nShall I compare this with another country?",
        "Based on the Atlas:\n\n{}\n\nLet me know if you need more.",
        "## Result\n\n{}\n\n*Source: Atlas of Economic Complexity.*",
        "{}\n\nThe figures are those that the page displays.",
    ];
    let several = |question: &&'static Question| {
        let rows = &question.stored.record.results.data;
        rows.len() > 1 && rows.iter().all(|row| row.text("sectors").is_none())
    };
    for question in records::all().iter().filter(several) {
        let wordings = verbatim(question);
        if wordings.is_empty() {
            continue;
        }
        let forms: Vec<_> = wordings
            .iter()
            .filter(|wording| !matches!(wording.form, "json" | "json rows" | "latex"))
            .collect();
        for _ in 0..2 {
            let wording = *maker.draw.pick(&forms);
            let text = maker.draw.pick(&wrappers).replace("{}", &wording.text);
            maker.made.push(Made { question, kind: "several values in talk", label: Right, text });
        }
    }
}
