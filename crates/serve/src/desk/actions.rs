//! The actions of the desk. Each is a command of this program, built from the fields of a form. A field never becomes a
//! flag, a path or a part of another argument.

use std::collections::BTreeMap;

use super::jobs::Order;
use super::page::question_id;
use super::sources::Sources;
use crate::failures::FailureClass;

/// How an action runs.
#[derive(Debug)]
pub(crate) enum Action {
    /// The browser waits for it.
    Now(Order),
    /// A long-running job.
    Job(Order),
}

/// The sites that an agent may answer about.
pub(crate) const SITES: [&str; 3] = ["live", "twin", "mirror"];

type Fields = BTreeMap<String, String>;

/// Actions that take long.
const JOBS: [&str; 7] = ["collect", "refresh", "refresh-stale", "spot-check", "eval", "promote", "survey"];

/// The action of a form.
///
/// # Errors
/// There is no such action, or a field is missing or wrong.
pub(crate) fn action(
    sources: &Sources,
    database: &str,
    name: &str,
    fields: &Fields,
) -> Result<Action, String> {
    let form = Form { sources, fields };
    let mut arguments = form.command(name)?;
    // a label belongs to a run and needs no store
    if name != "label" {
        arguments.extend(sources.flags.iter().cloned());
    }
    if name == "promote" {
        arguments.push("--".to_owned());
        arguments.extend(form.agent()?);
    }
    let order = with_database(arguments, database);
    Ok(if JOBS.contains(&name) { Action::Job(order) } else { Action::Now(order) })
}

/// A form. Its fields become arguments, and each is validated.
#[derive(Clone, Copy)]
struct Form<'a> {
    sources: &'a Sources,
    fields: &'a Fields,
}

