//! Compares evaluation runs: two runs, a trend, and the calibration of the judge.

use super::chart::Gauge;
use super::score::tone;
use super::suite::{changed_cases, changed_table};
use super::words::{count, exit_line, per_cent, rate};
use super::{Doc, Invocation, Report, ReportCase, Table, Text, Tone};
use rust_decimal::Decimal;

use crate::agent::ANSWERS_OF;
use crate::error::Exit;
use crate::row;
use crate::scoring::cost::WEEKLY_ALERT;
use crate::scoring::stats::{Proportion, TargetOutcome};
use crate::scoring::suite::RunComparison;
use crate::workflow::evaluate::calibrate::{CalibrationReport, RaterVerdicts};
use crate::workflow::evaluate::compare::{CategoryComparison, EvalComparison, TruthChange};
use crate::workflow::evaluate::history::HistoryLine;
use crate::workflow::evaluate::trend::Trend;
use atlas_gt_core::question_id::question_label;

impl Report for EvalComparison {
    const NAME: &'static str = "eval_compare";
    const CASES_ARE_ITEMS: bool = true;

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn properties(&self) -> Vec<(&'static str, String)> {
        vec![("verdict", exit_line(self.exit_code, &self.exit_reason))]
    }

    fn cases(&self) -> Vec<ReportCase> {
        changed_cases(&self.questions)
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let questions = &self.questions;
        let mut doc = Doc::new(format!("{} and then {}", self.first, self.second));
        let is_well = questions.regressions.is_empty();
        doc.sum(Text::toned(tone(Some(is_well)), exit_line(self.exit_code, &self.exit_reason)));
        self.notes.iter().for_each(|note| doc.sum(Text::toned(Tone::Warning, note)));
        doc.sum(format!(
            "{} and then {}: broken {}, fixed {}; McNemar's exact test: p = {:.4}",
            self.first,
            self.second,
            questions.regressions.len(),
            questions.improvements.len(),
            questions.mcnemar.p_value
        ));
        let rate = |rate: &Option<Proportion>| {
            rate.map_or_else(
                || "nothing".to_owned(),
                |rate| format!("{} of {} ({})", rate.successes, rate.n, per_cent(rate.rate)),
            )
        };
        let (first, second) = (rate(&questions.first), rate(&questions.second));
        doc.sum(format!("{} in both runs: {first} pass, then {second}", count(questions.paired, "question")));
        chance_lines(questions).into_iter().for_each(|line| doc.sum(line));
        let named = |id: &str, name: Text| {
            let case = self.cases.get(id);
            let asked = case.map(|case| Text::brief(&case.asked[1], 90));
            let link = case.and_then(|case| case.page_link.as_deref());
            [name.linked(link), asked.unwrap_or_else(|| invocation.question(id))]
        };
        doc.body.section("Changed questions", |body| {
            let named = |id: &str| named(id, Text::from(id));
            body.table(changed_table(questions, ["broken", "fixed"], named));
        });
        for (title, kind, groups) in
            [("Categories", "category", &self.categories), ("Cohorts", "cohort", &self.cohorts)]
        {
            doc.body.section(title, |body| {
                let cells = |one: &CategoryComparison| {
                    row![
                        &one.name,
                        one.paired.to_string(),
                        format!("{} → {}", one.first_passed, one.second_passed),
                        format!("{:.4}", one.mcnemar.p_value),
                        format!("{:.4}", one.adjusted_p),
                    ]
                };
                let head = [kind, ">paired", "passed", ">p", ">p (Holm)"];
                body.table(Table::new(&head).rows(groups.iter().map(cells)));
            });
        }
        doc.body.section("Different questions in the second run, not compared", |body| {
            let cells = |id: &String| {
                let [first, second] = self.cases.get(id).map(|case| case.asked.clone()).unwrap_or_default();
                row![question_label(id), Text::brief(&first, 90), Text::brief(&second, 90)]
            };
            body.rows(&["question", "first run", "second run"], self.other_questions.iter().map(cells));
        });
        doc.body.section("Questions whose record changed", |body| {
            let cells = |one: &TruthChange| {
                let now = one.verdict_now.map_or("left out", |verdict| verdict.name());
                let [name, asked] = named(&one.question_id, question_label(&one.question_id).into());
                row![
                    name,
                    asked,
                    &one.first_truth,
                    &one.second_truth,
                    format!("{} → {now}", one.verdict_then.name()),
                ]
            };
            let head = ["question", "asked", "record then", "record now", "first run by the new record"];
            body.table(Table::new(&head).rows(self.truth_changed.iter().map(cells)));
        });
        doc
    }
}

