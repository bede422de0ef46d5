//! Connects the line that gives the value with the question: `Our services are down` and `Confidence: 2%` contain the true
//! value and answer nothing.

use crate::answer::candidate::{Claim, unclear};
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::language::lexicon;
use crate::language::token::{Class, Kind, Token};

/// Why a line that gives the true value is about nothing that the question asks for.
pub(crate) fn doubt(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    let point = &claim.verdict;
    let value = point.value.iter().flat_map(|value| lexicon::words(value));
    let value: Vec<String> = value.map(|word| word.folded).collect();
    let is_named = asked.number().is_none() || !asked.one.names.is_empty();
    let mut given = claim.given(lines).filter(|line| !is_headed(asked, line));
    given.find_map(|line| Given { asked, line, value: &value, is_named }.why())
}

/// Whether the context of a line connects it: a cell, a key, or a head with a topic.
fn is_headed(asked: &Asked<'_>, line: &Line) -> bool {
    let passage = &line.passage;
    let heads = || line.heads.iter().flat_map(|head| &head.tokens);
    passage.cell || passage.keyed || heads().any(|token| is_topic(asked, token))
}

/// A line that gives the true value.
struct Given<'a> {
    asked: &'a Asked<'a>,
    line: &'a Line,
    /// The words of the value.
    value: &'a [String],
    /// Whether the value is a name or a word.
    is_named: bool,
}

impl Given<'_> {
    fn is_value(&self, token: &Token) -> bool {
        let is_row = matches!(&token.kind, Kind::Row(rows) if rows.contains(&self.asked.row));
        token.number().is_some()
            || self.is_named && is_row
            || self.is_named && token.folded.split(' ').all(|word| self.value.iter().any(|own| own == word))
    }

    fn why(&self) -> Option<String> {
        let tokens = &self.line.sentence.tokens;
        let at = tokens.iter().position(|token| self.is_value(token)).unwrap_or(tokens.len());
        // `Thank you for using our services.`
        let owner = at.checked_sub(1).and_then(|at| tokens.get(at));
        let owner = owner.filter(|owner| at < tokens.len() && self.is_word(at) && owner.listed("person"));
        let verb = tokens.iter().position(|token| token.is_verb() || token.mark(':') || token.mark('='));
        let word = owner
            .or_else(|| tokens.get(at).filter(|_| self.defines(verb)))
            .or_else(|| self.names_other(at, verb).filter(|_| !self.has_topic(at, verb)))?;
        Some(unclear(&word.folded))
    }

    /// Whether the value, which stands there, is no number.
    fn is_word(&self, at: usize) -> bool {
        self.line.token(at).is_none_or(|value| value.number().is_none())
    }

    /// Whether a word beside the value connects it with the question.
    fn has_topic(&self, at: usize, verb: Option<usize>) -> bool {
        let tokens = &self.line.sentence.tokens;
        let end = verb.unwrap_or(at);
        let says = tokens.iter().take(at).any(|token| token.role("verb"));
        let is_state = verb.and_then(|at| tokens.get(at)).is_some_and(|verb| verb.role("be"));
        tokens.iter().enumerate().filter(|(_, token)| !self.is_value(token)).any(|(place, token)| {
            let is_subject = place < end;
            is_topic(self.asked, token)
                || is_subject && (token.role("deictic") && !token.listed("person") || token.is_it())
                // `The page is static.`
                || token.holds("gives") && !(self.is_word(at) && is_subject && (is_state || !says))
        })
    }

    /// What the line is about instead: its subject or label, the speaker, or what it says of the value.
    fn names_other(&self, at: usize, verb: Option<usize>) -> Option<&Token> {
        let tokens = &self.line.sentence.tokens;
        let subject = || tokens.iter().enumerate().take(verb.unwrap_or(at));
        let next = |at: usize| tokens.get(at + 1);
        // `Row 2274`
        let is_numbered = |at: usize| next(at).is_some_and(|next| next.number().is_some());
        let is_other = |(at, token): &(usize, &Token)| {
            self.is_strange(token) || token.listed("announces") && is_numbered(*at)
        };
        let reports = tokens.iter().any(|token| token.listed("finds"));
        // `I: Indonesia` is a letter of an index.
        let speaks = |(at, token): &(usize, &Token)| {
            !reports && token.listed("speaker") && !next(*at).is_some_and(|next| next.mark(':'))
        };
        let is_subject = self.is_word(at) && verb.is_some_and(|verb| at < verb);
        let said = |token: &&Token| is_subject && self.is_strange(token) && !token.is_verb();
        let named = subject().find(is_other).or_else(|| subject().find(speaks));
        named.map(|(_, token)| token).or_else(|| tokens.get(at..)?.iter().find(said))
    }

    /// Whether it explains a term: `Trade surplus means that …`
    fn defines(&self, verb: Option<usize>) -> bool {
        let tokens = &self.line.sentence.tokens;
        let subject = verb.and_then(|at| tokens.get(..at)).unwrap_or_default();
        let mut subject = subject.iter().filter(|token| !token.role("article"));
        self.is_named
            && verb.and_then(|at| tokens.get(at)).is_some_and(|verb| verb.listed("defines"))
            && subject.next().is_some_and(|first| self.is_value(first))
            && !subject.any(Token::is_mark)
    }

    /// Whether a word of the subject or label names something.
    fn is_strange(&self, token: &Token) -> bool {
        token.kind == Kind::Words && !self.is_value(token) && !is_filler(token)
    }
}

/// Roles of words that name nothing.
const FILLERS: [&str; 12] = [
    "article",
    "preposition",
    "adverb",
    "and",
    "clause",
    "lead",
    "final",
    "be",
    "relative",
    "deictic",
    "pronoun",
    "adjective",
];

/// Whether a word names nothing by itself.
fn is_filler(token: &Token) -> bool {
    FILLERS.iter().any(|role| token.role(role))
        || token.tagged("operator")
        || token.tagged("polarity")
        || token.is_manner()
        || token.listed("announces")
        || token.listed("finds")
        || token.listed("contraction")
        // `A: Austria`
        || token.folded.chars().count() == 1
        || token.unknown() && matches!(token.class, Some(Class::Adverb | Class::Function))
}

/// Whether a word connects a sentence with the question.
fn is_topic(asked: &Asked<'_>, token: &Token) -> bool {
    let is_content = !["preposition", "be", "article"].iter().any(|role| token.role(role));
    token.is_name()
        || matches!(token.kind, Kind::Period(_))
        || token.means()
        || !token.terms.is_empty()
        || ["value_noun", "rank", "share_of", "in_dollars"].iter().any(|list| token.holds(list))
        || token.role("final")
        || asked.is_change() && token.listed("names_change")
        || token.folded.len() > 2 && is_content && asked.knows(&token.folded)
}
