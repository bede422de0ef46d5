//! Reads one sentence of the answer: whether it says that the value belongs to something else, is made up, or is in doubt.

use super::remark::{self, Note};
use super::retraction;
use super::says_nothing::says_nothing;
use super::talk;
use crate::answer::candidate;
use crate::answer::context::differs;
use crate::answer::difference::Difference;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::compare::Content;
use crate::language::token::{Class, DENYING, Kind, Token};
use crate::language::{lexicon, passage};
use crate::value::Flow;

/// A sentence of the answer, without its contrasts.
pub(super) struct NoteSentence<'a> {
    pub asked: &'a Asked<'a>,
    pub line: &'a Line,
    pub tokens: &'a [Token],
    /// Whether it contains a candidate.
    pub own: bool,
    /// Whether a correction follows it.
    pub is_past: bool,
    /// Whether the answer claims another value.
    pub is_wrong: bool,
}

/// Whether a field names a side of the requested trade: `importer: United States`. `None` if it names none.
fn names_trader(asked: &Asked<'_>, tokens: &[Token]) -> Option<bool> {
    let [label @ .., colon, Token { kind: Kind::Country(id), .. }] = tokens else { return None };
    let label: Vec<&str> = label.iter().map(|token| token.folded.as_str()).collect();
    let (exporter, importer) = match asked.context.flow {
        Some(Flow::Import) => (asked.partner, asked.country),
        _ => (asked.country, asked.partner),
    };
    let trader = match passage::side(&label.join(" ")).filter(|_| colon.mark(':') || colon.mark('='))? {
        "from" => exporter,
        "to" => importer,
        _ => asked.partner,
    };
    trader.map(|own| own == *id)
}

/// Whether a sentence describes the question: `The question is about the rank, not the amount.`
fn is_of_question(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().filter(|token| token.kind == Kind::Words && !token.role("article"));
    // `The question was about Kenya, but the answer isn't.`
    let is_answer = |token: &Token| token.folded.split(' ').any(|word| word == "answer");
    words.next().is_some_and(|first| matches!(first.folded.as_str(), "question" | "the question"))
        && words.next().is_some_and(|verb| verb.role("be") || verb.unknown())
        && !tokens.iter().any(is_answer)
}

