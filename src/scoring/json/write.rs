//! The breakdown of a line as JSON, written straight from the line's text. It is, byte for byte, what serde makes of a
//! [`PairScore`](super::PairScore): all that a field's entry says besides its values is taken from there once, and
//! copied from then on.

use super::field::{FieldScore, Judged, shorten};
use super::kind::Kind;
use super::line::Line;
use super::python::exact_text;
use super::raw::{Raw, Token};
use super::score::{Bucket, Counts, Measures};
use super::similarity::SimilarityJudge;
use super::strategy::{JsonConfig, Strategy};
use super::{Json, Outcome};

/// What the end of an entry shows.
#[derive(Debug, Clone, Copy)]
enum Shows {
    /// Nothing: the entry is complete.
    Nothing,
    /// The truth's value.
    Truth,
    /// Both values with these words between them.
    Both(&'static str),
}

/// An entry up to its values.
#[derive(Debug, Clone)]
struct Frame {
    text: Vec<u8>,
    shows: Shows,
}

/// Sorts of entries that are alike but for their values.
#[derive(Debug, Clone, Copy)]
enum Sort {
    Ignored,
    Equal,
    Unequal,
    Unscored,
}

const SORTS: usize = 4;
const KINDS: usize = 7;

/// Writes lines; keeps what one has in common with the next.
#[derive(Debug, Default)]
pub(super) struct Writer {
    /// By key of the shape, kind of the value and sort of the entry.
    frames: Vec<Option<Frame>>,
    scratch: Vec<u8>,
}

impl Writer {
    /// Forgets the entries: the shape is another one.
    pub fn forget(&mut self) {
        self.frames.clear();
    }

    /// Writes a line that was scored.
    pub fn pair(
        &mut self,
        line: &Line,
        text: &str,
        config: &JsonConfig,
        judge: &impl SimilarityJudge,
        (counts, measures): (&Counts, &Measures),
        out: &mut Vec<u8>,
    ) {
        let mut separator = b'{';
        if let Some((from, to)) = line.id {
            let id = &text[from..to];
            let quote: &[u8] = if id.starts_with('"') { b"" } else { b"\"" };
            append(out, &[b"{\"id\":", quote, id.as_bytes(), quote]);
            separator = b',';
        }
        let start = out.len();
        serialize(out, measures);
        out[start] = separator;
        out.pop();
        out.extend_from_slice(b",\"counts\":");
        serialize(out, counts);
        buckets(line, text, out);
        out.extend_from_slice(b",\"fields\":[");
        self.frames.resize(line.shape.len() * KINDS * SORTS, None);
        let mut judged = line.judged.iter().peekable();
        let mut first = true;
        for at in 0..line.values.len() {
            if line.bucket(at) == Bucket::BothNonNull {
                if !std::mem::take(&mut first) {
                    out.push(b',');
                }
                let judged = judged.next_if(|(of, _)| *of == at).map(|(_, judged)| judged);
                self.field(line, at, text, config, judge, judged, out);
            }
        }
        out.extend_from_slice(b"]}\n");
    }

    #[expect(clippy::too_many_arguments, reason = "a field has as much to say")]
    fn field(
        &mut self,
        line: &Line,
        at: usize,
        text: &str,
        config: &JsonConfig,
        judge: &impl SimilarityJudge,
        judged: Option<&Judged>,
        out: &mut Vec<u8>,
    ) {
        let truth = &line.values[at];
        let kind = kind(truth, text);
        let sort = match judged.map(|judged| (judged.rule.strategy, judged.outcome)) {
            None if line.settled(at, config) == Some(Strategy::Ignore) => Sort::Ignored,
            None | Some((Strategy::Exact, Outcome::Match)) => Sort::Equal,
            Some((Strategy::Exact, Outcome::Mismatch)) => Sort::Unequal,
            Some((Strategy::Semantic, Outcome::Unscored)) => Sort::Unscored,
            Some(_) => return serialize(out, &explained(line, at, text, config, judge, judged)),
        };
        let place = (at * KINDS + kind as usize) * SORTS + sort as usize;
        let frame = match &mut self.frames[place] {
            Some(frame) => frame,
            none => none.insert(Frame::of(explained(line, at, text, config, judge, judged), sort)),
        };
        out.extend_from_slice(&frame.text);
        match frame.shows {
            Shows::Nothing => return,
            Shows::Truth => shown(truth, text, &mut self.scratch, out),
            Shows::Both(between) => {
                let answer = line.answer(at);
                shown(truth, text, &mut self.scratch, out);
                out.extend_from_slice(between.as_bytes());
                shown(answer, text, &mut self.scratch, out);
            }
        }
        out.extend_from_slice(b"\"}");
    }
}

impl Frame {
    /// What an entry has in common with its like: all before the first value in its reason, which stands in quotes.
    fn of(mut entry: FieldScore, sort: Sort) -> Self {
        let shows = match (sort, entry.strategy) {
            (Sort::Ignored | Sort::Unscored, _) => Shows::Nothing,
            (Sort::Unequal, _) => Shows::Both(", found "),
            (Sort::Equal, Strategy::Exact) => Shows::Truth,
            (Sort::Equal, _) => Shows::Both(" against "),
        };
        let mut text = Vec::new();
        if matches!(shows, Shows::Nothing) {
            serialize(&mut text, &entry);
        } else {
            entry.reason.truncate(entry.reason.find('"').unwrap_or(entry.reason.len()));
            serialize(&mut text, &entry);
            text.truncate(text.len() - 2);
        }
        Self { text, shows }
    }
}

fn explained(
    line: &Line,
    at: usize,
    text: &str,
    config: &JsonConfig,
    judge: &impl SimilarityJudge,
    judged: Option<&Judged>,
) -> FieldScore {
    let judged = judged.cloned().unwrap_or_else(|| line.judge(at, text, config, judge));
    let (truth, answer) = (line.values[at].json(text), line.answer(at).json(text));
    judged.explain(line.shape.key(at), &truth, &answer, config)
}

fn buckets(line: &Line, text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"buckets\":{\"extra_keys\":[");
    let mut first = true;
    for (from, to) in &line.extra {
        // Keys have no escapes here, so they stand in JSON as they stood in the line, quotes included.
        listed(out, &mut first, &text.as_bytes()[from - 1..to + 1]);
    }
    for (name, wanted) in [
        (&b"],\"gt_null_aio_has_value\":["[..], [Bucket::GtNullAioHasValue; 2]),
        (b"],\"gt_non_null\":[", [Bucket::AioMissingOrNull, Bucket::BothNonNull]),
        (b"],\"aio_missing_or_null\":[", [Bucket::AioMissingOrNull; 2]),
        (b"],\"both_non_null\":[", [Bucket::BothNonNull; 2]),
    ] {
        out.extend_from_slice(name);
        let mut first = true;
        for at in 0..line.values.len() {
            if wanted.contains(&line.bucket(at)) {
                listed(out, &mut first, line.shape.quoted(at));
            }
        }
    }
    out.extend_from_slice(b"]}");
}

