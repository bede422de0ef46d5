//! Sentences about every record by construction: right, and wrong in one known way.

use atlas_gt::scoring::answer::AnswerVerdict;
use atlas_gt::value::AnswerField;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::corpora::{scored, told, verdict};
use crate::family_rows::{Record, Row};
use crate::figures::{Allowed, Figures, Label};
use crate::records;

#[test]
fn sentences_of_every_family() {
    let mut figures = Figures::new("families");
    let of_record = |question: &'static records::Question| {
        let answers = answers(&Record::of(question)).into_iter();
        answers.map(|answer| (scored(question, &answer.text), question, answer)).collect::<Vec<_>>()
    };
    let all: Vec<_> = records::all().par_iter().map(of_record).collect();
    for (scored, question, answer) in all.into_iter().flatten() {
        let said = match answer.due {
            // one point that passes is one too many
            Due::Nothing if scored.metadata.right > 0 => AnswerVerdict::Right,
            _ => verdict(&scored),
        };
        let due = if answer.due == Due::Right { Label::Right } else { Label::Wrong };
        figures.add(answer.family, due, said, || told(answer.family, question, &answer.text, &scored));
    }
    figures.settle(Allowed { false_passes: 1, false_fails: 44, right_unscored: 127 });
}

/// What a scorer must make of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Every data point is right.
    Right,
    /// Something is wrong or not there: no full marks.
    NotFull,
    /// It asserts nothing true: no data point is right.
    Nothing,
}

/// A generated answer.
pub struct Answer {
    pub family: &'static str,
    pub due: Due,
    pub text: String,
}

/// What a sentence about one row is filled with.
#[derive(Clone)]
struct Fact {
    country: String,
    partner: Option<String>,
    product: Option<String>,
    year: String,
    value: String,
    flow: &'static str,
    metric: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Trade,
    WorldTrade,
    OfProduct,
    Place,
    Words,
}

const NOUNS: [(&str, &str); 31] = [
    ("gdp_per_capita", "GDP per capita"),
    ("gdp_per_capita_ppp", "GDP per capita at purchasing power parity"),
    ("gdp_per_capita_rank", "GDP per capita rank"),
    ("population", "population"),
    ("growth_projection", "projected annual growth"),
    ("growth_projection_rank", "rank by projected growth"),
    ("summary_growth_projection", "projected annual growth"),
    ("current_account", "current account balance"),
    ("exporter_rank", "rank among exporters"),
    ("eci_rank", "Economic Complexity Index rank"),
    ("eci_rank_complexity", "Economic Complexity Index rank"),
    ("chart_eci", "Economic Complexity Index"),
    ("coi_rank", "Complexity Outlook Index rank"),
    ("diversity_rank", "diversity rank"),
    ("diversification_grade", "diversification grade"),
    ("income_classification", "income classification"),
    ("new_products_count", "number of new products"),
    ("summary_new_products", "number of new products"),
    ("new_products_value", "value of new products"),
    ("new_products_per_capita", "income per capita from new products"),
    ("new_export_proportion", "share of new products in exports"),
    ("rca_products", "number of products with RCA > 1"),
    ("product_pci", "Product Complexity Index"),
    ("product_rca", "RCA"),
    ("product_distance", "distance"),
    ("product_opportunity_gain", "opportunity gain"),
    ("strategic_approach", "strategic approach"),
    ("summary_strategic_approach", "strategic approach"),
    ("growth_opportunities_strategy", "strategic approach"),
    ("trade_balance", "trade balance"),
    ("market_share_sector", "sector with the largest market share"),
];

