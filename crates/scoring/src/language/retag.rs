//! Corrects tags by context where the lexicon alone is wrong.

use super::token::{Kind, Token};

/// Corrects the tags of a sentence.
pub(super) fn retag(tokens: &mut [Token]) {
    untag_prepositions(tokens);
    join_scopes(tokens);
    untag_formulas(tokens);
    resolve_no(tokens);
    deny_too(tokens);
    untag_past_years(tokens);
    untag_whole_periods(tokens);
    untag_purchases(tokens);
    untag_genuine(tokens);
    untag_prices(tokens);
    untag_concessions(tokens);
    except_but(tokens);
    count_persons(tokens);
    untag_annual_levels(tokens);
    tag_dollars(tokens);
}

/// The M49 code of the country whose dollars the Atlas shows.
const UNITED_STATES: u16 = 840;

/// `Singapore dollars` are another currency.
fn tag_dollars(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let of = tokens.get(at - 1).map(|token| &token.kind);
        let is_other = matches!(of, Some(Kind::Country(id)) if id.code() != UNITED_STATES);
        let is_dollar = |token: &&mut Token| matches!(token.folded.as_str(), "dollar" | "dollars");
        if let Some(token) = tokens.get_mut(at).filter(is_dollar).filter(|_| is_other) {
            token.tags = vec![("part", "money")];
        }
    }
}

/// `its annual exports` are a level, not a rate; `annual export growth` is one.
fn untag_annual_levels(tokens: &mut [Token]) {
    let is_yearly = |token: &Token| matches!(token.folded.as_str(), "annual" | "yearly");
    let yearly: Vec<usize> = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_yearly)).collect();
    for at in yearly {
        // `its annual exports climbed`
        let is_verb =
            |token: &Token| token.is_verb() || token.tagged("direction") && token.folded.ends_with("ed");
        let is_name = |token: &&Token| !token.is_mark() && !is_verb(token) && !token.role("preposition");
        let behind = tokens.get(at + 1..).unwrap_or_default().iter().take(MAX_PHRASE);
        let mut phrase = behind.take_while(is_name);
        let moves = |token: &Token| token.holds("names_change") || token.tagged("direction");
        let is_level = phrase.next().is_some_and(|first| {
            (first.tagged("flow") || first.tagged("scope")) && !moves(first) && !phrase.any(moves)
        });
        if let Some(token) = tokens.get_mut(at).filter(|_| is_level) {
            token.tags = vec![("role", "adjective")];
        }
    }
}

/// No noun phrase is longer, in tokens.
const MAX_PHRASE: usize = 12;

/// `for each Kenyan` is per person.
fn count_persons(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let is_person = matches!(tokens.get(at).map(|token| &token.kind), Some(Kind::Country(_)));
        if let Some(each) = tokens
            .get_mut(at - 1)
            .filter(|token| is_person && matches!(token.folded.as_str(), "each" | "every" | "per"))
        {
            each.tags.push(("modifier", "per_person"));
        }
    }
}

/// `all sectors but Electronics` leaves something out.
fn except_but(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let before = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
        let of_all = before.iter().any(|token| matches!(token.folded.as_str(), "all" | "every" | "any"));
        let is_phrase = !before.iter().any(Token::is_mark) && tokens.get(at + 1).is_some_and(Token::is_name);
        if let Some(token) = tokens.get_mut(at).filter(|token| of_all && is_phrase && token.folded == "but") {
            token.tags.push(("operator", "exception"));
        }
    }
}

/// How far behind its verb a concession may end.
const MAX_CONCESSION: usize = 40;

/// `It may seem odd, but …` concedes how the value looks, and does not doubt it.
fn untag_concessions(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let is_modal = |token: &Token| token.listed("modal") || token.folded == "can";
        let looks = |token: &Token| token.listed("strikes");
        let rest = tokens.get(at + 1..).unwrap_or_default();
        if !tokens.get(at).is_some_and(is_modal) || !rest.first().is_some_and(looks) {
            continue;
        }
        // a value behind it, not an adjective, is in doubt
        let gives = |token: &&Token| token.number().is_some() || token.is_name() || token.folded == "but";
        if rest.iter().take(MAX_CONCESSION).find(gives).is_some_and(|token| token.folded == "but") {
            tokens.iter_mut().skip(at).take(2).for_each(|token| token.tags = vec![("role", "verb")]);
        }
    }
}

/// `against prices of 2015` is a price basis, not a comparison.
fn untag_prices(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let mut near = tokens.get(at + 1..).unwrap_or_default().iter().take(3);
        let next = near.find(|next| !next.role("article"));
        let is_basis =
            next.is_some_and(|next| next.folded == "prices" || next.folded.starts_with("prices of"));
        if let Some(token) = tokens.get_mut(at).filter(|token| is_basis && token.operator("comparison")) {
            token.tags = vec![("role", "preposition")];
        }
    }
}

/// `the real one is Textiles` says nothing of prices; `real growth` and `real dollars` do.
fn untag_genuine(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let next = tokens.get(at + 1);
        let is_thing = next.is_some_and(|next| {
            !next.is_mark() && !next.means() && next.number().is_none() && !next.holds("has_prices")
        });
        if let Some(token) = tokens.get_mut(at).filter(|token| is_thing && token.folded == "real") {
            token.tags = vec![("role", "adjective")];
        }
    }
}

