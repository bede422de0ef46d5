//! Where a figure or a name of the answer belongs: to what is asked for, to another row, another context, under an
//! operator, or nowhere that is known.

use super::asked::Asked;
use super::base::{base, base_before, is_of_some, is_one_side, of_all, other_base, scope_of};
use super::candidates::exceeds;
use super::context::{differs, is_set_off, is_world};
use super::figure::Figure;
use super::said::Said;
use super::side::{acts, reporter};
use super::text::Line;
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};
use crate::value::{Period, Statistic, Unit};

/// The place of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// It fills what is asked for.
    Asked,
    /// It belongs to another row of the record.
    OtherSlot,
    /// It is of another context; the part that differs.
    OtherContext(String),
    /// It stands under an operator, and nothing asserts it.
    Operator(String),
    /// What it is nobody can say; the reason.
    Unplaced(String),
}

/// The place of what is said in a context.
pub(super) fn place(asked: &Asked<'_>, said: &Said, line: &Line) -> Place {
    let said = &*said.with_contrasts(|contrast| is_set_off(asked, contrast));
    if line.sentence.question {
        return Place::Operator("a question asserts nothing".to_owned());
    }
    // `Is Kenya's …`, `Were it …` put first what an assertion puts behind its subject
    let first = line.sentence.tokens.first().filter(|token| {
        token.role("be") && !matches!(token.folded.as_str(), "s" | "being")
            || matches!(token.folded.as_str(), "had" | "should" | "did" | "does" | "do")
    });
    if first.is_some()
        && line.sentence.tokens.get(1).is_some_and(|next| next.number().is_none())
        && !line.passage.cell
    {
        return Place::Operator("a question or a supposition asserts nothing".to_owned());
    }
    if !said.rows.is_empty() && !said.rows.contains(&asked.row) {
        return Place::OtherSlot;
    }
    if let Some(part) = differs(asked, said) {
        return Place::OtherContext(part);
    }
    // `without comparative advantage` is asked for, and the answer says `with`
    let question = asked.question.as_ref().map_or(&[][..], |question| &question.tokens);
    let left_out =
        question.windows(2).filter(|pair| pair.first().is_some_and(|token| token.operator("exception")));
    let mut left_out = left_out.filter_map(|pair| pair.last()).flat_map(|token| &token.tags);
    let excepts = said.operators.iter().any(|(kind, _)| matches!(*kind, "exception" | "negation"));
    if !excepts && left_out.any(|tag| tag.0 == "metric" && said.tags.contains(tag)) {
        return Place::Unplaced("it does not leave out what the question leaves out".to_owned());
    }
    // `counting oil as well`, where exports without oil are asked for
    let says_oil =
        said.words.iter().any(|word| word == "oil") && !said.tags.contains(&("modifier", "non_oil"));
    if asked.has("modifier", "non_oil") && says_oil && !excepts {
        return Place::OtherContext("what narrows it, oil".to_owned());
    }
    // `the former is $5`, and nobody says which that is
    let named = said
        .operators
        .iter()
        .find(|(kind, word)| matches!(*kind, "former" | "latter") && word.contains(kind));
    if let Some((_, word)) = named {
        return Place::Unplaced(format!("it does not say what \"{word}\" is"));
    }
    if begins_past(line) {
        return Place::OtherContext("the time before".to_owned());
    }
    // what is said of another time or given up is placed, whatever else is said of it
    let under = operator(asked, said);
    if let Some(under @ Place::OtherContext(_)) = under {
        return under;
    }
    if let Some(word) = said.unknown.iter().find(|word| !asked.knows(word) && !asked.products.contains(*word))
    {
        return Place::Unplaced(format!("\"{word}\" makes it another figure than is asked for"));
    }
    under.unwrap_or(Place::Asked)
}

