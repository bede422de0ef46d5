//! Reads data points that are phrases of several words.

use std::collections::{BTreeSet, HashSet};

use super::direction::turned;
use crate::answer::candidate::{Claim, Found, Place, unclear};
use crate::answer::line::Line;
use crate::answer::names::item::{is_fragment, is_stranger};
use crate::answer::place::asserted::place;
use crate::answer::place::slots::{why_followed, why_preceded};
use crate::answer::point::{AnswerVerdict, PointScore, missing, unscored};
use crate::answer::question::asked::Asked;
use crate::answer::refusal::refusal;
use crate::answer::statement::said::Said;
use crate::language::lexicon::{self, Tag, stem};
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Names, Token};
use crate::value::Unit;

/// Whether a text contains all words of a phrase.
pub(crate) fn says(text: &str, phrase: &str) -> bool {
    let words: BTreeSet<String> = lexicon::words(text).iter().map(|word| stem(&word.folded)).collect();
    lexicon::words(phrase).iter().all(|word| words.contains(&stem(&word.folded)))
}

/// The stems of the content words of a text; `2nd` counts as `second`.
fn content(text: &str) -> BTreeSet<String> {
    let words = lexicon::words(text).into_iter().map(|word| word.folded);
    let kept = words.filter(|word| !lexicon::listed("small", word));
    kept.map(|word| lexicon::ordinal_in_words(&word).map_or_else(|| stem(&word), stem)).collect()
}

/// Reads a phrase: one asserting sentence must contain its words.
pub(crate) fn phrase(asked: &Asked<'_>, truth: &str, lines: &[Line]) -> Found {
    let one = asked.one;
    let open = |why: String| Found::from(unscored(one, why));
    let in_question =
        |name: &&String| asked.question.as_ref().is_some_and(|question| says(&question.text, name));
    let needed: Vec<&String> = one.names.iter().filter(|name| !in_question(name)).collect();
    let value = content(truth);
    let wanted = value.iter().cloned().chain(needed.iter().flat_map(|name| content(name))).collect();
    let phrase = Phrase { asked, truth, value, wanted };
    let mut lists = lists(lines, &|text| content(text).is_subset(&phrase.value));
    lists.extend(phrase.with_names_below(lines));
    let single = lines.iter().enumerate().map(|(at, line)| (HashSet::from([at]), line));
    let mut partial = false;
    for (own, line) in single.chain(lists.iter().map(|(own, line)| (own.clone(), line))) {
        let (sentence, is_partial) = phrase.sentence(line);
        partial |= is_partial;
        let Some(sentence) = sentence else { continue };
        // `Services and Electronics, jointly`
        let is_joint = |token: &Token| token.is("part", "joint");
        if phrase.value.len() <= 2 && line.sentence.tokens.iter().any(is_joint) {
            return open("the answer names another with it".to_owned());
        }
        // `have the lowest potential`
        let is_less = |token: &&Token| token.is("comparative", "least") && !phrase.knows(&token.folded);
        let turned = phrase.turned(&sentence);
        if let Some(token) = line.sentence.tokens.iter().find(is_less).or(turned) {
            return open(format!("it says \"{}\"", token.folded));
        }
        // `Services, Vehicles and Chemicals`
        if let Some(token) = phrase.joins_another(line) {
            return open(format!("it also names \"{}\"", token.folded));
        }
        // `some years between 1995 and 2024`, `close to complete`
        if let Some(token) = phrase.why_beside(&sentence) {
            return open(unclear(&token.folded));
        }
        let at = own.iter().max().copied().unwrap_or(0);
        if let Some(token) = line.heads.iter().flat_map(|head| &head.tokens).find(|token| phrase.falls(token))
        {
            return open(format!("its heading says \"{}\"", token.folded));
        }
        let mut others = lines.iter().enumerate().filter(|(other, _)| !own.contains(other));
        if let Some((_, rival)) = others.find(|(other, line)| phrase.is_rival(line, *other > at)) {
            return open(format!("the answer also gives \"{}\"", rival.passage.text));
        }
        let place = place(asked, &phrase.said(line, &sentence), line);
        if place != Place::Asked {
            return open(place.why().unwrap_or("it belongs to another row").to_owned());
        }
        let verdict = PointScore {
            said: AnswerVerdict::Right,
            sentence: lines.get(at).map(|line| line.passage.text.clone()),
            value: Some(truth.to_owned()),
            reason: "the answer uses these words".to_owned(),
            ..missing(one, "")
        };
        let doubted = unscored(one, "");
        return Found::from(Claim::of(verdict, doubted, own));
    }
    let short = lines.iter().map(|line| line.sentence.tokens.len()).sum::<usize>() <= 12;
    let says_nothing = |line: &Line| line.sentence.question || line.sentence.tokens.len() < 2;
    Found::from(if !needed.is_empty() && partial {
        missing(one, "the answer does not say which it means")
    } else if short && !partial && lines.iter().all(says_nothing) {
        missing(one, "the answer does not say it")
    } else {
        in_other_words(asked, lines)
    })
}

