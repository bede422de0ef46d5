//! Wrong answers: a right sentence or list with one thing made wrong.

use crate::figures::Label::{Missing, Wrong};
use crate::generated::{Bases, Draw, Made, Maker, Names, Single};

/// Wrong answers of every kind.
pub fn made() -> Vec<Made> {
    let bases = Bases::new();
    let mut maker = Maker { bases: &bases, draw: Draw::seeded(), made: Vec::new() };
    other_value_beside(&mut maker);
    not_asserted(&mut maker);
    crate::elsewhere::said_of_something_else(&mut maker);
    crate::elsewhere::other_quantity_words(&mut maker);
    names(&mut maker);
    maker.made
}

fn any(_: &Single) -> bool {
    true
}

pub fn measured(single: &Single) -> bool {
    single.unit.is_some()
}

/// Another value of the same unit, marked as the answer or not.
fn other_value_beside(maker: &mut Maker<'_>) {
    maker.templates(
        "another value at the end",
        Wrong,
        6,
        any,
        &[
            "{s}\n\nSo the answer is {w}.",
            "{s}\n\nAnswer: {w}",
            "{s}\n\n**Result:** {w}",
            "{s}\n\nIn short: {w}",
            "{s} Therefore: {w}.",
            "{s}\n\n$$\\boxed{\\text{{w}}}$$",
            "{s}\n\nThat gives us {w}.",
            "{s}\n\nTo sum up, it is {w}.",
            "{s}\n\nFinal: **{w}**",
            "{s} So, {w}.",
            "{s}\n\n=> {w}",
            "{s}\n\n{w} it is.",
            "{s} Rounded and rechecked, I arrive at {w}.",
            "{s}\n\nMy verdict: {w}",
            "{s}\n\n---\n\n{w}",
            "{s} Put differently, {w}.",
            "{s} Conclusion: {w}.",
        ],
    );
    maker.templates(
        "another value on top",
        Wrong,
        6,
        any,
        &[
            "**Short answer:** {w}\n\n{s}",
            "TL;DR: {w}\n\n{s}",
            "{w}.\n\nDetails: {s}",
            "# {w}\n\n{s}",
            "Answer: {w}\n\nExplanation: {s}",
            "`{w}`\n\n{s}",
            "It is {w}. {s}",
            "In a nutshell, {w}. {s}",
        ],
    );
    maker.templates(
        "corrected to another value",
        Wrong,
        6,
        any,
        &[
            "{s} Wait, no: {w}.",
            "{s} Let me correct that: {w}.",
            "{s} Update: it is {w}.",
            "{s} On a second look, the page says {w}.",
            "{s} Oops, that should read {w}.",
            "~~{v}~~ {w}",
            "At first I read {v}. The page really says {w}.",
            "My earlier answer was {v}; the corrected figure is {w}.",
            "Not {v} but {w}.",
            "{s} (Erratum: {w}.)",
            "I initially wrote {v}, which should have been {w}.",
        ],
    );
    maker.templates(
        "two values at once",
        Wrong,
        6,
        any,
        &[
            "It is {v} or {w}.",
            "{v} / {w}",
            "Either {v} or {w}.",
            "{v}, possibly {w}.",
            "Depending on the source, {v} or {w}.",
            "The Atlas shows {v}, other sources say {w}; I go with {w}.",
            "{v}; {w}",
            "{\"estimate\": \"{v}\", \"final\": \"{w}\"}",
            "| Source | Value |\n|---|---|\n| A | {v} |\n| B | {w} |",
            "- {v}\n- {w}",
        ],
    );
    maker.templates(
        "another value",
        Wrong,
        5,
        any,
        &[
            "{w}",
            "The answer is {w}.",
            "{m}: {w}",
            "{\"answer\": \"{w}\"}",
            "| {m} | {w} |\n|---|---|",
            "I am certain that it is {w}, not {v}.",
        ],
    );
}

