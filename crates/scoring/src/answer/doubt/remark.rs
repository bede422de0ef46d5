//! Reads remarks about the value: their own description of it, and context that replaces the question's.

use std::collections::HashSet;

use crate::answer::context::{differs_alone, same_period};
use crate::answer::doubt::talk;
use crate::answer::figures::figure::bound_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::atlas;
use crate::language::lexicon::{self, Tag};
use crate::language::token::{Class, Kind, Token};
use crate::value::{Period, Unit};

/// What a sentence without a figure states about the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Note {
    /// It describes the value; the description must fit the question.
    Says,
    /// It retracts or changes the value; holds the word.
    Doubts(String),
}

/// What a sentence states about the value, if anything: `It is an import figure.`, `It is from 2019.`, `The true one is
/// different.`, `Only the goods part is counted.`, `I have not checked it.`
pub(crate) fn of_value(asked: &Asked<'_>, tokens: &[Token]) -> Option<Note> {
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_mark()).collect();
    let takes_back = denial(&words)
        .or_else(|| reversal(&words))
        .or_else(|| narrowing(asked, &words))
        .or_else(|| rival(&words))
        .or_else(|| holder(asked, &words));
    if let Some(word) = takes_back {
        return Some(Note::Doubts(word.folded.clone()));
    }
    let said = Predicate::of(&words).filter(Predicate::tells_of_value)?;
    match said.reckoned(asked).or_else(|| said.earlier()).or_else(|| bound_alone(said.rest.iter().copied())) {
        Some(word) => Some(Note::Doubts(word.folded.clone())),
        None => (said.is_it() || said.is_made()).then_some(Note::Says),
    }
}

/// The word that denies the value: `I have not checked it.`, `Do not trust it.`
fn denial<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let mut said = words.iter().filter(|token| token.folded != "please");
    let (first, last) = (said.next()?, words.last()?);
    let denial = words.iter().find(|token| token.operator("negation")).copied();
    denial.filter(|_| first.listed("begins_denial") && last.listed("object_pronoun"))
}

/// The word that reverses the value: `The opposite holds.`
fn reversal<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    words.iter().find(|token| token.operator("stale")).filter(|_| words.len() <= 4).copied()
}

/// The word that narrows the value: `Only the goods part is counted there.`
fn narrowing<'t>(asked: &Asked<'_>, words: &[&'t Token]) -> Option<&'t Token> {
    let narrows = |tag: &Tag| matches!(tag.0, "scope" | "part" | "group") && !asked.allows(*tag);
    let only = words.iter().find(|token| token.listed("exclusive")).copied();
    let sector = |term: &Tag| term.0 == "sector" && !asked.terms.contains(term);
    // The sector `Other` is also a plain word.
    let narrower = |token: &&Token| {
        token.tags.iter().any(narrows) || token.folded != "other" && token.terms.iter().any(sector)
    };
    // `Kenya has only half as many.`
    let of_another = words.first().is_some_and(
        |first| matches!(first.kind, Kind::Country(id) if asked.country.is_some_and(|own| own != id)),
    );
    only.filter(|_| !of_another && words.iter().any(narrower))
}

/// The word that refers to another, true value: `The true one is different.`
fn rival<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let subject = Predicate::of(words)?.subject;
    let is_value = |token: &&Token| token.ends_in("value_noun") || token.folded == "one";
    subject.first().filter(|first| first.holds("genuine") && subject.iter().any(is_value)).copied()
}

