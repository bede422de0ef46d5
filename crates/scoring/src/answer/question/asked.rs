//! What the question asks of a data point: its context, and the meaning and words of the question.

use std::collections::BTreeSet;

use crate::answer::point::Expected;
use crate::atlas::CountryId;
use crate::compare::Content;
use crate::language::answer_words::Topic;
use crate::language::lexicon::{self, Tag, stem};
use crate::language::sentence::Sentence;
use crate::language::token::{Kind, Token};
use crate::value::{AnswerField, Context, Flow, Quantity, Statistic, Unit, Value};

/// A data point with everything the reader needs to find it in an answer.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    pub one: &'a Expected,
    pub row: usize,
    pub context: Context,
    pub country: Option<CountryId>,
    pub partner: Option<CountryId>,
    /// The tags of the question, the measure's name and the record.
    pub tags: BTreeSet<Tag>,
    /// Terms of the vocabulary in the question.
    pub terms: BTreeSet<Tag>,
    /// Countries named in the question.
    pub places: BTreeSet<CountryId>,
    /// The same countries, in the question's order.
    pub sequence: Vec<CountryId>,
    /// Products named in the question, by code.
    pub products: BTreeSet<String>,
    /// The stems of the question and the measure's name.
    pub words: BTreeSet<String>,
    /// Periods named in the question.
    pub periods: Vec<crate::value::Period>,
    /// The periods of the rows of the record.
    pub row_periods: Vec<crate::value::Period>,
    pub question: Option<Sentence>,
    /// Tags of other rows of the record that this row does not have.
    pub siblings: BTreeSet<Tag>,
    /// The stems of the measure's name and the column.
    pub label: BTreeSet<String>,
    /// The stems of the labels of the record's other rows.
    pub around: BTreeSet<String>,
    /// Numbers in the question or the measure's name.
    pub numbers: Vec<rust_decimal::Decimal>,
    /// The ends of a comparison that the question asks for: more, less.
    pub ends: (bool, bool),
    /// The reporting country that the question names.
    pub reporter: Option<CountryId>,
    /// The number of rows in the record.
    pub rows: usize,
}

