//! Reads the named items of an answer, known or unknown, in order: the context of each, its rank, and where it belongs.

use std::collections::HashSet;

use super::item::{Item, Space, Which, is_fragment, is_stranger, strangers};
use super::rank::{behind_name, came_later, later, own_place, place_before, place_behind};
use crate::answer::candidate::Place;
use crate::answer::line::Line;
use crate::answer::place::asserted::place;
use crate::answer::place::slots::{why_followed, why_preceded};
use crate::answer::place::subject::is_of_partner;
use crate::answer::question::asked::Asked;
use crate::answer::statement::clause;
use crate::answer::statement::over::is_final;
use crate::answer::statement::said::Said;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};
use crate::value::{Flow, Unit};

/// Why a name is unplaced if ranks are stated and none is its own.
pub(crate) const OTHER_RANKS: &str = "other names have the stated ranks";

/// All items of the answer, in order.
pub(crate) fn items(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> Vec<Item> {
    let columns = columns(asked, space, lines);
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let tokens = line.sentence.tokens.iter().enumerate();
        let mut named: Vec<(usize, Which)> =
            tokens.filter_map(|(at, token)| Some((at, space.names(token, asked)?))).collect();
        let number = line.passage.place.filter(|_| line.passage.item);
        let stranger = |name: String| Item {
            which: Which::Other(name),
            line: at,
            place: Place::Asked,
            behind: false,
            number,
            value: None,
        };
        let start = || line.start(40);
        if named.is_empty() && !space.places.is_empty() {
            out.extend(only_country(line).map(stranger));
        }
        if let Some(last) = out.last_mut().filter(|last: &&mut Item| last.place == Place::Asked)
            && space.rows.len() == 1
            && let Some(word) = came_later(line, asked)
        {
            last.place = Place::unclear(&word.folded);
        }
        // `Business services (ict)`
        named.dedup_by(|(at, which), (before, known)| which == known && *at == *before + 1);
        let lists = || is_listed(line, &columns) || !line.passage.keyed && is_fragment(line);
        if named.is_empty() && lists() && is_stranger(line, asked) && !line.offers() {
            out.push(stranger(start()));
            continue;
        }
        out.extend(Naming::of(asked, space, line, at, &named).items());
    }
    out
}

/// The table columns that contain names of candidates.
fn columns(asked: &Asked<'_>, space: &Space<'_>, lines: &[Line]) -> HashSet<(usize, usize)> {
    let holds = |line: &&Line| {
        let mut tokens = line.sentence.tokens.iter().enumerate();
        tokens.any(|(_, token)| space.names(token, asked).is_some())
    };
    lines.iter().filter(holds).filter_map(|line| line.passage.column).collect()
}

/// The only country of a plain statement, even if the question names it too: `The value is Italy.`
fn only_country(line: &Line) -> Option<String> {
    let tokens = &line.sentence.tokens;
    let is_plain = |token: &Token| {
        matches!(token.kind, Kind::Mark(_) | Kind::Country(_)) || !token.means() && token.tagged("role")
    };
    let mut countries = tokens.iter().filter(|token| matches!(token.kind, Kind::Country(_)));
    let country = countries.next().filter(|_| countries.next().is_none())?;
    let asserts = !line.passage.cell
        && !line.sentence.question
        && tokens.iter().any(|token| token.role("be"))
        && tokens.iter().all(is_plain);
    asserts.then(|| country.folded.clone())
}

/// Whether a line is a list item: by its marker, in a column of names, or under `Answer`.
fn is_listed(line: &Line, columns: &HashSet<(usize, usize)>) -> bool {
    let in_column = |(table, column)| {
        columns.contains(&(table, column)) || !columns.iter().any(|(other, _)| *other == table)
    };
    line.passage.item
        || line.passage.column.is_some_and(in_column)
        || line.passage.cell && line.heads.iter().any(is_final)
}

/// A line that names candidates.
struct Naming<'a> {
    asked: &'a Asked<'a>,
    space: &'a Space<'a>,
    line: &'a Line,
    at: usize,
    tokens: &'a [Token],
    named: &'a [(usize, Which)],
    /// The context that the heads above the line give.
    heads: Said,
    /// Whether the names come after an unknown one: `A, B and C, after diamonds`.
    after_stranger: bool,
    /// Whether a denied comparison makes its object the first: `No country exported more than Brazil`.
    none: bool,
}

