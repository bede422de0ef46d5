//! A record's truth in words: what answers its question, item by item, in the forms that answers have.

use atlas_gt::truth::Row;
use atlas_gt::value::AnswerField;
use serde_json::{Value, json};

use crate::records::Question;

/// One row of a record as an answer gives it.
#[derive(Debug, Clone)]
pub struct Item {
    /// What the value is of: the metric, the row's name, its column or its year.
    pub label: String,
    /// The thing that the row is about, where a name answers or tells rows apart.
    pub name: Option<String>,
    /// What answers beside the name, as displayed.
    pub values: Vec<String>,
}

/// A right answer, and the form that it has.
pub struct Wording {
    pub form: &'static str,
    pub text: String,
}

/// What answers the question; nothing where a value is absent.
pub fn items(question: &Question) -> Vec<Item> {
    let rows = &question.stored.record.results.data;
    if rows.iter().any(|row| row.absence.is_some()) {
        return Vec::new();
    }
    rows.iter().filter_map(|row| item(rows, row)).collect()
}

fn item(rows: &[Row], row: &Row) -> Option<Item> {
    let fields = row.answered_by();
    // a sentence of the page about sectors answers by both
    let sectors = row.text("sectors").filter(|_| row.answered_by() == [AnswerField::Value]);
    let by_name = fields.contains(&AnswerField::Name) || sectors.is_some();
    let name = sectors.or_else(|| row.name());
    let values = fields.iter().filter_map(|field| match field {
        AnswerField::Value | AnswerField::Direction => row.value.clone(),
        AnswerField::Share => row.text("share"),
        AnswerField::Code => row.text("code"),
        AnswerField::Rank => row.text("rank"),
        AnswerField::Name => None,
    });
    let mut values: Vec<String> = values.collect();
    values.retain(|value| Some(value) != name.as_ref());
    let is_alone = rows.len() == 1;
    let of_rows = |other: fn(&Row) -> Option<String>| {
        let all: Vec<_> = rows.iter().map(other).collect();
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        distinct.len() == all.len() && all.iter().all(Option::is_some)
    };
    let label = if of_rows(|row| Some(row.metric.clone())) {
        row.metric.clone()
    } else if let (Some(row), Some(column)) = (row.text("row"), row.text("column")) {
        format!("{row}, {}", column.replace('_', " "))
    } else if of_rows(|row| row.text("column")) {
        row.text("column")?
    } else if of_rows(Row::name) {
        name.clone()?
    } else {
        row.year.clone()?
    };
    let is_told_by_name = name.as_ref() == Some(&label);
    // a name that stands beside the only value is what the question asks about
    let name = name.filter(|_| {
        by_name
            || values.is_empty()
            || (is_told_by_name && !is_alone)
            || row.text("column").is_some() && row.text("row").is_none()
    });
    Some(Item { label, name, values })
}

impl Item {
    /// The item in words: `Business (26.43%)`, `Business`, `$2,274`.
    pub fn text(&self) -> String {
        match (&self.name, self.values.is_empty()) {
            (Some(name), true) => name.clone(),
            (Some(name), false) => format!("{name} ({})", self.values.join(", ")),
            (None, _) => self.values.join(", "),
        }
    }

    /// What stands before and behind the colon of a line.
    fn pair(&self) -> (String, String) {
        match &self.name {
            Some(name) if *name == self.label && !self.values.is_empty() => {
                (name.clone(), self.values.join(", "))
            }
            _ => (self.label.clone(), self.text()),
        }
    }

    /// Whether the label says nothing that the text does not.
    fn is_bare(&self) -> bool {
        self.name.as_ref() == Some(&self.label)
    }
}

/// The record's truth, given back in every form; nothing where a value is absent.
pub fn verbatim(question: &Question) -> Vec<Wording> {
    let items = items(question);
    if items.is_empty() {
        return Vec::new();
    }
    let wording = |form, text| Wording { form, text };
    let bare: Vec<String> = items
        .iter()
        .map(|item| {
            if item.is_bare() || items.len() == 1 {
                item.text()
            } else {
                let (label, text) = item.pair();
                format!("{label}: {text}")
            }
        })
        .collect();
    let pairs: Vec<(String, String)> = items.iter().map(Item::pair).collect();
    let mut all = vec![
        wording("bare", bare.join("\n")),
        wording("sentence", sentence(question, &items, &bare)),
        wording("bullets", lines(&pairs, |(label, text)| format!("- {label}: {text}"))),
        wording("bold bullets", lines(&pairs, |(label, text)| format!("* **{label}:** {text}"))),
        wording("table", table(&items)),
        wording("json", json_of(&items)),
        wording("json rows", json_rows(question)),
        wording("latex", latex(&items)),
    ];
    if is_ranked(question) {
        let numbered: Vec<String> =
            items.iter().zip(1..).map(|(item, place)| format!("{place}. {}", item.text())).collect();
        all.push(wording("numbered", numbered.join("\n")));
        all.push(wording("ranked table", ranked_table(&items)));
    }
    all
}

