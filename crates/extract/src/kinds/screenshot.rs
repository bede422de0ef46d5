//! The kind for a drawn value that no text, response or tooltip gives. A person reads it on a
//! picture. A related API value is kept beside it.

use serde::Deserialize;

use super::kind::{Built, Description, Found, Kind, Needs, Slot};
use crate::cue::Cue;
use crate::form::Form;
use crate::manifest::Method;
use crate::manifest::spec::{Point, Spec};
use crate::observation::{FailureKind, Miss, Wanted};
use crate::value::Rule;
use crate::view::View;
use crate::view::section::nearest;

/// The parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// What the person looks for on the picture.
    labels: Vec<String>,
    /// The rule of a number.
    rule: Option<Rule>,
    /// The vocabulary of a word.
    vocabulary: Option<String>,
    /// The page text around which the picture is cropped.
    around: Option<String>,
}

#[derive(Debug)]
struct Screenshot {
    labels: Vec<String>,
    form: Form,
    around: Option<Cue>,
}

pub fn build(point: &Point, _spec: &Spec) -> Built {
    let Params { labels, rule, vocabulary, around } = point.find.params()?;
    if labels.is_empty() {
        return Err("`labels` must name what a person looks for".to_owned().into());
    }
    if point.state.is_some() {
        // the control is reset before the picture is taken
        return Err("pictures do not show what a control reveals: remove `state`".to_owned().into());
    }
    let form = match (rule, vocabulary) {
        (Some(rule), None) => Form::Rule { rule, unit: point.unit },
        (None, Some(kind)) => Form::Vocabulary(kind),
        _ => return Err("a screenshot needs either a `rule` or a `vocabulary`".to_owned().into()),
    };
    let around = around.map(|text| Cue::new(&text, None)).transpose()?;
    Ok(Box::new(Screenshot { labels, form, around }))
}

impl Kind for Screenshot {
    fn method(&self) -> Method {
        Method::Screenshot
    }

    fn needs(&self) -> Needs {
        Needs { picture: true, ..Needs::default() }
    }

    fn describe(&self) -> Description {
        Description::of(
            "a value drawn without text: a person reads it on a picture",
            self.labels.join(" · "),
            self.form.describe(),
        )
    }

    fn rule(&self) -> Option<Rule> {
        match self.form {
            Form::Rule { rule, .. } => Some(rule),
            _ => None,
        }
    }

    fn for_person(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Vec<Slot> {
        vec![Slot::of(self.form.clone(), view.context(point, None))]
    }

    fn around(&self) -> Option<&Cue> {
        self.around.as_ref()
    }

    /// Never returns a value, because the page has none. Still checks what a person needs to find
    /// it.
    fn read(&self, view: &View<'_>, point: &Point, _wanted: &Wanted) -> Found {
        let (page, lines) = view.region(point)?;
        if let Some(around) = &self.around
            && !page.lines[lines.clone()].iter().any(|line| around.is_in(&line.text))
        {
            return Err(Miss::near(FailureKind::LabelMissing, nearest(page, lines, &around.source)));
        }
        Err(FailureKind::ForAPerson.into())
    }
}
