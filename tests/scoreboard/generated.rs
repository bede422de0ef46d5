//! Answers made from the records by templates: wrong ones of many kinds, each a right sentence with one thing made wrong, and
//! right ones in harmless wrapping. The draw is seeded; `SEED=7` draws others.

use atlas_gt::scoring::answer::AnswerVerdict;
use atlas_gt::value::{AnswerField, Unit};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::corpora::{scored, told, verdict};
use crate::figures::{Allowed, Figures, Label};
use crate::laws::{Values, other_quantity};
use crate::records::{self, Question};
use crate::wording::{Item, enumeration, is_ranked, items, statement, upper, verbatim};

/// A made answer.
pub struct Made {
    pub question: &'static Question,
    pub kind: &'static str,
    pub label: Label,
    pub text: String,
}

/// Numbers that look random and are the same on every machine (SplitMix64).
pub struct Draw(u64);

impl Draw {
    pub fn seeded() -> Self {
        Self(std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_251))
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A change of the sentence of a question; nothing where it does not fit.
pub type Change<'a> = &'a dyn Fn(&Single) -> Option<String>;

/// A question with one value: a sentence that is right, its value, and another of the same form.
pub struct Single {
    pub question: &'static Question,
    pub item: Item,
    /// A sentence that states the value, with a full stop.
    pub text: String,
    pub value: String,
    pub other: String,
    pub unit: Option<Unit>,
    pub country: String,
    /// The year, where the sentence holds it and it is one.
    pub year: Option<String>,
}

impl Single {
    fn of(question: &'static Question, values: &Values) -> Option<Self> {
        let items = items(question);
        let [item] = items.as_slice() else { return None };
        let row = &question.stored.record.results.data[0];
        // the sectors are asked for too, and no sentence of ours gives them
        if row.text("sectors").is_some() {
            return None;
        }
        let value = match (&item.name, item.values.as_slice()) {
            (Some(name), []) => name.clone(),
            (None, [value]) if !matches!(value.as_str(), "true" | "false") => value.clone(),
            _ => return None,
        };
        let unit = if item.name.is_some() || row.answers.contains(&AnswerField::Code) {
            None
        } else if row.answers.contains(&AnswerField::Share) {
            Some(Unit::Percent)
        } else {
            row.unit
        };
        let other = match unit {
            Some(_) => other_quantity(&value).into_iter().next()?,
            None => values.others(question).into_iter().next()?,
        };
        // a sentence may say the sign by its verb; then the value does not stand in it
        let text = statement(question, &value)
            .filter(|stated| item.name.is_none() && stated.text.contains(&value))
            .map_or_else(|| format!("The answer is {value}."), |stated| stated.text);
        let year = row.year.clone().filter(|year| text.contains(&format!("in {year}")));
        let country = row.country.clone();
        Some(Self { question, item: item.clone(), text, value, other, unit, country, year })
    }

    pub fn is(&self, unit: Unit) -> bool {
        self.unit == Some(unit)
    }

    /// A template filled: `{s}` the sentence, `{t}` without its full stop and inside another, `{v}` the value, `{w}` another,
    /// `{q}` the question, `{m}` the metric, `{c}` the country, `{o}` another.
    fn fill(&self, template: &str) -> String {
        let text = self.text.trim_end_matches('.');
        let within = text.strip_prefix("The ").map_or_else(|| text.to_owned(), |rest| format!("the {rest}"));
        template
            .replace("{s}", &self.text)
            .replace("{t}", &within)
            .replace("{q}", self.question.text.as_deref().unwrap_or_default())
            .replace("{m}", &self.item.label)
            .replace("{c}", &self.country)
            .replace("{o}", other_country(self))
            .replace("{v}", &self.value)
            .replace("{w}", &self.other)
    }

    /// The sentence with its value in other words.
    fn with_value(&self, value: &str) -> String {
        self.text.replacen(&self.value, value, 1)
    }
}

/// A country that the question does not speak of.
pub fn other_country(single: &Single) -> &'static str {
    let text = single.question.text.as_deref().unwrap_or_default();
    ["Uganda", "Norway", "Chile"].into_iter().find(|other| !text.contains(other)).unwrap_or("Norway")
}

