"""What the program prints and stores, as types. Written by `generate_models.py` from `docs/schemas`: do not edit."""

from typing import Any, Literal, NotRequired, TypedDict


# The comparator's verdict on two values. The comparator does not know which value is the truth; the verdict on
# an answer also depends on the question.
Verdict = Literal["match", "mismatch", "partial", "not_comparable", "not_displayed", "expected_absence", "extraction_failed", "unscored"]


# Why two values differ, if known.
Cause = Literal["rounding", "other_year", "other_classification", "scope", "real_against_nominal", "level_against_change", "total_against_cagr", "sign", "factor_two", "factor_thousand", "percent_against_fraction", "swapped_entities", "other_definition"]


# An id of 1 to 100 letters, digits, `_`, `.` and `-`. It does not start with `.` or `-`, and is not a name that
# the store itself uses.
QuestionId = str


# The site a record was read from.
Site = Literal["live", "twin", "mirror"]


# The pipeline behind an answer.
Pipeline = Literal["graphql", "sql", "mixed", "none", "unknown"]


# The verdict on an answer for one data point.
AnswerVerdict = Literal["right", "wrong", "missing", "unscored"]


# A part of a [`Context`], to name differences.
ContextPart = Literal["country", "partner", "product", "classification", "period", "flow", "scope", "basis", "statistic", "base", "per", "tense", "group", "position"]


class Comparison(TypedDict):
    """A verdict with its reason."""

    verdict: Verdict
    reason: str
    cause: NotRequired[Cause | None]
    difference: NotRequired[str | None]
    differing: NotRequired[list[ContextPart]]


# The place of a value of an answer.
PlaceKind = Literal["asked", "other_slot", "other_context", "operator", "unplaced"]


class Placed(TypedDict):
    """A candidate value of the answer with its place."""

    value: str
    place: PlaceKind
    why: NotRequired[str | None]
    agrees: NotRequired[bool | None]


class PointScore(TypedDict):
    """The verdict on one data point."""

    field: str
    said: AnswerVerdict
    value: NotRequired[str | None]
    sentence: NotRequired[str | None]
    comparison: NotRequired[Comparison | None]
    reason: str
    candidates: NotRequired[list[Placed]]


class RefusedScore(TypedDict):
    """A refused score: truth and answer come from the same source."""

    field: str
    reason: str


class Extra(TypedDict):
    """A value in the answer that was not requested."""

    value: str
    sentence: str


class AnswerDetails(TypedDict):
    """The details of an answer's score."""

    question_id: QuestionId
    site: Site
    pipeline: Pipeline
    right: int
    wrong: int
    missing: int
    unscored: int
    points: list[PointScore]
    refused: NotRequired[list[RefusedScore]]
    extra: NotRequired[list[Extra]]


class ScoreAnswer(TypedDict):
    """A scorer's result for an answer. `M` is the scorer's own metadata."""

    schema_version: Literal[1]
    value: float | None
    verdict: Verdict
    reasons: list[str]
    cause: NotRequired[Cause | None]
    backend: str
    metadata: AnswerDetails


class AnswerLine(TypedDict):
    """One of many scored answers."""

    line: int
    id: NotRequired[str | None]
    value: float | None
    verdict: Verdict
    reasons: list[str]
    cause: NotRequired[Cause | None]
    backend: str
    metadata: AnswerDetails


class Bounds(TypedDict):
    """A closed interval."""

    low: float
    high: float


class MeanEstimate(TypedDict):
    """A mean with its uncertainty."""

    n: int
    mean: float
    standard_error: float | None
    interval: Bounds | None
    clusters: NotRequired[int | None]


class PointCounts(TypedDict):
    """Data points by result."""

    right: int
    wrong: int
    missing: int
    unscored: int
    refused: int


# How to get an answer scored.
Remedy = Literal["pipeline", "judge", "truth"]


class OpenReason(TypedDict):
    """One reason why answers are unscored."""

    reason: str
    answers: int
    first: str
    remedy: Remedy


class InvalidLine(TypedDict):
    """A line that could not be scored."""

    line: int
    error: str


class AnswersSummary(TypedDict):
    """The totals of many scored answers."""

    answers: int
    counts: dict[str, int]
    mean: MeanEstimate | None
    points: PointCounts
    open: list[OpenReason]
    invalid: NotRequired[list[InvalidLine]]


class ScoreAnswers(TypedDict):
    """Many scored answers. In JSON they are printed one by one."""

    schema_version: Literal[1]
    answers: list[AnswerLine]
    summary: AnswersSummary


