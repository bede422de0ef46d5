//! The figures of an answer: each number with what it is said of, which way it goes, and what makes it another number.

use rust_decimal::Decimal;

use super::said::{self, Said};
use super::series::{former_and_latter, ranges};
use super::text::Line;
use super::unit::scale;
use crate::language::lexicon::{self, Tag};
use crate::language::sentence::{Kind, Sentence, Token};
use crate::value::{Quantity, Unit};

/// A number of the answer.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub line: usize,
    pub token: usize,
    pub quantity: Quantity,
    pub said: Said,
    /// The same without what a sentence before it says.
    pub by_itself: Option<Said>,
    /// Up or down, by the words beside it.
    pub direction: Option<bool>,
    /// How it is joined to what moves: `by`, `to`, `from`.
    pub joint: Option<&'static str>,
    /// A bound stands at it.
    pub bound: Option<String>,
    /// About so much.
    pub about: bool,
    /// It is said to be a place in a ranking.
    pub ranked: bool,
    /// What it counts, where a noun says so.
    pub counted: Option<String>,
    /// The last word of what it counts.
    pub noun: Option<String>,
    /// Why it only serves to say another figure: an operand, what is compared with.
    pub operand: Option<String>,
    /// Why it may be another number than its digits say.
    pub trouble: Option<String>,
    /// What takes it back behind it: `that is wrong`.
    pub withdrawn: Option<String>,
    /// It stands behind a correction.
    pub corrected: bool,
    /// It is written in digits.
    pub digits: bool,
}

impl Figure {
    pub(super) fn shown<'a>(&self, lines: &'a [Line]) -> &'a str {
        let line = lines.get(self.line);
        line.and_then(|line| Some(line.sentence.shown(&line.sentence.tokens.get(self.token)?.range)))
            .unwrap_or_default()
    }
}