/// Whether the rows are places of a ranking.
pub fn is_ranked(question: &Question) -> bool {
    let rows = &question.stored.record.results.data;
    rows.len() > 1 && rows.iter().zip(1..).all(|(row, place)| row.text("rank") == Some(format!("{place}")))
}

fn lines(pairs: &[(String, String)], line: impl Fn(&(String, String)) -> String) -> String {
    pairs.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn sentence(question: &Question, items: &[Item], bare: &[String]) -> String {
    if let [item] = items {
        let stated = item.name.is_none().then(|| statement(question, &item.text())).flatten();
        return stated.map_or_else(|| format!("The answer is {}.", item.text()), |stated| stated.text);
    }
    if items.iter().all(|item| item.is_bare() || is_ranked(question)) {
        let texts: Vec<String> = items.iter().map(Item::text).collect();
        return format!("The answer is {}.", enumeration(&texts));
    }
    format!("{}.", bare.join("; "))
}

/// `A, B and C`.
pub fn enumeration(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn table(items: &[Item]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut rows = Vec::new();
    let with_values = items.iter().all(|item| !item.values.is_empty());
    if items.iter().all(|item| item.name.is_some() && item.is_bare()) {
        rows.push(
            if with_values { "| Name | Value |\n| --- | --- |" } else { "| Name |\n| --- |" }.to_owned(),
        );
        for item in items {
            let name = item.name.as_deref().unwrap_or_default();
            rows.push(if with_values {
                format!("| {} | {} |", cell(name), cell(&item.values.join(", ")))
            } else {
                format!("| {} |", cell(name))
            });
        }
    } else {
        rows.push("| Item | Value |\n| --- | --- |".to_owned());
        rows.extend(items.iter().map(|item| {
            let (label, text) = item.pair();
            format!("| {} | {} |", cell(&label), cell(&text))
        }));
    }
    rows.join("\n")
}

fn ranked_table(items: &[Item]) -> String {
    let with_values = items.iter().all(|item| !item.values.is_empty());
    let mut rows = vec![if with_values {
        "| Rank | Name | Value |\n| --- | --- | --- |".to_owned()
    } else {
        "| Rank | Name |\n| --- | --- |".to_owned()
    }];
    for (item, place) in items.iter().zip(1..) {
        let name = item.name.clone().unwrap_or_else(|| item.values.join(", "));
        rows.push(if with_values && item.name.is_some() {
            format!("| {place} | {name} | {} |", item.values.join(", "))
        } else if with_values {
            format!("| {place} | {name} | {name} |")
        } else {
            format!("| {place} | {name} |")
        });
    }
    rows.join("\n")
}

fn json_of(items: &[Item]) -> String {
    let value: Value = if let [item] = items {
        json!({ "answer": item.text() })
    } else if items.iter().all(Item::is_bare) {
        items
            .iter()
            .map(|item| match item.values.is_empty() {
                true => json!(item.name),
                false => json!({ "name": item.name, "value": item.values.join(", ") }),
            })
            .collect()
    } else {
        Value::Object(
            items
                .iter()
                .map(|item| {
                    let (label, text) = item.pair();
                    (label, json!(text))
                })
                .collect(),
        )
    };
    format!("```json\n{}\n```", serde_json::to_string_pretty(&value).unwrap())
}

/// The rows as the record holds them.
fn json_rows(question: &Question) -> String {
    serde_json::to_string_pretty(&question.stored.record.results).unwrap()
}

fn latex(items: &[Item]) -> String {
    if let [item] = items {
        return format!("$\\boxed{{\\text{{{}}}}}$", escaped(&item.text()));
    }
    let rows = items.iter().map(|item| {
        let (label, text) = item.pair();
        if label == text { escaped(&label) } else { format!("{} & {}", escaped(&label), escaped(&text)) }
    });
    let rows: Vec<String> = rows.collect();
    let columns = if rows.iter().all(|row| row.contains(" & ")) { "ll" } else { "l" };
    format!("\\begin{{tabular}}{{{columns}}}\n{} \\\\\n\\end{{tabular}}", rows.join(" \\\\\n"))
}

fn escaped(text: &str) -> String {
    ["$", "%", "&", "_", "#"]
        .iter()
        .fold(text.to_owned(), |text, sign| text.replace(sign, &format!("\\{sign}")))
}

/// A sentence that states a value, and where its verb stands.
#[derive(Debug, Clone)]
pub struct Statement {
    /// With a full stop.
    pub text: String,
    /// Where the verb begins, behind whom or what it is said of.
    pub verb: Option<usize>,
}

/// What stands before the verb while a sentence is put together.
const VERB: char = '\u{1}';

/// The question turned into a sentence that states the value; nothing for a question of another build.
pub fn statement(question: &Question, value: &str) -> Option<Statement> {
    let text = question.text.as_deref()?.strip_suffix('?')?;
    let forms = [copula, trade, share, growth, place, people, change];
    let sentence = forms.iter().find_map(|form| form(text, value))?;
    let verb = sentence.find(VERB);
    Some(Statement { text: format!("{}.", sentence.replace(VERB, "")), verb })
}

/// `What is the GDP of Kenya`, `How large are the exports of Kenya`, `What were the services worth that Kenya exported`.
fn copula(text: &str, value: &str) -> Option<String> {
    for verb in ["is", "was", "are", "were"] {
        let begins = [format!("What {verb} the "), format!("How large {verb} the ")];
        let Some(about) = begins.iter().find_map(|begin| text.strip_prefix(begin)) else { continue };
        let about = about.split(", and is it").next().unwrap_or(about);
        return Some(match about.split_once(" worth that ").or(about.split_once(" worth")) {
            Some((what, which)) if about.contains(" worth that ") => {
                format!("The {what} that {which} {VERB}{verb} worth {value}")
            }
            Some((what, rest)) => format!("The {what}{rest} {VERB}{verb} worth {value}"),
            None => format!("The {about} {VERB}{verb} {value}"),
        });
    }
    None
}

/// `How much coffee did Kenya export to Uganda`.
fn trade(text: &str, value: &str) -> Option<String> {
    let (thing, rest) = text.strip_prefix("How much ")?.split_once("did ")?;
    let verb = ["export", "import"].into_iter().find(|verb| {
        let mut words = rest.split([' ', ',']).skip_while(|word| word != verb);
        words.next().is_some() && !rest.starts_with("the ") || rest.starts_with("the low")
    })?;
    let (who, behind) = rest.split_once(&format!(" {verb}"))?;
    let of = if thing.is_empty() { String::new() } else { format!(" of {}", thing.trim()) };
    Some(format!("{} {VERB}{verb}ed {value}{of}{behind}", upper(who)))
}

/// `What share of the exports of Kenya is tea`, `What share of the world's exports of coffee did Kenya hold`.
fn share(text: &str, value: &str) -> Option<String> {
    let rest = text.strip_prefix("What share of ")?;
    if rest.contains(" and what ") {
        return None;
    }
    Some(match rest.split_once(" did ").and_then(|(of, rest)| Some((of, rest.split_once(" hold")?))) {
        Some((of, (who, behind))) => format!("{} {VERB}held {value} of {of}{behind}", upper(who)),
        None => format!("{value} of {rest}"),
    })
}

/// `How fast did the exports of Kenya grow`.
fn growth(text: &str, value: &str) -> Option<String> {
    let (what, behind) = text.strip_prefix("How fast did ")?.split_once(" grow ")?;
    Some(match value.strip_prefix('-') {
        Some(value) => format!("{} {VERB}shrank {value} {behind}", upper(what)),
        None => format!("{} {VERB}grew {value} {behind}", upper(what)),
    })
}

/// `Which place does Kenya hold in the ECI ranking`.
fn place(text: &str, value: &str) -> Option<String> {
    let (who, behind) = text.strip_prefix("Which place does ")?.split_once(" hold ")?;
    Some(format!("{who} {VERB}ranks {value} {behind}"))
}

/// `How many people live in Kenya`.
fn people(text: &str, value: &str) -> Option<String> {
    Some(format!("{value} people {VERB}live in {}", text.strip_prefix("How many people live in ")?))
}

/// `By how much did the exports of Kenya change from 2010 to 2024`.
fn change(text: &str, value: &str) -> Option<String> {
    let (what, behind) = text.strip_prefix("By how much did ")?.split_once(" change ")?;
    let (verb, value) = match value.strip_prefix('-') {
        Some(value) => ("fell", value),
        None => ("rose", value),
    };
    Some(format!("{} {VERB}{verb} by {value} {behind}", upper(what)))
}

pub fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
