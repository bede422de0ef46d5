//! Reads data points that are yes or no.

use super::mention::repeats;
use crate::answer::candidate::{Claim, Found, unclear};
use crate::answer::context::differs;
use crate::answer::difference::Difference;
use crate::answer::line::Line;
use crate::answer::place::asserted::begins_past;
use crate::answer::point::{AnswerVerdict, PointScore, missing, unscored};
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::token::{Class, Kind, Token};
use crate::value::ContextPart;

/// Reads a yes-or-no answer by its word and by whether it affirms or denies the question's statement.
pub(crate) fn polarity(asked: &Asked<'_>, truth: bool, lines: &[Line]) -> Found {
    let open = |why: String| Found::from(unscored(asked.one, why));
    let mut said: Vec<(bool, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match says(asked, line) {
            Ok(found) => said.extend(found.into_iter().map(|yes| (yes, at))),
            Err(why) => return open(why),
        }
    }
    let Some((yes, at)) = said.first().copied() else {
        return open("the answer says neither yes nor no".to_owned());
    };
    if said.iter().any(|(other, _)| *other != yes) {
        return open("the answer says both yes and no".to_owned());
    }
    // `Yes. The Atlas puts it under metals instead.`
    let is_other = |line: &Line| {
        !line.sentence.question && line.sentence.tokens.iter().any(|token| token.folded == "instead")
    };
    if yes && lines.iter().any(is_other) {
        return open("\"instead\" puts another class in its place".to_owned());
    }
    let word = if yes { "yes" } else { "no" };
    let verdict = PointScore {
        said: if yes == truth { AnswerVerdict::Right } else { AnswerVerdict::Wrong },
        sentence: lines.get(at).map(|line| line.passage.text.clone()),
        value: Some(word.to_owned()),
        reason: format!("the answer says {word}"),
        ..missing(asked.one, "")
    };
    let lines = said.iter().map(|(_, own)| *own).collect();
    let doubted = unscored(asked.one, "");
    Found::from(Claim::of(verdict, doubted, lines))
}

/// The polarities that a line states: yes, no, both or none.
///
/// # Errors
/// The line leaves the answer open, with the reason.
fn says(asked: &Asked<'_>, line: &Line) -> Result<Vec<bool>, String> {
    let tokens = &line.sentence.tokens;
    let is_whether = tokens.first().is_some_and(|first| first.folded == "whether");
    // `Whether it is one depends on the year.`
    if is_whether && !line.passage.cell && !tokens.iter().any(is_truth_value) {
        return Err("it leaves the question open".to_owned());
    }
    // `Whether a product is green | false`: another cell answers this one.
    if is_whether && line.passage.cell {
        return Ok(Vec::new());
    }
    if line.sentence.question {
        let is_of_it = tokens.iter().any(|token| token.folded.len() > 3 && asked.knows(&token.folded));
        let asks = is_of_it && !repeats(asked, line);
        return if asks { Err("the answer is a question".to_owned()) } else { Ok(Vec::new()) };
    }
    let labels = |token: &Token| token.role("final") || token.operator("correction");
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_mark() && !labels(token)).collect();
    let Some(last) = words.last() else { return Ok(Vec::new()) };
    let lead = lead(&words).filter(|_| !is_of_noun(line));
    let mut said: Vec<bool> = lead.into_iter().collect();
    let mut whole = Said::default();
    whole.take_head(tokens, true);
    if begins_past(line) {
        return Err("it is about the time before".to_owned());
    }
    if let Some(word) = reserve(asked, &whole) {
        return Err(format!("\"{word}\" leaves it open"));
    }
    if is_truth_value(last) {
        return TRUTH_RULES.iter().find_map(|rule| rule(asked, line, &whole)).map_or(Ok(said), Err);
    }
    // `No data came up on whether …`
    if tokens.iter().any(|token| token.listed("data_none")) {
        return Err("it says that there are no data".to_owned());
    }
    let names_other =
        |other: &Difference| other.is_of(ContextPart::Product) || other.is_of(ContextPart::Country);
    match differs(asked, &whole) {
        // `Yes for 2010.`, `No, coffee is not.`
        Some(other) if lead.is_some() && (names_other(&other) || other.is_of(ContextPart::Period)) => {
            return Err(other.reason());
        }
        // `Coffee is not.`, without a yes or no, is about coffee alone.
        Some(other) if names_other(&other) => return Ok(said),
        _ => {}
    }
    let rest = words.get(usize::from(lead.is_some())..).unwrap_or_default();
    if restates(asked, rest) {
        if let Some(why) = RULES.iter().find_map(|rule| rule(asked, line, &whole)) {
            return Err(why);
        }
        said.push(!rest.iter().any(|token| denies(token)));
    } else if lead.is_some() {
        // `Yes, as a manufactured good.`, `Yes, but unranked.`
        if let Some(why) = why_other_context(asked, line, &whole)
            .filter(|_| whole.tagged("thing"))
            .or_else(|| why_unknown(asked, line, &whole))
            .or_else(|| why_in_part(lead, rest))
        {
            return Err(why);
        }
        said.extend(ellipsis(rest));
    }
    Ok(said)
}

