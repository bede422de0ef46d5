//! Problems in a file: the place, the field, and a suggestion.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{LabeledSpan, SourceCode};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use strum::VariantArray;

pub use crate::excerpt::Place;
use crate::excerpt::{Excerpt, Source};

/// A location in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct At {
    /// Line and column.
    pub place: Place,
    /// The field: `data_points[2]`, `context.period`; empty for the whole file.
    pub field: String,
}

impl At {
    /// The location of a key of the object at this location.
    #[must_use]
    pub fn key(&self, place: Place, name: &str) -> Self {
        let field = if self.field.is_empty() { name.to_owned() } else { format!("{}.{name}", self.field) };
        Self { place, field }
    }
}

impl From<Place> for At {
    fn from(place: Place) -> Self {
        Self { place, field: String::new() }
    }
}

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information.
    Note,
    /// The file is used, but perhaps not as intended.
    Warning,
    /// The file is not used, and nothing is scored with it.
    Error,
}

crate::names!(Severity);

/// A problem at a place in a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The file.
    #[serde(rename = "file")]
    pub path: PathBuf,
    /// Line and column, from 1; 0 if unknown.
    #[serde(flatten)]
    pub place: Place,
    /// The question's id, if known.
    pub question: Option<String>,
    /// The field: `data_points[2]`, `context.period`; empty for the whole object.
    #[serde(serialize_with = "filled")]
    #[schemars(with = "Option<String>")]
    pub field: String,
    /// What is wrong, as a fragment in lower case.
    pub message: String,
    /// What to write instead: "did you mean `gdp_per_capita`?"
    pub suggestion: Option<String>,
    #[serde(skip)]
    source: Arc<Source>,
}

/// Serialises an empty field as null.
fn filled<S: Serializer>(field: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(field).filter(|field| !field.is_empty()).serialize(serializer)
}

/// Collects the diagnostics of one file.
pub struct Diagnostics {
    path: PathBuf,
    source: Arc<Source>,
    list: Vec<Diagnostic>,
    /// The question in each item of a list.
    questions: HashMap<String, Option<String>>,
}

impl Diagnostics {
    /// An empty list for a file with this text.
    pub fn new(path: &Path, text: &str) -> Self {
        let source = Arc::new(Source::new(text));
        Self { path: path.to_owned(), source, list: Vec::new(), questions: HashMap::new() }
    }

    /// Assigns the diagnostics inside `field`, an item of a list, to a question. Their fields become relative to `field`.
    pub fn about(&mut self, field: &str, question: Option<&str>) {
        self.questions.insert(field.to_owned(), question.map(str::to_owned));
    }

    /// Whether the file is JSON by its name.
    pub(crate) fn names_json(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    }

    /// Adds an error.
    pub fn error(&mut self, at: &At, message: impl Into<String>) -> &mut Diagnostic {
        self.put(Severity::Error, at, message.into())
    }

    /// Adds a warning.
    pub fn warning(&mut self, at: &At, message: impl Into<String>) -> &mut Diagnostic {
        self.put(Severity::Warning, at, message.into())
    }

    fn put(&mut self, severity: Severity, at: &At, message: String) -> &mut Diagnostic {
        let index = self.list.len();
        self.list.push(Diagnostic {
            severity,
            path: self.path.clone(),
            place: at.place,
            question: None,
            field: at.field.clone(),
            message,
            suggestion: None,
            source: Arc::clone(&self.source),
        });
        &mut self.list[index]
    }

    /// All diagnostics in file order, and whether any is an error.
    pub fn finish(mut self) -> (Vec<Diagnostic>, bool) {
        for found in &mut self.list {
            let mut ends = found.field.match_indices(']').map(|(at, _)| at + 1);
            let of = ends.find_map(|end| Some((end, self.questions.get(&found.field[..end])?)));
            if let Some((end, question)) = of {
                found.field = found.field[end..].trim_start_matches('.').to_owned();
                found.question.clone_from(question);
            }
        }
        self.list.sort_by_key(|found| found.place);
        let wrong = self.list.iter().any(|found| found.severity == Severity::Error);
        (self.list, wrong)
    }
}

