//! The context of a figure or name in an answer: the parts it states, its unknown words, and the operators that apply to it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::answer::line::Line;
use crate::atlas::CountryId;
use crate::language::lexicon::{self, Tag, listed};
use crate::language::token::{Kind, Token};
use crate::value::Period;

/// The role of a country in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Subject,
    Partner,
    /// A member of the group among which something is ranked.
    Group,
    Either,
}

/// A context as an answer states it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Said {
    pub tags: Vec<Tag>,
    pub countries: Vec<(CountryId, Role)>,
    pub periods: Vec<Period>,
    pub durations: Vec<u32>,
    /// The years of its prices: `in 2024 dollars`.
    pub prices: Vec<Period>,
    pub rows: Vec<usize>,
    pub products: Vec<String>,
    pub terms: Vec<Tag>,
    /// The stems of its phrases, known or unknown.
    pub words: Vec<String>,
    /// The side of trade of a country, if a word before it states it.
    pub sides: Vec<(CountryId, Side)>,
    /// Unknown words in its phrases.
    pub unknown: Vec<String>,
    /// Contrasts: `not in total`.
    pub contrasts: Vec<Self>,
    /// Operators with their words.
    pub operators: Vec<(&'static str, String)>,
    /// Whether its label marks it as the answer.
    pub is_final: bool,
    /// Whether the clause contains only the filler.
    pub alone: bool,
    /// Whether it has a label of its own.
    pub labelled: bool,
}

/// The side of trade of a country, by the word before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Goods go to it.
    To,
    /// Goods come from it.
    From,
}

