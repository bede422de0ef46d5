//! Scoring a line of a batch in one pass over its text: keys are guessed from the line before, values of the answer are
//! first held against the text of the truth's, and only what differs is built and judged. Whatever is out of the
//! ordinary, errors included, is left to the reader of whole documents, which says the same more slowly.

use super::batch::{parse_pair, score_line, score_pair};
use super::field::{Judged, judge_field};
use super::parse::{JsonError, Parser};
use super::raw::{Raw, Token, skip};
use super::score::{Bucket, Counts, Measures};
use super::shape::Shape;
use super::similarity::SimilarityJudge;
use super::strategy::{FieldRule, JsonConfig, Numbers, Strategy};
use super::write::Writer;

/// What the answer holds for a key of the truth.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given {
    /// Nothing.
    Missing,
    /// The very text of the truth.
    Same,
    /// Another text.
    Other(Raw),
}

/// A line of which the sides are known, in the text `text`.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// What the line calls itself: a string in its quotes, without escapes, or a number.
    pub id: Option<(usize, usize)>,
    /// The keys of the truth.
    pub shape: Shape,
    /// The rules that the configuration has for them.
    pub rules: Vec<Option<FieldRule>>,
    /// The truth's values.
    pub values: Vec<Raw>,
    /// What the answer holds for each.
    pub given: Vec<Given>,
    /// The keys of the answer alone, without quotes.
    pub extra: Vec<(usize, usize)>,
    /// The fields that had to be judged, by place in the truth, in order.
    pub judged: Vec<(usize, Judged)>,
}

/// More keys than so many that stand in the answer alone are left to the reader of whole documents.
const MOST_EXTRA: usize = 64;

/// Scores the lines of a batch one after another. Keeps what one line teaches about the next, so use one for many
/// lines; the result does not depend on it.
#[derive(Debug)]
pub struct LineScorer<'c, J> {
    config: &'c JsonConfig,
    judge: &'c J,
    /// Whether lines can be scored in one pass at all.
    one_pass: bool,
    line: Line,
    writer: Writer,
}

impl<'c, J: SimilarityJudge> LineScorer<'c, J> {
    /// A scorer of lines by this configuration.
    #[must_use]
    pub fn new(config: &'c JsonConfig, judge: &'c J) -> Self {
        // A judge may see a difference where the texts are the same, and so may a threshold above 1.
        let one_pass = !config.nested && judge.is_silent() && config.check().is_ok();
        Self { config, judge, one_pass, line: Line::default(), writer: Writer::default() }
    }

    /// Scores a line for its counts alone.
    ///
    /// # Errors
    /// As [`parse_pair`].
    pub fn counts(&mut self, text: &[u8]) -> Result<Counts, JsonError> {
        match self.read(text) {
            Some(text) => Ok(self.tally(text)),
            None => score_line(text, self.config, self.judge),
        }
    }

    /// Scores a line and writes its breakdown behind `out`: the text that [`PairScore`](super::PairScore) has as JSON, and a
    /// newline.
    ///
    /// # Errors
    /// As [`parse_pair`].
    pub fn breakdown(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(Counts, Measures), JsonError> {
        let Some(text) = self.read(text) else {
            let scored = score_pair(parse_pair(text)?, self.config, self.judge);
            // Writing into memory cannot fail, nor can these types.
            let _ = serde_json::to_writer(&mut *out, &scored);
            out.push(b'\n');
            return Ok((scored.score.counts, scored.score.measures));
        };
        let counts = self.tally(text);
        let measures = counts.measures(self.config.weights, self.config.safety);
        self.writer.pair(&self.line, text, self.config, self.judge, (&counts, &measures), out);
        Ok((counts, measures))
    }

    fn read<'t>(&mut self, text: &'t [u8]) -> Option<&'t str> {
        if !self.one_pass {
            return None;
        }
        let text = std::str::from_utf8(text).ok()?;
        let (read, learned) = self.line.read(text);
        if learned {
            self.writer.forget();
            let fields = &self.config.fields;
            let shape = &self.line.shape;
            self.line.rules.clear();
            self.line.rules.extend((0..shape.len()).map(|at| fields.get(shape.key(at)).copied()));
        }
        read.map(|()| text)
    }

    fn tally(&mut self, text: &str) -> Counts {
        let mut counts = Counts::default();
        self.line.judged.clear();
        for at in 0..self.line.values.len() {
            let bucket = self.line.bucket(at);
            counts.add(bucket);
            if bucket == Bucket::BothNonNull {
                match self.line.settled(at, self.config) {
                    Some(Strategy::Ignore) => counts.ignored += 1,
                    Some(_) => counts.matched += 1,
                    None => {
                        let judged = self.line.judge(at, text, self.config, self.judge);
                        counts.judged(&judged);
                        self.line.judged.push((at, judged));
                    }
                }
            }
        }
        for _ in &self.line.extra {
            counts.add(Bucket::ExtraKeys);
        }
        counts
    }
}

