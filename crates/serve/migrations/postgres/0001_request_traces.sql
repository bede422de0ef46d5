-- The table of production traces; an agent that already writes it keeps its own.
CREATE TABLE IF NOT EXISTS request_traces (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    thread_id TEXT NOT NULL,
    question TEXT NOT NULL,
    tool_calls JSONB,
    node_sequence JSONB,
    pipeline_used TEXT,
    latency_ms INTEGER,
    error TEXT,
    created_at TIMESTAMPTZ DEFAULT NOW()
);
CREATE INDEX IF NOT EXISTS idx_request_traces_created_at ON request_traces (created_at);