/// Another name that the value is given to: `Angola did that.`, `Greece, over the water, is the one standing third.`
fn holder<'t>(asked: &Asked<'_>, words: &[&'t Token]) -> Option<&'t Token> {
    let other = words.iter().find(|token| !token.role("article") && !token.role("preposition")).copied()?;
    let is_one = |pair: &[&Token]| match pair {
        [before, one] if one.listed("object_pronoun") => {
            before.is_verb() || before.class == Some(Class::Verb)
        }
        [the, one] => the.folded == "the" && one.folded == "one" || one.folded == "the one",
        _ => false,
    };
    // `Diamonds does not make it into the top three.`, `Ghana wears that same letter.`
    let is_beside =
        |token: &&Token| token.operator("negation") || token.folded.split(' ').any(|word| word == "same");
    let is_other = other.is_name() && differs_alone(asked, other) && !words.iter().any(is_beside);
    (is_other && words.windows(2).any(is_one)).then_some(other)
}

/// The word at the start, or in a short sentence, that turns a change round: `Fell, I should say.`, `With hindsight, shrunk.`
pub(crate) fn turn<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let change = asked.number().filter(|_| asked.is_change())?.number;
    let words = || tokens.iter().filter(|token| !token.is_mark() && !token.role("article"));
    if tokens.iter().any(|token| token.operator("negation")) {
        return None;
    }
    let is_short = words().count() <= 4;
    let word = words().take(if is_short { 4 } else { 2 }).find(|token| token.direction().is_some())?;
    (!change.is_zero() && word.direction() == Some(change.is_sign_negative())).then_some(word)
}

/// Another name that takes the value over in a word: `Chile's did.`, `Morocco is, I mean.`, `Nauru, beg your pardon.`, or what
/// the speaker read instead: `Ships were what I had on the screen.`
pub(crate) fn replacement<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let start = tokens.iter().position(|token| !token.role("article"))?;
    let first = tokens.get(start)?;
    let mut rest = tokens.get(start + 1..)?;
    if let [s, behind @ ..] = rest
        && s.folded == "s"
    {
        rest = behind;
    }
    let ends = |token: Option<&Token>| token.is_none_or(Token::is_mark);
    let speaks = |token: &Token| {
        token.listed("speaker") || token.class == Some(Class::Verb) && !token.folded.ends_with("ed")
    };
    let is_other = first.is_name() && differs_alone(asked, first);
    let takes_over = match rest {
        [verb, next @ ..]
            if verb.role("be") || matches!(verb.folded.as_str(), "did" | "does" | "has" | "had") =>
        {
            ends(next.first())
        }
        [comma, next, ..] => comma.mark(',') && speaks(next),
        _ => false,
    };
    let is_read = |pair: &[Token]| matches!(pair, [what, i] if what.folded == "what" && i.listed("speaker"));
    let reads_it = !first.is_it() && !first.is_demonstrative() && !first.role("deictic");
    let is_what = reads_it && rest.first().is_some_and(|be| be.role("be")) && rest.windows(2).any(is_read);
    (is_other && takes_over || is_what).then_some(first)
}

/// The part of a number's spelling that a remark is about: `The minus was a greasy thumb on the keyboard.`, but not `The minus
/// means a deficit.`
pub(crate) fn spelling<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    asked.number()?;
    let explains = |token: &Token| token.listed("defines") || token.listed("refers");
    let is_verb = |token: &Token| token.is_verb() || token.class == Some(Class::Verb);
    let subject = tokens.get(..tokens.iter().position(is_verb)?)?;
    let is_digit = |pair: &[Token]| matches!(pair, [the, part] if (the.folded == "the" || the.number().is_some()) && part.listed("digits"));
    let part = subject.windows(2).find(|pair| is_digit(pair))?.last();
    part.filter(|_| !tokens.iter().any(explains))
}

/// Another number that stands alone at the start: `Seventy, with the nought restored.`
pub(crate) fn bare_number<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let [first, rest @ ..] = tokens else { return None };
    let own = asked.number().filter(|_| asked.rows == 1)?.number;
    let number = first.number().filter(|number| number.unit == Unit::Count)?.number;
    let is_alone =
        rest.first().is_none_or(|next| next.mark(',') || next.mark('.') || next.mark(';') || next.mark('–'));
    (is_alone && number != own).then_some(first)
}

/// The word with which the speaker or the reader is to do something to the value.
pub(crate) fn order(tokens: &[Token]) -> Option<&Token> {
    let words: Vec<&Token> = tokens.iter().filter(|token| !token.is_mark()).collect();
    let comma = tokens.iter().position(|token| token.mark(',')).unwrap_or(tokens.len());
    let behind: Vec<&Token> = tokens.iter().skip(comma).filter(|token| !token.is_mark()).collect();
    // `Whatever you do, keep it out of the report.`
    let opens = words.first().is_some_and(|first| first.folded.starts_with("whatever"));
    advice(&words).or_else(|| command(&words)).or_else(|| command(&behind).filter(|_| opens))
}

