//! Mend: proposes spec changes for labels and fields that a survey found renamed. Proposals are
//! tested against all captures and written once a person accepts them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::SchemaCheck;
use super::survey::{Bundle, Share};
use super::verify::derive_again;
use crate::atlas::{Api, AtlasUrl};
use crate::atomic_file;
use crate::capture::Capture;
use crate::error::{Error, Exit, Result};
use crate::evidence::Hash;
use crate::extract::{Extractor, Extractors};
use crate::manifest::spec::edit::{Edit, Past, edited, released};
use crate::manifest::spec::{Spec, Specs, parse};
use crate::mend::{MendPage, Mending, Proposal, Renames, Unmended, propose, reads};
use crate::picture::cut;
use crate::selection::at_least_one;
use crate::truth::Store;

/// The proposals for a bundle, tested against the bundle and a store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Mended {
    /// The folder of the survey.
    pub bundle: PathBuf,
    /// Proven proposals: each is the only one that fits, and everything else still reads the same.
    pub unique: Vec<Proposal>,
    /// Unproven proposals. They can only be accepted by id.
    pub unproven: Vec<Proposal>,
    /// Points that remain missing, with the reason.
    pub open: Vec<Unmended>,
    /// The written spec files.
    pub written: Vec<PathBuf>,
    /// The result of each survey, if the site was surveyed again after every change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
}

/// A survey and the proposals from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Round {
    /// Points found on some page, out of all points.
    pub points: Share,
    /// Proven proposals.
    pub proposals: usize,
    /// Points that remain missing.
    pub open: usize,
}

impl std::fmt::Display for Round {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { points: Share { found, all }, proposals, open } = self;
        write!(f, "{found} of {all} points read, {proposals} proposed, {open} left")
    }
}

impl Mended {
    /// 0 if nothing is missing or every proposal is written, 3 if proposals wait, 4 if points
    /// remain missing.
    #[must_use]
    pub fn exit(&self) -> Exit {
        if !self.unique.is_empty() && self.written.is_empty() {
            Exit::Differences
        } else if self.open.is_empty() {
            Exit::Ok
        } else {
            Exit::Extraction
        }
    }
}

/// Proposes spec changes for a bundle. A proposal that changes any other reading, of the bundle or
/// of the store's evidence, is not offered.
///
/// # Errors
/// A spec cannot be compiled, or the store cannot be read.
pub fn mend(bundle: &Bundle, specs: &Specs, store: Option<&Store>) -> Result<Mended> {
    let mut mended = Mended { bundle: bundle.dir.clone(), ..Mended::default() };
    // proposals with the most pages come first: a field has one new name in the whole API
    let mut all: Vec<_> = specs.iter().map(|spec| (spec, pages(bundle, spec))).collect();
    all.retain(|(_, pages)| !pages.is_empty());
    let mut all = at_least_one(all, || nothing_to_mend(bundle))?;
    all.sort_by_key(|(_, pages)| std::cmp::Reverse(pages.len()));
    let mut known = known(bundle, specs, store)?;
    let mut proposals = Vec::new();
    for Mending { unique, unproven, open } in propose(&all, &mut known)? {
        proposals.push(unique);
        mended.unproven.extend(unproven);
        mended.open.extend(open);
    }
    let before = all_readings(specs, bundle, store)?;
    let (proven, refused) = proven(specs, bundle, store, &before, proposals)?;
    mended.unique = proven;
    mended.open.extend(refused.into_iter().map(|proposal| Unmended {
        extractor: proposal.extractor,
        subject: proposal.points.first().cloned().unwrap_or(proposal.id),
        why: format!("with \"{}\" another value would read differently", proposal.new),
        either: Vec::new(),
    }));
    Ok(mended)
}

/// Why a bundle yields no proposals.
fn nothing_to_mend(bundle: &Bundle) -> String {
    let failure = bundle.survey.pages.iter().find_map(|page| page.failure.as_deref());
    let why = match (bundle.pages.is_empty(), failure) {
        (true, Some(failure)) => format!("the survey read no page ({failure}); survey again"),
        (true, None) => "the survey read no page; survey again".to_owned(),
        (false, _) => "no extractor spec reads a page of the survey".to_owned(),
    };
    format!("{}: {why}", bundle.dir.display())
}

