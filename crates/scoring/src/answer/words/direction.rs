//! Reads data points that are directions: up or down, surplus or deficit, above or below the region.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::mention::{Mark, Words, repeats};
use crate::answer::candidate::Place;
use crate::answer::line::Line;
use crate::answer::place::levels::Levels;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::lexicon::Tag;
use crate::language::token::{Kind, Token};

/// The vocabulary kinds whose terms are directions, with the term for up.
const DIRECTIONS: [(&str, &str); 5] = [
    ("export_direction", "grown"),
    ("sector_direction", "risen"),
    ("rank_direction", "improving"),
    ("trade_balance", "surplus"),
    ("regional_difference", "Above"),
];

/// The direction of a term, if it is one; `true` for up.
pub(crate) fn direction_of(kinds: &[Tag]) -> Option<bool> {
    let up = |kind: &str| DIRECTIONS.iter().find(|(own, _)| *own == kind).map(|(_, up)| *up);
    let (canonical, up) = kinds.iter().find_map(|(kind, canonical)| Some((*canonical, up(kind)?)))?;
    (!matches!(canonical, "InLine" | "stagnated")).then_some(up == canonical)
}

/// The directions that an answer may state.
pub(crate) struct Directions<'a> {
    asked: &'a Asked<'a>,
    truth: bool,
    /// Whether the question is about above or below.
    compares: bool,
    /// Whether the question is about a surplus or deficit.
    balances: bool,
}

impl Words for Directions<'_> {
    /// The directions of a line. Only one per clause counts, unless they differ.
    fn marks(&self, line: &Line) -> Vec<Mark> {
        if repeats(self.asked, line) {
            return Vec::new();
        }
        let tokens = line.sentence.tokens.iter().enumerate();
        let mut found: Vec<(usize, bool)> =
            tokens.filter_map(|(place, token)| Some((place, self.direction_of(line, token)?))).collect();
        // `Above, not below.`
        let is_set_off = |place: usize| line.contrasts.iter().any(|range| range.contains(&place));
        let stated: Vec<bool> =
            found.iter().filter(|(place, _)| !is_set_off(*place)).map(|(_, up)| *up).collect();
        found.retain(|(place, up)| !is_set_off(*place) || !stated.contains(&!up));
        let clause = |place: usize| line.clause_of(place);
        let mut decided: BTreeSet<usize> = BTreeSet::new();
        let mark = |(token, up): &(usize, bool)| {
            let own = clause(*token).unwrap_or(0);
            let mut others = found.iter().filter(|(other, _)| clause(*other) == Some(own));
            let is_one = others.all(|(_, other)| other == up);
            if is_one && !decided.insert(own) {
                return None;
            }
            let both = || Place::Unplaced("it states both directions".to_owned());
            let targets = found.iter().map(|(place, _)| *place).filter(|_| !is_one).collect();
            let (agrees, place) = (*up == self.truth, (!is_one).then(both));
            Some(Mark { token: *token, agrees, targets, place, value: None })
        };
        found.iter().filter_map(mark).collect()
    }

    /// Removes the direction's own words.
    fn trim(&self, line: &Line, mark: &Mark, said: &mut Said) {
        said.durations.retain(|years| *years != 10);
        // `a trade surplus: its imports do not exceed its exports`
        let up = mark.agrees == self.truth;
        let behind = line.behind(mark.token).split(|token| token.mark(':')).nth(1).unwrap_or_default();
        let first = behind.iter().find(|token| token.tagged("flow")).map(|token| token.is("flow", "export"));
        let more = behind.iter().find_map(Token::comparative);
        if self.balances && first.zip(more).is_some_and(|(exports, more)| (exports != more) == up) {
            said.operators.retain(|(kind, word)| {
                *kind != "negation" || !behind.iter().any(|token| token.folded == *word)
            });
        }
        said.operators.retain(|(kind, _)| !matches!(*kind, "bound" | "comparison"));
        said.tags.retain(|tag| {
            !matches!(
                *tag,
                ("modifier", "growth")
                    | ("part", "regional" | "region_whole")
                    | ("metric", "trade_balance" | "gdp_per_capita")
            )
        });
    }

    /// Why the opposite direction may be meant.
    fn otherwise(&self, line: &Line, mark: &Mark, _: &Said) -> Option<Place> {
        let mut numbers = line.sentence.tokens.iter().filter_map(Token::number);
        let up = mark.agrees == self.truth;
        let why = if self.compares && self.is_of_region(line, mark.token) {
            "the sentence compares the region, not the country"
        } else if self.compares && self.is_passive(line, mark.token) {
            "it is compared by others"
        } else if self.compares && self.is_of_another(line, mark.token) {
            "it is compared with others"
        } else if self.balances && up && self.is_of_imports(line, mark.token) {
            "it is a surplus of imports"
        } else if self.balances
            && let Some(word) = self.ends(line, mark.token)
        {
            return Some(Place::unclear(&word.folded));
        } else if !self.compares
            && !self.balances
            && let Some(word) = self.turns(line, mark.token, up)
        {
            return Some(Place::unclear(&word.folded));
        } else if self.balances && up && numbers.any(|number| number.number < Decimal::ZERO) {
            "a minus contradicts a surplus"
        } else if self.balances && has_amount(line, mark.token) {
            "it comes with an amount that the record does not hold"
        } else if self.compares || self.balances {
            return None;
        } else {
            return Levels::of(&line.sentence.tokens)?.against(up);
        };
        Some(Place::Unplaced(why.to_owned()))
    }
}