/// The word with which the speaker would do something to the value: `I'd set that aside.`, `I would let go of that one.`
fn advice<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let said = |token: &Token, list: &str| token.folded.split(' ').any(|word| lexicon::listed(list, word));
    let speaker = words.iter().take(3).position(|token| said(token, "speaker"))?;
    let (first, behind) = words.get(speaker..)?.split_first()?;
    let would = |token: &&Token| said(token, "modal") || token.folded.split(' ').any(|word| word == "d");
    let modal = [*first].into_iter().chain(behind.first().copied()).find(would)?;
    // `I would be glad to compare that with …`
    let is_offer = behind.iter().any(|token| token.listed("willing") || token.folded == "if");
    (!is_offer && behind.iter().any(|token| is_object(token))).then_some(modal)
}

/// Whether a token stands for the value as an object: `set that aside`.
fn is_object(token: &Token) -> bool {
    token.listed("object_pronoun") || token.folded.ends_with(" one")
}

/// The verb of a command to do something to the value: `Let that one go.`, `You may drop it again.`
fn command<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let opens = |token: &&&Token| {
        let is_address = matches!(token.folded.as_str(), "you" | "please" | "kindly" | "so");
        is_address
            || token.listed("modal")
            || token.tagged("comparative")
            || ["lead", "adverb", "and", "clause"].iter().any(|role| token.role(role))
    };
    let verb = words.iter().take_while(opens).count();
    let [verb, object, behind @ ..] = words.get(verb..)? else { return None };
    let other = ["preposition", "article", "pronoun", "deictic", "be", "relative", "final"];
    let is_verb = verb.kind == Kind::Words
        && !verb.folded.contains(' ')
        && !matches!(verb.class, Some(Class::Adverb | Class::Function | Class::Adjective))
        && !other.iter().any(|role| verb.role(role))
        && !verb.is_name()
        && (!verb.listed("asks_reader") || verb.folded == "keep" && !keeps_in_mind(behind));
    // `Notice that the year matters.`
    let ends = |next: &&Token| {
        next.role("preposition") || next.role("adverb") || next.unknown() || next.folded == "one"
    };
    let joins = object.folded == "that" && behind.first().is_some_and(|next| !ends(next));
    // `Make the T an M.`, `Move both ends back by a decade.`
    let is_base = !["ed", "ing", "s"].iter().any(|end| verb.folded.ends_with(end));
    let is_next = object.range.start <= verb.range.end + 1;
    let is_thing = is_base
        && is_next
        && !verb.operator("negation")
        && !verb.listed("asks_of_thing")
        && object.folded != "an"
        && (object.role("article") || matches!(object.folded.as_str(), "both" | "all" | "your"));
    (is_verb && (is_object(object) && !joins || is_thing)).then_some(*verb)
}

/// Whether a command goes on with `in mind`.
fn keeps_in_mind(behind: &[&Token]) -> bool {
    behind.iter().any(|token| token.folded.split(' ').any(|word| word == "mind"))
}

/// A sentence of the form subject – be – predicate.
struct Predicate<'w, 't> {
    /// The subject, without adverbs and articles.
    subject: Vec<&'t Token>,
    rest: &'w [&'t Token],
}

