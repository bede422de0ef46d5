//! Closes the line that holds the value: what it names instead of what was asked for, and what leads up to a bare value.

use crate::answer::candidate::unclear;
use crate::answer::context::differs_alone;
use crate::answer::line::Line;
use crate::answer::place::asserted::why_left_out;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// Why the line of the value may be about something else.
pub(crate) fn doubt(asked: &Asked<'_>, line: &Line) -> Option<String> {
    if asked.number().is_none() || asked.rows > 1 || line.passage.cell {
        return None;
    }
    of_that_time(asked, line)
        .or_else(|| named_instead(asked, line))
        .or_else(|| unnamed_partner(asked, line))
        .or_else(|| not_left_out(asked, line))
        .or_else(|| of_complexity(asked, line))
        .or_else(|| called_rank(asked, line))
        .or_else(|| called_change(asked, line))
        .or_else(|| scaled(asked, line))
        .or_else(|| leads_up(asked, line))
}

/// What the line counts although the question excludes it: `counting only the products whose RCA exceeds 1`.
fn not_left_out(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let is_less = tokens.iter().any(|token| token.is("comparative", "less") || token.listed("upper_bound"));
    let left_out = why_left_out(asked, &Said::of_tokens(tokens)).filter(|_| !is_less)?;
    left_out.why().map(str::to_owned)
}

/// Complexity instead of the outlook that the question asks for: `the 3rd highest complexity`.
fn of_complexity(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let mut tokens = line.heads.iter().flat_map(|head| &head.tokens).chain(&line.sentence.tokens);
    let names_it = line.sentence.tokens.iter().any(|token| token.folded == "complexity");
    (names_it && asked.has("metric", "coi") && !tokens.any(|token| token.is("metric", "coi")))
        .then(|| "it is about \"complexity\"".to_owned())
}

/// The other time that a line refers back to: `My cut-off is 2019, and for that period it is $5 billion.`
fn of_that_time(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let figure = line.sentence.tokens.iter().rposition(|token| token.number().is_some())?;
    let before = line.until(figure);
    let that = |pair: &[Token]| matches!(pair, [that, time] if that.folded == "that" && matches!(time.folded.as_str(), "year" | "period" | "time" | "date"));
    let points = before.windows(2).any(that)
        || before
            .iter()
            .any(|token| matches!(token.folded.as_str(), "that year" | "that period" | "at that time"));
    let mut times = before.iter().filter(|token| matches!(token.kind, Kind::Period(_)));
    let other = times.next_back().filter(|time| points && differs_alone(asked, time))?;
    Some(format!("it is about \"{}\"", other.folded))
}

/// A bare number that the line calls a rank, if the question asks for none: `Kenya's rank is 2,274`.
fn called_rank(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let asks_rank = asked.number().is_some_and(|number| matches!(number.unit, Unit::Rank | Unit::Positions));
    let at = line.sentence.tokens.iter().position(|token| token.number().is_some())?;
    let is_bare = line.token(at)?.number()?.unit == Unit::Count && !line.behind(at).iter().any(Token::means);
    let word =
        line.until(at).iter().find(|token| token.listed("rank_head") && !asked.knows(&token.folded))?;
    (is_bare && !asks_rank).then(|| format!("it is about \"{}\"", word.folded))
}

/// A level that the line calls a change: `Exports: rise, $378B`.
fn called_change(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let at = line.sentence.tokens.iter().position(|token| token.number().is_some())?;
    let [.., opens, word, closes] = line.until(at) else { return None };
    let is_change = opens.is_mark() && closes.is_mark() && word.listed("names_change_alone");
    (is_change && !asked.is_change() && !asked.knows(&word.folded))
        .then(|| format!("it is about \"{}\"", word.folded))
}

/// A lead that makes the value another: `Doubling the reported number, it is $164B`.
fn scaled(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let first = line.sentence.tokens.iter().find(|token| !token.role("article") && !token.is_mark())?;
    // `Leaving the new products out, …`
    let mut words = line.sentence.tokens.iter().take_while(|token| token.number().is_none());
    let leaves_out = first.folded == "leaving" && words.any(|token| token.folded == "out");
    // `Twice what Germany sold is $164B.`
    let is_multiple = first.listed("multiple")
        && line
            .sentence
            .tokens
            .iter()
            .take(3)
            .any(|token| matches!(token.folded.as_str(), "what" | "that" | "as"));
    // `Worldwide, its iron ore brought in $19.4B.`
    let is_wide = asked.partner.is_some() && first.folded == "worldwide";
    // `Once, Kenya's GDP per capita was $2,274.`
    let is_past = first.folded == "once" && line.token(1).is_some_and(|next| next.mark(','));
    let changes = first.listed("scales") || leaves_out || is_multiple || is_wide || is_past;
    (changes && !asked.knows(&first.folded)).then(|| unclear(&first.folded))
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
    let is_figure = |token: &&Token| token.number().is_some() && !asked.products.contains(&token.folded);
    if tokens.iter().filter(is_figure).count() != 1 {
        return None;
    }
    // `China bought Brazilian goods`: the partner's imports are the exports asked for
    let is_mirrored =
        asked.partner.is_some_and(|id| tokens.iter().any(|token| token.kind == Kind::Country(id)));
    let is_set_off = |at: usize| line.contrasts.iter().any(|range| range.contains(&at));
    // `$7,159, higher than the nominal figure`
    let than = tokens.iter().position(|token| token.operator("comparison"));
    let kept = || {
        let kept = tokens.iter().enumerate().take(than.unwrap_or(tokens.len()));
        kept.filter(|(at, _)| !is_set_off(*at)).map(|(_, token)| token)
    };
    let instead = |kind: &str| {
        let tags = || kept().flat_map(|token| token.tags.iter().map(move |tag| (token, tag)));
        let (own, other): (Vec<_>, Vec<_>) =
            tags().filter(|(_, tag)| tag.0 == kind).partition(|(_, tag)| asked.allows(**tag));
        other.first().filter(|_| own.is_empty()).map(|(token, _)| token.folded.clone())
    };
    let word = KINDS.into_iter().filter(|kind| *kind != "flow" || !is_mirrored).find_map(instead)?;
    Some(format!("it is about \"{word}\""))
}

/// Why a word that leads up to a bare value may change it: `On paper, $164B`, `Typically $164B`.
fn leads_up(asked: &Asked<'_>, line: &Line) -> Option<String> {
    let passage = &line.passage;
    let tokens = &line.sentence.tokens;
    if !asked.one.names.is_empty() || passage.item || passage.keyed {
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
    let states = |token: &Token| token.states() || token.tagged("direction") || token.mark('=');
    let is_sentence = lead.iter().any(states);
    let is_speaker = lead.first().is_some_and(|first| matches!(first.folded.as_str(), "i" | "we" | "my"));
    let lead = lead.split(|token| token.operator("comparison")).next().unwrap_or_default();
    let word = lead.iter().find(|token| match is_sentence {
        true => is_speaker && (token.means() || token.is_name()) && differs_alone(asked, token),
        false => !fits(asked, token),
    })?;
    Some(unclear(&word.folded))
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
