//! What can be done at the desk: each action is a command of this program, made from the fields of a form. A field is never a flag, a
//! path or a part of another argument.

use std::collections::BTreeMap;

use super::jobs::Order;
use super::{Sources, question_id};
use crate::failures::FailureClass;

/// What an action comes to.
#[derive(Debug)]
pub(crate) enum Action {
    /// Done while the browser waits.
    Now(Order),
    /// A job that takes long.
    Job(Order),
}

/// What an agent may answer about.
pub(crate) const SITES: [&str; 3] = ["live", "twin", "mirror"];

type Fields = BTreeMap<String, String>;

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
    let text = |key: &str| fields.get(key).map(|value| value.trim()).filter(|value| !value.is_empty());
    let needed = |key: &str| text(key).ok_or_else(|| format!("`{key}` is missing"));
    let id = || {
        needed("id")
            .and_then(|id| question_id(id).map(|id| id.to_string()).map_err(|error| error.to_string()))
    };
    // with its flag in one word, so that a text which begins with a dash is still a text
    let flag = |flag: &str, value: &str| format!("--{flag}={value}");
    let by = flag("by", text("by").unwrap_or(&sources.by));
    let reason = || needed("reason").map(|reason| flag("reason", reason));
    let questions = || match text("questions") {
        None => Ok(None),
        Some(list) if list.chars().all(|c| c.is_alphanumeric() || ",-_. ".contains(c)) => {
            Ok(Some(flag("questions", &list.replace(' ', ""))))
        }
        Some(_) => Err("`questions`: write ids and ranges, 61,64,100-112".to_owned()),
    };
    let address = |key: &str, text: &str| {
        let is_address = text.starts_with("http://") || text.starts_with("https://");
        is_address.then(|| flag(key, text)).ok_or_else(|| format!("`{key}`: write an address, http://…"))
    };
    let agent = || {
        let about = text("agent_site").unwrap_or(&sources.agent_site);
        if !SITES.contains(&about) {
            return Err(format!("`agent_site` is none of {}", SITES.join(", ")));
        }
        Ok([address("agent", needed("agent")?)?, flag("agent-site", about)])
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let mut arguments = match name {
        "review-accept" => {
            let mut arguments = words(&["review", "accept"]);
            arguments.push(id()?);
            if let Some(value) = text("value") {
                if value.starts_with("--") {
                    return Err("`value`: a value does not begin with --".to_owned());
                }
                arguments.push(value.to_owned());
            }
            arguments.push(flag("point", needed("point")?));
            arguments.push(flag("reason", text("reason").unwrap_or("accepted in review")));
            arguments.push(by);
            arguments
        }
        "review-reject" => [words(&["review", "reject"]), vec![id()?, reason()?, by]].concat(),
        "review-undo" => [words(&["review", "undo"]), vec![id()?, by]].concat(),
        "change-accept" | "change-reject" => {
            let mut arguments =
                words(&["refresh", if name == "change-accept" { "--commit" } else { "--discard" }]);
            match (text("id"), text("kind")) {
                (Some(_), _) => {
                    arguments.push(flag("question", &id()?));
                    arguments.extend(text("field").map(|field| flag("field", field)));
                }
                (None, Some(kind)) => arguments.push(flag("kind", kind)),
                (None, None) => needed("all").map(|_| ())?,
            }
            arguments.push(by);
            arguments
        }
        "change-undo" => vec!["refresh".to_owned(), flag("undo", needed("run")?), by],
        "failure-review" => {
            let class: FailureClass = needed("class")?.parse()?;
            let failure = failure(needed("failure")?)?;
            [words(&["failures", "review"]), vec![failure, flag("class", class.name()), reason()?, by]]
                .concat()
        }
        "failure-undo" => [words(&["failures", "undo"]), vec![failure(needed("failure")?)?, by]].concat(),
        "promote" => {
            let mut arguments = promotion(sources, needed("failure")?)?;
            if let Some(like) = text("like") {
                let like = question_id(like).map_err(|error| error.to_string())?;
                arguments.push(flag("like", like.as_str()));
                arguments.extend(
                    text("context").unwrap_or_default().split_whitespace().map(|pair| flag("context", pair)),
                );
            }
            arguments.extend(text("url").map(|url| address("url", url)).transpose()?);
            arguments.extend([reason()?, by, flag("runs", &sources.runs.display().to_string())]);
            arguments
        }
        "label" => {
            let run = needed("run")?;
            // a run by its name, never by a path
            if run.starts_with('-') || run.contains(['/', '\\']) {
                return Err("`run` is none that the list names".to_owned());
            }
            let label = needed("label")?;
            if !["pass", "partial", "fail"].contains(&label) {
                return Err("`label` is pass, partial or fail".to_owned());
            }
            let mut arguments = words(&["eval", "label", run]);
            arguments.extend([
                id()?,
                label.to_owned(),
                by,
                flag("runs", &sources.runs.display().to_string()),
            ]);
            return Ok(Action::Now(Order { arguments, environment: Vec::new() }));
        }
        "mend-accept" => {
            let proposal = needed("proposal")?;
            let is_id = proposal.chars().all(|c| c.is_alphanumeric() || "_-./[]".contains(c));
            is_id.then_some(()).ok_or("`proposal` is none that the list names")?;
            vec!["mend".to_owned(), flag("accept", proposal)]
        }
        "survey" => words(&["survey"]),
        "collect" => words(&["collect"]).into_iter().chain(questions()?).collect(),
        "refresh" => words(&["refresh"]).into_iter().chain(questions()?).collect(),
        "refresh-stale" => words(&["refresh", "--stale"]),
        "spot-check" => {
            let folder =
                sources.spot_checks.join(jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string());
            let mut arguments = vec!["spot-check".to_owned()];
            arguments.extend(agent()?);
            arguments.push(flag("report", &folder.display().to_string()));
            arguments.extend(questions()?);
            arguments
        }
        "eval" => {
            let mut arguments = words(&["eval", "run"]);
            arguments.extend(agent()?);
            arguments.push(flag("runs", &sources.runs.display().to_string()));
            arguments.extend(questions()?);
            arguments
        }
        _ => return Err("there is no such action".to_owned()),
    };
    arguments.extend(sources.flags.iter().cloned());
    if name == "promote" {
        arguments.push("--".to_owned());
        arguments.extend(agent()?);
    }
    let order = with_database(arguments, database);
    let takes_long =
        ["collect", "refresh", "refresh-stale", "spot-check", "eval", "promote", "survey"].contains(&name);
    Ok(if takes_long { Action::Job(order) } else { Action::Now(order) })
}

/// A command over the database of the desk. Its address may hold a password: it is in no command line.
pub(crate) fn with_database(arguments: Vec<String>, database: &str) -> Order {
    Order { arguments, environment: vec![("ATLAS_GT_DATABASE".to_owned(), database.to_owned())] }
}

/// The words of the command that makes a failure a question.
pub(crate) fn promotion(sources: &Sources, key: &str) -> Result<Vec<String>, String> {
    let manifest = format!("--manifest={}", sources.promote_to.display());
    Ok(vec!["failures".to_owned(), "promote".to_owned(), failure(key)?, manifest])
}

fn failure(text: &str) -> Result<String, String> {
    let is_key = text.len() == 12 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_key.then(|| text.to_owned()).ok_or_else(|| "`failure` is none that the list names".to_owned())
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