impl Said {
    /// Adds the contrasts that are not about something else.
    pub(crate) fn with_contrasts(&self, is_set_off: impl Fn(&Self) -> bool) -> Cow<'_, Self> {
        if self.contrasts.iter().all(&is_set_off) {
            return Cow::Borrowed(self);
        }
        let mut said = self.clone();
        for contrast in self.contrasts.iter().filter(|contrast| !is_set_off(contrast)) {
            said.tags.extend(&contrast.tags);
            said.countries.extend(&contrast.countries);
            said.periods.extend(&contrast.periods);
            said.words.extend(contrast.words.iter().cloned());
            said.unknown.extend(contrast.unknown.iter().cloned());
            let set_off = |(kind, word): &(&'static str, String)| match *kind {
                "negation" => ("set_off", word.clone()),
                kind => (kind, word.clone()),
            };
            said.operators.extend(contrast.operators.iter().map(set_off));
        }
        Cow::Owned(said)
    }

    /// Fills in missing parts from an earlier context.
    pub(crate) fn inherit(&mut self, before: &Self) {
        let measured = |said: &Self| said.tags.iter().any(|(kind, _)| matches!(*kind, "metric" | "thing"));
        if self.countries.is_empty() {
            self.countries.clone_from(&before.countries);
        }
        let now = self.words.iter().any(|word| matches!(word.as_str(), "today" | "now" | "currently"));
        if self.periods.is_empty() && self.durations.is_empty() && !now {
            self.periods.clone_from(&before.periods);
        }
        if self.products.is_empty() && self.rows.is_empty() {
            self.products.clone_from(&before.products);
            self.rows.clone_from(&before.rows);
        }
        if !measured(self) && !self.labelled {
            let kinds = ["metric", "thing", "flow", "group"];
            let own: BTreeSet<&str> = self.tags.iter().map(|(kind, _)| *kind).collect();
            let taken = before.tags.iter().filter(|(kind, _)| kinds.contains(kind) && !own.contains(kind));
            let taken: Vec<Tag> = taken.copied().collect();
            self.tags.extend(taken);
            let world = before.words.iter().filter(|word| matches!(word.as_str(), "world" | "global"));
            self.words.extend(world.cloned());
        }
    }

    /// The context of some tokens, each read alone.
    pub(crate) fn of_tokens(tokens: &[Token]) -> Self {
        let mut said = Self::default();
        tokens.iter().for_each(|token| said.take_token(token, || Role::Either, true));
        said
    }

    /// The context of the heads and headings above a line.
    pub(crate) fn of_heads(line: &Line) -> Self {
        let mut said = Self::default();
        line.heads.iter().for_each(|head| said.take_head(&head.tokens, true));
        line.headings.iter().for_each(|head| said.take_head(&head.tokens, false));
        said
    }

    /// Whether it has a tag of a kind: `flow`.
    pub(crate) fn tagged(&self, kind: &str) -> bool {
        self.tags.iter().any(|(own, _)| *own == kind)
    }

    /// Whether it has a tag: `("flow", "export")`.
    pub(crate) fn has(&self, kind: &str, value: &str) -> bool {
        self.tags.contains(&(kind, value))
    }

    /// Inherits from an earlier context, if there is one.
    pub(crate) fn inheriting(mut self, before: Option<&Self>) -> Self {
        before.into_iter().for_each(|before| self.inherit(before));
        self
    }

    /// Adds the context of a token and the words before it. `closed`: every word gives context to the filler.
    pub(crate) fn take(&mut self, line: &Line, at: usize, closed: bool) {
        let Some(token) = line.token(at) else { return };
        let before = line.before(at, 1).map_or("", |token| match token.folded.as_str() {
            word if word.ends_with(" before") => "before",
            word => word,
        });
        if let Some(period) = open_period(before, &token.kind).filter(|_| closed) {
            self.periods.push(period);
            return;
        }
        // `In dollars of 2024 they were worth …`
        let of_prices = before == "of" && line.before(at, 2).is_some_and(|word| word.listed("price_word"));
        if let Kind::Period(period) = token.kind
            && of_prices
        {
            self.prices.push(period);
            return;
        }
        // `F: Fiji, Finland`: a letter that heads a part of a list.
        let heads = line.token(at + 1).is_some_and(|next| next.mark(':'))
            && token.unknown()
            && token.folded.chars().count() == 1;
        let is_thing = token.unknown()
            || token.means()
            || token.role("noun") && token.kind == Kind::Words && !token.holds("site_noun")
            || matches!(token.kind, Kind::Product(_) | Kind::Row(_));
        if closed {
            self.take_side(line, at);
            if before == "per" && is_thing {
                self.tags.push(("part", "per"));
                return;
            }
            if is_distributive(line, at) {
                self.tags.push(("part", "distributive"));
            }
        }
        if heads {
            return;
        }
        let is_name = token.is_name() || token.tagged("group");
        let excepted = partial(&line.sentence.tokens, at).into_iter();
        let excepted = excepted.chain(is_name.then(|| leaves_out(line, at)).flatten());
        self.operators.extend(excepted.map(|word| ("exception", word)));
        // `to other members`, `to industry`: an unnamed part of the partners.
        let party = token.folded == "other" || token.kind == Kind::Words && token.listed("party");
        if closed && party && matches!(before, "to" | "into" | "from" | "with") {
            self.unknown.push(format!("{before} {}", token.folded));
        }
        if matches!(token.kind, Kind::Period(_)) {
            // `in 2024 alone`
            let alone = |next: &Token| matches!(next.folded.as_str(), "alone" | "only");
            let single = closed && line.token(at + 1).is_some_and(alone);
            self.tags.extend(single.then_some(("part", "single_year")));
        }
        self.take_token(token, || role(line, at), closed);
    }

    /// Adds the side of trade of a country, by the word before it.
    fn take_side(&mut self, line: &Line, at: usize) {
        let Some(Kind::Country(id)) = line.token(at).map(|token| &token.kind) else { return };
        let before = line.until(at).iter().rev().find(|token| token.folded != "the");
        // `is worth $260M to Kenya`
        let is_worth =
            |pair: &[Token]| matches!(pair, [be, worth] if be.role("be") && worth.folded == "worth");
        let profits =
            || line.until(at).rsplit(Token::is_mark).next().unwrap_or_default().windows(2).any(is_worth);
        let side = side_of(&line.sentence.tokens, at);
        match (before.map_or("", |before| before.folded.as_str()), side) {
            ("to", _) if owns(&line.sentence.tokens, at) || profits() => {}
            // In transit to another country.
            ("through" | "via", _) => self.tags.push(("part", "re_exports")),
            (_, Some(side)) => self.sides.push((*id, side)),
            // `Chinese goods`, `China's products`
            (_, None) => {
                let owned = line.behind(at).iter().find(|next| next.folded != "s");
                if owned.is_some_and(|next| next.is("scope", "goods") || next.folded == "products") {
                    self.sides.push((*id, Side::From));
                }
            }
        }
    }

    fn take_token(&mut self, token: &Token, role: impl Fn() -> Role, closed: bool) {
        for (kind, value) in &token.tags {
            if *kind == "operator" {
                self.operators.push((value, token.folded.clone()));
            }
        }
        let narrowing =
            |tag: &&Tag| matches!(tag.0, "part" | "basis" | "classification" | "thing") || tag.1 == "ppp";
        match &token.kind {
            Kind::Country(id) if closed => self.countries.push((*id, role())),
            Kind::Period(period) if token.holds("price_word") => self.prices.push(*period),
            Kind::Period(period) if closed => self.periods.push(*period),
            Kind::Duration(years) if closed => self.durations.push(*years),
            Kind::Row(rows) if closed => self.rows.extend(rows),
            Kind::Product(code) if closed => self.products.push((*code).to_owned()),
            _ => {}
        }
        // `sorry, I mean` is no mean
        if closed && !token.operator("correction") {
            self.words.extend(token.folded.split(' ').map(lexicon::stem));
        }
        if token.unknown() {
            if closed && !matches!(token.folded.as_str(), "b" | "c" | "d") {
                self.unknown.push(token.folded.clone());
            }
        } else if closed {
            self.tags.extend(
                token.tags.iter().filter(|(kind, _)| *kind != "operator" && *kind != "role").copied(),
            );
            self.terms.extend(token.terms.iter().copied());
        } else {
            self.tags.extend(token.tags.iter().filter(narrowing).copied());
        }
    }

    /// Adds the context of a head line. Every word counts.
    pub(crate) fn take_head(&mut self, tokens: &[Token], closed: bool) {
        let mut before = "";
        for (at, token) in tokens.iter().enumerate() {
            self.operators.extend(partial(tokens, at).map(|word| ("exception", word)));
            if let Some(period) = open_period(before, &token.kind).filter(|_| closed) {
                self.periods.push(period);
                before = "";
                continue;
            }
            if let (Kind::Country(id), true) = (&token.kind, closed) {
                let side = side_of(tokens, at).filter(|_| before != "to" || !owns(tokens, at));
                self.sides.extend(side.map(|side| (*id, side)));
            }
            // `Country | Partner`
            let role = if before == "with" { Role::Partner } else { Role::Either };
            before = &token.folded;
            // `| Exports, £ |`, `| Share, in ‰ |`
            self.tags.extend(
                ['£', '€', '¥', '₹'].iter().any(|sign| token.mark(*sign)).then_some(("part", "money")),
            );
            self.tags.extend(token.mark('‰').then_some(("part", "per")));
            if !token.is_manner() && (closed || !token.unknown()) {
                self.take_token(token, || role, true);
            }
        }
    }
}

