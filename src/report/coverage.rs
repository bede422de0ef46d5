//! Coverage for people: in the terminal and as Markdown.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::refresh::cell;
use super::spot_check::plain;
use super::words::{per_cent, table, word};
use crate::manifest::Difficulty;
use crate::truth::Strength;
use crate::workflow::coverage::{CoverageReport, Gap, Group, Target};

/// Trust, the strongest first, as it is called for people.
const TRUST: [(Strength, &str); 5] = [
    (Strength::Browser, "browser"),
    (Strength::PageResponse, "page response"),
    (Strength::OwnApi, "own API"),
    (Strength::Sql, "SQL"),
    (Strength::Llm, "LLM"),
];

/// The summary in the terminal.
#[must_use]
pub fn text(report: &CoverageReport) -> String {
    let mut text = String::new();
    let mut targets = table(&["target", "reached", "wanted", ""]);
    targets.add_rows(report.targets.iter().map(of_target));
    let _ = writeln!(text, "{targets}");
    if !report.gaps.is_empty() {
        let mut table = table(&["missing", "questions", "close it"]);
        for gap in &report.gaps {
            let close = gap.first.iter().chain(&gap.commands).cloned().collect::<Vec<_>>().join("\n");
            table.add_row([gap.what.clone(), number(gap), close]);
        }
        let _ = writeln!(text, "{table}");
    }
    let _ = writeln!(text, "{}", summary(report));
    text
}

fn summary(report: &CoverageReport) -> String {
    let total = &report.total;
    let points: usize = report.unused_points.values().map(Vec::len).sum();
    let trust: Vec<String> = TRUST
        .iter()
        .filter_map(|(strength, name)| Some(format!("{} {name}", total.trust.get(strength)?)))
        .collect();
    format!(
        "{} questions: {} with truth of {} that have an answer, {} with an expected behavior; records by trust: {}; \
         {points} data points that no question uses",
        total.questions,
        total.with_truth,
        total.expecting_truth(),
        total.expected_behavior,
        if trust.is_empty() { "none".to_owned() } else { trust.join(", ") },
    )
}

fn of_target(target: &Target) -> [String; 4] {
    [
        target.name.words().to_owned(),
        format!("{} of {} ({})", target.reached, target.of, per_cent(target.value)),
        format!("at least {}", per_cent(target.target)),
        if target.met { "met" } else { "NOT MET" }.to_owned(),
    ]
}

fn number(gap: &Gap) -> String {
    if gap.questions.is_empty() { String::new() } else { gap.questions.len().to_string() }
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &CoverageReport) -> String {
    let mut text = String::from("# Coverage\n\n");
    let _ = writeln!(text, "- Time: {}", report.timestamp);
    let _ = writeln!(text, "- Truth: {} ({} site)", cell(&report.store), report.site);
    let _ = writeln!(text, "- Questions: {}", cell(&report.manifest));
    let _ = writeln!(text, "- {}\n", summary(report));
    row(&mut text, ["target", "reached", "wanted", ""].map(str::to_owned));
    text.push_str("|---|---|---|---|\n");
    for target in &report.targets {
        row(&mut text, of_target(target));
    }
    if !report.gaps.is_empty() {
        text.push_str("\n## What is missing\n\n| missing | questions | close it |\n|---|---|---|\n");
        for gap in &report.gaps {
            let commands = gap.commands.iter().map(|command| format!("`{}`", code(command)));
            let close: Vec<String> = gap.first.iter().map(|first| cell(first)).chain(commands).collect();
            row(&mut text, [cell(&gap.what), ids(&gap.questions), close.join("<br>")]);
        }
    }
    for (title, groups) in [
        ("category", &report.categories),
        ("difficulty", &report.difficulties),
        ("query type", &report.query_types),
        ("source", &report.sources),
    ] {
        let _ = writeln!(text, "\n## By {title}\n");
        of_groups(&mut text, groups, &report.total);
    }
    of_methods(&mut text, report);
    of_pipelines(&mut text, report);
    text.push_str("\n## Data points that no question uses\n\n");
    if !report.unused_extractors.is_empty() {
        let _ = writeln!(text, "No question uses the extractors {}.\n", report.unused_extractors.join(", "));
    }
    text.push_str("| extractor | number | data points |\n|---|---|---|\n");
    for (extractor, points) in &report.unused_points {
        row(&mut text, [cell(extractor), points.len().to_string(), cell(&points.join(", "))]);
    }
    if !report.without_question.is_empty() {
        let _ = writeln!(text, "\n## Records without a question\n\n{}", ids(&report.without_question));
    }
    if !report.quarantined.is_empty() {
        text.push_str("\n## Records that cannot be read\n\n");
        for one in &report.quarantined {
            let _ = writeln!(text, "- {}", cell(&one.to_string()));
        }
    }
    text
}

fn row<const N: usize>(text: &mut String, cells: [String; N]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Code in a table: a pipe would end the cell.
fn code(text: &str) -> String {
    text.replace('`', "'").replace('|', "\\|").replace('\n', " ")
}

fn ids(questions: &[Json]) -> String {
    questions.iter().map(plain).collect::<Vec<_>>().join(", ")
}

fn of_groups(text: &mut String, groups: &[Group], total: &Group) {
    let trust = TRUST.map(|(_, name)| name).join(" | ");
    let _ = writeln!(
        text,
        "| | questions | easy | medium | hard | with truth | share | {trust} | expected behavior |"
    );
    let _ = writeln!(text, "|---|{}", "---:|".repeat(7 + TRUST.len()));
    for (name, group) in
        groups.iter().map(|group| (group.name.as_deref(), group)).chain([(Some("all"), total)])
    {
        let count = |number: Option<&usize>| number.map_or_else(String::new, ToString::to_string);
        let mut cells = vec![cell(name.unwrap_or("not said")), group.questions.to_string()];
        cells.extend(Difficulty::ALL.map(|difficulty| count(group.difficulty.get(&difficulty))));
        cells.push(group.with_truth.to_string());
        cells.push(match group.expecting_truth() {
            0 => String::new(),
            of => per_cent(group.with_truth as f64 / of as f64),
        });
        cells.extend(TRUST.map(|(strength, _)| count(group.trust.get(&strength))));
        cells.push(count(Some(&group.expected_behavior).filter(|number| **number > 0)));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

fn of_methods(text: &mut String, report: &CoverageReport) {
    text.push_str("\n## By source method\n\n| source method | records |\n|---|---:|\n");
    for (method, number) in &report.total.methods {
        row(text, [cell(&word(method).unwrap_or_default()), number.to_string()]);
    }
}

fn of_pipelines(text: &mut String, report: &CoverageReport) {
    text.push_str(
        "\n## What may score which pipeline\n\n| pipeline | values that may score it | share | why others may not |\n|---|---:|---:|---|\n",
    );
    for one in &report.pipelines {
        let refused: Vec<String> =
            one.refused.iter().map(|(why, number)| format!("{number}: {}", cell(why))).collect();
        let cells = [
            one.pipeline.to_string(),
            format!("{} of {}", one.may_score, one.values),
            per_cent(one.share),
            refused.join("<br>"),
        ];
        row(text, cells);
    }
}
