//! The reports of the scoring commands: fields, metrics and data points, each with its reason.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, three, verdict_counts, verdict_tone};
use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone};
use crate::agent::MAX_INVALID;
use crate::error::Exit;
use crate::evaluate::AnswerDetails;
use crate::row;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, PlaceKind, Placed, PointScore};
use crate::scoring::json::{FieldOutcome, FieldScore, PairScore, Summary};
use crate::scoring::stats::{MeanEstimate, Running};
use crate::scoring::text::{MetricScore, TextDetails};
use crate::workflow::{AnswersSummary, InvalidLine, OpenReason, Remedy};
use atlas_gt_core::question_id::question_label;

/// The tone of a pass, a failure, or no decision.
pub(super) const fn tone(passed: Option<bool>) -> Tone {
    match passed {
        Some(true) => Tone::Good,
        Some(false) => Tone::Bad,
        None => Tone::Warning,
    }
}

impl Report for PairScore<'_> {
    const NAME: &'static str = "score_json";

    fn doc(&self, _: &Invocation) -> Doc {
        let scored = &self.score.metadata;
        let mut doc = Doc::new("JSON object against the truth");
        let measures = &scored.measures;
        let rqs = measures.rqs.map_or_else(|| "-".to_owned(), |rqs| format!("{rqs:.4}"));
        let safety = if measures.safety_judged { "" } else { " (not judged)" };
        let attainable = three(measures.rqs_of_max);
        doc.sum(format!("RQS {rqs} of {:.2}: {attainable} of the attainable score", measures.rqs_max));
        doc.sum(format!(
            "completeness {:.3}, hallucination {:.3}, accuracy {}, safety {:.3}{safety}",
            measures.completeness,
            measures.hallucination,
            three(measures.accuracy),
            measures.safety_score,
        ));
        if scored.counts.unscored > 0 {
            let unscored = format!("unscored: {}; no gate passes with that", scored.counts.unscored);
            doc.sum(Text::toned(Tone::Warning, unscored));
        }
        let cells = |field: &FieldScore<'_>| {
            let points = match field.outcome {
                FieldOutcome::Match => Text::toned(Tone::Good, "1"),
                FieldOutcome::Mismatch => Text::toned(Tone::Bad, "0"),
                FieldOutcome::Ignored => Text::muted("ignored"),
                FieldOutcome::Unscored => Text::toned(Tone::Warning, "unscored"),
            };
            let provisional = if field.provisional { ", provisional" } else { "" };
            row![
                field.field.clone().into_owned(),
                format!("{} ({})", field.strategy.name(), field.strategy_from),
                points,
                format!("{}{provisional}", field.backend),
                &field.reason
            ]
        };
        let head = ["field", "strategy", "score", "backend", "why"];
        doc.body.table(Table::new(&head).rows(scored.fields.iter().map(cells)));
        let keys = [
            ("extra keys", &scored.buckets.extra_keys),
            ("null in the reference, a value in the answer", &scored.buckets.gt_null_aio_has_value),
            ("missing or null in the answer", &scored.buckets.aio_missing_or_null),
        ];
        doc.body.facts(
            keys.iter().filter(|(_, keys)| !keys.is_empty()).map(|(name, keys)| (*name, keys.join(", "))),
        );
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |field: &FieldScore<'_>| {
            let state = CaseVerdict::from_pass(field.score.map(|score| score >= 1.0));
            ReportCase::new(&field.field, state, &field.reason)
        };
        self.score.metadata.fields.iter().map(case).collect()
    }
}

/// A batch of JSON pairs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Batched {
    /// Their totals.
    #[serde(flatten)]
    pub summary: Summary,
    /// One test case per pair.
    #[serde(skip)]
    pub cases: Vec<ReportCase>,
}

impl Report for Batched {
    const NAME: &'static str = "score_json_summary";

