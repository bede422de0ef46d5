//! Sentences that say nothing of the value: definitions, comparisons, remarks on other sources or on any projection, and what the
//! speaker left aside.

use crate::answer::context::differs_alone;
use crate::answer::question::asked::Asked;
use crate::language::lexicon::{self, listed};
use crate::language::token::{Class, Kind, Token};
use crate::value::{Scope, Unit};

/// The tokens of a line up to what it compares with: `That is more | than in 2010.`
pub(crate) fn before_than(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut compared = false;
    let is_than = |token: &Token| {
        compared |= token.tagged("comparative") || token.folded.starts_with("more ");
        compared && token.folded.ends_with("than")
    };
    let is_it = tokens.first().is_some_and(|first| first.is_it() || first.is_demonstrative());
    // `It is higher than the real value.`, `It is higher than what the Atlas reports.`
    let is_real = tokens.iter().any(|token| token.holds("genuine") || token.holds("site_noun"));
    if let Some(end) = tokens.iter().position(is_than).filter(|_| is_it && !is_real) {
        tokens.truncate(end);
    }
    tokens
}

/// Where a remark on any projection begins: `like any projection`.
pub(super) fn any_projection(tokens: &[&Token]) -> Option<usize> {
    let begins = |at: usize| {
        let words = tokens.iter().skip(at).take(6).map(|token| token.folded.as_str());
        let said = words.collect::<Vec<_>>().join(" ");
        lexicon::list("any_projection").iter().any(|phrase| said.starts_with(phrase.as_str()))
    };
    (0..tokens.len()).find(|at| begins(*at))
}

/// Whether a sentence says nothing of the value: it defines, leaves out what was not asked for, compares, or is about any
/// projection or a year.
pub(crate) fn says_nothing(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let first =
        |count: usize| tokens.iter().filter(|token| !token.role("article") && !token.is_mark()).take(count);
    let begins = |list: &str| first(1).any(|token| token.listed(list));
    // `For scale, that is half of today's figure.`
    let denies = |token: &&Token| ["negation", "wrong", "stale"].iter().any(|kind| token.operator(kind));
    let names_another = |token: &&Token| {
        (token.is_name() || matches!(token.kind, Kind::Period(_))) && differs_alone(asked, token)
    };
    let says_other = tokens.iter().any(|token| denies(token) || names_another(token));
    let measures = |token: &&Token| {
        token.is_name()
            || token.number().is_some()
            || token.tagged("comparative")
            || token.listed("multiple")
            || token.tagged("part")
            || token.means()
    };
    let compares = begins("compares_for") && !says_other && tokens.iter().any(measures);
    // `Like any projection, it is uncertain.`
    let of_any = asked.is_projection() && !says_other && any_projection(tokens).is_some();
    // `That was the year before the crisis.`
    let of_year = matches!(first(3).collect::<Vec<_>>().as_slice(), [it, be, year]
        if (it.is_it() || it.is_demonstrative()) && be.role("be") && year.is_of_year())
        && !tokens.iter().any(|token| matches!(token.kind, Kind::Period(_)) || token.ends_in("value_noun"));
    // `This is twice the pace of the European Union.`
    let is_ratio = |token: &Token| token.listed("multiple") || token.is("part", "quarter");
    let of_ratio = matches!(first(3).collect::<Vec<_>>().as_slice(), [it, be, ratio]
        if (it.is_it() || it.is_demonstrative()) && be.role("be") && is_ratio(ratio))
        && !tokens.iter().any(|token| {
            denies(token) || token.holds("genuine") || token.holds("site_noun") || token.operator("hedge")
        });
    // `I subtracted the first year's share from the last.`
    let is_method = |token: &&&Token| token.listed("person") && matches!(token.folded.as_str(), "i" | "we");
    let is_derived = asked.is_change() || asked.is_balance() || asked.one.follows.is_some();
    let of_method = is_derived
        && first(1).any(|token| is_method(&token))
        && tokens.iter().any(|token| token.listed("subtracts"))
        && !says_other
        && !tokens.iter().any(|token| token.number().is_some() || token.tagged("scope"));
    is_definition(tokens)
        || tells_of_world(asked, tokens)
        || counts_members(asked, tokens)
        || tells_of_other_sources(tokens)
        || tells_of_later_release(tokens)
        || compares_another(asked, tokens)
        || leaves_out_the_other(asked, tokens)
        || compares
        || of_any
        || of_year
        || of_ratio
        || of_method
}

