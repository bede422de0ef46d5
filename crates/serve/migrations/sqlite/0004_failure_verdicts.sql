-- What people said of failures, the latest last: a later word replaces an earlier one, and both are kept. A row without a class
-- takes back what was said before.
CREATE TABLE failure_verdicts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    failure TEXT NOT NULL,
    class TEXT CHECK (class IS NULL OR class IN ('eval_candidate', 'known_limitation', 'infrastructure')),
    reviewed_by TEXT NOT NULL,
    reviewed_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    question_id TEXT
);
INSERT INTO failure_verdicts (failure, class, reviewed_by, reviewed_at, reason, question_id)
    SELECT failure, class, reviewed_by, reviewed_at, reason, question_id FROM failure_reviews ORDER BY reviewed_at;
DROP TABLE failure_reviews;
