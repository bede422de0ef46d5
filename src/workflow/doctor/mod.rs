//! Doctor: checks everything that a collection needs and explains how to fix what is wrong. It
//! writes nothing and requests one page and one small query per API from the site.

mod finding;
mod site;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

pub use self::finding::{DoctorContext, DoctorFinding, Health};
use super::job::extractors;
use crate::config::{Config, Setting};
use crate::error::Exit;
use crate::manifest::{Severity, visits};
use crate::truth::{Site, Store};
use crate::words::count;
use atlas_gt_core::command_line::{command, file_flag};

/// Font folders on Linux: of the system, and below the home folder.
const FONT_FOLDERS: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];
const OWN_FONT_FOLDERS: [&str; 2] = [".fonts", ".local/share/fonts"];

/// The results of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DoctorReport {
    /// The site: `live`, `twin` or its address.
    pub site: String,
    /// The results, in the order of a run.
    pub findings: Vec<DoctorFinding>,
    /// The settings and their origins.
    pub settings: Vec<Setting>,
    /// The exit code.
    pub exit_code: u8,
}

impl DoctorReport {
    /// The exit code of the worst failure (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::worst_of(self.findings.iter().map(|finding| finding.exit))
    }

    /// The number of findings with this health.
    #[must_use]
    pub fn count(&self, health: Health) -> usize {
        self.findings.iter().filter(|finding| finding.health == health).count()
    }
}

/// Runs all checks.
pub async fn examine(context: &DoctorContext<'_>) -> DoctorReport {
    let mut findings = Vec::new();
    specs_and_manifest(context, &mut findings);
    findings.push(store(&context.config.store, context.site, context.config.site.address()));
    findings.push(fonts(&font_folders()));
    let rate = Arc::clone(&context.rate);
    let (browser, apis) = tokio::join!(site::browser(context, &rate), site::apis(context, &rate));
    findings.extend(browser);
    findings.extend(apis);
    let mut report = DoctorReport {
        site: context.config.site.to_string(),
        findings,
        settings: Vec::new(),
        exit_code: Exit::Ok as u8,
    };
    report.exit_code = report.exit() as u8;
    report
}

/// Checks the extractor specs and the manifest.
fn specs_and_manifest(context: &DoctorContext<'_>, findings: &mut Vec<DoctorFinding>) {
    let read = extractors(context.config);
    let extractors = match read {
        Ok(extractors) => {
            let versions: Vec<String> = extractors.iter().map(|extractor| extractor.label()).collect();
            let from = context
                .config
                .extractors
                .as_ref()
                .map_or_else(|| "built in".to_owned(), |folder| folder.display().to_string());
            findings.push(DoctorFinding::ok("extractors", format!("{} ({from})", versions.join(", "))));
            extractors
        }
        Err(error) => {
            let check = manifest_check(context.config);
            let mend = format!("fix what `{check}` shows, or omit --extractors to use the built-in specs");
            findings.push(DoctorFinding::failed("extractors", error.to_string(), mend, Exit::Usage));
            findings.push(DoctorFinding::skipped("manifest", "not read without extractors"));
            return;
        }
    };
    let check = manifest_check(context.config);
    findings.push(match (context.manifest)(&extractors) {
        Ok(manifest) => {
            let found = format!(
                "{}: {} on {}",
                manifest.path.display(),
                count(manifest.entries.len(), "question"),
                count(visits(&manifest.entries).len(), "page")
            );
            if manifest.warnings.is_empty() {
                DoctorFinding::ok("manifest", found)
            } else {
                let found = format!("{found}, {}", count(manifest.warnings.len(), "warning"));
                DoctorFinding::warning("manifest", found, format!("`{check}` shows them"))
            }
        }
        Err(found) => {
            let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            let found = format!("{}, the first: {first}", count(errors.len(), "error"));
            DoctorFinding::failed(
                "manifest",
                found,
                format!("`{check}` shows all with their place"),
                Exit::Usage,
            )
        }
    });
}

