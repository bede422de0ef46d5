//! Wrong answers that say the right number of another thing: another country, partner, period, measure, unit, scale or sign.

use atlas_gt::value::Unit;

use crate::figures::Label::Wrong;
use crate::generated::{Change, Maker, Single, other_country};
use crate::laws::ordinal;
use crate::wording::statement;
use crate::wrong::measured;

/// The value said of another thing.
pub fn said_of_something_else(maker: &mut Maker<'_>) {
    let replaced = |single: &Single, from: &str, to: &str| {
        let text = &single.text;
        (!from.is_empty() && text.contains(from)).then(|| text.replacen(from, to, 1))
    };
    let country = |form: &'static str| {
        move |single: &Single| {
            let to = form.replace("{c}", &single.country).replace("{o}", other_country(single));
            replaced(single, &single.country, &to)
        }
    };
    let forms: Vec<_> = [
        "{o}",
        "{c} and {o}",
        "{c} together with {o}",
        "{c}, including {o},",
        "{c} plus {o}",
        "{c}/{o}",
        "northern {c}",
        "rural {c}",
        "{c}'s capital",
        "everyone but {c}",
        "the neighbours of {c}",
        "{c} and its neighbours",
        "{o} (not {c})",
        "the province of {c}",
        "all countries except {c}",
        "{c}'s neighbour {o}",
        "{c} (with {o})",
    ]
    .map(country)
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("another subject", Wrong, 8, &changes);

    let partner = |form: &'static str| {
        move |single: &Single| {
            let text = &single.text;
            let at = ["China", "the United States", "Germany", "Uganda"].into_iter().find_map(|name| {
                let at = [" to ", " from ", " with "]
                    .iter()
                    .find_map(|to| text.find(&format!("{to}{name}")).map(|at| at + to.len()))?;
                Some((at, name))
            });
            let (at, name) = at?;
            Some(format!("{}{}{}", &text[..at], form.replace("{p}", name), &text[at + name.len()..]))
        }
    };
    let forms: Vec<_> = [
        "Italy",
        "{p} and Hong Kong",
        "{p}, Italy and Japan",
        "{p} plus India",
        "{p}/Canada",
        "{p} as well as Canada",
        "all partners but {p}",
        "partners such as {p}",
        "northern {p}",
        "the rest of the world except {p}",
        "{p} via Hong Kong",
        "firms in {p}",
        "{p} and others",
        "{p} and its neighbours",
    ]
    .map(partner)
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("another partner", Wrong, 6, &changes);

    let period = |form: &'static str| {
        move |single: &Single| {
            let year = single.year.as_deref()?;
            let number: i32 = year.parse().ok()?;
            let to = form
                .replace("{y}", year)
                .replace("{b}", &(number - 1).to_string())
                .replace("{e}", &(number - 4).to_string());
            replaced(single, &format!("in {year}"), &to)
        }
    };
    let forms: Vec<_> = [
        "in {e}",
        "in Q1 {y}",
        "in the first half of {y}",
        "between {e} and {y}",
        "by {y}",
        "since {y}",
        "up to {y}",
        "from {e} to {y}",
        "in {b}/{y}",
        "in {b} and {y}",
        "in January {y}",
        "before {y}",
        "in each year from {e} to {y}",
        "in {b}, not {y},",
        "in fiscal {b}-{y}",
        "so far in {y}",
        "in the course of {e}–{y}",
        "in the second quarter of {y}",
        "during the decade to {y}",
        "at the start of {y}",
        "until mid-{y}",
        "in {y} and {b} combined",
        "over {e}-{y}",
        "in summer {y}",
    ]
    .map(period)
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("another period", Wrong, 6, &changes);

    let word = |from: &'static str, to: &'static str| move |single: &Single| replaced(single, from, to);
    let forms: Vec<_> = [
        ("GDP per capita", "GNI per capita"),
        ("GDP per capita", "GDP per worker"),
        ("GDP per capita", "household income per capita"),
        ("exports of", "re-exports of"),
        ("exported", "imported"),
        ("exported", "re-exported"),
        ("exported", "produced"),
        ("the exports of", "the imports of"),
        ("the exports of", "the GDP of"),
        ("current account", "capital account"),
        ("population", "urban population"),
        ("people live", "people work"),
        ("Product Complexity Index", "Economic Complexity Index"),
        ("opportunity gain", "opportunity cost"),
        ("comparative advantage", "comparative disadvantage"),
        ("imported", "exported"),
        ("total value", "net value"),
        ("total value", "average value"),
        ("world's exports", "world's imports"),
        ("value of coffee", "value of tea"),
        ("value of iron ore", "value of copper ore"),
        ("coffee", "coffee and tea"),
        ("cars", "cars and trucks"),
        ("of goods", "of services"),
        ("goods and services", "goods alone"),
    ]
    .map(|(from, to)| word(from, to))
    .into();
    let changes: Vec<Change<'_>> = forms.iter().map(|form| form as _).collect();
    maker.changes("another measure, flow or product", Wrong, 5, &changes);

    maker.templates(
        "a note that makes it another",
        Wrong,
        6,
        measured,
        &[
            "{s}\n\n*These figures are for {o}.*",
            "{s} (for {o})",
            "{s} All figures refer to 1999.",
            "{v}¹\n\n¹ of {o}",
            "{m} of {o}: {v}",
            "| | {o} |\n|---|---|\n| {m} | {v} |",
            "| Year | {m} |\n|---|---|\n| 1999 | {v} |",
            "Table: {o}\n\n| {m} |\n|---|\n| {v} |",
            "## {o}\n\n- {m}: {v}",
            "For {o}, the Atlas gives {v}; for {c} it gives nothing.",
            "{c} is not shown. The figure of {o} is {v}.",
            "The world average is {v}.",
            "The regional average is {v}.",
            "The median country has {v}.",
            "{o}'s {m}: {v}",
            "{m} ({o}): {v}",
            "**{o}**\n\n{v}",
            "### {m}, 1999\n\n{v}",
            "{s}\n\nNote: the data shown are those of {o}.",
            "{v}*\n\n\\* figure of 1999",
            "{\"country\": \"{o}\", \"value\": \"{v}\"}",
            "{\"year\": 1999, \"value\": \"{v}\"}",
            "For 1999: {v}",
            "Like {o}, which has {v}.",
            "{s} (1999 data)",
            "The page of {o} shows {v}.",
            "Among low-income countries it is {v} on average.",
            "{v} ({o})",
        ],
    );
}

