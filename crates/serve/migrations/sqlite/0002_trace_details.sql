-- What an agent may say beside it: the budget of the GraphQL tool, its circuit breaker, tokens, cost, and what the user thought.
ALTER TABLE request_traces ADD COLUMN budget_used INTEGER;
ALTER TABLE request_traces ADD COLUMN budget_limit INTEGER;
ALTER TABLE request_traces ADD COLUMN breaker TEXT;
ALTER TABLE request_traces ADD COLUMN input_tokens INTEGER;
ALTER TABLE request_traces ADD COLUMN output_tokens INTEGER;
ALTER TABLE request_traces ADD COLUMN cost_usd REAL;
ALTER TABLE request_traces ADD COLUMN feedback INTEGER;
