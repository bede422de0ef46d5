//! Sentences about a record by construction: right, and wrong in one known way.

use super::fact::{Fact, Kind, thing, upper};
use super::forms::{ASSERTED, REFUSALS, UNASSERTED, UNASSERTED_TOO};
use super::records::{Record, Row};
use atlas_gt::value::AnswerField;

/// What a scorer must make of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Every data point is right.
    Right,
    /// Something is wrong or not there: no full marks.
    NotFull,
    /// It asserts nothing true: no data point is right.
    Nothing,
}

/// A generated answer.
pub struct Answer {
    pub family: &'static str,
    pub due: Due,
    pub text: String,
}

/// The answers of a record.
pub fn answers(record: &Record) -> Vec<Answer> {
    let mut out = Out(Vec::new());
    if record.rows.len() == 1 {
        match Fact::of(&record.rows[0]) {
            Some(fact) => one_fact(&fact, &record.rows[0], &mut out),
            None => refusals(record, &mut out),
        }
    }
    if record.rows.iter().all(|row| row.rank.is_some() && row.row.is_none()) {
        list(record, &mut out);
    }
    if record.rows.iter().all(|row| row.answers == [AnswerField::Code]) {
        codes(record, &mut out);
    }
    if record.rows.iter().all(|row| row.row.is_some()) {
        peers(record, &mut out);
    }
    if record.rows.len() > 1 {
        parts(record, &mut out);
    }
    if let Some(question) = &record.question
        && record.rows.iter().all(|row| row.absence.is_none())
    {
        for text in [
            format!("You asked: {question} I have no answer to that."),
            question.clone(),
            format!("I was not able to find an answer to \"{question}\""),
        ] {
            out.add("refusal that quotes the question", Due::Nothing, text);
        }
    }
    out.0
}

struct Out(Vec<Answer>);

impl Out {
    fn add(&mut self, family: &'static str, due: Due, text: impl Into<String>) {
        self.0.push(Answer { family, due, text: text.into() });
    }
}

/// A question for a code: the code alone answers it, and what else is known of the product does not.
fn codes(record: &Record, out: &mut Out) {
    let row = &record.rows[0];
    let (code, product) = (row.value.clone().unwrap_or_default(), row.subject().unwrap_or_default());
    for right in [
        "{c}",
        "The code is {c}.",
        "{p} has the code {c} in the Atlas.",
        "**Code:** {c}",
        "Its code is `{c}`.",
    ] {
        out.add("right: a code", Due::Right, right.replace("{c}", &code).replace("{p}", product));
    }
    for wrong in [
        "The code is 8517.",
        "The code is not {c}.",
        "Is the code {c}?",
        "Perhaps the code is {c}.",
        "The code of Cars is {c}.",
        "{p} exports of {y} were worth $209 billion, and {c} services grew.",
        "I could not find the code of {p}.",
        "{p} is a product group of the Atlas.",
    ] {
        let text = wrong.replace("{c}", &code).replace("{p}", product);
        out.add("another code", Due::NotFull, text.replace("{y}", row.year.as_deref().unwrap_or_default()));
    }
}

fn refusals(record: &Record, out: &mut Out) {
    let row = &record.rows[0];
    if row.absence.is_some() {
        return;
    }
    let about = [row.subject().unwrap_or_default(), &row.country].into_iter().find(|text| !text.is_empty());
    for refusal in REFUSALS {
        let about = format!("the {} of {}", row.metric.to_lowercase(), about.unwrap_or("the world"));
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &about)));
    }
}