/// The figures of all lines, in order.
pub(super) fn figures(lines: &[Line]) -> Vec<Figure> {
    let mut out: Vec<Figure> = Vec::new();
    let mut before: Option<(usize, Said)> = None;
    let mut corrected = false;
    for (at, line) in lines.iter().enumerate() {
        let tokens = &line.sentence.tokens;
        // `under heading 3004`: a code is no figure, and what stands before it is said of another
        let is_code = |at: usize| {
            let counts = |unit: Unit| matches!(unit, Unit::Count | Unit::Index);
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            tokens.get(at).and_then(Token::number).is_some_and(|number| counts(number.unit))
                && before.zip(tokens.get(at)).is_some_and(|(before, own)| {
                    before.depth == own.depth && (before.announces_code() || counts_pictures(tokens, at))
                })
        };
        let numbers: Vec<usize> = (0..tokens.len())
            .filter(|at| tokens.get(*at).is_some_and(|token| token.number().is_some()) && !is_code(*at))
            .collect();
        let heads_final = line.heads.iter().any(is_final);
        let label_corrects =
            line.heads.iter().flat_map(|head| &head.tokens).any(|token| token.operator("correction"));
        let mut of_clause: Vec<Option<Said>> = vec![None; line.clauses.len()];
        let carried = before
            .as_ref()
            .filter(|(block, _)| *block == line.passage.block && !line.passage.cell)
            .map(|(_, said)| said.clone());
        let mut last: Option<Said> = carried.clone();
        // the same without what the sentence before says
        let mut last_own: Option<Said> = None;
        corrected |= label_corrects;
        let mut seen = 0;
        for (clause, own) in line.clauses.iter().enumerate() {
            let targets: Vec<usize> = own.tokens.iter().copied().filter(|at| numbers.contains(at)).collect();
            let above = own.parent.and_then(|parent| of_clause.get(parent).cloned().flatten());
            let from = above.or_else(|| last.clone());
            let (mut whole, mut own_whole) = (None, None);
            for target in &targets {
                while seen < *target {
                    corrected |= tokens.get(seen).is_some_and(|token| token.operator("correction"));
                    seen += 1;
                }
                let mut said = said::own(line, clause, *target, &targets);
                let bare = said.alone || said.is_final;
                said.is_final |= heads_final;
                combine(&mut said, line);
                if clause > 0 {
                    introduced(tokens.get(..*target).unwrap_or_default(), &mut said);
                }
                if own.parent.is_some() {
                    nearest(line, *target, &mut said);
                    if let Some(above) =
                        own.parent.and_then(|parent| of_clause.get(parent).cloned().flatten())
                    {
                        said.unknown.extend(above.unknown);
                    }
                }
                let mut by_itself = said.clone();
                last_own.iter().for_each(|last| by_itself.inherit(last));
                let by_itself = (carried.is_some() && own.parent.is_none()).then_some(by_itself);
                own_whole.clone_from(&by_itself);
                if let Some(from) = from.as_ref().filter(|_| !bare || own.parent.is_some() || clause > 0) {
                    said.inherit(from);
                }
                whole = Some(said.clone());
                if let Some(figure) = figure(line, at, clause, *target, &targets, said, corrected) {
                    out.push(Figure { by_itself, ..figure });
                }
            }
            if let Some(said) = own_whole {
                last_own = Some(said);
            } else if carried.is_some() && own.parent.is_none() {
                let first = own.tokens.first().copied().unwrap_or(0);
                let mut said = said::own(line, clause, first + 100_000, &[]);
                last_own.iter().for_each(|last| said.inherit(last));
                last_own = Some(said);
            }
            let whole = whole.unwrap_or_else(|| {
                let first = own.tokens.first().copied().unwrap_or(0);
                let mut said = said::own(line, clause, first + 100_000, &[]);
                combine(&mut said, line);
                if let Some(from) = &from {
                    said.inherit(from);
                }
                said
            });
            if own.parent.is_none() {
                last = Some(whole.clone());
            }
            if let Some(slot) = of_clause.get_mut(clause) {
                *slot = Some(whole);
            }
        }
        corrected |=
            tokens.get(seen..).is_some_and(|rest| rest.iter().any(|token| token.operator("correction")));
        if let Some(last) = last {
            before = Some((line.passage.block, last));
        }
    }
    withdrawn(lines, &mut out);
    ranges(lines, &mut out);
    former_and_latter(lines, &mut out);
    out
}

/// `Table 1.`, `Figure 3: …`: the number of a picture or a table.
fn counts_pictures(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let ends = |next: &Token| next.mark(':') || next.mark('.') || next.mark('–') || next.mark('—');
    before.is_some_and(|before| lexicon::listed("numbered", &before.folded))
        && tokens.get(at + 1).is_none_or(ends)
        && tokens.get(at).is_some_and(|token| token.folded.len() <= 2)
}

/// `I got A, but that is wrong: it is B`: what is called wrong behind a figure takes it back, and what follows corrects it.
fn withdrawn(lines: &[Line], figures: &mut [Figure]) {
    let mut corrects: Option<(usize, usize)> = None;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.sentence.question) {
        let tokens = &line.sentence.tokens;
        let Some(word) = tokens.iter().position(|token| token.operator("wrong")) else { continue };
        if tokens.iter().any(|token| token.operator("negation")) {
            continue;
        }
        // the figures stand in the order of their lines
        let from = |line: usize| figures.partition_point(|figure| figure.line < line);
        let end = figures.partition_point(|figure| (figure.line, figure.token) < (at, word));
        let mut meant = from(at)..end;
        let points_back = tokens
            .iter()
            .find(|token| token.kind == Kind::Words)
            .is_some_and(|token| token.role("deictic") || token.role("pronoun"));
        let before = at.checked_sub(1).filter(|before| {
            points_back && lines.get(*before).is_some_and(|before| before.passage.block == line.passage.block)
        });
        if let (true, Some(before)) = (meant.is_empty(), before) {
            meant = from(before)..from(at);
        }
        if meant.is_empty() {
            continue;
        }
        // `They got it wrong: it is 7 %`
        if meant.end <= from(at) {
            for figure in figures.get_mut(end..from(at + 1)).unwrap_or_default() {
                figure.said.operators.retain(|(kind, _)| *kind != "wrong");
            }
        }
        for figure in figures.get_mut(meant).unwrap_or_default() {
            figure.withdrawn = tokens.get(word).map(|token| token.folded.clone());
        }
        corrects = corrects.or(Some((at, word)));
    }
    for figure in figures.iter_mut() {
        figure.corrected |= corrects.is_some_and(|after| (figure.line, figure.token) > after);
    }
}