impl Fact {
    fn of(row: &Row) -> Option<Self> {
        let value = row.value.clone()?;
        let flow = if row.context.flow.is_some_and(|flow| format!("{flow:?}") == "Import") {
            "import"
        } else {
            "export"
        };
        let noun =
            NOUNS.iter().find(|(point, _)| *point == row.data_point).map(|(_, noun)| (*noun).to_owned());
        let world = row.country.is_empty();
        let kind = match row.data_point.as_str() {
            "total_value"
            | "total_exports"
            | "total_imports"
            | "bilateral_total"
            | "bilateral_import_total"
            | "product_export"
            | "product_import"
                if world =>
            {
                Kind::WorldTrade
            }
            "total_value"
            | "total_exports"
            | "total_imports"
            | "bilateral_total"
            | "bilateral_import_total"
            | "product_export"
            | "product_import" => Kind::Trade,
            "product_pci" | "product_rca" | "product_distance" | "product_opportunity_gain" => {
                Kind::OfProduct
            }
            point if point.ends_with("_rank") || point == "eci_rank_complexity" => Kind::Place,
            _ if row.unit.is_none() => Kind::Words,
            _ => Kind::Plain,
        };
        let metric = noun.or_else(|| matches!(kind, Kind::Trade | Kind::WorldTrade).then(String::new))?;
        let name = |id: &str| {
            let id: atlas_gt::atlas::CountryId = id.parse().ok()?;
            atlas_gt::atlas::by_id(id).map(|entity| entity.short_name.to_owned())
        };
        let product = row.product.clone().or_else(|| thing(row));
        Some(Self {
            country: row.country.clone(),
            partner: row.context.partner.as_deref().and_then(name),
            product,
            year: row.year.clone()?,
            value,
            flow,
            metric,
            kind,
        })
    }

    /// What the value is of, without it: the question restated.
    fn about(&self) -> String {
        let year = if self.year.contains('-') { String::new() } else { format!(" in {}", self.year) };
        match (self.kind, &self.product, &self.partner) {
            (Kind::WorldTrade, Some(product), _) => format!("the world's exports of {product}{year}"),
            (Kind::Trade, Some(product), Some(partner)) => {
                format!("{}'s {}s of {product} {} {partner}{year}", self.country, self.flow, self.side())
            }
            (Kind::Trade, Some(product), None) => {
                format!("{}'s {}s of {product}{year}", self.country, self.flow)
            }
            (Kind::Trade, None, Some(partner)) => {
                format!("{}'s total {}s of goods {} {partner}{year}", self.country, self.flow, self.side())
            }
            (Kind::Trade, None, None) => {
                format!("{}'s total {}s of goods and services{year}", self.country, self.flow)
            }
            (Kind::OfProduct, Some(product), _) if self.country.is_empty() => {
                format!("the {} of {product}{year}", self.metric)
            }
            (Kind::OfProduct, Some(product), _) => {
                format!("{}'s {} in {product}{year}", self.country, self.metric)
            }
            _ => format!("{}'s {}{year}", self.country, self.metric),
        }
    }

    fn side(&self) -> &'static str {
        if self.flow == "import" { "from" } else { "to" }
    }

    /// Sentences that say it, without a full stop.
    fn sentences(&self) -> Vec<String> {
        let about = self.about();
        let value = &self.value;
        let (plural, verb) = match self.kind {
            Kind::Trade | Kind::WorldTrade => ("were", "amounted to"),
            _ => ("is", "stands at"),
        };
        let mut all =
            vec![format!("{} {plural} {value}", upper(&about)), format!("{} {verb} {value}", upper(&about))];
        if self.kind == Kind::Trade && !self.year.contains('-') {
            let object = match (&self.product, &self.partner) {
                (Some(product), Some(partner)) => format!("{product} {} {partner}", self.side()),
                (Some(product), None) => product.clone(),
                (None, Some(partner)) => format!("goods {} {partner}", self.side()),
                (None, None) => "goods and services".to_owned(),
            };
            all.push(format!("{} {}ed {value} of {object} in {}", self.country, self.flow, self.year));
            all.push(format!("In {}, {} {}ed {object} worth {value}", self.year, self.country, self.flow));
        }
        if self.kind == Kind::WorldTrade {
            let product = self.product.clone().unwrap_or_default();
            all.push(format!("The world exported {value} of {product} in {}", self.year));
            all.push(format!("Global exports of {product} totalled {value} in {}", self.year));
        }
        if self.kind == Kind::Plain || self.kind == Kind::OfProduct {
            all.push(format!("According to the Atlas of Economic Complexity, {about} is {value}"));
        }
        all
    }
}

