//! An extractor ready to run: its spec with every pattern compiled once.

use std::collections::BTreeSet;

use super::cell::CellKind;
use super::cue::Cue;
use super::form::Form;
use super::page::loosen;
use super::section::Headings;
use super::table::{ColumnForm, TableForm};
use crate::manifest::spec::{Column, Find, Point, Spec, Stat, Table};
use crate::value::Rule;

/// An extractor ready to run.
#[derive(Debug, Clone)]
pub struct Extractor {
    pub(super) spec: Spec,
    pub(super) headings: Vec<Headings>,
    pub(super) unavailable: Vec<Vec<String>>,
    pub(super) entity: Vec<Cue>,
    pub(super) year: Option<Cue>,
    pub(super) not_found: Vec<String>,
    /// Titles of an Explore page.
    pub(super) titles: Vec<Cue>,
    /// Loosened labels of the figure in its corner.
    pub(super) total_labels: Vec<String>,
    pub(super) finders: Vec<Finder>,
}

/// How one point is found, compiled.
#[derive(Debug, Clone)]
pub(super) enum Finder {
    Stat {
        labels: Vec<String>,
        others: BTreeSet<String>,
        form: Form,
        with: Vec<String>,
        without: Vec<String>,
    },
    Narrative {
        cues: Vec<Cue>,
        rule: Option<Rule>,
        vocabulary: Option<String>,
    },
    Partners {
        captions: Vec<String>,
        rule: Rule,
        count: usize,
    },
    Table(TableForm),
    Cell {
        table: usize,
        column: usize,
    },
    Cells {
        count: Option<usize>,
        label: Rule,
        rule: Rule,
    },
    Drawn {
        labels: Vec<Cue>,
        rule: Rule,
    },
    /// What Explore pages draw: read by the spec alone.
    Explored,
}

impl Extractor {
    /// Compiles a spec.
    ///
    /// # Errors
    /// A heading, label or cue that is no valid pattern; the message names the point and the pattern.
    pub fn new(spec: Spec) -> Result<Self, String> {
        let cues =
            |sources: &[String]| sources.iter().map(|cue| Cue::new(cue, None)).collect::<Result<Vec<_>, _>>();
        let headings = spec
            .sections
            .iter()
            .map(|section| Ok(Headings { slug: section.slug.clone(), cues: cues(&section.headings)? }))
            .collect::<Result<_, String>>()?;
        let finders = spec
            .points
            .iter()
            .map(|point| {
                finder(point, &spec).map_err(|error| format!("{} point `{}`: {error}", spec.name, point.id))
            })
            .collect::<Result<_, String>>()?;
        Ok(Self {
            headings,
            unavailable: spec.sections.iter().map(|section| loose(&section.unavailable)).collect(),
            entity: cues(&spec.entity_headings)?,
            year: spec.year_heading.as_deref().map(|cue| Cue::new(cue, None)).transpose()?,
            not_found: loose(&spec.not_found.texts),
            titles: cues(&spec.titles)?,
            total_labels: loose(&spec.total_labels),
            finders,
            spec,
        })
    }

    /// The spec it was made from.
    #[must_use]
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Name and version, as stored with every value.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} v{}", self.spec.name, self.spec.version)
    }
}

impl Finder {
    /// Label or cue, and form, for messages.
    pub(super) fn describe(&self) -> (String, String) {
        let first = |labels: &[String]| labels.first().cloned().unwrap_or_default();
        match self {
            Self::Stat { labels, form, .. } => (first(labels), form.describe()),
            Self::Narrative { cues, rule, vocabulary } => (
                cues.first().map(|cue| cue.source.clone()).unwrap_or_default(),
                match (rule, vocabulary) {
                    (Some(rule), _) => format!("{rule:?}"),
                    (None, Some(kind)) => Form::Vocabulary(kind.clone()).describe(),
                    (None, None) => "words".to_owned(),
                },
            ),
            Self::Partners { captions, rule, count } => {
                (first(captions), format!("{count} names with {rule:?}"))
            }
            Self::Table(form) => (
                form.titles.first().map(|cue| cue.source.clone()).unwrap_or_default(),
                form.columns.iter().map(|column| column.id.as_str()).collect::<Vec<_>>().join(" | "),
            ),
            Self::Cell { .. } => ("the row of the country".to_owned(), "a cell".to_owned()),
            Self::Cells { label, rule, .. } => {
                ("treemap cells".to_owned(), format!("{rule:?}, labelled {label:?}"))
            }
            Self::Drawn { rule, .. } => ("drawn figure".to_owned(), format!("{rule:?}")),
            Self::Explored => ("drawing".to_owned(), "a response that its labels confirm".to_owned()),
        }
    }
}

