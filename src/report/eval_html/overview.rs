//! The run as a whole: what a reader must know first, targets, verdicts, dimensions, groups.

use std::fmt::Write as _;

use super::super::chart::{Gauge, gauge, stack};
use super::super::eval::{of, shown, verdict};
use super::super::html::escape;
use super::super::words::{count, per_cent, plural};
use super::{facts, question, spaced, words};
use crate::manifest::QuestionId;
use crate::scoring::stats::{Proportion, TargetOutcome};
use crate::workflow::evaluate::{
    BASELINE, CaseVerdict, Group, QuestionRecord, RunSummary, Score5, StoreNow, Target, Unit,
};

/// All that stands above the questions.
pub(super) fn html(summary: &RunSummary, questions: &[QuestionRecord], store: &StoreNow) -> String {
    let mut out = String::new();
    header(&mut out, summary);
    notices(&mut out, summary, questions, store);
    targets(&mut out, summary);
    verdicts(&mut out, summary);
    dimensions(&mut out, summary);
    for (title, key, groups) in [
        ("Categories", Some("category"), &summary.categories),
        ("Difficulty", Some("difficulty"), &summary.difficulties),
        ("Query types", Some("type"), &summary.query_types),
        ("Sources of the truth", None, &summary.source_methods),
    ] {
        group_table(&mut out, title, key, groups);
    }
    facts::html(&mut out, summary);
    out
}

fn header(out: &mut String, summary: &RunSummary) {
    let _ = writeln!(out, "<header>\n<h1>Evaluation run {}</h1>", escape(&summary.run));
    let mut lines = vec![
        format!("agent {}, asked about the {} site", summary.agent, summary.site),
        format!("questions: {}", summary.selection),
        format!("{} to {}, {:.0} s", summary.started, summary.ended, summary.duration_s),
        format!("scoring version {}, atlas-gt {}", summary.scoring_version, summary.tool_version),
    ];
    lines.push(match &summary.judge {
        Some(judge) => format!(
            "judge {}, {}, asked {} each",
            judge.model,
            words(&judge.rubric),
            plural(judge.repeat, "time", "times")
        ),
        None => "no judge".to_owned(),
    });
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    let _ = writeln!(out, "<p class=\"soft\">{}</p>", lines.join(" · "));
    let _ = writeln!(
        out,
        "<p class=\"verdict\">{}</p>\n<p><a href=\"#questions\">To the questions</a></p>\n</header>",
        escape(&verdict(summary)).replace('\n', "<br>")
    );
}

/// Links to the first of some questions, and a way to all of them.
fn links(ids: &[String], remark: &str) -> String {
    const FIRST: usize = 8;
    let named: Vec<String> =
        ids.iter().take(FIRST).map(|id| format!("<a href=\"#q{0}\">Q{0}</a>", escape(id))).collect();
    let mut text = named.join(", ");
    if ids.len() > FIRST {
        let _ = write!(text, " and {} more", ids.len() - FIRST);
    }
    if ids.len() > 1 {
        let _ = write!(text, " (<a href=\"{}\">show them</a>)", filter("remark", remark));
    }
    text
}

/// The address of a filter.
pub(super) fn filter(key: &str, value: &str) -> String {
    let pair = url::form_urlencoded::Serializer::new(String::new()).append_pair(key, value).finish();
    format!("#{}", escape(&pair))
}

/// What a reader must know before the figures.
fn notices(out: &mut String, summary: &RunSummary, questions: &[QuestionRecord], store: &StoreNow) {
    let mut found: Vec<String> = Vec::new();
    if let Some(why) = &summary.partial {
        found.push(format!(
            "<b>This run is partial:</b> {}. The rates are those of the questions that ended.",
            escape(why)
        ));
    }
    if let Some(known) = summary.calibration.as_ref().filter(|known| !known.is_calibrated) {
        let why = known.why.as_deref().unwrap_or("nobody held it against people's labels");
        found.push(format!(
            "<b>The judge is uncalibrated:</b> {}. What it decided fails no gate and passes none.",
            escape(why)
        ));
    }
    if let Some((anchors, run)) = summary
        .anchors
        .as_ref()
        .filter(|anchors| anchors.drifted == Some(true))
        .and_then(|a| Some((a, a.compared_with.as_ref()?)))
    {
        found.push(format!(
            "<b>The judge has drifted</b> since run {} by {:.2} points of 5 on answers that never change: a change of the scores may \
             be the judge's.",
            escape(run),
            anchors.distance.unwrap_or_default()
        ));
    }
    if !summary.unstable.is_empty() {
        let cases = plural(summary.unstable.len(), "question is", "questions are");
        found.push(format!(
            "<b>{cases} unstable:</b> the judge, asked again, decides otherwise. {}",
            links(&summary.unstable, question::UNSTABLE)
        ));
    }
    let changed: Vec<String> = store.changed.iter().map(QuestionId::to_string).collect();
    if !changed.is_empty() {
        found.push(format!(
            "<b>The truth of {} has changed</b> since the run, or is gone; the verdicts are by the truth as the run used it. {}",
            count(changed.len(), "question"),
            links(&changed, question::TRUTH_CHANGED)
        ));
    }
    if let Some(why) = store.unread.as_ref().filter(|_| questions.iter().any(|one| one.truth.is_some())) {
        found.push(format!(
            "<b>Whether the truth has changed since is not known,</b> and pictures are missing: {}",
            escape(why)
        ));
    }
    if !summary.judge_failures.is_empty() {
        let ids: Vec<String> = summary.judge_failures.keys().cloned().collect();
        let cases = count(ids.len(), "question");
        found.push(format!(
            "<b>The judge failed at {cases} that it was needed for;</b> nothing decided them. {}",
            links(&ids, question::JUDGE_FAILED)
        ));
    }
    if !summary.unreadable.is_empty() {
        let named: Vec<String> =
            summary.unreadable.iter().map(|one| format!("Q{}: {}", one.question_id, one.why)).collect();
        found.push(format!(
            "<b>Not asked, because the truth cannot be read:</b> {}",
            escape(&named.join("; "))
        ));
    }
    if let Some(run) = &summary.rescore_of {
        found.push(format!("The answers are those of run {}, scored again.", escape(run)));
    }
    if summary.cost.week_alert {
        found.push("<b>More than $100 were spent in seven days.</b>".to_owned());
    }
    if !found.is_empty() {
        let _ = writeln!(
            out,
            "<ul class=\"notices\" aria-label=\"To know first\"><li>{}</li></ul>",
            found.join("</li>\n<li>")
        );
    }
}

