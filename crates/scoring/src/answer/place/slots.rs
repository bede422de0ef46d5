//! Closes the places around a value: the measure's phrase, the verb before a level or a change, the words right beside a figure, and
//! those before and behind a phrase, a term or a single name. Each allows the words of one list; a word that the reader knows is
//! harmless only there.

use super::change::restates_growth;
use crate::answer::candidate::Place;
use crate::answer::figures::figure::Figure;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::token::{Class, Kind, Token};
use crate::value::{Statistic, Unit};

/// Kinds of tags that the context compares, or that describe a measure without changing it.
const DESCRIBING: [&str; 8] =
    ["metric", "flow", "scope", "basis", "group", "direction", "modifier", "statistic"];

/// Roles that end the phrase of a measure.
const ENDING: [&str; 6] = ["be", "preposition", "and", "pronoun", "relative", "clause"];

fn has(token: &Token, roles: &[&str]) -> bool {
    roles.iter().any(|role| token.role(role))
}

/// A known word of the measure's phrase may change it: `Germany's high complexity exports`, `a third of Germany's exports`.
pub(crate) fn why_modified(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    if asked.one.rank.is_some() && asked.rows == 1 {
        return None;
    }
    let ends_part = |token: &Token| matches!(token.kind, Kind::Mark(':' | ';'));
    let from = line.until(figure.token).iter().rposition(ends_part).unwrap_or(0);
    let measures = || (from..figure.token).filter(|at| line.token(*at).is_some_and(is_measure));
    let modifiers = measures().flat_map(|at| (0..at).rev().take_while(|at| modifies(line, *at)));
    let is_share =
        matches!(figure.quantity.unit, Unit::Percent | Unit::PercentagePoints) && !asked.is_change();
    let behind = measures().filter_map(|at| narrowed_behind(asked, line, at)).next();
    let mut heads = measures().filter_map(|at| head(line, at)).filter(|_| !is_share);
    let mut modifiers = modifiers.filter_map(|at| line.token(at));
    let word = modifiers.find(|token| !describes(asked, token));
    // `Kenya's lowest GDP per capita`
    let extreme = |at: usize| {
        let before = line
            .before(at, 1)
            .filter(|word| word.is("comparative", "most") || word.is("comparative", "least"))?;
        let is_owned =
            line.before(at, 2).is_some_and(|owner| owner.folded == "s" || owner.listed("third_person"));
        Some(before).filter(|word| is_owned && asked.rows == 1 && !asked.knows(&word.folded))
    };
    let mut extremes = measures().filter_map(extreme);
    word.or_else(|| heads.find(|token| !is_whole(asked, token)))
        .or(behind)
        .or_else(|| extremes.next())
        .map(|word| Place::unclear(&word.folded))
}

/// The noun behind a measure that makes it another: `Kenya's GDP per capita gap is`.
fn narrowed_behind<'a>(asked: &Asked<'_>, line: &'a Line, at: usize) -> Option<&'a Token> {
    let (noun, verb) = (line.token(at + 1)?, line.token(at + 2)?);
    let is_noun = noun.kind == Kind::Words
        && (noun.role("noun") || noun.class == Some(Class::Noun) || noun.tagged("direction"))
        && !has(noun, &ENDING);
    let ends = verb.role("be") || verb.is_verb() || verb.mark(':') || verb.mark('=');
    let is_same = noun.listed("behind_measure")
        || noun.holds("value_noun")
        || noun.means() && !noun.tagged("direction")
        || noun.tagged("direction") && (asked.is_change() || asked.is_balance())
        || asked.knows(&noun.folded);
    (is_noun && ends && !is_same).then_some(noun)
}

/// Whether a token is a measure, a product or a scope, outside brackets.
fn is_measure(token: &Token) -> bool {
    let is_thing = matches!(token.kind, Kind::Product(_) | Kind::Row(_))
        || !token.terms.is_empty()
        || token.listed("rank_head");
    token.depth == 0
        && (is_thing || ["flow", "metric", "scope"].iter().any(|kind| token.tagged(kind)))
        && (token.role("noun") || !token.role("verb"))
        && !token.folded.ends_with("ing")
}