fn one_fact(fact: &Fact, row: &Row, out: &mut Out) {
    // a value that the question itself holds cannot be told apart by it
    let sentences = fact.sentences();
    for sentence in &sentences {
        out.add("right: a sentence", Due::Right, format!("{sentence}."));
        out.add(
            "right: bold",
            Due::Right,
            format!("{}.", sentence.replace(&fact.value, &format!("**{}**", fact.value))),
        );
        out.add("right: with a source", Due::Right, format!("{sentence} (Atlas of Economic Complexity)."));
    }
    let about = fact.about();
    out.add("right: label and value", Due::Right, format!("{}: {}", upper(&about), fact.value));
    out.add(
        "right: table",
        Due::Right,
        format!("| Measure | Value |\n|---|---|\n| {} | {} |", upper(&about), fact.value),
    );
    out.add(
        "right: bullet",
        Due::Right,
        format!("Here is what I found:\n\n- {}: {}", upper(&about), fact.value),
    );
    if matches!(fact.kind, Kind::Plain | Kind::Trade) && !fact.country.is_empty() && row.unit.is_some() {
        let other = Fact {
            country: other_country(&fact.country).to_owned(),
            value: other_value(&fact.value),
            ..fact.clone()
        };
        let compared = format!("{}. {}.", sentences[0], upper(&other.sentences()[0]));
        out.add("right: beside another country", Due::Right, compared);
    }
    for refusal in REFUSALS {
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &about)));
    }
    for wrapper in UNASSERTED {
        for sentence in sentences.iter().take(2) {
            let text =
                wrapper.replace("{s}", sentence).replace("{v}", &fact.value).replace("{a}", &upper(&about));
            out.add("not asserted", Due::Nothing, upper(&text));
            if !wrapper.contains("{s}") {
                break;
            }
        }
    }
    for wrapper in UNASSERTED_TOO {
        let text =
            wrapper.replace("{s}", &sentences[0]).replace("{v}", &fact.value).replace("{a}", &upper(&about));
        out.add("not asserted in other words", Due::Nothing, upper(&text));
    }
    for wrapper in ASSERTED {
        out.add("right: in other words", Due::Right, upper(&wrapper.replace("{s}", &sentences[0])));
    }
    let mut swapped = |family: &'static str, other: Fact| {
        for sentence in other.sentences() {
            out.add(family, Due::Nothing, format!("{sentence}."));
        }
        out.add(family, Due::Nothing, format!("{}: {}", upper(&other.about()), other.value));
    };
    if !fact.country.is_empty() && row.context.country.is_some() {
        swapped("another country", Fact { country: other_country(&fact.country).to_owned(), ..fact.clone() });
    }
    if let Ok(year) = fact.year.parse::<i32>()
        && row.context.period.is_some()
    {
        swapped("another year", Fact { year: (year - 4).to_string(), ..fact.clone() });
    }
    if let Some(product) = &fact.product
        && row.context.product.is_some()
    {
        swapped("another product", Fact { product: Some(other_product(product).to_owned()), ..fact.clone() });
    }
    if let Some(partner) = &fact.partner {
        swapped("another partner", Fact { partner: Some(other_country(partner).to_owned()), ..fact.clone() });
    }
    if fact.kind == Kind::Trade && row.context.flow.is_some() {
        swapped(
            "the other flow",
            Fact { flow: if fact.flow == "import" { "export" } else { "import" }, ..fact.clone() },
        );
    }
    if row.unit.is_some() {
        for value in wrong_values(&fact.value) {
            swapped("another number", Fact { value, ..fact.clone() });
        }
    }
    let wrong = other_value(&fact.value);
    if row.unit.is_some() {
        for sentence in &sentences {
            for tail in [
                format!("Correction: it is {wrong}."),
                format!("No, wait, it is {wrong}."),
                format!("Sorry, I meant {wrong}."),
                format!("Actually, it is {wrong}."),
            ] {
                out.add("retracted", Due::Nothing, format!("{sentence}. {tail}"));
            }
            out.add("or another", Due::Nothing, format!("{sentence} or {wrong}."));
        }
        for bound in [
            "more than",
            "less than",
            "at least",
            "at most",
            "up to",
            "over",
            "no more than",
            "between 0 and",
        ] {
            let text = sentences[0].replace(&fact.value, &format!("{bound} {}", fact.value));
            out.add("a bound", Due::Nothing, format!("{text}."));
        }
    }
    if row.data_point == "total_value" || row.data_point == "total_exports" {
        let goods = format!("{}'s exports of goods in {} were {}.", fact.country, fact.year, fact.value);
        let services = format!("{}'s service exports in {} were {}.", fact.country, fact.year, fact.value);
        let whole = format!(
            "{}'s total exports were {wrong} in {} (goods {}, services $1B).",
            fact.country, fact.year, fact.value
        );
        if !fact.country.is_empty() {
            for text in [goods, services, whole] {
                out.add("another scope", Due::Nothing, text);
            }
        }
    }
}