# The source of a record: the seed's five methods (evaluation strategy, section 3).
SourceMethod = Literal["browser_country_page", "browser_explore_page", "graphql_api", "sql_cross_check", "llm_generated"]


# The tool the agent should use.
ExpectedTool = Literal["graphql_only", "sql_only", "graphql_preferred", "sql_preferred", "either", "both", "refusal", "any"]


# Why there is no value.
Absence = Literal["not_shown_here", "not_available_for_country", "page_not_found", "null_before_first_year", "extraction_failed"]


# What a number counts.
Unit = Literal["USD", "other_currency", "percent", "percentage_points", "rank", "positions", "persons", "count", "index"]


# A field of a row. Each row of a record marks the field that is the answer. The others are context, which an
# answer need not give (evaluation strategy, section 4; decision 26).
AnswerField = Literal["value", "share", "name", "code", "rank", "direction"]


class Row(TypedDict):
    """One value. A list has one row per item, a table one per cell group."""

    data_point: str
    metric: str
    country: str
    value: NotRequired[str]
    absence: NotRequired[Absence]
    number: NotRequired[str]
    unit: NotRequired[Unit]
    year: NotRequired[str]
    answers: NotRequired[list[AnswerField]]


class Results(TypedDict):
    """The values of a record."""

    data: list[Row]


class ResultsFile(TypedDict):
    """The ground truth of one question."""

    question_id: QuestionId
    execution_timestamp: str
    source: str
    source_method: SourceMethod
    atlas_url: str
    site: Site
    expected_tool: NotRequired[ExpectedTool | None]
    expected_query_type: NotRequired[str | None]
    results: Results


# The kind of a run's cases. A trend and a comparison never mix kinds.
CaseKind = Literal["manifest", "components", "suite", "spot_check"]


# A set of weighted dimensions.
Rubric = Literal["five_dimensions", "four_dimensions", "binary"]


class JudgeChoice(TypedDict):
    """A judge with its settings."""

    model: str
    prompts: NotRequired[str | None]
    prompts_hash: str
    rubric: Rubric
    repeat: int


class CalibrationNote(TypedDict):
    """The calibration of a judge, as runs state it."""

    is_calibrated: bool
    why: NotRequired[str | None]
    labels: int
    agreement: float | None
    kappa: float | None
    at: NotRequired[str | None]


class Proportion(TypedDict):
    """A rate with its uncertainty."""

    successes: int
    n: int
    rate: float
    interval: Bounds


class Score5(TypedDict):
    """A mean on the judge's scale, 1 to 5."""

    n: int
    mean: float
    low: float | None
    high: float | None


class QuestionGroup(TypedDict):
    """A group of questions."""

    name: str
    counts: dict[str, int]
    pass_rate: Proportion | None
    weighted_score: Score5 | None


class AnchorReport(TypedDict):
    """Whether the judge itself has drifted, apart from the agent."""

    n: int
    unscored: int
    agreement: float | None
    kappa: float | None
    compared_with: str | None
    difference: float | None
    distance: float | None
    drifted: bool | None
    changed: list[str]
    score_change_from: str | None
    cost_usd: str | None


class MatchRate(TypedDict):
    """The rate of right routes."""

    n: int
    rate: float | None
    strict_rate: float | None
    verdicts: dict[str, int]


class Percentiles(TypedDict):
    """The reported percentiles of a latency (evaluation strategy, sections 2 and 5.2)."""

    n: int
    p50: float
    p95: float
    p99: float


class RunCost(TypedDict):
    """The cost of a run, in US dollars."""

    agent_usd: str | None
    assumed: int
    judge_usd: str
    total_usd: str
    unknown: int
    budget_usd: str | None
    whole_run_usd: NotRequired[str | None]
    week_usd: str
    week_alert: bool


# The unit of a target.
TargetUnit = Literal["share", "points", "milliseconds"]


# The verdict on a figure with a target (of a run, a component or production), by its interval.
TargetOutcome = Literal["met", "missed", "too_few_to_tell", "not_measured"]


class RunTarget(TypedDict):
    """A target, with the run's value."""

    name: str
    target: str
    limit: float
    unit: TargetUnit
    value: float | None
    n: int
    low: float | None
    high: float | None
    state: TargetOutcome


class Coverage(TypedDict):
    """The coverage of a manifest with its store (evaluation strategy, section 8, "Coverage Metrics"). Categories and
    query types cover the whole manifest."""

    questions: int
    with_truth: int
    browser_verified: int
    categories: int
    categories_with_three: int
    query_types: int
    query_types_covered: int