/// Whether a word can stand between the owner of a measure and the measure: `Germany's | adjusted | exports`.
fn modifies(line: &Line, at: usize) -> bool {
    let Some(token) = line.token(at) else { return false };
    // `its adjusted exports`, `Brazil's lost exports`, `exports of used cars`, not `Germany adjusted its exports`
    let is_participle = token.is_participle()
        && line
            .before(at, 1)
            .is_some_and(|before| matches!(before.folded.as_str(), "s" | "of") || before.role("article"));
    // `Swiss watch exports`
    let is_noun = line.token(at + 1).is_some_and(|next| next.tagged("flow") && next.role("noun"))
        && line.before(at, 1).is_some_and(|before| matches!(before.kind, Kind::Country(_)));
    token.kind == Kind::Words
        && token.folded != "s"
        && !token.folded.starts_with("the ")
        && (!token.tagged("comparative") || token.role("adjective"))
        && (!token.role("article") || token.operator("about"))
        && !has(token, &ENDING)
        && (!token.role("verb") || token.role("adjective") || is_participle || is_noun)
}

/// Whether a word before a measure leaves it what it is. Unknown words are judged with the rest of the clause.
fn describes(asked: &Asked<'_>, token: &Token) -> bool {
    // `Brazil's lost exports` are none
    let is_gone = token.listed("irregular_participle");
    token.unknown()
        || DESCRIBING.iter().any(|kind| token.tagged(kind)) && !is_gone
        || token.tags.iter().any(|tag| tag.0 == "part" && asked.allows(*tag))
        || token.role("adverb") && !token.role("adjective")
        || token.listed("measure_modifier")
        || asked.rows > 1 && token.listed("ranks_first")
        || asked.knows(&token.folded)
}

/// What a measure is the object of: `a third | of Germany's exports`.
fn head(line: &Line, measure: usize) -> Option<&Token> {
    let owns = |at: usize| {
        line.token(at).is_some_and(|token| {
            matches!(token.kind, Kind::Country(_)) || token.folded == "s" || token.role("article")
        })
    };
    let of = (0..measure).rev().find(|at| !owns(*at) && !modifies(line, *at))?;
    match line.token(of)? {
        token if token.folded == "of" => line.before(of, 1),
        token => Some(token).filter(|token| token.folded.ends_with(" of")),
    }
}

/// Whether the head of a measure's phrase is the whole of it: `the value of`, not `a third of`.
fn is_whole(asked: &Asked<'_>, head: &Token) -> bool {
    match head.kind {
        // `a third`, not `33 %`
        Kind::Number(_) => head.folded.contains(|c: char| c.is_ascii_digit()),
        Kind::Words => {
            let is_count =
                asked.number().is_some_and(|number| matches!(number.unit, Unit::Count | Unit::Persons));
            let is_share = head.holds("share_noun") && asked.knows("share");
            is_share
                || head.unknown()
                || head.means()
                || head.role("pronoun")
                || head.is_demonstrative()
                || head.listed("measure_head") && (is_count || !head.folded.ends_with("number"))
                || asked.knows(&head.folded)
        }
        _ => true,
    }
}

/// Whether a word between a verb and its figure says nothing of how the verb governs it.
fn is_passed(token: &Token) -> bool {
    token.role("article")
        || token.operator("about")
        || token.role("adverb") && !token.role("preposition")
        || token.is_manner()
}

/// A verb before a level may not state it: `exports dropped $164 billion`, `exports were down from $164 billion`.
pub(crate) fn why_governed(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let mut before = line.until(figure.token).iter().rev().filter(|token| !is_passed(token));
    let last = before.next().filter(|_| !asked.is_change())?;
    let (verb, preposition) = match last.role("preposition") && !last.role("verb") {
        true => (before.next()?, last.folded.as_str()),
        false => (last, ""),
    };
    let is_verb = verb.kind == Kind::Words
        && !verb.role("be")
        && (verb.role("verb") && !verb.role("noun")
            || verb.class == Some(Class::Verb)
            || verb.tagged("direction")
            || verb.tagged("comparative") && !verb.role("adjective") && !verb.operator("about")
            || verb.operator("bound_behind")
            || verb.folded.ends_with("ed"));
    let is_from = preposition == "from" || last.folded.ends_with(" from");
    let states = !is_from
        && (verb.listed("states_value")
            || asked.is_balance()
                && (verb.holds("states_balance") || verb.tagged("comparative") && !verb.tagged("direction"))
            || verb.listed("states_count") && figure.quantity.unit == Unit::Count
            || verb.tagged("flow")
            // `ahead of coffee by $1.13 billion`
            || asked.one.follows.is_some() && verb.operator("comparison") && preposition == "by"
            || verb.tagged("direction") && preposition == "to"
            || asked.knows(&verb.folded));
    // `$164 billion short`
    let is_amount = !matches!(figure.quantity.unit, Unit::Rank | Unit::Positions) && !asked.is_balance();
    let behind = line.behind(figure.token).first().filter(|next| is_amount && next.listed("behind_amount"));
    behind
        .or_else(|| (is_from || is_verb && !states).then_some(verb))
        .map(|word| Place::unclear(&word.folded))
}