/// The product that a row is about where the record does not name it.
fn thing(row: &Row) -> Option<String> {
    let code = row.context.product.as_deref()?;
    [("8703", "cars"), ("8542", "electronic integrated circuits"), ("0901", "coffee"), ("2601", "iron ores")]
        .into_iter()
        .find(|(known, _)| *known == code)
        .map(|(_, name)| name.to_owned())
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Ways to say nothing about a thing.
const REFUSALS: [&str; 12] = [
    "I could not find {} in the database.",
    "Sorry, I have no data on {}.",
    "Unfortunately {} was not found in the database.",
    "I am unable to answer a question about {}.",
    "{} is not available.",
    "No data was returned for {}.",
    "You asked about {}. The query failed, please try again.",
    "I cannot determine {} at the moment.",
    "There was an error while looking up {}.",
    "{} cannot be determined from the available data.",
    "I would need to look up {}.",
    "The question is about {}.",
];

/// Ways to say a sentence without asserting it; `{s}` is the sentence, `{v}` its value, `{a}` what it is of.
const UNASSERTED: [&str; 40] = [
    "Is it {v}?",
    "Is it true that {s}?",
    "Could it be that {s}?",
    "If {s}, that would be remarkable.",
    "If it were {v}, it would be a surprise.",
    "It would be {v} if the data were right.",
    "It is not {v}.",
    "It is not true that {s}.",
    "It is false that {s}.",
    "It isn't the case that {s}.",
    "{a} is not {v}.",
    "{a} is far from {v}.",
    "{a} is anything but {v}.",
    "{a} might be {v}.",
    "{a} may be {v}, but I am not sure.",
    "Perhaps {s}.",
    "I do not know whether {s}.",
    "I doubt that {s}.",
    "I am not sure that {s}.",
    "I cannot confirm that {s}.",
    "Nobody says that {s}.",
    "{s}? No.",
    "{s}. That is wrong.",
    "{s}. This is not correct.",
    "{s}, which is incorrect.",
    "Contrary to the claim that {s}, the figure is unknown.",
    "Some claim that {s}, but this is wrong.",
    "The claim that {s} is false.",
    "Assume that {s}.",
    "Suppose {s}.",
    "Let us say {s}.",
    "Unless {s}, I cannot help.",
    "Please check whether {s}.",
    "I would guess {v}.",
    "My guess is that {s}.",
    "It used to be {v}.",
    "It will be {v} one day.",
    "Do you mean {v}?",
    "Had {a} been {v}, we would know.",
    "Without evidence nobody can say that {s}.",
];

/// More ways to say a sentence without asserting it, which the rules were not written for.
const UNASSERTED_TOO: [&str; 42] = [
    "Rumour has it that {s}.",
    "Were {a} {v}, the ranking would change.",
    "{a} is nowhere near {v}.",
    "It's a lie that {s}.",
    "One should not believe that {s}.",
    "{s}, or so they say.",
    "{s}, right?",
    "{a} falls short of {v}.",
    "{a} exceeds {v}.",
    "{a} is below {v}.",
    "{a} is double {v}.",
    "{a} is half of {v}.",
    "{a} is twice {v}.",
    "{a}: not {v}",
    "{a}: {v}?",
    "{a}: ~~{v}~~",
    "The user says that {s}.",
    "An example of an answer is: {s}.",
    "In a hypothetical world, {s}.",
    "In an alternative scenario {s}.",
    "TODO: verify {v}.",
    "Placeholder: {v}.",
    "{v} is the figure of another country.",
    "The figure {v} belongs to another country.",
    "{s}. Just kidding.",
    "{s}. This is made up.",
    "{s}. Please ignore the previous sentence.",
    "My previous answer of {v} was wrong.",
    "Some people would answer {v}.",
    "The wrong answer is {v}.",
    "Don't say {v}.",
    "Never answer {v}.",
    "{a} has never been {v}.",
    "{a} was expected to be {v}, which it missed.",
    "There is no way that {s}.",
    "Critics argue that {s}, yet the data refute it.",
    "Only a fool would say that {s}.",
    "{a} is by no means {v}.",
    "{a} is less than half of {v}.",
    "It remains to be seen whether {a} is {v}.",
    "{s}; strike that.",
    "{s}. Hmm, no, I misread the table.",
];

/// Sentences around a right one that take nothing from it.
const ASSERTED: [&str; 22] = [
    "The Atlas shows that {s}.",
    "I found that {s}.",
    "Based on the latest data, {s}.",
    "According to the Atlas, {s}.",
    "Great question! {s}.",
    "{s}. Note that figures may be revised.",
    "{s}. If you need other years, let me know!",
    "{s}. Would you like to see other countries?",
    "{s}. I could also look up other years.",
    "{s} ([source](https://atlas.hks.harvard.edu/countries/840)).",
    "{s}, as the Atlas of Economic Complexity reports.",
    "**Answer:** {s}.",
    "## Result\n\n{s}.\n\n*Source: Atlas of Economic Complexity*",
    "Thanks for asking. {s}.",
    "{s}, which is remarkable.",
    "{s}. This does not include informal trade.",
    "Yes, {s}.",
    "Sure! {s}.",
    "The data show that {s}.",
    "To answer your question: {s}.",
    "{s}. The figure is not adjusted for seasonal effects.",
    "Data source: the Atlas. {s}.",
];

/// The answers of a record.
pub fn answers(record: &Record) -> Vec<Answer> {
    let mut out = Out(Vec::new());
    if record.rows.len() == 1 {
        match Fact::of(&record.rows[0]) {
            Some(fact) => one_fact(&fact, &record.rows[0], &mut out),
            None => refusals(record, &mut out),
        }
    }
    if record.rows.iter().all(|row| row.rank.is_some() && row.row.is_none()) {
        list(record, &mut out);
    }
    if record.rows.iter().all(|row| row.answers == [AnswerField::Code]) {
        codes(record, &mut out);
    }
    if record.rows.iter().all(|row| row.row.is_some()) {
        peers(record, &mut out);
    }
    if record.rows.len() > 1 {
        parts(record, &mut out);
    }
    if let Some(question) = &record.question
        && record.rows.iter().all(|row| row.absence.is_none())
    {
        for text in [
            format!("You asked: {question} I have no answer to that."),
            question.clone(),
            format!("I was not able to find an answer to \"{question}\""),
        ] {
            out.add("refusal that quotes the question", Due::Nothing, text);
        }
    }
    out.0
}

struct Out(Vec<Answer>);

impl Out {
    fn add(&mut self, family: &'static str, due: Due, text: impl Into<String>) {
        self.0.push(Answer { family, due, text: text.into() });
    }
}

/// A question for a code: the code alone answers it, and what else is known of the product does not.
fn codes(record: &Record, out: &mut Out) {
    let row = &record.rows[0];
    let (code, product) = (row.value.clone().unwrap_or_default(), row.subject().unwrap_or_default());
    for right in [
        "{c}",
        "The code is {c}.",
        "{p} has the code {c} in the Atlas.",
        "**Code:** {c}",
        "Its code is `{c}`.",
    ] {
        out.add("right: a code", Due::Right, right.replace("{c}", &code).replace("{p}", product));
    }
    for wrong in [
        "The code is 8517.",
        "The code is not {c}.",
        "Is the code {c}?",
        "Perhaps the code is {c}.",
        "The code of Cars is {c}.",
        "{p} exports of {y} were worth $209 billion, and {c} services grew.",
        "I could not find the code of {p}.",
        "{p} is a product group of the Atlas.",
    ] {
        let text = wrong.replace("{c}", &code).replace("{p}", product);
        out.add("another code", Due::NotFull, text.replace("{y}", row.year.as_deref().unwrap_or_default()));
    }
}

fn refusals(record: &Record, out: &mut Out) {
    let row = &record.rows[0];
    if row.absence.is_some() {
        return;
    }
    let about = [row.subject().unwrap_or_default(), &row.country].into_iter().find(|text| !text.is_empty());
    for refusal in REFUSALS {
        let about = format!("the {} of {}", row.metric.to_lowercase(), about.unwrap_or("the world"));
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &about)));
    }
}

