//! `atlas-gt twin`: serves the replica, for a browser or for testing extractors.

pub(super) use atlas_gt_twin::Twin;
use atlas_gt_twin::{self as replica, Fault, Latency, Skin, TwinOptions, VintageChange};

use crate::error::{Error, Exit, Result};
use crate::report::{Format, TwinChange, TwinChanges, print_status};
use atlas_gt_core::command_line::flag;

const EXAMPLES: &str = "Examples:
  atlas-gt twin --port 8080
  atlas-gt twin --skin mui --fault label-renamed=gdp
  atlas-gt twin --vintage 2027 --changes
  atlas-gt collect --site http://127.0.0.1:8080";

/// Serve a local replica of the site until interrupted
///
/// Its figures are not the Atlas's: records made from it say `"site": "twin"`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\nFaults: {}", Fault::examples().collect::<Vec<_>>().join(" · ")))]
pub(super) struct TwinArgs {
    /// Port on loopback; 0 picks a free port
    #[arg(long, default_value_t = 8080)]
    port: u16,
    #[command(flatten)]
    options: Options,
    /// API requests per client in any 60 seconds; 0 means no limit
    #[arg(long, default_value_t = 120)]
    rate_limit: u32,
    /// Print what the release changes on the pages, and exit
    #[arg(long)]
    changes: bool,
}

const DEFAULT_VINTAGE: i32 = 2024;

/// Options of the twin.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Twin")]
pub(super) struct Options {
    /// Markup of the twin's pages: hashed, mui or tiles
    #[arg(long, default_value = "hashed", hide_short_help = true)]
    skin: Skin,
    /// Fault to inject into the twin; repeatable
    #[arg(long = "fault", value_name = "FAULT", hide_short_help = true)]
    faults: Vec<Fault>,
    /// Send `Retry-After` with a 429
    #[arg(long, hide_short_help = true)]
    retry_after: bool,
    /// Seed of the twin's class names [default: random]
    #[arg(long, hide_short_help = true)]
    twin_seed: Option<u64>,
    /// Make the twin as slow as the real site
    #[arg(long, hide_short_help = true)]
    real_latency: bool,
    /// Release of the twin's data: 2024, or 2027 with revised values
    #[arg(long, value_name = "YEAR", default_value_t = DEFAULT_VINTAGE, hide_short_help = true)]
    vintage: i32,
}

impl Options {
    /// Starts the twin for a run with this many requests per minute.
    pub async fn start(self, rate: u32) -> Result<(String, Twin)> {
        let options = TwinOptions { rate_limit: Some(rate), ..self.build() };
        let twin = replica::start(options).await.map_err(Error::Usage)?;
        Ok((twin.base_url.clone(), twin))
    }

    /// The flags that choose other data: ` --vintage 2027`. A next command needs them to see the same site.
    pub fn flags(&self) -> String {
        if self.vintage == DEFAULT_VINTAGE { String::new() } else { flag("vintage", self.vintage) }
    }

    fn build(self) -> TwinOptions {
        TwinOptions {
            skin: self.skin,
            faults: self.faults,
            retry_after: self.retry_after,
            seed: self.twin_seed,
            latency: if self.real_latency { Latency::REAL } else { Latency::SMALL },
            vintage: self.vintage,
            ..TwinOptions::default()
        }
    }
}

/// What a release changes.
fn changes(vintage: i32) -> Result<TwinChanges> {
    let change = |one: &VintageChange| {
        let VintageChange { page, point, row, kind, old, new } = one.clone();
        TwinChange { page, point, row, kind, old, new }
    };
    let changes = replica::vintage_changes(vintage).map_err(Error::Usage)?.iter().map(change).collect();
    Ok(TwinChanges { vintage, changes })
}

pub(super) fn run(format: Format, args: TwinArgs) -> Result<Exit> {
    if args.changes {
        return super::print::print_alone(format, &changes(args.options.vintage)?);
    }
    let options = TwinOptions {
        port: args.port,
        rate_limit: (args.rate_limit > 0).then_some(args.rate_limit),
        ..args.options.build()
    };
    super::print::runtime()?.block_on(async {
        let twin = replica::start(options).await.map_err(Error::Usage)?;
        super::print::print(&format!("{}/countries/404\n", twin.base_url));
        print_status("serving the replica; end with Ctrl-C");
        let _ = tokio::signal::ctrl_c().await;
        twin.shutdown().await;
        Ok(Exit::Ok)
    })
}