/// A plain word right beside a figure may make it something else: `a $209 billion lead`, `a gap of $6.8 billion`.
pub(crate) fn why_beside(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_plain = |token: &&Token| {
        token.kind == Kind::Words
            && !token.unknown()
            && !token.is_manner()
            && !has(token, &ENDING)
            && token.tags.iter().all(|tag| matches!(*tag, ("role", "noun" | "verb" | "adjective" | "adverb")))
            && !asked.knows(&token.folded)
    };
    let depth = line.token(figure.token)?.depth;
    let behind = line.behind(figure.token).first().filter(is_plain).filter(|next| next.depth == depth);
    // `52.4 million more people`
    let is_level = !asked.is_change() && !asked.is_balance() && asked.one.follows.is_none();
    let is_more = |token: &Token| matches!(token.folded.as_str(), "more" | "fewer" | "less");
    let more =
        line.behind(figure.token).first().filter(|next| is_level && !asked.knows("new") && is_more(next));
    // `24 of Kenya's new products`
    let is_part = |pair: &[Token]| {
        matches!(pair, [of, whole] if of.folded == "of"
            && (whole.folded == "its" || matches!(whole.kind, Kind::Country(_))))
    };
    let is_new = |token: &Token| token.is("metric", "new_products");
    let counts = figure.quantity.unit == Unit::Count && line.behind(figure.token).iter().take(5).any(is_new);
    let part = line.behind(figure.token).get(..2).filter(|pair| counts && is_part(pair));
    let of = line.before(figure.token, 1).is_some_and(|of| of.folded == "of");
    let head = line.before(figure.token, 2).filter(|_| of).filter(is_plain);
    behind
        .filter(|next| !next.listed("behind_figure"))
        .or(more)
        .or_else(|| part.and_then(<[Token]>::first))
        .or_else(|| head.filter(|head| !head.listed("of_figure")))
        .map(|word| Place::unclear(&word.folded))
}

/// A verb before a change may not state it, or not in which direction: `withered by 2.6 %`, `surrendered 0.43 points`.
pub(crate) fn why_moved_unclearly(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let is_skipped =
        |token: &&Token| token.tagged("comparative") || is_passed(token) && !token.tagged("direction");
    let mut before = line.until(figure.token).iter().rev().filter(|token| !is_skipped(token));
    let last = before.next().filter(|_| asked.is_change() && !asked.is_balance())?;
    let by = last.folded == "by";
    let verb = if by { before.next()? } else { last };
    let is_verb = verb.kind == Kind::Words
        && (by || verb.unknown() || verb.role("verb") && !verb.role("noun"))
        && (by || verb.class == Some(Class::Verb) || verb.folded.ends_with("ed"));
    // `doubled by 100 %`. Of a yearly rate, `doubled` restates the whole period and not the figure behind it.
    let restates =
        asked.context.statistic != Some(Statistic::Cagr) && restates_growth(asked, verb) == Some(true);
    let states = verb.tagged("direction")
        || verb.role("be")
        || verb.tagged("flow")
        || verb.means()
        || ["moves", "states_value", "changes_rate", "says_change"].iter().any(|list| verb.listed(list))
        || restates
        || asked.knows(&verb.folded);
    (is_verb && !states).then(|| Place::unclear(&verb.folded))
}

