//! Reads data points that are grades or codes.

use super::mention::{Mark, Words};
use crate::answer::candidate::Place;
use crate::answer::line::Line;
use crate::answer::question::asked::Asked;
use crate::answer::statement::said::Said;
use crate::language::lexicon;
use crate::language::token::{Kind, Token};

pub(crate) fn is_grade(text: &str) -> bool {
    matches!(text, "A+" | "A" | "B" | "C" | "D" | "D-")
}

/// The grades that an answer may give: a capital letter with its sign.
pub(crate) struct Grades<'a> {
    pub asked: &'a Asked<'a>,
    pub truth: &'a str,
}

impl Words for Grades<'_> {
    fn marks(&self, line: &Line) -> Vec<Mark> {
        let mark = |token: usize| {
            let grade = grade_at(line, token)?;
            let agrees = grade == self.truth;
            Some(Mark { token, agrees, targets: vec![token], place: None, value: Some(grade) })
        };
        (0..line.sentence.tokens.len()).filter_map(mark).collect()
    }

    fn trim(&self, _: &Line, _: &Mark, said: &mut Said) {
        said.operators.retain(|(_, word)| word != "a");
        said.tags.retain(|(kind, value)| {
            let is_harmless =
                lexicon::listed("of_trade", value) || self.asked.siblings.contains(&(*kind, *value));
            !(*kind == "metric" && is_harmless) && *value != "other_activity"
        });
    }

    /// Why a letter may not be a grade, or not plainly.
    fn otherwise(&self, line: &Line, mark: &Mark, said: &Said) -> Option<Place> {
        let tokens = &line.sentence.tokens;
        let before = line.before(mark.token, 1);
        let heads = line.heads.iter().flat_map(|head| &head.tokens);
        let is_spoken = tokens.iter().any(|token| token.folded.starts_with("grade"))
            || heads.into_iter().any(|token| token.folded.contains("grade"));
        let is_short = tokens.iter().filter(|token| !token.is_mark()).count() <= 2;
        let verb = tokens.iter().any(|token| token.role("verb") || token.role("be"));
        let has_article = before.is_some_and(|token| matches!(token.folded.as_str(), "a" | "an"));
        let ends = line
            .token(mark.token + 1)
            .is_none_or(|next| next.is_mark() || next.role("preposition") && has_article);
        let is_known = said.unknown.iter().all(|word| self.asked.knows(word));
        if !is_spoken && !is_short && !((verb || has_article) && is_known && ends) {
            return Some(Place::Unplaced("it does not say that it is a grade".to_owned()));
        }
        // `worse than B`
        let word = line.until(mark.token).iter().rev().find(|token| !token.role("article"));
        if word.is_some_and(|word| word.folded.ends_with("than") || word.folded == "from") {
            return Some(Place::unplaced("it is what is compared with"));
        }
        // `is out of grade B`
        let near = line.until(mark.token).iter().rev().take(3);
        if let Some(away) = near.filter(|token| token.folded != "out").find(|token| token.listed("gone")) {
            return Some(Place::unclear(&away.folded));
        }
        // `the average grade`, `the lowest grade`
        let is_of_others = |pair: &[Token]| {
            matches!(pair, [of, grade] if grade.folded.starts_with("grade")
                && (of.tagged("comparative") || of.listed("of_many")) && !self.asked.knows(&of.folded))
        };
        if let Some(of) = tokens.windows(2).find(|pair| is_of_others(pair)).and_then(<[Token]>::first) {
            return Some(Place::unclear(&of.folded));
        }
        before.is_some_and(|token| token.operator("about")).then(|| Place::under("\"about\" expresses doubt"))
    }
}

/// The grade at a token.
fn grade_at(line: &Line, at: usize) -> Option<String> {
    let token = line.token(at)?;
    let shown = line.sentence.shown(&token.range);
    if !matches!(shown, "A" | "B" | "C" | "D") {
        return None;
    }
    let after = line.sentence.text.get(token.range.end..).unwrap_or_default();
    let sign = match after.chars().next() {
        Some('+') => "+",
        Some('-' | '−' | '–') if !after.chars().nth(1).is_some_and(char::is_alphanumeric) => "-",
        // `a B plus`
        Some(' ') => match line.token(at + 1).map_or("", |next| next.folded.as_str()) {
            "plus" => "+",
            "minus" => "-",
            _ => "",
        },
        _ => "",
    };
    // `A sixth place`, which is read as `A 6th place`
    let goes_on = |c: char| c.is_lowercase() || c.is_ascii_digit();
    let article = shown == "A" && sign.is_empty() && after.trim_start().starts_with(goes_on);
    // `on a scale from A+ down to D-`
    let before = line.before(at, 1);
    let of_scale = before.is_some_and(|token| matches!(token.folded.as_str(), "from" | "to"))
        && line.until(at).iter().any(|token| token.folded == "scale");
    (!article && !of_scale && !after.starts_with(':')).then(|| format!("{shown}{sign}"))
}

/// The codes that an answer may give. It must consist of little else, or mention codes.
pub(crate) struct Codes<'a> {
    asked: &'a Asked<'a>,
    truth: String,
    product: Option<String>,
}

impl<'a> Codes<'a> {
    /// `None` if the record has no code.
    pub(crate) fn of(asked: &'a Asked<'a>) -> Option<Self> {
        let truth = asked.one.code.as_deref()?.to_lowercase();
        Some(Self { asked, truth, product: asked.context.product.as_ref().map(|code| code.to_lowercase()) })
    }

    fn is_code(&self, token: &Token) -> bool {
        token.folded.len() >= 4 && token.folded.bytes().all(|byte| byte.is_ascii_digit())
            || token.folded == self.truth
            || token.listed("service_code")
    }
}

impl Words for Codes<'_> {
    fn marks(&self, line: &Line) -> Vec<Mark> {
        let tokens = &line.sentence.tokens;
        let mut all = tokens.iter().chain(line.heads.iter().flat_map(|head| &head.tokens));
        let is_spoken = all.any(|token| {
            token.folded.split(' ').any(|word| word.starts_with("code") || word.starts_with("hs"))
        });
        let is_short = tokens.iter().filter(|token| !token.is_mark()).count() <= 3;
        let mark = |(at, token): (usize, &Token)| {
            let is_true = token.folded == self.truth;
            let mark = |agrees, place| Mark { token: at, agrees, targets: vec![at], place, value: None };
            if is_spoken || is_short {
                return Some(mark(is_true || self.product.as_ref() == Some(&token.folded), None));
            }
            // It may be a code, although nothing says so.
            let may_be = token.number().is_some() && !self.asked.knows(&token.folded) && !is_true;
            may_be.then(|| mark(false, Some(Place::Unplaced("it does not say that it is a code".to_owned()))))
        };
        let codes = tokens.iter().enumerate().filter(|(_, token)| self.is_code(token));
        codes.filter(|(_, token)| !matches!(token.kind, Kind::Period(_))).filter_map(mark).collect()
    }

    fn trim(&self, _: &Line, mark: &Mark, said: &mut Said) {
        match mark.place {
            Some(_) => *said = Said::default(),
            None => said.rows.clear(),
        }
    }
}
