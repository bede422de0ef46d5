//! Decides which unknown words of a segment are harmless because they do not change the figure: adverbs and verbs.

use super::segment::Segment;
use crate::language::token::{Class, Kind, Token};

/// An unknown word in its segment.
struct Unknown<'a> {
    segment: &'a Segment<'a>,
    place: usize,
    token: &'a Token,
    word: &'a str,
    /// Whether it follows the figure.
    is_behind: bool,
}

impl Segment<'_> {
    /// Whether an unknown word is harmless: an adverb, or the verb of its clause.
    pub(crate) fn is_free(&self, place: usize) -> bool {
        let (Some(at), Some(token)) = (self.tokens.get(place), self.at(place)) else { return false };
        let is_behind = *at > self.target;
        let word = Unknown { segment: self, place, token, word: &token.folded, is_behind };
        if word.governs_name() {
            return false;
        }
        if word.is_letter()
            || word.is_state()
            || word.is_adverb()
            || token.class == Some(Class::Verb) && word.is_predicate()
            || word.has_anaphor()
            || word.is_of_total()
        {
            return true;
        }
        if word.is_led_up_to() {
            return word.ahead(1).is_some_and(|next| next.role("preposition"));
        }
        word.is_run_again()
            || word.is_flow_verb()
            || !is_behind
                && !word.is_noun()
                && !word.is_joined()
                && (word.is_infinitive() || word.is_plural_verb() || word.is_verb())
    }

    /// The token at a position of the segment.
    fn at(&self, place: usize) -> Option<&Token> {
        self.tokens.get(place).and_then(|at| self.part(*at))
    }
}

/// Whether a token can be the topic of a sentence: a measure, noun or product.
fn is_thing(token: &Token) -> bool {
    token.means() || token.role("noun") || matches!(token.kind, Kind::Product(_) | Kind::Row(_))
}

fn is_pronoun(token: &Token) -> bool {
    matches!(token.folded.as_str(), "it" | "this" | "that")
}