impl<'a> Form<'a> {
    /// The words of an action's command, without the flags of the desk.
    fn command(self, name: &str) -> Result<Vec<String>, String> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        let id_and_reason = || Ok::<_, String>(vec![self.id()?, self.reason()?, self.by()]);
        Ok(match name {
            "review-accept" => [words(&["review", "accept"]), self.accepted_value()?].concat(),
            "review-reject" => [words(&["review", "reject"]), id_and_reason()?].concat(),
            "review-undo" => [words(&["review", "undo"]), vec![self.id()?, self.by()]].concat(),
            "change-accept" => [words(&["refresh", "--commit"]), self.chosen_changes()?].concat(),
            "change-reject" => [words(&["refresh", "--discard"]), self.chosen_changes()?].concat(),
            "change-undo" => vec!["refresh".to_owned(), flag("undo", self.needed("run")?), self.by()],
            "failure-review" => [words(&["failures", "review"]), self.failure_class()?].concat(),
            "failure-undo" => {
                [words(&["failures", "undo"]), vec![failure(self.needed("failure")?)?, self.by()]].concat()
            }
            "promote" => self.promoted_failure()?,
            "label" => [words(&["eval", "label"]), self.label()?].concat(),
            "mend-accept" => vec!["mend".to_owned(), self.proposal()?],
            "survey" => words(&["survey"]),
            "collect" => words(&["collect"]).into_iter().chain(self.questions()?).collect(),
            "refresh" => words(&["refresh"]).into_iter().chain(self.questions()?).collect(),
            "refresh-stale" => words(&["refresh", "--stale"]),
            "spot-check" => {
                let name = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
                let folder = self.sources.spot_checks.join(name);
                let report = flag("report", &folder.display().to_string());
                [words(&["spot-check"]), vec![self.runs()], self.asked_agent(report)?].concat()
            }
            "eval" => [words(&["eval", "run"]), self.asked_agent(self.runs())?].concat(),
            _ => return Err("there is no such action".to_owned()),
        })
    }

    /// A non-empty field.
    fn text(self, key: &str) -> Option<&'a str> {
        self.fields.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    fn needed(self, key: &str) -> Result<&'a str, String> {
        self.text(key).ok_or_else(|| format!("`{key}` is missing"))
    }

    fn id(self) -> Result<String, String> {
        question_id(self.needed("id")?).map(|id| id.to_string()).map_err(|error| error.to_string())
    }

    fn by(self) -> String {
        flag("by", self.text("by").unwrap_or(&self.sources.by))
    }

    fn reason(self) -> Result<String, String> {
        Ok(flag("reason", self.needed("reason")?))
    }

    fn runs(self) -> String {
        flag("runs", &self.sources.runs.display().to_string())
    }

    fn questions(self) -> Result<Option<String>, String> {
        match self.text("questions") {
            None => Ok(None),
            Some(list) if list.chars().all(|c| c.is_alphanumeric() || ",-_. ".contains(c)) => {
                Ok(Some(flag("questions", &list.replace(' ', ""))))
            }
            Some(_) => Err("`questions`: write ids and ranges, such as 61,64,100-112".to_owned()),
        }
    }

    /// The agent, and the site that it answers about.
    fn agent(self) -> Result<[String; 2], String> {
        let about = self.text("agent_site").unwrap_or(&self.sources.agent_site);
        if !SITES.contains(&about) {
            return Err(format!("`agent_site` must be one of {}", SITES.join(", ")));
        }
        Ok([address("agent", self.needed("agent")?)?, flag("agent-site", about)])
    }

    /// An agent, the folder for its answers, and its questions.
    fn asked_agent(self, output: String) -> Result<Vec<String>, String> {
        let mut arguments = self.agent()?.to_vec();
        arguments.push(output);
        arguments.extend(self.questions()?);
        Ok(arguments)
    }

    /// The accepted value of a review, or the one that a person enters instead.
    fn accepted_value(self) -> Result<Vec<String>, String> {
        let mut arguments = vec![self.id()?];
        if let Some(value) = self.text("value") {
            if value.starts_with("--") {
                return Err("`value`: a value does not begin with --".to_owned());
            }
            arguments.push(value.to_owned());
        }
        arguments.push(flag("point", self.needed("point")?));
        arguments.push(flag("reason", self.text("reason").unwrap_or("accepted in review")));
        arguments.push(self.by());
        Ok(arguments)
    }

    /// The changes of a question or of one of its fields, those of a kind, or all.
    fn chosen_changes(self) -> Result<Vec<String>, String> {
        let mut arguments = Vec::new();
        match (self.text("id"), self.text("kind")) {
            (Some(_), _) => {
                arguments.push(flag("question", &self.id()?));
                arguments.extend(self.text("field").map(|field| flag("field", field)));
            }
            (None, Some(kind)) => arguments.push(flag("kind", kind)),
            (None, None) => drop(self.needed("all")?),
        }
        arguments.push(self.by());
        Ok(arguments)
    }

    fn failure_class(self) -> Result<Vec<String>, String> {
        let class: FailureClass = self.needed("class")?.parse()?;
        let failure = failure(self.needed("failure")?)?;
        Ok(vec![failure, flag("class", class.name()), self.reason()?, self.by()])
    }

    /// Promotes a production failure to a question, copied from another one or for a page.
    fn promoted_failure(self) -> Result<Vec<String>, String> {
        let mut arguments = promotion(self.sources, self.needed("failure")?)?;
        if let Some(like) = self.text("like") {
            let like = question_id(like).map_err(|error| error.to_string())?;
            arguments.push(flag("like", like.as_str()));
            let context = self.text("context").unwrap_or_default();
            arguments.extend(context.split_whitespace().map(|pair| flag("context", pair)));
        }
        arguments.extend(self.text("url").map(|url| address("url", url)).transpose()?);
        arguments.extend([self.reason()?, self.by(), self.runs()]);
        Ok(arguments)
    }

    /// A label for an answer of a run. The run is a name, never a path.
    fn label(self) -> Result<Vec<String>, String> {
        let run = self.needed("run")?;
        if run.starts_with('-') || run.contains(['/', '\\']) {
            return Err("`run` is not in the list".to_owned());
        }
        let label = self.needed("label")?;
        if !["pass", "partial", "fail"].contains(&label) {
            return Err("`label` must be pass, partial or fail".to_owned());
        }
        Ok(vec![run.to_owned(), self.id()?, label.to_owned(), self.by(), self.runs()])
    }

    fn proposal(self) -> Result<String, String> {
        let proposal = self.needed("proposal")?;
        let is_id = proposal.chars().all(|c| c.is_alphanumeric() || "_-./[]".contains(c));
        is_id.then(|| flag("accept", proposal)).ok_or("`proposal` is not in the list".to_owned())
    }
}

/// A flag and its value as one word, so that a text with a leading dash stays a text.
fn flag(flag: &str, value: &str) -> String {
    format!("--{flag}={value}")
}

fn address(key: &str, text: &str) -> Result<String, String> {
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    is_address.then(|| flag(key, text)).ok_or_else(|| format!("`{key}`: write an address, http://…"))
}

/// A command that uses the desk's database. The address may contain a password, so it is never on a command line.
pub(crate) fn with_database(arguments: Vec<String>, database: &str) -> Order {
    Order { arguments, environment: vec![("ATLAS_GT_DATABASE".to_owned(), database.to_owned())] }
}

/// The words of the command that promotes a failure.
pub(crate) fn promotion(sources: &Sources, key: &str) -> Result<Vec<String>, String> {
    let manifest = format!("--manifest={}", sources.promote_to.display());
    Ok(vec!["failures".to_owned(), "promote".to_owned(), failure(key)?, manifest])
}

