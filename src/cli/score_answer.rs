//! `atlas-gt score answer`: a free-text answer against the stored truth of its question.

use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::print::Format;
use super::score_output::{pretty, print, table};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::manifest::QuestionId;
use crate::scoring::prose::{Extra, PointScore, Said};
use crate::truth::{Pipeline, Site, Store, may_score};
use crate::workflow::{self, spot_check};

/// Arguments of `score answer`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt score answer --question 61 \"Kenya's GDP per capita is about $2,350.\"\n  atlas-gt score answer --question 86 --file answer.md --pipeline graphql --format json\n  ./ask.sh 61 | atlas-gt score answer --question 61 --file -\n\nExit code 0: every data point is right · 3: something is wrong, missing or cannot be decided"
)]
pub struct AnswerArgs {
    /// The question's id
    #[arg(long, value_name = "ID")]
    question: QuestionId,
    /// The answer
    #[arg(required_unless_present = "file", allow_hyphen_values = true)]
    answer: Option<String>,
    /// A file that holds the answer; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "answer")]
    file: Option<PathBuf>,
    /// The pipeline that the answer came from: truth never scores where it comes from
    #[arg(long, value_enum, default_value_t = PipelineName::Unknown)]
    pipeline: PipelineName,
    /// Manifest with the question's own text and context [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// A pipeline on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum PipelineName {
    /// GraphQL
    Graphql,
    /// SQL
    Sql,
    /// Both
    Mixed,
    /// No data tool
    None,
    /// Not known
    Unknown,
}

impl From<PipelineName> for Pipeline {
    fn from(name: PipelineName) -> Self {
        match name {
            PipelineName::Graphql => Self::Graphql,
            PipelineName::Sql => Self::Sql,
            PipelineName::Mixed => Self::Mixed,
            PipelineName::None => Self::None,
            PipelineName::Unknown => Self::Unknown,
        }
    }
}

/// A scored answer.
#[derive(Debug, Serialize)]
struct Scored {
    question_id: serde_json::Value,
    site: Site,
    pipeline: Pipeline,
    right: usize,
    wrong: usize,
    missing: usize,
    unscored: usize,
    points: Vec<PointScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<spot_check::RefusedScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<Extra>,
    #[serde(skip)]
    truths: Vec<String>,
    exit_code: u8,
}

impl Scored {
    fn exit(&self) -> Exit {
        let all_right =
            self.right > 0 && self.wrong + self.missing + self.unscored == 0 && self.refused.is_empty();
        if all_right { Exit::Ok } else { Exit::Differences }
    }
}

/// Runs the command.
///
/// # Errors
/// A question without a record, a store of another site, files that cannot be read.
pub(super) fn run(shared: &Shared, args: &AnswerArgs) -> Result<Exit> {
    let config =
        settings::resolve(shared, Settings { manifest: args.manifest.clone(), ..Settings::default() })?;
    let asked_about = Site::of(&config.site);
    let store = Store::read(&config.store)?;
    if store.check(asked_about, config.site.address()).is_err() {
        return Err(Error::Usage(format!(
            "{} holds records of {}, which never score an answer about the {asked_about} site; \
             if the answer is about that one, say --site {}",
            config.store.display(),
            store.holds(),
            store.address().map_or_else(|| store.site().to_string(), str::to_owned)
        )));
    }
    let id = &args.question;
    let Some(stored) = store.load(id)? else {
        return Err(Error::Usage(format!(
            "--question {id}: {} holds no record of it; `atlas-gt collect --questions {id}` makes one",
            config.store.display()
        )));
    };
    let answer = answer(args)?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let entries = settings::manifest(&config, &extractors)?.entries;
    let entry = entries.iter().find(|entry| entry.question_id == *id);
    let (asked, question) =
        (entry.map(|entry| &entry.context), entry.and_then(|entry| entry.question_text.as_deref()));
    let (_, found) = spot_check::against_stored(&stored, asked, question, &answer);
    let provenance = stored.fitting_provenance();
    let pipeline = Pipeline::from(args.pipeline);
    let mut scored = Scored {
        question_id: id.to_json(),
        site: store.site(),
        pipeline,
        right: 0,
        wrong: 0,
        missing: 0,
        unscored: 0,
        points: Vec::new(),
        refused: Vec::new(),
        extra: found.extra,
        truths: Vec::new(),
        exit_code: 0,
    };
    for (row, point) in stored.record.results.data.iter().zip(found.points) {
        let independent = may_score(&stored.record, provenance.and_then(|p| p.of(row)), pipeline);
        if let Some(reason) = independent.reason() {
            let reason = reason.to_owned();
            scored.refused.push(spot_check::RefusedScore { field: point.field, reason });
            continue;
        }
        *match point.said {
            Said::Right => &mut scored.right,
            Said::Wrong => &mut scored.wrong,
            Said::Missing => &mut scored.missing,
            Said::Unscored => &mut scored.unscored,
        } += 1;
        scored.truths.push(row.shown());
        scored.points.push(point);
    }
    let exit = scored.exit();
    scored.exit_code = exit as u8;
    match args.format {
        Format::Json => print(&pretty(&scored)?)?,
        Format::Table => print(&text(&scored))?,
    }
    Ok(exit)
}

fn answer(args: &AnswerArgs) -> Result<String> {
    match (&args.answer, &args.file) {
        (Some(answer), _) => Ok(answer.clone()),
        (None, Some(path)) if path.as_os_str() == "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(Error::file("standard input"))?;
            Ok(text)
        }
        (None, Some(path)) => std::fs::read_to_string(path).map_err(Error::named(path)),
        (None, None) => Err(Error::Usage("give the answer, or --file".to_owned())),
    }
}

fn text(scored: &Scored) -> String {
    let rows = scored
        .points
        .iter()
        .zip(&scored.truths)
        .map(|(point, truth)| {
            let said = format!("{:?}", point.said).to_lowercase();
            vec![
                point.field.clone(),
                truth.clone(),
                point.value.clone().unwrap_or_else(|| "-".to_owned()),
                said,
                point.reason.clone(),
            ]
        })
        .collect();
    let mut text = if scored.points.is_empty() {
        String::new()
    } else {
        table(&["data point", "truth", "answer", "verdict", "why"], rows)
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for refused in &scored.refused {
        text.push_str(&format!("{}: no score, {}\n", refused.field, refused.reason));
    }
    for extra in &scored.extra {
        text.push_str(&format!("besides: {}\n", extra.value));
    }
    text.push_str(&format!(
        "{} right, {} wrong, {} missing, {} unscored, {} refused\n",
        scored.right,
        scored.wrong,
        scored.missing,
        scored.unscored,
        scored.refused.len()
    ));
    text
}
