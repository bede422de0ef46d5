//! The site to read: the live one, a given address, or a twin started for this run.

use jiff::Timestamp;
use url::Url;

use crate::acquire::graphql::{Api, SchemaCache};
use crate::config::{Config, LIVE, SiteChoice};
use crate::error::{Error, Result};
use crate::truth::Site;

use super::twin::{Options, Twin};

/// A served site.
pub(super) struct Served {
    pub base: Url,
    pub site: Site,
    pub twin: Option<Twin>,
}

/// Finds the site, or starts a twin.
pub(super) async fn serve(config: &Config, twin: &Options) -> Result<Served> {
    let site = Site::of(&config.site);
    let parse = |text: &str| Url::parse(text).map_err(|error| Error::Usage(format!("{text}: {error}")));
    Ok(match &config.site {
        SiteChoice::Live => Served { base: parse(LIVE)?, site, twin: None },
        SiteChoice::At(url) => Served { base: url.clone(), site, twin: None },
        SiteChoice::Twin => {
            let (base, twin) = twin.clone().start(config.rate).await?;
            Served { base: parse(&base)?, site, twin: Some(twin) }
        }
    })
}

/// The cache of live schemas. Not used for a site on this machine, because another replica may soon
/// use the same port.
pub(super) fn schemas(config: &Config) -> SchemaCache {
    if config.site.is_local() { SchemaCache::none() } else { SchemaCache::of_user() }
}

/// Our own requests at the start of a collection: robots.txt, and the schemas not fetched within
/// the last day.
pub(super) fn own_requests(config: &Config) -> u32 {
    let base = match &config.site {
        SiteChoice::Live => Url::parse(LIVE).ok(),
        SiteChoice::At(url) => Some(url.clone()),
        SiteChoice::Twin => None,
    };
    let (cache, now) = (schemas(config), Timestamp::now());
    let unknown = |api: &&Api| base.as_ref().is_none_or(|base| !cache.has(base, **api, now));
    u32::try_from(1 + Api::ALL.iter().filter(unknown).count()).unwrap_or(u32::MAX)
}

impl Served {
    /// Stops the twin, if one was started.
    pub async fn close(self) {
        if let Some(twin) = self.twin {
            twin.shutdown().await;
        }
    }
}
