//! The reports of the review queue: the list, each value with its page part and the commands to
//! decide it, and the results.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::words::count;
use super::{Body, Card, CaseVerdict, Doc, Invocation, Report, ReportCase, Table, Text, Tone};
use crate::evidence::Hash;
use crate::manifest::QuestionId;
use crate::row;
use crate::truth::review::Missing;
use crate::truth::{RowChange, Store};
use crate::value::expected;
use crate::workflow::review::{JudgedValue, Pictures, Waiting};
use atlas_gt_core::question_id::question_label;

/// The review queue.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Queue {
    /// The questions under review.
    pub waiting: Vec<Waiting>,
    /// Their pictures.
    #[serde(skip)]
    pub pictures: Pictures,
}

impl Report for Queue {
    const NAME: &'static str = "review";
    const ITEMS: Option<&'static str> = Some("waiting");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Review");
        let values = self.waiting.iter().map(|one| one.review.missing.len()).sum::<usize>();
        doc.sum(match self.waiting.len() {
            0 => "nothing to review; 0 questions under review".to_owned(),
            questions => {
                format!("{} under review, {}", count(questions, "question"), count(values, "value"))
            }
        });
        let cells = |one: &Waiting| {
            let id = &one.review.question_id;
            row![
                id,
                invocation.question(one.review.question().as_str()),
                Text::page(&one.review.record.page()),
                one.review.summary()
            ]
        };
        let mut shown = BTreeMap::new();
        let cards =
            self.waiting.iter().map(|one| card(one, &self.pictures, &mut shown, invocation)).collect();
        let head = ["question", "asked", "page", "what waits"];
        doc.body.cards(Table::new(&head).rows(self.waiting.iter().map(cells)), cards);
        if let Some(first) = self.waiting.first() {
            let id = &first.review.question_id;
            doc.next("next", invocation.command(&format!("review show {id}")));
        }
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        let case = |one: &Waiting| {
            ReportCase::of_question(&one.review.question_id, CaseVerdict::Unscored, one.review.summary())
        };
        self.waiting.iter().map(case).collect()
    }
}

/// One question of the review queue.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReviewedQuestion<'a> {
    /// The review.
    #[serde(flatten)]
    pub one: &'a Waiting,
    /// Its store.
    #[serde(skip)]
    pub store: &'a Store,
}

impl Report for ReviewedQuestion<'_> {
    const NAME: &'static str = "review_show";

    fn doc(&self, invocation: &Invocation) -> Doc {
        let review = &self.one.review;
        let mut doc = Doc::new(format!("Review of question {}", review.question_id));
        let asked = invocation.question(review.question().as_str()).text;
        doc.sum(format!("{} {asked}", question_label(&review.question_id)));
        doc.sum(format!("{}, seen {}", review.record.page().text, review.seen_at));
        for (at, missing) in review.missing.iter().enumerate() {
            doc.body.section(&missing.field, |body| {
                body.facts(facts(self.one, at));
                let crop = missing.crop.as_ref().map(|crop| ("crop", path(&self.store.picture_path(crop))));
                body.facts(crop);
            });
        }
        let picture = review.picture.as_ref().map(|hash| ("picture", path(&self.store.picture_path(hash))));
        doc.body.facts([("page", path(&self.store.capture_path(&review.capture)))]);
        doc.body.facts(picture);
        for (what, command) in commands(self.one, invocation) {
            doc.next(what, command);
        }
        doc
    }
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

/// The result of a decision.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ReviewOutcome {
    /// The question.
    pub question_id: String,
    /// Whether the value was accepted.
    pub accepted: bool,
    /// Whether the previous decision was undone.
    pub undone: bool,
    /// Values of the question still under review.
    pub left: Vec<String>,
    /// The question that can now be derived.
    pub input_of: Option<QuestionId>,
    /// The changes in the record, one line per value.
    pub changes: Vec<String>,
}

impl ReviewOutcome {
    /// A value was accepted.
    #[must_use]
    pub fn accepted(id: &str, judged: &JudgedValue) -> Self {
        Self {
            accepted: true,
            left: judged.left.clone(),
            input_of: judged.input_of.clone(),
            changes: judged.changes.iter().map(ToString::to_string).collect(),
            ..Self::rejected(id)
        }
    }

    /// The question was rejected.
    #[must_use]
    pub fn rejected(id: &str) -> Self {
        Self { question_id: id.to_owned(), ..Self::default() }
    }

    /// The previous decision was undone.
    #[must_use]
    pub fn undone(id: &str, changes: &[RowChange]) -> Self {
        let changes = changes.iter().map(ToString::to_string).collect();
        Self { undone: true, changes, ..Self::rejected(id) }
    }
}

impl Report for ReviewOutcome {
    const NAME: &'static str = "review_verdict";
    const ITEMS: Option<&'static str> = Some("changes");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let id = &self.question_id;
        let mut doc = Doc::new(format!("Verdict on question {id}"));
        let question = question_label(id);
        doc.sum(match (self.accepted, self.left.as_slice(), &self.input_of) {
            _ if self.undone => {
                format!("{question}: under review again, {} restored", count(self.changes.len(), "value"))
            }
            (false, ..) => format!("{question}: rejected; the record is unchanged"),
            (true, [_, ..], _) => {
                format!("{question}: accepted; still under review: {}", self.left.join(", "))
            }
            (true, [], Some(_)) => format!("{question}: accepted"),
            (true, [], None) => format!("{} accepted", count(self.changes.len(), "value")),
        });
        doc.body.list(self.changes.iter().map(|change| format!("{question}: {change}")));
        if let (true, [], Some(input_of)) =
            (self.accepted && !self.undone, self.left.as_slice(), &self.input_of)
        {
            let what = format!("derive the answer to {}", question_label(input_of));
            doc.next(what, invocation.with_manifest(&format!("collect --questions {input_of}")));
        }
        doc
    }
}

