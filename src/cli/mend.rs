//! `atlas-gt mend`: proposes tested spec changes for labels and fields that the site renamed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use super::flags::Overwrite;
use super::print::{print, print_with, quarantined};
use super::review_steps::{Choice, ask};
use super::settings::{self, Shared};
use super::survey::{self, SURVEYS};
use super::visiting::Visiting;
use crate::atomic_file;
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::manifest::spec::Specs;
use crate::mend::Proposal;
use crate::report::mend::{Proposals, proposal};
use crate::report::{self, Format, Terminal, output, print_status};
use crate::truth::Store;
use crate::workflow::mend::{self, Mended, Round};
use crate::workflow::survey::{Bundle, pages};
use crate::workflow::{self, Clock};

/// The spec folder of a source checkout.
const CHECKOUT_SPECS: &str = "manifests/extractors";

/// Propose changes to the extractor specs where a survey found new wordings, and write the accepted ones
///
/// For each missing point, `mend` searches the page for the value in the page's own API response. It proposes the
/// label, heading or phrase beside that value if it is the only candidate. A renamed field is proposed if the displayed
/// value, the site's schema or stored evidence proves it; an unproven proposal can only be accepted by id. Everything
/// that could be read before must still read the same, and old wordings are kept. Nothing is written without
/// `--accept`, `--accept-unique` or a yes in the terminal.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt mend                                   propose for the newest survey, one by one in a terminal\n  atlas-gt mend out/surveys/renamed --accept-unique --extractors out/specs\n  atlas-gt mend --again --extractors out/specs\n  atlas-gt mend --accept country_profile/total_exports\n  atlas-gt mend --html proposals.html\n  atlas-gt mend --format json"
)]
pub(super) struct MendArgs {
    /// The survey to use [default: the newest in out/surveys]
    bundle: Option<PathBuf>,
    /// Accept every proposal that is proven and unique
    #[arg(long, conflicts_with = "accept")]
    accept_unique: bool,
    /// Survey and mend until nothing new is proposed; accept what is proven, and print what is left
    #[arg(long, conflicts_with_all = ["accept", "accept_unique", "bundle", "html"])]
    again: bool,
    /// Accept these proposals, proven or not
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    accept: Vec<String>,
    /// Write the proposals as one HTML page with the matching parts of the site's pages
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    visiting: Visiting,
}

pub(super) fn run(shared: Shared, args: MendArgs) -> Result<Exit> {
    let mut config = settings::resolve(&shared, args.visiting.settings())?;
    if args.again {
        return again(&shared, config, &args);
    }
    args.overwrite.check_named(args.html.as_deref(), output::PROPOSALS)?;
    let invocation = settings::invocation(&config);
    let dir = folder(&config);
    // a new folder gets a copy of all specs
    config.extractors = config.extractors.filter(|dir| dir.exists());
    let specs = workflow::specs(&config)?;
    let bundle = match &args.bundle {
        Some(dir) => Bundle::read(dir)?,
        None => Bundle::newest(Path::new(SURVEYS))?,
    };
    let store = Store::find(&config.store)?;
    let mut mended = mend::mend(&bundle, &specs, store.as_ref())?;
    let chosen = chosen(&args, &mended)?;
    let stepwise = chosen.is_empty() && shared.format == Format::Table && std::io::stdin().is_terminal();
    let stepwise = stepwise && args.html.is_none() && !mended.unique.is_empty();
    if let Some(path) = &args.html {
        let page = report::write(
            &Proposals {
                mended: &mended,
                bundle: args.bundle.as_deref(),
                specs: dir.as_deref(),
                crops: mend::crops(&mended, &bundle, &specs)?,
            },
            Format::Html,
            &invocation,
            Terminal::PLAIN,
        )?;
        output::write(path, page.as_bytes())?;
        print_status(format_args!("wrote {}", path.display()));
    }
    let chosen = if stepwise {
        let pictures = mend::crops(&mended, &bundle, &specs)?;
        let desk = Desk {
            crop: &|id| {
                let Some(png) = pictures.get(id) else { return Ok(None) };
                let path = bundle.dir.join("crops").join(format!("{}.png", id.replace('/', "_")));
                atomic_file::write_atomic(&path, png)?;
                Ok(Some(path))
            },
            reword: &|one, wording| mend::reworded(&bundle, &specs, store.as_ref(), one, wording),
        };
        steps(&mut mended, &mut std::io::stdin().lock(), &desk)?
    } else {
        chosen
    };
    if !chosen.is_empty() {
        mend::choose_unproven(&mut mended, &bundle, &specs, store.as_ref(), &chosen)?;
        write(&mut mended, &specs, dir.as_deref(), &chosen)?;
    }
    let crops = match shared.format {
        Format::Html => mend::crops(&mended, &bundle, &specs)?,
        _ => BTreeMap::new(),
    };
    let report = Proposals { mended: &mended, bundle: args.bundle.as_deref(), specs: dir.as_deref(), crops };
    let exit = print_with(shared.format, &invocation, &report)?;
    let bad = store.as_ref().map(Store::quarantined).unwrap_or_default();
    Ok(exit.worst(quarantined(&bad)))
}

