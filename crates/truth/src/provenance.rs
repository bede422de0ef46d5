//! `provenance.json`, beside `results.json`: how each value of a record was read. It holds everything that can change
//! without a value changing.

use std::collections::BTreeSet;
use std::fmt;

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::files::whole_seconds;
use super::record::{Record, Site};
use super::row::Row;
use crate::atlas::by_id;
use crate::value::{Context, Interval, Rule};
use atlas_gt_core::evidence::{Agreement, Channel, Hash};
use atlas_gt_core::question_id::QuestionId;
use atlas_gt_core::value::derive::Step;

/// How the values of a record were read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Provenance {
    /// The question.
    pub question_id: QuestionId,
    /// The question's text, if known. Question numbers are not compared across manifests (decision 34).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The site that was read.
    #[serde(default)]
    pub site: Site,
    /// Hash of the described `results.json`; set when written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Hash>,
    /// One entry per row.
    pub points: Vec<PointProvenance>,
    /// The derivation of the values, if they were not read themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
}

/// How the values of a record are derived from others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Derivation {
    /// The input values, as read.
    pub inputs: Vec<Input>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// An input value of a derivation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Input {
    /// Its name: the question's id, a dot, and its name in the steps.
    pub name: QuestionId,
    /// Its display name.
    pub label: String,
    /// The page that shows it.
    pub atlas_url: String,
    /// The value.
    pub row: Row,
    /// How it was read.
    pub point: PointProvenance,
}

/// How one value was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PointProvenance {
    /// The data point.
    pub data_point: String,
    /// The row of a list: see [`Row::subject`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The displayed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub displayed: Option<String>,
    /// The display rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The interval of the displayed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The exact number behind the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precise: Option<Precise>,
    /// The full context.
    #[serde(default)]
    pub context: Context,
    /// The channel it was read through.
    pub channel: Channel,
    /// What located it: section, label, pattern.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// Whether the channels agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Why they do or do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement_reason: Option<String>,
    /// Its capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Hash>,
    /// The import it came from, instead of a capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// A screenshot of the page, for values drawn on a canvas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<Hash>,
    /// Who read or accepted it in review, and on which screenshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// The URL the page settled on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_url: Option<String>,
    /// The site's data release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_vintage: Option<String>,
    /// Name and version of the extractor: `country_profile 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    /// Version of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// When it was read, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub read_at: Timestamp,
}

impl PointProvenance {
    /// The provenance of a row with the parts that every channel has. The rest is empty.
    #[must_use]
    pub fn of_row(row: &Row, context: Context, channel: Channel, read_at: Timestamp) -> Self {
        Self {
            data_point: row.data_point.clone(),
            subject: row.subject(),
            displayed: None,
            rule: None,
            interval: None,
            precise: None,
            context,
            channel,
            locator: None,
            agreement: None,
            agreement_reason: None,
            evidence: None,
            imported: None,
            screenshot: None,
            person: None,
            settled_url: None,
            site_vintage: None,
            extractor: None,
            tool_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            read_at,
        }
    }

    /// The evidence it refers to: capture, screenshot, and the area that a person judged.
    fn evidence(&self) -> impl Iterator<Item = &Hash> {
        let judged = self.person.as_ref().and_then(|person| person.crop.as_ref());
        self.evidence.iter().chain(&self.screenshot).chain(judged)
    }
}

/// Who judged a value, when and why, and what the person saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Person {
    /// The person's name, as given.
    pub by: String,
    /// When, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub at: Timestamp,
    /// Why.
    pub why: String,
    /// The judged area of the screenshot, or the whole page if it was not cropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crop: Option<Hash>,
}

/// The origin of an imported value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Imported {
    /// The file, relative to the imported folder: `61/ground_truth/results.json`.
    pub file: String,
    /// The row in its data, from 1.
    pub row: usize,
    /// The row's keys for the displayed and the precise value, in this order.
    pub keys: Vec<String>,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} row {}", self.file, self.row)?;
        if self.keys.is_empty() { Ok(()) } else { write!(f, " ({})", self.keys.join(", ")) }
    }
}

/// The exact number behind a displayed text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Precise {
    /// The number, in the value's unit.
    pub number: Decimal,
    /// Its source: `page_response countryProfile.latestGdpPerCapita`.
    pub from: String,
}

impl PointProvenance {
    /// Whether the value was not read but derived: see [`Derivation`].
    #[must_use]
    pub const fn follows(&self) -> bool {
        self.evidence.is_none()
            && self.imported.is_none()
            && self.extractor.is_none()
            && self.locator.is_some()
    }
}

impl Provenance {
    /// The provenance of a record with these points.
    #[must_use]
    pub fn of_points(record: &Record, points: Vec<PointProvenance>) -> Self {
        let (question_id, site) = (record.question_id.clone(), record.site);
        Self { question_id, question: None, site, record: None, points, derivation: None }
    }

    /// The provenance of a row.
    #[must_use]
    pub fn of(&self, row: &Row) -> Option<&PointProvenance> {
        let subject = row.subject();
        self.points.iter().find(|point| point.data_point == row.data_point && point.subject == subject)
    }

    /// The site's data release, if known: that of the newest reading.
    #[must_use]
    pub fn site_vintage(&self) -> Option<&str> {
        let known = self.points.iter().filter(|point| point.site_vintage.is_some());
        known.max_by_key(|point| point.read_at)?.site_vintage.as_deref()
    }

    /// Whether a value was imported without evidence.
    #[must_use]
    pub(crate) fn is_imported(&self) -> bool {
        self.points.iter().any(|point| point.imported.is_some())
    }

    /// The provenance of all its values, including inputs of derivations.
    pub fn readings(&self) -> impl Iterator<Item = &PointProvenance> {
        let inputs = self.derivation.iter().flat_map(|derivation| &derivation.inputs);
        self.points.iter().chain(inputs.map(|input| &input.point))
    }

    /// The captures and screenshots it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        self.readings().flat_map(PointProvenance::evidence)
    }
}

impl Stored {
    /// The text of its question, if known.
    #[must_use]
    pub fn question(&self) -> Option<&str> {
        self.provenance.as_ref()?.question.as_deref()
    }

    /// The words its values are about (measures, places, products, years, codes), and the names of its data points.
    #[must_use]
    pub fn about(&self) -> (String, Vec<String>) {
        const NAMES: [&str; 6] = ["partner", "product", "code", "sector", "group", "name"];
        let mut words: BTreeSet<String> = BTreeSet::new();
        let rows = &self.record.results.data;
        for row in rows {
            words.extend([row.metric.clone(), row.country.clone()]);
            words.extend(NAMES.iter().filter_map(|key| row.text(key)));
            words.extend(row.year.clone());
        }
        for context in self.provenance.iter().flat_map(|all| &all.points).map(|point| &point.context) {
            let places = [&context.country, &context.partner].into_iter().flatten();
            let named = places.filter_map(|id| Some(by_id(id.parse().ok()?)?.short_name.to_owned()));
            words.extend(named.chain(context.product.clone()).chain(context.group.clone()));
        }
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        (words.join(" , "), rows.iter().map(|row| row.data_point.clone()).collect())
    }
}

/// The ground truth of one question, as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The values.
    pub record: Record,
    /// How they were read. Every record of a store has a provenance; pinned truths may not.
    pub provenance: Option<Provenance>,
    /// Hash of the stored `results.json`.
    pub hash: Hash,
}
