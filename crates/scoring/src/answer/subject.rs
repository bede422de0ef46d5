//! Whether a sentence speaks of the product that is asked about, by its code, one of its names or the question's words.

use super::Expected;
use super::reading::Reading;
use super::sentence::{Sentence, SpanKind};
use crate::language::lexicon::{self, Sense, Word};

/// Words of a text that name a thing: no words of measures, contexts, places or statements.
pub(super) fn words_of_things(text: &str) -> Vec<String> {
    let sentence = Sentence::of(text, &super::sentence::RowNames::default(), false);
    let words = lexicon::words(&sentence.text);
    let things = words.iter().enumerate().filter(|(at, word)| is_thing(&sentence, &words[*at..], word));
    things.map(|(_, word)| stem(&word.folded)).collect()
}

fn is_thing(sentence: &Sentence, from: &[Word], word: &Word) -> bool {
    word.folded.chars().count() > 2
        && !word.folded.starts_with(|c: char| c.is_ascii_digit())
        && !sentence.covers(&word.range)
        && !lexicon::is_plain("link", from)
        && !lexicon::is_plain("opener", from)
        && !QUESTION.contains(&word.folded.as_str())
}

/// Words of questions that name nothing.
const QUESTION: [&str; 12] =
    ["what", "which", "how", "much", "many", "does", "did", "far", "large", "who", "table", "shows"];

/// A word without its plural.
pub(super) fn stem(word: &str) -> String {
    let bare =
        word.strip_suffix("ies").or_else(|| word.strip_suffix("es")).or_else(|| word.strip_suffix('s'));
    bare.filter(|bare| bare.len() > 2).unwrap_or(word).trim_end_matches('e').to_owned()
}

impl Reading {
    /// Whether a sentence, or what it stands under, names the product; a sentence that names nothing goes on with what
    /// is asked about, unless it says that it speaks of a total.
    pub(super) fn is_of_product(&self, at: usize, one: &Expected) -> bool {
        let Some(sentence) = self.sentences.get(at) else { return false };
        let heads = self.heads.get(at).map_or(&[][..], Vec::as_slice);
        let code = one.truth.context.product.as_deref();
        let sentences = || std::iter::once(sentence).chain(heads.iter().map(AsRef::as_ref));
        let by_code = |sentence: &Sentence| {
            sentence
                .terms
                .iter()
                .any(|span| matches!(span.kind, SpanKind::Sense(Sense::Product(own)) if Some(own) == code))
        };
        if sentences().any(by_code) {
            return true;
        }
        let mut things: Vec<String> = Vec::new();
        let mut total = false;
        for sentence in sentences() {
            let words = lexicon::words(&sentence.text);
            total |= words.iter().any(|word| word.folded == "total");
            // names of rows count as words here: which of them is meant is what is looked for
            let bare = Sentence { terms: Vec::new(), ..sentence.clone() };
            let found = words.iter().enumerate().filter(|(at, word)| is_thing(&bare, &words[*at..], word));
            things.extend(found.map(|(_, word)| stem(&word.folded)));
        }
        let holds = |wanted: &[String]| !wanted.is_empty() && wanted.iter().all(|word| things.contains(word));
        let names: Vec<Vec<String>> = one.names.iter().map(|name| words_of_things(name)).collect();
        if holds(&self.asked) || names.iter().any(|name| holds(name)) {
            return true;
        }
        // a name of plain words alone is not known by them
        let plain = names.iter().any(Vec::is_empty)
            && sentences()
                .any(|sentence| sentence.terms.iter().any(|span| matches!(span.kind, SpanKind::Row(_))));
        plain || (things.is_empty() && !total)
    }
}
