//! Decides which unknown words of a segment are harmless because they do not change the figure: adverbs and verbs.

use super::segment::Segment;
use crate::language::token::{Class, Kind, Token};

impl Segment<'_> {
    /// Whether an unknown word is harmless: an adverb, or a verb that modifies no noun.
    pub(crate) fn is_free(&self, place: usize) -> bool {
        let Some(token) = self.at(place) else { return false };
        token.is_manner()
            || token.listed("rare_verb")
            || match token.class {
                Some(Class::Adverb) => true,
                Some(Class::Verb) => !self.is_noun(place, token) && !self.modifies(place, token),
                _ => false,
            }
    }

    /// Whether a supposed verb is a noun by its place: `to firms in China`, `$257B squared`, but not `$8.2 billion left Kenya`.
    fn is_noun(&self, place: usize, token: &Token) -> bool {
        let is_verb_behind = |before: &Token| {
            token.folded.ends_with("ing") || before.folded == "to" && !token.folded.ends_with('s')
        };
        let before = place.checked_sub(1).and_then(|before| self.at(before));
        let governs = self
            .at(place + 1)
            .is_some_and(|next| next.is_name() || next.role("preposition") && next.folded != "of");
        before.is_some_and(|before| {
            before.number().is_some() && !governs
                || before.role("article")
                || before.role("preposition") && !is_verb_behind(before)
        })
    }

    /// Whether a participle modifies the noun behind it: `its adjusted exports`, but not `Kenya achieved annual growth`.
    fn modifies(&self, place: usize, token: &Token) -> bool {
        let is_goods =
            |next: &Token| matches!(next.kind, Kind::Product(_) | Kind::Row(_)) || next.tagged("scope");
        let is_noun = |next: &Token| {
            next.role("noun") || next.means() && !next.tagged("direction") || next.class == Some(Class::Noun)
        };
        let is_subject = |before: &Token| {
            let is_name = matches!(before.kind, Kind::Country(_)) || before.tagged("group");
            is_name || before.role("noun") || before.is_verb()
        };
        let before = place.checked_sub(1).and_then(|before| self.at(before));
        let acts = before.is_some_and(is_subject);
        let next = self.at(place + 1);
        token.is_participle() && next.is_some_and(|next| is_goods(next) || !acts && is_noun(next))
    }

    /// The token at a position of the segment.
    fn at(&self, place: usize) -> Option<&Token> {
        self.tokens.get(place).and_then(|at| self.part(*at))
    }
}
