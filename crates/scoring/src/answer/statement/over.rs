//! Adds context from outside a figure's clause: heads, headings, the introduction of a sentence, the name before a bracket.

use super::said::{self, Role, Said};
use crate::answer::line::Line;
use crate::atlas::CountryId;
use crate::language::lexicon::Tag;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Token};

/// Whether a head announces the answer: `Final answer`.
pub(crate) fn is_final(head: &Sentence) -> bool {
    !head.tokens.is_empty()
        && head
            .tokens
            .iter()
            .all(|token| token.role("final") || token.role("article") || token.role("be") || token.is_mark())
}

/// Fills in context that the line omits from its heads, innermost first. Their unknown words and operators always count.
pub(crate) fn combine(said: &mut Said, line: &Line) {
    let own = said.clone();
    let closed = line.heads.iter().rev().map(|head| (head, true));
    let open = line.headings.iter().rev().map(|head| (head, false));
    for (head, closed) in closed.chain(open) {
        let mut over = Said::default();
        over.take_head(&head.tokens, closed);
        said.unknown.append(&mut over.unknown);
        said.operators.append(&mut over.operators);
        said.terms.append(&mut over.terms);
        said.words.append(&mut over.words);
        said.sides.append(&mut over.sides);
        let has = |said: &Said, kind: &str| said.tags.iter().any(|tag| tag.0 == kind);
        let part = |tag: &Tag| matches!(tag.0, "part" | "basis" | "thing") || tag.1 == "ppp";
        let taken: Vec<Tag> =
            over.tags.iter().filter(|tag| part(tag) || !has(said, tag.0)).copied().collect();
        said.tags.extend(taken);
        over.tags.clear();
        if closed || own.alone {
            // `Tanzania:` over `| Exports to Uganda |`
            let is_partner = |(id, role): &(CountryId, Role)| {
                *role == Role::Partner || said.sides.iter().any(|(own, _)| own == id)
            };
            if !said.countries.is_empty() && said.countries.iter().all(is_partner) {
                said.countries.append(&mut over.countries);
            }
            said.inherit(&over);
        } else if said.countries.is_empty() {
            said.countries.append(&mut over.countries);
        }
    }
}

/// Adds the introduction that applies to all clauses of a sentence: `By 2030, of 145 countries, …`, `In the first quarter: …`.
pub(crate) fn introduced(tokens: &[Token], said: &mut Said) {
    let end = tokens.iter().position(|token| token.mark(',') || token.mark(':')).unwrap_or(0);
    let lead = tokens.get(..end).unwrap_or_default();
    if tokens.iter().any(|token| token.mark(';'))
        || lead.len() > 6
        || lead.iter().any(|token| token.role("be"))
        || lead.iter().any(|token| token.number().is_some()) && !lead.iter().any(|token| token.tagged("part"))
    {
        return;
    }
    let operators = ["condition", "future", "past", "hedge", "elsewhere"];
    let mut before = "";
    for token in lead {
        said.periods.extend(said::open_period(before, &token.kind));
        before = &token.folded;
        let own = token.tags.iter().filter(|(kind, value)| *kind == "operator" && operators.contains(value));
        said.operators.extend(own.map(|(_, value)| (*value, token.folded.clone())));
        said.tags.extend(token.tags.iter().filter(|(kind, _)| *kind == "part"));
    }
}

/// Adds the context of the name before the brackets around a figure.
pub(crate) fn nearest(line: &Line, target: usize, said: &mut Said) {
    let depth = line.token(target).map_or(0, |token| token.depth);
    let before = line.until(target);
    let outside = before.iter().rev().skip_while(|token| token.depth >= depth);
    let flow = |token: &Token| token.tags.iter().find(|(kind, _)| *kind == "flow").copied();
    let is_group = |token: &Token| token.tagged("group");
    if !said.tagged("flow")
        && let Some(flow) = outside.clone().take_while(|token| token.number().is_none()).find_map(flow)
    {
        said.tags.push(flow);
    }
    // `Contrary to what the dashboard says (169), …`
    let part =
        outside.clone().take_while(|token| !token.mark(',') && !token.mark(';') && token.number().is_none());
    let against = part.filter(|token| token.listed("against"));
    said.operators.extend(against.map(|token| ("negation", token.folded.clone())));
    if !said.countries.is_empty() || !said.rows.is_empty() || !said.products.is_empty() {
        return;
    }
    let name =
        outside.take_while(|token| token.number().is_none()).find(|token| token.is_name() || is_group(token));
    said.tags.extend(name.into_iter().flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "group"));
    // `the figure with services ($378 billion)`
    let scope = before.last().filter(|token| token.depth < depth).into_iter();
    said.tags.extend(scope.flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "scope"));
    match name.map(|token| &token.kind) {
        Some(Kind::Country(id)) => said.countries.push((*id, said::Role::Either)),
        Some(Kind::Row(rows)) => said.rows.clone_from(rows),
        Some(Kind::Product(code)) => said.products.push((*code).to_owned()),
        _ => {}
    }
}
