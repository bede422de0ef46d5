//! The result of a page visit, and the evidence that extraction can be replayed from.

use serde::{Deserialize, Serialize};

/// A settled page, transferred in one script call.
///
/// `html` is the page's own markup. The snapshot script adds what only a browser knows, in attributes that start with
/// `data-agt-` (see `acquire/browser/snapshot.js`). It also includes virtualised rows and sections, each in its place
/// as last seen.
///
/// | attribute | meaning |
/// |---|---|
/// | `data-agt-d` | display: `i` inline or `b` block if not the tag's default, or on a fragment of a figure; `n`
/// invisible |
/// | `data-agt-box` | `x,y,width,height` in CSS pixels of the document, on blocks with text |
/// | `data-agt-font` | computed font size in CSS pixels, on elements that hold text |
/// | `data-agt-mark` | JSON: how a small element without text is painted, and its total rotation |
/// | `data-agt-looks` | on a `template`: marks that the page repeats, each written once |
/// | `data-agt-marks` | on an `i`: indices (from 0, into the template) of the marks here, side by side |
/// | `data-agt-gap` | on an `i`: the text before and after it on the line is visibly separate, without a space |
/// | `data-agt-chip` | a short text in its own box beside another: `note` for a number or sign after a label, otherwise
/// `chip` |
/// | `data-agt-before`, `data-agt-after` | text that a style sheet adds |
/// | `data-agt-mark-before`, `data-agt-mark-after` | like `data-agt-mark`, for a small drawing that a style sheet adds
/// |
/// | `data-agt-glyph` | JSON: total rotation of arrow characters, colour of diamond characters |
/// | `data-agt-glyph-before`, `data-agt-glyph-after` | like `data-agt-glyph`, for text that a style sheet adds |
/// | `data-agt-value` | what a form control shows: the chosen option's text, an input's value, `on` or `off` |
/// | `data-agt-part` | why this element holds only a part of its scrollable content |
/// | `data-agt-tag` | the element's own tag, if it was replaced: `p` around blocks, `iframe` |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// The requested URL.
    pub requested_url: String,
    /// The URL the page settled on.
    pub settled_url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// The document's title.
    pub title: String,
    /// Annotated markup of the settled page.
    pub html: String,
    /// Elements that stay in place while the page scrolls (bars, navigation), as seen at each heading.
    #[serde(rename = "pinned")]
    pub sticky_headers: Vec<StickyHeader>,
    /// The page after each interaction (a toggle, a dropdown), by the interaction's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<CapturedState>,
    /// The page's own GraphQL requests and responses, in the order sent.
    pub exchanges: Vec<Exchange>,
    /// Uncaught errors of the page.
    pub errors: Vec<String>,
    /// Notes on the snapshot: unsettled parts, dismissed overlays, controls that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Requests that reached the site's host, including the document's own.
    #[serde(default)]
    pub requests: u32,
    /// The number of these that are files (scripts, style sheets, images).
    #[serde(default)]
    pub files: u32,
    /// Our own API requests and responses, for values that the page draws without requesting them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Exchange>,
    /// When the page had settled, RFC 3339.
    pub taken_at: String,
}

impl Capture {
    /// The capture of an address that was not opened. It holds only the exchanges of our own queries.
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

    /// Whether another snapshot has the same content. The time and the number of requests do not count.
    #[must_use]
    pub fn shows_the_same(&self, other: &Self) -> bool {
        // Destructured, so that a new field must be considered here.
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

/// The elements that stayed in place at one scroll position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StickyHeader {
    /// The heading that was scrolled to.
    pub stop: String,
    /// Annotated markup of these elements.
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

/// Where the pointer moves to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointerTarget {
    /// The cell with this visible label. A click pins its tooltip.
    Cell(String),
    /// A position on the largest drawing, in per cent of its width and height from its top left corner.
    Place(u8, u8),
}

/// One GraphQL exchange, of the page or our own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The address it was sent to.
    pub url: String,
    /// The request body as sent.
    pub request: String,
    /// HTTP status; 0 when the request failed.
    pub status: u16,
    /// The response body as received.
    pub response: String,
}