impl<'a> Naming<'a> {
    fn of(
        asked: &'a Asked<'a>,
        space: &'a Space<'a>,
        line: &'a Line,
        at: usize,
        named: &'a [(usize, Which)],
    ) -> Self {
        let tokens = line.sentence.tokens.as_slice();
        let is_stranger = |token: &Token| match space.names(token, asked) {
            Some(Which::Other(_)) => true,
            Some(Which::Row(_)) => false,
            None => token.unknown() && !token.folded.ends_with("ing"),
        };
        let after_stranger = tokens.iter().enumerate().any(|(at, token)| {
            let mut rest = line.behind(at).iter();
            let object = rest.find(|token| !token.role("article") && !token.role("adjective"));
            token.folded == "after" && object.is_some_and(is_stranger)
        });
        let first = line.token(0);
        let denies = first.is_some_and(|first| matches!(first.folded.as_str(), "no" | "nobody" | "no one"));
        let end = if asked.ends.1 { "less" } else { "more" };
        let none = denies && tokens.iter().any(|token| token.is("comparative", end));
        let heads = Said::of_heads(line);
        Self { asked, space, line, at, tokens, named, heads, after_stranger, none }
    }

    fn number(&self) -> Option<u64> {
        self.line.passage.place.filter(|_| self.line.passage.item)
    }

    /// The items of the line, including names that are no candidates.
    fn items(&self) -> Vec<Item> {
        let mut out = Vec::new();
        let mut behind = false;
        for (clause, own) in self.line.clauses.iter().enumerate() {
            let opener = own.opener.and_then(|at| self.line.token(at));
            behind |= opener.is_some_and(|token| token.folded == "followed by");
            let targets: Vec<usize> =
                self.named.iter().map(|(at, _)| *at).filter(|at| own.tokens.contains(at)).collect();
            let mut items: Vec<(usize, Item)> = Vec::new();
            let named = self.named.iter().filter(|(at, _)| targets.contains(at));
            for (target, which) in named.filter(|_| !self.line.sentence.question) {
                items.push((*target, self.item(clause, *target, which, &targets, behind)));
            }
            let beside = strangers(self.line, clause, &targets, self.asked).into_iter();
            items.extend(beside.map(|(token, which)| {
                let (line, number) = (self.at, self.number());
                (token, Item { which, line, place: Place::Asked, behind, number, value: None })
            }));
            items.sort_by_key(|(token, _)| *token);
            out.extend(items.into_iter().map(|(_, item)| item));
        }
        out
    }

    fn item(&self, clause: usize, target: usize, which: &Which, targets: &[usize], behind: bool) -> Item {
        let said = self.said(clause, target, targets);
        let own = self.line.clauses.get(clause).map_or(&[][..], |own| &own.tokens);
        let own: Vec<&Token> = own.iter().filter_map(|at| self.line.token(*at)).collect();
        // `Unspecified services come next`: a later item.
        let comes_later = matches!(which, Which::Other(_))
            && own.iter().any(|token| later(token) || token.folded.starts_with("follows"));
        // `Cars came after that.`
        let after_it = |pair: &[&Token]| {
            matches!(pair, [after, it] if matches!(after.folded.as_str(), "after" | "behind")
                && (it.is_it() || it.is_demonstrative()))
        };
        // `Travel, then transport`
        let is_more = |token: &&Token| token.is("comparative", "more") && !token.is("comparative", "most");
        let is_then = self.line.before(target, 1).is_some_and(|token| token.folded == "then");
        let is_next = own.windows(2).any(after_it) || is_then && !own.iter().any(is_more);
        // `Vietnam and Colombia are other exporters.`
        let are_others = own
            .windows(2)
            .any(|pair| matches!(pair, [be, other] if be.role("be") && other.folded == "other"));
        Item {
            which: which.clone(),
            line: self.at,
            place: self.place(target, &said, &own),
            behind: behind || self.is_compared(target) || comes_later || are_others || is_next,
            number: self.number().or_else(|| self.place_said(target)),
            value: behind_name(self.tokens, target, self.named),
        }
    }

    /// The context of a name, including the heads above it and without the names themselves.
    fn said(&self, clause: usize, target: usize, targets: &[usize]) -> Said {
        let (asked, space) = (self.asked, self.space);
        let mut said = whole(self.line, clause, target, targets);
        let passage = &self.line.passage;
        if passage.item || passage.cell {
            let beside = self.words_beside(target);
            said.unknown.retain(|word| beside.contains(&word.as_str()));
        }
        if self.none && self.is_behind_than(target) {
            said.operators.retain(|(kind, _)| !matches!(*kind, "negation" | "comparison"));
        }
        said.operators.extend(self.heads.operators.iter().cloned());
        said.unknown.extend(self.heads.unknown.iter().cloned());
        if said.countries.is_empty() && space.places.is_empty() {
            said.countries.clone_from(&self.heads.countries);
        }
        let own = said.tags.iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
        said.tags.extend(self.heads.tags.iter().filter(|tag| !own.contains(&tag.0)).copied());
        said.periods.extend(self.heads.periods.iter().copied());
        said.rows.clear();
        if space.places.is_empty() {
            said.products.clear();
            said.sides.extend(self.heads.sides.iter().copied());
        } else {
            self.turn_flow(target, &mut said);
            let is_place = |id| space.places.iter().any(|(own, _)| *own == id);
            said.countries.retain(|(id, _)| !is_place(*id) || asked.country == Some(*id));
        }
        said
    }

