//! Directions and levels beside a change: `grew by 3.8 % a year. They declined over the past five years.`

use rust_decimal::Decimal;

use super::Beside;
use super::parts::above_region;
use crate::answer::line::Line;
use crate::answer::place::levels::Levels;
use crate::answer::question::asked::Asked;
use crate::answer::words::terms::direction;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{Period, Unit};

/// The direction of the truth, if it is a change or a direction.
fn truth(asked: &Asked<'_>) -> Option<bool> {
    let number = asked.number().filter(|number| asked.is_change() && !number.number.is_zero());
    number.map(|number| number.number > Decimal::ZERO).or_else(|| asked.text().and_then(direction))
}

/// Whether a sentence about the value tells of the other direction: `It improved its position.`, `They were smaller in 2024 than in
/// 2010.`
pub(super) fn moves_otherwise(beside: &Beside<'_>) -> bool {
    let Some(truth) = truth(beside.asked).filter(|_| !beside.asked.is_balance() && !beside.own) else {
        return false;
    };
    let compares = above_region(beside.asked).is_some();
    let tokens = beside.tokens();
    // `They were larger in 2010.`
    let ends = beside.asked.context.period.filter(|own| own.start != own.end);
    let in_year = |year: i16| tokens.iter().any(|token| token.kind == Kind::Period(Period::year(year)));
    let first = ends.is_some_and(|own| in_year(own.start) && !in_year(own.end));
    let compares_times = |token: &Token| token.operator("comparison") || token.folded == "now";
    let of_time = first || tokens.iter().any(compares_times);
    let direction = |token: &Token| match compares {
        true => token.comparative(),
        false if token.listed("goes_down") => Some(false),
        false => token.direction().or_else(|| token.comparative().filter(|_| of_time)),
    };
    let is_own = |token: &Token| {
        direction(token).is_some()
            || token.operator("comparison")
            || beside.is_plain(token)
            || compares
                && (token.is_regional()
                    || token.is("part", "neighbours")
                    || token.listed("party")
                    || token.tagged("group"))
    };
    let said: Vec<bool> = tokens.iter().filter_map(direction).collect();
    let turned = first && !tokens.iter().any(compares_times);
    !said.is_empty()
        && said.iter().all(|up| (*up != turned) != truth)
        && !beside.denies()
        && tokens.iter().all(is_own)
}

/// Whether a sentence about the value denies a change of at least one per cent or place: `It stagnated.`
pub(super) fn stands_still(beside: &Beside<'_>) -> bool {
    let asked = beside.asked;
    let is_large = asked.number().is_some_and(|number| {
        matches!(number.unit, Unit::Percent | Unit::Positions) && number.number.abs() >= Decimal::ONE
    });
    let phrases = lexicon::list("stands_still");
    let still =
        |token: &Token| phrases.iter().any(|phrase| phrase.split(' ').any(|word| word == token.folded));
    is_large
        && asked.is_change()
        && !beside.own
        && lexicon::says("stands_still", &beside.line.passage.text)
        && beside.tokens().iter().all(|token| still(token) || beside.is_plain(token))
}

/// Why a sentence gives a series of years another direction than its first and last values: `2014: 0.17 % … 2024: 0.23 %. It has been
/// losing ground.`
pub(crate) fn trend(rows: &[Asked<'_>], lines: &[Line]) -> Option<String> {
    let mut years: Vec<(Period, Decimal)> = rows
        .iter()
        .filter_map(|row| {
            row.context.period.filter(|own| own.start == own.end).zip(row.number().map(|own| own.number))
        })
        .collect();
    years.sort_by_key(|(period, _)| period.start);
    let is_series =
        years.len() == rows.len() && years.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0));
    let ((_, first), (_, last)) = years.first().zip(years.last()).filter(|_| is_series && rows.len() > 2)?;
    let turned = |line: &&Line| {
        let tokens = &line.sentence.tokens;
        let mut said = tokens.iter().filter_map(Token::direction).peekable();
        let is_whole = !line.sentence.question
            && said.peek().is_some()
            && !tokens.iter().any(|token| token.operator("negation") || token.number().is_some());
        is_whole && said.all(|up| if up { last <= first } else { last >= first })
    };
    lines.iter().find(turned).map(|line| format!("\"{}\" contradicts the series", line.start(80)))
}

/// Why the levels of other sentences make another change: `rose by $162 billion. They were $216 billion in 2015 and $300 billion in
/// 2024.`
pub(super) fn levels(asked: &Asked<'_>, others: &[&Line]) -> Option<String> {
    let is_another =
        |token: &Token| super::differs_alone(asked, token) && !matches!(token.kind, Kind::Period(_));
    let about = |line: &&&Line| {
        let heads = line.heads.iter().chain([&line.sentence]);
        !heads.flat_map(|head| &head.tokens).any(is_another)
    };
    let lines: Vec<&Line> = others.iter().filter(about).copied().collect();
    let levels = lines.iter().find_map(|line| Levels::of(&line.sentence.tokens));
    let levels = levels.or_else(|| Levels::over(asked, &lines))?;
    let turned = || truth(asked).is_some_and(|up| levels.against(up).is_some());
    let other = || asked.number().is_some_and(|number| asked.is_change() && !levels.makes(asked, number));
    (truth(asked).is_some() && (turned() || other()))
        .then(|| "levels in another sentence contradict it".to_owned())
}