impl NoteSentence<'_> {
    /// Why it puts the answer in doubt.
    pub fn doubt(&self) -> Option<String> {
        let (asked, line, tokens) = (self.asked, self.line, self.tokens);
        match names_trader(asked, tokens) {
            Some(true) => return None,
            Some(false) => return Some(format!("\"{}\" is another side of the trade", line.start(80))),
            None => {}
        }
        let all: Vec<&Token> = tokens.iter().collect();
        if !self.own && (says_nothing(asked, &all) || line.offers() || is_of_question(tokens)) {
            return None;
        }
        self.why_wrong()
            .or_else(|| self.why_corrected())
            .or_else(|| self.why_made_up())
            .or_else(|| self.why_it_looks())
            .or_else(|| self.why_tail())
            .or_else(|| self.why_beside())
    }

    fn before(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    /// The start of the sentence, for reasons.
    fn shown(&self) -> String {
        self.line.start(80)
    }

    fn unclear(&self, word: &str) -> String {
        format!("\"{}\": {}", self.shown(), candidate::unclear(word))
    }

    /// Why it calls the answer wrong: `That is wrong.`
    fn why_wrong(&self) -> Option<String> {
        let doubts = |(at, token): &(usize, &Token)| token.operator("wrong") && !self.exempts(*at, token);
        let (_, token) = self.tokens.iter().enumerate().find(doubts)?;
        Some(format!("\"{}\" casts doubt on the answer", token.folded))
    }

    fn exempts(&self, at: usize, token: &Token) -> bool {
        // `Don't mix it up with …` is a warning, not a doubt.
        let warns = self.before(at).is_some_and(|before| before.operator("negation"));
        // `another country` in a question is an offer, not a doubt.
        let offers = ["another", "different"].iter().any(|word| token.folded.contains(word));
        // `(The other way round, Brazil exported $93 billion.)`
        let next = self.tokens.iter().find(|next| next.range.start >= token.range.end);
        let turns_round =
            token.folded.starts_with("the other way") && next.is_some_and(|next| next.mark(','));
        warns
            || self.line.sentence.question && offers
            || self.is_past
            || self.asked.knows(&token.folded)
            || self.own && token.folded == "false"
            || turns_round
    }

    /// Why it corrects the answer to an unstated value: `the correct figure is 10 % higher`.
    fn why_corrected(&self) -> Option<String> {
        let says_true =
            |token: &Token| lexicon::list("genuine").iter().any(|word| token.folded.contains(word));
        let says_value =
            |token: &Token| lexicon::list("put_right").iter().any(|word| token.folded.contains(word));
        let puts_right = |token: &Token| {
            (token.operator("correction") || token.role("final")) && says_value(token) && says_true(token)
        };
        // `The true amount is ten times as much.`
        let names_it = |pair: &[Token]| matches!(pair, [a, b] if says_true(a) && says_value(b));
        let moves = |token: &Token| {
            token.tagged("direction") || token.tagged("comparative") || token.folded == "times"
        };
        let multiplies = self.tokens.iter().any(|token| token.folded == "times");
        let holds = (!self.own || multiplies) && !self.is_past;
        let puts = self.tokens.iter().any(puts_right) || self.tokens.windows(2).any(names_it);
        (holds && puts && self.tokens.iter().any(moves)).then(|| format!("\"{}\" corrects it", self.shown()))
    }

    /// Why it marks the answer as made up: `note: made up`, or a sign that denies.
    fn why_made_up(&self) -> Option<String> {
        let is_denied = || DENYING.iter().any(|mark| self.tokens.iter().any(|token| token.mark(*mark)));
        if self.tokens.last().is_some_and(|last| last.folded == "made up") {
            return Some("\"made up\" casts doubt on the answer".to_owned());
        }
        is_denied().then(|| "a sign denies the answer".to_owned())
    }

    /// Whether a part of the sentence begins at a token.
    fn begins(&self, at: usize) -> bool {
        self.before(at)
            .is_some_and(|before| before.is_mark() || before.role("clause") || before.folded == "and")
    }

    /// Why it comments on the look of the value: `169, but that looks like a slip`.
    fn why_it_looks(&self) -> Option<String> {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.folded.as_str());
        let looks = |at: usize| {
            let is_it = matches!(word(at), "this" | "that" | "it");
            let mut verbs = lexicon::list("strikes").iter();
            is_it && self.begins(at) && verbs.any(|verb| word(at + 1).starts_with(verb))
        };
        (self.own && (1..self.tokens.len()).any(looks))
            .then(|| format!("\"{}\" comments on how it looks", self.shown()))
    }

    /// Why the end of the sentence changes the numbers before it: `…, where the percentages refer to imports`, `…, though that figure
    /// is for 2019`.
    fn why_tail(&self) -> Option<String> {
        // `3.8 % a year, meaning without oil`
        let explains = |at: &usize| self.tokens.get(*at).is_some_and(|token| token.folded == "meaning");
        let stands = |at: &usize| {
            !self.before(*at).is_some_and(|before| before.operator("comparison"))
                && (self.tells_of_it(*at) || explains(at))
        };
        let at = (1..self.tokens.len()).rev().find(|at| self.own && stands(at))?;
        let rest = self.tokens.get(at..)?.split(|token| token.mark(';')).next()?;
        if rest.iter().any(|token| token.number().is_some()) {
            return None;
        }
        let told = rest.get(usize::from(explains(&at))..).unwrap_or_default();
        if let Some(part) = differs(self.asked, &Said::of_tokens(told)) {
            return Some(self.of_another(&part));
        }
        let word = rest.iter().find(|token| talk::is_strange(self.asked, token) && !explains(&at))?;
        Some(self.unclear(&word.folded))
    }

    fn of_another(&self, part: &Difference) -> String {
        format!("\"{}\" says that it belongs to something else: {part}", self.shown())
    }

    /// Whether a remark about the value begins here: `the percentages refer to …`, `that figure is …`, `…, this being …`.
    fn tells_of_it(&self, at: usize) -> bool {
        let rest = self.tokens.get(at..).unwrap_or_default();
        let Some([token, next]) = rest.first_chunk() else { return false };
        let is_named =
            token.role("deictic") && token.folded.starts_with("the ") && token.folded != "the country";
        is_named && !rest.iter().any(is)
            || token.is_demonstrative()
                && (next.role("noun") || next.unknown() || next.role("be") && self.begins(at))
                && rest.iter().take(3).any(|token| token.role("be"))
    }

    /// Why a sentence about the value changes it.
    fn why_beside(&self) -> Option<String> {
        let (asked, tokens) = (self.asked, self.tokens);
        let passage = &self.line.passage;
        if self.own || self.line.sentence.question || passage.cell {
            return None;
        }
        if let Some(word) = retraction::of_value(asked, tokens).filter(|_| !self.is_wrong) {
            return Some(self.takes_back(&word.folded));
        }
        let is_row = passage.item || passage.keyed || asked.rows > 1;
        if let Some(opening) = retraction::opening(tokens).filter(|_| !is_row) {
            if let Some(Note::Doubts(word)) = remark::of_value(asked, opening) {
                return Some(self.takes_back(&word));
            }
            if let Some(part) = differs(asked, &Said::of_tokens(opening)) {
                return Some(self.of_another(&part));
            }
        }
        // A footnote mark is not a figure.
        let numbers = tokens.iter().enumerate();
        let numbers = numbers.filter(|(at, _)| !self.before(*at).is_some_and(|before| before.mark('[')));
        let all: Vec<&Token> = numbers.map(|(_, token)| token).collect();
        if talk::holds_figure(self.line, &all) {
            return None;
        }
        let of_value = match remark::of_value(asked, tokens) {
            Some(Note::Doubts(word)) => return Some(self.takes_back(&word)),
            note => note.is_some(),
        };
        let beside = Beside { sentence: self, start: self.start(), of_value };
        let points = beside.points();
        let fragment = beside.is_fragment();
        let speaks = tokens.iter().any(|token| token.is_demonstrative() || is_pointing_phrase(token));
        if !points && !speaks && (!fragment || asked.rows > 1) {
            return None;
        }
        let said = self.said_of_it();
        let unknown = self.unknown(&said);
        let part = differs(asked, &said).filter(|_| points || fragment);
        part.and_then(|part| beside.why_of_another(&said, &part))
            .or_else(|| unknown.and_then(|word| beside.why_unknown(word)))
            .or_else(|| beside.why_denied(&said))
    }

    fn takes_back(&self, word: &str) -> String {
        format!("\"{}\": \"{word}\" may retract it", self.shown())
    }

    /// Its first three words.
    fn start(&self) -> Vec<&Token> {
        self.tokens.iter().filter(|token| !token.is_mark()).take(3).collect()
    }

    /// The context it gives the value, without the object of a comparison: `this puts it ahead of its neighbours`.
    fn said_of_it(&self) -> Said {
        let tokens = self.tokens;
        let mut said = Said::default();
        said.take_head(tokens, true);
        let than = tokens.iter().position(|token| {
            token.operator("comparison") || token.operator("bound") && token.folded.ends_with(" than")
        });
        let than = than.filter(|than| (0..*than).any(|at| self.asserts(at)));
        if let Some(before) = than.and_then(|than| tokens.get(..than)) {
            said = Said { operators: said.operators, unknown: said.unknown, ..Said::of_tokens(before) };
        }
        // `a significant share of its economy` is not a figure.
        let vague = |three: &[Token]| {
            matches!(three, [a, b, c]
                if a.folded == "a" && b.role("adjective") && c.is("statistic", "share"))
        };
        if tokens.windows(3).any(vague) {
            said.tags.retain(|tag| *tag != ("statistic", "share"));
        }
        // `it combines goods with services such as travel` does not narrow the value.
        let leaves_out = said.operators.iter().any(|(kind, _)| matches!(*kind, "exception" | "negation"));
        if !leaves_out && ["goods", "services"].iter().all(|scope| said.has("scope", scope)) {
            said.tags.retain(|(kind, _)| *kind != "scope");
            said.products.clear();
        }
        said
    }

    /// Whether a token is the verb of an assertion.
    fn asserts(&self, at: usize) -> bool {
        let points = || self.before(at).is_some_and(|before| before.role("deictic"));
        self.tokens
            .get(at)
            .is_some_and(|token| is(token) || token.role("verb") && (!token.role("noun") || points()))
    }

    /// The unknown word in its claim.
    fn unknown<'s>(&self, said: &'s Said) -> Option<&'s String> {
        let tokens = self.tokens;
        // `these shares are low given its reputation`: the reason describes the country.
        let reason = |at: &usize| {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            tokens.get(*at).is_some_and(|token| token.folded == "given")
                && self.before(*at).is_some_and(|before| before.role("adjective"))
                && rest.first().is_some_and(|next| !next.role("preposition"))
                && !rest.iter().any(|token| token.role("pronoun") || token.role("deictic"))
        };
        // `This reflects its long-standing strength.`
        let cause = |at: &usize| {
            let rest = tokens.get(at + 1..).unwrap_or_default();
            let of_value = |token: &Token| {
                token.ends_in("value_noun") || token.holds("site_noun") || token.holds("genuine")
            };
            tokens.get(*at).is_some_and(|token| token.listed("reflects"))
                && rest.first().is_some_and(|next| next.folded == "its" || next.folded == "the country")
                && !rest.iter().any(of_value)
        };
        // `that's where its share peaks`
        let cleft = |at: &usize| tokens.get(*at).is_some_and(|token| token.folded == "where");
        let end = (1..tokens.len()).find(|at| reason(at) || cause(at));
        let end = end.or_else(|| (1..tokens.len()).find(cleft));
        let claim = tokens.get(..end.unwrap_or(tokens.len())).unwrap_or_default();
        said.unknown.iter().find(|word| {
            !self.asked.knows(word)
                && !word.ends_with("ly")
                && !lexicon::listed("talk", word)
                && !lexicon::listed("refers", &format!("{word} to"))
                && claim.iter().any(|token| token.folded == **word)
        })
    }
}

