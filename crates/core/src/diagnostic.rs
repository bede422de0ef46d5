//! What is wrong or odd in a file: where, in which field, and what to write instead.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{LabeledSpan, NamedSource, SourceCode, SourceOffset};

/// A place in a file, from 1; 0 when not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte of a text.
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Self { line: before.matches('\n').count() + 1, column }
    }
}

/// `line:column`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// How grave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The manifest is not used.
    Error,
    /// It is used, and this is odd.
    Warning,
}

/// One thing that is wrong or odd, at its place in the file.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How grave.
    pub severity: Severity,
    /// The file.
    pub path: PathBuf,
    /// Line and column, from 1; 0 when not known.
    pub place: Place,
    /// The question's id, when it is known.
    pub question: Option<String>,
    /// The field: `data_points[2]`, `context.period`.
    pub field: String,
    /// What is wrong, a fragment in lower case.
    pub message: String,
    /// What to write instead: "did you mean `gdp_per_capita`?"
    pub suggestion: Option<String>,
    source: Arc<NamedSource<String>>,
}

/// Where and about what a diagnostic is.
pub struct Report {
    path: PathBuf,
    source: Arc<NamedSource<String>>,
    question: Option<String>,
    list: Vec<Diagnostic>,
}

impl Report {
    /// Of a file and its text.
    pub fn new(path: &Path, text: &str) -> Self {
        let source = NamedSource::new(path.display().to_string(), text.to_owned());
        Self { path: path.to_owned(), source: Arc::new(source), question: None, list: Vec::new() }
    }

    /// What follows is about this question.
    pub fn about(&mut self, question: Option<String>) {
        self.question = question;
    }

    /// Adds an error.
    pub fn error(&mut self, place: Place, field: &str, message: impl Into<String>) -> &mut Diagnostic {
        self.put(Severity::Error, place, field, message.into())
    }

    /// Adds a warning.
    pub fn warning(&mut self, place: Place, field: &str, message: impl Into<String>) -> &mut Diagnostic {
        self.put(Severity::Warning, place, field, message.into())
    }

    fn put(&mut self, severity: Severity, place: Place, field: &str, message: String) -> &mut Diagnostic {
        let at = self.list.len();
        self.list.push(Diagnostic {
            severity,
            path: self.path.clone(),
            place,
            question: self.question.clone(),
            field: field.to_owned(),
            message,
            suggestion: None,
            source: Arc::clone(&self.source),
        });
        &mut self.list[at]
    }

    /// All of them in the order of the file, and whether there are errors among them.
    pub fn finish(mut self) -> (Vec<Diagnostic>, bool) {
        self.list.sort_by_key(|found| found.place);
        let wrong = self.list.iter().any(|found| found.severity == Severity::Error);
        (self.list, wrong)
    }
}

impl Diagnostic {
    /// Adds what to write instead.
    pub fn suggest(&mut self, suggestion: impl Into<String>) {
        self.suggestion = Some(suggestion.into());
    }

    /// Adds "did you mean" when there is a near word, or all that is known otherwise.
    pub fn did_you_mean(&mut self, word: &str, known: &[&str]) {
        match crate::atlas::nearest(word, known.iter().copied()) {
            Some(near) => self.suggest(format!("did you mean `{near}`?")),
            None if known.is_empty() => {}
            None => self.suggest(format!("known: {}", known.join(", "))),
        }
    }

    /// Question, field and message.
    fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(question) = &self.question {
            write!(f, "question {question}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }

    /// A drawing of the place in the file, for a terminal; colours only if asked for.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = match colour {
            true => miette::GraphicalTheme::unicode(),
            false => miette::GraphicalTheme::unicode_nocolor(),
        };
        let mut text = String::new();
        match miette::GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .render_report(&mut text, &Drawn(self))
        {
            Ok(()) => text,
            Err(fmt::Error) => self.to_string(),
        }
    }
}

/// One line: `file:line:column: warning: question 61: data_points[0]: …`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.path.display(), self.place.line, self.place.column)?;
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        self.heading(f)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, " ({suggestion})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// A diagnostic as it is drawn: place and suggestion stand in the drawing, not in its heading.
#[derive(Debug)]
struct Drawn<'a>(&'a Diagnostic);

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.heading(f)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.0.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.suggestion.as_ref().map(|suggestion| Box::new(suggestion) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (self.0.place.line > 0).then_some(self.0.source.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let Diagnostic { place, source, .. } = self.0;
        if place.line == 0 {
            return None;
        }
        let offset = SourceOffset::from_location(source.inner(), place.line, place.column);
        let rest = source.inner().get(offset.offset()..).unwrap_or_default();
        let label = LabeledSpan::new(Some("here".to_owned()), offset.offset(), token(rest));
        Some(Box::new(std::iter::once(label)))
    }
}

/// Length of the text, number or bracket that begins here, in bytes; at most to the end of the line.
fn token(rest: &str) -> usize {
    let line = rest.lines().next().unwrap_or_default();
    let mut chars = line.char_indices();
    match chars.next() {
        None => 0,
        Some((_, '"')) => {
            let mut escaped = false;
            let end = chars.find(|(_, c)| {
                let closing = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closing
            });
            end.map_or(line.len(), |(at, _)| at + 1)
        }
        Some((_, c)) if c.is_alphanumeric() || c == '-' => {
            line.find([',', ' ', ']', '}', ':']).unwrap_or(line.len())
        }
        Some((_, c)) => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::token;

    #[test]
    fn tokens_end_where_json_ends_them() {
        for (text, length) in [
            (r#""a\"b", 1"#, 6),
            ("-12, 3", 3),
            ("[1]", 1),
            ("", 0),
            ("\"open\nnext\"", 5),
            ("true}", 4),
            ("é", 2),
        ] {
            assert_eq!(token(text), length, "{text}");
        }
    }
}