class Unreadable(TypedDict):
    """A question whose record cannot be read."""

    question_id: str
    why: str


class UnknownAnswer(TypedDict):
    """A recorded answer to an unknown question."""

    question_id: str
    why: str


class UnknownAnswers(TypedDict):
    """Recorded answers that are skipped because their questions are unknown."""

    of: int
    answers: list[UnknownAnswer]


# A part of the agent that is evaluated on its own.
Component = Literal["classification", "extraction", "id_resolution"]


class ComponentMetric(TypedDict):
    """A rate."""

    name: str
    result: Proportion | None
    target: NotRequired[float | None]
    outcome: NotRequired[TargetOutcome | None]


# How hard an id is to resolve (section 6, "ID Resolution Eval Set").
Tier = Literal["clean", "alias", "ambiguous", "services", "missing"]


class TierReport(TypedDict):
    """The rates of one tier of id resolution."""

    tier: Tier
    metrics: list[ComponentMetric]


class FieldMiss(TypedDict):
    """A wrong field."""

    field: str
    expected: Any
    answered: Any


class CaseFailure(TypedDict):
    """A case with a wrong or missing answer."""

    id: str
    question: str
    tier: NotRequired[Tier | None]
    error: NotRequired[str | None]
    misses: NotRequired[list[FieldMiss]]


class ComponentReport(TypedDict):
    """The result of one component."""

    component: Component
    n: int
    without_answer: int
    metrics: list[ComponentMetric]
    tiers: NotRequired[list[TierReport]]
    failures: list[CaseFailure]


# The verdict on an agent's whole answer, on one scorer's result, or on a test case of a report.
CaseVerdict = Literal["pass", "partial", "fail", "unscored", "error"]


# The documented interpretation of a score. A score on an edge belongs to the upper band.
ScoreBand = Literal["Poor", "Fair", "Good", "Excellent"]


class BandCount(TypedDict):
    """The number of cases in a band."""

    band: ScoreBand
    cases: int


class SuiteScores(TypedDict):
    """The scores of a suite."""

    suite: str
    verdict: CaseVerdict
    pass_rate: Proportion | None
    score: MeanEstimate | None
    band: ScoreBand | None
    bands: list[BandCount]
    unscored: int
    errors: int


class Gate(TypedDict):
    """The gate: a minimum pass rate."""

    min_pass_rate: float
    rate: Proportion | None
    passed: bool
    note: str


class RunSummary(TypedDict):
    """The summary of a run, `summary.json`."""

    schema_version: Literal[1]
    run: str
    source: CaseKind
    started: str
    ended: str
    duration_s: float
    interrupted: bool
    out_of_budget: bool
    agent_away: NotRequired[bool]
    check_exit: NotRequired[int | None]
    tool_version: str
    scoring_version: int
    partial: str | None
    unasked: NotRequired[int]
    agent: str
    site: Site
    judge: JudgeChoice | None
    calibration: CalibrationNote | None
    selection: str
    seed: int | None
    rescore_of: str | None
    planned: int
    counts: dict[str, int]
    pass_rate: Proportion | None
    pass_rate_of_all: Proportion | None
    weighted_score: Score5 | None
    right_share: MeanEstimate | None
    dimensions: dict[str, Score5]
    categories: list[QuestionGroup]
    difficulties: list[QuestionGroup]
    query_types: list[QuestionGroup]
    cohorts: NotRequired[list[QuestionGroup]]
    links: NotRequired[list[QuestionGroup]]
    source_methods: list[QuestionGroup]
    decided_by: dict[str, int]
    findings: dict[str, list[str]]
    outdated: list[str]
    unstable: list[str]
    judge_failures: dict[str, str]
    disagreements: dict[str, str]
    anchors: AnchorReport | None
    trajectories: MatchRate
    trajectory_rate: Proportion | None
    tool_selection: MeanEstimate | None
    tools: dict[str, int]
    unknown_trace_keys: list[str]
    latency_ms: Percentiles | None
    pipeline_latency_ms: dict[str, Percentiles]
    node_latency_ms: dict[str, Percentiles]
    cost: RunCost
    targets: list[RunTarget]
    coverage: Coverage
    unreadable: list[Unreadable]
    unknown_answers: NotRequired[UnknownAnswers]
    without_truth: int
    answered_without_truth: NotRequired[list[str]]
    answered_not_in_manifest: NotRequired[list[str]]
    components: NotRequired[list[ComponentReport]]
    suite: NotRequired[SuiteScores | None]
    gate: Gate | None
    exit_code: int
    exit_reason: str


