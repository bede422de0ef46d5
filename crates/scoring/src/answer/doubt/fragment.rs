//! Closes what leads up to a bare value: in `On paper, $164B` every word belongs to it.

use crate::answer::context::differs_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::{Class, Kind, Token};

/// Why a word that leads up to a bare value may change it: `On paper, $164B`, `Typically $164B`.
pub(crate) fn doubt(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let passage = &line.passage;
    let tokens = &line.sentence.tokens;
    let is_amount = asked.number().is_some() && asked.one.names.is_empty() && asked.rows == 1;
    if !is_amount || passage.cell || passage.item || passage.keyed {
        return None;
    }
    let start = tokens.iter().rposition(|token| token.number().is_some())?;
    let ends = line.behind(start).iter().all(Token::is_mark);
    let lead = line.until(start);
    let leads = lead.last()?.mark(',') || lead.len() == 1 && lead.first()?.unknown();
    let unit = asked.number().map(|number| number.unit);
    let is_value = |token: &Token| token.number().is_some_and(|number| Some(number.unit) == unit);
    if !(ends && leads) || lead.iter().any(is_value) {
        return None;
    }
    let states = |token: &Token| {
        token.is_verb() || token.class == Some(Class::Verb) || token.tagged("direction") || token.mark('=')
    };
    let is_sentence = lead.iter().any(states);
    let is_speaker = lead.first().is_some_and(|first| matches!(first.folded.as_str(), "i" | "we" | "my"));
    let lead = lead.split(|token| token.operator("comparison")).next().unwrap_or_default();
    let word = lead.iter().find(|token| match is_sentence {
        true => is_speaker && (token.means() || token.is_name()) && differs_alone(asked, token),
        false => !fits(asked, token),
    })?;
    Some(format!("the effect of \"{}\" on it is unclear", word.folded))
}

/// Whether a word before the value leaves it what was asked for.
fn fits(asked: &Asked<'_>, token: &Token) -> bool {
    let roles = ["article", "preposition", "lead", "final", "deictic", "and", "pronoun"];
    match token.kind {
        Kind::Mark(_) => true,
        Kind::Number(_) => asked.products.contains(&token.folded),
        Kind::Words => {
            asked.knows(&token.folded)
                || token.ends_in("site_noun")
                || token.listed("exactly")
                || token.listed("before_code")
                || !differs_alone(asked, token)
                    && !token.tagged("operator")
                    && (roles.iter().any(|role| token.role(role)) || token.means())
        }
        _ => !differs_alone(asked, token),
    }
}
