//! Rules about balances: a balance is not one of its sides, a part of it, or the trade of both directions.

use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::{Role, Said};
use crate::language::token::{Kind, Token};
use crate::value::Unit;

/// The figure is one flow, not the balance: `exports of $164 billion`.
pub(crate) fn why_one_side(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let own = figure.by_itself.as_ref().unwrap_or(&figure.said);
    (asked.is_balance() && exceeds(asked, figure, line).is_none() && is_one_side(figure, own, line))
        .then(|| Place::other("one side of the balance"))
}

/// The sentence says nothing of a balance: `Singapore's trade came to $185B`.
pub(crate) fn why_not_balanced(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let heads = line.heads.iter().chain(&line.headings).flat_map(|head| &head.tokens);
    let balances = |token: &Token| {
        is_of_balance(token)
            || token.is("metric", "current_account")
            || token.operator("comparison")
            || ["more", "less"].iter().any(|word| token.folded.starts_with(word))
            || token.holds("states_balance")
    };
    let says = line.sentence.tokens.iter().chain(heads).any(balances);
    let trades = line.sentence.tokens.iter().any(|token| token.tagged("flow") || token.folded == "trade");
    (asked.is_balance() && trades && !says && !figure.quantity.number.is_sign_negative())
        .then(|| Place::other("the trade, not its balance"))
}

/// The figure is a balance, not one flow: `Germany's surplus was $164 billion`.
pub(crate) fn why_balance(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_balance = |token: &Token| token.listed("balance_noun") && !asked.knows(&token.folded);
    let names_it =
        line.until(figure.token).iter().chain(line.behind(figure.token).iter().take(3)).any(is_balance);
    (names_it && !asked.is_balance() && figure.quantity.unit == Unit::Usd)
        .then(|| Place::other("the measure, the balance"))
}

/// Converts a balance stated from the partner's side, whose sign is reversed: `The United States ran a deficit with Germany`.
pub(crate) fn turned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Figure> {
    let (own, partner) = (asked.country?, asked.partner?);
    let is_turned = matches!(
        figure.said.countries.as_slice(),
        [(subject, Role::Subject | Role::Either), (with, Role::Partner)]
        | [(with, Role::Partner), (subject, Role::Subject)] if *subject == partner && *with == own
    );
    // `The US has a surplus`
    let acts = |pair: &[Token]| matches!(pair, [who, does] if who.kind == Kind::Country(partner) && does.role("verb") && !does.tagged("flow"));
    let is_turned = is_turned
        || line.sentence.tokens.windows(2).any(acts)
            && figure.said.countries.first().is_some_and(|(subject, _)| *subject == partner)
            && figure.said.countries.iter().skip(1).all(|(with, _)| *with == own);
    // `In its trade with Turkey, Germany was in deficit.`
    let tokens = &line.sentence.tokens;
    let is_subject = |(at, pair): (usize, &[Token])| {
        let begins = at.checked_sub(1).and_then(|at| tokens.get(at)).is_none_or(Token::is_mark);
        begins && matches!(pair, [who, be] if who.kind == Kind::Country(partner) && be.role("be"))
    };
    let are_two = figure.said.countries.iter().all(|(place, _)| *place == own || *place == partner);
    let is_turned = is_turned || are_two && tokens.windows(2).enumerate().any(is_subject);
    (asked.is_balance() && is_turned).then(|| {
        let mut figure = figure.clone();
        figure.said.countries.clear();
        figure
    })
}

/// The direction of a balance stated by comparing its sides: `exported $5 billion more than it imported`.
pub(crate) fn exceeds(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<bool> {
    let tokens = &line.sentence.tokens;
    let more = tokens.get(figure.token + 1).filter(|_| asked.is_balance())?;
    // `took in $185B more from its sales than it spent`
    let side = |token: &Token| match (token.listed("brings_in"), token.listed("pays_out")) {
        (true, _) => Some("export"),
        (_, true) => Some("import"),
        _ => token.tags.iter().find(|(kind, _)| *kind == "flow").map(|(_, flow)| *flow),
    };
    let (subject, object) = tokens.split_at(figure.token);
    let (first, second) = (subject.iter().find_map(side)?, object.iter().rev().find_map(side)?);
    let more = match more.folded.split(' ').next()? {
        "more" => true,
        "less" | "fewer" => false,
        _ => return None,
    };
    (first != second).then(|| (first == "export") == more)
}

/// Whether a word can state a balance: `net exports`, `exceed`, `surplus`, `higher`.
fn is_of_balance(token: &Token) -> bool {
    token.is("part", "net")
        || token.folded.starts_with("exceed")
        || token.folded.contains("balance")
        || ["direction", "comparative"].iter().any(|kind| token.tagged(kind))
}

/// Whether a figure is one flow instead of the balance: `exports of $164 billion`.
fn is_one_side(figure: &Figure, said: &Said, line: &Line) -> bool {
    let tokens = &line.sentence.tokens;
    let is_flow = |token: &Token| token.tagged("flow");
    let before = tokens.get(..figure.token).unwrap_or_default().iter().rev();
    let mut before = before.skip_while(|token| {
        token.role("be") || token.operator("about") || token.role("article") || token.folded == "of"
    });
    let beside = before.next().is_some_and(|token| is_flow(token) && !is_of_balance(token))
        && !before.next().is_some_and(is_of_balance);
    let has_flow = said.tagged("flow");
    let mut own = line.clause(figure.token).iter().filter_map(|at| line.token(*at));
    beside || has_flow && !own.any(is_of_balance)
}
