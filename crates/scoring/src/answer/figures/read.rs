//! Reads the figures of an answer: each number with its context, direction, and whatever changes its value.

use super::equation::solve;
use super::figure::{Figure, Spot, is_total};
use crate::answer::line::Line;
use crate::answer::statement::clause;
use crate::answer::statement::over::{combine, introduced, is_final, nearest};
use crate::answer::statement::said::{self, Said};
use crate::language::sentence::names_value;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// Reads the figures of all lines, in order.
pub(crate) fn figures(lines: &[Line]) -> Vec<Figure> {
    let mut reader = Reader::default();
    lines.iter().enumerate().for_each(|(at, line)| reader.read(at, line));
    let mut figures = reader.figures;
    withdrawn(lines, &mut figures);
    ranges(lines, &mut figures);
    former_and_latter(lines, &mut figures);
    figures
}

/// The figures so far, and the context they carry over to the next ones.
#[derive(Default)]
struct Reader {
    figures: Vec<Figure>,
    /// The block of the previous line, and the context of its last clause.
    before: Option<(usize, Said)>,
    /// Whether a correction came before.
    corrected: bool,
}

impl Reader {
    fn read(&mut self, at: usize, line: &Line) {
        let corrects = |tokens: Option<&[Token]>| {
            tokens.is_some_and(|tokens| tokens.iter().any(|token| token.operator("correction")))
        };
        self.corrected |= line.heads.iter().any(|head| corrects(Some(&head.tokens)));
        let tokens = &line.sentence.tokens;
        let is_number = |at: &usize| line.token(*at).is_some_and(|token| token.number().is_some());
        let same_block = |(block, _): &&(usize, Said)| *block == line.passage.block && !line.passage.cell;
        let carried = self.before.as_ref().filter(same_block).map(|(_, said)| said.clone());
        let is_carried = carried.is_some();
        let mut of_clause: Vec<Option<Said>> = vec![None; line.clauses.len()];
        // The last context, and the same without the previous sentence's.
        let (mut last, mut last_own): (Option<Said>, Option<Said>) = (carried, None);
        let mut seen = 0;
        for (clause, own) in line.clauses.iter().enumerate() {
            let numbers = own.tokens.iter().copied().filter(is_number);
            let targets: Vec<usize> =
                numbers.filter(|at| !is_code(line, *at) && !is_total(line, *at)).collect();
            let outer = own.parent.and_then(|parent| of_clause.get(parent).cloned().flatten());
            let from = outer.as_ref().or(last.as_ref());
            let (mut whole, mut by_itself) = (None, None);
            for target in &targets {
                self.corrected |= corrects(tokens.get(seen..*target));
                seen = seen.max(*target);
                let mut said = clause::own(line, clause, *target, &targets);
                let is_bare = (said.alone || said.is_final) && clause == 0;
                add_outer_context(line, clause, *target, outer.as_ref(), &mut said);
                let lone = said.clone();
                by_itself = Some(said.clone().inheriting(last_own.as_ref()));
                let said = said.inheriting(from.filter(|_| !is_bare));
                whole = Some(said.clone());
                let spot = Spot::of(line, clause, *target, &targets);
                let figure = spot.and_then(|spot| spot.figure(at, said, self.corrected));
                let clause_tokens =
                    own.tokens.iter().take_while(|at| **at < *target).filter_map(|at| line.token(*at));
                let is_new = clause > 0 && own.parent.is_none() && names_value(clause_tokens);
                let alone = is_new.then_some(lone);
                let by_itself = alone.or(by_itself.clone().filter(|_| is_carried && own.parent.is_none()));
                self.figures.extend(figure.map(|figure| Figure { by_itself, ..figure }));
            }
            let whole = whole.unwrap_or_else(|| {
                let mut said = clause::of_clause(line, clause);
                combine(&mut said, line);
                said.inheriting(from)
            });
            if own.parent.is_none() {
                let of_clause = || clause::of_clause(line, clause).inheriting(last_own.as_ref());
                last_own = is_carried.then(|| by_itself.unwrap_or_else(of_clause));
                last = Some(whole.clone());
            }
            of_clause.get_mut(clause).into_iter().for_each(|slot| *slot = Some(whole.clone()));
        }
        self.corrected |= corrects(tokens.get(seen..));
        self.before = last.map(|last| (line.passage.block, last)).or(self.before.take());
    }
}

/// Adds the context from outside the figure's clause.
fn add_outer_context(line: &Line, clause: usize, target: usize, outer: Option<&Said>, said: &mut Said) {
    said.is_final |= line.heads.iter().any(is_final);
    combine(said, line);
    if clause > 0 {
        introduced(line.until(target), said);
    }
    if line.clauses.get(clause).is_some_and(|own| own.parent.is_some()) {
        nearest(line, target, said);
        said.unknown.extend(outer.into_iter().flat_map(|outer| outer.unknown.iter().cloned()));
    }
}

/// Whether a number is a code instead of a figure: `under heading 3004`.
fn is_code(line: &Line, at: usize) -> bool {
    let (Some(before), Some(own)) = (line.before(at, 1), line.token(at)) else { return false };
    own.number().is_some_and(|number| matches!(number.unit, Unit::Count | Unit::Index))
        && before.depth == own.depth
        && (before.announces_code() || counts_pictures(&line.sentence.tokens, at))
}

