//! A figure of an answer: a number with the words beside it – its direction, bounds, counted noun, and whatever changes its value.

use rust_decimal::Decimal;

use super::scale::{is_power, scaled};
use crate::answer::line::Line;
use crate::answer::statement::said::{Role, Said};
use crate::language::lexicon;
use crate::language::token::{DENYING, Kind, Token};
use crate::value::{Quantity, Unit};

/// A number of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub line: usize,
    pub token: usize,
    pub quantity: Quantity,
    pub said: Said,
    /// The context without what an earlier sentence states.
    pub by_itself: Option<Said>,
    /// The direction by the words beside it; `true` for up.
    pub direction: Option<bool>,
    /// The preposition that joins it to a movement: `by`, `to`, `from`.
    pub joint: Option<&'static str>,
    /// The word or sign that makes it a bound.
    pub bound: Option<String>,
    /// Whether it is approximate.
    pub about: bool,
    /// Whether it is stated as a rank.
    pub ranked: bool,
    /// The counted noun.
    pub counted: Option<String>,
    /// The last word of the counted phrase.
    pub noun: Option<String>,
    /// Why it is only an operand of another figure.
    pub operand: Option<String>,
    /// Why its value may differ from its digits.
    pub trouble: Option<String>,
    /// The later word that withdraws it: `that is wrong`.
    pub withdrawn: Option<String>,
    /// Whether it follows a correction.
    pub corrected: bool,
    /// Whether it is written in digits.
    pub digits: bool,
}

impl Figure {
    pub(crate) fn shown<'a>(&self, lines: &'a [Line]) -> &'a str {
        let line = lines.get(self.line);
        line.and_then(|line| Some(line.sentence.shown(&line.token(self.token)?.range))).unwrap_or_default()
    }
}

/// The bound in a phrase that states nothing else: `at most`, `an upper bound`.
pub(crate) fn bound_alone<'t>(words: impl Iterator<Item = &'t Token>) -> Option<&'t Token> {
    let is_bound = |token: &Token| {
        (token.operator("bound") || token.operator("bound_behind") || token.holds("bound_label"))
            && !token.listed("joins_name")
            && !token.tagged("direction")
    };
    let mut bound = None;
    for word in words {
        if is_bound(word) {
            bound = bound.or(Some(word));
        } else if !["article", "adverb", "and"].iter().any(|role| word.role(role)) {
            return None;
        }
    }
    bound
}

/// Whether a number is that of ranked entities: `22nd largest exporter of 145`.
pub(crate) fn is_total(line: &Line, at: usize) -> bool {
    let mut near = line.until(at).iter().rev().take_while(|token| !token.is_mark());
    line.token(at).and_then(Token::number).is_some_and(|number| number.unit == Unit::Count)
        && line.before(at, 1).is_some_and(Token::counts_among)
        && near.any(|token| token.number().is_some_and(|number| number.unit == Unit::Rank))
}

/// A number in its clause.
pub(crate) struct Spot<'a> {
    line: &'a Line,
    at: usize,
    token: &'a Token,
    /// The tokens of its clause.
    clause: &'a [usize],
    /// The previous and next number of its clause.
    previous: Option<usize>,
    next: Option<usize>,
}

impl<'a> Spot<'a> {
    pub(crate) fn of(line: &'a Line, clause: usize, at: usize, targets: &[usize]) -> Option<Self> {
        Some(Self {
            line,
            at,
            token: line.token(at)?,
            clause: line.clauses.get(clause).map_or(&[][..], |clause| &clause.tokens),
            previous: targets.iter().rev().find(|target| **target < at).copied(),
            next: targets.iter().find(|target| **target > at).copied(),
        })
    }

