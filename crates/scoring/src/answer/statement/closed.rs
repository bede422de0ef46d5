//! Decides whether a segment is closed, so that all its words give context to the figure. A segment about a reason, the speaker
//! or something else is open.

use super::segment::Segment;
use crate::language::token::{Class, Kind, Token};

impl Segment<'_> {
    /// Whether all its words give context to the figure.
    pub(crate) fn is_closed(&self) -> bool {
        let is_behind = self.is_behind();
        if self.holds() || self.is_bracket() || self.narrows() || is_behind && self.dates() {
            return true;
        }
        if is_behind && (self.states_its_own() || self.tells_more()) {
            return false;
        }
        if self.is_before() {
            // `Restricted to services, …`
            !self.leads_up() || self.first().is_some_and(|first| first.listed("made_so"))
        } else {
            self.first().is_some_and(|first| self.goes_on(first))
        }
    }

    /// Its words without marks.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &Token> {
        self.words().filter(|token| !token.is_mark())
    }

    /// Whether it is a restrictive clause (`the products that Kenya exports`), not a continuing one (`…, which is`).
    fn narrows(&self) -> bool {
        self.tokens.first().is_some_and(|at| {
            let before = self.line.before(*at, 1);
            self.part(*at).is_some_and(|token| token.role("relative"))
                && !before.is_some_and(|token| token.mark(',') || token.mark('–') || token.role("verb"))
        })
    }

    /// Whether it dates the figure: `…, which dates from 2019`, `…, the year being 2018`, `…, adding up the years 2023 and 2024`.
    fn dates(&self) -> bool {
        let is_slot = |token: &Token| matches!(token.kind, Kind::Period(_) | Kind::Country(_));
        let roles = ["relative", "preposition", "article", "verb", "be", "adverb", "and"];
        let says_little = |token: &&Token| {
            is_slot(token)
                || token.is_mark()
                || roles.iter().any(|role| token.role(role))
                || matches!(token.class, Some(Class::Verb | Class::Adverb))
        };
        let which = self.plain().next().is_some_and(|first| first.folded == "which");
        which && self.words().any(is_slot) && self.words().filter(|token| !says_little(token)).count() < 2
            || self.names_slot() && self.first().is_some_and(Token::is_of_year)
            || self.first().is_some_and(|first| first.listed("takes_in"))
    }

    /// Whether it makes a statement of its own: `…, i.e. they more than tripled`.
    fn states_its_own(&self) -> bool {
        let mut own = self.plain().filter(|token| !token.role("adverb") && !token.role("and"));
        own.next().is_some_and(|first| first.is_it()) && !self.names_slot()
    }

    /// Whether it says something else about the same country: `…, and its exports are led by tea`.
    fn tells_more(&self) -> bool {
        let words: Vec<&Token> = self.plain().collect();
        let words = words.get(usize::from(words.first().is_some_and(|first| first.folded == "and"))..);
        let Some((first, rest)) = words.and_then(<[&Token]>::split_first) else { return false };
        let verb = rest.iter().position(|token| token.is_verb());
        matches!(first.folded.as_str(), "its" | "their") && verb.is_some_and(|verb| verb > 0)
    }

    /// Whether it introduces the figure: `According to the Atlas, …`, `Looking at 2024, …`.
    fn leads_up(&self) -> bool {
        self.first().is_some_and(|first| {
            first.role("lead") || first.role("pronoun") || self.behind_is(',') && first.listed("looks_at")
        })
    }

    /// Whether it continues the figure's phrase: `…, in constant dollars`.
    fn goes_on(&self, first: &Token) -> bool {
        let names = matches!(first.kind, Kind::Period(_) | Kind::Country(_) | Kind::Number(_));
        !first.operator("comparison")
            && !first.role("verb")
            && (first.role("preposition")
                || first.role("article")
                || first.means()
                || first.operator("exception")
                || names
                || !self.has_verb() && !first.role("adverb") && !first.unknown())
    }
}
