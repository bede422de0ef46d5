//! A scripted judge for tests and benchmarks.

use std::sync::Mutex;

use super::{Judge, JudgeError, JudgeReply, ModelId, Prompt, TokenUsage};
use crate::scoring::scorers::Provider;

/// The reply to a prompt.
pub type Script = Box<dyn Fn(&Prompt) -> Result<String, JudgeError> + Send + Sync>;

/// A judge that replies by a script and records its prompts.
pub struct FakeJudge {
    id: ModelId,
    script: Script,
    asked: Mutex<Vec<Prompt>>,
}

impl std::fmt::Debug for FakeJudge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FakeJudge").field("id", &self.id).finish_non_exhaustive()
    }
}

impl FakeJudge {
    /// The tokens of every reply.
    pub(crate) const USAGE: TokenUsage = TokenUsage { input_tokens: 1_000, output_tokens: 100 };

    /// A fake judge with a script.
    #[must_use]
    pub fn new(script: Script) -> Self {
        let id = ModelId {
            provider: Provider::Compatible,
            model: "fake".to_owned(),
            base: "http://localhost".to_owned(),
        };
        Self { id, script, asked: Mutex::default() }
    }

    /// A fake judge with a fixed reply.
    #[must_use]
    pub fn saying(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(Box::new(move |_| Ok(text.clone())))
    }

    /// The prompts so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Prompt> {
        self.asked.lock().map(|asked| asked.clone()).unwrap_or_default()
    }
}

impl Judge for FakeJudge {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn ask(&self, prompt: &Prompt) -> Result<JudgeReply, JudgeError> {
        if let Ok(mut asked) = self.asked.lock() {
            asked.push(prompt.clone());
        }
        let text = (self.script)(prompt)?;
        Ok(JudgeReply { text, usage: Self::USAGE, model: None })
    }
}
