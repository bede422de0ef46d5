//! Reads data points without a value: the answer must state the same kind of absence and give no value.

use std::collections::HashSet;

use crate::answer::candidate::{Claim, Found, unclear};
use crate::answer::context::differs;
use crate::answer::line::Line;
use crate::answer::place::asserted::begins_past;
use crate::answer::point::{AnswerVerdict, PointScore, missing, unscored};
use crate::answer::question::asked::Asked;
use crate::answer::reading::Answer;
use crate::answer::statement::said::Said;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{Absence, ContextPart, Unit};

/// What a part of a sentence claims about an absence.
enum Assertion {
    /// It asserts the absence.
    Asserted,
    /// It only explains the absence, which does not weaken a plain statement elsewhere.
    Explained(String),
    /// It cannot be read as an assertion.
    Open(String),
}

/// The operators that keep a sentence from asserting an absence, and those that do in front of it.
const QUALIFYING: [&str; 8] =
    ["exception", "hedge", "condition", "wrong", "past", "future", "comparison", "elsewhere"];
const LEADING: [&str; 4] = ["question", "stale", "withdrawn", "other"];

/// Reads a data point whose truth is an absence.
pub(crate) fn absence(asked: &Asked<'_>, kind: Absence, answer: &Answer) -> Found {
    let lines = &answer.lines;
    let (mut asserted, mut objection, mut explained) = (None, None, None);
    let mut own = HashSet::new();
    for part in parts(asked, lines) {
        if part.is_given_up() {
            continue;
        }
        objection = objection.or_else(|| part.gives().map(|token| format!("it gives \"{}\"", token.folded)));
        objection = objection.or_else(|| part.shows_else().then(|| "it is shown elsewhere".to_owned()));
        if !part.says_none() {
            continue;
        }
        let is_past = lines.get(part.line).is_some_and(begins_past);
        objection = objection.or_else(|| is_past.then(|| "it is about the time before".to_owned()));
        own.insert(part.line);
        match part.claim(kind) {
            Assertion::Asserted => asserted = asserted.or(Some(part.line)),
            Assertion::Explained(why) => explained = explained.or(Some(why)),
            Assertion::Open(why) => objection = objection.or(Some(why)),
        }
    }
    if let Some(objection) = objection.or(explained.filter(|_| asserted.is_none())) {
        return Found::from(unscored(asked.one, objection));
    }
    let verdict = match asserted {
        Some(at) => PointScore {
            said: AnswerVerdict::Right,
            sentence: lines.get(at).map(|line| line.passage.text.clone()),
            reason: "the answer says that there is no value".to_owned(),
            ..missing(asked.one, "")
        },
        None => unscored(asked.one, "the answer does not say whether there is a value"),
    };
    let doubted = unscored(asked.one, "");
    Found::from(Claim::of(verdict, doubted, own))
}

/// The parts of the asserting sentences, split at colons, semicolons and clause conjunctions.
fn parts<'a>(asked: &'a Asked<'a>, lines: &'a [Line]) -> impl Iterator<Item = Part<'a>> {
    let asserted = lines.iter().enumerate().filter(|(_, line)| !line.sentence.question);
    asserted.flat_map(move |(line, of)| {
        let breaks = |token: &Token| token.mark(':') || token.mark(';') || token.role("clause");
        let whole = of.sentence.tokens.as_slice();
        whole.split(breaks).map(move |tokens| Part {
            asked,
            line,
            whole,
            tokens,
            page: tokens.iter().any(|token| token.is("absence", "page")),
            value: tokens
                .iter()
                .enumerate()
                .any(|(at, token)| token.is("absence", "value") && !is_still(tokens, at))
                || has_none(asked, tokens),
        })
    })
}

/// A part of a sentence.
struct Part<'a> {
    asked: &'a Asked<'a>,
    line: usize,
    /// The tokens of the whole sentence.
    whole: &'a [Token],
    tokens: &'a [Token],
    /// Whether it says that there is no page.
    page: bool,
    /// Whether it says that there is no value.
    value: bool,
}

impl<'a> Part<'a> {
    fn says_none(&self) -> bool {
        self.page || self.value
    }

    /// Whether it withdraws an earlier answer: `I first had $12.4B, but that was a mistake; …`.
    fn is_given_up(&self) -> bool {
        let withdrawn = |token: &Token| token.operator("withdrawn") || token.operator("wrong");
        !self.says_none() && self.tokens.iter().any(withdrawn)
    }