/// A question with a list of names.
pub struct Names {
    pub question: &'static Question,
    pub items: Vec<Item>,
    pub ranked: bool,
    /// A name of the same kind that is none of the list's.
    pub stranger: String,
}

impl Names {
    fn of(question: &'static Question, values: &Values) -> Option<Self> {
        let items = items(question);
        let by_name =
            question.stored.record.results.data.iter().all(|row| row.answers.contains(&AnswerField::Name));
        if items.len() < 2 || !by_name || items.iter().any(|item| item.name.is_none()) {
            return None;
        }
        let others = values.others(question);
        let stranger =
            others.iter().rev().find(|other| !other.contains(|c: char| c.is_ascii_digit()))?.clone();
        Some(Self { question, ranked: is_ranked(question), items, stranger })
    }

    /// The list in a form.
    fn text(items: &[Item], form: usize, ranked: bool) -> String {
        let texts: Vec<String> = items.iter().map(Item::text).collect();
        let lines = |mark: &dyn Fn(usize) -> String| {
            let lines = texts.iter().enumerate().map(|(at, text)| format!("{}{text}", mark(at)));
            lines.collect::<Vec<_>>().join("\n")
        };
        match form % 5 {
            0 if ranked => lines(&|at| format!("{}. ", at + 1)),
            1 => format!("{}.", enumeration(&texts)),
            2 if ranked => {
                let rows = items.iter().enumerate().map(|(at, item)| {
                    let value =
                        if item.values.is_empty() { "–".to_owned() } else { item.values.join(", ") };
                    format!("| {} | {} | {value} |", at + 1, item.name.as_deref().unwrap_or_default())
                });
                format!("| Rank | Name | Value |\n|---|---|---|\n{}", rows.collect::<Vec<_>>().join("\n"))
            }
            3 => format!("They are {}.", enumeration(&texts)),
            _ => lines(&|_| "- ".to_owned()),
        }
    }

    fn with_stranger(&self, at: usize) -> Vec<Item> {
        let mut items = self.items.clone();
        let values =
            items[0].values.iter().flat_map(|value| other_quantity(value).into_iter().next()).collect();
        items.insert(at, Item { label: self.stranger.clone(), name: Some(self.stranger.clone()), values });
        items
    }
}

/// How many answers pass over to the next one that is scored by default; all of them are in the deep tests.
const STEP: usize = 6;

fn run(name: &str, made: &[Made], step: usize, today: Allowed) {
    let mut figures = Figures::new(name);
    let made: Vec<&Made> = made.iter().step_by(step).collect();
    let all: Vec<_> = made.par_iter().map(|made| scored(made.question, &made.text)).collect();
    for (made, scored) in made.iter().zip(all) {
        let said = verdict(&scored);
        figures.add(made.kind, made.label, said, || told(made.kind, made.question, &made.text, &scored));
    }
    figures.settle(today);
}

#[test]
fn some_answers_made_from_the_records() {
    run(
        "made wrong, some",
        &crate::wrong::made(),
        STEP,
        Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 },
    );
    run(
        "made right, some",
        &crate::wrapped::made(),
        STEP,
        Allowed { false_passes: 0, false_fails: 0, right_unscored: 2 },
    );
}

#[test]
#[ignore = "slow: make test-deep"]
fn wrong_answers_made_from_the_records() {
    let made = crate::wrong::made();
    assert!(made.len() >= 2_500, "{} answers", made.len());
    run("made wrong", &made, 1, Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 });
}

#[test]
#[ignore = "slow: make test-deep"]
fn right_answers_made_from_the_records() {
    let made = crate::wrapped::made();
    assert!(made.len() >= 600, "{} answers", made.len());
    run("made right", &made, 1, Allowed { false_passes: 0, false_fails: 0, right_unscored: 16 });
}

/// Those of the records that a template is filled with.
pub struct Bases {
    pub singles: Vec<Single>,
    pub names: Vec<Names>,
}