/// The known fields of each API, before any page is considered: from the specs, the surveyed
/// schemas, and the responses in a store's evidence.
fn known(bundle: &Bundle, specs: &Specs, store: Option<&Store>) -> Result<BTreeMap<Api, Renames>> {
    let mut known = BTreeMap::new();
    for &api in Api::ALL {
        // a survey from an older version does not list the differing fields
        let is_whole = |check: &&SchemaCheck| {
            check.failure.is_none() && (check.differences.is_empty() || !check.fields.is_empty())
        };
        let check = bundle.survey.schemas.iter().filter(|check| check.api == api).find(is_whole);
        known.insert(api, Renames::with_schema(check.map(|check| check.fields.clone())));
    }
    for spec in specs.iter() {
        known.entry(Api::of(spec.page)).or_default().learn_spec(spec);
    }
    let Some(store) = store else { return Ok(known) };
    let hashes = evidence(store)?;
    for (api, known) in known.iter_mut() {
        let of_api = bundle.pages.iter().filter(|page| Api::of(page.url.kind()) == *api);
        let captures: Vec<&Capture> = of_api.map(|page| &page.capture).collect();
        let stored = hashes.iter().filter_map(|hash| {
            // damaged evidence proves nothing; `verify` reports it
            let capture: Capture = serde_json::from_slice(&store.evidence(hash).ok()?).ok()?;
            let url = AtlasUrl::parse_settled(&capture.requested_url).ok()?.url;
            let Capture { mut exchanges, own, html, .. } = capture;
            // a refresh through the APIs alone visits no page
            if html.is_empty() {
                exchanges.extend(own);
            }
            (Api::of(url.kind()) == *api).then_some(exchanges)
        });
        known.compare(*api, &captures, stored);
    }
    Ok(known)
}

/// The captures in a store's evidence.
fn evidence(store: &Store) -> Result<BTreeSet<Hash>> {
    let mut hashes = BTreeSet::new();
    for id in store.question_ids()? {
        let provenance = store.readable(&id).and_then(|stored| stored.provenance);
        let readings = provenance.iter().flat_map(crate::truth::Provenance::readings);
        hashes.extend(readings.filter_map(|point| point.evidence.clone()));
    }
    Ok(hashes)
}

/// The pages of a bundle that a spec reads, each with its wanted points.
fn pages<'b>(bundle: &'b Bundle, spec: &Spec) -> Vec<MendPage<'b>> {
    let of_spec = bundle.pages.iter().filter(|page| page.url.kind() == spec.page && !page.page.absent);
    of_spec
        .map(|page| MendPage {
            name: &page.page.name,
            url: &page.url,
            capture: &page.capture,
            wanted: {
                let points = page.page.points.iter().filter(|point| point.extractor == spec.name);
                points.map(super::survey::SurveyedPoint::wanted).collect()
            },
        })
        .filter(|page| !page.wanted.is_empty())
        .collect()
}

/// All readings under a set of specs: every value of the bundle, and every doubt about the store.
#[derive(Debug, PartialEq, Eq)]
struct AllReadings {
    /// The contexts of the values, by page, point, keys and value.
    values: BTreeMap<(String, String, String, String), Vec<serde_json::Value>>,
    doubts: BTreeSet<(String, String)>,
}

impl AllReadings {
    /// Whether all readings are preserved. The new reading of a response may add context.
    fn is_preserved_in(&self, after: &Self) -> bool {
        let says = |now: &serde_json::Value, before: &serde_json::Value| {
            let mut parts = before.as_object().into_iter().flatten();
            parts.all(|(key, part)| part.is_null() || now.get(key) == Some(part))
        };
        let is_preserved = |(value, before): (&_, &Vec<serde_json::Value>)| {
            let now = after.values.get(value).map(Vec::as_slice).unwrap_or_default();
            before.iter().all(|before| now.iter().any(|now| says(now, before)))
        };
        self.values.iter().all(is_preserved) && after.doubts.is_subset(&self.doubts)
    }
}