impl<'a> Directions<'a> {
    pub(crate) fn of(asked: &'a Asked<'a>, truth: bool, kinds: &[Tag]) -> Self {
        let is_of = |own: &str| kinds.iter().any(|(kind, _)| *kind == own);
        Self { asked, truth, compares: is_of("regional_difference"), balances: is_of("trade_balance") }
    }

    /// The direction that a token states. A comparative right before a number is a bound instead.
    fn direction_of(&self, line: &Line, token: &Token) -> Option<bool> {
        if self.compares {
            let mut tokens = line.sentence.tokens.iter();
            let bounds = |next: &Token| next.range.start == token.range.end + 1 && next.number().is_some();
            let better = (token.folded == "better").then_some(true);
            return token.comparative().or(better).filter(|_| !tokens.any(bounds));
        }
        let is_side = || {
            token.listed("balance_state")
                || ["surplus", "deficit"].iter().any(|word| token.folded.contains(word))
        };
        token.direction().filter(|_| !self.balances || is_side())
    }

    /// Whether the region is the subject: `The averages of the region lay above the growth of Spain`, `The averages were higher`.
    fn is_of_region(&self, line: &Line, place: usize) -> bool {
        let (before, behind) = line.sentence.tokens.split_at(place);
        let own = |token: &Token| self.asked.country.is_some_and(|id| token.kind == Kind::Country(id));
        let is_region = |token: &Token| token.is("part", "regional") || token.folded.contains("region");
        let first = before.iter().position(is_region);
        let compares = |token: &Token| {
            token.operator("comparison")
                || token.role("preposition") && token.folded != "of"
                || token.is_mark()
        };
        let leads = first.is_some_and(|first| !before.iter().take(first).any(compares));
        first.is_some()
            && !before.iter().any(own)
            && (behind.iter().any(own)
                || leads && !before.iter().any(|token| token.is_it() || token.is_mark()))
    }

    /// Whether others do the comparing: `Kenya was outperformed by the averages of its region`.
    fn is_passive(&self, line: &Line, place: usize) -> bool {
        let by = line.token(place + 1).is_some_and(|next| next.folded == "by");
        let named =
            line.token(place + 2).is_some_and(|next| next.number().is_none() && !next.role("adjective"));
        let is_verb = line.token(place).is_some_and(|token| token.folded.ends_with("ed"));
        by && named && is_verb && line.before(place, 1).is_some_and(|before| before.role("be"))
    }

    /// Whether something else is compared, or with others: `above the EU average`, `its GDP per capita lies above`, `above only one`.
    fn is_of_another(&self, line: &Line, place: usize) -> bool {
        let tokens = &line.sentence.tokens;
        let average =
            tokens.iter().any(|token| token.listed("other_average") && !self.asked.knows(&token.folded));
        let level = tokens
            .iter()
            .any(|token| token.is("metric", "gdp_per_capita") || token.is("metric", "total_gdp"));
        let grows = tokens
            .iter()
            .chain(line.heads.iter().flat_map(|head| &head.tokens))
            .any(|token| token.holds("grows"));
        let only = line.token(place + 1).is_some_and(|next| next.listed("exclusive"));
        average || level && !grows || only
    }