impl Asked<'_> {
    pub(crate) fn has(&self, kind: &str, value: &str) -> bool {
        self.tags.iter().any(|tag| tag.0 == kind && tag.1 == value)
    }

    /// The true number, if the truth is one.
    pub(crate) fn number(&self) -> Option<&Quantity> {
        match &self.one.truth.content {
            Content::Value(Value::Quantity(quantity)) => Some(quantity),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.one.truth.content {
            Content::Value(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn fields(&self) -> &[AnswerField] {
        if self.one.answers.is_empty() { &[AnswerField::Value] } else { &self.one.answers }
    }

    /// Whether the value is a change, whose sign is its direction.
    pub(crate) fn is_change(&self) -> bool {
        matches!(
            self.context.statistic,
            Some(
                Statistic::Change
                    | Statistic::TotalGrowth
                    | Statistic::Cagr
                    | Statistic::Projection
                    | Statistic::RankChange
            )
        ) || self.number().is_some_and(|quantity| quantity.unit == Unit::Positions)
    }

    /// What it asks for, by the words that answer it.
    pub(crate) fn topic(&self) -> Topic {
        let of_name = |field: &AnswerField| matches!(field, AnswerField::Name | AnswerField::Code);
        match self.number() {
            _ if self.fields().iter().all(of_name) => Topic::Name,
            None if self.text().is_some_and(|text| self.one.names.iter().any(|name| name == text)) => {
                Topic::Name
            }
            None => Topic::Text,
            Some(_) if self.is_change() => Topic::Change,
            Some(number) => match number.unit {
                Unit::Rank => Topic::Rank,
                Unit::Percent | Unit::PercentagePoints => Topic::Percent,
                Unit::Count | Unit::Persons => Topic::Count,
                _ => Topic::Amount,
            },
        }
    }

    /// Whether words are the true text, name or code.
    pub(crate) fn gives(&self, folded: &str) -> bool {
        let truths = self.one.names.iter().chain(&self.one.code).map(String::as_str).chain(self.text());
        let mut truths = truths.map(lexicon::words);
        truths.any(|truth| folded.split(' ').all(|word| truth.iter().any(|own| own.folded == word)))
    }

    /// Whether a token names what was asked for: its country, partner, product or row.
    pub(crate) fn is_named(&self, token: &Token) -> bool {
        match &token.kind {
            Kind::Country(id) => {
                self.country == Some(*id) || self.partner == Some(*id) || self.places.contains(id)
            }
            Kind::Product(code) => self.products.contains(*code),
            Kind::Row(rows) => rows.contains(&self.row),
            _ => false,
        }
    }

    /// Whether a token names the partner, a country or a group.
    pub(crate) fn is_partner(&self, token: &Token) -> bool {
        match (&token.kind, self.partner) {
            (Kind::Country(id), Some(partner)) => *id == partner,
            (_, None) => {
                self.country.is_some()
                    && token.tags.iter().any(|tag| tag.0 == "group" && self.tags.contains(tag))
            }
            _ => false,
        }
    }

    /// Whether it asks about a country, and neither about this one nor with it as the partner.
    pub(crate) fn is_other_country(&self, id: CountryId) -> bool {
        self.country.is_some_and(|own| own != id) && self.partner != Some(id)
    }

    /// Whether the question asks for a share of world exports.
    pub(crate) fn of_world(&self) -> bool {
        (self.has("metric", "world_trade") || self.has("metric", "market_share"))
            && self.number().is_some_and(|number| {
                number.unit == Unit::Percent && self.context.statistic == Some(Statistic::Share)
            })
    }

    /// Whether the question asks for world trade, not for a share of it.
    pub(crate) fn is_of_the_world(&self) -> bool {
        self.has("metric", "world_trade")
            && !self.has("metric", "market_share")
            && self.context.statistic != Some(Statistic::Share)
    }

    /// The flow that the question names, if it names one.
    pub(crate) fn flow(&self) -> Option<Flow> {
        match (self.has("flow", "export"), self.has("flow", "import")) {
            (true, false) => Some(Flow::Export),
            (false, true) => Some(Flow::Import),
            _ => None,
        }
    }

    /// Whether the value is a balance, whose sign may be stated as a surplus or deficit.
    pub(crate) fn is_balance(&self) -> bool {
        self.has("metric", "trade_balance")
            || self.has("metric", "current_account")
            || self.words.contains("surplu")
            || self.one.data_point.contains("balance")
    }

    /// Whether another row's label contains these words.
    pub(crate) fn of_another_row(&self, folded: &str) -> bool {
        folded.split(' ').all(|word| self.around.contains(&stem(word)))
    }

    /// Whether words match only another row's label: `complexity – second`, if the row is a distance.
    pub(crate) fn is_labelled_otherwise(&self, stems: &BTreeSet<String>) -> bool {
        let only = |own: &BTreeSet<String>, other: &BTreeSet<String>| {
            stems.iter().any(|word| own.contains(word) && !other.contains(word))
        };
        only(&self.around, &self.label) && !only(&self.label, &self.around)
    }

    /// Whether the question or the measure's name contains these words.
    pub(crate) fn knows(&self, folded: &str) -> bool {
        folded.split(' ').all(|word| matches!(word, "s" | "a" | "i") || self.words.contains(&stem(word)))
    }

    /// Whether each country is a part of the value: a partner of all trade, or a member of the world or a group.
    pub(crate) fn covers_countries(&self) -> bool {
        self.number().is_some()
            && self.partner.is_none()
            && (self.country.is_none() || self.context.flow.is_some())
    }

    pub(crate) fn is_projection(&self) -> bool {
        self.context.statistic == Some(Statistic::Projection) || self.has("metric", "projection")
    }

    /// The tags that this row has and another row lacks.
    pub(crate) fn siblings_of(&self, other: &Self) -> BTreeSet<Tag> {
        other.siblings.difference(&self.siblings).copied().collect()
    }

    /// Whether the question names several countries and the answer is a text about them.
    pub(crate) fn siblings_share_places(&self) -> bool {
        self.places.len() > 1 && self.partner.is_none() && self.text().is_some()
    }

    /// The base of the requested share.
    pub(crate) fn base(&self) -> Option<BTreeSet<Tag>> {
        self.share_of().and_then(first_measure)
    }

    /// The scope of the requested share's base.
    pub(crate) fn base_scope(&self) -> Option<&'static str> {
        self.share_of().and_then(scope_of)
    }

    /// The part of the question from the `of` of a share on.
    fn share_of(&self) -> Option<&[Token]> {
        let tokens = &self.question.as_ref()?.tokens;
        let is_share =
            |token: &Token| token.holds("share_noun") || token.folded.split(' ').any(|word| word == "part");
        let shares: Vec<usize> =
            (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(is_share)).collect();
        // A question with one share per row names them in row order.
        let own = if shares.len() == self.rows { self.row } else { 0 };
        let at = *shares.get(own)?;
        let rest = tokens.get(at + 1..)?;
        let is_of = |token: &Token| token.folded == "of" || token.folded.ends_with(" of");
        (is_of(tokens.get(at)?) || rest.first().is_some_and(is_of)).then_some(rest)
    }
}

/// The tokens before the first verb or number.
pub(crate) fn within_phrase(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens.iter().take_while(|token| token.number().is_none() && !(token.role("be") && token.folded != "s"))
}

/// The scope that a phrase names.
pub(crate) fn scope_of(tokens: &[Token]) -> Option<&'static str> {
    within_phrase(tokens)
        .flat_map(|token| &token.tags)
        .find(|(kind, _)| *kind == "scope")
        .map(|(_, scope)| *scope)
}

/// The first measure in the phrase at the start of these tokens.
pub(crate) fn first_measure(tokens: &[Token]) -> Option<BTreeSet<Tag>> {
    let within = within_phrase(tokens);
    let found = within.map(|token| {
        token.tags.iter().filter(|(kind, _)| *kind == "metric").copied().collect::<BTreeSet<_>>()
    });
    found.into_iter().find(|found| !found.is_empty())
}

/// The reporting country: `as India reports them`, `reported by China`, `Chinese customs`.
pub(crate) fn reporter(tokens: &[Token]) -> Option<CountryId> {
    let counts = |token: Option<&Token>| token.is_some_and(|token| token.listed("of_reporter"));
    tokens.iter().enumerate().find_map(|(at, token)| {
        let Kind::Country(id) = token.kind else { return None };
        let says_nothing = |next: &&Token| matches!(next.folded.as_str(), "s" | "own" | "itself");
        let behind = tokens.get(at + 1..)?.iter().find(|next| !says_nothing(next));
        let before = |by: usize| at.checked_sub(by).and_then(|at| tokens.get(at));
        let by = before(1).is_some_and(|before| before.folded == "by") && counts(before(2));
        (by || counts(behind)).then_some(id)
    })
}