/// Whether something of the country follows it: `contributed most to Turkish export growth`.
fn owns(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|next| next.folded == "s" || next.means())
}

/// The side of a country by the words around it: `into Brazil`, `left China`, `sold by China`, or its end of a route.
fn side_of(tokens: &[Token], at: usize) -> Option<Side> {
    let mut before = tokens.get(..at)?.iter().rev().filter(|token| token.folded != "the");
    match before.next().map_or("", |before| before.folded.as_str()) {
        "to" | "into" | "entered" | "entering" => Some(Side::To),
        "from" | "left" | "leaving" => Some(Side::From),
        // `sold by China`, `bought by China`
        "by" => before.next().and_then(|verb| match (verb.is("flow", "export"), verb.is("flow", "import")) {
            (true, false) => Some(Side::From),
            (false, true) => Some(Side::To),
            _ => None,
        }),
        _ => side_of_route(tokens, at),
    }
}

/// The end of a route that a country is: `China → Brazil`, `China to Brazil`, `Brazil ← China`.
fn side_of_route(tokens: &[Token], at: usize) -> Option<Side> {
    // Whether a way leads from left to right, by its sign or the word between two countries.
    let leads_on = |way: Option<&Token>, end: Option<&Token>| match way?.kind {
        Kind::Mark('→') => Some(true),
        Kind::Mark('←') => Some(false),
        _ => {
            let is_country = end.is_some_and(|end| matches!(end.kind, Kind::Country(_)));
            (way?.folded == "to" && is_country).then_some(true)
        }
    };
    let is_kept = |token: &&Token| !token.role("article");
    let mut before = tokens.get(..at)?.iter().rev().filter(is_kept);
    let mut behind = tokens.get(at + 1..)?.iter().filter(is_kept);
    let into = leads_on(before.next(), before.next());
    let out = leads_on(behind.next(), behind.next()).map(|on| !on);
    into.or(out).map(|ends| if ends { Side::To } else { Side::From })
}