fn all_readings(specs: &Specs, bundle: &Bundle, store: Option<&Store>) -> Result<AllReadings> {
    let extractors = Extractors::new(specs)?;
    let mut values: BTreeMap<_, Vec<serde_json::Value>> = BTreeMap::new();
    for spec in specs.iter() {
        let Some(extractor) = extractors.get(&spec.name) else { continue };
        for page in pages(bundle, spec) {
            let extraction = extractor.extract(page.capture, page.url, &page.wanted);
            for one in extraction.observations() {
                let keys = format!("{:?}", one.keys);
                let value = (page.name.to_owned(), one.data_point.clone(), keys, one.value.clone());
                let about = serde_json::to_value(&one.context).unwrap_or_default();
                values.entry(value).or_default().push(about);
            }
        }
    }
    let doubts = match store {
        Some(store) => derive_again(store, &extractors)?.doubts,
        None => Vec::new(),
    };
    Ok(AllReadings {
        values,
        doubts: doubts.into_iter().map(|doubt| (doubt.question_id, doubt.field)).collect(),
    })
}

/// Splits proposals into those that preserve all readings and those that do not.
fn proven(
    specs: &Specs,
    bundle: &Bundle,
    store: Option<&Store>,
    before: &AllReadings,
    proposals: Vec<Vec<Proposal>>,
) -> Result<(Vec<Proposal>, Vec<Proposal>)> {
    let all: Vec<Proposal> = proposals.iter().flatten().cloned().collect();
    if all.is_empty() || holds(specs, bundle, store, before, &all)? {
        return Ok((all, Vec::new()));
    }
    // test spec by spec; if a spec fails, test its proposals one by one, on top of those proven
    // before
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for own in proposals {
        let had = good.len();
        good.extend(own.clone());
        if holds(specs, bundle, store, before, &good)? {
            continue;
        }
        good.truncate(had);
        for proposal in own {
            good.push(proposal);
            if !holds(specs, bundle, store, before, &good)? {
                bad.extend(good.pop());
            }
        }
    }
    Ok((good, bad))
}

fn holds(
    specs: &Specs,
    bundle: &Bundle,
    store: Option<&Store>,
    before: &AllReadings,
    proposals: &[Proposal],
) -> Result<bool> {
    let after = all_readings(&changed(specs, proposals)?, bundle, store)?;
    Ok(before.is_preserved_in(&after))
}

/// The specs with the proposals applied.
fn changed(specs: &Specs, proposals: &[Proposal]) -> Result<Specs> {
    let mut changed = specs.clone();
    for spec in specs.iter() {
        let own = proposals.iter().filter(|proposal| proposal.extractor == spec.name);
        let edits: Vec<Edit> = own.flat_map(|proposal| proposal.edits.clone()).collect();
        if !edits.is_empty() {
            let (path, text) = spec.file();
            changed = changed.with(parse(path, &edited(text, &edits)?)?);
        }
    }
    Ok(changed)
}

/// Adds chosen unproven proposals to those to accept.
///
/// # Errors
/// A proposal would change another reading.
pub fn choose_unproven(
    mended: &mut Mended,
    bundle: &Bundle,
    specs: &Specs,
    store: Option<&Store>,
    ids: &BTreeSet<String>,
) -> Result<()> {
    let (chosen, rest) =
        std::mem::take(&mut mended.unproven).into_iter().partition(|one| ids.contains(&one.id));
    mended.unproven = rest;
    let chosen: Vec<Proposal> = chosen;
    if chosen.is_empty() {
        return Ok(());
    }
    let accepted: Vec<Proposal> =
        mended.unique.iter().filter(|one| ids.contains(&one.id)).chain(&chosen).cloned().collect();
    let before = all_readings(specs, bundle, store)?;
    if !holds(specs, bundle, store, &before, &accepted)? {
        let ids: Vec<&str> = chosen.iter().map(|one| one.id.as_str()).collect();
        let what = format!("--accept {}: another value would read differently", ids.join(","));
        return Err(Error::Usage(what));
    }
    mended.unique.extend(chosen);
    Ok(())
}

