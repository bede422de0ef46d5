//! Errors in responses. A response with errors is partial (decision 13): values affected by an
//! error are removed from the data, so that their null is not taken for a value.

use std::cell::OnceCell;
use std::rc::Rc;

use memchr::memmem;

use super::datum::{Datum, ResponseError};

/// The data of a response, and the errors removed from it.
#[derive(Debug)]
pub struct ResponseBody<'a> {
    /// The data.
    pub data: Datum<'a>,
    /// The errors.
    pub failed: Vec<Rc<ResponseError>>,
}

impl<'a> ResponseBody<'a> {
    /// Parses a response. A truncated response, one that is not JSON, or one without data becomes a
    /// single error.
    pub fn read(text: &'a str) -> Self {
        let whole = |failed: Rc<ResponseError>| Self {
            data: Datum::Failed(Rc::clone(&failed)),
            failed: vec![failed],
        };
        let Some(Datum::Object(members)) = Datum::read(text) else {
            return whole(ResponseError::whole("the response is truncated, or not a JSON object"));
        };
        let (mut data, mut errors) = (Datum::Null, Datum::Null);
        for (name, value) in members {
            match name.as_ref() {
                "data" => data = value,
                "errors" => errors = value,
                _ => {}
            }
        }
        let errors = match errors {
            Datum::Null => Vec::new(),
            Datum::List(errors) => errors,
            one => vec![one],
        };
        let failed: Vec<Rc<ResponseError>> = errors.iter().map(ResponseError::of).collect();
        if let Some(failed) = failed.iter().find(|failed| failed.path.is_empty()) {
            return whole(Rc::clone(failed));
        }
        if data.is_null() && failed.is_empty() {
            return whole(ResponseError::whole("the response has no data"));
        }
        for failed in &failed {
            take_out(&mut data, &failed.path, failed);
        }
        Self { data, failed }
    }
}

/// A response that is parsed on demand. Many are never needed.
#[derive(Debug)]
pub struct PageResponse<'a> {
    text: &'a str,
    body: OnceCell<Known<'a>>,
    may_fail: OnceCell<bool>,
}

#[derive(Debug)]
enum Known<'a> {
    Read(ResponseBody<'a>),
    Before(&'a ResponseBody<'a>),
}

impl<'a> PageResponse<'a> {
    /// A response, optionally with its parsed body.
    pub fn new(text: &'a str, body: Option<&'a ResponseBody<'a>>) -> Self {
        let body = body.map_or_else(OnceCell::new, |body| OnceCell::from(Known::Before(body)));
        Self { text, body, may_fail: OnceCell::new() }
    }

    /// The parsed body.
    pub fn body(&self) -> &ResponseBody<'a> {
        match self.body.get_or_init(|| Known::Read(ResponseBody::read(self.text))) {
            Known::Read(body) => body,
            Known::Before(body) => body,
        }
    }

    /// Whether it may have errors, without parsing a large response.
    pub(crate) fn may_fail(&self) -> bool {
        let may_fail = || {
            let text = self.text;
            text.len() < SMALL
                || !text.trim_end().ends_with('}')
                || memmem::find(text.as_bytes(), b"\"errors\"").is_some()
        };
        match self.body.get() {
            Some(Known::Read(body)) => !body.failed.is_empty(),
            Some(Known::Before(body)) => !body.failed.is_empty(),
            None => *self.may_fail.get_or_init(may_fail),
        }
    }
}

/// Responses up to this many bytes are parsed at once.
const SMALL: usize = 2_000;

