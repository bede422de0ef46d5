//! Reads structured parts of an answer: JSON becomes passages under its keys; LaTeX and CSV become Markdown.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::lexicon;
use super::passage::Passage;

/// The maximum number of sibling fields that become heads of a field.
const MAX_HEADS: usize = 12;

/// Reads the passages of a JSON text.
pub(super) struct Json<'a> {
    pub out: &'a mut Vec<Passage>,
    pub block: &'a mut usize,
    columns: HashMap<String, usize>,
    table: usize,
    /// The number of heads above the whole text.
    outer: usize,
}

impl<'a> Json<'a> {
    /// Reads the text if all of it is JSON; returns whether it is.
    pub fn read(text: &str, under: &[String], out: &'a mut Vec<Passage>, block: &'a mut usize) -> bool {
        let text = text.trim();
        if !text.starts_with(['{', '[']) {
            return false;
        }
        let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
        let table = *block + 1;
        Self { out, block, columns: HashMap::new(), table, outer: under.len() }.take(&value, under);
        true
    }

    fn take(&mut self, value: &Value, under: &[String]) {
        *self.block += 1;
        match value {
            Value::Object(fields) => {
                let fields = &with_units(fields);
                for (key, value) in fields {
                    match shown(value) {
                        Some(text) => self.put(format!("{key}: {text}"), under, under.len() - self.outer),
                        None => self.take(value, &below(under, [key.replace('_', " ")])),
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    match (item, shown(item)) {
                        (Value::Object(fields), _) => self.row(fields, under),
                        (_, Some(text)) => {
                            self.put(text, under, 0);
                            if let Some(last) = self.out.last_mut() {
                                last.item = true;
                            }
                        }
                        (_, None) => self.take(item, under),
                    }
                }
            }
            _ => self.out.extend(shown(value).map(|text| Passage { text, ..Passage::default() })),
        }
    }

    /// Reads an object in an array: each field gets its key and its sibling fields as heads.
    fn row(&mut self, fields: &Map<String, Value>, under: &[String]) {
        let fields = &with_units(fields);
        let scalars: Vec<(&String, String)> =
            fields.iter().filter_map(|(key, value)| Some((key, shown(value)?))).collect();
        for (at, (key, text)) in scalars.iter().enumerate() {
            let others = scalars.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.filter_map(|(_, (key, text))| head_of(key, text));
            let others: Vec<String> = others.take(MAX_HEADS).collect();
            let heads = [key.replace('_', " "), super::split::head(&others.join(", ")).to_owned()];
            *self.block += 1;
            if is_identifier(text) {
                continue;
            }
            self.put(text.clone(), &below(under, heads), 2);
            let count = self.columns.len();
            let column = *self.columns.entry((*key).clone()).or_insert(count);
            let table = self.table;
            if let Some(last) = self.out.last_mut() {
                last.cell = true;
                last.column = Some((table, column));
                last.keyed = true;
            }
        }
        for (key, value) in fields.iter().filter(|(_, value)| shown(value).is_none()) {
            self.take(value, &below(under, [key.replace('_', " ")]));
        }
    }

    fn put(&mut self, text: String, under: &[String], close: usize) {
        if !text.trim().is_empty() {
            self.out.push(Passage {
                text,
                under: under.to_vec(),
                block: *self.block,
                close,
                ..Passage::default()
            });
        }
    }
}

/// Moves a unit field into the only value field: `{"value": 375, "unit": "billion USD"}`. `read` returns a field's key, its
/// text and whether that is a number.
fn with_unit<T: Clone>(
    fields: &[T],
    read: impl Fn(&T) -> Option<(String, String, bool)>,
    joined: impl Fn(&T, &str) -> T,
) -> Option<Vec<T>> {
    let known: Vec<_> = fields.iter().map(read).collect();
    let is_unit = |key: &str| lexicon::listed("unit_key", key);
    let (_, unit, _) = known.iter().flatten().find(|(key, _, is_number)| is_unit(key) && !is_number)?;
    let is_value =
        |(key, _, is_number): &(String, String, bool)| *is_number && lexicon::listed("value_key", key);
    if unit.is_empty()
        || unit.len() >= 40
        || known.iter().flatten().filter(|field| is_value(field)).count() != 1
    {
        return None;
    }
    let kept =
        fields.iter().zip(&known).filter(|(_, known)| !known.as_ref().is_some_and(|(key, ..)| is_unit(key)));
    let with = kept.map(|(field, known)| match known {
        Some(known) if is_value(known) => joined(field, unit),
        _ => field.clone(),
    });
    Some(with.collect())
}

/// Applies [`with_unit`] to the fields of an object.
fn with_units(fields: &Map<String, Value>) -> Map<String, Value> {
    let all: Vec<(String, Value)> = fields.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let read = |(key, value): &(String, Value)| Some((key.to_lowercase(), shown(value)?, value.is_number()));
    let joined =
        |(key, value): &(String, Value), unit: &str| (key.clone(), Value::String(format!("{value} {unit}")));
    with_unit(&all, read, joined).map_or_else(|| fields.clone(), |fields| fields.into_iter().collect())
}

/// Applies [`with_unit`] to lines: `value = 9.8`, `unit = billion US dollars`.
pub(super) fn with_unit_lines(text: &str) -> Cow<'_, str> {
    let field = |line: &str| {
        let (key, value) = line.split_once([':', '='])?;
        let value = value.trim().trim_matches('"');
        let is_number = value.parse::<f64>().is_ok();
        Some((key.trim().trim_matches('"').to_lowercase(), value.to_owned(), is_number))
    };
    let joined = |line: &Cow<'_, str>, unit: &str| {
        let (key, value, _) = field(line).unwrap_or_default();
        Cow::Owned(format!("{key}: {value} {unit}"))
    };
    let lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
    let joined = with_unit(&lines, |line| field(line), joined);
    joined.map_or(Cow::Borrowed(text), |lines| Cow::Owned(lines.join("\n") + "\n"))
}

