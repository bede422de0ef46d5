//! What a line says is counted or left out: `Services are part of it.`, `Only coffee is counted.`, `Parts are excluded.` And which
//! way the trade runs: `That is what Uganda sold to Kenya.`

use crate::answer::context::differs_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{Flow, Scope};

/// Whether a line counts what was not asked for, or leaves out what was.
pub(super) fn counts_otherwise(asked: &Asked<'_>, line: &Line) -> bool {
    // `10.12 %, but Singapore is not in it`
    let is_figure = |token: &Token| token.number().is_some();
    let behind = line.sentence.tokens.rsplit(is_figure).next().unwrap_or_default();
    let has_figure = behind.len() < line.sentence.tokens.len();
    let words: Vec<&Token> = behind.iter().skip_while(|token| has_figure && !token.separates()).collect();
    let says = |list: &str| lexicon::says(list, &line.passage.text);
    let is_counted = says("counted_in") && !words.iter().any(|token| token.operator("negation"));
    let is_left_out = !is_counted && (says("left_out") || says("counted_in"));
    let end = words
        .iter()
        .position(|token| token.role("be") || token.operator("exception") || token.listed("comes"));
    let subject = words.get(..end.unwrap_or(0)).unwrap_or_default();
    let subject = subject.rsplit(|token| token.separates()).next().unwrap_or_default();
    // `No other partner is included.`
    let is_none = subject.iter().any(|token| token.operator("negation"));
    let names = |token: &&Token| token.is_name() || token.tagged("scope") || token.tagged("thing");
    let is_other = |token: &&&Token| names(token) && differs_alone(asked, token);
    let other = subject.iter().any(|token| is_other(&token));
    !is_none
        && asked.number().is_some()
        && !line.sentence.question
        && if is_counted { other } else { is_left_out && subject.iter().any(|token| is_part(asked, token)) }
}

/// Whether a word names a part of what was asked for: `Parts`, `Financial services`, `Travel`, `Mexico` among all partners.
fn is_part(asked: &Asked<'_>, token: &Token) -> bool {
    let of_services = asked.context.scope == Some(Scope::Services) || asked.has("scope", "services");
    let is_service = |code: &str| !code.starts_with(|c: char| c.is_ascii_digit());
    match token.kind {
        Kind::Product(code) => {
            asked.products.iter().all(|own| is_service(own))
                && !asked.products.contains(code)
                && is_service(code) == of_services
        }
        Kind::Country(_) => asked.covers_countries(),
        Kind::Words => {
            token.tagged("scope") && !differs_alone(asked, token)
                || token.folded.len() > 3 && !token.is_verb() && asked.knows(&token.folded)
        }
        _ => false,
    }
}

/// Whether a line turns the trade round: `The flow runs from Uganda to Kenya.`, `That is what Uganda sold to Kenya.`
pub(super) fn turns_flow(asked: &Asked<'_>, line: &Line) -> bool {
    let (Some(own), Some(partner), Some(flow)) = (asked.country, asked.partner, asked.context.flow) else {
        return false;
    };
    let tokens = &line.sentence.tokens;
    let begins = tokens.iter().find(|token| !token.role("article")).is_some_and(|first| {
        first.is_demonstrative() || first.is_it() || first.folded == "flow" || first.is("scope", "goods")
    });
    let place = |id| tokens.iter().position(|token| token.kind == Kind::Country(id));
    let (Some(own), Some(partner)) = (place(own), place(partner)) else { return false };
    let before = |at: usize| line.before(at, 1).map_or("", |word| word.folded.as_str());
    let sends = |from: usize, to: usize| {
        let sold = || tokens.iter().any(|token| token.is("flow", "export"));
        let bought = || tokens.iter().any(|token| token.is("flow", "import"));
        before(from) == "from" && (before(to) == "to" || bought() && to < from)
            || before(to) == "to" && from < to && sold()
    };
    let (from, to) = if flow == Flow::Export { (own, partner) } else { (partner, own) };
    begins
        && !tokens.iter().any(|token| token.number().is_some() || token.operator("negation"))
        && sends(to, from)
}
