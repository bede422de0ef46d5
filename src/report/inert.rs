//! Text that cannot act: control characters and marks of writing direction are replaced.

/// Replaces control characters and characters that change the text direction by a visible one. They
/// could steer a terminal, or disguise one answer as another.
pub(super) fn inert(text: &str) -> String {
    let is_unsafe = |c: char| match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    if text.contains(is_unsafe) { text.replace(is_unsafe, "\u{fffd}") } else { text.to_owned() }
}
