//! The coverage report: targets first, then gaps with the commands that close them, then the
//! groups.

use super::words::{count, per_cent};
use super::{Body, CaseVerdict, Doc, Invocation, Report, ReportCase, Text, Tone};
use crate::error::Exit;
use crate::manifest::{Difficulty, QuestionId};
use crate::row;
use crate::truth::{SourceMethod, Strength};
use crate::workflow::coverage::{CoverageGroup, CoverageReport, CoverageTarget, Gap, PipelineShare};

/// The trust levels, strongest first, with their display names.
const TRUST: [(Strength, &str); 6] = [
    (Strength::Browser, ">browser"),
    (Strength::PageResponse, ">page response"),
    (Strength::Imported, ">imported"),
    (Strength::OwnApi, ">own API"),
    (Strength::Sql, ">SQL"),
    (Strength::Llm, ">LLM"),
];

impl Report for CoverageReport {
    const NAME: &'static str = "coverage";
    const ITEMS: Option<&'static str> = Some("gaps");

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Coverage");
        summary(&mut doc, self);
        doc.body.rows(&["target", "reached", "required", ""], self.targets.iter().map(target_row));
        doc.body.section("Gaps", |body| {
            self.gaps.iter().for_each(|gap| add_gap(body, gap));
        });
        for (title, groups) in [
            ("By category", &self.categories),
            ("By difficulty", &self.difficulties),
            ("By query type", &self.query_types),
            ("By source", &self.sources),
        ] {
            doc.body.section(title, |body| add_groups(body, groups, &self.total));
        }
        doc.body.section("By source method", |body| {
            let cells = |(method, records): (&SourceMethod, &usize)| row![method.name(), *records];
            body.rows(&["source method", ">records"], self.total.methods.iter().map(cells));
        });
        doc.body.section("Values that may score each pipeline", |body| {
            let head = ["pipeline", ">values that may score it", ">share", "why not the others"];
            body.rows(&head, self.pipelines.iter().map(pipeline_row));
        });
        doc.body.section("Data points that no question uses", |body| {
            if !self.unused_extractors.is_empty() {
                body.line(format!("No question uses the extractors {}.", self.unused_extractors.join(", ")));
            }
            let cells = |(extractor, points): (&String, &Vec<String>)| {
                row![extractor, points.len(), points.join(", ")]
            };
            body.rows(&["extractor", ">number", "data points"], self.unused_points.iter().map(cells));
        });
        if !self.without_question.is_empty() {
            doc.body.section("Records without a question", |body| body.line(ids(&self.without_question)));
        }
        doc.body.section("Unreadable records", |body| {
            body.list(self.quarantined.iter().map(ToString::to_string));
        });
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |target: &CoverageTarget| {
            let [_, reached, wanted, _] = target_cells(target);
            ReportCase::new(
                target.name.words(),
                CaseVerdict::from_pass(Some(target.met)),
                format!("{reached}, wanted {wanted}"),
            )
        };
        self.targets.iter().map(case).collect()
    }
}

fn summary(doc: &mut Doc, report: &CoverageReport) {
    let total = &report.total;
    let met = report.targets.iter().filter(|target| target.met).count();
    let tone = if met == report.targets.len() { Tone::Good } else { Tone::Warning };
    doc.verdict(tone, format!("targets met: {met} of {}", report.targets.len()));
    doc.sum(format!(
        "{}: {} of {} answerable ones have truth, {} have an expected behavior",
        count(total.questions, "question"),
        total.with_truth,
        total.expecting_truth(),
        total.expected_behavior,
    ));
    let trust = TRUST.iter().filter_map(|(strength, name)| {
        Some(format!("{} {}", total.trust.get(strength)?, name.trim_start_matches('>')))
    });
    let trust: Vec<String> = trust.collect();
    let points: usize = report.unused_points.values().map(Vec::len).sum();
    doc.sum(format!(
        "records by trust: {}; {points} data points that no question uses",
        if trust.is_empty() { "none".to_owned() } else { trust.join(", ") },
    ));
    doc.sum(format!(
        "truth: {} ({} site); questions: {}; {}",
        report.store, report.site, report.manifest, report.timestamp
    ));
}

fn target_cells(target: &CoverageTarget) -> [String; 4] {
    [
        target.name.words().to_owned(),
        format!("{} of {} ({})", target.reached, target.of, per_cent(target.value)),
        format!("at least {}", per_cent(target.target)),
        if target.met { "met" } else { "NOT MET" }.to_owned(),
    ]
}

fn target_row(target: &CoverageTarget) -> Vec<Text> {
    let [name, reached, wanted, met] = target_cells(target);
    row![name, reached, wanted, Text::badge(if target.met { Tone::Good } else { Tone::Bad }, met)]
}

/// A gap, and the commands that close it, one per line.
fn add_gap(body: &mut Body, gap: &Gap) {
    let title = match gap.questions.len() {
        0 => gap.what.clone(),
        questions => format!("{}: {}", gap.what, count(questions, "question")),
    };
    body.section(title, |body| {
        if !gap.questions.is_empty() {
            body.line(Text::muted(ids(&gap.questions)));
        }
        body.list(&gap.first);
        if !gap.commands.is_empty() {
            body.code(gap.commands.join("\n"));
        }
    });
}

fn ids(questions: &[QuestionId]) -> String {
    questions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn add_groups(body: &mut Body, groups: &[CoverageGroup], total: &CoverageGroup) {
    let mut head = vec!["", ">questions", ">easy", ">medium", ">hard", ">with truth", ">share"];
    head.extend(TRUST.map(|(_, name)| name));
    head.push(">expected behavior");
    let number = |number: Option<&usize>| number.map_or_else(String::new, ToString::to_string);
    let row = |(name, group): (Option<&str>, &CoverageGroup)| {
        let mut cells = row![name.unwrap_or("not said"), group.questions];
        cells.extend(
            Difficulty::ALL.iter().map(|difficulty| Text::from(number(group.difficulty.get(difficulty)))),
        );
        cells.push(group.with_truth.into());
        cells.push(Text::from(match group.expecting_truth() {
            0 => String::new(),
            of => per_cent(group.with_truth as f64 / of as f64),
        }));
        cells.extend(TRUST.map(|(strength, _)| Text::from(number(group.trust.get(&strength)))));
        cells.push(number(Some(&group.expected_behavior).filter(|number| **number > 0)).into());
        cells
    };
    let named = groups.iter().map(|group| (group.name.as_deref(), group));
    body.rows(&head, named.chain([(Some("all"), total)]).map(row));
}

fn pipeline_row(one: &PipelineShare) -> Vec<Text> {
    let refused: Vec<String> = one.refused.iter().map(|(why, number)| format!("{number}: {why}")).collect();
    row![
        one.pipeline.to_string(),
        format!("{} of {}", one.may_score, one.values),
        per_cent(one.share),
        refused.join("\n")
    ]
}