/// Whether a number is that of a table or picture: `Table 1.`, `Figure 3: …`.
fn counts_pictures(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let ends = |next: &Token| next.mark(':') || next.mark('.') || next.mark('–') || next.mark('—');
    before.is_some_and(|before| before.listed("numbered"))
        && tokens.get(at + 1).is_none_or(ends)
        && tokens.get(at).is_some_and(|token| token.folded.len() <= 2)
}

/// Marks figures that a later word calls wrong as withdrawn, and the figures after it as corrections: `I got A, but that is
/// wrong: it is B`.
fn withdrawn(lines: &[Line], figures: &mut [Figure]) {
    let mut corrects: Option<(usize, usize)> = None;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.sentence.question) {
        let tokens = &line.sentence.tokens;
        let Some(word) = tokens.iter().position(|token| token.operator("wrong")) else { continue };
        if tokens.iter().any(|token| token.operator("negation")) {
            continue;
        }
        // Figures are sorted by line.
        let from = |line: usize| figures.partition_point(|figure| figure.line < line);
        let end = figures.partition_point(|figure| (figure.line, figure.token) < (at, word));
        let mut meant = from(at)..end;
        let points_back = tokens
            .iter()
            .find(|token| token.kind == Kind::Words)
            .is_some_and(|token| token.role("deictic") || token.role("pronoun"));
        let before = at.checked_sub(1).filter(|before| {
            points_back && lines.get(*before).is_some_and(|before| before.passage.block == line.passage.block)
        });
        if let (true, Some(before)) = (meant.is_empty(), before) {
            meant = from(before)..from(at);
        }
        if meant.is_empty() {
            continue;
        }
        // `They got it wrong: it is 7 %`
        if meant.end <= from(at) {
            for figure in figures.get_mut(end..from(at + 1)).unwrap_or_default() {
                figure.said.operators.retain(|(kind, _)| *kind != "wrong");
            }
        }
        for figure in figures.get_mut(meant).unwrap_or_default() {
            figure.withdrawn = tokens.get(word).map(|token| token.folded.clone());
        }
        corrects = corrects.or(Some((at, word)));
    }
    for figure in figures.iter_mut() {
        figure.corrected |= corrects.is_some_and(|after| (figure.line, figure.token) > after);
    }
}

/// Marks the ends of ranges and the operands of sums, which are not values.
fn ranges(lines: &[Line], figures: &mut [Figure]) {
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
        let equals = tokens.get(high.token + 1).is_some_and(|token| token.mark('='));
        if equals {
            let operator = gap.first().copied().filter(|_| gap.len() == 1);
            solve(figures, at, operator);
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
            // `Uganda: 28 / $5 / $211M` are the fields of a row
            [one] if one.mark('/') => low.quantity.unit == high.quantity.unit,
            [one] if one.mark('×') || one.folded == "x" || one.mark('+') => true,
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
fn former_and_latter(lines: &[Line], figures: &mut [Figure]) {
    for (at, line) in lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        let named = tokens.iter().any(|token| token.operator("former"))
            && tokens.iter().any(|token| token.operator("latter"));
        if !named && !tokens.iter().any(|token| token.operator("respectively")) {
            continue;
        }
        let from = |line: usize| figures.partition_point(|figure| figure.line < line);
        let mine: Vec<usize> = (from(at)..from(at + 1)).collect();
        let token_of = |figure: Option<&usize>| figure.and_then(|at| figures.get(*at)).map(|one| one.token);
        let (Some(first), Some(last)) = (token_of(mine.first()), token_of(mine.last())) else { continue };
        let is_thing = |kind: &Kind| matches!(kind, Kind::Row(_) | Kind::Product(_));
        let is_country = |kind: &Kind| matches!(kind, Kind::Country(_));
        let names = |part: &[Token]| {
            let kinds =
                part.iter().map(|token| &token.kind).filter(|kind| is_thing(kind) || is_country(kind));
            let (things, countries): (Vec<Kind>, Vec<Kind>) = kinds.clone().cloned().partition(is_thing);
            // things and countries in equal number: either may be meant
            let sets = [kinds.cloned().collect(), things, countries];
            let mut fitting = sets.into_iter().filter(|set| set.len() == mine.len() && set.len() > 1);
            fitting.next().filter(|first| fitting.all(|other| other == *first))
        };
        // `133 and 128, by HS 1992 and HS 2012 respectively`
        let Some(named) = names(&tokens[..first]).or_else(|| names(&tokens[last + 1..])) else { continue };
        for (figure, name) in mine.into_iter().zip(named) {
            let Some(figure) = figures.get_mut(figure) else { continue };
            match name {
                Kind::Country(id) => figure.said.countries = vec![(id, said::Role::Either)],
                Kind::Row(rows) => {
                    figure.said.rows = rows;
                    figure.said.products.clear();
                }
                Kind::Product(code) => {
                    figure.said.rows.clear();
                    figure.said.products = vec![code.to_owned()];
                }
                _ => {}
            }
            figure.said.operators.retain(|(kind, _)| !matches!(*kind, "former" | "latter"));
        }
    }
}