    /// The words right beside a name in a list. Words before it change its meaning; words after it, up to a verb, describe it.
    fn words_beside(&self, target: usize) -> Vec<&str> {
        let is_word = |token: &&Token| token.kind == Kind::Words;
        let is_phrase = |token: &&Token| {
            is_word(token) && !["preposition", "verb", "be"].iter().any(|role| token.role(role))
        };
        let head = self.line.until(target).iter().rev().take_while(is_word);
        let tail = self.line.behind(target).iter().take_while(is_phrase);
        head.chain(tail).map(|token| token.folded.as_str()).collect()
    }

    fn is_behind_than(&self, target: usize) -> bool {
        self.line.before(target, 1).is_some_and(|token| token.folded == "than")
    }

    /// Adds the flow that a partner's side implies, and removes the opposite flow if the partner is its subject.
    fn turn_flow(&self, target: usize, said: &mut Said) {
        let asked = self.asked;
        if let Some(flow) = flow_of_names(self.tokens, target, self.named)
            && !said.tagged("flow")
        {
            said.tags.push(("flow", flow));
        }
        // `Germany bought most`: a partner's imports are the country's exports.
        let next = self.line.token(target + 1);
        let acts = next.and_then(|next| next.tags.iter().find(|(kind, _)| *kind == "flow"));
        let is_other = asked
            .country
            .is_some_and(|own| self.line.token(target).is_some_and(|token| token.kind != Kind::Country(own)));
        // `refined oils sold to the United States` are its imports
        let is_own = |token: &Token| asked.country.is_some_and(|own| token.kind == Kind::Country(own));
        let to_own = |three: &[Token]| matches!(three, [sold, to, who] if sold.is("flow", "export") && to.folded == "to" && is_own(who));
        if is_other && asked.context.flow == Some(Flow::Import) && self.tokens.windows(3).any(to_own) {
            said.tags.retain(|tag| *tag != ("flow", "export"));
        }
        if let Some(flow) = acts.filter(|flow| is_other && !asked.allows(**flow)) {
            said.tags.retain(|tag| tag != flow);
        }
    }

    /// Whether a comparison precedes a name in its phrase: `more than Germany`.
    fn is_compared(&self, target: usize) -> bool {
        let mut near = self.line.until(target).iter().rev().take_while(|token| !token.is_mark());
        near.any(|token| token.operator("comparison")) && !(self.none && self.is_behind_than(target))
    }

    /// Why a word beside the only name that is asked for may keep it from being the answer.
    fn why_beside(&self, target: usize) -> Option<Place> {
        let asked = self.asked;
        if self.space.rows.len() > 1 || self.line.passage.cell {
            return None;
        }
        let knows = |word: &str| asked.knows(word) || lexicon::listed("beside_name", word);
        let word = why_preceded(self.line.until(target), &knows)
            .or_else(|| why_followed(self.line.behind(target), &knows))?;
        Some(Place::unclear(&word.folded))
    }

    /// The rank stated beside a name.
    fn place_said(&self, at: usize) -> Option<u64> {
        place_behind(self.tokens, at, self.named).or_else(|| place_before(self.tokens, at))
    }

    fn place(&self, target: usize, said: &Said, own: &[&Token]) -> Place {
        let (asked, several) = (self.asked, self.space.rows.len() > 1);
        let place = match place(asked, said, self.line) {
            Place::OtherSlot => Place::Asked,
            at => at,
        };
        if place != Place::Asked {
            return place;
        }
        // `while Canada came second`: a later rank.
        let is_later = |token: &&Token| later(token) && !asked.knows(&token.folded);
        // `right behind the first`
        let words: Vec<&&Token> = own.iter().filter(|token| !token.role("article")).collect();
        let is_behind = |pair: &[&&Token]| {
            matches!(pair, [behind, first]
                if matches!(behind.folded.as_str(), "behind" | "after")
                    && (first.listed("ordinal") || first.operator("former")))
        };
        let is_behind_first = words.windows(2).any(is_behind);
        // `than any country but one`, `nearly the most`
        let is_short = |pair: &[&&Token]| matches!(pair, [about, most] if about.listed("falls_short") && most.tagged("comparative"));
        let is_behind_one =
            own.iter().any(|token| token.operator("exception") && token.folded.ends_with(" but"))
                || words.windows(2).any(is_short);
        let why = if is_behind_one && own_place(asked) {
            "it is not quite the first"
        } else if is_of_partner(asked, self.line)
            || from_other_side(asked, self.tokens, target)
            || self.buys(target)
            || self.acts_otherwise(target)
        {
            "its trade goes in the opposite direction"
        } else if self.after_stranger {
            "it comes after another name"
        } else if several && self.counts_otherwise(target) {
            OTHER_RANKS
        } else if self.space.rows.len() == 1
            && own_place(asked)
            && (is_behind_first || own.iter().any(is_later))
        {
            "it has another rank"
        } else {
            return self.why_beside(target).unwrap_or(Place::Asked);
        };
        Place::Unplaced(why.to_owned())
    }