/// Surveys and mends in turn until nothing new is proposed.
fn again(shared: &Shared, mut config: Config, args: &MendArgs) -> Result<Exit> {
    let dir = folder(&config).ok_or_else(no_folder)?;
    let chosen = pages(&[])?;
    let (mut rounds, mut written, mut known) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let (mut mended, exit) = loop {
        // a new folder gets a copy of all specs
        config.extractors = Some(dir.clone()).filter(|dir| dir.exists());
        let out = survey::folder(&format!("-{}", rounds.len() + 1))?;
        let survey = survey::survey(&config, &args.visiting, &chosen, &out, None)?;
        let exit = survey.exit();
        let specs = workflow::specs(&config)?;
        let mut mended = mend::mend(&Bundle::read(&out)?, &specs, Store::find(&config.store)?.as_ref())?;
        let new: BTreeSet<String> =
            mended.unique.iter().map(|one| format!("{}: {}", one.id, one.new)).collect();
        let is_new = new.iter().any(|one| !known.contains(one));
        let round = Round { points: survey.points, proposals: mended.unique.len(), open: mended.open.len() };
        print_status(format_args!("round {}: {round}", rounds.len() + 1));
        rounds.push(round);
        // an interrupted or unanswered survey does not tell what is left
        if !is_new || matches!(exit, Exit::Interrupted | Exit::Site) {
            break (mended, exit);
        }
        known.extend(new);
        let ids = mended.unique.iter().map(|one| one.id.clone()).collect();
        write(&mut mended, &specs, Some(&dir), &ids)?;
        written.extend(mended.written);
    };
    mended.rounds = rounds;
    mended.written = written.into_iter().collect();
    let invocation = settings::invocation(&config);
    let report = Proposals { mended: &mended, bundle: None, specs: Some(&dir), crops: BTreeMap::new() };
    let left = print_with(shared.format, &invocation, &report)?;
    Ok(if matches!(exit, Exit::Interrupted | Exit::Site) { exit } else { left })
}

/// The folder for changed specs, if there is one.
fn folder(config: &Config) -> Option<PathBuf> {
    let checked_in = || Some(PathBuf::from(CHECKOUT_SPECS)).filter(|dir| dir.is_dir());
    config.extractors.clone().or_else(checked_in)
}

fn chosen(args: &MendArgs, mended: &Mended) -> Result<BTreeSet<String>> {
    let unique = || mended.unique.iter().map(|proposal| proposal.id.clone());
    if args.accept_unique {
        return Ok(unique().collect());
    }
    let ids = || unique().chain(mended.unproven.iter().map(|proposal| proposal.id.clone()));
    for id in &args.accept {
        if !ids().any(|one| one == *id) {
            let known: Vec<String> = ids().collect();
            let what = format!("--accept {id}: there is no such proposal; there are {}", known.join(", "));
            return Err(Error::Usage(what));
        }
    }
    Ok(args.accept.iter().cloned().collect())
}