/// The verdict on an answer that uses none of the known words: it declines, or only a judge can decide.
pub(crate) fn in_other_words(asked: &Asked<'_>, lines: &[Line]) -> PointScore {
    let text: Vec<&str> = lines.iter().map(|line| line.passage.text.as_str()).collect();
    let question = asked.question.as_ref().map_or("", |question| question.text.as_str());
    match refusal(question, &text.join("\n")).shown {
        Some(true) => missing(asked.one, "it declines and gives no value"),
        _ => unscored(asked.one, "the answer uses other words: only a judge can decide"),
    }
}

/// Whether a phrase is about trade: `a lack of diversification of exports`.
fn says_flow(phrase: &str) -> bool {
    Sentence::of(phrase, &Names::default()).tokens.iter().any(|token| token.tagged("flow"))
}

/// The phrase to find.
struct Phrase<'a> {
    asked: &'a Asked<'a>,
    truth: &'a str,
    /// Its stems.
    value: BTreeSet<String>,
    /// Its stems and those of its subject.
    wanted: BTreeSet<String>,
}

impl Phrase<'_> {
    fn knows(&self, word: &str) -> bool {
        self.asked.knows(word) || word.split(' ').all(|word| self.wanted.contains(&stem(word)))
    }

    /// Each line with the phrase, as one with the next, if that gives its names alone: `Products: high complexity`, `Sectors: Metals
    /// and Chemicals`.
    fn with_names_below(&self, lines: &[Line]) -> Vec<(HashSet<usize>, Line)> {
        let names: BTreeSet<&String> = self.wanted.difference(&self.value).collect();
        let gives_names = |line: &Line| {
            let words = content(&line.sentence.text);
            let is_other = |word: &String| !names.contains(word) && !self.asked.knows(word);
            !names.is_empty()
                && names.iter().all(|name| words.contains(*name))
                && !words.iter().any(is_other)
                && !line.sentence.question
        };
        let joined = lines.windows(2).enumerate().filter_map(|(at, pair)| match pair {
            [line, below] if self.value.is_subset(&content(&line.sentence.text)) && gives_names(below) => {
                let text = format!("{} in {}", line.sentence.text, below.sentence.text);
                Some((HashSet::from([at, at + 1]), as_one(line, &text)))
            }
            _ => None,
        });
        joined.collect()
    }

    /// The clause of a line that contains the phrase, else the whole sentence if that does; and whether the words of the value occur.
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
            // The row names the subject.
            words.extend(line.heads.iter().flat_map(|head| content(&head.text)));
        }
        let labelled = is_part && self.value.len() <= 2 && self.asked.is_labelled_otherwise(&words);
        let holds = !self.wanted.is_empty() && self.wanted.is_subset(&words);
        ((holds && !line.sentence.question && !labelled).then_some(sentence), is_partial)
    }

    /// The context of the phrase, without its own words.
    fn said(&self, line: &Line, sentence: &Sentence) -> Said {
        let mut said = Said::default();
        said.take_head(&sentence.tokens, true);
        line.heads.iter().for_each(|head| said.take_head(&head.tokens, true));
        // A condition on the whole sentence may be anywhere in it.
        let reserved = |(kind, _): &(&str, String)| {
            matches!(*kind, "condition" | "hedge" | "wrong" | "question" | "elsewhere" | "withdrawn")
        };
        let mut whole = Said::default();
        whole.take_head(&line.sentence.tokens, true);
        said.operators.extend(whole.operators.into_iter().filter(reserved));
        said.unknown.retain(|word| {
            !self.knows(word) && !word.ends_with("ly") && !lexicon::listed("before_phrase", word)
        });
        said.products.clear();
        said.rows.clear();
        said.periods.retain(|period| !self.truth.contains(&period.end.to_string()));
        // A conjunction inside the phrase does not join another value.
        let joins = |tag: &Tag| *tag == ("part", "joint") && self.value.len() > 3;
        let is_own = |value: &str| self.knows(&value.replace('_', " "));
        said.tags.retain(|tag| {
            !(matches!(tag.0, "scope" | "direction")
                || matches!(tag.0, "thing" | "metric")
                    && (is_own(tag.1)
                        || lexicon::listed("of_trade", tag.1)
                        || self.asked.siblings.contains(tag))
                || joins(tag))
        });
        said.operators.retain(|(kind, word)| !self.knows(word) && !matches!(*kind, "bound" | "comparison"));
        said
    }

    /// A word beside the phrase that may keep it from being asserted.
    fn why_beside<'s>(&self, sentence: &'s Sentence) -> Option<&'s Token> {
        let is_own = |token: &Token| {
            let words = content(&token.folded);
            !words.is_empty() && words.is_subset(&self.value)
        };
        let tokens = &sentence.tokens;
        let (first, last) = (tokens.iter().position(is_own)?, tokens.iter().rposition(is_own)?);
        let knows = |word: &str| self.knows(word);
        why_preceded(tokens.get(..first)?, &knows).or_else(|| why_followed(tokens.get(last + 1..)?, &knows))
    }

    /// The word that puts the phrase in another statement: `drove the decline`, `are imported`, `the years 1995 and 2024`.
    fn turned<'s>(&self, sentence: &'s Sentence) -> Option<&'s Token> {
        let tokens = &sentence.tokens;
        let is_own = |token: &Token| self.knows(&token.folded);
        let falls = turned(self.asked, tokens).filter(|token| !is_own(token));
        let question = || self.asked.question.iter().flat_map(|question| &question.tokens);
        let trades = |token: &Token| token.tagged("flow");
        let traded = tokens
            .iter()
            .find(|token| trades(token) && !is_own(token))
            .filter(|_| !question().any(trades) && !says_flow(self.truth));
        let is_year = |token: &Token| matches!(token.kind, Kind::Period(own) if own.start == own.end);
        let joined = tokens.windows(3).position(|three| {
            matches!(three, [first, and, last] if is_year(first) && (and.folded == "and" || and.mark(',')) && is_year(last))
        });
        let between = |at: &usize| {
            at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| token.folded == "between")
        };
        let joined = joined.filter(|at| !between(at)).and_then(|at| tokens.get(at));
        let years = || tokens.iter().filter(|token| is_year(token) && self.truth.contains(&token.folded));
        let descends = years().zip(years().skip(1)).find(|(first, next)| first.folded > next.folded);
        falls.or(traded).or(joined).or(descends.map(|(first, _)| first))
    }

    /// A name outside a phrase that itself consists of names.
    fn joins_another<'l>(&self, line: &'l Line) -> Option<&'l Token> {
        let is_name =
            |token: &Token| matches!(token.kind, Kind::Product(_) | Kind::Row(_)) || !token.terms.is_empty();
        let set_off = |at: usize| line.contrasts.iter().any(|range| range.contains(&at));
        let tokens =
            || line.sentence.tokens.iter().enumerate().filter(|(at, token)| is_name(token) && !set_off(*at));
        let is_own = |token: &Token| content(&token.folded).is_subset(&self.wanted);
        let names = tokens().filter(|(_, token)| is_own(token)).count();
        // `the other` is no product
        let mut others = tokens().map(|(_, token)| token);
        others.find(|token| {
            (names > 1 || self.truth.contains(" and "))
                && !is_own(token)
                && !token.listed("turns")
                && !self.asked.knows(&token.folded)
        })
    }

    /// Whether a head reverses the phrase: `Losses: …`.
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
            || is_fragment(line) && is_stranger(line, asked)
            || is_behind && tokens.iter().any(|token| token.operator("correction"))
            || is_behind && !line.passage.cell && tokens.first().is_some_and(|first| first.role("final"))
            || of_years && tokens.iter().any(is_year);
        is_rival && !self.wanted.is_subset(&content(&line.sentence.text))
    }

    /// Whether a line is only a position, if the question asks for one: `The third.` Its own label may assign it to another row.
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