/// Whether a sentence is about the world in general and refers to no value: `Rotterdam helps explain why transport is so important
/// to the country.` Its subject is a name or noun that the lexicon does not know, and it is in the present tense.
fn tells_of_world(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let start = tokens.iter().take_while(|token| token.role("adverb") || token.role("article")).count();
    let said = tokens.get(start..).unwrap_or_default();
    let Some(verb) = said.iter().position(|token| token.states()) else { return false };
    let (subject, rest) = said.split_at(verb);
    let mut head = subject.iter().take_while(|token| !token.role("preposition"));
    let is_thing = head.any(|token| token.unknown() && token.class == Some(Class::Noun));
    let is_present = rest.first().is_some_and(|verb| {
        matches!(verb.folded.as_str(), "is" | "are")
            || !verb.role("be") && !verb.is_participle() && verb.folded != "had"
    });
    let is_narrow = |token: &Token| {
        token.is_name()
            || matches!(token.kind, Kind::Period(_))
            || ["scope", "basis", "part"].iter().any(|kind| token.tagged(kind))
    };
    let refers = |token: &&Token| {
        let is_country = matches!(token.folded.as_str(), "the country" | "country");
        token.role("deictic") && !is_country
            || token.role("pronoun") && !token.listed("third_person")
            || token.listed("person")
            || token.number().is_some()
            || token.tagged("operator")
            || token.tagged("polarity")
            || ["value_noun", "meta_noun", "site_noun", "points_to_value", "genuine"]
                .iter()
                .any(|list| token.holds(list))
            || is_narrow(token) && differs_alone(asked, token)
    };
    is_thing && is_present && said.len() > 3 && !said.iter().any(refers)
}

/// Whether a sentence counts or adds up the members of the list: `Two of the three are services.`, `Half of the imports come from
/// these three.`
fn counts_members(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let is_count = |token: &Token| {
        token.number().is_some_and(|number| {
            number.unit == Unit::Count && number.number <= asked.rows.into() && number.number > 1.into()
        })
    };
    let begins = |token: &Token| {
        token.is_demonstrative()
            || token.role("article")
            || token.folded == "of"
            || token.listed("counts_all")
    };
    let counts = |pair: &[&Token]| matches!(pair, [all, count] if begins(all) && is_count(count));
    let part = |token: &Token| {
        let is_part = token.tagged("part") && !token.is("part", "bottom");
        is_part || token.listed("multiple") || token.operator("bound")
    };
    let adds = |token: &Token| part(token) || token.tagged("scope");
    let roles = ["article", "preposition", "be", "and", "pronoun", "adverb", "lead"];
    // `Between them they provide half of its imports.`
    let leads = tokens.first().is_some_and(|first| first.listed("counts_whole"));
    // `two of the three are services rather than goods`
    let contrast = |three: &[&Token]| {
        matches!(three, [one, than, other]
            if than.folded == "rather than" && [one, other].iter().all(|token| token.tagged("scope")))
    };
    let is_some = |token: &&Token| token.number().is_some_and(|number| number.number < asked.rows.into());
    let contrasts = tokens.windows(3).any(contrast) && tokens.iter().any(is_some);
    let is_plain = |token: &&Token| {
        let says_little = roles.iter().any(|role| token.role(role)) || asked.knows(&token.folded);
        let is_open = token.tagged("operator") || token.tagged("direction") || differs_alone(asked, token);
        is_count(token)
            || adds(token)
            || token.is_mark()
            || token.is_manner()
            || token.is_demonstrative()
            || token.operator("about")
            || token.folded == "so"
            || contrasts && token.folded == "rather than"
            || token.listed("counts_all")
            || token.listed("adds_up")
            || leads && token.listed("counts_whole")
            || says_little && !is_open
    };
    asked.rows > 1
        && (leads || tokens.windows(2).any(counts))
        && tokens.iter().any(|token| adds(token))
        && tokens.iter().all(is_plain)
}