fn list(record: &Record, out: &mut Out) {
    let rows = &record.rows;
    let first = &rows[0];
    let Some(names) = rows.iter().map(Row::subject).collect::<Option<Vec<_>>>() else { return };
    let values: Vec<&str> = rows.iter().map(|row| row.value.as_deref().unwrap_or_default()).collect();
    let numbered = first.unit.is_some();
    let flow = if first.context.flow.is_some_and(|flow| format!("{flow:?}") == "Import") {
        "imports"
    } else {
        "exports"
    };
    let of = |country: &str, flow: &str, year: &str| match first.data_point.as_str() {
        "top_opportunities" => format!("The largest growth opportunities of {country} in {year}"),
        _ if first.name.is_some() => {
            let product = thing(first).unwrap_or_default();
            format!("The largest exporters of {product} in {year}")
        }
        "top_partners" | "top_export_destinations" => {
            format!("The main destinations of {country}'s {flow} in {year}")
        }
        _ => format!("The largest {flow} of {country} in {year}"),
    };
    let year = first.year.clone().unwrap_or_default();
    let head = of(&first.country, flow, &year);
    let with: Vec<String> = names
        .iter()
        .zip(&values)
        .map(|(name, value)| if numbered { format!("{name} ({value})") } else { (*name).to_owned() })
        .collect();
    let forms = |head: &str, items: &[String]| {
        let numbers = |form: &dyn Fn(usize, &String) -> String| {
            items.iter().enumerate().map(|(at, item)| form(at + 1, item)).collect::<Vec<_>>()
        };
        vec![
            format!("{head} were {}.", items.join(", ")),
            format!("{head}:\n\n{}", numbers(&|at, item| format!("{at}. {item}")).join("\n")),
            format!("{head}:\n\n{}", numbers(&|_, item| format!("- {item}")).join("\n")),
            format!("{head}: {}", numbers(&|at, item| format!("({at}) {item}")).join(", ")),
            format!("{head}:\n\n{}", numbers(&|at, item| format!("{at}. **{item}**")).join("\n")),
        ]
    };
    for text in forms(&head, &with) {
        out.add("right: a list", Due::Right, text);
    }
    if numbered {
        let table = |columns: &str, row: &dyn Fn(usize) -> String| {
            let count = columns.matches('|').count().saturating_sub(1);
            let rows: Vec<String> = (0..names.len()).map(row).collect();
            format!("{head}:\n\n{columns}\n{}|\n{}", "|---".repeat(count), rows.join("\n"))
        };
        out.add(
            "right: a list",
            Due::Right,
            table("| Name | Value |", &|at| format!("| {} | {} |", names[at], values[at])),
        );
        out.add(
            "right: a list",
            Due::Right,
            table("| Rank | Name | Value |", &|at| {
                format!("| {} | {} | {} |", at + 1, names[at], values[at])
            }),
        );
        // each value moved to the next name
        let mut turned = values.clone();
        turned.rotate_left(1);
        if names.len() > 1 {
            let moved: Vec<String> =
                names.iter().zip(&turned).map(|(name, value)| format!("{name} ({value})")).collect();
            for text in forms(&head, &moved) {
                out.add("values shifted in a list", Due::NotFull, text);
            }
        }
    }
    let asks_names = record.question.as_deref().is_some_and(|question| !question.contains("share"));
    let bare: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if asks_names {
        for text in forms(&head, &bare) {
            out.add("right: names alone", Due::Right, text);
        }
    }
    for items in [&with, &bare] {
        if !first.country.is_empty() && first.name.is_none() {
            for text in forms(&of(other_country(&first.country), flow, &year), items) {
                out.add("another country's list", Due::NotFull, text);
            }
        }
        if let Ok(number) = year.parse::<i32>() {
            for text in forms(&of(&first.country, flow, &(number - 4).to_string()), items) {
                out.add("another year's list", Due::NotFull, text);
            }
        }
        if first.context.flow.is_some()
            && !first.data_point.contains("partner")
            && !first.data_point.contains("destination")
        {
            let other = if flow == "imports" { "exports" } else { "imports" };
            for text in forms(&of(&first.country, other, &year), items) {
                out.add("the other flow's list", Due::NotFull, text);
            }
        }
        for refusal in [
            "It is not true that {}",
            "I do not know whether {}",
            "Is it true that {}?",
            "If {}, we would know",
            "Perhaps {}",
        ] {
            let text = forms(&head, items)[0].trim_end_matches('.').to_owned();
            out.add("a list not asserted", Due::Nothing, format!("{}.", refusal.replace("{}", &text)));
        }
        let mut wrong = items.clone();
        let last = wrong.len() - 1;
        wrong[last] = wrong[last]
            .replace(names[last], if names[last].len() > 3 { "Sports equipment" } else { "Cement" });
        if first.partner.is_some() || first.name.is_some() {
            wrong[last] = items[last].replace(names[last], "Fiji");
        }
        for text in forms(&head, &wrong) {
            out.add("one entity replaced", Due::NotFull, text);
        }
    }
    for refusal in REFUSALS {
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &head.to_lowercase())));
    }
}

