//! Closes the line that holds the value: what it names instead of what was asked for.

use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::Kind;

/// Why the line of the value may be about something else.
pub(crate) fn doubt(asked: &Asked<'_>, line: &Line) -> Option<String> {
    if asked.number().is_none() || asked.rows > 1 || line.passage.cell {
        return None;
    }
    named_instead(asked, line).or_else(|| unnamed_partner(asked, line))
}

/// Trade with unnamed partners, if the question names one: `sales to all its customers`.
fn unnamed_partner(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let partner = asked.partner?;
    let tokens = || line.heads.iter().flat_map(|head| &head.tokens).chain(&line.sentence.tokens);
    let names_partner = tokens().any(|token| token.kind == Kind::Country(partner));
    let party = line.sentence.tokens.iter().find(|token| token.holds("party"))?;
    (!names_partner).then(|| format!("it is about \"{}\"", party.folded))
}

/// What a line names instead of what was asked for: `It was Germany's imports that fell by 2.3 %`, `Looking only at services, the
/// balance is $185B`. A line that names both contrasts or compares them.
fn named_instead(asked: &Asked<'_>, line: &Line) -> Option<String> {
    const KINDS: [&str; 6] = ["flow", "scope", "basis", "group", "classification", "metric"];
    let tokens = &line.sentence.tokens;
    let numbers = tokens.iter().filter(|token| token.number().is_some()).count();
    if numbers != 1 {
        return None;
    }
    // `China bought Brazilian goods`: the partner's imports are the exports asked for
    let is_mirrored =
        asked.partner.is_some_and(|id| tokens.iter().any(|token| token.kind == Kind::Country(id)));
    let is_set_off = |at: usize| line.contrasts.iter().any(|range| range.contains(&at));
    let kept = || tokens.iter().enumerate().filter(|(at, _)| !is_set_off(*at)).map(|(_, token)| token);
    let instead = |kind: &str| {
        let tags = || kept().flat_map(|token| token.tags.iter().map(move |tag| (token, tag)));
        let (own, other): (Vec<_>, Vec<_>) =
            tags().filter(|(_, tag)| tag.0 == kind).partition(|(_, tag)| asked.allows(**tag));
        other.first().filter(|_| own.is_empty()).map(|(token, _)| token.folded.clone())
    };
    let word = KINDS.into_iter().filter(|kind| *kind != "flow" || !is_mirrored).find_map(instead)?;
    Some(format!("it is about \"{word}\""))
}
