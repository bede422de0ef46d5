//! The reports on the contents of the store: one question, all questions, and pending work.

use atlas_gt_serve::InboxItem;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{count, plural};
use super::{Doc, Invocation, Report, Text, Tone};
use crate::error::Exit;
use crate::evidence::{Agreement, Channel, Hash};
use crate::row;
use crate::truth::Site;
use crate::value::{ContextPart, Interval};
use crate::words::name;

/// A question in the store.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowReport {
    /// The question.
    pub question_id: String,
    /// Its page.
    pub page: String,
    /// The site that was read.
    #[serde(skip)]
    pub site: Site,
    /// Its values.
    pub values: Vec<ShownValue>,
}

/// A value with its provenance.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShownValue {
    /// The field in the record.
    pub field: String,
    /// The metric and the row's subject.
    pub label: String,
    /// The rank, in a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<String>,
    /// The share of the total, in a ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// The displayed value, or its absence.
    pub value: String,
    /// The numbers that the displayed text can stand for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The precise value, if a response holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precise: Option<String>,
    /// Its context, part by part.
    pub context: Vec<StatedPart>,
    /// The channel it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Whether page and response agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Why they agree or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The time of reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
    /// The hash of the capture that proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
    /// The hash of the picture kept with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Hash>,
}

impl Report for ShowReport {
    const NAME: &'static str = "show";
    const ITEMS: Option<&'static str> = Some("values");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let id = &self.question_id;
        let mut doc = Doc::new(format!("Question {id}"));
        doc.sum(invocation.label_and_question(id));
        doc.body.facts([("page", Text::page(&self.site.page(&self.page)))]);
        for value in &self.values {
            doc.body.section(format!("{} ({})", value.label, value.field), |body| {
                let mut facts = vec![("value", Text::from(&value.value))];
                let rounded = value.interval.filter(|all| all.low != all.high);
                let interval =
                    rounded.map(|all| format!("{} to {}", all.low.normalize(), all.high.normalize()));
                let about = value
                    .context
                    .iter()
                    .map(|one| format!("{} {}", name(&one.part), one.value))
                    .collect::<Vec<_>>();
                let hash = |hash: &Option<Hash>| hash.as_ref().map(ToString::to_string);
                let more = [
                    ("rank", value.rank.clone()),
                    ("share", value.share.clone()),
                    ("stands for", interval),
                    ("precise value", value.precise.clone()),
                    ("context", Some(about.join(", ")).filter(|about| !about.is_empty())),
                    ("read from", value.channel.as_ref().map(|one| name(one).to_owned())),
                    ("page and response", value.agreement.as_ref().map(|one| name(one).to_owned())),
                    ("why", value.reason.clone()),
                    ("read at", value.read_at.clone()),
                    ("evidence", hash(&value.evidence)),
                    ("picture", hash(&value.screenshot)),
                ];
                facts.extend(more.into_iter().filter_map(|(name, text)| Some((name, Text::from(text?)))));
                body.facts(facts);
            });
        }
        doc.next("see earlier values", invocation.command(&format!("history {id}")));
        doc
    }
}

/// A stated part of a context.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatedPart {
    /// The part.
    pub part: ContextPart,
    /// Its value, as text.
    pub value: String,
}

/// The stated parts of a context.
#[must_use]
pub fn parts(context: &crate::value::Context) -> Vec<StatedPart> {
    let part = |part: &ContextPart| {
        let value = context.part(*part);
        (!value.is_empty()).then_some(StatedPart { part: *part, value })
    };
    ContextPart::ALL.iter().filter_map(part).collect()
}

/// Questions with a record.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListReport {
    /// The questions.
    pub questions: Vec<ListedRecord>,
    /// Total records in the store.
    pub records: usize,
}

/// A question with a record.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedRecord {
    /// The question.
    pub question_id: String,
    /// Its text.
    pub question: String,
    /// The country in its context.
    pub country: String,
    /// Its data points.
    pub points: Vec<String>,
    /// Its first value.
    pub value: String,
    /// The day of reading; empty if unknown.
    pub read_at: String,
    /// Its state: `stored`, `change waits`, `reading waits`.
    pub state: &'static str,
    /// The link to its page, if it was read from the live site.
    #[serde(skip)]
    pub page_link: Option<String>,
}

impl Report for ListReport {
    const NAME: &'static str = "list";
    const ITEMS: Option<&'static str> = Some("questions");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Records");
        doc.sum(format!("{} of {}", count(self.questions.len(), "question"), count(self.records, "record")));
        let cells = |one: &ListedRecord| {
            row![
                Text::from(&one.question_id).linked(one.page_link.as_deref()),
                &one.question,
                one.points.join(", "),
                &one.value,
                &one.read_at,
                one.state
            ]
        };
        let head = ["question", "asked", "points", "first value", "read", "state"];
        doc.body.rows(&head, self.questions.iter().map(cells));
        if let Some(first) = self.questions.first() {
            doc.next("see one in full", invocation.command(&format!("show {}", first.question_id)));
        }
        doc
    }
}

/// Pending work.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatusReport {
    /// The items, most urgent first.
    pub items: Vec<InboxItem>,
}

impl Report for StatusReport {
    const NAME: &'static str = "status";
    const ITEMS: Option<&'static str> = Some("items");

    fn exit(&self) -> Exit {
        if self.items.iter().any(|item| item.count > 0) { Exit::Differences } else { Exit::Ok }
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Pending work");
        let pending = self.items.iter().filter(|item| item.count > 0).count();
        let (tone, text) = match pending {
            0 => (Tone::Good, "nothing is pending".to_owned()),
            _ => (Tone::Warning, plural(pending, "item is pending", "items are pending")),
        };
        doc.verdict(tone, text);
        let cells = |item: &InboxItem| {
            let number = (item.count > 0).then_some(item.count);
            let lines = (!item.lines.is_empty()).then(|| item.lines.join("\n"));
            row![Text::toned(item.tone, item.title), number, lines]
        };
        doc.body.rows(&["item", ">count", "details"], self.items.iter().map(cells));
        // A missing store needs work; the last visit does not.
        for item in self.items.iter().filter(|item| item.count > 0 || item.tone == Tone::Warning) {
            doc.next(item.title, &item.command);
        }
        doc
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Terminal, text};

    #[test]
    fn the_commands_of_status_are_whole_on_a_narrow_terminal() {
        let item = |title, tone, command: &str| InboxItem {
            title,
            tone,
            count: usize::from(tone == Tone::Bad),
            lines: vec!["1 question failed: 61".to_owned()],
            path: None,
            command: command.to_owned(),
        };
        let resume = "atlas-gt collect --resume --manifest manifests/questions_of_our_own.json --store=ground_truth \
                      --site=twin";
        let items = vec![
            item("Unfinished collection", Tone::Bad, resume),
            item("Stale truth", Tone::Good, "atlas-gt stale"),
            item("Last visit to the site", Tone::Plain, "atlas-gt stale"),
        ];
        let doc = StatusReport { items }.doc(&Invocation::default());
        let text = text(&doc, Terminal { width: 80, wraps: true, colours: false });
        assert!(text.lines().any(|line| line == format!("Unfinished collection: {resume}")), "{text}");
        assert!(!text.contains("atlas-gt stale"), "nothing is stale: {text}");
        assert!(text.starts_with("1 item is pending\n"), "{text}");
        let of_stale: Vec<_> = text.lines().filter(|line| line.starts_with("Stale truth")).collect();
        assert!(of_stale.len() == 1 && of_stale[0].contains('–'), "{text}");
    }
}
