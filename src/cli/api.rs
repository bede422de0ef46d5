//! `atlas-gt api introspect`: compares the live schemas with those our queries were written for.

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
pub(super) struct ApiArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Introspect(Introspect),
}

/// Compare the live schemas with those under graphql/, and list the queries that a difference affects
///
/// Exit code 0: nothing in use differs. 3: something does. 5: an API cannot be reached. A remote site's reply is cached
/// for a day.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt api introspect\n  atlas-gt api introspect --site twin --format json\n  atlas-gt api introspect --fresh"
)]
struct Introspect {
    /// Ignore the cached reply
    #[arg(long)]
    fresh: bool,
    /// Requests per minute in all [default: 120, the site's limit; 6000 on loopback, where any rate is allowed]
    #[arg(long, value_name = "N", env = "ATLAS_GT_RATE")]
    rate: Option<u32>,
    /// Address or e-mail to name in the User-Agent
    #[arg(long, value_name = "TEXT", env = "ATLAS_GT_CONTACT")]
    contact: Option<String>,
    #[command(flatten)]
    twin: super::twin::Options,
}

pub(super) fn run(shared: Shared, args: ApiArgs) -> Result<Exit> {
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