/// Whether a figure with a sign or in points is said of both ends of the change that is asked for: `2024 minus 2014 gives
/// +0.43 points`.
fn names_both_ends(asked: &Asked<'_>, figure: &Figure, line: &Line) -> bool {
    let ends = asked.context.period.filter(|own| own.start != own.end);
    let written = line.sentence.tokens.get(figure.token).map(|token| line.sentence.shown(&token.range));
    let signed = figure.direction.is_some()
        || written.is_some_and(|written| written.starts_with('+'))
        || figure.quantity.number.is_sign_negative()
        || matches!(figure.quantity.unit, Unit::PercentagePoints | Unit::Positions);
    let says = |year: i16| figure.said.periods.contains(&Period::year(year));
    signed && ends.is_some_and(|own| says(own.start) && says(own.end))
}

/// `…, an increase of $162 billion`: what stands behind it is how much, whatever year is named.
fn is_difference(figure: &Figure, line: &Line) -> bool {
    let before = |by: usize| figure.token.checked_sub(by).and_then(|at| line.sentence.tokens.get(at));
    let moves = |token: &Token| token.tags.iter().any(|(kind, _)| *kind == "direction");
    before(1).is_some_and(|token| token.folded == "of")
        && (before(2).is_some_and(moves) || before(3).is_some_and(moves))
}

/// `before the recession`: a time that no year says.
fn is_past(before: &Token, then: &Token) -> bool {
    matches!(before.folded.as_str(), "before" | "prior to")
        && !matches!(then.kind, Kind::Period(_) | Kind::Number(_))
        && !then.role("pronoun")
        && !then.folded.ends_with("ing")
}

/// Whether a sentence, or what stands over it, begins so.
pub(super) fn begins_past(line: &Line) -> bool {
    let heads = line.heads.iter().map(|head| &head.tokens);
    std::iter::once(&line.sentence.tokens).chain(heads).any(|tokens| {
        let mut words = tokens.iter().filter(|token| !token.role("article"));
        words.next().zip(words.next()).is_some_and(|(first, second)| is_past(first, second))
    })
}

/// The operator that keeps it from being asserted.
pub(super) fn operator(asked: &Asked<'_>, said: &Said) -> Option<Place> {
    let elsewhere = |kind: &str| matches!(kind, "past" | "future" | "elsewhere");
    // what is said of another time or source is placed, whatever doubts it
    let (first, then): (Vec<_>, Vec<_>) = said.operators.iter().partition(|(kind, _)| elsewhere(kind));
    for (kind, word) in first.into_iter().chain(then) {
        let exempt = asked.knows(word) && !matches!(*kind, "negation" | "wrong");
        let place = match *kind {
            "negation" => Some(Place::Operator(format!("\"{word}\" denies it"))),
            "set_off" => Some(Place::Operator(format!("\"{word}\" may not be said of it"))),
            "hedge" if word == "should" && asked.is_projection() => None,
            "hedge" if !exempt => Some(Place::Operator(format!("\"{word}\" doubts it"))),
            "condition" => Some(Place::Operator(format!("\"{word}\" makes it depend"))),
            "question" if !exempt => Some(Place::Operator(format!("\"{word}\" asks"))),
            "wrong" | "stale" | "other" if !exempt => {
                Some(Place::Operator(format!("\"{word}\" takes it back")))
            }
            "exception" if word == "times" && asked.knows("ratio") => None,
            "exception" if !exempt => Some(Place::Operator(format!("\"{word}\" leaves something out"))),
            "withdrawn" => Some(Place::Operator(format!("\"{word}\" gives it up"))),
            "past" | "future" if !(exempt || *kind == "future" && asked.is_projection()) => {
                Some(Place::OtherContext(format!("the time, \"{word}\"")))
            }
            "elsewhere" if !exempt => Some(Place::OtherContext(format!("the source, \"{word}\""))),
            _ => None,
        };
        if place.is_some() {
            return place;
        }
    }
    None
}