/// What leads up to all clauses of a sentence: `By 2030, of 145 countries, …`, `In the first quarter: …`
fn introduced(tokens: &[Token], said: &mut Said) {
    let end = tokens.iter().position(|token| token.mark(',') || token.mark(':')).unwrap_or(0);
    let lead = tokens.get(..end).unwrap_or_default();
    if tokens.iter().any(|token| token.mark(';'))
        || lead.len() > 6
        || lead.iter().any(|token| token.role("be") || token.number().is_some())
    {
        return;
    }
    let operators = ["condition", "future", "past", "hedge", "elsewhere"];
    let mut before = "";
    for token in lead {
        said.periods.extend(said::open_period(before, &token.kind));
        before = &token.folded;
        let own = token.tags.iter().filter(|(kind, value)| *kind == "operator" && operators.contains(value));
        said.operators.extend(own.map(|(_, value)| (*value, token.folded.clone())));
        said.tags.extend(token.tags.iter().filter(|(kind, _)| *kind == "part"));
    }
}

/// A figure in brackets is of the name that stands before them.
fn nearest(line: &Line, target: usize, said: &mut Said) {
    let depth = line.sentence.tokens.get(target).map_or(0, |token| token.depth);
    let before = line.sentence.tokens.get(..target).unwrap_or_default();
    let outside = before.iter().rev().skip_while(|token| token.depth >= depth);
    let flow = |token: &Token| token.tags.iter().find(|(kind, _)| *kind == "flow").copied();
    let is_group = |token: &Token| token.tags.iter().any(|(kind, _)| *kind == "group");
    if !said.tags.iter().any(|(kind, _)| *kind == "flow")
        && let Some(flow) = outside.clone().take_while(|token| token.number().is_none()).find_map(flow)
    {
        said.tags.push(flow);
    }
    // `Contrary to what the dashboard says (169), …`
    let part =
        outside.clone().take_while(|token| !token.mark(',') && !token.mark(';') && token.number().is_none());
    let against = part.filter(|token| {
        matches!(token.folded.as_str(), "contrary to" | "unlike" | "instead of" | "rather than")
    });
    said.operators.extend(against.map(|token| ("negation", token.folded.clone())));
    if !said.countries.is_empty() || !said.rows.is_empty() || !said.products.is_empty() {
        return;
    }
    let name = outside.take_while(|token| token.number().is_none()).find(|token| {
        matches!(token.kind, Kind::Country(_) | Kind::Row(_) | Kind::Product(_)) || is_group(token)
    });
    said.tags.extend(name.into_iter().flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "group"));
    // `the figure with services ($378 billion)`
    let scope = before.last().filter(|token| token.depth < depth).into_iter();
    said.tags.extend(scope.flat_map(|token| &token.tags).filter(|(kind, _)| *kind == "scope"));
    match name.map(|token| &token.kind) {
        Some(Kind::Country(id)) => said.countries.push((*id, said::Role::Either)),
        Some(Kind::Row(rows)) => said.rows.clone_from(rows),
        Some(Kind::Product(code)) => said.products.push((*code).to_owned()),
        _ => {}
    }
}

pub(super) fn is_final(head: &Sentence) -> bool {
    !head.tokens.is_empty()
        && head.tokens.iter().all(|token| {
            token.role("final")
                || token.role("article")
                || token.role("be")
                || matches!(token.kind, Kind::Mark(_))
        })
}

