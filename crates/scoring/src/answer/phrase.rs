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

/// The words of a text that say something, without their endings.
fn content(text: &str) -> BTreeSet<String> {
    let words = lexicon::words(text).into_iter().map(|word| word.folded);
    words.filter(|word| !lexicon::listed("small", word)).map(|word| stem(&word)).collect()
}

/// A phrase: its words stand in one sentence that asserts them.
pub(super) fn phrase(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> PointScore {
    let one = asked.one;
    let in_question =
        |name: &&String| asked.question.as_ref().is_some_and(|question| says(&question.text, name));
    let needed: Vec<&String> = one.names.iter().filter(|name| !in_question(name)).collect();
    let value = content(truth);
    let wanted = value.iter().cloned().chain(needed.iter().flat_map(|name| content(name))).collect();
    let phrase = Phrase { asked, truth, value, wanted };
    let lists = lists(lines, &|text| content(text).is_subset(&phrase.value));
    let single = lines.iter().enumerate().map(|(at, line)| (HashSet::from([at]), line));
    let mut partial = false;
    for (own, line) in single.chain(lists.iter().map(|(own, line)| (own.clone(), line))) {
        let (sentence, is_partial) = phrase.sentence(line);
        partial |= is_partial;
        let Some(sentence) = sentence else { continue };
        // `Services and Electronics, jointly`
        let is_joint = |token: &Token| token.is("part", "joint");
        if phrase.value.len() <= 2 && line.sentence.tokens.iter().any(is_joint) {
            return unscored(one, "another is named with it");
        }
        let at = own.iter().max().copied().unwrap_or(0);
        if let Some(token) = line.heads.iter().flat_map(|head| &head.tokens).find(|token| phrase.falls(token))
        {
            return unscored(one, format!("\"{}\" stands over it", token.folded));
        }
        let mut others = lines.iter().enumerate().filter(|(other, _)| !own.contains(other));
        if let Some((_, rival)) = others.find(|(other, line)| phrase.is_rival(line, *other > at)) {
            return unscored(one, format!("\"{}\" stands beside it", rival.passage.text));
        }
        return match place::place(asked, &phrase.said(line, &sentence), line) {
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
    let says_nothing = |line: &Line| line.sentence.question || line.sentence.tokens.len() < 2;
    if !needed.is_empty() && partial {
        missing(one, "the answer does not say of which")
    } else if short && !partial && lines.iter().all(says_nothing) {
        missing(one, "the answer does not say it")
    } else {
        unscored(one, "what the answer says in other words needs a judge")
    }
}

/// A phrase that is looked for.
struct Phrase<'a> {
    asked: &'a Asked<'a>,
    truth: &'a str,
    /// Its words.
    value: BTreeSet<String>,
    /// Its words and those of what it is of.
    wanted: BTreeSet<String>,
}

impl Phrase<'_> {
    fn knows(&self, word: &str) -> bool {
        self.asked.knows(word) || word.split(' ').all(|word| self.wanted.contains(&stem(word)))
    }

    /// The clause of a line that says it, else the whole sentence where that does; and whether the words of the value stand there.
    fn sentence(&self, line: &Line) -> (Option<Sentence>, bool) {
        let clauses = line.clauses.iter().map(|clause| {
            let tokens: Vec<Token> = clause.tokens.iter().filter_map(|at| line.token(*at).cloned()).collect();
            let text = tokens.iter().map(|token| token.folded.as_str()).collect::<Vec<_>>().join(" ");
            Sentence { text, tokens, question: line.sentence.question }
        });
        // `growth is carried by services, and its transformation is complete`
        let parts = split_at_joints(&line.sentence, self.value.len() <= 2 && self.asked.rows > 1);
        let mut parts = parts.into_iter().chain(clauses);
        let found = parts.find(|clause| self.wanted.is_subset(&content(&clause.text)));
        let is_part = found.is_some();
        let sentence = found.unwrap_or_else(|| line.sentence.clone());
        let mut words = content(&sentence.text);
        let is_partial = self.value.is_subset(&words);
        if line.passage.cell && is_partial {
            // the row says of which
            words.extend(line.heads.iter().flat_map(|head| content(&head.text)));
        }
        let labelled = is_part && self.value.len() <= 2 && self.asked.is_labelled_otherwise(&words);
        let holds = !self.wanted.is_empty() && self.wanted.is_subset(&words);
        ((holds && !line.sentence.question && !labelled).then_some(sentence), is_partial)
    }

    /// What is said of it, without its own words.
    fn said(&self, line: &Line, sentence: &Sentence) -> Said {
        let mut said = Said::default();
        said.take_head(&sentence.tokens, true);
        line.heads.iter().for_each(|head| said.take_head(&head.tokens, true));
        // what makes the whole sentence depend stands anywhere in it
        let reserved = |(kind, _): &(&str, String)| {
            matches!(*kind, "condition" | "hedge" | "wrong" | "question" | "elsewhere" | "withdrawn")
        };
        let mut whole = Said::default();
        whole.take_head(&line.sentence.tokens, true);
        said.operators.extend(whole.operators.into_iter().filter(reserved));
        said.unknown.retain(|word| !self.knows(word) && !word.ends_with("ly"));
        said.products.clear();
        said.rows.clear();
        said.periods.retain(|period| !self.truth.contains(&period.end.to_string()));
        // what joins the words of the phrase joins nothing else
        let joins = |tag: &Tag| *tag == ("part", "joint") && self.value.len() > 3;
        said.tags.retain(|tag| !matches!(tag.0, "scope" | "direction" | "thing" | "metric") && !joins(tag));
        said.operators.retain(|(kind, word)| !self.knows(word) && !matches!(*kind, "bound" | "comparison"));
        said
    }

    /// `Losses: …`
    fn falls(&self, token: &Token) -> bool {
        token.is("direction", "down") && !self.knows(&token.folded) && !says(self.truth, &token.folded)
    }

    /// Whether another line gives another value.
    fn is_rival(&self, line: &Line, is_behind: bool) -> bool {
        let (asked, tokens) = (self.asked, &line.sentence.tokens);
        let heads = line.heads.iter().flat_map(|head| &head.tokens);
        let mut labels = heads.filter(|token| token.kind == Kind::Words && !token.role("article"));
        if line.passage.cell && labels.any(|token| asked.of_another_row(&token.folded)) {
            return false;
        }
        let of_years = self.value.iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let is_year = |token: &Token| {
            matches!(token.kind, Kind::Period(_))
                && !content(&token.folded).is_subset(&self.value)
                && !asked.knows(&token.folded)
        };
        let is_rival = self.is_bare_place(line)
            || strangers::is_fragment(line) && strangers::is_stranger(line, asked)
            || strangers::asserts_stranger(line, asked)
            || is_behind && tokens.iter().any(|token| token.operator("correction"))
            || of_years && tokens.iter().any(is_year);
        is_rival && !self.wanted.is_subset(&content(&line.sentence.text))
    }

    /// `The third.`, where a place is asked for; a label of its own says that it is of another row.
    fn is_bare_place(&self, line: &Line) -> bool {
        let tokens = &line.sentence.tokens;
        let is_place = |token: &Token| {
            token.listed("ordinal") || token.number().is_some_and(|number| number.unit == Unit::Rank)
        };
        let is_other = |token: &Token| self.asked.of_another_row(&token.folded) && !token.role("final");
        let label = tokens.iter().position(|token| token.mark(':')).map_or(&[][..], |end| line.until(end));
        self.value.iter().all(|word| lexicon::listed("ordinal", word))
            && tokens.iter().any(is_place)
            && tokens.iter().filter(|token| !token.is_mark()).count() <= 4
            && !line.passage.cell
            && !label.iter().any(is_other)
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
        let mut said = Said::of_tokens(tokens);
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