    /// Whether a surplus is one of imports: `an import surplus`, `a surplus of imports over exports`.
    fn is_of_imports(&self, line: &Line, place: usize) -> bool {
        let imports = |token: Option<&Token>| token.is_some_and(|token| token.is("flow", "import"));
        let of = line.token(place + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "in"));
        imports(place.checked_sub(1).and_then(|at| line.token(at))) || of && imports(line.token(place + 2))
    }

    /// The word behind a surplus that ends it: `its surplus ended`, `is gone`, `is out of reach`, `is below zero`.
    fn ends<'l>(&self, line: &'l Line, place: usize) -> Option<&'l Token> {
        let mut behind = line.behind(place).iter().filter(|token| !token.is_manner()).peekable();
        behind.next_if(|token| token.role("be") || token.folded == "has");
        behind.find(|token| !token.role("adverb") || token.listed("gone")).filter(|token| {
            token.listed("gone")
                || token.operator("bound") && !self.asked.knows(&token.folded)
                || token.is("operator", "free") && token.folded.ends_with("zero")
                || token.folded.ends_with("ed")
                    && !token.listed("states_balance")
                    && !token.role("preposition")
        })
    }

    /// The word that turns a change round: `grew smaller`, `grew by less than zero`, `rose, then fell`, `rose in the ranking`.
    fn turns<'l>(&self, line: &'l Line, place: usize, up: bool) -> Option<&'l Token> {
        let behind = line.behind(place);
        let next = behind.first().filter(|next| next.comparative() == Some(!up) && !next.operator("bound"));
        let is_zero = |token: &&Token| token.folded == "under zero" || token.folded == "below zero";
        let zero = behind.windows(2).find_map(|pair| match pair {
            [less, zero]
                if matches!(less.folded.as_str(), "less than" | "under" | "below")
                    && zero.folded == "zero" =>
            {
                Some(less)
            }
            _ => None,
        });
        // `The number of products that Kenya exports rose`
        let is_other = |token: &&Token| {
            (token.holds("rank_word")
                || token.listed("share_noun")
                || token.folded.split(' ').any(|word| word == "number"))
                && !self.asked.knows(&token.folded)
        };
        let is_rank = self.asked.one.rank.is_some() || self.asked.has("metric", "eci");
        let before = line.until(place).rsplit(Token::is_mark).next().unwrap_or_default().iter();
        let after = behind.iter().take_while(|token| !token.is_mark() && !token.role("and"));
        let other = before.chain(after).find(is_other).filter(|_| !is_rank && !line.passage.cell);
        next.or(zero).or_else(|| behind.iter().find(is_zero)).or(other)
    }
}

/// Whether a side of the balance has an amount: `a surplus of about $999 billion`. The record holds its word alone.
fn has_amount(line: &Line, at: usize) -> bool {
    let mut behind =
        line.behind(at).iter().filter(|token| !token.operator("about") && !token.role("article"));
    behind.next().is_some_and(|of| of.folded == "of")
        && behind.next().is_some_and(|next| next.number().is_some())
}

/// The direction against that of the question: `Services drove the decline`, if the question asks for what drove the growth.
pub(super) fn turned<'t>(asked: &Asked<'_>, tokens: &'t [Token]) -> Option<&'t Token> {
    let question = asked.question.iter().flat_map(|question| &question.tokens);
    let rises = question.clone().any(|token| {
        token.direction() == Some(true) || token.is("comparative", "most") || token.folded.contains("growth")
    });
    // `What has driven the change?`
    let falls = question.clone().any(|token| token.direction() == Some(false) || token.folded == "change");
    let is_down = |token: &&Token| {
        token.direction() == Some(false)
            && (rises || token.role("noun") && token.folded != "fall")
            && !token.tagged("comparative")
            && !asked.knows(&token.folded)
    };
    // `exports fall into that class`
    let is_filed = |at: usize| {
        let next = tokens.get(at + 1).map_or("", |next| next.folded.as_str());
        let noun =
            at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.role("article"));
        matches!(next, "into" | "in" | "under" | "within") && !noun
    };
    let found = tokens.iter().enumerate().find(|(at, token)| is_down(token) && !is_filed(*at));
    found.map(|(_, token)| token).filter(|_| !falls)
}