fn loose(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| loosen(text)).collect()
}

fn labels(stat: &Stat) -> Vec<String> {
    stat.labels.iter().map(|label| loosen(&label.replace("{year}", ""))).collect()
}

fn finder(point: &Point, spec: &Spec) -> Result<Finder, String> {
    Ok(match &point.find {
        Find::Stat(stat) => {
            let own = labels(stat);
            let others = spec
                .points
                .iter()
                .filter(|other| other.section == point.section)
                .filter_map(|other| match &other.find {
                    Find::Stat(stat) => Some(labels(stat)),
                    _ => None,
                })
                .flatten()
                .filter(|label| !own.contains(label))
                .collect();
            let with = stat.with.iter().chain(&stat.near).map(|word| loosen(word)).collect();
            Finder::Stat {
                labels: own,
                others,
                form: form(stat, point)?,
                with,
                without: loose(&stat.without),
            }
        }
        Find::Narrative(narrative) => Finder::Narrative {
            cues: narrative.cues.iter().map(|cue| Cue::new(cue, narrative.rule)).collect::<Result<_, _>>()?,
            rule: narrative.rule,
            vocabulary: narrative.vocabulary.clone(),
        },
        Find::Partners(partners) => Finder::Partners {
            captions: loose(&partners.captions),
            rule: partners.rule,
            count: partners.count,
        },
        Find::Table(table) => Finder::Table(table_form(table)?),
        Find::Cell(cell) => {
            let position = spec.points.iter().position(|other| other.id == cell.table);
            let columns = position.and_then(|at| match &spec.points[at].find {
                Find::Table(table) => Some(&table.columns),
                _ => None,
            });
            let column =
                columns.and_then(|columns| columns.iter().position(|column| column.id == cell.column));
            let (Some(table), Some(column)) = (position, column) else {
                return Err(format!("no table `{}` with a column `{}`", cell.table, cell.column));
            };
            Finder::Cell { table, column }
        }
        Find::Cells(cells) => Finder::Cells { count: cells.count, label: cells.label, rule: cells.rule },
        Find::Drawn(drawn) => Finder::Drawn {
            labels: drawn
                .labels
                .iter()
                .map(|label| Cue::new(&format!("{label} {{value}}"), Some(drawn.rule)))
                .collect::<Result<_, _>>()?,
            rule: drawn.rule,
        },
        Find::Total(_)
        | Find::Sum(_)
        | Find::Ranked(_)
        | Find::One(_)
        | Find::Opportunities(_)
        | Find::Opportunity(_) => Finder::Explored,
    })
}

fn form(stat: &Stat, point: &Point) -> Result<Form, String> {
    match (stat.rule, &stat.vocabulary, &stat.form) {
        (Some(rule), _, Some(worded)) => {
            Ok(Form::Worded { cue: Cue::new(worded, Some(rule))?, rule, unit: point.unit })
        }
        (Some(rule), _, None) => Ok(Form::Rule { rule, unit: point.unit }),
        (None, Some(kind), _) => Ok(Form::Vocabulary(kind.clone())),
        (None, None, _) => Err("a stat has either a `rule` or a `vocabulary`".to_owned()),
    }
}

fn table_form(table: &Table) -> Result<TableForm, String> {
    Ok(TableForm {
        titles: table.titles.iter().map(|title| Cue::new(title, None)).collect::<Result<_, _>>()?,
        columns: table.columns.iter().map(column_form).collect::<Result<_, _>>()?,
    })
}

fn column_form(column: &Column) -> Result<ColumnForm, String> {
    let kind = match (column.rating, column.rule, column.text.as_deref()) {
        (true, _, _) => CellKind::Rating,
        (_, Some(rule), _) if column.signed => CellKind::Arrowed(rule),
        (_, Some(rule), _) => CellKind::Number(rule),
        (_, _, Some("country")) => CellKind::Country,
        (_, _, Some("product")) => CellKind::Product,
        _ => {
            return Err(format!(
                "column `{}`: no `rule`, no `rating`, and `text` is not country or product",
                column.id
            ));
        }
    };
    Ok(ColumnForm { id: column.id.clone(), headers: loose(&column.headers), kind, unit: column.unit })
}
