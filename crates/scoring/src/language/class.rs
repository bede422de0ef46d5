//! Classifies words outside the lexicon as verb, adverb, noun etc. by a part-of-speech tagger (Brill, "A simple rule-based
//! part of speech tagger", 1992).

use std::sync::LazyLock;

use harper_brill::{BrillTagger, FreqDict, Tagger, UPOS, brill_tagger};

use super::token::{Class, Kind, Token};

static TAGGER: LazyLock<std::sync::Arc<BrillTagger<FreqDict>>> = LazyLock::new(brill_tagger);

/// Classifies the unknown words of a sentence, in linear time.
pub(super) fn classify(text: &str, tokens: &mut [Token]) {
    if !tokens.iter().any(Token::unknown) {
        return;
    }
    let mut words: Vec<String> = Vec::new();
    let mut places = Vec::new();
    for token in tokens.iter() {
        places.push(words.len());
        match token.kind {
            Kind::Mark(mark) => words.push(mark.to_string()),
            _ => words.extend(
                text.get(token.range.clone()).unwrap_or_default().split_whitespace().map(str::to_owned),
            ),
        }
    }
    let tags = TAGGER.tag_sentence(&words);
    for (token, place) in tokens.iter_mut().zip(places) {
        if token.unknown() {
            let tagged = tags.get(place).copied().flatten().and_then(class_of);
            let is_past = tagged.is_none() && token.folded.ends_with("ed");
            token.class = if is_past { Some(Class::Verb) } else { tagged };
        }
    }
}

/// The part of speech of a tag.
fn class_of(tag: UPOS) -> Option<Class> {
    match tag {
        UPOS::VERB | UPOS::AUX => Some(Class::Verb),
        UPOS::ADV | UPOS::INTJ => Some(Class::Adverb),
        UPOS::ADJ => Some(Class::Adjective),
        UPOS::NOUN | UPOS::PROPN => Some(Class::Noun),
        UPOS::ADP | UPOS::CCONJ | UPOS::DET | UPOS::PART | UPOS::PRON | UPOS::SCONJ => Some(Class::Function),
        UPOS::NUM | UPOS::PUNCT | UPOS::SYM => None,
    }
}
