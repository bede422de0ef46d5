//! What a figure or name of an answer is said of: the parts of its context with the words of its phrases that nobody knows,
//! and the operators that it stands under.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::segment::{self, Segment};
use super::text::Line;
use crate::atlas::CountryId;
use crate::language::lexicon::{Tag, listed};
use crate::language::sentence::{Clause, Kind, Token};
use crate::value::Period;

/// Units of time that something is counted by.
const TIMES: [&str; 6] = ["year", "month", "quarter", "week", "day", "time"];

/// The place of a country in what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Subject,
    Partner,
    /// One of a group that something is ranked among.
    Group,
    Either,
}

/// A context as an answer states it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    pub tags: Vec<Tag>,
    pub countries: Vec<(CountryId, Role)>,
    pub periods: Vec<Period>,
    pub durations: Vec<u32>,
    pub rows: Vec<usize>,
    pub products: Vec<String>,
    pub terms: Vec<Tag>,
    /// The words of its phrases, known or not.
    pub words: Vec<String>,
    /// Which side of trade a country stands on, where a word before it says so.
    pub sides: Vec<(CountryId, Side)>,
    /// Words in its phrases that nobody knows.
    pub unknown: Vec<String>,
    /// What is set off from it: `not in total`.
    pub contrasts: Vec<Self>,
    /// Operators and the words that they are made of.
    pub operators: Vec<(&'static str, String)>,
    /// Its label says that it is the answer.
    pub is_final: bool,
    /// Nothing but the filler stands there.
    pub alone: bool,
    /// A label of its own stands before it.
    pub labelled: bool,
}

/// The side of trade that a country stands on, by the word before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Goods go to it.
    To,
    /// Goods come from it.
    From,
}

impl Said {
    /// With what is set off from it, where that is not of something else.
    pub(super) fn with_contrasts(&self, is_set_off: impl Fn(&Self) -> bool) -> Cow<'_, Self> {
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