impl Diagnostic {
    /// An error at a field of a file that is not at hand; empty for the whole file.
    #[must_use]
    pub fn of(field: impl Into<String>, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            severity: Severity::Error,
            path: PathBuf::new(),
            place: Place::default(),
            question: None,
            field: field.into(),
            message: message.into(),
            suggestion: None,
            source: Arc::new(Source::new("")),
        })
    }

    /// The same, with its field seen from further out.
    #[must_use]
    pub fn below(mut self: Box<Self>, field: &str) -> Box<Self> {
        let inner = if self.field.is_empty() { String::new() } else { format!(".{}", self.field) };
        self.field = format!("{field}{inner}");
        self
    }

    /// Sets the suggestion.
    pub fn suggest(&mut self, suggestion: impl Into<String>) {
        self.suggestion = Some(suggestion.into());
    }

    /// Suggests a similar word, or lists the known words.
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

    /// Renders the diagnostic with an excerpt of the file, for a terminal. Coloured if `colour` is set.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = match colour {
            true => miette::GraphicalTheme::unicode(),
            false => miette::GraphicalTheme::unicode_nocolor(),
        };
        let mut text = String::new();
        match miette::GraphicalReportHandler::new_themed(theme).with_links(false).render_report(
            &mut text,
            &Drawn { found: self, excerpt: self.source.excerpt(self.place, &self.path) },
        ) {
            Ok(()) => text,
            Err(fmt::Error) => self.to_string(),
        }
    }

    /// `file:line:column`, or the file alone if the place is unknown.
    #[must_use]
    pub fn file_place(&self) -> String {
        self.place.in_file(&self.path)
    }
}

impl From<String> for Box<Diagnostic> {
    fn from(message: String) -> Self {
        Diagnostic::of("", message)
    }
}

/// Prints one line: `file:line:column: warning: question 61: data_points[0]: …`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file_place())?;
        if self.severity != Severity::Error {
            write!(f, "{}: ", self.severity.name())?;
        }
        self.heading(f)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, " ({suggestion})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// A diagnostic as miette renders it. Place and suggestion are separate from the heading.
#[derive(Debug)]
struct Drawn<'a> {
    found: &'a Diagnostic,
    excerpt: Option<Excerpt>,
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.heading(f)
    }
}

impl std::error::Error for Drawn<'_> {}

impl miette::Diagnostic for Drawn<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.found.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.found.suggestion.as_ref().map(|suggestion| Box::new(suggestion) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        let label = LabeledSpan::new_with_span(Some("here".to_owned()), excerpt.span);
        Some(Box::new(std::iter::once(label)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A place in a text, drawn.
    fn drawn(text: &str, place: Place) -> String {
        let mut report = Diagnostics::new(Path::new("questions.json"), text);
        report.error(&At { place, field: "data_points".to_owned() }, "is wrong").suggest("write another");
        let (found, _) = report.finish();
        found[0].render(false)
    }

    /// Characters for generated lines: wide and combining ones, control characters, every line break.
    const PIECES: [&str; 16] = [
        "a",
        "\"",
        "\\",
        "\t",
        "\u{0}",
        "\u{1b}[31m",
        "\u{301}",
        "世",
        "🏳️‍🌈",
        "\u{202e}",
        "\u{feff}",
        "\r\n",
        "\n",
        "\r",
        "\u{2028}",
        "{\"k\": [1, 2]}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn any_place_of_any_text_is_drawn(
            pieces in proptest::collection::vec((0..PIECES.len(), 0_u32..5), 0..12),
            line in 0_usize..6,
            column in prop_oneof![0_usize..40, 65_500_usize..65_600, Just(usize::MAX)],
        ) {
            // up to some 70,000 of a piece in a row
            let text: String = pieces.iter().map(|(piece, power)| PIECES[*piece].repeat(17_usize.pow(power % 5))).collect();
            let text = &text[..text.floor_char_boundary(400_000)];
            let drawn = drawn(text, Place { line, column });
            prop_assert!(drawn.contains("data_points: is wrong") && drawn.contains("write another"), "{drawn}");
            prop_assert!(drawn.lines().all(|line| line.chars().count() < 300), "{drawn}");
            prop_assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "{drawn:?}");
        }
    }

    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let line = format!("[{}\"gdp_percapita\"{}]", "\"x\",".repeat(20_000), ",\"y\"".repeat(20_000));
        let column = line.find("\"gdp").unwrap() + 1;
        let drawn = drawn(&format!("{{\n{line}\n}}"), Place { line: 2, column });
        for part in ["questions.json:2:80002", "…", "\"x\",\"gdp_percapita\",\"y\"", " here"] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        let pointed = |part: char| drawn.lines().position(|line| line.contains(part));
        assert_eq!(
            pointed('┬'),
            pointed('g').map(|_| drawn.lines().position(|line| line.contains("gdp")).unwrap() + 1)
        );
    }

    #[test]
    fn the_line_of_a_place_is_found_behind_every_break() {
        for text in ["one\ntwo\nthree", "one\r\ntwo\r\nthree", "one\rtwo\rthree"] {
            for (line, word) in [(1, "one"), (2, "two"), (3, "three")] {
                let drawn = drawn(text, Place { line, column: 1 });
                assert!(drawn.contains(&format!("{line} │ {word}")), "{drawn}");
            }
        }
        assert!(drawn("", Place { line: 1, column: 1 }).contains("questions.json:1:1"));
        assert!(!drawn("one", Place { line: 2, column: 1 }).contains("one"));
    }
}
