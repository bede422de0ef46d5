//! Files the readings of a refresh as pending changes beside their records.

use super::judge::judged;
use super::report::{Expiry, Refreshed, UnreadQuestion};
use crate::acquire::graphql::{Api, ApiQuestion, Client};
use crate::error::Result;
use crate::truth::{Provenance, Record, WriteOutcome};
use crate::workflow::filing::write;
use crate::workflow::job::Job;

/// Files a reading and reports its changes.
pub(super) fn file_one(
    job: &Job,
    page: &str,
    record: Record,
    provenance: Provenance,
    report: &mut Refreshed,
) -> Result<()> {
    let id = record.question_id.clone();
    let stored = job.store.load(&id)?;
    let (outcome, dropped) = write(&job.store, &record, &provenance, job.clock.now())?;
    let dropped = dropped.map(|why| Expiry { question_id: id.to_string(), why: why.to_owned() });
    report.expired.extend(dropped);
    match outcome {
        WriteOutcome::Pending { changes, suspect } => {
            let old = stored.as_ref().and_then(|stored| stored.provenance.as_ref());
            report.changes.extend(judged(id.as_str(), page, &changes, old, Some(&provenance), suspect));
        }
        WriteOutcome::Unchanged | WriteOutcome::Strengthened => report.unchanged += 1,
        WriteOutcome::Refused(cause) => report.failed.push(UnreadQuestion {
            question_id: id.to_string(),
            page: page.to_owned(),
            cause,
            of_the_site: false,
        }),
        // a record deleted meanwhile, or an import: neither happens in a refresh
        WriteOutcome::Written | WriteOutcome::Older(_) => {}
    }
    Ok(())
}

/// Sets the data release in the provenance.
pub(super) fn of_release(mut provenance: Provenance, vintage: Option<&str>) -> Provenance {
    let inputs = provenance.derivation.iter_mut().flat_map(|derivation| &mut derivation.inputs);
    for point in provenance.points.iter_mut().chain(inputs.map(|input| &mut input.point)) {
        point.site_vintage = vintage.map(str::to_owned);
    }
    provenance
}

/// The release of the site's data, if the API names it.
pub(super) async fn site_vintage(client: Option<&Client>) -> Option<String> {
    // a client sends each query only once per run
    let answer = client?.anew().answer(Api::Explore, "Metadata", &ApiQuestion::default()).await;
    let (date, why) = match answer {
        Ok(answer) => match answer.field::<String>("ingestionDate") {
            Ok(date) => (date, answer.errors.join("; ")),
            Err(error) => (None, error.to_string()),
        },
        Err(error) => (None, error.to_string()),
    };
    if date.is_none() {
        let why = if why.is_empty() { "the API names none" } else { &why };
        tracing::info!("the release of the site's data is unknown: {why}");
    }
    date
}