    /// Takes from what was said before what it leaves out.
    pub(super) fn inherit(&mut self, before: &Self) {
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

    fn take(&mut self, line: &Line, at: usize, closed: bool) {
        let Some(token) = line.sentence.tokens.get(at) else { return };
        let before = at
            .checked_sub(1)
            .and_then(|at| line.sentence.tokens.get(at))
            .map_or("", |token| if token.folded.ends_with(" before") { "before" } else { &token.folded });
        if let Some(period) = open_period(before, &token.kind).filter(|_| closed) {
            self.periods.push(period);
            return;
        }
        if let (Kind::Country(id), true) = (&token.kind, closed) {
            match before {
                "to" | "into" | "entered" | "entering" => self.sides.push((*id, Side::To)),
                "from" | "left" | "leaving" => self.sides.push((*id, Side::From)),
                // on its way to another
                "through" | "via" => self.tags.push(("part", "re_exports")),
                // `Chinese goods`, `China's products`
                _ => {
                    let mut owned = line.sentence.tokens.get(at + 1..).unwrap_or_default().iter();
                    let owned = owned.find(|next| next.folded != "s");
                    if owned.is_some_and(|next| next.is("scope", "goods") || next.folded == "products") {
                        self.sides.push((*id, Side::From));
                    }
                }
            }
        }
        let is_thing =
            token.unknown() || token.means() || matches!(token.kind, Kind::Product(_) | Kind::Row(_));
        if closed && before == "per" && is_thing {
            self.tags.push(("part", "per"));
            return;
        }
        let next = line.sentence.tokens.get(at + 1);
        let each = matches!(token.folded.as_str(), "each" | "every");
        if closed
            && each
            && next.is_some_and(|next| {
                next.kind == Kind::Words
                    && !matches!(next.folded.as_str(), "other" | "hundred")
                    && !next.role("verb")
                    && !TIMES.contains(&next.folded.as_str())
            })
        {
            self.tags.push(("part", "distributive"));
        }
        // `F: Fiji, Finland`: a letter that heads a part of a list
        let heads = line.sentence.tokens.get(at + 1).is_some_and(|next| next.mark(':'));
        if heads && token.unknown() && token.folded.chars().count() == 1 {
            return;
        }
        self.operators.extend(partial(&line.sentence.tokens, at).map(|word| ("exception", word)));
        let names = |token: &Token| {
            matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_)) || token.is_group()
        };
        if names(token)
            && let Some(word) = leaves_out(line, at, names)
        {
            self.operators.push(("exception", word));
        }
        // `to other members`, `to industry`: a part of the partners, whoever they are
        let party = token.folded == "other" || token.kind == Kind::Words && listed("party", &token.folded);
        if closed && party && matches!(before, "to" | "into" | "from" | "with") {
            self.unknown.push(format!("{before} {}", token.folded));
        }
        // `in 2024 alone`
        let alone = line
            .sentence
            .tokens
            .get(at + 1)
            .is_some_and(|next| matches!(next.folded.as_str(), "alone" | "only"));
        if matches!(token.kind, Kind::Period(_)) && closed && alone {
            self.tags.push(("part", "single_year"));
        }
        if matches!(token.kind, Kind::Period(_)) && of_an_end(line, at) {
            self.tags.push(("part", "quarter"));
        }
        self.take_token(token, || role(line, at), closed);
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
            Kind::Period(period) if closed => self.periods.push(*period),
            Kind::Duration(years) if closed => self.durations.push(*years),
            Kind::Row(rows) if closed => self.rows.extend(rows),
            Kind::Product(code) if closed => self.products.push((*code).to_owned()),
            _ => {}
        }
        if closed {
            self.words.extend(token.folded.split(' ').map(super::asked::stem));
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

    /// A token by itself.
    pub(super) fn take_alone(&mut self, token: &Token) {
        self.take_token(token, || Role::Either, true);
    }

    /// A line that stands over others: every word of it counts.
    pub(super) fn take_head(&mut self, tokens: &[Token], closed: bool) {
        let mut before = "";
        for (at, token) in tokens.iter().enumerate() {
            self.operators.extend(partial(tokens, at).map(|word| ("exception", word)));
            if let Some(period) = open_period(before, &token.kind).filter(|_| closed) {
                self.periods.push(period);
                before = "";
                continue;
            }
            if let (Kind::Country(id), true) = (&token.kind, closed) {
                let side = match before {
                    "to" | "into" => Some(Side::To),
                    "from" => Some(Side::From),
                    _ => None,
                };
                self.sides.extend(side.map(|side| (*id, side)));
            }
            before = &token.folded;
            if !token.is_manner() && (closed || !token.unknown()) {
                self.take_token(token, || Role::Either, true);
            }
        }
    }
}

/// The words before a country that make it a part of itself, or all the others: `all but Kenya`, `former Kenya`, `around Kenya`.
fn partial(tokens: &[Token], at: usize) -> Option<String> {
    tokens.get(at).filter(|token| matches!(token.kind, Kind::Country(_)))?;
    let before = tokens.get(..at)?.iter().rev().find(|token| !token.role("article"))?;
    let joins = ["within", "between", "under", "over", "first", "last", "up to", "top"];
    let is_part = before.operator("bound") && !joins.contains(&before.folded.as_str());
    (is_part || before.operator("former") || before.folded == "around").then(|| before.folded.clone())
}

/// The word before a name that makes it an exception, an example or an addend: `partners but China`, `such as China`,
/// `Italy plus China`. What is put right is none of these: `not Italy but China`.
fn leaves_out(line: &Line, at: usize, names: impl Fn(&Token) -> bool) -> Option<String> {
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
        "plus" => names(first),
        _ => false,
    };
    is_one.then(|| if word.folded == "as" { "such as".to_owned() } else { word.folded.clone() })
}