fn title(target: &Target) -> &str {
    match target.name {
        "pass_rate" => "Pass rate",
        "avg_weighted_score" => "Weighted score",
        "trajectory_match_rate" => "Routes as expected",
        "latency_p95_ms" => "Latency, p95",
        "graphql_latency_p95_ms" => "GraphQL pipeline, p95",
        "sql_latency_p95_ms" => "SQL pipeline, p95",
        "error_rate" => "Without an answer",
        "questions_with_truth" => "Questions with a truth",
        "categories_with_three" => "Categories with three questions",
        "browser_verified" => "Truth read in a browser",
        "query_types_covered" => "Query types covered",
        other => other,
    }
}

fn targets(out: &mut String, summary: &RunSummary) {
    out.push_str("<section>\n<h2>Targets</h2>\n<div class=\"cards\">\n");
    for target in &summary.targets {
        let class = match target.state {
            TargetOutcome::Met => "met",
            TargetOutcome::Missed => "missed",
            TargetOutcome::TooFewToTell => "open",
        };
        let value = target.value.map_or_else(|| "–".to_owned(), |value| shown(target, value));
        let interval = target.low.zip(target.high);
        let baseline = match target.name {
            "pass_rate" => Some(BASELINE.pass_rate),
            "avg_weighted_score" => Some(BASELINE.avg_score),
            _ => None,
        };
        let mut lines = vec![format!("asked for {}", target.target)];
        lines.extend(
            interval.map(|(low, high)| {
                format!("95 % interval {} to {}", shown(target, low), shown(target, high))
            }),
        );
        if target.n > 0 {
            lines.push(format!("n = {}", target.n));
        }
        lines.extend(baseline.map(|baseline| format!("baseline {}", shown(target, baseline))));
        let scale = match target.unit {
            Unit::Points => (1.0, 5.0),
            Unit::Milliseconds => (0.0, target.value.unwrap_or_default().max(2.0 * target.limit)),
            Unit::Share if target.name == "error_rate" => {
                (0.0, target.high.unwrap_or_default().max(4.0 * target.limit))
            }
            Unit::Share => (0.0, 1.0),
        };
        let label = format!("{}: {value}, {}", title(target), lines.join(", "));
        let chart = target.value.map(|value| {
            gauge(Gauge { scale, value, interval, limit: Some(target.limit), baseline, label: &label })
        });
        let _ = writeln!(
            out,
            "<div class=\"card {class}\"><h3>{}</h3><p><b class=\"big\">{value}</b> <span class=\"badge {class}\">{}</span></p>{}\
             <p class=\"soft\">{}</p></div>",
            escape(title(target)),
            target.state.words(),
            chart.unwrap_or_default(),
            escape(&lines.join(" · "))
        );
    }
    let _ = writeln!(
        out,
        "</div>\n<p class=\"soft\">Line: the value. Band: its 95 % interval. Dashed: what is asked for. Dot: the baseline of {}, {} questions. \
         Met or missed is said where the whole interval lies on one side.</p>\n</section>",
        BASELINE.date, BASELINE.questions
    );
}

/// Counts by verdict as a chart, with the same in words for a label.
fn verdict_stack(count: impl Fn(CaseVerdict) -> u64) -> String {
    let parts = CaseVerdict::ALL.map(|verdict| (verdict.name(), count(verdict)));
    let label: Vec<String> = parts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    stack(&parts, &label.join(", "))
}

