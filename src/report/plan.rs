//! The plan of a collection.

use super::words::{add_questions, count, plural};
use super::{Doc, Invocation, Report, Table};
use crate::row;
use crate::workflow::{Plan, PlannedVisit, QuestionReason};

impl Report for Plan {
    const NAME: &'static str = "plan";
    const ITEMS: Option<&'static str> = Some("visits");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Plan of a collection");
        doc.sum(format!("{} on {}", count(self.questions, "question"), count(self.visits.len(), "page")));
        doc.sum(format!(
            "{} ({} by the pages, {} of them for files that each browser caches; {} our own); at {} a minute at least \
             {:.1} min",
            count(self.requests, "request"),
            self.page_requests,
            self.file_requests,
            self.own_requests,
            self.rate,
            self.minutes
        ));
        doc.sum(format!("about {} MB with {}", self.memory_mb, count(self.sessions, "browser")));
        let methods = self.methods.iter().map(|(method, points)| format!("{points} {method}"));
        doc.sum(format!("points by method: {}", methods.collect::<Vec<_>>().join(", ")));
        let visit = |visit: &PlannedVisit| {
            let guess = if visit.counted { "" } else { "~" };
            let asked = visit.questions.iter().map(|id| invocation.label_and_question(id));
            row![
                invocation.page(&visit.page),
                format!("{guess}{}", visit.requests),
                visit.questions.len(),
                asked.collect::<Vec<_>>().join("\n")
            ]
        };
        doc.body.rows(&["page", ">requests", ">questions", "asked"], self.visits.iter().map(visit));
        let behaviors: Vec<String> =
            self.expected_behavior.iter().map(|one| one.question_id.to_string()).collect();
        let lists = [
            (
                &self.browser_only,
                "question holds a value",
                "questions hold a value",
                "that only a browser can refresh",
            ),
            (
                &self.own_queries,
                "question is answered",
                "questions are answered",
                "by our own API queries; such truth never scores an agent that asks the same API",
            ),
            (&behaviors, "question has", "questions have", "an expected behavior instead of an answer"),
            (&self.without_page, "question has", "questions have", "no page"),
            (&self.without_visit, "question needs", "questions need", "no visit"),
        ];
        for (ids, one, many, what) in lists {
            let title = format!("{} {what}", plural(ids.len(), one, many));
            add_questions(&mut doc.body, title, ids, invocation);
        }
        let reasons = |questions: &[QuestionReason]| {
            let cells = |one: &QuestionReason| {
                row![&one.question_id, invocation.question(one.question_id.as_str()), &one.reason]
            };
            Table::new(&["question", "asked", "why"]).rows(questions.iter().map(cells))
        };
        doc.body.section("Suspect until checked on the live page", |body| body.table(reasons(&self.suspect)));
        doc.body.section("Waiting for a future extractor", |body| body.table(reasons(&self.planned)));
        doc.next("collect it", invocation.with_manifest(&format!("collect{}", self.selection)));
        doc
    }
}
