//! The production figures (evaluation strategy 5.2) for an hour, a day and a week, and the six targets of section 8.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use atlas_gt_scoring::stats::{Limit, Percentiles, TargetOutcome};
use jiff::Timestamp;
use serde::Serialize;

use crate::window::{Breaker, Request, Requests, SPAN_MS, Window};

/// Name and length in milliseconds of each window.
const WINDOWS: [(&str, i64); 3] = [("1h", 3_600_000), ("24h", 24 * 3_600_000), ("7d", SPAN_MS)];

/// The response to `GET /api/metrics`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metrics {
    /// Time of the request.
    pub at: Timestamp,
    /// Whether all requests of the seven days are included. Beyond two million, the oldest are not.
    pub complete: bool,
    /// The figures, shortest window first.
    pub windows: Vec<Figures>,
    /// The targets over seven days.
    pub targets: Vec<ServiceTarget>,
}

/// The figures of a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// `1h`, `24h` or `7d`.
    pub window: &'static str,
    /// Number of requests.
    pub requests: u64,
    /// Exact percentiles of the latency in milliseconds; `None` if no request has one.
    pub latency_ms: Option<Percentiles>,
    /// Share of failed requests; `None` without requests.
    pub error_rate: Option<f64>,
    /// The figures by pipeline.
    pub pipelines: BTreeMap<String, PipelineFigures>,
    /// Use of the GraphQL budget; `None` if no request reports it.
    pub budget: Option<BudgetFigures>,
    /// How often the circuit breaker opened; `None` if no request reports its state.
    pub breaker_trips: Option<u64>,
}

/// The figures of a pipeline in a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PipelineFigures {
    /// Number of requests.
    pub requests: u64,
    /// Share of all requests.
    pub share: f64,
    /// The 95th percentile of its latency, in milliseconds.
    pub p95_ms: Option<f64>,
}

/// Use of the GraphQL budget, as a share of the limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BudgetFigures {
    /// In the newest request that reports it.
    pub latest: f64,
    /// The maximum.
    pub peak: f64,
}

/// A target of section 8.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ServiceTarget {
    /// The measured figure.
    pub name: &'static str,
    /// The target as text.
    pub target: &'static str,
    /// The measured value; `None` if not measured.
    pub value: Option<f64>,
    /// Whether it is met.
    pub state: TargetOutcome,
}

/// The figures at a given time.
#[must_use]
pub fn metrics(window: &Window, now: Timestamp) -> Metrics {
    let windows: Vec<Figures> = window.read(|requests| {
        WINDOWS.iter().map(|(name, span)| figures(requests, name, now.as_millisecond() - span)).collect()
    });
    let targets = windows.last().map(targets).unwrap_or_default();
    Metrics { at: now, complete: !window.is_full(), windows, targets }
}

/// The limit for slow requests: the 95th percentile of seven days; `None` if no request has a latency.
#[must_use]
pub fn slow_ms(window: &Window, now: Timestamp) -> Option<f64> {
    let since = now.as_millisecond() - SPAN_MS;
    let mut times: Vec<i32> = window.read(|requests| {
        let recent = requests.list.iter().filter(|request| request.at >= since && request.latency_ms >= 0);
        recent.map(|request| request.latency_ms).collect()
    });
    percentile(&mut times, 0.95)
}

fn figures(window: &Requests, name: &'static str, since: i64) -> Figures {
    let from = window.list.partition_point(|request| request.at < since);
    let requests = window.list.get(from..).unwrap_or_default();
    let all = requests.len();
    let share = |part: usize| part as f64 / all as f64;
    let mut counts = vec![0_usize; window.pipelines.len()];
    let mut times: Vec<Vec<i32>> = vec![Vec::new(); window.pipelines.len()];
    for request in requests {
        let at = usize::from(request.pipeline);
        if let (Some(count), Some(times)) = (counts.get_mut(at), times.get_mut(at)) {
            *count += 1;
            times.extend((request.latency_ms >= 0).then_some(request.latency_ms));
        }
    }
    let mut every: Vec<i32> = times.iter().flatten().copied().collect();
    let mut pipelines = BTreeMap::new();
    for ((name, count), times) in
        window.pipelines.iter().zip(counts).zip(&mut times).filter(|((_, count), _)| *count > 0)
    {
        let name = if name.is_empty() { "unknown" } else { name };
        let figures =
            PipelineFigures { requests: count as u64, share: share(count), p95_ms: percentile(times, 0.95) };
        pipelines.insert(name.to_owned(), figures);
    }
    Figures {
        window: name,
        requests: all as u64,
        latency_ms: percentiles(&mut every),
        error_rate: (all > 0).then(|| share(requests.iter().filter(|request| request.failed).count())),
        pipelines,
        budget: budget(requests),
        breaker_trips: breaker_trips(requests),
    }
}