fn failure(text: &str) -> Result<String, String> {
    let is_key = text.len() == 12 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_key.then(|| text.to_owned()).ok_or_else(|| "`failure` is not in the list".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use atlas_gt_core::config::StaleMonths;

    fn sources() -> Sources {
        Sources {
            store: "s".into(),
            runs: "runs".into(),
            spot_checks: "checks".into(),
            strategies: "f.json".into(),
            promote_to: "own.json".into(),
            agent_site: "live".to_owned(),
            stale_months: StaleMonths::all(6),
            program: "/bin/false".into(),
            flags: vec!["--store=s".to_owned()],
            trace_flags: String::new(),
            by: "J. Doe".to_owned(),
        }
    }

    fn made(name: &str, pairs: &[(&str, &str)]) -> Result<String, String> {
        let fields = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        action(&sources(), "postgres://me:secret@db", name, &fields).map(|action| match action {
            Action::Now(order) | Action::Job(order) => order.command(),
        })
    }

    #[test]
    fn a_form_is_the_command_that_does_the_same() {
        for (name, pairs, command) in [
            (
                "review-accept",
                &[("id", "61"), ("point", "gdp"), ("value", "-0.48")][..],
                "atlas-gt review accept 61 -0.48 --point=gdp '--reason=accepted in review' '--by=J. Doe' --store=s",
            ),
            (
                "review-reject",
                &[("id", "61"), ("reason", "no"), ("by", "A")],
                "atlas-gt review reject 61 --reason=no --by=A --store=s",
            ),
            (
                "change-accept",
                &[("id", "61"), ("field", "gdp")],
                "atlas-gt refresh --commit --question=61 --field=gdp '--by=J. Doe' --store=s",
            ),
            (
                "change-accept",
                &[("id", "61"), ("field", "top_products[coal, crude]"), ("by", "A")],
                "atlas-gt refresh --commit --question=61 '--field=top_products[coal, crude]' --by=A --store=s",
            ),
            (
                "change-reject",
                &[("kind", "revision")],
                "atlas-gt refresh --discard --kind=revision '--by=J. Doe' --store=s",
            ),
            ("change-accept", &[("all", "yes"), ("by", "A")], "atlas-gt refresh --commit --by=A --store=s"),
            (
                "change-undo",
                &[("run", "20261120T103000Z-7"), ("by", "A")],
                "atlas-gt refresh --undo=20261120T103000Z-7 --by=A --store=s",
            ),
            (
                "eval",
                &[("agent", "http://a"), ("questions", "61, 64")],
                "atlas-gt eval run --agent=http://a --agent-site=live --runs=runs --questions=61,64 --store=s",
            ),
            ("review-undo", &[("id", "61")], "atlas-gt review undo 61 '--by=J. Doe' --store=s"),
            (
                "label",
                &[("run", "20261120T103000Z"), ("id", "61"), ("label", "fail"), ("by", "A")],
                "atlas-gt eval label 20261120T103000Z 61 fail --by=A --runs=runs",
            ),
            (
                "promote",
                &[
                    ("failure", "0123456789ab"),
                    ("like", "61"),
                    ("context", "country=404 year=2020"),
                    ("reason", "new"),
                    ("by", "A"),
                    ("agent", "http://a"),
                    ("agent_site", "twin"),
                ],
                "atlas-gt failures promote 0123456789ab --manifest=own.json --like=61 --context=country=404 --context=year=2020 \
                 --reason=new --by=A --runs=runs --store=s -- --agent=http://a --agent-site=twin",
            ),
        ] {
            assert_eq!(made(name, pairs), Ok(command.to_owned()));
        }
    }

    #[test]
    fn no_field_becomes_a_flag_or_a_path() {
        for (name, pairs) in [
            ("review-accept", &[("id", "../../etc"), ("point", "x")][..]),
            ("review-accept", &[("id", "61"), ("point", "x"), ("value", "--reason=forged")]),
            ("change-accept", &[]),
            ("failure-review", &[("failure", "--help"), ("class", "infrastructure"), ("reason", "x")]),
            (
                "failure-review",
                &[("failure", "0123456789ab"), ("class", "x'; DROP TABLE audit"), ("reason", "x")],
            ),
            ("eval", &[("agent", "--agent-command=rm")]),
            ("eval", &[("agent", "http://a"), ("questions", "$(rm)")]),
            ("eval", &[("agent", "http://a"), ("agent_site", "--x")]),
            ("label", &[("run", "../../etc"), ("id", "61"), ("label", "pass")]),
            ("label", &[("run", "--runs=x"), ("id", "61"), ("label", "pass")]),
            ("label", &[("run", "latest"), ("id", "61"), ("label", "error")]),
            ("promote", &[("failure", "x"), ("reason", "r"), ("agent", "http://a")]),
            ("promote", &[("failure", "0123456789ab"), ("reason", "r"), ("agent", "sh -c")]),
            (
                "promote",
                &[("failure", "0123456789ab"), ("reason", "r"), ("agent", "http://a"), ("like", "--id=1")],
            ),
            (
                "promote",
                &[
                    ("failure", "0123456789ab"),
                    ("reason", "r"),
                    ("agent", "http://a"),
                    ("url", "file:///etc"),
                ],
            ),
            ("rm", &[]),
        ] {
            assert!(made(name, pairs).is_err(), "{name} {pairs:?}");
        }
        let command = made("review-reject", &[("id", "61"), ("reason", "--by=forged")]).unwrap();
        assert!(
            command.contains("--reason=--by=forged --by='J. Doe'")
                || command.contains("--reason=--by=forged '--by=J. Doe'"),
            "{command}"
        );
        assert!(!command.contains("secret"));
    }
}