/// How much of the difference of two runs may be chance, and which questions are not compared.
fn chance_lines(compared: &RunComparison) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(difference) = &compared.score_difference {
        lines.push(format!(
            "mean score changed by {:+.3} (95 % interval {:+.3} to {:+.3}, {} resampled {} times, seed {})",
            difference.difference,
            difference.interval.low,
            difference.interval.high,
            count(difference.n, "pair"),
            difference.resamples,
            difference.seed.0
        ));
    }
    let least = compared.minimum_detectable_difference.map_or_else(
        || TargetOutcome::TooFewToTell.words(),
        |least| format!("{least:.3} (5 % level, 80 % power)"),
    );
    lines.push(format!("smallest detectable difference: {least}"));
    if compared.unscored > 0 {
        lines.push(format!("skipped for lack of a verdict in one run: {}", compared.unscored));
    }
    for (which, names) in [("first", &compared.only_first), ("second", &compared.only_second)] {
        if !names.is_empty() {
            lines.push(format!("only in the {which} run: {}", names.join(", ")));
        }
    }
    lines
}

/// The last runs (evaluation strategy, section 8, "Trend Reporting").
impl Report for Trend {
    const NAME: &'static str = "eval_trend";
    const ITEMS: Option<&'static str> = Some("runs");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Trend of {}", count(self.runs.len(), "run")));
        if self.week_alert {
            doc.sum(Text::toned(Tone::Bad, format!("ALERT: more than ${WEEKLY_ALERT} in seven days")));
        }
        doc.sum(format!(
            "{}, scoring version {}; spent in the seven days up to the last run: ${}",
            count(self.runs.len(), "run"),
            self.scoring_version,
            self.week_usd.normalize()
        ));
        for (version, runs) in &self.other_versions {
            doc.sum(format!("skipped: {} of scoring version {version}", count(*runs, "run")));
        }
        if !self.other_suites.is_empty() {
            let names: Vec<&str> = self.other_suites.iter().map(String::as_str).collect();
            doc.sum(format!("not shown: runs of other suites, see --suite: {}", names.join(", ")));
        }
        doc.body.section("Regressions against the previous run", |body| {
            let last = self.runs.len().saturating_sub(1);
            body.list(self.runs.iter().enumerate().filter_map(|(at, one)| {
                let Some(before) = &one.compared_with else {
                    let HistoryLine { run, agent_model, .. } = &one.run;
                    let of = match agent_model.starts_with(ANSWERS_OF) {
                        true => "over recorded answers".to_owned(),
                        false => format!("of the agent {agent_model}"),
                    };
                    let none = format!("{run}: not compared, because there is no earlier run {of}");
                    return (at == last).then_some(none);
                };
                let lost = one.regressions.join(", ");
                let lost = if lost.is_empty() { "none" } else { &lost };
                let asked = count(one.compared, "question");
                let mut line = format!("{}: {lost} (of {asked}, against {before})", one.run.run);
                if !one.other_questions.is_empty() {
                    let ids = one.other_questions.join(", ");
                    line += &format!("; skipped, different question in the previous run: {ids}");
                }
                if one.by_number > 0 {
                    line +=
                        "; compared by number, because an older version stored one run without its questions";
                }
                Some(line)
            }));
        });
        let head = ["run", ">questions", "passed", "score of 5", ">routes", ">took", ">cost", ""];
        doc.body.table(Table::new(&head).rows(self.runs.iter().map(|one| run_row(&one.run))));
        doc.body.section("Scored by another tool's judge, not compared", |body| {
            let cells = |line: &HistoryLine| {
                let mut row = run_row(line);
                row.truncate(4);
                row.extend(row![line.judge_model.as_deref().unwrap_or("unknown"), dollars(line.cost())]);
                row
            };
            let head = ["run", ">questions", "passed", "score of 5", "judge", ">cost"];
            body.table(Table::new(&head).rows(self.other_judges.iter().map(cells)));
        });
        doc.body.section("Pass rates by category", |body| {
            for (at, runs) in self.runs.chunks(RUNS_PER_TABLE).enumerate() {
                let mut head = vec!["category"];
                head.extend(runs.iter().map(|one| one.run.run.as_str()));
                let cells = |(name, rates): (&String, &Vec<Option<f64>>)| {
                    let rates = rates.iter().skip(at * RUNS_PER_TABLE).take(RUNS_PER_TABLE);
                    let mut row = row![name];
                    row.extend(rates.map(|rate| Text::from(rate.map(per_cent))));
                    row
                };
                body.table(Table::new(&head).rows(self.categories.iter().map(cells)));
            }
        });
        doc
    }
}

