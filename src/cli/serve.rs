//! `atlas-gt serve`: serves the desk on this machine, or for others with a token.

use std::net::SocketAddr;
use std::path::PathBuf;

use atlas_gt_serve::{Desk, Options, Sources, is_private, secret};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::eval_output::Runs;
use super::settings::{self, Shared};
use super::traces::{self, Place, failed};
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::{self, Format, Invocation, Terminal, print_status};
use crate::truth::{Site, Store};

/// Serve the desk: a web page that lists what needs a person, with production traces and metrics
///
/// It listens on loopback unless --listen names another address. Then every request needs the token, which is printed
/// once; put a TLS proxy in front, since the token is sent in plain text. Every action of the desk shows the command
/// that does the same.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt serve\n  atlas-gt serve --database postgres://desk@db/desk\n  \
                  atlas-gt serve --traces-from postgres://reader@db/app\n  atlas-gt serve --listen 0.0.0.0:8787 --token-file token"
)]
pub(super) struct ServeArgs {
    /// Address and port, or the port alone; port 0 picks a free port
    #[arg(long, visible_alias = "port", value_name = "ADDRESS", default_value = "127.0.0.1:8787", value_parser = address)]
    listen: SocketAddr,
    /// File that holds the token [default: a new token at each start; none on loopback]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_TOKEN_FILE")]
    token_file: Option<PathBuf>,
    /// Days to keep traces
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(7..))]
    keep_days: u32,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    shown: Shown,
}

/// Flags for the sources of the pages.
#[derive(Debug, clap::Args)]
pub(super) struct Shown {
    #[command(flatten)]
    runs: Runs,
    /// Folder of the spot-check reports, one subfolder each
    #[arg(long, value_name = "DIR", default_value = "out/spot_checks")]
    spot_checks: PathBuf,
    /// File of strategies by field, in the format of `score json --strategies`
    #[arg(long, value_name = "FILE", default_value = "field_strategies.json")]
    strategies: PathBuf,
    /// Manifest that failures are promoted into
    #[arg(long, value_name = "FILE", default_value = "manifests/production.json")]
    promote_to: PathBuf,
}

impl Shown {
    /// The sources of the desk, and the flags that its commands need.
    pub fn sources(&self, shared: &Shared, config: &Config, trace_flags: String) -> Result<Sources> {
        Ok(Sources {
            store: config.store.clone(),
            runs: self.runs.folder(shared)?,
            spot_checks: self.spot_checks.clone(),
            strategies: self.strategies.clone(),
            promote_to: self.promote_to.clone(),
            agent_site: Site::of(&config.site).to_string(),
            stale_months: config.stale_months.clone(),
            program: std::env::current_exe().map_err(Error::file("atlas-gt"))?,
            flags: settings::arguments(shared, config),
            trace_flags,
            by: settings::user(),
        })
    }
}

pub(super) fn run(shared: &Shared, args: ServeArgs) -> Result<Exit> {
    let config = args.place.resolve(shared)?;
    let token = token(&args)?;
    let options = Options {
        database: traces::address(&config),
        traces_from: config.traces_from.clone(),
        token,
        keep_days: args.keep_days,
        sources: args.shown.sources(shared, &config, args.place.flags())?,
        week_report: |found| {
            report::write(found, Format::Md, &Invocation::default(), Terminal::PLAIN).unwrap_or_default()
        },
    };
    super::print::runtime()?.block_on(async {
        let listener = TcpListener::bind(args.listen).await.map_err(|error| {
            Error::Usage(format!("--listen {}: {error}; choose another address", args.listen))
        })?;
        let address = listener.local_addr().map_err(|error| Error::Usage(error.to_string()))?;
        if matches!(Store::find(&config.store), Ok(None)) {
            let collect = settings::invocation(&config).command("collect");
            let store = config.store.display();
            print_status(format_args!(
                "warning: store {store} does not exist yet: fill it with `{collect}`, or name another with --store"
            ));
        }
        let desk = Desk::open(options).await.map_err(failed)?;
        super::print::print(&format!("http://{address}/\n"));
        print_status("serving the desk; end with Ctrl-C");
        desk.serve(listener, ended()).await;
        Ok(Exit::Ok)
    })
}

/// Parses an address with a port. A port alone means this machine.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    match text.parse() {
        Ok(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => text.parse().map_err(|_| "write an address with a port, or a port alone".to_owned()),
    }
}

/// The access token: from a file, or a new one if others can connect.
fn token(args: &ServeArgs) -> Result<Option<String>> {
    if let Some(file) = &args.token_file {
        let token = input::text(file)?.trim().to_owned();
        if token.len() < 32 {
            return Err(Error::Usage(format!("{}: the token is shorter than 32 characters", file.display())));
        }
        return Ok(Some(token));
    }
    if is_private(args.listen) {
        return Ok(None);
    }
    let token = secret().map_err(Error::Usage)?;
    print_status(format_args!("token: {token}"));
    print_status("warning: the connection is not encrypted; put a TLS proxy in front of it");
    Ok(Some(token))
}

/// Resolves when the server is told to stop.
async fn ended() {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