/// Like `scoring::stats::percentiles`, but without sorting up to a million numbers.
fn percentiles(times: &mut [i32]) -> Option<Percentiles> {
    Some(Percentiles {
        n: times.len() as u64,
        p50: percentile(times, 0.5)?,
        p95: percentile(times, 0.95)?,
        p99: percentile(times, 0.99)?,
    })
}

fn percentile(times: &mut [i32], p: f64) -> Option<f64> {
    let place = times.len().checked_sub(1)? as f64 * p;
    let (_, below, rest) = times.select_nth_unstable(place.floor() as usize);
    let below = f64::from(*below);
    let above = rest.iter().min().map_or(below, |above| f64::from(*above));
    Some(below + (above - below) * place.fract())
}

fn budget(requests: &[Request]) -> Option<BudgetFigures> {
    let said = requests.iter().filter(|request| request.budget_used >= 0 && request.budget_limit > 0);
    let mut shares =
        said.map(|request| f64::from(request.budget_used) / f64::from(request.budget_limit)).rev();
    let latest = shares.next()?;
    Some(BudgetFigures { latest, peak: shares.fold(latest, f64::max) })
}

fn breaker_trips(requests: &[Request]) -> Option<u64> {
    let mut states =
        requests.iter().map(|request| request.breaker).filter(|state| *state != Breaker::Unknown);
    let mut before = states.next()?;
    let mut trips = u64::from(before == Breaker::Open);
    for state in states {
        trips += u64::from(state == Breaker::Open && before != Breaker::Open);
        before = state;
    }
    Some(trips)
}

/// The six targets of section 8 over a week.
fn targets(week: &Figures) -> Vec<ServiceTarget> {
    let target = |name, target, limit: f64, value: Option<f64>| ServiceTarget {
        name,
        target,
        value,
        state: Limit::Below(limit).outcome_of_exact(value),
    };
    let p95 = |pipeline: &str| week.pipelines.get(pipeline).and_then(|figures| figures.p95_ms);
    vec![
        target("latency_p95_ms", "< 15 s", 15_000.0, week.latency_ms.as_ref().map(|times| times.p95)),
        target("graphql_latency_p95_ms", "< 5 s", 5_000.0, p95("graphql")),
        target("sql_latency_p95_ms", "< 10 s", 10_000.0, p95("sql")),
        target("error_rate", "< 5 %", 0.05, week.error_rate),
        target("graphql_budget_utilization", "< 80 %", 0.80, week.budget.map(|budget| budget.peak)),
        // Trips are integers, so 0.5 separates 0 from 1.
        target("circuit_breaker_trips_per_week", "0", 0.5, week.breaker_trips.map(|trips| trips as f64)),
    ]
}

impl Metrics {
    /// The figures as OpenMetrics text, for monitoring systems.
    #[must_use]
    pub fn open_metrics(&self) -> String {
        let mut text = String::new();
        let mut family = |name: &str, help: &str, samples: Vec<(String, f64)>| {
            let _ = write!(text, "# TYPE atlas_gt_{name} gauge\n# HELP atlas_gt_{name} {help}\n");
            for (labels, value) in samples {
                let _ = writeln!(text, "atlas_gt_{name}{{{labels}}} {value}");
            }
        };
        let each = |value: &dyn Fn(&Figures) -> Option<f64>| -> Vec<(String, f64)> {
            let samples = self
                .windows
                .iter()
                .filter_map(|one| Some((format!("window=\"{}\"", one.window), value(one)?)));
            samples.collect()
        };
        family("requests", "Requests in the window", each(&|one| Some(one.requests as f64)));
        let quantiles = [("0.5", 0), ("0.95", 1), ("0.99", 2)];
        let latency = self.windows.iter().filter_map(|one| Some((one.window, one.latency_ms.as_ref()?)));
        let latency = latency.flat_map(|(window, times)| {
            let values = [times.p50, times.p95, times.p99];
            quantiles.map(|(quantile, at)| {
                (format!("window=\"{window}\",quantile=\"{quantile}\""), values[at] / 1000.0)
            })
        });
        family("request_latency_seconds", "Time from question to answer", latency.collect());
        family("request_error_ratio", "Share of requests that failed", each(&|one| one.error_rate));
        let pipelines = self.windows.iter().flat_map(|one| {
            let sample = |(name, figures): (&String, &PipelineFigures)| {
                (format!("window=\"{}\",pipeline=\"{}\"", one.window, label(name)), figures.share)
            };
            one.pipelines.iter().map(sample)
        });
        family("request_pipeline_ratio", "Share of requests answered by a pipeline", pipelines.collect());
        family(
            "graphql_budget_ratio",
            "Peak use of the GraphQL budget",
            each(&|one| one.budget.map(|b| b.peak)),
        );
        family(
            "breaker_trips",
            "Number of times the circuit breaker opened",
            each(&|one| one.breaker_trips.map(|n| n as f64)),
        );
        let met = self.targets.iter().filter(|target| target.state != TargetOutcome::NotMeasured);
        let met = met.map(|target| {
            (format!("target=\"{}\"", target.name), f64::from(u8::from(target.state == TargetOutcome::Met)))
        });
        family("target_met", "Whether a weekly target is met", met.collect());
        text + "# EOF\n"
    }
}