/// The command that shows what is wrong with the manifest.
fn manifest_check(config: &Config) -> String {
    let manifest = file_flag("manifest", config.manifest.as_deref());
    command("manifest check", &(manifest + &file_flag("extractors", config.extractors.as_deref())))
}

/// Checks that the store is writable and belongs to the site.
fn store(dir: &Path, site: Site, address: Option<String>) -> DoctorFinding {
    const CHECK: &str = "store";
    let elsewhere = "choose another folder with --store DIR (ATLAS_GT_STORE, `store` in atlas-gt.toml)";
    let failed = |found: String, exit| {
        DoctorFinding::failed(CHECK, found, format!("fix its permissions, or {elsewhere}"), exit)
    };
    let there = dir.ancestors().find(|path| path.exists()).filter(|path| !path.as_os_str().is_empty());
    let there = there.unwrap_or(Path::new("."));
    if !there.is_dir() {
        return failed(format!("{} is not a folder", there.display()), Exit::Unexpected);
    }
    // an unnamed file disappears by itself
    if let Err(error) = tempfile::tempfile_in(there) {
        return failed(format!("{} cannot be written: {error}", there.display()), Exit::Unexpected);
    }
    let read = |store: Store| store.question_ids().map(|ids| (store, ids.len()));
    let (held, records) = match Store::find(dir).and_then(|found| found.map(read).transpose()) {
        Ok(Some(read)) => read,
        Ok(None) => {
            let whose = address.map_or_else(|| format!("the {site} site"), |at| format!("the site at {at}"));
            return DoctorFinding::ok(CHECK, format!("{} will be created for {whose}", dir.display()));
        }
        Err(error) => {
            return DoctorFinding::error(CHECK, &error, elsewhere);
        }
    };
    if let Err(refusal) = held.check(site, address) {
        return DoctorFinding::error(CHECK, &refusal, elsewhere);
    }
    let whose = held.holds();
    if let Ok(lock) = File::open(dir.join(".lock"))
        && matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
    {
        let found = format!("{} is locked by another run", dir.display());
        return DoctorFinding::warning(CHECK, found, "wait until that run has ended");
    }
    let found = format!("{}: {} of {whose}, writable", dir.display(), count(records, "record"));
    if let Err(error) = held.try_all() {
        return failed(error.to_string(), error.exit());
    }
    let quarantined = held.quarantined();
    if quarantined.is_empty() {
        return DoctorFinding::ok(CHECK, found);
    }
    let found = format!(
        "{found}; {} of its files are unreadable or were changed, and are skipped",
        quarantined.len()
    );
    let mend = "restore the named files, or move them away and collect again";
    DoctorFinding { quarantined, ..DoctorFinding::failed(CHECK, found, mend, Exit::Usage) }
}

fn font_folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let own = home.iter().flat_map(|home| OWN_FONT_FOLDERS.map(|folder| home.join(folder)));
    FONT_FOLDERS.iter().map(PathBuf::from).chain(own).collect()
}

/// Without fonts Chromium draws boxes. Texts can still be read, but screenshots and sizes are
/// unreliable.
fn fonts(folders: &[PathBuf]) -> DoctorFinding {
    match folders.iter().find_map(|folder| font_below(folder, 4)) {
        Some(font) => DoctorFinding::ok("fonts", format!("{} and others", font.display())),
        None => DoctorFinding::warning(
            "fonts",
            "no font is installed: pages and screenshots will show boxes",
            "on Debian: apt-get install fonts-liberation",
        ),
    }
}

fn font_below(folder: &Path, depth: usize) -> Option<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_font = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        matches!(extension.to_ascii_lowercase().as_str(), "ttf" | "otf" | "ttc" | "pfb")
    };
    let found = paths.iter().find(|path| is_font(path)).cloned();
    found.or_else(|| {
        let deeper = depth.checked_sub(1)?;
        paths.iter().filter(|path| path.is_dir()).find_map(|path| font_below(path, deeper))
    })
}

#[cfg(test)]
mod tests;