/// The polarity of a verb without its object: `it certainly does`, `it's one of them`, `it is not`.
fn ellipsis(words: &[&Token]) -> Option<bool> {
    let is_verb = |token: &Token| token.role("be") || matches!(token.folded.as_str(), "do" | "does" | "did");
    let at = words.iter().rposition(|token| is_verb(token))?;
    let is_end = |token: &&Token| {
        token.operator("negation")
            || token.listed("exactly")
            || token.role("pronoun")
            || token.is_manner()
            || matches!(token.folded.as_str(), "one" | "of" | "so")
    };
    let behind = words.get(at + 1..).unwrap_or_default();
    behind.iter().all(is_end).then(|| !words.iter().any(|token| denies(token)))
}

/// The word behind a yes or no that takes a part of it back: `Yes, but not iron ore.`, `Yes, in part.`, `Yes... actually no.`
fn why_in_part(lead: Option<bool>, rest: &[&Token]) -> Option<String> {
    let is_denied = lead == Some(true) && ellipsis(rest).is_none();
    let limits = |token: &Token| {
        let turns = token.operator("negation") || token.is("polarity", "no");
        token.holds("exclusive") || token.holds("in_part") || is_denied && turns
    };
    rest.iter().find(|token| limits(token)).map(|token| unclear(&token.folded))
}

/// `not`, `It is false that …`
fn denies(token: &Token) -> bool {
    token.operator("negation") || token.folded == "false"
}

fn is_truth_value(token: &Token) -> bool {
    matches!(token.folded.as_str(), "true" | "false")
}

/// Whether the first word belongs to a noun: `No result.`, `False alarm.`
fn is_of_noun(line: &Line) -> bool {
    let is_noun = |token: &Token| {
        token.kind == Kind::Words
            && !token.is_verb()
            && !token.role("pronoun")
            && (token.role("noun") || token.class == Some(Class::Noun))
    };
    line.token(0).is_some_and(|first| first.tagged("polarity")) && line.token(1).is_some_and(is_noun)
}

/// The polarity of the first or last word alone.
fn lead(words: &[&Token]) -> Option<bool> {
    let (first, last) = (words.first()?, words.last()?);
    match () {
        () if first.is("polarity", "yes") && first.listed("affirms") => Some(true),
        () if is_truth_value(last) => Some(last.folded == "true"),
        () if first.is("polarity", "no") && first.listed("denies") => Some(false),
        () => None,
    }
}

/// The operator that leaves the whole line open.
fn reserve<'s>(asked: &Asked<'_>, whole: &'s Said) -> Option<&'s str> {
    let harmless = ["negation", "free", "bound", "about", "correction"];
    let keeps =
        |(kind, word): &&(&str, String)| !harmless.contains(kind) && !asked.knows(word) && word != "false";
    whole.operators.iter().find(keeps).map(|(_, word)| word.as_str())
}

/// Whether these words contain at least two content words of the question.
fn restates(asked: &Asked<'_>, words: &[&Token]) -> bool {
    let is_content = |token: &&&Token| {
        token.folded.len() > 2
            && !["article", "be", "preposition"].iter().any(|role| token.role(role))
            && asked.knows(&token.folded)
    };
    words.iter().filter(is_content).count() > 1
}