/// `in the past five years` is a period, not a time before; `over the last decade` is no last place.
fn untag_past_years(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let is_time = |by: usize| {
            let word = tokens.get(at + by).and_then(|token| token.folded.split(' ').next());
            word.is_some_and(|word| matches!(word, "years" | "decade" | "decades" | "months"))
        };
        let counts = tokens.get(at + 1).is_some_and(|next| next.number().is_some());
        let next = is_time(1) || counts && is_time(2);
        match tokens.get_mut(at).filter(|_| next) {
            Some(token) if token.folded == "in the past" => token.tags = vec![("role", "preposition")],
            Some(token) if matches!(token.folded.as_str(), "last" | "previous" | "preceding") => {
                token.folded = "past".to_owned();
                token.tags.retain(|(kind, _)| *kind != "operator");
            }
            _ => {}
        }
    }
}

/// `over the decade as a whole` narrows nothing.
fn untag_whole_periods(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let is_period = tokens.get(at - 1).is_some_and(|token| {
            matches!(token.kind, Kind::Period(_))
                || matches!(token.folded.as_str(), "decade" | "period" | "years")
        });
        if let Some(token) = tokens.get_mut(at).filter(|token| is_period && token.folded == "as a whole") {
            token.tags = vec![("role", "adverb")];
        }
    }
}

/// `it spent $244 million on them` is what it imported.
fn untag_purchases(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let mut behind = tokens.get(at + 1..).unwrap_or_default().iter().take(MAX_PHRASE);
        let on = behind.find(|token| token.folded == "on");
        let is_bought = |thing: &Token| {
            thing.role("pronoun") || thing.listed("object_pronoun") || matches!(thing.kind, Kind::Product(_))
        };
        let is_trade = on.is_some() && behind.next().is_some_and(is_bought);
        let spends = |token: &&mut Token| matches!(token.folded.as_str(), "spend" | "spends" | "spent");
        if let Some(token) = tokens.get_mut(at).filter(spends).filter(|_| is_trade) {
            token.tags.retain(|tag| *tag != ("thing", "other_activity"));
        }
    }
}

/// `far too healthy to be called troubling` denies what it leads up to.
fn deny_too(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let is_to = |token: &Token| token.folded.split(' ').next() == Some("to");
        let leads = tokens.get(at + 2..).unwrap_or_default().iter().take(2).any(is_to);
        if let Some(token) = tokens.get_mut(at).filter(|token| leads && token.folded == "too") {
            token.tags.push(("operator", "negation"));
        }
    }
}

/// `under HS 2012` is not a comparison.
fn untag_prepositions(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        if !tokens.get(at).is_some_and(|token| token.role("preposition")) {
            continue;
        }
        let next = tokens.get(at + 1..).unwrap_or_default().iter().find(|next| !next.role("article"));
        let bounds = next.is_some_and(|next| next.number().is_some());
        if let Some(token) = tokens.get_mut(at).filter(|_| !bounds) {
            token.tags.retain(|(kind, _)| *kind != "comparative");
        }
    }
}

/// `services as well as goods` means both.
fn join_scopes(tokens: &mut [Token]) {
    for at in 2..tokens.len() {
        let scope = |at: usize, value: &str| tokens.get(at).is_some_and(|token| token.is("scope", value));
        let both = scope(at - 2, "goods") && scope(at, "services")
            || scope(at - 2, "services") && scope(at, "goods");
        if both && tokens.get(at - 1).is_some_and(|token| token.role("and") && token.folded != "or") {
            for one in [at - 2, at] {
                tokens
                    .get_mut(one)
                    .into_iter()
                    .for_each(|token| token.tags = vec![("scope", "goods_and_services")]);
            }
        }
    }
}

/// `(travel divided by all services)` explains a formula and computes with no number.
fn untag_formulas(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let number = |token: &Token| token.number().is_some();
        let near = tokens.get(at.saturating_sub(1)..tokens.len().min(at + 4)).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let explains = before.is_some_and(|before| !before.is_mark());
        let reckons = explains && tokens.get(at).is_some_and(|token| token.listed("reckoning"));
        if reckons && !near.iter().any(number) {
            tokens.get_mut(at).into_iter().for_each(|token| token.tags = vec![("role", "verb")]);
        }
    }
}

/// `No. 8` is a rank, `No, …` an answer; neither is a negation.
fn resolve_no(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        if tokens.get(at).is_none_or(|token| token.folded != "no") {
            continue;
        }
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let halts = rest
            .first()
            .is_some_and(|token| [',', ':', '–', '—', ';', '!', '.'].iter().any(|mark| token.mark(*mark)));
        let numbered = rest.iter().take(4).find(|token| !token.mark('.'));
        let numbered = numbered.is_some_and(|token| token.number().is_some());
        if let Some(token) = tokens.get_mut(at).filter(|_| halts || numbered) {
            token.tags = if numbered { vec![("role", "noun")] } else { vec![("polarity", "no")] };
        }
    }
}
