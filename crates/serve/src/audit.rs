//! The audit log: one row of `audit` for each write at the desk, with its author and result.

use jiff::Timestamp;

use crate::database::{Database, on_both};

/// Adds a row. A failure is only logged, because the action is already done.
pub(crate) async fn write(database: &Database, who: &str, action: &str, status: i32) {
    const INSERT: &str = "INSERT INTO audit (at, who, action, status) VALUES ($1, $2, $3, $4)";
    let at = Timestamp::now().as_millisecond();
    let clean = |text: &str| text.replace('\0', "\u{fffd}");
    let (who, action) = (clean(who), clean(action));
    let written = on_both!(database, pool => {
        sqlx::query(INSERT).bind(at).bind(&who).bind(&action).bind(status).execute(pool).await.map(|_| ())
    });
    if let Err(error) = written {
        tracing::error!("an audit line was not written ({error}): {who}: {action}: {status}");
    }
}
