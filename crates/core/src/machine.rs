//! The local machine: the user's cache folder, and which addresses are local.

use std::ffi::OsString;
use std::path::PathBuf;

use url::{Host, Url};

/// The cache folder: `$XDG_CACHE_HOME/atlas-gt`, else `~/.cache/atlas-gt`. It may be deleted at any time. Per the XDG
/// specification, an empty or relative variable counts as unset.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    cache_folder_in(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))
}

fn cache_folder_in(cache: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let root = absolute(cache).or_else(|| absolute(home).map(|home| home.join(".cache")))?;
    Some(root.join("atlas-gt"))
}

/// Whether an address is on this machine: `localhost` and its subdomains, `127.0.0.0/8`, `::1`, and IPv4 loopback
/// written as IPv6.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let folder = |cache: Option<&str>, home: Option<&str>| {
            let folder = cache_folder_in(cache.map(OsString::from), home.map(OsString::from));
            folder.map(|folder| folder.display().to_string())
        };
        let home = Some("/home/a/.cache/atlas-gt".to_owned());
        assert_eq!(folder(Some("/caches"), Some("/home/a")).as_deref(), Some("/caches/atlas-gt"));
        assert_eq!(folder(None, Some("/home/a")), home);
        assert_eq!(folder(Some(""), Some("/home/a")), home, "not a folder below the current one");
        assert_eq!(folder(Some("caches"), Some("/home/a")), home, "a relative one is invalid");
        assert_eq!(folder(Some(""), Some("")), None);
        assert_eq!(folder(None, None), None);
    }

    #[test]
    fn loopback_has_many_spellings() {
        for (host, is) in [
            ("localhost", true),
            ("LocalHost:81", true),
            ("localhost.", true),
            ("atlas.localhost", true),
            ("127.0.0.1:80", true),
            ("127.8.9.10", true),
            ("[::1]:81", true),
            ("[::ffff:127.0.0.1]", true),
            ("10.0.0.1", false),
            ("0.0.0.0", false),
            ("[::ffff:10.0.0.1]", false),
            ("localhost.example.org", false),
            ("127.0.0.1.example.org", false),
            ("notlocalhost", false),
        ] {
            let url = Url::parse(&format!("http://{host}/countries")).unwrap();
            assert_eq!(is_loopback(&url), is, "{host}");
        }
    }
}