/// The parts of a sentence between commas, `and` or colons that have a verb of their own, or `all` parts.
fn split_at_joints(sentence: &Sentence, all: bool) -> Vec<Sentence> {
    // The words before a dash or colon are a label.
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

/// Some lines as one, in the place of the first.
fn as_one(first: &Line, text: &str) -> Line {
    let sentence = Sentence::of(text, &Names::default());
    Line { clauses: sentence.clauses(), sentence, contrasts: Vec::new(), ..Line::clone(first) }
}

/// The items of each list as one line, if every word fits.
fn lists(lines: &[Line], fits: &dyn Fn(&str) -> bool) -> Vec<(HashSet<usize>, Line)> {
    let all: Vec<(usize, &Line)> = lines.iter().enumerate().filter(|(_, line)| line.passage.item).collect();
    let lists = all.chunk_by(|(_, a), (_, b)| a.passage.under == b.passage.under);
    let joined = lists.filter(|items| items.len() > 1).filter_map(|items| {
        let (_, first) = items.first()?;
        let texts: Vec<&str> = items.iter().map(|(_, line)| line.sentence.text.as_str()).collect();
        let line = as_one(first, &texts.join(" and "));
        let own = items.iter().map(|(at, _)| *at).collect();
        fits(&line.sentence.text).then_some((own, line))
    });
    joined.collect()
}