    /// The value that it gives: a policy, a figure, or a product outside the question; after `Answer`, any name.
    fn gives(&self) -> Option<&'a Token> {
        let asked = self.asked;
        let is_answer = self.tokens.iter().any(|token| token.role("final"));
        let before = |at: usize| at.checked_sub(1).and_then(|at| self.tokens.get(at));
        // `as the two form a customs union`
        let is_group = |at: usize, token: &Token| {
            token.folded.chars().all(char::is_alphabetic)
                && token.number().is_some_and(|number| number.unit == Unit::Count)
                && before(at).is_some_and(|the| the.role("article") || the.folded == "all")
        };
        let is_value = |(at, token): &(usize, &Token)| {
            let is_new = !asked.knows(&token.folded);
            is_answer && matches!(token.kind, Kind::Product(_) | Kind::Row(_))
                || token.terms.iter().any(|(kind, _)| *kind == "policy")
                || is_new
                    && token.number().is_some()
                    && !is_group(*at, token)
                    && !counts_countries(self.tokens, *at)
                    && !asked.products.contains(&token.folded)
                || is_new && matches!(token.kind, Kind::Product(code) if !asked.products.contains(code))
        };
        let is_stranger = |token: &&Token| is_answer && token.unknown() && !asked.knows(&token.folded);
        let value = self.tokens.iter().enumerate().find(is_value).map(|(_, token)| token);
        value.or_else(|| self.tokens.iter().find(is_stranger))
    }

    fn claim(&self, kind: Absence) -> Assertion {
        if let Some(why) = self.why_not_asserted() {
            return Assertion::Open(why);
        }
        let said = self.said();
        if let Some(part) = differs(self.asked, &said) {
            let why = part.reason();
            // `because the series only starts in 2012`
            let begins =
                |token: &Token| token.folded.split(' ').any(|word| lexicon::listed("data_begin", word));
            let is_reason = part.is_of(ContextPart::Period) && self.tokens.iter().any(begins);
            return if part.is_of(ContextPart::Base) || is_reason {
                Assertion::Explained(why)
            } else {
                Assertion::Open(why)
            };
        }
        let is_unknown = |word: &&String| !self.asked.knows(word) && !word.ends_with("ly");
        if let Some(word) = said.unknown.iter().find(is_unknown) {
            return Assertion::Explained(unclear(word));
        }
        match kind {
            Absence::PageNotFound => Assertion::Asserted,
            _ if self.value => Assertion::Asserted,
            _ => Assertion::Open("it is another kind of absence".to_owned()),
        }
    }

    /// The operator that keeps the sentence from asserting, or a supposition: `Had there been …`.
    fn why_not_asserted(&self) -> Option<String> {
        let denies = self.tokens.iter().any(|token| token.operator("negation"));
        // `no value from which a change could be worked out`
        let is_denied = |at: usize| {
            let before = self.whole.get(..at).unwrap_or_default();
            let mut near = before.iter().rev().take_while(|token| !token.is_mark());
            near.any(|token| token.operator("negation"))
        };
        let is_exempt = |at: usize, token: &Token| {
            self.asked.knows(&token.folded) && !token.operator("condition")
                || token.folded == "could" && self.is_not_found(at)
                || token.listed("possible") && (denies && token.folded == "can be" || is_denied(at))
        };
        let operates = |(at, token): &(usize, &Token)| {
            !is_exempt(*at, token) && QUALIFYING.iter().any(|kind| token.operator(kind))
        };
        // `Where the list is not available, …`, `Only the strategy itself is not available.`
        let limits =
            |first: &&Token| first.listed("supposes") || first.listed("exclusive") || first.folded == "where";
        let supposes = self.whole.first().filter(limits);
        let token = self
            .whole
            .iter()
            .enumerate()
            .find(operates)
            .map(|(_, token)| token)
            .or_else(|| self.leading())
            .or(supposes)
            .or_else(|| self.other_object())
            .or_else(|| self.but())?;
        Some(format!("\"{}\" qualifies it", token.folded))
    }

    /// The operator in front of the absence: `You said that …`, `The draft said: …`
    fn leading(&self) -> Option<&'a Token> {
        let start = self.tokens.first()?.range.start;
        let at = self.whole.iter().position(|token| token.range.start == start)?;
        let (before, behind) = self.whole.split_at(at);
        let label = match before.split_last() {
            Some((last, label)) if last.mark(':') => label,
            _ => &[],
        };
        let lead = label.iter().chain(behind.iter().take_while(|token| !token.tagged("absence")));
        let lead: Vec<&Token> = lead.collect();
        // `I would rather not guess`
        let declines = |at: usize| lead.get(at + 1).is_some_and(|next| next.folded == "rather");
        let operates = |(at, token): &(usize, &&Token)| {
            let is_open = LEADING.iter().any(|kind| token.operator(kind)) && !declines(*at);
            token.listed("draft") || is_open && !self.asked.knows(&token.folded)
        };
        lead.iter().enumerate().find(operates).map(|(_, token)| *token)
    }

    /// Whether the speaker could not find it, and not the page: `I could not find one`.
    fn is_not_found(&self, could: usize) -> bool {
        let speaks = could.checked_sub(1).and_then(|at| self.whole.get(at));
        let mut said = self.whole.iter().skip(could + 1);
        speaks.is_some_and(|token| token.listed("person"))
            && said.next().is_some_and(|next| next.operator("negation"))
            && said
                .next()
                .is_some_and(|verb| matches!(verb.folded.as_str(), "find" | "see" | "read" | "spot"))
            && !said
                .take_while(|token| !token.separates() && !token.mark(':'))
                .any(|token| token.holds("site_noun"))
    }

    /// The word that makes it the absence of something else: `no such gap`, `not under that name`, `not one strategy only`.
    fn other_object(&self) -> Option<&'a Token> {
        let knows = |token: &Token| self.asked.knows(&token.folded);
        let such = |pair: &&[Token]| {
            matches!(pair, [such, what] if such.folded == "no such" && what.kind == Kind::Words
                && !what.holds("value_noun") && !what.listed("site_noun") && !what.listed("no_such") && !knows(what))
        };
        // `Germany's trade with itself`, `no strategy to name`
        let is_so = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
            self.tokens.get(at).is_some_and(|token| match token.folded.as_str() {
                "itself" => before.is_some_and(|before| !before.role("preposition")),
                "name" | "heading" => {
                    let given = at.checked_sub(2).and_then(|at| self.tokens.get(at));
                    let is_given = given.is_some_and(|given| given.folded.ends_with("not given"));
                    is_given
                        || before.is_some_and(|before| before.is_demonstrative() || before.folded == "by")
                }
                _ => token.listed("not_itself") || token.direction().is_some() && !knows(token),
            })
        };
        // `does not list one strategy only`
        let last = self.tokens.iter().rfind(|token| !token.is_mark());
        let ends = last.filter(|last| last.listed("exclusive"));
        let such = self.tokens.windows(2).find(such).and_then(<[Token]>::last);
        such.or_else(|| (0..self.tokens.len()).find(|at| is_so(*at)).and_then(|at| self.tokens.get(at)))
            .or(ends)
    }

    /// The contrast that says where or how it is shown: `not in the table but in the text`, `no strategy but to stay ahead`.
    fn but(&self) -> Option<&'a Token> {
        let at = self.whole.iter().position(|token| token.folded == "but")?;
        let goes_on = |next: &Token| {
            next.role("preposition") || next.role("article") || next.listed("goes_on_behind_but")
        };
        let is_end = self
            .tokens
            .last()
            .is_some_and(|last| last.range.end <= self.whole.get(at).map_or(0, |but| but.range.start));
        let behind = self.whole.get(at + 1..)?;
        let states = behind
            .iter()
            .any(|token| token.role("be") || token.operator("negation") || token.is("absence", "value"));
        self.whole.get(at).filter(|_| is_end && !states && behind.first().is_some_and(goes_on))
    }

    /// Whether it says beside an absence that the thing is shown: `…, but the table does`, `…; the second lists plenty`.
    fn shows_else(&self) -> bool {
        let denies = |token: &Token| {
            token.operator("negation") || token.tagged("absence") || token.operator("condition")
        };
        let is_none = |token: &Token| token.tagged("absence");
        if self.tokens.iter().any(denies) || !self.whole.iter().any(is_none) {
            return false;
        }
        let last = self.tokens.iter().rfind(|token| !token.is_mark());
        let (first, shows) =
            (self.tokens.iter().find(|token| !token.is_mark()), |token: &Token| token.listed("shows_it"));
        let is_it = last.is_some_and(|last| {
            matches!(last.folded.as_str(), "one" | "plenty" | "some" | "several" | "them" | "it")
                || self.asked.knows(&last.folded)
        });
        last.is_some_and(|last| matches!(last.folded.as_str(), "does" | "do" | "is" | "are" | "available"))
            || first.is_some_and(|first| first.folded == "available")
            || is_it && self.tokens.iter().any(shows)
            || first.is_some_and(Token::is_it)
                && self.tokens.iter().any(|token| token.folded.starts_with("opens"))
    }

    /// The context it states, without other rows named beside this one: `neither its GDP nor its rank`.
    fn said(&self) -> Said {
        let mut said = Said::of_tokens(self.tokens);
        if said.tags.iter().any(|tag| tag.0 == "metric" && self.asked.tags.contains(tag)) {
            said.tags.retain(|tag| !self.asked.siblings.contains(tag));
        }
        said
    }
}