/// Puts an error at its path, or at the null above it.
fn take_out(at: &mut Datum<'_>, path: &[String], failed: &Rc<ResponseError>) {
    let Some((step, below)) = path.split_first() else {
        *at = Datum::Failed(Rc::clone(failed));
        return;
    };
    let next = match at {
        Datum::Object(members) => {
            let known = members.iter().position(|(name, _)| name == step);
            let index = known.unwrap_or(members.len());
            if known.is_none() {
                members.push((step.clone().into(), Datum::Null));
            }
            Some(&mut members[index].1)
        }
        Datum::List(items) => step.parse::<usize>().ok().and_then(|index| items.get_mut(index)),
        _ => None,
    };
    match next {
        Some(next) => take_out(next, below, failed),
        None => *at = Datum::Failed(Rc::clone(failed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> String {
        fn write(of: &Datum<'_>) -> String {
            match of {
                Datum::Failed(failed) => format!("<{}>", failed.message),
                Datum::List(items) => format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(" ")),
                Datum::Object(members) => {
                    let all = members.iter().map(|(name, value)| format!("{name}={}", write(value)));
                    format!("{{{}}}", all.collect::<Vec<_>>().join(" "))
                }
                Datum::Number(number) => number.to_string(),
                _ => "-".to_owned(),
            }
        }
        write(&ResponseBody::read(text).data)
    }

    fn with(path: &str) -> String {
        let data = r#"{"a": {"b": null, "c": 1}, "l": [{"v": 1}, {"v": null}, null]}"#;
        super::tests::data(&format!(r#"{{"data": {data}, "errors": [{{"message": "E", "path": {path}}}]}}"#))
    }

    #[test]
    fn decision_13_what_an_error_names_is_taken_out_and_nothing_beside_it() {
        let rest = "l=[{v=1} {v=-} -]";
        assert_eq!(with(r#"["a", "b"]"#), format!("{{a={{b=<E> c=1}} {rest}}}"));
        // a value beside its own error is not believed
        assert_eq!(with(r#"["a", "c"]"#), format!("{{a={{b=- c=<E>}} {rest}}}"));
        assert_eq!(with(r#"["l", 1, "v"]"#), "{a={b=- c=1} l=[{v=1} {v=<E>} -]}");
        // null went up to what may be null
        assert_eq!(with(r#"["l", 2, "v", "w"]"#), "{a={b=- c=1} l=[{v=1} {v=-} <E>]}");
        assert_eq!(with(r#"["a", "b", "d"]"#), format!("{{a={{b=<E> c=1}} {rest}}}"));
        assert_eq!(with(r#"["a"]"#), format!("{{a=<E> {rest}}}"));
        // what is not there at all
        assert_eq!(with(r#"["x", "y"]"#), format!("{{a={{b=- c=1}} {rest} x=<E>}}"));
        assert_eq!(with(r#"["l", 7, "v"]"#), "{a={b=- c=1} l=<E>}");
    }

    #[test]
    fn decision_13_an_error_without_a_path_leaves_nothing() {
        for path in ["null", "[]", "\"a\"", "[{}]"] {
            assert_eq!(with(path), "<E>", "{path}");
        }
        for text in
            [r#"{"data": {"a": 1}, "errors": ["E"]}"#, r#"{"errors": {"message": "E"}, "data": {"a": 1}}"#]
        {
            assert_eq!(data(text), "<E>", "{text}");
        }
        assert_eq!(data(r#"{"data": {"a": 1}, "errors": [{"code": 7}]}"#), "<an error without a message>");
        assert_eq!(data(r#"{"data": null}"#), "<the response has no data>");
        assert_eq!(data("{}"), "<the response has no data>");
        for cut in [r#"{"data": {"a": 1"#, "<h1>Too many requests</h1>", "[]", ""] {
            assert_eq!(data(cut), "<the response is truncated, or not a JSON object>", "{cut}");
        }
    }

    #[test]
    fn no_errors_and_extensions_take_nothing_out() {
        for beside in ["\"errors\": null", "\"errors\": []", "\"extensions\": {\"errors\": [1]}"] {
            assert_eq!(data(&format!("{{\"data\": {{\"a\": 1}}, {beside}}}")), "{a=1}", "{beside}");
        }
    }
}
