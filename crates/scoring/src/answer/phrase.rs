//! Points that are phrases of several words, and the absence of a value.

use std::collections::{BTreeSet, HashSet};

use super::asked::{Asked, stem};
use super::context;
use super::note;
use super::place::{self, Place};
use super::said::Said;
use super::score::Answer;
use super::settle::{missing, unscored};
use super::strangers;
use super::text::Line;
use super::{AnswerVerdict, PointScore};
use crate::language::lexicon::{self, Tag};
use crate::language::sentence::{Kind, Names, Sentence, Token};
use crate::value::{Absence, Unit};

/// Whether a text holds all words of a phrase.
pub(super) fn says(text: &str, phrase: &str) -> bool {
    let words: BTreeSet<String> = lexicon::words(text).iter().map(|word| stem(&word.folded)).collect();
    lexicon::words(phrase).iter().all(|word| words.contains(&stem(&word.folded)))
}

/// A phrase: its words stand in one sentence that asserts them.
pub(super) fn phrase(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let needed: Vec<&String> = one
        .names
        .iter()
        .filter(|name| !asked.question.as_ref().is_some_and(|question| says(&question.text, name)))
        .collect();
    let content = |text: &str| -> BTreeSet<String> {
        let words = lexicon::words(text).into_iter().map(|word| word.folded);
        words.filter(|word| !lexicon::listed("small", word)).map(|word| stem(&word)).collect()
    };
    let wanted: BTreeSet<String> =
        content(truth).into_iter().chain(needed.iter().flat_map(|name| content(name))).collect();
    let value = content(truth);
    let mut partial = false;
    let lists = lists(lines, &|text| content(text).is_subset(&value));
    let single = lines.iter().enumerate().map(|(at, line)| (HashSet::from([at]), line));
    for (own, line) in single.chain(lists.iter().map(|(own, line)| (own.clone(), line))) {
        let at = own.iter().max().copied().unwrap_or(0);
        // the clause that says it, else the whole sentence
        let clauses = line.clauses.iter().map(|clause| {
            let tokens: Vec<Token> =
                clause.tokens.iter().filter_map(|at| line.sentence.tokens.get(*at).cloned()).collect();
            let text = tokens.iter().map(|token| token.folded.as_str()).collect::<Vec<_>>().join(" ");
            Sentence { text, tokens, question: line.sentence.question }
        });
        // `growth is carried by services, and its transformation is complete`
        let parts = split_at_joints(&line.sentence, value.len() <= 2 && asked.rows > 1);
        let found = parts.into_iter().chain(clauses).find(|clause| wanted.is_subset(&content(&clause.text)));
        let sentence = found.as_ref().unwrap_or(&line.sentence);
        let mut words = content(&sentence.text);
        partial |= value.is_subset(&words);
        if line.passage.cell && value.is_subset(&words) {
            // the row says of which
            words.extend(line.heads.iter().flat_map(|head| content(&head.text)));
        }
        let labelled = found.is_some() && value.len() <= 2 && asked.is_labelled_otherwise(&words);
        if wanted.is_empty() || !wanted.is_subset(&words) || line.sentence.question || labelled {
            continue;
        }
        let mut said = Said::default();
        said.take_head(&sentence.tokens, true);
        line.heads.iter().for_each(|head| said.take_head(&head.tokens, true));
        // what makes the whole sentence depend stands anywhere in it
        let reserved = |(kind, _): &(&str, String)| {
            matches!(*kind, "condition" | "hedge" | "wrong" | "question" | "elsewhere" | "withdrawn")
        };
        let mut whole = Said::default();
        whole.take_head(&line.sentence.tokens, true);
        // `Services and Electronics, jointly`
        if value.len() <= 2 && line.sentence.tokens.iter().any(|token| token.is("part", "joint")) {
            return unscored(one, "another is named with it");
        }
        said.operators.extend(whole.operators.into_iter().filter(reserved));
        let known =
            |word: &String| asked.knows(word) || word.split(' ').all(|word| wanted.contains(&stem(word)));
        said.unknown.retain(|word| !known(word) && !word.ends_with("ly"));
        said.products.clear();
        said.rows.clear();
        said.periods.retain(|period| !truth.contains(&period.end.to_string()));
        // what joins the words of the phrase joins nothing else
        let joins = |tag: &Tag| *tag == ("part", "joint") && value.len() > 3;
        said.tags.retain(|tag| !matches!(tag.0, "scope" | "direction" | "thing" | "metric") && !joins(tag));
        said.operators.retain(|(kind, word)| !known(word) && !matches!(*kind, "bound" | "comparison"));
        let falls = |token: &Token| {
            token.is("direction", "down") && !known(&token.folded) && !says(truth, &token.folded)
        };
        if let Some(token) = line.heads.iter().flat_map(|head| &head.tokens).find(|token| falls(token)) {
            return unscored(one, format!("\"{}\" stands over it", token.folded));
        }
        let rival = lines.iter().enumerate().find(|(other, line)| {
            let tokens = &line.sentence.tokens;
            let years = value.iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
            let words = tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark(_))).count();
            let bare_place = value.iter().all(|word| lexicon::listed("ordinal", word))
                && tokens.iter().any(|token| {
                    lexicon::listed("ordinal", &token.folded)
                        || token.number().is_some_and(|number| number.unit == Unit::Rank)
                })
                && words <= 4
                && !line.passage.cell
                && !tokens.iter().position(|token| token.mark(':')).is_some_and(|label| {
                    // a label of its own says that it is of another row
                    let label = tokens.get(..label).unwrap_or_default();
                    label.iter().any(|token| asked.of_another_row(&token.folded) && !token.role("final"))
                });
            let heads = line.heads.iter().flat_map(|head| &head.tokens);
            let mut labels = heads.filter(|token| token.kind == Kind::Words && !token.role("article"));
            if line.passage.cell && labels.any(|token| asked.of_another_row(&token.folded)) {
                return false;
            }
            let is_rival = bare_place
                || strangers::is_fragment(line) && strangers::is_stranger(line, asked)
                || strangers::asserts_stranger(line, asked)
                || *other > at && tokens.iter().any(|token| token.operator("correction"))
                || years
                    && tokens.iter().any(|token| {
                        matches!(token.kind, Kind::Period(_))
                            && !content(&token.folded).is_subset(&value)
                            && !asked.knows(&token.folded)
                    });
            !own.contains(other) && is_rival && !wanted.is_subset(&content(&line.sentence.text))
        });
        if let Some((_, rival)) = rival {
            return unscored(one, format!("\"{}\" stands beside it", rival.passage.text));
        }
        return match place::place(asked, &said, line) {
            Place::Asked => match note::doubt(asked, lines, &own, None) {
                Some(doubt) => unscored(one, doubt),
                None => PointScore {
                    said: AnswerVerdict::Right,
                    sentence: lines.get(at).map(|line| line.passage.text.clone()),
                    value: Some(truth.to_owned()),
                    reason: "the answer says it in these words".to_owned(),
                    ..missing(one, "")
                },
            },
            Place::OtherSlot => unscored(one, "it is said of another row"),
            Place::OtherContext(why) | Place::Operator(why) | Place::Unplaced(why) => unscored(one, why),
        };
    }
    let short = lines.iter().map(|line| line.sentence.tokens.len()).sum::<usize>() <= 12;
    if !needed.is_empty() && partial {
        return missing(one, "the answer does not say of which");
    }
    if short && !partial && lines.iter().all(|line| line.sentence.question || line.sentence.tokens.len() < 2)
    {
        missing(one, "the answer does not say it")
    } else {
        unscored(one, "what the answer says in other words needs a judge")
    }
}

