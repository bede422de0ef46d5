//! `robots.txt` (RFC 9309): the paths that the site closes to programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backon::Retryable;
use url::Url;

use super::rate::Rate;
use crate::error::Result;
use crate::http::{HOPS, Redirects, chain, client};
use atlas_gt_core::retry::{backoff, retry_after};

/// The product token that addresses us in rule groups.
const PRODUCT: &str = "atlas-gt";
/// Maximum number of bytes to read.
const MAX_BYTES: usize = 500 * 1024;
/// Timeout for the file.
const PATIENCE: Duration = Duration::from_secs(20);

/// The paths that a site closes to programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
    /// Why the file could not be read. Nothing may be visited then.
    unread: Option<String>,
    /// The status of a refused request. It forbids no page (RFC 9309, section 2.3.1.3).
    refused: Option<String>,
    /// Requests sent to fetch the file.
    requests: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allows: bool,
    path: String,
}

impl Robots {
    /// Parses a file. The groups that name us apply, otherwise those for everybody.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (mut ours, mut everybodys) = (Vec::new(), Vec::new());
        let mut named = false;
        let (mut for_us, mut for_everybody, mut in_rules) = (false, false, true);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            match key.as_str() {
                "user-agent" => {
                    if std::mem::take(&mut in_rules) {
                        (for_us, for_everybody) = (false, false);
                    }
                    for_us |= names_us(value);
                    for_everybody |= value == "*";
                    named |= for_us;
                }
                "allow" | "disallow" => {
                    in_rules = true;
                    // An empty rule has no effect.
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
        Self { rules: if named { ours } else { everybodys }, ..Self::default() }
    }

    /// Why a path (with its query) must not be visited, if so. The longest matching rule wins; between equally long
    /// ones, `Allow`.
    #[must_use]
    pub fn forbids(&self, path: &str) -> Option<String> {
        if let Some(why) = &self.unread {
            return Some(why.clone());
        }
        let fitting = self.rules.iter().filter(|rule| fits(&rule.path, path));
        let decisive = fitting.max_by_key(|rule| (rule.path.len(), rule.allows))?;
        (!decisive.allows).then(|| {
            format!(
                "the site's robots.txt closes this page to programs (Disallow: {}); \
                ask the site's operators, or use --ignore-robots if they permit it",
                decisive.path
            )
        })
    }

    /// Why the site counts as unreachable or refusing, judging by this file.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.unread.as_deref().or(self.refused.as_deref())
    }

    /// Requests sent to the site to fetch the file, including redirects and retries.
    #[must_use]
    pub const fn requests(&self) -> u32 {
        self.requests
    }

    /// Fetches the file, following redirects. A site without one (status 4xx) forbids nothing. If the file cannot be
    /// fetched, nothing may be visited, as the RFC requires, and [`Robots::forbids`] says why.
    ///
    /// # Errors
    /// No request can be sent at all.
    pub async fn fetch(base: &Url, contact: Option<&str>, rate: &Rate) -> Result<Self> {
        let (hops, asked) = (Arc::new(AtomicU32::new(0)), AtomicU32::new(0));
        let http = client(base, contact, PATIENCE, Redirects::Anywhere(Arc::clone(&hops)))?;
        let at_most = u32::try_from(HOPS).map_or(u32::MAX, |hops| hops + 1);
        let url = format!("{}/robots.txt", base.as_str().trim_end_matches('/'));
        let once = || async {
            let permit =
                rate.reserve(1, at_most).await.map_err(|alone| Unread::lasting(alone.to_string()))?;
            let sent = http.get(&url).send().await;
            let requests = 1 + hops.swap(0, Ordering::Relaxed);
            asked.fetch_add(requests, Ordering::Relaxed);
            permit.asked(requests);
            let mut response = sent.map_err(|error| {
                let why = chain(&error);
                Unread::passing(format!(
                    "{url} could not be reached ({why}); check the network and the site's address"
                ))
            })?;
            let status = response.status();
            if status.is_server_error() || status.as_u16() == 429 {
                if let Some(wait) = retry_after(response.headers()) {
                    rate.pause(wait);
                }
                let status = status.as_u16();
                return Err(Unread::passing(format!(
                    "{url} answered with HTTP status {status}, so nothing may be visited; try again later"
                )));
            }
            if status.is_redirection() {
                return Err(Unread::lasting(format!(
                    "{url} redirects too often, so nothing may be visited; name the site's own address"
                )));
            }
            if !status.is_success() {
                let is_refused = matches!(status.as_u16(), 401 | 403 | 407 | 451);
                let refused =
                    is_refused.then(|| format!("{url} was refused with HTTP status {}", status.as_u16()));
                return Ok(Self { refused, ..Self::default() });
            }
            let mut body = Vec::new();
            // An incomplete file may lack a decisive rule.
            let cut = |error| Unread::passing(format!("{url} arrived incomplete ({})", chain(&error)));
            while let Some(chunk) = response.chunk().await.map_err(cut)? {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_BYTES {
                    break;
                }
            }
            Ok(Self::parse(&String::from_utf8_lossy(&body)))
        };
        let waits = backoff(Duration::from_millis(300), PATIENCE, 3);
        let read = once.retry(waits).when(|unread: &Unread| unread.may_pass).await;
        let read = read.unwrap_or_else(|unread| Self { unread: Some(unread.why), ..Self::default() });
        Ok(Self { requests: asked.into_inner(), ..read })
    }
}