/// Whether a year stands behind a part of itself: `at the start of 2024`.
fn of_an_end(line: &Line, at: usize) -> bool {
    let word = |by: usize| {
        at.checked_sub(by)
            .and_then(|at| line.sentence.tokens.get(at))
            .map_or("", |token| token.folded.as_str())
    };
    let ends = ["start", "beginning", "outset", "end", "close", "middle", "rest", "most", "part", "much"];
    word(1) == "of" && ends.iter().any(|end| word(2).rsplit(' ').next() == Some(end))
}

/// The period that the word before a year leaves open: `by 2024`, `since 2009`.
pub(super) fn open_period(before: &str, kind: &Kind) -> Option<Period> {
    let Kind::Period(period) = kind else { return None };
    match before {
        _ if period.start != period.end => None,
        "by" | "until" | "till" | "through" | "up to" | "before" => {
            Some(Period { start: i16::MIN, end: period.end })
        }
        "since" | "after" | "post" | "pre" => Some(Period { start: period.start, end: i16::MAX }),
        _ => None,
    }
}

/// The place of a country by the word before it.
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

/// The tokens of a clause, those in its brackets without a filler of their own among them.
fn scope(line: &Line, clause: usize) -> Vec<usize> {
    let Some(own) = line.clauses.get(clause) else { return Vec::new() };
    let mut tokens = own.tokens.clone();
    for other in &line.clauses {
        // `PCI (8703, cars)`: a code is no figure
        let is_figure = |token: &Token| token.number().is_some() && !token.is_code();
        let holds_number = other.tokens.iter().any(|at| line.sentence.tokens.get(*at).is_some_and(is_figure));
        if other.parent == Some(clause) && !holds_number {
            tokens.extend(&other.tokens);
        }
    }
    tokens.sort_unstable();
    tokens
}

/// Which of the fillers of a clause a token belongs to; `None` for all of them.
fn owner(line: &Line, targets: &[usize], at: usize) -> Option<usize> {
    if targets.len() < 2 {
        return None;
    }
    let next = targets.iter().position(|target| *target > at);
    // `7.30 %, give or take a factor of two`
    let loosens = line
        .sentence
        .tokens
        .get(at)
        .is_some_and(|token| matches!(token.folded.as_str(), "give or take" | "plus or minus"));
    if let Some(before) = next.and_then(|next| next.checked_sub(1)).filter(|_| loosens) {
        return targets.get(before).copied();
    }
    match next {
        // `Neither 13 nor 36: the number is 21`
        Some(0) => {
            let tokens = &line.sentence.tokens;
            let first = *targets.first()?;
            let colon =
                tokens.iter().enumerate().skip(first).find(|(_, token)| token.mark(':')).map(|(at, _)| at)?;
            let denies = tokens.get(at).is_some_and(|token| token.operator("negation"));
            (denies && targets.iter().any(|target| *target > colon)).then_some(first)
        }
        None => targets.last().copied(),
        Some(next) => {
            let before = *targets.get(next - 1)?;
            let tokens = line.sentence.tokens.get(before + 1..=at)?;
            // `Brazil wasn't the largest in 2021, ahead of Vietnam`: what a name is said to be is said of it
            let predicate = tokens
                .first()
                .is_some_and(|first| first.role("be") && first.folded != "s" || first.folded.ends_with(" t"));
            let ends = |token: &Token| {
                matches!(token.kind, Kind::Mark(_)) || token.role("and") || token.operator("comparison")
            };
            if predicate && !tokens.iter().any(ends) {
                return Some(before);
            }
            // what stands before the verb of the next one is its subject
            let behind = line.sentence.tokens.get(at + 1..*targets.get(next)?).unwrap_or_default();
            let verb = |token: &Token| {
                (token.role("be") && token.folded != "s")
                    || (token.role("verb") && !token.role("noun"))
                    || token.mark(':')
            };
            if behind.iter().any(verb) && !tokens.iter().any(verb) {
                return None;
            }
            let tight = tokens.iter().all(|token| {
                (token.role("preposition") && token.folded != "to")
                    || token.role("article")
                    || token.means()
                    || token.role("noun")
                    || matches!(token.kind, Kind::Period(_) | Kind::Country(_))
            });
            if tight { Some(before) } else { targets.get(next).copied() }
        }
    }
}

