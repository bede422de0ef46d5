//! Splits a clause into segments at commas, dashes, colons and relative words, and tells context from talk.

use crate::answer::line::Line;
use crate::language::token::{Class, Kind, Token};

/// A segment of a clause relative to the figure at `target`.
pub(crate) struct Segment<'a> {
    pub line: &'a Line,
    /// The positions of its tokens in the sentence.
    pub tokens: &'a [usize],
    pub target: usize,
}

/// Splits a clause into segments.
pub(crate) fn segments(line: &Line, tokens: &[usize]) -> Vec<Vec<usize>> {
    let part = |at: usize| line.token(at);
    let mut segments: Vec<Vec<usize>> = vec![Vec::new()];
    let mut depth = tokens.first().and_then(|at| part(*at)).map_or(0, |token| token.depth);
    for at in tokens {
        let Some(token) = part(*at) else { continue };
        let breaks = token.mark(',')
            || token.mark('–')
            || token.mark('—')
            || token.mark(':')
            || token.mark('|')
            || token.role("relative")
            || token.depth != depth;
        depth = token.depth;
        if breaks {
            segments.push(Vec::new());
        }
        if let Some(last) = segments.last_mut() {
            last.push(*at);
        }
    }
    segments
}

/// The token where a sentence turns to others: `…, with China and Japan as the largest exporters`, `…, with cars leading the
/// way`.
pub(crate) fn others(tokens: &[Token], target: usize) -> Option<usize> {
    let is_superlative = |token: &Token| token.role("adjective") || token.is("comparative", "more");
    (target + 1..tokens.len()).find(|at| {
        let comma =
            at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|token| token.mark(','));
        let rest = tokens.get(*at..).unwrap_or_default();
        // `…, with services making up a fifth of this amount` describes the figure.
        let points = |token: &Token| token.role("deictic") && token.folded.starts_with("th") && token.folded.contains(' ');
        let this = |pair: &[Token]| matches!(pair, [this, noun] if matches!(this.folded.as_str(), "this" | "that") && noun.listed("value_noun"));
        comma
            && !rest.iter().any(points) && !rest.windows(2).any(this)
            && rest.first().is_some_and(|token| token.folded == "with")
            && (rest.iter().take(6).any(|token| token.folded.ends_with("ing"))
                || rest.windows(3).any(|three| {
                    matches!(three, [named, the, most]
                        if (named.folded == "as" || matches!(named.kind, Kind::Country(_)))
                            && the.role("article")
                            && is_superlative(most))
                }))
    })
}