/// Heads say what the line itself leaves out, the inner ones first; unknown words and operators of theirs count in any case.
fn combine(said: &mut Said, line: &Line) {
    let own = said.clone();
    let closed = line.heads.iter().rev().map(|head| (head, true));
    let open = line.headings.iter().rev().map(|head| (head, false));
    for (head, closed) in closed.chain(open) {
        let mut over = Said::default();
        over.take_head(&head.tokens, closed);
        said.unknown.append(&mut over.unknown);
        said.operators.append(&mut over.operators);
        said.terms.append(&mut over.terms);
        said.words.append(&mut over.words);
        said.sides.append(&mut over.sides);
        let has = |said: &Said, kind: &str| said.tags.iter().any(|tag| tag.0 == kind);
        let part = |tag: &Tag| matches!(tag.0, "part" | "basis" | "thing") || tag.1 == "ppp";
        let taken: Vec<Tag> =
            over.tags.iter().filter(|tag| part(tag) || !has(said, tag.0)).copied().collect();
        said.tags.extend(taken);
        over.tags.clear();
        if closed || own.alone {
            said.inherit(&over);
        } else if said.countries.is_empty() {
            said.countries.append(&mut over.countries);
        }
    }
}

fn figure(
    line: &Line,
    at: usize,
    clause: usize,
    token: usize,
    targets: &[usize],
    mut said: Said,
    corrected: bool,
) -> Option<Figure> {
    let tokens = &line.sentence.tokens;
    let this = tokens.get(token)?;
    let mut quantity = this.number()?.clone();
    let before = |n: usize| token.checked_sub(n).and_then(|at| tokens.get(at));
    let behind = |n: usize| tokens.get(token + n);
    let column = line.passage.cell.then(|| line.passage.under.iter().rev().nth(1)).flatten();
    let label = tokens
        .first()
        .filter(|_| tokens.get(1).is_some_and(|token| token.mark(':')))
        .map(|token| token.folded.clone());
    let places = column.map(|column| column.trim().trim_end_matches('.').to_lowercase()).or(label);
    let in_places = places.is_some_and(|head| {
        ["rank", "#", "no", "place", "position", "nr", "year", "code"].contains(&head.as_str())
    });
    if in_places && quantity.unit == Unit::Count {
        quantity.unit = Unit::Rank;
    }
    // `(0 = near, 1 = far)`: what the ends of a scale mean
    let defines = |at: usize| {
        tokens.get(at).is_some_and(|token| token.number().is_some())
            && tokens.get(at + 1).is_some_and(|token| token.mark('='))
            && tokens.get(at + 2).is_some_and(|token| token.kind == Kind::Words)
    };
    // `It runs from 0 to 1`: the ends of a scale
    let ends = |token: &Token| {
        token.number().is_some_and(|number| number.number.is_zero() || number.number == Decimal::ONE)
    };
    let runs = |token: &Token| {
        ["run", "runs", "range", "ranges", "goes", "go", "scale"].contains(&token.folded.as_str())
    };
    let since = tokens.get(..token).unwrap_or_default().iter().rposition(runs);
    let of_scale =
        since.and_then(|since| tokens.get(since..)).map(|rest| rest.split(|token| token.mark(';')));
    if of_scale.and_then(|mut parts| parts.next()).is_some_and(|part| {
        part.iter().any(|own| own.range == this.range)
            && part.iter().filter(|token| token.number().is_some()).all(ends)
    }) {
        return None;
    }
    if defines(token) && (0..tokens.len()).filter(|at| defines(*at)).count() > 1 {
        return None;
    }
    // `[1]` behind a word refers to a source
    let refers = before(1).is_some_and(|token| token.mark('['))
        && behind(1).is_some_and(|token| token.mark(']'))
        && this.folded.len() <= 2
        && (token > 1 || tokens.len() > token + 2);
    // `22nd largest exporter of 145`: how many are ranked
    let ranks_before = || {
        let before = tokens.get(..token).unwrap_or_default().iter().rev();
        let mut near = before.take_while(|token| !matches!(token.kind, Kind::Mark(_)));
        near.any(|token| token.number().is_some_and(|number| number.unit == Unit::Rank))
    };
    let of_all = quantity.unit == Unit::Count
        && before(1).is_some_and(|token| matches!(token.folded.as_str(), "of" | "out of" | "among"))
        && ranks_before();
    if refers || of_all {
        return None;
    }
    let mut trouble = this.marked.map(|mark| format!("\"{mark}\" stands at the number"));
    let in_scope = line.clauses.get(clause).map(|clause| clause.tokens.clone()).unwrap_or_default();
    let previous = targets.iter().rev().find(|target| **target < token).copied();
    let next = targets.iter().find(|target| **target > token).copied();
    let direction_of = |token: &Token| {
        // `2024 minus 2014`
        let subtracts = matches!(token.folded.as_str(), "minus" | "less")
            && tokens.iter().any(|next| {
                next.range.start > token.range.end
                    && matches!(next.kind, Kind::Period(_))
                    && next.range.start < token.range.end + 2
            });
        (!subtracts).then_some(())?;
        (token.is("direction", "up") || token.is("direction", "down")).then(|| token.is("direction", "up"))
    };
    let ahead =
        in_scope.iter().rev().filter(|at| **at < token && previous.is_none_or(|previous| **at > previous));
    let direct = ahead.filter_map(|at| tokens.get(*at)).find_map(direction_of);
    let tail = in_scope.iter().filter(|at| **at > token && next.is_none_or(|next| **at < next));
    let direct = direct.or_else(|| tail.filter_map(|at| tokens.get(*at)).find_map(direction_of));
    let shared =
        || in_scope.iter().filter(|at| **at < token).filter_map(|at| tokens.get(*at)).find_map(direction_of);
    // `$221B more in 2021 than in 2016`
    let compared_to = behind(1).and_then(|next| match next.folded.as_str() {
        "more" => Some(true),
        "less" => Some(false),
        _ => None,
    });
    let direction = compared_to.or(direct).or_else(shared);
    let skip = 1 + usize::from(before(1).is_some_and(|token| token.operator("about")));
    let joint = before(skip).and_then(|token| match token.folded.as_str() {
        "by" => Some("by"),
        "to" => Some("to"),
        "from" => Some("from"),
        "reaching" | "hitting" if previous.is_some() => Some("to"),
        "of" | "is" | "was" | "at" => None,
        _ => None,
    });
    let bound = before(1).or(None).filter(|token| token.operator("bound")).map(|token| token.folded.clone());
    let bound = bound.or_else(|| {
        let marks = ['≤', '≥', '<', '>', '±', '≠', '¬', '+'];
        before(1)
            .and_then(|token| marks.into_iter().find(|mark| token.mark(*mark)))
            .map(|mark| mark.to_string())
    });
    // `upper_bound: 0.15 %`
    let bounds = |token: &&Token| token.folded.split(' ').any(|word| lexicon::listed("bound_label", word));
    let label = tokens.iter().take(8).position(|token| token.mark(':')).and_then(|end| tokens.get(..end));
    let heads = line.heads.iter().flat_map(|head| &head.tokens).filter(|_| line.passage.cell);
    let labels = label.unwrap_or_default().iter().chain(heads);
    let bound = bound.or_else(|| labels.clone().find(bounds).map(|token| token.folded.clone()));
    let bound = bound.or_else(|| {
        let rest = tokens.get(token + 1..).unwrap_or_default();
        let close =
            rest.iter().take_while(|token| !matches!(token.kind, Kind::Mark(_)) && token.number().is_none());
        close.filter(|token| token.operator("bound_behind")).map(|token| token.folded.clone()).next()
    });
    // words that can be of the phrase behind the figure
    let ends = ["preposition", "be", "clause", "relative", "and", "pronoun", "article"];
    let goes_on = |next: &Token| {
        // a diamond is a product and a mark of a grade
        next.depth == this.depth
            && (matches!(next.kind, Kind::Words)
                || next.role("noun") && matches!(next.kind, Kind::Product(_)))
            && !ends.iter().any(|role| next.role(role))
            && (next.role("noun") || !next.role("adverb"))
    };
    let counted = behind(1).filter(|next| {
        goes_on(next)
            && (next.role("noun") || !next.role("verb"))
            && next
                .tags
                .iter()
                .all(|(kind, _)| *kind != "operator" && *kind != "comparative" || next.role("noun"))
    });
    let counted = counted.map(|token| token.folded.clone());
    let nouns = tokens
        .get(token + 1..)
        .unwrap_or_default()
        .iter()
        .take_while(|next| goes_on(next) && !(next.role("verb") && !next.role("noun") && !next.means()));
    let noun = nouns.last().and_then(|token| token.folded.rsplit(' ').next().map(str::to_owned));
    // `0.01 points lower than`, `ahead of the country ranked 116th`
    let difference = tokens.get(token + 1..).unwrap_or_default().iter().take(4).take_while(|token| {
        !matches!(token.kind, Kind::Mark(_)) && token.depth == this.depth && !token.role("be")
    });
    let difference = difference.collect::<Vec<_>>();
    let sets_off = |token: &Token| matches!(token.folded.as_str(), "rather than" | "other than");
    let compares =
        difference.first().is_some_and(|first| first.tags.iter().any(|(kind, _)| *kind == "comparative"));
    let far = tokens
        .get(token + 1..)
        .unwrap_or_default()
        .iter()
        .take(12)
        .take_while(|token| !matches!(token.kind, Kind::Mark(_)) && token.number().is_none())
        .any(|token| token.folded == "than");
    let than = compares && far || difference.iter().any(|token| token.folded.ends_with(" than") && !sets_off(token)) || difference.windows(2).any(|pair| matches!(pair, [a, b] if a.tags.iter().any(|(kind, _)| *kind == "comparative") && b.folded == "than"));
    let compared = in_scope
        .iter()
        .rev()
        .filter(|at| **at < token)
        .filter_map(|at| tokens.get(*at))
        .take_while(|token| token.number().is_none() && !token.mark(',') && !token.mark(':'))
        .any(|token| {
            token.operator("comparison")
                && !matches!(token.folded.as_str(), "up from" | "down from" | "followed by")
        });
    // `0.77 below the average`
    let beside = tokens
        .get(token + 1)
        .is_some_and(|next| ["below", "above", "short", "behind", "ahead"].contains(&next.folded.as_str()))
        && tokens.get(token + 2).is_some_and(|next| !matches!(next.kind, Kind::Mark(_)));
    let than = than || beside;
    let compared = compared
        && !in_scope.iter().any(|at| {
            *at < token
                && tokens.get(*at).is_some_and(|token| token.folded.ends_with("than"))
                && said.countries.iter().any(|(_, role)| *role == said::Role::Subject)
        });
    // `below the threshold of 1`
    let threshold = in_scope.iter().rev().filter(|at| **at < token).filter_map(|at| tokens.get(*at));
    let threshold = threshold
        .take_while(|token| token.number().is_none())
        .any(|token| matches!(token.folded.as_str(), "threshold" | "cutoff"));
    // `(0.6317 if you want four decimals)`
    if behind(1).is_some_and(|next| lexicon::listed("decimals", &next.folded)) {
        return None;
    }
    // `with an RCA above 1`, `0.68 — below 1`: the bound of a definition
    let index = |token: &Token| {
        token.tags.iter().any(|(kind, value)| *kind == "metric" && lexicon::listed("index", value))
    };
    let mut near = tokens.get(..token).unwrap_or_default().iter();
    let threshold = threshold || bound.is_some() && quantity.number == Decimal::ONE && near.any(index);
    let part = before(1).is_some_and(|token| token.folded == "of")
        && before(2).is_some_and(|token| {
            lexicon::listed("ordinal", &token.folded) && token.folded != "first"
                || token.number().is_some() && !token.folded.contains(|c: char| c.is_ascii_digit())
        });
    let multiple = tokens.get(token + 1).is_some_and(|next| next.folded == "times" || next.folded == "fold");
    // `the closer to 1, the further`
    let of_scale = before(1).is_some_and(|token| token.folded == "to")
        && before(2).is_some_and(|token| {
            matches!(token.folded.as_str(), "close" | "closer" | "closest" | "near" | "nearer")
        });
    let threshold = threshold || of_scale;
    let operand = multiple
        .then(|| "a multiple".to_owned())
        .or_else(|| part.then(|| "a part of it is meant".to_owned()))
        .or_else(|| than.then(|| "a difference, and not the value".to_owned()))
        .or_else(|| threshold.then(|| "a threshold".to_owned()))
        .or_else(|| compared.then(|| "what it is compared with".to_owned()));
    let ranked =
        quantity.unit == Unit::Rank
            || in_scope.iter().filter(|at| **at < token).filter_map(|at| tokens.get(*at)).any(|token| {
                lexicon::listed("rank", token.folded.as_str())
                    || token.folded.ends_with(" rank")
                    || token.folded.ends_with("ranking")
            })
            || line.heads.iter().flat_map(|head| &head.tokens).any(|token| {
                lexicon::listed("rank", token.folded.as_str()) || token.folded.ends_with(" rank")
            });
    // `before, it said $71B`
    let own_first = in_scope
        .iter()
        .filter_map(|at| tokens.get(*at))
        .find(|token| token.kind == Kind::Words && !token.role("and"));
    if let Some(first) = own_first.filter(|first| lexicon::listed("formerly", &first.folded)) {
        let comma =
            tokens.iter().find(|next| next.range.start >= first.range.end).is_some_and(|next| next.mark(','));
        said.operators.extend(comma.then(|| ("past", first.folded.clone())));
    }
    let negative = before(1).is_some_and(|token| matches!(token.folded.as_str(), "minus" | "negative"))
        || (before(1).is_some_and(|token| token.mark(':'))
            && before(2).is_some_and(|token| token.folded == "negative"));
    if negative && quantity.number > Decimal::ZERO && !quantity.number.is_zero() {
        quantity = quantity.negated();
    }
    if let Some(factor) = scale(line, &quantity, this) {
        quantity = factor;
        said.tags.retain(|tag| *tag != ("part", "in_scale"));
    }
    // what a mark denies: a cross, a thumb down
    let denied = tokens
        .iter()
        .any(|token| ['❌', '👎', '🚫', '✗', '✘', '⛔', '¬', '≠'].into_iter().any(|mark| token.mark(mark)));
    if denied {
        trouble = Some("a sign denies it".to_owned());
    }
    let abbreviated = before(1).is_some_and(|token| token.mark('.'))
        && !before(2).is_some_and(|token| {
            ["no", "approx", "ca", "vs", "nr", "i e", "e g", "e", "viz", "cf"]
                .contains(&token.folded.as_str())
                || token.folded.len() >= 4 && token.tags.iter().any(|(kind, _)| *kind == "role")
        });
    if abbreviated {
        trouble = Some("an abbreviation stands before it".to_owned());
    }
    if line.passage.picture {
        trouble = Some("it stands in a picture's name".to_owned());
    }
    Some(Figure {
        line: at,
        token,
        quantity,
        said,
        by_itself: None,
        direction,
        joint,
        bound,
        about: before(1).is_some_and(|token| token.operator("about")),
        ranked,
        counted,
        noun,
        operand,
        trouble,
        withdrawn: None,
        corrected,
        digits: this.folded.bytes().any(|byte| byte.is_ascii_digit()),
    })
}
