//! What the answer says about what it says: that a figure is of something else, made up, or in doubt.

use std::collections::HashSet;

use super::asked::Asked;
use super::context::{differs, meant};
use super::remark::{self, Note};
use super::said::Said;
use super::talk;
use super::text::Line;
use crate::compare::Content;
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};

/// Why the answer as a whole may not mean what it says. `own` are the lines that hold candidates; what is called wrong up to the
/// line that corrects it is past.
pub(super) fn doubt(
    asked: &Asked<'_>,
    lines: &[Line],
    own: &HashSet<usize>,
    corrected: Option<usize>,
) -> Option<String> {
    // `Hmm, 28 %? No, that is another row.`
    let rejects = |at: usize| {
        let asked = at.checked_sub(1).and_then(|at| lines.get(at)).is_some_and(|line| line.sentence.question);
        let first = lines.get(at).and_then(|line| line.sentence.tokens.first());
        asked && first.is_some_and(|first| first.is("polarity", "no"))
    };
    let is_past = |at: usize| corrected.is_some_and(|last| at <= last) || rejects(at);
    let first = own.iter().min().copied();
    let mut behind =
        lines.iter().enumerate().filter(|(_, line)| !line.sentence.question && !line.passage.cell);
    told(asked, lines, own, corrected).or_else(|| {
        behind.find_map(|(at, line)| match own.contains(&at) {
            _ if is_past(at) || is_given_up(lines, first, at) => None,
            true => talk::doubt_of_part(asked, line, true),
            false if line.offers() => None,
            false => talk::doubt(asked, line),
        })
    })
}

/// The same, without sentences of which nobody knows what they say: they leave a wrong answer wrong.
pub(super) fn told(
    asked: &Asked<'_>,
    lines: &[Line],
    own: &HashSet<usize>,
    corrected: Option<usize>,
) -> Option<String> {
    let first = own.iter().min().copied();
    let is_past = |at| corrected.is_some_and(|last| at <= last) || is_given_up(lines, first, at);
    let mut noted = lines.iter().enumerate();
    let noted = noted.find_map(|(at, line)| of_line(asked, line, own.contains(&at), is_past(at)));
    noted.or_else(|| remark::filled_otherwise(asked, lines, own))
}

/// Whether a line before the answer tells what the speaker thought first: `I first had Footwear in the list, which was a
/// mistake. The five largest are …`
fn is_given_up(lines: &[Line], first: Option<usize>, at: usize) -> bool {
    let mut tokens = lines.get(at).into_iter().flat_map(|line| &line.sentence.tokens);
    first.is_some_and(|first| at < first)
        && tokens.any(|token| token.operator("withdrawn") || token.folded.split(' ').any(|word| word == "i"))
}

/// `another country`: in a question an offer, and no doubt.
fn offers(token: &Token) -> bool {
    token.folded.contains("another") || token.folded.contains("different")
}

