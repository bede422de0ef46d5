//! A figure that is said from the partner's side.

use super::asked::Asked;
use super::figure::Figure;
use super::said::{Role, Said, Side};
use super::text::Line;
use crate::language::sentence::Kind;
use crate::value::Flow;

/// `The United States ran a deficit with Germany`: a balance said from the partner's side, as of the asked one; its sign turns.
pub(super) fn turned(asked: &Asked<'_>, figure: &Figure) -> Option<Figure> {
    let (own, partner) = (asked.country?, asked.partner?);
    let is_turned = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (with, Role::Partner)] if *subject == partner && *with == own
    );
    (asked.is_balance() && is_turned).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure
    })
}

/// What the partner does as the subject of a sentence: `China bought`, `China's imports`.
pub(super) fn partner_acts(asked: &Asked<'_>, line: &Line) -> Option<Flow> {
    let partner = asked.partner?;
    let tokens = &line.sentence.tokens;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let mut behind = tokens.get(at + 1..)?.iter().skip_while(|next| next.folded == "s");
        let next = behind.next().filter(|_| token.kind == Kind::Country(partner))?;
        match (next.is("flow", "export"), next.is("flow", "import")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    })
}

/// `China bought Brazilian goods worth $93 billion`: what one of the two imports is what the other exports.
pub(super) fn mirrored(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, partner, flow) = (asked.country?, asked.partner?, asked.context.flow?);
    let is_mirrored = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (other, _)] if *subject == partner && *other == own
    );
    let opposes = partner_acts(asked, line).is_some_and(|acts| acts != flow);
    (!asked.is_balance() && is_mirrored && opposes).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure.said.sides.clear();
        figure.said.tags.retain(|(kind, _)| *kind != "flow");
        figure
    })
}

/// The flow that the side of the partner says where no word names one: what goes to it is an export.
pub(super) fn other_flow(asked: &Asked<'_>, said: &Said) -> Option<&'static str> {
    if asked.is_balance() || said.tags.iter().any(|(kind, _)| *kind == "flow") {
        return None;
    }
    let toward = |wanted: Side| {
        said.countries.iter().any(|(id, _)| asked.partner == Some(*id))
            && said.sides.iter().any(|(id, side)| asked.partner == Some(*id) && *side == wanted)
    };
    match asked.context.flow? {
        Flow::Import if toward(Side::To) => Some("export"),
        Flow::Export if toward(Side::From) => Some("import"),
        _ => None,
    }
}
