//! The questions that recorded answers may belong to, and the one that an answer belongs to (decision 34).

use std::collections::BTreeMap;

use crate::error::Result;
use crate::manifest::{ManifestQuestion, QuestionId, plain_words, same_question};
use crate::truth::{Store, Stored};

/// Questions by id and by text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct KnownQuestions {
    /// Their texts, where known.
    texts: BTreeMap<QuestionId, Option<String>>,
    /// Those that a text stands for, by its plain words.
    by_words: BTreeMap<String, Vec<QuestionId>>,
}

impl From<BTreeMap<QuestionId, Option<String>>> for KnownQuestions {
    fn from(texts: BTreeMap<QuestionId, Option<String>>) -> Self {
        let mut by_words: BTreeMap<String, Vec<QuestionId>> = BTreeMap::new();
        for (id, text) in &texts {
            if let Some(text) = text {
                by_words.entry(plain_words(text)).or_default().push(id.clone());
            }
        }
        Self { texts, by_words }
    }
}

/// The questions of a manifest with their texts, and those found only in the store, with the texts in their records. If
/// the manifest asks the same as one of the store, the text stands for the question of the manifest.
///
/// # Errors
/// The store cannot be read.
pub fn known_questions<'q>(
    questions: impl IntoIterator<Item = ManifestQuestion<'q>>,
    store: &Store,
) -> Result<KnownQuestions> {
    let mut texts: BTreeMap<QuestionId, Option<String>> =
        store.question_ids()?.into_iter().map(|id| (id, None)).collect();
    texts.extend(questions.into_iter().map(|one| (one.id.clone(), one.text().map(str::to_owned))));
    let mut known = KnownQuestions::from(texts);
    let mut stored: BTreeMap<String, Vec<QuestionId>> = BTreeMap::new();
    for (id, text) in known.texts.iter_mut().filter(|(_, text)| text.is_none()) {
        let record = store.load(id).ok().flatten();
        let Some(own) = record.as_ref().and_then(Stored::question) else { continue };
        let words = plain_words(own);
        if !known.by_words.contains_key(&words) {
            stored.entry(words).or_default().push(id.clone());
        }
        *text = Some(own.to_owned());
    }
    known.by_words.extend(stored);
    Ok(known)
}

/// The question that an answer belongs to: the one with its id, or the one with its text if the id belongs to another
/// question or is missing. `asked` is the text under which it was answered.
///
/// # Errors
/// There is no such question, or several have the text. The message says what to do.
pub fn question_of(
    known: &KnownQuestions,
    id: Option<&QuestionId>,
    asked: Option<&str>,
) -> std::result::Result<QuestionId, String> {
    let mut other = None;
    if let Some(id) = id
        && let Some(text) = known.texts.get(id)
    {
        match (text, asked) {
            (Some(text), Some(asked)) if !same_question(asked, text) => other = Some((text, asked)),
            _ => return Ok(id.clone()),
        }
    }
    let same = asked.and_then(|asked| known.by_words.get(&plain_words(asked)));
    let same = same.map(Vec::as_slice).unwrap_or_default();
    let named = id.map_or_else(|| "its question".to_owned(), |id| format!("question {id}"));
    match (same, other) {
        ([one], _) => Ok(one.clone()),
        ([], Some((text, asked))) => Err(format!(
            "{named} is \u{201c}{text}\u{201d} here, and \u{201c}{asked}\u{201d} where it was answered: name its list \
             of questions with --manifest"
        )),
        ([], None) => Err(format!(
            "{named} is neither in the manifest nor in the store: name its list of questions with --manifest"
        )),
        (several, _) => {
            let ids: Vec<&str> = several.iter().map(QuestionId::as_str).collect();
            Err(format!("questions {} have its text: name one of them in `question_id`", ids.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_the_question_of_its_id_or_of_its_text_if_only_one_has_it() {
        let known: BTreeMap<QuestionId, Option<String>> = [
            ("61", Some("How rich is Kenya?")),
            ("62", Some("Who sells tea?")),
            ("63", Some("Who sells tea")),
            ("64", None),
        ]
        .into_iter()
        .map(|(id, text)| (id.parse().unwrap(), text.map(str::to_owned)))
        .collect();
        let known = KnownQuestions::from(known);
        let of = |id: Option<&str>, asked: Option<&str>| {
            let id: Option<QuestionId> = id.map(|id| id.parse().unwrap());
            question_of(&known, id.as_ref(), asked).map(|found| found.to_string())
        };
        assert_eq!(of(Some("62"), None).unwrap(), "62");
        assert_eq!(of(Some("64"), Some("Who sells tea?")).unwrap(), "64", "its text is unknown");
        assert_eq!(of(Some("62"), Some("Who sells tea?")).unwrap(), "62");
        for id in [None, Some("62"), Some("7")] {
            assert_eq!(of(id, Some("how rich is  Kenya")).unwrap(), "61");
        }
        let why = of(None, Some("Who sells tea?")).unwrap_err();
        assert_eq!(why, "questions 62, 63 have its text: name one of them in `question_id`");
        let why = of(Some("61"), Some("Who sells gold?")).unwrap_err();
        assert!(why.starts_with("question 61 is “How rich is Kenya?” here, and “Who sells gold?”"), "{why}");
        let why = of(None, Some("Who sells gold?")).unwrap_err();
        assert!(why.starts_with("its question is neither in the manifest nor in the store: "), "{why}");
    }
}