impl Segment<'_> {
    pub(crate) fn part(&self, at: usize) -> Option<&Token> {
        self.line.token(at)
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter_map(|at| self.part(*at))
    }

    /// Its first word after conjunctions.
    pub(crate) fn first(&self) -> Option<&Token> {
        self.words().find(|token| !token.is_mark() && token.folded != "and" && !token.role("relative"))
    }

    /// Whether it contains the figure.
    pub(crate) fn holds(&self) -> bool {
        self.tokens.contains(&self.target)
    }

    pub(crate) fn is_before(&self) -> bool {
        self.tokens.last().is_some_and(|last| *last < self.target)
    }

    pub(crate) fn is_behind(&self) -> bool {
        !self.holds() && !self.is_before()
    }

    pub(crate) fn is_bracket(&self) -> bool {
        let depth = self.part(self.target).map_or(0, |token| token.depth);
        self.first().is_some_and(|first| first.depth > depth)
    }

    pub(crate) fn has_verb(&self) -> bool {
        self.words().any(|token| token.role("be") || token.role("verb"))
    }

    pub(crate) fn behind_is(&self, mark: char) -> bool {
        self.tokens.last().and_then(|last| self.part(last + 1)).is_some_and(|token| token.mark(mark))
    }

    /// Whether it names a country, a number or a time.
    pub(crate) fn names_slot(&self) -> bool {
        self.words().any(|token| {
            matches!(token.kind, Kind::Period(_) | Kind::Country(_) | Kind::Number(_) | Kind::Duration(_))
        })
    }

    /// Whether it rates the value: `…, a notch below what its size suggests`.
    pub(crate) fn weighs(&self) -> bool {
        let is_side = |token: &Token| token.tagged("comparative");
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else { return false };
        let what = |at: usize| self.part(at).is_some_and(|token| token.folded == "what");
        let side = |at: usize| self.part(at).is_some_and(is_side);
        // `…, the largest of any exporter`, `…, below the average product`
        let figure = self.part(self.target).is_some_and(|target| target.number().is_some());
        let mut words = self.plain();
        let ranks = figure
            && !self.names_slot()
            && words.next().is_some_and(|first| {
                ["above", "below"].iter().any(|word| first.folded.starts_with(word))
                    || first.role("article") && words.next().is_some_and(is_side)
            });
        self.is_behind()
            && (ranks
                || side(*last) && what(last + 1)
                || what(*first) && first.checked_sub(1).is_some_and(side))
    }

    /// Whether it only reports the speaker's actions: `I open the page, pick the settings, and …`.
    pub(crate) fn leads(&self) -> bool {
        let Some(last) = self.tokens.last() else { return false };
        let so_far = self.line.sentence.tokens.get(..=*last).unwrap_or_default();
        let is_speaker = |token: &Token| matches!(token.folded.as_str(), "i" | "we");
        // `after we open the page`
        let mut words = self.words().filter(|token| token.kind == Kind::Words).take(2);
        let temporal = words.any(is_speaker);
        so_far.iter().any(|token| is_speaker(token) || token.folded == "here we go")
            && self.is_before()
            && !self.is_bracket()
            && !self.behind_is(':')
            && !self.first().is_some_and(|first| first.role("preposition") && !temporal)
            && !self.words().any(|token| {
                token.means() || !matches!(token.kind, Kind::Words | Kind::Mark(_)) || !token.terms.is_empty()
            })
    }

    /// Whether it leads up to what follows, and names nothing: `Happy to confirm: …`
    pub(crate) fn introduces(&self) -> bool {
        self.is_before()
            && (self.behind_is(':') || self.behind_is(','))
            && self.words().all(|token| {
                matches!(token.kind, Kind::Words | Kind::Mark(_)) && !token.means() && token.terms.is_empty()
            })
    }

    /// Whether it is a one-word aside: `far below that of, say, Spain`.
    pub(crate) fn is_aside(&self) -> bool {
        self.words().filter(|token| token.kind == Kind::Words).count() < 2 && self.tokens.len() < 3
    }

    /// Whether it denies the previous sentence: `It isn't: the Atlas has 24.`
    pub(crate) fn denies_before(&self) -> bool {
        let words: Vec<&Token> = self.plain().collect();
        let points = words.first().is_some_and(|first| first.role("pronoun"));
        self.is_before()
            && self.behind_is(':')
            && points
            && words.len() <= 3
            && words.last().is_some_and(|last| last.operator("negation"))
    }

    /// Whether it is a statement before a colon about a country or measure, not about the figure: `Argentina is in the middle of the
    /// field: …`.
    pub(crate) fn states(&self) -> bool {
        let is_verb = |token: &Token| token.is_verb() || token.class == Some(Class::Verb);
        let words: Vec<&Token> = self.words().collect();
        let verb = words.iter().position(|token| is_verb(token)).unwrap_or(0);
        let subject = words.get(..verb).unwrap_or_default();
        let of_figure = |token: &&Token| {
            token.role("pronoun")
                || token.role("deictic")
                || token.holds("value_noun")
                || token.holds("meta_noun")
        };
        self.is_before()
            && self.behind_is(':')
            && subject.iter().any(|token| matches!(token.kind, Kind::Country(_)) || token.means())
            && !subject.iter().any(of_figure)
    }

    /// Whether it classifies its subject: `…, placing it among the least complex products`.
    pub(crate) fn classes(&self) -> bool {
        let relative = self.tokens.iter().filter_map(|at| self.part(*at)).find(|token| !token.is_mark());
        let relative = relative.is_some_and(|first| first.role("relative"));
        let is_verb = |token: &Token| token.role("verb") || token.unknown() && token.folded.ends_with('s');
        let mut words = self.plain().skip(usize::from(relative));
        let Some((verb, object)) = words.next().zip(words.next()) else { return false };
        // `using Uganda as a stand-in` classes nothing
        let is_object =
            object.listed("classed") || matches!(object.kind, Kind::Country(_)) && verb.listed("classes");
        self.is_behind() && is_object && (verb.folded.ends_with("ing") || relative && is_verb(verb))
    }
}
