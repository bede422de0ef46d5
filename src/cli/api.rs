//! `atlas-gt api introspect`: are the live schemas still those that the queries were written for?

use jiff::Timestamp;

use super::print::{print_report, runtime};
use super::running;
use super::settings::{self, Shared};
use super::site::{Served, schemas, serve};
use crate::acquire::graphql::{Api, Client};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::{ApiReport, Compared};

/// The site's two GraphQL APIs
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Introspect(Introspect),
}

/// Compare the live schemas with those under graphql/: what differs, and which queries depend on it
///
/// Exit code 0 when nothing that is used differs, 3 when something does, 5 when an API cannot be reached.
/// The answer of a site that is not on this machine is kept for a day.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt api introspect\n  atlas-gt api introspect --site twin --format json\n  atlas-gt api introspect --fresh"
)]
struct Introspect {
    /// Ask now, even if an answer of the last 24 hours is at hand
    #[arg(long)]
    fresh: bool,
    /// Requests per minute, everything counted [default: 120, the site's limit; more on this machine only]
    #[arg(long, value_name = "N", env = "ATLAS_GT_RATE")]
    rate: Option<u32>,
    /// Address or e-mail to name in the User-Agent
    #[arg(long, value_name = "TEXT", env = "ATLAS_GT_CONTACT")]
    contact: Option<String>,
    #[command(flatten)]
    twin: super::twin::Options,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let Command::Introspect(args) = args.command;
    let flags = Settings { rate: args.rate, contact: args.contact.clone(), ..Settings::default() };
    let config = settings::resolve(&shared, flags)?;
    runtime()?.block_on(async {
        let served = serve(&config, &args.twin).await?;
        let compared = compare(&config, &args, &served).await;
        served.close().await;
        print_report(&shared, &config, &ApiReport { site: config.site.to_string(), apis: compared? })
    })
}

async fn compare(
    config: &crate::config::Config,
    args: &Introspect,
    served: &Served,
) -> Result<Vec<Compared>> {
    let client = Client::new(&served.base, config.contact.as_deref(), running::rate(config, served))?;
    let cache = schemas(config);
    let cache = if args.fresh { cache.renewed() } else { cache };
    let mut compared = Vec::new();
    for &api in Api::ALL {
        compared.push(Compared::of(api, client.check_schema(api, &cache, Timestamp::now()).await));
    }
    Ok(compared)
}
