//! The parts of a clause between commas, dashes, colons and relative words: which of them say what a figure is of, and which
//! talk.

use std::ops::Range;

use super::text::Line;
use crate::language::class::Class;
use crate::language::lexicon;
use crate::language::sentence::{Kind, Token};

/// A part of a clause, as it stands to the figure at `target`.
pub(super) struct Segment<'a> {
    pub line: &'a Line,
    /// Its tokens, by their places in the sentence.
    pub tokens: &'a [usize],
    pub target: usize,
}

/// The parts of a clause.
pub(super) fn segments(line: &Line, tokens: &[usize]) -> Vec<Vec<usize>> {
    let part = |at: usize| line.sentence.tokens.get(at);
    let mut segments: Vec<Vec<usize>> = vec![Vec::new()];
    let mut depth = tokens.first().and_then(|at| part(*at)).map_or(0, |token| token.depth);
    for at in tokens {
        let Some(token) = part(*at) else { continue };
        let breaks = token.mark(',')
            || token.mark('–')
            || token.mark('—')
            || token.mark(':')
            || token.mark('|')
            || token.role("relative")
            || token.depth != depth;
        depth = token.depth;
        if breaks {
            segments.push(Vec::new());
        }
        if let Some(last) = segments.last_mut() {
            last.push(*at);
        }
    }
    segments
}

/// Where a sentence begins to tell of others: `…, with China and Japan as the largest exporters`, `…, with cars leading the way`.
pub(super) fn others(tokens: &[Token], target: usize) -> Option<usize> {
    let is_superlative = |token: &Token| token.role("adjective") || token.is("comparative", "more");
    (target + 1..tokens.len()).find(|at| {
        let comma =
            at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|token| token.mark(','));
        let rest = tokens.get(*at..).unwrap_or_default();
        // `…, with services making up a fifth of this amount` tells of the figure
        let points = |token: &Token| token.role("deictic") && token.folded.starts_with("th") && token.folded.contains(' ');
        let this = |pair: &[Token]| matches!(pair, [this, noun] if matches!(this.folded.as_str(), "this" | "that") && lexicon::listed("value_noun", &noun.folded));
        comma
            && !rest.iter().any(points) && !rest.windows(2).any(this)
            && rest.first().is_some_and(|token| token.folded == "with")
            && (rest.iter().take(6).any(|token| token.folded.ends_with("ing"))
                || rest.windows(3).any(|three| {
                    matches!(three, [named, the, most]
                        if named.folded == "as" && the.role("article") && is_superlative(most))
                }))
    })
}

/// What is set off from what is said: `$2,274, not in total`, `a level rather than a change`, `neither a floor nor a ceiling`.
pub(super) fn contrasts(tokens: &[Token]) -> Vec<Range<usize>> {
    let ends = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | ';' | ':' | '(' | ')' | '–' | '—' | '.'))
            || token.folded == "but"
    };
    let opens = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let word = tokens.get(at).map_or("", |token| token.folded.as_str());
        let country = tokens.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Country(_)));
        // `…; this is not a projection`
        let part =
            tokens.get(..at).unwrap_or_default().iter().rev().take(40).take_while(|token| !ends(token));
        let of_this = before.is_some_and(|before| before.role("be"))
            && part.clone().all(|token| token.number().is_none());
        // `4.9 per cent (not percentage points)`
        let opened = before.zip(tokens.get(at)).is_some_and(|(before, own)| before.depth < own.depth);
        lexicon::listed("sets_off", word)
            || (opened || before.is_some_and(|before| ends(before) || before.role("and")))
                && (matches!(word, "not" | "neither") || word == "without" && country)
            || matches!(word, "not" | "no") && of_this
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    for at in (1..tokens.len()).filter(|at| opens(*at)) {
        let phrase = tokens.get(at + 1..).unwrap_or_default();
        let phrase = phrase.get(..phrase.len().min(40)).unwrap_or_default();
        let depth = tokens.get(at).map_or(0, |token| token.depth);
        let length =
            phrase.iter().position(|token| ends(token) || token.depth < depth).unwrap_or(phrase.len());
        let phrase = phrase.get(..length).unwrap_or_default();
        let says = |token: &Token| {
            token.role("be") || token.role("verb") && !token.role("noun") || token.number().is_some()
        };
        if !phrase.is_empty() && !phrase.iter().any(says) && out.last().is_none_or(|last| last.end <= at) {
            out.push(at..at + 1 + length);
        }
    }
    out
}

