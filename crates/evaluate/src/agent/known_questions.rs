//! The questions that recorded answers may belong to, and the one that an answer belongs to (decision 34).

use std::collections::BTreeMap;

use crate::error::Result;
use crate::manifest::{ManifestQuestion, QuestionId, plain_words, same_question};
use crate::truth::Store;

/// Questions by id, with their texts where known.
pub type KnownQuestions = BTreeMap<QuestionId, Option<String>>;

/// The questions of a manifest with their texts, and those found only in the store.
///
/// # Errors
/// The store cannot be read.
pub fn known_questions<'q>(
    questions: impl IntoIterator<Item = ManifestQuestion<'q>>,
    store: &Store,
) -> Result<KnownQuestions> {
    let mut known: KnownQuestions = store.question_ids()?.into_iter().map(|id| (id, None)).collect();
    known.extend(questions.into_iter().map(|one| (one.id.clone(), one.text().map(str::to_owned))));
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
        && let Some(text) = known.get(id)
    {
        match (text, asked) {
            (Some(text), Some(asked)) if !same_question(asked, text) => other = Some((text, asked)),
            _ => return Ok(id.clone()),
        }
    }
    let words = asked.map(plain_words);
    let has_text = |text: &Option<String>| words.is_some() && text.as_deref().map(plain_words) == words;
    let same: Vec<&QuestionId> =
        known.iter().filter(|(_, text)| has_text(text)).map(|(own, _)| own).collect();
    let named = id.map_or_else(|| "its question".to_owned(), |id| format!("question {id}"));
    match (same.as_slice(), other) {
        ([one], _) => Ok((*one).clone()),
        ([], Some((text, asked))) => Err(format!(
            "{named} is \u{201c}{text}\u{201d} here, and \u{201c}{asked}\u{201d} where it was answered: name its list \
             of questions with --manifest"
        )),
        ([], None) => Err(format!(
            "{named} is neither in the manifest nor in the store: name its list of questions with --manifest"
        )),
        (several, _) => {
            let ids: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            Err(format!("questions {} have its text: name one of them in `question_id`", ids.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_belongs_to_the_question_of_its_id_or_of_its_text_if_only_one_has_it() {
        let known: KnownQuestions = [
            ("61", Some("How rich is Kenya?")),
            ("62", Some("Who sells tea?")),
            ("63", Some("Who sells tea")),
            ("64", None),
        ]
        .into_iter()
        .map(|(id, text)| (id.parse().unwrap(), text.map(str::to_owned)))
        .collect();
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