/// Whether a sentence or part says that other sources differ: `The figure may differ from national statistics.`, `Other
/// classifications may differ a little.`
pub(crate) fn tells_of_other_sources(tokens: &[&Token]) -> bool {
    let Some(differs) = tokens.iter().position(|token| token.listed("may_differ")) else { return false };
    let (before, behind) = tokens.split_at(differs);
    let is_modal = before.iter().rev().take(2).any(|token| token.operator("hedge") || token.folded == "can");
    let is_real = tokens.iter().any(|token| token.holds("genuine") || token.operator("negation"));
    let of_other = before.iter().any(|token| token.listed("other_source"));
    let from_other = matches!(behind, [_, from, other, ..]
        if from.folded == "from" && !other.is_it() && !other.is_demonstrative())
        && !behind.iter().any(|token| token.holds("site_noun"));
    is_modal && !is_real && (of_other || from_other)
}

/// Whether a sentence only says that a later release may change the value: `The number may shift slightly when the data are revised.`
fn tells_of_later_release(tokens: &[&Token]) -> bool {
    let is_may =
        |token: &Token| matches!(token.folded.split(' ').next(), Some("may" | "might" | "could" | "can"));
    // `may be revised` is one phrase of the lexicon
    let is_free = |token: &Token| token.operator("free") && is_may(token);
    let may_change =
        |pair: &[&Token]| matches!(pair, [may, change] if is_may(may) && change.listed("may_change"));
    let is_subject = |(at, token): (usize, &&Token)| {
        let is_value = ["value_noun", "meta_noun"].iter().any(|list| token.holds(list));
        at < 3 && (token.is_it() || token.is_demonstrative() || is_value || token.role("deictic"))
    };
    let is_plain = |(at, token): (usize, &&Token)| {
        is_subject((at, token))
            || is_free(token)
            || is_may(token)
            || token.is_mark()
            || token.is_manner()
            || ["may_change", "later_release", "later_data"].iter().any(|list| token.listed(list))
    };
    let names =
        |list: &str| tokens.iter().any(|token| token.folded.split(' ').any(|word| listed(list, word)));
    names("later_release")
        && names("forward")
        && (tokens.windows(2).any(may_change) || tokens.iter().any(|token| is_free(token)))
        && tokens.iter().enumerate().all(is_plain)
}

/// Whether a sentence compares a value of another context: `The nominal number is much lower.`, `The 2024 number is higher.`
fn compares_another(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let Some(be) = tokens.iter().position(|token| token.role("be") && token.folded != "s") else {
        return false;
    };
    let (subject, predicate) = tokens.split_at(be);
    let is_more = predicate.iter().skip(1).find(|token| !token.role("adverb") || token.tagged("comparative"));
    let is_real = tokens.iter().any(|token| token.holds("genuine") || token.operator("negation"));
    let points = |token: &&Token| token.is_mark() || token.is_it() || token.is_demonstrative();
    !is_real
        && !subject.iter().any(points)
        && subject.iter().any(|token| differs_alone(asked, token))
        && is_more.is_some_and(|more| more.tagged("comparative"))
}

/// Whether the sentence excludes only the scope that was not requested: `Services are not part of this figure.`
pub(crate) fn leaves_out_the_other(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let other = match asked.context.scope {
        Some(Scope::Goods) => ("scope", "services"),
        Some(Scope::Services) => ("scope", "goods"),
        _ => return false,
    };
    let narrows = |token: &&Token| {
        matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Period(_) | Kind::Row(_))
    };
    let names_scope = |part: &&[&Token]| part.iter().any(|token| token.tagged("scope"));
    let (own, others): (Vec<_>, Vec<_>) =
        tokens.split(|token| token.separates()).filter(names_scope).partition(|part| {
            part.iter().flat_map(|token| &token.tags).all(|tag| tag.0 != "scope" || *tag != other)
        });
    // `goods only, services are left out`, but not `services that I could not strip out`
    let denies = |token: &&Token| token.operator("negation") || token.operator("exception");
    let is_kept =
        |token: &&Token| token.listed("exclusive") || token.operator("hedge") || token.folded == "other";
    let is_other = |token: &&Token| token.tags.iter().any(|tag| tag.0 == "scope" && *tag != other);
    // `Services are not excluded` leaves nothing out
    let leaves_out = |part: &[&Token]| {
        part.iter().filter(|token| denies(token)).count() == 1
            && !part.iter().any(|token| is_kept(token) || is_other(token))
    };
    !others.is_empty()
        && others.into_iter().all(leaves_out)
        && !own.into_iter().flatten().any(denies)
        && !tokens.iter().any(narrows)
}