# How hard a question is.
Difficulty = Literal["easy", "medium", "hard"]


# Product classification.
Classification = Literal["HS92", "HS12", "HS22", "SITC"]


class Period(TypedDict):
    """A year, or the first and last year of a period."""

    start: int
    end: int


# Exports or imports.
Flow = Literal["export", "import"]


# Which trade is counted.
Scope = Literal["goods", "services", "goods_and_services"]


# Current or constant prices.
Basis = Literal["current", "constant"]


# The kind of figure.
Statistic = Literal["level", "share", "rank", "rank_change", "change", "total_growth", "cagr", "projection"]


# The whole that a share is part of.
Base = Literal["own_trade", "world_trade", "gdp"]


# The divisor of an amount.
Per = Literal["person", "year"]


# Whether a figure is observed or projected.
Tense = Literal["observed", "projected"]


class Context(TypedDict):
    """The context of a number. Two numbers are comparable only if their contexts agree. `None` means "not stated"."""

    country: NotRequired[str | None]
    partner: NotRequired[str | None]
    product: NotRequired[str | None]
    classification: NotRequired[Classification | None]
    period: NotRequired[Period | None]
    flow: NotRequired[Flow | None]
    scope: NotRequired[Scope | None]
    basis: NotRequired[Basis | None]
    statistic: NotRequired[Statistic | None]
    base: NotRequired[Base | None]
    per: NotRequired[Per | None]
    tense: NotRequired[Tense | None]
    group: NotRequired[str | None]
    position: NotRequired[int | None]


class Question(TypedDict):
    """A question to ask."""

    question_id: QuestionId
    text: str
    category: NotRequired[str | None]
    difficulty: NotRequired[Difficulty | None]
    query_type: NotRequired[str | None]
    expected_tool: NotRequired[ExpectedTool | None]
    atlas_url: NotRequired[str | None]
    needs_link: NotRequired[bool]
    context: Context
    expected_behavior: NotRequired[str | None]
    tags: NotRequired[list[str]]
    persona: NotRequired[str | None]


# A BLAKE3 hash of uncompressed bytes, 64 hexadecimal digits.
Hash = str


class Record(TypedDict):
    """The ground truth of one question."""

    question_id: QuestionId
    execution_timestamp: str
    source: str
    source_method: SourceMethod
    atlas_url: str
    site: Site
    expected_tool: NotRequired[ExpectedTool | None]
    expected_query_type: NotRequired[str | None]
    results: Results