fn no_folder() -> Error {
    Error::Usage(
        "there is no spec folder here; name one with --extractors DIR (a new folder gets a copy of all specs)"
            .to_owned(),
    )
}

fn write(mended: &mut Mended, specs: &Specs, dir: Option<&Path>, ids: &BTreeSet<String>) -> Result<()> {
    let dir = dir.ok_or_else(no_folder)?;
    let date = Clock::from_environment()?.now().strftime("%Y-%m-%d").to_string();
    mend::accept(mended, specs, dir, ids, &date)
}

/// Actions available while choosing.
struct Desk<'a> {
    /// Writes the picture of a proposal and returns its path; none if it has no picture.
    crop: &'a dyn Fn(&str) -> Result<Option<PathBuf>>,
    /// Rewords a proposal.
    reword: &'a dyn Fn(&Proposal, &str) -> Result<Proposal>,
}

const CHOICES: &str = "a accept · s skip · e WORDING edit · c show crop · q quit";

/// Asks about each proposal, and returns the accepted ones.
fn steps(mended: &mut Mended, input: &mut dyn BufRead, desk: &Desk<'_>) -> Result<BTreeSet<String>> {
    let mut chosen = BTreeSet::new();
    let all = mended.unique.len();
    for (number, one) in mended.unique.iter_mut().enumerate() {
        print(&format!("\n{} of {all}\n{}", number + 1, proposal(one)));
        loop {
            match ask(input, CHOICES, &one.id)? {
                Choice::Accept(Some(_)) => {
                    print("a proposal is accepted as it is: enter `a` alone, or `e WORDING` to change it\n")
                }
                Choice::Accept(None) => {
                    chosen.insert(one.id.clone());
                    break;
                }
                Choice::Skip | Choice::Reject(_) => break,
                Choice::Quit => return Ok(chosen),
                Choice::Picture => match (desk.crop)(&one.id)? {
                    Some(path) => print(&format!("{}\n", path.display())),
                    None => print("no survey picture shows it\n"),
                },
                Choice::Edit(wording) => match (desk.reword)(one, &wording) {
                    Ok(other) => {
                        *one = other;
                        print(&proposal(one));
                    }
                    Err(error) => print(&format!("{error}\n")),
                },
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mend::Proof;

    #[test]
    fn answers_choose_and_the_end_of_the_input_ends() {
        let proposal = |id: &str| Proposal {
            id: id.to_owned(),
            extractor: "x".to_owned(),
            kind: "label".to_owned(),
            proof: Proof::Displayed,
            old: Vec::new(),
            new: String::new(),
            edits: Vec::new(),
            points: Vec::new(),
            reads: Vec::new(),
        };
        let mut mended =
            Mended { unique: ["x/a", "x/b", "x/c", "x/d"].map(proposal).to_vec(), ..Mended::default() };
        let desk = Desk {
            crop: &|id| Ok((id == "x/a").then(|| PathBuf::from("a.png"))),
            reword: &|one, wording| match wording {
                "bad" => Err(Error::Usage("\"bad\": it is not read".to_owned())),
                _ => Ok(one.reworded(wording)),
            },
        };
        let chosen = steps(&mut mended, &mut "c\na\nwhat\ns\naccept\n".as_bytes(), &desk).unwrap();
        assert_eq!(chosen, BTreeSet::from(["x/a".to_owned(), "x/c".to_owned()]));
        let chosen = steps(&mut mended, &mut "q\na\n".as_bytes(), &desk).unwrap();
        assert!(chosen.is_empty());
        // an unproven wording is refused, and the old one stays
        let chosen = steps(&mut mended, &mut "e bad\ns\ne\ne better\na\n".as_bytes(), &desk).unwrap();
        assert_eq!(chosen, BTreeSet::from(["x/b".to_owned()]));
        assert_eq!((mended.unique[0].new.as_str(), mended.unique[1].new.as_str()), ("", "better"));
    }
}