fn below<const N: usize>(under: &[String], more: [String; N]) -> Vec<String> {
    under.iter().cloned().chain(more).collect()
}

/// Whether a text is an identifier, which names a field and states nothing: `gdp_per_capita`.
fn is_identifier(text: &str) -> bool {
    text.contains('_') && !text.contains(char::is_whitespace)
}

/// A field's text as a head of its siblings. A number is no head unless it is a year; an identifier is one if its words are
/// known.
fn head_of(key: &str, text: &str) -> Option<String> {
    let is_year = text.len() == 4 && ("1900"..="2100").contains(&text);
    if is_identifier(text) {
        let names =
            lexicon::tags(&lexicon::words(key)).is_some_and(|(_, tags)| tags.contains(&("key", "name")));
        let words = lexicon::words(text);
        let mut rest = words.as_slice();
        while let Some((count, _)) = lexicon::tags(rest) {
            rest = rest.get(count..).unwrap_or_default();
        }
        let known = !names && rest.is_empty();
        return known.then(|| text.replace('_', " "));
    }
    (!text.is_empty() && (is_year || text.parse::<f64>().is_err())).then(|| text.to_owned())
}

/// A scalar as text.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_true) => Some(is_true.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Turns comma-separated lines into a Markdown table: a head of names, then rows with the same number of fields.
pub(super) fn without_csv(text: &str) -> Cow<'_, str> {
    let fields = |line: &str| -> Option<Vec<String>> {
        let is_csv =
            line.contains(',') && !line.contains(", ") && !line.trim_start().starts_with(['{', '[', '|']);
        is_csv.then(|| line.split(',').map(|field| field.trim().trim_matches('"').to_owned()).collect())
    };
    let names = |fields: &[String]| {
        fields.iter().all(|field| {
            field.starts_with(|c: char| c.is_ascii_alphabetic())
                && field.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' '))
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| fields(line).is_some_and(|fields| names(&fields)));
    let Some((at, columns)) = head.and_then(|at| Some((at, fields(lines.get(at)?)?))) else {
        return Cow::Borrowed(text);
    };
    let rows: Vec<Vec<String>> = lines
        .iter()
        .skip(at + 1)
        .map_while(|line| fields(line).filter(|fields| fields.len() == columns.len()))
        .collect();
    if rows.is_empty() {
        return Cow::Borrowed(text);
    }
    let line = |fields: &[String]| format!("| {} |\n", fields.join(" | "));
    let rule = vec!["---".to_owned(); columns.len()];
    let columns: Vec<String> = columns.iter().map(|name| name.replace('_', " ")).collect();
    let table: String = [&columns, &rule].into_iter().chain(&rows).map(|fields| line(fields)).collect();
    let fence = |line: &&&str| line.trim_start().starts_with("```");
    let before = lines.iter().take(at).filter(|line| !fence(line));
    let behind = lines.iter().skip(at + 1 + rows.len()).filter(|line| !fence(line));
    let join = |lines: Vec<&&str>| lines.into_iter().map(|line| format!("{line}\n")).collect::<String>();
    Cow::Owned(format!("{}\n{table}\n{}", join(before.collect()), join(behind.collect())))
}