/// The picture crop around each proposal's value, by proposal id.
///
/// # Errors
/// The specs cannot be compiled with the proposals.
pub fn crops(mended: &Mended, bundle: &Bundle, specs: &Specs) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut crops = BTreeMap::new();
    for spec in specs.iter() {
        let of_spec = || mended.unique.iter().filter(|one| one.extractor == spec.name);
        let edits: Vec<Edit> = of_spec().flat_map(|one| one.edits.clone()).collect();
        if edits.is_empty() {
            continue;
        }
        let (path, text) = spec.file();
        let extractor = Extractor::new(parse(path, &edited(text, &edits)?)?)?;
        let crop = |one: &Proposal| {
            one.reads.iter().filter(|read| !read.displayed.is_empty()).find_map(|read| {
                let page = bundle.pages.iter().find(|page| page.page.name == read.page)?;
                let area = extractor.place_of(&page.capture, &page.url, &read.point, &read.displayed)?;
                cut(page.picture.as_deref()?, area).ok()?
            })
        };
        crops.extend(of_spec().filter_map(|one| Some((one.id.clone(), crop(one)?))));
    }
    Ok(crops)
}

/// A proposal reworded by a person. It must pass the same tests as the original.
///
/// # Errors
/// With it the points no longer match their responses, or another reading changes.
pub fn reworded(
    bundle: &Bundle,
    specs: &Specs,
    store: Option<&Store>,
    proposal: &Proposal,
    wording: &str,
) -> Result<Proposal> {
    let refuse = |why: &str| Error::Usage(format!("\"{wording}\": {why}"));
    let spec = specs.get(&proposal.extractor).ok_or_else(|| refuse("there is no such extractor"))?;
    let mut other = proposal.reworded(wording);
    let pages = pages(bundle, spec);
    other.reads = reads(spec, &pages, &other)?;
    let read: BTreeSet<&str> = other.reads.iter().map(|read| read.point.as_str()).collect();
    if !proposal.reads.iter().all(|before| read.contains(before.point.as_str())) {
        return Err(refuse("the values would not match their responses"));
    }
    let before = all_readings(specs, bundle, store)?;
    if !holds(specs, bundle, store, &before, std::slice::from_ref(&other))? {
        return Err(refuse("another value would read differently"));
    }
    Ok(other)
}

/// Writes accepted proposals. Each changed spec gets the next version and a line of history.
///
/// # Errors
/// A file cannot be written.
pub fn accept(
    mended: &mut Mended,
    specs: &Specs,
    dir: &Path,
    ids: &BTreeSet<String>,
    date: &str,
) -> Result<()> {
    for spec in specs.iter() {
        let of_spec = |one: &&Proposal| one.extractor == spec.name && ids.contains(&one.id);
        let accepted: Vec<&Proposal> = mended.unique.iter().filter(of_spec).collect();
        if accepted.is_empty() {
            continue;
        }
        let edits: Vec<_> = accepted.iter().flat_map(|proposal| proposal.edits.clone()).collect();
        let (path, text) = spec.file();
        let points: BTreeSet<&str> =
            accepted.iter().flat_map(|one| &one.points).map(String::as_str).collect();
        let wordings = accepted.len();
        let past = Past {
            version: spec.version + 1,
            date: date.to_owned(),
            why: format!(
                "the site renamed {}: {}",
                crate::words::count(wordings, "thing"),
                points.into_iter().collect::<Vec<_>>().join(", ")
            ),
            bundle: Some(mended.bundle.display().to_string()),
        };
        let text = released(&edited(text, &edits)?, &past)?;
        Extractor::new(parse(path, &text)?)?;
        std::fs::create_dir_all(dir).map_err(Error::file(dir))?;
        let file = dir.join(format!("{}.toml", spec.name));
        atomic_file::write_atomic(&file, text.as_bytes())?;
        mended.written.push(file);
    }
    // a spec folder replaces the built-in specs, so it must hold all of them
    for spec in specs.iter() {
        let file = dir.join(format!("{}.toml", spec.name));
        if !mended.written.is_empty() && !file.exists() {
            atomic_file::write_atomic(&file, spec.file().1.as_bytes())?;
        }
    }
    Ok(())
}
