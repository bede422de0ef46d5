-- What an agent may say beside it: the budget of the GraphQL tool, its circuit breaker, tokens, cost, and what the user thought.
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS budget_used INTEGER;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS budget_limit INTEGER;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS breaker TEXT;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS input_tokens BIGINT;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS output_tokens BIGINT;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS cost_usd DOUBLE PRECISION;
ALTER TABLE request_traces ADD COLUMN IF NOT EXISTS feedback SMALLINT;