impl<'w, 't> Predicate<'w, 't> {
    fn of(words: &'w [&'t Token]) -> Option<Self> {
        let at = words.iter().position(|token| token.role("be"))?;
        let (subject, rest) = words.split_at(at);
        let says = |token: &&&Token| !token.role("adverb") && !token.role("article");
        let subject: Vec<&Token> = subject.iter().filter(says).copied().collect();
        (!subject.is_empty()).then_some(Self { subject, rest: rest.get(1..).unwrap_or_default() })
    }

    /// Whether its subject is a pronoun: `it is …`, `both are …`.
    fn is_it(&self) -> bool {
        self.subject.last().is_some_and(|last| last.is_it() || last.folded == "both")
    }

    /// The noun of the predicate.
    fn noun(&self) -> Option<&'t Token> {
        let phrase =
            self.rest.iter().take_while(|token| !token.role("preposition") && !token.role("relative"));
        phrase.last().copied()
    }

    fn is_value(&self) -> bool {
        self.noun().is_some_and(|noun| noun.ends_in("value_noun"))
    }

    /// Whether it says how the subject was made: `it was rounded`.
    fn is_made(&self) -> bool {
        self.rest.iter().find(|token| !token.role("adverb")).is_some_and(|token| token.listed("made_so"))
    }

    fn tells_of_value(&self) -> bool {
        let of = || self.rest.first().is_some_and(|first| first.listed("said_of"));
        let points = |first: &&Token| {
            first.role("deictic") && !matches!(first.folded.as_str(), "it" | "the country" | "country")
        };
        self.subject.first().is_some_and(points)
            || self.is_it() && (of() || self.is_value() || self.is_made())
    }

    /// The noun of another calculation: `an estimate`, `a sum of several years`.
    fn reckoned(&self, asked: &Asked<'_>) -> Option<&'t Token> {
        let is_reckoned = |noun: &&Token| {
            noun.ends_in("reckoned")
                && !asked.knows(&noun.folded)
                && !noun.tags.iter().any(|tag| asked.tags.contains(tag))
        };
        self.noun().filter(|_| self.is_value()).filter(is_reckoned)
    }

    /// The word that dates the value before or after an event: `the value before revision`.
    fn earlier(&self) -> Option<&'t Token> {
        let is_event =
            |then: &Token| !matches!(then.kind, Kind::Period(_) | Kind::Number(_)) && !then.role("pronoun");
        let pair = self.rest.windows(2).find(|pair| {
            matches!(pair, [before, then]
                if matches!(before.folded.as_str(), "before" | "after" | "prior to") && is_event(then))
        });
        pair?.first().copied()
    }
}

/// Another context that a line before a bare value states: `I take the question to be about 2016. $2,274`. Lines with figures and
/// the rows of a list state their own.
pub(crate) fn announced_otherwise(asked: &Asked<'_>, before: &[Line]) -> Option<String> {
    let is_remark = |line: &&Line| {
        let passage = &line.passage;
        let has_figure = talk::holds_figure(line, &line.sentence.tokens.iter().collect::<Vec<_>>());
        // `Q: The same, but about Uganda?`
        let is_row = passage.cell || passage.item || passage.keyed && !line.sentence.question;
        !(has_figure || is_row)
    };
    let tokens = before.iter().filter(is_remark).flat_map(|line| uncompared(&line.sentence.tokens));
    let is_other =
        |token: &&Token| match token.kind {
            // the code of a chapter
            Kind::Number(_) => asked.context.product.as_ref().is_some_and(|own| {
                own.len() == token.folded.len() && !asked.products.contains(&token.folded)
            }),
            Kind::Country(_) | Kind::Product(_) => differs_alone(asked, token),
            Kind::Period(_) => !asked.is_change() && differs_alone(asked, token),
            _ => false,
        };
    let other = tokens.into_iter().find(is_other).filter(|_| asked.rows == 1)?;
    Some(format!("a line before it is about \"{}\"", other.folded))
}

/// A remark that states another context, if no sentence states the question's: `169. That is what Tanzania exports.`, `Services.
/// In 2014 they held more.`, `| Year | 2021 |`.
pub(crate) fn filled_otherwise(asked: &Asked<'_>, lines: &[Line], own: &HashSet<usize>) -> Option<String> {
    let remarks = Remarks::of(asked, lines, own);
    remarks
        .of_another_country()
        .or_else(|| remarks.of_another_period())
        .or_else(|| remarks.of_another(&["flow"]))
        .or_else(|| remarks.of_another(&["metric", "thing"]))
}

/// The sentences about the value, without objects of comparison.
struct Remarks<'a> {
    asked: &'a Asked<'a>,
    remarks: Vec<(&'a Line, &'a [Token])>,
    /// All tokens of the answer.
    everything: Vec<&'a Token>,
}