fn one_fact(fact: &Fact, row: &Row, out: &mut Out) {
    // a value that the question itself holds cannot be told apart by it
    let sentences = fact.sentences();
    for sentence in &sentences {
        out.add("right: a sentence", Due::Right, format!("{sentence}."));
        out.add(
            "right: bold",
            Due::Right,
            format!("{}.", sentence.replace(&fact.value, &format!("**{}**", fact.value))),
        );
        out.add("right: with a source", Due::Right, format!("{sentence} (Atlas of Economic Complexity)."));
    }
    let about = fact.about();
    out.add("right: label and value", Due::Right, format!("{}: {}", upper(&about), fact.value));
    out.add(
        "right: table",
        Due::Right,
        format!("| Measure | Value |\n|---|---|\n| {} | {} |", upper(&about), fact.value),
    );
    out.add(
        "right: bullet",
        Due::Right,
        format!("Here is what I found:\n\n- {}: {}", upper(&about), fact.value),
    );
    if matches!(fact.kind, Kind::Plain | Kind::Trade) && !fact.country.is_empty() && row.unit.is_some() {
        let other = Fact {
            country: other_country(&fact.country).to_owned(),
            value: other_value(&fact.value),
            ..fact.clone()
        };
        let compared = format!("{}. {}.", sentences[0], upper(&other.sentences()[0]));
        out.add("right: beside another country", Due::Right, compared);
    }
    for refusal in REFUSALS {
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &about)));
    }
    for wrapper in UNASSERTED {
        for sentence in sentences.iter().take(2) {
            let text =
                wrapper.replace("{s}", sentence).replace("{v}", &fact.value).replace("{a}", &upper(&about));
            out.add("not asserted", Due::Nothing, upper(&text));
            if !wrapper.contains("{s}") {
                break;
            }
        }
    }
    for wrapper in UNASSERTED_TOO {
        let text =
            wrapper.replace("{s}", &sentences[0]).replace("{v}", &fact.value).replace("{a}", &upper(&about));
        out.add("not asserted in other words", Due::Nothing, upper(&text));
    }
    for wrapper in ASSERTED {
        out.add("right: in other words", Due::Right, upper(&wrapper.replace("{s}", &sentences[0])));
    }
    let mut swapped = |family: &'static str, other: Fact| {
        for sentence in other.sentences() {
            out.add(family, Due::Nothing, format!("{sentence}."));
        }
        out.add(family, Due::Nothing, format!("{}: {}", upper(&other.about()), other.value));
    };
    if !fact.country.is_empty() && row.context.country.is_some() {
        swapped("another country", Fact { country: other_country(&fact.country).to_owned(), ..fact.clone() });
    }
    if let Ok(year) = fact.year.parse::<i32>()
        && row.context.period.is_some()
    {
        swapped("another year", Fact { year: (year - 4).to_string(), ..fact.clone() });
    }
    if let Some(product) = &fact.product
        && row.context.product.is_some()
    {
        swapped("another product", Fact { product: Some(other_product(product).to_owned()), ..fact.clone() });
    }
    if let Some(partner) = &fact.partner {
        swapped("another partner", Fact { partner: Some(other_country(partner).to_owned()), ..fact.clone() });
    }
    if fact.kind == Kind::Trade && row.context.flow.is_some() {
        swapped(
            "the other flow",
            Fact { flow: if fact.flow == "import" { "export" } else { "import" }, ..fact.clone() },
        );
    }
    if row.unit.is_some() {
        for value in wrong_values(&fact.value) {
            swapped("another number", Fact { value, ..fact.clone() });
        }
    }
    let wrong = other_value(&fact.value);
    if row.unit.is_some() {
        for sentence in &sentences {
            for tail in [
                format!("Correction: it is {wrong}."),
                format!("No, wait, it is {wrong}."),
                format!("Sorry, I meant {wrong}."),
                format!("Actually, it is {wrong}."),
            ] {
                out.add("retracted", Due::Nothing, format!("{sentence}. {tail}"));
            }
            out.add("or another", Due::Nothing, format!("{sentence} or {wrong}."));
        }
        for bound in [
            "more than",
            "less than",
            "at least",
            "at most",
            "up to",
            "over",
            "no more than",
            "between 0 and",
        ] {
            let text = sentences[0].replace(&fact.value, &format!("{bound} {}", fact.value));
            out.add("a bound", Due::Nothing, format!("{text}."));
        }
    }
    if row.data_point == "total_value" || row.data_point == "total_exports" {
        let goods = format!("{}'s exports of goods in {} were {}.", fact.country, fact.year, fact.value);
        let services = format!("{}'s service exports in {} were {}.", fact.country, fact.year, fact.value);
        let whole = format!(
            "{}'s total exports were {wrong} in {} (goods {}, services $1B).",
            fact.country, fact.year, fact.value
        );
        if !fact.country.is_empty() {
            for text in [goods, services, whole] {
                out.add("another scope", Due::Nothing, text);
            }
        }
    }
}