/// A table of peers, whole and with two of its columns exchanged.
fn peers(record: &Record, out: &mut Out) {
    let mut names: Vec<&str> = Vec::new();
    for row in &record.rows {
        let name = row.row.as_deref().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let heads =
        [("new_products", "New products"), ("usd_per_capita", "USD per capita"), ("usd_total", "USD total")];
    let table = |columns: [&str; 3]| {
        let cell = |name: &str, column: &str| {
            let found = record
                .rows
                .iter()
                .find(|row| row.row.as_deref() == Some(name) && row.column.as_deref() == Some(column));
            found.and_then(|row| row.value.clone()).unwrap_or_default()
        };
        let lines: Vec<String> = names
            .iter()
            .map(|name| format!("| {name} | {} |", columns.map(|column| cell(name, column)).join(" | ")))
            .collect();
        format!(
            "| Country | {} |\n|---|---|---|---|\n{}",
            heads.map(|(_, head)| head).join(" | "),
            lines.join("\n")
        )
    };
    let [a, b, c] = heads.map(|(column, _)| column);
    out.add("right: a table of peers", Due::Right, table([a, b, c]));
    out.add("columns of peers exchanged", Due::NotFull, table([a, c, b]));
}

/// Records of several values: all of them are right, all but one are not.
fn parts(record: &Record, out: &mut Out) {
    let facts: Option<Vec<Fact>> = record.rows.iter().map(Fact::of).collect();
    let Some(facts) = facts.filter(|_| record.rows.iter().all(|row| row.rank.is_none() && row.row.is_none()))
    else {
        return;
    };
    let all: Vec<String> = facts.iter().map(|fact| format!("{}.", fact.sentences()[0])).collect();
    out.add("right: several parts", Due::Right, all.join(" "));
    for left_out in 0..all.len() {
        let rest: Vec<&String> =
            all.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, text)| text).collect();
        let rest: Vec<&str> = rest.into_iter().map(String::as_str).collect();
        let same =
            facts.iter().enumerate().any(|(at, fact)| at != left_out && fact.value == facts[left_out].value);
        if !same {
            out.add("a part missing", Due::NotFull, rest.join(" "));
        }
        let other =
            Fact { country: other_country(&facts[left_out].country).to_owned(), ..facts[left_out].clone() };
        out.add(
            "a part of another country",
            Due::NotFull,
            format!("{} {}.", rest.join(" "), other.sentences()[0]),
        );
    }
}

fn other_country(country: &str) -> &'static str {
    ["Norway", "Chile"].into_iter().find(|other| *other != country).unwrap_or("Norway")
}

fn other_product(product: &str) -> &'static str {
    ["cement", "sports equipment"].into_iter().find(|other| *other != product).unwrap_or("cement")
}

/// A value of the same form that is surely another.
fn other_value(value: &str) -> String {
    let Some(at) = value.find(|c: char| c.is_ascii_digit()) else { return format!("not {value}") };
    let digit = value[at..].chars().next().and_then(|c| c.to_digit(10)).unwrap_or(0);
    let other = if digit == 9 { 4 } else { (digit + 3) % 9 + 1 };
    let other = if other == digit { other % 9 + 1 } else { other };
    format!("{}{other}{}", &value[..at], &value[at + 1..])
}

/// Values that differ in a digit, the size, the unit or the sign.
fn wrong_values(value: &str) -> Vec<String> {
    let mut out = vec![other_value(value)];
    for (from, to) in [
        ("B", "M"),
        ("M", "B"),
        ("T", "B"),
        ("billion", "million"),
        ("trillion", "billion"),
        ("million", "billion"),
    ] {
        if value.ends_with(from) {
            out.push(format!("{}{to}", value.trim_end_matches(from)));
            break;
        }
    }
    if let Some(bare) = value.strip_suffix('%') {
        out.push(format!("{bare}0%").replace(".", ""));
    }
    if value.contains(" of ") {
        let (place, rest) = value.split_once(" of ").unwrap();
        let digits: u32 = place.trim_end_matches(char::is_alphabetic).parse().unwrap();
        out.push(format!("{} of {rest}", place.replace(&digits.to_string(), &(digits + 100).to_string())));
        out.push(format!("{place} of 90"));
    }
    out
}