    fn cases(&self) -> Vec<ReportCase> {
        self.cases.clone()
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let (summary, counts) = (&self.summary, &self.summary.counts);
        let mut doc = Doc::new("JSON objects against their truths");
        doc.sum(format!(
            "{}, {}; fields: {} right, {} wrong, {} missing, {} made up, {} ignored, {} unscored",
            count(summary.pairs, "pair"),
            count(summary.errors, "error"),
            counts.matched,
            counts.mismatched,
            counts.aio_missing_or_null,
            counts.extra_keys + counts.gt_null_aio_has_value,
            counts.ignored,
            counts.unscored
        ));
        let cells = |(name, running): (&str, &Running)| {
            let Some(MeanEstimate { n, mean, standard_error, interval, .. }) = running.estimate() else {
                return row![name, "0", "-", "-", "-"];
            };
            let error = standard_error.map_or_else(|| "-".to_owned(), |error| format!("{error:.4}"));
            let interval = interval
                .map_or_else(|| "-".to_owned(), |bounds| format!("{:.4} to {:.4}", bounds.low, bounds.high));
            row![name, n, format!("{mean:.4}"), error, interval]
        };
        let measures = [
            ("completeness", &summary.completeness),
            ("hallucination", &summary.hallucination),
            ("accuracy", &summary.accuracy),
            ("RQS", &summary.rqs),
            ("RQS of attainable", &summary.rqs_of_max),
        ];
        let head = ["measure", ">pairs", ">mean", ">standard error", "95 % interval"];
        doc.body.table(Table::new(&head).rows(measures.into_iter().map(cells)));
        let names = [
            ("truths without answer", &summary.unmatched_truth),
            ("answers without truth", &summary.unmatched_answer),
        ];
        let named = names.iter().filter(|(_, names)| !names.is_empty());
        doc.body.facts(named.map(|(what, names)| (*what, names.join(", "))));
        doc
    }
}

/// The score of a text by the six threshold metrics.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ScoredText {
    /// Its score.
    #[serde(flatten)]
    pub score: Score<TextDetails>,
    /// Whether to show the trace of every decision.
    #[serde(skip)]
    pub trace: bool,
}

impl Report for ScoredText {
    const NAME: &'static str = "score_text";

    fn doc(&self, _: &Invocation) -> Doc {
        let scored = &self.score.metadata;
        let mut doc = Doc::new("Text by the threshold metrics");
        let by_share = scored.band_by_share.map_or("-", |band| band.name());
        doc.sum(format!(
            "{} of {}: {} by points, {by_share} by share of 14",
            scored.points,
            count(scored.attainable, "point"),
            scored.band_by_points.name()
        ));
        if scored.metrics.iter().filter_map(|metric| metric.score).sum::<u32>() != scored.points {
            doc.sum(self.score.reason());
        }
        let cells = |metric: &MetricScore| {
            let points = metric.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
            row![
                metric.trace.title.split(" (").next().unwrap_or_default(),
                format!("{points}/{}", metric.maximum),
                metric.quality,
                &metric.trace.result,
            ]
        };
        let head = ["metric", ">points", "quality", "why"];
        doc.body.table(Table::new(&head).rows(scored.metrics.iter().map(cells)));
        for metric in scored.metrics.iter().filter(|_| self.trace) {
            doc.body.code(metric.trace.to_string());
        }
        doc
    }

    /// A metric passes if it scores at least one point.
    fn cases(&self) -> Vec<ReportCase> {
        let case = |metric: &MetricScore| {
            let message = format!("{}: {}", metric.trace.score, metric.trace.result);
            ReportCase::new(
                &metric.trace.title,
                CaseVerdict::from_pass(metric.score.map(|score| score > 0)),
                message,
            )
        };
        self.score.metadata.metrics.iter().map(case).collect()
    }
}

impl Report for Score<AnswerDetails> {
    const NAME: &'static str = "score_answer";

    fn exit(&self) -> Exit {
        if CaseVerdict::from(self.verdict) == CaseVerdict::Pass { Exit::Ok } else { Exit::Differences }
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let details = &self.metadata;
        let id = details.question_id.as_str();
        let mut doc = Doc::new(format!("Answer to question {id}"));
        doc.sum(Text::toned(verdict_tone(self.verdict.into()), self.reason()));
        doc.sum(format!("{question} {}", invocation.question(id).text, question = question_label(id)));
        let cells = |(point, truth): (&PointScore, &String)| {
            let said = format!("{:?}", point.said).to_lowercase();
            let value = point.value.as_deref().unwrap_or("-");
            row![
                Text::code(&point.field),
                truth,
                value,
                Text::badge(tone(is_right(point)), said),
                &point.reason
            ]
        };
        let head = ["data point", "truth", "answer", "verdict", "why"];
        doc.body.table(Table::new(&head).rows(details.points.iter().zip(&details.truths).map(cells)));
        // for a single value the table is complete
        let asked = |one: &Placed| one.place == PlaceKind::Asked;
        let tells = |point: &&PointScore| {
            point.said != AnswerVerdict::Right
                && (point.candidates.len() > 1 || !point.candidates.iter().all(asked))
        };
        for point in details.points.iter().filter(tells) {
            doc.body.list(point.candidates.iter().map(|one| {
                let agrees =
                    one.agrees.map_or("", |agrees| if agrees { ", the truth" } else { ", another value" });
                let why = one.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
                format!("{}, {}: {}{agrees}{why}", point.field, one.value, one.place.words())
            }));
        }
        doc.body.list(details.refused.iter().map(|one| format!("{}: no score, {}", one.field, one.reason)));
        doc.body.list(details.extra.iter().map(|extra| format!("besides: {}", extra.value)));
        doc
    }

