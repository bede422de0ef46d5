//! Answers in prose with the verdict that each expected data point should get. `cases.jsonl` was used to tune the
//! scoring, `held_out.jsonl` was not: only its figures are looked at.

mod linear;

use std::collections::BTreeMap;

use atlas_gt::scoring::answer::{AnswerVerdict, Expected, PointScore, score};
use atlas_gt::scoring::compare::{Content, LONGEST_TEXT, Operand};
use atlas_gt::value::{Absence, Context, Quantity, Rule, Unit, Value, parse, parse_as};
use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Deserialize)]
struct Truth {
    data_point: String,
    metric: String,
    subject: Option<String>,
    column: Option<String>,
    rank: Option<u64>,
    value: Option<String>,
    absence: Option<Absence>,
    unit: Option<Unit>,
    rule: Option<Rule>,
    precise: Option<Decimal>,
    context: Context,
}

#[derive(Deserialize)]
struct Case {
    id: u32,
    truth: String,
    answer: String,
    expect: Vec<AnswerVerdict>,
    cause: Option<String>,
}

fn expected(truth: &Truth) -> Expected {
    let content = match (&truth.value, truth.unit, truth.absence) {
        (_, _, Some(absence)) => Content::Absent(absence),
        (Some(text), Some(unit), None) => {
            let quantity =
                truth.rule.and_then(|rule| parse_as(text, rule).ok()).or_else(|| match parse(text) {
                    Some(Value::Quantity(quantity)) => Some(quantity),
                    _ => None,
                });
            Content::Value(Value::Quantity(quantity.unwrap_or_else(|| panic!("{text}")).with_unit(unit)))
        }
        (text, _, _) => Content::Value(Value::Text(text.clone().unwrap())),
    };
    let precise = truth.precise.zip(truth.unit).map(|(number, unit)| {
        Operand::value(Value::Quantity(Quantity::exact(number, unit)), truth.context.clone())
    });
    Expected {
        field: truth
            .subject
            .as_ref()
            .map_or(truth.data_point.clone(), |s| format!("{}[{s}]", truth.data_point)),
        data_point: truth.data_point.clone(),
        metric: truth.metric.clone(),
        truth: Operand { content, context: truth.context.clone() },
        precise,
        names: truth.subject.clone().into_iter().collect(),
        share: None,
        other_definition: None,
        code: None,
        answers: Vec::new(),
        rank: truth.rank,
        column: truth.column.clone(),
        follows: None,
    }
}

fn truths() -> BTreeMap<String, Vec<Expected>> {
    let all: BTreeMap<String, Vec<Truth>> = serde_json::from_str(include_str!("truths.json")).unwrap();
    all.into_iter().map(|(name, rows)| (name, rows.iter().map(expected).collect())).collect()
}

fn cases(text: &str) -> Vec<Case> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// How often each verdict was given where each was due.
#[derive(Default)]
struct Figures {
    table: BTreeMap<(AnswerVerdict, AnswerVerdict), u32>,
    causes: (u32, u32),
}

const ALL: [AnswerVerdict; 4] =
    [AnswerVerdict::Right, AnswerVerdict::Wrong, AnswerVerdict::Missing, AnswerVerdict::Unscored];

impl Figures {
    fn at(&self, due: AnswerVerdict, given: AnswerVerdict) -> u32 {
        self.table.get(&(due, given)).copied().unwrap_or_default()
    }

    fn precision(&self, of: AnswerVerdict) -> f64 {
        f64::from(self.at(of, of)) / f64::from(ALL.iter().map(|due| self.at(*due, of)).sum::<u32>().max(1))
    }

    fn recall(&self, of: AnswerVerdict) -> f64 {
        f64::from(self.at(of, of))
            / f64::from(ALL.iter().map(|given| self.at(of, *given)).sum::<u32>().max(1))
    }

    fn accuracy(&self) -> f64 {
        let hits: u32 = ALL.iter().map(|said| self.at(*said, *said)).sum();
        f64::from(hits) / f64::from(self.table.values().sum::<u32>().max(1))
    }

    fn print(&self, name: &str) {
        let n: u32 = self.table.values().sum();
        println!("{name}: {n} data points, {:.1} % as due", self.accuracy() * 100.0);
        for said in ALL {
            println!(
                "  {:9} precision {:.3}  recall {:.3}",
                format!("{said:?}").to_lowercase(),
                self.precision(said),
                self.recall(said)
            );
        }
        println!("  causes {} of {}", self.causes.0, self.causes.1);
    }
}