fn list(record: &Record, out: &mut Out) {
    let rows = &record.rows;
    let first = &rows[0];
    let Some(names) = rows.iter().map(Row::subject).collect::<Option<Vec<_>>>() else { return };
    let values: Vec<&str> = rows.iter().map(|row| row.value.as_deref().unwrap_or_default()).collect();
    let numbered = first.unit.is_some();
    let flow = if first.context.flow.is_some_and(|flow| format!("{flow:?}") == "Import") {
        "imports"
    } else {
        "exports"
    };
    let of = |country: &str, flow: &str, year: &str| match first.data_point.as_str() {
        "top_opportunities" => format!("The largest growth opportunities of {country} in {year}"),
        _ if first.name.is_some() => {
            let product = thing(first).unwrap_or_default();
            format!("The largest exporters of {product} in {year}")
        }
        "top_partners" | "top_export_destinations" => {
            format!("The main destinations of {country}'s {flow} in {year}")
        }
        _ => format!("The largest {flow} of {country} in {year}"),
    };
    let year = first.year.clone().unwrap_or_default();
    let head = of(&first.country, flow, &year);
    let with: Vec<String> = names
        .iter()
        .zip(&values)
        .map(|(name, value)| if numbered { format!("{name} ({value})") } else { (*name).to_owned() })
        .collect();
    let forms = |head: &str, items: &[String]| {
        let numbers = |form: &dyn Fn(usize, &String) -> String| {
            items.iter().enumerate().map(|(at, item)| form(at + 1, item)).collect::<Vec<_>>()
        };
        vec![
            format!("{head} were {}.", items.join(", ")),
            format!("{head}:\n\n{}", numbers(&|at, item| format!("{at}. {item}")).join("\n")),
            format!("{head}:\n\n{}", numbers(&|_, item| format!("- {item}")).join("\n")),
            format!("{head}: {}", numbers(&|at, item| format!("({at}) {item}")).join(", ")),
            format!("{head}:\n\n{}", numbers(&|at, item| format!("{at}. **{item}**")).join("\n")),
        ]
    };
    for text in forms(&head, &with) {
        out.add("right: a list", Due::Right, text);
    }
    if numbered {
        let table = |columns: &str, row: &dyn Fn(usize) -> String| {
            let count = columns.matches('|').count().saturating_sub(1);
            let rows: Vec<String> = (0..names.len()).map(row).collect();
            format!("{head}:\n\n{columns}\n{}|\n{}", "|---".repeat(count), rows.join("\n"))
        };
        out.add(
            "right: a list",
            Due::Right,
            table("| Name | Value |", &|at| format!("| {} | {} |", names[at], values[at])),
        );
        out.add(
            "right: a list",
            Due::Right,
            table("| Rank | Name | Value |", &|at| {
                format!("| {} | {} | {} |", at + 1, names[at], values[at])
            }),
        );
        // each value moved to the next name
        let mut turned = values.clone();
        turned.rotate_left(1);
        if names.len() > 1 {
            let moved: Vec<String> =
                names.iter().zip(&turned).map(|(name, value)| format!("{name} ({value})")).collect();
            for text in forms(&head, &moved) {
                out.add("values shifted in a list", Due::NotFull, text);
            }
        }
    }
    let asks_names = record.question.as_deref().is_some_and(|question| !question.contains("share"));
    let bare: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if asks_names {
        for text in forms(&head, &bare) {
            out.add("right: names alone", Due::Right, text);
        }
    }
    for items in [&with, &bare] {
        if !first.country.is_empty() && first.name.is_none() {
            for text in forms(&of(other_country(&first.country), flow, &year), items) {
                out.add("another country's list", Due::NotFull, text);
            }
        }
        if let Ok(number) = year.parse::<i32>() {
            for text in forms(&of(&first.country, flow, &(number - 4).to_string()), items) {
                out.add("another year's list", Due::NotFull, text);
            }
        }
        if first.context.flow.is_some()
            && !first.data_point.contains("partner")
            && !first.data_point.contains("destination")
        {
            let other = if flow == "imports" { "exports" } else { "imports" };
            for text in forms(&of(&first.country, other, &year), items) {
                out.add("the other flow's list", Due::NotFull, text);
            }
        }
        for refusal in [
            "It is not true that {}",
            "I do not know whether {}",
            "Is it true that {}?",
            "If {}, we would know",
            "Perhaps {}",
        ] {
            let text = forms(&head, items)[0].trim_end_matches('.').to_owned();
            out.add("a list not asserted", Due::Nothing, format!("{}.", refusal.replace("{}", &text)));
        }
        let mut wrong = items.clone();
        let last = wrong.len() - 1;
        wrong[last] = wrong[last]
            .replace(names[last], if names[last].len() > 3 { "Sports equipment" } else { "Cement" });
        if first.partner.is_some() || first.name.is_some() {
            wrong[last] = items[last].replace(names[last], "Fiji");
        }
        for text in forms(&head, &wrong) {
            out.add("one entity replaced", Due::NotFull, text);
        }
    }
    for refusal in REFUSALS {
        out.add("refusal", Due::Nothing, upper(&refusal.replace("{}", &head.to_lowercase())));
    }
}