    /// One test case per data point.
    fn cases(&self) -> Vec<ReportCase> {
        let details = &self.metadata;
        let points = details.points.iter().map(|point| {
            ReportCase::new(&point.field, CaseVerdict::from_pass(is_right(point)), &point.reason)
        });
        let refused = details
            .refused
            .iter()
            .map(|refused| ReportCase::new(&refused.field, CaseVerdict::Unscored, &refused.reason));
        points.chain(refused).collect()
    }
}

/// Whether a data point is right; none if undecided.
fn is_right(point: &PointScore) -> Option<bool> {
    match point.said {
        AnswerVerdict::Right => Some(true),
        AnswerVerdict::Wrong | AnswerVerdict::Missing => Some(false),
        AnswerVerdict::Unscored => None,
    }
}

/// One of many scored answers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnswerLine {
    /// Its line number in the file.
    pub line: usize,
    /// Its id in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its score.
    #[serde(flatten)]
    pub score: Score<AnswerDetails>,
}

/// Many scored answers. In JSON they are printed one by one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AnswersReport {
    /// The answers, in the order of the file.
    pub answers: Vec<AnswerLine>,
    /// Their totals.
    pub summary: AnswersSummary,
    /// One row per answer.
    #[serde(skip)]
    pub rows: Vec<Vec<Text>>,
    /// One test case per answer.
    #[serde(skip)]
    pub cases: Vec<ReportCase>,
    /// The command that has a judge score them, if `eval run` takes them.
    #[serde(skip)]
    pub judging: Option<String>,
}

/// How many reasons are shown why answers are unscored.
const REASONS: usize = 12;

impl Report for AnswersReport {
    const NAME: &'static str = "score_answers";
    const ITEMS: Option<&'static str> = Some("answers");

    fn exit(&self) -> Exit {
        let AnswersSummary { answers, counts, .. } = &self.summary;
        match (CaseVerdict::Error.of(counts), CaseVerdict::Pass.of(counts)) {
            (1.., _) => Exit::Usage,
            (_, passed) if passed == *answers as u64 => Exit::Ok,
            _ => Exit::Differences,
        }
    }

    fn cases(&self) -> Vec<ReportCase> {
        self.cases.clone()
    }

    fn doc(&self, invocation: &Invocation) -> Doc {
        let summary = &self.summary;
        let mut doc = Doc::new("Answers against their records");
        let answers = count(summary.answers as u64, "answer");
        doc.sum(format!("{answers}: {}", verdict_counts(&summary.counts)));
        doc.sum(format!("data points: {}", summary.points));
        if let Some(mean) = &summary.mean {
            let interval = mean.interval.as_ref();
            let interval = interval.map_or_else(String::new, |bounds| {
                format!(", 95 % interval {:.3} to {:.3}", bounds.low, bounds.high)
            });
            doc.sum(format!("mean score {:.3} over {}{interval}", mean.mean, count(mean.n, "scored answer")));
        }
        doc.body.section("Lines that could not be scored", |body| {
            let cells = |one: &InvalidLine| row![one.line, &one.error];
            let shown = summary.invalid.iter().take(MAX_INVALID);
            body.table(Table::new(&[">line", "problem"]).rows(shown.map(cells)));
            body.more(summary.invalid.len(), MAX_INVALID, "lines: --format json lists them");
        });
        doc.body.section("Why answers are unscored", |body| {
            let cells = |open: &OpenReason| {
                row![open.answers, &open.first, &open.reason, Remedy::advice(open.remedy)]
            };
            let head = [">answers", "first question", "reason", "how to get them scored"];
            body.table(Table::new(&head).rows(summary.open.iter().take(REASONS).map(cells)));
            body.more(summary.open.len(), REASONS, "reasons: --format json lists them");
        });
        let head = ["answer", "question", "asked", "verdict", ">right", "why"];
        let rows = self.rows.iter().map(|row| {
            let mut row = row.clone();
            row.insert(2, invocation.question(&row[1].text));
            row
        });
        doc.body.table(Table::new(&head).rows(rows));
        if let Some(judging) = &self.judging
            && summary.open.iter().any(|open| open.remedy == Remedy::Judge)
        {
            doc.next("have a judge score what is unscored (name it with --judge)", judging);
        }
        if summary.open.iter().any(|open| open.remedy == Remedy::Truth) {
            doc.next("review the records", invocation.command("review"));
        }
        doc
    }
}