    /// Whether a country is called a buyer, if the question asks who exported most: `Brazil was the largest buyer`.
    fn buys(&self, target: usize) -> bool {
        let asked = self.asked;
        let is_seller = self.line.token(target).is_some_and(|token| match token.kind {
            Kind::Country(id) => asked.country.is_none_or(|own| own == id),
            _ => false,
        });
        let buyer = |pair: &[Token]| matches!(pair, [most, who] if (most.tagged("comparative") || most.listed("ranks_first")) && who.listed("buyer"));
        is_seller
            && asked.context.flow.or(asked.flow()) == Some(Flow::Export)
            && self.tokens.windows(2).any(buyer)
    }

    /// Whether a partner does what the asking country does: `Canada imported the most`, if the question asks what came from it.
    fn acts_otherwise(&self, target: usize) -> bool {
        let asked = self.asked;
        let own = match asked.context.flow.or(asked.flow()) {
            Some(Flow::Import) => "import",
            Some(Flow::Export) => "export",
            None => return false,
        };
        let is_partner = asked.country.is_some_and(|own| {
            self.line.token(target).is_some_and(|token| matches!(token.kind, Kind::Country(id) if id != own))
        });
        let next = self.line.behind(target).iter().find(|next| !next.role("adverb") && !next.is_manner());
        is_partner
            && next.is_some_and(|next| {
                next.is("flow", own) && !next.role("noun") || own == "import" && next.folded == "received"
            })
            && !self
                .line
                .until(target)
                .iter()
                .any(|token| token.role("relative") || token.role("preposition"))
    }

    /// Whether ranks are stated, but not for this name. In `Ahead is A, B is second and C third` each rank has its name.
    fn counts_otherwise(&self, target: usize) -> bool {
        let is_ordinal = |token: &&Token| {
            token.listed("place_word") || token.number().is_some_and(|number| number.unit == Unit::Rank)
        };
        let ordinals = self.tokens.iter().filter(is_ordinal).count();
        let placed = self.named.iter().filter(|(at, _)| self.place_said(*at).is_some()).count();
        !self.line.passage.cell && self.place_said(target).is_none() && ordinals > 0 && placed != ordinals
    }
}

/// The flow implied by the preposition before a list of countries: `the goods came from Kenya ($5B), Uganda and Sudan`.
fn flow_of_names(tokens: &[Token], at: usize, named: &[(usize, Which)]) -> Option<&'static str> {
    let between = |at: usize, token: &Token| {
        named.iter().any(|(name, _)| *name == at)
            || token.number().is_some()
            || token.role("article")
            || token.role("and")
            || token.mark(',')
    };
    let before = tokens.get(..at)?.iter().enumerate().rev().find(|(at, token)| !between(*at, token))?;
    match before.1.folded.as_str() {
        "from" => Some("import"),
        "to" | "into" => Some("export"),
        _ => None,
    }
}

/// Whether a partner is on the opposite side of the requested flow: exports that come from it.
fn from_other_side(asked: &Asked<'_>, tokens: &[Token], target: usize) -> bool {
    let other = match (asked.has("flow", "export"), asked.has("flow", "import")) {
        (true, false) => "from",
        (false, true) => "to",
        _ => return false,
    };
    let country = tokens.get(target).is_some_and(|token| matches!(token.kind, Kind::Country(_)));
    country && target.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| token.folded == other)
}

/// The context of a name: its clause without the other names.
fn whole(line: &Line, clause: usize, target: usize, targets: &[usize]) -> Said {
    let mut said = clause::own(line, clause, target, targets);
    // The words before the first and after the last name of a list apply to all of them.
    if targets.len() > 1 {
        for other in [targets.first(), targets.last()].into_iter().flatten().filter(|other| **other != target)
        {
            let shared = clause::own(line, clause, *other, targets);
            for tag in shared.tags {
                if !said.tags.contains(&tag) {
                    said.tags.push(tag);
                }
            }
            said.operators.extend(shared.operators);
            said.periods.extend(shared.periods);
            said.unknown.extend(shared.unknown);
        }
    }
    said
}
