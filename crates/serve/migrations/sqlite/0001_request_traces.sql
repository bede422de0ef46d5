-- The columns of the PostgreSQL table: an id is a UUID, JSON and moments are text, and a moment is RFC 3339 in UTC with
-- milliseconds, so that text sorts as time. What is written otherwise is refused.
CREATE TABLE IF NOT EXISTS request_traces (
    id TEXT PRIMARY KEY NOT NULL DEFAULT (
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
              substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
    ),
    thread_id TEXT NOT NULL,
    question TEXT NOT NULL,
    tool_calls TEXT CHECK (tool_calls IS NULL OR json_valid(tool_calls)),
    node_sequence TEXT CHECK (node_sequence IS NULL OR json_valid(node_sequence)),
    pipeline_used TEXT,
    latency_ms INTEGER,
    error TEXT,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]Z')
);
CREATE INDEX IF NOT EXISTS idx_request_traces_created_at ON request_traces (created_at);