/// The facts on a value: its form, where to look, and what the response and the record hold.
fn facts(one: &Waiting, at: usize) -> Vec<(&'static str, String)> {
    let missing = &one.review.missing[at];
    let mut facts = Vec::new();
    if let Some((row, point)) = one.review.row(missing) {
        let metric = if row.metric.is_empty() { &row.data_point } else { &row.metric };
        let unit = row.unit.as_ref().map(|unit| crate::words::name(unit).to_owned());
        let country = Some(row.country.clone()).filter(|name| !name.is_empty());
        let about: Vec<String> =
            [Some(metric.clone()), country, row.year.clone(), unit].into_iter().flatten().collect();
        facts.push(("wanted", about.join(", ")));
        let form = point.rule.map(|rule| format!("{} ({rule:?})", expected(rule)));
        let form = match &missing.named {
            Some(key) => form.map(|form| format!("the name of the {key}, then {form}")),
            None => form,
        };
        let words =
            missing.vocabulary.as_ref().map(|kind| format!("one of the {} words", kind.replace('_', " ")));
        facts.extend(form.or(words).map(|form| ("form", form)));
    }
    if !missing.label.is_empty() {
        facts.push(("look for", missing.label.clone()));
    }
    facts.push(match &missing.response_value {
        Some(value) => ("the response holds", format!("{value} ({})", missing.source)),
        None => ("the response holds", "no value".to_owned()),
    });
    let known = one.known.get(at).cloned().flatten();
    facts.push(("the record says", known.unwrap_or_else(|| "nothing".to_owned())));
    if let Some(suggestion) = &missing.suggestion {
        let sure = suggestion.confidence.round();
        facts.push(("suggestion", format!("{} (text recognition, {sure} % sure)", suggestion.text)));
    }
    if let Some(accepted) = &missing.accepted {
        let value = accepted.read.as_ref().map(|read| read.value.clone());
        let value = value.or_else(|| missing.response_value.clone()).unwrap_or_default();
        facts.push(("accepted", format!("{value} by {}; waits for the other values", accepted.person.by)));
    }
    facts.push(("searched for", missing.looked_for.clone()));
    facts
}

/// The commands that accept a value or reject the question.
fn commands(one: &Waiting, invocation: &Invocation) -> Vec<(&'static str, String)> {
    let review = &one.review;
    let open = review.missing.iter().filter(|missing| missing.accepted.is_none());
    let accept = |missing: &Missing| ("accept", invocation.command(&review.accept_command(missing)));
    open.map(accept).chain([("reject", invocation.command(&review.reject_command()))]).collect()
}

/// A question as a card. `shown` lists the whole-page pictures already on the page, with their
/// question.
fn card<'a>(
    one: &'a Waiting,
    pictures: &Pictures,
    shown: &mut BTreeMap<&'a Hash, &'a QuestionId>,
    invocation: &Invocation,
) -> Card {
    let review = &one.review;
    let id = &review.question_id;
    let asked = invocation.question(review.question().as_str()).text;
    let seen = review.seen_at.strftime("%Y-%m-%d %H:%M UTC");
    let head = row![
        Text::badge(Tone::Warning, question_label(id)),
        format!("{asked} "),
        Text::page(&review.record.page()),
        Text::muted(format!(" seen {seen}"))
    ];
    let blocks = Body::of(|body| {
        for (at, missing) in review.missing.iter().enumerate() {
            body.section(&missing.field, |body| {
                body.facts(facts(one, at));
                match missing.crop.as_ref().and_then(|hash| pictures.get(hash)) {
                    Some(png) => body.picture("the part of the page that shows it", png),
                    None => body.line(Text::muted("its place in the picture is unknown")),
                }
                if !missing.seen.is_empty() {
                    body.folded("text of the page there", |body| body.line(&missing.seen));
                }
            });
        }
        for (_, command) in commands(one, invocation) {
            body.code(command);
        }
        let is_shown =
            |whole: &&Hash| review.missing.iter().any(|missing| missing.crop.as_ref() == Some(*whole));
        let whole = review.picture.as_ref().filter(|whole| !is_shown(whole));
        if let Some((hash, png)) = whole.and_then(|hash| Some((hash, pictures.get(hash)?))) {
            // pictures have megabytes, and several questions can share a page
            match shown.get(hash) {
                Some(id) => {
                    let at = format!("the whole page is at {}", question_label(id));
                    body.line(Text::from(at).to(&format!("#q{id}")));
                }
                None => body.folded("the whole page", |body| body.picture("the whole page", png)),
            }
            shown.entry(hash).or_insert(id);
        }
    });
    Card { id: format!("q{id}").into(), tone: Tone::Warning, head, blocks, ..Card::default() }
}
