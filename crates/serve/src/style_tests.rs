//! Colours of the pages, in both schemes, against what WCAG 2 asks of text (AA: 4.5 to 1).

use std::collections::BTreeMap;

use crate::templates::STYLE;

/// The colours that the n-th `:root` names.
fn palette(at: usize) -> BTreeMap<&'static str, &'static str> {
    let rules = STYLE.split(":root{").nth(at).unwrap().split('}').next().unwrap();
    let pairs = rules.split(';').filter_map(|rule| rule.strip_prefix("--")?.split_once(':'));
    pairs.filter(|(_, value)| value.starts_with('#')).collect()
}

fn luminance(colour: &str) -> f64 {
    let digits = colour.trim_start_matches('#');
    let width = digits.len() / 3;
    let channel = |at: usize| {
        let text = digits[at * width..(at + 1) * width].repeat(3 - width);
        let part = f64::from(u8::from_str_radix(&text[..2], 16).unwrap()) / 255.0;
        if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
}

#[test]
fn text_is_legible_on_every_ground_in_both_schemes() {
    for scheme in [1, 2] {
        let colours = palette(scheme);
        for text in ["ink", "soft", "link", "good", "bad", "warning"] {
            for ground in ["page", "panel", "note"] {
                let (one, other) = (luminance(colours[text]), luminance(colours[ground]));
                let ratio = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                assert!(ratio >= 4.5, "scheme {scheme}: {text} on {ground} is {ratio:.2}");
            }
        }
        // the entry of the menu that is open, and how much waits there
        for text in ["ink", "warning"] {
            let (one, other) = (luminance(colours[text]), luminance(colours["track"]));
            assert!(
                (one.max(other) + 0.05) / (one.min(other) + 0.05) >= 4.5,
                "scheme {scheme}: {text} on track"
            );
        }
        for badge in ["good", "bad", "warning", "muted"] {
            let (one, other) = (luminance(colours[badge]), luminance(colours["panel"]));
            assert!(
                (one.max(other) + 0.05) / (one.min(other) + 0.05) >= 4.5,
                "scheme {scheme}: badge {badge}"
            );
        }
    }
}