impl Segment<'_> {
    fn part(&self, at: usize) -> Option<&Token> {
        self.line.sentence.tokens.get(at)
    }

    fn words(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter_map(|at| self.part(*at))
    }

    /// Its first word that is no conjunction.
    pub(super) fn first(&self) -> Option<&Token> {
        self.words().find(|token| {
            !matches!(token.kind, Kind::Mark(_)) && token.folded != "and" && !token.role("relative")
        })
    }

    /// Whether the figure stands in it.
    pub(super) fn holds(&self) -> bool {
        self.tokens.contains(&self.target)
    }

    pub(super) fn is_before(&self) -> bool {
        self.tokens.last().is_some_and(|last| *last < self.target)
    }

    fn is_behind(&self) -> bool {
        !self.holds() && !self.is_before()
    }

    fn is_bracket(&self) -> bool {
        let depth = self.part(self.target).map_or(0, |token| token.depth);
        self.first().is_some_and(|first| first.depth > depth)
    }

    fn has_verb(&self) -> bool {
        self.words().any(|token| token.role("be") || token.role("verb"))
    }

    fn behind_is(&self, mark: char) -> bool {
        self.tokens.last().and_then(|last| self.part(last + 1)).is_some_and(|token| token.mark(mark))
    }

    /// Whether it narrows, as `the products that Kenya exports`, and does not tell, as `…, which is`.
    fn narrows(&self) -> bool {
        self.tokens.first().copied().is_some_and(|at| {
            let before = at.checked_sub(1).and_then(|at| self.part(at));
            self.part(at).is_some_and(|token| token.role("relative"))
                && !before.is_some_and(|token| token.mark(',') || token.mark('–') || token.role("verb"))
        })
    }

    /// Whether it names a country, a number or a time.
    fn names_slot(&self) -> bool {
        self.words().any(|token| {
            matches!(token.kind, Kind::Period(_) | Kind::Country(_) | Kind::Number(_) | Kind::Duration(_))
        })
    }

    /// Whether it tells of a reason or of the year: `…, since it has room to grow`, `…, the last year before the crisis hit`.
    fn tells(&self) -> bool {
        let is_article = |token: &Token| {
            token.role("article") || ["a ", "the "].iter().any(|article| token.folded.starts_with(article))
        };
        let mut head = self
            .words()
            .filter(|token| token.kind == Kind::Words && !token.role("article") && !token.role("adjective"));
        let of_year = self.first().is_some_and(is_article) && head.next().is_some_and(is_of_year);
        let reason =
            self.first().is_some_and(|first| matches!(first.folded.as_str(), "since" | "as" | "given"));
        // `…, as estimated by the ministry` says whose it is
        let as_made = self.first().is_some_and(|first| first.folded == "as")
            && self
                .words()
                .find(|token| token.kind == Kind::Words && token.folded != "as")
                .is_some_and(|next| lexicon::listed("made_so", &next.folded) || next.folded.ends_with("ed"));
        let reason = reason && !as_made;
        // a whole sentence of its own, whoever acts in it: `…, as Korean electronics gained ground`
        let acts =
            reason && self.words().any(|token| token.tags.iter().any(|(kind, _)| *kind == "direction"));
        let names = self.words().any(|token| {
            matches!(token.kind, Kind::Period(_) | Kind::Number(_) | Kind::Duration(_))
                || matches!(token.kind, Kind::Country(_)) && !acts
        });
        self.is_behind() && (acts || self.has_verb()) && !names && (of_year || reason)
    }

    /// Whether it says something else of the same country: `…, and its exports are led by tea`.
    fn tells_more(&self) -> bool {
        let is_verb = |token: &Token| {
            token.role("be") && token.folded != "s" || token.role("verb") && !token.role("noun")
        };
        let words: Vec<&Token> = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_))).collect();
        let words = words.get(usize::from(words.first().is_some_and(|first| first.folded == "and"))..);
        let Some((first, rest)) = words.and_then(<[&Token]>::split_first) else { return false };
        let verb = rest.iter().position(|token| is_verb(token));
        matches!(first.folded.as_str(), "its" | "their") && verb.is_some_and(|verb| verb > 0)
    }

    /// Whether it weighs what was said: `…, a notch below what its size suggests`.
    pub(super) fn weighs(&self) -> bool {
        let is_side = |token: &Token| token.tags.iter().any(|(kind, _)| *kind == "comparative");
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else { return false };
        let what = |at: usize| self.part(at).is_some_and(|token| token.folded == "what");
        let side = |at: usize| self.part(at).is_some_and(is_side);
        // `…, the largest of any exporter`, `…, below the average product`
        let figure = self.part(self.target).is_some_and(|target| target.number().is_some());
        let mut words = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_)));
        let ranks = figure
            && !self.names_slot()
            && words.next().is_some_and(|first| {
                ["above", "below"].iter().any(|word| first.folded.starts_with(word))
                    || first.role("article") && words.next().is_some_and(is_side)
            });
        self.is_behind()
            && (ranks
                || side(*last) && what(last + 1)
                || what(*first) && first.checked_sub(1).is_some_and(side))
    }

    /// Whether every word of it says what the figure is of.
    pub(super) fn is_closed(&self) -> bool {
        let first = self.first();
        // `…, which dates from 2019`
        let is_slot = |token: &Token| matches!(token.kind, Kind::Period(_) | Kind::Country(_));
        let says_little = |token: &Token| {
            is_slot(token)
                || matches!(token.kind, Kind::Mark(_))
                || ["relative", "preposition", "article", "verb", "be", "adverb", "and"]
                    .iter()
                    .any(|role| token.role(role))
                || matches!(token.class, Some(Class::Verb | Class::Adverb))
        };
        let mut start = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_)));
        if self.is_behind()
            && start.next().is_some_and(|first| first.folded == "which")
            && self.words().any(is_slot)
            && self.words().filter(|token| !says_little(token)).count() < 2
        {
            return true;
        }
        // `…, the year being 2018`
        let dates = self.is_behind() && self.names_slot() && first.is_some_and(is_of_year);
        // what is said of a name: `Cars and Blood, in that order, were its main exports`
        let predicates = self.is_behind()
            && self.part(self.target).is_some_and(|target| target.number().is_none())
            && first.is_some_and(|first| first.role("be"));
        // `…, adding up the years 2023 and 2024`
        let takes_in =
            self.is_behind() && first.is_some_and(|first| lexicon::listed("takes_in", &first.folded));
        if predicates || takes_in || self.holds() || dates || self.is_bracket() || self.narrows() {
            return true;
        }
        // `…, which is an import figure`
        let is_noun = |token: &Token| {
            token.folded.rsplit(' ').next().is_some_and(|word| lexicon::listed("value_noun", word))
        };
        let mut phrase = self.words().take_while(|token| !token.role("preposition"));
        let says = self.is_behind() && first.is_some_and(|first| first.role("be"));
        if says && phrase.any(is_noun) {
            return true;
        }
        // `39th – that's the place of Kenya`
        let mut start = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_)));
        let names = self.is_behind()
            && start.next().is_some_and(|first| matches!(first.folded.as_str(), "that" | "this"))
            && start.next().is_some_and(|next| next.role("be"));
        if names && self.words().any(|token| matches!(token.kind, Kind::Country(_))) {
            return true;
        }
        // `…, i.e. they more than tripled`: a statement of its own
        let mut own = self.words().filter(|token| {
            !matches!(token.kind, Kind::Mark(_)) && !token.role("adverb") && !token.role("and")
        });
        let states = own.next().is_some_and(|first| matches!(first.folded.as_str(), "it" | "they"));
        if self.tells() || self.is_behind() && (states && !self.names_slot() || self.tells_more()) {
            return false;
        }
        if self.is_before() {
            return !first.is_some_and(|first| {
                first.role("lead")
                    || first.role("pronoun")
                    || (self.behind_is(',')
                        && first.unknown()
                        && (first.folded.ends_with("ing") || first.folded.ends_with("ed")))
            });
        }
        first.is_some_and(|first| {
            let names = matches!(first.kind, Kind::Period(_) | Kind::Country(_) | Kind::Number(_));
            !first.operator("comparison")
                && !first.role("verb")
                && (first.role("preposition")
                    || first.role("article")
                    || first.means()
                    || first.operator("exception")
                    || names
                    || (!self.has_verb() && !first.role("adverb") && !first.unknown()))
        })
    }

    /// Whether it is what the speaker does, which holds no phrase of a slot where it names nothing: `I open the page, pick the
    /// settings, and …`
    pub(super) fn leads(&self) -> bool {
        let Some(last) = self.tokens.last() else { return false };
        let so_far = self.line.sentence.tokens.get(..=*last).unwrap_or_default();
        let is_speaker = |token: &Token| matches!(token.folded.as_str(), "i" | "we");
        // `after we open the page`
        let mut words = self.words().filter(|token| token.kind == Kind::Words).take(2);
        let temporal = words.any(is_speaker);
        so_far.iter().any(|token| is_speaker(token) || token.folded == "here we go")
            && self.is_before()
            && !self.is_bracket()
            && !self.behind_is(':')
            && !self.first().is_some_and(|first| first.role("preposition") && !temporal)
            && !self.words().any(|token| {
                token.means() || !matches!(token.kind, Kind::Words | Kind::Mark(_)) || !token.terms.is_empty()
            })
    }

    /// Whether it denies what a sentence before says: `It isn't: the Atlas has 24.`
    pub(super) fn denies_before(&self) -> bool {
        let words: Vec<&Token> = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_))).collect();
        let points = words.first().is_some_and(|first| first.role("pronoun"));
        self.is_before()
            && self.behind_is(':')
            && points
            && words.len() <= 3
            && words.last().is_some_and(|last| last.operator("negation"))
    }

    /// Whether it is a statement of its own before a colon, of a country or a measure and not of the figure: `Argentina is in the
    /// middle of the field: …`
    pub(super) fn states(&self) -> bool {
        let is_verb = |token: &Token| {
            token.role("be") && token.folded != "s"
                || token.role("verb") && !token.role("noun")
                || token.class == Some(Class::Verb)
        };
        let words: Vec<&Token> = self.words().collect();
        let verb = words.iter().position(|token| is_verb(token)).unwrap_or(0);
        let subject = words.get(..verb).unwrap_or_default();
        let of_figure = |token: &&Token| {
            token.role("pronoun")
                || token.role("deictic")
                || token
                    .folded
                    .split(' ')
                    .any(|word| lexicon::listed("value_noun", word) || lexicon::listed("meta_noun", word))
        };
        self.is_before()
            && self.behind_is(':')
            && subject.iter().any(|token| matches!(token.kind, Kind::Country(_)) || token.means())
            && !subject.iter().any(of_figure)
    }

    /// Whether it says what that makes of its subject: `…, placing it among the least complex products`.
    pub(super) fn classes(&self) -> bool {
        let mut words = self.words().filter(|token| !matches!(token.kind, Kind::Mark(_)));
        let relative = self
            .tokens
            .iter()
            .filter_map(|at| self.part(*at))
            .find(|token| !matches!(token.kind, Kind::Mark(_)));
        let relative = relative.is_some_and(|first| first.role("relative"));
        let is_verb = |token: &Token| token.role("verb") || token.unknown() && token.folded.ends_with('s');
        self.is_behind()
            && words
                .nth(usize::from(relative))
                .is_some_and(|first| first.folded.ends_with("ing") || relative && is_verb(first))
            && words.next().is_some_and(|object| {
                matches!(object.folded.as_str(), "it" | "them" | "the country" | "this" | "that")
                    || matches!(object.kind, Kind::Country(_))
            })
    }

    /// Whether a verb that nobody knows says nothing of what a figure is of. In a slot it does: `the adjusted exports`, `to
    /// firms`; so does what a country does with goods, which is a flow, `Kenya burned coffee`, and what compares, `outgrew`.
    fn is_predicate(&self, place: usize) -> bool {
        let part = |place: usize| self.tokens.get(place).and_then(|at| self.part(*at));
        let is_name =
            |token: &Token| matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_));
        let is_noun = |token: &Token| {
            token.means()
                || token.role("noun")
                || token.class == Some(Class::Noun)
                || matches!(token.kind, Kind::Product(_) | Kind::Row(_))
        };
        let Some(word) = part(place).map(|token| token.folded.as_str()) else { return false };
        let Some(before) = place.checked_sub(1).and_then(part) else {
            return part(place + 1).is_none_or(|next| !is_noun(next));
        };
        // `exported to northern Kenya`
        let is_flow = |by: usize| {
            let token = place.checked_sub(by).and_then(part);
            token.is_some_and(|token| token.tags.iter().any(|(kind, _)| *kind == "flow"))
        };
        let inflected = word.ends_with('s') || word.ends_with("ed") || word.ends_with("ing");
        // `$257B squared`
        if before.number().is_some()
            || word.starts_with("out") && word.len() > 5
            || before.role("article")
            || before.role("preposition") && (before.folded != "to" || inflected || is_flow(2))
        {
            return false;
        }
        let is_subject = is_noun(before)
            || is_name(before)
            || ["pronoun", "verb", "be"].iter().any(|role| before.role(role))
            || matches!(before.class, Some(Class::Verb | Class::Adverb))
            || matches!(before.kind, Kind::Period(_));
        let mut object = (place + 1..)
            .map_while(part)
            .skip_while(|token| token.role("article") || token.role("adjective"));
        let object = object.next();
        let trades = matches!(before.kind, Kind::Country(_))
            && object.is_some_and(|object| {
                matches!(object.kind, Kind::Product(_) | Kind::Row(_))
                    || object.tags.iter().any(|(kind, _)| *kind == "scope")
            });
        !trades && (is_subject || !part(place + 1).is_some_and(is_noun))
    }

    /// Whether a word that nobody knows stands where it says nothing of what a filler is: an adverb, or the verb of its clause.
    pub(super) fn is_free(&self, place: usize) -> bool {
        let (line, segment, target) = (self.line, self.tokens, self.target);
        let part = |place: usize| segment.get(place).and_then(|at| line.sentence.tokens.get(*at));
        let Some(token) = part(place) else { return false };
        let word = token.folded.as_str();
        // `g = +3.2 %`: a letter of a formula
        let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        let next_mark =
            part(place + 1).is_some_and(|next| ['=', '_', '≈', '^'].into_iter().any(|mark| next.mark(mark)));
        if is_letter && next_mark {
            return true;
        }
        // `was sluggish at 0.4 %`
        let predicate = place.checked_sub(1).and_then(part).is_some_and(|before| before.role("be"));
        if predicate
            && token.class == Some(Class::Adjective)
            && part(place + 1).is_some_and(|next| next.folded == "at")
        {
            return true;
        }
        let in_slot = place.checked_sub(1).and_then(part).is_some_and(|before| before.role("preposition"));
        if word.ends_with("ly") && word.len() >= 4 || token.class == Some(Class::Adverb) && !in_slot {
            return true;
        }
        if token.class == Some(Class::Verb) && self.is_predicate(place) {
            return true;
        }
        let at = segment.get(place).copied().unwrap_or(0);
        // `Over the last five years that income has grown`: what was named before
        let anaphor = place
            .checked_sub(1)
            .and_then(part)
            .is_some_and(|token| matches!(token.folded.as_str(), "that" | "this" | "these" | "those"));
        if anaphor
            && part(place + 1).is_some_and(|next| next.role("be") || next.role("verb") && !next.role("noun"))
        {
            return true;
        }
        // no infinitive ends in an s: `to firms in China`
        let noun = place.checked_sub(1).and_then(part).is_some_and(|token| {
            token.role("article")
                || token.role("preposition") && (token.folded != "to" || word.ends_with('s'))
        });
        // `cars and trucks`: a name goes on
        let joined = word.ends_with('s')
            && place
                .checked_sub(1)
                .and_then(part)
                .is_some_and(|token| matches!(token.folded.as_str(), "and" | "or"))
            && place.checked_sub(2).and_then(part).is_some_and(|token| {
                matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_))
            });
        // `with an RCA of 15, Kenya is strongly specialised in coffee`: what the figure leads up to
        let back = |by: usize| place.checked_sub(by).and_then(part);
        let leads_up =
            line.sentence.tokens.first().is_some_and(|token| matches!(token.folded.as_str(), "with" | "at"));
        let mut before = (0..place)
            .rev()
            .filter_map(part)
            .skip_while(|token| token.role("adverb") || token.unknown() && token.folded.ends_with("ly"));
        let of_be = before.next().is_some_and(|token| token.role("be"));
        // `22nd of the 145 economies covered`: who they are that are counted
        let of_total = self.part(target).and_then(Token::number).is_some_and(|number| number.total.is_some());
        if at > target && of_total && word.ends_with("ed") && back(1).is_some_and(|token| token.role("noun"))
        {
            return true;
        }
        if at > target && leads_up && of_be && word.ends_with("ed") {
            return part(place + 1).is_some_and(|next| next.role("preposition"));
        }
        // `re-running it gives`
        let ahead_is_it =
            part(place + 1).is_some_and(|next| matches!(next.folded.as_str(), "it" | "this" | "that"));
        if at < target && word.ends_with("ing") && ahead_is_it {
            return true;
        }
        // `Goods worth $70 billion flowed from China`
        let flows = back(1).is_some_and(|token| token.number().is_some())
            && part(place + 1).is_some_and(|next| matches!(next.folded.as_str(), "from" | "to" | "into"))
            && !(0..place).filter_map(part).any(|token| {
                token.role("be")
                    || token.role("verb")
                        && !token.role("noun")
                        && token.folded != "worth"
                        && token.folded != "valued"
            });
        if flows && word.ends_with("ed") {
            return true;
        }
        if at > target || noun || joined {
            return false;
        }
        // `is expected to expand by`, `its products contribute about`
        let ahead = part(place + 1);
        let is_future = |token: &Token| token.operator("future") || token.is("metric", "projection");
        let infinitive = back(1).is_some_and(|token| {
            token.folded.ends_with(" to") && is_future(token)
                || token.folded == "to" && back(2).is_some_and(is_future)
        });
        let plural = back(1).is_some_and(|token| {
            token.folded.ends_with('s')
                && (token.role("noun")
                    || token.means()
                    || matches!(token.kind, Kind::Product(_) | Kind::Row(_)))
        }) && ahead.is_some_and(|next| {
            next.operator("about")
                || next.role("article")
                || matches!(next.folded.as_str(), "in" | "at" | "to" | "around")
        }) && !(0..place).filter_map(part).any(|token| {
            token.role("be") && token.folded != "s" || token.role("verb") && !token.role("noun")
        });
        if infinitive && ahead.is_some_and(|next| next.role("preposition") || next.number().is_some())
            || plural
        {
            return true;
        }
        let subject = (0..place).filter_map(part).any(|token| {
            token.means()
                || token.role("noun")
                || token.role("pronoun")
                || matches!(token.kind, Kind::Country(_) | Kind::Product(_) | Kind::Row(_))
        });
        let is_verb = |token: &Token| {
            let moves =
                token.is("metric", "trade") || token.tags.iter().any(|(kind, _)| *kind == "direction");
            token.role("be") && token.folded != "s"
                || token.operator("future") && token.folded.ends_with('s')
                || !token.role("noun") && (token.role("verb") || moves && token.folded.ends_with("ed"))
        };
        let verb_before = (0..place).filter_map(part).any(is_verb);
        let verb_behind = (place + 1..segment.len())
            .filter(|next| segment.get(*next).is_some_and(|at| *at < target))
            .filter_map(part)
            .any(is_verb);
        let next = part(place + 1);
        let goes_on = next.is_none_or(|next| next.mark(',') && word.ends_with("ed"))
            || next.is_some_and(|next| {
                (next.role("preposition") && next.folded != "of")
                    || next.number().is_some()
                    || next.role("article")
                    || next.operator("about")
                    || next.role("adverb")
            });
        let inflected = word.ends_with("ed") || (word.ends_with('s') && !word.ends_with("ss"));
        subject && inflected && goes_on && !verb_behind && (!verb_before || word.ends_with("ed"))
    }
}

fn is_of_year(token: &Token) -> bool {
    token.folded.split(' ').any(|word| word == "year")
}