impl Line {
    /// Reads a line. Nothing when it is out of the ordinary; and whether the shape is another than before.
    fn read(&mut self, text: &str) -> (Option<()>, bool) {
        let mut learned = false;
        let read = self.sides(text, &mut learned);
        if read.is_none() && learned {
            // It was not read to its end, so its keys are not known to be unique.
            self.shape.truncate(0);
        }
        (read, learned)
    }

    fn sides(&mut self, text: &str, learned: &mut bool) -> Option<()> {
        let parser = &mut Parser::new(text, 0);
        self.id = None;
        let (mut truth, mut answer) = (false, false);
        open(parser)?;
        loop {
            match key(parser)? {
                "id" if self.id.is_none() => {
                    let start = parser.at;
                    if !matches!(skip(parser)?.token, Token::Plain | Token::Number) {
                        return None;
                    }
                    self.id = Some((start, parser.at));
                }
                "truth" | "gt" if !truth => {
                    self.truth(parser, learned)?;
                    truth = true;
                }
                "answer" | "aio" if truth && !answer => {
                    self.given(parser)?;
                    answer = true;
                }
                _ => return None,
            }
            if !more(parser)? {
                break;
            }
        }
        parser.skip_space();
        (answer && parser.at == text.len()).then_some(())
    }

    fn truth(&mut self, parser: &mut Parser<'_>, learned: &mut bool) -> Option<()> {
        self.values.clear();
        let mut known = true;
        if open_or_empty(parser)? {
            loop {
                let at = self.values.len();
                if known
                    && at < self.shape.len()
                    && parser.bytes[parser.at..].starts_with(self.shape.pattern(at))
                {
                    parser.at += self.shape.pattern(at).len();
                    parser.skip_space();
                } else {
                    if known {
                        self.shape.truncate(at);
                        (known, *learned) = (false, true);
                    }
                    self.shape.push(key(parser)?);
                }
                self.values.push(skip(parser)?);
                if !more(parser)? {
                    break;
                }
            }
        }
        if self.values.len() < self.shape.len() {
            self.shape.truncate(self.values.len());
            *learned = true;
        }
        (!*learned || self.shape.index()).then_some(())
    }

    fn given(&mut self, parser: &mut Parser<'_>) -> Option<()> {
        self.given.clear();
        self.given.resize(self.values.len(), Given::Missing);
        self.extra.clear();
        let mut next = 0;
        if !open_or_empty(parser)? {
            return Some(());
        }
        loop {
            let at = match self.shape.near(next, &parser.bytes[parser.at..]) {
                Some(at) => {
                    parser.at += self.shape.pattern(at).len();
                    parser.skip_space();
                    at
                }
                None => {
                    let from = parser.at + 1;
                    let key = key(parser)?;
                    match self.shape.find(key) {
                        Some(at) => at,
                        None => {
                            self.another(parser.text, key, from)?;
                            skip(parser)?;
                            if !more(parser)? {
                                return Some(());
                            }
                            continue;
                        }
                    }
                }
            };
            // A key that was there already stands twice.
            let (Some(place @ Given::Missing), Some(truth)) = (self.given.get_mut(at), self.values.get(at))
            else {
                return None;
            };
            *place = value(parser, truth)?;
            next = at + 1;
            if !more(parser)? {
                return Some(());
            }
        }
    }

    /// Notes a key that is not in the truth; `None` when it was there before, or there are many.
    fn another(&mut self, text: &str, key: &str, from: usize) -> Option<()> {
        let twice = self.extra.iter().any(|(from, to)| &text[*from..*to] == key);
        if twice || self.extra.len() >= MOST_EXTRA {
            return None;
        }
        self.extra.push((from, from + key.len()));
        Some(())
    }

