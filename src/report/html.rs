//! What every HTML report needs: one file without anything from outside, and without scripts but for one of its own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
// the one implementation of SHA-256 that is here
use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;

/// A whole page without scripts. Its policy is a second lock behind the escaping: whatever slipped through could neither run nor load.
pub(super) fn document(title: &str, style: &str, body: &str) -> String {
    whole(title, "", style, body)
}

/// The same with one script: the policy admits this very text by its hash, and no other.
pub(super) fn document_with_script(title: &str, style: &str, body: &str, script: &str) -> String {
    let hash =
        TLS13_AES_128_GCM_SHA256.tls13().map(|suite| suite.common.hash_provider.hash(script.as_bytes()));
    let policy = hash.map(|hash| format!("script-src 'sha256-{}'; ", STANDARD.encode(hash.as_ref())));
    let body = format!("{body}<script>{script}</script>\n");
    whole(title, &policy.unwrap_or_default(), style, &body)
}

/// What says that a page is of this program.
pub(super) const GENERATOR: &str = "<meta name=\"generator\" content=\"atlas-gt\">";

fn whole(title: &str, policy: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; {policy}img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n{GENERATOR}\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// A picture in the page itself.
pub(super) fn picture(what: &str, png: &[u8]) -> String {
    format!("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", escape(what), STANDARD.encode(png))
}

/// Text as HTML shows it and nothing else; control characters, which HTML forbids, become visible.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = special.chars();
        match chars.next() {
            Some('&') => out.push_str("&amp;"),
            Some('<') => out.push_str("&lt;"),
            Some('>') => out.push_str("&gt;"),
            Some('"') => out.push_str("&quot;"),
            Some('\'') => out.push_str("&#39;"),
            _ => out.push('\u{fffd}'),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// What is not written as it is: markup, control characters, and characters that turn the direction of what follows, which could
/// pass one answer off for another.
fn is_special(c: char) -> bool {
    match c {
        '&' | '<' | '>' | '"' | '\'' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control() && c != '\n' && c != '\t',
    }
}