/// LaTeX commands that only change the face of their argument.
const FACES: [&str; 6] = ["\\text{", "\\textbf{", "\\textit{", "\\mathrm{", "\\mathbf{", "\\texttt{"];

/// Turns LaTeX into Markdown: converts tables, lists and symbols, and keeps only the argument of face commands.
pub(super) fn without_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\begin{tabular}") {
        let Some(length) = rest[at..].find("\\end{tabular}") else { break };
        out.push_str(&rest[..at]);
        out.push_str(&table(&rest[at + "\\begin{tabular}".len()..at + length]));
        rest = &rest[at + length + "\\end{tabular}".len()..];
    }
    out.push_str(rest);
    if !out.contains('\\') {
        return out;
    }
    let out = without_lists(&out);
    let out = SYMBOLS.iter().fold(without_faces(&without_inline_math(&out)), |text, (command, symbol)| {
        if text.contains(command) { text.replace(command, symbol) } else { text }
    });
    fractions(&out)
}

/// LaTeX commands with their symbol or an empty replacement.
const SYMBOLS: [(&str, &str); 13] = [
    ("\\approx", "\u{2248}"),
    ("\\sim", "\u{2248}"),
    ("\\rightarrow", "\u{2192}"),
    ("\\to ", "\u{2192} "),
    ("\\times", "\u{d7}"),
    ("\\left", ""),
    ("\\right", ""),
    ("\\dfrac", "\\frac"),
    ("\\quad", " "),
    ("\\,", ""),
    ("\\;", " "),
    ("\\(", ""),
    ("\\)", ""),
];