/// Why a sentence that restates the question's statement does not answer it.
type Rule = fn(&Asked<'_>, &Line, &Said) -> Option<String>;

const RULES: [Rule; 7] = [
    why_both,
    why_tag_question,
    why_denied_twice,
    why_other_context,
    why_unknown,
    why_denied_otherwise,
    why_beside_class,
];

/// The rules for a sentence that ends with `true` or `false`.
const TRUTH_RULES: [Rule; 3] = [why_denied_truth, why_other_context, why_unknown];

/// It denies that something is true: `Nothing of this is true.`, `That is not false.`
fn why_denied_truth(_: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let last = tokens.iter().rfind(|token| is_truth_value(token))?;
    // `They are not classed as one (false).`
    let denied = tokens.iter().filter(|_| last.depth == 0).find(|token| token.operator("negation"))?;
    Some(format!("\"{}\" leaves it open", denied.folded))
}

/// Its negation is about something else: `…, no question about it`, `none but coffee`.
fn why_denied_otherwise(asked: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let is_else = |at: usize| {
        let next = line.behind(at).iter().find(|next| !next.role("adjective") || asked.knows(&next.folded));
        match tokens.get(at).map_or("", |token| token.folded.as_str()) {
            "no" => at > 0 && next.is_some_and(|next| next.role("noun") && !asked.knows(&next.folded)),
            "none" | "nothing" | "nobody" | "no one" => next.is_some_and(|next| next.folded == "but"),
            _ => false,
        }
    };
    let at = (0..tokens.len()).find(|at| is_else(*at))?;
    tokens.get(at).map(|token| format!("\"{}\" is about something else", token.folded))
}

/// A word beside the class may leave it outside: `is out of what …`, `comes close to what …`, `too small for the rankings`.
fn why_beside_class(asked: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let operates = |token: &Token| ["about", "bound", "comparison"].iter().any(|kind| token.operator(kind));
    let changes = |token: &&Token| {
        let is_word = (token.role("adverb") || token.role("adjective"))
            && !token.role("verb")
            && !token.role("noun")
            && !token.role("final");
        token.kind == Kind::Words
            && !token.listed("beside_class")
            && !asked.knows(&token.folded)
            && (is_word
                || operates(token)
                || token.tagged("comparative")
                || token.folded == "out of"
                || token.listed("near"))
    };
    line.sentence.tokens.iter().find(changes).map(|token| unclear(&token.folded))
}

/// It ends with a tag question: `…, does it not`.
fn why_tag_question(_: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let tail = tokens.rsplit(|token| token.mark(',')).next().unwrap_or_default();
    let asks = |token: &Token| {
        token.is_mark()
            || token.operator("negation")
            || ["be", "verb", "pronoun"].iter().any(|role| token.role(role))
    };
    (tail.len() > 1
        && tail.len() < tokens.len()
        && tail.iter().any(|token| token.role("pronoun"))
        && tail.iter().all(asks))
    .then(|| "the answer is a question".to_owned())
}

/// It denies and says yes: `Coffee is not classed as one, so the answer is yes.`
fn why_both(_: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let says_yes = tokens.iter().skip(1).any(|token| matches!(token.folded.as_str(), "yes" | "affirmative"));
    (says_yes && tokens.iter().any(denies)).then(|| "the answer says both yes and no".to_owned())
}

/// It has two negations, which may cancel out. `It is not: the Atlas does not …` repeats the negation instead.
fn why_denied_twice(_: &Asked<'_>, line: &Line, _: &Said) -> Option<String> {
    let mut parts = line.sentence.tokens.split(|token| token.mark(':') || token.mark(';'));
    parts
        .any(|part| part.iter().filter(|token| denies(token)).count() > 1)
        .then(|| "it is denied twice".to_owned())
}

fn why_other_context(asked: &Asked<'_>, _: &Line, whole: &Said) -> Option<String> {
    differs(asked, whole).map(|other| other.reason())
}

fn why_unknown(asked: &Asked<'_>, _: &Line, whole: &Said) -> Option<String> {
    let word = whole.unknown.iter().find(|word| !asked.knows(word) && !word.ends_with("ly"))?;
    Some(unclear(word))
}
