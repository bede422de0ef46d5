//! The flag `--by`, for commands that record who decides.

use super::settings;

/// The person who decides.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Who {
    /// Who decides [default: the account: `USER`, `LOGNAME` or `USERNAME`]
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

impl Who {
    /// The name that is recorded.
    pub fn name(&self) -> String {
        self.by.clone().unwrap_or_else(settings::user)
    }
}