/// Removes the dollars of `$\frac{1}{2}$`; keeps those of `$5 and $6`.
fn without_inline_math(text: &str) -> String {
    /// The maximum length of a formula, in bytes.
    const MAX_FORMULA: usize = 300;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let inner = tail.strip_prefix("$$").or_else(|| tail.strip_prefix('$')).unwrap_or(tail);
        let bytes = inner.as_bytes();
        let close =
            (0..bytes.len().min(MAX_FORMULA)).take_while(|at| bytes.get(*at) != Some(&b'\n')).find(|at| {
                bytes.get(*at) == Some(&b'$')
                    && at.checked_sub(1).and_then(|at| bytes.get(at)) != Some(&b'\\')
            });
        let escaped = before.ends_with('\\');
        match close.and_then(|close| Some((inner.get(..close)?, inner.get(close..)?))) {
            Some((formula, behind)) if formula.contains('\\') && !escaped => {
                out.push_str(formula);
                rest = behind.trim_start_matches('$');
            }
            _ => {
                out.push('$');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Turns `\frac{a}{b}` into `a / b`.
fn fractions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once("\\frac{") {
        out.push_str(before);
        let parts = tail.split_once("}{").and_then(|(above, tail)| Some((above, tail.split_once('}')?)));
        let Some((above, (below, behind))) = parts else {
            rest = tail;
            continue;
        };
        out.push_str(&format!("{above} / {below}"));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Turns LaTeX lists into Markdown lists.
fn without_lists(text: &str) -> String {
    if !text.contains("\\item") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut ordered = false;
    for line in text.lines() {
        let line = line.trim();
        ordered |= line.starts_with("\\begin{enumerate}");
        match line.strip_prefix("\\item") {
            Some(item) => out.push_str(&format!("{} {}\n", if ordered { "1." } else { "-" }, item.trim())),
            None if ["\\begin{", "\\end{"].iter().any(|command| line.starts_with(command)) => out.push('\n'),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

fn without_faces(text: &str) -> String {
    /// The maximum length of a face command's argument, in bytes.
    const MAX_ARGUMENT: usize = 400;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let face = FACES.iter().find(|face| rest[at..].starts_with(**face));
        let argument = face.and_then(|face| {
            let from = at + face.len();
            let length = rest[from..].bytes().take(MAX_ARGUMENT).position(|byte| byte == b'}')?;
            Some(from..from + length)
        });
        match argument {
            Some(argument) => {
                out.push_str(&rest[..at]);
                out.push_str(&rest[argument.clone()]);
                rest = &rest[argument.end + 1..];
            }
            None => {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Turns a LaTeX table into a Markdown table. The first row is the head if a line follows it.
fn table(body: &str) -> String {
    let body = body.trim_start();
    let body = body.strip_prefix('{').and_then(|body| body.split_once('}')).map_or(body, |(_, body)| body);
    let ruled = |row: &str| ["\\hline", "\\midrule"].iter().any(|rule| row.trim_start().starts_with(rule));
    let rows: Vec<&str> = body.split("\\\\").collect();
    let is_headed = rows.get(1).is_some_and(|row| ruled(row)) && rows.len() > 2;
    let cells = |row: &str| -> Vec<String> {
        let row = ["\\hline", "\\toprule", "\\midrule", "\\bottomrule"]
            .iter()
            .fold(row.replace("\\&", "\u{1}"), |row, rule| row.replace(rule, ""));
        let cells = row.split('&').map(|cell| cell.trim().replace('\u{1}', "&").replace('|', "\\|"));
        cells.collect()
    };
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(cells).filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let empty = vec![String::new(); columns];
    let (head, rows) = match rows.split_first() {
        Some((head, rest)) if is_headed => (head, rest),
        _ => (&empty, rows.as_slice()),
    };
    let rule = vec!["---".to_owned(); columns];
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("\n\n{}{}{rows}\n", line(head), line(&rule))
}

/// Turns HTML into text: drops struck-out text, breaks lines at block tags, and removes all other tags.
pub(super) fn without_html(text: &str) -> String {
    const MAX_TAG: usize = 200;
    let mut closes = true;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // Comments are invisible.
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let name: String =
            rest[1..].trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let end = rest.bytes().take(MAX_TAG).position(|byte| byte == b'>');
        let Some(end) = end.filter(|_| name.starts_with(|c: char| c.is_ascii_alphabetic())) else {
            out.push('<');
            rest = &rest[1..];
            continue;
        };
        let is_open = !rest[1..].starts_with('/');
        rest = &rest[end + 1..];
        match name.to_ascii_lowercase().as_str() {
            name @ ("s" | "del" | "strike") if is_open && closes => {
                match rest.split_once(&format!("</{name}>")) {
                    Some((_, behind)) => rest = behind,
                    // Do not search for this tag again, so that the time stays linear.
                    None => closes = false,
                }
            }
            "br" | "p" | "div" | "li" | "ul" | "ol" | "tr" | "table" | "h1" | "h2" | "h3" => out.push('\n'),
            _ => out.push(' '),
        }
    }
    out.push_str(rest);
    out
}