    /// The number as a figure of line `line`. `None` for the end of a scale, a reference or a total.
    pub(crate) fn figure(&self, line: usize, mut said: Said, corrected: bool) -> Option<Figure> {
        let mut quantity = self.token.number()?.clone();
        if quantity.unit == Unit::Count && self.in_places() {
            quantity.unit = Unit::Rank;
        }
        let is_none = self.is_end_of_scale()
            || self.defines_scale()
            || self.refers_to_source()
            || self.is_one_of_ratio()
            || self.behind(1).is_some_and(|next| next.listed("decimals"));
        if is_none {
            return None;
        }
        let bound = self.bound();
        let operand = self.operand(&quantity, bound.is_some(), &said);
        let ranked = quantity.unit == Unit::Rank || self.is_ranked();
        said.operators.extend(self.formerly());
        if quantity.number > Decimal::ZERO && self.is_negative() {
            quantity = quantity.negated();
        }
        if let Some(scaled) = scaled(self.line, &quantity, self.token) {
            quantity = scaled;
            said.tags.retain(|tag| *tag != ("part", "in_scale"));
            // `€ thousand`, `billion units` and `221 thousand million dollars` are something else
            let is_bare = !self.token.folded.contains(char::is_alphabetic);
            let is_known = quantity.unit == Unit::Usd && is_bare;
            said.unknown.retain(|word| !(is_known && is_power(word)));
        }
        Some(Figure {
            line,
            token: self.at,
            quantity,
            said,
            by_itself: None,
            direction: self.direction(),
            joint: self.joint(),
            bound,
            about: self.before(1).is_some_and(|token| token.operator("about")),
            ranked,
            counted: self.counted(),
            noun: self.noun(),
            operand,
            trouble: self.trouble(),
            withdrawn: None,
            corrected,
            digits: self.token.folded.bytes().any(|byte| byte.is_ascii_digit()),
        })
    }

