//! Answers with known labels, generated from every record of a store: right ones in many forms, and wrong ones by
//! construction. A wrong answer that passes is the worst thing a scorer can do, so that none may.

mod answers;
mod fact;
mod forms;
mod records;

use std::collections::BTreeMap;

use answers::{Due, answers};
use atlas_gt::scoring::answer::{AnswerVerdict, score};

/// What the answers of one family came to.
#[derive(Default)]
struct Family {
    answers: u32,
    false_passes: u32,
    false_fails: u32,
    undecided: u32,
    examples: Vec<String>,
}

#[test]
fn no_wrong_answer_passes() {
    let shown: usize = std::env::var("SHOW").ok().and_then(|count| count.parse().ok()).unwrap_or(3);
    let only = std::env::var("FAMILY").ok();
    let mut families: BTreeMap<(bool, &'static str), Family> = BTreeMap::new();
    for record in records::all() {
        let expected = record.expected();
        for answer in answers(&record) {
            let scored = score(&expected, record.question.as_deref(), &answer.text);
            let said: Vec<AnswerVerdict> = scored.points.iter().map(|point| point.said).collect();
            let family = families.entry((answer.due == Due::Right, answer.family)).or_default();
            family.answers += 1;
            let passes = said.iter().all(|said| *said == AnswerVerdict::Right);
            let counted = match answer.due {
                Due::Right if passes => continue,
                Due::Right if said.contains(&AnswerVerdict::Wrong) => &mut family.false_fails,
                Due::Right => &mut family.undecided,
                Due::NotFull if passes => &mut family.false_passes,
                Due::Nothing if said.contains(&AnswerVerdict::Right) => &mut family.false_passes,
                Due::NotFull | Due::Nothing => continue,
            };
            *counted += 1;
            let wanted = only.as_deref().is_none_or(|only| only == answer.family);
            if wanted && family.examples.len() < shown {
                let reasons: Vec<String> =
                    scored.points.iter().map(|point| format!("{:?}: {}", point.said, point.reason)).collect();
                family.examples.push(format!(
                    "question {}: {}\n      {}",
                    record.id,
                    answer.text.replace('\n', "\n      "),
                    reasons.join("\n      ")
                ));
            }
        }
    }
    let mut totals = Family::default();
    let mut right = 0;
    for ((is_right, name), family) in &families {
        println!(
            "{name:38} {:6} answers, {:5} false passes, {:5} false fails, {:5} undecided",
            family.answers, family.false_passes, family.false_fails, family.undecided
        );
        for example in &family.examples {
            println!("    {example}");
        }
        totals.answers += family.answers;
        totals.false_passes += family.false_passes;
        totals.false_fails += family.false_fails;
        totals.undecided += family.undecided;
        right += if *is_right { family.answers } else { 0 };
    }
    let of_right = |count: u32| f64::from(count) * 100.0 / f64::from(right.max(1));
    println!(
        "{} answers, {} false passes; of {right} right ones {:.2} % failed, {:.2} % undecided",
        totals.answers,
        totals.false_passes,
        of_right(totals.false_fails),
        of_right(totals.undecided)
    );
    assert!(totals.answers > 15_000, "{} answers", totals.answers);
    assert_eq!(totals.false_passes, 0);
}
