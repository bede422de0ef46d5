//! Turns the markup of an answer into Markdown: LaTeX, CSV, HTML and stray numbers at the start of a line.

use std::borrow::Cow;
use std::collections::HashSet;

/// Turns active markup into text and `~` before a number into a word, and removes struck-out text.
pub(super) fn as_text(answer: &str) -> String {
    let answer = unlisted(&without_html(&without_latex(&without_csv(&without_named_fields(answer)))));
    let mut out = String::with_capacity(answer.len() + 16);
    let mut rest = answer.as_str();
    while let Some(at) = rest.find(['<', '~', '≈']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if let Some(struck) = tail.strip_prefix("~~") {
            // Text is struck out only if the markup closes in the same paragraph.
            let end = struck.find("~~").filter(|end| !struck[..*end].contains("\n\n"));
            rest = end.map_or(struck, |end| &struck[end + 2..]);
            continue;
        }
        let c = tail.chars().next().unwrap_or(' ');
        let after = &tail[c.len_utf8()..];
        let next = after.trim_start().chars().next().unwrap_or(' ');
        match c {
            '<' if next.is_ascii_digit() => out.push_str("less than "),
            '<' => out.push_str("\\<"),
            _ if next.is_ascii_digit() || matches!(next, '$' | 'U') => out.push_str("about "),
            _ => out.push(c),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Escapes a number at the start of a line that is not part of a numbered list: `339. That is the number …`.
fn unlisted(answer: &str) -> String {
    let number = |line: &str| -> Option<(usize, u64)> {
        let text = line.trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let behind = text.get(digits..)?;
        let marked = behind.starts_with(['.', ')']) && !behind[1..].starts_with(|c: char| c.is_ascii_digit());
        let number = text.get(..digits)?.parse().ok().filter(|_| marked && digits <= 9)?;
        Some((line.len() - text.len() + digits, number))
    };
    let all: HashSet<u64> = answer.lines().filter_map(number).map(|(_, number)| number).collect();
    let counts = |number: u64| {
        number == 1
            || all.contains(&(number + 1))
            || number.checked_sub(1).is_some_and(|one| all.contains(&one))
    };
    let mut out = String::with_capacity(answer.len() + 16);
    for line in answer.split_inclusive('\n') {
        match number(line).filter(|(_, number)| !counts(*number)) {
            Some((at, _)) => {
                let (digits, rest) = line.split_at(at);
                out.push_str(digits);
                out.push('\\');
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Turns a line of named fields into a table of one row: `country=Colombia | year=2020 | share=0.2%`.
fn without_named_fields(text: &str) -> Cow<'_, str> {
    let fields = |line: &str| -> Option<(Vec<String>, Vec<String>)> {
        let mark = ['|', ';'].into_iter().find(|mark| line.contains(*mark))?;
        let pairs = line.trim().trim_matches('|').split(mark).map(|field| field.split_once('='));
        let pairs: Option<Vec<(&str, &str)>> = pairs.collect();
        let is_name = |key: &str| {
            key.trim().starts_with(|c: char| c.is_ascii_alphabetic()) && key.split_whitespace().count() <= 3
        };
        let pairs = pairs.filter(|pairs| pairs.len() > 1 && pairs.iter().all(|(key, _)| is_name(key)))?;
        Some(
            pairs
                .into_iter()
                .map(|(key, value)| (key.trim().replace('_', " "), value.trim().to_owned()))
                .unzip(),
        )
    };
    if !text.contains('=') {
        return Cow::Borrowed(text);
    }
    let line = |line: &str| match fields(line) {
        Some((keys, values)) => {
            let rule = vec!["---"; keys.len()].join(" | ");
            format!("\n| {} |\n| {rule} |\n| {} |\n\n", keys.join(" | "), values.join(" | "))
        }
        None => format!("{line}\n"),
    };
    Cow::Owned(text.lines().map(line).collect())
}

/// Turns lines of fields between commas, semicolons or tabs into a Markdown table: a head of names, then rows with the same
/// number of fields.
fn without_csv(text: &str) -> Cow<'_, str> {
    [',', ';', '\t'].into_iter().find_map(|mark| table_of(text, mark)).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn table_of(text: &str, mark: char) -> Option<String> {
    let fields = |line: &str| -> Option<Vec<String>> {
        let is_csv = line.contains(mark)
            && !line.contains([mark, ' '].iter().collect::<String>().as_str())
            && !line.trim_start().starts_with(['{', '[', '|']);
        is_csv.then(|| line.split(mark).map(|field| field.trim().trim_matches('"').to_owned()).collect())
    };
    let names = |fields: &[String]| {
        fields.iter().all(|field| {
            field.starts_with(|c: char| c.is_ascii_alphabetic())
                && field.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' '))
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let head = lines.iter().position(|line| fields(line).is_some_and(|fields| names(&fields)));
    let at = head?;
    let columns = fields(lines.get(at)?)?;
    let rows: Vec<Vec<String>> = lines
        .iter()
        .skip(at + 1)
        .map_while(|line| fields(line).filter(|fields| fields.len() == columns.len()))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let line = |fields: &[String]| format!("| {} |\n", fields.join(" | "));
    let rule = vec!["---".to_owned(); columns.len()];
    let columns: Vec<String> = columns.iter().map(|name| name.replace('_', " ")).collect();
    let table: String = [&columns, &rule].into_iter().chain(&rows).map(|fields| line(fields)).collect();
    let fence = |line: &&&str| line.trim_start().starts_with("```");
    let before = lines.iter().take(at).filter(|line| !fence(line));
    let behind = lines.iter().skip(at + 1 + rows.len()).filter(|line| !fence(line));
    let join = |lines: Vec<&&str>| lines.into_iter().map(|line| format!("{line}\n")).collect::<String>();
    Some(format!("{}\n{table}\n{}", join(before.collect()), join(behind.collect())))
}

/// LaTeX commands that only change the face of their argument.
const FACES: [&str; 6] = ["\\text{", "\\textbf{", "\\textit{", "\\mathrm{", "\\mathbf{", "\\texttt{"];

/// Turns LaTeX into Markdown: converts tables, lists and symbols, and keeps only the argument of face commands.
fn without_latex(text: &str) -> String {
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
const SYMBOLS: [(&str, &str); 19] = [
    ("\\approx", "\u{2248}"),
    ("\\sim", "\u{2248}"),
    ("\\rightarrow", "\u{2192}"),
    ("\\to ", "\u{2192} "),
    ("\\times", "\u{d7}"),
    ("\\neq", "\u{2260}"),
    ("\\ne ", "\u{2260} "),
    ("\\geq", "\u{2265}"),
    ("\\ge ", "\u{2265} "),
    ("\\leq", "\u{2264}"),
    ("\\le ", "\u{2264} "),
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
fn without_html(text: &str) -> String {
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