# A display rule, named after the site's published list of number formats (F1–F15).
Rule = Literal["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "F13", "F14", "F15", "Integer", "Growth"]


class Interval(TypedDict):
    """The interval of numbers that a displayed text may stand for. Both ends of a rounded text are closed. Browsers
    and formatting libraries round ties differently (half away from zero, half to even, binary floats that only
    appear to be ties), and the one that printed a text is unknown. So a number exactly on a tie may print as
    either neighbour. Two *rounded* texts that only touch at a tie do not agree, see [`Interval::meets`]."""

    low: str
    high: str
    low_closed: bool
    high_closed: bool


# The exact number behind a displayed text.
Precise = TypedDict("Precise", {"number": str, "from": str})


# How a value was read.
Channel = Literal["dom", "narrative", "table", "label", "tooltip", "page_response", "api", "person", "imported"]


# Whether the channels of a value agree.
Agreement = Literal["agrees", "page_disagrees", "single", "unverified", "not_displayed", "not_independent"]


class Imported(TypedDict):
    """The origin of an imported value."""

    file: str
    row: int
    keys: list[str]


class Person(TypedDict):
    """Who judged a value, when and why, and what the person saw."""

    by: str
    at: str
    why: str
    crop: NotRequired[Hash | None]


class PointProvenance(TypedDict):
    """How one value was read."""

    data_point: str
    subject: NotRequired[str | None]
    displayed: NotRequired[str | None]
    rule: NotRequired[Rule | None]
    interval: NotRequired[Interval | None]
    precise: NotRequired[Precise | None]
    context: Context
    channel: Channel
    locator: NotRequired[str | None]
    agreement: NotRequired[Agreement | None]
    agreement_reason: NotRequired[str | None]
    evidence: NotRequired[Hash | None]
    imported: NotRequired[Imported | None]
    screenshot: NotRequired[Hash | None]
    person: NotRequired[Person | None]
    settled_url: NotRequired[str | None]
    site_vintage: NotRequired[str | None]
    extractor: NotRequired[str | None]
    tool_version: NotRequired[str | None]
    read_at: str


class Input(TypedDict):
    """An input value of a derivation."""

    name: QuestionId
    label: str
    atlas_url: str
    row: Row
    point: PointProvenance


# What follows from several values.
Operation = Literal["value", "sum", "difference", "balance", "change", "growth", "cagr", "ratio", "share", "rank", "largest", "smallest", "direction"]


class Step(TypedDict):
    """What follows from several values."""

    name: str
    operation: Operation
    of: list[str]
    metric: NotRequired[str | None]
    label: NotRequired[str | None]
    rule: NotRequired[Rule | None]


class Derivation(TypedDict):
    """How the values of a record are derived from others."""

    inputs: list[Input]
    steps: list[Step]


class Provenance(TypedDict):
    """How the values of a record were read."""

    question_id: QuestionId
    question: NotRequired[str | None]
    site: Site
    record: NotRequired[Hash | None]
    points: list[PointProvenance]
    derivation: NotRequired[Derivation | None]


class PinnedTruth(TypedDict):
    """The truth used by a run. It contains everything that scoring needs, so that an answer can be scored again
    after the store has changed."""

    hash: Hash
    record: Record
    provenance: NotRequired[Provenance | None]
    earlier: NotRequired[list[Row]]


class InputFile(TypedDict):
    """The agent's input."""

    query: str
    context: NotRequired[dict[str, Any]]


# How the actual calls must relate to the expected ones.
MatchMode = Literal["strict", "unordered", "subset", "superset"]


# The name of an expected tool.
ToolName = str | list[str]


# How arguments are compared.
Arguments = Literal["exact", "ignored", "subset"] | dict[str, Any]


class CallSpec(TypedDict):
    """An expected call."""

    tool: ToolName
    arguments: dict[str, Any]
    compare: NotRequired[Arguments | None]


class MatchSpec(TypedDict):
    """The expected calls and how to match them."""

    mode: MatchMode
    calls: list[CallSpec]
    arguments: Arguments
    per_tool: dict[str, Arguments]
    forbidden: list[str]
    max_repeats: NotRequired[int | None]


class FactSpec(TypedDict):
    """A fact with alternatives."""

    any_of: list[str]
    value: str | None


# A key fact.
Fact = str | FactSpec


class Query(TypedDict):
    """A query with its relevant sources."""

    query: str | None
    relevant_sources: list[str]


class MrrBands(TypedDict):
    """The lower edges of the bands of the mean reciprocal rank (our own thresholds by decision 1)."""

    fair: float
    excellent: float


class Facts(TypedDict):
    """The input of the threshold metrics, the format of `facts.json`."""

    facts: list[Fact]
    required_sections: list[str]
    queries: list[Query]
    expects_refusal: bool
    mrr_bands: MrrBands


class ConfiguredScorer(TypedDict):
    """A scorer of a case. Older runs have it as a list of name and configuration."""

    name: str
    config: Any


# How numbers are compared if their field has no configured strategy.
Numbers = Literal["exact", "display"]


class DataTools(TypedDict):
    """The names of the tools that fetch data, without documentation tools."""

    graphql: list[str]
    sql: list[str]


# The pipeline that the agent should use.
Mode = Literal["graphql_only", "sql_only", "graphql_sql", "auto"]


class SuiteCase(TypedDict):
    """A case with its settings resolved."""

    name: str
    input: InputFile
    cluster: str | None
    expected_tools: list[str] | None
    expected_tool_sequence: list[str] | None
    expected_tool: ExpectedTool | None
    expected_calls: MatchSpec | None
    expected_output_contains: list[str]
    expected_value: str | None
    expected_output: dict[str, Any] | None
    expected_facts: Facts | None
    expected_url: str | None
    scorers: list[ConfiguredScorer]
    min_score: float
    numbers: Numbers
    data_tools: DataTools
    mode: Mode


class TokenUsage(TypedDict):
    """Tokens of model calls."""

    input_tokens: int
    output_tokens: int


class NodeTrace(TypedDict):
    """The run of a node (evaluation strategy 5.1, `NodeTrace`). Times are in seconds since the question was sent, or
    0 if unknown."""

    node_name: str
    start_time: float
    end_time: float
    duration_ms: int
    llm_time_ms: NotRequired[int | None]
    io_time_ms: NotRequired[int | None]
    parent: NotRequired[int | None]
    model: NotRequired[str | None]
    usage: NotRequired[TokenUsage | None]


class ToolCall(TypedDict):
    """A tool call."""

    name: str
    arguments: dict[str, Any]
    failed: NotRequired[bool | None]
    budget: NotRequired[int | None]
    breaker_reset: NotRequired[bool]


class ExecutionTrace(TypedDict):
    """An agent's run (evaluation strategy 5.1, `ExecutionTrace`). It can be read from any format of
    `docs/reference/traces.md`, and is written in the plain one."""

    question_id: str
    tool_calls: list[str]
    node_sequence: list[str]
    node_traces: list[NodeTrace]
    graphql_classification: Any
    graphql_entities: Any
    graphql_resolved_params: Any
    atlas_links: list[Any]
    pipeline_sql: str | None
    total_duration_ms: int
    error: str | None
    calls: NotRequired[list[ToolCall] | None]
    usage: NotRequired[TokenUsage | None]
    cost_usd: NotRequired[str | None]
    unknown_keys: NotRequired[list[str]]


class Reply(TypedDict):
    """The agent's answer."""

    answer: str
    drafts: NotRequired[list[str]]
    links: NotRequired[list[str]]
    trace: NotRequired[ExecutionTrace | None]
    request_id: NotRequired[str | None]
    notes: NotRequired[list[str]]
    judge_points: NotRequired[dict[str, dict[str, float]]]


class Answer(TypedDict):
    """The agent's answer."""

    asked_at: str
    latency_ms: NotRequired[int | None]
    cost_usd: str | None
    reply: NotRequired[Reply | None]
    error: NotRequired[str | None]
    unreachable: NotRequired[bool]


# Who decided a verdict.
Decider = Literal["rules", "judge", "nobody"]


class AnswerFinding(TypedDict):
    """A problem of an answer."""

    kind: str
    field: NotRequired[str | None]
    detail: str


class Score(TypedDict):
    """A scorer's result for an answer. `M` is the scorer's own metadata."""

    value: float | None
    verdict: Verdict
    reasons: list[str]
    cause: NotRequired[Cause | None]
    backend: str
    metadata: AnswerDetails


# The verdict on an agent's route to its data, independent of its answer. Only a route can be `acceptable`.
TrajectoryVerdict = Literal["pass", "acceptable", "fail"]


class ScorerOutcome(TypedDict):
    """One scorer's result for a case."""

    scorer: str
    status: CaseVerdict
    band: ScoreBand | None
    value: float | None
    verdict: Verdict
    reasons: list[str]
    cause: NotRequired[Cause | None]
    backend: str
    metadata: dict[str, Any]


# A judge mode.
JudgeMode = Literal["ground_truth", "binary", "refusal", "plausibility", "reasoning", "grounding", "fuzzy", "semantic"]


# How judging failed.
UnscoredKind = Literal["rate_limited", "refused", "malformed", "contradictory", "timeout", "transport", "status", "incomplete", "not_asked"]


class JudgeNote(TypedDict):
    """The judgement in one mode."""

    mode: JudgeMode
    verdict: CaseVerdict | None
    value: float | None
    dimensions: NotRequired[dict[str, float]]
    reasons: NotRequired[dict[str, str]]
    faults: NotRequired[list[str]]
    findings: NotRequired[list[str]]
    failure: NotRequired[UnscoredKind | None]
    why: NotRequired[str | None]
    repeats: NotRequired[list[float | None]]
    unstable: NotRequired[bool]
    usage: TokenUsage
    cost_usd: str | None
    cached: bool
    model: str
    prompt: str


class Scored(TypedDict):
    """The score of an answer."""

    scoring_version: int
    verdict: CaseVerdict
    decided_by: Decider
    reason: str
    score: float | None
    weighted_score: float | None
    outdated: bool
    unstable: bool
    findings: list[AnswerFinding]
    pipeline: Pipeline
    points: NotRequired[Score | None]
    trajectory: NotRequired[TrajectoryVerdict | None]
    scorers: NotRequired[list[ScorerOutcome]]
    judgements: NotRequired[list[JudgeNote]]
    disagreement: NotRequired[str | None]


class RunQuestion(TypedDict):
    """A question of a run."""

    schema_version: Literal[1]
    question: Question
    truth: NotRequired[PinnedTruth | None]
    checks: NotRequired[SuiteCase | None]
    answer: Answer
    scored: NotRequired[Scored | None]