/// Why a figure that is said of what is asked for is no value of it.
pub(super) fn figure(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Place {
    let change = asked.is_change();
    // `grew from A to B` gives two levels
    let moved = !change && matches!(figure.joint, Some("to" | "from")) && figure.direction.is_some();
    let mut said = figure.said.clone();
    if moved {
        said.tags.retain(|tag| *tag != ("modifier", "growth"));
    }
    // `its trade with Spain left a surplus of $5 billion`
    if asked.is_balance() && figure.direction.is_some() {
        said.tags.retain(|tag| *tag != ("part", "two_way"));
    }
    let compares = line
        .sentence
        .tokens
        .get(figure.token + 1)
        .is_some_and(|next| next.is("comparative", "more") || next.is("comparative", "less"));
    // `lists no pairs: the count is 0` says it twice
    if figure.quantity.number.is_zero() {
        said.operators.retain(|(kind, word)| {
            *kind != "negation" || !matches!(word.rsplit(' ').next(), Some("no" | "none" | "nothing"))
        });
    }
    // `the share barely moved: 20.6 % in 2019`
    if !change && let Some(word) = still(figure, line) {
        said.operators.retain(|(kind, own)| *kind != "negation" || own != word);
    }
    // `It didn't grow, it shrank: −0.69 %`
    if let Some(word) = other_way(figure, line) {
        said.operators.retain(|(kind, own)| *kind != "negation" || own != word);
    }
    if let Some(word) = &figure.withdrawn {
        return Place::Operator(format!("\"{word}\" gives it up"));
    }
    if let Some(why) = figure.operand.as_ref().filter(|why| *why == "a threshold") {
        return Place::OtherContext(why.clone());
    }
    let mut at = place(asked, &said, line);
    if at == Place::Asked || matches!(at, Place::OtherContext(_)) && change {
        let rate = asked.number().is_some_and(|number| number.unit == Unit::Percent);
        let level_of_year = !rate && figure.said.periods.iter().any(|said| said.start == said.end);
        if change
            && (matches!(figure.joint, Some("to" | "from"))
                || (level_of_year
                    && !figure.counted.as_deref().is_some_and(|noun| lexicon::listed("places", noun))
                    && figure.joint != Some("by")
                    && !compares
                    && !is_difference(figure, line)
                    && !names_both_ends(asked, figure, line)
                    && asked.context.period.is_some_and(|own| own.start != own.end)))
        {
            at = Place::OtherContext("the level, and not the change".to_owned());
        }
    }
    // what another sentence was said of is not for sure what this one is of
    if let (Place::OtherContext(part), Some(own)) = (&at, &figure.by_itself)
        && own != &said
        && !matches!(place(asked, own, line), Place::OtherContext(_))
    {
        return Place::Unplaced(format!("it may be of what was said before, or of what is asked: {part}"));
    }
    if at != Place::Asked {
        return at;
    }
    // `$78.2 billion higher` is a difference
    let differs = line.sentence.tokens.get(figure.token + 1).is_some_and(|next| {
        next.folded.ends_with("er")
            && next.tags.iter().any(|(kind, _)| *kind == "comparative")
            && !next.role("noun")
    });
    if differs
        && change
        && line
            .sentence
            .tokens
            .get(..figure.token)
            .unwrap_or_default()
            .iter()
            .any(|token| token.tags.iter().any(|(kind, _)| *kind == "direction"))
    {
        return Place::Unplaced("it says twice which way it goes".to_owned());
    }
    let than = line.sentence.tokens.get(figure.token + 2).is_some_and(|next| next.folded == "than");
    if differs && !change && !(asked.is_balance() && than) && figure.quantity.unit != Unit::Rank {
        return Place::OtherContext("a difference, and not the value".to_owned());
    }
    // `1.68 times that of Ethiopia` is a ratio; `1.68 times less` is another one
    let behind_times = line.sentence.tokens.get(figure.token + 2);
    let is_ratio = asked.knows("ratio")
        && line.sentence.tokens.get(figure.token + 1).is_some_and(|next| next.folded == "times")
        && behind_times.is_some_and(|next| {
            !next.tags.iter().any(|(kind, _)| matches!(*kind, "comparative" | "direction"))
        });
    // `0.43 points higher than in 2014`, `exported $5 billion more than it imported`
    let is_asked = change && names_both_ends(asked, figure, line) || exceeds(asked, figure, line).is_some();
    if let Some(why) = figure.operand.as_ref().filter(|_| !is_ratio && !is_asked) {
        return Place::OtherContext(why.clone());
    }
    if let Some(trouble) = &figure.trouble {
        return Place::Unplaced(trouble.clone());
    }
    if let Some(bound) = &figure.bound {
        return Place::Operator(format!("\"{bound}\" is a bound"));
    }
    let before = |by: usize| figure.token.checked_sub(by).and_then(|at| line.sentence.tokens.get(at));
    // `by 0.04 percentage points every year`
    let behind = line.sentence.tokens.get(figure.token + 1..).unwrap_or_default();
    let behind = behind.iter().take_while(|token| token.number().is_none() && !token.mark(';'));
    let behind: String = behind.flat_map(|token| [" ", token.folded.as_str()]).collect::<String>() + " ";
    let yearly = lexicon::list("yearly").iter().any(|word| behind.contains(&format!(" {word} ")));
    if yearly
        && matches!(figure.quantity.unit, Unit::PercentagePoints | Unit::Positions | Unit::Count)
        && !asked.has("statistic", "cagr")
    {
        return Place::OtherContext("the rate, of a year".to_owned());
    }
    // `products in which its RCA stays under 1`
    let under = |pair: &[Token]| {
        matches!(pair, [bound, one] if lexicon::listed("upper_bound", &bound.folded)
            && one.number().is_some_and(|number| number.number == rust_decimal::Decimal::ONE))
    };
    if asked.one.data_point == "rca_products" && line.sentence.tokens.windows(2).any(under) {
        return Place::OtherContext("the end of the comparison".to_owned());
    }
    // `number 3` is a place, and no change of it
    let is_place = before(1).is_some_and(|token| lexicon::listed("rank", &token.folded) || token.mark('#'));
    if asked.number().is_some_and(|number| number.unit == Unit::Positions) && is_place {
        return Place::OtherContext("the level, and not the change".to_owned());
    }
    // `is to outgrow the world by 3.38 %`
    let outdoes = |token: &Token| token.is("comparative", "more") && token.folded.starts_with("out");
    let led = line.sentence.tokens.get(..figure.token).unwrap_or_default();
    if figure.joint == Some("by") && led.iter().any(|token| outdoes(token) && !asked.knows(&token.folded)) {
        return Place::OtherContext("a difference, and not the value".to_owned());
    }
    // `the remaining 77 % was all other services`
    let rest = line.sentence.tokens.get(..figure.token).unwrap_or_default().iter().rev();
    let mut rest = rest.take_while(|token| token.number().is_none() && !token.mark(';')).take(4);
    if rest.any(|token| lexicon::listed("rest", &token.folded)) {
        return Place::OtherContext("the rest, and not the value".to_owned());
    }
    if before(1).is_some_and(|token| token.folded == "once") {
        return Place::OtherContext("the time, \"once\"".to_owned());
    }
    // `a loss of $5` is no level, whatever it is said of
    let falls = |token: &Token| token.is("direction", "down") && !token.role("verb");
    if !change
        && !asked.is_balance()
        && before(1).is_some_and(|token| token.folded == "of")
        && before(2).is_some_and(falls)
    {
        return Place::OtherContext("the change, and not the level".to_owned());
    }
    if figure.quantity.unit == Unit::Percent
        && let Some(why) = other_base(asked, line, figure.token)
    {
        return Place::OtherContext(why.to_owned());
    }
    if figure.quantity.unit == Unit::OtherCurrency {
        return Place::OtherContext("the currency".to_owned());
    }
    if !asked.is_balance() && acts(asked.partner, line).is_some_and(|flow| asked.context.flow == Some(flow)) {
        return Place::OtherContext("the flow, of the partner".to_owned());
    }
    // `as China reports them`, where what India reports is asked for
    let who = asked.reporter;
    if who.is_some() && reporter(&line.sentence.tokens).is_some_and(|said| who != Some(said)) {
        return Place::OtherContext("the reporter".to_owned());
    }
    // `Kenya itself exports $2 billion of it`
    if asked.is_of_the_world() && acts(asked.country, line).is_some() {
        return Place::OtherContext("the base, which is not the world's".to_owned());
    }
    let own = figure.by_itself.as_ref().unwrap_or(&figure.said);
    if asked.is_balance() && exceeds(asked, figure, line).is_none() && is_one_side(figure, own, line) {
        return Place::OtherContext("one side of the balance".to_owned());
    }
    // `is in deficit by $1.63 billion`
    let is_state = |token: &Token| {
        ["in deficit", "in surplus", "in the red", "in the black"].contains(&token.folded.as_str())
    };
    let exceeds = line.sentence.tokens.iter().any(|token| token.folded.starts_with("exceed"));
    if !change
        && figure.joint == Some("by")
        && !(asked.is_balance() && before(2).is_some_and(is_state))
        && (asked.is_balance() && !exceeds || figure.direction.is_some() && !asked.is_balance())
    {
        return Place::OtherContext("the change, and not the level".to_owned());
    }
    if !change && figure.joint == Some("from") && figure.direction.is_some() {
        return Place::OtherContext("the time before".to_owned());
    }
    if asked.number().is_some_and(|number| number.unit == Unit::Count) {
        if figure.direction == Some(false) && !asked.ends.1 {
            return Place::Unplaced("it counts what is lost".to_owned());
        }
        if let Some(noun) = figure.noun.as_ref().filter(|noun| {
            !asked.knows(noun) && !["ones", "items", "goods", "entries", "lines"].contains(&noun.as_str())
        }) {
            return Place::OtherContext(format!("what is counted, {noun}"));
        }
    }
    if let (Some(own), Some(said)) = (asked.base(), base(line, figure.token))
        && own.is_disjoint(&said)
        && !(own.contains(&("metric", "world_trade")) && figure.said.words.iter().any(|word| is_world(word)))
    {
        return Place::OtherContext("the base".to_owned());
    }
    // a share of the services is none of all exports, and the other way round
    let behind = line.sentence.tokens.get(figure.token + 1..).unwrap_or_default();
    let before = base_before(line, figure.token).filter(|_| figure.quantity.unit == Unit::Percent);
    let of_scope = figure.quantity.unit == Unit::Percent
        && behind.first().is_some_and(|token| token.folded == "of")
        && scope_of(behind).is_some();
    let has_base = base(line, figure.token).is_some() || of_scope;
    let base_scope = scope_of(before.filter(|_| !has_base).unwrap_or(behind));
    let is_narrower = matches!(base_scope, Some("goods" | "services"));
    if matches!(figure.quantity.unit, Unit::Percent | Unit::PercentagePoints)
        && (has_base || before.is_some() && !asked.is_change())
        && base_scope != asked.base_scope()
        && (asked.base_scope().is_some() || is_narrower)
    {
        return Place::OtherContext("the base, of another scope".to_owned());
    }
    let behind_it = line.sentence.tokens.get(figure.token + 1..).unwrap_or_default();
    let phrase = behind_it.iter().take_while(|token| !matches!(token.kind, Kind::Mark(_)));
    let phrase: Vec<&Token> = phrase.collect();
    if phrase.windows(2).any(|pair| matches!(pair, [a, b] if a.folded == "to" && b.folded == "be")) {
        return Place::OtherContext("the time, \"to be\"".to_owned());
    }
    if asked.rows == 1 && figure.quantity.unit == Unit::Usd && is_of_some(asked, figure, line) {
        return Place::OtherContext("a part of all".to_owned());
    }
    if let Some(word) = reckoned(asked, figure, line) {
        return Place::Unplaced(format!("\"{word}\" makes it another figure than is asked for"));
    }
    if let Some(word) = trailing(asked, figure, line) {
        return Place::Operator(format!("\"{word}\" behind it takes it back"));
    }
    // `$2,274 before the recession`, `$2,274, before revision`
    let clause = line.clauses.iter().find(|clause| clause.tokens.contains(&figure.token));
    let rest = clause.into_iter().flat_map(|clause| &clause.tokens).filter(|at| **at > figure.token);
    let rest: Vec<&Token> = rest.filter_map(|at| line.sentence.tokens.get(*at)).collect();
    let hangs = |three: &[&Token]| matches!(three, [comma, before, then] if comma.mark(',') && is_past(before, then) && !then.role("article"));
    if rest.windows(3).any(hangs) {
        return Place::OtherContext("the time before".to_owned());
    }
    if phrase.windows(2).any(|pair| matches!(pair, [before, then] if is_past(before, then))) {
        return Place::OtherContext("the time before".to_owned());
    }
    // places that are counted from another end than the top
    let is_end = |token: &Token| token.folded.ends_with("est") || token.is("comparative", "less");
    let tokens = &line.sentence.tokens;
    let counts_from = tokens.iter().enumerate().any(|(at, token)| {
        token.folded.split(' ').next() == Some("from")
            && tokens.get(at + 1..).unwrap_or_default().iter().take(2).any(is_end)
    });
    if figure.quantity.unit == Unit::Rank && counts_from {
        return Place::Unplaced("it says from which end places are counted".to_owned());
    }
    if asked.is_projection() && figure.said.words.iter().any(|word| lexicon::listed("of_the_past", word)) {
        return Place::OtherContext("the time, which is past".to_owned());
    }
    let behind = line.sentence.tokens.get(figure.token + 1);
    if figure.quantity.unit == Unit::Rank
        && !asked.ends.1
        && behind.is_some_and(|next| next.is("comparative", "less"))
    {
        return Place::OtherContext("the end that places are counted from".to_owned());
    }
    // `up 12 %` is no share and no level
    if !change
        && figure.direction.is_some()
        && figure.joint != Some("to")
        && figure.quantity.unit == Unit::Percent
        && !figure.said.tags.contains(&("statistic", "share"))
        && !asked.is_balance()
    {
        return Place::OtherContext("the change, and not the level".to_owned());
    }
    // growth over a period is no yearly rate
    let yearly = figure.said.tags.contains(&("statistic", "cagr"))
        || figure
            .said
            .words
            .iter()
            .any(|word| ["annual", "averag", "yearly", "year", "cagr"].contains(&word.as_str()));
    let bare = figure.said.alone || figure.said.labelled || figure.said.is_final;
    if matches!(asked.context.statistic, Some(Statistic::Cagr | Statistic::Projection))
        && figure.quantity.unit == Unit::Percent
        && !yearly
        && !bare
        && (figure.said.periods.iter().any(|period| period.start != period.end)
            || figure.said.periods.len() > 1
            || !figure.said.durations.is_empty()
            || line.sentence.tokens.iter().any(|token| token.operator("comparison")))
    {
        return Place::Unplaced("it does not say that it is a yearly rate".to_owned());
    }
    // what follows from several is theirs together, and the words have to say so
    let together = figure.said.words.iter().any(|word| lexicon::listed("compares_several", word))
        || figure.quantity.total.is_some()
        || of_all(asked, figure, line);
    // of a difference, a figure of one of the two is an operand
    if asked.one.follows == Some(super::Follows::ByAJudge)
        && !together
        && asked.products.len() > 1
        && figure.said.products.len() == 1
    {
        return Place::OtherContext("one of the values that are compared".to_owned());
    }
    // `coffee exceeds tea by so much` is the contrary of what tea less coffee comes to
    let of = |tokens: &[Token]| -> Vec<String> {
        let code = |token: &Token| match token.kind {
            Kind::Product(code) if asked.products.contains(code) => Some(code.to_owned()),
            _ => None,
        };
        tokens.iter().filter_map(code).collect()
    };
    let said = of(&line.sentence.tokens);
    let order = asked.question.as_ref().map(|question| of(&question.tokens)).unwrap_or_default();
    let is_less = |token: &Token| token.is("comparative", "less") || token.is("direction", "down");
    let less = line.sentence.tokens.iter().any(|token| is_less(token) && !asked.knows(&token.folded));
    if asked.one.follows == Some(super::Follows::ByAJudge)
        && order.len() > 1
        && said.len() > 1
        && (said != order || less)
    {
        return Place::Unplaced("which of the two is more is a judge's to read".to_owned());
    }
    let stated = !figure.said.alone && !figure.said.labelled && !figure.said.is_final;
    if asked.one.follows == Some(super::Follows::ByAJudge) && stated && !together {
        return Place::Unplaced("it does not say how several values compare".to_owned());
    }
    let says_change = figure.direction.is_some()
        || figure.said.tags.contains(&("modifier", "growth"))
        || line.sentence.tokens.iter().any(|token| {
            ["change", "changed", "difference", "growth", "increase", "moved"]
                .contains(&token.folded.as_str())
        });
    let measured = figure.said.tags.iter().any(|(kind, _)| *kind == "metric");
    if change
        && !says_change
        && measured
        && !figure.said.alone
        && asked.number().is_some_and(|number| number.unit == Unit::Usd)
    {
        return Place::Unplaced("it does not say that something changed".to_owned());
    }
    Place::Asked
}

/// The word of an apposition that says how the figure was reckoned: `$5 billion, a sum of several years`.
fn reckoned(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<String> {
    let tokens = line.sentence.tokens.get(figure.token + 1..)?;
    let at = tokens
        .windows(2)
        .position(|pair| matches!(pair, [comma, article] if comma.mark(',') && article.role("article")))?;
    let phrase = tokens
        .get(at + 2..)?
        .iter()
        .take_while(|token| token.kind == Kind::Words && !token.role("preposition"));
    let noun = phrase.last()?;
    let rest = tokens.get(at + 2..)?.iter().take_while(|token| !matches!(token.kind, Kind::Mark(_)));
    let has_number = rest.into_iter().any(|token| token.number().is_some());
    (lexicon::listed("reckoned", &noun.folded) && !has_number && !asked.knows(&noun.folded))
        .then(|| noun.folded.clone())
}

/// The operator of a clause without a verb behind the figure's own: `…, give or take 10 %`, `…, but not in 2024`.
fn trailing(asked: &Asked<'_>, figure: &Figure, line: &Line) -> Option<String> {
    let own = line.clauses.iter().position(|clause| clause.tokens.contains(&figure.token))?;
    let clause = line
        .clauses
        .get(own + 1)
        .filter(|next| next.parent == line.clauses.get(own).and_then(|own| own.parent))?;
    let tokens = || clause.tokens.iter().filter_map(|at| line.sentence.tokens.get(*at));
    let is_verb = |token: &Token| {
        token.role("be")
            || token.role("verb") && !token.role("noun")
            || token.tags.iter().any(|(kind, _)| *kind == "direction")
    };
    if tokens().any(is_verb) || tokens().any(Token::unknown) {
        return None;
    }
    let has_number = tokens().any(|token| token.number().is_some());
    let of_asked = tokens().any(|token| match token.kind {
        Kind::Period(period) => asked.context.period == Some(period) || asked.periods.contains(&period),
        Kind::Country(id) => asked.country == Some(id),
        _ => false,
    });
    let takes_back =
        |token: &&Token| token.operator("hedge") || token.operator("negation") && of_asked && !has_number;
    tokens().find(takes_back).map(|token| token.folded.clone())
}

/// The negation of a movement before a colon or a comma that the figure stands behind: `it barely moved: …`
fn still<'a>(figure: &Figure, line: &'a Line) -> Option<&'a str> {
    let tokens = line.sentence.tokens.get(..figure.token)?;
    let at = tokens.iter().position(|token| token.operator("negation"))?;
    let moves = (at + 1..tokens.len().min(at + 4))
        .find(|at| tokens.get(*at).is_some_and(|token| lexicon::listed("moves", &token.folded)))?;
    let ends = tokens.get(moves + 1).is_some_and(|next| matches!(next.kind, Kind::Mark(_)));
    ends.then(|| tokens.get(at).map(|token| token.folded.as_str())).flatten()
}

/// The word that denies one direction where the other one follows before the figure.
fn other_way<'a>(figure: &Figure, line: &'a Line) -> Option<&'a str> {
    let before = line.sentence.tokens.get(..figure.token)?;
    let way = |token: &Token| {
        (token.is("direction", "up") || token.is("direction", "down")).then(|| token.is("direction", "up"))
    };
    let at = before.iter().position(|token| token.operator("negation"))?;
    let denied = before.get(at + 1).and_then(way)?;
    let follows = before.get(at + 2..)?.iter().filter_map(way).any(|way| way != denied);
    before.get(at).filter(|_| follows).map(|token| token.folded.as_str())
}