/// The word before a country that means a part of it, or all others: `all but Kenya`, `former Kenya`, `around Kenya`.
pub(crate) fn partial(tokens: &[Token], at: usize) -> Option<String> {
    tokens.get(at).filter(|token| matches!(token.kind, Kind::Country(_)))?;
    let before = tokens.get(..at)?.iter().rev().find(|token| !token.role("article"))?;
    // `Business services topped US imports.`
    let is_part = before.operator("bound") && !before.listed("joins_name") && before.folded != "topped";
    (is_part || before.operator("former") || before.folded == "around").then(|| before.folded.clone())
}

/// The word before a name that makes it an exception, example or addend: `partners but China`, `such as China`, `Italy plus
/// China`. A correction is none of these: `not Italy but China`.
pub(crate) fn leaves_out(line: &Line, at: usize) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let before = (at.saturating_sub(2)..at)
        .rev()
        .find(|at| tokens.get(*at).is_some_and(|token| !token.role("article")))?;
    let word = tokens.get(before)?;
    let first = before.checked_sub(1).and_then(|at| tokens.get(at))?;
    let is_one = match word.folded.as_str() {
        "but" => {
            matches!(first.kind, Kind::Words)
                && (first.role("noun") || first.role("pronoun") || first.unknown() || first.folded == "all")
                && !first.role("verb")
        }
        "as" => first.folded == "such",
        "plus" => first.is_name() || first.tagged("group"),
        _ => false,
    };
    is_one.then(|| if word.folded == "as" { "such as".to_owned() } else { word.folded.clone() })
}

/// Whether a token distributes over things: `each product`, but not `each year`.
fn is_distributive(line: &Line, at: usize) -> bool {
    line.token(at).is_some_and(|token| matches!(token.folded.as_str(), "each" | "every"))
        && line.token(at + 1).is_some_and(|next| {
            next.kind == Kind::Words && !next.role("verb") && !next.listed("each_of_time")
        })
}

/// The open period of a year with the word before it: `by 2024`, `since 2009`.
pub(crate) fn open_period(before: &str, kind: &Kind) -> Option<Period> {
    let Kind::Period(period) = kind else { return None };
    match () {
        () if period.start != period.end => None,
        () if listed("open_start", before) => Some(Period { start: Period::OPEN_START, end: period.end }),
        () if listed("open_end", before) => Some(Period { start: period.start, end: Period::OPEN_END }),
        () => None,
    }
}

/// The role of a country, by the words around it.
fn role(line: &Line, at: usize) -> Role {
    let tokens = &line.sentence.tokens;
    let after =
        tokens.get(at).and_then(|token| line.sentence.text.get(token.range.end..)).unwrap_or_default();
    if after.starts_with("'s")
        || after.starts_with("’s")
        || after.starts_with("' ")
        || after.starts_with("’ ")
    {
        return Role::Subject;
    }
    // `To the United States, Kenya exported $50.4 million`
    let acts = tokens.get(at + 1).is_some_and(|next| next.tagged("flow") && next.role("verb"));
    if acts && line.before(at, 1).is_some_and(|before| before.mark(',')) {
        return Role::Subject;
    }
    let mut before = at;
    while before > 0 {
        before -= 1;
        let Some(token) = tokens.get(before) else { break };
        match token.folded.as_str() {
            "the" | "of" if token.folded == "the" => {}
            "and" | "or" => {}
            "to" | "into" | "with" => return Role::Partner,
            "among" | "amongst" => return Role::Group,
            "itself" => {}
            "from" => {
                let imports = tokens.iter().any(|token| token.is("flow", "import"));
                return if imports { Role::Partner } else { Role::Either };
            }
            _ => match token.kind {
                Kind::Country(_) | Kind::Mark(',') => {}
                _ => break,
            },
        }
    }
    Role::Either
}