fn verdicts(out: &mut String, summary: &RunSummary) {
    let count_of = |verdict: CaseVerdict| summary.counts.get(&verdict).copied().unwrap_or(0);
    let _ = writeln!(
        out,
        "<section>\n<h2>Verdicts</h2>\n<div class=\"wide\">{}</div>\n<ul class=\"legend\">",
        verdict_stack(count_of)
    );
    for verdict in CaseVerdict::ALL {
        let name = verdict.name();
        let _ = write!(
            out,
            "<li><a href=\"{}\"><span class=\"badge {name}\">{name}</span> {}</a></li>",
            filter("verdict", name),
            count_of(verdict)
        );
    }
    let by: Vec<String> =
        summary.decided_by.iter().map(|(decider, count)| format!("{} {count}", words(decider))).collect();
    let _ = writeln!(
        out,
        "</ul>\n<p class=\"soft\">Decided by: {}.{}</p>",
        escape(&by.join(", ")),
        left_out(summary)
    );
    if !summary.findings.is_empty() {
        out.push_str("<h3>What is wrong</h3>\n<ul class=\"legend\">");
        for (kind, ids) in &summary.findings {
            let _ = write!(
                out,
                "<li><a href=\"{}\">{}</a> {}</li>",
                filter("remark", kind),
                escape(&spaced(kind)),
                ids.len()
            );
        }
        out.push_str("</ul>\n");
    }
    if !summary.disagreements.is_empty() {
        let ids: Vec<String> = summary.disagreements.keys().cloned().collect();
        let _ = writeln!(
            out,
            "<p>Judge and rules disagree on {}; the rules stand. {}</p>",
            count(ids.len(), "answer"),
            links(&ids, question::DISAGREEMENT)
        );
    }
    out.push_str("</section>\n");
}

fn left_out(summary: &RunSummary) -> String {
    match summary.without_truth {
        0 => String::new(),
        left => format!(" Left out because nothing says what is right: {left}."),
    }
}

/// A rate with its interval, short.
fn rate_cells(rate: Option<Proportion>, what: &str) -> String {
    let Some(rate) = rate else { return "<td class=\"n\">–</td><td></td>".to_owned() };
    let (low, high) = (rate.interval.low, rate.interval.high);
    let text = format!("{} <small>{} to {}</small>", per_cent(rate.rate), per_cent(low), per_cent(high));
    let label = format!("{what}: {} of {}", rate.successes, rate.n);
    let chart = Gauge {
        scale: (0.0, 1.0),
        value: rate.rate,
        interval: Some((low, high)),
        limit: None,
        baseline: None,
        label: &label,
    };
    format!("<td class=\"n\">{text}</td><td class=\"chart\">{}</td>", gauge(chart))
}

fn group_table(out: &mut String, title: &str, key: Option<&str>, groups: &[Group]) {
    if groups.is_empty() {
        return;
    }
    let scores = groups.iter().any(|group| group.weighted_score.is_some());
    let score_head = if scores { "<th class=\"n\">score of 5</th>" } else { "" };
    let _ = writeln!(
        out,
        "<section>\n<h2>{title}</h2>\n<table class=\"groups\"><thead><tr><th></th><th class=\"n\">n</th><th>verdicts</th>\
         <th class=\"n\">pass rate</th><th></th>{score_head}</tr></thead><tbody>"
    );
    for group in groups {
        let name = escape(&spaced(&group.name));
        let name = match key {
            Some(key) => format!("<a href=\"{}\">{name}</a>", filter(key, &group.name)),
            None => name,
        };
        let score = match group.weighted_score {
            Some(Score5 { mean, .. }) if scores => {
                format!("<td class=\"n\" data-head=\"score\">{mean:.2}</td>")
            }
            _ if scores => "<td class=\"n\">–</td>".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{name}</th><td class=\"n\" data-head=\"n\">{}</td><td class=\"chart\">{}</td>{}{score}</tr>",
            group.counts.values().sum::<u64>(),
            verdict_stack(|verdict| of(group, verdict)),
            rate_cells(group.pass_rate, &group.name)
        );
    }
    out.push_str("</tbody></table>\n</section>\n");
}

fn dimensions(out: &mut String, summary: &RunSummary) {
    if summary.dimensions.is_empty() {
        return;
    }
    out.push_str(
        "<section>\n<h2>Dimensions of the judge</h2>\n<table class=\"groups\"><thead><tr><th></th><th class=\"n\">n</th>\
         <th class=\"n\">mean of 5</th><th></th></tr></thead><tbody>\n",
    );
    for (name, score) in &summary.dimensions {
        let interval = score.low.zip(score.high);
        let ends =
            interval.map_or_else(String::new, |(low, high)| format!(" <small>{low:.2} to {high:.2}</small>"));
        let label = format!("{}: {:.2} of 5", spaced(name), score.mean);
        let chart = Gauge {
            scale: (1.0, 5.0),
            value: score.mean,
            interval,
            limit: None,
            baseline: None,
            label: &label,
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\" data-head=\"n\">{}</td><td class=\"n\">{:.2}{ends}</td><td class=\"chart\">{}</td></tr>",
            escape(&spaced(name)),
            score.n,
            score.mean,
            gauge(chart)
        );
    }
    out.push_str("</tbody></table>\n</section>\n");
}