/// A table of peers, whole and with two of its columns exchanged.
fn peers(record: &Record, out: &mut Out) {
    let mut names: Vec<&str> = Vec::new();
    for row in &record.rows {
        let name = row.row.as_deref().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let heads =
        [("new_products", "New products"), ("usd_per_capita", "USD per capita"), ("usd_total", "USD total")];
    let table = |columns: [&str; 3]| {
        let cell = |name: &str, column: &str| {
            let found = record
                .rows
                .iter()
                .find(|row| row.row.as_deref() == Some(name) && row.column.as_deref() == Some(column));
            found.and_then(|row| row.value.clone()).unwrap_or_default()
        };
        let lines: Vec<String> = names
            .iter()
            .map(|name| format!("| {name} | {} |", columns.map(|column| cell(name, column)).join(" | ")))
            .collect();
        format!(
            "| Country | {} |\n|---|---|---|---|\n{}",
            heads.map(|(_, head)| head).join(" | "),
            lines.join("\n")
        )
    };
    let [a, b, c] = heads.map(|(column, _)| column);
    out.add("right: a table of peers", Due::Right, table([a, b, c]));
    out.add("columns of peers exchanged", Due::NotFull, table([a, c, b]));
}

/// Records of several values: all of them are right, all but one are not.
fn parts(record: &Record, out: &mut Out) {
    let facts: Option<Vec<Fact>> = record.rows.iter().map(Fact::of).collect();
    let Some(facts) = facts.filter(|_| record.rows.iter().all(|row| row.rank.is_none() && row.row.is_none()))
    else {
        return;
    };
    let all: Vec<String> = facts.iter().map(|fact| format!("{}.", fact.sentences()[0])).collect();
    out.add("right: several parts", Due::Right, all.join(" "));
    for left_out in 0..all.len() {
        let rest: Vec<&String> =
            all.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, text)| text).collect();
        let rest: Vec<&str> = rest.into_iter().map(String::as_str).collect();
        let same =
            facts.iter().enumerate().any(|(at, fact)| at != left_out && fact.value == facts[left_out].value);
        if !same {
            out.add("a part missing", Due::NotFull, rest.join(" "));
        }
        let other =
            Fact { country: other_country(&facts[left_out].country).to_owned(), ..facts[left_out].clone() };
        out.add(
            "a part of another country",
            Due::NotFull,
            format!("{} {}.", rest.join(" "), other.sentences()[0]),
        );
    }
}