/// The number with other words in its own phrase.
pub fn other_quantity_words(maker: &mut Maker<'_>) {
    fn form(form: &'static str) -> impl Fn(&Single) -> String {
        move |single| single.value_as(|value| form.replace("{v}", value).replace("{w}", &single.other))
    }
    let mut forms = |kind, fits: fn(&Single) -> bool, times, forms: &[&'static str]| {
        let changes: Vec<_> = forms
            .iter()
            .map(|words| {
                let change = form(words);
                move |single: &Single| fits(single).then(|| change(single))
            })
            .collect();
        let changes: Vec<Change<'_>> = changes.iter().map(|change| change as _).collect();
        maker.changes(kind, Wrong, times, &changes);
    };
    let bounded: fn(&Single) -> bool = |single| single.unit.is_some() && !single.is_rank();
    forms(
        "a bound",
        bounded,
        5,
        &[
            "more than {v}",
            "less than {v}",
            "at least {v}",
            "at most {v}",
            "up to {v}",
            "{v} or more",
            "{v} or less",
            "{v}+",
            "{v} at most",
            "{v} at the very least",
            "upwards of {v}",
            "no more than {v}",
            "below {v}",
            "under {v}",
            "over {v}",
            "a minimum of {v}",
            "a maximum of {v}",
            "{v} and above",
            "{v} at best",
            "{v} at the most",
            "{v} or thereabouts, if not more",
            "not quite {v}",
            "close to but below {v}",
            "something above {v}",
            "north of {v}",
            "well over {v}",
            "{v}-plus",
            "as much as {v}",
            "as little as {v}",
            "{v} and rising",
        ],
    );
    forms(
        "a range",
        bounded,
        5,
        &[
            "{v} to {w}",
            "between {v} and {w}",
            "{v}–{w}",
            "from {v} up to {w}",
            "somewhere between {w} and {v}",
        ],
    );
    forms(
        "a multiple or a part",
        bounded,
        5,
        &[
            "twice {v}",
            "half of {v}",
            "double {v}",
            "2 x {v}",
            "a third of {v}",
            "nearly double {v}",
            "{v} times two",
            "ten times {v}",
            "a fraction of {v}",
            "{v} each",
            "{v} squared",
            "2 × {v}",
            "{v} × 2",
            "triple {v}",
            "{v} plus {w}",
            "{v} minus {w}",
            "{v} twice over",
            "a multiple of {v}",
            "{v} per firm",
            "{v} on top of {w}",
            "almost all of {v}",
            "three quarters of {v}",
        ],
    );
    let total: fn(&Single) -> bool = |single| single.is_money() && !single.text.contains("per capita");
    forms(
        "a rate of a total",
        total,
        6,
        &[
            "{v} per capita",
            "{v} per person",
            "{v} a month",
            "{v} per household",
            "{v} a day",
            "{v} per inhabitant",
            "{v} each quarter",
            "{v} per worker",
            "{v} per head",
            "{v} for every inhabitant",
            "{v} per citizen",
            "{v} per tonne",
            "{v} a week",
            "{v} weekly",
            "{v} per square kilometre",
            "{v} annually per person",
        ],
    );
    forms(
        "another currency",
        |single| single.is_money() && single.value.starts_with('$'),
        6,
        &["€{v}", "{v} (in euros)", "{v} Canadian", "A{v}", "C{v}", "{v} KES", "{v} in Kenyan shillings"],
    );
    forms(
        "another scale or unit",
        |single| single.is_money(),
        6,
        &[
            "{v} thousand",
            "{v} ('000)",
            "{v} million",
            "{v} in constant 1990 prices",
            "{v} in terms of gold",
            "{v} in 1990 dollars",
            "{v} lakh",
            "{v} tonnes",
            "{v} hundred",
            "{v}%",
        ],
    );
    forms(
        "another unit of a share",
        Single::is_share,
        6,
        &[
            "{v} points",
            "{v} of GDP",
            "{v} of a percent",
            "{v} of the previous share",
            "{v} higher",
            "{v} of its imports",
            "{v} of the trade of its region",
            "{v} of output",
            "{v} of what its neighbours sell",
            "{v} basis points",
            "{v} per year",
            "{v} of half of it",
            "{v} less than a fifth",
        ],
    );
    forms(
        "another place",
        Single::is_rank,
        5,
        &[
            "{v} from the bottom",
            "between 1st and {v}",
            "{v} or better",
            "{v} or lower",
            "{w}",
            "just behind {v}",
            "{v} to last",
            "not even {v}",
            "below {v}",
            "anywhere from {w} to {v}",
            "second only to the {v}",
            "once {v}",
            "{v} in its region",
            "{v} among its peers",
            "{v} by another ranking",
        ],
    );
    let signed: fn(&Single) -> bool = |single| {
        measured(single) && !single.is_rank() && !single.value.contains('-') && !single.is(Unit::Count)
    };
    forms(
        "another sign",
        signed,
        6,
        &["-{v}", "minus {v}", "a deficit of {v}", "a loss of {v}", "a decline of {v}", "(−{v})"],
    );

    let slips: [Change<'_>; 5] = [
        &|single| digits(single, |digits| digits.chars().rev().collect()),
        &|single| digits(single, |digits| format!("{digits}0")),
        &|single| digits(single, |digits| format!("1{digits}")),
        &|single| digits(single, |digits| digits.chars().skip(1).collect()),
        &|single| {
            let value = &single.value;
            let scaled = [
                ("B", "M"),
                ("M", "B"),
                ("T", "B"),
                ("billion", "million"),
                ("million", "billion"),
                ("trillion", "billion"),
                ("k", "M"),
            ];
            let (from, to) = scaled.into_iter().find(|(from, _)| value.ends_with(from))?;
            Some(single.value_as(|value| format!("{}{to}", value.trim_end_matches(from))))
        },
    ];
    maker.changes("a slip in the number", Wrong, 20, &slips);
    let places: [Change<'_>; 2] =
        [&|single| place(single, |place| place + 1), &|single| place(single, |place| place + 10)];
    maker.changes("another place, in figures", Wrong, 20, &places);
    let swaps: [Change<'_>; 2] = [
        // who sells and who buys
        &|single| {
            let text = &single.text;
            let (partner, _) =
                ["China", "the United States", "Germany", "Uganda"].into_iter().find_map(|name| {
                    Some((
                        name,
                        text.find(&format!(" to {name}")).or_else(|| text.find(&format!(" from {name}")))?,
                    ))
                })?;
            let swapped = text.replace(partner, "\u{1}").replace(&single.country, partner);
            Some(swapped.replace('\u{1}', &single.country))
        },
        &|single| {
            let other = statement(single.question, &single.other)?;
            Some(format!("{} In {}, it was {}.", other.text, "1999", single.value))
        },
    ];
    maker.changes("roles exchanged", Wrong, 12, &swaps);
}

/// The first run of digits of the value changed, where that makes another number.
fn digits(single: &Single, change: impl Fn(&str) -> String) -> Option<String> {
    if single.unit.is_none() || single.is_rank() {
        return None;
    }
    let value = &single.value;
    let at = value.find(|c: char| c.is_ascii_digit())?;
    let end = value[at..].find(|c: char| !c.is_ascii_digit()).map_or(value.len(), |end| at + end);
    let changed = change(&value[at..end]);
    let is_other = !changed.is_empty() && changed.parse::<u64>() != value[at..end].parse::<u64>();
    // a comma behind a changed number of digits would make no number
    let is_number = !value[end..].starts_with(',') || changed.len() == end - at;
    (is_other && is_number)
        .then(|| single.value_as(|value| format!("{}{changed}{}", &value[..at], &value[end..])))
}

fn place(single: &Single, change: impl Fn(u32) -> u32) -> Option<String> {
    let (digits, rest) = single.value.split_once(['s', 'n', 'r', 't']).filter(|_| single.is_rank())?;
    let other = ordinal(change(digits.parse().ok()?));
    let behind = rest.split_once(" of").map_or(String::new(), |(_, total)| format!(" of{total}"));
    Some(single.value_as(|_| format!("{other}{behind}")))
}