    fn before(&self, by: usize) -> Option<&'a Token> {
        self.line.before(self.at, by)
    }

    fn behind(&self, by: usize) -> Option<&'a Token> {
        self.line.token(self.at + by)
    }

    /// The tokens of its clause before it.
    fn clause_before(&self) -> impl DoubleEndedIterator<Item = &'a Token> {
        self.clause.iter().filter(|at| **at < self.at).filter_map(|at| self.line.token(*at))
    }

    fn heads(&self) -> impl Iterator<Item = &'a Token> + Clone {
        self.line.heads.iter().flat_map(|head| &head.tokens)
    }

    /// Whether its column or label names a rank: `Rank | 3`, `no: 3`.
    fn in_places(&self) -> bool {
        let passage = &self.line.passage;
        let column = passage.cell.then(|| passage.under.iter().rev().nth(1)).flatten();
        let label = self.line.token(0).filter(|_| self.line.token(1).is_some_and(|next| next.mark(':')));
        let head = column.map(|column| column.trim().trim_end_matches('.').to_lowercase());
        let head = head.or(label.map(|label| label.folded.clone()));
        head.is_some_and(|head| lexicon::listed("places_head", &head))
    }

    /// Whether it is an end of a scale: `It runs from 0 to 1`.
    fn is_end_of_scale(&self) -> bool {
        let is_end = |token: &Token| {
            token.number().is_some_and(|number| number.number.is_zero() || number.number == Decimal::ONE)
        };
        let since = self.line.until(self.at).iter().rposition(|token| token.listed("scale_runs"));
        let rest = since.and_then(|since| self.line.sentence.tokens.get(since..)).unwrap_or_default();
        let part = rest.split(|token| token.mark(';')).next().unwrap_or_default();
        part.iter().any(|own| own.range == self.token.range)
            && part.iter().filter(|token| token.number().is_some()).all(is_end)
    }

    /// Whether it explains the ends of a scale: `(0 = near, 1 = far)`.
    fn defines_scale(&self) -> bool {
        let defines = |at: usize| {
            let token = |by: usize| self.line.token(at + by);
            token(0).is_some_and(|token| token.number().is_some())
                && token(1).is_some_and(|token| token.mark('='))
                && token(2).is_some_and(|token| token.kind == Kind::Words)
        };
        let tokens = 0..self.line.sentence.tokens.len();
        defines(self.at) && tokens.filter(|at| defines(*at)).count() > 1
    }

    /// Whether it is the one that a ratio is to: `1.68 : 1`.
    fn is_one_of_ratio(&self) -> bool {
        self.token.folded == "1"
            && self.before(1).is_some_and(|token| token.mark(':'))
            && self.before(2).is_some_and(|token| token.number().is_some())
    }

    /// Whether it is a reference mark: `[1]` after a word.
    fn refers_to_source(&self) -> bool {
        self.before(1).is_some_and(|token| token.mark('['))
            && self.behind(1).is_some_and(|token| token.mark(']'))
            && self.token.folded.len() <= 2
            && (self.at > 1 || self.line.sentence.tokens.len() > self.at + 2)
    }

    /// Its direction, by the word right after it, the words between it and its neighbouring numbers, or earlier words of the clause.
    fn direction(&self) -> Option<bool> {
        // `$221B more in 2021 than in 2016`
        let compared = self.behind(1).and_then(Token::comparative);
        let direction = |at: &usize| self.line.token(*at).and_then(|token| self.direction_of(token));
        let is_set_off = |at: usize| self.line.contrasts.iter().any(|range| range.contains(&at));
        let near = |at: &&usize| {
            !is_set_off(**at) && **at < self.at && self.previous.is_none_or(|previous| **at > previous)
                || !is_set_off(**at) && **at > self.at && self.next.is_none_or(|next| **at < next)
        };
        let (behind, before): (Vec<&usize>, Vec<&usize>) =
            self.clause.iter().filter(near).partition(|at| **at > self.at);
        compared
            .or_else(|| before.into_iter().rev().find_map(direction))
            .or_else(|| behind.into_iter().find_map(direction))
            .or_else(|| self.clause_before().find_map(|token| self.direction_of(token)))
    }

    /// The direction that a word states. `2024 minus 2014` and `exports minus imports` state none.
    fn direction_of(&self, token: &Token) -> Option<bool> {
        let is_next = |next: &Token| {
            (token.range.end + 1..token.range.end + 2).contains(&next.range.start)
                && (matches!(next.kind, Kind::Period(_)) || next.tagged("flow"))
        };
        let subtracts = matches!(token.folded.as_str(), "minus" | "less")
            && self.line.sentence.tokens.iter().any(is_next);
        token.direction().filter(|_| !subtracts)
    }

    /// The preposition that joins it to a movement: `by about 5 %`.
    fn joint(&self) -> Option<&'static str> {
        let mut skip = 1 + usize::from(self.before(1).is_some_and(|token| token.operator("about")));
        // `rose to a value of $221B`
        let is_value = |token: &Token| token.holds("value_noun") || token.folded == "total";
        if self.before(skip).is_some_and(|of| of.folded == "of")
            && self.before(skip + 1).is_some_and(is_value)
        {
            skip += 2 + usize::from(self.before(skip + 2).is_some_and(|token| token.role("article")));
        }
        match self.before(skip)?.folded.as_str() {
            // `was in deficit by $1.63 billion`
            "by" if self.before(skip + 1).is_some_and(|token| token.listed("balance_state")) => None,
            "by" => Some("by"),
            // `It comes to 5.6 %.`
            "to" if self.before(skip + 1).is_some_and(|token| token.listed("amounts")) => None,
            "to" => Some("to"),
            "from" => Some("from"),
            "reaching" | "hitting" if self.previous.is_some() || self.moved_before() => Some("to"),
            _ => None,
        }
    }

    /// Whether something moved earlier in the sentence: `grew by that amount, reaching $378 billion`.
    fn moved_before(&self) -> bool {
        self.line.until(self.at).iter().any(|token| token.direction().is_some())
    }

    /// Its bound: a word or mark before it, its label (`upper_bound: 0.15 %`), or a word after it.
    fn bound(&self) -> Option<String> {
        let words = |token: &Token| token.folded.clone();
        let before = self.before(1);
        let marks = || {
            let marks = ['≤', '≥', '<', '>', '±', '≠', '¬', '+'];
            let is_before = |mark: &char| {
                before.is_some_and(|token| token.mark(*mark))
                    || self.token.folded.starts_with(*mark) && *mark != '+'
            };
            let mark = marks.into_iter().find(is_before);
            mark.map(|mark| mark.to_string())
        };
        let label = || {
            let end = self.line.sentence.tokens.iter().take(8).position(|token| token.mark(':'));
            let label = self.line.until(end.unwrap_or(0)).iter();
            let heads = self.heads().filter(|_| self.line.passage.cell);
            label.chain(heads).find(|token| token.holds("bound_label")).map(words)
        };
        let behind = || {
            let close = self.line.behind(self.at).iter();
            let mut close = close.take_while(|token| !token.is_mark() && token.number().is_none());
            close.find(|token| token.operator("bound_behind")).map(words)
        };
        // `below the 25th country`
        let behind_article = before.filter(|token| token.role("article")).and(self.before(2));
        // `Business comes first (12.64 %)`
        let is_bound = |token: &&Token| {
            token.operator("bound") && (token.depth == self.token.depth || !token.listed("place_word"))
        };
        let word = behind_article.or(before).filter(is_bound).map(words);
        // `grew more slowly than 7.22 % a year`
        let slower = || {
            let manner = self.before(2).filter(|token| token.folded.ends_with("ly"));
            manner.filter(|_| before.is_some_and(|token| token.folded == "than")).map(words)
        };
        // `$2,274 in 2024, at most`, `At least: …`, `was, at best, $2,274`
        let set_off = || {
            let parts = self.line.sentence.tokens.split(Token::is_mark);
            let mut parts = parts.flat_map(|part| part.chunk_by(|a, b| a.depth == b.depth));
            parts.find_map(|part| bound_alone(part.iter())).map(words)
        };
        let word = word.or_else(slower);
        word.or_else(marks).or_else(label).or_else(behind).or_else(set_off)
    }

    /// Whether a word can continue the phrase that the number begins: `17 new products`.
    fn goes_on(&self, next: &Token) -> bool {
        let ends = ["preposition", "be", "clause", "relative", "and", "pronoun", "article"];
        // A diamond is a product and a grade symbol.
        next.depth == self.token.depth
            && (next.kind == Kind::Words || next.role("noun") && matches!(next.kind, Kind::Product(_)))
            && !ends.iter().any(|role| next.role(role))
            && (next.role("noun") || !next.role("adverb"))
    }

    /// The counted noun right after it.
    fn counted(&self) -> Option<String> {
        let next = self.behind(1).filter(|next| self.goes_on(next))?;
        let is_thing = next.role("noun")
            || !next.role("verb") && !next.tagged("operator") && !next.tagged("comparative");
        is_thing.then(|| next.folded.clone())
    }

    /// The last word of the counted phrase.
    fn noun(&self) -> Option<String> {
        let is_part =
            |next: &&Token| self.goes_on(next) && !(next.role("verb") && !next.role("noun") && !next.means());
        let last = self.line.behind(self.at).iter().take_while(is_part).last()?;
        last.folded.rsplit(' ').next().map(str::to_owned)
    }

    /// Why it is only an operand of another figure.
    fn operand(&self, quantity: &Quantity, is_bound: bool, said: &Said) -> Option<String> {
        // `2 times`, `threefold`
        let multiple = self.behind(1).is_some_and(|next| matches!(next.folded.as_str(), "times" | "fold"));
        let why = if multiple {
            "a multiple"
        } else if self.is_part() {
            "only a part of it is meant"
        } else if self.is_difference() {
            "a difference, not the value"
        } else if self.is_threshold(quantity, is_bound) {
            "a threshold"
        } else if self.is_compared(said) {
            "the value of a comparison"
        } else {
            return None;
        };
        Some(why.to_owned())
    }

    /// Whether only a part of it is meant: `a third of $5 billion`.
    fn is_part(&self) -> bool {
        let is_share = |token: &Token| {
            token.listed("ordinal") && token.folded != "first"
                || token.number().is_some() && !token.folded.contains(|c: char| c.is_ascii_digit())
        };
        self.before(1).is_some_and(|token| token.folded == "of") && self.before(2).is_some_and(is_share)
    }

    /// Whether it is a difference: `0.01 points lower than`, `0.77 below the average`, `five places ahead of the country ranked
    /// 116th`.
    fn is_difference(&self) -> bool {
        let behind = self.line.behind(self.at);
        let near = behind
            .iter()
            .take(4)
            .take_while(|token| !token.is_mark() && token.depth == self.token.depth && !token.role("be"));
        let near: Vec<&Token> = near.collect();
        let sets_off = |token: &Token| matches!(token.folded.as_str(), "rather than" | "other than");
        let compares = near.first().is_some_and(|first| first.tagged("comparative"));
        let mut phrase =
            behind.iter().take(12).take_while(|token| !token.is_mark() && token.number().is_none());
        let pair = |pair: &[&Token]| matches!(pair, [a, b] if a.tagged("comparative") && b.folded == "than");
        let beside = self.behind(1).is_some_and(|next| next.listed("apart"))
            && self.behind(2).is_some_and(|next| !next.is_mark());
        compares && phrase.any(|token| token.folded == "than")
            || near.iter().any(|token| token.folded.ends_with(" than") && !sets_off(token))
            || near.windows(2).any(pair)
            || beside
    }

    /// Whether it is a threshold: `below the threshold of 1`, `with an RCA above 1`, `the closer to 1, the further`.
    fn is_threshold(&self, quantity: &Quantity, is_bound: bool) -> bool {
        let mut near = self.clause_before().rev().take_while(|token| token.number().is_none());
        let is_index = |token: &Token| {
            token.tags.iter().any(|(kind, value)| *kind == "metric" && lexicon::listed("index", value))
        };
        near.any(|token| matches!(token.folded.as_str(), "threshold" | "cutoff"))
            || is_bound && quantity.number == Decimal::ONE && self.line.until(self.at).iter().any(is_index)
            || self.before(1).is_some_and(|token| token.folded == "to")
                && self.before(2).is_some_and(|token| token.listed("near"))
    }

    /// Whether it is the value of a comparison: `compared with 5 %`. Not if the sentence names its owner: `Kenya's is higher than
    /// Uganda's, at 5 %`.
    fn is_compared(&self, said: &Said) -> bool {
        let ends = |token: &&Token| token.number().is_none() && !token.mark(',') && !token.mark(':');
        let compares = |token: &Token| {
            token.operator("comparison")
                && !matches!(token.folded.as_str(), "up from" | "down from" | "followed by")
        };
        let has_subject = said.countries.iter().any(|(_, role)| *role == Role::Subject);
        let before = || self.clause_before().rev().take_while(ends);
        let Some(at) = before().position(compares) else { return false };
        // `ahead of Insurance & finance at 7.0 %`, `ahead of the United States at 5.66 %`
        let is_row = before().take(at).any(|token| matches!(token.kind, Kind::Row(_) | Kind::Country(_)));
        !(is_row || has_subject && self.clause_before().any(|token| token.folded.ends_with("than")))
    }

    /// Whether it is stated as a rank.
    fn is_ranked(&self) -> bool {
        let ranks = |token: &Token| token.listed("rank") || token.folded.ends_with(" rank");
        self.clause_before().any(|token| ranks(token) || token.folded.ends_with("ranking"))
            || self.heads().any(ranks)
    }

    /// The word that makes it a former value: `before, it said $71B`.
    fn formerly(&self) -> Option<(&'static str, String)> {
        let mut clause = self.clause.iter().filter_map(|at| self.line.token(*at));
        let first = clause.find(|token| token.kind == Kind::Words && !token.role("and"))?;
        let mut tokens = self.line.sentence.tokens.iter();
        let comma =
            tokens.find(|next| next.range.start >= first.range.end).is_some_and(|next| next.mark(','));
        (comma && first.listed("formerly")).then(|| ("past", first.folded.clone()))
    }

    /// Whether a word makes it negative: `minus 5 %`, `negative: 5 %`.
    fn is_negative(&self) -> bool {
        let word = |by: usize| self.before(by).map_or("", |token| token.folded.as_str());
        matches!(word(1), "minus" | "negative")
            || self.before(1).is_some_and(|token| token.mark(':')) && word(2) == "negative"
    }

    /// Why its value may differ from its digits.
    fn trouble(&self) -> Option<String> {
        let denies = |mark: char| self.line.sentence.tokens.iter().any(|token| token.mark(mark));
        if self.line.passage.picture {
            Some("it is part of a picture's name".to_owned())
        } else if self.is_behind_abbreviation() {
            Some("an abbreviation precedes it".to_owned())
        } else if DENYING.into_iter().any(denies) {
            Some("a sign denies it".to_owned())
        } else {
            self.token.marked.map(|mark| format!("the sign \"{mark}\" touches the number"))
        }
    }

    /// Whether an unknown abbreviation precedes it: `Rs. 5`, but not `approx. 5`.
    fn is_behind_abbreviation(&self) -> bool {
        let says_nothing =
            |token: &Token| token.listed("before_number") || token.folded.len() >= 4 && token.tagged("role");
        self.before(1).is_some_and(|token| token.mark('.')) && !self.before(2).is_some_and(says_nothing)
    }
}