/// Whether a token is the verb of a definition.
fn is(token: &Token) -> bool {
    token.role("be") && token.folded != "s"
}

/// Whether a token is a pointing phrase: `the figure above`, but not `it`.
fn is_pointing_phrase(token: &Token) -> bool {
    token.role("deictic") && token.folded.contains(' ')
}

/// A sentence without figures and its start.
struct Beside<'a> {
    sentence: &'a NoteSentence<'a>,
    start: Vec<&'a Token>,
    /// Whether it is about the value.
    of_value: bool,
}

impl Beside<'_> {
    fn begins_there(&self) -> bool {
        self.start.iter().any(|token| token.role("deictic"))
    }

    /// Whether it points at the value.
    fn points(&self) -> bool {
        let is_above = |token: &Token| matches!(token.folded.as_str(), "above" | "the above");
        self.of_value || self.begins_there() || self.sentence.tokens.iter().any(is_above)
    }

    /// Whether it is a fragment: `in constant dollars`.
    fn is_fragment(&self) -> bool {
        let tokens = self.sentence.tokens;
        // `Uganda trails well behind.`, but not `restricted to services`
        let acts = |pair: &[Token]| matches!(pair, [subject, verb] if subject.is_name() && verb.class == Some(Class::Verb));
        let is_verb = |token: &Token| {
            let moves = token.tagged("direction") && !token.role("adverb") && !token.role("preposition");
            let acts = token.role("verb") && token.folded != "included";
            token.role("be") || (acts || moves) && !token.role("noun")
        };
        let speaker = self.start.first().is_some_and(|first| matches!(first.folded.as_str(), "i" | "we"));
        let length = tokens.iter().filter(|token| !token.is_mark()).count();
        !tokens.iter().any(is_verb) && !tokens.windows(2).any(acts) && !speaker && length <= 8
    }

    /// Whether it defines the value: `it is the pace at which its GDP grew`, but not `it is a large exporter`.
    fn defines(&self) -> bool {
        let words = self.sentence.tokens.iter().filter(|token| !token.is_mark() && !token.role("adverb"));
        let words: Vec<&Token> = words.collect();
        let is_value = |token: &Token| token.listed("defined_as") || token.ends_in("value_noun");
        words.windows(3).take(3).any(|three| {
            matches!(three, [it, be, article] if it.is_it() && be.role("be") && article.role("article"))
        }) && words.iter().skip(3).take(3).any(|token| is_value(token))
    }

    /// Why the value belongs to another context: `That is for 2019.` A remark about the country does not count.
    fn why_of_another(&self, said: &Said, part: &Difference) -> Option<String> {
        let subject = self.start.iter().find(|token| token.role("deictic"));
        let is_weak = subject.is_some_and(|token| token.listed("weak_subject")) && !self.defines();
        let is_narrow = !said.periods.is_empty()
            || !said.countries.is_empty()
            || said.tags.iter().any(|(kind, _)| matches!(*kind, "part" | "basis"));
        (!is_weak || is_narrow || self.of_value).then(|| self.sentence.of_another(part))
    }

    fn has_be(&self) -> bool {
        self.sentence.tokens.iter().any(|token| token.role("be"))
    }

    /// Whether it is about the value instead of the country.
    fn is_strong(&self) -> bool {
        let is_country = |token: &&Token| matches!(token.folded.as_str(), "it" | "the country" | "country");
        self.of_value || self.begins_there() && !self.start.iter().any(is_country)
    }

    /// Why an unknown word may change the value: `Country: the north of Germany`, `The figure is …`, `That refers to …`.
    fn why_unknown(&self, word: &str) -> Option<String> {
        let tokens = self.sentence.tokens;
        let labels = tokens.first().is_some_and(|first| first.listed("country_label"))
            && tokens.get(1).is_some_and(|token| token.mark(':'));
        let refers = |pair: &[Token]| {
            matches!(pair, [a, b] if a.listed("refers")
                || lexicon::listed("refers", &format!("{} {}", a.folded, b.folded)))
        };
        let is_code = word.len() <= 3;
        (labels && !is_code || self.is_strong() && (self.has_be() || tokens.windows(2).any(refers)))
            .then(|| self.sentence.unclear(word))
    }

    /// Why it weakens the value: `That may be too high.` Not the absence that the question expects, and not a denied change (`the
    /// share hardly moved`).
    fn why_denied(&self, said: &Said) -> Option<String> {
        let (asked, tokens) = (self.sentence.asked, self.sentence.tokens);
        let names = |token: &Token| {
            token.is_demonstrative() || is_pointing_phrase(token) && token.folded != "the country"
        };
        if !self.is_strong() && !tokens.iter().any(names) {
            return None;
        }
        let absent = matches!(asked.one.truth.content, Content::Absent(_));
        let moves = |token: &Token| token.tagged("direction") || token.listed("moves");
        let is_still = |(at, token): (usize, &Token)| {
            let mut next = tokens.get(at + 1..).unwrap_or_default().iter().take(3);
            token.operator("negation") && next.any(moves)
        };
        let still = !asked.is_change() && tokens.iter().enumerate().any(is_still);
        let denies = |kind: &str| match kind {
            "negation" => !absent && !still,
            kind => matches!(kind, "stale" | "condition" | "hedge" | "exception"),
        };
        // `vehicles other than railway`
        let is_asked = |kind: &str, word: &str| kind == "exception" && asked.knows(word);
        let (_, word) = said.operators.iter().find(|(kind, word)| denies(kind) && !is_asked(kind, word))?;
        Some(self.sentence.takes_back(word))
    }
}
