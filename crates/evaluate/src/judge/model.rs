//! The judge model: `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, or the address of an
//! OpenAI-compatible server with the model after `#`. Addresses and keys come from the same
//! environment variables that the providers' own programs use.

use std::fmt;

use url::Url;

use super::ModelId;
use crate::error::{Error, Result};
use crate::scoring::scorers::{Provider, provider_of};

/// Reads an environment variable.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The defaults of a provider: the address of its API, the variable that overrides it, and the
/// variables for the key.
struct Defaults {
    base: &'static str,
    base_variable: &'static str,
    keys: &'static [&'static str],
}

const fn defaults(provider: Provider) -> Defaults {
    match provider {
        Provider::OpenAi => Defaults {
            base: "https://api.openai.com/v1",
            base_variable: "OPENAI_BASE_URL",
            keys: &["OPENAI_API_KEY"],
        },
        Provider::Anthropic => Defaults {
            base: "https://api.anthropic.com",
            base_variable: "ANTHROPIC_BASE_URL",
            keys: &["ANTHROPIC_API_KEY"],
        },
        Provider::Google => Defaults {
            base: "https://generativelanguage.googleapis.com",
            base_variable: "GOOGLE_GEMINI_BASE_URL",
            keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        },
        // An OpenAI key is never sent to another server.
        Provider::Compatible => Defaults { base: "", base_variable: "", keys: &["ATLAS_GT_JUDGE_KEY"] },
    }
}

impl ModelId {
    /// Parses `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, a model name that implies its
    /// provider (`gpt-*`, `claude-*`, `gemini-*`; decision 7), or `http://host/v1#MODEL`.
    ///
    /// # Errors
    /// The text has none of these forms, or the address is invalid.
    pub fn parse(text: &str, variables: Variables<'_>) -> Result<Self> {
        let wrong = |why: String| Error::Usage(format!("--judge {text}: {why}"));
        let text_in = text.trim();
        if text_in.starts_with("http://") || text_in.starts_with("https://") {
            let (base, model) = text_in.split_once('#').ok_or_else(|| {
                wrong("name the model after the address, as http://host/v1#MODEL".to_owned())
            })?;
            let base = address(base).map_err(wrong)?;
            return Self::new(Provider::Compatible, model, base).map_err(wrong);
        }
        let named = text_in.split_once(':').and_then(|(provider, model)| {
            let provider = match provider {
                "openai" => Provider::OpenAi,
                "anthropic" => Provider::Anthropic,
                "gemini" | "google" => Provider::Google,
                _ => return None,
            };
            Some((provider, model))
        });
        let implied = || provider_of(text_in).map(|provider| (provider, text_in));
        let (provider, model) = named.or_else(implied).ok_or_else(|| {
            wrong("give openai:MODEL, anthropic:MODEL, gemini:MODEL, or http://host/v1#MODEL".to_owned())
        })?;
        let Defaults { base, base_variable, .. } = defaults(provider);
        let base = match variables(base_variable).filter(|base| !base.trim().is_empty()) {
            Some(own) => address(own.trim()).map_err(|why| wrong(format!("{base_variable}: {why}")))?,
            None => base.to_owned(),
        };
        Self::new(provider, model, base).map_err(wrong)
    }

    fn new(provider: Provider, model: &str, base: String) -> std::result::Result<Self, String> {
        let model = model.trim();
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b':' | b'/' | b'@');
        // Gemini's address contains the model name.
        let path = provider == Provider::Google && (model.contains('/') || model.contains(':'));
        if model.is_empty() || !model.bytes().all(fits) || model.contains("..") || path {
            return Err(format!("{model:?} is not a model name"));
        }
        Ok(Self { provider, model: model.to_owned(), base })
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.provider {
            Provider::Compatible => write!(f, "{}#{}", self.base, self.model),
            provider => write!(f, "{}:{}", provider.name(), self.model),
        }
    }
}

/// An address without a trailing slash.
fn address(text: &str) -> std::result::Result<String, String> {
    let url = Url::parse(text).map_err(|error| format!("{text:?} is not an address: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(format!("{text:?} is not an http address"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address contains a password: set the key in ATLAS_GT_JUDGE_KEY".to_owned());
    }
    if url.query().is_some() {
        return Err(format!("{text:?} has a query: give the base address"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// The API key of a provider. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(pub(super) Option<String>);

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "ApiKey(***)" } else { "ApiKey(none)" })
    }
}

impl ApiKey {
    /// The key for a model's provider. A custom server may need none.
    ///
    /// # Errors
    /// The provider needs a key, and no variable has one.
    pub fn of(id: &ModelId, variables: Variables<'_>) -> Result<Self> {
        let names = defaults(id.provider).keys;
        let key = names
            .iter()
            .find_map(|name| variables(name))
            .map(|key| key.trim().to_owned())
            .filter(|key| !key.is_empty());
        if key.is_none() && id.provider != Provider::Compatible {
            return Err(Error::Usage(format!("the judge {id} needs a key: set {}", names.join(" or "))));
        }
        Ok(Self(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn models_are_named_in_four_ways() {
        for (text, provider, model, base) in [
            ("openai:gpt-5-mini", Provider::OpenAi, "gpt-5-mini", "https://api.openai.com/v1"),
            ("gpt-5-mini", Provider::OpenAi, "gpt-5-mini", "https://api.openai.com/v1"),
            ("anthropic:claude-x", Provider::Anthropic, "claude-x", "https://api.anthropic.com"),
            ("gemini:g-1", Provider::Google, "g-1", "https://generativelanguage.googleapis.com"),
            ("http://h:1/v1/#qwen3:8b", Provider::Compatible, "qwen3:8b", "http://h:1/v1"),
        ] {
            let id = ModelId::parse(text, &nothing).unwrap();
            assert_eq!((id.provider, id.model.as_str(), id.base.as_str()), (provider, model, base), "{text}");
        }
        for (bad, part) in [
            ("http://host/v1", "name the model"),
            ("mistral", "give openai:MODEL"),
            ("openai:", "not a model name"),
            ("gemini:../../x", "not a model name"),
            ("http://me:secret@host/v1#m", "contains a password"),
        ] {
            let error = ModelId::parse(bad, &nothing).unwrap_err();
            assert!(error.to_string().contains(part) && error.exit() as u8 == 2, "{error}");
        }
    }

    #[test]
    fn addresses_and_keys_come_from_the_environment_and_keys_stay_secret() {
        let variables = |name: &str| match name {
            "OPENAI_BASE_URL" => Some("http://127.0.0.1:9/v1/".to_owned()),
            "OPENAI_API_KEY" => Some(" sk-secret \n".to_owned()),
            _ => None,
        };
        let id = ModelId::parse("openai:m", &variables).unwrap();
        assert_eq!(id.base, "http://127.0.0.1:9/v1");
        let key = ApiKey::of(&id, &variables).unwrap();
        assert_eq!(key.0.as_deref(), Some("sk-secret"));
        assert!(!format!("{key:?}{id}{id:?}").contains("secret"));
        let other = ModelId::parse("anthropic:m", &variables).unwrap();
        assert!(ApiKey::of(&other, &variables).unwrap_err().to_string().contains("set ANTHROPIC_API_KEY"));
        // The key of OpenAI goes to nobody else.
        let own = ModelId::parse("http://localhost:1/v1#m", &variables).unwrap();
        assert_eq!(ApiKey::of(&own, &variables).unwrap().0, None);
    }
}