fn of_line(asked: &Asked<'_>, line: &Line, own: bool, is_past: bool) -> Option<String> {
    let tokens = &meant(asked, &line.sentence.tokens);
    let all: Vec<&Token> = tokens.iter().collect();
    if !own && (talk::is_definition(&all) || talk::leaves_out_the_other(asked, &all)) {
        return None;
    }
    let shown = || line.passage.text.chars().take(80).collect::<String>();
    // `The question is about the rank, not the amount.`
    let mut words = tokens.iter().filter(|token| token.kind == Kind::Words && !token.role("article"));
    let of_question =
        words.next().is_some_and(|first| first.folded == "question" || first.folded == "the question")
            && words.next().is_some_and(|verb| verb.role("be") || verb.unknown());
    if !own && (line.offers() || of_question) {
        return None;
    }
    // `Don't mix it up with …` warns, and doubts nothing
    let warns = |token: &Token| {
        let at = tokens.iter().position(|own| own.range == token.range).unwrap_or(0);
        at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.operator("negation"))
    };
    // `(The other way round, Brazil exported $93 billion.)`
    let turns_round = |token: &Token| {
        let next = tokens.iter().find(|next| next.range.start >= token.range.end);
        token.folded.starts_with("the other way") && next.is_some_and(|next| next.mark(','))
    };
    if let Some(token) = tokens.iter().find(|token| {
        let is_exempt = warns(token)
            || line.sentence.question && offers(token)
            || is_past
            || asked.knows(&token.folded)
            || own && token.folded == "false"
            || turns_round(token);
        token.operator("wrong") && !is_exempt
    }) {
        return Some(format!("\"{}\" doubts what is said", token.folded));
    }
    // `the correct figure is 10 % higher`: it is put right, and to what nobody reads
    let puts_right = |token: &Token| {
        let names = ["value", "figure", "number", "answer"].iter().any(|word| token.folded.contains(word));
        let is_correct =
            ["correct", "right", "actual", "true", "real"].iter().any(|word| token.folded.contains(word));
        (token.operator("correction") || token.role("final")) && names && is_correct
    };
    let moves =
        |token: &Token| token.tags.iter().any(|(kind, _)| matches!(*kind, "direction" | "comparative"));
    if !own && !is_past && tokens.iter().any(puts_right) && tokens.iter().any(moves) {
        return Some(format!("\"{}\" puts it right", shown()));
    }
    // without what it makes up: `note: made up`
    if tokens.last().is_some_and(|last| last.folded == "made up") {
        return Some("\"made up\" doubts what is said".to_owned());
    }
    let sign = tokens
        .iter()
        .find(|token| ['❌', '👎', '🚫', '✗', '✘', '⛔'].into_iter().any(|mark| token.mark(mark)));
    if sign.is_some() {
        return Some("a sign denies what is said".to_owned());
    }
    // the mark of a footnote is no figure
    let all: Vec<&Token> = tokens
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            !at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.mark('['))
        })
        .map(|(_, token)| token)
        .collect();
    let figures = talk::holds_figure(line, &all);
    // `…, where the percentages refer to imports`, `…, though that figure is for 2019`: what stands behind the numbers tells
    // of them
    let is = |token: &Token| token.role("be") && token.folded != "s";
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|before| {
            matches!(before.kind, Kind::Mark(_)) || before.role("clause") || before.folded == "and"
        })
    };
    let tells_of_it = |at: &usize| {
        let rest = tokens.get(*at..).unwrap_or_default();
        let Some([token, next]) = rest.first_chunk() else { return false };
        let the = token.role("deictic") && token.folded.starts_with("the ") && token.folded != "the country";
        the && !rest.iter().any(is)
            || matches!(token.folded.as_str(), "this" | "that" | "these" | "those")
                && (next.role("noun") || next.unknown() || next.role("be") && begins(*at))
                && rest.iter().take(3).any(|token| token.role("be"))
    };
    // `169, but that looks like a slip`
    let strikes = |at: usize| {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.folded.as_str());
        matches!(word(at), "this" | "that" | "it")
            && begins(at)
            && ["look", "seem", "sound", "appear", "feel"].iter().any(|verb| word(at + 1).starts_with(verb))
    };
    if own && (1..tokens.len()).any(strikes) {
        return Some(format!("\"{}\" says how it looks", shown()));
    }
    if own
        && let Some(at) = (1..tokens.len())
            .rev()
            .filter(|at| !tokens.get(at - 1).is_some_and(|before| before.operator("comparison")))
            .find(tells_of_it)
        && let Some(rest) = tokens.get(at..).and_then(|rest| rest.split(|token| token.mark(';')).next())
        && rest.iter().all(|token| token.number().is_none())
    {
        let mut said = Said::default();
        rest.iter().for_each(|token| said.take_alone(token));
        if let Some(part) = differs(asked, &said) {
            return Some(format!("\"{}\" says that it is of something else: {part}", shown()));
        }
        if let Some(word) = rest.iter().find(|token| talk::is_strange(asked, token)) {
            return Some(format!("\"{}\": nobody knows what \"{}\" says of it", shown(), word.folded));
        }
    }
    if own || line.sentence.question || line.passage.cell || figures {
        return None;
    }
    let word = |token: &&Token| !matches!(token.kind, Kind::Mark(_));
    let start: Vec<&Token> = tokens.iter().filter(word).take(3).collect();
    let verb = tokens.iter().any(|token| token.role("be") || (token.role("verb") && !token.role("noun")));
    let weak = |token: &&&Token| {
        matches!(token.folded.as_str(), "it" | "the country" | "country" | "data" | "the data" | "year")
    };
    let of_value = remark::of_value(asked, tokens);
    if let Some(Note::Doubts(word)) = of_value {
        return Some(format!("\"{}\": \"{word}\" may take it back", shown()));
    }
    let of_value = of_value.is_some();
    let points = of_value
        || start.iter().any(|token| token.role("deictic"))
        || tokens.iter().any(|token| matches!(token.folded.as_str(), "above" | "the above"));
    let speaker = start.first().is_some_and(|first| matches!(first.folded.as_str(), "i" | "we"));
    let fragment = !verb && !speaker && tokens.iter().filter(word).count() <= 8;
    let speaks = tokens.iter().any(|token| {
        matches!(token.folded.as_str(), "this" | "that" | "these" | "those")
            || (token.role("deictic") && token.folded.contains(' '))
    });
    if !points && !speaks && (!fragment || asked.rows > 1) {
        return None;
    }
    let mut said = Said::default();
    said.take_head(tokens, true);
    // what it is compared with is not what it is of: `this puts it ahead of its neighbours`
    let points_at = |at: usize| tokens.get(at).is_some_and(|token| token.role("deictic"));
    let asserts = |(at, token): (usize, &Token)| {
        let verb = token.role("verb");
        is(token) || verb && !token.role("noun") || verb && at.checked_sub(1).is_some_and(points_at)
    };
    let than = tokens.iter().position(|token| {
        token.operator("comparison") || token.operator("bound") && token.folded.ends_with(" than")
    });
    let than = than.filter(|than| tokens.iter().enumerate().take(*than).any(asserts));
    if let Some(before) = than.and_then(|than| tokens.get(..than)) {
        let mut own = Said::default();
        before.iter().for_each(|token| own.take_alone(token));
        said = Said { operators: said.operators, unknown: said.unknown, ..own };
    }
    // `a significant share of its economy` is no figure
    let vague = tokens.windows(3).any(|three| {
        matches!(three, [a, b, c] if a.folded == "a" && b.role("adjective") && c.is("statistic", "share"))
    });
    if vague {
        said.tags.retain(|tag| *tag != ("statistic", "share"));
    }
    // `it combines goods with services such as travel` narrows nothing
    let leaves_out = said.operators.iter().any(|(kind, _)| matches!(*kind, "exception" | "negation"));
    if !leaves_out && ["goods", "services"].iter().all(|scope| said.tags.contains(&("scope", scope))) {
        said.tags.retain(|(kind, _)| *kind != "scope");
        said.products.clear();
    }
    if let Some(part) = differs(asked, &said).filter(|_| points || fragment) {
        let weak = start.iter().find(|token| token.role("deictic")).as_ref().is_some_and(weak);
        let narrow = !said.periods.is_empty()
            || !said.countries.is_empty()
            || said.tags.iter().any(|(kind, _)| matches!(*kind, "part" | "basis"));
        if !weak || narrow || of_value {
            return Some(format!("\"{}\" says that it is of something else: {part}", shown()));
        }
    }
    let be = tokens.iter().any(|token| token.role("be"));
    // `these shares are low given its reputation`: the reason tells of the country
    let reason = (1..tokens.len()).find(|at| {
        let predicate = tokens.get(at - 1).is_some_and(|token| token.role("adjective"));
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let of_thing = rest.first().is_some_and(|next| !next.role("preposition"))
            && !rest.iter().any(|token| token.role("pronoun") || token.role("deictic"));
        tokens.get(*at).is_some_and(|token| token.folded == "given") && predicate && of_thing
    });
    // `that's where its share peaks`
    let cleft = (1..tokens.len()).find(|at| tokens.get(*at).is_some_and(|token| token.folded == "where"));
    let claim = tokens.get(..reason.or(cleft).unwrap_or(tokens.len())).unwrap_or_default();
    let unknown = said.unknown.iter().find(|word| {
        !asked.knows(word)
            && !word.ends_with("ly")
            && !lexicon::listed("talk", word)
            && claim.iter().any(|token| token.folded == **word)
    });
    // `It is your estimate.`, and not `It matches your question.`
    let mine = (0..tokens.len()).any(|at| {
        tokens.get(at).is_some_and(|token| matches!(token.folded.as_str(), "your" | "yours" | "mine" | "my"))
            && !tokens.get(at + 1).is_some_and(talk::is_harmless)
    });
    let from_mine = tokens.windows(2).any(|pair| {
        matches!(pair, [from, my] if from.folded == "from" && matches!(my.folded.as_str(), "my" | "mine" | "your"))
    });
    if mine && (be || from_mine) && start.iter().any(|token| token.role("deictic")) {
        return Some(format!("\"{}\" says whose it is", shown()));
    }
    // `Country: the north of Germany`
    let labels = tokens.first().is_some_and(|first| {
        ["country", "reporter", "exporter", "importer", "partner"].contains(&first.folded.as_str())
    }) && tokens.get(1).is_some_and(|token| token.mark(':'));
    let is_code = |word: &str| word.len() <= 3;
    if let Some(word) = unknown.filter(|word| labels && !is_code(word)) {
        return Some(format!("\"{}\": nobody knows what \"{word}\" says of it", shown()));
    }
    let strong = of_value
        || start.iter().any(|token| token.role("deictic"))
            && !start.iter().any(|token| matches!(token.folded.as_str(), "it" | "the country" | "country"));
    let refers = || {
        tokens.windows(2).any(|pair| match pair {
            [a, b] => {
                lexicon::listed("refers", &a.folded)
                    || lexicon::listed("refers", &format!("{} {}", a.folded, b.folded))
            }
            _ => false,
        })
    };
    if strong
        && (be || refers())
        && let Some(word) = unknown
    {
        return Some(format!("\"{}\": nobody knows what \"{word}\" says of it", shown()));
    }
    let named = |token: &Token| {
        matches!(token.folded.as_str(), "this" | "that" | "these" | "those")
            || (token.role("deictic") && token.folded.contains(' ') && token.folded != "the country")
    };
    let strong = strong || tokens.iter().any(named);
    // that there is none is what such a point asks for
    let absent = matches!(asked.one.truth.content, Content::Absent(_));
    let denies = ["stale", "condition", "hedge", "exception", "negation"];
    let denies = denies.get(..denies.len() - usize::from(absent)).unwrap_or_default();
    // `the share hardly moved` denies a change, where none is asked for
    let still = |at: usize| {
        let mut next = tokens.get(at + 1..).unwrap_or_default().iter().take(3);
        !asked.is_change()
            && next.any(|next| {
                next.tags.iter().any(|(kind, _)| *kind == "direction")
                    || lexicon::listed("moves", &next.folded)
            })
    };
    let still = (0..tokens.len())
        .any(|at| tokens.get(at).is_some_and(|token| token.operator("negation")) && still(at));
    let mut denial = said.operators.iter().filter(|(kind, _)| *kind != "negation" || !still);
    if strong && let Some((_, word)) = denial.find(|(kind, _)| denies.contains(kind)) {
        return Some(format!("\"{}\": \"{word}\" may take it back", shown()));
    }
    None
}