/// A word before a phrase or a term that may keep it from being asserted: `some years between 1995 and 2024`, `close to complete`.
/// It reads back from there, without articles and adverbs, and goes on past prepositions and nouns of the list. Unknown words are
/// judged with the rest of the clause.
pub(crate) fn why_preceded<'t>(before: &'t [Token], knows: &dyn Fn(&str) -> bool) -> Option<&'t Token> {
    // `leads away from`, but not `turns out`
    let is_away = |token: &Token| token.listed("gone") && token.folded != "out";
    // `some` and `most` are a part
    let is_skipped = |token: &&Token| {
        let is_adverb = token.role("adverb") && !token.role("preposition");
        let is_part = token.tagged("operator") || token.tagged("comparative");
        !is_away(token) && ((token.role("article") || is_adverb) && !is_part || token.is_manner())
    };
    let links =
        |token: &Token| token.role("preposition") || token.role("noun") && token.listed("before_phrase");
    // `was upgraded from low-income`, `compares Kenya with the low-income group`
    let mut near = before.iter().rev().filter(|token| !is_skipped(token));
    let link = near.next().map_or("", |token| token.folded.as_str());
    // `aspires to`, `is closing in on`
    let strives = |token: &Token| {
        matches!(link, "to" | "on") && (token.folded.ends_with("ing") || token.folded.ends_with('s'))
    };
    let states = |token: &Token| {
        token.kind != Kind::Words
            || token.unknown() && !strives(token)
            || has(token, &["be", "final", "pronoun", "relative"]) && !is_away(token)
            || token.operator("free")
            || token.folded.chars().count() == 1
            || token.listed("before_phrase")
            || token.listed("states_name")
            || knows(&token.folded)
    };
    let is_left =
        |verb: &Token| verb.folded.ends_with("ed") && !verb.means() && !verb.listed("before_phrase");
    let left = near.next().filter(|verb| link == "from" && is_left(verb));
    let is_compared = |verb: &&Token| matches!(verb.folded.as_str(), "compares" | "compare" | "compared");
    let compared = before.iter().find(is_compared).filter(|_| matches!(link, "with" | "to" | "against"));
    if let Some(verb) = left.or(compared) {
        return Some(verb);
    }
    let mut linked = true;
    let words = before.iter().rev().filter(|token| !is_skipped(token));
    words.take_while(|token| std::mem::replace(&mut linked, links(token))).find(|token| !states(token))
}

/// A word behind a phrase or a term that may keep it from being asserted: `was among the ones passed over`, `plays a bit part`. It
/// is the first word there that is no article or adverb; behind a form of `be`, the next one.
pub(crate) fn why_followed<'t>(behind: &'t [Token], knows: &dyn Fn(&str) -> bool) -> Option<&'t Token> {
    let is_skipped = |token: &&Token| {
        token.role("article") || token.is_manner() || token.role("adverb") && !token.tagged("operator")
    };
    // `is out`, `has been switched off`
    let ends = |token: &Token| token.is_mark() || token.role("preposition") && !token.listed("gone");
    // `at around $12 billion`
    let is_about = |at: usize| {
        behind.get(at).is_some_and(|token| token.operator("about"))
            && behind.get(at + 1).is_some_and(|next| next.number().is_some() || next.mark('$'))
    };
    let part = behind.iter().enumerate().take_while(|(at, token)| !ends(token) && !is_about(*at));
    let part: Vec<&Token> = part.map(|(_, token)| token).take(4).collect();
    // `came out ahead`
    let goes_on =
        part.windows(2).find(|pair| matches!(pair, [out, next] if out.folded == "out" && !next.role("verb")));
    if let Some(gone) = part
        .iter()
        .copied()
        .filter(|token| !token.role("article") && goes_on.is_none())
        .find(|token| token.listed("gone") && !knows(&token.folded))
    {
        return Some(gone);
    }
    // `have started to grow`
    if let [to, verb, ..] = behind
        && to.folded == "to"
        && (verb.is_verb()
            || verb.class == Some(Class::Verb)
            || verb.tagged("direction")
            || verb.listed("changes_rate"))
        && !knows(&verb.folded)
    {
        return Some(verb);
    }
    let mut words = behind.iter().filter(|token| !is_skipped(token));
    let states = |token: &Token| {
        token.kind != Kind::Words
            || has(token, &["relative", "pronoun", "clause"])
            || token.means() && !token.tagged("direction")
            || token.tagged("operator")
            || token.listed("behind_phrase")
            || knows(&token.folded)
    };
    let first = words.next()?;
    let cleft = cleft_verb(behind).filter(|verb| !states(verb));
    if cleft.is_some() {
        return cleft;
    }
    match first.role("be") {
        true => words.next().filter(|next| !states(next)),
        false => Some(first).filter(|first| !states(first) && !has(first, &["preposition", "and", "lead"])),
    }
}

/// The last verb of a cleft behind a value or name: `… is what Kenya lost`.
fn cleft_verb(behind: &[Token]) -> Option<&Token> {
    let is_cleft = |four: &[Token]| {
        matches!(four, [be, what, name, verb]
            if be.role("be") && what.role("relative") && name.is_name() && verb.kind == Kind::Words && !verb.role("be"))
    };
    behind.get(behind.windows(4).position(is_cleft)? + 3)
}

/// A cleft behind the figure may not assert it: `$2,274 is what Kenya wants`.
pub(crate) fn why_cleft(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<Place> {
    let verb = cleft_verb(line.behind(figure.token))?;
    let states = verb.listed("states_value")
        || verb.listed("states_name")
        || verb.tagged("flow")
        || verb.listed("behind_phrase")
        || asked.knows(&verb.folded);
    (!states).then(|| Place::unclear(&verb.folded))
}