/// Whether a sentence explains values in general: `A negative value means below-average complexity.`
pub(crate) fn is_definition(tokens: &[&Token]) -> bool {
    // `Note that a lower number means a more complex economy.`
    let start = tokens.iter().position(|token| token.folded == "that").filter(|at| *at < 3);
    let tokens = tokens.get(start.map_or(0, |at| at + 1)..).unwrap_or_default();
    let joins = tokens.iter().take_while(|token| token.role("and") || token.is_mark()).count();
    let tokens = tokens.get(joins..).unwrap_or_default();
    // `Anything above one is an advantage.`
    let is_any = matches!(tokens, [any, side, ..]
        if matches!(any.folded.as_str(), "anything" | "everything") && matches!(side.folded.as_str(), "above" | "below"));
    let defines = |token: &&Token| token.listed("defines") || is_any && token.role("be");
    let Some(verb) = tokens.iter().position(defines) else { return false };
    let subject = tokens.get(..verb).unwrap_or_default();
    let is_general = |first: &&Token| first.listed("of_any_value") || first.tagged("comparative");
    let names_value = |token: &&Token| {
        token.number().is_some()
            || token.tagged("metric")
            || token.folded.ends_with("zero")
            || token.folded == "anything"
            || token.holds("value_noun")
            || token.holds("score_noun")
            || token.listed("balance_noun")
            || matches!(token.folded.as_str(), "product" | "country" | "positive" | "negative")
    };
    // `A value like this means the page is out of date.`
    let denies = |token: &&Token| token.operator("wrong") || token.operator("stale");
    subject.first().is_some_and(is_general)
        && subject.iter().any(names_value)
        && !tokens.iter().skip(verb).any(denies)
}

/// `I have not looked at Portugal.`, `For the euro I haven't looked it up.`: what the speaker does not do with something else.
pub(crate) fn leaves_another_alone(asked: &Asked<'_>, tokens: &[&Token]) -> bool {
    let declines = |token: &&Token| {
        token.operator("negation")
            || token.listed("modal")
            || token.folded.split(' ').any(|word| word == "leave")
    };
    let speaker = tokens.iter().position(|token| matches!(token.folded.as_str(), "i" | "we"));
    let behind = speaker.and_then(|at| tokens.get(at + 1..)).unwrap_or_default();
    // `I may have read Uganda's row`
    let is_guess = matches!(behind, [may, have, ..] if may.listed("modal") && have.folded == "have");
    let mut near = behind.iter().take_while(|token| !token.role("preposition")).take(3);
    let is_declined = !is_guess && near.any(declines);
    let is_own = |token: &Token| match &token.kind {
        Kind::Country(id) => asked.places.contains(id),
        Kind::Product(code) => asked.products.contains(*code),
        Kind::Row(_) | Kind::Period(_) => true,
        _ => token.role("deictic") && token.folded != "it",
    };
    let is_other = |token: &&Token| {
        matches!(token.kind, Kind::Country(_) | Kind::Product(_)) || differs_alone(asked, token)
    };
    // `I can only see Uganda's number.`, `I never left Uganda's page.`, `I can't tell it from Uganda's.`
    let near = || behind.iter().take(4);
    let is_undone = near().any(|token| token.operator("negation") || token.operator("hedge"));
    let stays = |token: &&Token| {
        let is_left = token.folded.split(' ').any(|word| matches!(word, "leave" | "left" | "tell"));
        token.listed("exclusive") || is_undone && is_left
    };
    let is_there = near().any(stays);
    is_declined && !is_there && tokens.iter().any(is_other) && !tokens.iter().any(|token| is_own(token))
}