fn cause(point: &PointScore) -> Option<String> {
    let cause = point.comparison.as_ref()?.cause?;
    serde_json::to_value(cause).ok()?.as_str().map(str::to_owned)
}

fn run(cases: &[Case], told: bool) -> Figures {
    let truths = truths();
    let mut figures = Figures::default();
    for case in cases {
        let expected = &truths[&case.truth];
        let scored = score(expected, None, &case.answer);
        assert_eq!(scored.points.len(), case.expect.len(), "case {}", case.id);
        for (point, due) in scored.points.iter().zip(&case.expect) {
            *figures.table.entry((*due, point.said)).or_default() += 1;
            if point.said != *due && told {
                println!(
                    "case {} {}: due {due:?}, given {:?} ({})\n    {}\n    {:?}",
                    case.id, point.field, point.said, point.reason, case.answer, point.value
                );
            }
        }
        if let Some(due) = &case.cause {
            figures.causes.1 += 1;
            let given = scored.points.iter().find_map(cause);
            if given.as_ref() == Some(due) {
                figures.causes.0 += 1;
            } else if told {
                println!("case {}: cause due {due}, given {given:?}\n    {}", case.id, case.answer);
            }
        }
    }
    figures
}

#[test]
fn own_answers_get_the_verdicts_that_are_due() {
    let cases = cases(include_str!("cases.jsonl"));
    assert!(cases.len() >= 100);
    let figures = run(&cases, true);
    figures.print("tuned on");
    // what no rule places is left to a judge: no wrong one may pass, and most right ones need nobody
    assert!(figures.precision(AnswerVerdict::Right) >= 1.0, "{}", figures.precision(AnswerVerdict::Right));
    assert!(figures.recall(AnswerVerdict::Right) >= 0.80, "{}", figures.recall(AnswerVerdict::Right));
    assert_eq!(quiet(&figures), 0, "a wrong or missing value passed as right");
}

#[test]
fn answers_that_nobody_tuned_for_get_them_too() {
    let cases = cases(include_str!("held_out.jsonl"));
    assert!(cases.len() >= 50);
    let figures = run(&cases, std::env::var_os("PROSE_TELL").is_some());
    figures.print("held out");
    assert!(figures.precision(AnswerVerdict::Right) >= 1.0, "{}", figures.precision(AnswerVerdict::Right));
    assert!(figures.recall(AnswerVerdict::Right) >= 0.80, "{}", figures.recall(AnswerVerdict::Right));
}

/// Nanoseconds that this thread has been on a processor: what else the machine does makes no difference.
fn on_processor() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    told.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_time_grows_with_the_length_and_not_with_its_square() {
    let truths = truths();
    let cost = |piece: &str, bytes: usize| {
        let answer = piece.repeat(bytes / piece.len());
        let began = on_processor();
        assert_eq!(score(&truths["profile"], None, &answer).points.len(), 4);
        on_processor() - began
    };
    cost("Kenya 5, ", 1_000);
    let pieces = [
        "Kenya 5, ",
        "2,274 in 2024 ",
        "| 1 ",
        "(",
        "Kenya's ",
        "not ",
        "$1.2.3.4 ",
        "and between 3 and ",
        "\u{202f}1",
    ];
    for piece in pieces {
        let (short, long) = (cost(piece, 5_000), cost(piece, 20_000));
        // four times as long: 4 where it is linear, 16 where it is not
        assert!(long < 8 * short + 20_000_000, "{piece:?}: {short} ns, {long} ns");
        println!("{piece:20?} {:>6} ns a byte", long / 20_000);
    }
}

/// Data points that passed as right although they are wrong or missing.
fn quiet(figures: &Figures) -> u32 {
    figures.at(AnswerVerdict::Wrong, AnswerVerdict::Right)
        + figures.at(AnswerVerdict::Missing, AnswerVerdict::Right)
}

#[test]
fn an_answer_that_nobody_would_read_to_its_end_is_unscored() {
    for expected in truths().values() {
        let right = expected[0].field.clone();
        let answer = format!("{right} 7 ").repeat(LONGEST_TEXT / 2);
        let scored = score(expected, None, &answer);
        assert!(scored.points.iter().all(|point| point.said == AnswerVerdict::Unscored));
        assert!(scored.points[0].reason.contains("is not read"), "{}", scored.points[0].reason);
        assert_eq!(scored.points.len(), expected.len());
    }
}