fn listed(out: &mut Vec<u8>, first: &mut bool, text: &[u8]) {
    if !std::mem::take(first) {
        out.push(b',');
    }
    out.extend_from_slice(text);
}

fn append(out: &mut Vec<u8>, parts: &[&[u8]]) {
    for part in parts {
        out.extend_from_slice(part);
    }
}

/// Writes a value as JSON.
fn serialize(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing into memory cannot fail, nor can these types.
    let _ = serde_json::to_writer(out, value);
}

fn kind(raw: &Raw, text: &str) -> Kind {
    match raw.token {
        Token::Number => Kind::Numeric,
        Token::Bool => Kind::Boolean,
        Token::Plain => Kind::of_text(raw.unquoted(text)),
        Token::Nested if text.as_bytes()[raw.start as usize] == b'[' => Kind::Array,
        Token::Nested => Kind::Object,
        Token::Escaped | Token::Null => Kind::of(&raw.json(text)).unwrap_or(Kind::Text),
    }
}

/// Longest text that is shown whole.
const LONGEST: usize = 80;

/// Writes a value as reasons show it, inside a JSON string.
fn shown(raw: &Raw, text: &str, scratch: &mut Vec<u8>, out: &mut Vec<u8>) {
    match raw.token {
        Token::Bool => {
            let truth = text.as_bytes()[raw.start as usize] == b't';
            out.extend_from_slice(if truth { b"\\\"True\\\"" } else { b"\\\"False\\\"" });
        }
        Token::Number if as_python_prints(raw.of(text)) => {
            append(out, &[b"\\\"", raw.of(text).as_bytes(), b"\\\""]);
        }
        Token::Plain if is_printable_ascii(raw.unquoted(text)) => {
            let text = raw.unquoted(text).as_bytes();
            match text.get(..LONGEST) {
                Some(cut) if text.len() > LONGEST => append(out, &[b"\\\"", cut, "\\\"…".as_bytes()]),
                _ => append(out, &[b"\\\"", text, b"\\\""]),
            }
        }
        Token::Nested if is_plain_list(raw.of(text)) => {
            out.extend_from_slice(b"\\\"");
            for byte in raw.of(text).bytes() {
                // Its quotes are escaped in the reason, and once more in the reason's JSON.
                match byte {
                    b'"' => out.extend_from_slice(b"\\\\\\\""),
                    other => out.push(other),
                }
            }
            out.extend_from_slice(b"\\\"");
        }
        _ => {
            let value: Json<'_> = raw.json(text);
            scratch.clear();
            serialize(scratch, &shorten(&exact_text(&value)));
            out.extend_from_slice(&scratch[1..scratch.len() - 1]);
        }
    }
}

fn is_printable_ascii(text: &str) -> bool {
    text.bytes().fold(true, |good, byte| good & byte.wrapping_sub(b' ').lt(&0x5f))
}

/// Whether Python prints a JSON value just as it stands there, because it is a short list of numbers, words and plain
/// strings with `, ` between them.
fn is_plain_list(text: &str) -> bool {
    let Some(items) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    text.len() <= LONGEST
        && is_printable_ascii(text)
        && !text.contains('\\')
        && items.split(", ").all(|item| match item.as_bytes() {
            [b'"', inner @ .., b'"'] => !inner.contains(&b'"'),
            b"true" | b"false" | b"null" => true,
            _ => {
                item.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
                    && !item.is_empty()
                    && as_python_prints(item)
            }
        })
}

/// Whether Python prints a JSON number as it stands there: whole numbers, and decimals of few enough digits to be
/// the shortest that read back, without exponent and idle zeros.
fn as_python_prints(number: &str) -> bool {
    let size = number.strip_prefix('-').unwrap_or(number).as_bytes();
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    match size.iter().position(|byte| *byte == b'.') {
        None => digits(size) && number != "-0",
        Some(point) => {
            let (whole, fraction) = (&size[..point], &size[point + 1..]);
            let idle = fraction.len() > 1 && fraction.ends_with(b"0");
            // From 1e-4 on there is no exponent.
            let small = whole == b"0" && fraction.starts_with(b"0000");
            size.len() <= 16 && digits(whole) && digits(fraction) && !idle && !small
        }
    }
}