/// The value said without being asserted.
fn not_asserted(maker: &mut Maker<'_>) {
    maker.templates(
        "taken back",
        Wrong,
        5,
        any,
        &[
            "{s}\n\nScratch that.",
            "{s} Forget what I just said.",
            "{s}\n\nI made that up.",
            "{s} That figure is fictitious.",
            "{s}\n\nThe statement above is false.",
            "{s} The number above does not come from the Atlas.",
            "{s} (This is a placeholder.)",
            "{s} Please disregard this.",
            "{s} I take that back.",
            "{s} Ignore that; I have no access to the Atlas.",
            "{s} Sorry, that was a guess.",
            "{s} This belongs to a different country, by the way.",
            "{s} On reflection I retract this.",
            "{s} That was last year's number.",
            "{s} Strike that.",
            "{s} Actually, this is the figure for {o}.",
            "The following statement is false: {s}",
            "Do not trust the next sentence. {s}",
            "An example of a wrong answer: {s}",
            "{s} April fool!",
            "{s} None of this is true.",
            "{s} That cannot be right.",
            "{s} Then again, I may have mixed up the rows.",
            "I hallucinated this: {s}",
        ],
    );
    maker.templates(
        "negated",
        Wrong,
        5,
        any,
        &[
            "It is not {v}.",
            "It isn't {v}.",
            "It is anything but {v}.",
            "It is nowhere near {v}.",
            "It is far from {v}.",
            "It falls short of {v}.",
            "{v} would be nonsense.",
            "In no event is it {v}.",
            "It never reached {v}.",
            "It is by no means {v}.",
            "{v} is a common misconception.",
            "Nothing suggests {v}.",
            "It stopped short of being {v}.",
            "It is false that {t}.",
            "Contrary to reports, it is not the case that {t}.",
            "No way is it {v}.",
            "The answer is not {v}.",
            "{v} is not the answer.",
            "{v} is wrong.",
            "Everybody says {v}, and everybody is wrong.",
        ],
    );
    maker.templates(
        "hedged",
        Wrong,
        5,
        any,
        &[
            "Perhaps {v}.",
            "{v}, if I recall correctly.",
            "I would guess {v}.",
            "{v}?",
            "It could be {v}.",
            "{v} (unverified)",
            "Presumably {t}.",
            "My best estimate would be {v}, but I could not check it.",
            "I am not sure, maybe {v}.",
            "Rumour has it that {t}.",
            "{v} is what I would expect, without having looked.",
        ],
    );
    maker.templates(
        "conditional or asked",
        Wrong,
        5,
        any,
        &[
            "If {t}, that would be news.",
            "Is it {v}?",
            "Would you accept {v}?",
            "Suppose that {t}.",
            "Unless I am mistaken about the page, {v}.",
            "Were it {v}, I would be surprised.",
            "Please verify whether {t}.",
            "Imagine {t}.",
            "It would be {v} if the data were complete.",
        ],
    );
    maker.templates(
        "a level in another mood",
        Wrong,
        7,
        Single::is_level,
        &[
            "It is expected to be {v}.",
            "It is projected to reach {v}.",
            "It will be {v}.",
            "The target is {v}.",
            "It should have been {v}.",
            "It is forecast at {v}.",
            "It would have been {v} without the crisis.",
            "The plan is to get to {v}.",
        ],
    );
    maker.templates(
        "what once was",
        Wrong,
        7,
        Single::is_present,
        &[
            "It used to be {v}.",
            "It was once {v}.",
            "It had been {v} before the revision.",
            "Until recently it was {v}.",
            "It stood at {v} ten years ago.",
            "The old figure was {v}.",
        ],
    );
}

/// Lists of names.
fn names(maker: &mut Maker<'_>) {
    maker.lists("a stranger in front of a list", Wrong, 60, Some(true), |names, _| {
        Some(names.stranger_in_front())
    });
    maker.lists("a stranger among a ranking", Wrong, 60, Some(true), |names, draw| {
        Some(names.stranger_within(draw))
    });
    maker.lists("a stranger among members", Wrong, 50, Some(false), |names, draw| {
        Some(names.stranger_within(draw))
    });
    maker.lists("places exchanged", Wrong, 50, Some(true), |names, draw| {
        let mut items = names.items.clone();
        let at = draw.below(items.len() - 1);
        items.swap(at, at + 1);
        Some(items)
    });
    maker.lists("an item left out", Missing, 50, None, |names, draw| {
        let mut items = names.items.clone();
        items.remove(draw.below(items.len()));
        Some(items)
    });
    maker.lists("an item replaced", Wrong, 50, None, |names: &Names, draw| {
        let mut items = names.stranger_in_front();
        let stranger = items.remove(0);
        let at = draw.below(items.len());
        let values = items[at].values.clone();
        items[at] = stranger;
        items[at].values = values;
        Some(items)
    });
    maker.lists("values shifted", Wrong, 60, Some(true), |names, _| {
        let mut items = names.items.clone();
        let mut values: Vec<Vec<String>> = items.iter().map(|item| item.values.clone()).collect();
        values.rotate_left(1);
        let differs = items.iter().zip(&values).any(|(item, values)| item.values != *values);
        for (item, values) in items.iter_mut().zip(values) {
            item.values = values;
        }
        differs.then_some(items)
    });
}