fn other_country(country: &str) -> &'static str {
    ["Norway", "Chile"].into_iter().find(|other| *other != country).unwrap_or("Norway")
}

fn other_product(product: &str) -> &'static str {
    ["cement", "sports equipment"].into_iter().find(|other| *other != product).unwrap_or("cement")
}

/// A value of the same form that is surely another.
fn other_value(value: &str) -> String {
    let Some(at) = value.find(|c: char| c.is_ascii_digit()) else { return format!("not {value}") };
    let digit = value[at..].chars().next().and_then(|c| c.to_digit(10)).unwrap_or(0);
    let other = if digit == 9 { 4 } else { (digit + 3) % 9 + 1 };
    let other = if other == digit { other % 9 + 1 } else { other };
    format!("{}{other}{}", &value[..at], &value[at + 1..])
}

/// Values that differ in a digit, the size, the unit or the sign.
fn wrong_values(value: &str) -> Vec<String> {
    let mut out = vec![other_value(value)];
    for (from, to) in [
        ("B", "M"),
        ("M", "B"),
        ("T", "B"),
        ("billion", "million"),
        ("trillion", "billion"),
        ("million", "billion"),
    ] {
        if value.ends_with(from) {
            out.push(format!("{}{to}", value.trim_end_matches(from)));
            break;
        }
    }
    if let Some(bare) = value.strip_suffix('%') {
        out.push(format!("{bare}0%").replace(".", ""));
    }
    if value.contains(" of ") {
        let (place, rest) = value.split_once(" of ").unwrap();
        let digits: u32 = place.trim_end_matches(char::is_alphabetic).parse().unwrap();
        out.push(format!("{} of {rest}", place.replace(&digits.to_string(), &(digits + 100).to_string())));
        out.push(format!("{place} of 90"));
    }
    out
}
