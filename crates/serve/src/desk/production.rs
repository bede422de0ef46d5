//! The production page: figures of three windows, targets, and failures to review.

use atlas_gt_core::error::Result;
use atlas_gt_core::words::{name, per_cent};
use serde_json::Value;

use crate::templates::values;

use super::page::{Page, shown, times};
use super::promotion;
use super::sources::Sources;
use crate::failures::{FailureClass, FailureReport, FailureReview};
use crate::metrics::Metrics;

pub(crate) fn page(sources: &Sources, metrics: &Metrics, failures: &FailureReport) -> Result<Page> {
    let seconds = |ms: f64| format!("{:.1} s", ms / 1000.0);
    let windows: Vec<Value> = metrics
        .windows
        .iter()
        .map(|one| {
            // A bar's width is relative to the slowest figure.
            let times = one.latency_ms.as_ref().map(|times| {
                let bar = |name: &str, ms: f64| values! { name, text => seconds(ms), width => (ms / times.p99.max(1.0) * 100.0).round() };
                vec![bar("p50", times.p50), bar("p95", times.p95), bar("p99", times.p99)]
            });
            let pipelines: Vec<Value> = one
                .pipelines
                .iter()
                .map(|(name, found)| {
                    values! { name, text => per_cent(found.share), width => (found.share * 100.0).round(), p95 => found.p95_ms.map(seconds) }
                })
                .collect();
            values! {
                window => one.window, requests => one.requests, times, pipelines,
                errors => one.error_rate.map(per_cent), budget => one.budget.map(|budget| per_cent(budget.peak)),
                trips => one.breaker_trips,
            }
        })
        .collect();
    let targets: Vec<Value> = metrics
        .targets
        .iter()
        .map(|target| {
            let value = target.value.map(|value| match target.name {
                name if name.ends_with("_ms") => seconds(value),
                "circuit_breaker_trips_per_week" => format!("{value}"),
                _ => per_cent(value),
            });
            values! { name => target.name, target => target.target, value, state => target.state.words() }
        })
        .collect();
    let said = |review: &FailureReview| {
        values! {
            class => review.class.name(), by => &review.by, at => shown(review.at), reason => &review.reason,
            question_id => &review.question_id,
        }
    };
    let runs = promotion::runs(&sources.runs)?;
    let rows: Vec<Value> = failures
        .failures
        .iter()
        .map(|failure| {
            let question = failure.review.as_ref().and_then(|review| review.question_id.as_deref());
            let target = question.and_then(|id| promotion::target_now(&runs, id, &failure.question));
            let review = failure.review.as_ref().map(said);
            let earlier: Vec<Value> = failure.earlier.iter().map(said).collect();
            values! {
                failure => &failure.failure, question => &failure.question, error => &failure.error, times => times(failure.count),
                last => shown(failure.last), slowest => failure.slowest_ms.map(|ms| seconds(f64::from(ms))),
                pipelines => failure.pipelines.join(", "), suggested => name(&failure.suggested), review,
                earlier, target,
            }
        })
        .collect();
    let classes = FailureClass::ALL.iter().map(|class| class.name()).collect::<Vec<_>>();
    let values = values! {
        windows, targets, failures => rows, classes, complete => metrics.complete, waiting => failures.waiting().count(),
        slow => failures.slow_ms.map(seconds), trace_flags => &sources.trace_flags,
    };
    Ok(Page { template: "production.html", values })
}