/// Why the file was not read, and whether a retry may help.
struct Unread {
    may_pass: bool,
    why: String,
}

impl Unread {
    const fn passing(why: String) -> Self {
        Self { may_pass: true, why }
    }

    const fn lasting(why: String) -> Self {
        Self { may_pass: false, why }
    }
}

/// Whether a group names our product, with any version or comment (RFC 9309, section 2.2.1).
fn names_us(value: &str) -> bool {
    let end =
        value.find(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'))).unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(PRODUCT)
}

/// Whether a rule's path matches: as a prefix, with `*` for anything and `$` for the end.
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
    fn a_group_names_our_product_in_any_version() {
        for (name, ours) in [
            ("atlas-gt", true),
            ("atlas-gt/1.0", true),
            ("ATLAS-GT/2 (+x)", true),
            ("atlas-gt *", true),
            ("atlas-gt-next", false),
            ("atlas", false),
            ("my-atlas-gt/1.0", false),
            ("", false),
        ] {
            let robots =
                Robots::parse(&format!("User-agent: {name}\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n"));
            assert_eq!(
                (robots.forbids("/a").is_some(), robots.forbids("/b").is_some()),
                (ours, !ours),
                "{name}"
            );
        }
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

    /// A site whose file comes as it is given, once; what it is asked for afterwards is answered with 404.
    async fn served(answers: &[&str]) -> (Url, tokio::task::JoinHandle<()>) {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let mut answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        answers.reverse();
        let server = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.read(&mut [0; 4096]).await;
                let none = || "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned();
                let answer = answers.pop().unwrap_or_else(none);
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        (base, server)
    }

    async fn fetched(answers: &[&str]) -> (Robots, Rate) {
        let (base, server) = served(answers).await;
        let rate = Rate::new(120);
        let robots = Robots::fetch(&base, None, &rate).await.unwrap();
        server.abort();
        (robots, rate)
    }

    #[tokio::test]
    async fn a_file_counts_as_it_comes_and_only_when_it_is_whole() {
        const CLOSED: &str = "\u{feff}User-agent: *\nDisallow: /\n";
        let whole = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{CLOSED}", CLOSED.len());
        let (robots, _) = fetched(&[&whole]).await;
        assert!(robots.forbids("/a").unwrap().contains("Disallow: /"), "behind a mark of the byte order");
        let cut = "HTTP/1.1 200 OK\r\ncontent-length: 90\r\nconnection: close\r\n\r\nUser-agent: *\n";
        let (robots, _) = fetched(&[cut, cut, cut]).await;
        assert!(robots.forbids("/a").unwrap().contains("arrived incomplete"), "{robots:?}");
        let (robots, rate) = fetched(&[cut, &whole]).await;
        assert!(robots.forbids("/a").unwrap().contains("Disallow: /"), "asked again: {robots:?}");
        assert_eq!((robots.requests(), rate.requests()), (2, 2));
        let here =
            "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        let (robots, rate) = fetched(&[here, here, &whole]).await;
        assert!(robots.forbids("/a").unwrap().contains("Disallow: /"), "behind two redirects: {robots:?}");
        assert_eq!((robots.requests(), rate.requests()), (3, 3), "each of them is a request of the site");
        let (elsewhere, server) = served(&[&whole]).await;
        let there = format!("HTTP/1.1 302 Found\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\n\r\n")
            .replace("127.0.0.1", "localhost");
        let (robots, _) = fetched(&[&there]).await;
        server.abort();
        assert!(robots.forbids("/a").unwrap().contains("Disallow: /"), "on another host: {robots:?}");
        assert_eq!(fetched(&[]).await.0, Robots { requests: 1, ..Robots::default() }, "there is none");
    }

    #[tokio::test]
    async fn a_pause_that_the_file_is_refused_with_is_kept() {
        let busy = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 900\r\ncontent-length: 0\r\n\r\n";
        let (robots, rate) = fetched(&[busy]).await;
        assert!(robots.forbids("/a").unwrap().contains("a pause of another"), "not asked again: {robots:?}");
        assert!(rate.one().await.is_err(), "nothing else is asked either");
    }
}
