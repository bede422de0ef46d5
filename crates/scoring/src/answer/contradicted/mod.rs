//! Compares the other sentences of an answer with the value that it gives: `They rose. They went from $10 billion to $8 billion.`

mod balance;
mod compared;
mod index;
pub(crate) mod link;
mod moves;
mod named;
mod parts;
mod rank;

pub(crate) use moves::trend;

use super::candidate::Claim;
use super::context::differs_alone;
use super::line::Line;
use super::point::AnswerVerdict;
use super::question::asked::Asked;
use crate::language::token::{Kind, Token};

/// A sentence that may contradict the value.
struct Beside<'a> {
    asked: &'a Asked<'a>,
    line: &'a Line,
    /// Whether it gives the value.
    own: bool,
}

/// A rule: whether a sentence contradicts the value.
type Rule = fn(&Beside<'_>) -> bool;

const RULES: [Rule; 20] = [
    moves::moves_otherwise,
    moves::stands_still,
    balance::is_turned,
    balance::has_other_sign,
    compared::part_exceeds,
    compared::breaks_down_otherwise,
    compared::includes_other_scope,
    compared::rival_exceeds,
    parts::is_turned,
    rank::is_elsewhere,
    rank::counts_others,
    rank::names_others,
    index::is_on_other_side,
    compared::is_impossible,
    compared::is_other_share,
    named::goes_down,
    named::is_rejected,
    named::is_another_term,
    named::is_at_end,
    named::denies_yes,
];

/// Whether the value stands under the heading of a draft, and a final part that does not give it follows: `### Draft … ### Final: No
/// answer.`
fn is_only_drafted(lines: &[Line], is_own: impl Fn(&Line) -> bool) -> bool {
    let headed = |line: &Line, is_one: fn(&Token) -> bool| {
        line.headings.iter().chain(&line.heads).flat_map(|head| &head.tokens).any(is_one)
    };
    let drafted = |line: &Line| headed(line, |token| token.listed("draft"));
    let is_final = |line: &Line| headed(line, |token| token.role("final"));
    let own: Vec<usize> = (0..lines.len()).filter(|at| lines.get(*at).is_some_and(&is_own)).collect();
    let last = own.last().copied().unwrap_or(lines.len());
    own.iter().all(|at| lines.get(*at).is_some_and(drafted)) && lines.iter().skip(last + 1).any(is_final)
}

/// Why a sentence of the answer contradicts the true value that it gives.
pub(crate) fn contradiction(asked: &Asked<'_>, lines: &[Line], claim: &Claim) -> Option<String> {
    if claim.verdict.said != AnswerVerdict::Right || asked.rows > 1 {
        return None;
    }
    let is_past = |at: usize| claim.corrected.is_some_and(|last| at <= last);
    let counts = |(at, line): &(usize, &Line)| {
        let tokens = &line.sentence.tokens;
        let is_given_up = tokens.iter().any(|token| token.operator("withdrawn"));
        !(line.sentence.question || is_past(*at) || is_given_up || line.is_draft())
    };
    let kept: Vec<(usize, &Line)> = lines.iter().enumerate().filter(counts).collect();
    let is_own = |line: &Line| claim.verdict.sentence.as_ref() == Some(&line.passage.text);
    if is_only_drafted(lines, is_own) {
        return Some("it is only a draft".to_owned());
    }
    let contradicts = |(_, line): &&(usize, &Line)| {
        let beside = Beside { asked, line, own: is_own(line) };
        RULES.iter().any(|rule| rule(&beside))
    };
    let lines: Vec<&Line> = kept.iter().map(|(_, line)| *line).collect();
    let others = kept.iter().filter(|(_, line)| !is_own(line)).map(|(_, line)| *line);
    kept.iter()
        .find(contradicts)
        .map(|(_, line)| format!("\"{}\" contradicts it", line.start(80)))
        .or_else(|| moves::levels(asked, &others.collect::<Vec<_>>()))
        .or_else(|| differing_parts(asked, &lines))
}

/// Why the figures of the answer do not make the value.
fn differing_parts(asked: &Asked<'_>, lines: &[&Line]) -> Option<String> {
    let is_another = |token: &Token| {
        let names = matches!(token.kind, Kind::Period(_) | Kind::Country(_));
        let is_compared = matches!(token.kind, Kind::Country(id) if asked.sequence.contains(&id));
        names && !is_compared && differs_alone(asked, token)
            || token.tagged("group")
                && parts::above_region(asked).is_none()
                && !asked.tags.iter().any(|tag| tag.0 == "group")
    };
    let about = |line: &&&Line| {
        let heads = line.heads.iter().chain([&line.sentence]);
        !heads.flat_map(|head| &head.tokens).any(is_another)
    };
    let lines: Vec<&Line> = lines.iter().filter(about).copied().collect();
    let whats = [
        (
            balance::flows_make_another(asked, &lines),
            "exports and imports in the answer make another balance",
        ),
        (parts::parts_make_another(asked, &lines), "the parts in the answer make another whole"),
        (parts::rest_makes_another(asked, &lines), "the value and the rest do not make the whole"),
        (parts::operands_make_another(asked, &lines), "its operands in the answer make another value"),
    ];
    whats.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why.to_owned())
}

/// The comparison that a word states, also as part of a bound: `more than`.
fn compares(token: &Token) -> Option<bool> {
    let first = token.folded.split(' ').next().unwrap_or_default();
    let bound = || match first {
        "more" | "higher" | "larger" | "greater" => Some(true),
        "less" | "fewer" | "lower" | "smaller" => Some(false),
        _ => None,
    };
    token.comparative().or_else(|| bound().filter(|_| token.folded.ends_with("than")))
}

impl Beside<'_> {
    fn tokens(&self) -> &[Token] {
        &self.line.sentence.tokens
    }

    /// Its words without articles.
    fn words(&self) -> impl DoubleEndedIterator<Item = &Token> {
        self.tokens().iter().filter(|token| !token.is_mark() && !token.role("article"))
    }

    /// Whether it denies or excepts something, so that it may say the opposite of its words.
    fn denies(&self) -> bool {
        let kinds = ["negation", "exception", "condition", "hedge"];
        let denies =
            |token: &Token| kinds.iter().any(|kind| token.operator(kind)) && !self.asked.knows(&token.folded);
        self.tokens().iter().any(denies)
    }

    /// Whether a word can be part of a sentence about the value: a word of the question, or one that names nothing.
    fn is_plain(&self, token: &Token) -> bool {
        let roles = ["article", "preposition", "pronoun", "adverb", "be", "deictic", "and", "lead"];
        match token.kind {
            Kind::Mark(_) | Kind::Duration(_) => true,
            Kind::Number(_) => false,
            Kind::Words => {
                self.asked.knows(&token.folded)
                    || roles.iter().any(|role| token.role(role)) && !differs_alone(self.asked, token)
                    || token.is_manner()
                    || token.operator("future") && self.asked.is_projection()
                    || matches!(token.folded.as_str(), "s" | "its" | "their" | "have" | "has" | "had")
                    || token.listed("plain_time")
            }
            _ => !differs_alone(self.asked, token),
        }
    }
}
