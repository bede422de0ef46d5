//! Converts figures that are stated from the partner's side.

use std::borrow::Cow;

use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Role;
use crate::atlas::CountryId;
use crate::language::token::{Kind, Token};
use crate::value::Flow;

/// Converts a balance stated from the partner's side, whose sign is reversed: `The United States ran a deficit with Germany`.
pub(crate) fn turned(asked: &Asked<'_>, figure: &Figure) -> Option<Figure> {
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

/// The flow of which a country is the subject: `China bought`, `China's imports`, `China itself exports`.
pub(crate) fn acts(country: Option<CountryId>, line: &Line) -> Option<Flow> {
    let country = country?;
    let tokens = &line.sentence.tokens;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let says_nothing = |next: &&Token| next.folded == "s" || next.folded == "itself";
        let mut behind = tokens.get(at + 1..)?.iter().skip_while(says_nothing);
        let next = behind.next().filter(|_| token.kind == Kind::Country(country))?;
        // In `American buyers` the country is not the subject.
        if next.listed("party") {
            return None;
        }
        match (next.is("flow", "export"), next.is("flow", "import")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    })
}

/// Converts the partner's imports to the country's exports and vice versa: `China bought Brazilian goods worth $93 billion`.
pub(crate) fn mirrored(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, partner, flow) = (asked.country?, asked.partner?, asked.context.flow?);
    let is_mirrored = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (other, _)] if *subject == partner && *other == own
    );
    let opposes = acts(asked.partner, line).is_some_and(|acts| acts != flow);
    (!asked.is_balance() && is_mirrored && opposes).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure.said.sides.clear();
        figure.said.tags.retain(|(kind, _)| *kind != "flow");
        figure
    })
}

/// Removes the opposite flow if another country is its subject: `China supplies 23 % of Kenya's imports`.
pub(crate) fn supplied<'a>(asked: &Asked<'_>, figure: &'a Figure, line: &Line) -> Cow<'a, Figure> {
    let Some(flow) = asked.context.flow.or(asked.flow()) else { return Cow::Borrowed(figure) };
    let (own, other) = match flow {
        Flow::Export => ("export", "import"),
        Flow::Import => ("import", "export"),
    };
    let says = |value| figure.said.has("flow", value);
    let tokens = &line.sentence.tokens;
    let mut pairs = tokens.windows(2);
    let acts = pairs.any(|pair| {
        matches!(pair, [who, does]
        if matches!(who.kind, Kind::Country(id) if asked.country != Some(id)) && does.is("flow", other))
    });
    if !(says(own) && says(other) && acts) {
        return Cow::Borrowed(figure);
    }
    let mut figure = figure.clone();
    figure.said.tags.retain(|tag| *tag != ("flow", other));
    Cow::Owned(figure)
}

/// The direction of a balance stated by comparing its sides: `exported $5 billion more than it imported`.
pub(crate) fn exceeds(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<bool> {
    let tokens = &line.sentence.tokens;
    let more = tokens.get(figure.token + 1).filter(|_| asked.is_balance())?;
    let mut flows = tokens.iter().flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "flow");
    let (first, second) = (flows.next()?.1, flows.next()?.1);
    let more = match more.folded.split(' ').next()? {
        "more" => true,
        "less" | "fewer" => false,
        _ => return None,
    };
    (first != second).then(|| (first == "export") == more)
}