impl<'a> Remarks<'a> {
    fn of(asked: &'a Asked<'a>, lines: &'a [Line], own: &HashSet<usize>) -> Self {
        let is_remark = |(at, line): &(usize, &Line)| {
            let first = line.sentence.tokens.iter().find(|token| token.kind == Kind::Words);
            let points = first.is_some_and(|first| first.listed("begins_remark"));
            let offers = line.sentence.tokens.iter().any(|token| token.operator("free"));
            // `Driver: a lack of diversification of exports` describes another row.
            let is_labelled = asked.rows > 1 && line.passage.keyed;
            !line.sentence.question && (!own.contains(at) || points) && !offers && !is_labelled
        };
        let remarks = lines.iter().enumerate().filter(is_remark);
        let sentences =
            lines.iter().flat_map(|line| line.heads.iter().chain(&line.headings).chain([&line.sentence]));
        Self {
            asked,
            remarks: remarks.map(|(_, line)| (line, uncompared(&line.sentence.tokens))).collect(),
            everything: sentences.flat_map(|sentence| &sentence.tokens).collect(),
        }
    }

    /// A different part of the context in a remark, if no token states the requested part. `cells`: whether table cells count.
    fn otherwise(
        &self,
        same: impl Fn(&Token) -> bool,
        other: impl Fn(&Token) -> bool,
        cells: bool,
    ) -> Option<String> {
        let counted = self.remarks.iter().filter(|(line, _)| cells || !line.passage.cell);
        let found = counted.flat_map(|(_, tokens)| *tokens).find(|token| other(token))?;
        (!self.everything.iter().any(|token| same(token)))
            .then(|| format!("it is about \"{}\", not about the question's subject", found.folded))
    }

    fn of_another_country(&self) -> Option<String> {
        let asked = self.asked;
        let answers_a_place = asked.one.names.iter().any(|name| atlas::lookup(name).is_some());
        let own = asked.country.filter(|_| !answers_a_place)?;
        let is_other = |token: &Token| {
            matches!(token.kind, Kind::Country(id)
                if id != own && asked.partner != Some(id) && !asked.places.contains(&id))
        };
        self.otherwise(|token| token.kind == Kind::Country(own), is_other, true)
    }

    fn of_another_period(&self) -> Option<String> {
        let asked = self.asked;
        let own = asked.context.period;
        if own.is_none() && asked.periods.is_empty() {
            return None;
        }
        let fits = |period: Period| {
            same_period(asked, period)
                || asked.periods.contains(&period)
                || own.is_some_and(|own| own.start <= period.start && period.end <= own.end)
        };
        let says = |token: &Token, fitting: bool| matches!(token.kind, Kind::Period(period) if fits(period) == fitting);
        self.otherwise(|token| says(token, true), |token| says(token, false), true)
    }

    fn of_another(&self, kinds: &[&str]) -> Option<String> {
        let asked = self.asked;
        let tags = |token: &Token| -> Vec<Tag> {
            token.tags.iter().filter(|(kind, _)| kinds.contains(kind)).copied().collect()
        };
        let is_other = |token: &Token| {
            let tags = tags(token);
            let is_allowed = |tag: &Tag| asked.allows(*tag) || asked.siblings.contains(tag);
            token.terms.is_empty()
                && !tags.is_empty()
                && !tags.iter().any(is_allowed)
                && !asked.knows(&token.folded)
        };
        self.otherwise(|token| tags(token).iter().any(|tag| asked.allows(*tag)), is_other, false)
    }
}

/// A sentence up to the object of its comparison.
fn uncompared(tokens: &[Token]) -> &[Token] {
    let ends = |token: &Token| {
        token.operator("comparison")
            || token.folded.ends_with("than")
            || token.mark(';')
            || token.role("clause")
            || matches!(token.folded.as_str(), "given" | "given that")
    };
    let end = tokens.iter().position(ends).unwrap_or(tokens.len());
    tokens.get(..end).unwrap_or_default()
}
