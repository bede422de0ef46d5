//! Handles figures that belong together: ends of a range, operands of a sum, and ordered pairs.

use super::figure::Figure;
use crate::answer::line::Line;
use crate::answer::statement::said;
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