/// The number of runs beside each other, whose names fit into 80 columns.
const RUNS_PER_TABLE: usize = 3;

/// Dollars and cents. An unknown cost is not zero.
fn dollars(cost: Option<Decimal>) -> String {
    cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.2}"))
}

fn run_row(run: &HistoryLine) -> Vec<Text> {
    let gauge = |value: f64, scale, text: String| {
        let label = format!("{}: {text}", run.run);
        Text::from(text).with(Gauge { scale, value, ..Gauge::default() }.chart(label))
    };
    row![
        &run.run,
        run.questions,
        run.pass_rate.map(|rate| gauge(rate, (0.0, 1.0), per_cent(rate))),
        run.avg_score.map(|score| gauge(score, (1.0, 5.0), format!("{score:.2}"))),
        run.trajectory_match_rate.map(per_cent),
        (run.duration_s > 0.0).then(|| format!("{:.1} s", run.duration_s)),
        dollars(run.cost()),
        if run.complete { "" } else { "partial" },
    ]
}

impl Report for CalibrationReport {
    const NAME: &'static str = "eval_calibrate";

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new(format!("Calibration of {}", self.judge.model));
        let exit = self.exit();
        let verdict = match &self.note.why {
            None => "calibrated".to_owned(),
            Some(why) => format!("UNCALIBRATED: {why}; a gate counts its decisions as undecided"),
        };
        doc.sum(Text::toned(tone(Some(self.note.why.is_none())), verdict));
        doc.sum(format!("{} (prompts {})", self.judge.model, self.judge.prompts_hash));
        doc.sum(exit_line(exit as u8, exit.meaning()));
        if let Some(found) = &self.agreement {
            doc.sum(format!(
                "agreement {}; always answering {} would reach {}",
                rate(&found.agreement),
                found.baseline.label.name(),
                per_cent(found.baseline.rate)
            ));
            if let Some((kappa, ends)) = found.kappa.zip(found.kappa_interval) {
                doc.sum(format!("kappa {kappa:.2} (95 % interval {:.2} to {:.2})", ends.low, ends.high));
            }
        }
        if let Some(found) = &self.with_itself {
            let word = if found.consistent { "within" } else { "ABOVE" };
            let apart = found.distance;
            doc.sum(format!(
                "two rounds of the judge: {apart:.2} points apart on average, {word} the allowed 0.3"
            ));
        }
        doc.body.list(self.differences.iter().map(|(id, RaterVerdicts { person, judge })| {
            format!("{id}: the person says {}, the judge {}", person.name(), judge.name())
        }));
        doc.body.list(self.unscored.iter().map(|(id, why)| format!("{id} unscored: {why}")));
        let rates = self.agreement.iter().flat_map(|found| &found.base_rates);
        let cells = rates.map(|rate| row![rate.label.name(), per_cent(rate.first), per_cent(rate.second)]);
        doc.body.table(Table::new(&["label", ">person", ">judge"]).rows(cells));
        doc.body.list(self.dimensions.iter().map(|(name, found)| {
            format!("{name}: {:.2} points apart on average over {}", found.distance, found.n)
        }));
        doc
    }
}
