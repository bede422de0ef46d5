//! What one page visit yields, and the evidence that extraction is replayed from.

use serde::{Deserialize, Serialize};

/// A settled page, brought over in one script call.
///
/// `html` is the page's own markup with annotations that only a browser can know, written by the
/// snapshot script as attributes that start with `data-agt-` (see `acquire/browser/snapshot.js`). Rows and sections
/// that are in the document only while in view stand in it as they were seen, each in its place.
///
/// | attribute | meaning |
/// |---|---|
/// | `data-agt-d` | `i` inline or `b` block, where that is not the tag's default, or of a piece of a figure; `n` not visible |
/// | `data-agt-box` | `x,y,width,height` in CSS pixels of the document, on blocks with text |
/// | `data-agt-font` | computed font size in CSS pixels, on elements that hold text |
/// | `data-agt-mark` | JSON of how a small element without text is painted, and how it is turned with all around it |
/// | `data-agt-looks` | on a `template`: marks that the page repeats, each written once |
/// | `data-agt-marks` | on an `i`: numbers of the marks that stand here, side by side, counted from 0 in the template |
/// | `data-agt-gap` | on an `i`: what stands before and behind it in one line is seen apart, though no space parts it |
/// | `data-agt-chip` | a short text in a box of its own beside another: `note`, a number or sign behind a label; else `chip` |
/// | `data-agt-before`, `data-agt-after` | text that a style sheet adds |
/// | `data-agt-mark-before`, `data-agt-mark-after` | as `data-agt-mark`, of a small drawing that a style sheet adds |
/// | `data-agt-glyph` | JSON of how typed arrows are turned and typed diamonds coloured, with all around them |
/// | `data-agt-glyph-before`, `data-agt-glyph-after` | as `data-agt-glyph`, of text that a style sheet adds |
/// | `data-agt-value` | what a form control shows: the chosen option's text, an input's value, `on` or `off` |
/// | `data-agt-part` | why what is in this element is only a part of what could be scrolled to |
/// | `data-agt-tag` | the element's own tag, where another was written: `p` around blocks, `iframe` |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// The URL asked for.
    pub requested_url: String,
    /// The URL the page ended on.
    pub settled_url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// The document's title.
    pub title: String,
    /// Annotated markup of the settled page.
    pub html: String,
    /// Parts that stay in place while the page scrolls (bars, navigation), as they are at each heading.
    #[serde(rename = "pinned")]
    pub sticky_headers: Vec<StickyHeader>,
    /// Parts that appeared after an interaction (a toggle, a dropdown), by the interaction's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<CapturedState>,
    /// The page's own GraphQL requests and responses, in the order sent.
    pub exchanges: Vec<Exchange>,
    /// Uncaught errors of the page.
    pub errors: Vec<String>,
    /// Notes on the snapshot: what did not settle, dismissed layers, controls that did not work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Requests that reached the site's host, the document's own included.
    #[serde(default)]
    pub requests: u32,
    /// Of those, files (scripts, style sheets, pictures) and not queries.
    #[serde(default)]
    pub files: u32,
    /// Our own requests and responses, for values that the page draws without requesting them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Exchange>,
    /// When the page had settled, RFC 3339.
    pub taken_at: String,
}

impl Capture {
    /// The capture of an address that nobody opened: it holds what our own queries answer.
    #[must_use]
    pub fn of_address(address: String, taken_at: String) -> Self {
        Self {
            requested_url: address.clone(),
            settled_url: address,
            status: 200,
            title: String::new(),
            html: String::new(),
            sticky_headers: Vec::new(),
            states: Vec::new(),
            exchanges: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
            requests: 0,
            files: 0,
            own: Vec::new(),
            taken_at,
        }
    }

    /// Whether another snapshot has the same content, so that it reads the same. The time and the number of requests do not
    /// count.
    #[must_use]
    pub fn shows_the_same(&self, other: &Self) -> bool {
        // destructured, so that a new field must be considered here
        let Self {
            requested_url,
            settled_url,
            status,
            title,
            html,
            sticky_headers,
            states,
            exchanges,
            errors,
            notes,
            own,
            requests: _,
            files: _,
            taken_at: _,
        } = self;
        (requested_url, settled_url, status, title)
            == (&other.requested_url, &other.settled_url, &other.status, &other.title)
            && (html, sticky_headers, states) == (&other.html, &other.sticky_headers, &other.states)
            && (exchanges, errors, notes, own) == (&other.exchanges, &other.errors, &other.notes, &other.own)
    }
}

/// What stayed in place at one scroll position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StickyHeader {
    /// Heading text that was scrolled to.
    pub stop: String,
    /// Annotated markup of the elements that stay.
    pub html: String,
}

/// The page after an interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapturedState {
    /// The interaction's name in the extractor spec.
    pub name: String,
    /// Annotated markup after it.
    pub html: String,
}

/// What the pointer is moved to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointerTarget {
    /// The cell with this visible label. A click keeps the tooltip open.
    Cell(String),
    /// A position over the largest drawing, in hundredths of its width and height from its top left corner.
    Place(u8, u8),
}

/// One GraphQL request, of the page itself or our own, with its response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Where it was sent.
    pub url: String,
    /// The request body as sent.
    pub request: String,
    /// HTTP status; 0 when the request failed.
    pub status: u16,
    /// The response body as received.
    pub response: String,
}