/// The parts of a sentence that a comma, an `and` or a colon joins and that have a verb of their own, or `all` of them.
fn split_at_joints(sentence: &Sentence, all: bool) -> Vec<Sentence> {
    // what stands behind a dash or a colon is labelled by what stands before it
    let labels = |token: &Token| matches!(token.kind, Kind::Mark(':' | '–' | '—'));
    let joint = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | ';')) || token.folded == "and" || !all && labels(token)
    };
    let parts = sentence.tokens.split(joint).filter(|part| all || part.iter().any(|token| token.role("be")));
    let read = |part: &[Token]| {
        let text = part.iter().map(|token| token.folded.as_str()).collect::<Vec<_>>().join(" ");
        Sentence { text, tokens: part.to_vec(), question: sentence.question }
    };
    parts.map(read).collect()
}

/// The items of each list as one line, where every word of them fits.
fn lists(lines: &[Line], fits: &dyn Fn(&str) -> bool) -> Vec<(HashSet<usize>, Line)> {
    let all: Vec<(usize, &Line)> = lines.iter().enumerate().filter(|(_, line)| line.passage.item).collect();
    let lists = all.chunk_by(|(_, a), (_, b)| a.passage.under == b.passage.under);
    let joined = lists.filter(|items| items.len() > 1).filter_map(|items| {
        let (_, first) = items.first()?;
        let texts: Vec<&str> = items.iter().map(|(_, line)| line.sentence.text.as_str()).collect();
        let sentence = Sentence::of(&texts.join(" and "), &Names::default());
        let clauses = sentence.clauses();
        let line = Line { clauses, sentence, contrasts: Vec::new(), ..Line::clone(first) };
        let own = items.iter().map(|(at, _)| *at).collect();
        fits(&line.sentence.text).then_some((own, line))
    });
    joined.collect()
}

