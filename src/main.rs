//! The `atlas-gt` command.

use atlas_gt::cli::{score, suite};
use atlas_gt::error::{Error, Exit, Result};
use atlas_gt::twin::{self, Fault, Latency, Skin, TwinOptions};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a local replica of the site until interrupted
    Twin {
        /// Port on loopback; 0 takes a free one
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// How pages are built: hashed or mui
        #[arg(long, default_value = "hashed")]
        skin: Skin,
        /// What is to be wrong; can be repeated
        #[arg(long = "fault")]
        faults: Vec<Fault>,
        /// API requests per client in any 60 seconds; 0 is without limit
        #[arg(long, default_value_t = 120)]
        rate_limit: u32,
        /// Send `Retry-After` with a 429
        #[arg(long)]
        retry_after: bool,
        /// Seed of class names; a new one at each start when not given
        #[arg(long)]
        seed: Option<u64>,
        /// Answer as slowly as the real site
        #[arg(long)]
        real_latency: bool,
    },
    Score(score::ScoreArgs),
    Suite(suite::SuiteArgs),
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("error: {error}");
            error.exit().into()
        }
    }
}

fn run(cli: Cli) -> Result<Exit> {
    let (port, skin, faults, rate_limit, retry_after, seed, real_latency) = match cli.command {
        Command::Score(args) => return score::run(args),
        Command::Suite(args) => return suite::run(args),
        Command::Twin { port, skin, faults, rate_limit, retry_after, seed, real_latency } => {
            (port, skin, faults, rate_limit, retry_after, seed, real_latency)
        }
    };
    let options = TwinOptions {
        port,
        skin,
        faults,
        rate_limit: (rate_limit > 0).then_some(rate_limit),
        retry_after,
        seed,
        latency: if real_latency { Latency::REAL } else { Latency::SMALL },
        ..TwinOptions::default()
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Error::Usage(error.to_string()))?;
    runtime.block_on(async {
        let twin = twin::start(options).await?;
        println!("{}", twin.base_url);
        let _ = tokio::signal::ctrl_c().await;
        twin.shutdown().await;
        Ok(Exit::Ok)
    })
}