/// Escapes a label value for OpenMetrics.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_795_687_200_000;

    fn window(requests: Vec<Request>) -> Window {
        Window::holding(requests, &["sql", "graphql", ""])
    }

    const REQUEST: Request = Request {
        at: NOW - 1000,
        latency_ms: 1000,
        budget_used: -1,
        budget_limit: 0,
        pipeline: 0,
        failed: false,
        breaker: Breaker::Unknown,
    };

    fn at_now(window: &Window) -> Metrics {
        metrics(window, Timestamp::from_millisecond(NOW).unwrap())
    }

    #[test]
    fn percentiles_are_those_of_the_one_definition() {
        let mut seed = 7_u64;
        for n in [0, 1, 2, 3, 20, 1001] {
            let mut times: Vec<i32> = (0..n)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 50) as i32
                })
                .collect();
            let plain: Vec<f64> = times.iter().map(|time| f64::from(*time)).collect();
            assert_eq!(percentiles(&mut times), atlas_gt_scoring::stats::percentiles(&plain), "{n}");
        }
    }

    #[test]
    fn each_window_has_its_own_requests_and_targets_are_met_missed_or_not_measured() {
        let empty = at_now(&window(Vec::new()));
        assert!(empty.targets.iter().all(|target| target.state == TargetOutcome::NotMeasured));
        assert_eq!((empty.targets.len(), empty.windows[0].error_rate), (6, None));

        let hour = 3_600_000;
        let requests = vec![
            Request {
                at: NOW - 30 * hour,
                latency_ms: 20_000,
                pipeline: 2,
                breaker: Breaker::Open,
                ..REQUEST
            },
            Request {
                at: NOW - 29 * hour,
                breaker: Breaker::Other,
                budget_used: 90,
                budget_limit: 100,
                ..REQUEST
            },
            Request { at: NOW - 2 * hour, failed: true, latency_ms: -1, breaker: Breaker::Open, ..REQUEST },
            Request {
                pipeline: 1,
                latency_ms: 4_000,
                budget_used: 30,
                budget_limit: 100,
                breaker: Breaker::Open,
                ..REQUEST
            },
        ];
        let found = at_now(&window(requests));
        assert_eq!(found.windows.iter().map(|one| one.requests).collect::<Vec<_>>(), [1, 2, 4]);
        let week = &found.windows[2];
        assert_eq!(week.latency_ms.as_ref().map(|times| (times.n, times.p50)), Some((3, 4000.0)));
        assert_eq!((week.error_rate, week.breaker_trips), (Some(0.25), Some(2)));
        assert_eq!(week.budget, Some(BudgetFigures { latest: 0.3, peak: 0.9 }));
        assert_eq!(week.pipelines["unknown"].share, 0.25);
        let states: Vec<String> = found.targets.iter().map(|target| target.state.words()).collect();
        assert_eq!(states, ["missed", "met", "met", "missed", "missed", "missed"]);
        let text = found.open_metrics();
        for line in [
            "# TYPE atlas_gt_requests gauge",
            "atlas_gt_requests{window=\"7d\"} 4",
            "atlas_gt_request_latency_seconds{window=\"1h\",quantile=\"0.95\"} 4",
            "atlas_gt_target_met{target=\"sql_latency_p95_ms\"} 1",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}: {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