    /// The bucket of a key of the truth.
    #[inline]
    pub fn bucket(&self, at: usize) -> Bucket {
        let given = match self.given[at] {
            Given::Missing => false,
            Given::Same => !self.values[at].null,
            Given::Other(other) => !other.null,
        };
        match (self.values[at].null, given) {
            (true, false) => Bucket::Skipped,
            (true, true) => Bucket::GtNullAioHasValue,
            (false, false) => Bucket::AioMissingOrNull,
            (false, true) => Bucket::BothNonNull,
        }
    }

    /// The strategy that is settled by the answer's being the very text of the truth: IGNORE ignores it, every other one
    /// finds them equal.
    #[inline]
    pub fn settled(&self, at: usize, config: &JsonConfig) -> Option<Strategy> {
        match (self.rules[at], self.given[at]) {
            (Some(FieldRule { strategy: Strategy::Ignore, .. }), _) => Some(Strategy::Ignore),
            // A text that is no number is not within any tolerance of itself, and the comparator says more than "equal".
            (Some(FieldRule { strategy: Strategy::Numeric | Strategy::Display, .. }), _) => None,
            (Some(rule), Given::Same) => Some(rule.strategy),
            (None, Given::Same) if config.numbers == Numbers::Exact => Some(Strategy::Exact),
            _ => None,
        }
    }

    /// The answer's value for a key that both sides fill.
    pub fn answer(&self, at: usize) -> &Raw {
        match &self.given[at] {
            Given::Other(other) => other,
            Given::Same | Given::Missing => &self.values[at],
        }
    }

    /// Judges a field whose values are both there.
    pub fn judge(&self, at: usize, text: &str, config: &JsonConfig, judge: &impl SimilarityJudge) -> Judged {
        let (truth, answer) = (self.values[at].json(text), self.answer(at).json(text));
        judge_field(self.shape.key(at), &truth, &answer, config, judge)
    }
}

/// Goes past the brace that opens an object with a key.
fn open(parser: &mut Parser<'_>) -> Option<()> {
    open_or_empty(parser)?.then_some(())
}

/// Goes past the brace that opens an object; whether a key follows.
fn open_or_empty(parser: &mut Parser<'_>) -> Option<bool> {
    parser.skip_space();
    if parser.peek() != Some(b'{') {
        return None;
    }
    parser.at += 1;
    parser.skip_space();
    if parser.peek() == Some(b'}') {
        parser.at += 1;
        return Some(false);
    }
    Some(true)
}

/// Goes past the comma to the next key, or past the brace that closes the object; whether a key follows.
#[inline]
fn more(parser: &mut Parser<'_>) -> Option<bool> {
    parser.skip_space();
    match parser.peek()? {
        b',' => {
            parser.at += 1;
            parser.skip_space();
            Some(true)
        }
        b'}' => {
            parser.at += 1;
            Some(false)
        }
        _ => None,
    }
}

/// A key without escapes, and past its colon to its value.
fn key<'t>(parser: &mut Parser<'t>) -> Option<&'t str> {
    if parser.peek() != Some(b'"') {
        return None;
    }
    parser.at += 1;
    let start = parser.at;
    parser.skip_plain();
    if parser.peek() != Some(b'"') {
        return None;
    }
    let key = &parser.text[start..parser.at];
    parser.at += 1;
    parser.skip_space();
    if parser.peek() != Some(b':') {
        return None;
    }
    parser.at += 1;
    parser.skip_space();
    Some(key)
}

/// The answer's value for a key of the truth.
#[inline]
fn value(parser: &mut Parser<'_>, truth: &Raw) -> Option<Given> {
    let expected = &parser.bytes[truth.start as usize..truth.end as usize];
    let rest = &parser.bytes[parser.at..];
    // A number goes on as long as there are digits, so what follows has to end it.
    let ends = |next: Option<&u8>| matches!(next, Some(b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n'));
    if rest.starts_with(expected) && ends(rest.get(expected.len())) {
        parser.at += expected.len();
        return Some(Given::Same);
    }
    skip(parser).map(Given::Other)
}