/// Whether a number counts the covered countries: `145 countries`.
fn counts_countries(tokens: &[Token], number: usize) -> bool {
    let mut behind = tokens.iter().skip(number + 1);
    behind.find(|next| next.folded != "ranked").is_some_and(|next| {
        let last = next.folded.rsplit(' ').next();
        last.is_some_and(|last| matches!(last, "countries" | "economies"))
    })
}

/// Whether it may say that nothing changed: `The ECI shows no change.`
fn is_still(tokens: &[Token], at: usize) -> bool {
    let is_change = |next: &Token| matches!(next.folded.as_str(), "change" | "difference" | "movement");
    tokens.get(at).is_some_and(|token| token.folded == "shows no")
        && tokens.get(at + 1).is_some_and(is_change)
}

/// Whether it says that the requested measure does not exist: `there is no 2009 ECI`.
fn has_none(asked: &Asked<'_>, tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| {
        let own = |token: &Token| token.tags.iter().any(|tag| tag.0 == "metric" && asked.tags.contains(tag));
        let between = |token: &&Token| matches!(token.kind, Kind::Period(_)) || token.role("adjective");
        let mut noun = tokens.get(at + 1..).unwrap_or_default().iter().skip_while(between);
        tokens.get(at).is_some_and(|token| token.folded == "no") && noun.next().is_some_and(own)
    })
}