impl Bases {
    pub fn new() -> Self {
        let values = Values::of_the_store();
        let all = || records::all().iter();
        Self {
            singles: all().filter_map(|question| Single::of(question, &values)).collect(),
            names: all().filter_map(|question| Names::of(question, &values)).collect(),
        }
    }
}

/// Answers as they are made.
pub struct Maker<'a> {
    pub bases: &'a Bases,
    pub draw: Draw,
    pub made: Vec<Made>,
}

impl Maker<'_> {
    /// Makes answers of a kind: each template with `times` of the questions that fit.
    pub fn templates(
        &mut self,
        kind: &'static str,
        label: Label,
        times: usize,
        fits: impl Fn(&Single) -> bool,
        templates: &[&str],
    ) {
        let fitting: Vec<&Single> = self.bases.singles.iter().filter(|single| fits(single)).collect();
        for template in templates {
            for _ in 0..times.min(fitting.len()) {
                let single = self.draw.pick(&fitting);
                if single.country.is_empty() && template.contains("{c}") {
                    continue;
                }
                let text = upper(&single.fill(template));
                self.made.push(Made { question: single.question, kind, label, text });
            }
        }
    }

    /// Makes answers of a kind, each of a question that fits, by changes of its sentence.
    pub fn changes(&mut self, kind: &'static str, label: Label, times: usize, changes: &[Change<'_>]) {
        for change in changes {
            let fitting: Vec<(&Single, String)> =
                self.bases.singles.iter().filter_map(|single| Some((single, change(single)?))).collect();
            for _ in 0..times.min(fitting.len()) {
                let (single, text) = self.draw.pick(&fitting);
                self.made.push(Made { question: single.question, kind, label, text: upper(text) });
            }
        }
    }

    /// Makes answers of a kind of lists of names, in every form.
    pub fn lists(
        &mut self,
        kind: &'static str,
        label: Label,
        times: usize,
        ranked: Option<bool>,
        change: impl Fn(&Names, &mut Draw) -> Option<Vec<Item>>,
    ) {
        let fitting: Vec<&Names> = self
            .bases
            .names
            .iter()
            .filter(|names| ranked.is_none_or(|ranked| ranked == names.ranked))
            .collect();
        for turn in 0..times {
            let names = *self.draw.pick(&fitting);
            if let Some(items) = change(names, &mut self.draw) {
                let text = Names::text(&items, turn, names.ranked);
                self.made.push(Made { question: names.question, kind, label, text });
            }
        }
    }
}

impl Names {
    pub fn stranger_in_front(&self) -> Vec<Item> {
        self.with_stranger(0)
    }

    pub fn stranger_within(&self, draw: &mut Draw) -> Vec<Item> {
        let at = 1 + draw.below(self.items.len() - 1);
        self.with_stranger(at)
    }
}

/// Checks of the single values, for templates.
impl Single {
    pub fn is_level(&self) -> bool {
        let point = &self.question.stored.record.results.data[0].data_point;
        self.unit.is_some() && !["growth", "change", "projection"].iter().any(|word| point.contains(word))
    }

    pub fn is_money(&self) -> bool {
        self.is(Unit::Usd) && self.is_level() && !self.value.contains('-')
    }

    /// Whether the question asks for the present, so that what once was is another thing.
    pub fn is_present(&self) -> bool {
        let text = self.question.text.as_deref().unwrap_or_default();
        self.is_level() && !text.contains(" in 2") && !text.contains(" did ") && !text.contains(" was ")
    }

    pub fn is_share(&self) -> bool {
        self.is(Unit::Percent) && self.is_level()
    }

    pub fn is_rank(&self) -> bool {
        self.is(Unit::Rank)
    }

    pub fn value_as(&self, form: impl Fn(&str) -> String) -> String {
        self.with_value(&form(&self.value))
    }
}

/// An answer that says nothing is never right where there is a value.
#[test]
fn nothing_is_never_right() {
    for question in records::all().iter().filter(|question| !verbatim(question).is_empty()) {
        for text in ["", " ", "\n", "-", "N/A", "?", "…"] {
            assert_ne!(
                verdict(&scored(question, text)),
                AnswerVerdict::Right,
                "question {}: {text:?}",
                question.id
            );
        }
    }
}
