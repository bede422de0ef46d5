//! The agent to ask, and the site it answers about: flags of every command that asks an agent.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::choice::choice;
use super::eval_judge::prices;
use crate::agent::{
    AnyAgent, AskAtlas, AskOptions, CommandAgent, KnownQuestions, Mode, RecordedAgent, UnknownAnswers,
};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::manifest::{Manifest, QuestionId};
use crate::report::print_status;
use crate::truth::{Pipeline, Site, Store};
use crate::words::count;
use crate::workflow::Clock;
use crate::workflow::evaluate::{AgentChoice, CaseSource, RunSettings};

/// Flags that choose and limit the agent; recorded answers replace it. The heading also applies to every later flag, so
/// flatten these flags last.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Agent")]
pub(super) struct AskedAgent {
    /// Address of Ask-Atlas: http://localhost:8000
    #[arg(long, value_name = "URL", group = "who")]
    agent: Option<String>,
    /// A program that reads the question as JSON from standard input and prints {"answer", "links", "trace"}
    #[arg(long, value_name = "COMMAND", group = "who")]
    agent_command: Option<String>,
    /// Seconds to wait for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 180, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub agent_timeout: u64,
}

impl AskedAgent {
    /// The recorded answers, the agent from the flags, or the one from the configuration.
    pub fn choice(&self, answers: Option<&PathBuf>, config: &Config) -> Result<AgentChoice> {
        let named = AgentChoice::of(answers, self.agent_command.as_ref(), self.agent.as_ref());
        if config.agent.is_some() && config.agent_command.is_some() && named.is_none() {
            return Err(Error::Usage(
                "the configuration sets both `agent` and `agent_command`: keep one".to_owned(),
            ));
        }
        let configured = || AgentChoice::of(None, config.agent_command.as_ref(), config.agent.as_ref());
        named.or_else(configured).ok_or_else(|| {
            Error::Usage(
                "name an agent: --agent, --agent-command or --answers, or `agent` in atlas-gt.toml"
                    .to_owned(),
            )
        })
    }
}

/// Flags that choose the agent, and say what its answers are about.
#[derive(Debug, clap::Args)]
pub(super) struct AgentArgs {
    #[command(flatten)]
    pub asked: AskedAgent,
    /// Recorded answers: JSON lines or a JSON list of {"question_id", "answer", "question"?, "links"?, "trace"?}, a CSV
    /// file with these columns (links and trace as JSON), or a team's own run, a summary.json or a folder of
    /// {id}/result.json. The text in "question" (or "question_text") says which question is meant, else the id
    #[arg(long, value_name = "FILE", group = "who")]
    pub answers: Option<PathBuf>,
    /// The site the agent answers about (`mirror`: the address in --site); records of another site never score it
    #[arg(long, value_name = "SITE", value_parser = choice::<Site>(), default_value = "live")]
    pub agent_site: Site,
    /// The pipeline to ask for
    #[arg(long, value_parser = choice::<Mode>(), default_value = "auto")]
    pub mode: Mode,
    /// The agent's pipeline, for answers whose trace names none
    #[arg(long, value_parser = choice::<Pipeline>())]
    pub pipeline: Option<Pipeline>,
}

impl AgentArgs {
    /// The agent from the flags, or from the configuration.
    pub fn choice(&self, config: &Config) -> Result<AgentChoice> {
        self.asked.choice(self.answers.as_ref(), config)
    }
}

/// The maximum size of a program's answer, in bytes. Longer answers are cut.
const MAX_OUTPUT: u64 = 8 << 20;

/// The settings of a run that asks this agent about a store's truth.
pub(super) fn settings_of(
    args: &AgentArgs,
    (source, who, agent_name): (CaseSource, AgentChoice, String),
    (config, store): (&Config, &Store),
    clock: Clock,
) -> Result<RunSettings> {
    let price = prices(config)?.per_question.agent.filter(|_| !who.is_recorded());
    Ok(RunSettings {
        manifest: config.manifest.clone(),
        store: store.dir().to_owned(),
        site: store.site(),
        agent_name,
        agent_price_usd: price,
        mode: args.mode,
        pipeline: args.pipeline.or(config.pipeline),
        agent_timeout: args.asked.agent_timeout,
        ..RunSettings::new(source, who, clock.now())
    })
}

/// The questions of recorded answers.
pub(super) struct Answered {
    pub ids: Vec<QuestionId>,
    /// Answers without a known question; they are skipped.
    pub unknown: UnknownAnswers,
}

/// Names the recorded answers that are not scored for lack of truth.
pub(super) fn print_without_truth(ids: &[QuestionId], answers: usize) {
    if !ids.is_empty() {
        let named = ids.iter().map(QuestionId::as_str).collect::<Vec<_>>().join(", ");
        let (are, whose) =
            if ids.len() == 1 { ("is", "its question has") } else { ("are", "their questions have") };
        print_status(format_args!(
            "{} of {} {are} not scored, because {whose} no truth: {named}",
            ids.len(),
            count(answers, "answer")
        ));
    }
}

/// The questions that only the store has.
pub(super) fn not_in_manifest(ids: &[QuestionId], manifest: &Manifest) -> Vec<QuestionId> {
    let asked: BTreeSet<&QuestionId> = manifest.questions().map(|one| one.id).collect();
    ids.iter().filter(|id| !asked.contains(id)).cloned().collect()
}

/// Names the recorded answers that are not scored because only the store has their questions.
pub(super) fn print_not_in_manifest(ids: &[QuestionId], answers: usize) {
    if !ids.is_empty() {
        let named = ids.iter().map(QuestionId::as_str).collect::<Vec<_>>().join(", ");
        let (are, whose) = if ids.len() == 1 { ("is", "its question") } else { ("are", "their questions") };
        print_status(format_args!(
            "{} of {} {are} not scored, because the manifest lacks {whose}: {named}",
            ids.len(),
            count(answers, "answer")
        ));
    }
}

/// The agent, and for recorded answers the questions that it can answer, each matched to one in
/// `known`.
pub(super) fn agent(
    choice: &AgentChoice,
    timeout: u64,
    known: &KnownQuestions,
) -> Result<(AnyAgent, Option<Answered>)> {
    let timeout = Duration::from_secs(timeout);
    match choice {
        AgentChoice::Url(url) => {
            let options = AskOptions { timeout, ..AskOptions::default() };
            Ok((AnyAgent::AskAtlas(AskAtlas::new(url, options)?), None))
        }
        AgentChoice::Command(command) => {
            Ok((AnyAgent::Command(CommandAgent::new(command, timeout, MAX_OUTPUT)?), None))
        }
        AgentChoice::Answers(path) => {
            let mut recorded = RecordedAgent::read(path)?;
            if !recorded.ignored().is_empty() {
                let keys: Vec<&str> = recorded.ignored().iter().map(String::as_str).collect();
                print_status(format_args!("{}: keys that are not read: {}", path.display(), keys.join(", ")));
            }
            let unknown = recorded.fit(known)?;
            if !unknown.is_empty() {
                print_status(&unknown);
            }
            let answered = Answered { ids: recorded.question_ids().cloned().collect(), unknown };
            Ok((AnyAgent::Recorded(recorded), Some(answered)))
        }
    }
}
