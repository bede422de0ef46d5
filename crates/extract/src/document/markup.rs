//! Parses markup into elements and texts. Snapshot markup is parsed strictly in one pass. Other
//! markup (edited by hand, or from a test) is parsed like in a browser.

use std::borrow::Cow;

use scraper::{Html, Node as Parsed};

/// Index of a node in its [`Markup`].
pub(super) type NodeId = usize;

/// No node.
const NONE: NodeId = NodeId::MAX;

/// The elements and texts of a page, or of a part of one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Markup<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Node<'a> {
    kind: Kind<'a>,
    /// The first and last child.
    children: (NodeId, NodeId),
    /// The next sibling.
    next: NodeId,
}

/// The type of a node.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// An element: its name, and the range of its attributes.
    Element(Cow<'a, str>, (usize, usize)),
    /// A text.
    Text(Cow<'a, str>),
}

impl<'a> Markup<'a> {
    /// The root, an element without name.
    pub const ROOT: NodeId = 0;

    /// Parses markup.
    pub fn read(markup: &'a str) -> Self {
        Self::strict(markup).unwrap_or_else(|| Self::lenient(markup))
    }

    /// The type of a node.
    pub fn kind(&self, node: NodeId) -> &Kind<'a> {
        &self.nodes[node].kind
    }

    /// The name of an element; empty for a text.
    pub fn name(&self, node: NodeId) -> &str {
        match &self.nodes[node].kind {
            Kind::Element(name, _) => name,
            Kind::Text(_) => "",
        }
    }

    /// An attribute of an element, if the parser keeps it.
    pub fn attribute(&self, node: NodeId, name: &str) -> Option<&str> {
        let Kind::Element(_, (start, end)) = self.nodes[node].kind else { return None };
        self.attributes[start..end].iter().find(|(own, _)| own == name).map(|(_, value)| value.as_ref())
    }

    /// The children of a node.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.nodes[node].children.0;
        std::iter::from_fn(move || {
            let child = (next != NONE).then_some(next)?;
            next = self.nodes[child].next;
            Some(child)
        })
    }

    /// A node and its descendants, in reading order.
    pub(crate) fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut left = vec![node];
        std::iter::from_fn(move || {
            let node = left.pop()?;
            let at = left.len();
            left.extend(self.children(node));
            left[at..].reverse();
            Some(node)
        })
    }

    /// All texts below a node.
    pub fn text(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.descendants(node).filter_map(|node| match &self.nodes[node].kind {
            Kind::Text(text) => Some(text.as_ref()),
            Kind::Element(..) => None,
        })
    }

    fn with_root() -> Self {
        let mut markup = Self::default();
        markup.nodes.push(Node {
            kind: Kind::Element(Cow::Borrowed(""), (0, 0)),
            children: (NONE, NONE),
            next: NONE,
        });
        markup
    }

    fn add(&mut self, parent: NodeId, kind: Kind<'a>) -> NodeId {
        let node = self.nodes.len();
        self.nodes.push(Node { kind, children: (NONE, NONE), next: NONE });
        let (first, last) = self.nodes[parent].children;
        if last == NONE {
            self.nodes[parent].children = (node, node);
        } else {
            self.nodes[last].next = node;
            self.nodes[parent].children = (first, node);
        }
        node
    }

    /// Parses markup with closed elements, quoted attributes and escaped `&`, as in snapshots; none
    /// for other markup.
    pub(super) fn strict(text: &'a str) -> Option<Self> {
        let mut markup = Self::with_root();
        let mut open: Vec<(NodeId, &str)> = vec![(Self::ROOT, "")];
        let mut at = match text.get(..15) {
            Some(start) if start.eq_ignore_ascii_case("<!doctype html>") => 15,
            _ => 0,
        };
        while at < text.len() {
            let &(parent, tag) = open.last()?;
            let rest = &text[at..];
            if let Some(close) = rest.strip_prefix("</") {
                let name = close.strip_prefix(tag)?;
                if tag.is_empty() || !name.starts_with('>') {
                    return None;
                }
                open.pop();
                at += 3 + tag.len();
            } else if let Some(start) = rest.strip_prefix('<') {
                let end = start.find([' ', '>'])?;
                let name = start.get(..end).filter(|name| {
                    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['/', '"', '<'])
                })?;
                at += 1 + end;
                let from = markup.attributes.len();
                at = markup.strict_attributes(text, at)?;
                let to = markup.attributes.len();
                let node = markup.add(parent, Kind::Element(Cow::Borrowed(name), (from, to)));
                if !is_void(name) {
                    open.push((node, name));
                }
            } else {
                let end = rest.find('<').unwrap_or(rest.len());
                markup.add(parent, Kind::Text(unescape(&rest[..end])?));
                at += end;
            }
        }
        (open.len() == 1).then_some(markup)
    }

    /// Parses ` name="value"` pairs up to `>`. Returns the position after it.
    fn strict_attributes(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        loop {
            let rest = &text[at..];
            if rest.starts_with('>') {
                return Some(at + 1);
            }
            let rest = rest.strip_prefix(' ')?;
            let (name, after) = rest.split_once("=\"").filter(|(name, _)| {
                !name.is_empty() && !name.contains([' ', '"', '\'', '<', '>', '/', '='])
            })?;
            let length = after.find('"')?;
            if is_heeded(name) {
                self.attributes.push((Cow::Borrowed(name), unescape(&after[..length])?));
            }
            at += 1 + name.len() + 2 + length + 1;
        }
    }

    /// Parses any markup like a browser.
    pub(super) fn lenient(text: &str) -> Self {
        let document = Html::parse_document(text);
        let mut markup = Self::with_root();
        let mut left = vec![(document.tree.root(), Self::ROOT)];
        while let Some((from, to)) = left.pop() {
            for child in from.children() {
                match child.value() {
                    Parsed::Text(text) => {
                        markup.add(to, Kind::Text(Cow::Owned(text.to_string())));
                    }
                    Parsed::Element(element) => {
                        let start = markup.attributes.len();
                        let heeded = element.attrs().filter(|(name, _)| is_heeded(name));
                        markup.attributes.extend(
                            heeded.map(|(name, value)| (Cow::Owned(name.into()), Cow::Owned(value.into()))),
                        );
                        let kind = Kind::Element(
                            Cow::Owned(element.name().to_owned()),
                            (start, markup.attributes.len()),
                        );
                        let node = markup.add(to, kind);
                        left.push((child, node));
                    }
                    // the contents of a template
                    Parsed::Fragment => left.push((child, to)),
                    _ => {}
                }
            }
        }
        markup
    }
}

