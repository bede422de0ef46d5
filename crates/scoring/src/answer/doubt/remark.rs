//! Reads remarks about the value: their own description of it, and context that replaces the question's.

use std::collections::HashSet;

use crate::answer::context::{differs_alone, same_period};
use crate::answer::doubt::talk;
use crate::answer::figures::figure::bound_alone;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::atlas;
use crate::language::lexicon::Tag;
use crate::language::token::{Kind, Token};
use crate::value::Period;

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
        .or_else(|| narrowing(asked, &words))
        .or_else(|| rival(&words))
        .or_else(|| holder(asked, &words));
    if let Some(word) = takes_back {
        return Some(Note::Doubts(word.folded.clone()));
    }
    let said = Predicate::of(&words).filter(Predicate::tells_of_value)?;
    match said.reckoned(asked).or_else(|| said.earlier()).or_else(|| bound_alone(said.rest.iter().copied())) {
        Some(word) => Some(Note::Doubts(word.folded.clone())),
        None => said.is_it().then_some(Note::Says),
    }
}

/// The word that denies the value: `I have not checked it.`, `Do not trust it.`, `The Atlas does not publish it.`
fn denial<'t>(words: &[&'t Token]) -> Option<&'t Token> {
    let mut said = words.iter().filter(|token| token.folded != "please" && !token.role("article"));
    let (first, last) = (said.next()?, words.last()?);
    let denial = words.iter().find(|token| token.operator("negation")).copied();
    let denies = first.listed("begins_denial") || first.holds("site_noun");
    denial.filter(|_| denies && last.listed("object_pronoun"))
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
        [before, one] if one.listed("object_pronoun") => before.states(),
        [the, one] => the.folded == "the" && one.folded == "one" || one.folded == "the one",
        _ => false,
    };
    // `Diamonds does not make it into the top three.`, `Ghana wears that same letter.`
    let is_beside =
        |token: &&Token| token.operator("negation") || token.folded.split(' ').any(|word| word == "same");
    let is_other = other.is_name() && differs_alone(asked, other) && !words.iter().any(is_beside);
    (is_other && words.windows(2).any(is_one)).then_some(other)
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

    fn tells_of_value(&self) -> bool {
        let of = || self.rest.first().is_some_and(|first| first.listed("said_of"));
        let bounds = || bound_alone(self.rest.iter().copied()).is_some();
        let points = |first: &&Token| {
            first.role("deictic") && !matches!(first.folded.as_str(), "it" | "the country" | "country")
        };
        self.subject.first().is_some_and(points) || self.is_it() && (of() || self.is_value() || bounds())
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
    let is_other = |token: &&Token| {
        is_other_product(asked, token)
            || match token.kind {
                Kind::Country(_) => differs_alone(asked, token),
                Kind::Period(_) => !asked.is_change() && differs_alone(asked, token),
                _ => false,
            }
    };
    let other = tokens.into_iter().find(is_other).filter(|_| asked.rows == 1)?;
    Some(format!("a line before it is about \"{}\"", other.folded))
}

/// Whether it names another product than the question's, or the code of one.
fn is_other_product(asked: &Asked<'_>, token: &Token) -> bool {
    match token.kind {
        // the code of a chapter
        Kind::Number(_) => asked.context.product.as_ref().is_some_and(|own| {
            own.len() == token.folded.len()
                && token.folded.bytes().all(|byte| byte.is_ascii_digit())
                && !asked.products.contains(&token.folded)
        }),
        Kind::Product(_) => differs_alone(asked, token),
        _ => false,
    }
}

/// The other product that the value's sentence is about by its pronoun: `Chapter 84 is machinery. It makes up 11.95 %.`
pub(crate) fn antecedent(asked: &Asked<'_>, lines: &[Line], at: usize) -> Option<String> {
    let (before, own) = (lines.get(at.checked_sub(1)?)?, lines.get(at)?);
    let first = own.sentence.tokens.iter().find(|token| token.kind == Kind::Words)?;
    let names_own = |token: &Token| matches!(token.kind, Kind::Product(_)) && !differs_alone(asked, token);
    let points = (first.is_it() || first.is_demonstrative()) && asked.context.product.is_some();
    if !points
        || asked.rows > 1
        || [before, own].iter().any(|line| line.sentence.tokens.iter().any(names_own))
    {
        return None;
    }
    let other = uncompared(&before.sentence.tokens).iter().find(|token| is_other_product(asked, token))?;
    Some(format!("\"{}\" is about \"{}\"", first.folded, other.folded))
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
            let offers = line.offers() || line.sentence.tokens.iter().any(|token| token.operator("free"));
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

    /// A different part of the context in a remark, if no token states the requested part. `counts`: whether the remark of a line
    /// counts.
    fn otherwise(
        &self,
        same: impl Fn(&Token) -> bool,
        other: impl Fn(&Token) -> bool,
        counts: impl Fn(&Line) -> bool,
    ) -> Option<String> {
        let counted = self.remarks.iter().filter(|(line, _)| counts(line));
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
        self.otherwise(|token| token.kind == Kind::Country(own), is_other, |_| true)
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
                || asked.row_periods.contains(&period)
                || own.is_some_and(|own| own.start <= period.start && period.end <= own.end)
        };
        let says = |token: &Token, fitting: bool| matches!(token.kind, Kind::Period(period) if fits(period) == fitting);
        // `B. It has added 24 new products since 2009.`
        let is_of_figure = |line: &Line| {
            let tokens: Vec<&Token> = line.sentence.tokens.iter().collect();
            let measures = tokens.iter().any(|token| token.tagged("metric") && differs_alone(asked, token));
            asked.number().is_none() && measures && talk::holds_figure(line, &tokens)
        };
        self.otherwise(|token| says(token, true), |token| says(token, false), |line| !is_of_figure(line))
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
        // `Kenya ranks 8th by COI.`: beside names and words, the measure is that of the figure. Not `It is the current account of $57.9B.`
        let is_of_figure = |line: &Line| {
            let tokens: Vec<&Token> = line.sentence.tokens.iter().collect();
            let defines = matches!(tokens.as_slice(), [it, be, the, ..]
                if be.role("be") && (it.is_demonstrative() || it.is_it() && the.folded == "the"));
            let may_differ = asked.context.flow.is_some() && tokens.iter().any(|token| token.tagged("flow"));
            asked.number().is_none() && !defines && !may_differ && talk::holds_figure(line, &tokens)
        };
        let by_figure = kinds.contains(&"metric");
        let counts = |line: &Line| !(line.passage.cell || by_figure && is_of_figure(line));
        self.otherwise(|token| tags(token).iter().any(|tag| asked.allows(*tag)), is_other, counts)
    }
}

/// A sentence up to the object of its comparison.
fn uncompared(tokens: &[Token]) -> &[Token] {
    let ends = |token: &Token| {
        token.operator("comparison")
            || token.folded.ends_with("than")
            || token.mark(';')
            || matches!(token.folded.as_str(), "given" | "given that")
    };
    let end = tokens.iter().position(ends).unwrap_or(tokens.len());
    tokens.get(..end).unwrap_or_default()
}
