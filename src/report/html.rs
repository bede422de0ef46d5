//! What every HTML report needs: one file without scripts and without anything from outside.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A whole page. Its policy is a second lock behind the escaping: whatever slipped through could neither run nor load.
pub(super) fn document(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n\
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
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // characters that turn the direction of what follows could pass one answer off for another
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