/// Whether the parser keeps an attribute.
fn is_heeded(name: &str) -> bool {
    name.starts_with("data-agt-") || matches!(name, "role" | "d" | "points" | "x1" | "y1" | "x2" | "y2")
}

/// Elements without an end tag.
fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// A text without escapes; none if it has an escape that snapshots do not use.
fn unescape(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(Cow::Borrowed(text));
    }
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split('&');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "nbsp" => '\u{a0}',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements and texts as they nest, to compare one way of reading with the other.
    fn outline(markup: &Markup<'_>, node: NodeId) -> String {
        match markup.kind(node) {
            Kind::Text(text) => text.to_string(),
            Kind::Element(name, (start, end)) => {
                let mut attributes: Vec<String> = markup.attributes[*start..*end]
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                attributes.sort();
                let inside: String = markup.children(node).map(|child| outline(markup, child)).collect();
                format!("{name}{attributes:?}({inside})")
            }
        }
    }

    #[test]
    fn what_the_snapshot_writes_reads_the_same_both_ways() {
        let text = "<!DOCTYPE html><html lang=\"en\"><head><meta name=\"x\"><title>a &amp; b</title>\
            <template data-agt-looks=\"\"><span class=\"c\" data-agt-mark=\"{&quot;w&quot;:1}\"></span>\
            <svg data-agt-mark=\"{}\"><path d=\"M0 0\"></path></svg></template></head>\
            <body><p role=\"tab\" data-agt-box=\"1,2,3,4\">USD&lt; \u{a0}<br>x</p>\
            <i data-agt-marks=\"0 0 1\"></i><table><tbody><tr><td data-agt-value=\"a&nbsp;b\">1</td></tr></tbody></table></body></html>";
        let (strict, lenient) = (Markup::strict(text).unwrap(), Markup::lenient(text));
        assert_eq!(outline(&strict, Markup::ROOT), outline(&lenient, Markup::ROOT));
        assert!(outline(&strict, Markup::ROOT).contains("USD< \u{a0}"));
        assert_eq!(strict.text(Markup::ROOT).collect::<String>(), "a & bUSD< \u{a0}x1");
    }

    #[test]
    fn any_other_markup_is_left_to_the_lenient_way() {
        for text in [
            "<p>open",
            "<p a=1></p>",
            "<p a='1'></p>",
            "<b><i></b></i>",
            "a & b",
            "&euro;",
            "<!-- x --><p></p>",
            "</p>",
        ] {
            assert_eq!(Markup::strict(text), None, "{text}");
        }
        let text = |markup: &str| {
            let markup = Markup::read(markup);
            markup.text(Markup::ROOT).collect::<String>()
        };
        assert_eq!(text("<p a=1>1<p>&euro;"), "1€");
    }
}