impl<'a> Unknown<'a> {
    fn back(&self, by: usize) -> Option<&'a Token> {
        self.segment.at(self.place.checked_sub(by)?)
    }

    fn ahead(&self, by: usize) -> Option<&'a Token> {
        self.segment.at(self.place + by)
    }

    /// The tokens of the segment before it.
    fn before(&self) -> impl DoubleEndedIterator<Item = &'a Token> {
        (0..self.place).filter_map(|place| self.segment.at(place))
    }

    /// Whether it is a verb whose object or passive subject is the name: `Kenya is to avoid the Light Touch Approach`, `it was
    /// considered`.
    fn governs_name(&self) -> bool {
        let is_name = self.segment.part(self.segment.target).is_some_and(|token| token.number().is_none());
        if is_name && self.is_behind && self.is_past() && self.before().any(|token| token.role("be")) {
            return true;
        }
        // `It is coded X`, `I had written X`
        let is_reported = self.back(1).is_none_or(|before| before.role("be") || before.folded == "had");
        let is_verb = match self.token.class {
            Some(class) => class == Class::Verb && !self.word.ends_with("ing"),
            None => self.is_past() || self.word.ends_with('s'),
        };
        let mut object = (self.place + 1..).map_while(|place| self.segment.tokens.get(place));
        let is_object = object.find(|at| self.segment.part(**at).is_none_or(|token| !token.role("article")));
        is_name && is_verb && !is_reported && is_object == Some(&self.segment.target)
    }

    fn is_past(&self) -> bool {
        self.word.ends_with("ed")
    }

    /// Whether it is a letter in a formula: `g = +3.2 %`.
    fn is_letter(&self) -> bool {
        let is_letter = self.word.chars().count() == 1 && self.word.chars().all(char::is_alphabetic);
        is_letter
            && self.ahead(1).is_some_and(|next| ['=', '_', '≈', '^'].iter().any(|mark| next.mark(*mark)))
    }

    /// Whether it is a predicate adjective: `was sluggish at 0.4 %`.
    fn is_state(&self) -> bool {
        self.token.class == Some(Class::Adjective)
            && self.back(1).is_some_and(|before| before.role("be"))
            && self.ahead(1).is_some_and(|next| next.folded == "at")
    }

    fn is_adverb(&self) -> bool {
        let in_slot = self.back(1).is_some_and(|before| before.role("preposition"));
        self.token.is_manner() || self.token.class == Some(Class::Adverb) && !in_slot
    }

    /// Whether a verb is harmless. It is not if it modifies a noun (`the adjusted exports`, `to firms`), acts on goods (`Kenya
    /// burned coffee`) or compares (`outgrew`).
    fn is_predicate(&self) -> bool {
        let is_noun = |token: &Token| is_thing(token) || token.class == Some(Class::Noun);
        let Some(before) = self.back(1) else { return self.ahead(1).is_none_or(|next| !is_noun(next)) };
        // `Germany's interpolated exports`
        let is_own = self.back(2).is_some_and(|owner| matches!(owner.kind, Kind::Country(_)));
        if before.folded == "s" && is_own && self.ahead(1).is_some_and(is_noun) {
            return false;
        }
        // `exported to northern Kenya`
        let of_flow = self.back(2).is_some_and(|token| token.tagged("flow"));
        let inflected = self.word.ends_with('s') || self.is_past() || self.word.ends_with("ing");
        // `$257B squared`
        if before.number().is_some()
            || self.word.starts_with("out") && self.word.len() > 5
            || before.role("article")
            || before.role("preposition") && (before.folded != "to" || inflected || of_flow)
        {
            return false;
        }
        let is_subject = is_noun(before)
            || matches!(before.kind, Kind::Country(_) | Kind::Period(_))
            || ["pronoun", "verb", "be"].iter().any(|role| before.role(role))
            || matches!(before.class, Some(Class::Verb | Class::Adverb));
        let mut object = (self.place + 1..).map_while(|place| self.segment.at(place));
        let object = object.find(|token| !token.role("article") && !token.role("adjective"));
        let is_goods =
            |token: &Token| matches!(token.kind, Kind::Product(_) | Kind::Row(_)) || token.tagged("scope");
        let trades = matches!(before.kind, Kind::Country(_)) && object.is_some_and(is_goods);
        !trades && (is_subject || !self.ahead(1).is_some_and(is_noun))
    }

    /// Whether it names something mentioned before: `Over the last five years that income has grown`.
    fn has_anaphor(&self) -> bool {
        let is_verb = |next: &Token| next.role("be") || next.role("verb") && !next.role("noun");
        self.back(1).is_some_and(Token::is_demonstrative) && self.ahead(1).is_some_and(is_verb)
    }

    /// Whether it describes the ranked entities: `22nd of the 145 economies covered`.
    fn is_of_total(&self) -> bool {
        let figure = self.segment.part(self.segment.target).and_then(Token::number);
        self.is_behind
            && figure.is_some_and(|figure| figure.total.is_some())
            && self.is_past()
            && self.back(1).is_some_and(|token| token.role("noun"))
    }

    /// Whether the figure introduces it: `with an RCA of 15, Kenya is strongly specialised in coffee`.
    fn is_led_up_to(&self) -> bool {
        let first = self.segment.line.token(0);
        let leads = first.is_some_and(|token| matches!(token.folded.as_str(), "with" | "at"));
        let is_adverb =
            |token: &&Token| token.role("adverb") || token.unknown() && token.folded.ends_with("ly");
        let of_be = self.before().rev().find(|token| !is_adverb(token)).is_some_and(|token| token.role("be"));
        self.is_behind && leads && of_be && self.is_past()
    }

    /// Whether it is an action on the answer: `re-running it gives`.
    fn is_run_again(&self) -> bool {
        let target = self.segment.target;
        self.segment.tokens.get(self.place).is_some_and(|at| *at < target)
            && self.word.ends_with("ing")
            && self.ahead(1).is_some_and(is_pronoun)
    }

    /// Whether it is a verb of flow: `Goods worth $70 billion flowed from China`.
    fn is_flow_verb(&self) -> bool {
        let is_verb = |token: &Token| {
            token.role("be")
                || token.role("verb")
                    && !token.role("noun")
                    && !matches!(token.folded.as_str(), "worth" | "valued")
        };
        self.is_past()
            && self.back(1).is_some_and(|token| token.number().is_some())
            && self.ahead(1).is_some_and(|next| matches!(next.folded.as_str(), "from" | "to" | "into"))
            && !self.before().any(is_verb)
    }

    /// Whether it is a noun: `the firms`, `to firms in China` (an infinitive does not end in `s`).
    fn is_noun(&self) -> bool {
        self.back(1).is_some_and(|token| {
            token.role("article")
                || token.role("preposition") && (token.folded != "to" || self.word.ends_with('s'))
        })
    }

    /// Whether it continues a name: `cars and trucks`.
    fn is_joined(&self) -> bool {
        self.word.ends_with('s')
            && self.back(1).is_some_and(|token| matches!(token.folded.as_str(), "and" | "or"))
            && self.back(2).is_some_and(Token::is_name)
    }

    /// Whether it is an infinitive of the future: `is expected to expand by`.
    fn is_infinitive(&self) -> bool {
        let is_future = |token: &Token| token.operator("future") || token.is("metric", "projection");
        self.back(1).is_some_and(|token| {
            token.folded.ends_with(" to") && is_future(token)
                || token.folded == "to" && self.back(2).is_some_and(is_future)
        }) && self.ahead(1).is_some_and(|next| next.role("preposition") || next.number().is_some())
    }

    /// Whether it is the verb of a plural subject: `its products contribute about`.
    fn is_plural_verb(&self) -> bool {
        let is_plural = |token: &Token| token.folded.ends_with('s') && is_thing(token);
        let goes_on = |next: &Token| {
            next.operator("about")
                || next.role("article")
                || matches!(next.folded.as_str(), "in" | "at" | "to" | "around")
        };
        self.back(1).is_some_and(is_plural)
            && self.ahead(1).is_some_and(goes_on)
            && !self.before().any(Token::is_verb)
    }

    /// Whether it is the clause's only verb, inflected and after a subject: `Its income stagnated at`, `Kenya hovers around`.
    fn is_verb(&self) -> bool {
        let is_verb = |token: &Token| {
            let moves = token.is("metric", "trade") || token.tagged("direction");
            token.is_verb()
                || token.operator("future") && token.folded.ends_with('s')
                || !token.role("noun") && moves && token.folded.ends_with("ed")
        };
        let is_subject = |token: &Token| {
            is_thing(token) || token.role("pronoun") || matches!(token.kind, Kind::Country(_))
        };
        let behind = self.segment.tokens.iter().skip(self.place + 1);
        let behind = behind.filter(|at| **at < self.segment.target);
        let next = self.ahead(1);
        let goes_on = next.is_none_or(|next| {
            next.mark(',') && self.is_past()
                || next.role("preposition") && next.folded != "of"
                || next.number().is_some()
                || next.role("article")
                || next.operator("about")
                || next.role("adverb")
        });
        let inflected = self.is_past() || self.word.ends_with('s') && !self.word.ends_with("ss");
        inflected
            && goes_on
            && self.before().any(is_subject)
            && !behind.filter_map(|at| self.segment.part(*at)).any(is_verb)
            && (self.is_past() || !self.before().any(is_verb))
    }
}