/// That there is no value, of the kind that the truth is of, and nothing that is one.
pub(super) fn absence(asked: &Asked<'_>, kind: Absence, answer: &Answer) -> PointScore {
    let one = asked.one;
    let lines = &answer.lines;
    let mut found = None;
    let mut objection = None;
    let mut reserve = None;
    let mut own = HashSet::new();
    let asserted = lines.iter().enumerate().filter(|(_, line)| !line.sentence.question);
    let parts = asserted.flat_map(|(at, line)| {
        let breaks = |token: &Token| token.mark(':') || token.mark(';') || token.role("clause");
        let whole = &line.sentence.tokens;
        whole.split(breaks).map(move |tokens| (at, whole, tokens))
    });
    for (at, whole, tokens) in parts {
        let page = tokens.iter().any(|token| token.is("absence", "page"));
        let value = tokens.iter().any(|token| token.is("absence", "value")) || has_none(asked, tokens);
        let mut said = Said::default();
        tokens.iter().for_each(|token| said.take_alone(token));
        // `I first had $12.4B, but that was a mistake; …`
        let withdrawn = |token: &Token| token.operator("withdrawn") || token.operator("wrong");
        if tokens.iter().any(withdrawn) && !page && !value {
            continue;
        }
        let is_answer = tokens.iter().any(|token| token.role("final"));
        let names = tokens.iter().find(|token| {
            is_answer && matches!(token.kind, Kind::Product(_) | Kind::Row(_))
                || token.terms.iter().any(|(kind, _)| *kind == "policy")
                || token
                    .number()
                    .is_some_and(|_| !asked.knows(&token.folded) && !counts_countries(tokens, token))
                || matches!(token.kind, Kind::Product(code)
                    if !asked.products.contains(code) && !asked.knows(&token.folded))
        });
        let stranger =
            tokens.iter().find(|token| is_answer && token.unknown() && !asked.knows(&token.folded));
        if let Some(named) = names.or(stranger) {
            objection = objection.or(Some(format!("it gives \"{}\"", named.folded)));
        }
        if !page && !value {
            continue;
        }
        own.insert(at);
        let fits = match kind {
            Absence::PageNotFound => page || value,
            _ => value,
        };
        let operators =
            ["exception", "hedge", "condition", "wrong", "past", "future", "comparison", "elsewhere"];
        let denied = tokens.iter().any(|token| token.operator("negation"));
        let known = |token: &&Token| {
            asked.knows(&token.folded) && !token.operator("condition") || denied && token.folded == "can be"
        };
        let mut operator = whole.iter().filter(|token| !known(token));
        let operator = operator.find(|token| operators.iter().any(|kind| token.operator(kind)));
        let supposes =
            whole.first().filter(|first| matches!(first.folded.as_str(), "had" | "were" | "should"));
        let bad = operator.or(supposes).map(|token| format!("\"{}\" stands beside it", token.folded));
        // `neither its GDP nor its rank`: other rows beside this one
        let is_metric = |tag: &Tag| tag.0 == "metric";
        if said.tags.iter().any(|tag| is_metric(tag) && asked.tags.contains(tag)) {
            said.tags.retain(|tag| !asked.siblings.contains(tag));
        }
        let differs = context::differs(asked, &said);
        let is_reason = differs.as_ref().is_none_or(|part| part.starts_with("the base"));
        let why = differs.map(|part| format!("it is said of another context: {part}"));
        let unknown = said.unknown.iter().find(|word| !asked.knows(word) && !word.ends_with("ly"));
        let why = why.or_else(|| unknown.map(|word| format!("nobody knows what \"{word}\" says of it")));
        // a reason in other words, beside a plain statement, takes nothing back
        if bad.is_none() && is_reason && why.is_some() {
            reserve = reserve.or(why);
            continue;
        }
        let bad = bad.or(why);
        let bad = bad.or_else(|| {
            tokens
                .iter()
                .enumerate()
                .find(|(at, token)| {
                    // `so I have none to report`
                    let has_none = tokens.get(at + 1).is_some_and(|next| next.folded == "have")
                        && tokens.get(at + 2).is_some_and(|next| next.operator("negation"));
                    matches!(token.folded.as_str(), "my" | "i" | "me" | "but") && !has_none
                })
                .map(|(_, token)| token)
                .map(|token| format!("\"{}\" speaks of the search", token.folded))
        });
        match bad {
            Some(bad) => objection = objection.or(Some(bad)),
            None if fits => found = found.or(Some(at)),
            None => objection = objection.or(Some("it is another kind of absence".to_owned())),
        }
    }
    let objection = objection.or(reserve.filter(|_| found.is_none()));
    match (found, objection.or_else(|| note::doubt(asked, lines, &own, None))) {
        (Some(at), None) => PointScore {
            said: AnswerVerdict::Right,
            sentence: lines.get(at).map(|line| line.passage.text.clone()),
            reason: "the answer says that there is no value".to_owned(),
            ..missing(one, "")
        },
        (_, Some(objection)) => unscored(one, objection),
        (None, None) => unscored(one, "the answer does not say whether there is a value"),
    }
}

/// `145 countries`: how many are covered.
fn counts_countries(tokens: &[Token], number: &Token) -> bool {
    let next = tokens.iter().find(|next| next.range.start >= number.range.end);
    next.is_some_and(|next| matches!(next.folded.as_str(), "countries" | "economies"))
}

/// Whether it says that there is none of what is asked for: `there is no 2009 ECI`.
fn has_none(asked: &Asked<'_>, tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let own = |token: &Token| token.tags.iter().any(|tag| tag.0 == "metric" && asked.tags.contains(tag));
        let between = |token: &&Token| matches!(token.kind, Kind::Period(_)) || token.role("adjective");
        let mut noun = tokens.get(at + 1..).unwrap_or_default().iter().skip_while(between);
        tokens.get(at).is_some_and(|token| token.folded == "no") && noun.next().is_some_and(own)
    })
}