/// What the filler at `target` is said of by its own clause. `targets` are all fillers of the clause.
pub(super) fn own(line: &Line, clause: usize, target: usize, targets: &[usize]) -> Said {
    let mut said = Said::default();
    let tokens = scope(line, clause);
    let all = &line.sentence.tokens;
    let part = |at: usize| all.get(at);
    said.operators.extend(partial(all, target).map(|word| ("exception", word)));
    // `everything but Business`
    let is_name = |token: &Token| {
        matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_)) || token.is_group()
    };
    said.operators.extend(leaves_out(line, target, is_name).map(|word| ("exception", word)));
    let others = segment::others(all, target);
    let contrasts: Vec<_> = line.contrasts.iter().filter(|range| !range.contains(&target)).collect();
    for range in &contrasts {
        let mut contrast = Said::default();
        all.get((*range).clone()).unwrap_or_default().iter().for_each(|token| contrast.take_alone(token));
        if tokens.iter().any(|at| range.contains(at)) {
            said.contrasts.push(contrast);
        }
    }
    let (mut compared_before, mut is_aside) = (false, false);
    for segment in &segment::segments(line, &tokens) {
        let segment = Segment { line, tokens: segment, target };
        let (closed, leads, classes) = (segment.is_closed(), segment.leads(), segment.classes());
        let is_own = segment.states();
        let holds = segment.holds();
        let is_source =
            segment.first().is_some_and(|first| first.role("lead") || first.folded.starts_with("per the"));
        if segment.weighs() || segment.denies_before() {
            continue;
        }
        let compares = segment.first().is_some_and(|first| matches!(first.folded.as_str(), "is" | "was"));
        // `far below that of, say, Spain`
        let words =
            segment.tokens.iter().filter_map(|at| part(*at)).filter(|token| token.kind == Kind::Words);
        let aside = words.count() < 2 && segment.tokens.len() < 3;
        let mut compared = compared_before && is_aside;
        is_aside = aside;
        for (place, at) in segment.tokens.iter().enumerate() {
            let Some(token) = part(*at) else { continue };
            if contrasts.iter().any(|range| range.contains(at)) {
                continue;
            }
            if *at == target || targets.contains(at) {
                compared = false;
                continue;
            }
            // `52.4 million people`: what another number counts
            let counted =
                at.checked_sub(1).is_some_and(|before| before != target && targets.contains(&before));
            if counted && token.is("metric", "population") {
                continue;
            }
            // `in the first ten months`: a part of a year, whatever number stands nearer
            let part_of_year = token.is("part", "quarter");
            if !part_of_year && owner(line, targets, *at).is_some_and(|owner| owner != target) {
                continue;
            }
            // what it is compared with is not what it is of: `…, which is above the regional average`
            let relates = compares && ["above", "below"].iter().any(|word| token.folded.starts_with(word));
            compared |= (token.operator("comparison") || relates) && *at > target;
            // `0.36 points lower in 2021 than in 2015`: from when to when
            let of_change =
                part(target + 1).is_some_and(|next| next.tags.iter().any(|(kind, _)| *kind == "comparative"));
            if let (Kind::Period(period), true) = (&token.kind, compared && of_change) {
                said.periods.push(*period);
            }
            // `…, i.e. they are below average`
            let states = segment.tokens.iter().filter(|own| **own < *at).filter_map(|at| part(*at));
            let weighed = *at > target
                && !holds
                && token.is("part", "regional")
                && ["above", "below"].iter().any(|side| token.folded.starts_with(side));
            if compared || weighed && states.into_iter().any(|token| token.role("be")) {
                continue;
            }
            // `you asked about Spain: …` leads up to the answer
            let asks_about = token.folded.starts_with("you ask")
                && part(*at + 1).is_some_and(|next| next.folded == "about")
                && all.get(*at..target).unwrap_or_default().iter().any(|token| token.mark(':'));
            if asks_about {
                continue;
            }
            // what the speaker does with the page is no measure
            let acts = at.checked_sub(1).and_then(part);
            let acts = acts.is_some_and(|before| matches!(before.folded.as_str(), "i" | "we"));
            let does =
                token.is("thing", "other_activity") || token.tags.iter().any(|(kind, _)| *kind == "flow");
            if acts && !holds && does {
                continue;
            }
            if classes {
                let operators =
                    token.tags.iter().filter(|(kind, value)| *kind == "operator" && *value != "bound");
                said.operators.extend(operators.map(|(_, value)| (*value, token.folded.clone())));
                continue;
            }
            // `per the country page of Uganda`
            if let (Kind::Country(id), true, false) = (&token.kind, is_source, closed) {
                said.countries.push((*id, Role::Either));
            }
            if token.unknown() && (leads || is_own || segment.is_free(place)) {
                continue;
            }
            // `Looking at the Economic Complexity Index, …`
            let measures = |tag: &&Tag| tag.0 == "metric" && tag.1 != "trade";
            if is_source && !closed && token.kind == Kind::Words {
                said.tags.extend(token.tags.iter().filter(measures));
            }
            // `Cumulated over the years 2019 to 2024, …`: a time counts wherever it leads
            let leads_time = segment.is_before()
                && matches!(token.kind, Kind::Period(_) | Kind::Duration(_))
                && !segment.first().is_some_and(|first| first.role("pronoun"));
            said.take(line, *at, leads_time || closed && others.is_none_or(|others| *at < others));
        }
        if !aside {
            compared_before = compared;
        }
    }
    // `services earned Spain $132 billion in exports`: what it earns is what it exports
    if said.words.iter().any(|word| word == "earn") && said.tags.iter().any(|(kind, _)| *kind == "flow") {
        said.tags.retain(|tag| *tag != ("thing", "other_activity"));
    }
    // `So the answer is …`
    let joins = |at: &&usize| {
        part(**at).is_some_and(|token| {
            !token.role("final")
                && (token.role("clause") || token.role("and") || token.role("adverb") || token.mark(','))
        })
    };
    let tokens: Vec<usize> = {
        let leads = tokens.iter().take_while(joins).count();
        let is_answer = tokens.get(leads).and_then(|at| part(*at)).is_some_and(|token| token.role("final"));
        tokens.get(if is_answer { leads } else { 0 }..).unwrap_or_default().to_vec()
    };
    let label = tokens.iter().take_while(|at| part(**at).is_some_and(|token| !token.mark(':'))).count();
    if label < tokens.len()
        || tokens.first().and_then(|at| part(*at)).is_some_and(|token| {
            token.role("final") && (token.folded.contains("answer") || token.folded == "boxed")
        })
    {
        let label = if label < tokens.len() { label } else { 1 };
        let label: Vec<&Token> = tokens.iter().take(label).filter_map(|at| part(*at)).collect();
        said.labelled = label.len() < tokens.len()
            && tokens
                .get(label.len())
                .is_some_and(|at| *at <= target && part(*at).is_some_and(|token| token.mark(':')));
        said.is_final = !label.is_empty()
            && label.iter().all(|token| token.role("final") || token.role("article") || token.role("be"))
            && tokens.get(label.len()).is_some_and(|at| *at <= target);
    }
    let words = tokens.iter().filter(|at| **at != target).filter_map(|at| part(*at));
    said.alone = words.into_iter().all(|token| {
        matches!(token.kind, Kind::Mark(_))
            || token.role("final")
            || token.role("article")
            || token.role("be")
    });
    said
}

/// The clause that holds a token.
pub(super) fn clause_of(clauses: &[Clause], token: usize) -> Option<usize> {
    clauses.iter().position(|clause| clause.tokens.contains(&token))
}
