//! `robots.txt` (RFC 9309): which paths the site asks programs to leave alone.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use url::Url;

use super::Rate;
use super::http::{chain, client};
use crate::error::Result;

/// The name that groups of rules may address us by.
const NAME: &str = "atlas-gt";
/// As much of the file as is read.
const MOST: usize = 500 * 1024;
/// Longest time for the file to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a site asks programs to leave alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
    /// Why the file could not be read, so that nothing may be visited.
    unread: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allows: bool,
    path: String,
}

impl Robots {
    /// The rules of a file: those of the groups that name us, else those for everybody.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (mut ours, mut everybodys) = (Vec::new(), Vec::new());
        let mut named = false;
        let (mut for_us, mut for_everybody, mut in_rules) = (false, false, true);
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" => {
                    if std::mem::take(&mut in_rules) {
                        (for_us, for_everybody) = (false, false);
                    }
                    for_us |= value.eq_ignore_ascii_case(NAME);
                    for_everybody |= value == "*";
                    named |= for_us;
                }
                "allow" | "disallow" => {
                    in_rules = true;
                    // an empty rule says nothing
                    if value.is_empty() {
                        continue;
                    }
                    let rule = Rule { allows: key == "allow", path: value.to_owned() };
                    if for_us {
                        ours.push(rule.clone());
                    }
                    if for_everybody {
                        everybodys.push(rule);
                    }
                }
                _ => {}
            }
        }
        Self { rules: if named { ours } else { everybodys }, unread: None }
    }

    /// Why a path (with its query) is to be left alone, if it is. The longest rule that fits wins, `Allow` where
    /// two are equally long.
    #[must_use]
    pub fn forbids(&self, path: &str) -> Option<String> {
        if let Some(why) = &self.unread {
            return Some(why.clone());
        }
        let fitting = self.rules.iter().filter(|rule| fits(&rule.path, path));
        let decisive = fitting.max_by_key(|rule| (rule.path.len(), rule.allows))?;
        (!decisive.allows).then(|| {
            format!(
                "the site's robots.txt asks programs to leave this page alone (Disallow: {}); \
                 ask the site's people, or use --ignore-robots if you have their leave",
                decisive.path
            )
        })
    }

    /// Asks the site for the file. A site without one (status 4xx) forbids nothing; while one cannot be had at
    /// all, nothing may be visited, as the RFC asks, and [`Robots::forbids`] says why.
    ///
    /// # Errors
    /// When no request can be made at all.
    pub async fn fetch(base: &Url, contact: Option<&str>, rate: &Rate) -> Result<Self> {
        let http = client(base, contact, PATIENCE)?;
        let url = format!("{}/robots.txt", base.as_str().trim_end_matches('/'));
        let once = || async {
            rate.one().await;
            let mut response = http.get(&url).send().await.map_err(|error| {
                (
                    true,
                    format!(
                        "{url} could not be reached ({}); check the network and the site's address",
                        chain(&error)
                    ),
                )
            })?;
            let status = response.status();
            if status.is_server_error() || status.as_u16() == 429 {
                return Err((
                    true,
                    format!(
                        "{url} answered with HTTP status {}, so nothing may be visited; try again later",
                        status.as_u16()
                    ),
                ));
            }
            if !status.is_success() {
                return Ok(Self::default());
            }
            let mut body = Vec::new();
            while let Ok(Some(chunk)) = response.chunk().await {
                body.extend_from_slice(&chunk);
                if body.len() > MOST {
                    break;
                }
            }
            Ok(Self::parse(&String::from_utf8_lossy(&body)))
        };
        let waits = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(Duration::from_millis(300))
            .with_max_times(2);
        let read = once.retry(waits).when(|(passes, _): &(bool, String)| *passes).await;
        Ok(read.unwrap_or_else(|(_, why)| Self { rules: Vec::new(), unread: Some(why) }))
    }
}

/// Whether a rule's path fits: it is a beginning, `*` stands for anything, `$` for the end.
fn fits(rule: &str, path: &str) -> bool {
    let (rule, to_the_end) = rule.strip_suffix('$').map_or((rule, false), |rule| (rule, true));
    let mut parts = rule.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_the_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if to_the_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_that_names_us_wins_over_everybodys() {
        let robots = Robots::parse(
            "# a comment\nUser-agent: *\nDisallow: /\n\nUser-agent: other\nUser-Agent: Atlas-GT\nDisallow: /private # x\nAllow:\n",
        );
        assert_eq!(robots.forbids("/countries/404"), None);
        assert!(robots.forbids("/private/1").unwrap().contains("Disallow: /private"));
        let everybody =
            Robots::parse("User-agent: *\nDisallow: /countries/\nAllow: /countries/404\nSitemap: /x");
        assert_eq!(everybody.forbids("/countries/404"), None);
        assert!(everybody.forbids("/countries/76").is_some());
        assert_eq!(Robots::parse("").forbids("/"), None);
        assert_eq!(Robots::parse("Disallow: /").forbids("/"), None, "a rule without a group is none");
        assert_eq!(Robots::parse("User-agent: *\nDisallow:\n").forbids("/"), None);
    }

    #[test]
    fn stars_and_ends_fit_as_the_rfc_says() {
        for (rule, path, fit) in [
            ("/a", "/ab", true),
            ("/a$", "/ab", false),
            ("/a$", "/a", true),
            ("/*.php", "/x/y.php?q", true),
            ("/*.php$", "/x/y.php?q", false),
            ("/*.php$", "/x.php/y.php", true),
            ("/explore/*/table", "/explore/treemap/table", true),
            ("/explore/*/table", "/explore/table", false),
            ("*", "/", true),
        ] {
            assert_eq!(fits(rule, path), fit, "{rule} {path}");
        }
    }

    #[tokio::test]
    async fn a_site_that_cannot_be_asked_may_not_be_visited() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let base = format!("http://{free}/").parse().unwrap();
        let robots = Robots::fetch(&base, None, &Rate::new(120)).await.unwrap();
        assert!(robots.forbids("/").unwrap().contains("could not be reached"), "{robots:?}");
    }
}
