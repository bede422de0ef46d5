-- Spans of traces whose root has not arrived yet, what people said of failures, and who wrote what through the server.
CREATE TABLE IF NOT EXISTS trace_spans (
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    span TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (trace_id, span_id)
);
CREATE TABLE IF NOT EXISTS failure_reviews (
    failure TEXT PRIMARY KEY,
    class TEXT NOT NULL CHECK (class IN ('eval_candidate', 'known_limitation', 'infrastructure')),
    reviewed_by TEXT NOT NULL,
    reviewed_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    question_id TEXT
);
CREATE TABLE IF NOT EXISTS audit (
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    status INTEGER NOT NULL
);
