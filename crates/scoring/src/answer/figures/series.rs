//! Handles figures that belong together: ends of a range, operands of a sum, and ordered pairs.

use super::figure::Figure;
use crate::answer::line::Line;
use crate::answer::statement::said;
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// Marks the ends of ranges and the operands of sums, which are not values.
pub(crate) fn ranges(lines: &[Line], figures: &mut [Figure]) {
    for at in 1..figures.len() {
        let (Some(low), Some(high)) = (figures.get(at - 1), figures.get(at)) else { continue };
        let in_words = |figure: &Figure| !figure.digits && figure.quantity.unit == Unit::Percent;
        if low.line != high.line || in_words(low) || in_words(high) {
            continue;
        }
        let Some(line) = lines.get(low.line) else { continue };
        let tokens = &line.sentence.tokens;
        let Some(gap) = tokens.get(low.token + 1..high.token) else { continue };
        let before = low.token.checked_sub(1).and_then(|at| tokens.get(at));
        let opened =
            |word: &str| before.is_some_and(|token| token.folded == word || token.folded.ends_with(word));
        let gap: Vec<&Token> = gap
            .iter()
            .filter(|token| {
                !token.role("article") && token.depth <= tokens.get(low.token).map_or(0, |low| low.depth)
            })
            .collect();
        let high_token = high.token;
        let equals = tokens.get(high.token + 1).is_some_and(|token| token.mark('='));
        if equals {
            // In a bracketed sum, the result has the scale of its operands.
            for figure in figures.iter_mut().skip(at - 1).take(3) {
                let bare = matches!(figure.quantity.unit, Unit::Count | Unit::Index);
                if figure.token <= high_token || bare {
                    figure.operand = Some("an operand".to_owned());
                }
            }
            continue;
        }
        let is_range = match gap.as_slice() {
            [] => low.trouble.is_some(),
            [one] if one.mark('–') || one.mark('—') || one.mark('→') => true,
            [one] if one.folded == "to" => low.direction.is_none() || !opened("from"),
            [one] if one.folded == "and" => opened("between"),
            [one] if one.folded == "or" => true,
            [.., or, _] | [or, _, _]
                if or.folded == "or"
                    && gap.iter().all(|one| {
                        one.mark(',')
                            || one.folded == "or"
                            || one.operator("hedge")
                            || one.role("adverb")
                            || one.operator("about")
                    }) =>
            {
                gap.iter().any(|one| one.operator("hedge"))
            }
            [one] if one.mark('×') || one.folded == "x" || one.mark('/') || one.mark('+') => true,
            [one] if one.mark('=') => false,
            _ => false,
        };
        if is_range {
            for figure in figures.iter_mut().skip(at - 1).take(2) {
                figure.trouble = Some("it is an end of a range".to_owned());
            }
        }
    }
}

/// Replaces `the former` and `the latter` by the question's two options, unless the answer names them first: `Do minerals or
/// services …? The latter.`
pub(crate) fn alternatives(question: &Sentence, lines: &mut [Line]) {
    let is_name = |token: &&Token| {
        token.is_name()
            || !token.terms.is_empty()
            || ["scope", "direction"].iter().any(|kind| token.tagged(kind))
    };
    let mut ors = (0..question.tokens.len())
        .filter(|at| question.tokens.get(*at).is_some_and(|token| token.folded == "or"));
    let (Some(or), None) = (ors.next(), ors.next()) else { return };
    let (before, behind) = question.tokens.split_at(or);
    let (Some(first), Some(second)) = (before.iter().rev().find(is_name), behind.iter().find(is_name)) else {
        return;
    };
    for line in lines {
        for token in &mut line.sentence.tokens {
            if token.kind == first.kind && token.folded == first.folded || token.folded == second.folded {
                return;
            }
            let named = match token.folded.as_str() {
                "the former" | "former" => first,
                "the latter" | "latter" => second,
                _ => continue,
            };
            *token = Token { range: token.range.clone(), depth: token.depth, ..named.clone() };
        }
    }
}

/// Assigns ordered figures to ordered names: `For Spain and Japan the figures are A and B, respectively`; `Cars and Blood, with A
/// and B respectively`; `the former has A, the latter B`.
pub(crate) fn former_and_latter(lines: &[Line], figures: &mut [Figure]) {
    for (at, line) in lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        let named = tokens.iter().any(|token| token.operator("former"))
            && tokens.iter().any(|token| token.operator("latter"));
        if !named && !tokens.iter().any(|token| token.operator("respectively")) {
            continue;
        }
        let from = |line: usize| figures.partition_point(|figure| figure.line < line);
        let mine: Vec<usize> = (from(at)..from(at + 1)).collect();
        let first = mine.first().and_then(|figure| figures.get(*figure)).map_or(0, |figure| figure.token);
        let named: Vec<&Kind> = tokens
            .iter()
            .take(first)
            .map(|token| &token.kind)
            .filter(|kind| matches!(kind, Kind::Country(_) | Kind::Row(_)))
            .collect();
        if named.len() != mine.len() || named.len() < 2 {
            continue;
        }
        for (figure, name) in mine.into_iter().zip(named) {
            let Some(figure) = figures.get_mut(figure) else { continue };
            match name {
                Kind::Country(id) => figure.said.countries = vec![(*id, said::Role::Either)],
                Kind::Row(rows) => figure.said.rows.clone_from(rows),
                _ => {}
            }
            figure.said.operators.retain(|(kind, _)| !matches!(*kind, "former" | "latter"));
        }
    }
}
